"""Plots of a series of games, written as SVG by hand: shares with their intervals, and how long the games were."""

from __future__ import annotations

from html import escape
from typing import Any

__all__ = ["NoPainter", "as_png", "plot"]

WIDTH, MARGIN, ROW, LABEL = 760, 24, 22, 230
BARS = 200  # height of the histogram
INK, MUTED, FILL = "#222222", "#767676", "#2464b4"


class NoPainter(Exception):
    """PNG needs a library that is not installed."""


def plot(title: str, groups: list[tuple[str, list[tuple[str, dict]]]], lengths: tuple[str, list[int]] | None) -> str:
    """Groups of shares (heading, rows of name and share), and a histogram of one kind of length."""
    lines, y = [], MARGIN + 8
    lines.append(_text(MARGIN, y, title, size=16, weight="bold"))
    y += 20
    for heading, rows in groups:
        y += 18
        lines.append(_text(MARGIN, y, heading, weight="bold"))
        y += 8
        for name, share in rows:
            y += ROW
            lines += _share(y, name, share)
        y += 6
        lines += _scale(y)
        y += 16
    if lengths is not None and lengths[1]:
        y += 18
        lines.append(_text(MARGIN, y, lengths[0], weight="bold"))
        lines += _histogram(y + 8, lengths[1])
        y += BARS + 34
    height = y + MARGIN
    return "\n".join([
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>', *lines, "</svg>", ""])


def as_png(svg: str) -> bytes:
    try:
        import cairosvg
    except ImportError:
        raise NoPainter from None
    return cairosvg.svg2png(bytestring=svg.encode())


def _x(share: float) -> float:
    return round(LABEL + share * (WIDTH - LABEL - MARGIN - 60), 1)


def _text(x: float, y: float, text: str, size: int = 13, weight: str = "normal", anchor: str = "start",
          colour: str = INK) -> str:
    return (f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{colour}">'
            f"{escape(text)}</text>")


def _share(y: int, name: str, share: dict[str, Any]) -> list[str]:
    if share["share"] is None:
        return []
    middle = y - 5
    return [
        _text(LABEL - 10, y, name[:34], anchor="end"),
        f'<line x1="{_x(share["low"])}" x2="{_x(share["high"])}" y1="{middle}" y2="{middle}" stroke="{FILL}" '
        'stroke-width="3" stroke-opacity="0.45"/>',
        f'<circle cx="{_x(share["share"])}" cy="{middle}" r="4.5" fill="{FILL}"/>',
        _text(WIDTH - MARGIN, y, f"{100 * share['share']:.1f} %", anchor="end", colour=MUTED),
    ]


def _scale(y: int) -> list[str]:
    lines = [f'<line x1="{_x(0)}" x2="{_x(1)}" y1="{y}" y2="{y}" stroke="{MUTED}"/>']
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10)
        lines.append(f'<line x1="{x}" x2="{x}" y1="{y}" y2="{y + 4}" stroke="{MUTED}"/>')
        lines.append(_text(x, y + 16, f"{tenth * 10}", size=11, anchor="middle", colour=MUTED))
    return lines


def _histogram(y: int, values: list[int]) -> list[str]:
    least, most = min(values), max(values)
    width = max(1, -(-(most - least + 1) // 40))
    bins = [0] * ((most - least) // width + 1)
    for value in values:
        bins[(value - least) // width] += 1
    high, step = max(bins), (WIDTH - 2 * MARGIN) / len(bins)
    lines = []
    for index, count in enumerate(bins):
        tall = round(count / high * BARS, 1)
        lines.append(f'<rect x="{MARGIN + index * step:.1f}" y="{y + BARS - tall:.1f}" height="{tall}" '
                     f'width="{max(1.0, step - 1):.1f}" fill="{FILL}"/>')
    lines.append(_text(MARGIN, y + BARS + 16, str(least), size=11, colour=MUTED))
    lines.append(_text(WIDTH - MARGIN, y + BARS + 16, str(most), size=11, anchor="end", colour=MUTED))
    return lines
