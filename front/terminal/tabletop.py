"""What lies on the table of a game without a board, as boxes: places with those who are there, values with their names.

Which things there are follows from `screens:`: what lies open, and the line of boxes in a player's notes. All of it
comes from one person's `View`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from ...interpreter.model import Function
from ..common.layout import cut, padded, width_of, wrapped
from ..paper.map import paint_of
from .view import View

__all__ = ["sheet", "table"]

MOST = 12  # boxes in a row of a kind, whether something is in them or not
WIDEST, LEAST = 26, 9  # columns inside a box


@dataclass(frozen=True, slots=True)
class Box:
    title: str
    lines: Sequence[tuple[str, str]]  # what is in it, each with its style


def table(view: View, width: int, height: int) -> Text:
    """All that lies open, then what was shown; and the sheet of one's notes, where there is room for it."""
    text, rows = Text(no_wrap=True), 0
    for title, boxes in _groups(view):
        drawn = _drawn(boxes, width)
        for line, style in [(title, "bold")] if title else []:
            text.append(line + "\n", style)
        text.append_text(drawn)
        text.append("\n")
        rows += drawn.plain.count("\n") + 1 + bool(title)
    for line in sheet(view, width, height - rows - 1) or _shown(view, width):
        text.append(line + "\n")
    return text


def sheet(view: View, width: int, height: int) -> list[str]:
    """His notes, his own marks and how they are made: as much of it as fits into so many rows."""
    found: list[str] = []
    word = view.language.pgettext("command", "notes") or "notes"
    for part in (
        (_shown(view, width), *view.marks.parts(width, word)) if view.marks.blocks() else (_shown(view, width),)
    ):
        if part and len(found) + 1 + len(part) <= height:
            found += [*([""] if found else []), *part]
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
                Box(_called(view, atom), [(book.said(value, function.result), "")])
                for atom, value in owners
                if value is not None
            ]
            found += [(title, boxes)] if boxes else []
    line = [Box(name, [(said, "bold")]) for name, said in book.boxes(known)]
    found += [(book.line_name, line)] if line else []
    return [*([("", plain)] if plain else []), *found]


def _places(view: View, function: Function, owners: Sequence[tuple[int, Any]]) -> list[Box]:
    """What is one of few things: a box for each of these, with those in it for whom it is that."""
    kind, words = function.result, view.game.vocabulary
    if kind.kind != "thing" or len(kind.atoms) > MOST:
        return []
    inside: dict[str, list[tuple[str, str]]] = {words.atoms[atom].name: [] for atom in sorted(kind.atoms)}
    if not any(value in inside for _, value in owners):
        return []
    for atom, value in owners:
        name = words.atoms[atom].name
        if value in inside:
            sign = "▶ " if name == view.seat.seat else ""
            inside[value].append((sign + _called(view, atom), _paint(view, name)))
    return [Box(_called(view, atom), inside[words.atoms[atom].name]) for atom in sorted(kind.atoms)]


def _called(view: View, atom: int) -> str:
    return str(view.narrator.name(atom)("list"))


def _paint(view: View, name: Any) -> str:
    return paint_of(view.game, name) if isinstance(name, str) else ""


def _drawn(boxes: Sequence[Box], width: int) -> Text:
    """Boxes side by side, in as many rows as it takes; those in one row are alike."""
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
        titles = [cut(box.title, wide) for box in row]
        text.append(" ".join(f"┌ {title} {'─' * (wide - width_of(title))}┐" for title in titles) + "\n")
        for place in range(high):
            for number, lines in enumerate(inner):
                said, style = lines[place] if place < len(lines) else ("", "")
                text.append(" │ " if number else "│ ").append(padded(said, wide), style).append(" │")
            text.append("\n")
        text.append(" ".join(f"└{'─' * (wide + 2)}┘" for _ in row) + "\n")
    return text
