"""`tabarro schema`: the JSON Schema of rule files, for editors."""

from __future__ import annotations

from ...interpreter.files import read_ours
from ...interpreter.idiom import PLAIN, idiom
from ...interpreter.schema import SCHEMA, is_other
from ...speech.language import N_
from ..common.arguments import add_force
from ..common.folders import folders
from ..common.loading import game_or_path
from ..common.streams import Terminal
from ..workbench.game_schema import game_schema
from ..workbench.index import Index
from ..workbench.local_schema import local_schema


def arguments(parser, language) -> None:
    help = language.translate(N_("a game: then the schema is that of its house rules, with all its names"))
    parser.add_argument("game", nargs="?", metavar="GAME", help=help)
    add_force(parser, language)
    parser.add_argument("-o", "--output", metavar="FILE", help=language.translate(N_("write it into this file")))


def run(args, terminal: Terminal) -> int:
    words = idiom(getattr(args, "lang", PLAIN), folders())
    if args.game is not None:
        text = game_schema(Index(game_or_path(args.game), None, terminal.language), words)
    else:
        text = read_ours(SCHEMA).rstrip() if words is None else local_schema(words)
    if not args.output:
        terminal.line(text)
        return 0
    terminal.write_file(args.output, text + "\n", args.force, refused=is_other)
    return 0
