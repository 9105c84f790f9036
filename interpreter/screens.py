"""What front ends show, as the rules declare it: `screens`, read and checked, so that they need to know no game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from .check import Scope
from .declarations import Declarations
from .errors import Place, Problem, Problems, RulesError, did_you_mean, problem
from .load import Map, Seq, text_in
from .model import TRUTH, Expr, Function, ThingSet, Type, Var
from .presentation import Chart, GoalTable, Notes, NotesLine, Screens
from .steps import text_of

SEEN, GIVEN = "○", "×"
COLUMNS = ("at", "number", "colour", "home")
_Args = ParamSpec("_Args")
_Found = TypeVar("_Found")

T = TypeVar("T")


def read_screens(words: Declarations) -> Screens:
    """The section `screens` of a game; RulesError with everything that it names and that there is not."""
    return _ScreensReading(words).screens()


def unknown_things(description: Map, known: set[str]) -> list[Problem]:
    """Colours and signs for what there is not. With fewer players a thing may be missing: `known` are those of all."""
    section = description.get("screens") or {}
    return [
        found
        for key in ("colours", "signs")
        for name in section.get(key) or ()
        if name not in known
        for found in _unknown("unknown_name", section[key].key_at[name], name, known).problems
    ]


def _unknown(code: str, place: Place, name: Any, known: Any, **more: str) -> RulesError:
    return RulesError(
        problem(
            code,
            place,
            len(str(name)),
            name=str(name),
            meant=did_you_mean(str(name), list(map(str, known))) or "",
            **more,
        )
    )


class _ScreensReading:
    def __init__(self, words: Declarations):
        self.words = words
        self.section = words.description.get("screens") or Map(words.description.at)
        self.problems = Problems()

    def screens(self) -> Screens:
        found = Screens(
            self._states("secrets"),
            self._states("public"),
            self._try(self._notes, "notes"),
            self._try(self._table, "table"),
            self._knowledge(),
            {name: text_in(spec, "name") for name, spec in (self.section.get("knowledge") or {}).items()},
            self._try(self._chart, "map"),
            self._by_atom("colours"),
            self._by_atom("signs"),
        )
        if self.problems:
            raise RulesError(self.problems)
        return found

    def _try(self, read: Callable[_Args, _Found], *args: _Args.args, **named: _Args.kwargs) -> _Found | None:
        """What this reads; nothing, and a problem to tell, if it cannot."""
        try:
            return read(*args, **named)
        except RulesError as error:
            self.problems += error.problems
            return None

    # --- names --------------------------------------------------------------------------------------------------------
    def _states(self, key: str) -> list[Function]:
        heads = self.section.get(key) or Seq(self.section.at)
        found = [self._try(self._function, head, heads.value_at[index], ("state",)) for index, head in enumerate(heads)]
        return [function for function in found if function is not None]

    def _by_atom(self, key: str) -> dict[int, str]:
        """What is said of things by their names; those that are not there with so many players are left out."""
        entries = self.section.get(key) or {}
        return {atom: str(said) for name, said in entries.items() for atom in self.words.by_name.get(name, ())}

    def _function(self, head: str, place: Place, kinds: tuple[str, ...]) -> Function:
        shape, params = self.words.checker.head(head, place)
        wanted = [p.type for p in params]
        for function in self.words.functions.get(shape, ()):
            if function.kind in kinds and [p.type for p in function.params] == wanted:
                return function
        written = {"state": "state", "table": "links" if kinds == ("table",) else "tables", "formula": "tables"}
        heads = {h for kind in kinds for h in self.words.description.get(written[kind]) or ()}
        raise _unknown("unknown_function", place, head, heads)

    def _noun(self, spec: Map, key: str) -> Type:
        kind = self.words.noun_type(spec[key])
        if kind is None:
            raise RulesError(
                problem(
                    "unknown_noun",
                    spec.value_at[key],
                    len(spec[key]),
                    name=spec[key],
                    meant=self.words.suggest_noun(spec[key]),
                )
            )
        return kind

    # --- entries ------------------------------------------------------------------------------------------------------
    def _notes(self, key: str) -> Notes | None:
        spec = self.section.get(key)
        if not spec:
            return None
        place = spec.value_at["record"]
        record = self._function(spec["record"], place, ("state",))
        kind: Type = record.result
        if len(record.params) != 2 or not kind.many or kind.of is None or not kind.of.many:
            raise RulesError(
                problem("type_mismatch", place, len(spec["record"]), wanted="list of set", found=str(kind))
            )
        return Notes(record, spec.get("seen", SEEN), spec.get("given", GIVEN), self._line(spec.get("line")))

    def _line(self, spec: Map | None) -> NotesLine | None:
        if spec is None:
            return None
        thing, player = (Var(spec[key], self._noun(spec, key)) for key in ("of", "for"))
        scope = Scope({thing.name: thing, player.name: player})
        value = self.words.checker.expression(spec["is"], spec.value_at["is"], scope, maybe=True)
        return NotesLine(text_in(spec, "name"), thing, player, value)

    def _table(self, key: str) -> GoalTable | None:
        spec = self.section.get(key)
        if not spec:
            return None
        function = self._function(spec["of"], spec.value_at["of"], ("table", "formula"))
        kind = self._noun(spec, "for")
        keys, count = spec["keys"], function.keys if function.kind == "formula" else len(function.params)
        if len(keys) != count:
            raise RulesError(problem("row_depth", spec.value_at["keys"]))
        player = Var(spec["for"], kind)
        scope = Scope({player.name: player})
        typed = [
            self.words.checker.expression(text, keys.value_at[index], scope, function.params[index].type, maybe=True)
            for index, text in enumerate(keys)
        ]
        fulfilled = None
        if "fulfilled" in spec:
            fulfilled = self.words.checker.expression(spec["fulfilled"], spec.value_at["fulfilled"], scope, TRUTH)
        otherwise, entry = None, spec.get("otherwise")
        if entry:
            values = {
                name: self.words.checker.expression(text, entry["with"].value_at[name], scope)
                for name, text in (entry.get("with") or {}).items()
            }
            otherwise = text_of(entry, "text", scope, values)
        return GoalTable(function, player, typed, fulfilled, otherwise)

    def _knowledge(self) -> dict[str, tuple[Var, Expr]]:
        entries = self.section.get("knowledge") or {}
        found = {name: self._try(self._known, spec) for name, spec in entries.items()}
        return {name: known for name, known in found.items() if known is not None}

    def _known(self, spec: Map) -> tuple[Var, Expr]:
        var = Var(spec["for"], self._noun(spec, "for"))
        return var, self.words.checker.expression(spec["is"], spec.value_at["is"], Scope({var.name: var}))

    # --- the board ----------------------------------------------------------------------------------------------------
    def _chart(self, key: str) -> Chart | None:
        spec, words = self.section.get(key), self.words
        if not spec:
            return None
        if spec["spaces"] not in words.sets:
            raise _unknown("unknown_noun", spec.value_at["spaces"], spec["spaces"], words.sets)
        spaces = words.sets[spec["spaces"]]
        found = {name: self._try(self._column, spec, name, spaces) for name in COLUMNS if name in spec}
        columns = {name: column for name, column in found.items() if column is not None}
        links, pieces, holds = (
            self._try(self._function, spec[name], spec.value_at[name], kinds) if name in spec else None
            for name, kinds in (("links", ("table",)), ("pieces", ("state",)), ("holds", ("state",)))
        )
        members = {words.atoms[atom].name: atom for atom in spaces.atoms}
        rows = spec.get("rows") or ()
        if spaces.name in words.grids and "rows" not in spec and "at" not in spec:
            wide, up = words.grids[spaces.name]
            drawn = tuple(spaces.atoms[y * wide : (y + 1) * wide] for y in reversed(range(up)))
            rows, grid_of = (), drawn
        else:
            grid_of = None
        for row in rows:
            for index, name in enumerate(row):
                if str(name) not in members:
                    self.problems += _unknown(
                        "unknown_row", row.value_at[index], name, members, set=spaces.name
                    ).problems
        lines = spec.get("lines") or Map(spec.at)
        for name in lines:
            if name not in words.by_name:
                self.problems += _unknown("unknown_name", lines.key_at[name], name, words.by_name).problems
        grid = grid_of or tuple(tuple(members[str(name)] for name in row if str(name) in members) for row in rows)
        dashed = frozenset(a for name in lines if lines[name] == "dashed" for a in words.by_name.get(name, ()))
        return Chart(spaces, columns, links, pieces, holds, grid, dashed)

    def _column(self, spec: Map, key: str, spaces: ThingSet) -> Function:
        for function in self.words.functions.get(f"{spec[key]} of _", ()):
            if function.kind == "table" and function.params[0].type == spaces.type:
                return function
        columns = [
            shape.removesuffix(" of _")
            for shape, fs in self.words.functions.items()
            if shape.endswith(" of _") and any(f.kind == "table" for f in fs)
        ]
        raise _unknown("unknown_column", spec.value_at[key], spec[key], columns, set=spaces.name)
