"""What the rest of the interpreter knows of rules that are compiled to C: how a library of them is asked.

It is made by building.py, for those who want many games, and played by the extension _native.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from .model import Choice, Value

if TYPE_CHECKING:
    from .observe import Row
    from .state import State

__all__ = ["Deals", "Library", "NativePosition", "Sums", "Workplace"]

Deals = tuple[list[tuple[list[Value], int, int]], int, int, bool]  # ways, steps, the longest, was one too long
Sums = tuple[int, int, int, tuple[int, ...], tuple[int, ...]]  # games, decisions, unfinished, wins, scores of the seats


class NativePosition(Protocol):
    """A position in a library: what can be done with it there."""

    @property
    def over(self) -> bool: ...
    @property
    def actor(self) -> str | None: ...
    def legal(self) -> list[Choice]: ...
    def apply(self, choice: Choice, trusted: bool = False) -> None: ...
    def clone(self) -> NativePosition: ...
    def state(self) -> State: ...
    def slots(self) -> list[Value]: ...
    def play(self, seed: int, games: int, habits: bool, most: int, /) -> Sums: ...
    def perft(self, depth: int, most: int, /) -> list[int] | int: ...
    def sample(self, generator: int, habits: bool, /) -> tuple[Choice, int] | None: ...
    def deals(
        self,
        mask: int,
        rows: list[Row],
        at: int,
        midway: bool,
        dealt_at: int,
        public: bytes,
        wanted: list[tuple[tuple[int, int], ...]],
        most: int,
        leaves: int,
        /,
    ) -> Deals | None: ...


class Library(Protocol):
    """The rules of a game: see _native.c."""

    def new(self, seed: int | None, /) -> NativePosition | None: ...
    def at(self, slots: list[Value], /) -> NativePosition | None: ...
    def play(self, seed: int, games: int, habits: bool, most: int, /) -> Sums: ...
    def think(self, *args: Any) -> Any: ...
    def advance(self, positions: list[NativePosition], choices: list[Choice], trusted: bool, /) -> None: ...
    def keep(
        self, positions: list[NativePosition], choice: Choice, mask: int, rows: list[Row], trusted: bool, /
    ) -> list[bool | None]: ...


class Workplace(Protocol):
    """Where the library of a game is made."""

    made: Library | None

    def library(self, wait: bool = False, make: bool = True) -> Library | None: ...
