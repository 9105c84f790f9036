"""Worlds beside each other: what a player can tell apart is found, what he cannot is not."""

import random
from pathlib import Path

import pytest
from covering import covering
from loading import TABLES, compiled, description_of, every_table, is_house_rule, loaded, other_options
from tabarro.interpreter import Position, RulesError
from tabarro.interpreter.compiling import compile_game
from tabarro.interpreter.resolve import Library
from tabarro.lab.worlds import Worlds

HERE = Path(__file__).parent
GAME = """
name: Game
players: {3: {}}
things:
  player: [ann, bob, cleo]
  card: [rope, lantern, coin]
  size: [big, small]
  token: {each: [player, size]}
seats: players
state:
  mission of player: {is: card, seen by: player}
  rank of token:     {is: card or nothing, seen by: player of token}
  player is hunter:  {is: yes or no, seen by: all}
  trophy of player:  {is: card, seen by: if player is hunter then all else player}
  lit:               {is: yes or no, seen by: all}
  hand of player:    {is: set of card, seen by: player}
rules:
  game:
    missions: {deal: cards, to: players, as: mission}
"""
# file -> who notices, by what, at which step, and of what he learns something
LEAKS = {
    "return-in-a-branch": ("cleo", "log", "early/after", "mission of _"),
    "pool-of-a-draw": ("cleo", "pool", "game/rumour", "mission of _"),
    "audience-by-a-secret": ("bob", "log", "game/hint", "mission of _"),
    "audience-that-nobody-was": ("bob", "log", "game/tell", "stake of _"),
    "seat-that-has-changed": ("ann", "choices", "game/guess", "mission of _"),
    "asked-by-a-secret": ("ann", "keyboard", "game/trade", "mission of _"),
    "stops-by-a-secret": ("cleo", "stopped", "game/trade", "mission of _"),
    "moved-by-a-secret": ("bob", "stopped", "game/give", "bag of _"),
    "counted-by-a-secret": ("bob", "stopped", "game/sums", "mission of _"),
}
HONEST = {
    "each sees the own tokens": """
    ranks: {deal: cards, to: tokens of ann, as: rank}
    look:
      for each: player in players
      do:
        mine:
          for each: token in tokens of player
          do:
            tell: {say: "It is {what}.", with: {what: rank of token}, to: player}
""",
    "hunters lay theirs open": """
    lots:  {set: {bob is hunter: true}}
    prize: {deal: cards, to: players, as: trophy}
    tell:  {say: "It is {what}.", with: {what: trophy of bob}}
""",
    "a card is drawn from what the deal has left": """
    hands: {deal: cards without coin, to: ann, each: 1, as: hand}
    rest:  {draw: 1, from: (cards without coin) without hand of ann, as: left, seen by: all, if none: never}
""",
    "a secret is shown before it counts": """
    look: {show: mission of ann is rope, as: has_rope}
    then_:
      if: has_rope
      then:
        tell: {say: All know why.}
""",
    "whoever is asked in secret is asked again in any case": """
    maybe: {ask: bob, for: {what: cards where it is rope and it is mission of bob}, if none: {}}
    again: {ask: bob, between: {well: , hm: }, seen by: all}
""",
    "the end tells who has won": """
    over: {end: players where mission of it is rope}
""",
}


def worlds_of(text, tmp_path):
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return Worlds(compile_game(Library(), path, None, None, leaks=[]))


@pytest.mark.parametrize("name", LEAKS)
def test_what_somebody_can_tell_is_found_with_who_and_where_and_what(name):
    worlds = Worlds(compile_game(Library(), HERE / "leaks" / f"{name}.yaml", None, None, leaks=[]))
    assert worlds.exhaust()
    found = {(d.observer, d.matter, d.step.name, d.secret.function.shape) for d in worlds.differences + worlds.refuted}
    assert LEAKS[name] in found


