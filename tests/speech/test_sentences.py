"""docs/sentences.md: every expression of the reference, said in six languages."""

from __future__ import annotations

import re

import pytest
from speech_sentences import PAGE, expressions, page, said
from tabarro.speech.language import LANGUAGES

ENGLISH = re.compile(r"\b(the|of|is|are|and|or|not|with|every|any|that|which|harbour|tower|figure|spot)\b")


@pytest.fixture(scope="module")
def sentences():
    return said()


def test_the_page_is_what_the_program_says():
    """Write it anew with python tests/speech_sentences.py, and read what has changed."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_expression_is_said_in_every_language(sentences):
    assert len(sentences) >= 70 and set(sentences) >= set(expressions()) - {"it", "its"}
    for text, row in sentences.items():
        assert set(row) == set(LANGUAGES) and all(row.values()), text
        for code in ("ca", "de", "ja", "no"):
            assert not ENGLISH.search(row[code]), (text, row[code])
            assert not re.search("[„«「][a-z_ ]+[“»」]", row[code]) or "copies" in text, row[code]
        assert "規則でしか言えない" not in row["ja"] and "only the rules" not in row["en"]
