"""Seats that the rules treat alike: what was found for one of them holds for the other.

Two seats are alike if they can change places, and with them all that is made of them (the red figures and the blue
ones), without any change in what was looked up for the first: tables, constants, kinds of things. The order of things
must not have mattered.
"""

from __future__ import annotations

from .model import Value
from .valuing import Valuing
from .vocabulary import Vocabulary

__all__ = ["alike"]


def alike(words: Vocabulary, done: Valuing, seat: int) -> bool:
    if done.ordered:
        return False
    swap = _swap(words, done.observer, seat)
    if swap is None:
        return False
    chance = frozenset(words.chance_seats)
    if _image(chance, swap) != chance or _image(done.seats, swap) != done.seats:
        return False
    if any(_image(domain, swap) != domain for domain in done.domains):
        return False
    if any(_moved(value, swap) != _moved(value, {}) for value in done.constants):
        return False
    for table in done.tables:
        for row, value in table.values.items():
            other = tuple(swap.get(x, x) for x in row)
            if other not in table.values or _moved(value, swap) != _moved(table.values[other], {}):
                return False
    return True


def _swap(words: Vocabulary, one: int, other: int) -> dict[int, int] | None:
    """All that changes if these two change places; None if something has no counterpart."""
    swap = {one: other, other: one}
    made = {(atom.set, atom.parts): atom.number for atom in words.atoms if atom.parts}
    for atom in words.atoms:
        if atom.parts:
            parts = tuple(swap.get(p, p) for p in atom.parts)
            if parts != atom.parts:
                if (atom.set, parts) not in made:
                    return None
                swap[atom.number] = made[atom.set, parts]
    return swap


def _image(atoms: frozenset[int], swap: dict[int, int]) -> frozenset[int]:
    return frozenset(swap.get(a, a) for a in atoms)


def _moved(value: Value, swap: dict[int, int]) -> Value:
    """A value after the exchange, in a form in which order does not count."""
    if isinstance(value, tuple):
        return "set", frozenset(_moved(x, swap) for x in value)
    return swap.get(value, value) if isinstance(value, int) and not isinstance(value, bool) else value
