"""Many random games of every table, in C beside Python: choice by choice, slot by slot, row by row of the logs. Every
fourth is played by the plain evaluator, too: three at once. Each option is another table, at each of its values. Where
a plan is made, Python lists all that it leaves open at one decision of sixteen only; at the others it chooses one.

python tests/soak_native.py [--games 500] [--jobs 2] [--seed 1000] [--state FILE]      so many games at each table
python tests/soak_native.py --made --games 2000 …      so many made-up rule files, and as many with made-up expressions
"""

import random
import sys
import tempfile
from ast import literal_eval
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from beside import play_in_step
from generated import Writer
from loading import TABLES, compiled, loaded, other_options
from oracles.steps import play_beside
from soaking import options, soak
from tabarro.interpreter import RulesError, building, load_game

MADE = "made-up rule files"
building.PATIENCE = 3_600  # seconds: a soak has the lowest priority, and so have the compilers that it starts


def played(table, seed):
    if table == MADE:
        return made(seed)
    try:
        game = game_of(table)
    except RulesError:  # not every value goes with every number of players
        return {}
    assert game.workshop.library(wait=True) is not None, "there is no library"
    if seed % 4 == 3:
        decisions = play_beside(game, random.Random(seed), 200, compiled=True)
        return {"decisions": decisions, "by all three": decisions}
    return {"decisions": play_in_step(game, seed, 1000, chance=seed % 8 == 6, thorough=16)}


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
    counted = {"decisions": 0, "by all three": 0, "files": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.yaml"
        gaps = (0.01, 0.08, 0.2)[seed % 3]
        one, two = (Writer(random.Random(f"{kind} {seed}"), gaps=gaps) for kind in ("native", "shown"))
        for text in (one.game(), two.shown(40)):
            game = passing(path, text)
            if game is None:
                continue
            assert game.workshop.library(wait=True) is not None
            three = sum(play_beside(game, random.Random(f"{seed} {n}"), 40, compiled=True) for n in range(8))
            steps = sum(play_in_step(game, number, 100) for number in range(3))
            for name, number in (("decisions", steps + three), ("by all three", three), ("files", 1)):
                counted[name] += number
    return counted


def passing(path, text):
    """The game, without those expressions that the check refuses, or nothing."""
    for _ in range(4):
        path.write_text(text, encoding="utf-8")
        try:
            return load_game(path)
        except RulesError as error:
            refused = {problem.place.line for problem in error.problems if problem.place is not None}
        lines = text.splitlines(keepends=True)
        shown = [n for n, line in enumerate(lines, 1) if n in refused and "{then: {" in line]
        if not shown:
            return None
        text = "".join(line for n, line in enumerate(lines, 1) if n not in shown)
    return None


def say(counted):
    return f"{counted.get('decisions', 0)} decisions, {counted.get('by all three', 0)} of them by all three"


def main(arguments=None):
    parser = options(__doc__)
    parser.add_argument("--made", action="store_true", help="made-up rule files instead, so many as --games says")
    args = parser.parse_args(arguments)
    return soak(args, [MADE] if args.made else list(tables()), played, say)


if __name__ == "__main__":
    sys.exit(main())
