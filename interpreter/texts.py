"""What the rules say to people, as data: names of things, phrases, sentences beside tables and options, the rulebook.

It is read once, when a game is made, and decides nothing in it. The words for a reader are chosen at the edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .declarations import Declarations
from .errors import RulesError
from .load import Map, text_in
from .mentions import read_mentions
from .model import Function, Text, ThingSet, Told
from .presentation import BookTexts, Phrase, Presented, SaidAs, SetTexts, TableTexts, Texts


# --- texts of any entry -----------------------------------------------------------------------------------------------
def told_in(entry: Mapping[str, Any], key: str = "rule") -> Told:
    """What the rulebook tells beside an entry."""
    sources = re.split(r",\s*", str(entry["source"])) if entry.get("source") else ()
    return Told(text_in(entry, key), tuple(sources), text_in(entry, "decision"))


def _texts(entries: Mapping[str, Any]) -> dict[str, Text]:
    return {name: text_in(entries, name) for name in entries}


def _inside(entry: Map, key: str) -> Map:
    """What stands under this key: an empty map, if nothing does."""
    found: Map = entry.get(key) or Map(entry.at)
    return found


# --- the sections -----------------------------------------------------------------------------------------------------
def read_texts(words: Declarations) -> Texts:
    """The names and sentences beside things, tables, links and options."""
    description = words.description
    things, options = _inside(description, "things"), _inside(description, "options")
    said = _inside(_inside(description, "rulebook"), "said")
    return Texts(
        {name: _set(words, words.sets[name], things[name], said) for name in things},
        tuple(
            TableTexts(
                name,
                function,
                _said_as(words, _inside(spec, "said as")),
                told_in(spec),
                _cells(words, function, spec, said),
            )
            for name, spec, function in _declared(words, "tables")
        ),
        tuple((name, function) for name, _, function in _declared(words, "links")),
        {name: told_in(options[name], "about") for name in words.options},
    )


def _set(words: Declarations, things: ThingSet, spec: Any, said: Map) -> SetTexts:
    if not isinstance(spec, Map):
        return SetTexts()
    members = spec.get("members")
    rows = {name: row for name, row in members.items() if row} if isinstance(members, Map) else {}
    columns = tuple(_columns(words, things, _inside(spec, "columns")))
    return SetTexts(
        {name: text_in(row, "name") for name, row in rows.items() if isinstance(row.get("name"), (str, Map))},
        text_in(spec, "called") if "called" in spec else None,
        tuple(spec.get("each") or ()),
        "any of" in spec,
        columns,
        {
            (name, column): text_in(said, row[column])
            for name, row in rows.items()
            for column, _ in columns
            if isinstance(row.get(column), str) and row[column] in said
        },
        told_in(spec),
    )


def _cells(words: Declarations, function: Function, spec: Any, said: Map) -> dict[tuple[int, ...], Text]:
    """What `said` has for the cells of a table, by their keys."""
    rows = dict(_flat(spec.get("rows"), ()))
    found = {}
    for keys in function.values:
        text = rows.get(tuple(words.atoms[key].name for key in keys))
        if isinstance(text, str) and said.get(text):
            found[keys] = text_in(said, text)
    return found


def _flat(rows: Any, keys: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The cells of a table as they are written, by the names of their keys."""
    if not isinstance(rows, Map):
        yield keys, rows
        return
    for key in rows:
        yield from _flat(rows[key], (*keys, *key.split("-")))


def _columns(words: Declarations, things: ThingSet, heads: Mapping[str, Any]) -> Iterator[tuple[str, Function]]:
    for head in heads:
        column = head.split(" ")[0]
        functions = (f for shape, fs in words.functions.items() if shape.startswith(f"{column} of ") for f in fs)
        known = (f for f in functions if f.kind in ("table", "formula") and f.params[0].type == things.type)
        if (function := next(known, None)) is not None:
            yield column, function


def _declared(words: Declarations, section: str) -> Iterator[tuple[str, Any, Function]]:
    """The entries of a section: the first word of the head, what is written, the function that it declares."""
    entries = _inside(words.description, section)
    by_place = {f.place: f for fs in words.functions.values() for f in fs if f.kind in ("table", "formula")}
    for head, spec in entries.items():
        yield head.split(" ")[0], spec, by_place[entries.key_at[head]]


def _said_as(words: Declarations, said: Mapping[str, Any]) -> SaidAs | None:
    sets = [name for name in said if name in words.sets]
    if not sets:
        return None
    return SaidAs(words.sets[sets[-1]].type.atoms, text_in(said, sets[-1]), str(said.get("except", "")))


def read_phrases(words: Declarations) -> dict[str, Phrase]:
    """How conditions are said: by the head as it is written, and by the shape of what it is about."""
    found: dict[str, Phrase] = {}
    entries = _inside(words.description, "phrases")
    for head in entries:
        try:
            shape, params = words.checker.head(head, entries.key_at[head])
            names = tuple(param.name for param in params)
        except RulesError:
            shape, names = head, ()
        found[head] = found[shape] = Phrase(names, text_in(entries, head))
    return found


def read_rulebook(words: Declarations) -> BookTexts:
    description = words.description
    spec = _inside(description, "rulebook")
    return BookTexts(
        tuple(sorted(map(int, _inside(description, "players")))),
        str(description.get("start", "game")),
        text_in(spec, "story"),
        _presented(_inside(spec, "components")),
        _presented(_inside(spec, "tables")),
        _presented(_inside(spec, "chapters")),
        _texts(_inside(spec, "sources")),
        read_mentions(words)[0],
    )


def _presented(entries: Mapping[str, Any]) -> dict[str, Presented]:
    found = {}
    for name, entry in entries.items():
        spec = entry or {}
        titles = spec.get("titles")
        found[name] = Presented(
            text_in(spec, "name"),
            text_in(spec, "about"),
            bool(spec.get("hidden")),
            None if titles is None else _texts(titles),
            str(spec.get("printed", "")),
            str(spec.get("printed for", "")),
        )
    return found


def read_habits(words: Declarations) -> dict[str, float]:
    """How bots weigh things in this game, where it is not as usual."""
    return dict(_inside(words.description, "habits"))
