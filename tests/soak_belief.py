"""Many random games of every edition: each player's belief beside a filter of all deals that is written by hand.

python tests/soak_belief.py [--games 500] [--jobs 2] [--seed 1000]      so many games at each table
"""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent / "mind"))

from test_belief import BOARDS, CARDS, compare

CHUNK = 25  # games that one process plays at a time


def played(edition, players, games, seed):
    """The figures of some games; of a game that goes wrong, what is needed to play it again."""
    begun, checked, wrong = time.perf_counter(), 0, []
    for number in range(seed, seed + games):
        try:
            checked += compare(edition, players, 1, number, longest=600, looks=6)
        except AssertionError as error:
            wrong.append(f"seed {number}: {error}")
    return checked, time.perf_counter() - begun, wrong


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1000)
    args = parser.parse_args(arguments)
    begun, failed = time.perf_counter(), 0
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        tables = {}
        for edition, players in BOARDS + CARDS:
            tables[edition, players] = [
                pool.submit(played, edition, players, min(CHUNK, args.games - first), args.seed + first)
                for first in range(0, args.games, CHUNK)
            ]
        for (edition, players), chunks in tables.items():
            found = [chunk.result() for chunk in chunks]
            wrong = [text for _, _, texts in found for text in texts]
            failed += len(wrong)
            verdict = "all as they should be" if not wrong else "NOT as they should be"
            print(
                f"{edition} for {players}: {args.games} games, {sum(n for n, _, _ in found)} beliefs, {verdict}, "
                f"{sum(s for _, s, _ in found):.0f} s",
                *wrong,
                sep="\n  ",
                flush=True,
            )
    print(f"{time.perf_counter() - begun:.0f} s in all", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
