"""The rules carried out step by step, as the reference of the language tells it: beside the compiled program.

Expressions are valued by `evaluate`, one operation after the other; steps are carried out as their typed form says, one
after the other; nothing is compiled. Slow, and without any cleverness: that is what it is for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations

from tabarro.interpreter.cells import cell_of, cells_of
from tabarro.interpreter.evaluate import evaluate
from tabarro.interpreter.model import Expr, aspect_type
from tabarro.interpreter.runtime import LARGEST

MISTAKES = (TypeError, IndexError, KeyError, ValueError, OverflowError)
LONGEST = 20_000  # steps between two decisions


class Stuck(Exception):
    """A mistake of the rules that shows only in play."""


class _Left(Exception):
    """The rule is left."""


class _Ended(Exception):
    def __init__(self, winners, scores):
        self.winners, self.scores = winners, scores


@dataclass
class Decision:
    """Somebody decides, or chance (None): among these choices, or, where a plan must fit, among some of them."""

    actor: int | None
    choices: list
    planned: bool = False


@dataclass
class Telling:
    """What is told, to whom: kind, step, names and values."""

    kind: str
    step: str
    told: tuple
    mask: int


class Cells(list):
    """The state, and whether something was looked at before it was set that should have been."""

    definite = frozenset()
    unset = False

    def __getitem__(self, cell):
        found = super().__getitem__(cell)
        self.unset |= found is None and cell in self.definite
        return found


@dataclass
class Reference:
    game: object
    tellings: list[Telling] = field(default_factory=list)
    result: tuple | None = None

    def __post_init__(self):
        self.words, self.program = self.game.vocabulary, self.game.program
        self.states = [f for fs in self.words.functions.values() for f in fs if f.kind == "state"]
        size = sum(len(cells_of(f)) for f in self.states)
        self.cells = Cells([None] * size)
        self.cells.definite = frozenset(c for f in self.states if not f.result.maybe for c in cells_of(f))
        for function in self.states:
            for cell in cells_of(function):
                self.cells[cell] = function.start
        self.names = {}
        self.masks = {seat: 1 << number for number, seat in enumerate(self.words.seats)}
        self.everyone = (1 << len(self.words.seats)) - 1
        self.planner, self.held, self.steps = None, [], 0
        self.doubtful = False  # is something nothing that should not be? Using that is a mistake of the rules

    # --- values and logs ----------------------------------------------------------------------------------------------
    def value(self, expr, names=None):
        found = evaluate(expr, self.cells, {**self.names, **(names or {})})
        if expr.type.kind == "number" and isinstance(found, int) and abs(found) >= LARGEST:
            raise Stuck(expr)
        return found

    def mask(self, audience, names=None) -> int:
        if isinstance(audience, str):
            return self.everyone if audience == "all" else 0
        seats = self.value(audience, names)
        return sum(self.masks.get(seat, 0) for seat in set(seats))

    def write(self, kind, step, told, mask):
        if self.planner is not None:
            self.held.append(Telling(kind, step, told, mask & ~self.planner))
            mask &= self.planner
        self.tellings.append(Telling(kind, step, told, mask))

    def tell(self, kind, step, mask, tells, suffix=""):
        told = tuple((name, self.words.named(self.value(expr), expr.type)) for name, expr in tells)
        self.write(kind, step.name + suffix, told, mask)

    def log(self, seat: str) -> list[tuple]:
        mask = 1 << self.game.seat(seat)
        return [(t.kind, t.step, t.told) for t in self.tellings if t.mask & mask]

    # --- the whole ----------------------------------------------------------------------------------------------------
    def play(self) -> Iterator[Decision]:
        """Send it the choices; it gives the decisions. Raises Stuck where the rules have a mistake."""
        rules = self.program.rules
        start = next(r for s, r in rules.items() if self.program.entry == self._entry(s))
        try:
            try:
                yield from self.rule(start)
                self.write("end", "", (), self.everyone)
                raise _Ended((), None)
            except _Ended as end:
                self.result = (end.winners, end.scores)
        except MISTAKES as error:
            raise Stuck(repr(error)) from error

    def _entry(self, shape):
        return list(self.program.rules).index(shape)  # blocks are numbered by the rules that they begin, first

    def rule(self, rule):
        name = rule.shape.split(" ")[0]
        anew = [f for f in self.states if f.lasts == name]
        for function in anew:
            for cell in cells_of(function):
                self.cells[cell] = function.start
        if any(f.view != "nobody" for f in anew):
            self.write("reset", "", (), self.everyone)
        if rule.result is not None:
            self.names[rule.result] = None
        try:
            yield from self.sequence(rule.steps)
        except _Left:
            pass

    def sequence(self, steps):
        for step in steps:
            self.steps += 1
            if self.steps > LONGEST:
                raise Stuck("too long")
            yield from getattr(self, "_" + step.verb.replace(" ", "_"))(step)

    def decide(self, actor, choices, planned=False):
        self.steps = 0
        return (yield Decision(actor, choices, planned))

    # --- control ------------------------------------------------------------------------------------------------------
    def _if(self, step):
        yield from self.sequence(step.bodies["then" if self.value(step.at["if"]) else "else"])

    def _for_each(self, step):
        var = step.at["loop"].args[0]
        for element in self.value(step.at["for each"]):
            self.names[var] = element
            yield from self.sequence(step.bodies["do"])

    def _repeat(self, step):
        while step.at.get("while") is None or self.value(step.at["while"]):
            self.steps += 1
            if self.steps > LONGEST:
                raise Stuck("too long")
            yield from self.sequence(step.bodies["repeat"])
            if step.at.get("until") is not None and self.value(step.at["until"]):
                break

    def called(self, step):
        values = [self.value(arg) for arg in step.at["args"].args]
        self.doubtful |= None in values
        self.names.update(zip(step.callee.params, values))
        yield from self.rule(step.callee)

    def _call(self, step):
        yield from self.called(step)
        for var in step.vars.values():
            self.names[var] = self.names[step.callee.result]
            self.doubtful |= self.names[var] is None and not var.type.maybe

    def _return(self, step):
        self.names[self.current(step).result] = self.value(step.at["return"])
        raise _Left
        yield

    def current(self, step):
        head = step.name.split("/")[0]
        rules = [r for r in self.program.rules.values() if r.shape.split(" ")[0] == head]
        return next(r for r in rules if any(s is step for s in _all(r.steps)))

    def _play(self, step):
        winners = ()
        try:
            yield from self.called(step)
        except _Ended as end:
            winners = end.winners
        for var in step.vars.values():
            self.names[var] = winners

    def _end(self, step):
        self.tell("end", step, self.everyone, step.tells)
        winners, scores = self.value(step.at["end"]), None
        if step.at.get("scores") is not None:
            seat = step.at["score seat"].args[0]
            scores = tuple(self.value(step.at["scores"], {seat: s}) for s in self.words.seats)
            if None in scores:
                raise Stuck("no number")
        raise _Ended(winners, scores)
        yield

    # --- values -------------------------------------------------------------------------------------------------------
    def _let(self, step):
        for name, var in step.vars.items():
            self.names[var] = self.value(step.at[name])
        yield from ()

    def _set(self, step):
        taken = [(f, [self.value(a) for a in args], self.value(value)) for f, args, value in step.targets]
        for function, args, value in taken:
            self.assign(function, args, value)
        yield from ()

    def assign(self, function, args, value):
        self.cells[cell_of(function, args)] = value
        self.doubtful |= value is None and not function.result.maybe
        self.tell_state(function, args, value)

    def tell_state(self, function, args, value):
        """The new value to those who see it, and to others no more of it than they may see."""
        key = [(p.name, self.words.named(a, p.type)) for a, p in zip(args, function.params)]
        inner = dict(zip(function.variables, args))
        mask = self.mask(function.view, inner)
        self.write("set", function.shape, (*key, ("value", self.words.named(value, function.result))), mask)
        for aspect, audience in function.aspects.items():
            part = {"count": len, "top": lambda v: v[0] if v else None, "contents": lambda v: tuple(sorted(v))}[aspect](
                value
            )
            told = (*key, ("value", self.words.named(part, aspect_type(aspect, function.result))))
            self.write(aspect, function.shape, told, self.mask(audience, inner) & ~mask)

    def _move(self, step):
        what = step.at["move"]
        moved = self.value(what)
        row = list(moved) if what.type.many else [moved]
        (given, given_args, _), (taken, taken_args, _) = step.targets
        here, there = ([self.value(a) for a in args] for args in (given_args, taken_args))
        rest = list(self.cells[cell_of(given, here)])
        for card in row:
            if what.op == "last" and given.result.kind == "list" and rest and rest[-1] == card:
                rest.pop()
            elif card in rest:
                rest.remove(card)
            else:
                raise Stuck("not there")
        self.assign(given, here, tuple(rest))
        lying = self.cells[cell_of(taken, there)]
        if taken.result.kind == "list":
            self.assign(taken, there, (*row, *lying) if "to" in step.at else (*lying, *row))
        else:
            self.assign(taken, there, tuple(sorted((*lying, *row))))
        yield from ()

    def _show(self, step):
        value = self.value(step.at["show"])
        for var in step.vars.values():
            self.names[var] = value
        self.tell("show", step, self.mask(step.audience), step.tells)
        yield from ()

    def _say(self, step):
        self.tell("say", step, self.mask(step.audience), step.tells)
        yield from ()

    # --- chance -------------------------------------------------------------------------------------------------------
    def _draw(self, step):
        number, pool = self.value(step.at["draw"]), self.value(step.at["from"])
        single = step.at["draw"].op == "const" and number == 1
        if "if none" in step.bodies and len(pool) < number:
            yield from self.without(step)
            return
        if number < 1:
            for var in step.vars.values():
                self.names[var] = ()
            return
        drawn, rest = [], list(pool)
        while len(drawn) < number:
            if not rest:
                raise Stuck("nothing to draw")
            (card,) = yield from self.decide(None, [(x,) for x in dict.fromkeys(rest)])
            rest.remove(card)
            drawn.append(card)
        for var in step.vars.values():
            self.names[var] = drawn[0] if single else tuple(sorted(drawn))
        pile = self.taken_out(step, drawn)
        self.tell("draw", step, self.mask(step.audience), step.tells)
        if pile:
            self.tell_state(*pile)

    def taken_out(self, step, cards):
        """From a pile, what is drawn is gone."""
        if step.pile is None:
            return None
        function, args = step.pile[0], [self.value(a) for a in step.pile[1]]
        rest = list(self.cells[cell_of(function, args)])
        for card in cards:
            rest.remove(card)
        self.cells[cell_of(function, args)] = tuple(rest)
        return function, args, tuple(rest)

    def _shuffle(self, step):
        function, args, deck = step.targets[0]
        rest, done = sorted(self.value(deck)), []
        if len(rest) < 2:
            return
        while len(rest) > 1:
            (card,) = yield from self.decide(None, [(x,) for x in dict.fromkeys(rest)])
            rest.remove(card)
            done.append(card)
        self.assign(function, [self.value(a) for a in args], (*done, *rest))

    def _deal(self, step):
        function = step.targets[0][0]
        rest = list(self.value(step.at["deal"]) or ())
        receivers = rest and self.value(step.at["to"])
        each = self.value(step.at["each"]) if receivers else 0
        for receiver in [r for r in receivers or () for _ in range(each)]:
            if not rest:
                break
            (card,) = yield from self.decide(None, [(x,) for x in dict.fromkeys(rest)])
            rest.remove(card)
            before, value = self.cells[cell_of(function, [receiver])], card
            if function.result.kind == "set":
                value = tuple(sorted({*before, card}))
            elif function.result.many:
                value = tuple(sorted((*before, card)))
            self.assign(function, [receiver], value)
            pile = self.taken_out(step, [card])
            if pile:
                self.tell_state(*pile)

    def without(self, step):
        for var in step.vars.values():
            self.names[var], self.doubtful = None, True
        yield from self.sequence(step.bodies["if none"])

    # --- choices ------------------------------------------------------------------------------------------------------
    def _at_once(self, step):
        """All choose in the position before; then all of it happens."""
        row = list(dict.fromkeys(self.value(step.at["at once"])))
        row.sort(key=lambda seat: seat not in self.words.chance_seats)
        seat, part, function = step.at["ask"].args[0], step.parts[0], step.targets[0][0]
        answers = []
        for who in row:
            self.names[seat] = who
            choices = self.choices(step)
            if not choices:
                raise Stuck("nothing to choose")
            choice = yield from self.decide(who, choices)
            self.names[part.var] = choice[0]
            self.tell("ask", step, self.masks.get(who, 0), step.tells)
            answers.append(choice[0])
        for who, answer in zip(row, answers):
            self.cells[cell_of(function, [who])] = answer
        for who, answer in zip(row, answers):
            self.names[seat], self.names[part.var] = who, answer
            view = self.mask(function.view, {function.variables[0]: who})
            if step.text:
                self.tell("ask", step, view & ~self.masks.get(who, 0), step.tells)
            self.tell_state(function, [who], answer)

    def _ask(self, step):
        if "at once" in step.at:
            yield from self._at_once(step)
            return
        choices = self.choices(step)
        if not choices and "if none" in step.bodies:
            yield from self.without(step)
            return
        actor = self.value(step.at["ask"])
        if actor is None:
            raise Stuck("nobody is asked")
        if not choices:
            raise Stuck("nothing to choose")
        choice = yield from self.decide(actor, choices, self.planner is not None)
        rest, alternative = choice, None
        if step.alternatives:
            alternative = next(a for a in step.alternatives if a.atom == choice[0])
            rest = choice[1:]
            own = [p.var for p in step.parts]
            for var in step.vars.values():
                if var not in own:
                    self.names[var] = choice[0]
        for part, value in zip([*step.parts, *(alternative.parts if alternative else [])], rest):
            self.names[part.var] = value
        parts = [*step.parts, *(alternative.parts if alternative else [])]
        own = self.masks.get(self.value(step.at["ask"]), 0)
        suffix = f"/{alternative.name}" if alternative else ""
        whole = self.mask(step.audience)
        if any(part.audience is not None for part in parts):
            sees = [whole if part.audience is None else self.mask(part.audience) for part in parts]
            for bit in self.masks.values():
                seen = [part for part, mask in zip(parts, sees) if mask & bit]
                if bit != own and seen and len(seen) < len(parts):
                    tells = {"who": step.at["ask"]} | {p.var.name: Expr("var", (p.var,), p.var.type) for p in seen}
                    saying = next((p for p in reversed(seen) if p.text), None)
                    tells |= dict(saying.tells) if saying is not None else {}
                    self.tell("ask", step, bit, list(tells.items()), suffix)
            whole = self.everyone
            for mask in sees:
                whole &= mask
        self.tell("ask", step, whole | own, alternative.tells if alternative else step.tells, suffix)
        if alternative is not None:
            yield from self.sequence(alternative.then)

    def choices(self, step) -> list:
        if not step.alternatives:
            wheres = [step.at.get("where")]
            return [tuple(row) for row in self.rows(step.parts, wheres, {})]
        found = []
        for alternative in step.alternatives:
            if alternative.given is not None and not self.value(alternative.given):
                continue
            wheres = [step.at.get("where"), alternative.where]
            parts = [*step.parts, *alternative.parts]
            found += [(alternative.atom, *row) for row in self.rows(parts, wheres, {})]
        return found

    def rows(self, parts, wheres, chosen):
        if not parts:
            if all(self.value(w, chosen) for w in wheres if w is not None):
                yield ()
            return
        first, *others = parts
        for value in self.candidates(first, chosen):
            for rest in self.rows(others, wheres, {**chosen, first.var: value}):
                yield (value, *rest)

    def candidates(self, part, chosen) -> list:
        pool = self.value(part.source, chosen)
        if part.shape == "one":
            return list(dict.fromkeys(pool))
        if part.shape == "match":
            return list(permutations(self.value(part.onto, chosen), len(pool)))
        least, most = self.value(part.amount, chosen)
        found = dict.fromkeys(
            tuple(sorted(row))
            for size in range(max(least, 0), min(most, len(pool)) + 1)
            for row in combinations(pool, size)
        )
        for var, test, amount in part.which:
            lowest, highest = self.value(amount, chosen)
            found = {
                row: None
                for row in found
                if lowest <= sum(bool(self.value(test, {**chosen, var: x})) for x in row) <= highest
            }
        return list(found)

    def _plan(self, step):
        planner = self.value(step.at["plan"])
        if planner is None:
            raise Stuck("nobody plans")
        self.planner, self.held = self.masks.get(planner, 0), []
        yield from self.sequence(step.bodies["do"])
        if not all(self.value(test) for _, test in step.must):
            raise Stuck("a plan that does not fit")
        self.planner = None
        self.tellings += self.held


def _all(steps):
    for step in steps:
        yield step
        for body in step.bodies.values():
            yield from _all(body)
        for alternative in step.alternatives:
            yield from _all(alternative.then)


def came_to(state, begin, choice):
    """A new position, or what becomes of one."""
    if state is None:
        return begin()
    state.apply(choice)
    return state


def offered(state):
    return [] if state.over else state.legal(), state.actor


def play_on(state, rng, decisions: int, third=None) -> int:
    """Nothing but the rules' own error may come of it: in C the same one."""
    from tabarro.interpreter import RulesError

    for number in range(decisions):
        told = choice = None
        try:
            if state.over:
                break
            choice = state.sample(rng, habits=True)
            state.apply(choice)
        except RulesError as error:
            told = str(error)
        if third is not None and choice is not None:
            try:
                third.apply(choice)
            except RulesError as error:
                assert told == str(error), (told, error)
            else:
                assert told is None and third.state() == state, told
        if told is not None:
            break
    return number if decisions else 0


