"""Catalogues as Babel reads and writes them: those of house rules, and those that translators are given.

Our own are read by catalogue.py, which is quicker and reads only what we write."""

from __future__ import annotations

import gettext
import re
from collections.abc import Container, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po, write_po

from ..interpreter import RulesError
from ..interpreter.errors import INVISIBLE, Place, Problem, Source, did_you_mean, problem
from ..interpreter.files import read_bytes
from ..interpreter.shelves import shown

__all__ = ["messages", "misnamed", "notes", "placeholders", "translations", "written"]

MAX_SIZE = 16_000_000  # bytes of a catalogue
Key = tuple[str | None, Any]  # context, text or texts by number
_CHARSET = re.compile(rb'charset=([^\s\\";]+)', re.IGNORECASE)
_LINE = re.compile(rb'(?:\xef\xbb\xbf)?(?:#.*|(?:msg(?:ctxt|id|id_plural|str|str\[\d+\])\s*)?"(?:[^"\\]|\\.)*"|)')
_BROKEN = (ValueError, LookupError, TypeError, ArithmeticError, AttributeError, RecursionError, MemoryError)


def translations(path: Path, code: str) -> gettext.NullTranslations:
    """The catalogue of a house rule, ready to be asked. Raises RulesError."""
    catalogue = _read(path, code)
    for message in catalogue:
        message.string = _cleaned(message.string)
    compiled = BytesIO()
    try:
        write_mo(compiled, catalogue)
        compiled.seek(0)
        return gettext.GNUTranslations(compiled)
    except _BROKEN:  # how it counts, for instance, cannot be understood
        raise RulesError(problem("catalogue_broken", Place(Source(shown(path), ""), 1, 1))) from None


def messages(path: Path, code: str) -> dict[Key, Any]:
    """What stands in a catalogue: by context and text, what it says for it, or nothing. Raises RulesError."""
    return {(m.context, m.id): None if m.fuzzy else m.string for m in _read(path, code) if m.id}


def notes(path: Path, code: str) -> dict[Key, list[str]]:
    """What a catalogue tells translators about its texts. Raises RulesError."""
    return {(m.context, m.id): m.auto_comments for m in _read(path, code) if m.id}


def misnamed(path: Path, code: str, texts: Container[Key]) -> Iterator[Problem]:
    """Where a translation of one of these texts names a value that the text itself does not. Raises RulesError."""
    source = Source(shown(path), read_bytes(path, MAX_SIZE, shown(path)).decode("utf-8", "replace"))
    for message in _read(path, code):
        if not message.id or message.fuzzy or (message.context, message.id) not in texts:
            continue
        said = _several(message.string)
        own = _several(message.id)
        known = {name for text in own for name in placeholders(text) or ()}
        for text in said:
            named = placeholders(text)
            if named is None:
                yield problem("bad_braces", _place_of(text, source, message.lineno or 1))
            for name in named or ():
                if name not in known:
                    place = _place_of("{" + name, source, message.lineno or 1).shifted(1)
                    names = ", ".join("{" + one + "}" for one in known)
                    meant = did_you_mean(name, known) or ""
                    yield problem("catalogue_name", place, len(name), name=name, names=names, meant=meant)


def _several(texts: Any) -> list[str]:
    """One text, or those of several numbers."""
    return list(map(str, texts)) if isinstance(texts, (list, tuple)) else [str(texts or "")]


def placeholders(text: str) -> list[str] | None:
    """What stands in braces, without the forms that are asked for; None if the braces do not match."""
    try:
        return [name for _, name, _, _ in Formatter().parse(text) if name is not None]
    except ValueError:
        return None


def _place_of(piece: str, source: Source, line: int) -> Place:
    """Where a piece of a translation stands, in the lines from here on that follow `msgstr`."""
    begun = False
    for number in range(line, line + 50):
        text = source.line(number)
        begun = begun or text.startswith("msgstr")
        if begun and piece in text:
            return Place(source, number, text.index(piece) + 1)
    return Place(source, line, 1)


def _read(path: Path, code: str) -> Catalog:
    data = read_bytes(path, MAX_SIZE, shown(path))
    if found := _CHARSET.search(data[:10_000]):
        try:
            "".encode(found[1].decode("ascii", "replace"))
        except LookupError:
            name, above = found[1].decode("ascii", "replace"), data[: found.start(1)].decode("utf-8", "replace")
            place = Source(shown(path), data[:10_000].decode("utf-8", "replace")).place(len(above))
            raise RulesError(problem("catalogue_charset", place, len(name), name=name)) from None
    # Babel guesses what a line may mean that lacks a quote.
    wrong = next((n for n, line in enumerate(data.split(b"\n"), 1) if not _LINE.fullmatch(line.strip())), 0)
    try:
        if not wrong:
            return read_po(BytesIO(data), locale=code, abort_invalid=True)
    except PoFileError as error:
        wrong = (error.lineno or 0) + 1
    except _BROKEN:
        raise RulesError(problem("catalogue_broken", Place(Source(shown(path), ""), 1, 1))) from None
    source = Source(shown(path), data.decode("utf-8", "replace"))
    raise RulesError(problem("catalogue_syntax", Place(source, wrong, 1)))


def _cleaned(said: Any) -> Any:
    """Without what would move the cursor or turn the writing."""
    if isinstance(said, str):
        return INVISIBLE.sub("", said)
    return type(said)(map(_cleaned, said)) if isinstance(said, (list, tuple)) else said


def written(project: str, code: str, entries: Iterable[tuple[Key, Any, str, int, list[str]]]) -> bytes:
    """A catalogue with these entries: context and text, what is said for it, the file and the line where it stands, and
    what a translator should know of it."""
    catalogue = Catalog(
        locale=code, project=project, version="1", charset="utf-8", fuzzy=False, header_comment=f"# {project}"
    )
    for (context, text), string, file, line, comments in entries:
        where: list[Any] = [(file, line or None)]
        catalogue.add(text, string, context=context, locations=where, auto_comments=comments)
    out = BytesIO()
    write_po(out, catalogue, width=120)
    return b"# tabarro texts\n" + out.getvalue()
