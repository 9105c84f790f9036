"""The text of a rule file as a tree of keys and values, however broken it is.

While somebody types, most states of a file are no YAML. This reader never refuses one: it goes by indentation and
brackets, and where something is not closed it ends where the next key begins. Of a file that is YAML it finds the same
keys at the same places as the loader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["Node", "Spot", "outline"]

MAX_DEPTH = 60
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_PLAIN_KEY = re.compile(r"[^\s#\[\]{}\"',&*!|>%@`-][^\n\r]*?(?=\s*:(?:\s|\Z))|-(?=[^\s])[^\n\r]*?(?=\s*:(?:\s|\Z))")
_COMMENT = re.compile(r"(?:(?<=\s)|\A)#")
_PROPERTIES = re.compile(r"(?:[&!]\S*(?:[ \t]+|\Z))+")


@dataclass(slots=True, eq=False)
class Node:
    """A key with its value, or an entry of a list. `start` and `end` are those of the value, `colon` ends the key."""

    parent: Node | None
    column: int
    key: str | None = None
    key_start: int = 0
    key_end: int = 0
    colon: int = -1
    start: int = -1
    end: int = -1
    style: str = ""  # of the value: { [ " ' | > or - for a list of lines; nothing for plain text
    kids: list[Node] = field(default_factory=list)

    @property
    def in_list(self) -> bool:
        return self.parent is not None and self.parent.style in ("[", "-")

    def path(self) -> list[Node]:
        """From the first level of the file down to here."""
        found, node = [], self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def walk(self) -> Iterator[Node]:
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.kids)

    def get(self, key: str) -> Node | None:
        return next((kid for kid in self.kids if kid.key == key), None)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the cursor is: in which map or list, at a key or at a value, and what stands before it there."""

    home: Node  # whose value the map, the list or the text is
    node: Node | None  # the entry that is there already
    kind: str  # key, value
    start: int  # of what stands there
    before: str
    after: str = ""


def outline(text: str) -> Node:
    """The whole file; its keys are the kids of what is given."""
    return _Reader(text).root


