"""Who can sit at the table without being a person. A bot sees what a person in its seat sees: its log, its choices."""

from __future__ import annotations

import random
from collections.abc import Callable, Container
from typing import TYPE_CHECKING

from ..interpreter.tables import Refusal
from .ahead import ForesightBot, ThinkerBot, of_strength
from .imagination import Imagination
from .thinker import Bot, Thinker

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.player import Player
    from ..interpreter.state import Choice


class RandomBot(Bot):
    """Plays at random, with the habits that the rules give to random players."""

    def choose(self, player: Player, rng: random.Random) -> Choice:
        return player.sample(rng)

    def thinks_at(self, number: int) -> bool:
        return False


class CarefulBot(Thinker):
    """Plays at random, but does what may end the game only when it is sure to win by it."""

    _silent: frozenset[int] | None = None
    _unread: frozenset[int] = frozenset()

    def unread(self) -> Container[int]:
        unread = self.belief.unread
        if unread and unread is not self._silent:  # what tells nothing of the worlds may still be the last that is seen
            lists = self.insight.lists
            self._silent, self._unread = unread, frozenset(number for number in unread if not lists[number])
        return self._unread if unread else unread

    def choose(self, player: Player, rng: random.Random) -> Choice:
        if not self.is_grave(player.number):
            return player.sample(rng)
        self.read(player)
        dared, calm = self.decide(player, player.question(), rng)
        return dared if dared is not None else rng.choice(calm)

    def thinks_at(self, number: int) -> bool:
        return self.is_grave(number)

    def refusal(self, player: Player) -> Refusal | None:
        question, belief = player.question(), self.belief
        loud = belief.loud
        if loud is None or question.number in self.insight.near:
            return None
        world = self._refuting if self._refuting is not None and belief.holds(self._refuting) else belief.worlds[0]
        slow = self.slow(question.number)
        return Refusal(
            question,
            Imagination(belief, question, self.last_seen).state(world),
            self.insight.final[question.number] - slow,
            slow,
            len(belief.worlds),
            belief.exact,
            belief.observed_cells,
            loud,
            (belief.deal_id, belief.possible, belief.exact),
        )


class GamblerBot(CarefulBot):
    """Plays at random, but does what may end the game when it is likely enough to win by it."""

    def dare(self, mind: Imagination, bold: list[Choice], rng: random.Random) -> Choice | None:
        odds = self.chances(mind, bold, rng)
        best = max(odds.values(), default=0)
        if best < self.habits["gamble"]:
            return None
        return rng.choice([c for c, p in odds.items() if p == best])

    def refusal(self, player: Player) -> Refusal | None:
        return None  # it weighs all worlds each time


# By the name that stands after --seat NAME=bot: a bot is made for a game and a seat, and keeps what it likes.
BOTS: dict[str, Callable[[Game, str], Bot]] = {
    "random": RandomBot,
    "careful": CarefulBot,
    "gambler": GamblerBot,
    "deducer": ForesightBot,
    "thinker-easy": of_strength(60),
    "thinker": ThinkerBot,
    "thinker-hard": of_strength(2_000),
}
USUAL = "random"  # where many games are played
SEATED = "deducer"  # where people play
