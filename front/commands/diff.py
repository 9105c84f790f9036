"""`tabarro diff`: what one game changes of another, rule by rule, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...interpreter import RulesError, load_game
from ...interpreter.load import Map
from ...interpreter.resolve import Library, lay, leave_out
from ...speech.conditions import Speaker
from ...speech.language import N_, Language
from ..common.arguments import add_game_name
from ..common.folders import folders
from ..common.loading import game_or_path
from ..common.streams import Terminal
from ..workbench.described import condition_cells, place_key
from ..workbench.differences import SECTIONS, Differences


def arguments(parser, language) -> None:
    _ = language.translate
    add_game_name(parser, language, "one")
    parser.add_argument(
        "other",
        nargs="?",
        metavar="VARIANT",
        help=_("what to compare it with; alone, a game is compared with what it extends"),
    )


def run(args, terminal: Terminal) -> int:
    library = Library(folders())

    def path(name: str) -> Path:
        meant = game_or_path(name)
        return meant if isinstance(meant, Path) else library.find(meant)

    if args.other is None:
        new_path = path(args.one)
        old, name = _parents(library, new_path, terminal)
        old_path = None if name is None else library.find(name, new_path.parent)
        shown = name or args.one
    else:
        old_path, new_path = path(args.one), path(args.other)
        old, shown = library.merged(old_path), args.one
    new = library.merged(new_path)
    cells = {**_conditions(old_path, terminal.language), **_conditions(new_path, terminal.language)}
    sections = Differences(terminal.language, cells).sections(old, new)
    name = args.other or args.one
    if not sections:
        terminal.say(N_("{new} is the same as {old}."), new=name, old=shown)
        return 0
    terminal.say(N_("What {new} changes of {old}:"), new=name, old=shown)
    for heading, lines in sections.items():
        terminal.line()
        terminal.heading(terminal.language.translate(SECTIONS.get(heading, heading)))
        for line in lines:
            terminal.line("  " + line)
    return 0


def _parents(library, path: Path, terminal: Terminal):
    """All that a file extends, put together; and its name, if it is one file."""
    order: list[Path] = []
    library._collect(path.resolve(), [], order)
    if len(order) < 2:
        raise terminal.refusal(N_("“{name}” extends nothing. Name two games to compare."), name=path.stem)
    result = Map(library.load(path).at)
    for part in order[:-1]:
        result = lay(result, leave_out(library.load(part), "extends", "abstract"))
    parents = library.load(path).get("extends")
    return result, parents if isinstance(parents, str) else parents[0] if len(parents) == 1 else None


def _conditions(path: Path | None, language: Language) -> dict[Any, str]:
    """The cells of tables of conditions, in words, by their places."""
    if path is None:
        return {}
    try:
        game = load_game(path, folders=folders())
    except RulesError:
        return {}
    speaker = Speaker(game, language)
    return {place_key(place): speaker.cell(function, keys) for function, keys, place in condition_cells(game)}
