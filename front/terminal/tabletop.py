"""What lies on the table of a game without a board, as boxes: places with those who are there, values with their names.

Which things there are follows from `screens:`: what lies open, and the line of boxes in a player's notes. All of it
comes from one person's `View`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from ...interpreter.model import Function
from ..common.layout import cut, padded, width_of, wrapped
from ..paper.map import Spot, paint_of
from .view import View

__all__ = ["lying", "sheet", "table"]

MOST = 12  # boxes in a row of a kind, whether something is in them or not
WIDEST, LEAST = 26, 9  # columns inside a box
NOWHERE = "…"  # those who are in no box stand in a line behind this
CHOSEN = "bold reverse"  # the style of what is typed for a box


@dataclass(frozen=True, slots=True)
class Box:
    title: str
    lines: Sequence[tuple[str, str]]  # what is in it, each with its style
    atom: int | None = None  # what it stands for


def table(view: View, width: int, height: int, lit: Mapping[int, str]) -> tuple[Text, dict[Spot, int]]:
    """All that lies open, then what was shown; and the sheet of one's notes, where there is room for it. Boxes of what
    can be chosen have before their names what is typed for it; where these lie, and what they stand for."""
    text, spots = lying(view, width, lit)
    rows = text.plain.count("\n")
    for line in sheet(view, width, height - rows - 1) or _shown(view, width):
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


def sheet(view: View, width: int, height: int) -> list[str]:
    """His notes, his own marks and how they are made: as much of it as fits into so many rows."""
    word = view.language.pgettext("command", "notes") or "notes"
    parts, found = [_shown(view, width), *(view.marks.parts(width, word) if view.marks.blocks() else ())], [""][:0]
    for number, part in enumerate(parts):
        if part and len(found) + 1 + len(part) <= height:
            found += [*([""] if found else []), *part]
        elif part and number:  # what is less would say nothing without it
            break
    return found


def _shown(view: View, width: int) -> list[str]:
    notes = view.notebook.notes(view.known(), width, boxes=False)
    also = [part for text in view.also_shown() for part in wrapped(text, width, "", "  ")]
    return [*notes, *([""] if notes and also else []), *also]


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
    return [*boxes, *([Box(NOWHERE, nowhere)] if nowhere else [])]


def _called(view: View, atom: int) -> str:
    return str(view.narrator.name(atom)("list"))


def _paint(view: View, name: Any) -> str:
    return paint_of(view.game, name) if isinstance(name, str) else ""


def _drawn(boxes: Sequence[Box], width: int, lit: Mapping[int, str], top: int, spots: dict[Spot, int]) -> Text:
    """Boxes side by side, in as many rows as it takes; those in one row are alike. The first stand in the row `top`."""
    nowhere = next((box for box in boxes if box.title is NOWHERE), None)
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
        line = Text(f"  {NOWHERE} ", no_wrap=True)
        for number, (said, style) in enumerate(nowhere.lines):
            line.append(" · " if number else "").append(said, style)
        line.truncate(width, overflow="ellipsis")
        text.append_text(line).append("\n")
    return text
