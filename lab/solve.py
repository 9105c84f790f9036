"""How a small game should be played: counterfactual regret minimisation over the whole game (CFR+), or by drawing games
(external sampling, MCCFR) where it is too large to be written out.

A game is seen only through `new`, `legal`, `chances`, `apply`, `result` and the logs of its players. What a player can
tell apart is his log and the question that he is asked, nothing else. For two players whose gains cancel out, the
average strategies come as close to perfect play as one likes; in other games they are a strategy, and no more: how much
each player could still gain (`Solution.gains`) is measured either way.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from ..interpreter import CHANCE, Choice, Entry, Game, State
from ..interpreter.many import TooManyPositions

__all__ = ["LIMIT", "Sampling", "Solution", "Solver", "TooLarge", "Tree"]

LIMIT = 1_000_000  # nodes of a game that is written out
SOON = 1.0  # seconds of writing out, after which it is worth while to count how much it will be
COUNTED = 500_000  # slots of the positions on one way that is counted
DEEP = 60  # decisions that are counted
END, LUCK = -1, -2  # instead of a seat: the game is over, chance decides

Place = tuple[int, tuple[Any, ...]]  # a seat, and what it has seen and is asked
Strategy = list[list[float]]  # for each place, how likely each choice is


class TooLarge(Exception):
    """The game has more nodes than that: it cannot be written out."""


def place_of(state: State, actor: str) -> Place:
    """What the one who decides can tell apart."""
    player = state.player(actor)
    return state.game.seat(actor), (player.question().number, *player.log.rows())


class _Foresight:
    """Whether a game is too large, before it is written out so far: compiled rules count it much sooner."""

    def __init__(self, game: Game, limit: int):
        self.game, self.limit = game, limit
        self.began, self.counted = monotonic(), False

    def look(self) -> None:
        if self.counted or monotonic() - self.began < SOON or self.game.workshop.library() is None:
            return  # they are compiled beside
        self.counted = True
        try:
            self.game.new().ways(min(DEEP, COUNTED // len(self.game.program.start)), self.limit)
        except TooManyPositions:
            raise TooLarge from None


class Tree:
    """A whole game, written out level by level: what belongs to a node stands in rows, under the node's number."""

    def __init__(self, game: Game, limit: int = LIMIT):
        self.game = game
        self.seats = len(game.seats)
        self.actor: list[int] = []
        self.place: list[int] = []  # of a decision; -1 otherwise
        self.first: list[int] = []  # the number of its first child; the others follow
        self.width: list[int] = []
        self.chances: dict[int, list[float]] = {}
        self.gains: dict[int, list[float]] = {}
        self.places: dict[Place, int] = {}
        self.choices: list[list[Choice]] = []  # by place
        self.seen: list[list[Entry]] = []  # by place: the log of the one who decides
        self.finished = 0
        level, foresight = [game.new()], _Foresight(game, limit)
        self.depth = 0
        while level:
            below: list[State] = []
            start = len(self.actor) + len(level)  # where the next level begins
            if start > limit:
                raise TooLarge
            for state in level:
                if len(self.actor) % 512 == 511:
                    foresight.look()
                below += self._add(state, start + len(below))
                if start + len(below) > limit:
                    raise TooLarge
            level = below
            self.depth += 1

    def _add(self, state: State, first: int) -> list[State]:
        number, actor = len(self.actor), state.actor
        self.first.append(first)
        self.place.append(-1)
        if actor is None:
            assert state.result is not None
            self.actor.append(END)
            self.width.append(0)
            self.gains[number] = [float(state.result.scores[seat]) for seat in self.game.seats]
            self.finished += 1
            return []
        if actor == CHANCE:
            outcomes = state.chances()
            self.actor.append(LUCK)
            self.chances[number] = [float(chance) for _, chance in outcomes]
            choices = [choice for choice, _ in outcomes]
        else:
            key, choices = place_of(state, actor), state.legal()
            self.actor.append(key[0])
            self.place[number] = self.places.setdefault(key, len(self.choices))
            if self.place[number] == len(self.choices):
                self.choices.append(choices)
                self.seen.append(state.log(actor))
        self.width.append(len(choices))
        return [_after(state, choice) for choice in choices]

    def __len__(self) -> int:
        return len(self.actor)

    @property
    def is_zero_sum(self) -> bool:
        """Two players, and what one gains the other loses."""
        return self.seats == 2 and all(abs(sum(gains)) < 1e-9 for gains in self.gains.values())

    def shares(self, number: int, strategy: Strategy) -> Sequence[float]:
        """How likely the game goes on to each child of a node."""
        return self.chances[number] if self.actor[number] == LUCK else strategy[self.place[number]]

    def values(self, strategy: Strategy) -> list[float]:
        """What each seat gains on average."""
        found: list[list[float]] = [[]] * len(self)
        for number in reversed(range(len(self))):
            if self.actor[number] == END:
                found[number] = self.gains[number]
                continue
            first, total = self.first[number], [0.0] * self.seats
            for offset, share in enumerate(self.shares(number, strategy)):
                if share:
                    total = [t + share * v for t, v in zip(total, found[first + offset])]
            found[number] = total
        return found[0]

    def reached(self, strategy: Strategy, seat: int) -> list[float]:
        """How likely all but this seat let each node be reached."""
        found = [1.0] * len(self)
        for number, actor in enumerate(self.actor):
            if actor == END:
                continue
            first, here = self.first[number], found[number]
            if actor == seat:
                found[first : first + self.width[number]] = [here] * self.width[number]
            else:
                for offset, share in enumerate(self.shares(number, strategy)):
                    found[first + offset] = here * share
        return found

    def best(self, strategy: Strategy, seat: int) -> float:
        """What a seat gains that knows how the others play, and plays best against it."""
        reached = self.reached(strategy, seat)
        members: list[list[int]] = [[] for _ in self.choices]
        for number, actor in enumerate(self.actor):
            if actor == seat:
                members[self.place[number]].append(number)
        answers: dict[int, int] = {}
        known: dict[int, float] = {}

        def value(number: int) -> float:
            if number in known:
                return known[number]
            actor, first = self.actor[number], self.first[number]
            if actor == END:
                found = self.gains[number][seat]
            elif actor == seat:
                found = value(first + answer(self.place[number]))
            else:
                shares = self.shares(number, strategy)
                found = sum(share * value(first + offset) for offset, share in enumerate(shares) if share)
            known[number] = found
            return found

        def answer(place: int) -> int:
            if place not in answers:
                worth = [
                    sum(reached[n] * value(self.first[n] + offset) for n in members[place] if reached[n])
                    for offset in range(len(self.choices[place]))
                ]
                answers[place] = worth.index(max(worth))
            return answers[place]

        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, 6 * self.depth + 1_000))
        try:
            return value(0)
        finally:
            sys.setrecursionlimit(before)


