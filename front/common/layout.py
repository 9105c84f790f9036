"""What fits where: how wide a text is, lines, columns side by side; and text that is safe to show."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

NAME_WIDTH = 24  # columns of a person's name
LEAST = 8  # columns of a column that is folded
LONGEST_ENTRY = 2_000  # characters of a line that is typed


# --- text that is safe to show ----------------------------------------------------------------------------------------
def clean(text: str, width: int = NAME_WIDTH) -> str:
    """A text that somebody typed, without what would move the cursor, turn the writing or run over the line."""
    said, marks = "", 0
    for letter in text[:LONGEST_ENTRY]:
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in ("Zl", "Zp", "Zs") or letter in "\t\n":
            letter = " "
        elif kind.startswith("C") or marks > 2:
            continue  # control, direction, surrogates, private use; letters with a tower of accents
        said += letter
    return cut(" ".join(said.split()), width)


def width_of(text: str) -> int:
    """Columns on the screen: Japanese letters and pictures take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def cut(text: str, width: int) -> str:
    if width_of(text) <= width:
        return text
    kept = ""
    for letter in text:
        if width_of(kept + letter) > width - 1:
            break
        kept += letter
    return kept + "…"


def padded(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


NO_END = "（「『【〔〈《(["
NO_START = "、。，．・：；？！）」』】〕〉》”’ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ…,.:;?!)]"
_KATAKANA = re.compile("[ァ-ヺー・]")


def wrapped(text: str, width: int, indent: str = "", hanging: str | None = None) -> list[str]:
    """Lines of at most so many columns; the first begins with `indent`, the others with `hanging`.

    Between full-width letters a line may end anywhere but before a closing sign or inside a foreign name."""
    return [*_wrapped(text, width, indent, indent if hanging is None else hanging)]


@lru_cache(maxsize=8192)  # logs and rules are shown again and again
def _wrapped(text: str, width: int, indent: str, hanging: str) -> tuple[str, ...]:
    lines, line, empty = [], indent, True
    for piece in pieces(text):
        if not empty and width_of(line + piece.rstrip(" ")) > width:
            lines.append(line.rstrip())
            line, empty = hanging, True
        if empty and piece == " ":
            continue
        while width_of(line + piece) > width and len(piece) > 1:  # one word wider than the line
            room = max(1, width - width_of(line))
            cut = next(k for k in range(len(piece), 0, -1) if width_of(piece[:k]) <= room or k == 1)
            lines.append(line + piece[:cut])
            line, piece = hanging, piece[cut:]
        line, empty = line + piece, False
    return (*lines, line.rstrip()) if not empty or not lines else tuple(lines)


def pieces(text: str) -> list[str]:
    """What stays together in a line: words, and a full-width letter with the closing signs after it."""
    found: list[str] = []
    for part in re.findall(r"[^\S\u00a0]+|[\S\u00a0]+", text):
        if part.isspace() and "\u00a0" not in part:
            found.append(" ")
            continue
        if part.isascii():
            found.append(part)
            continue
        run = ""
        for letter in part:
            between = run and (width_of(letter) == 2 or width_of(run[-1]) == 2)
            katakana = run and _KATAKANA.match(letter) and _KATAKANA.match(run[-1])  # a foreign word or name
            if between and not katakana and letter not in NO_START and run[-1] not in NO_END:
                found.append(run)
                run = ""
            run += letter
        found.append(run)
    return found


def columns(items: list[str], width: int, indent: str = "  ") -> list[str]:
    """Items one below the other, in as many columns as fit; to be read downwards."""
    if not items:
        return []
    room = max(1, width - len(indent))
    widest = max(map(width_of, items))
    count = max(1, min(len(items), (room + 3) // (widest + 3)))
    while True:
        rows = -(-len(items) // count)
        blocks = [items[i * rows : (i + 1) * rows] for i in range(count)]
        widths = [max(map(width_of, block), default=0) for block in blocks]
        if count == 1 or sum(widths) + 3 * (count - 1) <= room:
            break
        count -= 1
    lines = []
    for row in range(rows):
        cells = [padded(block[row], w) for block, w in zip(blocks, widths, strict=True) if row < len(block)]
        line = indent + "   ".join(cells).rstrip()
        lead = line[: len(line) - len(line.lstrip(" "))]
        lines += [line] if width_of(line) <= width else wrapped(line.strip(), width, lead, indent + "    ")
    return lines


def columned(
    rows: list[list[str]], head: list[str] | None, width: int, numbers: Sequence[int] = (), gap: int = 2
) -> tuple[list[int], list[str], list[str]] | None:
    """Columns side by side: how wide they are, the lines of the head, the lines of the rows. The widest are folded, but
    between words, until all fit; None if that is not enough. `numbers` stand to the right and are not folded."""
    every = [head, *rows] if head else rows
    count = len(every[0])
    wide = [max(width_of(row[k]) for row in every) for k in range(count)]
    least = []
    for k in range(count):
        whole = [piece for row in every for piece in ([row[k]] if k in numbers and row is not head else pieces(row[k]))]
        least.append(min(wide[k], max(LEAST if k not in numbers else 1, *map(width_of, whole))))
    room = width - gap * (count - 1)
    if sum(least) > room and count > 2:
        return None
    while sum(wide) > room:
        loose = [k for k in range(count) if wide[k] > least[k]] or range(count)
        widest = max(loose, key=lambda k: wide[k])
        if wide[widest] <= 4:
            break
        wide[widest] -= 1

    def laid(row: list[str]) -> list[str]:
        cells = [wrapped(cell, size) for cell, size in zip(row, wide)]
        lines = []
        for index in range(max(map(len, cells))):
            parts = [cell[index] if index < len(cell) else "" for cell in cells]
            parts = [
                " " * (size - width_of(part)) + part if k in numbers else padded(part, size)
                for k, (part, size) in enumerate(zip(parts, wide))
            ]
            lines.append((" " * gap).join(parts).rstrip())
        return lines

    return wide, laid(head) if head else [], [line for row in rows for line in laid(row)]
