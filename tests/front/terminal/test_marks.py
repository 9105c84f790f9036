"""What people write into their own notes: from outside, and in any game."""

import json
import re

import pytest
from loading import loaded
from tabarro.front.terminal.marks import Marks
from tabarro.front.terminal.notebook import Notebook
from tabarro.front.terminal.seats import Seat
from tabarro.front.terminal.view import View
from tabarro.interpreter import games
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.narrator import Narrator
from terminal import piped, saved
from wcwidth import wcswidth

HOUSE = """
name: Wide
players: {2: {}}
things:
  player: [ann, bob]
  card:   [rope, coin, lamp]
  spot:   {grid: {column: 6, row: 5}}
seats: players
state:
  hand of player:   {is: set of card, seen by: player}
  player is armed:  {is: yes or no, seen by: player}
  treasure:         {is: spot, seen by: nobody}
  deck:             {is: pile of card, seen by: nobody}
  purse of player:  {is: number, seen by: player}
  place of player:  {is: spot, start: a1, seen by: all}
screens: {secrets: [hand of player, treasure]}
rules:
  game:
    turns: {repeat: {turn: {ask: ann, between: {go: , stay: }, seen by: all}, other: {ask: bob, between: {go: , stay: }, seen by: all}}, until: ann is armed}
"""


