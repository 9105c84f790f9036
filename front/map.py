"""The board in a terminal: spaces, routes and pieces on a grid of characters, from the coordinates in the rules.

What there is to draw is data of the game, section `screens`. Coordinates are spread a little, so that crowded quarters
get the room that empty ones do not need. The same spaces always lie at the same places, whatever stands on them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .language import N_, Language

__all__ = ["Board", "Codes", "Route", "Space", "board_of", "codes_of", "draw", "width_of"]

NARROWEST = 60  # columns; where there are fewer, a list is easier to read than a map
CODE = 3  # letters that stand for a space


# --- what there is to draw --------------------------------------------------------------------------------------------
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


def board_of(game) -> Board | None:
    """The board of a game, or None if its rules tell of none."""
    screens = game.description.get("screens") or {}
    spec, words = screens.get("map"), game.vocabulary
    if not spec:
        return None
    read = _Reading(game, spec)
    things = read.set("spaces")
    members = game.description["things"][things.name]
    members = members.get("members") if isinstance(members, Mapping) else members
    spaces = []
    at, number, colour, home = (read.column(key, things) for key in ("at", "number", "colour", "home"))
    for index, atom in enumerate(things.atoms):
        thing = words.atoms[atom]
        row = members.get(thing.name) if isinstance(members, Mapping) else None
        own = row.get("name") if isinstance(row, Mapping) else None
        own = own if isinstance(own, str) else thing.name.replace("_", " ")
        x, y = (*at.get((atom,), ()), index, index)[:2] if at.get((atom,)) else (index, index)
        spaces.append(Space(atom, thing.name, own, x, y, number.get((atom,)), colour.get((atom,)),
                            bool(home.get((atom,)))))
    board = Board(spaces, [], read.state("pieces"), read.state("holds"), (), {})
    for name, paint in (screens.get("colours") or {}).items():
        board.colours.update({atom: paint for atom in words.by_name.get(name, ())})
    board.movable = read.movable
    if "rows" in spec:
        places = {space.id: index for index, space in enumerate(spaces)}
        board.grid = [[places[str(name)] for name in row if str(name) in places] for row in spec["rows"]]
        for y, row in enumerate(board.grid):
            for x, index in enumerate(row):
                spaces[index].x, spaces[index].y = x * 100, y * 100
    board.routes = read.routes([space.atom for space in spaces])
    return board


class _Reading:
    """What `screens` names, looked up; a name that does not exist is a problem of the rules, told as such."""

    def __init__(self, game, spec):
        self.words, self.spec, self.movable = game.vocabulary, spec, ()

    def unknown(self, key: str, names: Iterable[str]):
        from ..interpreter import RulesError
        from ..interpreter.errors import did_you_mean, problem

        name = str(self.spec[key])
        return RulesError(problem("unknown_name", self.spec.value_at[key], len(name), name=name,
                                  meant=did_you_mean(name, list(names)) or ""))

    def set(self, key: str):
        if self.spec[key] not in self.words.sets:
            raise self.unknown(key, self.words.sets)
        return self.words.sets[self.spec[key]]

    def column(self, key: str, things) -> dict[tuple, Any]:
        if key not in self.spec:
            return {}
        found = [f for f in self.words.functions.get(f"{self.spec[key]} of _", ())
                 if f.kind == "table" and f.params[0].type == things.type]
        if not found:
            raise self.unknown(key, [shape.removesuffix(" of _") for shape in self.words.functions])
        return found[0].values

    def state(self, key: str) -> str:
        if key not in self.spec:
            return ""
        found = self._function(key, "state")
        if key == "pieces":
            self.movable = tuple(sorted(found.params[0].type.atoms))
        return found.shape

    def _function(self, key: str, kind: str):
        from ..interpreter import RulesError

        try:
            shape, _ = self.words.checker.head(self.spec[key], self.spec.value_at[key])
        except RulesError:
            shape = ""
        found = [f for f in self.words.functions.get(shape, ()) if f.kind == kind and f.params]
        if not found:
            raise self.unknown(key, [f.shape for fs in self.words.functions.values() for f in fs if f.kind == kind])
        return found[0]

    def routes(self, atoms: list[int]) -> list[Route]:
        if "links" not in self.spec:
            return []
        places = {atom: index for index, atom in enumerate(atoms)}
        lines, found = self.spec.get("lines") or {}, {}
        for (start, *kind), ends in sorted(self._function("links", "table").values.items()):
            way = kind[0] if kind else None
            dashed = way is not None and lines.get(self.words.atoms[way].name) == "dashed"
            for end in ends:
                pair = tuple(sorted((places[start], places[end])))
                found[pair, way] = Route(pair, way, dashed)
        return [found[key] for key in sorted(found, key=str)]


# --- short codes ------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Codes:
    spaces: dict[str, str]  # by the name of the space: the same in every language
    pieces: dict[str, str]  # by the name of the piece
    letters: dict[int, str]  # by atom: a colour, a kind of figure


def codes_of(game, language: Language, board: Board | None = None) -> Codes:
    """Letters for what is drawn: a figure by those of its parts, a space by three of its name."""
    from .narrate import Narrator

    board = board or board_of(game)
    said, words = Narrator(game, language).name, game.vocabulary
    letters: dict[int, str] = {}
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
    pieces = {words.atoms[a].name: "".join(letters[p] for p in words.atoms[a].parts) or letters[a]
              for a in board.movable}
    if board.holds:
        held = [f for f in words.functions[board.holds] if f.kind == "state"][0].result
        atoms = sorted(held.atoms)
        _letters([a for a in atoms if a not in letters], said, letters, str.upper)
        pieces.update({words.atoms[a].name: letters[a] for a in atoms})
    return Codes(space_codes(board), pieces, letters)


def _letters(atoms: Sequence[int], said, letters: dict[int, str], case, taken: Iterable[str] = ()) -> None:
    """One letter for each: the first of its name if it is free, else the next."""
    used = set(taken)
    for atom in atoms:
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
        tries = [word[:CODE]] + [rest[0] + a + b for i, a in enumerate(rest[1:], 1) for b in rest[i + 1:]]
        tries += [f"{rest[0]}{n:02}" for n in range(100)]
        code = next(c for c in (t.capitalize() for t in tries) if c not in used)
        codes[space.id] = code
        used.add(code)
    return codes


def _plain(text: str) -> str:
    """Without accents: a code can be typed on every keyboard."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


