"""What a player can know: compared with a filter of all deals that is written here by hand, by the lines of his log."""

import random
from collections import Counter
from functools import cache
from itertools import permutations, product
from math import log2

import pytest
from loading import loaded
from names import named
from oracles.histories import histories
from shapes import GAMES as SMALL
from shapes import decisions, difference
from tabarro.front.workbench.conclusions import conclusions, told
from tabarro.front.workbench.described import described
from tabarro.interpreter import load_game
from tabarro.interpreter.cells import arguments_of, cells_of
from tabarro.lab.playout import Series, play_some
from tabarro.mind import belief as belief_module
from tabarro.mind.belief import Belief
from tabarro.mind.odds import Odds
from tabarro.speech.language import Language
from truth import holds_the_truth

IDENTITIES = ("lord_fiddlebottom", "colonel_bubble", "madame_zsa_zsa", "agent_x")
BUILDS = ("tall", "short", "fat", "thin")
LETTERS = ("A", "B", "C", "D")
CODES = {"cards-safe": ("13", "24", "36", "47"), "cards-phone": ("52", "11", "0", "29")}
BOARDS = [
    ("venice-2013", 3),
    ("venice-2013", 4),
    ("venice-2013", 5),
    ("venice-classic", 3),
    ("venice-classic", 4),
    ("venice-japan", 4),
]
CARDS = [(edition, players) for edition in CODES for players in (3, 4, 5)]
GAMES, LONGEST, LOOKS = 3, 260, 4  # games at each table, decisions in each, how often one looks; the soak plays more

every_table = pytest.mark.parametrize(("edition", "players"), BOARDS + CARDS)


# --- by hand ----------------------------------------------------------------------------------------------------------
@cache
def all_deals(edition, holders):
    """Every way to deal the secrets: for each agent what he holds of each kind."""
    kinds = (
        {"identity": IDENTITIES, "code": CODES[edition]}
        if edition in CODES
        else {"identity": IDENTITIES, "build": BUILDS, "letter": LETTERS}
    )
    return [
        {(kind, who): value for kind, dealt in zip(kinds, hands) for who, value in zip(holders, dealt)}
        for hands in product(*(permutations(values) for values in kinds.values()))
    ]


def holders_of(edition, players):
    if players == 3:
        return ("red", "blue", "green", "dummy" if edition in CODES else "yellow")
    return ("red", "blue", "green", "yellow")


def value_on(card):
    """`red_agent_x` says agent_x; a black or coloured card of a code says the code."""
    return card.split("_", 1)[1]


def kind_of(value):
    return next(
        (
            kind
            for kind, values in (("identity", IDENTITIES), ("build", BUILDS), ("letter", LETTERS))
            if value in values
        ),
        "code",
    )


def is_true(card, who, deal):
    value = value_on(card)
    if value in ("identity", "build", "mission"):  # the grey cards themselves
        return value != "mission"
    return deal[kind_of(value), who] == value


def answer_can_be(cards, who, form, deal):
    truths = sum(is_true(card, who, deal) for card in cards)
    return truths == 1 if form in ("the_truth", "the_answer") else truths >= 1


def pair_can_be(cards, who, deal):
    """Two cards given in a card game: one is true, one is false; a black card one can only give if it is one's own."""
    blacks = [card for card in cards if card.startswith("black_")]
    return all(is_true(c, who, deal) for c in blacks) and sum(is_true(c, who, deal) for c in cards) == 1


def partners(deal, one, other):
    """Lord Fiddlebottom plays with Colonel Bubble, Madame Zsa Zsa with Agent X."""
    return {deal["identity", one], deal["identity", other]} in ({*IDENTITIES[:2]}, {*IDENTITIES[2:]})


def declared_rightly(deal, told, players):
    """With four players one declares who is who before one's partner, otherwise the combination before anybody."""
    holder = {value: who for (kind, who), value in deal.items() if kind == "identity"}
    right = all(deal["code", holder[identity]] == code for identity, code in zip(IDENTITIES, told["digits"]))
    if players != 4:
        return right
    named = [holder[identity] for identity in IDENTITIES] == list(told["bearer"])
    return right and named and partners(deal, told["seeker"], told["guest"])


