"""`tabarro resume`: go on with a game that is not finished."""

from __future__ import annotations

from pathlib import Path

from ...interpreter.save import glance
from ...interpreter.save import resume as read_save
from ..common.arguments import add_plain
from ..common.folders import folders
from ..common.streams import Terminal
from ..terminal.choosing import chosen_save
from ..terminal.screen import Screen
from ..terminal.seats import read_beside, seated
from ..terminal.table import sit_down


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
    game, state, save = read_save(
        path, folders(), before=lambda at, choice: trail.append((at.actor, at.clone(), choice)), alone=True
    )
    hints = read_beside(path).hints  # as it was begun
    sit_down(
        terminal,
        screen,
        game,
        state,
        save,
        glance(path)[0]["seed"],
        _seats(path, game, terminal),
        hints,
        trail,
        plain=args.plain,
    )
    return 0


def _seats(path: Path, game, terminal: Terminal):
    known = {seat.seat: seat for seat in read_beside(path).seats}
    usual = seated(game, [], terminal)
    return {seat: known.get(seat, usual[seat]) for seat in usual} if any(s.is_person for s in known.values()) else usual
