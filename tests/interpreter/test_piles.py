"""Piles, and lists with a top and a bottom: no card is made or lost, and nobody learns more than the rules say."""

import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from tabarro.interpreter import CHANCE, RulesError, known_state, load_game
from tabarro.lab.worlds import Worlds

GAMES = Path(__file__).with_name("games")

TABLE = """
players: {2: {}}
things:
  player: [ann, bob]
  card: {columns: {copies: number}, members: {carp: {copies: 2}, pike: {copies: 2}, eel: {copies: 1}}}
seats: players
"""


def game_of(tmp_path, text):
    path = tmp_path / "game.yaml"
    path.write_text(TABLE + text, encoding="utf-8")
    return load_game(path)


@pytest.fixture(scope="module")
def fishing():
    return load_game(GAMES / "fishing.yaml")


def played(game, seed, look=lambda state: None):
    state, rng = game.new(), random.Random(seed)
    while not state.over:
        look(state)
        state.apply(state.sample(rng))
    look(state)
    return state


def values(state):
    functions = {f.shape: f for fs in state.game.vocabulary.functions.values() for f in fs if f.kind == "state"}
    umpire = state.umpire()
    seats = state.game.vocabulary.seats
    return {
        "deck": umpire.value(functions["deck"]),
        "discards": umpire.value(functions["discards"]),
        "trick": umpire.value(functions["trick"]),
        "hands": tuple(umpire.value(functions["hand of _"], seat) for seat in seats),
    }


@pytest.mark.parametrize("seed", range(20))
def test_no_card_is_made_or_lost(fishing, seed):
    whole = Counter({"carp": 3, "pike": 2, "eel": 2})

    def look(state):
        found = values(state)
        cards = [*found["deck"], *found["discards"], *found["trick"], *(c for hand in found["hands"] for c in hand)]
        names = Counter(state.game.vocabulary.atoms[c].name for c in cards)
        assert names == whole

    played(fishing, seed, look)


def test_equal_cards_are_one_choice_and_piles_are_in_the_order_of_the_cards(fishing):
    asked = 0

    def look(state):
        nonlocal asked
        found = values(state)
        assert all(hand == tuple(sorted(hand)) for hand in found["hands"])
        if state.actor != CHANCE and not state.over:
            legal = state.legal()
            assert len(set(legal)) == len(legal)
            assert all(state.is_legal(choice) for choice in legal)
            asked += any(len(set(hand)) < len(hand) for hand in found["hands"])

    for seed in range(20):
        played(fishing, seed, look)
    assert asked > 20, "some hands held equal cards"


def test_some_of_a_pile_are_all_its_parts_each_once(tmp_path):
    game = game_of(
        tmp_path,
        """
state:
  bag: {is: pile of card, start: cards as often as copies, seen by: all}
rules:
  game:
    take: {ask: ann, for: {some: {some of: bag, how many: at most 2, of which: {it is carp: at most 1}}}, if none: never}
""",
    )
    state = game.new()
    found = [" ".join(game.words(choice)[0]) for choice in state.legal()]
    assert sorted(found) == sorted(["", "carp", "pike", "eel", "carp pike", "carp eel", "pike pike", "pike eel"])
    carp, pike = (game.vocabulary.only_atom(name) for name in ("carp", "pike"))
    assert not state.is_legal(((carp, carp),)) and not state.is_legal(((pike, pike, pike),))
    assert not state.is_legal(((pike, carp),)), "in the order of the cards"


def test_what_is_drawn_from_a_pile_is_gone_and_as_likely_as_there_are_cards_of_it(tmp_path):
    game = game_of(
        tmp_path,
        """
state:
  bag: {is: pile of card, start: cards as often as copies, seen by: nobody, count seen by: all}
rules:
  game:
    one:  {draw: 1, from: bag where it is not pike, as: first_one, seen by: ann, if none: never}
    two:  {draw: 2, from: bag, as: others, seen by: all, if none: never}
    look: {show: bag, as: rest}
""",
    )
    state = game.new()
    assert dict((game.words(c)[0], p) for c, p in state.chances()) == {"carp": Fraction(2, 3), "eel": Fraction(1, 3)}
    for name in ("carp", "pike", "pike"):
        state.apply(game.choice([name], state))
    assert [e.told for e in state.log("ann") if e.kind == "draw"] == [
        (("first_one", "carp"),),
        (("others", ("pike", "pike")),),
    ]
    assert [e["value"] for e in state.log("bob") if e.kind == "count"] == [4, 2], "Bob sees how many are left"
    assert [e["rest"] for e in state.log("bob") if e.kind == "show"] == [("carp", "eel")]
    assert not [e for e in state.log("bob") if e.kind == "draw" and "first_one" in dict(e.told)]


def test_a_hand_dealt_in_another_order_is_the_same_hand(tmp_path):
    game = game_of(
        tmp_path,
        """
state:
  bag: {is: pile of card, start: cards as often as copies, seen by: nobody}
  hand of player: {is: pile of card, seen by: player}
rules:
  game:
    deal: {deal: bag, to: ann, each: 3, as: hand}
    wait: {ask: bob, between: {yes: , no: }}
""",
    )
    ends = []
    for row in (("carp", "eel", "carp"), ("carp", "carp", "eel"), ("eel", "carp", "carp")):
        state = game.new()
        for name in row:
            state.apply(game.choice([name], state))
        ends.append(state.position())
    assert ends[0] == ends[1] == ends[2]
    seen = known_state(game, state.log("ann"))
    assert seen["hand of _"][("ann",)] == ("carp", "carp", "eel")


