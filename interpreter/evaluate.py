"""What a typed expression is worth, and whether it can change: see operations.py for the meaning of each operation."""

from __future__ import annotations

from .model import Expr, Value, Var
from .operations import OPERATIONS, evaluate

__all__ = ["MISTAKES", "evaluate", "is_fixed", "settled_value"]

MISTAKES = (TypeError, IndexError, KeyError, OverflowError)  # what comes of an expression that is used where nothing is


def settled_value(expr: Expr) -> tuple[Value] | None:
    """What it is worth whatever happens; None if that depends on something, or if something in it is nothing that ought
    not to be: playing will tell."""
    if not is_fixed(expr):
        return None
    try:
        return (evaluate(expr, (), {}),)
    except MISTAKES:
        return None


def is_fixed(expr: Expr, bound: frozenset[Var] = frozenset()) -> bool:
    """Does it depend on nothing but these variables?"""
    if expr.op == "var":
        return expr.args[0].origin in bound
    operation = OPERATIONS.get(expr.op)
    if operation is None or not operation.fixed:  # None: what only a program has
        return False
    if expr.op == "word":
        word = expr.args[0]
        if word.body is None or not is_fixed(word.body, frozenset(word.variables)):
            return False
    bound |= {a for a in expr.args if isinstance(a, Var)}
    return all(is_fixed(kid, bound) for kid in expr.kids())
