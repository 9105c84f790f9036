"""Compiled games in the cache: found again if nothing that they were made of has changed.

An entry belongs to a rule file, a number of players, options, folders and catalogues. Inside it stand all files that
the game was made of, each with a hash, and which file each name has meant: if anything of this is not as it was, the
game is compiled anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from . import blocks, cache, doors, model, presentation
from .blocks import Program
from .errors import Place, RulesError, Source
from .files import read_bytes, real
from .game import Game
from .linking import run_program
from .model import OptionValue
from .packing import Unpackable, pack, unpack
from .shelves import Shelves, shown
from .vocabulary import Vocabulary

__all__ = ["find", "keep"]

MAX_FILE = 1_000_000  # bytes; larger ones are no rule files
Options = Mapping[str, OptionValue] | None


def _data_classes(*modules: ModuleType) -> list[type]:
    return [
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__
    ]


CLASSES: Sequence[type] = (Place, Source, model.Expr, Vocabulary, *_data_classes(model, blocks, presentation))
_PARTS = tuple(field.name for field in fields(Game) if field.init and not field.name.startswith("_"))


def find(path: Path, players: int | None, options: Options, shelves: Shelves) -> Game | None:
    """The game as it was compiled before; None, if that is not known or no longer right."""
    found = cache.load(_key(path, players, options, shelves))
    if found is None:
        return None
    asked, files, code, packed = found
    try:
        if any(str(shelves.find(name, Path(beside) if beside else None)) != file for name, beside, file in asked):
            return None
    except RulesError:
        return None
    if files != _hashes(map(Path, files)):
        return None
    parts = unpack(packed, CLASSES)
    run_program(parts["program"], parts["vocabulary"].seats, code)
    return Game(**parts)


def keep(game: Game, players: int | None, options: Options, shelves: Shelves, files: Sequence[Path]) -> None:
    """Keep a game that was asked for in this way, and was made of these files."""
    if cache.folder() is None:
        return
    parts = {name: getattr(game, name) for name in _PARTS}
    parts["program"] = _without_functions(game.program)
    hashes = _hashes(files)
    try:
        packed = pack(parts, CLASSES)
    except Unpackable:
        return
    if hashes is not None:
        asked = [(name, beside, file) for (name, beside), file in shelves.asked.items()]
        content = (asked, hashes, game.program.code, packed)
        cache.store(_key(Path(game.origin[0]), players, options, shelves), content)


def _key(path: Path, players: int | None, options: Options, shelves: Shelves) -> str:
    chosen = sorted((name, repr(value)) for name, value in (options or {}).items())
    folders = [str(folder) for folder in shelves.folders]
    return cache.key_of("game", str(real(path)), players, chosen, folders, _catalogues())


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


def _without_functions(program: Program) -> Program:
    """What can be kept as data; `run_program` gives it its functions again."""
    nothing: Any = None
    nodes = [replace(node, actor=nothing, legal=nothing, allows=nothing, apply=nothing) for node in program.nodes]
    return replace(program, blocks=[nothing] * len(program.blocks), nodes=nodes, code=None)
