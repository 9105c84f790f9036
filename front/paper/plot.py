"""Plots of a series of games, written as SVG by hand: shares with their intervals, and how long the games were."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from ..common.layout import cut, width_of, wrapped

__all__ = ["NoPainter", "as_png", "plot"]

WIDTH, MARGIN, ROW = 760, 24, 22
LETTER = 7.6  # an ordinary letter is about so wide; full-width ones count twice
LABEL, LONGEST = 150, 340  # how wide the names at the left are, at least and at most
BARS = 200  # height of the histogram
INK, MUTED, FILL = "#222222", "#767676", "#2464b4"


# A heading (what sets it apart from others, if there are any), groups of shares (heading, rows of name and share), and
# a histogram of one kind of length (its name, the length of each game).
Panel = tuple[str, list[tuple[str, list[tuple[str, dict]]]], tuple[str, list[int]] | None]


class NoPainter(Exception):
    """PNG needs a library that is not installed."""


def plot(title: str, panels: list[Panel], percent: Callable[[float], str] = "{:.1%}".format) -> str:
    """One panel below the other. All histograms of the same kind of length have the same scale."""
    lines, y = [], MARGIN + 8
    for part in wrapped(title, int((WIDTH - 2 * MARGIN) / LETTER / 1.35)):
        lines.append(_text(MARGIN, y, part, size=16, weight="bold"))
        y += 20
    names = [width_of(name) for _, groups, _ in panels for _, rows in groups for name, _ in rows]
    left = round(min(LONGEST, max(LABEL, MARGIN + 12 + LETTER * max(names, default=0))))
    for label, groups, lengths in panels:
        if label:
            y += 22
            lines.append(_text(MARGIN, y, cut(label, int((WIDTH - 2 * MARGIN) / LETTER / 1.2)), size=15, weight="bold"))
        for heading, rows in groups:
            y += 18
            lines.append(_text(MARGIN, y, heading, weight="bold"))
            y += 8
            for name, share in rows:
                y += ROW
                lines += _share(y, name, share, left, percent)
            if rows:
                lines += _scale(y + 6, left)
                y += 22
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
    return cairosvg.svg2png(bytestring=svg.encode())


def _x(share: float, left: int) -> float:
    return round(left + share * (WIDTH - left - MARGIN - 64), 1)


def _text(
    x: float, y: float, text: str, size: int = 13, weight: str = "normal", anchor: str = "start", colour: str = INK
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(text)}</text>"
    )


def _share(y: int, name: str, share: dict[str, Any], left: int, percent: Callable[[float], str]) -> list[str]:
    if share["share"] is None:
        return []
    middle = y - 5
    return [
        _text(left - 10, y, cut(name, int((LONGEST - MARGIN - 12) / LETTER)), anchor="end"),
        (
            f'<line x1="{_x(share["low"], left)}" x2="{_x(share["high"], left)}" y1="{middle}" y2="{middle}" '
            f'stroke="{FILL}" stroke-width="3" stroke-opacity="0.45"/>'
        ),
        f'<circle cx="{_x(share["share"], left)}" cy="{middle}" r="4.5" fill="{FILL}"/>',
        _text(WIDTH - MARGIN, y, percent(share["share"]), anchor="end", colour=MUTED),
    ]


def _scale(y: int, left: int) -> list[str]:
    lines = [f'<line x1="{_x(0, left)}" x2="{_x(1, left)}" y1="{y}" y2="{y}" stroke="{MUTED}"/>']
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10, left)
        lines.append(f'<line x1="{x}" x2="{x}" y1="{y}" y2="{y + 4}" stroke="{MUTED}"/>')
        lines.append(_text(x, y + 16, f"{tenth * 10}", size=11, anchor="middle", colour=MUTED))
    return lines


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