def play_beside(game, rng, decisions: int, compiled: bool = False) -> int:
    """One random game, compared decision by decision, and the logs at the end; how many decisions there were. With
    `compiled`, in step with the rules compiled to C as well: three at once."""
    from tabarro.interpreter import RulesError

    reference, stuck, state, third = Reference(game), None, None, None
    playing = reference.play()
    choice = None
    for number in range(decisions):
        mistake = None
        try:
            decision = playing.send(choice)
        except StopIteration:
            decision = None
        except Stuck as error:
            decision, stuck = None, error
        try:
            state = came_to(state, game.new, choice)
            legal, actor = offered(state)
        except RulesError as error:
            mistake = error
        if compiled:  # the same, or the same mistake, whatever the reference makes of it
            try:
                third = came_to(third, game.native, choice)
                also = offered(third)
            except RulesError as error:
                assert mistake is not None and str(error) == str(mistake), (error, mistake)
            else:
                assert mistake is None and third.over is state.over and also == (legal, actor), (mistake, also)
        if (
            reference.doubtful or reference.cells.unset
        ):  # the rules have a mistake; that may show now or later, or never
            return number + (0 if mistake else play_on(state, rng, decisions - number, third))
        if stuck is not None or mistake is not None:
            assert stuck is not None and mistake is not None, (stuck, mistake and mistake.problems)
            return number
        if decision is None:
            assert state.over, ("the rules are done", state.actor)
            break
        assert not state.over, ("the program is over", decision)
        named = None if decision.actor is None else game.vocabulary.atoms[decision.actor].name
        by_chance = decision.actor is None or named in game.chance_seats
        assert actor == ("chance" if by_chance else named)
        assert len(set(legal)) == len(legal), legal
        if decision.planned:
            assert set(legal) <= set(decision.choices)
        elif decision.choices and all(type(x) is not tuple for c in decision.choices for x in c):
            assert legal == decision.choices
        else:
            assert sorted(legal) == sorted(decision.choices)
        for c in legal[:20]:
            assert state.is_legal(c)
        choice = state.sample(rng, habits=True)
    assert third is None or third == state
    for seat in game.seats:
        for played in (state, *([third.state()] if third is not None else [])):
            assert [(e.kind, e.step, e.told) for e in played.log(seat)] == reference.log(seat)
    if state.over:
        winners, scores = reference.result
        result = state.result
        atoms = game.vocabulary.seats
        assert result.winners == tuple(n for n, a in zip(game.seats, atoms) if a in winners)
        assert tuple(result.scores.values()) == (scores or tuple(int(a in winners) for a in atoms))
    return number + 1
