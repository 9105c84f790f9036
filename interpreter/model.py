"""What a checked game is made of: types, things, functions, typed expressions, typed steps. Data only.

Every thing of a game is an *atom*: a whole number, unique in the game, whatever sets it belongs to. A figure that is
also a piece is one atom, so unions need no conversion, and a value of the state is a number, a tuple of numbers
(sets sorted, lists as they are), a truth value, or None for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .errors import Place


# --- types -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Type:
    kind: str  # thing, number, truth, amount, set, list, match
    name: str  # as an author would say it
    atoms: frozenset[int] = frozenset()  # of a thing: which
    of: Type | None = None  # of a set or list: its elements; None for the empty one
    maybe: bool = False  # may be nothing

    def or_nothing(self, maybe: bool = True) -> Type:
        return self if self.maybe or not maybe else Type(self.kind, self.name, self.atoms, self.of, True)

    def definite(self) -> Type:
        return Type(self.kind, self.name, self.atoms, self.of) if self.maybe else self

    @property
    def many(self) -> bool:
        return self.kind in ("set", "list")

    def __str__(self) -> str:
        return self.name + (" or nothing" if self.maybe else "")


NUMBER = Type("number", "number")
TRUTH = Type("truth", "yes or no")
AMOUNT = Type("amount", "amount")
NOTHING = Type("thing", "nothing", maybe=True)
EMPTY = Type("set", "none")


def set_of(element: Type) -> Type:
    return Type("set", f"set of {element.name}", of=element.definite())


def list_of(element: Type) -> Type:
    return Type("list", f"list of {element.name}", of=element.definite())


def fits(given: Type, wanted: Type) -> bool:
    """Can a value of type `given` stand where `wanted` is declared? (Nothing is a matter of its own.)"""
    if given.kind == "thing" and given.name == "nothing":
        return True
    if wanted.kind in ("set", "list"):
        if given.kind not in ("set", "list"):
            return False
        return given.of is None or (wanted.of is not None and given.kind == wanted.kind and fits(given.of, wanted.of))
    if wanted.kind == "thing":
        return given.kind == "thing" and given.atoms <= wanted.atoms
    return given.kind == wanted.kind


def may_equal(a: Type, b: Type) -> bool:
    if a.name == "nothing" or b.name == "nothing":
        return True
    if a.many and b.many:
        return a.of is None or b.of is None or may_equal(a.of, b.of)
    if a.kind == b.kind == "thing":
        return bool(a.atoms & b.atoms)
    return a.kind == b.kind


# --- nouns -----------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Atom:
    number: int
    set: str
    name: str
    parts: tuple[int, ...] = ()  # of a product: the atoms it is made of


@dataclass(slots=True)
class ThingSet:
    name: str
    plural: str
    atoms: tuple[int, ...]
    type: Type
    place: Place | None
    numbered_by: str = ""


@dataclass(slots=True)
class Param:
    name: str
    type: Type


@dataclass(slots=True, eq=False)
class Var:
    """A name bound in an expression (`it`, a quantified noun), by a rule (its parameters) or by a step."""

    name: str
    type: Type
    slot: int = -1  # where it lives in the state; -1: only inside one expression
    secret: bool = False  # holds something that not all may know: set by the flow check
    narrowed: Var | None = None  # the same variable where it is known to be of a narrower type

    @property
    def origin(self) -> Var:
        return self.narrowed or self


@dataclass(slots=True, eq=False)
class Function:
    """Everything that is read as `name of X with Y`: state, tables and columns, words, parts of products."""

    shape: str  # "place of _", "_ is with _"
    kind: str  # state, table, formula, word
    params: list[Param]
    result: Type
    place: Place | None
    values: dict[tuple, Any] = field(default_factory=dict)  # table: by arguments; formula: by keys, typed bodies
    keys: int = 0  # formula: how many of the parameters are keys
    body: Expr | None = None  # word
    variables: list[Var] = field(default_factory=list)  # word, formula: the parameters inside the body
    base: int = -1  # state: first slot
    view: Expr | str | None = None  # state: who sees it: "all", "nobody" or a typed expression over `variables`
    start: Any = None
    lasts: str = ""  # state: the rule at whose beginning it starts anew
    readings: list = field(default_factory=list)  # formula: (expression, how it is read) as syntax trees

    @property
    def name(self) -> str:
        return self.shape


# --- typed expressions -----------------------------------------------------------------------------------------------
class Expr:
    """op and arguments, typed. The ops are listed in check.OPS with their meaning."""

    __slots__ = ("op", "args", "type")

    def __init__(self, op: str, args: tuple, type: Type):
        self.op, self.args, self.type = op, args, type

    def __repr__(self) -> str:
        return f"{self.op}{self.args!r}"

    def kids(self) -> Iterator[Expr]:
        for arg in self.args:
            if isinstance(arg, Expr):
                yield arg
            elif isinstance(arg, tuple):
                yield from (a for a in arg if isinstance(a, Expr))


def const(value: Any, type: Type) -> Expr:
    return Expr("const", (value,), type)


# --- steps -----------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Part:
    """One thing a player chooses: an element of a set, some of a set, or a one-to-one assignment."""

    shape: str  # one, some, match
    var: Var
    source: Expr
    amount: Expr | None = None  # some: how many
    which: list[tuple[Var, Expr, Expr]] = field(default_factory=list)  # some: (element, condition, amount)
    onto: Expr | None = None  # match: the values to give out


@dataclass(slots=True)
class Alternative:
    name: str
    atom: int
    parts: list[Part]
    given: Expr | None
    where: Expr | None
    then: list[Step]
    text: str | dict[str, str]  # in English, or one per language
    tells: list[tuple[str, Expr]]
    rarely: int = 1  # players who choose at random take it once in so many times


@dataclass(slots=True, eq=False)
class Step:
    verb: str
    name: str  # stable id: rule/step/step
    place: Place
    at: dict[str, Expr | None] = field(default_factory=dict)  # typed expressions by key
    bodies: dict[str, list[Step]] = field(default_factory=dict)  # steps by key
    vars: dict[str, Var] = field(default_factory=dict)  # what it binds
    parts: list[Part] = field(default_factory=list)
    alternatives: list[Alternative] = field(default_factory=list)
    audience: Expr | str = "nobody"  # who sees it happen
    text: str | dict[str, str] = ""  # in English, or one per language
    tells: list[tuple[str, Expr]] = field(default_factory=list)  # named arguments of the event
    targets: list[tuple[Function, list[Expr], Expr]] = field(default_factory=list)  # set: what, of whom, to which value
    must: list[tuple[str, Expr]] = field(default_factory=list)  # plan
    callee: Rule | None = None
    number: int = -1  # in the table of events
    visible: tuple[Var, ...] = ()  # the variables in scope here
    prompt: str | dict[str, str] = ""  # ask: the question, in English, or one per language
    prompts: list[tuple[str, Expr]] = field(default_factory=list)  # named arguments of the question
    context: tuple[Var, ...] = ()  # what those who see it may know besides: on which question an answer was given


def walk(steps: list[Step]) -> Iterator[Step]:
    """All steps, those inside others too, in the order of the file."""
    for step in steps:
        yield step
        for body in step.bodies.values():
            yield from walk(body)
        for alternative in step.alternatives:
            yield from walk(alternative.then)


@dataclass(slots=True, eq=False)
class Rule:
    name: str
    shape: str
    params: list[Var]
    place: Place
    steps: list[Step] = field(default_factory=list)
    result: Var | None = None
    variables: list[Var] = field(default_factory=list)


@dataclass(slots=True)
class Option:
    name: str
    value: Any
    default: Any
    values: list[Any]  # allowed, for one-of; empty for numbers and yes or no
    kind: str
    about: str
    source: str = ""
    decision: str = ""
    least: int | None = None
    most: int | None = None
