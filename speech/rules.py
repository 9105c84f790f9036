"""What all rules of a grammar share: how they are added, how nouns and texts are filled in, how texts are compared.

A rule is (symbol, function, right side); the right side is words and (kid, symbol) pairs. `grammar` tells the symbols.
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .lexicon import Lexicon
from .tongue import PAUSE, Noun, Tongue

__all__ = [
    "ELEMENT",
    "EXTREMES",
    "GAPPED",
    "NUMERAL",
    "SAME",
    "Part",
    "Rule",
    "Rules",
    "Tree",
    "normal",
    "numbered",
    "places",
]

Tree = tuple[Any, ...]  # (function, kids…)
Part = str | tuple[int, str]
Rule = tuple[str, tuple[Part, ...], int]  # function, right side, how many kids

SAME = "="  # a rule that adds nothing to the tree
ELEMENT = "#"  # the noun for what is no kind of thing: a set in a list
NUMERAL = "#number"  # the noun for numbers
EXTREMES = {"highest": "largest", "lowest": "smallest"}  # of things by a number, and of numbers
MAX_KNOWN = 20_000  # texts of rules, as they are compared
GAPPED = {"rel": "REL", "vp": "VP"}  # clauses without their subject, and their symbols


def places(default: str, first: str, others: str = "") -> Callable[[str, str], Part]:
    """Noun phrases of one family, or of two: that of the first place, and that of the others."""

    def place(key: str, case: str) -> Part:
        index = int(key) if key.isdigit() else 0
        return (index, f"{others if index and others else first}.{case or default}")

    return place


def numbered(symbol: str, key: str, case: str) -> Part:
    return (int(key), symbol)


def normal(text: str) -> str:
    """As texts are compared: small letters, single spaces, without commas and quotation marks."""
    return re.sub(r"\s+", " ", re.sub(rf"[,、“”„«»\"「」『』{PAUSE}]", "", text.casefold()))


def _kids(side: Iterable[Part]) -> int:
    """How many kids a right side has."""
    return 1 + max((part[0] for part in side if not isinstance(part, str)), default=-1)


class Rules:
    def __init__(self, lexicon: Lexicon):
        self.lexicon = lexicon
        self.tongue: Tongue = lexicon.tongue
        self.data = self.tongue.data
        self.space = self.tongue.space
        contracted = (self.data.get("contract") or {}).items()
        begin, end = (r"(?<!\w)", r"(?!\w)") if self.space else ("", "")
        self.shortened = [(re.compile(begin + re.escape(normal(b)) + end), normal(a)) for a, b in contracted]
        self.contracted = [(re.compile(begin + re.escape(a) + end), b) for a, b in contracted]
        for rule in self.data.get("elided") or ():  # before a vowel: de alguna, d'alguna
            before = f"(?={rule['before']})"
            self.contracted.append((re.compile(rf"(?<!\w){re.escape(rule['from'])}{before}"), rule["to"]))
            self.shortened.append((re.compile(rf"(?<!\w){re.escape(rule['to'])}", re.IGNORECASE), rule["from"]))
        self.gapped = tuple(order for order in GAPPED if order in self.data["order"])
        self.rules: dict[str, list[Rule]] = defaultdict(list)  # for reading
        self.sayings: dict[tuple[str, str], list[tuple[tuple[Part, ...], int]]] = defaultdict(list)
        self.words: dict[str, dict[str, list[Tree]]] = defaultdict(dict)  # symbol -> form -> trees
        self.said: dict[tuple[str, Tree], str] = {}
        self.heads: dict[str, Noun] = {}  # what “that …” can take up again
        self.called: dict[str, str] = {}  # of those that are said alike, the one that stands for all of them

    def add(self, symbol: str, function: str, parts: Iterable[Part], kids: int | None = None) -> None:
        side = self.side(parts)
        if not side:
            return
        if kids is None:
            kids = _kids(side)
        self.says(symbol, function, side, kids)
        self.reads(symbol, function, side, kids)

    def says(self, symbol: str, function: str, side: tuple[Part, ...], kids: int) -> None:
        self.sayings[symbol, function].append((side, kids))

    def reads(self, symbol: str, function: str, side: tuple[Part, ...], kids: int) -> None:
        read = (self._known(part) if isinstance(part, str) else part for part in side)
        self.rules[symbol].append((function, tuple(part for part in read if part != ""), kids))

    @staticmethod
    def side(parts: Iterable[Part]) -> tuple[Part, ...]:
        """A right side: words that follow one another are one part of it."""
        side: list[Part] = []
        for part in parts:
            if part == "":
                continue
            if isinstance(part, str) and side and isinstance(side[-1], str):
                side[-1] += part
            else:
                side.append(part)
        return tuple(side)

    def word(self, symbol: str, form: str, tree: Tree) -> None:
        self.said.setdefault((symbol, tree), form)
        if symbol in (f"NPc.{self.tongue.plain}", f"PSc.{self.tongue.plain}") and not tree[0].startswith("no"):
            if owner := self.lexicon.owner(form):
                self.word("OWN", owner, tree)
        known = self.words[symbol].setdefault(self._known(form), [])
        if tree not in known:
            known.append(tree)

    def normal(self, text: str) -> str:
        """As texts are compared, with words taken apart that the language draws together."""
        said = normal(text)
        for short, whole in self.shortened:
            said = short.sub(whole, said)
        return said

    def _known(self, text: str) -> str:
        """The same of what stands in rules: most of it stands in those of every game that is said in this language."""
        known = self.tongue.normal
        found = known.get(text)
        if found is None:
            if len(known) >= MAX_KNOWN:
                known.clear()
            found = known[text] = self.normal(text)
        return found

    def usual(self, text: str) -> str | None:
        """A sentence with small words as this grammar says them; None if they are all so already."""
        before = said = self.normal(text)
        for row in self.data.get("varied") or ():
            for found, instead in row.items():
                said = re.sub(found, instead, said)
        return None if said == before else said

    @staticmethod
    def filled(text: str, place: Callable[[str, str], Part | list[Part]]) -> list[Part]:
        """`von {0:dat}` -> ["von ", (0, "NPc.dat")], with what `place` makes of a key and a case."""
        found: list[Part] = []
        for literal, key, case, _ in string.Formatter().parse(text):
            found.append(literal)
            if key is not None:
                got = place(key, case or "")
                found += got if isinstance(got, list) else [got]
        return found

    def _numbers(self, noun: Noun) -> Iterator[tuple[str, str, str]]:
        """Number, case and form of a noun, once each."""
        for number in self.tongue.numbers:
            for case in self.tongue.cases:
                form = noun(number, case)
                if form is not None:
                    yield number, case, form

    def _fixed(self, text: str, noun: Noun, case: str, label: str = "") -> str | None:
        """A template of a noun phrase around this noun."""
        forms = {key: noun(key, case) for key in ("sg", "pl", "def", "defpl", "dem")}
        wanted = [key for _, key, _, _ in string.Formatter().parse(text) if key]
        if any(forms.get(key) is None and key != "lab" for key in wanted):
            return None
        return text.format(**forms, lab=label)

    def around(self, noun: Part, complement: list[Part]) -> list[Part]:
        if not any(complement):
            return [noun]
        return [*complement, noun] if self.data.get("complement") == "first" else [noun, self.space, *complement]

    def _noun_case(self, case: str) -> str:
        return case if case in self.tongue.cases else self.tongue.data.get("prepositional", self.tongue.plain)

    def _one_noun(self, noun: str, cls: str, case: str) -> Callable[[str, str], Part]:
        return lambda key, own: (0, f"{noun}.{cls}.{key}.{self._noun_case(own or case)}")

    def _related(self, noun: str, number: str) -> Callable[[str, str], Part]:
        return lambda key, _: (0, noun) if key == "cn" else (1, f"RELS.{number}")
