"""A game watched or told again at a terminal: turn by turn with the board, back and forth, by itself at any speed."""

from __future__ import annotations

import select
from collections.abc import Callable, Sequence

from ...interpreter import Game
from ...interpreter.observe import Entry
from ...speech.language import N_, Language
from ...speech.narrator import Narrator
from ..common.layout import wrapped
from ..common.progress import Waiting
from ..paper.map import board_of, draw
from .lookup import pgettext, wants_to_quit
from .prompt import normal
from .screen import EndOfInput, Screen
from .turns import Scene, Scenes

__all__ = ["Stepping"]

WORDS = (
    pgettext("command", "back"),
    pgettext("command", "run"),
    pgettext("command", "map"),
    pgettext("command", "secrets"),
)
PACE = 2.0  # seconds for a turn
FEW = 4  # lines beside a turn and its board


class Stepping:
    """`more` tells what happened next, nothing at the end of the game; `ending` shows what came of it; `known` tells
    for a turn who could know what by then, and without one all of it."""

    def __init__(
        self,
        screen: Screen,
        language: Language,
        game: Game,
        more: Callable[[], Sequence[Entry]],
        ending: Callable[[], None],
        known: Callable[[int | None], list[str]] | None = None,
        sees_all: bool = False,
    ):
        self.screen, self.language, self.game = screen, language, game
        self.more, self.ending, self.known = more, ending, known
        self.read = Scenes(game, Narrator(game, language, sees_all))
        self.whole = False  # is all of it told?
        self.asked_for_secrets = False
        self.hinted = False

    def run(self) -> None:
        """Until somebody leaves."""
        at = 0
        try:
            while True:
                with self._playing():
                    self._reach(at)
                at = min(at, len(self.scenes))
                self._show(at)
                at = self._next(at)
        except (EndOfInput, KeyboardInterrupt):
            self.screen.line()

    # --- scenes -------------------------------------------------------------------------------------------------------
    def _reach(self, at: int) -> None:
        """Goes on with the game until this turn is over."""
        while not self.whole and len(self.scenes) <= at:
            news = self.more()
            self.whole = not news
            self.read.read(news, self.whole)

    def to_the_end(self) -> None:
        """Goes on with the game until it is over."""
        with self._playing():
            while not self.whole:
                self._reach(len(self.scenes))

    def _playing(self) -> Waiting:
        """While the game goes on; it may take long."""
        return Waiting(self.screen.out, self.language.say(N_("Tabarro is playing …")))

    @property
    def scenes(self) -> Sequence[Scene]:
        return self.read.found

    def _show(self, at: int) -> None:
        screen = self.screen
        screen.line()
        if at == len(self.scenes):
            screen.rule()
            self.ending()
            return
        scene = self.scenes[at]
        lines = [part for line in scene.turn.lines for part in wrapped(line, screen.width, "  ", "    ")]
        if self.asked_for_secrets and self.known is not None:
            lines += [part for line in self.known(scene.number) for part in wrapped(line, screen.width, "» ", "    ")]
        picture = self._picture(scene, legend=False)
        if picture and len(picture) + len(lines) + FEW <= screen.size[1]:
            screen.lines(picture)
        screen.text(self._title(scene), style="bold")
        screen.lines(lines)

    def _title(self, scene: Scene) -> str:
        say = self.language.say
        if not scene.number:
            return say(N_("Before the first turn"))
        if self.whole:
            return say(N_("Turn {number} of {count}"), number=scene.number, count=self.scenes[-1].number)
        return say(N_("Turn {number}"), number=scene.number)

    def _picture(self, scene: Scene, legend: bool) -> list[str]:
        if board_of(self.game) is None:
            return []
        screen = self.screen
        return draw(
            self.game, scene.known, screen.width, screen.has_signs, screen.has_style, self.language, legend=legend
        ).splitlines()

    # --- what is typed ------------------------------------------------------------------------------------------------
    def _word(self, name: str) -> str:
        return self.language.pgettext("command", name) or name

    def _is(self, typed: str, name: str) -> bool:
        return normal(typed) in (name, normal(self._word(name)))

    def _words(self) -> list[str]:
        hidden = set() if board_of(self.game) is not None else {"map"}
        hidden |= set() if self.known is not None else {"secrets"}
        return [self._word(name) for name in (*WORDS, "quit") if name not in hidden]

    def _next(self, at: int) -> int:
        """Where to go from here."""
        screen, say = self.screen, self.language.say
        if not self.hinted:
            self.hinted = True
            text = N_(
                "Enter goes on, a number goes to that turn. Also: {commands}. "
                "“{run} 1” goes on by itself, a turn a second."
            )
            commands = self.language.row(self._words())
            screen.text(say(text, commands=commands, run=self._word("run")), style="dim")
        while True:
            typed = screen.read("> ", words=self._words())
            first, _, rest = typed.partition(" ")
            if wants_to_quit(typed, self.language) or not typed and at == len(self.scenes):
                raise EndOfInput
            if not typed:
                return at + 1
            if self._is(typed, "back"):
                return max(0, at - 1)
            if typed.isdecimal() and len(typed) < 7:
                return self._turn(int(typed))
            if self._is(first, "run"):
                return self._run(at, rest)
            if self._is(typed, "map") and at < len(self.scenes):
                more = say(N_("Press Enter for more, or type anything to stop."))
                screen.pages(self._picture(self.scenes[at], legend=True), more + " ")
            elif self._is(typed, "secrets") and self.known is not None:
                self.asked_for_secrets = True
                self.to_the_end()  # it is known only when the game is over
                for line in self.known(None):
                    screen.text(line, "  ", hanging="    ")
            else:
                text = N_("Press Enter, or type the number of a turn or one of these: {commands}.")
                screen.text(say(text, commands=self.language.row(self._words())), "  ")

    def _turn(self, number: int) -> int:
        """The place of a turn; the end, if there are not so many."""
        with self._playing():
            while not self.whole and (not self.scenes or self.scenes[-1].number < number):
                self._reach(len(self.scenes))
        return next((i for i, scene in enumerate(self.scenes) if scene.number >= number), len(self.scenes))

    def _run(self, at: int, pace: str) -> int:
        """By itself, until the end or until somebody presses Enter."""
        try:
            seconds = min(60.0, max(0.1, float(pace.replace(",", ".")))) if pace else PACE
        except ValueError:
            seconds = PACE
        self.screen.text(self.language.say(N_("Press Enter to stop here.")), style="dim")
        while at < len(self.scenes):
            at += 1
            self._reach(at)
            if at >= len(self.scenes):
                return len(self.scenes)
            self._show(at)
            self.screen.out.flush()
            if select.select([self.screen.typed], [], [], seconds)[0]:
                self.screen.forget_typed()
                self.screen.text(self.language.say(N_("Stopped.")), style="dim")
                return self._next(at)
        return at
