"""How far a condition is from being true, read from the condition itself.

Conditions become small trees: what does not change in a world is settled once, what all can see and what changes is
looked up in the state. Two places that are linked are as far apart as the steps between them.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from ..interpreter.evaluate import evaluate, slot_of
from ..interpreter.model import Expr, Step, Var, walk
from ..interpreter.runtime import RUNTIME
from ..interpreter.slots import HEADER
from ..interpreter.source import SourceBuilder
from .imagination import insight

__all__ = ["FAR", "Goal", "Known", "distance", "goals_of", "reckoner", "steps_between", "whole"]

FAR = 20


class Volatile(Exception):
    """It changes while the game goes on."""


class Reckoner:
    """Expressions as functions of the slots, made once for each game."""

    def __init__(self, game):
        self.game = game
        self.insight = insight(game)
        self._made: dict[int, tuple] = {}
        self._restless: dict[int, bool] = {}
        self._trees: dict[str, Any] = {}
        self.kept: list = []  # what is known by its number must stay
        size = len(game.vocabulary.atoms)
        steps = steps_between(game)
        self.table = [[steps[a].get(b, FAR) for b in range(size)] if a in steps else None for a in range(size)]

    def value(self, expr: Expr, v: list, names: dict[Var, Any]) -> Any:
        """What an expression is worth in a world; it must not hang on what changes."""
        if expr.op == "const":
            return expr.args[0]
        if expr.op == "var":
            return names[expr.args[0].origin]
        if self.restless(expr):
            raise Volatile
        made = self._made.get(id(expr))
        if made is None:
            made = self._made[id(expr)] = self._make(expr)
            self.kept.append(expr)
        function, free = made
        return function(v, *[names[var] for var in free])

    def _make(self, expr: Expr) -> tuple:
        free = list(dict.fromkeys(_free(expr, frozenset())))
        source = SourceBuilder(len(self.game.vocabulary.atoms))
        body = source.code(expr, {var: f"n{i}" for i, var in enumerate(free)})
        lines = [line for function, _ in source.functions for line in function]
        lines += [f"def whole({', '.join(['v', *(f'n{i}' for i in range(len(free)))])}):", f"    return {body}"]
        scope: dict[str, Any] = dict(RUNTIME)
        cells = []
        for name, value in source.tables.items():
            if isinstance(value, tuple) and value and value[0] == "cells":
                cells.append((name, value))
            else:
                scope[name] = value
        exec(compile("\n".join(lines), "<goals>", "exec"), scope)
        for name, (_, functions, keys) in cells:
            scope[name] = {(k if keys > 1 else k[0]): scope[f] for k, f in functions.items()}
        return scope["whole"], free

    def restless(self, expr: Expr) -> bool:
        """Does it hang on anything that changes?"""
        found = self._restless.get(id(expr))
        if found is None:
            self._restless[id(expr)] = False  # words do not call themselves
            found = self._restless[id(expr)] = self._looks(expr)
            self.kept.append(expr)
        return found

    def _looks(self, expr: Expr) -> bool:
        if expr.op == "state" and expr.args[0].base not in self.insight.owned:
            return True
        if expr.op in ("word", "formula"):
            function = expr.args[0]
            bodies = [function.body] if expr.op == "word" else function.values.values()
            if any(isinstance(body, Expr) and self.restless(body) for body in bodies):
                return True
        return any(self.restless(kid) for kid in expr.kids())

    def compiled(self, tree) -> Any:
        """A tree as one function of the slots; the same for equal trees."""
        tests: list = []
        code = tree.code(tests)
        if tests:
            return tree
        if code not in self._trees:
            self._trees[code] = eval(compile(f"lambda v: {code}", "<goals>", "eval"), {"S": self.table, "min": min})
        return self._trees[code]


def _free(expr: Expr, bound: frozenset) -> list[Var]:
    found = []
    if expr.op in ("var", "matched") and expr.args[0].origin not in bound:
        found.append(expr.args[0].origin)
    if expr.op in ("exists", "every", "tally", "filter", "image", "distinct", "often"):
        return found + _free(expr.args[1], bound) + _free(expr.args[2], bound | {expr.args[0].origin})
    for kid in expr.kids():
        found += _free(kid, bound)
    return found


def reckoner(game) -> Reckoner:
    memory = insight(game).memory
    if "reckoner" not in memory:
        memory["reckoner"] = Reckoner(game)
    return memory["reckoner"]


# --- how far places are apart -----------------------------------------------------------------------------------------
def steps_between(game) -> dict[int, dict[int, int]]:
    """From every linked place to every other: over all links that there are."""
    memory = insight(game).memory
    if "steps" not in memory:
        near: dict[int, set[int]] = {}
        for functions in game.vocabulary.functions.values():
            for function in functions:
                kind = function.result
                if (
                    function.kind == "table"
                    and kind.many
                    and kind.of is not None
                    and function.params
                    and (function.params[0].type.atoms == kind.of.atoms)
                ):
                    for key, others in function.values.items():
                        near.setdefault(key[0], set()).update(others)
        memory["steps"] = {start: _from(start, near) for start in near}
    return memory["steps"]


def _from(start: int, near: dict[int, set[int]]) -> dict[int, int]:
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in near.get(here, ()):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


# --- trees ------------------------------------------------------------------------------------------------------------
class Known:
    __slots__ = ("cost",)

    def __init__(self, cost: int):
        self.cost = cost

    def __call__(self, v) -> int:
        return self.cost

    def code(self, tests: list) -> str:
        return str(self.cost)

    def grant(self, v) -> None:
        pass


class Same:
    """Two values that should be one: each a slot, or known."""

    __slots__ = ("a", "b", "x", "steps", "linked")

    def __init__(self, a: int, b: int | None, x: Any, steps, linked: bool):
        self.a, self.b, self.x, self.steps, self.linked = a, b, x, steps, linked

    def __call__(self, v) -> int:
        one = v[self.a]
        other = self.x if self.b is None else v[self.b]
        if one == other:
            return 0
        row = self.steps.get(one)
        return 1 if row is None else row.get(other, FAR)

    def code(self, tests: list) -> str:
        other = repr(self.x) if self.b is None else f"v[{self.b}]"
        if self.linked:
            return f"S[v[{self.a}]][{other}]"
        return f"(v[{self.a}] != {other})"

    def grant(self, v) -> None:
        v[self.a] = self.x if self.b is None else v[self.b]


class Flag:
    __slots__ = ("slot",)

    def __init__(self, slot: int):
        self.slot = slot

    def __call__(self, v) -> int:
        return 0 if v[self.slot] else 1

    def code(self, tests: list) -> str:
        return f"(not v[{self.slot}])"

    def grant(self, v) -> None:
        v[self.slot] = True


class Not:
    __slots__ = ("tree",)

    def __init__(self, tree):
        self.tree = tree

    def __call__(self, v) -> int:
        return 0 if self.tree(v) else 1

    def code(self, tests: list) -> str:
        return f"(not {self.tree.code(tests)})"

    def grant(self, v) -> None:
        if isinstance(self.tree, Flag):
            v[self.tree.slot] = False


class All:
    __slots__ = ("trees",)

    def __init__(self, trees):
        self.trees = trees

    def __call__(self, v) -> int:
        return min(FAR, sum([tree(v) for tree in self.trees]))

    def code(self, tests: list) -> str:
        return "(" + " + ".join(tree.code(tests) for tree in self.trees) + ")"

    def grant(self, v) -> None:
        for tree in self.trees:
            tree.grant(v)


class Any_:
    __slots__ = ("trees",)

    def __init__(self, trees):
        self.trees = trees

    def __call__(self, v) -> int:
        return min([tree(v) for tree in self.trees])

    def code(self, tests: list) -> str:
        codes = list(dict.fromkeys(tree.code(tests) for tree in self.trees))
        return f"min({', '.join(codes)})" if len(codes) > 1 else codes[0]

    def grant(self, v) -> None:
        min(self.trees, key=lambda tree: tree(v)).grant(v)


class Test:
    """What cannot be taken apart: true or not."""

    __slots__ = ("expr", "names")

    def __init__(self, expr: Expr, names: dict):
        self.expr, self.names = expr, names

    def __call__(self, v) -> int:
        try:
            return 0 if evaluate(self.expr, _Shifted(v), self.names) else 1
        except (KeyError, TypeError, IndexError):
            return 1

    def code(self, tests: list) -> str:
        tests.append(self)
        return "1"

    def grant(self, v) -> None:
        pass


class _Shifted:
    __slots__ = ("v",)

    def __init__(self, v):
        self.v = v

    def __getitem__(self, slot: int):
        return self.v[HEADER + slot]


# --- from conditions to trees -----------------------------------------------------------------------------------------
def distance(game, expr: Expr, v: list, names: dict[Var, Any], meant: dict[Var, Expr] | None = None):
    """A tree for a condition in the world of `v`. Names that nobody has given yet are taken to be as one likes them."""
    return _TreeMaker(game, v, meant or {}).tree(expr, names)


def whole(game, goal: Goal, v: list, names: dict[Var, Any]):
    """A tree for all conditions of a goal."""
    trees = []
    for test, wanted in goal.tests:
        tree = distance(game, test, v, names, goal.meant)
        trees.append(tree if wanted else _negated(tree))
    return _joined(True, trees)


class _TreeMaker:
    def __init__(self, game, v: list, meant: dict[Var, Expr]):
        self.v, self.meant = v, meant
        self.steps = steps_between(game)
        self.reckoner = reckoner(game)
        self.linked = False  # is what was looked up last a place among linked ones?

    def value(self, expr: Expr, names: dict[Var, Any]) -> Any:
        return self.reckoner.value(expr, self.v, names)

    def settled(self, function) -> bool:
        return function.base in self.reckoner.insight.owned

    def tree(self, expr: Expr, names: dict[Var, Any]):
        try:
            return self._tree(expr, names)
        except KeyError:
            return Known(0)
        except Volatile:
            return Test(expr, names)
        except (TypeError, IndexError):
            return Known(FAR)

    def _tree(self, expr: Expr, names: dict[Var, Any]):
        op, args = expr.op, expr.args
        if op == "var" and args[0].origin not in names and args[0].origin in self.meant:
            return self.tree(self.meant[args[0].origin], names)
        if op in ("and", "or"):
            return _joined(op == "and", [self.tree(a, names) for a in args])
        if op == "not":
            return _negated(self.tree(args[0], names))
        if op == "cond":
            return self.tree(args[1] if self.value(args[0], names) else args[2], names)
        if op in ("exists", "every"):
            domain = self.value(args[1], names)
            return _joined(op == "every", [self.tree(args[2], {**names, args[0]: x}) for x in domain])
        if op in ("word", "formula"):
            function = args[0]
            inputs = tuple(self.value(a, names) for a in args[1])
            if None in inputs:
                return Known(FAR)
            body = function.body if op == "word" else function.values[inputs[: function.keys]]
            return self.tree(body, dict(zip(function.variables, inputs)))
        if op == "state":
            function = args[0]
            inputs = tuple(self.value(a, names) for a in args[1])
            if None in inputs:
                return Known(FAR)
            slot = slot_of(function, inputs)
            return Known(0 if self.v[HEADER + slot] else 1) if self.settled(function) else Flag(HEADER + slot)
        if op == "eq":
            return self.same(self.term(args[0], names), self.term(args[1], names))
        if op == "member":
            one, pool = self.term(args[0], names), self.value(args[1], names)
            return _joined(False, [self.same(one, ("value", x)) for x in pool])
        return Known(0 if self.value(expr, names) else FAR)

    def term(self, expr: Expr, names: dict[Var, Any]) -> tuple[str, Any]:
        """A value: known, or in a slot."""
        if expr.op == "word":
            function = expr.args[0]
            inputs = tuple(self.value(a, names) for a in expr.args[1])
            if None in inputs:
                return ("value", None)
            return self.term(function.body, dict(zip(function.variables, inputs)))
        if expr.op == "state":
            inputs = tuple(self.value(a, names) for a in expr.args[1])
            if None in inputs:
                return ("value", None)
            slot = slot_of(expr.args[0], inputs)
            if self.settled(expr.args[0]):
                return ("value", self.v[HEADER + slot])
            self.linked = expr.args[0].result.atoms <= self.steps.keys() and not expr.args[0].result.maybe
            return ("slot", HEADER + slot)
        return ("value", self.value(expr, names))

    def same(self, one: tuple, other: tuple):
        if one[0] == other[0] == "value":
            return Known(0 if one[1] == other[1] else FAR)
        if one[0] == "value":
            one, other = other, one
        if other == ("value", None):
            return Known(FAR)
        linked = self.linked and (other[0] == "slot" or other[1] in self.steps)
        return Same(one[1], other[1] if other[0] == "slot" else None, other[1], self.steps, linked)


def _joined(every: bool, trees: list):
    hopeless, done = (FAR, 0) if every else (0, FAR)
    kept = []
    for tree in trees:
        if isinstance(tree, Known):
            if tree.cost == hopeless:
                return Known(hopeless)
            if tree.cost == done:
                continue
        kept.append(tree)
    if not kept:
        return Known(done)
    return kept[0] if len(kept) == 1 else (All if every else Any_)(kept)


def _negated(tree):
    if isinstance(tree, Known):
        return Known(FAR if tree.cost == 0 else 0)
    return Not(tree)


# --- what the rules let one win by ------------------------------------------------------------------------------------
class Goal:
    """An end of the game that a player can bring about: who wins then, and under which conditions."""

    def __init__(self, player: Var | None, winners: Expr, tests: list[tuple[Expr, bool]], meant: dict[Var, Expr]):
        self.player, self.winners, self.tests, self.meant = player, winners, tests, meant


def goals_of(game) -> list[Goal]:
    memory = insight(game).memory
    if "goals" not in memory:
        memory["goals"] = [goal for rule in game.program.rules.values() for goal in _Ends(rule).goals]
    return memory["goals"]


class _Ends:
    def __init__(self, rule):
        self.goals: list[Goal] = []
        self.meant: dict[Var, Expr] = {}
        for step in walk(rule.steps):
            if step.verb == "show" and step.vars:
                self.meant[next(iter(step.vars.values())).origin] = step.at["show"]
            elif step.verb == "let":
                self.meant.update((var.origin, step.at[name]) for name, var in step.vars.items())
        self.look(rule.steps, [], None)

    def look(self, steps: list[Step], tests: list[tuple[Expr, bool]], player: Var | None) -> None:
        for step in steps:
            if step.verb == "end":
                self.end(step.at["end"], tests, player)
            elif step.verb == "if":
                self.look(step.bodies["then"], [*tests, (step.at["if"], True)], player)
                self.look(step.bodies["else"], [*tests, (step.at["if"], False)], player)
            else:
                for body in step.bodies.values():
                    self.look(body, tests, player)
            asked = step.at.get("ask")
            for alternative in step.alternatives:
                first = player
                if first is None and asked is not None and asked.op == "var":
                    first = asked.args[0].origin
                given = [] if alternative.given is None else [(alternative.given, True)]
                self.look(alternative.then, [*tests, *given], first)

    def end(self, winners: Expr, tests: list[tuple[Expr, bool]], player: Var | None) -> None:
        if winners.op == "cond":
            test, yes, no = winners.args
            self.end(yes, [*tests, (test, True)], player)
            self.end(no, [*tests, (test, False)], player)
            return
        if player is None:
            found = [e.args[0].origin for e in _all(winners) if e.op == "var"]
            player = found[0] if found else None
        self.goals.append(Goal(player, winners, tests, self.meant))


def _all(expr: Expr):
    yield expr
    for kid in expr.kids():
        yield from _all(kid)
