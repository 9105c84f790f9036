"""How fast is it? All that is promised about speed, measured side by side in one run.

    python tests/bench/run.py [--quick] [--only STAGE ...] [--seconds S] [--rounds N] [--games ID ...] [--json FILE]

The stages: the program in Python beside OpenSpiel's games in Python and C++ and a class in plain Python (beside); compiled
rules beside both, and how their cost grows (compiled); how many positions a thinker plays out (thinking); how many games a
second careful bots play, beside version 0.1 (careful); how long one waits for ten games (waiting); every game there is
(games), and how long some of them take to load (loading). At the end stands what was wanted of it, beside what was found.

A playout is: a new game, then the legal choices, one of them picked with `random.random()`, and its application, until
the game is over. Only players' decisions are counted, chance is not. The contestants take turns in short slices, in
several rounds of alternating direction, and every ratio is taken within a round, so that a machine that slows down
slows all of them down. Slices are measured in processor time: what other programs take is not counted.

A library that is missing is noted, and the rest is measured. The exit code is 1 only if something failed that is there.
"""

import argparse
import gc
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from random import Random, random
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import compiled  # noqa: E402
import faster  # noqa: E402
import ten  # noqa: E402
import thinking  # noqa: E402
from oracles.kuhn import Kuhn  # noqa: E402
from oracles.tictactoe import TicTacToe  # noqa: E402

SPIEL_PYTHON, SPIEL_CPP = "OpenSpiel, Python game", "OpenSpiel, C++ from Python"
SPIEL_NAMES = {"tic-tac-toe": "tic_tac_toe", "kuhn-poker": "kuhn_poker"}
STAGES = ("beside", "compiled", "thinking", "careful", "waiting", "games", "loading")
SHORT = ("beside", "compiled", "thinking", "careful", "waiting")
CAREFUL = [("venice-2013", 4, "careful", 120), ("venice-classic", 4, "careful", 120), ("cards-safe", 4, "careful", 160)]
LOADED = ("venice-2013", "cards-safe", "night-runner", "expedition", "kuhn-poker", "tic-tac-toe")
TEN = "venice-2013:5"  # whose library takes the compiler longest
BATCH = 20  # playouts between two looks at the clock
RUNS = 3  # of each thing that needs a process of its own


class Contestant(NamedTuple):
    name: str
    playout: Callable[[], int]  # plays one game, returns the number of decisions


# --- playouts ---------------------------------------------------------------------------------------------------------


def of_states(new: Callable) -> Callable[[], int]:
    """Playouts of states with `over`, `legal()` and `apply()`, chance resolved by `new`."""

    def playout() -> int:
        state, decisions = new(), 0
        while not state.over:
            choices = state.legal()
            state.apply(choices[int(random() * len(choices))])
            decisions += 1
        return decisions

    return playout


def of_states_with_chance(new: Callable) -> Callable[[], int]:
    """The same with chance as explicit nodes, drawn here."""

    def playout() -> int:
        state, decisions = new(), 0
        while not state.over:
            if state.actor == "chance":
                state.apply(drawn((choice, float(chance)) for choice, chance in state.chances()))
                continue
            choices = state.legal()
            state.apply(choices[int(random() * len(choices))])
            decisions += 1
        return decisions

    return playout


def of_spiel(game) -> Callable[[], int]:
    """Playouts of OpenSpiel's states in their fastest way: one question (whose turn?) also tells chance and the end."""
    chance, over = -1, -4

    def playout() -> int:
        state, decisions = game.new_initial_state(), 0
        while (player := state.current_player()) != over:
            if player == chance:
                state.apply_action(drawn(state.chance_outcomes()))
                continue
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
            decisions += 1
        return decisions

    return playout


def drawn(outcomes):
    point = random()
    for outcome, chance in outcomes:
        point -= chance
        if point < 0:
            break
    return outcome


def seeded(new: Callable) -> Callable:
    """Each call a new game from the next seed."""
    seed = 0

    def next_game():
        nonlocal seed
        seed += 1
        return new(seed=seed)

    return next_game


# --- the comparison ---------------------------------------------------------------------------------------------------


