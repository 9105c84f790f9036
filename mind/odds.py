"""How likely each world of a belief is, if others choose evenly among what is legal for them.

Belief says what is possible. Here each thing that a player is shown also shifts the odds: a world in which the other
had few answers to choose from makes the one he gave more likely. All deals are equally likely to begin with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from math import log2
from typing import TYPE_CHECKING, Any

from ..interpreter.evaluate import evaluate
from ..interpreter.model import Alternative, Expr, Part, Step, walk
from ..interpreter.trees import expression_at
from .belief import MISSING, Belief, Names, Unknown, World, WorldCells, judge, names_of, parts_of, per_world
from .now import Now, belief_of
from .secrets import deals_suffice

if TYPE_CHECKING:
    from ..interpreter.blocks import Event
    from ..interpreter.cells import Cells
    from ..interpreter.game import Game
    from ..interpreter.observe import Row
    from ..interpreter.player import Player
    from .courses import Courses

__all__ = ["Odds", "Way", "answers", "ways_of"]

MOST_ANSWERS = 20_000
Way = tuple[Step, Alternative | None, Names]  # a question that somebody may have answered, and the names it hangs on


class Odds:
    """A belief with weights. Reads the rows of a log as they come, like the belief itself."""

    def __init__(self, game: Game, seat: str, belief: Belief | None = None):
        self.game, self.belief = game, belief or Belief(game, seat)
        self.weights: dict[World, float] = {}  # of worlds that are not as likely as all others
        self._weighed = isinstance(self.belief, Now)  # such a belief has weights of its own
        self._deal: tuple[int, int] | None = None

    @classmethod
    def of(cls, player: Player, courses: Courses | None = None) -> Odds:
        """What a player can know now, and how likely the rest is, by all of his log. `courses`: as others are taken to
        choose (`models.courses_of`), if not evenly."""
        deals = courses is None and deals_suffice(player.game)
        odds = cls(player.game, player.seat, None if deals else belief_of(player, courses))
        if not odds._weighed:
            odds.observe(player.log.rows())
        return odds

    def observe(self, rows: Iterable[Row]) -> None:
        for row in rows:
            event = self.game.program.events[row[0]]
            tells = event.kind in ("ask", "show") and event.number not in self.belief.silent
            if not self._weighed and tells and event.origin is not None:
                self.belief.ready()
                self._fresh()
                self._weigh(event, row[1:])
            self.belief.observe([row])

    def _fresh(self) -> None:
        """Weights are of one deal of one game."""
        if self._weighed:
            self.weights = self.belief.weights
        elif self._deal != self.belief.deal_id:
            self.weights, self._deal = {}, self.belief.deal_id

    def ready(self) -> Odds:
        self.belief.ready()
        self._fresh()
        return self

    def _weigh(self, event: Event, values: tuple[Any, ...]) -> None:
        ways = ways_of(self.belief, event, values)
        if not ways:
            return
        found = self.belief.judged(
            lambda cells: len(_first(self.belief, ways, cells)[1]), (event.number, "odds", *values)
        )
        for world, possible in zip(self.belief.worlds, found, strict=True):
            if possible:
                self.weights[world] = self.weights.get(world, 1.0) / possible

    # --- what follows -------------------------------------------------------------------------------------------------
    def shares(self) -> list[float]:
        """The probability of each world, in the order of the belief's worlds."""
        raw = [self.weights.get(world, 1.0) for world in self.belief.worlds]
        whole = sum(raw)
        return [weight / whole for weight in raw] if whole else []

    def spread(self, look: Callable[[WorldCells], Any]) -> dict[Any, float]:
        """How likely each value is of something that can be looked up in a world; None where it cannot be."""
        found: dict[Any, float] = {}

        def safe(cells: WorldCells) -> Any:
            try:
                return look(cells)
            except MISSING:
                return None

        for value, share in zip(per_world(self.belief, safe), self.shares(), strict=True):
            found[value] = found.get(value, 0.0) + share
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def gain(self, ways: list[Way]) -> float | None:
        """How many bits the answer would tell, on average, with what is shown because of it; None if that cannot be
        told."""
        found = list(per_world(self.belief, lambda cells: self._outcomes(ways, cells)))
        if any(not possible for possible in found):
            return None
        groups: dict[int, tuple[list[Any], float]] = {}
        for possible, share in zip(found, self.shares(), strict=True):
            groups[id(possible)] = (possible, groups.get(id(possible), (possible, 0.0))[1] + share)
        chances: dict[Any, float] = {}
        inside = 0.0
        for possible, share in groups.values():
            inside += share * log2(len(possible))
            for answer in possible:
                chances[answer] = chances.get(answer, 0.0) + share / len(possible)
        return max(0.0, -sum(p * log2(p) for p in chances.values() if p > 0) - inside)

    def surprise(self, event: Event, values: tuple[Any, ...]) -> float | None:
        """How many bits a value would tell that is shown without anybody's choice; None if that cannot be told."""
        if event.kind != "show" or event.origin is None or event.types[-1].kind == "truth":
            return None
        names, shown = names_of(event, values), expression_at(event.origin, "show")
        chances = self.spread(lambda cells: evaluate(shown, cells, names))
        return None if None in chances else max(0.0, -sum(p * log2(p) for p in chances.values() if p > 0))

    def _outcomes(self, ways: list[Way], cells: WorldCells) -> list[tuple[Any, ...]]:
        """All legal answers, each with what I would be shown after it, such as the face of a card that was covered."""
        way, found = _first(self.belief, ways, cells)
        if way is None:
            return []
        step, alternative, names = way
        variables = [part.var for part in parts_of(step, alternative)]
        follow = _following(self.game, step)
        return [(choice, self._shown(follow, {**names, **dict(zip(variables, choice))}, cells)) for choice in found]

    def _shown(self, steps: list[Step], names: Names, cells: WorldCells) -> tuple[Any, ...]:
        shown: tuple[Any, ...] = ()
        for step in steps:
            try:
                if step.verb == "for each":
                    var = expression_at(step, "loop").args[0].origin
                    for element in evaluate(expression_at(step, "for each"), cells, names):
                        shown += self._shown(step.bodies["do"], {**names, var: element}, cells)
                elif step.verb == "if":
                    body = "then" if judge(expression_at(step, "if"), cells, names) else "else"
                    shown += self._shown(step.bodies.get(body) or [], names, cells)
                elif step.verb == "show" and self._is_for_me(step, cells, names):
                    shown += (evaluate(expression_at(step, "show"), cells, names),)
            except MISSING:
                continue
            if step.verb not in ("for each", "if", "show", "say", "set"):
                break
        return shown

    def _is_for_me(self, step: Step, cells: WorldCells, names: Names) -> bool:
        if not isinstance(step.audience, Expr):
            return step.audience == "all"
        seen_by = evaluate(step.audience, cells, names)
        return self.belief.me in (seen_by if isinstance(seen_by, tuple) else (seen_by,))


