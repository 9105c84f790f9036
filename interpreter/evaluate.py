"""What a typed expression means, said as plainly as possible: one line an operation.

The compiler's generated program must always agree with this. Here it values what is fixed when a game is loaded;
games themselves run on the compiled form.
"""

from __future__ import annotations

from typing import Any

from .cells import Cells, cell_of, ranks
from .model import Expr, Var


def evaluate(expr: Expr, cells: Cells, names: dict[Var, Any]) -> Any:
    def value(e: Expr) -> Any:
        return evaluate(e, cells, names)

    def under(var: Var, element: Any, body: Expr) -> Any:
        return evaluate(body, cells, {**names, var: element})

    op, args = expr.op, expr.args
    if op == "const":
        return args[0]
    if op == "var":
        return names[args[0].origin]
    if op in ("state", "table", "formula", "word"):
        function, inputs = args[0], tuple(value(a) for a in args[1])
        if None in inputs:
            return False if expr.type.kind == "truth" else None
        if op == "state":
            return cells[cell_of(function, inputs)]
        if op == "table":
            return function.values[inputs]
        inside = dict(zip(function.variables, inputs))
        body = function.body if op == "word" else function.values[inputs[: function.keys]]
        return evaluate(body, cells, inside)
    if op == "matched":
        return names[args[0]][ranks(args[0].type.atoms)[value(args[1])]]
    if op == "cond":
        return value(args[1]) if value(args[0]) else value(args[2])
    if op == "and":
        return bool(value(args[0])) and bool(value(args[1]))
    if op == "or":
        return bool(value(args[0])) or bool(value(args[1]))
    if op == "not":
        return not value(args[0])
    if op == "eq":
        return value(args[0]) == value(args[1])
    if op == "less":
        return value(args[0]) < value(args[1])
    if op == "member":
        return value(args[0]) in value(args[1])
    if op == "within":
        return all(x in value(args[1]) for x in value(args[0]))
    if op == "exists":
        return any(under(args[0], x, args[2]) for x in value(args[1]))
    if op == "every":
        return all(under(args[0], x, args[2]) for x in value(args[1]))
    if op == "tally":
        return sum(1 for x in value(args[1]) if under(args[0], x, args[2]))
    if op == "filter":
        return tuple(x for x in value(args[1]) if under(args[0], x, args[2]))
    if op == "image":
        found = (under(args[0], x, args[2]) for x in value(args[1]))
        return tuple(sorted({y for x in found for y in (x if isinstance(x, tuple) else (x,)) if y is not None}))
    if op == "distinct":
        found = [under(args[0], x, args[2]) for x in value(args[1])]
        return len(set(found)) == len(found)
    if op == "often":
        return tuple(x for x in value(args[1]) for _ in range(under(args[0], x, args[2])))
    if op == "only":
        found = value(args[0])
        return found[0] if len(found) == 1 else None
    if op == "count":
        return len(value(args[0]))
    if op == "first":
        return next(iter(value(args[0])), None)
    if op == "last":
        return next(iter(value(args[0])[::-1]), None)
    if op == "reversed":
        return value(args[0])[::-1]
    if op in ("rotated", "after"):
        row, element = value(args[0]), value(args[1])
        if element not in row:
            return row
        start = row.index(element) + (op == "after")
        return row[start:] + row[:start]
    if op == "gather":
        return tuple(sorted({x for x in map(value, args[0]) if x is not None}))
    if op == "join":
        return tuple(sorted({*value(args[0]), *value(args[1])}))
    if op == "append":
        return value(args[0]) + (value(args[1]),)
    if op == "without":
        gone = value(args[1])
        return tuple(x for x in value(args[0]) if x not in gone)
    if op == "remove":
        row = list(value(args[0]))
        for x in value(args[1]):
            if x in row:
                row.remove(x)
        return tuple(row)
    if op == "add":
        return value(args[0]) + value(args[1])
    if op == "sub":
        return value(args[0]) - value(args[1])
    if op == "mul":
        return value(args[0]) * value(args[1])
    if op == "amount":
        return value(args[0]), value(args[1])
    raise AssertionError(op)


slot_of = cell_of  # TRANSITION


def is_fixed(expr: Expr, bound: frozenset[Var] = frozenset()) -> bool:
    """Does it depend on nothing but these variables?"""
    if expr.op == "var":
        return expr.args[0].origin in bound
    if expr.op in ("state", "formula", "matched"):
        return False
    if expr.op == "word":
        word = expr.args[0]
        if word.body is None or not is_fixed(word.body, frozenset(word.variables)):
            return False
    bound |= {a for a in expr.args if isinstance(a, Var)}
    return all(is_fixed(kid, bound) for kid in expr.kids())
