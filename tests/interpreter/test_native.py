"""The rules compiled to C are the rules: in step with the program in Python, and nothing hangs on whether they are there."""

from __future__ import annotations

import pickle
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from beside import plain, play_in_step
from covering import kept
from generated import games as generated
from loading import ONCE, TABLES, compiled, loaded, other_options
from oracles.steps import Reference, Stuck
from tabarro.interpreter import IllegalChoice, RulesError, State, building, load_game
from tabarro.interpreter.cache import folder
from tabarro.interpreter.many import Chooser
from tabarro.interpreter.state import LIMITS

ROOT = Path(__file__).parent.parent.parent
LATER = ["venice-classic", "cards-phone", "last-guest", "expedition", "night-runner", "leduc-poker", "liars-dice"]
FEW = [("kuhn-poker", 2), ("tic-tac-toe", 2), ("cards-safe", 3)]

needs_a_compiler = pytest.mark.skipif(
    building.missing() in ("extension", "compiler"), reason="all is played in Python here"
)
pytestmark = needs_a_compiler


@pytest.mark.parametrize(("name", "players"), kept(TABLES, FEW, [row for row in ONCE if row[0] in LATER]))
def test_each_game_goes_in_c_as_in_python(name, players):
    game = loaded(name, players)
    assert game.workshop.library(wait=True) is not None
    assert sum(play_in_step(game, seed, 120) for seed in range(3)) > 5
    play_in_step(game, 1, 40, chance=True)


@pytest.mark.parametrize(
    "name", ["kuhn-poker", "tic-tac-toe", "cards-safe", pytest.param("venice-2013", marks=pytest.mark.long)]
)
def test_so_it_does_as_it_is_usually_compiled(usually_compiled, name):
    game = compiled(name, None, {})
    assert game.workshop.library(wait=True) is not None
    assert sum(play_in_step(game, seed, 120) for seed in range(3)) > 5


@pytest.mark.long
@pytest.mark.parametrize("name", ["venice-2013", "cards-safe"])
def test_so_it_does_with_other_options(name):
    for options in other_options(name)[:2]:
        game = compiled(name, None, options)
        assert game.workshop.library(wait=True) is not None
        play_in_step(game, 7, 150)


def in_step(seed: int, count: int, path: Path) -> tuple[int, int]:
    played = decisions = 0
    for _, text in generated(seed, count):
        path.write_text(text, encoding="utf-8")
        try:
            game = load_game(path)
        except RulesError:
            continue
        assert game.workshop.library(wait=True) is not None, text
        decisions += sum(play_in_step(game, playout, 60) for playout in range(3))
        played += 1
    return played, decisions


def test_made_up_games_go_in_c_as_in_python(tmp_path):
    played, decisions = in_step(5, 2, tmp_path / "generated.yaml")
    assert played == 2 and decisions > 0


@pytest.mark.long
def test_many_made_up_games_go_in_c_as_in_python(tmp_path):
    played, decisions = in_step(13, 12, tmp_path / "generated.yaml")
    assert played > 8 and decisions > 15


BOARD = """
name: Long board
players: {2: {}}
things:
  player: [ann, bob]
  square: {grid: {column: 12, row: 9}}
seats: players
links:
  beyond of square: {steps: [[1, 0], [0, 1]]}
state:
  place of player: {is: square, start: a1, seen by: all}
  trail: {is: set of square, seen by: all}
  path: {is: list of square, seen by: all}
words:
  open of player: (beyond within 3 steps of place of player) without trail
rules:
  game:
    rounds:
      repeat:
        turns:
          for each: player in players
          do:
            go: {ask: player, for: {target: open of player}, seen by: all, if none: {stuck: {end: player}}}
            there: {set: {place of player: target, trail: trail plus target, path: path plus target}}
      until: count of trail is at least 80
    over: {end: nobody}
"""


