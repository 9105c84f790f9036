"""A game ends with its terminal: what was decided is on the disk, and nothing is left running.

Whoever reads line by line is told that the input has ended. What draws the full screen is not: it goes on reading that
end, and waits for somebody to take what it writes, the main thread too. Nor does a hangup always tell, which whoever
started the game may have told to be ignored, or which comes too early. So the terminal is looked at from beside.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ...interpreter import RulesError, Save
from .screen import Screen

__all__ = ["ends_with_its_terminal"]

LOOKS = 0.5  # seconds between two looks
GRACE = 2.0  # seconds in which the game may end in its own way
HUNG_UP = 129  # the exit code if it does not: that of a hangup


@contextmanager
def ends_with_its_terminal(screen: Screen, save: Save) -> Iterator[None]:
    """While this lasts, the process ends soon after the terminal is gone, whatever its other threads wait for."""
    terminals, over = _terminals(screen), threading.Event()

    def look() -> None:
        while not over.wait(LOOKS):
            if all(map(os.isatty, terminals)):
                continue
            if not over.wait(GRACE):
                with suppress(RulesError):  # there is nobody who could be told
                    save.settle()
                os._exit(HUNG_UP)  # not by the main thread, which may never come to it

    if terminals:
        threading.Thread(target=look, name="hangup", daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _terminals(screen: Screen) -> list[int]:
    """Where it is played at one, which may be gone already; a pipe ends in other ways."""
    found = []
    for stream in (screen.typed, screen.out):
        with suppress(AttributeError, OSError, ValueError):
            found.append(stream.fileno())
    return [number for number in found if screen.interactive or os.isatty(number)]
