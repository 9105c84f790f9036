"""The full screen as the table sees it: sights go to the glass as frames, what is typed or pointed at comes back.

The table plays in a thread of its own and works out everything that is shown, so that the glass answers keys while bots
think. Nothing waits for the glass but for an answer, and an answer counts only for the question that it was given to.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from rich.text import Text

from ...speech.language import N_
from ..common.layout import LONGEST_ENTRY, clean
from ..paper.map import drawn
from .asker import Quit
from .frames import LATEST, Frame, board_of, frame_of, looked_up, without_colours
from .lookup import Lookup, wants_to_quit
from .menu import Unclear
from .passing import Passing
from .prompt import Walk, normal
from .refusing import why_not
from .sight import Answer, Back, Gesture, GoOn, Sight, TakeUp
from .turns import Turn
from .view import View

__all__ = ["Glass", "Hands"]

PICK, TYPED, RESIZED, QUIT = "pick", "typed", "resized", "quit"
SLOW = 0.5  # seconds, after which it is said that others think


class Glass(Protocol):
    """What draws. Each of these may be called from any thread, and does not wait."""

    def show(self, frame: Frame) -> None: ...

    def say(self, text: str, places: Sequence[int] = ()) -> None:
        """Below the question; with places, only those choices are left."""

    def read(self, page: Text) -> None:
        """Something that was looked up."""

    def close(self) -> None: ...

    @property
    def room(self) -> tuple[int, int]: ...


class Hands:
    """The face that the table sees."""

    interactive = True

    def __init__(self, glass: Glass, table: Any):
        self.glass, self.table, self.said = glass, table, ""
        self.given: queue.SimpleQueue[tuple[int, str, Any]] = queue.SimpleQueue()
        self.serial = 0
        self.frame = Frame()
        self.stopped = threading.Event()

    # --- to and from the glass ----------------------------------------------------------------------------------------
    def _show(self, frame: Frame) -> None:
        if self.stopped.is_set():
            raise Quit
        self.serial += 1
        frame.serial = self.serial
        self.frame = frame
        self.glass.show(frame)

    def _given(self) -> tuple[str, Any]:
        """What is typed or pointed at next, at the question that is on the screen."""
        while True:
            serial, kind, value = self.given.get()
            if kind == QUIT or self.stopped.is_set():
                raise Quit
            if kind == RESIZED or serial == self.serial:
                return kind, value

    # --- asking -------------------------------------------------------------------------------------------------------
    def ask(self, sight: Sight, refused: Callable[[], str]) -> Gesture:
        said, self.said = self.said, ""
        self._show(frame_of(sight, self.glass.room, said))
        looks, among = Lookup(sight.view), ()
        while True:
            kind, value = self._given()
            if kind == RESIZED:
                self._show(frame_of(sight, self.glass.room, said))
                continue
            if kind == PICK:
                if value < len(sight.offers):
                    return Answer(sight.offers[value].walk)
                return self._beside(sight)[value - len(sight.offers)]
            typed, pointed = value
            typed = typed[:LONGEST_ENTRY]
            command = looks.command(typed, sight) if typed else None
            if command == "quit" or wants_to_quit(typed, sight.view.language):
                raise Quit
            if command == "undo":
                why = refused()
                if not why:
                    return Back()
                self.glass.say(sight.view.language.say(why))
            elif command == "save":
                self.glass.say(looks.saved())
            elif command is not None:
                self.glass.say("")
                self.glass.read(looked_up(looks, command, sight, max(20, self.glass.room[0] - 6)))
            elif typed:
                found = self._read(typed, sight, among, pointed)
                if isinstance(found, tuple):
                    among = found
                else:
                    return found

    def _beside(self, sight: Sight) -> list[Gesture]:
        """What can be picked besides the offers."""
        found: list[Gesture] = [GoOn()] if sight.menu is None else []
        for index, menu in enumerate(sight.standing):
            found += [TakeUp(index, offer.walk) for offer in menu.offers]
        return found

    def _read(self, typed: str, sight: Sight, among: tuple[int, ...], pointed: int | None) -> Gesture | tuple[int, ...]:
        """What was meant; what cannot be read means what the screen pointed at, if it pointed at anything."""
        say, row = sight.view.language.say, sight.view.language.row
        found = sight.menu.read(typed, among) if sight.menu is not None else Unclear()
        if isinstance(found, Walk):
            return Answer(found)
        if not found.found and not found.picked and not typed.isdecimal():
            for index, standing in enumerate(sight.standing):
                meant = standing.meant(normal(typed))
                if len(meant) == 1:
                    return TakeUp(index, standing.offers[meant[0]].walk)
        if found.picked and sight.menu is not None:
            self.glass.say(" ".join(why_not(sight.view, sight.menu.walk, found.picked)))
            return among
        if pointed is not None:
            offers = sight.offers
            return Answer(offers[pointed].walk) if pointed < len(offers) else self._beside(sight)[pointed - len(offers)]
        places = found.found or found.nearly
        if places:
            text = N_("“{text}” can mean:") if found.found else N_("“{text}” is not among the choices. Do you mean:")
            self.glass.say(say(text, text=clean(typed, 30)), places)
            return places
        text = N_("“{text}” is not among the choices. Type a number from 1 to {most}, or the beginning of a name.")
        if sight.menu is None:
            text = N_("“{text}” cannot be done now. Press Enter to go on, or type one of these: {standing}.")
        self.glass.say(say(text, text=clean(typed, 30), most=len(sight.offers), standing=row(sight.words)))
        return among

    def _one_of(self, frame: Frame) -> tuple[str, Any]:
        """What is given to something that is asked in passing."""
        self._show(frame)
        while True:
            kind, value = self._given()
            if kind != RESIZED:
                return kind, value if kind == PICK else value[0]
            self._show(frame)

    def confirm(self, view: View, why: str, what: str) -> bool:
        language = view.language
        no, yes = language.translate(N_("no")), language.translate(N_("yes"))
        frame = self.frame.asking(f"{what} {why}".strip(), (no, yes))
        while True:
            kind, value = self._one_of(frame)
            if kind == PICK:
                return bool(value == 1)
            if wants_to_quit(value, language):
                raise Quit
            if value:
                return normal(value) in (normal(yes), "yes", "2")

    # --- the rest -----------------------------------------------------------------------------------------------------
    def say_forced(self, view: View, taken: Sequence[Any]) -> None:
        said = view.language.row(view.label(value) for value in taken)
        self.said = view.language.say(N_("Only one choice is possible: {choice}."), choice=said)

    def taken_back(self, view: View) -> None:
        self.said = view.language.say(N_("Taken back."))

    def news(self, view: View, told: Sequence[Turn], sits_down: bool) -> None:
        pass  # it stands in the log

    def hand_over(self, passing: Passing) -> None:
        if passing.reads and passing.leaves is not None:  # he has to read it, and others must not notice
            reader = passing.leaves
            told = "\n\n".join("\n".join(turn.lines) for turn in reader.history[-2:])
            you = reader.language.say(N_("You are {name}."), name=reader.called)
            frame = Frame(title=you, table=Text(told)).asking(reader.language.say(N_("Press Enter to go on.")), ("…",))
            self._one_of(frame)
        facts = " · ".join(passing.facts())

        def picture(view: View, known: dict[str, Any]) -> list[str]:
            return drawn(view.game, known, board_of(self.glass.room, bool(facts)), view.language).text.splitlines()

        frame = Frame(
            status=facts,
            board=without_colours(Text.from_ansi("\n".join(passing.picture(picture)), no_wrap=True)),
            log=Text("\n".join(passing.news()[-LATEST:])),
            question="\n".join((*passing.asked, passing.prompt)),
        )
        while True:
            kind, typed = self._one_of(frame)
            if kind == TYPED and passing.leaves_game(typed):
                raise Quit
            if kind == TYPED and passing.opens(typed):
                break
        self._show(Frame())

    def turn_to(self, view: View) -> None:
        self.said = view.language.say(N_("It is for {name} to choose."), name=view.called)

    def forget_typed(self) -> None:
        """What answers the last question does not count for the next one anyway."""

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """Others decide; if that takes long, it is said."""
        self.serial += 1  # nothing that is typed now answers anything
        said = self.table.terminal.language.say(N_("The others are thinking …"))
        timer = threading.Timer(SLOW, self.glass.say, (said,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
        if self.stopped.is_set():
            raise Quit
        with suppress(queue.Empty):
            while True:
                if self.given.get_nowait()[1] == QUIT:
                    raise Quit

    def leave(self) -> None:
        if not self.stopped.is_set():
            self.glass.close()
            self.stopped.wait()
