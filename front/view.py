"""One person's place at the table: how he reads, what he has read, and what he can look up."""

from __future__ import annotations

from pathlib import Path

from ..interpreter import Reader
from .language import Language, spoken
from .map import Board, board_of, draw
from .narrate import Narrator
from .notebook import Notebook
from .screen import Screen
from .seats import Seat

__all__ = ["View"]


class View:
    def __init__(self, game, seat: Seat, usual: Language, saved: Path):
        self.game, self.seat, self.saved = game, seat, saved
        self.language = Language(seat.language) if seat.language in spoken() else usual
        self.narrator = Narrator(game, self.language)
        self.reader = Reader(game, seat.seat)
        self.notebook = Notebook(game, seat.seat, self.narrator, self.language)
        self.board: Board | None = board_of(game)
        self.history: list[str] = []  # all that was told to him
        self.hints = False  # may he ask what follows from what he has seen?
        self.hinted = False  # does he know what can be typed?
        self.looked = False
        self._known: dict = {}
        self._known_at: tuple | None = None

    @property
    def called(self) -> str:
        """His seat, with the name of the person in it."""
        name = self.narrator.seat(self.seat.seat)("list")
        return f"{self.seat.name} ({name})" if self.seat.name else name[:1].upper() + name[1:]

    def known(self, state) -> dict:
        """The state as far as his log tells it."""
        if self._known_at is not state.v[1]:
            self._known, self._known_at = self.notebook.read(state.log(self.seat.seat)), state.v[1]
        return self._known

    def picture(self, state, screen: Screen) -> list[str]:
        """The board as he sees it; nothing, if the game has none."""
        if self.board is None:
            return []
        return draw(self.game, self.known(state), screen.width, screen.has_signs, screen.has_style,
                    self.language).splitlines()
