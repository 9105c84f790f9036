"""Who sits at the table: players, who see what their seats see, and the umpire, who sees all.

A screen, a bot, a hint, an export gets a `Player`. There is no way from it to the state.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from .cells import cell_of
from .model import Choice, Function, Value
from .observe import Log
from .question import Question, question_of
from .slots import HEADER

if TYPE_CHECKING:
    from .state import Result, State

__all__ = ["NotYourTurn", "Player", "Umpire"]


class NotYourTurn(ValueError):
    """This seat is not asked now: there is nothing that it could choose."""


class Player:
    """The game as it looks from one seat: its log and, when this seat is asked, the question and the choices.

    It goes along with the state it was made by: what it tells is always of now."""

    __slots__ = ("_dealing", "_is_legal", "_legal", "_look", "_number", "_question", "_sample", "game", "seat")

    def __init__(self, state: State, seat: str):
        mask = 1 << state.game.seat(seat)

        def asked() -> State:
            if state.actor != seat:
                raise NotYourTurn(f"{seat} is not asked now")
            return state

        self.game, self.seat = state.game, seat
        self._look: Callable[[], Log] = lambda: Log(state.game, state._told, mask)
        self._question: Callable[[], Question] = lambda: question_of(asked())
        self._number: Callable[[], int] = lambda: asked()._number
        self._legal: Callable[[], list[Choice]] = lambda: asked().legal()
        self._dealing: Callable[[], bool] = lambda: state.actor == "chance"
        self._is_legal: Callable[[Choice], bool] = lambda choice: asked().is_legal(choice)
        self._sample: Callable[[random.Random], Choice] = lambda rng: asked().sample(rng, habits=True)

    @property
    def log(self) -> Log:
        """All that this seat has seen."""
        return self._look()

    @property
    def is_asked(self) -> bool:
        """Is it for this seat to decide now?"""
        try:
            self._question()
        except NotYourTurn:
            return False
        return True

    @property
    def sees_dealing(self) -> bool:
        """Is chance still dealing? Everybody sees that, until somebody decides something; what chance does later is
        told by the log alone."""
        return self.log.is_opening and self._dealing()

    @property
    def number(self) -> int:
        """Of the question that is asked of this seat: what `question` tells at some cost."""
        return self._number()

    def question(self) -> Question:
        """What is asked of this seat, with the variables around it that it may know."""
        return self._question()

    def legal(self) -> list[Choice]:
        """All choices that the rules offer this seat now."""
        return self._legal()

    def is_legal(self, choice: Choice) -> bool:
        """Is this one of them? Checked without listing all of them."""
        return self._is_legal(choice)

    def sample(self, rng: random.Random) -> Choice:
        """A random choice; what the rules call rare is rare."""
        return self._sample(rng)


class Umpire:
    """Sees everything: for the end of a game, for the lab, for those who play all seats."""

    __slots__ = ("game", "_state")

    def __init__(self, state: State):
        self.game, self._state = state.game, state

    @property
    def log(self) -> Log:
        """All that anybody has seen."""
        return Log(self.game, self._state._told, -1)

    @property
    def number(self) -> int:
        """Of the question that is asked now."""
        return self._state._number

    def cells(self) -> list[Value]:
        """The values of all cells, for `evaluate`."""
        return self._state.v[HEADER : HEADER + self.game.program.state_slots]

    def value(self, function: Function, *args: int) -> Value:
        """What a function of the state is for these things."""
        return self._state.v[HEADER + cell_of(function, args)]

    @property
    def result(self) -> Result | None:
        """Who has won, once the game is over."""
        return self._state.result