# --- widths -------------------------------------------------------------------------------------------------------------
def width_of(text: str) -> int:
    """How many columns a text takes; a full-width letter takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def padded(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


# --- where the spaces lie on the grid ----------------------------------------------------------------------------------
@lru_cache(maxsize=32)
def _layout(points: tuple[tuple[float, float], ...], width: int, height: int, room: int) -> tuple[tuple[int, int], ...]:
    """A cell for each point; `room` cells from there to the right are its own."""
    xs, ys = _spread([p[0] for p in points]), _spread([p[1] for p in points])
    wanted = [(x * (width - room), y * (height - 1)) for x, y in zip(xs, ys)]
    crowd = [sum(abs(a - x) < room and abs(b - y) < 2 for a, b in wanted) for x, y in wanted]
    near = sorted(((c, r) for c in range(-width, width + 1) for r in range(-height, height + 1)),
                  key=lambda step: (step[0] ** 2 / 5 + step[1] ** 2, step))
    taken = [[False] * width for _ in range(height)]
    cells: dict[int, tuple[int, int]] = {}
    for index in sorted(range(len(points)), key=lambda i: (-crowd[i], i)):
        x, y = round(wanted[index][0]), round(wanted[index][1])
        cell = next(((x + c, y + r) for c, r in near if 0 <= y + r < height and 0 <= x + c <= width - room
                     and not any(taken[y + r][max(x + c - 1, 0):x + c + room + 1])), None)
        if cell is None:
            return ()
        cells[index] = cell
        taken[cell[1]][cell[0]:cell[0] + room] = [True] * room
    return tuple(cells[i] for i in range(len(points)))


def _spread(values: list[float]) -> list[float]:
    """From 0 to 1, halfway between true to scale and evenly spread."""
    low, high = min(values), max(values)
    ranks = {v: i for i, v in enumerate(sorted(set(values)))}
    most = max(len(ranks) - 1, 1)
    return [0.5 * (v - low) / ((high - low) or 1) + 0.5 * ranks[v] / most for v in values]


# --- drawing -------------------------------------------------------------------------------------------------------------
UNICODE = {"-": "─", "|": "│", "/": "╱", "\\": "╲", "~": "·", "o": "○", "^": "⌂"}
ANSI = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36, "grey": 90}


class _Canvas:
    """Characters with a style each. A full-width letter fills two cells, the second of which is empty."""

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self.cells = [[(" ", "")] * width for _ in range(height)]
        self.free = [[True] * width for _ in range(height)]  # nothing but a line, or nothing at all
        self.lines: dict[tuple[int, int], set[tuple[int, int]]] = {}  # from where the lines in a cell come

    def line(self, start: tuple[int, int], end: tuple[int, int], marks: str, style: str) -> None:
        (x, y), (x1, y1) = start, end
        dx, dy, sx, sy = abs(x1 - x), abs(y1 - y), 1 if x1 > x else -1, 1 if y1 > y else -1
        error = dx - dy
        while (x, y) != (x1, y1):
            twice, moved_x, moved_y = 2 * error, False, False
            if twice > -dy:
                error, x, moved_x = error - dy, x + sx, True
            if twice < dx:
                error, y, moved_y = error + dx, y + sy, True
            mark = marks[0] if not moved_y else marks[1] if not moved_x else marks[2] if sx * sy < 0 else marks[3]
            if (x, y) != (x1, y1) and self.free[y][x]:
                self.cells[y][x] = (mark, style)
                self.lines.setdefault((x, y), set()).update((start, end))

    def write(self, x: int, y: int, text: str, style: str = "") -> None:
        for letter in text:
            wide = width_of(letter)
            if wide == 0 or x + wide > self.width:
                continue
            self.cells[y][x], self.free[y][x] = (letter, style), False
            if wide == 2:
                self.cells[y][x + 1], self.free[y][x + 1] = ("", style), False
            x += wide

    def fits(self, x: int, y: int, width: int) -> bool:
        return x >= 0 and x + width <= self.width and all(self.free[y][x:x + width])

    def hides(self, x: int, y: int, width: int, home: tuple[int, int]) -> int:
        """How much of lines that do not come from here would be hidden by a text."""
        return sum(home not in self.lines.get((x + k, y), {home}) for k in range(width))

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
        while lines and not re.sub(r"\x1b\[[0-9;]*m", "", lines[-1]):
            lines.pop()
        return "\n".join(lines)


def draw(game, known: Mapping[str, Mapping[tuple, Any]], width: int, unicode: bool = True, colour: bool = False,
         language: Language | str = "en", legend: bool = True) -> str:
    """The board with what stands on it, as far as it is known (see `known_state`), and a key to the signs."""
    board = board_of(game)
    if board is None:
        return ""
    language = Language(language) if isinstance(language, str) else language
    picture = _Picture(game, board, language, known, unicode, colour)
    if board.grid:
        return picture.grid(width)
    height = max(24, width * 26 // 100)
    room = 2 + CODE + (3 if width >= 80 else 0)
    points = tuple((s.x, s.y) for s in board.spaces)
    cells = _layout(points, width, height, room) if width >= NARROWEST else ()
    if not cells:
        return picture.listed(width)
    return picture.map(cells, width, height, legend)


class _Picture:
    def __init__(self, game, board: Board, language: Language, known, unicode: bool, colour: bool):
        from .narrate import Narrator

        self.game, self.board, self.language, self.unicode, self.colour = game, board, language, unicode, colour
        self.codes = codes_of(game, language, board)
        self.name = Narrator(game, language).name
        self.standing = board.standing(known)
        self.atoms = {game.vocabulary.atoms[a].name: a for a in self.codes.letters}
        self.atoms.update({game.vocabulary.atoms[a].name: a for a in board.movable})

    def sign(self, mark: str) -> str:
        return UNICODE.get(mark, mark) if self.unicode else mark

    def called(self, atom: int) -> str:
        return self.name(atom)("list")

    # --- styles ---------------------------------------------------------------------------------------------------------
    def paint(self, atom: int | None, strong: bool = False) -> str:
        """The colour of a thing, or of the first part of it that has one."""
        parts = (atom, *self.game.vocabulary.atoms[atom].parts) if atom is not None else ()
        paint = next((self.board.colours[p] for p in parts if p in self.board.colours), None)
        code = str(ANSI[_nearest(paint)]) if paint else ""
        return ";".join(filter(None, ["1;7" if strong else "", code]))

    # --- a map ------------------------------------------------------------------------------------------------------------
    def map(self, cells, width: int, height: int, legend: bool) -> str:
        canvas = _Canvas(width, height)
        for dashed, style in ((True, "36"), (False, "")):
            marks = self.sign("~") * 4 if dashed else "".join(map(self.sign, "-|/\\"))
            for route in self.board.routes:
                if route.dashed == dashed:
                    canvas.line(cells[route.ends[0]], cells[route.ends[1]], marks, style)
        for space, (x, y) in zip(self.board.spaces, cells):
            canvas.write(x, y, self.mark(space), self.paint(space.colour) or ("1" if space.number or space.home else ""))
            canvas.write(x + 1, y, " " + self.codes.spaces[space.id], self.paint(space.colour))
        for space, (x, y) in zip(self.board.spaces, cells):
            self.pieces(canvas, space, x, y)
        for space, (x, y) in zip(self.board.spaces, cells):
            self.whole_name(canvas, space, x, y)
        return canvas.text(self.colour) + ("\n\n" + self.legend(width) if legend else "")

    def mark(self, space: Space) -> str:
        if space.number is not None:
            return str(space.number)[-1]
        if space.colour is not None:
            return self.codes.letters[space.colour].lower()
        return self.sign("^" if space.home else "o")

    def pieces(self, canvas: _Canvas, space: Space, x: int, y: int) -> None:
        here = self.standing.get(space.id, [])
        if not here:
            return
        codes = [(self.codes.pieces.get(p, "?"), self.paint(self.atoms.get(p), strong=True)) for p in here]
        length = sum(width_of(code) for code, _ in codes) + 1
        label = self.codes.spaces[space.id]
        x += 2 + width_of(label)
        if not canvas.fits(x, y, length):  # there is no room beside the code: the pieces stand in its place
            x -= width_of(label) + 1
            canvas.write(x, y, " " * (width_of(label) + 1))
        canvas.write(x, y, ":", "1")
        x += 1
        for code, style in codes:
            canvas.write(x, y, code, style)
            x += width_of(code)

    def whole_name(self, canvas: _Canvas, space: Space, x: int, y: int) -> None:
        """The name instead of its code, where it hides nothing but routes of its own."""
        name, label = self.called(space.atom), self.codes.spaces[space.id]
        more, after = width_of(name) - width_of(label), x + 2 + width_of(label)
        if self.standing.get(space.id) or more > 0 and not (
                canvas.fits(after, y, more) and (after + more == canvas.width or canvas.fits(after, y, more + 1))
                and canvas.hides(after, y, more, (x, y)) <= more // 4):
            return
        canvas.write(x + 2, y, padded(name, width_of(label)), self.paint(space.colour))

    # --- the key ------------------------------------------------------------------------------------------------------------
    def legend(self, width: int) -> str:
        return ""

    def listed(self, width: int) -> str:
        return ""

    def grid(self, width: int) -> str:
        return ""


def _nearest(paint: str) -> str:
    """The colour of a terminal that is most like this one."""
    import colorsys

    hue, light, strength = colorsys.rgb_to_hls(*(int(paint[i:i + 2], 16) / 255 for i in (1, 3, 5)))
    if strength < 0.2 or light < 0.1:
        return "grey"
    wheel = ("red", "yellow", "green", "cyan", "blue", "magenta")
    return wheel[round(hue * 6) % 6]
