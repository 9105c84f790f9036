"""Typed expressions -> Python source. Names never reach the source: things are numbers, variables are slots.

An expression becomes either a known value (K) or a piece of source over the slots `v`. Small quantifiers over fixed
sets are written out, words are put in place where that is short, larger ones become functions with early exits. The
meaning is that of evaluate.py; tests compare the two on random games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, TypeGuard

from .bounds import Bounds
from .evaluate import MISTAKES, evaluate, is_fixed, settled_value
from .model import Expr, Function, Step, Value, Var
from .slots import HEADER

UNROLL = 24
TABLED = 512
LONG = 600
LOCAL = re.compile(r"\b(?:[nxy]\d+|r)\b")  # the names of values inside a function of the source
SIMPLE = re.compile(r"[\w.]+(\[[\w+\-* ]+\])*\Z")


class K:
    """A value known when the program is made."""

    __slots__ = ("value",)

    def __init__(self, value: Value):
        self.value = value


Code = K | str  # a known value, or a piece of source
Env = Mapping[Var, Code]


def all_known(codes: Sequence[Code]) -> TypeGuard[Sequence[K]]:
    return all(isinstance(c, K) for c in codes)


def text(code: Code) -> str:
    if isinstance(code, K):
        return "nothing" if code.value is None else repr(code.value)  # by a name: Python would warn of a plain None
    return code


class SourceBuilder:
    """Collects the functions and tables that the pieces of source refer to."""

    def __init__(self, atoms: int):
        self.atoms = atoms
        self.functions: list[tuple[list[str], Step | None]] = []  # lines, the step they belong to
        self.step: Step | None = None
        self.tables: dict[str, Any] = {}
        self._known: dict[Any, Any] = {}
        self.count = 0
        self.bounds = Bounds()

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def table(self, key: Any, value: Any) -> str:
        if key not in self._known:
            self._known[key] = self.fresh("T")
            self.tables[self._known[key]] = value
        name: str = self._known[key]
        return name

    def define(self, name: str, lines: list[str]) -> None:
        self.functions.append((lines, self.step))

    # --- expressions --------------------------------------------------------------------------------------------------
    def of(self, expr: Expr, env: Env) -> Code:
        make: Callable[[Expr, Env], Code] = getattr(self, "_" + expr.op)
        return make(expr, env)

    def code(self, expr: Expr, env: Env) -> str:
        return text(self.of(expr, env))

    def _const(self, expr: Expr, env: Env) -> Code:
        return K(expr.args[0])

    def _var(self, expr: Expr, env: Env) -> Code:
        var = expr.args[0].origin
        return env[var] if var in env else f"v[{HEADER + var.slot}]"

    def _matched(self, expr: Expr, env: Env) -> Code:
        var, arg = expr.args
        row = env[var] if var in env else f"v[{HEADER + var.slot}]"
        places = {a: i for i, a in enumerate(sorted(var.type.atoms))}
        where = self.of(arg, env)
        index = places[where.value] if isinstance(where, K) else f"{self.padded(places)}[{where}]"
        return f"{text(row)}[{index}]"

    # --- functions ----------------------------------------------------------------------------------------------------
    def _arguments(self, expr: Expr, env: Env) -> list[Code]:
        return [self.of(a, env) for a in expr.args[1]]

    def guarded(self, expr: Expr, env: Env, apply: Callable[[list[Code]], Code]) -> Code:
        """Nothing as an argument gives nothing (or no); otherwise apply(codes)."""
        codes = self._arguments(expr, env)
        empty = False if expr.type.kind == "truth" else None
        if any(isinstance(c, K) and c.value is None for c in codes):
            return K(empty)
        doubtful = [i for i, a in enumerate(expr.args[1]) if self.doubtful(a) and not isinstance(codes[i], K)]
        if not doubtful:
            return apply(codes)
        inner, outside = list(codes), []
        for i in doubtful:
            name = inner[i] = self.fresh("x")
            outside.append((name, codes[i]))
        body = text(apply(inner))
        test = " or ".join(f"{name} is None" for name, _ in outside)
        return self.helper("m", env, [f"return {empty!r} if {test} else {body}"], outside)

    def doubtful(self, expr: Expr) -> bool:
        """May it be nothing? (A word that became a table has shown whether it ever is.)"""
        if expr.type.maybe and expr.op == "word":
            values = self.tabled(expr.args[0])
            if values is not None and None not in values.values():
                return any(self.doubtful(a) for a in expr.args[1])
        return expr.type.maybe

    def helper(self, prefix: str, env: Env, lines: list[str], given: Sequence[tuple[str, Code]] = ()) -> str:
        """A function for `lines`; python names of the environment that occur in it are passed along."""
        whole = "\n".join(lines)
        codes = [c for c in env.values() if isinstance(c, str)]
        names = {n for c in codes for n in ([c] if c.isidentifier() else LOCAL.findall(c))}
        free = sorted(n for n in names if re.search(rf"\b{n}\b", whole))
        key = ("helper", whole, tuple(free), tuple(n for n, _ in given))
        if key not in self._known:
            self._known[key] = self.fresh(prefix)
            self.define(
                self._known[key],
                [
                    f"def {self._known[key]}({', '.join(['v', *[n for n, _ in given], *free])}):",
                    *("    " + line for line in lines),
                ],
            )
        return f"{self._known[key]}({', '.join(['v', *[text(c) for _, c in given], *free])})"

    def _state(self, expr: Expr, env: Env) -> Code:
        function = expr.args[0]
        return self.guarded(expr, env, lambda codes: f"v[{self.slot(function, codes)}]")

    def slot(self, function: Function, codes: list[Code]) -> str:
        fixed, moving, stride = HEADER + function.base, [], 1
        for param, code in zip(reversed(function.params), reversed(codes)):
            atoms = sorted(param.type.atoms)
            if isinstance(code, K) and code.value is None:
                moving.append("None")  # which playing will tell
            elif isinstance(code, K):
                fixed += atoms.index(code.value) * stride
            elif not atoms:
                moving.append("None")  # there is nothing that it could be
            elif atoms == list(range(atoms[0], atoms[0] + len(atoms))):
                fixed -= atoms[0] * stride
                moving.append(code if stride == 1 else f"{code}*{stride}")
            else:
                moving.append(f"{self.padded({a: i * stride for i, a in enumerate(atoms)})}[{code}]")
            stride *= len(atoms)
        if not moving:
            return str(fixed)
        sign = f"+{fixed}" if fixed > 0 else f"-{-fixed}" if fixed < 0 else ""
        return "+".join(moving) + sign

    def padded(self, values: dict[int, Any]) -> str:
        """A list with a place for every atom, so that looking up needs no sum."""
        row = [None] * (max(values, default=0) + 1)
        for atom, value in values.items():
            row[atom] = value
        return self.table(("padded", tuple(row)), row)

    def _table(self, expr: Expr, env: Env) -> Code:
        function = expr.args[0]

        def apply(codes: list[Code]) -> Code:
            if all_known(codes):
                return K(function.values.get(tuple(c.value for c in codes)))
            if not codes:
                return K(function.values[()])
            return self.nested(function.values, codes)

        return self.guarded(expr, env, apply)

    def nested(self, values: dict[tuple[int, ...], Value], codes: list[Code]) -> str:
        """Rows in rows, looked up by the arguments that are not yet known."""
        if isinstance(codes[0], K):
            key = ("rest", id(values), codes[0].value)
            if key not in self._known:
                rest = {k[1:]: v for k, v in values.items() if k[0] == codes[0].value}
                self._known[key] = rest, values  # kept, so that no other table gets its id
            return self.nested(self._known[key][0], codes[1:])
        whole = ("nested", id(values))
        if whole not in self._known:
            self._known[whole] = self.table(("rows", id(values)), _nest(values, len(codes))), values
        name: str = self._known[whole][0]
        return name + "".join(f"[{text(c)}]" for c in codes)

    def _word(self, expr: Expr, env: Env) -> Code:
        function = expr.args[0]
        values = self.tabled(function)

        def apply(codes: list[Code]) -> Code:
            if values is None:
                return self.placed(function, function.body, function.variables, codes)
            if all_known(codes):
                return K(values[tuple(c.value for c in codes)])
            return self.nested(values, codes)

        return self.guarded(expr, env, apply)

    def tabled(self, function: Function) -> dict[tuple[int, ...], Value] | None:
        """The values of a word that depends on nothing but its arguments: it becomes a table."""
        key = ("tabled", id(function))
        if key not in self._known:
            size = 1
            for param in function.params:
                size *= len(param.type.atoms) if param.type.kind == "thing" else TABLED + 1
            self._known[key], body = None, function.body
            if function.params and size <= TABLED and body and is_fixed(body, frozenset(function.variables)):
                combinations = product(*(sorted(p.type.atoms) for p in function.params))
                try:
                    self._known[key] = {c: evaluate(body, (), dict(zip(function.variables, c))) for c in combinations}
                except MISTAKES:
                    pass  # which playing will tell, if it comes to that
        found: dict[tuple[int, ...], Value] | None = self._known[key]
        return found

    def placed(self, function: Function, body: Expr, variables: list[Var], codes: list[Code]) -> Code:
        """A body with its arguments put in place, if that is short; else a function of its own."""
        if all(isinstance(c, K) or SIMPLE.match(c) for c in codes) and self.bounds.of(body)[1] <= LONG:
            inline = self.of(body, dict(zip(variables, codes)))
            if isinstance(inline, K) or len(inline) <= LONG:
                return inline if isinstance(inline, K) else f"({inline})"
        key = ("body", id(body))
        if key not in self._known:
            name = self._known[key] = self.fresh("w")
            names = [self.fresh("x") for _ in variables]
            self.define(
                name,
                [
                    f"def {name}({', '.join(['v', *names])}):",
                    f"    return {self.code(body, dict(zip(variables, names)))}",
                ],
            )
        return f"{self._known[key]}({', '.join(['v', *map(text, codes)])})"

    def _formula(self, expr: Expr, env: Env) -> Code:
        function = expr.args[0]
        variables = function.variables[function.keys :]
        empty = False if function.result.kind == "truth" else None

        def apply(codes: list[Code]) -> Code:
            keys, rest = codes[: function.keys], codes[function.keys :]
            if all_known(keys):
                body = function.values.get(tuple(c.value for c in keys))
                return K(empty) if body is None else self.placed(function, body, variables, rest)
            cells: dict[tuple[int, ...], str] = {}
            for key, body in function.values.items():
                names = [self.fresh("x") for _ in variables]
                cell = self.fresh("c")
                self.define(
                    cell,
                    [
                        f"def {cell}({', '.join(['v', *names])}):",
                        f"    return {self.code(body, dict(zip(variables, names)))}",
                    ],
                )
                cells[key] = cell
            name = self.table(("formula", id(function)), ("cells", cells, function.keys))
            found = f"{name}[{', '.join(map(text, keys))}]"
            if len(cells) < prod(len(p.type.atoms) for p in function.params[: function.keys]):
                found = f"{name}.get(({', '.join(map(text, keys))}), {'no' if empty is False else 'missing'})"
            return f"{found}({', '.join(['v', *map(text, rest)])})"

        return self.guarded(expr, env, apply)

    # --- conditions ---------------------------------------------------------------------------------------------------
    def _cond(self, expr: Expr, env: Env) -> Code:
        test = self.of(expr.args[0], env)
        if isinstance(test, K):
            return self.of(expr.args[1 if test.value else 2], env)
        return f"({self.code(expr.args[1], env)} if {test} else {self.code(expr.args[2], env)})"

    def _and(self, expr: Expr, env: Env) -> Code:
        return self.joined("and", [self.of(a, env) for a in expr.args])

    def _or(self, expr: Expr, env: Env) -> Code:
        return self.joined("or", [self.of(a, env) for a in expr.args])

    @staticmethod
    def joined(word: str, codes: list[Code]) -> Code:
        stop = word == "or"
        rest = []
        for code in codes:
            if isinstance(code, K):
                if bool(code.value) == stop:
                    return K(stop)
                continue
            rest.append(code)
        return K(not stop) if not rest else rest[0] if len(rest) == 1 else "(" + f" {word} ".join(rest) + ")"

    def _not(self, expr: Expr, env: Env) -> Code:
        code = self.of(expr.args[0], env)
        return K(not code.value) if isinstance(code, K) else f"(not {code})"

    def _eq(self, expr: Expr, env: Env) -> Code:
        a, b = (self.of(x, env) for x in expr.args)
        if isinstance(a, K) and isinstance(b, K):
            return K(a.value == b.value)
        if any(isinstance(x, K) and x.value is None for x in (a, b)):
            return f"({text(b if isinstance(a, K) else a)} is None)"
        return f"({text(a)} == {text(b)})"

    def _less(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "({} < {})")

    def _member(self, expr: Expr, env: Env) -> Code:
        group = self.of(expr.args[1], env)
        if isinstance(group, K) and group.value == ():
            return K(False)
        return self.fold(expr, env, "({} in {})")

    def _within(self, expr: Expr, env: Env) -> Code:
        rows = all(side.type.kind != "set" for side in expr.args)
        return self.fold(expr, env, "as_often({}, {})" if rows else "within({}, {})")

    # --- quantifiers --------------------------------------------------------------------------------------------------
    def unrolled(self, expr: Expr, env: Env, word: str) -> Code | None:
        var, source, body = expr.args
        group = self.of(source, env)
        if not isinstance(group, K) or group.value is None:
            return None
        if len(group.value) > UNROLL or self.bounds.of(expr)[1] > LONG:
            return None
        code = self.joined(word, [self.of(body, {**env, var: K(x)}) for x in group.value])
        return code if isinstance(code, K) or len(code) <= LONG else None

    def loop(self, expr: Expr, env: Env, hit: str, end: str) -> str:
        var, source, body = expr.args
        name = self.fresh("x")
        inner = {**env, var: name}
        test = self.code(body, inner)
        source_code = self.code(source, env)
        return self.helper(
            "q",
            env,
            [
                f"for {name} in {source_code}:",
                f"    if {hit.format(test=test)}:",
                f"        return {end == 'False'}",
                f"return {end}",
            ],
        )

    def _exists(self, expr: Expr, env: Env) -> Code:
        short = self.unrolled(expr, env, "or")
        return short if short is not None else self.loop(expr, env, "{test}", "False")

    def _every(self, expr: Expr, env: Env) -> Code:
        short = self.unrolled(expr, env, "and")
        return short if short is not None else self.loop(expr, env, "not {test}", "True")

    def comprehension(self, expr: Expr, env: Env, form: str) -> str:
        """form: what is made of {x} in {source} with the body as {body}."""
        var, source, body = expr.args
        name = self.fresh("x")
        return form.format(x=name, source=self.code(source, env), body=self.code(body, {**env, var: name}))

    def _tally(self, expr: Expr, env: Env) -> Code:
        return self.comprehension(expr, env, "sum([1 for {x} in {source} if {body}])")

    def _filter(self, expr: Expr, env: Env) -> Code:
        return "tuple(" + self.comprehension(expr, env, "[{x} for {x} in {source} if {body}]") + ")"

    def _image(self, expr: Expr, env: Env) -> Code:
        var, source, body = expr.args
        many = "gather_all" if body.type.many else "gather"
        group = self.of(source, env)
        if isinstance(group, K) and group.value and len(group.value) == 1 and body.type.many and not body.type.maybe:
            return self.of(body, {**env, var: K(group.value[0])})
        return f"{many}(" + self.comprehension(expr, env, "[{body} for {x} in {source}]") + ")"

    def _images(self, expr: Expr, env: Env) -> Code:
        many = "each_in_turn" if expr.args[2].type.many else "given"
        return f"{many}(" + self.comprehension(expr, env, "[{body} for {x} in {source}]") + ")"

    def _stride(self, expr: Expr, env: Env) -> Code:
        return self.comprehension(expr, env, "stride({source}, lambda {x}: {body})")

    def _reach(self, expr: Expr, env: Env) -> Code:
        return self.comprehension(expr, env, "reach({source}, lambda {x}: {body})")

    def _highest(self, expr: Expr, env: Env) -> Code:
        return "best(" + self.comprehension(expr, env, "[({x}, {body}) for {x} in {source}]") + ", max)"

    def _lowest(self, expr: Expr, env: Env) -> Code:
        return "best(" + self.comprehension(expr, env, "[({x}, {body}) for {x} in {source}]") + ", min)"

    def _distinct(self, expr: Expr, env: Env) -> Code:
        return "distinct(" + self.comprehension(expr, env, "[{body} for {x} in {source}]") + ")"

    def _often(self, expr: Expr, env: Env) -> Code:
        var, source, body = expr.args
        group = self.of(source, env)
        if isinstance(group, K) and group.value is not None:
            counts = [self.of(body, {**env, var: K(x)}) for x in group.value]
            if all_known(counts):
                return K(tuple(x for x, c in zip(group.value, counts) for _ in range(c.value or 0)))
        return "tuple(" + self.comprehension(expr, env, "[{x} for {x} in {source} for _ in range(({body}) or 0)]") + ")"

    # --- values -------------------------------------------------------------------------------------------------------
    def fold(self, expr: Expr, env: Env, form: str) -> Code:
        codes = [self.of(a, env) for a in expr.args]
        if all_known(codes):
            plain = [Expr("const", (c.value,), a.type) for c, a in zip(codes, expr.args)]
            known = settled_value(Expr(expr.op, tuple(plain), expr.type))
            if known is not None:
                return K(known[0])
        return form.format(*map(text, codes))

    def _only(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "only({})")

    def _count(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "len({})")

    def _first(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "first({})")

    def _last(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "last({})")

    def _reversed(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "{}[::-1]")

    def _rotated(self, expr: Expr, env: Env) -> Code:
        return self.turned(expr, env, 0)

    def _after(self, expr: Expr, env: Env) -> Code:
        return self.turned(expr, env, 1)

    def turned(self, expr: Expr, env: Env, by: int) -> Code:
        row, element = (self.of(a, env) for a in expr.args)
        if isinstance(row, K) and row.value and not isinstance(element, K) and len(set(row.value)) == len(row.value):
            n = len(row.value)
            turns = {x: (row.value * 2)[i + by : i + by + n] for i, x in enumerate(row.value)}
            if not expr.args[1].type.maybe and expr.args[1].type.atoms <= set(turns):
                return f"{self.padded(turns)}[{element}]"
        return self.fold(expr, env, "turned({}, {}, " + f"{by})")

    def _gather(self, expr: Expr, env: Env) -> Code:
        codes = [self.of(a, env) for a in expr.args[0]]
        if all_known(codes):
            return K(tuple(sorted({c.value for c in codes if c.value is not None})))
        if len(codes) == 1 and not expr.args[0][0].type.maybe:
            return f"({text(codes[0])},)"
        return f"gather([{', '.join(map(text, codes))}])"

    def _join(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "gather({} + {})")

    def _heap(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "heap({}, {})")

    def _append(self, expr: Expr, env: Env) -> Code:
        if expr.args[1].type.maybe:
            return self.fold(expr, env, "append({}, {})")
        return self.fold(expr, env, "({} + ({},))")

    def _extend(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "({} + {})")

    def _without(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "without({}, {})")

    def _remove(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "remove({}, {})")

    def _add(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "({} + {})")

    def _sub(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "({} - {})")

    def _mul(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "times({}, {})")

    def _div(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "quotient({}, {})")

    def _rem(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "left_over({}, {})")

    def _range(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "numbers({}, {})")

    def _total(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "sum({})")

    def _largest(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "max({}, default=nothing)")

    def _smallest(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "min({}, default=nothing)")

    def _amount(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "({}, {})")


def _nest(values: dict[tuple[int, ...], Value], depth: int) -> Any:
    if depth == 0:
        return values[()]
    groups: dict[int, dict[tuple[int, ...], Value]] = {}
    for key, value in values.items():
        groups.setdefault(key[0], {})[key[1:]] = value
    row = [None] * (max(groups, default=0) + 1)
    for atom, rest in groups.items():
        row[atom] = _nest(rest, depth - 1)
    return row
