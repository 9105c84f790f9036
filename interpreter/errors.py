"""Mistakes in rule files as data: a code, a place and arguments; the words are chosen when they are shown."""

from __future__ import annotations

import difflib
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from os.path import commonprefix
from typing import Any, NamedTuple, Self, TypeAlias

from .messages import MEANT, MESSAGES, NO_OPTIONS, ONLY_WITH

__all__ = [
    "INVISIBLE",
    "MESSAGES",
    "Phrase",
    "Place",
    "Problem",
    "Problems",
    "RulesError",
    "Source",
    "Whole",
    "did_you_mean",
    "problem",
    "show",
]

MAX_ARGUMENT = 80  # characters of an argument inside a message
MAX_PROBLEMS = 100  # of a file that are told
MAX_COMPARED = 300  # words that one is compared with, to see which was meant
MAX_WORDS = 40  # of a list inside a message
MAX_WIDTH = 100  # columns of a source line that are shown
TAB_WIDTH = 4

# What YAML takes for the end of a line; str.splitlines() knows others too and would count differently.
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")

# Controls, and what is not seen but turns or disturbs the writing around it. Some languages need the joiners U+200C
# and U+200D, and the soft hyphen.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)

Translate = Callable[[str], str]


class Source:
    """A text with the name under which the user knows it."""

    __slots__ = ("_lines", "cited", "language", "name", "phrased", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.cited: dict[str, str] | None = None  # what words of the rules language are called in this file
        self.phrased: Mapping[str, str] = {}  # and what those of expressions are called in these
        self.language = ""  # in which it is written, if that is another
        self._lines: list[str] | None = None

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    def line(self, n: int) -> str:
        """The text of line n, counted from 1; empty beyond the end."""
        if self._lines is None:
            self._lines = _BREAK.split(self.text)
        return self._lines[n - 1] if 1 <= n <= len(self._lines) else ""

    def place(self, index: int) -> Place:
        """The place of the character at this index of the text."""
        line, start = 1, 0
        for found in _BREAK.finditer(self.text, 0, index):
            line, start = line + 1, found.end()
        return Place(self, line, index - start + 1)


class Whole(str):
    """An argument of a message that is not cut, however long: something of ours that the reader needs all of."""


class Place(NamedTuple):
    """Where something stands; line and column are counted from 1."""

    source: Source
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"

    def shifted(self, offset: int) -> Place:
        return self._replace(column=self.column + offset)

    def reach(self, length: int) -> int:
        """How many characters of the file so many characters from here are."""
        return length


Argument: TypeAlias = "str | int | tuple[str, ...] | Problem"  # a tuple: words to be translated


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake."""

    code: str
    place: Place | None = None
    args: dict[str, Argument] = field(default_factory=dict)
    length: int = 1
    only: tuple[int, ...] = ()  # with so many players, if not with any number

    def message(self, translate: Translate | None = None) -> str:
        said = self._say(MESSAGES[self.code][0], translate)
        if not self.only:
            return said
        template = translate(ONLY_WITH) if translate else ONLY_WITH
        return _FORMATTER.vformat(template, (), {"players": ", ".join(map(str, self.only)), "message": said})

    def remedy(self, translate: Translate | None = None) -> str:
        """What to do about it; where a name seems misspelt, the one that was meant."""
        if self.args.get("options") == "":
            return self._say(NO_OPTIONS, translate)
        return self._say(MEANT if self.args.get("meant") else MESSAGES[self.code][1], translate)

    def words(self, name: str) -> tuple[str, ...]:
        """What an argument says, in the words of the file: for whoever carries out the remedy."""
        value, cited = self.args[name], self.place.source.cited if self.place else None
        if isinstance(value, Problem):
            return ()
        if cited and self.place and name in _CITED:
            value = _cited(value, self.place.source, name)
        return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)

    def _say(self, template: str, translate: Translate | None) -> str:
        if template and translate:  # gettext answers the empty text with the catalogue's header
            template = translate(template)
        args, cited = self.args, self.place.source.cited if self.place else None
        if (
            cited and self.place
        ):  # the file is written in another language: its own words for those of the rules language
            template = _QUOTED.sub(lambda q: ": ".join(cited.get(w, w) for w in q[0].split(": ")), template)
            args = {
                name: _cited(value, self.place.source, name) if name in _CITED else value
                for name, value in args.items()
            }
        words = {name: _joined(value, translate) for name, value in args.items()}
        return _FORMATTER.vformat(template, (), words)


_QUOTED = re.compile("(?<=[“„«「])[a-z][a-z ]*(?:: [a-z]+)?(?=[”“»」])")  # in messages, words of the rules language
_CITED = frozenset("key allowed verbs one other meant expected word instead wanted found name".split())
_PARTS = re.compile(
    r"(?<!\S)(?:set of|list of|pile of|or|nothing|of|is|called|with|on|at|near|under|behind|against|along|by|to|from|"
    r"for|about|through|over|beside|inside|between|as)(?= )|(?<= )nothing(?!\S)"
)


def _cited(value: Argument, source: Source, argument: str) -> Argument:
    cited = source.cited or {}
    if isinstance(value, tuple):
        return tuple(w if isinstance(w, Keyword) or w not in cited else Keyword(cited[w]) for w in value)
    if not isinstance(value, str) or isinstance(value, Keyword):
        return value
    # a type, set of card, player or nothing, or the form of something, place of …
    whole = cited.get(value) if argument != "name" else None  # a name is the author's
    words = source.phrased or cited
    return whole or _PARTS.sub(lambda found: words.get(found[0], found[0]), value)


class Phrase(str):
    """An argument of a message that has words of its own."""

    template: str
    words: dict[str, str]

    def __new__(cls, template: str, **words: str) -> Self:
        found = super().__new__(cls, template.format(**words))
        found.template, found.words = template, words
        return found


class Keyword(str):
    """A word of the rules language among words that are translated: it stays as it is written."""


def _joined(value: Argument, translate: Translate | None) -> str:
    if isinstance(value, Problem):
        return value.message(translate)
    if isinstance(value, Phrase) and translate:
        value = translate(value.template).format(**value.words)
    if not isinstance(value, tuple):
        return _argument(value)
    words = [
        _argument(word if isinstance(word, Keyword) or not translate or not word else translate(word))
        for word in value[:MAX_WORDS]
    ]
    return ", ".join(words + ["…"] * (len(value) > MAX_WORDS))


def problem(code: str, place: Place | None = None, length: int = 1, **args: Argument) -> Problem:
    if code not in MESSAGES:
        raise KeyError(code)
    return Problem(code, place, args, length)


class RulesError(Exception):
    """Everything that was found wrong, in the order of the text."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        found = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__(found)
        once: dict[object, Problem] = {}
        for p in found:
            once.setdefault((_order(p), p.code, str(sorted(p.args.items()))), p)
        self.problems: list[Problem] = sorted(once.values(), key=_order)
        self.mended: Any = None  # what was to be read, with what seems to be meant, to look for more of them

    def __str__(self) -> str:
        return "\n".join(show(p) for p in self.problems)

    def placed(self, at: Place, length: int) -> RulesError:
        """The same, where what has no place of its own, such as a game that does not exist, belongs to this one."""
        return RulesError(p if p.place is not None else Problem(p.code, at, p.args, length) for p in self.problems)


class Problems(list[Problem]):
    """What was found wrong so far. When it is enough for one day it is raised: to look for more takes long, and most of
    them would go away with the first."""

    def append(self, found: Problem) -> None:
        self.extend([found])

    def extend(self, found: Iterable[Problem]) -> None:
        super().extend(found)
        if len(self) >= MAX_PROBLEMS:
            raise RulesError(self[:MAX_PROBLEMS])

    def __iadd__(self, found: Iterable[Problem]) -> Self:  # type: ignore[override, misc]
        self.extend(found)
        return self


def _order(problem: Problem) -> tuple[str, int, int]:
    place = problem.place
    return (place.source.name, place.line, place.column) if place else ("", 0, 0)


def show(problem: Problem, translate: Translate | None = None) -> str:
    """The problem for a terminal: place and message, the line with a caret, the remedy."""
    message, remedy, place = (problem.message(translate), problem.remedy(translate), problem.place)
    lines = [message]
    if place:
        name = "".join(map(_visible, place.source.name))
        lines = [f"{name}:{place.line}:{place.column}: {message}"]
        text = place.source.line(place.line)
        if text.strip():
            lines += _excerpt(text, place.column - 1, place.reach(problem.length))
    if remedy:
        lines += remedy.split("\n")
    return "\n    ".join(lines)


def did_you_mean(word: str, words: Iterable[str]) -> str | None:
    """The word of `words` that was probably meant, if one is near enough."""
    if len(word) > MAX_ARGUMENT:
        return None
    words, size, word = list(words), len(word), word.casefold()
    if len(words) > MAX_COMPARED:  # then only with those that begin alike, and are about as long
        near_ones = (w for w in words if w[:1].casefold() == word[:1] and abs(len(w) - size) < 3)
        words = list(islice(near_ones, MAX_COMPARED // 4))
    folded: dict[str, str] = {}
    for candidate in words:
        folded.setdefault(candidate.casefold(), candidate)
    near = difflib.get_close_matches(word, folded, n=3)
    return next((folded[other] for other in near if _is_near(word, other)), None)


def _is_near(word: str, other: str) -> bool:
    """Is at most a third of the letters another, do they begin alike, or is one a part of the other, as a surname is of
    a name?"""
    longest = max(len(word), len(other))
    most = max(1, longest // 3)
    alike = len(commonprefix((word, other))) >= max(3, longest / 2)
    within = min(len(word), len(other)) > 3 and (word in other or other in word)
    return alike or within or _distance(word, other, most) <= most


def slip(word: str, words: Iterable[str]) -> str | None:
    """The word of which this one is a slip of the keys: a letter wrong, missing, too many, or two exchanged; in longer
    words also two of these. Words that differ only in their digits are different on purpose."""
    plain = re.sub(r"[0-9]+", "0", word)
    for other in islice(words, MAX_COMPARED):
        allowed = 0 if min(len(word), len(other)) < 4 else 1 if min(len(word), len(other)) < 8 else 2
        if abs(len(word) - len(other)) <= allowed and re.sub(r"[0-9]+", "0", other) != plain:
            if _distance(word, other, allowed) <= allowed:
                return other
    return None


def _distance(one: str, other: str, most: int) -> int:
    """How many letters were changed, left out, put in, or exchanged with the next; beyond `most` it does not matter."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        last, row = row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before = last
        if min(row) > most:
            return most + 1
    return row[-1]


class _Formatter(string.Formatter):
    """Fills in plain {names} only; all else, attributes and indices above all, stays as it is written."""

    def vformat(self, template: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
        parts: list[str] = []
        try:
            for literal, name, spec, conversion in self.parse(template):
                parts.append(literal)
                if name is None:
                    continue
                if name in kwargs and not spec and not conversion:
                    parts.append(kwargs[name])
                else:
                    conversion, spec = (conversion and f"!{conversion}", spec and f":{spec}")
                    parts.append(f"{{{name}{conversion or ''}{spec or ''}}}")
        except ValueError:  # a stray brace, say in a translation
            return template
        return "".join(parts)


_FORMATTER = _Formatter()


def _is_hidden(character: str) -> bool:
    # Controls, invisible formatting (which can turn the direction of writing), surrogates, line breaks; not blanks.
    return not character.isprintable() and unicodedata.category(character) != "Zs"


def _visible(character: str) -> str:
    return character.encode("unicode_escape").decode() if _is_hidden(character) else character


def _argument(value: str | int) -> str:
    text = str(value)
    if isinstance(value, Whole):
        return "".join(map(_visible, text))
    shown = "".join(map(_visible, text[: MAX_ARGUMENT + 1]))
    if len(shown) <= MAX_ARGUMENT:
        return shown
    whole, comma, _ = shown[: MAX_ARGUMENT - 1].rpartition(", ")
    return (
        f"{whole}{comma}…" if comma else shown[: MAX_ARGUMENT - 1] + "…"
    )  # of several names, none is cut in the middle


def _cell(character: str) -> tuple[str, int]:
    """What is shown for one character of a line, and how many columns it takes."""
    if character == "\t":
        return " " * TAB_WIDTH, TAB_WIDTH
    if _is_hidden(character):
        return "\N{REPLACEMENT CHARACTER}", 1
    if unicodedata.category(character) in ("Mn", "Me"):
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _excerpt(text: str, start: int, length: int) -> list[str]:
    """The line, cut to a window round the caret, and the line of carets below it."""
    start = max(0, min(start, len(text)))
    before = [_cell(c) for c in reversed(text[max(0, start - 4 * MAX_WIDTH) : start])]
    after = [_cell(c) for c in text[start : start + 4 * MAX_WIDTH]]
    wanted = min(sum(width for _, width in after), MAX_WIDTH * 2 // 5)
    left = _fitting(before, MAX_WIDTH - wanted)
    right = _fitting(after, MAX_WIDTH - sum(width for _, width in left))
    head = "…" if len(left) < start else ""
    tail = "…" if start + len(right) < len(text) else ""
    line = head + "".join(shown for shown, _ in reversed(left)) + "".join(shown for shown, _ in right) + tail
    margin = len(head) + sum(width for _, width in left)
    carets = max(1, sum(width for _, width in right[: max(1, length)]))
    return [line, " " * margin + "^" * carets]


def _fitting(cells: list[tuple[str, int]], room: int) -> list[tuple[str, int]]:
    for n, (_, width) in enumerate(cells):
        room -= width
        if room < 0:
            return cells[:n]
    return cells
