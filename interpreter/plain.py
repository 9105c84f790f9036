"""Typed expressions -> plain ones, which the emitters (source.py, crows.py) write down as they are.

Here, once for all of them, is decided what is known before anybody plays, where something may be nothing and has to be
looked at, which words become tables, which are put where they stand and which become functions, and which loops over
fixed sets are written out. What comes of it is said in flat.VALUES. The meaning stays that of evaluate.py; what is a
mistake there stays one, even where its value is not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from .bounds import Bounds
from .evaluate import MISTAKES, evaluate, is_fixed, settled_value
from .model import NUMBER, TRUTH, Expr, Function, Type, Value, Var
from .operations import GROWING, may_grow
from .risks import Risks
from .slots import HEADER

__all__ = ["GONE", "Body", "Cases", "Names", "Plainer", "Style", "is_nothing"]

GONE = {"state", "table", "word", "formula", "matched"}  # operations that plain expressions do not have
SURE = frozenset("add sub mul div rem total tally count not eq less member nth chosen drawn needed".split())
UNROLL = 24  # elements of a set for each of which something is written by itself
TABLED = 512  # cells of a word that becomes a table
LONG = 600  # cases up to which it is tried to write something out
SETTLED = 5_000  # cases of what is valued before the game
Names = Mapping[Var, Expr]


@dataclass(frozen=True, slots=True)
class Style:
    """How much is written out: what is quick differs from language to language."""

    word: int  # parts of the body of a word that is put where it stands
    loop: int  # parts of a loop over a fixed set that is written out


@dataclass(slots=True, eq=False)
class Body:
    """A function of its own: for a word, with the arguments that are known put in."""

    variables: tuple[Var, ...]
    expr: Expr


@dataclass(slots=True, eq=False)
class Cases:
    """Which body holds for which keys; for all others there is nothing, unless those are all that can be."""

    bodies: dict[tuple[int, ...], Body]
    complete: bool


def is_nothing(expr: Expr) -> bool:
    return expr.op == "const" and expr.args[0] is None


def constant(value: Value, kind: Type) -> Expr:
    return Expr("const", (value,), kind.or_nothing() if value is None else kind.definite())


def nothing_of(kind: Type) -> Expr:
    """What a function gives for nothing."""
    return constant(False if kind.kind == "truth" else None, kind)


def is_long(expr: Expr, most: int) -> bool:
    stack = [expr]
    while stack and most >= 0:
        stack += stack.pop().kids()
        most -= 1
    return bool(stack)


def narrowed(expr: Expr, maybe: bool) -> Expr:
    """The same where it is known that it is there."""
    return expr if maybe or not expr.type.maybe else Expr(expr.op, expr.args, expr.type.definite())


class Plainer:
    def __init__(self, style: Style, seats: Sequence[int] = ()):
        self.style = style
        self.masks = {seat: 1 << number for number, seat in enumerate(seats)}
        self.bounds, self.risks = Bounds(), Risks()
        self._known: dict[Any, Any] = {}
        self._kept: list[Any] = []  # so that nothing else gets its id

    def remembered(self, kind: str, what: Any, rest: Any, make: Callable[[], Any]) -> Any:
        key = (kind, id(what), rest)
        if key not in self._known:
            self._kept.append(what)
            self._known[key] = make()
        return self._known[key]

    def of(self, expr: Expr, names: Names) -> Expr:
        if expr.op == "const":
            return constant(expr.args[0], expr.type)
        settled: tuple[Value] | None = self.remembered("settled", expr, None, lambda: self._settled(expr))
        if settled is not None:
            return constant(settled[0], expr.type)
        make: Callable[[Expr, Names], Expr] = getattr(self, "_" + expr.op, self.plainly)
        return make(expr, names)

    def _settled(self, expr: Expr) -> tuple[Value] | None:
        if not is_fixed(expr) or self.bounds.of(expr)[1] > SETTLED:
            return None
        return settled_value(expr)

    def plainly(self, expr: Expr, names: Names) -> Expr:
        """The same with plain arguments; what it is worth, if they are known."""
        args = tuple(
            self.of(a, names)
            if isinstance(a, Expr)
            else tuple(self.of(x, names) if isinstance(x, Expr) else x for x in a)
            if isinstance(a, tuple)
            else a
            for a in expr.args
        )
        plain = Expr(expr.op, args, expr.type)
        settled = settled_value(plain) if all(kid.op == "const" for kid in plain.kids()) else None
        if settled is not None:
            return constant(settled[0], expr.type)
        return Expr("bounded", (plain,), expr.type) if expr.op in GROWING and may_grow(expr.type) else plain

    # --- names --------------------------------------------------------------------------------------------------------
    def _var(self, expr: Expr, names: Names) -> Expr:
        var: Var = expr.args[0].origin
        if var in names:
            return narrowed(names[var], expr.type.maybe)
        op, what = ("slot", HEADER + var.slot) if var.slot >= 0 else ("var", var)
        return narrowed(Expr(op, (what,), var.type), expr.type.maybe)

    def _matched(self, expr: Expr, names: Names) -> Expr:
        var, arg = expr.args
        key = tuple(sorted(var.type.atoms))
        places = self._known.setdefault(("places", key), {(a,): i for i, a in enumerate(key)})
        row = self._var(Expr("var", (var,), var.type), names)
        return Expr("nth", (row, self.look(places, (var.type,), [self.of(arg, names)], NUMBER)), expr.type)

    def placed(self, body: Expr, variables: Sequence[Var], values: Sequence[Expr]) -> Expr:
        """A typed body in which variables have these plain values."""
        names: dict[Var, Expr] = {}
        bound: list[tuple[Var, Expr]] = []
        for var, value in zip(variables, values):
            kind = var.type.or_nothing(value.type.maybe)
            if value.op == "const" or value.op == "var" and value.type.kind == kind.kind:
                names[var] = Expr(value.op, value.args, kind if value.op == "var" else value.type)
            else:
                inner = Var("", kind)
                names[var] = Expr("var", (inner,), kind)
                bound.append((inner, value))
        found = self.of(body, names)
        if found.op == "const":
            return self.after_all(found, values)
        if not bound:
            return found
        return Expr("with", (found, tuple(v for v, _ in bound), tuple(x for _, x in bound)), found.type)

    def after_all(self, found: Expr, unused: Sequence[Expr]) -> Expr:
        """A value that is known without others, of which some might be mistakes."""
        risky = tuple(filter(self.risks.can_be_mistaken, unused))
        if not risky:
            return found
        return Expr("with", (found, tuple(Var("", x.type.or_nothing()) for x in risky), risky), found.type)

    def _with(self, expr: Expr, names: Names) -> Expr:
        body, variables, values = expr.args
        inner = {**names, **{v: self.of(x, names) for v, x in zip(variables, values)}}
        return self.of(body, inner)  # only names and constants are ever given

    # --- what must be there -------------------------------------------------------------------------------------------
    def needed(self, plain: Expr) -> Expr:
        """Where its type does not say that it may be nothing, it must not be."""
        if plain.op in SURE or plain.op == "const" and not is_nothing(plain):
            return plain
        return Expr("needed", (plain,), plain.type.definite())

    def _needed(self, expr: Expr, names: Names) -> Expr:
        return self.needed(self.of(expr.args[0], names))

    def _gather(self, expr: Expr, names: Names) -> Expr:
        return self.plainly(Expr("gather", (tuple(map(self.definite, expr.args[0])),), expr.type), names)

    def _append(self, expr: Expr, names: Names) -> Expr:
        row, element = expr.args
        return self.plainly(Expr("append", (row, self.definite(element)), expr.type), names)

    def _amount(self, expr: Expr, names: Names) -> Expr:
        args = tuple(Expr("needed", (arg,), arg.type) for arg in expr.args)
        return self.plainly(Expr("amount", args, expr.type), names)

    @staticmethod
    def definite(expr: Expr) -> Expr:
        return expr if expr.type.maybe or expr.op == "const" else Expr("needed", (expr,), expr.type)

    # --- functions ----------------------------------------------------------------------------------------------------
    def guarded(self, expr: Expr, names: Names, apply: Callable[[list[Expr]], Expr]) -> Expr:
        """Nothing as an argument gives nothing (or no); otherwise apply(arguments)."""
        args = [self.of(a, names) for a in expr.args[1]]
        if any(map(is_nothing, args)):
            return self.after_all(nothing_of(expr.type), args)
        doubtful: list[tuple[Var, Expr]] = []
        for i, arg in enumerate(args):
            if arg.type.maybe:
                var = Var("", arg.type.definite())
                doubtful.append((var, arg))
                args[i] = Expr("var", (var,), var.type)
        found = apply(args)
        if not doubtful:
            return found
        kind = expr.type.or_nothing(expr.type.kind != "truth")
        return Expr("if_there", (found, tuple(v for v, _ in doubtful), tuple(x for _, x in doubtful)), kind)

    def _state(self, expr: Expr, names: Names) -> Expr:
        function = expr.args[0]
        return self.guarded(
            expr, names, lambda args: narrowed(Expr("cell", (function, tuple(args)), function.result), expr.type.maybe)
        )

    def _table(self, expr: Expr, names: Names) -> Expr:
        function = expr.args[0]
        params = tuple(p.type for p in function.params)
        return self.guarded(expr, names, lambda args: self.look(function.values, params, args, expr.type))

    def look(self, values: dict[tuple[int, ...], Value], params: Sequence[Type], args: list[Expr], kind: Type) -> Expr:
        """A cell of a table; a smaller one, where some of the arguments are known."""
        for i in reversed(range(len(args))):
            if args[i].op == "const" and not is_nothing(args[i]):
                values = self._fewer(values, i, args[i].args[0])
                params, args = [*params[:i], *params[i + 1 :]], [*args[:i], *args[i + 1 :]]
        if not args:
            found = values.get(())
            return nothing_of(kind) if found is None else constant(found, kind)
        size = prod(len(p.atoms) for p in params)
        full = self.remembered("full", values, size, lambda: len(values) >= size and None not in values.values())
        return Expr("look", (values, tuple(params), tuple(args)), kind.definite() if full else kind)

    def _fewer(self, values: dict[tuple[int, ...], Value], place: int, atom: int) -> dict[tuple[int, ...], Value]:
        def fewer() -> dict[tuple[int, ...], Value]:
            return {(*k[:place], *k[place + 1 :]): v for k, v in values.items() if k[place] == atom}

        found: dict[tuple[int, ...], Value] = self.remembered("fewer", values, (place, atom), fewer)
        return found

    def _word(self, expr: Expr, names: Names) -> Expr:
        function = expr.args[0]
        values = self.tabled(function)
        params = tuple(p.type for p in function.params)

        def apply(args: list[Expr]) -> Expr:
            if values is not None:
                return self.look(values, params, args, expr.type)
            found = self.called(function.body, function.variables, args)
            if found.op == "const":
                return found
            return Expr(found.op, found.args, found.type.or_nothing(expr.type.maybe))

        return self.guarded(expr, names, apply)

    def tabled(self, function: Function) -> dict[tuple[int, ...], Value] | None:
        """The values of a word that depends on nothing but its arguments: it becomes a table."""

        def values() -> dict[tuple[int, ...], Value] | None:
            size = prod(len(p.type.atoms) if p.type.kind == "thing" else TABLED + 1 for p in function.params)
            body = function.body
            if not function.params or size > TABLED or not body or not is_fixed(body, frozenset(function.variables)):
                return None
            rows = product(*(sorted(p.type.atoms) for p in function.params))
            try:
                return {row: evaluate(body, (), dict(zip(function.variables, row))) for row in rows}
            except MISTAKES:
                return None  # which playing will tell, if it comes to that

        found: dict[tuple[int, ...], Value] | None = self.remembered("tabled", function, None, values)
        return found

    def called(self, body: Expr, variables: Sequence[Var], args: Sequence[Expr]) -> Expr:
        """A body with its arguments put in place, if that is short; else a function of its own."""
        if self.bounds.of(body)[1] <= LONG:
            inline = self.placed(body, variables, args)
            if not is_long(inline, self.style.word):
                return inline
        return Expr("call", (self.body(body, variables, args), tuple(a for a in args if a.op != "const")), body.type)

    def body(self, body: Expr, variables: Sequence[Var], args: Sequence[Expr]) -> Body:
        """A function of those arguments that are not known."""
        given = {var: arg for var, arg in zip(variables, args) if arg.op == "const"}
        rest = tuple(v for v in variables if v not in given)
        known = tuple(given[v].args[0] if v in given else ... for v in variables)
        found: Body = self.remembered("body", body, known, lambda: Body(rest, self.of(body, given)))
        return found

    def _formula(self, expr: Expr, names: Names) -> Expr:
        function = expr.args[0]
        variables = function.variables[function.keys :]
        own = [Expr("var", (v,), v.type) for v in variables]

        def cases(known: tuple[Value, ...]) -> Cases:
            given = [i for i, key in enumerate(known) if key is not ...]
            free = [i for i, key in enumerate(known) if key is ...]
            bodies = {
                tuple(key[i] for i in free): self.body(body, variables, own)
                for key, body in function.values.items()
                if all(key[i] == known[i] for i in given)
            }
            return Cases(bodies, len(bodies) >= prod(len(function.params[i].type.atoms) for i in free))

        def apply(args: list[Expr]) -> Expr:
            keys, rest = args[: function.keys], args[function.keys :]
            known = tuple(key.args[0] if key.op == "const" else ... for key in keys)
            if ... in known:
                found = self.remembered("cases", function, known, lambda: cases(known))
                return Expr("cases", (found, tuple(k for k in keys if k.op != "const"), tuple(rest)), expr.type)
            body = function.values.get(known)
            if body is None:
                return self.after_all(nothing_of(function.result), rest)
            return self.called(body, variables, rest)

        return self.guarded(expr, names, apply)

    # --- conditions ---------------------------------------------------------------------------------------------------
    def _cond(self, expr: Expr, names: Names) -> Expr:
        test = self.of(expr.args[0], names)
        if test.op == "const":
            return self.of(expr.args[1 if test.args[0] else 2], names)
        return Expr("cond", (test, *(self.of(branch, names) for branch in expr.args[1:])), expr.type)

    def _and(self, expr: Expr, names: Names) -> Expr:
        return self.joined(expr.op, [self.of(a, names) for a in expr.args])

    _or = _and

    def joined(self, op: str, sides: list[Expr]) -> Expr:
        rest: list[Expr] = []
        for side in sides:
            if side.op != "const":
                rest += side.args if side.op == op else [side]
            elif bool(side.args[0]) == (op == "or"):
                while rest and not self.risks.can_be_mistaken(rest[-1]):
                    rest.pop()
                rest.append(constant(op == "or", TRUTH))
                break
        return constant(op == "and", TRUTH) if not rest else rest[0] if len(rest) == 1 else Expr(op, tuple(rest), TRUTH)

    def _member(self, expr: Expr, names: Names) -> Expr:
        found = self.plainly(expr, names)
        empty = found.op == "member" and found.args[1].op == "const" and found.args[1].args[0] == ()
        return self.after_all(constant(False, TRUTH), found.args[:1]) if empty else found

    # --- quantifiers --------------------------------------------------------------------------------------------------
    def spread(self, expr: Expr, names: Names) -> list[tuple[Value, Expr]] | None:
        """For each element of a small fixed set, the body."""
        var, source, body = expr.args
        group = self.of(source, names)
        if group.op != "const" or group.args[0] is None or len(group.args[0]) > UNROLL:
            return None
        if self.bounds.of(expr)[1] > LONG:
            return None
        return [(x, self.of(body, {**names, var: constant(x, var.type)})) for x in group.args[0]]

    def _exists(self, expr: Expr, names: Names) -> Expr:
        spread = self.spread(expr, names)
        if spread is not None:
            found = self.joined("or" if expr.op == "exists" else "and", [body for _, body in spread])
            if not is_long(found, self.style.loop):
                return found
        return self.plainly(expr, names)

    _every = _exists

    def _image(self, expr: Expr, names: Names) -> Expr:
        var, source, body = expr.args
        group = self.of(source, names)
        if group.op == "const" and group.args[0] and len(group.args[0]) == 1:
            if body.type.kind == "set" and not body.type.maybe:
                return self.of(body, {**names, var: constant(group.args[0][0], var.type)})
        return self.plainly(expr, names)

    def _count(self, expr: Expr, names: Names) -> Expr:
        """Those that come through are counted, not gathered."""
        (source,) = expr.args
        return self.plainly(Expr("tally", source.args, expr.type) if source.op == "filter" else expr, names)

    def _often(self, expr: Expr, names: Names) -> Expr:
        spread = self.spread(expr, names)
        if spread is not None and all(times.op == "const" for _, times in spread):
            row = tuple(x for x, times in spread for _ in range(times.args[0] or 0))
            return constant(row, expr.type)
        return self.plainly(expr, names)

    # --- rows ---------------------------------------------------------------------------------------------------------
    def _rotated(self, expr: Expr, names: Names) -> Expr:
        row, element = (self.of(a, names) for a in expr.args)
        if row.op == "const" and row.args[0] and element.op != "const" and expr.type.kind == "list":
            order, by = row.args[0], int(expr.op == "after")
            if not element.type.maybe and len(set(order)) == len(order) and element.type.atoms <= set(order):
                key = ("turns", order, by, tuple(sorted(element.type.atoms)))
                places = {x: i + by for i, x in enumerate(order)}
                turns = {(x,): order[places[x] :] + order[: places[x]] for x in key[3]}
                return self.look(self._known.setdefault(key, turns), (element.type,), [element], expr.type)
        return self.plainly(expr, names)

    _after = _rotated

    # --- what only a program has --------------------------------------------------------------------------------------
    def _some(self, expr: Expr, names: Names) -> Expr:
        row = self.of(expr.args[0], names)
        if row.op == "const" and row.args[0] is not None:
            return constant(bool(row.args[0]), TRUTH)
        return Expr("some", (row,), TRUTH)

    def _seat(self, expr: Expr, names: Names) -> Expr:
        who = self.of(expr.args[0], names)
        if who.op != "const" or expr.op == "seats" and is_nothing(who):
            return Expr(expr.op, (who,), NUMBER)
        seats = set(who.args[0]) if expr.op == "seats" else {who.args[0]}
        return constant(sum(self.masks.get(seat, 0) for seat in seats), NUMBER)

    _seats = _seat
