"""Cells: a function of the state has one for each row of its arguments. All cells of a game are numbered.

What expressions are valued over (see evaluate.py) is a row of cells. Where a state keeps them is its own affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from .model import Function, Value

__all__ = ["Cells", "arguments_of", "cell_of", "cells_of", "ranks"]


class Cells(Protocol):
    """A row of cells, or whatever tells what is in them."""

    def __getitem__(self, cell: int, /) -> Value: ...


def cell_of(function: Function, args: Sequence[int]) -> int:
    """The number of the cell in which a function keeps its value for these arguments."""
    index = 0
    for param, arg in zip(function.params, args):
        rank = ranks(param.type.atoms)
        index = index * len(rank) + rank[arg]
    return function.base + index


def cells_of(function: Function) -> range:
    """All cells of a function, in the order of its arguments."""
    size = 1
    for param in function.params:
        size *= len(param.type.atoms)
    return range(function.base, function.base + size)


def arguments_of(function: Function, cell: int) -> tuple[int, ...]:
    """The arguments to which a cell of this function belongs."""
    index, found = cell - function.base, []
    for param in reversed(function.params):
        atoms = sorted(param.type.atoms)
        index, rank = divmod(index, len(atoms))
        found.append(atoms[rank])
    return tuple(reversed(found))


@lru_cache(maxsize=1000)
def ranks(atoms: frozenset[int]) -> dict[int, int]:
    return {atom: rank for rank, atom in enumerate(sorted(atoms))}
