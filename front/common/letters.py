"""Writing for terminals that have few letters: what stands for a sign or a letter they lack."""

from __future__ import annotations

import codecs
import unicodedata

__all__ = ["ERRORS", "SIGNS", "can_write"]

ERRORS = "tabarro.plain"  # how a stream is told to write plainer rather than not at all
SIGNS = {
    "○": "o",
    "×": "x",
    "─": "-",
    "–": "-",
    "—": "-",
    "…": "...",
    "·": "-",
    "►": ">",
    "•": "*",
    "“": '"',
    "”": '"',
    "„": '"',
    "«": '"',
    "»": '"',
    "‘": "'",
    "’": "'",
    "✓": "+",
}
_LETTERS = {"ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE"}  # those that are no letter with an accent


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """The plainest form of what cannot be encoded; a question mark only where there is none."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    said = ""
    for letter in error.object[error.start : error.end]:
        plain = SIGNS.get(letter) or _LETTERS.get(letter) or unicodedata.normalize("NFKD", letter)[:1]
        said += plain if plain.isascii() else "?"
    return said, error.end


codecs.register_error(ERRORS, _plainer)


def can_write(text: str, encoding: str | None) -> bool:
    """Would most of this text still be readable?"""
    try:
        said = text.encode(encoding or "utf-8", ERRORS)
    except LookupError:
        return True
    return said.count(b"?") * 2 <= len(text)
