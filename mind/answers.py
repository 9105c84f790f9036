"""What can be answered to a question, as far as one world tells: whether something could have been chosen, all that
could have been, and whether the question was asked at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..interpreter.evaluate import evaluate
from ..interpreter.model import Alternative, Expr, Part, Step, Var
from ..interpreter.operations import WHOLE
from ..interpreter.trees import free_variables

if TYPE_CHECKING:
    from ..interpreter.blocks import Event
    from ..interpreter.cells import Cells
    from ..interpreter.game import Game

__all__ = [
    "MISSING",
    "Guard",
    "Names",
    "Unknown",
    "Way",
    "allows",
    "answers",
    "judge",
    "names_of",
    "parts_of",
    "terms_of",
    "was_asked",
]

MOST_ANSWERS = 20_000
Names = dict[Var, Any]
Found = TypeVar("Found")

# What `judge` does with each operation: decide it as far as its parts are known, or have it valued as a whole.
THREE_VALUED = frozenset({"and", "or", "not", "cond", "exists", "every", "word", "formula"})
VALUED = WHOLE | {"var", "state", "eq", "member"}


class Unknown(Exception):
    """A value that the player cannot know, and that no world tells."""


MISSING = (Unknown, KeyError, IndexError, TypeError)  # what cannot be looked up in a world raises one of these


# --- what was found under what was looked at --------------------------------------------------------------------------
Tree = list[Any]  # what was found in worlds: [cell, {its value: tree}], [what was found], or nothing yet
BROAD = 200  # values of a cell for which that is remembered
KEPT = 50_000  # trees of single conditions and values
_TREES: dict[tuple[Any, ...], Tree] = {}
_FREE: dict[int, tuple[Expr, tuple[Var, ...]]] = {}


class Tracked:
    """Cells that note which of them were looked at."""

    def __init__(self) -> None:
        self.asked: list[int] = []  # in the order in which they were looked at

    def __getitem__(self, cell: int) -> Any:
        raise Unknown

    def told(self, cell: int) -> Any:
        """What stands there; a cell of which nothing is known is one of which nothing is known in every world."""
        try:
            return self[cell]
        except Unknown:
            return Unknown

    def found_in(self, tree: Tree, look: Callable[[], Found]) -> Found:
        """What is found here, and all that it hangs on is looked at: looked up in the tree, or put into it."""
        branch = tree
        while len(branch) == 2:
            branch = below(branch, self.told(branch[0]))
        if not branch:
            before, self.asked = self.asked, []
            found, branch = look(), tree
            for cell in dict.fromkeys(self.asked):
                if not branch:
                    branch += [cell, {}]
                branch = below(branch, self.told(cell))
            branch[:] = [found]
            self.asked = before + self.asked
        kept: Found = branch[0]
        return kept


def below(branch: Tree, value: Any) -> Tree:
    """Where it goes on in a tree if this stands in the cell."""
    further: dict[Any, Tree] = branch[1]
    found = further.get(value)
    if found is None:
        if len(further) >= BROAD:  # what was noted, perhaps, that is something else in every game
            further.clear()
        found = further[value] = []
    return found


def _kept(
    read: Callable[[Expr, Cells, Names], Any],
    expr: Expr,
    cells: Cells,
    names: Names,
    var: Var | None = None,
    x: Any = 0,
) -> Any:
    """A condition or value, with `x` for a variable: the same is asked of many answers in many worlds."""
    if not isinstance(cells, Tracked):
        return read(expr, cells, names if var is None else {**names, var: x})
    free = _FREE.get(id(expr))
    if free is None:
        free = _FREE[id(expr)] = (expr, tuple(free_variables(expr)))  # with it, so that its number stays its own
    key = (id(expr), x, *[names.get(one, "unknown") for one in free[1] if one is not var])
    tree = _TREES.get(key)
    if tree is None:
        if len(_TREES) >= KEPT:
            _TREES.clear()
            _FREE.clear()
            _FREE[id(expr)] = free
        tree = _TREES[key] = []

    def look() -> Any:
        try:
            return read(expr, cells, names if var is None else {**names, var: x})
        except Unknown:
            return Unknown

    found = cells.found_in(tree, look)
    if found is Unknown:
        raise Unknown
    return found


# --- questions --------------------------------------------------------------------------------------------------------
class Guard(NamedTuple):
    """What must have been for a step to be carried out: a condition that came out so, or, without one, a question to
    which there was no answer."""

    step: Step
    test: Expr | None = None
    wanted: bool = True


class Way(NamedTuple):
    """A question that somebody may have answered, the names it hangs on, and when it is asked."""

    step: Step
    alternative: Alternative | None
    names: Names
    guards: tuple[Guard, ...] = ()


def names_of(event: Event, values: tuple[Any, ...]) -> Names:
    """The variables that a row of the log tells."""
    names = dict(zip(event.context, values[len(event.names) :]))
    if event.kind == "show" and event.origin is not None:
        told = dict(zip(event.names, values))
        for var in event.origin.visible:
            if var.name in told:
                names.setdefault(var.origin, told[var.name])
    return names


def parts_of(step: Step, alternative: Alternative | None) -> list[Part]:
    """What is chosen when this alternative is taken."""
    return [*step.parts, *(alternative.parts if alternative is not None else ())]


# --- what a question hangs on -----------------------------------------------------------------------------------------
_TERMS: dict[int, tuple[Game, dict[int, int], dict[tuple[int, str, bool], tuple[Var, ...]]]] = {}


def terms_of(game: Game, ways: Iterable[Way]) -> tuple[Any, ...]:
    """These ways, with nothing but what their answers hang on: equal for equal questions, whoever else is named."""
    kept = _TERMS.get(id(game))
    if kept is None:
        while len(_TERMS) >= 32:
            del _TERMS[next(iter(_TERMS))]
        numbers = {id(node.step): node.number for node in game.program.nodes if node.step is not None}
        kept = _TERMS[id(game)] = (game, numbers, {})  # it holds the game, so the number stays the game's
    _, numbers, known = kept
    found = []
    for step, alternative, names, guards in ways:
        key = (numbers[id(step)], "" if alternative is None else alternative.name, bool(guards))
        free = known.get(key)
        if free is None:
            exprs = [*_constraints(step, alternative)]
            for guard in guards:
                exprs += [guard.test] if guard.test is not None else _constraints(guard.step, *guard.step.alternatives)
            free = known[key] = tuple(dict.fromkeys(var for expr in exprs for var in free_variables(expr)))
        found.append((*key, tuple([names.get(var, "unknown") for var in free])))
    return tuple(found)


def _constraints(step: Step, *alternatives: Alternative | None) -> Iterator[Expr]:
    """The expressions that decide what can be chosen, and by whom."""
    several: list[Expr | None] = [step.at.get("where"), step.at.get("ask")]
    parts = [*step.parts]
    for alternative in alternatives:
        if alternative is not None:
            several += [alternative.given, alternative.where]
            parts += alternative.parts
    for part in parts:
        several += [part.source, part.amount, part.onto, *(e for _, *pair in part.which for e in pair)]
    yield from (expr for expr in several if expr is not None)


# --- what could have been chosen --------------------------------------------------------------------------------------
def was_asked(way: Way, cells: Cells, answered: Mapping[int, bool] | None = None) -> bool | None:
    """Was this question asked? None: that cannot be told. `answered`: of which steps it is known whether there was an
    answer, with the same names."""
    sure = True
    for step, test, wanted in way.guards:
        try:
            if test is not None:
                asked = judge(test, cells, way.names) == wanted
            elif answered is not None and id(step) in answered:
                asked = not answered[id(step)]
            else:
                several: list[Alternative | None] = [*step.alternatives] or [None]
                asked = not any(answers(step, one, way.names, cells) for one in several)
        except MISSING:
            sure = False
            continue
        if not asked:
            return False
    return True if sure else None


def allows(step: Step, alternative: Alternative | None, chosen: Mapping[Var, Any], names: Names, cells: Cells) -> bool:
    """Could this have been chosen? Yes, unless something that can be known forbids it."""
    names = dict(names)

    def holds(expr: Expr | None) -> bool:
        try:
            return expr is None or judge(expr, cells, names)
        except (Unknown, KeyError):
            return True

    if alternative is not None and not holds(alternative.given):
        return False
    for part in parts_of(step, alternative):
        if part.var not in chosen:
            return True
        value = names[part.var] = chosen[part.var]
        try:
            if not _offered(part, value, names, cells):
                return False
        except (Unknown, KeyError):
            continue
    return holds(step.at.get("where")) and (alternative is None or holds(alternative.where))


def _offered(part: Part, value: Any, names: Names, cells: Cells) -> bool:
    if part.shape == "match":
        return True
    if part.shape == "one":
        if part.source.op == "filter":
            var, source, test = part.source.args
            return value in evaluate(source, cells, names) and judge(test, cells, {**names, var: value})
        return value in evaluate(part.source, cells, names)
    assert part.amount is not None
    pool = _kept(evaluate, part.source, cells, names)
    least, most = _kept(evaluate, part.amount, cells, names)
    if not least <= len(value) <= most or any(x not in pool for x in value):
        return False
    for var, test, amount in part.which:
        low, high = _kept(evaluate, amount, cells, names)
        sure = maybe = 0
        for x in value:
            try:
                sure += _kept(judge, test, cells, names, var, x)
            except Unknown:
                maybe += 1
        if sure > high or sure + maybe < low:
            return False
    return True


def answers(step: Step, alternative: Alternative | None, names: Names, cells: Cells) -> list[tuple[Any, ...]]:
    """All that could have been chosen. Raises Unknown if that hangs on what no world tells."""
    found: list[tuple[Any, ...]] = []
    parts = parts_of(step, alternative)
    wheres = [t for t in (step.at.get("where"), None if alternative is None else alternative.where) if t is not None]

    def further(index: int, names: Names, chosen: tuple[Any, ...]) -> None:
        if len(found) > MOST_ANSWERS:
            raise Unknown
        if index == len(parts):
            found.append(chosen)
            return
        part = parts[index]
        last = index == len(parts) - 1
        tests = [t for t in wheres if not _surely(t, cells, names)] if last else []
        for value in _values(part, names, cells):
            inside = {**names, part.var: value}
            if all(judge(test, cells, inside) for test in tests):
                further(index + 1, inside, (*chosen, value))

    if alternative is None or alternative.given is None or judge(alternative.given, cells, names):
        further(0, dict(names), ())
    return found


def _surely(test: Expr, cells: Cells, names: Names) -> bool:
    """Does it hold whatever is chosen?"""
    try:
        return judge(test, cells, names)
    except MISSING:
        return False


def _values(part: Part, names: Names, cells: Cells) -> Iterator[Any]:
    if part.shape == "match":
        raise Unknown
    pool = evaluate(part.source, cells, names)
    if part.shape == "one":
        yield from pool
        return
    assert part.amount is not None
    least, most = _kept(evaluate, part.amount, cells, names)
    limits = [_kept(evaluate, amount, cells, names) for _, _, amount in part.which]
    marks = {x: [_kept(judge, test, cells, names, var, x) for var, test, _ in part.which] for x in pool}
    for count in range(least, min(most, len(pool)) + 1):
        for some in combinations(pool, count):
            if all(low <= sum(marks[x][i] for x in some) <= high for i, (low, high) in enumerate(limits)):
                yield some


# --- conditions -------------------------------------------------------------------------------------------------------
def judge(expr: Expr, cells: Cells, names: Names) -> bool:
    """A condition of which some parts may be unknown: raises Unknown only if the rest does not decide it."""
    op, args = expr.op, expr.args
    if op in ("and", "or"):
        return _decided(op == "or", [(side, names) for side in args], cells)
    if op == "not":
        return not judge(args[0], cells, names)
    if op == "cond":
        return judge(args[1] if judge(args[0], cells, names) else args[2], cells, names)
    if op in ("exists", "every"):
        inside = ((args[2], {**names, args[0]: element}) for element in evaluate(args[1], cells, names))
        return _decided(op == "exists", inside, cells)
    if op in ("word", "formula") and expr.type.kind == "truth":
        function, inputs = args[0], tuple(evaluate(a, cells, names) for a in args[1])
        if None in inputs:
            return False
        body = function.body if op == "word" else function.values[inputs[: function.keys]]
        return judge(body, cells, dict(zip(function.variables, inputs)))
    return bool(evaluate(expr, cells, names))


def _decided(stop: bool, tests: Iterable[tuple[Expr, Names]], cells: Cells) -> bool:
    """What the first of these conditions decides that comes out so; the opposite, if none does and all are known."""
    unknown = False
    for test, names in tests:
        try:
            if judge(test, cells, names) == stop:
                return stop
        except Unknown:
            unknown = True
    if unknown:
        raise Unknown
    return not stop
