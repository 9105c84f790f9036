"""A board as a picture worth printing, in plain SVG: the lagoon, islands that grow around the solid routes, routes,
spaces, names. Names are put where they cover neither one another nor a space, and as little of the routes as can be.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from math import hypot

from ...speech.language import N_, Language
from ...speech.narrator import Narrator
from ..common.layout import width_of
from .map import Board, Space, board_of, codes_of

__all__ = ["PAPERS", "Label", "Sheet", "overlap", "svg"]

PAPERS = {"a3": (420, 297), "a4": (297, 210)}  # millimetres, landscape
WIDE, HIGH, MARGIN = 1680, 1188, 46  # units of the picture: four to a millimetre on A3
FONT = 19
LETTER = 0.58  # how wide a letter is at most, on average, in parts of its height; a full-width one takes 1
CLOSER = 4.0  # how much one dislikes a name that stands closer to another space, a unit
SERIF = "Georgia, 'Palatino Linotype', 'Noto Serif', 'Noto Serif CJK JP', 'Hiragino Mincho ProN', serif"
PAPER, INK, LAGOON, WAVE = "#f6efdf", "#3a2e26", "#c9dfe2", "#b4d0d5"
SHORE, GROUND, LAND, WATER = "#b8a378", "#eadfbf", "#7d5a35", "#256a8c"
DASHES = ("3 10", "18 9", "1 6", "18 9 2 9")  # of dashed kinds, one after the other


def svg(game, language: Language | str = "en", paper: str = "a3") -> str:
    """The board as a picture; the same game always gives the same text. Without a paper it has no size of its own."""
    language = Language(language) if isinstance(language, str) else language
    return Sheet(game, board_of(game), language).picture(paper)


@dataclass(slots=True)
class Label:
    lines: tuple[str, ...]
    x: float  # left
    y: float  # top
    width: float
    height: float
    anchor: str  # start, middle, end

    @property
    def box(self) -> tuple[float, float, float, float]:
        return self.x, self.y, self.x + self.width, self.y + self.height


def text_width(text: str, size: float) -> float:
    wide = sum(width_of(letter) == 2 for letter in text)
    return size * (LETTER * (len(text) - wide) + wide)


def overlap(a: tuple, b: tuple) -> float:
    if a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]:
        return 0.0
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def gap(a: tuple, b: tuple) -> float:
    """How far two boxes are apart."""
    return hypot(max(b[0] - a[2], a[0] - b[2], 0.0), max(b[1] - a[3], a[1] - b[3], 0.0))


class Sheet:
    """One board on paper: where everything lies, and how it is drawn."""

    def __init__(self, game, board: Board, language: Language):
        self.game, self.board, self.language = game, board, language
        self.name = Narrator(game, language).name
        self.codes = codes_of(game, language, board)
        self.field = (MARGIN, 124, WIDE - MARGIN, HIGH - 118)  # where the map lies: left, top, right, bottom
        self.points = self._points()
        self.strokes = _strokes(board)
        self.labels = [] if board.grid else self._labels()

    def called(self, atom: int) -> str:
        return self.name(atom)("list")

    # --- where things lie -------------------------------------------------------------------------------------------
    def _points(self) -> list[tuple[float, float]]:
        left, top, right, bottom = self.field
        side, above = (90, 52)
        xs, ys = [s.x for s in self.board.spaces], [s.y for s in self.board.spaces]
        scale = min(
            (right - left - 2 * side) / ((max(xs) - min(xs)) or 1),
            (bottom - top - 2 * above) / ((max(ys) - min(ys)) or 1),
        )
        x0 = (left + right) / 2 - scale * (max(xs) + min(xs)) / 2
        y0 = (top + bottom) / 2 - scale * (max(ys) + min(ys)) / 2
        return [(x0 + scale * x, y0 + scale * y) for x, y in zip(xs, ys)]

    @staticmethod
    def radius(space: Space) -> float:
        return 19 if space.number is not None or space.home else 16 if space.colour is not None else 10

    def _labels(self) -> list[Label]:
        """Every name at its best place, given the others; a few rounds until nobody wants to move."""
        discs = [(x - r, y - r, x + r, y + r) for (x, y), r in zip(self.points, map(self.radius, self.board.spaces))]
        left, top, right, bottom = self.field
        choices = []
        for index, space in enumerate(self.board.spaces):
            (x, y), radius = self.points[index], self.radius(space)
            places = list(self._places(space, (x, y), radius))
            reach = max(max(x - p.x, p.x + p.width - x, y - p.y, p.y + p.height - y) for p, _ in places)
            whole = (x - reach, y - reach, x + reach, y + reach)
            near = [disc for disc in discs if overlap(whole, disc)]
            ends = [[self.points[end] for end in route.ends] for route in self.board.routes]
            lines = [(a, b) for a, b in ends if _inside(whole, a, b)]
            found = []
            for label, dislike in places:
                box = label.box
                cost = dislike + sum(40 + part for disc in near if (part := overlap(box, disc)))
                cost += 0.55 * sum(_inside(box, a, b) for a, b in lines)
                own = gap(box, discs[index])  # a name close to another space would be taken for that one's
                cost += CLOSER * sum(max(0.0, own + 3 - gap(box, disc)) for disc in near if disc is not discs[index])
                if box[0] < left + 4 or box[2] > right - 4 or box[1] < top + 4 or box[3] > bottom - 4:
                    cost += 10_000
                found.append((cost, label))
            choices.append(sorted(found, key=lambda pair: pair[0])[:40])
        taken = [found[0][1] for found in choices]
        for _ in range(30):
            moved = False
            for index, found in enumerate(choices):
                x, y = self.points[index]
                near = [
                    label.box
                    for other, label in enumerate(taken)
                    if other != index and abs(label.x + label.width / 2 - x) < 600 and abs(label.y - y) < 150
                ]
                best = min(
                    found,
                    key=lambda pair: (
                        pair[0] + sum(400 + 20 * part for box in near if (part := overlap(pair[1].box, box)))
                    ),
                )[1]
                moved |= best is not taken[index]
                taken[index] = best
            if not moved:
                break
        return taken

    def _places(self, space: Space, point: tuple[float, float], radius: float):
        """Where a name may stand, and how much one would rather have it elsewhere."""
        x, y = point
        for lines, dislike in self._broken(self.called(space.atom)):
            width, height = max(text_width(line, FONT) for line in lines), FONT * 1.12 * len(lines)
            for far, more in ((5, 0), (12, 9), (22, 24), (36, 55)):
                out, low = radius + far, (radius + far) * 0.72
                for dx, dy, anchor, rank in (
                    (out, -height / 2, "start", 0),
                    (-out - width, -height / 2, "end", 2),
                    (-width / 2, -out - height, "middle", 3),
                    (-width / 2, out, "middle", 3),
                    (low, -low - height, "start", 4),
                    (low, low, "start", 4),
                    (-low - width, -low - height, "end", 5),
                    (-low - width, low, "end", 5),
                    (low, -low - height / 2, "start", 6),
                    (low, low - height / 2, "start", 6),
                    (-low - width, -low - height / 2, "end", 7),
                    (-low - width, low - height / 2, "end", 7),
                    (-width * 0.3, -out - height, "middle", 8),
                    (-width * 0.7, -out - height, "middle", 8),
                    (-width * 0.3, out, "middle", 8),
                    (-width * 0.7, out, "middle", 8),
                ):
                    yield Label(lines, x + dx, y + dy, width, height, anchor), dislike + more + rank

    @staticmethod
    def _broken(name: str):
        yield (name,), 0
        words = re.findall(r"[^ ・]+[ ・]?", name)  # the middle dot parts the words of a foreign name in Japanese
        if len(words) > 1 and text_width(name, 1) > 9 * LETTER:
            halves = [("".join(words[:cut]).rstrip(), "".join(words[cut:])) for cut in range(1, len(words))]
            yield min(halves, key=lambda two: max(text_width(half, 1) for half in two)), 6

    # --- drawing ----------------------------------------------------------------------------------------------------
    def picture(self, paper: str = "a3") -> str:
        size = 'width="{}mm" height="{}mm" '.format(*PAPERS[paper]) if paper else ""
        title = self.language.text(self.game.name)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}viewBox="0 0 {WIDE} {HIGH}" '
            f'lang="{self.language.code}" font-family="{escape(SERIF)}" fill="{INK}">',
            "<!-- tabarro board -->",
            f"<title>{escape(title)}</title>",
            self._paper(title),
        ]
        if self.board.grid:
            parts.append(self._squares())
        else:
            parts += [self._islands(), self._routes(), self._spaces(), self._names()]
        parts += [self._key(), "</svg>"]
        return "\n".join(part for part in parts if part) + "\n"

    def _paper(self, title: str) -> str:
        left, top, right, bottom = self.field
        sea, waves = (LAGOON, "url(#waves)") if not self.board.grid else (PAPER, "none")
        box = f'x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" rx="26"'
        about = self.language.text(self.game.about)
        size = min(46, (right - left) / max(text_width(title, 1) * 1.1, 1))
        small = min(22, (right - left) / max(text_width(about, 1), 1))
        return "\n".join(
            (
                '<defs><pattern id="waves" width="56" height="28" patternUnits="userSpaceOnUse">'
                f'<path d="M0 9 q7 -6 14 0 t14 0 M28 23 q7 -6 14 0 t14 0" fill="none" stroke="{WAVE}" '
                f'stroke-width="1.6"/></pattern><clipPath id="field"><rect {box}/></clipPath></defs>',
                f'<rect width="{WIDE}" height="{HIGH}" fill="{PAPER}"/>',
                f'<text x="{WIDE / 2}" y="68" font-size="{size:.1f}" font-weight="bold" text-anchor="middle" '
                f'letter-spacing="1.5">{escape(title)}</text>',
                f'<text x="{WIDE / 2}" y="106" font-size="{small:.1f}" font-style="italic" text-anchor="middle">'
                f"{escape(about)}</text>"
                if about
                else "",
                f'<rect {box} fill="{sea}"/>',
                f'<rect {box} fill="{waves}" stroke="{INK}" stroke-width="3"/>',
            )
        )

    def _islands(self) -> str:
        """Ground around all spaces, joined along the solid routes."""
        lines = " ".join(
            "M{:.1f} {:.1f} L{:.1f} {:.1f}".format(*self.points[r.ends[0]], *self.points[r.ends[1]])
            for r in self.board.routes
            if not r.dashed
        )
        dots = " ".join(f"M{x:.1f} {y:.1f} h0.01" for x, y in self.points)
        shapes = [
            f'<path d="{lines} {dots}" fill="none" stroke="{colour}" stroke-width="{width}" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
            for colour, width in ((SHORE, 76), (GROUND, 69))
        ]
        return '<g clip-path="url(#field)">' + "".join(shapes) + "</g>"

    def _routes(self) -> str:
        beside: dict[tuple[int, int], list[int | None]] = {}
        for route in sorted(self.board.routes, key=lambda r: r.dashed):
            beside.setdefault(route.ends, []).append(route.kind)
        drawn = []
        for route in sorted(self.board.routes, key=lambda r: not r.dashed):
            (x0, y0), (x1, y1) = (self.points[end] for end in route.ends)
            kinds = beside[route.ends]
            if len(kinds) > 1:  # side by side
                length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1
                side = 10 * kinds.index(route.kind) - 5 * (len(kinds) - 1)
                dx, dy = -(y1 - y0) / length * side, (x1 - x0) / length * side
                x0, y0, x1, y1 = x0 + dx, y0 + dy, x1 + dx, y1 + dy
            ends = [self.board.spaces[end].id for end in route.ends]
            kind = self.game.vocabulary.atoms[route.kind].name if route.kind is not None else ""
            drawn.append(
                f'<line class="route" data-from="{ends[0]}" data-to="{ends[1]}" data-kind="{kind}" '
                f'x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" {self.strokes[route.kind]}/>'
            )
        return '<g fill="none" stroke-linecap="round">\n' + "\n".join(drawn) + "\n</g>"

    def _spaces(self) -> str:
        drawn = []
        for space, (x, y) in zip(self.board.spaces, self.points):
            drawn.append(
                f'<g class="space" data-name="{space.id}"><title>{escape(self.called(space.atom))}</title>'
                + self._space(space, x, y)
                + "</g>"
            )
        return "\n".join(drawn)

    def _space(self, space: Space, x: float, y: float) -> str:
        radius = self.radius(space)
        if space.home:
            r = radius
            points = " ".join(
                f"{x + dx:.1f},{y + dy:.1f}"
                for dx, dy in (
                    (-r * 0.8, r * 0.8),
                    (-r * 0.8, -r * 0.2),
                    (0, -r),
                    (r * 0.8, -r * 0.2),
                    (r * 0.8, r * 0.8),
                )
            )
            return f'<polygon points="{points}" fill="{INK}" stroke="#fff" stroke-width="2.5"/>'
        paint = self.board.colours.get(space.colour) if space.colour is not None else None
        fill = INK if space.number is not None else paint or ("#777" if space.colour is not None else "#fffaf0")
        disc = (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" '
            f'stroke="{LAND if fill == "#fffaf0" else "#fff"}" stroke-width="2.5"/>'
        )
        sign = str(space.number) if space.number is not None else self.codes.letters.get(space.colour, "")
        if not sign:
            return disc
        size = radius * (1.25 if space.number is not None else 1.1)
        return disc + (
            f'<text x="{x:.1f}" y="{y + size * 0.36:.1f}" font-size="{size:.1f}" font-weight="bold" '
            f'fill="#fff" text-anchor="middle">{escape(sign)}</text>'
        )

    def _names(self) -> str:
        around, drawn = [], []
        for space, label in zip(self.board.spaces, self.labels):
            x = label.x + {"start": 0, "middle": label.width / 2, "end": label.width}[label.anchor]
            rows = "".join(
                f'<tspan x="{x:.1f}" y="{label.y + FONT * (0.86 + 1.12 * row):.1f}">{escape(line)}</tspan>'
                for row, line in enumerate(label.lines)
            )
            box = " ".join(f"{edge:.1f}" for edge in label.box)
            name, anchor = f'class="name" data-name="{space.id}" data-box="{box}"', f'text-anchor="{label.anchor}"'
            around.append(f"<text {anchor}>{rows}</text>")
            drawn.append(f"<text {name} {anchor}>{rows}</text>")
        # an outline below all names: not every program heeds paint-order
        outline = f'stroke="{GROUND}" stroke-width="4" stroke-linejoin="round" stroke-opacity="0.85" aria-hidden="true"'
        return "\n".join(
            (f'<g font-size="{FONT}" {outline}>', *around, f'</g>\n<g font-size="{FONT}">', *drawn, "</g>")
        )

    def _squares(self) -> str:
        """A board of squares."""
        left, top, right, bottom = self.field
        rows, columns = len(self.board.grid), max(map(len, self.board.grid))
        size = min((right - left - 120) / columns, (bottom - top - 120) / rows)
        x0, y0 = (left + right - size * columns) / 2, (top + bottom - size * rows) / 2
        drawn = []
        for r, row in enumerate(self.board.grid):
            for c, index in enumerate(row):
                space, x, y = self.board.spaces[index], x0 + c * size, y0 + r * size
                name = self.called(space.atom)
                box = f"{x + 12:.1f} {y + 12:.1f} {x + 12 + text_width(name, 24):.1f} {y + 40:.1f}"
                drawn.append(
                    f'<g class="space" data-name="{space.id}"><rect x="{x:.1f}" y="{y:.1f}" '
                    f'width="{size:.1f}" height="{size:.1f}" fill="{GROUND}" stroke="{INK}" stroke-width="4"/>'
                    f'<text class="name" data-name="{space.id}" data-box="{box}" x="{x + 12:.1f}" '
                    f'y="{y + 34:.1f}" font-size="24" opacity="0.6">{escape(name)}</text></g>'
                )
        return "\n".join(drawn)

    def _key(self) -> str:
        """What the signs mean, in one row below the map."""
        spaces, items = self.board.spaces, []
        plain = next((s for s in spaces if s.number is None and s.colour is None and not s.home), None)
        numbered = next((s for s in spaces if s.number is not None), None)
        if numbered is not None:
            if plain is not None:
                items.append((self._space(plain, 0, 0), 10, self.language.translate(N_("without a number"))))
            items.append((self._space(numbered, 0, 0), 19, self.language.translate(N_("with this number"))))
        for atom in sorted({s.colour for s in spaces if s.colour is not None}):
            sample = next(s for s in spaces if s.colour == atom)
            items.append((self._space(sample, 0, 0), 16, self.called(atom)))
        items += [(self._space(s, 0, 0), 19, self.called(s.atom)) for s in spaces if s.home]
        for kind in sorted(kind for kind in self.strokes if kind is not None):
            items.append(
                (
                    f'<line x1="-26" y1="0" x2="26" y2="0" stroke-linecap="round" {self.strokes[kind]}/>',
                    28,
                    self.called(kind),
                )
            )
        if not items:
            return ""
        size, room = 20, WIDE - 2 * MARGIN

        def length(size: float) -> float:
            return sum(2 * half + 8 + text_width(text, size) + 26 for _, half, text in items)

        while length(size) > room and size > 9:
            size -= 1
        x, y, drawn = (WIDE - length(size)) / 2, HIGH - 62, []
        for sample, half, text in items:
            drawn.append(
                f'<g transform="translate({x + half:.1f} {y})">{sample}</g><text x="{x + 2 * half + 8:.1f}" '
                f'y="{y + size * 0.35:.1f}" font-size="{size}">{escape(text)}</text>'
            )
            x += 2 * half + 8 + text_width(text, size) + 26
        return '<g class="key">\n' + "\n".join(drawn) + "\n</g>"


def _strokes(board: Board) -> dict[int | None, str]:
    """How each kind of way is drawn, so that no two are alike."""
    found: dict[int | None, str] = {}
    for dashed in (False, True):
        kinds = {route.kind for route in board.routes if route.dashed == dashed}
        for nth, kind in enumerate(sorted(kinds, key=lambda kind: -1 if kind is None else kind)):
            colour, wide = (WATER, 4.5) if dashed else (LAND, 5 + 4 * nth)
            dashes = f' stroke-dasharray="{DASHES[nth % len(DASHES)]}"' if dashed else ""
            found[kind] = f'stroke="{colour}" stroke-width="{wide}"{dashes}'
    return found


def _inside(box: tuple, start: tuple[float, float], end: tuple[float, float]) -> float:
    """How much of a line lies in a box (Liang and Barsky)."""
    (x, y), (x1, y1) = start, end
    if max(x, x1) < box[0] or min(x, x1) > box[2] or max(y, y1) < box[1] or min(y, y1) > box[3]:
        return 0.0
    dx, dy = x1 - x, y1 - y
    low, high = 0.0, 1.0
    for step, gap in ((-dx, x - box[0]), (dx, box[2] - x), (-dy, y - box[1]), (dy, box[3] - y)):
        if step == 0:
            if gap < 0:
                return 0.0
            continue
        if step < 0:
            low = max(low, gap / step)
        else:
            high = min(high, gap / step)
    return max(0.0, high - low) * (dx * dx + dy * dy) ** 0.5
