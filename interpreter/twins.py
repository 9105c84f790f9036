"""Values in two worlds that one observer cannot tell apart.

A `Twin` says of a value which values it may have, and by which secrets it may differ between two such worlds. Without a
secret it is *low*: the same in both. Whatever can only be one thing is low. An `Env` holds what is known at a place of
the rules: the names, and facts about the state, which end when that state is set.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from .model import Expr, Function, Step, Value, Var

if TYPE_CHECKING:
    from .keyboard import Owed, Tags

MAX_CELLS = 8  # of a state function about which facts are kept
MAX_SECRETS = 3  # that are remembered for a message; that there is one is never forgotten


class Secret(NamedTuple):
    name: str  # as the rules call it, with those it belongs to where that is known: hand of ann
    by: str = ""  # the step by which it decides what is done
    at: str = ""  # of what was chosen or drawn: the step where it was
    kind: str = ""  # answer, chosen or drawn


High = frozenset[Secret]
LOW: High = frozenset()
Domain = frozenset[Value] | None  # of a set or list: its possible elements; None: anything
RISK: High = frozenset({Secret("")})  # it may not be, but if so in all worlds
BOUNDS = "(bounds)"  # by which a secret may stop the game: a number out of bounds
BOTH: frozenset[Value] = frozenset({True, False})
YES: frozenset[Value] = frozenset({True})
NO: frozenset[Value] = frozenset({False})
NOTHING: frozenset[Value] = frozenset({None})


class Twin(NamedTuple):
    dom: Domain
    high: High = LOW
    exact: bool = False  # of a set: it has all of dom
    size: High | None = (
        None  # the secrets on which its size hangs, or whether it is nothing, if they are fewer than high
    )
    stops: High = (
        LOW  # the secrets on which it hangs whether it can be valued at all, so that the game goes on; or RISK
    )
    gap: bool = False  # where anything is possible: nothing, too?

    @property
    def amount(self) -> High:
        return self.high if self.size is None else self.size

    @property
    def one(self) -> bool:
        return self.dom is not None and len(self.dom) == 1

    @property
    def lacks(self) -> bool:
        """May there be nothing?"""
        return self.gap if self.dom is None else None in self.dom


class Seen(NamedTuple):
    """Does the observer belong to an audience: possibly, surely, and the secrets on which that hangs."""

    may: bool
    must: bool
    high: High = LOW


ANYTHING = Twin(None)
NOT_SEEN = Seen(False, False)
SURELY = Seen(True, True)


class Split(Exception):
    """It makes a difference which value this expression has; `origin` is the expression where that was found out."""

    def __init__(self, expr: Expr, origin: Expr):
        self.expr, self.origin = expr, origin


class Stopped(Exception):
    """The game cannot go on from here, whatever is in the state."""


FILLED: tuple[Value, ...] = ("filled",)  # instead of the arguments of a cell: a fact about all of them
THERE = "there"  # instead of the first argument: something is known to lie in it
Row = tuple[tuple[tuple[Value, ...], Twin], ...]


class Env:
    __slots__ = ("vars", "facts", "tags", "keyboard", "owed", "shown", "beat", "spoilt")

    def __init__(self, vars: dict[Var, Twin], facts: dict[Function, Row]):
        self.vars, self.facts = vars, facts
        self.tags: dict[Var, Tags] = {}  # seats that are known to be the same
        self.keyboard: Tags = frozenset()  # who sits at it, if that is known
        self.owed: Owed | None = None  # has the keyboard perhaps been passed on unseen?
        self.shown = False  # was the observer shown something on this branch?
        self.beat = False  # has the observer surely noticed something, in this round or before it?
        self.spoilt = False  # has there been a reveal since, that he may have seen or not?

    def copy(self) -> Env:
        found = Env(self.vars.copy(), self.facts.copy())
        found.tags, found.keyboard, found.owed = self.tags.copy(), self.keyboard, self.owed
        found.shown, found.beat, found.spoilt = self.shown, self.beat, self.spoilt
        return found

    def key(self) -> tuple[object, ...]:
        vars, facts = frozenset(self.vars.items()), frozenset(self.facts.items())
        return vars, facts, self.keyboard, self.owed, self.shown, self.beat, self.spoilt

    def fact(self, function: Function, args: tuple[Value, ...] | None) -> Twin | None:
        if args is not None:
            for known, twin in self.facts.get(function, ()):
                if known == args:
                    return twin
        return None

    def learn(self, function: Function, args: tuple[Value, ...], twin: Twin) -> None:
        rest = tuple(row for row in self.facts.get(function, ()) if row[0] != args)
        self.facts[function] = tuple(sorted((*rest, (args, twin)), key=lambda row: str(row[0])))

    def fill(self, function: Function) -> None:
        """Everything of it has a value from here on; sets and lists: none of them is empty, until one is set."""
        self.learn(function, FILLED, ANYTHING)

    def is_filled(self, function: Function) -> bool:
        return self.fact(function, FILLED) is not None

    def forget(self, functions: Iterable[Function]) -> None:
        """They were set, nobody knows to what: but what has a value keeps one."""
        for function in functions:
            row = self.facts.pop(function, ())
            if not function.lasts and not function.result.many and any(args == FILLED for args, _ in row):
                self.facts[function] = ((FILLED, ANYTHING),)

    def forget_cell(self, function: Function, at: tuple[Value, ...]) -> None:
        """Only this one was set."""
        row = self.facts.pop(function, ())
        many = function.result.many
        kept = tuple(
            known
            for known in row
            if not many and known[0] == FILLED or known[0] not in (at, FILLED) and known[0][0:1] != (THERE,)
        )
        if kept:
            self.facts[function] = kept

    def empty(self, function: Function) -> None:
        """It starts anew, or is set to what may be nothing."""
        self.facts.pop(function, None)


def is_small(function: Function) -> bool:
    """Are facts kept about this state? Not if it has too many cells to be worth it."""
    cells = 1
    for param in function.params:
        cells *= len(param.type.atoms) or MAX_CELLS + 1
    return cells <= MAX_CELLS


def cell(twins: Iterable[Twin]) -> tuple[Value, ...] | None:
    """The arguments, if there is no doubt about them."""
    found: list[Value] = []
    for twin in twins:
        if twin.high or twin.dom is None or len(twin.dom) != 1 or None in twin.dom:
            return None
        found += twin.dom
    return tuple(found)


def both(twins: Iterable[Twin]) -> High:
    return LOW.union(*(t.high for t in twins))


def under(stops: High, high: High) -> High:
    """What stops in all worlds that come here, if it hangs on these secrets which of them do."""
    if not high or not any(not s.name for s in stops):
        return stops
    return frozenset(t for s in stops for t in ([s] if s.name else [h._replace(by=s.by) for h in high]))


def few(high: High) -> High:
    return high if len(high) <= MAX_SECRETS else frozenset(sorted(high)[:MAX_SECRETS])


def through(high: High, step: Step) -> High:
    """Secrets by which this step decides what is done."""
    return few(frozenset(s._replace(by=step.name) for s in high))


def joined(one: Twin, other: Twin) -> Twin:
    """One of two values."""
    if one == other:
        return one
    dom = None if one.dom is None or other.dom is None else one.dom | other.dom
    size = None if one.size is None and other.size is None else one.amount | other.amount
    exact = one.exact and other.exact and one.dom == other.dom
    return Twin(dom, few(one.high | other.high), exact, size, one.stops | other.stops, one.lacks or other.lacks)


def merged(envs: list[Env]) -> Env:
    """What is known in all of these cases."""
    first, *others = envs
    if not others:
        return first
    found = Env({}, {})
    for var, twin in first.vars.items():
        for env in others:
            other = env.vars.get(var)
            if other is None:
                break
            twin = joined(twin, other)
        else:
            found.vars[var] = twin
    for function, row in first.facts.items():
        kept = tuple(known for known in row if all(known in env.facts.get(function, ()) for env in others))
        if kept:
            found.facts[function] = kept
    found.tags = {v: t for v, t in first.tags.items() if all(env.tags.get(v) == t for env in others)}
    found.keyboard = first.keyboard.intersection(*(env.keyboard for env in others))
    owed = [env.owed for env in envs if env.owed is not None]
    if owed:
        to = frozenset.intersection(*(one.to for one in owed))
        found.owed = owed[0]._replace(to=to, high=few(LOW.union(*(one.high for one in owed))))
    found.shown, found.beat = all(env.shown for env in envs), all(env.beat for env in envs)
    found.spoilt = any(env.spoilt for env in envs)
    return found
