"""`tabarro watch`: a game among bots, told line by line."""

from __future__ import annotations

import random

from ...interpreter import Reader
from ...mind.bots import BOTS
from ...speech.language import N_
from ...speech.narrator import Narrator
from ..common.arguments import add_game, add_seat, add_seed, add_think, check_seat, seed_or_any, whole_number
from ..common.layout import wrapped
from ..common.loading import asked_game
from ..common.streams import Terminal
from ..terminal.ending import tell_result
from ..terminal.screen import Screen
from ..terminal.stepping import Stepping
from ..workbench.conclusions import Moments


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    add_seed(parser, language)
    parser.add_argument(
        "--bot", metavar="BOT", default="random", help=_("who plays: random, careful, gambler, deducer or thinker")
    )
    add_think(parser, language)
    add_seat(parser, language)
    parser.add_argument(
        "--max-decisions", type=whole_number(language, 0), metavar="N", help=_("stop after this many decisions")
    )


def run(args, terminal: Terminal) -> int:
    language = terminal.language
    game = asked_game(args, terminal)
    if args.seat is not None:
        args.seat = check_seat(args.seat, game.seats, terminal)
    players = _players(args.bot, game, terminal, args.think)
    seed = seed_or_any(args.seed)
    whole, chooser = args.seat is None, random.Random(seed)
    narrator, reader = Narrator(game, language, whole), Reader(game, args.seat)
    name = language.text(game.name)
    if players:
        said = N_("This is {game}. All players are bots (--bot {bot}); the seed is {seed}.")
    else:
        said = N_("This is {game}. The players choose at random; the seed is {seed}.")
    said = language.say(said, game=name, bot=args.bot, seed=seed)
    for line in wrapped(said, terminal.columns(2 * len(said))):  # in a pipe as it is
        terminal.line(line)
    if args.seat is not None:
        terminal.say(N_("You see only what {seat} sees."), seat=narrator.seat(args.seat))
    terminal.line()

    state, decisions = game.new(seed), 0
    seen = state.umpire() if args.seat is None else state.player(args.seat)
    screen = Screen(terminal.out)

    def decide() -> None:
        choice = players[state.actor](state, chooser) if players else state.sample(chooser, habits=True)
        state.apply(choice, trusted=True)

    if screen.interactive and args.max_decisions is None:

        def more():
            told = reader.news(seen)
            while not told and not state.over:
                decide()
                told = reader.news(seen)
            return told

        found: list[Moments] = []

        def known(turn: int | None) -> list[str]:
            if not found:
                found.append(Moments(state.umpire(), language, {}))
            return found[0].told(turn)

        def ending() -> None:
            tell_result(state.result, narrator, terminal)

        Stepping(screen, language, game, more, ending, known if whole else None, whole).run()
        return 0
    while True:
        for line in narrator.tell(reader.news(seen)):
            terminal.line(line)
        if state.over or decisions == args.max_decisions:
            break
        decide()
        decisions += 1
    terminal.line()
    if not state.over:
        terminal.line(
            language.ngettext(
                "The game was stopped after {number} decision.",
                "The game was stopped after {number} decisions.",
                decisions,
            )
        )
        return 0
    tell_result(state.result, narrator, terminal)
    return 0


def _players(kind: str, game, terminal: Terminal, think: float | None) -> dict:
    """Who chooses, by seat; nobody, if all is left to chance."""
    if kind == "random":
        return {}

    if kind not in BOTS:
        raise terminal.refusal(
            N_("There is no bot “{name}”. These are possible: {bots}."), name=kind[:40], bots=", ".join(BOTS)
        )

    def player(seat: str):
        bot = BOTS[kind](game, seat)
        bot.seconds = think
        return lambda state, chooser: bot.choose(state.player(seat), chooser)

    return {seat: player(seat) for seat in game.seats if seat not in game.chance_seats}
