"""Sitting at the full screen from outside: keys go in through a pseudo-terminal, what stands on the glass is read back."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pexpect
import pyte
from terminal import START, environment

ENTER, DOWN, LEAVE = "\r", "\x1b[B", "\x11"


class Glass:
    """Somebody who sits at a terminal that is large enough."""

    def __init__(self, folder: Path, *arguments: str, columns: int = 110, rows: int = 32, **more: str):
        folder.mkdir(parents=True, exist_ok=True)
        self.columns, self.rows, self.frames = columns, rows, []
        self.child = pexpect.spawn(
            sys.executable,
            ["-c", START, *arguments],
            env=environment(folder, **more),
            encoding="utf-8",
            codec_errors="replace",
            timeout=30,
            dimensions=(rows, columns),
            cwd=str(folder),
        )
        self.child.delaybeforesend = None
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.raw = ""

    def settle(self, quiet: float = 0.12, most: float = 20.0) -> str:
        """What stands there when nothing more is written; each picture on the way is kept."""
        end, last = time.monotonic() + most, time.monotonic()
        while time.monotonic() < end and time.monotonic() - last < quiet:
            try:
                said = self.child.read_nonblocking(65536, timeout=0.05)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                break
            self.raw += said
            self.stream.feed(re.sub(r"\x1b\[[<>=?][\d;]*[A-Za-z$]+|\x1b\[[\d;]*[ $]?[pq]", "", said))
            self.frames.append(self.text)
            last = time.monotonic()
        return self.text

    def until(self, wanted: str, most: float = 90.0) -> str:
        end = time.monotonic() + most
        while time.monotonic() < end and not re.search(wanted, self.settle(), re.M):
            if not self.child.isalive():
                break
        assert re.search(wanted, self.text, re.M), self.text
        return self.text

    @property
    def text(self) -> str:
        rows = (self.screen.buffer[y] for y in range(self.rows))  # a wide letter has an empty cell behind it
        return "\n".join("".join(row[x].data for x in range(self.columns)).rstrip() for row in rows)

    @property
    def beside(self) -> str:
        """What stands beside the board of what is on it now."""
        return beside_of(self.text)

    @property
    def is_over(self) -> bool:
        """Is what stands there no longer the full screen?"""
        return "\x1b[?1049l" in self.raw or not self.child.isalive()

    def type(self, keys: str) -> None:
        self.child.send(keys)

    def click(self, column: int, row: int) -> None:
        self.child.send(f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m")

    def find(self, words: str) -> tuple[int, int]:
        """Where on the glass these words stand: column and row."""
        lines = self.text.splitlines()
        return next((line.index(words), row) for row, line in enumerate(lines) if words in line)

    def leave(self) -> None:
        self.type(LEAVE)
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert self.child.exitstatus == 0


def beside_of(text: str) -> str:
    """What stands beside the board of such a picture, in one line, without the bar at its edge that tells where one is."""
    return " ".join(" ".join(re.findall(r"[│├](?!.*[│├])(.*?)█?$", text, re.M)).split())
