"""Many random games of every table, in C beside Python: choice by choice, slot by slot, row by row of the logs. Every
fourth is played by the plain evaluator, too: three at once. Each option is another table, at each of its values.

python tests/soak_native.py [--games 500] [--jobs 2] [--seed 1000] [--state FILE]      so many games at each table
python tests/soak_native.py --made --games 2000 …      so many made-up rule files, three games of each
"""

import random
import sys
import tempfile
from ast import literal_eval
from contextlib import suppress
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from beside import play_in_step
from generated import Writer
from loading import TABLES, compiled, loaded, other_options
from oracles.steps import play_beside
from soaking import options, soak
from tabarro.interpreter import RulesError, load_game

MADE = "made-up rule files"


def played(table, seed):
    if table == MADE:
        return made(seed)
    try:
        game = game_of(table)
    except RulesError:  # not every value goes with every number of players
        return {}
    assert game.workshop.library(wait=True) is not None
    if seed % 4 == 3:
        decisions = play_beside(game, random.Random(seed), 200, compiled=True)
        return {"decisions": decisions, "by all three": decisions}
    return {"decisions": play_in_step(game, seed, 1000, chance=seed % 8 == 6)}


@cache
def game_of(table):
    name, _, players, *chosen = table.split(" ", 4)
    options = literal_eval(chosen[1]) if chosen else {}
    return compiled(name, int(players), options) if options else loaded(name, int(players))


def tables():
    for name, players in TABLES:
        yield f"{name} for {players}"
        yield from (f"{name} for {players} with {chosen}" for chosen in other_options(name))


def made(seed):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.yaml"
        path.write_text(Writer(random.Random(f"native {seed}")).game(), encoding="utf-8")
        with suppress(RulesError):
            game = load_game(path)
            assert game.workshop.library(wait=True) is not None
            three = play_beside(game, random.Random(seed), 40, compiled=True)
            steps = sum(play_in_step(game, number, 100) for number in range(3))
            return {"decisions": steps + three, "by all three": three, "files": 1}
    return {}


def main(arguments=None):
    parser = options(__doc__)
    parser.add_argument("--made", action="store_true", help="made-up rule files instead, so many as --games says")
    args = parser.parse_args(arguments)
    return soak(args, [MADE] if args.made else list(tables()), played, lambda n: f"{n.get('decisions', 0)} decisions")


if __name__ == "__main__":
    sys.exit(main())
