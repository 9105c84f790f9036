"""Catalogues as Babel reads and writes them: those of house rules, and those that translators are given.

Our own are read by catalogue.py, which is quicker and reads only what we write."""

from __future__ import annotations

import gettext
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po, write_po

from ..interpreter import RulesError
from ..interpreter.files import read_bytes

__all__ = ["BadCatalogue", "messages", "translations", "written"]

MAX_SIZE = 16_000_000  # bytes of a catalogue
Key = tuple[str | None, Any]  # context, text or texts by number


class BadCatalogue(ValueError):
    """It is no catalogue, or a broken one."""


def translations(path: Path, code: str) -> gettext.NullTranslations:
    """The catalogue of a house rule, ready to be asked; an empty one, if it cannot be read."""
    try:
        catalogue = read_po(BytesIO(read_bytes(path, MAX_SIZE)), locale=code)
        compiled = BytesIO()
        write_mo(compiled, catalogue)
        compiled.seek(0)
        return gettext.GNUTranslations(compiled)
    except (RulesError, PoFileError, ValueError):
        return gettext.NullTranslations()


def messages(path: Path, code: str) -> dict[Key, Any]:
    """What stands in a catalogue: by context and text, what it says for it, or nothing."""
    try:
        found = read_po(BytesIO(read_bytes(path, MAX_SIZE)), locale=code, abort_invalid=True)
    except (PoFileError, ValueError) as error:
        raise BadCatalogue(str(path)) from error
    return {(m.context, m.id): None if m.fuzzy else m.string for m in found if m.id}


def written(project: str, code: str, entries: Iterable[tuple[Key, Any, str, int]]) -> bytes:
    """A catalogue with these entries: context and text, what is said for it, the file and the line where it stands."""
    catalogue = Catalog(
        locale=code, project=project, version="1", charset="utf-8", fuzzy=False, header_comment=f"# {project}"
    )
    for (context, text), string, file, line in entries:
        where: list[Any] = [(file, line or None)]
        catalogue.add(text, string, context=context, locations=where)
    out = BytesIO()
    write_po(out, catalogue, width=120)
    return out.getvalue()
