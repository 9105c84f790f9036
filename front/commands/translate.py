"""`tabarro translate`: the same rule file or scenario in another language, with its comments and its layout."""

from __future__ import annotations

from ...interpreter import find_problems, show
from ...interpreter.idiom import PLAIN, idiom, idioms
from ...interpreter.load import load_file
from ...interpreter.resolve import Library
from ...interpreter.shelves import shown
from ...speech.language import N_
from ..common.arguments import add_force
from ..common.folders import folders
from ..common.loading import rule_file
from ..common.streams import Terminal
from ..workbench.translating import is_scenario, translated


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("file", metavar="FILE", help=_("the path of a rule file, or the name of a game"))
    parser.add_argument("--to", required=True, metavar="LANGUAGE", help=_("the language to write it in"))
    parser.add_argument("-o", "--output", metavar="FILE", help=_("write it into this file"))
    add_force(parser, language)


def run(args, terminal: Terminal) -> int:
    into = None if args.to == PLAIN else idiom(args.to, folders())
    if into is None and args.to != PLAIN:
        raise terminal.refusal(
            N_("Rule files cannot be written in “{name}”. These languages are known: {languages}."),
            name=args.to[:40],
            languages=", ".join((*idioms(folders()), PLAIN)),
        )
    library = Library(folders())
    path = rule_file(args.file, library)
    data = load_file(path, shown(path))
    result = translated(data, into, folders(), None if is_scenario(data, folders()) else library.below(path))
    if args.output:
        terminal.write_file(args.output, result.text, args.force)
    else:
        terminal.out.write(result.text)
        terminal.out.flush()
    for place, text in result.kept:
        print(
            terminal.language.say(
                N_("{place}: This cannot be said in the language, and stays as it is: {text}"),
                place=str(place),
                text=text,
            ),
            file=terminal.err,
        )
    if result.unread:  # what is no expression is taken along as it stands: a sentence of the game, or a mistake
        lines = {place.line for place, _ in result.unread}
        for found in find_problems(path, folders()):
            if found.place is not None and found.place.source.name == shown(path) and found.place.line in lines:
                print(show(found, terminal.language.translate), file=terminal.err)
    return 0
