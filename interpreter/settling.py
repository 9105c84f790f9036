"""A flat program -> the same with plain expressions (plain.py), without what is settled before anybody plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from . import flat as do
from .flat import Flat, Question, Row, Way
from .model import Expr, Part, Var
from .plain import Plainer, Style

__all__ = ["settled"]


def settled(flat: Flat, seats: Sequence[int], style: Style) -> Flat:
    settling = _Settling(style, seats)
    return replace(
        flat,
        questions={number: settling.question(question) for number, question in flat.questions.items()},
        choices={number: settling.row(row) for number, row in flat.choices.items()},
        blocks=[[] if number in flat.gone else settling.row(row) for number, row in enumerate(flat.blocks)],
    )


class _Settling(Plainer):
    def __init__(self, style: Style, seats: Sequence[int]):
        super().__init__(style, seats)
        self.names: dict[Var, Expr] = {}  # those that stand for constants

    def value(self, expr: Expr) -> Expr:
        return self.of(expr, self.names)

    # --- operations ---------------------------------------------------------------------------------------------------
    def row(self, row: Row) -> Row:
        found: Row = []
        for operation, step in row:
            match operation:
                case do.Let(var, value):
                    known = self.value(value)
                    if known.op == "const":
                        self.names[var] = known
                        continue
                    operation = do.Let(var, known)
                case do.Put(slot, value):
                    operation = do.Put(slot, self.value(value))
                case do.PutCell(function, args, value):
                    operation = do.PutCell(function, [self.value(a) for a in args], self.value(value))
                case do.Need(value):
                    known = self.needed(self.value(value))
                    if known.op != "needed":
                        continue
                    operation = do.Need(known)
                case do.If(test, yes, no):
                    test = self.value(test)
                    if test.op == "const":
                        found += self.row(yes if test.args[0] else no)
                        continue
                    operation = do.If(test, self.row(yes), self.row(no))
                case do.Took(atom, body):
                    operation = do.Took(atom, self.row(body))
                case do.Each(var, source, body):
                    operation = do.Each(var, self.value(source), self.row(body))
                case do.EachPair(variables, (one, two), body):
                    operation = do.EachPair(variables, (self.value(one), self.value(two)), self.row(body))
                case do.Tell(event, mask, values, held):
                    mask = self.value(mask)
                    if mask.op == "const" and not mask.args[0]:
                        continue
                    operation = do.Tell(event, mask, [self.value(x) for x in values], held)
                case do.Finish(won, scores):
                    counted = None if scores is None else [self.value(x) for x in scores]
                    operation = do.Finish(self.value(won), counted)
            found.append((operation, step))
        return found

    # --- questions ----------------------------------------------------------------------------------------------------
    def question(self, question: Question) -> Question:
        return Question(self.value(question.actor), [self.way(way) for way in question.ways], question.step)

    def way(self, way: Way) -> Way:
        names: dict[Var, Expr] = {}
        given = None if way.given is None else self.of(way.given, names)
        parts = []
        for part in way.parts:
            parts.append(self.part(part, names))
            names = {**names, part.var: Expr("var", (part.var,), part.var.type)}
        return Way(parts, given, [self.of(test, names) for test in way.where], way.alternative)

    def part(self, part: Part, names: dict[Var, Expr]) -> Part:
        def plain(expr: Expr | None) -> Expr | None:
            return None if expr is None else self.of(expr, names)

        source = part.source
        if part.shape == "one" and source.op == "filter":  # it is tested element by element
            var, group, test = source.args
            source = Expr("filter", (var, self.of(group, names), self.of(test, names)), source.type)
        elif part.shape != "match":  # of which no more than the number matters
            source = self.of(source, names)
        which = [(var, self.of(test, names), self.of(amount, names)) for var, test, amount in part.which]
        return replace(part, source=source, amount=plain(part.amount), onto=plain(part.onto), which=which)
