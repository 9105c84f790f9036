"""How likely each world of a belief is, if others choose evenly among what is legal for them.

Belief says what is possible. Here each thing that a player is shown also shifts the odds: a world in which the other
had few answers to choose from makes the one he gave more likely. All deals are equally likely to begin with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from math import log2
from typing import Any

from ..interpreter.evaluate import evaluate
from ..interpreter.model import Alternative, Expr, Part, Step, Var, walk
from .belief import Belief, Unknown, _parts, _Slots, judge, names_of

__all__ = ["Odds", "answers", "per_world"]

MOST_ANSWERS = 20_000
_MISSING = (Unknown, KeyError, IndexError, TypeError)


class Odds:
    """A belief with weights. Reads the rows of a log as they come, like the belief itself."""

    def __init__(self, game, seat: str):
        self.game, self.belief = game, Belief(game, seat)
        self.weights: dict[tuple, float] = {}  # of worlds that are not as likely as all others
        self._deal: tuple = ()

    def observe(self, rows: Iterable[tuple]) -> None:
        for row in rows:
            event = self.game.program.events[row[0]]
            if event.kind in ("ask", "show") and event.origin is not None:
                self.belief.ready()
                self._fresh()
                self._weigh(event, row[1:])
            self.belief.observe([row])

    def _fresh(self) -> None:
        """Weights are of one deal of one game."""
        if self._deal != self.belief.deal_id:
            self.weights, self._deal = {}, self.belief.deal_id

    def ready(self) -> Odds:
        self.belief.ready()
        self._fresh()
        return self

    def _weigh(self, event, values: tuple) -> None:
        ways = ways_of(self.belief, event, values)
        if not ways:
            return
        found = per_world(self.belief, lambda slots: len(_first(self.belief, ways, slots)[1]))
        for world, possible in zip(self.belief.worlds, found, strict=True):
            if possible:
                self.weights[world] = self.weights.get(world, 1.0) / possible

    # --- what follows -------------------------------------------------------------------------------------------------
    def shares(self) -> list[float]:
        """The probability of each world, in the order of the belief's worlds."""
        raw = [self.weights.get(world, 1.0) for world in self.belief.worlds]
        whole = sum(raw)
        return [weight / whole for weight in raw] if whole else []

    def spread(self, look: Callable[[_Slots], Any]) -> dict[Any, float]:
        """How likely each value is of something that can be looked up in a world; None where it cannot be."""
        found: dict[Any, float] = {}

        def safe(slots: _Slots) -> Any:
            try:
                return look(slots)
            except _MISSING:
                return None

        for value, share in zip(per_world(self.belief, safe), self.shares(), strict=True):
            found[value] = found.get(value, 0.0) + share
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def gain(self, ways: list) -> float | None:
        """How many bits the answer would tell, on average, with what is shown because of it; None if that cannot be
        told."""
        found = list(per_world(self.belief, lambda slots: self._outcomes(ways, slots)))
        if any(not possible for possible in found):
            return None
        groups: dict[int, tuple[list, float]] = {}
        for possible, share in zip(found, self.shares(), strict=True):
            groups[id(possible)] = (possible, groups.get(id(possible), (possible, 0.0))[1] + share)
        chances: dict[Any, float] = {}
        inside = 0.0
        for possible, share in groups.values():
            inside += share * log2(len(possible))
            for answer in possible:
                chances[answer] = chances.get(answer, 0.0) + share / len(possible)
        return max(0.0, -sum(p * log2(p) for p in chances.values() if p > 0) - inside)

    def surprise(self, event, values: tuple) -> float | None:
        """How many bits a value would tell that is shown without anybody's choice; None if that cannot be told."""
        if event.kind != "show" or event.origin is None or event.types[-1].kind == "truth":
            return None
        names = names_of(event, values)
        chances = self.spread(lambda slots: evaluate(event.origin.at["show"], slots, names))
        return None if None in chances else max(0.0, -sum(p * log2(p) for p in chances.values() if p > 0))

    def _outcomes(self, ways: list, slots: _Slots) -> list[tuple]:
        """All legal answers, each with what I would be shown after it, such as the face of a card that was covered."""
        way, found = _first(self.belief, ways, slots)
        if way is None:
            return []
        step, alternative, names = way
        variables = [part.var for part in _parts(step, alternative)]
        follow = _following(self.game, step)
        return [(choice, self._shown(follow, {**names, **dict(zip(variables, choice))}, slots)) for choice in found]

    def _shown(self, steps: list[Step], names: dict[Var, Any], slots: _Slots) -> tuple:
        shown: tuple = ()
        for step in steps:
            try:
                if step.verb == "for each":
                    var = step.at["loop"].args[0].origin
                    for element in evaluate(step.at["for each"], slots, names):
                        shown += self._shown(step.bodies["do"], {**names, var: element}, slots)
                elif step.verb == "if":
                    body = "then" if judge(step.at["if"], slots, names) else "else"
                    shown += self._shown(step.bodies.get(body) or [], names, slots)
                elif step.verb == "show" and self._is_for_me(step, slots, names):
                    shown += (evaluate(step.at["show"], slots, names),)
            except _MISSING:
                continue
            if step.verb not in ("for each", "if", "show", "say", "set"):
                break
        return shown

    def _is_for_me(self, step: Step, slots: _Slots, names: dict[Var, Any]) -> bool:
        if not isinstance(step.audience, Expr):
            return step.audience == "all"
        seen_by = evaluate(step.audience, slots, names)
        return self.belief.me in (seen_by if isinstance(seen_by, tuple) else (seen_by,))


