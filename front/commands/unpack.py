"""`tabarro unpack`: the files of a pack, to look at and to change."""

from __future__ import annotations

from pathlib import Path

from ...speech.language import N_
from ..common.arguments import add_force
from ..common.folders import home
from ..common.streams import Terminal
from ..workbench.packs import read_pack, write_files


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("file", metavar="FILE", help=_("a file that “tabarro pack” has made"))
    parser.add_argument("-o", "--output", metavar="DIR", help=_("the folder to put them into"))
    add_force(parser, language)


def run(args, terminal: Terminal) -> int:
    pack = read_pack(Path(args.file))
    folder = Path(args.output) if args.output else home()
    there = [name for name, text in pack.items() if _other(folder / name, text)]
    if there and not args.force:
        text = N_("{file} is there already, and says something else. Name another folder after -o, or say --force.")
        raise terminal.refusal(text, file=str(folder / there[0]))
    write_files(pack, folder, force=True)
    for name in pack:
        terminal.say(N_("{file} was written."), file=str(folder / name))
    return 0


def _other(path: Path, text: str) -> bool:
    return path.exists() and (not path.is_file() or path.read_bytes() != text.encode("utf-8", "replace"))
