"""The end of a game: how it was decided, who has won, and everything that was secret."""

from __future__ import annotations

from ...interpreter.observe import read
from ...interpreter.slots import HEADER
from ...speech.language import N_
from ...speech.narrator import Narrator
from ..common.streams import Terminal
from .notebook import Notebook
from .screen import Screen
from .seats import Seat

__all__ = ["end", "reveal"]


def end(game, state, seen: tuple | None, terminal: Terminal, screen: Screen, seats: dict[str, Seat]) -> None:
    """What everybody has seen since somebody last looked (`seen` is that place in the log), and what came of it."""
    narrator = Narrator(game, terminal.language)
    everyone = (1 << len(game.seats)) - 1
    rows, chain = [], state.v[1]
    while chain is not None and chain is not seen:
        rows.append(chain[1])
        chain = chain[0]
    screen.line()
    screen.rule()
    for row in reversed(rows):
        if row[1] & everyone == everyone:
            for line in narrator.tell(read(game, (None, row), -1)):
                screen.text(line, "  ", hanging="    ")
    screen.line()
    tell_result(state.result, narrator, terminal)
    reveal(game, state, narrator, terminal, screen, seats)


def reveal(game, state, narrator: Narrator, terminal: Terminal, screen: Screen, seats: dict[str, Seat]) -> None:
    """All secrets of all seats, and the goals that they had."""
    slots, language = state.v[HEADER:], terminal.language
    umpire = Notebook(game, None, narrator, language)
    secrets = umpire.all_secrets(slots)
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
        keys = umpire.goals.keys(slots, seat)
        if not keys:
            continue
        text = umpire.goals.otherwise(slots, seat)
        text = umpire.goals.row(keys) or text
        if text:
            goals.setdefault((text, umpire.goals.fulfilled(slots, seat)), []).append(narrator.seat(seat)("list"))
    if goals:
        screen.line()
        for (text, fulfilled), names in goals.items():
            if fulfilled is not None:
                text = language.say(N_("{goal} (fulfilled)") if fulfilled else N_("{goal} (not fulfilled)"), goal=text)
            screen.text(language.labelled(language.list(names), text), "  ", hanging="    ")


def tell_result(result, narrator, terminal: Terminal) -> None:
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
