"""What a player has seen, and nothing else.

While the game runs, every event is written once, with the mask of those who see it. A seat's log is what remains when
everything it does not see is left out: there is no other way for a client to learn anything.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, cast, overload

from .model import ASPECTS, Named, Value

if TYPE_CHECKING:
    from .game import Game
    from .player import Player, Umpire
    from .state import State

__all__ = ["Entry", "Log", "Mark", "Reader", "Row", "known_state"]

Row = tuple[Value, ...]  # an event and what it told, in numbers
Link = tuple["Chain", Row]
Chain = Link | None  # all that was written before, and the last row: rows are never copied, however often states are
KnownState = dict[str, dict[tuple[Named, ...], Named]]  # function -> arguments -> value


class Entry(NamedTuple):
    """One line of a log: the kind of step, its name, and what it told, by name."""

    kind: str  # ask, draw, show, say, end; set and reset for the state; count, top, contents for a part of a row of it
    step: str
    told: tuple[tuple[str, Named], ...]
    number: int  # of the event in the game's program: for its words and types
    context: tuple[tuple[str, Named], ...] = ()  # what it hangs on, as far as those who see it may know

    @overload
    def __getitem__(self, key: str) -> Named: ...
    @overload
    def __getitem__(self, key: SupportsIndex | slice) -> Any: ...
    def __getitem__(self, key: str | SupportsIndex | slice) -> Any:
        if isinstance(key, str):
            return dict(self.told)[key]
        return tuple.__getitem__(self, key)


def _entry(game: Game, row: Row) -> Entry:
    event = game.program.events[row[0]]
    named = game.vocabulary.named
    told = tuple((name, named(value, kind)) for name, value, kind in zip(event.names, row[2:], event.types))
    name = event.function.shape if event.function is not None else event.step
    context = tuple((var.name, named(value, var.type)) for var, value in zip(event.context, row[2 + len(told) :]))
    return Entry(event.kind, f"{name}/{event.alternative}" if event.alternative else name, told, row[0], context)


class Mark:
    """How far a log was read."""

    __slots__ = ("_chain",)

    def __init__(self, chain: Chain):
        self._chain = chain


# Which rows of an event somebody wants to read: none; all; of those that tell of the same things, the last one before a
# row of which all are read; of the event, the last such one; of all events of this kind together, the first.
LEFT_OUT, ALL, LAST_OF_THE_SAME, LAST, FIRST = range(5)


@cache
def _native() -> Any:
    """What reads logs faster, if it is there."""
    try:
        found = import_module("._native", __package__)
    except ImportError:
        return None
    return found if hasattr(found, "digest") else None


class Log:
    """What those of a mask have seen, in order. It is made of what happened, but tells nothing else of it."""

    __slots__ = ("game", "_chain", "_mask")

    def __init__(self, game: Game, chain: Chain, mask: int):
        self.game, self._chain, self._mask = game, chain, mask

    @property
    def mark(self) -> Mark:
        """Where it ends now."""
        return Mark(self._chain)

    def rows(self) -> list[Row]:
        """As numbers, (event, values…), without who else saw it: what belief works on."""
        return self._rows(None)[0]

    def since(self, mark: Mark | None, without: Container[int] = ()) -> list[Row] | None:
        """The rows since a mark, without those of some events; None if this log does not go on from there, because a
        choice was taken back."""
        rows, goes_on = self._rows(None if mark is None else mark._chain, without)
        return rows if goes_on else None

    def digest(self, mark: Mark | None, kinds: bytes) -> list[Row] | None:
        """The rows since a mark that somebody wants to read, by their events: which of each is told above. None as
        `since`."""
        last = None if mark is None else mark._chain
        native = _native()
        if native is not None:
            found, goes_on = native.digest(self._chain, last, self._mask, kinds)
            return found if goes_on else None
        rows: list[Row] = []
        seen: set[tuple[Value, ...]] = set()
        chain, mask, first = self._chain, self._mask, None
        while chain is not None and chain is not last:
            row = chain[1]
            kind = kinds[row[0]] if row[1] & mask else LEFT_OUT
            if kind == FIRST:
                first = row
            elif kind == ALL:
                seen.clear()
                rows.append((row[0], *row[2:]))
            elif kind and (key := row[:-1] if kind == LAST_OF_THE_SAME else row[:1]) not in seen:
                seen.add(key)
                rows.append((row[0], *row[2:]))
            chain = chain[0]
        if first is not None:
            rows.append((first[0], *first[2:]))
        rows.reverse()
        return rows if chain is last else None

    def _rows(self, last: Chain, without: Container[int] = ()) -> tuple[list[Row], bool]:
        rows: list[Row] = []
        chain, mask = self._chain, self._mask
        while chain is not None and chain is not last:
            row = chain[1]
            if row[1] & mask and row[0] not in without:
                rows.append((row[0], *row[2:]))
            chain = chain[0]
        rows.reverse()
        return rows, chain is last

    def entries(self, since: Mark | None = None, shared: bool = False) -> list[Entry]:
        """In names; `shared`: only what everybody has seen."""
        everyone = (1 << len(self.game.seats)) - 1
        return [
            _entry(self.game, row)
            for row in _raw(self._chain, self._mask, None if since is None else since._chain)
            if not shared or row[1] & everyone == everyone
        ]

    def public(self, since: Mark | None = None, planning: bool = False) -> list[Entry]:
        """What everybody has seen, in names. Of a plan that is done the one who made it and the others were told at two
        moments; while this seat is `planning`, nobody else has seen anything of it."""
        everyone, events = (1 << len(self.game.seats)) - 1, self.game.program.events
        found = []
        for row in _raw(self._chain, self._mask, None if since is None else since._chain):
            event = events[row[0]]
            told_twice = event.planned and not planning and event.origin is not None and event.origin.audience == "all"
            if row[1] & everyone == everyone or told_twice and not event.partial:
                found.append(_entry(self.game, row))
        return found

    @property
    def is_opening(self) -> bool:
        """Is no decision in it, of this game or of the last one of a match?"""
        events, chain = self.game.program.events, self._chain
        while chain is not None:
            kind = events[chain[1][0]].kind
            if chain[1][1] & self._mask and kind in ("ask", "end"):
                return kind == "end"
            chain = chain[0]
        return True

    def of(self, seat: str) -> Log:
        """What one seat has seen of all this."""
        return Log(self.game, self._chain, self._mask & 1 << self.game.seat(seat))

    def pieces(self, marks: Sequence[Mark]) -> list[tuple[int, list[Row]]]:
        """Its rows, cut at these marks: after how many of them which rows follow. Empty pieces are left out."""
        passed = {id(mark._chain): number for number, mark in enumerate(marks)}
        found: list[tuple[int, list[Row]]] = []
        chain, done = self._chain, len(marks)
        while chain is not None:
            done = passed.get(id(chain), done)
            row = chain[1]
            if row[1] & self._mask:
                if not found or found[-1][0] != done:
                    found.append((done, []))
                found[-1][1].append((row[0], *row[2:]))
            chain = chain[0]
        return [(number, rows[::-1]) for number, rows in reversed(found)]

    def decisions(self) -> list[Mark]:
        """Where each decision of a seat was made: what was there just before it."""
        reader, chain = Reader(self.game), self._chain
        reader._mask = self._mask
        links: list[Link] = []
        while chain is not None:
            links.append(chain)
            chain = chain[0]
        events = self.game.program.events
        asked = [link for link in reversed(links) if events[link[1][0]].kind == "ask" and link[1][1] & self._mask]
        return [Mark(before) for before, row in asked if not reader.told_before(row)]


def _raw(chain: Chain, mask: int, last: Chain = None) -> list[Row]:
    rows = []
    while chain is not None and chain is not last:
        if chain[1][1] & mask:
            rows.append(chain[1])
        chain = chain[0]
    rows.reverse()
    return rows


class Reader:
    """Reads a log while the game goes on: what one seat sees or, without a seat, what anyone sees, as an umpire
    would."""

    def __init__(self, game: Game, seat: str | None = None):
        self.game = game
        self._mask = -1 if seat is None else 1 << game.seat(seat)
        self._last: Chain = None
        self._planned: dict[Row, list[int]] = {}

    def news(self, source: State | Player | Umpire) -> list[Entry]:
        """What was told since the last time: from the player's own log, or from the state, if all seats are yours."""
        log = source.log
        chain = log._chain if isinstance(log, Log) else cast("State", source).v[1]
        rows = _raw(chain, self._mask, self._last)
        self._last = chain
        return [_entry(self.game, row) for row in rows if not self.told_before(row)]

    def told_before(self, row: Row) -> bool:
        """What a plan did stands in the log twice: for the one who planned, and later for the others. So does a choice
        of which others see only a part, for whoever sees all."""
        event = self.game.program.events[row[0]]
        if event.partial and self._mask == -1:
            return True
        if not event.planned:
            return False
        earlier = self._planned.setdefault((row[0], *row[2:]), [])
        for mask in earlier:
            if not mask & row[1]:
                earlier.remove(mask)
                return True
        earlier.append(row[1])
        return False


def known_state(game: Game, log: Iterable[Entry], known: KnownState | None = None) -> KnownState:
    """The state as far as this log tells it: function -> arguments -> value, on from what was `known` before."""
    known = {} if known is None else known
    for entry in log:
        if entry.kind == "set":
            values = [value for _, value in entry.told]
            known.setdefault(entry.step, {})[tuple(values[:-1])] = values[-1]
        elif entry.kind in ASPECTS:
            values = [value for _, value in entry.told]
            known.setdefault(f"{entry.kind} of {entry.step}", {})[tuple(values[:-1])] = values[-1]
        elif entry.kind == "reset":
            for function in game.program.events[entry.number].functions:
                for shape in (function.shape, *(f"{aspect} of {function.shape}" for aspect in ASPECTS)):
                    known.pop(shape, None)
    return known
