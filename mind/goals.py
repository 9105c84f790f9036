"""How far a condition is from being true, read from the condition itself.

Conditions become small trees: what does not change in a world is settled once, what all can see and what changes is
looked up in the position. Two places that are linked are as far apart as the steps between them.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..interpreter.cells import cell_of
from ..interpreter.evaluate import evaluate
from ..interpreter.linking import cell_code, compile_expression, compile_reading
from ..interpreter.model import Expr, Function, Rule, Step, Var, walk
from ..interpreter.operations import WHOLE
from ..interpreter.trees import definitions, expression_at, free_variables, walk_expressions
from .imagination import insight

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.position import Position
    from .belief import Names

__all__ = ["FAR", "Distance", "Goal", "Known", "distance", "goals_of", "reckoner", "steps_between", "whole"]

FAR = 20

# What a tree is made of: operations that are taken apart, and those that are valued as a whole.
TAKEN_APART = frozenset(
    {"var", "and", "or", "not", "cond", "exists", "every", "word", "formula", "state", "eq", "member"}
)
VALUED = WHOLE
FOLLOWED = frozenset({"word", "state"})  # in what should be equal: where its cell is looked for; all others are valued

Distance = Callable[["Position"], int]  # how far a position is from where something holds


class Volatile(Exception):
    """It changes while the game goes on."""


class Reckoner:
    """Expressions as functions of positions, made once for each game."""

    def __init__(self, game: Game):
        self.game = game
        self.insight = insight(game)
        self._made: dict[int, tuple[Callable[..., Any], list[Var]]] = {}
        self._restless: dict[int, bool] = {}
        self._trees: dict[str, Distance] = {}
        self.kept: list[Expr] = []  # what is known by its number must stay
        size = len(game.vocabulary.atoms)
        steps = steps_between(game)
        self.table = [[steps[a].get(b, FAR) for b in range(size)] if a in steps else None for a in range(size)]

    def value(self, expr: Expr, position: Position, names: Names) -> Any:
        """What an expression is worth in a world; it must not hang on what changes."""
        if expr.op == "const":
            return expr.args[0]
        if expr.op == "var":
            return names[expr.args[0].origin]
        if self.restless(expr):
            raise Volatile
        made = self._made.get(id(expr))
        if made is None:
            free = free_variables(expr)
            made = self._made[id(expr)] = compile_expression(len(self.game.vocabulary.atoms), expr, free), free
            self.kept.append(expr)
        function, free = made
        return function(position, *[names[var] for var in free])

    def restless(self, expr: Expr) -> bool:
        """Does it hang on anything that changes?"""
        found = self._restless.get(id(expr))
        if found is None:
            self._restless[id(expr)] = False  # words do not call themselves
            found = expr.op == "state" and expr.args[0].base not in self.insight.owned
            found = found or any(self.restless(inner) for inner in (*definitions(expr), *expr.kids()))
            self._restless[id(expr)] = found
            self.kept.append(expr)
        return found

    def compiled(self, tree: Tree) -> Distance:
        """A tree as one function of a position; the same for equal trees."""
        tests: list[Test] = []
        code = tree.code(tests)
        if tests:
            return tree
        if code not in self._trees:
            self._trees[code] = self._read(code)
        return self._trees[code]

    def together(self, groups: Sequence[Sequence[Tree]]) -> Callable[[Position], Sequence[Sequence[int]]]:
        """Many trees as one function: what each of a group comes to, group by group."""
        tests: list[Test] = []
        code = "".join([f"({''.join([f'{tree.code(tests)}, ' for tree in trees])}), " for trees in groups])
        if tests:
            found = [[self.compiled(tree) for tree in trees] for trees in groups]
            return lambda position: [[tree(position) for tree in trees] for trees in found]
        made: Callable[[Position], Sequence[Sequence[int]]] = self._read(f"({code})")
        return made

    def _read(self, code: str) -> Any:
        """From the row of a place in the table steps are read again and again: it is looked up once."""
        rows = [row for row, often in Counter(re.findall(r"S\[v\[\d+\]\]", code)).items() if often > 1]
        for number, row in enumerate(rows):
            code = code.replace(row, f"r{number}")
        return compile_reading(code, {"S": self.table}, {f"r{number}": row for number, row in enumerate(rows)})


def reckoner(game: Game) -> Reckoner:
    memory = insight(game).memory
    if "reckoner" not in memory:
        memory["reckoner"] = Reckoner(game)
    found: Reckoner = memory["reckoner"]
    return found


# --- how far places are apart -----------------------------------------------------------------------------------------
def steps_between(game: Game) -> dict[int, dict[int, int]]:
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
    found: dict[int, dict[int, int]] = memory["steps"]
    return found


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
class Tree(Protocol):
    """Tells how far a position is from where a condition holds."""

    def __call__(self, position: Position, /) -> int: ...

    def code(self, tests: list[Test]) -> str:
        """The same as source, as far as it can be; what cannot is added to the tests."""

    def holds(self) -> str | None:
        """Whether it is no step away, as source, if it is never more than one."""

    def grant(self, position: Position) -> None:
        """Make the condition hold, as far as that is easily done."""


class Known:
    __slots__ = ("cost",)

    def __init__(self, cost: int):
        self.cost = cost

    def __call__(self, position: Position) -> int:
        return self.cost

    def code(self, tests: list[Test]) -> str:
        return str(self.cost)

    def holds(self) -> str | None:
        return None

    def grant(self, position: Position) -> None:
        pass


class Same:
    """Two values that should be one: what is in a cell, and what is in another, or known."""

    __slots__ = ("a", "b", "x", "steps", "linked")

    def __init__(self, a: int, b: int | None, x: Any, steps: dict[int, dict[int, int]], linked: bool):
        self.a, self.b, self.x, self.steps, self.linked = a, b, x, steps, linked

    def __call__(self, position: Position) -> int:
        one = position.cell(self.a)
        other = self.x if self.b is None else position.cell(self.b)
        if one == other:
            return 0
        row = self.steps.get(one)
        return 1 if row is None else row.get(other, FAR)

    def code(self, tests: list[Test]) -> str:
        one, other = cell_code(self.a), repr(self.x) if self.b is None else cell_code(self.b)
        return f"S[{one}][{other}]" if self.linked else f"({one} != {other})"

    def holds(self) -> str | None:
        one, other = cell_code(self.a), repr(self.x) if self.b is None else cell_code(self.b)
        return None if self.linked else f"{one} == {other}"

    def grant(self, position: Position) -> None:
        position.put(self.a, self.x if self.b is None else position.cell(self.b))


class Flag:
    __slots__ = ("cell",)

    def __init__(self, cell: int):
        self.cell = cell

    def __call__(self, position: Position) -> int:
        return 0 if position.cell(self.cell) else 1

    def code(self, tests: list[Test]) -> str:
        return f"(not {cell_code(self.cell)})"

    def holds(self) -> str | None:
        return cell_code(self.cell)

    def grant(self, position: Position) -> None:
        position.put(self.cell, True)


class Not:
    __slots__ = ("tree",)

    def __init__(self, tree: Tree):
        self.tree = tree

    def __call__(self, position: Position) -> int:
        return 0 if self.tree(position) else 1

    def code(self, tests: list[Test]) -> str:
        return f"(not {self.tree.code(tests)})"

    def holds(self) -> str | None:
        inside = self.tree.holds()
        return None if inside is None else f"not ({inside})"

    def grant(self, position: Position) -> None:
        if isinstance(self.tree, Flag):
            position.put(self.tree.cell, False)


class All:
    __slots__ = ("trees",)

    def __init__(self, trees: list[Tree]):
        self.trees = trees

    def __call__(self, position: Position) -> int:
        return min(FAR, sum([tree(position) for tree in self.trees]))

    def code(self, tests: list[Test]) -> str:
        return "(" + " + ".join(tree.code(tests) for tree in self.trees) + ")"

    def holds(self) -> str | None:
        return None

    def grant(self, position: Position) -> None:
        for tree in self.trees:
            tree.grant(position)


class Any_:
    __slots__ = ("trees",)

    def __init__(self, trees: list[Tree]):
        self.trees = trees

    def __call__(self, position: Position) -> int:
        return min([tree(position) for tree in self.trees])

    def code(self, tests: list[Test]) -> str:
        holds = self.holds()
        if holds is not None:
            return f"(not ({holds}))"
        codes = list(dict.fromkeys(tree.code(tests) for tree in self.trees))
        return f"min({', '.join(codes)})" if len(codes) > 1 else codes[0]

    def holds(self) -> str | None:
        several = list(dict.fromkeys(tree.holds() for tree in self.trees))
        return None if None in several else " or ".join(map(str, several))

    def grant(self, position: Position) -> None:
        min(self.trees, key=lambda tree: tree(position)).grant(position)


class Test:
    """What cannot be taken apart: true or not."""

    __slots__ = ("expr", "names")

    def __init__(self, expr: Expr, names: Names):
        self.expr, self.names = expr, names

    def __call__(self, position: Position) -> int:
        try:
            return 0 if evaluate(self.expr, position.cells(), self.names) else 1
        except (KeyError, TypeError, IndexError):
            return 1

    def code(self, tests: list[Test]) -> str:
        tests.append(self)
        return "1"

    def holds(self) -> str | None:
        return None

    def grant(self, position: Position) -> None:
        pass


# --- from conditions to trees -----------------------------------------------------------------------------------------
def distance(game: Game, expr: Expr, position: Position, names: Names, meant: dict[Var, Expr] | None = None) -> Tree:
    """A tree for a condition in the world of a position. Names that nobody has given yet are taken to be as one likes
    them."""
    return _TreeMaker(game, position, meant or {}).tree(expr, names)


def whole(game: Game, goal: Goal, position: Position, names: Names) -> Tree:
    """A tree for all conditions of a goal."""
    trees = []
    for test, wanted in goal.tests:
        tree = distance(game, test, position, names, goal.meant)
        trees.append(tree if wanted else _negated(tree))
    return _joined(True, trees)


class _InCell:
    """A value that changes: in which cell it is."""

    __slots__ = ("cell",)

    def __init__(self, cell: int):
        self.cell = cell


class _TreeMaker:
    def __init__(self, game: Game, position: Position, meant: dict[Var, Expr]):
        self.position, self.meant = position, meant
        self.steps = steps_between(game)
        self.reckoner = reckoner(game)
        self.linked = False  # is what was looked up last a place among linked ones?

    def value(self, expr: Expr, names: Names) -> Any:
        return self.reckoner.value(expr, self.position, names)

    def inputs(self, expr: Expr, names: Names) -> tuple[Any, ...] | None:
        """What a function is asked for; None, if something in it is nothing."""
        found = tuple(self.value(a, names) for a in expr.args[1])
        return None if None in found else found

    def settled(self, function: Function) -> bool:
        return function.base in self.reckoner.insight.owned

    def tree(self, expr: Expr, names: Names) -> Tree:
        try:
            return self._tree(expr, names)
        except KeyError:
            return Known(0)
        except Volatile:
            return Test(expr, names)
        except (TypeError, IndexError):
            return Known(FAR)

    def _tree(self, expr: Expr, names: Names) -> Tree:
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
            function, inputs = args[0], self.inputs(expr, names)
            if inputs is None:
                return Known(FAR)
            body = function.body if op == "word" else function.values[inputs[: function.keys]]
            return self.tree(body, dict(zip(function.variables, inputs)))
        if op == "state":
            inputs = self.inputs(expr, names)
            if inputs is None:
                return Known(FAR)
            cell = cell_of(args[0], inputs)
            return Known(0 if self.position.cell(cell) else 1) if self.settled(args[0]) else Flag(cell)
        if op == "eq":
            return self.same(self.term(args[0], names), self.term(args[1], names))
        if op == "member":
            one, pool = self.term(args[0], names), self.value(args[1], names)
            return _joined(False, [self.same(one, x) for x in pool])
        return Known(0 if self.value(expr, names) else FAR)

    def term(self, expr: Expr, names: Names) -> Any:
        """A value: known, or in a cell."""
        if expr.op not in FOLLOWED:
            return self.value(expr, names)
        function, inputs = expr.args[0], self.inputs(expr, names)
        if inputs is None:
            return None
        if expr.op == "word":
            return self.term(function.body, dict(zip(function.variables, inputs)))
        cell = cell_of(function, inputs)
        if self.settled(function):
            return self.position.cell(cell)
        self.linked = function.result.atoms <= self.steps.keys() and not function.result.maybe
        return _InCell(cell)

    def same(self, one: Any, other: Any) -> Tree:
        if not isinstance(one, _InCell):
            one, other = other, one
        if not isinstance(one, _InCell):
            return Known(0 if one == other else FAR)
        if other is None:
            return Known(FAR)
        if isinstance(other, _InCell):
            return Same(one.cell, other.cell, None, self.steps, self.linked)
        return Same(one.cell, None, other, self.steps, self.linked and other in self.steps)


def _joined(every: bool, trees: list[Tree]) -> Tree:
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


def _negated(tree: Tree) -> Tree:
    if isinstance(tree, Known):
        return Known(FAR if tree.cost == 0 else 0)
    return Not(tree)


# --- what the rules let one win by ------------------------------------------------------------------------------------
class Goal:
    """An end of the game that a player can bring about: who wins then, and under which conditions."""

    def __init__(self, player: Var | None, winners: Expr, tests: list[tuple[Expr, bool]], meant: dict[Var, Expr]):
        self.player, self.winners, self.tests, self.meant = player, winners, tests, meant


def goals_of(game: Game) -> list[Goal]:
    memory = insight(game).memory
    if "goals" not in memory:
        memory["goals"] = [goal for rule in game.program.rules.values() for goal in _Ends(rule).goals]
    found: list[Goal] = memory["goals"]
    return found


class _Ends:
    def __init__(self, rule: Rule):
        self.goals: list[Goal] = []
        self.meant: dict[Var, Expr] = {}
        for step in walk(rule.steps):
            if step.verb == "show" and step.vars:
                self.meant[next(iter(step.vars.values())).origin] = expression_at(step, "show")
            elif step.verb == "let":
                self.meant.update((var.origin, expression_at(step, name)) for name, var in step.vars.items())
        self.look(rule.steps, [], None)

    def look(self, steps: list[Step], tests: list[tuple[Expr, bool]], player: Var | None) -> None:
        for step in steps:
            if step.verb == "end":
                self.end(expression_at(step, "end"), tests, player)
            elif step.verb == "if":
                test = expression_at(step, "if")
                self.look(step.bodies["then"], [*tests, (test, True)], player)
                self.look(step.bodies["else"], [*tests, (test, False)], player)
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
            player = next((e.args[0].origin for e in walk_expressions([winners]) if e.op == "var"), None)
        self.goals.append(Goal(player, winners, tests, self.meant))
