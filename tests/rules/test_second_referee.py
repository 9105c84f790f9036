"""The second referee beside the program: the complete set of choices, the log of every seat, and who wins."""

from itertools import count
from typing import Any

import pytest
from loading import loaded
from oracles.second import referee
from oracles.second.lockstep import Difference, Lockstep
from oracles.second.tables import TABLES, side_by_side, values


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_second_referee_finds_no_difference(name: str, players: int) -> None:
    done = side_by_side(name, players, {}, seed=0).run()
    for seed in count(1):
        if done["decisions"] > 300:
            break
        done += side_by_side(name, players, {}, seed).run()


def one_table_for_each_value() -> list[tuple[str, int, dict[str, Any]]]:
    """Each value of each option once, at one of the tables that have it."""
    tables: dict[tuple[str, Any], list[tuple[str, int]]] = {}
    for table in TABLES:
        for key, others in values(*table).items():
            for value in others:
                tables.setdefault((key, value), []).append(table)
    return [(*found[i % len(found)], {key: value}) for i, ((key, value), found) in enumerate(tables.items())]


@pytest.mark.long
def test_the_second_referee_finds_no_difference_with_options() -> None:
    for name, players, options in one_table_for_each_value():
        side_by_side(name, players, options, seed=0).run(most=300)


@pytest.mark.parametrize(
    "options",
    [
        {"direction": "anticlockwise"},
        {"meetings": "between_moves"},
        {"notice": "yourself"},
        {"step_from_ambassador": False},
    ],
    ids=str,
)
def test_a_referee_who_plays_by_another_rule_finds_a_difference(options: dict[str, Any]) -> None:
    game = loaded("venice-classic", 4)
    usual = {key: option.value for key, option in game.options.items()}
    with pytest.raises(Difference):
        for seed in range(30):
            Lockstep(game, referee("venice-classic", 4, usual | options), seed).run()