def nothing_new(shown, who, topic, deal):
    """Has the true card of a kind been shown beside each of the false ones?"""
    values = {"identity": IDENTITIES, "build": BUILDS}[topic]
    true = f"{who}_{deal[topic, who]}"
    return all(any({true, f"{who}_{value}"} <= set(cards) for cards in shown) for value in values)


def possible(deals, log, players=4, forbidden=False):
    """The deals that agree with a log. Only lines that tell something about secrets are looked at."""
    shown = {}  # what somebody has shown to somebody, as far as the log knows
    for entry in log:
        told = dict(entry.told)
        if entry.kind == "set" and entry.step in ("identity of _", "build of _", "letter of _", "code of _"):
            kind = entry.step.split()[0]
            deals = [d for d in deals if d[kind, told["spy"]] == told["value"]]
        elif entry.step == "giving/cards":
            form, giver, asker = dict(entry.context)["form"], told["giver"], told["asker"]
            before = shown.setdefault((giver, asker), [])
            if forbidden and len(told["answer"]) < 3:  # one card only, and a true one, when there is no new pair
                topic = dict(entry.context)["topic"]
                deals = [d for d in deals if nothing_new(before, giver, topic, d) == (form == "the_answer")]
            deals = [d for d in deals if answer_can_be(told["answer"], giver, form, d)]
            before.append(told["answer"])
        elif entry.step == "giving/witness/see":
            deals = [d for d in deals if answer_can_be(told["seen"], told["seen"][0].split("_")[0], "any", d)]
        elif entry.step.endswith("face/see"):
            deals = [d for d in deals if d[kind_of(told["printed"]), told["giver"]] == told["printed"]]
        elif entry.step == "gift/look":
            deals = [d for d in deals if pair_can_be(told["pair"], told["player"], d)]
        elif entry.step == "answer/which":
            value = value_on(told["card"])
            deals = [d for d in deals if d[kind_of(value), told["other"]] == value]
        elif entry.step in ("declaration/speak/declare/check", "declaration/speak/combination/check"):
            said = dict(entry.context)
            deals = [d for d in deals if declared_rightly(d, said, players) == told["correct"]]
        elif entry.step == "look/face":
            value = value_on(told["face"][0])
            deals = [d for d in deals if d[kind_of(value), "dummy"] == value]
    return deals


def secrets_of(belief):
    """The places of a world, by kind and by who holds it."""
    found = {}
    for cell, index in belief.place.items():
        function = next(f for f in belief.functions if cell in cells_of(f))
        found[index] = (function.shape.split()[0], named(belief.game, arguments_of(function, cell)[0]))
    return [found[i] for i in range(len(found))]


def check(game, state, seat):
    belief = Belief.of(state.player(seat)).ready()
    forbidden = "repeats" in game.options and game.options["repeats"].value == "forbidden"
    deals = possible(all_deals(game.id, holders_of(game.id, game.players)), state.log(seat), game.players, forbidden)
    where = secrets_of(belief)
    expected = {tuple(deal[key] for key in where) for deal in deals}
    assert {tuple(game.words(world)) for world in belief.worlds} == expected
    assert len(belief.worlds) == len(set(belief.worlds)) == len(deals)
    assert holds_the_truth(belief, state)
    return belief


def check_the_end(game, before, state, seat):
    """When all is over nothing is dealt any more: what was known stays known, and the last reveals count."""
    known = check(game, before, seat)
    if game.id in CODES:  # what a declaration reveals can be told by hand
        check(game, state, seat)
    belief = Belief.of(state.player(seat)).ready()
    assert holds_the_truth(belief, state) and secrets_of(belief) == secrets_of(known)
    assert set(belief.worlds) <= set(known.worlds)


