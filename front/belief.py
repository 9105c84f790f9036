"""What a player can know: the deals of the secrets that agree with his log.

A world is one way in which chance may have dealt what the player has not seen. Worlds are found by dealing, once, in
all ways that fit what he saw of it; then each thing he sees strikes out the worlds in which it could not have happened:
a choice that would not have been allowed, a reveal that would have shown something else. What others chose unseen is
left open, so the truth is never struck out. Nothing but the player's own log is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..interpreter.evaluate import evaluate, slot_of
from ..interpreter.model import Alternative, Expr, Function, Part, Step, Var
from ..interpreter.observe import seen_rows
from ..interpreter.source import HEADER

__all__ = ["Belief", "TooManyWorlds"]

BUDGET = 50_000  # worlds
KEPT = 400  # deals that are remembered
_DEALS: dict[tuple, tuple] = {}
JUDGED = 20_000  # rows of which it is remembered in which worlds they can be
_JUDGED: dict[tuple, list] = {}


class TooManyWorlds(Exception):
    """There are more deals than can be counted one by one."""


class Unknown(Exception):
    """A value that the player cannot know, and that no world tells."""


class _Slots:
    """The state as it would be in one world; notes which secrets were looked at."""

    def __init__(self, belief: Belief):
        self.belief = belief
        self.world: tuple = ()
        self.asked: list[int] = []  # secrets, in the order in which they were looked at
        self.changing = False  # was anything looked at that is not a secret of others?

    def __getitem__(self, slot: int) -> Any:
        belief = self.belief
        place = belief.place.get(slot)
        if place is not None:
            self.asked.append(place)
            return self.world[place]
        self.changing = True
        if slot in belief.seen_slots:
            return belief.known[slot]
        raise Unknown


class Belief:
    """The worlds that one seat holds possible. `observe` takes the rows of its log as they come."""

    def __init__(self, game, seat: str, budget: int = BUDGET):
        self.game, self.seat, self.budget = game, seat, budget
        self.me = game.vocabulary.seats[game.seat(seat)]
        self.mask = 1 << game.seat(seat)
        self.functions = [f for fs in game.vocabulary.functions.values() for f in fs if f.kind == "state"]
        self.worlds: list[tuple] = []
        self.place: dict[int, int] = {}  # slot of a secret -> where it stands in a world
        self.known: list[Any] = []  # the state as far as it is seen
        self.seen_slots: frozenset[int] = frozenset()
        self._before: list[tuple] = []  # rows of the dealing, until the first decision
        self._origins: dict[int, list] = {}
        self.dealt = False
        self._ended = False  # a game inside a match is over: what comes next is a new deal

    # --- from a log ---------------------------------------------------------------------------------------------------------
    @classmethod
    def of(cls, state, seat: str, budget: int = BUDGET) -> Belief:
        """Straight from a state, reading nothing of it but this seat's log."""
        belief = cls(state.game, seat, budget)
        belief.observe(seen_rows(state.v[1], belief.mask))
        return belief

    def observe(self, rows: Iterable[tuple]) -> None:
        for row in rows:
            event = self.game.program.events[row[0]]
            if event.kind == "end":  # perhaps of a game inside a match: the next one is dealt anew
                self._ended, self._before = True, []
                continue
            if self.dealt and not self._ended:
                self._take(row)
                continue
            self._before.append(row)
            if event.kind in ("ask", "show", "say"):
                self._begin()

    def ready(self) -> Belief:
        """Deal now, if no decision has been seen yet. What is known when all is over stays known."""
        if not self.dealt or self._ended and self._before:
            self._begin()
        return self

    def _begin(self) -> None:
        before = self.known if self.dealt else []
        self.deal()
        if before:  # what outlasts a game, such as points, is in no log of the new one
            for function in self.functions:
                if not function.lasts:
                    for slot in self._slots(function):
                        if slot in self.seen_slots:
                            self.known[slot] = before[slot]
        self.dealt, self._ended = True, False
        for row in self._before:
            self._take(row)
        self._before = []

    # --- dealing ------------------------------------------------------------------------------------------------------------
    def deal(self) -> None:
        """All ways in which chance may have gone so far, as far as this seat did not see it.

        Which they are hangs only on what this seat was dealt, so they are kept for the games to come."""
        expected = self._before
        opening = seen_rows(self.game.new().v[1], self.mask)
        if opening and opening[0] in expected:  # rows before it are of the match, not of the deal
            expected = expected[expected.index(opening[0]):]
        first, dealt_at, told = self._dealings(expected, None)
        key = (self.game.digest, self.seat, dealt_at, tuple(expected[:told]))
        if key not in _DEALS:
            leaves, _, _ = self._dealings(expected, dealt_at)
            while len(_DEALS) >= KEPT:
                del _DEALS[next(iter(_DEALS))]
            _DEALS[key] = self._settled(leaves)
        if len(_DEALS[key][2]) > self.budget:  # found by somebody with more patience
            raise TooManyWorlds
        self.place, self.seen_slots, self.worlds = _DEALS[key]
        size = self.game.program.state_slots
        self.known = (first[0] if first else self.game.program.start)[HEADER:HEADER + size]

    def _dealings(self, expected: list[tuple], dealt_at: int | None) -> tuple[list[list], int, int]:
        """The states after dealing that fit these rows. Without `dealt_at`, only the first that leads to a decision, with
        how many chances have fallen when all that this seat may not see is dealt, and how many rows it then has."""
        leaves: list[list] = []
        stack = [(self.game.new(), 0, 0, 0)]
        while stack:
            state, depth, hidden, told = stack.pop()
            rows = seen_rows(state.v[1], self.mask)
            if rows != expected[: len(rows)]:
                continue
            done = state.over or state.actor != "chance" or len(rows) > len(expected)
            step = self.game.program.nodes[state.v[0]].step
            public = not done and step.verb == "draw" and step.audience == "all"
            if done or dealt_at is not None and depth >= dealt_at and public:
                leaves.append(state.v)
                if dealt_at is None:
                    return leaves, hidden, told
                if len(leaves) > self.budget:
                    raise TooManyWorlds
                continue
            for choice, _ in reversed(state.chances()):
                after = state.clone()
                after.apply(choice, trusted=True)
                stack.append((after, depth + 1, *((hidden, told) if public else (depth + 1, len(rows) + 1))))
        return leaves, 0, 0

    def _settled(self, leaves: list[list]) -> tuple[dict[int, int], frozenset[int], list[tuple]]:
        size = self.game.program.state_slots
        states = [v[HEADER:HEADER + size] for v in leaves]
        seen, fixed = set(), set()
        changing = {id(function) for step in self._steps() if step.verb == "set" for function, _, _ in step.targets}
        for function in self.functions:
            visible = [slot for slot in self._slots(function) if self._sees(function, slot)]
            seen.update(visible)
            if id(function) not in changing or function.view == "nobody":
                fixed.update(set(self._slots(function)) - set(visible))
        secrets = [slot for slot in sorted(fixed) if len({s[slot] for s in states}) > 1]
        worlds = list(dict.fromkeys(tuple(s[slot] for slot in secrets) for s in states))
        return {slot: index for index, slot in enumerate(secrets)}, frozenset(seen) | (fixed - set(secrets)), worlds

    def _steps(self) -> list[Step]:
        return [e.origin for e in self.game.program.events if e.origin is not None] + [
            n.step for n in self.game.program.nodes if n.step is not None]

    def _slots(self, function: Function) -> range:
        size = 1
        for param in function.params:
            size *= len(param.type.atoms)
        return range(function.base, function.base + size)

    def _sees(self, function: Function, slot: int) -> bool:
        if function.view in ("all", "nobody"):
            return function.view == "all"
        index, args = slot - function.base, []
        for param in reversed(function.params):
            atoms = sorted(param.type.atoms)
            index, place = divmod(index, len(atoms))
            args.append(atoms[place])
        names = dict(zip(function.variables, reversed(args)))
        try:
            return self.me in evaluate(function.view, (), names)
        except (IndexError, TypeError):  # it depends on the state who sees it: as far as belief goes, not seen
            return False

    # --- what is seen ---------------------------------------------------------------------------------------------------------
    def _take(self, row: tuple) -> None:
        event = self.game.program.events[row[0]]
        values = row[1:]
        if event.kind == "set":
            *args, value = values
            slot = slot_of(event.function, args)
            if slot not in self.place:
                self.known[slot] = value
            else:
                self._keep(lambda slots, index=self.place[slot]: slots.world[index] == value)
        elif event.kind == "reset":
            for function in event.functions:
                for slot in self._slots(function):
                    self.known[slot] = function.start
        elif event.kind == "ask" and event.origin is not None:
            self._chosen(event, values)
        elif event.kind == "show" and event.origin is not None:
            self._shown(event, values)

    def _chosen(self, event, values: tuple) -> None:
        told = dict(zip(event.names, values))
        if told.get("who") == self.me or not event.context:
            return
        names = dict(zip(event.context, values[len(event.names):]))
        step = event.origin
        alternative = next((a for a in step.alternatives if a.name == event.alternative), None)
        chosen = {part.var: told[part.var.name] for part in _parts(step, alternative) if part.var.name in told}
        self._keep(lambda slots: self.allows(step, alternative, chosen, names, slots), (event.number, *values))

    def _shown(self, event, values: tuple) -> None:
        step = event.origin
        value = values[event.names.index(next(iter(step.vars), "shown"))]
        names = dict(zip(event.context, values[len(event.names):]))
        told = {n: v for n, v in zip(event.names, values)}
        for var in step.visible:
            if var.name in told:
                names.setdefault(var.origin, told[var.name])

        def fits(slots: _Slots) -> bool:
            try:
                if step.at["show"].type.kind == "truth":
                    return judge(step.at["show"], slots, names) == bool(value)
                return evaluate(step.at["show"], slots, names) == value
            except (Unknown, KeyError):
                return True

        self._keep(fits)
        ways = []
        for origin, alternative, part, terms in self.origins(step):
            try:
                ways.append((origin, alternative, {part.var: value},
                             {var: evaluate(expr, (), names) for var, expr in terms.items()}))
            except (KeyError, Unknown, IndexError):
                return  # it may have come about in a way that cannot be judged
        if ways:
            self._keep(lambda slots: any(self.allows(*way, slots) for way in ways))

    def _keep(self, fits, row: tuple | None = None) -> None:
        """Strike out the worlds in which it does not fit. Worlds that agree on what was looked at are judged once; what
        was found for a row that hangs on nothing else is kept for the next time it is seen."""
        slots = _Slots(self)
        key = (self.game.digest, self.seat, row)
        tree: list = _JUDGED.get(key, []) if row is not None else []  # [secret, {value: branch}] or [answer]
        kept = []
        for world in self.worlds:
            branch = tree
            while len(branch) == 2:
                below = branch[1].get(world[branch[0]])
                if below is None:
                    below = branch[1][world[branch[0]]] = []
                branch = below
            if not branch:
                slots.world, slots.asked = world, []
                answer = fits(slots)
                branch = tree
                for place in dict.fromkeys(slots.asked):
                    if not branch:
                        branch += [place, {}]
                    branch = branch[1].setdefault(world[place], [])
                branch[:] = [answer]
            if branch[0]:
                kept.append(world)
        self.worlds = kept
        if slots.changing:
            _JUDGED.pop(key, None)
        elif row is not None and key not in _JUDGED:
            while len(_JUDGED) >= JUDGED:
                del _JUDGED[next(iter(_JUDGED))]
            _JUDGED[key] = tree

    def allows(self, step: Step, alternative: Alternative | None, chosen: dict[Var, Any], names: dict[Var, Any],
               slots: _Slots) -> bool:
        """Could this have been chosen? Yes, unless something that can be known forbids it."""
        names = dict(names)

        def holds(expr: Expr | None) -> bool:
            try:
                return expr is None or judge(expr, slots, names)
            except (Unknown, KeyError):
                return True

        if alternative is not None and not holds(alternative.given):
            return False
        for part in _parts(step, alternative):
            if part.var not in chosen:
                return True
            value = names[part.var] = chosen[part.var]
            try:
                if not self._offered(part, value, names, slots):
                    return False
            except (Unknown, KeyError):
                continue
        return holds(step.at.get("where")) and (alternative is None or holds(alternative.where))

    def _offered(self, part: Part, value: Any, names: dict[Var, Any], slots: _Slots) -> bool:
        if part.shape == "match":
            return True
        if part.shape == "one":
            if part.source.op == "filter":
                var, source, test = part.source.args
                return value in evaluate(source, slots, names) and judge(test, slots, {**names, var: value})
            return value in evaluate(part.source, slots, names)
        pool = evaluate(part.source, slots, names)
        least, most = evaluate(part.amount, slots, names)
        if not least <= len(value) <= most or any(x not in pool for x in value):
            return False
        for var, test, amount in part.which:
            low, high = evaluate(amount, slots, names)
            sure = maybe = 0
            for x in value:
                try:
                    sure += judge(test, slots, {**names, var: x})
                except Unknown:
                    maybe += 1
            if sure > high or sure + maybe < low:
                return False
        return True

    # --- where a revealed value was chosen --------------------------------------------------------------------------------------
    def origins(self, step: Step) -> list[tuple[Step, Alternative | None, Part, dict[Var, Expr]]]:
        """The questions whose answer a `show` may reveal: sealed choices, opened later, perhaps in another rule."""
        if id(step) not in self._origins:
            self._origins[id(step)] = _Origins(self.game).of(step)
        return self._origins[id(step)]

    # --- what follows -----------------------------------------------------------------------------------------------------------
    def marginal(self, shape: str) -> dict[tuple, dict[Any, float]]:
        """How likely each value of a secret is, if all worlds are as likely: arguments -> value -> probability."""
        self.ready()
        found: dict[tuple, dict[Any, float]] = {}
        for function in self.game.vocabulary.functions.get(shape, ()):
            if function.kind != "state":
                continue
            for slot in self._slots(function):
                args = self._args(function, slot)
                if slot in self.place:
                    counts: dict[Any, float] = {}
                    for world in self.worlds:
                        value = world[self.place[slot]]
                        counts[value] = counts.get(value, 0) + 1
                    found[args] = {v: n / len(self.worlds) for v, n in counts.items()}
                elif slot in self.seen_slots:
                    found[args] = {self.known[slot]: 1.0}
        return found

    def _args(self, function: Function, slot: int) -> tuple:
        index, args = slot - function.base, []
        for param in reversed(function.params):
            atoms = sorted(param.type.atoms)
            index, place = divmod(index, len(atoms))
            args.append(atoms[place])
        return tuple(reversed(args))

    def chance_of(self, expr: Expr, names: dict[Var, Any]) -> float | None:
        """How likely a condition is; None if it hangs on something that no world tells."""
        self.ready()
        slots, hits = _Slots(self), 0
        for world in self.worlds:
            slots.world = world
            try:
                hits += judge(expr, slots, names)
            except (Unknown, KeyError):
                return None
        return hits / len(self.worlds) if self.worlds else None

    def contains(self, state) -> bool:
        """For tests: is the true deal among the worlds?"""
        self.ready()
        true = tuple(state.v[HEADER + slot] for slot in self.place)
        return true in self.worlds


