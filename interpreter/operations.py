"""The table of operations: what a typed expression can be built of. Each has a name, types, a meaning and a cost.

Everything an author can write is said with these. Valuing, compiling, the secrecy check, the bound on cost, saying and
whatever else looks into expressions are *readers* of this table: each lists what it does with which operation, and a
test compares the lists, so that a new operation cannot be forgotten by one of them.

The meaning is said as plainly as possible, one line an operation: the compiled program must always agree with it. Here
it values what is fixed when a game is loaded, and what players think about; games themselves run on the compiled form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from .cells import Cells, cell_of, ranks
from .model import Expr, Type, Value, Var

__all__ = [
    "GROWING",
    "LARGEST",
    "LONGEST",
    "MAX_RANGE",
    "OPERATIONS",
    "WHOLE",
    "Cells",
    "Names",
    "Operation",
    "TooLong",
    "bounded",
    "evaluate",
    "may_grow",
]


MAX_RANGE = 1_000  # numbers in a row
LARGEST = 10**15  # of products
LONGEST = 10_000  # elements of a row
GROWING = frozenset("append extend heap images join image".split())  # by which rows become longer and longer
Names = Mapping[Var, Value]
Meaning = Callable[[Expr, Cells, Names], Value]


class TooLong(OverflowError):
    """A row has more elements than it may have."""


def may_grow(kind: Type) -> bool:
    """Can a row of this type become as long as one likes? A set of things cannot: each is in it once."""
    return kind.kind != "set" or kind.of is None or kind.of.kind != "thing"


def bounded(row: tuple[Value, ...]) -> tuple[Value, ...]:
    """Added to again and again, rows would soon fill the memory."""
    if len(row) > LONGEST:
        raise TooLong
    return row


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    says: str  # what it is, in words
    takes: tuple[str, ...]  # for each argument: value, variable, function, expressions, or what an expression must give
    gives: str  # truth, number, amount, thing, set, pile, list; many: any of these; any: it depends
    meaning: Meaning
    cost: str  # one: its arguments are valued once; each: the last is valued for each element; body: that of a function
    fixed: bool  # does it depend on nothing but its arguments?


OPERATIONS: dict[str, Operation] = {}


def evaluate(expr: Expr, cells: Cells, names: Names) -> Value:
    """What an expression is worth, where the cells and the names have these values."""
    found = OPERATIONS[expr.op].meaning(expr, cells, names)
    return bounded(found) if expr.op in GROWING and may_grow(expr.type) else found


def _operation(
    says: str, takes: str, gives: str, cost: str = "one", fixed: bool = True
) -> Callable[[Meaning], Meaning]:
    def add(meaning: Meaning) -> Meaning:
        name = meaning.__name__.strip("_")
        OPERATIONS[name] = Operation(name, says, tuple(takes.split()), gives, meaning, cost, fixed)
        return meaning

    return add


def _each(expr: Expr, cells: Cells, names: Names) -> Iterable[tuple[Value, Value]]:
    """The elements that a variable stands for, each with the value of the body for it."""
    var, source, body = expr.args
    for element in evaluate(source, cells, names):
        yield element, evaluate(body, cells, {**names, var: element})


def _values(expr: Expr, cells: Cells, names: Names) -> list[Value]:
    return [evaluate(arg, cells, names) for arg in expr.args]


# --- leaves and functions ---------------------------------------------------------------------------------------------
@_operation("a value that never changes", "value", "any")
def _const(expr: Expr, cells: Cells, names: Names) -> Value:
    return expr.args[0]


@_operation("a bound name", "variable", "any", fixed=False)
def _var(expr: Expr, cells: Cells, names: Names) -> Value:
    return names[expr.args[0].origin]


def _inputs(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...] | None:
    """The arguments of a function; None if one of them is nothing."""
    found = tuple(evaluate(arg, cells, names) for arg in expr.args[1])
    return None if None in found else found


def there(expr: Expr, value: Value) -> Value:
    """The value where one is needed: nothing is a mistake, unless the type says that it may be that."""
    if value is None and not expr.type.maybe:
        raise TypeError
    return value


def _nothing(expr: Expr) -> bool | None:
    """What a function gives for nothing."""
    return False if expr.type.kind == "truth" else None


@_operation("a function of the state at its arguments", "function expressions", "any", fixed=False)
def _state(expr: Expr, cells: Cells, names: Names) -> Value:
    inputs = _inputs(expr, cells, names)
    return _nothing(expr) if inputs is None else cells[cell_of(expr.args[0], inputs)]


@_operation("a table or column at its arguments", "function expressions", "any")
def _table(expr: Expr, cells: Cells, names: Names) -> Value:
    inputs = _inputs(expr, cells, names)
    return _nothing(expr) if inputs is None else expr.args[0].values.get(inputs, _nothing(expr))


@_operation(
    "the cell of a table of conditions at its keys, with the other arguments filled in",
    "function expressions",
    "any",
    cost="body",
    fixed=False,
)
def _formula(expr: Expr, cells: Cells, names: Names) -> Value:
    function, inputs = expr.args[0], _inputs(expr, cells, names)
    body = None if inputs is None else function.values.get(inputs[: function.keys])
    if inputs is None or body is None:
        return _nothing(expr)
    return evaluate(body, cells, dict(zip(function.variables, inputs)))


@_operation("a defined word at its arguments", "function expressions", "any", cost="body")
def _word(expr: Expr, cells: Cells, names: Names) -> Value:
    function, inputs = expr.args[0], _inputs(expr, cells, names)
    return _nothing(expr) if inputs is None else evaluate(function.body, cells, dict(zip(function.variables, inputs)))


@_operation("what an assignment gives to an element", "variable thing", "any", fixed=False)
def _matched(expr: Expr, cells: Cells, names: Names) -> Value:
    var, element = expr.args
    return names[var][ranks(var.type.atoms)[evaluate(element, cells, names)]]


# --- conditions -------------------------------------------------------------------------------------------------------
@_operation("if, then, else", "truth any any", "any")
def _cond(expr: Expr, cells: Cells, names: Names) -> Value:
    test, yes, no = expr.args
    return evaluate(yes if evaluate(test, cells, names) else no, cells, names)


@_operation("both hold", "truth truth", "truth")
def _and(expr: Expr, cells: Cells, names: Names) -> bool:
    return all(evaluate(side, cells, names) for side in expr.args)


@_operation("either holds", "truth truth", "truth")
def _or(expr: Expr, cells: Cells, names: Names) -> bool:
    return any(evaluate(side, cells, names) for side in expr.args)


@_operation("it does not hold", "truth", "truth")
def _not(expr: Expr, cells: Cells, names: Names) -> bool:
    return not evaluate(expr.args[0], cells, names)


@_operation("two values are the same", "any any", "truth")
def _eq(expr: Expr, cells: Cells, names: Names) -> bool:
    a, b = _values(expr, cells, names)
    return bool(a == b)


@_operation("one number is less than another", "number number", "truth")
def _less(expr: Expr, cells: Cells, names: Names) -> bool:
    a, b = _values(expr, cells, names)
    return bool(a < b)


@_operation("an element is in a set", "any many", "truth")
def _member(expr: Expr, cells: Cells, names: Names) -> bool:
    element, group = _values(expr, cells, names)
    return element in group


@_operation("every element of one set is in another; between lists and piles, as often", "many many", "truth")
def _within(expr: Expr, cells: Cells, names: Names) -> bool:
    part, whole = _values(expr, cells, names)
    if all(side.type.kind != "set" for side in expr.args):
        return Counter(part) <= Counter(whole)
    return all(x in whole for x in part)


# --- quantifiers ------------------------------------------------------------------------------------------------------
@_operation("any element satisfies", "variable many truth", "truth", cost="each")
def _exists(expr: Expr, cells: Cells, names: Names) -> bool:
    return any(holds for _, holds in _each(expr, cells, names))


@_operation("every element satisfies", "variable many truth", "truth", cost="each")
def _every(expr: Expr, cells: Cells, names: Names) -> bool:
    return all(holds for _, holds in _each(expr, cells, names))


@_operation("how many elements satisfy", "variable many truth", "number", cost="each")
def _tally(expr: Expr, cells: Cells, names: Names) -> int:
    return sum(1 for _, holds in _each(expr, cells, names) if holds)


@_operation("the elements that satisfy", "variable many truth", "many", cost="each")
def _filter(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    return tuple(x for x, holds in _each(expr, cells, names) if holds)


def _found(expr: Expr, cells: Cells, names: Names) -> list[Value]:
    """The values for all elements, one after the other; of several for one element, each."""
    rows = [y if expr.args[2].type.many and y is not None else (y,) for _, y in _each(expr, cells, names)]
    return [x for row in rows for x in row if x is not None]


@_operation("the values for all elements", "variable many any", "set", cost="each")
def _image(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    return tuple(sorted(set(_found(expr, cells, names))))


@_operation(
    "the values for all elements, in their order, each as often as it comes", "variable many any", "list", "each"
)
def _images(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    return tuple(_found(expr, cells, names))


def _best(expr: Expr, cells: Cells, names: Names, pick: Callable[..., Value]) -> tuple[Value, ...]:
    found = [(x, y) for x, y in _each(expr, cells, names) if y is not None]
    best = pick((y for _, y in found), default=None)
    return tuple(x for x, y in found if y == best)


@_operation("the elements for which a number is largest", "variable many number", "many", cost="each")
def _highest(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    return _best(expr, cells, names, max)


@_operation("the elements for which a number is smallest", "variable many number", "many", cost="each")
def _lowest(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    return _best(expr, cells, names, min)


@_operation("the elements, and what can be reached from them in one step", "variable many any", "set", cost="each")
def _stride(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    return tuple(sorted({*evaluate(expr.args[1], cells, names), *_found(expr, cells, names)}))


@_operation("the elements, and all that can be reached from them", "variable many any", "set", cost="each")
def _reach(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    var, source, body = expr.args
    reached = evaluate(source, cells, names)
    while True:
        here = Expr("stride", (var, Expr("const", (reached,), source.type), body), expr.type)
        further: tuple[Value, ...] = evaluate(here, cells, names)
        if further == tuple(sorted(set(reached))):
            return further
        reached = further


@_operation("no two have it in common", "variable many any", "truth", cost="each")
def _distinct(expr: Expr, cells: Cells, names: Names) -> bool:
    found = [y for _, y in _each(expr, cells, names)]
    return len(set(found)) == len(found)


@_operation("each element as often as a table says", "variable many number", "list", cost="each")
def _often(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    return tuple(
        x for x, times in _each(expr, cells, names) for _ in range(times or 0)
    )  # what has no number is not there


# --- sets and lists ---------------------------------------------------------------------------------------------------
@_operation("the one element, or nothing", "many", "any")
def _only(expr: Expr, cells: Cells, names: Names) -> Value:
    (group,) = _values(expr, cells, names)
    return group[0] if len(group) == 1 else None


@_operation("how many elements", "many", "number")
def _count(expr: Expr, cells: Cells, names: Names) -> int:
    (group,) = _values(expr, cells, names)
    return len(group)


@_operation("the first of a list", "many", "any")
def _first(expr: Expr, cells: Cells, names: Names) -> Value:
    (row,) = _values(expr, cells, names)
    return row[0] if row else None


@_operation("the last of a list", "many", "any")
def _last(expr: Expr, cells: Cells, names: Names) -> Value:
    (row,) = _values(expr, cells, names)
    return row[-1] if row else None


@_operation("a list the other way round", "many", "many")
def _reversed(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    (row,) = _values(expr, cells, names)
    return tuple(reversed(row))


def _turned(expr: Expr, cells: Cells, names: Names, by: int) -> tuple[Value, ...]:
    row, element = _values(expr, cells, names)
    start = row.index(element) + by if element in row else 0
    return tuple(row[start:] + row[:start])


@_operation("a list that begins with an element", "many any", "many")
def _rotated(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    return _turned(expr, cells, names, 0)


@_operation("a list that begins after an element", "many any", "many")
def _after(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    return _turned(expr, cells, names, 1)


@_operation("a set of values", "expressions", "set")
def _gather(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    found = [there(arg, evaluate(arg, cells, names)) for arg in expr.args[0]]
    return tuple(sorted({x for x in found if x is not None}))


@_operation("two sets together", "many many", "set")
def _join(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    a, b = _values(expr, cells, names)
    return tuple(sorted({*a, *b}))


@_operation("a list and one more", "many any", "list")
def _append(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    row, element = _values(expr, cells, names)
    return (*row, element) if there(expr.args[1], element) is not None else tuple(row)


@_operation("a list and all of another set or list", "many many", "list")
def _extend(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    row, more = _values(expr, cells, names)
    return (*row, *more)


@_operation("two rows as one pile", "many many", "pile")
def _heap(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    a, b = _values(expr, cells, names)
    return tuple(sorted((*a, *b)))


@_operation("a set less some", "many many", "many")
def _without(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    group, gone = _values(expr, cells, names)
    return tuple(x for x in group if x not in gone)


@_operation("a list or pile less one of each", "many many", "many")
def _remove(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    row, gone = _values(expr, cells, names)
    rest = list(row)
    for x in gone:
        if x in rest:
            rest.remove(x)
    return tuple(rest)


# --- numbers ----------------------------------------------------------------------------------------------------------
@_operation("sum", "number number", "number")
def _add(expr: Expr, cells: Cells, names: Names) -> int:
    a, b = _values(expr, cells, names)
    return int(a + b)


@_operation("difference", "number number", "number")
def _sub(expr: Expr, cells: Cells, names: Names) -> int:
    a, b = _values(expr, cells, names)
    return int(a - b)


@_operation("product", "number number", "number")
def _mul(expr: Expr, cells: Cells, names: Names) -> int:
    a, b = _values(expr, cells, names)
    return int(a * b)


@_operation("quotient, rounded down; by nothing it is 0", "number number", "number")
def _div(expr: Expr, cells: Cells, names: Names) -> int:
    a, b = _values(expr, cells, names)
    return int(a // b) if b else int(a * 0)


@_operation("what is left over; by nothing it is all", "number number", "number")
def _rem(expr: Expr, cells: Cells, names: Names) -> int:
    a, b = _values(expr, cells, names)
    return int(a % b) if b else int(a + 0)


@_operation("the numbers from one to another", "number number", "set")
def _range(expr: Expr, cells: Cells, names: Names) -> tuple[Value, ...]:
    least, most = _values(expr, cells, names)
    if most - least >= MAX_RANGE:
        raise OverflowError
    return tuple(range(least, most + 1))


@_operation("sum of many", "many", "number")
def _total(expr: Expr, cells: Cells, names: Names) -> int:
    (row,) = _values(expr, cells, names)
    return sum(row)


@_operation("the largest of many, or nothing", "many", "number")
def _largest(expr: Expr, cells: Cells, names: Names) -> Value:
    (row,) = _values(expr, cells, names)
    return max(row, default=None)


@_operation("the smallest of many, or nothing", "many", "number")
def _smallest(expr: Expr, cells: Cells, names: Names) -> Value:
    (row,) = _values(expr, cells, names)
    return min(row, default=None)


@_operation("at least so many, at most so many", "number number", "amount")
def _amount(expr: Expr, cells: Cells, names: Names) -> tuple[Value, Value]:
    least, most = _values(expr, cells, names)
    if least is None or most is None:
        raise TypeError
    return least, most


# What whoever thinks about positions does not take apart: it has a value as soon as its parts have one.
WHOLE = frozenset(
    "const table matched less within tally filter image images highest lowest stride reach distinct often only count "
    "first last reversed rotated after gather join append extend heap without remove "
    "add sub mul div rem range total largest smallest amount".split()
)
