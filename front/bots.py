"""Who can sit at the table without being a person. A bot sees what a person in its seat sees: its log, its choices."""

from __future__ import annotations

import random
from collections.abc import Callable

__all__ = ["BOTS", "Place", "RandomBot"]


class Place:
    """The game as it looks from one seat, at a moment when this seat decides."""

    def __init__(self, state, seat: str):
        self._state, self.seat = state, seat
        self.game = state.game

    def log(self) -> list:
        return self._state.log(self.seat)

    def legal(self) -> list[tuple]:
        return self._state.legal()

    def sample(self, rng: random.Random) -> tuple:
        """A random choice; what the rules call rare is rare."""
        return self._state.sample(rng, habits=True)


class RandomBot:
    """Plays at random, with the habits that the rules give to random players."""

    def __init__(self, game, seat: str):
        pass

    def choose(self, place: Place, rng: random.Random) -> tuple:
        return place.sample(rng)


# By the name that stands after --seat NAME=bot: a bot is made for a game and a seat, and keeps what it likes.
BOTS: dict[str, Callable] = {"random": RandomBot}
USUAL = "random"
