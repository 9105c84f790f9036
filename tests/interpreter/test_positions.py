"""Equal positions play alike, however they came about, and what cannot matter any more is no part of them."""

import random
from functools import cache
from pathlib import Path

import pytest
from loading import loaded
from tabarro.interpreter import load_game

GAMES = Path(__file__).parents[1] / "mind" / "games"
LITTLE = ["dealt", "shoe", "votes", "chase", "ranks", "plans"]
BUNDLED = [("kuhn-poker", 2), ("little-mystery", 3), ("tic-tac-toe", 2), ("cards-safe", 4), ("venice-2013", 4)]


@cache
def game_of(name, players=None):
    return load_game(GAMES / f"{name}.yaml") if name in LITTLE else loaded(name, players)


def future(state, choice):
    """What everybody sees of a choice, and where it leads."""
    after = state.clone()
    before = [len(state.log(seat)) for seat in state.game.seats]
    after.apply(choice, trusted=True)
    return [after.log(seat)[n:] for seat, n in zip(state.game.seats, before)], after.position(), after


def alike(one, other, rng, depth=3):
    assert (one.actor, one.over, one.result) == (other.actor, other.over, other.result)
    if one.over or not depth:
        return
    assert one.legal() == other.legal() and one.actor == other.actor
    assert one.actor != "chance" or one.chances() == other.chances()
    choices = one.legal()
    for choice in rng.sample(choices, min(2, len(choices))):
        seen, position, after = future(one, choice)
        seen_too, same, after_too = future(other, choice)
        assert seen == seen_too and position == same
        alike(after, after_too, rng, depth - 1)


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), [*((name, None) for name in LITTLE), *BUNDLED])
def test_equal_positions_play_alike(name, players):
    game, rng, known, met = game_of(name, players), random.Random(1), {}, 0
    for _ in range(60 if name in LITTLE else 12):
        state = game.new()
        for _ in range(40):
            if state.over:
                break
            other = known.setdefault(state.position(), state.clone())
            if other.v[1] != state.v[1] and met < 200:  # another way led there
                met += 1
                alike(state, other, rng)
            state.apply(state.sample(rng, habits=True))
    assert met or name not in ("shoe", "chase", "plans")  # where ways meet again soon


def walked(*spots):
    state = game_of("plans").new(1)
    for spot in spots:
        state.apply(state.game.choice([spot], state))
    return state


def test_what_a_plan_holds_back_belongs_to_the_position_until_it_is_told():
    one, other = walked("well", "mill"), walked("barn", "mill")
    assert one.umpire().cells() == other.umpire().cells() and one.log("bob") == other.log("bob")
    assert one.position() != other.position()  # bob will be told which way ann went
    for state in (one, other):
        state.apply(state.game.choice(["well"], state))
    assert one.log("bob") != other.log("bob") and one.position() == other.position()


HEADS = """
name: Dead names
players: {2: {}}
things: {player: [ann, bob], card: [ace, king, queen]}
seats: players
state: {lead: {is: player, start: ann, seen by: all}}
rules:
  game:
    first: {ask: ann, for: {noted: cards}}
    other: {ask: bob, for: {chosen: cards}}
    last:  {ask: ann, between: {yes_it_is: {}, no_it_is: {}}, seen by: all}
    over:  {end: ann}
"""


def test_a_name_that_nothing_reads_any_more_is_no_part_of_a_position(tmp_path):
    path = tmp_path / "dead.yaml"
    path.write_text(HEADS)
    game = load_game(path)
    positions = set()
    for noted in ("ace", "king"):
        state = game.new(1)
        state.apply(game.choice([noted], state))
        positions.add(state.position())
    assert len(positions) == 1


def test_a_name_that_is_read_later_stays_part_of_it(tmp_path):
    path = tmp_path / "alive.yaml"
    path.write_text(HEADS.replace("over:  {end: ann}", "tell: {show: noted, to: all, as: told}\n    over: {end: ann}"))
    game = load_game(path)
    positions = set()
    for noted in ("ace", "king"):
        state = game.new(1)
        state.apply(game.choice([noted], state))
        positions.add(state.position())
    assert len(positions) == 2
