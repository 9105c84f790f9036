"""The full screen at a real pseudo-terminal: keys go in, what stands on the glass is read back."""

from __future__ import annotations

import asyncio
import os
import random
import re
import subprocess
import sys
import threading
from pathlib import Path

import pexpect
import pytest
from glass import DOWN, ENTER, Glass
from loading import LIBRARY, NAMES, loaded
from mashing import Sitting, mashed, share, wanted
from rich.console import Console
from rich.text import Text
from snapshots import PICTURES, SMALL, file_of, pictures
from soak_screens import at_the_prompt, evening, lesson
from tabarro.front.paper import spreading
from tabarro.front.terminal.frames import Choice, Frame, inked, log_of
from tabarro.front.terminal.full import Full
from tabarro.front.terminal.panes import Panes
from tabarro.front.terminal.turns import Count, turns
from tabarro.interpreter import Reader
from tabarro.interpreter.save import load
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.narrator import Narrator
from terminal import environment, quoted, saved
from wcwidth import wcswidth

LINES = {"ja": "ca", "ca": "nl", "nl": "no", "no": "de", "de": "en", "en": "ja"}  # another one than on the full screen
EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
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
        glass.settle(0.3)
        if "Press Enter to go on" in glass.beside:
            break
        glass.type(DOWN)
        glass.type(ENTER)
    assert load(saved(tmp_path))[1].over
    assert not glass.is_over and re.search("won", glass.beside) and re.search("marks .* wins", glass.beside)
    assert len(re.findall(r"│ +[XO] +│", glass.text)) >= 3  # the board stands there as the game has left it
    glass.type(ENTER)
    glass.child.expect(pexpect.EOF)
    assert "has won" in glass.child.before  # and on the terminal it can be read again


@pytest.mark.long
def test_a_game_is_played_with_the_mouse_alone(tmp_path):
    glass = Glass(tmp_path, "play", "tic-tac-toe", "--seed", "1", "--lang", "en")
    glass.until(r"▸1 a3")
    while "Press Enter to go on" not in glass.beside:
        square = re.search(r"[1-9] [abc][123]", glass.beside)[0]
        for _ in range(2):  # what ends a turn is chosen twice
            glass.click(*glass.find(square))
            glass.settle(0.3)
    assert load(saved(tmp_path))[1].over and not glass.is_over
    glass.click(*glass.find("1 quit"))
    glass.child.expect(pexpect.EOF)


def appears(glass, wanted):
    try:
        return bool(glass.until(wanted, most=20))
    except AssertionError:
        return False


@pytest.mark.long
def test_the_last_picture_reveals_everything_and_asks_for_another_game(tmp_path):
    for attempt in range(6):  # whoever is asked for cards before his first turn cannot declare yet
        folder = tmp_path / str(attempt)
        folder.mkdir()
        glass = Glass(folder, "play", "venice-2013", "--seat", "red=me", *BOTS, "--lang", "en", columns=120, rows=40)
        glass.until("Your goal is still open")
        if appears(glass, "Mission accomplished"):
            break
        glass.leave()
    for keys, then in (("accomplished" + ENTER, r"Which player\?"), (ENTER, "▸1 no"), ("2", "Everything is revealed")):
        glass.type(keys)
        glass.until(then)
    assert "declares the mission accomplished" in glass.beside  # the move that decided it
    assert {name for name in ("Red:", "Blue:", "Green:", "Yellow:") if name in glass.beside} and "won" in glass.beside
    assert len(re.findall(r"\w:?[RBGY][tsfh]", glass.text)) > 8, glass.text  # the map, and who stands there
    glass.type("again" + ENTER)
    glass.until("Your goal is still open")  # once more
    assert "revealed" not in glass.beside and len([*folder.rglob("venice-2013*.tabarro")]) == 2
    glass.leave()


@pytest.mark.long
def test_the_board_stays_in_sight_and_what_can_be_reached_is_numbered_there(tmp_path):
    glass = Glass(tmp_path, "play", "venice-2013", "--seed", "1", "--seat", "red=me", *BOTS, "--lang", "en")
    glass.until("Mission accomplished")
    glass.type(ENTER)
    glass.until(r"What do you move\?")
    glass.type("short red" + ENTER)
    text = glass.until(r"Where to\?")
    numbers = re.findall(r"│[▸ ](\d) (\w[\w' ]+?)(?: \(.*)? *$", text, re.M)
    assert len(numbers) >= 2
    for number, name in numbers:
        # a space that has a number of its own keeps it behind that of the choice
        assert re.search(rf"{number}\)(?:#\d ?)?({name[:3]}|{name.split()[-1][:3]})", text), (number, name)
    glass.type(UNDO)
    glass.until(r"What do you move\?")
    glass.type("short red" + ENTER)
    glass.until(r"Where to\?")
    number, name = numbers[-1]
    mark, code = re.search(rf"({number}\)(?:#\d ?)?)({name[:3]}|{name.split()[-1][:3]})", text).groups()
    glass.click(*glass.find(f"{mark}{code}"))
    glass.until(rf"{code[:2]}\w*:?Rs")  # it stands there now, behind the letters of the space
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


