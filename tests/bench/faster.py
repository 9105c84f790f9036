"""How many games a second bots play, beside an earlier version, and whether they still play the same games.

    git archive --prefix=tabarro/ COMMIT | tar x -C /tmp/before
    touch /tmp/before/tabarro/__init__.py  # version 0.1 (83024c1) has none
    python tests/bench/faster.py --before /tmp/before --rounds 3 [--times 5]

Both versions play the same games in turn, each time in a process of their own, and what counts is processor time. The
records of the games are compared, too: what only became faster chooses as before.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

TABLES = [
    ("cards-safe", 4, "careful", 40),
    ("cards-phone", 4, "careful", 40),
    ("cards-safe", 4, "deducer", 6),
    ("cards-phone", 4, "deducer", 6),
    ("venice-2013", 4, "careful", 20),
    ("venice-classic", 4, "careful", 20),
    ("venice-2013", 4, "deducer", 10),
    ("venice-japan", 4, "deducer", 10),
]
PROGRAM = """
import hashlib, json, sys, time
from tabarro.interpreter import load_game
try:
    from tabarro.lab.playout import Series, play_some
except ImportError:  # in version 0.1
    from tabarro.front.playout import Series, play_some
name, players, bots, games = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
game = load_game(name, players)
series = Series(name, players, (), (), game.digest, 1, (("", bots),))
begun = time.process_time()
records = play_some(series, range(games))
spent = time.process_time() - begun
print(json.dumps([spent, hashlib.sha256(json.dumps(records, sort_keys=True).encode()).hexdigest()]))
"""


def seconds(table: tuple[str, int, str, int], folder: Path | None) -> tuple[float, str]:
    """Of processor time, and a hash of the games."""
    place = {"PYTHONPATH": str(folder)} if folder is not None else {}
    command = [sys.executable, "-c", PROGRAM, *map(str, table)]
    done = subprocess.run(command, env={**os.environ, **place}, cwd="/", capture_output=True, text=True, check=True)
    spent, digest = json.loads(done.stdout)
    return spent, digest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--before", type=Path, required=True, help="a folder in which the other version is `tabarro`")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="tables whose name or bot begins so")
    parser.add_argument("--times", type=int, default=1, help="so many times as many games")
    args = parser.parse_args()
    print("| Game | Bots | Games | Before, games a second | Now | Times as fast | The same games |")
    print("|---|---|--:|--:|--:|--:|---|")
    for table in TABLES:
        if not (table[0].startswith(args.only) or table[2].startswith(args.only)):
            continue
        table = (*table[:3], table[3] * args.times)
        rows = [(seconds(table, args.before), seconds(table, None)) for _ in range(args.rounds)]
        before, now = (median(row[k][0] for row in rows) for k in (0, 1))
        same = "yes" if len({digest for row in rows for _, digest in row}) == 1 else "no"
        times = median(row[0][0] / row[1][0] for row in rows)
        speeds = f"{table[3] / before:.1f} | {table[3] / now:.1f}"
        print(f"| `{table[0]}` | {table[2]} | {table[3]} | {speeds} | {times:.1f} | {same} |", flush=True)


if __name__ == "__main__":
    main()
