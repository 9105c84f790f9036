"""Plain expressions (plain.py) -> Python source over the slots `v`. Names never reach it: things are numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .model import Expr, Function, Step, Value, Var
from .plain import Body, Plainer, Style
from .slots import HEADER

__all__ = ["FORMS", "LOOPS", "PYTHON", "SourceBuilder"]

PYTHON = Style(word=150, loop=150)
LOCAL = re.compile(r"\b(?:[nxy]\d+|r)\b")  # the names of values inside a function of the source
SIMPLE = re.compile(r"[\w.]+(\[[\w+\-* ]+\])*\Z")
Env = Mapping[Var, str]

FORMS = {
    "cond": "({1} if {0} else {2})",
    "not": "(not {})",
    "less": "({} < {})",
    "member": "({} in {})",
    "only": "only({})",
    "count": "len({})",
    "first": "first({})",
    "last": "last({})",
    "reversed": "{}[::-1]",
    "rotated": "turned({}, {}, 0)",
    "after": "turned({}, {}, 1)",
    "join": "tuple(sorted({{*{}, *{}}}))",
    "heap": "heap({}, {})",
    "extend": "({} + {})",
    "without": "without({}, {})",
    "remove": "remove({}, {})",
    "add": "({} + {})",
    "sub": "({} - {})",
    "mul": "times({}, {})",
    "div": "quotient({}, {})",
    "rem": "left_over({}, {})",
    "range": "numbers({}, {})",
    "total": "sum({})",
    "largest": "max({}, default=nothing)",
    "smallest": "min({}, default=nothing)",
    "amount": "({}, {})",
    "counted": "tuple(map(Number, {}))",
    "some": "{}",
    "nth": "{}[{}]",
    "needed": "needed({})",
    "alone": "({},)",
    "lacking": "lacking({}, {})",
    "ordered": "tuple(sorted({}))",
    "bounded": "bounded({})",
    "seats": "mask_of({})",
    "both": "({} & {})",
    "either": "({} | {})",
    "but": "({} & ~{})",
}
LOOPS = {
    "tally": "sum([1 for {x} in {source} if {body}])",
    "filter": "tuple([{x} for {x} in {source} if {body}])",
    "image": "gather([{body} for {x} in {source}])",
    "images": "given([{body} for {x} in {source}])",
    "stride": "stride({source}, lambda {x}: {body})",
    "reach": "reach({source}, lambda {x}: {body})",
    "highest": "best([({x}, {body}) for {x} in {source}], max)",
    "lowest": "best([({x}, {body}) for {x} in {source}], min)",
    "distinct": "distinct([{body} for {x} in {source}])",
    "often": "tuple([{x} for {x} in {source} for _ in range(({body}) or 0)])",
}
OF_ROWS = {"image": "gather_all", "images": "each_in_turn"}  # where the body gives several values


class SourceBuilder:
    """Collects the functions and tables that the pieces of source refer to."""

    def __init__(self, atoms: int):
        self.atoms = atoms
        self.functions: list[tuple[list[str], Step | None]] = []  # lines, the step they belong to
        self.step: Step | None = None
        self.tables: dict[str, Any] = {}
        self._known: dict[Any, Any] = {}
        self._kept: list[Any] = []  # so that nothing else gets its id
        self.count = 0
        self.plainer = Plainer(PYTHON)

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

    def code(self, expr: Expr, env: Env) -> str:
        """A typed expression, where variables have these names."""
        return self.of(self.plainer.of(expr, {var: Expr("var", (var,), var.type) for var in env}), env)

    # --- expressions --------------------------------------------------------------------------------------------------
    def of(self, expr: Expr, env: Env) -> str:
        form = FORMS.get(expr.op)
        if form is not None:
            return form.format(*[self.of(arg, env) for arg in expr.args])
        if expr.op in LOOPS:
            return self.loop(expr, env)
        make: Callable[[Expr, Env], str] = getattr(self, "_" + expr.op)
        return make(expr, env)

    def _const(self, expr: Expr, env: Env) -> str:
        return "nothing" if expr.args[0] is None else repr(expr.args[0])  # by a name: Python would warn of a plain None

    def _var(self, expr: Expr, env: Env) -> str:
        return env[expr.args[0]]

    def _slot(self, expr: Expr, env: Env) -> str:
        return f"v[{expr.args[0]}]"

    def _with(self, expr: Expr, env: Env) -> str:
        return self.bound(expr, env, lambda body, names: body)

    def _if_there(self, expr: Expr, env: Env) -> str:
        empty = False if expr.type.kind == "truth" else None
        return self.bound(
            expr, env, lambda body, names: f"({empty} if {' or '.join(f'{n} is None' for n in names)} else {body})"
        )

    def bound(self, expr: Expr, env: Env, form: Callable[[str, list[str]], str]) -> str:
        """A body in which variables have values: in a function of its own, unless these are short."""
        body, variables, values = expr.args
        names, given = [self.of(value, env) for value in values], []
        for i, code in enumerate(names):
            if not SIMPLE.match(code):
                names[i] = self.fresh("x")
                given.append((names[i], code))
        whole = form(self.of(body, {**env, **dict(zip(variables, names))}), names)
        return self.helper("m", env, [f"return {whole}"], given) if given else whole

    def helper(self, prefix: str, env: Env, lines: list[str], given: Sequence[tuple[str, str]] = ()) -> str:
        """A function for `lines`; names of the environment that occur in it are passed along."""
        whole = "\n".join(lines)
        names = {n for c in env.values() for n in ([c] if c.isidentifier() else LOCAL.findall(c))}
        free = sorted(n for n in names if re.search(rf"\b{n}\b", whole))
        key = ("helper", whole, tuple(free), tuple(n for n, _ in given))
        if key not in self._known:
            name = self._known[key] = self.fresh(prefix)
            head = f"def {name}({', '.join(['v', *[n for n, _ in given], *free])}):"
            self.define(name, [head, *("    " + line for line in lines)])
        return f"{self._known[key]}({', '.join(['v', *[code for _, code in given], *free])})"

    # --- functions ----------------------------------------------------------------------------------------------------
    def _cell(self, expr: Expr, env: Env) -> str:
        function, args = expr.args
        return f"v[{self.slot(function, args, env)}]"

    def slot(self, function: Function, args: Sequence[Expr], env: Env) -> str:
        fixed, moving, stride = HEADER + function.base, [], 1
        for param, arg in zip(reversed(function.params), reversed(args)):
            atoms = sorted(param.type.atoms)
            known = arg.op == "const"
            if known and arg.args[0] is None or not known and not atoms:
                moving.append("None")  # which playing will tell
            elif known:
                fixed += atoms.index(arg.args[0]) * stride
            elif atoms == list(range(atoms[0], atoms[0] + len(atoms))):
                fixed -= atoms[0] * stride
                code = self.of(arg, env)
                moving.append(code if stride == 1 else f"{code}*{stride}")
            else:
                moving.append(f"{self.padded({a: i * stride for i, a in enumerate(atoms)})}[{self.of(arg, env)}]")
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

    def _look(self, expr: Expr, env: Env) -> str:
        """Rows in rows."""
        values, params, args = expr.args
        self._kept.append(values)
        return self.table(("rows", id(values)), _nest(values, len(params))) + "".join(
            f"[{self.of(arg, env)}]" for arg in args
        )

    def _call(self, expr: Expr, env: Env) -> str:
        body, args = expr.args
        return f"{self.function(body)}({', '.join(['v', *(self.of(arg, env) for arg in args)])})"

    def function(self, body: Body) -> str:
        key = ("body", id(body))
        if key not in self._known:
            self._kept.append(body)
            name = self._known[key] = self.fresh("w")
            names = {var: self.fresh("x") for var in body.variables}
            head = f"def {name}({', '.join(['v', *names.values()])}):"
            self.define(name, [head, f"    return {self.of(body.expr, names)}"])
        found: str = self._known[key]
        return found

    def _cases(self, expr: Expr, env: Env) -> str:
        cases, keys, args = expr.args
        self._kept.append(cases)
        key = ("cases", id(cases))
        if key not in self._known:
            self.table(key, ("cells", {k: self.function(body) for k, body in cases.bodies.items()}, len(keys)))
        where = ", ".join(self.of(k, env) for k in keys)
        gap = "no" if expr.type.kind == "truth" else "missing"
        found = f"{self._known[key]}[{where}]" if cases.complete else f"{self._known[key]}.get(({where}), {gap})"
        return f"{found}({', '.join(['v', *(self.of(arg, env) for arg in args)])})"

    # --- conditions ---------------------------------------------------------------------------------------------------
    def _and(self, expr: Expr, env: Env) -> str:
        return "(" + f" {expr.op} ".join(self.of(arg, env) for arg in expr.args) + ")"

    _or = _and

    def _eq(self, expr: Expr, env: Env) -> str:
        a, b = (self.of(x, env) for x in expr.args)
        if "nothing" in (a, b):
            return f"({b if a == 'nothing' else a} is None)"
        return f"({a} == {b})"

    def _within(self, expr: Expr, env: Env) -> str:
        rows = all(side.type.kind != "set" for side in expr.args)
        a, b = (self.of(x, env) for x in expr.args)
        return f"as_often({a}, {b})" if rows else f"within({a}, {b})"

    # --- quantifiers --------------------------------------------------------------------------------------------------
    def _exists(self, expr: Expr, env: Env) -> str:
        var, source, body = expr.args
        name, found = self.fresh("x"), expr.op == "exists"
        test = self.of(body, {**env, var: name})
        lines = [f"for {name} in {self.of(source, env)}:", f"    if {test if found else f'not {test}'}:"]
        return self.helper("q", env, [*lines, f"        return {found}", f"return {not found}"])

    _every = _exists

    def loop(self, expr: Expr, env: Env) -> str:
        var, source, body = expr.args
        name, form = self.fresh("x"), LOOPS[expr.op]
        if body.type.many and expr.op in OF_ROWS:
            form = OF_ROWS[expr.op] + form[form.index("(") :]
        return form.format(x=name, source=self.of(source, env), body=self.of(body, {**env, var: name}))

    # --- rows ---------------------------------------------------------------------------------------------------------
    def _gather(self, expr: Expr, env: Env) -> str:
        codes = [self.of(arg, env) for arg in expr.args[0]]
        if len(codes) == 1 and not expr.args[0][0].type.maybe:
            return f"({codes[0]},)"
        return f"gather([{', '.join(codes)}])"

    def _append(self, expr: Expr, env: Env) -> str:
        row, element = (self.of(arg, env) for arg in expr.args)
        return f"append({row}, {element})" if expr.args[1].type.maybe else f"({row} + ({element},))"

    # --- what only a program has: see flat.VALUES ---------------------------------------------------------------------
    def _chosen(self, expr: Expr, env: Env) -> str:
        index, counts = expr.args
        if not counts:
            return f"c[{index}]"
        return f"tuple(map(int, c[{index}]))" if expr.type.many else f"+c[{index}]"  # plain numbers again

    def _drawn(self, expr: Expr, env: Env) -> str:
        return "+c[0]" if expr.args[0] else "c[0]"

    def _taken(self, expr: Expr, env: Env) -> str:
        row, gone, below = expr.args
        return f"taken({self.of(row, env)}, {self.of(gone, env)}, {below})"


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
