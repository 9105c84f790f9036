"""A game, ready to be played: for a number of players, with its options settled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from .blocks import Node, Program, Slots
from .many import MOST_DECISIONS, Tally, play_many, scrambled, whole
from .model import Assumption, Choice, Named, Option, OptionValue, Text, Type, Value, Var, Words
from .native import Library, NativePosition, Workplace
from .position import Position
from .presentation import BookTexts, Phrase, Screens, Texts
from .question import Frames, Question
from .runtime import Number
from .state import LIMITS, IllegalChoice, State
from .vocabulary import Vocabulary

if TYPE_CHECKING:
    from .batches import Batch

__all__ = ["Game"]

READINGS = 10_000  # ways to read the names of a choice
Chosen = tuple[tuple[str, OptionValue], ...]  # the options and their values


@dataclass(slots=True, eq=False)
class Game:
    """One game for a number of players with its options settled: an immutable program."""

    id: str
    players: int
    options: dict[str, Option]
    vocabulary: Vocabulary
    program: Program
    digest: str  # of everything that decides how the game goes
    name: Text
    about: Text
    screens: Screens
    phrases: dict[str, Phrase]  # by head and by shape
    texts: Texts
    rulebook: BookTexts
    habits: dict[str, float]  # of bots, where they are not as usual
    origin: tuple[str, int, Chosen, tuple[str, ...]]  # file, players, options, folders: to load the same game again
    assumed: tuple[Assumption, ...] = ()  # what the secrecy check takes for granted

    def __post_init__(self) -> None:
        words = self.vocabulary
        self._seat_names = tuple(words.atoms[s].name for s in words.seats)
        self._chance = frozenset(words.chance_seats)
        self._nodes = self.program.nodes

    _seat_names: tuple[str, ...] = ()
    _chance: frozenset[int] = frozenset()
    _opening: Slots | None = None
    _frames: Frames | None = None
    _workshop: Workplace | None = None
    _nodes: list[Node] = field(default_factory=list)

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of all seats, in order; those in `chance_seats` are played by chance."""
        return self._seat_names

    @property
    def chance_seats(self) -> tuple[str, ...]:
        return tuple(self.vocabulary.atoms[s].name for s in self.vocabulary.chance_seats)

    @property
    def frames(self) -> Frames:
        """Which variables live where: for the interpreter only."""
        if self._frames is None:
            self._frames = Frames(self.program)
        return self._frames

    def new(self, seed: int | None = None) -> State:
        """A new game. With a seed chance decides by itself; without one chance is a node like any other."""
        if self._opening is None:  # up to the first decision or chance all games are the same
            first = State(self, self.program.start.copy())
            first._run(self.program.entry)
            self._opening = first.v
        state = State(self, self._opening.copy())
        if seed is not None:
            state.v[2] = scrambled(whole(seed, "seed"))
            state._run(-1)
        return state

    # --- many games ---------------------------------------------------------------------------------------------------
    @property
    def _ready_library(self) -> Library | None:
        """The compiled rules, if somebody has asked for them and they are there."""
        return None if self._workshop is None else self._workshop.library(make=False)

    @property
    def workshop(self) -> Workplace:
        """Where the rules are compiled to C, if somebody wants many games: for the interpreter only."""
        if self._workshop is None:
            building = import_module(".building", __package__)  # nobody else needs what that needs
            made: Workplace = building.Workshop(self, LIMITS, lambda slots: State(self, slots))
            self._workshop = made
        return self._workshop

    def playouts(
        self, games: int, seed: int = 0, habits: bool = False, most: int = MOST_DECISIONS, native: bool | None = None
    ) -> Tally:
        """So many games of players who choose at random, and what came of them: see `State.sample` for `habits`. A game
        that is not over after `most` decisions is broken off.

        With a C compiler this is far faster than game by game; `native=True` waits for it, `False` does without."""
        return play_many(self, None, games, seed, habits, most, native)

    def perft(self, depth: int, native: bool | None = None) -> list[tuple[int, int]]:
        """For each depth, how many positions there are and how many of them are ends. Chance counts like a player."""
        return self.new().ways(depth, native=native)

    def batch(self, states: Iterable[State], native: bool | None = None) -> Batch:
        """Copies of these states, that go on side by side, in one call each time; `native` as in `playouts`."""
        found: Batch = import_module(".batches", __package__).Batch(self, states, native)
        return found

    def native(self, seed: int | None = None) -> NativePosition | State:
        """A new game as `new` gives it, played by the rules compiled to C: `over`, `actor`, `legal`, `apply`, `clone`,
        and `state()`, which gives a State. Where there is no compiler, it is a State."""
        workshop = self._workshop or self.workshop
        library = workshop.made or workshop.library(wait=True)
        begun = None if library is None else library.new(seed if seed is None else whole(seed, "seed"))
        return self.new(seed) if begun is None else begun

    def beginning(self, seed: int | None = None) -> Position:
        """A new game that somebody imagines: all of it may be looked at, because it is nobody's."""
        return Position(self, self.new(seed).v)

    def seat(self, name: str) -> int:
        """The number of a seat, by its name."""
        try:
            return self._seat_names.index(name)
        except ValueError:
            raise KeyError(f"no seat is called {name!r}; there are {', '.join(self._seat_names)}") from None

    def named(self, value: Value, kind: Type) -> Named:
        """A value of this type in names: atoms become their names, sets rows of names."""
        return self.vocabulary.named(value, kind)

    def valued(self, names: Named, kind: Type) -> Value:
        """The value of this type that has these names: the way back from `named`."""
        return self.vocabulary.valued(names, kind)

    def position(
        self, question: Question | None, cells: Sequence[Value], guesses: Mapping[Var, Value] | None = None
    ) -> Position:
        """A position that somebody imagines: these values in all cells, and this question put to him.

        What he may not know of the variables around the question is a guess; without a question nothing is asked."""
        return Position.imagined(self, question, cells, guesses or {})

    def words(self, choice: Choice) -> Words:
        """A choice in names, as it is saved; numbers as they are written."""
        return [[self._word(x) for x in part] if isinstance(part, tuple) else self._word(part) for part in choice]

    def _word(self, value: int) -> str:
        return str(int(value)) if isinstance(value, Number) else self.vocabulary.atoms[value].name

    def choice(self, words: Words | list[str], state: State) -> Choice:
        """The legal choice of `state` that these names mean. They are tried, so that not all choices are listed."""
        counted = self._numbers_at(words, state) if isinstance(words, list) else ()
        readings: list[Sequence[Any]] = [()]
        if isinstance(words, list):
            readings = [_number(w) if i in counted else self._readings(w) for i, w in enumerate(words)]
        for reading in islice(product(*readings), READINGS):
            if state.is_legal(reading):
                return reading
        raise IllegalChoice(words)

    def _numbers_at(self, words: list[Any], state: State) -> frozenset[int]:
        """The places in a choice at which numbers stand."""
        step = self._nodes[state.v[0]].step
        if step is None:
            return frozenset()
        if step.verb in ("draw", "deal"):
            pool = step.at["from" if step.verb == "draw" else "deal"].type.of
            return frozenset({0} if pool is not None and pool.kind == "number" else ())
        chosen = next((a for a in step.alternatives if words[:1] == [a.name]), None)
        parts = [*step.parts, *(chosen.parts if chosen else ())]
        return frozenset(i for i, part in enumerate(parts, int(bool(step.alternatives))) if part.counts)

    def _readings(self, word: Any) -> Sequence[Any]:
        """What a name may stand for: a thing of any set; for a list, each way to read its names, in both orders."""
        if not isinstance(word, list):
            return self.vocabulary.by_name.get(word, []) if isinstance(word, str) else []
        found = islice(product(*(self._readings(w) for w in word)), READINGS)
        return list(dict.fromkeys(order for row in found for order in (row, tuple(sorted(row)))))

    def __deepcopy__(self, memo: object) -> Game:
        return self


def _number(word: Any) -> list[Any]:
    """What a written number stands for; a list of them, for several."""
    if isinstance(word, list):
        found = [n for w in word for n in _number(w)]
        return [tuple(sorted(found))] if len(found) == len(word) else []
    return [Number(word)] if isinstance(word, (str, int)) and re.fullmatch(r"-?[0-9]{1,15}", str(word)) else []
