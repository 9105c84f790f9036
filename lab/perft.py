"""How many ways a game can go, by depth and by first choice. Chance counts like a player."""

from __future__ import annotations

from dataclasses import dataclass

from ..interpreter.many import TooManyPositions


@dataclass(slots=True)
class Counts:
    """Nodes and finished games by depth, for each first choice."""

    choices: list[tuple]
    nodes: list[list[int]]  # by choice, then by depth; depth 0 is the beginning
    finished: list[list[int]]
    at_once: bool  # nothing is chosen in this game at all

    @property
    def depth(self) -> int:
        return len(self.nodes[0]) - 1 if self.nodes else 0

    def at(self, depth: int) -> tuple[int, int]:
        if depth == 0:
            return 1, int(self.at_once)
        return sum(row[depth] for row in self.nodes), sum(row[depth] for row in self.finished)

    @property
    def complete(self) -> bool:
        """Has every game come to its end?"""
        nodes, finished = self.at(self.depth)
        return nodes == finished


def explore(game, depth: int, most: int | None = None) -> Counts:
    start = game.new()
    choices = [] if start.over else start.legal()
    counts = Counts(choices, [], [], start.over)
    visited = 0
    for choice in choices:
        nodes, finished = [0] * (depth + 1), [0] * (depth + 1)
        first = start.clone()
        first.apply(choice, trusted=True)
        below = first.ways(depth - 1, None if most is None else max(0, most - visited))
        for at, (here, ended) in enumerate(below, start=1):
            nodes[at], finished[at] = here, ended
        visited += sum(here for here, _ in below[1:])
        counts.nodes.append(nodes)
        counts.finished.append(finished)
    return counts


def deepen(game, depth: int | None, limit: int) -> Counts:
    """Deeper and deeper, until all is counted, or the next depth would probably be too much."""
    counts = explore(game, 1)
    while not counts.complete and counts.depth != depth:
        nodes, finished = counts.at(counts.depth)
        before, ended = counts.at(counts.depth - 1)
        expected = (nodes - finished) * nodes // max(1, before - ended)
        if sum(counts.at(d)[0] for d in range(counts.depth + 1)) + expected > limit:
            break
        try:
            counts = explore(game, counts.depth + 1, 2 * limit)  # the guess may have been far too low
        except TooManyPositions:
            break
    return counts
