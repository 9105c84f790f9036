"""How much processor time a key takes at the full screen, over a whole game, inside this process.

`python tests/bench/keys.py venice-2013 cards-safe` prints, for each kind of key, how often it was pressed and how long it
worked until everything was drawn again. One person plays; the others choose at random, which takes no time to speak of.
"""

from __future__ import annotations

import asyncio
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


async def play(sitting: Sitting, luck: random.Random) -> dict[str, list[float]]:
    app, parser, found = sitting.app, XTermParser(), defaultdict(list)
    async with app.run_test(size=(120, 40)):
        for _ in range(MOST):
            while not app.frame.choices and not app._exit:
                await asyncio.sleep(0.01)
            if app._exit:
                break
            found["arrow"].append(await pressed(app, parser, luck.choice(["\x1b[A", "\x1b[B"])))
            letter = luck.choice([c for c in app.frame.choices[0].label.casefold() if c.isalpha()] or ["a"])
            found["a letter to search by"].append(await pressed(app, parser, letter))
            found["escape"].append(await pressed(app, parser, "\x1b"))
            key = luck.choice(list(LOOKS))
            found[f"look up: {LOOKS[key]}"].append(await pressed(app, parser, F[int(key[1:]) - 1]))
            found["escape"].append(await pressed(app, parser, "\x1b"))
            choices = [c for c in app.frame.choices if not c.final] or app.frame.choices
            chosen = luck.choice(choices)
            keys = chosen.typed if chosen.typed.isdecimal() else chosen.typed + "\r"
            found["a choice"].append(await pressed(app, parser, keys))
            if chosen.final:
                found["a choice"].append(await pressed(app, parser, keys))
        if app.is_running:
            app.action_leave()
    return found


def main() -> None:
    os.environ["TABARRO_PACE"] = "0"
    sweep_seldom()  # as the command does
    for game in sys.argv[1:] or ["venice-2013", "cards-safe", "tic-tac-toe"]:
        with tempfile.TemporaryDirectory() as folder:
            sitting = Sitting(game, 1, Path(folder))
            with sitting.playing():
                found = asyncio.run(play(sitting, random.Random(1)))
        print(f"{game:30}{'times':>6}{'median':>8}{'95 %':>8}{'most':>8}   ms")
        for kind, times in sorted(found.items()):
            times.sort()
            figures = (times[len(times) // 2], times[int(len(times) * 0.95)], times[-1])
            print(f"  {kind:28}{len(times):6}" + "".join(f"{1000 * each:8.1f}" for each in figures), flush=True)


if __name__ == "__main__":
    main()
