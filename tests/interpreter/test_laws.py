"""The laws that every game keeps, whatever its rules: tried on all games, player counts and options."""

import copy
import io
import os
import pickle
import random
import re
import subprocess
import sys
from contextlib import redirect_stdout
from functools import cache, lru_cache
from itertools import islice, product
from math import prod
from pathlib import Path

import pytest
import yaml
from covering import chosen
from hypothesis import given, settings
from hypothesis import strategies as st
from loading import ONCE, TABLES, compiled, every_table, loaded, other_options
from tabarro.interpreter import CHANCE, GameOver, IllegalChoice, RulesError, load_game
from tabarro.interpreter.compiling import compile_game
from tabarro.interpreter.evaluate import evaluate
from tabarro.interpreter.resolve import Library
from tabarro.interpreter.runtime import RUNTIME
from tabarro.interpreter.slots import HEADER
from tabarro.interpreter.source import SourceBuilder
from tabarro.lab.worlds import Worlds

ROOT = Path(__file__).resolve().parents[2]
SEEDS = st.integers(0, 2**32)
quick = settings(max_examples=5, deadline=None)


def hesitant(rng, state):
    """A legal choice; short ones, such as waiting, about as often as all others together."""
    choices = state.legal()
    length = rng.choice(sorted({len(c) for c in choices}))
    return rng.choice([c for c in choices if len(c) == length])


def in_play(game, seed, explicit=False, most=200):
    """The states of one game at random; chance comes from the seed unless it is explicit."""
    state, rng = game.new(None if explicit else seed), random.Random(seed)
    for _ in range(most):
        yield state
        if state.over:
            return
        state.apply(hesitant(rng, state))


def some_state(game, seed, explicit=True):
    """A state from anywhere in a random game, but not its end."""
    states = [s.clone() for s in in_play(game, seed, explicit) if not s.over]
    return random.Random(seed).choice(states)


# --- 1: no game in the interpreter -----------------------------------------------------------------------------------
# Plain English, which both a game and the interpreter may speak.
ORDINARY = {
    "answer",
    "board",
    "build",
    "cards",
    "fewer",
    "figure",
    "first",
    "letter",
    "little",
    "match",
    "middle",
    "nothing",
    "piece",
    "place",
    "player",
    "right",
    "second",
    "short",
    "space",
    "square",
    "truth",
}
NAMED = {
    "venice",
    "venezia",
    "ambassador",
    "phantom",
    "embassy",
    "fiddlebottom",
    "bubble",
    "zsa",
    "rialto",
    "inkognito",
    "tictactoe",
    "kuhn",
    "poker",
    "mystery",
    "cluedo",
}


def names_in_rules():
    names = set()
    for path in ROOT.glob("rules/**/*.yaml"):
        names |= set(re.split(r"[-_]", path.stem))
        things = yaml.safe_load(path.read_text(encoding="utf-8")).get("things") or {}
        for name, spec in things.items():
            members = spec if isinstance(spec, list) else (spec or {}).get("members") or []
            for one in [name, *members]:
                names |= set(re.split(r"[^a-z]+", str(one).lower()))
    return {name for name in names if len(name) > 4}


def words_of(text):
    return set(re.findall(r"[a-z]+", text.lower()))


def test_no_name_of_any_game_occurs_in_the_interpreter():
    names = (names_in_rules() - ORDINARY) | NAMED
    assert {"gardener", "queen", "nought"} <= names, "the names were found"
    files = [p for p in (ROOT / "interpreter").rglob("*") if p.suffix in (".py", ".lark", ".json")] + [ROOT / "cli.py"]
    assert len(files) > 10
    found = {path.name: sorted(names & words_of(path.read_text(encoding="utf-8"))) for path in files}
    assert {name: words for name, words in found.items() if words} == {}


