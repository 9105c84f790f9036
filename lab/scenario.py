"""Scenarios: tests of a game's rules that a rules expert can read and write (see docs/scenarios.md).

A scenario is a YAML file: a position, what is done, what must follow, what each player sees. `run(path)` plays it and
returns everything that is wrong, in the file or in the rules, as problems with file, line and column.
"""

from __future__ import annotations

import json
import random
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..interpreter import CHANCE, Game, Position, Problem, RulesError, load_game
from ..interpreter.check import Scope
from ..interpreter.errors import Place, did_you_mean, problem
from ..interpreter.evaluate import evaluate
from ..interpreter.files import read_ours, real
from ..interpreter.idiom import idiom, idioms
from ..interpreter.load import Map, Sentence, load_file
from ..interpreter.model import TRUTH, Expr, Var
from ..interpreter.observer import Observer
from ..interpreter.retelling import retold, spoken
from ..interpreter.schema import mistakes, new_validator
from ..interpreter.shelves import Shelves, shown
from ..mind.courses import Contradiction, Courses
from ..mind.stories import Rows
from ..speech.lines import NOISE, ChoiceReading, Word, length_of, said, words_of
from ..speech.understanding import reader_of
from .stated import SHOWN, Now, SetUp, Wrong

__all__ = ["SCHEMA", "position_in", "run"]

SCHEMA = Path(__file__).with_name("scenario.schema.json")
WORK = 200_000  # steps of the interpreter to find out what somebody knows
_MISTAKES = (TypeError, IndexError, KeyError, AttributeError)


def run(path: Path, folders: tuple[Path, ...] = ()) -> list[Problem]:
    """Play one scenario, with the house rules in these folders; everything that is wrong, nothing if all is as it
    should be."""
    try:
        data = retold(load_file(path, shown(real(path))), folders, shape="scenario")
        found = mistakes(_validator(), data)
        if found:
            return RulesError(found).problems
        player = Performance(_game(data, path, folders), data)
        player.play()
    except RulesError as error:
        return error.problems
    return RulesError(player.problems).problems


def position_in(path: Path, game: Game) -> Position:
    """The position with which a scenario begins, for this game; the file may also be nothing but a position."""
    data = retold(load_file(path, shown(real(path))), shape="scenario")
    whole = data
    if "position" not in data:
        whole = Map(data.at)
        whole["position"] = data
    elif found := mistakes(_validator(whole=False), data):
        raise RulesError(found)
    player = Performance(game, whole)
    try:
        SetUp(player).take()
    except Wrong:
        raise RulesError(player.problems) from None
    player.let_fall()
    return player.position


@lru_cache(maxsize=2)
def _validator(whole: bool = True):
    """Of scenarios, or of those that need not have more than a position."""
    schema = json.loads(read_ours(SCHEMA))
    return new_validator(schema if whole else schema | {"required": []})


def _game(data: Map, path: Path, folders: tuple[Path, ...]) -> Game:
    """The game that a scenario is about. A problem without a place, such as a game that does not exist, belongs to the
    line that names the game."""
    name = data["game"]
    try:
        game = path.parent / name if name.endswith((".yaml", ".yml")) else _rule_file(name, path, folders)
        return load_game(game, data.get("players"), dict(data.get("options") or {}), (path.parent, *folders))
    except RulesError as error:
        raise error.placed(data.value_at["game"], len(name)) from None


def _rule_file(name: str, scenario: Path, folders: tuple[Path, ...]) -> Path:
    """The file of a game by its name: beside the scenario, above its folder, or on the shelves. A scenario may have
    the name of the game that it is about."""
    found = Shelves((scenario.parent, *folders)).find(name)
    if real(found) != real(scenario):
        return found
    above = scenario.parent.parent / f"{name}.yaml"
    return above if above.is_file() else Shelves(folders).find(name)


