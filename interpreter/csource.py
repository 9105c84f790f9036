"""Typed expressions -> C. Names never reach the source: things are numbers, variables are slots or numbered locals.

Each operation becomes a few lines that leave their value in a local name. What may be nothing is looked at where it is
used: there Python raises an error, and here the machine gives up (see machine.c), so that Python does it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from .cwriting import C, Code, CWriter, Env, NotNative, c_number
from .evaluate import is_fixed, settled_value
from .model import EMPTY, Expr, Function, Type, Value, Var
from .slots import HEADER
from .source import UNROLL, K

__all__ = ["CSource"]

SPREAD = 1_000  # cases up to which it is tried to write a loop over a fixed set out
LINES = 100  # that may come of it
FEW = 200  # the same where that is not looked at
SHORT = 8  # cases of a word that is written where it stands


class CSource(CWriter):
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
            if len(lines) <= SHORT and _is_plain(lines):
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

    # --- quantifiers --------------------------------------------------------------------------------------------------
    @contextmanager
    def over(self, expr: Expr, env: Env) -> Iterator[tuple[C, Env]]:
        """A loop over the elements that a variable stands for."""
        var, source, _ = expr.args
        with self.each(self.of(source, env), source.type) as element:
            yield element, {**env, var: element}

    def spread(self, expr: Expr, env: Env, most: int = SPREAD) -> list[K] | None:
        """The elements of a small fixed set, for each of which the body is written by itself."""
        group = self.of(expr.args[1], env)
        if not isinstance(group, K) or group.value is None or len(group.value) > UNROLL:
            return None
        return [K(x) for x in group.value] if self.fold.bounds.of(expr)[1] <= most else None

    def found(self, expr: Expr, env: Env, stop: bool) -> Code:
        name = self.fresh("x")
        self.put(f"i64 {name} = {int(not stop)};")
        elements = self.spread(expr, env)
        if elements is not None:
            with self.apart(self.depth) as lines:
                tests = [self.test(expr.args[2], {**env, expr.args[0]: element}) for element in elements]
            if tests and len(lines) <= LINES and _is_plain(lines):  # quicker than to guess which of them decides
                self.lines += lines
                self.put(f"{name} = {(' | ' if stop else ' & ').join(tests)};")
                return C(name, expr.type, "i", True)
            with self.apart(self.depth) as lines:
                with self.inside("for (;;)"):
                    for element in elements:
                        test = self.test(expr.args[2], {**env, expr.args[0]: element})
                        self.put(f"if ({'' if stop else '!'}{test}) {{ {name} = {int(stop)}; break; }}")
                    self.put("break;")
            if len(lines) <= LINES:
                self.lines += lines
                return C(name, expr.type, "i", True)
        with self.over(expr, env) as (_, inner):
            test = self.test(expr.args[2], inner)
            self.put(f"if ({'' if stop else '!'}{test}) {{ {name} = {int(stop)}; break; }}")
        return C(name, expr.type, "i", True)

    def _exists(self, expr: Expr, env: Env) -> Code:
        return self.found(expr, env, True)

    def _every(self, expr: Expr, env: Env) -> Code:
        return self.found(expr, env, False)

    def _tally(self, expr: Expr, env: Env) -> Code:
        name = self.fresh("x")
        self.put(f"i64 {name} = 0;")
        elements = self.spread(expr, env, FEW)
        if elements is not None:
            for element in elements:
                self.put(f"{name} += {self.test(expr.args[2], {**env, expr.args[0]: element})};")
            return C(name, expr.type, "i", True)
        with self.over(expr, env) as (_, inner):
            self.put(f"{name} += {self.test(expr.args[2], inner)};")
        return C(name, expr.type, "i", True)

    @contextmanager
    def gathered(self, kind: Type, how: str = "closed") -> Iterator[tuple[Callable[[Code, Type], None], list[C]]]:
        """A new row of this type: what is given to the function that this yields is put into it."""
        result: list[C] = []
        rep, name = self.rep(kind), self.fresh("x")
        if rep == "m":
            self.put(f"i64 {name} = 0;")

            def add(code: Code, of: Type) -> None:
                self.put(f"{name} |= {self.bit(code, of)};")

            yield add, result
        else:
            mark = self.fresh("k")
            self.put(f"const size_t {mark} = m->top;")

            def add(code: Code, of: Type) -> None:
                self.put(f"push(m, {self.text(code, of, self.inner(of))});")

            yield add, result
            self.put(f"const i64 {name} = {how}(m, {mark});")
        result.append(C(name, kind, rep, True))

    def _filter(self, expr: Expr, env: Env) -> Code:
        elements = self.spread(expr, env, FEW) if self.rep(expr.type) == "m" else None
        if elements is not None:
            name, atoms = self.fresh("x"), self.universes[self.universe(expr.args[1].type.of)]
            self.put(f"i64 {name} = 0;")
            for one in elements:
                test = self.test(expr.args[2], {**env, expr.args[0]: one})
                self.put(f"{name} |= (i64){test} << {atoms.index(one.value)};")
            return C(name, expr.type, "m", True)
        with self.gathered(expr.type) as (add, result):
            with self.over(expr, env) as (element, inner):
                with self.inside(f"if {self.test(expr.args[2], inner)}"):
                    add(element, expr.args[1].type.of or EMPTY)
        return result[0]

    def values_of(self, expr: Expr, env: Env, add: Callable[[Code, Type], None]) -> None:
        """What there is for all elements, one after the other; of several for one element, each."""
        body = expr.args[2]
        with self.over(expr, env) as (_, inner):
            self.add_all(self.of(body, inner), body.type, add)

    def add_all(self, code: Code, kind: Type, add: Callable[[Code, Type], None]) -> None:
        if isinstance(code, K):
            row = code.value if kind.many and code.value is not None else (code.value,)
            for value in row:
                if value is not None:
                    add(K(value), (kind.of or EMPTY) if kind.many else kind)
            return
        sure = C(code.text, code.type, code.rep, True)
        with self.inside(f"if ({code.text} != NOTHING)"):
            if not kind.many:
                add(sure, kind)
            else:
                with self.each(sure, kind) as element:
                    with self.inside(f"if ({element.text} != NOTHING)"):
                        add(C(element.text, element.type, element.rep, True), kind.of or EMPTY)

    def _image(self, expr: Expr, env: Env) -> Code:
        with self.gathered(expr.type, "closed_set") as (add, result):
            self.values_of(expr, env, add)
        return result[0]

    def _images(self, expr: Expr, env: Env) -> Code:
        with self.gathered(expr.type) as (add, result):
            self.values_of(expr, env, add)
        return result[0]

    def _stride(self, expr: Expr, env: Env) -> Code:
        source = expr.args[1]
        with self.gathered(expr.type, "closed_set") as (add, result):
            self.add_all(self.of(source, env), source.type, add)
            self.values_of(expr, env, add)
        return result[0]

    def _reach(self, expr: Expr, env: Env) -> Code:
        var, source, body = expr.args
        start = self.of(source, env)
        if self.rep(expr.type) == "m":
            name, done, rest = self.fresh("x"), self.fresh("m"), self.fresh("m")
            self.put(f"i64 {name} = {self.needed(start, self.text(start, source.type, 'm'))}, {done} = 0;")
            with self.inside(f"for (i64 {rest}; ({rest} = {name} & ~{done}) != 0;)"):
                lowest = self.let(
                    f"{self.atoms_of(self.universe(expr.type.of))}[LOWEST({rest})]", expr.type.of or EMPTY, "i", True
                )
                self.put(f"{done} |= {rest} & -{rest};")
                self.add_all(
                    self.of(body, {**env, var: lowest}),
                    body.type,
                    lambda code, of: self.put(f"{name} |= {self.bit(code, of)};"),
                )
            return C(name, expr.type, "m", True)
        mark, index, new = self.fresh("k"), self.fresh("k"), self.fresh("n")

        def add(code: Code, of: Type) -> None:
            inner = self.text(code, of, "r" if of.many else "i")
            with self.inside(""):
                self.put(f"const i64 {new} = {inner};")
                self.put(f"size_t k = {mark};")
                self.put(f"while (k < m->top && m->stack[k] != {new}) k++;")
                self.put(f"if (k == m->top) push(m, {new});")

        self.put(f"const size_t {mark} = m->top;")
        self.add_all(start, source.type, add)
        with self.inside(f"for (size_t {index} = {mark}; {index} < m->top; {index}++)"):
            element = source.type.of or EMPTY
            here = self.let(f"m->stack[{index}]", element, "r" if element.many else "i", True)
            self.add_all(self.of(body, {**env, var: here}), body.type, add)
        return self.let(f"closed_set(m, {mark})", expr.type, "r", True)

    def _highest(self, expr: Expr, env: Env) -> Code:
        return self.best(expr, env, 1)

    def _lowest(self, expr: Expr, env: Env) -> Code:
        return self.best(expr, env, -1)

    def best(self, expr: Expr, env: Env, sign: int) -> Code:
        mark = self.fresh("k")
        self.put(f"const size_t {mark} = m->top;")
        with self.over(expr, env) as (element, inner):
            number = self.value(expr.args[2], inner)
            self.put(f"push(m, {element.text});")
            self.put(f"push(m, {number});")
        self.put(f"best_of(m, {mark}, {sign});")
        row = self.let(f"closed(m, {mark})", expr.type, "r", True)
        return row if self.rep(expr.type) == "r" else self.let(self.text(row, expr.type, "m"), expr.type, "m", True)

    def _distinct(self, expr: Expr, env: Env) -> Code:
        body, mark = expr.args[2], self.fresh("k")
        self.put(f"const size_t {mark} = m->top;")
        with self.over(expr, env) as (_, inner):
            self.put(f"push(m, {self.value(body, inner)});")
        return self.let(f"all_different(m, {mark})", expr.type, "i", True)

    def _often(self, expr: Expr, env: Env) -> Code:
        with self.gathered(expr.type) as (add, result):
            with self.over(expr, env) as (element, inner):
                times, left = self.value(expr.args[2], inner), self.fresh("n")
                with self.inside(f"for (i64 {left} = {times}; {left} > 0; {left}--)"):
                    add(element, expr.args[1].type.of or EMPTY)
        return result[0]

    # --- sets and lists -----------------------------------------------------------------------------------------------
    def one_of(self, expr: Expr, env: Env, of_mask: str, of_row: str) -> Code:
        (source,) = expr.args
        code = self.of(source, env)
        rep = code.rep if isinstance(code, C) else self.rep(source.type)
        if rep == "m" and not (isinstance(code, K) and code.value is None):
            mask = self.let(self.needed(code, self.text(code, source.type, "m")), source.type, "m", True).text
            atoms = self.atoms_of(self.universe(source.type.of))
            return self.let(of_mask.format(x=mask, atoms=atoms), expr.type, "i")
        kind = source.type.of or EMPTY
        found = self.let(
            f"{of_row}(m, {self.text(code, source.type, 'r')})",
            expr.type,
            self.inner(kind),
        )
        wanted = self.rep(expr.type)
        return found if found.rep == wanted else self.let(self.text(found, expr.type, wanted), expr.type, wanted)

    def _only(self, expr: Expr, env: Env) -> Code:
        return self.one_of(expr, env, "({x} && !({x} & ({x} - 1))) ? lowest_of({x}, {atoms}) : NOTHING", "only")

    def _first(self, expr: Expr, env: Env) -> Code:
        return self.one_of(expr, env, "lowest_of({x}, {atoms})", "first")

    def _last(self, expr: Expr, env: Env) -> Code:
        return self.one_of(expr, env, "highest_of({x}, {atoms})", "last")

    def _count(self, expr: Expr, env: Env) -> Code:
        (source,) = expr.args
        return self.let(self.size(self.of(source, env), source.type), expr.type, "i", True)

    def size(self, code: Code, kind: Type) -> str:
        rep = code.rep if isinstance(code, C) else self.rep(kind)
        text = self.text(code, kind, rep)
        return f"COUNT_OF({self.needed(code, text)})" if rep == "m" else f"length(m, {text})"

    def nth(self, code: C, kind: Type, index: str) -> C:
        """The element of a row at a place where there is one."""
        element = kind.of or EMPTY
        if code.rep == "m":
            atoms = self.atoms_of(self.universe(kind.of))
            return self.let(f"{atoms}[nth_of((u64){code.text}, {index})]", element, "i", True)
        return self.let(f"at(m, {code.text}, {index})", element, self.inner(element))

    def rows_of(self, expr: Expr, env: Env, form: str) -> Code:
        """An operation on rows, whatever its arguments are kept as."""
        texts = [self.text(self.of(x, env), x.type, "r" if x.type.many else "i") for x in expr.args]
        return self.as_wanted(self.let(form.format(*texts), expr.type, "r", True), expr.type)

    def as_wanted(self, row: C, kind: Type) -> Code:
        return row if self.rep(kind) == "r" else self.let(self.text(row, kind, "m"), kind, "m", True)

    def masks_of(self, expr: Expr, env: Env, form: str) -> Code | None:
        """The same on masks, where both sides and what comes of them are."""
        if self.rep(expr.type) != "m" or not self.both_masks(expr.args):
            return None
        codes = [self.of(x, env) for x in expr.args]
        texts = [self.needed(c, self.text(c, x.type, "m")) for c, x in zip(codes, expr.args)]
        return self.let(form.format(*texts), expr.type, "m", True)

    def _reversed(self, expr: Expr, env: Env) -> Code:
        return self.rows_of(expr, env, "backwards(m, {})")

    def _rotated(self, expr: Expr, env: Env) -> Code:
        return self.turned(expr, env, 0)

    def _after(self, expr: Expr, env: Env) -> Code:
        return self.turned(expr, env, 1)

    def turned(self, expr: Expr, env: Env, by: int) -> Code:
        if self.rep(expr.type) != "r":
            raise NotNative("a set that begins somewhere")
        row, element = expr.args
        texts = [self.value(row, env, "r"), self.value(element, env, "r" if element.type.many else "i")]
        return self.let(f"turned(m, {', '.join(texts)}, {by})", expr.type, "r", True)

    def _gather(self, expr: Expr, env: Env) -> Code:
        with self.gathered(expr.type, "closed_set") as (add, result):
            for arg in expr.args[0]:
                code = self.of(arg, env)
                if isinstance(code, C):
                    with self.inside(f"if ({code.text} != NOTHING)"):
                        add(C(code.text, code.type, code.rep, True), arg.type)
                elif code.value is not None:
                    add(code, arg.type)
        return result[0]

    def _join(self, expr: Expr, env: Env) -> Code:
        return self.masks_of(expr, env, "{} | {}") or self.rows_of(expr, env, "joined(m, {}, {})")

    def _heap(self, expr: Expr, env: Env) -> Code:
        return self.rows_of(expr, env, "heaped(m, {}, {})")

    def _append(self, expr: Expr, env: Env) -> Code:
        row, element = expr.args
        texts = [self.value(row, env, "r"), self.value(element, env, self.inner(element.type))]
        if element.type.maybe:
            return self.let(
                f"{texts[1]} == NOTHING ? need(m, {texts[0]}) : appended(m, {texts[0]}, {texts[1]})",
                expr.type,
                "r",
                True,
            )
        return self.let(f"appended(m, {texts[0]}, {texts[1]})", expr.type, "r", True)

    def _extend(self, expr: Expr, env: Env) -> Code:
        return self.rows_of(expr, env, "extended(m, {}, {})")

    def _without(self, expr: Expr, env: Env) -> Code:
        return self.masks_of(expr, env, "{} & ~{}") or self.rows_of(expr, env, "without(m, {}, {})")

    def _remove(self, expr: Expr, env: Env) -> Code:
        return self.rows_of(expr, env, "removed(m, {}, {})")

    # --- numbers ------------------------------------------------------------------------------------------------------
    def arithmetic(self, expr: Expr, env: Env, function: str) -> Code:
        texts = [self.value(x, env) for x in expr.args]
        return self.let(f"{function}(m, {', '.join(texts)})", expr.type, "i", True)

    def _add(self, expr: Expr, env: Env) -> Code:
        return self.arithmetic(expr, env, "plus")

    def _sub(self, expr: Expr, env: Env) -> Code:
        return self.arithmetic(expr, env, "minus")

    def _mul(self, expr: Expr, env: Env) -> Code:
        return self.arithmetic(expr, env, "product")

    def _div(self, expr: Expr, env: Env) -> Code:
        return self.arithmetic(expr, env, "quotient")

    def _rem(self, expr: Expr, env: Env) -> Code:
        return self.arithmetic(expr, env, "left_over")

    def _range(self, expr: Expr, env: Env) -> Code:
        texts = [self.value(x, env) for x in expr.args]
        return self.let(f"numbers(m, {', '.join(texts)})", expr.type, "r", True)

    def _total(self, expr: Expr, env: Env) -> Code:
        return self.let(f"total(m, {self.value(expr.args[0], env, 'r')})", expr.type, "i", True)

    def _largest(self, expr: Expr, env: Env) -> Code:
        return self.let(f"extreme(m, {self.value(expr.args[0], env, 'r')}, 1)", expr.type, "i")

    def _smallest(self, expr: Expr, env: Env) -> Code:
        return self.let(f"extreme(m, {self.value(expr.args[0], env, 'r')}, -1)", expr.type, "i")

    def _amount(self, expr: Expr, env: Env) -> Code:
        texts = [self.value(x, env) for x in expr.args]
        return self.let(f"(Amount){{{', '.join(texts)}}}", expr.type, "a", True)


def _is_plain(lines: list[str]) -> bool:
    """Nothing but comparisons and looks into slots: no calls, no branches, nothing that could go wrong."""
    return not any("(m," in line or "{" in line for line in lines)
