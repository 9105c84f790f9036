"""What a bot is: it chooses as one who sits in its seat can choose, by its log and the choices that it has."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from .belief import World
from .hurry import LATE, Hurry
from .imagination import Imagination, insight
from .now import belief_for

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.observe import Log, Mark, Row
    from ..interpreter.player import Player
    from ..interpreter.question import Question
    from ..interpreter.state import Choice
    from ..interpreter.tables import Refusal, Renewal

# How bots weigh things, unless the rules say otherwise (section `habits`).
HABITS: dict[str, float] = {
    "curiosity": 3.0,  # what it is worth to learn something: for each time that the number of possible worlds halves
    "company": 1.0,  # and how much more, if it tells who is on one's side
    "certainty": 1.0,  # and how much more, if nothing is left to learn
    "goal": 1.0,  # to come a step nearer to winning
    "hinder": 0.4,  # to keep opponents a step farther from it
    "caution": 3.0,  # to tell an opponent little
    "trust": 1.0,  # to tell a partner much
    "gamble": 0.8,  # how likely a gambler must be to win before he dares
    "worlds": 8,  # how many worlds are looked at where all would be too many
    "samples": 4,  # how often a choice is tried in the mind
    "breadth": 5,  # how many ways to go on with a plan are followed
}


ENDLESS = 200_000  # steps of the interpreter to take in what has happened, after which a bot goes without
FEW = 20  # choices of which each is looked at
HALF = 0.5  # of the time to think: after it no choice is looked at in many worlds


def habits_of(game: Game) -> dict[str, float]:
    return {**HABITS, **game.habits}


class Bot(ABC):
    """Somebody who chooses."""

    seconds: float | None = None  # how long it may think; without it, as long as it takes to think as well as it does

    def __init__(self, game: Game, seat: str):
        self.game, self.seat = game, seat

    @abstractmethod
    def choose(self, player: Player, rng: random.Random) -> Choice:
        """One of the choices that this player has."""

    def thinks_at(self, number: int) -> bool:
        """Does it think when it is asked this question? Otherwise it chooses at random, as `Player.sample` does."""
        return True

    def refusal(self) -> Refusal | None:
        """After it has let go by what it was asked: as long as which it would do so again, if that can be told."""
        return None

    def renewal(self, player: Player) -> Renewal | None:
        """When it is asked again because it was told something since: whether its refusal may hold on, if that is
        quickly found."""
        return None

    def renewed(self) -> None:  # noqa: B027 (whoever does not renew anything)
        """It was not asked, because its refusal held on."""

    def recall(self, player: Player, choice: Choice) -> None:  # noqa: B027 (most bots have nothing to recall)
        """It chose this here, before the game was interrupted."""


class Thinker(Bot):
    """Keeps track of what it can know: the worlds that agree with its log."""

    def __init__(self, game: Game, seat: str):
        super().__init__(game, seat)
        self.insight = insight(game)
        self.habits = habits_of(game)
        self.belief = belief_for(game, seat)
        self.hurry = Hurry()
        self.last_seen: dict[str, Any] = {}  # by type: what was told last
        self._mark: Mark | None = None
        self._deal: tuple[int, int] | None = None  # the one that is played
        self._refuting: World | None = None  # the world that spoke against declaring last time
        self._mind: Imagination | None = None  # in which it was decided last

    def read(self, player: Player) -> list[Row]:
        """Take in what has happened since the last time. The time to think begins now."""
        self.hurry = Hurry(self.seconds, ENDLESS)
        log = player.log
        rows = self.news(log)
        if rows is None:
            self.forget()
            rows = log.rows()
        self._mark = log.mark
        self.belief.hurry, lists = self.hurry, self.insight.lists
        for row in rows:
            for place, name in lists[row[0]]:
                self.last_seen[name] = row[place]
        self.take_in(rows)
        self.belief.asked = player.number
        self.belief.ready()
        if self.belief.deal_id != self._deal:
            self._deal = self.belief.deal_id
            self.begin()
        return rows

    def news(self, log: Log) -> list[Row] | None:
        """The rows that have come since the last time; None if something was taken back."""
        return log.since(self._mark)

    def take_in(self, rows: list[Row]) -> None:
        self.belief.observe(rows)

    def forget(self) -> None:
        """Something was taken back: read all again."""
        self.belief, self.last_seen = belief_for(self.game, self.seat), {}

    def begin(self) -> None:
        """There are new secrets, of a first game or of the next one of a match."""
        self._refuting = None

    def is_grave(self, number: int) -> bool:
        """May the game end by what is chosen when this question is asked?"""
        return bool(self.insight.final[number] or self.insight.grave[number] or number in self.insight.near)

    # --- declaring ----------------------------------------------------------------------------------------------------
    def slow(self, number: int) -> set[int]:
        """Alternatives that are grave, though the game does not end by them."""
        return self.insight.grave[number] - self.insight.final[number]

    def sure(self, mind: Imagination, choices: list[Choice], rng: random.Random) -> list[Choice]:
        """Those choices that win in every world."""
        worlds, slow = self.belief.worlds, self.slow(mind.question.number)
        left = [c for c in choices if c[0] not in slow] if slow else choices
        others = [c for c in choices if c[0] in slow] if slow else []
        if others and len(worlds) <= len(others):  # with more worlds than there are things to say, nothing said is sure
            left += others
        if not left or not worlds or not self.belief.exact:  # what wins in some worlds may lose in another
            return []
        first = self._refuting
        for world in [first, *worlds] if first is not None and self.belief.holds(first) else worlds:
            if self.hurry.past(LATE):
                return []
            if slow:
                position, won = mind.state(world), set(mind.winning(world, [c for c in left if c[0] not in slow]))
                left = [c for c in left if c in won or c[0] in slow and mind.ends_well(position, c, rng)]
            else:
                left = mind.winning(world, left)
            if not left:
                self._refuting = world
                return []
        return left

    def chances(self, mind: Imagination, choices: list[Choice], rng: random.Random) -> dict[Choice, float]:
        """How likely each choice is to win, looked at in some worlds."""
        worlds, slow = self.belief.worlds, self.slow(mind.question.number)
        enough = 40 if len(choices) > 4 else 1000  # a small chance is better than none: few choices are looked at well
        if len(worlds) > enough:
            worlds = rng.sample(worlds, enough)

        def won(world: World, choice: Choice) -> bool:
            position = mind.state(world)
            return bool(mind.ends_well(position, choice, rng) if choice[0] in slow else mind.wins(position, choice))

        if self.hurry.past(HALF) or self.seconds is not None and not self.belief.exact and len(worlds) < FEW:
            return {}  # who has no time to look at many worlds does not dare
        weights = {w: self.belief.weights.get(w, 1.0) for w in worlds}
        if len(choices) > 20:  # what is likely to win does so in one of the likeliest worlds
            likely = sorted(worlds, key=lambda w: -weights[w])[:3]
            choices = list(dict.fromkeys(c for w in likely for c in choices if won(w, c)))
        whole = sum(weights.values()) or 1.0
        return {c: sum(share for w, share in weights.items() if won(w, c)) / whole for c in choices}

    def decide(self, player: Player, question: Question, rng: random.Random) -> tuple[Choice | None, list[Choice]]:
        """The choice that wins, if there is a sure one; and the choices that end nothing."""
        risky = self.insight.final[question.number] | self.insight.grave[question.number]
        choices = player.legal()
        if not self.belief.worlds:
            return None, [c for c in choices if c[0] not in risky] or choices
        mind = self._mind = Imagination(self.belief, question, self.last_seen)
        near = question.number in self.insight.near and len(choices) <= FEW
        ending = {c for c in choices if mind.ends(c)} if near else ()
        bold = [c for c in choices if c[0] in risky or c in ending]
        calm = [c for c in choices if c[0] not in risky and c not in ending]
        dared = self.dare(mind, bold, rng)
        if dared is None and not calm:  # something must be done: what is best
            odds = self.chances(mind, choices, rng) or {rng.choice(choices): 0.0}
            best = max(odds.values())
            dared = rng.choice([c for c, p in odds.items() if p == best])
        return dared, calm

    def dare(self, mind: Imagination, bold: list[Choice], rng: random.Random) -> Choice | None:
        found = self.sure(mind, bold, rng)
        return rng.choice(found) if found else None
