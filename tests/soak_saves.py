"""A program that plays and saves is killed without warning, again and again; nothing that was acknowledged is lost.

.venv/bin/python tests/soak_saves.py --kills 200
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from tabarro.interpreter import RulesError, Save, load_game, resume
from tabarro.interpreter.save import load

GAME, SEED = "little-mystery", 5
MOST = 15  # times that it acknowledges something before it is killed
LONGEST = 0.004  # seconds after that
ROUND = "+++++-+"  # five decisions, the last of which is taken back and made again


def choices(game):
    """What is decided in the game that is always played, without end."""
    state, rng = game.new(SEED), random.Random(SEED)
    while True:
        choice = rng.choice([c for c in state.legal() if "accuse" not in game.words(c)])
        state.apply(choice)
        yield game.words(choice)


def play(game, path: Path, acknowledge: int, wait: bool) -> None:
    """In a process that will not live long: begin in the place of another game, go on, take back now and then."""
    deciding, decided = choices(game), []
    save = Save.create(path, game, SEED, alone=True)
    os.write(acknowledge, b"c")
    while True:
        words = next(deciding)
        save.append(words, wait=wait)
        os.write(acknowledge, b"+")
        decided.append(words)
        if len(decided) % 5 == 0:
            save.take_back()
            os.write(acknowledge, b"-")
            save.append(decided[-1], wait=wait)
            os.write(acknowledge, b"+")


def kill(game, path: Path, after: int, delay: float, wait: bool) -> str:
    """Let one begin, and kill it so long after it has acknowledged so much; all that it has acknowledged."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(read)
            play(game, path, write, wait)
        finally:
            os._exit(1)
    os.close(write)
    told = b""
    while len(told) < after:
        told += os.read(read, 1)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(read, "rb") as stream:
        return (told + stream.read()).decode()


def kills(number: int, folder: Path, seed: int = 1) -> dict[str, int]:
    """Kill so many; how many decisions were acknowledged, and found again."""
    game, rng = load_game(GAME), random.Random(seed)
    sums = {"killed": 0, "before the first decision": 0, "acknowledged": 0, "found": 0}
    for turn in range(number):
        path = folder / f"{turn % 3}"  # the place of an earlier game, mostly
        old = path.read_bytes() if path.exists() else None
        told = kill(game, path, rng.randrange(MOST), rng.uniform(0, LONGEST), wait=turn % 2 == 0)
        sums["killed"] += 1
        if "c" not in told:
            sums["before the first decision"] += 1
            now = path.read_bytes() if path.exists() else None
            assert now == old or load(path, strict=False)[2].choices == 0, "an earlier game was lost"
            if now is None:
                continue
        acknowledged = told.count("+") - told.count("-")
        _, state, save = resume(path)
        deciding, expected = choices(game), game.new(SEED)
        made = [next(deciding) for _ in range(save.choices)]
        for words in made:
            expected.apply(game.choice(words, expected))
        assert state == expected, "another game was found"
        if "c" in told:
            begun = (
                1 if (ROUND * MOST * 99)[len(told) - 1] == "+" else -1
            )  # what was perhaps done, but not told any more
            assert save.choices in (acknowledged, acknowledged + begun), "an acknowledged decision was lost"
            sums["acknowledged"] += acknowledged
            sums["found"] += save.choices
        save.append(next(deciding))
        assert load(path)[2].choices == len(made) + 1
    left = [name for name in os.listdir(folder) if name not in "012" and not name.startswith(".tabarro-")]
    assert not left, left
    return sums


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = kills(arguments.kills, Path(folder), arguments.seed)
        except RulesError as error:
            print(error)
            return 1
    for name, number in found.items():
        print(f"{name}: {number}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
