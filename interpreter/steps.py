"""The rules of a game: steps in ordered maps become typed steps, each bound to its variables.

VERBS is the whole vocabulary of steps: one function a verb, all with the same signature. The schema and the reference
list the same words (a test compares them).
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from .bounds import elements_of
from .check import Scope
from .declarations import MAX_SLOTS, Declarations
from .errors import Place, Problems, RulesError, did_you_mean, problem
from .evaluate import settled_value
from .load import Map, TextPlace, text_in
from .model import (
    NOTHING,
    NUMBER,
    TRUTH,
    Alternative,
    Expr,
    Function,
    Part,
    Rule,
    Step,
    Text,
    Type,
    Var,
    const,
    fits,
    list_of,
    may_equal,
    set_of,
)
from .parse import Syntax, keywords, parse
from .texts import told_in
from .vocabulary import MAX_NESTED

MAX_STEPS = 5_000
MAX_ROUNDS = 1_000_000  # of loops inside each other, in one rule
MAX_LOOPS = 12  # inside each other
MAX_PARTS = 12  # of one choice
MAX_AUDIENCES = 3  # of parts of one choice
MAX_CASES = 20_000_000  # combinations of them
AT_ONCE = re.compile(r"\s*[^\W\d]\w*\s+in\b")  # somebody in a set of seats, as after `for each`
UNKNOWN = "(unknown)"  # the type of what a step with a problem would have bound


class Rules:
    """Checks the rules reachable from `start`, each once; a rule is never active twice at a time."""

    def __init__(self, vocabulary: Declarations):
        self.words, self.checker = vocabulary, vocabulary.checker
        self.problems = Problems()
        self.rules: dict[str, Rule] = {}
        self.steps: list[Step] = []
        self.local_slots = vocabulary.slots
        self._sources: dict[str, tuple[str, Map, Place]] = {}
        self._active: list[str] = []
        self._declare(vocabulary.description)

    def _declare(self, description: Map) -> None:
        entries = description.get("rules") or Map(description.at)
        for head in entries:
            try:
                shape, params = self.checker.head(head, entries.key_at[head])
            except RulesError as error:
                self.problems.extend(error.problems)
                continue
            rule = Rule(head, shape, [self.variable(p.name, p.type) for p in params], entries.key_at[head])
            rule.variables = list(rule.params)
            self._sources[shape] = (head, entries[head], entries.key_at[head])
            self.rules[shape] = rule
        for shape in list(self.rules):
            try:
                self.body(shape)
            except RulesError as error:
                self.problems.extend(error.problems)
        start = str(description.get("start", "game"))
        if start not in self.rules:
            at, length = (description.value_at["start"], len(start)) if "start" in description else (description.at, 1)
            self.problems.append(
                problem("unknown_rule", at, length, name=start, meant=did_you_mean(start, self.rules) or "")
            )
        for functions in self.words.functions.values():
            for function in functions:
                if function.lasts and function.lasts not in {s.split(" ")[0] for s in self.rules}:
                    self.problems.append(
                        problem(
                            "unknown_rule",
                            function.place,
                            name=function.lasts,
                            meant=did_you_mean(function.lasts, self.rules) or "",
                        )
                    )
        if self.problems:
            # What follows from a step that could not be read has an unknown type: that is not told as well.
            raise RulesError([p for p in self.problems if UNKNOWN not in str(p.args)] or self.problems)
        self.start = self.rules[start]

    def body(self, shape: str, asked_at: Place | None = None) -> Rule:
        rule = self.rules[shape]
        if shape in self._active:
            raise RulesError(problem("rule_in_circle", asked_at or rule.place, len(rule.name), name=rule.name))
        if len(self._active) >= MAX_NESTED:
            raise RulesError(
                problem("too_nested", asked_at or rule.place, len(rule.name), name=rule.name, limit=MAX_NESTED)
            )
        if shape in self._sources:
            head, body, place = self._sources.pop(shape)
            self._active.append(shape)
            try:
                scope = Scope({v.name: v for v in rule.params})
                rule.steps = self.sequence(body, scope, rule, shape.split(" ")[0])[0]
            finally:
                self._active.pop()
        return rule

    def variable(self, name: str, kind: Type) -> Var:
        self.local_slots += 1
        if self.local_slots > MAX_SLOTS:
            raise RulesError(problem("too_many_slots", None, limit=MAX_SLOTS))
        return Var(name, kind, self.local_slots - 1)

    # --- sequences ----------------------------------------------------------------------------------------------------
    def sequence(self, body: Map | None, scope: Scope, rule: Rule, path: str) -> tuple[list[Step], Scope]:
        steps: list[Step] = []
        body = body or Map(rule.place)
        for name in body:
            entry, place = body[name], body.key_at[name]
            try:
                step = self.step(f"{path}/{name}", entry, place, scope, rule)
            except RulesError as error:
                self.problems.extend(error.problems)
                for bound in _bound_names(entry):  # so that what follows is not called unknown as well
                    scope = scope.with_name(Var(bound, Type("thing", UNKNOWN, frozenset(range(len(self.words.atoms))))))
                continue
            steps.append(step)
            for var in step.vars.values():
                scope = scope.with_name(var)
                rule.variables.append(var)
        return steps, scope

    def step(self, name: str, entry: Map, place: Place, scope: Scope, rule: Rule) -> Step:
        verb = next(v for v in VERBS if v in entry)
        step = Step(verb, name, place, told=told_in(entry))
        step.visible = tuple(v for v in scope.names.values() if v.slot >= 0)
        self.steps.append(step)
        if len(self.steps) > MAX_STEPS:
            raise RulesError(problem("too_many_steps", place, limit=MAX_STEPS))
        VERBS[verb](_Entry(self, step, entry, scope, rule))
        step.number = len(self.steps) - 1 if step.number < 0 else step.number
        return step


def _last(step: Step) -> str:
    """What a step is called where it stands."""
    return step.name.rsplit("/", 1)[-1]


def _length(step: Step) -> int:
    return len(_last(step))


def _bound_names(entry: Any) -> list[str]:
    if not isinstance(entry, Map):
        return []
    names = [entry["as"]] if isinstance(entry.get("as"), str) else []
    for key in ("let", "for"):
        if isinstance(entry.get(key), Map):
            names += list(entry[key])
    return names


class _Entry:
    """One step being read: its YAML, its scope, and the typed step that is being filled."""

    def __init__(self, rules: Rules, step: Step, entry: Map, scope: Scope, rule: Rule):
        self.rules, self.step, self.entry, self.scope, self.rule = rules, step, entry, scope, rule
        self.words, self.checker = rules.words, rules.checker

    def at(self, key: str) -> Place:
        return self.entry.value_at[key]

    def expr(self, key: str, wanted: Type | None = None, *, scope: Scope | None = None, maybe: bool = False) -> Expr:
        expr = self.checker.expression(self.entry[key], self.at(key), scope or self.scope, wanted, maybe=maybe)
        self.step.at[key] = expr
        return expr

    def seat(self, key: str) -> Expr:
        """Somebody who sits at the table; a wider kind of thing will do, as far as some of it does."""
        expr = self.expr(key)
        if expr.type.kind != "thing" or not expr.type.atoms & self.words.seat_type.atoms:
            raise RulesError(
                problem("type_mismatch", self.at(key), len(str(self.entry[key])), wanted="seat", found=str(expr.type))
            )
        return expr

    def element(self, key: str, group: Expr) -> Type:
        """What a set or a list consists of."""
        if not group.type.many or group.type.of is None:
            raise RulesError(problem("set_wanted", self.at(key), found=str(group.type)))
        return group.type.of

    def cell(self, key: str) -> Expr:
        """A place of the state, such as a hand or a deck."""
        expr = self.expr(key)
        if expr.op != "state":
            raise RulesError(problem("not_state", self.at(key), len(str(self.entry[key])), name=str(self.entry[key])))
        return expr

    def keeper(self, name: str, owner: Type, value: Type) -> Function | None:
        """The state that keeps such a value for such an owner."""
        for function in self.words.functions.get(f"{name} of _", ()):
            if function.kind == "state" and fits(owner, function.params[0].type) and fits(value, function.result):
                return function
        return None

    def hand(self, pool: Expr, key: str) -> None:
        """What chance needs while it draws: what is left, and how far it is. From a pile, what is drawn is taken."""
        left, done = self.rules.variable("", pool.type), self.rules.variable("", NUMBER)
        self.rule.variables += [left, done]
        self.step.at["hand"] = Expr("hand", (left, done), pool.type)
        if pool.type.kind == "pile":
            home = pool.args[1] if pool.op == "filter" else pool
            if home.op != "state":
                raise RulesError(problem("pile_wanted", self.at(key), len(str(self.entry[key]))))
            self.step.pile = home.args[0], list(home.args[1])

    def condition(self, key: str, scope: Scope | None = None) -> Expr:
        return self.expr(key, TRUTH, scope=scope)

    def steps(self, key: str, scope: Scope | None = None) -> list[Step]:
        body = self.entry.get(key)
        steps = (
            self.rules.sequence(
                body,
                scope or self.scope,
                self.rule,
                f"{self.step.name}/{key}" if key in ("else", "if none") else self.step.name,
            )[0]
            if body
            else []
        )
        self.step.bodies[key] = steps
        return steps

    def bind(self, name: str, kind: Type, place: Place, scope: Scope | None = None) -> Var:
        """A new name; one that is already something else here is refused, so that no name is captured silently."""
        if name in (scope or self.scope).names:
            raise RulesError(problem("shadowed_name", place, len(name), name=name))
        if name in keywords():
            raise RulesError(problem("keyword_name", place, len(name), name=name))
        if self.words.is_taken(name):
            raise RulesError(problem("name_taken", place, len(name), name=name))
        return self.rules.variable(name, kind)

    def bind_as(self, kind: Type) -> Var | None:
        if "as" not in self.entry:
            return None
        var = self.bind(self.entry["as"], kind, self.at("as"))
        self.step.vars[var.name] = var
        return var

    def audience(self, key: str, default: str) -> None:
        self.step.audience = (
            default if key not in self.entry else self.words.audience(self.entry[key], self.at(key), self.scope)
        )

    def tell(self, text_key: str, scope: Scope, *own: tuple[str, Expr]) -> None:
        """What the event carries: the step's own values, those its text names, and those given by `with`."""
        tells = dict(own)
        extra = self.entry.get("with") or Map(self.step.place)
        for name in extra:
            tells[name] = self.checker.expression(extra[name], extra.value_at[name], scope)
        self.step.text, self.step.tells = text_of(self.entry, text_key, scope, tells)

    def callee(self, key: str) -> tuple[Rule, list[Expr]]:
        text = self.entry[key]
        place = TextPlace(self.at(key), text)
        syntax = parse(text, "expression", place)
        name, nodes = _shape(syntax)
        if name not in self.rules.rules:
            raise RulesError(
                problem(
                    "unknown_rule",
                    place,
                    len(text),
                    name=text,
                    meant=(did_you_mean(name or text, self.rules.rules) or "").replace("_", "…"),
                )
            )
        rule = self.rules.body(name, place)
        args = []
        for node, param in zip(nodes, rule.params):
            args.append(self.checker.typed(node, place, self.scope, param.type))
        self.step.callee = rule
        return rule, args