def test_sets_of_more_than_sixty_four_things_go_in_c_as_in_python(tmp_path):
    (tmp_path / "board.yaml").write_text(BOARD, encoding="utf-8")
    game = load_game(tmp_path / "board.yaml")
    assert game.workshop.library(wait=True) is not None
    assert play_in_step(game, 3, 60) > 20


EMPTY_DEAL = """
name: Deal
players: {2: {}}
things: {player: [ann, bob], card: [one, two, three, four]}
seats: players
state:
  hand of player: {is: set of card, seen by: all}
  chosen: {is: player or nothing, seen by: all}
rules:
  game:
    hands: {deal: hand of chosen, to: players, as: hand, each: 1}
    who: {ask: ann, for: {other: players}, seen by: all}
    over: {end: other}
"""


def test_a_deal_from_what_is_not_there_gives_nothing_in_c_as_in_python(tmp_path):
    (tmp_path / "deal.yaml").write_text(EMPTY_DEAL, encoding="utf-8")
    game = load_game(tmp_path / "deal.yaml")
    assert game.workshop.library(wait=True).new(1) is not None
    assert play_in_step(game, 3, 60) == 1


UNNEEDED = {
    "an argument beside nothing": "owner of (the only hand of keeper of mill) for (last of (players without players))",
    "an argument of a table without that row": "goal of coin for (the only players where count of hand of keeper of mill is 1)",
    "one side of what cannot hold": "count of hand of keeper of mill is 1 and not brisk",
    "one side of what holds": "count of hand of keeper of mill is 1 or brisk",
    "one side for each of several": "any player called one such that (count of hand of keeper of mill is 1 and not brisk)",
    "an element of none": "(the only hand of keeper of mill) is in (cards without cards)",
    "what a word does not look at": "(the only hand of keeper of mill) is fine",
}
NEVER_VALUED = {
    "the other side of what cannot hold": "not brisk and count of hand of keeper of mill is 1",
    "the other branch": "if brisk then 1 else count of hand of keeper of mill",
}
MISTAKEN = """
name: Unneeded
players: {2: {}}
options: {brisk: {is: yes or no, default: true}}
things: {player: [ann, bob], card: [rope, coin], spot: [mill, tower]}
seats: players
tables: {goal of card for player: {is: yes or no, rows: {rope: hand of player is none}}}
state:
  hand of player: {is: set of card, start: cards, seen by: all}
  keeper of spot: {is: player or nothing, seen by: all}
  owner of card for player: {is: spot or nothing, seen by: all}
words: {card is fine: brisk}
rules:
  game:
    go: {ask: ann, between: {%s}, seen by: all}
    then: {ask: bob, for: {one: cards}, seen by: all}
    over: {end: nobody}
"""


def test_a_mistake_is_told_where_its_value_is_not_needed_and_never_where_it_is_not_valued(tmp_path):
    """`hand of keeper of mill` is nothing, of which nothing can be counted: so says the plain evaluator."""
    shown = {**UNNEEDED, **NEVER_VALUED}
    ways = ", ".join(f"w{n}: {{then: {{s{n}: {{show: {text}, to: all}}}}}}" for n, text in enumerate(shown.values()))
    (tmp_path / "mistaken.yaml").write_text(MISTAKEN % ways, encoding="utf-8")
    game = load_game(tmp_path / "mistaken.yaml")
    assert game.workshop.library(wait=True) is not None
    for way, name in zip(game.new().legal(), shown, strict=True):
        reference = Reference(game).play()
        reference.send(None)
        for play in (reference.send, plain(game).new().apply, game.native().apply):
            if name in NEVER_VALUED:
                play(way)
            else:
                with pytest.raises((Stuck, RulesError)):
                    play(way)
                    pytest.fail(name)


