"""Where a command writes: its two streams, in the language of the reader."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, TextIO

from .language import Language

__all__ = ["Refusal", "Terminal"]

PIPE_WIDTH = 100  # columns, where no terminal says how many there are


class Refusal(Exception):
    """The command cannot do what it was asked to; the text is already in the reader's language."""


@dataclass(slots=True)
class Terminal:
    out: TextIO
    err: TextIO
    language: Language

    def line(self, text: str = "") -> None:
        print(text, file=self.out)

    def say(self, text: str, /, **values: Any) -> None:
        self.line(self.language.say(text, **values))

    def json(self, data: Any) -> None:
        self.line(json.dumps(data, ensure_ascii=False, indent=1))

    def refusal(self, text: str, /, **values: Any) -> Refusal:
        return Refusal(self.language.say(text, **values))

    def complain(self, problems) -> None:
        """Problems of rule files, each with its place, its line and its remedy."""
        from ..interpreter import show

        self.out.flush()
        for found in problems:
            print(show(found, self.language.translate), file=self.err)

    def table(self, headings: list[str], rows: list[list[str]], numbers: tuple[int, ...] = ()) -> None:
        """An aligned table; the columns in `numbers` are set to the right."""
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
        for index, heading in enumerate(headings):
            table.add_column(Text(heading), justify="right" if index in numbers else "left", no_wrap=index in numbers)
        for row in rows:
            table.add_row(*map(Text, row))
        console = self._console()
        with console.capture() as captured:
            console.print(table)
        for line in captured.get().splitlines():
            self.line(line.rstrip())

    def heading(self, text: str) -> None:
        from rich.text import Text

        self._console().print(Text(text, style="bold"), soft_wrap=True)

    def _console(self):
        from rich.console import Console

        # FORCE_COLOR would make rich colour what goes into a pipe; NO_COLOR and dumb terminals it knows itself.
        console = Console(file=self.out, force_terminal=self.out.isatty(), highlight=False, markup=False, emoji=False)
        if not self.out.isatty() and not os.environ.get("COLUMNS"):
            console.width = PIPE_WIDTH
        return console
