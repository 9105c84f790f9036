"""What a seat holds possible in games of every shape, beside a filter of all histories that is written independently."""

import random
from collections import Counter

import pytest
from loading import loaded
from oracles.histories import TooMany, histories
from shapes import BUNDLED, GAMES, QUICK, SHAPES, STRANGE, decisions, difference, distance, game_of, truth_of
from tabarro.front.workbench.conclusions import conclusions
from tabarro.interpreter import load_game
from tabarro.interpreter.cells import arguments_of, cells_of
from tabarro.mind.courses import Contradiction, Courses
from tabarro.mind.now import Now, belief_of
from tabarro.mind.odds import Odds
from tabarro.mind.secrets import deals_suffice, dealt_once


def compare(name, seed, longest=30, most=60_000):
    """One random game: at each decision the belief of the one who is asked, and of all others as of the last news. How
    many were equal; of how many there are too many histories, so that only the truth was looked for."""
    game, counted = game_of(name), Counter()
    minds = {seat: Courses(game, seat, budget=1_000_000) for seat in game.seats}
    others = {seat: Courses(game, seat, budget=1_000_000) for seat in game.seats}  # who never know that they are asked
    for state in decisions(game, seed, longest):
        for seat in game.seats:
            asked = seat == state.actor
            courses = minds[seat] if asked else others[seat]
            player = state.player(seat)
            courses.read(player.log.rows(), player.question().number if asked else None)
            assert courses.exact
            found = courses.spread(lambda position, courses=courses: truth_of(courses, position))
            assert abs(sum(found.values()) - 1) < 1e-9
            if asked:
                assert found.get(truth_of(courses, state), 0.0) > 0, (name, seed, seat)
            try:
                all_of_them = histories(game, seat, state.log(seat), state.legal() if asked else None, most)
            except TooMany:
                counted["truth"] += 1
                continue
            wanted, whole = {}, sum(weight for _, weight in all_of_them)
            for other, weight in all_of_them:
                key = truth_of(courses, other)
                wanted[key] = wanted.get(key, 0.0) + weight / whole
            assert difference(found, wanted) < 1e-9, (name, seed, seat)
            counted["equal"] += 1
    return counted


@pytest.mark.parametrize("name", [*SHAPES, "counter", "peek", *QUICK])
def test_a_belief_is_what_a_filter_of_all_histories_finds(name):
    assert sum(compare(name, seed, 16, 3_000)["equal"] for seed in range(3)) >= 12


SLOW = ("night-runner",)  # a minute and a half


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.soak) if n in SLOW else n for n in (*SHAPES, *STRANGE, *BUNDLED)]
)
def test_a_belief_is_what_a_filter_of_all_histories_finds_in_many_games(name):
    longest, games = (5, 2) if name == "little-mystery" else (30, 5)
    assert sum(compare(name, seed, longest, 20_000)["equal"] for seed in range(100, 100 + games)) >= 12


def drawn_beside_exact(name, seed, drawn=12, longest=30):
    """At each turn of a game, for each cell that is followed: how far what was drawn is off, and how far it says it may
    be."""
    game = game_of(name)
    exact = {seat: Courses(game, seat, budget=1_000_000) for seat in game.seats}
    some = {seat: Courses(game, seat, budget=4, drawn=drawn) for seat in game.seats}
    for state in decisions(game, seed, longest):
        player = state.player(state.actor)
        rows, number = player.log.rows(), player.question().number
        all_worlds, few = exact[state.actor].read(rows, number), some[state.actor].read(rows, number)
        if few.exact:
            continue
        for cell in range(game.program.state_slots):
            if few.observer.knows_cell(cell):
                truth = all_worlds.spread(lambda p, cell=cell: p.cell(cell))
                if len(truth) > 1:
                    guess = few.spread(lambda p, cell=cell: p.cell(cell))
                    yield distance(truth, guess), few.error(lambda p, cell=cell: p.cell(cell))


@pytest.mark.parametrize(
    "name", ["dealt", "deck", "shoe", "votes", "chase", "ranks", "cellar", "wolves", "little-mystery"]
)
def test_what_is_drawn_is_as_near_as_it_says(name):
    found = [pair for seed in range(4) for pair in drawn_beside_exact(name, seed)]
    assert len(found) >= 20
    inside = sum(off <= said for off, said in found) / len(found)
    assert inside >= 0.9, (inside, sum(o for o, _ in found) / len(found), sum(s for _, s in found) / len(found))


def test_more_worlds_come_nearer():
    few, many = ([off for s in range(6) for off, _ in drawn_beside_exact("deck", s, drawn)] for drawn in (4, 24))
    assert sum(many) / len(many) < sum(few) / len(few) / 2


def test_what_is_drawn_is_never_called_certain():
    game = game_of("votes")
    state = next(decisions(game, 1, 30))
    courses = Courses(game, state.actor, budget=1, drawn=50)
    player = state.player(state.actor)
    courses.read(player.log.rows(), player.question().number)
    assert not courses.exact and courses.known


def test_the_same_log_gives_the_same_answer():
    game = game_of("deck")

    def answers():
        courses = {seat: Courses(game, seat, budget=50, drawn=60) for seat in game.seats}
        for state in decisions(game, 3, 20):
            player = state.player(state.actor)
            one = courses[state.actor].read(player.log.rows(), player.question().number)
            yield one.spread(lambda p: tuple(p.cells()))

    assert list(answers()) == list(answers())


def test_a_log_that_cannot_be_is_an_error_and_not_an_empty_belief():
    game = game_of("kuhn-poker")
    state = game.new(1)
    rows = state.player("first").log.rows()
    with pytest.raises(Contradiction):
        Courses(game, "first").read([*rows, *rows])


