"""How values are represented in C, and how lines of it are written.

It follows from the type of a value: a thing, a number, yes or no is itself; a set of things is a mask over its
*universe* (all things that are ever in one set with them), if that has at most 63; any other row, and every larger set,
is the number of a row that the machine keeps. Nothing is NOTHING in each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from .model import EMPTY, Expr, Step, Type, Value, Var, set_of, walk
from .vocabulary import Vocabulary

__all__ = ["C", "CWriter", "Code", "Env", "K", "NotNative", "WIDEST", "all_steps", "c_number", "walk_expression"]

WIDEST = 63  # things in a universe; the last bit means nothing


class NotNative(Exception):
    """What cannot be said in C: the game is played in Python."""


@dataclass(slots=True)
class K:
    """A constant, which can be kept in any way."""

    value: Value


@dataclass(slots=True)
class C:
    """A local name or a constant of the C source."""

    text: str
    type: Type
    rep: str  # i: itself; m: a mask; r: a row; a: an amount
    sure: bool = False  # it is never nothing
    place: str = ""  # of a thing that comes from a mask: which bit it was

    def there(self) -> C:
        """The same, where it is known to be something."""
        return replace(self, sure=True)


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


class CWriter:
    def __init__(self, words: Vocabulary, steps: list[Step]):
        self.words = words
        self.count = 0
        self.lines: list[str] = []
        self.looked_at: dict[str, str] | None = None
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

    @staticmethod
    def inner(kind: Type) -> str:
        """How an element of a row is kept in it."""
        return "r" if kind.many or kind.kind == "match" else "i"

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
            self.tables.append(f"static const i64 {name}[] = {{{', '.join(map(c_number, values)) or 0}}};")
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
            return f"(Amount){{{c_number(least)}, {c_number(most)}}}"
        if value is None:
            return "NOTHING"
        if rep == "i":
            return c_number(value)
        if rep == "m":
            mask = 0
            for atom in value:
                mask |= 1 << self.universes[self.universe_of[atom]].index(atom)
            return c_number(mask)
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

    def kept_as(self, code: Code, kind: Type) -> Code:
        """The same as a value of this type is kept."""
        wanted = self.rep(kind)
        if isinstance(code, K) or code.rep == wanted:
            return code
        return self.let(self.text(code, kind, wanted), kind, wanted, code.sure)

    def needed(self, code: Code, text: str) -> str:
        return text if isinstance(code, C) and code.sure else f"need(m, {text})"

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
        if isinstance(code, C) and code.place:
            return f"(i64)(1ull << {code.place})"
        if atoms == tuple(range(atoms[0], atoms[0] + len(atoms))):
            return f"(i64)(1ull << ({text} - {atoms[0]}))"
        ranks, low, _ = self.ranks_of(universe)
        return f"(i64)(1ull << {ranks}[{text} - {low}])"

    def bits(self, code: Code, kind: Type) -> str:
        """The mask of one thing, or of several."""
        return self.text(code, kind, "m") if kind.many else self.bit(code, kind)

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
            rest, place, atoms = self.fresh("m"), self.fresh("b"), self.universes[universe]
            with self.inside(f"for (u64 {rest} = (u64){self.needed(code, code.text)}; {rest}; {rest} &= {rest} - 1)"):
                self.put(f"const i64 {place} = LOWEST({rest});")
                together = bool(atoms) and atoms == tuple(range(atoms[0], atoms[0] + len(atoms)))
                atom = f"{atoms[0]} + {place}" if together else f"{self.atoms_of(universe)}[{place}]"
                self.put(f"const i64 {name} = {atom};")
                yield C(name, element, "i", True, place)
        else:
            row_, size, index = self.fresh("r"), self.fresh("n"), self.fresh("i")
            self.put(f"const i64 {row_} = {code.text}, {size} = length(m, {row_});")
            with self.inside(f"for (i64 {index} = 0; {index} < {size}; {index}++)"):
                self.put(f"const i64 {name} = at(m, {row_}, {index});")
                yield C(name, element, self.inner(element))


def c_number(value: int | None) -> str:
    if value is None:
        return "NOTHING"
    value = int(value)
    if not -(2**62) < value < 2**63:
        raise NotNative("a number too large")
    return str(value) if abs(value) < 2**31 else f"{value}ll"


def all_steps(rules: Iterable[Any]) -> list[Step]:
    return [step for rule in rules for step in walk(rule.steps)]
