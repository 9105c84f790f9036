"""The same rule file, or scenario, in another language: keys, verbs and expressions; comments, order and layout stay.

Nothing is written anew but words: each key and each expression is exchanged where it stands. What comes out is read
again, and must be the same game, entry by entry."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from yaml.events import MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent, SequenceStartEvent

from ...interpreter.errors import Place, Problem, RulesError, problem
from ...interpreter.idiom import HEADER, PLAIN, Idiom
from ...interpreter.laying import lay, leave_out
from ...interpreter.load import Map, SaidPath, Sentence, load_text
from ...interpreter.patching import WAYS, added_at, changed_at, patched
from ...interpreter.paths import Steps, find, meanings
from ...interpreter.phrasing import Unphrased
from ...interpreter.retelling import FIXED, NUMBERED, Told, Walk, parsed, retold, said_path, small_words, written_in
from ...interpreter.shapes import PARSED, SHAPES, Shape, shape_at, walked
from ...speech.lines import NOISE

__all__ = ["Translated", "is_scenario", "translated"]

CHOSEN = r"[^\s,;]+"  # a word of a choice
WIDTH = 120  # of the lines that folded expressions are set in
_INDICATORS = tuple("-?:,[]{}#&*!|>'\"%@`")


Pairs = Sequence[tuple[int, int]]  # where a word begins here, and where there


class Translated(NamedTuple):
    text: str
    kept: list[tuple[Place, str]]  # expressions that the language cannot say, and which stay as they are
    unread: list[tuple[Place, str]]  # no expressions: sentences of the game, or mistakes


class _Scalar(NamedTuple):
    start: int
    end: int
    style: str | None
    flow: bool
    is_key: bool
    column: int


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def is_scenario(data: Map, folders: tuple[Path, ...] = ()) -> bool:
    """Is it no rule file but a scenario?"""
    walk = Walk(written_in(data, folders), folders)
    return any(walk.meaning("scenario", key) in ("play", "position") for key in data)


def translated(data: Map, into: Idiom | None, folders: tuple[Path, ...] = (), below: Map | None = None) -> Translated:
    """A rule file, as it was loaded, in the words of a language; None is the rules language itself. `below` is all that
    it extends: what it changes there by paths is known only with it. Raises RulesError if the file cannot be read, or
    if a key of it cannot be said."""
    text = data.at.source.text
    if is_scenario(data, folders):
        return _scenario(data, into, folders)
    before = retold(load_text(text, data.at.source.name), folders)
    words = written_in(data, folders)
    whole = None if below is None else lay(below, leave_out(before, "extends", *WAYS))
    walk = _Translation(data, words, into, folders, whole)
    walk.file(data)
    result = _applied(text, walk.edits)
    after = retold(load_text(result, data.at.source.name), folders)
    if _plain(_with_paths(below, after)) != _plain(_with_paths(below, before)):
        raise RulesError(problem("translation_differs", data.at))
    return Translated(result, walk.kept, walk.unread)


def _scenario(data: Map, into: Idiom | None, folders: tuple[Path, ...]) -> Translated:
    walk = _Translation(data, written_in(data, folders), into, folders)
    walk.file(data, "scenario")
    result = _applied(data.at.source.text, walk.edits)
    before, after = (
        _Bare(None, folders).file(retold(load_text(text, data.at.source.name), folders, shape="scenario"), "scenario")
        for text in (data.at.source.text, result)
    )
    if _plain(after) != _plain(before):
        raise RulesError(problem("translation_differs", data.at))
    return Translated(result, walk.kept, walk.unread)


class _Bare(Walk):
    """A scenario without the words that mean nothing in it."""

    def value(self, how: str, said: Any, place: Place) -> Told:
        if how == "choice" and isinstance(said, str):
            return " ".join(word for word in re.findall(CHOSEN, said) if word not in NOISE), place
        return said, place


def _with_paths(below: Map | None, data: Map) -> Map:
    """A file with all that it says by paths put where it belongs, so that it can be compared."""
    if below is None or not any(data.get(way) for way in WAYS):
        return data
    return patched(below, leave_out(data, "extends"))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return [(_plain(key)[1], _plain(inner)) for key, inner in value.items()]
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, SaidPath):
        return "str", "/".join(names[0] for names in value.meanings)
    return (value.code, str(value)) if isinstance(value, Sentence) else (type(value).__name__, value)


def _applied(text: str, edits: list[_Edit]) -> str:
    for edit in sorted(set(edits), reverse=True):  # what an alias stands for is met more than once
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


class _Translation(Walk):
    """Finds out what is to be exchanged."""

    def __init__(
        self, data: Map, words: Idiom | None, into: Idiom | None, folders: tuple[Path, ...], whole: Map | None = None
    ):
        super().__init__(words, folders)
        self.into, self.source, self.whole = into, data.at.source, whole
        self.edits: list[_Edit] = []
        self.kept: list[tuple[Place, str]] = []
        self.unread: list[tuple[Place, str]] = []
        self.scalars = _scalars(self.source.text)
        self.lines = _line_starts(self.source.text)

    def file(self, data: Map, shape: str = "file") -> Map:
        header = self.header(data)
        texts = str(data[header[1]]) if header[1:] else self.texts_in
        if shape != "file":  # the texts of a scenario are for its readers only
            texts = PLAIN if self.into is None else self.into.code
        self._header(data, header, texts)
        done = super().file(data, shape)
        self._align(data)
        return done

    def _header(self, data: Map, header: list[str], texts: str) -> None:
        lines = ""
        if self.into is not None:
            said = self.into.header
            lines = f"{said[HEADER[0]]}: {self.into.code}\n"
            lines += f"{said[HEADER[1]]}: {texts}\n" if texts != self.into.code else ""
        elif texts != PLAIN:
            lines = f"{HEADER[0]}: {PLAIN}\n{HEADER[1]}: {texts}\n"
        start = self._line(data.key_at[next(iter(data))].line)
        end = self._line(data.key_at[header[-1]].line + 1) if header else start
        self.edits.append(_Edit(start, end, lines))

    def _line(self, number: int) -> int:
        return self.lines[number - 1] if number <= len(self.lines) else len(self.source.text)

    # --- what is found ------------------------------------------------------------------------------------------------
    def by_path(self, said: str, home: Map, added: bool) -> Shape:
        """What stands at a path, by what it leads to; and the path itself."""
        asked = said if self.words is None else said_path(self.words, said)
        where: Steps | Problem | None = None
        if self.whole is not None and added:
            where = added_at(self.whole, asked, _renamed(home, said, asked))
        elif self.whole is not None:
            where = changed_at(self.whole, asked, home.key_at[said])
        known = where if isinstance(where, tuple) else ()
        self._path(asked, home.key_at[said], known)
        return shape_at(known) if known else "plain"

    def key(self, kind: str, said: str, place: Place, home: Map) -> Told:
        key = self.meaning(kind, said)
        if key is None and kind == "added" and "/" in said:
            return said, place
        if key is None:
            raise RulesError(problem("unknown_key", place, len(said), key=said, meant="", allowed=()))
        self.put(place, key if self.into is None else self.into.written(kind, key))
        return said, place

    def authored(self, how: str, said: str, place: Place) -> Told:
        if how == "setting":
            self._truth({"true": True, "false": False}.get(said, said), place)
        elif how == "row":
            parts = [self._called(self._meant_name(part)) for part in said.split("-")]
            self.put(place, "-".join(parts))
        elif how == "phrase":
            self._phrase(said, place)
        elif how == "name":
            self.put(place, self._called(self._meant_name(said)))
        elif how in PARSED:
            try:
                self.put(place, self._said(how, self._meant(how, said, place)))
            except Unphrased:
                raise RulesError(problem("translation_key", place, len(said), key=said)) from None
        return said, place

    def value(self, how: str, said: Any, place: Place) -> Told:
        if how in ("truth", "setting", "expression", "cell") and self._truth(said, place):
            return said, place
        if not isinstance(said, str):
            return said, place
        if how in ("value", "option type", "type") and self._fixed(said, place):
            return said, place
        if how == "path":
            asked = said if self.words is None else said_path(self.words, said)
            found = find(self.whole, asked) if self.whole is not None else []
            self._path(asked, place, found[0] if len(found) == 1 else ())
        elif how == "name" or how == "option type":
            self.put(place, self._called(self._meant_name(said)))
        elif how == "choice":
            self.put(place, re.sub(rf" ?{CHOSEN}", self._chosen, said).strip())
        elif how == "asked":
            try:
                self.put(place, self._said("binding", self._meant("binding", said, place)))
            except (RulesError, Unphrased):
                self._value("expression", said, place)
        elif how == "cell":
            try:
                self.put(place, self._said("amount", self._meant("amount", said, place)))  # or an expression
            except (RulesError, Unphrased):
                self._value("expression", said, place)
        elif how in PARSED:
            self._value(how, said, place)
        return said, place

    def _chosen(self, found: re.Match[str]) -> str:
        """A word of a choice or of a line of a log: a name, or a small word for the reader, which may fall away."""
        said = found[0].strip()
        small = {} if self.words is None else small_words(self.words)
        word = small.get(said.casefold()) or (said if self.words is None else self._meant_name(said))
        if self.into is None:
            written = word
        elif word in NOISE:
            written = " ".join(self.into.phrasing.words.get(word, ())[:1]).rpartition(" ")[2]
        else:
            written = self._called(word)
            if written.casefold() in small_words(self.into):
                written = f"‹{written}›"
        return found[0].replace(said, written) if written else ""

    def _value(self, how: str, said: str, place: Place) -> None:
        try:
            meant = self._meant(how, said, place)
        except RulesError:  # a sentence of the game, or a mistake, which is not ours to mend
            if self.words is not None and self.words is not self.into:
                self.put(place, json.dumps(said, ensure_ascii=False), map_of=self.words.code)
                self.unread.append((place, said))
            return
        try:
            self.put(place, self._said(how, meant), pairs=self._pairs(how, said, meant, place))
        except Unphrased:
            self.kept.append((place, meant))
            self.put(place, json.dumps(meant, ensure_ascii=False), map_of=PLAIN)

    def sentence(self, code: str, said: str, place: Place, home: Map) -> Told:
        """What stands in a language of its own, stays; what the language cannot say, comes back."""
        if code == (PLAIN if self.into is None else self.into.code):
            scalar = self.scalars.get((place.line, place.column))
            closing = self.source.text.find("}", scalar.end) if scalar else -1
            opening = self._index(home.at)
            if scalar and closing >= 0 and self.source.text[opening] == "{":
                self.edits.append(_Edit(opening, closing + 1, _quoted(said, scalar._replace(style=None))))
        return said, place

    # --- words --------------------------------------------------------------------------------------------------------
    def _meant(self, how: str, said: str, place: Place) -> str:
        """In the rules language."""
        return said if self.words is None else str(parsed(self.words, how, said, place)[0])

    def _said(self, how: str, meant: str) -> str:
        return meant if self.into is None else self.into.phrasing.write(meant, how)

    def _pairs(self, how: str, said: str, meant: str, place: Place) -> Pairs:
        """Where the words of what is written here begin in the other language."""
        if self._character(place) not in ("|", ">"):
            return ()
        own = {} if self.words is None else {a: x for x, _, a, _ in self.words.phrasing.read(said, how)[1]}
        other: dict[int, int] = {}
        if self.into is not None:
            other = {x: a for x, _, a, _ in self.into.phrasing.read(self._said(how, meant), how)[1]}
        starts = own.items() if own else ((x, x) for x in other)
        return [(a, other.get(x, -1) if self.into is not None else x) for a, x in starts]

    def _character(self, place: Place) -> str:
        return self.source.line(place.line)[place.column - 1 : place.column]

    def _meant_name(self, said: str) -> str:
        return said if self.words is None else self.words.phrasing.name(said)

    def _called(self, name: str) -> str:
        return name if self.into is None else self.into.phrasing.called(name)

    def _truth(self, said: Any, place: Place) -> bool:
        if self.words is not None and isinstance(said, str):
            meant = {self.words.values[key].casefold(): key for key in ("true", "false")}.get(said.casefold())
        else:
            meant = str(said).lower() if isinstance(said, bool) else None
        if meant is None:
            return False
        self.put(place, meant if self.into is None else self.into.values[meant], truth=True)
        return True

    def _fixed(self, said: str, place: Place) -> bool:
        key: str | None = said.casefold()
        if self.words is not None:
            key = self.words.read_values.get(said.casefold())
        if key not in FIXED:
            key = None
        if key is not None:
            self.put(place, key if self.into is None else self.into.values[key])
        return key is not None

    def _path(self, asked: str, place: Place, where: Steps) -> None:
        """The names of a path; where it leads tells which of them are keys of the language, and which are authors'."""
        said, rest = [], list(zip(where, walked(where)[1]))
        for names in meanings(asked):
            fitting = [(i, name) for name in names for i, (step, _) in enumerate(rest) if _is_called(step, name)]
            at, name = min(fitting) if fitting else (-1, names[-1])
            said.append(self._path_name(name, rest[at][1] if fitting else None))
            rest = rest[at + 1 :]
        self.put(place, "/".join(said))

    def _path_name(self, name: str, kind: str | None) -> str:
        """A key of a kind of map, a head or a name, as it stands in a path."""
        if self.into is None:
            return name
        if kind is not None and name in SHAPES[kind]:
            return self.into.written(kind, name)
        try:
            return self.into.phrasing.write(name, "head")
        except Unphrased:
            return "-".join(map(self._called, name.split("-")))

    def _phrase(self, said: str, place: Place) -> None:
        begin = NUMBERED if self.words is None else self.words.values[NUMBERED]
        if said.casefold().startswith(f"{begin} ".casefold()):
            other = NUMBERED if self.into is None else self.into.values[NUMBERED]
            self.put(place, f"{other} {self._called(self._meant_name(said[len(begin) + 1 :]))}")
        else:
            self.authored("head", said, place)

    # --- the text -----------------------------------------------------------------------------------------------------
    def _index(self, place: Place) -> int:
        return self._line(place.line) + place.column - 1

    def put(self, place: Place, text: str, map_of: str = "", truth: bool = False, pairs: Pairs = ()) -> None:
        """This text instead of the one that stands there."""
        scalar = self.scalars.get((place.line, place.column))
        if scalar is None:
            return  # an alias: what it stands for has been met
        if map_of:
            text = f"{{{map_of}: {text}}}"
        elif scalar.style in ("|", ">"):
            text = self._folded(scalar, text, pairs)
        elif truth:
            text = text if text in ("true", "false") else _quoted(text, scalar)
        else:
            text = _quoted(text, scalar)
        old = self.source.text[scalar.start : scalar.end]
        if text != old:
            self.edits.append(_Edit(scalar.start, scalar.end, text))

    def _folded(self, scalar: _Scalar, text: str, pairs: Pairs) -> str:
        """On several lines, broken before the same words if they come in the same order."""
        old = self.source.text[scalar.start : scalar.end]
        head, _, body = old.partition("\n")
        indent = re.match(" *", body)
        margin = indent[0] if indent else "  "
        tail = old[len(old.rstrip()) :]
        where, starts = 0, []
        for line in body.split("\n"):
            starts += [where] if line.strip() else []
            where += len(line.strip()) + 1
        cuts = [next((b for a, b in pairs if a == start), -1) for start in starts]
        if cuts and -1 not in cuts and cuts == sorted(cuts) and cuts[0] == 0:
            rows = [text[a:b].rstrip() for a, b in zip(cuts, [*cuts[1:], len(text)])]
            return head + "\n" + "\n".join(margin + row for row in rows) + tail
        lines, line = [], ""
        for word in text.split(" "):
            if line and len(margin) + len(line) + 1 + len(word) > WIDTH:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
        return head + "\n" + "\n".join(margin + found for found in lines) + tail

    def _align(self, node: Any) -> None:
        """Values that stood below one another do so again: in the column behind the longest key."""
        if isinstance(node, Map):
            self._align_keys(node)
            for value in node.values():
                self._align(value)
        elif isinstance(node, list):
            for value in node:
                self._align(value)

    def _align_keys(self, node: Map) -> None:
        row: list[tuple[_Scalar, int]] = []  # key, where its value begins
        last = 0
        new = {edit.start: edit for edit in self.edits}
        for key in [*node, None]:
            found = None
            if key is not None:
                at, value_at = node.key_at[key], node.value_at[key]
                scalar = self.scalars.get((at.line, at.column))
                if scalar and not scalar.flow and at.line == value_at.line and node[key] is not None:
                    found = (scalar, value_at.column)
            if row and (found is None or at.line != last + 1 or found[1] != row[-1][1]):
                self._pad(row, new)
                row = []
            if found is not None:
                row.append(found)
                last = at.line

    def _pad(self, row: list[tuple[_Scalar, int]], new: dict[int, _Edit]) -> None:
        ends = [scalar.column + scalar.end - scalar.start for scalar, _ in row]
        gaps = [value - end for (_, value), end in zip(row, ends)]
        if max(gaps) == min(gaps) and (len(row) == 1 or min(gaps) == 2):
            return  # they only happen to stand so
        sizes = [
            scalar.column
            + _width(new[scalar.start].text if scalar.start in new else self.source.text[scalar.start : scalar.end])
            for scalar, _ in row
        ]
        column = max(sizes) + min(gaps)
        for (scalar, value), end, size in zip(row, ends, sizes):
            start = scalar.end + 1
            self.edits.append(_Edit(start, start + value - end - 1, " " * (column - size - 1)))


