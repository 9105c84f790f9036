"""The full screen at a real pseudo-terminal: keys go in, what stands on the glass is read back."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pexpect
import pytest
from glass import DOWN, ENTER, Glass
from mashing import mashed
from soak_screens import evening, lesson
from tabarro.front.terminal.seats import Seat
from tabarro.front.terminal.view import View
from tabarro.interpreter import load_game
from tabarro.interpreter.save import load
from tabarro.speech.language import Language
from terminal import environment, quoted, saved

UNDO, NOTES, RULES = "\x1a", "\x1bOQ", "\x1b[15~"


BOTS = [word for seat in ("blue", "green", "yellow") for word in ("--seat", f"{seat}=bot:random")]


def test_a_game_is_played_to_its_end_with_keys_and_clicks(tmp_path):
    glass = Glass(tmp_path, "play", "tic-tac-toe", "--seed", "1", "--lang", "en")
    glass.until(r"▸1 a3")
    for _ in range(2):  # what ends a turn is chosen twice
        glass.click(*glass.find("3 c3"))
        glass.until("ends your turn|X")
    glass.until(r"X")
    for _ in range(6):
        glass.settle()
        if not glass.child.isalive():
            break
        glass.type(DOWN)
        glass.type(ENTER)
    glass.child.expect(pexpect.EOF)
    assert load(saved(tmp_path))[1].over
    assert "won" in glass.raw + (glass.child.before or "")


@pytest.mark.long
def test_the_board_stays_in_sight_and_what_can_be_reached_is_numbered_there(tmp_path):
    glass = Glass(tmp_path, "play", "venice-2013", "--seed", "1", "--seat", "red=me", *BOTS, "--lang", "en")
    glass.until("Mission accomplished")
    glass.type(ENTER)
    glass.until(r"Do you move\?")
    glass.type("short red" + ENTER)
    text = glass.until(r"Where to\?")
    numbers = re.findall(r"│[▸ ](\d) (\w[\w' ]+?)(?: \(.*)? *$", text, re.M)
    assert len(numbers) >= 2
    for number, name in numbers:
        assert re.search(rf"{number}\)({name[:3]}|{name.split()[-1][:3]})", text), (number, name)
    glass.type(UNDO)
    glass.until(r"Do you move\?")
    glass.type("short red" + ENTER)
    glass.until(r"Where to\?")
    number, name = numbers[-1]
    code = re.search(rf"{number}\)({name[:3]}|{name.split()[-1][:3]})", text)[1]
    glass.click(*glass.find(f"{number}){code}"))
    glass.until(rf"{code[:2]}\w?Rs")  # it stands there now, behind the letters of the space
    glass.leave()


@pytest.mark.long
def test_what_may_end_the_game_is_asked_about(tmp_path):
    glass = Glass(tmp_path, "play", "venice-2013", "--seed", "1", "--seat", "red=me", *BOTS, "--lang", "en")
    glass.until("Mission accomplished")
    for keys, then in (
        ("accomplished" + ENTER, "▸1 Blue"),
        ("1", "▸1 no"),
        (ENTER, "▸1 Blue"),
    ):
        glass.type(keys)
        glass.until(then)
    assert "accomplished" not in saved(tmp_path).read_text(encoding="utf-8")
    glass.leave()


@pytest.mark.long
@pytest.mark.parametrize(("game", "language"), [("cards-safe", "ja"), ("liars-dice", "ca"), ("expedition", "de")])
def test_any_game_can_be_played_there_in_any_language(tmp_path, game, language):
    glass = Glass(tmp_path, "play", game, "--seed", "2", "--lang", language, columns=100, rows=30)
    glass.until(r"▸ *1 ")
    before = len(saved(tmp_path).read_text(encoding="utf-8").splitlines())
    glass.type("1")
    glass.settle(0.5)
    assert all(len(row) <= 100 for row in glass.text.splitlines())
    assert Language(language).pgettext("command", "quit") in glass.text or language == "ja"
    glass.leave()
    assert len(saved(tmp_path).read_text(encoding="utf-8").splitlines()) >= before
    load(saved(tmp_path))


@pytest.mark.long
@pytest.mark.parametrize(("game", "people"), [("venice-2013", 1), ("cards-safe", 2), ("tic-tac-toe", 1)])
def test_keys_of_all_kinds_never_break_it_nor_lose_a_decision(game, people):
    found = mashed(game, 4, 300, people=people)
    assert not found.troubles and found.events >= 300 and found.frames


@pytest.mark.long
def test_no_frame_shows_a_secret_of_somebody_who_does_not_sit_there(tmp_path):
    seats = ("ada", "ben", "cleo")
    wishes = [word for seat in seats for word in ("--seat", f"{seat}=me")]
    glass = Glass(tmp_path, "play", "little-mystery", "--seed", "5", "--lang", "en", *wishes)
    state = load_game("little-mystery").new(5)
    facts = {}
    for seat in seats:
        view = View(state.player(seat), Seat(seat), Language("en"), tmp_path)
        facts[seat] = [f"{label}: {value}" for label, value in view.notebook.secrets(view.known())]
    assert all(facts.values())
    passed = 0
    for _ in range(30):
        text = glass.until("Pass the keyboard|Press Enter to go on|▸")
        if passed >= 3:
            break
        if "Pass the keyboard" in text:
            assert not any(fact in text for one in facts.values() for fact in one)
            passed += 1
            glass.type(ENTER)  # pressed by accident: nothing opens
            assert "Pass the keyboard" in glass.settle()
            glass.type(quoted(re.findall(r".* to see your screen:", glass.beside)[0]) + ENTER)
            glass.until("You are|Press Enter to go on")
        elif "Press Enter to go on" in text:
            glass.type(ENTER)
        else:
            glass.type("1")
    here = ""
    for frame in glass.frames:
        met = re.search(r"You are (\w+)\.", frame)
        here = met[1].lower() if met else ""
        for seat, told in facts.items():
            assert seat == here or not any(fact in frame for fact in told), frame
    assert passed >= 3
    glass.leave()


def test_the_plain_mode_imports_nothing_of_it(tmp_path):
    code = (
        "import sys\nfrom tabarro.cli import main\n"
        "main(['play', 'tic-tac-toe', '--seed', '1'])\nprint('textual' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        input="b2\n",
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.rstrip().endswith("False")


def test_without_the_package_lines_are_played_and_it_is_said_how_to_get_it(tmp_path):
    (tmp_path / "textual").mkdir()
    (tmp_path / "textual" / "__init__.py").write_text("raise ModuleNotFoundError('textual')\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), environment(tmp_path)["PYTHONPATH"]])
    glass = Glass(tmp_path / "saves", "play", "tic-tac-toe", "--seed", "1", "--lang", "en", PYTHONPATH=path)
    glass.until(r"\n> ?$|> *$")
    assert "tabarro[screen]" in glass.text
    glass.child.close(force=True)


@pytest.mark.long
def test_lines_can_be_wished_for_on_a_large_terminal(tmp_path):
    glass = Glass(tmp_path, "play", "tic-tac-toe", "--seed", "1", "--lang", "en", "--plain")
    glass.until(r"Where\?")
    assert "?1000h" not in glass.raw
    glass.child.close(force=True)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "language"), [("kuhn-poker", "ja"), ("four-in-a-row", "ca"), ("liars-dice", "nl"), ("last-guest", "no")]
)
def test_whole_games_of_several_families_are_played_there(tmp_path, game, language):
    assert evening(tmp_path, game, language, seed=3).over


@pytest.mark.long
def test_a_lesson_is_taken_there_to_its_end(tmp_path):
    assert lesson(tmp_path, "tic-tac-toe", "de") == ""
