"""What a typed expression is worth, and whether it can change: see operations.py for the meaning of each operation."""

from __future__ import annotations

from .model import Expr, Var
from .operations import OPERATIONS, evaluate

__all__ = ["evaluate", "is_fixed"]


def is_fixed(expr: Expr, bound: frozenset[Var] = frozenset()) -> bool:
    """Does it depend on nothing but these variables?"""
    if expr.op == "var":
        return expr.args[0].origin in bound
    if not OPERATIONS[expr.op].fixed:
        return False
    if expr.op == "word":
        word = expr.args[0]
        if word.body is None or not is_fixed(word.body, frozenset(word.variables)):
            return False
    bound |= {a for a in expr.args if isinstance(a, Var)}
    return all(is_fixed(kid, bound) for kid in expr.kids())
