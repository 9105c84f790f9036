"""Who can sit at the table without being a person. A bot sees what a person in its seat sees: its log, its choices."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..interpreter.observe import ALL, LAST, LAST_OF_THE_SAME, LEFT_OUT
from ..interpreter.tables import Refusal
from .ahead import ForesightBot, ThinkerBot, of_strength
from .imagination import Imagination
from .kinds import KINDS
from .thinker import Bot, Thinker

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.observe import Log, Row
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

    _wanted: tuple[bytes, bytes] | None = None  # which rows it reads, by how loud their events are

    def news(self, log: Log) -> list[Row] | None:
        loud = self.belief.loud
        if loud is None or not self.belief.exact:
            return log.since(self._mark)
        if self._wanted is None or self._wanted[0] is not loud:
            self._wanted = loud, bytes(map(self._kind, range(len(loud)), loud))
        rows = log.digest(self._mark, self._wanted[1])
        ended = rows is not None and not self.insight.ends.isdisjoint([row[0] for row in rows])
        return log.since(self._mark) if ended else rows  # then another game may begin, with whatever row

    def _kind(self, event: int, loudness: int) -> int:
        """What tells nothing of worlds may stand in a cell, or be the last that is seen of something."""
        if loudness:
            return ALL
        if event not in self.belief.silent:
            return LAST_OF_THE_SAME
        return LAST if self.insight.lists[event] else LEFT_OUT

    def choose(self, player: Player, rng: random.Random) -> Choice:
        if not self.is_grave(player.number):
            return player.sample(rng)
        self.read(player)
        dared, calm = self.decide(player, player.question(), rng)
        return dared if dared is not None else rng.choice(calm)

    def thinks_at(self, number: int) -> bool:
        return self.is_grave(number)

    def refusal(self) -> Refusal | None:
        mind, belief = self._mind, self.belief
        loud = belief.loud
        if mind is None or loud is None or mind.question.number in self.insight.near:
            return None
        question = mind.question
        world = self._refuting if self._refuting is not None and belief.holds(self._refuting) else belief.worlds[0]
        slow = self.slow(question.number)
        return Refusal(
            question,
            mind.state(world),
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

    def refusal(self) -> Refusal | None:
        return None  # it weighs all worlds each time


# By the name that stands after --seat NAME=bot: a bot is made for a game and a seat, and keeps what it likes.
_EACH = (RandomBot, CarefulBot, GamblerBot, ForesightBot, of_strength(60), ThinkerBot, of_strength(2_000))
BOTS: dict[str, Callable[[Game, str], Bot]] = dict(zip(KINDS, _EACH, strict=True))
