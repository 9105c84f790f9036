"""What a seat was told, as the worlds that it holds possible have to agree with it, piece by piece.

`Rows` is a log: every row that the seat was told, as it was told. `Notes` is what somebody has noted at a real table:
sentences, each of which may mean several rows, and of some rows nobody notes anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..interpreter.cells import cell_of
from .wishes import Wish, Wishes

if TYPE_CHECKING:
    from ..interpreter.blocks import Event
    from ..interpreter.game import Game
    from ..interpreter.model import Step, Value
    from ..interpreter.observe import Row
    from ..interpreter.observer import Seen
    from ..interpreter.position import Position

__all__ = ["Asked", "Fact", "Meaning", "Notes", "Rows", "Story", "TURN", "Tailed", "Told", "deciding"]

Asked = Callable[["Position"], bool]


class Told(NamedTuple):
    """A row, and what was added by it to what lay there before."""

    row: Row
    added: tuple[Value, ...] | None = None


class Tailed(NamedTuple):
    """A world in which more has been told already than was noted so far."""

    key: Hashable
    tail: tuple[Told, ...]


class Story(Protocol):
    """Pieces of what a seat was told. A level is how many of them have been told. `whole`: do they tell all that the
    seat has seen, so that what it sees is the same in all worlds?"""

    whole: bool

    @property
    def length(self) -> int: ...
    def asked(self, level: int) -> Asked | None:
        """Is the next piece that the seat is asked? Then how to tell that it is."""

    def next(self, level: int, held: Sequence[Row], step: Step) -> Seen:
        """How it may have been told what is decided at this step, which the seat sees; None: nothing needed to be told.
        `held` is what a plan holds back from it."""

    def begins(self, level: int, held: Sequence[Row]) -> bool:
        """Can this be what is told next, when a plan is done?"""

    def follow(self, level: int, rows: Sequence[Row], before: Position) -> tuple[int, tuple[Told, ...]] | None:
        """Up to which piece one has come when this was told, and what of it goes beyond; None: it was not so."""

    def resume(self, level: int, tail: tuple[Told, ...]) -> tuple[int, tuple[Told, ...]] | None:
        """The same, for what went beyond when there were fewer pieces."""

    def wishes(self, level: int) -> Wish:
        """What must have been dealt for what is told from there on."""


class Rows:
    """All rows of a log; and, at the end, that the seat is asked, if it is."""

    whole = True

    def __init__(self, game: Game, rows: Sequence[Row], asked: Asked | None = None):
        self.events, self.rows, self._asked = game.program.events, rows, asked
        self._game = game
        self._wishes: Wishes | None = None

    @property
    def length(self) -> int:
        return len(self.rows) + (self._asked is not None)

    def asked(self, level: int) -> Asked | None:
        return self._asked if level == len(self.rows) else None

    def next(self, level: int, held: Sequence[Row], step: Step) -> Seen:
        at = level + len(held)
        if at >= len(self.rows):
            return []
        event = self.events[self.rows[at][0]]
        return [(event, dict(zip(event.names, self.rows[at][1:])))] if event.origin is step else []

    def begins(self, level: int, held: Sequence[Row]) -> bool:
        return not held or level >= len(self.rows) or list(self.rows[level : level + len(held)]) == held

    def follow(self, level: int, rows: Sequence[Row], before: Position) -> tuple[int, tuple[Told, ...]] | None:
        end = level + len(rows)
        return None if end > len(self.rows) or list(self.rows[level:end]) != rows else (end, ())

    def resume(self, level: int, tail: tuple[Told, ...]) -> tuple[int, tuple[Told, ...]] | None:
        return level, ()

    def wishes(self, level: int) -> Wish:
        if self._wishes is None:
            self._wishes = Wishes(self._game, self.rows)
        return self._wishes.after(level)


# --- what was noted ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Meaning:
    """One row that a sentence may mean: what it tells, as far as the sentence says it. `added`: what stands under that
    name is not all of it, but what was added."""

    event: Event
    told: dict[str, Any] = field(hash=False)
    added: bool = False

    def is_meant(self, one: Told) -> bool:
        if one.row[0] != self.event.number:
            return False
        row = dict(zip(self.event.names, one.row[1:]))
        return all(
            _same(one.added if self.added and name == self.event.names[-1] else row[name], value)
            for name, value in self.told.items()
        )


Fact = tuple[Meaning, ...]  # a sentence: any of these
TURN: Fact = ()  # that one is asked now


def _same(one: Any, other: Any) -> bool:
    """Nobody notes in which order several things lay there."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and Counter(one) == Counter(other)
    return bool(one == other)


