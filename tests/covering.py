"""A selection that covers: all pairs of what a test is tried with, not all combinations.

A test of every game, number of players and language says the same kind of thing hundreds of times over. A row of such a
table is kept here if it has two values beside each other that no kept row has; the others are marked `soak`, and run
with `pytest -m soak`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from itertools import combinations
from typing import Any

import pytest

Row = Sequence[Any]


def pairs(row: Row) -> set[Hashable]:
    """Each value of a row beside each other one."""
    return set(combinations(enumerate(map(str, row)), 2))


def chosen(rows: Sequence[Row], features: Callable[[Row], set[Hashable]] = pairs) -> list[Row]:
    """The rows with the most that is new, until all is there; the earliest of equal ones."""
    left, found = [features(row) for row in rows], []
    while any(left):
        best = max(range(len(left)), key=lambda index: len(left[index]))
        found.append(rows[best])
        left = [others - left[best] for others in left]
    return found


def covering(rows: Iterable[Row], features: Callable[[Row], set[Hashable]] = pairs) -> list:
    """The rows as parameters, of which those that cover are kept."""
    rows = list(rows)
    return kept(rows, chosen(rows, features))


def kept(rows: Iterable[Row], wanted: Container[Row], later: Container[Row] = ()) -> list:
    """The rows as parameters: as they are if they are wanted, `long` if they are wanted later, `soak` otherwise."""
    return [
        pytest.param(*row, marks=() if row in wanted else pytest.mark.long if row in later else pytest.mark.soak)
        for row in rows
    ]
