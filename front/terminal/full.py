"""The full screen: the board in sight all the time, the log by turns, the choices below. It needs Textual.

The table plays in a thread of its own and works out everything that is shown; what is drawn here is text and lists of
labels. Keys and clicks go back to it through a queue.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ...speech.language import N_
from ..common.layout import wrapped
from ..paper.map import LIT, draw, paint_of
from .asker import Quit
from .lookup import Lookup, wants_to_quit
from .menu import Unclear
from .passing import Passing
from .prompt import Walk, normal
from .refusing import why_not
from .sight import Answer, Back, Gesture, GoOn, Sight, TakeUp
from .turns import Turn
from .view import View

__all__ = ["Full"]

LOG = 36  # columns of the log
LATEST = 80  # lines of it that are shown; `log` tells all
KEYS = (("f1", "?"), ("f2", "notes"), ("f3", "mission"), ("f4", "hint"), ("f5", "rules"), ("f6", "log"), ("f7", "map"))


@dataclass
class Frame:
    """All that stands on the screen at a moment."""

    title: str = ""
    status: str = ""
    board: Text = field(default_factory=Text)
    log: Text = field(default_factory=Text)
    question: str = ""
    options: Sequence[str] = ()
    words: str = ""  # what can be typed besides
    keys: str = ""
    row: int | None = None  # of the board, that should be in sight


class Reading(ModalScreen[None]):
    """Something that was looked up."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, "dismiss") for key in ("escape", "enter", "q", "space", *(name for name, _ in KEYS))
    ]
    CSS = """
    Reading { align: center middle; }
    Reading VerticalScroll { width: 90%; height: 90%; border: heavy $foreground; padding: 0 1; }
    """

    def __init__(self, text: Text):
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self.text)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


