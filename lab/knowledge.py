"""When, in a game that is over, each player could have known what."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from ..interpreter import Reader
from ..mind.belief import Belief
from ..mind.questions import Questions


class Knowledge:
    """When, in a game that is over, each player could have known what: from his own log, decision by decision."""

    def __init__(self, state, marks: list):
        self.game, self.marks = state.game, marks
        self.rows: list[tuple[int, tuple]] = []  # after how many decisions which row was written, in order
        moments = {id(chain): done for done, chain in enumerate(marks)}
        chain, done = state.v[1], len(marks)
        while chain is not None:
            done = moments.get(id(chain), done)
            self.rows.append((done, chain[1]))
            chain = chain[0]
        self.rows.reverse()

    def moments(self) -> dict[str, dict[str, int | None]]:
        return {seat: self.of(seat) for seat in self.game.seats if seat not in self.game.chance_seats}

    def of(self, seat: str) -> dict[str, int | None]:
        """For each thing that can be known, after how many decisions it was certain; None if never. Nothing, where
        there are too many deals to be certain."""
        game = self.game
        belief, questions = Belief(game, seat), Questions(game, seat)
        moments: dict[str, int | None] = dict.fromkeys(questions.names)
        if not moments:
            return {}
        before, ends = None, {event.number for event in game.program.events if event.kind == "end"}
        for done, fresh in self.news(belief.mask):
            if not ends.isdisjoint(row[0] for row in fresh):
                if done == len(self.marks):
                    break  # what the end itself reveals is no deduction
                moments, before = dict.fromkeys(questions.names), None  # the next game of a match
            belief.observe(fresh)
            if not belief.ready().exact:
                return {}
            if len(belief.worlds) == before:
                continue
            before = len(belief.worlds)
            for name, moment in moments.items():
                if moment is None and questions.certain(belief, name):
                    moments[name] = done
        return moments

    def news(self, mask: int) -> Iterator[tuple[int, list[tuple]]]:
        """After how many decisions which rows were new to those of the mask, in order."""
        seen = ((done, (row[0], *row[2:])) for done, row in self.rows if row[1] & mask)
        for done, rows in groupby(seen, key=itemgetter(0)):
            yield done, [row for _, row in rows]


def decisions(state) -> list:
    """Where in the log of a game each decision of a seat was made: what was there just before it."""
    reader, found, chain = Reader(state.game), [], state.v[1]
    cells = []
    while chain is not None:
        cells.append(chain)
        chain = chain[0]
    for before, row in reversed(cells):
        if state.game.program.events[row[0]].kind == "ask" and not reader.told_before(row):
            found.append(before)
    return found
