"""How much processor time a key takes at the full screen, over a whole game, inside this process.

`python tests/bench/keys.py venice-2013 cards-safe --size 160x50 --lang ja` prints, for each kind of key, how often it was
pressed and how long it worked until everything was drawn again. One person plays, with hints; the others choose at random,
which takes no time to speak of. `--slow 50` tells which keys took longer than that, and what was asked then.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mashing import F, Sitting  # noqa: E402
from tabarro.cli import sweep_seldom  # noqa: E402
from tabarro.front.terminal.frames import KEYS  # noqa: E402
from textual._xterm_parser import XTermParser  # noqa: E402
from textual.events import Key  # noqa: E402

MOST = 60  # questions
WITH_HINTS = 3  # a seed with which the others of `mashing` let people ask for hints
REST = 0.6  # seconds that people take to read, now and then
QUIET = 0.0008  # seconds of work between two looks: what the clocks of an idle screen take
LOOKS = {key: command for key, command in KEYS if key in {f"f{n}" for n in range(1, 9)}}


async def pressed(app, parser: XTermParser, keys: str) -> float:
    """Seconds of work until all is quiet again."""
    before = time.process_time()
    for event in [Key("escape", None)] if keys == "\x1b" else [*parser.feed(keys)]:
        app._driver.process_message(event)
    done = last = time.process_time()
    quiet = 0
    while quiet < 3:
        await asyncio.sleep(0.006)
        now = time.process_time()
        quiet = quiet + 1 if now - last < QUIET else 0
        done = now if not quiet else done
        last = now
    return done - before


async def settled(app) -> None:
    """Until the first question is there, and what is made ready in the background; or the game over without one."""
    last, quiet = time.process_time(), 0
    while not app._exit and (quiet < 8 or not app.frame.choices):
        await asyncio.sleep(0.1)
        now = time.process_time()
        last, quiet = now, quiet + 1 if now - last < 0.01 else 0


async def play(
    sitting: Sitting, luck: random.Random, size: tuple[int, int] = (120, 40), slow: float = 1e9
) -> dict[str, list[float]]:
    app, parser, found = sitting.app, XTermParser(), defaultdict(list)

    async def press(kind: str, keys: str) -> None:
        found[kind].append(await pressed(app, parser, keys))
        if found[kind][-1] > slow:
            print(f"    {kind}: {1000 * found[kind][-1]:.0f} ms, then: {app.frame.question[:90]}")

    async with app.run_test(size=size):
        await settled(app)
        gc.freeze()  # as the command does
        for question in range(MOST):
            if question % 5 == 0:
                await asyncio.sleep(REST)
            while not app.frame.choices and not app._exit:
                await asyncio.sleep(0.01)
            if app._exit:
                break
            await press("arrow", luck.choice(["\x1b[A", "\x1b[B"]))
            letter = luck.choice([c for c in app.frame.choices[0].label.casefold() if c.isalpha()] or ["a"])
            await press("a letter to search by", letter)
            await press("escape", "\x1b")
            key = luck.choice(list(LOOKS))
            await press(f"look up: {LOOKS[key]}", F[int(key[1:]) - 1])
            await press("escape", "\x1b")
            asked = app.frame.serial
            chosen = app.frame.choices[0] if luck.random() < 0.5 else luck.choice(app.frame.choices)
            await press("a choice", chosen.typed if chosen.typed.isdecimal() else chosen.typed + "\r")
            for _ in range(4):  # several are ticked, and what cannot be taken back is confirmed
                if app.frame.serial == asked and not app._exit:
                    await press("a choice", "\r")
        if app.is_running:
            app.action_leave()
    return found


def main() -> None:
    wishes = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wishes.add_argument("games", nargs="*", default=["venice-2013", "cards-safe", "tic-tac-toe"])
    wishes.add_argument("--size", default="120x40")
    wishes.add_argument("--lang", default="en")
    wishes.add_argument("--slow", type=float, default=1e9, help="milliseconds")
    asked = wishes.parse_args()
    columns, rows = map(int, asked.size.split("x"))
    os.environ["TABARRO_PACE"] = "0"
    sweep_seldom()  # as the command does
    for game in asked.games:
        found: dict[str, list[float]] = defaultdict(list)
        for seed in range(WITH_HINTS, 100 * WITH_HINTS, WITH_HINTS):  # until there were enough questions
            with tempfile.TemporaryDirectory() as folder:
                sitting = Sitting(game, seed, Path(folder), asked.lang, watch=False)
                with sitting.playing():
                    told = asyncio.run(play(sitting, random.Random(seed), (columns, rows), asked.slow / 1000))
            for kind, times in told.items():
                found[kind] += times
            if len(found["arrow"]) >= MOST:
                break
        print(f"{f'{game} {asked.size} {asked.lang}':30}{'times':>6}{'median':>8}{'95 %':>8}{'most':>8}   ms")
        for kind, times in sorted(found.items()):
            times.sort()
            figures = (times[len(times) // 2], times[int(len(times) * 0.95)], times[-1])
            print(f"  {kind:28}{len(times):6}" + "".join(f"{1000 * each:8.1f}" for each in figures), flush=True)


if __name__ == "__main__":
    main()