MASHED = [  # each family, each language; one person, or two at one keyboard
    ("venice-2013", "en", 1),
    ("cards-safe", "de", 2),
    ("tic-tac-toe", "ca", 1),
    ("liars-dice", "nl", 2),
    ("little-mystery", "ja", 2),
    ("kuhn-poker", "no", 2),
    ("night-runner", "de", 1),
    ("expedition", "ca", 2),
    ("family-cards", "ja", 1),
]


def families(games) -> set[str]:
    return {LIBRARY.find(game).parent.name for game in games}


def test_every_family_and_language_is_among_those_that_are_played_and_mashed():
    for told in (MASHED, PLAYED):
        assert families(game for game, *_ in told) == families(NAMES)
        assert {language for _, language, *_ in told} == set(LANGUAGES)


@pytest.mark.long
@pytest.mark.parametrize(("game", "language", "people"), MASHED)
def test_keys_of_all_kinds_never_break_it_nor_lose_a_decision(game, language, people):
    found = mashed(game, 4, 300, language, people)
    assert not found.troubles and found.events >= 300 and found.mouse > 20 and found.frames
    assert found.seats


def test_a_secret_on_the_screen_of_somebody_else_or_of_nobody_would_be_noticed(tmp_path, monkeypatch):
    """In whatever language of those who sit there."""
    monkeypatch.setattr(Full, "_show", lambda self, frame: None)
    for language in ("en", "ja"):
        for title in ("", "first", "second"):
            sitting = Sitting("kuhn-poker", 4, tmp_path, language, "ca", people=2)
            view = sitting.table.views["first"]
            secret = view.language.labelled(*view.notebook.secrets(view.known())[0])
            name = sitting.table.views[title].called if title else ""
            said = sitting.table.views[title or "first"].language.say("You are {name}.", name=name)
            frame = Frame(title=said if title else "", log=Text(secret))
            sitting.app._show(frame)
            assert bool(sitting.told) == (title != "first")
            sitting.save.close()


def test_that_there_was_one_choice_only_is_said_to_nobody_else(tmp_path, monkeypatch):
    """Of a hand of one card it would tell which, and of a role what it may do."""
    monkeypatch.setenv("TABARRO_PACE", "0")
    sitting = Sitting("last-guest", 3, tmp_path, "en", "de", people=2)
    with sitting.playing():
        assert asyncio.run(share(sitting, random.Random(3), 12)) > 2
    assert any(sitting.alone.values()) and sitting.told == []


SHARED = [  # all at one keyboard, in several languages at once; the last two are a house rule and one of an author
    ("little-mystery", ("en", "de", "ja")),
    ("last-guest", ("en", "de")),
    ("expedition", ("ca", "en")),
    ("kuhn-poker", ("ca", "nl")),
    ("cards-safe", ("no", "ja")),
    ("venice-2013", ("de", "en")),
    ("liars-carnival", ("nl", "ca")),
    (str(EXAMPLES / "suitcase.yaml"), ("ja", "no")),
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "languages"), SHARED, ids=lambda one: Path(one).stem if isinstance(one, str) else "")
def test_no_frame_shows_a_secret_of_somebody_who_does_not_sit_there(tmp_path, monkeypatch, game, languages):
    monkeypatch.setenv("TABARRO_PACE", "0")
    sitting = Sitting(game, 4, tmp_path, *languages, people=9)
    with sitting.playing():
        passed = asyncio.run(share(sitting, random.Random(game), 80))
    assert sitting.app.trouble is None and sitting.told == [] and load(sitting.save.path)
    assert passed > 1 and len({here for here, _ in sitting.shown}) > 2  # several people, and nobody


