"""Plots of a series of games, written as SVG by hand: shares with their intervals, and how long the games were; of two
series also by how much they differ.

Each group has an axis that fits its intervals, and a dashed line: where a fair share would be, or no difference."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from html import escape
from math import ceil, floor
from typing import Any, NamedTuple

from ..common.layout import cut, width_of, wrapped

__all__ = ["NoPainter", "as_png", "plot"]

WIDTH, MARGIN, ROW = 760, 24, 22
LETTER = 7.6  # an ordinary letter is about so wide; full-width ones count twice
LABEL, LONGEST = 150, 340  # how wide the names at the left are, at least and at most
SAID = 130  # how wide the figures at the right are
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # between two marks of an axis
BARS = 200  # height of the histogram
INK, MUTED, FILL = "#222222", "#767676", "#2464b4"


Differences = tuple[str, list[tuple[str, dict, str]]]  # a heading; for each side its difference, and how it is written

# A heading (what sets it apart from others, if there are any), groups of shares (heading, rows of name and share), and
# a histogram of one kind of length (its name, the length of each game).
Panel = tuple[str, list[tuple[str, list[tuple[str, dict]]]], tuple[str, list[int]] | None]


class NoPainter(Exception):
    """PNG needs a library that is not installed."""


def plot(
    title: str,
    panels: list[Panel],
    percent: Callable[[float], str] = "{:.1%}".format,
    differences: Differences | None = None,
) -> str:
    """One panel below the other. All histograms of the same kind of length have the same scale."""
    lines, y = [], MARGIN + 8
    for part in wrapped(title, int((WIDTH - 2 * MARGIN) / LETTER / 1.35)):
        lines.append(_text(MARGIN, y, part, size=16, weight="bold"))
        y += 20
    names = [width_of(name) for _, groups, _ in panels for _, rows in groups for name, _ in rows]
    names += [width_of(name) for name, _, _ in differences[1]] if differences is not None else []
    left = round(min(LONGEST, max(LABEL, MARGIN + 12 + LETTER * max(names, default=0))))
    if differences is not None and differences[1]:
        rows = [Spot(name, t["difference"], t["low"], t["high"], said, t["real"]) for name, t, said in differences[1]]
        drawn, y = _spots(y, differences[0], rows, left, middle=0.0)
        lines += drawn
    for label, groups, lengths in panels:
        if label:
            y += 22
            lines.append(_text(MARGIN, y, cut(label, int((WIDTH - 2 * MARGIN) / LETTER / 1.2)), size=15, weight="bold"))
        for heading, shares in groups:
            spots = [_spot(name, share, percent) for name, share in shares if share["cases"]]
            drawn, y = _spots(y, heading, spots, left, _fair(shares))
            lines += drawn
        if lengths is not None and lengths[1]:
            y += 18
            lines.append(_text(MARGIN, y, lengths[0], weight="bold"))
            alike = [v for _, _, other in panels if other is not None and other[0] == lengths[0] for v in other[1]]
            lines += _histogram(y + 22, lengths[1], min(alike), max(alike))
            y += BARS + 48
    height = y + MARGIN
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
            'font-family="sans-serif" font-size="13">',
            "<!-- tabarro simulate -->",
            f"<title>{escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
            *lines,
            "</svg>",
            "",
        ]
    )


def as_png(svg: str) -> bytes:
    try:
        import cairosvg
    except (ImportError, OSError):  # the package, or the library that it draws with
        raise NoPainter from None
    drawn: bytes = cairosvg.svg2png(bytestring=svg.encode())
    said = b"tEXtSoftware\0tabarro simulate"
    note = (len(said) - 4).to_bytes(4) + said + zlib.crc32(said).to_bytes(4)
    return drawn[:33] + note + drawn[33:] if drawn[12:16] == b"IHDR" else drawn  # behind the first part of a picture


class Spot(NamedTuple):
    """A value with its interval, in a row of its own."""

    name: str
    value: float
    low: float
    high: float
    said: str
    strong: bool = True


def _spot(name: str, share: dict[str, Any], percent: Callable[[float], str]) -> Spot:
    said = f"{percent(share['share'])}  ({share['hits']}/{share['cases']})"
    return Spot(name, share["share"], share["low"], share["high"], said)


def _fair(rows: list[tuple[str, dict]]) -> float | None:
    """What everybody's share would be if all had the same."""
    cases = sum(share["cases"] for _, share in rows)
    return sum(share["hits"] for _, share in rows) / cases if cases else None


