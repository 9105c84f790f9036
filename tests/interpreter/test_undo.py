"""What can be taken back, as far as the one who wants to can know: the answer tells him nothing else."""

import random
from functools import cache

import pytest
from loading import loaded
from tabarro.interpreter import load_game

HEAD = """
name: A whisper
players: {2: {}}
things:
  player: [ann, bob]
  card: [rope, bell]
seats: players
state:
  fate: {is: card, seen by: bob}
  mine: {is: card or nothing, seen by: ann}
  idea: {is: card or nothing, seen by: nobody}
rules:
  game:
    luck: {draw: 1, from: cards, as: luck, seen by: bob}
    fix: {set: {fate: luck}}
    first: {ask: ann, for: {card: cards}, seen by: ann}
"""
TAIL = """
    second: {ask: ann, for: {other: cards}, seen by: ann}
    over: {end: nobody}
"""
BETWEEN = {
    # what stands between two questions to her: can it be taken back? and if nobody has read yet what he was told?
    "nothing at all": ("", (True, True)),
    "what she alone sees": ("    note: {set: {mine: card}}\n", (True, True)),
    "what nobody sees": ("    note: {set: {idea: card}}\n", (True, True)),
    "a whisper to him in some worlds": (
        "    maybe: {if: fate is rope, then: {tell: {show: fate, to: bob}}}\n",
        (False, True),
    ),
    "a whisper to him in all worlds": ("    tell: {show: fate, to: bob}\n", (False, True)),
    "a word that he is told and she is not": ("    tell: {say: something, to: bob}\n", (False, True)),
    "chance that nobody sees": ("    hidden: {draw: 1, from: cards, as: gone, seen by: nobody}\n", (False, False)),
    "a question to him that she does not see": (
        "    his: {ask: bob, for: {guess: cards}, seen by: bob}\n",
        (False, False),
    ),
    "what all see": ("    tell: {say: something}\n", (False, False)),
}


@cache
def game_with(between: str, folder):
    path = folder / "whisper.yaml"
    path.write_text(HEAD + between + TAIL, encoding="utf-8")
    return load_game(path)


@pytest.mark.parametrize("name", BETWEEN)
def test_whether_something_can_be_taken_back_is_the_same_in_all_worlds_that_look_alike(name, tmp_path):
    between, wanted = BETWEEN[name]
    game, found = game_with(between, tmp_path), {}
    for seed in range(20):
        for chosen in (0, 1):
            state = game.new(seed)
            before = state.clone()
            state.apply(state.legal()[chosen])
            while state.actor == "bob":
                state.apply(state.legal()[0])
            found.setdefault((chosen, str(state.log("ann"))), set()).add(
                (state.unnoticed_since(before, "ann"), state.unnoticed_since(before, "ann", unread=True))
            )
    assert set().union(*found.values()) == {wanted}


def test_what_was_seen_or_decided_or_fell_is_never_taken_back_and_steps_of_a_plan_are(tmp_path):
    """Beside what has really happened, which who asks does not know: games of the family and others."""
    taken = 0
    for name in ("venice-2013", "fog", "cards-safe", "little-mystery"):
        game = loaded(name)
        for seed in range(3):
            state, rng = game.new(seed), random.Random(seed)
            for _ in range(60):
                before, seat = state.clone(), state.actor
                state.apply(state.sample(rng, habits=True))
                if state.over:
                    break
                if state.actor != seat:
                    assert not state.unnoticed_since(before, seat)
                elif state.unnoticed_since(before, seat):
                    taken += 1
                    for other in game.seats:
                        if other != seat:
                            assert state.log(other) == before.log(other), "somebody else has noticed it"
                    assert state.v[2] == before.v[2], "chance has fallen"
    assert taken > 20
