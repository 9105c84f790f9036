"""Whoever makes the choices of bots, they make the same ones: games of the lab, with compiled rules and without."""

from __future__ import annotations

import random

import pytest
from loading import loaded
from tabarro.interpreter import building
from tabarro.interpreter.tables import Luck
from tabarro.lab.playout import Series, Watcher

pytestmark = pytest.mark.skipif(building.missing() in ("extension", "compiler"), reason="all is played in Python here")
FEW = [
    ("cards-safe", 4, "careful", 3),
    ("kuhn-poker", 2, "random", 20),
    ("little-mystery", 3, "gambler", 2),
]
MANY = [
    *(
        (name, players, bots, 10)
        for name in ("venice-2013", "venice-classic", "fog")
        for players in (3, 4)
        for bots in ("careful", "random")
    ),
    *((name, 4, "careful", 30) for name in ("cards-phone", "family-cards", "double-or-nothing")),
    ("venice-2013", 5, "careful", 10),
    ("fog", 5, "careful", 10),
    ("liars-dice", 2, "careful", 40),
    ("last-guest", 2, "careful", 10),
    ("venice-japan", 4, "careful,red=random", 10),
]


def beside(name, players, bots, games, seed, monkeypatch):
    """The records of the same games, played in both ways."""
    monkeypatch.setenv("TABARRO_CC", "cc -O0")
    game = loaded(name, players)
    usual, *others = bots.split(",")
    series = Series(name, players, (), (), game.digest, seed, (("", usual), *(tuple(b.split("=")) for b in others)))
    kept, found = game._workshop, []
    try:
        for command in ("cc -O0", ""):
            monkeypatch.setenv("TABARRO_CC", command)
            game._workshop = None
            assert (game.workshop.library(wait=True) is None) == (not command)
            watcher = Watcher(game)
            watcher.began -= 1  # as if it had played for a while
            found.append([watcher.play(series, number, lambda: False) for number in range(games)])
    finally:
        game._workshop = kept
    return found


@pytest.mark.parametrize(("name", "players", "bots", "games"), FEW)
def test_bots_choose_the_same_with_compiled_rules_as_without(name, players, bots, games, monkeypatch):
    compiled, plain = beside(name, players, bots, games, 5, monkeypatch)
    assert compiled == plain


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players", "bots", "games"), MANY)
def test_so_they_do_in_many_games(name, players, bots, games, monkeypatch):
    compiled, plain = beside(name, players, bots, games, 11, monkeypatch)
    assert compiled == plain


def test_luck_is_that_of_random():
    one, other = Luck("a seed"), random.Random("a seed")
    for _ in range(700):
        assert one.random() == other.random()
        assert one.choice("abcdefg") == other.choice("abcdefg")
        assert one.getrandbits(100) == other.getrandbits(100)
    assert one.sample(range(50), 9) == other.sample(range(50), 9)
    assert one.choices("abc", [1, 2, 3], k=9) == other.choices("abc", [1, 2, 3], k=9)
