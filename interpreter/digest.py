"""Which words of a rule file decide how a game goes. A save belongs to exactly these, and to nothing else.

`KEYS` is the whole of it: for each kind of entry, what decides. All other keys only tell (names, rules for people,
sources, what is on the screen); they can be changed, and new ones invented, without ending a single save. A test
compares the table with the schema, so that each new key is put on one side or the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from .errors import RulesError, problem
from .load import Map
from .model import Option

__all__ = ["KEYS", "MEANING", "digest", "digest_of_version_1", "renewed"]

# Goes up when the same rules, the same seed and the same choices no longer give the same game. Where that holds only of
# some games, those that renewal.py finds, their digest is `renewed`.
MEANING = 1
MAX_PIECES = 40_000

VALUE = "value"  # as it is written, with all that is in it
PRESENCE = "presence"  # that it is there, not how it is worded
# kind of entry -> key -> what stands there: a value, an entry of some kind, or (in brackets) a map of such entries
KEYS: dict[str, dict[str, str]] = {
    "game": {
        "start": VALUE,
        "seats": VALUE,
        "played by chance": VALUE,
        "things": "[things]",
        "tables": "[table]",
        "links": VALUE,
        "state": "[state]",
        "words": "[word]",
        "rules": "[steps]",
    },
    "things": {
        "plural": VALUE,
        "members": "[member]",
        "columns": VALUE,
        "each": VALUE,
        "any of": VALUE,
        "grid": VALUE,
        "numbered by": VALUE,
    },
    "table": {"is": VALUE, "rows": VALUE, "read as": VALUE},
    "state": {
        "is": VALUE,
        "seen by": VALUE,
        "count seen by": VALUE,
        "top seen by": VALUE,
        "contents seen by": VALUE,
        "start": VALUE,
        "lasts": VALUE,
    },
    "word": {"means": VALUE, "one": VALUE},
    "step": {
        "if": VALUE,
        "then": "steps",
        "else": "steps",
        "cases": "[steps]",
        "by": VALUE,
        "for each": VALUE,
        "do": "steps",
        "repeat": "steps",
        "until": VALUE,
        "while": VALUE,
        "call": VALUE,
        "as": VALUE,
        "return": VALUE,
        "play": VALUE,
        "end": VALUE,
        "scores": VALUE,
        "ask": VALUE,
        "for": "[part]",
        "where": VALUE,
        "between": "[alternative]",
        "if none": "steps",
        "seen by": VALUE,
        "plan": VALUE,
        "must": VALUE,
        "draw": VALUE,
        "from": VALUE,
        "deal": VALUE,
        "to": VALUE,
        "each": VALUE,
        "shuffle": VALUE,
        "move": VALUE,
        "under": VALUE,
        "let": VALUE,
        "set": VALUE,
        "show": VALUE,
        "say": PRESENCE,
        "with": VALUE,
    },
    "alternative": {"if": VALUE, "for": "[part]", "where": VALUE, "then": "steps", "with": VALUE},
}
# What only tells, where all else decides: what a member is called, beside its columns; the words for a part.
_TOLD = {"member": ("name",), "part": ("text",)}


def digest(description: Map, options: Mapping[str, Option], players: int) -> str:
    """Of everything that decides how a game goes."""
    pieces = [str(MEANING), str(players), repr(sorted((n, o.value) for n, o in options.items()))]
    for piece in _pieces(description, "game"):
        pieces.append(piece)
        if len(pieces) > MAX_PIECES:
            raise RulesError(problem("too_large", description.at))
    return hashlib.sha256("\x00".join(pieces).encode()).hexdigest()


def renewed(digest: str) -> str:
    """Of a game in which something means other than when saves had this digest: sets whose order was not that of their
    members, lists that lost equal elements."""
    return hashlib.sha256(f"2 {digest}".encode()).hexdigest()


def _pieces(root: Any, kind: str) -> Iterator[str]:
    """What decides, piece by piece, in the order of the file; without recursion."""
    stack: list[tuple[Any, str]] = [(root, kind)]
    while stack:
        value, kind = stack.pop()
        if kind == PRESENCE:
            yield "there"
        elif isinstance(value, dict) and kind in _TOLD:
            rest = {key: entry for key, entry in value.items() if key not in _TOLD[kind]}
            stack.append((rest, VALUE))
        elif isinstance(value, dict) and kind in KEYS:
            found = [(key, value[key], how) for key, how in KEYS[kind].items() if key in value]
            yield f"{kind}{len(found)}"
            for key, entry, how in reversed(found):
                stack += [(entry, how), (key, VALUE)]
        elif isinstance(value, dict):
            inner = "step" if kind == "steps" else kind[1:-1] if kind.startswith("[") else VALUE
            yield f"{{{len(value)}"
            for key in reversed(value):
                stack += [(value[key], inner), (key, VALUE)]
        elif isinstance(value, list):
            yield f"[{len(value)}"
            stack += [(entry, VALUE) for entry in reversed(value)]
        else:
            yield repr(value)


def digest_of_version_1(description: Map, options: Mapping[str, Option], players: int) -> str:
    """As saves of the first version have it."""
    pieces: list[str] = [str(players), repr(sorted((n, o.value) for n, o in options.items()))]
    decisive = ("things", "tables", "links", "state", "words", "rules", "seats", "played by chance", "start")
    stack: list[Any] = [description.get(key) for key in reversed(decisive)]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            if isinstance(value.get("pass"), bool):  # a mark that there was not, and that decides nothing
                value = {key: entry for key, entry in value.items() if key != "pass"}
            pieces.append(f"{{{len(value)}")
            for key in reversed(value):
                if key not in ("rule", "source", "decision", "prompt", "text", "about"):
                    stack += [value[key], key]
        elif isinstance(value, list):
            pieces.append(f"[{len(value)}")
            stack += reversed(value)
        else:
            pieces.append(repr(value))
    return hashlib.sha256("\x00".join(pieces).encode()).hexdigest()
