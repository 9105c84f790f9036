"""Examples for a worksheet: of each sentence one that could stand in it, in the words of the reader."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import copy
from itertools import combinations, islice
from typing import Any

from ...interpreter import RulesError
from ...interpreter.errors import Place, Source
from ...interpreter.evaluate import evaluate
from ...mind.belief import MISSING
from ...speech.language import fill
from .account import Account
from .conclusions import could_choose, understood
from .worksheet import ME, Noted, Sentence, Worksheet

__all__ = ["example", "examples"]

MOST_TRIES = 1_500  # of one sentence
SIZES = (2, 3, 1)  # how many things are shown at once, the most usual first


def examples(sheet: Worksheet) -> list[str]:
    """Of each sentence one that can be the first of this worksheet; none of what this player never sees."""
    if isinstance(sheet, Account):
        return sheet.next_sentences()
    odds = understood(sheet, entries=())
    return [text for text in (example(sheet, odds, sentence) for sentence in sheet.known) if text]


def example(sheet: Worksheet, odds, sentence: Sentence) -> str:
    for values in islice(_candidates(sheet, sentence), MOST_TRIES):
        entry = Noted(sentence, sheet.complete(sentence, dict(values)), Place(Source(ME, ""), 1, 1), "")
        if _possible(sheet, odds, entry):
            text = fill(sentence.texts(sheet.language)[0], {n: sheet._called(v) for n, v in values.items()})
            if _understood(sheet, text) == entry.values:
                return text
    return ""


def _candidates(sheet: Worksheet, sentence: Sentence) -> Iterator[dict[str, Any]]:
    """Ways to fill its places, one that people might write first: who it is about before what is told of him."""
    seats = set(sheet.words.seats)
    places = sorted(sentence.places(sheet.language), key=lambda n: not sentence.vars[n].type.atoms & seats)

    def further(index: int, values: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if index == len(places):
            yield values
            return
        for value in _pool(sheet, sentence, places[index], values):
            yield from further(index + 1, {**values, places[index]: value})

    return further(0, {})


def _pool(sheet: Worksheet, sentence: Sentence, name: str, values: dict[str, Any]) -> list[Any]:
    kind = sentence.vars[name].type
    one = kind.of if kind.many else kind
    if one.kind != "thing":
        return []
    allowed = sheet.allowed(sentence, name, values)
    people = {sheet.me, *values.values()} & set(sheet.words.seats)
    pool = [a for a in (sorted(one.atoms) if allowed is None else allowed) if a not in people]
    holders = sheet._holders(sentence, values)
    pool = [a for a in pool if sheet._own(a, holders)] or [a for a in pool if sheet._held(a, holders)]
    if not kind.many:
        return pool
    found = []
    for size in SIZES:
        several = list(combinations(pool, size))
        random.Random(size).shuffle(several)  # neighbours in a list are alike
        found += several
    return found


def _possible(sheet: Worksheet, odds, entry: Noted) -> bool:
    """Can this player see it happen, in one of the deals that he holds possible?"""
    belief = copy(odds.belief)
    belief.known = list(belief.known)
    row = sheet.row(entry, odds.belief.known)
    if not _sees(sheet, entry) or not could_choose(sheet, belief, entry, row):
        return False
    belief.look_at(row)
    return bool(belief.worlds)


def _sees(sheet: Worksheet, entry: Noted) -> bool:
    audience = entry.sentence.event.origin.audience
    if entry.values.get(entry.sentence.owner) == sheet.me:
        return True
    if isinstance(audience, str):
        return audience == "all"
    names = {v.origin: entry.values.get(n) for n, v in entry.sentence.vars.items()}
    names |= {v: entry.values.get(n) for n, v in entry.sentence.vars.items()}
    try:
        return sheet.me in evaluate(audience, (), names)
    except MISSING:
        return True


def _understood(sheet: Worksheet, text: str) -> dict[str, Any] | None:
    try:
        return sheet.read(text, Place(Source(ME, text), 1, 1)).values
    except RulesError:
        return None
