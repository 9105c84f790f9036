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
from ..paper.map import Spot, draw, drawn, paint_of
from .lookup import Lookup
from .sight import Sight
from .tabletop import sheet, table
from .view import View

__all__ = ["KEYS", "LATEST", "Choice", "Frame", "frame_of", "looked_up", "side_of", "without_colours"]

LATEST = 200  # lines of the log that are kept on the screen; `log` tells all
KEYS = (("f1", "?"), ("f2", "notes"), ("f3", "mission"), ("f4", "hint"), ("f5", "rules"), ("f6", "log"), ("f7", "map"))
UNDO, LEAVE = ("^Z", "undo"), ("^Q", "quit")
HIGH = 40  # rows of a screen on which the notes stay open beside a board


@dataclass(frozen=True, slots=True)
class Choice:
    typed: str  # what is typed for it
    label: str
    final: bool = False  # it ends a turn, and is pointed at twice
    group: str = ""  # what it has in common with those beside it, where there are many
    short: str = ""  # what it is called among these


@dataclass(slots=True)
class Frame:
    """All that stands on the screen at a moment."""

    title: str = ""
    paint: str = ""  # the colour of the one who sits here
    status: str = ""
    board: Text = field(default_factory=Text)
    key: Text = field(default_factory=Text)  # what the signs on the board mean
    table: Text = field(default_factory=Text)  # what lies on the table, where there is no board
    sheet: Text = field(default_factory=Text)  # notes, where there is room for them beside a board
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
    return max(34, min(58, width * 34 // 100 + (width - 100) // 20))


def board_of(size: tuple[int, int], status: int) -> tuple[int, int]:
    """The columns and rows for the board, beside so many lines of status."""
    return max(20, size[0] - side_of(size[0]) - 1), max(6, size[1] - 3 - status)


def frame_of(sight: Sight, size: tuple[int, int], said: str = "") -> Frame:
    """What one person sees, on a screen of so many columns and rows."""
    view, language = sight.view, sight.view.language
    choices, status = _choices(sight), _status(sight, size[0])
    board, key, spots, rows = _board(sight, choices, board_of(size, len(status)))
    side = side_of(size[0]) - 2
    name = view.called if view.seat.name else view.narrator.seat(view.seat.seat)
    asked = [part for part in (said, *_asked(sight)) if part]
    return Frame(
        title=f"{language.text(view.game.name)} · {language.say(N_('You are {name}.'), name=name)}",
        paint="" if os.environ.get("NO_COLOR") else paint_of(view.game, view.seat.seat),
        status="\n".join(status),
        board=board,
        key=key,
        table=Text() if view.board is not None else _table(view, board_of(size, len(status))),
        sheet=Text() if view.board is None or size[1] < HIGH else _sheet(view, side, size[1] // 2),
        spots=spots,
        row=rows[len(rows) // 2] if rows else None,
        log=_log(view, size[0]),
        told="\n".join(sight.told),
        question=" ".join(asked),
        choices=choices,
        keys=_keys(view),
        sure=language.say(N_("This ends your turn. Choose it again to confirm.")),
    )


def _keys(view: View) -> list[tuple[str, str, str]]:
    """The keys that are of use in this game."""
    language, words = view.language, Lookup(view).words()
    found = []
    for key, command in (*((key.upper(), name) for key, name in KEYS), UNDO, LEAVE):
        word = language.pgettext("command", command) or command
        if word not in words or command == "notes" and not keeps_notes(view):
            continue
        if command == "?":
            word = language.say(N_("help"))
        elif command == "map" and view.board is not None and view.board.grid:
            word = language.say(N_("board"))
        found.append((key, word, command))
    return found


def keeps_notes(view: View) -> bool:
    """Is there anything to note in this game?"""
    return view.notebook.screens.notes is not None or bool(view.marks.blocks())


def _asked(sight: Sight) -> Sequence[str]:
    """Whole questions: what stands open; what was chosen so far, and what is to be chosen now."""
    view, walk = sight.view, sight.menu.walk if sight.menu is not None else None
    if walk is None:
        return sight.asks
    if walk.is_fresh or walk.shape != "one":
        return sight.question, sight.heading
    chosen = [view.label(v) for v in walk.settled if not isinstance(v, tuple) and not view.is_alternative(v)]
    chosen = chosen or [view.label(v) for v in walk.settled if not isinstance(v, tuple)]
    said = " · ".join(chosen)
    return (f"{said[:1].upper()}{said[1:]} –" if said else "", sight.heading)


def _status(sight: Sight, width: int) -> list[str]:
    """Who he is, what he is after, and what he can be certain of."""
    view, language = sight.view, sight.view.language
    open_anyway = view.board is None or view.board.grid  # what lies open is before his eyes
    facts = view.notebook.secrets(view.known()) if open_anyway else sight.facts
    parts = [language.labelled(label, value) for label, value in facts]
    rows = view.possible_rows() or ()
    if len(rows) > 1:
        parts.append(
            language.ngettext(
                "Your goal is still open: there is {number} possibility.",
                "Your goal is still open: there are {number} possibilities.",
                len(rows),
            )
        )
    lines = [line for part in (" · ".join(parts), *sight.certain) for line in wrapped(part, width - 2) if line]
    return [*lines[:2], cut(" ".join(lines[2:]), width - 2)] if len(lines) > 3 else lines


def _choices(sight: Sight) -> list[Choice]:
    """By numbers; what is a number itself, by that."""
    menu = sight.menu
    numbers = menu is not None and menu.is_numbers
    ends = menu is not None and is_last(sight.view.game, menu.walk.step)
    groups = {place: name for name, places in (menu.groups() if menu is not None else ()) for place in places if name}
    found = [
        Choice(
            str(int(offer.value)) if numbers and isinstance(offer.value, Number) else "" if numbers else str(n),
            offer.shown,
            ends and offer.walk.done,
            groups.get(n - 1, ""),
            menu.short(offer) if menu is not None and n - 1 in groups else "",
        )
        for n, offer in enumerate(sight.offers, 1)
    ]
    beside = [*([sight.goes_by] if menu is None else []), *sight.words]
    return found + [Choice("" if numbers else str(n), label) for n, label in enumerate(beside, len(found) + 1)]


def _board(
    sight: Sight, choices: Sequence[Choice], size: tuple[int, int]
) -> tuple[Text, Text, dict[Spot, int], list[int]]:
    """The board, with what can be chosen lit and numbered, the key to it, where that lies, and in which rows."""
    view = sight.view
    if view.board is None:
        return Text(), Text(), {}, []
    places, names = view.known().get(view.board.pieces, {}), view.game.vocabulary.atoms
    spaces = {space.atom: space.id for space in view.board.spaces}
    lit: dict[str, int] = {}
    for atom, number in sight.touched.items():
        place = spaces.get(atom) or places.get((names[atom].name,))
        if place is not None:
            lit.setdefault(place, number - 1)
    shown = {space: choices[place].typed for space, place in lit.items()}
    seat = view.game.vocabulary.seats[view.game.seat(view.seat.seat)]
    moves = sight.menu.walk_moves if sight.menu is not None else None
    moving = places.get((names[moves].name,)) if moves is not None else None
    picture = drawn(view.game, view.known(), size, view.language, shown, seat, moving)
    found = {picture.spots[space]: place for space, place in lit.items() if space in picture.spots}
    board, key = (without_colours(Text.from_ansi(part, no_wrap=True)) for part in (picture.text, picture.key))
    return board, key, found, sorted(row for _, row, _ in found)


def _table(view: View, size: tuple[int, int]) -> Text:
    return without_colours(table(view, size[0] - 2, size[1]))


def _sheet(view: View, width: int, height: int) -> Text:
    return Text("\n".join(sheet(view, width, height)), no_wrap=True)


def _log(view: View, width: int) -> Text:
    """The latest turns, each line in the colour of the one who acts, one's own with a sign before them."""
    lines: list[tuple[str, str]] = []
    last = ""
    for turn in view.history:
        who = turn.who or next((actor for actor in turn.actors if actor), last)
        if lines and who != last:
            lines.append(("", ""))
        last = who
        for text, actor in zip(turn.lines, turn.actors or [turn.who] * len(turn.lines), strict=True):
            sign = "▶ " if actor == view.seat.seat else "  "
            first, *more = wrapped(text, side_of(width) - 3, sign, "    ")
            lines += [(line, paint_of(view.game, actor)) for line in (first, *more)]
    text = Text(no_wrap=True)
    for line, paint in lines[-LATEST:]:
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