class Notes:
    """Facts, in the order in which they were seen. `readable`: the events of which there are sentences. What somebody
    or chance decides before one's eyes has to be noted, and what is shown; what follows from it need not be. In the
    `opening`, before the first decision, nothing has to be but what is shown at its end."""

    whole = False

    def __init__(self, game: Game, me: int, facts: Sequence[Fact], readable: Collection[int]):
        self.events, self.me, self.facts = game.program.events, me, facts
        self.readable, self.opening = readable, False
        self._needed = {event.number for event in deciding(game) if event.number in readable}
        self._noted = {id(event.origin) for event in self.events if event.number in self._needed}

    @property
    def length(self) -> int:
        return len(self.facts)

    def asked(self, level: int) -> Asked | None:
        if level >= len(self.facts) or self.facts[level] is not TURN:
            return None
        return lambda position: position.asked == self.me

    def next(self, level: int, held: Sequence[Row], step: Step) -> Seen:
        if self.opening or id(step) not in self._noted:
            return None
        for row in held:
            level += self._fits(level, Told(row), loosely=True)
        if level >= len(self.facts):
            return None if held else []  # a plan of which not all is noted yet
        return [(m.event, _told_surely(m)) for m in self.facts[level] if m.event.origin is step]

    def begins(self, level: int, held: Sequence[Row]) -> bool:
        return not held or self._read(level, [Told(row) for row in held], loosely=True) is not None

    def follow(self, level: int, rows: Sequence[Row], before: Position) -> tuple[int, tuple[Told, ...]] | None:
        found = self._read(level, self._told(rows, before))
        beyond = found is not None and level == len(self.facts) and self.goes_beyond(found[1])
        return None if beyond and not self.opening else found

    def resume(self, level: int, tail: tuple[Told, ...]) -> tuple[int, tuple[Told, ...]] | None:
        return (level, tail) if level >= len(self.facts) else self._read(level, tail)

    def wishes(self, level: int) -> Wish:
        return Wish()

    def goes_beyond(self, tail: Sequence[Told]) -> bool:
        """Is there something in it that should have been noted?"""
        return any(one.row[0] in self._needed for one in tail)

    def _counts(self, event: int) -> bool:
        """Is it worth while to remember that this was told?"""
        if self.opening:
            return event in self._needed and self.events[event].kind == "show"
        return event in self.readable

    def _fits(self, level: int, one: Told, loosely: bool = False) -> bool:
        """Is this what was noted next? `loosely`: of what changes it is not known what was there before."""
        if loosely and self.events[one.row[0]].kind == "set":
            return level < len(self.facts) and any(m.event.number == one.row[0] for m in self.facts[level])
        return level < len(self.facts) and any(meaning.is_meant(one) for meaning in self.facts[level])

    def _read(self, level: int, several: Sequence[Told], loosely: bool = False) -> tuple[int, tuple[Told, ...]] | None:
        for place, one in enumerate(several):
            if level >= len(self.facts):
                return level, tuple(x for x in several[place:] if self._counts(x.row[0]))
            if self._fits(level, one, loosely):
                level += 1
            elif one.row[0] in self._needed and not self.opening:
                return None
        return level, ()

    def readable_of(self, rows: Sequence[Row], before: Position) -> list[Told]:
        """Those of which there are sentences."""
        return [told for told in self._told(rows, before) if told.row[0] in self.readable]

    def _told(self, rows: Sequence[Row], before: Position) -> list[Told]:
        found: list[Told] = []
        now: dict[int, Value] = {}
        for row in rows:
            event, added = self.events[row[0]], None
            if event.kind == "set" and event.function is not None:
                cell = cell_of(event.function, row[1:-1])
                old, new = now.get(cell, before.cell(cell)), row[-1]
                now[cell] = new
                if event.function.result.many:
                    added = tuple((Counter(new) - Counter(old or ())).elements()) if isinstance(new, tuple) else None
                else:
                    added = (new,)
            found.append(Told(row, added))
        return found


def _told_surely(meaning: Meaning) -> dict[str, Any]:
    """Without what may have been chosen in another order than it was noted in."""
    kinds = dict(zip(meaning.event.names, meaning.event.types))
    return {name: value for name, value in meaning.told.items() if kinds[name].kind not in ("pile", "list")}


def deciding(game: Game) -> list[Event]:
    """What tells that somebody or chance has decided something, or what is shown."""
    steps = {node.step.name: node.step for node in game.program.nodes if node.step is not None}
    return [event for event in game.program.events if _decides(event, steps.get(event.step))]


def _decides(event: Event, step: Step | None) -> bool:
    if event.kind == "show":
        return not all(kind.kind == "truth" for kind in event.types)
    if event.kind == "set" and step is not None and step.targets and event.function is step.targets[0][0]:
        return step.verb == "deal" or step.verb == "ask" and "at once" in step.at and not step.text
    return event.kind in ("ask", "draw")
