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


def same(one, two, thoroughly=True):
    assert one == two and (not thoroughly or kinds(one) == kinds(two)), (one, two)


def outcome(call, *args):
    """What comes of it, and the mistake of the rules that it tells instead."""
    try:
        return call(*args), None
    except RulesError as error:
        return None, str(error)


def play_in_step(game, seed: int, most: int, chance: bool = False, thorough: int = 1) -> int:
    """A random game, as far as so many decisions, in both; returns how many it had. Without a library it fails. Kinds of
    values, and what a plan leaves open, which takes long in Python, are compared at one decision of `thorough`."""
    rng, python = random.Random(seed), plain(game)
    state, failed = outcome(python.new, None if chance else seed)
    native, told = outcome(game.native, None if chance else seed)
    assert told == failed
    if failed is not None:
        return 0
    if isinstance(native, State):  # it gave up: with what Python can do and C cannot, or not at all
        assert game.workshop.library() is not None
        return 0
    last, last_native = None, None
    for decision in range(most):
        thoroughly = (decision + seed) % thorough == 0
        slots = native.slots()
        same(state.v[2:], slots[2:], thoroughly)
        same(rows_since(state.v[1], last), rows_since(slots[1], last_native), thoroughly)
        last, last_native = state.v[1], slots[1]
        assert state.v[0] == slots[0] and state.over is native.over
        if state.over:
            return decision
        planned = state.v[4] is not None
        if thoroughly or not planned:
            listed, failed = outcome(state.legal)
            also, told = outcome(native.legal)
            assert told == failed
            if failed is not None:
                return decision
            same(listed, also, thoroughly)
        actor, failed = outcome(getattr, state, "actor")
        assert outcome(getattr, native, "actor") == (actor, failed)
        if failed is not None:
            return decision
        choice, failed = outcome(state.sample, rng, True)
        assert failed is None or not thoroughly
        if failed is not None:
            return decision
        if planned and not thoroughly:
            assert choice in native.legal()
        if decision % 16 == 3:  # from one into the other, and on
            state, native = State(python, native.slots()), game.workshop.library().at(state.v)
            last, last_native = state.v[1], native.slots()[1]
        _, failed = outcome(state.apply, choice)
        assert outcome(native.apply, choice) == (None, failed)
        if failed is not None:
            return decision
    assert native == state and hash(native) == hash(state)
    return most
