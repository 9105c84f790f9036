"""How many positions a second a thinker plays out: by compiled rules, and in Python.

    python tests/bench/thinking.py --rounds 3

Both think about the same question with the same seed, in turn, and must come to the same choice. Told are positions per
second of processor time, the median of the rounds, and the ratio within a round.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median

from tabarro.interpreter import load_game
from tabarro.mind.bots import BOTS
from tabarro.mind.search import Place, Search

GAMES = ["kuhn-poker", "leduc-poker", "liars-dice", "tic-tac-toe", "four-in-a-row", "last-guest", "expedition"]
GAMES += ["night-runner", "little-mystery"]
POSITIONS = 400


def asked(game):
    """Somebody who has several choices, and thinks about positions as they may be now."""
    for seed in range(100):
        state, rng = game.new(seed), random.Random(seed)
        for _ in range(3):
            if not state.over and len(dict.fromkeys(state.legal())) > 1:
                bot = BOTS["thinker"](game, state.actor)
                bot.read(state.player(state.actor))
                if not bot.belief.failed:
                    return state, bot
            if not state.over:
                state.apply(state.sample(rng, habits=True))
    raise ValueError(game.id)


def thought(game, state, bot, compiled: bool):
    search = Search(game, state.actor, random.Random(9), bot.nearness, bot.declaring, bot.declarations())
    if not compiled:
        search.places["begun"] = Place()  # what was begun in Python goes on there
    worlds, choices = bot.belief.courses.worlds(), list(dict.fromkeys(state.legal()))
    begun = time.process_time()
    best = search.think(worlds, choices, POSITIONS)
    return search.iterations / (time.process_time() - begun), (best, search.iterations, search.steps)


def compared(name: str, rounds: int) -> dict:
    game = load_game(name)
    game.workshop.library(wait=True)
    state, bot = asked(game)
    rows = [(thought(game, state, bot, False), thought(game, state, bot, True)) for _ in range(rounds)]
    return {
        "game": name,
        "python": median(plain[0] for plain, _ in rows),
        "compiled": median(compiled[0] for _, compiled in rows),
        "times": median(compiled[0] / plain[0] for plain, compiled in rows),
        "same": len({found for row in rows for _, found in row}) == 1,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="games, such as kuhn-poker,expedition")
    args = parser.parse_args()
    print("| positions a second | Python | compiled | times | the same choice |")
    print("|---|--:|--:|--:|---|")
    for name in args.only.split(",") if args.only else GAMES:
        row = compared(name, args.rounds)
        same = "yes" if row["same"] else "no"
        print(f"| {name} | {row['python']:,.0f} | {row['compiled']:,.0f} | {row['times']:.0f} × | {same} |", flush=True)


if __name__ == "__main__":
    main()
