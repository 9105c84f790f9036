"""How others are taken to choose: what follows from it, beside a filter of all histories, and how far estimates are off."""

from collections import Counter

import pytest
from loading import loaded
from oracles.histories import histories
from shapes import decisions, difference, distance, game_of, truth_of
from tabarro.interpreter import load_game
from tabarro.mind.courses import Courses
from tabarro.mind.kinds import MODELS
from tabarro.mind.models import AsBot, Estimated, chooses_evenly, courses_of
from tabarro.mind.odds import Odds
from tabarro.mind.secrets import deals_suffice


def as_random(state, offered):
    """How often `random` takes each, counted over all ways in which what is rare may be left out."""
    rare = {a.atom: a.rarely for a in state.game.program.nodes[state.v[0]].step.alternatives if a.rarely > 1}
    assert len(rare) <= 1  # in the games of this test
    found = Counter()
    for atom, rarely in rare.items() or [(None, 1)]:
        rest = [choice for choice in offered if choice[0] != atom] or offered
        for choice in offered:
            found[choice] += (1 / rarely) / len(offered) + (1 - 1 / rarely) * (choice in rest) / len(rest)
    return found


@pytest.mark.parametrize("name", ["liars-dice", "deck", "leduc-poker"])
def test_shares_under_random_play_are_those_of_all_histories(name):
    game, compared = game_of(name), 0
    for seed in range(2):
        for state in decisions(game, seed, 6):
            seat, player = state.actor, state.player(state.actor)
            courses = courses_of(game, seat, "random").read(player.log.rows(), player.question().number)
            found = courses.spread(lambda p, courses=courses: truth_of(courses, p))
            wanted = {}
            all_of_them = histories(game, seat, state.log(seat), state.legal(), 20_000, as_random)
            whole = sum(weight for _, weight in all_of_them)
            for other, weight in all_of_them:
                key = truth_of(courses, other)
                wanted[key] = wanted.get(key, 0.0) + weight / whole
            assert courses.exact and difference(found, wanted) < 1e-9, (seed, seat)
            compared += 1
    assert compared >= 6


@pytest.mark.long
def test_where_deals_suffice_random_players_are_weighed_as_if_they_chose_evenly():
    """What they are offered hangs on secrets only where nothing of it is rare: by all that may have happened, too."""
    game, compared = loaded("cards-safe", 4), 0
    assert deals_suffice(game) and chooses_evenly(game, "random") and not chooses_evenly(game, "deducer")
    for state in decisions(game, 3, 16):
        player = state.player(state.actor)
        odds = Odds.of(player).ready()
        courses = courses_of(game, state.actor, "random").read(player.log.rows(), player.question().number)
        if courses.exact:
            deals = dict(zip(odds.belief.worlds, odds.shares(), strict=True))
            found = courses.spread(lambda p, odds=odds: tuple(p.cell(cell) for cell in odds.belief.place))
            assert difference(deals, found) < 1e-9
            compared += 1
    assert compared >= 4


def test_whoever_is_rarely_told_the_truth_is_not_taken_to_hear_it_evenly(tmp_path):
    path = tmp_path / "rare.yaml"
    path.write_text(RARE)
    game = load_game(path)
    assert chooses_evenly(game, "evenly") and not chooses_evenly(game, "random")


RARE = """
name: Rare
about: One answers, by what he holds, and the truth is rare.
players: {2: {}}
things: {player: [ann, bob], card: [red, blue]}
seats: players
state: {hand of player: {is: card, seen by: player}}
rules:
  game:
    deal: {deal: cards, to: players, as: hand}
    answer:
      ask: ann
      seen by: all
      between:
        red: {if: hand of ann is red, rarely: 4, text: Red.}
        no:  {text: I do not say.}
    over: {end: players}
"""


def test_what_is_estimated_is_as_near_as_it_says():
    """Of `random` it is known how it chooses: asked several times, it comes to about the same."""
    game, inside = game_of("leduc-poker"), []
    for seed in range(8):
        for state in decisions(game, seed, 6):
            player = state.player(state.actor)
            rows, number = player.log.rows(), player.question().number
            exact = courses_of(game, state.actor, "random").read(rows, number)
            observers = [type(exact.observer)(game, state.actor, True, AsBot("random", n), True) for n in (1, 2)]
            halves = [Courses(game, state.actor, observer=observer) for observer in observers]
            about = Estimated(game, state.actor, halves).read(rows, number)
            for cell in range(game.program.state_slots):
                truth = exact.spread(lambda p, cell=cell: p.cell(cell))
                if len(truth) > 1 and exact.observer.knows_cell(cell):
                    guess = about.spread(lambda p, cell=cell: p.cell(cell))
                    inside.append(distance(truth, guess) <= about.error(lambda p, cell=cell: p.cell(cell)) + 0.02)
    assert len(inside) >= 20 and sum(inside) / len(inside) >= 0.9


@pytest.mark.parametrize("model", MODELS)
def test_no_model_strikes_out_the_truth(model):
    game = game_of("kuhn-poker")
    for seed in range(4):
        for state in decisions(game, seed, 3):
            player = state.player(state.actor)
            courses = courses_of(game, state.actor, model).read(player.log.rows(), player.question().number)
            found = courses.spread(lambda p: tuple(p.cells()))
            assert courses.exact and found.get(tuple(state.umpire().cells()), 0) > 0
            even = courses_of(game, state.actor).read(player.log.rows(), player.question().number)
            assert found.keys() == even.spread(lambda p: tuple(p.cells())).keys()
