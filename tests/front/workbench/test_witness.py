"""Who can tell what, in the reader's language: what `check` says of worlds that can be told apart."""

from pathlib import Path

import pytest
from tabarro.front.workbench.witness import REMEDIES, assumptions, paired
from tabarro.interpreter import load_game, show
from tabarro.interpreter.compiling import compile_game
from tabarro.interpreter.resolve import Library
from tabarro.speech.language import LANGUAGES, Language

LEAKS = Path(__file__).parents[2] / "lab" / "leaks"


def leaky(name):
    return compile_game(Library(), LEAKS / f"{name}.yaml", None, None, leaks=[])


def test_a_witness_says_who_can_tell_what_at_which_step():
    (found,) = paired([leaky("seat-that-has-changed")], Language("en")).witnesses
    assert found.place.source.line(found.place.line).strip().startswith("guess:")
    assert found.message().startswith("Ann can tell here whether this holds: the mission of bob is ")
    assert "What can be chosen here depends on that." in found.remedy()


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", sorted(p.stem for p in LEAKS.glob("*.yaml") if p.stem != "taken-back-by-a-secret"))
def test_it_is_said_in_every_language(name, code):
    language = Language(code)
    for found in paired([leaky(name)], language).witnesses:
        text = show(found, language.translate)
        assert "{" not in found.message(language.translate)
        assert found.remedy(language.translate) in text
        assert code == "en" or found.remedy(language.translate) != found.remedy()
        assert found.args["matter"] in REMEDIES


@pytest.mark.parametrize("name", ["kuhn-poker", "little-mystery", "tic-tac-toe"])
def test_there_is_none_where_nobody_can_tell_anything(name):
    found = paired([load_game(name)], Language("en"), seconds=0.5)
    assert found.witnesses == []
    assert found.positions > 50


def test_what_is_taken_for_granted_is_said_and_refuted_by_a_witness():
    game = leaky("stops-by-a-secret")
    (assumed,) = assumptions([game])
    assert assumed.code == "assumed_never"
    assert "mission of bob" in assumed.message()
    (found,) = paired([game], Language("en")).witnesses
    assert found.place == assumed.place
    assert found.args["matter"] == "stopped"


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("stops-by-a-secret", "“if none”"),
        ("moved-by-a-secret", "what is to be moved"),
        ("counted-by-a-secret", "a number"),
    ],
)
def test_where_the_game_stops_the_remedy_is_one_that_can_be_written_there(name, remedy):
    for found in paired([leaky(name)], Language("en")).witnesses:
        assert found.args["matter"] == "stopped"
        assert remedy in found.remedy()


def test_of_several_things_it_names_the_one_on_which_it_hangs():
    (found,) = paired([leaky("moved-by-a-secret")], Language("en")).witnesses
    assert found.message().endswith(" can tell here whether this holds: rope belongs to the bag of ann.")
