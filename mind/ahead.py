"""A player that looks ahead: in any game, by playing out what may be."""

from __future__ import annotations

import random
from collections import Counter
from math import log2
from time import monotonic
from typing import TYPE_CHECKING

from .deducer import CHANCE_TO_WIN, DeducerBot, Held, Secret
from .goals import FAR, goals_of
from .hurry import LATE
from .imagination import MISTAKES, Imagination, insight
from .now import Now
from .race import Race
from .search import Declarations, Search
from .thinker import FEW, HALF

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from ..interpreter.game import Game
    from ..interpreter.player import Player
    from ..interpreter.position import Position
    from ..interpreter.state import Choice
    from .belief import World

__all__ = ["ForesightBot", "ThinkerBot"]

NEARER = 0.8  # what something one step farther away is worth
THOUGHT = 1.0  # seconds after which it is worth while to have the rules compiled
UNTIL = 1_000_000  # positions that are played out where only time counts
MANY = 64  # choices of which it is looked at what they tell
AHEAD = 4  # decisions of others that are waited for to be told something
CURIOUS = 0.5  # what it is worth to be told all that can be told, as a share of what can be gained
SOON = 60  # decisions within which one expects to be asked again
TRIALS = 24  # games in which it is tried
LITTLE = 0.6  # how much of what was unknown may still be so when it is looked who will be first
WINNING = 30.0  # what it is worth to win, beside what it is worth to learn something


def losing(game: Game) -> frozenset[int]:
    """The questions at which something can be said that ends the game and, where it is wrong, loses it: whoever said it
    is never asked this question again. Found by trying, in some games that have nothing to do with this one."""
    memory = insight(game).memory
    if "losing" not in memory:
        found: dict[int, list[bool]] = {}
        for seed in range(TRIALS):
            rng, position = random.Random(seed), game.beginning(seed)
            for _ in range(SOON):
                if position.over:
                    break
                try:
                    if position.asked is not None and len(found.get(position.number, ())) < TRIALS // 4:
                        _try_wrongly(game, position, rng, found)
                    position.apply(position.sample(rng, habits=True), trusted=True)
                except MISTAKES:
                    break
        memory["losing"] = frozenset(number for number, lost in found.items() if all(lost))
    numbers: frozenset[int] = memory["losing"]
    return numbers


def _try_wrongly(game: Game, position: Position, rng: random.Random, found: dict[int, list[bool]]) -> None:
    number, actor = position.number, position.asked
    final = insight(game).final[number] | insight(game).grave[number]
    choices = position.offers()
    bold = [c for c in choices if c[0] in final and len(c) > 1]  # something is named that may be wrong
    if not bold or len(bold) == len(choices):
        return
    after = position.clone()
    after.apply(rng.choice(bold), trusted=True)
    for _ in range(SOON):
        if after.over:
            if actor not in after.winners:
                found.setdefault(number, []).append(True)
            return
        if after.number == number and after.asked == actor:
            break
        after.apply(after.sample(rng, habits=True), trusted=True)
    found.setdefault(number, []).append(not (after.number == number and after.asked == actor))


def _told_in_all(found: Counter[Hashable]) -> float:
    """How many bits are told, in all tries together, by which of these came."""
    whole = found.total()
    return -sum(n * log2(n / whole) for n in found.values())


