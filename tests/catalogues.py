"""The texts of the sources, and what the catalogues say for them; each is read once."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.pofile import read_po
from tabarro.speech import extract
from tabarro.speech.language import LOCALES

ROOT = Path(__file__).resolve().parents[1]


@cache
def sources() -> dict[tuple[str | None, str | tuple[str, ...]], set[str]]:
    """Every message of the sources, read as pyproject.toml tells pybabel to, with the files it stands in."""
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["babel"]["mappings"]
    methods = [(m["pattern"], extract.rules if m["method"] == "tabarro_rules" else m["method"]) for m in mappings]
    found = {}
    for line, message, _, context in extract_from_file(extract.python, ROOT / "cli.py"):
        found.setdefault((context, message), set()).add("cli.py")
    for folder in ("front", "interpreter", "lab", "mind", "speech", "rules"):
        for file, line, message, _, context in extract_from_dir(ROOT / folder, methods):
            found.setdefault((context, message), set()).add(f"{folder}/{file}")
    return found


@cache
def catalogue(language: str) -> Catalog:
    with (LOCALES / language / "LC_MESSAGES" / "tabarro.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def messages(language: str):
    return [message for message in catalogue(language) if message.id]


def strings(message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


def ids(message) -> tuple[str, ...]:
    return message.id if isinstance(message.id, tuple) else (message.id,)
