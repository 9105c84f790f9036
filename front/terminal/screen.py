"""The screen at which people sit: what fits on it, what must not stay on it, what may be written to it at all.

Where several people share a keyboard, everything private is written to the terminal's alternate screen, which keeps no
scrollback, and both are cleared before the next one looks. In a pipe, or on a terminal that cannot clear, it is plain
text.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TextIO

from ..common.layout import LONGEST_ENTRY, clean, width_of, wrapped
from ..common.letters import SIGNS
from .prompt import called, normal

ENTER_ALTERNATE, LEAVE_ALTERNATE = "\x1b[?1049h", "\x1b[?1049l"
CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # to the upper left corner; the screen; what has been scrolled away
NARROWEST = 20
WIDE, HIGH = 100, 30  # columns and rows of a full screen, at least
ECHO = 60  # columns of it that are shown, where nobody has seen it being typed
ANSWER = 12  # columns that are left for what is typed behind a prompt
PLAIN = str.maketrans(SIGNS)


class EndOfInput(Exception):
    """Nobody types any more: a pipe is empty, or the terminal is gone."""


# --- the screen -------------------------------------------------------------------------------------------------------
class Screen:
    def __init__(self, out: TextIO, typed: TextIO | None = None, environ: dict[str, str] | None = None):
        self.out, self.typed = out, sys.stdin if typed is None else typed
        environ = os.environ if environ is None else environ
        self.interactive = _is_terminal(self.out) and _is_terminal(self.typed)
        self.can_clear = self.interactive and environ.get("TERM", "dumb") not in ("", "dumb")
        self.has_style = self.can_clear and not environ.get("NO_COLOR")
        self.has_signs = self._encodable("─○") == "─○"  # more than the plainest alphabet
        self._private = False
        self._shown = 0  # lines since the screen was cleared
        if hasattr(self.typed, "reconfigure"):
            self.typed.reconfigure(errors="replace")

    # --- size ---------------------------------------------------------------------------------------------------------
    @property
    def size(self) -> tuple[int, int]:
        wide, high = shutil.get_terminal_size((80, 24))
        if _is_terminal(self.out) and not os.environ.get("COLUMNS"):
            with suppress(OSError, ValueError):
                wide, high = os.get_terminal_size(self.out.fileno())
        return max(NARROWEST, min(wide or 80, 120)), max(8, high or 24)

    @property
    def width(self) -> int:
        return self.size[0]

    # --- writing ------------------------------------------------------------------------------------------------------
    def line(self, text: str = "", style: str = "") -> None:
        text = self._encodable(text)
        if self.has_style and style and text:
            text = f"\x1b[{ {'bold': 1, 'dim': 2}[style] }m{text}\x1b[0m"
        self.out.write(text + "\n")
        self._shown += 1

    def lines(self, lines: Iterable[str], style: str = "") -> None:
        for line in lines:
            self.line(line, style)

    def text(self, text: str, indent: str = "", style: str = "", hanging: str | None = None) -> None:
        self.lines(wrapped(text, self.width, indent, hanging), style)

    def rule(self) -> None:
        self.line("─" * self.width, "dim")

    def _encodable(self, text: str) -> str:
        """Without signs that the terminal's alphabet lacks, where there is a plainer one."""
        encoding = getattr(self.out, "encoding", None) or "utf-8"
        try:
            text.encode(encoding)
            return text
        except UnicodeEncodeError:
            return text.translate(PLAIN)
        except LookupError:
            return text

    # --- reading ------------------------------------------------------------------------------------------------------
    def asked(self, prompt: str) -> list[str]:
        """A prompt in lines, behind the last of which there is room for what is typed."""
        room = self.width - min(ANSWER, self.width // 3)
        if width_of(prompt) <= room:
            return [prompt]
        *above, last = wrapped(prompt, room - 1)
        return [*above, last + " "]

    def read(self, prompt: str, echo: int = ECHO, words: Sequence[str] = ()) -> str:
        """One line that somebody types; in a pipe so many columns of it are shown."""
        *above, prompt = self.asked(prompt)
        self.lines(above)
        try:
            typed = self._edited(self._encodable(prompt), words)
        except (OSError, ValueError):
            typed = ""
        if not typed:
            self.out.write("\n")
            raise EndOfInput
        self._shown += 1
        if not self.interactive:  # nobody has pressed Enter on this screen
            self.out.write(self._encodable(clean(typed, echo)) + "\n")
        return typed[:LONGEST_ENTRY].strip()

    def _edited(self, prompt: str, words: Sequence[str]) -> str:
        """One line; at a terminal it can be edited, completed with Tab, and what was typed before comes back."""
        if not (self.can_clear and self.out is sys.stdout and self.typed is sys.stdin):
            self.out.write(prompt)
            self.out.flush()
            return self.typed.readline()
        try:
            import readline
        except ImportError:
            readline = None
        if readline is not None:
            readline.parse_and_bind("set enable-bracketed-paste off")
            readline.parse_and_bind("tab: complete")
            readline.set_completer_delims("")  # names have spaces in them
            readline.set_completer(lambda text, number: [*begun(text, words), None][number])
        self.out.flush()
        try:
            return input(prompt) + "\n"
        except EOFError:
            return ""

    def _forget_lines(self) -> None:
        """What one person has typed is not offered to the next."""
        with suppress(ImportError, AttributeError):
            import readline

            readline.clear_history()

    def pause(self, prompt: str) -> str:
        """Wait for Enter; what was typed too early does not count. A pipe is not waited for."""
        if not self.interactive:
            return ""
        self.forget_typed()
        return self.read(prompt)

    def forget_typed(self) -> None:
        """What was typed before somebody could read what it would answer does not count."""
        if self.interactive:
            with suppress(ImportError, OSError, ValueError, AttributeError):
                import termios

                termios.tcflush(self.typed, termios.TCIFLUSH)

    def pages(self, lines: list[str], more: str) -> str:
        """A longer text, page by page, as long as it is answered with Enter alone; what else was typed."""
        high = self.size[1] - 1 - len(self.asked(more))
        for index, line in enumerate(lines):
            if index and index % high == 0 and (typed := self.pause(more)):
                return typed
            self.line(line)
        return ""

    # --- secrets ------------------------------------------------------------------------------------------------------
    def hide(self) -> None:
        """Nothing that was written before can be read any more, on the screen or by scrolling back, nor typed again."""
        self._forget_lines()
        if self.can_clear:
            if not self._private:
                self.out.write(ENTER_ALTERNATE)
                self._private = True
            self.out.write(CLEAR)
            self.out.flush()
        elif self.interactive:
            self.out.write("\n" * (2 * self.size[1]))
        self._shown = 0

    def leave(self) -> None:
        """Back to the ordinary screen, with nothing private on either."""
        if self._private:
            self.out.write(CLEAR + LEAVE_ALTERNATE)
            self.out.flush()
            self._private = False


def begun(text: str, words: Sequence[str]) -> list[str]:
    """The words that begin so, whatever their case, accents and quotes; else the only one in which a word does."""
    if not (entry := normal(text)):
        return []
    found = [*dict.fromkeys(word for word in words if normal(word).startswith(entry))]
    inside = {*called(entry, [(word,) for word in words])} if not found else set()
    return found or [words[place] for place in inside if len(inside) == 1]


def has_room(screen: Screen) -> bool:
    """Is it a terminal on which a board, a log and choices find place side by side? What draws them writes to where
    mistakes are told, which must not be a file."""
    if not screen.can_clear or not _is_terminal(sys.stderr):
        return False
    try:
        wide, high = os.get_terminal_size(screen.out.fileno())
    except (OSError, ValueError):
        return False
    return wide >= WIDE and high >= HIGH


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False
