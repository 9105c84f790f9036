"""Signs: bots make them, truly and falsely; they listen, and are not fooled by all of them."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest
from loading import loaded
from tabarro.interpreter.cells import arguments_of
from tabarro.mind.bots import BOTS
from tabarro.mind.talk import Talk

SIGNS = {"signals": "once_a_turn"}
NAMES = ("lord_fiddlebottom", "colonel_bubble", "madame_zsa_zsa", "agent_x")


@cache
def asked_for_a_sign():
    """A game of four at the first question for a sign."""
    game = loaded("venice-2013", 4, SIGNS)
    state, rng = game.new(5), random.Random(5)
    while state.actor is None or not any(game.words(c)[:1] == ["to_all"] for c in state.legal()):
        state.apply(state.sample(rng))
    return state


def identity(game):
    return next(
        f
        for same in game.vocabulary.functions.values()
        for f in same
        if f.name == "identity of _" and f.kind == "state"
    )


def after(state, *signs):
    """Signs to all, one after the other, by the one who is asked first."""
    for said in signs:
        state = state.clone()
        state.apply(state.game.choice(["to_all", said], state))
        yield state


def share(bot, speaker, name):
    """How likely a bot holds it that somebody is this one."""
    words, function = bot.game.vocabulary, identity(bot.game)
    (atom,) = [a for a in function.result.atoms if words.atoms[a].name == name]
    owner = words.seats[bot.game.seat(speaker)]
    (cell,) = [c for c, f in bot.insight.owned.items() if f is function and arguments_of(f, c) == (owner,)]
    weights = {world: bot.belief.weights.get(world, 1.0) for world in bot.belief.worlds}
    holding = set(bot.belief.deals.listed(bot.belief.deals.holding(bot.belief.place[cell])[atom]))
    return sum(w for world, w in weights.items() if world in holding) / sum(weights.values())


def test_bots_make_signs_truly_and_falsely():
    state = asked_for_a_sign()
    game, seat = state.game, state.actor
    bot = BOTS["deducer"](game, seat)
    own = game.vocabulary.atoms[state.umpire().value(identity(game), game.vocabulary.seats[game.seat(seat)])].name
    found = Counter()
    for seed in range(300):
        words = game.words(bot.choose(state.player(seat), random.Random(seed)))
        found["silent" if words[0] == "no_signal" else "true" if words[1] == own else "false"] += 1
    assert 0.6 < found["silent"] / 300 < 0.8
    assert 0.35 < found["true"] / (found["true"] + found["false"]) < 0.65


def test_a_sign_is_heard_and_nothing_is_certain_by_it():
    state = asked_for_a_sign()
    speaker, listener = state.actor, next(s for s in state.game.seats if s != state.actor)
    mine = state.umpire().value(identity(state.game), state.game.vocabulary.seats[state.game.seat(listener)])
    said = next(n for n in NAMES if n != state.game.vocabulary.atoms[mine].name)
    (heard,) = after(state, said)
    bot = BOTS["deducer"](state.game, listener)
    bot.take_in(heard.player(listener).log.rows())
    # half of what is said is true, and the rest is spread over three others, of which the listener's own is impossible:
    # 1/2 against 1/6 and 1/6
    assert share(bot, speaker, said) == pytest.approx((1 / 2) / (1 / 2 + 1 / 6 + 1 / 6))


def test_what_was_never_said_of_a_secret_is_no_talk():
    """A question whose answer does something, or must be true, is not mistaken for one."""
    for name in ("cards-safe", "little-mystery", "kuhn-poker", "liars-dice", "expedition"):
        bot = BOTS["deducer"](loaded(name), loaded(name).seats[0])
        assert bot.talk.sayings == []


def test_a_sign_made_again_says_nothing_new_and_a_contradiction_takes_it_back():
    class Deals:
        def holding(self, place):
            return {1: 0b1, 2: 0b10, 3: 0b100}

        def listed(self, bits):
            return [n for n in range(3) if bits >> n & 1]

    class Belief:
        me, place, deals, possible = 9, {0: 0}, Deals(), 0b111

    state = asked_for_a_sign()
    talk, bot = Talk(state.game, {}), BOTS["deducer"](state.game, state.actor)
    function = identity(state.game)
    talk.sayings, talk.shown = bot.talk.sayings, bot.talk.shown
    speaker = state.game.vocabulary.seats[0]
    (cell,) = [c for c, f in bot.insight.owned.items() if f is function and arguments_of(f, c) == (speaker,)]
    talk.owned = {cell: function}
    Belief.place = {cell: 0}
    event = next(e for e in state.game.program.events if e.kind == "show" and id(e.origin) in talk.shown)
    weights: dict = {}

    def hear(value):
        values = [None] * (len(event.names) + len(event.context))
        values[event.names.index("player")], values[event.names.index("sign")] = speaker, value
        for place, var in enumerate(event.context):
            values[len(event.names) + place] = speaker if var.name == "player" else value
        talk.hear(Belief, event, tuple(values), weights)
        return {world: round(weight, 6) for world, weight in weights.items() if round(weight, 6) != 1}

    assert hear(2) == {1: 3}
    assert hear(2) == {1: 3}
    assert hear(3) == {}
    assert hear(3) == {} and hear(2) == {}
