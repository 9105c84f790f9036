"""`tabarro play`: a game at the terminal, among people at one keyboard and bots."""

from __future__ import annotations

import os
from pathlib import Path

from ...interpreter import Save
from ..common.arguments import add_force, add_game_name, add_plain, add_seed, add_settings, add_think, seed_or_any
from ..common.loading import asked_game
from ..common.streams import Terminal
from ..terminal import seats as seating
from ..terminal.choosing import game_to_begin
from ..terminal.saves import new_path
from ..terminal.screen import EndOfInput, Screen
from ..terminal.table import sit_down


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
    screen, people = Screen(terminal.out), None
    if args.game is None:
        try:
            args.game, args.players, people = game_to_begin(args.players, bool(args.seats), screen, terminal)
        except (EndOfInput, KeyboardInterrupt):
            return 0
    game = asked_game(args, terminal, people=True)
    seats = seating.seated(game, args.seats, terminal, people)
    seed = seed_or_any(args.seed)
    state = game.new(seed)
    path = Path(args.save) if args.save else new_path(game, terminal)
    file = args.game if os.path.splitext(args.game)[1] in (".yaml", ".yml") else None
    save = Save.create(path, game, seed, file, replace=False, force=args.force, alone=True)
    seating.write(path, seats, hints=args.hints)
    return sit_down(terminal, screen, game, state, save, seed, seats, args.hints, think=args.think, plain=args.plain)
