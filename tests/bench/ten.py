"""How long ten games take, with rules compiled to C and without: nobody should wait longer for few games than in Python.

`python tests/bench/ten.py` prints processor time until `tabarro simulate GAME --games 10` has told what it found (the
compiler's own included, where it was waited for), with an empty cache, with the game in it, and with the library too.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from terminal import START, environment  # noqa: E402

GAMES = ("venice-2013", "cards-safe", "cards-phone", "tic-tac-toe")
TIMES = 3


def simulated(game: str, games: int, surroundings: dict[str, str]) -> float:
    words = [sys.executable, "-c", START, "simulate", game, "--games", str(games), "--seed", "1", "--jobs", "1"]
    child = subprocess.Popen(words, env=surroundings, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    _, code, used = os.wait4(child.pid, 0)
    assert code == 0
    return used.ru_utime + used.ru_stime


def measured(game: str, surroundings: dict[str, str]) -> dict[str, float]:
    found = {"empty cache": simulated(game, 10, surroundings), "game in the cache": simulated(game, 10, surroundings)}
    if surroundings.get("TABARRO_CC") != "":
        script = f"from tabarro import load_game; load_game({game!r}).native()"  # it waits for the library
        subprocess.run([sys.executable, "-c", script], env=surroundings, check=True)
        found["library in the cache"] = simulated(game, 10, surroundings)
    return found


def main() -> None:
    print(f"{'seconds of processor time':40}{'Python':>10}{'compiled':>10}")
    for game in sys.argv[1:] or GAMES:
        rows: dict[str, list[list[float]]] = {}
        for _ in range(TIMES):
            for place, more in enumerate(({"TABARRO_CC": ""}, {})):
                with tempfile.TemporaryDirectory() as name:
                    surroundings = environment(Path(name), TABARRO_CACHE=f"{name}/cache", **more)
                    for row, time in measured(game, surroundings).items():
                        rows.setdefault(row, [[], []])[place].append(time)
        for row, (python, compiled) in rows.items():
            said = f"{statistics.median(python):10.2f}" if python else f"{'':10}"
            print(f"{game + ', ' + row:40}{said}{statistics.median(compiled):10.2f}", flush=True)


if __name__ == "__main__":
    main()
