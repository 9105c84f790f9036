"""The same seeds, saves and choices give the same games on every Python that is found on this machine.

    .venv/bin/python tests/pythons.py

For each Python from 3.11 on (of the search path and of pyenv) it makes an environment of its own, plays seeded games of
every kind there, goes on with saves that this Python has made and with those of earlier versions, and compares what
every player has seen, word for word. It ends with 1 if anything differs. As many Pythons as there are processors play
at a time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAVES = ROOT / "tests" / "interpreter" / "saves"
LEAST = (3, 11)
SEED = 7
DECISIONS = 40
VERSION = "import sys; print(*sys.version_info[:3], sys.implementation.name)"


# --- what is played ---------------------------------------------------------------------------------------------------
def account(folder: Path, write: bool) -> dict[str, str]:
    """What became of each game, as a digest; the saves are written here, or gone on with."""
    from tabarro.interpreter import RulesError, Save, describe, games, load_game
    from tabarro.interpreter.save import load
    from tabarro.mind.bots import BOTS
    from tabarro.mind.kinds import USUAL

    found: dict[str, str] = {}
    for index, name in enumerate(games()):
        counts = describe(name).players
        players = counts[index % len(counts)]  # one number of players of each game, not always the least
        try:
            game = load_game(name, players)
        except RulesError as error:  # what is refused is refused everywhere
            found[f"{name} {players}: rules"] = ",".join(p.code for p in error.problems)
            continue
        found[f"{name} {players}: rules"] = game.digest
        state, rng, path = game.new(SEED), random.Random(SEED), folder / f"{name}-{players}"
        save = Save.create(path, game, SEED) if write else None
        for _ in range(DECISIONS):
            if state.over:
                break
            choice = state.sample(rng, habits=True)
            if save is not None:
                save.append(game.words(choice), wait=False)
            state.apply(choice, trusted=True)
        found[f"{name} {players}: seed"] = told(state)
        found[f"{name} {players}: save"] = told(load(path)[1])
    game = load_game("little-mystery")
    state = game.new(1)
    bots = {seat: BOTS[USUAL](game, seat) for seat in game.seats}
    while not state.over:
        state.apply(bots[state.actor].choose(state.player(state.actor), random.Random(3)))
    found["bots"] = told(state)
    for path in sorted(SAVES.glob("*.tabarro")):
        try:
            found[f"earlier: {path.name}"] = told(load(path, strict=False)[1])
        except RulesError as error:
            found[f"earlier: {path.name}"] = ",".join(p.code for p in error.problems)
    return found


def told(state) -> str:
    """All that anybody has seen, who is asked now, and what he can choose."""
    whole = [[seat, [(e.kind, e.step, e.told) for e in state.log(seat)]] for seat in state.game.seats]
    now = None if state.over else (state.actor, state.legal()[:50])
    return hashlib.sha256(repr((whole, now, state.over and state.result)).encode()).hexdigest()[:20]


# --- the Pythons ------------------------------------------------------------------------------------------------------
def pythons() -> dict[str, str]:
    """Version -> path, for all that are new enough, this one left out."""
    paths = [Path(home) for home in os.environ.get("PATH", "").split(os.pathsep) if home]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path(os.path.expanduser("~")) / ".pyenv")
    paths += sorted(pyenv.glob("versions/*/bin"))
    found: dict[str, str] = {}
    for home in paths:
        for file in sorted(home.glob("python3*")) if home.is_dir() else ():
            if re.fullmatch(r"python3(\.\d+)?", file.name) and os.access(file, os.X_OK):
                done = subprocess.run([file, "-c", VERSION], capture_output=True, text=True, check=False)
                words = done.stdout.split()
                if done.returncode or len(words) != 4 or words[3] != "cpython":
                    continue
                if tuple(map(int, words[:2])) >= LEAST:
                    found.setdefault(".".join(words[:3]), str(file))
    found.pop(".".join(map(str, sys.version_info[:3])), None)
    return found


def sources(folder: Path) -> Path:
    """The package, packed once for all of them; each of them compiles its own extension."""
    pack = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", pack, folder], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.tar.gz"))


def elsewhere(version: str, python: str, package: Path, folder: Path, saves: Path) -> tuple[dict[str, str], float]:
    """The same account, of another Python in an environment of its own, and how many seconds it took."""
    started, home = time.monotonic(), folder / version
    subprocess.run([python, "-m", "venv", "--without-pip", home], check=True)
    there = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", there, "install", "-qq", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-warn-script-location", package], check=True)
    surroundings = {**os.environ, "TABARRO_CACHE": str(home / "cache"), "PYTHONPATH": ""}
    command = [there, Path(__file__), "--account", saves]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings, cwd=folder, check=False)
    if done.returncode:
        raise RuntimeError(f"{python}: {done.stderr[-2000:]}")
    return json.loads(done.stdout), time.monotonic() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--account", metavar="FOLDER", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.account:
        print(json.dumps(account(Path(arguments.account), write=False)))
        return 0
    others, wrong = pythons(), 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder, saves = Path(name), Path(name) / "saves"
        saves.mkdir()
        package = pool.submit(sources, folder) if others else None
        os.environ["TABARRO_CACHE"] = str(folder / "cache")  # each game is loaded twice, and compiled once
        ours = account(saves, write=True)
        print(f"Python {sys.version.split()[0]}: {len(ours)} accounts of games", flush=True)
        playing = {
            version: pool.submit(elsewhere, version, python, package.result(), folder, saves)
            for version, python in sorted(others.items())
        }
        for version, played in playing.items():
            theirs, seconds = played.result()
            differ = sorted(key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key))
            wrong += len(differ)
            print(f"Python {version}: {len(theirs) - len(differ)} the same, {seconds:.0f} s", flush=True)
            for key in differ:
                print(f"  differs: {key}: {ours.get(key)} here, {theirs.get(key)} there")
    if not others:
        print("There is no other Python here from 3.11 on.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
