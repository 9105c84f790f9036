"""`tabarro check`: everything that is wrong with a rule file, at once; then what may not be meant."""

from __future__ import annotations

from pathlib import Path

from ...interpreter import RulesError, find_problems
from ...interpreter.resolve import Library
from ...speech.language import N_, Language
from ..common.arguments import add_json
from ..common.folders import folders
from ..common.loading import game_or_path, rule_file
from ..common.progress import Waiting
from ..common.streams import Terminal, problem_as_data
from ..workbench.doubts import Warnings
from ..workbench.lessons import ENDING, beside, problems_in
from ..workbench.sayings import unsaid_conditions
from ..workbench.texts import misnamed_values
from ..workbench.witness import assumptions, paired
from ..workbench.worksheet import sentences


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("files", nargs="+", metavar="FILE", help=_("the path of a rule file, or the name of a game"))
    parser.add_argument("--quick", action="store_true", help=_("play no random games"))
    add_json(parser, language)


def run(args, terminal: Terminal) -> int:
    problems, data = [], []
    for file in args.files:
        lesson = file.endswith(ENDING)
        found = problems_in(Path(file), folders()) if lesson else find_problems(game_or_path(file), folders())
        doubts, assumed, batch, pairs = [], [], None, None
        if not found and not lesson:
            beside_it = beside(rule_file(file, Library(folders())))
            found = [] if beside_it is None else problems_in(beside_it, folders())
        if not found and not lesson:
            with Waiting(terminal.err, terminal.language.say(N_("Tabarro is playing …"))):
                found, doubts, assumed, batch, pairs = _doubts(file, args.quick, terminal.language)
        problems += found
        data += [problem_as_data(file, problem, terminal) for problem in found]
        data += [problem_as_data(file, d, terminal) | {"warning": True, "guess": d.guess} for d in doubts]
        data += [problem_as_data(file, a, terminal) | {"assumed": True} for a in assumed]
        if not args.json:
            _tell(file, found, doubts, assumed, batch, pairs, terminal)
    if args.json:
        terminal.json(data)
    elif problems:
        print(
            terminal.language.ngettext("{number} mistake was found.", "{number} mistakes were found.", len(problems)),
            file=terminal.err,
        )
    return 2 if problems else 0


def _doubts(file: str, quick: bool, language: Language):
    """Mistakes that showed only in play, warnings, what is taken for granted, and what random players did."""
    library = Library(folders())
    path = rule_file(file, library)
    if library.load(path).get("abstract"):
        return [], [], [], None, None
    warnings = Warnings(path, folders())
    for checked in warnings.games.values():
        try:
            sentences(checked)
        except RulesError as error:
            warnings.problems = RulesError([*warnings.problems, *error.problems]).problems
        warnings.problems = RulesError([*warnings.problems, *unsaid_conditions(checked)]).problems
    warnings.problems += misnamed_values(path)
    doubts = warnings.find(quick)
    assumed = [one for one in assumptions(warnings.games.values()) if warnings.here(one.place)]  # of this very file
    if quick:
        return warnings.problems, doubts, assumed, None, None
    pairs = paired(warnings.games.values(), language)
    return warnings.problems + pairs.witnesses, doubts, assumed, warnings.batch, pairs


def _tell(file: str, problems, doubts, assumed, batch, pairs, terminal: Terminal) -> None:
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
            terminal.say(
                N_("Of the conditions in tables, {held} of {all} held at some moment."),
                held=batch.held,
                all=batch.conditions,
            )
    if pairs is not None and pairs.positions:
        terminal.say(
            N_("Worlds beside each other: {number} positions; nobody can tell more than the rules say."),
            number=terminal.language.number(pairs.positions),
        )
    if doubts:
        terminal.out.flush()
        print(terminal.language.ngettext("{number} warning:", "{number} warnings:", len(doubts)), file=terminal.err)
        terminal.complain(doubts)
    terminal.complain(assumed)
