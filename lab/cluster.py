"""Many games on many machines: the same chunks, as futures of a Dask cluster (extra `cluster`).

Every worker needs Tabarro and the same rules, which the digest proves. What a worker that dies had in hand is played
again by another one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from .playout import Series, play_some
from .workers import Stop, chunks_of

__all__ = ["Unreachable", "play_on_cluster"]

PATIENCE = 5  # seconds until we believe that there is no cluster


class Unreachable(Exception):
    """There is no cluster at this address, or no library to reach it with; the text says which."""


def play_on_cluster(
    address: str, series: Series, numbers: list[int], stop: Stop, done: Callable[[list[dict]], None]
) -> None:
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise Unreachable("distributed") from None
    if not _answers(address):  # a client would try for long, and complain on its own when it is given up
        raise Unreachable(address)
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


def _answers(address: str) -> bool:
    """Is there a scheduler? It is asked who it is."""
    from distributed import Security
    from distributed.core import rpc

    async def who() -> str:
        async with rpc(address, timeout=PATIENCE, connection_args=Security().get_connection_args("client")) as there:
            return (await there.identity())["type"]

    try:
        return asyncio.run(asyncio.wait_for(who(), PATIENCE)) == "Scheduler"
    except Exception:  # no address, an unknown way to connect, nobody there, somebody else: each kind has its own error
        return False
