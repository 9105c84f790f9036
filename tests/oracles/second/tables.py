"""The twelve tables, and the rows of options with which they are compared."""

import random
from typing import Any

from loading import loaded

from oracles.second import referee
from oracles.second.lockstep import Lockstep

TABLES = (
    *(("venice-2013", players) for players in (3, 4, 5)),
    *(("venice-classic", players) for players in (3, 4)),
    ("venice-japan", 4),
    *(("cards-safe", players) for players in (3, 4, 5)),
    *(("cards-phone", players) for players in (3, 4, 5)),
)
NUMBERS = {"points_to_win": (2, 3), "round_limit": (1, 7), "false_cards": (0,), "penalty": (0, 2)}


def values(name: str, players: int) -> dict[str, list[Any]]:
    """What each option of a table may also be."""
    found: dict[str, list[Any]] = {}
    for key, option in loaded(name, players).options.items():
        if option.kind == "yes or no":
            found[key] = [not option.default]
        elif option.kind == "one of":
            found[key] = [value for value in option.values if value != option.default]
        else:
            found[key] = [value for value in NUMBERS[key] if value != option.default]
    return {key: others for key, others in found.items() if others}


def rows(name: str, players: int, mixed: int = 4) -> list[dict[str, Any]]:
    """No options, each value of each option alone, and some mixtures of many."""
    other = values(name, players)
    single = [{key: value} for key in sorted(other) for value in other[key]]
    rng = random.Random(f"{name} {players}")
    mixtures = [
        {key: rng.choice(other[key]) for key in sorted(other) if key != "points_to_win" and rng.random() < 0.4}
        for _ in range(mixed)
    ]
    for row in mixtures:
        if row.get("repeats") == "forbidden":
            row.pop("notice", None)  # the one excludes the other
    return [{}, *single, *mixtures]


def side_by_side(name: str, players: int, options: dict[str, Any], seed: int) -> Lockstep:
    """One game of the program with a referee of its own."""
    game = loaded(name, players, options)
    chosen = {key: option.value for key, option in game.options.items()}
    return Lockstep(game, referee(name, players, chosen), seed)
