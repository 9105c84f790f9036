"""Typed expressions -> C: functions and conditions; crows.py has the others. Names never reach the source: things are
numbers, variables are slots or numbered locals.

Each operation becomes a few lines that leave their value in a local name. What may be nothing is looked at where it is
used: there Python raises an error, and here the machine gives up (see machine.c), so that Python does it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .cwriting import C, Code, CWriter, Env, NotNative, c_number
from .evaluate import is_fixed, settled_value
from .model import Expr, Function, Type, Value, Var
from .slots import HEADER
from .source import K

__all__ = ["FEW", "CFunctions", "is_plain"]

FEW = 200  # cases up to which something is written out where all that it needs is known
SHORT = 8  # cases of a word that is written where it stands


class CFunctions(CWriter):
    def value(self, expr: Expr, env: Env | None = None, rep: str | None = None, kind: Type | None = None) -> str:
        """An expression as text; its lines are written before."""
        return self.text(self.of(expr, env or {}), kind or expr.type, rep)

    def test(self, expr: Expr, env: Env | None = None) -> str:
        return self.holds(self.of(expr, env or {}))

    # --- expressions --------------------------------------------------------------------------------------------------
    def of(self, expr: Expr, env: Env) -> Code:
        if expr.op == "const":
            return K(expr.args[0])
        key = ("fixed", id(expr))
        if key not in self._known:
            self._kept.append(expr)
            self._known[key] = settled_value(expr) if expr.op != "formula" and is_fixed(expr) else None
        settled: tuple[Value] | None = self._known[key]
        if settled is not None:
            return K(settled[0])
        make: Callable[[Expr, Env], Code] = getattr(self, "_" + expr.op)
        return make(expr, env)

    def _const(self, expr: Expr, env: Env) -> Code:
        return K(expr.args[0])

    def place(self, var: Var) -> str:
        return f"v[{HEADER + var.slot}]"

    def _var(self, expr: Expr, env: Env) -> Code:
        var: Var = expr.args[0].origin
        if var in env:
            return env[var]
        return self.let(self.place(var), var.type, self.rep(var.type))

    def _matched(self, expr: Expr, env: Env) -> Code:
        var, arg = expr.args
        row = self.of(Expr("var", (var,), var.type), env)
        atoms = sorted(var.type.atoms)
        where = self.index(self.of(arg, env), atoms)
        found = self.let(f"need(m, {self.text(row, var.type)})", var.type, "r", True)
        return self.let(f"at(m, {found.text}, {where})", expr.type, self.rep(expr.type))

    def index(self, code: Code, atoms: Sequence[int]) -> str:
        """The place of a thing in a sorted row of things."""
        if isinstance(code, K):
            return str(atoms.index(code.value)) if code.value in atoms else "need(m, NOTHING)"
        if not atoms:
            return "need(m, NOTHING)"
        text = self.needed(code, code.text)
        if list(atoms) == list(range(atoms[0], atoms[0] + len(atoms))):
            return f"{text} - {atoms[0]}" if atoms[0] else text
        places = {a: i for i, a in enumerate(atoms)}
        row = [places.get(a, 0) for a in range(atoms[0], atoms[-1] + 1)]
        return f"{self.table(('index', tuple(atoms)), row)}[{text} - {atoms[0]}]"

    def offset(self, params: Sequence[Type], codes: Sequence[Code]) -> str:
        """The place of arguments in a table with a cell for each row of them."""
        found, stride = [], 1
        for kind, code in zip(reversed(params), reversed(codes)):
            atoms = sorted(kind.atoms)
            place = self.index(code, atoms)
            found.append(place if stride == 1 else f"({place}) * {stride}")
            stride *= len(atoms)
        return " + ".join(reversed(found)) or "0"

    def cell(self, function: Function, codes: Sequence[Code]) -> str:
        where = self.offset([p.type for p in function.params], codes)
        return f"v[{HEADER + function.base}" + (f" + {where}]" if codes else "]")

    def guarded(self, expr: Expr, env: Env, apply: Callable[[list[Code]], Code]) -> Code:
        """Nothing as an argument gives nothing (or no); otherwise apply(codes)."""
        codes = [self.of(a, env) for a in expr.args[1]]
        empty = False if expr.type.kind == "truth" else None
        if any(isinstance(c, K) and c.value is None for c in codes):
            return K(empty)
        rep = self.rep(expr.type)
        tests = [
            f"{c.text} == NOTHING"
            for a, c in zip(expr.args[1], codes)
            if isinstance(c, C) and not c.sure and self.fold.doubtful(a)
        ]
        if not tests:
            return apply(codes)
        name = self.fresh("x")
        self.put(f"{self.kind(rep)} {name} = {self.literal(empty, expr.type, rep)};")
        with self.inside(f"if (!({' || '.join(tests)}))"):
            found = apply(codes)
            self.put(f"{name} = {self.text(found, expr.type, rep)};")
        return C(name, expr.type, rep)

    def _state(self, expr: Expr, env: Env) -> Code:
        function = expr.args[0]
        rep = self.rep(function.result)
        return self.guarded(expr, env, lambda codes: self.let(self.cell(function, codes), function.result, rep))

    def _table(self, expr: Expr, env: Env) -> Code:
        function = expr.args[0]

        def apply(codes: list[Code]) -> Code:
            if all(isinstance(c, K) for c in codes):
                return K(function.values.get(tuple(c.value for c in codes if isinstance(c, K))))
            return self.looked_up(function.values, [p.type for p in function.params], codes, expr.type)

        return self.guarded(expr, env, apply)

    def looked_up(
        self, values: dict[tuple[int, ...], Value], params: list[Type], codes: list[Code], kind: Type
    ) -> Code:
        rep = self.rep(kind)
        key = ("cells", id(values), rep)
        if key not in self._known:
            self._kept.append(values)
            rows: list[tuple[int, ...]] = [()]
            name = self.fresh("T")
            for param in params:
                rows = [(*row, atom) for row in rows for atom in sorted(param.atoms)]
            cells = ", ".join(self.literal(values.get(row), kind, rep).removeprefix("(Amount)") for row in rows)
            self.tables.append(f"static const {self.kind(rep)} {name}[] = {{{cells or '0'}}};")
            self._known[key] = name
        return self.let(f"{self._known[key]}[{self.offset(params, codes)}]", kind, rep)

    def _word(self, expr: Expr, env: Env) -> Code:
        function = expr.args[0]
        values = self.fold.tabled(function)

        def apply(codes: list[Code]) -> Code:
            if values is None:
                return self.called(function.body, function.variables, codes)
            if all(isinstance(c, K) for c in codes):
                return K(values[tuple(c.value for c in codes if isinstance(c, K))])
            return self.looked_up(values, [p.type for p in function.params], codes, expr.type)

        return self.guarded(expr, env, apply)

    def called(self, body: Expr, variables: Sequence[Var], codes: Sequence[Code]) -> Code:
        """A function of its own for a body; one for each row of arguments that are known."""
        if self.fold.bounds.of(body)[1] <= SHORT:
            return self.of(body, dict(zip(variables, map(self.kept_as, codes, [v.type for v in variables]))))
        if any(isinstance(c, K) for c in codes) and self.fold.bounds.of(body)[1] <= FEW:
            with self.apart(self.depth) as lines:
                found = self.of(body, dict(zip(variables, map(self.kept_as, codes, [v.type for v in variables]))))
            if len(lines) <= SHORT and is_plain(lines):
                self.lines += lines
                return found
        known = tuple(c.value if isinstance(c, K) else ... for c in codes)
        rep = self.rep(body.type)
        key = ("body", id(body), known)
        if key not in self._known:
            self._kept.append(body)
            name = self._known[key] = self.fresh("w")
            env: Env = {}
            heads = []
            for var, code in zip(variables, codes):
                if isinstance(code, K):
                    env[var] = code
                    continue
                inner = self.fresh("x")
                env[var] = C(inner, var.type, self.rep(var.type))
                heads.append(f"{self.kind(self.rep(var.type))} {inner}")
            head = f"static {self.kind(rep)} {name}({', '.join(['Machine *m, const i64 *v', *heads])})"
            with self.apart() as lines:
                self.put(f"return {self.value(body, env)};")
            self.heads.append(head + ";")
            self.functions.append([head + " {", *lines, "}"])
        args = [self.text(c, v.type) for c, v in zip(codes, variables) if not isinstance(c, K)]
        return self.let(f"{self._known[key]}({', '.join(['m', 'v', *args])})", body.type, rep)

    def _formula(self, expr: Expr, env: Env) -> Code:
        function = expr.args[0]
        variables = function.variables[function.keys :]
        empty = False if function.result.kind == "truth" else None
        rep = self.rep(expr.type)

        def apply(codes: list[Code]) -> Code:
            keys, rest = codes[: function.keys], codes[function.keys :]
            if all(isinstance(c, K) for c in keys):
                body = function.values.get(tuple(c.value for c in keys if isinstance(c, K)))
                return K(empty) if body is None else self.called(body, variables, rest)
            name = self.fresh("x")
            size = 1
            for param in function.params[: function.keys]:
                size *= len(param.type.atoms)
            self.put(f"{self.kind(rep)} {name} = {self.literal(empty, expr.type, rep)};")
            joint = "else "
            for number, (key, body) in enumerate(function.values.items()):
                tests = [f"{c.text} == {k}" if isinstance(c, C) else str(int(c.value == k)) for c, k in zip(keys, key)]
                with self.inside(f"{joint if number else ''}if ({' && '.join(tests)})"):
                    self.put(f"{name} = {self.text(self.called(body, variables, rest), expr.type, rep)};")
            if len(function.values) >= size:
                self.put(f"{joint if function.values else ''}trouble(m);")
            return C(name, expr.type, rep)

        return self.guarded(expr, env, apply)

    # --- conditions ---------------------------------------------------------------------------------------------------
    def _cond(self, expr: Expr, env: Env) -> Code:
        test = self.of(expr.args[0], env)
        if isinstance(test, K):
            return self.of(expr.args[1 if test.value else 2], env)
        rep, name = self.rep(expr.type), self.fresh("x")
        self.put(f"{self.kind(rep)} {name};")
        for head, branch in ((f"if {self.holds(test)}", expr.args[1]), ("else", expr.args[2])):
            with self.inside(head):
                self.put(f"{name} = {self.value(branch, env, rep, expr.type)};")
        return C(name, expr.type, rep)

    def _and(self, expr: Expr, env: Env) -> Code:
        return self.joint(expr.args, env, True)

    def _or(self, expr: Expr, env: Env) -> Code:
        return self.joint(expr.args, env, False)

    def joint(self, sides: Sequence[Expr], env: Env, every: bool) -> Code:
        """One after the other, as far as needed."""
        first = self.of(sides[0], env)
        if isinstance(first, K):
            return K(not every) if bool(first.value) != every else self.of(sides[1], env)
        with self.apart(self.depth + 1) as lines:
            second = self.holds(self.of(sides[1], env))
        if not lines:
            return self.let(f"{self.holds(first)} {'&&' if every else '||'} {second}", sides[0].type, "i", True)
        name = self.fresh("x")
        self.put(f"i64 {name} = {int(not every)};")
        self.put(f"if ({'' if every else '!'}{self.holds(first)}) {{")
        self.lines += lines
        self.put(f"    {name} = {second};")
        self.put("}")
        return C(name, sides[0].type, "i", True)

    def _not(self, expr: Expr, env: Env) -> Code:
        return self.let(f"!{self.test(expr.args[0], env)}", expr.type, "i", True)

    def _eq(self, expr: Expr, env: Env) -> Code:
        one, two = expr.args
        a, b = self.of(one, env), self.of(two, env)
        reps = {c.rep for c in (a, b) if isinstance(c, C)}
        rep = "r" if "r" in reps else reps.pop() if reps else "r" if one.type.many else "i"
        if rep == "a":
            raise NotNative("amounts compared")
        if rep == "m":  # things of two universes are never the same
            known = {self.universe(x.type.of) for x in (one, two)} - {0}
            if len(known) > 1:
                rep = "r"
        texts = [self._atom_or(c, x, rep, other.type) for c, x, other in ((a, one, two), (b, two, one))]
        return self.let(f"{texts[0]} == {texts[1]}", expr.type, "i", True)

    def _atom_or(self, code: Code, expr: Expr, rep: str, other: Type) -> str:
        if isinstance(code, K) and rep == "m":
            atoms = code.value or ()
            universe = self.universe(other.of)
            if any(self.universe_of[x] != universe for x in atoms):
                return c_number(-2)  # no mask of the other
        return self.text(code, expr.type, rep)

    def _less(self, expr: Expr, env: Env) -> Code:
        a, b = (self.let(self.number(x, env), x.type, "i", True).text for x in expr.args)
        return self.let(f"{a} < {b}", expr.type, "i", True)

    def number(self, expr: Expr, env: Env) -> str:
        code = self.of(expr, env)
        return self.needed(code, self.text(code, expr.type))

    def _member(self, expr: Expr, env: Env) -> Code:
        what, group = expr.args
        row = self.of(group, env)
        if isinstance(row, K) and row.value == ():
            return K(False)
        element = self.of(what, env)
        if isinstance(element, K) and element.value is None:
            return K(False)
        rep = row.rep if isinstance(row, C) else self.rep(group.type)
        if rep == "r":
            inner = self.text(element, what.type, "r" if what.type.many else "i")
            return self.let(f"has(m, {self.text(row, group.type, 'r')}, {inner})", expr.type, "i", True)
        if isinstance(element, C) and self.universe(element.type) != self.universe(group.type.of):
            return self.let(
                f"({self.text(row, group.type, 'm')} == NOTHING ? (trouble(m), 0) : 0)", expr.type, "i", True
            )
        if isinstance(element, K) and self.universe_of[element.value] != self.universe(group.type.of):
            return K(False)
        if isinstance(row, K) and row.value is None:
            return self.let("need(m, NOTHING)", expr.type, "i")
        mask = (
            self.needed(row, self.text(row, group.type, "m")) if isinstance(row, C) else self.text(row, group.type, "m")
        )
        kept = self.let(mask, group.type, "m", True)
        if isinstance(element, C) and not element.sure:
            sure = C(element.text, element.type, "i", True)
            return self.let(
                f"{element.text} != NOTHING && ({kept.text} & {self.bit(sure, what.type)}) != 0", expr.type, "i", True
            )
        return self.let(f"({kept.text} & {self.bit(element, what.type)}) != 0", expr.type, "i", True)

    def _within(self, expr: Expr, env: Env) -> Code:
        a, b = (self.of(x, env) for x in expr.args)
        if all(side.type.kind != "set" for side in expr.args):
            texts = [self.text(c, x.type, "r") for c, x in zip((a, b), expr.args)]
            return self.let(f"as_often(m, {', '.join(texts)})", expr.type, "i", True)
        if self.both_masks(expr.args):
            x, y = (
                self.let(self.needed(c, self.text(c, e.type, "m")), e.type, "m").text for c, e in zip((a, b), expr.args)
            )
            return self.let(f"!({x} & ~{y})", expr.type, "i", True)
        texts = [self.text(c, x.type, "r") for c, x in zip((a, b), expr.args)]
        return self.let(f"within(m, {', '.join(texts)})", expr.type, "i", True)

    def both_masks(self, sides: Sequence[Expr]) -> bool:
        """Are they masks of the same universe?"""
        if any(self.rep(x.type) != "m" for x in sides):
            return False
        return len({self.universe(x.type.of) for x in sides} - {0}) <= 1


def is_plain(lines: list[str]) -> bool:
    """Nothing but comparisons and looks into slots: no calls, no branches, nothing that could go wrong."""
    return not any("(m," in line or "{" in line for line in lines)
