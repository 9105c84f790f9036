"""`tabarro schema`: the JSON Schema of rule files, for editors."""

from __future__ import annotations

from ...interpreter.files import read_ours
from ...interpreter.schema import SCHEMA, is_other
from ...speech.language import N_
from ..common.arguments import add_force
from ..common.streams import Terminal


def arguments(parser, language) -> None:
    add_force(parser, language)
    parser.add_argument("-o", "--output", metavar="FILE", help=language.translate(N_("write it to this file")))


def run(args, terminal: Terminal) -> int:
    text = read_ours(SCHEMA).rstrip()
    if not args.output:
        terminal.line(text)
        return 0
    terminal.write_file(args.output, text + "\n", args.force, refused=is_other)
    return 0
