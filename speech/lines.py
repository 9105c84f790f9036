"""Choices and lines of logs as people write them in scenarios: `move orange red_tall to rialto`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..interpreter import Entry, Game, RulesError
from ..interpreter.blocks import Event
from ..interpreter.errors import Place, Problem, did_you_mean, problem
from ..interpreter.load import Map, Seq, TextPlace
from ..interpreter.model import Alternative, Part, Step, Type

__all__ = ["NOISE", "LogLine", "ChoiceReading", "Word", "each", "ends", "length_of", "said", "words_of"]

_WORD = re.compile(r"[^\s,;]+")
# Words that make a choice readable and mean nothing.
NOISE = frozenset(
    "a an and about around as at beside between by for from in of on or over the through to with →".split()
)


class Word(NamedTuple):
    text: str
    at: Place


class ChoiceReading:
    """Reads a choice that a person has written: `move orange red_tall to rialto`, or part by part, by name."""

    def __init__(self, game: Game, step: Step):
        self.words, self.step = game.vocabulary, step
        self.problems: list[Problem] = []  # why a choice could not be read

    def choice(self, value: Any, at: Place) -> tuple[Any, ...] | None:
        """The choice that is meant, legal or not; None if it cannot be read, which is then told."""
        try:
            return (
                self._by_name(value, at) if isinstance(value, Map) else self._in_order(words_of(value, at), at, value)
            )
        except RulesError as error:
            self.problems += error.problems
            return None

    def wrong(self, word: Word, names: Iterable[str]) -> RulesError:
        names = sorted(set(names))
        return RulesError(
            problem(
                "scenario_word",
                word.at,
                len(word.text),
                word=word.text,
                allowed=tuple(names),
                meant=did_you_mean(word.text, names) or "",
            )
        )

    def alternative(self, word: Word) -> Alternative:
        found = next((a for a in self.step.alternatives if a.name == word.text), None)
        if found is None:
            raise self.wrong(word, [a.name for a in self.step.alternatives])
        return found

    def _in_order(self, given: list[Word], at: Place, value: Any) -> tuple[Any, ...]:
        chosen: list[Any] = []
        parts = list(self.step.parts)
        if self.step.alternatives:
            if not given:
                raise RulesError(
                    problem(
                        "scenario_part",
                        at,
                        part=self.step.name.rsplit("/", 1)[-1],
                        allowed=tuple(a.name for a in self.step.alternatives),
                    )
                )
            alternative = self.alternative(given.pop(0))
            chosen, parts = [alternative.atom], [*parts, *alternative.parts]
        labels = {p.var.name for p in parts}
        for part in parts:
            given = self._skipped(given, part, labels)
            if part.shape == "match":
                chosen.append(self._pairs(part, given, at))
            elif part.shape == "some":
                some = []
                while given and (atom := self._value(given[0].text, _element(part.var.type))) is not None:
                    some.append(atom)
                    given = self._skipped(given[1:], part, labels)
                chosen.append(_sorted(some, part.var.type))
            else:
                if not given:
                    raise self._missing(part, at, length_of(value))
                chosen.append(self._one(given.pop(0), part.var.type))
        for word in given:
            if word.text not in NOISE:
                raise self.wrong(
                    word,
                    [a.name for a in self.step.alternatives] or [n for p in parts for n in self._names(p.var.type)],
                )
        return tuple(chosen)

    def _skipped(self, given: list[Word], part: Part, labels: set[str]) -> list[Word]:
        """Without the words in front that mean nothing here."""
        kind = _element(part.var.type) if part.shape == "some" else part.var.type
        while (
            given
            and (given[0].text in NOISE or given[0].text in labels)
            and (part.shape == "match" or self._value(given[0].text, kind) is None)
        ):
            given = given[1:]
        return given

    def _by_name(self, value: Map, at: Place) -> tuple[Any, ...]:
        chosen: list[Any] = []
        parts = list(self.step.parts)
        if self.step.alternatives:
            (key, inner), *others = value.items()
            if others:
                raise self.wrong(
                    Word(others[0][0], value.key_at[others[0][0]]), [a.name for a in self.step.alternatives]
                )
            alternative = self.alternative(Word(key, value.key_at[key]))
            chosen, parts = [alternative.atom], [*parts, *alternative.parts]
            at = value.value_at[key]
            value = inner if isinstance(inner, Map) else Map(at)
        for name in value:
            if name not in [p.var.name for p in parts]:
                raise self.wrong(Word(name, value.key_at[name]), [p.var.name for p in parts])
        for part in parts:
            if part.var.name not in value:
                raise self._missing(part, at, 1)
            chosen.append(self._part(part, value[part.var.name], value.value_at[part.var.name]))
        return tuple(chosen)

    def _part(self, part: Part, value: Any, at: Place) -> Any:
        if part.shape == "match":
            if isinstance(value, Map):
                words = [
                    w
                    for key in value
                    for w in (Word(key, value.key_at[key]), Word(str(value[key]), value.value_at[key]))
                ]
                return self._pairs(part, words, at)
            return self._pairs(part, words_of(value, at), at)
        words = [w for w in words_of(value, at) if w.text not in NOISE]
        if part.shape == "some":
            return _sorted([self._one(w, _element(part.var.type)) for w in words], part.var.type)
        if len(words) != 1:
            raise self._missing(part, at, 1)
        return self._one(words[0], part.var.type)

    def _pairs(self, part: Part, given: list[Word], at: Place) -> tuple[Any, ...]:
        """An assignment: `red agent_x, blue …`; what is read is taken off `given`."""
        keys: list[int] = list(part.source.args[0])
        found: dict[int, int] = {}
        while given and len(found) < len(keys):
            word = given.pop(0)
            if word.text in NOISE:
                continue
            key = self._one(word, _element(part.source.type))
            if not given:
                break
            found[key] = self._one(given.pop(0), _element(part.var.type))
        if set(found) != set(keys):
            raise self._missing(part, at, 1)
        return tuple(found[k] for k in keys)

    def _missing(self, part: Part, at: Place, length: int) -> RulesError:
        kind = part.var.type if part.shape == "one" else _element(part.source.type)
        return RulesError(problem("scenario_part", at, length, part=part.var.name, allowed=tuple(self._names(kind))))

    def _one(self, word: Word, kind: Type) -> Any:
        found = self._value(word.text, kind)
        if found is None:
            raise self.wrong(word, self._names(kind))
        return found

    def _value(self, text: str, kind: Type) -> Any:
        if kind.kind == "number":
            return int(text) if text.isdigit() else None
        return self.words.member(text, kind) if kind.kind == "thing" else None

    def _names(self, kind: Type) -> list[str]:
        return self.words.names_of(kind) if kind.kind == "thing" else []


def _sorted(some: list[Any], kind: Type) -> tuple[Any, ...]:
    """As choices have them: in a set each once, in a pile as often as it was written."""
    return tuple(sorted(set(some) if kind.kind == "set" else some))


def _element(kind: Type) -> Type:
    """What a set has in it, what an assignment gives out."""
    return kind.of or kind


class LogLine:
    """A line of a log, as a scenario describes it: the step, and what it tells."""

    def __init__(self, game: Game, written: Any, at: Place):
        self.values: list[str] = []
        self.named: dict[str, Any] = {}
        if isinstance(written, Map) and written:
            name = next(iter(written))
            first = Word(name, written.key_at[name])
            told = written[name] if isinstance(written[name], Map) else {}
            self.named = {key: told[key] for key in told}
        else:
            first, *others = (words_of(written, at) if not isinstance(written, Map) else []) or [Word("", at)]
            others = [w for w in others if w.text not in NOISE]
            for word in others:
                if (
                    not word.text.isdigit()
                    and word.text not in ("true", "false")
                    and word.text not in game.vocabulary.by_name
                ):
                    raise RulesError(
                        problem(
                            "unknown_name",
                            word.at,
                            len(word.text),
                            name=word.text,
                            meant=did_you_mean(word.text, game.vocabulary.by_name) or "",
                        )
                    )
            self.values = [w.text for w in others]
        self.name = first.text
        names = {_line_name(event) for event in game.program.events}
        if not any(ends(name, self.name) for name in names):
            short = {name.rsplit("/", 1)[-1].split(" ")[0] for name in names}
            raise RulesError(
                problem(
                    "scenario_line",
                    first.at,
                    len(first.text),
                    name=first.text,
                    meant=did_you_mean(first.text, short) or "",
                )
            )

    def is_about(self, entry: Entry) -> bool:
        return ends(entry.step, self.name)

    def tells(self, entry: Entry) -> bool:
        told = dict(entry.told)
        known = [str(v).lower() if isinstance(v, bool) else str(v) for value in told.values() for v in _flat(value)]
        return all(v in known for v in self.values) and all(
            key in told and _same(told[key], value) for key, value in self.named.items()
        )


def _line_name(event: Event) -> str:
    name = event.function.shape if event.function is not None else event.step
    return f"{name}/{event.alternative}" if event.alternative else name


def ends(name: str, end: str) -> bool:
    """Is this the name of the step, the end of it, or the first word of a state?"""
    return name == end or name.endswith("/" + end) or " " in name and name.split(" ")[0] == end


def _flat(value: Any) -> Iterator[Any]:
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, (tuple, list)):
            stack += value
        else:
            yield value


def _same(told: Any, written: Any) -> bool:
    if isinstance(written, list) or isinstance(told, tuple):
        wanted = written if isinstance(written, list) else _WORD.findall(str(written))
        return sorted(map(str, _flat(told))) == sorted(map(str, wanted))
    return str(told).lower() == str(written).lower()


# --- texts and places -------------------------------------------------------------------------------------------------
def words_of(value: Any, at: Place) -> list[Word]:
    if isinstance(value, Seq):
        return [w for i, v in enumerate(value) for w in words_of(v, value.value_at[i])]
    text = str(value)
    place = TextPlace(at, text) if isinstance(value, str) else None
    return [Word(m[0], place.shifted(m.start()) if place is not None else at) for m in _WORD.finditer(text)]


def each(value: Any, at: Place) -> Iterator[tuple[Any, Place]]:
    """One thing, or each of a list."""
    if isinstance(value, Seq):
        yield from zip(value, value.value_at)
    else:
        yield value, at


def said(words: Sequence[Any]) -> str:
    return " ".join(said(w) if isinstance(w, (list, tuple)) else str(w) for w in words)


def length_of(value: Any) -> int:
    return len(str(value)) if isinstance(value, (str, int)) else 1
