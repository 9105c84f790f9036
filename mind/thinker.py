"""What a bot is: it chooses as one who sits at its place can choose, by its log and the choices that it has."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Any

from .belief import Belief
from .imagination import Imagination, Question, insight, question_of

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


FEW = 20  # choices of which each is looked at


def habits_of(game) -> dict[str, float]:
    return {**HABITS, **game.habits}


class Place:
    """The game as it looks from one seat, at a moment when this seat decides."""

    def __init__(self, state, seat: str):
        self._state, self.seat = state, seat
        self.game = state.game

    def log(self) -> list:
        return self._state.log(self.seat)

    def news(self, mark: Any = None) -> tuple[list[tuple], Any, bool]:
        """The rows of this seat's log since a mark, a new mark, and whether they go on from there: if not (a choice was
        taken back), they are the whole log."""
        chain, mask = self._state.v[1], 1 << self.game.seat(self.seat)
        last = mark.chain if isinstance(mark, _Mark) else None
        rows, at = [], chain
        while at is not None and at is not last:
            row = at[1]
            if row[1] & mask:
                rows.append((row[0], *row[2:]))
            at = at[0]
        rows.reverse()
        return rows, _Mark(chain), at is last

    def question(self) -> Question:
        """What is asked, with the variables around it that this seat may know."""
        return question_of(self._state, self.game)

    def legal(self) -> list[tuple]:
        return self._state.legal()

    def is_legal(self, choice: tuple) -> bool:
        return self._state.is_legal(choice)

    def sample(self, rng: random.Random) -> tuple:
        """A random choice; what the rules call rare is rare."""
        return self._state.sample(rng, habits=True)


class _Mark:
    """How far a log was read."""

    __slots__ = ("chain",)

    def __init__(self, chain):
        self.chain = chain


class Bot(ABC):
    """Somebody who chooses."""

    def __init__(self, game, seat: str):
        self.game, self.seat = game, seat

    @abstractmethod
    def choose(self, place: Place, rng: random.Random) -> tuple:
        """One of the choices of this place."""

    def recall(self, place: Place, choice: tuple) -> None:  # noqa: B027 (most bots have nothing to recall)
        """It chose this here, before the game was interrupted."""


class Thinker(Bot):
    """Keeps track of what it can know: the worlds that agree with its log."""

    def __init__(self, game, seat: str):
        super().__init__(game, seat)
        self.insight = insight(game)
        self.habits = habits_of(game)
        self.belief = Belief(game, seat)
        self.last_seen: dict[str, Any] = {}  # by type: what was told last
        self._mark: Any = None
        self._deal: tuple = ()  # the one that is played
        self._refuting: tuple | None = None  # the world that spoke against declaring last time

    def read(self, place: Place) -> list[tuple]:
        """Take in what has happened since the last time."""
        rows, self._mark, goes_on = place.news(self._mark)
        if not goes_on:
            self.forget()
        lists = self.insight.lists
        for row in rows:
            for place, name in lists[row[0]]:
                self.last_seen[name] = row[place]
        self.belief.observe(rows)
        self.belief.ready()
        if self.belief.deal_id != self._deal:
            self._deal = self.belief.deal_id
            self.begin()
        return rows

    def forget(self) -> None:
        """Something was taken back: read all again."""
        self.belief, self.last_seen = Belief(self.game, self.seat), {}

    def begin(self) -> None:
        """There are new secrets, of a first game or of the next one of a match."""
        self._refuting = None

    def is_grave(self, node: int) -> bool:
        """May the game end by what is chosen here?"""
        return bool(self.insight.final[node] or self.insight.grave[node] or node in self.insight.near)

    # --- declaring ----------------------------------------------------------------------------------------------------
    def slow(self, node: int) -> set[int]:
        """Alternatives that are grave, though the game does not end by them."""
        return self.insight.grave[node] - self.insight.final[node]

    def sure(self, mind: Imagination, choices: list[tuple], rng: random.Random) -> list[tuple]:
        """Those choices that win in every world."""
        worlds, slow = self.belief.worlds, self.slow(mind.question.node)
        left = [c for c in choices if c[0] not in slow]
        others = [c for c in choices if c[0] in slow]
        if len(worlds) <= len(others):  # with more worlds than there are things to say, nothing said is sure
            left += others
        if not left or not worlds or not self.belief.exact:  # what wins in some worlds may lose in another
            return []
        first = self._refuting
        for world in ([first] if first in worlds else []) + worlds:
            state, won = mind.state(world), set(mind.winning(world, [c for c in left if c[0] not in slow]))
            left = [c for c in left if c in won or c[0] in slow and mind.ends_well(state, c, rng)]
            if not left:
                self._refuting = world
                return []
        return left

    def chances(self, mind: Imagination, choices: list[tuple], rng: random.Random) -> dict[tuple, float]:
        """How likely each choice is to win, looked at in some worlds."""
        worlds, slow = self.belief.worlds, self.slow(mind.question.node)
        enough = (
            40 if len(choices) > 4 else 1000
        )  # a small chance is better than none, so few choices are looked at well
        if len(worlds) > enough:
            worlds = rng.sample(worlds, enough)

        def won(world, choice) -> bool:
            state = mind.state(world)
            return bool(mind.ends_well(state, choice, rng) if choice[0] in slow else mind.wins(state, choice))

        if len(choices) > 20:  # what is likely to win does so in one of any few worlds
            choices = list(dict.fromkeys(c for w in worlds[:3] for c in choices if won(w, c)))
        return {c: sum(won(w, c) for w in worlds) / max(1, len(worlds)) for c in choices}

    def decide(self, place: Place, question: Question, rng: random.Random) -> tuple[tuple | None, list[tuple]]:
        """The choice that wins, if there is a sure one; and the choices that end nothing."""
        risky = self.insight.final[question.node] | self.insight.grave[question.node]
        choices = place.legal()
        if not self.belief.worlds:
            return None, [c for c in choices if c[0] not in risky] or choices
        mind = Imagination(self.belief, question, self.last_seen)
        near = question.node in self.insight.near and len(choices) <= FEW
        bold = [c for c in choices if c[0] in risky or near and mind.ends(c)]
        taken = set(bold)
        calm = [c for c in choices if c not in taken]
        dared = self.dare(mind, bold, rng)
        if dared is None and not calm:  # something must be done: what is best
            odds = self.chances(mind, choices, rng) or {rng.choice(choices): 0.0}
            best = max(odds.values())
            dared = rng.choice([c for c, p in odds.items() if p == best])
        return dared, calm

    def dare(self, mind: Imagination, bold: list[tuple], rng: random.Random) -> tuple | None:
        found = self.sure(mind, bold, rng)
        return rng.choice(found) if found else None