def _shape(node: Syntax) -> tuple[str, list[Syntax]]:
    kids = node.kids
    if node.kind == "name":
        return kids[0], []
    if node.kind not in ("apply", "apply_of"):
        return "", []
    name, args = (f"{kids[0]} of _", [kids[1]]) if node.kind == "apply_of" else (kids[0], [])
    for relation in kids[len(args) + 1 :]:
        name, args = f"{name} {relation.kids[0]} _", [*args, relation.kids[1]]
    return name, args


def text_of(entry: Map, key: str, scope: Scope, values: dict[str, Expr]) -> tuple[Text, list[tuple[str, Expr]]]:
    """A text, and the values that it names besides those that are given."""
    for text, place in _texts(entry, key):
        for name in _placeholders(text, place):
            if name in values:
                continue
            if name not in scope.names:
                raise RulesError(
                    problem(
                        "unknown_placeholder",
                        place.shifted(text.find("{" + name) + 1),
                        len(name),
                        name=name,
                        meant=did_you_mean(name, [*scope.names, *values]) or "",
                    )
                )
            var = scope.names[name]
            values[name] = Expr("var", (var,), var.type)
    return text_in(entry, key), list(values.items())


def _texts(entry: Map, key: str) -> list[tuple[str, TextPlace]]:
    """A text is one English sentence (translated by catalogue) or one per language."""
    value = entry.get(key)
    if value is None:
        return []
    if isinstance(value, str):
        return [(value, TextPlace(entry.value_at[key], value))]
    return [(value[lang], TextPlace(value.value_at[lang], value[lang])) for lang in value]


