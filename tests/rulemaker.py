"""Steps that nobody has thought of: all verbs, nested, over whatever a game has. Expressions: expressionmaker.py."""

from __future__ import annotations

import random
from typing import Any

from expressionmaker import Expressions, Scope
from tabarro.interpreter.model import NUMBER, TRUTH, Function, Type, list_of, set_of

__all__ = ["Data", "Maker", "Scope"]

Data = dict[str, Any]
Made = tuple[Data, Scope]  # a step, and the names that hold after it
NOT_IN_PLAN = ("draw", "deal", "shuffle", "end", "play", "plan", "show", "return", "at once")


class Maker(Expressions):
    """Makes steps out of a vocabulary."""

    def __init__(self, words: Any, rng: random.Random, rules: dict[str, list[Type]] | None = None, prefix: str = "s"):
        super().__init__(words, rng)
        self.prefix = prefix
        self.rules = rules or {}  # rules that can be called: shape -> types of arguments
        self.returns: dict[str, Type] = {}

    # --- rows of steps ------------------------------------------------------------------------------------------------
    def steps(self, scope: Scope, size: int, depth: int, *, inside: str = "", planned: str = "") -> Data:
        """A row of steps; names that they give hold for those after them."""
        row: Data = {}
        scope = dict(scope)
        for _ in range(size):
            if not planned and self.chance(0.14):
                habit = self.rng.choice(
                    [self.another_now, self.seen_by_another, self.asked_again, self.whispered, self.left_early]
                )
                scope.update(habit(row, scope, inside))
            step, bound = self.step(scope, depth, inside=inside, planned=planned)
            row[self.name(self.prefix)] = step
            scope.update(bound)
        return row

    def another_now(self, row: Data, scope: Scope, inside: str) -> Scope:
        """Remember who it was, let it be another one, then turn to the first with what is now the other's."""
        who = [f for f in self.state if f.result.kind == "thing" and f.result.atoms <= self.seats and not f.params]
        if not who:
            return {}
        function, name = self.rng.choice(who), self.name("x")
        row[self.name(self.prefix)] = {"let": {name: function.shape}}
        row[self.name(self.prefix)] = {"set": {function.shape: self.expr(self.seat_type(), scope, 1)}}
        outer, self.focus = self.focus, function.shape
        self.turn_to(name, row, scope)
        self.focus = outer
        return {name: self.seat_type()}

    def seen_by_another(self, row: Data, scope: Scope, inside: str) -> Scope:
        """Set something, then that on which it hangs who sees it, then turn to somebody as if he had seen it."""
        hanging = [f for f in self.state if not isinstance(f.view, str) and f.view.op in ("state", "cond", "filter")]
        others = [f for f in self.state if f.result.kind == "truth" or f.result.atoms and f.result.atoms <= self.seats]
        if not hanging or not others:
            return {}
        kept, other = self.rng.choice(hanging), self.rng.choice(others)
        target = self.use(kept, scope, 1)
        row[self.name(self.prefix)] = {"set": {target: self.expr(kept.result.definite(), scope, 2)}}
        row[self.name(self.prefix)] = {"set": {self.use(other, scope, 1): self.expr(other.result.definite(), scope, 0)}}
        name = self.name("x")
        self.turn_to(
            self.expr(self.seat_type(), scope, 1), row, {**scope, name: kept.result.definite()}, {name: target}
        )
        return {}

    def asked_again(self, row: Data, scope: Scope, inside: str) -> Scope:
        """Somebody decides twice, and in between something happens that perhaps only others notice."""
        who = self.expr(self.seat_type(), scope, self.rng.choice([0, 0, 1]))
        row[self.name(self.prefix)] = self._plain_question(who)
        others = self.rng.choice([f"players without ({who})", f"players without ({who})", self.audience(scope)])
        hint: Data = {self.name(self.prefix): {"say": "Psst.", "to": others}}
        if self.chance(0.8):
            hint = {self.name(self.prefix): {"if": self.hidden(scope), "then": hint}}
        row.update(hint)
        row[self.name(self.prefix)] = self._plain_question(who)
        return {}

    def hidden(self, scope: Scope) -> str:
        """A condition on something that not all see, if there is such a thing."""
        cells = [f for f in self.state if f.view != "all" and f.result.kind == "thing" and f.result.atoms]
        if not cells or self.chance(0.2):
            return self.expr(TRUTH, scope, 2)
        function = self.rng.choice(cells)
        return f"{self.use(function, scope, 1)} is {self.expr(function.result.definite(), {}, 0)}"

    def whispered(self, row: Data, scope: Scope, inside: str) -> Scope:
        """Something is said that tells nothing, to those of whom something holds."""
        some = self.rng.choice(
            [lambda: self.where(self.seat_type(), scope, 0), lambda: self._audience_by_condition(scope)]
        )
        row[self.name(self.prefix)] = {"say": "Psst.", "to": some()}
        return {}

    def left_early(self, row: Data, scope: Scope, inside: str) -> Scope:
        """The rule is left, perhaps from within something else, and then all is as it was, or not."""
        leave: Data = {self.name(self.prefix): self.make_return(scope, 0, inside=inside)[0]}
        step: Data = {"if": self.hidden(scope), "then": leave}
        if self.chance(0.3):
            step = {"for each": f"{self.name('x')} in players", "do": {self.name(self.prefix): step}}
        row[self.name(self.prefix)] = step
        row[self.name(self.prefix)] = self.rng.choice([{"say": "Still here."}, self._plain_question("bob")])
        return {}

    def _plain_question(self, who: str) -> Data:
        return {"ask": who, "between": {self.name("alt"): None, self.name("alt"): None}}

    def turn_to(self, who: str, row: Data, scope: Scope, with_: Data | None = None) -> None:
        if with_ is not None and self.chance(0.5):
            (name,) = with_
            row[self.name(self.prefix)] = {"say": f"Here is {{{name}}}.", "with": with_, "to": who}
        elif with_ is not None:
            row[self.name(self.prefix)] = {"let": with_}
            row[self.name(self.prefix)] = self.question(who, scope, 0)[0]
        elif self.chance(0.5):
            row[self.name(self.prefix)] = self.question(who, scope, 0)[0]
        else:
            what = self.expr(self.some_type(), scope, 2)
            row[self.name(self.prefix)] = {"say": "Here is {what}.", "with": {"what": what}, "to": who}

    def body(self, scope: Scope, depth: int, **where: str) -> Data:
        return self.steps(scope, self.rng.choice([1, 1, 1, 2, 2]), depth - 1, **where)

    VERBS = {
        "if": 5,
        "cases": 0.8,
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
    NESTING = ("if", "cases", "for each", "repeat", "plan")

    def step(self, scope: Scope, depth: int, *, inside: str = "", planned: str = "") -> Made:
        verbs = dict(self.VERBS)
        for verb in self.NESTING if depth <= 0 else ():
            verbs[verb] = 0
        for verb in NOT_IN_PLAN if planned else ():
            verbs[verb] = 0
        if not self.rules:
            verbs["call"] = verbs["play"] = 0
        verb = self.rng.choices(list(verbs), list(verbs.values()))[0]
        return getattr(self, "make_" + verb.replace(" ", "_"))(scope, depth, inside=inside, planned=planned)

    # --- ways to go ---------------------------------------------------------------------------------------------------
    def make_if(self, scope: Scope, depth: int, **where: str) -> Made:
        step = {"if": self.expr(TRUTH, scope, 2), "then": self.body(scope, depth, **where)}
        if self.chance(0.12) and not where.get("planned"):
            step["then"][self.name(self.prefix)] = self.make_return(scope, depth, **where)[0]
        if self.chance(0.35):
            step["else"] = self.body(scope, depth, **where)
        return step, {}

    def make_cases(self, scope: Scope, depth: int, **where: str) -> Made:
        """By conditions, or by a value."""
        step: Data = {}
        if self.chance(0.5):
            kind = self.rng.choice([self.some_type(), NUMBER])
            step["by"] = self.expr(kind, scope, 2)
            names = (
                ["0", "1", "2"] if kind is NUMBER else sorted(self.unique[a] for a in kind.atoms if a in self.unique)
            )
            cases = self.rng.sample(names, min(len(names), 2))
        else:
            cases = [self.expr(TRUTH, scope, 1) for _ in range(2)]
        if not cases:
            return self.make_if(scope, depth, **where)
        step["cases"] = {case: self.body(scope, depth, **where) for case in cases}
        if self.chance(0.5):
            step["else"] = self.body(scope, depth, **where)
        return step, {}

    def make_for_each(self, scope: Scope, depth: int, **where: str) -> Made:
        kind, name = self.rng.choice([self.seat_type(), self.some_type(), self.some_type(), NUMBER]), self.name("x")
        rows = self.rows(kind) if kind.atoms else []
        over = self.use(self.rng.choice(rows), scope, 1) if rows and self.chance(0.3) else ""
        group = over or self.arg(set_of(kind), scope, 2) + self.turned(kind, scope)
        return {"for each": f"{name} in {group}", "do": self.body({**scope, name: kind}, depth, **where)}, {}

    def turned(self, kind: Type, scope: Scope) -> str:
        if not kind.atoms or self.chance(0.7):
            return ""
        return f" {self.rng.choice(['after', 'starting with'])} {self.arg(kind, scope, 1)}"

    def make_repeat(self, scope: Scope, depth: int, **where: str) -> Made:
        """Once, or as often as somebody says, or until the rule is left."""
        name = self.name("x")
        who = self.expr(self.seat_type(), scope, 1)
        body = self.body(scope, depth, **where)
        again: Data = {"ask": who, "between": {"more": None, "enough": None}, "as": name, "seen by": "all"}
        if not where.get("planned") and self.chance(0.15):
            stop = self.make_return(scope, depth, **where)[0]
            again["between"]["enough"] = {"then": {self.name(self.prefix): stop}}
            body[self.name(self.prefix)] = again
            return {"repeat": body}, {}
        body[self.name(self.prefix)] = again
        tests = [f"{name} is enough", f"({name} is enough) or ({self.expr(TRUTH, scope, 1)})"]
        step = {"repeat": body, "until": self.rng.choice(tests)}
        if self.chance(0.3):
            step["while"] = self.expr(TRUTH, scope, 1)
        return step, {}

    def make_call(self, scope: Scope, depth: int, **where: str) -> Made:
        shape = self.rng.choice(list(self.rules))
        args = iter([self.arg(t, scope, 1) for t in self.rules[shape]])
        step = {"call": " ".join(next(args) if word == "_" else word for word in shape.split(" "))}
        if shape in self.returns and self.chance(0.6):
            step["as"] = self.name("x")
            return step, {step["as"]: self.returns[shape]}
        return step, {}

    def make_play(self, scope: Scope, depth: int, **where: str) -> Made:
        step, _ = self.make_call(scope, depth)
        name = self.name("x")
        return {"play": step["call"], "as": name}, {name: set_of(self.seat_type())}

    def make_return(self, scope: Scope, depth: int, *, inside: str = "", **where: str) -> Made:
        kind = self.returns.get(inside)
        return {"return": "nothing" if kind is None else self.expr(kind, scope, 2)}, {}

    def make_end(self, scope: Scope, depth: int, **where: str) -> Made:
        step = {"end": self.rng.choice(["nobody", self.arg(set_of(self.seat_type()), scope, 2)])}
        if self.chance(0.4):
            step["scores"] = self.expr(NUMBER, {**scope, "it": self.seat_type()}, 1)
        if self.chance(0.2):
            step |= self.told(scope)
        return step, {}

    # --- what is known and kept ---------------------------------------------------------------------------------------
    def told(self, scope: Scope, own: Scope | None = None) -> Data:
        """A text, with something in it."""
        known = [n for n, t in {**scope, **(own or {})}.items() if n != "it" and t.kind != "match"]
        if known and self.chance(0.6):
            return {"text": "So it is: {" + self.rng.choice(known) + "}."}
        if self.chance(0.5):
            return {"text": "It is {what}.", "with": {"what": self.expr(self.some_type(), scope, 1)}}
        return {"text": "So it is."}

    def make_let(self, scope: Scope, depth: int, **where: str) -> Made:
        one = self.some_type()
        kind = self.rng.choice([one, one, set_of(one), list_of(one), TRUTH, NUMBER])
        name = self.name("x")
        return {"let": {name: self.expr(kind, scope, 2)}}, {name: kind}

    def make_set(self, scope: Scope, depth: int, **where: str) -> Made:
        targets: Data = {}
        for _ in range(self.rng.choice([1, 1, 1, 2])):
            function = self.rng.choice(self.state)
            targets[self.use(function, scope, 2)] = self.expr(function.result.definite(), scope, 2)
        return {"set": targets}, {}

    def make_show(self, scope: Scope, depth: int, **where: str) -> Made:
        kind = self.rng.choice([self.some_type(), self.some_set(), TRUTH, TRUTH, NUMBER])
        step = {"show": self.expr(kind, scope, 2)}
        if self.chance(0.5):
            step["to"] = self.audience(scope)
        if self.chance(0.1):
            step |= self.told(scope)
        if self.chance(0.6):
            step["as"] = self.name("x")
            return step, {step["as"]: kind}
        return step, {}

    def make_say(self, scope: Scope, depth: int, **where: str) -> Made:
        step: Data = {"say": "So it is."}
        if self.chance(0.6):
            told = self.told(scope)
            step = {"say": told.pop("text"), **told}
        if self.chance(0.5):
            step["to"] = self.audience(scope)
        return step, {}

    # --- chance -------------------------------------------------------------------------------------------------------
    def make_draw(self, scope: Scope, depth: int, **where: str) -> Made:
        kind = self.rng.choices([self.some_type(), NUMBER], [9, 1])[0]
        number = self.rng.choices(["1", "2", self.arg(NUMBER, scope, 1)], [6, 1, 1])[0]
        name = self.name("x")
        step: Data = {"draw": _plain(number), "from": self.source(kind, scope), "as": name}
        if self.chance(0.6):
            step["seen by"] = self.audience(scope)
        if self.chance(0.1):
            step |= self.told(scope, {name: kind})
        step["if none"] = self.none(scope, depth, **where)
        return step, {name: kind if number == "1" else set_of(kind)}

    def none(self, scope: Scope, depth: int, **where: str) -> Any:
        return self.rng.choices(
            [lambda: "never", lambda: {}, lambda: self.body(scope, min(depth, 1), **where)], [3, 3, 1]
        )[0]()

    def make_deal(self, scope: Scope, depth: int, **where: str) -> Made:
        targets = [f for f in self.state if len(f.params) == 1 and f.shape.endswith(" of _") and _holds(f)]
        if not targets:
            return self.make_let(scope, depth)
        function = self.rng.choice(targets)
        card = function.result.of if function.result.many else function.result.definite()
        step: Data = {
            "deal": self.source(card, scope),
            "to": self.expr(set_of(function.params[0].type), scope, 1),
            "as": function.shape.split(" ")[0],
        }
        if function.result.many:
            step["each"] = _plain(self.rng.choice(["1", "1", self.arg(NUMBER, scope, 1)]))
        return step, {}

    def make_shuffle(self, scope: Scope, depth: int, **where: str) -> Made:
        rows = [f for f in self.state if f.result.kind == "list"]
        if not rows:
            return self.make_say(scope, depth)
        return {"shuffle": self.use(self.rng.choice(rows), scope, 1)}, {}

    def make_move(self, scope: Scope, depth: int, **where: str) -> Made:
        rows = self.rows()
        if not rows:
            return self.make_set(scope, depth)
        start, end = self.rng.choice(rows), self.rng.choice(rows)
        here, kind = self.use(start, scope, 1), start.result.of
        whole = here if " " not in here else f"({here})"
        what = self.pick(
            [
                (2, lambda: self.expr(kind, scope, 1)),
                (1, lambda: f"{self.rng.choice(['first', 'first', 'last'])} of {whole}"),
                (1, lambda: f"{here} where {self.compared({**scope, 'it': kind}, 1)}"),
                (1, lambda: here),
            ]
        )
        key = "under" if end.result.kind == "list" and self.chance(0.4) else "to"
        return {"move": what, "from": here, key: self.use(end, scope, 1)}, {}

    # --- questions ----------------------------------------------------------------------------------------------------
    def part(self, scope: Scope, around: Scope) -> tuple[Any, Type]:
        """What is asked for, and its type; `around` are the names without those that the same question gives."""
        kind = self.rng.choices([self.some_type(), NUMBER], [8, 1])[0]
        shape = self.rng.choices(["one", "some", "match"], [8, 1.5, 0.9])[0]
        spec, result = self.source(kind, scope), kind
        if shape == "match" and (pairs := [s for s in self.sets if len(s.atoms) <= 3]):
            one = self.rng.choice(pairs)
            other = self.rng.choice([s for s in self.sets if len(one.atoms) <= len(s.atoms) <= 4] or [one])
            result = Type("match", "match", frozenset(one.atoms), other.type)
            spec = {"match": one.plural, "with": other.plural}
        elif shape == "some":
            few = ["any number", "1", "at most 1", f"at least {self.arg(NUMBER, scope, 1)}", self.arg(NUMBER, scope, 1)]
            spec = {"some of": spec, "how many": self.rng.choice(few)}
            result = set_of(kind)
            if self.chance(0.4) and kind.atoms:
                condition = self.compared({**scope, "it": kind}, 1)
                spec["of which"] = {condition: self.rng.choice(["at most 1", "any number", "at least 1"])}
        if self.chance(0.15 if shape == "one" else 0.35):
            spec = spec if isinstance(spec, dict) else {"from": spec}
            spec["seen by"] = self.audience(around)
            if self.chance(0.6):
                spec["text"] = self.told(around)["text"].replace("{what}", "{who}")
        return spec, result

    def make_ask(self, scope: Scope, depth: int, **where: str) -> Made:
        return self.question(self.expr(self.seat_type(), scope, 1), scope, depth, **where)

    def question(self, who: str, scope: Scope, depth: int, **where: str) -> Made:
        outer, self.focus = self.focus, self.focus or (who if " " not in who else "")
        found = self._question(who, scope, depth, **where)
        self.focus = outer
        return found

    def _question(self, who: str, scope: Scope, depth: int, **where: str) -> Made:
        step: Data = {"ask": who}
        bound: Scope = {}
        if self.chance(0.6):
            parts: Data = {}
            for _ in range(self.rng.choice([1, 1, 1, 2])):
                name = self.name("x")
                parts[name], bound[name] = self.part({**scope, **bound}, scope)
            step["for"] = parts
            if self.chance(0.25):
                step["where"] = self.expr(TRUTH, {**scope, **bound}, 1)
        else:
            names = [self.name("alt") for _ in range(2)]
            step["between"] = {name: self.alternative(scope, depth, **where) for name in names}
            if self.chance(0.2):
                self.rng.choice(list(step["between"].values())) or step["between"].update({names[0]: {"pass": True}})
            step["between"] = {name: option or None for name, option in step["between"].items()}
            if self.chance(0.4):
                step["as"] = self.name("x")
                self.alternatives[step["as"]] = names
                bound[step["as"]] = Type("thing", "answer")
        if self.chance(0.55):
            step["seen by"] = self.audience(scope)
        if self.chance(0.15):
            known = [n for n, t in scope.items() if t.kind != "match"]
            step["prompt"] = "Well, {" + self.rng.choice(known) + "}?" if known else "Well?"
        if self.chance(0.1):
            step |= self.told(scope, {n: t for n, t in bound.items() if n in step.get("for", ())})
        step["if none"] = self.none(scope, depth, **where)
        return step, bound

    def alternative(self, scope: Scope, depth: int, **where: str) -> Data:
        option: Data = {}
        inner = dict(scope)
        if self.chance(0.3):
            option["if"] = self.expr(TRUTH, scope, 2)
        if self.chance(0.3):
            name = self.name("x")
            spec, inner[name] = self.part(scope, scope)
            option["for"] = {name: spec}
            if self.chance(0.2):
                option["where"] = self.expr(TRUTH, inner, 1)
        if self.chance(0.5) and depth > 0:
            option["then"] = self.body(inner, depth, **where)
        if self.chance(0.15):
            option |= self.told(inner)
        if self.chance(0.05):
            option["rarely"] = 3
        return option

    def make_at_once(self, scope: Scope, depth: int, **where: str) -> Made:
        """Several are asked, and what they answer is kept."""
        cells = [
            f
            for f in self.state
            if len(f.params) == 1
            and f.shape.endswith(" of _")
            and f.params[0].type.atoms <= self.seats
            and f.result.kind in ("thing", "number")
        ]
        if not cells:
            return self.make_ask(scope, depth, **where)
        function, name = self.rng.choice(cells), self.name("x")
        inner = {**scope, name: function.params[0].type}
        seats = self.arg(set_of(function.params[0].type), scope, 1)
        outer, self.focus = self.focus, name
        chosen = self.name("x")
        step: Data = {
            "ask": f"{name} in {seats}",
            "for": {chosen: self.source(function.result.definite(), inner)},
            "as": function.shape.split(" ")[0],
            "if none": "never",
        }
        if self.chance(0.2):
            step["where"] = self.expr(TRUTH, {**inner, chosen: function.result.definite()}, 1)
        self.focus = outer
        if self.chance(0.5):
            step |= self.told(inner)
        return step, {}

    def make_plan(self, scope: Scope, depth: int, **where: str) -> Made:
        who = self.expr(self.seat_type(), scope, 1)
        row: Data = {}
        inner = dict(scope)
        for _ in range(self.rng.choice([1, 2])):
            step, bound = self.question(who, inner, 0, planned="yes")
            step["if none"] = {}
            row[self.name(self.prefix)] = step
            inner.update(bound)
            if self.chance(0.5):
                step, _ = self.step(inner, depth - 1, planned="yes")
                row[self.name(self.prefix)] = step
        return {"plan": who, "do": row, "must": {self.name("m"): self.expr(TRUTH, inner, 1)}}, {}


def _plain(text: str) -> Any:
    return int(text) if text.isdigit() else text


def _holds(function: Function) -> bool:
    """Can something be dealt into it?"""
    return function.result.kind in ("thing", "number") or function.result.many and function.result.of is not None
