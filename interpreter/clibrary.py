"""The whole C source of a game's library: the machine (machine.c), then the game's tables, functions and blocks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .blocks import Limits, Program
from .casking import MAX_GROUPS
from .csource import IN_C
from .csteps import CSteps
from .cwriting import C, NotNative, all_steps
from .files import read_bytes
from .flat import Flat
from .flattening import flatten
from .model import EMPTY, Value
from .operations import LARGEST, LONGEST, MAX_RANGE
from .planning import changed_by_plans
from .runtime import MAX_FOUND, MAX_TRIED
from .settling import settled
from .slots import HEADER
from .vocabulary import Vocabulary

__all__ = ["NotNative", "c_source"]

TIDY_AT = 100_000  # rows that a machine keeps before it forgets those of games that are over
MACHINE = Path(__file__).parent


def c_source(program: Program, words: Vocabulary, limits: Limits, comments: bool = False) -> str:
    """The whole source of a game's library; NotNative if something of it cannot be said. With comments, which are never
    compiled, the names of the steps stand in it."""
    first = min(program.return_slot.values())  # the places of return follow the variables
    start = list(program.rules.values())[program.entry]  # their first blocks are in the same order
    flat = flatten(program.rules, words, start, first - HEADER)
    sizes = len(program.blocks), len(program.nodes), len(program.events)
    if (len(flat.blocks), len(flat.nodes), len(flat.events)) != sizes:
        raise NotNative("another program")
    return _Library(settled(flat, words.seats, IN_C), program, words, limits, comments).source()


class _Library(CSteps):
    def __init__(self, flat: Flat, program: Program, words: Vocabulary, limits: Limits, comments: bool):
        super().__init__(flat, words, all_steps(program.rules.values()), comments)
        self.program, self.limits = program, limits
        self.changed = changed_by_plans(flat, program.state_slots)

    def source(self) -> str:
        flat = self.flat
        self.questions(flat.questions)
        for node in flat.nodes:
            if node.kind == "chance":
                element = flat.types[node.pool].of or EMPTY
                self.ways.append((node.number, -1, [self.shape(element, True, node.pool in flat.counted)]))
        self.choices = {number: self.body(row) for number, row in flat.choices.items()}
        self.blocks = {n: self.body(row) for n, row in enumerate(flat.blocks) if n not in flat.gone}
        return self._assembled()

    def _assembled(self) -> str:
        program, words, flat = self.program, self.words, self.flat
        plain = self._shape(0, 0, -(2**62), 2**62)
        winners = self._shape(4, self._shape(0, 0, 0, max(0, len(words.atoms) - 1)))
        shapes = [
            self.shape(flat.types[i], counts=i in flat.counted) if i >= HEADER and i in flat.types else plain
            for i in range(flat.slots)
        ]
        shapes[3] = shapes[7] = winners
        shapes[5] = self._shape(4, plain)
        told = [[self.shape(kind) for kind in self.told_types(event.number)] for event in flat.events]
        text = [self._start(), *self._keeping(), *self._pools(), *self._questions()]
        ways = ", ".join(
            f"{{{node}, {atom}, {len(row)}, {self.table(('ways', tuple(row)), row)}}}" for node, atom, row in self.ways
        )
        tellings = ", ".join(f"{{{len(row)}, {self.table(('ways', tuple(row)), row)}}}" for row in told)
        universes = ", ".join(f"{{{len(u)}, {self.atoms_of(i)}}}" for i, u in enumerate(self.universes))
        kinds = {"ask": 0, "chance": 1, "over": 2}
        constants = [row for row in self.rows if row]
        define = {
            "SLOTS": flat.slots,
            "KEPT": len(self.changed),
            "PARTS": self.parts_most,
            "SEATS": len(words.seats),
            "NODES": len(program.nodes),
            "SHAPE_COUNT": len(self.shapes),
            "UNIVERSE_COUNT": len(self.universes),
            "CHANCE_SEATS": len(words.chance_seats),
            "BUDGET": self.limits.budget,
            "PLANS": self.limits.plans,
            "PLANS_AHEAD": self.limits.plans_ahead,
            "STRAIGHT": self.limits.straight,
            "MAX_RANGE": MAX_RANGE,
            "LARGEST": f"{LARGEST}ll",
            "LONGEST": LONGEST,
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
                f"    MACHINE_VERSION, SLOTS, SEATS, PARTS, NODES, {len(told)}, {len(self.ways)}, SHAPES,",
                "    SLOT_SHAPES, UNIVERSES, WAYS, TELLINGS, KINDS, POOLS, api_made, api_gone, api_row, api_kept,",
                "    api_rows, api_tidy, api_begin, api_go_on, api_actor, api_legal, api_apply, api_perft, api_play,",
                "    api_sample,",
                "};",
                "",
            ]
        )

    def _start(self) -> str:
        with self.apart() as lines:
            for same in self.words.functions.values():
                for state in same:
                    if state.kind == "state":
                        self.fill(state)
        shape = list(self.program.rules)[self.program.entry]
        return "\n".join(
            [
                "static void start(Machine *m, i64 *v) {",
                "    for (int i = 0; i < SLOTS; i++) v[i] = NOTHING;",
                "    v[0] = v[1] = v[2] = v[8] = 0;",
                "    v[6] = -1;",
                *lines,
                f"    v[{self.flat.return_slot[shape]}] = {self.flat.final};",
                f"    run(m, v, {self.program.entry}, NULL);",
                "}",
            ]
        )

    def _keeping(self) -> list[str]:
        """Of a position in a plan, what tells it apart from others, and the way back."""
        there, back, place = [], [], 0
        for slot, size in _together(self.changed):
            there.append(f"    memcpy(kept + {place}, v + {slot}, {size} * sizeof(i64));")
            back.append(f"    memcpy(v + {slot}, kept + {place}, {size} * sizeof(i64));")
            place += size
        return [
            *("static void keep(const i64 *v, i64 *kept) {", *there, "}"),
            *("static void restore(i64 *v, const i64 *kept) {", *back, "}"),
        ]

    def _questions(self) -> list[str]:
        lines = ["static i64 actor(Machine *m, const i64 *v) {", "    switch (v[0]) {"]
        lines += [f"    case {n}: return {name}(m, v);" for n, name in self.actors.items()]
        lines += ["    }", "    trouble(m);", "}"]
        lines += ["static void offer(Machine *m, const i64 *v, Choices *to, u64 skip) {", "    switch (v[0]) {"]
        lines += [f"    case {n}: {name}(m, v, to, skip); return;" for n, name in self.offers.items()]
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
        return lines

    def _pools(self) -> list[str]:
        """What chance draws from, at each of its nodes."""
        sizes, places = [], []
        for node in self.flat.nodes:
            if node.kind == "chance":
                kind = self.flat.types[node.pool]
                pool = C(f"v[{node.pool}]", kind, self.rep(kind))
                with self.apart(2) as lines:
                    self.put(f"return {self.nth(pool, kind.of or EMPTY, 'index').text};")
                sizes.append(f"    case {node.number}: return {self.size(pool, kind)};")
                places += [f"    case {node.number}: {{", *lines, "    }"]
        return [
            *("static i64 pool_size(Machine *m, const i64 *v) {", "    switch (v[0]) {", *sizes, "    }"),
            *("    trouble(m);", "}"),
            *("static i64 pool_at(Machine *m, const i64 *v, i64 index) {", "    switch (v[0]) {", *places, "    }"),
            *("    trouble(m);", "}"),
        ]

    def _run(self) -> list[str]:
        lines = ["static void run(Machine *m, i64 *v, i64 block, const i64 *c) {", "    if (c) switch (v[0]) {"]
        for node, body in self.choices.items():
            lines += [f"    case {node}: {{", *body, "    trouble(m); }"]
        lines += ["    default: trouble(m);", "    }", "back:", "    switch (block) {"]
        reached = self.flat.reached
        lines += [f"    case {b}: goto b{b};" for b in sorted(reached)]
        lines += ["    default: trouble(m);", "    }"]
        for number, block in self.blocks.items():
            if number in self.jumped or number in reached:
                lines += [f"b{number}: if (UNLIKELY(--m->budget < 0)) trouble(m); {{", *block, "    trouble(m); }"]
        return [*lines, "}"]


def _together(slots: Sequence[int]) -> list[tuple[int, int]]:
    """Where those begin that lie one behind the other, and how many they are."""
    first = [slot for slot in slots if slot - 1 not in slots]
    last = [slot for slot in slots if slot + 1 not in slots]
    return [(begin, end + 1 - begin) for begin, end in zip(first, last)]


def _row(name: str, size: str, values: Sequence[Value]) -> str:
    return f"static const i64 {name}[{size}] = {{{', '.join(map(str, values)) or 0}}};"
