"""What a position is worth to a player who wants to win: who is on whose side, how far everybody is from his goal, and
what there is to be learnt from here. All of it follows from the rules and from what the player can know."""

from __future__ import annotations

import random
from math import log2
from typing import Any

from ..interpreter.evaluate import evaluate
from ..interpreter.slots import HEADER
from ..interpreter.state import State
from .goals import FAR, Known, Volatile, distance, goals_of, reckoner, whole
from .imagination import MISTAKES
from .thinker import Thinker

__all__ = ["Judge"]

WON = 1000.0  # what a sure way to win is worth
NEARER = 0.75  # what something one step farther away is worth


class Judge(Thinker):
    """Looks at some of the worlds it holds possible, and weighs what is good for it in them."""

    def __init__(self, game, seat: str):
        super().__init__(game, seat)
        self.me = game.vocabulary.seats[game.seat(seat)]
        self.seats = game.vocabulary.seats
        self.looked_at: list[tuple] = []  # the worlds that stand for all of them
        self.most = 1  # so many worlds there were at the beginning
        self._counted: int | None = None
        self._aims: dict[tuple, tuple] = {}  # world -> (my aim, those of my opponents, my allies)
        self._outlook: tuple | None = None
        self._secrecy: tuple = (None, {})

    def begin(self) -> None:
        super().begin()
        self.looked_at, self._aims, self.most = [], {}, 1

    def look(self, rng: random.Random) -> None:
        """Keep looking at the same worlds, as long as they are possible."""
        worlds = self.belief.worlds
        if len(worlds) == self._counted and self.looked_at and self.looked_at[0] in worlds:
            return
        self._counted = len(worlds)
        wanted = int(self.habits["worlds"])
        if len(worlds) <= wanted:
            self.looked_at = list(worlds)
            return
        possible = set(worlds)
        self.looked_at = [w for w in self.looked_at if w in possible]
        while len(self.looked_at) < wanted:
            world = rng.choice(worlds)
            if world not in self.looked_at:
                self.looked_at.append(world)

    # --- who is on whose side, and what for ---------------------------------------------------------------------------
    def aims(self, world: tuple) -> tuple:
        """In a world: how far I am from winning, how far each opponent is, and who wins with me."""
        found = self._aims.get(world)
        if found is None:
            v = self.world(world)
            memory = self.insight.memory.setdefault("aims", {})
            key = tuple([v[HEADER + slot] for slot in self.insight.dealt])
            if key not in memory:
                if len(memory) > 20_000:
                    memory.clear()
                memory[key] = {seat: self._aim(seat, v) for seat in self.seats}
            mine, allies = memory[key][self.me]
            rivals = dict.fromkeys(t for seat, (trees, _) in memory[key].items() if seat not in allies for t in trees)
            found = self._aims[world] = (mine, tuple(rivals), allies)
        return found

    def world(self, world: tuple) -> list:
        v = [None] * HEADER + self.belief.known
        for slot, index in self.belief.place.items():
            v[HEADER + slot] = world[index]
        return v

    def _aim(self, seat: int, v: list) -> tuple[tuple, frozenset]:
        """What a seat can win by in this world, and who wins with it."""
        game, trees, allies = self.game, {}, {seat}
        for goal in goals_of(game):
            winners = self._winners(goal, seat, v)
            if winners is None:
                continue
            allies.update(winners)
            tree = whole(game, goal, v, {} if goal.player is None else {goal.player: seat})
            if not isinstance(tree, Known) or tree.cost < FAR:
                trees[reckoner(game).compiled(tree)] = None
        return tuple(trees), frozenset(allies)

    def allies(self, world: tuple) -> frozenset:
        """Who wins with me, in a world."""
        memory = self.insight.memory.setdefault("allies", {})
        key = (self.me, tuple([self.belief.known[s] for s in self.owned_by(self.me)]), world)
        found = memory.get(key)
        if found is None:
            if len(memory) > 50_000:
                memory.clear()
            v = self.world(world)
            found = {self.me}
            for goal in goals_of(self.game):
                found.update(self._winners(goal, self.me, v) or ())
            found = memory[key] = frozenset(found)
        return found

    def _winners(self, goal, seat: int, v: list) -> tuple | None:
        """Who wins if a seat brings this end about; None if it does not win by it itself."""
        if goal.player is not None and seat not in goal.player.type.atoms:
            return None
        try:
            winners = reckoner(self.game).value(goal.winners, v, {} if goal.player is None else {goal.player: seat})
        except (*MISTAKES, Volatile):
            return None
        winners = winners if isinstance(winners, tuple) else (winners,)
        return winners if seat in winners else None

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
                mine = [self.belief.place[s] for s in self.owned_by(seat) if s in self.belief.place]
                found[seat] = log2(len({tuple([w[i] for i in mine]) for w in worlds})) if mine and worlds else 0.0
            self._secrecy = (worlds, found)
        return self._secrecy[1]

    def owned_by(self, seat: int) -> list[int]:
        """The slots of the secrets that a seat was dealt."""
        memory = self.insight.memory.setdefault("owned", {})
        if seat not in memory:
            memory[seat] = [slot for slot in self.insight.dealt if self._is_seen_by(seat, slot)]
        return memory[seat]

    def _is_seen_by(self, seat: int, slot: int) -> bool:
        function = self.insight.owned[slot]
        if function.view == "nobody":
            return False
        names = dict(zip(function.variables, self.belief._args(function, slot)))
        try:
            return seat in evaluate(function.view, (), names)
        except (IndexError, TypeError):
            return False

    # --- what a position is worth -------------------------------------------------------------------------------------
    def worth(self, v: list) -> float:
        """How good a position looks to me, over the worlds that I hold possible."""
        near = far = 0.0
        sure = True
        mine, rivals, count = self.outlook()
        for trees, weight in mine.items():
            d = min([tree(v) for tree in trees]) if trees else FAR
            near += weight * d
            sure = sure and not d
        for trees, weight in rivals.items():
            far += weight * min(6, *[tree(v) for tree in trees])
        value = -self.habits["goal"] * near / count + self.habits["hinder"] * far / count
        if sure:
            value += 8 if count < len(self.belief.worlds) else WON
        return value + self.habits["curiosity"] * self.promise(v)

    def outlook(self) -> tuple[dict, dict, int]:
        """The aims of all in the worlds that are looked at, each with the number of worlds it belongs to."""
        key = tuple(map(id, self.looked_at))
        if self._outlook is None or self._outlook[0] != key:
            mine: dict[tuple, int] = {}
            rivals: dict[tuple, int] = {}
            for world in self.looked_at:
                own, others, _ = self.aims(world)
                mine[own] = mine.get(own, 0) + 1
                if others:
                    rivals[others] = rivals.get(others, 0) + 1
            self._outlook = (key, mine, rivals, max(1, len(self.looked_at)))
        return self._outlook[1:]

    def promise(self, v: list) -> float:
        """What there is to be learnt from here: those who can be questioned now, and those who soon can."""
        secrecy = self.secrecy()
        now: dict[int, float] = {}
        soon = 0.0
        for tree, answerers in self.openings():
            steps = tree(v)
            value = max([secrecy[a] for a in answerers])
            if steps == 0:
                for a in answerers if len(answerers) == 1 else answerers[:1]:
                    now[a] = max(now.get(a, 0.0), value)
            elif steps < FAR:
                soon = max(soon, value * NEARER**steps)
        return 0.4 * (sum(now.values()) + 0.5 * soon)

    def openings(self) -> list[tuple[Any, tuple[int, ...]]]:
        """Conditions under which somebody can be questioned, and who would have to answer: found by trying, in some
        game that has nothing to do with this one."""
        memory = self.insight.memory.setdefault("openings", {})
        if self.me not in memory:
            memory[self.me] = list(self._find_openings(self.game.new(0).v, random.Random(1)))
        return memory[self.me]

    def _find_openings(self, v: list, rng: random.Random):
        for node in self.game.program.nodes:
            if node.kind != "ask" or node.planned:
                continue
            asked = node.step.at["ask"]
            if asked.op not in ("const", "var") or self.me not in (
                asked.type.atoms if asked.op == "var" else asked.args
            ):
                continue
            names = {asked.args[0].origin: self.me} if asked.op == "var" else {}
            for alternative in node.step.alternatives or [None]:
                parts = [*node.step.parts, *(alternative.parts if alternative else ())]
                if not parts or parts[0].shape != "one" or parts[0].source.op != "filter":
                    continue
                var, source, test = parts[0].source.args
                try:
                    pool = reckoner(self.game).value(source, v, names)
                except (*MISTAKES, Volatile):
                    continue
                for element in pool:
                    tree = distance(self.game, test, v, {**names, var: element})
                    if isinstance(tree, Known):
                        continue
                    found = self._who_answers(v, node, names, alternative, element, tree, rng)
                    if found:
                        yield reckoner(self.game).compiled(tree), tuple(sorted(found))

    def _who_answers(self, v: list, node, names: dict, alternative, element: int, tree, rng: random.Random) -> set[int]:
        found: set[int] = set()
        for _ in range(10):
            state = State(self.game, v.copy())
            state.v[0], state.v[2] = node.number, None
            state.v[self.game.program.return_slot[node.rule.shape]] = -1  # what comes after it is of no interest
            for var, value in names.items():
                state.v[HEADER + var.slot] = value
            try:
                tree.grant(state.v)
                choices = [
                    c
                    for c in node.legal(state.v)
                    if (c[1] if alternative else c[0]) == element and (alternative is None or c[0] == alternative.atom)
                ]
                state.apply(choices[int(rng.random() * len(choices))], trusted=True)
                for _ in range(6):
                    here = self.game.program.nodes[state.v[0]]
                    if here.kind != "ask":
                        break
                    actor = here.actor(state.v)
                    if actor != self.me:
                        if self.insight.tells[here.number]:
                            found.add(actor)
                        break
                    options = self._calm(here, state)
                    state.apply(options[int(rng.random() * len(options))], trusted=True)
            except MISTAKES:
                continue
        return found

    def _calm(self, node, state: State) -> list[tuple]:
        """Choices that do not end the game; quickly, if there is one without anything to be named in it."""
        avoided = self.insight.final[node.number] | self.insight.grave[node.number]
        if avoided:
            for alternative in node.step.alternatives:
                if (
                    alternative.atom not in avoided
                    and not alternative.parts
                    and node.allows(state.v, (alternative.atom,))
                ):
                    return [(alternative.atom,)]
        choices = node.legal(state.v)
        return [c for c in choices if c[0] not in avoided] or choices
