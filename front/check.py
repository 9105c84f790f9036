"""`tabarro check`: everything that is wrong with a rule file, at once; then what may not be meant."""

from __future__ import annotations

import os
from pathlib import Path

from .language import N_
from .terminal import Terminal

SUMMARY = N_("look for mistakes in rule files")


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("files", nargs="+", metavar="FILE", help=_("the path of a rule file, or the name of a game"))
    parser.add_argument("--quick", action="store_true", help=_("play no random games"))
    parser.add_argument("--json", action="store_true", help=_("write JSON, for other programs"))


def run(args, terminal: Terminal) -> int:
    from ..interpreter import find_problems
    from .folders import folders

    problems, data = [], []
    for file in args.files:
        found = find_problems(_meant(file), folders())
        doubts, batch = [], None
        if not found:
            found, doubts, batch = _doubts(_meant(file), args.quick)
        problems += found
        data += [_as_data(file, problem, terminal) for problem in found]
        data += [_as_data(file, d, terminal) | {"warning": True, "guess": d.guess} for d in doubts]
        if not args.json:
            _tell(file, found, doubts, batch, terminal)
    if args.json:
        terminal.json(data)
    elif problems:
        print(terminal.language.ngettext("{number} mistake was found.", "{number} mistakes were found.", len(problems)),
              file=terminal.err)
    return 2 if problems else 0


def _doubts(game: str | Path, quick: bool):
    """Mistakes that showed only in play, warnings, and what random players did."""
    from ..interpreter import RulesError
    from ..interpreter.resolve import Library
    from .folders import folders
    from .warn import Warnings
    from .worksheet import sentences

    path = game if isinstance(game, Path) else Library(folders()).find(game)
    if Library(folders()).load(path).get("abstract"):
        return [], [], None
    warnings = Warnings(path, folders())
    for checked in warnings.games.values():
        try:
            sentences(checked)
        except RulesError as error:
            warnings.problems = RulesError([*warnings.problems, *error.problems]).problems
    doubts = warnings.find(quick)
    return warnings.problems, doubts, warnings.batch if not quick else None


def _tell(file: str, problems, doubts, batch, terminal: Terminal) -> None:
    terminal.complain(problems)
    if problems:
        return
    terminal.say(N_("{file} has no mistakes."), file=file)
    if batch is not None and batch.begun:
        terminal.say(
            N_("Random games: {ended} of {begun} ended, {won} were won; {reached} of {steps} steps were reached."),
            ended=batch.ended,
            begun=batch.begun,
            won=batch.won,
            reached=batch.reached,
            steps=batch.steps,
        )
        if batch.conditions:
            terminal.say(N_("Of the conditions in tables, {held} of {all} held at some moment."),
                         held=batch.held, all=batch.conditions)
    if doubts:
        terminal.out.flush()
        print(terminal.language.ngettext("{number} warning:", "{number} warnings:", len(doubts)), file=terminal.err)
        terminal.complain(doubts)


def _meant(file: str) -> str | Path:
    """What looks like a path is one, whatever it ends in; else it is the name of a game."""
    is_path = os.sep in file or "/" in file or "." in file or os.path.exists(file)
    return Path(file) if is_path else file


def _as_data(file: str, problem, terminal: Terminal) -> dict:
    place, translate = problem.place, terminal.language.translate
    return {
        "file": place.source.name if place else file, "line": place.line if place else None,
        "column": place.column if place else None, "length": problem.length, "code": problem.code,
        "message": problem.message(translate), "remedy": problem.remedy(translate),
    }
