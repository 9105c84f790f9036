"""The plain face: lines, for any terminal, for pipes and for those who have a screen read to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from ...speech.language import N_, Language
from ..common.layout import wrapped
from ..common.progress import Waiting
from ..common.streams import Terminal
from .asker import Asker, Quit
from .lookup import wants_to_quit
from .screen import Screen
from .sight import Gesture, Sight
from .turns import Turn
from .view import View

__all__ = ["Plain"]

LONG_NEWS = 40  # lines in a pipe, and what a screen has room for on a screen; what is older can be read with `log`
SMALL_MAP = 12  # lines: such a board is always shown


class Plain:
    def __init__(self, terminal: Terminal, screen: Screen):
        self.terminal, self.screen = terminal, screen

    @property
    def interactive(self) -> bool:
        return self.screen.interactive

    def ask(self, sight: Sight, refused: Callable[[], str]) -> Gesture:
        return Asker(sight.view, self.screen).ask(sight, refused)

    def confirm(self, view: View, why: str, what: str) -> bool:
        return Asker(view, self.screen).confirm(why, what)

    def say_forced(self, view: View, taken: Sequence[Any]) -> None:
        said = view.language.row(view.label(value) for value in taken)
        self.screen.text(view.language.say(N_("Only one choice is possible: {choice}."), choice=said), "  ")

    def taken_back(self, view: View) -> None:
        self.screen.text(view.language.say(N_("Taken back.")), "  ")

    def news(self, view: View, told: Sequence[Turn], sits_down: bool) -> None:
        screen, language, notebook, known = self.screen, view.language, view.notebook, view.known()
        if sits_down:
            you = language.say(N_("You are {name}."), name=view.called)
            screen.text(f"{language.text(view.game.name)} · {you}", style="bold")
        if told:
            screen.line()
            lines = [part for turn in told for line in turn.lines for part in wrapped(line, screen.width, "  ", "    ")]
            room = max(6, screen.size[1] - 12) if screen.interactive else LONG_NEWS
            screen.lines(lines if len(lines) <= room else ["  …", *lines[1 - room :]])
        picture = view.picture(screen) if view.board is not None and view.board.grid else []
        small = bool(picture) and len(picture) <= SMALL_MAP
        if small:
            screen.line()
            screen.lines(picture)
        facts = [*notebook.secrets(known), *([] if small else notebook.public(known))]
        if facts:
            screen.line()
            screen.text(" · ".join(language.labelled(label, value) for label, value in facts), "  ", hanging="    ")
        for text in view.certain():
            screen.text(text, "  ", "bold", "    ")

    # --- one keyboard for several -------------------------------------------------------------------------------------
    def hand_over(self, view: View, reader: View | None) -> None:
        screen, say = self.screen, view.language.say
        if reader is not None:  # he has to read it, and others must not notice
            self._pause(reader.language, N_("Press Enter to go on."))
        screen.hide()
        screen.line()
        screen.text(say(N_("Pass the keyboard to {name}. Everybody else looks away."), name=view.called), style="bold")
        if screen.interactive and not screen.can_clear:
            screen.text(say(N_("This terminal cannot be cleared: what you see can be scrolled back to.")))
        screen.line()
        self._pause(view.language, N_("{name}, press Enter."), name=view.called)
        screen.hide()

    def turn_to(self, view: View) -> None:
        self.screen.line()
        self.screen.text(view.language.say(N_("It is for {name} to choose."), name=view.called), style="bold")

    def _pause(self, language: Language, text: str, **values: str) -> None:
        """Wait for Enter; whoever types the word for it leaves the game here as at every prompt."""
        if wants_to_quit(self.screen.pause(language.say(text, **values) + " "), language):
            raise Quit

    def forget_typed(self) -> None:
        self.screen.forget_typed()

    def thinking(self) -> AbstractContextManager[Any]:
        return Waiting(self.terminal, self.terminal.language.say(N_("The others are thinking …")))

    def leave(self) -> None:
        self.screen.leave()
