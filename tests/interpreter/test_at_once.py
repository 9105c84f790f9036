"""Several are asked at once: nobody learns anything before all have answered, and the order does not matter."""

import itertools
import random
from pathlib import Path

import pytest
from tabarro.interpreter import GameOver, IllegalChoice, Reader, load_game
from tabarro.interpreter.save import Save, load
from tabarro.lab.worlds import Worlds

GAME = Path(__file__).with_name("games") / "sealed.yaml"


@pytest.fixture(scope="module")
def game():
    return load_game(GAME)


def voted(game, *names):
    state = game.new()
    for name in names:
        state.apply(game.choice([name], state))
    return state


def test_before_the_last_answer_everybody_sees_only_his_own(game):
    state = voted(game, "bob", "cleo")
    assert [e.told for e in state.log("ann")] == [(("who", "ann"), ("target", "bob"), ("player", "ann"))]
    assert [e["target"] for e in state.log("bob")] == ["cleo"]
    assert state.log("cleo") == []


def test_then_all_see_all(game):
    state = voted(game, "bob", "cleo", "ann")
    for seat in game.seats:
        votes = {e["who"]: e["target"] for e in state.log(seat) if e.kind == "ask"}
        assert votes == {"ann": "bob", "bob": "cleo", "cleo": "ann"}
        kept = {e["player"]: e["value"] for e in state.log(seat) if e.kind == "set"}
        assert kept == votes
        assert [e.kind for e in state.log(seat)].count("ask") == 3, "nobody is told anything twice"


def test_an_umpire_reads_each_answer_once(game):
    state, reader = game.new(), Reader(game)
    told = []
    for name in ("bob", "cleo", "ann"):
        state.apply(game.choice([name], state))
        told += [e for e in reader.news(state) if e.kind == "ask"]
    assert [e["who"] for e in told] == ["ann", "bob", "cleo"]


def test_what_stays_secret_is_told_to_nobody_else(game):
    state = voted(game, "bob", "cleo", "ann", "low", "high", "middle")
    assert state.over
    for seat, chip in zip(game.seats, ("low", "high", "middle")):
        assert [e["value"] for e in state.log(seat) if e.step == "bid of _"] == [chip]
        assert [e["coin"] for e in state.log(seat) if e.step == "game/bids"] == [chip]


def test_what_is_offered_does_not_hang_on_what_others_have_answered(game):
    for first in ("bob", "cleo"):
        state = voted(game, first)
        assert [game.words(c) for c in state.legal()] == [["ann"], ["cleo"]]
        assert [game.words(c) for c in state.turned_to("cleo").legal()] == [["ann"], ["bob"]]


def test_together_or_one_after_the_other_is_the_same_game(game):
    offers = {"ann": ["bob", "cleo"], "bob": ["ann", "cleo"], "cleo": ["ann", "bob"]}
    for answers in itertools.product(*offers.values()):
        together, apart = game.new(), voted(game, *answers)
        assert together.actors == game.seats
        choices = {}
        for seat, name in zip(reversed(game.seats), reversed(answers)):  # in any order
            mine = together.turned_to(seat)
            assert mine.actor == seat and [game.words(c)[0] for c in mine.legal()] == offers[seat]
            choices[seat] = game.choice([name], mine)
        together.apply_all(choices)
        assert together == apart and together.position() == apart.position()
        assert [together.log(seat) for seat in game.seats] == [apart.log(seat) for seat in game.seats]


def test_who_has_answered_is_not_asked_again(game):
    state = voted(game, "bob")
    assert state.actors == ("bob", "cleo") and state.actor == "bob"
    with pytest.raises(IllegalChoice):
        state.turned_to("ann")
    state.apply_all({seat: game.choice(["ann"], state.turned_to(seat)) for seat in state.actors})
    assert state.actors == ("ann", "bob"), "those who were voted for bid"


def test_if_one_choice_is_not_legal_none_is_made(game):
    state = game.new()
    before = state.clone()
    choices = {seat: state.turned_to(seat).legal()[0] for seat in state.actors}
    wrong = {**choices, "cleo": game.choice(["cleo"], state.turned_to("ann"))}
    for refused in (wrong, {"ann": choices["ann"]}, {}, {**choices, "dan": choices["ann"]}):
        with pytest.raises(IllegalChoice):
            state.apply_all(refused)
        assert state == before


def test_nobody_is_asked_when_the_game_is_over(game):
    state = voted(game, "bob", "ann", "ann", "low", "low")
    assert state.over and state.actors == ()
    with pytest.raises(GameOver):
        state.apply_all({})


def test_the_questions_of_a_player_do_not_know_what_others_have_answered(game):
    questions = [voted(game, first).player("bob").question() for first in ("bob", "cleo")]
    assert questions[0].told == questions[1].told and questions[0].prompts() == {"player": "bob"}


def test_a_game_can_be_left_in_the_middle_of_a_vote(game, tmp_path):
    state = game.new(seed=5)
    save = Save.create(tmp_path / "vote.tabarro", game, 5, GAME)
    for name in ("bob", "cleo"):
        state.apply(game.choice([name], state))
        save.append([name])
    save.settle()
    _, again, _ = load(tmp_path / "vote.tabarro")
    assert again == state and again.actors == ("cleo",)
    assert again.unnoticed_since(voted(game), "ann") is False, "what another has answered cannot be taken back"


def test_a_seat_played_by_chance_answers_before_the_others(tmp_path):
    path = tmp_path / "chance.yaml"
    text = GAME.read_text(encoding="utf-8").replace("players: {3: {}}", "players: {2: {}}")
    path.write_text(text + "played by chance: cleo\n", encoding="utf-8")
    game = load_game(path)
    state = game.new(seed=1)
    assert state.actors == ("ann", "bob")
    state.apply_all({seat: state.turned_to(seat).legal()[0] for seat in state.actors})
    assert {e["who"] for e in state.log("ann") if e.kind == "ask"} == {"ann", "bob", "cleo"}


@pytest.mark.parametrize("seed", range(8))
def test_two_worlds_with_other_sealed_answers_look_the_same(game, seed):
    worlds, rng = Worlds(game), random.Random(seed)
    worlds.follow(rng.choice(worlds.observers), rng, width=8)
    assert worlds.differences == []
