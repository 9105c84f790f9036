"""What a name means, where it comes from, and what happens when it is called otherwise."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tabarro.front.lsp.analysis import Analysis, analyse
from tabarro.front.lsp.desk import Desk
from tabarro.front.lsp.meaning import hover, origins
from tabarro.front.lsp.remedies import changed
from tabarro.front.lsp.renaming import Refused, can_rename, renamed
from tabarro.interpreter.shelves import RULES
from tabarro.speech.language import Language

HERE = Path(__file__).resolve().parent / "house.yaml"  # never written
HOUSE = """extends: venice-2013
name: {en: Quiet}
options: {repeats: forbidden}
change: {turn of player/shake/draw: 4}
things:
  mood: [merry, sad]
state:
  mood of player: {is: mood, start: merry, seen by: all}
words:
  player is lucky: any figure of player is on rialto
  player is glad: mood of player is merry and player is lucky
rules:
  turn of player:
    greet: {before: shake, let: {guest: players where it is lucky}}
    wave: {after: greet, say: "{player} greets {guest}."}
"""


@cache
def desk() -> Desk:
    return Desk()


def understood(text: str = HOUSE) -> Analysis:
    desk().open = {HERE: text}
    found = analyse(desk(), HERE)
    return found


@cache
def house() -> Analysis:
    found = understood()
    assert found.problems == []
    return found


def at(words: str, inside: str, text: str = HOUSE) -> int:
    return text.index(words) + words.index(inside) + 1


def lines(words: str, inside: str, language: str = "en") -> list[str]:
    found = hover(house(), house(), house(), at(words, inside), Language(language))
    return found.lines if found else []


def test_a_condition_is_said_in_the_readers_language():
    english, german = (lines("any figure of player is on rialto", "any", language)[0] for language in ("en", "de"))
    assert "player" in english and "figure" in english and english.endswith("Rialto.")
    assert "Figur" in german and "Spieler" in german and german.endswith("Rialto.")


def test_an_option_tells_what_it_is_about_and_what_it_can_be():
    found = lines("repeats: forbidden", "repeats")
    assert len(found) >= 2 and all(value in found[1] for value in ("objected", "allowed", "forbidden"))
    assert lines("repeats: forbidden", "forbidden")[:2] == found[:2]


def test_a_key_of_the_language_is_explained():
    assert lines("before: shake", "before") == ["In a variant: put this step before the step of that name."]
    assert lines("before: shake", "before", "nl") == ["In een variant: zet deze stap voor de stap met die naam."]


def test_a_path_tells_what_it_is_now_and_where_that_is_said():
    found = lines("turn of player/shake/draw", "shake")
    assert found[0] == "It is now: 3." and "venice.yaml" in found[1]


@pytest.mark.parametrize(
    ("words", "inside", "file", "said"),
    [
        ("venice-2013", "venice", "venice-2013.yaml", ""),
        ("repeats: forbidden", "repeats", "venice.yaml", "repeats:"),
        ("turn of player/shake/draw", "shake", "venice.yaml", "draw"),
        ("is on rialto", "rialto", "board.yaml", "rialto"),
        ("any figure of player", "figure", "venice.yaml", "figure:"),
        ("before: shake", "shake", "venice-2013.yaml", "shake:"),
        ("  turn of player:", "turn", "venice.yaml", "turn of player:"),
        ("player is lucky\nrules", "lucky", "house.yaml", "player is lucky: any"),
        ("mood of player is merry", "merry", "house.yaml", "merry"),
        ("greets {guest}", "nothing", "house.yaml", ""),
    ],
)
def test_a_name_leads_along_extends_to_where_it_is_said(words, inside, file, said):
    if inside == "nothing":
        assert origins(house(), house(), HOUSE.index("Quiet")) == []
        return
    found = origins(house(), house(), at(words, inside))
    assert file in [one.file.name for one in found]
    one = next(one for one in found if one.file.name == file)
    text = HOUSE if one.file == HERE else one.file.read_text(encoding="utf-8")
    assert text.splitlines()[one.line - 1][one.column - 1 :].startswith(said)
    assert one.file == HERE or one.file.is_relative_to(RULES)


@pytest.mark.parametrize(
    ("words", "inside", "new", "gone", "there"),
    [
        ("mood: [merry", "merry", "happy", "merry", 3),
        ("mood: [merry", "mood", "humour", "mood:", 1),
        ("player is lucky: any", "lucky", "fortunate", "lucky", 3),
        ("let: {guest", "guest", "friend", "guest", 2),
        ("greet: {before", "greet", "hello", "greet:", 2),
    ],
)
def test_a_name_is_changed_everywhere_in_the_file_and_nothing_else(words, inside, new, gone, there):
    assert can_rename(house(), house(), at(words, inside)) is not None
    edits = renamed(house(), house(), at(words, inside), new, Desk(), Language("en"))
    text = changed(HOUSE, edits)
    assert gone not in text.replace("greets", "") and text.count(new) >= there
    assert understood(text).problems == []


@pytest.mark.parametrize(
    ("words", "inside", "new", "why"),
    [
        ("is on rialto", "rialto", "market", "board.yaml"),
        ("player is lucky: any", "lucky", "every", "cannot be a name"),
        ("player is lucky: any", "lucky", "12", "cannot be a name"),
        ("mood: [merry", "merry", "rialto", "cannot be renamed"),
        ("mood: [merry", "merry", "sad", "cannot be renamed"),
    ],
)
def test_what_would_not_go_well_is_refused_with_a_reason(words, inside, new, why):
    with pytest.raises(Refused, match=why):
        renamed(house(), house(), at(words, inside), new, Desk(), Language("en"))
