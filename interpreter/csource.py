"""Plain expressions (plain.py) -> C: functions and conditions; crows.py has the others. Names never reach the source:
things are numbers, variables are slots or numbered locals.

Each operation becomes a few lines that leave their value in a local name. What may be nothing is looked at where it is
used: there Python raises an error, and here the machine gives up (see machine.c), so that Python does it again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from .cwriting import C, Code, CWriter, Env, K, NotNative, c_number
from .model import Expr, Function, Type
from .plain import Body, Style
from .slots import HEADER

__all__ = ["IN_C", "CFunctions"]

IN_C = Style(word=16, loop=300)
KNOWN_PLACE = re.compile(r"v\[\d+( \+ \d+)*\]")
LINES = 100  # of conditions that are all valued, because that is quicker than to guess which of them decides


class CFunctions(CWriter):
    def value(self, expr: Expr, env: Env | None = None, rep: str | None = None, kind: Type | None = None) -> str:
        """An expression as text; its lines are written before."""
        return self.text(self.of(expr, env or {}), kind or expr.type, rep)

    def test(self, expr: Expr, env: Env | None = None) -> str:
        return self.holds(self.of(expr, env or {}))

    # --- expressions --------------------------------------------------------------------------------------------------
    def of(self, expr: Expr, env: Env) -> Code:
        make: Callable[[Expr, Env], Code] = getattr(self, "_" + expr.op)
        return make(expr, env)

    def _const(self, expr: Expr, env: Env) -> Code:
        return K(expr.args[0])

    def _var(self, expr: Expr, env: Env) -> Code:
        return env[expr.args[0]]

    def _slot(self, expr: Expr, env: Env) -> Code:
        return self.read(f"v[{expr.args[0]}]", expr.type)

    @contextmanager
    def looking_once(self) -> Iterator[list[str]]:
        """What is written here changes no slot: those that are known before are looked at once, by the lines given."""
        self.looked_at, first = {}, list[str]()
        yield first
        first += [f"    const i64 {name} = {place};" for place, name in self.looked_at.items()]
        self.looked_at = None

    def read(self, place: str, kind: Type) -> C:
        rep = self.rep(kind)
        if self.looked_at is None or not KNOWN_PLACE.fullmatch(place):
            return self.let(place, kind, rep)
        return C(self.looked_at.setdefault(place, self.fresh("s")), kind, rep)

    def _with(self, expr: Expr, env: Env) -> Code:
        body, variables, values = expr.args
        codes = [self.kept_as(self.of(value, env), var.type) for var, value in zip(variables, values)]
        return self.of(body, {**env, **dict(zip(variables, codes))})

    def _if_there(self, expr: Expr, env: Env) -> Code:
        body, variables, values = expr.args
        codes = [self.kept_as(self.of(value, env), var.type) for var, value in zip(variables, values)]
        sure = [c.there() if isinstance(c, C) else c for c in codes]
        tests = [f"{c.text} == NOTHING" for c in codes if isinstance(c, C) and not c.sure]
        if not tests:
            return self.of(body, {**env, **dict(zip(variables, sure))})
        rep, name = self.rep(expr.type), self.fresh("x")
        empty = self.literal(False if expr.type.kind == "truth" else None, expr.type, rep)
        self.put(f"{self.kind(rep)} {name} = {empty};")
        with self.inside(f"if (!({' || '.join(tests)}))"):
            self.put(f"{name} = {self.value(body, {**env, **dict(zip(variables, sure))}, rep, expr.type)};")
        return C(name, expr.type, rep)

    def index(self, code: Code, atoms: Sequence[int]) -> str:
        """The place of a thing in a sorted row of things."""
        if isinstance(code, K):
            return str(atoms.index(code.value)) if code.value in atoms else "need(m, NOTHING)"
        if not atoms:
            return "need(m, NOTHING)"
        universe = self.universes[self.universe(code.type)]
        if code.place and set(atoms) <= set(universe):
            known = [universe.index(a) - i for i, a in enumerate(atoms)]
            if len(set(known)) == 1:
                return f"{code.place} - {known[0]}"
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

    def _cell(self, expr: Expr, env: Env) -> Code:
        function, args = expr.args
        return self.read(self.cell(function, [self.of(a, env) for a in args]), function.result)

    def _look(self, expr: Expr, env: Env) -> Code:
        values, params, args = expr.args
        codes, rep = [self.of(a, env) for a in args], self.rep(expr.type)
        key = ("cells", id(values), rep)
        if key not in self._known:
            self._kept.append(values)
            rows: list[tuple[int, ...]] = [()]
            name = self.fresh("T")
            for param in params:
                rows = [(*row, atom) for row in rows for atom in sorted(param.atoms)]
            cells = ", ".join(self.literal(values.get(row), expr.type, rep).removeprefix("(Amount)") for row in rows)
            self.tables.append(f"static const {self.kind(rep)} {name}[] = {{{cells or '0'}}};")
            self._known[key] = name
        return self.let(f"{self._known[key]}[{self.offset(params, codes)}]", expr.type, rep, not expr.type.maybe)

    def _call(self, expr: Expr, env: Env) -> Code:
        body, args = expr.args
        return self.called(body, [self.of(a, env) for a in args])

    def called(self, body: Body, codes: Sequence[Code]) -> Code:
        key, rep = ("body", id(body)), self.rep(body.expr.type)
        if key not in self._known:
            self._kept.append(body)
            kept, self.looked_at = self.looked_at, None
            name = self._known[key] = self.fresh("w")
            env: Env = {var: C(self.fresh("x"), var.type, self.rep(var.type)) for var in body.variables}
            heads = [f"{self.kind(c.rep)} {c.text}" for c in env.values() if isinstance(c, C)]
            head = f"static inline {self.kind(rep)} {name}({', '.join(['Machine *m, const i64 *v', *heads])})"
            with self.apart() as lines:
                self.put(f"return {self.value(body.expr, env)};")
            self.looked_at = kept
            self.heads.append(head + ";")
            self.functions.append([head + " {", *lines, "}"])
        args = [self.text(c, v.type) for c, v in zip(codes, body.variables)]
        return self.let(f"{self._known[key]}({', '.join(['m', 'v', *args])})", body.expr.type, rep)

    def _cases(self, expr: Expr, env: Env) -> Code:
        cases, keys, args = expr.args
        places, rest = ([self.of(a, env) for a in those] for those in (keys, args))
        rep, name = self.rep(expr.type), self.fresh("x")
        empty = self.literal(False if expr.type.kind == "truth" else None, expr.type, rep)
        self.put(f"{self.kind(rep)} {name} = {empty};")
        joint = ""
        for key, body in cases.bodies.items():
            tests = [f"{self.text(c, x.type)} == {k}" for c, x, k in zip(places, keys, key)]
            with self.inside(f"{joint}if ({' && '.join(tests)})"):
                self.put(f"{name} = {self.text(self.called(body, rest), expr.type, rep)};")
            joint = "else "
        if cases.complete:
            self.put(f"{joint}trouble(m);")
        return C(name, expr.type, rep)

    # --- conditions ---------------------------------------------------------------------------------------------------
    def _cond(self, expr: Expr, env: Env) -> Code:
        test = self.of(expr.args[0], env)
        rep, name = self.rep(expr.type), self.fresh("x")
        self.put(f"{self.kind(rep)} {name};")
        for head, branch in ((f"if {self.holds(test)}", expr.args[1]), ("else", expr.args[2])):
            with self.inside(head):
                self.put(f"{name} = {self.value(branch, env, rep, expr.type)};")
        return C(name, expr.type, rep)

    def _and(self, expr: Expr, env: Env) -> Code:
        """All of them, if there are several and each is no more than a look; else one by one, as far as needed."""
        every, name = expr.op == "and", self.fresh("x")
        if len(expr.args) > 2:
            with self.apart(self.depth) as lines:
                tests = [self.test(side, env) for side in expr.args]
            if len(lines) <= LINES and is_plain(lines):
                self.lines += lines
                return self.let((" & " if every else " | ").join(tests), expr.type, "i", True)
        self.put(f"i64 {name} = {int(not every)};")
        with self.inside("do"):
            for side in expr.args:
                self.put(f"if ({'!' if every else ''}{self.test(side, env)}) break;")
            self.put(f"{name} = {int(every)};")
        self.lines[-1] += " while (0);"
        return C(name, expr.type, "i", True)

    _or = _and

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
            sure = element.there()
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
