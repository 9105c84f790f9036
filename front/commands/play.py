"""`tabarro play`: a game at the terminal, among people at one keyboard and bots."""

from __future__ import annotations

from ..common.arguments import add_force, add_game_name, add_plain, add_seed, add_settings, add_think
from ..common.streams import Terminal
from ..terminal.screen import Screen
from ..terminal.sitting import play


def arguments(parser, language) -> None:
    _ = language.translate
    add_game_name(parser, language, nargs="?")
    add_settings(parser, language)
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="SEAT=WHO",
        dest="seats",
        help=_("who sits where: me, a name, bot; with a language: me:ja; can be given several times"),
    )
    add_seed(parser, language)
    parser.add_argument("--save", metavar="FILE", help=_("where the game is saved; usually in your folder for data"))
    add_force(parser, language)
    add_think(parser, language)
    parser.add_argument("--hints", action="store_true", help=_("let people ask what follows from what they have seen"))
    add_plain(parser, language)


def run(args, terminal: Terminal) -> int:
    play(args, terminal, Screen(terminal.out))
    return 0
