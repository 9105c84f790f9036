"""How rule files are written in a language of people: the words for their keys and for the words of expressions.

All of it is data, `keys.yaml` in the folder of a language; the interpreter knows no language. A file that begins with
`language: ca`, or with the word of that language for it, is read through this (see `retelling.py`); others never load
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from .errors import RulesError
from .load import Map, load_file
from .phrasing import ENGLISH, Phrasing
from .shapes import ALL, BESIDE, SHAPES

__all__ = ["CODE", "HEADER", "Idiom", "LOCALES", "PLAIN", "idiom", "idioms"]

LOCALES = Path(__file__).resolve().parent.parent / "locales"
PLAIN = "en"  # the language whose words the rules language has
HEADER = ("language", "texts")  # which language a file is written in; which its texts are in, if that is another
CODE = re.compile(r"[a-z]{2,3}\Z")
VALUES = ("true", "false", "never", "solid", "dashed", "yes or no", "numbered")
NAMES = ("all", "number", "amount", "game", "who", "winners", "shown")  # that the language itself gives


class Idiom:
    """The words of one language."""

    def __init__(self, code: str, path: Path, data: Map):
        self.code, self.path, self.data = code, path, data
        said_values = {key: _several(said) for key, said in _part(data, "values").items()}
        self.values: dict[str, str] = {key: words[0] for key, words in said_values.items()}
        self.read_values = {word.casefold(): key for key, words in said_values.items() for word in words}
        self.names: dict[str, str] = {key: str(said) for key, said in _part(data, "names").items()}
        self._keys: dict[str, dict[str, list[str]]] = {}

    @property
    def header(self) -> dict[str, str]:
        return {key: str(self.data.get(key) or key) for key in HEADER}

    @cached_property
    def phrasing(self) -> Phrasing:
        words = {key: _several(said) for key, said in _part(self.data, "words").items()}
        forms = {key: str(form) for key, form in _part(self.data, "forms").items()}
        return Phrasing(
            words, forms, str(self.data.get("brackets") or ""), self.names, concord=bool(self.data.get("concord"))
        )

    def keys(self, kind: str) -> dict[str, list[str]]:
        """The keys of a kind of map: for each all words that are read, the one that is written first."""
        if kind not in self._keys:
            usual, here = _part(self.data, "keys"), _part(_part(self.data, "in"), kind)
            self._keys[kind] = {key: _several(here.get(key) or usual.get(key) or key) for key in ALL[kind]}
        return self._keys[kind]

    @lru_cache(maxsize=64)  # noqa: B019  (idioms are few, and stay)
    def read(self, kind: str) -> dict[str, str]:
        """How the keys of a kind are written -> what they are; it does not matter whether with a capital."""
        return {word.casefold(): key for key, words in self.keys(kind).items() for word in words}

    def written(self, kind: str, key: str) -> str:
        return self.keys(kind)[key][0]

    @cached_property
    def phrased(self) -> dict[str, str]:
        """For messages: what the words of expressions are called, where a key may be called otherwise."""
        return {key: words[0] for key, words in self.phrasing.words.items() if words}

    @cached_property
    def cited(self) -> dict[str, str]:
        """For messages: what the words of the rules language are called in this one."""
        found = self.phrased | self.values | self.names
        for kind in SHAPES:
            found |= {key: words[0] for key, words in self.keys(kind).items()}
        found |= {key: words[0] for key, words in self.keys("step").items()}  # most messages are about these
        return found

    # --- for translators ----------------------------------------------------------------------------------------------
    def missing(self) -> Iterator[str]:
        usual = _part(self.data, "keys")
        for key in dict.fromkeys(key for keys in SHAPES.values() for key in keys):
            if not usual.get(key):
                yield key
        for kind, keys in BESIDE.items():
            own = _part(_part(self.data, "in"), kind)
            yield from (key for key in keys if not (own.get(key) or usual.get(key)))
        yield from (key for key in HEADER if not self.data.get(key))
        yield from (key for key in VALUES if key not in self.values)
        yield from (key for key in NAMES if key not in self.names)
        yield from (key for key in sorted(ENGLISH) if not self.phrasing.words.get(key))

    @cached_property
    def is_usable(self) -> bool:
        """Can rules be written with these words? Ours can; a translator may not be ready yet."""
        try:
            return not any(self.missing()) and not any(self.collisions()) and self.phrasing.parser is not None
        except Exception:  # whatever it is that stands there: the checker tells what is missing
            return False

    def collisions(self) -> Iterator[tuple[str, str, str]]:
        """Two that are written alike in one place: the word, and what it would mean."""
        for kind in ALL:
            known: dict[str, str] = {}
            for key, words in self.keys(kind).items():
                for word in words:
                    other = known.setdefault(word.casefold(), key)
                    if other != key:
                        yield word, other, key
        known = {}
        for key in self.phrasing.words:
            for word in self.phrasing.words[key]:
                other = known.setdefault(word.casefold(), key)
                if other != key and {other, key} != {"no", "nobody"} and {other, key} != {"no", "none"}:
                    yield word, other, key


def _part(data: Any, key: str) -> Mapping[str, Any]:
    found = data.get(key)
    return found if isinstance(found, Mapping) else {}


def _several(said: Any) -> list[str]:
    return [str(word) for word in said] if isinstance(said, list) else [str(said)]


def _files(folders: tuple[Path, ...]) -> Iterator[Path]:
    for folder in (LOCALES, *(folder / "locales" for folder in folders)):
        if folder.is_dir():
            yield from sorted(folder.glob("*/keys.yaml"))


@lru_cache(maxsize=16)
def idioms(folders: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """The languages in which rule files can be written, beside the rules language itself."""
    return tuple(sorted({path.parent.name for path in _files(folders) if CODE.match(path.parent.name)}))


def idiom(code: str, folders: tuple[Path, ...] = (), whole: bool = True) -> Idiom | None:
    """The words of a language, if they are known; `whole`: if all of them are, and rules can be written with them."""
    if not CODE.match(code):
        return None
    for folder in (LOCALES, *(folder / "locales" for folder in folders)):
        path = folder / code / "keys.yaml"
        if path.is_file():
            known = path.stat()
            found = _loaded(code, path, known.st_mtime_ns, known.st_size)
            return found if found is None or not whole or folder == LOCALES or found.is_usable else None
    return None


@lru_cache(maxsize=32)
def _loaded(code: str, path: Path, *version: int) -> Idiom | None:
    try:
        return Idiom(code, path, load_file(path))
    except RulesError:  # the translators' checker tells what is wrong with it
        return None