def ways_of(belief: Belief, event, values: tuple) -> list:
    """The questions that somebody else may have answered here: step, alternative, the names it hangs on."""
    step, names = event.origin, names_of(event, values)
    if event.kind == "ask":
        if dict(zip(event.names, values)).get("who") == belief.me or not event.context:
            return []
        return [(step, next((a for a in step.alternatives if a.name == event.alternative), None), names)]
    found = []
    for origin, alternative, _, terms in belief.origins(step):
        try:
            found.append((origin, alternative, {var: evaluate(expr, (), names) for var, expr in terms.items()}))
        except _MISSING:
            return []
    return found


def _following(game, step: Step) -> list[Step]:
    """The steps that come after a step, where it stands."""
    for rule in game.program.rules.values():
        for steps in (rule.steps, *(body for s in walk(rule.steps) for body in s.bodies.values())):
            if step in steps:
                return steps[steps.index(step) + 1 :]
    return []


def _first(belief: Belief, ways: list, slots: _Slots) -> tuple[tuple | None, list]:
    """The first question that has legal answers, and these: the others are asked only if it has none."""
    for step, alternative, names in ways:
        try:
            who = evaluate(step.at["ask"], slots, names)
            found = answers(step, alternative, names, slots)
        except _MISSING:
            break
        if who == belief.me:
            break
        if found:
            return (step, alternative, names), found
    return None, []


def per_world(belief: Belief, look: Callable[[_Slots], Any]) -> Iterator[Any]:
    """What is found in each world, in order. Worlds that agree on all that was looked at are looked into once."""
    slots, tree = _Slots(belief), []
    for world in belief.worlds:
        branch: list = tree
        while len(branch) == 2:
            branch = branch[1].setdefault(world[branch[0]], [])
        if not branch:
            slots.world, slots.asked = world, []
            result = look(slots)
            branch = tree
            for place in dict.fromkeys(slots.asked):
                if not branch:
                    branch += [place, {}]
                branch = branch[1].setdefault(world[place], [])
            branch[:] = [result]
        yield branch[0]


# --- all legal answers ------------------------------------------------------------------------------------------------
def answers(step: Step, alternative: Alternative | None, names: dict[Var, Any], slots) -> list[tuple]:
    """All that could have been chosen. Raises Unknown if that hangs on what no world tells."""
    found: list[tuple] = []
    parts = _parts(step, alternative)

    def further(index: int, names: dict[Var, Any], chosen: tuple) -> None:
        if len(found) > MOST_ANSWERS:
            raise Unknown
        if index == len(parts):
            found.append(chosen)
            return
        part = parts[index]
        last = index == len(parts) - 1
        tests = [t for t in (step.at.get("where"), alternative and alternative.where) if t is not None] if last else []
        tests = [t for t in tests if not _surely(t, slots, names)]
        for value in _values(part, names, slots):
            inside = {**names, part.var: value}
            if all(judge(test, slots, inside) for test in tests):
                further(index + 1, inside, (*chosen, value))

    if alternative is None or alternative.given is None or judge(alternative.given, slots, names):
        further(0, dict(names), ())
    return found


def _surely(test: Expr, slots, names: dict[Var, Any]) -> bool:
    """Does it hold whatever is chosen?"""
    try:
        return judge(test, slots, names)
    except _MISSING:
        return False


def _values(part: Part, names: dict[Var, Any], slots) -> Iterable:
    if part.shape == "match":
        raise Unknown
    pool = evaluate(part.source, slots, names)
    if part.shape == "one":
        yield from pool
        return
    least, most = evaluate(part.amount, slots, names)
    limits = [evaluate(amount, slots, names) for _, _, amount in part.which]
    marks = {x: [judge(test, slots, {**names, var: x}) for var, test, _ in part.which] for x in pool}
    for count in range(least, min(most, len(pool)) + 1):
        for some in combinations(pool, count):
            if all(low <= sum(marks[x][i] for x in some) <= high for i, (low, high) in enumerate(limits)):
                yield some