@dataclass(frozen=True, slots=True)
class Solution:
    iterations: int
    values: list[float]  # what each seat gains on average
    gains: list[float]  # how much more it would gain by the best answer to the others

    @property
    def exploitability(self) -> float:
        """How much a player can gain at most by playing otherwise: the mean over the seats."""
        return sum(self.gains) / len(self.gains)


def measured(tree: Tree, strategy: Strategy, iterations: int) -> Solution:
    values = tree.values(strategy)
    return Solution(iterations, values, [tree.best(strategy, s) - values[s] for s in range(tree.seats)])


class Solver:
    """CFR+: regrets never fall below zero, seats learn in turn, and later strategies count more."""

    def __init__(self, tree: Tree):
        self.tree, self.iterations = tree, 0
        self.regrets = [[0.0] * len(choices) for choices in tree.choices]
        self.totals = [[0.0] * len(choices) for choices in tree.choices]
        self._owner = [0] * len(tree.choices)
        for place, actor in zip(tree.place, tree.actor):
            if place >= 0:
                self._owner[place] = actor

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iterations += 1
            for seat in range(self.tree.seats):
                self._learn(seat)

    def average(self) -> Strategy:
        return [_shared(total) for total in self.totals]

    def solution(self) -> Solution:
        return measured(self.tree, self.average(), self.iterations)

    def _learn(self, seat: int) -> None:
        tree, strategy = self.tree, [_shared(regret) for regret in self.regrets]
        actors, firsts, places, chances = tree.actor, tree.first, tree.place, tree.chances
        own, others = [1.0] * len(tree), [1.0] * len(tree)
        for number, actor in enumerate(actors):
            if actor == END:
                continue
            child, mine, theirs = firsts[number], own[number], others[number]
            shares = chances[number] if actor == LUCK else strategy[places[number]]
            for share in shares:
                own[child], others[child] = (mine * share, theirs) if actor == seat else (mine, theirs * share)
                child += 1
        values = [0.0] * len(tree)
        change: dict[int, list[float]] = {}
        for number in reversed(range(len(tree))):
            actor = actors[number]
            if actor == END:
                values[number] = tree.gains[number][seat]
                continue
            first, shares = firsts[number], chances[number] if actor == LUCK else strategy[places[number]]
            below = values[first : first + len(shares)]
            value = values[number] = sum(map(float.__mul__, shares, below))
            if actor == seat:
                theirs = others[number]
                place = places[number]
                found = change.setdefault(place, [0.0] * len(shares))
                for offset, worth in enumerate(below):
                    found[offset] += theirs * (worth - value)
                weight, total = self.iterations * own[number], self.totals[place]
                if weight:
                    for offset, share in enumerate(shares):
                        total[offset] += weight * share
        for place, found in change.items():
            self.regrets[place] = [max(0.0, r + c) for r, c in zip(self.regrets[place], found)]


