"""The game that a command was asked for."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ...interpreter import load_game
from ...interpreter.errors import did_you_mean
from ...speech.language import N_
from .folders import folders
from .streams import Terminal


def _option_example(arguments: argparse.Namespace, name: str) -> str:
    """An option of the game with a value that it can have: the one that was typed, or the one that was meant."""
    known = load_game(arguments.game, arguments.players, {}, folders()).options
    found = known.get(name) or known.get(did_you_mean(name, known) or "") or next(iter(known.values()), None)
    if found is None:
        return f"{name or 'NAME'}=VALUE"
    value = next((v for v in found.values if v != found.default), found.default)
    return f"{found.name}={str(value).lower() if isinstance(value, bool) else value}"


def asked_game(arguments: argparse.Namespace, terminal: Terminal):
    """The game that was asked for, with its players and options."""
    options = {}
    for option in arguments.options:
        name, equals, value = option.partition("=")
        if not equals or not name:
            text = N_("“{option}” is not an option with a value: write for instance --option {example}.")
            raise terminal.refusal(text, option=option, example=_option_example(arguments, name))
        options[name] = value
    return load_game(arguments.game, arguments.players, options, folders())


def game_or_path(file: str) -> str | Path:
    """What looks like a path is one, whatever it ends in; else it is the name of a game."""
    is_path = os.sep in file or "/" in file or "." in file or os.path.exists(file)
    return Path(file) if is_path else file
