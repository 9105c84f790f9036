"""How much processor time goes until a command waits for the first key, or is done. The cache knows the games.

`python tests/bench/start.py` prints a row for each command, beside Python that does nothing; `--imports` those modules
on the way to the first plain prompt that take longest to load. Nobody thinks meanwhile: a person begins.
"""

from __future__ import annotations

import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import pexpect

sys.path.insert(0, str(Path(__file__).parents[1]))

from tabarro.interpreter import load_game  # noqa: E402
from terminal import START, environment  # noqa: E402

GAMES = ("venice-2013", "cards-safe", "tic-tac-toe")
COMMANDS = ("--help", "list", "list cards-safe", "check tic-tac-toe", "check venice-2013", "board venice-2013")
TIMES = 5
QUIET = 0.3  # seconds without a sign of life


def begun_by_a_person(game: str) -> int:
    """A seed with which the first seat is asked first."""
    known = load_game(game, people=True)
    return next(seed for seed in range(1000) if known.new(seed).actor == known.seats[0])


def worked(pid: int) -> float:
    """Seconds that all threads of a process have had a processor for, as Linux counts them."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def waits(pid: int) -> bool:
    """Does every thread of it sleep?"""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return all((task / "stat").read_text().rsplit(")", 1)[1].split()[0] == "S" for task in tasks)


def until_asked(words: list[str], surroundings: dict[str, str]) -> float:
    """Processor time until it waits for a key."""
    child = pexpect.spawn(
        sys.executable, ["-c", START, *words], env=surroundings, dimensions=(40, 120), timeout=60, encoding="utf-8"
    )
    shown, quiet = "", False
    while not quiet:
        try:
            shown += child.read_nonblocking(65536, timeout=QUIET)
        except pexpect.TIMEOUT:
            quiet = bool(shown) and waits(child.pid)
    time = worked(child.pid)
    child.close(force=True)
    return time


def until_done(words: list[str], surroundings: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], env=surroundings, capture_output=True, stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def row(name: str, measure, words: list[str], surroundings: dict[str, str]) -> None:
    measure(words, surroundings)  # from now on it is in the cache
    times = sorted(measure(words, surroundings) for _ in range(TIMES))
    print(f"{name:52}{statistics.median(times):8.3f}{times[0]:8.3f}{times[-1]:8.3f}", flush=True)


def imports(surroundings: dict[str, str], folder: str) -> None:
    words = ["-c", START, "play", GAMES[0], "--plain", "--seed", str(begun_by_a_person(GAMES[0]))]
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", *words, "--save", tempfile.mktemp(dir=folder)],
            env=surroundings,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
        )
    found = re.findall(r"^import time: +(\d+) \| +(\d+) \| +(.*)$", done.stderr, re.M)
    print("ms by itself, ms with what it imports, module")
    for own, whole, name in sorted(found, key=lambda line: -int(line[1]))[:40]:
        print(f"{int(own) / 1000:8.1f}{int(whole) / 1000:8.1f}  {name}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        surroundings = environment(
            Path(folder), PYTHONPYCACHEPREFIX=f"{folder}/bytecode", TABARRO_CACHE=f"{folder}/cache"
        )
        surroundings.pop("PYTHONDONTWRITEBYTECODE", None)  # whoever has installed it has bytecode
        if "--imports" in sys.argv:
            imports(surroundings, folder)
            return
        print(f"{'seconds of processor time':52}{'median':>8}{'least':>8}{'most':>8}")
        row("python -c pass", until_done, ["-c", "pass"], surroundings)
        for words in COMMANDS:
            row(f"tabarro {words}", until_done, ["-c", START, *words.split()], surroundings)
        row("tabarro play: which game?", until_asked, ["play"], surroundings)
        for game in GAMES:
            seed = str(begun_by_a_person(game))
            row(f"tabarro play {game}: who plays?", until_asked, ["play", game], surroundings)
            for face, more in (("plain", ["--plain"]), ("full screen", [])):
                words = ["play", game, "--seed", seed, *more]
                row(f"tabarro play {game}: first prompt, {face}", until_asked, words, surroundings)


if __name__ == "__main__":
    main()
