"""What may stand where the cursor is: which keys of the language, which names of the author, or an expression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...interpreter.idiom import HEADER, Idiom
from ...interpreter.phrasing import Ambiguous, TooHard, Unread
from ...interpreter.shapes import LISTED, PARSED, SHAPES, Each, Shape, kind_of
from .outline import Node, Spot

__all__ = ["Reading", "Stand", "spot_at"]

_NESTED = {
    "steps": Each("plain", "step"),
    "members": Each("name", "row"),
    "rows": Each("row", "rows"),
    "settings": Each("setting", "settings"),
}
_ENTRIES = {"things": "name", "members": "name", "linked": "name", "rows": "cell"}


# --- where the cursor is ----------------------------------------------------------------------------------------------
def spot_at(root: Node, text: str, offset: int) -> Spot:
    last = root
    for node in root.walk():
        if node is root or node.key_start <= offset:
            last = node
        else:
            break
    if last is root:
        return Spot(root, None, "key", offset, "")
    if last.key is not None and last.key_start <= offset <= last.key_end:
        home = last.parent or root
        return Spot(home, last, "key", last.key_start, text[last.key_start : offset], text[offset : last.key_end])
    return _after(last, root, text, offset)


def _after(last: Node, root: Node, text: str, offset: int) -> Spot:
    """Behind the key, or the dash, of the last entry that begins before the cursor."""
    in_flow = last.parent is not None and last.parent.style in ("{", "[")
    if last.style in ("{", "[") and last.start < offset and (offset < last.end or text[last.end - 1] not in "]}"):
        return Spot(last, None, "key" if last.style == "{" else "value", offset, "")
    line_start = max(text.rfind(sign, 0, offset) for sign in "\n\r") + 1
    if last.colon >= 0 or last.in_list:
        value_on_line = last.start < 0 or last.start > offset or (not last.kids and last.style not in ("{", "["))
        on_line = line_start <= max(last.colon, last.key_start, last.end)
        gap = text[max(last.end, last.colon + 1) : offset]
        if 0 <= last.start <= offset <= last.end and not last.kids:
            return Spot(last, last, "value", last.start, text[last.start : offset], text[offset : last.end])
        if on_line and value_on_line and not gap.strip() and not (in_flow and "\n" in gap):
            start = last.start if 0 <= last.start <= offset else offset
            return Spot(last, last, "value", start, text[start:offset])
    if in_flow:
        return _in_flow(last, root, text, offset)
    return _on_new_line(last, root, text, offset, line_start)


def _in_flow(last: Node, root: Node, text: str, offset: int) -> Spot:
    """Behind an entry in brackets: the next entry of the same brackets, or of those around them."""
    node, fresh = last, False
    for sign in text[max(last.end, last.colon + 1, last.key_end) : offset]:
        if sign in "]}" and node.parent is not None and node.parent.style in ("{", "["):
            node, fresh = node.parent, False
        elif sign == ",":
            fresh = True
    home = node.parent
    if home is not None and home.style in ("{", "["):
        kind = "key" if home.style == "{" else "value"
        if fresh or home.kids[-1] is not node:
            return Spot(home, None, kind, offset, "")
        return Spot(node, node, "value", offset, "")
    line_start = max(text.rfind(sign, 0, offset) for sign in "\n\r") + 1
    return _on_new_line(node, root, text, offset, line_start)


def _on_new_line(last: Node, root: Node, text: str, offset: int, line_start: int) -> Spot:
    written = text[line_start:offset]
    column = len(written) - len(written.lstrip(" \t")) if written.strip() else len(written)
    home: Node | None = last
    while home is not None and home.parent is not None and (home.column < 0 or home.column >= column):
        home = home.parent
    home = home or root
    if home.style in ("|", ">") or (home.start >= 0 and not home.kids and home.style == ""):
        return Spot(home, home, "value", home.start, text[home.start : offset])
    start = line_start + column
    return Spot(home, None, "key", start, text[start:offset])


# --- what is there by the language ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Stand:
    """How something is meant: its shape, and the way to it in the words of the rules language."""

    shape: Shape
    path: tuple[str, ...]


class Reading:
    """The keys of a file, in whatever language they are written."""

    def __init__(self, words: Idiom | None):
        self.words = words

    def meaning(self, kind: str, said: str) -> str | None:
        if self.words is None:
            return said if said in SHAPES[kind] else None
        return self.words.read(kind).get(said.casefold())

    def written(self, kind: str, key: str) -> str:
        return key if self.words is None else self.words.written(kind, key)

    def plain(self, how: str, said: str) -> str:
        """What an author has written, in the words of the rules language; as it is, where it cannot be read."""
        if self.words is None:
            return said
        try:
            if how in PARSED:
                return self.words.phrasing.read(said, how)[0]
            return self.words.phrasing.name(said) if how in ("name", "row") else said
        except (Unread, Ambiguous, TooHard):
            return said

    def header(self, said: str) -> bool:
        own = self.words.header.values() if self.words is not None else HEADER
        return said.casefold() in {*HEADER, *(word.casefold() for word in own)}

    def inside(self, shape: Shape, home: Node) -> Shape:
        """What a map is, that stands where this shape is expected."""
        if isinstance(shape, str) and shape in LISTED and home.style not in ("[", "-"):
            keys = [kid.key or "" for kid in home.kids]
            known = kind_of(shape, keys, lambda kind: _Known(self, kind))
            shape = known if keys else shape
        return _NESTED.get(shape, shape) if isinstance(shape, str) else shape

    def entered(self, stand: Stand, node: Node) -> Stand:
        """From a map or a list to one of its entries."""
        home = node.parent
        assert home is not None
        if home.style in ("[", "-"):
            shape = stand.shape
            return Stand(_ENTRIES.get(shape, shape) if isinstance(shape, str) else "plain", stand.path)
        shape, key = self.inside(stand.shape, home), node.key or ""
        if isinstance(shape, Each):
            return Stand(shape.value, (*stand.path, self.plain(shape.key, key)))
        if shape in ("row", "said as"):
            kind, own, value = ("file", "name", "cell") if shape == "row" else ("said as", "except", "text")
            if self.meaning(kind, key) == own:
                return Stand(SHAPES[kind][own], (*stand.path, own))
            return Stand(value, (*stand.path, self.plain("name", key)))
        if shape in SHAPES:
            found = self.meaning(shape, key)
            return Stand("plain" if found is None else SHAPES[shape][found], (*stand.path, found or key))
        return Stand("text" if shape == "text" else "plain", (*stand.path, key))

    def stand(self, node: Node) -> Stand:
        """How the value of a node is meant."""
        found = Stand("file", ())
        for each in node.path():
            found = self.entered(found, each)
        return found


class _Known:
    def __init__(self, reading: Reading, kind: str):
        self.reading, self.kind = reading, kind

    def __contains__(self, key: str) -> bool:
        return self.reading.meaning(self.kind, key) is not None


def values(root: Node, reading: Reading) -> list[tuple[Node, Stand, Any]]:
    """All entries of a file, with how their values and their keys are meant: for who looks for names."""
    found: list[tuple[Node, Stand, Any]] = []
    stack: list[tuple[Node, Stand]] = [(root, Stand("file", ()))]
    while stack:
        home, stand = stack.pop()
        shape = reading.inside(stand.shape, home)
        for node in home.kids:
            inner = reading.entered(stand, node)
            how = shape.key if isinstance(shape, Each) else "name" if shape == "row" else None
            found.append((node, inner, how if home.style not in ("[", "-") else None))
            stack.append((node, inner))
    return sorted(found, key=lambda one: one[0].key_start)
