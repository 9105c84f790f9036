"""What somebody can be certain of by what he has seen: told at the moment when it is so, and not before.

Only the questions that the rules call worth knowing (`screens: knowledge`) are looked at, and only where all deals that
are possible can be kept in view.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from ...interpreter import Game, Player
from ...interpreter.evaluate import evaluate
from ...interpreter.model import Type
from ...interpreter.observe import Mark, Row
from ...mind.answers import Tree
from ...mind.belief import MISSING, Belief, per_world
from ...mind.questions import Questions
from ...mind.secrets import deals_suffice
from ...speech.language import N_, Language
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
        self._found: Tree = []
        self._open: set[tuple[Any, ...]] | None = None  # rows of the table of goals, once they were asked for

    def told(self, player: Player, notebook: Notebook, language: Language) -> list[str]:
        """One fact for each question whose answer follows from the log."""
        if self.belief is None:
            return []
        rows: Sequence[Row] | None = player.log.since(self._read)
        assert rows is not None  # whoever takes something back begins anew
        if rows or self._read is None:
            self._read, self._open = player.log.mark, None
            self.belief.observe(rows)
            self._told = self._certain(notebook, language)
        return self._told

    def _certain(self, notebook: Notebook, language: Language) -> list[str]:
        assert self.belief is not None
        belief, found = self.belief.ready(), []
        for name, (_, expr) in self.questions.expressions.items():
            if self.questions.certain(belief, name):
                value = next(self.questions.values(belief, name), None)
                said = self._said(belief.game.named(value, expr.type), expr.type, notebook, language)
                found.append(language.labelled(question_name(belief.game, language, name), said))
        rows = list(islice(self._rows(notebook), 2))
        if len(rows) == 1 and (goal := notebook.goals.row(rows[0])):
            found.append(language.say(N_("This is your goal: {goal}"), goal=goal))
        return found

    def _said(self, value: Any, kind: Type, notebook: Notebook, language: Language) -> str:
        """A value in words; of several players he himself is called so."""
        me = notebook.seat
        if not isinstance(value, tuple) or me not in value or self.questions.me not in (kind.of or kind).atoms:
            return notebook.narrator.said(value, kind)("list")
        others = [notebook.narrator.said(one, kind.of or kind)("list") for one in value if one != me]
        return language.list([language.translate(N_("you")), *others])

    # --- the table of goals -------------------------------------------------------------------------------------------
    def rows(self, notebook: Notebook) -> set[tuple[Any, ...]] | None:
        """The keys of all rows of the table of goals that can be his; None, if that cannot be told."""
        if self._open is None:
            self._open = set(self._rows(notebook))
        return self._open or None

    def _rows(self, notebook: Notebook) -> Iterator[tuple[Any, ...]]:
        """Each of them once."""
        table, me, belief = notebook.screens.table, self.questions.me, self.belief
        if table is None or me not in table.player.type.atoms or belief is None or not belief.ready().exact:
            return
        seen: set[tuple[Any, ...]] = set()
        try:
            for keys in per_world(
                belief, lambda cells: tuple(evaluate(e, cells, {table.player: me}) for e in table.keys), self._found
            ):
                if keys not in seen:
                    seen.add(keys)
                    yield keys
        except MISSING:
            return
