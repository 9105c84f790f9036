"""What several commands take, and an argument parser that speaks the reader's language."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

from ...interpreter.errors import did_you_mean
from ...speech.language import N_, Language, spoken
from .layout import clean
from .streams import Refusal, Terminal

MOST = 999_999_999

# What argparse itself says; it looks these up by its own `_`, see speaking().
ARGPARSE = (
    N_("usage: "),
    N_("options"),
    N_("positional arguments"),
    N_("show this help message and exit"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("expected one argument"),
    N_("ignored explicit argument %r"),
)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """argparse takes its words from a function of its module; while this lasts, from our catalogue."""
    before = argparse._, argparse.ngettext
    argparse._, argparse.ngettext = language.translate, language.ngettext
    try:
        yield
    finally:
        argparse._, argparse.ngettext = before


def new_parser(language: Language, out: TextIO, **settings: Any) -> argparse.ArgumentParser:
    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> None:
            raise Refusal(f"{self.format_usage()}{self.prog}: {message}")

        def print_help(self, file: TextIO | None = None) -> None:
            super().print_help(out)

        def _check_value(self, action: argparse.Action, value: Any) -> None:
            if action.choices is not None and value not in action.choices:
                raise argparse.ArgumentError(None, _no_choice(language, str(value), list(action.choices)))

    return Parser(allow_abbrev=False, **settings)


def _no_choice(language: Language, value: str, choices: list[str]) -> str:
    meant = did_you_mean(value, choices)
    if meant:
        return language.say(N_("There is no command “{name}”. Did you mean “{meant}”?"), name=value, meant=meant)
    return language.say(
        N_("There is no command “{name}”. These are possible: {names}."), name=value, names=", ".join(choices)
    )


def add_language(parser: argparse.ArgumentParser, language: Language) -> None:
    help = language.say(N_("the language to speak: {languages}"), languages=", ".join(spoken()))
    parser.add_argument("--lang", default=argparse.SUPPRESS, metavar="LANG", help=help)
    parser.add_argument(
        "--no-cache",
        action="store_true",
        default=argparse.SUPPRESS,
        help=language.translate(N_("compile the game anew, and keep nothing of it")),
    )
    parser.add_argument(
        "--rules",
        action="append",
        default=argparse.SUPPRESS,
        metavar="DIR",
        help=language.translate(N_("a folder with house rules; can be given several times")),
    )


def add_game_name(parser: argparse.ArgumentParser, language: Language, dest: str = "game", **more: Any) -> None:
    help = language.translate(N_("the name of a game, or the path of a rule file"))
    parser.add_argument(dest, metavar="GAME", help=help, **more)


def add_settings(parser: argparse.ArgumentParser, language: Language) -> None:
    """With how many and with which options a game is played."""
    _ = language.translate
    parser.add_argument("--players", type=whole_number(language, 1), metavar="N", help=_("how many play"))
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="K=V",
        dest="options",
        help=_("an option of the game and its value; can be given several times"),
    )


def add_game(parser: argparse.ArgumentParser, language: Language) -> None:
    add_game_name(parser, language)
    add_settings(parser, language)


def add_plain(parser, language) -> None:
    help = language.translate(N_("line by line, also on a large terminal"))
    parser.add_argument("--plain", action="store_true", help=help)


def add_seed(parser: argparse.ArgumentParser, language: Language) -> None:
    help = language.translate(N_("the same seed gives the same game"))
    parser.add_argument("--seed", type=whole_number(language), metavar="S", help=help)


def add_think(parser: argparse.ArgumentParser, language: Language) -> None:
    help = language.translate(N_("how many seconds a thinker may think for each choice, such as 2s"))
    parser.add_argument("--think", type=seconds(language), metavar="TIME", help=help)


def seconds(language: Language) -> Callable[[str], float]:
    """A length of time, with or without its unit."""

    def read(text: str) -> float:
        try:
            value = float(text.strip().removesuffix("s"))
        except ValueError:
            value = 0.0
        if not 0 < value <= 3600:
            raise argparse.ArgumentTypeError(language.say(N_("“{text}” is no time: write 2s, or 0.5s."), text=text))
        return value

    return read


def add_seat(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument(
        "--as", dest="seat", metavar="SEAT", help=language.translate(N_("see only what this seat sees"))
    )


def add_json(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("--json", action="store_true", help=language.translate(N_("write JSON, for other programs")))


def add_force(parser: argparse.ArgumentParser, language: Language) -> None:
    help = language.translate(N_("replace a file even if Tabarro did not write it"))
    parser.add_argument("--force", action="store_true", help=help)


def seed_or_any(seed: int | None) -> int:
    """The seed that was asked for; else one that nobody knows before."""
    return random.SystemRandom().randrange(1_000_000) if seed is None else seed


def check_seat(name: str, seats: Sequence[str], terminal: Terminal) -> str:
    """The seat that is called so, in capital letters or not."""
    found = name if name in seats else name.casefold()
    if found not in seats:
        raise terminal.refusal(
            N_("Nobody at the table is called “{name}”. The seats are: {seats}."),
            name=clean(name),
            seats=", ".join(seats),
        )
    return found


def whole_number(language: Language, least: int | None = None, most: int = MOST):
    """A number that somebody types; with `least` a number of things, and not more than can be."""

    def read(text: str) -> int:
        try:
            number = int(text) if len(text) <= 20 else None
        except ValueError:
            number = None
        if number is None:
            raise argparse.ArgumentTypeError(language.say(N_("“{text}” is not a whole number."), text=text))
        if least is not None and number < least:
            raise argparse.ArgumentTypeError(language.say(N_("The number must be at least {least}."), least=least))
        if least is not None and number > most:
            raise argparse.ArgumentTypeError(language.say(N_("The number can be at most {most}."), most=most))
        return number

    return read


def check_choice(value: str, possible, terminal: Terminal) -> None:
    if value not in possible:
        raise terminal.refusal(
            N_("“{value}” is not possible here. These are possible: {values}."),
            value=value,
            values=", ".join(sorted(possible)),
        )
