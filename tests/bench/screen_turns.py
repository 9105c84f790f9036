"""How many clicks a turn takes at the full screen, and how long a click waits: whole games of the board game, inside this process.

`python tests/bench/screen_turns.py 1 2` prints the turns of the one person by how many meetings they had, in the games of
these seeds, and how long it took from each click until the next question stood there.
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

from bench.turns import told  # noqa: E402
from mashing import Sitting  # noqa: E402
from tabarro.front.terminal.hands import ENTER  # noqa: E402

TURNS = 12  # of the one person; then the game is left


async def play(sitting: Sitting, luck: random.Random) -> tuple[dict[int, list[int]], list[float]]:
    app, found, waits = sitting.app, defaultdict(list), []
    async with app.run_test(size=(120, 40)):
        clicks, seen, meetings, serial, begun, since, own, ticked = 0, 0, 0, -1, 0, 0.0, False, {}
        while begun <= TURNS and not app._exit:
            while app.frame.serial == serial or not app.frame.choices:
                await asyncio.sleep(0.001)
                if app._exit:
                    return found, waits
                if app.waits or app.frame.serial != serial:
                    continue
                clicks += own  # it is not all yet: it is confirmed, or one more of several is chosen
                if app.held is not None:
                    app.choose(app.held)
                elif app.panes.said and ticked != (app.panes.choices.ticks or {}):
                    app.choose(app.panes.choices.pointed, ENTER)
                else:
                    ticked = app.panes.choices.ticks or {}
                    app.choose(luck.choice([n for n in range(len(app.frame.choices)) if n not in ticked]))
            if since:
                waits.append(time.monotonic() - since)
            view = next(iter(sitting.table.views.values()))
            lines = [line for turn in view.history for line in turn.lines]
            for line in lines[seen:]:
                if line.startswith("It is Red's turn"):
                    if begun:
                        found[meetings].append(clicks)
                    clicks, meetings, begun = 0, 0, begun + 1
                meetings += line.startswith("Red turns to")
            own = not any(line.startswith("It is ") and "Red" not in line for line in lines[seen:])
            seen, serial = len(lines), app.frame.serial
            labels = [choice.label for choice in app.frame.choices]
            good = [n for n, x in enumerate(labels) if "red figure (" in x or "figure)" in x or x.startswith("Ask a")]
            going = [n for n, x in enumerate(labels) if not x.startswith(("Stop", "“Mission", "A sign"))]
            place = labels.index("yes") if "yes" in labels else luck.choice(good or going)
            since, ticked = time.monotonic(), {}
            app.choose(place)
            clicks += own
        app.action_leave()
    return found, waits


def main() -> None:
    os.environ["TABARRO_PACE"] = "0"
    everything = defaultdict(list)
    for seed in map(int, sys.argv[1:] or ["1"]):
        with tempfile.TemporaryDirectory() as folder:
            sitting = Sitting("venice-2013", seed, Path(folder))
            with sitting.playing():
                found, waits = asyncio.run(play(sitting, random.Random(seed)))
        for meetings, counts in found.items():
            everything[meetings] += counts
        for line in told(found, "clicks"):
            print(f"seed {seed}: {line}", flush=True)
        waits.sort()
        print(
            f"seed {seed}: {1000 * waits[len(waits) // 2]:.0f} ms until the next question, 95 %: "
            f"{1000 * waits[int(len(waits) * 0.95)]:.0f} ms"
        )
    for line in told(everything, "clicks"):
        print(f"all: {line}")


if __name__ == "__main__":
    main()