def contestants(game_id: str, tabarro, spiel) -> list[Contestant]:
    rows = []
    if tabarro:
        game = tabarro.load_game(game_id, players=2, options={})
        rows.append(Contestant("tabarro", of_states(seeded(game.new))))
        if game_id == "kuhn-poker":
            rows.append(Contestant("tabarro, chance explicit", of_states_with_chance(game.new)))
    if spiel:
        name = SPIEL_NAMES[game_id]
        rows.append(Contestant(SPIEL_PYTHON, of_spiel(spiel.load_game(f"python_{name}"))))
        rows.append(Contestant(SPIEL_CPP, of_spiel(spiel.load_game(name))))
    if game_id == "tic-tac-toe":
        rows.append(Contestant("plain Python class", of_states(TicTacToe)))
    else:
        rng = Random(7)
        rows.append(Contestant("plain Python class", of_states(lambda: Kuhn.dealt(rng))))
        rows.append(Contestant("plain Python class, seeded", of_states(seeded(Kuhn.new))))
    return rows


def compare(rows: list[Contestant], seconds: float, rounds: int) -> list[dict]:
    """Decisions a second of each in each round, and the ratios to OpenSpiel's Python game in the same round."""
    speeds = {row.name: [] for row in rows}
    lengths = {row.name: [0, 0] for row in rows}
    for row in rows:
        row.playout()  # what is done only once is not counted
    for turn in range(rounds):
        for row in rows if turn % 2 == 0 else reversed(rows):
            decisions, games, spent = timed(row.playout, seconds)
            speeds[row.name].append(decisions / spent)
            lengths[row.name][0] += decisions
            lengths[row.name][1] += games
    base = speeds.get(SPIEL_PYTHON)
    table = []
    for name, found in speeds.items():
        ratios = [speed / other for speed, other in zip(found, base)] if base else None
        table.append(
            {
                "name": name,
                "decisions_per_second": median(found),
                "slowest": min(found),
                "fastest": max(found),
                "rounds": found,
                "decisions_per_game": lengths[name][0] / lengths[name][1],
                "ratio": median(ratios) if ratios else None,
            }
        )
    return table


def timed(playout: Callable[[], int], seconds: float) -> tuple[int, int, float]:
    gc.collect()
    decisions = games = 0
    start = process_time()
    while (spent := process_time() - start) < seconds:
        for _ in range(BATCH):
            decisions += playout()
        games += BATCH
    return decisions, games, spent


# --- every game of the library ----------------------------------------------------------------------------------------


def survey(tabarro, game_id: str, players: int, seconds: float) -> dict:
    game = tabarro.load_game(game_id, players=players, options={})
    rng = Random(7)

    def listed(state):
        choices = state.legal()
        return choices[int(random() * len(choices))]

    by_legal, per_game = pace(game, listed, seconds)
    by_sample, _ = pace(game, lambda state: state.sample(rng), seconds)
    state = game.new(seed=7)
    for _ in range(3):
        ahead = state.clone()
        ahead.apply(ahead.sample(rng))
        if ahead.over:
            break
        state = ahead
    return {
        "game": game_id,
        "players": players,
        "legal_apply_per_second": by_legal,
        "sample_apply_per_second": by_sample,
        "decisions_per_game": per_game,
        "clone_us": clone_time(state, seconds / 2),
    }


def pace(game, pick: Callable, seconds: float) -> tuple[float, float | None]:
    """Decisions a second and decisions a game (None if no game ended in time); long games are cut when time is up."""
    new = seeded(game.new)
    decisions = games = ended = 0
    start = process_time()
    while (spent := process_time() - start) < seconds:
        state, played = new(), 0
        while not state.over:
            state.apply(pick(state))
            played += 1
            if played % 16 == 0 and process_time() - start > seconds:
                break
        else:
            games, ended = games + 1, ended + played
        decisions += played
    return decisions / spent, ended / games if games else None


def clone_time(state, seconds: float) -> float:
    """Microseconds, the best of several slices: anything above the best is disturbance."""
    best, count, clone = float("inf"), 2000, state.clone
    until = perf_counter() + seconds
    while perf_counter() < until or best == float("inf"):
        start = process_time()
        for _ in range(count):
            clone()
        best = min(best, (process_time() - start) / count)
    return best * 1e6


# --- times of whole processes -----------------------------------------------------------------------------------------

LOAD = """
import json, sys, time
from tabarro.interpreter import load_game
before, game, players = json.loads(sys.argv[1])
if before:
    load_game(before[0], players=before[1], options={})
start = time.process_time()
load_game(game, players=players, options={})
print((time.process_time() - start) * 1000)
"""


