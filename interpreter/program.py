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
from .linking import RULES, masker, run_program
from .model import Expr, Step, Var
from .slots import HEADER
from .source import Code, Env, K, SourceBuilder, text
from .steps import Rules
from .vocabulary import Vocabulary

__all__ = ["PythonWriter", "make_program"]

_NOT_YET: Any = None


def make_program(rules: Rules) -> Program:
    flat = flatten(rules.rules, rules.words, rules.start, rules.local_slots)
    return PythonWriter(flat, rules.words).program(rules)


class PythonWriter(SourceBuilder):
    def __init__(self, flat: Flat, words: Vocabulary):
        super().__init__(len(words.atoms))
        self.flat, self.words = flat, words
        self.lines: Lines = []
        self.indent = 1
        self.env: dict[Var, Code] = {}  # the names that values have here
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
                "actor": ("u", "v", [f"return {self.code(question.actor, {})}"]),
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
        return self.code(expr, self.env)

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
                code = self.of(value, self.env)
                if isinstance(code, K):
                    self.env[var] = code
                else:
                    self.put(f"{self._name(var)} = {code}")
            case do.Put(slot, value):
                code = self.of(value, self.env)
                self.put(f"v[{slot}] = {None if isinstance(code, K) and code.value is None else text(code)}")
            case do.PutCell(function, args, value):
                found = self.value(value)
                self.put(f"v[{self.slot(function, [self.of(a, self.env) for a in args])}] = {found}")
            case do.Fill(function):
                size, base = len(cells_of(function)), HEADER + function.base
                if size == 1:
                    self.put(f"v[{base}] = {function.start!r}")
                else:
                    self.put(f"v[{base}:{base + size}] = [{function.start!r}] * {size}")
            case do.If(test, yes, no):
                self._if(test, yes, no)
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
            case do.Tell():
                self._tell(operation)
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

    def _if(self, test: Expr, yes: Row, no: Row) -> None:
        code = self.of(test, self.env)
        if isinstance(code, K):
            self.write(yes if code.value else no)
            return
        self._inside(f"if {code}:", yes)
        if no:
            self._inside("else:", no)

    def _tell(self, tell: do.Tell) -> None:
        mask = self.of(tell.mask, self.env)
        if isinstance(mask, K) and mask.value == 0:
            return
        row = ", ".join([str(tell.event), text(mask), *map(self.value, tell.values)])
        self.put(f"emit(v, ({row}))" if tell.held else f"v[1] = (v[1], ({row}))")

    # --- what only a program has: see flat.VALUES ---------------------------------------------------------------------
    def _with(self, expr: Expr, env: Env) -> Code:
        body, variables, values = expr.args
        return self.of(body, {**env, **{var: self.of(value, env) for var, value in zip(variables, values)}})

    def _slot(self, expr: Expr, env: Env) -> Code:
        return f"v[{expr.args[0]}]"

    def _cell(self, expr: Expr, env: Env) -> Code:
        function, args = expr.args
        return f"v[{self.slot(function, [self.of(a, env) for a in args])}]"

    def _chosen(self, expr: Expr, env: Env) -> Code:
        index, counts = expr.args
        if not counts:
            return f"c[{index}]"
        return f"tuple(map(int, c[{index}]))" if expr.type.many else f"+c[{index}]"  # plain numbers again

    def _drawn(self, expr: Expr, env: Env) -> Code:
        return "+c[0]" if expr.args[0] else "c[0]"

    def _counted(self, expr: Expr, env: Env) -> Code:
        return f"tuple(map(Number, {self.code(expr.args[0], env)}))"

    def _offered(self, expr: Expr, env: Env) -> Code:
        return f"{self.has[expr.args[0]]}(v)"

    def _some(self, expr: Expr, env: Env) -> Code:
        row = self.of(expr.args[0], env)
        return K(bool(row.value)) if isinstance(row, K) and row.value is not None else text(row)

    def _nth(self, expr: Expr, env: Env) -> Code:
        row, index = expr.args
        return f"{self.code(row, env)}[{self.code(index, env)}]"

    def _alone(self, expr: Expr, env: Env) -> Code:
        return f"({self.code(expr.args[0], env)},)"

    def _lacking(self, expr: Expr, env: Env) -> Code:
        return self.fold(expr, env, "lacking({}, {})")

    def _ordered(self, expr: Expr, env: Env) -> Code:
        return f"tuple(sorted({self.code(expr.args[0], env)}))"

    def _taken(self, expr: Expr, env: Env) -> Code:
        row, gone, below = expr.args
        return f"taken({self.code(row, env)}, {self.code(gone, env)}, {below})"

    def _in_turn(self, expr: Expr, env: Env) -> Code:
        return f"in_turn({self.code(expr.args[0], env)}, {self.words.chance_seats!r})"

    def _seat(self, expr: Expr, env: Env) -> Code:
        masks = {seat: 1 << number for number, seat in enumerate(self.words.seats)}
        seat = self.of(expr.args[0], env)
        if isinstance(seat, K):
            return K(masks.get(seat.value, 0))
        return f"{self.padded({a: masks.get(a, 0) for a in range(self.atoms)})}[{seat}]"

    def _seats(self, expr: Expr, env: Env) -> Code:
        seats = self.of(expr.args[0], env)
        if isinstance(seats, K) and seats.value is not None:
            return K(masker(self.words.seats)(seats.value))
        return f"mask_of({text(seats)})"

    def _both(self, expr: Expr, env: Env) -> Code:
        return self._masks(expr, env, "({} & {})")

    def _either(self, expr: Expr, env: Env) -> Code:
        return self._masks(expr, env, "({} | {})")

    def _but(self, expr: Expr, env: Env) -> Code:
        return self._masks(expr, env, "({} & ~{})")

    def _masks(self, expr: Expr, env: Env, form: str) -> Code:
        return form.format(*(self.code(mask, env) for mask in expr.args))
