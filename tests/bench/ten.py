"""How long ten games take, with rules compiled to C and without: nobody should wait longer for few games than in Python.

    python tests/bench/ten.py [GAME | GAME:PLAYERS …]

Prints processor time and time on the clock until `tabarro simulate GAME --games 10` has told what it found (the compiler's
own included, where it was waited for), with an empty cache, with the game in it, and with the library too. All play the
same games, from the same seeds, with and without in turn; each figure is the median of those of three seeds.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from time import perf_counter

GAMES = ("venice-2013", "venice-2013:5", "cards-safe", "cards-phone", "tic-tac-toe")
SEEDS = (1, 2, 3)
HOW = {"Python": {"TABARRO_CC": ""}, "compiled": {}}
Times = tuple[float, float]  # of the processor, on the clock


def simulated(game: str, players: str, seed: int, surroundings: dict[str, str]) -> Times:
    words = [sys.executable, "-m", "tabarro.cli", "simulate", game, "--games", "10", "--seed", str(seed), "--jobs", "1"]
    words += ["--players", players] if players else []
    began = perf_counter()
    child = subprocess.Popen(words, env=surroundings, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    _, code, used = os.wait4(child.pid, 0)
    assert code == 0
    return used.ru_utime + used.ru_stime, perf_counter() - began


def measured(game: str, players: str, seed: int, surroundings: dict[str, str]) -> dict[str, Times]:
    found = {cached: simulated(game, players, seed, surroundings) for cached in ("empty cache", "game in the cache")}
    if surroundings.get("TABARRO_CC") != "":
        script = f"from tabarro import load_game; load_game({game!r}, {players or None}).native()"  # it waits for it
        subprocess.run([sys.executable, "-c", script], env=surroundings, check=True)
        found["library in the cache"] = simulated(game, players, seed, surroundings)
    return found


def waits(table: str) -> dict[str, dict[str, Times]]:
    """What was in the cache -> with what -> the median times."""
    game, _, players = table.partition(":")
    rows: dict[str, dict[str, list[Times]]] = {}
    for seed in SEEDS:
        for how in HOW if seed % 2 else reversed(HOW):
            with tempfile.TemporaryDirectory() as name:
                surroundings = {**os.environ, "LC_ALL": "C.UTF-8", "TABARRO_CACHE": f"{name}/cache", **HOW[how]}
                for row, times in measured(game, players, seed, surroundings).items():
                    rows.setdefault(row, {}).setdefault(how, []).append(times)
    return {row: {how: _median(times) for how, times in found.items()} for row, found in rows.items()}


def _median(times: list[Times]) -> Times:
    processor, clock = zip(*times)
    return statistics.median(processor), statistics.median(clock)


def main() -> None:
    print(f"{'seconds of the processor, on the clock':44}" + "".join(f"{how:>14}" for how in HOW))
    for table in sys.argv[1:] or GAMES:
        for row, found in waits(table).items():
            said = "".join(f"{' '.join(f'{t:.2f}' for t in found[how]) if how in found else '-':>14}" for how in HOW)
            print(f"{table + ', ' + row:44}{said}", flush=True)


if __name__ == "__main__":
    main()
