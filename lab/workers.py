"""Many games at once on this machine: processes of their own, in chunks, so that no time goes into handing over.

Workers are started anew (spawn), load the game again and ignore Ctrl-C, which is for the one who waits for them. If
one of them dies, what it had in hand is played once more; the result is the same, because each game has its own seed.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context

from .playout import Series, play_some

__all__ = ["Stop", "TooManyDeaths", "chunks_of", "play_all", "play_here"]

CHUNK_SECONDS = 0.5  # how long a worker should be busy before it reports
DEATHS = 5  # workers that may die before we believe that it is the game's fault


class TooManyDeaths(Exception):
    """Worker processes die again and again."""


class Stop:
    """Set by Ctrl-C: what is done is kept. A second Ctrl-C ends everything at once."""

    def __init__(self) -> None:
        self.wanted = False
        self._before = None

    def __call__(self) -> bool:
        return self.wanted

    def __enter__(self) -> Stop:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._caught)
        return self

    def __exit__(self, *_) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _caught(self, *_) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True


def chunks_of(numbers: list[int], size: int) -> list[list[int]]:
    return [numbers[i : i + size] for i in range(0, len(numbers), size)]


def play_here(series: Series, numbers: list[int], stop: Stop, done: Callable[[list[dict]], None]) -> None:
    """One after the other, in this process."""
    for number in numbers:
        records = play_some(series, [number], stop)
        if not records:
            return
        done(records)


def play_all(series: Series, numbers: list[int], jobs: int, stop: Stop, done: Callable[[list[dict]], None]) -> None:
    """In so many processes; `done` is told of each chunk as it comes."""
    if jobs <= 1 or len(numbers) < 2:
        play_here(series, numbers, stop, done)
        return
    left, deaths, size = numbers, 0, 1
    while left and not stop():
        before = len(left)
        left, size = _round(series, left, jobs, size, stop, done)
        if left and not stop():
            deaths = deaths + 1 if len(left) == before else 1
            if deaths > DEATHS:
                raise TooManyDeaths


def _round(
    series: Series, numbers: list[int], jobs: int, size: int, stop: Stop, done: Callable[[list[dict]], None]
) -> tuple[list[int], int]:
    """Play until all is done, we are stopped or a worker dies; what is left then, and the size of chunks so far."""
    waiting, busy, lost = list(reversed(numbers)), {}, []
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin)
    try:
        while (waiting or busy) and not stop():
            while waiting and len(busy) < 2 * jobs:  # one to do, one to go on with
                chunk = [waiting.pop() for _ in range(min(size, len(waiting)))]
                with _undisturbed():
                    busy[pool.submit(_timed, series, chunk)] = chunk
            ready, _ = wait(busy, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in ready:
                chunk = busy.pop(future)
                try:
                    seconds, records = future.result()
                except BrokenProcessPool:
                    lost += chunk
                    raise
                done(records)
                size = _next_size(size, len(chunk), seconds, len(waiting), jobs)
    except BrokenProcessPool:
        lost += [n for chunk in busy.values() for n in chunk]
        return sorted([*lost, *waiting]), size
    finally:
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=not stop() and not lost, cancel_futures=True)
        if stop() or lost:
            for process in processes:
                process.terminate()
    return [], size


def _next_size(size: int, played: int, seconds: float, left: int, jobs: int) -> int:
    """Long enough to be worth the trouble, short enough that all finish together."""
    wanted = int(played * CHUNK_SECONDS / max(seconds, 1e-6))
    return max(1, min(wanted, 4 * size, left // (2 * jobs) + 1))


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _timed(series: Series, numbers: list[int]) -> tuple[float, list[dict]]:
    start = time.perf_counter()
    records = play_some(series, numbers)
    return time.perf_counter() - start, records


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A process that is started here inherits that Ctrl-C is not for it, from its first moment on."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
