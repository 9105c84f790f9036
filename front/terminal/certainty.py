"""What somebody can be certain of by what he has seen: told at the moment when it is so, and not before.

Only the questions that the rules call worth knowing (`screens: knowledge`) are looked at, and only where all deals that
are possible can be kept in view.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...interpreter import Game, Player
from ...interpreter.observe import Mark, Row
from ...mind.belief import Belief, per_world
from ...mind.questions import Questions
from ...mind.secrets import deals_suffice
from ...speech.language import Language
from ...speech.narrator import question_name
from .notebook import Notebook

__all__ = ["Certainty"]


class Certainty:
    """One seat's; it reads on where it was."""

    def __init__(self, game: Game, seat: str):
        self.questions = Questions(game, seat)
        self.belief = Belief(game, seat) if self.questions.expressions and deals_suffice(game) else None
        self._read: Mark | None = None
        self._told: list[str] = []

    def told(self, player: Player, notebook: Notebook, language: Language) -> list[str]:
        """One fact for each question whose answer follows from the log."""
        if self.belief is None:
            return []
        rows: Sequence[Row] | None = player.log.since(self._read)
        assert rows is not None  # whoever takes something back begins anew
        if rows or self._read is None:
            self._read = player.log.mark
            self.belief.observe(rows)
            self._told = self._certain(notebook, language)
        return self._told

    def _certain(self, notebook: Notebook, language: Language) -> list[str]:
        assert self.belief is not None
        belief, found = self.belief.ready(), []
        for name, (_, expr) in self.questions.expressions.items():
            if self.questions.certain(belief, name):
                value = next(iter(per_world(belief, self.questions.look(name))), None)
                said = notebook.narrator.said(belief.game.named(value, expr.type), expr.type)("list")
                found.append(language.labelled(question_name(belief.game, language, name), said))
        return found