def compare(edition, players, games, seed=0, longest=LONGEST, looks=LOOKS, **options):
    """Random games; now and then, and just before the end, each seat's belief against the filter by hand."""
    game = loaded(edition, players, options)
    checked = 0
    for number in range(games):
        rng, state = random.Random(seed + number), game.new(seed + number)
        stops = set(rng.sample(range(1, longest), looks))
        for decision in range(longest):
            choice = state.sample(rng, habits=True)
            if decision in stops:
                for seat in game.seats:
                    check(game, state, seat)
                    checked += 1
            before = state.clone()
            state.apply(choice, trusted=True)
            if state.over:
                for seat in game.seats:
                    check_the_end(game, before, state, seat)
                    checked += 1
                break
    return checked


@pytest.mark.long
@every_table
def test_belief_is_what_a_filter_of_all_deals_leaves_and_the_truth_is_never_struck_out(edition, players):
    assert compare(edition, players, GAMES) > 0


@pytest.mark.parametrize(
    ("edition", "players"), [("venice-2013", 4), ("venice-2013", 5), ("venice-classic", 3), ("venice-japan", 4)]
)
def test_so_it_is_where_cards_must_not_be_shown_twice(edition, players):
    assert compare(edition, players, 1, longest=700, looks=6, repeats="forbidden") > 0


# --- at the beginning -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("edition", "players", "seat", "worlds"),
    [
        ("venice-2013", 4, "red", 216),
        ("venice-2013", 4, "green", 216),
        ("venice-2013", 3, "green", 216),
        ("venice-2013", 5, "ambassador", 13_824),
        ("cards-safe", 4, "yellow", 36),
        ("cards-phone", 3, "blue", 36),
        ("cards-safe", 5, "ambassador", 576),
    ],
)
def test_at_the_beginning_every_deal_with_ones_own_cards_is_possible(edition, players, seat, worlds):
    assert len(check(loaded(edition, players), loaded(edition, players).new(5), seat).worlds) == worlds


# --- where there are too many deals -----------------------------------------------------------------------------------
def by_owner(belief):
    """Worlds as maps, so that they can be compared when their places differ; what is the same in all is left out."""
    keys = secrets_of(belief)
    return {frozenset(zip(keys, map(str, belief.game.words(world)))) for world in belief.worlds}


@pytest.mark.parametrize(("edition", "players", "seat"), [("venice-2013", 4, "red"), ("cards-phone", 5, "ambassador")])
def test_where_there_are_too_many_deals_some_are_drawn_of_those_that_agree_with_the_log(edition, players, seat):
    game = loaded(edition, players)
    state, rng = game.new(4), random.Random(4)
    for decision in range(300):
        if decision in (0, 40, 150):
            belief_module._DEALS.clear()
            exact = Belief.of(state.player(seat)).ready()
            belief_module._DEALS.clear()
            some = Belief.of(state.player(seat), budget=8, samples=600).ready()
            assert exact.exact and not some.exact and some.worlds
            all_of_them, keys = by_owner(exact), set(secrets_of(exact))
            assert {frozenset(pair for pair in world if pair[0] in keys) for world in by_owner(some)} <= all_of_them
            for shape in (f.shape for f in game.vocabulary.functions["identity of _"] if f.kind == "state"):
                for args, likely in exact.marginal(shape).items():
                    drawn = some.marginal(shape)[args]
                    assert all(drawn.get(value, 0) == pytest.approx(p, abs=0.12) for value, p in likely.items())
        if state.over:
            break
        state.apply(state.sample(rng, habits=True))
    belief_module._DEALS.clear()


BIG = """
name: Big mystery
about: Ten suspects and ten objects; six cards for each.
extends: little-mystery
things:
  suspect: [baker, gardener, painter, captain, doctor, sailor, singer, tailor, waiter, writer]
  clue:    [candle, rope, vase, letter, knife, ring, mask, glove, book, key]
rules:
  game:
    deal: {each: 6}
"""


