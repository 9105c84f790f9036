"""`tabarro print`: everything that is needed to play a game at a table, to print and cut out."""

from __future__ import annotations

from pathlib import Path

from ...interpreter.files import make_folder
from ...speech.language import N_
from ..common.arguments import add_force, add_game
from ..common.loading import asked_game
from ..common.streams import Terminal
from ..paper.book import rulebook
from ..paper.cutting import kit_pages


def arguments(parser, language) -> None:
    _ = language.translate
    add_game(parser, language)
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help=_("the folder to write it into"))
    parser.add_argument("--pdf", action="store_true", help=_("also as PDF"))
    add_force(parser, language)


def run(args, terminal: Terminal) -> int:
    typeset = _typesetter(terminal) if args.pdf else None
    game = asked_game(args, terminal, people=True)
    pages = {**kit_pages(game, terminal.language), "rulebook": rulebook(game, terminal.language, "html")}
    make_folder(args.output)
    for name, page in pages.items():
        if not page:
            continue
        terminal.write_file(str(Path(args.output, f"{name}.html")), page, args.force)
        if typeset is not None:
            terminal.write_file(str(Path(args.output, f"{name}.pdf")), typeset(page), args.force)
    terminal.say(N_("The kit and the rulebook are in {folder} now."), folder=args.output)
    return 0


def _typesetter(terminal: Terminal):
    """What makes a PDF of a page; it is not always installed, and nothing else needs it."""
    try:
        from weasyprint import HTML
    except (ImportError, OSError) as error:
        raise terminal.refusal(
            N_(
                "A PDF is made by WeasyPrint, which is not installed here, or lacks its libraries. "
                "Install tabarro[pdf], or print the pages with a browser."
            )
        ) from error
    return lambda page: HTML(string=page).write_pdf(custom_metadata=True)
