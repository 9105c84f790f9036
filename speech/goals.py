"""The table of goals, as a player or an umpire is told it: which row is whose, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..interpreter.evaluate import evaluate
from .language import Language, fill
from .narrator import Narrator

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from .conditions import Speaker

__all__ = ["Goals"]

_MISTAKES = (KeyError, TypeError, IndexError, ValueError)


class Goals:
    def __init__(self, game: Game, narrator: Narrator, language: Language):
        self.game, self.narrator, self.language = game, narrator, language
        self.words = game.vocabulary
        self.table = game.screens.table

    @cached_property
    def speaker(self) -> Speaker:
        """Who says conditions; he needs grammars, and at most prompts there is no goal to be told."""
        from .conditions import Speaker

        return Speaker(self.game, self.language)

    def keys(self, cells: Sequence[Any], seat: str) -> tuple[Any, ...] | None:
        """The keys of a player's row in the table, None for those that are not known; None if he has no row."""
        atom = self.words.seats[self.game.seat(seat)]
        if self.table is None or atom not in self.table.player.type.atoms:
            return None
        found = []
        for expr in self.table.keys:
            try:
                found.append(evaluate(expr, cells, {self.table.player: atom}))
            except _MISTAKES:
                found.append(None)
        return tuple(found)

    def row(self, keys: tuple[Any, ...]) -> str:
        """What a row says; nothing, if there is none with these keys."""
        if self.table is None or keys not in self.table.function.values:
            return ""
        return self.speaker.cell(self.table.function, keys)

    def fulfilled(self, cells: Sequence[Any], seat: str) -> bool | None:
        """Whether a player's row has come true, once the game is over; None if the rules do not say how to tell."""
        if self.table is None or self.table.fulfilled is None:
            return None
        names = {self.table.player: self.words.seats[self.game.seat(seat)]}
        try:
            return bool(evaluate(self.table.fulfilled, cells, names))
        except _MISTAKES:
            return None

    def otherwise(self, cells: Sequence[Any], seat: str) -> str:
        """What is told to a player who has no row in the table; nothing, if the rules do not say it."""
        if self.table is None or self.table.otherwise is None:
            return ""
        names = {self.table.player: self.words.seats[self.game.seat(seat)]}
        return self.say_otherwise(
            {name: self.game.named(evaluate(expr, cells, names), expr.type) for name, expr in self.table.otherwise[1]}
        )

    def say_otherwise(self, values: dict[str, Any]) -> str:
        if self.table is None or self.table.otherwise is None:
            return ""
        text, tells = self.table.otherwise
        said = {
            name: self.narrator.said(tuple(values[name]) if expr.type.many else values[name], expr.type)
            for name, expr in tells
        }
        return fill(self.language.text(text), said)
