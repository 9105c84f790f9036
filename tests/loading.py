"""Games for tests, each compiled once in a process: whatever is played with a game, the game stays the same.

A test of loading itself, or of what is remembered from one game to the next, loads its own.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from tabarro.interpreter import Description, Game, describe, load_game
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
