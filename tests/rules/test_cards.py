"""The card games: played beside a plain account of their rules, by scenario, and with one line changed."""

import random
import re
from functools import cache
from itertools import pairwise, permutations

import pytest
from loading import loaded
from oracles.cards import AMBASSADOR, CODES, DUMMY, IDENTITIES, NOT_YET, PARTNER, PLACES, Cards
from tabarro.front.terminal.notebook import Notebook
from tabarro.interpreter import CHANCE, IllegalChoice, known_state, load_game
from tabarro.speech.language import Language
from tabarro.speech.narrator import Narrator

TABLES = [(edition, players) for edition in CODES for players in (3, 4, 5)]
every_table = pytest.mark.parametrize(("edition", "players"), TABLES)
both_editions = pytest.mark.parametrize("edition", CODES)
GAMES = 150  # at each table at most; tests/soak_cards.py plays more
LEAST = 30  # before one stops because every step has been taken
LONG = 450  # rounds after which the players of a long game begin to declare: time to show every pair there is


# --- choices in names -------------------------------------------------------------------------------------------------
@cache
def named(game, choice):
    """A choice as the account writes it."""
    words = game.words(choice)
    if words[0] in ("declare", "combination"):
        return words[0], *map(tuple, words[1:])
    return tuple(frozenset(word) if isinstance(word, list) else word for word in words)


def cards_in(log):
    """The cards that a player has chosen or seen, in order, as the account writes them."""
    seen = []
    for entry in log:
        told = dict(entry.told)
        if entry.kind == "ask" and entry.step.startswith("choice/"):
            seen.append(("chooses", told["seeker"], frozenset(told.get("pair") or told["old_pair"])))
        elif entry.step == "gift/look":
            seen.append(("is shown by", told["player"], frozenset(told["pair"])))
        elif entry.step == "answer/which":
            seen.append(("black", told["other"], frozenset({told["card"]})))
        elif entry.step == "look/face":
            seen.append(("black", DUMMY, frozenset(told["face"])))
    return seen


# --- beside the account -----------------------------------------------------------------------------------------------
class Beside:
    """A game played at random, step by step beside the account of its rules."""

    def __init__(self, game, account, rng, patience, sheets):
        self.game, self.account, self.rng, self.sheets = game, account, rng, sheets
        self.patience, self.boldness = patience, rng.choice((0.02, 0.1, 0.5))
        self.state = game.new()
        self.nodes, self.events = set(), set()  # of the program, that this game came by

    def play(self):
        match = self.account.match()
        who, choices = next(match)
        while True:
            assert self.state.actor == who
            self.nodes.add(self.state.v[0])
            choice, word = self.choose(choices)
            self.state.apply(choice)
            try:
                who, choices = match.send(word)
            except StopIteration as over:
                winners, points = over.value
                break
        assert self.state.over
        assert set(self.state.result.winners) == winners
        assert self.state.result.scores == points
        for seat in self.game.seats:
            log = self.state.log(seat)
            assert cards_in(log) == self.account.shown[seat]
            self.events |= {entry.number for entry in log}

    def choose(self, choices):
        if NOT_YET in choices:
            if not self.sheets or self.rng.random() < 0.05:  # all 577 of them are compared only now and then
                self.sheets.update(self.offered(choices))
            word = self.speak()
            return self.sheets[word], word
        words = self.offered(choices)
        word = self.rng.choice(sorted(words, key=repr))
        return words[word], word

    def offered(self, choices):
        legal = self.state.legal()
        words = {named(self.game, choice): choice for choice in legal}
        assert len(words) == len(legal)
        assert words.keys() == choices
        return words

    def speak(self):
        if self.account.rounds_in_all < self.patience or self.rng.random() > self.boldness:
            return NOT_YET
        return self.account.truth() if self.rng.random() < 0.4 else self.rng.choice(self.account.sheets)


def play_beside(edition, players, games, seed=0, game=None, longest=20, enough=None, **changes):
    """Play so many games, one of them long; which nodes and events of the program they came by, all together.
    Fewer, if after some of them that is enough."""
    options = {name: value for name, value in changes.items() if name not in ("codes", "places")}
    game = game or loaded(edition, players, options)
    nodes, events, sheets, rng = set(), set(), {}, random.Random(f"{edition} {players} {seed}")
    for number in range(games):
        patience = longest if number == 0 else rng.choice((0, 0, 3, 20))
        table = Beside(game, Cards(edition, players, **changes), rng, patience, sheets)
        table.play()
        nodes |= table.nodes
        events |= table.events
        if enough is not None and enough(number + 1, left_out(game, nodes, events)):
            break
    return game, nodes, events


def left_out(game, nodes, events):
    """Names of what the program of a game can do and these games have not done."""
    program = game.program
    silent = {event.number for event in program.events if event.kind == "end" and not event.step}  # rules that run out
    return [node.step.name for node in program.nodes if node.step is not None and node.number not in nodes] + [
        f"{event.step}/{event.alternative}" if event.alternative else event.step
        for event in program.events
        if event.number not in events | silent
    ]


