"""What is seen later tells what must have been dealt before: whoever lays the ace of a hand that was dealt him was
dealt the ace. Where worlds are drawn, those are preferred in which that can come true; how often they are drawn is made
good by their weights, so that nothing is expected otherwise, and wrong wishes only cost time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..interpreter.cells import cell_of, cells_of
from ..interpreter.evaluate import evaluate
from .belief import MISSING

if TYPE_CHECKING:
    from ..interpreter.blocks import Event
    from ..interpreter.game import Game
    from ..interpreter.model import Expr, Function, Var
    from ..interpreter.observe import Row
    from ..interpreter.position import Position

__all__ = ["Wish", "Wishes", "better", "hope", "receiver"]


class Wish(NamedTuple):
    """What must come into which cell."""

    ever: dict[int, set[Any]] = {}  # nobody changes it
    cells: Sequence[int] = ()  # all into which chance deals
    next: dict[int, set[Any]] = {}  # all that is in it when the seat is told of it for the next time


UNLIKELY = 0.02  # how much less is thought of a world for each thing that is not where it must come from
FAR = 80  # wishes that are looked at


class Wishes:
    """By the rows of a log: what is seen of the cells that chance deals into, and after how many rows."""

    def __init__(self, game: Game, rows: Sequence[Row]):
        self.game = game
        steps = [node.step for node in game.program.nodes if node.step is not None and node.step.verb == "deal"]
        self._dealt: set[Function] = {step.targets[0][0] for step in steps}
        self._cells = [cell for function in self._dealt for cell in cells_of(function)]
        self._all: list[tuple[int, int, Any]] = []  # row, cell, value
        self._told = [game.program.events[row[0]].kind == "set" for row in rows]
        if self._dealt:
            for place, row in enumerate(rows):
                self._all += [(place, cell, value) for cell, value in self._seen(row)]

    def _seen(self, row: Row) -> list[tuple[int, Any]]:
        event = self.game.program.events[row[0]]
        if event.kind == "set" and event.function in self._dealt:
            cell, value = cell_of(event.function, row[1:-1]), row[-1]
            return [(cell, one) for one in (value if isinstance(value, tuple) else (value,))]
        if event.kind != "ask" or event.origin is None:
            return []
        told, names = dict(zip(event.names, row[1:])), _names(event, row)
        alternative = next((a for a in event.origin.alternatives if a.name == event.alternative), None)
        found: list[tuple[int, Any]] = []
        for part in (*event.origin.parts, *(alternative.parts if alternative is not None else ())):
            cells = self._cells_of(part.source, names) if part.var.name in told else set()
            if len(cells) != 1:
                continue
            (cell,) = cells
            value = told[part.var.name]
            found += [(cell, one) for one in (value if isinstance(value, tuple) else (value,))]
        return found

    def _cells_of(self, source: Expr, names: dict[Var, Any]) -> set[int]:
        """The cells of which something is offered, as far as a look at the expression tells."""
        op, args = source.op, source.args
        if op == "filter":
            return self._cells_of(args[1], names)
        if op == "cond":
            return self._cells_of(args[1], names) | self._cells_of(args[2], names)
        try:
            if op == "word":
                inside = dict(zip(args[0].variables, [evaluate(arg, (), names) for arg in args[1]]))
                return self._cells_of(args[0].body, inside)
            if op == "state" and args[0] in self._dealt:
                return {cell_of(args[0], [evaluate(arg, (), names) for arg in args[1]])}
        except MISSING:
            pass
        return set()

    def after(self, level: int) -> Wish:
        """What must have come into which cell for what is told from here on."""
        ever: dict[int, set[Any]] = {}
        soon: dict[int, tuple[int, set[Any]]] = {}
        looked = 0
        for place, cell, value in self._all:
            if place < level:
                continue
            looked += 1
            if looked > FAR:
                break
            ever.setdefault(cell, set()).add(value)
            if self._told[place] and soon.setdefault(cell, (place, set()))[0] == place:
                soon[cell][1].add(value)
        return Wish(ever, self._cells, {cell: values for cell, (_, values) in soon.items()})


def _names(event: Event, row: Row) -> dict[Var, Any]:
    told = dict(zip(event.names, row[1:]))
    names = dict(zip(event.context, row[1 + len(event.names) :]))
    if event.origin is not None:
        for var in event.origin.visible:
            if var.name in told:
                names.setdefault(var.origin, told[var.name])
        actor: Expr = event.origin.at["ask"]
        if actor.op == "var" and "who" in told:
            names.setdefault(actor.args[0].origin, told["who"])
    return names


def hope(position: Position, wishes: Wish) -> float:
    """How much is thought of a position: less for each thing that is not where it must come from, and still less if it
    lies elsewhere."""
    if not wishes.ever:
        return 1.0
    missing, misplaced = set(), 0
    for cell, wanted in wishes.ever.items():
        value = position.cell(cell)
        missing |= wanted.difference(value if isinstance(value, tuple) else (value,))
    if not missing:
        return 1.0
    for cell in wishes.cells:
        value = position.cell(cell)
        misplaced += len(missing.intersection(value if isinstance(value, tuple) else (value,)))
    return UNLIKELY ** (len(missing) + misplaced)


def receiver(position: Position) -> int | None:
    """Into which cell chance deals here; None where it does something else."""
    step = position.step
    if step is None or step.verb != "deal" or not position.is_chance:
        return None
    try:
        if "dealing" in step.at:
            row, each = map(position.variable, step.at["dealing"].args)
        else:
            cells, names = position.cells(), position.names()
            row, each = (evaluate(step.at[key], cells, names) for key in ("to", "each"))
        done = position.variable(step.at["hand"].args[1])
        return cell_of(step.targets[0][0], [row[done // max(1, each)]])
    except (*MISSING, ZeroDivisionError):
        return None


def better(cell: int, held: Any, wishes: Wish) -> tuple[dict[Any, float], float]:
    """How much more, or less, is thought of a position if something is dealt into this cell: by what it is, and for all
    that nobody wishes."""
    before = held if isinstance(held, tuple) else ()
    if cell in wishes.next:
        return {card: 1 / UNLIKELY for card in wishes.next[cell] if card not in before}, UNLIKELY
    found = {card: UNLIKELY for other in wishes.ever.values() for card in other}
    for card in wishes.ever.get(cell, ()):
        found[card] = 1.0 if card in before else 1 / UNLIKELY
    return found, 1.0
