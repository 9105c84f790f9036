"""How likely each world of a belief is, if others choose evenly among what is legal for them.

Belief says what is possible. Here each thing that a player is shown also shifts the odds: a world in which the other
had few answers to choose from makes the one he gave more likely. All deals are equally likely to begin with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import log2
from typing import TYPE_CHECKING, Any

from ..interpreter.evaluate import evaluate
from ..interpreter.model import Expr, Step, walk
from ..interpreter.trees import expression_at
from .answers import MISSING, Names, Way, answers, judge, names_of, parts_of, terms_of, was_asked
from .belief import Belief, WorldCells, per_world
from .deals import World
from .now import Now, belief_of
from .secrets import deals_suffice

if TYPE_CHECKING:
    from ..interpreter.blocks import Event
    from ..interpreter.game import Game
    from ..interpreter.observe import Row
    from ..interpreter.player import Player
    from .courses import Courses
    from .talk import Talk

__all__ = ["Odds", "asked_in", "ways_of"]


class Odds:
    """A belief with weights. Reads the rows of a log as they come, like the belief itself."""

    def __init__(self, game: Game, seat: str, belief: Belief | None = None, talk: Talk | None = None):
        self.game, self.belief, self.talk = game, belief or Belief(game, seat), talk
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
            if self.talk is not None and not self._weighed and self.talk.is_said(event):
                self.ready()
                self.talk.hear(self.belief, event, row[1:], self.weights)

    def _fresh(self) -> None:
        """Weights are of one deal of one game."""
        if self._weighed:
            self.weights = self.belief.weights
        elif self._deal != self.belief.deal_id:
            self.weights, self._deal = {}, self.belief.deal_id
            if self.talk is not None:
                self.talk.forget()

    def ready(self) -> Odds:
        self.belief.ready()
        self._fresh()
        return self

    def _weigh(self, event: Event, values: tuple[Any, ...]) -> None:
        ways = ways_of(self.belief, event, values)
        if not ways:
            return
        belief, weights = self.belief, self.weights
        found = belief.sorted_by(
            lambda cells: len(asked_in(belief, ways, cells)[1]), ("odds", belief.me, *terms_of(self.game, ways))
        )
        for possible, bits in found.items():
            for world in belief.deals.listed(bits) if possible else ():
                weights[world] = weights.get(world, 1.0) / possible

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
        way, found = asked_in(self.belief, ways, cells)
        if way is None:
            return []
        step, alternative, names, _ = way
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
        return [Way(step, next((a for a in step.alternatives if a.name == event.alternative), None), names)]
    found: list[Way] = []
    for origin in belief.origins(step):
        try:
            inside = {var: evaluate(expr, (), names) for var, expr in origin.terms.items()}
            found.append(Way(origin.step, origin.alternative, inside, origin.guards))
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


def asked_in(belief: Belief, ways: list[Way], cells: WorldCells) -> tuple[Way | None, list[tuple[Any, ...]]]:
    """The question that was asked in a world, of those that may have been, and what could be answered to it; nothing,
    if that cannot be told."""
    asked: tuple[Way | None, list[tuple[Any, ...]]] = (None, [])
    answered: dict[int, bool] = {}
    for way in sorted(ways, key=lambda way: len(way.guards)):
        try:
            if evaluate(expression_at(way.step, "ask"), cells, way.names) == belief.me:
                return None, []
            was = was_asked(way, cells, answered)
            found = answers(way.step, way.alternative, way.names, cells) if was is not False else []
        except MISSING:
            return None, []
        if was and way.alternative is None:
            answered[id(way.step)] = bool(found)
        if found and (was is None or asked[0] is not None):
            return None, []
        if found:
            asked = (way, found)
    return asked
