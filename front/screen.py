"""The screen at which people sit: what fits on it, what must not stay on it, what may be written to it at all.

Where several people share a keyboard, everything private is written to the terminal's alternate screen, which keeps no
scrollback, and both are cleared before the next one looks. In a pipe, or on a terminal that cannot clear, it is plain
text.
"""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from .plain import SIGNS

__all__ = ["EndOfInput", "Screen", "clean", "columns", "cut", "width_of", "wrapped"]

ENTER_ALTERNATE, LEAVE_ALTERNATE = "\x1b[?1049h", "\x1b[?1049l"
CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # to the upper left corner; the screen; what has been scrolled away
NARROWEST = 20
NAME_WIDTH = 24  # columns of a person's name
LONGEST_ENTRY = 2_000  # characters of a line that is typed
ECHO = 60  # columns of it that are shown, where nobody has seen it being typed
PLAIN = str.maketrans(SIGNS)


class EndOfInput(Exception):
    """Nobody types any more: a pipe is empty, or the terminal is gone."""


# --- text that is safe to show ----------------------------------------------------------------------------------------
def clean(text: str, width: int = NAME_WIDTH) -> str:
    """A text that somebody typed, without what would move the cursor, turn the writing or run over the line."""
    said, marks = "", 0
    for letter in text[:LONGEST_ENTRY]:
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in ("Zl", "Zp", "Zs") or letter in "\t\n":
            letter = " "
        elif kind.startswith("C") or marks > 2:
            continue  # control, direction, surrogates, private use; letters with a tower of accents
        said += letter
    return cut(" ".join(said.split()), width)


def width_of(text: str) -> int:
    """Columns on the screen: Japanese letters and pictures take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def cut(text: str, width: int) -> str:
    if width_of(text) <= width:
        return text
    kept = ""
    for letter in text:
        if width_of(kept + letter) > width - 1:
            break
        kept += letter
    return kept + "…"


def padded(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


_NOT_FIRST = "、。，．）」』】〉》〕”’！？：；・ー…,.;:!?)"  # never at the beginning of a line


def _pieces(text: str) -> list[str]:
    """What stays together on a line: words; in Japanese, single letters with what must not begin a line."""
    pieces: list[str] = []
    open_word = False
    for letter in text:
        wide = unicodedata.east_asian_width(letter) in "WF"
        if letter == " ":
            pieces.append(" ")
            open_word = False
        elif pieces and pieces[-1] != " " and (letter in _NOT_FIRST or open_word and not wide):
            pieces[-1] += letter
        else:
            pieces.append(letter)
        if letter != " ":
            open_word = not wide
    return pieces


def wrapped(text: str, width: int, indent: str = "", hanging: str | None = None) -> list[str]:
    """Lines of at most so many columns; the first begins with `indent`, the others with `hanging`."""
    hanging = indent if hanging is None else hanging
    lines, line, empty = [], indent, True
    for piece in _pieces(text):
        if piece == " " and empty:
            continue
        while width_of(line) + width_of(piece) > width:
            if not empty:
                lines.append(line.rstrip())
                line, empty = hanging, True
                if piece == " ":
                    break
                continue
            room = max(1, width - width_of(line))  # one word wider than the line
            head = ""
            for letter in piece:
                if head and width_of(head + letter) > room:
                    break
                head += letter
            lines.append(line + head)
            piece, line = piece[len(head):], hanging
        if piece and not (piece == " " and empty):
            line, empty = line + piece, False
    if not empty or not lines:
        lines.append(line.rstrip())
    return lines


def columns(items: list[str], width: int, indent: str = "  ") -> list[str]:
    """Items one below the other, in as many columns as fit; to be read downwards."""
    if not items:
        return []
    room = max(1, width - len(indent))
    widest = max(map(width_of, items))
    count = max(1, min(len(items), (room + 3) // (widest + 3)))
    while True:
        rows = -(-len(items) // count)
        blocks = [items[i * rows:(i + 1) * rows] for i in range(count)]
        widths = [max(map(width_of, block), default=0) for block in blocks]
        if count == 1 or sum(widths) + 3 * (count - 1) <= room:
            break
        count -= 1
    lines = []
    for row in range(rows):
        cells = [padded(block[row], w) for block, w in zip(blocks, widths, strict=True) if row < len(block)]
        line = indent + "   ".join(cells).rstrip()
        lines += [line] if width_of(line) <= width else wrapped(line.strip(), width, indent, indent + "    ")
    return lines


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
    def read(self, prompt: str, echo: int = ECHO) -> str:
        """One line that somebody types; in a pipe so many columns of it are shown."""
        if width_of(prompt) > self.width:
            *above, prompt = wrapped(prompt, self.width - 1)
            self.lines(above)
            prompt += " "
        self.out.write(self._encodable(prompt))
        self.out.flush()
        try:
            typed = self.typed.readline()
        except (OSError, ValueError):
            typed = ""
        if not typed:
            self.out.write("\n")
            raise EndOfInput
        self._shown += 1
        if not self.interactive:  # nobody has pressed Enter on this screen
            self.out.write(self._encodable(clean(typed, echo)) + "\n")
        return typed[:LONGEST_ENTRY].strip()

    def pause(self, prompt: str) -> str:
        """Wait for Enter; what was typed too early does not count. A pipe is not waited for."""
        if not self.interactive:
            return ""
        try:
            import termios

            termios.tcflush(self.typed, termios.TCIFLUSH)
        except (ImportError, OSError, ValueError, AttributeError):
            pass
        return self.read(prompt)

    def pages(self, lines: list[str], more: str) -> str:
        """A longer text, page by page, as long as it is answered with Enter alone; what else was typed."""
        high = self.size[1] - 1 - len(wrapped(more, self.width))
        for index, line in enumerate(lines):
            if index and index % high == 0 and (typed := self.pause(more)):
                return typed
            self.line(line)
        return ""

    # --- secrets ------------------------------------------------------------------------------------------------------
    def hide(self) -> None:
        """Nothing that was written before can be read any more, on the screen or by scrolling back."""
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


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False
