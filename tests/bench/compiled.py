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

SPIEL = {
    "tic-tac-toe": "tic_tac_toe",
    "kuhn-poker": "kuhn_poker",
    "leduc-poker": "leduc_poker",
    "liars-dice": "liars_dice",
}
ROLLOUTS = 20_000
BETWEEN_LOOKS = 20  # games between two looks at the clock, which takes as long as two decisions
GROWING = [(name, players) for name in ("venice-2013", "cards-safe") for players in (3, 4, 5)]
BOARDS = [(29, 2), (20, 10), (25, 40)]
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


DECKS = [20, 60, 100, 200]
DECK = """
name: Deck
players: {{2: {{}}}}
things: {{player: [ann, bob], card: [{1}]}}
seats: players
state:
  hand of player: {{is: set of card, seen by: all}}
  gone: {{is: set of card, seen by: all}}
rules:
  game:
    hands: {{deal: cards, to: players, as: hand, each: {0}}}
    rounds:
      repeat:
        turns:
          for each: player in players
          do:
            lay: {{ask: player, for: {{laid: hand of player}}, seen by: all, if none: {{out: {{end: player}}}}}}
            away: {{set: {{hand of player: (hand of player) without laid, gone: gone plus laid}}}}
      until: no card is in hand of bob
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
        decisions = 0
        for _ in range(BETWEEN_LOOKS):
            seed += 1
            state = new(seed)
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
        decisions = 0
        for _ in range(BETWEEN_LOOKS):
            state = game.new_initial_state()
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


def length_of(game) -> float:
    play = spiel_steps(game)
    return sum(play() for _ in range(200)) / (200 * BETWEEN_LOOKS)


def beside(tabarro, pyspiel, name: str, seconds: float, rounds: int) -> dict:
    game = tabarro.load_game(name, players=2)
    game.playouts(2000, native=True)
    plays = {
        "python": stepped(game.new),
        "steps": stepped(game.native),
        "whole": whole(game),
    }
    if pyspiel is not None:
        theirs = pyspiel.load_game(SPIEL[name])
        plays |= {"spiel steps": spiel_steps(theirs), "spiel loop": spiel_loop(pyspiel, theirs, length_of(theirs))}
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
    """Step by step in Python, each time with all that can be chosen; what is chosen is as habits say."""
    from tabarro.interpreter.many import scrambled

    seed = 0

    def play() -> int:
        nonlocal seed
        seed += 1
        position, decisions, luck, end = game.native(seed), 0, scrambled(~seed), process_time() + seconds
        while not position.over and (decisions % 16 or process_time() < end):
            position.legal()
            choice, luck = position.sample(luck, True)
            position.apply(choice, True)
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
        for cards in DECKS:
            path = Path(folder) / f"deck{cards}.yaml"
            path.write_text(DECK.format(cards // 2, ", ".join(f"c{n}" for n in range(cards))), encoding="utf-8")
            games.append((tabarro.load_game(path), f"hands of {cards // 2} of {cards} cards"))
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
