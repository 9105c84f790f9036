"""The end of a game: how it was decided, who has won, and everything that was secret."""

from __future__ import annotations

from ...interpreter import Reader, Result, Umpire
from ...speech.language import N_
from ...speech.narrator import Narrator
from ..common.streams import Terminal
from ..workbench.conclusions import moments
from .notebook import Notebook
from .screen import Screen
from .seats import Seat
from .turns import last_round, turns

__all__ = ["end", "reveal"]


def end(umpire: Umpire, terminal: Terminal, screen: Screen, seats: dict[str, Seat]) -> None:
    """The whole last round, with the move that decided it, and what came of it: nothing is secret any more."""
    narrator = Narrator(umpire.game, terminal.language, sees_all=True)
    screen.line()
    screen.rule()
    told = turns(umpire.game, Reader(umpire.game).news(umpire), narrator)
    for line in (line for turn in last_round(umpire.game, told) for line in turn.lines):
        screen.text(line, "  ", hanging="    ")
    screen.line()
    tell_result(umpire.result, narrator, terminal)
    reveal(umpire, narrator, terminal, screen, seats)
    lines = moments(umpire, terminal.language, {seat.seat: seat.name for seat in seats.values() if seat.name})
    if lines:
        screen.line()
        screen.text(terminal.language.say(N_("When it could have been known:")), style="bold")
        for line in lines:
            screen.text(line, "  ", hanging="    ")


def reveal(umpire: Umpire, narrator: Narrator, terminal: Terminal, screen: Screen, seats: dict[str, Seat]) -> None:
    """All secrets of all seats, and the goals that they had."""
    game, cells, language = umpire.game, umpire.cells(), terminal.language
    notebook = Notebook(game, None, narrator, language)
    secrets = notebook.all_secrets(cells)
    if secrets:
        screen.line()
        screen.text(language.say(N_("Everything is revealed now:")), style="bold")
    for owner, facts in secrets.items():
        if owner is None:
            said = " · ".join(language.labelled(kind, value) for kind, value in facts)
            screen.text(said, "  ", hanging="    ")
            continue
        name, seat = narrator.name(owner)("list"), seats.get(game.vocabulary.atoms[owner].name)
        name += f" ({seat.name})" if seat and seat.name else ""
        screen.text(language.labelled(name, language.row(value for _, value in facts)), "  ", hanging="    ")
    goals: dict[tuple, list[str]] = {}
    for seat in game.seats:
        keys = notebook.goals.keys(cells, seat)
        if not keys:
            continue
        text = notebook.goals.row(keys) or notebook.goals.otherwise(cells, seat)
        if text:
            goals.setdefault((text, notebook.goals.fulfilled(cells, seat)), []).append(narrator.seat(seat)("list"))
    if goals:
        screen.line()
        for (text, fulfilled), names in goals.items():
            if fulfilled is not None:
                text = language.say(N_("{goal} (fulfilled)") if fulfilled else N_("{goal} (not fulfilled)"), goal=text)
            screen.text(language.labelled(language.list(names), text), "  ", hanging="    ")


def tell_result(result: Result, narrator: Narrator, terminal: Terminal) -> None:
    language = terminal.language
    if result.winners:
        winners = [narrator.seat(seat) for seat in result.winners]
        terminal.line(
            language.ngettext(
                "{winners} has won.",
                "{winners} have won.",
                len(winners),
                winners=lambda form: language.list([seat(form) for seat in winners]),
            )
        )
    else:
        terminal.say(N_("Nobody has won."))
    if result.scores != {seat: int(seat in result.winners) for seat in result.scores}:  # the rules count points
        for seat, score in result.scores.items():
            terminal.line(
                language.ngettext(
                    "{seat} scores {number} point.", "{seat} scores {number} points.", score, seat=narrator.seat(seat)
                )
            )
