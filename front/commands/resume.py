"""`tabarro resume`: go on with a game that is not finished. Where games are saved, and which there are."""

from __future__ import annotations

import json
import time
from pathlib import Path

from ...interpreter import RulesError, describe
from ...interpreter.resolve import Library
from ...interpreter.save import resume as read_save
from ...speech.language import N_
from ..common.folders import folders
from ..common.layout import columns
from ..common.streams import Terminal
from ..terminal.saves import Kept, kept
from ..terminal.screen import EndOfInput, Screen
from ..terminal.seats import read_beside, seated
from ..terminal.table import sit_down

MOST = 20  # games that are offered


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("file", nargs="?", metavar="FILE", help=_("the saved game; without it, choose one"))


def run(args, terminal: Terminal) -> int:
    screen = Screen(terminal.out)
    path = Path(args.file) if args.file else _chosen(screen, terminal)
    if path is None:
        return 0
    trail: list = []
    game, state, save = read_save(
        path, folders(), before=lambda at, choice: trail.append((at.actor, at.clone(), choice))
    )
    hints = read_beside(path).hints  # as it was begun
    return sit_down(terminal, screen, game, state, save, _seed(path), _seats(path, game, terminal), hints, trail)


def _seed(path: Path) -> int:
    with path.open("rb") as file:
        return json.loads(file.readline(100_000))["seed"]


def _seats(path: Path, game, terminal: Terminal):
    known = {seat.seat: seat for seat in read_beside(path).seats}
    usual = seated(game, [], terminal)
    return {seat: known.get(seat, usual[seat]) for seat in usual} if any(s.is_person for s in known.values()) else usual


def _chosen(screen: Screen, terminal: Terminal) -> Path | None:
    language = terminal.language
    games = [one for one in kept() if not one.finished][:MOST]
    if not games:
        terminal.say(N_("No unfinished game is saved. Begin one with: tabarro play"))
        return None
    screen.text(language.say(N_("Which game do you want to go on with?")), style="bold")
    library, digits = Library(folders()), len(str(len(games)))
    labels = [f"{number:>{digits}} {_described(one, language, library)}" for number, one in enumerate(games, 1)]
    screen.lines(columns(labels, screen.width))
    while True:
        try:
            typed = screen.read(language.say(N_("Number [1]:")) + " ")
        except (EndOfInput, KeyboardInterrupt):
            return None
        if not typed:
            return games[0].path
        if typed.isdecimal() and len(typed) < 6 and 1 <= int(typed) <= len(games):
            return games[int(typed) - 1].path
        screen.text(language.say(N_("Type a number from 1 to {most}."), most=len(games)), "  ")


def _described(one: Kept, language, library) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.when))
    said = language.ngettext(
        "{game}, {number} decision, {when}",
        "{game}, {number} decisions, {when}",
        one.choices,
        game=_title(one.game, language, library),
        when=when,
    )
    return f"{said} ({', '.join(one.people)})" if one.people else said


def _title(game: str, language, library) -> str:
    """What a game is called; as the save calls it, if that is not to be found here."""
    try:
        return language.text(describe(game, library=library).name)
    except RulesError:
        return game
