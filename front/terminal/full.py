"""The full screen, drawn by Textual: the board in sight all the time, the log by turns, the choices beside it.

Everything that it shows is a `Frame`; keys and clicks go to `Hands`, and so to the table, which plays in a thread of
its own. This is the only module that needs Textual.
"""

from __future__ import annotations

import gc
import re
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partialmethod
from typing import Any, ClassVar

from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from .frames import KEYS, Frame, side_of
from .hands import ENTER, PICK, QUIT, RESIZED, TYPED, Hands
from .panes import PROMPT, Panes, paged, rows_of
from .prompt import normal

__all__ = ["Full"]

LONGEST = 400  # letters that are typed: more than any note has


class Do(Message):
    """Something that the table wants drawn."""

    def __init__(self, what: Callable[..., None], args: tuple[Any, ...]):
        super().__init__()
        self.what, self.args = what, args


class Sheet(Widget):
    """Rows of a screen; of new ones only those are drawn that are other ones."""

    ALLOW_SELECT = False

    def __init__(self, id: str):
        super().__init__(id=id)
        self.rows: list[Strip] = []

    def put(self, rows: Sequence[Sequence[Segment]]) -> None:
        width, before = self.size.width, self.rows
        self.rows = [Strip(row) for row in rows]
        changed = [y for y, row in enumerate(self.rows) if y >= len(before) or before[y] != row]
        if len(before) > len(self.rows):
            self.refresh()
        elif changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        return self.rows[y].adjust_cell_length(width) if y < len(self.rows) else Strip.blank(width)


class Line(Input):
    """What is typed is heard key by key, however fast they come."""

    async def _on_key(self, event: events.Key) -> None:
        event.prevent_default()
        if event.key == "enter":
            event.stop()
            self.app.entered_line()  # type: ignore[attr-defined]
        else:
            await super()._on_key(event)
            self.app.heard()  # type: ignore[attr-defined]


