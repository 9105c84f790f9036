"""How much faster two processes play than one: random games, measured one after the other on an idle machine.

python tests/bench/scaling.py venice-2013 4 300
"""

from __future__ import annotations

import sys
import time

from tabarro.interpreter import load_game
from tabarro.lab.playout import Series
from tabarro.lab.workers import Stop, play_all


def run(name: str = "venice-2013", players: str = "4", games: str = "300") -> None:
    game = load_game(name, int(players))
    series = Series(name, int(players), (), (), game.digest, 1, (("", "random"),))
    rates = {}
    for jobs in (1, 2):
        records: list[dict] = []
        start = time.perf_counter()
        play_all(series, list(range(int(games))), jobs, Stop(), records.extend)
        rates[jobs] = len(records) / (time.perf_counter() - start)
        print(f"{jobs} at a time: {rates[jobs]:.1f} games a second")
    print(f"{rates[2] / rates[1]:.2f} times as many")


if __name__ == "__main__":
    run(*sys.argv[1:])
