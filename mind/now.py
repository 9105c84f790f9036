"""A belief for any game: what may stand in the hidden cells *now*, by all that may have happened.

It answers what a belief of deals answers, so that hints, bots and figures need not know which of the two they have.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from .belief import _LAYOUTS, Belief, World
from .courses import Contradiction, Courses, Unaffordable
from .hurry import Endless, TooLate
from .secrets import deals_suffice

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.observe import Row
    from ..interpreter.player import Player
    from ..interpreter.position import Position

__all__ = ["Now", "belief_for", "belief_of"]


def belief_for(game: Game, seat: str) -> Belief:
    """What a seat can know, before it has seen anything: the quick kind where it suffices."""
    return Belief(game, seat) if deals_suffice(game) else Now(game, seat)


def belief_of(player: Player, courses: Courses | None = None) -> Belief:
    """What a player can know now, by all of his log, and by being asked; `courses`: reckoned in this way."""
    if courses is None and deals_suffice(player.game):
        return Belief.of(player)
    belief = Now(player.game, player.seat, courses=courses)
    belief.observe(player.log.rows())
    belief.asked = player.question().number if player.is_asked else None
    return belief.ready()


STRICT = False  # a contradiction is a mistake of ours: tests want to see it, a person is told that nothing can be said


class Now(Belief):
    """The values of the cells that are hidden from one seat, as they may be now, each row of them with its weight."""

    def __init__(
        self,
        game: Game,
        seat: str,
        budget: int | None = None,
        samples: int | None = None,
        courses: Courses | None = None,
    ):
        super().__init__(game, seat)
        self.courses = courses or Courses(game, seat, budget, samples)
        self.positions: dict[World, Position] = {}  # of each world one, as likely as it is
        self.failed = False  # has no course of events been found that fits?
        self._endless = False  # has it once taken too long?
        self._seen = self.observed_cells
        self._log: list[Row] = []
        self._read: tuple[int, int | None] | None = None

    def observe(self, rows: Iterable[Row]) -> None:
        self._log += rows
        self.asked = None

    def ready(self) -> Now:
        if self._read == (len(self._log), self.asked):
            return self
        self._read = (len(self._log), self.asked)
        ends = {event.number for event in self.game.program.events if event.kind == "end"}
        self.games = sum(row[0] in ends for row in self._log)
        self.failed, self.courses.hurry = False, self.hurry
        try:
            if self._endless:
                raise Endless
            self.courses.read(self._log, self.asked)
        except TooLate as late:
            self.failed, self._endless = True, isinstance(late, Endless)
        except Contradiction:
            if STRICT:
                raise
            self.failed = True
        except Unaffordable:
            self.failed = True
        self.failed = self.failed or not self.courses.known
        self._project()
        return self

    def _project(self) -> None:
        """From positions to the cells in which they differ."""
        self.dealt, self.weights, self.positions, self.place = True, {}, {}, {}
        self.worlds, self.exact = [], self.courses.exact and not self.failed
        if self.failed:
            self.seen_cells = frozenset()
            return
        found = self.courses.worlds()
        rows = [(position.cells(), position, weight) for position, weight in found]
        self.known = list(rows[0][0])
        followed = [c for c in range(len(self.known)) if self.courses.observer.knows_cell(c)]
        hidden = [c for c in followed if c not in self._seen]
        self.place = {cell: place for place, cell in enumerate(hidden)}
        self.seen_cells = self._seen
        rng = random.Random(len(rows))
        for cells, position, weight in rows:
            world = tuple([cells[c] for c in hidden])
            self.weights[world] = self.weights.get(world, 0.0) + weight
            if world not in self.positions or rng.random() * self.weights[world] < weight:
                self.positions[world] = position
        self.worlds = sorted(self.weights, key=lambda world: -self.weights[world])
        self._layout = _LAYOUTS.setdefault(tuple(hidden), len(_LAYOUTS))

    @property
    def error(self) -> float:
        """About how far the shares may be off."""
        if self.exact and not self.courses.estimated or self.failed:
            return 0.0
        return max((self.courses.error(_looking_at(cell)) for cell in self.place), default=0.0)

    @property
    def is_at_turn(self) -> bool:
        """Does it tell of now, when the seat is asked? Otherwise of when it was told something the last time."""
        return self.asked is not None

    def look_at(self, row: Row) -> None:
        """A single row tells nothing of now: what it means hangs on all that went before."""

    def imagined(self, world: World) -> Position | None:
        position = self.positions.get(world)
        return None if position is None else position.clone()


def _looking_at(cell: int) -> Callable[[Position], Any]:
    return lambda position: position.cell(cell)
