"""Games of the whole family in lock-step with the accounts of their rules: at every decision the complete set of choices,
at the end what each seat has seen and the verdict.

There are two accounts, written apart from each other: the first (oracles/venice.py, oracles/cards.py) follows the log of a
game, the second (oracles/second) tells every game anew and compares chance, choices and each seat's log at every decision.

    python tests/soak_lockstep.py --games 2000 --jobs 2 --state build/lockstep.json

plays every table of the twelve games, in turn, with each row of options among them, one game beside each account. It can be interrupted at any time: what
was played is in the file, and the same command goes on from there. A difference is told with the table, the options and the
number of the game, from which it can be played again: --only TABLE --from NUMBER --games NUMBER.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
from collections import Counter
from functools import partial
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent / "rules"))

from loading import loaded
from oracles.cards import NOT_YET, Cards
from oracles.second.tables import TABLES, rows, side_by_side
from oracles.venice import Referee
from soak import BOARD, ROWS, Lively, judge
from tabarro.interpreter import Reader
from test_cards import Beside
from test_venice import asks, named

CARD_ROWS = [{}, {"points_to_win": 3}, {"false_cards": 0}, {"black_cards_given": True}, {"round_limit": 4}]
PATIENCE = 150  # once in so many times somebody declares
AT_ONCE = 5  # games of a table, before another one has its turn
SAME_ROW = 40  # games with the same options or none, because compiling takes longer than a game
TOLD = ("games", "decisions", "compared", "lines", "verdicts")


def one_game(table: tuple[str, int], number: int) -> Counter:
    """The game of this number at a table; every fifth one with the options as by default, the others with a row of them."""
    name, players = table
    rng = random.Random(f"{name} {players} {number}")
    if name.startswith("venice"):
        return _on_the_board(name, players, ROWS[number % len(ROWS)], rng)
    row = CARD_ROWS[number % len(CARD_ROWS)]
    account, game = Cards(name, players, **row), loaded(name, players, row)
    beside = Counted(game, account, rng, rng.choice((0, 3, 20)), {})
    beside.play()
    return beside.counted


def one_game_of_the_second(table: tuple[str, int], number: int) -> Counter:
    """The game of this number beside the second account; every other one with options, the same for some games."""
    others = rows(*table)[1:]
    row = others[number // SAME_ROW % len(others)] if number % 2 else {}
    return side_by_side(*table, row, number).run() + Counter(games=1)


class Counted(Beside):
    """Compares at every decision, and counts."""

    def __init__(self, *args):
        super().__init__(*args)
        self.counted = Counter(games=1, verdicts=1)

    def choose(self, choices):
        words = self.offered(choices)
        self.counted.update(decisions=1, compared=1)
        word = self.speak() if NOT_YET in choices else self.rng.choice(sorted(words, key=repr))
        return words[word], word


def _on_the_board(name: str, players: int, row: dict, rng: random.Random) -> Counter:
    game, counted = loaded(name, players, row), Counter(games=1, verdicts=1)
    state, referee, reader = game.new(seed=rng.randrange(1 << 32)), Referee(name, players, row, BOARD), Reader(game)
    player = Lively(game, rng, PATIENCE)
    while not state.over:
        for entry in reader.news(state):
            referee.see(entry)
        offers = referee.offers(asks(state))
        if offers is not None:
            assert sorted(map(named, map(game.words, state.legal()))) == sorted(map(named, offers)), asks(state)
            counted["compared"] += 1
        counted["decisions"] += 1
        state.apply(player(state), trusted=True)
    judge(Referee(name, players, row, BOARD), game, state)
    return counted


# --- the command -----------------------------------------------------------------------------------------------------------
ACCOUNTS = {"first": one_game, "second": one_game_of_the_second}


def _some(
    work: tuple[tuple[str, int], int, int], accounts: tuple[str, ...] = tuple(ACCOUNTS)
) -> tuple[tuple[str, int], int, Counter, list[str]]:
    """Some games of a table, from a number on."""
    table, first, count = work
    counted, differences = Counter(), []
    for number in range(first, first + count):
        for account in accounts:
            try:
                done = ACCOUNTS[account](table, number)
                counted += Counter({key: done[key] for key in TOLD})
                counted.update({"{} {}-{} {}".format(account, *table, key): done[key] for key in TOLD if done[key]})
            except Exception as wrong:  # whatever it is, it is told, and the next game begins
                last = (str(wrong) or type(wrong).__name__)[-600:]
                where = f"{table[0]} with {table[1]}, game {number}, {account} account"
                differences.append(f"{where}: {type(wrong).__name__}: {last}")
    return table, first, counted, differences


class Progress:
    """What was played, in a file that is always whole."""

    def __init__(self, path: Path | None):
        self.path = path
        found = json.loads(path.read_text(encoding="utf-8")) if path and path.exists() else {}
        self.done: dict[str, int] = found.get("done", {})
        self.counted, self.differences = Counter(found.get("counted", {})), found.get("differences", [])

    def add(self, table: tuple[str, int], upto: int, counted: Counter, differences: list[str]) -> None:
        self.done["{}-{}".format(*table)] = upto
        self.counted += counted
        self.differences += differences
        if self.path:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.path.with_suffix(".new")
            whole = {"done": self.done, "counted": self.counted, "differences": self.differences}
            fresh.write_text(json.dumps(whole, indent=1), encoding="utf-8")
            os.replace(fresh, self.path)


def left(progress: Progress, tables: list[tuple[str, int]], first: int, games: int):
    """What is still to be played: some games of each table in turn."""
    for start in range(first, first + games, AT_ONCE):
        for table in tables:
            begin = max(start, progress.done.get("{}-{}".format(*table), 0))
            if begin < min(start + AT_ONCE, first + games):
                yield table, begin, min(start + AT_ONCE, first + games) - begin


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="of each table")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the number of the first game")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--state", type=Path, help="the file that keeps what was played")
    parser.add_argument("--only", help="a table, such as venice-japan-4")
    parser.add_argument("--account", choices=ACCOUNTS, help="one of the two; the state of one is no state of both")
    args = parser.parse_args(argv)
    progress = Progress(args.state)
    accounts = (args.account,) if args.account else tuple(ACCOUNTS)
    tables = [t for t in TABLES if args.only in (None, "{}-{}".format(*t))]
    work, interrupted = list(left(progress, tables, args.first, args.games)), False
    with Pool(args.jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            for table, first, counted, differences in pool.imap(partial(_some, accounts=accounts), work):
                progress.add(table, first + next(w[2] for w in work if w[:2] == (table, first)), counted, differences)
                for difference in differences:
                    print(difference, flush=True)
        except KeyboardInterrupt:
            pool.terminate()
            interrupted = True
    for account in accounts:
        for table in tables:
            key = "{} {}-{}".format(account, *table)
            print(f"{key}: " + ", ".join(f"{progress.counted[f'{key} {what}']:,} {what}" for what in TOLD))
    print(f"{len(progress.differences)} differences{'; interrupted' if interrupted else ''}")
    return 130 if interrupted else 1 if progress.differences else 0


if __name__ == "__main__":
    sys.exit(main())
