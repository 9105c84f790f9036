"""The full screen as data: what stands on it, in texts of the size that there is, and where one can point at something.

It is made of a `Sight`, and so of one person's `Player` alone; `full.py` only draws it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rich.text import Text

from ...interpreter.runtime import Number
from ...lab.turns import is_last
from ...speech.language import N_
from ..common.layout import cut, wrapped
from ..paper.map import Spot, draw, paint_of
from .lookup import Lookup
from .sight import Sight
from .view import View

__all__ = ["KEYS", "LATEST", "Choice", "Frame", "frame_of", "looked_up", "side_of", "without_colours"]

LATEST = 200  # lines of the log that are kept on the screen; `log` tells all
KEYS = (("f1", "?"), ("f2", "notes"), ("f3", "mission"), ("f4", "hint"), ("f5", "rules"), ("f6", "log"), ("f7", "map"))
UNDO, LEAVE = ("^Z", "undo"), ("^Q", "quit")


@dataclass(frozen=True, slots=True)
class Choice:
    typed: str  # what is typed for it
    label: str
    final: bool = False  # it ends a turn, and is pointed at twice


@dataclass(slots=True)
class Frame:
    """All that stands on the screen at a moment."""

    title: str = ""
    status: str = ""
    board: Text = field(default_factory=Text)
    table: Text = field(default_factory=Text)  # what lies on the table, where there is no board
    spots: dict[Spot, int] = field(default_factory=dict)  # where on the board which choice lies
    log: Text = field(default_factory=Text)
    told: str = ""  # by somebody who explains the game
    question: str = ""
    choices: Sequence[Choice] = ()
    keys: Sequence[tuple[str, str, str]] = ()  # a key, what it does in words, and the command
    row: int | None = None  # of the board, that should be in sight
    sure: str = ""  # what is said when a choice has to be pointed at once more
    serial: int = 0  # of the question: what was typed for an earlier one does not count

    def asking(self, question: str, labels: Sequence[str]) -> Frame:
        """The same, but that something else is asked."""
        return replace(
            self,
            told="",
            question=question,
            choices=[Choice(str(n), label) for n, label in enumerate(labels, 1)],
            spots={},
        )


def side_of(width: int) -> int:
    """The columns beside the board: for the log and the choices."""
    return max(38, min(60, width * 36 // 100))


def frame_of(sight: Sight, size: tuple[int, int], said: str = "") -> Frame:
    """What one person sees, on a screen of so many columns and rows."""
    view, language = sight.view, sight.view.language
    words = Lookup(view).words()
    keys = [(key.upper(), name) for key, name in KEYS]
    named = [(key, language.pgettext("command", name) or name, name) for key, name in (*keys, UNDO, LEAVE)]
    choices = _choices(sight)
    board, spots, rows = _board(sight, choices, size[0])
    return Frame(
        title=f"{language.text(view.game.name)} · {language.say(N_('You are {name}.'), name=view.called)}",
        status="\n".join(_status(sight, size[0])),
        board=board,
        table=Text() if view.board is not None else _table(view, size[0]),
        spots=spots,
        row=rows[len(rows) // 2] if rows else None,
        log=_log(view, size[0]),
        told="\n".join(sight.told),
        question=" ".join(part for part in (said, sight.question, sight.heading) if part),
        choices=choices,
        keys=[entry for entry in named if entry[1] in words],
        sure=language.say(N_("This ends your turn. Choose it again to confirm.")),
    )


def _status(sight: Sight, width: int) -> list[str]:
    """Who he is, what he is after, and what he can be certain of."""
    view, language = sight.view, sight.view.language
    open_anyway = view.board is None or view.board.grid  # what lies open is before his eyes
    facts = view.notebook.secrets(view.known()) if open_anyway else sight.facts
    lines = [" · ".join(language.labelled(label, value) for label, value in facts), *sight.certain]
    rows = view.possible_rows() or ()
    if len(rows) > 1:
        lines.append(
            language.ngettext(
                "Your goal is still open: there is {number} possibility.",
                "Your goal is still open: there are {number} possibilities.",
                len(rows),
            )
        )
    return [cut(line, width - 2) for line in lines if line]


def _choices(sight: Sight) -> list[Choice]:
    """By numbers; what is a number itself, by that."""
    numbers = sight.menu is not None and sight.menu.is_numbers
    ends = sight.menu is not None and is_last(sight.view.game, sight.menu.walk.step)
    found = [
        Choice(
            str(int(offer.value)) if numbers and isinstance(offer.value, Number) else "" if numbers else str(n),
            offer.shown,
            ends and offer.walk.done,
        )
        for n, offer in enumerate(sight.offers, 1)
    ]
    beside = [*([sight.goes_by] if sight.menu is None else []), *sight.words]
    return found + [Choice("" if numbers else str(n), label) for n, label in enumerate(beside, len(found) + 1)]


def _board(sight: Sight, choices: Sequence[Choice], width: int) -> tuple[Text, dict[Spot, int], list[int]]:
    """The board, with what can be chosen lit and numbered, where that lies, and in which rows."""
    view = sight.view
    if view.board is None:
        return Text(), {}, []
    places, names = view.known().get(view.board.pieces, {}), view.game.vocabulary.atoms
    spaces = {space.atom: space.id for space in view.board.spaces}
    lit: dict[str, int] = {}
    for atom, number in sight.touched.items():
        place = spaces.get(atom) or places.get((names[atom].name,))
        if place is not None:
            lit.setdefault(place, number - 1)
    shown = {space: choices[place].typed for space, place in lit.items()}
    seat = view.game.vocabulary.seats[view.game.seat(view.seat.seat)]
    spots: dict[str, Spot] = {}
    room = max(20, width - side_of(width) - 2)
    drawn = draw(
        view.game, view.known(), room, True, True, view.language, legend=False, lit=shown, own=seat, spots=spots
    )
    found = {spots[space]: place for space, place in lit.items() if space in spots}
    return without_colours(Text.from_ansi(drawn, no_wrap=True)), found, sorted(row for _, row, _ in found)


def _table(view: View, width: int) -> Text:
    """What lies open, and what was shown so far: for games without a board."""
    room = max(20, width - side_of(width) - 5)
    lines: list[str] = []
    for label, value in view.notebook.public(view.known()):
        lines += wrapped(view.language.labelled(label, value), room, "", "  ")
    notes = view.notebook.notes(view.known(), room)
    also = [part for text in view.also_shown() for part in wrapped(text, room, "", "  ")]
    for block in (notes, also):
        lines += [*([""] if lines and block else []), *block]
    return Text("\n".join(lines), no_wrap=True)


def _log(view: View, width: int) -> Text:
    """The latest turns, each in the colour of the one who decided, one's own with a sign before them."""
    lines: list[tuple[str, str]] = []
    for turn in view.history:
        sign = "▶ " if turn.who == view.seat.seat else "  "
        for text in turn.lines:
            first, *more = wrapped(text, side_of(width) - 5, sign, "    ")
            lines += [(line, paint_of(view.game, turn.who)) for line in (first, *more)]
        lines.append(("", ""))
    text = Text(no_wrap=True)
    for line, paint in lines[-LATEST:-1]:
        text.append(line + "\n", paint)
    return without_colours(text)


def looked_up(looks: Lookup, command: str, sight: Sight, width: int) -> Text:
    """What somebody has asked for, for a page of its own."""
    view, colour = sight.view, not os.environ.get("NO_COLOR")

    def picture() -> list[str]:
        return draw(view.game, view.known(), width, True, colour, view.language).splitlines()

    if command == "notes" or not command.startswith("notes "):
        lines = looks.lines(command, sight, width, picture)
    else:  # what he has written, on the whole sheet
        lines = looks.lines(command, sight, width, picture)
        lines += ["", *looks.lines("notes", sight, width, picture)]
    return Text.from_ansi("\n".join(lines))


def without_colours(text: Text) -> Text:
    """Without colours, where somebody wishes that."""
    return Text(text.plain, no_wrap=True) if os.environ.get("NO_COLOR") else text
