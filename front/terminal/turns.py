"""What happened, by turns: so that a screen can show where one ends and whose it was.

Where a turn begins the rules tell by what lasts for one: the state that is taken back then. In games without such state
a turn goes on as long as the same player decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...interpreter import Game
from ...interpreter.model import Rule, walk
from ...interpreter.observe import Entry
from ...speech.narrator import Narrator

__all__ = ["Turn", "last_round", "turns"]


@dataclass(slots=True)
class Turn:
    who: str  # the seat that decided first in it; nobody, if nobody did
    lines: list[str]
    deciders: frozenset[str] = frozenset()


def turns(game: Game, entries: Sequence[Entry], narrator: Narrator) -> list[Turn]:
    """These entries in words, cut where turns begin; turns of which nothing is told are left out."""
    found: list[Turn] = []
    for piece in _pieces(game, entries):
        asked = [str(dict(entry.told)["who"]) for entry in piece if entry.kind == "ask" and "who" in dict(entry.told)]
        lines = narrator.tell(piece)
        if lines:
            found.append(Turn(asked[0] if asked else "", lines, frozenset(asked)))
    return found


def last_round(game: Game, told: Sequence[Turn]) -> Sequence[Turn]:
    """The last turns, until everybody has decided something in them; at most as many as there are seats."""
    waiting, count = {seat for seat in game.seats if seat not in game.chance_seats}, 0
    while waiting and count < min(len(told), len(game.seats)):
        count += 1
        waiting -= told[-count].deciders
    return told[len(told) - count :]


def _pieces(game: Game, entries: Sequence[Entry]) -> list[list[Entry]]:
    begins = _beginning(game)
    pieces: list[list[Entry]] = [[]]
    last: str | None = None
    for entry in entries:
        if begins is not None:
            fresh = entry.kind == "reset" and entry.number == begins
        else:
            who = str(dict(entry.told).get("who")) if entry.kind == "ask" else last
            fresh, last = last is not None and who != last, who
        if fresh and pieces[-1]:
            pieces.append([])
        pieces[-1].append(entry)
    return pieces


def _beginning(game: Game) -> int | None:
    """The event with which a turn begins: the outermost rule for which state lasts and that is no whole game."""
    program = game.program
    resets = {event.functions[0].lasts: event.number for event in program.events if event.kind == "reset"}
    played = {game.rulebook.start} | {
        step.callee.shape
        for rule in program.rules.values()
        for step in walk(rule.steps)
        if step.verb == "play" and step.callee is not None
    }
    for shape in played:
        resets.pop(shape.split(" ")[0], None)
    outer = [rule for rule in program.rules.values() if rule.shape.split(" ")[0] in resets]
    inner = {name for rule in outer for name in _called(rule) & resets.keys()}
    return next((number for name, number in resets.items() if name not in inner), None)


def _called(rule: Rule) -> set[str]:
    """The rules that are carried out inside this one, by their first words."""
    found: dict[str, str] = {}
    todo = [rule]
    while todo:
        for step in walk(todo.pop().steps):
            if step.callee is not None and step.callee.shape not in found:
                found[step.callee.shape] = step.callee.shape.split(" ")[0]
                todo.append(step.callee)
    return set(found.values())
