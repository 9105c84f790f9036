"""What of a position can ever reach one seat: a backward slice over the typed steps, from all that the seat may see.

Each seat, variable and cell is followed apart: rules are gone through once for every filling of the variables that hold
persons, so that what one shows another is not taken for what he shows a third. What is not understood here (a verb, a
key of a step) may reach everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from .cells import cell_of, cells_of
from .evaluate import evaluate
from .liveness import expressions_of
from .model import Alternative, Expr, Function, Part, Rule, Step, Value, Var, walk

if TYPE_CHECKING:
    from .game import Game

__all__ = ["Reach", "offered_by", "unordered"]

PERSONS = 8  # a variable with so many possible values is looked at value by value
WORK = 20_000  # rows of steps that are gone through for one seat
UNKNOWN: Any = object()
_NOT_FIXED = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError)

# A node of the graph of dependencies: a cell, a variable of a rule for a filling, a choice, whether a rule runs, …
Dot = tuple[Hashable, ...]
Dots = frozenset[Dot]
Context = tuple[str, tuple[Value, ...]]  # a rule, and the persons it is called for
Filling = frozenset[tuple[Var, Value]]
NONE: Dots = frozenset()
NOBODY: Filling = frozenset()
WON: Dot = ("won",)

# The keys of each verb that are understood below; another one makes everything reach everybody.
KEYS: dict[str, frozenset[str]] = {
    "if": frozenset({"if"}),
    "for each": frozenset({"for each", "loop"}),
    "repeat": frozenset({"while", "until"}),
    "call": frozenset({"args"}),
    "play": frozenset({"args"}),
    "return": frozenset({"return"}),
    "end": frozenset({"end", "scores", "score seat"}),
    "set": frozenset(),
    "show": frozenset({"show"}),
    "say": frozenset(),
    "draw": frozenset({"draw", "from", "hand"}),
    "deal": frozenset({"deal", "to", "each", "hand", "receiver"}),
    "ask": frozenset({"ask", "where"}),
    "plan": frozenset({"plan"}),
}


class NotUnderstood(Exception):
    """The rules have something in them that this module does not follow."""


class Scope:
    """Where in the rules one is: for which persons, under which conditions, and for which filling a name was bound."""

    __slots__ = ("bound", "context", "control", "persons")

    def __init__(self, context: Context, persons: dict[Var, Value], bound: dict[Var, Filling], control: Dots):
        self.context, self.persons, self.bound, self.control = context, persons, bound, control

    def under(self, control: Dots) -> Scope:
        return Scope(self.context, dict(self.persons), dict(self.bound), self.control | control)

    def where(self, persons: Mapping[Var, Value]) -> Scope:
        return Scope(self.context, {**self.persons, **persons}, dict(self.bound), self.control)

    def without(self, var: Var) -> Scope:
        scope = self.under(NONE)
        scope.persons.pop(var, None)
        return scope

    @property
    def filling(self) -> Filling:
        return frozenset(self.persons.items())

    def dot(self, var: Var) -> Dot:
        return ("name", self.context, var, self.bound.get(var, NOBODY))


class Reach:
    """For one seat: the cells, the names and the choices that can ever reach it. `all`: nothing could be left out."""

    def __init__(self, game: Game, seat: str, asked: Sequence[Expr | Function] | None = ()):
        """`asked`: what is wanted to be known besides; None: everything."""
        self.game, self.words = game, game.vocabulary
        self.me = self.words.seats[game.seat(seat)]
        self._seats = frozenset(self.words.seats)
        self.states = [f for fs in self.words.functions.values() for f in fs if f.kind == "state"]
        self.cells: frozenset[int] = frozenset(c for f in self.states for c in cells_of(f))
        self.names: frozenset[tuple[str, Var]] | None = None  # of which rule; None: all
        self.choices: dict[tuple[Context, int], list[tuple[Filling, bool]]] = {}
        self._asked, self._split = asked or (), False
        for split in (True, False) if asked is not None else ():
            self._split = split
            try:
                self._slice()
                break
            except NotUnderstood:
                continue

    @property
    def all(self) -> bool:
        return self.names is None

    def is_person(self, var: Var) -> bool:
        """Is it worth while to follow each of its values apart?"""
        kind = var.type
        if not self._split or kind.kind != "thing" or len(kind.atoms) > PERSONS:
            return False
        return bool(kind.atoms & self._seats)

    def _slice(self) -> None:
        self._deps: dict[Dot, set[Dot]] = {}
        self._sinks: set[Dot] = set()
        self._done: set[Context] = set()
        self._memo: dict[Hashable, Dots] = {}
        self._work = 0
        for wanted in self._asked:
            self._sinks |= self._wanted(wanted)
        program = self.game.program
        start = next(r for r in program.rules.values() if program.start[program.return_slot[r.shape]] is not None)
        self._begin(start, NONE)
        self._process(start, ())
        found: set[Dot] = set()
        todo = list(self._sinks)
        while todo:
            dot = todo.pop()
            if dot not in found:
                found.add(dot)
                todo += self._deps.get(dot, ())
        self.cells = frozenset(dot[1] for dot in found if dot[0] == "cell")  # type: ignore[misc]
        self.names = frozenset((dot[1][0], dot[2]) for dot in found if dot[0] == "name")  # type: ignore[index,misc]
        for dot in self._deps:
            if dot[0] == "choice":
                _, context, step, filling = dot
                self.choices.setdefault((context, step), []).append((filling, dot in found))  # type: ignore[arg-type]

    def _wanted(self, wanted: Expr | Function) -> Dots:
        if isinstance(wanted, Function):
            return frozenset(("cell", c) for c in cells_of(wanted))
        return self._reads(wanted, Scope(("", ()), {}, {}, NONE))

    # --- expressions --------------------------------------------------------------------------------------------------
    def _value(self, expr: Expr, persons: Mapping[Var, Value]) -> Value:
        try:
            return evaluate(expr, (), dict(persons))
        except _NOT_FIXED:
            return UNKNOWN

    def _cells(self, function: Function, args: Sequence[Expr], scope: Scope) -> list[int]:
        values = [self._value(a, scope.persons) for a in args]
        if None in values:
            return []
        pools = [
            [v] if v is not UNKNOWN and v in p.type.atoms else sorted(p.type.atoms)
            for v, p in zip(values, function.params)
        ]
        return [cell_of(function, c) for c in product(*pools)]

    def _reads(self, expr: Expr | None, scope: Scope) -> Dots:
        """What the value of an expression hangs on."""
        if not isinstance(expr, Expr):
            return NONE
        op, args = expr.op, expr.args
        if op in ("var", "matched"):
            var = args[0].origin
            own = frozenset({scope.dot(var)}) if var.slot >= 0 else NONE
            return own.union(*(self._reads(kid, scope) for kid in expr.kids()))
        if op == "state":
            cells = frozenset(("cell", c) for c in self._cells(args[0], args[1], scope))
            return cells.union(*(self._reads(a, scope) for a in args[1]))
        if op in ("word", "formula"):
            return self._defined(expr, scope)
        if op == "cond":
            decided = self._value(args[0], scope.persons)
            if decided is not UNKNOWN:
                return self._reads(args[1 if decided else 2], scope)
        if op != "table" and any(isinstance(a, Function) for a in args):
            raise NotUnderstood(op)
        return NONE.union(*(self._reads(kid, scope) for kid in expr.kids()))

    def _defined(self, expr: Expr, scope: Scope) -> Dots:
        function, inputs = expr.args
        values = [self._value(a, scope.persons) for a in inputs]
        key = (id(function), tuple(("?",) if v is UNKNOWN else (v,) for v in values))
        if key not in self._memo:
            self._memo[key] = NONE
            persons = {v: x for v, x in zip(function.variables, values) if x is not UNKNOWN}
            inner = Scope(("", ()), persons, {}, NONE)
            bodies = [function.body, *function.values.values()]
            self._memo[key] = NONE.union(*(self._reads(b, inner) for b in bodies if isinstance(b, Expr)))
        return self._memo[key].union(*(self._reads(a, scope) for a in inputs))

    def _reads_all(self, exprs: Iterable[Expr | None], scope: Scope) -> Dots:
        return NONE.union(*(self._reads(e, scope) for e in exprs))

    # --- the graph ----------------------------------------------------------------------------------------------------
    def _put(self, dot: Dot, hangs_on: Dots) -> None:
        self._deps.setdefault(dot, set()).update(hangs_on)

    def _bind(self, variables: Iterable[Var], hangs_on: Dots, scope: Scope) -> None:
        """What names hold hangs on these; a name bound for one filling of the persons is not that of another."""
        filling = scope.filling
        for var in variables:
            scope.bound[var.origin] = filling
            self._put(scope.dot(var.origin), hangs_on | scope.control)

    def _may_see(self, audience: Expr | str | None, scope: Scope) -> tuple[bool, Dots]:
        """May I be among them, and what hangs it on?"""
        if not isinstance(audience, Expr):
            return audience == "all", NONE
        found = self._value(audience, scope.persons)
        if found is UNKNOWN:
            return True, self._reads(audience, scope)
        return self.me in (found if isinstance(found, tuple) else (found,)), NONE

    def _sees_cell(self, function: Function, args: Sequence[Value]) -> bool:
        if getattr(function, "aspects", None):
            return True
        if not isinstance(function.view, Expr):
            return function.view == "all"
        persons = {v: a for v, a in zip(function.variables, args) if a is not UNKNOWN}
        found = self._value(function.view, persons)
        return found is UNKNOWN or self.me in (found if isinstance(found, tuple) else (found,))

    def _told(self, step: Step, scope: Scope) -> Dots:
        exprs = [e for _, e in step.tells] + [e for a in step.alternatives for _, e in a.tells]
        return self._reads_all(exprs, scope) | frozenset(scope.dot(v.origin) for v in step.context)

    # --- rules --------------------------------------------------------------------------------------------------------
    def _process(self, rule: Rule, persons: tuple[Value, ...]) -> Context:
        context = (rule.shape, persons)
        if context not in self._done:
            self._done.add(context)
            filled = {p.origin: a for p, a in zip(rule.params, persons) if a is not None}
            self._sequence(rule.steps, Scope(context, filled, {}, frozenset({("runs", context), ("left", context)})))
        return context

    def _begin(self, rule: Rule, control: Dots) -> None:
        """What lasts a rule starts anew with it, and everybody sees that."""
        name = rule.shape.split(" ")[0]
        for function in self.states:
            if function.lasts == name:
                for cell in cells_of(function):
                    self._put(("cell", cell), control)
                if function.view != "nobody":
                    self._sinks |= control

    def _sequence(self, steps: list[Step], scope: Scope) -> None:
        for index, step in enumerate(steps):
            self._work += 1
            known = _VERBS.get(step.verb)
            strange = set(step.at) - KEYS.get(step.verb, frozenset()) - set(step.vars)
            if known is None or self._work > WORK or strange or getattr(step, "source", None) is not None:
                raise NotUnderstood(step.verb)
            split = [v.origin for v in known(self, step, scope) if self.is_person(v.origin)]
            split = [v for v in split if v not in scope.persons]
            if split and index + 1 < len(steps):
                for persons in self._fillings(split):
                    self._sequence(steps[index + 1 :], scope.where(persons))
                return

    def _fillings(self, variables: Iterable[Var]) -> Iterator[dict[Var, Value]]:
        several = [v for v in variables if self.is_person(v)]
        for values in product(*(sorted(v.type.atoms) for v in several)):
            yield dict(zip(several, values))

    # --- verbs: each gives the names that it binds for the steps after it ---------------------------------------------
    def _if(self, step: Step, scope: Scope) -> list[Var]:
        decided = self._value(step.at["if"], scope.persons)
        read = self._reads(step.at["if"], scope) if decided is UNKNOWN else NONE
        for key, wanted in (("then", True), ("else", False)):
            if decided is UNKNOWN or bool(decided) == wanted:
                self._sequence(step.bodies.get(key) or [], scope.under(read))
        return []

    def _for_each(self, step: Step, scope: Scope) -> list[Var]:
        var, row, place = step.at["loop"].args
        read = self._reads(step.at["for each"], scope)
        self._bind((var, row, place), read, scope)
        read |= {scope.dot(row), scope.dot(place)}
        values: Iterable[Value] = self._value(step.at["for each"], scope.persons)
        if not self.is_person(var):
            self._sequence(step.bodies["do"], scope.under(read))
            return []
        for value in sorted(var.type.atoms) if values is UNKNOWN else values:
            self._sequence(step.bodies["do"], scope.without(var).under(read).where({var: value}))
        return []

    def _repeat(self, step: Step, scope: Scope) -> list[Var]:
        read = self._reads_all([step.at.get("while"), step.at.get("until")], scope)
        self._sequence(step.bodies["repeat"], scope.under(read))
        return []

    def _call(self, step: Step, scope: Scope) -> list[Var]:
        rule, args = step.called, step.at["args"].args
        self._begin(rule, scope.control)
        pools: list[list[Value]] = []
        for param, arg in zip(rule.params, args):
            value = self._value(arg, scope.persons)
            person = self.is_person(param)
            pools.append([None] if not person else sorted(param.type.atoms) if value is UNKNOWN else [value])
        for values in product(*pools):
            inner = self._process(rule, values)
            for param, arg in zip(rule.params, args):
                self._put(("name", inner, param.origin, NOBODY), self._reads(arg, scope) | scope.control)
            self._put(("runs", inner), scope.control)
            self._bind(step.vars.values(), frozenset({("back", inner)}), scope)
        return list(step.vars.values())

    def _play(self, step: Step, scope: Scope) -> list[Var]:
        self._call(step, scope)
        self._bind(step.vars.values(), frozenset({WON}), scope)
        return list(step.vars.values())

    def _return(self, step: Step, scope: Scope) -> list[Var]:
        self._put(("back", scope.context), self._reads(step.at["return"], scope) | scope.control)
        self._put(("left", scope.context), scope.control)
        return []

    def _end(self, step: Step, scope: Scope) -> list[Var]:
        read = self._reads_all([step.at.get("end"), step.at.get("scores")], scope)
        read |= scope.control | self._told(step, scope)
        self._put(WON, read)
        self._sinks |= read
        return []

    def _let(self, step: Step, scope: Scope) -> list[Var]:
        for name, var in step.vars.items():
            self._bind([var], self._reads(step.at[name], scope), scope)
            value = self._value(step.at[name], scope.persons)
            if value is not UNKNOWN and self.is_person(var.origin):
                scope.persons[var.origin] = value
        return list(step.vars.values())

    def _set(self, step: Step, scope: Scope) -> list[Var]:
        for function, args, value in step.targets:
            read = self._reads_all([value, *args], scope) | scope.control
            for cell in self._cells(function, args, scope):
                self._put(("cell", cell), read)
            if self._sees_cell(function, [self._value(a, scope.persons) for a in args]):
                self._sinks |= read
        return []

    def _show(self, step: Step, scope: Scope) -> list[Var]:
        read = self._reads(step.at["show"], scope)
        self._bind(step.vars.values(), read, scope)
        sees, who = self._may_see(step.audience, scope)
        if sees:
            self._sinks |= read | who | scope.control | self._told(step, scope)
        return list(step.vars.values())

    def _say(self, step: Step, scope: Scope) -> list[Var]:
        sees, who = self._may_see(step.audience, scope)
        if sees:
            self._sinks |= who | scope.control | self._told(step, scope)
        return []

    def _draw(self, step: Step, scope: Scope) -> list[Var]:
        choice, hand = self._choice(step, scope), step.at["hand"].args
        read = self._reads_all([step.at["from"], step.at["draw"]], scope) | scope.control
        self._put(choice, read)
        self._bind([*step.vars.values(), *hand], frozenset({choice}), scope)
        self._put(choice, frozenset(scope.dot(v) for v in hand))  # several are drawn one by one
        sees, who = self._may_see(step.audience, scope)
        if sees:
            self._sinks |= {choice} | who | scope.control | self._told(step, scope)
        self._sequence(step.bodies.get("if none") or [], scope.under(read))
        return list(step.vars.values())

    def _deal(self, step: Step, scope: Scope) -> list[Var]:
        choice, hand, function = self._choice(step, scope), step.at["hand"].args, step.targets[0][0]
        self._put(choice, self._reads_all([step.at["deal"], step.at["to"], step.at["each"]], scope) | scope.control)
        self._bind(hand, frozenset({choice}), scope)
        self._put(choice, frozenset(scope.dot(v) for v in hand))
        for cell in cells_of(function):
            self._put(("cell", cell), frozenset({choice}))
        if function.view != "nobody" or getattr(function, "aspects", None):
            self._sinks |= {choice} | scope.control
        return []

    def _ask(self, step: Step, scope: Scope) -> list[Var]:
        choice = self._choice(step, scope)
        offered = self._reads_all(offered_by(step), scope)
        actor, who = self._value(step.at["ask"], scope.persons), self._reads(step.at["ask"], scope)
        self._put(choice, offered | who | scope.control)
        several: list[Step | Alternative] = [step, *step.alternatives]
        parts = [part for chooser in several for part in chooser.parts]
        self._bind([*step.vars.values(), *(p.var for p in parts)], frozenset({choice}), scope)
        own = actor is UNKNOWN or actor == self.me
        sees, hangs = self._may_see(step.audience, scope)
        sees = sees or any(getattr(part, "audience", None) is not None for part in parts)
        if own:
            self._sinks |= offered | who | scope.control | self._reads_all([e for _, e in step.prompts], scope)
        if own or sees:
            self._sinks |= {choice} | who | hangs | scope.control | self._told(step, scope)
        self._sequence(step.bodies.get("if none") or [], scope.under(offered | who))
        for alternative in step.alternatives:
            chosen = [p.var.origin for p in (*step.parts, *alternative.parts)]
            for persons in self._fillings(chosen):
                self._sequence(alternative.then, scope.under(frozenset({choice})).where(persons))
        return [p.var for p in step.parts]

    def _plan(self, step: Step, scope: Scope) -> list[Var]:
        """What can be offered in a plan hangs on how it must end."""
        self._sinks |= self._reads_all([test for _, test in step.must], scope) | self._reads(step.at["plan"], scope)
        self._sequence(step.bodies["do"], scope)
        return []

    def _choice(self, step: Step, scope: Scope) -> Dot:
        return ("choice", scope.context, id(step), scope.filling)


_VERBS: dict[str, Callable[[Reach, Step, Scope], list[Var]]] = {
    verb: getattr(Reach, "_" + verb.replace(" ", "_")) for verb in (*KEYS, "let")
}


def offered_by(step: Step) -> list[Expr]:
    """The expressions that say what can be chosen."""
    several: list[Step | Alternative] = [step, *step.alternatives]
    found: list[Expr | None] = [step.at.get("where")]
    found += [e for a in step.alternatives for e in (a.given, a.where)]
    for part in (part for chooser in several for part in chooser.parts):
        found += _of_part(part)
    return [e for e in found if isinstance(e, Expr)]


def _of_part(part: Part) -> list[Expr | None]:
    return [part.source, part.amount, part.onto, *(x for _, *pair in part.which for x in pair)]


# --- lists of which nobody asks for the order -------------------------------------------------------------------------
LOOSE = frozenset({"count", "tally", "exists", "every", "distinct", "within"})  # the same in whatever order
PASSING = frozenset({"remove", "append", "filter", "without", "join"})  # in the order of what they are made of


def unordered(game: Game) -> frozenset[int]:
    """The cells that hold lists of which nothing in the rules ever looks at the order: a deck that is drawn from, a
    heap of discarded cards. Whoever sees a list sees its order."""
    functions = [f for fs in game.vocabulary.functions.values() for f in fs]
    lists = {f for f in functions if f.kind == "state" and f.result.kind == "list" and f.view == "nobody"}
    lists -= {f for f in lists if getattr(f, "aspects", None)}
    before = -1
    while lists and before != len(lists):
        before = len(lists)
        for function in functions:
            for body in (function.body, function.view, *function.values.values()):
                if isinstance(body, Expr):
                    lists -= _in_order(body, False)
        for rule in game.program.rules.values():
            for step in walk(rule.steps):
                kept = {id(value) for function, _, value in step.targets if function in lists}
                drawn = step.at.get("from") if step.verb == "draw" else None
                for expr in expressions_of(step):
                    lists -= _in_order(expr, expr is drawn or id(expr) in kept)
    return frozenset(cell for function in lists for cell in cells_of(function))


def _in_order(expr: Expr, loose: bool) -> set[Function]:
    """The functions of the state of which this expression looks at the order."""
    found = {expr.args[0]} if expr.op == "state" and not loose else set()
    for place, arg in enumerate(expr.args):
        for kid in arg if isinstance(arg, tuple) else (arg,):
            if isinstance(kid, Expr):
                free = kid.type.kind == "list" and (expr.op in LOOSE or expr.op == "member" and place == 1)
                found |= _in_order(kid, free or loose and expr.op in PASSING)
    return found
