"""The words of a game: sets of things, tables, state functions, defined words, and how they are looked up."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from . import doors
from .bounds import Bounds
from .errors import Place, RulesError, did_you_mean, problem
from .evaluate import is_fixed, settled_value
from .keywords import as_one
from .model import NUMBER, TRUTH, Atom, Expr, Function, Named, Option, ThingSet, Type, Value, const, set_of

if TYPE_CHECKING:
    from .check import Checker
    from .doors import Reader

__all__ = ["MAX_NESTED", "Vocabulary"]

MAX_NESTED = 50
RESERVED = frozenset({"number", "amount", "all"})


class Vocabulary:
    # What it is made of: all else follows from it.
    _fields = (
        "options",
        "atoms",
        "sets",
        "plurals",
        "singulars",
        "by_name",
        "functions",
        "option_types",
        "slots",
        "seats",
        "chance_seats",
        "seat_type",
    )

    reader: Reader | None = None  # of sentences in the rules
    unread: frozenset[str] = frozenset()  # the languages of those that nobody has read

    def __init__(self, options: dict[str, Option]):
        self.options = options
        self.atoms: list[Atom] = []
        self.sets: dict[str, ThingSet] = {}
        self.plurals: dict[str, ThingSet] = {}
        self.singulars: dict[str, str] = {}  # one element of a word that is a set: rival -> rivals
        self.by_name: dict[str, list[int]] = {}
        self.functions: dict[str, list[Function]] = {}
        self.option_types: dict[str, Type] = {}
        self.slots = 0
        self.seats: tuple[int, ...] = ()
        self.chance_seats: tuple[int, ...] = ()
        self.seat_type = Type("thing", "seat")

    def plain(self) -> Vocabulary:
        """The same without anything of how it came about: what a game keeps."""
        kept = Vocabulary(self.options)
        for name in self._fields:
            setattr(kept, name, getattr(self, name))
        return kept

    # --- new expressions ----------------------------------------------------------------------------------------------
    @cached_property
    def checker(self) -> Checker:
        """Types expressions that are written later, at a prompt or in a scenario. To play nobody needs it."""
        from .check import Checker

        return Checker(self)

    @cached_property
    def bounds(self) -> Bounds | None:
        """What expressions may cost; nothing, as long as not all words are known."""
        return Bounds()

    def finish(self, function: Function) -> None:
        """Type a word's body, once, when it is first needed: here all are."""

    def option_value(self, option: Option) -> Expr:
        if option.kind == "yes or no":
            return const(bool(option.value), TRUTH)
        if option.kind == "number":
            return const(int(option.value), NUMBER)
        kind = self.option_types[option.name]
        return const(self.member(str(option.value), kind), kind)

    def fixed(self, expr: Expr, at: Place, length: int = 1) -> Value:
        if not is_fixed(expr):
            raise RulesError(problem("must_be_fixed", at, length))
        known = settled_value(expr)
        if known is None:
            raise RulesError(problem("nothing_here", at, length, wanted=str(expr.type)))
        return known[0]

    def place_of_cell(self, column: str, atom: int) -> Place | None:
        """Where a value stands in a rule file; None where the file is not at hand."""
        return None

    # --- looking things up --------------------------------------------------------------------------
    def noun_type(self, noun: str) -> Type | None:
        if noun in self.sets:
            return self.sets[noun].type
        if noun in self.plurals:
            return set_of(self.plurals[noun].type)
        if noun in self.option_types:
            return self.option_types[noun]
        return NUMBER if noun == "number" else None

    def is_taken(self, name: str) -> bool:
        """Would a variable of this name hide something? (One may be called like a kind of thing.)"""
        return (
            name in RESERVED
            or name in self.plurals
            or name in self.options
            or name in self.functions
            or any(self.atoms[a].set in self.sets for a in self.by_name.get(name, ()))
        )

    def plural_of(self, noun: str) -> str:
        if noun in self.sets:
            return self.sets[noun].plural
        return self.singulars.get(noun, noun)

    def suggest_noun(self, noun: str) -> str:
        return did_you_mean(noun, [*self.sets, *self.plurals, *self.singulars]) or ""

    def names_of(self, kind: Type) -> list[str]:
        return [self.atoms[a].name for a in sorted(kind.atoms)]

    def member(self, name: str, kind: Type) -> int | None:
        return next((a for a in self.by_name.get(str(name), ()) if a in kind.atoms), None)

    def named(self, value: Value, kind: Type) -> Named:
        """A value in names, as logs tell it: hashable, the same in every process."""
        if value is None or kind.kind in ("number", "truth", "amount"):
            plain: Named = value
            return plain
        if isinstance(value, tuple):
            inner = kind.of if kind.of is not None else kind
            return tuple([self.named(x, inner) for x in value])
        return self.atoms[value].name

    def valued(self, names: Named, kind: Type) -> Value:
        """The way back from `named`."""
        if isinstance(names, tuple):
            return tuple([self.valued(x, kind.of or kind) for x in names])
        return self.member(names, kind) if isinstance(names, str) else names

    def only_atom(self, name: str) -> int | None:
        found = self.by_name.get(name, ())
        return found[0] if len(found) == 1 else None

    @cached_property
    def _called(self) -> dict[str, dict[str, set[str]]]:
        """By language, what players call things. A game that was kept comes without it."""
        return {}

    def called(self, name: str, code: str) -> str | None:
        """The name in the rules of what players of a language call so."""
        if code not in self._called:
            index: dict[str, set[str]] = {}
            for thing in self.atoms:
                own = self.own_name(thing, code)
                for said in (own, *(said for caller in doors.callers for said in caller(code, thing.set, own))):
                    index.setdefault(as_one(said).casefold(), set()).add(thing.name)
            self._called[code] = index
        found = self._called[code].get(as_one(name).casefold(), set())
        return next(iter(found)) if len(found) == 1 else None

    def own_name(self, thing: Atom, code: str) -> str:
        """What the rules themselves call a thing, in a language if they say so."""
        return thing.name

    def homes(self, name: str) -> list[str]:
        return [self.atoms[a].set for a in self.by_name.get(name, ())]

    def atom_const(self, atom: int) -> Expr:
        home = self.atoms[atom].set
        kind = (
            self.option_types.get(home) or self.sets[home].type
            if home in self.sets or home in self.option_types
            else None
        )
        name = kind.name if kind else home
        return const(atom, Type("thing", name, frozenset({atom})))

    def numbered(self, noun: str, number: int) -> int | None:
        things = self.sets.get(noun)
        if things is None:
            return None
        column = next(
            (f for f in self.functions.get(f"{things.numbered_by} of _", ()) if f.params[0].type == things.type), None
        )
        return next((a for a in things.atoms if column.values.get((a,)) == number), None) if column else None

    def all_names(self) -> list[str]:
        plain = [s.removeprefix("_ is ") for s in self.functions if "_" not in s.removeprefix("_ is ")]
        return [*self.plurals, *self.by_name, *self.options, *plain, *self.singulars]

    def union(self, kinds: list[Type]) -> Type | None:
        joined: Type | None = kinds[0]
        for kind in kinds[1:]:
            joined = self.join_types(joined, kind) if joined else None
        return joined

    def join_types(self, a: Type, b: Type) -> Type | None:
        """The smallest type that holds the values of both, or None."""
        if a.name == "nothing":
            return b.or_nothing()
        if b.name == "nothing":
            return a.or_nothing()
        maybe = a.maybe or b.maybe
        if a.many and b.many:
            if a.of is None or b.of is None:
                return b if a.of is None else a
            of = self.join_types(a.of, b.of)
            kind = "pile" if {a.kind, b.kind} == {"set", "pile"} else a.kind if a.kind == b.kind else ""
            return None if of is None or not kind else Type(kind, f"{kind} of {of.name}", of=of, maybe=maybe)
        if a.many != b.many:  # one thing beside a set of them
            group, one = (a, b) if a.many else (b, a)
            return self.join_types(group, set_of(one)) if group.kind == "set" and one.kind == "thing" else None
        if a.kind != b.kind:
            return None
        if a.kind != "thing":
            return a.or_nothing(maybe)
        atoms = a.atoms | b.atoms
        fitting = [s for s in self.sets.values() if atoms <= s.type.atoms]
        smallest = min(fitting, key=lambda s: len(s.atoms), default=None)
        name = a.name if a.name == b.name else smallest.name if smallest else f"{a.name} or {b.name}"
        return Type("thing", name, atoms, maybe=maybe)
