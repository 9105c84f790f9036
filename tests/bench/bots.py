"""How well the bots that think play, and how fast.

    python tests/bench/bots.py --games 100 --jobs 2

Two deducers who are partners sit down with two careful players (who move and answer at random, and declare when they are
certain); in half of the games they are the lords, in the other half the madames. Then four deducers play among
themselves; with `--bot thinker` it is two thinkers, and they also sit down with two deducers. Reported are the games won, wrong declarations, how many rounds it took, and games a minute of processor time.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import cache
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mind"))

from tabarro.interpreter import load_game
from test_bots import play, team_of

GAMES = ("venice-2013", "venice-classic", "venice-japan", "cards-safe", "cards-phone")


loaded = cache(load_game)


def rounds(state) -> int:
    return state.umpire().value(state.game.vocabulary.functions["rounds"][0])


def sit_down(job: tuple[str, str, str, int]) -> tuple[bool, bool, bool, int, float]:
    """One game: was it won by the team looked at, was anything declared wrongly by it, is it stuck, rounds, time."""
    name, kind, others, seed = job
    game = loaded(name, 4)
    team = team_of(game, seed)
    bots = {seat: kind if seat in team else others for seat in game.seats}
    began = time.process_time()
    state, _, declared = play(game, bots, seed)
    seconds = time.process_time() - began
    winners = set(state.result.winners) if state.over else set()
    wrong = declared is not None and bots[declared.seat] == kind and declared.seat not in winners
    return winners == team, wrong, not state.over, rounds(state), seconds


def report(name: str, kind: str, others: str, games: int, first: int, pool) -> str:
    rows = list(pool.imap(sit_down, [(name, kind, others, seed) for seed in range(first, first + games)], chunksize=5))
    turns = sorted(row[3] for row in rows)
    spread = ", ".join(str(turns[min(games - 1, int(games * q))]) for q in (0, 0.1, 0.25, 0.5, 0.75, 0.9, 1))
    seconds = sum(row[4] for row in rows)
    return (
        f"| {name} | {kind} | {others} | {games} | {sum(row[0] for row in rows)} | {sum(row[1] for row in rows)} | "
        f"{sum(row[2] for row in rows)} | {spread} | {60 * games / seconds:.0f} |"
    )


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=100, help="of each game")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--bot", default="deducer")
    parser.add_argument("--others", default="careful,deducer", help="with whom they sit down")
    parser.add_argument("--only", help="a game, such as cards-safe")
    args = parser.parse_args(argv)
    print(
        "| Game | Two | and two | Games | Won | Wrong declarations | Stuck | "
        "Rounds: least, 10 %, 25 %, half, 75 %, 90 %, most | Games a minute and core |"
    )
    print("|---|---|---|--:|--:|--:|--:|---|--:|")
    with Pool(args.jobs) as pool:
        for others in args.others.split(","):
            for name in GAMES if args.only is None else (args.only,):
                print(report(name, args.bot, others, args.games, args.seed, pool), flush=True)


if __name__ == "__main__":
    main()
