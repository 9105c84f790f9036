"""Long batches of random games of Venice, followed by a referee who does not trust the interpreter.

    python tests/soak.py --games 2000 --jobs 2

plays every edition with every number of players, and further rows of options, and says for each whether the referee
(oracles/venice.py) had an objection, how often things happened, how fast it was, and which steps of the rules were
never executed. The tests use the same batches, with fewer and shorter games.
"""

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from loading import loaded
from names import named
from oracles.venice import ENVOY, Board, Referee, figures
from tabarro.interpreter import Reader
from tabarro.interpreter.cells import cell_of
from tabarro.interpreter.coverage import Coverage
from tabarro.interpreter.slots import HEADER

TABLES = [
    ("venice-2013", 3),
    ("venice-2013", 4),
    ("venice-2013", 5),
    ("venice-classic", 3),
    ("venice-classic", 4),
    ("venice-japan", 4),
]
# Rows of options that, together with the defaults, switch on every step that an option can switch on.
ROWS = [
    {},
    {"placing": "by_the_players", "signals": "once_a_turn", "leaving": "is_sent_away", "round_limit": 8},
    {"repeats": "forbidden", "meetings": "between_moves", "direction": "clockwise"},
    {"notice": "yourself", "step_from_ambassador": False, "meetings": "after_movement"},
    {"repeats": "allowed", "meetings": "between_moves", "signals": "at_any_time", "leaving": "is_sent_away"},
]
BOARD = Board()


# --- reading and writing a state by name ------------------------------------------------------------------------------
def slot(game, name, *args):
    words = game.vocabulary
    for function in words.functions[name]:
        atoms = [words.member(arg, param.type) for arg, param in zip(args, function.params)]
        if function.kind == "state" and None not in atoms:
            return HEADER + cell_of(function, atoms), function
    raise KeyError((name, args))


def value(state, name, *args):
    where, _ = slot(state.game, name, *args)
    return named(state.game, state.v[where])


def put(state, name, args, what):
    """Write a value into the state: positions that would take too long to play."""
    where, function = slot(state.game, name, *args)
    state.v[where] = state.game.vocabulary.member(what, function.result)


# --- players ----------------------------------------------------------------------------------------------------------
class Lively:
    """A random player who makes things happen: he repeats himself, sometimes knows the truth, and declares now and
    then."""

    def __init__(self, game, rng, declares):
        self.game, self.rng, self.declares = game, rng, declares
        places = [
            slot(game, "place of _", piece)[0]
            for piece in (*[f for p in game.seats if p != ENVOY for f in figures(p)], ENVOY)
        ]
        self.places = slice(min(places), max(places) + 1)

    def __call__(self, state):
        rng, step = self.rng, self.game.program.nodes[state.v[0]].step.name
        if self.declares and step == "declaration/claim":
            offers = state.legal()
            return rng.choice(offers[1:]) if rng.random() * self.declares < 1 else offers[0]
        if step == "movement/moves/one_after_the_other/next" and rng.random() < 0.5:
            choice = state.sample(rng)
            for _ in range(4):  # rather where somebody is
                if len(choice) == 4 and choice[3] in state.v[self.places]:
                    break
                choice = state.sample(rng)
            return choice
        if step in ("meeting/what", "audience/what") and rng.random() < 0.6:
            questions = [c for c in state.legal() if self.game.words(c)[0] == "question"]
            return rng.choice(questions[:2])  # through the ambassador mostly the same player, so that cards come again
        if step == "giving/cards" and rng.random() < 0.8:
            known, grey = self.shown(state), self.game.vocabulary.sets["grey_card"].atoms
            again = [
                c
                for c in state.legal()
                if not set(c[0]) & set(grey) and any(set(c[0]) <= set(k) or set(c[0]) > set(k) for k in known)
            ]
            if again:
                return rng.choice(again)
        if step.endswith("objection/noticed/object") and rng.random() < 0.6:
            return self.game.choice(["object"], state)
        if step == "sheet/write/announce" and rng.random() < 0.02:
            return self.game.choice(["i_know_who_you_are", *self.truth(state)], state)
        return state.sample(rng, habits=True)

    def shown(self, state):
        """What the one who is asked has shown before to the one who asks."""
        (asker,) = (v for v in self.game.program.nodes[state.v[0]].step.visible if v.name == "asker")
        where, _ = slot(self.game, "shown by _ to _", state.actor, named(self.game, state.v[HEADER + asker.slot]))
        return state.v[where]

    def truth(self, state):
        players = [s for s in self.game.seats if s != ENVOY]
        return [[value(state, "identity of _", p) for p in players], [value(state, "build of _", p) for p in players]]


# --- batches ----------------------------------------------------------------------------------------------------------
@dataclass
class Batch:
    table: tuple
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    happened: Counter = field(default_factory=Counter)
    executed: set = field(default_factory=set)
    steps: list = field(default_factory=list)
    objection: str = ""

    @property
    def missing(self):
        return [
            s for s in self.steps if s not in self.executed and not any(d.startswith(s + "/") for d in self.executed)
        ]


