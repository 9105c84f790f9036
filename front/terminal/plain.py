"""The plain face: lines, for any terminal, for pipes and for those who have a screen read to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from ...speech.language import N_, Language
from ..common.layout import wrapped
from ..common.progress import Waiting
from ..common.streams import Terminal
from ..paper.map import draw
from .asker import Asker, Quit
from .lookup import wants_to_quit
from .passing import Passing
from .screen import Screen
from .sight import Gesture, Sight
from .turns import Turn
from .view import View

if TYPE_CHECKING:
    from .ending import Ending

__all__ = ["Plain"]

LONG_NEWS = 40  # lines in a pipe, and what a screen has room for on a screen; what is older can be read with `log`
HIGH_MAP = 40  # rows of a screen on which a map with routes may have room
SMALL_MAP = 16  # lines: such a board is always shown


class Plain:
    def __init__(self, terminal: Terminal, screen: Screen):
        self.terminal, self.screen = terminal, screen
        self._certain: list[str] = []  # as it was told last

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
        certain = view.certain()
        if sits_down or certain != self._certain or any(turn.who != view.seat.seat for turn in told):
            for text in certain:  # once in a turn, and when there is more of it
                screen.text(text, "  ", "bold", "    ")
        self._certain = certain

    # --- one keyboard for several -------------------------------------------------------------------------------------
    def hand_over(self, passing: Passing) -> None:
        screen, view = self.screen, passing.view
        if passing.reads and passing.leaves is not None:  # he has to read it, and others must not notice
            self._pause(passing.leaves.language, N_("Press Enter to go on."))
        screen.hide()
        screen.line()
        for text in passing.asked:
            screen.text(text, style="bold")
        if not screen.interactive:
            return
        if not screen.can_clear:
            screen.text(view.language.say(N_("This terminal cannot be cleared: what you see can be scrolled back to.")))
        self._show_open(passing)
        screen.line()
        while not passing.opens(typed := screen.pause(passing.prompt + " ")):
            if passing.leaves_game(typed):
                raise Quit
            if passing.is_map(typed):
                more = view.language.say(N_("Press Enter for more, or type anything to stop."))
                screen.pages(passing.picture(self._drawn), more + " ")
        screen.hide()
        screen.forget_typed()

    def _show_open(self, passing: Passing) -> None:
        """What all may read meanwhile, as far as there is room: the news, what lies open, the board."""
        screen = self.screen
        room = screen.size[1] - 4 - sum(len(wrapped(text, screen.width)) for text in passing.asked)
        room -= len(screen.asked(passing.prompt + " "))
        facts = wrapped(" · ".join(passing.facts()), screen.width, "  ", "    ") if passing.facts() else []
        flat = passing.view.board is not None and passing.view.board.grid or screen.size[1] >= HIGH_MAP
        picture = passing.picture(self._drawn) if flat else []  # to lay routes takes a while
        if len(picture) + len(facts) + 2 > room:
            picture = []
        if len(facts) + 1 > room:
            facts = []
        room -= sum(len(part) + 1 for part in (facts, picture) if part)
        news = [part for line in passing.news() for part in wrapped(line, screen.width, "  ", "    ")]
        news = news if len(news) <= room else ["  …", *news[len(news) - room + 1 :]] if room > 1 else []
        for part in (news, facts, picture):
            if part:
                screen.line()
                screen.lines(part)

    def _drawn(self, view: View, known: dict[str, Any]) -> list[str]:
        screen = self.screen
        return draw(view.game, known, screen.width, screen.has_signs, screen.has_style, view.language).splitlines()

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
        return Waiting(self.terminal.out, self.terminal.language.say(N_("The others are thinking …")))

    def part(self, endings: Sequence[Ending], another: bool) -> str | None:
        return None  # it is written where nothing private is

    def leave(self) -> None:
        self.screen.leave()
