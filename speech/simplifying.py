"""Conditions in their simplest form, and the form in which two of them are the same.

What is said is the condition after simplifications that keep its truth (`simple`): negations stand at the smallest
parts (so that *not every … not* is *any*, *not (A and B)* is *not A or not B*), the conditions of a set that is counted
or quantified may stand beside those of its elements, one `where` inside another is one with `and`, *at least one* is
*any*, *one of these together with those* is *one of these or one of those*, and what is joined by *and*, *or* or *is*
may stand in either order.
`canonical` is the form in which two expressions are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..interpreter.model import NOTHING, NUMBER, TRUTH, Expr, Var, const, may_equal, set_of
from ..interpreter.trees import free_variables
from .building import uses
from .effort import spend
from .rewriting import (
    CALLS,
    all_are,
    any_or_none,
    between,
    both_are,
    certain,
    each_in,
    each_is,
    flat,
    instead,
    is_empty,
    is_of_all,
    is_one,
    is_some,
    joined_parts,
    known_row,
    listed,
    named_once,
    narrowed,
    none_among,
    none_or_some,
    not_of_those,
    nowhere_else,
    of_its_kind,
    of_one_or_other,
    of_those_if,
    one_has,
    one_such,
    opened,
    reckoned,
    replaced,
    single,
    those_in,
    two_differ,
    var,
)

__all__ = ["canonical", "opposite", "same_call", "same_form", "simple"]

MAX_CHOICES = 2  # of more of them a sentence for each would be too long
FURTHER = ("highest", "lowest", "stride", "reach")  # these bind a name too


def simple(expr: Expr) -> Expr:
    """Negations moved to the smallest parts; one `where` instead of two."""
    spend()
    if expr.op == "not":
        return opposite(expr.args[0])
    expr = opened(certain(narrowed(Expr(expr.op, tuple(_simple(arg) for arg in expr.args), expr.type))))
    if expr.op in ("exists", "every", "tally", "filter") and (closer := of_its_kind(expr)) is not None:
        return simple(closer)
    if expr.op in ("eq", "less"):
        expr = reckoned(expr)
    if expr.op == "not":
        return simple(expr)
    if expr.op in ("eq", "member") and (known := _of_other_kind(expr)) is not None:
        return known
    if expr.op in ("exists", "every", "member") and is_empty(expr.args[1]):
        return const(expr.op == "every", TRUTH)
    if expr.op == "within" and is_empty(expr.args[0]):
        return const(True, TRUTH)
    if expr.op in ("exists", "every") and expr.args[2].op == "const":
        return simple(none_or_some(expr))
    if expr.op in ("member", "within") and is_of_all(*expr.args):
        return const(True, TRUTH)
    if expr.op == "member" and (some := is_some(expr)) is not None:
        return simple(some)
    if expr.op == "member" and _is_none(expr.args[1]):
        return const(False, TRUTH)
    if expr.op in ("first", "last") and expr.args[0].op == "reversed":
        return simple(Expr("last" if expr.op == "first" else "first", expr.args[0].args, expr.type))
    if expr.op in ("first", "last") and (known_ones := known_row(expr.args[0])):
        return known_ones[0 if expr.op == "first" else -1]
    if expr.op in ("without", "remove") and _is_none(expr.args[1]):
        return expr.args[0]  # type: ignore[no-any-return]
    if expr.op in ("filter", "tally") and expr.args[2].op == "const" and expr.args[2].args[0]:
        return expr.args[1] if expr.op == "filter" else simple(Expr("count", expr.args[1:2], NUMBER))
    if expr.op in ("stride", "reach") and (nowhere_else(expr) or _gone_already(expr)):
        return expr.args[1]  # type: ignore[no-any-return]
    if expr.op in ("highest", "lowest") and not expr.args[2].type.maybe and not uses(expr.args[2], expr.args[0]):
        return expr.args[1]  # type: ignore[no-any-return]
    if expr.op == "join" and (fewer := named_once(expr)) is not None:
        return fewer
    if expr.op in ("and", "or", "cond") and (known := _settled(expr)) is not None:
        return known
    if expr.type.kind == "truth" and (chosen := chosen_first(expr)) is not None:
        return simple(chosen)
    if (counted := any_or_none(expr)) is not None:
        return simple(counted)
    if expr.op in ("within", "eq") and (none := none_among(expr)) is not None:
        return simple(none)
    if expr.op == "within" and (each := each_is(expr)) is not None:
        return simple(each)
    if expr.op == "within" and expr.args[1].type.kind == "set" and len(alone := single(expr.args[0])) == 1:
        return simple(Expr("member", (alone[0], expr.args[1]), TRUTH))
    if expr.op == "exists" and (one := is_one(expr) or both_are(expr)) is not None:
        return simple(one)
    if expr.op == "eq" and (whole := all_are(expr)) is not None:
        return simple(whole)
    if expr.op == "member" and (apart := of_one_or_other(expr) or one_such(expr) or one_has(expr)) is not None:
        return simple(apart)
    if expr.op == "member" and (bounds := between(expr) or not_of_those(expr) or of_those_if(expr)) is not None:
        return simple(bounds)
    if expr.op == "distinct" and expr.args[1].op == "const" and len(expr.args[1].args[0]) < 2:
        return const(True, TRUTH)
    if expr.op == "distinct" and (two := two_differ(expr)) is not None:
        return simple(two)
    if expr.op == "every" and expr.args[2].op == "not":
        return opposite(Expr("exists", (*expr.args[:2], expr.args[2].args[0]), TRUTH))
    if expr.op in ("filter", "tally") and (those := those_in(expr)) is not None:
        return simple(those)
    if expr.op == "filter" and expr.args[1].op == "filter":
        outer, (inner, source, test) = expr.args[0], expr.args[1].args
        both = simple(Expr("and", (test, replaced(expr.args[2], outer, var(inner))), TRUTH))
        return narrowed(Expr("filter", (inner, source, both), expr.type))
    if expr.op == "count" and expr.args[0].op == "filter":
        return Expr("tally", expr.args[0].args, NUMBER)
    if expr.op == "gather" and len(expr.args[0]) == 1 and expr.args[0][0].op == "const":
        (one,) = expr.args[0]
        return expr if one.args[0] is None else Expr("const", (one.args,), set_of(one.type))
    return expr


def _is_none(group: Expr) -> bool:
    """Is there nothing in it, whatever the position is? So it is of all things without themselves, too."""
    if group.op in ("without", "remove") and group.args[0].type.many and group.args[1].type.many:
        if same_form(group.args[0], {}) == same_form(group.args[1], {}):
            return True
    return is_empty(group)


def _gone_already(expr: Expr) -> bool:
    """A step from all that can be reached by such steps."""
    of, source, body = expr.args
    if source.op != "reach":
        return False
    before: bool = same_form(source.args[2], {source.args[0].origin: -1}) == same_form(body, {of.origin: -1})
    return before


def _settled(expr: Expr) -> Expr | None:
    """What is left where an option has settled one part."""
    fixed = [arg.args[0] if arg.op == "const" and arg.type.kind == "truth" else None for arg in expr.args]
    if expr.op == "cond":
        test, one, other = expr.args
        if fixed[0] is not None:
            chosen: Expr = one if fixed[0] else other
            return chosen
        bound = {of.origin: -1 - i for i, of in enumerate((*free_variables(one), *free_variables(other)))}
        if expr.type.kind == "truth" and canonical(one, bound) == canonical(
            other, bound
        ):  # two that are bound outside may have the same name
            return simple(one)
        if fixed[1] is not None:  # if … then yes, else …: … or …
            return simple(Expr("or", (test, other), TRUTH) if fixed[1] else Expr("and", (opposite(test), other), TRUTH))
        if fixed[2] is not None:
            return simple(Expr("or", (opposite(test), one), TRUTH) if fixed[2] else Expr("and", (test, one), TRUTH))
        return None
    for side, other in ((0, 1), (1, 0)):
        if fixed[side] is not None:
            left: Expr = expr.args[other if fixed[side] == (expr.op == "and") else side]
            return left
    return None


def _of_other_kind(expr: Expr) -> Expr | None:
    """Two things that are known, or that can only be the same by being missing: what a choice between kinds leaves."""
    one, other = expr.args
    if expr.op == "eq" and one.type.kind == other.type.kind == "thing" and one.op == other.op == "const":
        return const(one.args[0] == other.args[0], TRUTH)
    if expr.op == "member" and one.type.kind == "thing" and one.op == "const" and one.args[0] is not None:
        named = [single(part) for part in (joined_parts(other) if other.op == "join" else [other])]
        if all(items and all(x.op == "const" for x in items) for items in named):
            return const(any(one.args[0] == x.args[0] for items in named for x in items), TRUTH)
    wanted = other.type if expr.op == "eq" else other.type.of
    if wanted is None or one.type.kind != "thing" or wanted.kind != "thing" or (one.type.maybe and wanted.maybe):
        if expr.op == "eq" and one.type.kind == other.type.kind == "thing" and not may_equal(one.type, other.type):
            return Expr("and", tuple(Expr("eq", (side, const(None, NOTHING)), TRUTH) for side in expr.args), TRUTH)
        return None
    return None if may_equal(one.type, wanted) else const(False, TRUTH)


def chosen_first(expr: Expr) -> Expr | None:
    """`(if A then x else y) is z` as `if A then x is z else y is z`: nobody says a choice inside a clause."""
    if expr.op not in ("eq", "less", "member", "within", "exists", "every", *CALLS):
        return None
    found = list(_choices(expr.args[1:2] if expr.op in ("exists", "every") else expr.args))
    if not 1 <= len(found) <= MAX_CHOICES:
        return None
    test, *branches = found[0].args
    return Expr("cond", (test, *(instead(expr, found[0], branch) for branch in branches)), TRUTH)


def _choices(args: tuple[Any, ...]) -> Iterator[Expr]:
    """Choices between values that hang on nothing that is bound inside."""
    for arg in args:
        if isinstance(arg, tuple):
            yield from _choices(arg)
        elif isinstance(arg, Expr) and arg.type.kind != "truth" and not any(isinstance(x, Var) for x in arg.args):
            if arg.op == "cond" and same_call(arg) is None:
                yield arg
            yield from _choices(arg.args)


def _simple(arg: Any) -> Any:
    if isinstance(arg, Expr):
        return simple(arg)
    return tuple(_simple(x) for x in arg) if isinstance(arg, tuple) else arg


def opposite(expr: Expr) -> Expr:
    op, args = expr.op, expr.args
    if op == "not":
        return simple(args[0])
    if op in ("and", "or"):
        return simple(Expr("or" if op == "and" else "and", tuple(opposite(arg) for arg in args), TRUTH))
    if op == "cond":
        return simple(Expr("cond", (args[0], opposite(args[1]), opposite(args[2])), TRUTH))
    if op in ("exists", "every"):
        inner = simple(args[2])
        if op == "every" and inner.op == "distinct":  # not every … no two: any … two
            return simple(Expr("exists", (args[0], args[1], opposite(inner)), TRUTH))
        if inner.op == "not":  # not every … not: any; no … not: every
            other = "every" if op == "exists" else "exists"
            return simple(Expr(other, (args[0], args[1], inner.args[0]), TRUTH))
    if op == "const":
        return const(not args[0], TRUTH)
    said = simple(expr)
    if said.op != op:  # what it means is denied
        return opposite(said)
    return Expr("not", (said,), TRUTH)


def canonical(expr: Any, names: dict[Var, int] | None = None) -> Any:
    """What two expressions share when they are the same after simplification."""
    return same_form(simple(expr), {} if names is None else names)


def same_form(expr: Any, names: dict[Var, int]) -> Any:
    if isinstance(expr, Var):
        return ("var", names.get(expr.origin, expr.name))
    if isinstance(expr, tuple):
        return tuple(same_form(x, names) for x in expr)
    if not isinstance(expr, Expr):
        return getattr(expr, "shape", expr)
    spend()
    op, args = expr.op, expr.args
    if op == "const":
        value = args[0]
        return ("const", tuple(sorted(value)) if isinstance(value, tuple) and expr.type.kind != "list" else value)
    if op in ("exists", "every", "tally", "filter", "distinct", "often", "image", "images", *FURTHER):
        return _bound(expr, names)
    if op in ("and", "or"):
        parts = [same_form(x, names) for x in flat(expr, op)]
        return (op, *sorted((y for x in parts for y in (x[1:] if x[0] == op else [x])), key=repr))
    if op == "within" and (each := each_in(expr)) is not None:
        return same_form(simple(each), names)
    if op == "member" and args[1].type.kind == "set" and (items := listed(args[1])):  # one of two: the one or the other
        return ("or", *sorted((same_form(Expr("eq", (args[0], x), TRUTH), names) for x in items), key=repr))
    if op == "less" and args[0].op == "const" and args[0].args[0] is not None and args[1].op != "const":
        above = Expr("less", (args[1], const(args[0].args[0] + 1, NUMBER)), TRUTH)  # more than 2: not less than 3
        return same_form(Expr("not", (above,), TRUTH), names)
    for counted, number in (args, args[::-1]) if op == "eq" else ():
        if counted.op == "count" and number.op == "const" and number.args[0] == 0:  # none: fewer than one
            return same_form(Expr("less", (counted, const(1, NUMBER)), TRUTH), names)
    if op == "not":
        return _denied(same_form(args[0], names))
    if op == "eq":
        return ("eq", *sorted((same_form(x, names) for x in args), key=repr))
    if op == "extend" and len(alone := single(args[1])) == 1 and not alone[0].type.maybe:  # a row and one more
        return same_form(Expr("append", (args[0], alone[0]), expr.type), names)
    if op == "join":
        return ("join", *sorted((same_form(x, names) for x in joined_parts(expr)), key=repr))
    if op in CALLS:
        return ("call", args[0].shape, *(same_form(arg, names) for arg in args[1]))
    call = same_call(expr)
    if call is not None:
        return ("call", call[0], *(same_form(arg, names) for arg in call[1]))
    return (op, *(same_form(arg, names) for arg in args))


def _denied(form: Any) -> Any:
    """The form of the opposite: neither of two is not the one and not the other."""
    if form[0] in ("and", "or"):
        return ("or" if form[0] == "and" else "and", *sorted(map(_denied, form[1:]), key=repr))
    if form[0] == "const":
        return ("const", not form[1])
    return form[1] if form[0] == "not" else ("not", form)


def _bound(expr: Expr, names: dict[Var, int]) -> Any:
    of, source, body = expr.args
    if expr.op in ("exists", "every", "tally") and source.op == "filter":
        inner, base, test = source.args
        test = replaced(test, inner, var(of))
        if expr.op == "every":
            body = Expr("or", (opposite(test), body), TRUTH)
        else:
            body = Expr("and", (test, body), TRUTH)
        return same_form(simple(Expr(expr.op, (of, base, body), expr.type)), names)
    within = {**names, of.origin: len(names)}
    if expr.op == "every":  # every: not any … not
        body = simple(opposite(body))
    if expr.op in ("exists", "every") and (found := _any_of(of, source, body)) is not None:
        form = same_form(found, names)
        return _denied(form) if expr.op == "every" else form
    if expr.op == "every":
        return ("not", ("exists", same_form(source, names), same_form(body, within)))
    return (expr.op, same_form(source, names), same_form(body, within))


def _any_of(of: Var, source: Expr, body: Expr) -> Expr | None:
    """Any of all of a kind is in a set (and …): there is any in the set (that …), as it is when they are counted."""
    those = those_in(Expr("tally", (of, source, body), NUMBER))
    if those is None:
        return None
    if those.op == "tally":
        return simple(Expr("exists", those.args, TRUTH))
    return Expr("not", (Expr("less", (those, const(1, NUMBER)), TRUTH),), TRUTH)


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
    same = [same_form(x, names) for x in one[1]] == [same_form(x, names) for x in other[1]]
    return one if same and same_form(subject, names) == same_form(one[1][0], names) else None