class Axis:
    """From left to right, as wide as the intervals are, in round numbers."""

    def __init__(self, spots: list[Spot], middle: float | None, left: int):
        ends = [end for s in spots for end in (s.low, s.high)] + ([middle] if middle is not None else [])
        low, high = min(ends), max(ends)
        self.step = next((s for s in STEPS if (high - low) / s <= 8), STEPS[-1])
        self.first, self.last = floor(low / self.step + 1e-9), ceil(high / self.step - 1e-9)
        if self.first == self.last:
            self.first, self.last = self.first - 1, self.last + 1
        self.left = left

    def x(self, value: float) -> float:
        part = (value / self.step - self.first) / (self.last - self.first)
        return round(self.left + part * (WIDTH - self.left - MARGIN - SAID), 1)

    def marks(self) -> Iterator[tuple[float, str]]:
        for number in range(self.first, self.last + 1):
            yield self.x(number * self.step), f"{number * self.step * 100:g}".replace("-", "−")


def _spots(y: int, heading: str, spots: list[Spot], left: int, middle: float | None) -> tuple[list[str], int]:
    """A group of values below its heading, and how far down it reaches."""
    y += 18
    lines = [_text(MARGIN, y, cut(heading, int((WIDTH - 2 * MARGIN) / LETTER)), weight="bold")]
    y += 8
    if not spots:
        return lines, y
    axis, top = Axis(spots, middle, left), y
    for spot in spots:
        y += ROW
        at, fill = y - 5, FILL if spot.strong else "#ffffff"
        lines += [
            _text(left - 10, y, cut(spot.name, int((LONGEST - MARGIN - 12) / LETTER)), anchor="end"),
            (
                f'<line x1="{axis.x(spot.low)}" x2="{axis.x(spot.high)}" y1="{at}" y2="{at}" '
                f'stroke="{FILL}" stroke-width="3" stroke-opacity="0.45"/>'
            ),
            f'<circle cx="{axis.x(spot.value)}" cy="{at}" r="4.5" fill="{fill}" stroke="{FILL}" stroke-width="1.5"/>',
            _text(WIDTH - MARGIN, y, spot.said, anchor="end", colour=MUTED),
        ]
    if middle is not None:
        x = axis.x(middle)
        lines.append(f'<line x1="{x}" x2="{x}" y1="{top + 4}" y2="{y + 6}" stroke="{MUTED}" stroke-dasharray="3 3"/>')
    marks = list(axis.marks())
    lines.append(f'<line x1="{marks[0][0]}" x2="{marks[-1][0]}" y1="{y + 6}" y2="{y + 6}" stroke="{MUTED}"/>')
    for x, number in marks:
        lines.append(f'<line x1="{x}" x2="{x}" y1="{y + 6}" y2="{y + 10}" stroke="{MUTED}"/>')
        lines.append(_text(x, y + 22, number, size=11, anchor="middle", colour=MUTED))
    return lines, y + 28


def _text(
    x: float, y: float, text: str, size: int = 13, weight: str = "normal", anchor: str = "start", colour: str = INK
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(text)}</text>"
    )


def _histogram(y: int, values: list[int], least: int, most: int) -> list[str]:
    width = max(1, -(-(most - least + 1) // 40))
    bins = [0] * ((most - least) // width + 1)
    for value in values:
        bins[(value - least) // width] += 1
    high, step = max(bins), (WIDTH - 2 * MARGIN) / len(bins)
    lines = []
    for index, count in enumerate(bins):
        tall = round(count / high * BARS, 1)
        lines.append(
            f'<rect x="{MARGIN + index * step:.1f}" y="{y + BARS - tall:.1f}" height="{tall}" '
            f'width="{max(1.0, step - 1):.1f}" fill="{FILL}"/>'
        )
    floor = f"{y + BARS:.1f}"
    lines.append(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{floor}" y2="{floor}" stroke="{MUTED}"/>')
    tallest = MARGIN + (bins.index(high) + 0.5) * step  # how many games the highest column stands for
    lines.append(_text(round(tallest, 1), y - 3, str(high), size=11, anchor="middle", colour=MUTED))
    lines.append(_text(MARGIN, y + BARS + 16, str(least), size=11, colour=MUTED))
    lines.append(_text(WIDTH - MARGIN, y + BARS + 16, str(most), size=11, anchor="end", colour=MUTED))
    return lines