def _parts(step: Step, alternative: Alternative | None) -> list[Part]:
    return [*step.parts, *(alternative.parts if alternative is not None else ())]


def judge(expr: Expr, slots, names: dict[Var, Any]) -> bool:
    """A condition of which some parts may be unknown: raises Unknown only if the rest does not decide it."""
    op, args = expr.op, expr.args
    if op in ("and", "or"):
        stop, unknown = op == "or", False
        for side in args:
            try:
                if judge(side, slots, names) == stop:
                    return stop
            except Unknown:
                unknown = True
        if unknown:
            raise Unknown
        return not stop
    if op == "not":
        return not judge(args[0], slots, names)
    if op == "cond":
        return judge(args[1] if judge(args[0], slots, names) else args[2], slots, names)
    if op in ("exists", "every"):
        stop, unknown = op == "exists", False
        for element in evaluate(args[1], slots, names):
            try:
                if judge(args[2], slots, {**names, args[0]: element}) == stop:
                    return stop
            except Unknown:
                unknown = True
        if unknown:
            raise Unknown
        return not stop
    if op in ("word", "formula") and expr.type.kind == "truth":
        function, inputs = args[0], tuple(evaluate(a, slots, names) for a in args[1])
        if None in inputs:
            return False
        body = function.body if op == "word" else function.values[inputs[: function.keys]]
        return judge(body, slots, dict(zip(function.variables, inputs)))
    return bool(evaluate(expr, slots, names))


