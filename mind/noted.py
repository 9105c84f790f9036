"""What can be known at a real table, in any game: from what somebody has noted there, in order.

A log tells everything that a seat was told. Notes tell less: what follows from something need not be noted, and what
the seat was dealt before the first decision is noted once, as its own secrets. Where something that must have been seen
is missing at the end, nothing can be said of now; what it may be can be asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .courses import Courses, Filter, Mark, TooMuch, Worlds
from .now import Now
from .stories import TURN, Asked, Fact, Notes, Tailed, Told
from .wishes import Wish

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.model import Step
    from ..interpreter.observe import Row
    from ..interpreter.observer import Observer, Seen
    from ..interpreter.position import Position

__all__ = ["Noted", "NotedNow", "at_once"]

LOOKED_AHEAD = 4_000  # steps of the interpreter to find out what may come next
HEARD = 400  # rows that may come next


class Noted(Courses):
    """The positions that agree with notes. `own`: the cells of one's own secrets at the first decision, and their
    values; `readable`: the events of which there are sentences."""

    def __init__(
        self,
        game: Game,
        seat: str,
        own: Mapping[int, Any],
        readable: Collection[int],
        budget: int | None = None,
        drawn: int | None = None,
        observer: Observer | None = None,
    ):
        self.own, self.readable, self.facts = dict(own), readable, list[Fact]()
        super().__init__(game, seat, budget, drawn, observer)

    def _begin(self) -> None:
        super()._begin()
        start, tail = self.game.beginning(), tuple(Told(row) for row in self.rows if row[0] in self.readable)
        self.observer.take_rows(start)
        key, self._starts = self.observer.key(start), start.cells()
        self._filters[0].marks = [Mark({0: {Tailed(key, tail) if tail else key: [start, 1.0]}}, 1.0)]
        self._opened = False

    def tell(self, facts: Sequence[Fact]) -> Noted:
        """All that was noted so far. Raises Contradiction if it cannot be; then nothing was taken."""
        facts, before = _in_turn(facts, self.observer.me), self.facts
        goes_on = self._opened and facts[: len(before)] == before and any(map(_is_decided, before))
        if goes_on and len(facts) == len(before):
            return self
        if not goes_on:
            self._begin()
        story, self.facts = self._story(facts), before if goes_on else []
        if not goes_on:
            story.opening = True
            self.open(story, self._may_be, self._has_own)
            story.opening, self._opened = False, True
        if facts or not goes_on:
            self._all(lambda one: one.read(story, len(facts), self.budget))
        self.facts = facts
        return self

    def _story(self, facts: Sequence[Fact]) -> Notes:
        return Notes(self.game, self.observer.me, facts, self.readable)

    def _may_be(self, position: Position) -> bool:
        """Can one's own secrets still become what they are?"""
        for cell, value in self.own.items():
            now = position.cell(cell)
            if now is None or now == self._starts[cell]:
                continue
            if Counter(now) - Counter(value) if isinstance(value, tuple) else now != value:
                return False
        return True

    def _has_own(self, position: Position) -> bool:
        return all(
            Counter(position.cell(cell)) == Counter(value) if isinstance(value, tuple) else position.cell(cell) == value
            for cell, value in self.own.items()
        )

    # --- what follows -------------------------------------------------------------------------------------------------
    def _present(self, one: Filter) -> Worlds:
        """Without those in which more was to be seen than was noted."""
        story = self._story(self.facts)
        worlds = {
            key: world
            for key, world in one.worlds.items()
            if not isinstance(key, Tailed) or not story.goes_beyond(key.tail)
        }
        whole = sum([weight for _, weight in worlds.values()])
        return {key: [position, weight / whole] for key, (position, weight) in worlds.items()}

    @property
    def is_at_turn(self) -> bool:
        return bool(self.facts) and self.facts[-1] is TURN

    @property
    def lacks_something(self) -> bool:
        """Must more have been seen than was noted?"""
        return not self.known and any(one.worlds for one in self._filters)

    def next_rows(self) -> list[Told]:
        """What may be seen next, up to the first thing that has to be noted, as far as that can be found out soon."""
        story = self._story(())
        found: dict[Row, Told] = {}
        ahead = _Ahead(story, found)
        for one in self._filters:
            rest: Worlds = {}
            for key, world in one.worlds.items():
                tail = key.tail if isinstance(key, Tailed) else ()
                if not ahead.hear(tail):
                    rest[key] = world
            try:
                budget = one.steps + LOOKED_AHEAD
                most, one.most = one.most, 0
                one._silent(rest, 0, ahead, {}, None, budget)
            except TooMuch:
                pass
            finally:
                one.most = most
        return list(found.values())


