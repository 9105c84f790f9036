"""`tabarro board`: the board of a game, in the terminal or as a picture worth printing."""

from __future__ import annotations

from os import environ

from ...speech.language import N_
from ..common.arguments import add_force, add_game, check_choice
from ..common.loading import asked_game
from ..common.streams import Terminal
from ..paper.map import board_of, draw
from ..paper.sheet import PAPERS, svg


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    parser.add_argument("--svg", metavar="FILE", help=_("write the board as a picture into this file"))
    parser.add_argument("--paper", metavar="SIZE", default="a3", help=_("the size of the paper: a3 or a4"))
    add_force(parser, language)


def run(args, terminal: Terminal) -> int:
    check_choice(args.paper, PAPERS, terminal)
    game = asked_game(args, terminal)
    if board_of(game) is None:
        raise terminal.refusal(N_("There is no board to draw: {game} is played without one."), game=game.id)
    if args.svg is not None:
        terminal.write_file(args.svg, svg(game, terminal.language, args.paper), args.force)
        terminal.say(N_("The board is in {file} now."), file=args.svg)
        return 0
    encoding = (getattr(terminal.out, "encoding", None) or "utf-8").lower()
    colour = terminal.out.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    terminal.line(draw(game, {}, terminal.width, encoding.startswith("utf"), colour, terminal.language))
    return 0
