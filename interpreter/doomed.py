"""Where a plan cannot end as it must, whatever is still chosen: what no choice can mend need not be tried out.

Of each condition that must hold at the end it is asked whether it is broken for good: false in every position that
the plan can still come to. That is an expression like others, made of the condition: what a cell of the state says is
certain if no choice that is left gives the cell another value, and a condition is certainly false as its parts make it
so (`_Plan.certain`). It may miss what is broken, never say so of what is not; where a plan is not of the simple kind
that it understands, nothing is said at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce

from .bounds import MAX_CASES, MAX_SIZE, Bounds
from .looks import Looks, has_gaps
from .model import TRUTH, Expr, Function, Part, Step, Var, const, walk
from .trees import BINDING, definitions, free_variables

__all__ = ["doomed"]

# What is certain of them follows from their parts, one by one; of the others, if all is certain that they are made of.
APART = frozenset("and or not exists every distinct word".split())
WHOLE = frozenset(
    "const var state table formula eq less member within count tally filter image without remove gather".split()
)
# A plan in whose conditions one of these stands is tried out as it is: they may be mistakes, or are rare there.
LEFT = frozenset(
    """matched cond only first last reversed rotated after join append extend heap add sub mul div rem range
    total largest smallest amount images highest lowest stride reach often""".split()
)
LENIENT = frozenset("and or not eq gather".split())  # they take nothing as they take everything else
YES, NO = const(True, TRUTH), const(False, TRUTH)


def doomed(plan: Step) -> Expr | None:
    """At the question of a plan: is something broken for good? None, if that would never be known."""
    asked = [step for step in walk(plan.bodies["do"]) if step.verb == "ask"]
    if len(asked) != 1 or any(step.verb == "call" for step in walk(plan.bodies["do"])):
        return None
    known = _Plan(plan, asked[0])
    found = _any_of(known.broken(test) for _, test in plan.must)
    size, cases = known.bounds.of(found)
    return None if found is NO or size > MAX_SIZE or cases > MAX_CASES else found


class _Plan:
    def __init__(self, plan: Step, ask: Step):
        self.looks, self.bounds = Looks(), Bounds()
        steps = list(walk(plan.bodies["do"]))
        self.bound = {var.origin for step in steps for var in step.vars.values()}
        self.writes: dict[Function, list[tuple[list[Expr], Expr, list[Part]]]] = {}
        chosen = {id(step): parts for parts, those in _chosen(plan, ask) for step in walk(those)}
        for step in steps:
            for function, args, value in step.targets:
                self.writes.setdefault(function, []).append((args, value, chosen.get(id(step), [])))
        self.fresh = {part.var.origin: _var(part.var) for parts, _ in _chosen(plan, ask) for part in parts}

    def broken(self, test: Expr) -> Expr:
        if self.bound.intersection(free_variables(test)) or not self._is_safe(test):
            return NO
        return self.certain(test, False)

    # --- what can change ----------------------------------------------------------------------------------------------
    def hangs(self, expr: Expr) -> bool:
        """On something that the plan may change."""
        return not self.looks.info(expr).states.isdisjoint(self.writes)

    def changeable(self, function: Function, args: Sequence[Expr]) -> Expr:
        """May a choice that is left give this cell another value?"""
        return _any_of(
            self._written(index, parts, args) if function.params else YES for index, _, parts in self.writes[function]
        )

    def _written(self, index: list[Expr], parts: list[Part], args: Sequence[Expr]) -> Expr:
        """By a choice of these parts, if the cell is told by what was chosen."""
        names = {part.var.origin: part for part in parts}
        same = YES
        needed: set[Var] = set()
        for own, arg in zip(index, args):
            if own.op == "var" and own.args[0].origin in names:
                needed.add(own.args[0].origin)
            elif own.op != "const":
                return YES
            same = _both(same, Expr("eq", (self._renamed(own), arg), TRUTH))
        found = same
        for part in reversed(parts):
            if part.var.origin not in needed:
                continue
            source = self._source(part)
            if source is None:
                return YES
            needed.update(free_variables(source))
            found = _among(self.fresh[part.var.origin], self._renamed(source), found)
        return YES if (needed - names.keys()) & self.bound else found

    def _source(self, part: Part) -> Expr | None:
        """What is chosen from, now and later: a group that does not change, or only loses what it has."""
        source = part.source
        while source.op == "filter":
            source = source.args[1]
        if part.shape != "one" or part.counts or not (self._is_safe(source) and self._is_there(source)):
            return None
        if source.op == "state" and source.args[0] in self.writes:
            return source if self._only_shrinks(source.args[0]) else None
        return None if self.hangs(source) else source

    def _only_shrinks(self, function: Function) -> bool:
        def keeps(value: Expr) -> bool:
            if value.op == "const":
                return bool(value.args[0] == ())
            before = value.args[0] if value.op in ("without", "remove") else value
            return before is not value and before.op == "state" and before.args[0] is function

        return not function.params and all(keeps(value) for _, value, _ in self.writes[function])

    def _renamed(self, expr: Expr) -> Expr:
        return self.looks.replaced(expr, list(self.fresh), [_named(var) for var in self.fresh.values()])

    # --- what is certain ----------------------------------------------------------------------------------------------
    def certain(self, test: Expr, value: bool) -> Expr:
        """Has a condition this value, now and whatever is still chosen?"""
        if not self.hangs(test):
            return test if value else _not(test)
        if test.op in ("and", "or"):
            sides = [self.certain(side, value) for side in test.args]
            return reduce(_both if (test.op == "and") == value else _either, sides)
        if test.op == "not":
            return self.certain(test.args[0], not value)
        if test.op in ("exists", "every") and not self.hangs(test.args[1]):
            var, group, body = test.args
            found = self.certain(body, value)
            return (
                found
                if found is NO
                else Expr("exists" if (test.op == "exists") == value else "every", (var, group, found), TRUTH)
            )
        if test.op == "distinct" and not value and test.args[1].type.kind == "set" and not self.hangs(test.args[1]):
            return self._shared(*test.args)
        if test.op == "word":
            return self.certain(self._meant(test), value)
        return _both(test if value else _not(test), self.settled(test))

    def _shared(self, var: Var, group: Expr, body: Expr) -> Expr:
        """Two that have it in common for good."""
        other = _var(var)
        there = self.looks.replaced(body, [var.origin], [_named(other)])
        same = _both(Expr("eq", (body, there), TRUTH), _both(self.settled(body), self.settled(there)))
        two = _both(_not(Expr("eq", (_named(var), _named(other)), TRUTH)), same)
        return two if two is NO else Expr("exists", (var, group, Expr("exists", (other, group, two), TRUTH)), TRUTH)

    def settled(self, expr: Expr) -> Expr:
        """Will nothing change that it is made of?"""
        if not self.hangs(expr):
            return YES
        if expr.op == "state" and expr.args[0] in self.writes:
            return reduce(_both, map(self.settled, expr.args[1]), _not(self.changeable(*expr.args)))
        if expr.op == "word":
            return self.settled(self._meant(expr))
        if expr.op in BINDING:  # to look at all of them would take longer than it helps
            return NO
        return reduce(_both, map(self.settled, expr.kids()), YES)

    def _meant(self, word: Expr) -> Expr:
        function, args = word.args
        return self.looks.replaced(function.body, function.variables, args)

    # --- what cannot be a mistake -------------------------------------------------------------------------------------
    def _is_safe(self, expr: Expr) -> bool:
        """It can be valued in any position."""
        if expr.op == "word":
            function, args = expr.args
            return all(a.op in ("var", "const") and self._is_there(a) for a in args) and self._is_safe(function.body)
        if expr.op not in APART | WHOLE or not all(map(self._is_safe, (*expr.kids(), *_bodies(expr)))):
            return False
        if expr.op in BINDING:
            return self._is_there(expr.args[1])
        return expr.op in LENIENT or all(map(self._is_there, expr.kids()))

    def _is_there(self, expr: Expr) -> bool:
        """It is never nothing."""
        if expr.op in ("const", "var"):
            return not expr.type.maybe and (expr.op == "var" or expr.args[0] is not None)
        if expr.type.kind == "truth" or expr.op in ("count", "tally"):
            return True
        if expr.op == "state":
            return expr.args[0].start is not None and all(map(self._is_there, expr.args[1]))
        if expr.op in ("table", "formula"):
            inside = (*expr.args[1], *_bodies(expr))
            return not has_gaps(expr.args[0]) and not expr.type.maybe and all(map(self._is_there, inside))
        if expr.op == "word":
            return not expr.type.maybe and self._is_safe(expr) and self._is_there(expr.args[0].body)
        return expr.op in ("without", "remove", "gather", "filter", "image") and all(map(self._is_there, expr.kids()))


def _bodies(expr: Expr) -> list[Expr]:
    """What a table of conditions is defined by."""
    return definitions(expr) if expr.op == "formula" else []


def _chosen(plan: Step, ask: Step) -> list[tuple[list[Part], list[Step]]]:
    """The parts of a choice, and the steps in which they are what was chosen last."""
    if ask.alternatives:
        return [([*ask.parts, *a.parts], a.then) for a in ask.alternatives]
    return [(ask.parts, [] if "if none" in ask.bodies else plan.bodies["do"])]


def _among(var: Var, group: Expr, test: Expr) -> Expr:
    """Does it hold for any of a group?"""
    if test.op == "eq" and test.args[0].op == "var" and test.args[0].args[0] is var:
        return Expr("member", (test.args[1], group), TRUTH)
    return Expr("exists", (var, group, test), TRUTH)


# --- conditions of conditions -----------------------------------------------------------------------------------------
def _var(like: Var) -> Var:
    return Var(like.name, like.type)


def _named(var: Var) -> Expr:
    return Expr("var", (var,), var.type)


def _not(test: Expr) -> Expr:
    if test is YES or test is NO:
        return NO if test is YES else YES
    return test.args[0] if test.op == "not" else Expr("not", (test,), TRUTH)


def _joined(op: str, neutral: Expr, decisive: Expr) -> Callable[[Expr, Expr], Expr]:
    def join(a: Expr, b: Expr) -> Expr:
        if a is neutral or b is decisive:
            return b
        return a if b is neutral or a is decisive else Expr(op, (a, b), TRUTH)

    return join


_both, _either = _joined("and", YES, NO), _joined("or", NO, YES)


def _any_of(tests: Iterable[Expr]) -> Expr:
    return reduce(_either, tests, NO)
