"""One game after the other: which, who sits where, and whether there is another one afterwards."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import Any

from ...interpreter import Game, Save, describe
from ..common.arguments import seed_or_any
from ..common.folders import folders
from ..common.loading import asked_game, game_or_path
from ..common.streams import Terminal
from . import seats as seating
from .choosing import game_to_begin
from .saves import new_path
from .screen import EndOfInput, Screen
from .start import Start, wants_another
from .table import sit_down

__all__ = ["go_on", "play"]

Seating = tuple[Game, dict[str, seating.Seat], bool]  # a game, who sits where, and whether there are hints


def play(args: Namespace, terminal: Terminal, screen: Screen) -> None:
    """As the options say, or as people answer."""
    one_game = args.seed is not None or args.save is not None  # and no other
    wishes = (args.players, *args.seats, *args.options, args.think)
    asks = screen.interactive and not one_game and not args.hints and all(wish is None for wish in wishes)
    try:
        found = _table(args, terminal, screen, asks)
    except (EndOfInput, KeyboardInterrupt):
        return
    over, wish = _play(args, terminal, screen, *found, another=not one_game)
    if over and not one_game:
        go_on(args, terminal, screen, found, wish)


def go_on(args: Namespace, terminal: Terminal, screen: Screen, found: Seating, wish: str | None) -> None:
    """After a game: the same once more, or another one, for as long as people want to. What was wished for at the full
    screen is not asked for again."""
    over = True
    while over and screen.interactive:
        another = wants_another(screen, terminal.language) if wish is None else wish
        if not another:
            return
        if another != "again":
            args.game, args.players, args.seats, args.options = None, None, [], []
            try:
                found = _table(args, terminal, screen, asks=True)
            except (EndOfInput, KeyboardInterrupt):
                return
        over, wish = _play(args, terminal, screen, *found, another=True)


def _table(args: Namespace, terminal: Terminal, screen: Screen, asks: bool) -> Seating:
    """Which game, who sits where, and whether there are hints: as the options say, or as people answer."""
    people = None
    if args.game is None:
        args.game, args.players, people = game_to_begin(args.players, bool(args.seats), screen, terminal, asks)
    if asks:
        return _asked_table(args, terminal, screen)
    game = asked_game(args, terminal, people=True)
    return game, seating.seated(game, args.seats, terminal, people), args.hints


def _asked_table(args: Namespace, terminal: Terminal, screen: Screen) -> Seating:
    known = describe(game_or_path(args.game), folders())

    def load(players: int | None) -> Game:
        args.players = players if players is not None else known.usual
        return asked_game(args, terminal, people=True)

    start = Start(load, terminal, screen, known.players)
    start.ask()
    return start.game, start.seats, start.hints


def _play(
    args: Namespace, terminal: Terminal, screen: Screen, game: Game, seats: Any, hints: bool, another: bool
) -> tuple[bool, str | None]:
    """One game; was it played to its end, and what is wished for then, if that was asked?"""
    seed = seed_or_any(args.seed)
    state = game.new(seed)
    path = Path(args.save) if args.save else new_path(game, terminal)
    file = args.game if os.path.splitext(args.game)[1] in (".yaml", ".yml") else None
    save = Save.create(path, game, seed, file, replace=False, force=args.force, alone=True)
    seating.write(path, seats, hints=hints)
    face = {"think": args.think, "plain": args.plain, "another": another}
    return sit_down(terminal, screen, game, state, save, seed, seats, hints, **face)
