"""Who may know what: a check of the rules, before anybody plays.

Every expression has a label: the secrets it depends on, each with those who may know it. Labels flow through
expressions, names, conditions, loops and calls. Nothing that a player sees, be it only that he is asked, may depend on
a secret that is not his; `show` and `end` are the only steps that make a secret known, and they say so.

Seats are compared as they are written: `hand of giver`, seen by its owner, may be known to `giver`, and to nobody else.
That is cautious: what cannot be seen to be right is refused, and `show` is always a way out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from enum import Enum
from typing import Final, NamedTuple

from .errors import Problem, RulesError, problem
from .evaluate import settled_value
from .model import Expr, Function, Part, Rule, Step, Var
from .operations import OPERATIONS
from .steps import Rules

__all__ = ["check_flow"]

Term = tuple[Hashable, ...]  # an expression for a seat, in a form that can be compared
Label = frozenset["Secret"]
PUBLIC: Label = frozenset()
MAX_CALLS = 3_000  # different ways in which rules are called

# What flows through an operation: a rule of its own in `label`, or simply all that flows into its parts.
OWN_RULE = frozenset(
    {"const", "var", "matched", "state", "table", "word", "formula", "and", "or", "cond", "count", "first", "eq"}
) | {name for name, operation in OPERATIONS.items() if operation.cost == "each"}
ALL_PARTS = frozenset(
    {"not", "less", "member", "within", "only", "last", "reversed", "rotated", "after"}
    | {"gather", "join", "append", "extend", "heap", "without", "remove", "add", "sub", "mul", "amount"}
)


class Secret(NamedTuple):
    name: str
    readers: frozenset[Term]


class Everyone(Enum):
    """The audience `all`: contains every reader, is contained in none but itself."""

    ALL = "all"


ALL: Final = Everyone.ALL
Audience = frozenset[Term] | Everyone


def check_flow(rules: Rules) -> None:
    flow = _Flow(rules)
    flow.rule(rules.start, [], [], PUBLIC)
    if flow.problems:
        raise RulesError(flow.problems.values())


class _Labels(dict[Var, Label]):
    """The label of each variable; one that was ever more than public is marked as secret."""

    def __setitem__(self, var: Var, label: Label) -> None:
        var.secret |= bool(label)
        super().__setitem__(var, label)

    def copy(self) -> _Labels:
        return _Labels(self)


class _Flow:
    def __init__(self, rules: Rules):
        self.rules, self.words = rules, rules.words
        self.problems: dict[tuple[str, str], Problem] = {}
        self.terms: dict[Var, Term] = {}  # parameters: what they stand for where the rule was called
        self.labels = _Labels()
        self.sizes: dict[Var, Label] = {}  # of what was chosen or drawn: who may know how much that is
        self.seats: frozenset[Term] = frozenset(("const", s) for s in self.words.seats)
        self.done: dict[tuple[Hashable, ...], Label] = {}
        self.seen_before: set[Step] = set()

    # --- seats --------------------------------------------------------------------------------------------------------
    def term(self, expr: Expr, terms: dict[Var, Term]) -> Term:
        if expr.op == "var":
            return terms.get(expr.args[0].origin) or (
                "var",
                expr.args[0].name,
                expr.args[0].slot,
                id(expr.args[0].origin),
            )
        if expr.op == "const":
            return ("const", expr.args[0])
        parts: list[Hashable] = []
        for arg in expr.args:
            if isinstance(arg, Expr):
                parts.append(self.term(arg, terms))
            elif isinstance(arg, tuple):
                parts += [self.term(a, terms) for a in arg if isinstance(a, Expr)]
            else:
                parts.append(arg.shape if isinstance(arg, Function) else id(arg))
        return (expr.op, *parts)

    def audience(self, seen: Expr | str, terms: dict[Var, Term]) -> Audience:
        if isinstance(seen, str):
            return ALL if seen == "all" else frozenset()
        if seen.op == "gather":
            return self.seated(self.term(a, terms) for a in seen.args[0])
        if seen.op == "join":
            return _together(*(self.audience(a, terms) for a in seen.args))
        if seen.op == "const":
            seats = self.seated(("const", s) for s in seen.args[0])
            return ALL if seats == self.seats else seats
        if seen.op == "cond":
            return _together(*(self.audience(a, terms) for a in seen.args[1:]))
        return frozenset({("all of", self.term(seen, terms))})

    def seated(self, terms: Iterable[Term]) -> frozenset[Term]:
        """Without those who do not sit at the table: they see nothing."""
        return frozenset(t for t in terms if t[0] != "const" or t in self.seats)

    def foreign(self, label: Label, audience: Audience) -> Secret | None:
        """A secret of the label that somebody in the audience may not know."""
        for secret in sorted(label, key=lambda s: s.name):
            if secret.readers >= self.seats:
                continue
            if audience is ALL or not audience <= secret.readers:
                return secret
        return None

    def kept(self, name: str, audience: Audience) -> Label:
        """The label of a value that this audience has seen."""
        return PUBLIC if audience is ALL else frozenset({Secret(name, audience)})

    # --- expressions --------------------------------------------------------------------------------------------------
    def label(self, expr: Expr, terms: dict[Var, Term], labels: dict[Var, Label]) -> Label:
        op, args = expr.op, expr.args
        if op == "const":
            return PUBLIC
        if op == "var":
            return labels.get(args[0].origin, PUBLIC)
        if op == "matched":
            return labels.get(args[0].origin, PUBLIC) | self.label(args[1], terms, labels)
        if op in ("state", "table", "word", "formula"):
            function, inputs = args
            below = PUBLIC.union(*(self.label(a, terms, labels) for a in inputs))
            if op == "table":
                return below
            inner = dict(zip(function.variables, (self.term(a, terms) for a in inputs)))
            if op == "state":
                return below | self.secret(function, inner)
            known = dict(zip(function.variables, (self.label(a, terms, labels) for a in inputs)))
            bodies = [function.body] if op == "word" else function.values.values()
            return below.union(*(self.label(b, inner, known) for b in bodies if b is not None))
        if OPERATIONS[op].cost == "each":
            source = self.label(args[1], terms, labels)
            return source | self.label(args[2], terms, {**labels, args[0]: source})
        if op in ("count", "eq", "first"):
            empty = [a for a in args if a.op == "const" and a.args[0] == ()]
            rows = [a for a in args if a not in empty]
            aspect = "top" if op == "first" else "count"
            if op != "eq" or empty:  # to be empty is a matter of the count
                return PUBLIC.union(*(self.part_of(row, aspect, terms, labels) for row in rows))
        if op in ("and", "or", "cond"):
            decided = settled(expr if op != "cond" else args[0])
            if decided is not None:
                return self.label(args[1 if decided else 2], terms, labels) if op == "cond" else PUBLIC
        return PUBLIC.union(*(self.label(kid, terms, labels) for kid in expr.kids()))

    def part_of(self, row: Expr, aspect: str, terms: dict[Var, Term], labels: dict[Var, Label]) -> Label:
        """The label of no more of a row than how many there are, or which is on top."""
        if row.op == "state" and row.args[0].aspects:
            function, inputs = row.args
            inner = dict(zip(function.variables, (self.term(a, terms) for a in inputs)))
            below = PUBLIC.union(*(self.label(a, terms, labels) for a in inputs))
            seen = function.aspects.get(aspect, "nobody")
            return below | self.secret(function, inner, self.audience(seen, inner))
        if aspect == "count":
            if row.op == "heap":
                return PUBLIC.union(*(self.part_of(a, aspect, terms, labels) for a in row.args))
            if row.op == "gather" and len(row.args[0]) == 1 and not row.args[0][0].type.maybe:
                return PUBLIC
            if row.op == "var" and row.args[0].origin in self.sizes:
                return self.sizes[row.args[0].origin]
        return self.label(row, terms, labels)

    def secret(self, function: Function, terms: dict[Var, Term], more: Audience = frozenset()) -> Label:
        seen = _together(self.audience(function.view, terms), more)
        if seen is ALL:
            return PUBLIC
        name = function.shape
        for variable in function.variables:
            name = name.replace("_", variable.name, 1)
        return frozenset({Secret(name, seen)})

    def of(self, expr: Expr | None) -> Label:
        return PUBLIC if expr is None else self.label(expr, self.terms, self.labels)

    def seen_by(self, seen: Expr | str) -> Audience:
        return self.audience(seen, self.terms)

    # --- steps --------------------------------------------------------------------------------------------------------
    def rule(self, rule: Rule, terms: list[Term], labels: list[Label], pc: Label) -> Label:
        """Check a rule as it is called here; returns the label of what it returns."""
        key = (rule.shape, tuple(terms), tuple(labels), pc)
        if key in self.done:
            return self.done[key]
        if len(self.done) >= MAX_CALLS:
            raise RulesError(problem("too_large", rule.place))
        kept = self.terms, self.labels, getattr(self, "returned", PUBLIC)
        self.terms = {**self.terms, **dict(zip(rule.params, terms))}
        self.labels = self.labels.copy()
        for param, label in zip(rule.params, labels):
            self.labels[param] = label
        self.returned = PUBLIC
        self.sequence(rule.steps, pc)
        result = self.returned
        self.terms, self.labels, self.returned = kept
        self.done[key] = result
        return result

    def sequence(self, steps: list[Step], pc: Label) -> Label:
        for step in steps:
            after = getattr(self, "_" + step.verb.replace(" ", "_"))(step, pc)
            pc = pc if after is None else after
        return pc

    def refuse(self, code: str, step: Step, label: Label, audience: Audience, **args: str) -> None:
        secret = self.foreign(label, audience)
        if secret is not None:
            name = step.name.rsplit("/", 1)[-1]
            self.problems.setdefault(
                (code, step.name), problem(code, step.place, len(name), secret=secret.name, **args)
            )

    def happens(self, step: Step, pc: Label, audience: Audience) -> None:
        if audience:
            self.refuse("tells_by_happening", step, pc, audience)

    def texts(self, step: Step, tells: list[tuple[str, Expr]], audience: Audience, own: set[str]) -> None:
        for name, expr in tells:
            if name not in own:
                self.refuse("tells_in_text", step, self.of(expr), audience)

    def _if(self, step: Step, pc: Label) -> Label:
        inside = pc | self.of(step.at["if"])
        for key in ("then", "else"):
            self.sequence(step.bodies[key], inside)
        left = _leaves(step.bodies["then"]) or _leaves(step.bodies["else"])
        return inside if left else pc

    def _for_each(self, step: Step, pc: Label) -> Label:
        label = self.of(step.at["for each"])
        for var in step.at["loop"].args:  # the element, and the list and the place in it
            self.labels[var] = label
        inside = self.sequence(step.bodies["do"], pc | label)
        return inside if _leaves(step.bodies["do"]) else pc

    def _repeat(self, step: Step, pc: Label) -> Label:
        body = step.bodies["repeat"]
        after = self.sequence(body, pc)
        label = self.of(step.at.get("while")) | self.of(step.at.get("until")) | (after if _leaves(body) else PUBLIC)
        if label - pc:
            self.sequence(body, pc | label)
        return pc | label

    def _call(self, step: Step, pc: Label) -> None:
        rule, args = step.called, step.at["args"].args
        name = rule.shape.split(" ")[0]
        if any(f.lasts == name and f.view != "nobody" for fs in self.words.functions.values() for f in fs):
            self.happens(step, pc, ALL)  # everybody sees that state starts anew
        result = self.rule(rule, [self.term(a, self.terms) for a in args], [self.of(a) for a in args], pc)
        for var in step.vars.values():
            self.labels[var] = result

    def _return(self, step: Step, pc: Label) -> None:
        self.returned |= pc | self.of(step.at["return"])

    def _play(self, step: Step, pc: Label) -> None:
        self._call(step, pc)
        for var in step.vars.values():
            self.labels[var] = PUBLIC

    def _end(self, step: Step, pc: Label) -> None:
        self.happens(step, pc, ALL)
        self.texts(step, step.tells, ALL, {"winners"})

    def _ask_at_once(self, step: Step, pc: Label) -> None:
        """Everybody notices who is asked. The answers are told together, to those who see where they are kept."""
        group, (function, _, chosen) = self.of(step.at["at once"]), step.targets[0]
        self.refuse("tells_asked", step, pc | group, ALL)
        actor: Var = step.at["ask"].args[0]
        term = self.term(step.at["ask"], self.terms)
        for var in step.at["sealed"].args:
            self.labels.setdefault(var, PUBLIC)
        expressions = [*_expressions(step.parts), step.at.get("where")]
        offered = self.offer(step.parts) | self.of(step.at.get("where"))
        self.refuse("tells_chooser", step, offered, frozenset({term}), who=actor.name)
        seen = self.audience(function.view, {function.variables[0]: term})
        audience = ALL if seen is ALL else seen | {term}
        if offered:
            self.context(step, audience, expressions)
        self.texts(step, step.prompts, frozenset({term}), set())
        self.labels[step.parts[0].var] = self.kept(step.parts[0].var.name, audience)
        self.texts(step, step.tells, audience, {"who", actor.name, chosen.args[0].name})
        for aspect in function.aspects.values():
            self.refuse("tells_by_setting", step, pc, self.audience(aspect, {function.variables[0]: term}))

    def _ask(self, step: Step, pc: Label) -> Label | None:
        if "at once" in step.at:
            self._ask_at_once(step, pc)
            return None
        before = pc
        actor = self.term(step.at["ask"], self.terms)
        parts = [*step.parts, *(p for a in step.alternatives for p in a.parts)]
        views = [step.audience, *(p.audience for p in parts if p.audience is not None)]
        seen = self.seen_by(step.audience)
        whole = ALL if seen is ALL else seen | {actor}
        audience: Audience = whole
        pc = pc | self.of(step.at["ask"])
        for view in views:
            audience = _together(audience, self.seen_by(view))
            if isinstance(view, Expr):
                pc = pc | self.of(view)
        who = step.at["ask"].args[0].name if step.at["ask"].op == "var" else self.named(step.at["ask"])
        offered = self.offer(step.parts) | self.of(step.at.get("where"))
        for alternative in step.alternatives:
            offered |= self.of(alternative.given) | self.offer(alternative.parts) | self.of(alternative.where)
        self.refuse("tells_chooser", step, offered, frozenset({actor}), who=who)
        if offered:
            self.context(
                step,
                audience,
                [
                    *_expressions(step.parts),
                    step.at.get("where"),
                    *(e for a in step.alternatives for e in (a.given, *_expressions(a.parts), a.where)),
                ],
            )
        if len(step.parts) == 1 and step.parts[0].shape == "one" and not step.alternatives and "where" not in step.at:
            empty = self.part_of(step.parts[0].source, "count", self.terms, self.labels)
        else:
            empty = offered
        asked = pc | empty if step.bodies.get("if none") is not None else pc
        self.refuse("tells_asked", step, asked, audience)
        self.texts(step, step.prompts, frozenset({actor}), set())
        chosen = self.kept(step.name.rsplit("/", 1)[-1], audience)
        for part in parts:
            sees = whole if part.audience is None else _together(frozenset({actor}), self.seen_by(part.audience))
            self.labels[part.var] = self.kept(part.var.name, sees)
            if part.amount is not None and part.amount.op == "amount" and part.amount.args[0] is part.amount.args[1]:
                self.sizes[part.var] = self.of(part.amount)
        own = set()
        for var in step.vars.values():
            self.labels.setdefault(var, chosen)
            if var not in [p.var for p in step.parts]:
                self.labels[var] = chosen
            own.add(var.name)
        self.texts(step, step.tells, audience, own | {"who"})
        for part in parts:
            if part.audience is not None:
                self.texts(step, part.tells, self.seen_by(part.audience), {"who", part.var.name})
        for alternative in step.alternatives:
            self.texts(step, alternative.tells, audience, own | {"who"} | {p.var.name for p in alternative.parts})
            self.sequence(alternative.then, pc | chosen)
        none = step.bodies.get("if none") or []
        self.sequence(none, pc | empty)
        if _leaves(none):
            before = before | empty
        if any(_leaves(a.then) for a in step.alternatives):
            before = before | chosen
        return before

    def context(self, step: Step, audience: Audience, expressions: list[Expr | None]) -> None:
        """Where a choice or a reveal hangs on secrets: the variables it hangs on that the audience may know anyway.

        They go into the log with it, so that whoever sees an answer can tell what it answers."""
        found: dict[Var, None] = {}
        for expr in expressions:
            if expr is not None:
                _variables(expr, found)
        bound = {p.var for p in step.parts} | {p.var for a in step.alternatives for p in a.parts}
        allowed = tuple(
            v
            for v in found
            if v.slot >= 0 and v not in bound and self.foreign(self.labels.get(v, PUBLIC), audience) is None
        )
        if step in self.seen_before:
            allowed = tuple(v for v in step.context if v in allowed)
        self.seen_before.add(step)
        step.context = allowed

    def named(self, expr: Expr) -> str:
        if expr.op == "const":
            atom: int = expr.args[0]
            return self.words.atoms[atom].name
        if expr.op in ("state", "table", "word"):
            function: Function = expr.args[0]
            return function.shape.replace("_", "…")
        return "…"

    def offer(self, parts: list[Part]) -> Label:
        label = PUBLIC
        for part in parts:
            label |= self.of(part.source) | self.of(part.amount) | self.of(part.onto)
            for var, test, amount in part.which:
                self.labels[var] = PUBLIC
                label |= self.of(test) | self.of(amount)
            self.labels[part.var] = PUBLIC  # while choosing, the chooser knows what he has chosen so far
        return label

    def _plan(self, step: Step, pc: Label) -> None:
        actor = frozenset({self.term(step.at["plan"], self.terms)})
        self.sequence(step.bodies["do"], pc)
        for _, test in step.must:
            self.refuse(
                "tells_chooser",
                step,
                self.of(test),
                actor,
                who=self.named(step.at["plan"]) if step.at["plan"].op != "var" else step.at["plan"].args[0].name,
            )

    def _draw(self, step: Step, pc: Label) -> Label:
        audience = self.seen_by(step.audience)
        self.happens(step, pc, audience)
        for var in step.vars.values():
            self.labels[var] = self.kept(var.name, audience)
            self.sizes[var] = self.of(step.at["draw"])
        self.texts(step, step.tells, audience, set(step.vars))
        self.taken(step, pc, self.of(step.at["draw"]))
        if step.bodies.get("if none") is not None:
            pool = self.part_of(step.at["from"], "count", self.terms, self.labels) | self.of(step.at["draw"])
            self.happens(step, pc | pool, audience)
            self.sequence(step.bodies["if none"], pc | pool)
            if _leaves(step.bodies["if none"]):
                return pc | pool
        return pc

    def _deal(self, step: Step, pc: Label) -> None:
        function = step.targets[0][0]
        if function.view != "nobody" or function.aspects:
            self.happens(step, pc | self.of(step.at["to"]), ALL)
        self.taken(step, pc, self.of(step.at["each"]) | self.of(step.at["to"]))

    def _let(self, step: Step, pc: Label) -> None:
        for name, var in step.vars.items():
            self.labels[var] = pc | self.of(step.at[name])
            self.terms[var] = self.term(step.at[name], self.terms)

    def _set(self, step: Step, pc: Label) -> None:
        for function, args, value in step.targets:
            terms = dict(zip(function.variables, (self.term(a, self.terms) for a in args)))
            label = pc.union(self.of(value), *(self.of(a) for a in args))
            audience = self.audience(function.view, terms)
            if audience:
                self.refuse("tells_by_setting", step, label, audience)
            for aspect, seen in function.aspects.items():
                part = self.part_of(value, aspect, self.terms, self.labels) if aspect == "count" else self.of(value)
                label = pc.union(part, *(self.of(a) for a in args))
                self.refuse("tells_by_setting", step, label, self.audience(seen, terms))

    def _move(self, step: Step, pc: Label) -> None:
        """An open reveal of what is moved, to those who see where it lies then. How much it is may be less known."""
        what = step.at["move"]
        moved = self.part_of(what, "count", self.terms, self.labels) if what.type.many else PUBLIC
        for function, args, _ in step.targets:
            terms = dict(zip(function.variables, (self.term(a, self.terms) for a in args)))
            label = pc.union(*(self.of(a) for a in args))
            for aspect, seen in (("", function.view), *function.aspects.items()):
                self.refuse(
                    "tells_by_setting", step, label | moved if aspect == "count" else label, self.audience(seen, terms)
                )

    def taken(self, step: Step, pc: Label, number: Label) -> None:
        """What is drawn from a pile is gone from it: whoever sees the pile, or how much is left of it, sees that."""
        if step.pile is not None:
            function, args = step.pile
            terms = dict(zip(function.variables, (self.term(a, self.terms) for a in args)))
            label = pc.union(number, *(self.of(a) for a in args))
            for seen in (function.view, *function.aspects.values()):
                self.refuse("tells_by_setting", step, label, self.audience(seen, terms))

    def _shuffle(self, step: Step, pc: Label) -> None:
        function, args, _ = step.targets[0]
        terms = dict(zip(function.variables, (self.term(a, self.terms) for a in args)))
        label = pc.union(*(self.of(a) for a in args))
        for seen in (function.view, *function.aspects.values()):
            self.refuse("tells_by_setting", step, label, self.audience(seen, terms))

    def _show(self, step: Step, pc: Label) -> Label:
        """An open reveal: of the value, and of the fact that it came to this."""
        audience = self.seen_by(step.audience)
        label = self.of(step.at["show"])
        if label:
            around = [Expr("var", (v,), v.type) for v in step.visible if v.name.isidentifier()]
            self.context(step, audience, [step.at["show"], *around])
        for var in step.vars.values():
            if audience is ALL:
                self.labels[var] = PUBLIC
                continue
            knew = [s.readers for s in label]
            before = frozenset.intersection(*knew) if knew else self.seats
            self.labels[var] = frozenset({Secret(var.name, before | audience)})
        self.texts(step, step.tells, audience, {*step.vars, "shown"})
        if audience is ALL:
            return PUBLIC
        return frozenset(Secret(s.name, s.readers | audience) for s in pc)

    def _say(self, step: Step, pc: Label) -> None:
        audience = self.seen_by(step.audience)
        self.happens(step, pc, audience)
        self.texts(step, step.tells, audience, set())


def _together(a: Audience, b: Audience) -> Audience:
    return ALL if a is ALL or b is ALL else a | b


def settled(expr: Expr) -> bool | None:
    """A condition that the options have decided: whether it holds; None if that depends on the game."""
    if expr.op in ("and", "or"):
        sides = [settled(a) for a in expr.args]
        if (expr.op == "or") in sides:
            return expr.op == "or"
        return None if None in sides else expr.op == "and"
    if expr.op == "not":
        inner = settled(expr.args[0])
        return None if inner is None else not inner
    known = settled_value(expr)
    return None if known is None else bool(known[0])


def _expressions(parts: list[Part]) -> list[Expr | None]:
    return [e for p in parts for e in (p.source, p.amount, p.onto, *(x for _, *pair in p.which for x in pair))]


def _variables(expr: Expr, found: dict[Var, None]) -> None:
    if expr.op in ("var", "matched"):
        found[expr.args[0].origin] = None
    for kid in expr.kids():
        _variables(kid, found)


def _leaves(steps: list[Step]) -> bool:
    """May these steps leave the rule they stand in?"""
    return any(
        s.verb == "return" or any(_leaves(b) for b in s.bodies.values()) or any(_leaves(a.then) for a in s.alternatives)
        for s in steps
    )
