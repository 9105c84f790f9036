"""Bots that look ahead: in any game, within a budget, the same from the same seed, better than chance."""

import random
import time
from functools import cache
from pathlib import Path

import pytest
from loading import loaded
from tabarro.interpreter import load_game
from tabarro.mind.bots import BOTS
from tabarro.mind.search import STEPS, Search

GAMES = Path(__file__).with_name("games")
LITTLE = ["dealt", "shoe", "votes", "chase", "ranks", "plans", "six"]


@cache
def game_of(name):
    return load_game(GAMES / f"{name}.yaml") if name in LITTLE else loaded(name)


def played(game, kinds, seed, longest=200):
    """The result of a game among bots, by seat; None if it takes too long."""
    state, rng = game.new(seed), random.Random(seed)
    bots = {seat: BOTS[kind](game, seat) for seat, kind in kinds.items()}
    for _ in range(longest):
        if state.over:
            return state.result
        state.apply(bots[state.actor].choose(state.player(state.actor), rng))
    return None


@pytest.mark.long
@pytest.mark.parametrize("name", LITTLE)
@pytest.mark.parametrize("kind", ["careful", "gambler", "deducer", "thinker-easy"])
def test_every_bot_plays_games_in_which_secrets_change(name, kind):
    game = game_of(name)
    played(game, dict.fromkeys(game.seats, kind), 1, longest=30)  # only legal choices are taken


@pytest.mark.parametrize("kind", ["deducer", "thinker"])
def test_a_first_decision_among_six_takes_no_more_steps_than_allowed(kind):
    game = game_of("six")
    state = game.new(3)
    bot = BOTS[kind](game, state.actor)
    player = state.player(state.actor)
    assert player.is_legal(bot.choose(player, random.Random(1)))
    courses = bot.belief.courses
    assert not courses.exact and courses.known  # 24 cards fall in more ways than can be gone through
    assert courses.steps < 4 * courses.budget


@pytest.mark.parametrize("name", ["votes", "chase", "little-mystery"])
def test_the_same_seed_gives_the_same_game(name):
    game = game_of(name)
    kinds = dict.fromkeys(game.seats, "thinker-easy")

    def choices():
        state, rng = game.new(4), random.Random(4)
        bots = {seat: BOTS[kind](game, seat) for seat, kind in kinds.items()}
        for _ in range(8):
            if state.over:
                return
            choice = bots[state.actor].choose(state.player(state.actor), rng)
            yield choice
            state.apply(choice)

    assert list(choices()) == list(choices())


def test_a_thinker_takes_the_time_that_it_is_given():
    game = game_of("chase")
    state = game.new(1)
    bot = BOTS["thinker"](game, state.actor)
    bot.seconds = 0.3
    begun = time.monotonic()
    bot.choose(state.player(state.actor), random.Random(1))
    assert 0.25 < time.monotonic() - begun < 10


def test_a_search_ends_after_so_many_steps_and_when_it_is_told_to():
    game = game_of("chase")
    state = game.new(1)
    bot = BOTS["thinker"](game, state.actor)
    bot.read(state.player(state.actor))
    worlds, choices = bot.belief.courses.worlds(), state.legal()
    search = Search(game, state.actor, random.Random(1))
    assert search.think(worlds, choices, 50) in choices and search.iterations <= 50
    assert search.steps <= STEPS * 50 + 1_000
    told = Search(game, state.actor, random.Random(1))
    assert told.think(worlds, choices, 10_000, enough=lambda: told.iterations >= 7) in choices and told.iterations == 7


def test_a_thinker_does_not_see_what_its_seat_does_not_see():
    """In two worlds that it cannot tell apart it chooses alike."""
    game = game_of("chase")
    found = {}
    for seed in range(30):
        state = game.new(seed)
        while state.actor == "thief":
            state.apply(state.legal()[0])
        log = tuple(state.player(state.actor).log.rows())
        choice = BOTS["thinker-easy"](game, state.actor).choose(state.player(state.actor), random.Random(7))
        assert found.setdefault(log, choice) == choice
    assert len(found) < 30


def test_thinkers_take_a_win_and_stop_one_at_noughts_and_crosses():
    game = game_of("tic-tac-toe")
    won = 0
    for seed in range(6):
        first, second = game.seats
        result = played(game, {first: "thinker", second: "random"}, seed)
        assert second not in result.winners
        won += first in result.winners
    assert won >= 4


@pytest.mark.long
@pytest.mark.parametrize(("name", "games", "least"), [("chase", 12, 4), ("little-mystery", 9, 2)])
def test_a_thinker_among_random_players_wins_more_than_its_share(name, games, least):
    game, more = game_of(name), 0.0
    for seed in range(games):
        me = game.seats[seed % len(game.seats)]
        result = played(game, {s: "thinker" if s == me else "random" for s in game.seats}, seed)
        if result is not None:
            more += (me in result.winners) - len(result.winners) / len(game.seats)
    assert more >= least / 2
