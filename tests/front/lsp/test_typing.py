"""Whatever state a file is in while it is typed, an editor gets an answer, and only about that state."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tabarro.front.lsp.analysis import analyse
from tabarro.front.lsp.desk import Desk
from tabarro.speech.language import Language
from typing_states import HOUSES, looked_at, prefixes, slips

HERE = Path(__file__).resolve().parent / "house.yaml"  # never written


OTHERS = [pytest.param(language, marks=pytest.mark.long) for language in HOUSES if language != "ca"]


@pytest.mark.parametrize("language", ["ca", *OTHERS])
def test_no_state_of_a_house_rule_that_is_typed_is_too_much(language):
    rng, desk, speech = random.Random(17), Desk(), Language(language)
    text, good = HOUSES[language], None
    whole = looked_at(desk, HERE, text, None, speech, len(text))
    assert whole.problems == [] and whole.is_good
    for state in [*prefixes(text, 43), *slips(text, 8, rng)]:
        known = looked_at(desk, HERE, state, good, speech, rng.randrange(len(state) + 1))
        good = known if known.is_good else good


@pytest.mark.parametrize(
    ("name", "text", "ours"),
    [
        ("docker-compose.yaml", "services:\n  web: {image: nginx}\n", False),
        ("workflow.yaml", "name: Build\non: [push]\njobs: {}\n", False),
        ("scenarios/first.yaml", "title: A first one\ngame: venice-2013\nplayers: 4\nplay: []\n", False),
        ("house.yaml", "nmae: Quiet\nextends: venice-2013\n", True),
        ("casa.yaml", "llengua: ca\nnm: Tranquil\n", True),
        ("new.yaml", "", True),
    ],
)
def test_nothing_is_said_of_yaml_that_is_no_rule_file(name, text, ours):
    desk, path = Desk(), HERE.parent / name
    desk.open = {path: text}
    assert bool(analyse(desk, path).problems) == ours


def test_an_unsaved_parent_counts_as_it_stands_in_the_editor():
    desk, child, parent = Desk(), HERE.parent / "child.yaml", HERE.parent / "parent.yaml"
    texts = {child: "extends: parent\nwords:\n  player is calm: player is jolly\n", parent: HOUSES["en"]}
    desk.open = texts
    assert [problem.code for problem in analyse(desk, child).problems] == ["unknown_name"]
    desk.open = {
        **texts,
        parent: HOUSES["en"].replace("is lucky", "is jolly"),
    }
    found = analyse(desk, child)
    assert found.problems == [] and parent in found.files
