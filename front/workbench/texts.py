"""The texts of rule files, and which of them are not said in a language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...interpreter.errors import Problem, RulesError
from ...interpreter.files import real
from ...interpreter.load import Map
from ...interpreter.patching import expanded
from ...interpreter.paths import find
from ...interpreter.resolve import Library
from ...speech.catalogue_files import misnamed
from ...speech.extract import TEXTS, texts_in
from ...speech.language import translated
from ..common.folders import folders

Key = tuple[str | None, Any]  # context, text or texts by number


# --- collecting -------------------------------------------------------------------------------------------------------
def texts_of(path: Path) -> dict[Key, tuple[int, frozenset[str]]]:
    """The texts of one rule file: where each stands, and the languages in which the file itself says it."""
    library = Library(folders())
    below = library.below(path)
    data = expanded(below, library.load(path))  # with what it says by paths
    found: dict[Key, tuple[int, frozenset[str]]] = {}
    written = frozenset({data.at.source.language} - {""})  # names are words of the language of the file
    for line, function, message, _ in texts_in(data):
        context, text = message if function == "pgettext" else (None, message)
        if context and find(below, f"things/{context}/{text}"):
            continue  # it has its name already
        found.setdefault((context, text), (line, written if context else frozenset()))
    stack: list[Any] = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += value
        if not isinstance(value, Map):
            continue
        for key, inner in value.items():
            is_text = (
                key in TEXTS and isinstance(inner, Map) and inner and all(isinstance(v, str) for v in inner.values())
            )
            if is_text and all(len(code) in (2, 3) for code in inner):
                plain = inner.get("en") or next(iter(inner.values()))
                found.setdefault((None, plain), (value.value_at[key].line, frozenset(inner)))
            else:
                stack.append(inner)
    return found


def own_texts(path: Path) -> dict[Key, tuple[int, frozenset[str]]]:
    """The texts of a rule file that none of those it extends has; proper names need no saying."""
    inherited = {key for file in files_of(path)[:-1] for key in texts_of(file)}
    return {
        key: found
        for key, found in texts_of(path).items()
        if key not in inherited and not (key[0] and key[1][:1].isupper())
    }


def missing(texts: dict[Key, tuple[int, frozenset[str]]], code: str) -> dict[Key, int]:
    """Those that are not said in this language, with their lines."""
    return {key: line for key, (line, inline) in texts.items() if code not in inline and not translated(code, *key)}


def files_of(path: Path) -> list[Path]:
    """A rule file and all that it extends, what lies deepest first."""
    return Library(folders()).files_of(path)


def misnamed_values(path: Path) -> list[Problem]:
    """What catalogues beside a rule file make of its texts, or of those it extends, that nobody could fill in."""
    homes = {real(path).parent, *(real(folder) for folder in folders() if real(path).is_relative_to(real(folder)))}
    texts = {key for file in files_of(path) for key in texts_of(file)}
    found: list[Problem] = []
    for file in sorted(file for home in homes for file in home.glob("locales/*/LC_MESSAGES/*.po")):
        try:
            found += misnamed(file, file.parts[-3], texts)
        except RulesError as error:
            found += error.problems
    return found