@pytest.mark.parametrize("seat", ["ada", "ben", "cleo"])
def test_of_millions_of_deals_some_are_drawn_as_likely_as_counting_says(seat, tmp_path):
    """Who did it is as likely to be any suspect that I do not hold; a card that I do not hold is as likely with either of
    the others, or aside."""
    (tmp_path / "big.yaml").write_text(BIG, encoding="utf-8")
    game = load_game(tmp_path / "big.yaml")
    state = game.new(5)
    belief = Belief.of(state.player(seat)).ready()
    assert not belief.exact and len(belief.worlds) > 300
    hand = next(dict(e.told)["value"] for e in reversed(state.log(seat)) if e.kind == "set" and e.step == "hand of _")
    suspects = [s for s in described(game)["things"]["suspect"] if s not in hand]
    culprit = {named(game, value): p for value, p in belief.marginal("culprit")[()].items()}
    assert len(hand) == 6 and set(culprit) == set(suspects)
    assert all(p == pytest.approx(1 / len(suspects), abs=0.07) for p in culprit.values())
    other = next(s for s in game.seats if s != seat)
    held = belief.marginal("hand of _")[game.vocabulary.by_name[other][0],]
    for card in suspects:
        likely = sum(p for cards, p in held.items() if card in named(game, cards))
        assert likely == pytest.approx((1 - 1 / len(suspects)) / 2, abs=0.1)


def test_what_is_drawn_is_the_same_each_time():
    state = loaded("venice-2013", 5).new(2)
    found = []
    for _ in range(2):
        belief_module._DEALS.clear()
        found.append(Belief.of(state.player("ambassador"), budget=500, samples=100).ready().worlds)
    belief_module._DEALS.clear()
    assert found[0] == found[1] and len(found[0]) > 90


@pytest.fixture
def only_samples(monkeypatch):
    monkeypatch.setattr(belief_module, "BUDGET", 3)
    monkeypatch.setattr(belief_module, "SAMPLES", 60)
    belief_module._DEALS.clear()
    yield
    belief_module._DEALS.clear()


def test_of_what_was_only_drawn_nothing_is_called_certain(only_samples):
    game = loaded("cards-safe", 4)
    state, rng = game.new(1), random.Random(1)
    for _ in range(60):
        state.apply(state.sample(rng, habits=True))
    odds = Odds(game, "red")
    odds.observe(state.player("red").log.rows())
    found = conclusions(odds, "red")
    said = told(game, Language("en"), found)
    assert not found["exact"] and "estimate" in said[0] and not any(line.startswith("Certain") for line in said)


def test_who_has_only_drawn_worlds_does_not_declare(only_samples):
    game = loaded("cards-safe", 4)
    for bot in ("careful", "deducer"):
        series = Series("cards-safe", 4, (), (), game.digest, 3, (("", bot),), 40, True)
        record = play_some(series, range(1))[0]
        assert not record["over"] and not record["claims"]
        assert all(known == {} for known in record["known"].values())


LINKED = """
name: Linked
about: What is dealt later hangs on what was dealt before, or does not.
players: {3: {}}
things:
  player: [ann, bob, cleo]
  colour: [red, blue, green]
  fruit: [apple, pear, fig]
  coin: [gold, silver, brass]
seats: players
state:
  card of player: {is: colour, seen by: player}
  basket of player: {is: fruit, seen by: player}
  purse of player: {is: coin, seen by: nobody}
rules:
  game:
    cards: {deal: colours, to: players, as: card}
    baskets: {deal: fruits, to: players, as: basket}
    purses:
      if: card of ann is red and basket of bob is not fig
      then: {three: {deal: coins, to: players, as: purse}}
      else: {two: {deal: coins, to: players without ann, as: purse}}
    last: {ask: ann, for: {thing: colours}}
    over: {end: players}
"""


