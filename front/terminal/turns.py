"""What happened, by turns: so that a screen can show where one ends and whose it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...interpreter import Game
from ...interpreter.observe import Entry, known_state
from ...lab.turns import pieces
from ...speech.narrator import Narrator

__all__ = ["Scene", "Turn", "last_round", "scenes", "turns"]


@dataclass(slots=True)
class Turn:
    who: str  # the seat that decided first in it; nobody, if nobody did
    lines: list[str]
    actors: Sequence[str] = ()  # of each line, the seat of whom it tells first; nobody, if it tells of none
    deciders: frozenset[str] = frozenset()


@dataclass(slots=True)
class Scene:
    """A turn, and all that was known when it was over."""

    number: int
    turn: Turn
    known: dict[str, dict[tuple[Any, ...], Any]] = field(repr=False)


def turns(game: Game, entries: Sequence[Entry], narrator: Narrator) -> list[Turn]:
    """These entries in words, cut where turns begin; turns of which nothing is told are left out."""
    told = (_turn(piece, narrator) for _, piece in pieces(game, entries))
    return [turn for turn in told if turn.lines]


def scenes(game: Game, entries: Sequence[Entry], narrator: Narrator) -> list[Scene]:
    """The same, each with what was known afterwards."""
    found: list[Scene] = []
    known: dict[str, dict[tuple[Any, ...], Any]] = {}
    for number, piece in pieces(game, entries):
        known_state(game, piece, known)
        turn = _turn(piece, narrator)
        if turn.lines:
            found.append(Scene(number, turn, {shape: dict(values) for shape, values in known.items()}))
    return found


def _turn(piece: Sequence[Entry], narrator: Narrator) -> Turn:
    asked = [str(dict(entry.told)["who"]) for entry in piece if entry.kind == "ask" and "who" in dict(entry.told)]
    told = narrator.told(piece)
    actors = [_actor(narrator.game, entry) if entry is not None else "" for _, entry in told]
    return Turn(asked[0] if asked else "", [line for line, _ in told], actors, frozenset(asked))


def _actor(game: Game, entry: Entry) -> str:
    """Who decides here; else the first seat that the sentence names."""
    told, event = dict(entry.told), game.program.events[entry.number]
    if "who" in told:
        return str(told["who"])
    kinds, text = dict(zip(event.names, event.types, strict=False)), str(event.text)
    for name in sorted(told, key=lambda name: text.find("{" + name)):
        if "{" + name in text and kinds[name].kind == "thing" and told[name] in game.seats:
            return str(told[name])
    return ""


def last_round(game: Game, told: Sequence[Turn]) -> Sequence[Turn]:
    """The last turns, until everybody has decided something in them; at most as many as there are seats."""
    waiting, count = {seat for seat in game.seats if seat not in game.chance_seats}, 0
    while waiting and count < min(len(told), len(game.seats)):
        count += 1
        waiting -= told[-count].deciders
    return told[len(told) - count :]
