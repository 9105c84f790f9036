"""Where a value that is shown was chosen: the questions of which it may be the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..interpreter.model import Alternative, Expr, Part, Rule, Step, Var, walk
from ..interpreter.trees import expression_at

if TYPE_CHECKING:
    from ..interpreter.game import Game

__all__ = ["Origin", "Origins"]

# A question, its alternative and the part of it that is answered by the value; the parameters of the question's rule in
# terms of the variables where the value is shown.
Origin = tuple[Step, Alternative | None, Part, dict[Var, Expr]]


class Origins:
    """Follows a value back to the question it answers: through names, returns and arguments of rules."""

    def __init__(self, game: Game):
        self.rules = game.program.rules
        self.binds: dict[Var, tuple[Step, Rule]] = {}  # variable -> the step that binds it, and its rule
        self.calls: list[tuple[Rule, Step]] = []
        self.returns: dict[str, list[Expr]] = {}
        for rule in self.rules.values():
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
        return self.trace(expression_at(step, "show"), rule, 0)

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
                    return [(step, alternative, part, {p: Expr("var", (p,), p.type) for p in home.params})]
            return []
        if step.verb == "show":
            return self.trace(expression_at(step, "show"), rule, depth + 1)
        if step.verb == "let":
            return self.trace(expression_at(step, var.name), rule, depth + 1)
        if step.verb == "call" and step.callee is not None:
            args = dict(zip(step.callee.params, expression_at(step, "args").args))
            found = []
            for back in self.returns.get(step.callee.shape, ()):
                for ask, alternative, part, terms in self.trace(back, step.callee, depth + 1):
                    found.append((ask, alternative, part, {v: _put(e, args) for v, e in terms.items()}))
            return found
        return []

    def from_callers(self, var: Var, rule: Rule, depth: int) -> list[Origin]:
        found = []
        for caller, step in self.calls:
            if step.callee is not rule:
                continue
            args = dict(zip(rule.params, expression_at(step, "args").args))
            here = {a.args[0].origin: Expr("var", (p,), p.type) for p, a in args.items() if a.op == "var"}
            for ask, alternative, part, terms in self.trace(args[var], caller, depth + 1):
                found.append((ask, alternative, part, {v: _put(e, here) for v, e in terms.items()}))
        return found


def _put(expr: Expr, terms: dict[Var, Expr]) -> Expr:
    if expr.op == "var":
        return terms.get(expr.args[0].origin, expr)
    return expr
