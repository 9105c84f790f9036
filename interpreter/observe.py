"""What a player has seen, and nothing else.

While the game runs, every event is written once, with the mask of those who see it. A seat's log is what remains when
everything it does not see is left out: there is no other way for a client to learn anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .state import Game

__all__ = ["Entry", "Reader", "known_state", "read", "seen_rows"]


class Entry(NamedTuple):
    """One line of a log: the kind of step, its name, and what it told, by name."""

    kind: str  # ask, draw, show, say, end; set and reset for the state
    step: str
    told: tuple[tuple[str, Any], ...]
    number: int  # of the event in the game's program: for its words and types
    context: tuple[tuple[str, Any], ...] = ()  # what it hangs on, as far as those who see it may know

    def __getitem__(self, key):
        if isinstance(key, str):
            return dict(self.told)[key]
        return tuple.__getitem__(self, key)


def read(game: Game, chain: tuple | None, mask: int) -> list[Entry]:
    rows = []
    while chain is not None:
        if chain[1][1] & mask:
            rows.append(_entry(game, chain[1]))
        chain = chain[0]
    rows.reverse()
    return rows


def _entry(game: Game, row: tuple) -> Entry:
    event = game.program.events[row[0]]
    told = tuple((name, _named(game, value, kind)) for name, value, kind in zip(event.names, row[2:], event.types))
    name = event.function.shape if event.function is not None else event.step
    context = tuple(
        (var.name, _named(game, value, var.type)) for var, value in zip(event.context, row[2 + len(told) :])
    )
    return Entry(event.kind, f"{name}/{event.alternative}" if event.alternative else name, told, row[0], context)


def seen_rows(chain: tuple | None, mask: int) -> list[tuple]:
    """The log of a seat as numbers, (event, values…), without who else saw it: what belief works on."""
    rows = []
    while chain is not None:
        row = chain[1]
        if row[1] & mask:
            rows.append((row[0], *row[2:]))
        chain = chain[0]
    rows.reverse()
    return rows


class Reader:
    """Reads a log while the game goes on: what one seat sees or, without a seat, what anyone sees, as an umpire
    would."""

    def __init__(self, game: Game, seat: str | None = None):
        self.game = game
        self._mask = -1 if seat is None else 1 << game.seat(seat)
        self._last: tuple | None = None
        self._planned: dict[tuple, list[int]] = {}

    def news(self, state) -> list[Entry]:
        """What was told since the last time."""
        rows, chain = [], state.v[1]
        while chain is not None and chain is not self._last:
            if chain[1][1] & self._mask:
                rows.append(chain[1])
            chain = chain[0]
        self._last = state.v[1]
        return [_entry(self.game, row) for row in reversed(rows) if not self._told_before(row)]

    def _told_before(self, row: tuple) -> bool:
        """What a plan did stands in the log twice: for the one who planned, and later for the others."""
        if not self.game.program.events[row[0]].planned:
            return False
        earlier = self._planned.setdefault((row[0], *row[2:]), [])
        for mask in earlier:
            if not mask & row[1]:
                earlier.remove(mask)
                return True
        earlier.append(row[1])
        return False


def _named(game: Game, value: Any, kind) -> Any:
    """Names instead of numbers; hashable, the same in every process."""
    if value is None or isinstance(value, bool) or kind.kind == "number":
        return value
    if isinstance(value, tuple):
        inner = kind.of if kind.of is not None else kind
        return tuple(_named(game, x, inner) for x in value)
    return game.vocabulary.atoms[value].name


def known_state(
    game: Game, log: list[Entry], known: dict[str, dict[tuple, Any]] | None = None
) -> dict[str, dict[tuple, Any]]:
    """The state as far as this log tells it: function -> arguments -> value, on from what was `known` before."""
    known = {} if known is None else known
    for entry in log:
        if entry.kind == "set":
            values = [value for _, value in entry.told]
            known.setdefault(entry.step, {})[tuple(values[:-1])] = values[-1]
        elif entry.kind == "reset":
            for function in game.program.events[entry.number].functions:
                known.pop(function.shape, None)
    return known
