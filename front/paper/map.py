"""The board in a terminal: spaces, routes and pieces on a grid of characters, from the coordinates in the rules.

What there is to draw is data of the game, section `screens`. Coordinates are spread a little, so that crowded quarters
get the room that empty ones do not need. The same spaces always lie at the same places, whatever stands on them.
"""

from __future__ import annotations

import colorsys
import os
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ...interpreter import Game, cache
from ...interpreter.presentation import Chart
from ...speech.language import N_, Language
from ...speech.narrator import Narrator
from ..common.layout import width_of, wrapped
from . import routing
from .routing import EAST, NORTH, SOUTH, WEST, Cell, Strokes, routed

__all__ = ["LIT", "Board", "Codes", "Route", "Space", "Spot", "board_of", "codes_of", "draw", "paint_of", "width_of"]

NARROWEST = 60  # columns; where there are fewer, a list is easier to read than a map
Points = tuple[tuple[float, float], ...]
Spot = tuple[int, int, int]  # on a drawing: column, row, how many columns
Laid = tuple[tuple[Cell, ...], Mapping[tuple[int, int], Strokes], int]
WORTH_KEEPING = 0.05  # seconds that it took to lay a map
CODE = 3  # letters that stand for a space
STYLES = re.compile(r"\x1b\[[0-9;]*m")


# --- what there is to draw -----------------------------------------------------------------------------------------
@dataclass(slots=True)
class Space:
    atom: int
    id: str
    name: str  # as the rules write it, the same in every language
    x: float
    y: float
    number: int | None = None
    colour: int | None = None
    home: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    ends: tuple[int, int]  # places in the list of spaces
    kind: int | None  # the atom that says by which way
    dashed: bool


@dataclass(slots=True)
class Board:
    spaces: list[Space]
    routes: list[Route]
    pieces: str  # shape of the state that says where a piece is
    holds: str  # shape of the state that says what is on a space
    movable: tuple[int, ...]  # the pieces
    colours: dict[int, str]  # paint, by atom
    signs: dict[int, str]  # by atom, where the rules say one
    grid: list[list[int]] = field(default_factory=list)  # a board of squares: places in the list of spaces

    def standing(self, known: Mapping[str, Mapping[tuple, Any]]) -> dict[str, list[str]]:
        """Who stands where, by names: of a space, those on it."""
        found: dict[str, list[str]] = {}
        for (piece, *_), space in known.get(self.pieces, {}).items():
            if space is not None:
                found.setdefault(space, []).append(piece)
        for (space, *_), held in known.get(self.holds, {}).items():
            if held is not None:
                found.setdefault(space, []).append(held)
        return found


def board_of(game: Game) -> Board | None:
    """The board of a game, or None if its rules tell of none."""
    chart, words = game.screens.chart, game.vocabulary
    if chart is None:
        return None
    names, spaces = game.texts.things[chart.spaces.name].names, []
    at, number, colour, home = (
        chart.columns[key].values if key in chart.columns else {} for key in ("at", "number", "colour", "home")
    )
    for index, atom in enumerate(chart.spaces.atoms):
        thing = words.atoms[atom]
        own = names.get(thing.name)
        own = own if isinstance(own, str) else thing.name.replace("_", " ")
        x, y = (*at.get((atom,), ()), index, index)[:2] if at.get((atom,)) else (index, index)
        spaces.append(
            Space(atom, thing.name, own, x, y, number.get((atom,)), colour.get((atom,)), bool(home.get((atom,))))
        )
    places = {atom: index for index, atom in enumerate(chart.spaces.atoms)}
    grid = [[places[atom] for atom in row] for row in chart.rows]
    for y, row in enumerate(grid):
        for x, index in enumerate(row):
            spaces[index].x, spaces[index].y = x * 100, y * 100
    pieces, holds = chart.pieces, chart.holds
    return Board(
        spaces,
        _routes(chart, places),
        pieces.shape if pieces else "",
        holds.shape if holds else "",
        tuple(sorted(pieces.params[0].type.atoms)) if pieces else (),
        game.screens.colours,
        game.screens.signs,
        grid,
    )


