"""`tabarro new`: begins a house rule, as a file in which everything is explained and nothing is changed yet."""

from __future__ import annotations

import re
from pathlib import Path

from ...interpreter import RulesError, find_problems
from ...interpreter.files import make_folder, read_ours, write_new, write_whole
from ...interpreter.resolve import Library
from ...interpreter.schema import SCHEMA, is_other
from ...speech.language import N_
from ..common.folders import folders, home
from ..common.streams import Refusal, Terminal
from ..workbench.drafts import SCHEMA_FILE, Draft, board_in

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,60}\Z")


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("name", metavar="NAME", help=_("what the new rule file is called"))
    parser.add_argument("--from", dest="parent", metavar="GAME", help=_("the game that it changes"))
    parser.add_argument("--board", action="store_true", help=_("begin a board of your own"))


def run(args, terminal: Terminal) -> int:
    library = Library(folders())
    if not NAME.match(args.name):
        raise terminal.refusal(
            N_("“{name}” cannot be the name of a rule file. Use letters, digits, - and _."), name=args.name[:80]
        )
    if args.name in library.names():
        raise _there_already(args.name, terminal)
    parent = args.parent or (_smallest_board(library, terminal) if args.board else None)
    if parent is None:
        raise terminal.refusal(
            N_("Say which game it changes: --from GAME. “tabarro list” shows the games that there are.")
        )
    parent = Path(parent).stem if parent.endswith((".yaml", ".yml")) else parent
    whole = library.merged(library.find(parent))
    writer = Draft(terminal.language, args.name, parent)
    text = writer.board(whole, terminal) if args.board else writer.variant(whole)
    path = home() / f"{args.name}.yaml"
    _write(path, text, terminal)
    terminal.say(N_("{file} was written."), file=path.as_posix())
    problems = find_problems(path, folders())
    terminal.complain(problems)
    if not problems:
        terminal.say(N_("{file} has no mistakes."), file=path.as_posix())
    return 2 if problems else 0


def _write(path: Path, text: str, terminal: Terminal) -> None:
    schema = read_ours(SCHEMA).encode()
    make_folder(path.parent)
    write_whole(path.with_name(SCHEMA_FILE), schema, refused=is_other)
    try:
        write_new(path, text.encode())
    except FileExistsError:
        raise _there_already(path.stem, terminal) from None


def _there_already(name: str, terminal: Terminal) -> Refusal:
    return terminal.refusal(N_("There is already a rule file called “{name}”. Choose another name."), name=name)


def _smallest_board(library, terminal: Terminal) -> str:
    """The game with the fewest spaces: the quickest to change."""
    found = []
    for name in library.names():
        try:
            path = library.find(name)
            whole = library.merged(path)
        except RulesError:
            continue
        if board_in(whole) and whole.get("players") and not library.load(path).get("abstract"):
            found.append((len(board_in(whole)), name))
    if not found:
        raise terminal.refusal(N_("No game here has a board."))
    return min(found)[1]
