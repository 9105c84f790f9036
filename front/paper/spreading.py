"""Where the spaces of a map lie on a grid of characters, and the routes between them.

Coordinates are spread a little, so that crowded quarters get the room that empty ones do not need. What took long is
kept for the next time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from ...interpreter import cache
from . import routing
from .routing import Block, Cell, Strokes, detours, routed, straightened

__all__ = ["Laid", "Points", "laid", "laid_within"]

Points = tuple[tuple[float, float], ...]
Sizes = tuple[tuple[int, int], ...]  # of each space: the columns of its own, and how many of them are always written
Laid = tuple[tuple[Cell, ...], Mapping[tuple[int, int], Strokes], int]  # cells, routes, rows
Ends = tuple[tuple[int, int], ...]
AT_HAND = 32  # maps
WORTH_KEEPING = 0.05  # seconds that it took to lay a map
EVENLY = 0.5  # from true to scale, 0, to evenly spread, 1
FIRST = ((0.9, 0.9), (0.7, 0.9), (0.7, 0.5), (0.5, 0.9))  # with which maps turn out well
EASY = 0.36  # detours that nobody minds: the longest by so much of the width, and a twentieth of that on the average
ROUNDS = 8  # in which detours are looked for
OTHERWISE = ((0.5, 0.5), (0.3, 0.7), (0.9, 0.9), (0.3, 0.9), (0.9, 0.5), (0.7, 0.5), (0.9, 0.7), (0.7, 0.9), (0.5, 0.9))


_LAID: dict[tuple, tuple] = {}


def laid(points: Points, sizes: Sizes, ends: Ends, width: int) -> Laid | None:
    """The lowest map on which every route finds a way; None, if there is none."""
    least = max(24, width * 26 // 100)
    heights = range(least, 2 * least, 2)
    return _kept(
        ("map", points, sizes, ends, width),
        lambda: next((found for height in heights if (found := _lay(points, sizes, ends, width, height))), None),
    )


def laid_within(
    points: Points,
    tries: tuple[Sizes, ...],
    last: Sizes,
    ends: Ends,
    width: int,
    height: int,
    begun: Callable[[], None] = lambda: None,
) -> tuple[int, Laid] | None:
    """The first of several sizes, ever smaller ones, with which all routes find a way without long detours within so
    many rows, and its number; the last of all may take more rows. If it has to be looked for, that is told before."""

    def best(sizes: Sizes, small: bool) -> tuple[float, Laid] | None:
        """The first map without long detours; else that with the fewest."""
        found: list[tuple[float, Laid]] = []
        for across, down in FIRST:
            one = _laid_straight(points, sizes, ends, width, height, across, down, 6 if small else 2)
            if one is not None:
                found.append(one)
                if one[0] <= EASY:
                    return one
        return min(found, key=lambda one: one[0], default=None)

    def search() -> tuple[int, Laid] | None:
        low, high, fits = 0, len(tries), dict[int, tuple[float, Laid]]()
        while low < high:  # what is smaller fits as well
            middle = (low + high) // 2
            found = best(tries[middle], middle > len(tries) // 2)
            if found is not None:
                fits[middle] = found
            if found is not None and found[0] <= EASY:
                high = middle
            else:
                low = middle + 1
        if fits:
            index = min(fits, key=lambda index: (max(fits[index][0], EASY), index))
            return index, fits[index][1]
        for rows in (height, *range(height + 1, 2 * height + 8, 2)):
            ways = (_lay(points, last, ends, width, rows, *weights) for weights in OTHERWISE)
            if (laid := next((found for found in ways if found is not None), None)) is not None:
                return len(tries), laid
        return None

    return _kept(("map within", points, tries, last, ends, width, height), search, begun)


def _kept(what, search, begun=lambda: None):  # type: ignore[no-untyped-def]
    kept = _LAID.get(what)
    if kept is None:
        kept = _found(what, search, begun)
        if len(_LAID) >= AT_HAND:
            _LAID.clear()
        _LAID[what] = kept
    return kept[0]


def _found(what, search, begun):  # type: ignore[no-untyped-def]
    key = cache.key_of(*what, _drawer())
    if (kept := cache.load(key)) is not None:
        return kept
    begun()
    began = time.process_time()
    found = search()
    if time.process_time() - began > WORTH_KEEPING:
        cache.store(key, (found,))
    return (found,)


@lru_cache(maxsize=1)
def _drawer() -> tuple[int, ...]:
    """What draws here: a map that another one has laid is of no use."""
    files = [os.stat(name) for name in (__file__, routing.__file__)]
    return tuple(number for known in files for number in (known.st_size, known.st_mtime_ns))


def _laid_straight(
    points: Points, sizes: Sizes, ends: Ends, width: int, height: int, across: float, down: float, tries: int
) -> tuple[float, Laid] | None:
    """A map, and how bad its detours are: EASY or less, if nobody minds them."""
    cells = _layout(points, width, height, [room for room, _ in sizes], across, down)
    if not cells:
        return None
    blocks = [(x, y, room, wide) for (x, y), (room, wide) in zip(cells, sizes, strict=True)]
    routes = routed(width, height, blocks, ends, tries)
    if len(routes) < len(set(ends)):
        return None
    if _winding(width, blocks, routes) <= 4 * EASY:
        routes = straightened(width, height, blocks, routes, ROUNDS)
    return _winding(width, blocks, routes), (cells, routes, height)


def _winding(width: int, blocks: Sequence[Block], routes: Mapping[tuple[int, int], Strokes]) -> float:
    """Detours in all, and the longest, beside the width of the map."""
    long = detours(blocks, routes).values()
    return max(sum(long) / max(1, len(routes)) * 20, max(long, default=0)) / width


def _lay(
    points: Points, sizes: Sizes, ends: Ends, width: int, height: int, across: float = EVENLY, down: float = EVENLY
) -> Laid | None:
    cells = _layout(points, width, height, [room for room, _ in sizes], across, down)
    if not cells:
        return None
    blocks = [(x, y, room, wide) for (x, y), (room, wide) in zip(cells, sizes, strict=True)]
    routes = routed(width, height, blocks, ends)
    return (cells, routes, height) if len(routes) == len(set(ends)) else None


def _layout(
    points: Points, width: int, height: int, rooms: Sequence[int], across: float, down: float
) -> tuple[Cell, ...]:
    """A cell for each point; so many cells from there to the right are its own."""
    xs, ys = _spread([p[0] for p in points], across), _spread([p[1] for p in points], down)
    wanted = [(x * (width - room), y * (height - 1)) for x, y, room in zip(xs, ys, rooms, strict=True)]
    widest = max(rooms)
    crowd = [sum(abs(a - x) < widest and abs(b - y) < 2 for a, b in wanted) for x, y in wanted]
    near = _near(width, height)
    taken = [[False] * width for _ in range(height)]
    cells: dict[int, Cell] = {}
    for index in sorted(range(len(points)), key=lambda i: (-crowd[i], i)):
        x, y, room = round(wanted[index][0]), round(wanted[index][1]), rooms[index]
        cell = next(
            (
                (x + c, y + r)
                for c, r in near
                if 0 <= y + r < height
                and 0 <= x + c <= width - room
                and not any(taken[y + r][max(x + c - 1, 0) : x + c + room + 1])
            ),
            None,
        )
        if cell is None:
            return ()
        cells[index] = cell
        taken[cell[1]][cell[0] : cell[0] + room] = [True] * room
    return tuple(cells[i] for i in range(len(points)))


@lru_cache(maxsize=4)
def _near(width: int, height: int) -> list[Cell]:
    """All steps on such a map, the short ones first."""
    return sorted(
        ((c, r) for c in range(-width, width + 1) for r in range(-height, height + 1)),
        key=lambda step: (step[0] ** 2 / 5 + step[1] ** 2, step),
    )


def _spread(values: list[float], evenly: float) -> list[float]:
    """From 0 to 1, between true to scale and evenly spread."""
    low, high = min(values), max(values)
    ranks = {v: i for i, v in enumerate(sorted(set(values)))}
    most = max(len(ranks) - 1, 1)
    return [(1 - evenly) * (v - low) / ((high - low) or 1) + evenly * ranks[v] / most for v in values]
