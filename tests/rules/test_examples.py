"""The house rules that come along as examples do what they say, in fewer than forty lines each."""

import random
from pathlib import Path

import pytest
from loading import loaded as load_game
from names import named
from tabarro.front.workbench.described import described
from tabarro.interpreter import describe, find_problems, games
from tabarro.interpreter.cells import cell_of
from tabarro.interpreter.check import Scope
from tabarro.interpreter.errors import Place, Source
from tabarro.interpreter.evaluate import evaluate
from tabarro.interpreter.slots import HEADER

FOLDER = Path(__file__).resolve().parents[2] / "rules" / "examples"
FILES = sorted(FOLDER.glob("*.yaml"))
NAMES = {
    "no-objections",
    "liars-carnival",
    "fog",
    "double-or-nothing",
    "little-venice",
    "private-mission",
    "family-cards",
}


def play(game, seed, most=6000):
    """A random game among players who declare rarely."""
    state, rng = game.new(seed), random.Random(seed)
    for _ in range(most):
        if state.over:
            break
        yield state
        state.apply(state.sample(rng, habits=True), trusted=True)
    yield state


def at(state, *words):
    """The value of a state at these things: place of ambassador."""
    game = state.game
    shape, *things = words
    (function,) = (f for f in game.vocabulary.functions[shape] if f.kind == "state")
    args = [game.vocabulary.member(name, param.type) for name, param in zip(things, function.params, strict=True)]
    value = state.v[HEADER + cell_of(function, args)]
    return value if function.result.kind != "thing" else named(game, value)


def test_the_examples_are_those_of_the_list_and_can_be_found_by_name():
    assert {path.stem for path in FILES} == NAMES
    assert set(games()) >= NAMES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_has_fewer_than_forty_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_has_no_mistakes_and_is_played_to_the_end(path):
    assert find_problems(path) == []
    for players in describe(path).players:
        ends = (list(play(load_game(path.stem, players), seed))[-1].over for seed in (1, 2))
        assert any(ends), players


def test_without_objections_nobody_is_ever_asked_to_object():
    for seed in range(3):
        asked = {
            state.game.program.nodes[state.v[0]].step.name
            for state in play(load_game("no-objections", 4), seed)
            if not state.over
        }
        assert asked and not any("object" in name for name in asked)


def test_in_the_fog_the_ambassador_strays_one_step_each_turn():
    game = load_game("fog", 4)
    near = game.vocabulary.functions["neighbours of _ along _"][0].values
    neighbours = {}
    for (space, _), others in near.items():
        neighbours.setdefault(named(game, space), set()).update(named(game, others))
    *_, state = play(game, 2, 400)
    place, strayed = "embassy", 0
    for entry in state.log("red"):
        if entry.kind == "draw" and entry.step == "turn/stray":
            assert entry["fog"] in neighbours[place]
            strayed += 1
        if entry.kind == "set" and entry.step == "place of _" and entry.told[0][1] == "ambassador":
            place = entry.told[1][1]
    turns = sum(entry.kind == "say" and entry.step == "turn/begin" for entry in state.log("red"))
    assert strayed == turns > 3


def lies(game):
    """All answers with several cards: who gave it, whether he was free to lie before, whether it was all lies."""
    words = game.vocabulary
    true = words.functions["_ is true for _"]
    for seed in range(5):
        before = None
        for state in play(game, seed, 2500):
            if before is not None:
                giver, free = before
                answer = next(
                    e for e in reversed(state.log(giver)) if e.kind == "ask" and e.step.startswith("giving/cards")
                )
                cards = [words.member(name, words.sets["card"].type) for name in answer["answer"]]
                seat = words.member(giver, words.sets["player"].type)
                told = [
                    evaluate(f.body, state.v[HEADER:], dict(zip(f.variables, (card, seat), strict=True)))
                    for f in true
                    for card in cards
                    if card in f.params[0].type.atoms
                ]
                assert len(told) == len(cards)
                yield free, len(cards), not any(told), at(state, "_ is shameless", giver)
            before = None
            step = state.game.program.nodes[state.v[0]].step
            if not state.over and step is not None and step.name == "giving/cards":
                before = (state.actor, not at(state, "_ is shameless", state.actor))