# --- 2: knowledge is the log -----------------------------------------------------------------------------------------
@pytest.mark.long
@every_table
@settings(max_examples=1, deadline=None)
@given(seed=SEEDS)
def test_two_worlds_that_differ_in_what_a_player_has_not_seen_look_the_same_to_him(name, players, seed):
    worlds = Worlds(loaded(name, players))
    for observer in worlds.observers:
        worlds.follow(observer, random.Random(f"{seed} {observer}"), width=6, most=40)
    assert worlds.differences == []


def every_option():
    """Each value of each option, at one table; tests/lab/test_worlds.py goes on with the other ones."""
    rows = [(*table, options) for table in TABLES if table[1] for options in other_options(table[0])]
    return chosen(rows, lambda row: {str(row[2])})


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "options"), every_option(), ids=str)
@settings(max_examples=1, deadline=None)
@given(seed=SEEDS)
def test_so_they_do_with_every_option(name, players, options, seed):
    game = load_variant(name, players, tuple(options.items()))
    if game is not None:
        worlds, rng = Worlds(game), random.Random(seed)
        worlds.follow(rng.choice(worlds.observers), rng, width=6, most=40)
        assert worlds.differences == []


@lru_cache(maxsize=1)  # for all examples of a test
def load_variant(name, players, options):
    try:
        return compiled(name, players, dict(options))
    except RulesError as error:  # some options exclude each other, or go with a number of players only
        assert {p.code for p in error.problems} <= {"options_exclude", "options_require"}
        return None


def test_the_worlds_that_are_compared_do_differ():
    worlds, rng = Worlds(loaded("little-mystery")), random.Random(11)
    for _ in range(30):
        worlds.follow(rng.choice(worlds.observers), rng)
    assert worlds.beside > 1_000
    assert worlds.differences == []


