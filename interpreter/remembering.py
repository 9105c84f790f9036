"""What follows from rule files, in the cache: found again if nothing that it was made of has changed.

An entry belongs to a rule file, what was asked for, folders and catalogues. Inside it stand all files that it was made
of, each with a hash, and which file each name has meant: if anything of this is not as it was, there is no entry.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import cache, doors
from .errors import RulesError
from .files import read_bytes, real
from .model import OptionValue
from .shelves import Shelves, shown

__all__ = ["Options", "chosen", "recall", "remember"]

MAX_FILE = 1_000_000  # bytes; larger ones are no rule files
Options = Mapping[str, OptionValue] | None


def recall(kind: str, path: Path, shelves: Shelves, *asked: object) -> Any:
    """What is kept of a rule file, of this kind, for what is asked; None, if nothing, or it is no longer right."""
    found = cache.load(_key(kind, path, shelves, *asked))
    if found is None:
        return None
    names, files, content = found
    try:
        if any(str(shelves.find(name, Path(beside) if beside else None)) != file for name, beside, file in names):
            return None
    except RulesError:
        return None
    return content if files == _hashes(map(Path, files)) else None


def remember(kind: str, path: Path, shelves: Shelves, files: Sequence[Path], content: Any, *asked: object) -> None:
    """Keep what follows from these files, as plain data."""
    hashes = _hashes(files)
    if hashes is not None:
        names = [(name, beside, file) for (name, beside), file in shelves.asked.items()]
        cache.store(_key(kind, path, shelves, *asked), (names, hashes, content))


def chosen(options: Options) -> list[tuple[str, str]]:
    """Options as a part of a key."""
    return sorted((name, repr(value)) for name, value in (options or {}).items())


def _key(kind: str, path: Path, shelves: Shelves, *asked: object) -> str:
    folders = [str(folder) for folder in shelves.folders]
    return cache.key_of(kind, str(real(path)), asked, folders, _catalogues())


def _catalogues() -> list[tuple[str, int, int]]:
    """What things are called may be read in rule files, too."""
    found = []
    for file in (file for source in doors.sources for file in source()):
        try:
            known = file.stat()
        except OSError:
            continue
        found.append((str(file), known.st_size, known.st_mtime_ns))
    return found


def _hashes(files: Iterable[Path]) -> dict[str, tuple[str, bytes]] | None:
    """Of each file, what messages call it and a hash of its content; None if one cannot be read."""
    try:
        return {str(file): (shown(file), hashlib.sha256(read_bytes(file, MAX_FILE)).digest()) for file in files}
    except RulesError:
        return None
