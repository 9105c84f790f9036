"""What front ends show, as the rules declare it: `screens`, read and checked, so that they need to know no game."""

from __future__ import annotations

from dataclasses import dataclass

from .check import Scope
from .errors import RulesError, problem
from .load import Map
from .model import Expr, Function, Type, Var
from .vocabulary import Vocabulary

__all__ = ["Notes", "Screens", "Table", "read_screens"]


@dataclass(slots=True)
class Notes:
    """A record of sets of things, by who showed them and to whom, and the signs for both directions."""

    record: Function
    seen: str
    given: str


@dataclass(slots=True)
class Table:
    """A table of conditions, and the expressions that lead a player to his row."""

    function: Function
    player: Var
    keys: list[Expr]


@dataclass(slots=True)
class Screens:
    secrets: list[Function]
    public: list[Function]
    notes: Notes | None
    table: Table | None


def read_screens(words: Vocabulary) -> Screens:
    """The section `screens` of a game; RulesError where it names what there is not."""
    section = words.description.get("screens") or Map(words.description.at)
    lists = {}
    for key in ("secrets", "public"):
        heads = section.get(key) or []
        lists[key] = [_state(words, head, heads.value_at[index]) for index, head in enumerate(heads)]
    return Screens(lists["secrets"], lists["public"], _notes(words, section.get("notes")),
                   _table(words, section.get("table")))


def _state(words: Vocabulary, head: str, place) -> Function:
    return _function(words, head, place, ("state",))


def _function(words: Vocabulary, head: str, place, kinds: tuple[str, ...]) -> Function:
    shape, params = words.checker.head(head, place)
    wanted = [p.type for p in params]
    for function in words.functions.get(shape, ()):
        if function.kind in kinds and [p.type for p in function.params] == wanted:
            return function
    raise RulesError(problem("unknown_function", place, len(head), name=head))


def _notes(words: Vocabulary, spec: Map | None) -> Notes | None:
    if not spec:
        return None
    place = spec.value_at["record"]
    record = _state(words, spec["record"], place)
    kind: Type = record.result
    if len(record.params) != 2 or not kind.many or kind.of is None or not kind.of.many:
        raise RulesError(problem("type_mismatch", place, len(spec["record"]), wanted="list of set", found=str(kind)))
    return Notes(record, spec["seen"], spec["given"])


def _table(words: Vocabulary, spec: Map | None) -> Table | None:
    if not spec:
        return None
    function = _function(words, spec["of"], spec.value_at["of"], ("table", "formula"))
    kind = words.noun_type(spec["for"])
    if kind is None:
        raise RulesError(problem("unknown_noun", spec.value_at["for"], len(spec["for"]), name=spec["for"],
                                 meant=words.suggest_noun(spec["for"])))
    keys, count = spec["keys"], function.keys if function.kind == "formula" else len(function.params)
    if len(keys) != count:
        raise RulesError(problem("row_depth", spec.value_at["keys"]))
    player = Var(spec["for"], kind)
    scope = Scope({player.name: player})
    typed = [words.checker.expression(text, keys.value_at[index], scope, function.params[index].type, maybe=True)
             for index, text in enumerate(keys)]
    return Table(function, player, typed)
