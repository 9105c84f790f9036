"""A mask for everything that is printed: the same thing always wears the same one, and hardly two things do."""

from __future__ import annotations

from hashlib import sha256
from math import cos, pi, sin

__all__ = ["mask", "plain_mask"]

INK = "#2e2620"
TRIMS = ("#d9b44a", "#e9dfc4", "#c98f3a")
OUTLINES = (
    "M2 26 C18 14 36 20 50 28 C64 20 82 14 98 26 C98 46 84 61 68 58 "
    "C58 56 54 48 50 46 C46 48 42 56 32 58 C16 61 2 46 2 26 Z",
    "M4 20 C20 24 38 18 50 26 C62 18 80 24 96 20 C100 40 88 58 70 58 "
    "C58 58 55 50 50 48 C45 50 42 58 30 58 C12 58 0 40 4 20 Z",
    "M1 34 C8 14 36 18 50 26 C64 18 92 14 99 34 C96 52 78 62 64 56 "
    "C56 52 54 46 50 46 C46 46 44 52 36 56 C22 62 4 52 1 34 Z",
    "M6 22 C24 16 40 22 50 22 C60 22 76 16 94 22 C96 42 88 60 72 62 "
    "C62 62 56 70 50 78 C44 70 38 62 28 62 C12 60 4 42 6 22 Z",
    "M3 18 C16 28 36 22 50 24 C64 22 84 28 97 18 C98 44 84 64 66 60 "
    "C58 58 56 50 50 50 C44 50 42 58 34 60 C16 64 2 44 3 18 Z",
)
EYES = (
    "M16 36 C22 29 34 30 40 38 C34 46 22 46 16 36 Z M84 36 C78 29 66 30 60 38 C66 46 78 46 84 36 Z",
    "M17 38 C24 30 34 32 40 40 C32 42 24 42 17 38 Z M83 38 C76 30 66 32 60 40 C68 42 76 42 83 38 Z",
    "M28 31 a8 7 0 1 0 .01 0 Z M72 31 a8 7 0 1 0 .01 0 Z",
)


def plain_mask(paint: str) -> str:
    """The one on all backs."""
    shape = f'<path fill="{paint}" fill-rule="evenodd" d="{OUTLINES[0]} {EYES[0]}"/>'
    return f'<svg class="mask" viewBox="0 10 100 54">{shape}</svg>'


def mask(name: str, paint: str) -> str:
    """Drawn by the name of a thing."""
    luck = sha256(name.encode()).digest()
    outline, eyes = OUTLINES[luck[0] % len(OUTLINES)], EYES[luck[1] % len(EYES)]
    trim = TRIMS[luck[3] % len(TRIMS)]
    above = (_feathers, _fan, _crown, _bare)[luck[4] % 4](luck, paint, trim)
    on_it = (_dots, _lozenges, _rays, _tear)[luck[5] % 4](trim)
    shape = f'<path d="{outline} {eyes}" fill="{paint}" fill-rule="evenodd" stroke="{INK}" stroke-width="1.2"/>'
    rims = f'<path d="{eyes}" fill="none" stroke="{trim}" stroke-width="1.6"/>'
    return f'<svg class="mask" viewBox="-8 -44 116 126">{above}{shape}{on_it}{rims}</svg>'


def _feathers(luck: bytes, paint: str, trim: str) -> str:
    """Three to five, from one side or from the middle."""
    number, at = 3 + luck[6] % 3, (22, 50, 78)[luck[7] % 3]
    drawn = []
    for k in range(number):
        lean = (k - (number - 1) / 2) * 13 + (at - 50) * 0.1
        colour = paint if k % 2 else trim
        drawn.append(
            f'<g transform="translate({at} 26) rotate({lean:.1f})" stroke="{INK}" stroke-width=".8">'
            f'<path d="M0 0 C-11 -18 -8 -48 0 -64 C8 -48 11 -18 0 0 Z" fill="{colour}"/><path d="M0 0 V-58"/></g>'
        )
    return "".join(drawn)


def _fan(luck: bytes, paint: str, trim: str) -> str:
    """A half sun behind the mask."""
    number = 7 + 2 * (luck[6] % 3)
    drawn = []
    for k in range(number):
        a, b = pi * (k + 0.06) / number, pi * (k + 0.94) / number
        points = f"50 30 {50 - 56 * cos(a):.1f} {30 - 56 * sin(a):.1f} {50 - 56 * cos(b):.1f} {30 - 56 * sin(b):.1f}"
        drawn.append(f'<polygon points="{points}" fill="{trim if k % 2 else paint}" stroke="{INK}" stroke-width=".7"/>')
    return "".join(drawn)


def _crown(luck: bytes, paint: str, trim: str) -> str:
    """Points with little balls, as fools wear them."""
    number = 3 + luck[6] % 3
    wide = 84 / number
    drawn = []
    for k in range(number):
        x = 8 + wide * k
        top = -18 - 14 * (1 - abs(k - (number - 1) / 2) / number)
        drawn.append(
            f'<g stroke="{INK}" stroke-width=".9"><path fill="{trim if k % 2 else paint}" '
            f'd="M{x:.1f} 26 L{x + wide / 2:.1f} {top:.1f} L{x + wide:.1f} 26 Z"/>'
            f'<circle cx="{x + wide / 2:.1f}" cy="{top - 4:.1f}" r="4.5" fill="{trim}"/></g>'
        )
    return "".join(drawn)


def _bare(luck: bytes, paint: str, trim: str) -> str:
    """Only a jewel and two ribbons."""
    return (
        '<path d="M4 30 C-6 44 0 58 -4 74 M96 30 C106 44 100 58 104 74" '
        f'fill="none" stroke="{paint}" stroke-width="4"/>'
        f'<path d="M50 -6 L60 8 L50 24 L40 8 Z" fill="{trim}" stroke="{INK}" stroke-width="1"/>'
    )


def _dots(trim: str) -> str:
    places = [(12 + 8 * k, 27 + abs(k - 2) * 0.6) for k in range(5)]
    return "".join(
        f'<circle cx="{x if side == 0 else 100 - x}" cy="{y:.1f}" r="1.5" fill="{trim}"/>'
        for side in (0, 1)
        for x, y in places
    )


def _lozenges(trim: str) -> str:
    return "".join(
        f'<path d="M{x} 46 l4 5 -4 5 -4 -5 Z" fill="{trim}" stroke="{INK}" stroke-width=".6"/>'
        for x in (22, 33, 67, 78)
    )


def _rays(trim: str) -> str:
    lines = " ".join(f"M{x} 27 v-{4 + i}" for i, x in enumerate((14, 20, 26, 32)))
    mirrored = " ".join(f"M{100 - x} 27 v-{4 + i}" for i, x in enumerate((14, 20, 26, 32)))
    return f'<path d="{lines} {mirrored}" stroke="{trim}" stroke-width="1.6" stroke-linecap="round"/>'


def _tear(trim: str) -> str:
    return f'<path d="M70 48 C66 54 66 58 70 58 C74 58 74 54 70 48 Z" fill="{trim}" stroke="{INK}" stroke-width=".7"/>'
