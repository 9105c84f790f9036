"""Nothing, where a value is needed: the same mistake at the same step, told by the plain evaluator, in Python and in C."""

from __future__ import annotations

import random
from functools import partial

import pytest
from beside import plain, play_in_step
from oracles.steps import Reference, Stuck, play_beside
from tabarro.interpreter import RulesError, load_game

TABLE = """
name: Gaps
players: {2: {}}
things:
  player: [ann, bob]
  card: {columns: {worth: number, twin: card or nothing}, members: {red: {worth: 1}, green: {worth: 2, twin: red}}}
seats: players
state:
  held:   {is: card or nothing, seen by: all}
  lost:   {is: card, seen by: all}
  leader: {is: player, seen by: all}
  guest:  {is: player or nothing, seen by: all}
  row:    {is: list of card, seen by: all}
  pack of player: {is: pile of card, seen by: all}
  secret: {is: card, seen by: leader}
rules:
  game:
    pick: {ask: ann, between: {first: , second: }, seen by: all}
    gap: %s
    again: {ask: bob, between: {third: , fourth: }, seen by: all}
    over: {end: ann}
"""

MISTAKES = {
    "so many of a group": "{ask: bob, for: {w: {some of: cards, how many: any number, of which: {it is held: at most worth of held}}}, seen by: all, if none: {}}",
    "so many of all": "{ask: bob, for: {w: {some of: cards, how many: worth of held}}, seen by: all, if none: {}}",
    "how many are drawn": "{draw: worth of held, from: cards, as: d, seen by: all, if none: {}}",
    "how many are dealt": "{deal: cards, to: players, each: worth of held, as: pack}",
    "who is asked": "{ask: guest, between: {k: , l: }, seen by: all}",
    "who is asked, before he is known": "{ask: leader, between: {k: , l: }, seen by: all, if none: {}}",
    "who plans": "{plan: guest, do: {p: {ask: guest, between: {k: , l: }}}, must: {m: ann is ann}}",
    "who wins": "{end: leader}",
    "what the winner gains": "{end: ann, scores: worth of held}",
    "one of those who win": "{end: leader and bob}",
    "who is told": "{say: Psst., to: leader}",
    "who sees what is set": "{set: {secret: red}}",
    "what is put at the end": "{set: {row: row plus lost}}",
    "of whom it is set": "{set: {pack of guest: cards}}",
    "what is moved": "{move: lost, from: row, to: pack of ann}",
}
ALLOWED = {
    "nobody wins": "{end: guest}",
    "nobody is told": "{say: Psst., to: guest}",
    "nothing more is put at the end": "{set: {row: row plus held}}",
}


def made(tmp_path, step):
    path = tmp_path / "gaps.yaml"
    path.write_text(TABLE % step, encoding="utf-8")
    return load_game(path)


def told(call):
    with pytest.raises(RulesError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("step", MISTAKES.values(), ids=MISTAKES)
def test_nothing_where_a_value_is_needed_is_the_same_mistake_everywhere(tmp_path, monkeypatch, step):
    monkeypatch.setenv("TABARRO_CC", "cc -O0")
    game = made(tmp_path, step)
    playing = Reference(game).play()
    choice = next(playing).choices[0]
    with pytest.raises(Stuck):
        playing.send(choice)
    said = told(lambda: plain(game).new().apply(choice))
    assert "game/gap" in said
    assert told(lambda: game.native().apply(choice)) == said
    assert told(lambda: game.playouts(2, native=True)) == told(lambda: game.playouts(2, native=False)) == said
    assert told(lambda: game.perft(2, native=True)) == told(lambda: game.perft(2, native=False)) == said


@pytest.mark.parametrize("step", ALLOWED.values(), ids=ALLOWED)
def test_what_may_be_nothing_by_its_type_is_left_out(tmp_path, monkeypatch, step):
    monkeypatch.setenv("TABARRO_CC", "cc -O0")
    game = made(tmp_path, step)
    assert play_beside(game, random.Random(1), 5, compiled=True) > 0
    assert play_in_step(game, 1, 5) > 0


@pytest.mark.parametrize(
    "few", ["how many: less than count of row", "how many: any number, of which: {it is red: less than count of row}"]
)
def test_less_than_none_can_never_be_chosen(tmp_path, monkeypatch, few):
    monkeypatch.setenv("TABARRO_CC", "cc -O0")
    game = made(tmp_path, f"{{ask: bob, for: {{w: {{some of: cards, {few}}}}}, seen by: all, if none: {{}}}}")
    for begin in (game.new, game.native):
        position = begin(1)
        position.apply(position.legal()[0])
        assert all(len(choice) == 1 and type(choice[0]) is int for choice in position.legal())  # of “again”
    assert play_beside(game, random.Random(1), 5, compiled=True) > 0


def test_of_a_seat_that_may_be_nothing_nobody_wins(tmp_path):
    state = made(tmp_path, ALLOWED["nobody wins"]).new(1)
    state.apply(state.legal()[0])
    assert state.result.winners == () and state.log("bob")[-1].told == (("winners", ()),)


def test_after_a_mistake_of_the_rules_nothing_has_happened(tmp_path, monkeypatch):
    monkeypatch.setenv("TABARRO_CC", "cc -O0")
    game = made(tmp_path, MISTAKES["what the winner gains"])
    for trusted in (False, True):
        state, native = game.new(1), game.native(1)
        before = state.clone()
        for position in (state, native):
            told(partial(position.apply, state.legal()[0], trusted))
        assert state == before == native.state() and state.log("ann") == []
        assert state.legal() == before.legal()
