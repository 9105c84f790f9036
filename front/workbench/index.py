"""Everything of a game that a house rule can change: its name, its value, what it means, and where it is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ...interpreter import Game, RulesError, load_game
from ...interpreter.errors import Place
from ...interpreter.keywords import BODIES, STEP_VERBS
from ...interpreter.load import Map
from ...interpreter.model import TRUTH
from ...interpreter.patching import patched
from ...interpreter.paths import Steps, at_path, find, parts, shortest
from ...interpreter.resolve import Library
from ...interpreter.texts import told_in
from ...speech.conditions import Speaker
from ...speech.language import Language
from ...speech.reasons import explained
from ...speech.telling import Telling
from ..common.folders import folders
from .described import condition_cells, declared, place_key
from .yaml_text import block, flow

__all__ = ["Entry", "Index"]

TOLD_APART = ("rule", "about", "source", "decision")  # they tell of a part, and are no part of what it does


SAID_FIRST = ("members", "each", "any of", "grid", "is", "means", "steps")  # of what is no step


@dataclass(frozen=True, slots=True)
class Entry:
    path: Steps
    name: str  # the shortest path that means it
    value: Any
    sentence: str  # what it means, in the reader's language; empty where nothing says it
    place: Place

    @property
    def shown(self) -> str:
        """The value in one line; of what holds others, what is said first of it."""
        if not isinstance(self.value, dict):
            return flow(self.value)
        if self.path[0] == "options" and "default" in self.value:
            return flow(self.value["default"])
        if isinstance(self.value.get("members"), dict):
            return flow(list(self.value["members"]))
        key = next((key for key in (*STEP_VERBS, *SAID_FIRST) if key in self.value), None)
        if key is None:
            return "" if any(isinstance(held, dict) for held in self.value.values()) else flow(self.value)
        held = self.value[key]
        return key if isinstance(held, dict) and key in BODIES else f"{key}: {flow(held)}".rstrip()


class Index:
    """What can be changed in one game, as it is with so many players."""

    def __init__(self, game: str | Path, players: int | None, language: Language):
        library = Library(folders())
        self.file = library.path_of(game)
        self.players, self.language = players, language
        whole = library.merged(self.file)
        overlay = (whole.get("players") or {}).get(str(players)) if players else None
        self.whole = patched(whole, overlay) if overlay else whole

    def find(self, asked: str) -> list[Steps]:
        return find(self.whole, asked)

    def names(self) -> set[str]:
        """What a path can begin with or consist of."""
        return {key for path, _ in parts(self.whole) for key in (path[-1], path[-1].split(" ")[0])}

    def entry(self, path: Steps) -> Entry:
        home = at_path(self.whole, path[:-1])
        value = home[path[-1]]
        place = home.key_at[path[-1]] if isinstance(home, Map) else self.whole.at
        at = home.value_at[path[-1]] if isinstance(home, Map) else place
        return Entry(path, shortest(self.whole, path), value, self._sentence(value, place, at), place)

    def reasons(self, path: Steps) -> list[str]:
        """Why a part is as it is, and which texts it comes from."""
        value = at_path(self.whole, path)
        if not isinstance(value, dict) or self._game is None:
            return []
        return explained(self._game, self.language, replace(told_in(value), rule=""))

    def below(self, path: Steps) -> Iterator[Entry]:
        """What can be changed inside a part, one by one."""
        value = at_path(self.whole, path)
        for part, entry in parts(value, path) if isinstance(value, dict) else ():
            if part[-1] in TOLD_APART or any(key in ("en", *TOLD_APART) for key in part[len(path) :]):
                continue
            if not isinstance(entry, dict) or self._tells(entry):
                yield self.entry(part)

    def lines(self, path: Steps) -> list[str]:
        """What to paste into a house rule, as it is now."""
        value = self.entry(path).value
        if path[0] == "options" and len(path) == 2 and isinstance(value, dict) and "default" in value:
            value = value["default"]
        if isinstance(value, dict):
            value = {key: entry for key, entry in value.items() if key not in TOLD_APART} or value
        for key in reversed(path):
            value = {key: value}
        return block(value)

    def _tells(self, value: dict[str, Any]) -> bool:
        return any(key in value for key in ("rule", "about"))

    def _sentence(self, value: Any, *places: Place) -> str:
        if isinstance(value, dict):
            text = value.get("rule") or value.get("about")
            if text:
                return self.language.text(text) if self._telling is None else self._telling.text(text)
        say = next((self._sayings[place_key(place)] for place in places if place_key(place) in self._sayings), None)
        return "" if say is None else say()

    @cached_property
    def _game(self) -> Game | None:
        """None where it has mistakes."""
        try:
            return load_game(self.file, self.players, folders=folders())
        except RulesError:
            return None

    @cached_property
    def _telling(self) -> Telling | None:
        return None if self._game is None else Telling(self._game, self.language)

    @cached_property
    def _sayings(self) -> dict[Any, Callable[[], str]]:
        """How the conditions of the game are said, by their places."""
        game = self._game
        if game is None:
            return {}
        speaker = Speaker(game, self.language)
        found: dict[Any, Callable[[], str]] = {}
        for function, keys, place in condition_cells(game):
            found[place_key(place)] = partial(speaker.cell, function, keys)
        for functions in declared(game, "words").values():
            for function in functions:
                if function.body is not None and function.body.type == TRUTH:
                    found[place_key(function.place)] = partial(speaker.sentence, function.body)
        return found
