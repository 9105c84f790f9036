"""`tabarro schema`: the JSON Schema of rule files, for editors."""

from __future__ import annotations

from pathlib import Path

from .language import N_
from .terminal import Terminal

SUMMARY = N_("print the JSON Schema of rule files, for editors")


def arguments(parser, language) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help=language.translate(N_("write it to this file")))


def run(args, terminal: Terminal) -> int:
    from ..interpreter.schema import SCHEMA

    text = SCHEMA.read_text(encoding="utf-8").rstrip()
    if not args.output:
        terminal.line(text)
        return 0
    try:
        Path(args.output).write_text(text + "\n", encoding="utf-8")
    except OSError:
        raise terminal.refusal(N_("The file “{file}” cannot be written."), file=args.output[:80]) from None
    return 0
