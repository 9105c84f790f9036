"""`tabarro deduce --interactive`: the worksheet typed line by line, with what follows after each line."""

from __future__ import annotations

from functools import partial

from ..interpreter import RulesError, show
from ..interpreter.errors import Place, Source
from .asking import Quit, wants_to_quit
from .deduce import conclusions, take, told, understood
from .examples import examples
from .language import N_
from .prompt import normal
from .screen import EndOfInput, Screen
from .terminal import Terminal
from .worksheet import ME

__all__ = ["interview"]


def interview(sheet, terminal: Terminal) -> int:
    screen, say = Screen(terminal.out), terminal.language.say
    try:
        if not sheet.seat:
            _introduce(sheet, screen, terminal)
        odds = understood(sheet)
        _help(sheet, screen, terminal)
        _conclude(sheet, odds, screen, terminal)
        while True:
            typed = screen.read("> ").strip()
            if not typed or wants_to_quit(typed, terminal.language):
                return 0
            if typed in ("?", "？"):
                _help(sheet, screen, terminal)
                continue
            try:
                entry = sheet.read(typed, _place(typed))
                take(sheet, odds, entry)
                sheet.entries.append(entry)
                _conclude(sheet, odds, screen, terminal)
            except RulesError as error:
                _complain(error, screen, terminal)
                if error.problems[0].code == "worksheet_sentence":
                    _help(sheet, screen, terminal)
    except (EndOfInput, KeyboardInterrupt, Quit):
        screen.line()
        return 0
    finally:
        screen.text(say(N_("Until the next time.")))


def _introduce(sheet, screen: Screen, terminal: Terminal) -> None:
    from .deduce import question_name

    say, game = terminal.language.say, sheet.game
    seats = [sheet.narrator.seat(s)("list") for s in game.seats if s not in game.chance_seats]
    screen.text(say(N_("Who are you? {seats}"), seats=terminal.language.row(seats)), style="bold")
    while not sheet.seat:
        sheet.seat = _answered(screen, terminal, sheet._seat, seats) or ""
    for function in sheet.own:
        name = question_name(game, terminal.language, function.shape.split(" ")[0])
        many = function.result.many
        kind = function.result.of if many else function.result
        values = [sheet.narrator.name(a)("list") for a in sorted(kind.atoms)]
        screen.text(terminal.language.labelled(name, terminal.language.row(values)), style="bold")
        while function.shape not in sheet.secrets:
            value = _answered(screen, terminal, partial(_value, sheet, function.result), [] if many else values)
            if value is not None:
                sheet.secrets[function.shape] = value


def _value(sheet, kind, text: str, at: Place):
    return sheet.value(text, kind, at)


def _answered(screen: Screen, terminal: Terminal, understand, names: list[str]):
    """What was answered; of one of these names also its beginning is understood."""
    typed = screen.read("> ").strip()
    if wants_to_quit(typed, terminal.language):
        raise Quit
    begun = [name for name in names if normal(name).startswith(normal(typed))]
    typed = begun[0] if typed and len(begun) == 1 else typed
    try:
        return understand(typed, _place(typed)) if typed else None
    except RulesError as error:
        _complain(error, screen, terminal)
        return None


def _place(typed: str) -> Place:
    return Place(Source(ME, typed), 1, 1)


def _complain(error: RulesError, screen: Screen, terminal: Terminal) -> None:
    for problem in error.problems:
        said = show(problem, terminal.language.translate).removeprefix(f"{problem.place}: ").splitlines()
        for line in said[:3] if problem.code == "worksheet_sentence" else said:  # examples say more than a list
            screen.line(line)


def _help(sheet, screen: Screen, terminal: Terminal) -> None:
    say = terminal.language.say
    screen.line()
    screen.text(say(N_("Type what you have seen, one sentence a line; “?” shows this again, an empty line ends it:")))
    for text in examples(sheet):
        screen.text(text, "  ", hanging="    ")


def _conclude(sheet, odds, screen: Screen, terminal: Terminal) -> None:
    screen.line()
    for line in told(sheet.game, terminal.language, conclusions(odds, sheet.seat, sheet), sheet):
        screen.text(line.strip(), "  " if line.startswith(" ") else "", hanging="    ")
