"""How many games a second bots play, beside an earlier version, and whether they still play the same games.

    python tests/bench/faster.py [--before COMMIT] [--rounds 3] [--times 5] [--ready]

The other version is taken from the history of this repository; without --before it is 0.1. Both play the same games in
turn, each time in a process of their own, and what counts is processor time; with --ready compiled rules are there before
the first game. The records of the games are compared, too: what only became faster chooses as before.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from statistics import median

FIRST = "83024c1"  # version 0.1
Table = tuple[str, int, str, int]
TABLES: list[Table] = [
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
if sys.argv[5:] and hasattr(game, "workshop"):
    game.workshop.library(wait=True)
series = Series(name, players, (), (), game.digest, 1, (("", bots),))
begun = time.process_time()
records = play_some(series, range(games))
spent = time.process_time() - begun
print(json.dumps([spent, hashlib.sha256(json.dumps(records, sort_keys=True).encode()).hexdigest()]))
"""


def unpacked(commit: str, folder: Path) -> Path:
    """That version as the package `tabarro` in a folder."""
    root = Path(__file__).resolve().parents[2]
    packed = subprocess.run(["git", "archive", "--prefix=tabarro/", commit], cwd=root, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    (folder / "tabarro" / "__init__.py").touch()  # version 0.1 has none
    return folder


def seconds(table: Table, folder: Path | None, ready: bool) -> tuple[float, str]:
    """Of processor time, and a hash of the games."""
    place = {"PYTHONPATH": str(folder)} if folder is not None else {}
    command = [sys.executable, "-c", PROGRAM, *map(str, table), *(["ready"] if ready else [])]
    done = subprocess.run(command, env={**os.environ, **place}, cwd="/", capture_output=True, text=True, check=True)
    spent, digest = json.loads(done.stdout)
    return spent, digest


def compared(table: Table, before: Path, rounds: int, ready: bool) -> dict:
    rows = [(seconds(table, before, ready), seconds(table, None, ready)) for _ in range(rounds)]
    return {
        "game": table[0],
        "bots": table[2],
        "games": table[3],
        "before": table[3] / median(old[0] for old, _ in rows),
        "now": table[3] / median(new[0] for _, new in rows),
        "times": median(old[0] / new[0] for old, new in rows),
        "same": len({digest for row in rows for _, digest in row}) == 1,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--before", default=FIRST, help="a commit of this repository (default: version 0.1)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="tables whose name or bot begins so")
    parser.add_argument("--times", type=int, default=1, help="so many times as many games")
    parser.add_argument("--ready", action="store_true", help="have the rules compiled before the first game")
    args = parser.parse_args()
    print("| Game | Bots | Games | Before, games a second | Now | Times as fast | The same games |")
    print("|---|---|--:|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory() as folder:
        before = unpacked(args.before, Path(folder))
        for table in TABLES:
            if not (table[0].startswith(args.only) or table[2].startswith(args.only)):
                continue
            row = compared((*table[:3], table[3] * args.times), before, args.rounds, args.ready)
            speeds = f"{row['before']:.1f} | {row['now']:.1f} | {row['times']:.1f}"
            same = "yes" if row["same"] else "no"
            print(f"| `{row['game']}` | {row['bots']} | {row['games']} | {speeds} | {same} |", flush=True)


if __name__ == "__main__":
    main()
