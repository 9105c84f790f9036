"""`tabarro play`: a game at the terminal, among people at one keyboard and bots."""

from __future__ import annotations

import os
from pathlib import Path

from ...interpreter import Save, describe
from ..common.arguments import add_force, add_game_name, add_plain, add_seed, add_settings, add_think, seed_or_any
from ..common.folders import folders
from ..common.loading import asked_game, game_or_path
from ..common.streams import Terminal
from ..terminal import seats as seating
from ..terminal.choosing import game_to_begin
from ..terminal.saves import new_path
from ..terminal.screen import EndOfInput, Screen
from ..terminal.start import Start, wants_another
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
    screen = Screen(terminal.out)
    one_game = args.seed is not None or args.save is not None  # and no other
    wishes = (args.players, *args.seats, *args.options, args.think)
    asks = screen.interactive and not one_game and not args.hints and all(wish is None for wish in wishes)
    while True:
        try:
            found = _table(args, terminal, screen, asks)
        except (EndOfInput, KeyboardInterrupt):
            return 0
        another = "again"
        while another == "again":
            if not _play(args, terminal, screen, *found) or one_game or not screen.interactive:
                return 0
            another = wants_another(screen, terminal.language)
        if not another:
            return 0
        args.game, args.players, args.seats, args.options, asks = None, None, [], [], True


def _table(args, terminal: Terminal, screen: Screen, asks: bool):
    """Which game, who sits where, and whether there are hints: as the options say, or as people answer."""
    people = None
    if args.game is None:
        args.game, args.players, people = game_to_begin(args.players, bool(args.seats), screen, terminal, asks)
    if asks:
        return _asked_table(args, terminal, screen)
    game = asked_game(args, terminal, people=True)
    return game, seating.seated(game, args.seats, terminal, people), args.hints


def _asked_table(args, terminal: Terminal, screen: Screen):
    known = describe(game_or_path(args.game), folders())

    def load(players: int | None):
        args.players = players if players is not None else known.usual
        return asked_game(args, terminal, people=True)

    start = Start(load, terminal, screen, known.players)
    start.ask()
    return start.game, start.seats, start.hints


def _play(args, terminal: Terminal, screen: Screen, game, seats, hints: bool) -> bool:
    """One game; was it played to its end?"""
    seed = seed_or_any(args.seed)
    state = game.new(seed)
    path = Path(args.save) if args.save else new_path(game, terminal)
    file = args.game if os.path.splitext(args.game)[1] in (".yaml", ".yml") else None
    save = Save.create(path, game, seed, file, replace=False, force=args.force, alone=True)
    seating.write(path, seats, hints=hints)
    return sit_down(terminal, screen, game, state, save, seed, seats, hints, think=args.think, plain=args.plain)
