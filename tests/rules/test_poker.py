"""Poker with few cards: the counts that are known of it, and what the cards are worth."""

import random

import pytest
from loading import loaded
from tabarro.interpreter import CHANCE
from tabarro.lab.solve import Solver, Tree

RANKS = {"jack": 1, "queen": 2, "king": 3}


@pytest.fixture(scope="module")
def leduc():
    return Tree(loaded("leduc-poker"))


def test_leduc_poker_has_936_information_sets_and_5520_histories(leduc):
    assert (len(leduc.choices), leduc.finished, leduc.is_zero_sum) == (936, 5_520, True)


def test_kuhn_poker_for_three_has_48_information_sets_and_312_histories():
    tree = Tree(loaded("kuhn-poker", 3))
    assert (len(tree.choices), tree.finished) == (48, 312)
    assert all(sum(gains) == 0 for gains in tree.gains.values())


def test_exploitability_of_leduc_poker_falls(leduc):
    solver, found = Solver(leduc), []
    for iterations in (5, 25):
        solver.run(iterations)
        found.append(solver.solution())
    assert found[1].exploitability < found[0].exploitability / 2 < 1
    assert found[1].values[0] == pytest.approx(-found[1].values[1])


@pytest.mark.long
def test_leduc_poker_is_worth_what_is_published(leduc):
    """-0.0856 chips for the first player, as solvers of others find, too."""
    solver = Solver(leduc)
    solver.run(400)
    found = solver.solution()
    assert found.values[0] == pytest.approx(-0.0856, abs=0.002) and found.exploitability < 0.01


def played(name, players, seed):
    """A random game with all that happened in it, by the umpire's log."""
    game, rng = loaded(name, players), random.Random(seed)
    state = game.new()
    while not state.over:
        if state.actor == CHANCE:
            state.apply(state.sample(rng), trusted=True)
        else:
            state.apply(rng.choice(state.legal()))
    return state, state.umpire().log.entries()


@pytest.mark.parametrize("seed", range(60))
def test_a_referee_who_counts_chips_agrees_on_leduc_poker(seed):
    state, log = played("leduc-poker", 2, seed)
    stake, hand, board, price, raised, folded = {"first": 1, "second": 1}, {}, None, 2, 0, None
    for entry in log:
        told = dict(entry.told)
        if entry.kind == "set" and entry.step == "hand of _":
            hand[told["player"]] = told["value"].split("_")[0]
        elif entry.kind == "draw" and entry.step.endswith("turn_up"):
            board, price, raised = told["turned"].split("_")[0], 4, 0
            assert stake["first"] == stake["second"]
        elif entry.kind == "ask":
            who, what = told["who"], entry.step.rsplit("/", 1)[-1]
            other = "second" if who == "first" else "first"
            if what == "raise":
                raised += 1
                assert raised <= 2
                stake[who] = stake[other] + price
            elif what == "call":
                assert stake[who] < stake[other]
                stake[who] = stake[other]
            elif what == "fold":
                assert stake[who] < stake[other]
                folded = who
            else:
                assert what == "check" and stake[who] == stake[other]
    if folded is not None:
        other = "second" if folded == "first" else "first"
        assert state.result.scores == {folded: -stake[folded], other: stake[folded]}
        return
    worth = {seat: 9 if hand[seat] == board else RANKS[hand[seat]] for seat in hand}
    best = [seat for seat in worth if worth[seat] == max(worth.values())]
    gains = {seat: 0 if len(best) == 2 else stake[seat] if seat in best else -stake[seat] for seat in worth}
    assert state.result.scores == gains and set(state.result.winners) == set(best)


@pytest.mark.parametrize("seed", range(60))
def test_a_referee_who_counts_chips_agrees_on_kuhn_poker_for_three(seed):
    state, log = played("kuhn-poker", 3, seed)
    ranks = {**RANKS, "ace": 4}
    hand, bet, out = {}, None, set()
    stake = dict.fromkeys(state.game.seats, 1)
    for entry in log:
        told = dict(entry.told)
        if entry.kind == "set" and entry.step == "hand of _":
            hand[told["player"]] = ranks[told["value"]]
        elif entry.kind == "ask":
            who, what = told["who"], entry.step.rsplit("/", 1)[-1]
            assert (bet is None) == (what in ("check", "bet"))
            if what in ("bet", "call"):
                bet, stake[who] = bet or who, 2
            elif what == "fold":
                out.add(who)
    winner = max((seat for seat in stake if seat not in out), key=hand.__getitem__)
    gains = {seat: sum(stake.values()) - stake[seat] if seat == winner else -stake[seat] for seat in stake}
    assert state.result.scores == gains and state.result.winners == (winner,)
