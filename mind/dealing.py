"""The ways in which chance may deal, as far as a seat has not seen it: all of them, or some that are drawn."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from ..interpreter.observe import seen_rows

__all__ = ["Dealing"]

DOUBT = 0.05  # how often a guess about what others hold is not trusted
LOST = 20  # steps of dealing, for each world of the budget, after which one gives up
PROBES = 16  # ways that are gone to estimate how many there are
TRIES = 20  # how often one is looked for, at most


class Dealing:
    """Goes through the ways in which chance may deal. A way fits if what the seat would have seen of it is what it has
    seen: all of it, or, midway, as far as it goes."""

    def __init__(self, belief, expected: list[tuple], midway: bool):
        self.belief, self.expected, self.midway = belief, expected, midway
        self.longest = 0  # rows that a way has written, and after which more might come
        self.wanted: dict[int, dict[Any, int]] = {}
        self.too_long = False  # was there a way that did not fit only because more would have been seen?

    def rows(self, state) -> list[tuple]:
        """What the seat has seen of it; in a later game of a match, from the beginning of the game."""
        rows = seen_rows(state.v[1], self.belief.mask)
        if not self.belief._games:
            return rows
        openings = self.belief._openings
        if openings:
            start = next((k for k, row in enumerate(rows) if row[0] in openings), len(rows))
        else:
            events = self.belief.game.program.events
            start = next((k for k, row in enumerate(rows) if events[row[0]].kind in ("draw", "ask")), len(rows))
        return rows[start:]

    def fits(self, rows: list[tuple]) -> bool:
        if len(rows) <= len(self.expected):
            return rows == self.expected[: len(rows)]
        if rows[: len(self.expected)] != self.expected:
            return False
        self.too_long = True
        return self.midway

    def first(self) -> tuple[list | None, int, int]:
        """The first way that leads to a decision; how many chances have fallen in it when all that the seat may not see
        is dealt, and how many rows the seat then has."""
        for values, hidden, told in self._ways(None):
            return values, hidden, told
        return None, 0, 0

    def all(self, dealt_at: int) -> list[list] | None:
        """All ways; None if there are more than can be gone through."""
        leaves = []
        for values, _, _ in self._ways(dealt_at):
            leaves.append(values)
            if len(leaves) > self.belief.budget:
                return None
        return leaves if self.visited < LOST * self.belief.budget else None

    def estimate(self, dealt_at: int, rng: random.Random) -> float:
        """About how many ways there are: the mean of what some random ones tell (Knuth's estimate)."""
        return sum(size for _, _, size in (self._random_way(dealt_at, rng) for _ in range(PROBES))) / PROBES

    def some(self, dealt_at: int, count: int, rng: random.Random) -> list[list]:
        """So many ways, drawn as chance would; fewer, if they are hard to find."""
        found = []
        for _ in range(TRIES * count):
            values, chance, _ = self._random_way(dealt_at, rng)
            if values is not None:
                found.append((values, chance))
            if len(found) == count:
                break
        best = max((chance for _, chance in found), default=1.0)
        return [values for values, chance in found if chance >= best or rng.random() < chance / best]

    def _random_way(self, dealt_at: int, rng: random.Random) -> tuple[list | None, float, float]:
        """Some way, how likely chance was to go it where more than one would have fitted, and how many such ways there
        may be; none, if it ends where nothing fits."""
        state, depth, chance, size = self.belief.game.new(), 0, 1.0, 1.0
        while self._goes_on(state, depth, dealt_at):
            before, chances = state.v[1], [(choice, float(p)) for choice, p in state.chances()]
            spare = self._spare(state, chances)
            choice = _drawn(spare if rng.random() >= DOUBT else chances, rng)
            after = self._after(state, choice)
            if self._is_unseen(after.v[1], before):
                guessed = any(choice == one for one, _ in spare)
                size *= len(spare) if guessed else len(chances)
                chance /= DOUBT + (1 - DOUBT) / sum(p for _, p in spare) * guessed
            else:
                ways = [(self._after(state, choice), p) for choice, p in chances]
                ways = [(way, p) for way, p in ways if self.fits(self.rows(way))]
                if not ways:
                    return None, 0.0, 0.0
                after, size, chance = _drawn(ways, rng), size * len(ways), chance * sum(p for _, p in ways)
            state, depth = after, depth + 1
        return (state.v, chance, size) if self.fits(self.rows(state)) else (None, 0.0, 0.0)

    def _spare(self, state, chances: list[tuple]) -> list[tuple]:
        """What may well fall to somebody else: without what the seat itself is still to be dealt, if there is no more
        of it. It is only a guess, but without it hardly any way would fit."""
        node = self.belief.game.program.nodes[state.v[0]]
        wanted = self._wanted_after(len(self.rows(state)))
        if not wanted or node.kind != "chance":
            return chances
        pool = Counter(state._pool(node))
        return [pair for pair in chances if pool[pair[0][0]] > wanted.get(pair[0][0], 0)] or chances

    def _wanted_after(self, told: int) -> dict[Any, int]:
        """What the seat is dealt after so many rows, and how often."""
        if told not in self.wanted:
            found: Counter = Counter()
            for row in self.expected[told:]:
                event = self.belief.game.program.events[row[0]]
                if event.kind == "set" and event.function.view != "all" or event.kind == "draw":
                    found |= Counter(x for value in row[1:] for x in (value if isinstance(value, tuple) else (value,)))
            self.wanted[told] = dict(found)
        return self.wanted[told]

    def _is_unseen(self, chain: tuple | None, before: tuple | None) -> bool:
        while chain is not before:
            if chain[1][1] & self.belief.mask:
                return False
            chain = chain[0]
        return True

    @staticmethod
    def _after(state, choice: tuple):
        after = state.clone()
        after.apply(choice, trusted=True)
        return after

    def _goes_on(self, state, depth: int, dealt_at: int) -> bool:
        """Is there anything left to be dealt that the seat may not see?"""
        if state.over or state.actor != "chance":
            return False
        step = self.belief.game.program.nodes[state.v[0]].step
        return depth < dealt_at or step.verb != "draw" or step.audience != "all"

    def _ways(self, dealt_at: int | None):
        nodes = self.belief.game.program.nodes
        stack, self.visited = [(self.belief.game.new(), 0, 0, 0)], 0
        while stack and self.visited < LOST * self.belief.budget:
            self.visited += 1
            state, depth, hidden, told = stack.pop()
            rows = self.rows(state)
            if not self.fits(rows):
                continue
            told = len(rows) if hidden == depth else told
            done = state.over or state.actor != "chance"
            step = nodes[state.v[0]].step
            public = not done and step.verb == "draw" and step.audience == "all"
            if done or dealt_at is not None and depth >= dealt_at and public:
                self.longest = max(self.longest, len(rows) if done else len(rows) - 1)  # what all see is told later
                yield state.v, hidden, told
                continue
            chances = state.chances()
            spare = self._spare(state, chances)
            others = [pair for pair in chances if pair not in spare] if len(spare) < len(chances) else []
            for choice, _ in reversed([*spare, *others]):
                stack.append((self._after(state, choice), depth + 1, hidden if public else depth + 1, told))


def _drawn(ways: list[tuple[Any, float]], rng: random.Random) -> Any:
    return rng.choices([way for way, _ in ways], [p for _, p in ways])[0]
