"""Tabarro's interpreter: load a game written in YAML, play it, see what each player has seen.

    from tabarro.interpreter import games, load_game

    game = load_game(games()[0])
    state = game.new(seed=1)
    while not state.over:
        state.apply(state.legal()[0])
    print(state.result.winners, state.log(game.seats[0]))

The modules, in the order in which a game passes through them: errors, load, schema, resolve, parse, check, vocabulary,
steps, flow, source, program, state, observe, save.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .batches import Batch as Batch
    from .compiling import find_problems as find_problems
    from .describing import Description as Description
    from .describing import describe as describe
    from .describing import games as games
    from .errors import Place as Place
    from .errors import Problem as Problem
    from .errors import RulesError as RulesError
    from .errors import show as show
    from .game import Game as Game
    from .many import Chooser as Chooser
    from .many import Tally as Tally
    from .many import TooManyPositions as TooManyPositions
    from .model import Choice as Choice
    from .observe import Entry as Entry
    from .observe import Log as Log
    from .observe import Reader as Reader
    from .observe import known_state as known_state
    from .pipeline import load_game as load_game
    from .player import NotYourTurn as NotYourTurn
    from .player import Player as Player
    from .player import Umpire as Umpire
    from .position import Position as Position
    from .question import Question as Question
    from .save import Save as Save
    from .save import resume as resume
    from .state import CHANCE as CHANCE
    from .state import GameOver as GameOver
    from .state import IllegalChoice as IllegalChoice
    from .state import Result as Result
    from .state import State as State
else:

    def __getattr__(name: str):
        """Modules are imported when they are needed: the command must start fast."""
        if name not in _PUBLIC:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f".{_PUBLIC[name]}", __name__), name)


_PUBLIC = {
    "RulesError": "errors",
    "Problem": "errors",
    "Place": "errors",
    "show": "errors",
    "Description": "describing",
    "describe": "describing",
    "find_problems": "compiling",
    "games": "describing",
    "load_game": "pipeline",
    "CHANCE": "state",
    "Choice": "model",
    "Batch": "batches",
    "Chooser": "many",
    "Tally": "many",
    "TooManyPositions": "many",
    "Game": "game",
    "IllegalChoice": "state",
    "GameOver": "state",
    "Result": "state",
    "State": "state",
    "Entry": "observe",
    "Log": "observe",
    "NotYourTurn": "player",
    "Player": "player",
    "Position": "position",
    "Question": "question",
    "Umpire": "player",
    "Reader": "observe",
    "known_state": "observe",
    "Save": "save",
    "resume": "save",
}
__all__ = sorted(_PUBLIC)
