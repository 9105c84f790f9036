"""Where games are saved, and which there are."""

from __future__ import annotations

import os
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from ...interpreter import RulesError
from ...interpreter.errors import problem
from ...interpreter.files import make_folder
from ...interpreter.save import glance
from ...speech.language import N_
from ..common.folders import data_home
from ..common.layout import clean
from ..common.streams import Terminal
from .seats import read_beside

ENDING = ".tabarro"


def folder() -> Path:
    """Where games are saved: TABARRO_SAVES, else the user's folder for data."""
    if os.environ.get("TABARRO_SAVES"):
        return Path(os.environ["TABARRO_SAVES"])
    return data_home() / "saves"


def new_path(game, terminal: Terminal) -> Path:
    home = folder()
    try:
        if home.parts[:1] == ("~",):
            raise RulesError(problem("file_missing", file="~"))  # this user has no home
        make_folder(home)
    except RulesError:
        raise terminal.refusal(N_("Games cannot be saved in “{folder}”."), folder=clean(str(home), 200)) from None
    return home / f"{game.id}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}{ENDING}"


@dataclass(slots=True)
class Kept:
    """A saved game, as far as its first line tells."""

    path: Path
    game: str
    players: int
    choices: int
    finished: bool
    people: list[str]  # who have told their names
    when: float
    lesson: bool = False


def kept() -> list[Kept]:
    """All saved games in the folder, the latest first."""
    found = []
    try:
        paths = list(folder().glob(f"*{ENDING}"))
    except OSError:
        paths = []
    for path in paths:
        try:
            header, choices = glance(path)
            beside = read_beside(path)
            people = [seat.name for seat in beside.seats if seat.name]
            found.append(
                Kept(
                    path,
                    header["game"],
                    header["players"],
                    choices,
                    beside.finished,
                    people,
                    path.stat().st_mtime,
                    beside.lesson,
                )
            )
        except (RulesError, OSError):
            continue  # whoever asks for it by name is told what is wrong
    return sorted(found, key=lambda one: one.when, reverse=True)
