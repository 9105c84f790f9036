"""Many random games of every edition: each player's belief beside a filter of all deals that is written by hand.

    python tests/soak_belief.py [GAMES [SEED]]      500 games at each table, if nothing is said
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from test_belief import BOARDS, CARDS, compare


def main(games=500, seed=1000):
    for edition, players in BOARDS + CARDS:
        begun = time.perf_counter()
        checked = compare(edition, players, int(games), int(seed), longest=600, looks=3)
        print(f"{edition} for {players}: {games} games, {checked} beliefs, all as they should be, "
              f"in {time.perf_counter() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
