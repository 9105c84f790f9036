"""What a checked game is made of: types, things, functions, typed expressions, typed steps. Data only.

Every thing of a game is an *atom*: a whole number, unique in the game, whatever sets it belongs to. A figure that is
also a piece is one atom, so unions need no conversion, and a value of the state is a number, a tuple of numbers
(sets and piles sorted, lists as they are), a truth value, or None for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import Place

if TYPE_CHECKING:
    from .parse import Syntax

# What a cell or a variable holds while a game is played: an atom, a number, yes or no, nothing, or a row of such values
# (as a tuple). Which of them it is, its Type tells; Python's types could only tell it at every step anew.
Value = Any
Named = str | int | bool | None | tuple["Named", ...]  # a value as logs tell it: in names instead of atoms
Choice = tuple[
    int | tuple[int, ...], ...
]  # the alternative, where there are several, and what was chosen for each part
Words = list[str | list[str]]  # a choice in names, as it is saved
Text = str | dict[str, str]  # in English, or one per language
OptionValue = str | int | bool


# --- types -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Type:
    kind: str  # thing, number, truth, amount, set, pile, list, match
    name: str  # as an author would say it
    atoms: frozenset[int] = frozenset()  # of a thing: which
    of: Type | None = None  # of a set, pile or list: its elements; None for the empty one
    maybe: bool = False  # may be nothing

    def or_nothing(self, maybe: bool = True) -> Type:
        return self if self.maybe or not maybe else Type(self.kind, self.name, self.atoms, self.of, True)

    def definite(self) -> Type:
        return Type(self.kind, self.name, self.atoms, self.of) if self.maybe else self

    @property
    def many(self) -> bool:
        return self.kind in ("set", "pile", "list")

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


def pile_of(element: Type) -> Type:
    return Type("pile", f"pile of {element.name}", of=element.definite())


def fits(given: Type, wanted: Type) -> bool:
    """Can a value of type `given` stand where `wanted` is declared? (Nothing is a matter of its own.)"""
    if given.kind == "thing" and given.name == "nothing":
        return True
    if wanted.many:
        if not given.many:
            return False
        alike = given.kind == wanted.kind or (given.kind, wanted.kind) == ("set", "pile")
        return given.of is None or (wanted.of is not None and alike and fits(given.of, wanted.of))
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
    place: Place
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
    place: Place
    values: dict[tuple[int, ...], Value] = field(default_factory=dict)  # table: by arguments; formula: by keys, bodies
    keys: int = 0  # formula: how many of the parameters are keys
    body: Expr | None = None  # word
    variables: list[Var] = field(default_factory=list)  # word, formula: the parameters inside the body
    base: int = -1  # state: first slot
    view: Expr | str = "nobody"  # state: who sees it: "all", "nobody" or a typed expression over `variables`
    start: Value = None
    label: Text = ""  # state: what screens call it
    lasts: str = ""  # state: the rule at whose beginning it starts anew
    aspects: dict[str, Expr | str] = field(default_factory=dict)  # state: who sees only that of it: see ASPECTS
    readings: list[tuple[Syntax, Syntax]] = field(default_factory=list)  # formula: an expression, how it is read

    @property
    def name(self) -> str:
        return self.shape


# What somebody can see of a row who does not see it all: how the program finds it.
ASPECTS = {"count": "len({0})", "top": "first({0})", "contents": "tuple(sorted({0}))"}


def aspect_type(aspect: str, whole: Type) -> Type:
    element = whole.of or NOTHING
    return {"count": NUMBER, "top": element.or_nothing(), "contents": pile_of(element)}[aspect]


# --- typed expressions -----------------------------------------------------------------------------------------------
class Expr:
    """op and arguments, typed. The ops are listed in operations.py with their meaning."""

    __slots__ = ("op", "args", "type")

    def __init__(self, op: str, args: tuple[Any, ...], type: Type):
        self.op, self.args, self.type = op, args, type

    def __repr__(self) -> str:
        return f"{self.op}{self.args!r}"

    def kids(self) -> Iterator[Expr]:
        for arg in self.args:
            if isinstance(arg, Expr):
                yield arg
            elif isinstance(arg, tuple):
                yield from (a for a in arg if isinstance(a, Expr))


def const(value: Value, type: Type) -> Expr:
    return Expr("const", (value,), type)


# --- steps -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Told:
    """What a rulebook tells beside something: the sentence, where it comes from, and why it is so."""

    rule: Text = ""
    sources: tuple[str, ...] = ()
    decision: Text = ""


@dataclass(slots=True)
class Part:
    """One thing a player chooses: an element of a set, some of a set, or a one-to-one assignment."""

    shape: str  # one, some, match
    var: Var
    source: Expr
    amount: Expr | None = None  # some: how many
    which: list[tuple[Var, Expr, Expr]] = field(default_factory=list)  # some: (element, condition, amount)
    onto: Expr | None = None  # match: the values to give out
    audience: Expr | str | None = None  # who sees it, if not those who see the whole choice
    text: Text = ""  # how it is told to those who see no more than this
    tells: list[tuple[str, Expr]] = field(default_factory=list)

    @property
    def counts(self) -> bool:
        """Are numbers chosen, not things?"""
        return self.source.type.of is not None and self.source.type.of.kind == "number"


@dataclass(slots=True)
class Alternative:
    name: str
    atom: int
    parts: list[Part]
    given: Expr | None
    where: Expr | None
    then: list[Step]
    text: Text
    tells: list[tuple[str, Expr]]
    rarely: int = 1  # players who choose at random take it once in so many times
    passes: bool = False  # the question stands open, and this lets it go by
    told: Told = Told()


@dataclass(slots=True, eq=False)
class Step:
    verb: str
    name: str  # stable id: rule/step/step
    place: Place
    at: dict[str, Expr] = field(default_factory=dict)  # typed expressions by key
    bodies: dict[str, list[Step]] = field(default_factory=dict)  # steps by key
    vars: dict[str, Var] = field(default_factory=dict)  # what it binds
    parts: list[Part] = field(default_factory=list)
    alternatives: list[Alternative] = field(default_factory=list)
    audience: Expr | str = "nobody"  # who sees it happen
    text: Text = ""
    tells: list[tuple[str, Expr]] = field(default_factory=list)  # named arguments of the event
    targets: list[tuple[Function, list[Expr], Expr]] = field(default_factory=list)  # set: what, of whom, to which value
    pile: tuple[Function, list[Expr]] | None = None  # draw, deal: the pile from which what is drawn is taken
    must: list[tuple[str, Expr]] = field(default_factory=list)  # plan
    callee: Rule | None = None
    number: int = -1  # in the table of events
    visible: tuple[Var, ...] = ()  # the variables in scope here
    prompt: Text = ""  # ask: the question
    prompts: list[tuple[str, Expr]] = field(default_factory=list)  # named arguments of the question
    context: tuple[Var, ...] = ()  # what those who see it may know besides: on which question an answer was given
    told: Told = Told()

    @property
    def changes(self) -> list[Function]:
        """The state that it gives new values, other than by dealing it out."""
        dealt = self.verb == "deal"
        return [function for function, _, _ in self.targets if not dealt] + ([self.pile[0]] if self.pile else [])

    @property
    def called(self) -> Rule:
        """call, play: the rule."""
        assert self.callee is not None
        return self.callee


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


@dataclass(frozen=True, slots=True)
class Assumption:
    """What the secrecy check could not prove, and takes for granted: that the game does not stop at this step, in some
    worlds only. Why it might: nothing to choose or to draw (never), a value that is not set (unset), a number out of
    bounds (bounds), a loop that does not end (ends), a plan that cannot be made (plan)."""

    step: str
    place: Place
    reason: str
    secret: str


@dataclass(slots=True)
class Option:
    name: str
    value: OptionValue
    default: OptionValue
    values: list[OptionValue]  # allowed, for one-of; empty for numbers and yes or no
    kind: str
    about: str
    source: str = ""
    decision: str = ""
    least: int | None = None
    most: int | None = None
    with_people: OptionValue | None = None  # its value at a table with people, if nothing else is chosen
