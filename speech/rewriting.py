"""Other expressions with the same worth, one step each: what the simplifications of `simplifying` are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from ..interpreter.model import NOTHING, NUMBER, TRUTH, Expr, Type, Var, const, fits, may_equal, set_of
from .building import uses
from .lexicon import no_value, same_values

__all__ = [
    "CALLS",
    "MAX_SHARED",
    "any_or_none",
    "between",
    "certain",
    "each_in",
    "each_is",
    "flat",
    "instead",
    "is_empty",
    "is_of_all",
    "is_one",
    "is_some",
    "joined_by",
    "joined_parts",
    "known_row",
    "listed",
    "named_once",
    "narrowed",
    "none_among",
    "none_or_some",
    "nowhere_else",
    "not_of_those",
    "of_its_kind",
    "of_those_if",
    "of_one_or_other",
    "one_such",
    "opened",
    "reckoned",
    "replaced",
    "single",
    "those_in",
    "two_differ",
    "var",
]

CALLS = ("table", "state", "word", "formula")
MAX_SHARED = 3  # what is said of one thing in one breath
SUMS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b if b else 0,
    "rem": lambda a, b: a % b if b else a,
}


def var(of: Var) -> Expr:
    return Expr("var", (of,), of.type)


def replaced(expr: Any, old: Var, new: Expr) -> Any:
    if isinstance(expr, Expr):
        if expr.op == "var" and expr.args[0].origin is old.origin:
            return new
        return Expr(expr.op, tuple(replaced(arg, old, new) for arg in expr.args), expr.type)
    return tuple(replaced(x, old, new) for x in expr) if isinstance(expr, tuple) else expr


def reckoned(expr: Expr) -> Expr:
    """What numbers that are known come to, where they are compared."""
    if expr.op not in (*SUMS, "less", "eq") or any(arg.type.kind != "number" for arg in expr.args):
        return expr
    expr = Expr(expr.op, tuple(map(reckoned, expr.args)), expr.type)
    one, other = (arg.args[0] if arg.op == "const" else None for arg in expr.args)
    if expr.op in ("add", "sub") and other == 0:
        left: Expr = expr.args[0]
        return left
    if expr.op == "less" and (more := expr.args[1]).op == "add" and more.args[1].args[:1] == (1,):
        return Expr("not", (Expr("less", (more.args[0], expr.args[0]), TRUTH),), TRUTH)  # at least one more: more than
    if one is None or other is None:
        return expr
    if expr.op in SUMS:
        return const(SUMS[expr.op](one, other), NUMBER)
    return const(one < other if expr.op == "less" else one == other, TRUTH)


def is_empty(group: Expr) -> bool:
    """Numbers from one to a lower one, or things without all of their kind: there are none."""
    if group.op in ("without", "remove"):
        return group.args[0].type.many and (is_of_all(*group.args) or is_empty(group.args[0]))
    if group.op == "filter":
        return is_empty(group.args[1]) or (group.args[2].op == "const" and not group.args[2].args[0])
    if group.op in ("join", "extend", "heap"):
        return all(map(is_empty, group.args))
    if group.op == "const":
        return bool(group.args[0] == ())
    if group.op != "range" or any(end.op != "const" or end.args[0] is None for end in group.args):
        return False
    least, most = (end.args[0] for end in group.args)
    return bool(least > most)


def is_filled(group: Expr) -> bool:
    """Is there something in it, whatever the position is?"""
    if group.op in ("join", "extend", "heap", "append"):
        return any(part.type.many and is_filled(part) for part in group.args)
    return group.op == "const" and len(single(group)) > 0


def known_row(group: Expr) -> list[Expr]:
    """Things that are known, in their order."""
    if group.op in ("after", "rotated") and group.args[1].op == "const":
        row = known_row(group.args[0])
        at = next((i for i, one in enumerate(row) if one.args[0] == group.args[1].args[0]), None)
        if at is None:
            return []
        at += group.op == "after"
        return [*row[at:], *row[:at]]
    if group.op == "table" and group.type.of is not None and all(x.op == "const" for x in group.args[1]):
        values = group.args[0].values.get(tuple(x.args[0] for x in group.args[1]))
        return known_row(const(values, group.type)) if isinstance(values, tuple) else []
    if group.op != "often":
        things = single(group) if group.op == "const" else []
        return [const(x.args[0], replace(x.type, atoms=frozenset(x.args))) for x in things if x.type.kind == "thing"]
    times = group.args[2].args[0].values
    return [one for one in known_row(group.args[1]) if (times.get((one.args[0],)) or 0) > 0]


def is_of_all(one: Expr, group: Expr) -> bool:
    """Is it one of a kind (or are they), of which everything is in the group?"""
    kind = one.type.of if one.type.many else one.type
    if kind is None or kind.kind != "thing" or kind.maybe or not kind.atoms or group.op != "const":
        return False
    return group.type.kind == "set" and kind.atoms <= set(group.args[0])


def certain(expr: Expr) -> Expr:
    """The owner of the first card, where that card is known by now: he is there, too."""
    if expr.op not in CALLS or not expr.type.maybe:
        return expr
    function, inputs = expr.args
    if function.result.maybe or any(x.type.maybe for x in inputs):
        return expr
    return Expr(expr.op, expr.args, expr.type.definite())


def narrowed(expr: Expr) -> Expr:
    """Of what is left where a choice was settled: a row is of the kinds of things that are in it."""
    if expr.op == "cond" and expr.type.maybe and all(x.type.kind == expr.type.kind for x in expr.args[1:]):
        if not any(x.type.maybe or x.args[:1] == (None,) for x in expr.args[1:]):
            return narrowed(Expr(expr.op, expr.args, expr.type.definite()))
    if expr.op in ("first", "last", "only", "cond"):
        return Expr(expr.op, expr.args, _only(expr.type, expr.args[1:] if expr.op == "cond" else expr.args))
    of = expr.type.of
    if of is None:
        return expr
    if expr.op in ("filter", "highest", "lowest"):
        sources = expr.args[1:2]
    elif expr.op in ("reversed", "rotated", "after", "without", "remove"):
        sources = expr.args[:1]
    elif expr.op in ("append", "extend", "join", "heap"):
        sources = expr.args
    else:
        return expr
    return Expr(expr.op, expr.args, replace(expr.type, of=_only(of, sources)))


def of_its_kind(expr: Expr) -> Expr | None:
    """What is bound is of the kind of those that it is one of, where that has become narrower; None if it has not."""
    of, source, body = expr.args
    kind = source.type.of
    if kind is None or kind.kind != "thing" or kind.maybe or of.type.kind != "thing":
        return None
    if not kind.atoms or not kind.atoms < of.type.atoms:
        return None
    it = Var(of.name, kind)
    return Expr(expr.op, (it, source, replaced(body, of, var(it))), expr.type)


def _only(kind: Type, sources: tuple[Expr, ...]) -> Type:
    """The kind, without what is in none of these."""
    parts = [x.type.of if x.type.many else x.type for x in sources]
    atoms = frozenset[int]().union(*(part.atoms for part in parts if part is not None))
    known = all(part is not None and part.kind == "thing" and part.atoms for part in parts)
    return replace(kind, atoms=atoms) if kind.kind == "thing" and known and atoms < kind.atoms else kind


def none_or_some(expr: Expr) -> Expr:
    """Of what is the same for all of them: whether there is any of them."""
    so, source = bool(expr.args[2].args[0]), expr.args[1]
    if so == (expr.op == "every") or is_filled(source):
        return const(so, TRUTH)
    if source.op == "filter":
        some = Expr("exists", source.args, TRUTH)
        return some if so else Expr("not", (some,), TRUTH)
    count = Expr("count", (source,), NUMBER)
    if expr.op == "every":
        return Expr("eq", (count, const(0, NUMBER)), TRUTH)
    return Expr("not", (Expr("less", (count, const(1, NUMBER)), TRUTH),), TRUTH)


def nowhere_else(expr: Expr) -> bool:
    """Do steps from all of a kind lead to nothing but them?"""
    _, source, body = expr.args
    kind = body.type.of if body.type.many else body.type
    if source.op != "const" or source.type.kind != "set" or kind is None or kind.kind != "thing" or not kind.atoms:
        return False
    return bool(kind.atoms <= set(source.args[0]))


def named_once(expr: Expr) -> Expr | None:
    """Sets that are put together, without those of which another one has everything; None if there are none."""
    parts = joined_parts(expr)
    kept: list[Expr] = []
    for at, part in enumerate(parts):
        others = [*kept, *parts[at + 1 :]]
        if not any(_has_all(other, part) and (other in kept or not _has_all(part, other)) for other in others):
            kept.append(part)
    if len(kept) == len(parts):
        return None
    found = kept[0]
    for part in kept[1:]:
        found = Expr("join", (found, part), expr.type)
    return found


def _has_all(one: Expr, other: Expr) -> bool:
    """Of two sets of things that are known: has the one all of the other?"""
    known = all(side.op == "const" and side.type.kind == "set" for side in (one, other))
    return known and set(other.args[0]) <= set(one.args[0])


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


def instead(expr: Any, old: Expr, new: Expr) -> Any:
    if expr is old:
        return new
    if isinstance(expr, Expr):
        return Expr(expr.op, tuple(instead(arg, old, new) for arg in expr.args), expr.type)
    return tuple(instead(x, old, new) for x in expr) if isinstance(expr, tuple) else expr


def any_or_none(expr: Expr) -> Expr | None:
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


def each_is(expr: Expr) -> Expr | None:
    """Among those that …: each of them …, where all of them could be."""
    part, whole = expr.args
    if whole.op != "filter" or whole.args[1].op != "const" or "set" not in (part.type.kind, whole.type.kind):
        return None
    of, (things,) = part.type.of, whole.args[1].args
    if of is None or of.kind != "thing" or not of.atoms or not of.atoms <= set(things):
        return None
    it = Var(whole.args[0].name, of)  # it is of the kind of those that are spoken of
    return Expr("every", (it, part, replaced(whole.args[2], whole.args[0], var(it))), TRUTH)


def all_are(expr: Expr) -> Expr | None:
    """Those that … are exactly all of their kind: all of that kind are among them."""
    for some, every in (expr.args, expr.args[::-1]):
        if some.type.kind == every.type.kind == "set" and some.op != "const" and is_of_all(some, every):
            return Expr("within", (every, some), TRUTH)
    return None


def one_has(expr: Expr) -> Expr | None:
    """This is one of the values of some things: one of them has it; of those that are only named, this one or that."""
    one, group = expr.args
    if group.op not in ("image", "images") or one.op != "const" or one.args[0] is None:
        return None
    of, source, value = group.args
    values = [replaced(value, of, item) for item in listed(source)]
    if values:
        return joined_by("or", (_value_is(x, one) for x in values))
    return Expr("exists", (of, source, _value_is(value, one)), TRUTH)


def _value_is(value: Expr, one: Expr) -> Expr:
    return Expr("member", (one, value), TRUTH) if value.type.many else Expr("eq", (value, one), TRUTH)


def both_are(expr: Expr) -> Expr | None:
    """Any of those that … is one of these: any of these …, where all of these could be."""
    of, source, body = expr.args
    if source.op != "filter" or body.op != "member" or body.args[0].op != "var":
        return None
    (one, group), (it, things, test) = body.args, source.args
    if one.args[0].origin is not of.origin or uses(group, of) or not is_of_all(group, things):
        return None
    if group.type.of is None or group.op not in CALLS:
        return None
    it_is = Var(it.name, group.type.of)
    return Expr("exists", (it_is, group, replaced(test, it, var(it_is))), TRUTH)


def each_in(expr: Expr) -> Expr | None:
    """All of some things are among others: each of them is one of the others."""
    part, whole = expr.args
    if "set" not in (part.type.kind, whole.type.kind) or part.type.of is None or part.type.of.kind != "thing":
        return None
    it = Var("x", part.type.of)
    return Expr("every", (it, part, Expr("member", (var(it), whole), TRUTH)), TRUTH)


def none_among(expr: Expr) -> Expr | None:
    """All of some things are among others of which they can be none: there are none; nor of these, if it is all."""
    groups = expr.args
    if not all(group.type.many for group in groups):
        return None
    if may_equal(groups[0].type, groups[1].type) and not any(map(is_empty, groups)):
        return None
    none = [_none_of(group) for group in (groups[:1] if expr.op == "within" else groups)]
    return joined_by("and", none)


def _none_of(group: Expr) -> Expr:
    if group.type.of is None or is_empty(group):
        return const(is_empty(group), TRUTH)
    return none_or_some(Expr("every", (Var("x", group.type.of), group, const(False, TRUTH)), TRUTH))


def is_some(expr: Expr) -> Expr | None:
    """What may be missing is one of all that it can be: it is not missing."""
    one, group = expr.args
    if one.op == "const" or not one.type.maybe or not is_of_all(Expr(one.op, one.args, one.type.definite()), group):
        return None
    return Expr("not", (Expr("eq", (one, const(None, NOTHING)), TRUTH),), TRUTH)


def is_one(expr: Expr) -> Expr | None:
    """Any of them is this: this is one of them."""
    of, source, body = expr.args
    if body.op != "eq" or body.args[0].type.kind not in ("thing", "number"):
        return None
    for one, other in (body.args, body.args[::-1]):
        if one.op == "var" and one.args[0].origin is of.origin and not uses(other, of):
            return Expr("member", (other, source), TRUTH)
    return None


def of_one_or_other(expr: Expr) -> Expr | None:
    """One of these together with those: one of these, or one of those; what is only named is a list already."""
    one, group = expr.args
    parts = _together(group)
    if len(parts) < 2 or all(len(items := single(part)) == 1 and items[0].op == "const" for part in parts):
        return None
    return joined_by("or", (_is_of(one, part) for part in parts))


def of_those_if(expr: Expr) -> Expr | None:
    """One of those for which something holds that does not concern them: one of those, and it holds."""
    one, group = expr.args
    if group.op != "filter" or uses(group.args[2], group.args[0]):
        return None
    return joined_by("and", (_is_of(one, group.args[1]), group.args[2]))


def not_of_those(expr: Expr) -> Expr | None:
    """One of all of its kind except some: none of these."""
    one, group = expr.args
    if group.op != "without" or not is_of_all(one, group.args[0]):
        return None
    return Expr("not", (_is_of(one, group.args[1]),), TRUTH)


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
    alone = single(group)
    if len(alone) == 1 and not alone[0].type.maybe and alone[0].args[:1] != (None,):
        return Expr("eq", (one, alone[0]), TRUTH)
    return Expr("member", (one, group), TRUTH)


def one_such(expr: Expr) -> Expr | None:
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


def two_differ(expr: Expr) -> Expr | None:
    """No two of two that are named share something: it is not the same for the one as for the other."""
    of, source, value = expr.args
    items = listed(source)
    if len(items) != 2 or items[0].args == items[1].args or value.type.kind in ("truth", "amount"):
        return None
    return Expr("not", (Expr("eq", tuple(replaced(value, of, item) for item in items), TRUTH),), TRUTH)


def flat(expr: Expr, op: str) -> list[Expr]:
    return [y for x in expr.args for y in (flat(x, op) if x.op == op else [x])]


def joined_parts(expr: Expr) -> list[Expr]:
    return [y for x in expr.args for y in (joined_parts(x) if x.op == "join" else [x])]


def listed(group: Expr) -> list[Expr]:
    """The things of a group that is no more than a short list of names."""
    parts = joined_parts(group) if group.op == "join" else [group]
    items = [item for part in parts for item in single(part)]
    if len(items) < len(parts) or not 2 <= len(items) <= MAX_SHARED or any(x.op != "const" for x in items):
        return []
    return items


def single(expr: Expr) -> list[Expr]:
    if expr.op == "gather":
        return list(expr.args[0])
    if expr.op == "const" and isinstance(expr.args[0], tuple) and expr.type.of is not None:
        return [const(x, expr.type.of) for x in expr.args[0]]
    return []


def those_in(expr: Expr) -> Expr | None:
    """Of all of a kind those that are in a set (and …): those in the set (that …)."""
    of, source, test = expr.args
    parts = flat(test, "and") if test.op == "and" else [test]
    for part in parts if source.op == "const" else ():
        group = part.args[1] if part.op == "member" and _is_var(part.args[0], of) else None
        if group is None or group.type.kind != "set" or uses(group, of) or not is_of_all(group, source):
            continue
        rest = [other for other in parts if other is not part]
        if rest:
            return Expr(expr.op, (of, group, joined_by("and", rest)), expr.type)
        return group if expr.op == "filter" else Expr("count", (group,), NUMBER)
    return None


def _is_var(expr: Expr, of: Var) -> bool:
    return expr.op == "var" and expr.args[0].origin is of.origin


def between(expr: Expr) -> Expr | None:
    """A number that is known lies between two: the one is not above it, and the other is not below."""
    one, group = expr.args
    if group.op != "range" or one.op != "const" or one.args[0] is None or any(end.type.maybe for end in group.args):
        return None
    least, most = (Expr("less", pair, TRUTH) for pair in ((one, group.args[0]), (group.args[1], one)))
    return Expr("and", (Expr("not", (least,), TRUTH), Expr("not", (most,), TRUTH)), TRUTH)


def joined_by(op: str, parts: Iterable[Any]) -> Expr:
    first, *rest = parts
    found: Expr = first
    for part in rest:
        found = Expr(op, (found, part), TRUTH)
    return found