@pytest.mark.long
@every_table
def test_random_games_go_as_the_account_of_the_rules_says_and_come_by_every_step(edition, players):
    def is_way(name):  # one alternative for each way of declaring; an option says which of them is offered
        return players != 4 and name.startswith("declaration/speak/declare")

    def enough(played, missing):
        return played >= LEAST and all(map(is_way, missing))

    missing = left_out(*play_beside(edition, players, GAMES, longest=LONG, enough=enough))
    if players != 4:
        ways = set(filter(is_way, missing))
        other = left_out(*play_beside(edition, players, 20, declared="everything"))
        assert ways and not ways & set(other)
        missing = [name for name in missing if name not in ways]
    assert missing == []


@pytest.mark.long
@every_table
def test_a_match_of_three_points_goes_as_the_account_says(edition, players):
    game, _, events = play_beside(edition, players, 8, points_to_win=3)
    assert any(game.program.events[number].step == "match/over/else/match" for number in events)


@pytest.mark.long
@pytest.mark.parametrize(
    ("edition", "players", "changes"),
    [
        ("cards-safe", 3, {"dummy_begins": False}),
        ("cards-safe", 3, {"dummy_hears": False}),
        ("cards-phone", 3, {"dummy_named": False}),
        ("cards-phone", 3, {"penalty": 0}),
        ("cards-safe", 3, {"penalty": 2, "points_to_win": 2}),
        ("cards-safe", 4, {"opening": "first_seat"}),
        ("cards-safe", 4, {"declare_to": "anyone"}),
        ("cards-safe", 4, {"black_cards_given": True}),
        ("cards-safe", 4, {"false_cards": 0}),
        ("cards-phone", 4, {"black_cards_count": False}),
        ("cards-phone", 4, {"black_cards_given": False}),
        ("cards-phone", 4, {"round_limit": 3}),
        ("cards-phone", 4, {"round_limit": 4, "points_to_win": 2}),
        ("cards-safe", 5, {"declare_to": "partner"}),
        ("cards-safe", 5, {"declared": "everything"}),
        ("cards-phone", 3, {"declared": "everything"}),
        ("cards-safe", 5, {"ambassador_gains": False}),
    ],
)
def test_every_option_changes_the_game_as_the_account_says(edition, players, changes):
    play_beside(edition, players, 5, **changes)


# --- what holds in every game, seen from the logs alone ---------------------------------------------------------------
SHOWN = ("gift/look", "answer/which", "look/face")  # steps in which somebody sees a card


@cache
def random_game(edition, players, seed):
    """From the log of each seat: its rounds, of which only who sees which cards, and what it has been dealt."""
    game, rng = loaded(edition, players), random.Random(seed)
    state = game.new(seed)
    while not state.over:
        state.apply(state.sample(rng, habits=True), trusted=True)
    logs = {seat: state.log(seat) for seat in game.seats}
    rounds = {
        seat: [(tiles, [(e, told) for e, told in entries if e.step in SHOWN]) for tiles, entries in rounds_of(log)]
        for seat, log in logs.items()
    }
    return rounds, own_secrets(logs)


def rounds_of(log):
    """A log cut into rounds: each begins with its tiles."""
    rounds, laid = [], False
    for entry in log:
        told = dict(entry.told)
        if entry.kind == "set" and entry.step == "tile of _":
            if not laid:
                rounds.append(({}, []))
            rounds[-1][0][told["guest"]] = told["value"]
            laid = True
        elif entry.kind != "set" and rounds:
            laid = laid and entry.kind in ("ask", "draw", "show") and entry.step.startswith("round/")
            rounds[-1][1].append((entry, told))
    return rounds


def own_secrets(logs):
    """What each player has been dealt, from his own log."""
    dealt = {seat: {} for seat in logs}
    for seat, log in logs.items():
        for entry in log:
            if entry.kind == "set" and entry.step in ("identity of _", "code of _"):
                dealt[seat][entry.step] = dict(entry.told)["value"]
    return {seat: set(secrets.values()) for seat, secrets in dealt.items()}


def present(tiles, guest):
    return {other for other, place in tiles.items() if place == tiles[guest]}


@every_table
def test_tiles_are_used_up_before_they_come_back_and_the_start_goes_round(edition, players):
    for seed in range(20):
        rounds = [tiles for tiles, _ in random_game(edition, players, seed)[0]["red"]]
        for first in range(0, len(rounds), len(PLACES)):
            for guest in rounds[0]:
                laid = [tiles[guest] for tiles in rounds[first : first + len(PLACES)] if guest in tiles]
                assert len(laid) == len(set(laid))
        starters = [next(guest for guest in tiles if guest != AMBASSADOR) for tiles in rounds]
        order = ["red", "blue", "green", DUMMY if players == 3 else "yellow"]
        assert all(order.index(b) == (order.index(a) + 1) % 4 for a, b in pairwise(starters))


