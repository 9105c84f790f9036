"""The command `tabarro`. It reads the arguments; each command is a module of `front/commands`, imported when it
is called."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from typing import TextIO

from . import __version__
from .front.commands import SUMMARIES
from .front.common.arguments import add_language, new_parser, speaking
from .front.common.folders import use
from .front.common.letters import ERRORS
from .front.common.streams import Refusal, Terminal, readable
from .interpreter.cache import switched_off
from .interpreter.files import nowhere, reason
from .speech.language import N_, Language, chosen, complaints, known, spoken, wanted

COMPILED = {  # by what is missing for it
    "": N_("Many games at once are played with the rules compiled to C."),
    "extension": N_("All games are played in Python: what plays compiled rules could not be built here."),
    "compiler": N_("All games are played in Python: no C compiler was found."),
    "working compiler": N_("All games are played in Python: the C compiler that is called compiles nothing."),
    "cache": N_("All games are played in Python: there is no cache for compiled rules."),
}
PACKED = ".tabarro"  # a house rule with all that it needs
ANY_LANGUAGE = ("say", "texts")  # for these --lang may name languages that are not spoken, or all


def main(argv: Sequence[str] | None = None, out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Run the command with these arguments and return its exit code: 0, 2 for a mistake in what it was given."""
    _open_streams()
    if argv is None:  # this process is ours
        sweep_seldom()
    argv = sys.argv[1:] if argv is None else list(argv)
    out, err = sys.stdout if out is None else out, sys.stderr if err is None else err
    for stream in (out, err):
        if hasattr(stream, "reconfigure"):  # better a plain letter than no game, where a terminal lacks one
            stream.reconfigure(errors=ERRORS)
    try:
        code = _run(argv, Terminal(out, err, Language(chosen(os.environ))))
        out.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _forget(out)
        return 141
    except OSError as error:  # what was to be shown cannot be: the disk that it goes to is full
        _forget(out)
        language = Language(chosen(os.environ))
        print(
            language.say(N_("Not everything could be written: {reason}."), reason=language.say(reason(error))), file=err
        )
        return 2


def sweep_seldom() -> None:
    """A game is hundreds of thousands of objects that stay. To search them all for garbage takes a tenth of a second,
    between a key and its answer, and there is hardly any."""
    gc.set_threshold(50_000, 20, 50)


def _open_streams() -> None:
    """Whoever closes a stream wants nothing of it; but the next file that is opened must not take its place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, nowhere())


def _run(argv: Sequence[str], terminal: Terminal) -> int:
    try:
        if any(name.endswith(PACKED) for name in argv) and argv[0] not in ("pack", "unpack", "resume", "replay"):
            argv = import_module(".front.workbench.packs", __package__).opened(argv)
        use(argv, terminal)
        asked = wanted(argv)
        if asked is None:
            terminal.language = _readable(chosen(os.environ), terminal)
            terminal.adapts = True
        elif known(asked) is not None:
            terminal.language = _readable(known(asked), terminal)
        elif next((name for name in argv if name in SUMMARIES), "") not in ANY_LANGUAGE:
            raise terminal.refusal(
                N_("The language “{name}” is not spoken here. These are: {languages}."),
                name=asked,
                languages=", ".join(spoken()),
            )
        arguments = _arguments(argv, terminal)
        if arguments is None:
            return 0
        terminal.complain(complaints(terminal.language.code))
        named = getattr(arguments, "game", None)
        if named and not import_module(".front.common.loading", __package__).is_there(named):
            choosing = import_module(".front.terminal.choosing", __package__)
            arguments.game = choosing.name_meant(named, terminal)
        try:
            with switched_off() if hasattr(arguments, "no_cache") else nullcontext():
                return arguments.run(arguments, terminal)
        finally:
            terminal.complain(complaints(terminal.language.code))
    except Refusal as refusal:
        return _refuse(terminal, str(refusal))
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:  # a stream: see above
            raise
        return _refuse(
            terminal, terminal.language.say(N_("The file “{file}” cannot be read."), file=str(error.filename)[:80])
        )
    except Exception as error:  # mistakes in rule files, and our own: a player never sees a traceback
        from .interpreter import RulesError

        if isinstance(error, RulesError):
            terminal.complain(error.problems)
            return 2
        text = terminal.language.say(N_("Something went wrong that is not your mistake: {error}"), error=_where(error))
        return _refuse(terminal, text, code=1)


def _readable(code: str, terminal: Terminal) -> Language:
    return readable(code, terminal.out)


def _refuse(terminal: Terminal, text: str, code: int = 2) -> int:
    terminal.out.flush()
    print(text, file=terminal.err)
    return code


def _arguments(argv: Sequence[str], terminal: Terminal):
    """What was asked for; None if it was the help or the version, which is then already given."""
    language, _ = terminal.language, terminal.language.translate
    with speaking(language):
        parser = new_parser(
            language, terminal.out, prog="tabarro", description=_("Plays and examines games that are written as rules.")
        )
        add_language(parser, language)
        parser.add_argument("--version", action="store_true", help=_("print which version this is"))
        commands = parser.add_subparsers(title=_("commands"), metavar="COMMAND", prog="tabarro")
        named = argv[:1] if argv[:1] and argv[0] in SUMMARIES else SUMMARIES
        for name in named:
            summary = _(SUMMARIES[name])
            sentence = language.say(N_("{what}."), what=lambda form, summary=summary: summary)
            command = commands.add_parser(name, help=summary, description=sentence)
            if name in argv:  # the others are only listed
                module = import_module(f".front.commands.{name}", __package__)
                module.arguments(command, language)
                command.set_defaults(run=module.run)
            add_language(command, language)
        try:
            arguments = parser.parse_args(argv)
        except SystemExit:
            return None
        if arguments.version:
            terminal.line(f"tabarro {__version__}")
            building = import_module(".interpreter.building", __package__)
            terminal.say(COMPILED[building.hindrance()])
            return None
        if not hasattr(arguments, "run"):
            parser.print_help()
            return None
        return arguments


def _where(error: Exception) -> str:
    """The kind of an error and its place in our code. Never its text, in which a secret of the game may stand."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = f" ({os.path.basename(at.tb_frame.f_code.co_filename)}:{at.tb_lineno})" if at is not None else ""
    return type(error).__name__ + place


def _forget(stream: TextIO) -> None:
    """Nobody reads any more: let Python's own flush at the end go nowhere."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        pass


if __name__ == "__main__":
    sys.exit(main())
