"""The end of a game: how it was decided, who has won, and everything that was secret."""

from __future__ import annotations

from ..interpreter.observe import read
from ..interpreter.source import HEADER
from .language import N_
from .narrate import Narrator
from .notebook import Notebook
from .screen import Screen
from .seats import Seat
from .terminal import Terminal
from .watch import tell_result

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
    speaker = umpire.speaker()
    for seat in game.seats:
        keys = umpire.keys(slots, seat)
        if not keys:
            continue
        text = umpire.otherwise(slots, seat)
        if keys in umpire.screens.table.function.values:
            text = speaker.cell(umpire.screens.table.function, keys)
        if text:
            goals.setdefault((text, umpire.fulfilled(slots, seat)), []).append(narrator.seat(seat)("list"))
    if goals:
        screen.line()
        for (text, fulfilled), names in goals.items():
            if fulfilled is not None:
                text = language.say(N_("{goal} (fulfilled)") if fulfilled else N_("{goal} (not fulfilled)"), goal=text)
            screen.text(language.labelled(language.list(names), text), "  ", hanging="    ")
