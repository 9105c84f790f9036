"""Strict YAML in which every node knows its place.

The data is built from the parser's events, without recursion, so that depth, size and aliases stay under control.
Only `true`, `false`, `null`, `~` and decimal numbers are more than text: `no`, `on`, `012` and `12:30` stay words.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from .errors import INVISIBLE, Place, Problem, Problems, RulesError, Source, did_you_mean, problem
from .files import read_bytes

__all__ = [
    "Map",
    "Meanings",
    "SaidPath",
    "Sentence",
    "Seq",
    "TextPlace",
    "load_file",
    "load_text",
    "place_in",
    "text_in",
]

MAX_BYTES = 1_000_000
MAX_NODES = 50_000
MAX_DEPTH = 60
MAX_TEXT = 20_000
MAX_DIGITS = 9

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_BEGINS = "-0123456789"
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(?:\.([0-9]+))?")
_FORBIDDEN = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BREAKS = re.compile("[\r\x85]")  # written as an escape they would only look like the end of a line
_DIRECTIVE = re.compile("(?:\\A|(?<=[\n\r\x85\u2028\u2029]))%")
_ANCHOR = re.compile(r"&\S+[ \t]+(?=[^\s#])")
_CLOSING = {"[": "]", "{": "}"}


_tuple = tuple.__new__  # of a text with thousands of nodes each has a place


class Map(dict[str, Any]):
    """A mapping; `key_at` and `value_at` tell where each key and its value stand."""

    __slots__ = ("at", "key_at", "late", "value_at")

    def __init__(self, at: Place) -> None:
        super().__init__()
        self.at = at
        self.key_at: dict[str, Place] = {}
        self.value_at: dict[str, Place] = {}
        self.late: Callable[[Any, Any, Place], tuple[Any, Place]] | None = None  # reads what hangs on a path


class Seq(list[Any]):
    """A list; `value_at` tells where each entry stands."""

    __slots__ = ("at", "value_at")

    def __init__(self, at: Place) -> None:
        super().__init__()
        self.at = at
        self.value_at: list[Place] = []


Meanings = Sequence[Sequence[str]]


class SaidPath(str):
    """A path as it is written in another language; for each of its names what it can be in the rules language: a key
    of that language first, and last the name of an author."""

    meanings: Meanings

    @classmethod
    def of(cls, said: str, meanings: Meanings) -> SaidPath:
        self = cls(said)
        self.meanings = meanings
        return self


class Sentence(str):
    """An expression that is said in a language of people, to be understood where it stands; `mistake` is what is wrong
    with it as an expression of that language, if it was looked at as one."""

    code: str
    mistake: Problem | None

    @classmethod
    def of(cls, said: str, code: str, mistake: Problem | None = None) -> Sentence:
        self = cls(said)
        self.code, self.mistake = code, mistake
        return self


def text_in(entry: Mapping[str, Any], key: str) -> str | dict[str, str]:
    """A text: in English, or one per language; empty, if there is none."""
    value = entry.get(key)
    if isinstance(value, Map):
        return {language: str(said) for language, said in value.items()}
    return "" if value is None else str(value)


def load_file(path: str | os.PathLike[str], name: str | None = None) -> Map:
    """Read a rule file; `name` is what messages call it. Raises RulesError, and nothing else, for a bad file."""
    name = str(path) if name is None else name
    data = read_bytes(path, MAX_BYTES, name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Source(name, data.decode("utf-8", "replace")).place(len(data[: error.start].decode("utf-8")))
        raise RulesError(problem("file_not_utf8", place, byte=f"0x{data[error.start]:02X}")) from None
    return load_text(text, name)


def load_text(text: str, name: str) -> Map:
    """Read the text of a rule file. Raises RulesError with every problem that could be found."""
    source = Source(name, text.removeprefix("\ufeff"))
    if len(text) > MAX_BYTES:
        raise RulesError(problem("file_too_big", Place(source, 1, 1), limit=MAX_BYTES))
    if found := _FORBIDDEN.search(source.text) or INVISIBLE.search(source.text):
        code = f"U+{ord(found[0]):04X}"
        raise RulesError(problem("character_forbidden", source.place(found.start()), character=code))
    # The parser compares each directive with all others; thousands of them would hold it up for minutes.
    if found := _DIRECTIVE.search(source.text):
        raise RulesError(problem("directive", source.place(found.start())))
    builder = _DataBuilder(source)
    try:
        for event in iter(_LOADER(source.text).get_event, None):
            builder.take(event)
    except yaml.YAMLError as error:
        builder.problems.append(_syntax(error, builder))
    except (ValueError, OverflowError):  # the parser in Python lets impossible escapes through to chr()
        builder.problems.append(problem("yaml", Place(source, 1, 1)))
    if not builder.problems and not isinstance(builder.root, Map):
        builder.refuse_root()
    if builder.problems:
        raise RulesError(builder.problems)
    root: Map = builder.root
    return root


def place_in(place: Place, value: str, offset: int) -> Place:
    """Where the character value[offset] stands, for a text that begins at `place`.

    The text may be quoted or go over several lines: characters are counted, blanks are not.
    """
    source, line, column = place
    style = source.line(line)[column - 1 : column]
    if style == "*":  # an alias: the text itself stands elsewhere
        return place
    if style in ("|", ">"):
        line, column = line + 1, 1
    elif style in ("'", '"'):
        column += 1
    wanted = sum(not c.isspace() for c in value[:offset])
    on_blank = offset >= len(value) or value[offset].isspace()
    last = source.text.count("\n") + source.text.count("\r") + line
    while line <= last:
        rest = source.line(line)
        while column <= len(rest):
            if on_blank and not wanted:
                return Place(source, line, column)
            size, blank = _written(rest, column - 1, style)
            if not blank:
                if not wanted:
                    return Place(source, line, column)
                wanted -= 1
            column += size
        if on_blank and not wanted:
            return Place(source, line, column)
        line, column = line + 1, 1
    return place


class TextPlace(Place):
    """The place of a text that knows the text, and so where each of its characters stands."""

    text: str
    foreign = False

    def __new__(cls, place: Place, text: str) -> TextPlace:
        if isinstance(place, TextPlace) and place.foreign and cls is TextPlace:
            return place  # what was read here is written there in other words
        self = super().__new__(cls, *place)
        self.text = text
        return self

    def shifted(self, offset: int) -> Place:
        return place_in(Place(*self), self.text, offset)


def _written(line: str, index: int, style: str) -> tuple[int, bool]:
    """How many characters of the line write one character of the text, and whether that is a blank."""
    if style == "'" and line.startswith("''", index):
        return 2, False
    if style == '"' and line[index] == "\\":
        escaped = line[index + 1 : index + 2]
        return {"x": 4, "u": 6, "U": 10}.get(escaped, 2), escaped in " \tntvfrNLP_"
    return 1, line[index].isspace()


class _Anchored(NamedTuple):
    """An anchored node, with its size and height when all aliases in it are written out."""

    node: Any
    size: int
    height: int


class _Frame:
    """A container that is still being filled."""

    __slots__ = ("anchor", "height", "key", "key_place", "node", "place", "size")

    def __init__(self, node: Map | Seq, place: Place, anchor: str | None) -> None:
        self.node = node
        self.place = place
        self.anchor = anchor
        self.size = 1
        self.height = 1
        self.key: Any = None  # of a mapping: the key whose value comes next
        self.key_place: Place | None = None


_REFUSED = object()  # a key that has been reported: its value is read, checked and dropped


class _DataBuilder:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems = Problems()
        self.root: Any = None
        self.root_place: Place | None = None
        self.stack: list[_Frame] = []
        self.known: dict[str, _Anchored | None] = {}  # None while the anchored node is open
        self.nodes = 0
        self.documents = 0

    def take(self, event: yaml.Event) -> None:
        kind = type(event)
        if kind is ScalarEvent:
            self.scalar(event)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            self.open(event, Map if kind is MappingStartEvent else Seq)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            frame = self.stack.pop()
            if frame.anchor is not None:
                self.known[frame.anchor] = _Anchored(frame.node, frame.size, frame.height)
            self.put(frame.node, frame.place, frame.size, frame.height)
        elif kind is AliasEvent:
            self.alias(event)
        elif kind is DocumentStartEvent:
            self.documents += 1
            if self.documents > 1:
                self.stop("second_document", self.place(event.start_mark), 3)

    def place(self, mark: Any) -> Place:
        return Place(self.source, mark.line + 1, mark.column + 1)

    def report(self, code: str, place: Place | None, length: int = 1, **args: str | int) -> None:
        self.problems.append(problem(code, place, length, **args))

    def stop(self, code: str, place: Place, length: int = 1, **args: str | int) -> None:
        self.report(code, place, length, **args)
        raise RulesError(self.problems)

    def refuse_root(self) -> None:
        place = self.root_place
        if self.root is None and (place is None or not self.source.line(place.line)[place.column - 1 :].strip()):
            self.report("file_empty", Place(self.source, 1, 1))
        else:
            self.report("root_not_map", place)

    def count(self, size: int, place: Place) -> None:
        self.nodes += size
        if self.nodes > MAX_NODES:
            self.stop("too_many_nodes", place, limit=MAX_NODES)

    def properties(self, event: Any, place: Place) -> None:
        """The tag and the anchor before a node."""
        if event.tag is not None:
            self.report("tag", place, tag=_word(place))
        if event.anchor is not None:
            if event.anchor in self.known:
                self.report("anchor_twice", place, len(event.anchor) + 1, name=event.anchor)
            self.known[event.anchor] = None

    def open(self, event: Any, container: type[Map | Seq]) -> None:
        place = self.place(event.start_mark)
        if len(self.stack) >= MAX_DEPTH:
            self.stop("too_deep", place, limit=MAX_DEPTH)
        self.count(1, place)
        if event.anchor is not None or event.tag is not None:
            self.properties(event, place)
        self.stack.append(_Frame(container(place), place, event.anchor))

    def alias(self, event: Any) -> None:
        place, name = self.place(event.start_mark), event.anchor
        length = len(name) + 1
        node, size, height = None, 1, 0
        if name not in self.known:
            # Only the nearest anchors above: a hostile file could have thousands to compare with.
            if guess := did_you_mean(name, list(self.known)[-100:]):
                self.report("alias_unknown_guess", place, length, name=name, guess=guess)
            else:
                self.report("alias_unknown", place, length, name=name)
        elif (anchored := self.known[name]) is None:
            self.report("alias_cycle", place, length, name=name)
        else:
            node, size, height = anchored
        if len(self.stack) + height > MAX_DEPTH:
            self.stop("too_deep", place, length, limit=MAX_DEPTH)
        self.count(size, place)
        self.put(node, place, size, height)

    def scalar(self, event: Any) -> None:
        mark, value = event.start_mark, event.value
        place = _tuple(Place, (self.source, mark.line + 1, mark.column + 1))
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.count(0, place)
        if event.anchor is not None or event.tag is not None:
            self.properties(event, place)
            if found := _ANCHOR.match(self.source.line(place.line), place.column - 1):
                place = place.shifted(found.end() - found.start())
        if len(value) > MAX_TEXT:
            self.report("text_too_long", place, limit=MAX_TEXT)
        elif event.style == '"' and (found := INVISIBLE.search(value) or _BREAKS.search(value)):
            self.report("text_control", place, character=f"U+{ord(found[0]):04X}")
        plain = event.implicit[0] and not event.style
        frame = self.stack[-1] if self.stack else None
        if frame is not None and frame.key is None and type(frame.node) is Map:
            node = frame.key = self.key(frame.node, value, plain, place)
            frame.key_place = place
            frame.size += 1
        else:
            node = self.plain(value, place) if plain else value
            self.put(node, place, 1, 0)
        if event.anchor is not None:
            self.known[event.anchor] = _Anchored(None if node is _REFUSED else node, 1, 0)

    def key(self, home: Map, value: str, plain: bool, place: Place) -> Any:
        if plain:
            if value == "":
                self.report("key_empty", place)
                return _REFUSED
            if value == "<<":
                self.report("merge_key", place, 2)
                return _REFUSED
            number = value[0] in _BEGINS and _NUMBER.fullmatch(value)
            if value in _WORDS or (number and (number[2] or len(number[1]) > MAX_DIGITS)):
                self.report("key_needs_quotes", place, len(value), key=value)
                return _REFUSED
        if value in home.key_at:
            self.report("key_twice", place, len(value), key=value, line=home.key_at[value].line)
            return _REFUSED
        home.key_at[value] = place
        return value

    def plain(self, value: str, place: Place) -> Any:
        """What an unquoted value means."""
        if value in _WORDS:
            return _WORDS[value]
        if value[0] not in _BEGINS or not (number := _NUMBER.fullmatch(value)):
            return value
        whole, fraction = number.groups()
        if len(whole) > MAX_DIGITS or (fraction and len(fraction) > MAX_DIGITS):
            self.report("number_too_long", place, len(value), number=value, limit=MAX_DIGITS)
            return None
        return float(value) if fraction else int(value)

    def put(self, node: Any, place: Place, size: int, height: int) -> None:
        """Hand a finished node to the container it stands in."""
        if not self.stack:
            self.root, self.root_place = node, place
            return
        frame = self.stack[-1]
        frame.size += size
        if height >= frame.height:
            frame.height = height + 1
        parent = frame.node
        if type(parent) is Seq:
            parent.append(node)
            parent.value_at.append(place)
        elif frame.key is None:
            self.report("key_not_text", place)
            frame.key = _REFUSED
        else:
            if frame.key is not _REFUSED:
                parent[frame.key] = node
                parent.value_at[frame.key] = place
            frame.key = None


def _word(place: Place) -> str:
    """The run of characters up to the next blank, past an anchor if one stands first."""
    words = place.source.line(place.line)[place.column - 1 :].split()
    return next((word for word in words if word.startswith("!")), "!")


def _syntax(error: yaml.YAMLError, builder: _DataBuilder) -> Problem:
    """Our own words for what the parser says; its two versions (C, Python) say it differently."""
    source = builder.source
    mark = error.problem_mark or error.context_mark if isinstance(error, yaml.MarkedYAMLError) else None
    if not isinstance(error, yaml.MarkedYAMLError) or mark is None:
        return problem("yaml", Place(source, 1, 1))
    said, context = error.problem or "", error.context or ""
    here = builder.place(mark)
    opened = builder.place(error.context_mark) if error.context_mark else here
    line = source.line(here.line)
    before, character = line[: here.column - 1], line[here.column - 1 : here.column]
    at_end = not source.text[mark.index :].strip()
    if at_end:
        here = source.place(len(source.text.rstrip()))

    if "tab character" in said or ("cannot start any token" in said and character == "\t"):
        return problem("tab_indent", here)
    if "quoted scalar" in context and ("end of stream" in said or "document" in said):
        return problem("quote_open", opened, quote=_character(opened))
    if "escape" in said or "hexdec" in said:
        start = line.rfind("\\", 0, here.column)
        return problem("bad_escape", here._replace(column=start + 1) if start >= 0 else here, 2)
    if at_end and "node content" in said and builder.stack:
        opened = builder.stack[-1].place
    if "',' or '" in said or ("node content" in said and at_end):
        bracket = _character(opened)
        if bracket in _CLOSING and (at_end or opened.line != here.line):
            return problem("bracket_open", opened, open=bracket, close=_CLOSING[bracket], line=here.line)
        return problem("comma_missing", here, close="]" if "']'" in said else "}")
    structural = any(words in said for words in ("expected key", "'-' indicator", "<block end>", "<document start>"))
    if character == ":" and (structural or "node content" in said):
        return problem("key_empty", here)
    if "node content" in said and "flow" in context:
        return problem("value_missing", here, character=character)
    if "mapping values are not allowed" in said:
        if ": " in before:
            return problem("colon_in_text", here)
        indent = len(before) - len(before.lstrip())
        return problem("key_misplaced", here._replace(column=indent + 1), max(1, len(before) - indent))
    if "could not find expected ':'" in said:
        return problem("colon_missing", opened, max(1, len(source.line(opened.line)) - opened.column + 1))
    if "sequence entries are not allowed" in said:
        return problem("dash_misplaced", here)
    if "alphabetic or numeric" in said and _character(opened) in ("&", "*"):
        return problem("anchor_name", opened, character=_character(opened))
    if "block scalar" in context:
        return problem("block_header", opened, character=_character(opened))
    if "tag" in said or "tag" in context:
        return problem("tag", opened, tag=_word(opened))
    if character and ("cannot start" in said or "keys are not allowed" in said or "node content" in said):
        return problem("bad_start", here, character=character)
    if structural:
        if not before.strip():
            return problem("indentation", here)
        if before.rstrip().endswith(("'", '"')):
            return problem("after_quote", here)
        if before.rstrip().endswith(("]", "}")):
            return problem("after_bracket", here)
    return problem("yaml", here)


def _character(place: Place) -> str:
    return place.source.line(place.line)[place.column - 1 : place.column]
