"""Steps and expressions that nobody has thought of.

Everything is made from the vocabulary of the game at hand (its things, state, words, tables, and the names that hold at
the place), by types, so that most of what comes out can be read; whether it gives a secret away is left to chance.
"""

from __future__ import annotations

import random
from typing import Any

from tabarro.interpreter.model import NUMBER, TRUTH, Function, Type, set_of

Scope = dict[str, Type]
Data = dict[str, Any]
FORBIDDEN_IN_PLAN = ("draw", "deal", "end", "play", "plan", "show", "return", "move", "shuffle")


class Maker:
    """Makes expressions and steps out of a vocabulary."""

    def __init__(self, words: Any, rng: random.Random, rules: dict[str, list[Type]] | None = None, prefix: str = "s"):
        self.words, self.rng, self.prefix = words, rng, prefix
        self.rules = rules or {}  # rules that can be called: shape -> types of arguments
        self.returns: dict[str, Type] = {}
        self.seats = frozenset(words.seats)
        self.seat = Type("thing", "seat", self.seats)
        self.functions = [
            f for same in words.functions.values() for f in same if not any(p.type.many for p in f.params)
        ]
        self.state = [f for f in self.functions if f.kind == "state"]
        self.sets = [s for s in words.sets.values() if s.atoms]
        names: dict[str, int] = {}
        for atom in words.atoms:
            names[atom.name] = names.get(atom.name, 0) + 1
        self.unique = {a.number: a.name for a in words.atoms if names[a.name] == 1}
        self.count = 0
        self.focus = ""  # who is just spoken of: rules mostly say something about that very one

    # --- choosing -----------------------------------------------------------------------------------------------------
    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def name(self, stem: str = "") -> str:
        self.count += 1
        return f"{stem or self.prefix}{self.count}"

    # --- expressions --------------------------------------------------------------------------------------------------
    def expr(self, wanted: Type, scope: Scope, depth: int = 2) -> str:
        """Some expression of this type; text of the plainest kind where there is no other."""
        ways = getattr(self, "_" + wanted.kind)(wanted, scope, depth)
        weights, makers = zip(*ways)
        return self.rng.choices(makers, weights)[0]()

    def arg(self, wanted: Type, scope: Scope, depth: int) -> str:
        text = self.expr(wanted, scope, depth)
        return text if " " not in text else f"({text})"

    def use(self, function: Function, scope: Scope, depth: int) -> str:
        pieces = function.shape.split(" ")
        args = iter([self.arg(p.type, scope, depth - 1) for p in function.params])
        return " ".join(next(args) if piece == "_" else piece for piece in pieces)

    def fitting(self, wanted: Type) -> list[Function]:
        return [f for f in self.functions if _fits(f.result, wanted) and " is " not in f" {f.shape} "]

    def _thing(self, wanted: Type, scope: Scope, depth: int) -> list:
        known = [n for n, t in scope.items() if t.kind == "thing" and t.atoms and t.atoms <= wanted.atoms]
        atoms = [self.unique[a] for a in wanted.atoms if a in self.unique]
        ways = []
        if atoms:
            ways.append((2 if known else 4, lambda: self.rng.choice(sorted(atoms))))
        if known:
            ways.append((5, lambda: self.rng.choice(known)))
        if self.focus and wanted.atoms == self.seats:
            ways.append((8, lambda: self.focus))
        if depth > 0:
            functions = self.fitting(wanted)
            if functions:
                ways.append((4, lambda: self.use(self.rng.choice(functions), scope, depth)))
            ways.append((0.3, lambda: f"first of {self.arg(set_of(wanted), scope, depth - 1)}"))
            if "it" not in scope:  # one `where` inside another is refused
                ways.append((0.3, lambda: f"the only {self.where(wanted, scope, depth - 1)}"))
            ways.append(
                (
                    0.5,
                    lambda: (
                        f"if {self.expr(TRUTH, scope, depth - 1)} then {self.arg(wanted, scope, depth - 1)} "
                        f"else {self.arg(wanted, scope, depth - 1)}"
                    ),
                )
            )
        return ways or [(1, lambda: "nothing")]

    def _number(self, wanted: Type, scope: Scope, depth: int) -> list:
        known = [n for n, t in scope.items() if t.kind == "number"]
        ways = [(2, lambda: str(self.rng.randrange(4)))]
        if known:
            ways.append((4, lambda: self.rng.choice(known)))
        if depth > 0:
            functions = self.fitting(NUMBER)
            if functions:
                ways.append((5, lambda: self.use(self.rng.choice(functions), scope, depth)))
            ways.append((2, lambda: f"count of {self.arg(self.some_set(), scope, depth - 1)}"))
            if self.rows():
                ways.append((2, lambda: f"count of ({self.use(self.rng.choice(self.rows()), scope, 1)})"))
            ways.append(
                (
                    1,
                    lambda: (
                        f"{self.arg(NUMBER, scope, depth - 1)} {self.rng.choice(['plus', 'minus'])} "
                        f"{self.arg(NUMBER, scope, depth - 1)}"
                    ),
                )
            )
        return ways

    def _truth(self, wanted: Type, scope: Scope, depth: int) -> list:
        known = [n for n, t in scope.items() if t.kind == "truth"]
        claims = [f for f in self.functions if f.result.kind == "truth"]
        ways = []
        if known:
            ways.append((3, lambda: self.rng.choice(known)))
        if claims and depth > 0:
            ways.append((3, lambda: self.use(self.rng.choice(claims), scope, depth)))
        ways.append((6, lambda: self.compared(scope, depth)))
        if self.rows() and depth > 0:
            ways.append((1, lambda: f"{self.use(self.rng.choice(self.rows()), scope, 1)} is none"))
        if depth > 1:
            ways.append((0.6, lambda: f"not ({self.expr(TRUTH, scope, depth - 1)})"))
            ways.append(
                (
                    0.8,
                    lambda: (
                        f"({self.expr(TRUTH, scope, depth - 1)}) {self.rng.choice(['and', 'or'])} "
                        f"({self.expr(TRUTH, scope, depth - 1)})"
                    ),
                )
            )
            ways.append((0.8, lambda: self.quantified(scope, depth - 1)))
        return ways

    def compared(self, scope: Scope, depth: int) -> str:
        kind, left = self.rng.choice([*(self.some_type() for _ in range(4)), NUMBER]), ""
        if "it" in scope and self.chance(0.85):
            kind, left = scope["it"], "it"
            about = [
                f
                for f in self.functions
                if len(f.params) == 1
                and kind.atoms <= f.params[0].type.atoms
                and f.shape.endswith(" of _")
                and (f.result.kind == "number" or f.result.kind == "thing" and f.result.atoms)
            ]
            if about and self.chance(0.6):
                function = self.rng.choice(about)
                kind, left = function.result.definite(), function.shape.replace("_", "it")
        for _ in range(6):
            if left and not left[0].isdigit() and left not in self.unique.values():
                break
            left = self.arg(kind, scope, max(depth, 1))
        if kind.kind == "number":
            how = self.rng.choice(["at least", "at most", "exactly", "more than", "less than"])
            return f"{left} is {how} {self.arg(NUMBER, scope, 0)}"
        if self.chance(0.25):
            return f"{left} is in {self.arg(set_of(kind), scope, depth - 1)}"
        how, right = self.rng.choice(["is", "is", "is not"]), left
        for _ in range(6):
            if right != left:  # nobody writes `it is it`
                break
            right = self.arg(kind, scope, depth - 1)
        return f"{left} {how} {right}"

    def quantified(self, scope: Scope, depth: int) -> str:
        group = self.rng.choice(self.sets)
        name = self.name("q")
        inner = {**scope, name: group.type}
        return f"{self.rng.choice(['any', 'every', 'no'])} {group.name} called {name} such that ({self.expr(TRUTH, inner, depth)})"

    def _set(self, wanted: Type, scope: Scope, depth: int) -> list:
        element = wanted.of
        if element is None or element.kind != "thing":
            return [(1, lambda: "none")]
        wholes = [s.plural for s in self.sets if set(s.atoms) <= element.atoms]
        known = [n for n, t in scope.items() if t.kind == "set" and t.of is not None and _fits(t, wanted)]
        functions = self.fitting(wanted)
        ways = []
        if wholes:
            ways.append((4, lambda: self.rng.choice(wholes)))
        if known:
            ways.append((4, lambda: self.rng.choice(known)))
        if functions and depth > 0:
            ways.append((5, lambda: self.use(self.rng.choice(functions), scope, depth)))
        if depth > 0:
            if "it" not in scope:
                ways.append((3, lambda: self.where(element, scope, depth - 1)))
            ways.append(
                (
                    3,
                    lambda: (
                        f"{self.arg(wanted, scope, depth - 1)} without {self.arg(self.rng.choice([element, element, wanted]), scope, depth - 1)}"
                    ),
                )
            )
            ways.append((1, lambda: f"{self.arg(element, scope, depth - 1)} and {self.arg(element, scope, depth - 1)}"))
            ways.append((1, lambda: f"{self.arg(wanted, scope, depth - 1)} plus {self.arg(element, scope, depth - 1)}"))
        return ways or [(1, lambda: "none")]

    def _list(self, wanted: Type, scope: Scope, depth: int) -> list:
        functions = self.fitting(wanted)
        return [(1, lambda: self.use(self.rng.choice(functions), scope, depth))] if functions else [(1, lambda: "none")]

    _pile = _list

    def _match(self, wanted: Type, scope: Scope, depth: int) -> list:
        return [(1, lambda: "nothing")]

    _amount = _match

    def where(self, element: Type, scope: Scope, depth: int) -> str:
        group = self.arg(set_of(element), scope, depth)
        return f"{group} where {self.compared({**scope, 'it': element}, max(depth, 1))}"

    def some_type(self) -> Type:
        """The type of something that changes, or a seat."""
        kinds = [f.result for f in self.state if f.result.kind == "thing"]
        kinds += [f.result.of for f in self.state if f.result.many and f.result.of is not None and f.result.of.atoms]
        kinds.append(self.seat_type())
        return self.rng.choice(kinds).definite()

    def seat_type(self) -> Type:
        homes = [s.type for s in self.sets if set(s.atoms) <= self.seats]
        return homes[0] if homes else self.seat

    def rows(self, kind: Type | None = None) -> list[Function]:
        """State that is a pile or a list, of this kind of things or of any."""
        rows = [f for f in self.state if f.result.kind in ("pile", "list") and f.result.of is not None]
        return [f for f in rows if f.result.of.atoms and (kind is None or f.result.of.atoms <= kind.atoms)]

    def source(self, kind: Type, scope: Scope) -> str:
        """What can be drawn or chosen from: a set, or a pile or list of the state."""
        rows = self.rows(kind)
        if rows and self.chance(0.45):
            text = self.use(self.rng.choice(rows), scope, 1)
            return (
                text if self.chance(0.8) or "it" in scope else f"{text} where {self.compared({**scope, 'it': kind}, 1)}"
            )
        return self.expr(set_of(kind), scope, 2)

    def some_set(self) -> Type:
        return set_of(self.some_type())

    def audience(self, scope: Scope) -> str:
        return self.rng.choices(
            [
                lambda: "all",
                lambda: self.expr(self.seat_type(), scope, 1),
                lambda: self.expr(set_of(self.seat_type()), scope, 2),
                lambda: (
                    f"if {self.expr(TRUTH, scope, 1)} then {self.rng.choice(['all', 'nobody'])} "
                    f"else {self.arg(set_of(self.seat_type()), scope, 1)}"
                ),
            ],
            [6, 2, 2, 1],
        )[0]()

    # --- steps --------------------------------------------------------------------------------------------------------
    def steps(self, scope: Scope, size: int, depth: int, *, inside: str = "", planned: str = "") -> Data:
        """A row of steps; names that they give hold for those after them."""
        row: Data = {}
        scope = dict(scope)
        for _ in range(size):
            if self.chance(0.06) and not planned:
                scope.update(self.stale(row, scope))
            step, bound = self.step(scope, depth, inside=inside, planned=planned)
            row[self.name()] = step
            scope.update(bound)
        return row

    def stale(self, row: Data, scope: Scope) -> Scope:
        """Remember who it was, let it be another one, then turn to the first with what is now the other's."""
        who = [f for f in self.state if f.result.kind == "thing" and f.result.atoms <= self.seats and not f.params]
        if not who:
            return {}
        function, name = self.rng.choice(who), self.name("x")
        row[self.name()] = {"let": {name: function.shape}}
        row[self.name()] = {"set": {function.shape: self.expr(self.seat_type(), scope, 1)}}
        self.focus = function.shape
        step = self.rng.choice(
            [
                lambda: self.question(name, scope, 0)[0],
                lambda: {"say": "Here is {what}.", "with": {"what": self.expr(self.some_type(), scope, 2)}, "to": name},
            ]
        )()
        row[self.name()] = step
        self.focus = ""
        return {name: self.seat_type()}

    def body(self, scope: Scope, depth: int, **where: str) -> Data:
        return self.steps(scope, self.rng.choice([1, 1, 1, 2, 2]), depth - 1, **where)

    VERBS = {
        "if": 5,
        "for each": 2,
        "repeat": 0.7,
        "call": 2,
        "return": 1.5,
        "play": 0.4,
        "end": 0.6,
        "ask": 5,
        "plan": 0.5,
        "draw": 2.5,
        "deal": 0.8,
        "let": 1.5,
        "move": 1.5,
        "shuffle": 0.3,
        "at once": 0.7,
        "set": 4,
        "show": 1.2,
        "say": 2,
    }
    NESTING = ("if", "for each", "repeat", "plan")

    def step(self, scope: Scope, depth: int, *, inside: str = "", planned: str = "") -> tuple[Data, Scope]:
        verbs = dict(self.VERBS)
        if depth <= 0:
            for verb in self.NESTING:
                verbs[verb] = 0
        if planned:
            for verb in FORBIDDEN_IN_PLAN:
                verbs[verb] = 0
        if not self.rules or planned:
            verbs["call"] = verbs["play"] = 0
        if planned:
            verbs["at once"] = 0
        verb = self.rng.choices(list(verbs), list(verbs.values()))[0]
        return getattr(self, "make_" + verb.replace(" ", "_"))(scope, depth, inside=inside, planned=planned)

    def make_if(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        step = {"if": self.expr(TRUTH, scope, 2), "then": self.body(scope, depth, **where)}
        if self.chance(0.12) and not where.get("planned"):
            step["then"][self.name()] = self.make_return(scope, depth, **where)[0]
        if self.chance(0.35):
            step["else"] = self.body(scope, depth, **where)
        return step, {}

    def make_for_each(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        kind, name = self.rng.choice([self.seat_type(), self.some_type()]), self.name("x")
        inner = {**scope, name: kind}
        return {
            "for each": f"{name} in {self.arg(set_of(kind), scope, 2)}{self.turned(kind, scope)}",
            "do": self.body(inner, depth, **where),
        }, {}

    def turned(self, kind: Type, scope: Scope) -> str:
        if not kind.atoms <= self.seats or self.chance(0.8):
            return ""
        return f" {self.rng.choice(['after', 'starting with'])} {self.arg(kind, scope, 1)}"

    def make_repeat(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        """Once, or as often as somebody says."""
        name = self.name("x")
        who = self.expr(self.seat_type(), scope, 1)
        body = self.body(scope, depth, **where)
        body[self.name()] = {"ask": who, "between": {"more": None, "enough": None}, "as": name, "seen by": "all"}
        tests = [f"{name} is enough", f"({name} is enough) or ({self.expr(TRUTH, scope, 1)})"]
        step = {"repeat": body, "until": self.rng.choice(tests)}
        if self.chance(0.3):
            step["while"] = self.expr(TRUTH, scope, 1)
        return step, {}

    def make_call(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        shape = self.rng.choice(list(self.rules))
        args = iter([self.arg(t, scope, 1) for t in self.rules[shape]])
        step = {"call": " ".join(next(args) if word == "_" else word for word in shape.split(" "))}
        if shape in self.returns and self.chance(0.6):
            step["as"] = self.name("x")
            return step, {step["as"]: self.returns[shape]}
        return step, {}

    def make_play(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        step, _ = self.make_call(scope, depth)
        name = self.name("x")
        return {"play": step["call"], "as": name}, {name: set_of(self.seat_type())}

    def make_return(self, scope: Scope, depth: int, *, inside: str = "", **where: str) -> tuple[Data, Scope]:
        kind = self.returns.get(inside)
        return {"return": "nothing" if kind is None else self.expr(kind, scope, 2)}, {}

    def make_end(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        step = {"end": self.rng.choice(["nobody", self.arg(set_of(self.seat_type()), scope, 2)])}
        if self.chance(0.2):
            step["scores"] = "1"
        return step, {}

    def make_let(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        kind = self.rng.choice([self.some_type(), self.some_type(), self.some_set(), TRUTH, NUMBER])
        name = self.name("x")
        return {"let": {name: self.expr(kind, scope, 2)}}, {name: kind}

    def make_set(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        targets: Data = {}
        for _ in range(self.rng.choice([1, 1, 1, 2])):
            function = self.rng.choice(self.state)
            target = self.use(function, scope, 2)
            targets[target] = self.expr(function.result.definite(), scope, 2)
        return {"set": targets}, {}

    def make_show(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        kind = self.rng.choice([self.some_type(), self.some_set(), TRUTH, TRUTH, NUMBER])
        step = {"show": self.expr(kind, scope, 2)}
        if self.chance(0.5):
            step["to"] = self.audience(scope)
        if self.chance(0.6):
            step["as"] = self.name("x")
            return step, {step["as"]: kind}
        return step, {}

    def make_say(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        step: Data = {"say": "So it is."}
        if self.chance(0.4):
            step = {"say": "Here is {what}.", "with": {"what": self.expr(self.some_type(), scope, 2)}}
        elif scope and self.chance(0.4):
            step = {"say": "Here is {" + self.rng.choice([n for n in scope]) + "}."}
        if self.chance(0.5):
            step["to"] = self.audience(scope)
        return step, {}

    def make_draw(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        kind = self.some_type()
        number = self.rng.choices(["1", "2", self.arg(NUMBER, scope, 1)], [6, 1, 1])[0]
        name = self.name("x")
        step: Data = {"draw": _plain(number), "from": self.source(kind, scope), "as": name}
        if self.chance(0.6):
            step["seen by"] = self.audience(scope)
        step["if none"] = self.none(scope, depth, **where)
        return step, {name: kind if number == "1" else set_of(kind)}

    def none(self, scope: Scope, depth: int, **where: str) -> Any:
        return self.rng.choices(
            [lambda: "never", lambda: {}, lambda: self.body(scope, min(depth, 1), **where)], [3, 3, 1]
        )[0]()

    def make_deal(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        targets = [
            f
            for f in self.state
            if len(f.params) == 1
            and f.shape.endswith(" of _")
            and (f.result.kind == "thing" or f.result.kind in ("set", "pile") and f.result.of is not None)
        ]
        if not targets:
            return self.make_let(scope, depth)
        function = self.rng.choice(targets)
        card = function.result if function.result.kind == "thing" else function.result.of
        step: Data = {
            "deal": self.source(card, scope),
            "to": self.expr(set_of(function.params[0].type), scope, 1),
            "as": function.shape.split(" ")[0],
        }
        if function.result.many:
            step["each"] = _plain(self.rng.choice(["1", "1", self.arg(NUMBER, scope, 1)]))
        return step, {}

    # --- questions ----------------------------------------------------------------------------------------------------
    def part(self, scope: Scope) -> tuple[Any, Type]:
        kind = self.some_type()
        shape = self.rng.choices(["one", "some", "match"], [8, 1.5, 0.4])[0]
        if shape == "match":
            pairs = [s for s in self.sets if len(s.atoms) <= 3]
            if pairs:
                one = self.rng.choice(pairs)
                other = self.rng.choice([s for s in self.sets if len(one.atoms) <= len(s.atoms) <= 4] or [one])
                return {"match": one.plural, "with": other.plural}, Type("match", "match")
        if shape == "some":
            spec: Data = {
                "some of": self.expr(set_of(kind), scope, 2),
                "how many": self.rng.choice(["any number", "1", "at most 1", f"at least {self.arg(NUMBER, scope, 1)}"]),
            }
            if self.chance(0.4):
                inner = {**scope, "it": kind}
                spec["of which"] = {self.compared(inner, 1): self.rng.choice(["at most 1", "any number", "at least 1"])}
            return spec, set_of(kind)
        source = self.source(kind, scope)
        if self.chance(0.12):
            return {"from": source, "seen by": self.audience(scope)}, kind
        return source, kind

    def make_move(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        rows = self.rows()
        if not rows:
            return self.make_set(scope, depth)
        start, end = self.rng.choice(rows), self.rng.choice(rows)
        here, kind = self.use(start, scope, 1), start.result.of
        what = self.rng.choice(
            [
                lambda: self.expr(kind, scope, 1),
                lambda: self.expr(kind, scope, 1),
                lambda: f"first of {here if ' ' not in here else f'({here})'}",
                lambda: f"{here} where {self.compared({**scope, 'it': kind}, 1)}",
                lambda: here,
            ]
        )()
        key = "under" if end.result.kind == "list" and self.chance(0.3) else "to"
        return {"move": what, "from": here, key: self.use(end, scope, 1)}, {}

    def make_shuffle(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        rows = [f for f in self.rows() if f.result.kind == "list"]
        if not rows:
            return self.make_say(scope, depth)
        return {"shuffle": self.use(self.rng.choice(rows), scope, 1)}, {}

    def make_at_once(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        """Several are asked, and what they answer is kept."""
        cells = [
            f
            for f in self.state
            if len(f.params) == 1
            and f.shape.endswith(" of _")
            and f.params[0].type.atoms <= self.seats
            and f.result.kind == "thing"
            and f.result.atoms
        ]
        if not cells:
            return self.make_ask(scope, depth, **where)
        function, name = self.rng.choice(cells), self.name("x")
        inner = {**scope, name: function.params[0].type}
        seats = self.arg(set_of(function.params[0].type), scope, 1)
        outer, self.focus = self.focus, name
        step: Data = {
            "ask": f"{name} in {seats}",
            "for": {self.name("x"): self.source(function.result.definite(), inner)},
            "as": function.shape.split(" ")[0],
            "if none": "never",
        }
        self.focus = outer
        if self.chance(0.5):
            step["text"] = "So be it."
        return step, {}

    def make_ask(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        who = self.expr(self.seat_type(), scope, 1)
        return self.question(who, scope, depth, **where)

    def question(self, who: str, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        outer, self.focus = self.focus, self.focus or (who if " " not in who else "")
        found = self._question(who, scope, depth, **where)
        self.focus = outer
        return found

    def _question(self, who: str, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        step: Data = {"ask": who}
        bound: Scope = {}
        if self.chance(0.6):
            parts: Data = {}
            for _ in range(self.rng.choice([1, 1, 1, 2])):
                name = self.name("x")
                parts[name], kind = self.part({**scope, **bound})
                if kind.kind != "match":
                    bound[name] = kind
            step["for"] = parts
            if self.chance(0.25) and bound:
                step["where"] = self.expr(TRUTH, {**scope, **bound}, 1)
        else:
            between: Data = {}
            for _ in range(2):
                option: Data = {}
                inner = dict(scope)
                if self.chance(0.3):
                    option["if"] = self.expr(TRUTH, scope, 2)
                if self.chance(0.3):
                    name = self.name("x")
                    option["for"] = {name: None}
                    option["for"][name], kind = self.part(scope)
                    inner[name] = kind
                    if kind.kind == "match":
                        del inner[name]
                if self.chance(0.5) and depth > 0:
                    option["then"] = self.body(inner, depth, **where)
                between[self.name("alt")] = option or None
            step["between"] = between
        if self.chance(0.55):
            step["seen by"] = self.audience(scope)
        if self.chance(0.15):
            step["prompt"] = "Well, {" + self.rng.choice(list(scope)) + "}?" if scope else "Well?"
        step["if none"] = self.none(scope, depth, **where)
        return step, bound

    def make_plan(self, scope: Scope, depth: int, **where: str) -> tuple[Data, Scope]:
        who = self.expr(self.seat_type(), scope, 1)
        row: Data = {}
        inner = dict(scope)
        for _ in range(self.rng.choice([1, 2])):
            step, bound = self.question(who, inner, 0, planned="yes")
            step["if none"] = {}
            row[self.name()] = step
            inner.update(bound)
            if self.chance(0.5):
                step, bound = self.step(inner, depth - 1, planned="yes")
                row[self.name()] = step
        return {"plan": who, "do": row, "must": {self.name("m"): self.expr(TRUTH, inner, 1)}}, {}


def _plain(text: str) -> Any:
    return int(text) if text.isdigit() else text


def _fits(given: Type, wanted: Type) -> bool:
    if wanted.kind in ("set", "list"):
        return (
            given.kind == wanted.kind
            and given.of is not None
            and wanted.of is not None
            and given.of.kind == wanted.of.kind
            and given.of.atoms <= wanted.of.atoms
        )
    if wanted.kind == "thing":
        return given.kind == "thing" and bool(given.atoms) and given.atoms <= wanted.atoms
    return given.kind == wanted.kind
