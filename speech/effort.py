"""How much work a sentence may be, counted in steps: reading it, making an expression of it, saying that again.

All of that goes through trees, and much of it tries one way after the other in each part: what somebody types may be
built so that this grows without end. Whoever begins gives a number of steps, and every piece spends of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["TooHard", "at_most", "spend"]

MAX_STEPS = 70_000  # under a second; what the games say takes a hundredth of it


class TooHard(Exception):
    """The sentence is too long, or has too many readings."""


_left: ContextVar[list[int] | None] = ContextVar("_left", default=None)


@contextmanager
def at_most(steps: int = MAX_STEPS) -> Iterator[None]:
    """What is done within may take so many steps in all; what is within other work, what is left of that. Too many
    parts inside each other are too much as well."""
    if _left.get() is not None:
        yield
        return
    token = _left.set([steps])
    try:
        yield
    except RecursionError:
        raise TooHard from None
    finally:
        _left.reset(token)


def spend(steps: int = 1) -> None:
    """One piece of work. Raises TooHard where there was too much already."""
    left = _left.get()
    if left is not None:
        left[0] -= steps
        if left[0] < 0:
            raise TooHard
