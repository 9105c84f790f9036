"""What is typed and pointed at on the full screen, key by key, inside this process."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable

import pytest
from mashing import Sitting
from rich.text import Text
from tabarro.front.terminal.frames import Choice, without_colours
from tabarro.front.terminal.panes import Choices
from textual import events
from textual._xterm_parser import XTermParser
from textual.geometry import Size

ENTER, ESCAPE, UNDO, DOWN = "\r", "\x1b", "\x1a", "\x1b[B"

CELLAR = """
name: The cellar
players: {2: {}}
things:
  player: [ada, ben]
  bottle: [claret, hock, port, sherry, madeira, rum, gin, cider, beer, mead, brandy, stout]
seats: players
rules:
  game:
    carry:
      ask: ada
      for: {load: {some of: bottles, how many: HOW MANY}}
      if none: never
      seen by: all
      text: "{who} carries up: {load}."
    answer:
      ask: ben
      for: {one: bottles}
      seen by: all
      text: "{who} answers: {one}."
    then:
      ask: ada
      for: {last: bottles}
      seen by: all
      text: "{who} drinks: {last}."
    end: {end: players}
"""


class Sat:
    """Somebody at a screen: what he types, and what stands there then."""

    def __init__(self, sitting: Sitting):
        self.sitting, self.app, self.parser = sitting, sitting.app, XTermParser()
        self.heard, hears = False, self.app.hands._next  # is all that was given to the table answered?

        def listens():
            self.heard = self.app.hands.given.empty()
            try:
                return hears()
            finally:
                self.heard = False

        self.app.hands._next = listens

    async def quiet(self) -> None:
        """Until what was typed last is answered, and all of it is drawn."""
        end, still = time.monotonic() + 20, 0
        while still < 4 and not self.app._exit and time.monotonic() < end:
            for _ in range(25):  # a key goes through several hands
                await asyncio.sleep(0)
            await asyncio.sleep(0.004)
            queues = (part._message_queue.qsize() for part in (self.app, self.app.screen, self.app.typed))
            answered = self.heard and self.app.hands.given.empty() and not self.app.waits
            still = still + 1 if answered and not any(queues) else 0

    async def types(self, keys: str, together: bool = True) -> None:
        if together and keys != ESCAPE:
            for event in self.parser.feed(keys):
                self.app._driver.process_message(event)
        for key in "" if together else keys:
            await self.types(key)
        if keys == ESCAPE:
            self.app._driver.process_message(events.Key("escape", None))
        await self.quiet()

    @property
    def rows(self) -> list[str]:
        return ["".join(segment.text for segment in row).rstrip() for row in self.app.panes.drawn()]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def ticked(self) -> list[str]:
        return re.findall(r"\[✓\] (\w+)", self.text)

    @property
    def told(self) -> list[str]:
        """All that has happened, in words."""
        view = next(iter(self.sitting.table.views.values()))
        return [line for turn in view.history for line in turn.lines]


def sat(sitting: Sitting, does: Callable[[Sat], Awaitable[None]], size: tuple[int, int] = (120, 40)) -> None:
    """Somebody sits down, does that, and leaves."""

    async def evening() -> None:
        async with sitting.app.run_test(size=size):
            one = Sat(sitting)
            await one.quiet()
            await does(one)
            sitting.app.action_leave()

    with sitting.playing():
        asyncio.run(evening())
    if sitting.app.trouble is not None:
        raise sitting.app.trouble


@pytest.fixture
def cellar(tmp_path, monkeypatch):
    monkeypatch.setenv("TABARRO_PACE", "0")

    def made(how_many: str) -> Sitting:
        path = tmp_path / "cellar.yaml"
        path.write_text(CELLAR.replace("HOW MANY", how_many), encoding="utf-8")
        return Sitting(str(path), 1, tmp_path)

    return made


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("keys", ["642", "6 4 2", "6,4,2 "])
def test_numbers_stay_while_several_are_chosen_and_the_last_is_confirmed(cellar, keys, together):
    async def does(one: Sat) -> None:
        listed = re.findall(r"(\d+) \[ \] (\w+)", one.text)
        assert ("6", "rum") in listed and ("12", "stout") in listed
        await one.types(keys, together)
        assert one.ticked == ["hock", "sherry", "rum"]
        assert {(n, w) for n, _, w in re.findall(r"(\d+) \[(.)\] (\w+)", one.text)} == {*listed}
        assert "cannot be taken back" in one.text.replace("\n", " ") and not one.told
        await one.types("5")
        assert one.ticked == ["hock", "sherry", "rum"] and "this many: 3" in one.text
        await one.types("4")  # taken back, and another one instead
        await one.types("5")
        assert one.ticked == ["hock", "madeira", "rum"]
        await one.types(ENTER)
        assert "Ada carries up: hock, madeira, and rum." in one.told

    sat(cellar("3"), does)


def test_a_number_that_could_go_on_waits_in_sight(cellar):
    async def does(one: Sat) -> None:
        await one.types("1")
        assert one.app.typed.value == "1" and not one.ticked and re.search(r"▸ *1 \[ \] claret", one.text)
        await one.types("2")
        assert one.ticked == ["stout"] and not one.app.typed.value
        await one.types("1 ")
        assert one.ticked == ["claret", "stout"]
        await one.types("1" + ENTER)
        assert one.ticked == ["stout"]
        await one.types("18")  # which is none, so it is two
        assert one.ticked == ["claret", "cider", "stout"]
        await one.types(UNDO)
        assert one.ticked == ["claret", "stout"]
        await one.types(ESCAPE)
        assert one.ticked == ["stout"]
        assert not one.told

    sat(cellar("3"), does)


def test_enter_ticks_what_is_pointed_at_and_goes_on_when_it_is_enough(cellar):
    async def does(one: Sat) -> None:
        await one.types(ENTER)
        await one.types(DOWN)
        await one.types(ENTER)
        assert one.ticked == ["claret", "port"]
        await one.types("enough" + ENTER)
        assert "[✓] that is enough" in one.text and not one.told
        await one.types(ENTER)
        assert "Ada carries up: claret and port." in one.told

    sat(cellar("at most 3"), does)


def test_enter_after_numbers_keeps_the_ticks_and_says_what_is_missing(cellar):
    async def does(one: Sat) -> None:
        await one.types("6 4 ")
        assert one.ticked == ["sherry", "rum"]
        for _ in range(2):
            await one.types(ENTER)
            assert one.ticked == ["sherry", "rum"] and "this many: 3" in one.text and not one.told
        await one.types("2 5 ")
        assert "this many: 3" in one.text
        await one.types(ENTER)  # what is there is whole: the one too many was refused
        assert "Ada carries up: hock, sherry, and rum." in one.told

    sat(cellar("3"), does)


def test_enter_after_numbers_that_do_not_go_together_keeps_why(tmp_path, monkeypatch):
    monkeypatch.setenv("TABARRO_PACE", "0")
    sitting = Sitting("venice-2013", 11, tmp_path, "nl", people=1)
    asked = []

    async def does(one: Sat) -> None:
        for _ in range(40):
            if one.app.frame.several:
                break
            await one.types("1" + ENTER)
        await one.types("1 7 8 ")
        said, ticks = one.app.panes.said, one.app.panes.choices.ticks
        assert "Minstens 1" in said and len(ticks) == 2
        await one.types(ENTER)
        asked.append((one.app.panes.said, one.app.panes.choices.ticks) == (said, ticks))

    sat(sitting, does)
    assert asked == [True]


def test_letters_that_no_choice_has_choose_none(cellar):
    """Neither one that has them somewhere, nor the one that an earlier word had left."""

    async def does(one: Sat) -> None:
        for typed in ("shy", "she" + "x", "ada"):
            await one.types(typed)
            assert not one.app.panes.choices.narrowed
            await one.types(ENTER)
            assert not one.told and "not among the choices" in one.text.replace("\n", " ")
            await one.types(ESCAPE)
        await one.types("3")
        await one.types("ada" + ENTER)
        assert not one.told

    sat(cellar("1"), does)


def test_letters_confirm_nothing_that_is_chosen_twice(cellar):
    """What they leave is pointed at by Enter; what cannot be taken back is asked about once more."""

    async def does(one: Sat) -> None:
        await one.types("3" + ENTER)
        before = one.told
        await one.types("erry" + ENTER)  # inside a word
        assert one.told == before and not one.sitting.table.state.over
        await one.types(ENTER)
        assert one.sitting.table.state.over

    sat(cellar("1"), does)


def test_what_cannot_be_taken_back_is_chosen_twice_in_any_game(cellar):
    async def does(one: Sat) -> None:
        await one.types("3")
        assert one.ticked == ["port"] and not one.told
        await one.types(ENTER)
        before = one.told
        await one.types("4")
        assert one.told == before and re.search(r"▸ *4 sherry", one.text)
        await one.types("5")
        assert one.told == before and re.search(r"▸ *5 madeira", one.text)
        await one.types("5")
        assert one.sitting.table.state.over and not one.app._exit  # the last picture stays until somebody has seen it
        await one.types(ENTER)
        assert one.app._exit

    sitting = cellar("1")
    sat(sitting, does)
    assert sitting.table.state.over and "madeira" in sitting.save.path.read_text(encoding="utf-8").splitlines()[-1]


def test_a_tile_of_the_card_game_is_laid_only_when_it_is_confirmed(tmp_path, monkeypatch):
    monkeypatch.setenv("TABARRO_PACE", "0")

    async def does(one: Sat) -> None:
        count = one.sitting.save.choices
        await one.types("2")
        assert one.sitting.save.choices == count and "cannot be taken back" in one.text
        await one.types("2")
        assert one.sitting.save.choices > count

    sat(Sitting("cards-safe", 1, tmp_path), does)


def test_what_is_typed_before_a_question_is_there_is_not_swallowed_without_a_word(cellar):
    async def does(one: Sat) -> None:
        await one.types("2" + ENTER + "5")
        assert "drinks" not in " ".join(one.told) and "Type a number" in one.text

    sat(cellar("1"), does)


def test_a_row_of_sizes_ends_with_the_picture_of_the_last(tmp_path, monkeypatch):
    monkeypatch.setenv("TABARRO_PACE", "0")
    pictures = []

    def does(*sizes: tuple[int, int]) -> Callable[[Sat], Awaitable[None]]:
        async def looks(one: Sat) -> None:
            for size in sizes:
                one.app._driver.process_message(events.Resize(Size(*size), Size(*size)))
                await one.quiet()
            pictures.append((one.rows, one.app.typed.styles.offset, one.app.typed.styles.width))

        return looks

    sat(Sitting("tic-tac-toe", 1, tmp_path), does((100, 30), (90, 30), (160, 50), (110, 34)))
    sat(Sitting("tic-tac-toe", 1, tmp_path), does(), (110, 34))
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("size", [(100, 30), (120, 40)])
def test_what_was_told_last_is_in_sight_and_the_board_stays_where_it_is(tmp_path, monkeypatch, size):
    monkeypatch.setenv("TABARRO_PACE", "0")
    boards = set()

    async def does(one: Sat) -> None:
        while not one.app.frame.key:  # it is still being drawn
            await one.quiet()
        for _ in range(8):
            panes = one.app.panes
            panes.said = "Something that takes rows. " * 6
            rows, log = one.rows, panes.panes["log"]
            boards.add((panes.panes["board"].y, panes.panes["board"].height))
            last = one.app.frame.log.plain.splitlines()[-1].strip()
            assert log.height >= 6 and any(last in row for row in rows[log.y : log.y + log.height])
            await one.types(ENTER)

    sat(Sitting("venice-2013", 1, tmp_path), does, size)
    assert len(boards) == 1


def test_without_colours_what_is_lit_still_is(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    text = without_colours(Text.assemble(("here", "bold red reverse"), (" there", "green"), (" own", "underline")))
    assert [str(span.style) for span in text.spans] == ["bold reverse", "none", "underline"]


def test_what_is_looked_up_says_how_it_is_closed_and_the_log_opens_at_its_end(tmp_path, monkeypatch):
    monkeypatch.setenv("TABARRO_PACE", "0")

    async def does(one: Sat) -> None:
        await one.types("\x1b[17~")
        rows = ["".join(segment.text for segment in strip) for strip in one.app.over.rows]
        last = one.app.frame.log.plain.splitlines()[-1].strip("▶ ")
        assert len(rows) == 30 and any(last in row for row in rows[-4:]) and "Esc" in rows[-1]
        await one.types(ESCAPE)
        assert not one.app.reads

    sat(Sitting("venice-2013", 1, tmp_path), does, (100, 30))


def test_who_stands_there_is_not_cut_off():
    choices = Choices()
    tail = " (the thin yellow figure)"
    labels = [f"the tall red figure · Accademia{tail}", *map(str, range(10))]
    offered = [Choice(str(n), label, tail=tail if n == 1 else "") for n, label in enumerate(labels, 1)]
    choices.list(offered, range(len(offered)), 46)
    first = "".join(segment.text for segment in choices.rows()[0])
    assert re.fullmatch(r"▸ 1 the.*… · Accademia \(the thin yellow figure\) *", first)
