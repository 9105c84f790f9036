"""Many random games of every shape: what each seat holds possible beside a filter of all histories.

python tests/soak_courses.py [--games 500] [--jobs 2] [--seed 1000] [--most 20000] [NAME …]     so many games of each
"""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent / "mind"))

from test_courses import BUNDLED, SHAPES, compare, drawn_beside_exact

CHUNK = 25  # games that one process plays at a time


def played(name, games, seed, most):
    """How many beliefs were compared; what went wrong; of what was drawn, how far it was off and how far it said so."""
    begun, checked, wrong, drawn = time.perf_counter(), 0, [], []
    for number in range(seed, seed + games):
        try:
            checked += compare(name, number, 6 if name == "little-mystery" else 30, most)
            drawn += drawn_beside_exact(name, number)
        except AssertionError as error:
            wrong.append(f"seed {number}: {error}")
    return checked, time.perf_counter() - begun, wrong, drawn


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=[*SHAPES, *BUNDLED])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--most", type=int, default=20_000, help="histories that are gone through for one belief")
    args = parser.parse_args(arguments)
    begun, failed = time.perf_counter(), 0
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        chunks = {
            name: [
                pool.submit(played, name, min(CHUNK, args.games - first), args.seed + first, args.most)
                for first in range(0, args.games, CHUNK)
            ]
            for name in args.names
        }
        for name, parts in chunks.items():
            found = [part.result() for part in parts]
            wrong = [text for _, _, texts, _ in found for text in texts]
            drawn = [pair for *_, pairs in found for pair in pairs]
            failed += len(wrong)
            near = sum(off <= said for off, said in drawn) / max(1, len(drawn))
            print(
                f"{name}: {args.games} games, {sum(n for n, *_ in found)} beliefs "
                f"{'equal' if not wrong else 'NOT equal'} to all histories; {len(drawn)} drawn ones, "
                f"{near:.1%} as near as they say, {sum(s for _, s, *_ in found):.0f} s",
                *wrong,
                sep="\n  ",
                flush=True,
            )
    print(f"{time.perf_counter() - begun:.0f} s in all", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
