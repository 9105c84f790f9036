"""How much time there is for a decision. Whoever thinks asks from time to time whether a share of it is gone."""

from __future__ import annotations

import time

__all__ = ["LATE", "Endless", "Hurry", "TooLate"]

ALL = 0.15  # of the time: until then, all worlds are gone through
MANY = 0.35  # until then, as many are drawn as usual
FEW = 0.6  # and until then few; whoever knows nothing by then goes without
LATE = 0.9  # then it has to be decided; the rest is for what cannot be interrupted


class TooLate(Exception):
    """There is no time to find it out."""


class Endless(TooLate):
    """However much time there is, it would take too long: to try again is no use."""


class Hurry:
    """A decision that was begun now; `seconds` may be None: as long as it takes, or until it has taken so many steps of
    the interpreter."""

    __slots__ = ("_begun", "_seconds", "_steps")

    def __init__(self, seconds: float | None = None, steps: int | None = None):
        self._begun, self._seconds, self._steps = time.monotonic(), seconds, steps

    @property
    def limited(self) -> bool:
        return self._seconds is not None

    def past(self, share: float) -> bool:
        """Is so much of the time gone?"""
        return self._seconds is not None and time.monotonic() - self._begun > share * self._seconds

    def is_endless(self, steps: int) -> bool:
        """Are these more steps than anybody would wait for?"""
        return self._steps is not None and steps > self._steps
