"""The games that have nothing to do with each other: what is known of them, and play against hand-written ones."""

import random
from collections import Counter
from fractions import Fraction
from math import factorial, sqrt

import pytest
from oracles import kuhn, mystery, tictactoe
from oracles.cfr import information_sets, solve
from tabarro.interpreter import CHANCE, GameOver, load_game


@pytest.fixture(scope="module")
def tic_tac_toe():
    return load_game("tic-tac-toe")


@pytest.fixture(scope="module")
def kuhn_poker():
    return load_game("kuhn-poker")


@pytest.fixture(scope="module")
def little_mystery():
    return load_game("little-mystery")


def after(state, choice):
    state = state.clone()
    state.apply(choice, trusted=True)
    return state


def apply_words(game, state, *words):
    state.apply(game.choice(list(words), state))


# Tic-tac-toe


def test_tic_tac_toe_has_255168_games_and_5478_positions(tic_tac_toe):
    ends, positions, results = Counter(), set(), Counter()
    stack = [(tic_tac_toe.new(), 0)]
    while stack:
        state, marks = stack.pop()
        positions.add(state.position())
        if state.over:
            ends[marks] += 1
            results[state.result.winners] += 1
            continue
        stack += [(after(state, choice), marks + 1) for choice in state.legal()]
    assert sum(ends.values()) == 255_168
    assert ends == {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
    assert results == {("cross",): 131_184, ("nought",): 77_904, (): 46_080}
    assert len(positions) == 5_478


def test_random_tic_tac_toe_takes_3203_of_420_moves_and_is_drawn_in_8_of_63_games(tic_tac_toe):
    games, rng = 100_000, random.Random(20)
    moves, squares, draws = 0, 0, 0
    for seed in range(games):
        state, marks = tic_tac_toe.new(seed), 0
        while not state.over:
            choices = state.legal()
            state.apply(choices[int(rng.random() * len(choices))], trusted=True)
            marks += 1
        moves += marks
        squares += marks * marks
        draws += not state.result.winners
    mean = moves / games
    error = sqrt((squares / games - mean * mean) / games)
    assert abs(mean - 3203 / 420) < 4 * error
    drawn = 8 / 63
    assert abs(draws / games - drawn) < 4 * sqrt(drawn * (1 - drawn) / games)


def test_tic_tac_toe_is_played_as_by_hand(tic_tac_toe):
    names = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    rng = random.Random(1)
    for _ in range(500):
        state, by_hand = tic_tac_toe.new(), tictactoe.TicTacToe()
        while not by_hand.over:
            assert not state.over and state.actor == by_hand.actor and state.result is None
            assert [tic_tac_toe.words(c) for c in state.legal()] == [[names[s]] for (s,) in by_hand.legal()]
            choice = by_hand.sample(rng)
            by_hand.apply(choice)
            apply_words(tic_tac_toe, state, names[choice[0]])
        assert state.over and state.actor is None
        for ask in (
            state.legal,
            state.chances,
            lambda state=state: state.sample(rng),
            lambda state=state: state.apply((0,)),
        ):
            with pytest.raises(GameOver, match="the game is over"):
                ask()
        assert state.result.winners == by_hand.result.winners
        for seat in tictactoe.SEATS:
            marks = {e["square"]: e["who"] for e in state.log(seat) if e.kind == "ask"}
            assert [marks.get(name) for name in names] == by_hand.board, "both see every mark"


# Kuhn poker


def histories(state):
    if state.over:
        yield state
        return
    for choice in state.legal():
        yield from histories(after(state, choice))


def test_kuhn_poker_has_30_histories_and_12_information_sets(kuhn_poker):
    assert sum(1 for _ in histories(kuhn_poker.new())) == 30
    sets = information_sets(kuhn_poker)
    assert len(sets) == 12
    assert Counter(seat for seat, _ in sets) == {"first": 6, "second": 6}
    assert all(len(choices) == 2 for choices in sets.values())


def test_kuhn_poker_is_worth_an_eighteenth_to_the_second_player(kuhn_poker):
    value, strategy = solve(kuhn_poker, 1_000)
    assert value == pytest.approx(-1 / 18, abs=1e-3)
    assert solve(kuhn.Kuhn, 1_000)[0] == pytest.approx(-1 / 18, abs=1e-3), "the solver agrees with itself"


def test_in_kuhn_poker_a_good_player_calls_with_the_king_and_folds_the_jack(kuhn_poker):
    _, strategy = solve(kuhn_poker, 1_000)
    calls = {}
    for (seat, log), chances in strategy.items():
        card = next(e["value"] for e in log if e.kind == "set" and e.step == "hand of _")
        by_name = {kuhn_poker.words(c)[0]: p for c, p in chances.items()}
        if "call" in by_name:
            calls[seat, card] = by_name["call"]
    assert len(calls) == 6
    for (seat, card), chance in calls.items():
        if card != "queen":
            assert chance == pytest.approx(1 if card == "king" else 0, abs=0.02)
    assert calls["second", "queen"] == pytest.approx(1 / 3, abs=0.05)


def test_kuhn_poker_is_played_as_by_hand(kuhn_poker):
    passing = {"check": kuhn.PASS, "fold": kuhn.PASS, "bet": kuhn.BET, "call": kuhn.BET}
    finished = 0

    def compare(state, by_hand):
        nonlocal finished
        assert state.over == by_hand.over and state.actor == by_hand.actor
        if state.over:
            finished += 1
            assert state.result.winners == by_hand.result.winners
            assert state.result.scores == by_hand.result.scores
            return
        words = [kuhn_poker.words(c)[0] for c in state.legal()]
        if state.actor == CHANCE:
            assert [((w,), p) for w, (_, p) in zip(words, state.chances())] == by_hand.chances()
        else:
            assert words == (["check", "bet"] if kuhn.BET not in by_hand.bets else ["fold", "call"])
        for choice, word in zip(state.legal(), words):
            other = by_hand.clone()
            other.apply(passing.get(word, (word,)))
            compare(after(state, choice), other)

    compare(kuhn_poker.new(), kuhn.Kuhn())
    assert finished == 30


def test_in_kuhn_poker_a_player_sees_his_own_card_alone(kuhn_poker):
    for state in histories(kuhn_poker.new()):
        cards = {}
        for seat in kuhn_poker.seats:
            hands = [e for e in state.log(seat) if e.step == "hand of _"]
            assert [e["player"] for e in hands] == [seat]
            cards[seat] = hands[0]["value"]
        ranks = ("jack", "queen", "king")
        for seat, other in (("first", "second"), ("second", "first")):
            told = [value for e in state.log(seat) for _, value in e.told]
            assert cards[other] not in told
            reveals = [e for e in state.log(seat) if e.kind == "show"]
            higher = max(cards, key=lambda s: ranks.index(cards[s]))
            assert all(e["winner"] == higher for e in reveals)
            assert len(reveals) == (0 if any(e.step.endswith("/fold") for e in state.log(seat)) else 1)


# The little mystery


def test_the_cards_of_the_little_mystery_fall_in_1440_equally_likely_ways(little_mystery):
    deals, begins = Counter(), Counter()
    stack = [(little_mystery.new(), (), Fraction(1))]
    while stack:
        state, drawn, likely = stack.pop()
        chances = state.chances()
        assert sum(p for _, p in chances) == 1
        if len(drawn) == 8:
            begins.update({little_mystery.words(c)[0]: p * likely for c, p in chances})
            hands = tuple(
                next(e["value"] for e in reversed(state.log(s)) if e.step == "hand of _") for s in little_mystery.seats
            )
            assert all(set(hand) == set(drawn[2 + 2 * i : 4 + 2 * i]) for i, hand in enumerate(hands))
            deals[drawn[:2] + hands] += likely
            continue
        for choice, p in chances:
            stack.append((after(state, choice), drawn + tuple(little_mystery.words(choice)), likely * p))
    assert len(deals) == 4 * 4 * factorial(6) // (2 * 2 * 2) == 1_440
    assert set(deals.values()) == {Fraction(1, 1_440)}
    assert begins == {seat: Fraction(1, 3) for seat in little_mystery.seats}


def hesitant(rng, choices):
    """A choice that goes on with the game about as often as all others together."""
    short = [c for c in choices if len(c) == min(map(len, choices))]
    return rng.choice(short if rng.random() < 0.5 else choices)


def test_the_little_mystery_is_played_as_by_hand(little_mystery):
    rng, ends = random.Random(4), Counter()
    for _ in range(400):
        state, by_hand = little_mystery.new(), mystery.Mystery()
        while not by_hand.over:
            assert not state.over and state.actor == by_hand.actor
            words = {tuple(little_mystery.words(c)): c for c in state.legal()}
            assert set(words) == set(by_hand.legal()) and len(words) == len(state.legal())
            if state.actor == CHANCE:
                assert {tuple(little_mystery.words(c)): p for c, p in state.chances()} == dict(by_hand.chances())
            choice = hesitant(rng, sorted(words))
            state.apply(words[choice])
            by_hand.apply(choice)
        assert state.over and state.result.winners == by_hand.result.winners
        assert state.result.scores == by_hand.result.scores
        ends[len(state.result.winners), len(by_hand.out)] += 1
    assert {(1, 0), (1, 1), (1, 2), (0, 3)} <= set(ends), "games end in every way in which they can"


def test_in_the_little_mystery_everyone_sees_what_is_his_to_see(little_mystery):
    cards = {*mystery.SUSPECTS, *mystery.CLUES}
    shown_cards = 0
    for seed in range(300):
        state, rng = little_mystery.new(seed), random.Random(seed)
        while not state.over:
            state.apply(hesitant(rng, state.legal()))
        logs = {seat: state.log(seat) for seat in little_mystery.seats}
        hands = {seat: set([e for e in log if e.step == "hand of _"][-1]["value"]) for seat, log in logs.items()}
        assert all(len(hand) == 2 for hand in hands.values())
        solution = cards.difference(*hands.values())
        assert len(solution) == 2 and len(solution & set(mystery.SUSPECTS)) == 1, "all eight cards are somewhere"
        out = set()
        for seat, log in logs.items():
            assert all(e["player"] == seat for e in log if e.step == "hand of _"), "nobody looks into another's hand"
            asked = None
            for entry in log:
                if entry.step == "turn/suggest":
                    asked = {entry["suspect"], entry["clue"]}
                    asker = entry["player"]
                if "shown" in dict(entry.told):
                    assert entry.kind == "ask" and seat in (asker, entry["who"])
                    assert entry["shown"] in asked & hands[entry["who"]] and entry["player"] == asker
                    shown_cards += 1
            told = [e for e in log if e.kind not in ("set", "ask")]
            assert not cards & {value for e in told for _, value in e.told if isinstance(value, str)}
        public = [e for e in logs["ada"] if e in logs["ben"] and e in logs["cleo"]]
        for entry in public:
            if entry.step == "turn/suggest":
                assert entry["player"] not in out, "whoever is out asks no more"
            if entry.step == "turn/accuse/accuse":
                right = {entry["accused"], entry["with_what"]} == solution
                out |= set() if right else {entry["player"]}
                assert (state.result.winners == (entry["player"],)) or not right
        assert bool(state.result.winners) == (len(out) < 3)
    assert shown_cards > 300


# --- counts that are known --------------------------------------------------------------------------------------------
def test_four_in_a_row_goes_as_many_ways_as_is_known():
    game = load_game("four-in-a-row")
    level = [game.new()]
    for depth in range(1, 6):
        level = [after(state, choice) for state in level if not state.over for choice in state.legal()]
        assert len(level) == 7**depth


@pytest.mark.long
def test_after_seven_discs_only_a_full_column_is_missing():
    nodes, stack = 0, [(load_game("four-in-a-row").new(), 0)]
    while stack:
        state, depth = stack.pop()
        if depth == 6:
            nodes += 0 if state.over else len(state.legal())
        elif not state.over:
            stack += [(after(state, choice), depth + 1) for choice in state.legal()]
    assert nodes == 823_536
