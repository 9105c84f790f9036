"""Sets of worlds as numbers, a bit for each world: what is seen strikes out many at once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..interpreter.observe import Row

__all__ = ["Deals", "World"]

World = tuple[Any, ...]  # the values of all secrets, in the order of `Belief.place`


class Deals:
    """All worlds that were dealt, in order. They never change, so beliefs of many games share them."""

    __slots__ = ("_holding", "_numbers", "all", "left", "worlds")

    def __init__(self, worlds: list[World]):
        self.worlds = worlds
        self.all = (1 << len(worlds)) - 1
        self.left: dict[Row, int] = {}  # what a row leaves possible, for whoever looks at many (thought.py)
        self._holding: dict[int, dict[Any, int]] = {}
        self._numbers: dict[World, int] | None = None

    def holding(self, place: int) -> dict[Any, int]:
        """By what may stand at a place: in which worlds it does."""
        found = self._holding.get(place)
        if found is None:
            column = [world[place] for world in reversed(self.worlds)]
            found = self._holding[place] = {
                value: int("".join(["1" if other == value else "0" for other in column]), 2)
                for value in dict.fromkeys(reversed(column))
            }
        return found

    def listed(self, bits: int) -> list[World]:
        """The worlds of a set, in order."""
        if bits == self.all:
            return self.worlds
        return list(compress(self.worlds, map(int, bin(bits)[:1:-1])))

    def first(self, bits: int) -> World:
        return self.worlds[(bits & -bits).bit_length() - 1]

    def set_of(self, worlds: Iterable[World]) -> int:
        """Some worlds as a set."""
        if self._numbers is None:
            self._numbers = {world: number for number, world in enumerate(self.worlds)}
        bits = 0
        for world in worlds:
            bits |= 1 << self._numbers[world]
        return bits

    def is_in(self, world: World, bits: int) -> bool:
        if self._numbers is None:
            self._numbers = {one: number for number, one in enumerate(self.worlds)}
        number = self._numbers.get(world)
        return number is not None and bool(bits >> number & 1)
