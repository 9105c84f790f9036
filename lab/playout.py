"""Games among bots, one record each: what the lab counts. A record is plain data, the same on every machine.

Each game has its own seed, made from the seed of the whole series and the number of the game, and so has each bot in
it: in which order or on how many machines the games are played makes no difference.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..interpreter import RulesError, load_game
from ..interpreter.errors import problem
from ..interpreter.evaluate import evaluate
from ..interpreter.observe import ALL, FIRST, LEFT_OUT
from ..interpreter.tables import Luck, Table
from ..mind.bots import BOTS
from ..mind.imagination import TRIED
from .knowledge import Knowledge

if TYPE_CHECKING:
    from ..interpreter.blocks import Event
    from ..interpreter.game import Game
    from ..interpreter.model import Function
    from ..interpreter.native import Library
    from ..interpreter.observe import Mark, Row
    from ..interpreter.player import Player, Umpire
    from ..interpreter.state import Choice, Result, State
    from ..mind.thinker import Bot

MOST_DECISIONS = 20_000  # of a game that does not end by itself
SOON = 0.2  # seconds after which it is looked whether the rules have been compiled
LONG = 3.0  # seconds after which it is worth while to have the rules compiled
STRETCH = 5_000  # decisions between two moments at which one can be interrupted
SWEPT = 100_000  # things made before it is looked which of them hold only each other: logs are many, and never do
PATIENCE = 4  # decisions of others between a declaration and its verdict


@dataclass(frozen=True, slots=True)
class Series:
    """What is played: enough to play any game of it anywhere."""

    game: str
    players: int | None
    options: tuple[tuple[str, Any], ...]
    folders: tuple[str, ...]
    digest: str  # of the rules: other rules elsewhere are refused
    seed: int
    bots: tuple[tuple[str, str], ...]  # seat, secret value, or "" for all others -> bot
    most: int = MOST_DECISIONS
    knowledge: bool = False  # also find out when each player could have known what


def seed_of(series_seed: int, number: int) -> int:
    return int.from_bytes(blake2b(f"{series_seed}/{number}".encode(), digest_size=7).digest(), "big")


@lru_cache(maxsize=8)
def watcher(series: Series) -> Watcher:
    """The game and what is looked at in it, ready in this process."""
    game = load_game(
        Path(series.game) if series.game.endswith((".yaml", ".yml")) else series.game,
        series.players,
        dict(series.options),
        tuple(map(Path, series.folders)),
    )
    if game.digest != series.digest:
        raise RulesError(problem("save_other_rules", None, name=game.id))
    return Watcher(game)


def play_some(series: Series, numbers: Iterable[int], stopped: Callable[[], bool] = lambda: False) -> list[dict]:
    """The records of these games; those that are done, if it is stopped on the way."""
    found, here = [], watcher(series)
    before = gc.get_threshold()
    gc.set_threshold(SWEPT, *before[1:])
    try:
        for number in numbers:
            record = here.play(series, number, stopped)
            if record is None:
                break
            found.append(record)
    finally:
        gc.set_threshold(*before)
    return found


class Watcher:
    """Plays games and looks at all of it, as no player may."""

    def __init__(self, game: Game):
        self.game, self.began = game, monotonic()
        self.screens = game.screens
        self.seats = [seat for seat in game.seats if seat not in game.chance_seats]
        self.names = {atom.number: atom.name for atom in game.vocabulary.atoms}
        self.secrets = [
            (f, dict(self._owners(f))) for f in self.screens.secrets if len(f.params) == 1
        ]  # each with those who have one
        self.counts = [
            f
            for fs in game.vocabulary.functions.values()
            for f in fs
            if f.kind == "state" and not f.params and f.result.kind == "number" and f.view == "all"
        ]
        self.lifetimes = {e.number: _lifetime(e) for e in game.program.events if e.kind == "reset" and _lifetime(e)}
        self.claims, self.verdicts = self._claims()
        self.claiming = self._claiming()
        self.starts = {
            e.number
            for e in game.program.events
            if e.kind == "draw"
            and len(e.names)
            and e.types[0].kind == "thing"
            and e.types[0].atoms <= set(game.vocabulary.seats)
        }

        told = dict.fromkeys(
            (e.number for e in game.program.events if e.kind == "ask" or e.number in self.starts), FIRST
        )
        told |= dict.fromkeys([*self.lifetimes, *self.claims, *self.verdicts], ALL)
        self.told = bytes([told.get(e.number, LEFT_OUT) for e in game.program.events])  # of the umpire's log
        self.told_verdicts = bytes([ALL * (e.number in self.verdicts) for e in game.program.events])

    def _owners(self, function: Function) -> list[tuple[str, int]]:
        atoms = function.params[0].type.atoms
        return [(s, a) for s, a in zip(self.game.seats, self.game.vocabulary.seats, strict=True) if a in atoms]

    def _claims(self) -> tuple[dict[int, str], dict[int, str]]:
        """Alternatives on which a truth is revealed and the game may end: events of the choice, of the verdict."""
        claims, verdicts = {}, {}
        events = self.game.program.events
        for event in events:
            if event.kind == "ask" and event.alternative:
                inside = f"{event.step}/{event.alternative}/"
                own = [e for e in events if e.step.startswith(inside)]
                shows = [e for e in own if e.kind == "show" and e.types and e.types[0].kind == "truth"]
                if shows and any(e.kind == "end" for e in own):
                    claims[event.number] = inside
                    verdicts.update((e.number, inside) for e in shows)
        return claims, verdicts

    def _claiming(self) -> set[tuple[int, int]]:
        """The same as choices: question and alternative."""
        steps = {(id(e.origin), e.alternative) for e in self.game.program.events if e.number in self.claims}
        return {
            (node.number, a.atom)
            for node in self.game.program.nodes
            if node.kind == "ask"
            for a in node.step.alternatives
            if (id(node.step), a.name) in steps
        }

    # --- one game -----------------------------------------------------------------------------------------------------
    def play(self, series: Series, number: int, stopped: Callable[[], bool]) -> dict | None:
        game = self.game
        spent = monotonic() - self.began
        library = game.workshop.library(make=spent > LONG) if spent > SOON else None  # compiled beside
        state = game.new(seed_of(series.seed, number))
        umpire = state.umpire()
        kinds = self.seating(series, umpire)
        bots = {seat: BOTS[kind](game, seat) for seat, kind in kinds.items()}
        seeds = {seat: seed_of(series.seed, f"{number}/{seat}") for seat in bots}
        marks: list[Mark] = []
        hearing = Hearing(self)
        if library is not None and not series.knowledge and any(map(self._is_idle, bots.values())):
            played = self._play_on(library, state, bots, seeds, hearing, series.most, stopped)
        else:
            played = self._play_out(state, bots, seeds, hearing, series, stopped, marks)
        if played is None:
            return None
        state, decisions = played
        record = self.record(state, number, decisions, hearing.refused)
        record["bots"] = kinds
        if series.knowledge:
            record["known"] = Knowledge(umpire.log, marks).moments()
        return record

    def _play_out(
        self,
        state: State,
        bots: dict[str, Bot],
        seeds: dict[str, int],
        hearing: Hearing,
        series: Series,
        stopped: Callable[[], bool],
        marks: list[Mark],
    ) -> tuple[State, int] | None:
        """Decision by decision. Where it ended, and after how many of them; None, if it was stopped."""
        umpire, decisions = state.umpire(), 0
        players = {seat: state.player(seat) for seat in bots}
        luck = {seat: random.Random(seed) for seat, seed in seeds.items()}
        while not state.over and decisions < series.most:
            if decisions & 15 == 0 and stopped():
                return None
            if series.knowledge:
                marks.append(umpire.log.mark)
            seat = state.actor
            choice = bots[seat].choose(players[seat], luck[seat])
            hearing.before(state, umpire, seat, choice)
            state.apply(choice, trusted=True)
            hearing.after(umpire)
            decisions += 1
        return state, decisions

    def _play_on(
        self,
        library: Library,
        state: State,
        bots: dict[str, Bot],
        seeds: dict[str, int],
        hearing: Hearing,
        most: int,
        stopped: Callable[[], bool],
    ) -> tuple[State, int] | None:
        """The same, by a library, from one decision to the next at which somebody thinks."""
        luck = {seat: Luck(seed) for seat, seed in seeds.items()}
        table = Table(library, state, luck, lambda seat, number: bots[seat].thinks_at(number), self.claiming)
        state, umpire = table.state, table.state.umpire()
        players = {seat: state.player(seat) for seat in bots}
        decisions, told = table.go_on(None, min(most, STRETCH))
        while not state.over and decisions < most:
            if stopped():
                return None
            seat, choice = state.actor, told
            if choice is None and not hearing.waits and table.was_told(seat):
                others, told = self._stand_by(table, bots[seat], players[seat], min(most - decisions, STRETCH))
                decisions += others
                if others or told is not None:
                    continue
            if choice is None:
                choice = bots[seat].choose(players[seat], luck[seat])
                refusal = bots[seat].refusal()
                if refusal is not None:
                    table.spare(seat, refusal)
            hearing.before(state, umpire, seat, choice)
            others, told = table.go_on(choice, 0 if hearing.waits else min(most - decisions - 1, STRETCH))
            hearing.after(umpire)
            decisions += 1 + others
        return state, decisions

    @staticmethod
    def _stand_by(table: Table, bot: Bot, player: Player, most: int) -> tuple[int, Choice | None]:
        """What he was told may change nothing: then the library goes on."""
        renewal = bot.renewal(player)
        if renewal is None:
            return 0, None
        table.renew(bot.seat, renewal)
        found = table.go_on(None, most)
        if found != (0, None):
            bot.renewed()
        return found

    def _is_idle(self, bot: Bot) -> bool:
        """Does it sometimes not think?"""
        return any(node.kind == "ask" and not bot.thinks_at(node.number) for node in self.game.program.nodes)

    def seating(self, series: Series, umpire: Umpire) -> dict[str, str]:
        wishes = dict(series.bots)
        usual = wishes[""]
        found = {}
        for seat in self.seats:
            own = [self._secret(umpire, f, owners[seat]) for f, owners in self.secrets if seat in owners]
            found[seat] = next((wishes[key] for key in (seat, *own) if isinstance(key, str) and key in wishes), usual)
        return found

    def _secret(self, umpire: Umpire, function: Function, owner: int) -> Any:
        return _plain(self.game.named(umpire.value(function, owner), function.result))

    # --- looking at all of it -----------------------------------------------------------------------------------------
    def record(self, state: State, number: int, decisions: int, refused: set[int]) -> dict:
        result, umpire = state.result, state.umpire()
        lengths = {"decisions": decisions}
        for function in self.counts:
            lengths[function.shape] = umpire.value(function)
        claims: list[dict] = []
        start, verdicts = None, 0
        for row in umpire.log.digest(None, self.told) or ():
            event = row[0]
            verdicts += event in self.verdicts
            if event in self.lifetimes:
                name = self.lifetimes[event]
                lengths[name] = lengths.get(name, 0) + 1
            elif event in self.claims:
                claims.append({"seat": self.names[row[1]], "step": self.claims[event], "right": None, "refused": False})
            elif event in self.verdicts and claims and claims[-1]["step"] == self.verdicts[event]:
                claims[-1].update(right=bool(row[1]), refused=verdicts in refused)
            elif start is None:
                if event in self.starts:
                    start = (row[1],)
                elif self.game.program.events[event].kind == "ask":
                    start = (row[1],) if row[1] in self.names else ()
        winners = list(result.winners) if result else []
        return {
            "number": number,
            "over": state.over,
            "winners": winners,
            "scores": self.scores(result),
            "start": self.names.get(start[0]) if start else None,
            "lengths": lengths,
            "secrets": {
                f.shape.split(" ")[0]: {seat: self._secret(umpire, f, owner) for seat, owner in owners.items()}
                for f, owners in self.secrets
            },
            "cells": self.cells(umpire, winners),
            "claims": [
                {"seat": c["seat"], "what": c["step"].split("/")[-2], "right": c["right"], "refused": c["refused"]}
                for c in claims
            ],
        }

    def scores(self, result: Result | None) -> dict[str, int] | None:
        """What each player has gained, if that is more than who has won."""
        if result is None or all(result.scores[seat] == (seat in result.winners) for seat in self.seats):
            return None
        return {seat: result.scores[seat] for seat in self.seats}

    def cells(self, umpire: Umpire, winners: list[str]) -> list[dict]:
        """The rows of the table of goals that this game was about, and whether they won."""
        table, found = self.screens.table, {}
        if table is None:
            return []
        cells = umpire.cells()
        for seat, atom in zip(self.game.seats, self.game.vocabulary.seats, strict=True):
            if atom not in table.player.type.atoms:
                continue
            keys = tuple(evaluate(expr, cells, {table.player: atom}) for expr in table.keys)
            if None in keys or keys not in table.function.values:
                continue
            found[keys] = found.get(keys, False) or seat in winners
        kinds = [expr.type for expr in table.keys]
        return [
            {"keys": [_plain(self.game.named(k, t)) for k, t in zip(keys, kinds)], "won": won}
            for keys, won in found.items()
        ]


class Hearing:
    """What becomes of a declaration that others have to agree to. One that failed was refused, not wrong, if it would
    have been right had they answered otherwise."""

    def __init__(self, watcher: Watcher):
        self.watcher = watcher
        self.refused: set[int] = set()  # verdicts, the first in the umpire's log is 1
        self._who: str | None = None  # waits for the verdict
        self._since: Mark | None = None  # the log before he declared
        self._asked: list[State] = []  # positions since then in which another one decides

    @property
    def waits(self) -> bool:
        """For a verdict."""
        return self._who is not None

    def before(self, state: State, umpire: Umpire, seat: str, choice: Choice) -> None:
        if self._who is None:
            if (umpire.number, *choice[:1]) in self.watcher.claiming:
                self._who, self._since, self._asked = seat, umpire.log.mark, []
        elif seat != self._who:
            self._asked.append(state.clone())

    def after(self, umpire: Umpire) -> None:
        if self._who is None:
            return
        verdict = self._verdict(umpire, self._since)
        if verdict is not None and not verdict[1] and any(self._may_be_right(s, PATIENCE) for s in self._asked):
            self.refused.add(len(umpire.log.digest(None, self.watcher.told_verdicts) or ()))
        if verdict is not None or len(self._asked) > PATIENCE:
            self._who = None

    def _verdict(self, umpire: Umpire, since: Mark | None) -> Row | None:
        """The last one that the log has since then."""
        rows = umpire.log.since(since) or ()
        return next((row for row in reversed(rows) if row[0] in self.watcher.verdicts), None)

    def _may_be_right(self, state: State, patience: int) -> bool:
        """Can the one who decides here, and others after him, make it right?"""
        if state.over or state.actor == self._who or not patience:
            return False
        here = state.umpire().log.mark
        for choice in state.legal()[:TRIED]:
            other = state.clone()
            other.apply(choice, trusted=True)
            verdict = self._verdict(other.umpire(), here)
            if verdict[1] if verdict is not None else self._may_be_right(other, patience - 1):
                return True
        return False


def _plain(value: Any) -> Any:
    """Names as they stand in a record: rows of them are lists, as in a file."""
    return [_plain(x) for x in value] if isinstance(value, tuple) else value


def _lifetime(event: Event) -> str:
    return next((f.lasts for f in event.functions if f.lasts), "")
