"""Many random games of every table, in C beside Python: choice by choice, slot by slot, row by row of the logs.

python tests/soak_native.py [--games 500] [--jobs 2] [--seed 1000] [--state FILE]      so many games at each table
python tests/soak_native.py --made --games 2000 …      so many made-up rule files, three games of each
"""

import random
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from beside import play_in_step
from generated import Writer
from loading import TABLES, loaded
from soaking import options, soak
from tabarro.interpreter import RulesError, load_game

MADE = "made-up rule files"


def played(table, seed):
    if table == MADE:
        return made(seed)
    name, players = table.rsplit(" for ", 1)
    game = loaded(name, int(players))
    assert game.workshop.library(wait=True) is not None
    return {"decisions": play_in_step(game, seed, 1000, chance=seed % 8 == 7)}


def made(seed):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.yaml"
        path.write_text(Writer(random.Random(f"native {seed}")).game(), encoding="utf-8")
        with suppress(RulesError):
            game = load_game(path)
            assert game.workshop.library(wait=True) is not None
            return {"decisions": sum(play_in_step(game, number, 100) for number in range(3)), "files": 1}
    return {}


def main(arguments=None):
    parser = options(__doc__)
    parser.add_argument("--made", action="store_true", help="made-up rule files instead, so many as --games says")
    args = parser.parse_args(arguments)
    tables = [MADE] if args.made else [f"{name} for {players}" for name, players in TABLES]
    return soak(args, tables, played, lambda n: f"{n.get('decisions', 0)} decisions")


if __name__ == "__main__":
    sys.exit(main())
