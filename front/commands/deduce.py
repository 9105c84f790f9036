"""`tabarro deduce`: what follows from what one has been shown, at a table with real cards."""

from __future__ import annotations

from ...mind.kinds import EVENLY, MODELS
from ...mind.models import chooses_evenly
from ...speech.language import N_
from ..common.arguments import add_game_name, add_json, add_settings
from ..common.loading import asked_game, typed_value
from ..common.streams import Terminal
from ..terminal.interview import interview
from ..workbench.account import Account
from ..workbench.conclusions import conclusions, sheet_for, told, understood
from ..workbench.worksheet import read_file


def arguments(parser, language) -> None:
    _ = language.translate
    add_game_name(parser, language, nargs="?")
    parser.add_argument("--notes", metavar="FILE", help=_("the worksheet: who you are and what you have seen"))
    add_settings(parser, language)
    parser.add_argument("--interactive", action="store_true", help=_("type what you see, line by line"))
    add_json(parser, language)
    parser.add_argument(
        "--model",
        choices=MODELS,
        default=EVENLY,
        help=_("how the others are taken to choose: evenly, or as one of the bots does"),
    )


def run(args, terminal: Terminal) -> int:
    data = read_file(args.notes) if args.notes else None
    if data is not None:
        args.game = args.game or data.get("game")
        args.players = args.players or data.get("players")
        args.options = [f"{k}={typed_value(v)}" for k, v in (data.get("options") or {}).items()] + args.options
    if not args.game:
        raise terminal.refusal(N_("Say which game it is, and give its worksheet with --notes."))
    if args.json and args.interactive:
        raise terminal.refusal(
            N_("--interactive talks with a person and writes no JSON: give a worksheet with --notes.")
        )
    if data is None and not args.interactive:
        raise terminal.refusal(N_("Give a worksheet with --notes, or type it with --interactive."))
    game = asked_game(args, terminal)
    sheet = sheet_for(game, terminal.language)
    sheet.model = args.model
    if not isinstance(sheet, Account) and not chooses_evenly(game, args.model):
        raise terminal.refusal(N_("In this game the others can only be taken to choose evenly."))
    if data is not None:
        sheet.take(data)
    if args.interactive:
        options = dict(option.split("=", 1) for option in args.options)
        return interview(sheet, terminal, {"game": args.game, "players": game.players, "options": options})
    odds = understood(sheet)
    found = conclusions(odds, sheet.seat, sheet, args.model)
    if args.json:
        terminal.json(found)
    else:
        for line in told(game, terminal.language, found, sheet):
            terminal.line(line)
    return 0
