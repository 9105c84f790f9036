"""Many rule files that nobody has written, each played in worlds beside each other: what the secrecy check accepts must
not let anybody tell them apart; what it refuses should.

python tests/soak_worlds.py [--files 100000] [--jobs 1] [--seed 0] [--state FILE] [--keep FOLDER [--spared]] [--without-check]

It can be interrupted at any time and then tells what was found so far; with --state it goes on from there when it is
called again. With --keep, files that leak although they are accepted are written there, as short as they can be made;
with --spared also those that are refused without need.
With --without-check everything is accepted, and what can be told is counted by kinds: so one sees what the referee finds.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import nullcontext
from functools import lru_cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from changed_games import base, changed_game
from judging import KINDS, Bench, kinds, pieces, taken_back_by_what_happened
from made_games import small_game
from shrinking import shrunk, written
from tabarro.interpreter import RulesError, describe, games, load_game
from tabarro.interpreter.cache import switched_off
from tabarro.interpreter.resolve import Library

CHUNK = 50  # files that one process looks at at a time
SHARE = (0.95, 0.045)  # of small games, and of changes to games that are small; the rest are changes to large ones
SMALL = ("kuhn-poker", "little-mystery", "tic-tac-toe")
EVERY = 60  # seconds between two lines that tell how far it is


@lru_cache
def tables(small):
    """The games that come along, with every number of players."""
    names = SMALL if small else [name for name in games() if name not in SMALL]
    return [(name, players) for name in names for players in describe(name).players]


@lru_cache
def base_of(name, players):
    """One of them, as it stands in the file."""
    library = Library(())
    return base(load_game(name, players), library.resolve(library.path_of(name), players).description)


def made(bench, seed, share=SHARE):
    """A file, for how many players, and what it is: mostly a small game, else one that comes along with a change."""
    rng = random.Random(seed)
    kind = rng.random()
    if kind < share[0]:
        return small_game(rng, bench.vocabulary), None, "made up"
    name, players = rng.choice(tables(kind < sum(share)))
    return changed_game(rng, name, base_of(name, players)), players, "changed"


class Look:
    """Looks at some files: the figures, those that leak although they are accepted, and those that break the check."""

    def __init__(self, share=SHARE, checked=True, spared=False):
        self.bench, self.share, self.checked, self.shown = Bench(checked), share, checked, spared
        self.tally, self.used, self.spared = Counter(), Counter(), Counter()
        self.leaks, self.broken, self.harmless = [], [], []

    def at(self, seeds):
        with switched_off(), nullcontext() if self.checked else taken_back_by_what_happened():
            for seed in seeds:
                self.one(seed)
        return self

    def one(self, seed):
        try:
            data, players, sort = made(self.bench, seed, self.share)
        except RulesError:
            self.tally["no game"] += 1
            return
        try:
            verdict = self.bench.verdict(data, seed, players)
        except RulesError as error:
            if any(problem.code == "too_nested" for problem in error.problems):
                self._breaks(seed, data, players, error)
            else:
                self.tally["no game"] += 1
            return
        except Exception as error:  # neither a game nor refused with help
            self._breaks(seed, data, players, error)
            return
        self.used += pieces(data, verdict.game)
        verb = "refused" if verdict.refused else "accepted"
        fate = "leaks" if verdict.found else "stops" if verdict.stops else "harmless" if verdict.whole else "unknown"
        self.tally[f"{sort}: {verb}, {fate}{verdict.idle and ', ' + verdict.idle}"] += 1
        if verb == "refused" and fate == "harmless":
            code = sorted(p.code for p in verdict.refused)[0]
            self.spared[f"{sort}: {code}{verdict.idle and ', ' + verdict.idle}"] += 1
            if self.shown and not verdict.idle:
                self._harmless(seed, data, players, code)
        if verb == "accepted" and fate == "leaks":
            self._leaks(seed, data, players)

    def _leaks(self, seed, data, players):
        def still(smaller):
            try:
                verdict = self.bench.verdict(smaller, seed, players, share=0.5)
            except Exception:
                return False
            return bool(verdict.found) and not verdict.refused

        of = sorted(kinds(self.bench, data)) if "extends" not in data else []
        self.tally.update(f"kind {kind}" for kind in of)
        small = shrunk(data, still) if self.checked else data
        found = self.bench.verdict(small, seed, players).found
        self.leaks.append((seed, written(small), [str(d) for d in found], of))

    def _harmless(self, seed, data, players, code):
        def still(smaller):
            try:
                verdict = self.bench.verdict(smaller, seed, players)
            except Exception:
                return False
            return verdict.harmless and not verdict.idle and any(p.code == code for p in verdict.refused)

        small = shrunk(data, still)
        said = [str(p) for p in self.bench.verdict(small, seed, players).refused]
        self.harmless.append((seed, written(small), [code, *" ".join(said).splitlines()], []))

    def _breaks(self, seed, data, players, error):
        def still(smaller):
            try:
                self.bench.verdict(smaller, seed, players, share=0.5)
            except type(error) as other:
                return not isinstance(other, RulesError) or any(p.code == "too_nested" for p in other.problems)
            except Exception:
                return False
            return False

        self.tally["broken"] += 1
        small = shrunk(data, still, tries=100)
        self.broken.append((seed, written(small), [f"{type(error).__name__}: {str(error)[:200]!r}"], []))

    @property
    def result(self):
        return {
            "tally": self.tally,
            "used": self.used,
            "spared": self.spared,
            "leaks": self.leaks,
            "broken": self.broken,
            "harmless": self.harmless,
        }


def looked_at(seeds, share=SHARE, checked=True, spared=False):
    return Look(share, checked, spared).at(seeds).result


# --- the account ------------------------------------------------------------------------------------------------------
class Account:
    """All that was found so far; with a file, also by those who began."""

    def __init__(self, path=None, head=None):
        self.path, self.head = path, head
        self.tally, self.used, self.spared = Counter(), Counter(), Counter()
        self.done, self.seconds = set(), 0.0
        if path is not None and path.exists():
            first, *rows = path.read_text(encoding="utf-8").splitlines()
            if json.loads(first) != head:
                raise SystemExit(f"{path} is about other files: {first}")
            for row in rows:
                if row.endswith("}"):  # the last one may have been cut off
                    self.add(**json.loads(row))
        elif path is not None:
            path.write_text(json.dumps(head) + "\n", encoding="utf-8")

    def add(self, begins, seconds, tally, used, spared, **_):
        self.done.add(begins)
        self.seconds += seconds
        self.tally.update(tally)
        self.used.update(used)
        self.spared.update(spared)

    def keep(self, begins, seconds, result):
        self.add(begins, seconds, **result)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(
                    "\n" * (not _ends_a_line(self.path)) + json.dumps({"begins": begins, "seconds": seconds, **result})
                )
                file.write("\n")

    def told(self):
        tally = self.tally
        lines = [
            f"{sum(n for k, n in tally.items() if ':' in k)} games ({tally['no game']} files were none, "
            f"{tally['broken']} neither games nor refused with help) in {self.seconds:.0f} s of work"
        ]
        for sort in ("made up", "changed"):
            lines += self._sort(sort)
        if any(k.startswith("kind ") for k in tally):
            lines += [f"kind {k} ({words}): {tally[f'kind {k}']} files" for k, words in KINDS.items()]
        return "\n".join(lines)

    def _sort(self, sort):
        def count(*fates):
            return sum(self.tally[f"{sort}: {fate}"] for fate in fates)

        spared, fine = count("refused, harmless"), count("accepted, harmless")
        idle = count("refused, harmless, never reached", "refused, harmless, never varied")
        refused = spared + idle + count("refused, leaks", "refused, stops", "refused, unknown")
        return [
            f"{sort}, accepted: {fine} harmless (all runs looked at), {count('accepted, unknown')} with no difference found, "
            f"{count('accepted, stops')} stop where that was listed as assumed, {count('accepted, leaks')} LEAK",
            f"{sort}, refused: {count('refused, leaks')} leak, {spared} harmless, {idle} harmless because the secret is "
            f"none in play, {count('refused, unknown')} unknown: of {spared + fine} harmless ones {_share(spared, spared + fine)} "
            f"are refused, of {refused} refused ones {_share(spared, refused)} are harmless",
        ]

    def pieces(self):
        """How many files have which piece of the language."""
        return "\n".join(f"{count:8} {piece}" for piece, count in sorted(self.used.items()))

    def without_need(self):
        return "\n".join(f"{count:8} {code}" for code, count in self.spared.most_common())


def _ends_a_line(path):
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1) == b"\n"


def _share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "none"


# --- the command ------------------------------------------------------------------------------------------------------
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--spared", action="store_true")
    parser.add_argument("--made-up", action="store_true", help="small games only, none that come along")
    parser.add_argument("--without-check", action="store_true")
    args = parser.parse_args(arguments)
    share = (1, 0) if args.made_up else SHARE
    account = Account(args.state, {"seed": args.seed, "share": list(share), "without check": args.without_check})
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    bad = soak(args, share, account)
    print(account.pieces(), "refused without need, by message:", account.without_need(), account.told(), sep="\n")
    return 1 if bad and not args.without_check else 0


def soak(args, share, account):
    bad, said = 0, time.monotonic()
    begins = range(args.seed, args.seed + args.files, CHUNK)
    todo = ((b, range(b, min(b + CHUNK, args.seed + args.files))) for b in begins if b not in account.done)
    pool = ProcessPoolExecutor(args.jobs, get_context("spawn"))
    going = {}
    try:
        while True:
            for begin, seeds in islice(todo, 2 * args.jobs - len(going)):
                going[pool.submit(timed, seeds, share, not args.without_check, args.spared)] = begin
            if not going:
                return bad
            for chunk in wait(going, return_when=FIRST_COMPLETED).done:
                begin, (seconds, result) = going.pop(chunk), chunk.result()
                account.keep(begin, seconds, result)
                bad += report(args, result)
            if time.monotonic() > said + EVERY:
                said = time.monotonic()
                print(account.told(), flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        return bad
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def timed(seeds, share, checked, spared):
    begun = time.process_time()
    result = looked_at(seeds, share, checked, spared)
    return time.process_time() - begun, result


def report(args, result):
    for seed, text, found, of in result["leaks"] + result["broken"]:
        head = "".join(f"# {line[:300]}\n" for line in found[:3])
        what = f"leaks, kinds {of}" if args.without_check else "leaks although it is accepted, or breaks"
        if not args.without_check:
            print(f"seed {seed} {what}:\n{head}{text}", flush=True)
        if args.keep:
            (args.keep / f"made-{seed}.yaml").write_text(f"# seed {seed} {what}\n{head}{text}", encoding="utf-8")
    for seed, text, said, _ in result["harmless"] if args.keep else ():
        head = "".join(f"# {line}\n" for line in said)
        (args.keep / f"spared-{said[0]}-{seed}.yaml").write_text(f"{head}{text}", encoding="utf-8")
    return len(result["leaks"] + result["broken"])


if __name__ == "__main__":
    sys.exit(main())
