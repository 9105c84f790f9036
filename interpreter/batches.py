"""Many positions of one game side by side: they go on in one call, and are compared with what a seat was told.

By the game's library where there is one, else in Python: the same positions, whoever leads them on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .errors import RulesError
from .model import Choice
from .observe import Log, Row
from .state import IllegalChoice, State

if TYPE_CHECKING:
    from .game import Game
    from .native import Library, NativePosition

__all__ = ["Batch"]


class Batch:
    """Positions that go on together. It begins with copies: the states that it was made of stay as they are."""

    def __init__(self, game: Game, states: Iterable[State], native: bool | None = None):
        self.game = game
        self._in_python = native is False
        self._states = [state.clone() for state in states]
        self._library: Library | None = None
        self._native: list[NativePosition] = []
        if native is not False:
            self._library = game.workshop.library(wait=bool(native))
            self._move_in()

    def _move_in(self) -> None:
        """Into the library; if it cannot have one of them, none."""
        library = self._library
        if library is not None:
            found = [library.at(state.v) for state in self._states]
            self._native = [position for position in found if position is not None]
            if len(self._native) == len(found):
                self._states = []
            else:
                self._library, self._native = None, []

    def __len__(self) -> int:
        return len(self._native if self._library is not None else self._states)

    def __getitem__(self, place: int) -> State:
        """A copy of one of them."""
        return self._native[place].state() if self._library is not None else self._states[place].clone()

    def __iter__(self) -> Iterator[State]:
        return (self[place] for place in range(len(self)))

    @property
    def over(self) -> list[bool]:
        return [position.over for position in (self._native if self._library is not None else self._states)]

    @property
    def actors(self) -> list[str | None]:
        """Of each, who decides."""
        return [position.actor for position in (self._native if self._library is not None else self._states)]

    def __reduce__(self) -> tuple[Any, ...]:
        """For copies and pickles: the states. The rules compiled to C are looked for anew."""
        return Batch, (self.game, list(self), False if self._in_python else None)

    def legal(self) -> list[list[Choice]]:
        """Of each, all choices that the rules offer: none, where the game is over."""
        positions = self._native if self._library is not None else self._states
        return [[] if position.over else position.legal() for position in positions]

    def apply(self, choices: Choice | list[Choice] | list[Choice | None], trusted: bool = False) -> None:
        """Make one choice in all of them, or of a list the k-th in the k-th; where that has None, nothing happens. If
        one is not legal, none is made."""
        each: list[Choice | None] = [*choices] if isinstance(choices, list) else [choices] * len(self)
        if len(each) != len(self):
            raise ValueError(f"{len(each)} choices for {len(self)} positions")
        if self._library is not None:
            going = [(p, choice) for p, choice in zip(self._native, each) if choice is not None]
            self._library.advance([p for p, _ in going], [choice for _, choice in going], trusted)
            return
        for state, choice in zip(self._states, each):
            if choice is not None and not trusted and not state.is_legal(choice):
                state.apply(choice)  # says what is wrong
        after = [state if choice is None else state.clone() for state, choice in zip(self._states, each)]
        for state, choice in zip(after, each):
            if choice is not None:
                state._follow(choice)
        self._states = after

    def keep(self, choice: Choice, seat: str, rows: Sequence[Row], trusted: bool = False) -> list[int]:
        """Make a choice in all of them, and keep those in which it is legal and this seat is told these rows by it, and
        no others, as `Log.rows` has them: what a log says of worlds. Which were kept, by their places before."""
        wanted, mask = list(rows), 1 << self.game.seat(seat)
        if self._library is None:
            left = [_after(state, choice, mask, wanted, trusted) for state in self._states]
            self._states = [state for state in left if state is not None]
            return [place for place, state in enumerate(left) if state is not None]
        kept, positions = [], []
        answers = self._library.keep(self._native, choice, mask, wanted, trusted)
        for place, (position, fits) in enumerate(zip(self._native, answers, strict=True)):
            if fits is None:  # what the library leaves to Python
                state = _after(position.state(), choice, mask, wanted, trusted)
                again = None if state is None else self._library.at(state.v)
                fits = again is not None
                if state is not None and again is None:
                    raise OverflowError("this goes beyond what can be played natively")
                position = position if again is None else again
            if fits:
                kept.append(place)
                positions.append(position)
        self._native = positions
        return kept


def _after(state: State, choice: Choice, mask: int, rows: list[Row], trusted: bool) -> State | None:
    """What becomes of a state, if that is told by it."""
    after, mark = state.clone(), Log(state.game, state.v[1], mask).mark
    try:
        after.apply(choice, trusted)
    except (IllegalChoice, RulesError):
        return None
    return after if Log(after.game, after.v[1], mask).since(mark) == rows else None
