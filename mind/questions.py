"""What a seat may want to know, and whether it does."""

from __future__ import annotations

from ..interpreter.evaluate import evaluate
from ..interpreter.model import Expr, Var
from ..interpreter.presentation import EVERYTHING
from .odds import _MISSING, per_world


# --- what can be known ------------------------------------------------------------------------------------------------
class Questions:
    """What a seat may want to know: the secrets of all, by kind; what the rules name; everything."""

    def __init__(self, game, seat: str):
        self.game, self.me = game, game.vocabulary.seats[game.seat(seat)]
        screens = game.screens
        self.functions = {f.shape.split(" ")[0]: f for f in screens.secrets}
        self.expressions: dict[str, tuple[Var, Expr]] = {}
        for name, (var, expr) in screens.knowledge.items():
            if self.me in var.type.atoms and not self._is_fixed(var, expr):
                self.expressions[name] = (var, expr)
        self.names = [*self.expressions, *self.functions, EVERYTHING] if self.functions else list(self.expressions)

    def _is_fixed(self, var, expr) -> bool:
        """Is it the same in every game, as where everybody plays for himself?"""
        try:
            evaluate(expr, (), {var: self.me})
        except (KeyError, IndexError, TypeError):
            return False
        return True

    def look(self, name: str):
        var, expr = self.expressions[name]
        return lambda slots: evaluate(expr, slots, {var: self.me})

    def certain(self, belief, name: str) -> bool:
        if not belief.exact:
            return False
        if name == EVERYTHING:
            return len(belief.worlds) == 1
        if name in self.functions:
            slots = belief._slots(self.functions[name])
            places = [belief.place[slot] for slot in slots if slot in belief.place]
            return all(len({world[p] for world in belief.worlds}) == 1 for p in places)

        try:
            values = per_world(belief, self.look(name))
            first = next(values, None)
            return first is not None and all(value == first for value in values)
        except _MISSING:
            return False
