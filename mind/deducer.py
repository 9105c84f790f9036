"""A player that thinks: it asks what tells it most, tells opponents least and partners most, goes where it can win, and
declares only when it is certain. It knows no game: all it goes by are the rules, its log, and the habits they give
it."""

from __future__ import annotations

import copy
import random
from math import log2

from ..interpreter.blocks import OVER
from ..interpreter.observe import seen_rows
from ..interpreter.slots import HEADER
from ..interpreter.state import State
from .imagination import MISTAKES, Imagination
from .judge import Judge
from .thinker import FEW, Place

__all__ = ["DeducerBot"]

CHANCE_TO_WIN = 20.0  # what it is worth to be where one can win, for one who knows how
READY, FEARED = 0.5, 0.4  # how likely a partner is to know it, and how likely an opponent is thought to
MANY = 250  # worlds that are enough to see how much is learnt
AHEAD = 14  # decisions of others that are imagined


class DeducerBot(Judge):
    """Plans, asks and answers as it judges best."""

    def __init__(self, game, seat: str):
        super().__init__(game, seat)
        self.mask = 1 << game.seat(seat)
        self.plan: list[tuple] = []
        self.told: dict[int, frozenset[tuple]] = {}  # to whom: which of my secrets still seem possible to him
        self.waiting: set[int] = (
            set()
        )  # allies who could have won with me and did not know enough, and have heard nothing since

    def begin(self) -> None:
        super().begin()
        self.plan, self.told, self.waiting = [], {}, set()

    def recall(self, place: Place, choice: tuple) -> None:
        question = place.question()
        if self.insight.tells[question.node]:
            self.read(place)
            if self.belief.worlds:
                mind = Imagination(self.belief, question, self.last_seen)
                self._tell(mind, mind.state(self.belief.worlds[0]), place.legal(), choice)

    # --- choosing -----------------------------------------------------------------------------------------------------
    def choose(self, place: Place, rng: random.Random) -> tuple:
        question = place.question()
        node = self.game.program.nodes[question.node]
        planned = node.planned and question.planning is not None
        if planned and self.plan:
            choice = self.plan.pop(0)
            if place.is_legal(choice):
                return choice
        self.plan = []
        self.read(place)
        if not self.belief.worlds:
            return self.decide(place, question, rng)[1][0] if self.is_grave(question.node) else place.sample(rng)
        self.look(rng)
        mind = Imagination(self.belief, question, self.last_seen)
        if planned:
            return self.make_plan(place, mind, rng)
        if self.is_grave(question.node):
            dared, choices = self.decide(place, question, rng)
            if dared is not None:
                return dared
            self.let_pass(mind, node)
        else:
            choices = place.legal()
        if len(choices) == 1:
            return choices[0]
        try:
            if self.insight.tells[question.node]:
                return self.answer(mind, choices, rng)
            return self.best(mind, choices, rng)
        except MISTAKES:
            return rng.choice(choices)

    def read(self, place: Place) -> list[tuple]:
        rows = super().read(place)
        for row in rows if self.waiting else ():
            if self.me not in row[1:]:
                self.waiting.difference_update(x for x in row[1:] if not isinstance(x, tuple))
        return rows

    def let_pass(self, mind: Imagination, node) -> None:
        """A chance to win that I dare not take: whoever could take it as well and does not knows no more than I."""
        world = self.looked_at[0]
        if self._winning(mind, mind.state(world), node, self.me):
            self.waiting |= self.allies(world) - {self.me}

    # --- plans --------------------------------------------------------------------------------------------------------
    def make_plan(self, place: Place, mind: Imagination, rng: random.Random) -> tuple:
        """Try out what can be done, go on from what looks best, and keep to the best way that may be gone to its
        end."""
        start = mind.trial()
        beam: list[tuple[float, State, list[tuple]]] = [(0.0, start, [])]
        best: tuple[float, list[tuple]] | None = None
        seen: dict[tuple, None] = {}
        size = HEADER + self.game.program.state_slots
        breadth = int(self.habits["breadth"])
        for _ in range(12):
            further = []
            for _, state, way in beam:
                node = self.game.program.nodes[state.v[0]]
                try:
                    choices = node.legal(state.v)
                except MISTAKES:
                    continue
                for choice in choices:
                    after = state.clone()
                    try:
                        after._go(choice)
                    except MISTAKES:
                        continue
                    fits = mind.fits(after)
                    if fits is False:
                        continue
                    key = (fits, *after.v[HEADER:size])
                    if key in seen:
                        continue
                    seen[key] = None
                    value = self.worth(after.v) + rng.random() * 0.01
                    if fits:
                        if best is None or value > best[0]:
                            best = (value, [*way, choice])
                    else:
                        further.append((value, after, [*way, choice]))
            further.sort(key=lambda row: -row[0])
            beam = further[:breadth]
            if not beam:
                break
        if best is None:
            return place.sample(rng)
        choice, *self.plan = best[1]
        return choice if place.is_legal(choice) else place.sample(rng)

    # --- questions ----------------------------------------------------------------------------------------------------
    def best(self, mind: Imagination, choices: list[tuple], rng: random.Random) -> tuple:
        """What leads to the best position, or tells most."""
        world = self.looked_at[0]
        start = mind.state(world)
        quiet: dict[tuple, float] = {}
        asking: list[tuple] = []
        if len(choices) > 200:
            choices = rng.sample(choices, 200)
        for choice in choices:
            after = mind.after(start, choice)
            if after is None:
                asking.append(choice)
                continue
            node = self.game.program.nodes[after.v[0]]
            quiet[choice] = self.worth(after.v)
            if node.kind != "ask" or node.actor(after.v) != self.me:
                asking.append(choice)
        worth = quiet
        if asking and len(choices) <= FEW:
            tries = int(self.habits["samples"]) * (2 if len(asking) <= 6 else 1)
            some = self.belief.worlds
            if len(some) > MANY:
                some = rng.sample(some, MANY)
            worlds = [rng.choice(some) for _ in range(tries)]
            luck = [rng.random() for _ in range(tries)]  # the same for all choices, so that they can be compared
            worth = {c: quiet.get(c, 0.0) for c in choices}
            for choice in asking:
                tried = [self._imagine(mind, choice, world, some, random.Random(x)) for world, x in zip(worlds, luck)]
                worth[choice] += sum(tried) / tries
        best = max(worth.values())
        return rng.choice([c for c, value in worth.items() if value >= best - 1e-9])

    def _imagine(self, mind: Imagination, choice: tuple, world: tuple, some: list[tuple], rng: random.Random) -> float:
        """What a choice will have told me and others, and which chances to win it will have given."""
        state = mind.after(mind.state(world), choice)
        if state is None:
            return 0.0
        chances, others = 0.0, 0
        nodes = self.game.program.nodes
        allies = self.allies(world)
        try:
            for _ in range(AHEAD * 2):
                v = state.v
                node = nodes[v[0]]
                if node.kind == "over":
                    break
                if node.kind == "chance":
                    pool = v[node.pool]
                    state.apply((pool[int(rng.random() * len(pool))],), trusted=True)
                    continue
                actor = node.actor(v)
                final = self.insight.final[node.number]
                if final:
                    winning = self._winning(mind, state, node, actor)
                    if winning and actor == self.me:
                        chances += self._is_sure(mind, state, winning)
                    elif winning:
                        chances += self._readiness(actor, world) * (
                            READY if actor in allies else -FEARED * self.habits["hinder"]
                        )
                if actor == self.me:
                    if not final and not self.insight.tells[node.number]:
                        break
                else:
                    others += 1
                    if others > AHEAD:
                        break
                state.apply(self._any(node, state, actor, rng), trusted=True)
        except MISTAKES:
            pass
        thought = copy.copy(self.belief)
        thought.known, thought.worlds = self.belief.known.copy(), some
        for row in seen_rows(state.v[1], self.mask):
            try:
                thought._look_at(row)
            except MISTAKES:
                break
        bits = log2(len(some) / len(thought.worlds)) if thought.worlds else 0.0
        if len(thought.worlds) == 1 < len(some):
            bits += self.habits["certainty"]
        bits += self.habits["company"] * (self._doubt(some) - self._doubt(thought.worlds))
        return CHANCE_TO_WIN * chances + self.habits["curiosity"] * (bits + self._learnt_by_others(state, allies))

    def _readiness(self, seat: int, world: tuple) -> float:
        """How likely somebody is to know enough to win, as far as I can tell: not while he cannot know me, and
        otherwise as likely as I am to know it myself."""
        mine = self.owned_by(self.me)
        if seat in self.waiting or mine and seat not in self.told:
            return 0.0
        if mine and len(self._free(self.told[seat], mine, self._held(seat, world, self.insight.unique))) > 1:
            return 0.0
        return (1 - self.ignorance()) ** 2

    def _doubt(self, worlds: list[tuple]) -> float:
        """How uncertain it is who is on my side, in bits."""
        counts: dict[frozenset, int] = {}
        for world in worlds:
            side = self.allies(world)
            counts[side] = counts.get(side, 0) + 1
        return -sum(n / len(worlds) * log2(n / len(worlds)) for n in counts.values())

    def _learnt_by_others(self, state: State, allies: frozenset) -> float:
        """What others were shown in private: good if they are on my side, bad if they are not."""
        total, chain, everyone = 0.0, state.v[1], (1 << len(self.seats)) - 1
        events = self.game.program.events
        while chain is not None:
            row = chain[1]
            if row[1] != everyone and events[row[0]].kind in ("ask", "show"):
                readers = [seat for i, seat in enumerate(self.seats) if row[1] >> i & 1]
                told_by_me = self.me in row[2:] and self.me not in readers
                if events[row[0]].kind == "ask" and row[2] in readers:
                    readers.remove(row[2])
                    told_by_me = row[2] == self.me
                for seat in readers:
                    if seat in allies and seat != self.me:
                        if not told_by_me or len(self.told.get(seat, "all")) > 1:
                            total += 0.4 * self.habits["trust"]
                    elif seat != self.me:
                        total -= 0.1 * self.habits["caution"]
            chain = chain[0]
        return total

    def _winning(self, mind: Imagination, state: State, node, actor: int) -> list[tuple]:
        """In this world: what the one who is asked now could win by, if he knew all."""
        final = self.insight.final[node.number]
        if not final <= self.insight.timeless[node.number]:
            return [c for c in node.legal(state.v) if c[0] in final and mind.wins(state, c, actor)]
        # Which of them is right hangs on the deal, and whether it may be said now, on who asks whom.
        memory = self.insight.memory.setdefault("claims", {})
        deal = (node.number, tuple([state.v[HEADER + s] for s in self.insight.dealt]))
        if deal in memory:
            return [c for c in memory[deal] if mind.wins(state, c, actor)]
        vain = (*deal, tuple([state.v[s] for s in node.slots]))
        if vain in memory:
            return []
        found = [c for c in node.legal(state.v) if c[0] in final and mind.wins(state, c, actor)]
        if len(memory) > 50_000:
            memory.clear()
        memory[deal if found else vain] = found
        return found

    def _is_sure(self, mind: Imagination, state: State, winning: list[tuple]) -> bool:
        """Would I dare to do one of these, if I know no more than now?"""
        worlds = self.belief.worlds
        return (
            self.belief.exact
            and len(worlds) <= 4
            and any(all(mind.wins(mind.moved_to(state, w), c) for w in worlds) for c in winning)
        )

    # --- what somebody may answer -------------------------------------------------------------------------------------
    def _any(self, node, state: State, actor: int, rng: random.Random) -> tuple:
        """Some choice that ends nothing."""
        if self.insight.tells[node.number]:
            _, by_secret = self.answers(node, state, actor)
            known = by_secret.get(tuple([state.v[HEADER + s] for s in self.owned_by(actor)]))
            for _ in range(4 if known else 0):
                choice = known[int(rng.random() * len(known))]
                if node.allows(state.v, choice):
                    return choice
        options = self._calm(node, state)
        return options[int(rng.random() * len(options))]

    def answers(self, node, state: State, actor: int) -> tuple[dict[tuple, dict], dict[tuple, list]]:
        """What somebody may answer, whatever his secrets are: by answer, for which secrets it is allowed and what
        others would see follow from it; and by secret, which answers are allowed. It is the same in every game."""
        memory = self.insight.memory.setdefault("answers", {})
        v = state.v
        values = tuple([x for x in map(v.__getitem__, node.slots) if not isinstance(x, tuple) and x not in self.seats])
        key = (actor, node.number, values)
        if key not in memory:
            if len(memory) > 500:
                memory.clear()
            memory[key] = self._find_answers(node, self._bare(node, state), actor)
        return memory[key]

    def _find_answers(self, node, state: State, actor: int) -> tuple[dict[tuple, dict], dict[tuple, list]]:
        owned = self.owned_by(actor)
        secrets = self._secrets(owned)
        truth = tuple([state.v[HEADER + s] for s in owned])
        mask = 1 << self.seats.index(actor) if actor in self.seats else 0

        def legal(secret: tuple) -> list[tuple]:
            for slot, value in zip(owned, secret):
                state.v[HEADER + slot] = value
            try:
                return self._calm(node, state)
            except MISTAKES:
                return []

        usual = legal(truth)
        matter = []  # the places of those secrets on which it hangs
        for place, slot in enumerate(owned):
            values = {s[place] for s in secrets} - {truth[place]}
            if any(legal((*truth[:place], x, *truth[place + 1 :])) != usual for x in sorted(values)):
                matter.append(place)
        by_part: dict[tuple, list] = {}
        by_secret: dict[tuple, list] = {}
        for secret in secrets:
            part = tuple([secret[place] for place in matter])
            if part not in by_part:
                by_part[part] = legal(secret)
            by_secret[secret] = by_part[part]
        revealing: dict[tuple, bool] = {}
        table: dict[tuple, dict] = {}
        for secret, choices in by_secret.items():
            for slot, value in zip(owned, secret):
                state.v[HEADER + slot] = value
            for choice in choices:
                if choice not in revealing:
                    revealing[choice] = self._reveals(Imagination.after(state, choice))
                sign = hash(_rows_of_others(Imagination.after(state, choice), mask)) if revealing[choice] else 0
                table.setdefault(choice, {})[secret] = sign
        return table, by_secret

    def _reveals(self, state: State | None) -> bool:
        """Is anything shown, besides the answer itself?"""
        chain = state.v[1] if state is not None else None
        while chain is not None:
            if self.game.program.events[chain[1][0]].kind == "show":
                return True
            chain = chain[0]
        return False

    def _bare(self, node, state: State) -> State:
        """The same question with nothing gone before it: so that what is remembered is the same in every game."""
        v = self.game.program.start.copy()
        v[0] = state.v[0]
        v[self.game.program.return_slot[node.rule.shape]] = -1
        for slot in (*node.slots, *(HEADER + s for s in self.insight.dealt)):
            v[slot] = state.v[slot]
        return State(self.game, v)

    # --- answers ------------------------------------------------------------------------------------------------------
    def answer(self, mind: Imagination, choices: list[tuple], rng: random.Random) -> tuple:
        """Tell opponents little and partners much: count the secrets of mine that they would still hold possible."""
        mine, state = self.owned_by(self.me), mind.state(self.looked_at[0])
        kind, unkind = self.habits["trust"], -self.habits["caution"]
        rows = []  # whoever will see it, if he is this or that: what he can tell my secrets from, and how I like it
        for seat in self._witnesses(mind, state, choices):
            before = self._told(seat, mine)
            for knows, friendly, share in self._readers(seat, mine):
                rows.append((self._free(before, mine, knows), share * (kind if friendly else unkind)))
        worth: dict[tuple, float] = {}
        for choice in choices:
            possible = self._left_open(mind, state, choice)
            worth[choice] = sum(
                weight * log2(max(1, len(free)) / max(1, len(free & possible))) for free, weight in rows
            )
        best = max(worth.values())
        choice = rng.choice([c for c, value in worth.items() if value >= best - 1e-9])
        self._tell(mind, state, choices, choice)
        return choice

    def _tell(self, mind: Imagination, state: State, choices: list[tuple], choice: tuple) -> None:
        """Remember who can tell what from it."""
        possible = self._left_open(mind, state, choice)
        for seat in self._witnesses(mind, state, choices):
            self.told[seat] = self._told(seat, self.owned_by(self.me)) & possible or frozenset([self._truth()])

    def _told(self, seat: int, mine: list[int]) -> frozenset:
        return self.told.get(seat) or frozenset(self._secrets(mine))

    def _truth(self) -> tuple:
        return tuple([self.belief.known[s] for s in self.owned_by(self.me)])

    def _left_open(self, mind: Imagination, state: State, choice: tuple) -> frozenset:
        """The secrets with which an answer of mine would have looked the same."""
        table, _ = self.answers(self.game.program.nodes[mind.question.node], state, self.me)
        signs, truth = table.get(choice, {}), self._truth()
        seen = signs.get(truth)
        return frozenset([s for s, sign in signs.items() if sign == seen]) if signs else frozenset([truth])

    def _readers(self, seat: int, mine: list[int]) -> list[tuple[frozenset, bool, float]]:
        """Who somebody may be: which values he holds himself, so that they are not mine; whether he is on my side; and
        how likely that is."""
        dealt = {id(self.insight.owned[slot]) for slot in mine} & self.insight.unique
        found: dict[tuple, int] = {}
        worlds = self.belief.worlds[:MANY]
        for world in worlds:
            key = (self._held(seat, world, dealt), seat in self.allies(world))
            found[key] = found.get(key, 0) + 1
        return [(holds, friendly, n / len(worlds)) for (holds, friendly), n in found.items()]

    def _held(self, seat: int, world: tuple, among: set[int]) -> frozenset:
        """What somebody holds in a world, of these kinds of secrets."""
        return frozenset(
            (id(self.insight.owned[s]), world[self.belief.place[s]])
            for s in self.owned_by(seat)
            if s in self.belief.place and id(self.insight.owned[s]) in among
        )

    def _free(self, possible: frozenset[tuple], mine: list[int], held: frozenset) -> frozenset[tuple]:
        """Those secrets of mine that remain possible for somebody who holds this himself."""
        kinds = [id(self.insight.owned[slot]) for slot in mine]
        return frozenset(h for h in possible if not any(pair in held for pair in zip(kinds, h)))

    def _secrets(self, mine: list[int]) -> list[tuple]:
        """All that my secrets might be, as others see it."""
        found: list[tuple] = [()]
        for slot in mine:
            function = self.insight.owned[slot]
            atoms = sorted((function.result.of or function.result).atoms)
            if function.result.many or len(found) * len(atoms) > 2000:
                return []
            found = [(*row, atom) for row in found for atom in atoms]
        return found

    def _witnesses(self, mind: Imagination, state: State, choices: list[tuple]) -> list[int]:
        """Who sees a difference between two answers, perhaps a little later."""
        seen = []
        for choice in (choices[0], choices[-1]):
            after = mind.after(state, choice)
            for _ in range(4):
                if after is None or after.v[0] == OVER:
                    break
                node = self.game.program.nodes[after.v[0]]
                if node.kind != "ask" or node.actor(after.v) == self.me:
                    break
                try:
                    after.apply(node.legal(after.v)[0], trusted=True)
                except MISTAKES:
                    break
            chain = after.v[1] if after is not None else None
            seen.append([seen_rows(chain, 1 << i) for i in range(len(self.seats))])
        return [seat for i, seat in enumerate(self.seats) if seat != self.me and seen[0][i] != seen[1][i]]


def _rows_of_others(state: State | None, mask: int) -> tuple:
    """What anybody else has seen since the beginning of what is imagined: reveals only, as numbers."""
    rows = []
    chain = state.v[1] if state is not None else None
    while chain is not None:
        if chain[1][1] & ~mask:
            rows.append(chain[1])
        chain = chain[0]
    return tuple(rows)
