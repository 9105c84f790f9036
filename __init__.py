"""Tabarro plays games of hidden identity that are written in YAML. This is what most people import.

    import random
    from tabarro import load_game

    game = load_game("kuhn-poker")  # or a path; players=…, options={…}
    state, chooser = game.new(seed=7), random.Random(7)
    while not state.over:
        choice = state.sample(chooser)  # or one of state.legal()
        print(state.actor, game.words(choice))
        state.apply(choice)
    if state.result is not None:
        print(state.result.winners, state.player("first").log.entries())

All else is in `tabarro.interpreter`: logs, questions, saves, imagined positions. See docs/api.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"  # pyproject.toml reads it here

__all__ = [
    "Game",
    "GameOver",
    "IllegalChoice",
    "Player",
    "RulesError",
    "State",
    "__version__",
    "games",
    "load_game",
]

if TYPE_CHECKING:
    from .interpreter import Game, GameOver, IllegalChoice, Player, RulesError, State, games, load_game
else:

    def __getattr__(name: str):
        """The interpreter is imported when something of it is asked for."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        import_module(".speech", __name__)  # it reads sentences in rule files, if there are any
        return getattr(import_module(".interpreter", __name__), name)
