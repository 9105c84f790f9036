"""Games in other people's tools: their own tests must pass, and nobody sees more there than here."""

import pickle
import random

import pyspiel
import pytest
from loading import every_table, loaded
from open_spiel.python.algorithms import cfr, expected_game_score
from open_spiel.python.observation import make_observation
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper
from tabarro.adapters import ENOUGH, Actions, Flat, Seeing
from tabarro.adapters.openspiel import load
from tabarro.adapters.pettingzoo import env, parallel_env
from tabarro.interpreter import CHANCE

SMALL = [("kuhn-poker", 2), ("tic-tac-toe", 2), ("little-mystery", 3), ("cards-safe", 4)]

pytestmark = pytest.mark.filterwarnings("ignore")  # PettingZoo warns of much that it allows


def tried_in_pettingzoo(name, players):
    api_test(env(name, players, longest=300), num_cycles=60)
    seed_test(lambda: env(name, players, longest=300), num_cycles=30)
    parallel_api_test(parallel_env(name, players, longest=300), num_cycles=60)


def tried_in_openspiel(name, players):
    pyspiel.random_sim_test(load(name, players), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("name", "players"), SMALL)
def test_small_tables_pass_the_tests_of_pettingzoo_and_openspiel(name, players, capfd):
    tried_in_pettingzoo(name, players)
    tried_in_openspiel(name, players)


@pytest.mark.long
@every_table
def test_every_table_passes_the_tests_of_pettingzoo_and_openspiel(name, players, capfd):
    tried_in_pettingzoo(name, players)
    tried_in_openspiel(name, players)


def test_cfr_of_openspiel_finds_the_value_of_kuhn_poker():
    game = pyspiel.load_game("tabarro(game=kuhn-poker,least=-2,most=2)")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [solver.average_policy()] * 2)
    assert values[0] == pytest.approx(-1 / 18, abs=2e-4)


def flattened(name, players, seed, longest=150):
    """A random game, piece by piece, beside the same choices made whole."""
    game = loaded(name, players)
    actions = Actions(game)
    flat, whole, rng = Flat(game.new(seed), actions), game.new(seed), random.Random(seed)
    for _ in range(longest):
        if whole.over:
            break
        yield game, actions, flat, whole
        choice = whole.sample(rng, habits=True)
        pieces, made = actions.of(choice), 0
        while made < len(pieces):  # what goes without saying is skipped
            flat.apply(pieces[made])
            made = len(flat.done) or len(pieces)
        whole.apply(choice)


@pytest.mark.parametrize(("name", "players"), [*SMALL, ("venice-2013", 4)])
def test_choices_made_in_pieces_are_the_choices_of_the_rules(name, players):
    """Each choice in pieces, and each row of pieces a choice: no more, no less."""
    for game, actions, flat, whole in flattened(name, players, seed=3, longest=25):
        assert flat.state == whole and flat.actor == whole.actor and flat.done == ()
        choices = whole.legal()
        if len(choices) > 200:
            continue
        found, rows = [], [((), flat.clone())]
        while rows:
            made, at = rows.pop()
            for piece in at.legal():
                further = at.clone()
                further.apply(piece)
                if further.done == ():
                    found.append(further.state.umpire().log.entries())
                else:
                    rows.append(((*made, piece), further))
        expected = []
        for choice in choices:
            after = whole.clone()
            after.apply(choice)
            expected.append(after.umpire().log.entries())
        assert sorted(map(str, found)) == sorted(map(str, expected))


def test_pieces_have_the_same_numbers_in_every_process_and_name_what_can_be_chosen():
    actions = Actions(loaded("kuhn-poker"))
    names = [actions.name(n) for n in range(len(actions))]
    assert names[ENOUGH] == "." and {"check", "bet", "fold", "call", "jack", "queen", "king"} <= set(names)
    assert names == [Actions(loaded("kuhn-poker")).name(n) for n in range(len(actions))]


def test_a_piece_that_cannot_be_chosen_is_refused():
    game = loaded("kuhn-poker")
    flat = Flat(game.new(1), Actions(game))
    with pytest.raises(ValueError, match="cannot be chosen"):
        flat.apply(ENOUGH)


@pytest.mark.parametrize(("name", "players"), SMALL)
def test_what_a_player_sees_differs_only_if_the_log_or_the_question_does(name, players):
    game = loaded(name, players)
    actions = Actions(game)
    seeing = Seeing(game, actions, memory=4096)
    texts, tokens, features = {}, {}, {}
    for seed in range(6):
        state, rng = game.new(seed), random.Random(seed)
        for _ in range(40):
            if state.over:
                break
            for seat in game.seats:
                player = state.player(seat)
                known = (seat, str(player.log.rows()), player.is_asked and player.question().number)
                assert texts.setdefault((seat, seeing.text(player)), known) == known
                assert tokens.setdefault((seat, *seeing.tokens(player)), known) == known
                row = tuple(seeing.features(player))
                assert len(row) == seeing.size and features.setdefault(known, row) == row
            state.apply(state.sample(rng, habits=True))


