"""The ways in which chance may deal, as far as a seat has not seen it: all of them, or some that are drawn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ..interpreter.state import CHANCE

if TYPE_CHECKING:
    from ..interpreter.blocks import Node
    from ..interpreter.observe import Mark, Row
    from ..interpreter.position import Position
    from ..interpreter.state import Choice
    from .belief import Belief

__all__ = ["Dealing"]

DOUBT = 0.05  # how often a guess about what others hold is not trusted
LOST = 20  # steps of dealing, for each world of the budget, after which one gives up
FEW = 4_000  # steps of dealing that are quickly gone
PROBES = 16  # ways that are gone to estimate how many there are
TRIES = 20  # how often one is looked for, at most
ALL, SOME, NONE = (
    0.5,
    0.6,
    0.7,
)  # shares of the time, if there is little: all is dealt once, and known for the whole game

NESTED = 40  # steps of the dealing, one after the other, of which each is looked at by itself
KNOWN = 3  # ways that are remembered at such a step, beside the last

Drawn = TypeVar("Drawn")


class _TooMany(Exception):
    """More than can be gone through."""


@dataclass(slots=True)
class _Way:
    """How far chance has gone."""

    position: Position
    depth: int = 0  # how many chances have fallen
    hidden: int = 0  # of them, until all was dealt that not all see
    told: int = 0  # how many rows the seat then had
    mark: Mark | None = None  # until there it is known to fit
    count: int = 0  # how many rows these are

    @property
    def place(self) -> tuple[int, ...]:
        return self.position.number, self.depth, self.hidden, self.told, self.count


class Dealing:
    """Goes through the ways in which chance may deal. A way fits if what the seat would have seen of it is what it has
    seen: all of it, or, midway, as far as it goes."""

    def __init__(self, belief: Belief, expected: list[Row], midway: bool):
        self.belief, self.expected, self.midway = belief, expected, midway
        self.longest = 0  # rows that a way has written, and after which more might come
        self.wanted: dict[int, dict[Any, int]] = {}
        self.visited = 0  # steps of dealing so far
        self.hurried = False  # was there no time for more?
        self.too_long = False  # was there a way that did not fit only because more would have been seen?

    def rows(self, position: Position) -> list[Row]:
        """What the seat has seen of it; in a later game of a match, from the beginning of the game."""
        rows = position.seen_rows(self.belief.mask)
        if not self.belief.games:
            return rows
        openings = self.belief.openings
        if openings:
            start = next((k for k, row in enumerate(rows) if row[0] in openings), len(rows))
        else:
            events = self.belief.game.program.events
            start = next((k for k, row in enumerate(rows) if events[row[0]].kind in ("draw", "ask")), len(rows))
        return rows[start:]

    def fits(self, rows: list[Row]) -> bool:
        if len(rows) <= len(self.expected):
            return rows == self.expected[: len(rows)]
        if rows[: len(self.expected)] != self.expected:
            return False
        self.too_long = True
        return self.midway

    def few(self, dealt_at: int) -> list[Position] | None:
        """All ways, if there are so few that it is not worth while to estimate how many."""
        return self.all(dealt_at, min(FEW, LOST * self.belief.budget))

    def first(self) -> tuple[Position | None, int, int]:
        """The first way that leads to a decision; how many chances have fallen in it when all that the seat may not see
        is dealt, and how many rows the seat then has."""
        found = self._in_library(None, LOST * self.belief.budget, 0)
        return next(self._ways(None) if found is None else iter(found), (None, 0, 0))

    def all(self, dealt_at: int, most: int | None = None) -> list[Position] | None:
        """All ways; None if there are more than can be gone through, or than can be gone through in so many steps."""
        most = most or LOST * self.belief.budget
        found = self._in_library(dealt_at, most, self.belief.budget)
        if found is not None and self.visited < most and len(found) <= self.belief.budget:
            return [position for position, _, _ in found]
        self.visited = 0
        try:
            return self._ends(_Way(self.belief.game.beginning()), dealt_at, most, NESTED)
        except _TooMany:
            return None

    def _ends(self, root: _Way, dealt_at: int, most: int, nested: int) -> list[Position]:
        """Where all ways lead that go on from here. Where chance has done with one step and turns to the next, what
        follows is found once for all ways that differ in nothing that it hangs on: what was dealt before, mostly."""
        step, stack = root.position.step, [root]
        found: list[Position] = []
        known: list[tuple[_Way, list[Position]]] = []
        while stack:
            way = stack.pop()
            position = way.position
            if nested and way is not root and position.is_chance and position.step is not step:
                if self._goes_on_from(way):
                    found += self._like_before(way, known, dealt_at, most, nested)
            else:
                self.visited += 1
                further = self._further(way, dealt_at)
                if further is None:
                    found.append(position)
                else:
                    stack += further
            if self.visited >= most or len(found) > self.belief.budget or self._is_late(ALL):
                raise _TooMany
        return found

    def _like_before(
        self, way: _Way, known: list[tuple[_Way, list[Position]]], dealt_at: int, most: int, nested: int
    ) -> list[Position]:
        for other, ends in known:
            if way.place == other.place and way.position.is_like(other.position):
                break
        else:
            other = replace(way, position=way.position.watched())
            ends = self._ends(other, dealt_at, most, nested - 1)
            known[:] = [*known[-KNOWN:], (other, ends)]
            way.position.is_like(other.position)
        return [way.position.became(end) for end in ends]

    def estimate(self, dealt_at: int, rng: random.Random) -> float:
        """About how many ways there are: the mean of what some random ones tell (Knuth's estimate)."""
        return sum(size for _, _, size in (self._random_way(dealt_at, rng) for _ in range(PROBES))) / PROBES

    def some(self, dealt_at: int, count: int, rng: random.Random) -> list[Position]:
        """So many ways, drawn as chance would; fewer, if they are hard to find."""
        found = []
        for _ in range(TRIES * count):
            position, chance, _ = self._random_way(dealt_at, rng)
            if position is not None:
                found.append((position, chance))
            if len(found) == count or self._is_late(SOME if found else NONE):
                break
        best = max((chance for _, chance in found), default=1.0)
        return [position for position, chance in found if chance >= best or rng.random() < chance / best]

    def _random_way(self, dealt_at: int, rng: random.Random) -> tuple[Position | None, float, float]:
        """Some way, how likely chance was to go it where more than one would have fitted, and how many such ways there
        may be; none, if it ends where nothing fits."""
        position, depth, chance, size = self.belief.game.beginning(), 0, 1.0, 1.0
        while self._goes_on(position, depth, dealt_at):
            chances = [(choice, float(p)) for choice, p in position.chances()]
            spare = self._spare(position, chances, len(self.rows(position)))
            choice = _drawn(spare if rng.random() >= DOUBT else chances, rng)
            after = self._after(position, choice)
            if after.is_unseen(position.mark, self.belief.mask):
                guessed = any(choice == one for one, _ in spare)
                size *= len(spare) if guessed else len(chances)
                chance /= DOUBT + (1 - DOUBT) / sum(p for _, p in spare) * guessed
            else:
                ways = [(self._after(position, choice), p) for choice, p in chances]
                ways = [(way, p) for way, p in ways if self.fits(self.rows(way))]
                if not ways:
                    return None, 0.0, 0.0
                after, size, chance = _drawn(ways, rng), size * len(ways), chance * sum(p for _, p in ways)
            position, depth = after, depth + 1
        return (position, chance, size) if self.fits(self.rows(position)) else (None, 0.0, 0.0)

    def _spare(self, position: Position, chances: list[tuple[Choice, Any]], told: int) -> list[tuple[Choice, Any]]:
        """What may well fall to somebody else: without what the seat itself is still to be dealt after so many rows, if
        there is no more of it. It is only a guess, but without it hardly any way would fit."""
        wanted = self._wanted_after(told)
        if not wanted or not position.is_chance:
            return chances
        pool: Counter[Any] = Counter(position.pool())
        return [pair for pair in chances if pool[pair[0][0]] > wanted.get(pair[0][0], 0)] or chances

    def _wanted_after(self, told: int) -> dict[Any, int]:
        """What the seat is dealt after so many rows, and how often."""
        if told not in self.wanted:
            known = self.wanted.get(told + 1)
            found: Counter[Any] = Counter(known or {})
            for row in self.expected[told:] if known is None else self.expected[told : told + 1]:
                event = self.belief.game.program.events[row[0]]
                own = event.kind == "set" and event.function is not None and event.function.view != "all"
                if own or event.kind == "draw":
                    found |= Counter(x for value in row[1:] for x in (value if isinstance(value, tuple) else (value,)))
            self.wanted[told] = dict(found)
        return self.wanted[told]

    def _is_late(self, share: float) -> bool:
        late = self.belief.hurry.past(share)
        self.hurried = self.hurried or late
        return late

    @staticmethod
    def _after(position: Position, choice: Choice) -> Position:
        after = position.clone()
        after.apply(choice, trusted=True)
        return after

    def _goes_on(self, position: Position, depth: int, dealt_at: int) -> bool:
        """Is there anything left to be dealt that the seat may not see?"""
        return position.actor == CHANCE and (depth < dealt_at or not self._is_public(position))

    def _is_public(self, position: Position) -> bool:
        """Do all see what chance does next?"""
        return self._is_public_at(self.belief.game.program.nodes[position.number])

    @staticmethod
    def _is_public_at(node: Node) -> bool:
        step = node.step
        return step is not None and step.verb == "draw" and step.audience == "all"

    def _in_library(self, dealt_at: int | None, most: int, leaves: int) -> list[tuple[Position, int, int]] | None:
        """The same as `_ways`, by compiled rules, if they are there and can tell: not many more than so many leaves."""
        belief = self.belief
        if belief.games or belief.hurry.limited:
            return None
        game, told = belief.game, range(len(self.expected) + 1)
        public = bytes(map(self._is_public_at, game.program.nodes))
        wanted = [tuple(self._wanted_after(count).items()) for count in reversed(told)][::-1]
        found = game.beginning().deals(belief.mask, self.expected, self.midway, dealt_at, public, wanted, most, leaves)
        if found is None:
            return None
        ways, self.visited, longest, too_long = found
        self.longest, self.too_long = max(self.longest, longest), self.too_long or too_long
        return ways

    def _ways(self, dealt_at: int | None) -> Iterator[tuple[Position, int, int]]:
        stack, most = [_Way(self.belief.game.beginning())], LOST * self.belief.budget
        self.visited = 0
        while stack and self.visited < most:
            self.visited += 1
            way = stack.pop()
            further = self._further(way, dealt_at)
            if further is None:
                yield way.position, way.hidden, way.told
            else:
                stack += further

    def _goes_on_from(self, way: _Way) -> bool:
        """Does it fit so far? Then how many rows that are is noted."""
        found = self._seen_so_far(way.position, way.mark, way.count)
        if found is not None:
            way.count, way.mark = found, way.position.mark
            way.told = found if way.hidden == way.depth else way.told
        return found is not None

    def _further(self, way: _Way, dealt_at: int | None) -> list[_Way] | None:
        """Where a way may go on, the last of them first; nowhere, if it does not fit. None: it has come to its end."""
        if not self._goes_on_from(way):
            return []
        position, depth, count = way.position, way.depth, way.count
        done = position.actor != CHANCE
        public = not done and self._is_public(position)
        if done or dealt_at is not None and depth >= dealt_at and public:
            self.longest = max(self.longest, count if done else count - 1)  # what all see is told later
            return None
        choices, wanted = position.legal(), self._wanted_after(count)
        if wanted and position.is_chance:  # as _spare has it
            pool = position.pool()
            spare = [c for c in choices if pool.count(c[0]) > wanted.get(c[0], 0)]
            if spare and len(spare) < len(choices):
                choices = [*spare, *(c for c in choices if c not in spare)]
        hidden = way.hidden if public else depth + 1
        return [
            _Way(self._after(position, choice), depth + 1, hidden, way.told, way.mark, count)
            for choice in reversed(choices)
        ]

    def _seen_so_far(self, position: Position, mark: Mark | None, count: int) -> int | None:
        """How many rows the seat has seen, if they fit, of which so many are known to fit until a mark."""
        if self.belief.games:
            rows = self.rows(position)
            return len(rows) if self.fits(rows) else None
        expected = self.expected
        for row in position.seen_rows(self.belief.mask, mark):
            if count < len(expected):
                if row != expected[count]:
                    return None
            else:
                self.too_long = True
                if not self.midway:
                    return None
            count += 1
        return count


def _drawn(ways: list[tuple[Drawn, float]], rng: random.Random) -> Drawn:
    return rng.choices([way for way, _ in ways], [p for _, p in ways])[0]
