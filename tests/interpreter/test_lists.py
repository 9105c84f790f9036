"""Sets have each element once, in their order; lists have them as often as they were put there. Choices are distinct."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from tabarro.interpreter import RulesError, load_game
from tabarro.interpreter.check import Scope
from tabarro.interpreter.errors import Place, Source
from tabarro.interpreter.evaluate import evaluate
from tabarro.interpreter.linking import compile_expression

GAME = """
name: Equal cards
players: {2: {}}
things:
  both:   {any of: [right, left], plural: everything}
  player: [ann, bob]
  left:   [x, y]
  right:  [z]
  card:
    columns: {worth: number, side: left, copies: number}
    members: {rope: {worth: 1, side: x, copies: 3}, coin: {worth: 3, side: y, copies: 1}, dust: {worth: 1, side: y, copies: 2}}
seats: [bob, ann]
state:
  hand:    {is: list of card, start: [rope, coin, rope], seen by: all}
  pile:    {is: list of card, start: [rope], seen by: all}
  kept:    {is: set of card, start: [dust, coin], seen by: all}
  trail:   {is: list of card, seen by: all}
  last:    {is: card or nothing, seen by: all}
rules:
  game:
    draw:  {draw: 2, from: cards as often as copies, as: drawn, seen by: all}
    throw: {ask: ann, for: {thrown: hand}, seen by: all, if none: never}
    pick:  {ask: bob, for: {bag: {some of: hand, how many: at most 2}}, seen by: all, if none: never}
    more:  {ask: bob, for: {other: hand, also: hand where it is not coin}, seen by: all, if none: never}
    end:   {end: ann}
"""

MEANINGS = {
    "hand plus coin": ("rope", "coin", "rope", "coin"),
    "hand plus pile": ("rope", "coin", "rope", "rope"),
    "hand plus kept": ("rope", "coin", "rope", "coin", "dust"),
    "kept plus hand": ("rope", "coin", "dust"),
    "none plus hand": ("rope", "coin", "rope"),
    "hand plus none": ("rope", "coin", "rope"),
    "hand plus last": ("rope", "coin", "rope"),
    "hand without rope": ("coin", "rope"),
    "hand without pile": ("coin", "rope"),
    "hand without (pile plus rope)": ("coin",),
    "hand without kept": ("rope", "rope"),
    "kept without hand": ("dust",),
    "count of hand": 3,
    "count of (hand where it is rope)": 2,
    "hand where it is not coin": ("rope", "rope"),
    "exactly 2 cards in hand are rope": True,
    "rope is in hand": True,
    "pile is within hand": True,
    "pile plus rope is within hand": True,
    "pile plus rope plus rope is within hand": False,
    "pile plus rope plus rope is within cards": True,
    "(rope or coin) is within hand": True,
    "hand is pile plus coin plus rope": True,
    "hand is pile plus rope plus coin": False,
    "side of hand": ("x", "y", "x"),
    "side of kept": ("y",),
    "worth of hand": (1, 3, 1),
    "worth of kept": (3, 1),
    "no two cards in hand share a side": False,
    "everything is (z or y or x)": True,
    "everything": ("x", "y", "z"),
    "first of everything": "x",
    "all is players": True,
    "all": ("ann", "bob"),
}


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    path = tmp_path_factory.mktemp("lists") / "equal-cards.yaml"
    path.write_text(GAME, encoding="utf-8")
    return load_game(path)


@pytest.mark.parametrize("text", MEANINGS)
def test_a_form_means_the_same_for_lists_in_both_ways_to_value_it(text, game):
    state, place = game.new(), Place(Source("test", text), 1, 1)
    expr = game.vocabulary.checker.expression(text, place, Scope())
    cells = state.umpire().cells()
    assert game.named(evaluate(expr, cells, {}), expr.type) == MEANINGS[text]
    assert game.named(compile_expression(len(game.vocabulary.atoms), expr, [])(state), expr.type) == MEANINGS[text]


def test_equal_cards_are_drawn_as_often_as_there_are(game):
    named = {game.words(c)[0]: p for c, p in game.new().chances()}
    assert named == {"rope": Fraction(1, 2), "coin": Fraction(1, 6), "dust": Fraction(1, 3)}


def after_drawing(game):
    state, rng = game.new(), random.Random(1)
    while state.actor == "chance":
        state.apply(state.sample(rng))
    return state


def test_equal_cards_are_offered_once(game):
    state = after_drawing(game)
    assert [game.words(c) for c in state.legal()] == [["rope"], ["coin"]]
    counted = Counter(state.sample(random.Random(n)) for n in range(400))
    assert len(counted) == 2 and min(counted.values()) > 150  # each choice is as likely as the other
    state.apply(state.legal()[0])
    bags = [game.words(c)[0] for c in state.legal()]
    assert bags == [[], ["rope"], ["rope", "rope"], ["rope", "coin"], ["coin"]]
    for choice in state.legal():
        assert state.is_legal(choice) and game.choice(game.words(choice), state) == choice
    rope, coin = (game.vocabulary.by_name[name][0] for name in ("rope", "coin"))
    assert not state.is_legal(((coin, coin),)) and not state.is_legal(((rope, rope, rope),))
    state.apply(state.legal()[2])
    assert [game.words(c) for c in state.legal()] == [["rope", "rope"], ["coin", "rope"]]


@pytest.mark.parametrize("text", ["hand plus 2", "1 plus rope", "hand plus true"])
def test_what_cannot_be_together_in_a_list_is_refused(text, game):
    with pytest.raises(RulesError):
        game.vocabulary.checker.expression(text, Place(Source("test", text), 1, 1), Scope())


def test_what_has_no_number_is_there_no_times(tmp_path):
    path = tmp_path / "gaps.yaml"
    path.write_text(
        "name: Gaps\nplayers: {2: {}}\nseats: players\n"
        "things:\n  player: [ann, bob]\n"
        "  card: {columns: {copies: number or nothing}, members: {rope: {copies: 2}, coin: {}, key: {copies: 1}}}\n"
        "rules:\n  game:\n"
        "    look: {let: {deck: (cards as often as copies) plus coin}}\n"
        "    over: {end: ann, scores: if it is ann then count of deck else count of (cards as often as copies)}\n",
        encoding="utf-8",
    )
    state = load_game(path).new(1)
    assert state.result.scores == {"ann": 4, "bob": 3}
