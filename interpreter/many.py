"""Many games at once: at random, or all of them. By the game's library where there is one, else in Python: the same
games, the same choices, the same figures.

The k-th game of a series has the seed `seed + k`, and a chooser of its own made from it: whichever plays it, and
whatever else is played, it goes the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from operator import index
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from .observe import Log

if TYPE_CHECKING:
    from .game import Game
    from .native import NativePosition
    from .state import State

__all__ = ["Chooser", "Sampler", "Tally", "TooManyPositions", "count_ways", "observation_key", "play_many", "scrambled"]

MOST_DECISIONS = 20_000  # of a game that does not end by itself
SOON = 0.1  # seconds for which nobody looks for a library: a few games are played before it is found
SLICE = 0.2  # seconds between two moments at which one can be interrupted
EVERYTHING = 2**62
_WHOLE = 0xFFFFFFFFFFFFFFFF


DEEPEST = 1_000  # choices that compiled rules look ahead
MOST_DEPTH = 1_000_000


class TooManyPositions(Exception):
    """There are more ways than were to be counted."""

    def __init__(self, most: int):
        super().__init__(f"there are more than {most} ways in which it can go on")


def whole(number: object, name: str, least: int | None = None, most: int | None = None) -> int:
    """What somebody has given as a whole number, if it is one, and in these bounds."""
    try:
        found = index(number)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {number!r}") from None
    if least is not None and found < least:
        raise ValueError(f"{name} is at least {least}, not {found}")
    if most is not None and found > most:
        raise ValueError(f"{name} is at most {most}, not {found}")
    return found


def scrambled(seed: int) -> int:
    """Neighbouring seeds must not give neighbouring games: multiply, fold, multiply. Its last 64 bits count."""
    z = (seed * 0x9E3779B97F4A7C15 + 0x1234567) & _WHOLE
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WHOLE
    return z ^ (z >> 27)


class Sampler(Protocol):
    """Where chance comes from for a player who chooses at random."""

    def random(self) -> float: ...


class Chooser:
    """What `State.sample` asks for: numbers from 0 to 1, the same on every machine, and in a game's library."""

    __slots__ = ("state",)

    def __init__(self, seed: int):
        self.state = scrambled(~whole(seed, "seed"))

    def random(self) -> float:
        state = self.state = (self.state * 6364136223846793005 + 1442695040888963407) & _WHOLE
        return (((state >> 22) ^ state) >> 22 & 0xFFFFFFFF) / 4294967296


@dataclass(slots=True)
class Tally:
    """What came of many games."""

    games: int = 0
    decisions: int = 0
    unfinished: int = 0  # games that were broken off
    wins: dict[str, int] = field(default_factory=dict)  # by seat, of the others
    scores: dict[str, int] = field(default_factory=dict)  # added up


def play_many(
    game: Game, start: State | None, games: int, seed: int, habits: bool, most: int, native: bool | None
) -> Tally:
    """So many random games, from the beginning or from a state. `native`: True waits for the library, False goes
    without it; otherwise it is used as soon as it is there."""
    games, seed, most = whole(games, "games", 0), whole(seed, "seed"), min(whole(most, "most", 0), EVERYTHING)
    tally = Tally(wins=dict.fromkeys(game.seats, 0), scores=dict.fromkeys(game.seats, 0))
    began = monotonic()
    source: NativePosition | None = None
    play: Callable[[int, int, bool, int], tuple[int, int, int, tuple[int, ...], tuple[int, ...]]] | None = None
    slice_ = 16  # games at a time
    while tally.games < games:
        number = seed + tally.games
        ready = native or native is None and (game._ready_library is not None or monotonic() - began > SOON)
        if play is None and ready:
            library = game.workshop.library(wait=bool(native))
            if library is not None:
                source = None if start is None else library.at(start.v)
                play = library.play if start is None else None if source is None else source.play
        if play is not None:
            before, at = tally.games, monotonic()
            found, decisions, unfinished, wins, scores = play(
                number & _WHOLE, min(slice_, games - before), habits, most
            )
            tally.games += found
            tally.decisions += decisions
            tally.unfinished += unfinished
            for seat, won, score in zip(game.seats, wins, scores):
                tally.wins[seat] += won
                tally.scores[seat] += score
            if found:
                slice_ = max(1, min(2 * slice_, int(found * SLICE / max(monotonic() - at, 1e-6)) + 1))
                continue
        _play_one(game, start, seed + tally.games, habits, most, tally)
    return tally


def _play_one(game: Game, start: State | None, seed: int, habits: bool, most: int, tally: Tally) -> None:
    """One game in Python: also the one that a library could not play, with the error that is in it."""
    state, chooser, decisions = (game.new(seed) if start is None else start.reseeded(seed)), Chooser(seed), 0
    while not state.over and decisions < most:
        state._follow(state.sample(chooser, habits))
        decisions += 1
    result = state.result
    tally.games += 1
    tally.decisions += decisions
    if result is None:
        tally.unfinished += 1
        return
    for seat in game.seats:
        tally.wins[seat] += seat in result.winners
        tally.scores[seat] += result.scores[seat]


def count_ways(state: State, depth: int, most: int | None, native: bool | None) -> list[tuple[int, int]]:
    """For each depth, how many positions there are and how many of them are ends. Chance counts like a player."""
    depth = whole(depth, "depth", 0, MOST_DEPTH)
    most = EVERYTHING if most is None else min(whole(most, "most", 0), EVERYTHING)
    nodes, finished = [0] * (depth + 1), [0] * (depth + 1)
    stack, left = [(state, 0)], most
    library, began = None if native is False else state.game._ready_library, monotonic()
    while stack:
        if library is None and native is not False and (native or monotonic() - began > SOON):
            library = state.game.workshop.library(wait=bool(native))
        here, at = stack.pop()
        position = None if library is None or depth - at > DEEPEST else library.at(here.v)
        found = -1 if position is None else position.perft(depth - at, left)
        if found == -2:
            raise TooManyPositions(most)
        if isinstance(found, list):
            below = found[: depth - at + 1]
            left -= sum(below[1:])
            for down, number in enumerate(below):
                nodes[at + down] += number
                finished[at + down] += found[depth - at + 1 + down]
            continue
        nodes[at] += 1
        if here.over:
            finished[at] += 1
        elif at < depth:
            legal = here.legal()
            left -= len(legal)
            if left < 0:
                raise TooManyPositions(most)
            for choice in legal:
                child = here.clone()
                child._follow(choice)
                stack.append((child, at + 1))
    return list(zip(nodes, finished))


def observation_key(log: Log) -> bytes:
    """Of what a log tells: equal for equal logs, and for no others that anybody will ever meet."""
    return blake2b(repr(log.rows()).encode(), digest_size=16).digest()
