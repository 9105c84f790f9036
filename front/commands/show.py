"""`tabarro show`: everything of a game that can be changed, by its name, and what to write to change it."""

from __future__ import annotations

from ...interpreter import load_game
from ...interpreter.building import source_of
from ...interpreter.errors import did_you_mean
from ...interpreter.paths import SECTIONS as KEYS
from ...interpreter.paths import Steps
from ...interpreter.state import LIMITS
from ...speech.language import N_
from ..common.arguments import add_game_name
from ..common.folders import folders
from ..common.layout import wrapped
from ..common.loading import game_or_path
from ..common.streams import Terminal
from ..workbench.differences import SECTIONS
from ..workbench.index import Entry, Index

MOST = 60  # characters of a value that are shown in a table


def arguments(parser, language) -> None:
    _ = language.translate
    add_game_name(parser, language, "game")
    parser.add_argument(
        "path",
        nargs="?",
        metavar="PATH",
        help=_("a part of it, such as “turn of player/shake”, “movement” or “repeats”"),
    )
    parser.add_argument("--players", type=int, metavar="N", help=_("as it is with this many players"))
    parser.add_argument(
        "--c", action="store_true", help=_("print the rules of the whole game as they are compiled to C")
    )
    parser.add_argument("--where", action="store_true", help=_("tell which file says it, and in which line"))


def run(args, terminal: Terminal) -> int:
    if args.c and (args.path is not None or args.where):
        raise terminal.refusal(N_("--c prints the rules of the whole game: leave out PATH and --where."))
    if args.c:
        source = source_of(load_game(game_or_path(args.game), args.players, {}, folders()), LIMITS, comments=True)
        if source is None:
            raise terminal.refusal(N_("The rules of {game} cannot be compiled to C."), game=args.game)
        terminal.line(source.strip())
        return 0
    index = Index(game_or_path(args.game), args.players, terminal.language)
    if args.path is None:
        _overview(index, args, terminal)
        return 0
    found = index.find(args.path)
    if not found:
        last = args.path.strip("/").split("/")[-1]
        meant = did_you_mean(last, index.names())
        if meant:
            raise terminal.refusal(
                N_("Nothing in {game} is called “{name}”. Did you mean “{meant}”?"),
                game=args.game,
                name=last,
                meant=meant,
            )
        raise terminal.refusal(
            N_("Nothing in {game} is called “{name}”. “tabarro show {game}” lists what there is."),
            game=args.game,
            name=last,
        )
    if len(found) > 1:
        terminal.say(N_("“{name}” can mean any of these:"), name=args.path)
        _table([index.entry(path) for path in found], args, terminal)
        return 0
    _part(index, found[0], args, terminal)
    return 0


def _overview(index: Index, args, terminal: Terminal) -> None:
    texts = [index.entry((key,)) for key in ("name", "about") if key in index.whole]
    for section in (*KEYS, "screens", "phrases", "rulebook"):
        entries = index.whole.get(section)
        if isinstance(entries, dict):
            terminal.heading(
                terminal.language.translate(SECTIONS[section]) + (f": {section}" if section not in KEYS else "")
            )
            _table([index.entry((section, name)) for name in entries], args, terminal)
            terminal.line()
    _table(texts, args, terminal)
    terminal.line()
    terminal.say(N_("More of each of them: tabarro show {game} PATH"), game=args.game)


def _part(index: Index, path: Steps, args, terminal: Terminal) -> None:
    entry = index.entry(path)
    terminal.heading(entry.name)
    for text in filter(None, (entry.sentence, *index.reasons(path), _where(entry) if args.where else "")):
        for line in wrapped(text, terminal.width - 2):
            terminal.line("  " + line)
    below = list(index.below(path))
    if below:
        terminal.line()
        _table(below, args, terminal)
    terminal.line()
    terminal.say(
        N_("To change it, paste this into a file that extends {game}, and keep only what you change:"), game=args.game
    )
    terminal.line()
    for line in index.lines(path):
        terminal.line("  " + line)


def _where(entry: Entry) -> str:
    return f"{entry.place.source.name}:{entry.place.line}"


def _table(entries: list[Entry], args, terminal: Terminal) -> None:
    _ = terminal.language.translate
    headings = [_(N_("Path")), _(N_("Value")), _(N_("What it means"))]
    rows = [[entry.name, _brief(entry.shown), entry.sentence] for entry in entries]
    if args.where:
        headings.append(_(N_("Where")))
        rows = [[*row, _where(entry)] for row, entry in zip(rows, entries)]
    used = [column for column in range(len(headings)) if any(row[column] for row in rows)]
    terminal.table([headings[c] for c in used], [[row[c] for c in used] for row in rows])


def _brief(text: str) -> str:
    return text if len(text) <= MOST else text[: MOST - 1] + "…"
