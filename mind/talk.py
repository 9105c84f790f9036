"""Talk: what somebody may say of his own secret, truly or falsely, that changes nothing but what others have heard.

It is found in the rules: a question of which an alternative names a value that a secret of the speaker may have, and
after which something is shown, no more. What is said is true a little more often than chance would have it. So it is
worth listening to, and nobody is fooled by all of it: a sign that is made again says nothing new, and whoever
contradicts himself says nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..interpreter.cells import arguments_of
from ..interpreter.evaluate import evaluate
from ..interpreter.model import Alternative, Function, Part, Step, walk
from ..interpreter.trees import expression_at
from .answers import MISSING, names_of

if TYPE_CHECKING:
    import random

    from ..interpreter.blocks import Event
    from ..interpreter.game import Game
    from ..interpreter.state import Choice
    from .belief import Belief
    from .deals import World

__all__ = ["Talk"]

TALKS = 0.3  # how often somebody says something who may
HONEST = 0.5  # how often it is true
HARMLESS = ("show", "say")


class Saying(NamedTuple):
    """An alternative by which a value is said of oneself."""

    step: Step
    alternative: Alternative
    place: int  # of the value in a choice
    secrets: frozenset[Function]  # that may have such a value


class Talk:
    """What can be said in a game, and what one seat has heard."""

    def __init__(self, game: Game, owned: dict[int, Function]):
        self.game, self.owned = game, owned
        self.sayings = list(_sayings(game, frozenset(owned.values())))
        self.shown = {id(step): saying for saying in self.sayings for step in walk(saying.alternative.then)}
        self.said: dict[int, Any] = {}  # by the cell of the secret: what its owner says that it holds

    def forget(self) -> None:
        self.said = {}

    # --- speaking -----------------------------------------------------------------------------------------------------
    def choose(
        self, step: Step | None, legal: Callable[[], list[Choice]], mine: dict[int, Any], rng: random.Random
    ) -> Choice | None:
        """What to say now, of secrets of mine by their cells; None, if this is no question of talk."""
        sayings = {s.alternative.atom: s for s in self.sayings if s.step is step}
        choices = legal() if sayings else []
        silent = [choice for choice in choices if choice[0] not in sayings]
        if not sayings or not silent or len(silent) == len(choices):
            return None
        if rng.random() >= TALKS:
            return rng.choice(silent)
        true = [
            choice for choice in choices if choice[0] in sayings and self._is_true(sayings[choice[0]], choice, mine)
        ]
        other = [choice for choice in choices if choice[0] in sayings and choice not in true]
        return rng.choice(true if true and (not other or rng.random() < HONEST) else other)

    def _is_true(self, saying: Saying, choice: Choice, mine: dict[int, Any]) -> bool:
        return any(value == choice[saying.place] for cell, value in mine.items() if self.owned[cell] in saying.secrets)

    # --- listening ----------------------------------------------------------------------------------------------------
    def is_said(self, event: Event) -> bool:
        return event.kind == "show" and id(event.origin) in self.shown

    def hear(self, belief: Belief, event: Event, values: tuple[Any, ...], weights: dict[World, float]) -> None:
        """Shifts the odds by what somebody says of himself."""
        saying = self.shown[id(event.origin)]
        try:
            speaker = evaluate(expression_at(saying.step, "ask"), (), names_of(event, values))
        except MISSING:
            return
        assert event.origin is not None
        shown = next(iter(event.origin.vars.values()))
        said = dict(zip(event.names, values))[shown.name]
        for cell, function in self.owned.items():
            if function in saying.secrets and arguments_of(function, cell) == (speaker,) and speaker != belief.me:
                before, lies = self.said.get(cell), len(function.result.atoms) - 1
                likelier = HONEST * lies / (1 - HONEST)  # than each of the others
                if before is None:
                    _shift(belief, cell, said, weights, likelier)
                elif before != said and before is not CONTRADICTED:
                    _shift(belief, cell, before, weights, 1 / likelier)
                self.said[cell] = said if before in (None, said) else CONTRADICTED


CONTRADICTED = object()


def _shift(belief: Belief, cell: int, said: Any, weights: dict[World, float], likelier: float) -> None:
    place = belief.place.get(cell)
    held = belief.deals.holding(place).get(said, 0) if place is not None else 0
    for world in belief.deals.listed(held & belief.possible):
        weights[world] = weights.get(world, 1.0) * likelier


def _sayings(game: Game, secrets: frozenset[Function]) -> list[Saying]:
    found = []
    for rule in game.program.rules.values():
        for step in walk(rule.steps):
            for alternative in step.alternatives if step.verb == "ask" else ():
                after = list(walk(alternative.then))
                if not any(s.verb == "show" for s in after) or not all(s.verb in HARMLESS for s in after):
                    continue
                parts: list[Part] = [*step.parts, *alternative.parts]
                for place, part in enumerate(parts, 1):
                    may = frozenset(f for f in secrets if part.var.type.kind == "thing" and _can_hold(f, part))
                    if may and alternative.where is None and any(_shows(s, part) for s in after):
                        found.append(Saying(step, alternative, place, may))
                        break
    return found


def _can_hold(function: Function, part: Part) -> bool:
    return len(function.params) == 1 and function.result.atoms == part.var.type.atoms


def _shows(step: Step, part: Part) -> bool:
    shown = step.at.get("show")
    return shown is not None and shown.op == "var" and shown.args[0].origin is part.var.origin