@every_table
def test_two_cards_pass_only_between_two_who_are_alone_and_exactly_one_of_them_is_true(edition, players):
    number = {"cards-safe": 12, "cards-phone": 24}[edition]
    for seed in range(20):
        rounds, secrets = random_game(edition, players, seed)
        for seat in rounds:
            seen = {}
            for tiles, entries in rounds[seat]:
                for entry, told in entries:
                    if entry.step != "gift/look":
                        continue
                    giver, pair = told["player"], frozenset(told["pair"])
                    assert {seat, giver} <= present(tiles, giver)
                    assert len(present(tiles, giver)) == (3 if seat == AMBASSADOR else 2)
                    true = {f"{shade}_{secret}" for shade in (giver, "black") for secret in secrets[giver]}
                    assert len(pair) == 2 and len(pair & true) == 1
                    before = seen.setdefault(giver, set())
                    assert pair not in before or len(before) == number
                    before.add(pair)


@every_table
def test_black_cards_are_seen_alone_with_the_ambassador_or_the_dummy_and_none_twice(edition, players):
    for seed in range(20):
        rounds, secrets = random_game(edition, players, seed)
        for seat in rounds:
            seen = set()
            for tiles, entries in rounds[seat]:
                for entry, told in entries:
                    if entry.step == "answer/which" and told["asker"] == seat:
                        assert present(tiles, seat) == {seat, AMBASSADOR}
                        assert told["card"] in {f"black_{secret}" for secret in secrets[told["other"]]}
                        cards = {told["card"]}
                    elif entry.step == "look/face":
                        assert present(tiles, seat) in ({seat, DUMMY}, {seat, AMBASSADOR})
                        cards = set(told["face"])
                    else:
                        continue
                    assert not cards & seen
                    seen |= cards


# --- scenarios --------------------------------------------------------------------------------------------------------
class Scene:
    """A table at which everything is said: the deal, the tiles, the choices. Chance does what it is told."""

    def __init__(self, edition, players, secrets, begins="red", **options):
        self.game = loaded(edition, players, options)
        self.state = self.game.new()
        self.secrets = {spy: secret.split() for spy, secret in secrets.items()}
        self.deal(begins)

    def deal(self, begins="red"):
        for kind in (0, 1):
            for secret in self.secrets.values():
                self.take(CHANCE, secret[kind])
        self.take(CHANCE, begins)

    def take(self, who, *words):
        assert self.state.actor == who
        found = [c for c in self.state.legal() if named(self.game, c) == words]
        if not found:
            raise IllegalChoice(words)
        self.state.apply(found[0])

    def lay(self, **tiles):
        """The tiles of a round, in the order in which they are laid."""
        for guest, place in tiles.items():
            self.take(guest if guest in self.game.seats else CHANCE, place)

    def give(self, giver, *cards):
        self.take(giver, frozenset(cards if cards[0].startswith("black") else (f"{giver}_{card}" for card in cards)))

    def declare(self, who, **wrong):
        """Declare what is true, but for what is said here."""
        codes = {spy: secret[1] for spy, secret in self.secrets.items()} | wrong
        holder = {secret[0]: spy for spy, secret in self.secrets.items()}
        bearers = tuple(holder[identity] for identity in IDENTITIES)
        combination = tuple(codes[spy] for spy in bearers)
        alone = self.game.options.get("declared") and self.game.options["declared"].value == "combination"
        self.take(who, *(("combination", combination) if alone else ("declare", bearers, combination)))

    def log(self, seat):
        return [(entry.step, dict(entry.told)) for entry in self.state.log(seat) if entry.kind not in ("set", "reset")]

    def saw(self, seat):
        return cards_in(self.state.log(seat))


SECRETS = {
    "cards-safe": {
        "red": "colonel_bubble 13",
        "blue": "lord_fiddlebottom 36",
        "green": "madame_zsa_zsa 24",
        "yellow": "agent_x 47",
    },
    "cards-phone": {
        "red": "colonel_bubble 11",
        "blue": "lord_fiddlebottom 52",
        "green": "madame_zsa_zsa 0",
        "yellow": "agent_x 29",
    },
}
WITH_DUMMY = {
    edition: {DUMMY if spy == "yellow" else spy: s for spy, s in secrets.items()}
    for edition, secrets in SECRETS.items()
}


def secrets_at(edition, players):
    return (WITH_DUMMY if players == 3 else SECRETS)[edition]


def at_table(edition, players, begins="red", **options):
    return Scene(edition, players, secrets_at(edition, players), begins, **options)


