"""Looking ahead among what may be: Monte Carlo tree search over what players know.

A position is drawn from what the one who thinks holds possible, and played to its end; what it came to is noted for the
choices that led there. Each seat has a tree of its own, in which a place is all that the seat has been told since: so
nobody chooses by what he cannot know. Where there is much to choose from, one part is chosen after the other, and what
looks poor is tried late. It knows no game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import accumulate
from math import log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from ..interpreter.cells import cells_of
from ..interpreter.errors import RulesError
from ..interpreter.tables import Claim, searched
from .belief import is_seen_by

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.position import Position
    from ..interpreter.state import Choice

__all__ = ["Declarations", "Search"]

EAGER = 0.7  # how much what was seldom tried is preferred
MANY = 24  # choices that are looked at side by side; of more, one part after the other
FIRST = 6  # of many, so many are tried at first
USUAL = 8  # tries after which a choice is no longer taken to be like all others
LONG = 150  # decisions that are played out; then the position is judged
STEPS = 100  # of the interpreter for each position that is played out, on average

DECLARED = 1 / 8  # how often somebody who could end the game is taken to know how to, when it is played out
# Who wins if the one who is asked now declares, and what else he could do; None, if it is not that sort of question.
Declaring = Callable[["Position"], tuple[Sequence[int], Sequence["Choice"]] | None]
Judged = Callable[["Position"], Sequence[float] | None]  # how near to winning each seat is, from 0 to 1


class Declarations(NamedTuple):
    """How it is found who wins by declaring: at each such question, the alternatives that name nothing and end nothing,
    and those that may end the game; and who wins, which hangs on what stands in these cells alone."""

    claims: dict[int, Claim]
    dealt: Sequence[int]
    declarers: Callable[[Position], tuple[int, ...] | None]


class Place:
    """What was tried where somebody knows this much: how often, with which gain, how often it was offered."""

    __slots__ = ("tried", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.tried: dict[Any, list[float]] = {}


class Search:
    def __init__(
        self,
        game: Game,
        seat: str,
        rng: random.Random,
        judged: Judged | None = None,
        declaring: Declaring | None = None,
        declarations: Declarations | None = None,
    ):
        """`declarations`: how `declaring` finds what it tells, for compiled rules."""
        self.game, self.rng, self.judged, self.declaring = game, rng, judged, declaring
        self.declarations = declarations
        self.seats = game.vocabulary.seats
        self.me = game.vocabulary.seats[game.seat(seat)]
        self.places: dict[Hashable, Place] = {}
        self.low, self.high = 0.0, 1.0
        functions = [
            f for fs in game.vocabulary.functions.values() for f in fs if f.kind == "state" and f.view != "all"
        ]
        self.own = {s: [c for f in functions for c in cells_of(f) if is_seen_by(s, f, c)] for s in self.seats}
        self.iterations = self.steps = 0
        self.chance = frozenset(game.vocabulary.chance_seats)

    def think(
        self,
        worlds: Sequence[tuple[Position, float]],
        choices: Sequence[Choice],
        iterations: int,
        enough: Callable[[], bool] | None = None,
        bonus: Mapping[Choice, float] | None = None,
    ) -> Choice:
        """What looks best after so many positions have been played out, or when it is `enough`. A `bonus` is what a
        choice is worth besides, as a share of all that can be gained."""
        weights = list(accumulate(w for _, w in worlds))
        root: dict[Choice, list[float]] = {c: [0.0, 0.0] for c in choices}
        quick = self._think_in_library(worlds, weights, choices, iterations, enough)
        if quick is not None:
            root = dict(zip(choices, quick, strict=True))
        for _ in range(iterations if quick is None else 0):
            if self.steps > STEPS * iterations or enough is not None and enough():
                break
            self.iterations += 1
            position = self.rng.choices(worlds, cum_weights=weights)[0][0].clone()
            self._play(position, root, enough)
        if not any(visits for visits, _ in root.values()) and enough is not None:
            return self.rng.choice(choices)  # there was no time
        if not bonus:
            return max(choices, key=lambda c: (root[c][0], root[c][1]))
        span = (self.high - self.low) or 1.0
        usual = sum(gain for _, gain in root.values()) / max(1.0, sum(visits for visits, _ in root.values()))
        worth = {c: (gain + USUAL * usual) / (visits + USUAL) / span for c, (visits, gain) in root.items()}
        return max(choices, key=lambda c: worth[c] + bonus.get(c, 0.0))

    def _think_in_library(
        self,
        worlds: Sequence[tuple[Position, float]],
        weights: list[float],
        choices: Sequence[Choice],
        iterations: int,
        enough: Callable[[], bool] | None,
    ) -> list[list[float]] | None:
        """The same by compiled rules, if they are there: what `think` finds, before it decides."""
        known = self.declarations if self.declaring is not None else Declarations({}, (), lambda position: None)
        if self.places or known is None or len(set(choices)) < len(choices):
            return None
        found = searched(
            self.game,
            self.rng,
            [position for position, _ in worlds],
            weights,
            list(choices),
            self.own,
            self.me,
            known.claims,
            known.dealt,
            known.declarers,
            self.judged,
            enough,
            iterations,
            STEPS * iterations,
            (MANY, FIRST, LONG, EAGER, DECLARED),
        )
        if found is None:
            return None
        tried, self.low, self.high, self.iterations, self.steps = found
        return tried

    def _play(
        self, position: Position, root: dict[Choice, list[float]], enough: Callable[[], bool] | None = None
    ) -> None:
        known: dict[int, Hashable] = {
            seat: () if seat == self.me else tuple([position.cell(c) for c in cells])
            for seat, cells in self.own.items()
        }
        path: list[tuple[int, list[tuple[Place, Any]]]] = []
        first: Choice | None = None
        gains: list[float] = []
        inside = True
        try:
            for _ in range(LONG):
                if position.over:
                    break
                if enough is not None and enough():
                    return  # what is cut off tells nothing
                actor = position.asked
                self.steps += 1
                if actor is None or actor in self.chance or not inside or self._may_declare(position, actor):
                    won = self._go_on(position)
                    if won is not None:
                        gains = won
                        break
                    if inside:
                        self._take_in(position, known)
                    continue
                offered = list(dict.fromkeys(position.legal()))
                self.steps += len(offered) // 8
                choice, taken, fresh = self._pick((actor, known[actor]), offered)
                first = choice if first is None else first
                path.append((actor, taken))
                inside = not fresh
                position.apply(choice, trusted=True)
                if inside:
                    self._take_in(position, known)
            gains = gains or self._gains(position)
        except RulesError:
            return  # such a course cannot be
        for actor, taken in path:
            gain = gains[self.seats.index(actor)]
            for place, part in taken:
                place.visits += 1
                place.tried[part][0] += 1
                place.tried[part][1] += gain
        if first in root:
            root[first][0] += 1
            root[first][1] += gains[self.seats.index(self.me)]

    def _take_in(self, position: Position, known: dict[int, Hashable]) -> None:
        for seen_by, row in position.take_news():
            for number, seat in enumerate(self.seats):
                if seen_by >> number & 1:
                    known[seat] = hash((known[seat], row))

    def _may_declare(self, position: Position, actor: int) -> bool:
        """Is somebody else asked whether he knows enough to win? What he knows cannot be found out by trying."""
        return actor != self.me and self.declaring is not None and self.declaring(position) is not None

    def _go_on(self, position: Position) -> list[float] | None:
        """Without thinking: at random, but nobody declares what he cannot know. Now and then somebody can, and wins."""
        asked = self.declaring(position) if self.declaring is not None else None
        if asked is None:
            position.apply(position.sample(self.rng, habits=True), trusted=True)
            return None
        winners, others = asked
        if self.rng.random() < DECLARED:
            return [self.high if seat in winners else self.low for seat in self.seats]
        position.apply(self.rng.choice(others), trusted=True)
        return None

    def _gains(self, position: Position) -> list[float]:
        result = position.result
        if result is not None:
            gains = [float(result.scores[name]) for name in self.game.seats]
            self.low, self.high = min(self.low, *gains), max(self.high, *gains)
            return gains
        shares = self.judged(position) if self.judged is not None else None
        if shares is None:
            shares = [1 / len(self.seats)] * len(self.seats)
        return [self.low + (self.high - self.low) * share for share in shares]

    # --- what to try --------------------------------------------------------------------------------------------------
    def _pick(self, where: Hashable, choices: list[Choice]) -> tuple[Choice, list[tuple[Place, Any]], bool]:
        """A choice, part by part where there are many; and whether it was never tried before."""
        if len(choices) <= MANY:
            place = self._place(where)
            choice, fresh = self._best(place, choices)
            return choice, [(place, choice)], fresh
        taken: list[tuple[Place, Any]] = []
        prefix: tuple[Any, ...] = ()
        fresh = False
        while len(choices) > 1 or not taken:
            depth = len(prefix)
            place = self._place((where, prefix))
            part, fresh = self._best(place, list(dict.fromkeys(c[depth] for c in choices if len(c) > depth)))
            taken.append((place, part))
            prefix = (*prefix, part)
            choices = [c for c in choices if c[: depth + 1] == prefix]
            if fresh:
                break
        return self.rng.choice(choices), taken, fresh

    def _place(self, where: Hashable) -> Place:
        found = self.places.get(where)
        if found is None:
            found = self.places[where] = Place()
        return found

    def _best(self, place: Place, parts: list[Any]) -> tuple[Any, bool]:
        tried = place.tried
        fresh = [p for p in parts if p not in tried]
        known = len(parts) - len(fresh)
        if fresh and (len(parts) <= MANY or known < FIRST + 2 * sqrt(place.visits)):
            part = self.rng.choice(fresh)
            tried[part] = [0.0, 0.0, 1.0]
            return part, True
        several = [p for p in parts if p in tried]
        span = (self.high - self.low) or 1.0
        best, value = None, -1e9
        for part in several:
            entry = tried[part]
            entry[2] += 1
            visits = entry[0] or 0.5
            worth = (entry[1] / visits - self.low) / span + EAGER * sqrt(log(entry[2] + 1) / visits)
            if worth > value:
                best, value = part, worth
        return best, False
