"""Positions at random, and what conditions are worth in them."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tabarro.interpreter.evaluate import evaluate
from tabarro.interpreter.model import Expr, Type, Var


def cells(game, seed: int, alike: float = 0) -> list:
    """A position, not one that games lead to: every value of the state at random; `alike`: how often it is the same for
    one thing as for the one before it."""
    words, chance = game.vocabulary, random.Random(seed)
    found = [None] * words.slots
    for same in words.functions.values():
        for function in same:
            if function.kind == "state":
                for slot in range(function.base, function.base + _sizes(function)):
                    again = slot > function.base and alike and chance.random() < alike
                    found[slot] = found[slot - 1] if again else value(function.result, chance)
    return found


def _sizes(function) -> int:
    size = 1
    for param in function.params:
        size *= len(param.type.atoms)
    return size


def value(kind: Type, chance: random.Random) -> object:
    if kind.kind == "truth":
        return chance.random() < 0.5
    if kind.kind == "number":
        return chance.randint(0, 3)
    if kind.kind == "thing":
        return None if kind.maybe and chance.random() < 0.3 else chance.choice(sorted(kind.atoms))
    if kind.of.kind != "thing":
        return ()
    some = chance.sample(sorted(kind.of.atoms), min(len(kind.of.atoms), chance.randint(0, 3)))
    return tuple(sorted(some)) if kind.kind == "set" else tuple(some)


def truth(expr: Expr, position, free: Mapping[str, Var]) -> object:
    """With the first two of their kind for each of the names that nothing binds."""
    return worth(expr, position, {v: tuple(sorted(v.type.of.atoms))[:2] for v in free.values()})


def worth(expr: Expr, position, values: Mapping[Var, object]) -> object:
    try:
        return evaluate(expr, position, values)
    except (TypeError, KeyError, IndexError):
        return "nothing"  # a number that is not there cannot be compared
