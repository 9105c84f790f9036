"""Routes on a map of characters: each from one space to another in horizontal and vertical strokes.

Two routes may cross at a right angle, straight on; they never share a stroke or a corner, and a stroke points at a
space only where its route ends there. So a drawing can be read back without a doubt. What finds no way is not drawn.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Block", "Cell", "Strokes", "detours", "routed", "straightened"]

Cell = tuple[int, int]  # column, row
Block = tuple[
    int, int, int, int
]  # a space with its label: column, row, columns of its own, how many of them are written
Strokes = list[tuple[Cell, int]]  # the cells of a route, each with the directions in which it leads: N 1, E 2, S 4, W 8

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
BACK = {NORTH: SOUTH, SOUTH: NORTH, EAST: WEST, WEST: EAST}
ACROSS = {NORTH | SOUTH: EAST | WEST, EAST | WEST: NORTH | SOUTH}
TRIES = 6
HOPELESS = 9  # if more than one in so many finds no way at first, another order will not help: there is too little room
SHORT = 8  # columns of a detour that nobody minds
FAR = 1 << 20  # more than any way costs
BEND, CROSSING, TALL = 2, 3, 2  # what a bend costs, a crossing, a row (a character is twice as high as it is wide)


class _Grid:
    """Cells are numbers, column by column, with a margin that nothing enters; a state of the search is a cell and the
    direction in which it is entered. All is kept in flat lists: this is where the time of a map goes."""

    def __init__(self, width: int, height: int, blocks: Sequence[Block]):
        self.high, self.blocks = height + 2, blocks
        self.size = (width + 2) * self.high
        self.closed = bytearray(self.size)  # cells that no route enters
        for row in range(self.high):
            self.closed[row] = self.closed[self.size - self.high + row] = 1
        for column in range(width + 2):
            self.closed[column * self.high] = self.closed[column * self.high + height + 1] = 1
        for x, y, wide, _ in blocks:
            for k in range(wide):
                self.closed[self.cell(x + k, y)] = 1
        self.strokes = bytearray(self.size)  # where the route in a cell leads, if there is one
        self.crossed = bytearray(self.size)  # cells that nothing else can cross
        self.steps = {NORTH: -1, EAST: self.high, SOUTH: 1, WEST: -self.high}

    def cell(self, x: int, y: int) -> int:
        return (x + 1) * self.high + y + 1

    def doors(self, index: int) -> Iterable[tuple[int, int]]:
        """The cells from which a space is entered, and in which direction."""
        x, y, wide, written = self.blocks[index]
        yield self.cell(x - 1, y), EAST
        yield self.cell(x + wide, y), WEST
        for column in range(x, x + written):
            yield self.cell(column, y - 1), SOUTH
            yield self.cell(column, y + 1), NORTH

    def way(self, start: int, end: int) -> Strokes:
        """The cheapest way from one space to another; nothing, if there is none."""
        closed, strokes, crossed, high = self.closed, self.strokes, self.crossed, self.high
        x1, y1, wide1, _ = self.blocks[end]
        goals = {cell * 9 + direction for cell, direction in self.doors(end) if not strokes[cell]}
        across = [max(x1 + 1 - x, 0, x - x1 - wide1) for x in range(self.size // high)]
        down = [TALL * abs(y1 + 1 - y) for y in range(high)]
        states = self.size * 9
        best = [FAR] * states
        came_from: dict[int, int] = {}
        queue: list[int] = []  # what it costs in all, what it has cost, and the state, in one number
        for cell, entering in self.doors(start):
            if not closed[cell] and not strokes[cell]:  # where it begins it must be clear what it is
                state = cell * 9 + BACK[entering]
                best[state] = 0
                heapq.heappush(queue, (across[cell // high] + down[cell % high]) * FAR * states + state)
        moves = [
            (leaving, step, TALL if leaving in (NORTH, SOUTH) else 1, BACK[leaving])
            for leaving, step in self.steps.items()
        ]
        push, pop = heapq.heappush, heapq.heappop
        while queue:
            rest, state = divmod(pop(queue), states)
            cost = rest % FAR
            if best[state] < cost:
                continue
            cell, going = divmod(state, 9)
            there = strokes[cell]
            for leaving, step, price, turned in moves:
                if turned == going:
                    continue
                if there:
                    if crossed[cell] or leaving != going or there == BACK[going] | leaving or there not in ACROSS:
                        continue
                elif cell * 9 + leaving in goals:
                    return self._unrolled(state, leaving, came_from)
                ahead = cell + step
                if closed[ahead]:
                    continue
                price += cost + (CROSSING if there else 0) + (0 if leaving == going else BEND)
                further = ahead * 9 + leaving
                if price < best[further]:
                    best[further] = price
                    came_from[further] = state
                    push(queue, ((price + across[ahead // high] + down[ahead % high]) * FAR + price) * states + further)
        return []

    def _unrolled(self, at: int, leaving: int, came_from: Mapping[int, int]) -> Strokes:
        found: Strokes = []
        while True:
            cell, going = divmod(at, 9)
            found.append(((cell // self.high - 1, cell % self.high - 1), BACK[going] | leaving))
            if at not in came_from:
                return found[::-1]
            leaving, at = going, came_from[at]

    def lay(self, route: Strokes) -> None:
        for (x, y), directions in route:
            cell = self.cell(x, y)
            if self.strokes[cell]:
                self.crossed[cell] = 1
            else:
                self.strokes[cell] = directions
        for (x, y), _ in (route[0], route[-1]):
            self.crossed[self.cell(x, y)] = 1


def routed(
    width: int, height: int, blocks: Sequence[Block], ends: Sequence[tuple[int, int]], tries: int = TRIES
) -> Mapping[tuple[int, int], Strokes]:
    """For each pair of spaces the strokes between them; the short ones first, since they have the least choice."""
    order = sorted(dict.fromkeys(ends), key=lambda pair: (_distance(blocks, pair), pair))
    best: dict[tuple[int, int], Strokes] = {}
    for _ in range(tries):
        found = _laid(width, height, blocks, order)
        best = max(best, found, key=len)
        left = [pair for pair in order if pair not in found]
        if not left or len(left) * HOPELESS > len(order):
            break
        order = left + [pair for pair in order if pair in found]  # who came too late comes first the next time
    return best


def _laid(
    width: int, height: int, blocks: Sequence[Block], order: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], Strokes]:
    """One route after the other, as far as they find a way."""
    grid, found = _Grid(width, height, blocks), {}
    for pair in order:
        strokes = grid.way(*pair)
        if strokes:
            grid.lay(strokes)
            found[pair] = strokes
    return found


def straightened(
    width: int, height: int, blocks: Sequence[Block], routes: Mapping[tuple[int, int], Strokes], rounds: int
) -> Mapping[tuple[int, int], Strokes]:
    """The same routes with fewer detours: whoever goes the longest way round is let go first, as long as that helps."""
    order, tried = [*routes], set[tuple[int, int]]()
    best, least = routes, sum(detours(blocks, routes).values())
    for _ in range(rounds):
        long = detours(blocks, best)
        worst = max((pair for pair in long if pair not in tried), key=lambda pair: (long[pair], pair), default=None)
        if worst is None or long[worst] <= SHORT:
            break
        tried.add(worst)
        again = [worst, *(pair for pair in order if pair != worst)]
        found = _laid(width, height, blocks, again)
        if len(found) == len(routes) and (sum_ := sum(detours(blocks, found).values())) < least:
            best, least, order = found, sum_, again
    return best


def detours(blocks: Sequence[Block], routes: Mapping[tuple[int, int], Strokes]) -> dict[tuple[int, int], int]:
    """By how many columns each route is longer than the straight way, a row counting as two."""
    return {pair: max(0, _length(strokes) - _distance(blocks, pair)) for pair, strokes in routes.items()}


def _length(strokes: Strokes) -> int:
    upright = (NORTH, SOUTH)
    halves = sum(TALL if one in upright else 1 for _, where in strokes for one in BACK if where & one)
    return halves // 2


def _distance(blocks: Sequence[Block], pair: tuple[int, int]) -> int:
    (x, y, wide, _), (x1, y1, wide1, _) = (blocks[index] for index in pair)
    return max(x1 - x - wide, x - x1 - wide1, 0) + TALL * abs(y - y1)
