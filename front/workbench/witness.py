"""What can be told apart in play: games played in worlds beside each other, and what a player learns there by more than
the rules declare. A witness is shown as a mistake is, with its place and a remedy."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from dataclasses import dataclass

from ...interpreter.errors import Problem
from ...interpreter.game import Game
from ...interpreter.model import TRUTH, Expr, Step, const
from ...lab.worlds import Difference, Secret, Worlds
from ...speech.conditions import Speaker
from ...speech.language import N_, Language

__all__ = ["Paired", "Witness", "assumptions", "paired"]

SECONDS = 1.5  # for all numbers of players together
SHARE = 0.4  # of that for all runs of a game, if there are few; the rest for leading some on beside each other

TELLS = N_("{observer} can tell here whether this holds: {secret}.")
TELLS_UNSEEN = N_("{observer} can tell here what happened unseen at “{step}”.")
REMEDIES = {
    "log": N_(
        "What is told here, or whether it is told, depends on that. Show it first, or do the same in every case."
    ),
    "question": N_("Whether this is asked depends on that. Ask in every case, or show it first."),
    "choices": N_("What can be chosen here depends on that. Offer only what the one who chooses may know."),
    "keyboard": N_("Who is asked next depends on that, and all notice it. Ask in every case, or show it first."),
    "pool": N_("What can be drawn here depends on that. Draw from a pile, or from what those who see it may know."),
    "over": N_("Whether the game ends here depends on that. Show it first."),
    "stopped": N_(
        "In one case the game cannot go on here. Say with “if none” what happens then, or let it not happen."
    ),
}
STOPPED = {  # where there is no “if none” to say it with
    "move": N_("In one case what is to be moved is not there. Ask with “if” first whether it is."),
    "": N_("In one case a value is missing here, or a number is too large. Ask with “if” first whether that is so."),
}
ASKING = ("ask", "draw", "plan")  # verbs at which a game stops because there is nothing to choose


@dataclass(frozen=True, slots=True)
class Witness(Problem):
    """Two worlds that somebody can tell apart. What it says of them is already in the reader's words."""

    def message(self, translate=None) -> str:
        return self._say(TELLS if "secret" in self.args else TELLS_UNSEEN, translate)

    def remedy(self, translate=None) -> str:
        matter, verb = str(self.args["matter"]), str(self.args["verb"])
        if matter == "stopped" and verb not in ASKING:
            return self._say(STOPPED.get(verb, STOPPED[""]), translate)
        return self._say(REMEDIES[matter], translate)


def assumptions(games: Iterable[Game]) -> list[Problem]:
    """What the secrecy check takes for granted, as it is shown beside warnings; of each step once."""
    found: dict[object, Problem] = {}
    for game in games:
        for assumed in game.assumed:
            code, length = f"assumed_{assumed.reason}", len(assumed.step.rsplit("/", 1)[-1])
            args: dict[str, str | int | tuple[str, ...]] = {"step": assumed.step, "secret": assumed.secret}
            at = assumed.place
            found.setdefault((at.source.name, at.line, at.column, code), Problem(code, at, args, length))
    return list(found.values())


@dataclass(slots=True)
class Paired:
    """What was found, and how many positions were looked at."""

    witnesses: list[Witness]
    positions: int


def paired(games: Iterable[Game], language: Language, seconds: float = SECONDS) -> Paired:
    """What was found in so much time; of each step the first."""
    games = list(games)
    found: dict[object, Witness] = {}
    positions = 0
    for game in games:
        worlds = _played(game, seconds / len(games))
        positions += worlds.nodes
        for difference in worlds.differences + worlds.refuted:
            if difference.matter in REMEDIES:  # whether a choice can be taken back is for the table to see to
                witness = _witness(game, difference, language)
                at = witness.place
                found.setdefault(at and (at.source.name, at.line, at.column), witness)
    return Paired(list(found.values()), positions)


def _played(game: Game, seconds: float) -> Worlds:
    worlds, begun, number = Worlds(game), time.monotonic(), 0
    if not worlds.exhaust(until=begun + seconds * SHARE):
        while time.monotonic() < begun + seconds and not worlds.leaks:
            observer = worlds.observers[number % len(worlds.observers)]
            worlds.follow(observer, random.Random(number), until=begun + seconds)
            number += 1
    return worlds


def _witness(game: Game, difference: Difference, language: Language) -> Witness:
    speaker = Speaker(game, language)
    name = speaker.narrator.seat(difference.observer)("")
    args: dict[str, str | int] = {"observer": name[:1].upper() + name[1:], "matter": difference.matter}
    step = difference.step
    args["verb"] = "" if step is None else step.verb
    if difference.secret is not None:
        args["secret"] = _said(speaker, difference.secret)
    else:
        args["step"] = _name(difference.unseen)
    length = len(_name(step).rsplit("/", 1)[-1])
    return Witness("told_apart", step.place if step is not None else None, args, max(1, length))


def _name(step: Step | None) -> str:
    return "?" if step is None else step.name


def _said(speaker: Speaker, secret: Secret) -> str:
    """Something that holds in one of the two worlds only, in words."""
    function, arguments, (one, other), telling, among = secret
    kind = function.result
    things = tuple(const(a, p.type) for a, p in zip(arguments, function.params))
    cell = Expr("state", (function, things), kind)
    if kind.kind == "truth":
        if function.shape in speaker.phrases:
            return speaker.clause(cell, {})
        names = iter([speaker.thing(a) for a in arguments])
        return " ".join(next(names) if word == "_" else word for word in function.shape.split(" "))
    if kind.many and kind.of is not None:
        more, less = (one, other) if set(one or ()) - set(other or ()) else (other, one)
        extra = [among] if among is not None else sorted(set(more or ()) - set(less or ()))
        if extra:
            return speaker.clause(Expr("member", (const(extra[0], kind.of), cell), TRUTH), {})
    return speaker.clause(
        Expr("eq", (cell, const((one if other is None else other) if telling is None else telling, kind)), TRUTH), {}
    )
