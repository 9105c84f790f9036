"""Bots that look ahead: in any game, within a budget, the same from the same seed, better than chance."""

import gc
import random
import time
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from loading import loaded
from stopwatch import in_time, slowness
from strange import STRANGE
from tabarro.interpreter import building, load_game
from tabarro.mind.bots import BOTS
from tabarro.mind.deducer import DeducerBot
from tabarro.mind.imagination import Imagination, insight
from tabarro.mind.now import Now
from tabarro.mind.race import Race
from tabarro.mind.search import STEPS, Place, Search

GAMES = Path(__file__).with_name("games")
SEARCHED = ["leduc-poker", "liars-dice", "tic-tac-toe", "four-in-a-row", "last-guest", "expedition", "night-runner"]
SEARCHED += ["little-mystery", "shoe", "chase", "ranks", "tricks"]
LITTLE = ["dealt", "shoe", "votes", "chase", "ranks", "plans", "six", "tricks"]


@cache
def game_of(name):
    return load_game(GAMES / f"{name}.yaml") if name in LITTLE else loaded(name)


def played(game, kinds, seed, longest=200):
    """The result of a game among bots, by seat; None if it takes too long."""
    state, rng = game.new(seed), random.Random(seed)
    bots = {seat: BOTS[kind](game, seat) for seat, kind in kinds.items()}
    for _ in range(longest):
        if state.over:
            return state.result
        state.apply(bots[state.actor].choose(state.player(state.actor), rng))
    return None


@pytest.mark.long
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.soak) if n == "six" else n for n in LITTLE[:-1]])
@pytest.mark.parametrize("kind", ["careful", "gambler", "deducer", "thinker-easy"])
def test_every_bot_plays_games_in_which_secrets_change(name, kind):
    game = game_of(name)
    played(game, dict.fromkeys(game.seats, kind), 1, longest=30)  # only legal choices are taken


@pytest.mark.parametrize("kind", ["deducer", "thinker"])
def test_a_first_decision_among_six_takes_no_more_steps_than_allowed(kind):
    game = game_of("six")
    state = game.new(3)
    bot = BOTS[kind](game, state.actor)
    player = state.player(state.actor)
    assert player.is_legal(bot.choose(player, random.Random(1)))
    courses = bot.belief.courses
    assert not courses.exact and courses.known  # 24 cards fall in more ways than can be gone through
    assert courses.steps < 4 * courses.budget


@pytest.mark.parametrize("name", ["votes", "chase", "little-mystery"])
def test_the_same_seed_gives_the_same_game(name):
    game = game_of(name)
    kinds = dict.fromkeys(game.seats, "thinker-easy")

    def choices():
        state, rng = game.new(4), random.Random(4)
        bots = {seat: BOTS[kind](game, seat) for seat, kind in kinds.items()}
        for _ in range(8):
            if state.over:
                return
            choice = bots[state.actor].choose(state.player(state.actor), rng)
            yield choice
            state.apply(choice)

    assert list(choices()) == list(choices())


def test_a_thinker_takes_the_time_that_it_is_given():
    game = game_of("chase")
    state = game.new(1)
    bot = BOTS["thinker"](game, state.actor)
    bot.seconds = 0.3
    begun = time.monotonic()
    bot.choose(state.player(state.actor), random.Random(1))
    assert 0.25 < time.monotonic() - begun < 10


def test_a_search_ends_after_so_many_steps_and_when_it_is_told_to():
    game = game_of("chase")
    state = game.new(1)
    bot = BOTS["thinker"](game, state.actor)
    bot.read(state.player(state.actor))
    worlds, choices = bot.belief.courses.worlds(), state.legal()
    search = Search(game, state.actor, random.Random(1))
    assert search.think(worlds, choices, 50) in choices and search.iterations <= 50
    assert search.steps <= STEPS * 50 + 1_000
    told = Search(game, state.actor, random.Random(1))
    asked = count()  # at least once for each position, also where compiled rules play it out
    assert told.think(worlds, choices, 10_000, enough=lambda: next(asked) >= 7) in choices
    assert 1 <= told.iterations <= 7