@pytest.mark.parametrize("seat", ["ann", "bob", "cleo"])
def test_what_is_dealt_later_is_found_once_where_it_hangs_on_nothing_dealt_before(seat, tmp_path):
    path = tmp_path / "linked.yaml"
    path.write_text(LINKED)
    game = load_game(path)
    (function,), (basket,), (purse,) = (game.vocabulary.functions[f"{x} of _"] for x in ("card", "basket", "purse"))
    for seed in range(12):
        state = game.new(seed)
        own = {f: state.umpire().value(f, game.vocabulary.seats[game.seat(seat)]) for f in (function, basket)}
        expected = set()
        for cards, fruits in product(*(permutations(sorted(f.result.atoms)) for f in (function, basket))):
            red, fig = (next(a.number for a in game.vocabulary.atoms if a.name == x) for x in ("red", "fig"))
            three = cards[0] == red and fruits[1] != fig
            for coins in permutations(sorted(purse.result.atoms), 3 if three else 2):
                coins = coins if three else (None, *coins)
                me = game.seat(seat)
                if (cards[me], fruits[me]) == tuple(own.values()):
                    expected.add((*cards, *fruits, *coins))
        belief = Belief.of(state.player(seat)).ready()
        cells = [cell for f in (function, basket, purse) for cell in cells_of(f)]
        found = [
            tuple(world[belief.place[c]] if c in belief.place else belief.known[c] for c in cells)
            for world in belief.worlds
        ]
        assert len(found) == len(set(found))
        assert set(found) == expected


def test_reading_a_log_line_by_line_or_at_once_gives_the_same():
    game = loaded("cards-safe", 4)
    rng, state, step_by_step = random.Random(3), game.new(3), Belief(game, "blue")
    read = 0
    for _ in range(60):
        rows = state.player("blue").log.rows()
        step_by_step.observe(rows[read:])
        read = len(rows)
        assert set(step_by_step.ready().worlds) == set(Belief.of(state.player("blue")).ready().worlds)
        if state.over:
            break
        state.apply(state.sample(rng, habits=True))


# --- a match ----------------------------------------------------------------------------------------------------------
def test_a_new_game_of_a_match_is_a_new_deal_and_points_stay_known():
    game = loaded("cards-safe", 4, {"points_to_win": 3})
    rng, state, begun = random.Random(8), game.new(8), 0
    points = next(f for f in game.vocabulary.functions["points of _"] if f.kind == "state")
    for _ in range(2000):
        if state.over:
            break
        for seat in game.seats if rng.random() < 0.05 else ():
            belief = Belief.of(state.player(seat)).ready()
            assert holds_the_truth(belief, state)
            assert [belief.known[s] for s in cells_of(points)] == [state.v[9 + s] for s in cells_of(points)]
            begun += len(belief.worlds) == 36
        state.apply(state.sample(rng, habits=True))
    assert state.over and begun > 1


@pytest.mark.parametrize(("edition", "seed"), [("cards-safe", 8), ("cards-phone", 5)])
def test_when_a_match_is_over_the_secrets_of_its_last_game_are_known_as_they_were(edition, seed):
    game = loaded(edition, 4, {"points_to_win": 3})
    rng, state, games = random.Random(seed), game.new(seed), 1
    dealt = secrets_in(state)
    while not state.over:
        state.apply(state.sample(rng, habits=True), trusted=True)
        if not state.over and secrets_in(state) != dealt:
            dealt, games = secrets_in(state), games + 1
    assert games > 1
    for seat in game.seats:
        log = state.log(seat)
        last = max(k for k, entry in enumerate(log) if entry.kind == "set" and entry.step == "identity of _")
        expected = possible(all_deals(edition, holders_of(edition, 4)), log[last:])
        belief = Belief.of(state.player(seat)).ready()
        where = secrets_of(belief)
        assert {tuple(game.words(w)) for w in belief.worlds} == {tuple(deal[key] for key in where) for deal in expected}
        assert {(kind, who): value for kind, who, value in dealt} in expected


def secrets_in(state):
    """What everybody holds, as the umpire sees it."""
    found = []
    for kind in ("identity", "code"):
        function = next(f for f in state.game.vocabulary.functions[f"{kind} of _"] if f.kind == "state")
        for index, who in enumerate(sorted(function.params[0].type.atoms)):
            value = state.v[9 + function.base + index]
            found.append((kind, named(state.game, who), named(state.game, value)))
    return found


