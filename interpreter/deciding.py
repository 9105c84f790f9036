"""Steps at which somebody, or chance, decides -> a flat program: where it rests, what may be chosen, what follows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations

from . import flat as do
from .blocks import FAILS, FITS, Node, draws_numbers
from .doomed import doomed
from .flat import Operation, Question, Way
from .flatwriting import (
    NONE,
    ONE,
    PLANNER,
    TRIED,
    ZERO,
    FlatWriter,
    count_of,
    known,
    not_,
    number_of,
    plus_one,
    slot_of,
    truth,
    var_of,
)
from .model import NOTHING as NO_THING
from .model import (
    NUMBER,
    TRUTH,
    Expr,
    Function,
    Part,
    Step,
    Var,
    const,
    list_of,
    set_of,
)
from .slots import HEADER

__all__ = ["Deciding"]


class Deciding(FlatWriter):
    # --- what rests, and goes on with a choice ------------------------------------------------------------------------
    @contextmanager
    def choosing(self, node: Node) -> Iterator[None]:
        """What is added here follows from a choice at this node."""
        with self.inside() as self.choices[node.number]:
            yield

    def stay(self, test: Expr, news: dict[Var, Expr]) -> None:
        """Under this condition the same node decides once more."""
        self.when(test, *(do.Put(HEADER + var.slot, value) for var, value in news.items()), do.Stay())

    def without(self, step: Step, none: int, after: int) -> None:
        """The block for a step that finds nothing to draw or to offer."""
        self.open(none)
        self.clear(*step.vars.values())
        self.sequence(step.bodies["if none"])
        self.add(do.Jump(after))

    def chance(self, step: Step, pool: Expr) -> tuple[Node, Expr]:
        """Rest until chance has spoken; what it has said."""
        left, done = step.at["hand"].args
        node = self.node("chance", step, (left, done, *(step.at["dealing"].args if "dealing" in step.at else ())))
        node.pool = HEADER + left.slot
        self.add(do.Rest(node.number))
        return node, Expr("drawn", (draws_numbers(pool),), pool.type.of or NO_THING)

    def pool(self, left: Var, pool: Expr) -> None:
        """What chance may draw from."""
        if draws_numbers(pool):
            self.counted.add(HEADER + left.slot)
            pool = Expr("counted", (pool,), pool.type)
        self.put(left, pool)

    # --- chance -------------------------------------------------------------------------------------------------------
    def _draw(self, step: Step) -> None:
        left, taken = step.at["hand"].args
        source, number = step.at["from"], step.at["draw"]
        single = number.op == "const" and number.args[0] == 1  # as its type says
        after = self.label()
        pool = self.named(source)
        if "if none" in step.bodies:
            none = self.label()
            self.when(truth("less", count_of(pool), number), do.Jump(none))
        if not single:
            settled = known(number)
            if settled is None or not isinstance(settled[0], int) or settled[0] < 1:
                nothing: list[Operation] = [do.Put(HEADER + var.slot, NONE) for var in step.vars.values()]
                self.when(truth("less", number, ONE), *nothing, do.Jump(after))
            self.types[HEADER + taken.slot] = list_of(source.type.of or NO_THING)
            self.put(taken, NONE)
        self.pool(left, pool)
        node, chosen = self.chance(step, source)
        with self.choosing(node):
            drawn = one = self.named(chosen)
            if not single:
                row = list_of(chosen.type)
                so_far = self.named(Expr("append", (slot_of(HEADER + taken.slot, row), one), row))
                rest = Expr("lacking", (var_of(left), one), left.type)
                self.stay(truth("less", count_of(so_far), number), {taken: so_far, left: rest})
                drawn = self.named(Expr("ordered", (so_far,), row))
            self.clear(left, taken)
            for var in step.vars.values():
                self.put(var, drawn)
            less = self.take_out(step, "lacking" if single else "remove", drawn)
            self.tell("draw", step, self.mask(step.audience))
            if less is not None:
                self.tell_state(step, *less)
            self.add(do.Jump(after))
        if "if none" in step.bodies:
            self.without(step, none, after)
        self.open(after)

    def _deal(self, step: Step) -> None:
        left, done = step.at["hand"].args
        function, each, receivers = step.targets[0][0], step.at["each"], step.at["to"]
        after, hidden = self.label(), [left, done]
        self.pool(left, step.at["deal"])
        self.put(done, ZERO)
        if "dealing" in step.at:
            row, number = step.at["dealing"].args
            hidden += [row, number]
            receivers, each = self.named(receivers), self.named(each)
            self.put(row, receivers)
            self.put(number, each)
            receivers, each = var_of(row), var_of(number)
        for nothing in (not_(truth("some", var_of(left))), not_(truth("some", receivers)), truth("less", each, ONE)):
            if known(nothing) != (False,):
                self.when(nothing, do.Jump(after))
        node, chosen = self.chance(step, step.at["deal"])
        with self.choosing(node):
            one = self.named(chosen)
            index, those = self.named(var_of(done)), self.named(receivers)
            by_one = each.op == "const" and each.args[0] == 1
            place = index if by_one else number_of("div", index, each)
            receiver = self.named(Expr("nth", (those, place), receivers.type.of or NO_THING))
            value = one
            if function.result.many:
                before, joined = self.cell(function, [receiver]), function.result.kind == "set"
                card = Expr("alone", (one,), set_of(one.type) if joined else list_of(one.type))
                value = self.named(Expr("join" if joined else "heap", (before, card), function.result))
            self.assign(step, function, [receiver], value)
            less = self.take_out(step, "lacking", one)
            if less is not None:
                self.tell_state(step, *less)
            following = self.named(plus_one(index))
            rest = self.named(Expr("lacking", (var_of(left), one), left.type))
            whole = count_of(those) if by_one else number_of("mul", count_of(those), each)
            more = truth("and", truth("some", rest), truth("less", following, whole))
            self.stay(more, {left: rest, done: following})
            self.clear(*hidden)
            self.add(do.Jump(after))
        self.open(after)

    def take_out(self, step: Step, how: str, drawn: Expr) -> tuple[Function, list[Expr], Expr] | None:
        """From a pile, what is drawn is gone: what is told of that when the drawing itself has been told."""
        if step.pile is None:
            return None
        function, args = step.pile[0], [self.named(a) for a in step.pile[1]]
        rest = self.named(Expr(how, (self.cell(function, args), drawn), function.result))
        self.add(do.PutCell(function, args, rest))
        return function, args, rest

    def _shuffle(self, step: Step) -> None:
        left, done = step.at["hand"].args
        function, args, deck = step.targets[0]
        after = self.label()
        self.put(left, Expr("ordered", (deck,), deck.type))
        self.put(done, NONE)
        self.when(truth("less", count_of(var_of(left)), const(2, NUMBER)), do.Jump(after))
        node, chosen = self.chance(step, deck)
        with self.choosing(node):
            one = self.named(chosen)
            so_far = self.named(Expr("append", (var_of(done), one), deck.type))
            rest = self.named(Expr("lacking", (var_of(left), one), deck.type))
            self.stay(truth("less", ONE, count_of(rest)), {left: rest, done: so_far})
            self.clear(left, done)
            places = [self.named(a) for a in args]
            self.assign(step, function, places, self.named(Expr("extend", (so_far, rest), deck.type)))
            self.add(do.Jump(after))
        self.open(after)

    # --- decisions ----------------------------------------------------------------------------------------------------
    def _ask(self, step: Step) -> None:
        if "at once" in step.at:
            self._ask_at_once(step)
            return
        after, node = self.label(), self.node("ask", step)
        ways = _ways(step)
        self.questions[node.number] = Question(step.at["ask"], ways, step)
        if "if none" in step.bodies:
            none = self.label()
            self.when(not_(truth("offered", node.number)), do.Jump(none))
        if self.doomed is not None:
            self.when(truth("and", slot_of(TRIED, TRUTH), self.doomed), do.Rest(FAILS))
        self.add(do.Need(step.at["ask"]))
        self.add(do.Rest(node.number))
        labels = []
        with self.choosing(node):
            for way in ways:
                label = self.label() if way.alternative is not None and way.alternative.then else after
                labels.append(label)
                if way.alternative is None:
                    self.take(step, way)
                    self.add(do.Jump(label))
                    continue
                with self.inside() as body:
                    self.take(step, way)
                    self.add(do.Jump(label))
                self.add(do.Took(way.alternative.atom, body))
        for way, label in zip(ways, labels):
            if way.alternative is not None and label != after:
                self.open(label)
                self.sequence(way.alternative.then)
                self.add(do.Jump(after))
        if "if none" in step.bodies:
            self.without(step, none, after)
        self.open(after)

    def _ask_at_once(self, step: Step) -> None:
        """One after the other, as far as the program goes; but nothing happens before the last one has answered."""
        hidden = step.at["sealed"].args
        row, answers, seat = hidden
        part, after, group = step.parts[0], self.label(), step.at["at once"]
        self.put(row, Expr("in_turn", (group,), row.type))
        self.when(not_(truth("some", var_of(row))), do.Jump(after))
        self.put(answers, NONE)
        self.put(seat, Expr("nth", (var_of(row), ZERO), seat.type))
        node = self.node("ask", step, hidden)
        self.questions[node.number] = Question(var_of(seat), _ways(step), step)
        self.add(do.Rest(node.number))
        with self.choosing(node):
            chosen = self.named(Expr("chosen", (0, part.counts), part.var.type))
            self.put(part.var, chosen)
            event = self.tell("ask", step, self.seat(var_of(seat)))
            event.planned = True  # the others are told later
            given = self.named(Expr("append", (var_of(answers), chosen), answers.type))
            those = self.named(var_of(row))
            following = Expr("nth", (those, count_of(given)), seat.type)
            self.stay(truth("less", count_of(given), count_of(those)), {answers: given, seat: following})
            function, one, answer = step.targets[0][0], Var("", seat.type), Var("", part.var.type)
            with self.inside() as first:
                self.add(do.PutCell(function, [var_of(one)], var_of(answer)))
            self.add(do.EachPair((one, answer), (those, given), first))
            with self.inside() as second:
                self.put(seat, var_of(one))
                self.put(part.var, var_of(answer))
                view = self.mask(function.view, function, [var_of(one)])
                if step.text and not (view.op == "const" and not view.args[0]):
                    self.log(event, self.masks("but", view, self.seat(var_of(one))), self.told(step, step.tells))
                self.tell_state(step, function, [var_of(one)], var_of(answer))
            self.add(do.EachPair((one, answer), (those, given), second))
            self.clear(row, answers, seat, part.var)
            self.add(do.Jump(after))
        self.open(after)

    def take(self, step: Step, way: Way) -> None:
        first = 0
        if way.alternative is not None:
            first = 1
            label = next((v for v in step.vars.values() if v not in [p.var for p in step.parts]), None)
            if label is not None:
                self.put(label, Expr("chosen", (0, False), label.type))
        for index, part in enumerate(way.parts, first):
            self.put(part.var, Expr("chosen", (index, part.counts), part.var.type))
        own, mask = self.seat(step.at["ask"]), self.mask(step.audience)
        if any(part.audience is not None for part in way.parts):
            mask = self.parted(step, way, own, mask)
        mask = self.masks("either", mask, own)
        if way.alternative is None:
            self.tell("ask", step, mask)
        else:
            other = way.alternative
            self.tell("ask", step, mask, other.text or step.text, other.tells, alternative=other.name)

    def parted(self, step: Step, way: Way, own: Expr, rest: Expr) -> Expr:
        """Tell those who see only some parts of a choice just these; returns who of the others sees all of it."""
        plain = [part for part in way.parts if part.audience is None]
        groups = [(rest, plain)] if plain else []
        groups += [(self.mask(part.audience), [part]) for part in way.parts if part.audience is not None]
        masks = [self.named(mask) for mask, _ in groups]
        everyone = const(self.everyone, NUMBER)
        for size in range(len(groups) - 1, 0, -1):
            for some in combinations(range(len(groups)), size):
                seen = everyone
                for i, mask in enumerate(masks):
                    seen = self.masks("both" if i in some else "but", seen, mask)
                seen = self.masks("but", seen, own)
                self.tell_parts(step, way, [p for i in some for p in groups[i][1]], seen)
        every = everyone
        for mask in masks:
            every = self.masks("both", every, mask)
        return every

    def tell_parts(self, step: Step, way: Way, parts: list[Part], mask: Expr) -> None:
        tells = {"who": step.at["ask"]}
        for part in way.parts:
            if part in parts:
                tells[part.var.name] = var_of(part.var)
        saying = next((part for part in reversed(parts) if part.text), None)
        tells |= dict(saying.tells) if saying is not None else {}
        name = way.alternative.name if way.alternative is not None else ""
        words = saying.text if saying is not None else ""
        self.tell("ask", step, mask, words, list(tells.items()), alternative=name, partial=True)

    def _plan(self, step: Step) -> None:
        self.add(do.Put(PLANNER, self.seat(step.at["plan"])))
        outer, self.planned, self.doomed = self.planned, True, doomed(step)
        self.sequence(step.bodies["do"])
        self.planned, self.doomed, self.step = outer, None, step
        for _, test in step.must:
            self.when(not_(test), do.Rest(FAILS))
        self.when(slot_of(TRIED, TRUTH), do.Rest(FITS))
        self.add(do.Flush())


def _ways(step: Step) -> list[Way]:
    where = step.at.get("where")
    if not step.alternatives:
        return [Way(step.parts, None, [where] if where is not None else [], None)]
    return [
        Way([*step.parts, *a.parts], a.given, [w for w in (where, a.where) if w is not None], a)
        for a in step.alternatives
    ]
