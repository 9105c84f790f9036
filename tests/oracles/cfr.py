"""Counterfactual regret minimisation (CFR+) for two-player zero-sum games with explicit chance.

It sees a game only as `new()`, `clone()`, `actor`, `legal()`, `chances()`, `apply()`, `result` and `log(seat)`. An
information set is a seat and that seat's log, nothing else: a log that tells too little merges positions that a player
can tell apart, one that tells too much splits them, and either shows in the number of sets or in the value.
"""

from typing import NamedTuple

CHANCE = "chance"


class End(NamedTuple):
    value: float  # for the first seat


class Chance(NamedTuple):
    branches: list  # of (probability, node)


class Decision(NamedTuple):
    player: int  # 0 for the first seat, 1 for the other
    place: int  # of the information set in the tree's list
    children: list  # of nodes, in the order of the legal choices


class Tree:
    """The whole game, walked once: the solver then touches no state."""

    def __init__(self, game, first: str | None = None):
        self.first = first or _first_to_decide(game)
        self.places = {}  # (seat, log) -> place
        self.choices = []  # place -> legal choices
        self.root = self._grow(game.new())

    def _grow(self, state):
        if state.over:
            return End(float(state.result.scores[self.first]))
        actor = state.actor
        if actor == CHANCE:
            return Chance([(float(chance), self._grow(_after(state, choice))) for choice, chance in state.chances()])
        key = (actor, tuple(state.log(actor)))
        choices = list(state.legal())
        place = self.places.setdefault(key, len(self.choices))
        if place == len(self.choices):
            self.choices.append(choices)
        elif self.choices[place] != choices:
            raise ValueError(f"{actor} has different choices after the same log: {self.choices[place]}, {choices}")
        return Decision(int(actor != self.first), place, [self._grow(_after(state, choice)) for choice in choices])


def _first_to_decide(game) -> str:
    state = game.new()
    while state.actor == CHANCE:
        state.apply(state.chances()[0][0])
    return state.actor


def _after(state, choice):
    state = state.clone()
    state.apply(choice)
    return state


def information_sets(game) -> dict[tuple, list]:
    """Each information set `(seat, log)` with its legal choices."""
    tree = Tree(game)
    return {key: tree.choices[place] for key, place in tree.places.items()}


def solve(game, iterations: int, first: str | None = None) -> tuple[float, dict[tuple, dict]]:
    """The value of the average strategies for the first seat, and the strategies: `{(seat, log): {choice: chance}}`.

    The first seat is the one that decides first, unless it is named.
    """
    tree = Tree(game, first)
    regrets = [[0.0] * len(choices) for choices in tree.choices]
    totals = [[0.0] * len(choices) for choices in tree.choices]
    for iteration in range(1, iterations + 1):
        for learner in (0, 1):
            strategies = [_share(regret) for regret in regrets]
            _learn(tree.root, learner, 1.0, 1.0, iteration, strategies, regrets, totals)
            for regret in regrets:
                regret[:] = [max(0.0, amount) for amount in regret]
    averages = [_share(total) for total in totals]
    strategy = {key: dict(zip(tree.choices[place], averages[place])) for key, place in tree.places.items()}
    return _value(tree.root, averages), strategy


def _learn(node, learner, own, others, weight, strategies, regrets, totals) -> float:
    """The node's value for the learner; `own` and `others` are the chances with which each side lets it be reached."""
    if isinstance(node, End):
        return -node.value if learner else node.value
    if isinstance(node, Chance):
        return sum(
            chance * _learn(child, learner, own, others * chance, weight, strategies, regrets, totals)
            for chance, child in node.branches
        )
    strategy = strategies[node.place]
    if node.player != learner:
        return sum(
            chance * _learn(child, learner, own, others * chance, weight, strategies, regrets, totals)
            for chance, child in zip(strategy, node.children)
        )
    values = [
        _learn(child, learner, own * chance, others, weight, strategies, regrets, totals)
        for chance, child in zip(strategy, node.children)
    ]
    value = sum(chance * worth for chance, worth in zip(strategy, values))
    regret, total = regrets[node.place], totals[node.place]
    for index, worth in enumerate(values):
        regret[index] += others * (worth - value)
        total[index] += weight * own * strategy[index]
    return value


def _value(node, strategies) -> float:
    if isinstance(node, End):
        return node.value
    branches = node.branches if isinstance(node, Chance) else zip(strategies[node.place], node.children)
    return sum(chance * _value(child, strategies) for chance, child in branches)


def _share(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights] if total else [1 / len(weights)] * len(weights)