def _placeholders(text: str, place: TextPlace) -> list[str]:
    try:
        found = list(string.Formatter().parse(text))
    except ValueError:
        raise RulesError(problem("bad_braces", place)) from None
    names = [name for _, name, _, _ in found if name is not None]
    for _, name, form, conversion in found:
        if name is not None and (not name.isidentifier() or form and not form.isidentifier() or conversion):
            raise RulesError(problem("bad_placeholder", place.shifted(text.find("{" + name)), len(name) + 2, name=name))
    return names


# --- the verbs -------------------------------------------------------------------------------------------------------
def _if(e: _Entry) -> None:
    test = e.condition("if")
    e.steps("then", _narrowed(e.scope, test))
    e.steps("else")


def _cases(e: _Entry) -> None:
    """The first case that holds: an `if` whose `else` is the next one."""
    value = e.checker.expression(e.entry["by"], e.at("by"), e.scope) if "by" in e.entry else None
    cases, step = e.entry["cases"], e.step
    for number, case in enumerate(cases):
        test = _case(e, value, case, cases.key_at[case])
        if number:
            further = Step("if", f"{step.name}/else", cases.key_at[case], visible=e.step.visible)
            e.rules.steps.append(further)
            further.number = len(e.rules.steps) - 1
            step.bodies["else"], step = [further], further
        step.verb, step.at["if"] = "if", test
        path = f"{e.step.name}/{case}"
        step.bodies["then"] = e.rules.sequence(cases[case], _narrowed(e.scope, test), e.rule, path)[0]
    step.bodies["else"] = e.rules.sequence(e.entry.get("else"), e.scope, e.rule, f"{e.step.name}/else")[0]


