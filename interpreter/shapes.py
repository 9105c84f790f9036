"""What stands where in a rule file: which keys are words of the language and which are names of the author, and which
values are expressions, heads, types, texts. (The schema says what is allowed; a test compares the two.)

A value is one of the plain kinds below, a kind of map (`SHAPES`), or `each("head", …)`: a map whose keys are the
author's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["ALL", "BESIDE", "LISTED", "MIXED", "NESTED", "PARSED", "SHAPES", "Each", "kind_of", "shape_at", "walked"]

PARSED = frozenset({"expression", "binding", "head", "type", "amount"})  # the ways into the grammar


class Each(NamedTuple):
    """A map with keys of the author: what they are, and what stands there."""

    key: str  # plain, name, or one of those that are parsed
    value: Any


Shape = str | Each
_SAID: dict[str, Shape] = {"rule": "text", "source": "plain", "decision": "text"}
_VALUES = Each("name", "expression")
UNADDED = ("abstract", "extends", "change", "remove", "add")  # of a file, and not of what is new in it

SHAPES: dict[str, dict[str, Shape]] = {
    "file": {
        "name": "text",
        "about": "text",
        "abstract": "truth",
        "extends": "plain",
        "change": Each("path", "by path"),
        "remove": "path",
        "add": "added",
        "players": Each("plain", "file"),
        "seats": "expression",
        "played by chance": "expression",
        "start": "name",
        "options": Each("name", "option"),
        "things": Each("name", "things"),
        "tables": Each("head", "table"),
        "links": Each("head", "linked"),
        "state": Each("head", "state"),
        "words": Each("head", "word"),
        "rules": Each("head", "steps"),
        "screens": "screens",
        "phrases": Each("phrase", "text"),
        "rulebook": "rulebook",
        "habits": "habits",
    },
    "option": {
        "is": "option type",
        "default": "setting",
        "with people": "setting",
        "from": "plain",
        "to": "plain",
        "about": "text",
        "requires": "settings",
        "excludes": "settings",
        "changes": Each("setting", "file"),
        "source": "plain",
        "decision": "text",
    },
    "things": {
        "plural": "name",
        "members": "members",
        "columns": Each("head", "type"),
        "each": "name",
        "any of": "name",
        "grid": Each("name", "plain"),
        "numbered by": "name",
        "source": "plain",
        "decision": "text",
        "called": "text",
        "replace": "things",
    },
    "table": {
        "is": "type",
        "rows": "rows",
        **_SAID,
        "read as": Each("expression", "expression"),
        "said as": "said as",
        "replace": "table",
    },
    "said as": {"except": "name"},
    "strides": {"steps": "plain", "one way": "truth"},
    "relinked": {"add": "name", "remove": "name"},
    "state": {
        "is": "type",
        "seen by": "expression",
        "count seen by": "expression",
        "top seen by": "expression",
        "contents seen by": "expression",
        "start": "expression",
        "lasts": "name",
        "label": "text",
        **_SAID,
    },
    "word": {"means": "expression", "one": "name", **_SAID},
    "step": {
        **_SAID,
        "before": "plain",
        "after": "plain",
        "remove": "truth",
        "replace": "step",
        "if": "expression",
        "then": "steps",
        "else": "steps",
        "cases": Each("expression", "steps"),
        "by": "expression",
        "for each": "binding",
        "do": "steps",
        "repeat": "steps",
        "until": "expression",
        "call": "expression",
        "as": "name",
        "return": "expression",
        "play": "expression",
        "end": "expression",
        "scores": "expression",
        "ask": "asked",
        "for": Each("name", "part"),
        "where": "expression",
        "between": Each("name", "alternative"),
        "if none": "steps",
        "seen by": "expression",
        "prompt": "text",
        "plan": "expression",
        "must": _VALUES,
        "draw": "expression",
        "from": "expression",
        "deal": "expression",
        "to": "expression",
        "each": "expression",
        "shuffle": "expression",
        "let": _VALUES,
        "set": Each("expression", "expression"),
        "move": "expression",
        "under": "expression",
        "show": "expression",
        "say": "text",
        "text": "text",
        "with": _VALUES,
        "while": "expression",
    },
    "alternative": {
        "if": "expression",
        "for": Each("name", "part"),
        "where": "expression",
        "then": "steps",
        "text": "text",
        "with": _VALUES,
        **_SAID,
        "rarely": "plain",
        "pass": "truth",
    },
    "some": {
        "some of": "expression",
        "how many": "amount",
        "of which": Each("expression", "amount"),
        "seen by": "expression",
        "text": "text",
    },
    "match": {"match": "expression", "with": "expression", "seen by": "expression", "text": "text"},
    "part": {"from": "expression", "seen by": "expression", "text": "text"},
    "screens": {
        "secrets": "head",
        "public": "head",
        "notes": "notes",
        "table": "screen table",
        "worksheet": Each("name", "worksheet"),
        "knowledge": Each("name", "knowledge"),
        "map": "map",
        "colours": Each("name", "plain"),
        "signs": Each("name", "plain"),
    },
    "notes": {"record": "head", "seen": "plain", "given": "plain", "line": "screen line"},
    "screen line": {"name": "text", "of": "name", "for": "name", "is": "expression"},
    "screen table": {
        "of": "head",
        "for": "name",
        "keys": "expression",
        "fulfilled": "expression",
        "otherwise": "otherwise",
    },
    "otherwise": {"text": "text", "with": _VALUES},
    "worksheet": {"says": "text", "asks": "text", "step": "plain", "means": _VALUES, "among": _VALUES},
    "knowledge": {"name": "text", "for": "name", "is": "expression"},
    "map": {
        "spaces": "name",
        "at": "name",
        "rows": "name",
        "number": "name",
        "colour": "name",
        "home": "name",
        "links": "head",
        "lines": Each("name", "value"),
        "pieces": "head",
        "holds": "head",
    },
    "rulebook": {
        "story": "text",
        "components": Each("name", "presented"),
        "tables": Each("name", "presented"),
        "chapters": Each("name", "presented"),
        "said": Each("expression", "text"),
        "sources": Each("plain", "text"),
    },
    "presented": {
        "name": "text",
        "about": "text",
        "titles": Each("name", "text"),
        "hidden": "truth",
        "printed": "value",
        "printed for": "name",
    },
    "habits": dict.fromkeys(
        "curiosity company certainty goal hinder caution trust gamble worlds samples breadth".split(), "plain"
    ),
}
SHAPES["added"] = {key: shape for key, shape in SHAPES["file"].items() if key not in UNADDED}
# What is no rule file but is written in the same languages: scenarios, and what somebody notes at a real table.
BESIDE: dict[str, dict[str, Shape]] = {
    "scenario": {
        "title": "plain",
        "about": "plain",
        "source": "plain",
        "game": "plain",
        "players": "plain",
        "options": Each("name", "setting"),
        "position": Each("expression", "cell"),
        "seed": "plain",
        "play": "entry",
    },
    "entry": {"chance": "choice", "now": "now"},
    "now": {
        "asked": "name",
        "step": "plain",
        "holds": "expression",
        "fails": "expression",
        "offered": "choice",
        "refused": "choice",
        "choices": "counted",
        "sees": Each("name", "choice"),
        "hidden from": Each("name", "choice"),
        "knows": Each("name", "expression"),
        "unsure of": Each("name", "expression"),
        "winners": "name",
    },
    "counted": {"of": "name", "where": "expression", "are": "plain"},
    "noted": {
        "me": "plain",
        "names": "plain",
        "secrets": "plain",
        "seen": "plain",
        "game": "plain",
        "players": "plain",
        "options": Each("name", "setting"),
    },
}
ALL = {**SHAPES, **BESIDE}
# Maps with keys of the author, and some of the language among them: which, and what stands at the others.
MIXED: dict[str, tuple[str, tuple[str, ...], Shape]] = {
    "row": ("file", ("name",), "cell"),
    "said as": ("said as", ("except",), "text"),
    "entry": ("entry", ("chance", "now"), "choice"),
}
NESTED: dict[str, Shape] = {
    "steps": Each("plain", "step"),
    "members": Each("name", "row"),
    "rows": Each("row", "rows"),
    "settings": Each("setting", "settings"),
}
# What may stand in several ways: which keys tell that it is this one.
LISTED = {"part": ("some", "match", "part"), "linked": ("strides", "relinked")}


def kind_of(shape: str, keys: list[str], words: Any) -> Shape:
    """Of several ways to write something, the one that these keys belong to; `words` knows the keys of a kind."""
    for kind in LISTED[shape]:
        if all(key in words(kind) for key in keys):
            return kind
    if shape == "linked":
        return Each("name", "linked")
    return max(LISTED[shape], key=lambda kind: sum(key in words(kind) for key in keys))


def shape_at(path: tuple[str, ...]) -> Shape:
    """What stands at the end of a path through a file."""
    return walked(path)[0]


def walked(path: tuple[str, ...]) -> tuple[Shape, list[str | None]]:
    """What stands at the end of a path, and of each step of it in which kind of map it is a key; None: it is a name."""
    shape: Shape = "file"
    kinds: list[str | None] = []
    for key in path:
        shape = NESTED.get(shape, shape) if isinstance(shape, str) else shape
        kind: str | None = None
        if isinstance(shape, Each):
            shape = shape.value
        elif shape == "row":
            kind = "file" if key == "name" else None
            shape = "text" if key == "name" else "cell"
        elif shape != "linked":
            kind = next((kind for kind in LISTED.get(shape, (shape,)) if key in SHAPES.get(kind, ())), None)
            shape = SHAPES[kind][key] if kind is not None else "plain"
        kinds.append(kind)
    return shape, kinds