class _Origins:
    """Follows a value back to the question it answers: through names, returns and arguments of rules."""

    def __init__(self, game):
        self.rules = game.program.rules
        self.binds: dict[Var, tuple[Step, Any]] = {}  # variable -> the step that binds it, and its rule
        self.calls: list[tuple[Any, Step]] = []
        self.returns: dict[str, list[Expr]] = {}
        for rule in self.rules.values():
            for step in _walk(rule.steps):
                for var in step.vars.values():
                    self.binds[var] = (step, rule)
                for alternative in step.alternatives:
                    for part in alternative.parts:
                        self.binds[part.var] = (step, rule)
                if step.verb == "call":
                    self.calls.append((rule, step))
                if step.verb == "return":
                    self.returns.setdefault(rule.shape, []).append(step.at["return"])

    def of(self, step: Step) -> list:
        rule = next(r for r in self.rules.values() if step in list(_walk(r.steps)))
        return self.trace(step.at["show"], rule, 0)

    def trace(self, expr: Expr, rule, depth: int) -> list:
        """(ask, alternative, part, its rule's parameters in terms of this rule's variables)"""
        if expr.op != "var" or depth > 6:
            return []
        var = expr.args[0].origin
        if var in rule.params:
            return self.from_callers(var, rule, depth)
        if var not in self.binds:
            return []
        step, home = self.binds[var]
        if step.verb == "ask":
            for alternative, part in [(None, p) for p in step.parts] + [(a, p) for a in step.alternatives for p in a.parts]:
                if part.var is var:
                    return [(step, alternative, part, {p: Expr("var", (p,), p.type) for p in home.params})]
            return []
        if step.verb == "show":
            return self.trace(step.at["show"], rule, depth + 1)
        if step.verb == "let":
            return self.trace(step.at[var.name], rule, depth + 1)
        if step.verb == "call":
            args = dict(zip(step.callee.params, step.at["args"].args))
            found = []
            for back in self.returns.get(step.callee.shape, ()):
                for ask, alternative, part, terms in self.trace(back, step.callee, depth + 1):
                    found.append((ask, alternative, part, {v: _put(e, args) for v, e in terms.items()}))
            return found
        return []

    def from_callers(self, var: Var, rule, depth: int) -> list:
        found = []
        for caller, step in self.calls:
            if step.callee is not rule:
                continue
            args = dict(zip(rule.params, step.at["args"].args))
            here = {a.args[0].origin: Expr("var", (p,), p.type) for p, a in args.items() if a.op == "var"}
            for ask, alternative, part, terms in self.trace(args[var], caller, depth + 1):
                found.append((ask, alternative, part, {v: _put(e, here) for v, e in terms.items()}))
        return found


def _put(expr: Expr, terms: dict[Var, Expr]) -> Expr:
    if expr.op == "var":
        return terms.get(expr.args[0].origin, expr)
    return expr


def _walk(steps: list[Step]):
    for step in steps:
        yield step
        for body in step.bodies.values():
            yield from _walk(body)
        for alternative in step.alternatives:
            yield from _walk(alternative.then)
