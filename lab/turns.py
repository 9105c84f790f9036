"""Where turns begin and end in a log: what people count instead of decisions.

The rules tell it by what lasts for a turn: the state that is taken back then. In games without such state a turn goes
on as long as the same player decides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ..interpreter.model import Rule, Step, walk
from ..interpreter.observe import Entry, Reader

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.player import Umpire

__all__ = ["Piece", "first_of", "have_owners", "is_last", "pieces", "turn_of_decisions"]

Piece = tuple[int, list[Entry]]  # the number of a turn, 0 for what comes before the first; and what happened in it


def pieces(game: Game, entries: Sequence[Entry], last: str | None = None) -> list[Piece]:
    """These entries, cut where turns begin; whoever decided last before them is in the first of these turns."""
    begins = _beginning(game)
    found: list[Piece] = [(first_of(game), [])]
    for entry in entries:
        if begins is not None:
            fresh = entry.kind == "reset" and entry.number == begins
        else:
            who = str(dict(entry.told).get("who")) if entry.kind == "ask" else last
            fresh, last = last is not None and who != last, who
        if fresh:
            number = found[-1][0] + 1
            if found[-1][1]:
                found.append((number, []))
            else:
                found[-1] = (number, [])
        found[-1][1].append(entry)
    return found


def turn_of_decisions(umpire: Umpire) -> list[int]:
    """For each number of decisions, none first, the turn in which the last of them was made."""
    game = umpire.game
    found = [0]
    for number, entries in pieces(game, Reader(game).news(umpire)):
        found += [number for entry in entries if entry.kind == "ask"]
    return found


def first_of(game: Game) -> int:
    """The number of what comes first: nothing, where the rules tell when the first turn begins."""
    return 0 if _beginning(game) is not None else 1


@lru_cache(maxsize=64)
def have_owners(game: Game) -> bool:
    """Is a turn somebody's, and not of all players together?"""
    begins = _beginning(game)
    if begins is None:
        return True
    lasts, seats = next(e.functions[0].lasts for e in game.program.events if e.number == begins), game.vocabulary.seats
    rules = [rule for rule in game.program.rules.values() if rule.shape.split(" ")[0] == lasts]
    return all(any(p.type.atoms and p.type.atoms <= {*seats} for p in rule.params) for rule in rules)


@lru_cache(maxsize=64)
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


# --- the end of a turn ------------------------------------------------------------------------------------------------
@lru_cache(maxsize=256)
def is_last(game: Game, asked: Step) -> bool:
    """Does a turn end with the answer to this, as far as the order of the rules tells: is nothing asked after it before
    the next one begins? Where the rules know of no turns, each answer ends one."""
    begins = _beginning(game)
    if begins is None:
        return True
    lasts = next(e.functions[0].lasts for e in game.program.events if e.number == begins)
    roots = [rule for rule in game.program.rules.values() if rule.shape.split(" ")[0] == lasts]
    found = [after for rule in roots if (after := _more_after(rule.steps, asked, frozenset())) is not None]
    return bool(found) and not any(found)


def _more_after(steps: Sequence[Step], asked: Step, inside: frozenset[str]) -> bool | None:
    """Does a question follow this one among these steps? None, if it is not there."""
    found: bool | None = None
    for place, step in enumerate(steps):
        bodies = [*step.bodies.values(), *(way.then for way in step.alternatives)]
        if step.callee is not None and step.callee.shape not in inside:
            bodies.append(step.callee.steps)
        within = inside | {step.callee.shape} if step.callee is not None else inside
        here = [after for body in bodies if (after := _more_after(body, asked, within)) is not None]
        if step is asked:
            here.append(any(_asks(way.then, inside) for way in step.alternatives))
        if here:
            again = step.verb in ("repeat", "for each", "plan")
            found = bool(found) or any(here) or again or _asks(steps[place + 1 :], inside)
    return found


def _asks(steps: Sequence[Step], inside: frozenset[str]) -> bool:
    for step in walk([*steps]):
        if step.verb == "ask":
            return True
        if step.callee is not None and step.callee.shape not in inside:
            if _asks(step.callee.steps, inside | {step.callee.shape}):
                return True
    return False
