"""What a compiled game consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from .model import Choice, Expr, Function, Rule, Step, Text, Type, Value, Var

OVER, FITS, FAILS = 0, 1, 2  # the first nodes: the game is over; a tried plan ends well; it does not
Slots = list[Value]  # of a state: see slots.py
_NONE: Any = None


@dataclass(slots=True)
class Event:
    """What a line of a log says: which step, what it tells (names and types), in which words."""

    number: int
    kind: str  # the verb; set and reset for the state
    step: str
    text: Text
    names: tuple[str, ...] = ()
    types: tuple[Type, ...] = ()
    function: Function | None = None
    functions: tuple[Function, ...] = ()
    alternative: str = ""
    origin: Step | None = None
    context: tuple[Var, ...] = ()  # further values at the end: see Step.context
    partial: bool = False  # only some parts of a choice, for those who do not see all of it
    planned: bool = False  # told first to the one who plans, to the others when the plan is done


@dataclass(slots=True)
class Node:
    number: int
    kind: str  # over, ask, chance
    step: Step | None
    planned: bool = False
    # To ask takes all four of these functions of the slots, chance only the last, the end none: `kind` tells.
    actor: Callable[[Slots], int | None] = _NONE
    legal: Callable[..., list[Choice]] = _NONE  # and of alternatives to leave out, where some are chosen rarely
    allows: Callable[[Slots, Choice], bool] = _NONE
    pool: int = -1  # chance: the slot of what is drawn from
    apply: Callable[[Slots, Choice], int] = _NONE  # gives the next block
    slots: tuple[int, ...] = ()  # the variables that are alive here, in this rule
    rule: Rule | None = None


@dataclass(slots=True)
class Program:
    start: Slots
    blocks: list[Callable[[Slots], int]]  # each gives the number of the one that follows; -1: somebody decides
    nodes: list[Node]
    events: list[Event]
    entry: int
    state_slots: int
    returns: dict[int, tuple[Rule, tuple[int, ...]]]  # a place of return -> the rule it is in, variables alive there
    return_slot: dict[str, int]  # rule -> slot of its place of return
    source: str
    tables: dict[str, Any]  # what the source refers to by name
    roles: dict[tuple[int, str], str]  # node, which of its functions -> its name in the source
    code: CodeType | None = None  # the source, compiled
    lines: list[Step | None] = field(default_factory=list)  # line of the source -> step
    rules: dict[str, Rule] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long anything may take: see state.py."""

    budget: int  # blocks between two decisions
    plans: int  # choices that are tried in a plan
    plans_ahead: int
    straight: int  # choices that are made one after the other, before plans are looked at side by side


# --- looks at steps ---------------------------------------------------------------------------------------------------
def planned_rules(steps: Iterable[Step]) -> set[str]:
    """The rules that a plan may call, by their shapes."""
    found: set[str] = set()

    def mark(steps: list[Step]) -> None:
        for step in steps:
            if step.callee is not None and step.callee.shape not in found:
                found.add(step.callee.shape)
                mark(step.callee.steps)
            for body in step.bodies.values():
                mark(body)
            for alternative in step.alternatives:
                mark(alternative.then)

    for step in steps:
        if step.verb == "plan":
            mark(step.bodies["do"])
    return found


def is_plain(steps: list[Step]) -> bool:
    """Can these steps be written straight into a block?"""
    return all(
        s.verb in ("let", "set", "move", "show", "say", "return", "end")
        or s.verb in ("if", "for each")
        and all(is_plain(b) for b in s.bodies.values())
        for s in steps
    )


def draws_numbers(pool: Expr) -> bool:
    """Is what is drawn a number, not a thing?"""
    return pool.type.of is not None and pool.type.of.kind == "number"


Lines = list[tuple[str, Step | None]]
