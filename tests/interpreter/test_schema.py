"""The quick look at a file and jsonschema must come to the same answer."""

import copy
import random
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tabarro.interpreter.load import load_file
from tabarro.interpreter.quick import quick_check
from tabarro.interpreter.resolve import RULES
from tabarro.interpreter.schema import schema

FILES = sorted(RULES.rglob("*.yaml"))


def plain(value):
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


def mutated(value, rng: random.Random):
    """The same data with one thing somewhere in it changed."""
    value = copy.deepcopy(value)
    node, path = value, []
    while isinstance(node, (dict, list)) and node and (not path or rng.random() < 0.8):
        key = rng.choice(list(node)) if isinstance(node, dict) else rng.randrange(len(node))
        path.append((node, key))
        node = node[key]
    home, key = path[-1]
    change = rng.randrange(5)
    if change == 0 and isinstance(home, dict):
        home[rng.choice(["xyz", "ask", "if", "members", "is", "name", "extends"])] = home.pop(key)
    elif change == 1 and isinstance(home, dict):
        del home[key]
    else:
        home[key] = rng.choice([None, True, 3, 2.5, "text", [], {}, ["a"], {"a": "b"}, {"ask": "x", "set": {}}, -1])
    return value


def test_the_schema_itself_is_valid():
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_the_quick_look_and_jsonschema_agree_on_files_and_on_changed_files(path: Path):
    quick, slow = quick_check(schema()), Draft202012Validator(schema())
    data = plain(load_file(path))
    assert quick(data) and slow.is_valid(data)
    rng = random.Random(path.stem)
    refused = 0
    for _ in range(30):
        changed = mutated(data, rng)
        assert quick(changed) == slow.is_valid(changed)
        refused += not quick(changed)
    assert refused > 5