class _Ahead:
    """A story that is not yet told: hears what comes next."""

    length, whole = 1, False

    def __init__(self, notes: Notes, found: dict[Row, Told]):
        self.notes, self.found = notes, found

    def asked(self, level: int) -> Asked | None:
        return None

    def next(self, level: int, held: Sequence[Row], step: Step) -> Seen:
        return None

    def begins(self, level: int, held: Sequence[Row]) -> bool:
        return True

    def follow(self, level: int, rows: Sequence[Row], before: Position) -> tuple[int, tuple[Told, ...]] | None:
        return None if self.hear(self.notes.readable_of(rows, before)) else (level, ())

    def wishes(self, level: int) -> Wish:
        return Wish()

    def hear(self, several: Sequence[Told]) -> bool:
        """Is there something in it that has to be noted?"""
        for told in several:
            if len(self.found) < HEARD:
                self.found.setdefault(told.row, told)
            if self.notes.goes_beyond([told]):
                return True
        return False

    def resume(self, level: int, tail: tuple[Told, ...]) -> tuple[int, tuple[Told, ...]] | None:
        return level, ()


def _is_decided(fact: Fact) -> bool:
    return fact is TURN or any(meaning.event.kind == "ask" for meaning in fact)


def _in_turn(facts: Sequence[Fact], me: int) -> list[Fact]:
    """What several choose at the same time, nobody notes in a certain order: one's own first, then as they sit."""
    found: list[Fact] = []
    for run in _runs(facts):
        found += sorted(run, key=lambda fact: _seat_in(fact, me)) if len(run) > 1 else run
    return found


def _runs(facts: Sequence[Fact]) -> Iterator[list[Fact]]:
    run: list[Fact] = []
    for fact in facts:
        if run and not (at_once(fact) and at_once(fact) == at_once(run[-1])):
            yield run
            run = []
        run.append(fact)
    if run:
        yield run


def at_once(fact: Fact) -> str:
    """The step at which several choose at the same time, if this is what one of them has chosen."""
    steps = [m.event.origin for m in fact if m.event.origin is not None]
    return next((step.name for step in steps if step.verb == "ask" and "at once" in step.at), "")


def _seat_in(fact: Fact, me: int) -> tuple[bool, int]:
    origin = next(m.event.origin for m in fact if m.event.origin is not None)
    told = fact[0].told
    who = told.get("who", next((v for v in told.values() if v in origin.at["ask"].type.atoms), me))
    return who != me, who


class NotedNow(Now):
    """A belief of what was noted, for those who need not know where it comes from."""

    courses: Noted

    def __init__(self, game: Game, seat: str, noted: Noted):
        super().__init__(game, seat, courses=noted)

    @property
    def is_at_turn(self) -> bool:
        return self.courses.is_at_turn

    def ready(self) -> NotedNow:
        self.failed = not self.courses.known
        worlds = [position.cells() for position, _ in self.courses.worlds()]
        cells = range(len(worlds[0])) if worlds else range(0)
        same = frozenset(cell for cell in cells if len({world[cell] for world in worlds}) == 1)
        self._seen = self.observed_cells & same  # what one sees need not be noted, and is then open too
        self._project()
        return self