def _routes(chart: Chart, places: Mapping[int, int]) -> list[Route]:
    if chart.links is None:
        return []
    found = {}
    for (start, *kind), ends in sorted(chart.links.values.items()):
        way = kind[0] if kind else None
        for end in ends:
            pair = tuple(sorted((places[start], places[end])))
            found[pair, way] = Route(pair, way, way in chart.dashed)
    return [found[key] for key in sorted(found, key=str)]


# --- short codes ---------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Codes:
    spaces: dict[str, str]  # by the name of the space: the same in every language
    pieces: dict[str, str]  # by the name of the piece
    letters: dict[int, str]  # by atom: a colour, a kind of figure


def codes_of(game, language: Language, board: Board | None = None) -> Codes:
    """Letters for what is drawn: a figure by those of its parts, a space by three of its name."""
    board = board or board_of(game)
    said, words = Narrator(game, language).name, game.vocabulary
    letters: dict[int, str] = dict(board.signs)
    shown = list(dict.fromkeys([s.colour for s in board.spaces if s.colour is not None]))
    whole = [a for a in board.movable if not words.atoms[a].parts]
    firsts = sorted({words.atoms[a].parts[0] for a in board.movable if words.atoms[a].parts} | set(shown))
    _letters(firsts, said, letters, str.upper)
    _letters(whole, said, letters, str.upper, taken={letters[a] for a in firsts})
    others: dict[str, list[int]] = {}
    for atom in board.movable:
        for part in words.atoms[atom].parts[1:]:
            others.setdefault(words.atoms[part].set, []).append(part)
    for parts in others.values():
        _letters(list(dict.fromkeys(parts)), said, letters, str.lower)
    pieces = {
        words.atoms[a].name: "".join(letters[p] for p in words.atoms[a].parts) or letters[a] for a in board.movable
    }
    if board.holds:
        held = [f for f in words.functions[board.holds] if f.kind == "state"][0].result
        atoms = sorted(held.atoms)
        _letters(atoms, said, letters, str.upper)
        pieces.update({words.atoms[a].name: letters[a] for a in atoms})
    return Codes(space_codes(board), _apart(pieces), letters)


def _apart(codes: dict[str, str]) -> dict[str, str]:
    """Each piece with a sign of its own: where two have the same, the second gets a number beside it."""
    found: dict[str, str] = {}
    for name, code in codes.items():
        taken = set(found.values())
        found[name] = next(c for c in (code, *(f"{code}{n}" for n in range(2, len(codes) + 2))) if c not in taken)
    return found


def _letters(atoms: Sequence[int], said, letters: dict[int, str], case, taken: Iterable[str] = ()) -> None:
    """One letter for each: the first of its name if it is free, else the next."""
    used = {*taken, *(letters[atom] for atom in atoms if atom in letters)}
    for atom in atoms:
        if atom in letters:
            continue
        name = max(re.findall(r"[^\W\d_]+", said(atom)("list")) or ["?"], key=len)
        free = [case(c) for c in name if case(c) not in used and len(case(c)) == 1]
        spare = [case(c) for c in "abcdefghijklmnopqrstuvwxyz" if case(c) not in used]
        letters[atom] = (free or spare or ["?"])[0]
        used.add(letters[atom])


def space_codes(board: Board) -> dict[str, str]:
    """Three letters a space, from the word of its name that tells most; short names stay as they are."""
    words = {s.id: re.findall(r"[^\W\d_]+|\d+", _plain(s.name)) or [s.id] for s in board.spaces}
    common = Counter(w for ws in words.values() for w in set(ws))
    codes, used = {}, set()
    for space in board.spaces:
        if len(_plain(space.name)) <= CODE:
            codes[space.id] = space.name
            used.add(space.name)
    for space in board.spaces:
        if space.id in codes:
            continue
        word = min(words[space.id], key=lambda w: (common[w], -len(w)))
        rest = word + "".join(w for w in words[space.id] if w is not word)
        tries = [word[:CODE]] + [rest[0] + a + b for i, a in enumerate(rest[1:], 1) for b in rest[i + 1 :]]
        tries += [f"{rest[0]}{n:02}" for n in range(100)]
        code = next(c for c in (t.capitalize() for t in tries) if c not in used)
        codes[space.id] = code
        used.add(code)
    return codes


