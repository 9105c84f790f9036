"""`tabarro simulate`: many games among bots, and what they tell of the game: who wins, how long it takes, and so on."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from ...interpreter import Game, describe
from ...interpreter.errors import did_you_mean
from ...interpreter.files import real
from ...lab.cluster import Unreachable, play_on_cluster
from ...lab.comparison import POINTS, compare
from ...lab.playout import MOST_DECISIONS, Series
from ...lab.workers import Stop, TooManyDeaths, play_all
from ...mind.kinds import KINDS, USUAL
from ...speech.language import N_
from ..common.arguments import add_force, add_game, seed_or_any, whole_number
from ..common.folders import folders
from ..common.loading import asked_game
from ..common.progress import Progress
from ..common.streams import Terminal
from ..paper.figures import Bench
from ..paper.report import SCREEN, Played, Report, check_files

GAMES = 100
MOST_GAMES = 100_000  # until a difference is known


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    number = whole_number
    parser.add_argument(
        "--games", type=number(language, 1, 1_000_000), default=GAMES, metavar="N", help=_("how many games")
    )
    parser.add_argument(
        "--bots", metavar="BOTS", help=_("who plays: a bot for all, or for a seat or a secret: careful,red=random")
    )
    parser.add_argument("--seed", type=number(language), metavar="S", help=_("the same seed gives the same games"))
    parser.add_argument(
        "--jobs", type=number(language, 1, 1_000), default=1, metavar="J", help=_("how many processes to use")
    )
    parser.add_argument("--cluster", metavar="ADDRESS", help=_("on a Dask cluster, by the address of its scheduler"))
    parser.add_argument("--compare", metavar="K=A,B", help=_("two values of an option, with the same seeds"))
    parser.add_argument("--against", metavar="GAME", help=_("another game or rule file, with the same seeds"))
    parser.add_argument(
        "--against-option", action="append", default=[], metavar="K=V", help=_("an option of the game after --against")
    )
    parser.add_argument(
        "--until",
        type=number(language, 1),
        metavar="POINTS",
        help=_("play on until a difference of this many percentage points would be seen"),
    )
    parser.add_argument(
        "--knowledge", action="store_true", help=_("also tell when each player could have known what (slow)")
    )
    parser.add_argument(
        "--max-decisions", type=number(language, 1), metavar="N", help=_("cut a game off after this many decisions")
    )
    parser.add_argument("--json", metavar="FILE", help=_("write everything as JSON into a file; - for the screen"))
    parser.add_argument("--plot", metavar="FILE", help=_("draw the shares and lengths into a file, .svg or .png"))
    add_force(parser, language)
    parser.add_argument("--markdown", action="store_true", help=_("write tables in Markdown, for a document"))


def run(args, terminal: Terminal) -> int:
    game = asked_game(args, terminal)
    check_files(args.json, args.plot, args.force, terminal)
    args.seed = seed_or_any(args.seed)
    settings = _settings(args, terminal, game)
    start = time.perf_counter()
    with Stop() as stop:
        _play(args, terminal, settings, stop)
    played = [Played(s.label, s.game, s.records) for s in settings if s.records or not stop.wanted]
    seconds = time.perf_counter() - start
    about = {"seed": args.seed, "asked": max(s.asked for s in settings), "interrupted": stop.wanted}
    points = args.until or POINTS
    found = Report(Bench(game, terminal, args), terminal, played, about, args.bots or USUAL, points)
    if not found.games:
        terminal.say(N_("No game was finished."))
        return 130
    try:
        if args.json != SCREEN:  # before anything is written: a full disk shall not take it away
            found.show(None if args.markdown else seconds)
    finally:  # also if nobody reads it to the end
        if args.json is not None:
            found.write_json(args.json, len(settings) == 2, args.force)
        if args.plot is not None:
            found.draw(args.plot, args.force)
    if stop.wanted:
        print(terminal.language.say(N_("You stopped it. What was done until then is counted.")), file=terminal.err)
        return 130
    return 0


# --- what to play -----------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Setting:
    """A game with its options, and the games of it that were played."""

    label: str  # where two are compared
    name: str  # of the game, or of its file
    options: list[str]
    game: Game
    asked: int = 0
    records: list[dict] = field(default_factory=list)

    def series(self, args, terminal: Terminal) -> Series:
        return Series(
            str(real(self.name)) if self.name.endswith((".yaml", ".yml")) else self.name,
            self.game.players,
            tuple(tuple(option.split("=", 1)) for option in self.options),
            tuple(str(real(f)) for f in folders()),
            self.game.digest,
            args.seed,
            _bots(args.bots, self.game, terminal),
            args.max_decisions or MOST_DECISIONS,
            args.knowledge,
        )


def _settings(args, terminal: Terminal, game: Game) -> list[Setting]:
    if args.compare is not None and args.against is not None:
        raise terminal.refusal(N_("Write either --compare or --against: only two settings can be compared."))
    if args.compare is not None:
        return _two(args, terminal)
    if args.against is not None:
        return _against(args, terminal, game)
    if args.until is not None or args.against_option:
        raise terminal.refusal(
            N_("--until and --against-option go with a comparison: say with --against or --compare what to compare.")
        )
    return [Setting("", args.game, args.options, game)]


def _against(args, terminal: Terminal, game: Game) -> list[Setting]:
    """Another game. It has the same seats and, as far as it knows them, the same options."""
    one = Setting(args.game, args.game, args.options, game)
    before = args.game, args.options, args.players
    known = {option.name for option in describe(args.against, folders()).options}
    own = {option.partition("=")[0].strip() for option in args.against_option}
    kept = [o for o in args.options if (name := o.partition("=")[0].strip()) in known and name not in own]
    args.game, args.options, args.players = args.against, [*kept, *args.against_option], game.players
    try:
        other = Setting(args.game, args.game, args.options, asked_game(args, terminal))
    finally:
        args.game, args.options, args.players = before
    if one.game.digest == other.game.digest:
        raise terminal.refusal(
            N_("“{one}” and “{other}” are decided by the same rules, so there is nothing to compare."),
            one=one.name[:60],
            other=other.name[:60],
        )
    if sorted(one.game.seats) != sorted(other.game.seats):
        raise terminal.refusal(
            N_(
                "“{one}” has the seats {seats}, and “{other}” has {others}: only games with the same seats can be "
                "compared game by game. Simulate each by itself."
            ),
            one=one.name[:60],
            seats=terminal.language.list(one.game.seats),
            other=other.name[:60],
            others=terminal.language.list(other.game.seats),
        )
    for setting in (one, other):
        setting.label = " ".join([setting.game.id, *(setting.options if one.game.id == other.game.id else ())])
    return [one, other]


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
                N_("“{name}” is neither a seat nor a secret of this game. These are possible: {names}."),
                name=where[:40],
                names=meant or ", ".join(names),
            )
        if bot not in KINDS:
            raise terminal.refusal(
                N_("There is no bot “{name}”. These are possible: {bots}."), name=bot[:40], bots=", ".join(KINDS)
            )
        if where in found:
            raise terminal.refusal(
                N_("“{text}” names two bots for the same players. Write for instance --bots careful,red=random."),
                text=text[:60],
            )
        found[where] = bot
    return tuple(sorted({"": USUAL, **found}.items()))


def _two(args, terminal: Terminal) -> list[Setting]:
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
        found.append(Setting(setting, args.game, args.options, asked_game(args, terminal)))
    args.options = before
    if len({setting.game.options[name].value for setting in found}) == 1:
        raise terminal.refusal(
            N_("“{text}” names the same value twice, so there is nothing to compare."), text=args.compare[:60]
        )
    return found


# --- playing ----------------------------------------------------------------------------------------------------------
def _play(args, terminal: Terminal, settings: list[Setting], stop: Stop) -> None:
    """As many games as were asked for; with --until as many more as it takes to know."""
    wanted = args.games
    while not stop():
        for setting in settings:
            if not stop():
                _played(args, terminal, setting, wanted, stop)
        if args.until is None or wanted >= MOST_GAMES:
            return
        found = compare(settings[0].records, settings[1].records, args.until)
        unplayed = wanted - found["pairs"]  # those that were cut off do not count
        if found["needed"] is None or found["pairs"] >= found["needed"]:
            return
        # How many pairs differ is known better the more there are: no step is more than four times what there is.
        wanted = min(found["needed"] + unplayed, 4 * wanted, MOST_GAMES)


def _played(args, terminal: Terminal, setting: Setting, upto: int, stop: Stop) -> None:
    series, numbers = setting.series(args, terminal), list(range(setting.asked, upto))
    setting.asked = upto
    with Progress(terminal, len(numbers)) as advance:

        def done(some: list[dict]) -> None:
            setting.records.extend(some)
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
    setting.records.sort(key=lambda r: r["number"])


def _on_cluster(address: str, series, numbers, stop, done, terminal: Terminal) -> None:
    try:
        play_on_cluster(address, series, numbers, stop, done)
    except Unreachable as missing:
        if str(missing) == address:
            raise terminal.refusal(N_("No cluster answers at “{address}”."), address=address[:80]) from None
        raise terminal.refusal(N_("For a cluster install Tabarro with the extra “cluster”.")) from None
