"""What decides a game stands in one table; all else can change without ending a save."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from pathlib import Path

import pytest
from tabarro.interpreter import RulesError, load_game, resume
from tabarro.interpreter.digest import KEYS
from tabarro.interpreter.save import _sealed
from tabarro.interpreter.schema import SCHEMA

# What only tells, by the kind of entry, and the keys of patches, which are gone when a game is put together.
TELLS = {
    "game": "name about abstract extends change remove add players options screens phrases rulebook habits",
    "things": "source decision called replace",
    "table": "rule source decision said_as replace",
    "state": "label rule source decision",
    "word": "rule source decision",
    "step": "rule source decision prompt text before after remove replace",
    "alternative": "rule source decision text rarely pass",
}


@pytest.mark.parametrize("kind", KEYS)
def test_every_key_of_the_schema_either_decides_or_tells(kind):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    known = (schema if kind == "game" else schema["$defs"][kind])["properties"]
    tells = {key.replace("_", " ") for key in TELLS[kind].split()}
    assert not tells & set(KEYS[kind])
    assert tells | set(KEYS[kind]) == set(known)


GAME = """\
name: Guess
players: {2: {}}
seats: guessers
things:
  guesser: {members: {ann: {}, ben: {}}}
  coin: {members: [heads, tails]}
state:
  side: {is: coin or nothing, seen by: nobody}
start: guess
rules:
  guess:
    toss: {draw: 1, from: coins, as: tossed, seen by: nobody, if none: {stop: {end: none}}}
    called: {ask: ann, for: {call: coins}, seen by: all}
    told: {say: "That was it.", to: all}
    done: {end: guessers where it is ann}
"""

SAME = {
    "another name": ("name: Guess", "name: Heads or tails"),
    "a rule for people": ("ask: ann,", "ask: ann, rule: Call it., source: A book, decision: Because.,"),
    "a question in words": ("ask: ann,", "ask: ann, prompt: Heads or tails?,"),
    "a source of a state": ("seen by: nobody}\nstart", "seen by: nobody, source: A book}\nstart"),
    "what a thing is called": ("ann: {}", "ann: {name: Anna}"),
    "how something is worded": ("That was it.", "So much for that."),
    "what is on the screen": ("start: guess", "screens: {public: [side]}\nstart: guess"),
}
OTHER = {
    "who sees it": ("for: {call: coins}, seen by: all", "for: {call: coins}, seen by: nobody"),
    "what can be chosen": ("[heads, tails]", "[heads, tails, edge]"),
    "the order of things": ("[heads, tails]", "[tails, heads]"),
    "who wins": ("it is ann}", "it is ben}"),
    "one step more": ("    done:", "    again: {say: Really., to: all}\n    done:"),
    "the name of a step": ("    told:", "    text:"),
}


def digest_of(folder, text: str) -> str:
    path = folder / "guess.yaml"
    path.write_text(text, encoding="utf-8")
    return load_game(path).digest


@pytest.mark.parametrize("what", SAME)
def test_what_only_tells_leaves_the_digest_as_it_is(tmp_path, what):
    assert SAME[what][0] in GAME
    assert digest_of(tmp_path, GAME.replace(*SAME[what], 1)) == digest_of(tmp_path, GAME)


@pytest.mark.parametrize("what", OTHER)
def test_what_decides_changes_the_digest(tmp_path, what):
    assert OTHER[what][0] in GAME
    assert digest_of(tmp_path, GAME.replace(*OTHER[what], 1)) != digest_of(tmp_path, GAME)


# --- saves of other versions ------------------------------------------------------------------------------------------
SAVES = Path(__file__).with_name("saves")  # of earlier versions, with what the players had seen at their ends
LOGS = json.loads((SAVES / "logs.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", LOGS)
def test_a_save_of_an_earlier_version_goes_on_where_it_was(tmp_path, name):
    path = Path(shutil.copy(SAVES / name, tmp_path))
    game, state, save = resume(path)
    assert save.choices == LOGS[name]["choices"]
    for seat, known in LOGS[name]["logs"].items():
        seen = repr([(entry.kind, entry.step, entry.told) for entry in state.log(seat)])
        assert hashlib.sha256(seen.encode()).hexdigest()[:16] == known
    if not state.over:
        choice = state.sample(random.Random(1))
        save.append(game.words(choice))
        state.apply(choice)
        assert resume(path)[1] == state


ENDED = SAVES / "ended"  # of games whose rules have changed since


@pytest.mark.parametrize("name", sorted(path.name for path in ENDED.iterdir()))
def test_a_save_of_rules_that_have_changed_is_refused_with_that_reason(tmp_path, name):
    path = Path(shutil.copy(ENDED / name, tmp_path))
    before = path.read_bytes()
    with pytest.raises(RulesError) as refused:
        resume(path)
    assert [p.code for p in refused.value.problems] == ["save_other_rules"]
    assert path.read_bytes() == before


def written(path, header: dict, *choices: list) -> None:
    above, lines = _sealed(b"", header)
    for choice in choices:
        above, line = _sealed(above, {"choice": choice})
        lines += line
    path.write_bytes(lines)


def test_a_save_of_a_newer_version_is_refused_and_says_so(tmp_path):
    path = tmp_path / "future.tabarro"
    written(path, {"tabarro": 3, "game": "kuhn-poker", "anything": "else"})
    with pytest.raises(RulesError) as refused:
        resume(path)
    assert [p.code for p in refused.value.problems] == ["save_newer"]