def test_worlds_that_a_player_cannot_tell_apart_look_the_same_to_his_tools():
    """The second player's card is no business of the first."""
    game = load("kuhn-poker")
    seen = set()
    for other in ("queen", "king"):
        state = game.new_initial_state()
        for card in ("jack", other):
            action = next(a for a, _ in state.chance_outcomes() if state.action_to_string(a) == card)
            state.apply_action(action)
        told = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
        told.set_from(state, 0)
        seen.add((told.string_from(state, 0), tuple(told.tensor)))
    assert len(seen) == 1


def test_chances_of_pieces_add_up_to_one():
    game = loaded("cards-safe", 3)
    flat, rng = Flat(game.new(), Actions(game)), random.Random(1)
    for _ in range(60):
        if flat.over:
            break
        if flat.actor == CHANCE:
            outcomes = flat.chances()
            assert sum(share for _, share in outcomes) == pytest.approx(1)
            flat.apply(rng.choice(outcomes)[0])
        else:
            flat.apply(rng.choice(flat.legal()))


def test_a_state_of_openspiel_comes_back_from_its_text():
    game = load("little-mystery")
    state, rng = game.new_initial_state(), random.Random(5)
    for _ in range(9):
        actions = state.legal_actions()
        state.apply_action(rng.choice(actions))
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert again.history() == state.history() and str(again) == str(state)
    assert again.legal_actions() == state.legal_actions()


BALLOT = """
name: Ballot
about: Three vote, at the same time, who leaves the boat.
players: {3: {}}
things: {player: [ann, bob, cleo]}
seats: players
state: {vote of player: {is: player, seen by: all}}
rules:
  game:
    ballot: {ask: player in players, for: {burden: players where it is not player}, as: vote, if none: never}
    over: {end: players where vote of it is ann}
"""


def test_those_who_are_asked_at_once_act_in_one_round_and_do_not_see_each_other_choose(tmp_path):
    file = tmp_path / "ballot.yaml"
    file.write_text(BALLOT, encoding="utf-8")
    table = parallel_env(str(file))
    seen, _ = table.reset(seed=1)
    assert all(table.actions.name(a) != agent for agent in seen for a in seen[agent]["action_mask"].nonzero()[0])
    assert [int(seen[agent]["action_mask"].sum()) for agent in table.agents] == [2, 2, 2]
    chosen = {agent: int(seen[agent]["action_mask"].nonzero()[0][0]) for agent in table.agents}
    _, rewards, over, _, _ = table.step(chosen)
    assert all(over.values()) and table.agents == [] and sum(rewards.values()) >= 0
    parallel_api_test(parallel_env(str(file)), num_cycles=20)
    api_test(env(str(file)), num_cycles=20)


NUMBERS = """
name: Numbers
players: {2: {}}
things: {player: [ann, bob]}
seats: players
rules:
  game:
    one:  {ask: ann, for: {bid: 1 to 5}, seen by: all}
    two:  {ask: bob, for: {answer: 1 to bid}, seen by: all, if none: never}
    luck: {draw: 1, from: 1 to 6, as: die, seen by: all}
    over: {end: if bid plus answer is more than die then ann else bob}
"""


def test_numbers_can_be_chosen_as_things_can(tmp_path):
    file = tmp_path / "numbers.yaml"
    file.write_text(NUMBERS, encoding="utf-8")
    tried_in_pettingzoo(str(file), 2)
    tried_in_openspiel(str(file), 2)
    game = loaded(file)
    flat = Flat(game.new(), Actions(game))
    assert [flat.actions.name(action) for action in flat.legal()] == ["1", "2", "3", "4", "5"]


def test_a_game_of_openspiel_with_options_comes_back_from_its_string():
    options = "round_limit:2;penalty:3"
    game = pyspiel.load_game(f"tabarro(game=cards-safe,players=4,options={options})")
    given = load("cards-safe", 4, options=options.replace(":", "="))
    assert str(given) == str(game) and options in str(game)
    for again in (pyspiel.load_game(str(given)), pickle.loads(pickle.dumps(given))):
        assert str(again) == str(game)
        assert again.new_initial_state().table.rules.options["penalty"].value == 3


@pytest.mark.parametrize("call", ["step", "observe", "render", "agent_iter", "last", "rewards"])
def test_before_an_environment_is_reset_it_says_what_the_wrappers_of_pettingzoo_say(call):
    own, wrapped = env("kuhn-poker"), OrderEnforcingWrapper(env("kuhn-poker"))
    arguments = {"step": [0], "observe": ["first"]}.get(call, [])
    said = []
    for table in (wrapped, own):
        with pytest.raises((AssertionError, AttributeError)) as caught:
            getattr(table, call)(*arguments)
        said.append((type(caught.value), str(caught.value)))
    assert said[0] == said[1]
    with pytest.raises(AssertionError, match="reset"):
        parallel_env("kuhn-poker").step({})
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = own.colour
