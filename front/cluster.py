"""Many games on many machines: the same chunks, as futures of a Dask cluster (extra `cluster`).

Every worker needs Tabarro and the same rules, which the digest proves. What a worker that dies had in hand is played
again by another one.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from .playout import Series, play_some
from .workers import Stop, chunks_of

__all__ = ["Unreachable", "play_on_cluster"]

PATIENCE = 20  # seconds until we believe that there is no cluster


class Unreachable(Exception):
    """There is no cluster at this address, or no library to reach it with; the text says which."""


def play_on_cluster(address: str, series: Series, numbers: list[int], stop: Stop,
                    done: Callable[[list[dict]], None]) -> None:
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise Unreachable("distributed") from None
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise Unreachable(address) from None
    with client:
        cores = sum(client.ncores().values()) or 1
        size = max(1, min(50, len(numbers) // (8 * cores)))
        futures = [client.submit(play_some, series, chunk, pure=False, retries=3) for chunk in chunks_of(numbers, size)]
        waiting = as_completed(futures, loop=client.loop, with_results=True)
        while not waiting.is_empty() and not stop():
            if not waiting.has_ready():
                time.sleep(0.05)
                continue
            future, records = next(waiting)
            done(records)
            future.release()
        if stop():
            client.cancel(futures)
