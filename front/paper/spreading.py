"""Where the spaces of a map lie on a grid of characters, and the routes between them.

Coordinates are spread a little, so that crowded quarters get the room that empty ones do not need. What took long is
kept for the next time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ...interpreter import cache
from . import routing
from .routing import Cell, Strokes, routed

__all__ = ["Laid", "Points", "laid", "laid_within"]

Points = tuple[tuple[float, float], ...]
Sizes = tuple[tuple[int, int], ...]  # of each space: the columns of its own, and how many of them are always written
Laid = tuple[tuple[Cell, ...], Mapping[tuple[int, int], Strokes], int]  # cells, routes, rows
Ends = tuple[tuple[int, int], ...]
WORTH_KEEPING = 0.05  # seconds that it took to lay a map
EVENLY = 0.5  # from true to scale, 0, to evenly spread, 1
OTHERWISE = ((0.5, 0.5), (0.3, 0.7), (0.9, 0.9), (0.3, 0.9), (0.9, 0.5), (0.7, 0.5), (0.9, 0.7), (0.7, 0.9), (0.5, 0.9))


@lru_cache(maxsize=32)
def laid(points: Points, sizes: Sizes, ends: Ends, width: int) -> Laid | None:
    """The lowest map on which every route finds a way; None, if there is none."""
    least = max(24, width * 26 // 100)
    heights = range(least, 2 * least, 2)
    return _kept(
        ("map", points, sizes, ends, width),
        lambda: next((found for height in heights if (found := _lay(points, sizes, ends, width, height))), None),
    )


@lru_cache(maxsize=32)
def laid_within(
    points: Points, tries: tuple[Sizes, ...], last: Sizes, ends: Ends, width: int, height: int
) -> tuple[int, Laid] | None:
    """The first of several sizes, ever smaller ones, with which all routes find a way within so many rows, and its
    number; the last of all may take more rows."""

    def one(sizes: Sizes, rows: int) -> Laid | None:
        ways = (_lay(points, sizes, ends, width, rows, *weights) for weights in OTHERWISE)
        return next((found for found in ways if found is not None), None)

    def search() -> tuple[int, Laid] | None:
        low, high, best = 0, len(tries), None
        while low < high:  # what is smaller fits as well
            middle = (low + high) // 2
            found = one(tries[middle], height)
            if found is not None:
                best, high = (middle, found), middle
            else:
                low = middle + 1
        if best is not None:
            return best
        higher = (one(last, rows) for rows in (height, *range(height + 1, 2 * height + 8, 2)))
        return next(((len(tries), found) for found in higher if found is not None), None)

    return _kept(("map within", points, tries, last, ends, width, height), search)


def _kept(what, search):  # type: ignore[no-untyped-def]
    key = cache.key_of(*what, _drawer())
    if (kept := cache.load(key)) is not None:
        return kept[0]
    began = time.process_time()
    found = search()
    if time.process_time() - began > WORTH_KEEPING:
        cache.store(key, (found,))
    return found


@lru_cache(maxsize=1)
def _drawer() -> tuple[int, ...]:
    """What draws here: a map that another one has laid is of no use."""
    files = [os.stat(name) for name in (__file__, routing.__file__)]
    return tuple(number for known in files for number in (known.st_size, known.st_mtime_ns))


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
