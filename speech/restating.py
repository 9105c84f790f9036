"""Conditions in the words of the game: the figure is on a space, not: the figure's place is a space."""

from __future__ import annotations

from typing import Any

from ..interpreter.model import TRUTH, Expr, Var, const, fits, set_of
from .grammar import Grammar
from .rewriting import CALLS, joined_by, listed, var
from .simplifying import same_call

__all__ = ["restated"]


def restated(expr: Any, grammar: Grammar) -> Any:
    """What `opened` took apart, put together again: the figure is on a space, not: the figure's place is a space."""
    if isinstance(expr, tuple):
        return tuple(restated(x, grammar) for x in expr)
    if not isinstance(expr, Expr):
        return expr
    if expr.op == "not" and expr.args[0].op == "member" and listed(expr.args[0].args[1]):
        return expr
    if expr.op == "not" and expr.args[0].op == "eq" and (apart := _no_two(expr.args[0], grammar)) is not None:
        return apart
    expr = Expr(expr.op, restated(expr.args, grammar), expr.type)
    if expr.op == "member" and (items := listed(expr.args[1])):
        claims = [_in_a_word(expr.args[0], item, grammar) for item in items]
        return expr if None in claims else joined_by("or", claims)
    if expr.op == "member" and same_call(expr.args[0]) is not None:
        it = Var("x", expr.args[1].type.of or expr.args[0].type)
        claim = _in_a_word(expr.args[0], var(it), grammar)
        return expr if claim is None else Expr("exists", (it, expr.args[1], claim), TRUTH)
    if expr.op == "eq":
        one, other = expr.args
        return _in_a_word(one, other, grammar) or _in_a_word(other, one, grammar) or _has_none(expr, grammar) or expr
    return expr


def _in_a_word(one: Expr, other: Expr, grammar: Grammar) -> Expr | None:
    for function, sides in grammar.lexicon.sameness:
        inputs: list[Expr | None] = [None, None]
        for side, (shape, place) in zip((one, other), sides):
            call = same_call(side) if shape else None
            if not shape:
                inputs[place] = side
            elif call is not None and call[0] == shape and len(call[1]) == 1:
                inputs[place] = call[1][0]
        found = tuple(x for x in inputs if x is not None)
        if len(found) == 2 and all(fits(x.type, p.type) and not x.type.maybe for x, p in zip(found, function.params)):
            own = [x.op == "var" and x.args[0].origin is v.origin for x, v in zip(found, function.variables)]
            return None if all(own) else Expr("word", (function, found), TRUTH)  # it is no meaning of itself
    return None


def _no_two(same: Expr, grammar: Grammar) -> Expr | None:
    """Of the only two of a kind: no two guards are on the same spot."""
    one, other = same.args
    calls, words = [side for side in (one, other) if side.op in CALLS and len(side.args[1]) == 1], grammar.lexicon
    if len(calls) < 2 or one.args[0] is not other.args[0] or not words.functions[one.args[0].shape].share:
        return None
    (first,), (second,) = one.args[1], other.args[1]
    if first.op != "const" or second.op != "const" or first.type.kind != "thing":
        return None
    both = {first.args[0], second.args[0]}
    if len(both) < 2:
        return None  # of one and itself it would be said that there are no two, which is always true
    kind = next((s.type for s in words.words.sets.values() if set(s.atoms) == both), None)
    if kind is None:
        return None
    each = Var("x", kind)
    shared = Expr(one.op, (one.args[0], (var(each),)), one.type)
    return Expr("distinct", (each, const(tuple(sorted(both)), set_of(kind)), shared), TRUTH)


def _has_none(expr: Expr, grammar: Grammar) -> Expr | None:
    """The square is empty, not: the square has no mark."""
    call = same_call(expr.args[0]) if expr.args[1].args[:1] == (None,) else None
    function = grammar.lexicon.emptiness.get(call[0]) if call is not None and len(call[1]) == 1 else None
    if call is None or function is None:
        return None
    (one,) = call[1]
    if one.type.maybe or not fits(one.type, function.params[0].type):
        return None
    itself = one.op == "var" and one.args[0].origin is function.variables[0].origin
    return None if itself else Expr("word", (function, (one,)), TRUTH)
