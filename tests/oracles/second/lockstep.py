"""The program and the referee, side by side: the same chance, the same choices, and everything compared."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from tabarro.interpreter import CHANCE, Game, State

from oracles.second import program
from oracles.second.players import sly
from oracles.second.table import Fall, Question, Table

Chooser = Callable[[random.Random, Table, Question], Any]


class Difference(Exception):
    """The program and the referee do not agree."""


class Lockstep:
    """One game (or match) of the program, followed by a referee."""

    def __init__(self, game: Game, referee: Table, seed: int, choose: Chooser | None = None) -> None:
        self.game, self.referee, self.random = game, referee, random.Random(seed)
        self.choose = choose or sly(self.random)
        self.state: State = game.new()
        self.marks = {seat: self.state.player(seat).log.mark for seat in game.seats}
        self.counts: Counter[str] = Counter()
        self.course: list[str] = []

    def run(self, most: int = 100_000) -> Counter[str]:
        """Plays to the end, or until `most` decisions are made; raises `Difference`."""
        self.expect("seats", set(self.game.seats), set(self.referee.seats))
        course = self.referee.play()
        try:
            asked = next(course)
            while self.counts["decisions"] < most:
                self.news()
                asked = course.send(self.fall(asked) if isinstance(asked, Fall) else self.decide(asked))
        except StopIteration:
            self.news()
            self.expect("over", self.state.over, True)
            result = self.state.result
            self.expect("winners", set(result.winners), set(self.referee.winners or ()))
            self.expect("points", dict(result.scores), self.referee.points)
            self.counts["verdicts"] += len(self.referee.ends)
            self.counts.update(f"won, {why}" for why in self.referee.ends)
        return self.counts

    def fall(self, asked: Fall) -> str:
        """What can fall is the same, and as likely; then it falls."""
        self.expect("actor", self.state.actor, CHANCE)
        chances = {self.game.words(choice)[0]: (choice, chance) for choice, chance in self.state.chances()}
        self.expect("chances", {what: chance for what, (_, chance) in chances.items()}, asked.chances)
        what = self.random.choices(list(chances), [float(chance) for _, chance in chances.values()])[0]
        self.state.apply(chances[what][0], trusted=True)
        self.course.append(f"chance: {what}")
        self.counts["falls"] += 1
        return what

    def decide(self, asked: Question) -> tuple[Any, ...]:
        """The same seat is asked, and offered the same; then it chooses."""
        self.expect("actor", self.state.actor, asked.seat)
        legal = self.state.legal()
        offered = {program.choice(asked.about, self.game.words(choice)): choice for choice in legal}
        self.expect(f"choices ({asked.about})", set(offered), asked.choices)
        self.expect("no choice twice", len(offered), len(legal))
        chosen = self.choose(self.random, self.referee, asked)
        self.state.apply(offered[chosen], trusted=True)
        self.course.append(f"{asked.seat} ({asked.about}): {chosen}")
        self.counts.update(decisions=1, compared=1)
        self.counts["choices"] += len(legal)
        self.counts[f"asked, {asked.about}"] += 1
        return chosen

    def news(self) -> None:
        """Each seat has seen the same since the last decision, no more and no less."""
        for seat in self.game.seats:
            log = self.state.player(seat).log
            lines = [program.event(entry) for entry in log.entries(since=self.marks[seat])]
            self.marks[seat] = log.mark
            seen = Counter(line for line in lines if line is not None)
            told = Counter(self.referee.news[seat])
            self.referee.news[seat].clear()
            self.expect(f"news of {seat}", seen, told)
            self.counts["lines"] += sum(seen.values())

    def expect(self, what: str, program_says: Any, referee_says: Any) -> None:
        if program_says == referee_says:
            return
        if isinstance(program_says, Counter):
            only = list((program_says - referee_says).elements()), list((referee_says - program_says).elements())
        elif isinstance(program_says, set):
            only = sorted(program_says - referee_says, key=str), sorted(referee_says - program_says, key=str)
        else:
            only = program_says, referee_says
        last = "\n  ".join(self.course[-25:])
        raise Difference(f"{what}:\n only the program: {only[0]}\n only the referee: {only[1]}\nafter\n  {last}")
