"""The table of goals, as a player or an umpire is told it: which row is whose, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..interpreter.evaluate import evaluate
from ..interpreter.screens import read_screens
from .conditions import Speaker
from .language import Language, fill
from .narrator import Narrator

__all__ = ["Goals"]

_MISTAKES = (KeyError, TypeError, IndexError, ValueError)


class Goals:
    def __init__(self, game, narrator: Narrator, language: Language):
        self.game, self.narrator, self.language = game, narrator, language
        self.words = game.vocabulary
        self.table = read_screens(game.vocabulary).table
        self.speaker = Speaker(game, language)

    def keys(self, slots: Sequence[Any], seat: str) -> tuple | None:
        """The keys of a player's row in the table, None for those that are not known; None if he has no row."""
        atom = self.words.seats[self.game.seat(seat)]
        if self.table is None or atom not in self.table.player.type.atoms:
            return None
        found = []
        for expr in self.table.keys:
            try:
                found.append(evaluate(expr, slots, {self.table.player: atom}))
            except _MISTAKES:
                found.append(None)
        return tuple(found)

    def row(self, keys: tuple) -> str:
        """What a row says; nothing, if there is none with these keys."""
        return self.speaker.cell(self.table.function, keys) if keys in self.table.function.values else ""

    def fulfilled(self, slots: Sequence[Any], seat: str) -> bool | None:
        """Whether a player's row has come true, once the game is over; None if the rules do not say how to tell."""
        if self.table is None or self.table.fulfilled is None:
            return None
        names = {self.table.player: self.words.seats[self.game.seat(seat)]}
        try:
            return bool(evaluate(self.table.fulfilled, slots, names))
        except _MISTAKES:
            return None

    def otherwise(self, slots: Sequence[Any], seat: str) -> str:
        """What is told to a player who has no row in the table; nothing, if the rules do not say it."""
        if self.table is None or self.table.otherwise is None:
            return ""
        names = {self.table.player: self.words.seats[self.game.seat(seat)]}
        return self.say_otherwise(
            {
                name: self.narrator.names(evaluate(expr, slots, names), expr.type)
                for name, expr in self.table.otherwise[1]
            }
        )

    def say_otherwise(self, values: dict[str, Any]) -> str:
        text, tells = self.table.otherwise
        said = {
            name: self.narrator.said(tuple(values[name]) if expr.type.many else values[name], expr.type)
            for name, expr in tells
        }
        return fill(self.language.text(text), said)
