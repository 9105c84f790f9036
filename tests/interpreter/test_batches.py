"""Positions that go on together go where each would go alone; and a batch keeps those that a log speaks of."""

from __future__ import annotations

import copy
import pickle
import random

import pytest
from loading import loaded
from tabarro.interpreter import GameOver, IllegalChoice, building
from tabarro.mind import belief as worlds
from tabarro.mind.belief import Belief

needs_a_compiler = pytest.mark.skipif(
    building.missing() in ("extension", "compiler"), reason="all is played in Python here"
)
BOTH = [pytest.param(True, marks=needs_a_compiler, id="compiled"), pytest.param(False, id="python")]


@pytest.fixture(autouse=True)
def quickly_compiled(monkeypatch):
    monkeypatch.setenv("TABARRO_CC", "cc -O0")


def some(game, count, seed, decisions):
    """Positions somewhere in the middle of games."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        state = game.new(rng.randrange(10**6))
        for _ in range(decisions):
            if not state.over:
                state.apply(state.sample(rng, habits=True), trusted=True)
        if not state.over:
            found.append(state)
    return found


@pytest.mark.parametrize("native", BOTH)
@pytest.mark.parametrize(("name", "decisions"), [("tic-tac-toe", 2), ("cards-safe", 20)])
def test_a_batch_goes_where_each_of_its_positions_would_go_alone(name, decisions, native):
    game, rng = loaded(name), random.Random(3)
    alone = some(game, 12, 4, decisions)
    batch = game.batch(alone, native=native)
    before = [state.clone() for state in alone]
    for _ in range(3):
        assert batch.legal() == [state.legal() for state in alone]
        assert batch.actors == [state.actor for state in alone]
        choices = [state.sample(rng, habits=True) for state in alone]
        for state, choice in zip(alone, choices, strict=True):
            state.apply(choice)
        batch.apply(choices)
        assert list(batch) == alone and batch.over == [state.over for state in alone]
        if any(batch.over):
            break
    assert pickle.loads(pickle.dumps(list(batch))) == alone
    assert list(game.batch(before, native=native)) == before  # copies: nothing happened to these


@pytest.mark.parametrize("native", BOTH)
def test_if_one_choice_is_not_legal_none_is_made(native):
    game = loaded("tic-tac-toe")
    first, second = game.new(), game.new()
    choice = first.legal()[0]
    second.apply(choice)
    batch = game.batch([first, second], native=native)
    with pytest.raises(IllegalChoice):
        batch.apply(choice)
    assert list(batch) == [first, second]
    with pytest.raises(ValueError, match="1 choices for 2 positions"):
        batch.apply([choice])


@pytest.mark.parametrize("native", BOTH)
def test_where_a_game_of_a_batch_is_over_nothing_is_offered_and_the_others_go_on(native):
    game, rng = loaded("kuhn-poker"), random.Random(2)
    batch = game.batch([game.new(seed) for seed in range(6)], native=native)
    counted = 0
    while not all(batch.over):
        offered = batch.legal()
        assert [not row for row in offered] == batch.over
        counted += any(batch.over)
        batch.apply([rng.choice(row) if row else None for row in offered])
    assert counted and batch.actors == [None] * 6
    with pytest.raises(GameOver):
        batch.apply(offered[0][0] if offered[0] else (0,))


@pytest.mark.parametrize("native", BOTH)
def test_a_batch_is_copied_and_pickled_with_all_its_positions(native):
    game = loaded("cards-safe")
    batch = game.batch(some(game, 5, 4, 6), native=native)
    alone = list(batch)
    for again in (pickle.loads(pickle.dumps(batch)), copy.copy(batch), copy.deepcopy(batch)):
        assert list(again) == alone and again.game.digest == game.digest
        again.apply([row[0] for row in again.legal()])
        assert list(again) != alone and list(batch) == alone


@pytest.mark.parametrize("native", BOTH)
def test_a_batch_keeps_the_worlds_in_which_a_log_would_go_on_so(native):
    """What a card player is shown is compared in every deal that there is; the truth is always kept."""
    game, rng, struck = loaded("cards-safe"), random.Random(1), 0
    seat = game.seats[0]
    true = game.new(5)
    others = [game.new(seed) for seed in range(60)]
    batch = game.batch([true, *others], native=native)
    for _ in range(12):
        choice, mark = true.sample(rng, habits=True), true.player(seat).log.mark
        expected = []
        alone = list(batch)
        true.apply(choice)
        rows = true.player(seat).log.since(mark)
        for place, world in enumerate(alone):
            mark = world.player(seat).log.mark
            if world.is_legal(choice):
                world.apply(choice)
                if world.player(seat).log.since(mark) == rows:
                    expected.append(place)
        assert batch.keep(choice, seat, rows) == expected
        assert list(batch) == [alone[place] for place in expected] and batch[0] == true
        struck += len(alone) - len(expected)
    assert struck


@needs_a_compiler
@pytest.mark.parametrize(("name", "players"), [("cards-safe", 4), ("cards-safe", 3), ("double-or-nothing", 5)])
def test_deals_are_the_same_with_compiled_rules_as_without(name, players, monkeypatch):
    game, found = loaded(name, players), []
    kept, state = game._workshop, game.new(8)
    try:
        for command in ("cc -O0", ""):
            monkeypatch.setenv("TABARRO_CC", command)
            monkeypatch.setattr(worlds, "_DEALS", {})
            game._workshop = None
            game.workshop.library(wait=True)
            beliefs = [Belief.of(state.player(seat)).ready() for seat in game.seats if seat not in game.chance_seats]
            found.append([(b.worlds, b.place, b.known, b.exact, b.seen_cells) for b in beliefs])
    finally:
        game._workshop = kept
    assert found[0] == found[1] and len(found[0][0][0]) > 1
