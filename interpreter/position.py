"""Positions that somebody imagines, or sets up: states in which one may look at everything, because nothing is true.

A player who thinks puts together what he has seen, what he holds possible and the question he is asked, and goes on
from there by the rules. `Game.position` is the only door; the real state cannot be had through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .blocks import FAILS, FITS, OVER
from .cells import cell_of
from .model import Choice, Function, Step, Value, Var
from .observe import Log, Mark, Row
from .question import Question
from .slots import HEADER
from .state import State

if TYPE_CHECKING:
    from .game import Game

__all__ = ["Position"]


class _Watched(list[Value]):
    """The places of a position that is watched: which of them were looked at, before anything was written there."""

    __slots__ = ("looked", "written")

    def __init__(self, values: Iterable[Value], looked: set[int], written: set[int]):
        super().__init__(values)
        self.looked, self.written = looked, written

    def __getitem__(self, at: Any) -> Any:
        if type(at) is int:
            if at not in self.written:
                self.looked.add(at)
        else:
            self.looked.update(set(range(len(self))[at]) - self.written)
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        self.written.update((at,) if type(at) is int else range(len(self))[at])
        super().__setitem__(at, value)

    def copy(self) -> _Watched:
        return _Watched(self, self.looked, self.written.copy())


class Position(State):
    __slots__ = ()

    @classmethod
    def imagined(
        cls, game: Game, question: Question | None, cells: Sequence[Value], guesses: Mapping[Var, Value]
    ) -> Position:
        program = game.program
        v = program.start.copy()
        v[0], v[4] = (OVER, None) if question is None else (question.number, question.planning)
        v[1] = v[2] = v[3] = None
        v[5], v[6], v[7], v[8] = (), -1, (), False  # a game inside a match is imagined until its own end, no further
        v[HEADER : HEADER + program.state_slots] = cells
        if question is not None:
            for places in (question.told, question.back):
                for slot, value in places.items():
                    v[slot] = value
            for var in question.unknown:
                if var in guesses:
                    v[HEADER + var.slot] = guesses[var]
        return cls(game, v)

    def at(self, number: int, names: Mapping[Var, Value]) -> Position:
        """The same position where another question is asked, with these names around it, and nothing comes after it."""
        moved = self.clone()
        v, node = moved.v, self.game.program.nodes[number]
        v[0], v[2] = number, None
        if node.rule is not None:
            v[self.game.program.return_slot[node.rule.shape]] = -1
        for var, value in names.items():
            v[HEADER + var.slot] = value
        return moved

    def bare(self, cells: Iterable[int]) -> Position:
        """The same question as if nothing had gone before it: only these cells, and the names around it, are kept."""
        program = self.game.program
        alone = type(self)(self.game, program.start.copy()).at(self.v[0], {})
        for slot in (*program.nodes[self.v[0]].slots, *(HEADER + cell for cell in cells)):
            alone.v[slot] = self.v[slot]
        return alone

    # --- cells --------------------------------------------------------------------------------------------------------
    def cells(self) -> list[Value]:
        return self.v[HEADER : HEADER + self.game.program.state_slots]

    def cell(self, cell: int) -> Value:
        return self.v[HEADER + cell]

    def value(self, function: Function, *args: int) -> Value:
        return self.v[HEADER + cell_of(function, args)]

    def placed(self, cells: Iterable[int], values: Iterable[Value]) -> Position:
        """The same position with other values in these cells."""
        v = self.v.copy()
        for cell, value in zip(cells, values):
            v[HEADER + cell] = value
        return type(self)(self.game, v)

    def put(self, cell: int, value: Value) -> None:
        self.v[HEADER + cell] = value

    # --- whose turn ---------------------------------------------------------------------------------------------------
    @property
    def number(self) -> int:
        """Of the question that is asked now."""
        number: int = self.v[0]
        return number

    @property
    def asked(self) -> int | None:
        """Who is asked now, as an atom; None where chance decides, or nobody any more."""
        node = self.game.program.nodes[self.v[0]]
        return node.actor(self.v) if node.actor is not None else None

    @property
    def is_chance(self) -> bool:
        return self.game.program.nodes[self.v[0]].kind == "chance"

    @property
    def is_over(self) -> bool:
        """Is it over, or, while a plan is tried, has the plan come to its end?"""
        return self.game.program.nodes[self.v[0]].kind == "over"

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won, as atoms, once it is over."""
        winners: tuple[int, ...] = self.v[3][0]
        return winners

    @property
    def step(self) -> Step | None:
        """The step of the rules that asks now, or lets chance decide; None when all is over."""
        return self.game.program.nodes[self.v[0]].step

    @property
    def planned(self) -> bool:
        """Is it a step of a plan that is being made?"""
        return self.game.program.nodes[self.v[0]].planned

    def names(self) -> dict[Var, Value]:
        """The variables of the rules that can be named at this step, for `evaluate`."""
        step = self.step
        return {} if step is None else {var.origin: self.v[HEADER + var.slot] for var in step.visible}

    def variable(self, var: Var) -> Value:
        """What a variable of the rules is now."""
        return self.v[HEADER + var.slot]

    def around(self) -> tuple[Value, ...]:
        """The variables that the question stands among."""
        v = self.v
        return tuple([v[slot] for slot in self.game.program.nodes[v[0]].slots])

    def pool(self) -> tuple[int, ...]:
        """Where chance decides: what it draws from."""
        pool: tuple[int, ...] = self.v[self.game.program.nodes[self.v[0]].pool]
        return pool

    def offers(self) -> list[Choice]:
        """What is offered, also what a plan could not end well with."""
        return self.game.program.nodes[self.v[0]].legal(self.v)

    def allows(self, choice: Choice) -> bool:
        return self.game.program.nodes[self.v[0]].allows(self.v, choice)

    def deals(
        self,
        mask: int,
        rows: list[Row],
        midway: bool,
        dealt_at: int | None,
        public: bytes,
        wanted: list[tuple[tuple[int, int], ...]],
        most: int,
        leaves: int,
    ) -> tuple[list[tuple[Position, int, int]], int, int, bool] | None:
        """All ways in which chance may go from here until somebody decides, that tell those of a mask these rows, or,
        midway, at least these: compared in one call, if the rules are compiled; otherwise None. See mind/dealing.py."""
        library = self.game._ready_library
        start = None if library is None else library.at(self.v)
        seen, at = self.seen_rows(mask), -1 if dealt_at is None else dealt_at
        if start is None or rows[: len(seen)] != seen:
            return None
        found = start.deals(mask, rows, len(seen), midway, at, public, wanted, most, leaves)
        if found is None:
            return None
        ways, steps, longest, too_long = found
        return [(type(self)(self.game, v), hidden, told) for v, hidden, told in ways], steps, longest, too_long

    # --- what follows from what ---------------------------------------------------------------------------------------
    def watched(self) -> Position:
        """The same position; of it, and of what follows from it, it is noted what is looked at."""
        return type(self)(self.game, _Watched(self.v, set(), set()))

    def is_like(self, other: Position) -> bool:
        """Does all that has followed from another position, which is watched, follow from this one, too? It does if
        they differ in nothing that was looked at. What was told before is not looked at."""
        theirs = other.v
        assert isinstance(theirs, _Watched)
        looked = theirs.looked
        pairs = enumerate(zip(theirs, self.v, strict=True))
        if any(x != mine and place in looked and place != 1 for place, (x, mine) in pairs):
            return False
        if isinstance(self.v, _Watched):  # who watches this one would have seen the same
            self.v.looked |= looked - self.v.written
        return True

    def became(self, end: Position) -> Position:
        """What this position becomes where another one, which is watched and like it, became that end. Only what it was
        told is not told right."""
        reached = end.v
        assert isinstance(reached, _Watched)
        places, written = list(self.v), reached.written
        for place in written:
            places[place] = list.__getitem__(reached, place)
        if isinstance(self.v, _Watched):
            places = _Watched(places, self.v.looked, self.v.written | written)
        return type(self)(self.game, places)

    # --- plans --------------------------------------------------------------------------------------------------------
    def tried(self) -> Position:
        """The same, to try out a plan: nobody sees what is done."""
        trial = self.clone()
        trial.v[8] = True
        return trial

    def go(self, choice: Choice) -> None:
        """Make a choice of a plan that is tried, without looking whether the plan can still end well."""
        self._go(choice)

    @property
    def fits(self) -> bool | None:
        """Has the plan come to an end that is allowed, or to another one? None: it goes on."""
        return {FITS: True, FAILS: False}.get(self.v[0])

    # --- what was seen ------------------------------------------------------------------------------------------------
    def rows(self, mask: int = -1, since: Mark | None = None) -> list[tuple[int, Row]]:
        """What was told since it was imagined, or since then, to these seats or to all: who saw it, as a mask, and the
        row."""
        found, chain = [], self.v[1]
        last = None if since is None else since._chain
        while chain is not None and chain is not last:
            row = chain[1]
            if row[1] & mask:
                found.append((row[1], (row[0], *row[2:])))
            chain = chain[0]
        found.reverse()
        return found

    def take_news(self) -> list[tuple[int, Row]]:
        """What was told since the last time, and to whom; it is then forgotten."""
        found = self.rows()
        self.v[1] = None
        return found

    def seen_rows(self, mask: int, since: Mark | None = None) -> list[Row]:
        return Log(self.game, self.v[1], mask).since(since) or []

    @property
    def mark(self) -> Mark:
        """How far it has come."""
        return Mark(self.v[1])

    def is_unseen(self, since: Mark, mask: int) -> bool:
        """Has nothing been told to these seats since then?"""
        return not Log(self.game, self.v[1], mask).since(since)
