"""What authors' tools look up in the rule file of a game: where its links, conditions and steps are written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from ...interpreter import Game
from ...interpreter.declarations import Declarations
from ...interpreter.errors import Place
from ...interpreter.load import Map
from ...interpreter.model import TRUTH, Function
from ...interpreter.resolve import Library

__all__ = ["condition_cells", "described", "links", "neighbours", "place_key"]


@lru_cache(maxsize=16)
def declared_again(game: Game) -> Declarations:
    """What a game declares, read again from its files: a game itself keeps nothing of how it was written."""
    path, players, options, folders = game.origin
    resolved = Library(tuple(map(Path, folders))).resolve(Path(path), players, dict(options))
    return Declarations(resolved.description, resolved.options)


def described(game: Game) -> Map:
    """The description that a game was made of."""
    return declared_again(game).description


def place_key(place: Place) -> tuple[str, int, int]:
    """The same for the same place, whenever the file was read."""
    return place.source.name, place.line, place.column


def declared(game: Game, section: str) -> dict[str, list[Function]]:
    """What the entries of a section declare, by their heads."""
    entries = described(game).get(section) or {}
    heads = {place_key(entries.key_at[head]): head for head in entries}
    found: dict[str, list[Function]] = {head: [] for head in entries}
    for same in game.vocabulary.functions.values():
        for function in same:
            if function.place is not None and place_key(function.place) in heads:
                found[heads[place_key(function.place)]].append(function)
    return found


def links(game: Game) -> list[Function]:
    """The functions that say which things are neighbours."""
    return [function for _, function in game.texts.links]


def neighbours(near: Function) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for key, others in near.values.items():
        found.setdefault(key[0], set()).update(others)
    return found


def condition_cells(game: Game) -> Iterator[tuple[Function, tuple, Place]]:
    """The cells of all tables of conditions, with where they are written."""
    for head, functions in declared(game, "tables").items():
        spec = described(game)["tables"][head]
        for function in functions:
            if function.kind == "formula" and function.result == TRUTH:
                cells = declared_again(game).condition_cells(
                    spec["rows"], function.params, 0, (), spec.value_at["rows"]
                )
                for keys, _, place in cells:
                    yield function, keys, place
