"""Lessons: a first game of somebody, prepared and explained step by step, as a file beside the rules (docs/lessons.md).

The luck of the game is given, the others choose at random, which is the same everywhere, and each step says what is
expected next. So a lesson can be played through without anybody: that is how it is checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...interpreter import Game, Problem, RulesError, State, load_game
from ...interpreter.errors import Place, problem
from ...interpreter.files import read_ours, real
from ...interpreter.load import Map, load_file
from ...interpreter.schema import mistakes, new_validator
from ...interpreter.shelves import Shelves, shown
from ...mind.bots import BOTS
from ..common.luck import luck_of

__all__ = [
    "ENDING",
    "OTHERS",
    "SCHEMA",
    "Lesson",
    "beside",
    "games_with_one",
    "lesson_for",
    "problems_in",
    "read",
]

ENDING = ".lesson.yml"
SCHEMA = Path(__file__).with_name("lesson.schema.json")
OTHERS = "random"  # the bots at the other seats
MOST = 8  # choices that a message lists


@dataclass(slots=True)
class Step:
    name: str
    say: Any
    choose: tuple[str, ...]
    before: tuple[Any, ...] = ()  # for each time that one may only go on
    why: Any = ""
    at: Place | None = None
    before_at: Place | None = None

    def wants(self, game: Game, choice: tuple) -> bool:
        """Is this what is expected: has it all the words?"""
        words = _flat(game.words(choice))
        return all(words.count(word) >= self.choose.count(word) for word in self.choose)

    def expected(self, game: Game, legal: Iterable[tuple]) -> tuple | None:
        """The choice that leads on: one, so that what is said later holds."""
        return next((choice for choice in legal if self.wants(game, choice)), None)


@dataclass(slots=True)
class Lesson:
    game: Game
    seat: str
    seed: int
    steps: list[Step]
    about: Any = ""
    end: Any = ""


def beside(rules: Path) -> Path | None:
    """The lesson of a rule file, if there is one."""
    path = rules.with_name(rules.stem + ENDING)
    return path if path.is_file() else None


def lesson_for(game: str, folders: tuple[Path, ...]) -> Path | None:
    """The lesson of a game, which is named by its name or by its file; an unknown game is a problem."""
    file = Path(game)
    return beside(file if file.suffix in (".yaml", ".yml") else Shelves(folders).find(game))


def games_with_one(folders: tuple[Path, ...]) -> list[str]:
    shelves = Shelves(folders)
    return [name for name in shelves.names() if beside(shelves.find(name)) is not None]


def read(path: Path, folders: tuple[Path, ...] = ()) -> Lesson:
    data = load_file(path, shown(real(path)))
    if found := mistakes(_validator(), data):
        raise RulesError(found)
    game = _game(data, path, folders)
    seats = [seat for seat in game.seats if seat not in game.chance_seats]
    if data["seat"] not in seats:
        at = data.value_at["seat"]
        raise RulesError(problem("scenario_seat", at, len(data["seat"]), name=data["seat"], seats=", ".join(seats)))
    steps = [
        Step(
            name,
            step["say"],
            tuple(map(str, step["choose"])),
            _several(step.get("before", ())),
            step.get("why", ""),
            step.value_at["choose"],
            step.value_at.get("before"),
        )
        for name, step in data["steps"].items()
    ]
    return Lesson(game, data["seat"], data["seed"], steps, data.get("about", ""), data.get("end", ""))


def problems_in(path: Path, folders: tuple[Path, ...] = ()) -> list[Problem]:
    """Everything that is wrong with a lesson: it is played through as it says."""
    try:
        for _ in followed(read(path, folders)):
            pass
    except RulesError as error:
        return error.problems
    return []


def followed(lesson: Lesson) -> Iterator[tuple[Step, State]]:
    """The game as the lesson leads through it, at each of its steps. What is said before them must have its moment."""
    game, state = lesson.game, lesson.game.new(lesson.seed)
    bots = {seat: BOTS[OTHERS](game, seat) for seat in game.seats if seat != lesson.seat}
    steps, decisions, moments = iter(lesson.steps), 0, 0
    step = next(steps, None)
    while step is not None:
        if state.over:
            raise RulesError(problem("lesson_over", step.at, 1))
        if state.actor != lesson.seat:
            choice = bots[state.actor].choose(state.player(state.actor), luck_of(lesson.seed, state.actor, decisions))
        else:
            player = state.player(lesson.seat)
            legal, passing = player.legal(), player.question().passing
            wanted = step.expected(game, legal)
            if len(legal) == 1:  # nobody is asked then
                choice = legal[0]
            elif passing is not None and not step.wants(game, passing):
                choice = passing
                moments += stops_at(state, passing)
            elif wanted is None:
                offered = [" ".join(_flat(game.words(choice))) for choice in legal[:MOST]]
                words = " ".join(step.choose)
                raise RulesError(problem("lesson_choice", step.at, 1, words=words, choices="; ".join(offered)))
            else:
                if len(step.before) > moments:
                    raise RulesError(problem("lesson_before", step.before_at, 1))
                yield step, state
                choice, step, moments = wanted, next(steps, None), 0
        state.apply(choice, trusted=True)
        decisions += 1


def stops_at(state: State, passing: tuple) -> bool:
    """Can what stands open here not be taken up later, so that somebody has to let it go by?"""
    ahead = state.clone()
    ahead.apply(passing, trusted=True)
    return ahead.over or not ahead.unnoticed_since(state, state.actor, unread=True)


def _several(text: Any) -> tuple[Any, ...]:
    return tuple(text) if isinstance(text, (list, tuple)) else (text,)


def _flat(words: Sequence[Any]) -> list[str]:
    found: list[str] = []
    for word in words:
        found += _flat(word) if isinstance(word, (list, tuple)) else [str(word)]
    return found


@lru_cache(maxsize=1)
def _validator() -> Any:
    return new_validator(json.loads(read_ours(SCHEMA)))


def _game(data: Map, path: Path, folders: tuple[Path, ...]) -> Game:
    """A problem without a place, such as a game that does not exist, belongs to the line that names the game."""
    name = data["lesson"]
    try:
        found = Shelves((path.parent, *folders)).find(name)
        return load_game(found, data.get("players"), dict(data.get("options") or {}), (path.parent, *folders))
    except RulesError as error:
        raise error.placed(data.value_at["lesson"], len(name)) from None
