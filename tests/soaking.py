"""What soaks share: tables with many games each, in several processes; a file from which they go on; what is printed."""

from __future__ import annotations

import argparse
import json
import os
import signal
import time
from multiprocessing import get_context
from pathlib import Path

CHUNK = 10  # games that one process plays at a time


def options(doc, games=500):
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--games", type=int, default=games, help="at each table")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--state", type=Path, help="the file that keeps what was played: the same command goes on")
    return parser


class Progress:
    """What was played at each table, in a file that is always whole."""

    def __init__(self, path):
        self.path = path
        self.tables = json.loads(path.read_text(encoding="utf-8")) if path and path.exists() else {}

    def done(self, table, first):
        return first in self.of(table)["firsts"]

    def of(self, table):
        return self.tables.setdefault(table, {"games": 0, "seconds": 0.0, "firsts": [], "counted": {}, "wrong": []})

    def add(self, table, first, games, seconds, counted, wrong):
        row = self.of(table)
        row["games"] += games
        row["seconds"] += seconds
        row["firsts"].append(first)
        row["wrong"] += wrong
        for name, number in counted.items():
            row["counted"][name] = row["counted"].get(name, 0) + number
        if self.path:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.path.with_suffix(".new")
            fresh.write_text(json.dumps(self.tables, indent=1), encoding="utf-8")
            os.replace(fresh, self.path)


def _chunk(work):
    """Some games of a table: what was counted, and of each game that went wrong what is needed to play it again."""
    play, table, first, games = work
    begun, counted, wrong = time.perf_counter(), {}, []
    for seed in range(first, first + games):
        try:
            for name, number in play(table, seed).items():
                counted[name] = counted.get(name, 0) + number
        except Exception as error:  # whatever it is, it is told, and the next game begins
            wrong.append(f"seed {seed}: {type(error).__name__}: {error}"[:600])
    return table, first, games, time.perf_counter() - begun, counted, wrong


def soak(args, tables, play, say):
    """Plays `play(table, seed)` for every table, in turn, and prints `say(counted)` of each. A table is a text."""
    progress, begun, interrupted = Progress(args.state), time.perf_counter(), False
    work = [
        (play, table, first, min(CHUNK, args.seed + args.games - first))
        for first in range(args.seed, args.seed + args.games, CHUNK)
        for table in tables
        if not progress.done(table, first)
    ]
    with get_context("spawn").Pool(args.jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            for found in pool.imap_unordered(_chunk, work):
                progress.add(*found)
                for text in found[-1]:
                    print(f"{found[0]}, {text}", flush=True)
        except KeyboardInterrupt:
            pool.terminate()
            interrupted = True
    failed = 0
    for table in tables:
        row = progress.of(table)
        failed += len(row["wrong"])
        verdict = "all as they should be" if not row["wrong"] else f"{len(row['wrong'])} games NOT as they should be"
        print(f"{table}: {row['games']} games, {say(row['counted'])}, {verdict}, {row['seconds']:.0f} s", flush=True)
    print(f"{time.perf_counter() - begun:.0f} s in all{'; interrupted' if interrupted else ''}", flush=True)
    return 130 if interrupted else 1 if failed else 0
