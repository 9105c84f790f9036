"""Who sits at the keyboard: all notice when it is passed on.

A seat is known here by *tags*: the thing itself, where it is known, and the names under which the rules have it. Two
sets of tags with one in common are the same seat.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from .model import Function, Step
from .twins import High

Tags = frozenset[object]  # empty: nobody knows who it is


class Move(NamedTuple):
    """The keyboard is passed to somebody, who is asked in this step."""

    to: Tags
    step: Step


class Owed(NamedTuple):
    """Perhaps it was passed to somebody unseen: then he must be the next to be asked, in any case."""

    to: Tags
    high: High
    step: Step


SHOWN, UNSURE = "shown", "unsure"  # the observer was shown something; nobody knows who is asked
Moves = tuple[Move | str, ...]  # in order


def until_shown(moves: Moves) -> Moves:
    return moves[: moves.index(SHOWN)] if SHOWN in moves else moves


def same(one: Moves, other: Moves) -> bool:
    return len(one) == len(other) and all(
        isinstance(a, Move) and isinstance(b, Move) and bool(a.to & b.to) for a, b in zip(one, other)
    )


def goes_with(one: Moves, other: Moves) -> bool:
    """Can these two be told apart only by what is shown?"""
    a, b = sorted((one, other), key=lambda moves: len(until_shown(moves)))
    short, long = until_shown(a), until_shown(b)
    return same(short, long[: len(short)]) and (len(short) == len(long) or SHOWN in a)


def outside(tags: Tags, names: dict[object, Tags]) -> Tags:
    """What a seat that a rule knows by these tags is called by whoever has called the rule."""
    found: set[object] = set()
    for tag in tags:
        if isinstance(tag, int):
            found.add(tag)
        elif tag in names:
            found |= names[tag]
        elif isinstance(tag, tuple) and isinstance(tag[0], Function):
            inner = [outside(frozenset({t}), names) for t in tag[1:]]
            found |= {(tag[0], *row) for row in product(*inner)}
    return frozenset(found)


def renamed(moves: Moves, names: dict[object, Tags]) -> Moves:
    return tuple(UNSURE if isinstance(m, str) else Move(outside(m.to, names), m.step) for m in moves)
