"""Generated games, and those that come along, carried out by the program and by the plain evaluator side by side.

python tests/soak_rules.py [GAMES [SEED]]      2000 generated games, if nothing is said
"""

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent / "interpreter"))

from loading import description_of, loaded
from oracles.steps import play_beside
from tabarro.interpreter import games
from test_agreement import agreeing


def main(count=2000, seed=0):
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for batch in range(0, int(count), 100):
            passed, decisions = agreeing(int(seed) + batch, min(100, int(count) - batch), Path(folder))
            print(f"{passed} games, {decisions} decisions, {time.perf_counter() - begun:.0f} s", flush=True)
    for name in games():
        for players in description_of(name).players:
            made = sum(play_beside(loaded(name, players), random.Random(n), 300) for n in range(int(count) // 100))
            print(f"{name} for {players}: {made} decisions, {time.perf_counter() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
