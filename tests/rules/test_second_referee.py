"""The second referee beside the program: the complete set of choices, the log of every seat, and who wins."""

from itertools import chain, count
from typing import Any

import pytest
from oracles.second.tables import TABLES, rows, side_by_side, values


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
    mixtures = ((*table, rows(*table)[-1]) for table in TABLES)
    for name, players, options in chain(one_table_for_each_value(), mixtures):
        for seed in range(2):
            side_by_side(name, players, options, seed).run(most=400)
