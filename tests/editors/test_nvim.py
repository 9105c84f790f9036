"""Neovim writes house rules in three languages, state by state: the server lives, nothing else is shown, and what is told
is always of the state that stands there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hands import nvim
from tabarro.front.lsp.desk import Desk
from tabarro.speech.language import Language
from typing_states import HOUSES, prefixes, told_of


@pytest.mark.parametrize("language", HOUSES)
def test_what_is_told_is_of_the_text_that_stands_there(language, tmp_path: Path):
    text = HOUSES[language]
    wrong = text.replace("repeats", "repaets")
    states = [*prefixes(text, 23), wrong, text]
    name = "house.yaml"
    seen = nvim(tmp_path, language, type=[{"name": name, "states": states, "last": 0}])
    assert seen["exited"] is None and seen["shown"] == [] and "problem" not in seen
    assert seen["asked"] >= 3 * (len(states) // 5)
    desk, path = Desk(), tmp_path / name
    for state, text_then in zip(seen["states"], states):
        expected = told_of(desk, path, text_then, Language(language))
        assert state["told"] is not None, text_then
        assert sorted(one[0] for one in state["told"]) == sorted(one.code for one in expected), text_then
        for code, line, column in state["told"]:
            assert any(one.code == code and line == text_then.count("\n", 0, one.start) for one in expected), (
                text_then,
                state,
            )
    assert seen["states"][-1]["last"] == seen["states"][-1]["shown"] == 0
