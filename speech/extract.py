"""Collects the texts of rule files for the catalogues: `pybabel extract` finds this by its entry point.

Sentences are messages of their own. Names have a context, so that the same word can be two things: for the members of a
set it is the set, for sets it is `things`, for alternatives between which a player chooses it is `choice`, for options
`option`, for what an option can be `value`, for the kinds of games, which are the folders of rule files, `kinds`.

Translators read above a message what they could not know otherwise: where in the rules it belongs, which message a
remedy follows, and what `locales/notes.yaml` says of it.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, cast

from babel.messages.extract import extract_python

from ..interpreter.load import Map, Seq, load_file, load_text

__all__ = ["python", "rules"]

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
# What a text is, for a translator; the path says of what.
KINDS = {
    "about": "what it is about",
    "asks": "advice: how to learn it",
    "called": "how one of them is called",
    "decision": "a reason, in the rulebook",
    "prompt": "a question to a player",
    "rule": "a sentence of the rulebook",
    "say": "what players are told",
    "says": "a sentence that players note",
    "text": "what players are told",
}
NOTES = Path(__file__).resolve().parents[1] / "locales" / "notes.yaml"
Message = tuple[int, str, Any, list[str]]  # line, function of gettext, its arguments, comments
_WORD = re.compile(r"[^\W\d_]{2}")  # a name like b2 is the same in every language


def rules(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Message]:
    name = str(getattr(file, "name", "rules"))
    if name.endswith(".json"):
        said = dict.fromkeys(_descriptions(json.load(file)))
        yield from ((1, "gettext", text, ["what a key of a rule file means, for editors"]) for text in said)
        return
    data = load_text(file.read().decode("utf-8"), name)
    if "lesson" in data:
        yield from _lesson(data)
        return
    folder = Path(name).resolve().parent
    yield from _name("kinds", folder.name, 1) if folder.parent.name == "rules" else ()
    yield from map(_noted, sorted(texts_in(data), key=lambda found: found[0]))


def python(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Message]:
    """The messages of a module. What is written beside a message in a pair is its remedy."""
    follows = _followed(ast.parse(file.read()))
    file.seek(0)
    found = cast(Iterator[Message], extract_python(cast(Any, file), keywords, comment_tags, options))
    for line, function, said, comments in found:
        text = said[0] if isinstance(said, tuple) else said
        after = [f"after: {message}" for message in follows.get(text, ())]
        yield _noted((line, function, said, [*comments, *after]))


def _followed(module: ast.AST) -> dict[str, list[str]]:
    """Remedies, and the messages that they follow: pairs of `N_(…)`."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Tuple) and len(node.elts) == 2 and all(map(_marked, node.elts)):
            message, remedy = map(_marked, node.elts)
            found.setdefault(remedy, []).append(message)
    return found


def _marked(node: ast.AST) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "N_" and node.args:
        text = node.args[0]
        return str(text.value) if isinstance(text, ast.Constant) else ""
    return ""


@cache
def _notes() -> dict[str, Any]:
    return dict(load_file(NOTES))


def _noted(message: Message) -> Message:
    line, function, said, comments = message
    context, text = said[:2] if function == "pgettext" else (None, said[0] if isinstance(said, tuple) else said)
    notes = _notes() if context is None else _notes().get(context, {})
    note = notes.get(text)
    return line, function, said, [note, *comments] if isinstance(note, str) else comments


def _lesson(data: Map) -> Iterator[Message]:
    """What is explained in a first game: before it, at each step, after it."""
    for part in (data, *data["steps"].values()):
        for key in ("about", "before", "say", "why", "end"):
            text = part.get(key)
            for one in text if isinstance(text, Seq) else (text,):
                if isinstance(one, str):
                    yield part.value_at[key].line, "gettext", str(one), []


def _descriptions(schema: Any) -> Iterator[str]:
    """What the schema says of keys: editors show it."""
    for key, value in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if key == "description" and isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            yield from _descriptions(value)


def texts_in(data: Any, key: str = "", path: str = "") -> Iterator[Message]:
    if not isinstance(data, Map):
        return
    for name, value in data.items():
        here = f"{path}/{name}" if path else str(name)
        if name in TEXTS and isinstance(value, str) and key != "words":
            yield data.value_at[name].line, "gettext", value, _belongs(str(name), path)
        elif name in ("phrases", "said as") and isinstance(value, Map):
            for phrase in value:
                if isinstance(value[phrase], str) and phrase != "except":
                    yield value.value_at[phrase].line, "gettext", value[phrase], [f"a phrase: {phrase}"]
        elif name == "tables" and isinstance(value, Map):
            for head, table in value.items():
                table = table["replace"] if isinstance(table.get("replace"), Map) else table
                said = {key: table[key] for key in ("said as", "rule", "decision") if key in table}
                yield from texts_in(_part(table, said), name, f"{here}/{head}")
        elif name == "things" and isinstance(value, Map):
            yield from _things(value)
        elif name == "screens" and isinstance(value, Map):
            for kind in ("secrets", "public"):  # what a player wants to find out, and to see: hand, culprit, purse
                for index, head in enumerate(value.get(kind) or ()):
                    yield from _name("things", str(head).split(" ")[0], value[kind].value_at[index].line)
            yield from texts_in(value, name, here)
        elif name == "rulebook" and isinstance(value, Map):
            yield from _leaves(value, here)
        elif name == "options" and isinstance(value, Map):
            yield from _options(value)
            yield from texts_in(value, name, here)
        elif name == "for" and isinstance(value, Map):
            for chosen, part in value.items():
                said = {key: part[key] for key in ("text",) if isinstance(part, Map) and key in part}
                yield from texts_in(_part(part, said), name, f"{here}/{chosen}") if said else ()
        elif name == "between" and isinstance(value, Map):
            for label in value:
                yield from _name("choice", label, value.key_at[label].line)
            yield from texts_in(value, "", here)
        elif name not in EXPRESSIONS or key in ("rules", "words"):
            yield from texts_in(value, name, here)


def _belongs(kind: str, path: str) -> list[str]:
    return [f"{KINDS[kind]}: {path or 'the game'}"] if kind in KINDS else [f"{path}/{kind}"] if path else []


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
                    yield spec.value_at[text].line, "gettext", spec[text], _belongs(text, f"things/{name}")


def _options(options: Map) -> Iterator[Message]:
    for name, spec in options.items():
        if isinstance(spec, Map):
            yield from _name("option", name, options.key_at[name].line)
            if isinstance(spec.get("is"), Seq):
                for index, value in enumerate(spec["is"]):
                    yield from _name("value", str(value), spec["is"].value_at[index].line)


def _leaves(data: Map, path: str) -> Iterator[Message]:
    """Whatever is text in a map, however deep; as what and for whom something is printed is told to no reader."""
    for name, value in data.items():
        if isinstance(value, Map):
            yield from _leaves(value, f"{path}/{name}")
        elif isinstance(value, str) and value and name not in ("printed", "printed for"):
            yield data.value_at[name].line, "gettext", value, [f"{path}/{name}"]


def _name(context: str, name: str, line: int) -> Iterator[Message]:
    if _WORD.search(name):
        yield line, "pgettext", (context, name), []
