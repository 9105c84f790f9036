"""`tabarro learn`: a first game, prepared and explained step by step."""

from __future__ import annotations

from ...interpreter import Save, describe
from ...speech.language import N_
from ..common.arguments import add_game_name, add_plain
from ..common.folders import folders
from ..common.streams import Terminal
from ..terminal.choosing import one_of_these
from ..terminal.saves import new_path
from ..terminal.screen import EndOfInput, Screen
from ..terminal.seats import Seat
from ..terminal.seats import write as write_seats
from ..terminal.table import sit_down
from ..workbench.lessons import OTHERS, games_with_one, lesson_for, read


def arguments(parser, language) -> None:
    add_game_name(parser, language, nargs="?")
    add_plain(parser, language)


def run(args, terminal: Terminal) -> int:
    screen = Screen(terminal.out)
    if args.game is None:
        try:
            args.game = _game_to_learn(screen, terminal)
        except (EndOfInput, KeyboardInterrupt):
            return 0
    path = lesson_for(args.game, folders())
    if path is None:
        raise terminal.refusal(
            N_("There is no lesson for “{name}” yet. These can be learnt: {games}."),
            name=args.game,
            games=terminal.language.row(games_with_one(folders())),
        )
    lesson = read(path, folders())
    free = [seat for seat in lesson.game.seats if seat not in lesson.game.chance_seats]
    mine = Seat(lesson.seat, language=terminal.language.code)
    seats = {seat: mine if seat == lesson.seat else Seat(seat, OTHERS) for seat in free}
    save = Save.create(new_path(lesson.game, terminal), lesson.game, lesson.seed, None, replace=False, alone=True)
    write_seats(save.path, seats, lesson=True)
    state = lesson.game.new(lesson.seed)
    sit_down(terminal, screen, lesson.game, state, save, lesson.seed, seats, plain=args.plain, lesson=lesson)
    return 0


def _game_to_learn(screen: Screen, terminal: Terminal) -> str:
    """One of those that have a lesson; the one with the fewest options is learnt soonest."""
    found = [describe(name, folders()) for name in games_with_one(folders())]
    return one_of_these(sorted(found, key=lambda game: (len(game.options), game.id)), screen, terminal).id