def _case(e: _Entry, value: Expr | None, case: str, place: Place) -> Expr:
    """When a case holds: its condition, or that the value is this one, or one of these."""
    if value is None:
        return e.checker.expression(case, place, e.scope, TRUTH)
    found = e.checker.case(int(case) if re.fullmatch("-[0-9]{1,9}", case) else case, place, e.scope, value.type)
    if value.type.kind in ("thing", "number") and found.type.many:
        wrong = found.type.of is not None and not may_equal(value.type, found.type.of)
        test = Expr("member", (value, found), TRUTH)
    else:
        wrong, test = not may_equal(value.type, found.type), Expr("eq", (value, found), TRUTH)
    if wrong:
        raise RulesError(problem("never_equal", place, len(case), one=str(value.type), other=str(found.type)))
    return test


def _narrowed(scope: Scope, test: Expr) -> Scope:
    """After `if: other is a figure`, other is a figure."""
    if test.op == "and":
        return _narrowed(_narrowed(scope, test.args[0]), test.args[1])
    if test.op == "member" and test.args[0].op == "var" and test.args[1].op == "const":
        var: Var = test.args[0].args[0]
        kind: Type | None = test.args[1].type.of
        if scope.names.get(var.name) is var and kind is not None and kind.kind == "thing":
            atoms = frozenset(test.args[1].args[0]) & var.type.atoms
            return scope.with_name(Var(var.name, Type("thing", kind.name, atoms), var.slot, narrowed=var.origin))
    return scope


def _for_each(e: _Entry) -> None:
    name, source = e.checker.binding(e.entry["for each"], e.at("for each"), e.scope)
    var = e.bind(name, source.type.of or NOTHING, e.at("for each"))
    e.step.at["for each"] = source
    e.step.vars = {}
    row, place = e.rules.variable("", source.type), e.rules.variable("", NUMBER)  # the list and how far we are in it
    e.rule.variables += [var, row, place]
    e.step.at["loop"] = Expr("loop", (var, row, place), source.type)
    inner = Scope({**e.scope.names, var.name: var, " row" + e.step.name: row, " place" + e.step.name: place}, None)
    e.steps("do", inner)
    rounds, depth = _rounds(e.step)
    if rounds > MAX_ROUNDS:
        raise RulesError(problem("too_many_rounds", e.entry.key_at["for each"], len("for each"), limit=MAX_ROUNDS))
    if depth > MAX_LOOPS:
        raise RulesError(problem("too_nested", e.step.place, _length(e.step), name=_last(e.step), limit=MAX_LOOPS))


def _rounds(step: Step) -> tuple[int, int]:
    """How often the innermost of these loops is gone through at most, and how many stand inside each other."""
    inner = [_rounds(s) for body in step.bodies.values() for s in body] or [(1, 0)]
    rounds, depth = max(1, sum(r for r, _ in inner)), max(d for _, d in inner)
    if step.verb != "for each":
        return rounds, depth
    return min(rounds * max(1, elements_of(step.at["for each"])), 2 * MAX_ROUNDS), depth + 1


def _repeat(e: _Entry) -> None:
    body, scope = e.rules.sequence(e.entry["repeat"], e.scope, e.rule, e.step.name)
    e.step.bodies["repeat"] = body
    if "while" in e.entry:
        e.condition("while")
    if "until" in e.entry:
        e.condition("until", scope)
    if not any(_takes_time(step) for step in body):
        raise RulesError(problem("repeat_idle", e.entry.key_at["repeat"], len("repeat")))


TAKES_TIME = ("ask", "draw", "deal", "shuffle", "end", "play", "return")


def _takes_time(step: Step) -> bool:
    """Does a step ask, draw, deal or end, in itself or in what it does?"""
    return any(s.verb in TAKES_TIME for s in _all_steps([step]))


def _call(e: _Entry) -> None:
    rule, args = e.callee("call")
    e.step.at["args"] = Expr("args", tuple(args), TRUTH)
    if "as" in e.entry:
        if rule.result is None:
            raise RulesError(problem("rule_returns_nothing", e.at("as"), len(e.entry["as"]), name=rule.name))
        e.bind_as(rule.result.type)