def test_in_the_liars_carnival_everybody_may_answer_with_lies_alone_once():
    found = list(lies(load_game("liars-carnival", 4)))
    assert any(free and all_lies for free, _, all_lies, _ in found)
    for free, size, all_lies, shameless in found:
        if all_lies:
            assert free and size >= 2
            assert shameless


def test_only_the_liar_knows_that_he_has_lied():
    game = load_game("liars-carnival", 4)
    (function,) = game.vocabulary.functions["_ is shameless"]
    for seed in range(6):
        *_, state = play(game, seed, 1500)
        for seat in game.seats:
            told = {e.told[0][1] for e in state.log(seat) if e.kind == "set" and e.step == function.shape}
            assert told <= {seat}


def test_in_double_or_nothing_a_game_won_in_the_first_five_rounds_counts_twice():
    game = load_game("double-or-nothing", 4)
    assert game.options["points_to_win"].value == 5
    gains = {1: set(), 2: set()}
    for seed in range(8):
        points, rounds = dict.fromkeys(game.seats, 0), 0
        for state in play(game, seed, 4000):
            now = {seat: at(state, "points of _", seat) for seat in game.seats}
            for seat in game.seats:
                if now[seat] > points[seat]:
                    gains[now[seat] - points[seat]].add(rounds)
            points, rounds = now, at(state, "rounds")
        if state.over:
            assert max(points.values()) >= 5
    assert gains[2] and max(gains[2]) < 5
    assert not gains[1] or min(gains[1]) >= 4  # the round that is just being played is the fifth or a later one


def test_the_board_of_little_venice_has_twenty_spaces_that_hang_together():
    game = load_game("little-venice", 4)
    spaces = game.vocabulary.sets["space"].atoms
    assert len(spaces) == 20
    near = game.vocabulary.functions["neighbours of _ along _"][0].values
    found, stack = {spaces[0]}, [spaces[0]]
    while stack:
        space = stack.pop()
        for other in {o for (s, _), others in near.items() if s == space for o in others} - found:
            found.add(other)
            stack.append(other)
    assert found == set(spaces)
    numbers = game.vocabulary.functions["number of _"][0].values
    assert sorted(n for n in numbers.values() if n is not None) == list(range(1, 9))


def test_little_venice_is_over_after_fifteen_rounds():
    game = load_game("little-venice", 4)
    for seed in range(4):
        *_, state = play(game, seed)
        assert state.over
        assert at(state, "rounds") <= 15


def holds(game, state, text):
    expr = game.vocabulary.checker.expression(text, Place(Source("test", text), 1, 1), Scope())
    return evaluate(expr, state.v[HEADER:], {})


def test_the_private_mission_wins_beside_those_of_the_passport():
    game = load_game("private-mission", 4)
    (function,) = (f for f in game.vocabulary.functions["place of _"] if f.kind == "state")
    rialto = game.vocabulary.member("rialto", function.result)
    state = game.new(3)
    while state.actor == "chance":
        state.apply(state.sample(random.Random(1)))
    for piece in sorted(function.params[0].type.atoms):
        assert holds(game, state, "red is successful") in (True, False)
        state.v[HEADER + cell_of(function, [piece])] = rialto
    assert all(holds(game, state, f"{player} is successful") for player in game.seats)


def test_the_mission_of_the_passport_still_counts_beside_the_private_one():
    plain, more = load_game("venice-2013", 4), load_game("private-mission", 4)
    for seed in range(10):
        one, other = plain.new(seed), more.new(seed)
        for player in plain.seats:
            assert holds(more, other, f"{player} is successful") >= holds(plain, one, f"{player} is successful")


def test_the_family_plays_by_the_rules_of_the_safe():
    family, safe = load_game("family-cards", 4), load_game("cards-safe", 4)
    assert described(family)["rules"] == described(safe)["rules"]
    assert described(family)["things"]["identity"]["members"]["agent_x"]["name"] == "Cousin Haru"
    names = [family.vocabulary.atoms[a].name for a in family.vocabulary.sets["place"].atoms]
    assert names == ["kitchen", "cellar", "attic", "garden", "balcony"]
