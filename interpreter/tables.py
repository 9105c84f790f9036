"""A table of bots at a game that a library plays: it goes on by itself as long as none of them has to think.

Most of what bots do they do at random, and most of what they think of they let go again. Where a library knows how, it
makes these choices, with the luck of the one whose choice it is: the same ones that he would have made.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .blocks import Slots
from .model import Choice, Rule, Value
from .observe import Chain
from .position import Position
from .question import Question
from .slots import HEADER
from .state import State

if TYPE_CHECKING:
    from .game import Game
    from .native import Library

__all__ = ["Luck", "Refusal", "Renewal", "Searched", "Table", "searched"]

AT_RANDOM, GUARDED = 0, 2  # as in _table.c


@dataclass(frozen=True, slots=True)
class Refusal:
    """Somebody has dared nothing at a question. As long as he is told nothing else, he dares nothing there, unless one
    of the bold alternatives wins in this position, with what he sees as it is then."""

    question: Question
    position: Position  # one that he holds possible, and in which nothing wins
    bold: Collection[int]  # alternatives that he would try
    slow: Collection[int]  # others that he would not, as long as there are fewer ways to choose them than worlds
    worlds: int
    judged: bool  # could anything be certain at all?
    seen: frozenset[int]  # cells that he always sees
    # Of each event: 0 if it tells him of nothing else, 1 if it may, more if it may unless he stands in its row, at this
    # place less two.
    loud: bytes
    stamp: Hashable  # the same as long as he holds the same possible


@dataclass(frozen=True, slots=True)
class Renewal:
    """He was told something of worlds since: his refusal at this question holds on, if nothing wins in this world."""

    question: int
    stamp: Hashable
    count: int  # of the worlds that he holds possible
    cells: Sequence[int]
    world: Sequence[Value]  # what stands in these cells in one of them


class Luck(random.Random):
    """The same numbers as random.Random gives, of which a library can draw, too."""

    def __init__(self, seed: int | str):
        super().__init__(seed)
        self.native: Any = import_module("._native", __package__).Luck(self.getstate()[1])
        self.random = self.native.random  # type: ignore[method-assign]
        self.getrandbits = self.native.getrandbits  # type: ignore[method-assign]


Claim = tuple[
    tuple[int, ...], tuple[int, ...]
]  # alternatives that name nothing and end nothing, and those that may end it
Searched = tuple[list[list[float]], float, float, int, int]  # tries and gains, least and most, positions, steps


def searched(
    game: Game,
    rng: random.Random,
    worlds: Sequence[Position],
    weights: list[float],
    choices: list[Choice],
    own: Mapping[int, Collection[int]],
    me: int,
    claims: Mapping[int, Claim],
    dealt: Sequence[int],
    declarers: Callable[[Position], tuple[int, ...] | None],
    judged: Callable[[Position], Sequence[float] | None] | None,
    enough: Callable[[], bool] | None,
    iterations: int,
    steps: int,
    constants: tuple[int, int, int, float, float],
) -> Searched | None:
    """A tree search by compiled rules, see mind/search.py, with what it draws drawn from `rng` as it is now; None if
    there are none, or they cannot: then `rng` is as it was."""
    library = game._ready_library
    if library is None:
        return None
    seats = game.vocabulary.seats
    found: Searched | None = library.think(
        import_module("._native", __package__).Luck(rng.getstate()[1]),
        lambda place: library.at(worlds[place].v),
        weights,
        choices,
        tuple(seats),
        tuple(tuple(HEADER + cell for cell in own[seat]) for seat in seats),
        seats.index(me),
        bytes([seat in game._chance for seat in seats]),
        tuple(claims.get(node.number) for node in game.program.nodes),
        tuple(HEADER + cell for cell in dealt),
        lambda slots: declarers(Position(game, slots)),
        None if judged is None else lambda slots: judged(Position(game, slots)),
        enough,
        iterations,
        steps,
        constants,
    )
    return found


@lru_cache(maxsize=16)
def _frames(game: Game) -> tuple[tuple[int, ...], ...]:
    """What stands around each question, as `question_of` finds it: of each question, then of each place of return, the
    slots that are in use there, the next place of return first; only -1, where not all may know them."""
    program, secret = game.program, game.frames.secret

    def frame(rule: Rule | None, slots: Sequence[int]) -> tuple[int, ...]:
        if rule is None:
            return ()
        return (-1,) if secret.intersection(slots) else (program.return_slot[rule.shape], *slots)

    returns = [frame(*program.returns.get(block, (None, ()))) for block in range(max(program.returns, default=-1) + 1)]
    return (*(frame(node.rule, node.slots) for node in program.nodes), *returns)


class _Followed(State):
    """What a table plays, for those who look at it: it asks the library, and has slots only if somebody wants them."""

    __slots__ = ("_slots", "position")
    position: Any
    _slots: Slots | None

    def __init__(self, game: Game, position: Any):
        self.game, self.position, self._slots = game, position, None

    @property
    def v(self) -> Slots:  # type: ignore[override]
        if self._slots is None:
            self._slots = self.position.slots()
        return self._slots

    @property
    def _number(self) -> int:
        number: int = self.position.number
        return number

    @property
    def _told(self) -> Chain:
        told: Chain = self.position.told
        return told

    @property
    def over(self) -> bool:
        over: bool = self.position.over
        return over

    @property
    def actor(self) -> str | None:
        actor: str | None = self.position.actor
        return actor

    def moved(self) -> None:
        """The library has gone on."""
        self._slots = None

    def legal(self) -> list[Choice]:
        found: list[Choice] = self.position.legal()
        return found

    def clone(self) -> State:  # type: ignore[override]  # what it becomes is nobody's but its own
        return State(self.game, self.v.copy())


class Table:
    """`state` goes along: whoever looks at it sees the game as it is now."""

    def __init__(
        self,
        library: Library,
        state: State,
        lucks: Mapping[str, Luck],
        thinks: Callable[[str, int], bool],
        claims: set[tuple[int, int]],
    ):
        """`thinks` tells whether a seat thinks at a question; `claims` are choices that are told before they are made,
        by question and alternative."""
        game = state.game
        nodes, seats = game.program.nodes, dict(zip(game.seats, game.vocabulary.seats, strict=True))
        self._places = {seat: place for place, seat in enumerate(game.seats)}
        self._position: Any = library.at(state.v)
        self.state = _Followed(game, self._position)
        self._library = library
        self._slots: dict[frozenset[int], tuple[int, ...]] = {}
        rows = []
        for seat, atom in seats.items():
            if seat in lucks:
                kinds = [GUARDED if n.kind == "ask" and thinks(seat, n.number) else AT_RANDOM for n in nodes]
                rows.append((atom, lucks[seat].native, bytes(kinds)))
            else:  # played by chance
                rows.append((atom, Luck(0).native, bytes([GUARDED] * len(nodes))))
        self._table: Any = import_module("._native", __package__).Table(library, claims, _frames(game), tuple(rows))

    def go_on(self, choice: Choice | None, most: int) -> tuple[int, Choice | None]:
        """Make this choice, and go on for so many decisions, or until somebody thinks, or chooses what is to be told
        first. How many decisions there were besides, and that choice."""
        found: tuple[int, Choice | None] = self._position.wander(self._table, choice, most)
        self.state.moved()
        return found

    def was_told(self, seat: str) -> bool:
        """Is it only because he was told something of worlds that he is asked this now?"""
        found: bool = self._table.was_told(self._places[seat], self._position.number)
        return found

    def renew(self, seat: str, renewal: Renewal) -> None:
        """Let his refusal hold on."""
        slots = tuple(HEADER + cell for cell in renewal.cells)
        place, number = self._places[seat], renewal.question
        self._table.renew(place, number, renewal.stamp, renewal.count, slots, renewal.world)

    def spare(self, seat: str, refusal: Refusal) -> None:
        """Let him not be asked again as long as his refusal holds."""
        question, start = refusal.question, self.state.game.program.start
        slots = refusal.position.v.copy()
        for slot in (*question.told, *question.back):  # where it is asked again, others may stand around it
            slots[slot] = start[slot]
        imagined = self._library.at(slots)
        if question.unknown or imagined is None:
            return
        seen = self._slots.get(refusal.seen)
        if seen is None:
            seen = self._slots[refusal.seen] = (4, *(HEADER + cell for cell in refusal.seen))
        self._table.spare(
            self._places[seat],
            refusal.stamp,
            refusal.loud,
            imagined,
            seen,
            tuple(refusal.bold),
            tuple(refusal.slow),
            refusal.worlds,
            refusal.judged,
        )
