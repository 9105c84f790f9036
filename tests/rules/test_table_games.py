"""Games that have nothing to do with the family: what is known of them, and whether everybody can play them to the end."""

import random

import pytest
from loading import description_of
from loading import loaded as load_game
from tabarro.interpreter import CHANCE
from tabarro.lab.worlds import Worlds

GAMES = ["liars-dice", "expedition", "night-runner", "last-guest"]
TABLES = [(name, players) for name in GAMES for players in description_of(name).players]


def walked(state):
    """The information sets, and the number of finished histories, from a state on."""
    sets, ends, stack = set(), 0, [state]
    while stack:
        state = stack.pop()
        if state.over:
            ends += 1
            continue
        if state.actor != CHANCE:
            sets.add((state.actor, tuple(state.player(state.actor).log.rows())))
        for choice in state.legal():
            further = state.clone()
            further.apply(choice, trusted=True)
            stack.append(further)
    return sets, ends


@pytest.mark.long
def test_liars_dice_with_one_die_each_has_24576_information_sets_and_147420_histories():
    sets, ends = walked(load_game("liars-dice").new())
    assert (len(sets), ends) == (24_576, 147_420)


def test_after_each_roll_it_has_4095_histories_in_4096_information_sets():
    game = load_game("liars-dice")
    state = game.new()
    for face in ("three", "six"):
        state.apply(game.choice([face], state))
    sets, ends = walked(state)
    assert (len(sets), ends) == (4_096, 4_095), "every row of bids that grow, with whoever is to speak"


@pytest.mark.parametrize("name, players", TABLES)
def test_random_players_come_to_an_end_and_winners_gain_what_losers_lose(name, players):
    game, rng = load_game(name, players), random.Random(3)
    for seed in range(25):
        state = game.new(seed)
        for _ in range(2_000):
            if state.over:
                break
            state.apply(state.sample(rng, habits=True))
        assert state.over
        assert set(state.result.winners) <= set(game.seats)


@pytest.mark.parametrize("name, players", TABLES)
def test_two_worlds_that_differ_in_what_a_player_has_not_seen_look_the_same_to_him(name, players):
    worlds, rng = Worlds(load_game(name, players), end_declared=True), random.Random(players)
    for observer in worlds.observers[:2]:
        worlds.follow(observer, rng, width=6, most=40)
    assert worlds.beside and worlds.differences == []
