"""The board in a terminal: spaces, routes and pieces on a grid of characters, from the coordinates in the rules.

What there is to draw is data of the game, section `screens`. The same spaces always lie at the same places, whatever
stands on them. On a screen of a given height the map is as high as there is room, and labels are as long as they can
be; where there is least room, a space has no sign of its own, and who stands there stands right behind its label.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import repeat
from typing import Any

from ...interpreter import Game
from ...speech.language import N_, Language
from ..common.layout import width_of, wrapped
from . import squares
from .board import OWN, Board, Route, Space, board_of
from .codes import CODE, Codes, Lettering, beginnings, codes_of, lettering_of, narrow
from .routing import EAST, NORTH, SOUTH, WEST, Cell, Strokes
from .spreading import Sizes, laid, laid_within
from .ways import Kinds, Ways

__all__ = [
    "LIT",
    "OWN",
    "Board",
    "Codes",
    "Drawn",
    "Route",
    "Space",
    "Spot",
    "board_of",
    "codes_of",
    "draw",
    "drawn",
    "paint_of",
    "width_of",
]

NARROWEST = 60  # columns; where there are fewer, a list is easier to read than a map
LIMITS = (40, 20, 16, 14, 12, 11, 10, 9, 8, 7, 6, 5, 4)  # columns of a label, where there is room for signs beside it
TIGHT = (7, 6, 5, 4)  # of a label, where there is no room for signs
MORE = "…"  # behind a key that leaves something out
LEAST = 5  # columns of a space where there is least room, with somebody on it, if that can be
Spot = tuple[int, int, int]  # on a drawing: column, row, how many columns
STYLES = re.compile(r"\x1b\[[0-9;]*m")


# --- drawing -------------------------------------------------------------------------------------------------------
UNICODE = {"o": "○", "^": "⌂"}
NUMBER = "#"  # before the number of a space, where other numbers say what is typed
LIT = "1;7"  # the style of a number that stands for a space
REACHED = "1;97"  # of a route that leads to such a space
ANSI = {"red": 91, "green": 32, "yellow": 33, "blue": 94, "magenta": 95, "cyan": 36, "grey": 37}  # all legible on black


class _Canvas:
    """Characters with a style each. A full-width letter fills two cells, the second of which is empty."""

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self.cells = [[(" ", "")] * width for _ in range(height)]
        self.free = [[True] * width for _ in range(height)]
        self.owner: dict[tuple[int, int], int] = {}  # row and column -> where the label begins that it is kept for

    def stroke(self, cell: Cell, sign: str, style: str) -> None:
        """Part of a route; nothing else can stand there then."""
        x, y = cell
        self.cells[y][x], self.free[y][x] = (sign, style), False

    def write(self, x: int, y: int, text: str, style: str = "") -> None:
        for letter in text:
            wide = width_of(letter)
            if wide == 0 or x + wide > self.width:
                continue
            self.cells[y][x], self.free[y][x] = (letter, style), False
            if wide == 2:
                self.cells[y][x + 1], self.free[y][x + 1] = ("", style), False
            x += wide

    def reserve(self, x: int, y: int, width: int) -> None:
        """These cells are for one label, and those who stand there."""
        owner = next((self.owner[y, k] for k in range(x - 1, max(x - self.width, -1), -1) if (y, k) in self.owner), x)
        fresh = (y, x - 1) not in self.owner
        for k in range(x, min(x + width, self.width)):
            self.free[y][k], self.owner[y, k] = False, x if fresh else owner

    def holds(self, x: int, y: int, width: int, cell: Cell) -> bool:
        """Do so many cells belong to the label that begins at this cell, or to nobody?"""
        return x + width <= self.width and all(
            self.free[y][k] or self.owner.get((y, k)) == cell[0] for k in range(x, x + width)
        )

    def fits(self, x: int, y: int, width: int) -> bool:
        return x >= 0 and x + width <= self.width and all(self.free[y][x : x + width])

    def text(self, colour: bool) -> str:
        lines = []
        for row in self.cells:
            line, last = "", ""
            for letter, style in row:
                if colour and style != last:
                    line += ("\x1b[0m" if last else "") + (f"\x1b[{style}m" if style else "")
                    last = style
                line += letter
            lines.append(line.rstrip() + ("\x1b[0m" if colour and last else ""))
        while lines and not STYLES.sub("", lines[-1]):
            lines.pop()
        return "\n".join(lines)


@dataclass(slots=True)
class Drawn:
    """A board, a short key to what stands on it, and where each space lies."""

    text: str = ""
    key: str = ""
    spots: dict[str, Spot] = field(default_factory=dict)
    tall: int = 1  # rows of a space, of which its spot is the middle one
    reach: dict[str, Spot] = field(default_factory=dict)  # the same, with those who stand there


def draw(
    game: Game,
    known: Mapping[str, Mapping[tuple, Any]],
    width: int,
    unicode: bool = True,
    colour: bool = False,
    lang: Language | str = "en",
    legend: bool = True,
) -> str:
    """The board with what stands on it, as far as it is known (see `known_state`), and a key to the signs."""
    language = Language(lang) if isinstance(lang, str) else lang
    letters = lettering_of(game, language)
    if letters is None:
        return ""
    board, picture = letters.board, _Picture(game, letters, language, known, unicode, colour)
    if board.grid:
        return picture.grid(width) or picture.listed(width)
    piece = picture.widest
    mark = max(width_of(picture.mark(space)) for space in board.spaces)
    code = max(map(width_of, picture.codes.spaces.values()))
    bare = mark + 1 + code
    written = [width_of(picture.mark(space)) + 1 + width_of(picture.labels[space.id]) for space in board.spaces]
    # with room for somebody behind every label, if possible; else at least in the place of the label
    rooms = (bare + 1 + piece, max(bare, mark + 1 + piece), bare) if piece else (bare,)
    for room in dict.fromkeys(rooms):
        sizes = tuple((room, wide) for wide in written)
        found = laid(picture.points, sizes, picture.ends, width) if width >= NARROWEST else None
        if found is not None:
            return picture.map(*found, sizes, width, legend, roomy=room > bare + piece)
    return picture.listed(width)


def drawn(
    game: Game,
    known: Mapping[str, Mapping[tuple, Any]],
    size: tuple[int, int],
    lang: Language,
    lit: Mapping[str, str] | None = None,
    own: int | None = None,
    moving: str | None = None,
    begun: Callable[[], None] = lambda: None,
    more: str = "",
    last: str | None = None,
) -> Drawn:
    """The board on a screen with so many columns and rows, as large as there is room for. Spaces that are lit have what
    is to be typed for them in the place of their sign, and the routes that lead there from the space of what is moving
    are bright; the pieces of one's own are underlined. Before something begins that takes long, that is told. The key
    has the rows that the map leaves, and ends with `more` where the names of spaces are cut. On a board of squares,
    what was put on the last one stands in brackets."""
    letters, (width, height) = lettering_of(game, lang), size
    if letters is None:
        return Drawn()
    board, picture = letters.board, _Picture(game, letters, lang, known, True, True)
    picture.lit, picture.own, picture.moving, picture.signed = lit or {}, own, moving, True
    picture.last = last
    if board.grid:
        text = picture.grid(width, height)
        return Drawn(text or picture.listed(width), "", picture.spots, picture.tall)
    if width < NARROWEST:
        return Drawn(picture.listed(width), "", picture.spots)
    key = picture.brief(width)
    sizes, limits = _sizes(game, lang)
    room = max(10, height - key.count("\n") - 1)
    found = laid_within(picture.points, sizes[:-1], sizes[-1], picture.ends, width, room, begun)
    if found is None:
        return Drawn(picture.listed(width), "", picture.spots)
    index, (cells, routes, rows) = found
    tight = index >= len(LIMITS)
    picture.labels, picture.shortens = letters.labels(limits[index], dots=not tight), not tight
    picture.alone = letters.labels(limits[index] + picture.smallest, dots=False)
    text = picture.map(cells, routes, rows, sizes[index], width, False, roomy=True, tight=tight)
    if tight or rows > room:
        key = picture.brief(width, tight, max(1, height - rows), more)
    return Drawn(text, key, picture.spots, 1, picture.reach)


@lru_cache(maxsize=8)
def _sizes(game: Game, language: Language) -> tuple[tuple[Sizes, ...], tuple[int, ...]]:
    """How large the spaces are with ever shorter labels, whoever stands there, and the columns of these labels; the
    last ones are for where there is no room for signs."""
    letters = lettering_of(game, language)
    assert letters is not None
    picture, spaces = _Picture(game, letters, language, {}, True, True), letters.board.spaces
    picture.signed = True
    beside = picture.widest + 1 if picture.widest else 0
    found: list[Sizes] = []
    for limit in LIMITS:
        found.append(tuple((wide + beside, wide) for wide in picture.written(letters.labels(limit))))
    limits = *LIMITS, *TIGHT, max(2, min(CODE, LEAST - picture.smallest))
    for limit in limits[len(LIMITS) :]:
        labels = letters.labels(limit, dots=False)
        found.append(tuple((wide, wide) for wide in map(picture.least, spaces, repeat(labels))))
    return tuple(found), limits


class _Picture:
    def __init__(self, game, letters: Lettering, language: Language, known, unicode: bool, colour: bool):
        self.game, self.language, self.unicode, self.colour = game, language, unicode, colour
        self.board, self.codes, self.called, self.letters = letters.board, letters.codes, letters.called, letters
        board = self.board
        self.labels = self.codes.spaces
        self.alone: Mapping[str, str] = {}  # labels of spaces on which nobody stands, where there is least room
        self.shortens = False  # a label makes room for those who stand there
        self.points = tuple((space.x, space.y) for space in board.spaces)
        self.ends = tuple(route.ends for route in board.routes)
        self.widest = max((width_of(code) for code in self.codes.pieces.values()), default=0)
        self.standing, self.kept = board.standing(known), known.get(OWN, {})
        self.ways = Ways(board, unicode)
        self.lit: Mapping[str, str] = {}
        self.own: int | None = None
        self.moving: str | None = None
        self.last: str | None = None
        self.spots: dict[str, Spot] = {}
        self.reach: dict[str, Spot] = {}
        self.tall = 1
        self.signed = False  # numbers of spaces have a sign before them: others are typed there
        self.atoms = {game.vocabulary.atoms[a].name: a for a in self.codes.letters}
        self.atoms.update({game.vocabulary.atoms[a].name: a for a in board.movable})

    def sign(self, mark: str) -> str:
        return UNICODE.get(mark, mark) if self.unicode else mark

    # --- styles -----------------------------------------------------------------------------------------------------
    def paint(self, atom: int | None, strong: bool = False) -> str:
        """The colour of a thing, or of the first part of it that has one."""
        parts = (atom, *self.game.vocabulary.atoms[atom].parts) if atom is not None else ()
        paint = next((self.board.colours[p] for p in parts if p in self.board.colours), None)
        code = str(ANSI[_nearest(paint)]) if paint else ""
        return ";".join(filter(None, ["1;7" if strong else "", code]))

    # --- a map ------------------------------------------------------------------------------------------------------
    def written(self, labels: Mapping[str, str]) -> list[int]:
        """How many columns the sign and the label of each space take."""
        return [width_of(self.mark(space)) + 1 + width_of(labels[space.id]) for space in self.board.spaces]

    def least(self, space: Space, labels: Mapping[str, str]) -> int:
        """How many columns a space takes where there is least room: its number, its letters, and somebody there."""
        return width_of(self.own_mark(space)) + width_of(labels[space.id]) + self.smallest

    def narrowed(self, code: str) -> str:
        """A code as it is written where there is least room."""
        return "".join(self.letters.narrowed.get(letter) or narrow(letter) for letter in code)

    @cached_property
    def smallest(self) -> int:
        return max((width_of(self.narrowed(code)) for code in self.codes.pieces.values()), default=0)

    def own_mark(self, space: Space) -> str:
        """A sign that says more than that there is a space."""
        return self.mark(space) if space.number is not None or space.home else ""

    def map(
        self,
        cells: Sequence[Cell],
        routes: Mapping[tuple[int, int], Strokes],
        height: int,
        sizes: Sizes,
        width: int,
        legend: bool,
        roomy: bool,
        tight: bool = False,
    ) -> str:
        canvas, rooms = _Canvas(width, height), [room for room, _ in sizes]
        entries = self.lines(canvas, routes, {(x + room, y) for (x, y), room in zip(cells, rooms, strict=True)})
        places = [*zip(self.board.spaces, cells, rooms, strict=True)]
        labels = dict(self.labels)
        for _, (x, y), room in places:
            canvas.reserve(x, y, room)
        for space, cell, room in places if not tight else ():
            labels[space.id] = self.label(canvas, space, cell, room, roomy)
        write = self.tight if tight else self.space
        crowded = [space for space, cell, _ in places if not write(canvas, space, cell, labels[space.id], roomy)]
        if tight:
            self.lead_up(canvas, cells, routes)
        for (x, y), (sign, style) in entries.items():  # a route that comes from the right leads up to what is written
            column = x - 1
            while canvas.cells[y][column][0] == " ":
                canvas.cells[y][column] = (sign, style)
                column -= 1
        picture = canvas.text(self.colour)
        if not legend:
            return picture
        hidden = set() if roomy else {space.id for space in self.board.spaces if self.here(space)}
        coded = [s for s in self.board.spaces if labels[s.id] != self.called(s.atom) or s.id in hidden]
        return picture + "\n\n" + self.legend(width, coded, crowded)

    def lead_up(self, canvas: _Canvas, cells: Sequence[Cell], routes: Mapping[tuple[int, int], Strokes]) -> None:
        """Where a route comes from above or below to where somebody could stand, dots lead to the label."""
        for pair, strokes in routes.items():
            for end, (door, _) in zip(pair, (strokes[0], strokes[-1]), strict=True):
                (x, y), column = cells[end], door[0]
                while door[1] != y and column > x and canvas.cells[y][column][0] == " ":
                    canvas.cells[y][column] = ("·", "2")
                    column -= 1

    def lines(
        self, canvas: _Canvas, routes: Mapping[tuple[int, int], Strokes], doors: set[Cell]
    ) -> dict[Cell, tuple[str, str]]:
        """All routes; of those that come to a label through one of these doors, the sign of a level stroke."""
        entries: dict[Cell, tuple[str, str]] = {}
        ways, there = self.ways, dict[Cell, tuple[int, Kinds, str]]()
        for pair, strokes in routes.items():
            kinds, style = ways.kinds[pair], self.stroke(pair)
            for cell, directions in strokes:
                if cell in doors and directions & WEST and cell in (strokes[0][0], strokes[-1][0]):
                    entries[cell] = ways.level(kinds), style
                if cell in there:
                    crossed = {directions: kinds, there[cell][0]: there[cell][1]}
                    sign = ways.crossing(crossed[NORTH | SOUTH], crossed[EAST | WEST])
                    canvas.stroke(cell, sign, style if style == there[cell][2] else "")
                else:
                    canvas.stroke(cell, ways.sign(kinds, directions), style)
                there[cell] = directions, kinds, style
        return entries

    def stroke(self, pair: tuple[int, int]) -> str:
        """The style of a route."""
        ends = {self.board.spaces[end].id for end in pair}
        if self.moving in ends and any(end in self.lit for end in ends - {self.moving}):
            return REACHED
        return self.ways.style(self.ways.kinds[pair])

    def mark(self, space: Space) -> str:
        if space.number is not None:
            return NUMBER * self.signed + str(space.number)
        if space.colour is not None:
            return self.codes.letters[space.colour].lower()
        return self.sign("^" if space.home else "o")

    def here(self, space: Space) -> list[tuple[str, str]]:
        """The codes of those who stand on a space, with their styles."""
        found = [(OWN, "1;4")] if space.id in self.kept.values() else []
        for piece in self.standing.get(space.id, []):
            atom = self.atoms.get(piece)
            style = self.paint(atom, strong=True)
            if self.own is not None and atom is not None and self.own in self.game.vocabulary.atoms[atom].parts:
                style += ";4"
            found.append((self.codes.pieces.get(piece, "?"), style))
        return found

    def label(self, canvas: _Canvas, space: Space, cell: Cell, room: int, roomy: bool) -> str:
        """The name of a space where there is room for it, whoever stands there; else its letters."""
        (x, y), name, short = cell, self.called(space.atom), self.labels[space.id]
        more = (
            width_of(self.mark(space)) + 1 + width_of(name) + (1 + self.widest if roomy and self.widest else 0) - room
        )
        if more > 0 and not canvas.fits(x + room, y, more + 1):
            return short
        canvas.reserve(x + room, y, max(more, 0))
        return name

    def space(self, canvas: _Canvas, space: Space, cell: Cell, label: str, roomy: bool) -> bool:
        """Its sign, its label and those who stand on it, who stand in the place of the label where there is no room
        behind it. Do they all fit? What is typed for it stands in the place of its sign, or before its number."""
        (x, y), mark, here = cell, self.mark(space), self.here(space)
        typed = self.lit.get(space.id)
        self.spots[space.id] = (x, y, width_of(mark) + 1 + width_of(label))
        if typed is None:
            lead, names = f"{mark} ", [label] if roomy or not here else [label, ""]
        else:
            lead, own, names = f"{typed})", self.own_mark(space), [label]
            lead = f"{lead}{own} " if own else lead.rjust(width_of(mark) + 1)
        if self.shortens and here or width_of(lead) > width_of(mark) + 1:
            names += self.letters.shorter(space.id, label)
        name, sign, shown = next(
            (
                (name, sign, some)
                for some in _fewer(here)
                for sign in (":", "")[: 1 + bool(some and self.shortens)]
                for name in names
                if (not some and typed is None)
                or canvas.holds(x, y, width_of((lead + name).rstrip() + sign) + _wide(some), cell)
            ),
            (names[-1], ":", _fewer(here)[-1]),
        )
        canvas.write(x, y, lead.rstrip(), self.paint(space.colour) or ("1" if self.own_mark(space) else ""))
        if typed is not None:
            canvas.write(x, y, lead[: lead.index(")") + 1], LIT)
            self.spots[space.id] = (x, y, width_of(lead + name))
        canvas.write(x + width_of(lead), y, name, self.paint(space.colour))
        x += width_of(lead + name if name else lead.rstrip())
        sign = sign if shown else ""
        canvas.write(x, y, sign, "1")
        self.stand(canvas, space, cell, x + len(sign), shown)
        return shown == here

    def tight(self, canvas: _Canvas, space: Space, cell: Cell, label: str, roomy: bool) -> bool:
        """Its number, if it has one, its letters, and behind them who stands there, with a sign between where there is
        room. Do they all fit? Letters go before anybody is left out, and what is typed for it stays in any case."""
        (x, y), here = cell, [(self.narrowed(code), style) for code, style in self.here(space)]
        typed, own = self.lit.get(space.id), self.own_mark(space)
        code = self.codes.spaces[space.id]
        names = [label, *(one for one in self.letters.shorter(space.id, label) if width_of(one) >= width_of(code))]
        cuts = [short for short in beginnings(label) if width_of(short) <= 2 and short not in self.letters.signs]
        if typed is None:
            if not here and space.id in self.alone:
                names.insert(0, self.alone[space.id])
            names = sorted([*self.longer(canvas, space, cell, label, own), *names], key=width_of, reverse=True)
        lead = own if typed is None else f"{typed}){own}"
        ways = [(lead, name, mark) for mark in (":", "")[not here :] for name in names]
        ways += [(lead, name, "") for name in (*cuts, "")]
        ways += [(typed, "", "")] if typed is not None else []
        lead, name, mark, shown = next(
            (
                (lead, name, mark, some)
                for some in _fewer(here)
                for lead, name, mark in ways
                if canvas.holds(x, y, width_of(lead + name + mark) + _wide(some), cell)
            ),
            (*ways[-1], _fewer(here)[-1]),
        )
        canvas.write(x, y, lead, "1")
        if typed is not None:
            canvas.write(x, y, lead[: lead.find(")") + 1] or lead, LIT)
        canvas.write(x + width_of(lead), y, name, self.paint(space.colour))
        self.spots[space.id] = (x, y, max(1, width_of(lead + name)))
        x += width_of(lead + name)
        canvas.write(x, y, mark, "1")
        self.stand(canvas, space, cell, x + len(mark), shown)
        return shown == here

    def longer(self, canvas: _Canvas, space: Space, cell: Cell, label: str, own: str) -> list[str]:
        """What a space can be called where nothing is beside it, so that somebody could stand there as well."""
        steps = [step for step, _ in self.letters.ladders[space.id] if width_of(step) > width_of(label)]
        (x, y), beside = cell, self.smallest + 1
        return [step for step in steps if canvas.holds(x, y, width_of(own + step) + beside, cell)]

    def stand(self, canvas: _Canvas, space: Space, cell: Cell, x: int, shown: Sequence[tuple[str, str]]) -> None:
        """Those who stand on a space, from a column on; all of it can be clicked."""
        begin, y, wide = self.spots[space.id]
        for code, style in shown:
            canvas.write(x, y, code, style)
            x += width_of(code)
        self.reach[space.id] = (begin, y, max(wide, x - begin))

    # --- the key ----------------------------------------------------------------------------------------------------
    def brief(self, width: int, tight: bool = False, rows: int = 9, more: str = "") -> str:
        """What the signs mean, in as few lines as it takes, and `more`; of the last signs as many as the lines hold."""
        shown = self.narrowed if tight else str
        items = [
            self.key(shown(self.codes.letters[a]), self.called(a), self.paint(a, strong=True)) for a in self.parts()
        ]
        items += [*self.own_places(), *self.kinds()]
        numbers = self.numbers()
        if numbers:
            items.append(self.key(numbers, self.language.translate(N_("numbered")), "1"))
        colours = sorted({s.colour for s in self.board.spaces if s.colour is not None})
        letters = " ".join(self.key(letter := self.codes.letters[a].lower(), letter, self.paint(a)) for a in colours)
        items += [self.key(letters, self.language.translate(N_("start spaces")))] if colours else []
        lines = _filled([*items, more] if more else items, width)
        for count in range(len(items) - 1, 0, -1):
            if len(lines) <= rows:
                break
            lines = _filled([*items[:count], more or MORE], width)
        return "\n".join(lines)

    def own_places(self) -> list[str]:
        """The sign of the places that one keeps to oneself, before there are any, too: so nothing moves then."""
        return [self.key(OWN, " + ".join(name for (name,) in self.kept), "1;4")] if self.kept else []

    def kinds(self) -> list[str]:
        """The kinds of routes, and those that lead along one route together."""
        ways = self.ways
        found = [
            self.key(ways.level((kind,)), self.called(kind), ways.style((kind,)))
            for (kind,) in ways.dashed
            if kind is not None
        ]
        for kinds in ways.several():
            names = " + ".join(self.called(kind) for kind in kinds if kind is not None)
            said = self.language.translate(N_("both")) if len(ways.dashed) == 2 else names
            found.append(self.key(ways.level(kinds), said))
        return found

    def numbers(self) -> str:
        numbers = sorted(s.number for s in self.board.spaces if s.number is not None)
        said = f"{numbers[0]}{'–' if self.unicode else '-'}{numbers[-1]}" if numbers else ""
        return NUMBER * self.signed + said if numbers else ""

    def legend(self, width: int, coded: Sequence[Space] = (), crowded: Sequence[Space] = ()) -> str:
        """What the signs mean: spaces, routes, pieces, and the names behind the codes."""
        say, letters = self.language.say, self.codes.letters
        spaces = [self.key(self.sign("o"), self.language.translate(N_("without a number")))]
        if self.numbers():
            spaces.append(self.key(self.numbers(), self.language.translate(N_("with this number"))))
        colours = sorted({s.colour for s in self.board.spaces if s.colour is not None})
        spaces += [self.key(letters[a].lower(), self.called(a), self.paint(a)) for a in colours]
        spaces += [self.key(self.sign("^"), self.called(s.atom)) for s in self.board.spaces if s.home]
        routes = self.kinds()
        pieces = [self.key(letters[a], self.called(a), self.paint(a, strong=True)) for a in self.parts()]
        pieces += self.own_places()
        names = [
            self.key(code, self.called(s.atom))
            for code, s in sorted(((self.codes.spaces[s.id], s) for s in coded), key=lambda pair: pair[0])
        ]
        together = [f"{self.codes.spaces[s.id]}: {' '.join(code for code, _ in self.here(s))}" for s in crowded]
        blocks = [
            _flow(say(title), items, width, *self.marks())
            for title, items in ((N_("Spaces"), spaces), (N_("Routes"), routes), (N_("Pieces"), pieces))
            if len(items) > 1
        ]
        if together:
            title = say(N_("Together"))
            blocks += wrapped(f"{title}: {', '.join(together)}", width, "", _indent(2, width))
        return "\n".join(blocks + ([_columns(names, width)] if names else []))

    def key(self, sign: str, meaning: str, style: str = "") -> str:
        meaning = f" {meaning}" if meaning != sign else ""  # a sign that is a whole name says it by itself
        return f"\x1b[{style}m{sign}\x1b[0m{meaning}" if self.colour and style else sign + meaning

    def marks(self) -> tuple[str, str]:
        """What this language writes behind a title, and between the things that are named there."""
        return self.language.say(N_("{label}: {value}"), label="", value=""), self.language.row(["", ""])

    def parts(self) -> list[int]:
        """What the letters of the pieces stand for, in the order in which a code has them."""
        found: dict[int, int] = {}
        for atom in self.board.movable:
            for place, part in enumerate(self.game.vocabulary.atoms[atom].parts or (atom,)):
                found.setdefault(part, place if self.game.vocabulary.atoms[atom].parts else 9)
        return sorted(found, key=lambda part: (found[part], part))

    # --- without a map ----------------------------------------------------------------------------------------------
    def listed(self, width: int) -> str:
        """Every space with who stands there and where one can go from it."""
        lines, (colon, comma) = [], self.marks()
        for index, space in enumerate(self.board.spaces):
            here = " ".join(code for code, _ in self.here(space))
            mark = self.mark(space)
            said = f"{mark} {self.called(space.atom)}" + (f"{colon}{here}" if here else "")
            lines += wrapped(said, width, "", _indent(2, width))
            for kind in dict.fromkeys(r.kind for r in self.board.routes):
                ends = [
                    self.board.spaces[r.ends[0] if r.ends[1] == index else r.ends[1]]
                    for r in self.board.routes
                    if r.kind == kind and index in r.ends
                ]
                if ends:
                    what = comma.join(self.called(s.atom) for s in ends)
                    said = f"{self.called(kind)}{colon}{what}" if kind is not None else what
                    lines += wrapped(said, width, _indent(2, width), _indent(4, width))
        return "\n".join(lines) + "\n\n" + self.legend(width)

    def grid(self, width: int, height: int | None = None) -> str:
        """A board of squares; nothing, if it does not fit."""
        rows = [
            [
                squares.Square(space.id, self.called(space.atom), self.here(space), space.id == self.last)
                for space in (self.board.spaces[i] for i in row)
            ]
            for row in self.board.grid
        ]
        size = width, height
        text, self.tall = squares.drawn(rows, self.lit, size, self.unicode, self.colour, self.spots)
        return text


def _fewer(here: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """All of them, and ever fewer with a sign that there are more."""
    return [[*here[:count], *([("+", "1")] if count < len(here) else [])] for count in range(len(here), -1, -1)]


def _wide(codes: Sequence[tuple[str, str]]) -> int:
    return sum(width_of(code) for code, _ in codes)


def _visible(text: str) -> int:
    return width_of(STYLES.sub("", text))


def _filled(items: Sequence[str], width: int) -> list[str]:
    """Lines, each with as many of the items as it holds."""
    lines = [""]
    for item in items:
        if lines[-1] and _visible(lines[-1]) + 2 + _visible(item) > width:
            lines.append("")
        lines[-1] += ("  " if lines[-1] else "") + item
    return lines


def _flow(title: str, items: list[str], width: int, colon: str, comma: str) -> str:
    """Items after a title, in as many lines as it takes."""
    if width < NARROWEST:
        plain = [STYLES.sub("", item) for item in items]
        return "\n".join(wrapped(f"{title}{colon}{comma.join(plain)}", width, "", _indent(2, width)))
    lines, indent = [f"{title}{colon}"], width_of(title + colon)
    for index, item in enumerate(items):
        item += comma if index < len(items) - 1 else ""
        if _visible(lines[-1]) + _visible(item.rstrip()) > width and lines[-1].strip():
            lines.append(" " * indent)
        lines[-1] += item
    return "\n".join(line.rstrip() for line in lines)


def _columns(items: list[str], width: int) -> str:
    """Items one below the other, in as many columns as there is room for."""
    wide = max(map(_visible, items)) + 2
    count = max(1, min((width + 2) // wide, len(items)))
    rows = -(-len(items) // count)
    return "\n".join(
        "".join(item + " " * (wide - _visible(item)) for item in items[row::rows]).rstrip() for row in range(rows)
    )


def _indent(columns: int, width: int) -> str:
    """So many columns, or fewer where there is no room for it."""
    return " " * min(columns, max(width - 8, 0))


def paint_of(game: Game, name: str) -> str:
    """The colour of a seat, by its name in a terminal; nothing, if the rules give it none."""
    seats = dict(zip(game.seats, game.vocabulary.seats, strict=True))
    paint = game.screens.colours.get(seats[name]) if name in seats else None
    return PAINTS[_nearest(paint)] if paint else ""


PAINTS = {name: name for name in ANSI} | {
    "red": "bright_red",
    "blue": "bright_blue",
    "magenta": "bright_magenta",
    "grey": "white",
}


def _nearest(paint: str) -> str:
    """The colour of a terminal that is most like this one."""
    hue, light, strength = colorsys.rgb_to_hls(*(int(paint[i : i + 2], 16) / 255 for i in (1, 3, 5)))
    if strength < 0.2 or light < 0.1:
        return "grey"
    wheel = ("red", "yellow", "green", "cyan", "blue", "magenta")
    return wheel[round(hue * 6) % 6]
