"""`tabarro replay`: a saved game told again, whole or as one player saw it."""

from __future__ import annotations

from pathlib import Path

from ...interpreter import Reader
from ...interpreter.save import load
from ...speech.language import N_
from ...speech.narrator import Narrator
from ..common.arguments import add_seat, check_seat
from ..common.folders import folders
from ..common.streams import Terminal
from ..terminal import seats as seating
from ..terminal.ending import reveal, tell_result
from ..terminal.screen import Screen
from ..terminal.stepping import Stepping
from ..workbench.conclusions import Moments


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("file", metavar="FILE", help=_("the saved game"))
    add_seat(parser, language)


def run(args, terminal: Terminal) -> int:
    path, language = Path(args.file), terminal.language
    game, state, _save = load(path, folders(), strict=False)
    if args.seat is not None:
        args.seat = check_seat(args.seat, game.seats, terminal)
    if not state.over and args.seat is None:
        raise terminal.refusal(
            N_("This game is not finished: all of it can be told only afterwards. Go on with it, or add --as SEAT.")
        )
    narrator, screen = Narrator(game, language, args.seat is None), Screen(terminal.out)
    screen.text(language.text(game.name), style="bold")
    if args.seat is not None:
        screen.text(language.say(N_("You see only what {seat} sees."), seat=narrator.seat(args.seat)))
    screen.line()
    seen = state.umpire() if args.seat is None else state.player(args.seat)
    entries, seats = Reader(game, args.seat).news(seen), {s.seat: s for s in seating.read_beside(path).seats}

    def ending() -> None:
        if not state.over:
            screen.text(language.say(N_("The game is not finished yet.")))
            return
        tell_result(state.result, narrator, terminal)
        if args.seat is None:
            reveal(state.umpire(), narrator, terminal, screen, seats)

    if screen.interactive:
        names = {seat: who.name for seat, who in seats.items() if who.name}
        known = Moments(state.umpire(), language, names).told if state.over and args.seat is None else None
        news = iter([entries])
        stepping = Stepping(screen, language, game, lambda: next(news, []), ending, known, args.seat is None)
        stepping.to_the_end()
        stepping.run()
        return 0
    for line in narrator.tell(entries):
        screen.text(line)
    screen.line()
    ending()
    return 0
