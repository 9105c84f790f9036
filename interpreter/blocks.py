"""What a compiled game consists of, and the last step of compiling: joining blocks that follow each other."""

from __future__ import annotations

import re
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
    legal: Callable[[Slots], list[Choice]] = _NONE
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


# --- what both ways to write a program must agree on ------------------------------------------------------------------
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
SHORT = 6
_JUMP = re.compile(r"( *)return (\d+)\Z")


def join_blocks(blocks: list[Lines], functions: list[Lines], kept: set[int]) -> set[int]:
    """Put a block where it is jumped to, if that is at one place only; returns the blocks that are gone by that.

    `kept` are those that are also reached by number: where rules begin and where they return to."""
    for block in blocks:  # nothing after a jump is ever reached
        end = next((i for i, (line, _) in enumerate(block) if line.startswith("return ")), len(block))
        del block[end + 1 :]
    jumps: dict[int, int] = {}
    for lines in (*blocks, *functions):
        for line, _ in lines:
            if found := _JUMP.match(line):
                jumps[int(found[2])] = jumps.get(int(found[2]), 0) + 1
    single = {n for n, count in jumps.items() if count == 1 and n not in kept}
    short = {n for n, block in enumerate(blocks) if len(block) <= SHORT and not any(_JUMP.match(x) for x, _ in block)}
    gone: set[int] = set()
    for home, lines in [*((None, f) for f in functions), *enumerate(blocks)]:
        if home in gone:
            continue
        index = 0
        while index < len(lines):
            found = _JUMP.match(lines[index][0])
            target = int(found[2]) if found else None
            if found and target is not None and target != home and (target in single or target in short):
                if target in single:
                    single.discard(target)
                    gone.add(target)
                lines[index : index + 1] = [(found[1] + line, step) for line, step in blocks[target]]
                continue
            index += 1
    return gone