def sheet(said: str) -> dict[str, dict[str, dict[str, str]]]:
    """The tables in a text: by heading, row and column, the mark."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    heads = None
    for line in said.splitlines():
        cells = re.split(r"\s{2,}", line.strip())
        if heads is None and line.startswith("  ") and len(cells) > 1 and not set(cells[1:]) & set("+-?·"):
            heads = cells
        elif heads is not None and len(cells) == len(heads) and set(cells[1:]) <= set("+-?·"):
            found.setdefault(heads[0], {})[cells[0]] = dict(zip(heads[1:], cells[1:]))
        else:
            heads = None
    return found


def test_marks_stand_in_the_sheet_and_are_kept_with_the_save_but_not_in_it(tmp_path):
    answers = "notes blue x +\nnotes bubble green - zsa ?\nnotes fat yellow no\nnotes Blue lied.\n"
    piped(tmp_path, "play", "venice-2013", "--seed", "1", "--save", "mine.tabarro", answers=answers)
    assert b"lied" not in (tmp_path / "mine.tabarro").read_bytes()
    again = piped(tmp_path, "resume", "mine.tabarro", answers="notes\n").stdout
    shown = sheet(again)
    assert shown["Identity"]["Agent X"] == {"Blue": "+", "Green": "·", "Yellow": "·"}
    assert shown["Identity"]["Colonel Bubble"]["Green"] == "-" and shown["Identity"]["Madame Zsa Zsa"]["Green"] == "?"
    assert shown["Build"]["fat"]["Yellow"] == "-" and set(shown["Letter"]) == set("ABCD")
    assert re.search(r"^  1 Blue lied\.$", again, re.M)


def test_marks_and_lines_are_taken_away(tmp_path):
    answers = "notes ben baker +\nnotes cleo rope ?\nnotes one\nnotes two\nnotes 1 =\nnotes rope cleo =\nnotes\n"
    said = piped(tmp_path, "play", "little-mystery", "--seed", "1", answers=answers).stdout.rsplit("> notes\n", 1)[-1]
    assert sheet(said)["Hand"]["baker"]["Ben"] == "+" and sheet(said)["Hand"]["rope"]["Cleo"] == "·"
    assert re.search(r"^  1 two$", said, re.M) and "one" not in re.findall(r"^  \d (.*)$", said, re.M)
    assert "Ada" not in sheet(said)["Hand"]["baker"]  # that is who marks


@pytest.mark.parametrize("language", LANGUAGES)
def test_things_are_marked_by_their_names_in_every_language(tmp_path, language):
    game = loaded("venice-2013")
    speaks = Language(language)
    narrator = Narrator(game, speaks)
    blue = narrator.seat("blue")("list")
    who = narrator.name(game.vocabulary.member("colonel_bubble", game.screens.secrets[0].result))("list")
    word, maybe = speaks.pgettext("command", "notes") or "notes", speaks.translate("maybe")
    answers = f"{word} {blue} {who} {maybe}\n"
    said = piped(tmp_path, "play", "venice-2013", "--lang", language, "--seed", "1", answers=answers).stdout
    assert [row[blue] for table in sheet(said).values() for name, row in table.items() if name == who] == ["?"]


@pytest.mark.parametrize("entry", ["red bubble +", "blue +", "+", "purple bubble -", "bubble ?", "9 ="])
def test_what_names_no_place_on_the_sheet_is_refused_with_an_example(tmp_path, entry):
    said = piped(tmp_path, "play", "venice-2013", "--seed", "1", answers=f"notes {entry}\n").stdout
    assert f"“{entry}” does not name one player and one thing" in said and "“notes Blue Agent X +”" in said
    assert not list(tmp_path.glob("*.notes"))


def test_the_other_at_the_keyboard_sees_nothing_of_it_and_a_replay_neither(tmp_path):
    seats = ("--seat", "first=me", "--seat", "second=me", "--save", "two.tabarro")
    said = piped(
        tmp_path,
        "play",
        "kuhn-poker",
        *seats,
        "--seed",
        "2",
        answers="notes second king +\nnotes bluff\ncheck\nnotes\n",
    ).stdout
    own, other = said.split("Pass the keyboard to the second player")
    assert sheet(own)["Hand"]["king"] and "bluff" in own
    assert set(sheet(other)["Hand"]["king"].values()) == {"·"} and "bluff" not in other
    back = piped(tmp_path, "resume", "two.tabarro", answers="notes first jack -\n").stdout
    assert "bluff" not in back
    kept = json.loads((tmp_path / "two.tabarro.notes").read_text(encoding="utf-8"))["seats"]
    assert kept["first"]["lines"] == ["bluff"] and kept["second"]["marks"] == [["hand of _", "first", "jack", "-"]]
    assert "bluff" not in piped(tmp_path, "replay", "two.tabarro", "--as", "second").stdout


def test_the_sheet_of_any_game_has_what_is_hidden_in_it(tmp_path):
    (tmp_path / "wide.yaml").write_text(HOUSE, encoding="utf-8")
    answers = "notes bob rope +\nnotes armed bob ?\nnotes c3 +\nnotes\n"
    said = piped(tmp_path, "play", "wide.yaml", answers=answers).stdout.rsplit("> notes\n", 1)[-1]
    assert sheet(said)["Hand"] == {"rope": {"bob": "+"}, "coin": {"bob": "·"}, "lamp": {"bob": "·"}}
    assert sheet(said)["Armed"] == {"armed": {"bob": "?"}}
    assert re.search(r"^  c3 +\+$", said, re.M) and not re.search(r"^  c4 +", said, re.M)  # of many only the marked
    assert "Deck" not in said and "Place" not in said


def test_a_game_without_secrets_keeps_lines(tmp_path):
    said = piped(tmp_path, "play", "tic-tac-toe", answers="notes corners first\nnotes\n").stdout
    assert said.count("  1 corners first") == 2 and "Your own marks" not in said


@pytest.mark.parametrize(
    "kept", ["", "[]", '{"tabarro": "notes", "seats": 3}', '{"tabarro": "notes", "seats": {"first": [1]}}']
)
def test_notes_that_cannot_be_read_do_not_stop_the_game(tmp_path, kept):
    piped(tmp_path, "play", "kuhn-poker", "--seed", "2", "--save", "one.tabarro")
    (tmp_path / "one.tabarro.notes").write_text(kept, encoding="utf-8")
    ran = piped(tmp_path, "resume", "one.tabarro", answers="notes second king +\n")
    assert ran.returncode == 0 and ran.stderr == ""


def test_what_was_shown_stands_in_the_notes_of_games_without_a_record(tmp_path):
    said = piped(tmp_path, "play", "little-mystery", "--seed", "1", answers="1\n1\nwait\nnotes\n").stdout
    shown = {line.strip() for line in said.splitlines() if re.search(r" (shows|show) ", line) and "Ada" in line}
    noted = said.rsplit("> notes\n", 1)[-1]
    assert shown and all(line in noted for line in shown)


def test_a_file_that_is_not_ours_is_left_alone(tmp_path):
    piped(tmp_path, "play", "kuhn-poker", "--seed", "2", "--save", "one.tabarro")
    (tmp_path / "one.tabarro.notes").write_text("a poem", encoding="utf-8")
    piped(tmp_path, "resume", "one.tabarro", answers="notes second king +\n")
    assert (tmp_path / "one.tabarro.notes").read_text(encoding="utf-8") == "a poem"
    assert saved(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_sheet_of_every_game_fits_into_any_window(language, tmp_path):
    for name in games():
        game, speaks = loaded(name), Language(language)
        for seat in game.seats[:2]:
            marks = Marks(Notebook(game, seat, Narrator(game, speaks), speaks), tmp_path / "none")
            for block in marks.blocks():
                marks.marks[block.function.shape, block.owners[-1][0], block.things[-1][0]] = "?"
            for width in (20, 40, 80):
                lines = marks.told(width, "notes")
                assert all(wcswidth(line) <= width for line in lines), (name, width)
                assert not marks.blocks() or any("?" in line for line in lines)


def test_no_heading_of_the_sheet_stands_above_nothing(tmp_path):
    view = View(loaded("little-mystery").new(3).player("ada"), Seat("ada"), Language("en"), tmp_path / "x")
    for width in (12, 16, 20, 30, 80):
        assert all(len(table) > 1 for table in view.marks.tables(width))
    assert len(view.marks.tables(80)) > len(view.marks.tables(12))
    assert not view.marks.write("ben baker +")
    assert len(view.marks.tables(12)) == len(view.marks.tables(80))
