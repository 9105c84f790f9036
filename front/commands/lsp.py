"""`tabarro lsp`: a language server, which editors start by themselves."""

from __future__ import annotations

import sys

from ...speech.language import N_
from ..common.streams import Terminal


def arguments(parser, language) -> None:
    """None of its own."""


def run(args, terminal: Terminal) -> int:
    try:
        from ..lsp.server import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise terminal.refusal(
            N_("Editors need pygls for this: install it with “{command}”."),
            command="pip install 'tabarro[lsp]'",
        ) from None
    if sys.stdin.isatty():
        print(
            terminal.language.say(
                N_("This is for editors, which start it themselves; docs/editors.md tells how. Ctrl-C ends it.")
            ),
            file=terminal.err,
        )
    serve(terminal.language)
    return 0