def test_what_was_taken_back_is_forgotten():
    game = game_of("dealt")
    one, other = game.new(5), game.new(5)
    courses = Courses(game, one.actor)
    seat = one.actor
    for _ in range(3):
        one.apply(one.legal()[0])
        courses.read(one.player(seat).log.rows())
    player = other.player(seat)
    courses.read(player.log.rows(), player.question().number)
    fresh = Courses(game, seat).read(player.log.rows(), player.question().number)
    assert courses.spread(lambda p: tuple(p.cells())) == fresh.spread(lambda p: tuple(p.cells()))


# --- the two kinds of belief ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "players", "longest", "games"),
    [("cards-safe", 4, 30, 2), ("cards-phone", 3, 24, 1), ("venice-2013", 3, 14, 1)],
)
def test_deals_tell_the_same_as_all_that_may_have_happened(name, players, longest, games):
    """Where secrets are dealt once, the quick way is as good: how likely each deal is, at every decision."""
    game, compared = loaded(name, players), 0
    assert deals_suffice(game)
    for seed in range(games):
        quick = {seat: Odds(game, seat) for seat in game.seats}
        slow = {seat: Courses(game, seat, budget=60_000) for seat in game.seats}
        read = dict.fromkeys(game.seats, 0)
        for state in decisions(game, seed, longest):
            seat, player = state.actor, state.player(state.actor)
            rows = player.log.rows()
            odds, courses = quick[seat], slow[seat].read(rows, player.question().number)
            odds.observe(rows[read[seat] :])
            read[seat] = len(rows)
            belief = odds.ready().belief
            if not courses.exact:
                break
            deals = dict(zip(belief.worlds, odds.shares(), strict=True))
            found = courses.spread(lambda p, belief=belief: tuple(p.cell(cell) for cell in belief.place))
            assert difference(deals, found) < 1e-9, (seed, seat)
            compared += 1
    assert compared >= 12


def test_which_games_need_more_than_deals():
    assert [name for name in SHAPES if not dealt_once(game_of(name))] == ["deck", "shoe", "chase", "ranks"]
    assert not any(deals_suffice(game_of(name)) for name in [*SHAPES, *BUNDLED])  # nobody keeps a notebook there


@pytest.mark.parametrize("name", SHAPES)
def test_a_hint_never_says_what_is_not_so_now(name):
    game = game_of(name)
    secrets = {f.shape.split(" ")[0]: f for f in game.screens.secrets}
    for seed in range(3):
        for state in decisions(game, seed, 16):
            found = conclusions(Odds.of(state.player(state.actor)), state.actor)
            assert found["worlds"]
            for kind, entries in found["secrets"].items():
                function = secrets[kind]
                for cell in cells_of(function):
                    args = " ".join(
                        game.named(a, p.type) for a, p in zip(arguments_of(function, cell), function.params)
                    )
                    if args in entries:
                        true = game.named(
                            state.umpire().value(function, *arguments_of(function, cell)), function.result
                        )
                        assert entries[args].get(str(true), 0) > 0, (seed, state.actor, kind, args)


def test_a_belief_that_cannot_be_says_so():
    game = game_of("kuhn-poker")
    belief = Now(game, "first")
    rows = game.new(1).player("first").log.rows()
    belief.observe([*rows, *rows])
    assert belief.ready().failed and not belief.exact and belief.worlds == []


TABLES = [
    ("expedition", 5),
    ("last-guest", 3),
    ("last-guest", 4),
    ("liars-dice", 4),
    ("night-runner", 4),
    ("kuhn-poker", 3),
]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_no_belief_contradicts_what_happens(name, players, monkeypatch):
    """A person would only be told that nothing can be said; here it is a mistake."""
    monkeypatch.setattr("tabarro.mind.now.STRICT", True)
    game = loaded(name, players)
    for state in decisions(game, 5, 7):
        belief = belief_of(state.player(state.actor))
        assert belief.worlds and not belief.failed


# --- many cards -------------------------------------------------------------------------------------------------------
@pytest.mark.long
def test_of_fifty_cards_some_deals_are_drawn_and_all_cards_as_often_as_they_should():
    """Whoever lays a card of his hand lays any of it: what is left is any of the cards that were not seen."""
    game = load_game(GAMES / "fifty.yaml")
    (hand,) = game.screens.secrets
    for seed, laid in ((1, 0), (2, 3)):
        state, rng = game.new(seed), random.Random(seed)
        for _ in range(laid):
            state.apply(state.sample(rng))
        player = state.player(state.actor)
        courses = Courses(game, state.actor, budget=2_000, drawn=300).read(player.log.rows(), player.question().number)
        assert not courses.exact and len(courses.worlds()) >= 100
        me = courses.observer.me
        seen = {*state.umpire().value(hand, me), *(row[2] for row in player.log.rows() if is_laid(game, row))}
        assert len(seen) == 5 + laid
        for other in game.vocabulary.seats:
            if other != me:
                held = Counter()
                for position, weight in courses.worlds():
                    held.update(dict.fromkeys(position.value(hand, other), weight))
                fair = len(state.umpire().value(hand, other)) / (52 - len(seen))
                off = [abs(held[card] - fair) for card in hand.result.of.atoms - seen]
                assert not seen & held.keys()
                assert sum(off) / len(off) < 0.05
                assert max(off) <= courses.error(lambda p, other=other: p.value(hand, other)) + 0.05


def is_laid(game, row):
    return game.program.events[row[0]].kind == "ask"
