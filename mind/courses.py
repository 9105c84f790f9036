"""What a seat may hold possible, in any game: positions as they may be now, each with how likely it is.

A world is a position that some course of hidden events leads to (chance at any time, choices that the seat did not see,
secret changes) with exactly the rows that the seat was told. Positions that agree on all that can still reach the seat
are one world. Others are taken to choose evenly among what they are offered.

Two moments are well defined. At the *news*, the game has just come to rest after the last row that the seat was told.
At the seat's *turn*, it has gone on from there, unseen, until the seat is asked; that it is asked it knows.

Worlds are gone through one by one as long as a budget lasts, which is counted in steps of the interpreter, so that
the same log always gives the same answer. Beyond it some are drawn, twice and independently of each other: how far the
two disagree tells how far the answer may be off. Then nothing is certain.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import prod, sqrt
from typing import TYPE_CHECKING, Any, TypeVar

from ..interpreter.errors import RulesError
from ..interpreter.observer import Observer
from ..interpreter.state import CHANCE
from .hurry import ALL, MANY, Endless, Hurry, TooLate
from .hurry import FEW as HASTY
from .stories import Asked, Rows, Story, Tailed, Told
from .wishes import Wish, better, hope, receiver

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.observe import Row
    from ..interpreter.position import Position
    from ..interpreter.state import Choice

__all__ = ["Contradiction", "Courses", "Filter", "Found", "Unaffordable", "observer_of"]

BUDGET = 30_000  # steps of the interpreter for the news of one turn
DRAWN = 600  # worlds that are kept in all where there are too many
TRIED = 4  # times as many are tried, because not all of them agree with what was told next
ROUNDS = 300  # decisions in a row of which the seat sees nothing
FEW = 0.25  # if less than this share of the worlds is left, others are drawn
MARKS = 24  # earlier moments that are kept to go back to
AGAIN = 8  # times that one goes back, each time farther
STEPS = 60  # of the interpreter that may be spent on each world that is kept
LONG = 50_000  # steps of the interpreter after which few are kept: some hundred cards are dealt, perhaps
HANDFUL = 12  # worlds that are kept when there is little time left
LEFT = 1e-9  # a share of all worlds that may be left out without saying so

Worlds = dict[Hashable, Any]  # what is the same for the seat -> [position, weight]
Weighted = tuple[Any, ...]  # whatever it is, and at the end its weight
Found = TypeVar("Found", bound=Hashable)
_OBSERVERS: dict[tuple[int, str], Observer] = {}
_TOKENS = count()


class Contradiction(Exception):
    """No course of events gives this log: a mistake in this program, or a log of other rules."""


class TooMuch(Exception):
    """The budget is used up."""


class Unaffordable(Exception):
    """It would take too long to find out how others choose."""


def observer_of(game: Game, seat: str) -> Observer:
    """The same for all games of a seat: what it takes long to find out is found out once."""
    key = (id(game), seat)
    found = _OBSERVERS.get(key)
    if found is None:
        while len(_OBSERVERS) >= 32:
            del _OBSERVERS[next(iter(_OBSERVERS))]
        found = _OBSERVERS[key] = Observer(game, seat)  # it holds the game, so the number stays the game's
    return found


@dataclass(slots=True)
class Mark:
    """The worlds at an earlier moment, by how much has been told in them, and how likely it was to come there from the
    mark before."""

    levels: dict[int, Worlds]
    share: float

    @property
    def worlds(self) -> Worlds:
        return self.levels[max(self.levels)]


class Filter:
    """Goes on from worlds to those that agree with what was told next. With `most`, no more than so many are kept."""

    def __init__(self, observer: Observer, rng: random.Random, start: Mark, most: int = 0):
        self.observer, self.rng, self.most = observer, rng, most
        self.marks = [start]
        self.steps = 0
        self.token = next(_TOKENS)
        self.may_be: Asked | None = None  # which positions are looked at; None: all
        self.lost = 0.0  # the share of what was left out
        self.hurry = Hurry()

    def _spent(self, budget: int) -> bool:
        """Where all worlds are gone through: has it taken too long? Where some are drawn, there is no end to it but
        that nobody would wait any longer."""
        if self.most:
            if self.hurry.is_endless(self.steps):
                raise Endless
            if self.hurry.past(HASTY):
                raise TooLate
            return False
        return self.steps > budget or self.hurry.past(ALL)

    @property
    def _most(self) -> int:
        """So many worlds are kept."""
        late = self.steps > LONG or self.hurry.past(MANY)
        return min(self.most, HANDFUL) if late else self.most

    @property
    def worlds(self) -> Worlds:
        return self.marks[-1].worlds

    # --- reading ------------------------------------------------------------------------------------------------------
    def read(self, story: Story, told: int, budget: int) -> None:
        """Up to the end of a story. Another one that goes on from there goes on after so much that was `told`."""
        self.steps = 0
        found = self._on(self.marks[-1], story, budget)
        place = len(self.marks) - 1
        if self.most:
            found, place = self._renewed(found, story, max(budget, STEPS * self.most))
        total = sum([w for _, w in found.values()])
        if total > 0:
            for world in found.values():
                world[1] /= total
        self.marks.append(Mark({told: found}, total / (self._share(place, len(self.marks) - 1) or 1.0)))
        if len(self.marks) > MARKS:  # the farther back, the fewer are needed
            gone = self.marks.pop(MARKS // 2)
            self.marks[MARKS // 2].share *= gone.share

    def until(self, story: Story, there: Asked, budget: int) -> dict[int, Worlds]:
        """The worlds, by how much has been told in them, when they have come so far."""
        levels, found = self._resumed(self.marks[-1], story), {}
        for level in range(min(levels), story.length + 1):
            if level in levels:
                found[level] = self._silent(levels.pop(level), level, story, levels, there, budget)
        return {level: worlds for level, worlds in found.items() if worlds}

    def open(self, story: Story, may_be: Asked, settle: Asked, budget: int) -> None:
        """Through all chance, up to the first decision: see `Courses.open`."""
        self.steps, self.may_be = 0, may_be
        try:
            found = self.until(story, lambda position: position.actor != CHANCE, budget)
        finally:
            self.may_be = None
        levels: dict[int, Worlds] = {0: {}}
        for level, worlds in found.items():
            for key, (position, weight) in worlds.items():
                if settle(position):
                    tail = key.tail if isinstance(key, Tailed) else ()
                    self._put(levels.setdefault(level, {}), _key(self.observer.key(position), tail), position, weight)
        total = sum([w for worlds in levels.values() for _, w in worlds.values()])
        for worlds in levels.values():
            for world in worlds.values():
                world[1] /= total
        self.marks = [Mark(levels, 1.0)]

    def unseen(self, story: Story, budget: int) -> Worlds:
        """All that the game may have come to since the last mark without telling the seat anything, or asking it."""
        me, level, found, worlds = self.observer.me, story.length, dict(self.worlds), self.worlds
        while worlds:
            further: Worlds = {}
            for position, weight in worlds.values():
                if not position.is_over and position.asked != me:
                    for _, choice, likely in self._branches(position, weight, level, story):
                        self._step(position, choice, likely, level, story, {}, further)
                        if self._spent(budget):
                            raise TooMuch
            worlds = {key: world for key, world in further.items() if key not in found}
            found |= worlds
        return {key: world for key, world in found.items() if world[0].asked != me}

    def _share(self, place: int, later: int) -> float:
        """How likely it was to come from one mark to a later one."""
        return prod(mark.share for mark in self.marks[place + 1 : later + 1])

    def _renewed(self, found: Worlds, story: Story, budget: int) -> tuple[Worlds, int]:
        """If few are left: go back, farther and farther, and come here again by other ways. Each time it comes to the
        same on average, so the mean of all times is taken."""
        place, back, runs = len(self.marks) - 1, 1, 1
        for _ in range(AGAIN):
            if len(found) >= FEW * self._most or self.steps > budget or found and self.hurry.past(MANY):
                break
            before = place
            place, back = max(0, place - back), back * 2
            scale = self._share(place, before)
            again = self._on(self.marks[place], story, budget)
            merged: Worlds = {}
            for share, worlds in ((scale * runs / (runs + 1), found), (1 / (runs + 1), again)):
                for key, (position, weight) in worlds.items():
                    if weight * share > 0:
                        self._put(merged, key, position, weight * share)
            nothing_new = found and len(merged) == len(found)
            found, runs = merged, runs + 1
            if nothing_new and again:
                break
        return found, place

    def _on(self, mark: Mark, story: Story, budget: int) -> Worlds:
        levels = self._resumed(mark, story)
        for level in range(min(levels, default=story.length), story.length):
            if level in levels:
                asked = story.asked(level)
                there = self._silent(levels.pop(level), level, story, levels, asked, budget)
                if asked is not None:
                    for key, (position, weight) in there.items():
                        self._put(levels.setdefault(level + 1, {}), key, position, weight)
        return levels.get(story.length, {})

    def _resumed(self, mark: Mark, story: Story) -> dict[int, Worlds]:
        """The worlds of a mark, some of them farther on: what was told in them already is now part of the story."""
        levels: dict[int, Worlds] = {}
        for level, worlds in mark.levels.items():
            for key, (position, weight) in worlds.items():
                if not isinstance(key, Tailed):
                    self._put(levels.setdefault(level, {}), key, position, weight)
                elif (found := story.resume(level, key.tail)) is not None:
                    self._put(levels.setdefault(found[0], {}), _key(key.key, found[1]), position, weight)
        return levels

    def _silent(
        self,
        worlds: Worlds,
        level: int,
        story: Story,
        levels: dict[int, Worlds],
        asked: Asked | None,
        budget: int,
    ) -> Worlds:
        """Let others and chance decide until the seat is told something, or, with `asked`, until it is asked."""
        there: Worlds = {}
        wishes = story.wishes(level) if self.most else Wish()
        whole = sum([w for _, w in worlds.values()])
        for _ in range(ROUNDS):
            further: list[Weighted] = []
            if self.most:
                listed = [(hope(p, wishes), key, p, w) for key, (p, w) in worlds.items()]
                worlds = {key: [p, w] for _, key, p, w in thinned(listed, self._most, self.rng)}
            for key, (position, weight) in worlds.items():
                if position.is_over:
                    continue
                if asked is not None and asked(position):
                    self._put(there, key, position, weight)
                    continue
                branches = list(self._branches(position, weight, level, story))
                if self.most:
                    self.rng.shuffle(branches)  # every so manieth would otherwise always be the same card
                    branches = _preferred(position, branches, wishes)
                further += branches
                if self._spent(budget):
                    raise TooMuch
            if self.most:
                further = [one[1:] for one in thinned(further, self._most * TRIED, self.rng)]
            silent: Worlds = {}
            for position, choice, weight in further:
                self._step(position, choice, weight, level, story, levels, silent)
                if self._spent(budget):
                    raise TooMuch
            worlds = silent
            if not worlds:
                return there
        self.lost += sum([w for _, w in worlds.values()]) / whole
        return there

    def _branches(self, position: Position, weight: float, level: int, story: Story) -> Iterator[Weighted]:
        observer = self.observer
        held = observer.held(position)
        moment = (self.token, level) if story.whole else None
        found = observer.branches(position, moment, lambda step: story.next(level, held, step))
        self.steps += 1 + len(found) // (10 if self.most else 16)
        if len(found) > 1 and not observer.matters(position):
            choice = self.rng.choices([c for c, _ in found], [p for _, p in found])[0]
            yield position, choice, weight * sum([p for _, p in found])
            return
        for choice, likely in found:
            yield position, choice, weight * likely

    def _step(
        self,
        position: Position,
        choice: Choice,
        weight: float,
        level: int,
        story: Story,
        levels: dict[int, Worlds],
        silent: Worlds,
    ) -> None:
        observer, after = self.observer, position.clone()
        self.steps += 1
        try:
            after.apply(choice, trusted=True)
        except RulesError:
            return  # the game did not come to a halt there
        if self.may_be is not None and not self.may_be(after):
            return
        news = observer.take_rows(after, position)
        if news:
            found = story.follow(level, news, position)
            if found is not None:
                further, tail = found
                worlds = silent if further == level else levels.setdefault(further, {})
                self._put(worlds, _key(observer.key(after), tail), after, weight)
        elif story.begins(level, observer.held(after)):
            self._put(silent, observer.key(after), after, weight)

    def _put(self, worlds: Worlds, key: Hashable, position: Position, weight: float) -> None:
        old = worlds.get(key)
        if old is None:
            worlds[key] = [position, weight]
        else:
            old[1] += weight
            if self.rng.random() * old[1] < weight:  # what cannot reach the seat stays as likely as it is
                old[0] = position


def _key(key: Hashable, tail: tuple[Told, ...]) -> Hashable:
    return Tailed(key, tail) if tail else key


def _preferred(position: Position, branches: list[Weighted], wishes: Wish) -> list[Weighted]:
    """Branches, each with what is thought of it before it."""
    thought, cell = hope(position, wishes), receiver(position) if wishes.ever else None
    if cell is None:
        return [(thought, *branch) for branch in branches]
    special, usual = better(cell, position.cell(cell), wishes)
    return [(thought * special.get(branch[1][0], usual), *branch) for branch in branches]


def thinned(several: list[Weighted], most: int, rng: random.Random) -> list[Weighted]:
    """At most about so many of them, each with what is thought of it at its beginning and its weight at the end: those
    that are heavy, by both, as they are; of the light ones some, each standing for those that were left out, so that no
    expectation changes (Fearnhead and Clifford)."""
    if len(several) <= most:
        return several
    weights = sorted([one[0] * one[-1] for one in several], reverse=True)
    rest, heavy = sum(weights), 0
    while heavy < most and weights[heavy] * (most - heavy) >= rest:
        rest -= weights[heavy]
        heavy += 1
    if heavy >= most or rest <= 0:
        return [one for one in several if one[0] * one[-1] >= weights[most - 1]][:most]
    common = rest / (most - heavy)
    kept, until = [], rng.random() * common
    for one in several:  # neighbours come from the same world: so each has about as many that go on from it
        heavy_as = one[0] * one[-1]
        if heavy_as >= common:
            kept.append(one)
            continue
        until -= heavy_as
        if until < 0:
            until += common
            kept.append((*one[:-1], common / one[0]))
    return kept


class Courses:
    """What one seat holds possible, by its log. `read` takes all rows of the log so far."""

    estimated = False  # is it only estimated how others choose?

    def __init__(
        self,
        game: Game,
        seat: str,
        budget: int | None = None,
        drawn: int | None = None,
        observer: Observer | None = None,
    ):
        self.game, self.seat = game, seat
        self.budget, self.drawn = budget or BUDGET, drawn or DRAWN
        self.observer = observer or observer_of(game, seat)
        self.steps = 0  # of the interpreter, in all
        self.hurry = Hurry()
        self.rows: list[Row] = []
        self._begin()

    def _begin(self) -> None:
        start = self.game.beginning()
        self.rows = self.observer.take_rows(start)
        mark = Mark({len(self.rows): {self.observer.key(start): [start, 1.0]}}, 1.0)
        self._filters = [Filter(self.observer, random.Random(0), mark)]
        self.at_turn = False

    @property
    def exact(self) -> bool:
        """Are these all worlds?"""
        return len(self._filters) == 1 and self._filters[0].lost < LEFT

    @property
    def known(self) -> bool:
        """Can anything be said at all?"""
        return bool(self.worlds())

    def read(self, rows: Sequence[Row], question: int | None = None) -> Courses:
        """All rows of the seat's log so far; the number of the question, if the seat is asked now."""
        rows = list(rows)
        if rows[: len(self.rows)] != self.rows or self.at_turn and len(rows) == len(self.rows) and question is None:
            self._begin()  # something was taken back
        if len(rows) == len(self.rows) and (question is None or self.at_turn):
            return self
        story = Rows(self.game, rows, None if question is None else self._is_asked(question))
        self._all(lambda one: one.read(story, len(rows), self.budget))
        self.rows, self.at_turn = rows, question is not None
        return self

    def open(self, story: Story, may_be: Asked, settle: Asked) -> None:
        """Through all chance, up to the first decision: of positions on the way those that may be, of those at its end
        those that `settle` takes, after it may have changed them."""
        self._all(lambda one: one.open(story, may_be, settle, self.budget))

    def unseen(self) -> list[Position] | None:
        """All positions that are possible now for a seat that is not asked: since it was told something the last time,
        others may have decided something unseen. None: too much may have happened."""
        if not self.exact:
            return None
        try:
            found = self._filters[0].unseen(Rows(self.game, self.rows), self.budget)
        except TooMuch:
            return None
        return [position for position, _ in found.values()]

    def _all(self, act: Callable[[Filter], None]) -> None:
        """Has the filter go on: all worlds, or, if they are too many, two filters with some of them. Raises TooLate if
        there was no time; then nothing was read."""
        for one in self._filters:
            one.hurry = self.hurry
        if len(self._filters) == 1:
            exact = self._filters[0]
            marks = len(exact.marks)
            try:
                act(exact)
            except TooMuch:
                halves = [
                    Filter(self.observer, random.Random(n), exact.marks[-1], max(2, self.drawn // 2)) for n in (1, 2)
                ]
                for one in halves:
                    one.marks, one.lost, one.hurry = list(exact.marks), exact.lost, self.hurry
                self._filters = halves
            self.steps += exact.steps
            if len(self._filters) == 1 and not any(exact.marks[-1].levels.values()):
                del exact.marks[marks:]
                raise Contradiction(f"{self.game.id}, {self.seat}")
        if len(self._filters) > 1:
            kept = [list(one.marks) for one in self._filters]
            try:
                for one in self._filters:
                    act(one)
                    self.steps += one.steps
            except TooLate:
                for one, before in zip(self._filters, kept, strict=True):
                    one.marks = before
                raise

    def _is_asked(self, question: int) -> Asked:
        me = self.observer.me
        return lambda position: position.number == question and position.asked == me

    # --- what follows -------------------------------------------------------------------------------------------------
    def _present(self, one: Filter) -> Worlds:
        """The worlds of a filter that may be so now."""
        return one.worlds

    def worlds(self) -> list[tuple[Position, float]]:
        """The positions that are possible now, and how likely each is."""
        alive = [worlds for worlds in map(self._present, self._filters) if worlds]
        return [(position, weight / len(alive)) for worlds in alive for position, weight in worlds.values()]

    def spread(self, look: Callable[[Position], Found]) -> dict[Found, float]:
        """How likely each value is of what can be looked up in a position, the likeliest first."""
        return _spread(self.worlds(), look)

    def error(self, look: Callable[[Position], Found]) -> float:
        """About how far the shares may be off: nothing, if all worlds are known; otherwise how far the two halves of
        what was drawn disagree, and no less than so few worlds can tell. Of a set, pile or list it is the share of each
        thing in it that may be so far off."""
        if self.exact:
            return 0.0
        present = [self._present(f).values() for f in self._filters]
        halves = [_spread(((p, w) for p, w in worlds), look) for worlds in present]
        if len(halves) < 2 or not all(halves):
            return 1.0
        apart = _apart(*halves)
        few: float = sum(sum(w * w for _, w in worlds) for worlds in present) / 4  # one by the number that counts
        return min(1.0, float(apart + sqrt(few) / 2))

    def draw(self, rng: random.Random) -> Position:
        """A whole position, as likely as it is."""
        positions, weights = zip(*self.worlds(), strict=True)
        drawn: Position = rng.choices(positions, weights)[0].clone()
        return drawn


def _apart(one: dict[Found, float], other: dict[Found, float]) -> float:
    """How far two answers disagree. Of several things together: of which of them the most."""
    if any(isinstance(value, tuple) for value in one):
        shares: list[dict[Any, float]] = [{}, {}]
        for found, spread in zip(shares, (one, other)):
            for value, share in spread.items():
                for part in set(value) if isinstance(value, tuple) else ():
                    found[part] = found.get(part, 0.0) + share
        return max((abs(shares[0].get(x, 0.0) - shares[1].get(x, 0.0)) for x in {*shares[0], *shares[1]}), default=0.0)
    return sum(abs(one.get(x, 0.0) - other.get(x, 0.0)) for x in {*one, *other}) / 2


def _spread(worlds: Iterable[tuple[Position, float]], look: Callable[[Position], Found]) -> dict[Found, float]:
    found: dict[Found, float] = {}
    for position, weight in worlds:
        value = look(position)
        found[value] = found.get(value, 0.0) + weight
    return dict(sorted(found.items(), key=lambda item: -item[1]))
