"""How others are taken to choose: evenly among what they are offered, or as a bot would choose in their place.

What `random` does is known exactly. What another bot does hangs on all that it has seen, and is found out by asking it
several times, so that the shares are estimates; that it never did something in a few tries does not mean that it never
would, so nothing is struck out by that.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable
from itertools import product
from typing import TYPE_CHECKING, Any

from ..interpreter.observer import Observer, Shares
from .bots import BOTS
from .courses import Courses, Found, Unaffordable
from .imagination import insight
from .kinds import EVENLY
from .noted import Noted
from .stories import Fact, Told

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ..interpreter.game import Game
    from ..interpreter.observe import Row
    from ..interpreter.position import Position
    from ..interpreter.state import Choice

__all__ = [
    "THINK_AT_THE_END",
    "AsBot",
    "Estimated",
    "as_random",
    "chooses_evenly",
    "courses_of",
    "noted_of",
]

THINK_AT_THE_END = ("careful", "gambler")  # bots that choose at random what ends nothing
TRIES = 12  # how often a bot is asked what it would choose, for each choice that it has, in each of two estimates
MOST_TRIES = 3_000  # in each of the two, in all


def as_random(position: Position, choices: Counter[Choice]) -> Shares:
    """What is called rare is taken into account only once in so many times."""
    step = position.step
    rare = [a for a in step.alternatives if a.rarely > 1] if step is not None else []
    found: Shares = dict.fromkeys(choices, 0.0)
    for left_out in product((False, True), repeat=len(rare)):
        likely, gone = 1.0, set()
        for alternative, out in zip(rare, left_out):
            likely *= 1 - 1 / alternative.rarely if out else 1 / alternative.rarely
            gone |= {alternative.atom} if out else set()
        kept = {c: n for c, n in choices.items() if not gone or c[0] not in gone} or choices
        whole = sum(kept.values())
        for choice, often in kept.items():
            found[choice] += likely * often / whole
    return found


def chooses_evenly(game: Game, model: str) -> bool:
    """Is it certain that such a bot chooses evenly wherever what is offered hangs on secrets? So it is if it chooses at
    random there, and nothing that is offered is called rare. By what hangs on no secret nobody learns anything from
    `random`; what the others make of what may end the game is another matter."""
    if model in (EVENLY, "random", *THINK_AT_THE_END):
        asked = [node for node in game.program.nodes if node.kind == "ask" and node.step is not None]
        telling = [node for node in asked if insight(game).tells[node.number]]
        thought = model in THINK_AT_THE_END
        bot = BOTS[model](game, game.seats[0]) if thought else None
        return model == EVENLY or not any(
            any(a.rarely > 1 for a in node.step.alternatives) or bot is not None and bot.thinks_at(node.number)
            for node in telling
            if node.step is not None
        )
    return False


class AsBot:
    """As a bot of this name chooses, by all that its seat has seen."""

    def __init__(self, name: str, seed: int):
        self.name, self.seed, self.tried = name, seed, 0
        self._found: dict[Hashable, Shares] = {}

    def __call__(self, position: Position, choices: Counter[Choice]) -> Shares:
        seat = position.actor
        assert seat is not None
        player = position.player(seat)
        key = (seat, position.number, tuple(player.log.rows()))
        if key not in self._found:
            tries = TRIES * len(choices)
            self.tried += tries
            if self.tried > MOST_TRIES:
                raise Unaffordable
            bot, rng = BOTS[self.name](position.game, seat), random.Random(repr((self.seed, key)))
            chosen = Counter(bot.choose(player, rng) for _ in range(tries)) if len(choices) > 1 else Counter(choices)
            whole, even = chosen.total() + 1, choices.total()
            self._found[key] = {c: (chosen[c] + n / even) / whole for c, n in choices.items()}
        return self._found[key]


def courses_of(game: Game, seat: str, model: str = EVENLY) -> Courses:
    """What a seat holds possible, if the others choose so."""
    if model == EVENLY:
        return Courses(game, seat)
    if model == "random":
        return Courses(game, seat, observer=Observer(game, seat, model=as_random))
    observers = [Observer(game, seat, whole=True, model=AsBot(model, n), logs=True) for n in (1, 2)]
    return Estimated(game, seat, [Courses(game, seat, observer=observer) for observer in observers])


def noted_of(game: Game, seat: str, own: Mapping[int, Any], readable: Collection[int], model: str = EVENLY) -> Noted:
    """The same, by what was noted at a real table."""
    if model in (EVENLY, "random"):
        observer = None if model == EVENLY else Observer(game, seat, model=as_random)
        return Noted(game, seat, own, readable, observer=observer)
    observers = [Observer(game, seat, whole=True, model=AsBot(model, n), logs=True) for n in (1, 2)]
    halves = [Noted(game, seat, own, readable, observer=observer) for observer in observers]
    return EstimatedNotes(game, seat, halves)


class Estimated(Courses):
    """Two beliefs that know nothing of each other, each with its own tries of what a bot would do; the mean of both,
    and how far they are apart."""

    estimated = True

    def __init__(self, game: Game, seat: str, halves: list[Courses]):
        self._halves = halves
        super().__init__(game, seat)

    @property
    def exact(self) -> bool:
        return all(half.exact for half in self._halves)

    def read(self, rows: Sequence[Row], question: int | None = None) -> Courses:
        for half in self._halves:
            half.read(rows, question)
        return self

    def worlds(self) -> list[tuple[Position, float]]:
        return [(position, weight / 2) for half in self._halves for position, weight in half.worlds()]

    def error(self, look: Callable[[Position], Found]) -> float:
        one, other = (half.spread(look) for half in self._halves)
        apart = sum(abs(one.get(x, 0.0) - other.get(x, 0.0)) for x in {*one, *other}) / 2
        return min(1.0, max(apart, *(half.error(look) for half in self._halves)))


class EstimatedNotes(Estimated, Noted):
    """The same, of notes."""

    def __init__(self, game: Game, seat: str, halves: list[Noted]):
        self._notes = halves
        self._halves = [*halves]
        Noted.__init__(self, game, seat, {}, ())

    def tell(self, facts: Sequence[Fact]) -> Noted:
        for half in self._notes:
            half.tell(facts)
        self.facts = self._notes[0].facts
        return self

    @property
    def lacks_something(self) -> bool:
        return self._notes[0].lacks_something

    def next_rows(self) -> list[Told]:
        return self._notes[0].next_rows()
