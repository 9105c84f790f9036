"""What would be left of the worlds that somebody holds possible, if he saw this or that: asked many times of the same
worlds, so each row is looked at once, and sets of worlds are bits of a number."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from math import log2
from typing import TYPE_CHECKING

from ..interpreter.cells import cells_of
from .imagination import MISTAKES

if TYPE_CHECKING:
    from ..interpreter.observe import Row
    from .belief import Belief, World

__all__ = ["Thought"]

KEPT = 5_000  # rows of which it is remembered what they leave possible
RESTLESS = -1  # where that hangs on what else was seen


class Thought:
    """Some worlds of a belief, and what rows that may come would strike out of them."""

    def __init__(self, belief: Belief, worlds: list[World], allies: Callable[[World], frozenset[int]]):
        self.belief, self.count = belief, len(worlds)
        self.all = belief.possible if worlds is belief.worlds else belief.deals.set_of(worlds)
        self._seen = copy.copy(belief)
        self._sides: dict[frozenset[int], int] = {}  # by who is on my side: in which worlds
        by_side: dict[frozenset[int], list[World]] = {}
        for world in worlds:
            by_side.setdefault(allies(world), []).append(world)
        for side, several in by_side.items():
            self._sides[side] = belief.deals.set_of(several)
        events = belief.game.program.events
        self._kinds = [event.kind for event in events]
        hidden = belief.place.keys()
        self._secret = [e.function is not None and not hidden.isdisjoint(cells_of(e.function)) for e in events]

    def after(self, rows: Iterable[Row]) -> int:
        """The worlds that agree with these rows, as bits."""
        possible = self.all
        before: list[Row] = []  # what changes what is known, and may change what a row means
        silent, known = self.belief.silent, self.belief.deals.left
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
            left = known.get(row, RESTLESS)
            if left == RESTLESS:
                try:
                    left = self._look_at(row, () if kind == "set" else before)
                except MISTAKES:
                    break
            possible &= left
        return possible

    def _look_at(self, row: Row, before: Iterable[Row]) -> int:
        """What a row leaves possible, after others; if these do not matter, it is kept for the games to come."""
        seen, deals = self._seen, self.belief.deals
        restless = deals.left.get(row) == RESTLESS
        seen.known = self.belief.known.copy()
        for earlier in before:
            seen.look_at(earlier)
        seen.keep(self.all if restless else deals.all)
        seen.steady = True
        seen.look_at(row)
        if not restless:
            if len(deals.left) >= KEPT:
                deals.left.clear()
            deals.left[row] = seen.possible if seen.steady else RESTLESS
        return seen.possible

    def doubt(self, possible: int) -> float:
        """How uncertain it is who is on my side, in bits."""
        whole = possible.bit_count()
        counts = [n for side in self._sides.values() if (n := (side & possible).bit_count())]
        return -sum(n / whole * log2(n / whole) for n in counts)