def test_a_thinker_does_not_see_what_its_seat_does_not_see():
    """In two worlds that it cannot tell apart it chooses alike."""
    game = game_of("chase")
    found = {}
    for seed in range(30):
        state = game.new(seed)
        while state.actor == "thief":
            state.apply(state.legal()[0])
        log = tuple(state.player(state.actor).log.rows())
        choice = BOTS["thinker-easy"](game, state.actor).choose(state.player(state.actor), random.Random(7))
        assert found.setdefault(log, choice) == choice
    assert len(found) < 30


def test_thinkers_take_a_win_and_stop_one_at_noughts_and_crosses():
    game = game_of("tic-tac-toe")
    won = 0
    for seed in range(6):
        first, second = game.seats
        result = played(game, {first: "thinker", second: "random"}, seed)
        assert second not in result.winners
        won += first in result.winners
    assert won >= 4


@pytest.mark.long
@pytest.mark.parametrize(("name", "games", "least"), [("chase", 12, 4), ("little-mystery", 9, 2)])
def test_a_thinker_among_random_players_wins_more_than_its_share(name, games, least):
    game, more = game_of(name), 0.0
    for seed in range(games):
        me = game.seats[seed % len(game.seats)]
        result = played(game, {s: "thinker" if s == me else "random" for s in game.seats}, seed)
        if result is not None:
            more += (me in result.winners) - len(result.winners) / len(game.seats)
    assert more >= least / 2


# --- where secrets are dealt once -------------------------------------------------------------------------------------
def last_to_go(game, seeds, most):
    """Positions in which the last player who chooses a place knows all: the bot, its player, who goes where."""
    place = game.vocabulary.functions["tile of _"][0]
    for seed in seeds:
        state, rng = game.new(seed), random.Random(seed)
        walkers = {seat: BOTS["careful"](game, seat) for seat in game.seats}
        for number in range(most):
            player, umpire = state.player(state.actor), state.umpire()
            question = player.question()
            gone = {s: umpire.value(place, a) for s, a in zip(game.seats, game.vocabulary.seats)}
            if not question.step.alternatives and list(gone.values()).count(None) == 1 and number > 60:
                bot = BOTS["thinker"](game, state.actor)
                bot.read(player)
                if len(bot.belief.worlds) == 1 and len(player.legal()) > 1:
                    names = dict(zip(game.vocabulary.seats, game.seats))
                    team = {names[a] for a in bot.allies(bot.belief.worlds[0])}
                    yield bot, player, gone, team
            silent = next((c for c in state.legal() if len(c) == 1), None) if question.step.alternatives else None
            state.apply(silent or walkers[state.actor].choose(player, rng))


def test_a_thinker_who_knows_all_goes_to_its_partner_or_comes_between_opponents():
    game, joined, parted = loaded("cards-safe", 4), 0, 0
    for bot, player, gone, team in last_to_go(game, range(3), 260):
        (friend,), rivals = team - {player.seat}, set(game.seats) - team
        met = gone[friend]
        if (met,) not in player.legal() or met in (gone[r] for r in rivals):
            continue
        apart = len({gone[r] for r in rivals}) == 2
        choice = bot.choose(player, random.Random(1))
        if apart:
            assert choice == (met,)
            joined += 1
        else:  # they meet before or after us: to go to the partner, or to come between them
            assert choice in ((met,), (gone[next(iter(rivals))],))
            parted += 1
    assert joined > 3 and parted


def test_who_is_first_is_found_alike_from_the_same_seed_and_ends_when_it_is_told_to():
    game = loaded("cards-safe", 4)
    bot, player, _, _ = next(last_to_go(game, range(3), 260))
    mind = Imagination(bot.belief, player.question(), bot.last_seen)
    found = [Race(bot, mind, random.Random(5)).run(player.legal(), 60) for _ in range(2)]
    assert found[0] == found[1] and set(found[0]) == set(player.legal())
    assert all(0 <= gain <= 1 for gain in found[0].values())
    asked = []
    Race(bot, mind, random.Random(5)).run(player.legal(), 10_000, lambda: asked.append(1) or len(asked) > 7)
    assert len(asked) == 8


