"""`tabarro rulebook`: the complete rules of this very variant, for people to read."""

from __future__ import annotations

from ...speech.language import N_
from ..common.arguments import add_force, add_game, check_choice
from ..common.loading import asked_game
from ..common.streams import Terminal
from ..paper.book import rulebook
from ..paper.pages import FORMATS, WIDTH, signed

WIDEST = 100  # columns: longer lines are hard to read


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    parser.add_argument("--format", metavar="FORMAT", default="text", help=_("how it is written: text, md or html"))
    parser.add_argument("-o", "--output", metavar="FILE", help=_("write it into this file"))
    add_force(parser, language)


def run(args, terminal: Terminal) -> int:
    check_choice(args.format, FORMATS, terminal)
    width = WIDTH if args.output else min(WIDEST, terminal.columns(WIDTH))
    game = asked_game(args, terminal, people=True)
    whole = rulebook(game, terminal.language, args.format, width)
    if args.output is None:
        terminal.line(whole.rstrip("\n"))
    else:
        terminal.write_file(args.output, signed(whole, args.format, game.id), args.force)
        terminal.say(N_("The rulebook is in {file} now."), file=args.output)
    return 0
