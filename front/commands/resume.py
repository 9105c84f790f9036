"""`tabarro resume`: go on with a game that is not finished."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ...interpreter.save import glance
from ...interpreter.save import resume as read_save
from ..common.arguments import add_plain
from ..common.folders import folders
from ..common.streams import Terminal
from ..terminal.choosing import chosen_save
from ..terminal.screen import Screen
from ..terminal.seats import read_beside, seated
from ..terminal.sitting import go_on
from ..terminal.table import sit_down

if TYPE_CHECKING:
    from ..workbench.lessons import Lesson


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("file", nargs="?", metavar="FILE", help=_("the saved game; without it, choose one"))
    add_plain(parser, language)


def run(args, terminal: Terminal) -> int:
    screen = Screen(terminal.out)
    path = Path(args.file) if args.file else chosen_save(screen, terminal)
    if path is None:
        return 0
    trail: list = []
    header = glance(path)[0]
    game, state, save = read_save(
        path, folders(), before=lambda at, choice: trail.append((at.actor, at.clone(), choice)), alone=True
    )
    beside = read_beside(path)  # as it was begun
    lesson = _lesson(header["game"]) if beside.lesson else None
    seats, hints = _seats(path, game, terminal), beside.hints
    more = {"plain": args.plain, "lesson": lesson, "another": not beside.lesson}
    over, wish = sit_down(terminal, screen, game, state, save, header["seed"], seats, hints, trail, **more)
    if over and not beside.lesson:
        if "file" in header:  # as seen from the save
            header["game"] = str(path.parent / header["file"])
        usual = {"players": None, "seats": [], "options": [], "seed": None, "save": None, "force": False, "think": None}
        begun = Namespace(game=header["game"], plain=args.plain, **usual)
        go_on(begun, terminal, screen, (game, seats, hints), wish)
    return 0


def _lesson(game: str) -> Lesson | None:
    """The lesson that explains the game, if it is still there."""
    from ..workbench.lessons import lesson_for, read

    path = lesson_for(game, folders())
    return read(path, folders()) if path is not None else None


def _seats(path: Path, game, terminal: Terminal):
    known = {seat.seat: seat for seat in read_beside(path).seats}
    usual = seated(game, [], terminal)
    return {seat: known.get(seat, usual[seat]) for seat in usual} if any(s.is_person for s in known.values()) else usual
