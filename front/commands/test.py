"""`tabarro test`: play scenarios and say what does not come out as they say."""

from __future__ import annotations

from pathlib import Path

from ...lab.scenario import run as play
from ...speech.language import N_
from ..common.arguments import add_json
from ..common.folders import folders
from ..common.streams import Terminal, problem_as_data


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("paths", nargs="+", metavar="PATH", help=_("a scenario, or a folder with scenarios in it"))
    add_json(parser, language)


def run(args, terminal: Terminal) -> int:
    files = _files(args.paths, terminal)
    found = {file: play(file, folders()) for file in files}
    failed = sum(bool(problems) for problems in found.values())
    if args.json:
        terminal.json(
            [problem_as_data(str(file), problem, terminal) for file, problems in found.items() for problem in problems]
        )
        return 2 if failed else 0
    for file, problems in found.items():
        terminal.complain(problems)
        if not problems:
            terminal.say(N_("{file} is as it should be."), file=str(file))
    language = terminal.language
    terminal.line(language.ngettext("{number} scenario was played.", "{number} scenarios were played.", len(files)))
    if failed:
        terminal.out.flush()
        print(
            language.ngettext(
                "{number} did not come out as it says.", "{number} did not come out as they say.", failed
            ),
            file=terminal.err,
        )
    return 2 if failed else 0


def _files(paths: list[str], terminal: Terminal) -> list[Path]:
    files = []
    for name in paths:
        path = Path(name)
        inside = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
        if not inside:
            raise terminal.refusal(N_("There is no scenario in “{name}”."), name=name)
        files += inside
    return files
