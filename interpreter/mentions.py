"""What the texts of a rulebook mention: in braces stands an expression, or the path of a number in the rules.

`{count of builds}`, `{shake/draw}`: the value is that of this very game, with its options and its number of players, so
that a sentence cannot say another number than the rules. What cannot be known before the game begins, or means nothing,
is told to the author; the rulebook leaves out the sentence.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import Any

from .check import Scope
from .declarations import Declarations
from .errors import Place, RulesError
from .evaluate import settled_value
from .load import Map, TextPlace
from .model import NUMBER, Expr, Type, Value
from .paths import at_path, find

__all__ = ["Mentions", "mentioned", "read_mentions"]

Mentions = dict[str, tuple[Value, Type]]
TOLD = ("rule", "decision", "about")


def mentioned(text: str) -> Iterator[str]:
    """What stands in braces, inside the words between which another one decides too. Raises ValueError."""
    for _, name, form, _ in string.Formatter().parse(text):
        if name is not None:
            yield name
            yield from mentioned(form or "")


def read_mentions(words: Declarations) -> tuple[Mentions, list[Place]]:
    """The values of all that is mentioned anywhere, by how it is written; and where something has none."""
    found: Mentions = {}
    lost: list[Place] = []
    for text, place in _texts(words.description):
        try:
            names = list(mentioned(text)) if "{" in text or "}" in text else []
        except ValueError:
            lost.append(place)
            continue
        for name in names:
            at = TextPlace(place, text).shifted(max(text.find("{" + name), 0) + 1)
            value = found.get(name) or _value(words, name, at)
            if value is None:
                lost.append(at)
            else:
                found[name] = value
    return found, lost


def _texts(data: Any, told: bool = False) -> Iterator[tuple[str, Place]]:
    """The texts of the rulebook, wherever they stand, but not what is said for other numbers of players."""
    for key in data if isinstance(data, Map) else ():
        value, here = data[key], told or key in TOLD or key == "rulebook"
        if key in ("players", "changes") and not told:
            continue
        if isinstance(value, str) and here:
            yield value, data.value_at[key]
        elif isinstance(value, Map):
            yield from _texts(value, here)


def _value(words: Declarations, name: str, place: Place) -> tuple[Value, Type] | None:
    try:
        expr = _named(words, name, place)
    except RulesError:
        return None
    value = settled_value(expr) if expr is not None else None
    return None if expr is None or value is None or value[0] is None else (value[0], expr.type)


def _named(words: Declarations, name: str, place: Place) -> Expr | None:
    if "/" not in name:
        return words.checker.expression(name, place, Scope())
    found = find(words.description, name)
    path = found[0] if len(found) == 1 else ()
    value = at_path(words.description, path) if path else None
    if isinstance(value, int) and not isinstance(value, bool):
        return Expr("const", (value,), NUMBER)
    if not isinstance(value, str):
        return None
    if path[-1] == "how many" or path[-2:-1] == ("of which",):
        return words.checker.amount(value, place, Scope())
    return words.checker.expression(value, place, Scope())
