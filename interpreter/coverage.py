"""Which steps of a game's rules have been executed, and which never: for tests that play many games.

`Coverage(game)` holds a copy of the game, `.game`, whose program notes each step that it executes and each alternative
that is chosen; steps that are only tried while a plan is thought through do not count. Several games (other options,
other numbers of players) can share one record: whatever is executed in one of them is executed.

    coverage = Coverage(load_game(games()[0]))
    state = coverage.game.new(seed=1)
    ...
    print(coverage.missing())
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .game import Game
from .linking import run_program
from .model import Step

__all__ = ["Coverage"]

_FUNCTION = re.compile(r"def ([ab])\d+\(v")  # blocks, and what is done with a choice
_CHOSEN = re.compile(r"(\s*)if c\[0\] == (\d+):")


class Coverage:
    def __init__(self, game: Game, executed: set[str] | None = None):
        self.executed: set[str] = set() if executed is None else executed
        self._all = [name for rule in game.program.rules.values() for name in _names(rule.steps)]
        self.game = _noting(game, self.executed)

    @property
    def steps(self) -> list[str]:
        """The names of all steps of the rules and, below a step, of its alternatives; in their order."""
        return list(self._all)

    def missing(self) -> list[str]:
        """Those that were never executed. An `if` whose option settles it is executed when something in it is."""
        return [
            name
            for name in self._all
            if name not in self.executed and not any(done.startswith(name + "/") for done in self.executed)
        ]

    def report(self) -> str:
        missing = self.missing()
        lines = [f"{len(self._all) - len(missing)} of {len(self._all)} steps were executed."]
        return "\n".join(lines + [f"    never: {name}" for name in missing])


def _names(steps: list[Step]) -> Iterator[str]:
    """Of these steps, of their alternatives and of all inside them, in the order of the file."""
    for step in steps:
        yield step.name
        for alternative in step.alternatives:
            yield f"{step.name}/{alternative.name}"
            yield from _names(alternative.then)
        for body in step.bodies.values():
            yield from _names(body)


def _noting(game: Game, executed: set[str]) -> Game:
    """A copy of the game whose program writes the names of its steps into `executed`."""
    source, where = _instrumented(game)
    program = replace(game.program, nodes=[replace(node) for node in game.program.nodes], lines=where)
    run_program(program, game.vocabulary.seats, source, {"noted": executed.add})
    return replace(game, program=program)


def _instrumented(game: Game) -> tuple[str, list[Step | None]]:
    """The source, and which step each of its lines belongs to."""
    lines: list[str] = []
    where: list[Step | None] = [None]
    inside = False
    for number, line in enumerate(game.program.source.split("\n"), start=1):
        step = game.program.lines[number] if number < len(game.program.lines) else None
        if line.startswith("def "):
            inside = _FUNCTION.match(line) is not None
        elif inside and step is not None and not line.lstrip().startswith(("else:", "elif ")):
            blank = line[: len(line) - len(line.lstrip())]
            lines.append(f"{blank}v[8] or noted({step.name!r})")
        lines.append(line)
        if inside and step is not None and (chosen := _CHOSEN.match(line)):
            name = game.vocabulary.atoms[int(chosen[2])].name
            lines.append(f"{chosen[1]}    v[8] or noted({step.name + '/' + name!r})")
        where += [step] * (len(lines) + 1 - len(where))
    return "\n".join(lines), where
