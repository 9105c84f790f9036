"""A question as it is put to a player: what it asks, and what he may know of the variables that it stands among."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .blocks import Program
from .evaluate import evaluate
from .model import Alternative, Choice, Expr, Named, Part, Step, Value, Var, walk
from .slots import HEADER

if TYPE_CHECKING:
    from .state import State

__all__ = ["Frames", "Question", "question_of"]

_NOT_YET = (KeyError, TypeError, IndexError, ValueError)


@dataclass(slots=True)
class Question:
    """What is asked of a seat, as far as this seat may know it. The rest is for `Game.position`."""

    number: int  # of the question among all questions of the game
    step: Step
    planned: bool  # is it a step of a plan that the seat is making?
    unknown: tuple[Var, ...]  # variables around it that not all may know: whoever imagines it guesses them
    told: dict[int, Value] = field(repr=False)  # what the others are, by place
    back: dict[int, int] = field(repr=False)  # where the rules that are under way will go on
    planning: int | None = field(repr=False)  # who plans
    _value: Callable[[Expr, Mapping[Var, Value]], Named] = field(repr=False, compare=False)
    _plain: Callable[[Expr, Mapping[Var, Value]], Value] = field(repr=False, compare=False)

    @property
    def passing(self) -> Choice | None:
        """The choice that lets the question go by, if it is one that stands open at many moments and mostly is let go:
        clients may offer it as something one can do, instead of asking each time."""
        return next(((a.atom,) for a in self.step.alternatives if a.passes), None)

    def prompts(self) -> dict[str, Named]:
        """What the text of the question names, as logs tell values."""
        return {name: self._value(expr, {}) for name, expr in self.step.prompts}

    def tells(self, alternative: Alternative | None, chosen: Mapping[Var, Value]) -> dict[str, Named]:
        """What will be told of a choice, as far as it is made: whoever chooses sees that afterwards in any case."""
        own = alternative is not None and alternative.text
        found = {}
        for name, expr in alternative.tells if alternative is not None and own else self.step.tells:
            try:
                found[name] = self._value(expr, chosen)
            except _NOT_YET:
                continue
        return found

    def unmet(self, part: Part, picked: Sequence[int], pool: Sequence[int]) -> list[tuple[int, int, tuple[int, ...]]]:
        """Of the counts that a choice of several things must keep, those that these do not: how many at least and at
        most, and of which things of the pool. What may be chosen is the chooser's to know."""
        found = []
        for var, condition, amount in part.which:
            least, most = self._plain(amount, {})
            fitting = tuple(thing for thing in pool if self._plain(condition, {var: thing}))
            if not least <= sum(thing in fitting for thing in picked) <= most:
                found.append((least, most, fitting))
        return found


class Frames:
    """Which variables live where while a game is played, and which of them not all may know."""

    def __init__(self, program: Program):
        self.variables: dict[int, Var] = {}
        self.secret: set[int] = set()
        for rule in program.rules.values():
            for step in walk(rule.steps):
                loop = step.at.get("loop")
                around = loop.args if loop is not None else ()
                for var in (*step.visible, *step.vars.values(), *rule.params, *rule.variables, *around):
                    if var is not None and var.slot >= 0:
                        self.variables.setdefault(HEADER + var.slot, var.origin)
                        if var.secret or var.origin.secret:
                            self.secret.add(HEADER + var.slot)


def question_of(state: State) -> Question:
    """What may be told to the one who is asked. Whether he is asked at all hangs only on what he may know, so where in
    the rules the question stands is no secret to him."""
    game, v = state.game, state.v
    program, frames = game.program, game.frames
    node = program.nodes[v[0]]
    step = node.step
    assert step is not None  # somebody is asked
    slots, back, rule = list(node.slots), {}, node.rule
    while rule is not None:
        place = program.return_slot[rule.shape]
        back[place] = v[place]
        rule, alive = program.returns.get(v[place], (None, ()))
        slots += alive
    told = {slot: v[slot] for slot in slots if slot not in frames.secret}
    unknown = tuple(frames.variables[slot] for slot in slots if slot in frames.secret)

    def plain(expr: Expr, chosen: Mapping[Var, Value]) -> Value:
        names = {var.origin: v[HEADER + var.slot] for var in step.visible}
        return evaluate(expr, v[HEADER:], {**names, **chosen})

    def value(expr: Expr, chosen: Mapping[Var, Value]) -> Named:
        return game.named(plain(expr, chosen), expr.type)

    return Question(node.number, step, node.planned, unknown, told, back, v[4], value, plain)