def _return(e: _Entry) -> None:
    value = e.expr("return")
    if e.rule.result is None:
        e.rule.result = e.rules.variable("", value.type)
        e.rule.variables.append(e.rule.result)
    else:
        kind = e.words.join_types(e.rule.result.type, value.type)
        if kind is None:
            raise RulesError(
                problem("branches_differ", e.at("return"), one=str(e.rule.result.type), other=str(value.type))
            )
        e.rule.result.type = kind


def _play(e: _Entry) -> None:
    rule, args = e.callee("play")
    e.step.at["args"] = Expr("args", tuple(args), TRUTH)
    e.bind_as(set_of(e.words.seat_type))


def _end(e: _Entry) -> None:
    winners = e.expr("end", set_of(e.words.seat_type), maybe=True)
    if "scores" in e.entry:
        var = Var("it", e.words.seat_type)
        e.step.at["score seat"] = Expr("var", (var,), var.type)
        e.expr("scores", NUMBER, scope=e.scope.with_it(var))
    e.step.audience = "all"
    e.tell("text", e.scope, ("winners", winners))


def _ask(e: _Entry) -> None:
    if isinstance(e.entry["ask"], str) and AT_ONCE.match(e.entry["ask"]):
        _ask_at_once(e)
        return
    e.seat("ask")
    e.step.parts, scope, safe = _parts(e, e.entry, e.scope)
    for part in e.step.parts:
        e.step.vars[part.var.name] = part.var
    if "where" in e.entry:
        e.condition("where", scope)
        safe = False
    if "between" in e.entry:
        options = e.entry["between"]
        atoms = [e.words._atom(e.step.name, name) for name in options]
        kind = Type("thing", e.step.name.rsplit("/", 1)[-1], frozenset(atoms))
        label = e.bind_as(kind)
        safe = False
        for name, atom in zip(options, atoms):
            safe |= _alternative(e, name, atom, options[name], options.key_at[name], scope, label)
    elif not e.step.parts:
        raise RulesError(problem("ask_for_nothing", e.step.place, _length(e.step)))
    if e.entry.get("if none") == "never":
        pass  # the author knows that there always is; if not, playing says so
    elif "if none" in e.entry:
        e.steps("if none")
    elif not safe:
        raise RulesError(problem("may_be_empty", e.entry.key_at["ask"], len("ask")))
    e.audience("seen by", "nobody")
    for var in e.step.vars.values():
        scope = scope.with_name(var)
    own = [("who", e.step.at["ask"])] + [(v.name, Expr("var", (v,), v.type)) for v in e.step.vars.values()]
    e.tell("text", scope, *own)
    e.step.prompt, e.step.prompts = text_of(e.entry, "prompt", e.scope, {})  # nothing is chosen yet


def _ask_at_once(e: _Entry) -> None:
    """Several choose at the same time, sealed: nothing of it is set or told before all have chosen."""
    name, group = e.checker.binding(e.entry["ask"], e.at("ask"), e.scope)
    owner = group.type.of
    if owner is None or owner.kind != "thing" or not owner.atoms <= e.words.seat_type.atoms:
        raise RulesError(
            problem("type_mismatch", e.at("ask"), len(e.entry["ask"]), wanted="set of seat", found=str(group.type))
        )
    for key in ("between", "seen by", "if none"):
        if key in e.entry and e.entry[key] != "never":
            raise RulesError(problem("at_once_key", e.entry.key_at[key], len(key), key=key))
    seat = e.bind(name, owner, e.at("ask"))
    e.step.at["ask"] = who = Expr("var", (seat,), owner)
    parts, scope, safe = _parts(e, e.entry, e.scope.with_name(seat))
    if len(parts) != 1 or "as" not in e.entry:
        raise RulesError(problem("at_once_parts", e.step.place, _length(e.step)))
    part, kept = parts[0], e.entry["as"]
    if part.audience is not None:
        raise RulesError(problem("at_once_key", e.entry.key_at["for"], len("for"), key="seen by"))
    target = e.keeper(kept, owner, part.var.type)
    if target is None:
        found = str(part.var.type)
        raise RulesError(problem("deal_target", e.at("as"), len(kept), name=kept, found=found, owner=str(owner)))
    if "where" in e.entry:
        e.condition("where", scope)
        safe = False
    if not safe and "if none" not in e.entry:
        raise RulesError(problem("may_be_empty", e.entry.key_at["ask"], len("ask")))
    row, answers = e.rules.variable("", list_of(owner)), e.rules.variable("", list_of(part.var.type))
    answers.secret = True  # of everybody, as long as not all have answered
    e.rule.variables += [seat, part.var, row, answers]
    chosen, e.step.at["at once"] = Expr("var", (part.var,), part.var.type), group
    e.step.at["sealed"] = Expr("sealed", (row, answers, seat), group.type)
    e.step.parts, e.step.targets, e.step.visible = parts, [(target, [who], chosen)], (*e.step.visible, seat)
    e.tell("text", scope, ("who", who), (part.var.name, chosen))
    e.step.prompt, e.step.prompts = text_of(e.entry, "prompt", e.scope.with_name(seat), {})


