"""`tabarro check`: everything that is wrong with a rule file, at once."""

from __future__ import annotations

import os
from pathlib import Path

from .language import N_
from .terminal import Terminal

SUMMARY = N_("look for mistakes in rule files")


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("files", nargs="+", metavar="FILE", help=_("the path of a rule file, or the name of a game"))
    parser.add_argument("--json", action="store_true", help=_("write JSON, for other programs"))


def run(args, terminal: Terminal) -> int:
    from ..interpreter import find_problems
    from .folders import folders

    found = {file: find_problems(_meant(file), folders()) for file in args.files}
    problems = [problem for of_file in found.values() for problem in of_file]
    if args.json:
        terminal.json([_as_data(file, problem, terminal) for file, of_file in found.items() for problem in of_file])
        return 2 if problems else 0
    for file, of_file in found.items():
        terminal.complain(of_file)
        if not of_file:
            terminal.say(N_("{file} has no mistakes."), file=file)
    if problems:
        print(terminal.language.ngettext("{number} mistake was found.", "{number} mistakes were found.", len(problems)),
              file=terminal.err)
    return 2 if problems else 0


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
