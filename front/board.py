"""`tabarro board`: the board of a game, in the terminal or as a picture worth printing."""

from __future__ import annotations

from os import environ
from pathlib import Path

from .arguments import add_game, load
from .language import N_
from .terminal import Terminal

__all__ = ["check_choice", "write_file"]

SUMMARY = N_("draw the board of a game")


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    parser.add_argument("--svg", metavar="FILE", help=_("write the board as a picture into this file"))
    parser.add_argument("--paper", metavar="SIZE", default="a3", help=_("the size of the paper: a3 or a4"))


def run(args, terminal: Terminal) -> int:
    from .map import board_of, draw
    from .sheet import PAPERS, svg

    check_choice(args.paper, PAPERS, terminal)
    game = load(args, terminal)
    if board_of(game) is None:
        raise terminal.refusal(N_("There is no board to draw: {game} is played without one."), game=game.id)
    if args.svg is not None:
        write_file(args.svg, svg(game, terminal.language, args.paper), terminal)
        terminal.say(N_("The board is in {file} now."), file=args.svg)
        return 0
    encoding = (getattr(terminal.out, "encoding", None) or "utf-8").lower()
    colour = terminal.out.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    terminal.line(draw(game, {}, terminal._console().width, encoding.startswith("utf"), colour, terminal.language))
    return 0


def check_choice(value: str, possible, terminal: Terminal) -> None:
    if value not in possible:
        raise terminal.refusal(N_("“{value}” is not possible here. Possible are: {values}."), value=value,
                               values=", ".join(sorted(possible)))


def write_file(name: str, text: str, terminal: Terminal) -> None:
    try:
        Path(name).write_text(text, encoding="utf-8")
    except (OSError, ValueError):
        raise terminal.refusal(N_("The file “{file}” cannot be written."), file=name[:80]) from None
