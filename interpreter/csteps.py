"""Typed steps -> the C source of a game: the same blocks, nodes and events as in the Python program, by their numbers.

So a position of one is a position of the other. What is done here follows program.py verb by verb; a block is a label,
and a rule that is called goes back through its slot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

from .asking import Asking, Way
from .blocks import FAILS, FITS, Limits, Program, draws_numbers, is_plain, planned_rules
from .cells import cells_of
from .csource import CSource
from .cwriting import C, Code, NotNative, all_steps
from .files import read_bytes
from .model import EMPTY, NUMBER, Expr, Function, Part, Rule, Step, Type, Value, Var, aspect_type
from .operations import LARGEST, MAX_RANGE
from .runtime import MAX_FOUND, MAX_TRIED
from .slots import HEADER
from .source import K
from .vocabulary import Vocabulary

__all__ = ["NotNative", "c_source"]

MAX_GROUPS = 16
TIDY_AT = 100_000  # rows that a machine keeps before it forgets those of games that are over
MACHINE = Path(__file__).parent


def c_source(program: Program, words: Vocabulary, limits: Limits, comments: bool = False) -> str:
    """The whole source of a game's library; NotNative if something of it cannot be said. With comments, which are never
    compiled, the names of the steps stand in it."""
    return _CMaker(program, words, limits, comments).source()


class _CMaker(CSource):
    def __init__(self, program: Program, words: Vocabulary, limits: Limits, comments: bool):
        super().__init__(words, all_steps(program.rules.values()))
        self.program, self.limits, self.comments = program, limits, comments
        self.asking = Asking(self.fold)
        self.blocks: list[list[str]] = []
        self.applies: dict[int, list[str]] = {}
        self.nodes = 3
        self.events = 0
        self.told: list[list[int]] = []  # shapes of what each event tells
        self.ways: list[tuple[int, int, list[int]]] = []
        self.parts_most = 1
        self.slot_shapes: dict[int, int] = {}
        self.entries: dict[str, int] = {}
        self.kept_slots = 0
        self.planned = False
        self.seat_mask = {seat: 1 << i for i, seat in enumerate(words.seats)}
        self.everyone = (1 << len(words.seats)) - 1
        self.actors: dict[int, str] = {}
        self.offers: dict[int, str] = {}
        self.rare: dict[int, list[tuple[int, int]]] = {}
        self.masks: dict[int, tuple[str, str]] = {}  # nodes at which one thing of a mask is chosen
        self.fixed: dict[int, list[int]] = {}  # nodes with alternatives that are always offered, and nothing else

    # --- the whole ----------------------------------------------------------------------------------------------------
    def source(self) -> str:
        program = self.program
        self._shape_slots()
        in_plan = planned_rules(all_steps(program.rules.values()))
        for shape in program.rules:
            self.entries[shape] = self.label()
        for shape, rule in program.rules.items():
            self.rule, self.planned = rule, shape in in_plan
            self.open(self.entries[shape])
            self.reset(rule)
            self.sequence(rule.steps)
            self.leave(rule)
        if (len(self.blocks), self.nodes, self.events) != (
            len(program.blocks),
            len(program.nodes),
            len(program.events),
        ):
            raise NotNative("another program")
        return self._assembled()

    def _shape_slots(self) -> None:
        def shape(var: Var | None) -> None:
            if var is not None and var.slot >= 0:
                self.slot_shapes.setdefault(HEADER + var.slot, self.shape(var.origin.type))

        for same in self.words.functions.values():
            for function in same:
                if function.kind == "state":
                    for i in range(len(cells_of(function))):
                        self.slot_shapes[HEADER + function.base + i] = self.shape(function.result)
        for rule in self.program.rules.values():
            for var in (*rule.params, *rule.variables, rule.result):
                shape(var)
            for step in all_steps([rule]):
                for var in (*step.visible, *step.vars.values(), *(p.var for p in step.parts)):
                    shape(var)
                for alternative in step.alternatives:
                    for part in alternative.parts:
                        shape(part.var)
                for key in ("loop", "hand", "dealing", "sealed"):
                    for var in step.at[key].args if key in step.at else ():
                        shape(var)
                if step.verb in ("draw", "deal"):
                    pool = step.at["from" if step.verb == "draw" else "deal"]
                    left, done = step.at["hand"].args
                    self.slot_shapes[HEADER + left.slot] = self.shape(pool.type, counts=draws_numbers(pool))
                    if step.verb == "draw" and not _single(step):
                        self.slot_shapes[HEADER + done.slot] = self._shape(4, self.shape(pool.type.of or EMPTY, True))

    def _assembled(self) -> str:
        program, words = self.program, self.words
        slots = len(program.start)
        plain = self._shape(0, 0, -(2**62), 2**62)
        winners = self._shape(4, self._shape(0, 0, 0, max(0, len(words.atoms) - 1)))
        header = {
            0: plain,
            1: plain,
            2: plain,
            3: winners,
            4: plain,
            5: self._shape(4, plain),
            6: plain,
            7: winners,
            8: plain,
        }
        shapes = [header.get(i, self.slot_shapes.get(i, plain)) for i in range(slots)]
        text = [self._start(), self._position(), *self._questions()]
        ways = ", ".join(
            f"{{{node}, {atom}, {len(row)}, {self.table(('ways', tuple(row)), row)}}}" for node, atom, row in self.ways
        )
        tellings = ", ".join(f"{{{len(row)}, {self.table(('ways', tuple(row)), row)}}}" for row in self.told)
        universes = ", ".join(f"{{{len(u)}, {self.atoms_of(i)}}}" for i, u in enumerate(self.universes))
        kinds = {"ask": 0, "chance": 1, "over": 2}
        constants = [row for row in self.rows if row]
        define = {
            "SLOTS": slots,
            "PARTS": self.parts_most,
            "SEATS": len(words.seats),
            "NODES": len(program.nodes),
            "SHAPE_COUNT": len(self.shapes),
            "UNIVERSE_COUNT": len(self.universes),
            "CHANCE_SEATS": len(words.chance_seats),
            "BUDGET": self.limits.budget,
            "PLANS": self.limits.plans,
            "PLANS_AHEAD": self.limits.plans_ahead,
            "MAX_RANGE": MAX_RANGE,
            "LARGEST": f"{LARGEST}ll",
            "MAX_FOUND": MAX_FOUND,
            "MAX_TRIED": MAX_TRIED,
            "MAX_GROUPS": MAX_GROUPS,
            "TIDY_AT": TIDY_AT,
        }
        seats = ", ".join(f"[{a}] = {mask}" for a, mask in self.seat_mask.items())
        shape_rows = ", ".join(f"{{{k}, {of}, {low}ll, {high}ll}}" for k, of, low, high in self.shapes)
        return "\n".join(
            [
                *(f"#define {name} {value}" for name, value in define.items()),
                *(read_bytes(MACHINE / name, 1_000_000).decode("ascii") for name in ("machine.h", "machine.c")),
                f"static const Shape SHAPES[SHAPE_COUNT] = {{{shape_rows}}};",
                *self.tables,
                f"static const Universe UNIVERSES[UNIVERSE_COUNT] = {{{universes}}};",
                _row("SLOT_SHAPES", "SLOTS", shapes),
                _row("SEAT_ATOMS", "SEATS", words.seats),
                _row("KINDS", "NODES", [kinds[node.kind] for node in program.nodes]),
                _row("PLANNED", "NODES", [int(node.planned) for node in program.nodes]),
                _row("POOLS", "NODES", [max(0, node.pool) for node in program.nodes]),
                f"static const i64 SEAT_BITS[{max(1, len(words.atoms))}] = {{{seats or 0}}};",
                "static i64 seats_of(Machine *m, i64 row) {",
                "    i64 found = 0, count = length(m, row);",
                "    for (i64 i = 0; i < count; i++) found |= SEAT_BITS[need(m, at(m, row, i))];",
                "    return found;",
                "}",
                "static int by_chance(i64 atom) { return "
                + (" || ".join(f"atom == {a}" for a in words.chance_seats) or "atom < 0 && 0")
                + "; }",
                "static void constants(Machine *m) {",
                *(
                    "    { const size_t k = m->top; "
                    + " ".join(f"push(m, {'NOTHING' if x is None else x});" for x in row)
                    + " closed(m, k); }"
                    for row in constants
                ),
                "    (void)m;",
                "}",
                *self.heads,
                *(line for function in self.functions for line in function),
                *text,
                *self._run(),
                f"static const Way WAYS[] = {{{ways or '{0}'}}};",
                f"static const Telling TELLINGS[] = {{{tellings or '{0}'}}};",
                '__attribute__((visibility("default"))) const Game tabarro_game = {',
                f"    MACHINE_VERSION, SLOTS, SEATS, PARTS, NODES, {len(self.told)}, {len(self.ways)}, SHAPES,",
                "    SLOT_SHAPES, UNIVERSES, WAYS, TELLINGS, KINDS, POOLS, api_made, api_gone, api_row, api_kept,",
                "    api_rows, api_tidy, api_begin, api_go_on, api_actor, api_legal, api_apply, api_perft, api_play,",
                "    api_sample,",
                "};",
                "",
            ]
        )

    def _start(self) -> str:
        lines = ["static void start(Machine *m, i64 *v) {", "    for (int i = 0; i < SLOTS; i++) v[i] = NOTHING;"]
        lines += ["    v[0] = v[1] = v[2] = v[8] = 0;", "    v[6] = -1;"]
        for same in self.words.functions.values():
            for state in same:
                if state.kind == "state":
                    value = self.literal(state.start, state.result, self.rep(state.result))
                    first = HEADER + state.base
                    lines.append(f"    for (int i = {first}; i < {first + len(cells_of(state))}; i++) v[i] = {value};")
        start = self.program.entry
        lines.append(f"    v[{self.program.return_slot[self._start_rule().shape]}] = {self._final};")
        return "\n".join([*lines, f"    run(m, v, {start}, NULL);", "}"])

    def _start_rule(self) -> Rule:
        shape = next(s for s, label in self.entries.items() if label == self.program.entry)
        return self.program.rules[shape]

    def _position(self) -> str:
        """As State.position: what decides how the game can go on."""
        program = self.program
        lines = ["static i64 position(const i64 *v, i64 *key) {", "    i64 n = 0, back = -1;"]
        lines += ["    key[n++] = v[0];", "    key[n++] = v[4];", "    key[n++] = v[6];"]
        lines += ["    key[n++] = v[6] >= 0 ? v[7] : NOTHING;"]
        if program.state_slots:
            lines += [f"    memcpy(key + n, v + {HEADER}, {program.state_slots} * sizeof(i64));"]
        lines += [f"    n += {program.state_slots};", "    switch (v[0]) {"]
        for node in program.nodes:
            if node.rule is not None:
                puts = "".join(f" key[n++] = v[{s}];" for s in node.slots)
                lines.append(f"    case {node.number}:{puts} back = {program.return_slot[node.rule.shape]}; break;")
        lines += ["    }", f"    for (int depth = 0; back >= 0 && depth < {len(program.rules)}; depth++) {{"]
        lines += ["        const i64 block = v[back];", "        key[n++] = block;", "        back = -1;"]
        lines += ["        switch (block) {"]
        for block, (rule, slots) in program.returns.items():
            puts = "".join(f" key[n++] = v[{s}];" for s in slots)
            lines.append(f"        case {block}:{puts} back = {program.return_slot[rule.shape]}; break;")
        return "\n".join([*lines, "        }", "    }", "    return n;", "}"])

    def _questions(self) -> list[str]:
        lines = ["static i64 actor(Machine *m, const i64 *v) {", "    switch (v[0]) {"]
        lines += [f"    case {n}: return {name}(m, v);" for n, name in self.actors.items()]
        lines += ["    }", "    trouble(m);", "}"]
        lines += ["static void offer(Machine *m, const i64 *v, Choices *to) {", "    switch (v[0]) {"]
        lines += [f"    case {n}: {name}(m, v, to); return;" for n, name in self.offers.items()]
        lines += ["    }", "    trouble(m);", "}"]
        lines += [
            "static int quickly(Machine *m, const i64 *v, Chooser *chooser, i64 *choice) {",
            "    switch (v[0]) {",
        ]
        for node, (name, atoms) in self.masks.items():
            lines += [f"    case {node}: {{", f"        const u64 x = (u64){name}(m, v);"]
            lines += ["        if (!x) trouble(m);"]
            lines += [
                f"        choice[0] = {atoms}[nth_of(x, drawn(chooser, COUNT_OF(x)))];",
                "        return 1;",
                "    }",
            ]
        for node, offered in self.fixed.items():
            if node not in self.rare:
                table = self.table(("ways", tuple(offered)), offered)
                lines += [f"    case {node}: choice[0] = {table}[drawn(chooser, {len(offered)})]; return 1;"]
        lines += ["    }", "    return 0;", "}"]
        lines += ["static u64 rare(Chooser *chooser, i64 node) {", "    u64 which = 0;", "    switch (node) {"]
        for node, row in self.rare.items():
            tests = " ".join(
                f"if (drawn(chooser, {rarely}) >= 1) which |= {1 << i}ull;" for i, (_, rarely) in enumerate(row)
            )
            lines.append(f"    case {node}: {tests} break;")
        lines += ["    }", "    return which;", "}"]
        lines += ["static int is_rare(i64 node, u64 which, i64 atom) {", "    switch (node) {"]
        for node, row in self.rare.items():
            tests = " || ".join(f"((which >> {i} & 1) && atom == {atom})" for i, (atom, _) in enumerate(row))
            lines.append(f"    case {node}: return {tests};")
        return [*lines, "    }", "    return 0;", "}"]

    def _run(self) -> list[str]:
        lines = ["static void run(Machine *m, i64 *v, i64 block, const i64 *c) {", "    if (c) switch (v[0]) {"]
        for node, body in self.applies.items():
            lines += [f"    case {node}: {{", *body, "    }"]
        lines += ["    default: trouble(m);", "    }", "back:", "    switch (block) {"]
        reached = {*self.program.returns, *self.entries.values(), self._final, *self._backs}
        lines += [f"    case {b}: goto b{b};" for b in sorted(reached)]
        lines += ["    default: trouble(m);", "    }"]
        for number, block in enumerate(self.blocks):
            if number in self._jumped or number in reached:
                lines += [f"b{number}: if (UNLIKELY(--m->budget < 0)) trouble(m); {{", *block, "    trouble(m); }"]
        return [*lines, "}"]

    # --- writing ------------------------------------------------------------------------------------------------------
    _backs: set[int]
    _jumped: set[int]

    def label(self) -> int:
        if not self.blocks:
            self._backs, self._jumped = set(), set()
        self.blocks.append([])
        return len(self.blocks) - 1

    def open(self, label: int) -> None:
        self.lines, self.depth = self.blocks[label], 2

    def jump(self, label: int) -> str:
        self._jumped.add(label)
        return f"goto b{label};"

    def give(self, var: Var, code: Code, kind: Type | None = None) -> None:
        """A variable gets a value."""
        wanted = var.origin.type
        self.put(f"{self.place(var)} = {self.text(code, wanted, self.rep(wanted))};")

    def function(self, prefix: str, head: str, lines: list[str]) -> str:
        name = self.fresh(prefix)
        whole = head.format(name)
        self.heads.append(whole + ";")
        self.functions.append([whole + " {", *lines, "}"])
        return name

    def rest(self, node: int) -> None:
        self.put(f"v[0] = {node};")
        self.put("return;")

    # --- events -------------------------------------------------------------------------------------------------------
    def event(self, shapes: list[int]) -> int:
        self.told.append(shapes)
        self.events += 1
        return self.events - 1

    def mask(self, audience: Expr | str | None, env: dict[Var, Code] | None = None) -> Code:
        if audience is None or isinstance(audience, str):
            return K(self.everyone if audience == "all" else 0)
        seats = self.of(audience, env or {})
        if isinstance(seats, K):
            mask = 0
            for seat in seats.value:
                mask |= self.seat_mask.get(seat, 0)
            return K(mask)
        return (
            self.let(f"seats_of(m, {self.text(seats, audience.type, 'r')})", NUMBER, "i", True)
            if (seats.rep == "r")
            else self.let(self.seats_of_mask(seats), NUMBER, "i", True)
        )

    def seats_of_mask(self, seats: C) -> str:
        atoms = self.universes[self.universe(seats.type.of)]
        text = self.let(self.needed(seats, seats.text), seats.type, "m", True).text
        bits = [
            f"(({text} >> {atoms.index(seat)} & 1) << {number})"
            for number, seat in enumerate(self.words.seats)
            if seat in atoms
        ]
        return " | ".join(bits) or "0"

    def seat_bit(self, code: Code) -> Code:
        if isinstance(code, K):
            return K(self.seat_mask.get(code.value, 0))
        return self.let(f"SEAT_BITS[{self.needed(code, code.text)}]", NUMBER, "i", True)

    def tell_row(self, event: int, mask: Code, texts: list[str]) -> None:
        if isinstance(mask, K) and mask.value == 0:
            return
        names = []
        for text in texts:  # valued even if nobody listens: a mistake in it is a mistake
            names.append(self.let(text, NUMBER, "i").text)
        who = self.text(mask, NUMBER)
        planner = "v[4] == NOTHING ? -1 : v[4]" if self.planned else "-1"
        with self.inside("if (UNLIKELY(m->tell != NULL) && !v[8])"):
            self.put(f"const i64 e[] = {{{', '.join(names) or 0}}};")
            self.put(f"m->tell(m->whom, {event}, (u64)({who}), {planner}, e);")

    def told_values(self, step: Step, tells: list[tuple[str, Expr]], env: dict[Var, Code] | None = None) -> list[str]:
        found = [self.value(e, env or {}) for _, e in tells]
        return found + [self.value(Expr("var", (x,), x.type), env or {}, kind=x.origin.type) for x in step.context]

    def told_shapes(self, step: Step, tells: list[tuple[str, Expr]]) -> list[int]:
        return [*(self.shape(e.type) for _, e in tells), *(self.shape(x.origin.type) for x in step.context)]

    def tell(self, step: Step, mask: Code, tells: list[tuple[str, Expr]] | None = None) -> int:
        tells = step.tells if tells is None else tells
        event = self.event(self.told_shapes(step, tells))
        if not (isinstance(mask, K) and mask.value == 0):
            self.tell_row(event, mask, self.told_values(step, tells))
        return event

    # --- sequences ----------------------------------------------------------------------------------------------------
    def sequence(self, steps: list[Step]) -> None:
        for step in steps:
            if self.comments:
                self.put(f"/* {step.name} */")
            getattr(self, "_do_" + step.verb.replace(" ", "_"))(step)

    def reset(self, rule: Rule) -> None:
        name = rule.shape.split(" ")[0]
        mine = [f for fs in self.words.functions.values() for f in fs if f.kind == "state" and f.lasts == name]
        for function in mine:
            first = HEADER + function.base
            value = self.literal(function.start, function.result, self.rep(function.result))
            self.put(f"for (int i = {first}; i < {first + len(cells_of(function))}; i++) v[i] = {value};")
        if any(f.view != "nobody" or f.aspects for f in mine):
            self.tell_row(self.event([]), K(self.everyone), [])

    def leave(self, rule: Rule) -> None:
        if rule.result is not None:
            self.put(f"{self.place(rule.result)} = NOTHING;")
        self.go_back(rule)
        if self.entries[rule.shape] == self.program.entry:
            self._final = self.label()
            self.open(self._final)
            self.finish(None, "0", None)

    def go_back(self, rule: Rule) -> None:
        self.put(f"block = v[{self.program.return_slot[rule.shape]}];")
        self.put("goto back;")

    # --- verbs, in the order of steps.VERBS ---------------------------------------------------------------------------
    def _do_if(self, step: Step) -> None:
        known = self.fold.of(step.at["if"], {})
        yes, no = step.bodies["then"], step.bodies["else"]
        if isinstance(known, K):  # settled by an option
            self.sequence(yes if known.value else no)
            return
        test = self.test(step.at["if"])
        if is_plain(yes) and is_plain(no):
            with self.inside(f"if {test}"):
                self.sequence(yes)
            if no:
                with self.inside("else"):
                    self.sequence(no)
            return
        other = self.label() if no else -1
        after = self.label()
        self.put(f"if (!{test}) {self.jump(other if no else after)}")
        self.sequence(yes)
        self.put(self.jump(after))
        if no:
            self.open(other)
            self.sequence(no)
            self.put(self.jump(after))
        self.open(after)

    def _do_for_each(self, step: Step) -> None:
        var, row, place = step.at["loop"].args
        source, body = step.at["for each"], step.bodies["do"]
        known = isinstance(self.fold.of(source, {}), K)
        if is_plain(body):
            with self.each(self.of(source, {}), source.type) as element:
                self.give(var, element)
                self.sequence(body)
            return
        loop, after = self.label(), self.label()
        if not known:
            self.give(row, self.of(source, {}))
        self.put(f"{self.place(place)} = 0;")
        self.put(self.jump(loop))
        self.open(loop)
        self.put(f"const i64 i = {self.place(place)};")
        found = self.of(source, {}) if known else C(self.place(row), row.type, self.rep(row.type))
        kept = self.let(self.text(found, source.type, self.rep(row.type)), row.type, self.rep(row.type))
        self.put(f"if (i >= {self.size(kept, row.type)}) {self.jump(after)}")
        self.give(var, self.nth(kept, row.type, "i"))
        self.put(f"{self.place(place)} = i + 1;")
        self.sequence(body)
        self.put(self.jump(loop))
        self.open(after)

    def nth(self, code: C, kind: Type, index: str) -> C:
        """The element of a row at a place where there is one."""
        element = kind.of or EMPTY
        if code.rep == "m":
            return self.let(
                f"{self.atoms_of(self.universe(kind.of))}[nth_of((u64){code.text}, {index})]", element, "i", True
            )
        return self.let(f"at(m, {code.text}, {index})", element, "r" if element.many else "i")

    def _do_repeat(self, step: Step) -> None:
        loop, after = self.label(), self.label()
        self.put(self.jump(loop))
        self.open(loop)
        if step.at.get("while") is not None:
            self.put(f"if (!{self.test(step.at['while'])}) {self.jump(after)}")
        self.sequence(step.bodies["repeat"])
        if step.at.get("until") is not None:
            self.put(f"if ({self.test(step.at['until'])}) {self.jump(after)}")
        self.put(self.jump(loop))
        self.open(after)

    def enter(self, step: Step, after: int) -> None:
        rule, args = step.called, step.at["args"].args
        found = [
            self.let(self.value(a, kind=p.origin.type), p.type, self.rep(p.type)) for a, p in zip(args, rule.params)
        ]
        for param, code in zip(rule.params, found):
            self.put(f"{self.place(param)} = {code.text};")
        self.put(f"v[{self.program.return_slot[rule.shape]}] = {after};")
        self.put(self.jump(self.entries[rule.shape]))

    def _do_call(self, step: Step) -> None:
        after = self.label()
        self.enter(step, after)
        self.open(after)
        result = step.called.result
        if result is not None:
            for var in step.vars.values():
                self.give(var, C(self.place(result), result.type, self.rep(result.type)))

    def _do_return(self, step: Step) -> None:
        assert self.rule.result is not None
        self.give(self.rule.result, self.of(step.at["return"], {}))
        self.go_back(self.rule)

    def _do_play(self, step: Step) -> None:
        """Where the game inside comes back to is kept in slots behind all others, one for each such step."""
        back = self.label()
        self._backs.add(back)
        kept = self._play_slot()
        self.put(f"v[{kept}] = v[6];")
        self.put(f"v[6] = {back};")
        self.put("v[7] = 0;")
        self.enter(step, back)
        self.open(back)
        self.put(f"v[6] = v[{kept}];")
        for var in step.vars.values():
            self.give(var, C("v[7]", var.type, "r"))

    def _play_slot(self) -> int:
        """Behind the variables and the places of return, in the order of the steps: as program.py counts them."""
        self.kept_slots += 1
        return max(self.program.return_slot.values()) + self.kept_slots

    def _do_end(self, step: Step) -> None:
        self.finish(step, None, step.at.get("scores"))

    def finish(self, step: Step | None, winners: str | None, scores: Expr | None) -> None:
        if step is not None:
            self.tell(step, K(self.everyone))
            winners = self.value(step.at["end"], rep="r")
        else:
            self.tell_row(self.event([]), K(self.everyone), [])
        won = self.let(str(winners), NUMBER, "r").text
        with self.inside("if (v[6] >= 0)"):
            self.put(f"v[7] = {won};")
            self.put("block = v[6];")
            self.put("goto back;")
        counted = "NOTHING"
        if step is not None and scores is not None:
            seat = step.at["score seat"].args[0]
            found = [self.let(self.value(scores, {seat: K(s)}), NUMBER, "i").text for s in self.words.seats]
            mark = self.fresh("k")
            self.put(f"const size_t {mark} = m->top;")
            for text in found:
                self.put(f"push(m, {text});")
            counted = f"closed(m, {mark})"
        self.put(f"v[5] = {counted};")
        self.put(f"v[3] = {won};")
        self.put("v[0] = OVER;")
        self.put("return;")

    def _do_let(self, step: Step) -> None:
        for name, var in step.vars.items():
            self.give(var, self.of(step.at[name], {}))

    def _do_set(self, step: Step) -> None:
        taken = []  # everything is looked up before the first value is changed
        for function, args, value in step.targets:
            codes = [self.of(a, {}) for a in args]
            rep = self.rep(function.result)
            taken.append(
                (function, codes, self.let(self.value(value, rep=rep, kind=function.result), function.result, rep))
            )
        for function, codes, code in taken:
            self.assign(function, codes, code)

    def _do_move(self, step: Step) -> None:
        what = step.at["move"]
        (given, given_args, _), (taken, taken_args, _) = step.targets
        moved = self.of(what, {})
        if what.type.many:
            row = self.let(self.text(moved, what.type, "r"), what.type, "r")
        else:
            row = self.let(f"alone(m, {self.text(moved, what.type)})", what.type, "r")
        from_codes, to_codes = ([self.of(a, {}) for a in args] for args in (given_args, taken_args))
        below = int(what.op == "last" and given.result.kind == "list")
        before = self.row_in(given, from_codes)
        left = self.let(f"taken(m, {before}, {row.text}, {below})", given.result, "r", True)
        self.assign(given, from_codes, left)
        here = self.row_in(taken, to_codes)
        if taken.result.kind == "list":
            on_top = (row.text, here) if "to" in step.at else (here, row.text)
            more = f"extended(m, {', '.join(on_top)})"
        else:
            more = f"heaped(m, {here}, {row.text})"
        self.assign(taken, to_codes, self.let(more, taken.result, "r", True))

    def row_in(self, function: Function, codes: list[Code]) -> str:
        rep = self.rep(function.result)
        found = self.let(self.cell(function, codes), function.result, rep)
        return self.text(found, function.result, "r")

    def assign(self, function: Function, codes: list[Code], value: C) -> None:
        rep = self.rep(function.result)
        kept = self.let(self.text(value, function.result, rep), function.result, rep)
        self.put(f"{self.cell(function, codes)} = {kept.text};")
        self.tell_state(function, codes, kept)

    def tell_state(self, function: Function, codes: list[Code], value: C) -> None:
        params = [p.type for p in function.params]
        env = dict(zip(function.variables, codes))
        mask = self.mask(function.view, env)
        shapes = [self.shape(p) for p in params]
        event = self.event([*shapes, self.shape(function.result)])
        texts = [self.text(c, p) for c, p in zip(codes, params)]
        self.tell_row(event, mask, [*texts, value.text])
        for aspect, audience in function.aspects.items():
            others = self.mask(audience, env)
            if isinstance(mask, K) and isinstance(others, K):
                others = K(others.value & ~mask.value)
            else:
                others = self.let(f"{self.text(others, NUMBER)} & ~{self.text(mask, NUMBER)}", NUMBER, "i", True)
            kind = aspect_type(aspect, function.result)
            part = self.event([*shapes, self.shape(kind)])
            if isinstance(others, K) and not others.value:
                continue
            row = self.text(value, function.result, "r")
            form = {"count": "length(m, {})", "top": "first(m, {})", "contents": "ordered(m, {})"}[aspect]
            element = function.result.of or EMPTY
            seen = self.let(
                form.format(row), kind, "r" if aspect == "contents" or aspect == "top" and element.many else "i"
            )
            self.tell_row(part, others, [*texts, self.text(seen, kind)])

    def _do_show(self, step: Step) -> None:
        for var in step.vars.values():
            self.give(var, self.of(step.at["show"], {}))
        self.tell(step, self.mask(step.audience))

    def _do_say(self, step: Step) -> None:
        self.tell(step, self.mask(step.audience))

    # --- what rests, and goes on with a choice ------------------------------------------------------------------------
    @contextmanager
    def applying(self, node: int) -> Iterator[None]:
        kept, self.lines, self.depth = (self.lines, self.depth), [], 2
        yield
        self.applies[node] = self.lines
        self.lines, self.depth = kept

    def without(self, step: Step, none: int, after: int) -> None:
        self.open(none)
        for var in step.vars.values():
            self.put(f"{self.place(var)} = NOTHING;")
        self.sequence(step.bodies["if none"])
        self.put(self.jump(after))

    def node(self) -> int:
        self.nodes += 1
        return self.nodes - 1

    def chance(self, pool: Type, counts: bool) -> int:
        node = self.node()
        self.ways.append((node, -1, [self.shape(pool.of or EMPTY, True, counts)]))
        self.rest(node)
        return node

    def chosen(self, kind: Type) -> C:
        """The one thing that chance has given."""
        element = kind.of or EMPTY
        return self.let("c[0]", element, "r" if element.many else "i", True)

    # --- chance -------------------------------------------------------------------------------------------------------
    def _do_draw(self, step: Step) -> None:
        left, taken = step.at["hand"].args
        pool, number = step.at["from"], step.at["draw"]
        single, after = _single(step), self.label()
        rep = self.rep(pool.type)
        row = self.let(self.value(pool, rep=rep), pool.type, rep)
        if "if none" in step.bodies:
            none = self.label()
            self.put(f"if ({self.size(row, pool.type)} < {self.number(number, {})}) {self.jump(none)}")
        if not single:
            known = self.fold.of(number, {})
            if not isinstance(known, K) or not isinstance(known.value, int) or known.value < 1:
                with self.inside(f"if ({self.number(number, {})} < 1)"):
                    for var in step.vars.values():
                        self.give(var, K(()))
                    self.put(self.jump(after))
            self.put(f"{self.place(taken)} = 0;")
        self.put(f"{self.place(left)} = {row.text};")
        node = self.chance(pool.type, draws_numbers(pool))
        with self.applying(node):
            one = self.chosen(pool.type)
            drawn: C = one
            if not single:
                so_far = self.let(f"appended(m, {self.place(taken)}, {one.text})", pool.type, "r", True)
                with self.inside(f"if (length(m, {so_far.text}) < {self.number(number, {})})"):
                    self.put(f"{self.place(taken)} = {so_far.text};")
                    self.put(f"{self.place(left)} = {self.less(C(self.place(left), pool.type, rep), pool.type, one)};")
                    self.put("return;")
                drawn = self.let(f"ordered(m, {so_far.text})", pool.type, "r", True)
            self.put(f"{self.place(left)} = NOTHING;")
            self.put(f"{self.place(taken)} = NOTHING;")
            for var in step.vars.values():
                self.give(var, drawn)
            gone = self.take_out(step, self.let(f"alone(m, {one.text})", pool.type, "r").text if single else drawn.text)
            self.tell(step, self.mask(step.audience))
            if gone is not None:
                self.tell_state(*gone)
            self.put(self.jump(after))
        if "if none" in step.bodies:
            self.without(step, none, after)
        self.open(after)

    def less(self, row: C, kind: Type, one: C) -> str:
        """A row without one of its elements."""
        if row.rep == "m":
            return f"{row.text} & ~{self.bit(one, kind.of or EMPTY)}"
        return f"removed(m, {row.text}, alone(m, {one.text}))"

    def take_out(self, step: Step, drawn: str) -> tuple[Function, list[Code], C] | None:
        if step.pile is None:
            return None
        function, args = step.pile
        codes = [self.of(a, {}) for a in args]
        rest = self.let(f"removed(m, {self.row_in(function, codes)}, {drawn})", function.result, "r", True)
        kept = self.let(self.text(rest, function.result), function.result, self.rep(function.result))
        self.put(f"{self.cell(function, codes)} = {kept.text};")
        return function, codes, kept

    def _do_deal(self, step: Step) -> None:
        left, done = step.at["hand"].args
        pool, to, each = step.at["deal"], step.at["to"], step.at["each"]
        function, after = step.targets[0][0], self.label()
        rep, to_rep = self.rep(pool.type), self.rep(to.type)
        self.put(f"{self.place(left)} = {self.value(pool, rep=rep)};")
        self.put(f"{self.place(done)} = 0;")
        kept: list[Var] = []
        if "dealing" in step.at:
            row, number = kept = list(step.at["dealing"].args)
            self.put(f"{self.place(row)} = {self.value(to, rep=to_rep)};")
            self.put(f"{self.place(number)} = {self.value(each)};")

        def receivers() -> C:
            text = self.place(kept[0]) if kept else self.value(to, rep=to_rep)
            return self.let(text, to.type, to_rep)

        def how_many() -> str:
            return f"need(m, {self.place(kept[1])})" if kept else self.number(each, {})

        here = self.let(self.place(left), pool.type, rep)
        self.put(
            f"if (!{self.size(here, pool.type)} || !{self.size(receivers(), to.type)} || {how_many()} < 1) "
            + self.jump(after)
        )
        node = self.chance(pool.type, draws_numbers(pool))
        with self.applying(node):
            one = self.chosen(pool.type)
            self.put(f"const i64 i = {self.place(done)};")
            those = receivers()
            times = self.let(how_many(), NUMBER, "i", True).text
            self.put(f"if (i / {times} >= {self.size(those, to.type)}) trouble(m);")
            receiver = self.nth(those, to.type, f"i / {times}")
            result = function.result
            if not result.many:
                value = one
            elif result.kind == "set":
                before = self.let(self.cell(function, [receiver]), result, self.rep(result))
                if before.rep == "m":
                    value = self.let(
                        f"need(m, {before.text}) | {self.bit(one, pool.type.of or EMPTY)}", result, "m", True
                    )
                else:
                    value = self.let(f"joined(m, {before.text}, alone(m, {one.text}))", result, "r", True)
            else:
                before = self.let(self.cell(function, [receiver]), result, "r")
                value = self.let(f"heaped(m, {before.text}, alone(m, {one.text}))", result, "r", True)
            self.assign(function, [receiver], value)
            gone = self.take_out(step, f"alone(m, {one.text})")
            if gone is not None:
                self.tell_state(*gone)
            before = self.let(self.place(left), pool.type, rep)
            rest = self.let(self.less(before, pool.type, one), pool.type, rep)
            with self.inside(f"if ({self.size(rest, pool.type)} && i + 1 < {self.size(those, to.type)} * {times})"):
                self.put(f"{self.place(left)} = {rest.text};")
                self.put(f"{self.place(done)} = i + 1;")
                self.put("return;")
            for var in (left, done, *kept):
                self.put(f"{self.place(var)} = NOTHING;")
            self.put(self.jump(after))
        self.open(after)

    def _do_shuffle(self, step: Step) -> None:
        left, done = step.at["hand"].args
        function, args, deck = step.targets[0]
        after = self.label()
        self.put(f"{self.place(left)} = ordered(m, {self.value(deck, rep='r')});")
        self.put(f"{self.place(done)} = 0;")
        self.put(f"if (length(m, {self.place(left)}) < 2) {self.jump(after)}")
        node = self.chance(deck.type, False)
        with self.applying(node):
            one = self.chosen(deck.type)
            so_far = self.let(f"appended(m, {self.place(done)}, {one.text})", deck.type, "r", True)
            rest = self.let(f"removed(m, {self.place(left)}, alone(m, {one.text}))", deck.type, "r", True)
            with self.inside(f"if (length(m, {rest.text}) > 1)"):
                self.put(f"{self.place(left)} = {rest.text};")
                self.put(f"{self.place(done)} = {so_far.text};")
                self.put("return;")
            self.put(f"{self.place(left)} = NOTHING;")
            self.put(f"{self.place(done)} = NOTHING;")
            codes = [self.of(a, {}) for a in args]
            self.assign(function, codes, self.let(f"extended(m, {so_far.text}, {rest.text})", deck.type, "r", True))
            self.put(self.jump(after))
        self.open(after)

    # --- decisions ----------------------------------------------------------------------------------------------------
    def question(self, node: int, actor: str, ways: list[Way]) -> None:
        """Who is asked, and what is offered."""
        self.actors[node] = actor
        with self.apart() as lines:
            for way in ways:
                self.nest(way, self.listing(way))
        self.offers[node] = self.function("l", "static void {}(Machine *m, const i64 *v, Choices *to)", lines)
        self._find_quick(node, ways)
        for way in ways:
            atom = way.alternative.atom if way.alternative is not None else -1
            shapes = [self._part_shape(part) for part in way.parts]
            self.ways.append((node, atom, shapes))
            self.parts_most = max(self.parts_most, len(shapes) + (way.alternative is not None))

    def _find_quick(self, node: int, ways: list[Way]) -> None:
        """Where one of the choices can be taken without listing all."""
        way = ways[0]
        if len(ways) == 1 and way.alternative is None and not way.where and len(way.parts) == 1:
            part = way.parts[0]
            if part.shape == "one" and part.source.type.kind == "set" and self.rep(part.source.type) == "m":
                with self.apart() as lines:
                    code = self.of(part.source, {})
                    self.put(f"return {self.needed(code, self.text(code, part.source.type, 'm'))};")
                name = self.function("s", "static i64 {}(Machine *m, const i64 *v)", lines)
                self.masks[node] = name, self.atoms_of(self.universe(part.source.type.of))
        elif all(w.alternative is not None and not w.parts and w.given is None and not w.where for w in ways):
            self.fixed[node] = [w.alternative.atom for w in ways if w.alternative is not None]

    def _part_shape(self, part: Part) -> int:
        return self.shape(part.var.type, counts=part.counts)

    def listing(self, way: Way) -> Callable[[list[str]], None]:
        first = [str(way.alternative.atom)] if way.alternative is not None else []

        def put(names: list[str]) -> None:
            with self.inside(""):
                self.put("i64 *c = next_choice(m, to);")
                for index, name in enumerate([*first, *names]):
                    self.put(f"c[{index}] = {name};")
                self.put(f"for (int i = {len(first) + len(names)}; i < PARTS; i++) c[i] = 0;")

        return put

    def nest(self, way: Way, found: Callable[[list[str]], None]) -> None:
        def offered(index: int, env: dict[Var, Code], names: list[str]) -> None:
            if index == len(way.parts):
                tests(0, env, names)
                return
            part = way.parts[index]
            with self.candidates(part, env) as chosen:
                offered(index + 1, {**env, part.var: chosen}, [*names, chosen.text])

        def tests(index: int, env: dict[Var, Code], names: list[str]) -> None:
            if index == len(way.where):
                found(names)
                return
            with self.inside(f"if ({self.test(way.where[index], env)})"):
                tests(index + 1, env, names)

        if way.given is None:
            offered(0, {}, [])
            return
        known = self.of(way.given, {})
        if isinstance(known, K) and not known.value:
            return
        with self.inside(f"if ({self.holds(known)})"):
            offered(0, {}, [])

    @contextmanager
    def candidates(self, part: Part, env: dict[Var, Code]) -> Iterator[C]:
        kind, rep = part.source.type, self.rep(part.var.type)
        if part.shape == "one" and part.source.op == "filter" and kind.kind == "set":
            var, source, body = part.source.args
            with self.each(self.of(source, env), source.type) as element:
                with self.inside(f"if ({self.test(body, {**env, var: element})})"):
                    yield element
            return
        if part.shape == "one":
            code = self.of(part.source, env)
            if kind.kind == "set":
                with self.each(code, kind) as element:
                    yield element
                return
            row = self.let(self.text(code, kind, "r"), kind, "r")  # equal cards are one choice
            index, before, same = self.fresh("i"), self.fresh("i"), self.fresh("n")
            with self.inside(f"for (i64 {index} = 0; {index} < length(m, {row.text}); {index}++)"):
                element = self.nth(row, kind, index)
                self.put(f"i64 {same} = 0;")
                with self.inside(f"for (i64 {before} = 0; {before} < {index}; {before}++)"):
                    self.put(f"{same} |= at(m, {row.text}, {before}) == {element.text};")
                self.put(f"if ({same}) continue;")
                yield element
            return
        mark, begin, end, index = self.fresh("k"), self.fresh("k"), self.fresh("k"), self.fresh("k")
        self.put(f"const size_t {mark} = m->top;")
        if part.shape == "match":
            assert part.onto is not None
            onto = self.value(part.onto, env, "r")
            self.put(f"const size_t {begin} = permutations(m, {onto}, {len(part.source.args[0])});")
        else:
            assert part.amount is not None
            self._subsets(part, env, mark, begin, rep)
        self.put(f"const size_t {end} = m->top;")
        with self.inside(f"for (size_t {index} = {begin}; {index} < {end}; {index}++)"):
            yield self.let(f"m->stack[{index}]", part.var.type, rep, True)
        self.put(f"m->top = {mark};")

    def _subsets(self, part: Part, env: dict[Var, Code], mark: str, begin: str, rep: str) -> None:
        """The pool on the stack, sorted, then for each of its elements in which of the counted groups it is."""
        assert part.amount is not None
        if len(part.which) > MAX_GROUPS:
            raise NotNative("too many groups")
        kind = part.source.type
        element = kind.of or EMPTY
        if element.many:
            raise NotNative("some of many rows")
        amount = self.let(self.value(part.amount, env), part.amount.type, "a")
        limits = [self.let(self.value(most, env), most.type, "a").text for _, _, most in part.which]
        pool = self.of(part.source, env)
        with self.each(pool, kind) as one:
            self.put(f"push(m, {one.text});")
        size, index, groups = self.fresh("n"), self.fresh("n"), self.fresh("x")
        self.put(f"sorted(m, {mark});")
        self.put(f"const i64 {size} = (i64)(m->top - {mark});")
        with self.inside(f"for (i64 {index} = 0; {index} < {size}; {index}++)"):
            here = self.let(f"m->stack[{mark} + (size_t){index}]", element, "i")
            self.put(f"i64 {groups} = 0;")
            for number, (var, test, _) in enumerate(part.which):
                self.put(f"{groups} |= (i64){self.test(test, {**env, var: here})} << {number};")
            self.put(f"push(m, {groups});")
        row = self.fresh("a")
        self.put(f"const Amount {row}[] = {{{', '.join(limits) or '{0, 0}'}}};")
        ranks, low, _ = self.ranks_of(self.universe(part.var.type.of) or self.universe(kind.of))
        if rep == "r":
            ranks, low = "NULL", 0
        self.put(f"const size_t {begin} = subsets(m, {mark}, {amount.text}, {row}, {len(limits)}, {ranks}, {low});")

    def _do_ask(self, step: Step) -> None:
        if "at once" in step.at:
            self._at_once(step)
            return
        after = self.label()
        node = self.node()
        with self.apart() as lines:
            self.put(f"return {self.number(step.at['ask'], {})};")
        actor = self.function("u", "static i64 {}(Machine *m, const i64 *v)", lines)
        ways = self.asking.ways(step)
        self.question(node, actor, ways)
        rare = [(a.atom, a.rarely) for a in step.alternatives if a.rarely > 1]
        if rare:
            self.rare[node] = rare
        if "if none" in step.bodies:
            none = self.label()
            with self.apart() as lines:
                for way in ways:
                    self.nest(way, lambda names: self.put("return 1;"))
                self.put("return 0;")
            has = self.function("h", "static int {}(Machine *m, const i64 *v)", lines)
            self.put(
                f"{{ const size_t k = m->top; const int some = {has}(m, v); m->top = k; if (!some) {self.jump(none)} }}"
            )
        self.rest(node)
        with self.applying(node):
            labels = []
            for way in ways:
                label = self.label() if way.alternative is not None and way.alternative.then else after
                labels.append(label)
                with self.inside(f"if (c[0] == {way.alternative.atom})" if way.alternative is not None else ""):
                    self.take(step, way)
                    self.put(self.jump(label))
            self.put("trouble(m);")
        for way, label in zip(ways, labels):
            if way.alternative is not None and label != after:
                self.open(label)
                self.sequence(way.alternative.then)
                self.put(self.jump(after))
        if "if none" in step.bodies:
            self.without(step, none, after)
        self.open(after)

    def take(self, step: Step, way: Way) -> None:
        first = 0
        if way.alternative is not None:
            first = 1
            label = next((v for v in step.vars.values() if v not in [p.var for p in step.parts]), None)
            if label is not None:
                self.put(f"{self.place(label)} = c[0];")
        for index, part in enumerate(way.parts):
            self.put(f"{self.place(part.var)} = c[{first + index}];")
        own = self.seat_bit(self.of(step.at["ask"], {}))
        mask = self.mask(step.audience)
        if any(part.audience is not None for part in way.parts):
            mask = self.parted(step, way, own, mask)
        if isinstance(mask, K) and isinstance(own, K):
            mask = K(mask.value | own.value)
        elif not isinstance(mask, K) or mask.value != self.everyone:
            mask = own if isinstance(mask, K) and mask.value == 0 else self.bits(mask, "|", own)
        self.tell(step, mask, None if way.alternative is None else way.alternative.tells)

    def bits(self, a: Code, sign: str, b: Code) -> C:
        return self.let(f"{self.text(a, NUMBER)} {sign} {self.text(b, NUMBER)}", NUMBER, "i", True)

    def parted(self, step: Step, way: Way, own: Code, rest: Code) -> Code:
        """Tell those who see only some parts of a choice just these; returns who of the others sees all of it."""
        plain = [part for part in way.parts if part.audience is None]
        groups = [(rest, plain)] if plain else []
        groups += [(self.mask(part.audience), [part]) for part in way.parts if part.audience is not None]
        masks = [self.text(mask, NUMBER) for mask, _ in groups]
        every = range(len(groups))
        for size in range(len(groups) - 1, 0, -1):
            for some in combinations(every, size):
                tests = [masks[i] if i in some else f"~{masks[i]}" for i in every]
                seen = self.let(f"{' & '.join(tests)} & ~{self.text(own, NUMBER)}", NUMBER, "i", True)
                self.tell_parts(step, way, [p for i in some for p in groups[i][1]], seen)
        return self.let(" & ".join(masks), NUMBER, "i", True)

    def tell_parts(self, step: Step, way: Way, parts: list[Part], mask: Code) -> None:
        tells = {"who": step.at["ask"]}
        for part in way.parts:
            if part in parts:
                tells[part.var.name] = Expr("var", (part.var,), part.var.type)
        saying = next((part for part in reversed(parts) if part.text), None)
        tells |= dict(saying.tells) if saying is not None else {}
        self.tell(step, mask, list(tells.items()))

    def _at_once(self, step: Step) -> None:
        """One after the other, as far as the program goes; but nothing happens before the last one has answered."""
        row, answers, seat = step.at["sealed"].args
        part = step.parts[0]
        after, group = self.label(), step.at["at once"]
        self.put(f"{self.place(row)} = in_turn(m, {self.value(group, rep='r')});")
        self.put(f"if (!length(m, {self.place(row)})) {self.jump(after)}")
        self.put(f"{self.place(answers)} = 0;")
        self.put(f"{self.place(seat)} = at(m, {self.place(row)}, 0);")
        node = self.node()
        actor = self.function(
            "u", "static i64 {}(Machine *m, const i64 *v)", [f"    return need(m, {self.place(seat)});"]
        )
        self.question(node, actor, self.asking.ways(step))
        self.rest(node)
        with self.applying(node):
            kind, rep = part.var.type, self.rep(part.var.type)
            inner = "r" if kind.many or kind.kind == "match" else "i"
            self.put(f"{self.place(part.var)} = c[0];")
            who = C(self.place(seat), seat.type, "i")
            self.tell(step, self.seat_bit(who))
            event = self.events - 1
            chosen = self.let(self.text(C("c[0]", kind, rep), kind, inner), kind, inner)
            self.put(f"const i64 row = {self.place(row)}, t = appended(m, {self.place(answers)}, {chosen.text});")
            with self.inside("if (length(m, t) < length(m, row))"):
                self.put(f"{self.place(answers)} = t;")
                self.put(f"{self.place(seat)} = at(m, row, length(m, t));")
                self.put("return;")
            function = step.targets[0][0]
            result = self.rep(function.result)
            with self.inside("for (i64 i = 0; i < length(m, row); i++)"):
                one = self.let("at(m, row, i)", seat.type, "i", True)
                answer = self.let("at(m, t, i)", kind, inner)
                self.put(f"{self.cell(function, [one])} = {self.text(answer, function.result, result)};")
            with self.inside("for (i64 i = 0; i < length(m, row); i++)"):
                one = self.let("at(m, row, i)", seat.type, "i", True)
                answer = self.let("at(m, t, i)", kind, inner)
                self.put(f"{self.place(seat)} = {one.text};")
                self.put(f"{self.place(part.var)} = {self.text(answer, kind, rep)};")
                view = self.mask(function.view, {function.variables[0]: one})
                if step.text and not (isinstance(view, K) and not view.value):
                    own = self.seat_bit(one)
                    seen = self.let(f"{self.text(view, NUMBER)} & ~{self.text(own, NUMBER)}", NUMBER, "i", True)
                    self.tell_row(event, seen, self.told_values(step, step.tells))
                value = self.let(self.text(answer, function.result, result), function.result, result)
                self.tell_state(function, [one], value)
            for var in (row, answers, seat, part.var):
                self.put(f"{self.place(var)} = NOTHING;")
            self.put(self.jump(after))
        self.open(after)

    def _do_plan(self, step: Step) -> None:
        mask = self.seat_bit(self.of(step.at["plan"], {}))
        self.put(f"v[4] = {self.text(mask, NUMBER)};")
        outer, self.planned = self.planned, True
        self.sequence(step.bodies["do"])
        self.planned = outer
        for _, test in step.must:
            self.put(f"if (!{self.test(test)}) {{ v[0] = {FAILS}; return; }}")
        self.put(f"if (v[8]) {{ v[0] = {FITS}; return; }}")
        self.put("if (m->flush) m->flush(m->whom, (u64)v[4]);")
        self.put("v[4] = NOTHING;")


def _single(step: Step) -> bool:
    number = step.at["draw"]
    single: bool = number.op == "const" and number.args[0] == 1
    return single


def _row(name: str, size: str, values: list[int] | tuple[Value, ...]) -> str:
    return f"static const i64 {name}[{size}] = {{{', '.join(map(str, values)) or 0}}};"
