"""`tabarro help`: what `--help` tells, for those who ask in words."""

from __future__ import annotations

from importlib import import_module

from ...interpreter.errors import did_you_mean
from ...speech.language import N_
from ..common.arguments import add_language, new_parser, speaking
from ..common.streams import Terminal
from . import SUMMARIES


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("command", nargs="?", metavar="COMMAND", help=_("which one; without it, all are listed"))


def run(args, terminal: Terminal) -> int:
    language = terminal.language
    if args.command is None:
        terminal.table(
            [language.translate(N_("Command")), language.translate(N_("What it is for"))],
            [[f"tabarro {name}", language.translate(summary)] for name, summary in SUMMARIES.items()],
        )
        return 0
    if args.command not in SUMMARIES:
        meant = did_you_mean(args.command, SUMMARIES)
        raise terminal.refusal(
            N_("There is no command “{name}”. These are possible: {names}."),
            name=args.command[:40],
            names=language.row([meant] if meant else SUMMARIES),
        )
    summary = language.translate(SUMMARIES[args.command])
    sentence = language.say(N_("{what}."), what=lambda form: summary)
    with speaking(language):
        parser = new_parser(language, terminal.out, prog=f"tabarro {args.command}", description=sentence)
        import_module(f".{args.command}", __package__).arguments(parser, language)
        add_language(parser, language)
        parser.print_help()
    return 0
