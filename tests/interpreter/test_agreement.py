"""What passes the check compiles, runs, and goes as the language says: the compiled program beside the plain evaluator.

Games that nobody tuned anything to (`tests/generated.py`), and those that come along. A longer run of the same:
python tests/soak_rules.py.
"""

import random
from pathlib import Path

import pytest
from generated import games as generated
from loading import NAMES, description_of, loaded
from oracles.steps import play_beside
from tabarro.interpreter import RulesError, load_game
from tabarro.interpreter.cache import switched_off


def agreeing(seed: int, count: int, folder: Path) -> tuple[int, int]:
    """How many of so many generated files were games, and how many decisions were made in them."""
    passed = decisions = 0
    path = folder / "generated.yaml"
    for number, text in generated(seed, count):
        path.write_text(text, encoding="utf-8")
        try:
            with switched_off():
                try:
                    game = load_game(path)
                except RulesError:
                    continue
            for playout in range(3):
                decisions += play_beside(game, random.Random(playout), 40)
        except Exception as error:
            raise AssertionError(f"game {number} of seed {seed}:\n{text}") from error
        passed += 1
    return passed, decisions


@pytest.mark.parametrize("seed", range(4))
def test_whatever_passes_the_check_compiles_and_runs_as_the_language_says(seed, tmp_path):
    passed, decisions = agreeing(seed, 9, tmp_path)
    assert passed >= 6 and decisions > 20


@pytest.mark.long
def test_many_generated_games_run_as_the_language_says(tmp_path):
    passed, decisions = agreeing(100, 250, tmp_path)
    assert passed > 200 and decisions > 2_500


@pytest.mark.parametrize("name", NAMES)
def test_the_games_that_come_along_run_as_the_language_says_choice_by_choice(name):
    players = description_of(name).players
    for count in players:
        assert play_beside(loaded(name, count), random.Random(count), 240 // len(players)) > 3
