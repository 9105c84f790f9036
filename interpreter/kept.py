"""Compiled games in the cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from . import blocks, cache, model, presentation
from .blocks import Program
from .errors import Place, Source
from .game import Game
from .linking import run_program
from .packing import Unpackable, pack, unpack
from .remembering import Options, chosen, recall, remember
from .shelves import Shelves
from .vocabulary import Vocabulary

__all__ = ["find", "keep"]


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
    found = recall("game", path, shelves, players, chosen(options))
    if found is None:
        return None
    code, packed = found
    parts = unpack(packed, CLASSES)
    run_program(parts["program"], parts["vocabulary"].seats, code)
    return Game(**parts)


def keep(game: Game, players: int | None, options: Options, shelves: Shelves, files: Sequence[Path]) -> None:
    """Keep a game that was asked for in this way, and was made of these files."""
    if cache.folder() is None:
        return
    parts = {name: getattr(game, name) for name in _PARTS}
    parts["program"] = _without_functions(game.program)
    try:
        packed = pack(parts, CLASSES)
    except Unpackable:
        return
    path = Path(game.origin[0])
    remember("game", path, shelves, files, (game.program.code, packed), players, chosen(options))


def _without_functions(program: Program) -> Program:
    """What can be kept as data; `run_program` gives it its functions again."""
    nothing: Any = None
    nodes = [replace(node, actor=nothing, legal=nothing, allows=nothing, apply=nothing) for node in program.nodes]
    return replace(program, blocks=[nothing] * len(program.blocks), nodes=nodes, code=None)
