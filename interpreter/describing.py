"""What can be told of a game without compiling it. If the cache knows it, no file is taken apart for that."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import Problem, RulesError
from .model import Option, Text
from .packing import Unpackable, pack, unpack
from .remembering import recall, remember
from .shelves import Shelves

if TYPE_CHECKING:
    from .resolve import Library

__all__ = ["Description", "describe", "described", "games"]


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
    usual: int | None = None  # the number of players for which its rules need no change


def describe(game: str | Path, folders: tuple[Path, ...] = (), library: Library | None = None) -> Description:
    """Name, player counts and options of a game. Whoever brings a library wants what stands in that one."""
    if library is not None:
        return _read(library, library.path_of(game))
    shelves = Shelves(folders)
    path = shelves.path_of(game)
    return next(iter(_recall(path, shelves) or ()), None) or _read_to_keep(_library(folders), path)


def games(folders: tuple[Path, ...] = (), library: Library | None = None) -> list[str]:
    """The names of all games that can be played. Whoever brings a library wants those of that one."""
    if library is None:
        return list(described(folders)[0])
    return [name for name in library.names() if _playable(library, name)]


def described(folders: tuple[Path, ...] = ()) -> tuple[dict[str, Description | None], list[Problem]]:
    """All games that can be played, by their names; and what is wrong with those of which nothing can be told."""
    shelves, library = Shelves(folders), None
    games: dict[str, Description | None] = {}
    problems: list[Problem] = []
    for name in shelves.names():
        found = _recall(shelves.find(name), shelves)
        if found is None:
            library = library or _library(folders)
            try:
                found = _read_if_playable(library, name)
            except RulesError as error:
                found, games[name] = (), None  # so that whoever asks for it is told what is wrong
                problems += error.problems
        games.update((name, game) for game in found)
    return games, problems


# --- in the files -----------------------------------------------------------------------------------------------------
def _library(folders: tuple[Path, ...]) -> Library:
    from .resolve import Library

    return Library(folders)


def _playable(library: Library, name: str) -> bool:
    try:
        return not library.load(library.find(name)).get("abstract")
    except RulesError:
        return True


def _read(library: Library, path: Path) -> Description:
    from .load import text_in
    from .resolve import player_counts, settle

    whole = library.merged(path)
    parents = library.load(path).get("extends", ())
    counts = player_counts(whole)
    return Description(
        path.stem,
        text_in(whole, "name") if "name" in whole else path.stem,
        text_in(whole, "about"),
        tuple(counts),
        tuple(settle(whole, {}).values()),
        path,
        (parents,) if isinstance(parents, str) else tuple(parents),
        next((n for n in counts if not whole["players"][str(n)]), next(iter(counts), None)),
    )


# --- in the cache -----------------------------------------------------------------------------------------------------
CLASSES = (Option,)
_FIELDS = tuple(field.name for field in fields(Description) if field.name != "path")


def _read_to_keep(library: Library, path: Path) -> Description:
    found = _read(library, path)
    _keep(library, path, [[getattr(found, name) for name in _FIELDS]])
    return found


def _read_if_playable(library: Library, name: str) -> tuple[Description, ...]:
    if _playable(library, name):
        return (_read_to_keep(library, library.find(name)),)
    _keep(library, library.find(name), [])
    return ()


def _keep(library: Library, path: Path, content: list[list[object]]) -> None:
    before, library.asked = library.asked, {}  # only what was looked up for this one
    with suppress(Unpackable):
        remember("description", path, library, library.files_of(path), pack(content, CLASSES))
    library.asked = before | library.asked


def _recall(path: Path, shelves: Shelves) -> tuple[Description, ...] | None:
    """The game of a file, or that it is none, as it was read before; None, if that is not known."""
    packed = recall("description", path, shelves)
    if packed is None:
        return None
    return tuple(Description(**dict(zip(_FIELDS, content)), path=path) for content in unpack(packed, CLASSES))