@pytest.mark.parametrize("name", LEAKS)
def test_it_is_also_found_where_not_all_runs_can_be_looked_at(name):
    worlds = Worlds(compile_game(Library(), HERE / "leaks" / f"{name}.yaml", None, None, leaks=[]))
    for number in range(8):
        worlds.follow(LEAKS[name][0], random.Random(f"{name} {number}"))
    assert LEAKS[name][:3] in {(d.observer, d.matter, d.step.name) for d in worlds.differences + worlds.refuted}


def test_whether_a_choice_can_be_taken_back_tells_nothing_and_is_compared(monkeypatch):
    game = compile_game(Library(), HERE / "leaks" / "taken-back-by-a-secret.yaml", None, None, leaks=[])
    worlds = Worlds(game)
    assert worlds.exhaust()
    assert worlds.differences == []
    mission, bob = game.vocabulary.functions["mission of _"][0], game.vocabulary.seats[1]
    rope = game.valued("rope", mission.result)
    monkeypatch.setattr(Position, "unnoticed_since", lambda self, *_: self.value(mission, bob) != rope)
    worlds = Worlds(game)
    assert worlds.exhaust()
    assert {(d.observer, d.matter, d.step.name) for d in worlds.differences} == {("ann", "undo", "game/then_")}


@pytest.mark.parametrize("rules", HONEST)
def test_where_nobody_can_tell_anything_nothing_is_found(rules, tmp_path):
    worlds = worlds_of(GAME + HONEST[rules], tmp_path)
    assert worlds.exhaust()
    assert [str(d) for d in worlds.differences] == []


def test_two_worlds_that_can_be_told_apart_are_the_same_to_the_observer_until_then():
    game = compile_game(Library(), HERE / "leaks" / "return-in-a-branch.yaml", None, None, leaks=[])
    worlds = Worlds(game)
    worlds.exhaust()
    for difference in worlds.differences:
        one, other = (worlds.position(way) for way in difference.ways)
        logs = [[e for e in p.log(difference.observer) if e.kind != "say"] for p in (one, other)]
        assert logs[0] == logs[1] or difference.matter != "log"
        function, args, values, telling, _ = difference.secret
        assert telling in values
        assert values[0] != values[1]
        assert [p.value(function, *args) for p in (one, other)] == list(values)


def test_a_player_is_known_to_notice_a_pile_only_by_what_is_drawn_from_it(tmp_path):
    """Equal cards are as many as there are: what one holds of them is no longer in the pack."""
    text = GAME.replace("  lit:", "  gone: {is: card, seen by: nobody}\n  lit:")
    honest = """
    lot:  {draw: 1, from: cards, as: taken}
    away: {set: {gone: taken}}
    next: {draw: 1, from: cards without gone, as: seen_one, seen by: all, if none: never}
"""
    leaking = honest.replace("cards without gone", "cards without mission of bob")
    for rules, found in ((honest, False), (leaking, True)):
        worlds = worlds_of(text + rules, tmp_path)
        assert worlds.exhaust()
        assert bool(worlds.differences) is found


@pytest.mark.long
@every_table
def test_nobody_can_tell_anything_in_the_games_that_come_along(name, players):
    """In more worlds and for longer than the laws ask of every seat."""
    worlds, rng = Worlds(loaded(name, players)), random.Random(f"{name} {players}")
    worlds.follow(rng.choice(worlds.observers), rng, width=10, most=80)
    assert [str(d) for d in worlds.differences] == []


def of_option(row):
    """Each option in each game, with house rules counted to what they change; each value with each number of players."""
    name, players, options = row
    changed = description_of(name).extends if is_house_rule(name) else (name,)
    return {name, (*changed, *options), (players, str(options))}


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "players", "options"),
    covering([(*table, options) for table in TABLES for options in other_options(table[0])], of_option),
    ids=str,
)
def test_nor_can_anybody_with_any_option(name, players, options):
    try:
        worlds = Worlds(compiled(name, players, options))
    except RulesError as error:  # some options exclude each other, or go with a number of players only
        assert {p.code for p in error.problems} <= {"options_exclude", "options_require"}
        return
    rng = random.Random(f"{name} {players} {options}")
    worlds.follow(rng.choice(worlds.observers), rng, width=10, most=80)
    assert [str(d) for d in worlds.differences] == []