class Performance:
    """A scenario while it is played."""

    def __init__(self, game: Game, data: Map):
        self.game, self.data, self.words = game, data, game.vocabulary
        self.problems: list[Problem] = []
        self.rng = random.Random(data.get("seed", 1))
        self.position = game.beginning()
        self.writes: list[tuple[int, Any]] = []  # cells, and what the scenario puts into them
        self.seats = [s for s in game.seats if s not in game.chance_seats]

    def complain(self, code: str, at: Place, length: int = 1, **args) -> None:
        self.problems.append(problem(code, at, max(1, length), **args))

    def play(self) -> None:
        try:
            SetUp(self).take()
            items = self.data["play"]
            for index, item in enumerate(items):
                if len(item) != 1:
                    self.complain("scenario_keys", items.value_at[index])
                    raise Wrong
                ((key, value),) = item.items()
                self.take(key, value, item.key_at[key], item.value_at[key])
        except Wrong:
            pass

    # --- one entry ----------------------------------------------------------------------------------------------------
    def take(self, key: str, value: Any, key_at: Place, at: Place) -> None:
        if key == "chance":
            self.chance(value, at)
            return
        self.let_fall()
        if key == "now":
            Now(self, value).check()
            return
        if key not in self.game.seats:
            self.complain(
                "scenario_seat",
                key_at,
                len(key),
                name=key,
                seats=", ".join(self.seats),
                meant=did_you_mean(key, [*self.seats, "chance", "now"]) or "",
            )
            raise Wrong
        if self.position.over:
            self.complain("scenario_over", key_at, len(key))
            raise Wrong
        if self.position.actor != key:
            self.complain("scenario_turn", key_at, len(key), name=key, actor=self.position.actor)
            raise Wrong
        choice = self.read(value, at)
        if choice is None:
            raise Wrong
        if not self.position.is_legal(choice):
            self.complain("scenario_not_offered", at, length_of(value), offered=self.some_of(self.position.legal()))
            raise Wrong
        self.position.apply(choice, trusted=True)

    def read(self, value: Any, at: Place) -> tuple | None:
        """The choice that is written here, legal or not; None if it cannot be read."""
        reading = ChoiceReading(self.game, self.position.step)
        choice = reading.choice(value, at)
        self.problems += reading.problems
        return choice

    def some_of(self, choices: list[tuple]) -> tuple[str, ...]:
        return (*(said(self.game.words(c)) for c in choices[:SHOWN]), *(["…"] if len(choices) > SHOWN else []))

    # --- chance -------------------------------------------------------------------------------------------------------
    def let_fall(self) -> None:
        """Chance that the scenario does not state is decided by its seed."""
        while self.position.actor == CHANCE:
            self.position.apply(self.position.sample(self.rng), trusted=True)

    def chance(self, value: Any, at: Place) -> None:
        if self.position.actor != CHANCE:
            self.complain("scenario_no_chance", at, length_of(value), actor=self.position.actor or "-")
            raise Wrong
        step = self.position.step
        if not self.position.is_chance:  # a seat that chance plays
            choice = self.read(value, at)
            if choice is None or not self.position.is_legal(choice):
                self.complain("scenario_not_offered", at, length_of(value), offered=self.some_of(self.position.legal()))
                raise Wrong
            self.position.apply(choice)
            return
        given = [w for w in words_of(value, at) if w.text not in NOISE and w.text != step.name.rsplit("/", 1)[-1]]
        for index, word in enumerate(given):
            if self.position.actor != CHANCE or self.position.step is not step:
                self.complain("scenario_chance_count", at, length_of(value), wanted=index, found=len(given))
                raise Wrong
            self.fall(word)
        goes_on = self.position.actor == CHANCE and self.position.step is step and step.verb == "draw"
        if goes_on and self.position.pool():
            self.complain("scenario_chance_count", at, length_of(value), wanted="…", found=len(given))
            raise Wrong

    def fall(self, word: Word) -> None:
        for choice in self.position.legal():
            if self.game.words(choice)[0] == word.text:
                self.position.apply(choice, trusted=True)
                return
        names = [self.game.words(c)[0] for c in self.position.legal()]
        self.complain(
            "scenario_chance",
            word.at,
            len(word.text),
            value=word.text,
            allowed=", ".join(names),
            meant=did_you_mean(word.text, names) or "",
        )
        raise Wrong

    # --- conditions ---------------------------------------------------------------------------------------------------
    def condition(self, text: Any, at: Place, more: tuple[Var, ...] = ()) -> Expr:
        """A typed condition over the state, the names that the rules have bound here, and those in `more`. It may be
        a sentence of a language: {ca: …}."""
        step = self.position.step
        bound = {v.name: v for v in (*(step.visible if step else ()), *more)}
        if isinstance(text, Map):
            code = next(iter(text))
            words = idiom(code)
            if words is None or len(text) > 1:
                languages = ", ".join(idioms())
                raise RulesError(
                    problem("language_unknown", text.key_at[code], len(code), name=code, languages=languages)
                )
            text, at = spoken(words, text[code], text.value_at[code])
        if isinstance(text, Sentence):
            return reader_of(self.game)(self.words, text, at, bound)
        return self.words.checker.expression(text, at, Scope(bound), TRUTH)

    def holds(self, expr: Expr, position: Position | None = None, more: dict[Var, Any] | None = None) -> bool:
        position = position or self.position
        try:
            return bool(evaluate(expr, position.cells(), {**position.names(), **(more or {})}))
        except _MISTAKES:
            return False  # something in it is nothing

    # --- what somebody knows ------------------------------------------------------------------------------------------
    def worlds(self, seat: str) -> list[Position] | None:
        """All positions that are possible now for this seat, by all that it has seen; None if too many, none
        if they contradict one another.

        Chance may have fallen otherwise, and others may have chosen otherwise what this seat did not see. What the
        scenario puts into cells everybody knows to be there, as if the game had begun so."""
        player = self.position.player(seat)
        courses = Courses(self.game, seat, WORK, observer=Observer(self.game, seat, whole=True))

        def settle(position: Position) -> bool:
            for cell, value in self.writes:
                position.put(cell, value)
            return True

        rows = player.log.rows()
        try:
            courses.open(Rows(self.game, rows), lambda position: True, settle)
            courses.read(rows, player.question().number if player.is_asked else None)
        except Contradiction:
            return []
        if not courses.exact:
            return None
        return [position for position, _ in courses.worlds()] if player.is_asked else courses.unseen()
