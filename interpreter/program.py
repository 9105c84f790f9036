"""Typed steps -> a flat program: blocks of straight Python that hand over to each other by number.

A block runs until the next decision or chance, at which the program rests in a *node*; nodes say whose it is, what may
be chosen and where it goes on. Steps without a decision in them are written straight into their block. Rules never
call themselves, so each rule's variables and its place of return have slots of their own: the stack is a fixed part
of the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import Any

from .asking import Asking, Way
from .blocks import (
    FAILS,
    FITS,
    OVER,
    Event,
    Lines,
    Node,
    Program,
    Slots,
    draws_numbers,
    is_plain,
    join_blocks,
    planned_rules,
)
from .cells import cells_of
from .linking import RULES, masker, run_program
from .liveness import Liveness
from .model import ASPECTS, Expr, Function, Part, Rule, Step, Text, Var, aspect_type
from .slots import HEADER
from .source import Code, Env, K, SourceBuilder, text
from .steps import Rules

_NOT_YET: Any = None


def make_program(rules: Rules) -> Program:
    return _ProgramMaker(rules).program()


class _ProgramMaker:
    def __init__(self, rules: Rules):
        self.rules, self.words = rules, rules.words
        self.source = SourceBuilder(len(self.words.atoms))
        self.asking = Asking(self.source)
        self.blocks: list[Lines] = []
        self.nodes = [Node(OVER, "over", None), Node(FITS, "over", None), Node(FAILS, "over", None)]
        self.events: list[Event] = []
        self.returns: dict[int, tuple[Rule, tuple[int, ...]]] = {}
        self.seat_mask = {seat: 1 << i for i, seat in enumerate(self.words.seats)}
        self.mask_of = masker(self.words.seats)
        self.everyone = (1 << len(self.words.seats)) - 1
        self.return_slot: dict[str, int] = {}
        self.entries: dict[str, int] = {}
        self.slots = rules.local_slots
        self.lines: Lines = []
        self.indent = 1
        self.step: Step | None = None
        self.in_plan = planned_rules(rules.steps)
        self.backs: set[int] = set()  # where games inside come back to
        self.roles: dict[tuple[int, str], str] = {}  # a node, which of its functions -> how the source calls that

    # --- the whole ----------------------------------------------------------------------------------------------------
    def program(self) -> Program:
        for shape, rule in self.rules.rules.items():
            self.entries[shape] = self.label()
            self.return_slot[shape] = HEADER + self.slots
            self.slots += 1
        for shape, rule in self.rules.rules.items():
            self.rule, self.live = rule, Liveness(rule)
            self.planned = shape in self.in_plan
            self.open(self.entries[shape])
            self.reset(rule)
            self.sequence(rule.steps)
            self.leave(rule)
        return self._assemble()

    def _assemble(self) -> Program:
        lines: list[str] = []
        where: list[Step | None] = [None]

        def add(line: str, step: Step | None = None) -> None:
            for part in line.split("\n"):
                lines.append(part)
                where.append(step)

        functions = [[(line, step) for line in body] for body, step in self.source.functions]
        going_on = [f for f in functions if f[0][0].startswith("def a")]  # those that make a choice
        gone = join_blocks(self.blocks, going_on, {*self.returns, *self.entries.values(), self._final, *self.backs})
        for function in functions:
            for line, step in function:
                add(line, step)
        for number, block in enumerate(self.blocks):
            if number not in gone:
                add(f"def b{number}(v):")
                for line, step in block:
                    add("    " + line, step)
        whole = "\n".join(lines) + "\n"
        start: Slots = [None] * (HEADER + self.slots)
        start[5], start[8] = (), False
        for same in self.words.functions.values():
            for state in same:
                if state.kind == "state":
                    for i in range(len(cells_of(state))):
                        start[HEADER + state.base + i] = state.start
        start_rule = self.rules.start
        start[6] = -1
        start[self.return_slot[start_rule.shape]] = self._final
        program = Program(
            start,
            [_NOT_YET] * len(self.blocks),
            self.nodes,
            self.events,
            self.entries[start_rule.shape],
            self.words.slots,
            self.returns,
            self.return_slot,
            whole,
            self.source.tables,
            self.roles,
            compile(whole, RULES, "exec"),
            where,
            self.rules.rules,
        )
        run_program(program, self.words.seats, program.code)
        return program

    def masks(self) -> str:
        """A table from atoms to masks; who does not sit at the table has none."""
        return self.source.padded({a: self.seat_mask.get(a, 0) for a in range(len(self.words.atoms))})

    # --- writing ------------------------------------------------------------------------------------------------------
    def label(self) -> int:
        self.blocks.append([])
        return len(self.blocks) - 1

    def open(self, label: int) -> None:
        self.lines = self.blocks[label]
        self.indent = 0

    def put(self, line: str) -> None:
        self.lines.append(("    " * self.indent + line, self.step))

    def code(self, expr: Expr, env: Env | None = None) -> str:
        return self.source.code(expr, env or {})

    def var(self, var: Var) -> str:
        return f"v[{HEADER + var.slot}]"

    def function(self, prefix: str, head: str, lines: list[str]) -> str:
        name = self.source.fresh(prefix)
        self.source.define(name, [f"def {name}({head}):", *("    " + line for line in lines)])
        return name

    def node(self, kind: str, step: Step, bound: tuple[Var, ...] = ()) -> Node:
        alive = (*self.alive(step), *(HEADER + v.slot for v in bound))
        node = Node(len(self.nodes), kind, step, self.planned, slots=alive, rule=self.rule)
        self.nodes.append(node)
        return node

    def alive(self, step: Step) -> tuple[int, ...]:
        return tuple(HEADER + v.slot for v in step.visible if self.live.alive(step, v))

    def rest(self, node: Node) -> None:
        self.put(f"v[0] = {node.number}")
        self.put("return -1")

    # --- events -------------------------------------------------------------------------------------------------------
    def event(self, kind: str, step: Step | None, text_: Text, tells: list[tuple[str, Expr]], **more: Any) -> Event:
        event = Event(
            len(self.events),
            kind,
            step.name if step else "",
            text_,
            tuple(n for n, _ in tells),
            tuple(e.type for _, e in tells),
            planned=self.planned,
            **more,
        )
        self.events.append(event)
        return event

    def mask(self, audience: Expr | str, env: Env | None = None) -> Code:
        if isinstance(audience, str):
            return K(self.everyone if audience == "all" else 0)
        seats = self.source.of(audience, env or {})
        if isinstance(seats, K):
            return K(self.mask_of(seats.value))
        if audience.op == "gather" and len(audience.args[0]) == 1 and not audience.args[0][0].type.maybe:
            return f"{self.masks()}[{self.source.code(audience.args[0][0], env or {})}]"
        return f"mask_of({seats})"

    def log(self, event: Event, mask: Code, codes: list[str]) -> None:
        if isinstance(mask, K) and mask.value == 0:
            return
        values = ", ".join([str(event.number), text(mask), *codes])
        if self.planned:
            self.put(f"emit(v, ({values}))")
        else:
            self.put(f"v[1] = (v[1], ({values}))")

    def tell(
        self,
        kind: str,
        step: Step,
        mask: Code,
        text_: Text | None = None,
        tells: list[tuple[str, Expr]] | None = None,
        **more: Any,
    ) -> None:
        tells = step.tells if tells is None else tells
        event = self.event(kind, step, step.text if text_ is None else text_, tells, **more)
        event.origin, event.context = step, step.context
        self.log(event, mask, [*(self.code(e) for _, e in tells), *map(self.var, step.context)])

    # --- sequences ----------------------------------------------------------------------------------------------------
    def sequence(self, steps: list[Step]) -> None:
        for step in steps:
            self.step = self.source.step = step
            getattr(self, "_" + step.verb.replace(" ", "_"))(step)

    def indented(self, steps: list[Step]) -> None:
        self.indent += 1
        before = len(self.lines)
        self.sequence(steps)
        if len(self.lines) == before:  # also where there are steps, but none that does anything
            self.put("pass")
        self.indent -= 1

    def reset(self, rule: Rule) -> None:
        self.step = None
        name = rule.shape.split(" ")[0]
        mine = [f for fs in self.words.functions.values() for f in fs if f.kind == "state" and f.lasts == name]
        for function in mine:
            size, base = len(cells_of(function)), HEADER + function.base
            if size == 1:
                self.put(f"v[{base}] = {function.start!r}")
            else:
                self.put(f"v[{base}:{base + size}] = [{function.start!r}] * {size}")
        seen = tuple(f for f in mine if f.view != "nobody" or f.aspects)
        if seen:
            self.log(self.event("reset", None, "", [], functions=seen), K(self.everyone), [])

    def leave(self, rule: Rule) -> None:
        self.step = None
        if rule.result is not None:  # nothing is returned here, nor what was the last time
            self.put(f"{self.var(rule.result)} = None")
        self.put(f"return v[{self.return_slot[rule.shape]}]")
        if rule is self.rules.start:
            self._final = self.label()
            self.open(self._final)
            self.finish(None, "()", None)

    # --- verbs, in the order of steps.VERBS ---------------------------------------------------------------------------
    def _if(self, step: Step) -> None:
        test = self.source.of(step.at["if"], {})
        yes, no = step.bodies["then"], step.bodies["else"]
        if isinstance(test, K):  # settled by an option
            self.sequence(yes if test.value else no)
            return
        if is_plain(yes) and is_plain(no):
            self.put(f"if {test}:")
            self.indented(yes)
            if no:
                self.put("else:")
                self.indented(no)
            return
        other = self.label() if no else -1
        after = self.label()
        self.put(f"if not {test}:")
        self.put(f"    return {other if no else after}")
        self.sequence(yes)
        self.put(f"return {after}")
        if no:
            self.open(other)
            self.sequence(no)
            self.put(f"return {after}")
        self.open(after)

    def _for_each(self, step: Step) -> None:
        var, row, place = step.at["loop"].args
        source, body = self.source.of(step.at["for each"], {}), step.bodies["do"]
        if is_plain(body):
            name = self.source.fresh("x")
            self.put(f"for {name} in {text(source)}:")
            self.indent += 1
            self.put(f"{self.var(var)} = {name}")
            self.indent -= 1
            self.indented(body)
            return
        loop, after = self.label(), self.label()
        if not isinstance(source, K):
            self.put(f"{self.var(row)} = {source}")
        self.put(f"{self.var(place)} = 0")
        self.put(f"return {loop}")
        self.open(loop)
        self.put(f"i = {self.var(place)}")
        self.put(f"row = {text(source) if isinstance(source, K) else self.var(row)}")
        self.put("if i >= len(row):")
        self.put(f"    return {after}")
        self.put(f"{self.var(var)} = row[i]")
        self.put(f"{self.var(place)} = i + 1")
        self.sequence(body)
        self.put(f"return {loop}")
        self.open(after)

    def _repeat(self, step: Step) -> None:
        loop, after = self.label(), self.label()
        self.put(f"return {loop}")
        self.open(loop)
        if step.at.get("while") is not None:
            self.put(f"if not {self.code(step.at['while'])}:")
            self.put(f"    return {after}")
        self.sequence(step.bodies["repeat"])
        self.step = step
        if step.at.get("until") is not None:
            self.put(f"if {self.code(step.at['until'])}:")
            self.put(f"    return {after}")
        self.put(f"return {loop}")
        self.open(after)

    def enter(self, step: Step, after: int) -> None:
        rule, args = step.called, step.at["args"].args
        if args:
            self.put(", ".join(self.var(p) for p in rule.params) + " = " + ", ".join(self.code(a) for a in args))
        self.put(f"v[{self.return_slot[rule.shape]}] = {after}")
        self.returns[after] = (self.rule, self.alive(step))
        self.put(f"return {self.entries[rule.shape]}")

    def _call(self, step: Step) -> None:
        after = self.label()
        self.enter(step, after)
        self.open(after)
        result = step.called.result
        if result is not None:
            for var in step.vars.values():
                self.put(f"{self.var(var)} = {self.var(result)}")

    def _return(self, step: Step) -> None:
        assert self.rule.result is not None  # what is returned has a place
        self.put(f"{self.var(self.rule.result)} = {self.code(step.at['return'])}")
        self.put(f"return v[{self.return_slot[self.rule.shape]}]")

    def _play(self, step: Step) -> None:
        """A game inside: `end` in it comes back here with the winners."""
        back, kept = self.label(), HEADER + self.slots
        self.backs.add(back)
        self.slots += 1
        self.put(f"v[{kept}] = v[6]")
        self.put(f"v[6] = {back}")
        self.put("v[7] = ()")
        self.enter(step, back)
        self.open(back)
        self.put(f"v[6] = v[{kept}]")
        for var in step.vars.values():
            self.put(f"{self.var(var)} = v[7]")

    def _end(self, step: Step) -> None:
        self.finish(step, self.code(step.at["end"]), step.at.get("scores"))

    def finish(self, step: Step | None, winners: str, scores: Expr | None) -> None:
        if step is not None:
            self.tell("end", step, K(self.everyone))
        else:
            self.log(self.event("end", None, "", []), K(self.everyone), [])
        self.put(f"won = {winners}")
        self.put("if v[6] >= 0:")
        self.put("    v[7] = won")
        self.put("    return v[6]")
        counted = "None"
        if step is not None and scores is not None:
            seat = step.at["score seat"].args[0]
            counted = "(" + ", ".join(self.code(scores, {seat: K(s)}) for s in self.words.seats) + ",)"
        self.put(f"v[3] = (won, {counted})")
        self.put("v[0] = 0")
        self.put("return -1")

    def _let(self, step: Step) -> None:
        for name, var in step.vars.items():
            self.put(f"{self.var(var)} = {self.code(step.at[name])}")

    def _set(self, step: Step) -> None:
        taken = []  # everything is looked up before the first value is changed
        for function, args, value in step.targets:
            taken.append(
                (function, [self.kept(self.source.of(a, {})) for a in args], self.kept(self.source.of(value, {})))
            )
        for function, codes, code in taken:
            self.assign(step, function, codes, text(code))

    def _move(self, step: Step) -> None:
        what = step.at["move"]
        moved = self.kept(self.source.of(what, {}))
        (given, given_args, _), (taken, taken_args, _) = step.targets
        from_codes, to_codes = ([self.kept(self.source.of(a, {})) for a in args] for args in (given_args, taken_args))
        row = text(moved) if what.type.many else f"({text(moved)},)"
        below = what.op == "last" and given.result.kind == "list"
        rest = self.kept(f"taken(v[{self.source.slot(given, from_codes)}], {row}, {below})")
        self.assign(step, given, from_codes, text(rest))
        here = f"v[{self.source.slot(taken, to_codes)}]"
        on_top = f"{row} + {here}" if "to" in step.at else f"{here} + {row}"
        more = on_top if taken.result.kind == "list" else f"heap({here}, {row})"
        self.assign(step, taken, to_codes, text(self.kept(more)))

    def kept(self, code: Code) -> Code:
        if isinstance(code, K):
            return code
        name = self.source.fresh("y")
        self.put(f"{name} = {code}")
        return name

    def assign(self, step: Step, function: Function, codes: list[Code], value: str) -> None:
        self.put(f"v[{self.source.slot(function, codes)}] = {value}")
        self.tell_state(step, function, codes, value)

    def tell_state(self, step: Step, function: Function, codes: list[Code], value: str) -> None:
        """Who sees a new value, and who sees no more of it than the rules say."""
        mask = self.mask(function.view, dict(zip(function.variables, codes)))
        event = self.event("set", step, "", [], function=function)
        event.names = (*(p.name for p in function.params), "value")
        event.types = (*(p.type for p in function.params), function.result)
        self.log(event, mask, [*map(text, codes), value])
        for aspect, audience in function.aspects.items():
            others = self.mask(audience, dict(zip(function.variables, codes)))
            if isinstance(mask, K) and isinstance(others, K):
                others = K(others.value & ~mask.value)
            else:
                others = f"{text(others)} & ~{text(mask)}"
            part = self.event(aspect, step, "", [], function=function)
            part.names, part.types = event.names, (*event.types[:-1], aspect_type(aspect, function.result))
            self.log(part, others, [*map(text, codes), ASPECTS[aspect].format(value)])

    def _show(self, step: Step) -> None:
        for var in step.vars.values():
            self.put(f"{self.var(var)} = {self.code(step.at['show'])}")
        self.tell("show", step, self.mask(step.audience))

    def _say(self, step: Step) -> None:
        self.tell("say", step, self.mask(step.audience))

    # --- what rests, and goes on with a choice ------------------------------------------------------------------------
    @contextmanager
    def applying(self, node: Node) -> Iterator[None]:
        """What is written here becomes the function that takes a choice at this node."""
        kept, self.lines, self.indent = (self.lines, self.indent), [], 0
        yield
        self.roles[node.number, "apply"] = self.function("a", "v, c", [line for line, _ in self.lines])
        self.lines, self.indent = kept

    def without(self, step: Step, none: int, after: int) -> None:
        """The block for a step that finds nothing to draw or to offer."""
        self.open(none)
        for var in step.vars.values():
            self.put(f"{self.var(var)} = None")
        self.sequence(step.bodies["if none"])
        self.put(f"return {after}")

    def chance(self, step: Step) -> Node:
        """Rest until chance has spoken."""
        hand = step.at["hand"].args
        node = self.node("chance", step, (*hand, *(step.at["dealing"].args if "dealing" in step.at else ())))
        node.pool = HEADER + hand[0].slot
        self.rest(node)
        return node

    # --- chance -------------------------------------------------------------------------------------------------------
    def _draw(self, step: Step) -> None:
        left, taken = (self.var(x) for x in step.at["hand"].args)
        number = self.source.of(step.at["draw"], {})
        single = step.at["draw"].op == "const" and step.at["draw"].args[0] == 1  # as its type says
        after = self.label()
        self.put(f"pool = {self.code(step.at['from'])}")
        if "if none" in step.bodies:
            none = self.label()
            self.put(f"if len(pool) < {text(number)}:")
            self.put(f"    return {none}")
        if not single:
            if not isinstance(number, K) or not isinstance(number.value, int) or number.value < 1:
                self.put(f"if {text(number)} < 1:")
                for var in step.vars.values():
                    self.put(f"    {self.var(var)} = ()")
                self.put(f"    return {after}")
            self.put(f"{taken} = ()")
        counted = draws_numbers(step.at["from"])
        self.put(f"{left} = tuple(map(Number, pool))" if counted else f"{left} = pool")
        node = self.chance(step)
        with self.applying(node):
            self.put("x = +c[0]" if counted else "x = c[0]")
            if not single:
                self.put(f"t = {taken} + (x,)")
                self.put(f"if len(t) < {text(number)}:")
                self.put(f"    {taken} = t")
                self.put(f"    {left} = remove({left}, c)")
                self.put("    return -1")
                self.put("x = tuple(sorted(t))")
            self.put(f"{left} = {taken} = None")
            for var in step.vars.values():
                self.put(f"{self.var(var)} = x")
            less = self.take_out(step, "c" if single else "x")
            self.tell("draw", step, self.mask(step.audience))
            if less:
                self.tell_state(step, *less)
            self.put(f"return {after}")
        if "if none" in step.bodies:
            self.without(step, none, after)
        self.open(after)

    def _deal(self, step: Step) -> None:
        left, done = (self.var(x) for x in step.at["hand"].args)
        function = step.targets[0][0]
        each, receivers = self.source.of(step.at["each"], {}), self.code(step.at["to"])
        after, kept = self.label(), ""
        counted = draws_numbers(step.at["deal"])
        pool = self.code(step.at["deal"])
        self.put(f"{left} = tuple(map(Number, {pool}))" if counted else f"{left} = {pool}")
        self.put(f"{done} = 0")
        if "dealing" in step.at:
            row, number = (self.var(x) for x in step.at["dealing"].args)
            kept = f" = {row} = {number}"
            self.put(f"{row}, {number} = {receivers}, {text(each)}")
            receivers, each = row, number
        self.put(f"if not {left} or not {receivers} or {text(each)} < 1:")
        self.put(f"    return {after}")
        node = self.chance(step)
        with self.applying(node):
            if counted:
                self.put("c = (+c[0],)")
            self.put(f"i = {done}")
            self.put(f"row = {receivers}")
            index = "i" if isinstance(each, K) and each.value == 1 else f"i // {text(each)}"
            self.put(f"r = row[{index}]")
            slot = self.source.slot(function, ["r"])
            if function.result.many:
                self.put(f"x = {'gather' if function.result.kind == 'set' else 'in_order'}(v[{slot}] + c)")
            else:
                self.put("x = c[0]")
            self.assign(step, function, ["r"], "x")
            less = self.take_out(step, "c")
            if less:
                self.tell_state(step, *less)
            self.put("i += 1")
            self.put(f"rest = {left}")
            self.put("k = rest.index(c[0])")
            self.put("rest = rest[:k] + rest[k + 1:]")
            whole = f"len(row) * {text(each)}" if index != "i" else "len(row)"
            self.put(f"if rest and i < {whole}:")
            self.put(f"    {left} = rest")
            self.put(f"    {done} = i")
            self.put("    return -1")
            self.put(f"{left} = {done}{kept} = None")
            self.put(f"return {after}")
        self.open(after)

    def take_out(self, step: Step, drawn: str) -> tuple[Function, list[Code], str] | None:
        """From a pile, what is drawn is gone: what is told of that when the drawing itself has been told."""
        if step.pile is None:
            return None
        function, args = step.pile
        codes = [self.kept(self.source.of(a, {})) for a in args]
        place = f"v[{self.source.slot(function, codes)}]"
        rest = text(self.kept(f"remove({place}, {drawn})"))
        self.put(f"{place} = {rest}")
        return function, codes, rest

    def _shuffle(self, step: Step) -> None:
        left, done = (self.var(x) for x in step.at["hand"].args)
        function, args, deck = step.targets[0]
        after = self.label()
        self.put(f"{left} = tuple(sorted({self.code(deck)}))")
        self.put(f"{done} = ()")
        self.put(f"if len({left}) < 2:")
        self.put(f"    return {after}")
        node = self.chance(step)
        with self.applying(node):
            self.put(f"t = {done} + c")
            self.put(f"rest = remove({left}, c)")
            self.put("if len(rest) > 1:")
            self.put(f"    {left} = rest")
            self.put(f"    {done} = t")
            self.put("    return -1")
            self.put(f"{left} = {done} = None")
            codes = [self.kept(self.source.of(a, {})) for a in args]
            self.assign(step, function, codes, text(self.kept("t + rest")))
            self.put(f"return {after}")
        self.open(after)

    # --- decisions ----------------------------------------------------------------------------------------------------
    def _ask(self, step: Step) -> None:
        if "at once" in step.at:
            self._ask_at_once(step)
            return
        after = self.label()
        node = self.node("ask", step)
        actor = self.source.of(step.at["ask"], {})
        self.roles[node.number, "actor"] = self.function("u", "v", [f"return {text(actor)}"])
        ways = self.asking.ways(step)
        self.roles[node.number, "legal"] = self.function("l", "v", self.asking.enumerate(ways))
        self.roles[node.number, "allows"] = self.function("k", "v, c", self.asking.recognise(ways))
        if "if none" in step.bodies:
            none = self.label()
            has = self.function("h", "v", self.asking.enumerate(ways, stop=True))
            self.put(f"if not {has}(v):")
            self.put(f"    return {none}")
        self.rest(node)
        with self.applying(node):
            labels = []
            for way in ways:
                label = self.label() if way.alternative is not None and way.alternative.then else after
                labels.append(label)
                if way.alternative is not None:
                    self.put(f"if c[0] == {way.alternative.atom}:")
                    self.indent += 1
                self.take(step, way)
                self.put(f"return {label}")
                if way.alternative is not None:
                    self.indent -= 1
        for way, label in zip(ways, labels):
            if way.alternative is not None and label != after:
                self.open(label)
                self.sequence(way.alternative.then)
                self.put(f"return {after}")
        if "if none" in step.bodies:
            self.without(step, none, after)
        self.open(after)

    def _ask_at_once(self, step: Step) -> None:
        """One after the other, as far as the program goes; but nothing happens before the last one has answered."""
        hidden = step.at["sealed"].args
        row, answers, seat = (self.var(x) for x in hidden)
        chosen, after = self.var(step.parts[0].var), self.label()
        self.put(f"{row} = in_turn({self.code(step.at['at once'])}, {self.words.chance_seats!r})")
        self.put(f"if not {row}:")
        self.put(f"    return {after}")
        self.put(f"{answers} = ()")
        self.put(f"{seat} = {row}[0]")
        node = self.node("ask", step, hidden)
        ways = self.asking.ways(step)
        self.roles[node.number, "actor"] = self.function("u", "v", [f"return {seat}"])
        self.roles[node.number, "legal"] = self.function("l", "v", self.asking.enumerate(ways))
        self.roles[node.number, "allows"] = self.function("k", "v, c", self.asking.recognise(ways))
        self.rest(node)
        with self.applying(node):
            self.put("c = (+c[0],)" if step.parts[0].counts else "pass")
            self.put(f"{chosen} = c[0]")
            self.tell("ask", step, f"{self.masks()}[{seat}]")
            event = self.events[-1]
            event.planned = True  # the others are told later
            self.put(f"t = {answers} + c")
            self.put(f"row = {row}")
            self.put("if len(t) < len(row):")
            self.put(f"    {answers} = t")
            self.put(f"    {seat} = row[len(t)]")
            self.put("    return -1")
            function = step.targets[0][0]
            self.put("for s, x in zip(row, t):")
            self.put(f"    v[{self.source.slot(function, ['s'])}] = x")
            self.put("for s, x in zip(row, t):")
            self.indent += 1
            self.put(f"{seat} = s")
            self.put(f"{chosen} = x")
            view = self.mask(function.view, {function.variables[0]: "s"})
            if step.text and not (isinstance(view, K) and not view.value):
                told = [*(self.code(e) for _, e in step.tells), *map(self.var, step.context)]
                self.log(event, f"{text(view)} & ~{self.masks()}[s]", told)
            self.tell_state(step, function, ["s"], "x")
            self.put("pass")
            self.indent -= 1
            self.put(f"{row} = {answers} = {seat} = {chosen} = None")
            self.put(f"return {after}")
        self.open(after)

    def take(self, step: Step, way: Way) -> None:
        first = 0
        if way.alternative is not None:
            first = 1
            label = next((v for v in step.vars.values() if v not in [p.var for p in step.parts]), None)
            if label is not None:
                self.put(f"{self.var(label)} = c[0]")
        for index, part in enumerate(way.parts):
            chosen = f"c[{first + index}]"
            if part.counts:  # a plain number again
                chosen = f"+{chosen}" if part.shape == "one" else f"tuple(map(int, {chosen}))"
            self.put(f"{self.var(part.var)} = {chosen}")
        actor = self.source.of(step.at["ask"], {})
        own = K(self.seat_mask.get(actor.value, 0)) if isinstance(actor, K) else f"{self.masks()}[{actor}]"
        mask = self.mask(step.audience)
        if any(part.audience is not None for part in way.parts):
            mask = self.parted(step, way, own, mask)
        if isinstance(mask, K) and isinstance(own, K):
            mask = K(mask.value | own.value)
        elif not isinstance(mask, K) or mask.value != self.everyone:
            mask = own if isinstance(mask, K) and mask.value == 0 else f"{text(mask)} | {text(own)}"
        if way.alternative is None:
            self.tell("ask", step, mask)
        else:
            self.tell(
                "ask",
                step,
                mask,
                way.alternative.text or step.text,
                way.alternative.tells,
                alternative=way.alternative.name,
            )

    def parted(self, step: Step, way: Way, own: Code, rest: Code) -> Code:
        """Tell those who see only some parts of a choice just these; returns who of the others sees all of it."""
        plain = [part for part in way.parts if part.audience is None]
        groups = [(rest, plain)] if plain else []
        groups += [(self.mask(part.audience), [part]) for part in way.parts if part.audience is not None]
        masks = [text(self.kept(mask)) for mask, _ in groups]
        every = range(len(groups))
        for size in range(len(groups) - 1, 0, -1):
            for some in combinations(every, size):
                tests = [masks[i] if i in some else f"~{masks[i]}" for i in every]
                self.tell_parts(
                    step, way, [p for i in some for p in groups[i][1]], f"{' & '.join(tests)} & ~{text(own)}"
                )
        return " & ".join(masks)

    def tell_parts(self, step: Step, way: Way, parts: list[Part], mask: str) -> None:
        tells = {"who": step.at["ask"]}
        for part in way.parts:
            if part in parts:
                tells[part.var.name] = Expr("var", (part.var,), part.var.type)
        saying = next((part for part in reversed(parts) if part.text), None)
        tells |= dict(saying.tells) if saying is not None else {}
        name = way.alternative.name if way.alternative is not None else ""
        words = saying.text if saying is not None else ""
        self.tell("ask", step, mask, words, list(tells.items()), alternative=name, partial=True)

    def _plan(self, step: Step) -> None:
        planner = self.source.of(step.at["plan"], {})
        mask = K(self.seat_mask.get(planner.value, 0)) if isinstance(planner, K) else f"{self.masks()}[{planner}]"
        self.put(f"v[4] = {text(mask)}")
        outer, self.planned = self.planned, True
        self.sequence(step.bodies["do"])
        self.planned, self.step = outer, step
        tests = " and ".join(self.code(test) for _, test in step.must) or "True"
        self.put(f"if not ({tests}):")
        self.put(f"    v[0] = {FAILS}")
        self.put("    return -1")
        self.put("if v[8]:")
        self.put(f"    v[0] = {FITS}")
        self.put("    return -1")
        self.put("others = ~v[4]")
        self.put("for e in v[5]:")
        self.put("    if e[1] & others:")
        self.put("        v[1] = (v[1], (e[0], e[1] & others, *e[2:]))")
        self.put("v[4] = None")
        self.put("v[5] = ()")