def test_a_thinker_knows_what_somebody_holds_who_is_told_something():
    """Of two cards that would tell a stranger as much, the one that he holds himself tells him more."""
    game = loaded("cards-safe", 4)
    bot, player, _, _ = next(last_to_go(game, range(3), 260))
    mine = bot.owned_by(bot.me)
    other = next(seat for seat in bot.seats if seat != bot.me)
    truth = bot._truth()
    theirs = tuple(bot.belief.worlds[0][bot.belief.place[cell]] for cell in bot.owned_by(other))
    everything = frozenset(bot._secrets(mine))
    his = frozenset(s for s in everything if s[0] in (truth[0], theirs[0]))
    strange = next(s[0] for s in everything if s[0] not in (truth[0], theirs[0]))
    another = frozenset(s for s in everything if s[0] in (truth[0], strange))
    assert DeducerBot.told_by(bot, other, everything, his) == DeducerBot.told_by(bot, other, everything, another)
    assert bot.told_by(other, everything, his) > bot.told_by(other, everything, another)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["careful", "gambler", "deducer", "thinker"])
def test_a_first_decision_with_fifty_two_cards_takes_no_more_steps_than_allowed(kind):
    game = game_of("tricks")
    state = game.new(3)
    bot, player = BOTS[kind](game, state.actor), state.player(state.actor)
    begun = time.process_time()
    assert player.is_legal(bot.choose(player, random.Random(1)))
    assert in_time(time.process_time() - begun, 20)  # ten times what is usual


def test_who_can_learn_only_a_little_more_asks_for_that_and_the_game_ends():
    """The two others are soon out of the little mystery; then it goes on until the thinker knows."""
    game, seed = loaded("little-mystery"), 1
    kinds = {"ada": "random", "ben": "thinker", "cleo": "random"}
    bots = {seat: BOTS[kind](game, seat) for seat, kind in kinds.items()}
    luck = {seat: random.Random(f"{seed}/{seat}") for seat in kinds}
    state = game.new(seed)
    for _ in range(60):
        if not state.over:
            state.apply(bots[state.actor].choose(state.player(state.actor), luck[state.actor]))
    assert state.over


def test_a_thinker_who_learns_nothing_by_waiting_dares_at_last(tmp_path):
    """Nobody ever tells what the card is: one can say it, and lose, or wait for ever."""
    path = tmp_path / "mute.yaml"
    path.write_text(MUTE)
    game = load_game(path)
    for seed in range(3):
        result = played(game, {"ann": "thinker-easy", "bob": "careful"}, seed, longest=60)
        assert result is not None


MUTE = """
name: Mute
about: A card lies hidden. Whoever names it wins, whoever names another one is out.
players: {2: {}}
things: {player: [ann, bob], card: [one, two, three]}
seats: players
state:
  hidden:        {is: card, seen by: nobody}
  player is out: {is: yes or no, seen by: all}
screens: {secrets: [hidden]}
rules:
  game:
    lay:  {draw: 1, from: cards, as: card}
    hide: {set: {hidden: card}}
    rounds:
      repeat:
        turns:
          for each: player in players
          do:
            still_in:
              if: not (player is out)
              then:
                guess:
                  ask: player
                  seen by: all
                  between:
                    wait: {text: "{player} waits."}
                    name:
                      for: {said: cards}
                      text: "{player} says {said}."
                      then:
                        verdict: {show: said is hidden, to: all, as: right}
                        judge:
                          if: right
                          then: {won: {end: player, text: That is right.}}
                          else: {out: {set: {player is out: true}}}
        all_out:
          if: ann is out
          then: {over: {end: players without ann, text: It is over.}}
"""


