"""A choice, put together as a person thinks: first what to do, then with what, then where to.

A walk goes through the parts of a choice in their order and offers only what can still lead to a legal one. What the
person types is a number, a name or the beginning of a name.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...interpreter import Question
from ...interpreter.runtime import Number
from ...speech.language import Language, fill

__all__ = ["STOP", "Walk", "called", "meant", "nearly", "normal", "question"]

STOP = object()  # enough of a choice of several things
OPEN = "…"
_QUOTES = dict.fromkeys(map(ord, '“”„«»「」"'))


@dataclass(frozen=True, slots=True)
class Walk:
    """How far a choice has come: the parts that are settled, the one in work, and the legal choices that are left.

    The parts are asked for in the order of the rules, or in the one that `rank` gives them: since all legal choices are
    at hand, none of them has to wait for another."""

    step: Any
    left: tuple[tuple, ...]
    settled: tuple = ()  # the parts so far, as they were asked for
    partial: tuple = ()
    rank: Callable[[Any], int] | None = None

    @property
    def done(self) -> bool:
        return len(self.left) == 1 and len(self.settled) == len(self.left[0])

    @property
    def choice(self) -> tuple:
        """The choice that it has come to."""
        return self.left[0]

    @property
    def is_fresh(self) -> bool:
        """Is nothing chosen yet?"""
        return not self.settled and not self.partial

    @property
    def alternative(self):
        """The alternative that was chosen, if there are several and it has been."""
        if not self.step.alternatives or not self.settled:
            return None
        return next(a for a in self.step.alternatives if a.atom == self.settled[0])

    def _declared(self) -> list:
        """What there is to choose, as the rules have it; None stands for the alternative."""
        if not self.step.alternatives:
            return self.step.parts
        found = self.alternative
        return [None, *self.step.parts, *(found.parts if found else [])]

    def _places(self) -> list[int]:
        """In which order: places in a choice."""
        rank, parts = self.rank, self._declared()
        if rank is None:
            return list(range(len(parts)))
        return sorted(range(len(parts)), key=lambda i: -1 if parts[i] is None else rank(parts[i]))

    @property
    def parts(self) -> list:
        """What there is to choose, in the order in which it is asked for."""
        declared = self._declared()
        return [declared[place] for place in self._places()]

    @property
    def place(self) -> int:
        """Where the part in work stands in a choice."""
        return self._places()[len(self.settled)]

    @property
    def part(self):
        return self._declared()[self.place]

    @property
    def shape(self) -> str:
        part = self.part
        return "alternative" if part is None else part.shape

    @property
    def receiver(self) -> int | None:
        """In a one-to-one assignment, for whom the next value is."""
        return sorted(self.part.var.type.atoms)[len(self.partial)] if self.shape == "match" else None

    def offers(self) -> list:
        """The continuations: atoms, and STOP where a choice of several things may be enough."""
        here, shape = self.place, self.shape
        if shape == "some":
            found = {x for c in self.left for x in Counter(c[here]) - Counter(self.partial)}
            enough = any(len(c[here]) == len(self.partial) for c in self.left)
            return [*sorted(found), *([STOP] if enough and found else [])]
        if shape == "match":
            return list(dict.fromkeys(c[here][len(self.partial)] for c in self.left))
        found = list(dict.fromkeys(c[here] for c in self.left))
        return found if self.rank is None else sorted(found)

    def take(self, value: Any) -> Walk:
        here, shape = self.place, self.shape
        if shape == "some":
            if value is STOP:
                chosen, left = self.partial, tuple(c for c in self.left if len(c[here]) == len(self.partial))
            else:
                chosen = (*self.partial, value)
                left = tuple(c for c in self.left if Counter(c[here])[value] >= chosen.count(value))
            if value is STOP or all(len(c[here]) == len(chosen) for c in left):
                return self._settle(left, left[0][here])
            return Walk(self.step, left, self.settled, chosen, self.rank)
        if shape == "match":
            at, chosen = len(self.partial), (*self.partial, value)
            left = tuple(c for c in self.left if c[here][at] == value)
            if len(chosen) == len(self.part.var.type.atoms):
                return self._settle(left, chosen)
            return Walk(self.step, left, self.settled, chosen, self.rank)
        return self._settle(tuple(c for c in self.left if c[here] == value), value)

    def _settle(self, left: tuple, value: Any) -> Walk:
        return Walk(self.step, left, (*self.settled, value), (), self.rank)

    def forced(self) -> tuple[Walk, list]:
        """Go on while there is only one way to, and what was taken on it."""
        walk, taken = self, []
        while not walk.done:
            offers = walk.offers()
            if not offers:  # nothing is left to add
                walk = walk.take(STOP)
            elif len(offers) == 1:
                walk = walk.take(offers[0])
                taken.append(offers[0])
            else:
                break
        return walk, taken


# --- what is being asked ----------------------------------------------------------------------------------------------
def question(asked: Question, walk: Walk, narrator, language: Language) -> str:
    """The question that the rules put, as long as nothing is chosen; else, and where they put none, the sentence that
    will be told of this choice, as far as it is known: what is still open stands as dots.

    Whoever chooses sees that sentence afterwards in any case, so it tells him nothing that he may not know.
    """
    step, alternative = walk.step, walk.alternative
    if walk.is_fresh and step.prompt:
        values = asked.prompts()
        said = {name: narrator.said(values[name], expr.type) for name, expr in step.prompts}
        return fill(language.text(step.prompt), said)
    text, tells = step.text, step.tells
    if alternative is not None:
        text, tells = alternative.text or step.text, alternative.tells if alternative.text else step.tells
    if not text or step.alternatives and alternative is None:
        return ""
    chosen, open_parts = {}, {}
    for index, part in enumerate(walk.parts):
        if part is not None and index < len(walk.settled):
            chosen[part.var] = walk.settled[index]
        elif part is not None:
            open_parts[part.var] = part.shape, walk.partial if index == len(walk.settled) else ()
    told, values = asked.tells(alternative, chosen), {}
    for name, expr in tells:
        if expr.op == "var" and expr.args[0] in open_parts:
            shape, partial = open_parts[expr.args[0]]
            said = [str(int(x)) if isinstance(x, Number) else narrator.name(x)("list") for x in partial]
            if shape == "match":
                said = [f"{narrator.name(of)('list')} – {x}" for of, x in zip(sorted(expr.type.atoms), said)]
            values[name] = language.row([*said, OPEN])
        else:
            values[name] = narrator.said(told[name], expr.type) if name in told else OPEN
    return re.sub(r"…[.。](?=\s|\Z)", OPEN, fill(language.text(text), values))


# --- what was typed ---------------------------------------------------------------------------------------------------
def normal(text: str) -> str:
    """Small letters without accents and quotes, half-width, spaces instead of _: how entries and names are compared."""
    said = ""
    for letter in unicodedata.normalize("NFKC", text.translate(_QUOTES)):
        plain = unicodedata.normalize("NFKD", letter)[0]
        said += plain if plain.isascii() else letter
    return " ".join(said.casefold().replace("_", " ").replace("’", "'").split())


def meant(typed: str, labels: Sequence[Sequence[str]]) -> list[int]:
    """Which of the offers were meant: by number, whole name, beginning of a name, beginnings of words in it.

    Each offer has its labels, the one that is shown first. Several answers mean that it is not clear, none that
    nothing fits.
    """
    entry = normal(typed)
    if re.fullmatch(r"[0-9]{1,6}", entry) and 1 <= int(entry) <= len(labels):
        return [int(entry) - 1]
    return called(entry, labels)


def called(entry: str, labels: Sequence[Sequence[str]]) -> list[int]:
    """Those that are called so: the name alone, what it begins with, words of it; at last words of several of its
    names, such as the letters of a figure and the name of a space."""
    known, tokens = [[normal(label) for label in of_one] for of_one in labels], entry.split()
    if not tokens:
        return []
    for fits in (
        lambda label: label == entry,
        lambda label: label.startswith(entry),
        lambda label: _begins(tokens, label),
        lambda label: not entry.isascii() and entry in label,
    ):
        for shown_only in (True, False):
            found = [i for i, of_one in enumerate(known) if any(map(fits, of_one[:1] if shown_only else of_one))]
            if found:
                return found
    return [i for i, of_one in enumerate(known) if _begins(tokens, " ".join(of_one))]


def nearly(entry: str, labels: Iterable[Sequence[str]]) -> Iterator[int]:
    """Those in which every word has one that is spelt nearly like it."""
    tokens = entry.split()
    for index, of_one in enumerate(labels):
        words = [word for label in of_one for word in _words(normal(label))]
        if tokens and all(len(t) > 2 and difflib.get_close_matches(t, words, 1, 0.7) for t in tokens):
            yield index


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\s/()'’“”:·-]+", name) if word]


def _begins(tokens: Sequence[str], name: str) -> bool:
    """Does each of these begin a word of the name, each another one, in any order?"""
    words = _words(name)
    for token in sorted(tokens, key=len, reverse=True):
        found = next((word for word in words if word.startswith(token)), None)
        if found is None:
            return False
        words.remove(found)
    return True
