"""A player that thinks: it asks what tells it most, tells opponents least and partners most, goes where it can win, and
declares only when it is certain. It knows no game: all it goes by are the rules, its log, and the habits they give
it."""

from __future__ import annotations

import random
from functools import cache
from math import log2
from typing import TYPE_CHECKING, Any

from .belief import World
from .hurry import LATE
from .imagination import MISTAKES, Imagination
from .judge import Judge
from .odds import Odds
from .talk import Talk
from .thinker import FEW, HALF
from .thought import Thought

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.observe import Row
    from ..interpreter.player import Player
    from ..interpreter.position import Position
    from ..interpreter.state import Choice

__all__ = ["DeducerBot"]

CHANCE_TO_WIN = 20.0  # what it is worth to be where one can win, for one who knows how
READY, FEARED = 0.5, 0.4  # how likely a partner is to know it, and how likely an opponent is thought to
MANY = 250  # worlds that are enough to see how much is learnt
SURELY = 0.9  # how likely somebody must be on my side to be told much
AHEAD = 14  # decisions of others that are imagined

Secret = tuple[int, ...]  # all that somebody was dealt, in the order of its cells
Held = frozenset[tuple[int, Any]]  # which values somebody holds, of which kinds of secrets
Answers = tuple[
    dict["Choice", dict[Secret, int]], dict[Secret, list["Choice"]], dict[tuple["Choice", Secret], frozenset[Secret]]
]