# --- many games -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "players"), kept([*FEW, *(row for row in ONCE if row[0] in LATER)], FEW))
def test_playouts_and_rollouts_are_the_same_with_and_without_c(name, players):
    game = loaded(name, players)
    assert game.workshop.library(wait=True) is not None
    assert game.playouts(12, 5, True, 200, native=True) == plain(game).playouts(12, 5, True, 200, native=False)
    state, same = game.new(seed=4), plain(game).new(seed=4)
    for one in (state, same):
        one.apply(one.legal()[0])
    assert state.rollouts(12, 5, native=True) == same.rollouts(12, 5, native=False)


def test_a_playout_is_a_game_with_its_seed_and_its_chooser():
    game = loaded("kuhn-poker", 2)
    found = game.playouts(3, seed=20, native=True)
    winners = []
    for seed in (20, 21, 22):
        state, chooser = game.new(seed), Chooser(seed)
        while not state.over:
            state.apply(state.sample(chooser))
        winners += state.result.winners
    assert found.wins == {seat: winners.count(seat) for seat in game.seats}


def test_perft_is_the_same_with_and_without_c():
    game = loaded("kuhn-poker", 2)
    assert game.perft(6, native=True) == plain(game).perft(6, native=False)
    assert game.perft(3, native=True)[:3] == [(1, 0), (3, 0), (6, 0)]


