"""A name of one file, changed everywhere in it; and whether all is still well then."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...interpreter.errors import MESSAGES
from ...interpreter.keywords import NAME
from ...interpreter.parse import keywords
from ...interpreter.shapes import PARSED
from ...speech.language import N_, Language
from .analysis import Analysis, analyse, mistakes
from .desk import Desk
from .meaning import origins, word_at
from .remedies import Edit, changed
from .spots import values

__all__ = ["Refused", "can_rename", "renamed"]

NAMED = frozenset(
    {*PARSED, "name", "row", "cell", "rows", "word", "part", "asked", "option type", "setting", "members"}
)
NO_NAME = N_("“{name}” cannot be a name: letters, digits and _ are possible, and no word of the language.")
ELSEWHERE = N_("“{name}” is said in {file}; it can be renamed only there.")
BREAKS = N_("It cannot be renamed like that: {message}")


class Refused(Exception):
    """What speaks against it, in the author's language."""


def can_rename(known: Analysis, good: Analysis, offset: int) -> tuple[int, int] | None:
    """The name under the cursor, if it is one."""
    word = word_at(known.text, offset)
    if word is None or not any(word[1:] == (start, end) for start, end in _occurrences(known, word[0])):
        return None
    return word[1], word[2]


def renamed(known: Analysis, good: Analysis, offset: int, new: str, desk: Desk, language: Language) -> tuple[Edit, ...]:
    """What to change in the text."""
    word = word_at(known.text, offset)
    where = can_rename(known, good, offset)
    if word is None or where is None:
        return ()
    words = known.reading.words
    taken = keywords() if words is None else words.phrasing.taken
    if not re.fullmatch(NAME, new) or new in taken:
        raise Refused(language.say(NO_NAME, name=new))
    if good.words is not None and (good.words.is_taken(new) or new in good.words.by_name or new in good.words.sets):
        raise Refused(language.say(BREAKS, message=language.say(MESSAGES["shadowed_name"][0], name=new)))
    other = next((found for found in origins(known, good, offset) if found.file != known.path), None)
    if other is not None and not _declared_here(known, word[0]):
        raise Refused(language.say(ELSEWHERE, name=word[0], file=other.file.name))
    edits = [Edit(start, end, new) for start, end in _occurrences(known, word[0])]
    plural = f"{word[0]}s"
    if good.words is not None and word[0] in good.words.sets and good.words.sets[word[0]].plural == plural:
        edits += [Edit(start, end, f"{new}s") for start, end in _occurrences(known, plural)]
    text = changed(known.text, tuple(edits))
    desk.open = {**desk.open, known.path: text}
    after = analyse(desk, known.path)
    before = mistakes(known.problems, known.path, known.text, known.library, language)
    now = mistakes(after.problems, known.path, text, after.library, language)
    if len(now) > len(before):
        raise Refused(language.say(BREAKS, message=now[0].message))
    return tuple(edits)


def _declared_here(known: Analysis, name: str) -> bool:
    """Does this file say of something new that it is called so?"""
    below, reading = known.below, known.reading
    for node, stand, how in values(known.root, reading):
        if how is None or node.key is None or name not in re.findall(r"\w+", node.key):
            continue
        home = below
        for key in stand.path[:-1]:
            home = home.get(key) if isinstance(home, dict) else None
        if not isinstance(home, dict) or stand.path[-1] not in home:
            return True
    return False


def _occurrences(known: Analysis, name: str) -> Iterator[tuple[int, int]]:
    """Everywhere in the file where a word is this name: in names, heads and expressions, and in the braces of texts."""
    pattern = re.compile(rf"(?<![\w·]){re.escape(name)}(?![\w·])")
    braces = re.compile(rf"(?<=\{{){re.escape(name)}(?=[}}:])")
    text = known.text
    for node, stand, how in values(known.root, known.reading):
        if how is not None and (how in NAMED or how == "plain" and stand.path[:1] == ("rules",)):
            yield from _spans(pattern, text, node.key_start, node.key_end)
        if node.kids or node.start < 0:
            continue
        shape = stand.shape
        if shape == "text" and node.key not in ("rule", "about"):
            yield from _spans(braces, text, node.start, node.end)
        elif isinstance(shape, str) and (shape in NAMED or stand.path[-1:] in (("before",), ("after",))):
            yield from _spans(pattern, text, node.start, node.end)
        elif isinstance(shape, str) and (shape in ("things", "linked") or stand.path[:1] in (("remove",), ("change",))):
            yield from _spans(pattern, text, node.start, node.end)


def _spans(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    yield from (found.span() for found in pattern.finditer(text, start, end))
