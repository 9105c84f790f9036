"""Games as games of OpenSpiel: `pyspiel.load_game("tabarro(game=kuhn-poker)")` after this module was imported.

Chance is explicit; actions are pieces of choices (see `flat`), with the same numbers in every position. Information
states and observations are made from a player's log alone. `players` is how many play (0: as many as the rules say),
`options` what the group has decided (`repeats:forbidden;nights:3`). What no one can derive from rules may be declared:
`longest`, how many pieces of choices and of chance a game may have, and `least` and `most`, what a player can score.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyspiel

from ..interpreter import CHANCE, Game, load_game
from ..interpreter.model import walk
from .flat import Actions, Flat
from .seeing import MEMORY, Seeing

__all__ = ["load"]

LONGEST = 10_000
MOST_SCORE = 999_999_999  # the largest number of the rules language
MOST_PLAYERS = 20

_TYPE = pyspiel.GameType(
    short_name="tabarro",
    long_name="Tabarro",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_PLAYERS,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "game": "kuhn-poker",
        "players": 0,
        "options": "",
        "longest": LONGEST,
        "least": -MOST_SCORE,
        "most": MOST_SCORE,
        "memory": MEMORY,
    },
)


def load(game: str, players: int = 0, **parameters: Any) -> TabarroGame:
    """A game by its name or the path of its file, with the parameters named above."""
    return TabarroGame({"game": game, "players": players, **parameters})


class Table:
    """What a game of OpenSpiel is made of. OpenSpiel keeps games in C++ and may forget what Python has added to them,
    so everything hangs on the parameters, and is made once for each."""

    def __init__(self, game: str, players: int, options: str, memory: int):
        chosen = dict(_option(pair) for pair in options.replace("=", ":").split(";") if pair)
        self.rules: Game = load_game(game, players or None, chosen)
        self.actions = Actions(self.rules)
        self.seeing = Seeing(self.rules, self.actions, memory)
        self.seats = [seat for seat in self.rules.seats if seat not in self.rules.chance_seats]

    @property
    def counts_scores(self) -> bool:
        """Without scores those who win gain 1."""
        rules = self.rules.program.rules.values()
        return any("scores" in step.at for rule in rules for step in walk(rule.steps) if step.verb == "end")

    def __deepcopy__(self, memo: object) -> Table:
        return self


def _option(pair: str) -> tuple[str, Any]:
    name, _, value = pair.partition(":")
    return name, {"true": True, "false": False}.get(value, int(value) if value.lstrip("-").isdigit() else value)


_table = cache(Table)


def _table_of(parameters: dict[str, Any]) -> Table:
    given = {**_TYPE.parameter_specification, **parameters}
    return _table(str(given["game"]), int(given["players"]), str(given["options"]), int(given["memory"]))


class TabarroGame(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, params: dict[str, Any] | None = None):
        given = {**_TYPE.parameter_specification, **(params or {})}
        given["options"] = str(given["options"]).replace("=", ":")  # which a game's string cannot carry inside a value
        table = _table_of(given)
        scores = (float(given["least"]), float(given["most"])) if table.counts_scores else (0.0, 1.0)
        super().__init__(
            _TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=len(table.actions),
                max_chance_outcomes=len(table.actions),
                num_players=len(table.seats),
                min_utility=scores[0],
                max_utility=scores[1],
                max_game_length=int(given["longest"]),
            ),
            given,
        )

    def new_initial_state(self) -> TabarroState:
        return TabarroState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if iig_obs_type is None:
            iig_obs_type = pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(_table_of(self.get_parameters()), iig_obs_type.perfect_recall)


class TabarroState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: TabarroGame):
        super().__init__(game)
        self.table = _table_of(game.get_parameters())
        self.flat = Flat(self.table.rules.new(), self.table.actions)

    def current_player(self) -> int:
        actor = self.flat.actor
        if actor is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actor == CHANCE else self.table.seats.index(actor)

    def _legal_actions(self, player: int) -> list[int]:
        return self.flat.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.flat.chances()

    def _apply_action(self, action: int) -> None:
        self.flat.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.table.actions.name(action)

    def is_terminal(self) -> bool:
        return self.flat.over

    def returns(self) -> list[float]:
        result = self.flat.state.result
        return [float(result.scores[seat]) if result is not None else 0.0 for seat in self.table.seats]

    def __str__(self) -> str:
        """All that happened, in order."""
        return " ".join(self.table.actions.name(action) for action in self.history())


class Observer:
    """What a player observes, for `open_spiel.python.observation`: with perfect recall all that is in the log, without
    it what stands on the table."""

    def __init__(self, table: Table, recall: bool):
        self.table, self.recall = table, recall
        size = table.seeing.memory if recall else table.seeing.size
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"tokens" if recall else "features": self.tensor}

    def set_from(self, state: TabarroState, player: int) -> None:
        seat = self.table.seats[player]
        done = state.flat.done if state.flat.actor == seat else ()
        see = self.table.seeing.tokens if self.recall else self.table.seeing.features
        self.tensor[:] = see(state.flat.state.player(seat), done)

    def string_from(self, state: TabarroState, player: int) -> str:
        seat = self.table.seats[player]
        done = state.flat.done if state.flat.actor == seat else ()
        return self.table.seeing.text(state.flat.state.player(seat), done)


pyspiel.register_game(_TYPE, TabarroGame)
