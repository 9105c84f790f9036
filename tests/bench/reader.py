"""Can deducers be read? A reader learns from games among deducers, then plays against them.

    python tests/bench/reader.py --train 200 --games 200 --jobs 2 --state build/reader.json

From the logs of the first games it learns how much more often than by chance an answer is of a certain kind: which of
its cards are true, of which set they are, whether they were shown before, and how many answers went before it. In the
games that follow it takes worlds for likelier in which the answers it was given are of the usual kinds, and declares
when it is likely enough to win (`--dare`). Two readers sit down with two deducers; each deal is played twice, with the
sides changed. What a reader gains is what the answers of deducers give away beyond what the rules make them tell.

It can be interrupted: what was learnt and played stays in the file of `--state`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean, stdev

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mind"))

from tabarro.interpreter import load_game
from tabarro.interpreter.evaluate import evaluate
from tabarro.mind.ahead import ForesightBot
from tabarro.mind.belief import MISSING, judge, parts_of, per_world
from tabarro.mind.bots import BOTS
from tabarro.mind.odds import Odds, asked_in, ways_of
from test_bots import play, team_of

loaded = cache(load_game)
MANY = 5  # answers after which it is not counted any further


class Reading(Odds):
    """Weighs worlds by how usual the answers would be in them."""

    ratios: dict[str, float] = {}  # by kind of answer: how much more often it is given than by chance

    def __init__(self, game, seat, belief=None):
        super().__init__(game, seat, belief)
        self.heard: dict[tuple, list] = {}  # from whom, to which question: what was answered

    def kind(self, step, alternative, names, answer, cells, before) -> str:
        """Of which kind an answer is, in a world."""
        shown = {x for row in before for x in row}
        found = []
        for part, value in zip(parts_of(step, alternative), answer):
            for x in value if isinstance(value, tuple) else (value,):
                truths = [judge(test, cells, {**names, var: x}) for var, test, _ in part.which]
                found.append([self.game.vocabulary.atoms[x].set, truths, x in shown])
        return json.dumps([step.name, min(len(before), MANY), sorted(found)])

    def answered(self, event, values, ways):
        """What was answered, who answered, and what he has answered before."""
        told = dict(zip(event.names, values))
        step = ways[0][0]
        part = parts_of(step, ways[0][1])
        if len(part) != 1:
            return None
        shown = part[0].var.name if event.kind == "ask" else next(iter(event.origin.vars), "shown")
        if shown not in told:
            return None
        try:
            who = evaluate(step.at["ask"], (), ways[0][2])
        except MISSING:
            return None
        return (told[shown],), self.heard.setdefault((who,), [])

    def _weigh(self, event, values) -> None:
        ways = ways_of(self.belief, event, values)
        found = self.answered(event, values, ways) if ways else None
        if found is None:
            super()._weigh(event, values)
            return
        answer, before = found

        def likelihood(cells):
            way, possible = asked_in(self.belief, ways, cells)
            if way is None or answer not in possible:
                return None
            usual = [self.ratios.get(self.kind(*way[:3], c, cells, before), 1.0) for c in possible]
            return usual[possible.index(answer)] / (sum(usual) or 1.0)

        for world, share in zip(self.belief.worlds, per_world(self.belief, likelihood), strict=True):
            if share is not None:
                self.weights[world] = self.weights.get(world, 1.0) * max(share, 1e-6)
        before.append(answer[0] if isinstance(answer[0], tuple) else answer)


class Pupil(Reading):
    """Counts which kinds of answers were given, and which would have been given by chance, in the world that is true."""

    def learn(self, rows, true, given: Counter, expected: Counter) -> None:
        for row in rows:
            event = self.game.program.events[row[0]]
            if event.kind in ("ask", "show") and event.origin is not None:
                self.belief.ready()
                self._fresh()
                ways = ways_of(self.belief, event, row[1:])
                found = self.answered(event, row[1:], ways) if ways else None
                if found is not None:
                    one = self.belief.supposing([tuple(true[cell] for cell in self.belief.place)])

                    def count(cells, found=found, ways=ways):
                        way, possible = asked_in(self.belief, ways, cells)
                        if way is not None and found[0] in possible:
                            given[self.kind(*way[:3], found[0], cells, found[1])] += 1
                            for c in possible:
                                expected[self.kind(*way[:3], c, cells, found[1])] += 1 / len(possible)

                    list(per_world(one, count))
                    answer = found[0][0]
                    found[1].append(answer if isinstance(answer, tuple) else (answer,))
            self.belief.observe([row])


class Reader(ForesightBot):
    """A deducer that reads, and dares what is likely."""

    likely = 0.8

    def __init__(self, game, seat):
        super().__init__(game, seat)
        self.odds = Reading(game, seat, self.belief)

    def forget(self) -> None:
        super().forget()
        self.odds = Reading(self.game, self.seat, self.belief)

    def begin(self) -> None:
        super().begin()

    def dare(self, mind, bold, rng):
        sure = super().dare(mind, bold, rng)
        worlds = self.belief.worlds
        if sure is not None or not bold or not worlds:
            return sure
        weights = [self.belief.weights.get(world, 1.0) for world in worlds]
        if max(weights) < self.likely / 2 * sum(weights):
            return None
        odds = self.chances(mind, bold, rng)
        best = max(odds.values(), default=0.0)
        return rng.choice([c for c, p in odds.items() if p == best]) if best >= self.likely else None


BOTS["reader"] = Reader


def study(job):
    name, seed = job
    game = loaded(name, 4)
    state, _, _ = play(game, dict.fromkeys(game.seats, "deducer"), seed)
    given, expected = Counter(), Counter()
    umpire = state.umpire()
    for seat in game.seats:
        Pupil(game, seat).learn(state.player(seat).log.rows(), umpire.cells(), given, expected)
    return given, expected


def match(job):
    """Two games of one deal: won by readers, declared wrongly by deducers, by readers."""
    name, seed, ratios, likely = job
    Reading.ratios, Reader.likely = ratios, likely
    game, won, wrong = loaded(name, 4), [], {"reader": 0, "deducer": 0}
    team = team_of(game, seed)
    for side in (team, set(game.seats) - team):
        bots = {seat: "reader" if seat in side else "deducer" for seat in game.seats}
        state, _, declared = play(game, bots, seed)
        winners = set(state.result.winners) if state.over else set()
        won.append(bool(winners) and winners <= set(side))
        if declared is not None and declared.seat not in winners:
            wrong[bots[declared.seat]] += 1
    return sum(won) / 2, wrong["deducer"], wrong["reader"]


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="cards-safe")
    parser.add_argument("--train", type=int, default=200, help="games that are studied")
    parser.add_argument("--games", type=int, default=200, help="games that are played, two of each deal")
    parser.add_argument("--dare", type=float, default=0.8)
    parser.add_argument("--seed", type=int, default=10_000, help="of the first game that is played")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--state", type=Path)
    args = parser.parse_args(argv)
    kept = json.loads(args.state.read_text()) if args.state and args.state.exists() else {}
    given, expected = Counter(kept.get("given")), Counter(kept.get("expected"))
    studied, played = kept.get("studied", 0), kept.get("played", [])

    def keep() -> None:
        if args.state:
            args.state.parent.mkdir(exist_ok=True)
            record = {"given": given, "expected": expected, "studied": studied, "played": played}
            args.state.write_text(json.dumps(record))

    with Pool(args.jobs) as pool:
        for one, other in pool.imap(study, [(args.game, seed) for seed in range(studied, args.train)]):
            given.update(one)
            expected.update(other)
            studied += 1
            if studied % 5 == 0:
                keep()
        keep()
        ratios = {kind: (given[kind] + 5) / (expected[kind] + 5) for kind in expected}
        seeds = range(args.seed + len(played), args.seed + args.games // 2)
        for row in pool.imap(match, [(args.game, seed, ratios, args.dare) for seed in seeds]):
            played.append(row)
            keep()
    for kind, ratio in sorted(ratios.items(), key=lambda item: -given[item[0]])[:12]:
        print(f"{ratio:5.2f} times as often as by chance ({given[kind]} answers): {kind}")
    shares = [row[0] for row in played]
    if len(shares) > 1:
        half = 1.96 * stdev(shares) / len(shares) ** 0.5
        print(
            f"{args.game}: after {studied} games the reader won {100 * fmean(shares):.1f} % of {2 * len(shares)} games "
            f"({100 * (fmean(shares) - half):.1f} to {100 * (fmean(shares) + half):.1f}); wrong declarations: deducers "
            f"{sum(row[1] for row in played)}, readers {sum(row[2] for row in played)}"
        )


if __name__ == "__main__":
    main()
