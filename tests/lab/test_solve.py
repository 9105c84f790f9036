"""Small games are solved: the values and strategies are those that are known."""

import json
import random
from io import StringIO
from unittest.mock import patch

import pytest
from loading import loaded
from oracles import cfr
from tabarro.cli import main
from tabarro.interpreter import building
from tabarro.lab import solve
from tabarro.lab.solve import Sampling, Solver, TooLarge, Tree, doubling, measured


def command(*arguments):
    out, err = StringIO(), StringIO()
    return main(["solve", *arguments, "--lang", "en"], out, err), out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def kuhn():
    return Tree(loaded("kuhn-poker"))


def test_kuhn_poker_has_twelve_situations_and_is_worth_a_loss_of_one_eighteenth(kuhn):
    assert (len(kuhn.choices), kuhn.finished, kuhn.is_zero_sum) == (12, 30, True)
    solver = Solver(kuhn)
    solver.run(1_000)
    found = solver.solution()
    assert found.values[0] == pytest.approx(-1 / 18, abs=1e-4) and found.exploitability < 1e-3


def test_nobody_bluffs_with_the_queen_and_the_king_is_bet_three_times_as_often_as_the_jack(kuhn):
    solver = Solver(kuhn)
    solver.run(2_000)
    bets = {}
    for (seat, _), place in kuhn.places.items():
        names = [kuhn.game.words(choice)[0] for choice in kuhn.choices[place]]
        if seat == 0 and "bet" in names:
            card = next(dict(e.told)["value"] for e in kuhn.seen[place] if e.kind == "set")
            bets[card] = solver.average()[place][names.index("bet")]
    assert bets["queen"] < 0.01
    assert bets["king"] == pytest.approx(3 * bets["jack"], abs=0.03)


def test_a_best_answer_to_somebody_who_plays_evenly_gains_what_counting_by_hand_says():
    """Against an even player of Kuhn poker, by going through all cases with the referee's own tree."""
    tree = Tree(loaded("kuhn-poker"))
    even = [[1 / len(c)] * len(c) for c in tree.choices]
    assert tree.values(even)[0] == pytest.approx(1 / 8)
    best = max_over_pure_strategies(cfr.Tree(loaded("kuhn-poker")), 0)
    assert tree.best(even, 0) == pytest.approx(best)


def max_over_pure_strategies(tree, player):
    """Every way to play is tried, one by one; the other player plays evenly."""
    from itertools import product

    mine = sorted({place for (seat, _), place in tree.places.items() if (seat != tree.first) == player})
    best = float("-inf")
    for answers in product((0, 1), repeat=len(mine)):
        fixed = dict(zip(mine, answers))
        strategies = [[0.5, 0.5] for _ in tree.choices]
        for place, answer in fixed.items():
            strategies[place] = [float(answer == 0), float(answer == 1)]
        best = max(best, cfr._value(tree.root, strategies))
    return best


def test_drawing_games_comes_near_the_same_value(kuhn):
    learner = Sampling(loaded("kuhn-poker"), random.Random(1))
    learner.run(3_000)
    found = measured(kuhn, learner.on(kuhn), learner.iterations)
    assert found.values[0] == pytest.approx(-1 / 18, abs=0.03) and found.exploitability < 0.08


def test_a_game_that_is_too_large_is_not_begun():
    with pytest.raises(TooLarge):
        Tree(loaded("venice-2013", 4), limit=500)
    code, out, err = command("cards-safe", "--limit", "500")
    assert code == 2 and "more than 500 nodes" in err and not out


@pytest.mark.skipif(building.missing() in ("extension", "compiler"), reason="all is played in Python here")
def test_compiled_rules_know_sooner_that_a_game_is_too_large_and_change_nothing_else(monkeypatch):
    monkeypatch.setenv("TABARRO_CC", "cc -O0")
    monkeypatch.setattr(solve, "SOON", 0.0)
    for name, limit, written in (("night-runner", 100_000, False), ("leduc-poker", 10_000, True)):
        game = loaded(name)
        assert game.workshop.library(wait=True) is not None
        with patch.object(Tree, "_add", autospec=True, side_effect=Tree._add) as added:
            if written:
                assert len(Tree(game, limit)) == added.call_count == 9457
            else:
                with pytest.raises(TooLarge):
                    Tree(game, limit)
                assert added.call_count < 1_000


def test_the_command_tells_the_value_and_how_to_play(tmp_path):
    file = tmp_path / "kuhn.json"
    code, out, err = command("kuhn-poker", "--iterations", "200", "--strategy", "--json", str(file))
    assert code == 0 and not err
    assert "-0.0556" in out and "12 situations" in out and "bets." in out
    data = json.loads(file.read_text(encoding="utf-8"))
    assert data["iterations"][-1]["values"]["first"] == pytest.approx(-1 / 18, abs=1e-3)
    assert len(data["strategy"]) == 12
    assert all(sum(c["share"] for c in row["choices"]) == pytest.approx(1) for row in data["strategy"])


def test_it_is_measured_more_and_more_rarely_and_at_the_end():
    assert [*doubling(1)] == [1]
    assert [*doubling(100)] == [1, 2, 5, 10, 20, 50, 100]
    assert [*doubling(70)] == [1, 2, 5, 10, 20, 50, 70]


NUMBERS = """
name: Numbers
players: {2: {}}
things: {player: [ann, bob]}
seats: players
rules:
  game:
    first: {ask: ann, for: {x: 0 to 3}, seen by: ann, if none: never}
    some:  {ask: bob, for: {y: {some of: 0 to 2, how many: 2}}, seen by: bob, if none: never}
    over:  {end: if x is in y then ann else bob}
"""


def test_numbers_that_are_chosen_are_told_as_numbers_not_as_things(tmp_path):
    path = str(tmp_path / "numbers.yaml")
    (tmp_path / "numbers.yaml").write_text(NUMBERS, encoding="utf-8")
    code, out, err = command(path, "--strategy", "--iterations", "2")
    assert code == 0 and "0 + 1" in out and "1 + 2" in out, err
    counted = StringIO()
    assert main(["perft", path, "--depth", "2", "--lang", "en"], counted, counted) == 0
    assert [line.split()[0] for line in counted.getvalue().splitlines()[-4:]] == ["0", "1", "2", "3"]
