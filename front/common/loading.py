"""The game that a command was asked for."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...interpreter import RulesError, load_game
from ...interpreter.errors import did_you_mean
from ...interpreter.model import Option
from ...interpreter.shelves import Shelves
from ...speech.language import N_
from .folders import folders
from .streams import Terminal

if TYPE_CHECKING:
    from ...interpreter.resolve import Library


def typed_value(value: Any) -> str:
    """A value of an option as it is written on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def possible_values(option: Option) -> str:
    """What an option can be, as it is written on the command line."""
    if option.kind == "one of":
        return ", ".join(map(str, option.values))
    if option.kind == "number":
        least, most = ("" if bound is None else str(bound) for bound in (option.least, option.most))
        return f"{least}…{most}"
    return "true, false"


def _option_example(arguments: argparse.Namespace, name: str) -> str:
    """An option of the game with a value that it can have: the one that was typed, or the one that was meant."""
    known = load_game(arguments.game, arguments.players, {}, folders()).options
    found = known.get(name) or known.get(did_you_mean(name, known) or "") or next(iter(known.values()), None)
    if found is None:
        return f"{name or 'NAME'}=VALUE"
    value = next((v for v in found.values if v != found.default), found.default)
    return f"{found.name}={typed_value(value)}"


def asked_game(arguments: argparse.Namespace, terminal: Terminal, people: bool = False):
    """The game that was asked for, with its players and options; for people, what they usually play with."""
    options = {}
    for option in arguments.options:
        name, equals, value = option.partition("=")
        if not equals or not name:
            text = N_("“{option}” is not an option with a value: write for instance --option {example}.")
            raise terminal.refusal(text, option=option, example=_option_example(arguments, name))
        options[name] = value
    return load_game(arguments.game, arguments.players, options, folders(), people)


def game_or_path(file: str) -> str | Path:
    """What looks like a path is one, whatever it ends in; else it is the name of a game."""
    is_path = os.sep in file or "/" in file or "." in file or os.path.exists(file)
    return Path(file) if is_path else file


def is_there(name: str) -> bool:
    """Is this a path, or the whole name of a rule file?"""
    if isinstance(game_or_path(name), Path):
        return True
    try:
        return bool(Shelves(folders()).find(name))
    except RulesError:
        return False


def rule_file(name: str, library: Library) -> Path:
    """The rule file that is meant by a path, or by the name of a game."""
    meant = game_or_path(name)
    return meant if isinstance(meant, Path) else library.find(meant)
