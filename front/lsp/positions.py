"""Places in a text: as rule files count them, as editors count them, and as characters from the beginning."""

from __future__ import annotations

import re
from bisect import bisect_right

from ...interpreter.errors import Place

__all__ = ["Lines", "offset_of"]

_YAML = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_EDITOR = re.compile("\r\n|[\n\r]")
BOM = "\ufeff"


class Lines:
    """The lines of a text as an editor counts them; `encoding` says in which units columns are told."""

    def __init__(self, text: str, encoding: str = "utf-16"):
        self.text, self.encoding = text, encoding
        self.starts = [0, *(found.end() for found in _EDITOR.finditer(text))]

    def position(self, offset: int) -> tuple[int, int]:
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return line, self._units(self.text[self.starts[line] : offset])

    def offset(self, line: int, column: int) -> int:
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[line]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        said = self.text[start:end].rstrip("\r\n")
        if self.encoding == "utf-32":
            return start + min(column, len(said))
        used = 0
        for index, letter in enumerate(said):
            if used >= column:
                return start + index
            used += self._units(letter)
        return start + len(said)

    def _units(self, text: str) -> int:
        if self.encoding == "utf-32":
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(ord(letter) > 0xFFFF for letter in text)


def offset_of(place: Place, text: str) -> int:
    """Where a place of a rule file is in its text."""
    skipped = 1 if text[:1] == BOM else 0
    start, line = skipped, 1
    for found in _YAML.finditer(text, skipped):
        if line >= place.line:
            break
        start, line = found.end(), line + 1
    if line < place.line:
        return len(text)
    ends = _YAML.search(text, start)
    return min(start + place.column - 1, ends.start() if ends else len(text))
