"""Two files that one file extends, and that say different things of the same part: which of them holds, only the file
that extends both can tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .errors import Place
from .load import Map

__all__ = ["quarrels"]

Part = tuple[str, ...]
Said = dict[Part, tuple[Any, Place]]

OWN = ("name", "about", "abstract", "extends")  # each file's own affair
WHOLE = ("remove", "replace")  # with these a part is settled with all that is in it
BESIDE = ("before", "after", "add")  # what only says where, or what there is besides, stands beside that of another


def quarrels(one: list[Map], other: list[Map], own: Map) -> Iterator[tuple[Part, Place, Place]]:
    """The parts of which two rows of files say different things, and of which the own file says nothing."""
    first, second, settled = _said(one), _Kin(_said(other)), _Kin(_said([own]))
    for part, (value, at) in first.items():
        rival = second.of(part)
        if rival is not None and second.said[rival][0] != value and settled.of(min(part, rival, key=len)) is None:
            yield part, at, second.said[rival][1]


class _Kin:
    """What is said, by parts; and, for any part, what is said of it, of what it is in, or of what is in it."""

    def __init__(self, said: Said) -> None:
        self.said = said
        self.inside = {part[:size]: part for part in reversed(said) for size in range(1, len(part))}

    def of(self, part: Part) -> Part | None:
        around = (part[:size] for size in range(len(part), 0, -1))
        return next((near for near in around if near in self.said), None) or self.inside.get(part)


def _said(files: list[Map]) -> Said:
    said: Said = {}
    for file in files:
        for key in file:
            if key not in OWN:
                _collect(file[key], (key,), file.value_at[key], said)
    return said


def _collect(value: Any, part: Part, at: Place, said: Said) -> None:
    if isinstance(value, Map) and not any(key in value for key in WHOLE):
        for key in value:
            if key not in BESIDE:
                _collect(value[key], (*part, key), value.value_at[key], said)
    else:
        said[part] = (value, at)
