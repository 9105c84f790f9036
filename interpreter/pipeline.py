"""From a name or a file to a Game: compiled, or found again as it was compiled before."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from . import kept
from .errors import RulesError, problem
from .game import Chosen, Game
from .model import OptionValue
from .remembering import chosen, recall
from .shelves import Shelves

__all__ = ["load_game"]


def load_game(
    game: str | Path,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    folders: tuple[Path, ...] = (),
    people: bool = False,
) -> Game:
    """Load a game by its name, or a rule file by its path, for a number of players with some options chosen. For
    `people` the others are as these usually play, where the rules say so and what was chosen does not exclude it.

    Raises RulesError with all problems that were found, each with its place and a remedy.
    """
    shelves = Shelves(folders)
    path = shelves.path_of(game)
    wanted = recall("usual", path, shelves, players, chosen(options)) if people else options
    found = None if people and wanted is None else kept.find(path, players, wanted, shelves)
    return _compiled(path, players, options, folders, people) if found is None else found


def _compiled(
    path: Path, players: int | None, options: Mapping[str, OptionValue] | None, folders: tuple[Path, ...], people: bool
) -> Game:
    from .compiling import compile_for_people, compile_to_keep
    from .resolve import Library

    if people:
        return compile_for_people(Library(folders), path, players, options or {})
    return compile_to_keep(Library(folders), path, players, options)


@lru_cache(maxsize=16)
def load_again(path: str, players: int, options: Chosen, folders: tuple[str, ...], digest: str) -> Game:
    """The game that was pickled, in this process; refused if its rules have changed since."""
    game = load_game(Path(path), players, dict(options), tuple(map(Path, folders)))
    if game.digest != digest:
        raise RulesError(problem("save_other_rules", None, name=game.id))
    return game


def _packed(game: Game) -> tuple[Callable[..., Game], tuple[object, ...]]:
    return load_again, (*game.origin, game.digest)


copyreg.pickle(Game, _packed)  # a compiled program is not packed but made again, from the same rules or not at all