def meet(scene, one, two, place="rialto", alone="torcello", ambassador="zattere"):
    """A round in which these two meet at a place; the others are at another, all but the first with the ambassador."""
    order = list(scene.secrets)
    at = order.index(scene_starter(scene))
    rest = [spy for spy in order if spy not in (one, two)]
    spots = {one: place, two: place, rest[0]: alone, rest[1]: ambassador, AMBASSADOR: ambassador}
    if len(scene.game.seats) == 5:
        scene.take(AMBASSADOR, ambassador)
    for spy in order[at:] + order[:at]:
        scene.lay(**{spy: spots[spy]})
    if len(scene.game.seats) < 5:
        scene.take(CHANCE, ambassador)


def scene_starter(scene):
    return next(dict(e.told)["value"] for e in reversed(scene.state.log(scene.game.seats[0])) if e.step == "starter")


def test_a_partner_is_known_when_he_shows_a_code_that_is_the_viewers_own():
    """Bubble with 13 is shown Fiddlebottom and 13: exactly one card is true, and it is not the 13."""
    scene = at_table("cards-safe", 4)
    scene.lay(red="rialto", blue="rialto", green="san_marco", yellow="san_marco", ambassador="san_marco")
    scene.take("red", "not_yet")
    scene.take("blue", "not_yet")
    scene.give("red", "colonel_bubble", "24")
    scene.give("blue", "lord_fiddlebottom", "13")
    shown = scene.saw("red")[-1]
    assert shown == ("is shown by", "blue", frozenset({"blue_lord_fiddlebottom", "blue_13"}))
    possible = [
        (identity, code)
        for identity in IDENTITIES
        for code in CODES["cards-safe"]
        if identity != "colonel_bubble"
        and code != "13"  # these are red's own
        and len({f"blue_{identity}", f"blue_{code}"} & shown[2]) == 1
    ]
    assert {identity for identity, _ in possible} == {"lord_fiddlebottom"}
    assert PARTNER["colonel_bubble"] == "lord_fiddlebottom"


def test_the_combination_is_read_in_the_order_fiddlebottom_bubble_zsa_zsa_x():
    scene = at_table("cards-safe", 4)
    scene.lay(red="rialto", blue="rialto", green="san_marco", yellow="san_marco", ambassador="san_marco")
    scene.take("red", "declare", ("blue", "red", "green", "yellow"), ("36", "13", "24", "47"))
    assert scene.state.result.winners == ("red", "blue")


def test_where_three_are_there_is_no_meeting_and_elsewhere_two_meet():
    scene = at_table("cards-safe", 4)
    scene.lay(red="rialto", blue="rialto", green="san_marco", yellow="san_marco", ambassador="san_marco")
    assert scene.state.actor == "red"
    for who in ("red", "blue"):
        scene.take(who, "not_yet")
    scene.give("red", "colonel_bubble", "24")
    scene.give("blue", "lord_fiddlebottom", "13")
    meetings = [told for step, told in scene.log("yellow") if step == "meeting/meet"]
    assert meetings == [{"player": "red", "other": "blue"}]
    assert scene.saw("green") == scene.saw("yellow") == []
    assert scene.state.actor == "blue"  # who begins the next round
    with pytest.raises(IllegalChoice):
        scene.take("blue", "rialto")
    scene.take("blue", "san_marco")


@both_editions
def test_through_the_ambassador_a_named_agent_shows_a_black_card_that_the_asker_alone_sees(edition):
    scene = at_table(edition, 4)
    scene.lay(red="san_marco", blue="rialto", green="zattere", yellow="arsenale", ambassador="san_marco")
    scene.take("red", "name", "blue")
    scene.take("blue", "black_lord_fiddlebottom")
    assert scene.saw("red") == [("black", "blue", frozenset({"black_lord_fiddlebottom"}))]
    assert scene.saw("green") == scene.saw("yellow") == []
    assert ("audience/ask/name", {"who": "red", "player": "red", "named": "blue"}) in scene.log("green")
    # asked again, blue must show the other one, and after that cannot be named
    scene.lay(blue="zattere", green="arsenale", yellow="torcello", red="rialto", ambassador="rialto")
    scene.take("red", "name", "blue")
    assert [named(scene.game, c) for c in scene.state.legal()] == [(f"black_{scene.secrets['blue'][1]}",)]
    scene.take("blue", f"black_{scene.secrets['blue'][1]}")
    scene.lay(green="rialto", yellow="zattere", red="arsenale", blue="san_marco", ambassador="arsenale")
    assert {named(scene.game, c) for c in scene.state.legal()} == {("nobody",), ("name", "green"), ("name", "yellow")}


def test_with_five_the_ambassador_sees_the_black_card_too():
    scene = at_table("cards-safe", 5)
    scene.lay(ambassador="san_marco", red="san_marco", blue="rialto", green="zattere", yellow="arsenale")
    scene.take(AMBASSADOR, "not_yet")
    scene.take("red", "not_yet")
    scene.take("red", "name", "blue")
    scene.take("blue", "black_36")
    assert scene.saw("red") == scene.saw(AMBASSADOR) == [("black", "blue", frozenset({"black_36"}))]
    assert scene.saw("green") == scene.saw("yellow") == []