# --- in the middle of the dealing -------------------------------------------------------------------------------------
SIGNS = ("sun", "moon", "star", "wind")
TWO_DEALS = """
name: Two deals
players: {2: {}}
things:
  player: [ann, bob]
  sign:   [sun, moon, star, wind]
seats: players
state:
  left of player:  {is: sign, seen by: player}
  right of player: {is: sign, seen by: player}
  deals:           {is: number, seen by: all}
rules:
  game:
    one:    {deal: signs, to: players, as: left}
    tell:   {say: One sign is dealt., to: all}
    count:  {set: {deals: 1}}
    two:    {deal: signs, to: players, as: right}
    more:   {say: Another sign is dealt., to: all}
    count2: {set: {deals: 2}}
    sunny:  {show: left of bob is sun, to: all, as: bright}
    last:   {set: {deals: 3}}
    guess:
      ask: ann
      for: {sign: signs}
      seen by: all
      if none: never
      text: "Ann guesses {sign}."
    over:   {end: ann}
"""


def signs_of(belief, who):
    """The pairs of signs that somebody may hold."""
    slots = []
    for side in ("left", "right"):
        function = next(f for f in belief.functions if f.shape == f"{side} of _")
        slots.append(next(s for s in cells_of(function) if named(belief.game, arguments_of(function, s)[0]) == who))
    return {
        tuple(named(belief.game, world[belief.place[s]] if s in belief.place else belief.known[s]) for s in slots)
        for world in belief.worlds
    }


def test_however_much_of_the_dealing_was_seen_all_that_agrees_with_it_is_possible(tmp_path):
    path = tmp_path / "two-deals.yaml"
    path.write_text(TWO_DEALS, encoding="utf-8")
    game = load_game(path)
    for seed in range(12):
        state = game.new(seed)
        state.apply(state.sample(random.Random(seed)))
        for seat, other in (("ann", "bob"), ("bob", "ann")):
            log, rows = state.log(seat), state.player(seat).log.rows()
            growing = Belief(game, seat)
            for count in range(len(rows) + 1):
                told = {e.step: dict(e.told) for e in log[:count]}
                mine = [told.get(f"{side} of _", {}).get("value") for side in ("left", "right")]
                bright = told.get("game/sunny", {}).get("bright")
                expected = {
                    (left, right)
                    for left in SIGNS
                    for right in SIGNS
                    if left != mine[0]
                    and right != mine[1]
                    and (bright is None or other != "bob" or (left == "sun") == bright)
                }
                anew = Belief(game, seat)
                anew.observe(rows[:count])
                growing.observe(rows[count - 1 : count] if count else [])
                for belief in (anew, growing):
                    assert signs_of(belief.ready(), other) == expected
            assert holds_the_truth(growing, state)


@pytest.mark.parametrize("edition", ["venice-2013", "cards-safe", "kuhn-poker"])
def test_that_chance_deals_is_seen_until_somebody_has_decided_something(edition):
    """Later chance may draw something that only some know of: then only logs tell it."""
    game, rng = loaded(edition, 2 if edition == "kuhn-poker" else 4), random.Random(2)
    state, decided = game.new(), {seat: False for seat in game.seats}
    for _ in range(120):
        if state.over:
            break
        dealing = state.actor == "chance"
        for seat in game.seats:
            assert state.player(seat).sees_dealing == (dealing and not decided[seat])
        state.apply(state.sample(rng, habits=True), trusted=True)
        decided = {seat: any(entry.kind == "ask" for entry in state.log(seat)) for seat in game.seats}
    assert any(decided.values())


def test_before_anything_is_dealt_everything_is_possible():
    game = loaded("cards-safe", 4)
    state = game.new()
    for seat in game.seats:
        assert Belief.of(state.player(seat)).ready().worlds
    rng = random.Random(2)
    for _ in range(20):
        state.apply(state.sample(rng, habits=True))
        for seat in game.seats:
            belief = Belief.of(state.player(seat)).ready()
            assert belief.worlds and (state.actor == "chance" or holds_the_truth(belief, state))


