"""Rule files that were made up, judged: what the secrecy check says of them, what can be told in play, of what kind that
is, and which pieces of the language they are made of."""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from copy import deepcopy
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from unittest.mock import patch

from shrinking import BODIES, written
from tabarro.interpreter import Position, RulesError, compiling
from tabarro.interpreter.cells import cells_of
from tabarro.interpreter.compiling import compile_game
from tabarro.interpreter.coverage import Coverage
from tabarro.interpreter.declarations import Declarations
from tabarro.interpreter.model import Alternative, Expr, Function, Part, Step
from tabarro.interpreter.resolve import Library
from tabarro.lab.worlds import Difference, Worlds

Data = dict[str, Any]
NODES, SECONDS = 1_500, 0.5  # for all runs of one file
FOLLOWED = 2  # how often worlds are led on beside each other where that were not all runs
MEMORY = Path("/dev/shm")  # files that are read once need no disk


@dataclass
class Verdict:
    """What became of one file."""

    game: Any
    refused: list = field(default_factory=list)  # what the check says of it
    found: list[Difference] = field(default_factory=list)  # what can be told, in worlds beside each other
    stops: list[Difference] = field(default_factory=list)  # where the game stops although that was taken for granted
    whole: bool = False  # all runs were looked at
    idle: str = ""  # refused without need: why that is no wonder, because the secret is none in play
    nodes: int = 0

    @property
    def harmless(self) -> bool:
        return self.whole and not self.found and not self.stops


class Bench:
    """Reads and plays files that are never kept. With `checked` off, nothing is proved or taken for granted."""

    def __init__(self, checked: bool = True):
        self.checked = checked
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)
        self.path = Path(self.folder.name) / "made.yaml"

    def _library(self, data: Data) -> Library:
        self.path.write_text(written(data), encoding="utf-8")
        return Library(())

    def vocabulary(self, data: Data) -> Declarations:
        resolved = self._library(data).resolve(self.path, None, None)
        return Declarations(resolved.description, resolved.options)

    def compiled(self, data: Data, players: int | None = None) -> tuple[Any, list]:
        """The game, and what the check has against it. RulesError: it is no game at all."""
        refused: list = []
        library = self._library(data)
        with nullcontext() if self.checked else patch.object(compiling, "check_flow", lambda rules: ()):
            return compile_game(library, self.path, players, None, refused), refused

    def verdict(self, data: Data, seed: int = 0, players: int | None = None, share: float = 1) -> Verdict:
        game, refused = self.compiled(data, players)
        worlds = self._played(game, seed, share)
        verdict = Verdict(game, refused, worlds.differences, worlds.refuted, worlds.whole, "", worlds.nodes)
        if refused and verdict.harmless:
            verdict.idle = _idle(game, refused, worlds)
        return verdict

    def _played(self, game: Any, seed: int, share: float) -> Worlds:
        worlds = Worlds(game, clock=time.process_time)
        if not self.checked:
            worlds.assumed = set()
        seconds = SECONDS * share
        if not worlds.exhaust(int(NODES * share), time.process_time() + seconds, one_will_do=True):
            rng = random.Random(seed)
            for observer in worlds.observers * FOLLOWED:
                if not worlds.leaks:
                    worlds.follow(observer, rng, width=12, until=time.process_time() + seconds)
        return worlds


def _idle(game: Any, refused: list, worlds: Worlds) -> str:
    """Why a secret that the check speaks of is none: nobody ever comes to the step, or it is the same in all worlds that
    somebody cannot tell apart."""
    executed: set[str] = set()
    Worlds(Coverage(game, executed).game).exhaust(NODES)
    steps = {step.place: step.name for step in worlds.lines.steps.values()}
    reached = [p for p in refused if steps.get(p.place, "?") in executed or p.place not in steps]
    if not reached:
        return "never reached"
    return "" if any(_varies(p, worlds) for p in reached) else "never varied"


