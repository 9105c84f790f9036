"""A rule file while somebody works on it: each saved version, what it changes of the one before, and games of it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...interpreter import Game, RulesError, find_problems, load_game
from ...interpreter.errors import Problem
from ...interpreter.files import real
from ...interpreter.load import Map
from ...interpreter.resolve import Library
from ...lab.playout import Series, play_some
from ...mind.kinds import USUAL
from ...speech.language import Language
from ..common.folders import catalogues, folders
from ..paper.book import Rulebook
from .differences import Differences, conditions_in_words, inherited
from .doubts import Doubt, Warnings
from .texts import misnamed_values

__all__ = ["Games", "Version", "parent_of", "stamp"]

MOST = 3_000  # decisions of a game
SEED = 1  # the same games for every version, so that only the rules make a difference

Stamp = tuple[tuple[str, int, int], ...]


def stamp(path: Path) -> Stamp:
    """What tells that something was saved: the file, all that it extends, and the catalogues beside it."""
    files = [path]
    try:
        files = Library(folders()).files_of(path)
    except (RulesError, OSError):
        pass  # as long as it cannot be read, only the file itself counts
    files += [file for home in catalogues([str(path)]) for file in home.glob("*/LC_MESSAGES/*.po")]
    found = []
    for file in files:
        try:
            about = file.stat()
        except OSError:  # an editor may be replacing it just now
            continue
        found.append((str(file), about.st_mtime_ns, about.st_size))
    return tuple(found)


@dataclass(slots=True)
class Version:
    """A rule file as it was saved."""

    path: Path
    problems: list[Problem] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    whole: Map | None = None
    game: Game | None = None
    sentences: list[str] = field(default_factory=list)  # of the rulebook

    @classmethod
    def of(cls, path: Path, language: Language) -> Version:
        found = cls(path, find_problems(path, folders()))
        if found.problems:
            return found
        try:
            library = Library(folders())
            found.whole = library.merged(path)
            if library.load(path).get("abstract"):
                return found
            warnings = Warnings(path, folders())
            found.doubts = [*warnings.new_plainly(), *warnings.cut_short()]
            found.problems = misnamed_values(path)
            found.game = load_game(path, folders=folders())
            found.sentences = sentences_of(found.game, language)
        except RulesError as error:
            found.problems = error.problems
        return found

    def changes(self, before: Version, language: Language) -> list[str]:
        """What it changes of another version, in words."""
        if self.whole is None or before.whole is None:
            return []
        cells = conditions_in_words((self.path,), language)
        sections = Differences(language, cells).sections(before.whole, self.whole)
        return [line for lines in sections.values() for line in lines]

    def rewritten(self, before: Version) -> Iterator[tuple[str, str]]:
        """The sentences of the rulebook that are gone and those that are new, each with its sign."""
        yield from (("-", one) for one in before.sentences if one not in self.sentences)
        yield from (("+", one) for one in self.sentences if one not in before.sentences)


def sentences_of(game: Game, language: Language) -> list[str]:
    """What the rulebook says, sentence by sentence."""
    found: dict[str, None] = {}
    for block in Rulebook(game, language).blocks():
        if block.kind == "lines" and block.text:
            found.setdefault(" ".join(block.text.split()))
        for line in block.lines:
            found.setdefault(" ".join(line.text.split()))
        for row in block.rows:
            found.setdefault(" · ".join(cell for cell in row if cell))
    return list(found)


def parent_of(path: Path, language: Language) -> Version:
    """What a file extends, as the version before the first one."""
    library = Library(folders())
    try:
        whole, name = inherited(library, path)
    except RulesError:
        return Version(path)
    found = Version(path, whole=whole)
    try:
        if name is not None:
            found.game = load_game(library.find(name, path.parent), folders=folders())
            found.sentences = sentences_of(found.game, language)
    except RulesError:
        pass  # a part of games has no rulebook
    return found


class Games:
    """Games among bots, played beside whatever else is done."""

    def __init__(self, path: Path, game: Game, number: int):
        self.number, self.failed = number, ""
        self.records: list[dict[str, Any]] = []
        self._stop = threading.Event()
        places = tuple(str(real(folder)) for folder in folders())
        self._series = Series(str(real(path)), game.players, (), places, game.digest, SEED, (("", USUAL),), MOST)
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        try:
            for number in range(self.number):
                self.records += play_some(self._series, [number], self._stop.is_set)
                if self._stop.is_set():
                    return
        except RulesError as error:  # what goes wrong in play, or another version that was saved just now
            self.failed = error.problems[0].message()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def wait(self, seconds: float | None = None) -> None:
        self._thread.join(seconds)

    @property
    def measure(self) -> str:
        """What lengths are told in: rounds, turns where the rules have none, else decisions."""
        lengths = [record["lengths"] for record in list(self.records)]
        return next((name for name in ("rounds", "turn") if any(one.get(name, 0) > 1 for one in lengths)), "decisions")

    @property
    def lengths(self) -> list[int]:
        measure = self.measure
        return sorted(record["lengths"].get(measure, 0) for record in list(self.records))

    @property
    def wins(self) -> Counter[str]:
        return Counter(seat for record in list(self.records) for seat in record["winners"])

    @property
    def unfinished(self) -> int:
        return sum(not record["over"] for record in list(self.records))
