"""The files that lie open in an editor, saved or not, before those on the shelves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...interpreter.errors import RulesError, Source
from ...interpreter.files import real, walk
from ...interpreter.load import Map, load_text
from ...interpreter.resolve import Library
from ...interpreter.retelling import retold
from ...interpreter.shelves import shown

__all__ = ["COLLECT", "Desk", "OpenLibrary"]

COLLECT = (100_000, 50, 100)  # to search games for garbage at every turn takes a third of the time
MOST = 300  # files in a folder that are asked whether they extend one that is no game


class Desk:
    """What is open, and what was read of the files around it, each as long as it stays the same."""

    def __init__(self, folders: tuple[Path, ...] = ()):
        self.folders = folders
        self.open: dict[Path, str] = {}
        self._read: dict[Path, tuple[Any, Map, bool]] = {}
        self._games: dict[Path, Path] = {}

    def version(self, path: Path) -> Any:
        if path in self.open:
            return self.open[path]
        try:
            known = path.stat()
        except OSError:
            return None
        return known.st_mtime_ns, known.st_size

    def known(self, path: Path) -> tuple[Map, bool] | None:
        found = self._read.get(path)
        return found[1:] if found is not None and found[0] == self.version(path) else None

    def keep(self, path: Path, data: Map, partial: bool) -> None:
        self._read[path] = (self.version(path), data, partial)

    def again(self, folders: tuple[Path, ...], texts: dict[Path, str]) -> Desk:
        """Another desk with these texts, for who wants to try something; what was read need not be read again."""
        other = Desk(folders)
        other.open = texts
        other._read, other._games = dict(self._read), dict(self._games)
        return other

    def library(self) -> OpenLibrary:
        return OpenLibrary(self.folders, self)

    def game_with(self, path: Path) -> Path | None:
        """A game that extends a file which is none by itself: the nearest, by which the file can be looked at."""
        library = self.library()
        known = self._games.get(path)
        for other in (*([known] if known else ()), *self.open, *_beside(path), *_shelved(library)):
            try:
                if other != path and not library.load(other).get("abstract") and path in library.files_of(other):
                    self._games[path] = other
                    return other
            except RulesError:
                continue
        return None


class OpenLibrary(Library):
    """A library in which the files on the desk are as they are there."""

    def __init__(self, folders: tuple[Path, ...], desk: Desk):
        super().__init__(folders)
        self.desk = desk
        self.paths: dict[Source, Path] = {}  # which file a place is in
        self._real: dict[Path, Path] = {}

    def empty(self) -> OpenLibrary:
        return OpenLibrary(self.folders[:-1], self.desk)

    def inside(self, folder: Path, name: str) -> Path | None:  # type: ignore[override]
        wanted = real(folder / f"{name}.yaml")
        if wanted in self.desk.open:
            return wanted
        return Library.inside(folder, name)

    def comes_along(self, path: Path) -> bool:
        return path not in self.desk.open and super().comes_along(path)

    def load(self, path: Path) -> Map:
        if path not in self._real:  # on every keystroke it is asked a thousand times
            self._real[path] = real(path)
        path = self._real[path]
        if path not in self._loaded:
            known = self.desk.known(path)
            if known is not None:
                self._loaded[path] = known[0]
                if known[1]:
                    self._partial.add(path)
            else:
                data = super().load(path)
                self.desk.keep(path, data, path in self._partial)
        self.paths[self._loaded[path].at.source] = path
        return self._loaded[path]

    def read(self, path: Path) -> Map:
        text = self.desk.open.get(path)
        if text is None:
            return super().read(path)
        return retold(load_text(text, shown(path)), self.folders[:-1], self.also)


def _beside(path: Path) -> Iterator[Path]:
    yield from sorted(path.parent.glob("*.yaml"))[:MOST]


def _shelved(library: Library) -> Iterator[Path]:
    for folder in library.folders:
        if folder.is_dir():
            try:
                yield from list(walk(folder, ".yaml"))[:MOST]
            except RulesError:
                continue
