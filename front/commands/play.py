"""`tabarro play`: a game at the terminal, among people at one keyboard and bots."""

from __future__ import annotations

import os
from pathlib import Path

from ...interpreter import RulesError, Save, describe, games
from ...interpreter.resolve import Library
from ...speech.language import N_
from ..common.arguments import add_game_name, add_seed, add_settings, seed_or_any
from ..common.folders import folders
from ..common.layout import clean, columns
from ..common.loading import asked_game
from ..common.streams import Terminal
from ..terminal import seats as seating
from ..terminal.prompt import meant
from ..terminal.saves import kept, new_path
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
    parser.add_argument("--hints", action="store_true", help=_("let people ask what follows from what they have seen"))


def run(args, terminal: Terminal) -> int:
    screen, people = Screen(terminal.out), None
    if args.game is None:
        try:
            args.game, args.players, people = _asked(args, screen, terminal)
        except (EndOfInput, KeyboardInterrupt):
            return 0
    game = asked_game(args, terminal)
    seats = seating.seated(game, args.seats, terminal, people)
    seed = seed_or_any(args.seed)
    state = game.new(seed)
    path = Path(args.save) if args.save else new_path(game, terminal)
    file = args.game if os.path.splitext(args.game)[1] in (".yaml", ".yml") else None
    save = Save.create(path, game, seed, file)
    seating.write(path, seats, hints=args.hints)
    return sit_down(terminal, screen, game, state, save, seed, seats, args.hints)


# --- without arguments ------------------------------------------------------------------------------------------------
def _asked(args, screen: Screen, terminal: Terminal) -> tuple[str, int | None, int | None]:
    """Which game, how many play, how many of them are people: with Enter three times one plays."""
    say, library = terminal.language.say, Library(folders())
    found = []
    for name in games(library=library):
        try:
            found.append(describe(name, library=library))
        except RulesError:
            continue  # `list` and `check` tell what is wrong with it
    playable = {d.id for d in found}  # a variant of one of these comes after all that are none
    found.sort(key=lambda d: (not playable.isdisjoint(d.extends), -len(d.players), -len(d.options), d.id))
    last = next((one.game for one in kept()), "")
    found.sort(key=lambda d: d.id != last)  # the one that was played last comes first
    names = [terminal.language.text(d.name) for d in found]
    screen.text(say(N_("Which game?")), style="bold")
    screen.lines(columns([f"{n:>2} {name}" for n, name in enumerate(names, 1)], screen.width))
    index = _one_of(screen, terminal, [[name, d.id] for name, d in zip(names, found, strict=True)])
    game = found[index]
    counts = list(game.players)
    players = args.players
    if players is None and len(counts) > 1:
        usual = _usual_players(game, library)
        players = _number(
            screen, terminal, say(N_("How many play? {numbers}"), numbers=", ".join(map(str, counts))), counts, usual
        )
    people = None
    if not args.seats:
        most = players or counts[0]
        people = _number(
            screen, terminal, say(N_("How many of them are people at this keyboard?")), list(range(most + 1)), 1
        )
    return game.id, players, people


def _usual_players(game, library) -> int:
    """The number for which the rules need no change."""
    entries = library.merged(game.path)["players"]
    return next((n for n in game.players if not entries[str(n)]), game.players[0])


def _one_of(screen: Screen, terminal: Terminal, labels: list[list[str]]) -> int:
    while True:
        typed = screen.read("[1] > ")
        found = meant(typed, labels) if typed else [0]
        if len(found) == 1:
            return found[0]
        say = terminal.language.say
        screen.text(
            say(
                N_("“{text}” is not among the choices. Type a number from 1 to {most}, or the beginning of a name."),
                text=clean(typed, 30),
                most=len(labels),
            ),
            "  ",
        )


def _number(screen: Screen, terminal: Terminal, asked: str, allowed: list[int], usual: int) -> int:
    screen.text(asked, style="bold")
    while True:
        typed = screen.read(f"[{usual}] > ")
        if not typed:
            return usual
        if typed.isdecimal() and len(typed) < 4 and int(typed) in allowed:
            return int(typed)
        screen.text(terminal.language.say(N_("Possible are: {values}."), values=", ".join(map(str, allowed))), "  ")
