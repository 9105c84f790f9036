"""The full screen as the table sees it: sights go to the glass as frames, what is typed or pointed at comes back.

The table plays in a thread of its own and works out everything that is shown, so that the glass answers keys while bots
think. Nothing waits for the glass but for an answer, and an answer counts only for the question that it was given to.
"""

from __future__ import annotations

import gc
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol

from rich.text import Text

from ...speech.language import N_
from ..common.layout import LONGEST_ENTRY, clean, wrapped
from ..paper.map import drawn
from .asker import Quit
from .curtain import all_of, curtain_of
from .frames import (
    LATEST,
    STATUS,
    Frame,
    being_drawn,
    board_of,
    frame_of,
    inked,
    looked_up,
    side_of,
    sure_of,
    without_colours,
)
from .lookup import Lookup, wants_to_quit
from .menu import Unclear
from .passing import Passing
from .picking import Picks, has_end, picks_of
from .prompt import Walk, normal
from .refusing import why_not
from .sight import Answer, Back, Gesture, GoOn, Sight, TakeUp, asked_of
from .start import wish_meant, wishes_of
from .turns import Turn
from .view import View

if TYPE_CHECKING:
    from .ending import Ending

__all__ = ["Glass", "Hands"]

PICK, ENTER, TYPED, RESIZED, QUIT = "pick", "enter", "typed", "resized", "quit"
IDLE = 0.4  # seconds, after which nobody is expected to type for a moment
LITTER = 2_000  # new objects, from which on what is not used any more is swept away
SLOW = 0.5  # seconds, after which it is said that others think


class Glass(Protocol):
    """What draws. Each of these may be called from any thread, and does not wait."""

    def show(self, frame: Frame) -> None: ...

    def say(self, text: str, places: Sequence[int] = (), held: int | None = None, waits: bool = False) -> None:
        """Below the question; with places, only those choices are left. What is held is chosen only once more; if
        somebody waits, nothing is answered by it."""

    def tick(self, ticks: Mapping[int, int], question: str, text: str, on: bool) -> None:
        """Which of several are chosen, and how often, the question from now on, what is said; and whether what is
        pointed at is the next one."""

    def read(self, page: Text, end: bool = False) -> None:
        """Something that was looked up, from its beginning or its end."""

    def close(self) -> None: ...

    @property
    def room(self) -> tuple[int, int]: ...