class ForesightBot(DeducerBot):
    """Plays out positions that it holds possible; where secrets are dealt once, it goes by what they tell."""

    iterations = 80
    worlds = 16  # in which it is tried what a choice would tell
    daring = 0.95  # how likely it must be to win before it says what may lose the game
    patience = 1.0  # how much less likely it may be each time that nothing was learnt since the last time
    _waited: tuple[object, int] = (None, 0)  # what was known when it was asked last, and how often it was the same

    def choose(self, player: Player, rng: random.Random) -> Choice:
        if not isinstance(self.belief, Now):
            return super().choose(player, rng)
        choices = list(dict.fromkeys(player.legal()))
        if len(choices) == 1:
            return choices[0]
        self.read(player)
        belief = self.belief
        assert isinstance(belief, Now)
        if belief.failed:
            return player.sample(rng)
        dared, choices = self._weighed(player, choices, rng)
        if dared is not None or len(choices) == 1:
            return choices[0] if dared is None else dared
        bonus = self._telling(choices, rng)
        luck, begun = random.Random(rng.random()), monotonic()
        memory = self.insight.memory
        self.game.workshop.library(make=memory.get("thought", 0.0) > THOUGHT)  # compiled beside, for the next decisions
        search = Search(self.game, self.seat, luck, self.nearness, self.declaring, self.declarations())
        if self.seconds is None:
            found = search.think(belief.courses.worlds(), choices, self.iterations, None, bonus)
        else:
            found = search.think(belief.courses.worlds(), choices, UNTIL, lambda: self.hurry.past(LATE), bonus)
        memory["thought"] = memory.get("thought", 0.0) + monotonic() - begun
        return found

    def _weighed(self, player: Player, choices: list[Choice], rng: random.Random) -> tuple[Choice | None, list[Choice]]:
        """What may be said at once, because it is likely enough to win; and what is left to think about: nothing that
        loses the game where it is wrong."""
        question = player.question()
        final = self.insight.final[question.number] | self.insight.grave[question.number]
        bold = [c for c in choices if c[0] in final]
        calm = [c for c in choices if c[0] not in final]
        if not bold or not calm:
            return None, choices
        if question.number not in losing(self.game):
            return None, choices
        mind = Imagination(self.belief, question, self.last_seen)
        odds = self.chances(mind, bold, rng)
        best = max(odds.values(), default=0.0)
        known = (question.number, frozenset(self.belief.worlds))
        self._waited = (known, self._waited[1] + 1 if self._waited[0] == known else 0)
        if best and best >= self.daring * self.patience ** self._waited[1]:
            return rng.choice([c for c, p in odds.items() if p == best]), calm
        return None, calm

    def _telling(self, choices: list[Choice], rng: random.Random) -> dict[Choice, float]:
        """Where a game is won by knowing: how much is told by what follows a choice, beside what can be told."""
        belief = self.belief
        assert isinstance(belief, Now)
        if not losing(self.game) or len(belief.worlds) == 1 or len(choices) > MANY:
            return {}
        worlds = [belief.courses.draw(rng) for _ in range(self.worlds)]
        most = 2 * _told_in_all(Counter(tuple(world.cells()) for world in worlds))
        if not most:
            return {}
        found = dict.fromkeys(choices, 0.0)
        for luck in (rng.random(), rng.random()):  # the same in all worlds: what others just happen to do tells nothing
            for choice in choices:
                if self.hurry.past(HALF):
                    return {}
                told = Counter(self._told_then(world.clone(), choice, random.Random(luck)) for world in worlds)
                found[choice] += _told_in_all(told)
        return {choice: CURIOUS * bits / most for choice, bits in found.items()}

    def _told_then(self, position: Position, choice: Choice, rng: random.Random) -> Hashable:
        """What I am told until I am asked again, if the others choose anyhow."""
        try:
            position.apply(choice, trusted=True)
            for _ in range(AHEAD):
                if position.over or position.asked == self.me:
                    break
                asked = self.declaring(position)
                position.apply(rng.choice(asked[1]) if asked else position.sample(rng, habits=True), trusted=True)
        except MISTAKES:
            return None
        return tuple(position.seen_rows(self.mask))

    def recall(self, player: Player, choice: Choice) -> None:
        if not isinstance(self.belief, Now):
            super().recall(player, choice)

    def declaring(self, position: Position) -> tuple[Sequence[int], Sequence[Choice]] | None:
        """Who wins if the one who is asked says rightly what ends the game, and what he can do instead."""
        actor = position.asked
        if actor is None or position.number not in losing(self.game):
            return None
        winners = self.declarers(position)
        if winners is None:
            return None
        final = self.insight.final[position.number] | self.insight.grave[position.number]
        plain = [(a,) for a in self.insight.plain[position.number] if a not in final and position.allows((a,))]
        calm: list[Choice] = [*plain] or [c for c in position.offers() if c[0] not in final]
        return (winners, calm) if calm else None

    def declarations(self) -> Declarations:
        """The same for compiled rules."""
        claims = {}
        for number in losing(self.game):
            final = self.insight.final[number] | self.insight.grave[number]
            claims[number] = tuple(a for a in self.insight.plain[number] if a not in final), tuple(final)
        return Declarations(claims, self.insight.dealt, self.declarers)

    def declarers(self, position: Position) -> tuple[int, ...] | None:
        """Who wins if the one who is asked says rightly what ends the game: by what was dealt."""
        actor = position.asked
        assert actor is not None
        memory: dict[tuple[object, ...], tuple[int, ...] | None] = self.insight.memory.setdefault("declarers", {})
        key = (actor, self._dealt(position))
        if key not in memory:
            if len(memory) > 20_000:
                memory.clear()
            found = (self._winners(goal, actor, position) for goal in goals_of(self.game))
            memory[key] = next((winners for winners in found if winners is not None), None)
        return memory[key]

    def nearness(self, position: Position) -> Sequence[float] | None:
        """For a game that takes too long to be played out: how near each seat is to winning, beside the others."""
        near = []
        for seat in self.seats:
            trees, _ = self._aim(seat, position)
            steps = min([tree(position) for tree in trees], default=FAR)
            near.append(NEARER ** min(steps, FAR))
        most = sum(near)
        return None if max(near) <= NEARER**FAR else [x / most for x in near]


