"""The outline of a text: of YAML the same as the loader finds, of anything else something."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tabarro.front.lsp.outline import Node, outline
from tabarro.front.lsp.spots import spot_at
from tabarro.interpreter.load import Map, Seq, load_file

ROOT = Path(__file__).resolve().parents[3]
FILES = sorted([*ROOT.glob("rules/**/*.yaml"), *ROOT.glob("locales/*/keys.yaml"), *ROOT.glob("tests/scenarios/*.yaml")])

Key = tuple[str | None, int, int]


def loaded(value: Any) -> Iterator[Key]:
    if isinstance(value, Map):
        for key in value:
            yield key, value.key_at[key].line, value.key_at[key].column
            yield from loaded(value[key])
    elif isinstance(value, Seq):
        for entry in value:
            yield from loaded(entry)


def outlined(text: str) -> Iterator[Key]:
    for node in outline(text).walk():
        if node.parent is not None and not node.in_list:
            before = text[: node.key_start]
            yield node.key, before.count("\n") + 1, len(before) - before.rfind("\n")


def test_of_every_file_the_same_keys_are_found_at_the_same_places():
    for path in FILES:
        assert set(outlined(path.read_text(encoding="utf-8"))) == set(loaded(load_file(path))), path


@pytest.mark.parametrize("name", ["rules/examples/fog.yaml", "rules/examples/private-mission.yaml"])
def test_every_state_of_a_file_that_is_being_typed_has_an_outline_and_a_place_for_the_cursor(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    for end in range(0, len(text), 3):
        spot = spot_at(outline(text[:end]), text[:end], end)
        assert spot.kind in ("key", "value") and isinstance(spot.home, Node)
        assert text[spot.start : end] == spot.before or not spot.before
