"""Does a bot play better than others in every game that comes along?

    python tests/bench/versus.py --bot thinker --others random --games 40 --jobs 2 --state build/versus.json

In each game those who win together, or one player where everybody plays alone, are the bot in question, the others are
`--others`. Every deal is played once for each side, with the same luck, so that neither seats nor cards favour anybody.
Told is the share that was won beside the share that it would be by chance, or the mean score where a game counts
scores; with intervals of 95 % over the deals, and how likely so much would be by chance alone. Games in which nobody can
choose well, because nothing hangs on it, are not expected to differ. It can be interrupted, and goes on with `--state`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from statistics import NormalDist, fmean, stdev

from tabarro.interpreter import games, load_game
from tabarro.mind.bots import BOTS
from tabarro.mind.deducer import DeducerBot
from tabarro.mind.goals import goals_of

LONGEST = 5_000  # decisions
loaded = cache(load_game)


def sides_of(game, state) -> list[frozenset[str]]:
    """Who wins together in this deal, by the goals that the rules have; each for himself where that cannot be told."""
    players = [seat for seat in game.seats if seat not in game.chance_seats]
    names = dict(zip(game.vocabulary.seats, game.seats, strict=True))
    judge = DeducerBot(game, players[0])
    position = game.position(None, state.umpire().cells())
    found = []
    for seat in players:
        atom = game.vocabulary.seats[game.seats.index(seat)]
        allies = {atom}
        for goal in goals_of(game):
            allies.update(judge._winners(goal, atom, position) or ())
        found.append(frozenset(names[a] for a in allies if a in names))
    together = all(side == found[players.index(seat)] for side in found for seat in side)
    sides = list(dict.fromkeys(found)) if together else [frozenset([seat]) for seat in players]
    return sides if len(sides) > 1 else [frozenset([seat]) for seat in players]


def play(job: tuple[str, int | None, str, str, int]) -> tuple[list[float], list[float], float, float]:
    """All games of one deal: what the bot gained in each, what by chance it would have, seconds of bot, of others."""
    name, players, kind, others, seed = job
    game = loaded(name, players)
    gained, fair, mine, rest = [], [], 0.0, 0.0
    for side in sides_of(game, game.new(seed)):
        state = game.new(seed)
        kinds = {s: kind if s in side else others for s in game.seats if s not in game.chance_seats}
        bots = {seat: BOTS[k](game, seat) for seat, k in kinds.items()}
        luck = {seat: random.Random(f"{seed}/{seat}") for seat in bots}
        for _ in range(LONGEST):
            if state.over:
                break
            seat, begun = state.actor, time.process_time()
            choice = bots[seat].choose(state.player(seat), luck[seat])
            spent = time.process_time() - begun
            mine, rest = (mine + spent, rest) if seat in side else (mine, rest + spent)
            state.apply(choice)
        scores = state.result.scores if state.over else dict.fromkeys(kinds, 0)
        gained.append(fmean(scores[s] for s in side))
        fair.append(fmean(scores[s] for s in kinds))
    return gained, fair, mine, rest


def told(name: str, rows: list) -> str:
    """The difference from a fair share, in a line."""
    gains = [fmean(row[0]) for row in rows]
    over = [fmean(row[0]) - fmean(row[1]) for row in rows]
    deals, count = len(rows), sum(len(row[0]) for row in rows)
    spread = stdev(over) / deals**0.5 if deals > 1 else float("inf")
    chance = 2 * (1 - NormalDist().cdf(abs(fmean(over)) / spread)) if spread else float(not any(over))
    seconds = sum(row[2] for row in rows) / count
    return (
        f"| {name} | {count} | {fmean(gains):.3f} | {fmean(gains) - fmean(over):.3f} | {fmean(over):+.3f} "
        f"({fmean(over) - 1.96 * spread:+.3f} … {fmean(over) + 1.96 * spread:+.3f}) | {chance:.4f} | {seconds:.2f} |"
    )


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bot", default="thinker")
    parser.add_argument("--others", default="random")
    parser.add_argument("--games", type=int, default=40, help="of each game, about")
    parser.add_argument("--only", help="games, such as cards-safe,kuhn-poker")
    parser.add_argument("--players", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--state", type=Path)
    args = parser.parse_args(argv)
    done = json.loads(args.state.read_text()) if args.state and args.state.exists() else {}
    print("| Game | Games | Gained | By chance | Difference (95 %) | Chance alone | Seconds a game |")
    print("|---|--:|--:|--:|---|--:|--:|")
    with Pool(args.jobs) as pool:
        for name in args.only.split(",") if args.only else games():
            game = loaded(name, args.players)
            deals = max(2, args.games // len(sides_of(game, game.new(args.seed))))
            rows = done.setdefault(f"{name} {args.bot} {args.others} {args.seed}", [])
            seeds = range(args.seed + len(rows), args.seed + deals)
            for row in pool.imap(play, [(name, args.players, args.bot, args.others, seed) for seed in seeds]):
                rows.append(row)
                if args.state:
                    args.state.parent.mkdir(exist_ok=True)
                    args.state.write_text(json.dumps(done))
            print(told(name, rows), flush=True)


if __name__ == "__main__":
    sys.exit(main())
