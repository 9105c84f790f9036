"""Typed expressions -> abstract trees: how a thing is put. There are several ways, `STYLES`; the speaker tries them.

What is said is the condition after simplifications that keep its truth (`simple`): negations stand at the smallest
parts (so that *not every … not* is *any*, *not (A and B)* is *not A or not B*), the conditions of a set that is counted
or quantified may stand beside those of its elements, one `where` inside another is one with `and`, *at least one* is
*any*, *one of these together with those* is *one of these or one of those*, and what is joined by *and*, *or* or *is*
may stand in either order.
`canonical` is the form in which two expressions are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..interpreter.model import NUMBER, TRUTH, Expr, Var, const, fits, may_equal, set_of
from ..interpreter.vocabulary import Vocabulary
from .building import of_one_kind, uses
from .grammar import COMBINED, DENIED, ELEMENT, EXTREMES, ITEMS, NUMERAL, Grammar, Tree
from .lexicon import no_value, same_values

__all__ = ["STYLES", "Planner", "Style", "Unsayable", "canonical", "restated", "simple"]

CALLS = ("table", "state", "word", "formula")
MODIFIERS = {"rotated": "rotated", "after": "after", "reversed": "reversed", "without": "without", "remove": "without"}


class Unsayable(Exception):
    """There is no tree for this expression in this style."""


# --- the same in other words ------------------------------------------------------------------------------------------
def var(of: Var) -> Expr:
    return Expr("var", (of,), of.type)


def replaced(expr: Any, old: Var, new: Expr) -> Any:
    if isinstance(expr, Expr):
        if expr.op == "var" and expr.args[0].origin is old.origin:
            return new
        return Expr(expr.op, tuple(replaced(arg, old, new) for arg in expr.args), expr.type)
    return tuple(replaced(x, old, new) for x in expr) if isinstance(expr, tuple) else expr


def negated(expr: Expr) -> Expr:
    return expr.args[0] if expr.op == "not" else Expr("not", (expr,), TRUTH)


def simple(expr: Expr) -> Expr:
    """Negations moved to the smallest parts; one `where` instead of two."""
    if expr.op == "not":
        return _denied(expr.args[0])
    expr = opened(Expr(expr.op, tuple(_simple(arg) for arg in expr.args), expr.type))
    if expr.op in ("eq", "less"):
        expr = reckoned(expr)
    if expr.op in ("eq", "member") and (known := _of_other_kind(expr)) is not None:
        return known
    if expr.op in ("exists", "every", "member") and _is_empty(expr.args[1]):
        return const(expr.op == "every", TRUTH)
    if expr.op in ("member", "within") and _is_of_all(*expr.args):
        return const(True, TRUTH)
    if expr.op in ("first", "last") and expr.args[0].op == "reversed":
        return simple(Expr("last" if expr.op == "first" else "first", expr.args[0].args, expr.type))
    if expr.op in ("first", "last") and (known_ones := _row(expr.args[0])):
        return known_ones[0 if expr.op == "first" else -1]
    if expr.op in ("and", "or", "cond") and (known := _settled(expr)) is not None:
        return known
    if expr.type.kind == "truth" and (chosen := chosen_first(expr)) is not None:
        return simple(chosen)
    if (counted := _any_or_none(expr)) is not None:
        return simple(counted)
    if expr.op == "within" and (each := _each_is(expr)) is not None:
        return simple(each)
    if expr.op == "within" and expr.args[1].type.kind == "set" and len(alone := _single(expr.args[0])) == 1:
        return simple(Expr("member", (alone[0], expr.args[1]), TRUTH))
    if expr.op == "exists" and (one := _is_one(expr)) is not None:
        return simple(one)
    if expr.op == "member" and (apart := _of_one_or_other(expr) or _one_such(expr)) is not None:
        return simple(apart)
    if expr.op == "distinct" and expr.args[1].op == "const" and len(expr.args[1].args[0]) < 2:
        return const(True, TRUTH)
    if expr.op == "distinct" and (two := _two_differ(expr)) is not None:
        return simple(two)
    if expr.op == "every" and expr.args[2].op == "not":
        return _denied(Expr("exists", (*expr.args[:2], expr.args[2].args[0]), TRUTH))
    if expr.op == "filter" and expr.args[1].op == "filter":
        outer, (inner, source, test) = expr.args[0], expr.args[1].args
        both = simple(Expr("and", (test, replaced(expr.args[2], outer, var(inner))), TRUTH))
        return Expr("filter", (inner, source, both), expr.type)
    if expr.op == "count" and expr.args[0].op == "filter":
        return Expr("tally", expr.args[0].args, NUMBER)
    if expr.op == "gather" and len(expr.args[0]) == 1 and expr.args[0][0].op == "const":
        value = expr.args[0][0].args[0]
        return expr if value is None else Expr("const", ((value,),), expr.type)
    return expr


def _settled(expr: Expr) -> Expr | None:
    """What is left where an option has settled one part."""
    fixed = [arg.args[0] if arg.op == "const" and arg.type.kind == "truth" else None for arg in expr.args]
    if expr.op == "cond":
        test, one, other = expr.args
        if fixed[0] is not None:
            chosen: Expr = one if fixed[0] else other
            return chosen
        if fixed[1] is not None:  # if … then yes, else …: … or …
            return simple(Expr("or", (test, other), TRUTH) if fixed[1] else Expr("and", (_denied(test), other), TRUTH))
        if fixed[2] is not None:
            return simple(Expr("or", (_denied(test), one), TRUTH) if fixed[2] else Expr("and", (test, one), TRUTH))
        return None
    for side, other in ((0, 1), (1, 0)):
        if fixed[side] is not None:
            left: Expr = expr.args[other if fixed[side] == (expr.op == "and") else side]
            return left
    return None


def reckoned(expr: Expr) -> Expr:
    """What numbers that are known come to, where they are compared."""
    if expr.op not in (*SUMS, "less", "eq") or any(arg.type.kind != "number" for arg in expr.args):
        return expr
    expr = Expr(expr.op, tuple(map(reckoned, expr.args)), expr.type)
    one, other = (arg.args[0] if arg.op == "const" else None for arg in expr.args)
    if expr.op in ("add", "sub") and other == 0 and not expr.args[0].type.maybe:
        left: Expr = expr.args[0]
        return left
    if one is None or other is None:
        return expr
    if expr.op in SUMS:
        return const(SUMS[expr.op](one, other), NUMBER)
    return const(one < other if expr.op == "less" else one == other, TRUTH)


AMOUNTS = ("count", "tally", "total", "add", "sub", "mul", "div", "rem")  # numbers that are no value of a thing
SUMS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b if b else 0,
    "rem": lambda a, b: a % b if b else a,
}


def _of_other_kind(expr: Expr) -> Expr | None:
    """Two things that are known, or that can never be the same: what is left of a choice between kinds."""
    one, other = expr.args
    if expr.op == "eq" and one.type.kind == other.type.kind == "thing" and one.op == other.op == "const":
        return const(one.args[0] == other.args[0], TRUTH)
    if expr.op == "member" and one.type.kind == "thing" and one.op == other.op == "const" and one.args[0] is not None:
        return const(one.args[0] in other.args[0], TRUTH)
    wanted = other.type if expr.op == "eq" else other.type.of
    if wanted is None or one.type.kind != "thing" or wanted.kind != "thing" or (one.type.maybe and wanted.maybe):
        return None
    return None if may_equal(one.type, wanted) else const(False, TRUTH)


def _is_empty(group: Expr) -> bool:
    """Numbers from one to a lower one, or things without all of their kind: there are none."""
    if group.op in ("without", "remove"):
        return group.args[0].type.many and _is_of_all(*group.args)
    if group.op != "range" or any(end.op != "const" or end.args[0] is None for end in group.args):
        return False
    least, most = (end.args[0] for end in group.args)
    return bool(least > most)


def _row(group: Expr) -> list[Expr]:
    """Things that are known, in their order."""
    if group.op == "after" and group.args[1].op == "const":
        row = _row(group.args[0])
        at = next((i for i, one in enumerate(row, 1) if one.args[0] == group.args[1].args[0]), 0)
        return [*row[at:], *row[:at]] if at else []
    if group.op != "often":
        things = _single(group) if group.op == "const" else []
        return [const(x.args[0], replace(x.type, atoms=frozenset(x.args))) for x in things if x.type.kind == "thing"]
    times = group.args[2].args[0].values
    return [one for one in _row(group.args[1]) if (times.get((one.args[0],)) or 0) > 0]


def _is_of_all(one: Expr, group: Expr) -> bool:
    """Is it one of a kind (or are they), of which everything is in the group?"""
    kind = one.type.of if one.type.many else one.type
    if kind is None or kind.kind != "thing" or kind.maybe or not kind.atoms or group.op != "const":
        return False
    return group.type.kind == "set" and kind.atoms <= set(group.args[0])


def opened(expr: Expr) -> Expr:
    """A word that only says that two values are the same (`piece is on space`) or none, as what it means."""
    if expr.op != "word" or any(x.type.maybe for x in expr.args[1]):
        return expr
    if same_values(expr.args[0]) is None and no_value(expr.args[0]) is None:
        return expr
    body = expr.args[0].body
    return Expr("eq", tuple(_put(side, expr.args[0].variables, expr.args[1]) for side in body.args), TRUTH)


def _put(expr: Expr, variables: Iterable[Var], inputs: Iterable[Expr]) -> Expr:
    for of, value in zip(variables, inputs):
        if uses(expr, of):
            found: Expr = replaced(expr, of, value)
            return found
    return expr


def chosen_first(expr: Expr) -> Expr | None:
    """`(if A then x else y) is z` as `if A then x is z else y is z`: nobody says a choice inside a clause."""
    if expr.op not in ("eq", "less", "member", "within", "exists", "every", *CALLS):
        return None
    found = list(_choices(expr.args[1:2] if expr.op in ("exists", "every") else expr.args))
    if not 1 <= len(found) <= MAX_CHOICES:
        return None
    test, *branches = found[0].args
    return Expr("cond", (test, *(_instead(expr, found[0], branch) for branch in branches)), TRUTH)


MAX_SHARED = 3  # what is said of one thing in one breath
MAX_CHOICES = 2  # of more of them a sentence for each would be too long


def _choices(args: tuple[Any, ...]) -> Iterator[Expr]:
    """Choices between values that hang on nothing that is bound inside."""
    for arg in args:
        if isinstance(arg, tuple):
            yield from _choices(arg)
        elif isinstance(arg, Expr) and arg.type.kind != "truth" and not any(isinstance(x, Var) for x in arg.args):
            if arg.op == "cond" and same_call(arg) is None:
                yield arg
            yield from _choices(arg.args)


def _instead(expr: Any, old: Expr, new: Expr) -> Any:
    if expr is old:
        return new
    if isinstance(expr, Expr):
        return Expr(expr.op, tuple(_instead(arg, old, new) for arg in expr.args), expr.type)
    return tuple(_instead(x, old, new) for x in expr) if isinstance(expr, tuple) else expr


def _any_or_none(expr: Expr) -> Expr | None:
    """How many: none, or at least one."""
    if expr.op not in ("eq", "less"):
        return None
    one, other = expr.args
    if one.op == "const" and expr.op == "eq":
        one, other = other, one
    if one.op == "tally" and other.op == "const" and other.args[0] == (0 if expr.op == "eq" else 1):
        return Expr("not", (Expr("exists", one.args, TRUTH),), TRUTH)
    if other.op == "tally" and one.op == "const" and one.args[0] == 0 and expr.op == "less":
        return Expr("exists", other.args, TRUTH)
    return None


def _each_is(expr: Expr) -> Expr | None:
    """Among those that …: each of them …, where all of them could be."""
    part, whole = expr.args
    if whole.op != "filter" or whole.args[1].op != "const" or "set" not in (part.type.kind, whole.type.kind):
        return None
    of, (things,) = part.type.of, whole.args[1].args
    if of is None or of.kind != "thing" or not of.atoms or not of.atoms <= set(things):
        return None
    return Expr("every", (whole.args[0], part, whole.args[2]), TRUTH)


def _each_in(expr: Expr) -> Expr | None:
    """All of some things are among others: each of them is one of the others."""
    part, whole = expr.args
    if "set" not in (part.type.kind, whole.type.kind) or part.type.of is None or part.type.of.kind != "thing":
        return None
    it = Var("x", part.type.of)
    return Expr("every", (it, part, Expr("member", (var(it), whole), TRUTH)), TRUTH)


def _is_one(expr: Expr) -> Expr | None:
    """Any of them is this: this is one of them."""
    of, source, body = expr.args
    if body.op != "eq" or body.args[0].type.kind not in ("thing", "number"):
        return None
    for one, other in (body.args, body.args[::-1]):
        if one.op == "var" and one.args[0].origin is of.origin and not uses(other, of):
            return Expr("member", (other, source), TRUTH)
    return None


def _of_one_or_other(expr: Expr) -> Expr | None:
    """One of these together with those: one of these, or one of those; what is only named is a list already."""
    one, group = expr.args
    parts = _together(group)
    if len(parts) < 2 or all(len(items := _single(part)) == 1 and items[0].op == "const" for part in parts):
        return None
    return _joined_by("or", (_is_of(one, part) for part in parts))


def _together(group: Expr) -> list[Expr]:
    """What a group was put together from, where only what is in it matters."""
    if group.type.of is None:
        return [group]
    if group.op in ("join", "extend", "heap"):
        return [part for side in group.args for part in _together(side)]
    if group.op == "append":
        return [*_together(group.args[0]), Expr("gather", (group.args[1:],), set_of(group.type.of))]
    return [group]


def _is_of(one: Expr, group: Expr) -> Expr:
    alone = _single(group)
    if len(alone) == 1 and not alone[0].type.maybe and alone[0].args[:1] != (None,):
        return Expr("eq", (one, alone[0]), TRUTH)
    return Expr("member", (one, group), TRUTH)


def _one_such(expr: Expr) -> Expr | None:
    """One of those that …: one of them, and it …; where it is one of them anyway, only that it …"""
    one, group = expr.args
    if group.op != "filter" or one.op not in ("const", "var") or one.type.maybe:
        return None
    of, source, test = group.args
    if not fits(one.type, of.type):
        return None
    claim: Expr = replaced(test, of, one)
    if source.op == "const" and one.type.kind == "thing":
        things = {one.args[0]} if one.op == "const" else one.type.atoms
        if things and things <= set(source.args[0]):
            return claim
    return Expr("and", (Expr("member", (one, source), TRUTH), claim), TRUTH)


def _two_differ(expr: Expr) -> Expr | None:
    """No two of two that are named share something: it is not the same for the one as for the other."""
    of, source, value = expr.args
    items = listed(source)
    if len(items) != 2 or items[0].args == items[1].args or value.type.kind in ("truth", "amount"):
        return None
    return Expr("not", (Expr("eq", tuple(replaced(value, of, item) for item in items), TRUTH),), TRUTH)


def _simple(arg: Any) -> Any:
    if isinstance(arg, Expr):
        return simple(arg)
    return tuple(_simple(x) for x in arg) if isinstance(arg, tuple) else arg


def _denied(expr: Expr) -> Expr:
    op, args = expr.op, expr.args
    if op == "not":
        return simple(args[0])
    if op in ("and", "or"):
        return simple(Expr("or" if op == "and" else "and", tuple(_denied(arg) for arg in args), TRUTH))
    if op == "cond":
        return simple(Expr("cond", (args[0], _denied(args[1]), _denied(args[2])), TRUTH))
    if op in ("exists", "every"):
        inner = simple(args[2])
        if op == "every" and inner.op == "distinct":  # not every … no two: any … two
            return simple(Expr("exists", (args[0], args[1], _denied(inner)), TRUTH))
        if inner.op == "not":  # not every … not: any; no … not: every
            other = "every" if op == "exists" else "exists"
            return simple(Expr(other, (args[0], args[1], inner.args[0]), TRUTH))
    if op == "const":
        return const(not args[0], TRUTH)
    said = simple(expr)
    if said.op != op:  # what it means is denied
        return _denied(said)
    return Expr("not", (said,), TRUTH)


def canonical(expr: Any, names: dict[Var, int] | None = None) -> Any:
    """What two expressions share when they are the same after simplification."""
    return _canonical(simple(expr), {} if names is None else names)


FURTHER = ("highest", "lowest", "stride", "reach")  # these bind a name too


def _canonical(expr: Any, names: dict[Var, int]) -> Any:
    if isinstance(expr, Var):
        return ("var", names.get(expr.origin, expr.name))
    if isinstance(expr, tuple):
        return tuple(_canonical(x, names) for x in expr)
    if not isinstance(expr, Expr):
        return getattr(expr, "shape", expr)
    op, args = expr.op, expr.args
    if op == "const":
        value = args[0]
        return ("const", tuple(sorted(value)) if isinstance(value, tuple) and expr.type.kind != "list" else value)
    if op in ("exists", "every", "tally", "filter", "distinct", "often", "image", "images", *FURTHER):
        return _bound(expr, names)
    if op in ("and", "or"):
        parts = [_canonical(x, names) for x in flat(expr, op)]
        return (op, *sorted((y for x in parts for y in (x[1:] if x[0] == op else [x])), key=repr))
    if op == "within" and (each := _each_in(expr)) is not None:
        return _canonical(simple(each), names)
    if op == "member" and args[1].type.kind == "set" and (items := listed(args[1])):  # one of two: the one or the other
        return ("or", *sorted((_canonical(Expr("eq", (args[0], x), TRUTH), names) for x in items), key=repr))
    if op == "less" and args[0].op == "const" and args[0].args[0] is not None and args[1].op != "const":
        above = Expr("less", (args[1], const(args[0].args[0] + 1, NUMBER)), TRUTH)  # more than 2: not less than 3
        return _canonical(Expr("not", (above,), TRUTH), names)
    if op == "not":
        inner = _canonical(args[0], names)
        return inner[1] if inner[0] == "not" else ("not", inner)
    if op == "eq":
        return ("eq", *sorted((_canonical(x, names) for x in args), key=repr))
    if op == "join":
        return ("join", *sorted((_canonical(x, names) for x in _joined(expr)), key=repr))
    if op in CALLS:
        return ("call", args[0].shape, *(_canonical(arg, names) for arg in args[1]))
    call = same_call(expr)
    if call is not None:
        return ("call", call[0], *(_canonical(arg, names) for arg in call[1]))
    return (op, *(_canonical(arg, names) for arg in args))


def _bound(expr: Expr, names: dict[Var, int]) -> Any:
    of, source, body = expr.args
    if expr.op in ("exists", "every", "tally") and source.op == "filter":
        inner, base, test = source.args
        test = replaced(test, inner, var(of))
        if expr.op == "every":
            body = Expr("or", (_denied(test), body), TRUTH)
        else:
            body = Expr("and", (test, body), TRUTH)
        return _canonical(simple(Expr(expr.op, (of, base, body), expr.type)), names)
    within = {**names, of.origin: len(names)}
    if expr.op == "every":  # every: not any … not
        return ("not", ("exists", _canonical(source, names), _canonical(simple(_denied(body)), within)))
    return (expr.op, _canonical(source, names), _canonical(body, within))


def flat(expr: Expr, op: str) -> list[Expr]:
    return [y for x in expr.args for y in (flat(x, op) if x.op == op else [x])]


def _joined(expr: Expr) -> list[Expr]:
    return [y for x in expr.args for y in (_joined(x) if x.op == "join" else [x])]


def same_call(expr: Expr) -> tuple[str, tuple[Expr, ...]] | None:
    """A word with a meaning for each kind of thing, used on several kinds: typed as a choice between its meanings."""
    if expr.op in CALLS:
        return expr.args[0].shape, expr.args[1]
    if expr.op != "cond" or expr.args[0].op != "member" or expr.args[0].args[1].op != "const":
        return None
    one, other = same_call(expr.args[1]), same_call(expr.args[2])
    if one is None or other is None or one[0] != other[0] or not one[1]:
        return None
    subject, names = expr.args[0].args[0], dict[Var, int]()
    same = [_canonical(x, names) for x in one[1]] == [_canonical(x, names) for x in other[1]]
    return one if same and _canonical(subject, names) == _canonical(one[1][0], names) else None


# --- in the words of the game -----------------------------------------------------------------------------------------
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
        return expr if None in claims else _joined_by("or", claims)
    if expr.op == "member" and same_call(expr.args[0]) is not None:
        it = Var("x", expr.args[1].type.of or expr.args[0].type)
        claim = _in_a_word(expr.args[0], var(it), grammar)
        return expr if claim is None else Expr("exists", (it, expr.args[1], claim), TRUTH)
    if expr.op == "eq":
        one, other = expr.args
        return _in_a_word(one, other, grammar) or _in_a_word(other, one, grammar) or _has_none(expr, grammar) or expr
    return expr


def listed(group: Expr) -> list[Expr]:
    """The things of a group that is no more than a short list of names."""
    parts = _joined(group) if group.op == "join" else [group]
    items = [item for part in parts for item in _single(part)]
    if len(items) < len(parts) or not 2 <= len(items) <= MAX_SHARED or any(x.op != "const" for x in items):
        return []
    return items


def _single(expr: Expr) -> list[Expr]:
    if expr.op == "gather":
        return list(expr.args[0])
    if expr.op == "const" and isinstance(expr.args[0], tuple) and expr.type.of is not None:
        return [const(x, expr.type.of) for x in expr.args[0]]
    return []


def _joined_by(op: str, parts: Iterable[Any]) -> Expr:
    first, *rest = parts
    found: Expr = first
    for part in rest:
        found = Expr(op, (found, part), TRUTH)
    return found


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


# --- styles -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Style:
    in_place: bool = True  # quantified nouns where their names would stand
    moved: bool = True  # conditions of one thing moved into its noun
    grouped: bool = True  # of a nested and/or the group said last
    bracketed: bool = False


STYLES = (
    Style(),
    Style(moved=False),
    Style(grouped=False),
    Style(moved=False, grouped=False),
    Style(in_place=False, moved=False, grouped=False),
    Style(moved=False, grouped=False, bracketed=True),
    Style(in_place=False, moved=False, grouped=False, bracketed=True),
)

Env = dict[Var, Tree]


class Planner:
    def __init__(self, words: Vocabulary, grammar: Grammar, style: Style):
        self.words, self.grammar, self.style = words, grammar, style
        self.letters: list[str] = grammar.data["letters"]
        self.closed = False
        self.free: dict[Var, Tree] = {}

    def inside(self, method: Callable[[Any, Env], Tree], expr: Any, env: Env, closed: bool = True) -> Tree:
        """Inside another noun phrase a relative clause could belong to either noun: there it is said in brackets."""
        before, self.closed = self.closed, closed
        try:
            return method(expr, env)
        finally:
            self.closed = before

    # --- values -------------------------------------------------------------------------------------------------------
    def kind_of(self, expr: Expr) -> str:
        of = expr.type.of
        if of is not None and of.kind == "thing":
            if of.name in self.words.sets:
                return of.name
            fitting = [s for s in self.words.sets.values() if of.atoms and of.atoms <= s.type.atoms]
            if fitting:
                return min(fitting, key=lambda s: len(s.atoms)).name
        return NUMERAL if of is not None and of.kind == "number" else ELEMENT

    def value(self, expr: Expr, env: Env) -> Tree:
        if expr.type.kind == "number":
            return self.number(expr, env)
        if expr.type.kind == "amount":
            return self.amount(expr, env)
        return self.several(expr, env) if expr.type.many else self.one(expr, env)

    def variable(self, of: Var, env: Env) -> Tree:
        found = env.get(of.origin) or self.free.get(of.origin)
        if found is None:
            found = self.free[of.origin] = (f"free:{of.name}",)
        return found

    def choice(self, expr: Expr, env: Env, method: Callable[[Any, Env], Tree]) -> Tree:
        test, *branches = expr.args
        return (
            "choice",
            self.inside(self.part, test, env, False),
            *(self.inside(method, branch, env, False) for branch in branches),
        )

    def one(self, expr: Expr, env: Env) -> Tree:
        op, args = expr.op, expr.args
        if op == "const":
            return ("nothing",) if args[0] is None else (f"name:{args[0]}",)
        if op == "var":
            return self.variable(args[0], env)
        call = same_call(expr)
        if call is not None:
            return (f"fn:{call[0]}", *(self.argument(x, env) for x in call[1]))
        if op == "matched":
            return ("matched", self.variable(args[0], env), self.argument(args[1], env))
        if op == "only":
            return ("only", self.noun(args[0], env))
        if op in ("first", "last"):
            if self.counts_from(op, args[0]):
                around, start = args[0].args
                return (f"{op}:{args[0].op}", self.inside(self.noun, around, env), self.argument(start, env))
            if op in self.grammar.data["det"] and not self.style.bracketed and self.has_noun(args[0]):
                return (op, self.noun(args[0], env))
            return (op, self.inside(self.several, args[0], env))
        if op == "cond":
            return self.choice(expr, env, self.one)
        raise Unsayable(op)

    def argument(self, expr: Expr, env: Env) -> Tree:
        found = self.inside(self._argument, expr, env)
        return ("paren", found) if self.style.bracketed and _has_condition(found) else found

    def _argument(self, expr: Expr, env: Env) -> Tree:
        if expr.op == "gather" and len(expr.args[0]) == 1:
            return self.value(expr.args[0][0], env)
        if expr.op == "const" and expr.type.many and len(expr.args[0]) == 1 and expr.type.of is not None:
            if expr.type.of.kind == "thing" and not self.whole(expr):
                return (f"name:{expr.args[0][0]}",)
        if expr.type.kind == "truth":
            raise Unsayable("truth")
        return self.value(expr, env)

    def number(self, expr: Expr, env: Env) -> Tree:
        op, args = expr.op, expr.args
        if op == "const":
            if args[0] is None:
                raise Unsayable("number")
            return (f"num:{args[0]}",)
        if op == "count":
            if self._plain_set(args[0]):
                return ("number", self.inside(self.several, args[0], env))
            return ("number", self.noun(args[0], env))
        if op == "tally":
            return ("number", self.noun(Expr("filter", args, args[1].type), env))
        if op in ("add", "sub", "mul", "div", "rem"):
            return (op, *(self.inside(self.number, x, env) for x in args))
        if op in ("total", "largest", "smallest"):
            return self.of_numbers(op, args[0], env)
        if op == "cond" and same_call(expr) is None:
            return self.choice(expr, env, self.number)
        return self.one(expr, env)

    def of_numbers(self, op: str, source: Expr, env: Env) -> Tree:
        """The highest stake of the players, where the numbers have a noun; the highest of them, where not."""
        if op != "total" and source.op == "images" and not self.style.bracketed and not self._lifted_plain(source):
            noun = self.inside(self.lifted, source, env)
            return (f"{op}:{noun[0].removeprefix('cn:')}", *noun[1:])
        return (op, self.operand(source, env))

    def amount(self, expr: Expr, env: Env) -> Tree:
        if expr.op == "const":
            least, most = (const(x, NUMBER) for x in expr.args[0])
        elif expr.op == "amount":
            least, most = expr.args
        else:
            raise Unsayable("amount")
        low, high = self.number(least, env), self.number(most, env)
        if low == high:
            return ("amount:exact", low)
        if most.op == "const" and most.args[0] >= 1_000_000:
            return ("amount:any",) if low == ("num:0",) else ("amount:least", low)
        return ("amount:most", high) if low == ("num:0",) else ("amount:between", low, high)

    def whole(self, expr: Expr) -> str | None:
        """The kind of which this is every thing."""
        if expr.op != "const" or not isinstance(expr.args[0], tuple) or not expr.args[0] or expr.type.of is None:
            return None
        here = set(expr.args[0])
        names = [expr.type.of.name, *self.words.sets]
        return next((n for n in names if n in self.words.sets and set(self.words.sets[n].atoms) == here), None)

    def _plain_set(self, expr: Expr) -> bool:
        """A set that is said by a phrase of its own, not by a noun."""
        if expr.op == "var":
            return True
        call = same_call(expr)
        if call is None:
            return False
        word = self.grammar.lexicon.functions.get(call[0])
        return word is not None and word.noun is None

    def several(self, expr: Expr, env: Env) -> Tree:
        op, args = expr.op, expr.args
        if op == "const":
            return self.constant(expr)
        if op == "var":
            return self.variable(args[0], env)
        if op == "gather":
            return self.enumerated([self.value(x, env) for x in args[0]])
        if op == "join":
            items = [y for x in _joined(expr) for y in self.single(x)]
            listed = len(items) == len(_joined(expr)) and all(x.op == "const" for x in items)
            if listed and of_one_kind(self.words, items):
                return self.enumerated([self.value(x, env) for x in items])
        if self.modifies(expr):
            return ("def", self.noun(expr, env))
        if op in ("join", "append", "extend", "heap", "without", "remove"):
            name = "without" if op in ("without", "remove") else "join"
            return (name, self.operand(args[0], env), self.argument(args[1], env))
        if op == "reversed":
            return ("reversed", self.operand(args[0], env))
        if op in ("rotated", "after"):
            return (op, self.operand(args[0], env), self.inside(self.value, args[1], env))
        if op == "often":
            return (f"often:{args[2].args[0].shape}", self.operand(args[1], env))
        if op in ("first", "last", "only"):
            return self.one(expr, env)
        if op == "cond" and same_call(expr) is None:
            return self.choice(expr, env, self.several)
        if self._plain_set(expr):
            call = same_call(expr)
            assert call is not None
            return (f"fn:{call[0]}", *(self.argument(x, env) for x in call[1]))
        if op in ("image", "images") and self._lifted_plain(expr):
            return self.lifted(expr, env)
        return ("def", self.noun(expr, env, named=True))

    def operand(self, expr: Expr, env: Env) -> Tree:
        found = self.inside(self.several, expr, env)
        return ("paren", found) if self.style.bracketed and _has_condition(found) else found

    @staticmethod
    def single(expr: Expr) -> list[Expr]:
        if expr.op == "gather" and len(expr.args[0]) == 1:
            return [expr.args[0][0]]
        if expr.op == "const" and len(expr.args[0]) == 1 and expr.type.of is not None:
            return [const(expr.args[0][0], expr.type.of)]
        return []

    def constant(self, expr: Expr) -> Tree:
        value = expr.args[0]
        if not value:
            return ("none",)
        kind = self.whole(expr)
        if kind and expr.type.kind == "set":
            return ("def", (f"kind:{kind}",))
        of = expr.type.of
        if of is not None and of.kind == "number":
            return self.enumerated([(f"num:{x}",) for x in value])
        if of is not None and of.kind != "thing":
            raise Unsayable("set of sets")
        return self.enumerated([(f"name:{x}",) for x in value])

    @staticmethod
    def enumerated(items: list[Tree]) -> Tree:
        if len(items) == 1:
            return ("alone", items[0])
        first, *rest = items
        return ("enum", first, rest[0] if len(rest) == 1 else Planner.enumerated(rest))

    def lifted(self, expr: Expr, env: Env) -> Tree:
        of, source, body = expr.args
        call = same_call(body)
        if call is None or sum(uses(x, of) for x in call[1]) != 1:
            raise Unsayable("image")
        places = [x.op == "var" and x.args[0].origin is of.origin for x in call[1]]
        if True not in places:
            raise Unsayable("image")
        word = self.grammar.lexicon.functions.get(call[0])
        function = "cn" if word is not None and word.noun is not None else "fn"
        return (
            f"{function}:{call[0]}",
            *(self.operand(source, env) if here else self.argument(x, env) for x, here in zip(call[1], places)),
        )

    def _lifted_plain(self, expr: Expr) -> bool:
        call = same_call(expr.args[2])
        word = self.grammar.lexicon.functions.get(call[0]) if call else None
        return word is not None and word.noun is None

    # --- nouns --------------------------------------------------------------------------------------------------------
    def noun(self, expr: Expr, env: Env, named: bool = False) -> Tree:
        """`named`: it must have a noun of its own; there is no other way to say several of them."""
        op, args = expr.op, expr.args
        kind = self.whole(expr)
        if kind:
            return (f"kind:{kind}",)
        call = same_call(expr)
        if call is not None and not self._plain_set(expr):
            return (f"cn:{call[0]}", *(self.argument(x, env) for x in call[1]))
        if op in ("image", "images") and not self._lifted_plain(expr):
            return self.lifted(expr, env)
        if self.modifies(expr):
            rest = [self.argument(x, env) for x in args[1:]]
            return (f"mod:{MODIFIERS[op]}", self.inside(self.noun, args[0], env), *rest)
        if op == "filter":
            of, source, test = args
            base = self.base(source, env)
            relative = None if self.closed or self.style.bracketed else self.relative(test, of, env)
            if relative is not None:
                return ("rel", base, relative)
            label, inner = self.bind(of, base, env)
            return (f"such:{label}", base, self.inside(self.clause, test, inner, False))
        if op in EXTREMES:
            return self.extreme(expr, env)
        if op in ("stride", "reach"):
            return self.spread(expr, env)
        if op == "range":
            return ("span", (f"kind:{NUMERAL}",), *(self.bound(x, env) for x in args))
        if named:
            raise Unsayable
        return (f"among:{self.kind_of(expr)}", self.inside(self.several, expr, env))

    def modifies(self, expr: Expr) -> bool:
        """Is it said by a noun and what is added to it: the players, beginning with blue?"""
        known = self.grammar.data.get("modified") or {}
        if self.style.bracketed or MODIFIERS.get(expr.op) not in known:
            return False
        return self.has_noun(expr.args[0])

    def counts_from(self, op: str, row: Expr) -> bool:
        """Is there a way to say: the first player after blue?"""
        known = (self.grammar.data.get("counted_from") or {}).get(op) or {}
        return row.op in known and not self.style.bracketed and self.has_noun(row.args[0])

    def bound(self, expr: Expr, env: Env) -> Tree:
        found = self.inside(self.number, expr, env)
        return ("paren", found) if self.style.bracketed and _has_condition(found) else found

    def has_noun(self, expr: Expr) -> bool:
        """Is there a noun for what is in it?"""
        if expr.op == "filter" or self.modifies(expr):
            return self.has_noun(expr.args[0 if expr.op in MODIFIERS else 1])
        if expr.op in ("image", "images"):
            return not self._lifted_plain(expr)
        return bool(self.whole(expr)) or (same_call(expr) is not None and not self._plain_set(expr))

    def base(self, source: Expr, env: Env) -> Tree:
        """The noun to which something is added; in brackets, if something is added to it already."""
        found = self.inside(self.noun, source, env)
        if self.style.bracketed and not str(found[0]).startswith("kind:"):
            return (f"among:{self.kind_of(source)}", ("paren", self.inside(self.several, source, env)))
        return found

    def extreme(self, expr: Expr, env: Env) -> Tree:
        """The players with the highest stake; with the highest value of …, where it is not said so shortly."""
        of, source, body = expr.args
        base = self.base(source, env)
        by = None if self.style.bracketed else self.measure(body, of)
        if by is not None:
            return ("best", base, (f"top:{expr.op}", by))
        label, inner = self.bind(of, base, env)
        return ("best", base, (f"by:{expr.op}:{label}", self.inside(self.number, body, inner, False)))

    def measure(self, expr: Expr, of: Var) -> Tree | None:
        """What is compared, through functions of one thing down to the thing itself."""
        call = same_call(expr)
        if call is None or len(call[1]) != 1 or expr.type.many:
            return None
        if call[1][0].op == "var" and call[1][0].args[0].origin is of.origin:
            return (f"m:{call[0]}",)
        inner = self.measure(call[1][0], of)
        return None if inner is None else (f"m:{call[0]}", inner)

    def spread(self, expr: Expr, env: Env) -> Tree:
        """What can be reached in so many steps, each of them the same."""
        kind, (of, source, body), steps = self.kind_of(expr), expr.args, 1
        step = canonical(body, {of.origin: 0})
        while expr.op == source.op == "stride" and canonical(source.args[2], {source.args[0].origin: 0}) == step:
            (of, source, body), steps = source.args, steps + 1
        label, inner = self.bind(of, (f"kind:{kind}",), env)
        name = "reach" if expr.op == "reach" else "near1" if steps == 1 else "near"
        rest = [(f"num:{steps}",)] if name == "near" else []
        way = (f"{name}:{label}", self.argument(source, env), self.inside(self.value, body, inner, False), *rest)
        return ("walk", (f"kind:{kind}",), way)

    def head(self, noun: Tree) -> str:
        kind, _, rest = str(noun[0]).partition(":")
        return rest if kind in ("kind", "among", "cn") else self.head(noun[1])

    def bind(self, of: Var, noun: Tree, env: Env) -> tuple[str, Env]:
        """How the variable is taken up again: that figure; figure P, if there is another one already."""
        head = self.head(noun)
        said = self.grammar.heads[head].forms["sg"]
        same = [key for key, other in self.grammar.heads.items() if other.forms["sg"] == said]
        taken = {tree[0] for tree in env.values()}
        if not any(f"that:{key}" in taken or any(t.startswith(f"lab:{key}:") for t in taken) for key in same):
            return "", {**env, of.origin: (f"that:{head}",)}
        for letter in self.letters:
            if not any(t.endswith(f":{letter}") and t.startswith("lab:") for t in taken):
                return letter, {**env, of.origin: (f"lab:{head}:{letter}",)}
        raise Unsayable("too many names")

    def relative(self, test: Expr, of: Var, env: Env) -> Tree | None:
        """Clauses whose subject is the variable, which stands nowhere else; None if it is not so."""
        if test.op in ("and", "or") and len(test.args) == 2:
            parts = [self.relative(part, of, env) for part in test.args]
            if parts[0] is not None and parts[1] is not None and parts[0][0] not in ("and", "or"):
                return (test.op, parts[0], parts[1]) if parts[1][0] not in ("and", "or") else None
            return None
        try:
            found = self.atom(test, env, {of.origin: ("gap",)})
        except Unsayable:
            return None
        if found is None or len(found) < 2 or found[1] != ("gap",) or _count(found, ("gap",)) != 1:
            return None
        return found

    # --- clauses ------------------------------------------------------------------------------------------------------
    def clause(self, expr: Expr, env: Env) -> Tree:
        op, args = expr.op, expr.args
        if op in ("and", "or"):
            return self.shared(expr, env) or self.junction(expr, env)
        found = self.atom(expr, env, {})
        if found is not None:
            return found
        if op == "cond" and expr.type.kind == "truth":
            return ("if", *(self.part(x, env) for x in args))
        denied, inner = op == "not", args[0] if op == "not" else expr
        if inner.op in ("exists", "every"):
            status = _STATUS[inner.op, denied]
            return self.such(status, inner.args, env)
        counted = self.counted(inner, denied)
        if counted is not None:
            return self.such(counted[0], counted[1].args, env, counted[2])
        if inner.op in ("less", "eq") and inner.args[0].type.kind == "number":
            return self.compared(inner, denied, env)
        if denied:
            return ("not", self.part(inner, env))
        if op == "eq" and args[0].type.kind == "truth":
            return ("iff", *(self.part(x, env) for x in args))
        raise Unsayable(op)

    def part(self, expr: Expr, env: Env) -> Tree:
        found = self.clause(expr, env)
        if self.style.bracketed and found[0] in ("and", "or", "vp:and", "vp:or", "if", "such", "iff", "not"):
            return ("bracket", found)
        return found

    def shared(self, expr: Expr, env: Env) -> Tree | None:
        """What is said of one thing, with its name once: Agent X is at Rialto or has moved."""
        if self.style.bracketed or "vp_and" not in self.grammar.data["say"]:
            return None
        parts = flat(expr, expr.op)
        if len(parts) > MAX_SHARED:
            return None
        try:
            said = [self.atom(part, env, {}) for part in parts]
        except Unsayable:
            return None
        subjects = {tree[1] if tree is not None and len(tree) > 1 else None for tree in said}
        subject = next(iter(subjects))
        if len(subjects) > 1 or subject is None or str(subject[0]).startswith(("q:", "cn:", "kind:", "rel", "such")):
            return None
        claims = [tree for tree in said if tree is not None and str(tree[0]).startswith("p:")]
        if len(claims) < len(said) or any(tree[0].startswith(("p:distinct", "p:alike")) for tree in claims):
            return None
        return (f"vp:{expr.op}", subject, *((tree[0], ("gap",), *tree[2:]) for tree in claims))

    def junction(self, expr: Expr, env: Env) -> Tree:
        parts = [self.part(x, env) for x in flat(expr, expr.op)]
        if self.style.grouped:
            groups = [p for p in parts if p[0] in ("and", "or", "vp:and", "vp:or", "such", "if")]
            parts = [p for p in parts if p not in groups] + groups
        while len(parts) > ITEMS:
            parts = [*parts[: ITEMS - 1], (expr.op, *parts[ITEMS - 1 :][:ITEMS])] + parts[ITEMS - 1 + ITEMS :]
        return (expr.op, *parts)

    def counted(self, expr: Expr, denied: bool) -> tuple[str, Expr, int] | None:
        """How many satisfy something, compared with a number that is known."""
        if expr.op not in ("less", "eq"):
            return None
        one, other = expr.args
        if expr.op == "eq":
            how, tally, number = "eq", one, other
        elif one.op == "tally":
            how, tally, number = ("ge" if denied else "lt"), one, other
        else:
            how, tally, number = ("le" if denied else "gt"), other, one
        if tally.op != "tally" or number.op != "const" or (denied and expr.op == "eq"):
            return None
        size = number.args[0]
        if how not in self.grammar.data["count"]:  # where a language says “3 or more” for more than 2
            how, size = ("ge", size + 1) if how == "gt" else ("le", size - 1)
        return (how, tally, size) if size >= 1 else None

    def compared(self, expr: Expr, denied: bool, env: Env) -> Tree:
        one, other = expr.args
        if expr.op == "eq":
            tail = ":neg" if denied else ""
            if one.op == "const" and other.op != "const":
                one, other = other, one
            name = "p:eqd" if other.op == "const" and one.op != "const" else "p:eqn"
            return (name + tail, self.number(one, env), self.number(other, env))
        name = "ge" if denied else "lt"
        if one.op == "const" and other.op != "const":
            name, one, other = "le" if denied else "gt", other, one
        if other.op == "const" and f"{name}d" in self.grammar.data["clauses"]:
            name += "d"  # at least 2; at least as high as the score of Red
        if f"{name}n" in self.grammar.data["clauses"] and self.is_amount(one):
            name += "n"  # the score is lower than 3; the number of figures is less than 3
        return (f"p:{name}", self.number(one, env), self.number(other, env))

    def is_amount(self, number: Expr) -> bool:
        """Is it how many there are of something, and no value of a thing?"""
        call = same_call(number)
        word = self.grammar.lexicon.functions.get(call[0]) if call else None
        if word is None or word.noun is None:
            return number.op in AMOUNTS
        return bool(re.match(str(self.grammar.data.get("counted_nouns", "(?!)")), word.noun.forms["sg"]))

    def there(self, expr: Expr, denied: bool, env: Env) -> Tree | None:
        """There are more than three of them: the size of a set, compared with a number that is known."""
        one, other = expr.args
        count, number = (one, other) if one.op == "count" else (other, one)
        if count.op != "count" or number.op != "const" or self._plain_set(count.args[0]):
            return None
        if expr.op == "eq" and denied:
            return None
        how = "eq" if expr.op == "eq" else ("ge" if denied else "lt") if count is one else ("le" if denied else "gt")
        size, known = number.args[0], self.grammar.data.get("there_count") or self.grammar.data["count"]
        if how == "gt" and how not in known:
            how, size = "ge", size + 1
        if how not in known:
            return None
        if size == 0 and how == "eq":
            return ("there", ("q:no", self.noun(count.args[0], env)))
        if size < 1:
            return None
        noun = self.noun(count.args[0], env)
        return ("there", (f"q:{how}1", noun) if size == 1 else (f"q:{how}", noun, (f"num:{size}",)))

    def atom(self, expr: Expr, env: Env, slots: Env) -> Tree | None:
        """A clause of one predicate; slots: variables that are quantified noun phrases in it."""
        denied = expr.op == "not"
        inner = expr.args[0] if denied else expr
        op, args = inner.op, inner.args
        within = {**env, **slots}
        tail = ":neg" if denied else ""
        if op in ("exists", "every"):
            if denied and op == "every" and slots:
                return None
            return self.in_place(_STATUS[op, denied], args, env, slots)
        counted = self.counted(inner, denied)
        if counted is not None:
            return self.in_place(counted[0], counted[1].args, env, slots, counted[2])
        if op == "eq" and args[1].op == "const" and args[1].args[0] is None:
            return self.equal(args, tail, within)
        if op in ("eq", "less") and args[0].type.kind == "number":
            return (None if slots else self.there(inner, denied, env)) or self.compared(inner, denied, within)
        if op == "eq":
            return self.equal(args, tail, within)
        if op == "member":
            return self.member(args, tail, within)
        if op == "within":
            each = _each_in(inner) if self.has_noun(args[0]) and not self.style.bracketed and not slots else None
            if (
                each is not None
                and (said := self.in_place(_STATUS["every", denied], each.args, env, slots)) is not None
            ):
                return said
            return ("p:within" + tail, self.several(args[0], within), self.several(args[1], within))
        if op == "distinct":
            call = same_call(args[2])
            word = self.grammar.lexicon.functions.get(call[0]) if call else None
            if call is None or word is None or len(call[1]) != 1 or call[1][0].op != "var":
                raise Unsayable("distinct")
            same = "p:alike" if denied else "p:distinct"
            if word.share and not self.style.bracketed and f"{same[2:]}_sharing" in self.grammar.data["clauses"]:
                return (f"{same}:{call[0]}", self.noun(args[1], within))
            how = "noun" if word.noun is not None and not self.style.bracketed else "head"
            return (same, self.noun(args[1], within), (f"{how}:{call[0]}",))
        if op == "const" and inner.type.kind == "truth":
            return ("p:never" if bool(args[0]) == denied else "p:always",)
        if op == "var" and inner.type.kind == "truth":
            return (f"p:free:{args[0].name}{tail}",)
        call = same_call(inner)
        if call is not None and inner.type.kind == "truth":
            return (f"p:{call[0]}{tail}", *(self._argument(x, within) for x in call[1]))
        return None

    def equal(self, args: tuple[Expr, ...], tail: str, env: Env) -> Tree | None:
        one, other = args
        if "truth" in (one.type.kind, other.type.kind) or "amount" in (one.type.kind, other.type.kind):
            return None
        if other.op == "const" and other.args[0] is None:
            call = same_call(one)
            word = self.grammar.lexicon.functions.get(call[0]) if call else None
            if call and word is not None and word.noun is not None and self.grammar.belongs(word):
                return ("p:has" if tail else "p:lacks", self._argument(call[1][0], env), (f"noun:{call[0]}",))
            if (
                call
                and word is not None
                and word.noun is not None
                and not call[1]
                and "absent" in self.grammar.data["clauses"]
            ):
                return ("p:present" if tail else "p:absent", (f"noun:{call[0]}",))
            if call and word is not None and word.noun is not None and not one.type.many and not self.style.bracketed:
                thing = (f"one:{call[0]}", *(self._argument(x, env) for x in call[1]))
                return ("there", ("q:any" if tail else "q:no", thing))
            return ("p:nil" + tail, self.value(one, env))
        if one.type.many or other.type.many:
            return ("p:eqs" + tail, self.several(one, env), self.several(other, env))
        return ("p:eq" + tail, self.one(one, env), self.one(other, env))

    def member(self, args: tuple[Expr, ...], tail: str, env: Env) -> Tree:
        one, group = args
        if group.op in ("range", "stride", "reach"):
            return ("p:isa" + tail, self.value(one, env), self.noun(group, env))
        lifted = group.op in ("image", "images") and not self._lifted_plain(group)
        if one.type.kind != "thing":
            if lifted and one.type.kind == "number" and not self.style.bracketed:  # one of the stakes is 2
                status = "q:no" if tail else "q:any"
                return (
                    "p:eqd" if one.op == "const" else "p:eqn",
                    (status, self.noun(group, env)),
                    self.number(one, env),
                )
            if lifted:
                return ("p:isa" + tail, self.value(one, env), self.noun(group, env))
            return ("p:in" + tail, self.value(one, env), self.several(group, env))
        named = self.whole(group) or same_call(group) is not None
        if lifted or (named and not self._plain_set(group)):
            return ("p:isa" + tail, self.one(one, env), self.noun(group, env))
        several = self.several(group, env)
        if several[0] == "enum" and not tail and not self.style.bracketed:
            return ("p:oneof", self.one(one, env), several)
        return ("p:in" + tail, self.one(one, env), several)

    # --- quantified ---------------------------------------------------------------------------------------------------
    def quantified(self, status: str, noun: Tree, number: int | None) -> Tree:
        if number is None:
            return (f"q:{status}", noun)
        return (f"q:{status}1", noun) if number == 1 else (f"q:{status}", noun, (f"num:{number}",))

    def split(self, status: str, of: Var, source: Expr, body: Expr) -> tuple[Expr, Expr]:
        """The conditions of the one thing alone moved into its noun: a figure that is real is …"""
        if not self.style.moved or body.op != "and" or status not in ("any", "no"):
            return source, body
        parts = flat(body, "and")
        others = [p for p in parts if _only_about(p, of)]
        rest = [p for p in parts if p not in others]
        if not others:
            return source, body
        if not rest:
            rest, others = others[-1:], others[:-1]
        return Expr("filter", (of, source, _all(others)), source.type), _all(rest)

    def in_place(
        self, status: str, args: tuple[Any, ...], env: Env, slots: Env, number: int | None = None
    ) -> Tree | None:
        """A quantified noun where its name would stand, if the order of words then says the scope; else None."""
        of, source, body = args
        if not self.style.in_place or any(uses(source, slot) for slot in slots):
            return None
        other = _another(status, of, body)
        if other is not None:
            status, body = other
        else:
            source, body = self.split(status, of, source, body)
        if (slots and number is not None) or len(slots) > 1:
            return None
        if body.op in ("eq", "not") and (turned := _turned(body, of)) is not None:
            body = turned
        noun = self.quantified(status, self.noun(source, env), number)
        try:
            found = self.atom(body, env, {**slots, of.origin: noun})
        except Unsayable:
            return None
        if found is None or len(found) < 2 or _count(found, noun) != 1:
            return None
        if slots:
            outer = next(iter(slots.values()))
            if found[1] != outer or len(found) < 3 or found[2] != noun:
                return None
        elif other is not None and (len(found) < 3 or found[2] != noun):
            return None
        elif noun not in found[1:3] or (found[1] != noun and str(found[1][0]).startswith("q:")):
            return None
        return found if _allowed(found) else None

    def such(self, status: str, args: tuple[Any, ...], env: Env, number: int | None = None) -> Tree:
        of, source, body = args
        noun = self.noun(source, env)
        label, inner = self.bind(of, noun, env)
        if label:
            noun = (f"intro:{label}", self.inside(self.noun, source, env))
        claim = self.part(body, inner)
        said = self.quantified(status, noun, number)
        if not label and str(claim[0]).startswith("vp:") and claim[1] == inner[of.origin]:
            if _count(claim, claim[1]) == 1 and self.style.in_place and status not in self.grammar.unshared:
                return (claim[0], said, *claim[2:])  # every figure is … or is …
        if status == "notevery" and not self.style.bracketed:  # there is one that is not so
            return self.such("any", (of, source, restated(_denied(body), self.grammar)), env)
        return ("such", said, claim)


_STATUS = {
    ("exists", False): "any",
    ("exists", True): "no",
    ("every", False): "every",
    ("every", True): "notevery",
}


def _turned(expr: Expr, of: Var) -> Expr | None:
    """What is quantified comes first: every card is the king, not: the king is every card."""
    if expr.op == "not":
        inner = _turned(expr.args[0], of)
        return None if inner is None else Expr("not", (inner,), TRUTH)
    if expr.op != "eq" or expr.args[0].type.kind == "truth":
        return None
    one, other = expr.args
    if other.op == "var" and other.args[0].origin is of.origin and not uses(one, of):
        return Expr("eq", (other, one), TRUTH)
    return None


def _count(tree: Any, wanted: Tree) -> int:
    if tree == wanted:
        return 1
    return sum(_count(kid, wanted) for kid in tree) if isinstance(tree, tuple) else 0


def _has_condition(tree: Any) -> bool:
    """Is there a list or a “for which” in it that could belong to something else?"""
    if not isinstance(tree, tuple) or tree[0] == "paren":
        return False
    return tree[0] == "enum" or str(tree[0]).startswith("such:") or any(_has_condition(kid) for kid in tree[1:])


def _all(parts: list[Expr]) -> Expr:
    found = parts[0]
    for part in parts[1:]:
        found = Expr("and", (found, part), TRUTH)
    return found


def _only_about(expr: Expr, of: Var) -> bool:
    """Does the condition speak of this variable, and of no other that is bound outside of it?"""
    return uses(expr, of) == 1 and not (_free(expr) - {of.origin})


def _free(expr: Any, bound: Iterable[Var] = ()) -> set[Var]:
    if isinstance(expr, Expr):
        if expr.op == "var":
            return {expr.args[0].origin} - set(bound)
        inner = [*bound, *(arg.origin for arg in expr.args if isinstance(arg, Var))]
        return set().union(*(_free(arg, inner) for arg in expr.args if not isinstance(arg, Var)), set())
    return set().union(*(_free(x, bound) for x in expr), set()) if isinstance(expr, tuple) else set()


def _another(status: str, of: Var, body: Expr) -> tuple[str, Expr] | None:
    """… is with another: with one that is not itself."""
    if status not in ("any", "no") or body.op != "and" or body.args[0].op != "not":
        return None
    unequal, claim = body.args[0].args[0], body.args[1]
    if unequal.op != "eq" or unequal.args[0].op != "var" or unequal.args[0].args[0].origin is not of.origin:
        return None
    subject, call = unequal.args[1], same_call(claim)
    if call is None or len(call[1]) != 2 or uses(subject, of):
        return None
    names: dict[Var, int] = {}
    if _canonical(call[1][0], names) != _canonical(subject, names):
        return None
    return ("other" if status == "any" else "noother"), claim


def _status(tree: Tree) -> str:
    if tree[0] == "gap":
        return "gap"
    if not str(tree[0]).startswith("q:"):
        return "NP"
    status = tree[0][2:]
    if status in ("any", "every", "no", "notevery", "other", "noother"):
        return str(status)
    return "cnt1" if status.endswith("1") else "cnt2"


def _allowed(clause: Tree) -> bool:
    subject, other = _status(clause[1]), _status(clause[2]) if len(clause) > 2 else "NP"
    if clause[0].split(":")[1] in ("eq", "in", "oneof", "isa", "eqn", "eqd", "has", "lacks") and other != "NP":
        return False
    if str(clause[0]).endswith(":neg"):
        return subject in DENIED and other == "NP"
    return other in COMBINED[subject] or (subject == "no" and other == "any")