class DeducerBot(Judge):
    """Plans, asks and answers as it judges best."""

    def __init__(self, game: Game, seat: str):
        super().__init__(game, seat)
        self.mask = 1 << game.seat(seat)
        self.talk = Talk(game, self.insight.owned)
        self.odds = Odds(game, seat, self.belief, self.talk)
        self.plan: list[Choice] = []
        self.told: dict[int, frozenset[Secret]] = {}  # to whom: which of my secrets still seem possible to him
        # allies who could have won with me and did not know enough, and have heard nothing since:
        self.waiting: set[int] = set()

    def take_in(self, rows: list[Row]) -> None:
        """Worlds in which the others would have had much else to answer are less likely."""
        self.odds.observe(rows)
        self.belief.weights = self.odds.ready().weights

    def forget(self) -> None:
        super().forget()
        self.talk.forget()
        self.odds = Odds(self.game, self.seat, self.belief, self.talk)

    def begin(self) -> None:
        super().begin()
        self.plan, self.told, self.waiting = [], {}, set()

    def recall(self, player: Player, choice: Choice) -> None:
        question = player.question()
        if self.insight.tells[question.number]:
            self.read(player)
            if self.belief.worlds:
                mind = Imagination(self.belief, question, self.last_seen)
                position, choices = mind.state(self.belief.worlds[0]), player.legal()
                self._tell(position, self._witnesses(mind, position, [choices[0], choices[-1]]), choice)

    # --- choosing -----------------------------------------------------------------------------------------------------
    def choose(self, player: Player, rng: random.Random) -> Choice:
        question = player.question()
        planned = question.planned and question.planning is not None
        if planned and self.plan:
            choice = self.plan.pop(0)
            if player.is_legal(choice):
                return choice
        self.plan = []
        self.read(player)
        if not self.belief.worlds:
            return self.decide(player, question, rng)[1][0] if self.is_grave(question.number) else player.sample(rng)
        self.look(rng)
        mind = Imagination(self.belief, question, self.last_seen)
        if planned:
            return self.make_plan(player, mind, rng)
        said = self.speak(player, mind, rng)
        if said is not None:
            return said
        if self.is_grave(question.number):
            dared, choices = self.decide(player, question, rng)
            if dared is not None:
                return dared
            self.let_pass(mind)
        else:
            choices = player.legal()
        if len(choices) == 1:
            return choices[0]
        try:
            if self.insight.tells[question.number]:
                return self.answer(mind, choices, rng)
            return self.best(mind, choices, rng)
        except MISTAKES:
            return rng.choice(choices)

    def speak(self, player: Player, mind: Imagination, rng: random.Random) -> Choice | None:
        """What to say of myself, if that is what is asked: a lie as often as not."""
        if not self.talk.sayings:
            return None
        position = mind.state(self.belief.worlds[0])
        mine = {cell: position.cell(cell) for cell in self.owned_by(self.me)}
        return self.talk.choose(position.step, player.legal, mine, rng)

    def read(self, player: Player) -> list[Row]:
        rows = super().read(player)
        for row in rows if self.waiting else ():
            if self.me not in row[1:]:
                self.waiting.difference_update(x for x in row[1:] if not isinstance(x, tuple))
        return rows

    def let_pass(self, mind: Imagination) -> None:
        """A chance to win that I dare not take: whoever could take it as well and does not knows no more than I."""
        world = self.looked_at[0]
        if self._winning(mind, mind.state(world), self.me):
            self.waiting |= self.allies(world) - {self.me}

    # --- plans --------------------------------------------------------------------------------------------------------
    def make_plan(self, player: Player, mind: Imagination, rng: random.Random) -> Choice:
        """Try out what can be done, go on from what looks best, and keep to the best way that may be gone to its
        end."""
        beam: list[tuple[float, Position, list[Choice]]] = [(0.0, mind.trial(), [])]
        best: tuple[float, list[Choice]] | None = None
        seen: set[tuple[Any, ...]] = set()
        breadth = int(self.habits["breadth"]) * self.patiently
        for _ in range(12):
            further = []
            for _, position, way in beam:
                if self.hurry.past(LATE):
                    break
                try:
                    choices = position.offers()
                except MISTAKES:
                    continue
                for choice in choices:
                    after = position.clone()
                    try:
                        after.go(choice)
                    except MISTAKES:
                        continue
                    fits = after.fits
                    if fits is False:
                        continue
                    key = (fits, *after.cells())
                    if key in seen:
                        continue
                    seen.add(key)
                    value = self.worth(after) + rng.random() * 0.01
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
            return player.sample(rng)
        choice, *self.plan = best[1]
        return choice if player.is_legal(choice) else player.sample(rng)

    # --- questions ----------------------------------------------------------------------------------------------------
    def best(self, mind: Imagination, choices: list[Choice], rng: random.Random) -> Choice:
        """What leads to the best position, or tells most."""
        world = self.looked_at[0]
        start = mind.state(world)
        quiet: dict[Choice, float] = {}
        asking: list[Choice] = []
        if len(choices) > 200:
            choices = rng.sample(choices, 200)
        for choice in choices:
            if quiet and self.hurry.past(LATE):
                break
            after = mind.after(start, choice)
            if after is None:
                asking.append(choice)
                continue
            quiet[choice] = self.worth(after)
            if after.asked != self.me:
                asking.append(choice)
        worth = quiet
        if asking and len(choices) <= FEW:
            tries = int(self.habits["samples"]) * self.patiently * (2 if len(asking) <= 6 else 1)
            some = self.belief.worlds
            if len(some) > MANY:
                some = rng.sample(some, MANY)
            worlds = rng.choices(some, [self.belief.weights.get(w, 1.0) for w in some], k=tries)
            luck = [rng.random() for _ in range(tries)]  # the same for all choices, so that they can be compared
            worth = {c: quiet.get(c, 0.0) for c in choices}
            thought = Thought(self.belief, some, self.allies)
            tried, done = dict.fromkeys(asking, 0.0), 0
            for world, x in zip(worlds, luck):
                if self.hurry.past(HALF):
                    break
                for choice in asking:
                    tried[choice] += self._imagine(mind, choice, world, thought, random.Random(x))
                done += 1
            for choice in asking if done else ():
                worth[choice] += tried[choice] / done
        for choice, value in self.foreseen(mind, choices, rng).items() if asking else ():
            worth[choice] += value
        best = max(worth.values())
        return rng.choice([c for c, value in worth.items() if value >= best - 1e-9])

    def lure(self) -> float:
        """What a chance to win is worth that comes if others choose anyhow."""
        return CHANCE_TO_WIN

    def foreseen(self, mind: Imagination, choices: list[Choice], rng: random.Random) -> dict[Choice, float]:
        """What choices are worth besides, for one who looks farther ahead."""
        return {}

    def _imagine(self, mind: Imagination, choice: Choice, world: World, thought: Thought, rng: random.Random) -> float:
        """What a choice will have told me and others, and which chances to win it will have given."""
        position = mind.after(mind.state(world), choice)
        if position is None:
            return 0.0
        chances, others = 0.0, 0
        allies = self.allies(world)
        try:
            for _ in range(AHEAD * 2):
                actor = position.asked
                if actor is None:
                    if position.is_over:
                        break
                    pool = position.pool()
                    position.apply((pool[int(rng.random() * len(pool))],), trusted=True)
                    continue
                final = self.insight.final[position.number]
                if final:
                    winning = self._winning(mind, position, actor)
                    if winning and actor == self.me:
                        chances += self._is_sure(mind, position, winning)
                    elif winning:
                        chances += self._readiness(actor, world) * (
                            READY if actor in allies else -FEARED * self.habits["hinder"]
                        )
                if actor == self.me:
                    if not final and not self.insight.tells[position.number]:
                        break
                else:
                    others += 1
                    if others > AHEAD:
                        break
                position.apply(self._any(position, actor, rng), trusted=True)
        except MISTAKES:
            pass
        possible = thought.after(position.seen_rows(self.mask))
        left, before = possible.bit_count(), thought.count
        bits = log2(before / left) if left else 0.0
        if left == 1 < before:
            bits += self.habits["certainty"]
        if left < before:
            bits += self.habits["company"] * (thought.doubt(thought.all) - thought.doubt(possible))
        return self.lure() * chances + self.habits["curiosity"] * (bits + self._learnt_by_others(position, allies))

    def _readiness(self, seat: int, world: World) -> float:
        """How likely somebody is to know enough to win, as far as I can tell: not while he cannot know me, and
        otherwise as likely as I am to know it myself."""
        mine = self.owned_by(self.me)
        if seat in self.waiting or mine and seat not in self.told:
            return 0.0
        if mine and len(self._free(self.told[seat], mine, self._held(seat, world, self.insight.unique))) > 1:
            return 0.0
        return (1 - self.ignorance()) ** 2

    def _learnt_by_others(self, position: Position, allies: frozenset[int]) -> float:
        """What others were shown in private: good if they are on my side, bad if they are not."""
        total, everyone = 0.0, (1 << len(self.seats)) - 1
        events = self.game.program.events
        for seen_by, row in reversed(position.rows()):
            if seen_by != everyone and events[row[0]].kind in ("ask", "show"):
                readers = [seat for i, seat in enumerate(self.seats) if seen_by >> i & 1]
                told_by_me = self.me in row[1:] and self.me not in readers
                if events[row[0]].kind == "ask" and row[1] in readers:
                    readers.remove(row[1])
                    told_by_me = row[1] == self.me
                for seat in readers:
                    if seat in allies and seat != self.me:
                        if not told_by_me or len(self.told.get(seat, "all")) > 1:
                            total += 0.4 * self.habits["trust"]
                    elif seat != self.me:
                        total -= 0.1 * self.habits["caution"]
        return total

    def _winning(self, mind: Imagination, position: Position, actor: int) -> list[Choice]:
        """In this world: what the one who is asked now could win by, if he knew all."""
        number = position.number
        final = self.insight.final[number]
        if not final <= self.insight.timeless[number]:
            return mind.won_by(position, [c for c in position.offers() if c[0] in final], actor)
        # Which of them is right hangs on the deal, and whether it may be said now, on who asks whom.
        memory: dict[tuple[Any, ...], list[Choice]] = self.insight.memory.setdefault("claims", {})
        deal = (number, self._dealt(position))
        if deal in memory:
            return [c for c in memory[deal] if mind.wins(position, c, actor)]
        vain = (*deal, position.around())
        if vain in memory:
            return []
        found = mind.won_by(position, [c for c in position.offers() if c[0] in final], actor)
        if len(memory) > 50_000:
            memory.clear()
        memory[deal if found else vain] = found
        return found

    def guessed_knowledge(self, seat: int, world: World) -> tuple[float, float]:
        """How likely somebody is to know who is on his side, and to know enough to win."""
        ready = self._readiness(seat, world)
        return ready, ready

    def can_win(self, mind: Imagination, position: Position, actor: int) -> bool:
        """Would somebody who knows enough win now?"""
        winning = self._winning(mind, position, actor)
        return bool(winning) and (actor != self.me or self._is_sure(mind, position, winning))

    def _is_sure(self, mind: Imagination, position: Position, winning: list[Choice]) -> bool:
        """Would I dare to do one of these, if I know no more than now?"""
        worlds = self.belief.worlds
        return (
            self.belief.exact
            and len(worlds) <= 4
            and any(all(mind.wins(mind.moved_to(position, w), c) for w in worlds) for c in winning)
        )

    # --- what somebody may answer -------------------------------------------------------------------------------------
    def _any(self, position: Position, actor: int, rng: random.Random) -> Choice:
        """Some choice that ends nothing."""
        if self.insight.tells[position.number]:
            _, by_secret, _ = self.answers(position, actor)
            known = by_secret.get(tuple([position.cell(cell) for cell in self.owned_by(actor)]), [])
            for _ in range(4 if known else 0):
                choice = known[int(rng.random() * len(known))]
                if position.allows(choice):
                    return choice
        options = self._calm(position)
        return options[int(rng.random() * len(options))]

    def answers(self, position: Position, actor: int) -> Answers:
        """What somebody may answer, whatever his secrets are: by answer, for which secrets it is allowed and what
        others would see follow from it; by secret, which answers are allowed; and, for what is found there, by answer
        and secret, with which secrets it would look the same. It is the same in every game."""
        memory: dict[tuple[Any, ...], Answers] = self.insight.memory.setdefault("answers", {})
        values = tuple([x for x in position.around() if not isinstance(x, tuple) and x not in self.seats])
        key = (actor, position.number, values)
        if key not in memory:
            if len(memory) > 500:
                memory.clear()
            bare = position.bare(self.insight.dealt)  # so that what is remembered is the same in every game
            memory[key] = self._find_answers(bare, actor)
        return memory[key]

    def _find_answers(self, position: Position, actor: int) -> Answers:
        owned = self.owned_by(actor)
        secrets = self._secrets(owned)
        truth = tuple([position.cell(cell) for cell in owned])
        others = ~(1 << self.seats.index(actor) if actor in self.seats else 0)

        def legal(secret: Secret) -> list[Choice]:
            try:
                return self._calm(position.placed(owned, secret))
            except MISTAKES:
                return []

        usual = legal(truth)
        matter = []  # the places of those secrets on which it hangs
        for place in range(len(owned)):
            values = {s[place] for s in secrets} - {truth[place]}
            if any(legal((*truth[:place], x, *truth[place + 1 :])) != usual for x in sorted(values)):
                matter.append(place)
        by_part: dict[Secret, list[Choice]] = {}
        by_secret: dict[Secret, list[Choice]] = {}
        for secret in secrets:
            part = tuple([secret[place] for place in matter])
            if part not in by_part:
                by_part[part] = legal(secret)
            by_secret[secret] = by_part[part]
        revealing: dict[Choice, bool] = {}
        table: dict[Choice, dict[Secret, int]] = {}
        for secret, choices in by_secret.items():
            here = position.placed(owned, secret)
            for choice in choices:
                if choice not in revealing:
                    revealing[choice] = self._reveals(Imagination.after(here, choice))
                sign = hash(_seen_by(others, Imagination.after(here, choice))) if revealing[choice] else 0
                table.setdefault(choice, {})[secret] = sign
        return table, by_secret, {}

    def _reveals(self, position: Position | None) -> bool:
        """Is anything shown, besides the answer itself?"""
        events = self.game.program.events
        return position is not None and any(events[row[0]].kind == "show" for _, row in position.rows())

    # --- answers ------------------------------------------------------------------------------------------------------
    def answer(self, mind: Imagination, choices: list[Choice], rng: random.Random) -> Choice:
        """Tell others little, and somebody who is surely a partner much: count the secrets of mine that would still be
        possible for him, by what all know that I have told him. Of what is best, any is taken as often as the others:
        so nobody who knows my habits can read more from an answer than the rules make it tell."""
        mine, position = self.owned_by(self.me), mind.state(self.looked_at[0])
        is_last = cache(lambda choice: not self._asked_anew(mind, position, choice))
        if not any(map(is_last, choices)):  # then they are all alike
            is_last = cache(lambda choice: True)
        ends = [next(filter(is_last, some)) for some in (choices, reversed(choices))]
        witnesses = self._witnesses(mind, position, ends)
        readers = [
            (seat, self._told(seat, mine), self.habits["trust"] if self._friend(seat) else -self.habits["caution"])
            for seat in witnesses
        ]
        known: dict[frozenset[Secret], float] = {}
        worth: dict[Choice, float] = {}
        for choice in choices:
            possible = self._left_open(position, choice)
            if possible not in known:
                known[possible] = sum(weight * self.told_by(seat, before, possible) for seat, before, weight in readers)
            worth[choice] = known[possible]
        best = next(worth[c] for c in sorted(choices, key=lambda c: -worth[c]) if is_last(c))
        choice = rng.choice([c for c, value in worth.items() if best + 1e-9 >= value >= best - 1e-9 and is_last(c)])
        self._tell(position, witnesses, choice)
        return choice

    def told_by(self, seat: int, before: frozenset[Secret], possible: frozenset[Secret]) -> float:
        """How many bits somebody is told of my secrets, if of those that he held possible only these remain so."""
        return log2(max(1, len(before)) / max(1, len(before & possible)))

    def _friend(self, seat: int) -> bool:
        """Is he on my side, as good as certainly?"""
        worlds = self.belief.worlds[:MANY]
        weights = [self.belief.weights.get(world, 1.0) for world in worlds]
        friendly = sum(w for world, w in zip(worlds, weights, strict=True) if seat in self.allies(world))
        return friendly >= SURELY * sum(weights)

    def _asked_anew(self, mind: Imagination, position: Position, choice: Choice) -> bool:
        """May I have to answer once more because of this answer, such as after an objection that I have shown it
        before?"""
        after = mind.after(position, choice)
        if after is None or after.is_over or after.asked in (None, self.me):
            return False
        try:
            further = after.offers()
        except MISTAKES:
            return False
        if len(further) > FEW:
            return False
        for reply in further:
            again = mind.after(after, reply)
            if again is not None and not again.is_over and again.asked == self.me and again.number == position.number:
                return True
        return False

    def _tell(self, position: Position, witnesses: list[int], choice: Choice) -> None:
        """Remember who can tell what from it."""
        possible = self._left_open(position, choice)
        for seat in witnesses:
            self.told[seat] = self._told(seat, self.owned_by(self.me)) & possible or frozenset([self._truth()])

    def _told(self, seat: int, mine: list[int]) -> frozenset[Secret]:
        return self.told.get(seat) or frozenset(self._secrets(mine))

    def _truth(self) -> Secret:
        return tuple([self.belief.known[cell] for cell in self.owned_by(self.me)])

    def _left_open(self, position: Position, choice: Choice) -> frozenset[Secret]:
        """The secrets with which an answer of mine would have looked the same."""
        table, _, known = self.answers(position, self.me)
        truth = self._truth()
        found = known.get((choice, truth))
        if found is None:
            signs = table.get(choice) or {truth: 0}
            seen = signs.get(truth)
            found = known[choice, truth] = frozenset([s for s, sign in signs.items() if sign == seen])
        return found

    def _held(self, seat: int, world: World, among: set[int]) -> Held:
        """What somebody holds in a world, of these kinds of secrets."""
        return frozenset(
            (id(self.insight.owned[cell]), world[self.belief.place[cell]])
            for cell in self.owned_by(seat)
            if cell in self.belief.place and id(self.insight.owned[cell]) in among
        )

    def _free(self, possible: frozenset[Secret], mine: list[int], held: Held) -> frozenset[Secret]:
        """Those secrets of mine that remain possible for somebody who holds this himself."""
        kinds = [id(self.insight.owned[cell]) for cell in mine]
        return frozenset(h for h in possible if not any(pair in held for pair in zip(kinds, h)))

    def _secrets(self, mine: list[int]) -> list[Secret]:
        """All that my secrets might be, as others see it."""
        found: list[Secret] = [()]
        for cell in mine:
            function = self.insight.owned[cell]
            atoms = sorted((function.result.of or function.result).atoms)
            if function.result.many or len(found) * len(atoms) > 2000:
                return []
            found = [(*row, atom) for row in found for atom in atoms]
        return found

    def _witnesses(self, mind: Imagination, position: Position, two: list[Choice]) -> list[int]:
        """Who sees a difference between two answers, perhaps a little later."""
        seen = []
        for choice in two:
            after = mind.after(position, choice)
            for _ in range(4):
                if after is None or after.asked in (None, self.me):
                    break
                try:
                    after.apply(after.offers()[0], trusted=True)
                except MISTAKES:
                    break
            seen.append([after.seen_rows(1 << i) if after is not None else [] for i in range(len(self.seats))])
        return [seat for i, seat in enumerate(self.seats) if seat != self.me and seen[0][i] != seen[1][i]]


def _seen_by(mask: int, position: Position | None) -> tuple[tuple[int, Row], ...]:
    """What these seats have seen since the beginning of what is imagined, as numbers."""
    return tuple(position.rows(mask)) if position is not None else ()
