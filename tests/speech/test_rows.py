"""Words that are right: what readers of each language said, shown a sentence and two positions, and nothing else."""

from __future__ import annotations

import pytest
import yaml
from speech_rows import READINGS, ROWS, STEPS, sheet
from tabarro.speech.language import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_was_read_as_it_is_meant(language):
    """A row that has changed since must be read again: python tests/speech_rows.py prints it."""
    read = yaml.safe_load((READINGS / f"{language}.yaml").read_text(encoding="utf-8"))
    now = sheet(language)
    assert set(read) == {*ROWS, *STEPS}
    for row, entry in now.items():
        assert read[row]["hash"] == entry["hash"], f"{row} must be read again: {entry['sentence']}"
        assert read[row]["holds in"] == entry["holds in"], (row, entry)
