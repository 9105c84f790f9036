"""Where a value that is shown was chosen: the questions of which it may be the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..interpreter.model import Alternative, Expr, Part, Rule, Step, Var, walk
from ..interpreter.trees import expression_at
from .answers import Guard

if TYPE_CHECKING:
    from ..interpreter.game import Game

__all__ = ["Origin", "origins_of"]


class Origin(NamedTuple):
    """A question, its alternative and the part of it that is answered by a value that is shown; the parameters of the
    question's rule in terms of the variables where it is shown; and when the question is asked in its rule."""

    step: Step
    alternative: Alternative | None
    part: Part
    terms: dict[Var, Expr]
    guards: tuple[Guard, ...]


_FOUND: dict[int, tuple[Game, Origins, dict[int, list[Origin]]]] = {}


def origins_of(game: Game, step: Step) -> list[Origin]:
    """The questions of which a value that is shown by this step may be the answer."""
    kept = _FOUND.get(id(game))
    if kept is None:
        while len(_FOUND) >= 32:
            del _FOUND[next(iter(_FOUND))]
        kept = _FOUND[id(game)] = (game, Origins(game), {})  # it holds the game, so the number stays the game's
    _, origins, found = kept
    if id(step) not in found:
        found[id(step)] = origins.of(step)
    return found[id(step)]


def _guarded(steps: list[Step], guards: tuple[Guard, ...]) -> Iterator[tuple[Step, tuple[Guard, ...]]]:
    """All steps, each with the conditions and missing answers without which it is not carried out."""
    for step in steps:
        yield step, guards
        for key, body in step.bodies.items():
            if step.verb == "if" and key in ("then", "else"):
                inside = (*guards, Guard(step, expression_at(step, "if"), key == "then"))
            elif step.verb == "ask" and key == "if none":
                inside = (*guards, Guard(step))
            else:
                inside = guards
            yield from _guarded(body, inside)
        for alternative in step.alternatives:
            yield from _guarded(alternative.then, guards)


class Origins:
    """Follows a value back to the question it answers: through names, returns and arguments of rules."""

    def __init__(self, game: Game):
        self.rules = game.program.rules
        self.binds: dict[Var, tuple[Step, Rule]] = {}  # variable -> the step that binds it, and its rule
        self.calls: list[tuple[Rule, Step]] = []
        self.returns: dict[str, list[Expr]] = {}
        self.guards: dict[int, tuple[Guard, ...]] = {}
        for rule in self.rules.values():
            self.guards.update((id(step), guards) for step, guards in _guarded(rule.steps, ()))
            for step in walk(rule.steps):
                for var in step.vars.values():
                    self.binds[var] = (step, rule)
                for alternative in step.alternatives:
                    for part in alternative.parts:
                        self.binds[part.var] = (step, rule)
                if step.verb == "call":
                    self.calls.append((rule, step))
                if step.verb == "return":
                    self.returns.setdefault(rule.shape, []).append(expression_at(step, "return"))

    def of(self, step: Step) -> list[Origin]:
        rule = next(r for r in self.rules.values() if step in list(walk(r.steps)))
        found: list[Origin] = []
        for origin in self.trace(expression_at(step, "show"), rule, 0):
            if not any(_same(origin, other) for other in found):  # the same by two ways
                found.append(origin)
        return found

    def trace(self, expr: Expr, rule: Rule, depth: int) -> list[Origin]:
        """Where the value of an expression of this rule comes from."""
        if expr.op != "var" or depth > 6:
            return []
        var = expr.args[0].origin
        if var in rule.params:
            return self.from_callers(var, rule, depth)
        if var not in self.binds:
            return []
        step, home = self.binds[var]
        if step.verb == "ask":
            own: list[tuple[Alternative | None, Part]] = [(None, p) for p in step.parts]
            for alternative, part in own + [(a, p) for a in step.alternatives for p in a.parts]:
                if part.var is var:
                    terms = {p: Expr("var", (p,), p.type) for p in home.params}
                    return [Origin(step, alternative, part, terms, self.guards[id(step)])]
            return []
        if step.verb == "show":
            return self.trace(expression_at(step, "show"), rule, depth + 1)
        if step.verb == "let":
            return self.trace(expression_at(step, var.name), rule, depth + 1)
        if step.verb == "call" and step.callee is not None:
            args = dict(zip(step.callee.params, expression_at(step, "args").args))
            found = []
            for back in self.returns.get(step.callee.shape, ()):
                for origin in self.trace(back, step.callee, depth + 1):
                    found.append(_put_in(origin, args))
            return found
        return []

    def from_callers(self, var: Var, rule: Rule, depth: int) -> list[Origin]:
        found = []
        for caller, step in self.calls:
            if step.callee is not rule:
                continue
            args = dict(zip(rule.params, expression_at(step, "args").args))
            here = {a.args[0].origin: Expr("var", (p,), p.type) for p, a in args.items() if a.op == "var"}
            for origin in self.trace(args[var], caller, depth + 1):
                found.append(_put_in(origin, here))
        return found


def _put(expr: Expr, terms: dict[Var, Expr]) -> Expr:
    if expr.op == "var":
        return terms.get(expr.args[0].origin, expr)
    return expr


def _put_in(origin: Origin, terms: dict[Var, Expr]) -> Origin:
    return origin._replace(terms={var: _put(expr, terms) for var, expr in origin.terms.items()})


def _same(one: Origin, other: Origin) -> bool:
    return one[:3] == other[:3] and all(_alike(e, other.terms.get(v)) for v, e in one.terms.items())


def _alike(one: Expr, other: Expr | None) -> bool:
    if other is None or one.op != "var" or other.op != "var":
        return one is other
    return one.args[0].origin is other.args[0].origin
