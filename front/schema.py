"""`tabarro schema`: the JSON Schema of rule files, for editors."""

from __future__ import annotations

from .language import N_
from .terminal import Terminal

SUMMARY = N_("print the JSON Schema of rule files, for editors")


def arguments(parser, language) -> None:
    pass


def run(args, terminal: Terminal) -> int:
    from ..interpreter.schema import SCHEMA

    terminal.line(SCHEMA.read_text(encoding="utf-8").rstrip())
    return 0