def ways_of(belief: Belief, event: Event, values: tuple[Any, ...]) -> list[Way]:
    """The questions that somebody else may have answered here."""
    step, names = event.origin, names_of(event, values)
    if step is None:
        return []
    if event.kind == "ask":
        if dict(zip(event.names, values)).get("who") == belief.me or not event.context:
            return []
        return [(step, next((a for a in step.alternatives if a.name == event.alternative), None), names)]
    found: list[Way] = []
    for origin, alternative, _, terms in belief.origins(step):
        try:
            found.append((origin, alternative, {var: evaluate(expr, (), names) for var, expr in terms.items()}))
        except MISSING:
            return []
    return found


def _following(game: Game, step: Step) -> list[Step]:
    """The steps that come after a step, where it stands."""
    for rule in game.program.rules.values():
        for steps in (rule.steps, *(body for s in walk(rule.steps) for body in s.bodies.values())):
            if step in steps:
                return steps[steps.index(step) + 1 :]
    return []


def _first(belief: Belief, ways: list[Way], cells: WorldCells) -> tuple[Way | None, list[tuple[Any, ...]]]:
    """The first question that has legal answers, and these: the others are asked only if it has none."""
    for step, alternative, names in ways:
        try:
            who = evaluate(expression_at(step, "ask"), cells, names)
            found = answers(step, alternative, names, cells)
        except MISSING:
            break
        if who == belief.me:
            break
        if found:
            return (step, alternative, names), found
    return None, []


# --- all legal answers ------------------------------------------------------------------------------------------------
def answers(step: Step, alternative: Alternative | None, names: Names, cells: Cells) -> list[tuple[Any, ...]]:
    """All that could have been chosen. Raises Unknown if that hangs on what no world tells."""
    found: list[tuple[Any, ...]] = []
    parts = parts_of(step, alternative)
    wheres = [t for t in (step.at.get("where"), None if alternative is None else alternative.where) if t is not None]

    def further(index: int, names: Names, chosen: tuple[Any, ...]) -> None:
        if len(found) > MOST_ANSWERS:
            raise Unknown
        if index == len(parts):
            found.append(chosen)
            return
        part = parts[index]
        last = index == len(parts) - 1
        tests = [t for t in wheres if not _surely(t, cells, names)] if last else []
        for value in _values(part, names, cells):
            inside = {**names, part.var: value}
            if all(judge(test, cells, inside) for test in tests):
                further(index + 1, inside, (*chosen, value))

    if alternative is None or alternative.given is None or judge(alternative.given, cells, names):
        further(0, dict(names), ())
    return found


def _surely(test: Expr, cells: Cells, names: Names) -> bool:
    """Does it hold whatever is chosen?"""
    try:
        return judge(test, cells, names)
    except MISSING:
        return False


def _values(part: Part, names: Names, cells: Cells) -> Iterator[Any]:
    if part.shape == "match":
        raise Unknown
    pool = evaluate(part.source, cells, names)
    if part.shape == "one":
        yield from pool
        return
    assert part.amount is not None
    least, most = evaluate(part.amount, cells, names)
    limits = [evaluate(amount, cells, names) for _, _, amount in part.which]
    marks = {x: [judge(test, cells, {**names, var: x}) for var, test, _ in part.which] for x in pool}
    for count in range(least, min(most, len(pool)) + 1):
        for some in combinations(pool, count):
            if all(low <= sum(marks[x][i] for x in some) <= high for i, (low, high) in enumerate(limits)):
                yield some
