"""Can it be a mistake to value a plain expression? Only what cannot may be left out where its value is not needed: a
mistake is reported when it happens, whatever is known before the game."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from .model import Expr
from .operations import OPERATIONS

if TYPE_CHECKING:
    from .plain import Body

__all__ = ["Risks"]

LENIENT = {"eq", "not", "and", "or", "cond", "gather"}  # they take nothing as they take everything else
DARING = {"range", "add", "sub", "mul", "total", "amount"}  # what comes of them may be too large
LOOPS = {name for name, operation in OPERATIONS.items() if operation.cost == "each"}
ONLY_PLAIN = {"look", "call", "cases", "slot", "cell", "with", "if_there"}
KNOWN = (ONLY_PLAIN | OPERATIONS.keys()) - DARING
MISTAKEN, NOTHING, THERE = range(3)  # the worst that can come of it


class Risks:
    def __init__(self) -> None:
        self._bodies: dict[int, tuple[Body, int]] = {}  # with the body, so that its id stays its own

    def can_be_mistaken(self, expr: Expr) -> bool:
        return self._worst(expr) == MISTAKEN

    def _worst(self, expr: Expr) -> int:
        if expr.op not in KNOWN:
            return MISTAKEN
        if expr.op == "const":
            return NOTHING if expr.args[0] is None else THERE
        kids = [self._worst(kid) for kid in expr.kids()]
        needed, inner = self._parts(expr, kids)
        if MISTAKEN in kids or needed < THERE or inner == MISTAKEN:
            return MISTAKEN
        return NOTHING if expr.type.maybe else inner

    def _parts(self, expr: Expr, kids: list[int]) -> tuple[int, int]:
        """Of what must not be nothing, and of what is its value: the worst."""
        if expr.op in LOOPS:
            return kids[0], THERE
        if expr.op == "cond":
            return THERE, min(kids[1:])
        if expr.op in LENIENT:
            return THERE, THERE
        if expr.op == "if_there":
            return THERE, kids[0]
        if expr.op == "with":
            return min(kids[1:], default=THERE), kids[0]
        return min(kids, default=THERE), self._found(expr)

    def _found(self, expr: Expr) -> int:
        """The worst of what a function gives."""
        if expr.op == "cell":
            return NOTHING if expr.args[0].start is None else THERE
        if expr.op == "look":
            values, params, _ = expr.args
            full = len(values) >= prod(len(p.atoms) for p in params) and None not in values.values()
            return THERE if full else NOTHING
        if expr.op == "call":
            return self._body(expr.args[0])
        if expr.op == "cases":
            found = [self._body(body) for body in expr.args[0].bodies.values()]
            return min(found, default=THERE) if expr.args[0].complete else min(NOTHING, *found)
        return THERE

    def _body(self, body: Body) -> int:
        if id(body) not in self._bodies:
            self._bodies[id(body)] = body, self._worst(body.expr)
        return self._bodies[id(body)][1]