class Full(App[None]):
    CSS = """
    Screen { layers: sheet line page; }
    #sheet { layer: sheet; width: 100%; height: 100%; }
    #typed { layer: line; height: 1; border: none; padding: 0; background: ansi_default; }
    #page { layer: page; width: 100%; height: 100%; display: none; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "up", priority=True),
        Binding("down", "down", priority=True),
        Binding("pageup", "page_up", priority=True),
        Binding("pagedown", "page_down", priority=True),
        Binding("escape", "away", priority=True),
        Binding("ctrl+z", "undo", priority=True),
        Binding("ctrl+q", "leave", priority=True),
        Binding("ctrl+c", "leave", priority=True),
        *(Binding(key, f"look_{key}", priority=True) for key, _ in KEYS),
    ]  # without arguments: Textual reads those with `ast`, which two threads must not use at a time in Python 3.11

    def __init__(self, table: Any):
        super().__init__(ansi_color=True)
        self.table = table
        self.hands = Hands(self, table)
        self.panes = Panes()
        self.looked_up: list[list[Segment]] = []
        self.top = 0  # the first row of it that is seen
        self.held: int | None = None  # a choice that cannot be taken back, pointed at once
        self.waits = True  # nothing is asked yet, or what was done last is not answered
        self.lost = False  # something was done meanwhile
        self.entered = False  # it was done with Enter
        self.known = ""  # what was typed when that was last looked at
        self.page = ""  # what is looked up
        self.sized: tuple[int, int] | None = None  # the columns and rows that there are now
        self.ready = threading.Event()
        self.trouble: BaseException | None = None

    # --- the table, in its own thread ---------------------------------------------------------------------------------
    def run_table(self) -> None:
        gc.freeze()  # all that is there stays, and need not be searched between a key and its answer
        with self.playing():
            self.run(mouse=True)
        if self.trouble is not None:
            raise self.trouble

    @contextmanager
    def playing(self) -> Iterator[None]:
        """While this lasts, the table plays; it stops when the screen is gone."""
        self.table.face = self.hands
        thread = threading.Thread(target=self._play, daemon=True)
        thread.start()
        try:
            with _told_to_leave(lambda: self.hands.given.put((0, QUIT, None))):
                yield
        finally:
            self.hands.stopped.set()
            self.hands.given.put((0, QUIT, None))
            self.ready.set()
            thread.join()

    def _play(self) -> None:
        self.ready.wait()
        try:
            if not self.hands.stopped.is_set():
                self.table.play()
        except BaseException as trouble:  # it is told where the screen is gone
            self.trouble = self.trouble or trouble
        finally:
            self.hands.leave()

    def _handle_exception(self, error: Exception) -> None:
        """A mistake of ours is told where the screen is gone, without what was on it."""
        self.trouble = self.trouble or error
        self.exit()

    # --- what the table wants: from its thread ------------------------------------------------------------------------
    @property
    def room(self) -> tuple[int, int]:
        return self.sized or (self.size.width, self.size.height)

    def show(self, frame: Frame) -> None:
        self.post_message(Do(self._show, (frame,)))

    def say(self, text: str, places: Sequence[int] = (), held: int | None = None, waits: bool = False) -> None:
        self.post_message(Do(self._say, (text, places, held, waits)))

    def tick(self, ticks: Mapping[int, int], question: str, text: str, on: bool) -> None:
        self.post_message(Do(self._tick, (ticks, question, text, on)))

    def read(self, page: Text, end: bool = False) -> None:
        self.post_message(Do(self._read, (page, end)))

    def close(self) -> None:
        self.post_message(Do(self.exit, ()))

    def on_do(self, message: Do) -> None:
        message.what(*message.args)

    # --- drawing ------------------------------------------------------------------------------------------------------
    @property
    def frame(self) -> Frame:
        return self.panes.frame

    def compose(self) -> ComposeResult:
        yield Sheet(id="sheet")
        yield Line(id="typed", max_length=LONGEST)
        yield Sheet(id="page")

    def on_mount(self) -> None:
        self.sheet, self.over = self.query_one("#sheet", Sheet), self.query_one("#page", Sheet)
        self.typed = self.query_one(Line)
        self._place()
        self.typed.focus()
        self.ready.set()

    def on_resize(self, event: events.Resize) -> None:
        self.sized = event.size.width, event.size.height
        if self.ready.is_set():
            self._place()
        self.hands.given.put((0, RESIZED, None))

    def _place(self) -> None:
        """Where one types: below the choices."""
        width, height = self.room
        side = max(1, min(side_of(width), width) - len(PROMPT))
        self.typed.styles.width = side
        self.typed.styles.offset = (width - side, max(0, height - 2))

    def _draw(self) -> None:
        self.sheet.put(self.panes.drawn())

    def _show(self, frame: Frame) -> None:
        if self.panes.freshen(frame, self.room):
            return self._draw()
        ahead, waited, lost = self.typed.value, self.waits, self.lost
        self.held, self.waits, self.lost = None, False, False
        self.panes.show(frame, self.room)
        self.typed.placeholder = frame.how if frame.choices else ""
        self._away()
        if ahead and (frame.goes_on or not waited):  # one line says all of it: a figure, then where it goes
            self.typed.value, self.known = ahead, ""
            self.heard()
        elif (ahead or lost) and frame.choices:
            self.panes.said = frame.lost
        self._draw()

    def _say(self, text: str, places: Sequence[int] = (), held: int | None = None, waits: bool = False) -> None:
        self.waits, self.held = waits, held
        self.panes.said = text
        if not waits:
            self.typed.value = ""
        if places:
            self.panes.list(places)
        self._draw_pointing(held)

    def _tick(self, ticks: Mapping[int, int], question: str, text: str, on: bool) -> None:
        self.waits, self.held, choices = False, None, self.panes.choices
        self.panes.tick(ticks, question, text)
        pointed = choices.pointed
        if choices.narrowed:
            self.panes.list(range(len(self.frame.choices)))
        if on:
            self.panes.point(choices.at + 1)
        self._draw_pointing(None if on else pointed)

    def _draw_pointing(self, place: int | None) -> None:
        """With this being pointed at, if it is there."""
        listed = self.panes.choices.listed
        if place is not None and place in listed:
            self.panes.point(listed.index(place))
        self._draw()

    def _read(self, page: Text, end: bool = False) -> None:
        self.looked_up = rows_of(page)
        self.top = len(self.looked_up) if end else 0
        self.over.styles.height = min(self.room[1], len(self.looked_up) + 2)
        self._turn(0)
        self.over.display = True

    def _turn(self, step: int) -> None:
        rows, self.top = paged(self.looked_up, self.top + step, self.room)
        self.over.put(rows)

    # --- keys and clicks ----------------------------------------------------------------------------------------------
    @property
    def reads(self) -> bool:
        return bool(self.over.display)

    def on_input_changed(self) -> None:
        self.heard()  # what is pasted or taken away, too

    def heard(self) -> None:
        """A number chooses at once, if no other one begins so, else with a space, Enter or another number; words leave
        the choices that they can mean."""
        value, choices = self.typed.value, self.frame.choices
        if value == self.known:  # what was narrowed stays so until the next question
            return
        if not (typed := normal(value)):
            self.known = value
            return
        if re.fullmatch(r"[\d\s,、+]+", typed) and choices:
            if not self.waits or self.frame.several:
                self.known = value
                self._count(re.split(r"[\s,、+]+", typed.strip(",、+ ")), value[-1:] in " ,、+\u3000")
            return
        self.known = value
        fitting = _fitting(typed, [choice.label for choice in choices]) or [*range(len(choices))]
        if fitting != self.panes.choices.listed:  # where nothing has these letters, Enter takes nothing of it
            self.panes.list(fitting)
            self._draw()

    def _count(self, numbers: Sequence[str], ended: bool) -> None:
        """Numbers that are typed: each that is whole is chosen, the rest stays where it is typed."""
        number, *more = numbers
        choices = self.frame.choices
        beginning = [n for n, choice in enumerate(choices) if choice.typed.startswith(number)] if number else []
        exact = next((n for n in beginning if choices[n].typed == number), None)
        if exact is not None and (more or ended or len(beginning) == 1):
            self.typed.value = " ".join(more)
            self.choose(exact)
            if more and self.frame.several:
                self._count(more, ended)
        elif exact is not None:
            self._draw_pointing(exact)  # it waits for Enter, or for what may follow
        elif not beginning and self.frame.several and len(number) > 1:
            self._count([number[:-1], number[-1:], *more], ended)
        elif number and not beginning:
            self._give(TYPED, (number, None))

    def entered_line(self) -> None:
        typed, choices = self.typed.value.strip(), self.panes.choices
        if self.reads:
            self.action_away()
        elif typed and self._numbered(typed) is not None and not self.waits:
            self.typed.value = ""
            self.choose(self._numbered(typed) or 0)
        elif typed:
            narrowed = choices.narrowed and not typed.isdecimal()
            if not self.waits:
                self.typed.value = ""
            self._give(TYPED, (typed, choices.pointed if narrowed else None))
        elif choices.pointed is not None:
            self.choose(choices.pointed, ENTER)

    def _numbered(self, typed: str) -> int | None:
        """The choice with this number."""
        return next((n for n, choice in enumerate(self.frame.choices) if choice.typed == normal(typed)), None)

    def on_click(self, event: events.Click) -> None:
        x, y = event.screen_x, event.screen_y
        if self.reads:
            self.action_away()
        elif (command := self.panes.command_at(x, y)) is not None:
            self.command(command)
        elif self.panes.at(x, y)[0] == "said" and self.panes.choices.pointed is not None:
            self.choose(self.panes.choices.pointed, ENTER)
        elif len(places := self.panes.choices_at(x, y)) == 1:
            self.choose(*places)
        elif places and not self.waits:  # which of them is still to be said
            self._say("", places)
        elif name := self.panes.name_at(x, y):  # it is written in full
            self.panes.said = name
            self._draw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scrolled(event, 2)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scrolled(event, -2)

    def _scrolled(self, event: events.MouseEvent, step: int) -> None:
        if self.reads:
            self._turn(step)
        else:
            self.panes.scroll(self.panes.at(event.screen_x, event.screen_y)[0], step)
            self._draw()

    def choose(self, place: int, how: str = PICK) -> None:
        """This is pointed at; what cannot be taken back, twice."""
        if not self.reads:
            self._give(how, (place, self.held == place))

    def move(self, step: int) -> None:
        if self.reads:
            self._turn(step)
        else:
            self.panes.point(self.panes.choices.at + step)
            self.held = self.panes.choices.pointed
            self._draw()

    def scroll_by(self, step: int) -> None:
        if self.reads:
            self._turn(step * max(1, self.room[1] - 4))
        else:
            self.panes.scroll("board", step * self.panes.page("board"))
            self._draw()

    def action_away(self) -> None:
        """Nothing is looked up any more, nothing is typed, all choices are there; if all of that is so, what was begun
        is given up."""
        puts_away = self.reads or self.typed.value or self.panes.choices.narrowed
        self._away()
        if self.panes.choices.narrowed:
            self.panes.list(range(len(self.frame.choices)))
            self._draw()
        elif not puts_away and (self.frame.inside or self.panes.choices.ticks):
            self.command("undo")

    def _away(self) -> None:
        self.page = ""
        self.over.display = False
        self.typed.value = ""

    def look(self, command: str) -> None:
        """The same key again puts it away."""
        again = self.reads and self.page == command
        self._away()
        if not again:
            self.page = command
            self.command(command)

    def command(self, text: str) -> None:
        self._give(TYPED, (text, None))

    action_up, action_down = partialmethod(move, -1), partialmethod(move, 1)
    action_page_up, action_page_down = partialmethod(scroll_by, -1), partialmethod(scroll_by, 1)
    action_undo = partialmethod(command, "undo")

    def action_leave(self) -> None:
        self.hands.given.put((0, QUIT, None))

    def _give(self, kind: str, value: Any) -> None:
        ticks = self.frame.several and kind == PICK and not self.entered  # of these one can do many at a time
        self.lost = self.lost or self.waits and not ticks
        self.waits, self.entered = True, self.waits and self.entered or kind == ENTER
        self.hands.given.put((self.frame.serial, kind, value))


for _key, _command in KEYS:
    setattr(Full, f"action_look_{_key}", partialmethod(Full.look, _command))


def _fitting(typed: str, labels: Sequence[str]) -> list[int]:
    """The labels that have all of these words as they are, or the beginnings of their words."""
    words = typed.split()
    return [n for n, label in enumerate(labels) if all(word in normal(label) for word in words)]


@contextmanager
def _told_to_leave(leave: Callable[[], None]) -> Iterator[None]:
    """A terminal that is closed, or a polite kill, ends the game like `quit`."""
    before = {}
    for name in ("SIGTERM", "SIGHUP", "SIGQUIT"):
        with suppress(AttributeError, ValueError):  # there is no such signal, or this is not the main thread
            number = getattr(signal, name)
            before[number] = signal.signal(number, lambda *_: leave())
    try:
        yield
    finally:
        for number, hears in before.items():
            signal.signal(number, hears)
