"""A flat program -> C: the same blocks, nodes and events as in Python, by their numbers, so that a position of one is a
position of the other. A block is a label; a rule that is called goes back through its slot."""

from __future__ import annotations

from . import flat as do
from .casking import CAsking
from .cells import cells_of
from .cwriting import Code, Env, K
from .flat import Flat, Operation, Row
from .model import NUMBER, Expr, Function, Step, Type
from .slots import HEADER
from .vocabulary import Vocabulary

__all__ = ["CSteps"]


class CSteps(CAsking):
    def __init__(self, flat: Flat, words: Vocabulary, steps: list[Step], comments: bool):
        super().__init__(words, steps)
        self.flat, self.comments = flat, comments
        self.seat_mask = {seat: 1 << i for i, seat in enumerate(words.seats)}
        self.env: Env = {}  # the names that values have here
        self.step: Step | None = None
        self.jumped: set[int] = set()

    # --- operations ---------------------------------------------------------------------------------------------------
    def body(self, row: Row) -> list[str]:
        """The lines of a block, or of what follows from a choice."""
        self.env, self.step = {}, None
        with self.apart(2) as lines:
            self.write(row)
        return lines

    def write(self, row: Row) -> None:
        for operation, step in row:
            if self.comments and step is not None and step is not self.step:
                self.put(f"/* {step.name} */")
            self.step = step
            self._write(operation)

    def _inside(self, head: str, row: Row) -> None:
        with self.inside(head):
            self.write(row)

    def jump(self, block: int) -> str:
        self.jumped.add(block)
        return f"goto b{block};"

    def as_type(self, expr: Expr, kind: Type) -> str:
        """A value as it is kept where one of this type is wanted."""
        return self.text(self.of(expr, self.env), kind, self.rep(kind))

    def _write(self, operation: Operation) -> None:
        match operation:
            case do.Let(var, value):
                code = self.of(value, self.env)
                self.env[var] = self.kept_as(code, var.type)
            case do.Put(slot, value):
                self.put(f"v[{slot}] = {self.as_type(value, self.flat.types[slot])};")
            case do.PutCell(function, args, value):
                found = self.as_type(value, function.result)
                self.put(f"{self.cell(function, [self.of(a, self.env) for a in args])} = {found};")
            case do.Need(value):
                self.of(value, self.env)
            case do.Fill(function):
                self.fill(function)
            case do.If(test, yes, no):
                self._inside(f"if {self.test(test, self.env)}", yes)
                if no:
                    self._inside("else", no)
            case do.Took(atom, body):
                self._inside(f"if (c[0] == {atom})", body)
            case do.Each(var, source, body):
                with self.each(self.of(source, self.env), source.type) as self.env[var]:
                    self.write(body)
            case do.EachPair(variables, sources, body):
                rows = [self.as_type(source, source.type) for source in sources]
                with self.inside(f"for (i64 i = 0; i < length(m, {rows[0]}); i++)"):
                    for var, row in zip(variables, rows):
                        element = self.let(f"at(m, {row}, i)", var.type, self.inner(var.type), not var.type.maybe)
                        self.env[var] = self.kept_as(element, var.type)
                    self.write(body)
            case do.Jump(block):
                self.put(self.jump(block))
            case do.Back(slot):
                self.put(f"block = v[{slot}];")
                self.put("goto back;")
            case do.Rest(node):
                self.put(f"v[0] = {node};")
                self.put("return;")
            case do.Stay():
                self.put("return;")
            case do.Tell():
                self._tell(operation)
            case do.Flush():
                self.put("if (m->flush) m->flush(m->whom, (u64)v[4]);")
                self.put("v[4] = NOTHING;")
            case do.Finish(won, scores):
                self._finish(won, scores)

    def fill(self, function: Function) -> None:
        first = HEADER + function.base
        value = self.literal(function.start, function.result, self.rep(function.result))
        self.put(f"for (int i = {first}; i < {first + len(cells_of(function))}; i++) v[i] = {value};")

    def _tell(self, tell: do.Tell) -> None:
        mask = self.of(tell.mask, self.env)
        values = [(self.of(x, self.env), kind) for x, kind in zip(tell.values, self.told_types(tell.event))]
        names = [self.text(code, kind) for code, kind in values]  # valued even if nobody listens: as in Python
        planner = "v[4] == NOTHING ? -1 : v[4]" if tell.held else "-1"
        with self.inside("if (UNLIKELY(m->tell != NULL) && !v[8])"):
            self.put(f"const i64 e[] = {{{', '.join(names) or 0}}};")
            self.put(f"m->tell(m->whom, {tell.event}, (u64)({self.text(mask, NUMBER)}), {planner}, e);")

    def told_types(self, event: int) -> list[Type]:
        """Of all that an event tells."""
        found = self.flat.events[event]
        return [*found.types, *(var.origin.type for var in found.context)]

    def _finish(self, won: Expr, scores: list[Expr] | None) -> None:
        counted = "NOTHING"
        if scores is not None:
            for seat, score in enumerate([self.as_type(score, NUMBER) for score in scores]):
                self.put(f"m->scores[{seat}] = {score};")
            counted = "scores_row(m)"
        self.put(f"v[5] = {counted};")
        self.put(f"v[3] = {self.as_type(won, self.flat.types[7])};")
        self.put("v[0] = OVER;")
        self.put("return;")

    # --- what only a program has: see flat.VALUES ---------------------------------------------------------------------
    def _chosen(self, expr: Expr, env: Env) -> Code:
        return self.let(f"c[{expr.args[0]}]", expr.type, self.rep(expr.type), True)

    def _drawn(self, expr: Expr, env: Env) -> Code:
        inner = self.inner(expr.type)
        return self.kept_as(self.let("c[0]", expr.type, inner, True), expr.type)

    def _counted(self, expr: Expr, env: Env) -> Code:
        return self.of(expr.args[0], env)

    def _offered(self, expr: Expr, env: Env) -> Code:
        return self.let(f"{self.has[expr.args[0]]}(m, v)", expr.type, "i", True)

    def _some(self, expr: Expr, env: Env) -> Code:
        (row,) = expr.args
        code = self.of(row, env)
        if isinstance(code, K) or code.sure:
            return self.let(self.size(code, row.type), expr.type, "i", True)
        test = f"{code.text} > 0" if code.rep == "m" else f"{code.text} != NOTHING && length(m, {code.text})"
        return self.let(test, expr.type, "i", True)  # in nothing there is nothing

    def _nth(self, expr: Expr, env: Env) -> Code:
        row, index = expr.args
        rep, where = self.rep(row.type), self.number(index, env)
        if row.op == "const" and row.args[0] and expr.type.kind == "thing":
            values = row.args[0]
            self.put(f"if (UNLIKELY({where} >= {len(values)})) trouble(m);")
            return self.let(f"{self.table(('row', values), values)}[{where}]", expr.type, "i", not expr.type.maybe)
        kept = self.let(self.value(row, env, rep), row.type, rep)
        self.put(f"if (UNLIKELY({where} >= {self.size(kept, row.type)})) trouble(m);")
        return self.kept_as(self.nth(kept, expr.type, where), expr.type)

    def _needed(self, expr: Expr, env: Env) -> Code:
        code = self.of(expr.args[0], env)
        if isinstance(code, K) or code.sure:
            return code if not isinstance(code, K) or code.value is not None else self.nowhere(expr)
        return self.let(f"need(m, {code.text})", expr.type, code.rep, True)

    def nowhere(self, expr: Expr) -> Code:
        """Nothing, where something must be: nothing that follows is ever reached."""
        return self.let("need(m, NOTHING)", expr.type, self.rep(expr.type), True)

    def _alone(self, expr: Expr, env: Env) -> Code:
        (one,) = expr.args
        if self.rep(expr.type) == "m":
            return self.let(self.bit(self.of(one, env), one.type), expr.type, "m", True)
        return self.let(f"alone(m, {self.value(one, env, self.inner(one.type))})", expr.type, "r", True)

    def _lacking(self, expr: Expr, env: Env) -> Code:
        row, one = expr.args
        found, gone = self.of(row, env), self.of(one, env)
        if self.rep(row.type) == "m":
            mask = f"{self.text(found, row.type)} & ~{self.bit(gone, one.type)}"
            return self.let(mask, row.type, "m", True)
        without = f"lacking(m, {self.text(found, row.type)}, {self.text(gone, one.type, self.inner(one.type))})"
        return self.let(without, row.type, "r", True)

    def _ordered(self, expr: Expr, env: Env) -> Code:
        (row,) = expr.args
        return self.let(f"ordered(m, {self.value(row, env, 'r')})", expr.type, "r", True)

    def _bounded(self, expr: Expr, env: Env) -> Code:
        return self.rows_of(expr, env, "bounded(m, {})")

    def _taken(self, expr: Expr, env: Env) -> Code:
        row, gone, below = expr.args
        texts = [self.value(x, env, "r") for x in (row, gone)]
        return self.as_wanted(self.let(f"taken(m, {', '.join(texts)}, {int(below)})", expr.type, "r", True), expr.type)

    def _in_turn(self, expr: Expr, env: Env) -> Code:
        return self.let(f"in_turn(m, {self.value(expr.args[0], env, 'r')})", expr.type, "r", True)

    # --- masks of seats -----------------------------------------------------------------------------------------------
    def _seat(self, expr: Expr, env: Env) -> Code:
        return self.let(f"SEAT_BITS[{self.number(expr.args[0], env)}]", NUMBER, "i", True)

    def _seats(self, expr: Expr, env: Env) -> Code:
        (group,) = expr.args
        seats = self.of(group, env)
        if isinstance(seats, K) or seats.rep == "r":
            return self.let(f"seats_of(m, {self.text(seats, group.type, 'r')})", NUMBER, "i", True)
        atoms = self.universes[self.universe(seats.type.of)]
        mask = self.let(self.needed(seats, seats.text), seats.type, "m", True).text
        bits = [
            f"(({mask} >> {atoms.index(seat)} & 1) << {number})"
            for number, seat in enumerate(self.words.seats)
            if seat in atoms
        ]
        return self.let(" | ".join(bits) or "0", NUMBER, "i", True)

    def _both(self, expr: Expr, env: Env) -> Code:
        return self._masks(expr, env, "{} & {}")

    def _either(self, expr: Expr, env: Env) -> Code:
        return self._masks(expr, env, "{} | {}")

    def _but(self, expr: Expr, env: Env) -> Code:
        return self._masks(expr, env, "{} & ~{}")

    def _masks(self, expr: Expr, env: Env, form: str) -> Code:
        return self.let(form.format(*(self.value(x, env) for x in expr.args)), NUMBER, "i", True)
