"""From a name or a file to a Game: the whole pipeline in one function."""

from __future__ import annotations

import copyreg
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from .errors import Problem, RulesError, problem
from .game import Game
from .model import Option, Text
from .program import make_program
from .resolve import Library, player_counts, settle
from .screens import read_screens, unknown_things
from .sentences import read_sentences
from .steps import Rules
from .texts import read_habits, read_phrases, read_rulebook, read_texts, text_in
from .vocabulary import MAX_NESTED, Vocabulary

__all__ = ["Description", "describe", "find_problems", "games", "load_game"]


@dataclass(frozen=True, slots=True)
class Description:
    """What `list` tells of a game without compiling it."""

    id: str
    name: Text
    about: Text
    players: tuple[int, ...]
    options: tuple[Option, ...]
    path: Path
    extends: tuple[str, ...] = ()  # the files that this one says it changes, playable or not


def load_game(
    game: str | Path, players: int | None = None, options: dict[str, Any] | None = None, folders: tuple[Path, ...] = ()
) -> Game:
    """Load a game by its name, or a rule file by its path, for a number of players with some options chosen.

    Raises RulesError with all problems that were found, each with its place and a remedy.
    """
    library = Library(folders)
    return _compile(library, _path(library, game), players, options)


def _path(library: Library, game: str | Path) -> Path:
    if isinstance(game, Path) or game.endswith((".yaml", ".yml")):
        return Path(game)
    return library.find(game)


def _compile(library: Library, path: Path, players: int | None, options: dict[str, Any] | None) -> Game:
    from .flow import check_flow

    resolved = library.resolve(path, players, options)
    try:
        vocabulary = Vocabulary(resolved.description, resolved.options)
        rules = Rules(vocabulary)
        check_flow(rules)
        screens = read_screens(vocabulary)
        program = make_program(rules)
        screens.worksheet = read_sentences(vocabulary, program.events)
    except RecursionError:  # every nesting has its limit, but all of them together can still be too much
        raise RulesError(problem("too_nested", resolved.description.at, name=resolved.id, limit=MAX_NESTED)) from None
    chosen = tuple(sorted((name, option.value) for name, option in resolved.options.items()))
    origin = (str(path.resolve()), resolved.players, chosen, tuple(map(str, library.folders)))
    return Game(
        resolved.id,
        resolved.players,
        resolved.options,
        vocabulary,
        program,
        resolved.digest,
        text_in(resolved.description, "name") if "name" in resolved.description else resolved.id,
        text_in(resolved.description, "about"),
        screens,
        read_phrases(vocabulary),
        read_texts(vocabulary),
        read_rulebook(vocabulary),
        read_habits(vocabulary),
        resolved.description,
        origin,
    )


@lru_cache(maxsize=16)
def load_again(path: str, players: int, options: tuple, folders: tuple[str, ...], digest: str) -> Game:
    """The game that was pickled, in this process; refused if its rules have changed since."""
    game = _compile(Library(tuple(map(Path, folders))), Path(path), players, dict(options))
    if game.digest != digest:
        raise RulesError(problem("save_other_rules", None, name=game.id))
    return game


def _packed(game: Game) -> tuple:
    return load_again, (*game.origin, game.digest)


copyreg.pickle(Game, _packed)  # a compiled program is not packed but made again, from the same rules or not at all


def find_problems(game: str | Path, folders: tuple[Path, ...] = ()) -> list[Problem]:
    """All problems of a rule file, for every number of players; of an abstract file, those of its shape."""
    library = Library(folders)
    found: list[Problem] = []
    try:
        path = _path(library, game)
        if library.load(path).get("abstract"):
            return []
        whole, things = library.merged(path), set()
        for players in player_counts(whole) or [None]:
            try:
                things |= set(_compile(library, path, players, None).vocabulary.by_name)
            except RulesError as error:
                found += error.problems
        if not found:
            found += unknown_things(whole, things)
    except RulesError as error:
        found += error.problems
    return RulesError(found).problems


def games(folders: tuple[Path, ...] = (), library: Library | None = None) -> list[str]:
    """The names of all games that can be played. Who asks about many of them brings a library, which reads only
    once."""
    library = library or Library(folders)
    return [name for name in library.names() if _playable(library, name)]


def _playable(library: Library, name: str) -> bool:
    try:
        data = library.load(library.find(name))
    except RulesError:
        return True  # so that whoever asks for it is told what is wrong
    return not data.get("abstract")


def describe(game: str | Path, folders: tuple[Path, ...] = (), library: Library | None = None) -> Description:
    """Name, player counts and options of a game."""
    library = library or Library(folders)
    path = _path(library, game)
    whole = library.merged(path)
    parents = library.load(path).get("extends", ())
    parents = (parents,) if isinstance(parents, str) else tuple(parents)
    return Description(
        path.stem,
        text_in(whole, "name") if "name" in whole else path.stem,
        text_in(whole, "about"),
        tuple(player_counts(whole)),
        tuple(settle(whole, {}).values()),
        path,
        parents,
    )