def test_a_telephone_number_is_named_player_by_player_and_checked():
    scene = at_table("cards-phone", 4)
    scene.lay(red="rialto", blue="rialto", green="san_marco", yellow="san_marco", ambassador="san_marco")
    scene.take("red", "declare", ("blue", "red", "green", "yellow"), ("52", "11", "0", "29"))
    assert scene.state.result.winners == ("red", "blue")
    told = next(told for step, told in scene.log("green") if step == "declaration/speak/declare")
    assert "".join(told["digits"]) == "5211029"
    assert dict(zip(IDENTITIES, told["bearer"])) == {s[0]: spy for spy, s in scene.secrets.items()}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_telephone_card_is_taken_by_whoever_dials(players):
    said = {
        event.alternative: event.text
        for event in loaded("cards-phone", players).program.events
        if event.step == "declaration/speak" and event.alternative != "not_yet"
    }
    assert said.keys() == ({"declare"} if players == 4 else {"declare", "combination"})
    assert all("takes the telephone card and dials" in str(text) for text in said.values())


def test_two_agents_exchange_at_the_same_time_and_each_sees_only_what_he_got():
    scene = Scene(
        "cards-safe",
        4,
        {
            "red": "colonel_bubble 13",
            "blue": "agent_x 36",
            "green": "madame_zsa_zsa 24",
            "yellow": "lord_fiddlebottom 47",
        },
    )
    scene.lay(red="rialto", blue="rialto", green="san_marco", yellow="zattere", ambassador="torcello")
    for who in ("red", "blue"):
        scene.take(who, "not_yet")
    scene.give("red", "madame_zsa_zsa", "13")
    assert scene.saw("blue") == []
    scene.give("blue", "agent_x", "lord_fiddlebottom")
    mine, yours = frozenset({"red_madame_zsa_zsa", "red_13"}), frozenset({"blue_agent_x", "blue_lord_fiddlebottom"})
    assert scene.saw("red") == [("chooses", "blue", mine), ("is shown by", "blue", yours)]
    assert scene.saw("blue") == [("chooses", "red", yours), ("is shown by", "red", mine)]
    assert scene.saw("green") == scene.saw("yellow") == []


def test_a_third_place_with_one_agent_is_no_meeting_and_the_pair_that_played_earlier_goes_first():
    scene = at_table("cards-safe", 4, begins="green")
    scene.lay(green="zattere", yellow="rialto", red="rialto", blue="zattere", ambassador="torcello")
    assert scene.state.actor == "green"
    for who in ("green", "blue"):
        scene.take(who, "not_yet")
    scene.give("green", "madame_zsa_zsa", "13")
    scene.give("blue", "lord_fiddlebottom", "13")
    assert scene.state.actor == "yellow"


def combination_in_the_notes(scene, seat):
    language = Language("en")
    notebook = Notebook(scene.game, seat, Narrator(scene.game, language), language)
    said = " ".join(notebook.notes(known_state(scene.game, scene.state.log(seat)), 80)).split("  X:")[0]
    return re.findall(r"(Lord Fiddlebottom|Colonel Bubble|Madame Zsa Zsa|Agent X): (\S+?)(?:,|\s|$)", said)


def test_the_notes_of_the_card_games_have_a_line_for_the_combination():
    """One's own code stands under one's own name, and what black cards have told under theirs."""
    scene = at_table("cards-safe", 5)
    unknown = dict.fromkeys(("Lord Fiddlebottom", "Colonel Bubble", "Madame Zsa Zsa", "Agent X"), "?")
    assert combination_in_the_notes(scene, "red") == [*(unknown | {"Colonel Bubble": "13"}).items()]
    assert combination_in_the_notes(scene, AMBASSADOR) == [*unknown.items()]
    for number, card in enumerate(("black_36", "black_lord_fiddlebottom")):
        assert combination_in_the_notes(scene, "red") == [*(unknown | {"Colonel Bubble": "13"}).items()]
        order = ("red", "blue", "green", "yellow", "red", "blue", "green")[number : number + 4]
        spots = dict(zip(order, [PLACES[(index + 3 * number) % 5] for index in range(4)]))
        scene.lay(ambassador=spots["red"], **spots)
        scene.take(AMBASSADOR, "not_yet")
        scene.take("red", "not_yet")
        scene.take("red", "name", "blue")
        scene.take("blue", card)
    told = {"Lord Fiddlebottom": "36"}
    assert combination_in_the_notes(scene, "red") == [*(unknown | {"Colonel Bubble": "13"} | told).items()]
    assert combination_in_the_notes(scene, AMBASSADOR) == [*(unknown | told).items()]
    assert combination_in_the_notes(scene, "green") == [*(unknown | {"Madame Zsa Zsa": "24"}).items()]


