"""Collects the texts of rule files for the catalogues: `pybabel extract` finds this by its entry point.

Sentences are messages of their own. Names have a context, so that the same word can be two things: for the members of a
set it is the set, for sets it is `things`, for alternatives between which a player chooses it is `choice`, for options
`option`, for what an option can be `value`, for the kinds of games, which are the folders of rule files, `kinds`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from ..interpreter.load import Map, Seq, load_text

__all__ = ["rules"]

TEXTS = ("name", "about", "called", "label", "rule", "decision", "prompt", "say", "text", "says", "asks")
# Maps of expressions: their keys are names that an author chose, such as `text`.
EXPRESSIONS = (
    "for",
    "let",
    "set",
    "must",
    "with",
    "columns",
    "rows",
    "tables",
    "links",
    "requires",
    "excludes",
    "means",
    "among",
)
Message = tuple[int, str, Any, list[str]]  # line, function of gettext, its arguments, comments
_WORD = re.compile(r"[^\W\d_]{2}")  # a name like b2 is the same in every language


def rules(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Message]:
    name = str(getattr(file, "name", "rules"))
    if name.endswith(".json"):
        yield from ((1, "gettext", said, []) for said in dict.fromkeys(_descriptions(json.load(file))))
        return
    data = load_text(file.read().decode("utf-8"), name)
    folder = Path(name).resolve().parent
    yield from _name("kinds", folder.name, 1) if folder.parent.name == "rules" else ()
    yield from sorted(texts_in(data), key=lambda found: found[0])


def _descriptions(schema: Any) -> Iterator[str]:
    """What the schema says of keys: editors show it."""
    for key, value in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if key == "description" and isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            yield from _descriptions(value)


def texts_in(data: Any, key: str = "") -> Iterator[Message]:
    if not isinstance(data, Map):
        return
    for name, value in data.items():
        if name in TEXTS and isinstance(value, str) and key != "words":
            yield data.value_at[name].line, "gettext", value, []
        elif name in ("phrases", "said as") and isinstance(value, Map):
            for phrase in value:
                if isinstance(value[phrase], str) and phrase != "except":
                    yield value.value_at[phrase].line, "gettext", value[phrase], []
        elif name == "tables" and isinstance(value, Map):
            for table in value.values():
                table = table["replace"] if isinstance(table.get("replace"), Map) else table
                said = {key: table[key] for key in ("said as", "rule", "decision") if key in table}
                yield from texts_in(_part(table, said), name)
        elif name == "things" and isinstance(value, Map):
            yield from _things(value)
        elif name == "screens" and isinstance(value, Map):
            for kind in ("secrets", "public"):  # what a player wants to find out, and to see: hand, culprit, purse
                for index, head in enumerate(value.get(kind) or ()):
                    yield from _name("things", str(head).split(" ")[0], value[kind].value_at[index].line)
            yield from texts_in(value, name)
        elif name == "rulebook" and isinstance(value, Map):
            yield from _leaves(value)
        elif name == "options" and isinstance(value, Map):
            yield from _options(value)
            yield from texts_in(value, name)
        elif name == "for" and isinstance(value, Map):
            for part in value.values():
                said = {key: part[key] for key in ("text",) if isinstance(part, Map) and key in part}
                yield from texts_in(_part(part, said), name) if said else ()
        elif name == "between" and isinstance(value, Map):
            for label in value:
                yield from _name("choice", label, value.key_at[label].line)
            yield from texts_in(value)
        elif name not in EXPRESSIONS or key in ("rules", "words"):
            yield from texts_in(value, name)


def _part(data: Map, kept: dict[str, Any]) -> Map:
    part = Map(data.at)
    part.update(kept)
    part.key_at, part.value_at = data.key_at, data.value_at
    return part


def _things(sets: Map) -> Iterator[Message]:
    for name, spec in sets.items():
        line = sets.key_at[name].line
        yield from _name("things", name, line)
        if isinstance(spec, Map) and isinstance(spec.get("replace"), Map):  # a variant has things of its own
            spec = spec["replace"]
        members = spec.get("members") if isinstance(spec, Map) else spec
        if isinstance(members, Map):
            for member, row in members.items():
                own = row.get("name") if isinstance(row, Map) else None
                if own is None:
                    yield from _name(name, member, members.key_at[member].line)
                elif isinstance(own, str):
                    yield from _name(name, own, row.value_at["name"].line)
        elif isinstance(members, Seq):
            for index, member in enumerate(members):
                yield from _name(name, str(member), members.value_at[index].line)
        if isinstance(spec, Map):
            for text in ("called", "decision"):
                if isinstance(spec.get(text), str):
                    yield spec.value_at[text].line, "gettext", spec[text], []


def _options(options: Map) -> Iterator[Message]:
    for name, spec in options.items():
        if isinstance(spec, Map):
            yield from _name("option", name, options.key_at[name].line)
            if isinstance(spec.get("is"), Seq):
                for index, value in enumerate(spec["is"]):
                    yield from _name("value", str(value), spec["is"].value_at[index].line)


def _leaves(data: Map) -> Iterator[Message]:
    """Whatever is text in a map, however deep; as what and for whom something is printed is told to no reader."""
    for name, value in data.items():
        if isinstance(value, Map):
            yield from _leaves(value)
        elif isinstance(value, str) and value and name not in ("printed", "printed for"):
            yield data.value_at[name].line, "gettext", value, []


def _name(context: str, name: str, line: int) -> Iterator[Message]:
    if _WORD.search(name):
        yield line, "pgettext", (context, name), []