def _is_called(step: str, name: str) -> bool:
    return step == name or step.startswith(name + " ")


def _renamed(home: Map, said: str, asked: str) -> Map:
    result = Map(home.at)
    result[asked], result.key_at[asked], result.value_at[asked] = home[said], home.key_at[said], home.value_at[said]
    return result


def _width(text: str) -> int:
    return len(text)


def _quoted(text: str, scalar: _Scalar) -> str:
    """As YAML wants it there; in quotes where it was, or where it would be taken for something else."""
    if scalar.style == "'":
        return "'" + text.replace("'", "''") + "'"
    if scalar.style == '"' or not _is_plain(text, scalar.flow):
        return json.dumps(text, ensure_ascii=False)
    return text


def _is_plain(text: str, flow: bool) -> bool:
    if not text or text != text.strip() or text.startswith(_INDICATORS) or text in ("true", "false", "null", "~"):
        return False
    if re.fullmatch(r"-?[0-9.]+", text):
        return True  # a number stays one
    if ": " in text or " #" in text or text.endswith(":"):
        return False
    return not (flow and re.search(r"[,\[\]{}]", text))


def _scalars(text: str) -> dict[tuple[int, int], _Scalar]:
    """All scalars of a file, by where they begin."""
    found: dict[tuple[int, int], _Scalar] = {}
    stack: list[list[Any]] = []  # of open collections: is it a map, is it in brackets, how many entries there were
    for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        kind = type(event)
        if kind in (MappingEndEvent, SequenceEndEvent):
            stack.pop()
        is_key = bool(stack and stack[-1][0] and stack[-1][2] % 2 == 0)
        if stack and hasattr(event, "anchor") or kind in (ScalarEvent,):
            if stack:
                stack[-1][2] += 1
        if kind in (MappingStartEvent, SequenceStartEvent):
            stack.append([kind is MappingStartEvent, bool(event.flow_style), 0])
        if kind is ScalarEvent:
            start, end = event.start_mark.index, event.end_mark.index
            line, column = event.start_mark.line + 1, event.start_mark.column + 1
            if event.anchor is not None and (skipped := re.match(r"&\S+[ \t]+", text[start:end])):
                start, column = start + skipped.end(), column + skipped.end()
            if not event.style:
                end = start + len(text[start:end].rstrip())
            flow = bool(stack and stack[-1][1])
            found[line, column] = _Scalar(start, end, event.style or None, flow, is_key, column)
    return found


def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer("\r\n|[\n\r\x85\u2028\u2029]", text))]