def load_time(game_id: str, players: int, before: tuple[str, int] | None, cache: str = "") -> float:
    """Milliseconds of processor time to load a game in a new process, and after another game if given: compiled, or
    from a cache that knows it."""
    command = [sys.executable, "-c", LOAD, json.dumps([before, game_id, players])]
    surroundings = {**os.environ, "TABARRO_CACHE": cache}
    times = []
    for _ in range(RUNS + 1):
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=surroundings)
        times.append(float(done.stdout))
    return median(times[1:])  # the first may write byte code, and fill the cache


def wall_time(command: list[str]) -> float:
    """Milliseconds from start to end of a command; its first run, which may write byte code, is not counted."""
    times = []
    for _ in range(RUNS + 1):
        start = perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append((perf_counter() - start) * 1000)
    return median(times[1:])


def help_command() -> list[str]:
    """The installed command of this Python, else of the path, else the module."""
    found = shutil.which("tabarro", path=sysconfig.get_path("scripts")) or shutil.which("tabarro")
    return [found, "--help"] if found else [sys.executable, "-m", "tabarro.cli", "--help"]


# --- the report -------------------------------------------------------------------------------------------------------


def print_table(title: str, heads: list[str], rows: list[list]) -> None:
    """First column to the left, numbers to the right."""
    cells = [heads, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    print(f"\n{title}")
    for row in cells:
        print(
            "  "
            + "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))])
        )
    sys.stdout.flush()


def number(value: float | None, places: int = 0, after: str = "") -> str:
    return "-" if value is None else f"{value:,.{places}f}{after}"


def find_libraries(notes: list[str]) -> tuple:
    tabarro = spiel = None
    try:
        import tabarro.interpreter as tabarro
        from tabarro.interpreter import describe, games, load_game  # noqa: F401  a checkout may be half written
    except ImportError as error:
        tabarro = None
        notes.append(f"tabarro cannot be imported, measured without it: {error}")
    try:
        import pyspiel as spiel
        from open_spiel.python.games import kuhn_poker, tic_tac_toe  # noqa: F401  importing registers them
    except ImportError as error:
        spiel = None
        notes.append(f"OpenSpiel cannot be imported, so there are no ratios (pip install open_spiel): {error}")
    return tabarro, spiel


def version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


class Run:
    """One run: what was found, what failed, what could not be measured here."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.notes: list[str] = []
        self.failures: list[str] = []
        self.tabarro, self.spiel = find_libraries(self.notes)
        self.report: dict = {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "system": platform.system(),
            "open_spiel": version("open_spiel"),
            "seconds": options.seconds,
            "rounds": options.rounds,
            "notes": self.notes,
            "failures": self.failures,
        }
        self.known: dict[str, list[int]] = {}
        if self.tabarro:
            described = self.tabarro.describe
            self.known = self.attempt("games", lambda: {g: sorted(described(g).players) for g in self.tabarro.games()})
            self.known = self.known or {}
        unknown = sorted(set(options.games or ()) - set(self.known))
        if unknown:
            self.notes.append(f"no such game: {', '.join(unknown)}")
            options.games = [game for game in options.games if game in self.known]

    def attempt(self, what: str, measure: Callable, *given):
        """A failure of one measurement is reported and does not stop the others."""
        try:
            return measure(*given)
        except Exception as error:
            told = error.stderr if isinstance(error, subprocess.CalledProcessError) else None
            told = told.decode(errors="replace") if isinstance(told, bytes) else told
            lines = (told or str(error)).strip().splitlines()
            self.failures.append(f"{what}: {type(error).__name__}: {lines[-1] if lines else ''}")
            return None

    def chosen(self) -> dict[str, list[int]]:
        wanted = self.options.games
        return {game: counts for game, counts in self.known.items() if not wanted or game in wanted}

    # --- stages -------------------------------------------------------------------------------------------------------
    def beside(self) -> dict:
        found = {}
        for game_id in SPIEL_NAMES:
            if self.options.games and game_id not in self.options.games:
                continue
            rows = self.attempt(f"tabarro {game_id}", contestants, game_id, self.tabarro, self.spiel)
            rows = rows or contestants(game_id, None, self.spiel)
            table = self.attempt(f"comparison {game_id}", compare, rows, self.options.seconds, self.options.rounds)
            if table is None:  # tabarro's game loads and does not play: the others still count
                rows = contestants(game_id, None, self.spiel)
                table = compare(rows, self.options.seconds, self.options.rounds)
            found[game_id] = table
            print_table(
                f"{game_id}: random playouts in Python",
                ["", "decisions/s", "slowest", "fastest", "to OpenSpiel's Python", "decisions/game"],
                [
                    [
                        row["name"],
                        *(number(row[key]) for key in ("decisions_per_second", "slowest", "fastest")),
                        number(row["ratio"], 2, " x"),
                        number(row["decisions_per_game"], 3),
                    ]
                    for row in table
                ],
            )
        return found

    def compiled(self) -> dict:
        seconds, rounds = self.options.seconds, self.options.rounds
        found = compiled.report(self.tabarro, self.spiel, seconds, rounds, print_table, number)
        if not found:
            self.notes.append("nothing can be compiled here, so there are no figures of compiled rules")
        return found

    def thinking(self) -> list[dict]:
        rounds = min(self.options.rounds, 3)
        rows = [self.attempt(f"thinker {name}", thinking.compared, name, rounds) for name in thinking.GAMES]
        rows = [row for row in rows if row]
        print_table(
            "a thinker: positions a second that it plays out",
            ["", "Python", "compiled", "times", "the same choice"],
            [
                [
                    row["game"],
                    number(row["python"]),
                    number(row["compiled"]),
                    number(row["times"], 1, " x"),
                    row["same"],
                ]
                for row in rows
            ],
        )
        return rows

    def careful(self) -> list[dict]:
        rows = []
        with tempfile.TemporaryDirectory() as folder:
            try:
                before = faster.unpacked(faster.FIRST, Path(folder))
            except (OSError, subprocess.CalledProcessError):
                self.notes.append("version 0.1 is not in the history here (git, not shallow), so nothing is beside it")
                return rows
            for name, players, bots, games in CAREFUL:
                table = name, players, bots, games // 3 if self.options.quick else games
                row = self.attempt(f"careful {table[0]}", faster.compared, table, before, 1, True)
                rows += [row] if row else []
        print_table(
            "careful bots: games a second, compiled rules being there",
            ["", "version 0.1", "now", "times"],
            [
                [row["game"], *(number(row[k], 1) for k in ("before", "now")), number(row["times"], 1, " x")]
                for row in rows
            ],
        )
        return rows

    def waiting(self) -> dict:
        found = ten.waits(TEN)
        print_table(
            f"seconds until `simulate` has told of ten games of {TEN.replace(':', ' with ')}: of the processor, on the clock",
            ["", *ten.HOW],
            [
                [row, *(" ".join(number(t, 2) for t in times[how]) if how in times else "-" for how in ten.HOW)]
                for row, times in found.items()
            ],
        )
        return found

    def games(self) -> list[dict]:
        seconds, rows = min(self.options.seconds, 0.3), []
        for game_id, counts in self.chosen().items():
            for players in counts:
                row = self.attempt(f"{game_id}, {players} players", survey, self.tabarro, game_id, players, seconds)
                rows += [row] if row else []
        print_table(
            "every game, in Python: random playouts, and a clone",
            ["", "players", "legal + apply/s", "sample + apply/s", "decisions/game", "clone us"],
            [
                [
                    row["game"],
                    row["players"],
                    number(row["legal_apply_per_second"]),
                    number(row["sample_apply_per_second"]),
                    number(row["decisions_per_game"], 1),
                    number(row["clone_us"], 2),
                ]
                for row in rows
            ],
        )
        return rows

    def loading(self) -> dict:
        rows = []
        for game_id in self.options.games or LOADED:
            counts = self.known[game_id]
            other = next(((name, self.known[name][0]) for name in self.known if name != game_id), None)
            what = f"loading {game_id}"
            with tempfile.TemporaryDirectory() as cache:
                kept = self.attempt(what, load_time, game_id, counts[-1], None, f"{cache}/tabarro")
            first = self.attempt(what, load_time, game_id, counts[-1], None)
            later = self.attempt(what, load_time, game_id, counts[-1], other) if other else None
            rows.append({"game": game_id, "players": counts[-1], "first_ms": first, "later_ms": later, "kept_ms": kept})
        print_table(
            "loading in a new process, milliseconds of processor time",
            ["", "players", "compiled as its first game", "compiled after another game", "from the cache"],
            [
                [row["game"], row["players"], *(number(row[f"{how}_ms"], 1) for how in ("first", "later", "kept"))]
                for row in rows
            ],
        )
        found = {"games": rows, "help_ms": self.attempt("tabarro --help", wall_time, help_command())}
        found["python_ms"] = wall_time([sys.executable, "-c", ""])
        print_table(
            "starting",
            ["", "ms"],
            [["tabarro --help", number(found["help_ms"])], ["Python alone", number(found["python_ms"])]],
        )
        return found

    # --- what was wanted ----------------------------------------------------------------------------------------------
    def aims(self) -> None:
        rows = [[what, shown, aim, "yes" if reached else "no"] for what, shown, aim, reached in self._aims()]
        if rows:
            print_table("what was wanted, and the least that was found", ["", "found", "wanted", "reached"], rows)
        self.report["aims"] = rows

    def _aims(self) -> Iterator[tuple[str, str, str, bool]]:
        def least(what: str, found: list[float | None], aim: float, places: int = 0, after: str = ""):
            known = [value for value in found if value is not None]
            if known:
                yield what, number(min(known), places, after), number(aim, 0, after), min(known) >= aim

        rules = self.report.get("compiled") or {}
        pairs, growth = rules.get("beside", []), rules.get("growth", [])
        for row in pairs:
            yield from least(
                f"{row['game']}, whole playouts to OpenSpiel's loop in C++", [row["whole to spiel loop"]], 3, 2, " x"
            )
            yield from least(
                f"{row['game']}, steps to OpenSpiel's C++ from Python", [row["steps to spiel steps"]], 2, 2, " x"
            )
        yield from least(
            "tic-tac-toe, decisions/s", [r["whole"] for r in pairs if r["game"] == "tic-tac-toe"], 14_000_000
        )
        for name, kind, aim in (
            ("venice-2013", "sampled", 1e6),
            ("venice-2013", "listed", 3e5),
            ("cards-safe", "sampled", 1e6),
        ):
            found = [row[kind] for row in growth if row["game"].startswith(name)]
            yield from least(f"{name}, decisions/s with habits, {kind}", found, aim)
        for row in self.report.get("careful") or ():
            yield from least(f"careful at {row['game']}, to version 0.1", [row["times"]], 10, 1, " x")
        times = [row["times"] for row in self.report.get("thinking") or ()]
        yield from least("a thinker's positions, to Python", times, 20, 1, " x")
        for row, found in (self.report.get("waiting") or {}).items():
            if len(found) == 2:
                ratio = found["compiled"][0] / found["Python"][0]
                yield f"ten games, {row}, to Python", number(ratio, 2, " x"), "1 x", ratio < 1.05


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="shorter, and without every game: a few minutes")
    parser.add_argument("--only", nargs="+", choices=STAGES, metavar="STAGE", help=f"of {', '.join(STAGES)}")
    parser.add_argument("--seconds", type=float, help="of each measurement (default: 0.5; quick: 0.15)")
    parser.add_argument("--rounds", type=int, help="of a comparison (default: 5; quick: 3)")
    parser.add_argument("--games", nargs="+", metavar="ID", help="of single games only these (default: all)")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    options = parser.parse_args(arguments)
    options.seconds = (0.15 if options.quick else 0.5) if options.seconds is None else options.seconds
    options.rounds = (3 if options.quick else 5) if options.rounds is None else options.rounds
    if options.seconds <= 0 or options.rounds < 1:
        parser.error("--seconds must be above 0, --rounds at least 1")
    run, began = Run(options), perf_counter()
    print(
        f"Python {run.report['python']}, {run.report['system']} {run.report['machine']}, "
        f"OpenSpiel {run.report['open_spiel'] or '-'}; {options.rounds} rounds of {options.seconds:g} s each; "
        f"load {' '.join(f'{load:.1f}' for load in os.getloadavg())}"
    )
    stages = options.only or (SHORT if options.quick else STAGES)
    if options.games and not options.only:
        stages = ("beside", "games", "loading")
    for stage in stages if run.tabarro else ("beside",):
        run.report[stage] = run.attempt(stage, getattr(run, stage))
    run.aims()
    print()
    for note in run.notes:
        print(f"Note: {note}")
    for failure in run.failures:
        print(f"Failed: {failure}")
    print(f"{perf_counter() - began:.0f} s in all")
    if options.json:
        Path(options.json).write_text(json.dumps(run.report, indent=2) + "\n", encoding="utf-8")
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main())