@pytest.mark.long
def test_a_screen_between_two_people_opens_by_no_key_that_is_pressed_by_accident(tmp_path):
    wishes = [word for seat in ("ada", "ben", "cleo") for word in ("--seat", f"{seat}=me")]
    glass = Glass(tmp_path, "play", "little-mystery", "--seed", "5", "--lang", "en", *wishes)
    glass.until("Pass the keyboard")
    glass.type(ENTER)
    assert "Pass the keyboard" in glass.settle()
    glass.type(quoted(re.findall(r".* to see your screen:", glass.beside)[0]) + ENTER)
    glass.until("You are|Press Enter to go on")
    glass.leave()


@pytest.mark.parametrize(
    ("game", "language", "room"),
    [
        pytest.param(*one, marks=() if one[2] == SMALL and one[0] != "venice-2013" else pytest.mark.long)
        for one in PICTURES
    ],
    ids=str,
)
def test_the_screen_looks_as_it_is_kept(tmp_path, monkeypatch, game, language, room):
    """After a change, look at it: `python tests/snapshots.py` writes the pictures anew."""
    monkeypatch.setenv("TABARRO_PACE", "0")
    monkeypatch.delenv("NO_COLOR", raising=False)
    seen = pictures(game, language, room, tmp_path)
    assert seen == file_of(game, language, room).read_text(encoding="utf-8")
    for taken in seen.split("== ")[1:]:
        rows = taken.split("-- painted")[0].splitlines()[1:]
        assert len(rows) == room[1] and max(map(wcswidth, rows)) <= room[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no colour",
        "\x1b[1;34mbold\x1b[0m and not",
        "a\x1b[31m\x1b[4mboth\nlines\x1b[m\n\nend\x1b[38;5;200m",
        "\x1b[7m\x1b[0mx",
    ],
)
def test_a_drawing_has_the_colours_that_it_was_drawn_with(text):
    seen, meant = inked(text), Text.from_ansi(text)
    assert seen.plain == meant.plain
    console = Console()
    for at in (at for at, letter in enumerate(seen.plain) if letter != "\n"):
        assert seen.get_style_at_offset(console, at) == meant.get_style_at_offset(console, at)


def test_while_a_map_is_being_drawn_that_is_said_and_what_is_typed_counts(tmp_path, monkeypatch):
    monkeypatch.setenv("TABARRO_PACE", "0")
    drawing, found = threading.Event(), spreading._found

    def slow(what, search, begun):
        begun()
        assert drawing.wait(20)
        return found(what, search, lambda: None)

    monkeypatch.setattr(spreading, "_found", slow)
    monkeypatch.setattr(spreading, "_LAID", {})
    sitting = Sitting("little-venice", 1, tmp_path, "de")

    async def play() -> None:
        app = sitting.app

        async def until(seen) -> None:
            for _ in range(100):
                if seen():
                    return
                await asyncio.sleep(0.05)
            raise AssertionError(app.frame)

        async with app.run_test(size=(120, 40)) as keys:
            await until(lambda: app.frame.choices)
            asked, choices = app.frame.serial, app.frame.choices
            assert app.frame.board.plain == "Der Spielplan wird gezeichnet …"
            await keys.press("1", "enter")
            assert app.frame.serial == asked
            drawing.set()
            await until(lambda: app.frame.serial > asked and app.frame.choices)
            assert "gezeichnet" not in app.frame.board.plain and app.frame.choices != choices
            app.action_leave()

    with sitting.playing():
        asyncio.run(play())


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


PLAYED = [
    ("kuhn-poker", "ja"),
    ("four-in-a-row", "ca"),
    ("liars-dice", "nl"),
    ("last-guest", "no"),
    ("night-runner", "de"),
    ("expedition", "en"),
    ("cards-phone", "ca"),
    ("fog", "ja"),
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "language"), PLAYED)
def test_whole_games_of_every_family_are_played_there(tmp_path, game, language):
    assert evening(tmp_path, game, language, seed=3).over


@pytest.mark.long
@pytest.mark.parametrize(("game", "language"), [(game, LINES[language]) for game, language in PLAYED])
def test_whole_games_of_every_family_are_played_line_by_line(tmp_path, game, language):
    assert at_the_prompt(tmp_path, game, language, seed=3).over


@pytest.mark.long
def test_a_lesson_is_taken_there_to_its_end(tmp_path):
    assert lesson(tmp_path, "tic-tac-toe", "de") == ""


