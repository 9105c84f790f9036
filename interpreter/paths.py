"""The paths by which the parts of a description are called: `turn of player/shake/draw`.

What only gives a file its shape need not be said: the section, `members`, `rows`, the keys that hold steps. A head may
be shortened to its first words: `movement` is `movement of player`. A path names one part; where it fits several, all
of them are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any

from .keywords import BODIES
from .load import Meanings, SaidPath

__all__ = [
    *("SECTIONS", "SHAPE", "Steps", "at_path", "begin", "find", "meanings", "parts", "shortest", "written"),
]

Steps = tuple[str, ...]
Fits = Callable[[str, str], bool]

SECTIONS = ("options", "things", "tables", "links", "state", "words", "rules")
LONG = 30  # characters of a head that nobody would type
SHAPE = (*BODIES, "between", "cases", "members", "rows")
MAX_WAYS = 200  # to read one path


def meanings(asked: str) -> Meanings:
    if isinstance(asked, SaidPath):
        return asked.meanings
    return [[name.strip()] for name in asked.strip("/").split("/")]


def begin(asked: str, size: int) -> str:
    """The first names of a path."""
    said = "/".join(asked.split("/")[:size])
    return SaidPath.of(said, asked.meanings[:size]) if isinstance(asked, SaidPath) else said


def written(path: Steps) -> str:
    return "/".join(path)


def at_path(description: Any, path: Steps) -> Any:
    """The part of a description that stands there."""
    for key in path:
        description = description[key]
    return description


def parts(value: Any, path: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Everything in a description that has a name, from the outside to the inside."""
    for key in value:
        yield (*path, key), value[key]
        if isinstance(value[key], dict):
            yield from parts(value[key], (*path, key))


def find(description: Any, asked: str) -> list[Steps]:
    """The parts that a path can mean. What is written just so comes before what only begins so, and what stands in a
    section by itself before what belongs to something else."""
    ways = [list(names) for names in islice(product(*meanings(asked)), MAX_WAYS)]
    for search in (_matches, _inside):
        for fits in (str.__eq__, _begins):
            found = list(dict.fromkeys(path for names in ways for path in search(description, names, (), fits)))
            if found:
                return found
    return []


def _begins(key: str, name: str) -> bool:
    return key == name or key.startswith(name + " ")


def _matches(value: Any, names: list[str], path: Steps, fits: Fits) -> Iterator[Steps]:
    """The parts that are reached by these names and by nothing else but what gives a file its shape."""
    if not names:
        yield path
    elif isinstance(value, dict):
        for key in value:
            if fits(key, names[0]):
                yield from _matches(value[key], names[1:], (*path, key), fits)
            elif key in SHAPE or (not path and key in SECTIONS):
                yield from _matches(value[key], names, (*path, key), fits)


def _inside(value: Any, names: list[str], path: Steps, fits: Fits) -> Iterator[Steps]:
    """The same, beginning at any part."""
    if isinstance(value, dict):
        for key in value:
            if path and fits(key, names[0]):
                yield from _matches(value[key], names[1:], (*path, key), fits)
            elif path or key in SECTIONS:
                yield from _inside(value[key], names, (*path, key), fits)


def shortest(description: Any, path: Steps) -> str:
    """A short way to write a path that means nothing else: without what only gives shape; long heads by their name."""
    kept = [key for index, key in enumerate(path) if not (key in SHAPE or (index == 0 and key in SECTIONS))]
    named = [key.split(" of ")[0] if len(key) > LONG else key for key in kept]
    for brief in (written(tuple(named)), written(tuple(kept))):
        if brief and find(description, brief) == [path]:
            return brief
    return written(path)