# --- in time ----------------------------------------------------------------------------------------------------------
@pytest.mark.long
@pytest.mark.parametrize("name", STRANGE)
def test_whoever_has_half_a_second_decides_in_it_in_any_game(name, tmp_path):
    path = tmp_path / "strange.yaml"
    path.write_text(STRANGE[name], encoding="utf-8")
    game = load_game(path)
    for kind in (
        "gambler",
        "thinker",
    ):  # a step of the interpreter is not interrupted; what else the machine does is not meant
        assert any(_slowest(game, kind) < 0.5 + 0.25 * slowness() for _ in range(3)), kind


def _slowest(game, kind: str) -> float:
    """Of three decisions of players who have half a second, without what other tests have left to be swept up."""
    gc.collect()
    gc.freeze()
    slowest, state, rng = 0.0, game.new(5), random.Random(3)
    bots = {seat: BOTS[kind](game, seat) for seat in game.seats}
    for bot in bots.values():
        bot.seconds = 0.5
    for _ in range(3):
        player, begun = state.player(state.actor), time.process_time()
        choice = bots[state.actor].choose(player, rng)
        slowest = max(slowest, time.process_time() - begun)
        assert player.is_legal(choice)
        state.apply(choice)
    gc.unfreeze()
    return slowest


@pytest.mark.parametrize("seconds", [0.0, 0.02])
def test_whoever_has_no_time_at_all_still_chooses_what_is_legal(seconds):
    for name in ("tricks", "votes", "chase", "leduc-poker", "cards-safe"):
        game = game_of(name)
        state, rng = game.new(2), random.Random(2)
        for _ in range(3):
            if state.over:
                break
            bot, player = BOTS["thinker"](game, state.actor), state.player(state.actor)
            bot.seconds = seconds
            choice = bot.choose(player, rng)
            assert player.is_legal(choice)
            state.apply(choice)


@pytest.mark.parametrize("kind", ["thinker", "gambler", "deducer"])
def test_nobody_declares_for_want_of_time(kind):
    """Who has looked at few worlds is not taken in by what all of them have in common."""
    game = loaded("venice-2013", 4)
    state, rng = game.new(3), random.Random(3)
    bots = {seat: BOTS[kind](game, seat) for seat in game.seats}
    for bot in bots.values():
        bot.seconds = 0.003
    for _ in range(60):
        choice = bots[state.actor].choose(state.player(state.actor), rng)
        assert choice[0] not in insight(game).final[state.v[0]]
        state.apply(choice)


@pytest.mark.skipif(building.missing() in ("extension", "compiler"), reason="all is played in Python here")
@pytest.mark.parametrize(
    "name", ["kuhn-poker", "votes", "plans", *(pytest.param(n, marks=pytest.mark.soak) for n in SEARCHED)]
)
def test_a_search_by_compiled_rules_comes_to_the_same(name, monkeypatch):
    """The same choices, tried as often, with the same gains: whoever plays the positions out."""
    monkeypatch.setenv("TABARRO_CC", "cc -O0")
    game, rng = game_of(name), random.Random(4)
    state, library, compared = game.new(1), game.workshop.library(wait=True), 0
    assert library is not None
    for _ in range(12):
        if state.over:
            state = game.new(rng.randrange(1000))
        bot = BOTS["thinker"](game, state.actor)
        choices = list(dict.fromkeys(state.legal()))
        bot.read(state.player(state.actor))
        if len(choices) > 1 and isinstance(bot.belief, Now) and not bot.belief.failed:
            worlds, found = bot.belief.courses.worlds(), []
            for compiled in (True, False):
                search = Search(game, state.actor, random.Random(9), bot.nearness, bot.declaring, bot.declarations())
                if not compiled:
                    search.places["not empty"] = Place()  # so that it is done in Python
                best = search.think(worlds, choices, 60)
                found.append((best, search.low, search.high, search.iterations, search.steps))
                assert compiled == (not search.places)
            assert found[0] == found[1]
            compared += 1
        state.apply(state.sample(rng, habits=True))
    assert compared
