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

_PUBLIC = {
    "RulesError": "errors",
    "Problem": "errors",
    "Place": "errors",
    "show": "errors",
    "Description": "compiling",
    "describe": "compiling",
    "find_problems": "compiling",
    "games": "compiling",
    "load_game": "pipeline",
    "CHANCE": "state",
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


def __getattr__(name: str):
    """Modules are imported when they are needed: the command must start fast."""
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_PUBLIC[name]}", __name__), name)
