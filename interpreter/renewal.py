"""Which games mean other than they once did, so that saves from before would not play again as they went.

Sets once had the order in which a union or the seats were named, not that of their members; of lists, some forms lost
equal elements. Where no order is looked at and no list is joined, nothing has changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from .model import Expr, Part, Step
from .steps import Rules
from .trees import DEFINED, definitions, walk_expressions

__all__ = ["means_anew"]

IN_ORDER = frozenset({"first", "last", "reversed", "rotated", "after", "often", "append", "extend", "images"})

TAKEN_FROM = {"filter": (1,), "without": (0,), "remove": (0,), "cond": (1, 2)}  # in the order of these arguments


def means_anew(rules: Rules) -> bool:
    """Does anything in this game mean other than when its lists and sets were made in another way?"""
    words = rules.words
    changed = words.reordered | ({tuple(sorted(words.seats))} if sorted(words.seats) != list(words.seats) else set())

    def reordered(exprs: list[Expr]) -> bool:
        return any(e.op == "const" and e.type.many and e.args[0] in changed for e in _ordering(exprs))

    everything = list(_expressions(rules))
    if any(_joins_lists(expr) for expr in walk_expressions(everything)):
        return True
    if words.chance_seats and any(p.source.type.kind == "list" for s in rules.steps for p in _single(s)):
        return True  # equal cards were offered twice, and chance took one of all
    if not changed:
        return False
    looked_at = [kid for e in walk_expressions(everything) if e.op in IN_ORDER for kid in e.kids()]
    for step in rules.steps:
        looked_at += [step.at[key] for key in ("for each", "from", "deal", "to") if key in step.at]
        looked_at += [p.source for p in _parts(step)] if words.chance_seats else []
    if reordered(looked_at):
        return True
    handed_on = any(e.op in ("var", "state") for e in _ordering(looked_at))
    return handed_on and reordered([e for s in rules.steps for e in _kept(s)])


def _ordering(exprs: list[Expr]) -> Iterator[Expr]:
    """What the order of these sets and lists hangs on: what they are taken from."""
    stack, seen = list(exprs), set()
    while stack:
        expr = stack.pop()
        if expr.op in ("const", "var", "state"):
            yield expr
        elif expr.op in DEFINED and id(expr.args[0]) not in seen:
            seen.add(id(expr.args[0]))
            stack += [*definitions(expr), *expr.args[1]]
        elif expr.op in TAKEN_FROM:
            stack += [expr.args[i] for i in TAKEN_FROM[expr.op]]
        elif expr.op in IN_ORDER or expr.op == "args":
            stack += expr.kids()


def _joins_lists(expr: Expr) -> bool:
    lists = [a for a in expr.args if isinstance(a, Expr) and a.type.kind == "list"]
    if expr.op == "images":
        return bool(lists) and expr.args[2].type.kind in ("thing", "set")
    return expr.op in ("extend", "within") and len(lists) == 2


def _parts(step: Step) -> list[Part]:
    return [*step.parts, *(p for a in step.alternatives for p in a.parts)]


def _single(step: Step) -> list[Part]:
    return step.parts if len(step.parts) == 1 and not step.alternatives else []


def _kept(step: Step) -> list[Expr]:
    """What a step puts where others find it."""
    found = [step.at[name] for name in (*step.vars, "return") if name in step.at]
    found += [e for e in (step.at.get("args"), step.at.get("show")) if e is not None]
    return [*found, *(value for _, _, value in step.targets)]


def _expressions(rules: Rules) -> Iterator[Expr]:
    for functions in rules.words.functions.values():
        for function in functions:
            yield from (e for e in (function.body, *function.values.values()) if isinstance(e, Expr))
    for step in rules.steps:
        yield from (e for e in step.at.values() if isinstance(e, Expr))
        yield from (e for _, e in (*step.tells, *step.prompts, *step.must))
        yield from (e for _, args, value in step.targets for e in (*args, value))
        for part in _parts(step):
            yield part.source
            yield from (e for _, test, amount in part.which for e in (test, amount))
        yield from (e for a in step.alternatives for e in (a.given, a.where) if e is not None)
