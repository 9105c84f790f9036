"""What a face must be able to do: show somebody what he sees, and tell what he wants to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from .passing import Passing
from .sight import Gesture, Sight
from .turns import Turn
from .view import View

if TYPE_CHECKING:
    from .ending import Ending

__all__ = ["Face"]


class Face(Protocol):
    @property
    def interactive(self) -> bool:
        """Does somebody sit there, who could notice how long something takes?"""

    def ask(self, sight: Sight, refused: Callable[[], str]) -> Gesture:
        """What this person wants to do; `refused` tells why nothing can be taken back, if that is so."""

    def confirm(self, view: View, why: str, what: str) -> bool:
        """Does he really want to do what is not easily made good?"""

    def say_forced(self, view: View, taken: Sequence[Any]) -> None:
        """What was chosen for him, since there was no other choice."""

    def taken_back(self, view: View) -> None: ...

    def news(self, view: View, told: Sequence[Turn], sits_down: bool) -> None:
        """What has happened since he last looked."""

    def hand_over(self, passing: Passing) -> None:
        """The keyboard goes to somebody, and nobody else sees what follows; whoever leaves may have to read first."""

    def turn_to(self, view: View) -> None:
        """It is for somebody else to choose, where nothing is secret."""

    def forget_typed(self) -> None: ...

    def thinking(self) -> AbstractContextManager[Any]:
        """While others decide."""

    def part(self, endings: Sequence[Ending], another: bool) -> str | None:
        """The game is over: a last picture, in each language that is read here, for as long as somebody looks at it;
        and what he wishes for then, if that is asked: the same `again`, an `other` game, or nothing. None, if neither
        is done here."""

    def leave(self) -> None:
        """Nothing private stays behind."""
