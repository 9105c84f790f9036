"""Keeps the process that does what takes long: starts it, hands it tasks, takes its answers, and starts it again if it
does not come to an end."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from .worker import Answer, Task, work

__all__ = ["Helper"]

PATIENCE = 60.0  # seconds for one task; then something is wrong with it, and the next one gets a new process


class Helper:
    def __init__(self, answered: Callable[[Answer], None]):
        self.answered = answered  # called in a thread of its own
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: multiprocessing.connection.Connection | None = None
        self._begun: float | None = None

    def start(self) -> None:
        """A process takes a moment to begin with: best before it is needed."""
        if self._process is not None and self._process.is_alive():
            return
        spawning = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawning.Pipe()
        self._process = spawning.Process(target=work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        threading.Thread(target=self._listen, args=(self._pipe,), daemon=True).start()

    def ask(self, task: Task) -> None:
        """Whatever was asked before is given up."""
        if self._begun is not None and time.monotonic() - self._begun > PATIENCE:
            self.stop()
        self.start()
        self._begun = time.monotonic() if self._begun is None else self._begun
        with suppress(OSError, ValueError):
            assert self._pipe is not None
            self._pipe.send(task)

    def give_up(self) -> None:
        """What it is at cannot be interrupted otherwise."""
        if self._begun is not None:
            self.stop()

    def stop(self) -> None:
        process, pipe = self._process, self._pipe
        self._process = self._pipe = self._begun = None
        if process is not None and process.is_alive():
            process.kill()
            process.join(1)
        if pipe is not None:
            with suppress(OSError):
                pipe.close()

    def _listen(self, pipe: multiprocessing.connection.Connection) -> None:
        try:
            while True:
                answer = pipe.recv()
                self._begun = None if answer.complete else self._begun
                self.answered(answer)
        except (EOFError, OSError, TypeError, ValueError):  # it is gone
            return
