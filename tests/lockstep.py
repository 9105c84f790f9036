"""Two worlds in step, as one player sees them.

World A is played at random, chance included. World B is played beside it. What the observer decides is the same in
both; what others or chance decide before his eyes is the same as far as he sees it; what they decide unseen is
anything. He must then see the same in both and always have the same choices. The worlds part where an open reveal
(`show`, `end`) differs, or where what was chosen before his eyes in A cannot be chosen in B. Anything else that
differs is a leak.
"""

from copy import copy
from dataclasses import dataclass

from tabarro.interpreter import Reader
from tabarro.interpreter.model import walk

WAYS = 6  # in which A may go on, until B can go on beside it
TRIES = 8  # at finding a B that does
DECISIONS = 60  # of all players, in one game
LONGEST = 400  # unseen choices between two things that the observer sees
MATCH, PARTED, CHOSEN = "match", "parted", "chosen"


class Leak(AssertionError):
    pass


@dataclass
class Comparison:
    decisions: int = 0  # of the observer, at which his choices were compared
    different: int = 0  # of these, in how many the two worlds were not the same


@dataclass
class Seen:
    """What the observer notices: new lines of his log, or that it is his turn."""

    lines: list
    chosen: tuple | None = None  # if the first line tells a choice itself: of which step, by whom or for whom


class World:
    def __init__(self, game, observer):
        self.game, self.observer = game, observer
        self.state = game.new()
        self.reader = Reader(game, observer)
        self.reader.news(self.state)

    def clone(self):
        world = copy(self)
        world.state, world.reader = self.state.clone(), copy(self.reader)
        return world

    @property
    def his_turn(self):
        return self.state.actor == self.observer

    def take(self, choice) -> Seen | None:
        """Make a choice; what the observer sees of it, or None if he sees nothing and is not asked."""
        step = self.game.program.nodes[self.state.v[0]].step
        self.state.apply(choice)
        lines = self.reader.news(self.state)
        if lines:
            return Seen(lines, self.choice_told(step, lines[0]))
        return Seen([]) if self.his_turn else None

    def choice_told(self, step, line):
        event = self.game.program.events[line.number]
        if line.kind in ("ask", "draw") and event.step == step.name:
            return event.step, dict(line.told).get("who")
        if line.kind == "set" and step.verb in ("deal", "shuffle") and event.function is step.targets[0][0]:
            return step.name, line.told[:-1]
        if line.kind == "set" and step.pile and event.step == step.name and event.function is step.pile[0]:
            return step.name, line.told[:-1]  # the open pile that it was drawn from
        return None


def compare(game, observer, rng, choose) -> Comparison:
    a, b, found = World(game, observer), World(game, observer), Comparison()
    for _ in range(DECISIONS):
        if a.state.over:
            break
        for _ in range(WAYS):
            further = (decide if a.his_turn else go_on)(a.clone(), b.clone(), rng, choose, found)
            if further is not None:
                a, b = further
                break
        else:
            break
    if a.state.log(observer) != b.state.log(observer):
        raise Leak("the logs differ as a whole")
    return found


def go_on(a, b, rng, choose, found):
    """Others decide, or chance, until the observer sees something; the worlds thereafter, unless they part."""
    seen, path = None, []
    while seen is None and len(path) < LONGEST:
        path.append(choose(rng, a.state))
        seen = a.take(path[-1])
    b = follow(b, seen, path, rng) if seen else None
    return b and (a, b)


def decide(a, b, rng, choose, found):
    """The observer's own decision; the worlds thereafter, unless they part."""
    b = follow(b, Seen([]), [], rng)
    if b is None:
        return None
    if a.state.legal() != b.state.legal():
        raise Leak(f"{a.observer} has other choices: {options(a)} and {options(b)}")
    found.decisions += 1
    found.different += a.state.position() != b.state.position()
    choice = choose(rng, a.state)
    seen, other = (world.take(choice) or Seen([]) for world in (a, b))
    return (a, b) if judge(a.game, Seen(seen.lines), Seen(other.lines)) == MATCH else None


def options(world):
    return [world.game.words(c) for c in world.state.legal()]


def follow(b, seen, path, rng):
    """A world B moved on until the observer has seen the same, or None if none was found.

    At first B goes its own ways, later it rather follows the choices that were made in A.
    """
    if b.his_turn:
        if seen.lines:
            raise Leak(f"{b.observer} sees {seen.lines}, or is asked: {options(b)}")
        return b
    for attempt in range(TRIES):
        world, end, step = b.clone(), None, 0
        while end is None and step < LONGEST:
            legal, before = world.state.legal(), world.clone()
            same = step < len(path) and path[step] in legal and rng.random() < attempt / (TRIES - 1)
            end = world.take(path[step] if same else rng.choice(legal))
            step += 1
        if end is None:
            return None
        verdict = judge(b.game, seen, end)
        if verdict == MATCH:
            return world
        if verdict == CHOSEN:  # somebody chose before the observer's eyes: let him choose as in A
            for choice in rng.sample(legal, min(len(legal), 40)):
                world = before.clone()
                end = world.take(choice)
                if end is not None and judge(b.game, seen, end) == MATCH:
                    return world
    return None


def judge(game, seen, end) -> str:
    """How what is seen in two worlds compares."""
    if seen.lines == end.lines:
        return MATCH
    one, other = first_difference(seen.lines, end.lines)
    if any(line is not None and line.kind in ("show", "end") for line in (one, other)):
        return PARTED
    if all(line is not None and is_moved(game, line) for line in (one, other)):
        return PARTED  # what is moved is seen where it lies then
    if seen.chosen is not None and seen.chosen == end.chosen and seen.lines[0] != end.lines[0]:
        return CHOSEN
    if any(line is not None and game.program.events[line.number].planned for line in (one, other)):
        return PARTED  # all choices of a plan are seen at once, when it is done
    raise Leak(f"one sees {one}, where in another world one would see {other}")


def is_moved(game, line) -> bool:
    """Does a line tell where something lies that was moved there? How much that is must be the same everywhere."""
    moves = {s.name for r in game.program.rules.values() for s in walk(r.steps) if s.verb == "move"}
    return game.program.events[line.number].step in moves and line.kind in ("set", "top", "contents")


def first_difference(lines, others):
    for one, other in zip(lines, others):
        if one != other:
            return one, other
    shared = min(len(lines), len(others))
    return next(iter(lines[shared:]), None), next(iter(others[shared:]), None)
