"""Routes on a map of characters: each from one space to another in horizontal and vertical strokes.

Two routes may cross at a right angle, straight on; they never share a stroke or a corner, and a stroke points at a
space only where its route ends there. So a drawing can be read back without a doubt. What finds no way is not drawn.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Cell", "Strokes", "routed"]

Cell = tuple[int, int]  # column, row
Block = tuple[
    int, int, int, int
]  # a space with its label: column, row, columns of its own, how many of them are written
Strokes = list[tuple[Cell, int]]  # the cells of a route, each with the directions in which it leads: N 1, E 2, S 4, W 8

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
STEPS = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
BACK = {NORTH: SOUTH, SOUTH: NORTH, EAST: WEST, WEST: EAST}
ACROSS = {NORTH | SOUTH: EAST | WEST, EAST | WEST: NORTH | SOUTH}
TRIES = 6
HOPELESS = 9  # if more than one in so many finds no way at first, another order will not help: there is too little room
BEND, CROSSING, TALL = 2, 3, 2  # what a bend costs, a crossing, a row (a character is twice as high as it is wide)


class _Grid:
    def __init__(self, width: int, height: int, blocks: Sequence[Block]):
        self.width, self.height, self.blocks = width, height, blocks
        self.owner = {(x + k, y): index for index, (x, y, wide, _) in enumerate(blocks) for k in range(wide)}
        self.strokes: dict[Cell, int] = {}  # cells with one route in them, and where it leads
        self.crossed: set[Cell] = set()  # cells that nothing else can cross

    def doors(self, index: int) -> Iterable[tuple[Cell, int]]:
        """The cells from which a space is entered, and in which direction."""
        x, y, wide, written = self.blocks[index]
        yield (x - 1, y), EAST
        yield (x + wide, y), WEST
        for column in range(x, x + written):
            yield (column, y - 1), SOUTH
            yield (column, y + 1), NORTH

    def is_inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height and cell not in self.owner

    def can_take(self, cell: Cell, directions: int) -> bool:
        """Is it free, or crossed straight on by this?"""
        there = self.strokes.get(cell)
        return there is None or cell not in self.crossed and ACROSS.get(there) == directions

    def way(self, start: int, end: int) -> Strokes:
        """The cheapest way from one space to another; nothing, if there is none."""
        goals = {(cell, direction) for cell, direction in self.doors(end)}
        x1, y1, wide1, _ = self.blocks[end]
        best: dict[tuple[Cell, int], int] = {}
        queue: list[tuple[int, int, Cell, int, tuple | None]] = []

        def rest(cell: Cell) -> int:
            dx = max(x1 - cell[0], 0, cell[0] - (x1 + wide1 - 1))
            return dx + TALL * abs(y1 - cell[1])

        for cell, entering in self.doors(start):
            going = BACK[entering]  # away from the space
            if self.is_inside(cell) and cell not in self.strokes:  # where it begins it must be clear what it is
                heapq.heappush(queue, (rest(cell), 0, cell, going, None))
        while queue:
            _, cost, cell, going, path = heapq.heappop(queue)
            if best.get((cell, going), cost + 1) <= cost:
                continue
            best[cell, going] = cost
            came = BACK[going]
            for leaving, (dx, dy) in STEPS.items():
                if leaving == came or not self.can_take(cell, came | leaving):
                    continue
                further = (cell, came | leaving, path)
                if (cell, leaving) in goals and cell not in self.strokes:
                    return _unrolled(further)
                ahead = (cell[0] + dx, cell[1] + dy)
                if not self.is_inside(ahead):
                    continue
                price = cost + (TALL if dy else 1) + BEND * (leaving != going) + CROSSING * (cell in self.strokes)
                if best.get((ahead, leaving), price + 1) > price:
                    heapq.heappush(queue, (price + rest(ahead), price, ahead, leaving, further))
        return []

    def lay(self, strokes: Strokes) -> None:
        for cell, directions in strokes:
            if cell in self.strokes:
                self.crossed.add(cell)
            else:
                self.strokes[cell] = directions
        self.crossed.update((strokes[0][0], strokes[-1][0]))


def _unrolled(path: tuple | None) -> Strokes:
    strokes: Strokes = []
    while path is not None:
        cell, directions, path = path
        strokes.append((cell, directions))
    return strokes[::-1]


def routed(
    width: int, height: int, blocks: Sequence[Block], ends: Sequence[tuple[int, int]]
) -> Mapping[tuple[int, int], Strokes]:
    """For each pair of spaces the strokes between them; the short ones first, since they have the least choice."""

    def distance(pair: tuple[int, int]) -> int:
        (x, y, wide, _), (x1, y1, wide1, _) = (blocks[index] for index in pair)
        return max(x1 - x - wide, x - x1 - wide1, 0) + TALL * abs(y - y1)

    order = sorted(dict.fromkeys(ends), key=lambda pair: (distance(pair), pair))
    best: dict[tuple[int, int], Strokes] = {}
    for _ in range(TRIES):
        grid, found = _Grid(width, height, blocks), {}
        for pair in order:
            strokes = grid.way(*pair)
            if strokes:
                grid.lay(strokes)
                found[pair] = strokes
        best = max(best, found, key=len)
        left = [pair for pair in order if pair not in found]
        if not left or len(left) * HOPELESS > len(order):
            break
        order = left + [pair for pair in order if pair in found]  # who came too late comes first the next time
    return best