# --- pairs ------------------------------------------------------------------------------------------------------------
def at_exchange(edition, players=4, begins="red", **options):
    scene = at_table(edition, players, begins, **options)
    meet(scene, "red", "blue")
    return skip_words(scene)


def skip_words(scene):
    while any(named(scene.game, c) == NOT_YET for c in scene.state.legal()):
        scene.take(scene.state.actor, "not_yet")
    return scene


@pytest.mark.parametrize(("edition", "count"), [("cards-safe", 12), ("cards-phone", 24)])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_pair_shown_to_a_player_is_one_fewer_for_that_player_until_all_are_shown(edition, count, players):
    scene, rng = at_table(edition, players), random.Random(1)
    pairs, turn = {"red": set(), "blue": set()}, 0
    while turn <= count or turn % len(PLACES):  # in full rounds of tiles
        meet(scene, "red", "blue", *(PLACES[(turn + shift) % 5] for shift in (0, 1, 2)))
        while len(scene.saw("red")) < 2 * turn + 2:
            actor, legal = scene.state.actor, {named(scene.game, c) for c in scene.state.legal()}
            if NOT_YET in legal or ("nobody",) in legal:
                scene.take(actor, *(NOT_YET if NOT_YET in legal else ("nobody",)))
                continue
            assert len(legal) == (count - turn if turn < count else count)
            shown = {pair for (pair,) in legal}
            assert turn >= count or not shown & pairs[actor]
            pair = rng.choice(sorted(shown, key=sorted))
            pairs[actor].add(pair)
            scene.take(actor, pair)
        turn += 1
        finish_round(scene)
    # to somebody else all of them are new
    meet(scene, "red", "green", *(PLACES[(turn + shift) % 5] for shift in (0, 1, 2)))
    skip_words(scene)
    assert len(scene.state.legal()) == count


def finish_round(scene):
    """Whoever still has something to say in this round says nothing."""
    rounds = len(rounds_of(scene.state.log("red")))
    while len(rounds_of(scene.state.log("red"))) == rounds:
        legal = {named(scene.game, c) for c in scene.state.legal()}
        quiet = next((word for word in (NOT_YET, ("nobody",)) if word in legal), None)
        if quiet is None:
            break
        scene.take(scene.state.actor, *quiet)


@both_editions
def test_an_agent_may_stand_by_his_black_card_only_with_the_telephone(edition):
    scene = at_exchange(edition)
    blacks = {f"black_{x}" for x in scene.secrets["red"]}
    with_black = [pair for (pair,) in map(lambda c: named(scene.game, c), scene.state.legal()) if pair & blacks]
    assert len(with_black) == (12 if edition == "cards-phone" else 0)
    assert all(len(pair & blacks) == 1 for pair in with_black)


def test_a_black_card_seen_in_an_exchange_cannot_be_asked_for_again():
    scene = at_exchange("cards-phone")
    scene.give("red", "colonel_bubble", "0")
    scene.take("blue", frozenset({"black_52", "blue_0"}))
    skip_words(scene)
    finish_round(scene)
    scene.lay(blue="san_marco", green="rialto", yellow="arsenale", red="zattere", ambassador="torcello")
    scene.lay(green="zattere", yellow="torcello", red="arsenale", blue="torcello", ambassador="arsenale")
    for who in ("yellow", "blue"):
        scene.take(who, "not_yet")
    scene.give("yellow", "agent_x", "0")
    scene.give("blue", "lord_fiddlebottom", "0")
    scene.take("red", "name", "blue")
    assert [named(scene.game, c) for c in scene.state.legal()] == [("black_lord_fiddlebottom",)]


# --- sealed -----------------------------------------------------------------------------------------------------------
@every_table
@pytest.mark.parametrize("begins", ["red", "blue"])
def test_the_second_of_two_who_exchange_learns_nothing_before_he_has_chosen(edition, players, begins):
    scene = at_exchange(edition, players, begins)
    first, second = scene.state.actor, "blue" if scene.state.actor == "red" else "red"
    assert first == begins
    others = [seat for seat in scene.game.seats if seat not in (first, second)]
    before, logs = {}, {}
    for choice in scene.state.legal():
        state = scene.state.clone()
        state.apply(choice)
        assert state.actor == second
        before[tuple(state.log(second)), tuple(state.legal())] = True
        for answer in random.Random(0).sample(state.legal(), 4):
            done = state.clone()
            done.apply(answer)
            assert len(cards_in(done.log(second))) == len(cards_in(done.log(first))) == 2
            for seat in others:
                logs.setdefault(seat, set()).add(tuple(done.log(seat)))
    assert len(before) == 1
    assert all(len(different) == 1 for different in logs.values())


