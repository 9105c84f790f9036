"""What is not tried out in a plan, because nothing can mend it: the same choices as without that, in games of all kinds."""

from __future__ import annotations

import random

import pytest
from tabarro.interpreter import RulesError, deciding, load_game
from tabarro.interpreter.doomed import doomed
from tabarro.interpreter.model import walk

GAME = """
name: Tokens
players: {{2: {{}}}}
things:
  player: [ann, bob]
  token: [one, two, three]
  square: {{grid: {{column: 3, row: 2}}}}
  coin:
    columns: {{moves: set of token, worth: number}}
    members:
      iron: {{moves: [one], worth: 2}}
      gold: {{moves: [two, three], worth: 2}}
seats: players
links: {{nearby of square: {{steps: [[1, 0], [0, 1], [-1, 0]]}}}}
state:
  place of token: {{is: square, start: a1, seen by: all}}
  token is free: {{is: yes or no, start: {free}, seen by: all}}
  token is used: {{is: yes or no, seen by: all}}
  purse: {{is: list of coin, seen by: all}}
  turns: {{is: number, seen by: all}}
words:
  token is at square: place of token is square
  token is with token called other: place of token is place of other
rules:
  game:
    spread: {{set: {{place of two: b1, place of three: {third}}}}}
    rounds:
      repeat:
        coins: {{draw: 2, from: coins as often as worth, as: found, seen by: all}}
        ready: {{set: {{purse: found, {unused}}}}}
        moves:
          plan: ann
          do:
            one_by_one:
              while: purse is not none
              repeat:
                next:
                  ask: ann
                  seen by: all
                  between:
                    {alternatives}
          must: {{{must}}}
        count: {{set: {{turns: turns plus 1}}}}
      until: turns is at least 4
    over: {{end: nobody}}
"""
STOP = "stop: {then: {rest: {set: {purse: none}}}}"
MOVES = [
    "for: {coin: purse, token: moves of coin, target: nearby of place of token}",
    "for: {coin: purse, token: (moves of coin) where it is free, target: nearby of place of token}",
    "for: {token: tokens where it is free, coin: purse, target: nearby of place of token}",
    "for: {coin: purse, token: (moves of coin) where it is not used, target: squares}",
]
GOES = "then: {go: {set: {place of token: target, token is used: true, purse: purse without coin}}}"
STAYS = "then: {go: {set: {place of one: target, token is used: true, purse: purse without coin}}}"
OTHERS = [
    "",
    "unlock: {for: {coin: purse, which: tokens}, then: {go: {set: {which is free: true, purse: purse without coin}}}}",
    "mint: {if: count of purse is 1, then: {go: {set: {purse: purse plus gold}}}}",
    "swap: {for: {coin: purse}, then: {go: {set: {place of two: place of one, purse: purse without coin}}}}",
    "home: {for: {coin: purse, who: tokens where it is used}, then: {go: {set: {place of who: a1, purse: purse without coin}}}}",
]
MUSTS = [
    "apart: no two tokens share a place",
    "alone: no token called mine such that mine is used and mine is with another token",
    "away: no token is at b2",
    "there: any token is at c1",
    "most: at most 1 token is at a1",
    "either: one is at a2 or (two is not with three and not (three is used))",
    "all: every token called mine such that mine is free or mine is not used",
    "first: not (one is with two) and place of three is not a2",
]


def choices(path, seed: int, most: int = 60) -> list:
    """All that could be chosen at each decision of a game."""
    state, luck, found = load_game(path).new(seed=seed), random.Random(seed), []
    while not state.over and len(found) < most:
        try:
            found.append(state.legal())
        except RulesError as error:  # no plan can end as it must
            return [*found, str(error)]
        state.apply(luck.choice(found[-1]), trusted=True)
    return found


def both_ways(path, seeds, tmp_path, monkeypatch) -> tuple[list, list]:
    found = []
    for name, instead in (("with", doomed), ("without", lambda plan: None)):
        monkeypatch.setenv("TABARRO_CACHE", str(tmp_path / name))
        monkeypatch.setattr(deciding, "doomed", instead)
        found.append([choices(path, seed) for seed in seeds])
    return found[0], found[1]


def written(number: int) -> str:
    luck = random.Random(number)
    alternatives = [
        STOP,
        f"move: {{{luck.choice(MOVES)}, {luck.choice([GOES, GOES, GOES, STAYS])}}}",
        *filter(None, luck.sample(OTHERS, 2)),
    ]
    return GAME.format(
        free=luck.choice(["true", "false"]),
        third=luck.choice(["c1", "a2", "b1"]),
        unused=luck.choice(["one is used: false, two is used: false, three is used: false", "one is used: false"]),
        alternatives="\n                    ".join(alternatives),
        must=", ".join(luck.sample(MUSTS, luck.choice([1, 2]))),
    )


@pytest.mark.parametrize("first", [0, 8, *(pytest.param(n, marks=pytest.mark.long) for n in range(16, 48, 8))])
def test_made_up_plans_offer_the_same_choices(first, tmp_path, monkeypatch):
    for number in range(first, first + 8):
        path = tmp_path / f"tokens{number}.yaml"
        path.write_text(written(number), encoding="utf-8")
        with_it, without = both_ways(path, range(3), tmp_path, monkeypatch)
        assert with_it == without, number


def test_of_made_up_plans_many_are_seen_through(tmp_path):
    """Otherwise the test above would show nothing."""
    seen = 0
    for number in range(16):
        path = tmp_path / f"tokens{number}.yaml"
        path.write_text(written(number), encoding="utf-8")
        seen += doomed(plan_of(load_game(path))) is not None
    assert 4 <= seen < 16


@pytest.mark.parametrize("name", ["venice-2013", "venice-japan", "little-venice"])
def test_the_board_games_offer_the_same_choices(name, tmp_path, monkeypatch):
    with_it, without = both_ways(name, range(2), tmp_path, monkeypatch)
    assert with_it == without and doomed(plan_of(load_game(name))) is not None


def plan_of(game):
    return next(step for rule in game.program.rules.values() for step in walk(rule.steps) if step.verb == "plan")


def test_what_can_be_mended_in_two_steps_is_still_offered(tmp_path, monkeypatch):
    """One stands where it must not stay, and can go only after it has been set free."""
    path = tmp_path / "tokens.yaml"
    unlock = OTHERS[1]
    path.write_text(
        GAME.format(
            free="false",
            third="c1",
            unused="one is used: false",
            alternatives="\n                    ".join([STOP, f"move: {{{MOVES[1]}, {GOES}}}", unlock]),
            must="away: one is not at a1",
        ),
        encoding="utf-8",
    )
    with_it, without = both_ways(path, [1, 5, 9], tmp_path, monkeypatch)
    assert with_it == without
    assert any(len(offered) > 1 for game in with_it for offered in game)
