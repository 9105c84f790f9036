"""How many answers a turn takes at the plain prompt: a whole game of the board game, answered number by number.

`python tests/bench/turns.py 1 2` prints the turns of the one person by how many meetings they
had, in the games of these seeds.
"""

from __future__ import annotations

import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from terminal import START, environment, offers  # noqa: E402

BOTS = [word for seat in ("blue", "green", "yellow") for word in ("--seat", f"{seat}=bot:random")]
BEGINS = "It is Red's turn."


def turns(seed: int, lasts: int = 25) -> dict[int, list[int]]:
    """By the number of meetings of a turn, how many answers each of them took; after so many turns Red declares."""
    found, luck = defaultdict(list), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        command = ["play", "venice-2013", "--seed", str(seed), "--seat", "red=me", *BOTS]
        process = subprocess.Popen(
            [sys.executable, "-c", START, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(Path(folder)),
        )
        turn, answers, done = "", 0, 0
        while said := _until_asked(process):
            if BEGINS in said:
                if done:
                    found[len(re.findall(r"^  Red turns to", turn + said.split(BEGINS)[0], re.M))].append(answers)
                turn, answers, done = "", 0, done + 1
            turn += said.rsplit(BEGINS, 1)[-1]
            own = turn.count("'s turn.") == 0  # later on he only answers others
            shown = offers("\n\n" + said)
            declares = [name for name in shown.open if "accomplished" in name.lower()]
            wanted = [n for n, label in shown.items() if " red figure (" in label]
            if len(shown) >= 10:  # pieces by whose they are, his own first
                wanted = [n for n, label in shown.items() if re.match(r"(tall|short|fat|thin) \(", label)][:4]
            wanted += [n for n, label in shown.items() if "figure)" in label or label.startswith("Ask")]
            going = [n for n, label in shown.items() if label != "Stop moving"]
            if done > lasts and declares:
                answer = declares[0]
            else:
                answer = shown.yes if shown.yes or "" in shown else str(luck.choice(wanted or going))
            answers += own
            process.stdin.write(f"{answer}\n".encode())
            process.stdin.flush()
        process.wait()
    return found


def _until_asked(process: subprocess.Popen) -> str:
    """What is said until something is asked; nothing, when the game is over."""
    said = b""
    while not said.endswith(b"\n> "):
        more = os.read(process.stdout.fileno(), 65536)
        if not more:
            return ""
        said += more
    return said.decode()


def told(counts: Mapping[int, list[int]], what: str) -> Iterator[str]:
    """How many answers turns took, by their meetings."""
    for meetings, found in sorted(counts.items()):
        median = f"{statistics.median(found):g} {what} (median), {max(found)} at most"
        yield f"{len(found)} turns with {meetings} meetings: {median}"


def main() -> None:
    everything = defaultdict(list)
    for seed in map(int, sys.argv[1:] or ["1"]):
        found = turns(seed)
        for meetings, counts in found.items():
            everything[meetings] += counts
        for line in told(found, "answers"):
            print(f"seed {seed}: {line}", flush=True)
    for line in told(everything, "answers"):
        print(f"all: {line}")


if __name__ == "__main__":
    main()
