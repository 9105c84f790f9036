"""What expressions are made of, their words included: found once, for all observers."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import NamedTuple

from .model import Expr, Function, Value, Var

__all__ = ["Info", "Looks", "has_gaps"]

ORDERED = frozenset({"first", "last"})  # what they give hangs on the order of a set


class Info(NamedTuple):
    """What an expression is made of, the words in it included."""

    vars: tuple[Var, ...]  # that are free in it
    states: frozenset[Function]
    fixed: bool  # does it depend on nothing but its variables?
    tables: frozenset[Function]
    constants: frozenset[Value]
    ordered: frozenset[int]  # things at whose order it looks
    gaps: bool  # is there a table in it with nothing in some of its cells?


class Looks:
    """What expressions are made of: the same for all observers."""

    def __init__(self) -> None:
        self.infos: dict[int, Info] = {}
        self._replaced: dict[tuple[object, ...], Expr] = {}
        self.kept: list[Expr] = []  # all of these: their ids must stay theirs

    def info(self, expr: Expr) -> Info:
        found = self.infos.get(id(expr))
        if found is None:
            found = self.infos[id(expr)] = self._look(expr)
            self.kept.append(expr)
        return found

    def _look(self, expr: Expr) -> Info:
        op, args = expr.op, expr.args
        parts = [self.info(kid) for kid in expr.kids()]
        bodies: list[Info] = []
        tables: set[Function] = set()
        states: set[Function] = set()
        if op in ("word", "formula"):
            function = args[0]
            found = [function.body] if op == "word" else function.values.values()
            bodies = [self.info(body) for body in found if body is not None]
            fixed = op == "word" and function.body is not None and all(b.fixed for b in bodies)
        else:
            fixed = op not in ("state", "matched")
            (states if op == "state" else tables if op == "table" else set()).add(args[0])
        bound = {a for a in args if isinstance(a, Var)} if op not in ("var", "matched") else set()
        free = dict.fromkeys(v for part in parts for v in part.vars if v not in bound)
        if op in ("var", "matched"):
            free[args[0].origin] = None
        for part in (*parts, *bodies):
            tables |= part.tables
            states |= part.states
        constants = {args[0]} if op == "const" and not isinstance(args[0], bool) else set()  # yes is no atom 1
        return Info(
            tuple(free),
            frozenset(states),
            fixed and all(part.fixed for part in parts),
            frozenset(tables),
            frozenset(constants.union(*(part.constants for part in (*parts, *bodies)))),
            frozenset[int]().union(
                expr.type.atoms if op in ORDERED else (), *(part.ordered for part in (*parts, *bodies))
            ),
            op == "table" and has_gaps(args[0]) or op == "formula" or any(part.gaps for part in (*parts, *bodies)),
        )

    def replaced(self, expr: Expr, variables: list[Var], inputs: Iterable[Expr]) -> Expr:
        """An expression with others in the place of its variables."""
        inputs = tuple(inputs)
        key = (id(expr), tuple(map(id, variables)), tuple(map(id, inputs)))
        if key not in self._replaced:
            self.kept += [expr, *inputs]
            self._replaced[key] = _replaced(expr, dict(zip(variables, inputs)))
        return self._replaced[key]


def has_gaps(table: Function) -> bool:
    """Is there nothing in some of its cells?"""
    if table.result.many or table.result.kind == "truth":
        return False
    cells = prod(len(param.type.atoms) for param in table.params)
    return len(table.values) < cells or None in table.values.values()


def _replaced(expr: Expr, names: dict[Var, Expr]) -> Expr:
    if expr.op == "var" and expr.args[0].origin in names:
        return names[expr.args[0].origin]

    def put(arg: object) -> object:
        if isinstance(arg, Expr):
            return _replaced(arg, names)
        return tuple(put(a) for a in arg) if isinstance(arg, tuple) and expr.op != "const" else arg

    return Expr(expr.op, tuple(put(a) for a in expr.args), expr.type)
