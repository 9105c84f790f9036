"""What a player knows, as texts and as rows of numbers: made from that player's log and question, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, product

from ..interpreter import Entry, Game, Player
from ..interpreter.model import Type, Value
from .flat import Actions

__all__ = ["Seeing"]

MOST_CELLS = 20_000
MEMORY = 256

Cell = tuple[str, tuple[int, ...]]  # a function of the state and what it is asked for


class Seeing:
    """How the players of a game see it, for machines.

    `text` is all that a player knows: it is the same exactly when the log and the question are. `tokens` is the same as
    a row of whole numbers, of which the last `memory` are kept. `features` is what stands on the table as this player
    sees it, and how often each kind of thing has happened and what it told last: a row of fixed length that forgets in
    which order."""

    def __init__(self, game: Game, actions: Actions, memory: int = MEMORY):
        self.game, self.actions, self.memory = game, actions, memory
        events = game.program.events
        self._told = [_Fields(event.types) for event in events]
        self._cells: dict[Cell, _Fields] = {}
        for event in events:
            if event.kind == "set" and event.function is not None:
                result = _Fields([event.function.result])
                for arguments in product(*(sorted(p.type.atoms) for p in event.function.params)):
                    self._cells[event.function.shape, arguments] = result
                if len(self._cells) > MOST_CELLS:
                    raise ValueError(f"more than {MOST_CELLS} cells can be seen in this game")
        # Where each of them stands in the row of features: most of it is zero, so only what is known is written there.
        self._told_at = list(accumulate((1 + fields.size for fields in self._told), initial=0))
        cells_at = accumulate((1 + fields.size for fields in self._cells.values()), initial=self._told_at[-1])
        self._cell_at = dict(zip(self._cells, cells_at))
        self._question_at = self._told_at[-1] + sum(1 + fields.size for fields in self._cells.values())
        self._chosen_at = self._question_at + len(game.program.nodes)
        self.size = self._chosen_at + len(actions)

    # --- texts --------------------------------------------------------------------------------------------------------
    def text(self, player: Player, done: tuple[int, ...] = ()) -> str:
        """All that a player knows; `done` are the pieces of the choice that he is making."""
        lines = [_line(entry) for entry in player.log.entries()]
        if player.is_asked:
            lines.append(" ".join([f"? {player.question().step.name}", *map(self.actions.name, done)]))
        return "\n".join(lines)

    # --- rows of numbers ----------------------------------------------------------------------------------------------
    def tokens(self, player: Player, done: tuple[int, ...] = ()) -> list[int]:
        """The log and the question as whole numbers; zeros before them fill the row."""
        found: list[int] = []
        for row in player.log.rows():
            found.append(_FIRST + row[0])
            for value in row[1:]:
                found += self._spelt(value)
        if player.is_asked:
            found += [_ASKED, player.question().number, *done]
        found = found[-self.memory :]
        return [0] * (self.memory - len(found)) + found

    def _spelt(self, value: Value) -> Iterable[int]:
        if value is None:
            return (_NOTHING,)
        if isinstance(value, bool):
            return (_YES if value else _NO,)
        if isinstance(value, tuple):
            return (_OPEN, *(x for part in value for x in self._spelt(part)), _CLOSE)
        first = _FIRST + len(self._told)
        return (first + value,) if value >= 0 else (_LESS, first - value)

    def features(self, player: Player, done: tuple[int, ...] = (), asked: bool = True) -> list[float]:
        """`asked`: with the question, if the player is asked one."""
        events = self.game.program.events
        found = [0.0] * self.size
        last: dict[int, Sequence[Value]] = {}
        known: dict[Cell, Sequence[Value]] = {}
        for number, *values in player.log.rows():
            found[self._told_at[number]] += 1.0
            last[number] = values
            event = events[number]
            if event.kind == "set" and event.function is not None:
                arguments = len(event.function.params)
                known[event.function.shape, tuple(values[:arguments])] = values[arguments:]
            elif event.kind == "reset":
                gone = {function.shape for function in event.functions}
                known = {cell: value for cell, value in known.items() if cell[0] not in gone}
        for number, values in last.items():
            self._told[number].write(found, self._told_at[number] + 1, values)
        for cell, values in known.items():
            if cell in self._cells:
                found[self._cell_at[cell]] = 1.0
                self._cells[cell].write(found, self._cell_at[cell] + 1, values)
        if asked and player.is_asked:
            found[self._question_at + player.number] = 1.0
            for piece in done:
                found[self._chosen_at + piece] += 1.0
        return found


_ASKED, _NOTHING, _NO, _YES, _OPEN, _CLOSE, _LESS, _FIRST = range(1, 9)


class _Fields:
    """Values of these types side by side: a thing as a 1 in its place, a set or list as how often each is in it,
    numbers and truths as they are. Of what is made of sets, how many there are."""

    __slots__ = ("kinds", "size")

    def __init__(self, kinds: Iterable[Type]):
        self.kinds = [_places(kind) for kind in kinds]
        self.size = sum(len(places) or 1 for places in self.kinds)

    def write(self, row: list[float], start: int, values: Sequence[Value]) -> None:
        """Into a row in which there are zeros, from a place on."""
        for places, value in zip(self.kinds, values):  # what stands around an event comes after them, and is left out
            if value is not None:
                if not places:
                    row[start] = float(len(value) if isinstance(value, tuple) else value)
                else:
                    for one in value if isinstance(value, tuple) else (value,):
                        if one in places:
                            row[start + places[one]] += 1.0
            start += len(places) or 1


def _places(kind: Type) -> dict[int, int]:
    """Where each thing of this type, or of which this type has several, is counted."""
    while kind.kind in ("set", "list", "pile", "match") and kind.of is not None and kind.of.kind == "thing":
        kind = kind.of
    return {atom: place for place, atom in enumerate(sorted(kind.atoms))} if kind.kind == "thing" else {}


def _line(entry: Entry) -> str:
    told = ", ".join(f"{name}={value}" for name, value in (*entry.told, *entry.context))
    return f"{entry.kind} {entry.step}: {told}"
