"""Small games of every shape, for what is said of any game, and what is needed to compare beliefs in them."""

import random
from functools import cache
from pathlib import Path

from loading import LIBRARY, loaded
from tabarro.interpreter import load_game
from tabarro.interpreter.compiling import compile_game

GAMES = Path(__file__).parent / "mind" / "games"
SHAPES = {
    "dealt": "dealt once",
    "deck": "a deck that is drawn from during play",
    "shoe": "cards drawn in secret, again and again",
    "votes": "secret votes and deeds",
    "chase": "hidden movement",
    "ranks": "hidden ranks, chosen in secret, revealed one by one",
    "plans": "rows that a plan holds back",
}
STRANGE = {
    "swap": "secrets that change places in the dark",
    "counter": "a hidden number that runs",
    "cellar": "a card that lies face down, seen by one",
    "peek": "the top of a deck, looked at and put back",
    "wolves": "traitors who know each other, chosen at once",
}
QUICK = ["kuhn-poker", "leduc-poker", "liars-dice", "night-runner", "tic-tac-toe"]
BUNDLED = [*QUICK, "little-mystery"]  # games that nobody wrote for this test
LEAKS = ("deck",)  # the secrecy check does not understand that cards are neither made nor lost


@cache
def game_of(name):
    if name in BUNDLED:
        return loaded(name)
    path = GAMES / f"{name}.yaml"
    return compile_game(LIBRARY, path, None, None, leaks=[]) if name in LEAKS else load_game(path)


def difference(one, other):
    return max((abs(one.get(x, 0.0) - other.get(x, 0.0)) for x in {*one, *other}), default=0.0)


def distance(one, other):
    return sum(abs(one.get(x, 0.0) - other.get(x, 0.0)) for x in {*one, *other}) / 2


def truth_of(courses, state):
    """The cells that the seat's belief tells of."""
    return tuple(x for cell, x in enumerate(state.umpire().cells()) if courses.observer.knows_cell(cell))


def decisions(game, seed, longest):
    """The states of a random game in which somebody is asked."""
    state, rng = game.new(seed), random.Random(seed)
    for _ in range(longest):
        if state.over:
            return
        yield state
        state.apply(state.sample(rng, habits=True))
