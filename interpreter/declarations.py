"""What a game declares: a resolved description becomes sets of things, tables, state functions and words.

Everything that is read in the same way (`name of X with Y`) becomes a Function, whatever it is behind: state that
changes, a table that never does, a part of a product, a defined word. Expressions find them by their shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any, ParamSpec, Protocol, cast

from .bounds import Bounds
from .check import Checker, Scope
from .doors import Reader
from .errors import Place, Problems, RulesError, did_you_mean, problem
from .load import Map, Seq, text_in
from .model import (
    ASPECTS,
    NUMBER,
    TRUTH,
    Atom,
    Expr,
    Function,
    Option,
    Param,
    ThingSet,
    Type,
    Value,
    Var,
    const,
    set_of,
)
from .parse import keywords, parse
from .vocabulary import MAX_NESTED, RESERVED, Vocabulary

MAX_ATOMS = 20_000
MAX_SLOTS = 20_000
LANGUAGE = frozenset({"no"})  # things may be called so all the same: languages are things too
OF_THE_LANGUAGE = frozenset("sum largest smallest remainder count first last".split())  # before “of”, in any expression
STARTS: dict[str, Value] = {"number": 0, "truth": False, "set": (), "pile": (), "list": ()}  # where nothing is said

Cell = tuple[tuple[int, ...], Any, Place]  # of a table: its keys, what stands in it, and where
_Args = ParamSpec("_Args")


class Declare(Protocol):
    """Declares a set of things, if that is still to be done."""

    def __call__(self, name: str, asked_at: Place | None = None) -> None: ...


class Declarations(Vocabulary):
    checking = Checker  # who types the expressions

    def __init__(
        self,
        description: Map,
        options: dict[str, Option],
        players: int | None = None,
        reader: Reader | None = None,
    ):
        super().__init__(options)
        self.reader = reader
        self.description, self.players = description, players
        self.reordered: set[tuple[int, ...]] = set()  # unions that once had another order: see renewal.py
        self.problems = Problems()
        self.checker = self.checking(self)
        self.bounds = None
        self.grids: dict[str, tuple[int, int]] = {}  # boards of squares: how many columns and rows
        self._pending_words: dict[int, tuple[Any, Place]] = {}
        self._being_defined: list[Function] = []
        self._later: list[tuple[Any, ...]] = []  # what is to be called, and with which arguments
        self._declare()

    # --- in which order ---------------------------------------------------------------------------------------------
    def _declare(self) -> None:
        for option in self.options.values():
            self._option(option)
        self._things()
        self._fail()
        self._seats()
        for section, declare in (
            ("tables", self._table),
            ("links", self._link),
            ("state", self._state),
            ("words", self._word),
        ):
            entries = self.description.get(section) or Map(self.description.at)
            for head in entries:
                self._collected(declare, head, entries[head], entries.key_at[head], entries.value_at[head])
        for later in self._later:
            self._collected(*later)
        for functions in list(self.functions.values()):
            for function in functions:
                self._collected(self.finish, function)
        self._fail()
        self.bounds = Bounds()
        for functions in self.functions.values():
            for function in functions:
                function.readings.clear()  # all cells are read
                for body in [function.body] if function.kind == "word" else function.values.values():
                    if isinstance(body, Expr):
                        self._collected(self.bounds.check, body, function.place, _width(function))
        self._fail()

    def _collected(self, action: Callable[_Args, object], *args: _Args.args, **named: _Args.kwargs) -> None:
        try:
            action(*args, **named)
        except RulesError as error:
            self.problems.extend(error.problems)

    def _fail(self) -> None:
        if self.problems:
            raise RulesError(self.problems)

    def complain(self, code: str, place: Place | None, length: int = 1, **args: str | int) -> None:
        self.problems.append(problem(code, place, length, **args))

    # --- options ------------------------------------------------------------------------------------------------------
    def _option(self, option: Option) -> None:
        if option.name in keywords():
            place = self.description["options"].key_at[option.name]
            self.complain("keyword_name", place, len(option.name), name=option.name)
        if option.kind == "one of":
            atoms = [self._atom(option.name, str(value)) for value in option.values]
            self.option_types[option.name] = Type("thing", option.name, frozenset(atoms))

    # --- things -------------------------------------------------------------------------------------------------------
    def _things(self) -> None:
        entries = self.description.get("things") or Map(self.description.at)
        busy: list[str] = []

        def declare(name: str, asked_at: Place | None = None) -> None:
            if name in self.sets:
                return
            if name not in entries:
                raise RulesError(
                    problem("unknown_noun", asked_at, len(name), name=name, meant=did_you_mean(name, entries) or "")
                )
            if name in busy:
                raise RulesError(problem("things_in_circle", entries.key_at[name], len(name), name=name))
            if len(busy) >= MAX_NESTED:
                raise RulesError(problem("too_nested", entries.key_at[name], len(name), name=name, limit=MAX_NESTED))
            busy.append(name)
            try:
                self._thing_set(name, entries[name], entries.key_at[name], entries.value_at[name], declare)
            finally:
                busy.pop()

        unions = [n for n in entries if isinstance(entries[n], Map) and "any of" in entries[n]]
        for name in [
            *(n for n in entries if n not in unions),
            *unions,
        ]:  # so that members come in the order of the file
            self._collected(declare, name)
        self.sets = {name: self.sets[name] for name in entries if name in self.sets}
        for name in entries:
            if name in self.sets and isinstance(entries[name], Map):
                self._collected(self._columns, self.sets[name], entries[name])

    def _thing_set(self, name: str, entry: Any, key_at: Place, at: Place, declare: Declare) -> None:
        spec = entry if isinstance(entry, Map) else Map(at)
        plural = spec.get("plural") or name + "s"
        for word, place in ((name, key_at), (plural, spec.value_at.get("plural", key_at))):
            if word in keywords():
                raise RulesError(problem("keyword_name", place, len(word), name=word))
        if name in RESERVED or plural in self.plurals or name in self.plurals or plural in self.sets:
            raise RulesError(problem("name_taken", key_at, len(name), name=name if name in RESERVED else plural))
        if "any of" in spec:
            parts = spec["any of"]
            for index, part in enumerate(parts):
                declare(part, parts.value_at[index])
            named = tuple(dict.fromkeys(a for part in parts for a in self.sets[part].atoms))
            atoms = tuple(sorted(named))
            self.reordered |= {atoms} if atoms != named else set()
            if len({self.atoms[a].name for a in atoms}) != len(atoms):  # a choice is saved by its names
                raise RulesError(problem("member_twice", key_at, len(name), name=name))
        elif "each" in spec:
            parts = spec["each"]
            for index, part in enumerate(parts):
                declare(part, parts.value_at[index])
            atoms = self._product(name, plural, [self.sets[p] for p in parts], key_at)
        elif "grid" in spec:
            atoms = self._grid(name, spec["grid"], spec.value_at["grid"])
        else:
            members = spec.get("members", Seq(at)) if isinstance(entry, Map) else entry
            names = list(members) if members is not None else []
            atoms = tuple(self._atom(name, str(m)) for m in names)
            before: set[str] = set()
            for index, member in enumerate(map(str, names)):
                place = members.value_at[index] if isinstance(members, Seq) else members.key_at[member]
                if member in keywords() - LANGUAGE or member in RESERVED:
                    code = "keyword_name" if member in keywords() else "name_taken"
                    self.complain(code, place, len(member), name=member)
                if member in before:
                    raise RulesError(problem("member_twice", place, len(member), name=name, member=member))
                before.add(member)
        kind = Type("thing", name, frozenset(atoms))
        self.sets[name] = ThingSet(name, plural, atoms, kind, key_at, str(spec.get("numbered by", "")))
        self.plurals[plural] = self.sets[name]

    def _atom(self, home: str, name: str, parts: tuple[int, ...] = ()) -> int:
        if len(self.atoms) >= MAX_ATOMS:
            raise RulesError(problem("too_many_things", None, limit=MAX_ATOMS))
        atom = Atom(len(self.atoms), home, name, parts)
        self.atoms.append(atom)
        self.by_name.setdefault(name, []).append(atom.number)
        return atom.number

    def _product(self, name: str, plural: str, factors: list[ThingSet], place: Place) -> tuple[int, ...]:
        combinations: list[tuple[int, ...]] = [()]
        for factor in factors:
            if len(combinations) * len(factor.atoms) > MAX_ATOMS:
                raise RulesError(problem("too_many_things", place, len(name), limit=MAX_ATOMS))
            combinations = [c + (a,) for c in combinations for a in factor.atoms]
        atoms = tuple(self._atom(name, "_".join(self.atoms[a].name for a in c), c) for c in combinations)
        kind = Type("thing", name, frozenset(atoms))
        for index, factor in enumerate(factors):
            part = Function(f"{factor.name} of _", "table", [Param(name, kind)], factor.type, place)
            part.values = {(a,): self.atoms[a].parts[index] for a in atoms}
            self._add(part)
            back = Function(f"{plural} of _", "table", [Param(factor.name, factor.type)], set_of(kind), place)
            whole: dict[int, list[int]] = {f: [] for f in factor.atoms}
            for a in atoms:
                whole[self.atoms[a].parts[index]].append(a)
            back.values = {(f,): tuple(found) for f, found in whole.items()}
            self._add(back)
        return atoms

    def _grid(self, name: str, size: Map, at: Place) -> tuple[int, ...]:
        """Squares called by letter and number, row by row."""
        if len(size) != 2:
            raise RulesError(problem("grid_size", at))
        wide, up = size.values()
        if wide * up > MAX_ATOMS:
            raise RulesError(problem("too_many_things", at, limit=MAX_ATOMS))
        self.grids[name] = wide, up
        return tuple(self._atom(name, f"{_letters(x)}{y + 1}") for y in range(up) for x in range(wide))

    def _grid_columns(self, things: ThingSet, size: Map) -> None:
        wide, _ = self.grids[things.name]
        for index, word in enumerate(size):
            if word in keywords():
                self.complain("keyword_name", size.key_at[word], len(word), name=word)
            function = Function(f"{word} of _", "table", [Param(things.name, things.type)], NUMBER, size.key_at[word])
            function.values = {(a,): divmod(i, wide)[1 - index] + 1 for i, a in enumerate(things.atoms)}
            self._add(function)

    def _columns(self, things: ThingSet, spec: Map) -> None:
        if "grid" in spec:
            self._grid_columns(things, spec["grid"])
        columns = spec.get("columns") or Map(spec.at)
        members = spec.get("members")
        rows = members if isinstance(members, Map) else Map(spec.at)
        known = {}
        for key in columns:
            name, _, rest = key.partition(" ")
            place = columns.key_at[key]
            try:
                shape, params = self.checker.head(f"{name} of {things.name} {rest}".strip(), place)
            except RulesError as error:  # the head is put together here: only the whole key has a place
                found = error.problems[0]
                raise RulesError(problem(found.code, place, len(key), **found.args)) from None
            result = self.checker.type(columns[key], columns.value_at[key])
            function = Function(shape, "formula" if rest else "table", params, result, place, keys=1)
            function.variables = [Var(p.name, p.type) for p in params]
            self._add(function)
            known[name] = function
        for member in rows:
            row = rows[member]
            atom = cast(int, self.member(member, things.type))
            for key in row or ():
                if key not in known and not (key == "name" and isinstance(row[key], (str, Map))):
                    self.complain(
                        "unknown_column",
                        row.key_at[key],
                        len(key),
                        name=key,
                        set=things.name,
                        meant=did_you_mean(key, known) or "",
                    )
            for key, function in known.items():
                at = row.value_at[key] if row and key in row else rows.key_at[member]
                self._cell(function, (atom,), row[key] if row and key in row else None, at, key, len(member))
        for atom in things.atoms if not rows else ():
            for key, function in known.items():
                self._cell(function, (atom,), None, things.place, key)
        if things.numbered_by:
            self._numbers(things, spec, known)

    def _numbers(self, things: ThingSet, spec: Map, columns: dict[str, Function]) -> None:
        """The column by which members are called: there is one, and no two have the same number in it."""
        name, place = things.numbered_by, spec.value_at["numbered by"]
        column = columns.get(name)
        if column is None:
            meant = did_you_mean(name, columns) or ""
            self.complain("unknown_column", place, len(name), name=name, set=things.name, meant=meant)
            return
        if column.result.kind != "number":
            self.complain("number_wanted", place, len(name), found=str(column.result))
            return
        numbers: dict[Value, list[str]] = {}
        for (atom,), number in column.values.items():
            numbers.setdefault(number, []).append(self.atoms[atom].name)
        for number, members in numbers.items():
            if number and len(members) > 1:
                named = ", ".join(members)
                self.complain("number_of_two", place, len(name), set=things.name, number=number, members=named)

    def _cell(
        self, function: Function, keys: tuple[int, ...], value: Any, at: Place, key: str, length: int = 1
    ) -> None:
        """One cell of a table; `length` is that of the name at `at`, should the cell be missing."""
        if function.kind == "formula":
            self._later.append((self._formula_cell, function, keys, value, at, key, length))
        elif value is None:
            if not function.result.maybe:
                if function.result.kind not in STARTS:
                    self.complain("cell_missing", at, length, name=key)
                    return
                function.values[keys] = STARTS[function.result.kind]
            else:
                function.values[keys] = None
        elif function.result.many and isinstance(value, str):  # may name things by columns that are still to be read
            self._later.append((self._plain_cell, function, keys, value, at))
        else:
            self._collected(self._plain_cell, function, keys, value, at)

    def _plain_cell(self, function: Function, keys: tuple[int, ...], value: Any, at: Place) -> None:
        function.values[keys] = self.checker.literal(value, function.result, at)

    def _formula_cell(
        self, function: Function, keys: tuple[int, ...], value: Any, at: Place, key: str, length: int
    ) -> None:
        if value is None:
            raise RulesError(problem("cell_missing", at, length, name=key))
        variables = function.variables[function.keys :]
        scope = Scope({v.name: v for v in variables})
        function.values[keys] = self.checker.expression(value, at, scope, function.result, readings=function.readings)

    def place_of_cell(self, column: str, atom: int) -> Place | None:
        entry = (self.description.get("things") or {}).get(self.atoms[atom].set)
        members = entry.get("members") if isinstance(entry, Map) else None
        row = members.get(self.atoms[atom].name) if isinstance(members, Map) else None
        return row.value_at.get(column) if isinstance(row, Map) else None

    def _own_head(self, head: str, key_at: Place) -> tuple[str, list[Param]]:
        """The head of something that is declared here: it must be possible to use it."""
        first, _, rest = head.partition(" of ")
        if rest and first.strip() in OF_THE_LANGUAGE:
            raise RulesError(problem("head_taken", key_at, len(head), name=first.strip()))
        return self.checker.head(head, key_at)

    def _table(self, head: str, spec: Map, key_at: Place, at: Place) -> None:
        shape, params = self._own_head(head, key_at)
        result = self.checker.type(spec["is"], spec.value_at["is"])
        rows = spec["rows"]
        cells = list(self.condition_cells(rows, params, 0, (), spec.value_at["rows"]))
        keys = max((len(k) for k, _, _ in cells), default=len(params))
        function = Function(shape, "formula" if keys < len(params) else "table", params, result, key_at, keys=keys)
        function.variables = [Var(p.name, p.type) for p in params]
        readings = spec.get("read as") or Map(at)
        function.readings = [
            (parse(old, "expression", readings.key_at[old]), parse(readings[old], "expression", readings.value_at[old]))
            for old in readings
        ]
        self._add(function)
        for key, value, place in cells:
            if len(key) != keys:
                self.complain("row_depth", place)
            elif key in function.values:
                self.complain("row_twice", place)
            else:
                function.values[key] = None
                self._cell(function, key, value, place, head)
        if function.kind == "table" and prod(len(p.type.atoms) for p in params) <= MAX_ATOMS:
            missing = STARTS.get(result.kind) if not result.maybe else None
            for key in product(*(sorted(p.type.atoms) for p in params)):
                function.values.setdefault(key, missing)

    def condition_cells(
        self, rows: Any, params: list[Param], depth: int, keys: tuple[int, ...], at: Place
    ) -> Iterator[Cell]:
        """Rows nest by key; a key may name several at once (`A-B`)."""
        if not isinstance(rows, Map):
            yield keys, rows, at
            return
        for text in rows:
            names = text.split("-") if depth < len(params) and self.member(text, params[depth].type) is None else [text]
            found = keys
            for name in names:
                index = len(found)
                atom = self.member(name, params[index].type) if index < len(params) else None
                if atom is None:
                    kind = params[index].type if index < len(params) else None
                    self.complain(
                        "unknown_row",
                        rows.key_at[text],
                        len(text),
                        name=name,
                        set=str(kind or ""),
                        meant=did_you_mean(name, self.names_of(kind)) or "" if kind else "",
                    )
                    break
                found += (atom,)
            else:
                yield from self.condition_cells(rows[text], params, len(found), found, rows.value_at[text])

    def _link(self, head: str, spec: Any, key_at: Place, at: Place) -> None:
        shape, params = self._own_head(head, key_at)
        if not 1 <= len(params) <= 2 or any(p.type.kind != "thing" for p in params):
            raise RulesError(problem("link_head", key_at, len(head)))
        ends = params[0].type
        function = Function(shape, "table", params, set_of(ends), key_at)
        kinds = params[1].type.atoms if len(params) == 2 else [None]
        near: dict[tuple[int, ...], set[int]] = {
            (a, k) if k is not None else (a,): set() for a in ends.atoms for k in kinds
        }
        groups = spec.items() if isinstance(spec, Map) and len(params) == 2 else [(None, spec)]
        for name, pairs in groups:
            kind = self.member(name, params[1].type) if name is not None and len(params) == 2 else None
            if (kind is None) != (len(params) == 1):
                raise RulesError(
                    problem(
                        "unknown_row",
                        spec.key_at[name] if name else at,
                        len(name or " "),
                        name=name or "",
                        set=str(params[-1].type),
                        meant="",
                    )
                )
            tail = () if kind is None else (kind,)
            where = spec.value_at[name] if name is not None else at
            for a, b in self._pairs(pairs, ends, where):
                near[(a, *tail)].add(b)
                if not isinstance(pairs, Map) or not pairs.get("one way"):
                    near[(b, *tail)].add(a)
        function.values = {key: tuple(sorted(others)) for key, others in near.items()}
        self._add(function)

    def _pairs(self, pairs: Any, ends: Type, at: Place) -> Iterator[tuple[int, int]]:
        """The neighbours that are named, or that lie so far apart on a grid."""
        if not isinstance(pairs, Map):
            for pair in pairs:
                a, b = (self.checker.literal(end, ends, pair.value_at[i]) for i, end in enumerate(pair))
                yield a, b
            return
        if "steps" not in pairs:
            key = next(iter(pairs))
            raise RulesError(problem("patch_here", pairs.key_at[key], len(key), key=key))
        things = next((s for n, s in self.sets.items() if n in self.grids and s.type.atoms == ends.atoms), None)
        if things is None:
            raise RulesError(problem("grid_wanted", at, set=ends.name))
        wide, up = self.grids[things.name]
        for right, higher in pairs["steps"]:
            for index, atom in enumerate(things.atoms):
                y, x = divmod(index, wide)
                if 0 <= x + right < wide and 0 <= y + higher < up:
                    yield atom, things.atoms[(y + higher) * wide + x + right]

    # --- state and words ----------------------------------------------------------------------------------------------
    def _state(self, head: str, spec: Map, key_at: Place, at: Place) -> None:
        shape, params = self._own_head(head, key_at)
        size = 1
        for param in params:
            if param.type.kind != "thing":
                raise RulesError(problem("state_of_things", key_at, len(head), name=param.name))
            size *= len(param.type.atoms)
        kind = self.checker.type(spec["is"], spec.value_at["is"])
        function = Function(shape, "state", params, kind, key_at, base=self.slots, lasts=str(spec.get("lasts", "")))
        function.variables = [Var(p.name, p.type) for p in params]
        function.label = text_in(spec, "label")
        self.slots += size
        if self.slots > MAX_SLOTS:
            raise RulesError(problem("too_many_slots", key_at, len(head), limit=MAX_SLOTS))
        default = STARTS.get(kind.kind)
        function.start = (
            self.checker.literal(spec["start"], kind, spec.value_at["start"]) if "start" in spec else default
        )
        self._add(function)
        self._later.append((self._view, function, spec))

    def _view(self, function: Function, spec: Map) -> None:
        scope = Scope({v.name: v for v in function.variables})
        function.view = self.audience(spec["seen by"], spec.value_at["seen by"], scope)
        for aspect in ASPECTS:
            key = f"{aspect} seen by"
            if key in spec and (not function.result.many or aspect == "top" and function.result.kind != "list"):
                raise RulesError(
                    problem("no_such_aspect", spec.key_at[key], len(key), key=key, found=str(function.result))
                )
            if key in spec:
                function.aspects[aspect] = self.audience(spec[key], spec.value_at[key], scope)

    def audience(self, text: Any, place: Place, scope: Scope) -> Expr | str:
        """Who sees something: "all", "nobody", or an expression for some of the seats."""
        if text in ("all", "nobody"):
            return str(text)
        anything = Type("thing", "seat", frozenset(range(len(self.atoms))))  # who is not at the table sees nothing
        seen = self.checker.expression(text, place, scope, set_of(anything))
        if seen.type.of is None or not seen.type.of.atoms & self.seat_type.atoms:
            raise RulesError(problem("type_mismatch", place, len(str(text)), wanted="seat", found=str(seen.type)))
        return seen

    def _word(self, head: str, spec: Any, key_at: Place, at: Place) -> None:
        shape, params = self._own_head(head, key_at)
        body, place = (spec["means"], spec.value_at["means"]) if isinstance(spec, Map) else (spec, at)
        function = Function(shape, "word", params, TRUTH, key_at)
        function.variables = [Var(p.name, p.type) for p in params]
        self._pending_words[id(function)] = (body, place)
        self._add(function)
        if isinstance(spec, Map) and "one" in spec:
            self.singulars[spec["one"]] = shape.split(" ")[0]

    def finish(self, function: Function) -> None:
        """Type a word's body, once, when it is first needed."""
        if id(function) not in self._pending_words:
            return
        if function in self._being_defined:
            raise RulesError(
                problem("word_in_circle", function.place, _width(function), name=function.shape.replace("_", "…"))
            )
        if len(self._being_defined) >= MAX_NESTED:
            raise RulesError(
                problem(
                    "too_nested",
                    function.place,
                    _width(function),
                    limit=MAX_NESTED,
                    name=function.shape.replace("_", "…"),
                )
            )
        body, place = self._pending_words[id(function)]
        self._being_defined.append(function)
        try:
            scope = Scope({v.name: v for v in function.variables})
            function.body = self.checker.expression(body, place, scope)
            function.result = function.body.type
        except RulesError:
            function.body = const(None, TRUTH)  # said once is enough
            raise
        finally:
            self._being_defined.pop()
            self._pending_words.pop(id(function), None)

    def _add(self, function: Function) -> None:
        same = self.functions.setdefault(function.shape, [])
        for other in same:
            if all(a.type == b.type for a, b in zip(other.params, function.params)):
                raise RulesError(
                    problem("declared_twice", function.place, _width(function), name=function.shape.replace("_", "…"))
                )
        same.append(function)

    # --- seats --------------------------------------------------------------------------------------------------------
    def _seats(self) -> None:
        def atoms(key: str, wanted: frozenset[int] | None = None) -> tuple[int, ...]:
            if key not in self.description:
                return ()
            value, at = self.description[key], self.description.value_at[key]
            named = [(v, value.value_at[i]) for i, v in enumerate(value)] if isinstance(value, Seq) else [(value, at)]
            found: dict[int, None] = {}
            for name, place in named:
                for seat in self._seat(name, place):
                    if seat in found:
                        self.complain("seat_twice", place, len(str(name)), name=self.atoms[seat].name)
                    elif wanted is not None and seat not in wanted:
                        self.complain("not_seated", place, len(str(name)), name=self.atoms[seat].name)
                    found[seat] = None
            return tuple(found)

        try:
            self.seats = atoms("seats")
            self.seat_type = Type("thing", "seat", frozenset(self.seats))
            self.chance_seats = atoms("played by chance", self.seat_type.atoms)
        except RulesError as error:
            self.problems.extend(error.problems)
        self._fail()
        if not self.seats:
            self.complain("no_seats", self.description.at)
        self._fail()
        deciding = len(self.seats) - len(self.chance_seats)
        if self.players is not None and deciding != self.players:
            counts = self.description["players"]
            name = str(self.players)
            self.complain("players_and_seats", counts.key_at[name], len(name), players=self.players, seats=deciding)
        self._fail()

    def own_name(self, thing: Atom, code: str) -> str:
        spec = (self.description.get("things") or {}).get(thing.set)
        members = spec.get("members") if isinstance(spec, Map) else None
        row = members.get(thing.name) if isinstance(members, Map) else None
        said = row.get("name") if isinstance(row, Map) else None
        if isinstance(said, Map):
            said = said.get(code) or said.get("en")
        return str(said).partition(" | ")[0] if said else thing.name

    def _seat(self, name: Any, at: Place) -> tuple[int, ...]:
        if name in self.plurals:
            return self.plurals[name].atoms
        atom = self.only_atom(name) if isinstance(name, str) else None
        if atom is None:
            raise RulesError(
                problem(
                    "unknown_name",
                    at,
                    len(str(name)),
                    name=str(name),
                    meant=did_you_mean(str(name), [*self.plurals, *self.by_name]) or "",
                )
            )
        return (atom,)


def _letters(number: int) -> str:
    """a … z, aa, ab …"""
    found = ""
    while number >= 0:
        number, last = divmod(number, 26)
        found = chr(ord("a") + last) + found
        number -= 1
    return found


def _width(function: Function) -> int:
    """How long its head is, as far as it stands on one line."""
    source, line, column = function.place
    found = re.match(r"(?:[^:]|:(?! |$))*", source.line(line)[column - 1 :])
    return found.end() if found else 0
