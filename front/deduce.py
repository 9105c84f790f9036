"""`tabarro deduce`: what follows from what one has been shown, at a table with real cards."""

from __future__ import annotations

from .language import N_
from .terminal import Terminal

SUMMARY = N_("find out what follows from the notes of a game at a real table")


def arguments(parser, language) -> None:
    pass


def run(args, terminal: Terminal) -> int:
    return 0
