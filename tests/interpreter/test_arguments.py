"""What cannot be meant is refused, with the same words by compiled rules as in Python."""

from __future__ import annotations

import pytest
from loading import loaded
from tabarro.interpreter import CHANCE, GameOver, TooManyPositions, building

needs_a_compiler = pytest.mark.skipif(
    building.missing() in ("extension", "compiler"), reason="all is played in Python here"
)
BOTH = [pytest.param(True, marks=needs_a_compiler, id="compiled"), pytest.param(False, id="python")]


@pytest.fixture(autouse=True)
def quickly_compiled(monkeypatch):
    monkeypatch.setenv("TABARRO_CC", "cc -O0")


@pytest.mark.parametrize("native", BOTH)
@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (lambda game, native: game.perft(-1, native=native), ValueError, "depth is at least 0, not -1"),
        (lambda game, native: game.perft(2**70, native=native), ValueError, "depth is at most 1000000, not"),
        (lambda game, native: game.new().ways(-1, native=native), ValueError, "depth is at least 0, not -1"),
        (lambda game, native: game.new().ways(1, -1, native=native), ValueError, "most is at least 0, not -1"),
        (lambda game, native: game.playouts(1.5, native=native), TypeError, "games is a whole number, not 1.5"),
        (lambda game, native: game.playouts(-1, native=native), ValueError, "games is at least 0, not -1"),
        (lambda game, native: game.playouts(1, "a", native=native), TypeError, "seed is a whole number, not 'a'"),
        (lambda game, native: game.playouts(1, most=-1, native=native), ValueError, "most is at least 0, not -1"),
        (lambda game, native: game.new().ways(3, 2, native=native), TooManyPositions, "more than 2 ways"),
        (lambda game, native: (game.native if native else game.new)("a"), TypeError, "seed is a whole number, not 'a'"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_same_words_everywhere(native, call, kind, said):
    with pytest.raises(kind, match=said):
        call(loaded("kuhn-poker"), native)


@pytest.mark.parametrize("native", BOTH)
def test_what_is_large_is_taken_as_it_is_meant(native):
    game = loaded("kuhn-poker")
    assert game.playouts(3, most=2**70, native=native) == game.playouts(3, native=native)
    assert game.new().ways(3, 2**70, native=native) == game.perft(3, native=native)
    assert game.perft(1_200, native=native)[:9] == game.perft(8, native=native)
    begin = game.native if native else game.new
    assert begin(2**64 + 5) == begin(5) == begin(2**70 + 5)


def test_chance_has_no_chances_where_a_player_is_asked():
    state = loaded("kuhn-poker").new()
    while state.actor == CHANCE:
        state.apply(state.chances()[0][0])
    with pytest.raises(ValueError, match="chance does not decide here: first is asked"):
        state.chances()
    state.apply(state.legal()[0])
    while not state.over:
        state.apply(state.legal()[0])
    with pytest.raises(GameOver):
        state.chances()
