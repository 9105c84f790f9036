"""What lies on the table of a game without a board, as boxes: places with those who are there, values with their names.

Which things there are follows from `screens:`: what lies open, and the line of boxes in a player's notes. All of it
comes from one person's `View`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from ...interpreter.model import Function
from ...speech.language import N_
from ..common.layout import cut, padded, width_of, wrapped
from ..paper.map import Spot, paint_of
from .lookup import key_of
from .view import View

__all__ = ["lying", "sheets", "table"]

MOST = 12  # boxes in a row of a kind, whether something is in them or not
WIDEST, LEAST = 26, 9  # columns inside a box
BESIDE = 3  # columns between two blocks of notes
CHOSEN = "bold reverse"  # the style of what is typed for a box


@dataclass(frozen=True, slots=True)
class Box:
    title: str
    lines: Sequence[tuple[str, str]]  # what is in it, each with its style
    atom: int | None = None  # what it stands for
    is_none: bool = False  # a line for those who are in no box


def table(view: View, width: int, height: int, lit: Mapping[int, str]) -> tuple[Text, dict[Spot, int]]:
    """All that lies open, then what was shown; and the sheet of one's notes, where there is room for it. Boxes of what
    can be chosen have before their names what is typed for it; where these lie, and what they stand for."""
    text, spots = lying(view, width, lit)
    room = height - text.plain.count("\n") - 1
    for line in next((lines for lines in sheets(view, width) if len(lines) <= room), ()):
        text.append(line + "\n")
    return text, spots


def lying(view: View, width: int, lit: Mapping[int, str]) -> tuple[Text, dict[Spot, int]]:
    """All that lies open, in boxes."""
    text, rows, spots = Text(no_wrap=True), 0, dict[Spot, int]()
    for title, boxes in _groups(view):
        free = {atom: typed for atom, typed in lit.items() if atom not in spots.values()}
        for line, style in [(title, "bold")] if title else []:
            text.append(line + "\n", style)
        drawn = _drawn(boxes, width, free, rows + bool(title), spots)
        text.append_text(drawn)
        text.append("\n")
        rows += drawn.plain.count("\n") + 1 + bool(title)
    return text, spots


def sheets(view: View, width: int) -> list[list[str]]:
    """His notes: what he was shown, then his own marks and how they are made, side by side where there is room. All of
    them, then ever less, for where there are fewer rows; where something is left out, the last row tells the key, and
    what the signs mean if that is left out."""
    marks, word = view.marks, view.language.pgettext("command", "notes") or "notes"
    pages = view.notebook.pages(view.known(), width)
    signs = view.notebook.signs(width) if pages else []
    more = f"{key_of('notes')} {word}"
    meant = re.split("(?<=[.。])", " ".join(signs))[0]
    less = f"{meant} {more}" if meant and width_of(f"{meant} {more}") <= width else more
    also = [part for text in view.also_shown() for part in wrapped(text, width, "", "  ")]
    facts = [*pages, *([also] if also else [])]
    if not marks.blocks():
        full = _shelves([*pages, signs, also], width)
        return [_stacked(full), *_less(_shelves(facts, width), facts, less, more)] if facts else []
    found = [[""]][:0]
    letters = _letters(view)
    tables = [[*marks.tables(width, heads), marks.written(width)] for heads in ({}, letters)[: 1 + bool(letters)]]
    found += [_stacked(_shelves([*pages, signs, also, *some, marks.how(width, word)], width)) for some in tables]
    found += [[*_stacked(_shelves([*pages, signs, also, *some], width)), more] for some in tables]
    return found + _less(_shelves([*facts, *tables[-1]], width), facts, less, more)


def _less(shelves: Sequence[Sequence[str]], facts: Sequence[Sequence[str]], last: str, alone: str) -> list[list[str]]:
    """Ever fewer of these shelves, in the end rows of the first, if there is something on it that he was shown; and a
    last row, another one where it is alone."""
    found = [[*_stacked(shelves[:count]), last] for count in range(len(shelves), 0, -1)]
    first = shelves[0] if facts else ()
    return found + [[*first[:count], last if count else alone] for count in range(len(first) - 1, -1, -1)]


def _letters(view: View) -> dict[str, str]:
    """By players, the letters that stand for them on the board; nothing, if that is no shorter."""
    words, codes = view.game.vocabulary, view.codes
    found = {words.atoms[a].name: codes.letters.get(a, "") for a in words.seats} if codes is not None else {}
    wide = sum(width_of(_called(view, atom)) for atom in words.seats)
    return found if all(found.values()) and sum(map(width_of, found.values())) < wide else {}


def _shelves(parts: Sequence[Sequence[str]], width: int) -> list[list[str]]:
    """Blocks of lines, in their order, side by side as long as there is room."""
    shelves: list[list[str]] = []
    column = 0
    for part in parts:
        indent = min((len(line) - len(line.lstrip(" ")) for line in part if line), default=0)
        lines = [line[indent:] for line in part]
        wide = max(map(width_of, lines), default=0)
        if not lines:
            continue
        if not shelves or column + BESIDE + wide > width:
            shelves.append(lines)
            column = wide
            continue
        last = shelves[-1]
        last += [""] * (len(lines) - len(last))
        for row, line in enumerate(lines):
            last[row] = f"{padded(last[row], column + BESIDE)}{line}" if line else last[row]
        column += BESIDE + wide
    return shelves


def _stacked(shelves: Sequence[Sequence[str]]) -> list[str]:
    return [line for shelf in shelves for line in ("", *shelf)][1:]


# --- boxes ------------------------------------------------------------------------------------------------------------
def _groups(view: View) -> list[tuple[str, list[Box]]]:
    """Titles, and the boxes below each of them."""
    found, plain = [], []
    known, book = view.known(), view.notebook
    for function in book.screens.public:
        title = book.label(function)
        title = title[:1].upper() + title[1:]
        values = known.get(function.shape, {})
        start = view.game.named(function.start, function.result)
        if not function.params:
            value = values.get((), start)
            if value not in (None, ()):
                plain.append(Box(title, [(book.said(value, function.result), _paint(view, value))]))
        elif len(function.params) == 1:
            owners = [
                (atom, values.get((view.game.vocabulary.atoms[atom].name,), start))
                for atom in sorted(function.params[0].type.atoms)
            ]
            boxes = _places(view, function, owners) or [
                Box(_called(view, atom), [(book.said(value, function.result), "")], atom)
                for atom, value in owners
                if value is not None
            ]
            found += [(title, boxes)] if boxes else []
    line = [Box(name, [(said, "bold")]) for name, said in book.boxes(known)]
    found += [(book.line_name, line)] if line else []
    return [*([("", plain)] if plain else []), *found]


def _places(view: View, function: Function, owners: Sequence[tuple[int, Any]]) -> list[Box]:
    """What is one of few things: a box for each of these, with those in it for whom it is that, and a line for those
    who are nowhere yet, or not any more."""
    kind, words = function.result, view.game.vocabulary
    if kind.kind != "thing" or len(kind.atoms) > MOST:
        return []
    inside: dict[str, list[tuple[str, str]]] = {words.atoms[atom].name: [] for atom in sorted(kind.atoms)}
    nowhere: list[tuple[str, str]] = []
    for atom, value in owners:
        name = words.atoms[atom].name
        sign = "▶ " if name == view.seat.seat else ""
        inside.get(value, nowhere).append((sign + _called(view, atom), _paint(view, name)))
    boxes = [Box(_called(view, atom), inside[words.atoms[atom].name], atom) for atom in sorted(kind.atoms)]
    title = view.language.labelled(view.language.say(N_("in none of these")), "").rstrip()
    return [*boxes, *([Box(title, nowhere, is_none=True)] if nowhere else [])]


def _called(view: View, atom: int) -> str:
    return str(view.narrator.name(atom)("list"))


def _paint(view: View, name: Any) -> str:
    return paint_of(view.game, name) if isinstance(name, str) else ""


def _drawn(boxes: Sequence[Box], width: int, lit: Mapping[int, str], top: int, spots: dict[Spot, int]) -> Text:
    """Boxes side by side, in as many rows as it takes; those in one row are alike. The first stand in the row `top`."""
    nowhere = next((box for box in boxes if box.is_none), None)
    boxes = [box for box in boxes if box is not nowhere]
    wide = max(width_of(part) for box in boxes for part in (box.title, *(line for line, _ in box.lines)))
    wide = max(LEAST, min(wide, WIDEST, width - 4))
    count = max(1, min(len(boxes), (width + 1) // (wide + 5)))
    count = -(-len(boxes) // -(-len(boxes) // count))  # as many in each row
    wide = max(wide, min(WIDEST, (width + 1) // count - 5))
    text = Text(no_wrap=True)
    for first in range(0, len(boxes), count):
        row = boxes[first : first + count]
        inner = [
            [(part, style) for line, style in box.lines for part in wrapped(line, wide)] or [("", "")] for box in row
        ]
        high = max(map(len, inner))
        for number, box in enumerate(row):
            typed = f"{lit[box.atom]})" if box.atom in lit else ""
            title = cut(box.title, wide - width_of(typed) - bool(typed))
            text.append(" ┌ " if number else "┌ ").append(typed, CHOSEN).append(" " if typed else "")
            text.append(f"{title} {'─' * (wide - width_of(title) - width_of(typed) - bool(typed))}┐")
            if typed and box.atom is not None:
                for y in range(high + 2):
                    spots[number * (wide + 5), top + y, wide + 4] = box.atom
        text.append("\n")
        top += high + 2
        for place in range(high):
            for number, lines in enumerate(inner):
                said, style = lines[place] if place < len(lines) else ("", "")
                text.append(" │ " if number else "│ ").append(padded(said, wide), style).append(" │")
            text.append("\n")
        text.append(" ".join(f"└{'─' * (wide + 2)}┘" for _ in row) + "\n")
    if nowhere is not None:
        line = Text(f"  {nowhere.title} ", no_wrap=True)
        for number, (said, style) in enumerate(nowhere.lines):
            line.append(" · " if number else "").append(said, style)
        line.truncate(width, overflow="ellipsis")
        text.append_text(line).append("\n")
    return text
