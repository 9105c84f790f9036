"""The soak of the family (tests/soak_lockstep.py) in short, and that it goes on where it was."""

import json

import pytest
from soak_lockstep import TABLES, main, one_game


@pytest.mark.parametrize("table", TABLES, ids=lambda table: "{}-{}".format(*table))
def test_a_game_goes_in_lock_step_with_the_account_of_its_rules(table):
    counted = one_game(table, 0)
    assert counted["verdicts"] == 1 and counted["compared"] > 3


def test_a_soak_that_was_interrupted_goes_on_where_it_was(tmp_path, capsys):
    state = tmp_path / "state.json"
    command = ["--only", "cards-safe-3", "--state", str(state), "--games"]
    assert main([*command, "2"]) == 0
    once = json.loads(state.read_text())
    assert once["done"] == {"cards-safe-3": 2} and once["counted"]["games"] == 4  # two beside each account
    assert main([*command, "2"]) == 0 and json.loads(state.read_text()) == once  # nothing is left to play
    assert main([*command, "6"]) == 0
    whole = json.loads(state.read_text())
    assert whole["done"] == {"cards-safe-3": 6} and whole["counted"]["games"] == 12 and whole["differences"] == []
    assert "6 games" in capsys.readouterr().out


@pytest.mark.long
def test_many_games_of_every_table_go_in_lock_step(tmp_path):
    assert main(["--games", "8", "--jobs", "2", "--state", str(tmp_path / "state.json")]) == 0
