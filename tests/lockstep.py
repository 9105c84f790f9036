"""Two worlds in step, as one player sees them.

World A is played at random, chance included. World B is played beside it: wherever somebody else decides, or chance,
it takes any choice after which the observer has seen the same as in A; where he decides himself it takes the same
choice. He must then always have the same choices in both. The worlds part where an open reveal (`show`, `end`) differs, or
where what somebody else chose in A before his eyes cannot be chosen in B. Anything else that differs is a leak.
"""

from dataclasses import dataclass

DIVES = 12      # tries at random before all ways are tried in order
BUDGET = 250    # states of B that are looked at for one step of A
DECISIONS = 60  # of all players, in one game


class Leak(AssertionError):
    pass


@dataclass
class Comparison:
    decisions: int = 0  # of the observer, at which his choices were compared
    different: int = 0  # steps at which the worlds went different ways unseen


@dataclass
class Seen:
    """What the observer notices next: new lines of his log, or that it is his turn."""

    lines: list
    his_turn: bool
    by_deal: bool = False  # the first line is a card that chance has dealt


class World:
    def __init__(self, game, observer, state=None):
        self.game, self.observer = game, observer
        self.state = state or game.new()
        self.known = len(self.state.log(observer))

    def clone(self):
        return World(self.game, self.observer, self.state.clone())

    @property
    def his_turn(self):
        return self.state.actor == self.observer

    def take(self, choice):
        """Make a choice; what the observer sees of it, or None if he sees nothing and is not asked."""
        node = self.game.program.nodes[self.state.v[0]]
        self.state.apply(choice)
        lines = self.state.log(self.observer)[self.known:]
        self.known += len(lines)
        if lines or self.his_turn:
            return Seen(lines, self.his_turn and not lines, node.kind == "chance" and node.step.verb == "deal")
        return None


def compare(game, observer, rng, choose) -> Comparison:
    a, b, found = World(game, observer), World(game, observer), Comparison()
    if a.state.log(observer) != b.state.log(observer):
        raise Leak("the same beginning looks different")
    for _ in range(DECISIONS):
        if a.state.over:
            break
        if a.his_turn:
            b = follow(a, b, Seen([], True), [], rng)
            if b is None:
                break
            if not decide(a, b, rng, choose, found):
                break
            continue
        path = []
        seen = None
        while seen is None:
            path.append(choose(rng, a.state))
            seen = a.take(path[-1])
        before = b
        b = follow(a, b, seen, path, rng)
        if b is None:
            break
        found.different += b.state.position() != a.state.position() and before is not b
    return found


def decide(a, b, rng, choose, found) -> bool:
    """The observer's own decision; do the worlds go on together?"""
    if a.state.legal() != b.state.legal():
        raise Leak(f"{a.observer} has other choices: {options(a)} and {options(b)}")
    found.decisions += 1
    choice = choose(rng, a.state)
    seen, other = a.take(choice), b.take(choice)
    lines, others = (x.lines if x else [] for x in (seen, other))
    if lines == others:
        return True
    if not revealed(*first_difference(lines, others)):
        raise Leak(f"after his own choice {a.observer} sees {lines} and {others}")
    return False


def options(world):
    return [world.game.words(c) for c in world.state.legal()]


def follow(a, b, seen, path, rng):
    """B moved on until the observer has seen the same, or None if it cannot be."""
    if seen.his_turn and b.his_turn:
        return b
    if b.his_turn or b.state.over:
        raise Leak(f"{b.observer} sees {seen.lines} or is asked: {options(b)}")
    tried = []
    for dive in range(DIVES):
        world, step, end = b.clone(), 0, None
        while end is None:
            legal = world.state.legal()
            same = step < len(path) and path[step] in legal and rng.random() < dive / (DIVES - 1)
            end = world.take(path[step] if same else rng.choice(legal))
            step += 1
            if step > BUDGET:
                return None
        if matches(end, seen):
            return world
        tried.append(end)
    stack, looked = [b], 0
    while stack:
        world = stack.pop()
        legal = world.state.legal()
        looked += len(legal)
        if looked > BUDGET:
            return None  # not all ways could be tried: nothing is proved
        for choice in legal:
            after = world.clone()
            end = after.take(choice)
            if end is None:
                stack.append(after)
            elif matches(end, seen):
                return after
            else:
                tried.append(end)
    if not any(may_differ(a.game, seen, end) for end in tried):
        raise Leak(f"{a.observer} sees {seen} where in another world he could only see {tried[:3]}")
    return None


def matches(end, seen) -> bool:
    return end.lines == seen.lines and end.his_turn == seen.his_turn


def may_differ(game, seen, end) -> bool:
    one, other = first_difference(seen.lines, end.lines)
    if revealed(one, other):
        return True
    if one is None or other is None or one.kind != other.kind:
        return False
    steps = [game.program.events[line.number].step for line in (one, other)]
    if one.kind in ("ask", "draw"):
        return steps[0] == steps[1] and dict(one.told).get("who") == dict(other.told).get("who")
    first = one is seen.lines[0] and other is end.lines[0]
    return one.kind == "set" and first and seen.by_deal and end.by_deal


def first_difference(lines, others):
    for one, other in zip(lines, others):
        if one != other:
            return one, other
    shared = min(len(lines), len(others))
    return next(iter(lines[shared:]), None), next(iter(others[shared:]), None)


def revealed(one, other) -> bool:
    return any(line is not None and line.kind in ("show", "end") for line in (one, other))