@pytest.mark.parametrize("name", ["kuhn-poker", "leduc-poker", "cards-safe", "night-runner", "expedition"])
def test_keys_of_observations_are_equal_exactly_when_the_logs_are(name):
    """In positions that were reached in Python and by compiled rules, in turn: the first of each game are the same."""
    game = loaded(name)
    assert game.workshop.library(wait=True) is not None
    keys: dict[str, bytes] = {}  # of what was seen, as it is told
    positions = same = 0
    for seed in range(24):
        rng, native = random.Random(seed // 2), seed % 2
        state = game.native(seed // 2 % 6) if native else game.new(seed // 2 % 6)
        for _ in range(8):
            here = state.state() if native else state
            for seat in game.seats:
                told, key = repr((seat, here.log(seat))), here.observation_key(seat)
                same += told in keys
                assert keys.setdefault(told, key) == key
                positions += 1
            if here.over:
                break
            state.apply(rng.choice(here.legal()))
    by_seat = {(told.split(",", 1)[0], key) for told, key in keys.items()}
    assert len(by_seat) == len(keys), "two logs of a seat have the same key"
    assert len(keys) > 20 and same > positions / 2


@pytest.mark.long
def test_plans_are_looked_at_by_compiled_rules_where_they_are_there():
    """In Python a plan is tried out, choice after choice; the same choices, the same draws, the same game."""
    game = loaded("little-venice", 3)
    assert game.workshop.library(wait=True) is not None
    state, python = game.new(seed=9), plain(game).new(seed=9)
    one, two = random.Random(2), random.Random(2)
    planned = 0
    while not state.over and planned < 12:
        choice = state.sample(one, habits=True)
        assert choice == python.sample(two, habits=True)
        if state.v[4] is not None:
            planned += 1
            assert state.legal() == python.legal() and state.is_legal(choice)
        state.apply(choice)
        python.apply(choice)
    assert state == python and planned > 3


# --- positions --------------------------------------------------------------------------------------------------------
def test_positions_are_compared_hashed_pickled_and_go_on_in_the_other():
    game = loaded("kuhn-poker", 2)
    game.workshop.library(wait=True)
    state, position = game.new(seed=3), game.native(seed=3)
    choice = state.legal()[1]
    state.apply(choice)
    position.apply(choice)
    assert position == state and state == position and len({state, position}) == 1
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.legal() == state.legal()
    other = position.clone()
    other.apply(other.legal()[0])
    assert other != position and position == state
    on = position.state()
    assert isinstance(on, State)
    on.apply(on.legal()[0])
    assert on == other


def test_what_is_not_legal_is_refused_as_in_python():
    game = loaded("tic-tac-toe", 2)
    game.workshop.library(wait=True)
    position = game.native(seed=1)
    taken = position.legal()[4]
    position.apply(taken)
    for wrong in (taken, (), (10_000,), ("a1",), (taken, taken), None, (True,), (-1,), (2**70,)):
        with pytest.raises(IllegalChoice):
            position.apply(wrong)
    assert len(position.legal()) == 8


def test_many_positions_at_once_do_not_disturb_each_other():
    """More rows than are kept at a time: those that nobody holds go, those of others stay."""
    game = loaded("cards-safe", 3)
    library = game.workshop.library(wait=True)
    rng = random.Random(5)
    state, held = game.new(seed=8), game.native(seed=8)
    for turn in range(60):
        choice = state.sample(rng, habits=True)
        state.apply(choice)
        held.apply(choice)
        if turn == 30:
            filled = [library.new(seed) for seed in range(200)]
            assert library.play(1, 400, True, 2000)[0] == 400
            assert len(filled) == 200
    assert held == state


# --- where it comes from ----------------------------------------------------------------------------------------------
def test_no_name_of_a_rule_file_reaches_the_source():
    game = loaded("cards-safe", 3)
    rules = building.source_of(game, LIMITS).partition("/* --- the rules")[2]
    names = {name for name in game.vocabulary.by_name if len(name) > 4} | {"player", "cards", "safe"}
    assert len(rules) > 10_000 and not [name for name in names if name.lower() in rules.lower()]


def test_the_library_is_kept_in_the_cache_and_only_there(monkeypatch, tmp_path):
    monkeypatch.setenv("TABARRO_CACHE", str(tmp_path / "cache"))  # what others are writing is no concern of ours
    assert load_game("kuhn-poker").workshop.library(wait=True) is not None
    kept_files = [path for path in folder().iterdir() if path.suffix == ".so"]
    assert kept_files and all(path.stat().st_mode & 0o022 == 0 for path in kept_files)
    assert not [path for path in folder().iterdir() if path.name.startswith(".") and path.suffix != ".bin"]


@pytest.mark.long
def test_a_damaged_library_is_made_anew(monkeypatch, tmp_path):
    monkeypatch.setenv("TABARRO_CACHE", str(tmp_path / "cache"))
    assert load_game("kuhn-poker").workshop.library(wait=True) is not None
    (made,) = [path for path in (tmp_path / "cache").iterdir() if path.suffix == ".so"]
    made.unlink()  # not the very file that is open here
    made.write_bytes(b"no library")
    game = load_game("kuhn-poker")
    assert game.workshop.library(wait=True) is not None
    assert game.playouts(5, native=True) == game.playouts(5, native=False)


def test_an_extension_that_was_built_from_other_files_is_not_used(monkeypatch):
    assert building.missing() == ""
    monkeypatch.setattr(building, "EXTENSION", building.EXTENSION + 1)
    assert building.missing() == "extension"
    assert compiled("kuhn-poker", 2, {}).workshop.library(wait=True) is None


def test_a_cache_that_others_can_write_into_is_not_used(monkeypatch, tmp_path):
    shared = tmp_path / "cache"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv("TABARRO_CACHE", str(shared))
    assert load_game("kuhn-poker").workshop.library(wait=True) is None
    assert list(shared.iterdir()) == []


# --- the C itself -----------------------------------------------------------------------------------------------------
@pytest.mark.long
@pytest.mark.parametrize(("name", "games"), [("kuhn-poker", 200), ("little-venice", 2)])
def test_the_sanitizers_find_nothing(name, games, tmp_path):
    (tmp_path / "game.c").write_text(building.source_of(loaded(name), LIMITS), encoding="ascii")
    flags = ["-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", f'-DGAME="{tmp_path}/game.c"']
    driver = [*flags, "-w", "-std=gnu11", str(ROOT / "tests/native_driver.c"), "-o", str(tmp_path / "driver")]
    if subprocess.run([shutil.which("cc") or "cc", *driver], capture_output=True).returncode:
        pytest.skip("this compiler has no sanitizers")
    run = subprocess.run([tmp_path / "driver", str(games)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