def test_turns_are_counted_alike_whether_a_log_is_read_at_once_or_bit_by_bit():
    for name in ("cards-safe", "four-in-a-row", "night-runner", "venice-2013"):
        rules = loaded(name)
        state, luck, seat = rules.new(3), random.Random(3), rules.seats[0]
        reader, narrator, count, found = Reader(rules, seat), Narrator(rules, Language("en")), Count(), []
        for _ in range(60):
            if state.over:
                break
            state.apply(luck.choice(state.player(state.actor).legal()))
            if luck.random() < 0.5:
                found += turns(rules, reader.news(state.player(seat)), narrator, count)
        found += turns(rules, reader.news(state.player(seat)), narrator, count)
        whole = turns(rules, Reader(rules, seat).news(state.player(seat)), narrator, Count())
        assert [*dict.fromkeys(turn.number for turn in found)] == [turn.number for turn in whole], name
        log = log_of(narrator, found, seat, 100).plain
        assert re.findall(r"^── Turn (\d+)", log, re.M) == [str(turn.number) for turn in whole if turn.number], name
        assert ("── Turn 1 · " in log) == (name != "cards-safe"), name  # there, a turn is of all players


def test_a_click_at_a_place_that_cannot_be_chosen_tells_its_name(tmp_path):
    sitting = Sitting("venice-2013", 3, tmp_path, "en")
    app = sitting.app

    async def clicked() -> None:
        async with app.run_test(size=(100, 30)) as pilot:
            while not app.frame.names:
                await pilot.pause(0.02)
            pane, chosen = app.panes.panes["board"], app.frame.spots
            assert len(app.frame.names) > 40
            for (x, y, wide), name in app.frame.names.items():
                if (x, y, wide) not in chosen and 0 <= y - pane.top < pane.height:
                    await pilot.click(offset=(pane.x + pane.indent + x, pane.y + pane.sink + y - pane.top))
                    assert app.panes.said == name
            app.action_leave()

    with sitting.playing():
        asyncio.run(clicked())


def test_a_picture_that_is_made_complete_later_leaves_what_is_pointed_at():
    panes, choices = Panes(), [Choice("1", "quit"), Choice("2", "again")]
    panes.show(Frame(choices=choices, serial=3), (100, 30))
    panes.point(1)
    assert panes.freshen(Frame(choices=[*choices], serial=3, sheets=[Text("more")]), (100, 30))
    assert panes.choices.pointed == 1 and [text.plain for text in panes.frame.sheets] == ["more"]
    assert not panes.freshen(Frame(choices=[*choices], serial=4), (100, 30))
    assert not panes.freshen(Frame(choices=[*choices], serial=3), (120, 40))


def _seen(panes: Panes) -> str:
    return "\n".join("".join(part.text for part in row) for row in panes.drawn())


@pytest.mark.parametrize("size", [(100, 30), (160, 50)])
def test_what_is_asked_between_two_people_is_never_cut(size):
    """In the languages of both, with names as long as they can be; the latest news are broken, not clipped."""
    panes, asked = Panes(), [f"{code} " + "word " * 25 + f"end{code}" for code in ("de", "ja", "typed")]
    panes.show(Frame(log=Text("\n".join(map(str, range(60)))), question="\n".join(asked)), size)
    assert all(f"end{code}" in _seen(panes) for code in ("de", "ja", "typed")) and "59" in _seen(panes)


@pytest.mark.parametrize("size", [(100, 30), (160, 50)])
def test_a_long_sentence_about_a_choice_takes_its_room_from_the_log(size):
    panes, choices = Panes(), [Choice(str(n), f"card {n}") for n in range(1, 12)]
    panes.show(Frame(log=Text("old\n" * 60), question="Which cards? " * 4, choices=choices), size)
    before = _seen(panes)
    panes.said = "These do not go together: " + "a card of some kind, " * 8 + "end"
    seen = _seen(panes)
    assert "Which cards?" in seen and "1 card 1" in seen and "end" in seen and "old" in seen
    assert before.count("old") > seen.count("old")


def test_news_between_two_people_are_broken_where_the_pane_ends(tmp_path, monkeypatch):
    monkeypatch.setenv("TABARRO_PACE", "0")
    sitting = Sitting("venice-2013", 11, tmp_path, "nl", "de", people=2)
    app, seen = sitting.app, []

    async def look() -> None:
        async with app.run_test(size=(100, 30)) as pilot:
            while not wanted(app.frame):
                await pilot.pause(0.02)
            seen.append((app.frame.log.plain, _seen(app.panes)))
            app.action_leave()

    with sitting.playing():
        asyncio.run(look())
    log, picture = seen[0]
    assert log and all(line.strip() in picture for line in log.splitlines()[-5:])
