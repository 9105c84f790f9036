"""`tabarro simulate`: many games among bots, and what they tell of the game: who wins, how long it takes, and so on."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path
from typing import Any

from ...interpreter.errors import did_you_mean
from ...lab.cluster import Unreachable, play_on_cluster
from ...lab.playout import MOST_DECISIONS, Series
from ...lab.statistics import compare, report
from ...lab.workers import Stop, TooManyDeaths, play_all
from ...mind.bots import BOTS, USUAL
from ...speech.language import N_
from ..common.arguments import add_game, whole_number
from ..common.folders import folders
from ..common.loading import asked_game
from ..common.streams import Terminal
from ..paper.figures import Bench
from ..paper.plot import NoPainter, as_png, plot

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
    _check_files(args, terminal)
    args.seed = random.SystemRandom().randrange(1_000_000) if args.seed is None else args.seed
    settings = [("", args.options, game)] if args.compare is None else _two(args, terminal)
    sets, data, start = [], [], time.perf_counter()
    with Stop() as stop:
        for name, options, one in settings:
            if not stop():
                sets.append((name, one, _played(args, terminal, options, one, stop)))
    seconds = time.perf_counter() - start
    bench = Bench(game, terminal, args)
    for _, one, records in sets:
        data.append(
            {
                "game": one.id,
                "players": one.players,
                "seed": args.seed,
                "asked": args.games,
                "interrupted": stop.wanted,
                "options": {n: o.value for n, o in one.options.items()},
                "bots": args.bots or USUAL,
                **report(records),
            }
        )
    if not sum(d["games"] for d in data):
        terminal.say(N_("No game was finished."))
        return 130
    both = compare(sets[0][2], sets[1][2]) if len(sets) == 2 else None
    try:
        if args.json != "-":  # before anything is written: a full disk shall not take it away
            bench.heading(bench.title(data[0]))
            for (name, _, _), one in zip(sets, data):
                bench.show(one, name)
            if both is not None:
                bench.show_comparison(both, sets[0][0], sets[1][0])
            if not args.markdown:
                bench.show_speed(sum(d["games"] for d in data), seconds)
    finally:  # also if nobody reads it to the end
        if args.json is not None:
            whole: Any = data[0] if args.compare is None else {"settings": data, "comparison": both}
            _write(args.json, json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n", terminal)
        if args.plot is not None:
            _draw(args, terminal, bench, data, sets)
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
    with _progress(terminal, args.games) as advance:

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


class _progress:
    """A bar with the time left, on a terminal only and never in the way of what is printed."""

    def __init__(self, terminal: Terminal, total: int):
        self.terminal, self.total, self.bar = terminal, total, None

    def __enter__(self):
        if not self.terminal.err.isatty():
            return lambda count: None
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TimeRemainingColumn,
        )

        console = Console(file=self.terminal.err, highlight=False)
        self.bar = Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True)
        self.bar.start()
        task = self.bar.add_task("", total=self.total)
        return lambda count: self.bar.advance(task, count)

    def __exit__(self, *_) -> None:
        if self.bar is not None:
            self.bar.stop()


# --- files ------------------------------------------------------------------------------------------------------------
def _check_files(args, terminal: Terminal) -> None:
    """Better now than after an hour of games."""
    for name in (args.json, args.plot):
        if name not in (None, "-") and not _can_write(Path(name)):
            raise terminal.unwritable(name)
    if args.plot is not None and Path(args.plot).suffix.lower() not in (".svg", ".png"):
        raise terminal.refusal(N_("A plot is written as .svg or as .png."))
    if args.plot and args.plot.lower().endswith(".png"):
        try:
            as_png('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
        except NoPainter:
            raise terminal.refusal(
                N_("For .png install Tabarro with the extra “plot”; without it, write .svg.")
            ) from None


def _can_write(path: Path) -> bool:
    """It is tried; a file that is there stays as it is, and one that is not there is not there afterwards."""
    try:
        new = not path.exists()
        if not new and not path.is_file():  # a pipe is not opened twice
            return not path.is_dir() and os.access(path, os.W_OK)
        with path.open("ab"):
            pass
        if new:
            path.resolve().unlink()  # not the link that may lead to it
    except (OSError, ValueError):
        return False
    return True


def _write(name: str, text: str | bytes, terminal: Terminal) -> None:
    if name == "-":
        terminal.out.write(text)
        return
    terminal.write_file(name, text)


def _draw(args, terminal: Terminal, bench, data: list[dict], sets: list[tuple]) -> None:
    if not any(one["finished"] for one in data):
        raise terminal.refusal(N_("No game was finished, so there is nothing to draw."))
    nothing = [(terminal.language.translate(N_("No game was finished.")), [])]
    panels = [
        (name, bench.groups(one) or nothing, bench.histogram(one, records))
        for (name, _, records), one in zip(sets, data)
    ]
    svg = plot(bench.title(data[0]), panels, bench.percent)
    _write(args.plot, as_png(svg) if args.plot.lower().endswith(".png") else svg, terminal)