def _alternative(
    e: _Entry, name: str, atom: int, entry: Map | None, place: Place, scope: Scope, label: Var | None
) -> bool:
    entry = entry if entry is not None else Map(place)
    inner = _Entry(e.rules, e.step, entry, scope, e.rule)
    parts, scope, safe = _parts(inner, entry, scope)
    given = inner.checker.expression(entry["if"], entry.value_at["if"], e.scope, TRUTH) if "if" in entry else None
    where = (
        inner.checker.expression(entry["where"], entry.value_at["where"], scope, TRUTH) if "where" in entry else None
    )
    if label is not None:
        scope = scope.with_name(label)
    then = e.rules.sequence(entry.get("then"), scope, e.rule, f"{e.step.name}/{name}")[0]
    e.rule.variables += [p.var for p in parts]
    told = _Entry(e.rules, Step("ask", e.step.name, place), entry, scope, e.rule)
    vars = [p.var for p in parts] + [v for v in e.step.vars.values()]
    told.tell("text", scope, ("who", e.step.at["ask"]), *[(v.name, Expr("var", (v,), v.type)) for v in vars])
    text, tells, rarely = told.step.text, told.step.tells, entry.get("rarely", 1)
    passes = entry.get("pass", False)
    if passes and (parts or given is not None or where is not None or e.step.parts or "where" in e.entry):
        raise RulesError(problem("pass_free", entry.key_at["pass"], len("pass")))
    if passes and any(a.passes for a in e.step.alternatives):
        raise RulesError(problem("pass_twice", entry.key_at["pass"], len("pass")))
    e.step.alternatives.append(
        Alternative(name, atom, parts, given, where, then, text, tells, rarely, passes, told_in(entry))
    )
    return safe and given is None and where is None


def _parts(e: _Entry, entry: Map, scope: Scope) -> tuple[list[Part], Scope, bool]:
    """The things to choose, in order; each may depend on those before it. Also: is there surely something to choose?"""
    parts, safe = [], True
    wanted = entry.get("for") or Map(e.step.place)
    if len(wanted) > MAX_PARTS:
        raise RulesError(problem("too_many_parts", entry.key_at["for"], len("for"), limit=MAX_PARTS))
    for name in wanted:
        spec, at, key_at = wanted[name], wanted.value_at[name], wanted.key_at[name]
        if isinstance(spec, Map) and "match" in spec:
            part = _match(e, name, spec, key_at, scope)
        elif isinstance(spec, Map) and "some of" in spec:
            part = _some(e, name, spec, key_at, scope)
            safe = False
        else:
            if isinstance(spec, Map):
                source = e.checker.expression(spec["from"], spec.value_at["from"], scope)
            else:
                source = e.checker.expression(spec, at, scope)
            if source.type.kind == "thing":
                source = Expr("gather", ((source,),), set_of(source.type))
            if not source.type.many or source.type.of is None or source.type.of.kind not in ("thing", "number"):
                raise RulesError(problem("set_wanted", at, len(str(spec)), found=str(source.type)))
            part = Part("one", e.bind(name, source.type.of, key_at, scope), source)
            safe &= (
                source.op in ("const", "range")
                and bool((settled_value(source) or ((),))[0])
                or source.op in ("gather", "join")
                and not any(k.type.maybe for k in source.kids())
                and all(k.type.kind == "thing" or k.op in ("gather", "const") for k in source.kids())
            )
        parts.append(part)
        scope = scope.with_name(part.var)
        if isinstance(spec, Map) and "seen by" in spec:
            part.audience = e.words.audience(spec["seen by"], spec.value_at["seen by"], e.scope)
            own = {"who": e.step.at["ask"], name: Expr("var", (part.var,), part.var.type)}
            part.text, part.tells = text_of(spec, "text", scope, own)
    if sum(part.audience is not None for part in parts) > MAX_AUDIENCES:
        raise RulesError(problem("too_many_audiences", entry.key_at["for"], len("for"), limit=MAX_AUDIENCES))
    cases = prod(max(1, elements_of(part.source)) for part in parts if part.shape == "one")
    if cases > MAX_CASES:
        raise RulesError(problem("too_many_combinations", entry.key_at["for"], len("for"), limit=MAX_CASES))
    return parts, scope, safe


