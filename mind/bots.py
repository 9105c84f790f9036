"""Who can sit at the table without being a person. A bot sees what a person in its seat sees: its log, its choices."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ..interpreter.observe import ALL, LAST, LAST_OF_THE_SAME, LEFT_OUT
from ..interpreter.tables import Refusal, Renewal
from .ahead import ForesightBot, ThinkerBot, of_strength
from .deals import World
from .imagination import Imagination
from .kinds import KINDS
from .thinker import Bot, Thinker

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.observe import Log, Mark, Row
    from ..interpreter.player import Player
    from ..interpreter.state import Choice


IN_VAIN = 5  # tries, more than others, to hear only what tells of worlds


class _Wanted(NamedTuple):
    """Which rows somebody reads, by their events: see `Log.digest`."""

    loud: bytes  # see `Belief.loud`
    all: bytes
    loudest: bytes  # what tells of worlds
    others: bytes  # what does not, and what was seen last of something


class RandomBot(Bot):
    """Plays at random, with the habits that the rules give to random players."""

    def choose(self, player: Player, rng: random.Random) -> Choice:
        return player.sample(rng)

    def thinks_at(self, number: int) -> bool:
        return False


class CarefulBot(Thinker):
    """Plays at random, but does what may end the game only when it is sure to win by it."""

    _wanted: _Wanted | None = None
    _heard: Mark | None = None  # until there it has taken in what tells of worlds, if that is farther than all else
    _calm = False  # has it taken in that alone?
    _refused: dict[int, tuple[int, int]] | None = None  # at which questions, and of which deal
    _next: World | None = None  # the world that speaks against declaring, if its refusal holds on

    def news(self, log: Log) -> list[Row] | None:
        self._calm, heard = False, self._hear(log)
        if heard is None:
            return None
        wanted = self._what_is_wanted()
        if wanted is None:
            return log.since(self._mark)
        if heard:
            self._calm = True
            return log.digest(self._mark, wanted.others)
        rows = log.digest(self._mark, wanted.all)
        ended = rows is not None and not self.insight.ends.isdisjoint([row[0] for row in rows])
        return log.since(self._mark) if ended else rows  # then another game may begin, with whatever row

    def _what_is_wanted(self) -> _Wanted | None:
        """Which rows it reads, by how loud their events are; None: all."""
        loud = self.belief.loud
        if loud is None or not self.belief.exact:
            return None
        if self._wanted is None or self._wanted.loud is not loud:
            everything = bytes(map(self._kind, range(len(loud)), loud))
            lists = self.insight.lists
            self._wanted = _Wanted(
                loud,
                everything,
                bytes([ALL if x else LEFT_OUT for x in loud]),
                bytes([(LAST if lists[n] else LEFT_OUT) if x else everything[n] for n, x in enumerate(loud)]),
            )
        return self._wanted

    def _hear(self, log: Log) -> bool | None:
        """Take in what tells of worlds, and nothing else. No, if that is not enough; None, if something was taken
        back."""
        wanted, tried = self._what_is_wanted(), self.insight.memory.setdefault(CarefulBot, [0, 0])
        if wanted is None or tried[False] > tried[True] + IN_VAIN:
            return False
        rows = log.digest(self._heard or self._mark, wanted.loudest)
        if rows is None:
            return None
        heard = self.belief.hear(rows)
        tried[heard] += 1
        if heard:
            self._heard = log.mark
        return heard

    def take_in(self, rows: list[Row]) -> None:
        wanted, self._heard = self._wanted, None
        if self._calm and wanted is not None:
            rows = [row for row in rows if not wanted.loud[row[0]]]
        super().take_in(rows)

    def forget(self) -> None:
        super().forget()
        self._heard = self._refused = None

    def _kind(self, event: int, loudness: int) -> int:
        """What tells nothing of worlds may stand in a cell, or be the last that is seen of something."""
        if loudness:
            return ALL
        if event not in self.belief.silent:
            return LAST_OF_THE_SAME
        return LAST if self.insight.lists[event] else LEFT_OUT

    def choose(self, player: Player, rng: random.Random) -> Choice:
        self._mind = None
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
        if self._refused is None:
            self._refused = {}
        self._refused[question.number] = belief.deal_id
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

    def renewal(self, player: Player) -> Renewal | None:
        belief, number, first = self.belief, player.number, self._refuting
        if self._refused is None or self._refused.get(number) != belief.deal_id or not self._hear(player.log):
            return None
        if not belief.possible:
            return None
        if first is None or not belief.holds(first):
            first = belief.deals.first(belief.possible)
        # where luck is drawn for what is slow, it has to be drawn as often as if all were looked at
        bold = self.insight.final[number] - self.slow(number)
        tried = not self._is_slow() or bold and any(c[0] in bold for c in player.legal())
        self._next = first if tried else self._refuting
        stamp = (belief.deal_id, belief.possible, belief.exact)
        return Renewal(number, stamp, belief.possible.bit_count(), tuple(belief.place), first)

    def renewed(self) -> None:
        self._refuting = self._next

    def _is_slow(self) -> bool:
        """Are there any alternatives that are grave, though the game does not end by them?"""
        return any(grave - self.insight.final[number] for number, grave in self.insight.grave.items())


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
