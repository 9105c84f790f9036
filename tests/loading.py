"""Games for tests, each compiled once in a process: whatever is played with a game, the game stays the same.

A test of loading itself, or of what is remembered from one game to the next, loads its own.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from covering import kept
from tabarro.interpreter import Description, Game, RulesError, describe, games, load_game
from tabarro.interpreter.cache import switched_off
from tabarro.interpreter.resolve import Library

LIBRARY = Library()  # the rules that come along; each file of them is read once


@cache
def description_of(name: str) -> Description:
    return describe(name, library=LIBRARY)


def loaded(name: str | Path, players: int | None = None, options: dict[str, Any] | None = None) -> Game:
    """A game that comes along, for so many players, with these options; a file is always read anew."""
    if isinstance(name, Path):
        return load_game(name, players, options)
    return _loaded(name, players, tuple(sorted((options or {}).items())))


@lru_cache(maxsize=200)  # a board game takes about 3 MB
def _loaded(name: str, players: int | None, options: tuple[tuple[str, Any], ...]) -> Game:
    return compiled(name, players, dict(options))


def compiled(name: str, players: int | None, options: dict[str, Any]) -> Game:
    """A game that comes along; with options hardly anybody else will want it, so that it is not kept."""
    with switched_off() if options else nullcontext():
        return load_game(name, players, options)


# --- who plays what ---------------------------------------------------------------------------------------------------
NAMES = games(library=LIBRARY)


def player_counts(name: str) -> tuple[int | None, ...]:
    try:
        return description_of(name).players
    except RulesError:
        return (None,)  # a game that cannot be read fails its own tests, not those of all others


def is_house_rule(name: str) -> bool:
    """Does it change a game that is itself played?"""
    try:
        return any(parent in NAMES for parent in description_of(name).extends)
    except RulesError:
        return False


def _usual(name: str) -> tuple[int | None, ...]:
    """All numbers of players; of a house rule one, not always the least: it is the game with a few lines changed."""
    counts = player_counts(name)
    return (counts[NAMES.index(name) % len(counts)],) if is_house_rule(name) else counts


def other_options(name: str) -> list[dict[str, Any]]:
    """Every option at each of its other values, one at a time."""
    found = []
    for option in description_of(name).options:
        values = {"yes or no": [True, False], "number": [option.least, option.most]}.get(option.kind, option.values)
        found += [{option.name: value} for value in values if value not in (None, option.default)]
    return found


TABLES = [(name, players) for name in NAMES for players in player_counts(name)]
USUAL = [(name, players) for name, players in TABLES if players in _usual(name)]
every_table = pytest.mark.parametrize(("name", "players"), kept(TABLES, USUAL))  # `pytest -m soak` plays the others
ONCE = [(name, player_counts(name)[place % len(player_counts(name))]) for place, name in enumerate(NAMES)]
every_game = pytest.mark.parametrize(("name", "players"), kept(TABLES, ONCE))  # with one number of players