@dataclass(slots=True)
class _Table:
    choices: list[Choice]
    regrets: list[float]
    totals: list[float]


@dataclass(slots=True)
class Sampling:
    """MCCFR by external sampling: the one who learns tries all choices, chance and the others are drawn."""

    game: Game
    rng: random.Random
    iterations: int = 0
    tables: dict[Place, _Table] = field(default_factory=dict)

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iterations += 1
            for seat in range(len(self.game.seats)):
                self._walk(self.game.new(), seat)

    def _walk(self, state: State, seat: int) -> float:
        while True:
            actor = state.actor
            if actor is None:
                assert state.result is not None
                return float(state.result.scores[self.game.seats[seat]])
            if actor == CHANCE:
                state.apply(state.sample(self.rng), trusted=True)
                continue
            key = place_of(state, actor)
            table = self.tables.get(key)
            if table is None:
                choices = state.legal()
                table = self.tables[key] = _Table(choices, [0.0] * len(choices), [0.0] * len(choices))
            shares = _shared(table.regrets)
            if key[0] == seat:
                break
            for offset, share in enumerate(shares):
                table.totals[offset] += share
            state.apply(self.rng.choices(table.choices, shares)[0], trusted=True)
        worth = [self._walk(_after(state, choice), seat) for choice in table.choices]
        value = sum(map(float.__mul__, shares, worth))
        table.regrets = [max(0.0, r + w - value) for r, w in zip(table.regrets, worth)]
        return value

    def average(self) -> dict[Place, list[float]]:
        return {key: _shared(table.totals) for key, table in self.tables.items()}

    def on(self, tree: Tree) -> Strategy:
        """The average strategies at the places of a game that was written out: even where none was ever tried."""
        found: Strategy = [_shared([0.0] * len(choices)) for choices in tree.choices]
        for key, shares in self.average().items():
            found[tree.places[key]] = shares
        return found


def _after(state: State, choice: Choice) -> State:
    further = state.clone()
    further.apply(choice, trusted=True)
    return further


def _shared(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [w / total for w in weights] if total > 0 else [1 / len(weights)] * len(weights)


def doubling(most: int) -> Iterator[int]:
    """After how many iterations it is measured: 1, 2, 5, 10, 20, 50 … and at the end."""
    at, steps = 1, (2, 2.5, 2)
    for index in range(most):
        if at >= most:
            break
        yield at
        at = int(at * steps[index % 3])
    yield most
