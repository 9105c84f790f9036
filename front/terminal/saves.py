"""Where games are saved, which there are, and whose they are while they are played."""

from __future__ import annotations

import os
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from ...interpreter import RulesError
from ...interpreter.save import glance
from ...speech.language import N_
from ..common.layout import clean
from ..common.streams import Terminal
from .seats import read_beside


class kept_for_us:
    """Two windows must not go on with the same game at the same time."""

    def __init__(self, path: Path, terminal: Terminal):
        self.path, self.terminal, self.file = path, terminal, None

    def __enter__(self) -> None:
        try:
            import fcntl

            self.file = open(self.path, "rb")  # noqa: SIM115 (it stays open as long as the game is played)
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise self.terminal.refusal(N_("This game is being played in another window.")) from None
        except (ImportError, OSError):
            pass

    def __exit__(self, *_) -> None:
        if self.file is not None:
            self.file.close()


ENDING = ".tabarro"


def folder() -> Path:
    """Where games are saved: TABARRO_SAVES, else the user's folder for data."""
    if os.environ.get("TABARRO_SAVES"):
        return Path(os.environ["TABARRO_SAVES"])
    data = os.environ.get("XDG_DATA_HOME", "")
    return (Path(data) if os.path.isabs(data) else Path.home() / ".local" / "share") / "tabarro" / "saves"


def new_path(game, terminal: Terminal) -> Path:
    home = folder()
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError:
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
                )
            )
        except (RulesError, OSError):
            continue  # whoever asks for it by name is told what is wrong
    return sorted(found, key=lambda one: one.when, reverse=True)
