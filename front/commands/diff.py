"""`tabarro diff`: what one game changes of another, rule by rule, in words."""

from __future__ import annotations

from ...interpreter.resolve import Library
from ...speech.language import N_
from ..common.arguments import add_game_name
from ..common.folders import folders
from ..common.loading import rule_file
from ..common.streams import Terminal
from ..workbench.differences import SECTIONS, Differences, conditions_in_words, inherited


def arguments(parser, language) -> None:
    _ = language.translate
    add_game_name(parser, language, "one")
    parser.add_argument(
        "other",
        nargs="?",
        metavar="VARIANT",
        help=_("what to compare it with; without this, a game is compared with what it extends"),
    )


def run(args, terminal: Terminal) -> int:
    library = Library(folders())
    if args.other is None:
        new_path = rule_file(args.one, library)
        old, name = inherited(library, new_path)
        if old is None:
            raise terminal.refusal(N_("“{name}” extends nothing. Name two games to compare."), name=new_path.stem)
        old_path = None if name is None else library.find(name, new_path.parent)
        shown = name or args.one
    else:
        old_path, new_path = rule_file(args.one, library), rule_file(args.other, library)
        old, shown = library.merged(old_path), args.one
    cells = conditions_in_words((old_path, new_path), terminal.language)
    sections = Differences(terminal.language, cells).sections(old, library.merged(new_path))
    name = args.other or args.one
    if not sections:
        terminal.say(N_("{new} is the same as {old}."), new=name, old=shown)
        return 0
    terminal.say(N_("What {new} changes of {old}:"), new=name, old=shown)
    for heading, lines in sections.items():
        terminal.line()
        terminal.heading(terminal.language.translate(SECTIONS.get(heading, heading)))
        for line in lines:
            terminal.line("  " + line)
    return 0
