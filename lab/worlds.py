"""Worlds beside each other: can a player tell apart what he may not know?

All runs of a game that have been the same for an observer so far must go on the same for him, or differ in something
that the rules declare: a `show`, the winners of an `end`, the answer to an `ask`, what a `draw` or a `deal` gave.
Nothing is assumed about the rules and no secret has to be named: runs are filed by what the observer has noticed, and
wherever two that lie in the same place go on otherwise, he learns something of what tells them apart.

A player notices the lines of his log, his own questions with all that he could choose, in its order, who is given the
keyboard (the same one twice in a row is noticed once), and that the game is over or has stopped.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from ..interpreter import CHANCE, RulesError
from ..interpreter.cells import arguments_of, cells_of
from ..interpreter.evaluate import evaluate
from .noticing import Chance, Lines, Notice, Pool, question_notices

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.model import Function, Step
    from ..interpreter.observe import Row
    from ..interpreter.position import Position
    from ..interpreter.state import Choice

__all__ = ["Difference", "Secret", "Worlds"]

NODES = 4_000  # positions that are looked at where all of them are
WIDTH = 24  # worlds that are led on beside each other
LONGEST = 400  # choices in a row of which the observer notices nothing
WAYS = 40  # in which a world is tried to be led on as another one went
SAMPLES = 12  # worlds that are kept for each way in which things went on


class Way(NamedTuple):
    """How a world came about: the last choice, and the way before it."""

    before: Way | None
    choice: Choice

    def choices(self) -> list[Choice]:
        found: list[Choice] = []
        way: Way | None = self
        while way is not None:
            found.append(way.choice)
            way = way.before
        return found[::-1]


@dataclass(slots=True)
class World:
    position: Position
    way: Way | None
    places: dict[str, int]  # observer -> where this run is filed
    keys: str | None = None  # who has the keyboard
    chance: Chance | None = None
    given: dict[str, tuple[Any, ...]] = field(default_factory=dict)  # step -> all that chance has given there
    decided: dict[str, Position] = field(default_factory=dict)  # seat -> where it decided last
    last: str | None = None  # who decided last of all
    ended: bool = False  # over, or stopped

    def clone(self) -> World:
        return World(
            self.position.clone(),
            self.way,
            self.places.copy(),
            self.keys,
            self.chance,
            self.given,
            self.decided,
            self.last,
            self.ended,
        )


class Secret(NamedTuple):
    """A value of the state that is not the same in two worlds."""

    function: Function
    arguments: tuple[int, ...]
    values: tuple[Any, Any]
    telling: Any  # of the two, the one that holds in all worlds of one side, if there is such a one
    among: Any = None  # of several things: one that is among them in all worlds of one side, and in none of the other


@dataclass(slots=True)
class Difference:
    """Something that an observer could tell, and two worlds that he can tell apart by it."""

    observer: str
    one: Notice
    other: Notice
    ways: tuple[list[Choice], list[Choice]]
    secret: Secret | None = None  # what it hangs on, if it is a value of the state
    unseen: Step | None = None  # otherwise: the choice or the draw that went otherwise
    matter: str = ""

    def __post_init__(self) -> None:
        self.matter = self.matter or self._matter()

    def _matter(self) -> str:
        matters = {self.one.matter, self.other.matter}
        if len(matters) == 1:
            return self.one.matter
        return next(
            m for m in ("stopped", "keyboard", "question", "over", "log", "choices", "pool", "undo") if m in matters
        )

    @property
    def step(self) -> Step | None:
        """Where it shows: of what is noticed in the two worlds, what stands first in the rules."""
        steps = [n.step for n in (self.one, self.other) if n.step is not None]
        near = [n.step for n in (self.one, self.other) if n.step is not None and n.matter == self.matter]
        return min(near or steps, key=lambda step: step.number, default=None)

    def __str__(self) -> str:
        return f"{self.observer} notices {_noticed(self.one)}, or {_noticed(self.other)}"


def _noticed(notice: Notice) -> str:
    return f"{notice.matter} at {notice.step.name if notice.step is not None else '-'} {notice.must} {notice.may}"


@dataclass(slots=True)
class _File:
    """Where runs lie that are the same for an observer."""

    before: int = 0
    depth: int = 0
    seen: dict[tuple[Any, ...], list[tuple[Notice, Way | None]]] = field(default_factory=dict)  # by what must be equal
    stopped: list[tuple[Notice, Way | None]] = field(default_factory=list)  # where that was promised not to happen
    further: dict[tuple[Any, ...], int] = field(default_factory=dict)
    pools: dict[str, Pool] = field(default_factory=dict)  # by the step that draws


class Worlds:
    """Plays many runs of one game and files them. `differences` are those that were found, one for each observer and
    each pair of steps."""

    def __init__(self, game: Game, *, end_declared: bool = False, clock: Callable[[], float] = time.monotonic):
        self.game, self.clock = game, clock
        self.end_declared = end_declared
        self.observers = [seat for seat in game.seats if seat not in game.chance_seats]
        self.masks = {seat: 1 << game.seat(seat) for seat in self.observers}
        self.lines = Lines(game, end_declared)
        self.files: dict[str, list[_File]] = {seat: [_File()] for seat in self.observers}
        self.undo: dict[tuple[str, int], dict[tuple[bool, bool], Way | None]] = {}
        self.varied: dict[str, set[int]] = {seat: set() for seat in self.observers}
        self._held: dict[tuple[str, int], list[Any]] = {}
        self.functions = [f for same in game.vocabulary.functions.values() for f in same if f.kind == "state"]
        self.nodes = 0
        self.whole = False  # all runs were looked at
        self.beside = 0  # worlds that were led on beside another one, at each step
        self._found: dict[tuple[Any, ...], tuple[str, int, Any, Any]] = {}
        self._undone: dict[tuple[Any, ...], tuple[str, int, Any, Any]] = {}
        self._refuted: dict[tuple[Any, ...], tuple[str, int, Any, Any]] = {}
        self.assumed = {assumption.step for assumption in game.assumed}  # never to stop in some worlds only

    # --- runs ---------------------------------------------------------------------------------------------------------
    def exhaust(self, limit: int = NODES, until: float | None = None, one_will_do: bool = False) -> bool:
        """Look at all runs, as long as there are not too many of them. Were that all, or, if that will do, is something
        found? `varied` are then the cells that are not the same in all worlds that somebody cannot tell apart."""
        first = self._begin(self.observers)
        stack = [] if first is None else [first]
        seen: set[tuple[Any, ...]] = set()
        count = 0
        while stack:
            world = stack.pop()
            if world.ended:
                continue
            here = (world.position.position(), tuple(world.places.values()), world.keys)
            if here in seen:
                continue
            seen.add(here)
            count += 1
            if one_will_do and self._found:
                return True
            self._compare(world)
            if count > limit or until is not None and self.clock() > until:
                return False
            for choice in self._choices(world):
                stack.append(self.go(world.clone(), choice))
        self.whole = True
        return True

    def _compare(self, world: World) -> None:
        cells = world.position.cells()
        for observer, place in world.places.items():
            first = self._held.setdefault((observer, place), cells)
            if first != cells:
                self.varied[observer].update(i for i, (a, b) in enumerate(zip(first, cells)) if a != b)

    def follow(
        self, observer: str, rng: random.Random, width: int = WIDTH, most: int = 60, until: float | None = None
    ) -> None:
        """Lead some worlds on that this observer cannot tell apart. One may be ahead of another: then what he has
        noticed in it begins as in the other."""
        first = self._begin([observer])
        worlds = [] if first is None or first.ended else [first]
        for _ in range(most):
            if not worlds or until is not None and self.clock() > until:
                return
            open_ones = [world for world in worlds if world.position.actor != observer]
            if open_ones:
                here = min((world.places[observer] for world in open_ones), key=lambda p: self.files[observer][p].depth)
                behind = [world for world in open_ones if world.places[observer] == here]
                others = [world for world in worlds if world.places[observer] != here or world not in behind]
                worlds = self._further(behind, others, observer, rng, width)
            else:
                worlds = self._decided(worlds, observer, rng)
            self.beside += max(0, len(worlds) - 1)

    def _decided(self, worlds: list[World], observer: str, rng: random.Random) -> list[World]:
        """The observer himself decides: in all worlds the same."""
        choice = worlds[0].position.sample(rng, habits=True)
        further = [self.go(world.clone(), choice) for world in worlds if world.position.is_legal(choice)]
        further = [world for world in further if not world.ended]
        if not further:
            return []
        there = rng.choice(further).places[observer]
        return [world for world in further if self._agree(observer, world.places[observer], there)]

    def _further(
        self, behind: list[World], others: list[World], observer: str, rng: random.Random, width: int
    ) -> list[World]:
        """Others decide, or chance, in these worlds until the observer notices something; then all worlds, these and
        others, that agree with one of them."""
        here = behind[0].places[observer]
        ends: list[tuple[World, Choice, World]] = []
        for number in range(max(width, len(behind))):
            world = behind[number % len(behind)]
            for _ in range(LONGEST):
                before, choice = world, self._picked(world, rng)
                if choice is None:
                    break
                world = self.go(world.clone(), choice)
                if world.ended or world.places[observer] != here:
                    ends.append((before, choice, world))
                    break
        going = [end for end in ends if not end[2].ended]
        if not going:
            return others
        agreeing = [
            end
            for end in going
            if all(self._agree(observer, end[2].places[observer], w.places[observer]) for w in others)
        ]
        _, chosen, target = rng.choice(agreeing or going)
        there = target.places[observer]
        found = [world for world in others if self._agree(observer, world.places[observer], there)]
        for before, _, end in ends:
            if self._agree(observer, end.places[observer], there):
                found.append(end)
            else:
                found += self._led(before, chosen, observer, there, rng)
        return _apart([world for world in found if not world.ended])[: 2 * width]

    def _led(self, before: World, chosen: Choice, observer: str, there: int, rng: random.Random) -> list[World]:
        """This world, if it can be led on so that what the observer notices agrees with another one."""
        try:
            legal = [chosen] if before.position.is_legal(chosen) else []
            listed = before.position.legal()
        except RulesError:
            return []
        for choice in [*legal, *rng.sample(listed, min(len(listed), WAYS))]:
            world = self.go(before.clone(), choice)
            if self._agree(observer, world.places[observer], there):
                return [world]
        return []

    def _agree(self, observer: str, one: int, other: int) -> bool:
        """Is what was noticed in one of them the beginning of what was noticed in the other?"""
        files = self.files[observer]
        while files[one].depth > files[other].depth:
            one = files[one].before
        while files[other].depth > files[one].depth:
            other = files[other].before
        return one == other

    def _choices(self, world: World) -> Iterable[Choice]:
        try:
            return world.position.legal()
        except RulesError:
            return ()  # told where it stopped

    def _picked(self, world: World, rng: random.Random) -> Choice | None:
        if world.ended:
            return None
        try:
            if world.position.is_chance:
                return rng.choice(world.position.legal())  # what is rare is as telling as what is not
            return world.position.sample(rng, habits=True)
        except RulesError:
            return None

    # --- one step -----------------------------------------------------------------------------------------------------
    def _begin(self, observers: list[str]) -> World | None:
        try:
            position = self.game.beginning()
        except RulesError:
            return None  # the same in all worlds
        world = World(position, None, dict.fromkeys(observers, 0))
        self._notice(world, position.rows(), None)
        return world

    def go(self, world: World, choice: Choice) -> World:
        """Make a choice, and file what everyone notices of it."""
        position = world.position
        self.nodes += 1
        world.way = Way(world.way, choice)
        mark, chance = position.mark, world.chance
        if position.actor == CHANCE:
            if chance is not None:
                before = world.given.get(chance.step.name, ())
                world.given = {**world.given, chance.step.name: tuple(sorted((*before, *choice)))}
        else:
            world.last = str(position.actor)
            world.decided = {**world.decided, world.last: position.clone()}
        try:
            position.apply(choice, trusted=True)
        except RulesError as error:
            self._stop(world, position.rows(since=mark), chance, error)
            return world
        self._notice(world, position.rows(since=mark), chance)
        return world

    def _stop(self, world: World, rows: list[tuple[int, Row]], chance: Chance | None, error: RulesError) -> None:
        world.ended = True
        place = error.problems[0].place
        step = next((s for s in self.lines.steps.values() if s.place == place), None)
        for observer in world.places:
            self._tell(world, observer, rows, chance)
            self._file(world, observer, Notice("stopped", step, (step.name if step is not None else "",)))

    def _notice(self, world: World, rows: list[tuple[int, Row]], chance: Chance | None) -> None:
        position = world.position
        for observer in world.places:
            self._tell(world, observer, rows, chance)
        try:
            if position.is_over:
                world.ended = True
                if not position.over:  # a plan without a choice in it that does not end as it must
                    for observer in world.places:
                        self._file(world, observer, Notice("stopped", None, ("stopped",)))
                    return
                for observer in world.places:
                    self._file(world, observer, Notice("over", None, ("over",), (), self.end_declared))
                return
            actor = position.actor
            if actor == CHANCE:
                self._chance(world)
                return
            world.chance = None
            if actor in world.places:
                asked = question_notices(position, str(actor))
            else:
                asked = None
                position.legal()  # where there is nothing to choose the game stops
        except RulesError as error:
            self._stop(world, [], None, error)
            return
        for observer in world.places:
            if observer == actor:
                assert asked is not None
                for notice in asked:
                    self._file(world, observer, notice)
                self._undo(world, observer)
            elif world.keys != actor:
                self._file(world, observer, Notice("keyboard", position.step, (actor,)))
        world.keys = str(actor)

    def _chance(self, world: World) -> None:
        position, chance = world.position, world.chance
        position.legal()  # where there is nothing to draw the game stops
        if not position.is_chance:  # a seat that chance plays
            world.chance = None
        elif chance is not None and chance.step is position.step and chance.left > 1:
            world.chance = chance._replace(left=chance.left - 1)
        else:
            step, pool = position.step, position.pool()
            assert step is not None
            names, cells = position.names(), position.cells()
            if step.verb not in ("draw", "deal"):
                number = len(pool)
            elif step.verb == "deal":
                row = evaluate(step.at["to"], cells, names)
                number = min(len(pool), len(row) * evaluate(step.at["each"], cells, names))
            else:
                number = evaluate(step.at["draw"], cells, names)
            world.chance = Chance(step, tuple(sorted(pool)), world.given, number)

    # --- what is noticed ----------------------------------------------------------------------------------------------
    def _tell(self, world: World, observer: str, rows: list[tuple[int, Row]], chance: Chance | None) -> None:
        for mask, row in rows:
            if mask & self.masks[observer]:
                for notice in self.lines.notices(row):
                    if notice.matter == "pool" and chance is not None and chance.step is notice.step:
                        pool = chance.step.at["deal" if chance.step.verb == "deal" else "from"]
                        if pool.type.kind != "pile":  # of what lies in a pile one learns what is drawn, as of any pack
                            self._pool(world, observer, chance)
                    elif notice.matter != "pool":
                        self._file(world, observer, notice)

    def _undo(self, world: World, observer: str) -> None:
        """Whether the last decision could be taken back is seen on the screen: by somebody among people, for whom the
        last decision of all counts, and by somebody among bots, for whom it is the last one of his own."""
        before = world.decided.get(observer)
        alone = before is not None and world.position.unnoticed_since(before, observer)
        can = (alone, alone and world.last == observer)
        ways = self.undo.setdefault((observer, world.places[observer]), {})
        ways.setdefault(can, world.way)
        if len(ways) == 2:
            key = (observer, "undo", world.position.step)
            one, other = ((Notice("undo", world.position.step, c), way) for c, way in ways.items())
            self._undone.setdefault(key, (observer, -1, [one], [other]))

    def _pool(self, world: World, observer: str, chance: Chance) -> None:
        pools, name = self.files[observer][world.places[observer]].pools, chance.step.name
        if name not in pools:
            pools[name] = Pool(chance, world.way)
        elif not pools[name].agrees(chance):
            first, way = pools[name].first
            one, other = Notice("pool", chance.step, first), Notice("pool", chance.step, chance.pool)
            self._found.setdefault((observer, "pool", name), (observer, -1, [(one, way)], [(other, world.way)]))

    def _is_assumed(self, name: str) -> bool:
        """A plan that cannot be made stops at a question in it."""
        return any(name == step or name.startswith(step + "/") for step in self.assumed)

    # --- filing -------------------------------------------------------------------------------------------------------
    def _file(self, world: World, observer: str, notice: Notice) -> None:
        files = self.files[observer]
        here = world.places[observer]
        file = files[here]
        if notice.matter == "stopped" and notice.step is not None and self._is_assumed(notice.step.name):
            if len(file.stopped) < SAMPLES:
                file.stopped.append((notice, world.way))
        elif not notice.declared:
            key = (notice.matter, notice.must)
            same = file.seen.setdefault(key, [])
            if len(same) < SAMPLES:
                same.append((notice, world.way))
            if len(file.seen) > 1 and len(same) == 1:
                first = next(iter(file.seen.values()))
                found = (observer, *sorted((_sign(first[0][0]), _sign(notice))))
                self._found.setdefault(found, (observer, here, first, same))
        if file.stopped and file.seen:
            refuted = (observer, file.stopped[0][0].step)
            self._refuted.setdefault(refuted, (observer, here, file.stopped, next(iter(file.seen.values()))))
        key = (notice.matter, notice.must, notice.may)
        there = file.further.get(key)
        if there is None:
            there = file.further[key] = len(files)
            files.append(_File(here, file.depth + 1))
        world.places[observer] = there

    # --- what was found -----------------------------------------------------------------------------------------------
    @property
    def leaks(self) -> bool:
        """Can somebody tell something, apart from what can be taken back and from promises that are not kept?"""
        return bool(self._found)

    @property
    def differences(self) -> list[Difference]:
        return self._told(self._found) + self._told(self._undone)

    @property
    def refuted(self) -> list[Difference]:
        """Where the game stops in some worlds only, although its author has said that it never does."""
        return self._told(self._refuted)

    def _told(self, found: dict[tuple[Any, ...], tuple[str, int, Any, Any]]) -> list[Difference]:
        return [self._nearest(observer, one, other) for observer, _, one, other in found.values()]

    def _nearest(self, observer: str, one: list, other: list) -> Difference:
        """Of the worlds on both sides the two that differ least: there one sees best what it hangs on."""
        kept = [[(n, w, self.replay(w)) for n, w in side] for side in (one, other)]
        a, b = min(product(*kept), key=lambda pair: len(self.unlike(pair[0][2], pair[1][2])))
        ways = _choices_of(a[1]), _choices_of(b[1])
        sides = [[_choices_of(way) for _, way in side] for side in (one, other)]
        return Difference(observer, a[0], b[0], ways, self._secret(ways, sides), self._unseen(ways))

    def _secret(self, ways: tuple[list[Choice], list[Choice]], sides: list[list[list[Choice]]]) -> Secret | None:
        """What differed before the last choice, rather than what that has brought about; what is hidden, rather than
        what is open; what the two sides differ in throughout, rather than what they do in these two worlds; and what
        somebody has, rather than what lies in the dark."""
        found: list[tuple[tuple[int, ...], Secret]] = []
        before, after = ([self.position(way[: len(way) - less]) for way in ways] for less in (1, 0))
        early = set(self.unlike(*before))
        earlier, later = ([[self.position(w[: len(w) - less]) for w in s] for s in sides] for less in (1, 0))
        for function in self.functions:
            for cell in set(cells_of(function)) & (early | set(self.unlike(*after))):
                two, all_of_them = (before, earlier) if cell in early else (after, later)
                values = [[position.cell(cell) for position in side] for side in all_of_them]
                pair = two[0].cell(cell), two[1].cell(cell)
                sure = [pair[i] for i in (0, 1) if set(values[i]) == {pair[i]} and pair[i] not in values[1 - i]]
                among = _among(values) if function.result.many else []
                rank = (cell not in early, function.view == "all", not (sure or among), function.view == "nobody", cell)
                telling, element = (sure or pair)[0], among[0] if among else None
                found.append((rank, Secret(function, arguments_of(function, cell), pair, telling, element)))
        return min(found, key=lambda item: item[0], default=(None, None))[1]

    def _unseen(self, ways: tuple[list[Choice], list[Choice]]) -> Step | None:
        for number, (one, other) in enumerate(zip(*ways)):
            if one != other:
                return self.position(ways[0][:number]).step
        return None

    def replay(self, way: Way | None) -> Position:
        return self.position(_choices_of(way))

    def position(self, choices: list[Choice]) -> Position:
        """The position to which a way leads; if it stops on it, the last one before."""
        position = self.game.beginning()
        for choice in choices:
            before = position.clone()
            try:
                position.apply(choice, trusted=True)
            except RulesError:
                return before
        return position

    def unlike(self, one: Position, other: Position) -> list[int]:
        """The cells that are not the same in two worlds."""
        return [i for i, (a, b) in enumerate(zip(one.cells(), other.cells())) if a != b]


def _among(sides: list[list[Any]]) -> list[Any]:
    """What is among these things in all worlds of one side, and in none of the other."""
    rows = [[set(row or ()) for row in side] for side in sides]
    always = [set.intersection(*side) for side in rows]
    ever = [set.union(*side) for side in rows]
    return sorted(always[0] - ever[1]) or sorted(always[1] - ever[0])


def _choices_of(way: Way | None) -> list[Choice]:
    return [] if way is None else way.choices()


def _sign(notice: Notice) -> tuple[str, str]:
    return notice.matter, notice.step.name if notice.step is not None else ""


def _apart(worlds: list[World]) -> list[World]:
    """Each position once."""
    found: dict[Any, World] = {}
    for world in worlds:
        found.setdefault((world.position.position(), *world.places.values()), world)
    return list(found.values())
