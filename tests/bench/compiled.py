"""How fast compiled rules are: beside the program in Python and beside OpenSpiel, in one run. `run.py` prints it; alone:

python tests/bench/compiled.py [--seconds S] [--rounds N]

Whole playouts are `Game.playouts`, beside OpenSpiel's own loop in C++ (its evaluator by rollouts); step by step is a loop
in Python over `legal` and `apply`, beside the same loop over OpenSpiel's C++ games. Ratios are taken within a round.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import random
from statistics import median
from time import perf_counter, process_time

SPIEL = {"tic-tac-toe": "tic_tac_toe", "kuhn-poker": "kuhn_poker", "leduc-poker": "leduc_poker"}
ROLLOUTS = 20_000
GROWING = [("venice-2013", 3), ("venice-2013", 4), ("venice-2013", 5), ("cards-safe", 3), ("cards-safe", 5)]
BOARDS = [(8, 7), (20, 10), (25, 40)]
BOARD = """
name: Board
players: {{2: {{}}}}
things: {{player: [ann, bob], square: {{grid: {{column: {0}, row: {1}}}}}}}
seats: players
links: {{beyond of square: {{steps: [[1, 0], [0, 1], [1, 1]]}}}}
state:
  place of player: {{is: square, start: a1, seen by: all}}
  trail: {{is: set of square, seen by: all}}
words: {{free of player: (beyond of place of player) without trail}}
rules:
  game:
    rounds:
      repeat:
        turns:
          for each: player in players
          do:
            go: {{ask: player, for: {{target: free of player}}, seen by: all, if none: {{stuck: {{end: player}}}}}}
            there: {{set: {{place of player: target, trail: trail plus target}}}}
      until: count of trail is at least 40
    over: {{end: nobody}}
"""


def paced(play: Callable[[], int], seconds: float) -> float:
    """Decisions a second of processor time."""
    decisions, start = 0, process_time()
    while (spent := process_time() - start) < seconds:
        decisions += play()
    return decisions / spent


def stepped(new: Callable) -> Callable[[], int]:
    seed = 0

    def play() -> int:
        nonlocal seed
        seed += 1
        state, decisions = new(seed), 0
        while not state.over:
            choices = state.legal()
            state.apply(choices[int(random() * len(choices))])
            decisions += 1
        return decisions

    return play


def whole(game, habits: bool = False) -> Callable[[], int]:
    seed, games = 0, 16

    def play() -> int:
        nonlocal seed, games
        before = process_time()
        found = game.playouts(games, seed, habits, native=True).decisions
        seed += games
        games = min(200_000, games * (2 if process_time() - before < 0.05 else 1))
        return found

    return play


def spiel_steps(game) -> Callable[[], int]:
    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while (player := state.current_player()) != -4:
            if player == -1:
                point = random()
                for action, chance in state.chance_outcomes():
                    point -= chance
                    if point < 0:
                        break
                state.apply_action(action)
                continue
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
            decisions += 1
        return decisions

    return play


def spiel_loop(pyspiel, game, length: float) -> Callable[[], int]:
    """Its evaluator plays so many random games by itself; how many decisions they have on average is known."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)

    def play() -> int:
        pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False).mcts_search(state)
        return int(ROLLOUTS * length)

    return play


def beside(tabarro, pyspiel, name: str, seconds: float, rounds: int) -> dict:
    game = tabarro.load_game(name)
    tally = game.playouts(2000, native=True)
    length = tally.decisions / tally.games
    plays = {
        "python": stepped(game.new),
        "steps": stepped(game.native),
        "whole": whole(game),
    }
    if pyspiel is not None:
        theirs = pyspiel.load_game(SPIEL[name])
        plays |= {"spiel steps": spiel_steps(theirs), "spiel loop": spiel_loop(pyspiel, theirs, length)}
    speeds: dict[str, list[float]] = {key: [] for key in plays}
    for turn in range(rounds):
        for key in plays if turn % 2 == 0 else reversed(plays):
            speeds[key].append(paced(plays[key], seconds))

    def ratio(one: str, two: str) -> float | None:
        return median(a / b for a, b in zip(speeds[one], speeds[two])) if two in speeds else None

    return {
        "game": name,
        **{key: median(found) for key, found in speeds.items()},
        "whole to spiel loop": ratio("whole", "spiel loop"),
        "steps to spiel steps": ratio("steps", "spiel steps"),
    }


def grown(tabarro, game, label: str, seconds: float) -> dict:
    """With habits, as a game of random players is otherwise over at once; and how long the compiler takes."""
    start = perf_counter()
    made = game.workshop.library(wait=True) is not None
    waited = perf_counter() - start
    return {
        "game": label,
        "made": made,
        "sampled": paced(whole(game, True), seconds),
        "listed": paced(_listed(game, seconds), seconds),
        "compile_s": waited,
    }


def _listed(game, seconds: float) -> Callable[[], int]:
    """Step by step in Python, with all that can be chosen; by habits."""
    import random as chance

    rng, seed = chance.Random(7), 0

    def play() -> int:
        nonlocal seed
        seed += 1
        state, decisions, end = game.native(seed), 0, process_time() + seconds
        while not state.over and process_time() < end:
            choices = state.legal()
            usual = [c for c in choices if rng.random() < 0.5] or choices
            state.apply(usual[int(rng.random() * len(usual))], trusted=True)
            decisions += 1
        return decisions

    return play


def report(tabarro, pyspiel, seconds: float, rounds: int, print_table: Callable, number: Callable) -> dict:
    from tabarro.interpreter.building import missing

    if missing() in ("extension", "compiler"):
        return {}
    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("TABARRO_CACHE")
        os.environ["TABARRO_CACHE"] = str(Path(folder) / "cache")
        rows = [beside(tabarro, pyspiel, name, seconds, rounds) for name in SPIEL]
        games = [(tabarro.load_game(name, players), f"{name}, {players} players") for name, players in GROWING]
        for columns, lines in BOARDS:
            path = Path(folder) / f"board{columns}.yaml"
            path.write_text(BOARD.format(columns, lines), encoding="utf-8")
            games.append((tabarro.load_game(path), f"board of {columns * lines} squares"))
        growth = [grown(tabarro, game, label, seconds) for game, label in games]
        if before is None:
            del os.environ["TABARRO_CACHE"]
        else:
            os.environ["TABARRO_CACHE"] = before
    heads = ["python", "steps", "whole", "spiel steps", "spiel loop"]
    print_table(
        "compiled rules: decisions a second, and ratios to OpenSpiel in C++",
        ["", "Python", "compiled, steps", "compiled, whole", "OpenSpiel, steps", "OpenSpiel, whole", "steps", "whole"],
        [
            [
                row["game"],
                *(number(row.get(head)) for head in heads),
                number(row["steps to spiel steps"], 2, " x"),
                number(row["whole to spiel loop"], 2, " x"),
            ]
            for row in rows
        ],
    )
    print_table(
        "compiled rules: decisions a second of random players with habits, and seconds that the compiler took",
        ["", "sampled, whole games", "all listed, step by step", "seconds"],
        [[row["game"], number(row["sampled"]), number(row["listed"]), number(row["compile_s"], 1)] for row in growth],
    )
    return {"beside": rows, "growth": growth}


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    import run

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    libraries = run.find_libraries([])
    report(libraries[0], libraries[1], options.seconds, options.rounds, run.print_table, run.number)
