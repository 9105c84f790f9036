"""What a seat may want to know, and whether it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..interpreter.cells import cells_of
from ..interpreter.evaluate import evaluate
from ..interpreter.model import Expr, Var
from ..interpreter.presentation import EVERYTHING
from .answers import Tree
from .belief import MISSING, Belief, WorldCells, per_world

if TYPE_CHECKING:
    from ..interpreter.game import Game


# --- what can be known ------------------------------------------------------------------------------------------------
class Questions:
    """What a seat may want to know: the secrets of all, by kind; what the rules name; everything."""

    def __init__(self, game: Game, seat: str):
        self.game, self.me = game, game.vocabulary.seats[game.seat(seat)]
        screens = game.screens
        self.functions = {f.shape.split(" ")[0]: f for f in screens.secrets}
        self.expressions: dict[str, tuple[Var, Expr]] = {}
        for name, (var, expr) in screens.knowledge.items():
            if self.me in var.type.atoms and not self._is_fixed(var, expr):
                self.expressions[name] = (var, expr)
        self.found: dict[str, Tree] = {name: [] for name in self.expressions}
        self.names = [*self.expressions, *self.functions, EVERYTHING] if self.functions else list(self.expressions)

    def _is_fixed(self, var: Var, expr: Expr) -> bool:
        """Is it the same in every game, as where everybody plays for himself?"""
        try:
            evaluate(expr, (), {var: self.me})
        except (KeyError, IndexError, TypeError):
            return False
        return True

    def look(self, name: str) -> Callable[[WorldCells], Any]:
        var, expr = self.expressions[name]
        return lambda cells: evaluate(expr, cells, {var: self.me})

    def values(self, belief: Belief, name: str) -> Iterator[Any]:
        """What it is in each world."""
        return per_world(belief, self.look(name), self.found[name])

    def certain(self, belief: Belief, name: str) -> bool:
        if not belief.exact or not belief.worlds:
            return False
        if name == EVERYTHING:
            return len(belief.worlds) == 1
        if name in self.functions:
            cells = cells_of(self.functions[name])
            if any(cell not in belief.place and cell not in belief.seen_cells for cell in cells):
                return False
            places = [belief.place[cell] for cell in cells if cell in belief.place]
            return all(len({world[p] for world in belief.worlds}) == 1 for p in places)

        try:
            values = self.values(belief, name)
            first = next(values, None)
            return first is not None and all(value == first for value in values)
        except MISSING:
            return False
