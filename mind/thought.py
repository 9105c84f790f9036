"""What would be left of the worlds that somebody holds possible, if he saw this or that: asked many times of the same
worlds, so each row is looked at once, and sets of worlds are bits of a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import log2
from typing import TYPE_CHECKING

from ..interpreter.cells import cells_of
from .imagination import MISTAKES

if TYPE_CHECKING:
    from ..interpreter.observe import Row
    from .belief import Belief, World

__all__ = ["Thought"]


class Thought:
    """Some worlds of a belief, and what rows that may come would strike out of them."""

    def __init__(self, belief: Belief, worlds: list[World], allies: Callable[[World], frozenset[int]]):
        self.belief, self.worlds = belief, worlds
        self.all = (1 << len(worlds)) - 1
        self._left: dict[Row, int] = {}  # what a row leaves possible, whatever else was seen
        self._sides: dict[frozenset[int], int] = {}  # by who is on my side: in which worlds
        for number, world in enumerate(worlds):
            side = allies(world)
            self._sides[side] = self._sides.get(side, 0) | 1 << number
        events = belief.game.program.events
        self._kinds = [event.kind for event in events]
        hidden = belief.place.keys()
        self._secret = [e.function is not None and not hidden.isdisjoint(cells_of(e.function)) for e in events]

    def after(self, rows: Iterable[Row]) -> int:
        """The worlds that agree with these rows, as bits."""
        possible = self.all
        before: list[Row] = []  # what changes what is known, and may change what a row means
        silent = self.belief.silent
        for row in rows:
            if row[0] in silent:
                continue
            kind = self._kinds[row[0]]
            if kind == "set" or kind == "reset":
                before.append(row)
                if not self._secret[row[0]]:
                    continue
            elif kind != "ask" and kind != "show":
                continue
            left = self._left.get(row)
            if left is None:
                try:
                    left = self._look_at(row, () if kind == "set" else before)
                except MISTAKES:
                    break
            possible &= left
        return possible

    def _look_at(self, row: Row, before: Iterable[Row]) -> int:
        """What a row leaves possible, after others."""
        seen = self.belief.supposing(self.worlds)
        for earlier in before:
            seen.look_at(earlier)
        seen.worlds, seen.steady = self.worlds, True
        seen.look_at(row)
        kept = set(seen.worlds) if len(seen.worlds) < len(self.worlds) else None
        left = self.all if kept is None else sum(1 << n for n, world in enumerate(self.worlds) if world in kept)
        if seen.steady:
            self._left[row] = left
        return left

    def doubt(self, possible: int) -> float:
        """How uncertain it is who is on my side, in bits."""
        whole = possible.bit_count()
        counts = [n for side in self._sides.values() if (n := (side & possible).bit_count())]
        return -sum(n / whole * log2(n / whole) for n in counts)
