"""A board of squares in a terminal: what is on each of them, in squares that are as large as there is room for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..common.layout import width_of

__all__ = ["Square", "drawn"]

CHOSEN = "1;7"  # the style of what is typed for a square
FAINT = "2"
LAST = "()"  # around what was put on a square last, where there is room beside it anyway
LARGEST = 5  # rows of a square
EDGES = {True: ("┌┬┐", "├┼┤", "└┴┘", "─", "│"), False: ("+++", "+++", "+++", "-", "|")}
Rows = Sequence[Sequence["Square"]]


@dataclass(frozen=True, slots=True)
class Square:
    id: str
    name: str
    here: list[tuple[str, str]]  # what is on it, with its style
    is_last: bool = False  # it was put there just now


def drawn(
    rows: Rows,
    lit: Mapping[str, str],
    size: tuple[int, int | None],
    unicode: bool,
    colour: bool,
    spots: dict[str, tuple[int, int, int]],
) -> tuple[str, int]:
    """The board, or nothing where it does not fit, and how many rows a square has. Where the height is given, columns
    and rows are named at the edge if their names follow from that, and squares are as large as there is room for."""
    width, height = size
    across, down = _edges(rows) if height is not None else ([], [])
    texts = [[_on(square, lit, bool(across)) for square in row] for row in rows]
    text = max((width_of(said.strip(LAST)) for row in texts for said, _ in row), default=1)
    count, side = max(map(len, rows)), max(map(width_of, down), default=0) + bool(down)
    high = 1
    while height is not None and high + 2 <= LARGEST and len(rows) * (high + 3) + 1 + bool(across) <= height:
        if count * (_wide(high + 2, text) + 1) + 1 + side > width:
            break
        high += 2
    wide = _wide(high, text)
    if count * (wide + 1) + 1 + side > width:
        return "", 1
    top, middle, bottom, level, upright = EDGES[unicode]

    def edge(signs: str) -> str:
        return " " * side + signs[0] + signs[1].join([level * wide] * count) + signs[2]

    lines = [edge(top)]
    for y, (row, said) in enumerate(zip(rows, texts, strict=True)):
        for x, square in enumerate(row):
            spots[square.id] = (side + 1 + x * (wide + 1), 1 + y * (high + 1) + high // 2, wide)
        for part in range(high):
            cells = [_cell(one, wide, part == high // 2, high, colour) for one in said]
            name = down[y] if down and part == high // 2 else ""
            lines.append(
                " " * (side - width_of(name) - bool(down))
                + name
                + " " * bool(down)
                + upright
                + upright.join(cells)
                + upright
            )
        lines.append(edge(bottom if y == len(rows) - 1 else middle))
    if across:
        lines.append(" " * (side + 1) + " ".join(_centred(name, wide) for name in across))
    return "\n".join(lines), high


def _on(square: Square, lit: Mapping[str, str], named: bool) -> tuple[str, str]:
    """What stands in a square, and its style: who is there, what is typed for it, or its name."""
    if square.here:
        codes = "".join(code for code, _ in square.here)
        style = square.here[0][1]
        style = "1" if style == CHOSEN else style  # without a colour it would be taken for what can be chosen
        return f"{LAST[0]}{codes}{LAST[1]}" if square.is_last else codes, style
    if square.id in lit:
        return lit[square.id], CHOSEN
    return ("", "") if named else (square.name, FAINT)


def _wide(high: int, text: int) -> int:
    """A character is twice as high as it is wide."""
    return max(text + 2, 2 * high + 1 if high > 1 else 0)


def _cell(said: tuple[str, str], wide: int, middle: bool, high: int, colour: bool) -> str:
    """One row of a square; what is on a large one fills it with its colour."""
    text, style = said
    full = _centred(text if middle else "", wide)
    if not colour or not style or not middle and high > 1 and style in (CHOSEN, FAINT):
        return full
    if high > 1 and style not in (CHOSEN, FAINT):
        return f" \x1b[{style}m{full[1:-1]}\x1b[0m "
    inner = full.strip()
    begin = full.index(inner) if inner else 0
    return f"{full[:begin]}\x1b[{style}m{inner}\x1b[0m{full[begin + len(inner) :]}"


def _centred(text: str, wide: int) -> str:
    left = (wide - width_of(text) + 1) // 2
    return " " * left + text + " " * (wide - width_of(text) - left)


def _edges(rows: Rows) -> tuple[list[str], list[str]]:
    """What columns and rows are called, if each name is made of both: b3 stands in b and 3."""
    names = [[square.name for square in row] for row in rows]
    if len({len(row) for row in names}) != 1 or len(names) < 2:
        return [], []
    across = [_beginning(column) for column in zip(*names, strict=True)]
    down = [row[0][len(across[0]) :] for row in names]
    fits = all(name == across[x] + down[y] for y, row in enumerate(names) for x, name in enumerate(row))
    good = all(across) and all(down) and len(set(across)) == len(across) and len(set(down)) == len(down)
    return (across, down) if fits and good else ([], [])


def _beginning(names: Sequence[str]) -> str:
    """The letters with which all of them begin."""
    found = ""
    for letters in zip(*names, strict=False):
        if len(set(letters)) > 1:
            break
        found += letters[0]
    return found
