"""One person's place at the table: how he reads, what he has read, and what he can look up.

It is made of a `Player`, so nothing on a screen can come from anywhere but that player's own log.
"""

from __future__ import annotations

from pathlib import Path

from ...interpreter import Player, Reader
from ...interpreter.model import Expr, walk
from ...interpreter.observe import Entry, known_state
from ...speech.language import Language, spoken
from ...speech.narrator import Narrator
from ..paper.map import Board, board_of, draw
from .notebook import Notebook
from .screen import Screen
from .seats import Seat

__all__ = ["View"]


class View:
    def __init__(self, player: Player, seat: Seat, usual: Language, saved: Path):
        self.game, self.seat, self.saved = player.game, seat, saved
        self.language = Language(seat.language) if seat.language in spoken() else usual
        self.narrator = Narrator(self.game, self.language)
        self.notebook = Notebook(self.game, seat.seat, self.narrator, self.language)
        self.board: Board | None = board_of(self.game)
        self.history: list[str] = []  # all that was told to him
        self.hints = False  # may he ask what follows from what he has seen?
        self.hinted = False  # does he know what can be typed?
        self.looked = False
        self.sit_down(player)

    def sit_down(self, player: Player) -> None:
        """At the beginning, or after a decision was taken back: nothing is read yet."""
        self.player = player
        self.reader = Reader(self.game, self.seat.seat)
        self._log = Reader(self.game, self.seat.seat)
        self._known: dict = {}

    @property
    def called(self) -> str:
        """His seat, with the name of the person in it."""
        name = self.narrator.seat(self.seat.seat)("list")
        return f"{self.seat.name} ({name})" if self.seat.name else name[:1].upper() + name[1:]

    def news(self) -> list[Entry]:
        """What was told to him since he last looked."""
        return self.reader.news(self.player)

    def known(self) -> dict:
        """The state as far as his log tells it."""
        self._known = known_state(self.game, self._log.news(self.player), self._known)
        return self._known

    def also_shown(self) -> list[str]:
        """What he was shown, or has shown, beside that which his notes record: the sentences that told it."""
        notes, kept = self.notebook.screens.notes, []
        if notes is None:
            return []
        cards = notes.record.result.of.of.atoms
        recorded = {
            step.name.split("/")[0]
            for rule in self.game.program.rules.values()
            for step in walk(rule.steps)
            if any(function is notes.record for function, *_ in step.targets)
        }
        for entry in Reader(self.game, self.seat.seat).news(self.player):
            event = self.game.program.events[entry.number]
            if entry.kind == "reset" and notes.record in event.functions:
                kept.clear()  # a new game, with new secrets
            told = [kind for kind in event.types if kind.kind != "truth"]
            is_card = any(kind.atoms and kind.atoms <= cards for kind in (k.of or k for k in told))
            shown = entry.kind == "show" and len(told) > 1
            given = (
                entry.kind == "ask" and is_card and event.origin is not None and isinstance(event.origin.audience, Expr)
            )
            if (shown or given) and not (is_card and event.step.split("/")[0] in recorded):
                kept.append(entry)
        return list(dict.fromkeys(Narrator(self.game, self.language).tell(kept)))

    def picture(self, screen: Screen) -> list[str]:
        """The board as he sees it; nothing, if the game has none."""
        if self.board is None:
            return []
        return draw(
            self.game, self.known(), screen.width, screen.has_signs, screen.has_style, self.language
        ).splitlines()
