"""How a flat program is written, operation by operation: blocks, names, events, who sees what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from . import flat as do
from .blocks import FAILS, FITS, OVER, Event, Node
from .evaluate import MISTAKES, evaluate, is_fixed
from .flat import Operation, Question, Row
from .liveness import Liveness
from .model import NOTHING as NO_THING
from .model import (
    NUMBER,
    TRUTH,
    Expr,
    Function,
    Rule,
    Step,
    Text,
    Type,
    Value,
    Var,
    aspect_type,
    const,
    list_of,
)
from .slots import HEADER
from .vocabulary import Vocabulary

PLANNER, MATCH, WON, TRIED = 4, 6, 7, 8  # slots: see slots.py
NOTHING = const(None, NO_THING)
NONE = const((), Type("set", "none"))
ZERO, ONE = const(0, NUMBER), const(1, NUMBER)


# --- expressions ------------------------------------------------------------------------------------------------------
def var_of(var: Var) -> Expr:
    return Expr("var", (var,), var.type)


def truth(op: str, *args: Any) -> Expr:
    return Expr(op, args, TRUTH)


def number_of(op: str, *args: Any) -> Expr:
    return Expr(op, args, NUMBER)


def plus_one(number: Expr) -> Expr:
    return number_of("add", number, ONE)


def count_of(row: Expr) -> Expr:
    return number_of("count", row)


def not_(test: Expr) -> Expr:
    return test.args[0] if test.op == "not" else truth("not", test)


def slot_of(number: int, kind: Type) -> Expr:
    return Expr("slot", (number,), kind)


def with_values(expr: Expr, variables: Sequence[Var], values: Sequence[Expr]) -> Expr:
    """An expression with values in the places of variables."""
    return Expr("with", (expr, tuple(variables), tuple(values)), expr.type) if variables else expr


def known(expr: Expr, given: Mapping[Var, Value] | None = None) -> tuple[Value] | None:
    """What it is worth, if that is settled before anybody plays; of conditions, as far as it matters."""
    given = given or {}
    if expr.op in ("and", "or"):
        stop = expr.op == "or"
        sides = [known(side, given) for side in expr.args]
        if any(side is not None and bool(side[0]) == stop for side in sides):
            return (stop,)
        return (not stop,) if None not in sides else None
    if expr.op == "not":
        side = known(expr.args[0], given)
        return None if side is None else (not side[0],)
    if not is_fixed(expr, frozenset(given)):
        return None
    try:
        return (evaluate(expr, (), dict(given)),)
    except MISTAKES:
        return None


class FlatWriter:
    rule: Rule  # that is being written
    live: Liveness
    planned: bool
    doomed: Expr | None = None  # at the question of a plan: can it no longer end as it must?
    final: int

    def __init__(self, rules: Mapping[str, Rule], words: Vocabulary, start: Rule, local_slots: int):
        self.rules, self.words, self.start = rules, words, start
        self.slots = local_slots
        self.blocks: list[Row] = []
        self.nodes = [Node(OVER, "over", None), Node(FITS, "over", None), Node(FAILS, "over", None)]
        self.events: list[Event] = []
        self.questions: dict[int, Question] = {}
        self.choices: dict[int, Row] = {}
        self.returns: dict[int, tuple[Rule, tuple[int, ...]]] = {}
        self.return_slot: dict[str, int] = {}
        self.entries: dict[str, int] = {}
        self.backs: set[int] = set()
        self.counted: set[int] = set()
        self.types: dict[int, Type] = {}
        self.everyone = (1 << len(words.seats)) - 1
        self.seat_mask = {seat: 1 << i for i, seat in enumerate(words.seats)}
        self.winners = list_of(words.seat_type)
        self.row: Row = []
        self.step: Step | None = None

    # --- writing ------------------------------------------------------------------------------------------------------
    def new_slot(self, kind: Type) -> int:
        self.types[HEADER + self.slots] = kind
        self.slots += 1
        return HEADER + self.slots - 1

    def label(self) -> int:
        self.blocks.append([])
        return len(self.blocks) - 1

    def open(self, label: int) -> None:
        self.row = self.blocks[label]

    def add(self, operation: Operation) -> None:
        self.row.append((operation, self.step))

    @contextmanager
    def inside(self) -> Iterator[Row]:
        """What is added here goes into a row of its own."""
        outer, self.row = self.row, []
        yield self.row
        self.row = outer

    def when(self, test: Expr, *operations: Operation) -> None:
        self.add(do.If(test, [(operation, self.step) for operation in operations]))

    def named(self, value: Expr, kind: Type | None = None) -> Expr:
        """Valued once, here."""
        if value.op == "const":
            return value
        var = Var("", kind or value.type)
        self.add(do.Let(var, value))
        return var_of(var)

    def put(self, var: Var, value: Expr) -> None:
        self.add(do.Put(HEADER + var.slot, value))

    def clear(self, *variables: Var) -> None:
        for var in variables:
            self.put(var, NOTHING)

    def node(self, kind: str, step: Step, bound: tuple[Var, ...] = ()) -> Node:
        alive = (*self.alive(step), *(HEADER + v.slot for v in bound))
        node = Node(len(self.nodes), kind, step, self.planned, slots=alive, rule=self.rule)
        self.nodes.append(node)
        return node

    def alive(self, step: Step) -> tuple[int, ...]:
        return tuple(HEADER + v.slot for v in step.visible if self.live.alive(step, v))

    # --- who sees what ------------------------------------------------------------------------------------------------
    def mask(self, audience: Expr | str | None, function: Function | None = None, args: Sequence[Expr] = ()) -> Expr:
        """Of those who see something: of a function of the state, at these arguments."""
        if audience is None or isinstance(audience, str):
            return const(self.everyone if audience == "all" else 0, NUMBER)
        variables = tuple(function.variables) if function is not None else ()
        given = {v: a.args[0] for v, a in zip(variables, args) if a.op == "const"}
        settled = known(audience, given)
        if settled is not None and settled[0] is not None:
            return const(sum(self.seat_mask.get(seat, 0) for seat in set(settled[0])), NUMBER)
        if audience.op == "gather" and len(audience.args[0]) == 1 and not audience.args[0][0].type.maybe:
            return number_of("seat", with_values(audience.args[0][0], variables, args))
        return number_of("seats", with_values(audience, variables, args))

    def seat(self, who: Expr) -> Expr:
        settled = known(who)
        return number_of("seat", who) if settled is None else const(self.seat_mask.get(settled[0], 0), NUMBER)

    def masks(self, op: str, a: Expr, b: Expr) -> Expr:
        if a.op == b.op == "const":
            x, y = a.args[0], b.args[0]
            return const({"both": x & y, "either": x | y, "but": x & ~y}[op], NUMBER)
        for one, other in ((a, b), (b, a)):
            if one.op == "const" and op != "but" and one.args[0] in (0, self.everyone):
                return other if bool(one.args[0]) == (op == "both") else one
        return number_of(op, a, b)

    # --- events -------------------------------------------------------------------------------------------------------
    def event(self, kind: str, step: Step | None, text: Text, tells: list[tuple[str, Expr]], **more: Any) -> Event:
        names, types = tuple(n for n, _ in tells), tuple(e.type for _, e in tells)
        name = step.name if step else ""
        event = Event(len(self.events), kind, name, text, names, types, planned=self.planned, **more)
        self.events.append(event)
        return event

    def log(self, event: Event, mask: Expr, values: list[Expr]) -> None:
        if mask.op != "const" or mask.args[0]:
            self.add(do.Tell(event.number, mask, values, self.planned))

    def tell(
        self,
        kind: str,
        step: Step,
        mask: Expr,
        text: Text | None = None,
        tells: list[tuple[str, Expr]] | None = None,
        **more: Any,
    ) -> Event:
        tells = step.tells if tells is None else tells
        event = self.event(kind, step, step.text if text is None else text, tells, **more)
        event.origin, event.context = step, step.context
        self.log(event, mask, self.told(step, tells))
        return event

    def told(self, step: Step, tells: list[tuple[str, Expr]]) -> list[Expr]:
        return [*(e for _, e in tells), *(var_of(x.origin) for x in step.context)]

    def tell_state(self, step: Step, function: Function, args: list[Expr], value: Expr) -> None:
        """Who sees a new value, and who sees no more of it than the rules say."""
        mask = self.mask(function.view, function, args)
        event = self.event("set", step, "", [], function=function)
        event.names = (*(p.name for p in function.params), "value")
        event.types = (*(p.type for p in function.params), function.result)
        self.log(event, mask, [*args, value])
        for aspect, audience in function.aspects.items():
            others = self.masks("but", self.mask(audience, function, args), mask)
            part, kind = self.event(aspect, step, "", [], function=function), aspect_type(aspect, function.result)
            part.names, part.types = event.names, (*event.types[:-1], kind)
            seen = {"count": "count", "top": "first", "contents": "ordered"}[aspect]
            self.log(part, others, [*args, Expr(seen, (value,), kind)])

    # --- the state ----------------------------------------------------------------------------------------------------
    def assign(self, step: Step, function: Function, args: list[Expr], value: Expr) -> None:
        self.add(do.PutCell(function, args, value))
        self.tell_state(step, function, args, value)

    def cell(self, function: Function, args: list[Expr]) -> Expr:
        return Expr("cell", (function, tuple(args)), function.result)

    # --- sequences ----------------------------------------------------------------------------------------------------
    def sequence(self, steps: list[Step]) -> None:
        for step in steps:
            self.step = step
            getattr(self, "_" + step.verb.replace(" ", "_"))(step)
