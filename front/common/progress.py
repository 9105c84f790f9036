"""How far a long piece of work has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .streams import Terminal

__all__ = ["Progress"]


class Progress:
    """A bar with the time left, on a terminal only and never in the way of what is printed."""

    def __init__(self, terminal: Terminal, total: int):
        self.terminal, self.total = terminal, total
        self.bar: Any = None

    def __enter__(self) -> Callable[[int], None]:
        if not self.terminal.err.isatty():
            return lambda count: None
        from rich import progress
        from rich.console import Console

        columns = progress.BarColumn(), progress.MofNCompleteColumn(), progress.TimeRemainingColumn()
        console = Console(file=self.terminal.err, highlight=False)
        self.bar = progress.Progress(*columns, console=console, transient=True)
        self.bar.start()
        task = self.bar.add_task("", total=self.total)
        return lambda count: self.bar.advance(task, count)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()