class _Reader:
    def __init__(self, text: str):
        self.text = text
        self.starts = [0, *(found.end() for found in _BREAK.finditer(text))]
        self.ends = [*(found.start() for found in _BREAK.finditer(text)), len(text)]
        self.line = 0
        self.root = Node(None, -1, start=0, end=len(text))
        skipped = 1 if text[:1] == "\ufeff" else 0
        self.starts[0] = skipped
        self.block(self.root, 0, 0)

    # --- lines --------------------------------------------------------------------------------------------------------
    def indent(self, line: int) -> int | None:
        """In which column a line begins; None if it is empty or a comment."""
        start, end = self.starts[line], self.ends[line]
        at = start
        while at < end and self.text[at] in " \t":
            at += 1
        return None if at >= end or self.text[at] == "#" else at - start

    def next_line(self) -> int | None:
        """The column in which the next line that says something begins."""
        while self.line < len(self.starts):
            found = self.indent(self.line)
            if found is not None:
                return found
            self.line += 1
        return None

    def line_of(self, at: int) -> int:
        low, high = 0, len(self.starts) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.starts[middle] <= at:
                low = middle
            else:
                high = middle - 1
        return low

    def key_at(self, at: int, end: int) -> tuple[str, int] | None:
        """The key that begins there, and where it ends: a colon and a blank must follow."""
        quote = self.text[at : at + 1]
        if quote in ("'", '"') and quote:
            close = self.quoted(at, end)
            rest = re.compile(r"\s*:(?=\s|\Z)").match(self.text, close, end)
            if close <= end and rest and self.text[close - 1] == quote and close > at + 1:
                return _unquoted(self.text[at:close]), close
            return None
        found = _PLAIN_KEY.match(self.text, at, end)
        if found is None or _COMMENT.search(found[0]):
            return None
        return found[0], found.end()

    # --- blocks -------------------------------------------------------------------------------------------------------
    def block(self, home: Node, least: int, depth: int) -> None:
        """The entries of a map or a list that begin at least in this column."""
        level: int | None = None
        while (column := self.next_line()) is not None and column >= least:
            if level is not None and column < level and home.parent is not None:
                above = home.column < column
                if not above:
                    return
            level = column if level is None else level
            at, end = self.starts[self.line] + column, self.ends[self.line]
            self.entry(home, at, end, column, depth)

    def entry(self, home: Node, at: int, end: int, column: int, depth: int) -> None:
        """One entry that begins there; afterwards the line is the one after it."""
        text = self.text
        if text[at] == "-" and (at + 1 >= end or text[at + 1] in " \t"):
            home.style = home.style or "-"
            home.start = at if home.start < 0 else home.start
            node = Node(home, column, key_start=at, key_end=at + 1, colon=at)
            home.kids.append(node)
            inner = at + 1
            while inner < end and text[inner] in " \t":
                inner += 1
            if inner < end and depth < MAX_DEPTH and self.key_at(inner, end) is not None:
                node.start = inner
                self.entry(node, inner, end, column + inner - at, depth + 1)
                self.block(node, column + 1, depth + 1)
            else:
                self.value(node, inner, end, column, depth)
            node.end = max(node.end, inner)
            return
        found = self.key_at(at, end)
        node = Node(home, column, key_start=at)
        home.start = at if home.start < 0 else home.start
        home.kids.append(node)
        if found is None:  # a key that is not finished, or text where none is expected
            node.key_end = self.plain_end(at, end)
            node.key = text[at : node.key_end]
            self.line += 1
            return
        node.key, node.key_end = found
        node.colon = text.index(":", node.key_end)
        self.value(node, node.colon + 1, end, column, depth)

    def value(self, node: Node, at: int, end: int, column: int, depth: int) -> None:
        text = self.text
        while at < end and text[at] in " \t":
            at += 1
        if properties := _PROPERTIES.match(text, at, end):
            at = properties.end()
        if at >= end or (text[at] == "#" and text[at - 1] in " \t"):
            self.line += 1
            below = self.next_line()
            if below is not None and depth < MAX_DEPTH:
                first = self.starts[self.line] + below
                listed = below == column and text[first] == "-" and not node.in_list and node.key is not None
                listed = listed and (first + 1 >= self.ends[self.line] or text[first + 1] in " \t")
                if below > column and self.text[first] in "{[":
                    return self.value(node, first, self.ends[self.line], column, depth)
                if below > column and self.is_text(first):
                    return self.plain(node, first, column)
                if listed:
                    self.dashes(node, column, depth)
                elif below > column:
                    self.block(node, column + 1, depth + 1)
                if node.kids:
                    node.end = max(kid.end if kid.end >= 0 else kid.key_end for kid in node.kids[-1:])
            return None
        sign = text[at]
        node.start = at
        if sign in "{[" and depth < MAX_DEPTH:
            node.style = sign
            node.end = self.flow(node, at, column, depth)
            self.line = self.line_of(node.end) + 1
        elif sign in "'\"":
            node.style = sign
            node.end = self.quoted(at, len(text), column)
            self.line = self.line_of(node.end) + 1
        elif sign in "|>":
            node.style = sign
            self.line += 1
            node.end = end
            while self.line < len(self.starts):
                below = self.indent_of_text(self.line)
                if below is not None and below <= column:
                    break
                node.end = self.ends[self.line] if below is not None else node.end
                self.line += 1
        else:
            self.plain(node, at, column)
        return None

    def dashes(self, node: Node, column: int, depth: int) -> None:
        """A list whose dashes stand below the first letter of its key."""
        while (below := self.next_line()) == column:
            at, end = self.starts[self.line] + below, self.ends[self.line]
            if self.text[at] != "-" or (at + 1 < end and self.text[at + 1] not in " \t"):
                return
            self.entry(node, at, end, column, depth + 1)

    def indent_of_text(self, line: int) -> int | None:
        start, end = self.starts[line], self.ends[line]
        blank = len(self.text[start:end]) - len(self.text[start:end].lstrip(" \t"))
        return None if start + blank >= end else blank

    # --- texts --------------------------------------------------------------------------------------------------------
    def is_text(self, at: int) -> bool:
        """Does a plain text begin there, on a line below its key?"""
        end = self.ends[self.line]
        return self.text[at] not in "-{[\"'|>" and self.key_at(at, end) is None and " " in self.text[at:end].strip()

    def plain_end(self, at: int, end: int) -> int:
        found = _COMMENT.search(self.text[at:end])
        stop = at + found.start() if found else end
        while stop > at and self.text[stop - 1] in " \t":
            stop -= 1
        return stop

    def plain(self, node: Node, at: int, column: int) -> None:
        """A text without quotes; it goes on in lines that are indented more than its key and have no key."""
        node.start, node.end = at, self.plain_end(at, self.ends[self.line])
        commented = node.end < self.ends[self.line] and "#" in self.text[node.end : self.ends[self.line]]
        self.line += 1
        while not commented and (below := self.next_line()) is not None and below > column:
            start, end = self.starts[self.line] + below, self.ends[self.line]
            if self.key_at(start, end) is not None or (
                self.text[start] == "-" and self.text[start + 1 : start + 2] == " "
            ):
                return
            node.end = self.plain_end(start, end)
            self.line += 1

    def quoted(self, at: int, limit: int, column: int | None = None) -> int:
        """Behind the closing quote; where there is none, the end of the line."""
        quote, here = self.text[at], at + 1
        stop = limit
        if column is not None:
            stop = self.before_next_key(self.line_of(at) + 1, column, limit)
        while here < stop:
            sign = self.text[here]
            if sign == "\\" and quote == '"':
                here += 2
                continue
            if sign == quote:
                if quote == "'" and self.text[here + 1 : here + 2] == "'":
                    here += 2
                    continue
                return here + 1
            here += 1
        return min(limit, self.ends[self.line_of(at)])

    def before_next_key(self, line: int, column: int, limit: int) -> int:
        """Where what is not closed must end: before a line that begins no further right than the key above."""
        while line < len(self.starts):
            below = self.indent(line)
            if below is not None and below <= column and self.text[self.starts[line] + below] not in "]}":
                return min(limit, self.ends[line - 1])
            line += 1
        return limit

    # --- brackets -----------------------------------------------------------------------------------------------------
    def flow(self, home: Node, at: int, column: int, depth: int) -> int:
        """Behind the bracket that closes what opens there."""
        stop = self.before_next_key(self.line_of(at) + 1, column, len(self.text))
        return _Flow(self, stop).entries(home, at, depth)