# --- who wins ---------------------------------------------------------------------------------------------------------
@both_editions
def test_with_four_a_right_declaration_to_the_partner_wins_for_both_and_all_else_for_the_others(edition):
    pairs = [("red", "blue"), ("blue", "red"), ("green", "yellow"), ("yellow", "green")]
    for one, two in permutations(("red", "blue", "green", "yellow"), 2):
        partners = (one, two) in pairs
        team = {one, next(b for a, b in pairs if a == one)}
        for wrong in (False, True):
            scene = at_table(edition, 4, begins=one)
            meet(scene, one, two)
            while scene.state.actor not in (one, two):
                scene.take(scene.state.actor, "not_yet")
            codes = {spy: secret[1] for spy, secret in scene.secrets.items()}
            swap = {"green": codes["yellow"], "yellow": codes["green"]} if wrong else {}
            scene.declare(one, **swap)
            right = partners and not wrong
            everyone = {"red", "blue", "green", "yellow"}
            assert set(scene.state.result.winners) == (team if right else everyone - team)


@both_editions
def test_with_four_nobody_declares_before_the_ambassador(edition):
    scene = at_table(edition, 4)
    scene.lay(red="rialto", blue="san_marco", green="zattere", yellow="arsenale", ambassador="rialto")
    assert NOT_YET not in {named(scene.game, c) for c in scene.state.legal()}


@both_editions
@pytest.mark.parametrize("before", ["blue", DUMMY, AMBASSADOR])
@pytest.mark.parametrize("right", [True, False])
def test_with_three_everyone_declares_for_himself_before_anyone(edition, before, right):
    scene = at_table(edition, 3)
    spots = {"red": "rialto", "blue": "san_marco", "green": "zattere", DUMMY: "arsenale", AMBASSADOR: "torcello"}
    scene.lay(**{**spots, before: "rialto"})
    codes = {spy: secret[1] for spy, secret in scene.secrets.items()}
    scene.declare("red", **({} if right else {"green": codes[DUMMY], DUMMY: codes["green"]}))
    assert scene.state.result.winners == (("red",) if right else ("blue", "green"))
    cost = 1 if edition == "cards-phone" and not right else 0
    assert scene.state.result.scores == {"red": int(right) - cost, "blue": int(not right), "green": int(not right)}


@both_editions
@pytest.mark.parametrize("players", [3, 5])
def test_with_three_and_five_the_combination_alone_is_said_and_with_four_everything(edition, players):
    scene = at_table(edition, players)
    meet(scene, "red", "blue")
    said = {named(scene.game, c) for c in scene.state.legal()} - {NOT_YET}
    assert said == {("combination", codes) for codes in permutations(CODES[edition])}
    four = at_table(edition, 4)
    meet(four, "red", "blue")
    said = {named(four.game, c) for c in four.state.legal()} - {NOT_YET}
    assert len(said) == 24 * 24 and {word[0] for word in said} == {"declare"}


@pytest.mark.parametrize(
    ("edition", "who", "before", "right", "winners"),
    [
        ("cards-safe", "red", "green", True, "red blue"),
        ("cards-safe", "red", AMBASSADOR, True, "red blue"),
        ("cards-safe", "red", "green", False, "green yellow ambassador"),
        ("cards-safe", "green", AMBASSADOR, False, "red blue ambassador"),
        ("cards-safe", AMBASSADOR, "green", True, "ambassador"),
        ("cards-safe", AMBASSADOR, "green", False, "red blue green yellow"),
        ("cards-phone", "red", "blue", True, "red"),
        ("cards-phone", "red", AMBASSADOR, True, "red"),
        ("cards-phone", "red", "blue", False, "blue green yellow ambassador"),
        ("cards-phone", AMBASSADOR, "green", True, "ambassador"),
        ("cards-phone", AMBASSADOR, "green", False, "red blue green yellow"),
    ],
)
def test_with_five_who_wins_depends_on_the_edition_and_on_who_declares(edition, who, before, right, winners):
    scene = at_table(edition, 5)
    spots = {"red": "rialto", "blue": "san_marco", "green": "zattere", "yellow": "arsenale", AMBASSADOR: "torcello"}
    spots[who] = spots[before] = "rialto" if "red" in (who, before) else "zattere"
    scene.lay(ambassador=spots.pop(AMBASSADOR), **spots)
    while scene.state.actor != who:
        scene.take(scene.state.actor, "not_yet")
    codes = {spy: secret[1] for spy, secret in scene.secrets.items()}
    scene.declare(who, **({} if right else {"blue": codes["yellow"], "yellow": codes["blue"]}))
    assert scene.state.result.winners == tuple(winners.split())


@both_editions
def test_two_agents_with_the_fifth_player_show_cards_to_him_and_not_to_each_other(edition):
    scene = at_table(edition, 5)
    scene.lay(ambassador="rialto", red="rialto", blue="rialto", green="zattere", yellow="arsenale")
    scene.take(AMBASSADOR, "not_yet")
    own = {
        "red": frozenset({"red_colonel_bubble", "red_agent_x"}),
        "blue": frozenset({"blue_lord_fiddlebottom", "blue_agent_x"}),
    }
    for who in ("red", "blue"):
        assert len(scene.state.legal()) == (12 if edition == "cards-safe" else 24)
        scene.take(who, own[who])
    assert scene.saw(AMBASSADOR) == [("is shown by", "red", own["red"]), ("is shown by", "blue", own["blue"])]
    assert scene.saw("red") == [("chooses", AMBASSADOR, own["red"])]
    assert scene.saw("green") == []


