"""`say` in a position: what a value is now, in words, by its type; and which operations it can explain."""

import io
import os
from pathlib import Path

import pytest
from tabarro.cli import main
from tabarro.front.workbench.why import EXPLAINED, STATED, Why
from tabarro.interpreter import load_game
from tabarro.interpreter.check import Scope
from tabarro.interpreter.errors import Place, Source
from tabarro.interpreter.operations import OPERATIONS as OPS
from tabarro.interpreter.trees import free_variables

HOUSE = """\
extends: tic-tac-toe
state:
  score: {is: number, start: 7, seen by: all}
  score of player: {is: number, start: 12345, seen by: player}
  winning: {is: yes or no, start: true, seen by: all}
  losing: {is: yes or no, seen by: all}
  favourite: {is: player, start: nought, seen by: all}
  rival: {is: player or nothing, seen by: all}
  corners: {is: set of square, start: [a1, c1], seen by: all}
  taken: {is: set of player, seen by: all}
  trail: {is: list of player, start: [nought, cross, nought], seen by: all}
  marks: {is: list of number, start: [0, 2, 2], seen by: all}
"""


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for variable in [name for name in os.environ if name.startswith(("LC_", "LANG", "TABARRO"))]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    Path("house.yaml").write_text(HOUSE, encoding="utf-8")
    Path("position.yaml").write_text("mark of b2: cross\n", encoding="utf-8")


def say(*arguments) -> str:
    out, err = io.StringIO(), io.StringIO()
    assert main(["say", *map(str, arguments)], out, err) == 0, err.getvalue()
    return out.getvalue()


def now(expression: str, language: str, *more: str) -> str:
    """The last line that is said."""
    return say("house.yaml", expression, "--position", "position.yaml", "--lang", language, *more).splitlines()[-1]


VALUES = [
    ("2 plus 3", "Now it is this: 5.", "Jetzt ist es: 5."),  # the things with these numbers are squares
    ("score", "Now it is this: 7.", "Jetzt ist es: 7."),
    ("score of cross", "Now it is this: 12,345.", "Jetzt ist es: 12.345."),
    ("count of squares", "Now it is this: 9.", "Jetzt ist es: 9."),
    ("favourite", "Now it is this: nought.", "Jetzt ist es: Kreis."),
    ("mark of b2", "Now it is this: cross.", "Jetzt ist es: Kreuz."),
    ("rival", "Now it is this: nothing.", "Jetzt ist es: nichts."),
    ("mark of a1", "Now it is this: nothing.", "Jetzt ist es: nichts."),
    ("nothing", "Now it is this: nothing.", "Jetzt ist es: nichts."),
    ("corners", "Now it is this: a1 and c1.", "Jetzt ist es: a1 und c1."),
    ("taken", "Now it is this: nothing.", "Jetzt ist es: nichts."),
    ("trail", "Now it is this: nought, cross, and nought.", "Jetzt ist es: Kreis, Kreuz und Kreis."),
    ("marks", "Now it is this: 0, 2, and 2.", "Jetzt ist es: 0, 2 und 2."),
    ("players where it is favourite", "Now it is this: nought.", "Jetzt ist es: Kreis."),
    ("winning", "This holds now.", "Das ist jetzt erfüllt."),
    ("winning is losing", "  “winning” is true.", "  „winning“ gilt."),
    ("losing is winning", "  “losing” is not true.", "  „losing“ gilt nicht."),
    ("score is 5", "  The score is 7.", "  „score“ ist 7."),
    ("rival is cross", "  The rival is nothing.", "  „rival“ ist nichts."),
    ("mark of b2 is nought", "  The mark on square b2 is cross.", "  Das Zeichen auf Feld b2 ist Kreuz."),
]


@pytest.mark.parametrize(("expression", "english", "german"), VALUES, ids=[row[0] for row in VALUES])
def test_a_value_is_said_by_its_type_in_the_language_of_the_reader(expression, english, german):
    assert (now(expression, "en"), now(expression, "de")) == (english, german)
    assert (now(expression, "en", "--as", "cross"), now(expression, "de", "--as", "CROSS")) == (english, german)


def test_a_number_is_no_thing_in_a_saved_game_either():
    assert main(["play", "tic-tac-toe", "--seed", "1", "--save", "a", "--seat", "cross=bot"], io.StringIO()) == 0
    assert "Now it is this: 5." in say("tic-tac-toe", "2 plus 3", "--save", "a")
    assert main(["play", "venice-2013", "--seed", "1", "--save", "b", "--seat", "red=bot"], io.StringIO()) == 0
    assert "Now it is this: 16." in say("venice-2013", "count of figures", "--save", "b")
    assert "Now it is this: 16." in say("venice-2013", "count of figures", "--save", "b", "--as", "red")


def test_of_a_position_that_was_set_up_a_seat_sees_what_it_sees():
    assert now("score of nought", "en", "--as", "nought") == "Now it is this: 12,345."
    Path("position.yaml").write_text("score of nought: 3\n", encoding="utf-8")
    assert now("score of nought", "en", "--as", "nought") == "Now it is this: 3."


def test_the_position_of_a_whole_scenario_can_be_asked_about_and_a_mistake_in_it_is_shown():
    scenario = "title: One\ngame: tic-tac-toe\nseed: 2\nposition: {mark of b2: nought}\nplay: []\n"
    Path("position.yaml").write_text(scenario, encoding="utf-8")
    assert now("mark of b2", "en") == "Now it is this: nought."
    Path("position.yaml").write_text("position: 3\n", encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    assert main(["say", "house.yaml", "score", "--position", "position.yaml"], out, err) == 2
    assert "position.yaml:1:11" in err.getvalue()


def test_every_operation_is_explained_or_stated():
    assert EXPLAINED.keys() | STATED == OPS.keys()
    assert EXPLAINED.keys().isdisjoint(STATED)
    assert all(callable(getattr(Why, name)) for name in EXPLAINED.values())


def test_only_names_that_nothing_binds_are_free():
    game = load_game("venice-2013", 4)
    free = {v.name: v for fs in game.vocabulary.functions.values() for f in fs for v in f.variables[f.keys :]}

    def names(text: str) -> list[str]:
        expr = game.vocabulary.checker.expression(text, Place(Source("", text), 1, 1), Scope(free))
        return [var.name for var in free_variables(expr)]

    assert names("any figure of the team is with agent_x") == ["team"]
    assert names("every figure in figures is on rialto") == []
