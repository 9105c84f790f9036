"""A flat program -> Python: one function for each block, and for what follows from a choice.

A function gives the number of the block that comes next, or -1 where the program rests at a node until a decision.
"""

from __future__ import annotations

from typing import Any

from . import flat as do
from .asking import Asking, rare_ways
from .blocks import Lines, Program, Slots
from .cells import cells_of
from .flat import Flat, Operation, Row
from .flattening import flatten
from .linking import RULES, run_program
from .model import Expr, Step, Var
from .plain import is_nothing
from .settling import settled
from .slots import HEADER
from .source import PYTHON, Env, SourceBuilder
from .steps import Rules
from .vocabulary import Vocabulary

__all__ = ["PythonWriter", "make_program"]

_NOT_YET: Any = None


def make_program(rules: Rules) -> Program:
    flat = flatten(rules.rules, rules.words, rules.start, rules.local_slots)
    return PythonWriter(settled(flat, rules.words.seats, PYTHON), rules.words).program(rules)


class PythonWriter(SourceBuilder):
    def __init__(self, flat: Flat, words: Vocabulary):
        super().__init__(len(words.atoms))
        self.flat, self.words = flat, words
        self.lines: Lines = []
        self.indent = 1
        self.env: dict[Var, str] = {}  # the names that values have here
        self.roles: dict[tuple[int, str], str] = {}  # a node, which of its functions -> how the source calls that
        self.has: dict[int, str] = {}  # a node -> the function that tells whether anything can be chosen

    # --- the whole ----------------------------------------------------------------------------------------------------
    def program(self, rules: Rules) -> Program:
        flat = self.flat
        self._questions()
        bodies = [self._function(f"def b{number}(v):", row) for number, row in self._blocks()]
        lines: list[str] = []
        where: list[Step | None] = [None]
        whole = [[(line, step) for line in body] for body, step in self.functions]
        for function in (*whole, *bodies):
            for line, step in function:
                for part in line.split("\n"):
                    lines.append(part)
                    where.append(step)
        source = "\n".join(lines) + "\n"
        program = Program(
            self._start(rules.start.shape),
            [_NOT_YET] * len(flat.blocks),
            flat.nodes,
            flat.events,
            flat.entries[rules.start.shape],
            self.words.slots,
            flat.returns,
            flat.return_slot,
            source,
            self.tables,
            self.roles,
            compile(source, RULES, "exec"),
            where,
            rules.rules,
        )
        run_program(program, self.words.seats, program.code)
        return program

    def _start(self, shape: str) -> Slots:
        start: Slots = [None] * self.flat.slots
        start[5], start[6], start[8] = (), -1, False
        for same in self.words.functions.values():
            for state in same:
                if state.kind == "state":
                    for i in range(len(cells_of(state))):
                        start[HEADER + state.base + i] = state.start
        start[self.flat.return_slot[shape]] = self.flat.final
        return start

    def _blocks(self) -> list[tuple[int, Row]]:
        return [(number, row) for number, row in enumerate(self.flat.blocks) if number not in self.flat.gone]

    def _questions(self) -> None:
        """The functions of the nodes: who is asked, what is offered, what follows."""
        asking = Asking(self)
        for number, question in self.flat.questions.items():
            self.step = question.step
            pieces = {
                "actor": ("u", "v", [f"return {self.of(question.actor, {})}"]),
                "legal": ("l", "v, skip=()" if rare_ways(question.ways) else "v", asking.enumerate(question.ways)),
                "allows": ("k", "v, c", asking.recognise(question.ways)),
            }
            for role, (prefix, head, lines) in pieces.items():
                self.roles[number, role] = self._define(prefix, head, lines)
            if "if none" in question.step.bodies:
                self.has[number] = self._define("h", "v", asking.enumerate(question.ways, stop=True))
        for number, row in self.flat.choices.items():
            name = self.roles[number, "apply"] = self.fresh("a")
            for line, step in self._function(f"def {name}(v, c):", row):
                self.functions.append(([line], step))

    def _define(self, prefix: str, head: str, lines: list[str]) -> str:
        name = self.fresh(prefix)
        self.define(name, [f"def {name}({head}):", *("    " + line for line in lines)])
        return name

    def _function(self, head: str, row: Row) -> Lines:
        self.lines, self.indent, self.env = [(head, None)], 1, {}
        self.write(row)
        return self.lines

    # --- operations ---------------------------------------------------------------------------------------------------
    def put(self, line: str) -> None:
        self.lines.append(("    " * self.indent + line, self.step))

    def value(self, expr: Expr) -> str:
        return self.of(expr, self.env)

    def write(self, row: Row) -> None:
        for operation, self.step in row:
            self._write(operation)

    def _inside(self, head: str, row: Row) -> None:
        step = self.step
        self.put(head)
        self.indent += 1
        before = len(self.lines)
        self.write(row)
        self.step = step
        if len(self.lines) == before:  # also where there are operations, but none that does anything
            self.put("pass")
        self.indent -= 1

    def _name(self, var: Var) -> str:
        name = self.env[var] = self.fresh("y")
        return name

    def _write(self, operation: Operation) -> None:
        match operation:
            case do.Let(var, value):
                code = self.value(value)
                self.put(f"{self._name(var)} = {code}")
            case do.Put(slot, value):
                self.put(f"v[{slot}] = {None if is_nothing(value) else self.value(value)}")
            case do.PutCell(function, args, value):
                found = self.value(value)
                self.put(f"v[{self.slot(function, args, self.env)}] = {found}")
            case do.Need(value):  # quicker than a call
                self.put(f"if {self.value(value.args[0])} is None: raise TypeError")
            case do.Fill(function):
                size, base = len(cells_of(function)), HEADER + function.base
                if size == 1:
                    self.put(f"v[{base}] = {function.start!r}")
                else:
                    self.put(f"v[{base}:{base + size}] = [{function.start!r}] * {size}")
            case do.If(test, yes, no):
                self._inside(f"if {self.value(test)}:", yes)
                if no:
                    self._inside("else:", no)
            case do.Took(atom, body):
                self._inside(f"if c[0] == {atom}:", body)
            case do.Each(var, source, body):
                found = self.value(source)
                self._inside(f"for {self._name(var)} in {found}:", body)
            case do.EachPair((one, two), (first, second), body):
                rows = f"zip({self.value(first)}, {self.value(second)})"
                self._inside(f"for {self._name(one)}, {self._name(two)} in {rows}:", body)
            case do.Jump(block):
                self.put(f"return {block}")
            case do.Back(slot):
                self.put(f"return v[{slot}]")
            case do.Rest(node):
                self.put(f"v[0] = {node}")
                self.put("return -1")
            case do.Stay():
                self.put("return -1")
            case do.Tell(event, mask, values, held):
                told = ", ".join([str(event), *map(self.value, (mask, *values))])
                self.put(f"emit(v, ({told}))" if held else f"v[1] = (v[1], ({told}))")
            case do.Flush():
                self.put("others = ~v[4]")
                self.put("for e in v[5]:")
                self.put("    if e[1] & others:")
                self.put("        v[1] = (v[1], (e[0], e[1] & others, *e[2:]))")
                self.put("v[4] = None")
                self.put("v[5] = ()")
            case do.Finish(won, scores):
                counted = "None" if scores is None else "(" + "".join(f"{self.value(s)}, " for s in scores) + ")"
                self.put(f"v[3] = ({self.value(won)}, {counted})")
                self.put("v[0] = 0")
                self.put("return -1")

    # --- what only a program has: see flat.VALUES ---------------------------------------------------------------------
    def _offered(self, expr: Expr, env: Env) -> str:
        return f"{self.has[expr.args[0]]}(v)"

    def _in_turn(self, expr: Expr, env: Env) -> str:
        return f"in_turn({self.of(expr.args[0], env)}, {self.words.chance_seats!r})"

    def _seat(self, expr: Expr, env: Env) -> str:
        masks = {seat: 1 << number for number, seat in enumerate(self.words.seats)}
        return f"{self.padded({a: masks.get(a, 0) for a in range(self.atoms)})}[{self.of(expr.args[0], env)}]"
