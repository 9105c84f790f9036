"""Which variables of a rule are still read after a step: the others are no part of a position any more.

Ordinary liveness, backwards over the steps. A verb that is not listed here may read everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .model import Alternative, Expr, Part, Rule, Step, Var, walk

__all__ = ["Liveness", "expressions_of"]

Places = frozenset[int]  # of variables: their slots
NONE: Places = frozenset()


class Liveness:
    """The variables of one rule that are alive where the program rests at a step, or is away in a rule it called."""

    def __init__(self, rule: Rule):
        self._at: dict[int, Places] = {}
        steps = list(walk(rule.steps))
        self._all = _places(
            [*rule.params, *rule.variables, *(v for s in steps for v in (*s.visible, *s.vars.values(), *_hidden(s)))]
        )
        self._sequence(rule.steps, NONE)

    def alive(self, step: Step, var: Var) -> bool:
        """Is this variable read after the step, or by what is done with a choice made at it?"""
        return _place(var) in self._at.get(id(step), self._all)

    # --- backwards ----------------------------------------------------------------------------------------------------
    def _sequence(self, steps: list[Step], after: Places) -> Places:
        for step in reversed(steps):
            after = self._step(step, after)
        return after

    def _step(self, step: Step, after: Places) -> Places:
        """What is alive before a step, given what is alive after it."""
        verb = _VERBS.get(step.verb)
        if verb is None:
            for inner in walk([step]):
                self._at[id(inner)] = self._all
            return self._all
        return verb(self, step, after, _read(step))

    def _rests(self, step: Step, alive: Places) -> Places:
        self._at[id(step)] = self._at.get(id(step), NONE) | alive
        return alive

    def _plain(self, step: Step, after: Places, read: Places) -> Places:
        return (after - _bound(step)) | read

    def _leaves(self, step: Step, after: Places, read: Places) -> Places:
        return read

    def _if(self, step: Step, after: Places, read: Places) -> Places:
        return read.union(*(self._sequence(step.bodies.get(key) or [], after) for key in ("then", "else")))

    def _round(self, body: list[Step], after: Places, anew: Places = NONE) -> Places:
        """A body that is gone through again and again; what is given a value `anew` for each round."""
        while True:
            before = after | (self._sequence(body, after) - anew)
            if before == after:
                return before
            after = before

    def _for_each(self, step: Step, after: Places, read: Places) -> Places:
        element, *hidden = _hidden(step)
        around = after | _places(hidden)
        return read | after | (self._round(step.bodies["do"], around, _places([element])) - _places(hidden))

    def _repeat(self, step: Step, after: Places, read: Places) -> Places:
        return self._round(step.bodies["repeat"], after | read)

    def _plan(self, step: Step, after: Places, read: Places) -> Places:
        return read | self._sequence(step.bodies["do"], after | read)

    def _call(self, step: Step, after: Places, read: Places) -> Places:
        return self._rests(step, after - _bound(step)) | read

    def _decide(self, step: Step, after: Places, read: Places) -> Places:
        further = after.union(*(self._sequence(a.then, after) for a in step.alternatives))
        hidden = _places(_hidden(step))  # such as what is left to be drawn from
        here = self._rests(step, (further - _bound(step)) | read | hidden)
        return (here - hidden) | self._sequence(step.bodies.get("if none") or [], after)


_VERBS: dict[str, Callable[[Liveness, Step, Places, Places], Places]] = {
    **dict.fromkeys(("let", "set", "move", "show", "say"), Liveness._plain),
    **dict.fromkeys(("return", "end"), Liveness._leaves),
    **dict.fromkeys(("call", "play"), Liveness._call),
    **dict.fromkeys(("ask", "draw", "deal", "shuffle"), Liveness._decide),
    "if": Liveness._if,
    "for each": Liveness._for_each,
    "repeat": Liveness._repeat,
    "plan": Liveness._plan,
}


# --- what a step reads and binds --------------------------------------------------------------------------------------
def expressions_of(step: Step) -> list[Expr]:
    """All expressions of a step itself, without those of the steps inside it."""
    found: list[object] = [*step.at.values(), step.audience, *(e for _, e in (*step.tells, *step.prompts, *step.must))]
    found += [e for _, args, value in step.targets for e in (*args, value)] + _offered(step.parts)
    for alternative in step.alternatives:
        found += [alternative.given, alternative.where, *(e for _, e in alternative.tells)]
        found += _offered(alternative.parts)
    return [e for e in found if isinstance(e, Expr)]


def _offered(parts: Iterable[Part]) -> list[object]:
    found: list[object] = []
    for p in parts:
        found += [p.source, p.amount, p.onto, p.audience, *(x for _, *pair in p.which for x in pair)]
        found += [e for _, e in p.tells]
    return found


def _read(step: Step) -> Places:
    """What stands in its expressions, and what is told of it besides."""
    found, todo = list(step.context), expressions_of(step)
    while todo:
        expr = todo.pop()
        found += [arg for arg in expr.args if isinstance(arg, Var)] if expr.op in ("var", "matched") else []
        todo += expr.kids()
    return _places(found)


def _bound(step: Step) -> Places:
    several: list[Step | Alternative] = [step, *step.alternatives]
    return _places([*step.vars.values(), *(part.var for chooser in several for part in chooser.parts)])


def _hidden(step: Step) -> list[Var]:
    """The variables that a loop, or chance, needs besides those with names."""
    pairs = (step.at.get(key) for key in ("loop", "hand", "dealing", "sealed"))
    return [var for pair in pairs if pair is not None for var in pair.args if isinstance(var, Var)]


def _place(var: Var) -> int:
    return var.slot if var.slot >= 0 else var.origin.slot


def _places(variables: Iterable[Var]) -> Places:
    return frozenset(_place(var) for var in variables) - {-1}
