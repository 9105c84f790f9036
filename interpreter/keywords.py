"""The words of the language that several stages know; steps.VERBS, the schema and the reference list the same verbs."""

from __future__ import annotations

import re

STEP_VERBS = (
    "if",
    "cases",
    "for each",
    "repeat",
    "call",
    "return",
    "play",
    "end",
    "ask",
    "plan",
    "draw",
    "deal",
    "shuffle",
    "let",
    "set",
    "move",
    "show",
    "say",
)

BODIES = ("then", "else", "do", "repeat", "if none")  # the keys of a step that hold steps

# What other readers of YAML take for true and false. Here they are words like any other (no is also a language).
TRUTH_WORDS = {
    word: truth
    for truth, words in (
        ("true", "yes on y True TRUE Yes YES On ON Y"),
        ("false", "no off n False FALSE No NO Off OFF N"),
    )
    for word in words.split()
}

# What names are made of: letters of any alphabet that people may write in, digits, _ and the · of Catalan. The
# schema and the grammar have the same pattern.
_LETTERS = "A-Za-z_À-ÖØ-öø-ɏͰ-ϿЀ-ӿ々ぁ-ゖァ-ヺー㐀-䶿一-鿿가-힣"
NAME = f"[{_LETTERS}][{_LETTERS}0-9·]*"


def as_one(name: str) -> str:
    """A name of several words as one that the grammar can read."""
    return re.sub(r"\W+", "·", name.strip())
