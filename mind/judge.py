"""What a position is worth to a player who wants to win: who is on whose side, how far everybody is from his goal, and
what there is to be learnt from here. All of it follows from the rules and from what the player can know."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from math import log2
from typing import TYPE_CHECKING

from ..interpreter.model import Alternative
from ..interpreter.trees import expression_at
from .belief import World, is_seen_by, parts_of
from .goals import FAR, Distance, Goal, Known, Tree, Volatile, distance, goals_of, reckoner, whole
from .imagination import MISTAKES
from .thinker import Thinker

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.position import Position
    from ..interpreter.state import Choice

__all__ = ["Judge"]

WON = 1000.0  # what a sure way to win is worth
NEARER = 0.75  # what something one step farther away is worth
NEAR = [NEARER**steps for steps in range(FAR)]

Aim = tuple[Distance, ...]  # all the ways to win that somebody has
Outlook = tuple[list[tuple[Distance, int]], list[tuple[Distance, int]], int]
Openings = tuple[Callable[["Position"], Sequence[Sequence[int]]], list[tuple[int, ...]]]


class Judge(Thinker):
    """Looks at some of the worlds it holds possible, and weighs what is good for it in them."""

    patiently = 1  # how many times as many worlds and ways as usual it looks at, and as often it tries a choice

    def __init__(self, game: Game, seat: str):
        super().__init__(game, seat)
        self.me = game.vocabulary.seats[game.seat(seat)]
        self.seats = game.vocabulary.seats
        self.looked_at: list[World] = []  # the worlds that stand for all of them
        self.most = 1  # so many worlds there were at the beginning
        self._counted: int | None = None
        self._aims: dict[World, tuple[Aim, Aim]] = {}
        self._allies: dict[World, frozenset[int]] = {}
        self._sides: dict[World, dict[int, frozenset[int]]] = {}
        self._outlook: tuple[tuple[int, ...], Outlook] | None = None
        self._secrecy: tuple[list[World] | None, dict[int, float]] = (None, {})

    def begin(self) -> None:
        super().begin()
        self.looked_at, self._aims, self._allies, self._sides, self.most = [], {}, {}, {}, 1

    def look(self, rng: random.Random) -> None:
        """Keep looking at the same worlds, as long as they are possible."""
        worlds = self.belief.worlds
        if len(worlds) == self._counted and self.looked_at and self.belief.holds(self.looked_at[0]):
            return
        self._counted = len(worlds)
        wanted = int(self.habits["worlds"]) * self.patiently
        if len(worlds) <= wanted:
            self.looked_at = list(worlds)
            return
        self.looked_at = [w for w in self.looked_at if self.belief.holds(w)]
        while len(self.looked_at) < wanted:
            world = rng.choice(worlds)
            if world not in self.looked_at:
                self.looked_at.append(world)

    # --- who is on whose side, and what for ---------------------------------------------------------------------------
    def aims(self, world: World) -> tuple[Aim, Aim]:
        """In a world: what I can win by, and what my opponents can."""
        found = self._aims.get(world)
        if found is None:
            everybody = self._everybody(world)
            mine, allies = everybody[self.me]
            rivals = dict.fromkeys(t for seat, (trees, _) in everybody.items() if seat not in allies for t in trees)
            found = self._aims[world] = (mine, tuple(rivals))
        return found

    def sides(self, world: World) -> dict[int, frozenset[int]]:
        """In a world: who wins with whom."""
        found = self._sides.get(world)
        if found is None:
            found = self._sides[world] = {seat: allies for seat, (_, allies) in self._everybody(world).items()}
        return found

    def _everybody(self, world: World) -> dict[int, tuple[Aim, frozenset[int]]]:
        """In a world: what each seat can win by, and who wins with it."""
        position = self.world(world)
        memory: dict[World, dict[int, tuple[Aim, frozenset[int]]]] = self.insight.memory.setdefault("aims", {})
        key = self._dealt(position)
        if key not in memory:
            if len(memory) > 20_000:
                memory.clear()
            memory[key] = {seat: self._aim(seat, position) for seat in self.seats}
        return memory[key]

    def world(self, world: World) -> Position:
        """What I have seen, and the rest as it would be in a world; nothing is asked."""
        return self.game.position(None, self.belief.known).placed(self.belief.place, world)

    def _dealt(self, position: Position) -> World:
        """The secrets of all that stay as they were dealt."""
        cells = position.cells()
        return tuple([cells[cell] for cell in self.insight.dealt])

    def _aim(self, seat: int, position: Position) -> tuple[Aim, frozenset[int]]:
        """What a seat can win by in this world, and who wins with it."""
        game, allies = self.game, {seat}
        trees: dict[Distance, None] = {}
        for goal in goals_of(game):
            winners = self._winners(goal, seat, position)
            if winners is None:
                continue
            allies.update(winners)
            tree = whole(game, goal, position, {} if goal.player is None else {goal.player: seat})
            if not isinstance(tree, Known) or tree.cost < FAR:
                trees[reckoner(game).compiled(tree)] = None
        return tuple(trees), frozenset(allies)

    def allies(self, world: World) -> frozenset[int]:
        """Who wins with me, in a world."""
        found = self._allies.get(world)
        if found is not None:
            return found
        memory: dict[World, frozenset[int]] = self.insight.memory.setdefault("allies", {})
        key = (self.me, tuple([self.belief.known[cell] for cell in self.owned_by(self.me)]), world)
        found = memory.get(key)
        if found is None:
            if len(memory) > 50_000:
                memory.clear()
            position, allies = self.world(world), {self.me}
            for goal in goals_of(self.game):
                allies.update(self._winners(goal, self.me, position) or ())
            found = memory[key] = frozenset(allies)
        self._allies[world] = found
        return found

    def _winners(self, goal: Goal, seat: int, position: Position) -> tuple[int, ...] | None:
        """Who wins if a seat brings this end about; None if it does not win by it itself."""
        if goal.player is not None and seat not in goal.player.type.atoms:
            return None
        try:
            names = {} if goal.player is None else {goal.player: seat}
            winners = reckoner(self.game).value(goal.winners, position, names)
        except (*MISTAKES, Volatile):
            return None
        together: tuple[int, ...] = winners if isinstance(winners, tuple) else (winners,)
        return together if seat in together else None

    def ignorance(self) -> float:
        """How much of what I did not know at the beginning I still do not know, from 0 to 1."""
        self.most = max(self.most, len(self.belief.worlds))
        return log2(len(self.belief.worlds)) / log2(self.most) if self.most > 1 else 0.0

    def secrecy(self) -> dict[int, float]:
        """How much there is to learn from each seat: how many times its secrets would have to be halved."""
        worlds = self.belief.worlds
        if self._secrecy[0] is not worlds:
            found = {}
            for seat in self.seats:
                mine = [self.belief.place[cell] for cell in self.owned_by(seat) if cell in self.belief.place]
                found[seat] = log2(len({tuple([w[i] for i in mine]) for w in worlds})) if mine and worlds else 0.0
            self._secrecy = (worlds, found)
        return self._secrecy[1]

    def owned_by(self, seat: int) -> list[int]:
        """The cells of the secrets that a seat was dealt."""
        memory: dict[int, list[int]] = self.insight.memory.setdefault("owned", {})
        if seat not in memory:
            memory[seat] = [cell for cell, function in self.insight.owned.items() if is_seen_by(seat, function, cell)]
        return memory[seat]

    # --- what a position is worth -------------------------------------------------------------------------------------
    def worth(self, position: Position) -> float:
        """How good a position looks to me, over the worlds that I hold possible."""
        near = far = 0.0
        sure = True
        mine, rivals, count = self.outlook()
        for steps, weight in mine:
            d = steps(position)
            near += weight * d
            sure = sure and not d
        for steps, weight in rivals:
            d = steps(position)
            far += weight * (d if d < 6 else 6)
        value = -self.habits["goal"] * near / count + self.habits["hinder"] * far / count
        if sure:
            value += 8 if count < len(self.belief.worlds) else WON
        return value + self.habits["curiosity"] * self.promise(position)

    def outlook(self) -> Outlook:
        """How far I am from winning in the worlds that are looked at, and how far the others are, each with the number
        of worlds it belongs to."""
        key = tuple(map(id, self.looked_at))
        if self._outlook is None or self._outlook[0] != key:
            mine: dict[Aim, int] = {}
            rivals: dict[Aim, int] = {}
            for world in self.looked_at:
                own, others = self.aims(world)
                mine[own] = mine.get(own, 0) + 1
                if others:
                    rivals[others] = rivals.get(others, 0) + 1
            near, far = ([(_nearest(aim), weight) for aim, weight in aims.items()] for aims in (mine, rivals))
            self._outlook = (key, (near, far, max(1, len(self.looked_at))))
        return self._outlook[1]

    def promise(self, position: Position) -> float:
        """What there is to be learnt from here: those who can be questioned now, and those who soon can."""
        secrecy = self.secrecy()
        now: dict[int, float] = {}
        soon = 0.0
        look, openings = self.openings()
        for several, answerers in zip(look(position), openings, strict=True):
            steps = min(several)
            if steps >= FAR:
                continue
            value = secrecy[answerers[0]] if len(answerers) == 1 else max([secrecy[a] for a in answerers])
            if steps == 0:
                first = answerers[0]
                now[first] = max(now.get(first, 0.0), value)
                steps = min([d for d in several if d], default=FAR)
                if steps >= FAR:
                    continue
            soon = max(soon, value * NEAR[steps])
        return 0.4 * (sum(now.values()) + 0.5 * soon)

    def openings(self) -> Openings:
        """How far it is to the conditions under which somebody can be questioned, and who would have to answer: found
        by trying, in some game that has nothing to do with this one."""
        memory: dict[int, Openings] = self.insight.memory.setdefault("openings", {})
        if self.me not in memory:
            groups: dict[tuple[int, ...], list[Tree]] = {}
            for tree, answerers in self._find_openings(self.game.beginning(0), random.Random(1)):
                groups.setdefault(answerers, []).append(tree)
            memory[self.me] = reckoner(self.game).together([*groups.values()]), [*groups]
        return memory[self.me]

    def _find_openings(self, position: Position, rng: random.Random) -> Iterator[tuple[Tree, tuple[int, ...]]]:
        for node in self.game.program.nodes:
            if node.kind != "ask" or node.planned or node.step is None:
                continue
            asked = expression_at(node.step, "ask")
            if asked.op not in ("const", "var") or self.me not in (
                asked.type.atoms if asked.op == "var" else asked.args
            ):
                continue
            names = {asked.args[0].origin: self.me} if asked.op == "var" else {}
            alternatives: list[Alternative | None] = [*node.step.alternatives] or [None]
            for alternative in alternatives:
                parts = parts_of(node.step, alternative)
                if not parts or parts[0].shape != "one" or parts[0].source.op != "filter":
                    continue
                var, source, test = parts[0].source.args
                try:
                    pool = reckoner(self.game).value(source, position, names)
                except (*MISTAKES, Volatile):
                    continue
                for element in pool:
                    tree = distance(self.game, test, position, {**names, var: element})
                    if isinstance(tree, Known):
                        continue
                    asking = position.at(node.number, names)
                    found = self._who_answers(asking, alternative, element, tree, rng)
                    if found:
                        yield tree, tuple(sorted(found))

    def _who_answers(
        self, asking: Position, alternative: Alternative | None, element: int, tree: Tree, rng: random.Random
    ) -> set[int]:
        found: set[int] = set()
        for _ in range(10):
            position = asking.clone()
            try:
                tree.grant(position)
                choices = [
                    c
                    for c in position.offers()
                    if (c[1] if alternative else c[0]) == element and (alternative is None or c[0] == alternative.atom)
                ]
                position.apply(choices[int(rng.random() * len(choices))], trusted=True)
                for _ in range(6):
                    actor = position.asked
                    if actor is None:
                        break
                    if actor != self.me:
                        if self.insight.tells[position.number]:
                            found.add(actor)
                        break
                    options = self._calm(position)
                    position.apply(options[int(rng.random() * len(options))], trusted=True)
            except MISTAKES:
                continue
        return found

    def _calm(self, position: Position) -> list[Choice]:
        """Choices that do not end the game; quickly, if there is one without anything to be named in it."""
        avoided = self.insight.final[position.number] | self.insight.grave[position.number]
        if avoided:
            for alternative in self.insight.plain[position.number]:
                if alternative not in avoided and position.allows((alternative,)):
                    return [(alternative,)]
        choices = position.offers()
        return [c for c in choices if c[0] not in avoided] or choices


def _nearest(aim: Aim) -> Distance:
    """How far it is to the nearest of several ways to win."""
    if len(aim) == 1:
        return aim[0]
    return lambda position: min([steps(position) for steps in aim], default=FAR)
