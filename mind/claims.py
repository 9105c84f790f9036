"""What has to be said to win: found from the condition of the ending, not by trying all that could be said.

Where a game ends at once by what somebody declares, the condition of its end says what the parts of the declaration
must be: this one is so, and that one so. What follows from it is only what *must* hold; whoever asks tries the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from ..interpreter.cells import ranks
from ..interpreter.linking import compile_expression
from ..interpreter.model import Alternative, Expr, Step
from ..interpreter.trees import expression_at, free_variables
from .belief import MISSING, Unknown, parts_of

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.model import Var
    from ..interpreter.position import Position
    from ..interpreter.state import Choice

__all__ = ["Claims"]

Place = tuple[int, int | None]  # a part of a choice; of an assignment, which element's value
Needs = dict[Place, frozenset[Any]]  # what each of these must be one of
Plain = list[tuple[Expr, tuple["Var", ...], bool]]  # conditions, the variables around them, and how they must come out
Leaf = tuple[list[tuple[Expr, bool]], Expr]  # an ending: under which conditions, who wins

# What is done with each operation: what it asks of its parts is asked of them, or it is a place that has to be filled,
# or it is valued, if nothing in it is still to be chosen.
SOLVED = frozenset("and or not cond exists every word formula var matched eq member".split())


class Hole:
    """A part of a choice that is not yet made, or one element of it."""

    __slots__ = ("index", "place")

    def __init__(self, place: int, index: int | None = None):
        self.place, self.index = place, index


class Claims:
    """Kept for a game: what its endings ask for."""

    def __init__(self, game: Game):
        self.game = game
        self._leaves: dict[tuple[int, int], tuple[list[Leaf], dict[Var, Expr], dict[Var, Hole]]] = {}
        self._plain: dict[tuple[int, int], list[Plain]] = {}
        self._free: dict[int, tuple[Expr, frozenset[Var]]] = {}
        self._kept: list[Expr] = []
        self._made: dict[int, tuple[Callable[..., Any], list[Var]]] = {}

    def worth_trying(self, position: Position, choices: Iterable[Choice], who: int) -> list[Choice]:
        """Those of these choices by which somebody may win. All of them have to lead to an end at once, with nothing
        changed before it (`Insight.settled`), or by what was dealt (`Insight.timeless`)."""
        several = list(choices)
        fitting: set[int] = set()  # by identity: they are compared fast
        for kind in {choice[0] for choice in several}:
            assert isinstance(kind, int)
            for need in self.needs(position, kind, who):
                left = [choice for choice in several if choice[0] == kind]
                for (place, index), allowed in need.items():
                    if index is None:
                        left = [choice for choice in left if choice[place] in allowed]
                    else:
                        left = [choice for choice in left if cast(Any, choice[place])[index] in allowed]
                fitting.update(map(id, left))
        return [choice for choice in several if id(choice) in fitting]

    def needs(self, position: Position, atom: int, who: int) -> list[Needs]:
        """What an alternative asks of its parts, for each ending by which somebody may win; nothing, if by none."""
        leaves, defined, holes = self._endings(position, atom)
        key = (position.number, atom)
        plain = self._plain.get(key)
        if plain is None:
            plain = self._plain[key] = [self._closed(conditions, defined, holes) for conditions, _ in leaves]
        leaves = [leaf for leaf, tests in zip(leaves, plain, strict=True) if self._may_hold(tests, position)]
        if not leaves:
            return []
        around = position.names()
        names: dict[Any, Any] = {**around, **defined, **holes}
        found = []
        for conditions, winners in leaves:
            try:
                if who not in _row(self._evaluate(winners, position, around)):
                    continue
            except MISSING:
                pass  # who wins hangs on what is said
            need: Needs | None = {}
            for condition, wanted in conditions:
                need = _both(need, self._required(condition, wanted, position, names))
                if need is None:
                    break
            if need is not None:
                found.append({place: allowed for place, allowed in need.items() if place[0] > 0})
        return found

    def _closed(
        self, conditions: list[tuple[Expr, bool]], defined: Mapping[Var, Expr], holes: Mapping[Var, Hole]
    ) -> Plain:
        """Those of the conditions of an ending that hang on nothing that is said: mostly one of them speaks against
        it, and nothing else has to be looked at."""
        open_names, found = {**defined, **holes}, []
        left = list(conditions)
        while left:
            condition, wanted = left.pop()
            if not self._is_open(condition, open_names):
                found.append((condition, tuple(free_variables(condition)), wanted))
            elif condition.op == "not":
                left.append((condition.args[0], not wanted))
            elif condition.op == ("and" if wanted else "or"):
                left += [(side, wanted) for side in condition.args]
            elif condition.op == "var" and condition.args[0].origin in defined:
                left.append((defined[condition.args[0].origin], wanted))
        return found

    def _may_hold(self, tests: Plain, position: Position) -> bool:
        for condition, free, wanted in tests:
            try:
                if bool(self._evaluate(condition, position, {var: position.variable(var) for var in free})) != wanted:
                    return False
            except MISSING:
                pass  # what cannot be told asks nothing
        return True

    def _endings(self, position: Position, atom: int) -> tuple[list[Leaf], dict[Var, Expr], dict[Var, Hole]]:
        key = (position.number, atom)
        if key not in self._leaves:
            step = position.step
            assert step is not None
            alternative = next(a for a in step.alternatives if a.atom == atom)
            leaves: list[Leaf] = []
            defined: dict[Var, Expr] = {}
            holes = _holes(step, alternative)
            _follow(alternative.then, [], leaves, defined, holes)
            self._leaves[key] = (leaves, defined, holes)
        return self._leaves[key]

    # --- what a condition asks for ------------------------------------------------------------------------------------
    def _evaluate(self, expr: Expr, position: Position, names: Mapping[Any, Any]) -> Any:
        made = self._made.get(id(expr))
        if made is None:
            free = free_variables(expr)
            made = self._made[id(expr)] = compile_expression(len(self.game.vocabulary.atoms), expr, free), free
            self._kept.append(expr)  # so that its number stays its own
        function, free = made
        return function(position, *[names[var] for var in free])

    def _is_open(self, expr: Expr, names: Mapping[Any, Any]) -> bool:
        """Does it hang on something that is still to be chosen?"""
        kept = self._free.get(id(expr))
        if kept is None:
            kept = self._free[id(expr)] = (
                expr,
                frozenset(free_variables(expr)),
            )  # with it, so that its id stays its own
        return any(isinstance(names.get(var), (Hole, Expr)) for var in kept[1])

    def _value(self, expr: Expr, position: Position, names: Mapping[Any, Any]) -> Any:
        """What it is: a value, or a place that has to be filled. Raises Unknown where it is neither."""
        if expr.op == "var":
            value = names[expr.args[0].origin]
            return self._value(value, position, names) if isinstance(value, Expr) else value
        if expr.op == "matched":
            var, element = expr.args
            given, key = names[var], self._value(element, position, names)
            if isinstance(key, Hole):
                raise Unknown
            rank = ranks(var.type.atoms)[key]
            return Hole(given.place, rank) if isinstance(given, Hole) else given[rank]
        if self._is_open(expr, names):
            raise Unknown
        return self._evaluate(expr, position, names)

    def _required(self, expr: Expr, wanted: bool, position: Position, names: Mapping[Any, Any]) -> Needs | None:
        """What must be for a condition to come out as wanted; None, if it cannot. What cannot be told asks nothing."""
        try:
            if not self._is_open(expr, names):
                return {} if bool(self._evaluate(expr, position, names)) == wanted else None
            return self._asked(expr, wanted, position, names)
        except MISSING:
            return {}

    def _asked(self, expr: Expr, wanted: bool, position: Position, names: Mapping[Any, Any]) -> Needs | None:
        op, args = expr.op, expr.args
        if op in ("and", "or"):
            return _joined((op == "and") == wanted, (self._required(side, wanted, position, names) for side in args))
        if op == "not":
            return self._required(args[0], not wanted, position, names)
        if op == "cond":
            ways = (
                _both(
                    self._required(args[0], first, position, names), self._required(args[way], wanted, position, names)
                )
                for first, way in ((True, 1), (False, 2))
            )
            return _joined(False, ways)
        if op in ("exists", "every"):
            inside = (
                self._required(args[2], wanted, position, {**names, args[0]: element})
                for element in _row(self._value(args[1], position, names))
            )
            return _joined((op == "every") == wanted, inside)
        if op == "var":
            value = names[args[0].origin]
            return self._required(value, wanted, position, names) if isinstance(value, Expr) else {}
        if op in ("word", "formula"):
            inputs = tuple(self._value(a, position, names) for a in args[1])
            body = args[0].body if op == "word" else args[0].values[inputs[: args[0].keys]]
            if body is None or None in inputs:
                return {}
            return self._required(body, wanted, position, dict(zip(args[0].variables, inputs)))
        if op in ("eq", "member") and wanted:
            one, other = (self._value(side, position, names) for side in args)
            if isinstance(other, Hole):
                one, other = other, one
            if isinstance(one, Hole) and not isinstance(other, Hole) and (op == "eq" or isinstance(other, tuple)):
                return {(one.place, one.index): frozenset([other] if op == "eq" else other)}
        return {}


def _holes(step: Step, alternative: Alternative) -> dict[Var, Hole]:
    """Where in a choice each part stands; an assignment is a row of values, in the order of what they are given to."""
    return {part.var: Hole(place) for place, part in enumerate(parts_of(step, alternative), 1)}


def _follow(
    steps: list[Step],
    conditions: list[tuple[Expr, bool]],
    leaves: list[Leaf],
    defined: dict[Var, Expr],
    holes: dict[Var, Hole],
) -> None:
    for step in steps:
        if step.verb == "end":
            _end(expression_at(step, "end"), conditions, leaves)
            return
        if step.verb == "if":
            test = expression_at(step, "if")
            _follow(step.bodies.get("then") or [], [*conditions, (test, True)], leaves, defined, holes)
            _follow(step.bodies.get("else") or [], [*conditions, (test, False)], leaves, defined, holes)
        elif step.verb == "show":
            defined.update((var.origin, expression_at(step, "show")) for var in step.vars.values())
        elif step.verb == "let":
            defined.update((var.origin, expression_at(step, name)) for name, var in step.vars.items())
        elif step.verb == "ask":  # somebody else answers: as one likes it
            for var in step.vars.values():
                holes[var.origin] = Hole(-1 - len(holes))


def _end(winners: Expr, conditions: list[tuple[Expr, bool]], leaves: list[Leaf]) -> None:
    if winners.op == "cond":
        test, yes, no = winners.args
        _end(yes, [*conditions, (test, True)], leaves)
        _end(no, [*conditions, (test, False)], leaves)
    else:
        leaves.append((list(conditions), winners))


def _row(value: Any) -> tuple[Any, ...]:
    if isinstance(value, Hole):
        raise Unknown
    return value if isinstance(value, tuple) else (value,)


def _both(one: Needs | None, other: Needs | None) -> Needs | None:
    if one is None or other is None:
        return None
    found = dict(one)
    for place, allowed in other.items():
        found[place] = found[place] & allowed if place in found else allowed
        if not found[place]:
            return None
    return found


def _joined(all_of_them: bool, asked: Iterable[Needs | None]) -> Needs | None:
    """What all of these ask for together; or, if one of them is enough, what any of the possible ones asks for."""
    if all_of_them:
        found: Needs | None = {}
        for needs in asked:
            found = _both(found, needs)
            if found is None:
                return None
        return found
    possible = [needs for needs in asked if needs is not None]
    if not possible:
        return None
    shared = set(possible[0]).intersection(*possible)
    return {place: frozenset().union(*(needs[place] for needs in possible)) for place in shared}
