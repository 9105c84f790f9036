"""`tabarro simulate`: many games among bots, and what they tell of the game: who wins, how long it takes, and so on."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ...interpreter.errors import did_you_mean
from ...lab.cluster import Unreachable, play_on_cluster
from ...lab.playout import MOST_DECISIONS, Series
from ...lab.workers import Stop, TooManyDeaths, play_all
from ...mind.bots import BOTS, USUAL
from ...speech.language import N_
from ..common.arguments import add_game, seed_or_any, whole_number
from ..common.folders import folders
from ..common.loading import asked_game
from ..common.progress import Progress
from ..common.streams import Terminal
from ..paper.figures import Bench
from ..paper.report import SCREEN, Played, Report, check_files

GAMES = 100


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    number = whole_number
    parser.add_argument("--games", type=number(language, 1), default=GAMES, metavar="N", help=_("how many games"))
    parser.add_argument(
        "--bots", metavar="BOTS", help=_("who plays: a bot for all, or for a seat or a secret: careful,red=random")
    )
    parser.add_argument("--seed", type=number(language), metavar="S", help=_("the same seed gives the same games"))
    parser.add_argument("--jobs", type=number(language, 1), default=1, metavar="J", help=_("in so many processes"))
    parser.add_argument("--cluster", metavar="ADDRESS", help=_("on a Dask cluster, by the address of its scheduler"))
    parser.add_argument("--compare", metavar="K=A,B", help=_("two values of an option, with the same seeds"))
    parser.add_argument(
        "--knowledge", action="store_true", help=_("also when each player could have known what (slow)")
    )
    parser.add_argument(
        "--max-decisions", type=number(language, 1), metavar="N", help=_("cut a game off after so many decisions")
    )
    parser.add_argument("--json", metavar="FILE", help=_("write everything as JSON into a file; - for the screen"))
    parser.add_argument("--plot", metavar="FILE", help=_("draw the shares and lengths into a file, .svg or .png"))
    parser.add_argument("--markdown", action="store_true", help=_("write tables in Markdown, for a document"))


def run(args, terminal: Terminal) -> int:
    game = asked_game(args, terminal)
    check_files(args.json, args.plot, terminal)
    args.seed = seed_or_any(args.seed)
    settings = [("", args.options, game)] if args.compare is None else _two(args, terminal)
    played, start = [], time.perf_counter()
    with Stop() as stop:
        for name, options, one in settings:
            if not stop():
                played.append(Played(name, one, _played(args, terminal, options, one, stop)))
    seconds = time.perf_counter() - start
    about = {"seed": args.seed, "asked": args.games, "interrupted": stop.wanted}
    found = Report(Bench(game, terminal, args), terminal, played, about, args.bots or USUAL)
    if not found.games:
        terminal.say(N_("No game was finished."))
        return 130
    try:
        if args.json != SCREEN:  # before anything is written: a full disk shall not take it away
            found.show(None if args.markdown else seconds)
    finally:  # also if nobody reads it to the end
        if args.json is not None:
            found.write_json(args.json, args.compare is not None)
        if args.plot is not None:
            found.draw(args.plot)
    if stop.wanted:
        print(terminal.language.say(N_("You stopped it. What was done until then is counted.")), file=terminal.err)
        return 130
    return 0


# --- what to play -----------------------------------------------------------------------------------------------------
def _series(args, terminal: Terminal, options: list[str], game):
    pairs = tuple(tuple(option.split("=", 1)) for option in options)
    name = str(Path(args.game).resolve()) if args.game.endswith((".yaml", ".yml")) else args.game
    return Series(
        name,
        args.players,
        pairs,
        tuple(str(f.resolve()) for f in folders()),
        game.digest,
        args.seed,
        _bots(args.bots, game, terminal),
        args.max_decisions or MOST_DECISIONS,
        args.knowledge,
    )


def _bots(text: str | None, game, terminal: Terminal) -> tuple[tuple[str, str], ...]:
    """careful · red=random,blue=careful · careful,agent_x=deducer"""
    secrets = [f.result for f in game.screens.secrets]
    names = [seat for seat in game.seats if seat not in game.chance_seats]
    names += [game.vocabulary.atoms[a].name for kind in secrets for a in sorted(kind.atoms)]
    found: dict[str, str] = {}
    wishes = [USUAL] if text is None else [part.strip() for part in text.split(",")]
    for wish in wishes:
        where, equals, bot = wish.rpartition("=")
        if equals and where not in names:
            meant = did_you_mean(where, names)
            raise terminal.refusal(
                N_("“{name}” is neither a seat nor a secret of this game. Possible are: {names}."),
                name=where[:40],
                names=meant or ", ".join(names),
            )
        if bot not in BOTS:
            raise terminal.refusal(
                N_("There is no bot “{name}”. These are: {bots}."), name=bot[:40], bots=", ".join(BOTS)
            )
        if where in found:
            raise terminal.refusal(
                N_("“{text}” names two bots for the same players. Write for instance --bots careful,red=random."),
                text=text[:60],
            )
        found[where] = bot
    return tuple(sorted({"": USUAL, **found}.items()))


def _two(args, terminal: Terminal) -> list[tuple[str, list[str], Any]]:
    """The game in both settings, with what they are called."""
    name, equals, values = args.compare.partition("=")
    name, two = name.strip(), [value.strip() for value in values.split(",")]
    if not name or len(two) != 2 or not all(two):
        raise terminal.refusal(
            N_(
                "“{text}” does not name two values of an option: write for instance --compare repeats=objected,allowed."
            ),
            text=args.compare[:60],
        )
    found, before = [], args.options
    for setting in (f"{name}={value}" for value in two):
        args.options = [*before, setting]
        found.append((setting, args.options, asked_game(args, terminal)))
    args.options = before
    if len({game.options[name].value for _, _, game in found}) == 1:
        raise terminal.refusal(
            N_("“{text}” names the same value twice, so there is nothing to compare."), text=args.compare[:60]
        )
    return found


# --- playing ----------------------------------------------------------------------------------------------------------
def _played(args, terminal: Terminal, options: list[str], game, stop) -> list[dict]:
    series, numbers, records = _series(args, terminal, options, game), list(range(args.games)), []
    with Progress(terminal, args.games) as advance:

        def done(some: list[dict]) -> None:
            records.extend(some)
            advance(len(some))

        try:
            if args.cluster is not None:
                _on_cluster(args.cluster, series, numbers, stop, done, terminal)
            else:
                play_all(series, numbers, args.jobs, stop, done)
        except TooManyDeaths:
            raise terminal.refusal(
                N_("The processes that play die again and again. Perhaps there is too little memory; try fewer --jobs.")
            ) from None
    return sorted(records, key=lambda r: r["number"])


def _on_cluster(address: str, series, numbers, stop, done, terminal: Terminal) -> None:
    try:
        play_on_cluster(address, series, numbers, stop, done)
    except Unreachable as missing:
        if str(missing) == address:
            raise terminal.refusal(N_("No cluster answers at “{address}”."), address=address[:80]) from None
        raise terminal.refusal(N_("For a cluster install Tabarro with the extra “cluster”.")) from None