def test_the_tile_of_the_fifth_player_is_unknown_until_all_have_laid_theirs():
    scene = at_table("cards-safe", 5)
    logs = set()
    for place in PLACES:
        state = scene.state.clone()
        state.apply(next(c for c in state.legal() if named(scene.game, c) == (place,)))
        logs.add(tuple(tuple(state.log(seat)) for seat in ("red", "blue", "green", "yellow")))
    assert len(logs) == 1


# --- a match ----------------------------------------------------------------------------------------------------------
def test_a_match_deals_new_secrets_counts_points_and_ends_at_the_target():
    scene = at_table("cards-phone", 3, points_to_win=2)
    scene.lay(red="rialto", blue="rialto", green="zattere", dummy="arsenale", ambassador="torcello")
    scene.declare("red", blue="0", green="52")  # wrong: red -1, blue and green 1
    assert not scene.state.over
    scene.secrets = {
        "red": "agent_x 0",
        "blue": "lord_fiddlebottom 11",
        "green": "colonel_bubble 52",
        DUMMY: "madame_zsa_zsa 29",
    }
    scene.secrets = {spy: secret.split() for spy, secret in scene.secrets.items()}
    scene.deal("green")
    scene.lay(green="rialto", dummy="zattere", red="rialto", blue="arsenale", ambassador="torcello")
    scene.take("green", "not_yet")
    scene.declare("red")  # right: red 0
    assert not scene.state.over
    scene.deal("red")
    scene.lay(red="rialto", blue="rialto", green="zattere", dummy="arsenale", ambassador="torcello")
    scene.declare("red", blue="52", green="11")  # wrong: red -1, blue and green 2
    assert scene.state.result.winners == ("blue", "green")
    assert scene.state.result.scores == {"red": -1, "blue": 2, "green": 2}


def test_in_a_match_partners_score_together_and_may_share_it():
    scene = at_table("cards-safe", 4, points_to_win=2)
    for _ in range(2):
        assert not scene.state.over
        scene.lay(red="rialto", blue="rialto", green="zattere", yellow="arsenale", ambassador="torcello")
        scene.take("red", "not_yet")
        scene.declare("blue")
        if not scene.state.over:
            scene.deal()
    assert scene.state.result.winners == ("red", "blue")
    assert scene.state.result.scores == {"red": 2, "blue": 2, "green": 0, "yellow": 0}


# --- with one line changed --------------------------------------------------------------------------------------------
@pytest.fixture
def variant(tmp_path):
    def write(line, players, edition="cards-safe"):
        path = tmp_path / "our-cards.yaml"
        path.write_text(f"extends: {edition}\nname: Our cards\n{line}\n", encoding="utf-8")
        return load_game(path, players)

    return write


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_code_is_changed_in_one_line(variant, players):
    game = variant("things: {code: {members: [13, 28, 36, 47]}}", players)
    play_beside("cards-safe", players, 3, game=game, codes=("13", "28", "36", "47"))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_with_a_sixth_place_the_tiles_are_taken_back_after_six_rounds(variant, players):
    places = (*PLACES, "burano")
    game = variant(f"things: {{place: {{members: [{', '.join(places)}]}}}}", players)
    play_beside("cards-safe", players, 3, game=game, places=places)
    state, rng = game.new(5), random.Random(5)
    while not state.over and sum(e.step == "game/rounds/tiles_back/tell" for e in state.log("red")) < 2:
        state.apply(
            next(c for c in state.legal() if c[0] == state.legal()[0][0])
            if rng.random() < 0.9
            else state.sample(rng, habits=True)
        )
    rounds = rounds_of(state.log("red"))
    assert len(rounds) in (12, 13)
    for cycle in (rounds[:6], rounds[6:12]):
        assert {tuple(sorted(tiles)) for tiles, _ in cycle} == {tuple(sorted(rounds[0][0]))}
        for guest in rounds[0][0]:
            assert sorted(tiles[guest] for tiles, _ in cycle) == sorted(places)


def test_two_true_cards_are_allowed_in_one_line(variant):
    game = variant("options: {false_cards: 0}", 4)
    play_beside("cards-safe", 4, 3, game=game, false_cards=0)
    scene = at_exchange("cards-safe", 4, false_cards=0)
    pairs = {pair for (pair,) in map(lambda c: named(scene.game, c), scene.state.legal())}
    assert len(pairs) == 13
    assert frozenset({"red_colonel_bubble", "red_13"}) in pairs