class Hands:
    """The face that the table sees."""

    interactive = True

    def __init__(self, glass: Glass, table: Any):
        self.glass, self.table = glass, table
        self.said: tuple[str, str] = "", ""  # what is said with the next question, and at whose screen: nowhere else
        self.given: queue.SimpleQueue[tuple[int, str, Any]] = queue.SimpleQueue()
        self.serial = 0
        self.frame = Frame()
        self.sight: Sight | None = None  # what was seen at the last question
        self.stopped = threading.Event()
        self.waiting: threading.Timer | None = None  # until it is said that others think
        self.asking = threading.Lock()  # it is not said when somebody is asked already
        self.ready: set[tuple[str, int]] = set()  # in which languages and widths what is looked up has been made

    # --- to and from the glass ----------------------------------------------------------------------------------------
    def _show(self, frame: Frame, again: bool = False) -> None:
        """A question; what was typed for it counts when it is shown again in another size, too."""
        if self.stopped.is_set():
            raise Quit
        self._wait_no_more()
        self.serial += not again
        frame.serial = self.serial
        self.frame = frame
        self.glass.show(frame)

    def _show_sight(
        self, sight: Sight, said: str = "", again: bool = False, change: Callable[[Frame], Frame] = lambda frame: frame
    ) -> None:
        """What is seen at a question. While a map takes long, the rest of it can be read, and answered."""
        shown = again

        def meanwhile(frame: Frame) -> None:
            nonlocal shown
            self._show(change(frame), shown)
            shown = True

        self._show(change(frame_of(sight, self.glass.room, said, meanwhile)), shown)

    def _given(self) -> tuple[str, Any]:
        """What is typed or pointed at next, at the question that is on the screen."""
        while True:
            serial, kind, value = self._next()
            if kind == QUIT or self.stopped.is_set():
                raise Quit
            if kind == RESIZED or serial == self.serial:
                return kind, value

    def _next(self) -> tuple[int, str, Any]:
        with suppress(queue.Empty):
            return self.given.get(timeout=IDLE)
        if gc.get_count()[0] > LITTER:  # now, while somebody reads, and not between a key and its answer
            gc.collect(1)
        return self.given.get()

    # --- asking -------------------------------------------------------------------------------------------------------
    def ask(self, sight: Sight, refused: Callable[[], str]) -> Gesture:
        said, self.sight, room = self._said_to(sight.view), sight, self.glass.room
        self._show_sight(sight, said)
        looks, among, picks = Lookup(sight.view), (), picks_of(sight.menu)
        self._get_ready(looks)
        while True:
            kind, value = self._given()
            if kind == RESIZED:
                if room == self.glass.room:
                    continue
                room = self.glass.room
                self._show_sight(sight, said, again=True)
                if picks is not None:
                    self._tick(sight, picks)
                continue
            if kind in (PICK, ENTER):
                if (found := self._picked(sight, picks, kind, *value)) is not None:
                    return found
                continue
            typed, pointed = value
            typed = typed[:LONGEST_ENTRY]
            command = looks.command(typed, sight) if typed else None
            if command == "quit" or wants_to_quit(typed, sight.view.language):
                raise Quit
            if command == "undo":
                if picks is not None and picks.back():
                    self._tick(sight, picks)
                    continue
                why = refused()
                if not why:
                    return Back()
                self.glass.say(sight.view.language.say(why))
            elif command == "save":
                self.glass.say(looks.saved())
            elif command is not None:
                self._look_up(sight, command)
            elif typed and picks is not None and pointed == picks.end and has_end(sight.menu):
                if (whole := self._ticked(sight, picks, picks.pick(pointed))) is not None:
                    return whole
            elif typed:
                found = self._read(typed, sight, among, pointed)
                if isinstance(found, tuple):
                    among = found
                elif picks is None or not isinstance(found, Answer):
                    return found
                elif (whole := self._named(sight, picks, found.walk)) is not None:
                    return whole

    # --- choosing -----------------------------------------------------------------------------------------------------
    def _picked(self, sight: Sight, picks: Picks | None, kind: str, place: int, twice: bool) -> Gesture | None:
        """What is chosen, if that is all of it: of several things it is ticked, until Enter takes them; what cannot be
        taken back is chosen twice."""
        if picks is not None and kind == ENTER and picks.complete:
            return Answer(picks.walk)
        if picks is not None and kind == ENTER and picks.numbered and not twice:
            return self._ticked(sight, picks, picks.lacking())  # nobody has pointed at anything: it is to be all
        if picks is not None:
            picks.numbered = kind == PICK
        place -= has_end(sight.menu)
        if picks is not None and place < len(sight.offers):
            return self._ticked(sight, picks, picks.pick(place + has_end(sight.menu)), kind == ENTER)
        if place >= len(sight.offers):
            return self._beside(sight)[place - len(sight.offers)]
        walk = sight.offers[place].walk
        if not twice and _stays(sight, walk):
            self.glass.say(sure_of(sight), held=place)
            return None
        return Answer(walk)

    def _named(self, sight: Sight, picks: Picks, walk: Walk) -> Gesture | None:
        """Some of several, by their names."""
        picks.numbered = True
        place = next((n for n, offer in enumerate(sight.offers) if offer.walk is walk), None)
        if place is not None:
            return self._ticked(sight, picks, picks.pick(place))
        at = len(picks.menu.walk.settled)
        picks.put([*(walk.settled[at] if len(walk.settled) > at else walk.partial)])
        return self._ticked(sight, picks)

    def _ticked(self, sight: Sight, picks: Picks, why: str = "", on: bool = False) -> Gesture | None:
        if not why and picks.complete and not _stays(sight, picks.walk):
            return Answer(picks.walk)
        self._tick(sight, picks, why, on and not why)
        return None

    def _tick(self, sight: Sight, picks: Picks, why: str = "", on: bool = False) -> None:
        view, walk = sight.view, picks.walk
        question = " ".join(part for part in asked_of(view, view.player.question(), walk) if part)
        self.glass.tick(picks.ticks, question, why or (sure_of(sight) if picks.complete else ""), on)

    def _get_ready(self, looks: Lookup) -> None:
        """What can be looked up is made in the background, once somebody has begun to read."""
        key = looks.language.code, self._page
        if key not in self.ready:
            self.ready.add(key)
            self._later(lambda: looks.get_ready(self._page))

    @staticmethod
    def _later(what: Callable[[], None]) -> None:
        timer = threading.Timer(IDLE, what)
        timer.daemon = True
        timer.start()

    @property
    def _page(self) -> int:
        """Columns of what is looked up."""
        return max(20, self.glass.room[0] - 6)

    def _look_up(self, sight: Sight, command: str) -> None:
        page = looked_up(Lookup(sight.view), command, sight, self._page)
        self.glass.say("")
        self.glass.read(page, command == "log")

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
            place, offers = pointed - has_end(sight.menu), sight.offers
            if pointed < len(offers):
                taken = self._picked(sight, None, PICK, pointed, False)  # which asks once more where that is due
                return among if taken is None else taken
            return self._beside(sight)[place - len(offers)] if place >= len(offers) else among
        places = found.found or found.nearly
        if places:
            text = N_("“{text}” can mean:") if found.found else N_("“{text}” is not among the choices. Do you mean:")
            self.glass.say(say(text, text=clean(typed, 30)), places)
            return places
        text = N_("“{text}” is not among the choices. Type a number from 1 to {most}, or how your choice begins.")
        if sight.menu is None:
            text = N_("“{text}” cannot be done now. Press Enter to go on, or type: {standing}.")
        self.glass.say(say(text, text=clean(typed, 30), most=len(sight.offers), standing=row(sight.words)))
        return among

    def _one_of(
        self, frame: Frame, sight: Sight | None = None, anew: Callable[[], Frame] | None = None
    ) -> tuple[str, Any]:
        """What is given to something that is asked in passing. Who was asked something before can look things up.
        `anew`: the same frame in another size."""
        labels = [choice.label for choice in frame.choices]
        self._show(frame)
        while True:
            kind, value = self._given()
            if kind in (PICK, ENTER):
                return PICK, value[0]
            if kind == RESIZED:
                if sight is not None:
                    self._show_sight(sight, change=lambda sized: sized.asking(frame.question, labels))
                else:
                    self._show(frame if anew is None else anew())
                continue
            command = Lookup(sight.view).command(value[0], sight) if sight is not None and value[0] else None
            if sight is None or command in (None, "undo", "save", "quit"):
                return kind, value[0]
            self._look_up(sight, command)

    def confirm(self, view: View, why: str, what: str) -> bool:
        language = view.language
        no, yes = language.translate(N_("no")), language.translate(N_("yes"))
        frame = self.frame.asking(f"{what} {why}".strip(), (no, yes))
        sight = self.sight if self.sight is not None and self.sight.view is view else None
        while True:
            kind, value = self._one_of(frame, sight)
            if kind == PICK:
                return bool(value == 1)
            if wants_to_quit(value, language):
                raise Quit
            if value:
                return normal(value) in (normal(yes), "yes", "2")

    # --- the rest -----------------------------------------------------------------------------------------------------
    def say_forced(self, view: View, taken: Sequence[Any]) -> None:
        said = view.language.row(view.label(value) for value in taken)
        self._say_to(view, view.language.say(N_("Only one choice is possible: {choice}."), choice=said))

    def taken_back(self, view: View) -> None:
        self._say_to(view, view.language.say(N_("Taken back.")))

    def _say_to(self, view: View, text: str) -> None:
        self.said = view.seat.seat, text

    def _said_to(self, view: View) -> str:
        """What was to be said to this person; nobody else reads it, neither now nor later."""
        (seat, text), self.said = self.said, ("", "")
        return text if seat == view.seat.seat else ""

    def news(self, view: View, told: Sequence[Turn], sits_down: bool) -> None:
        pass  # it stands in the log

    def hand_over(self, passing: Passing) -> None:
        if passing.reads and passing.leaves is not None:  # he has to read it, and others must not notice
            reader = passing.leaves
            told = "\n\n".join("\n".join(turn.lines) for turn in reader.history[-2:])
            you = reader.language.say(N_("You are {name}."), name=reader.called)
            asked = f"{self._said_to(reader)} {reader.language.say(N_('Press Enter to go on.'))}".strip()
            self._one_of(Frame(title=you, table=Text(told)).asking(asked, ("…",)))
        self._said_to(passing.view)  # it was for the one who goes, and goes with him
        facts = " · ".join(passing.facts())

        def picture(view: View, known: dict[str, Any]) -> list[str]:
            size, waits = board_of(self.glass.room, STATUS), Frame(status=facts, board=Text(being_drawn(view.language)))
            found = drawn(view.game, known, size, view.language, begun=lambda: self._show(waits))
            return found.text.splitlines()

        def frame() -> Frame:
            wide = max(1, side_of(self.glass.room[0]) - 3)
            news = [part for line in passing.news() for part in wrapped(line, wide, "", "  ")]
            return Frame(
                status=facts,
                board=without_colours(inked("\n".join(passing.picture(picture)))),
                log=Text("\n".join(news[-LATEST:]), no_wrap=True),
                question="\n".join((*passing.asked, passing.prompt)),
            )

        while True:
            kind, typed = self._one_of(frame(), anew=frame)
            if kind == TYPED and passing.leaves_game(typed):
                raise Quit
            if kind == TYPED and passing.opens(typed):
                break
        self._show(Frame())

    def turn_to(self, view: View) -> None:
        self._say_to(view, view.language.say(N_("It is for {name} to choose."), name=view.called))

    def forget_typed(self) -> None:
        """What answers the last question does not count for the next one anyway."""

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """Others decide; if that takes long, it is said."""
        self.serial += 1  # nothing that is typed now answers anything
        if self.waiting is None:  # one for all who decide until somebody here is asked again
            self.waiting = threading.Timer(SLOW, self._say_who_thinks)
            self.waiting.daemon = True
            self.waiting.start()
        yield
        if self.stopped.is_set():
            raise Quit
        with suppress(queue.Empty):
            while True:
                if self.given.get_nowait()[1] == QUIT:
                    raise Quit

    def _say_who_thinks(self) -> None:
        said = self.table.terminal.language.say(N_("The others are thinking …"))
        with self.asking:
            if self.waiting is not None:
                self.glass.say(said, waits=True)

    def _wait_no_more(self) -> None:
        with self.asking:
            if self.waiting is not None:
                self.waiting.cancel()
                self.waiting = None

    def part(self, endings: Sequence[Ending], another: bool) -> str | None:
        """Who goes now has seen it: all of it is written where the screen is gone."""
        self.serial += 1
        try:
            for ending in endings[:-1]:
                self._look_at(ending, False)
            return self._look_at(endings[-1], another)
        except Quit:
            return ""

    def _look_at(self, ending: Ending, another: bool) -> str:
        language, views = ending.language, [*self.table.views.values()]
        asked, wishes = wishes_of(language)
        leaves = language.pgettext("command", "quit") or "quit"
        if not another:
            asked, wishes = language.say(N_("Press Enter to go on.")), {}

        def show(again: bool) -> None:
            self._show(curtain_of(ending, views, self.glass.room, asked, [leaves, *wishes.values()]), again)

        show(False)
        self._complete(ending)
        while True:
            kind, value = self._given()
            if kind in (PICK, ENTER):
                return ["", *wishes][value[0]]
            if kind == RESIZED:
                show(True)
                continue
            typed, pointed = value
            wish = wish_meant(typed, language) if typed else None
            if wish is None and pointed is not None:
                wish = ["", *wishes][pointed]
            if wish is not None:
                return wish
            self.glass.read(all_of(ending.completed(), self._page))
            self.glass.say("")

    def _complete(self, ending: Ending) -> None:
        """What takes long to find out is added when somebody has begun to read, and it is there."""

        def find_out() -> None:
            with suppress(Exception):  # who asks for all of it is told of mistakes
                ending.completed()
                self.given.put((0, RESIZED, None))

        self._later(find_out)

    def leave(self) -> None:
        self._wait_no_more()
        if not self.stopped.is_set():
            self.glass.close()
            self.stopped.wait()


def _stays(sight: Sight, walk: Walk) -> bool:
    """Is that all of the choice, and can it not be taken back?"""
    walk, _ = walk.forced()
    return walk.done and sight.stays(walk)
