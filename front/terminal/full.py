"""The full screen, drawn by Textual: the board in sight all the time, the log by turns, the choices beside it.

Everything that it shows is a `Frame`; keys and clicks go to `Hands`, and so to the table, which plays in a thread of
its own. This is the only module that needs Textual.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Input, Static

from ..common.layout import cut, padded, width_of, wrapped
from .frames import KEYS, Frame, side_of
from .hands import PICK, QUIT, RESIZED, TYPED, Hands
from .prompt import normal

__all__ = ["Full"]

LONGEST = 400  # letters that are typed: more than any note has
FEW = 9  # choices that stand one below the other, whatever their width


class Do(Message):
    """Something that the table wants drawn."""

    def __init__(self, what: Callable[..., None], args: tuple[Any, ...]):
        super().__init__()
        self.what, self.args = what, args


class Choices(Static):
    """What can be chosen: one below the other, in columns, or by groups; one of them is pointed at."""

    def __init__(self) -> None:
        super().__init__(id="choices", markup=False)
        self.frame, self.listed, self.at = Frame(), [0][:0], 0
        self.cells: list[tuple[int, int, int]] = []  # of each that is listed: row, column, columns
        self.more: dict[int, tuple[int, str]] = {}  # rows that go on with a long one: which, and what stands there
        self.heads: list[tuple[int, str]] = []  # rows that begin with the name of a group

    def list(self, frame: Frame, places: Sequence[int], room: int) -> None:
        self.frame, self.listed, self.at = frame, [*places], 0
        self.cells, self.heads, self.more = [], [], {}
        if any(self.frame.choices[place].group for place in self.listed) and len(self.listed) > FEW:
            self._in_groups(room)
        else:
            self._in_columns(room)
        self.draw()

    def _in_columns(self, room: int) -> None:
        widest = max((width_of(self._line(place)) for place in self.listed), default=1)
        columns = 1 if len(self.listed) <= FEW else max(1, room // (widest + 2))
        if columns == 1 and len(self.listed) <= FEW:
            return self._in_lines(room)
        wide = room if columns == 1 else widest + 2
        rows = max(1, -(-len(self.listed) // columns))
        self.cells = [(number % rows, number // rows * wide, wide) for number in range(len(self.listed))]

    def _in_lines(self, room: int) -> None:
        """One below the other; what is too long goes on in the next row."""
        row = 0
        for number, place in enumerate(self.listed):
            self.cells.append((row, 0, room))
            _, *more = wrapped(self._line(place), room, "", "     ")
            for text in more:
                row += 1
                self.more[row] = number, text
            row += 1

    def _in_groups(self, room: int) -> None:
        """A line for each group, or several; what belongs to none has a line of its own."""
        choices, row, column, last = self.frame.choices, -1, 0, None
        side = max(width_of(choice.group) for choice in choices) + 1
        for place in self.listed:
            group, wide = choices[place].group, width_of(self._line(place)) + 1
            if not group:
                row, column, wide = row + 1, 0, room
            elif group != last:
                row, column = row + 1, side
                self.heads.append((row, group))
            elif column + wide > room:
                row, column = row + 1, side
            self.cells.append((row, column, min(wide, room - column)))
            column, last = column + wide, group

    def _line(self, place: int) -> str:
        choice = self.frame.choices[place]
        digits = max(len(one.typed) for one in self.frame.choices)
        return f"▸{choice.typed.rjust(digits)} {choice.short or choice.label}"

    def draw(self) -> None:
        text = Text(no_wrap=True)
        for row in range(max((*(cell[0] for cell in self.cells), *self.more), default=-1) + 1):
            if row in self.more:
                number, line = self.more[row]
                text.append(padded(line, self.cells[number][2]) + "\n", "reverse" if number == self.at else "")
                continue
            head = next((name for at, name in self.heads if at == row), "")
            text.append(head, "bold")
            end = width_of(head)
            for number, (at, column, wide) in enumerate(self.cells):
                if at != row:
                    continue
                line = self._line(self.listed[number])
                line = padded(wrapped(line, wide)[0] if row + 1 in self.more else cut(line, wide), wide)
                here = number == self.at
                text.append(" " * (column - end)).append(line if here else " " + line[1:], "reverse" if here else "")
                end = column + wide
            text.append("\n")
        self.update(text)

    def point(self, number: int) -> None:
        if self.listed:
            self.at = number % len(self.listed)
            self.draw()
            assert self.parent is not None
            self.parent.scroll_to(y=self.cells[self.at][0] - 2, animate=False)  # type: ignore[attr-defined]

    @property
    def pointed(self) -> int | None:
        return self.listed[self.at] if self.listed else None

    def on_click(self, event: events.Click) -> None:
        y = self.cells[self.more[event.y][0]][0] if event.y in self.more else event.y
        for number, (row, column, wide) in enumerate(self.cells):
            if row == y and column <= event.x < column + wide:
                self.app.choose(self.listed[number])  # type: ignore[attr-defined]
                return


class Board(Static):
    def on_click(self, event: events.Click) -> None:
        for (column, row, wide), place in self.app.frame.spots.items():  # type: ignore[attr-defined]
            if row == event.y and column <= event.x < column + wide:
                self.app.choose(place)  # type: ignore[attr-defined]
                return


class Keys(Static):
    """The keys that look something up; each can be clicked at."""

    def show(self, keys: Sequence[tuple[str, str, str]]) -> None:
        self.ends: list[tuple[int, str]] = []
        text, wide = Text(no_wrap=True), 0
        for key, word, command in keys:
            text.append(f" {key} ", "reverse").append(f"{word} ")
            wide += width_of(f" {key} {word} ")
            self.ends.append((wide, command))
        self.update(text)

    def on_click(self, event: events.Click) -> None:
        command = next((name for end, name in getattr(self, "ends", ()) if event.x < end), None)
        if command is not None:
            self.app.action_typed(command)  # type: ignore[attr-defined]


class Full(App[None]):
    CSS = """
    Screen { layers: below above; }
    #title, #rule { height: 1; }
    #status { height: auto; max-height: 3; padding: 0 1; }
    #middle { height: 1fr; }
    #left { width: 1fr; }
    #board { height: 1fr; }
    #board.small { align: center middle; }
    #board.table { padding: 0 1; }
    VerticalScroll {
        scrollbar-size-vertical: 1; scrollbar-color: ansi_bright_black; scrollbar-background: ansi_default;
        scrollbar-color-hover: ansi_white; scrollbar-background-hover: ansi_default;
    }
    #map { width: auto; }
    #key { height: auto; max-height: 3; }
    #divider { width: 1; height: 100%; }
    #log { height: 1fr; padding-left: 1; }
    #sheet { height: auto; max-height: 50%; padding-left: 1; }
    #asked { height: auto; max-height: 80%; }
    #line, #over { height: 1; }
    #told, #question, #said { height: auto; padding-left: 1; }
    #told { max-height: 16; }
    #question { text-style: bold; max-height: 6; }
    #said { max-height: 4; text-style: italic; }
    #among { height: auto; max-height: 15; }
    #choices { height: auto; }
    #typed { height: 1; border: none; padding: 0 1; }
    #keys { height: 1; border-top: none; }
    #page { layer: above; width: 100%; height: 100%; border: heavy $foreground; padding: 0 1; display: none; }
    Input { background: ansi_default; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", priority=True),
        Binding("down", "move(1)", priority=True),
        Binding("pageup", "scroll(-1)", priority=True),
        Binding("pagedown", "scroll(1)", priority=True),
        Binding("escape", "away", priority=True),
        Binding("ctrl+z", "typed('undo')", priority=True),
        Binding("ctrl+q", "leave", priority=True),
        Binding("ctrl+c", "leave", priority=True),
        *(Binding(key, f"look('{command}')", priority=True) for key, command in KEYS),
    ]

    def __init__(self, table: Any):
        super().__init__(ansi_color=True)
        self.table = table
        self.hands = Hands(self, table)
        self.frame = Frame()
        self.held: int | None = None  # a choice that ends a turn, pointed at once
        self.page = ""  # what is looked up
        self.ready = threading.Event()
        self.trouble: BaseException | None = None

    # --- the table, in its own thread ---------------------------------------------------------------------------------
    def run_table(self) -> None:
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
        return self.size.width, self.size.height

    def show(self, frame: Frame) -> None:
        self.post_message(Do(self._show, (frame,)))

    def say(self, text: str, places: Sequence[int] = ()) -> None:
        self.post_message(Do(self._say, (text, places)))

    def read(self, page: Text) -> None:
        self.post_message(Do(self._read, (page,)))

    def close(self) -> None:
        self.post_message(Do(self.exit, ()))

    def on_do(self, message: Do) -> None:
        message.what(*message.args)

    # --- drawing ------------------------------------------------------------------------------------------------------
    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield Static(id="status", markup=False)
        yield Static(id="rule", markup=False)
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                with VerticalScroll(id="board", can_focus=False):
                    yield Board(id="map", markup=False)
                yield Static(id="key", markup=False)
            yield Static(id="divider", markup=False)
            with Vertical(id="side"):
                with VerticalScroll(id="log", can_focus=False):
                    yield Static(id="news", markup=False)
                yield Static(id="over", markup=False)
                yield Static(id="sheet", markup=False)
                with Vertical(id="asked"):
                    yield Static(id="line", markup=False)
                    yield Static(id="told", markup=False)
                    yield Static(id="question", markup=False)
                    with VerticalScroll(id="among", can_focus=False):
                        yield Choices()
                    yield Static(id="said", markup=False)
                    yield Input(id="typed", max_length=LONGEST)
        yield Keys(id="keys", markup=False)
        with VerticalScroll(id="page", can_focus=False):
            yield Static(id="read", markup=False)

    def on_mount(self) -> None:
        self.query_one("#side").styles.width = side_of(self.size.width)
        self.query_one(Input).focus()
        self.ready.set()

    def on_resize(self) -> None:
        self.query_one("#side").styles.width = side_of(self.size.width)
        self.hands.given.put((0, RESIZED, None))

    def _show(self, frame: Frame) -> None:
        self.frame, self.held = frame, None
        self.action_away()
        left, board = self.query_one("#board", VerticalScroll), frame.board or frame.table
        side = side_of(self.size.width)
        title = padded(cut(f" {frame.title}", self.size.width), self.size.width)
        for name, text in (
            ("title", Text(no_wrap=True).append(title, f"bold reverse {frame.paint}".strip())),
            ("status", frame.status),
            ("rule", "─" * (self.size.width - side - 1) + "┬" + "─" * side),
            ("map", board),
            ("key", frame.key),
            ("news", frame.log),
            ("over", "─" * side if frame.sheet else ""),
            ("sheet", frame.sheet),
            ("line", "─" * side),
            ("told", self._lines(frame.told)),
            ("question", self._lines(frame.question)),
            ("said", ""),
        ):
            part = self.query_one(f"#{name}", Static)
            part.update(text)
            part.display = bool(text)
        self.query_one(Keys).show(frame.keys)
        self._list(range(len(frame.choices)))
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)
        left.set_class(not frame.board, "table")
        left.set_class(bool(frame.board), "small")
        if frame.row is not None:
            left.scroll_to(y=frame.row - left.size.height // 2, animate=False)

    def _lines(self, text: str) -> str:
        """Broken where the language allows it."""
        room = side_of(self.size.width) - 2
        return "\n".join(part for line in text.splitlines() for part in wrapped(line, room))

    def _join(self) -> None:
        """The line between board and log, joined with those that begin at it."""
        divider = self.query_one("#divider", Static)
        joints = {self.query_one(name).region.y for name in ("#over", "#line") if self.query_one(name).display}
        top, rows = divider.region.y, divider.region.height
        divider.update("\n".join("├" if top + row in joints else "│" for row in range(rows)))

    def _list(self, places: Sequence[int]) -> None:
        self.query_one(Choices).list(self.frame, places, side_of(self.size.width) - 1)
        self.query_one("#among", VerticalScroll).scroll_home(animate=False)
        self.call_after_refresh(self._join)

    def _say(self, text: str, places: Sequence[int] = ()) -> None:
        said = self.query_one("#said", Static)
        said.update(self._lines(text))
        said.display = bool(text)
        self.query_one(Input).value = ""
        if places:
            self._list(places)
        self.call_after_refresh(self._join)

    def _read(self, page: Text) -> None:
        self.query_one("#read", Static).update(page)
        shown = self.query_one("#page", VerticalScroll)
        shown.display = True
        shown.scroll_home(animate=False)

    # --- keys and clicks ----------------------------------------------------------------------------------------------
    @property
    def reads(self) -> bool:
        return bool(self.query_one("#page").display)

    def on_input_changed(self, event: Input.Changed) -> None:
        """A number chooses at once, if no other one begins so; words leave the choices that they can mean."""
        typed = normal(event.value)
        if not typed:
            if event.value == "" and len(self.query_one(Choices).listed) < len(self.frame.choices):
                return  # what was narrowed stays so until the next question
            return
        if typed.isdecimal():
            beginning = [n for n, choice in enumerate(self.frame.choices) if choice.typed.startswith(typed)]
            if len(beginning) == 1 and self.frame.choices[beginning[0]].typed == typed:
                self.query_one(Input).value = ""
                self.choose(beginning[0])
            return
        fitting = _fitting(typed, [choice.label for choice in self.frame.choices])
        if fitting and fitting != self.query_one(Choices).listed:
            self._list(fitting)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        typed, choices = event.value.strip(), self.query_one(Choices)
        if self.reads:
            self.action_away()
        elif typed:
            narrowed = len(choices.listed) < len(self.frame.choices) and not typed.isdecimal()
            self._give(TYPED, (typed, choices.pointed if narrowed else None))
        elif choices.pointed is not None:
            self.choose(choices.pointed)

    def on_click(self, event: events.Click) -> None:
        if self.reads:
            self.action_away()

    def choose(self, place: int) -> None:
        """This is pointed at; what ends a turn, twice."""
        if self.reads:
            return
        choices = self.query_one(Choices)
        if self.frame.choices[place].final and self.held != place:
            self.held = place
            if place in choices.listed:
                choices.point(choices.listed.index(place))
            self._say(self.frame.sure)
        else:
            self._give(PICK, place)

    def action_move(self, step: int) -> None:
        if self.reads:
            self.query_one("#page", VerticalScroll).scroll_relative(y=step, animate=False)
        else:
            choices = self.query_one(Choices)
            choices.point(choices.at + step)
            self.held = choices.pointed

    def action_scroll(self, step: int) -> None:
        shown = self.query_one("#page" if self.reads else "#board", VerticalScroll)
        shown.scroll_relative(y=step * max(1, shown.size.height - 2), animate=False)

    def action_away(self) -> None:
        """Nothing is looked up any more, nothing is typed, all choices are there."""
        self.page = ""
        self.query_one("#page").display = False
        self.query_one(Input).value = ""
        if len(self.query_one(Choices).listed) < len(self.frame.choices):
            self._list(range(len(self.frame.choices)))

    def action_look(self, command: str) -> None:
        """The same key again puts it away."""
        again = self.reads and self.page == command
        self.action_away()
        if not again:
            self.page = command
            self.action_typed(command)

    def action_typed(self, text: str) -> None:
        self._give(TYPED, (text, None))

    def action_leave(self) -> None:
        self.hands.given.put((0, QUIT, None))

    def _give(self, kind: str, value: Any) -> None:
        self.hands.given.put((self.frame.serial, kind, value))


def _fitting(typed: str, labels: Sequence[str]) -> list[int]:
    """The labels that have these letters: all words as they are, else all letters in this order."""
    words = typed.split()
    found = [n for n, label in enumerate(labels) if all(word in normal(label) for word in words)]
    return found or [n for n, label in enumerate(labels) if _has_letters("".join(words), normal(label))]


def _has_letters(letters: str, label: str) -> bool:
    rest = iter(label)
    return all(letter in rest for letter in letters)


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
