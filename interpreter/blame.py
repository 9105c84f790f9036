"""A mistake that shows in a file which others extend, but is there only because of one that does: which of its lines
brings it about? The file is read again with its first changes only, until it is found with which of them it begins."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .errors import Place, Problem, RulesError, problem
from .laying import leave_out
from .load import Map, Seq
from .patching import WAYS
from .paths import Steps, at_path, parts, written
from .resolve import Library

__all__ = ["blamed"]

Compile = Callable[[Library], object]
KEPT = ("extends", "abstract")  # what is no change


def blamed(found: list[Problem], library: Library, path: Path, compile: Compile) -> list[Problem]:
    """The problems, each where the file itself can do something about it."""
    own = library.load(path)
    if "extends" not in own or all(_is_here(each, own) for each in found):
        return found
    *below, _ = library.files_of(path)
    whole = library.merged(path)
    changes = list(_changes(own, [library.load(file) for file in below]))
    memory: dict[int, list[Problem]] = {}

    def with_first(number: int) -> list[Problem]:
        """What is wrong if only the first changes are made."""
        if number not in memory:
            less = library.with_other(path, _only(own, [part for part, _ in changes[:number]]))
            try:
                compile(less)
                memory[number] = []
            except RulesError as error:
                memory[number] = error.problems
        return memory[number]

    result = []
    for each in found:
        if _is_here(each, own) or each.place is None or _among(each, with_first(0)):
            result.append(each)
            continue
        number = bisect_left(range(len(changes)), True, key=lambda k: _among(each, with_first(k + 1)))
        part, at = changes[min(number, len(changes) - 1)]
        where = {"where": str(each.place), "part": _part_at(whole, each.place)}
        length = len(str(own["remove"][int(part[1])])) if part[0] == "remove" else len(part[-1])
        result.append(problem("through_change", at, length, change=written(part), message=each, **where))
    return result


def _is_here(found: Problem, own: Map) -> bool:
    return found.place is not None and found.place.source.name == own.at.source.name


def _among(wanted: Problem, found: list[Problem]) -> bool:
    return any((each.code, each.place) == (wanted.code, wanted.place) for each in found)


def _changes(own: Map, below: list[Map]) -> Iterator[tuple[Steps, Place]]:
    """What a file changes, one by one; what is new in it is one change."""
    for key in own:
        if key == "remove":
            yield from (((key, str(index)), at) for index, at in enumerate(own[key].value_at))
        elif key in WAYS:
            yield from (((key, part), own[key].key_at[part]) for part in own[key])
        elif key not in KEPT:
            yield from _inside(own, key, (key,), [file[key] for file in below if key in file])


def _inside(home: Map, key: str, part: Steps, below: list[Any]) -> Iterator[tuple[Steps, Place]]:
    value = home[key]
    old = [each for each in below if isinstance(each, Map)]
    if isinstance(value, Map) and value and old and not any(k in value for k in ("remove", "replace")):
        for inner in value:
            yield from _inside(value, inner, (*part, inner), [each[inner] for each in old if inner in each])
    else:
        yield part, home.key_at[key]


def _only(own: Map, kept: list[Steps]) -> Map:
    """The file with no other changes than these."""
    wanted = {part[:size] for part in kept for size in range(1, len(part) + 1)}
    ends = set(kept)

    def less(value: Map, path: Steps) -> Map:
        result = leave_out(
            value, *(key for key in value if (*path, key) not in wanted and not (not path and key in KEPT))
        )
        for key in result:
            if not path and key == "remove":
                result[key] = _entries(result[key], wanted)
            elif isinstance(result[key], Map) and (*path, key) not in ends and (path or key not in KEPT):
                result[key] = less(result[key], (*path, key))
        return result

    return less(own, ())


def _entries(removed: Seq, wanted: set[Steps]) -> Seq:
    """Of what a file removes, some."""
    result = Seq(removed.at)
    for index, asked in enumerate(removed):
        if ("remove", str(index)) in wanted:
            result.append(asked)
            result.value_at.append(removed.value_at[index])
    return result


def _part_at(whole: Map, place: Place) -> str:
    """The part of the description that stands at a place, or begins last before it."""
    nearest, best = "", (0, 0)
    for path, _ in parts(whole):
        home = at_path(whole, path[:-1])
        at = home.key_at.get(path[-1]) if isinstance(home, Map) else None
        if at is not None and at.source.name == place.source.name and best <= (at.line, at.column) <= place[1:]:
            nearest, best = written(path), (at.line, at.column)
    return nearest