def _varies(problem: Any, worlds: Worlds) -> bool:
    seat = problem.args.get("who")
    varied = {c for o, cells in worlds.varied.items() if seat not in worlds.varied or o == seat for c in cells}
    word = str(problem.args.get("secret", "")).split(" ")[0]
    named = [f for f in worlds.functions if f.shape.split(" ")[0] == word or f" is {word}" in f.shape]
    return any(c in varied for f in named for c in cells_of(f)) if named else bool(varied)


# --- kinds of leaks ---------------------------------------------------------------------------------------------------
KINDS = {
    1: "what comes after a return or a loop",
    2: "what there is to draw",
    3: "who is told",
    4: "seen under a condition, taken as seen",
    5: "a seat, or a view, that has changed since",
    6: "who is asked, and whether",
    7: "the game stops",
    8: "what can be taken back",
}
Told = tuple[str, str, tuple[str, ...]]  # who can tell something, by what, at which steps
SEATS = {"ann", "bob", "cleo", "and", "players", "all", "nobody", "player"}


def kinds(bench: Bench, data: Data, wanted: Collection[int] = tuple(KINDS)) -> set[int]:
    """Of which kinds the leaks of a file are: what can no longer be told if nothing of a kind stands in it, is of that
    kind. That is tried only where all runs can be looked at."""
    found, whole = _told(bench, data)
    matters = {matter: kind for kind, names in BY_MATTER.items() for matter in names}
    known = {matters[matter] for _, matter, _ in found if matter in matters}
    for kind, without in BY_LEAVING_OUT.items() if found and whole else ():
        other = without(deepcopy(data)) if kind in wanted else None
        if other is not None:
            rest, all_of_it = _told(bench, other)
            if all_of_it and any(t[1] in ("log", "question", "choices", "keyboard") for t in found - rest):
                known.add(kind)
    return known


def _told(bench: Bench, data: Data) -> tuple[set[Told], bool]:
    """What can be told, and whether that is all."""
    try:
        game, _ = bench.compiled(data)
    except RulesError:
        return set(), False
    worlds = Worlds(game, clock=time.process_time)
    worlds.assumed = set()
    whole = worlds.exhaust(NODES, time.process_time() + 2 * SECONDS)
    return {(d.observer, d.matter, _where(d)) for d in worlds.differences}, whole


def _where(difference: Difference) -> tuple[str, ...]:
    return tuple(sorted(n.step.name for n in (difference.one, difference.other) if n.step is not None))


def _without_returns(data: Data) -> Data | None:
    return _less(data, lambda step: "return" in step)


def _less(data: Data, gone: Callable[[Data], bool]) -> Data | None:
    """Without some of its steps; nothing, if there are none."""
    going = False
    for row in list(_rows(data["rules"])):
        for name in [name for name, step in row.items() if isinstance(step, dict) and gone(step)]:
            del row[name]
            going = True
    return data if going else None


def _told_to_all(data: Data) -> Data | None:
    going = False
    for step in _steps(data["rules"]):
        for key in ("seen by", "to"):
            if key in step and not {"deal", "move"} & set(step) and not set(str(step[key]).split()) <= SEATS:
                step[key], going = "all", True
    return data if going else None


def _seen_by_all(data: Data) -> Data | None:
    """Where it hangs on a condition who sees some state, all do."""
    going = False
    for entry in data["state"].values():
        if str(entry.get("seen by", "")).startswith("if "):
            entry["seen by"], going = "all", True
    return data if going else None


def _nothing_changed_hands(data: Data) -> Data | None:
    """Without setting anything on which a view hangs, or which is remembered before."""
    texts = [str(entry.get("seen by")) for entry in data["state"].values()]
    texts += [str(value) for step in _steps(data["rules"]) for value in step.get("let", {}).values()]
    words = {word for text in texts for word in text.split()} - SEATS
    return _less(data, lambda step: bool({target.split()[0] for target in step.get("set", ())} & words))