class Full(App[None]):
    CSS = """
    #title { height: 1; text-style: bold reverse; }
    #status { height: auto; max-height: 4; }
    #middle { height: 1fr; }
    #board { width: 1fr; }
    #log { width: 36; border-left: solid $foreground; padding-left: 1; }
    #below { height: auto; max-height: 14; border-top: solid $foreground; }
    #question { height: auto; max-height: 3; text-style: bold; }
    #options { height: auto; max-height: 7; border: none; padding: 0; }
    #typed { height: 1; border: none; padding: 0; }
    #words, #said, #keys { height: auto; max-height: 2; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", priority=True),
        Binding("down", "move(1)", priority=True),
        Binding("ctrl+z", "typed('undo')", priority=True),
        Binding("ctrl+q", "typed('quit')", priority=True),
        Binding("ctrl+c", "typed('quit')", priority=True),
        *(Binding(key, f"typed('{command}')") for key, command in KEYS),
    ]

    def __init__(self, table: Any):
        super().__init__(ansi_color=True)
        self.table = table
        self.given: queue.Queue[tuple[int, str, Any]] = queue.Queue()
        self.serial = 0  # of the question: what was typed for an earlier one does not count
        self.frame = Frame()
        self.shown: list[int] = []  # the options that are listed, by their places
        self.asking = False
        self.ready, self.stopped = threading.Event(), threading.Event()
        self.trouble: BaseException | None = None

    # --- the table, in its own thread ---------------------------------------------------------------------------------
    def run_table(self) -> None:
        self.table.face = Hands(self, self.table)
        playing = threading.Thread(target=self._play, daemon=True)
        playing.start()
        try:
            self.run(mouse=True)
        finally:
            self.stopped.set()
            self.given.put((-1, "quit", None))
            playing.join()
        if self.trouble is not None:
            raise self.trouble

    def _play(self) -> None:
        self.ready.wait()
        try:
            self.table.play()
        except BaseException as trouble:  # it is told where the screen is gone
            self.trouble = trouble
        finally:
            self.table.face.leave()

    # --- drawing ------------------------------------------------------------------------------------------------------
    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield Static(id="status", markup=False)
        with Horizontal(id="middle"):
            with VerticalScroll(id="board", can_focus=False):
                yield Static(id="map", markup=False)
            with VerticalScroll(id="log", can_focus=False):
                yield Static(id="news", markup=False)
        with Vertical(id="below"):
            yield Static(id="question", markup=False)
            yield OptionList(id="options", markup=False)
            yield Static(id="words", markup=False)
            yield Static(id="said", markup=False)
            yield Input(id="typed")
            yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self.ready.set()

    def show(self, frame: Frame, asking: bool) -> None:
        self.serial += 1
        self.frame, self.asking = frame, asking
        for name, text in (
            ("title", frame.title),
            ("status", frame.status),
            ("map", frame.board),
            ("news", frame.log),
            ("question", frame.question),
            ("words", frame.words),
            ("said", ""),
            ("keys", frame.keys),
        ):
            self.query_one(f"#{name}", Static).update(text)
        self.query_one(Input).value = ""
        self._list(range(len(frame.options)))
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)
        board = self.query_one("#board", VerticalScroll)
        board.display = bool(frame.board)
        self.query_one("#log").styles.width = LOG if frame.board else "1fr"
        if frame.row is not None:
            board.scroll_to(y=frame.row - board.size.height // 2, animate=False)

    def _list(self, places: Sequence[int]) -> None:
        self.shown = [*places]
        options = self.query_one(OptionList)
        options.clear_options()
        # an option is known by the question that it belongs to: a click may come late
        options.add_options(
            [Option(f"{place + 1:>2} {self.frame.options[place]}", id=f"{self.serial}-{place}") for place in self.shown]
        )
        if self.shown:
            options.highlighted = 0

    def say(self, text: str, places: Sequence[int] = ()) -> None:
        self.query_one("#said", Static).update(text)
        self.query_one(Input).value = ""
        if places:
            self._list(places)

    def read(self, text: Text) -> None:
        self.push_screen(Reading(text))

    # --- keys and clicks ----------------------------------------------------------------------------------------------
    def on_input_changed(self, event: Input.Changed) -> None:
        """What was typed so far leaves those options that it can mean."""
        tokens = normal(event.value).split()
        if not self.asking or not tokens or all(token.isdecimal() for token in tokens):
            return
        fitting = [
            place for place, label in enumerate(self.frame.options) if all(token in normal(label) for token in tokens)
        ]
        if fitting and fitting != self.shown:
            self._list(fitting)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        typed, options = event.value.strip(), self.query_one(OptionList)
        if typed or options.highlighted_option is None:
            self.action_typed(typed)
        else:
            self._pick(options.highlighted_option)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._pick(event.option)

    def _pick(self, option: Option) -> None:
        serial, _, place = (option.id or "-").partition("-")
        if serial == str(self.serial):
            self._give("pick", int(place))

    def _handle_exception(self, error: Exception) -> None:
        """A mistake of ours is told where the screen is gone, without what was on it."""
        self.trouble = self.trouble or error
        self.exit()

    def action_move(self, step: int) -> None:
        options = self.query_one(OptionList)
        if isinstance(self.screen, Reading):
            self.screen.query_one(VerticalScroll).scroll_relative(y=step, animate=False)
        elif self.shown:
            options.highlighted = ((options.highlighted or 0) + step) % len(self.shown)

    def action_typed(self, text: str) -> None:
        self._give("typed", text)

    def _give(self, kind: str, value: Any) -> None:
        if self.asking or kind == "typed" and value == "quit":
            self.given.put((self.serial, kind, value))


class Hands:
    """The face that the table sees: it turns sights into frames, and what was typed into gestures."""

    interactive = True

    def __init__(self, app: Full, table: Any):
        self.app, self.table, self.said = app, table, ""

    def _call(self, what: Callable[..., Any], *args: Any) -> None:
        if self.app.stopped.is_set():
            raise Quit
        try:
            self.app.call_from_thread(what, *args)
        except RuntimeError:  # it is being closed
            raise Quit from None

    def _given(self) -> tuple[str, Any]:
        """What is typed or pointed at next, at the question that is on the screen."""
        while True:
            serial, kind, value = self.app.given.get()
            if kind == "quit" or value == "quit":
                raise Quit
            if serial == self.app.serial:
                return kind, value

    # --- asking -------------------------------------------------------------------------------------------------------
    def ask(self, sight: Sight, refused: Callable[[], str]) -> Gesture:
        self._call(self.app.show, self._frame(sight), True)
        looks, among = Lookup(sight.view), ()
        while True:
            kind, value = self._given()
            if kind == "pick":
                if value < len(sight.offers):
                    return Answer(sight.offers[value].walk)
                return self._beside(sight)[value - len(sight.offers)]
            command = looks.command(value, sight) if value else None
            if command == "undo":
                why = refused()
                if not why:
                    return Back()
                self._call(self.app.say, sight.view.language.say(why))
            elif command == "quit" or wants_to_quit(value, sight.view.language):
                raise Quit
            elif command == "save":
                self._call(self.app.say, looks.saved())
            elif command is not None:
                self._call(self.app.read, self._looked_up(looks, command, sight))
            elif not value:
                if sight.menu is None:
                    return GoOn()
            else:
                found = self._read(value, sight, among)
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

    def _read(self, typed: str, sight: Sight, among: tuple[int, ...]) -> Gesture | tuple[int, ...]:
        say, row = sight.view.language.say, sight.view.language.row
        beside = len(sight.offers)
        if typed.isdecimal() and beside < int(typed) <= beside + len(self._beside(sight)):
            return self._beside(sight)[int(typed) - beside - 1]
        found = sight.menu.read(typed, among) if sight.menu is not None else Unclear()
        if isinstance(found, Walk):
            return Answer(found)
        if not found.found and not found.picked and not typed.isdecimal():
            for index, standing in enumerate(sight.standing):
                meant = standing.meant(normal(typed))
                if len(meant) == 1:
                    return TakeUp(index, standing.offers[meant[0]].walk)
        if found.picked and sight.menu is not None:
            self._call(self.app.say, " ".join(why_not(sight.view, sight.menu.walk, found.picked)))
            return among
        places = found.found or found.nearly
        if places:
            text = N_("“{text}” can mean:") if found.found else N_("“{text}” is not among the choices. Do you mean:")
            self._call(self.app.say, say(text, text=typed[:30]), places)
            return places
        text = N_("“{text}” is not among the choices. Type a number from 1 to {most}, or the beginning of a name.")
        if sight.menu is None:
            text = N_("“{text}” cannot be done now. Press Enter to go on, or type one of these: {standing}.")
        self._call(self.app.say, say(text, text=typed[:30], most=len(sight.offers), standing=row(sight.words)))
        return among

    def confirm(self, view: View, why: str, what: str) -> bool:
        language = view.language
        no, yes = language.translate(N_("no")), language.translate(N_("yes"))
        frame = self.app.frame
        asked = Frame(frame.title, frame.status, frame.board, frame.log, f"{what} {why}".strip(), (no, yes))
        self._call(self.app.show, asked, True)
        while True:
            kind, value = self._given()
            if kind == "pick":
                return bool(value == 1)
            if value:
                return normal(value) in (normal(yes), "yes", "2")

    # --- frames -------------------------------------------------------------------------------------------------------
    def _frame(self, sight: Sight) -> Frame:
        view, language = sight.view, sight.view.language
        you = language.say(N_("You are {name}."), name=view.called)
        is_grid = view.board is not None and view.board.grid  # which shows what lies open
        told = view.notebook.secrets(view.known()) if is_grid else sight.facts
        facts = " · ".join(language.labelled(label, value) for label, value in told)
        words = Lookup(view).words()
        keys = [(key.upper(), language.pgettext("command", name) or name) for key, name in KEYS]
        keys = [f"{key} {name}" for key, name in keys if name in words]
        undo, leave = (language.pgettext("command", name) or name for name in ("undo", "quit"))
        options = [offer.shown for offer in sight.offers]
        if sight.menu is None:
            options.append(sight.goes_by)
        said = " ".join(part for part in (self.said, sight.question, sight.heading) if part)
        self.said = ""
        board, rows = self._board(sight)
        return Frame(
            title=f" {language.text(view.game.name)} · {you}",
            status="\n".join(part for part in (facts, *sight.certain) if part),
            board=board,
            row=rows[0] if rows else None,
            log=self._log(view),
            question=said,
            options=[*options, *sight.words],
            keys="  ".join([*keys, f"^Z {undo}", f"^Q {leave}"]),
        )

    def _board(self, sight: Sight) -> tuple[Text, list[int]]:
        """The board, with what can be chosen lit and numbered, and a row that should be in sight."""
        view = sight.view
        if view.board is None:
            return Text(), []
        width = max(20, self.app.size.width - LOG - 2)
        lit, places = {}, view.known().get(view.board.pieces, {})
        names = view.game.vocabulary.atoms
        spaces = {space.atom: space.id for space in view.board.spaces}
        for atom, number in sight.touched.items():
            place = spaces.get(atom) or places.get((names[atom].name,))
            if place is not None:
                lit.setdefault(place, number)
        drawn = draw(view.game, view.known(), width, True, True, view.language, legend=False, lit=lit)
        rows = [row for row, line in enumerate(drawn.splitlines()) if LIT in line]
        text = Text.from_ansi(drawn, no_wrap=True)
        return Text(text.plain, no_wrap=True) if os.environ.get("NO_COLOR") else text, rows[len(rows) // 2 :][:1]

    def _log(self, view: View) -> Text:
        """The latest turns, each in the colour of the one who decided, one's own with a sign before them."""
        lines: list[tuple[str, str]] = []
        width = LOG - 4 if view.board is not None else self.app.size.width - 4
        for turn in view.history:
            sign = "▶ " if turn.who == view.seat.seat else "  "
            paint = paint_of(view.game, turn.who)
            for text in turn.lines:
                first, *more = wrapped(text, width, sign, "    ")
                lines += [(line, paint) for line in (first, *more)]
            lines.append(("", ""))
        text = Text()
        for line, paint in lines[-LATEST:]:
            text.append(line + "\n", paint)
        return text

    def _looked_up(self, looks: Lookup, command: str, sight: Sight) -> Text:
        width = max(20, self.app.size.width * 9 // 10 - 6)
        colour = not os.environ.get("NO_COLOR")

        def picture() -> list[str]:
            return draw(sight.view.game, sight.view.known(), width, True, colour, sight.view.language).splitlines()

        return Text.from_ansi("\n".join(looks.lines(command, sight, width, picture)))

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
            asked = reader.language.say(N_("Press Enter to go on."))
            self._call(self.app.show, Frame(log=self._log(reader), question=asked, options=("…",)), True)
            self._given()
        text = Text("\n".join(passing.news()[-LATEST:]))
        board = Text.from_ansi("\n".join(passing.picture(self._drawn)), no_wrap=True)
        frame = Frame(
            status=" · ".join(passing.facts()),
            board=Text(board.plain, no_wrap=True) if os.environ.get("NO_COLOR") else board,
            log=text,
            question="\n".join(passing.asked),
            words=passing.prompt,
        )
        self._call(self.app.show, frame, True)
        while True:
            _, typed = self._given()
            if passing.leaves_game(str(typed)):
                raise Quit
            if passing.opens(str(typed)):
                break
            self._call(self.app.say, "")
        self._call(self.app.show, Frame(), False)

    def _drawn(self, view: View, known: dict[str, Any]) -> list[str]:
        width = max(20, self.app.size.width - LOG - 2)
        return draw(view.game, known, width, True, True, view.language, legend=False).splitlines()

    def turn_to(self, view: View) -> None:
        self.said = view.language.say(N_("It is for {name} to choose."), name=view.called)

    def forget_typed(self) -> None:
        with suppress(queue.Empty):
            while True:
                self.app.given.get_nowait()

    @contextmanager
    def thinking(self) -> Any:
        said = self.table.terminal.language.say(N_("The others are thinking …"))
        self.app.asking = False
        timer = threading.Timer(0.5, lambda: self._call(self.app.say, said))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def leave(self) -> None:
        if not self.app.stopped.is_set():
            with suppress(RuntimeError):
                self.app.call_from_thread(self.app.exit)
            self.app.stopped.wait()
