"""Typed expressions -> C. Names never reach the source: things are numbers, variables are slots or numbered locals.

How a value is represented follows from its type: a thing, a number, yes or no as itself; a set of things as a mask
over its *universe* (all things that are ever in one set with them), if that has at most 63; any other row, and larger
sets, as the number of a row that the machine keeps. Nothing is NOTHING in each of them.

Each operation becomes a few lines that leave their value in a local name. What may be nothing is looked at where it is
used: there Python raises an error, and here the machine gives up (see machine.c), so that Python does it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .evaluate import is_fixed, settled_value
from .model import EMPTY, Expr, Function, Step, Type, Value, Var, set_of, walk
from .slots import HEADER
from .source import K, SourceBuilder
from .vocabulary import Vocabulary

__all__ = ["C", "CSource", "Code", "NotNative", "expressions_of_game", "walk_expression"]

WIDEST = 63  # things in a universe; the last bit means nothing


class NotNative(Exception):
    """What cannot be said in C: the game is played in Python."""


@dataclass(slots=True)
class C:
    """A local name or a constant of the C source."""

    text: str
    type: Type
    rep: str  # i: itself; m: a mask; r: a row; a: an amount
    sure: bool = False  # it is never nothing


Code = K | C
Env = dict[Var, Code]


# --- all types of a game ----------------------------------------------------------------------------------------------
def walk_expression(expr: Expr) -> Iterator[Expr]:
    stack = [expr]
    while stack:
        found = stack.pop()
        yield found
        stack += found.kids()


def _of_step(step: Step) -> Iterator[Expr]:
    yield from step.at.values()
    parts = [*step.parts, *(p for a in step.alternatives for p in a.parts)]
    for part in parts:
        yield part.source
        yield Expr("var", (part.var,), part.var.type)
        yield from (e for e in (part.amount, part.onto) if e is not None)
        yield from (part.audience,) if isinstance(part.audience, Expr) else ()
        yield from (e for _, e in part.tells)
        for _, test, amount in part.which:
            yield from (test, amount)
    for other in step.alternatives:
        yield from (e for e in (other.given, other.where) if e is not None)
        yield from (e for _, e in other.tells)
    for _, args, value in step.targets:
        yield from (*args, value)
    yield from (step.pile[1] if step.pile is not None else ())
    yield from (step.audience,) if isinstance(step.audience, Expr) else ()
    yield from (e for _, e in (*step.tells, *step.must))


def expressions_of_game(words: Vocabulary, steps: Iterable[Step]) -> Iterator[Expr]:
    """All that is ever valued while a game is played."""
    for same in words.functions.values():
        for function in same:
            roots = [function.body, function.view, *function.aspects.values(), *function.values.values()]
            for root in roots:
                if isinstance(root, Expr):
                    yield from walk_expression(root)
    for step in steps:
        for root in _of_step(step):
            yield from walk_expression(root)


class CSource:
    def __init__(self, words: Vocabulary, steps: list[Step]):
        self.words = words
        self.fold = SourceBuilder(len(words.atoms))  # what is known before: exactly what the Python program knows
        self.count = 0
        self.lines: list[str] = []
        self.depth = 1
        self.functions: list[list[str]] = []
        self.heads: list[str] = []
        self.tables: list[str] = []
        self.rows: dict[tuple[Any, ...], int] = {(): 0}  # constants: rows of numbers, or of numbers of rows
        self._known: dict[Any, Any] = {}
        self._kept: list[Any] = []  # so that nothing else gets its id
        self.shapes: dict[tuple[int, int, int, int], int] = {}
        self._find_universes(steps)

    # --- universes ----------------------------------------------------------------------------------------------------
    def _find_universes(self, steps: list[Step]) -> None:
        parent = list(range(len(self.words.atoms)))

        def root(a: int) -> int:
            while parent[a] != a:
                parent[a] = parent[parent[a]]
                a = parent[a]
            return a

        seen: set[frozenset[int]] = set()

        def meet(kind: Type | None) -> None:
            while kind is not None:
                if kind.atoms and kind.atoms not in seen:
                    seen.add(kind.atoms)
                    first, *rest = kind.atoms
                    for other in rest:
                        parent[root(other)] = root(first)
                kind = kind.of

        for same in self.words.functions.values():
            for function in same:
                for kind in (function.result, *(p.type for p in function.params)):
                    meet(kind)
        for expr in expressions_of_game(self.words, steps):
            meet(expr.type)
            for arg in expr.args:
                if isinstance(arg, Var):
                    meet(arg.type)
        for step in steps:
            for var in (*step.visible, *step.vars.values(), *step.context):
                meet(var.type)
        meet(self.words.seat_type)
        self.universes: list[tuple[int, ...]] = [()]
        numbers: dict[int, list[int]] = {}
        for atom in range(len(parent)):
            numbers.setdefault(root(atom), []).append(atom)
        self.universe_of: dict[int, int] = {}
        for atoms in numbers.values():
            for atom in atoms:
                self.universe_of[atom] = len(self.universes)
            self.universes.append(tuple(atoms))

    def universe(self, kind: Type | None) -> int:
        """Of a thing's type; 0 where there is nothing that it could be."""
        return 0 if kind is None or not kind.atoms else self.universe_of[next(iter(kind.atoms))]

    def rep(self, kind: Type) -> str:
        if kind.kind in ("thing", "number", "truth"):
            return "i"
        if kind.kind == "amount":
            return "a"
        if kind.kind == "set" and (kind.of is None or kind.of.kind == "thing"):
            return "m" if len(self.universes[self.universe(kind.of)]) <= WIDEST else "r"
        if kind.kind in ("set", "pile", "list", "match"):
            return "r"
        raise NotNative(kind.kind)

    # --- shapes: how the extension finds a value again ----------------------------------------------------------------
    def shape(self, kind: Type, inside: bool = False, counts: bool = False) -> int:
        if kind.kind == "truth":
            return self._shape(1)
        if kind.kind == "number":
            return self._shape(2 if counts else 0, 0, -(2**62), 2**62)
        if kind.kind == "thing":
            return self._shape(0, 0, 0, max(0, len(self.words.atoms) - 1))
        if kind.kind == "match":
            return self._shape(4, self._shape(0, 0, 0, max(0, len(self.words.atoms) - 1)))
        if not kind.many:
            raise NotNative(kind.kind)
        if self.rep(kind) == "m" and not inside:
            return self._shape(3, self.universe(kind.of))
        return self._shape(4, self.shape(kind.of, True, counts) if kind.of is not None else self._shape(0))

    def _shape(self, kind: int, of: int = 0, low: int = 0, high: int = 0) -> int:
        return self.shapes.setdefault((kind, of, low, high), len(self.shapes))

    @staticmethod
    def kind(rep: str) -> str:
        return "Amount" if rep == "a" else "i64"

    # --- writing ------------------------------------------------------------------------------------------------------
    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.count}"  # never a name that C, or the machine, has

    def put(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        self.put(head + " {")
        self.depth += 1
        yield
        self.depth -= 1
        self.put("}")

    @contextmanager
    def apart(self, depth: int = 1) -> Iterator[list[str]]:
        """What is written here goes into lines of their own."""
        kept, self.lines, self.depth = (self.lines, self.depth), [], depth
        mine = self.lines
        yield mine
        self.lines, self.depth = kept

    def let(self, text: str, kind: Type, rep: str, sure: bool = False) -> C:
        if rep == "a":
            name = self.fresh("a")
            self.put(f"const Amount {name} = {text};")
            return C(name, kind, rep, True)
        name = self.fresh("x")
        self.put(f"const i64 {name} = {text};")
        return C(name, kind, rep, sure)

    def table(self, key: Any, values: Sequence[int]) -> str:
        if key not in self._known:
            self._known[key] = name = self.fresh("T")
            self.tables.append(f"static const i64 {name}[] = {{{', '.join(map(_number, values)) or 0}}};")
        found: str = self._known[key]
        return found

    def atoms_of(self, universe: int) -> str:
        return self.table(("universe", universe), self.universes[universe])

    def ranks_of(self, universe: int) -> tuple[str, int, int]:
        """A table from atoms to their places in a universe, the first and the last of them."""
        atoms = self.universes[universe]
        if not atoms:
            return self.table(("ranks", 0), [-1]), 0, 0
        places = {a: i for i, a in enumerate(atoms)}
        row = [places.get(a, -1) for a in range(atoms[0], atoms[-1] + 1)]
        return self.table(("ranks", universe), row), atoms[0], atoms[-1]

    # --- values -------------------------------------------------------------------------------------------------------
    def literal(self, value: Value, kind: Type, rep: str) -> str:
        if rep == "a":
            least, most = value if value is not None else (None, None)
            return f"(Amount){{{_number(least)}, {_number(most)}}}"
        if value is None:
            return "NOTHING"
        if rep == "i":
            return _number(value)
        if rep == "m":
            mask = 0
            for atom in value:
                mask |= 1 << self.universes[self.universe_of[atom]].index(atom)
            return _number(mask)
        return str(self.row(value))

    def row(self, value: tuple[Value, ...]) -> int:
        """The number of a constant row: the machine makes them first, in this order."""
        cells = tuple(self.row(x) if isinstance(x, tuple) else None if x is None else int(x) for x in value)
        return self.rows.setdefault(cells, len(self.rows))

    def text(self, code: Code, kind: Type, rep: str | None = None) -> str:
        """A value as it is represented where one of this type is wanted."""
        wanted = rep or self.rep(kind)
        if isinstance(code, K):
            return self.literal(code.value, kind, wanted)
        if code.rep == wanted:
            return code.text
        if code.rep == "m" and wanted == "r":
            return f"row_of(m, {code.text}, {self.atoms_of(self.universe(code.type.of))})"
        if code.rep == "r" and wanted == "m":
            ranks, low, high = self.ranks_of(self.universe(kind.of) or self.universe(code.type.of))
            return f"mask_of(m, {code.text}, {ranks}, {low}, {high})"
        raise NotNative(f"{code.rep} as {wanted}")

    def value(self, expr: Expr, env: Env | None = None, rep: str | None = None, kind: Type | None = None) -> str:
        """An expression as text; its lines are written before."""
        return self.text(self.of(expr, env or {}), kind or expr.type, rep)

    def needed(self, code: Code, text: str) -> str:
        return text if isinstance(code, C) and code.sure else f"need(m, {text})"

    def test(self, expr: Expr, env: Env | None = None) -> str:
        return self.holds(self.of(expr, env or {}))

    @staticmethod
    def holds(code: Code) -> str:
        if isinstance(code, K):
            return "(1)" if code.value else "(0)"
        return f"({code.text} > 0)"  # nothing is no, and less than 0

    def bit(self, code: Code, kind: Type) -> str:
        """The mask of one thing, which is there."""
        if isinstance(code, K):
            return self.literal((code.value,), set_of(kind), "m") if code.value is not None else "need(m, NOTHING)"
        universe = self.universe(code.type) or self.universe(kind)
        atoms, text = self.universes[universe], self.needed(code, code.text)
        if not atoms:
            return "need(m, NOTHING)"
        if atoms == tuple(range(atoms[0], atoms[0] + len(atoms))):
            return f"(i64)(1ull << ({text} - {atoms[0]}))"
        ranks, low, _ = self.ranks_of(universe)
        return f"(i64)(1ull << {ranks}[{text} - {low}])"

    @contextmanager
    def each(self, code: Code, kind: Type) -> Iterator[C]:
        """A loop over the elements of a row."""
        element = kind.of or EMPTY
        in_a_row: tuple[int, ...] | None = None
        if isinstance(code, K):
            first = code.value[0] if code.value else None
            if isinstance(first, int) and code.value == tuple(range(first, first + len(code.value))):
                in_a_row = code.value
            if code.value is None:
                self.put("trouble(m);")
            code = C(self.literal(code.value or (), kind, self.rep(kind)), kind, self.rep(kind), True)
        name = self.fresh("x")
        if in_a_row is not None:  # numbers one after the other, known before
            with self.inside(f"for (i64 {name} = {in_a_row[0]}; {name} <= {in_a_row[-1]}; {name}++)"):
                yield C(name, element, "i", True)
        elif code.rep == "m":
            universe = self.universe(code.type.of) or self.universe(kind.of)
            rest, atoms = self.fresh("m"), self.universes[universe]
            with self.inside(f"for (u64 {rest} = (u64){self.needed(code, code.text)}; {rest}; {rest} &= {rest} - 1)"):
                place = f"LOWEST({rest})"
                together = bool(atoms) and atoms == tuple(range(atoms[0], atoms[0] + len(atoms)))
                atom = f"{atoms[0]} + {place}" if together else f"{self.atoms_of(universe)}[{place}]"
                self.put(f"const i64 {name} = {atom};")
                yield C(name, element, "i", True)
        else:
            row_, size, index = self.fresh("r"), self.fresh("n"), self.fresh("i")
            self.put(f"const i64 {row_} = {code.text}, {size} = length(m, {row_});")
            with self.inside(f"for (i64 {index} = 0; {index} < {size}; {index}++)"):
                self.put(f"const i64 {name} = at(m, {row_}, {index});")
                yield C(name, element, "r" if element.many else "i")

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
                return _number(-2)  # no mask of the other
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

    def found(self, expr: Expr, env: Env, stop: bool) -> Code:
        name = self.fresh("x")
        self.put(f"i64 {name} = {int(not stop)};")
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
                self.put(f"push(m, {self.text(code, of, 'r' if of.many or of.kind == 'match' else 'i')});")

            yield add, result
            self.put(f"const i64 {name} = {how}(m, {mark});")
        result.append(C(name, kind, rep, True))

    def _filter(self, expr: Expr, env: Env) -> Code:
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
            "r" if kind.many or kind.kind == "match" else "i",
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
        texts = [self.value(row, env, "r"), self.value(element, env, "r" if element.type.many else "i")]
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


def _number(value: int | None) -> str:
    if value is None:
        return "NOTHING"
    value = int(value)
    if not -(2**62) < value < 2**63:
        raise NotNative("a number too large")
    return str(value) if abs(value) < 2**31 else f"{value}ll"


def all_steps(rules: Iterable[Any]) -> list[Step]:
    return [step for rule in rules for step in walk(rule.steps)]