class _Flow:
    """What stands in brackets."""

    def __init__(self, reader: _Reader, stop: int):
        self.reader, self.text, self.stop = reader, reader.text, stop

    def blank(self, at: int) -> int:
        while at < self.stop:
            if self.text[at] == "#" and (at == 0 or self.text[at - 1].isspace()):
                at = min(self.stop, self.reader.ends[self.reader.line_of(at)])
            elif self.text[at].isspace():
                at += 1
            else:
                break
        return at

    def entries(self, home: Node, at: int, depth: int) -> int:
        close = {"{": "}", "[": "]"}[self.text[at]]
        home.style, home.start, at = self.text[at], at, at + 1
        while (at := self.blank(at)) < self.stop:
            sign = self.text[at]
            if sign in "}]":
                return at + 1
            if sign == ",":
                at += 1
                continue
            node = Node(home, -1, key_start=at, key_end=at, colon=at - 1 if close == "]" else -1)
            home.kids.append(node)
            at = self.entry(node, at, close, depth)
        return self.stop

    def entry(self, node: Node, at: int, close: str, depth: int) -> int:
        if close == "]":
            return self.value(node, at, depth)
        end = self.scalar(at, key=True)
        node.key, node.key_end = _unquoted(self.text[at:end]), end
        after = self.blank(end)
        if after < self.stop and self.text[after] == ":":
            node.colon = after
            return self.value(node, self.blank(after + 1), depth)
        if after == at:  # a sign that cannot stand here
            return at + 1
        return after

    def value(self, node: Node, at: int, depth: int) -> int:
        if at >= self.stop or self.text[at] in ",]}":
            return at
        if found := _PROPERTIES.match(self.text, at, self.stop):
            at = found.end()
        if at < self.stop and self.text[at] in "{[" and depth < MAX_DEPTH:
            node.end = self.entries(node, at, depth + 1)
            return node.end
        node.start, node.end = at, self.scalar(at)
        node.style = self.text[at] if at < self.stop and self.text[at] in "'\"" else ""
        return max(node.end, at + 1) if node.end == at else node.end

    def scalar(self, at: int, key: bool = False) -> int:
        """Behind a text in quotes or without."""
        if at < self.stop and self.text[at] in "'\"":
            return min(self.stop, self.reader.quoted(at, self.stop))
        end = at
        while end < self.stop:
            sign = self.text[end]
            if sign in ",[]{}" or (sign == "#" and end > at and self.text[end - 1].isspace()):
                break
            if sign == ":" and (end + 1 >= self.stop or self.text[end + 1].isspace() or self.text[end + 1] in ",[]{}"):
                break
            end += 1
        while end > at and self.text[end - 1].isspace():
            end -= 1
        return end


def _unquoted(text: str) -> str:
    if text[:1] == "'" and text[-1:] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
