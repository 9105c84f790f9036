"""Where a value that is shown was chosen: the questions of which it may be the answer."""

from __future__ import annotations

from typing import Any

from ..interpreter.model import Expr, Step, Var, walk

__all__ = ["Origins"]


class Origins:
    """Follows a value back to the question it answers: through names, returns and arguments of rules."""

    def __init__(self, game):
        self.rules = game.program.rules
        self.binds: dict[Var, tuple[Step, Any]] = {}  # variable -> the step that binds it, and its rule
        self.calls: list[tuple[Any, Step]] = []
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
                    self.returns.setdefault(rule.shape, []).append(step.at["return"])

    def of(self, step: Step) -> list:
        rule = next(r for r in self.rules.values() if step in list(walk(r.steps)))
        return self.trace(step.at["show"], rule, 0)

    def trace(self, expr: Expr, rule, depth: int) -> list:
        """(ask, alternative, part, its rule's parameters in terms of this rule's variables)"""
        if expr.op != "var" or depth > 6:
            return []
        var = expr.args[0].origin
        if var in rule.params:
            return self.from_callers(var, rule, depth)
        if var not in self.binds:
            return []
        step, home = self.binds[var]
        if step.verb == "ask":
            parts = [(None, p) for p in step.parts] + [(a, p) for a in step.alternatives for p in a.parts]
            for alternative, part in parts:
                if part.var is var:
                    return [(step, alternative, part, {p: Expr("var", (p,), p.type) for p in home.params})]
            return []
        if step.verb == "show":
            return self.trace(step.at["show"], rule, depth + 1)
        if step.verb == "let":
            return self.trace(step.at[var.name], rule, depth + 1)
        if step.verb == "call":
            args = dict(zip(step.callee.params, step.at["args"].args))
            found = []
            for back in self.returns.get(step.callee.shape, ()):
                for ask, alternative, part, terms in self.trace(back, step.callee, depth + 1):
                    found.append((ask, alternative, part, {v: _put(e, args) for v, e in terms.items()}))
            return found
        return []

    def from_callers(self, var: Var, rule, depth: int) -> list:
        found = []
        for caller, step in self.calls:
            if step.callee is not rule:
                continue
            args = dict(zip(rule.params, step.at["args"].args))
            here = {a.args[0].origin: Expr("var", (p,), p.type) for p, a in args.items() if a.op == "var"}
            for ask, alternative, part, terms in self.trace(args[var], caller, depth + 1):
                found.append((ask, alternative, part, {v: _put(e, here) for v, e in terms.items()}))
        return found


def _put(expr: Expr, terms: dict[Var, Expr]) -> Expr:
    if expr.op == "var":
        return terms.get(expr.args[0].origin, expr)
    return expr
