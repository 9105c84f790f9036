"""How much time there is for a decision. Whoever thinks asks from time to time whether a share of it is gone."""

from __future__ import annotations

import time

__all__ = ["LATE", "Hurry", "TooLate"]

ALL = 0.15  # of the time: until then, all worlds are gone through
MANY = 0.35  # until then, as many are drawn as usual
FEW = 0.6  # and until then few; whoever knows nothing by then goes without
LATE = 0.9  # then it has to be decided; the rest is for what cannot be interrupted


class TooLate(Exception):
    """There is no time to find it out."""


class Hurry:
    """A decision that was begun now; `seconds` may be None: as long as it takes."""

    __slots__ = ("_begun", "_seconds")

    def __init__(self, seconds: float | None = None):
        self._begun, self._seconds = time.monotonic(), seconds

    @property
    def limited(self) -> bool:
        return self._seconds is not None

    def past(self, share: float) -> bool:
        """Is so much of the time gone?"""
        return self._seconds is not None and time.monotonic() - self._begun > share * self._seconds
