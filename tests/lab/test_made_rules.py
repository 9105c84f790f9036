"""Rule files that nobody has written: whatever the secrecy check accepts, no player can tell apart in play."""

import random

import pytest
from soak_worlds import Bench, looked_at, made
from tabarro.interpreter import RulesError
from tabarro.interpreter.cache import switched_off

QUICK = 60
LONG, CHUNK = [*range(320_000, 320_600), *range(330_000, 330_600)], 100  # files, and how many of them at a time
CHANGED = 20  # games that come along with one step more or otherwise; they are larger


def nobody_can_tell(seeds, **more):
    tally, leaks, broken = looked_at(seeds, **more)
    assert [f"seed {seed}: {found[0]}\n{text}" for seed, text, found in broken] == []
    assert [f"seed {seed}: {found[0]}\n{text}" for seed, text, found in leaks] == []
    return tally


def test_most_of_what_is_made_up_is_a_game():
    bench, games = Bench(), 0
    with switched_off():
        for seed in range(40):
            try:
                bench.compiled(made(bench, seed, share=(1, 0))[0])
                games += 1
            except RulesError:
                pass
    assert games > 25


def test_what_is_made_up_is_the_same_for_the_same_seed():
    bench = Bench()
    one, other = (made(bench, 7, share=(1, 0)) for _ in range(2))
    assert one == other != made(bench, 8, share=(1, 0))


def test_whatever_is_accepted_no_player_can_tell_apart():
    tally = nobody_can_tell(range(QUICK), share=(1, 0))
    assert tally["accepted, harmless"] > QUICK / 10
    assert tally["refused, leaks"] > QUICK / 10


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, len(LONG), CHUNK))
def test_nor_can_he_in_many_more_of_them(first):
    nobody_can_tell(LONG[first : first + CHUNK], share=(1, 0))


@pytest.mark.long
@pytest.mark.parametrize("first", range(4))
def test_nor_if_one_step_of_a_small_game_is_changed(first):
    seeds = random.Random(first).sample(range(10**6), CHANGED)
    nobody_can_tell(seeds, share=(0, 1))


@pytest.mark.long
@pytest.mark.parametrize("first", range(4))
def test_nor_if_one_step_of_a_large_game_is_changed(first):
    seeds = random.Random(f"large {first}").sample(range(10**6), CHANGED // 6)
    nobody_can_tell(seeds, share=(0, 0))