class ThinkerBot(ForesightBot):
    """Thinks longer. Where secrets are dealt once, it looks who will be first to say what he knows, tells others no
    more than it must, by what they hold themselves, and dares what is likely enough to win."""

    iterations = 400
    patiently = 4
    worlds = 48
    daring = 0.9
    patience = 0.9
    boldness = 0.15  # how much likelier than by chance it must be to win, where whoever is first to know wins

    def lure(self) -> float:
        return 0.0 if self.is_race() else CHANCE_TO_WIN  # then it is looked how they will choose

    def is_race(self) -> bool:
        """Is it only a matter of saying what one knows, and so much known that somebody may soon know all?"""
        return any(self.insight.timeless.values()) and self.ignorance() <= LITTLE

    def foreseen(self, mind: Imagination, choices: list[Choice], rng: random.Random) -> dict[Choice, float]:
        if not self.is_race() or len(choices) > FEW:
            return {}
        race = Race(self, mind, random.Random(rng.random()))
        if self.seconds is None:
            found = race.run(choices, self.iterations // 2)
        else:
            found = race.run(choices, UNTIL, lambda: self.hurry.past(LATE))
        return {c: WINNING * gain for c, gain in found.items()}

    def guessed_knowledge(self, seat: int, world: World) -> tuple[float, float]:
        """How likely somebody is to know who is on his side, and to know enough to win: about as likely as I am."""
        known = 1 - self.ignorance()
        return known, 0.0 if seat in self.waiting else known**3 / 2

    def told_by(self, seat: int, before: frozenset[Secret], possible: frozenset[Secret]) -> float:
        """As far as I can know what he holds himself, and of which there is only one."""
        mine, total, whole = self.owned_by(self.me), 0.0, 0.0
        held: dict[Held, float] = {}
        for world in self.belief.worlds[:MANY]:
            has, weight = self._held(seat, world, self.insight.unique), self.belief.weights.get(world, 1.0)
            held[has] = held.get(has, 0.0) + weight
        for has, weight in held.items():
            free = self._free(before, mine, has)
            total += weight * log2(max(1, len(free)) / max(1, len(free & possible)))
            whole += weight
        return total / whole if whole else 0.0

    def dare(self, mind: Imagination, bold: list[Choice], rng: random.Random) -> Choice | None:
        sure = super().dare(mind, bold, rng)
        worlds = self.belief.worlds
        if sure is not None or not bold or not worlds or isinstance(self.belief, Now):
            return sure
        weights = [self.belief.weights.get(world, 1.0) for world in worlds]
        enough = self.boldness + len(self.allies(worlds[0])) / len(self.seats)
        if len(bold) > FEW and max(weights) < enough / 2 * sum(weights):
            return None  # each of so many can be right in few worlds only
        odds = self.chances(mind, bold, rng)
        best = max(odds.values(), default=0.0)
        return rng.choice([c for c, p in odds.items() if p == best]) if best >= enough else None


def of_strength(iterations: int) -> type[ThinkerBot]:
    """A thinker that plays out so many positions for each decision, and looks at the rest as patiently."""
    patiently = min(2 * ThinkerBot.patiently, max(1, iterations // 100))
    return type("ThinkerBot", (ThinkerBot,), {"iterations": iterations, "patiently": patiently})
