"""Where rule files stand, and which of them a name means. Nothing is read here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from .errors import Place, RulesError, did_you_mean, problem
from .files import walk

__all__ = ["RULES", "Shelves", "shown"]

RULES = Path(__file__).resolve().parent.parent / "rules"  # those that come along
FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*(/[A-Za-z0-9_][A-Za-z0-9_.\-]*)*\Z")


class Shelves:
    """Finds rule files by name: beside the file that asks, then in the given folders, then among those that come
    along."""

    def __init__(self, folders: tuple[Path, ...] = ()):
        self.folders = (*(Path(f) for f in folders if Path(f) != RULES), RULES)
        self.asked: dict[tuple[str, str], str] = {}  # which name, from which folder, has meant which file

    def path_of(self, game: str | Path) -> Path:
        """The rule file of a game: by its path, or by its name."""
        if isinstance(game, Path) or game.endswith((".yaml", ".yml")):
            return Path(game)
        return self.find(game)

    def find(self, name: str, beside: Path | None = None, place: Place | None = None) -> Path:
        if not FILE_NAME.match(name) or ".." in name:
            raise RulesError(problem("path_outside", place, len(name), name=name))
        for folder in (*([beside] if beside else []), *self.folders):
            found = self.inside(folder, name)
            if found is not None:
                self.asked[name, str(beside or "")] = str(found)
                return found
        known = [*self.names(), *(path.stem for path in beside.glob("*.yaml"))] if beside else self.names()
        raise RulesError(problem("unknown_game", place, len(name), name=name, meant=did_you_mean(name, known) or ""))

    @staticmethod
    def inside(folder: Path, name: str) -> Path | None:
        direct = folder / f"{name}.yaml"
        if direct.is_file():
            return direct
        return next(_rule_files(folder, f"{name}.yaml"), None) if "/" not in name else None

    def names(self) -> list[str]:
        return sorted({p.stem for folder in self.folders for p in _rule_files(folder)})


def shown(path: Path) -> str:
    """What messages call a file."""
    for base, prefix in ((RULES, "rules/"), (Path.cwd(), "")):
        if path.is_relative_to(base):
            return prefix + path.relative_to(base).as_posix()
    return path.name


def _rule_files(folder: Path, name: str | None = None) -> Iterator[Path]:
    """The rule files in a folder, in a fixed order; scenarios stand in a folder of that name and are none."""
    if folder.is_dir():
        yield from (
            path
            for path in walk(folder, ".yaml")
            if name in (None, path.name) and "scenarios" not in path.relative_to(folder).parts[:-1]
        )
