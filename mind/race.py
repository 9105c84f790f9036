"""Who is first: how likely somebody is to win by each of his choices, where all that is left is to be where one can say
what one knows, and to keep the others from it.

Positions are played on for a while. Whoever knows enough wins when he is asked; until then all do what is good for
their own side: what they tried is noted for each seat (a tree search, as in search.py, but over what all can see, and
with a guess of who knows how much). It knows no game.
"""

from __future__ import annotations

import random
from itertools import accumulate
from math import log, sqrt
from typing import TYPE_CHECKING, Any

from .imagination import MISTAKES, Imagination

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from ..interpreter.position import Position
    from ..interpreter.state import Choice
    from .deducer import DeducerBot

__all__ = ["Race"]

Node = dict["Choice", list[float]]  # what was tried: how often, and what was gained by it

EAGER = 0.4  # how much what was seldom tried is preferred
LONG = 28  # decisions that are looked ahead
EVEN = 0.5  # what it is worth to be no nearer to the end
USUAL = 10  # tries after which a choice is no longer taken to be like all others
LATER = 0.97  # what a later win is worth, for each decision until then: it may be prevented


class Race:
    def __init__(self, bot: DeducerBot, mind: Imagination, rng: random.Random):
        self.bot, self.mind, self.rng = bot, mind, rng
        self.insight = bot.insight
        self.nodes: dict[Hashable, Node] = {}

    def run(
        self, choices: list[Choice], iterations: int, enough: Callable[[], bool] | None = None
    ) -> dict[Choice, float]:
        """How much of a win each choice is worth: from 0 to 1, and a half if nobody comes nearer to it. It ends after
        so many positions, or when it is `enough`."""
        bot, belief = self.bot, self.bot.belief
        weights = list(accumulate(belief.weights.get(world, 1.0) for world in belief.worlds))
        root: Node = {c: [0.0, 0.0] for c in choices}
        for _ in range(iterations):
            if enough is not None and enough():
                break
            world = self.rng.choices(belief.worlds, cum_weights=weights)[0]
            guessed = {seat: bot.guessed_knowledge(seat, world) for seat in bot.seats if seat != bot.me}
            knowing = {bot.me, *(seat for seat, (knows, _) in guessed.items() if self.rng.random() < knows)}
            ready = {seat: enough for seat, (_, enough) in guessed.items()}
            try:
                self._play(self.mind.state(world), bot.sides(world), ready, knowing, root)
            except MISTAKES:
                continue
        usual = sum(gain for _, gain in root.values()) / (sum(visits for visits, _ in root.values()) or 1.0)
        return {c: (gain + USUAL * usual) / (visits + USUAL) for c, (visits, gain) in root.items()}

    def _play(
        self,
        position: Position,
        sides: dict[int, frozenset[int]],
        ready: dict[int, float],
        knowing: set[int],
        root: Node,
    ) -> None:
        bot, insight, rng = self.bot, self.insight, self.rng
        path: list[tuple[int, list[float]]] = []
        trail: tuple[Any, ...] = ()  # what all have seen
        won: dict[frozenset[int], float] = {}  # by side: how likely it is to have won, the later the less it counts
        left = 1.0  # how likely it is that nobody has won yet
        for _ in range(LONG):
            if position.is_over:
                break
            actor, number = position.asked, position.number
            if actor is None:
                pool = position.pool()
                drawn: Choice = (pool[int(rng.random() * len(pool))],)
                trail += drawn
                position.apply(drawn, trusted=True)
                continue
            left *= LATER
            if insight.final[number]:
                chance = 1.0 if actor == bot.me else ready[actor]
                if chance and path and bot.can_win(self.mind, position, actor):
                    won[sides[actor]] = won.get(sides[actor], 0.0) + left * chance
                    left *= 1 - chance
                    if not left:
                        break
                options = bot._calm(position)
                choice = options[int(rng.random() * len(options))]
            elif insight.tells[number]:
                choice = bot._any(position, actor, rng)
            else:
                if path and actor not in knowing:
                    options = position.offers()
                    choice = options[int(rng.random() * len(options))]
                else:
                    node = self._node(position, actor, sides, trail) if path else root
                    choice = self._pick(node)
                    path.append((actor, node[choice]))
                trail += (actor, choice)
            position.apply(choice, trusted=True)
        for actor, entry in path:
            entry[0] += 1
            entry[1] += EVEN + sum((0.5 if actor in side else -0.5) * share for side, share in won.items())

    def _node(self, position: Position, actor: int, sides: dict[int, frozenset[int]], trail: tuple[Any, ...]) -> Node:
        """What was tried by somebody who is on this side, where all have seen this."""
        key = (actor, None if actor == self.bot.me else sides[actor], trail)
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = {c: [0.0, 0.0] for c in position.offers()}
        return node

    def _pick(self, node: Node) -> Choice:
        if not node:
            raise ValueError  # a guess that the rules cannot go on with
        best, value, visits = None, -1e9, sum(entry[0] for entry in node.values())
        start = int(self.rng.random() * len(node))
        entries = list(node.items())
        for choice, (tried, gain) in entries[start:] + entries[:start]:
            if not tried:
                return choice
            worth = gain / tried + EAGER * sqrt(log(visits + 1) / tried)
            if worth > value:
                best, value = choice, worth
        assert best is not None
        return best