def play(table, games, options=None, seed=0, declares=0) -> Batch:
    """So many games; they stop at the first objection of the referee."""
    name, players = table
    batch = Batch(table)
    coverage = Coverage(loaded(name, players, options), batch.executed)
    batch.steps = coverage.steps
    game = coverage.game
    for number in range(games):
        rng = random.Random(f"{seed} {number}")
        player, state = Lively(game, rng, declares), game.new(seed=rng.randrange(1 << 32))
        began = time.perf_counter()
        while not state.over:
            state.apply(player(state), trusted=True)
            batch.decisions += 1
        batch.seconds += time.perf_counter() - began
        batch.games += 1
        try:
            judge(Referee(name, players, options, BOARD), game, state, batch.happened)
        except AssertionError as objection:
            batch.objection = f"{name}, {players} players, {options or {}}, game {number}: {objection}"
            break
    return batch


def play_match(table) -> tuple[Coverage, object]:
    """A match to two points: the coverage of its steps, and the state at its end."""
    coverage = Coverage(loaded(*table, {"points_to_win": 2}))
    state, rng = coverage.game.new(seed=3), random.Random(3)
    while not state.over:
        state.apply(state.sample(rng, habits=True), trusted=True)
    return coverage, state


def judge(referee, game, state, happened=None):
    """The referee follows the whole game from its log, then looks at what each seat has seen."""
    entries = Reader(game).news(state)
    for index, entry in enumerate(entries):
        try:
            referee.see(entry)
        except (AssertionError, KeyError, IndexError, ValueError, StopIteration, TypeError) as wrong:
            before = "\n".join(f"    {e.kind} {e.step} {dict(e.told)}" for e in entries[max(0, index - 12) : index + 1])
            raise AssertionError(f"{type(wrong).__name__} {wrong}\n{before}") from wrong
        if happened is not None:
            happened[entry.step] += 1
    assert referee.winners == set(state.result.winners), "the result is not what was announced"
    signs = Counter(entry["to_whom"] for entry in entries if entry.step == "signal/choose/to_one")
    for seat in game.seats:
        log = state.log(seat)
        secrecy(seat, log)
        assert sum(entry.step == "signal/choose/to_one/see" for entry in log) == signs[seat]


def secrecy(seat, log):
    """Nobody sees cards shown between others, nor what is on others' grey cards, nor private decisions of others."""
    cards = None
    for entry in log:
        told, first = dict(entry.told), entry.step.split("/")[0]
        if entry.step in ("identity of _", "build of _", "letter of _"):
            assert told["spy"] == seat
        elif entry.step == "shown by _ to _":
            assert seat in (told["player"], told["guest"])
        elif entry.step.startswith("giving/witness"):
            assert seat == ENVOY
        elif entry.step == "giving/cards":
            cards = told
            assert seat in (told["giver"], told["asker"]), f"{seat} sees {entry}"
        elif first == "giving":  # what is printed on a grey card: for the one to whom it was shown just now
            assert cards["asker"] == seat and cards["giver"] == told["giver"], f"{seat} sees {entry}"
        elif first in ("objection", "second_objection", "signal") and entry.kind == "ask":
            assert seat == told["who"]
        elif entry.step.startswith("sheet/write/announce") and entry.kind == "ask" or entry.step.startswith("noted_"):
            assert seat == ENVOY


# --- the command ------------------------------------------------------------------------------------------------------
def _job(arguments):
    return play(*arguments)


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="of each edition and number of players")
    parser.add_argument("--optional", type=int, help="of each further row of options; without it a tenth of --games")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="an edition, such as venice-japan")
    args = parser.parse_args(argv)
    optional = args.games // 10 if args.optional is None else args.optional
    tables = [t for t in TABLES if args.only in (None, t[0])]
    jobs = [(table, args.games if not row else optional, row, args.seed, 0) for table in tables for row in ROWS]
    failed, executed, steps = False, {}, {}
    with Pool(args.jobs) as pool:
        for (table, _, row, *_rest), batch in zip(jobs, pool.imap(_job, jobs)):
            executed.setdefault(table, set()).update(batch.executed)
            steps[table] = steps.get(table, []) + [s for s in batch.steps if s not in steps.get(table, [])]
            speed = (
                f"{batch.games / batch.seconds:.1f} games and {batch.decisions / batch.seconds:,.0f} decisions a second"
            )
            print(
                f"{table[0]}, {table[1]} players, {row or 'as by default'}: {batch.games} games, "
                f"{batch.decisions:,} decisions, {speed}",
                flush=True,
            )
            meetings = batch.happened["meetings/one_by_one/whom"]
            print(
                f"    {meetings} meetings, {batch.happened['giving/cards']} answers, "
                f"{batch.happened['objection/noticed/object/object/ruling']} objections",
                flush=True,
            )
            if batch.objection:
                failed = True
                print("    The referee objects: " + batch.objection, flush=True)
    for table in tables:
        whole = Batch(table, executed=executed[table] | play_match(table)[0].executed, steps=steps[table])
        print(
            f"{table[0]}, {table[1]} players: {len(whole.steps) - len(whole.missing)} of {len(whole.steps)} steps executed"
        )
        for step in whole.missing:
            failed = True
            print(f"    never: {step}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
