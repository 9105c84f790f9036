"""Where a command writes: its two streams, in the language of the reader."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, TextIO

from ...interpreter import show
from ...interpreter.files import Refused, write_whole
from ...speech.language import Language, known
from .layout import columned, wrapped
from .letters import can_write

__all__ = ["Refusal", "Terminal", "problem_as_data", "readable"]

PIPE_WIDTH = 100  # columns, where no terminal says how many there are


class Refusal(Exception):
    """The command cannot do what it was asked to; the text is already in the reader's language."""


def readable(code: str, out: TextIO) -> Language:
    """A language; English instead, where the terminal has so few letters that all of it would be question marks."""
    language, encoding = Language(code), getattr(out, "encoding", None)
    return language if can_write(language.translate("Which game?"), encoding) else Language("en")


@dataclass(slots=True)
class Terminal:
    out: TextIO
    err: TextIO
    language: Language
    adapts: bool = False  # whether mistakes may be told in the language in which their file is written

    def speaking(self, language: Language) -> Terminal:
        """The same terminal, for a reader of this language."""
        return Terminal(self.out, self.err, language)

    def line(self, text: str = "") -> None:
        print(text, file=self.out)

    def say(self, text: str, /, **values: Any) -> None:
        self.line(self.language.say(text, **values))

    def json(self, data: Any) -> None:
        self.line(json.dumps(data, ensure_ascii=False, indent=1))

    def write_file(self, name: str, content: str | bytes, force: bool, refused: Refused | None = None) -> None:
        """Into the file of this name; what was there before is gone, if it was ours or must go."""
        write_whole(name, content.encode("utf-8", "replace") if isinstance(content, str) else content, force, refused)

    def refusal(self, text: str, /, **values: Any) -> Refusal:
        return Refusal(self.language.say(text, **values))

    def complain(self, problems) -> None:
        """Problems of rule files, each with its place, its line and its remedy."""
        self.out.flush()
        for found in problems:
            written = found.place.source.language if self.adapts and found.place is not None else ""
            if written and known(written):  # its author writes in it
                self.language, self.adapts = readable(written, self.out), False
            print(show(found, self.language.translate), file=self.err)

    def table(self, headings: list[str], rows: list[list[str]], numbers: tuple[int, ...] = ()) -> None:
        """An aligned table; the columns in `numbers` are set to the right. No column is ever left out."""
        width = self.width
        found = next(filter(None, (columned(rows, headings, width, numbers, gap) for gap in (3, 2, 1))), None)
        if found is None:  # rather row by row than with something cut off
            for first, *rest in rows:
                for line in wrapped(self.language.labelled(headings[0], first) if headings[0] else first, width):
                    self.line(line)
                for heading, cell in zip(headings[1:], rest):
                    begin, *more = wrapped(self.language.labelled(heading, cell), width - 4)
                    self.line("  " + begin)
                    for line in more:
                        self.line("    " + line)
            return
        for line in found[1]:
            self.heading(line)
        for line in found[2]:
            self.line(line)

    @property
    def width(self) -> int:
        return self._console().width

    def columns(self, otherwise: int) -> int:
        """How wide the terminal is, or what COLUMNS says; `otherwise` where nothing tells."""
        if self.out.isatty() or os.environ.get("COLUMNS", "").isdigit():
            return max(40, self.width)
        return otherwise

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


def problem_as_data(file: str, problem, terminal: Terminal) -> dict:
    place, translate = problem.place, terminal.language.translate
    return {
        "file": place.source.name if place else file,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "length": place.reach(problem.length) if place else problem.length,
        "code": problem.code,
        "message": problem.message(translate),
        "remedy": problem.remedy(translate),
    }
