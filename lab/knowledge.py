"""When, in a game that is over, each player could have known what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..mind.now import belief_for
from ..mind.questions import Questions

if TYPE_CHECKING:
    from ..interpreter.observe import Log, Mark


class Knowledge:
    """When, in a game that is over, each player could have known what: from his own log, decision by decision."""

    def __init__(self, log: Log, marks: list[Mark]):
        """An umpire's log, and where in it decisions were made."""
        self.game, self.log, self.marks = log.game, log, marks

    def moments(self) -> dict[str, dict[str, int | None]]:
        return {seat: self.of(seat) for seat in self.game.seats if seat not in self.game.chance_seats}

    def of(self, seat: str) -> dict[str, int | None]:
        """For each thing that can be known, after how many decisions it was certain and stayed so; None if never.
        Nothing, where there are too many deals to be certain."""
        game = self.game
        belief, questions = belief_for(game, seat), Questions(game, seat)
        moments: dict[str, int | None] = dict.fromkeys(questions.names)
        if not moments:
            return {}
        before, ends = None, {event.number for event in game.program.events if event.kind == "end"}
        for done, fresh in self.log.of(seat).pieces(self.marks):
            if not ends.isdisjoint(row[0] for row in fresh):
                if done == len(self.marks):
                    break  # what the end itself reveals is no deduction
                moments, before = dict.fromkeys(questions.names), None  # the next game of a match
            belief.observe(fresh)
            if not belief.ready().exact:
                return {}
            if belief.worlds == before:
                continue
            before = belief.worlds
            for name, moment in moments.items():
                if not questions.certain(belief, name):
                    moments[name] = None  # as what was not yet there at first, or has changed since
                elif moment is None:
                    moments[name] = done
        return moments
