"""Parts of a choice with an audience of their own, and questions that stand open."""

import random
from pathlib import Path

import pytest
from tabarro.interpreter import Reader, load_game
from tabarro.lab.worlds import Worlds

GAME = Path(__file__).with_name("games") / "tram.yaml"

SPY = """
players: {4: {}}
things:
  player: [ann, bob, cleo, dan]
  town: [rome, oslo]
  hour: [dawn, dusk]
seats: players
state:
  post of player: {is: town or nothing, seen by: player}
rules:
  game:
    write:
      ask: ann
      for:
        place: {from: towns, seen by: bob or cleo, text: "{who} names {place}."}
        time:  {from: hours, seen by: cleo or dan}
      text: "{who} names {place} at {time}."
    keep: {set: {post of ann: place}}
"""


@pytest.fixture(scope="module")
def tram():
    return load_game(GAME)


def test_each_sees_just_the_parts_that_are_his_to_see(tmp_path):
    path = tmp_path / "spy.yaml"
    path.write_text(SPY, encoding="utf-8")
    game = load_game(path)
    state = game.new()
    state.apply(game.choice(["oslo", "dusk"], state))
    told = {seat: [dict(e.told) for e in state.log(seat) if e.kind == "ask"] for seat in game.seats}
    assert told == {
        "ann": [{"who": "ann", "place": "oslo", "time": "dusk"}],
        "bob": [{"who": "ann", "place": "oslo"}],
        "cleo": [{"who": "ann", "place": "oslo", "time": "dusk"}],
        "dan": [{"who": "ann", "time": "dusk"}],
    }
    texts = {seat: [game.program.events[e.number].text for e in state.log(seat) if e.kind == "ask"] for seat in told}
    assert texts["bob"] == ["{who} names {place}."] and texts["cleo"] == ["{who} names {place} at {time}."]
    assert texts["dan"] == [""], "the rules have no words for it"


def test_an_umpire_reads_the_choice_once(tram):
    state, reader = tram.new(), Reader(tram)
    state.apply(tram.choice(["tram", "east"], state))
    assert [dict(e.told) for e in reader.news(state) if e.kind == "ask"] == [
        {"who": "thief", "ride": "tram", "target": "east"}
    ]
    assert len(state.player("chaser").log.decisions()) == 1, "the other one has seen that a choice was made"


def test_nobody_can_tell_worlds_apart_that_differ_in_the_hidden_part(tram):
    for seed in range(4):
        worlds = Worlds(tram)
        worlds.follow("chaser", random.Random(seed), width=8)
        assert worlds.beside and worlds.differences == []


def test_a_question_that_stands_open_knows_how_it_is_let_go(tram):
    state = tram.new()
    assert state.player("thief").question().passing is None
    state.apply(tram.choice(["tram", "east"], state))
    passing = state.player("chaser").question().passing
    assert tram.words(passing) == ["wait"] and state.is_legal(passing)


def test_that_it_stands_open_changes_nothing_in_the_game(tmp_path, tram):
    path = tmp_path / "tram.yaml"
    path.write_text(GAME.read_text(encoding="utf-8").replace("{pass: true}", "{}"), encoding="utf-8")
    assert load_game(path).digest == tram.digest
