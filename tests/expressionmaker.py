"""Expressions that nobody has thought of.

Everything is made from the vocabulary of the game at hand (its things, state, words, tables, and the names that hold at
the place), by types, so that most of what comes out can be read; whether it gives a secret away is left to chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tabarro.interpreter.model import NUMBER, TRUTH, Function, Type, list_of, pile_of, set_of

Scope = dict[str, Type]
Ways = list[tuple[float, Callable[[], str]]]  # how likely, and how it is made
COMPARED = ("at least", "at most", "exactly", "more than", "less than")


class Expressions:
    """Makes expressions out of a vocabulary."""

    def __init__(self, words: Any, rng: random.Random):
        self.words, self.rng = words, rng
        self.seats = frozenset(words.seats)
        self.functions = [
            f for same in words.functions.values() for f in same if not any(p.type.many for p in f.params)
        ]
        self.plain = [f for f in self.functions if " is " not in f" {f.shape} "]
        self.claims = [f for f in self.functions if f.result.kind == "truth"]
        self.state = [f for f in self.functions if f.kind == "state"]
        self.columns = [f for f in self.plain if len(f.params) == 1 and f.shape.endswith(" of _")]
        self.links = [f for f in self.plain if f.params and " of _" in f.shape and _leads_on(f)]
        self.sets = [s for s in words.sets.values() if s.atoms]
        names: dict[str, int] = {}
        for atom in words.atoms:
            names[atom.name] = names.get(atom.name, 0) + 1
        self.unique = {a.number: a.name for a in words.atoms if names[a.name] == 1}
        self.alternatives: dict[str, list[str]] = {}  # the name of an answer -> what it may be
        self.count = 0
        self.focus = ""  # who is just spoken of: rules mostly say something about that very one

    # --- choosing -----------------------------------------------------------------------------------------------------
    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def pick(self, ways: Ways) -> str:
        return self.rng.choices([way for _, way in ways], [weight for weight, _ in ways])[0]()

    def name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def some_type(self) -> Type:
        """The type of something that changes, or a seat."""
        kinds = [f.result for f in self.state if f.result.kind == "thing"]
        kinds += [f.result.of for f in self.state if f.result.many and f.result.of is not None and f.result.of.atoms]
        kinds.append(self.seat_type())
        return self.rng.choice(kinds).definite()

    def seat_type(self) -> Type:
        homes = [s.type for s in self.sets if set(s.atoms) <= self.seats]
        return homes[0] if homes else Type("thing", "seat", self.seats)

    def some_set(self) -> Type:
        return set_of(self.some_type())

    def rows(self, kind: Type | None = None) -> list[Function]:
        """State that is a pile or a list, of this kind of things or of any."""
        rows = [f for f in self.state if f.result.kind in ("pile", "list") and f.result.of is not None]
        return [f for f in rows if f.result.of.atoms and (kind is None or f.result.of.atoms <= kind.atoms)]

    # --- any type -----------------------------------------------------------------------------------------------------
    def expr(self, wanted: Type, scope: Scope, depth: int = 2) -> str:
        """Some expression of this type; text of the plainest kind where there is no other."""
        ways: Ways = getattr(self, "_" + wanted.kind)(wanted, scope, depth)
        return self.pick(ways) if ways else "none" if wanted.many else "nothing"

    def arg(self, wanted: Type, scope: Scope, depth: int) -> str:
        return _bracketed(self.expr(wanted, scope, depth))

    def use(self, function: Function, scope: Scope, depth: int) -> str:
        args = iter([self.arg(p.type, scope, depth - 1) for p in function.params])
        return " ".join(next(args) if piece == "_" else piece for piece in function.shape.split(" "))

    def fitting(self, wanted: Type, scope: Scope, depth: int) -> Ways:
        """A name, or a function at some arguments."""
        known = [n for n, t in scope.items() if _fits(t, wanted)]
        functions = [f for f in self.plain if _fits(f.result, wanted)] if depth > 0 else []
        ways: Ways = []
        if known:
            ways.append((5, lambda: self.rng.choice(known)))
        if functions:
            ways.append((4, lambda: self.use(self.rng.choice(functions), scope, depth)))
        if depth > 1:
            ways.append((0.4, lambda: self._either(wanted, scope, depth - 1)))
        return ways

    def _either(self, wanted: Type, scope: Scope, depth: int) -> str:
        yes, no = self.arg(wanted, scope, depth), self.arg(wanted, scope, depth)
        return f"if {self.expr(TRUTH, scope, depth)} then {yes} else {no}"

    # --- one thing ----------------------------------------------------------------------------------------------------
    def _thing(self, wanted: Type, scope: Scope, depth: int) -> Ways:
        ways = self.fitting(wanted, scope, depth)
        atoms = [self.unique[a] for a in wanted.atoms if a in self.unique]
        matches = [n for n, t in scope.items() if t.kind == "match" and t.of is not None and t.of.atoms <= wanted.atoms]
        if atoms:
            ways.append((3, lambda: self.rng.choice(sorted(atoms))))
        if self.focus and wanted.atoms == self.seats:
            ways.append((8, lambda: self.focus))
        if matches and depth > 0:
            ways.append((8, lambda: self._matched(self.rng.choice(matches), scope)))
        if depth > 0:
            group = set_of(wanted)
            ways.append((0.4, lambda: f"{self.rng.choice(['first', 'last'])} of {self.arg(group, scope, depth - 1)}"))
            if rows := self.rows(wanted):
                ways.append((0.6, lambda: f"first of ({self.use(self.rng.choice(rows), scope, 1)})"))
            if "it" not in scope:  # one `where` inside another is refused
                ways.append((0.3, lambda: f"the only {self.where(wanted, scope, depth - 1)}"))
        return ways

    def _matched(self, name: str, scope: Scope) -> str:
        return f"{name} of {self.arg(Type('thing', '', scope[name].atoms), scope, 0)}"

    def _match(self, wanted: Type, scope: Scope, depth: int) -> Ways:
        return []

    _amount = _match

    # --- numbers ------------------------------------------------------------------------------------------------------
    def _number(self, wanted: Type, scope: Scope, depth: int) -> Ways:
        ways = [*self.fitting(NUMBER, scope, depth), (2, lambda: str(self.rng.randrange(4)))]
        if depth > 0:
            low = depth - 1
            numbers = list_of(NUMBER)

            def sides() -> tuple[str, str]:
                return self.arg(NUMBER, scope, low), self.arg(NUMBER, scope, low)

            ways += [
                (2, lambda: f"count of {self.arg(self.some_set(), scope, low)}"),
                (1, lambda: f" {self.rng.choice(['plus', 'minus'])} ".join(sides())),
                (0.6, lambda: f" {self.rng.choice(['times', 'divided by'])} ".join(sides())),
                (0.3, lambda: "remainder of " + " divided by ".join(sides())),
                (0.7, lambda: f"sum of {self.arg(numbers, scope, depth)}"),
                (0.5, lambda: f"{self.rng.choice(['largest', 'smallest'])} of {self.arg(numbers, scope, depth)}"),
            ]
            if rows := self.rows():
                ways.append((2, lambda: f"count of ({self.use(self.rng.choice(rows), scope, 1)})"))
        return ways

    # --- conditions ---------------------------------------------------------------------------------------------------
    def _truth(self, wanted: Type, scope: Scope, depth: int) -> Ways:
        known = [n for n, t in scope.items() if t.kind == "truth"]
        answers = [n for n in scope if n in self.alternatives]
        ways: Ways = [(6, lambda: self.compared(scope, depth))]
        if known:
            ways.append((3, lambda: self.rng.choice(known)))
        if answers:
            ways.append((2, lambda: self._answered(self.rng.choice(answers))))
        if depth > 0:
            if self.claims:
                ways.append((3, lambda: self.use(self.rng.choice(self.claims), scope, depth)))
            if rows := self.rows():
                ways.append((1, lambda: f"{self.use(self.rng.choice(rows), scope, 1)} is none"))
            ways.append((0.4, lambda: self.included(scope, depth - 1)))
            ways.append((0.3, self.unlike))
            if kinds := self._kinds(scope):
                ways.append((1, lambda: "{} is {}a {}".format(*self.rng.choice(kinds))))
        if depth > 1:
            low = depth - 1
            ways += [
                (0.6, lambda: f"not ({self.expr(TRUTH, scope, low)})"),
                (0.5, lambda: f"({self.expr(TRUTH, scope, low)}) and ({self.expr(TRUTH, scope, low)})"),
                (0.4, lambda: f"({self.expr(TRUTH, scope, low)}) or ({self.expr(TRUTH, scope, low)})"),
                (0.8, lambda: self.quantified(scope, low)),
            ]
        return ways

    def _answered(self, name: str) -> str:
        return f"{name} is {self.rng.choice(self.alternatives[name])}"

    def _kinds(self, scope: Scope) -> list[tuple[str, str, str]]:
        """What of several kinds could be of one of them."""
        return [
            (name, no, part.name)
            for name, kind in scope.items()
            if kind.kind == "thing" and name != "it"
            for part in self.sets
            if set(part.atoms) < kind.atoms
            for no in ("", "not ")
        ]

    def compared(self, scope: Scope, depth: int) -> str:
        kind, left = self.rng.choice([*(self.some_type() for _ in range(4)), NUMBER]), ""
        if "it" in scope and self.chance(0.85):
            kind, left = scope["it"], "it"
            about = [f for f in self.columns if _takes(f, kind) and f.result.kind in ("number", "thing")]
            if about and self.chance(0.6):
                function = self.rng.choice(about)
                kind, left = function.result.definite(), function.shape.replace("_", "it")
        for _ in range(6):
            if left and not left[0].isdigit() and left not in self.unique.values():
                break
            left = self.arg(kind, scope, max(depth, 1))
        if left in self.unique.values():  # two names are never the same
            kind, left = NUMBER, f"count of {self.arg(self.some_set(), scope, 1)}"
        if kind.kind == "number":
            return f"{left} is {self.rng.choice(COMPARED)} {self.arg(NUMBER, scope, 0)}"
        if self.chance(0.25):
            return f"{left} is {self.rng.choice(['', '', 'not '])}in {self.some_of(kind, scope, depth)}"
        how, right = self.rng.choice(["is", "is", "is not"]), left
        for _ in range(6):
            if right != left:  # nobody writes `it is it`
                break
            right = self.arg(kind, scope, depth - 1)
        return f"{left} {how} {right}"

    def some_of(self, kind: Type, scope: Scope, depth: int) -> str:
        """Not all of them: nobody asks whether a card is one of the cards."""
        for _ in range(6):
            text = self.arg(set_of(kind), scope, depth)
            if " " in text or text in scope:
                return text
        return f"({self.arg(kind, scope, 0)} and {self.arg(kind, scope, 0)})"

    def included(self, scope: Scope, depth: int) -> str:
        kind = self.some_set()
        no = self.rng.choice(["", "", "not "])
        return f"{self.some_of(kind.of, scope, depth)} are {no}within {self.some_of(kind.of, scope, depth)}"

    def unlike(self) -> str:
        """No two have the same of something."""
        shared = [(f, s) for f in self.columns if f.result.kind != "set" for s in self.sets if _takes(f, s.type)]
        if not shared:
            return "count of all is 2"
        function, group = self.rng.choice(shared)
        return f"no two {group.plural} share a {function.shape.split(' ')[0]}"

    def quantified(self, scope: Scope, depth: int) -> str:
        group, name = self.rng.choice(self.sets), self.name("q")
        condition = self.expr(TRUTH, {**scope, name: group.type}, depth)
        how = self.rng.choice(["any", "every", "every", "no", "at least 2", "exactly 1", "less than 2"])
        noun = group.plural if how[-1].isdigit() else group.name
        return f"{how} {noun} called {name} such that ({condition})"

    # --- several ------------------------------------------------------------------------------------------------------
    def _set(self, wanted: Type, scope: Scope, depth: int) -> Ways:
        element = wanted.of
        if element is not None and element.kind == "number":
            return [
                *self.fitting(wanted, scope, depth),
                (2, lambda: f"{self.arg(NUMBER, scope, 0)} to {self.arg(NUMBER, scope, depth)}"),
                (1, lambda: f"{self.rng.choice('012')} to {self.rng.choice('23')}"),
            ]
        if element is None or element.kind != "thing":
            return [(1, lambda: "none")]
        wholes = [s.plural for s in self.sets if set(s.atoms) <= element.atoms]
        ways = self.fitting(wanted, scope, depth)
        if wholes:
            ways.append((4, lambda: self.rng.choice(wholes)))
        if depth > 0:
            low = depth - 1
            less = self.rng.choice([element, element, wanted])
            ways += [
                (3, lambda: f"{self.arg(wanted, scope, low)} without {self.arg(less, scope, low)}"),
                (1, lambda: f"{self.arg(element, scope, low)} and {self.arg(element, scope, low)}"),
                (1, lambda: f"{self.arg(wanted, scope, low)} plus {self.arg(element, scope, low)}"),
                (0.4, lambda: f"{self.arg(wanted, scope, low)} plus {self.arg(wanted, scope, low)}"),
            ]
            if "it" not in scope:
                ways.append((3, lambda: self.where(element, scope, low)))
            if self._measures(element):
                ways.append((0.8, lambda: self.best(element, scope, low)))
            values = [f for f in self.columns if _fits(f.result, element) and f.params]
            if values:
                ways.append((1, lambda: self.of_all(self.rng.choice(values), scope, low)))
            if links := [f for f in self.links if f.result.of is not None and f.result.of.atoms <= element.atoms]:
                ways.append((1.5, lambda: self.reached(self.rng.choice(links), scope, low)))
        return ways or [(1, lambda: "none")]

    def where(self, element: Type, scope: Scope, depth: int) -> str:
        group = self.arg(set_of(element), scope, depth)
        return f"{group} where {self.compared({**scope, 'it': element}, max(depth, 1))}"

    def _measures(self, element: Type) -> list[Function]:
        return [f for f in self.columns if _takes(f, element) and f.result.kind == "number"]

    def best(self, element: Type, scope: Scope, depth: int) -> str:
        measure = self.rng.choice(self._measures(element)).shape.removesuffix(" of _")
        group = self.arg(set_of(element), scope, depth)
        return f"{group} with the {self.rng.choice(['highest', 'lowest'])} {measure}"

    def of_all(self, function: Function, scope: Scope, depth: int) -> str:
        """What each of several has."""
        group = self.arg(set_of(function.params[0].type), scope, depth)
        return f"{function.shape.removesuffix(' _')} {group}"

    def reached(self, link: Function, scope: Scope, depth: int) -> str:
        far = self.rng.choice(["1", "2", "any number of", self.arg(NUMBER, scope, 0)])
        args = iter([self.arg(p.type, scope, depth) for p in link.params])
        word, tail = link.shape.split(" of ", 1)
        return f"{word} within {far} steps of " + " ".join(next(args) if w == "_" else w for w in tail.split(" "))

    def _list(self, wanted: Type, scope: Scope, depth: int) -> Ways:
        element = wanted.of
        if element is None:
            return []
        ways = self.fitting(wanted, scope, depth)
        if element.kind == "number":
            counted = [f for f in self.columns if f.result.kind == "number"]
            if counted:
                ways.append((4, lambda: self.of_all(self.rng.choice(counted), scope, max(depth - 1, 0))))
            if not ways:
                ways.append((1, lambda: "0 to 2"))
        elif depth > 0:
            often = [f for f in self._measures(element) if f.kind == "table"]
            if often:
                column = self.rng.choice(often).shape.split(" ")[0]
                ways.append((1, lambda: f"{self.arg(set_of(element), scope, 0)} as often as {column}"))
            ways.append((0.5, lambda: f"reversed {self.arg(set_of(element), scope, 0)}"))
        if depth > 0 and ways:
            low = depth - 1
            ways += [
                (0.7, lambda: f"{self.arg(wanted, scope, low)} plus {self.arg(element, scope, low)}"),
                (0.7, lambda: f"{self.arg(wanted, scope, low)} plus {self.arg(set_of(element), scope, low)}"),
                (0.7, lambda: f"{self.arg(wanted, scope, low)} without {self.arg(element, scope, low)}"),
                (0.3, lambda: f"reversed {self.arg(wanted, scope, low)}"),
            ]
        return ways

    def _pile(self, wanted: Type, scope: Scope, depth: int) -> Ways:
        ways = self.fitting(wanted, scope, depth)
        if wanted.of is not None and depth > 0:
            low, kind = depth - 1, set_of(wanted.of)
            ways.append((1, lambda: self.arg(kind, scope, low)))
            if len(ways) > 1:
                ways.append((0.6, lambda: f"{self.arg(wanted, scope, low)} plus {self.arg(wanted.of, scope, low)}"))
                ways.append((0.6, lambda: f"{self.arg(wanted, scope, low)} without {self.arg(wanted.of, scope, low)}"))
        return ways

    # --- where something is taken from, and who sees it ---------------------------------------------------------------
    def source(self, kind: Type, scope: Scope) -> str:
        """What can be drawn or chosen from: a set, or a pile or list."""
        rows = self.rows(kind) if kind.kind == "thing" else []
        if rows and self.chance(0.45):
            text = self.use(self.rng.choice(rows), scope, 1)
            if self.chance(0.8) or "it" in scope:
                return text
            return f"{text} where {self.compared({**scope, 'it': kind}, 1)}"
        if kind.kind == "thing" and self.chance(0.08):
            return self.expr(self.rng.choice([list_of(kind), pile_of(kind)]), scope, 2)
        return self.expr(set_of(kind), scope, 2)

    def audience(self, scope: Scope) -> str:
        seat = self.seat_type()
        return self.pick(
            [
                (6, lambda: "all"),
                (2, lambda: self.expr(seat, scope, 1)),
                (2, lambda: self.expr(set_of(seat), scope, 2)),
                (1, lambda: self._audience_by_condition(scope)),
            ]
        )

    def _audience_by_condition(self, scope: Scope) -> str:
        yes, no = self.rng.choice(["all", "nobody"]), self.arg(set_of(self.seat_type()), scope, 1)
        return f"if {self.expr(TRUTH, scope, 1)} then {yes} else {no}"


def _bracketed(text: str) -> str:
    return text if " " not in text else f"({text})"


def _takes(function: Function, kind: Type) -> bool:
    return bool(kind.atoms) and kind.atoms <= function.params[0].type.atoms


def _leads_on(function: Function) -> bool:
    """From something to others of its kind."""
    kind = function.result.of
    return (
        function.result.kind == "set"
        and kind is not None
        and bool(kind.atoms)
        and kind.atoms <= function.params[0].type.atoms
    )


def _fits(given: Type, wanted: Type) -> bool:
    if wanted.many:
        return (
            given.kind == wanted.kind and given.of is not None and wanted.of is not None and _fits(given.of, wanted.of)
        )
    if wanted.kind == "thing":
        return given.kind == "thing" and bool(given.atoms) and given.atoms <= wanted.atoms
    return given.kind == wanted.kind
