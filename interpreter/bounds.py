"""How much an expression may cost, known before anybody plays: all domains are finite, so it can be counted.

The *size* of an expression is that of the text with all words written out; its *cases* are the most elements that may
have to be looked at to value it. Both grow by multiplication, from a few short lines, so both have a limit.
"""

from __future__ import annotations

from .errors import Place, RulesError, problem
from .model import Expr, Function
from .operations import MAX_RANGE, OPERATIONS

MAX_SIZE = 20_000
MAX_CASES = 2_000_000


def elements_of(source: Expr) -> int:
    """How many elements a set or list may have, as far as it is known before the game."""
    if source.op == "const" and source.args[0] is not None:
        return len(source.args[0])
    if source.op == "range" and all(end.op == "const" for end in source.args):
        return max(0, int(source.args[1].args[0]) - int(source.args[0].args[0]) + 1)
    of = source.type.of
    return 1 if of is None else MAX_RANGE if of.kind == "number" and source.type.kind == "set" else len(of.atoms)


class Bounds:
    def __init__(self) -> None:
        self._known: dict[int, tuple[int, int]] = {}
        self._open: set[int] = set()
        self._loops: dict[int, tuple[Expr, tuple[int, int]]] = {}  # with the expression, so that its id stays its own

    def check(self, expr: Expr, place: Place, length: int = 1) -> None:
        size, cases = self.of(expr)
        if size > MAX_SIZE:
            raise RulesError(problem("expression_too_large", place, length, limit=MAX_SIZE))
        if cases > MAX_CASES:
            raise RulesError(problem("too_many_cases", place, length, limit=MAX_CASES))

    def of(self, expr: Expr) -> tuple[int, int]:
        """Size and cases, both cut off a little beyond their limits."""
        size = cases = 1
        cost = OPERATIONS[expr.op].cost
        if cost == "each":
            return self.loop(expr)
        if cost == "body":
            size, cases = self.function(expr.args[0])
        for kid in expr.kids():
            more = self.of(kid)
            size, cases = size + more[0], cases + more[1]
        return min(size, 2 * MAX_SIZE), min(cases, 2 * MAX_CASES)

    def loop(self, expr: Expr) -> tuple[int, int]:
        known = self._loops.get(id(expr))
        if known is not None:
            return known[1]
        _, source, body = expr.args
        size, cases = self.of(source)
        inner_size, inner_cases = self.of(body)
        elements = elements_of(source)
        found = min(size + inner_size, 2 * MAX_SIZE), min(cases + max(1, elements) * inner_cases, 2 * MAX_CASES)
        self._loops[id(expr)] = expr, found
        return found

    def function(self, function: Function) -> tuple[int, int]:
        if id(function) in self._known:
            return self._known[id(function)]
        if id(function) in self._open:
            raise RulesError(problem("word_in_circle", function.place, name=function.shape.replace("_", "…")))
        self._open.add(id(function))
        try:
            bodies = [function.body] if function.kind == "word" else list(function.values.values())
            found = [self.of(body) for body in bodies if isinstance(body, Expr)] or [(1, 1)]
        finally:
            self._open.discard(id(function))
        self._known[id(function)] = sum(s for s, _ in found), max(c for _, c in found)
        return self._known[id(function)]
