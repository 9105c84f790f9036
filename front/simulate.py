"""`tabarro simulate`: many games among bots, and what they tell of the game: who wins, how long it takes, and so on."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

from .arguments import add_game, load, whole_number
from .language import N_
from .terminal import Terminal

SUMMARY = N_("play many games among bots and count")
GAMES = 100


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    number = whole_number
    parser.add_argument("--games", type=number(language, 1), default=GAMES, metavar="N", help=_("how many games"))
    parser.add_argument("--bots", default="", metavar="BOTS",
                        help=_("who plays: a bot for all, or for a seat or a secret: careful,red=random"))
    parser.add_argument("--seed", type=number(language), metavar="S", help=_("the same seed gives the same games"))
    parser.add_argument("--jobs", type=number(language, 1), default=1, metavar="J", help=_("in so many processes"))
    parser.add_argument("--cluster", metavar="ADDRESS", help=_("on a Dask cluster, by the address of its scheduler"))
    parser.add_argument("--compare", metavar="K=A,B", help=_("two values of an option, with the same seeds"))
    parser.add_argument("--knowledge", action="store_true",
                        help=_("also when each player could have known what (slow)"))
    parser.add_argument("--max-decisions", type=number(language, 1), metavar="N",
                        help=_("cut a game off after so many decisions"))
    parser.add_argument("--json", metavar="FILE", help=_("write everything as JSON into a file; - for the screen"))
    parser.add_argument("--plot", metavar="FILE", help=_("draw the shares and lengths into a file, .svg or .png"))
    parser.add_argument("--markdown", action="store_true", help=_("write tables in Markdown, for a document"))


def run(args, terminal: Terminal) -> int:
    from .bench import Bench
    from .lab import compare, report
    from .workers import Stop

    game = load(args, terminal)
    _check_files(args, terminal)
    args.seed = random.SystemRandom().randrange(1_000_000) if args.seed is None else args.seed
    settings = [(args.options, game)]
    if args.compare:
        settings = _two(args, terminal)
    sets, data, start = [], [], time.perf_counter()
    with Stop() as stop:
        for options, one in settings:
            if not stop():
                records = _played(args, terminal, options, one, stop)
                sets.append((one, records))
    seconds = time.perf_counter() - start
    bench = Bench(game, terminal, args)
    for one, records in sets:
        data.append({"game": one.id, "players": one.players, "seed": args.seed, "asked": args.games,
                     "interrupted": stop.wanted, "options": {n: o.value for n, o in one.options.items()},
                     "bots": args.bots or "random", **report(records)})
    if not sum(d["games"] for d in data):
        terminal.say(N_("No game was finished."))
        return 130
    both = compare(sets[0][1], sets[1][1]) if len(sets) == 2 else None
    if args.json:
        whole: Any = {"settings": data, "comparison": both} if args.compare else data[0]
        _write(args.json, json.dumps(whole, ensure_ascii=False, indent=1) + "\n", terminal)
    if args.plot:
        _draw(args, terminal, bench, data[0], sets[0][1])
    if args.json != "-":
        for index, one in enumerate(data):
            bench.show(one, heading=_setting(args, index) if args.compare else "")
        if both is not None:
            bench.show_comparison(both, _setting(args, 0), _setting(args, 1))
        if not args.markdown:
            bench.show_speed(sum(d["games"] for d in data), seconds)
    if stop.wanted:
        print(terminal.language.say(N_("You stopped it. What was done until then is counted.")), file=terminal.err)
        return 130
    return 0


# --- what to play -----------------------------------------------------------------------------------------------------
def _series(args, terminal: Terminal, options: list[str], game):
    from .folders import folders
    from .playout import MOST_DECISIONS, Series

    pairs = tuple(tuple(option.split("=", 1)) for option in options)
    name = str(Path(args.game).resolve()) if args.game.endswith((".yaml", ".yml")) else args.game
    return Series(name, args.players, pairs, tuple(str(f.resolve()) for f in folders()), game.digest, args.seed,
                  _bots(args.bots, game, terminal), args.max_decisions or MOST_DECISIONS, args.knowledge)


def _bots(text: str, game, terminal: Terminal) -> tuple[tuple[str, str], ...]:
    """careful · red=random,blue=careful · careful,agent_x=deducer"""
    from ..interpreter.errors import did_you_mean
    from ..interpreter.screens import read_screens
    from .bots import BOTS, USUAL

    secrets = [f.result for f in read_screens(game.vocabulary).secrets]
    names = [seat for seat in game.seats if seat not in game.chance_seats]
    names += [game.vocabulary.atoms[a].name for kind in secrets for a in sorted(kind.atoms)]
    found = {"": USUAL}
    for wish in filter(None, (part.strip() for part in text.split(","))):
        where, equals, bot = wish.rpartition("=")
        if equals and where not in names:
            meant = did_you_mean(where, names)
            raise terminal.refusal(N_("“{name}” is neither a seat nor a secret of this game. Possible are: {names}."),
                                   name=where[:40], names=meant or ", ".join(names))
        if bot not in BOTS:
            raise terminal.refusal(N_("There is no bot “{name}”. These are: {bots}."), name=bot[:40],
                                   bots=", ".join(BOTS))
        found[where] = bot
    return tuple(sorted(found.items()))


def _two(args, terminal: Terminal) -> list[tuple[list[str], Any]]:
    """The game in both settings."""
    name, equals, values = args.compare.partition("=")
    two = values.split(",")
    if not equals or not name or len(two) != 2:
        raise terminal.refusal(N_("“{text}” does not name two values of an option: write for instance "
                                  "--compare repeats=objected,allowed."), text=args.compare[:60])
    found, before = [], args.options
    for value in two:
        args.options = [*before, f"{name}={value}"]
        found.append((args.options, load(args, terminal)))
    args.options = before
    return found


def _setting(args, index: int) -> str:
    name, _, values = args.compare.partition("=")
    return f"{name}={values.split(',')[index]}"


# --- playing ----------------------------------------------------------------------------------------------------------
def _played(args, terminal: Terminal, options: list[str], game, stop) -> list[dict]:
    from .workers import TooManyDeaths, play_all

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
            raise terminal.refusal(N_("The processes that play die again and again. Perhaps there is too little "
                                      "memory; try fewer --jobs.")) from None
    return sorted(records, key=lambda r: r["number"])


def _on_cluster(address: str, series, numbers, stop, done, terminal: Terminal) -> None:
    from .cluster import Unreachable, play_on_cluster

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
    for name in filter(None, (args.json, args.plot)):
        folder = Path(name).resolve().parent
        if name != "-" and (not folder.is_dir() or Path(name).is_dir()):
            raise terminal.refusal(N_("The file “{file}” cannot be written."), file=name[:80])
    if args.plot and Path(args.plot).suffix.lower() not in (".svg", ".png"):
        raise terminal.refusal(N_("A plot is written as .svg or as .png."))
    if args.plot and args.plot.lower().endswith(".png"):
        from .plot import NoPainter, as_png

        try:
            as_png('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
        except NoPainter:
            raise terminal.refusal(N_("For .png install Tabarro with the extra “plot”; without it, "
                                      "write .svg.")) from None


def _write(name: str, text: str | bytes, terminal: Terminal) -> None:
    if name == "-":
        terminal.out.write(text)
        return
    try:
        Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    except OSError:
        raise terminal.refusal(N_("The file “{file}” cannot be written."), file=name[:80]) from None


def _draw(args, terminal: Terminal, bench, data: dict, records: list[dict]) -> None:
    from .plot import as_png, plot

    svg = plot(bench.title(data), bench.groups(data), bench.histogram(data, records), bench.percent)
    _write(args.plot, as_png(svg) if args.plot.lower().endswith(".png") else svg, terminal)
