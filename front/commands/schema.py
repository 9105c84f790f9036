"""`tabarro schema`: the JSON Schema of rule files, for editors."""

from __future__ import annotations

from ...interpreter.files import read_ours
from ...interpreter.idiom import PLAIN, idiom
from ...interpreter.schema import SCHEMA, is_other
from ...speech.language import N_
from ..common.arguments import add_force
from ..common.folders import folders
from ..common.streams import Terminal
from ..workbench.local_schema import local_schema


def arguments(parser, language) -> None:
    add_force(parser, language)
    parser.add_argument("-o", "--output", metavar="FILE", help=language.translate(N_("write it to this file")))


def run(args, terminal: Terminal) -> int:
    words = idiom(getattr(args, "lang", PLAIN), folders())
    text = read_ours(SCHEMA).rstrip() if words is None else local_schema(words)
    if not args.output:
        terminal.line(text)
        return 0
    terminal.write_file(args.output, text + "\n", args.force, refused=is_other)
    return 0
