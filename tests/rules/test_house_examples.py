"""Fifteen kinds of house rules, each in a few lines: checked, said in six languages, in the rulebook, played by bots.

One of them comes along with the games (`liars-carnival`, one lie allowed); the others stand in docs/examples."""

import io
import random
from pathlib import Path

import pytest
from tabarro.cli import main
from tabarro.front.common.folders import use
from tabarro.front.workbench.doubts import Warnings
from tabarro.front.workbench.texts import missing, own_texts
from tabarro.interpreter import find_problems, load_game
from tabarro.speech.language import LANGUAGES

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "examples"
LIE = FOLDER.parents[1] / "rules" / "examples" / "liars-carnival.yaml"
LINES = {  # how short each is
    "wild-phantom": 4,  # other balls
    "three-islands": 10,  # three numbered places
    "lovers": 4,  # a new mission
    "fast-envoy": 8,  # the ambassador twice
    "gondola": 8,  # a gondola of any length
    "giants": 10,  # a fifth build
    "twins": 10,  # swapped figures
    "before-midnight": 4,  # a time limit
    "both-questions": 13,  # both questions at once
    "thirteen": 39,  # a city of one's own with 13 spaces
    "six-codes": 16,  # six players with six codes
    "fast-gondola": 9,  # two variants combined
    "handicap": 8,  # a handicap
    "suitcase": 28,  # a thing that can be carried and stolen
}
FILES = [FOLDER / f"{name}.yaml" for name in LINES]
every_example = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
QUICK = ("suitcase",)  # the others take longer than they teach


def told(*arguments):
    out, err = io.StringIO(), io.StringIO()
    code = main([*map(str, arguments)], out, err)
    return code, out.getvalue() + err.getvalue()


def test_there_are_fifteen_kinds_and_each_has_a_scenario():
    assert {path.stem for path in FOLDER.glob("*.yaml")} == set(LINES) and LIE.is_file()
    assert {path.stem for path in (FOLDER / "scenarios").glob("*.yaml")} == set(LINES)


@every_example
def test_an_example_is_as_short_as_it_says(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES[path.stem]


@every_example
def test_everything_that_players_see_is_said_in_six_languages(path):
    use([str(path)], None)
    try:
        own = own_texts(path)
        assert own and not [(code, key) for code in LANGUAGES if code != "en" for key in missing(own, code)]
    finally:
        use([], None)


@pytest.mark.long
@every_example
def test_an_example_has_no_mistakes_and_says_what_is_new(path):
    assert find_problems(path) == []
    assert [doubt.code for doubt in Warnings(path).new_plainly()] == []


@pytest.mark.parametrize(
    "path", [pytest.param(p, marks=() if p.stem in QUICK else pytest.mark.long, id=p.stem) for p in FILES]
)
def test_an_example_does_what_its_scenario_says_and_is_played_by_bots(path):
    code, said = told("test", FOLDER / "scenarios" / path.name, "--lang", "en")
    assert code == 0, said
    players = 6 if path.stem == "six-codes" else 4
    game = load_game(path, players)
    state, rng = game.new(3), random.Random(3)
    for _ in range(150):
        if state.over:
            break
        state.apply(state.sample(rng, habits=True), trusted=True)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_new_stands_in_the_rulebook(language):
    for name, said in NEW[language].items():
        code, book = told("rulebook", FOLDER / f"{name}.yaml", "--lang", language)
        assert code == 0 and said in " ".join(book.split()), name


NEW = {
    "ca": {"suitcase": "robar la maleta", "six-codes": "els codis de tots sis"},
    "de": {"suitcase": "den Koffer stehlen", "six-codes": "die Codes aller sechs"},
    "en": {"suitcase": "steal the suitcase", "six-codes": "the codes of all six"},
    "ja": {"suitcase": "スーツケースを盗む", "six-codes": "六人の数字"},
    "nl": {"suitcase": "de koffer stelen", "six-codes": "de codes van alle zes"},
    "no": {"suitcase": "stjele kofferten", "six-codes": "kodene til alle seks"},
}
