"""Rule files in a language of people, read as the rules language: the front of the loader.

A file that begins with `language: ca` has its keys and its expressions in that language. Here it becomes the same data
as if it had been written in the words of the rules language, and everything in it still knows its place and its words.
In any file an expression may be a sentence of a language, `{ca: …}`: see `Sentence`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from .errors import Keyword, Place, Problems, RulesError, did_you_mean, problem
from .idiom import CODE, HEADER, PLAIN, Idiom, idiom, idioms
from .keywords import NAME, STEP_VERBS
from .load import Map, SaidPath, Sentence, Seq, TextPlace, load_file
from .parse import explain
from .phrasing import TERMINALS, THE, Ambiguous, Piece, SaidPlace, TooHard, Unread, joined
from .schema import schema
from .shapes import ALL, LISTED, MIXED, NESTED, PARSED, SHAPES, Each, Shape, kind_of

__all__ = [
    "FIXED",
    "NUMBERED",
    "TRUTHS",
    "Walk",
    "load_rules",
    "parsed",
    "retold",
    "said_path",
    "small_words",
    "written_in",
]

TRUTHS = {"true": True, "false": False}
PATH_KINDS = tuple(dict.fromkeys(("step", "alternative", "part", "some", "match", *SHAPES)))  # paths are most of steps
FIXED = ("never", "solid", "dashed", "yes or no")
NUMBERED = "numbered"  # before a kind of thing, among the phrases


def load_rules(
    path: Path, name: str | None = None, folders: tuple[Path, ...] = (), also: set[Path] | None = None
) -> Map:
    """A rule file in whatever language, as data in the rules language; `also` gets the files it took."""
    return retold(load_file(path, name), folders, also)


def retold(data: Map, folders: tuple[Path, ...] = (), also: set[Path] | None = None, shape: str = "file") -> Map:
    """The data of a rule file, a scenario or what somebody noted, in the rules language."""
    found = written_in(data, folders)
    if found is not None:
        if also is not None:
            also.add(found.path)
        return Retelling(found, data, folders).file(data, shape)
    if shape != "file":
        return data
    return Walk(None, folders).file(data) if PLAIN_HEADER in data else _with_sentences(data, folders)


PLAIN_HEADER = HEADER[0]


def written_in(data: Map, folders: tuple[Path, ...] = ()) -> Idiom | None:
    """The language that a file says it is written in; None if that is the rules language. It stands in the first line,
    so that a file without it costs nothing."""
    first = next(iter(data), "")
    if not data or first in SHAPES["file"]:
        return None
    code = data[first]
    if isinstance(code, str) and CODE.match(code) and (first != PLAIN_HEADER or code != PLAIN):
        found = idiom(code, folders)
        if found is not None and first.casefold() in (PLAIN_HEADER, found.header[PLAIN_HEADER].casefold()):
            return found
        if first == PLAIN_HEADER:
            known = ", ".join((*idioms(folders), PLAIN))
            raise RulesError(problem("language_unknown", data.value_at[first], len(code), name=code, languages=known))
    return None


def _without(data: Map, *keys: str) -> Map:
    result = Map(data.at)
    for key in data:
        if key not in keys:
            result[key], result.key_at[key], result.value_at[key] = data[key], data.key_at[key], data.value_at[key]
    return result


def _with_sentences(data: Map, folders: tuple[Path, ...]) -> Map:
    """With every `{ca: …}` that is an expression. Most files mention no language, and are not looked through."""
    mentioned = _mention(idioms(folders)).search(data.at.source.text)
    return data if mentioned is None else Walk(None, folders).file(data)


@lru_cache(maxsize=16)
def _mention(codes: tuple[str, ...]) -> re.Pattern[str]:
    """The code of a language as a key."""
    return re.compile(rf"(?<![^\s{{])(?:{'|'.join(codes)}|{PLAIN}):\s")


Told = tuple[Any, Place]


def parsed(words: Idiom, how: str, said: str, place: Place) -> Told:
    """What is said in the words of a language, in those of the rules language."""
    try:
        text, pieces = words.phrasing.read(said, how)
    except Ambiguous:
        brackets = " … ".join(words.phrasing.brackets or "()")
        raise RulesError(problem("expression_two_ways", place, len(said), brackets=brackets)) from None
    except TooHard:
        raise RulesError(problem("sentence_too_hard", place, len(said))) from None
    except Unread as found:
        raise RulesError(explain(said, how, TextPlace(place, said), found.args[0], words.phrasing)) from None
    return text, SaidPlace.of(place, said, text, pieces)


def spoken(words: Idiom, said: str, place: Place) -> Told:
    """The same of an expression; what is none may be a sentence of the game, which is known later."""
    try:
        return parsed(words, "expression", said, place)
    except RulesError as error:
        return Sentence.of(said, words.code, error.problems[0]), place


def said_path(words: Idiom, said: str) -> SaidPath:
    """A path in the words of a language: of keys and heads, of names of authors."""
    return SaidPath.of(said, [_path_names(words, name.strip()) for name in said.strip("/").split("/")])


def _path_names(words: Idiom, said: str) -> list[str]:
    """What a name in a path can be."""
    found = [key for kind in PATH_KINDS if (key := words.read(kind).get(said.casefold())) is not None]
    try:
        named = words.phrasing.read(said, "head")[0]
    except (Unread, Ambiguous, TooHard):
        named = "-".join(map(words.phrasing.name, said.split("-")))
    return [*dict.fromkeys(key for key in found if key != named), named]


def small_words(words: Idiom) -> dict[str, str]:
    """Articles, prepositions, and: with the word of the rules language that each of them stands for."""
    several = (*TERMINALS["PREPOSITION"], "and", "or", "of", "to", "a", THE)
    known = words.phrasing.words
    return {part.casefold(): key for key in several for word in known.get(key, ()) for part in word.split()}


class Walk:
    """Goes through a file, and calls what it finds by what it is. As it stands it changes nothing but sentences."""

    def __init__(self, words: Idiom | None, folders: tuple[Path, ...] = ()):
        self.words, self.folders = words, folders
        self.spoken = {*idioms(folders), PLAIN}
        self.texts_in = PLAIN if words is None else words.code
        self.problems = Problems()
        self.guessed = 0  # of the problems: in how many of them what is meant was put there

    # --- what is found ------------------------------------------------------------------------------------------------
    def key(self, kind: str, said: str, place: Place, home: Map) -> Told:
        """A key of the language, as `kind` has it; what is none stays as it is."""
        return said, place

    def authored(self, how: str, said: str, place: Place) -> Told:
        """A key of the author: a name, a head, an expression."""
        return said, place

    def value(self, how: str, said: Any, place: Place) -> Told:
        """What is no map and no list."""
        return said, place

    def sentence(self, code: str, said: str, place: Place, home: Map) -> Told:
        """An expression that is said in a language of its own: in the words of that language, or as people say it."""
        if code == PLAIN:
            return said, place
        found = idiom(code, self.folders)
        return (said, place) if found is None else spoken(found, said, place)

    def by_path(self, said: str, home: Map, added: bool) -> Shape:
        """What stands at a path under `change` or `add`: here it is not known yet, see `late`."""
        return "by path"

    def text(self, said: Any, place: Place) -> Told:
        """A text is in the language of the file. Names that the language gives, {winners}, are in that of the text."""
        if isinstance(said, Map):
            if self.words is None:
                return said, place
            result = Map(said.at)
            for code in said:
                result[code], result.key_at[code] = self._names(said[code], code), said.key_at[code]
                result.value_at[code] = said.value_at[code]
            return result, place
        if not isinstance(said, str) or self.texts_in == PLAIN:
            return said, place
        result = Map(place)
        result[self.texts_in], result.key_at[self.texts_in] = self._names(said, self.texts_in), place
        result.value_at[self.texts_in] = place
        return result, place

    def _names(self, said: Any, code: str) -> Any:
        words = idiom(code, self.folders) if code != PLAIN else None
        if words is None or not isinstance(said, str):
            return said
        return re.sub(r"\{(\w+)", lambda found: "{" + words.phrasing.name(found[1]), said)

    # --- the way ------------------------------------------------------------------------------------------------------
    def file(self, data: Map, shape: str = "file") -> Map:
        header = self.header(data)
        for key in header[1:]:
            if isinstance(data[key], str) and CODE.match(data[key]):
                self.texts_in = data[key]
            else:
                self.problems.append(
                    problem("language_unknown", data.value_at[key], name=str(data[key]), languages="ca, de, …")
                )
        result, _ = self.go(_without(data, *header), shape, data.at)
        if self.problems:
            error = RulesError(self.problems)
            error.mended = result if self.guessed == len(self.problems) else None
            raise error
        found: Map = result
        return found

    def header(self, data: Map) -> list[str]:
        """The keys at the beginning that say in which language a file is written, and its texts."""
        own = self.words.header if self.words is not None else dict(zip(HEADER, HEADER))
        found = []
        for key, wanted in zip(data, HEADER):
            if key.casefold() not in (wanted, own[wanted].casefold()):
                break
            found.append(key)
        return found

    def meaning(self, kind: str, said: str) -> str | None:
        """Which key of the rules language this is."""
        if self.words is None:
            return said if said in ALL[kind] else None
        return self.words.read(kind).get(said.casefold())

    def go(self, node: Any, shape: Shape, place: Place) -> Told:
        if isinstance(shape, Each):
            return self._each(node, shape, place)
        if isinstance(node, Map):
            return self._map(node, shape, place)
        if isinstance(node, Seq):
            return self._list(node, shape, place)
        return self._scalar(node, shape, place)

    def _each(self, node: Any, shape: Each, place: Place) -> Told:
        if not isinstance(node, Map):
            return node, place
        if shape.value == "by path":
            result = self._made(node, lambda key, at: (*self.authored("path", key, at), self.by_path(key, node, False)))
            result.late = self.late
        else:
            result = self._made(node, lambda key, at: (*self.authored(shape.key, key, at), shape.value))
        return result, place

    def _map(self, node: Map, shape: str, place: Place) -> Told:
        if shape == "text":
            return self.text(node, place)
        if shape in ("expression", "amount", "rows", "cell", "word", "part", "asked") and (code := self._said_in(node)):
            return self.sentence(code, node[code], node.value_at[code], node)
        if shape in LISTED:
            known = kind_of(shape, list(node), lambda kind: _Known(self, kind))
            if isinstance(known, Each):
                return self._each(node, known, place)
            shape = known
        if shape in NESTED:
            return self.go(node, NESTED[shape], place)
        if shape in MIXED:
            return self._made(node, lambda key, at: self._mixed(shape, key, at, node)), place
        if shape not in ALL:
            return node, place
        result = self._made(node, lambda key, at: self._keyed(shape, key, at, node))
        if shape == "added":
            result.late = self.late
        return result, place

    def late(self, node: Any, shape: Shape, place: Place) -> Told:
        """What stands at a path: which shape it has, is known when the path has been followed."""
        self.problems = Problems()
        told = self.go(node, shape, place)
        if self.problems:
            raise RulesError(self.problems)
        return told

    def _keyed(self, kind: str, said: str, at: Place, home: Map) -> tuple[str, Place, Shape]:
        key = self.meaning(kind, said)
        if kind == "added" and key is None and "/" in said:
            return (*self.authored("path", said, at), self.by_path(said, home, True))
        told, place = self.key(kind, said, at, home)
        if key is None and told != said:  # what seems to be meant
            key = told
        return told, place, "plain" if key is None else ALL[kind].get(key, "plain")

    def _mixed(self, shape: str, said: str, at: Place, home: Map) -> tuple[str, Place, Shape]:
        """Keys of the author, and some of the language among them."""
        kind, own, value = MIXED[shape]
        key = self.meaning(kind, said)
        if key in own:
            return (*self.key(kind, said, at, home), ALL[kind][key])
        return (*self.authored("name", said, at), value)

    def _made(self, node: Map, told: Callable[[str, Place], tuple[Any, Place, Shape]]) -> Map:
        result = Map(node.at)
        for said in node:
            key, at, shape = told(said, node.key_at[said])
            if key in result:
                line = result.key_at[key].line
                self.problems.append(problem("key_twice", at, len(key), key=said, line=line))
                continue
            result.key_at[key] = at
            result[key], result.value_at[key] = self.go(node[said], shape, node.value_at[said])
        return result

    def _list(self, node: Seq, shape: str, place: Place) -> Told:
        if shape in ("plain", "by path", "option type"):
            return node, place
        inner = {"things": "name", "members": "name", "linked": "name", "rows": "cell"}.get(shape, shape)
        result = Seq(node.at)
        for index, item in enumerate(node):
            value, at = self.go(item, inner, node.value_at[index])
            result.append(value)
            result.value_at.append(at)
        return result, place

    def _scalar(self, node: Any, shape: str, place: Place) -> Told:
        if shape == "text":
            return self.text(node, place)
        how = {"rows": "cell", "word": "expression", "part": "expression"}.get(shape, shape)
        how = {"option": "setting", "settings": "setting", "steps": "value"}.get(how, how)
        return (node, place) if how in ("plain", "by path", *ALL) else self.value(how, node, place)

    def _said_in(self, node: Map) -> str | None:
        """The language of a map that is one sentence."""
        if len(node) != 1:
            return None
        code, said = next(iter(node.items()))
        if code not in self.spoken or not isinstance(said, str):
            return None
        return code if code not in ("no",) or " " in said else None  # no can be a thing, too, and yes


class _Known:
    """The keys of a kind, as they are written in a file."""

    def __init__(self, walk: Walk, kind: str):
        self.walk, self.kind = walk, kind

    def __contains__(self, key: str) -> bool:
        return self.walk.meaning(self.kind, key) is not None


def _one_sign_off(said: str, words: list[str]) -> str | None:
    """Where words are short, as those written in signs for whole words: the only one with all signs but one."""
    if said.isascii():
        return None
    near = [w for w in words if len(w) == len(said) > 1 and sum(a != b for a, b in zip(w, said)) == 1]
    return near[0] if len(near) == 1 else None


class Retelling(Walk):
    """The same file in the words of the rules language."""

    words: Idiom

    def __init__(self, words: Idiom, data: Map, folders: tuple[Path, ...]):
        super().__init__(words, folders)
        source = data.at.source
        source.cited, source.phrased, source.language = words.cited, words.phrased, words.code
        self.truths = {words.values[key].casefold(): truth for key, truth in TRUTHS.items() if key in words.values}

    def key(self, kind: str, said: str, place: Place, home: Map) -> Told:
        key = self.meaning(kind, said)
        if key is not None:
            return key, SaidPlace.whole(place, said, key)
        known = self.words.keys(kind)
        allowed = [words[0] for key, words in known.items() if key in self._possible(kind, home)]
        if said in known:
            meant: str | None = known[said][0]  # the word of the rules language
        else:
            every = [word for words in known.values() for word in words]
            meant = did_you_mean(said, every) or _one_sign_off(said, allowed)
        there = {found.casefold() for found in home}
        left = tuple(Keyword(word) for word in allowed if word.casefold() not in there)
        key, meant = Keyword(said), Keyword(meant or "")
        self.problems.append(problem("unknown_key", place, len(said), key=key, meant=meant, allowed=left))
        wanted = self.meaning(kind, meant)
        if wanted is None or meant.casefold() in there:
            return said, place
        self.guessed += 1
        return wanted, SaidPlace.whole(place, said, wanted)

    def _possible(self, kind: str, home: Map) -> set[str]:
        """The keys that may stand there: of a step, those that go with its verb."""
        if kind != "step":
            return set(ALL[kind])
        verbs = {self.meaning(kind, key) for key in home} & set(STEP_VERBS)
        for case in schema()["$defs"]["step"]["allOf"]:
            if case["if"]["required"][0] in verbs:
                return set(case["then"]["propertyNames"]["enum"])
        return set(SHAPES[kind])

    def authored(self, how: str, said: str, place: Place) -> Told:
        if how == "path":
            return said_path(self.words, said), place
        if how == "setting":
            truth = self.truths.get(said.casefold())
            return (said, place) if truth is None else (str(truth).lower(), SaidPlace.whole(place, said, str(truth)))
        if how == "row":
            parts = [self.words.phrasing.name(part) for part in said.split("-")]
            return self._named("-".join(parts), said, place)
        if how == "phrase":
            begin = self.words.values.get(NUMBERED, NUMBERED) + " "
            if said.casefold().startswith(begin.casefold()):
                return self._named(f"{NUMBERED} {self.words.phrasing.name(said[len(begin) :])}", said, place)
            how = "head"
        return self.value(how, said, place)

    def value(self, how: str, said: Any, place: Place) -> Told:
        if not isinstance(said, str):
            return said, place
        if how in ("truth", "setting", "expression", "cell") and said.casefold() in self.truths:
            return self.truths[said.casefold()], SaidPlace.whole(place, said, str(self.truths[said.casefold()]))
        if how in ("value", "option type", "type", "head"):
            for word, key in self.words.read_values.items():
                if said.casefold() == word and key in FIXED:
                    return key, SaidPlace.whole(place, said, key)
        if how == "name" or (how == "option type" and re.fullmatch(NAME, said)):
            return self._named(self.words.phrasing.name(said), said, place)
        if how == "path":
            return said_path(self.words, said), place
        if how == "choice":
            return self._choice(said, place)
        if how == "asked":
            try:
                return parsed(self.words, "binding", said, place)
            except RulesError:
                how = "expression"
        if how not in (*PARSED, "cell"):
            return said, place
        if how in ("expression", "cell"):
            try:
                return parsed(self.words, "amount" if how == "cell" else how, said, place)  # a cell may be either
            except RulesError:
                return spoken(self.words, said, place)
        try:
            return parsed(self.words, how, said, place)
        except RulesError as error:
            truth = self.words.values.get("yes or no", "")
            if how == "type" and did_you_mean(said, [truth]):
                whole = problem(
                    "unexpected_word", place, len(said), word=Keyword(said), expected=(), meant=Keyword(truth)
                )
                self.problems.append(whole)
                self.guessed += 1
                return "yes or no", SaidPlace.whole(place, said, "yes or no")
            self.problems += error.problems
            return said, place

    def _named(self, name: str, said: str, place: Place) -> Told:
        return (name, place) if name == said else (name, SaidPlace.whole(place, said, name))

    def _choice(self, said: str, place: Place) -> Told:
        """A choice or a line of a log: names, and small words for the reader."""
        words = [Piece(self._small(found[0]), found.start(), found.end()) for found in re.finditer(r"[^\s,;]+", said)]
        text, pieces = joined(words)
        return text, SaidPlace.of(place, said, text, pieces)

    def _small(self, word: str) -> str:
        small = word.casefold()
        return THE if small in self.small else self.words.phrasing.name(word)

    @cached_property
    def small(self) -> dict[str, str]:
        return small_words(self.words)
