"""Walks over typed expressions, for readers that do not care what an operation means: only where it binds a name, where
it names one, and where it is defined elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .model import Expr, Step, Var
from .operations import OPERATIONS

__all__ = ["definitions", "expression_at", "free_variables", "walk_expressions"]

BINDING = frozenset(name for name, operation in OPERATIONS.items() if operation.cost == "each")  # (name, domain, body)
NAMING = frozenset({"var", "matched"})  # the name comes first
DEFINED = frozenset({"word", "formula"})  # what it means stands where its function was defined
PLAIN = frozenset(
    """const state table cond and or not eq less member within only count first last reversed rotated after gather
    join append extend heap without remove add sub mul div rem range total largest smallest amount""".split()
)


def free_variables(expr: Expr, bound: frozenset[Var] = frozenset()) -> list[Var]:
    """The names in an expression that nothing in it binds, each once, in the order in which they come."""
    return list(dict.fromkeys(_free(expr, bound)))


def _free(expr: Expr, bound: frozenset[Var]) -> Iterator[Var]:
    if expr.op in BINDING:
        var, domain, body = expr.args
        yield from _free(domain, bound)
        yield from _free(body, bound | {var.origin})
        return
    if expr.op in NAMING and expr.args[0].origin not in bound:
        yield expr.args[0].origin
    for kid in expr.kids():
        yield from _free(kid, bound)


def definitions(expr: Expr) -> list[Expr]:
    """What the word or the table of conditions that this expression uses is defined by."""
    if expr.op not in DEFINED:
        return []
    function = expr.args[0]
    return [body for body in (function.body, *function.values.values()) if isinstance(body, Expr)]


def walk_expressions(exprs: Iterable[Expr], defined: bool = False) -> Iterator[Expr]:
    """These expressions and all inside them, outermost first; `defined`: also what words and tables of conditions in
    them are defined by, each once."""
    stack, seen = list(exprs)[::-1], set()
    while stack:
        expr = stack.pop()
        yield expr
        inside = list(expr.kids())
        if defined and expr.op in DEFINED and id(expr.args[0]) not in seen:
            seen.add(id(expr.args[0]))
            inside += definitions(expr)
        stack += inside[::-1]


def expression_at(step: Step, key: str) -> Expr:
    """What a step says under a key that it must have."""
    found = step.at[key]
    assert found is not None, (step.name, key)
    return found
