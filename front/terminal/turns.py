"""What happened, by turns: so that a screen can show where one ends and whose it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...interpreter import Game
from ...interpreter.observe import Entry, known_state
from ...lab.turns import first_of, pieces
from ...speech.narrator import Narrator

__all__ = ["Count", "Scene", "Scenes", "Turn", "last_told", "turns"]


@dataclass(slots=True)
class Turn:
    who: str  # the seat that decided first in it; nobody, if nobody did
    lines: list[str]
    actors: Sequence[str] = ()  # of each line, the seat of whom it tells first; nobody, if it tells of none
    deciders: frozenset[str] = frozenset()
    number: int = 0  # which one of the game it is; nothing, for what comes before the first


@dataclass(slots=True)
class Count:
    """How far the turns of a log are counted that is read bit by bit."""

    passed: int = 0
    last: str | None = None  # who decided last


@dataclass(slots=True)
class Scene:
    """A turn, and all that was known when it was over."""

    number: int
    turn: Turn
    known: dict[str, dict[tuple[Any, ...], Any]] = field(repr=False)


def turns(game: Game, entries: Sequence[Entry], narrator: Narrator, count: Count) -> list[Turn]:
    """These entries in words, cut where turns begin; turns of which nothing is told are left out. They are counted."""
    cut, passed = pieces(game, entries, count.last), count.passed
    told = [_turn(piece, narrator, passed + number) for number, piece in cut]
    count.passed += cut[-1][0] - first_of(game)
    asked = [str(dict(entry.told).get("who")) for entry in entries if entry.kind == "ask"]
    count.last = asked[-1] if asked else count.last
    return [turn for turn in told if turn.lines]


class Scenes:
    """The same, each with what was known afterwards: of a game that goes on, as far as turns are over."""

    def __init__(self, game: Game, narrator: Narrator):
        self.game, self.narrator = game, narrator
        self.found: list[Scene] = []
        self._open: list[Entry] = []  # of a turn that may still go on
        self._number = 1  # of that turn; what comes before the first one counts from here, too
        self._known: dict[str, dict[tuple[Any, ...], Any]] = {}

    def read(self, news: Sequence[Entry], whole: bool) -> None:
        cut, first = pieces(self.game, [*self._open, *news]), self._number
        self._open, self._number = ([], first) if whole else (cut[-1][1], first + cut[-1][0] - 1)
        for number, piece in cut if whole else cut[:-1]:
            known_state(self.game, piece, self._known)
            turn = _turn(piece, self.narrator)
            if turn.lines:
                known = {shape: dict(values) for shape, values in self._known.items()}
                self.found.append(Scene(first + number - 1, turn, known))


def _turn(piece: Sequence[Entry], narrator: Narrator, number: int = 0) -> Turn:
    asked = [str(dict(entry.told)["who"]) for entry in piece if entry.kind == "ask" and "who" in dict(entry.told)]
    told = narrator.told(piece)
    actors = [_actor(narrator.game, entry) if entry is not None else "" for _, entry in told]
    return Turn(asked[0] if asked else "", [line for line, _ in told], actors, frozenset(asked), number)


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


def last_told(game: Game, entries: Sequence[Entry], narrator: Narrator) -> Sequence[Turn]:
    """The last turns, until everybody has decided something in them; at most as many as there are seats. Only these
    are put into words."""
    waiting, found = {seat for seat in game.seats if seat not in game.chance_seats}, list[Turn]()
    end = len(entries)
    for number, piece in reversed(pieces(game, entries)):
        if not waiting or len(found) >= len(game.seats):
            break
        end -= len(piece)
        narrator.hear(entries[:end])  # what was in a hand before is not dealt now
        turn = _turn(piece, narrator, number)
        if turn.lines:
            found.insert(0, turn)
            waiting -= turn.deciders
    return found