def _plain(text: str) -> str:
    """Without accents: a code can be typed on every keyboard."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


# --- where the spaces lie on the grid ------------------------------------------------------------------------------
@lru_cache(maxsize=32)
def _layout(points: tuple[tuple[float, float], ...], width: int, height: int, room: int) -> tuple[tuple[int, int], ...]:
    """A cell for each point; `room` cells from there to the right are its own."""
    xs, ys = _spread([p[0] for p in points]), _spread([p[1] for p in points])
    wanted = [(x * (width - room), y * (height - 1)) for x, y in zip(xs, ys)]
    crowd = [sum(abs(a - x) < room and abs(b - y) < 2 for a, b in wanted) for x, y in wanted]
    near = sorted(
        ((c, r) for c in range(-width, width + 1) for r in range(-height, height + 1)),
        key=lambda step: (step[0] ** 2 / 5 + step[1] ** 2, step),
    )
    taken = [[False] * width for _ in range(height)]
    cells: dict[int, tuple[int, int]] = {}
    for index in sorted(range(len(points)), key=lambda i: (-crowd[i], i)):
        x, y = round(wanted[index][0]), round(wanted[index][1])
        cell = next(
            (
                (x + c, y + r)
                for c, r in near
                if 0 <= y + r < height
                and 0 <= x + c <= width - room
                and not any(taken[y + r][max(x + c - 1, 0) : x + c + room + 1])
            ),
            None,
        )
        if cell is None:
            return ()
        cells[index] = cell
        taken[cell[1]][cell[0] : cell[0] + room] = [True] * room
    return tuple(cells[i] for i in range(len(points)))


def _spread(values: list[float]) -> list[float]:
    """From 0 to 1, halfway between true to scale and evenly spread."""
    low, high = min(values), max(values)
    ranks = {v: i for i, v in enumerate(sorted(set(values)))}
    most = max(len(ranks) - 1, 1)
    return [0.5 * (v - low) / ((high - low) or 1) + 0.5 * ranks[v] / most for v in values]


# --- drawing -------------------------------------------------------------------------------------------------------
UNICODE = {"+": "┼", "-": "─", "|": "│", "~": "╌", "=": "═", "o": "○", "^": "⌂"}
# By the directions in which a stroke leads (N 1, E 2, S 4, W 8): a plain route, a dashed one, both in one.
STROKES = {
    True: (
        {5: "│", 10: "─", 3: "└", 9: "┘", 6: "┌", 12: "┐"},
        {5: "╎", 10: "╌", 3: "╰", 9: "╯", 6: "╭", 12: "╮"},
        {5: "║", 10: "═", 3: "╚", 9: "╝", 6: "╔", 12: "╗"},
    ),
    False: (
        {5: "|", 10: "-", 3: "`", 9: "'", 6: ",", 12: "."},
        {5: "!", 10: "~", 3: "`", 9: "'", 6: ",", 12: "."},
        {5: "#", 10: "=", 3: "`", 9: "'", 6: ",", 12: "."},
    ),
}
PLAIN, DASHED, BOTH = range(3)
LIT = "1;7"  # the style of a number that stands for a space
CROSSINGS = {(False, False): "┼", (True, False): "╫", (False, True): "╪", (True, True): "╬"}  # upright, level: both
ANSI = {"red": 31, "green": 32, "yellow": 33, "blue": 94, "magenta": 35, "cyan": 36, "grey": 90}


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


def draw(
    game,
    known: Mapping[str, Mapping[tuple, Any]],
    width: int,
    unicode: bool = True,
    colour: bool = False,
    lang: Language | str = "en",
    legend: bool = True,
    lit: Mapping[str, str] | None = None,
    own: int | None = None,
    spots: dict[str, Spot] | None = None,
) -> str:
    """The board with what stands on it, as far as it is known (see `known_state`), and a key to the signs. Spaces that
    are lit have what is to be typed for them in the place of their sign; the pieces of one's own are underlined. Where
    on the drawing each space lies is told in `spots`."""
    board = board_of(game)
    if board is None:
        return ""
    language = Language(lang) if isinstance(lang, str) else lang
    picture = _Picture(game, board, language, known, unicode, colour)
    picture.lit, picture.own, picture.spots = lit or {}, own, {} if spots is None else spots
    if board.grid:
        return picture.grid(width)
    piece = max((width_of(code) for code in picture.codes.pieces.values()), default=0)
    mark = max(width_of(picture.mark(space)) for space in board.spaces)
    code = max(map(width_of, picture.codes.spaces.values()))
    bare = mark + 1 + code
    ends = tuple(route.ends for route in board.routes)
    written = tuple(
        width_of(picture.mark(space)) + 1 + width_of(picture.codes.spaces[space.id]) for space in board.spaces
    )
    points = tuple((space.x, space.y) for space in board.spaces)
    # with room for somebody behind every label, if possible; else at least in the place of the label
    rooms = (bare + 1 + piece, max(bare, mark + 1 + piece), bare) if piece else (bare,)
    for room in dict.fromkeys(rooms):
        found = _laid(points, written, ends, width, room) if width >= NARROWEST else None
        if found is not None:
            return picture.map(*found, room, width, legend, roomy=room > bare + piece)
    return picture.listed(width)


@lru_cache(maxsize=32)
def _laid(
    points: Points, written: tuple[int, ...], ends: tuple[tuple[int, int], ...], width: int, room: int
) -> Laid | None:
    """Where the spaces lie, the routes between them, and how high it all is: the lowest map on which every route finds
    a way; None, if there is none. What took long is kept for the next time."""
    key = cache.key_of("map", _drawer(), points, written, ends, width, room)
    if (kept := cache.load(key)) is not None:
        return kept[0]
    began = time.process_time()
    found = _lay(points, written, ends, width, room)
    if time.process_time() - began > WORTH_KEEPING:
        cache.store(key, (found,))
    return found


@lru_cache(maxsize=1)
def _drawer() -> tuple[int, ...]:
    """What draws here: a map that another one has laid is of no use."""
    files = [os.stat(name) for name in (__file__, routing.__file__)]
    return tuple(number for known in files for number in (known.st_size, known.st_mtime_ns))


def _lay(
    points: Points, written: tuple[int, ...], ends: tuple[tuple[int, int], ...], width: int, room: int
) -> Laid | None:
    least = max(24, width * 26 // 100)
    for height in range(least, 2 * least, 2):
        cells = _layout(points, width, height, room)
        if cells:
            blocks = [(x, y, room, wide) for (x, y), wide in zip(cells, written, strict=True)]
            routes = routed(width, height, blocks, ends)
            if len(routes) == len(set(ends)):
                return cells, routes, height
    return None


class _Picture:
    def __init__(self, game, board: Board, language: Language, known, unicode: bool, colour: bool):
        self.game, self.board, self.language, self.unicode, self.colour = game, board, language, unicode, colour
        self.codes = codes_of(game, language, board)
        self.name = Narrator(game, language).name
        self.standing = board.standing(known)
        self.lit: Mapping[str, str] = {}
        self.own: int | None = None
        self.spots: dict[str, Spot] = {}
        self.atoms = {game.vocabulary.atoms[a].name: a for a in self.codes.letters}
        self.atoms.update({game.vocabulary.atoms[a].name: a for a in board.movable})

    def sign(self, mark: str) -> str:
        return UNICODE.get(mark, mark) if self.unicode else mark

    def called(self, atom: int) -> str:
        return self.name(atom)("list")

    # --- styles -----------------------------------------------------------------------------------------------------
    def paint(self, atom: int | None, strong: bool = False) -> str:
        """The colour of a thing, or of the first part of it that has one."""
        parts = (atom, *self.game.vocabulary.atoms[atom].parts) if atom is not None else ()
        paint = next((self.board.colours[p] for p in parts if p in self.board.colours), None)
        code = str(ANSI[_nearest(paint)]) if paint else ""
        return ";".join(filter(None, ["1;7" if strong else "", code]))

    # --- a map ------------------------------------------------------------------------------------------------------
    def map(
        self,
        cells: Sequence[Cell],
        routes: Mapping[tuple[int, int], Strokes],
        height: int,
        room: int,
        width: int,
        legend: bool,
        roomy: bool,
    ) -> str:
        canvas = _Canvas(width, height)
        entries = self.lines(canvas, routes, {(x + room, y) for x, y in cells})
        places = [*zip(self.board.spaces, cells)]
        labels = {space.id: self.codes.spaces[space.id] for space in self.board.spaces}
        for x, y in cells:
            canvas.reserve(x, y, room)
        for space, cell in places:
            labels[space.id] = self.label(canvas, space, cell, room)
        crowded = [space for space, cell in places if not self.space(canvas, space, cell, labels[space.id], roomy)]
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

    def lines(
        self, canvas: _Canvas, routes: Mapping[tuple[int, int], Strokes], doors: set[Cell]
    ) -> dict[Cell, tuple[str, str]]:
        """All routes; of those that come to a label through one of these doors, the sign of a level stroke."""
        entries: dict[Cell, tuple[str, str]] = {}
        kinds: dict[tuple[int, int], int] = {}
        for route in self.board.routes:
            kinds[route.ends] = BOTH if route.ends in kinds else DASHED if route.dashed else PLAIN
        signs, there = STROKES[self.unicode], {}
        for pair, strokes in routes.items():
            kind = kinds[pair]
            for cell, directions in strokes:
                sign, style = signs[kind][directions], "36" if kind == DASHED else ""
                if cell in doors and directions & WEST and cell in (strokes[0][0], strokes[-1][0]):
                    entries[cell] = signs[kind][EAST | WEST], style
                if cell in there:
                    level = {directions: kind, there[cell][0]: there[cell][1]}
                    both = level[NORTH | SOUTH] == BOTH, level[EAST | WEST] == BOTH
                    sign, style = CROSSINGS[both] if self.unicode else "+", ""
                there[cell] = directions, kind
                canvas.stroke(cell, sign, style)
        return entries

    def mark(self, space: Space) -> str:
        if space.number is not None:
            return str(space.number)[-1]
        if space.colour is not None:
            return self.codes.letters[space.colour].lower()
        return self.sign("^" if space.home else "o")

    def here(self, space: Space) -> list[tuple[str, str]]:
        """The codes of those who stand on a space, with their styles."""
        found = []
        for piece in self.standing.get(space.id, []):
            atom = self.atoms.get(piece)
            style = self.paint(atom, strong=True)
            if self.own is not None and atom is not None and self.own in self.game.vocabulary.atoms[atom].parts:
                style += ";4"
            found.append((self.codes.pieces.get(piece, "?"), style))
        return found

    def label(self, canvas: _Canvas, space: Space, cell: Cell, room: int) -> str:
        """The name of a space where there is room for it, whoever stands there; else its letters."""
        (x, y), name, code = cell, self.called(space.atom), self.codes.spaces[space.id]
        more = width_of(name) - max(map(width_of, self.codes.spaces.values()))
        if more > 0 and not canvas.fits(x + room, y, more + 1):
            return code
        canvas.reserve(x + room, y, max(more, 0))
        return name

    def space(self, canvas: _Canvas, space: Space, cell: Cell, label: str, roomy: bool) -> bool:
        """Its sign, its label and those who stand on it, who stand in the place of the label where there is no room
        behind it. Do they all fit?"""
        (x, y), mark, here = cell, self.mark(space), self.here(space)
        canvas.write(x, y, mark, self.paint(space.colour) or ("1" if space.number or space.home else ""))
        self.spots[space.id] = (x, y, width_of(mark) + 1 + width_of(label))
        if space.id in self.lit and (roomy or not here):
            typed = self.lit[space.id]
            typed += ")" if width_of(typed) <= width_of(mark) else ""  # so it is no number of a space
            canvas.write(x, y, typed.rjust(width_of(mark) + 1), LIT)
        elif space.id in self.lit:  # those who stand there may take the place of the label
            canvas.write(x, y, self.lit[space.id][-width_of(mark) :], LIT)
        x += width_of(mark)
        names = (f" {label}",) if roomy or not here else (f" {label}", "")
        fewer = [[*here[:count], *([("+", "1")] if count < len(here) else [])] for count in range(len(here), -1, -1)]
        name, shown = next(
            (
                (name, some)
                for some in fewer
                for name in names
                if not some or canvas.holds(x + width_of(name), y, 1 + sum(width_of(c) for c, _ in some), cell)
            ),
            (names[-1], fewer[-1]),
        )
        gap = space.id in self.lit and name.startswith(" ") and (roomy or not here)  # the number reaches into it
        canvas.write(x + gap, y, name[gap:], self.paint(space.colour))
        x += width_of(name)
        canvas.write(x, y, ":" if shown else "", "1")
        for code, style in shown:
            canvas.write(x + 1, y, code, style)
            x += width_of(code)
        return shown == here

    # --- the key ----------------------------------------------------------------------------------------------------
    def legend(self, width: int, coded: Sequence[Space] = (), crowded: Sequence[Space] = ()) -> str:
        """What the signs mean: spaces, routes, pieces, and the names behind the codes."""
        say, letters = self.language.say, self.codes.letters
        spaces = [self.key(self.sign("o"), self.language.translate(N_("without a number")))]
        numbers = sorted(s.number for s in self.board.spaces if s.number is not None)
        if numbers:
            spaces.append(
                self.key(
                    f"{numbers[0]}–{numbers[-1]}" if self.unicode else f"{numbers[0]}-{numbers[-1]}",
                    self.language.translate(N_("with this number")),
                )
            )
        colours = sorted({s.colour for s in self.board.spaces if s.colour is not None})
        spaces += [self.key(letters[a].lower(), self.called(a), self.paint(a)) for a in colours]
        spaces += [self.key(self.sign("^"), self.called(s.atom)) for s in self.board.spaces if s.home]
        kinds = {r.kind: r.dashed for r in self.board.routes if r.kind is not None}
        routes = [
            self.key(self.sign("~" if dashed else "-"), self.called(kind), "36" if dashed else "")
            for kind, dashed in sorted(kinds.items())
        ]
        if max(Counter(r.ends for r in self.board.routes).values(), default=0) > 1:
            routes.append(self.key(self.sign("="), self.language.translate(N_("both"))))
        pieces = [self.key(letters[a], self.called(a), self.paint(a, strong=True)) for a in self.parts()]
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
        return f"\x1b[{style}m{sign}\x1b[0m {meaning}" if self.colour and style else f"{sign} {meaning}"

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

    def grid(self, width: int) -> str:
        """A board of squares: what is on each, or its name."""
        rows = []
        for row in self.board.grid:
            cells = []
            for index in row:
                space = self.board.spaces[index]
                here, name = self.here(space), self.called(space.atom)
                empty = (self.lit[space.id], LIT) if space.id in self.lit else (name, "2")
                cells.append(("".join(code for code, _ in here), here[0][1]) if here else empty)
            rows.append(cells)
        wide = max((width_of(text) for row in rows for text, _ in row), default=1)
        if (wide + 3) * max(map(len, rows)) + 1 > width:
            return self.listed(width)
        for y, squares in enumerate(self.board.grid):
            for x, index in enumerate(squares):
                self.spots[self.board.spaces[index].id] = (1 + x * (wide + 3), 1 + 2 * y, wide + 2)
        across, down, cross = (self.sign(mark) for mark in "-|+")
        edge = cross + cross.join([across * (wide + 2)] * max(map(len, rows))) + cross
        lines = [edge]
        for row in rows:
            texts = [
                " " * ((wide - width_of(text) + 1) // 2) + text + " " * ((wide - width_of(text)) // 2)
                for text, _ in row
            ]
            styled = [
                f"\x1b[{style}m{text}\x1b[0m" if self.colour and style else text for text, (_, style) in zip(texts, row)
            ]
            lines += [down + down.join(f" {text} " for text in styled) + down, edge]
        return "\n".join(lines)


def _visible(text: str) -> int:
    return width_of(STYLES.sub("", text))


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


PAINTS = {"blue": "bright_blue", "grey": "bright_black"} | {name: name for name in ANSI if name not in ("blue", "grey")}


def _nearest(paint: str) -> str:
    """The colour of a terminal that is most like this one."""
    hue, light, strength = colorsys.rgb_to_hls(*(int(paint[i : i + 2], 16) / 255 for i in (1, 3, 5)))
    if strength < 0.2 or light < 0.1:
        return "grey"
    wheel = ("red", "yellow", "green", "cyan", "blue", "magenta")
    return wheel[round(hue * 6) % 6]
