"""Whatever state a file is in while it is typed, an editor gets an answer, and only about that state."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tabarro.front.lsp.desk import Desk
from tabarro.speech.language import Language
from typing_states import HOUSES, looked_at, prefixes, slips

HERE = Path(__file__).resolve().parent / "house.yaml"  # never written


@pytest.mark.parametrize("language", HOUSES)
def test_no_state_of_a_house_rule_that_is_typed_is_too_much(language):
    rng, desk, speech = random.Random(17), Desk(), Language(language)
    text, good = HOUSES[language], None
    whole = looked_at(desk, HERE, text, None, speech, len(text))
    assert whole.problems == [] and whole.is_good
    for state in [*prefixes(text, 43), *slips(text, 8, rng)]:
        known = looked_at(desk, HERE, state, good, speech, rng.randrange(len(state) + 1))
        good = known if known.is_good else good
