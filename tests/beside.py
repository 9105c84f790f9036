"""The program in C beside the program in Python: choice by choice, slot by slot, row by row of the logs."""

from __future__ import annotations

import random
from dataclasses import replace

from tabarro.interpreter import RulesError, State


def plain(game):
    """The same game, which knows nothing of compiled rules: where they are there, states look at plans by them."""
    return replace(game, _workshop=None)


def rows_since(chain, last):
    rows = []
    while chain is not None and chain is not last:
        rows.append(chain[1])
        chain = chain[0]
    return rows


def kinds(value):
    """Python calls 1 and True the same; a log does not."""
    return tuple(map(kinds, value)) if type(value) in (tuple, list) else type(value)


def same(one, two):
    assert one == two and kinds(one) == kinds(two), (one, two)


def error_of(call, *args):
    try:
        call(*args)
    except RulesError as error:
        return str(error)
    return None


def play_in_step(game, seed: int, most: int, chance: bool = False) -> int:
    """A random game, as far as so many decisions, in both; returns how many it had. Without a library it fails."""
    rng, python = random.Random(seed), plain(game)
    failed = error_of(python.new, None if chance else seed)
    if failed is not None:
        assert error_of(game.native, None if chance else seed) == failed
        return 0
    state, native = python.new(None if chance else seed), game.native(None if chance else seed)
    if isinstance(native, State):  # it gave up: with what Python can do and C cannot, or not at all
        assert game.workshop.library() is not None
        return 0
    last, last_native = None, None
    for decision in range(most):
        slots = native.slots()
        same(state.v[2:], slots[2:])
        same(rows_since(state.v[1], last), rows_since(slots[1], last_native))
        last, last_native = state.v[1], slots[1]
        assert state.v[0] == slots[0] and state.over is native.over
        if state.over:
            return decision
        failed = error_of(state.legal)
        if failed is not None:
            assert error_of(native.legal) == failed
            return decision
        same(state.legal(), native.legal())
        failed = error_of(getattr, state, "actor")
        assert error_of(getattr, native, "actor") == failed
        if failed is not None:
            return decision
        assert state.actor == native.actor
        choice = state.sample(rng, True)
        if decision % 16 == 3:  # from one into the other, and on
            state, native = State(python, native.slots()), game.workshop.library().at(state.v)
            last, last_native = state.v[1], native.slots()[1]
        failed = error_of(state.apply, choice)
        assert error_of(native.apply, choice) == failed
        if failed is not None:
            return decision
    assert native == state and hash(native) == hash(state)
    return most
