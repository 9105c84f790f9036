"""Sentences with gaps, read back: what stands in each gap of a template, and which things are called so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from unicodedata import normalize

__all__ = ["PLACE", "named_so", "plain", "splits"]

PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
_MARKS = re.compile(r"[_\s・“”„«»「」『』\"]+")
_NOISE = frozenset({"the", "a", "an"})
MOST_SPLITS = 400  # ways to read one sentence


def plain(text: str) -> str:
    words = _MARKS.sub(" ", normalize("NFKC", text)).replace("’", "'").casefold().split()
    return " ".join(w for w in words if w not in _NOISE) or " ".join(words)


def named_so(wanted: str, names: dict[str, list[int]]) -> list[int]:
    """The things that are called so, or of whose name it is a part."""
    found = names.get(wanted) or []
    if not found:
        words = set(wanted.split())
        found = [a for name, atoms in names.items() if words and words <= set(name.split()) for a in atoms]
    if not found and len(wanted) > 1 and not wanted.isascii():  # not every language has spaces between its words
        found = [a for name, atoms in names.items() if wanted in name for a in atoms]
    return list(dict.fromkeys(found))


def splits(template: str, text: str) -> Iterator[dict[str, tuple[int, str]]]:
    """The ways in which a text can be read by a template: for each place where it begins, and what stands there. Only a
    look at the names tells where one of several words ends (“I showed the ambassador …”)."""
    literals, names = _pattern(template)
    begin = literals[0].match(text)
    stack = [(begin.end(), ())] if begin else []
    tried = 0
    while stack and tried < MOST_SPLITS:
        tried += 1
        start, parts = stack.pop()
        index = len(parts)
        if index == len(names):
            if start == len(text):
                yield dict(zip(names, parts))
            continue
        last, ends = index == len(names) - 1, []
        for found in literals[index + 1].finditer(text, start + 1):
            if not last or found.end() == len(text):
                ends.append((found.end(), (*parts, (start, text[start : found.start()]))))
        stack += reversed(ends)  # short names first


@lru_cache(maxsize=200)
def _pattern(template: str) -> tuple[list[re.Pattern], list[str]]:
    """The words between the places of a template, and the names of the places."""
    literals, names, last = [], [], 0
    for found in PLACE.finditer(template):
        literals.append(template[last : found.start()])
        names.append(found[1])
        last = found.end()
    literals.append(template[last:].rstrip(".。"))
    return [_loose(literal, index == len(names)) for index, literal in enumerate(literals)], names


def _loose(literal: str, last: bool) -> re.Pattern:
    pattern = r"\s+".join(re.escape(part) for part in re.split(r"\s+", literal)).replace("'", "['’]")
    pattern = pattern.replace(":", "[:,]?").replace("：", "[：:]?")  # nobody misses it
    return re.compile(pattern + (r"\Z" if last else ""), re.IGNORECASE)