def test_those_who_do_not_see_a_row_see_of_it_what_the_rules_say(tmp_path):
    game = game_of(
        tmp_path,
        """
state:
  deck: {is: list of card, start: [eel, carp, pike], seen by: nobody, count seen by: all, top seen by: ann}
  pond: {is: list of card, seen by: ann, contents seen by: bob}
rules:
  game:
    one: {move: first of deck, from: deck, to: pond}
    two: {move: first of deck, from: deck, under: pond}
    end: {ask: bob, between: {yes: , no: }}
""",
    )
    state = game.new()

    def told(seat):
        return [(e.kind, e.step, e["value"]) for e in state.log(seat)]

    assert told("ann") == [
        ("count", "deck", 2),
        ("top", "deck", "carp"),
        ("set", "pond", ("eel",)),
        ("count", "deck", 1),
        ("top", "deck", "pike"),
        ("set", "pond", ("eel", "carp")),
    ]
    assert told("bob") == [
        ("count", "deck", 2),
        ("contents", "pond", ("eel",)),
        ("count", "deck", 1),
        ("contents", "pond", ("carp", "eel")),
    ]
    assert known_state(game, state.log("bob")) == {"count of deck": {(): 1}, "contents of pond": {(): ("carp", "eel")}}


def test_every_order_of_a_shuffled_list_is_equally_likely(tmp_path):
    game = game_of(
        tmp_path,
        """
state:
  deck: {is: list of card, start: [carp, eel, pike, carp], seen by: ann}
rules:
  game:
    mix: {shuffle: deck}
    end: {ask: bob, between: {yes: , no: }}
""",
    )
    orders = Counter()
    stack = [(game.new(), Fraction(1))]
    while stack:
        state, odds = stack.pop()
        if state.actor != CHANCE:
            orders[state.log("ann")[-1]["value"]] += odds
            assert not state.log("bob")
            continue
        for choice, likely in state.chances():
            further = state.clone()
            further.apply(choice)
            stack.append((further, odds * likely))
    assert len(orders) == 12 and set(orders.values()) == {Fraction(1, 12)}


def test_what_is_not_there_cannot_be_moved(tmp_path):
    game = game_of(
        tmp_path,
        """
state:
  bag: {is: pile of card, start: [carp, eel], seen by: all}
  pond: {is: pile of card, seen by: all}
rules:
  game:
    pick: {ask: ann, for: {fish: cards}, seen by: all}
    away: {move: fish, from: bag, to: pond}
""",
    )
    state = game.new()
    with pytest.raises(RulesError) as refused:
        state.apply(game.choice(["pike"], state))
    assert [p.code for p in refused.value.problems] == ["not_there"]


@pytest.mark.parametrize("seed", range(12))
def test_two_worlds_with_other_hidden_piles_look_the_same(fishing, seed):
    worlds, rng = Worlds(fishing), random.Random(seed)
    worlds.follow(rng.choice(worlds.observers), rng, width=8)
    assert worlds.differences == []


HIDDEN = """
state:
  deck: {is: pile of card, start: cards as often as copies, seen by: nobody}
  hand of player: {is: pile of card, seen by: player}
rules:
  game:
    deal: {deal: deck, to: players, each: 1, as: hand}
    %s
"""


@pytest.mark.parametrize(
    "step, code",
    [
        ("more: {if: carp is in deck, then: {tell: {say: There is a carp left.}}}", "tells_by_happening"),
        ("more: {if: count of (deck where it is carp) is 2, then: {tell: {say: Two.}}}", "tells_by_happening"),
        ("more: {ask: bob, for: {card: hand of ann}, if none: never}", "tells_chooser"),
        (
            "more: {if: carp is in hand of ann, then: {away: {move: carp, from: hand of ann, to: hand of bob}}}",
            "tells_by_happening",
        ),
    ],
)
def test_a_pile_that_nobody_sees_may_decide_nothing_that_others_notice(step, code, tmp_path):
    with pytest.raises(RulesError) as refused:
        game_of(tmp_path, HIDDEN % step)
    assert {p.code for p in refused.value.problems} == {code}


@pytest.mark.parametrize(
    "step",
    [
        "more: {if: count of deck is 3, then: {tell: {say: Three are left.}}}",
        "more: {if: deck is none, then: {tell: {say: None are left.}}}",
        "more: {draw: 1, from: deck, as: card, seen by: all, if none: {tell: {say: None are left.}}}",
    ],
)
def test_a_pile_whose_number_all_see_may_be_counted(step, tmp_path):
    game = game_of(tmp_path, (HIDDEN % step).replace("seen by: nobody", "seen by: nobody, count seen by: all"))
    worlds = Worlds(game)
    assert worlds.exhaust()
    assert worlds.differences == []