# --- worked examples --------------------------------------------------------------------------------------------------
def answers(game, belief, *given):
    """Lines of a log: who showed which cards to whom, asked about what, in which form."""
    event = next(e for e in game.program.events if e.step == "giving/cards")
    atom = {name: numbers for name, numbers in game.vocabulary.by_name.items()}

    def number(name, kind):
        return next(a for a in atom[name] if a in kind.atoms)

    for giver, asker, topic, form, cards in given:
        values = {"who": giver, "giver": giver, "asker": asker, "topic": topic, "form": form}
        row = [event.number]
        for name, kind in [*zip(event.names, event.types), *((v.name, v.type) for v in event.context)]:
            shown = name == "answer"
            row.append(tuple(sorted(number(c, kind.of) for c in cards)) if shown else number(values[name], kind))
        belief.observe([tuple(row)])


def test_short_tall_and_bubble_and_later_fiddlebottom_and_agent_x_betray_agent_x():
    game = loaded("venice-2013", 4)
    seed = next(
        s
        for s in range(100)
        if ("spy", "red") in game.new(s).log("red")[1].told
        and ("value", "lord_fiddlebottom") in game.new(s).log("red")[1].told
    )
    belief = Belief.of(game.new(seed).player("red")).ready()
    answers(game, belief, ("blue", "red", "build", "to_a_spy", ("blue_short", "blue_tall", "blue_colonel_bubble")))
    identity = next(f for f in game.vocabulary.functions["identity of _"] if f.kind == "state")
    blue = next(a for a in game.vocabulary.by_name["blue"] if a in identity.params[0].type.atoms)

    def held(shape):
        return {named(game, value): chance for value, chance in belief.marginal(shape)[blue,].items()}

    assert set(held("identity of _")) == {"colonel_bubble", "madame_zsa_zsa", "agent_x"}
    answers(game, belief, ("blue", "red", "identity", "by_the_envoy", ("blue_lord_fiddlebottom", "blue_agent_x")))
    assert held("identity of _") == {"agent_x": 1.0}
    own = {e["value"] for e in game.new(seed).log("red") if e.kind == "set" and e.step == "build of _"}
    assert set(held("build of _")) == {"short", "tall"} - own
    assert all(log2(1 / chance) <= 1 for chance in held("build of _").values())


# --- how likely each deal is ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("guarded", ["if none", "if"])
def test_an_answer_counts_among_those_of_the_question_that_was_asked(guarded, tmp_path):
    """What is asked only if nothing else can be answered, or only in some deals, is counted where it was asked: beside
    all histories, weighted by how likely the choices in them are."""
    path, again = tmp_path / "again.yaml", (SMALL / "again.yaml").read_text(encoding="utf-8")
    path.write_text(again if guarded == "if none" else again.replace(NEW, IF), encoding="utf-8")
    game, uneven = load_game(path), 0
    for seed in range(6):
        for state in decisions(game, seed, 8):
            seat = state.actor
            odds = Odds(game, seat)
            odds.observe(state.player(seat).log.rows())
            belief = odds.ready().belief
            found = dict(zip(belief.worlds, odds.shares(), strict=True))
            wanted = Counter()
            for other, weight in histories(game, seat, state.log(seat), state.legal()):
                cells = other.umpire().cells()
                wanted[tuple(cells[cell] for cell in belief.place)] += weight
            whole = sum(wanted.values())
            assert difference(found, {world: weight / whole for world, weight in wanted.items()}) < 1e-9
            uneven += len({round(share, 9) for share in found.values()}) > 1
    assert uneven >= 15


NEW = """    new:
      ask: player
      for: {fresh: cards where its rank is at least rank of hand of player}
      where: fresh is not in named of player
      text: "{player} picks {fresh}."
      if none:
        old:
          ask: player
          for: {stale: cards}
          text: "{player} picks {stale} for want of another."
          if none: never
        back: {return: stale}
    back: {return: fresh}
"""
IF = """    which:
      if: rank of hand of player is at least 3
      then:
        high:
          ask: player
          for: {top: cards where its rank is at least 2}
          text: "{player} picks {top}."
          if none: never
        back: {return: top}
      else:
        low:
          ask: player
          for: {bottom: cards}
          text: "{player} picks {bottom}."
          if none: never
        back: {return: bottom}
"""