LEAKY = """
name: A leaky game
players: {2: {}}
things:
  player: [ann, bob]
  card: [low, high, other]
seats: players
state:
  hand of player: {is: card, seen by: player}
  wish of player: {is: card, seen by: all}
  tries: {is: number, seen by: all}
rules:
  game:
    deal: {deal: cards, to: players, as: hand}
%s
    think: {ask: ann, for: {thought: cards}, seen by: all}
    over: {end: nobody}
"""
LEAKS = {
    "what is offered": """
    guess: {ask: ann, for: {guess: cards without hand of bob}, seen by: all, if none: never}
""",
    "that somebody else is asked": """
    hidden:
      if: hand of bob is high
      then: {guess: {ask: bob, for: {guess: cards}, seen by: all}}
""",
    "that he is asked": """
    hidden:
      if: hand of bob is high
      then: {guess: {ask: ann, for: {guess: cards}}}
""",
    "what is said": """
    hidden: {say: "It is {held}.", with: {held: hand of bob}, to: ann}
""",
    "that something is said": """
    hidden:
      if: hand of bob is high
      then: {tell: {say: Beware., to: ann}}
""",
    "what is put where all can see it": """
    hidden: {set: {wish of bob: hand of bob}}
""",
    "how often something is counted": """
    hidden:
      if: hand of bob is high
      then: {count: {set: {tries: tries plus 1}}}
""",
    "what follows from a secret choice": """
    secret: {ask: bob, for: {wish: cards}}
    hidden: {set: {wish of bob: wish}}
""",
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_game_that_leaks_is_refused_and_the_comparison_would_notice(leak, tmp_path):
    path = tmp_path / "leaky.yaml"
    path.write_text(LEAKY % LEAKS[leak], encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_game(path)
    assert all(p.code.startswith("tells_") for p in caught.value.problems)
    worlds = Worlds(compile_game(Library(), path, None, None, leaks=[]))
    assert worlds.exhaust()
    assert "ann" in {difference.observer for difference in worlds.differences}


HONEST = {
    "nothing": "",
    "a card is shown": "    hidden: {show: hand of bob, to: all, as: seen}\n",
    "a card is shown if it is high": """
    hidden:
      if: hand of bob is high
      then: {tell: {show: hand of bob, to: all, as: seen}}
""",
    "he says which he does not hold": """
    hidden: {ask: bob, for: {wish: cards where it is not hand of bob}, seen by: all, if none: never}
""",
    "he is asked in secret": """
    hidden: {ask: bob, for: {wish: cards}}
    again:  {ask: ann, for: {wish_too: cards without hand of ann}, if none: never}
""",
    "a card is drawn": """
    hidden: {draw: 1, from: cards, as: drawn, seen by: ann}
""",
}


@pytest.mark.parametrize("rule", HONEST)
def test_the_comparison_finds_no_leak_where_there_is_none(rule, tmp_path):
    path = tmp_path / "honest.yaml"
    path.write_text(LEAKY % HONEST[rule], encoding="utf-8")
    worlds = Worlds(load_game(path))
    assert worlds.exhaust()
    assert worlds.differences == []


# --- 4: every step ends, and nothing but a legal choice is taken -----------------------------------------------------
ODD = [
    (),
    None,
    (None,),
    "",
    ("",),
    (-1,),
    (10**9,),
    (True,),
    (1.0,),
    ([],),
    ({},),
    ((),),
    (((),),),
    (None, None),
    7,
    [1],
    {"a": 1},
    frozenset(),
    (float("nan"),),
    ("a" * 1000,),
    ((1, "a"),),
    (([],),),
    ((1, 1),),
]


def mutated(rng, choice, atoms):
    """Something like a legal choice, which it may even be."""
    parts = list(choice)
    what = rng.randrange(8)
    if what == 0 or not parts:
        return rng.choice(ODD)
    at = rng.randrange(len(parts))
    if what == 1:
        parts[at] = rng.randrange(atoms)
    elif what == 2:
        parts.append(rng.randrange(atoms))
    elif what == 3:
        parts.pop(at)
    elif what == 4:
        parts[at] = rng.choice(ODD)
    elif what == 5:
        rng.shuffle(parts)
    elif what == 6 and isinstance(parts[at], int):
        parts[at] = float(parts[at])  # equal, but not a name of anything
    else:
        parts[at] = (parts[at],) if not isinstance(parts[at], tuple) else parts[at][::-1]
    return tuple(parts)


@every_table
@quick
@given(seed=SEEDS)
def test_what_is_no_legal_choice_is_refused_and_changes_nothing(name, players, seed):
    game, rng = loaded(name, players), random.Random(seed)
    state = some_state(game, seed)
    before, legal = state.clone(), state.legal()
    for _ in range(60):
        choice = mutated(rng, rng.choice(legal), len(game.vocabulary.atoms))
        same = choice in legal and repr(choice) in map(repr, legal)
        assert state.is_legal(choice) == same, choice
        if not same:
            with pytest.raises(IllegalChoice):
                state.apply(choice)
            assert state == before and state.v == before.v


@every_table
@quick
@given(seed=SEEDS)
def test_words_for_no_choice_are_refused(name, players, seed):
    game, state = loaded(name, players), some_state(loaded(name, players), seed)
    words = [game.words(c) for c in state.legal()]
    for odd in ([], None, [None], [[]], ["no such word"], [words[0]], {}, 1, words[0] + ["more"]):
        with pytest.raises(IllegalChoice):
            game.choice(odd, state)
    for choice in state.legal():
        assert game.choice(game.words(choice), state) == choice


@every_table
@quick
@given(seed=SEEDS)
def test_legal_is_legal_and_sample_agree(name, players, seed):
    game, rng = loaded(name, players), random.Random(seed)
    for state in islice(in_play(game, seed, explicit=True), 12):
        if state.over:
            assert state.actor is None
            with pytest.raises(GameOver):
                state.legal()
            return
        legal = state.legal()
        assert legal and len(set(legal)) == len(legal) and legal == state.legal()
        assert all(state.is_legal(choice) for choice in legal)
        assert all(state.sample(rng) in legal for _ in range(20))


@every_table
def test_sample_gives_every_legal_choice_equally_often(name, players):
    game = loaded(name, players)
    for seed in range(4):
        state, rng = some_state(game, seed), random.Random(seed)
        legal = state.legal()
        if len(legal) > 50:
            continue
        likely = dict(state.chances()) if state.actor == CHANCE else {c: 1 / len(legal) for c in legal}
        drawn = [state.sample(rng) for _ in range(200 * len(legal))]
        for choice in legal:
            expected = float(likely[choice]) * len(drawn)
            assert abs(drawn.count(choice) - expected) < 6 * expected**0.5


@every_table
@quick
@given(seed=SEEDS)
def test_chance_is_certain_to_do_something(name, players, seed):
    for state in in_play(loaded(name, players), seed, explicit=True):
        if state.actor == CHANCE:
            chances = state.chances()
            assert sum(p for _, p in chances) == 1 and all(p > 0 for _, p in chances)
            assert [c for c, _ in chances] == state.legal()


# --- 5: same seed, same game -----------------------------------------------------------------------------------------
FINGERPRINTS = """
import hashlib, random, sys
from loading import ONCE, loaded
for name, players in ONCE:
    game = loaded(name, players)
    for seed in range(5):
        state, rng = game.new(seed), random.Random(seed)
        for _ in range(100):
            if state.over:
                break
            choices = state.legal()
            state.apply(choices[int(rng.random() * len(choices))])
        seen = repr([state.log(seat) for seat in game.seats] + [state.result, game.digest])
        print(name, players, seed, hashlib.sha256(seen.encode()).hexdigest())
"""


def fingerprints_elsewhere():
    """In another process, in which strings have other hashes than in this one."""
    seed = "1" if os.environ.get("PYTHONHASHSEED") == "4242" else "4242"
    run = subprocess.run(
        [sys.executable, "-c", FINGERPRINTS],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    return run.stdout.splitlines()


def fingerprints_here():
    said = io.StringIO()
    with redirect_stdout(said):
        exec(FINGERPRINTS, {})
    return said.getvalue().splitlines()


@pytest.mark.long
def test_the_same_seed_gives_the_same_game_in_another_process():
    one, other = fingerprints_here(), fingerprints_elsewhere()
    assert one == other and len(one) == 5 * len(ONCE)


@every_table
def test_another_seed_gives_another_game_where_there_is_chance(name, players):
    game = loaded(name, players)
    has_chance = any(node.kind == "chance" for node in game.program.nodes)
    starts = {tuple(tuple(game.new(seed).log(seat)) for seat in game.seats) for seed in range(40)}
    assert (len(starts) > 1) == has_chance


# --- 6: a state is a value -------------------------------------------------------------------------------------------
def looks(state):
    return [state.log(seat) for seat in state.game.seats], state.actor, state.legal(), state.result


@every_table
@quick
@given(seed=SEEDS)
def test_a_clone_goes_its_own_way(name, players, seed):
    state, rng = some_state(loaded(name, players), seed), random.Random(seed)
    before, clone = looks(state), state.clone()
    assert clone == state and hash(clone) == hash(state) and looks(clone) == before
    for _ in range(10):
        if clone.over:
            break
        clone.apply(hesitant(rng, clone))
        assert clone != state
    assert looks(state) == before


@every_table
@quick
@given(seed=SEEDS)
def test_the_same_choices_lead_to_equal_states_and_a_move_to_another(name, players, seed):
    game = loaded(name, players)
    for one, other in zip(in_play(game, seed), in_play(game, seed)):
        assert one == other and hash(one) == hash(other) and one.position() == other.position()
        assert len({one, other}) == 1
        if not one.over:
            moved = one.clone()
            moved.apply(moved.legal()[0])
            assert moved != one


@pytest.mark.long
@every_table
@quick
@given(seed=SEEDS)
def test_a_state_can_be_pickled(name, players, seed):
    state = some_state(loaded(name, players), seed, explicit=seed % 2 == 0)
    again = pickle.loads(pickle.dumps(state))
    assert again == state and hash(again) == hash(state) and looks(again) == looks(state)
    rng_a, rng_b = random.Random(seed), random.Random(seed)
    while not state.over and len(state.log(state.game.seats[0])) < 60:
        state.apply(hesitant(rng_a, state))
        again.apply(hesitant(rng_b, again))
        assert again == state


def test_a_state_after_3000_events_can_be_pickled_copied_and_compared():
    state, rng = loaded("little-mystery").new(1), random.Random(1)
    while len(state.log("ada")) < 3_000:
        for _ in range(100):
            state.apply(rng.choice([c for c in state.legal() if len(c) < 3]))
    again = pickle.loads(pickle.dumps(state))
    assert again == state and copy.deepcopy(state) == state
    assert again.log("ben") == state.log("ben")
    again.apply(again.legal()[0])
    assert again != state


# --- the compiled program means what the plain one does --------------------------------------------------------------
def words_of_things(game):
    for functions in game.vocabulary.functions.values():
        for function in functions:
            if function.kind == "word" and all(p.type.kind == "thing" for p in function.params):
                yield function


@cache
def compiled_words(name, players):
    """Each word of a game as a Python function of the slots and its arguments."""
    game = loaded(name, players)
    source, heads = SourceBuilder(len(game.vocabulary.atoms)), []
    for function in words_of_things(game):
        names = [source.fresh("x") for _ in function.variables]
        head = source.fresh("word")
        source.define(
            head,
            [
                f"def {head}({', '.join(['v', *names])}):",
                f"    return {source.code(function.body, dict(zip(function.variables, names)))}",
            ],
        )
        heads.append((function, head))
    scope = scope_of(source)
    return [(function, scope[head]) for function, head in heads]


def scope_of(source):
    scope = dict(RUNTIME)
    cells = {n: t for n, t in source.tables.items() if isinstance(t, tuple) and t and t[0] == "cells"}
    scope |= {n: t for n, t in source.tables.items() if n not in cells}
    exec("\n".join(line for lines, _ in source.functions for line in lines), scope)
    for name, (_, functions, keys) in cells.items():
        scope[name] = {(k if keys > 1 else k[0]): scope[f] for k, f in functions.items()}
    return scope


@every_table
@settings(max_examples=4, deadline=None)
@given(seed=SEEDS)
def test_compiled_words_agree_with_what_they_mean(name, players, seed):
    game, rng = loaded(name, players), random.Random(seed)
    states = [s.clone() for s in in_play(game, seed, explicit=seed % 2 == 0, most=60)]
    for state in rng.sample(states, min(3, len(states))):
        slots = Slots(game, state)
        for function, code in compiled_words(name, players):
            every = list(islice(product(*(sorted(p.type.atoms) for p in function.params)), 300))
            for args in rng.sample(every, min(20, len(every))):
                try:
                    meant = evaluate(function.body, slots, dict(zip(function.variables, args)))
                except NotYetSet:
                    continue
                assert code(state.v, *args) == meant, (function.shape, args)


class NotYetSet(Exception):
    pass


class Slots(list):
    """The state; to look for a card before it is dealt is, in play, told as a mistake of the rules."""

    def __init__(self, game, state):
        super().__init__(state.v[HEADER:])
        self.definite = {
            f.base + i
            for fs in game.vocabulary.functions.values()
            for f in fs
            if f.kind == "state" and f.result.kind == "thing" and not f.result.maybe
            for i in range(prod(len(p.type.atoms) for p in f.params))
        }

    def __getitem__(self, index):
        value = list.__getitem__(self, index)
        if value is None and index in self.definite:
            raise NotYetSet
        return value
