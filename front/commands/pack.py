"""`tabarro pack`: one file with all that a house rule needs, for others to play."""

from __future__ import annotations

from ...interpreter import find_problems
from ...interpreter.resolve import Library
from ...speech.language import N_
from ..common.arguments import add_force
from ..common.folders import folders
from ..common.loading import rule_file
from ..common.streams import Terminal
from ..workbench.packs import ENDING, is_pack, packed


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("file", metavar="FILE", help=_("the path of a rule file, or the name of a game"))
    parser.add_argument("-o", "--output", metavar="FILE", help=_("write it into this file"))
    add_force(parser, language)


def run(args, terminal: Terminal) -> int:
    path = rule_file(args.file, Library(folders()))
    problems = find_problems(path, folders())
    if problems:
        terminal.complain(problems)
        raise terminal.refusal(N_("Nobody could play it. Mend it first; “tabarro check” tells the same."))
    name = args.output or path.stem + ENDING
    if not name.endswith(ENDING):
        raise terminal.refusal(
            N_("A pack is known by its ending. Call it {name}, and every command takes it."), name=name + ENDING
        )
    terminal.write_file(name, packed(path), args.force, is_pack)
    terminal.say(N_("{file} has all that is needed. Whoever has it plays it with: tabarro play {file}"), file=name)
    return 0
