"""Sentences -> abstract trees: a chart over the rules of a grammar, letter by letter: not all languages have spaces.

Hostile sentences are slow to read with an ambiguous grammar: length, work and the number of readings are bounded.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from .effort import TooHard, spend
from .grammar import MINUS, Grammar
from .rules import SAME, Rule, Tree

__all__ = ["MAX_LETTERS", "Chart", "TooHard", "Unread"]

MAX_LETTERS = 2_000
MAX_WORK = 60_000  # items of the chart: well under a second
MAX_TREES = 200  # readings of one part
MAX_WANTED = 4  # words that are offered where a sentence cannot be read

Own = dict[tuple[str, Tree], str]
Worded = list[tuple[str, list[Rule]]]  # rules by the word that comes next
Led = tuple[list[Rule], Worded]  # rules that go on when their first symbol has been read: with a symbol, with a word
Begin = tuple[Worded, dict[str, Led]]
_START = "W"
_OPEN = ("FREE", "FREES", "FREEN", "FREEP", "NPc", "NM", "OWN")  # what a single sentence may have words of its own for


class Unread(Exception):
    """It cannot be read: how many of its letters can, and which words could follow."""

    def __init__(self, at: int, wanted: list[str]):
        self.at, self.wanted = at, wanted


def _same(word: str, text: str) -> int:
    """How many letters they begin with in common."""
    return next((i for i, (a, b) in enumerate(zip(word, text)) if a != b), min(len(word), len(text)))


class Chart:
    """Reads the sentences of one grammar."""

    def __init__(self, grammar: Grammar):
        self.grammar = grammar
        self.rules, self.words = grammar.rules, grammar.words
        self.first = self._first()
        self.sizes = {symbol: sorted({len(form) for form in forms}) for symbol, forms in self.words.items()}
        self._begin: dict[tuple[str, str], Begin] = {}
        self._leads: dict[tuple[str, str], list[tuple[str, Led]]] = {}
        self._last: tuple[Any, list[Tree]] = (None, [])  # what is said is often read again at once

    def _first(self) -> dict[str, set[str]]:
        """The letters with which a symbol can begin."""
        first: dict[str, set[str]] = defaultdict(set)
        waiting: dict[str, set[str]] = defaultdict(set)
        for symbol, forms in self.words.items():
            first[symbol] |= {form[0] for form in forms if form}
        first["DIGITS"] |= {*"0123456789", MINUS}
        for symbol, rules in self.rules.items():
            for _, side, _ in rules:
                if isinstance(side[0], str):
                    first[symbol].add(side[0][0])
                else:
                    waiting[side[0][1]].add(symbol)
        self.open = {symbol for symbol in (*first, *waiting) if symbol.split(".")[0] in _OPEN}
        agenda = list(self.open)
        while agenda:
            for other in waiting[agenda.pop()] - self.open:
                self.open.add(other)
                agenda.append(other)
        agenda = list(first)
        while agenda:
            symbol = agenda.pop()
            for other in waiting[symbol]:
                if not first[symbol] <= first[other]:
                    first[other] |= first[symbol]
                    agenda.append(other)
        return first

    def begin(self, symbol: str, letter: str) -> Begin:
        """The rules of a symbol that can begin with a letter: with a word first, and others by their first symbol."""
        key = (symbol, letter)
        found = self._begin.get(key)
        if found is None:
            worded: dict[str, list[Rule]] = {}
            others: dict[str, tuple[list[Rule], dict[str, list[Rule]]]] = {}
            for rule in self.rules.get(symbol, ()):
                side = rule[1]
                first = side[0]
                if isinstance(first, str):
                    if first[0] == letter:
                        worded.setdefault(first, []).append(rule)
                elif letter in self.first[first[1]] or first[1] in self.open:
                    plain, behind = others.setdefault(first[1], ([], {}))
                    if len(side) > 1 and isinstance(side[1], str):
                        behind.setdefault(side[1], []).append(rule)
                    else:
                        plain.append(rule)
            led = {wanted: (plain, list(behind.items())) for wanted, (plain, behind) in others.items()}
            for wanted, rules in led.items():
                self._leads.setdefault((wanted, letter), []).append((symbol, rules))
            found = self._begin[key] = (list(worded.items()), led)
        return found

    def leads(self, symbol: str, letter: str) -> list[tuple[str, Led]]:
        """The symbols with rules that begin with this one, of those that were looked for at such a letter before."""
        return self._leads.get((symbol, letter), [])

    def read(self, text: str, start: str = _START, own: Own | None = None) -> list[Tree]:
        """All trees of a sentence. Raises TooHard or Unread."""
        letters = self.grammar.normal(text.strip())
        if len(letters) > MAX_LETTERS:
            raise TooHard
        own = own or {}
        if self._last[0] == (letters, start, own):
            return list(self._last[1])
        collecting = gc.isenabled()
        gc.disable()  # what is read is soon forgotten, and bounded: looking through all that is kept takes longer
        try:
            found = _Reading(self, letters, own).trees(start)
            self._last = ((letters, start, dict(own)), found)
            return list(found)
        finally:
            if collecting:
                gc.enable()


class _Reading:
    def __init__(self, chart: Chart, letters: str, own: Own):
        self.chart, self.letters, self.size = chart, letters, len(letters)
        self.own: dict[str, list[tuple[str, Tree]]] = defaultdict(list)
        for (symbol, tree), form in own.items():
            self.own[symbol].append((chart.grammar.normal(form), tree))
        self.opening = {form[0] for forms in self.own.values() for form, _ in forms if form}
        self.waiting: list[dict[str, list[Any]]] = [defaultdict(list) for _ in range(self.size + 1)]
        self.predicted: list[set[str]] = [set() for _ in range(self.size + 1)]
        self.seen: list[set[Any]] = [set() for _ in range(self.size + 1)]
        self.agenda: list[list[Any]] = [[] for _ in range(self.size + 1)]
        self.done: list[dict[str, dict[int, list[Any]]]] = [{} for _ in range(self.size + 1)]
        self.pending: list[tuple[str, int, int]] = []
        self.work = self.reached = 0
        self.failed: list[tuple[int, str]] = []  # words that were wanted, and where
        self.found: dict[tuple[str, int, int], list[Tree]] = {}

    # --- the chart ----------------------------------------------------------------------------------------------------
    def fill(self, start: str) -> None:
        self._predict(start, 0)
        self._flush()
        for index in range(self.size + 1):
            queue = self.agenda[index]
            while queue:
                rule, dot, begun, symbol = queue.pop()
                self.reached = index
                side = rule[1]
                if dot == len(side):
                    self._finish(symbol, begun, index, [rule])
                else:
                    self._wait(side[dot][1], rule, dot, begun, symbol, index)
                self._flush()

    def _wait(self, wanted: str, rule: Rule, dot: int, begun: int, symbol: str, index: int) -> None:
        """This rule goes on when that has been read."""
        self.work += 1
        if self.work > MAX_WORK:
            raise TooHard
        self.waiting[index][wanted].append((rule, dot, begun, symbol))
        self._predict(wanted, index)
        for end in list(self.done[index].get(wanted, ())):
            self._put(end, rule, dot + 1, begun, symbol)

    def _predict(self, symbol: str, index: int) -> None:
        """What could begin here, and what that could begin with: all that begin with the same symbol wait as one."""
        predicted = self.predicted[index]
        if symbol in predicted or index >= self.size:
            return
        letters, chart, done = self.letters, self.chart, self.done[index]
        letter = letters[index]
        first, open_to, words = chart.first, letter in self.opening, chart.words
        predicted.add(symbol)
        agenda = [symbol]
        while agenda:
            symbol = agenda.pop()
            if symbol in self.own:
                for form, tree in self.own[symbol]:
                    if letters.startswith(form, index):
                        self._finish(symbol, index, index + len(form), [tree])
            if symbol == "DIGITS":
                self._digits(index)
                continue
            if not open_to and letter not in first[symbol]:
                continue
            forms = words.get(symbol)
            if forms:
                for size in chart.sizes[symbol]:
                    found = forms.get(letters[index : index + size]) if index + size <= self.size else None
                    if found:
                        self._finish(symbol, index, index + size, list(found))
            worded, others = chart.begin(symbol, letter)
            for literal, rules in worded:
                self._put_all(index, literal, rules, 1, index, symbol)
            self.work += len(others)
            for wanted, led in others.items():
                if wanted not in predicted:
                    predicted.add(wanted)
                    agenda.append(wanted)
                elif wanted in done:
                    for end in done[wanted]:
                        self._lead(end, led, index, symbol)
        if self.work > MAX_WORK:
            raise TooHard

    def _digits(self, index: int) -> None:
        letters = self.letters
        first = end = index + (letters[index] == MINUS)
        while end < self.size and letters[end].isdigit():
            end += 1
        if first < end <= first + 9 and not (index and letters[index - 1].isdigit()):
            self._finish("DIGITS", index, end, [(f"num:{int(letters[index:end].replace(MINUS, '-'))}",)])

    def _lead(self, index: int, led: Led, begun: int, symbol: str) -> None:
        """Go on with the rules whose first symbol has been read."""
        for rule in led[0]:
            self._put(index, rule, 1, begun, symbol)
        for literal, rules in led[1]:
            self._put_all(index, literal, rules, 2, begun, symbol)

    def _put_all(self, index: int, literal: str, rules: list[Rule], dot: int, begun: int, symbol: str) -> None:
        if self.letters.startswith(literal, index):
            index += len(literal)
            for rule in rules:
                self._put(index, rule, dot, begun, symbol)
        elif index >= self.reached:
            self.failed.append((index, literal))

    def _put(self, index: int, rule: Rule, dot: int, begun: int, symbol: str) -> None:
        side = rule[1]
        while dot < len(side) and isinstance(literal := side[dot], str):
            if not self.letters.startswith(literal, index):
                if index >= self.reached:
                    self.failed.append((index, literal))
                return
            index += len(literal)
            dot += 1
        key = (id(rule), dot, begun)
        if key not in self.seen[index]:
            self.seen[index].add(key)
            self.agenda[index].append((rule, dot, begun, symbol))

    def _finish(self, symbol: str, begun: int, end: int, what: list[Any]) -> None:
        ends = self.done[begun].setdefault(symbol, {})
        fresh = end not in ends
        ends.setdefault(end, []).extend(what)
        if fresh:
            self.pending.append((symbol, begun, end))

    def _flush(self) -> None:
        while self.pending:
            symbol, begun, end = self.pending.pop()
            for rule, dot, start, outer in self.waiting[begun].get(symbol, ()):
                self._put(end, rule, dot + 1, start, outer)
            predicted = self.predicted[begun]
            for outer, led in self.chart.leads(symbol, self.letters[begun]) if begun < self.size else ():
                if outer in predicted:
                    self._lead(end, led, begun, outer)

    # --- trees --------------------------------------------------------------------------------------------------------
    def trees(self, start: str) -> list[Tree]:
        self.fill(start)
        if self.size not in self.done[0].get(start, {}):
            raise self._unread()
        return self._trees(start, 0, self.size)

    def _unread(self) -> Unread:
        """Where the word begins that cannot be read, and the words that could stand there, the most alike first."""
        wanted: dict[str, int] = {}  # with the letter up to which each of them fits
        for index, literal in self.failed:
            wanted[literal.strip()] = max(wanted.get(literal.strip(), 0), index + _same(literal, self.letters[index:]))
        for symbol in self.predicted[self.reached]:
            known = self.chart.words.get(symbol, {})
            forms = {form for form, trees in known.items() if not str(trees[0][0]).startswith("lab:")}
            for form in forms | {form for form, _ in self.own.get(symbol, ())}:
                wanted[form] = max(wanted.get(form, 0), self.reached + _same(form, self.letters[self.reached :]))
        at = max([self.reached, *wanted.values()])
        best = sorted((word for word in wanted if word), key=lambda word: (-wanted[word], len(word), word))
        space = self.letters.rfind(" ", 0, at + 1) + 1 if self.chart.grammar.space else at
        return Unread(max(space, 0) if space <= at else at, best[:MAX_WANTED])

    def _trees(self, symbol: str, begun: int, end: int) -> list[Tree]:
        key = (symbol, begun, end)
        known = self.found.get(key)
        if known is not None:
            return known
        self.found[key] = []
        out: dict[Tree, None] = {}
        for what in self.done[begun].get(symbol, {}).get(end, ()):
            if len(what) == 1 or not isinstance(what[1], tuple) or not isinstance(what[-1], int):
                out[what] = None
                continue
            function, side, count = what
            for kids in self._split(side, 0, begun, end):
                if function == SAME:
                    out[kids[0][1]] = None
                else:
                    row: list[Tree] = [("gap",)] * count
                    for index, tree in kids:
                        row[index] = tree
                    out[(function, *row)] = None
                if len(out) > MAX_TREES:
                    raise TooHard
        self.found[key] = list(out)
        return self.found[key]

    def _split(self, side: tuple[Any, ...], dot: int, at: int, end: int) -> Iterator[tuple[tuple[int, Tree], ...]]:
        if dot == len(side):
            if at == end:
                yield ()
            return
        part = side[dot]
        if isinstance(part, str):
            if self.letters.startswith(part, at):
                yield from self._split(side, dot + 1, at + len(part), end)
            return
        for stop in self.done[at].get(part[1], ()):
            if stop <= end and (dot + 1 < len(side) or stop == end):
                rests = list(self._split(side, dot + 1, stop, end))
                if rests:
                    for tree in self._trees(part[1], at, stop):
                        self.work += 1
                        if self.work > MAX_WORK:
                            raise TooHard
                        for rest in rests:
                            spend()
                            yield ((part[0], tree), *rest)
