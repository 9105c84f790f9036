"""`tabarro schema GAME`: what an editor that only knows JSON Schema is told of the house rules of a game."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tabarro.front.workbench.game_schema import game_schema
from tabarro.front.workbench.index import Index
from tabarro.interpreter.idiom import idiom
from tabarro.interpreter.load import load_file, load_text
from tabarro.interpreter.paths import find
from tabarro.interpreter.shelves import RULES
from tabarro.speech.language import Language
from typing_states import CATALAN


@cache
def index(game: str, language: str = "en") -> Index:
    return Index(game, None, Language(language))


@cache
def schema(game: str, language: str = "en") -> dict:
    made = json.loads(game_schema(index(game, language), idiom(language) if language != "en" else None))
    Draft202012Validator.check_schema(made)
    return made


def refused(game: str, data: object, language: str = "en") -> list[str]:
    plain = json.loads(json.dumps(data))
    return [error.message for error in Draft202012Validator(schema(game, language)).iter_errors(plain)]


@pytest.mark.parametrize("path", sorted((RULES / "examples").glob("*.yaml")), ids=lambda path: path.stem)
def test_house_rules_that_come_along_are_what_the_schema_of_their_game_says(path: Path):
    data = load_file(path)
    parent = data["extends"] if isinstance(data["extends"], str) else data["extends"][0]
    assert refused(parent, data) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"options": {"repaets": "forbidden"}},
        {"options": {"repeats": "forbiden"}},
        {"options": {"round_limit": "many"}},
        {"rules": {"turn of player": {"shake": {"drwa": 4}}}},
        {"chnage": {"shake/draw": 4}},
    ],
)
def test_a_misspelt_name_of_the_game_is_refused(wrong):
    assert refused("venice-2013", {"extends": "venice-2013", **wrong})


def test_names_are_offered_with_what_they_mean_in_the_readers_language():
    english, catalan = schema("venice-2013"), schema("venice-2013", "ca")
    shake = english["properties"]["rules"]["properties"]["turn of player"]["allOf"][1]["properties"]["shake"]
    assert shake["description"].startswith("The player shakes the Phantom of Prophecy")
    values = english["properties"]["options"]["properties"]["repeats"]["anyOf"][0]["enum"]
    assert sorted(values) == ["allowed", "forbidden", "objected"]
    there = catalan["properties"]["regles"]["properties"]["turn de player"]["allOf"][1]["properties"]["shake"]
    assert there["description"] == Language("ca").text(shake["description"]) != shake["description"]
    assert refused("venice-2013", load_text(CATALAN, "house"), "ca") == []


@pytest.mark.parametrize("game", ["kuhn-poker", "night-runner", "last-guest"])
def test_every_path_that_is_offered_means_one_part(game):
    whole = index(game).whole
    paths = schema(game)["properties"]["change"]["properties"]
    assert len(paths) > 20
    assert [path for path in paths if len(find(whole, path)) != 1] == []
