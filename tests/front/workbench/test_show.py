"""`tabarro show`: every part of every game has a name of its own, and what is offered for pasting means what is there."""

import io
import random
from pathlib import Path

import pytest
from tabarro.cli import main
from tabarro.front.workbench.index import Index
from tabarro.interpreter import games
from tabarro.interpreter.paths import find, parts, shortest
from tabarro.interpreter.resolve import Library
from tabarro.speech.language import LANGUAGES, Language


def told(*arguments):
    out, err = io.StringIO(), io.StringIO()
    code = main([*map(str, arguments)], out, err)
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("game", games())
def test_every_part_has_a_name_of_its_own(game):
    library = Library(())
    whole = library.merged(library.find(game))
    for path, _ in parts(whole):
        assert find(whole, shortest(whole, path)) == [path]


@pytest.mark.parametrize("game", games())
def test_what_is_pasted_unchanged_changes_nothing(game, tmp_path):
    index = Index(game, None, Language("en"))
    library = Library(())
    before = library.resolve(library.find(game)).digest
    changeable = [path for path, _ in parts(index.whole) if path[0] not in ("extends", "players", "abstract")]
    file = tmp_path / "house.yaml"
    for path in random.Random(game).sample(changeable, 4):
        lines = index.lines(path)
        file.write_text("\n".join([f"extends: {game}", *lines, ""]), encoding="utf-8")
        assert Library((tmp_path,)).resolve(file).digest == before, lines


def test_a_changed_number_is_found_and_pasted(tmp_path, monkeypatch):
    """The way of somebody who wants four balls: look for it, paste it, change it, look again."""
    monkeypatch.chdir(tmp_path)
    code, out, _ = told("show", "venice-2013", "shake/draw")
    assert code == 0
    pasted = out.split(":\n\n", 1)[1]
    house = "\n".join(line[2:] for line in pasted.splitlines())
    Path("variants").mkdir()
    Path("variants/four.yaml").write_text(f"extends: venice-2013\n{house.replace('3', '4')}\n", encoding="utf-8")
    code, out, _ = told("show", "four", "shake/draw", "--where")
    assert "four.yaml:" in out and "draw: 4" in out


@pytest.mark.parametrize(
    ("asked", "name"),
    [("movement", "movement of player"), ("repeats", "repeats"), ("mission/lords/A-C", "mission/lords/A-C")],
)
def test_short_names_find_what_is_meant(asked, name):
    assert told("show", "venice-2013", asked)[1].startswith(name + "\n")


def test_a_name_that_fits_several_parts_lists_them():
    out = told("show", "venice-2013", "choose")[1]
    assert "signal of player/choose" in out and "set_up/figures" in out


def test_a_misspelt_name_is_met_with_the_right_one():
    code, _, err = told("show", "venice-2013", "shaek")
    assert code == 2 and "“shake”" in err


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_mission_means_is_said_in_the_language_of_the_reader(language):
    expected = {
        "ca": "Agent",
        "de": "Agent",
        "en": "Agent X",
        "ja": "X",
        "nl": "Agent",
        "no": "Agent",
    }[language]
    out = told("show", "venice-2013", "mission/lords/A-B", "--lang", language)[1]
    sentence = out.splitlines()[1]
    assert expected in sentence
    assert language == "en" or "figure" not in sentence.split()
