"""How far a long piece of work has come."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TextIO

from .streams import Terminal

__all__ = ["Progress", "Waiting"]

PATIENCE = 0.5  # seconds that somebody waits without asking what is going on


class Progress:
    """A bar with the time left, on a terminal only and never in the way of what is printed."""

    def __init__(self, terminal: Terminal, total: int):
        self.terminal, self.total = terminal, total
        self.bar: Any = None

    def __enter__(self) -> Callable[[int], None]:
        if not self.terminal.err.isatty():
            return lambda count: None
        from rich import console, progress

        columns = progress.BarColumn(), progress.MofNCompleteColumn(), progress.TimeRemainingColumn()
        there = console.Console(file=self.terminal.err, highlight=False)
        self.bar = progress.Progress(*columns, console=there, transient=True)
        self.bar.start()
        task = self.bar.add_task("", total=self.total)
        return lambda count: self.bar.advance(task, count)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()


class Waiting:
    """A line that says why one has to wait, if it takes long, and that is gone when it is over. Always the same one, so
    that it tells nothing of what is being thought about."""

    def __init__(self, out: TextIO, text: str):
        self.out, self.text, self.shown = out, text, False
        self.timer: threading.Timer | None = None

    def __enter__(self) -> Waiting:
        if self.out.isatty():
            self.timer = threading.Timer(PATIENCE, self._show)
            self.timer.daemon = True
            self.timer.start()
        return self

    def _show(self) -> None:
        self.shown = True
        self.out.write(self.text)
        self.out.flush()

    def __exit__(self, *_: object) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer.join()
        if self.shown:
            self.out.write("\r\x1b[K")
            self.out.flush()