def _some(e: _Entry, name: str, spec: Map, key_at: Place, scope: Scope) -> Part:
    source = e.checker.expression(spec["some of"], spec.value_at["some of"], scope)
    if not source.type.many or source.type.of is None:
        raise RulesError(problem("set_wanted", spec.value_at["some of"], found=str(source.type)))
    part = Part("some", e.bind(name, source.type, key_at, scope), source)
    part.amount = e.checker.amount(spec["how many"], spec.value_at["how many"], scope)
    known = settled_value(part.amount)
    if known is not None and known[0] is not None and known[0][1] is not None and known[0][1] < 0:
        text, at = str(spec["how many"]), spec.value_at["how many"]
        raise RulesError(problem("too_small", at, len(text), number=known[0][1], least=0))
    counts = spec.get("of which") or Map(key_at)
    for condition in counts:
        var = Var("it", source.type.of)
        test = e.checker.expression(condition, counts.key_at[condition], scope.with_it(var), TRUTH)
        part.which.append((var, test, e.checker.amount(counts[condition], counts.value_at[condition], scope)))
    return part


def _match(e: _Entry, name: str, spec: Map, key_at: Place, scope: Scope) -> Part:
    source = e.checker.expression(spec["match"], spec.value_at["match"], scope)
    onto = e.checker.expression(spec["with"], spec.value_at["with"], scope)
    kinds = []
    for key, side in (("match", source), ("with", onto)):
        if side.op != "const" or side.type.kind != "set" or side.type.of is None:
            raise RulesError(problem("match_of_fixed_sets", spec.value_at[key], len(str(spec[key]))))
        kinds.append(side.type.of)
    if len(source.args[0]) > min(len(onto.args[0]), 7):
        raise RulesError(problem("match_too_large", spec.value_at["match"], len(str(spec["match"]))))
    given, taken = kinds
    kind = Type("match", f"match of {given.name} with {taken.name}", given.atoms, taken)
    part = Part("match", e.bind(name, kind, key_at, scope), source, onto=onto)
    return part


def _plan(e: _Entry) -> None:
    e.seat("plan")
    body, scope = e.rules.sequence(e.entry["do"], e.scope, e.rule, e.step.name)
    e.step.bodies["do"] = body
    must = e.entry["must"]
    for name in must:
        e.step.must.append((name, e.checker.expression(must[name], must.value_at[name], scope, TRUTH)))
    if any(step.verb == "return" for step in _all_steps(body, called=False)):
        raise RulesError(problem("not_in_plan", e.step.place, _length(e.step), verb="return"))
    for step in _all_steps(body):
        if step.verb in ("draw", "deal", "shuffle", "end", "play", "plan", "show") or "at once" in step.at:
            raise RulesError(problem("not_in_plan", step.place, _length(step), verb=step.verb))


def _all_steps(steps: list[Step], called: bool = True) -> Iterator[Step]:
    """These steps and all that they do, each once; with `called`, the rules they call too."""
    stack, rules = list(steps), set()
    while stack:
        step = stack.pop()
        yield step
        stack += [s for body in step.bodies.values() for s in body]
        stack += [s for a in step.alternatives for s in a.then]
        if called and step.callee is not None and step.callee.shape not in rules:
            rules.add(step.callee.shape)
            stack += step.callee.steps


def _draw(e: _Entry) -> None:
    number = e.expr("draw", NUMBER)
    _not_below("draw", e, number, 1)
    pool = e.expr("from")
    card = e.element("from", pool)
    single = number.op == "const" and number.args[0] == 1
    e.bind_as(card if single else pool.type)
    if e.entry.get("if none") == "never":
        pass  # the author knows that there always is; if not, playing says so
    elif "if none" in e.entry:
        e.steps("if none")
    elif not _surely_enough(number, pool):
        raise RulesError(problem("may_be_empty", e.entry.key_at["draw"], len("draw")))
    e.hand(pool, "from")
    e.audience("seen by", "nobody")
    scope = e.scope
    for var in e.step.vars.values():
        scope = scope.with_name(var)
    e.tell("text", scope, *[(v.name, Expr("var", (v,), v.type)) for v in e.step.vars.values()])


def _not_below(key: str, e: _Entry, number: Expr, least: int) -> None:
    """Where a number is fixed, it is seen at once that it is too small; where it is not, nothing is then dealt."""
    known = settled_value(number)
    if known is not None and known[0] is not None and known[0] < least:
        raise RulesError(problem("too_small", e.at(key), len(str(e.entry[key])), number=known[0], least=least))


def _surely_enough(number: Expr, pool: Expr) -> bool:
    wanted, there = settled_value(number), settled_value(pool)
    return wanted is not None and there is not None and wanted[0] <= len(there[0] or ())


