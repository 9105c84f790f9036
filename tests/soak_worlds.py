"""Many rule files that nobody has written, each played in worlds beside each other: what the secrecy check accepts must
not let anybody tell them apart; what it refuses should.

python tests/soak_worlds.py [--files 100000] [--jobs 2] [--seed 0] [--keep FOLDER]

It can be interrupted at any time and then tells what was found so far; --seed goes on elsewhere. With --keep, files that
leak although they are accepted are written there, as short as they can be made.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from made_games import base, changed_game, shrunk, small_game, written
from tabarro.interpreter import RulesError, describe, games, load_game
from tabarro.interpreter.cache import switched_off
from tabarro.interpreter.compiling import compile_game
from tabarro.interpreter.declarations import Declarations
from tabarro.interpreter.resolve import Library
from tabarro.lab.worlds import Worlds

CHUNK = 50  # files that one process looks at at a time
NODES, SECONDS = 1_500, 0.5  # for all runs of one file
FOLLOWED = 2  # how often worlds are led on beside each other where that were not all runs


@dataclass
class Verdict:
    """What became of one file."""

    refused: list = field(default_factory=list)  # what the check says of it
    found: list = field(default_factory=list)  # what can be told, in worlds beside each other
    assumed: list = field(default_factory=list)  # where the game stops although the check was promised it would not
    whole: bool = False  # all runs were looked at
    nodes: int = 0


class Bench:
    """Reads and plays files that are never kept."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "made.yaml"

    def vocabulary(self, data):
        self.path.write_text(written(data), encoding="utf-8")
        resolved = Library(()).resolve(self.path, None, None)
        return Declarations(resolved.description, resolved.options)

    def compiled(self, data, players=None):
        """The game, and what the check has against it. RulesError: it is no game at all."""
        self.path.write_text(written(data), encoding="utf-8")
        refused = []
        return compile_game(Library(()), self.path, players, None, refused), refused

    def verdict(self, data, seed=0, players=None, nodes=NODES, seconds=SECONDS) -> Verdict:
        game, refused = self.compiled(data, players)
        worlds = Worlds(game)
        until = time.monotonic() + seconds
        whole = worlds.exhaust(nodes, until, one_will_do=True)
        if not whole:
            rng = random.Random(seed)
            for observer in worlds.observers * FOLLOWED:
                if not worlds.leaks:
                    worlds.follow(observer, rng, width=12, until=time.monotonic() + seconds)
        # whether a step can be taken back is for the table to know, not for the rules
        told = [d for d in worlds.differences if d.matter != "undo"]
        return Verdict(refused, told, worlds.refuted, whole, worlds.nodes)


SHARE = (0.85, 0.13)  # of small games, and of changes to games that are small; the rest are changes to large ones
SMALL = ("kuhn-poker", "little-mystery", "tic-tac-toe")


@lru_cache
def bases(small):
    """The games that come along, for every number of players, as they stand in the file."""
    found = []
    for name in SMALL if small else [n for n in games() if n not in SMALL]:
        library = Library(())
        path = library.path_of(name)
        for players in describe(name).players:
            found.append((name, players, base(load_game(name, players), library.resolve(path, players).description)))
    return found


def made(bench, seed, share=SHARE):
    """A file, and for how many players: mostly a small game, else one that comes along with a change."""
    rng = random.Random(seed)
    kind = rng.random()
    if kind < share[0]:
        return small_game(rng, bench.vocabulary), None
    name, players, found = rng.choice(bases(kind < sum(share)))
    return changed_game(rng, name, found), players


def looked_at(seeds, share=SHARE):
    """The figures of some files, those that leak although they are accepted, and those that break the check."""
    bench, tally, leaks, broken = Bench(), Counter(), [], []
    with switched_off():
        for seed in seeds:
            try:
                data, players = made(bench, seed, share)
            except RulesError:
                tally["no game"] += 1
                continue
            try:
                verdict = bench.verdict(data, seed, players)
            except RulesError:
                tally["no game"] += 1
                continue
            except Exception as error:  # neither a game nor refused with help
                tally["broken"] += 1
                small = shrunk(data, partial(_breaks, bench, seed, players, type(error)))
                broken.append((seed, written(small), [f"{type(error).__name__}: {str(error)[:200]!r}"]))
                continue
            tally["games"] += 1
            tally["whole"] += verdict.whole
            tally["stops where it was assumed not to"] += bool(verdict.assumed)
            tally[("refused" if verdict.refused else "accepted") + (", leaks" if verdict.found else ", harmless")] += 1
            if verdict.found and not verdict.refused:
                small = shrunk(data, partial(_leaks, bench, seed, players))
                last = bench.verdict(small, seed, players)
                leaks.append((seed, written(small), [str(d) for d in last.found]))
    return tally, leaks, broken


def _breaks(bench, seed, players, kind, data):
    try:
        bench.verdict(data, seed, players, nodes=NODES // 2, seconds=SECONDS / 2)
    except RulesError:
        return False
    except kind:
        return True
    return False


def _leaks(bench, seed, players, data):
    try:
        verdict = bench.verdict(data, seed, players, nodes=NODES // 2, seconds=SECONDS / 2)
    except Exception:
        return False
    return bool(verdict.found) and not verdict.refused


def told(tally, seconds):
    harmless, refused = (
        tally["accepted, harmless"] + tally["refused, harmless"],
        tally["refused, leaks"] + tally["refused, harmless"],
    )
    return (
        f"{tally['games']} games ({tally['no game']} files were none) in {seconds:.0f} s; all runs of {tally['whole']}.\n"
        f"neither games nor refused with help: {tally['broken']}\n"
        f"accepted: {tally['accepted, harmless']} harmless, {tally['accepted, leaks']} leak\n"
        f"refused: {tally['refused, leaks']} leak, {tally['refused, harmless']} harmless: "
        f"{_share(tally['refused, harmless'], harmless)} of all that are harmless, "
        f"{_share(tally['refused, harmless'], refused)} of all that are refused\n"
        f"stopped in some worlds only, where that was assumed not to happen: {tally['stops where it was assumed not to']}"
    )


def _share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "none"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args(arguments)
    begun, tally, leaking = time.perf_counter(), Counter(), 0
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    pool = ProcessPoolExecutor(args.jobs, get_context("spawn"))
    try:
        seeds = range(args.seed, args.seed + args.files)
        chunks = [pool.submit(looked_at, seeds[i : i + CHUNK]) for i in range(0, len(seeds), CHUNK)]
        for number, chunk in enumerate(as_completed(chunks)):
            counted, leaks, broken = chunk.result()
            tally += counted
            for seed, text, found in leaks + broken:
                leaking += 1
                head = "".join(f"# {line[:300]}\n" for line in found[:3])
                print(f"seed {seed} leaks although it is accepted, or breaks:\n{head}{text}", flush=True)
                if args.keep:
                    (args.keep / f"made-{seed}.yaml").write_text(head + text, encoding="utf-8")
            if number % 20 == 19:
                print(told(tally, time.perf_counter() - begun), flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    print(told(tally, time.perf_counter() - begun), flush=True)
    return 1 if leaking else 0


if __name__ == "__main__":
    sys.exit(main())
