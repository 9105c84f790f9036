"""Where house rules live, and the catalogues that they bring along.

In this order: the folders given with --rules, those in TABARRO_RULES, `variants` in the current folder, and `variants`
in the user's folder for data. What comes along with the program is looked up last, and no file can take its name.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ...interpreter.files import real
from ...speech import language
from ...speech.language import N_
from .streams import Terminal

__all__ = ["catalogues", "data_folder", "folders", "home", "use"]

HERE = "variants"
_given: list[Path] = []  # by --rules, in this run of the command


def data_home() -> Path:
    """The user's own folder for data; somebody who has no home has none that exists."""
    data = os.environ.get("XDG_DATA_HOME", "")
    return Path(data if os.path.isabs(data) else os.path.expanduser("~/.local/share")) / "tabarro"


def data_folder() -> Path:
    """The user's own folder for house rules."""
    return data_home() / HERE


def folders() -> tuple[Path, ...]:
    """All folders with house rules that there are, the first to be asked first."""
    named = [Path(name) for name in os.environ.get("TABARRO_RULES", "").split(os.pathsep) if name]
    found = [*_given, *(path for path in [*named, Path(HERE), data_folder()] if path.is_dir())]
    once: dict[Path, Path] = {}
    for path in found:
        once.setdefault(real(path), path)
    return tuple(once.values())


def home() -> Path:
    """Where a new variant is written."""
    return _given[0] if _given else Path(HERE)


def use(argv: Sequence[str], terminal: Terminal) -> None:
    """Take the folders, and the catalogues in them, from the command line: before anything is said or loaded."""
    _given[:] = [Path(name) for name in _values(argv)]
    for path in _given:
        if not path.is_dir():
            raise terminal.refusal(N_("There is no folder “{folder}”."), folder=str(path)[:80])
    language.use_catalogues(tuple(catalogues(argv)))


def catalogues(argv: Sequence[str] = ()) -> list[Path]:
    """The folders `locales` beside house rules: in the folders above, and beside every file that is named."""
    homes = []
    for folder in folders():
        homes += [folder, *sorted(path.parent for path in folder.glob("*/locales"))]
    homes += [Path(name).parent for name in argv if name.endswith((".yaml", ".yml")) and Path(name).is_file()]
    found = dict.fromkeys(real(home / "locales") for home in homes)
    return [path for path in found if path.is_dir() and path != language.LOCALES]


def _values(argv: Sequence[str]) -> list[str]:
    """The values of --rules, wherever they stand."""
    found = []
    for index, argument in enumerate(argv):
        if argument == "--":
            break
        if argument == "--rules" and index + 1 < len(argv):
            found.append(argv[index + 1])
        elif argument.startswith("--rules="):
            found.append(argument.removeprefix("--rules="))
    return found