def _deal(e: _Entry) -> None:
    pool, receivers = e.expr("deal"), e.expr("to")
    if receivers.type.kind == "thing":
        receivers = e.step.at["to"] = Expr("gather", ((receivers,),), set_of(receivers.type))
    card, owner = e.element("deal", pool), e.element("to", receivers)
    name, many = e.entry["as"], "each" in e.entry
    each = e.expr("each", NUMBER) if many else const(1, NUMBER)
    if many:
        _not_below("each", e, each, 1)
    wanted = pool.type if many else card
    target = e.keeper(name, owner, wanted)
    if target is None:
        raise RulesError(problem("deal_target", e.at("as"), len(name), name=name, found=str(wanted), owner=str(owner)))
    e.step.at["each"] = each
    e.step.targets = [(target, [], pool)]
    e.hand(pool, "deal")
    if receivers.op != "const" or each.op != "const":  # valued once: what is dealt may change them
        row, number = e.rules.variable("", receivers.type), e.rules.variable("", NUMBER)
        e.rule.variables += [row, number]
        e.step.at["dealing"] = Expr("dealing", (row, number), receivers.type)
    receiver = Var("receiver", owner)
    e.step.at["receiver"] = Expr("var", (receiver,), receiver.type)


def _shuffle(e: _Entry) -> None:
    deck = e.cell("shuffle")
    if deck.type.kind != "list":
        raise RulesError(problem("list_wanted", e.at("shuffle"), len(str(e.entry["shuffle"])), found=str(deck.type)))
    e.step.targets = [(*deck.args, deck)]
    left, done = e.rules.variable("", deck.type), e.rules.variable("", deck.type)
    e.rule.variables += [left, done]
    e.step.at["hand"] = Expr("hand", (left, done), deck.type)


def _let(e: _Entry) -> None:
    scope = e.scope
    names = e.entry["let"]
    for name in names:
        value = e.checker.expression(names[name], names.value_at[name], scope)
        var = e.bind(name, value.type, names.key_at[name], scope)
        e.step.vars[name] = var
        e.step.at[name] = value
        scope = scope.with_name(var)


def _set(e: _Entry) -> None:
    targets = e.entry["set"]
    for head in targets:
        place = targets.key_at[head]
        target = e.checker.expression(head, place, e.scope)
        if target.op != "state":
            raise RulesError(problem("not_state", place, len(head), name=head))
        function, args = target.args
        value = e.checker.expression(targets[head], targets.value_at[head], e.scope, function.result)
        e.step.targets.append((function, list(args), value))


def _move(e: _Entry) -> None:
    put = "under" if "under" in e.entry else "to"
    if put not in e.entry:
        raise RulesError(problem("key_missing", e.step.place, _length(e.step), key=put))
    if "under" in e.entry and "to" in e.entry:
        raise RulesError(problem("not_together", e.entry.key_at["under"], len("under"), one="to", other="under"))
    what, given, taken = e.expr("move"), e.cell("from"), e.cell(put)
    moved = what if what.type.many else Expr("gather", ((what,),), set_of(what.type))
    if put == "under" and taken.type.kind != "list":
        raise RulesError(problem("list_wanted", e.at(put), len(str(e.entry[put])), found=str(taken.type)))
    for key, home in (("from", given), (put, taken)):
        if home.type.kind not in ("pile", "list") or home.type.of is None:
            raise RulesError(problem("row_wanted", e.at(key), len(str(e.entry[key])), found=str(home.type)))
        if moved.type.of is not None and not fits(moved.type.of, home.type.of):
            raise RulesError(
                problem("never_in", e.at("move"), len(str(e.entry["move"])), one=str(what.type), other=str(home.type))
            )
    less, more = Expr("remove", (given, moved), given.type), Expr("heap", (taken, moved), taken.type)
    e.step.targets = [(*given.args, less), (*taken.args, more)]


def _show(e: _Entry) -> None:
    value = e.expr("show")
    e.audience("to", "all")
    var = e.bind_as(value.type)
    scope = e.scope.with_name(var) if var else e.scope
    e.tell("text", scope, (var.name if var else "shown", value))


def _say(e: _Entry) -> None:
    e.audience("to", "all")
    e.tell("say", e.scope)


VERBS: dict[str, Callable[[_Entry], None]] = {
    "if": _if,
    "cases": _cases,
    "for each": _for_each,
    "repeat": _repeat,
    "call": _call,
    "return": _return,
    "play": _play,
    "end": _end,
    "ask": _ask,
    "plan": _plan,
    "draw": _draw,
    "deal": _deal,
    "shuffle": _shuffle,
    "let": _let,
    "set": _set,
    "move": _move,
    "show": _show,
    "say": _say,
}