BY_MATTER = {2: ("pool",), 6: ("keyboard", "question"), 7: ("stopped",), 8: ("undo",)}
BY_LEAVING_OUT = {1: _without_returns, 3: _told_to_all, 4: _seen_by_all, 5: _nothing_changed_hands}


def _rows(rules: Data) -> Iterator[Data]:
    """All rows of steps."""
    for row in rules.values():
        if isinstance(row, dict):
            yield row
            for step in row.values():
                yield from _rows(_inside(step)) if isinstance(step, dict) else ()


def _steps(rules: Data) -> Iterator[Data]:
    for row in _rows(rules):
        yield from (step for step in row.values() if isinstance(step, dict))


def _inside(step: Data) -> Data:
    """The rows of steps in a step."""
    inner = {key: step[key] for key in BODIES if isinstance(step.get(key), dict)} | step.get("cases", {})
    for name, option in (step.get("between") or {}).items():
        inner[name] = option.get("then", {}) if isinstance(option, dict) else {}
    return inner


def by_what_happened(self: Position, before: Position, seat: str) -> bool:
    """How one would think of taking back: nobody else has noticed anything. That it depends on what one may not know
    whether one can is the leak."""
    own = 1 << self.game.seat(seat)
    return self.actor == seat and not any(mask & ~own for mask, _ in self.rows(since=before.mark))


@contextmanager
def taken_back_by_what_happened() -> Iterator[None]:
    with patch.object(Position, "unnoticed_since", by_what_happened):
        yield


# --- pieces of the language -------------------------------------------------------------------------------------------
def pieces(data: Data, game: Any) -> Counter[str]:
    """Verbs, keys and operations in a file, each once."""
    found = {f"step {key}" for step in _steps(data.get("rules", {})) for key in step}
    for step in _steps(data.get("rules", {})):
        if " in " in str(step.get("ask", "")):
            found.add("ask at once")
        options = [o for o in (step.get("between") or {}).values() if isinstance(o, dict)]
        found |= {f"alternative {key}" for option in options for key in option}
        for part in [p for asked in (step, *options) for p in (asked.get("for") or {}).values() if isinstance(p, dict)]:
            kind = "some" if "some of" in part else "match" if "match" in part else "part"
            found |= {f"{kind} {key}" for key in part}
    found |= {f"state {key}" for entry in data.get("state", {}).values() if isinstance(entry, dict) for key in entry}
    found |= {f"state is {entry['is'].split(' of ')[0]}" for entry in data.get("state", {}).values() if "is" in entry}
    found |= {f"things {key}" for entry in data.get("things", {}).values() if isinstance(entry, dict) for key in entry}
    found |= {f"strides {key}" for entry in data.get("links", {}).values() if "steps" in entry for key in entry}
    found |= {f"file {key}" for key in data}
    found |= {f"operation {op}" for op in operations(game)}
    return Counter(found)


def operations(game: Any) -> set[str]:
    """The operations of all expressions of a game."""
    found: set[str] = set()
    seen: set[int] = set()
    todo: list[Any] = [rule.steps for rule in game.program.rules.values()]
    todo += [f for same in game.vocabulary.functions.values() for f in same]
    while todo:
        piece = todo.pop()
        if isinstance(piece, dict):
            todo += piece.values()
        elif isinstance(piece, (list, tuple)):
            todo += piece
        elif isinstance(piece, (Expr, Function, Step, Part, Alternative)) and id(piece) not in seen:
            seen.add(id(piece))
            if isinstance(piece, Expr):
                found.add(piece.op)
                todo += piece.args
            elif isinstance(piece, Function):
                todo += [piece.body, piece.view, piece.aspects]
                todo += piece.values.values() if piece.kind == "formula" else ()
            else:
                todo += [getattr(piece, f.name) for f in fields(piece) if f.name not in ("callee", "visible", "vars")]
    return found
