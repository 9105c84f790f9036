"""The full screen cut into panes: what stands in which rows and columns, and what lies where somebody points.

All of it is reckoned here, from a `Frame` and a size, in rows of segments; `full.py` draws those that have changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from ..common.layout import cut, padded, width_of, wrapped
from .frames import Choice, Frame, side_of

__all__ = ["PROMPT", "Choices", "Panes", "paged", "rows_of"]

PROMPT = " > "  # before what is typed
FEW = 9  # choices that stand one below the other, whatever their width
TOLD, AMONG = 16, 15  # rows at most: of a lesson, of the choices
SAID, ASKED = 4, 6  # rows of what is said and of a question, where there is no room for more
LEAST = 4  # rows of choices, before other things make room for them
NEWS = 7  # rows of the log, before anything else has some to spare
LAST_NEWS = 6  # as long as something is said that takes many rows
BRIEF = 2  # rows of most things that are said
FAINT, PLAIN = Style.parse("bright_black"), Style()
Row = list[Segment]
_console = Console(width=1000, color_system=None, force_terminal=False)


class Choices:
    """What can be chosen: one below the other, in columns, or by groups; one of them is pointed at."""

    def __init__(self) -> None:
        self.choices: Sequence[Choice] = ()
        self.listed, self.at, self.room = [0][:0], 0, 1
        self.cells: list[tuple[int, int, int]] = []  # of each that is listed: row, column, columns
        self.more: dict[int, tuple[int, str]] = {}  # rows that go on with a long one: which, and what stands there
        self.heads: dict[int, str] = {}  # rows that begin with the name of a group
        self.ticks: Mapping[int, int] | None = None  # where several are chosen: which, and how often

    def list(self, choices: Sequence[Choice], places: Sequence[int], room: int) -> None:
        self.choices, self.listed, self.at, self.room = choices, [*places], 0, room
        self.digits = max((len(one.typed) for one in choices), default=1)
        self.cells, self.heads, self.more = [], {}, {}
        if any(choices[place].group for place in self.listed) and len(self.listed) > FEW:
            self._in_groups(room)
        else:
            self._in_columns(room)

    @property
    def narrowed(self) -> bool:
        return len(self.listed) < len(self.choices)

    @property
    def pointed(self) -> int | None:
        return self.listed[self.at] if self.listed else None

    def _in_columns(self, room: int) -> None:
        widest = max((width_of(self._line(place)) for place in self.listed), default=1)
        columns = 1 if len(self.listed) <= FEW else max(1, room // (widest + 2))
        if columns == 1 and len(self.listed) <= FEW:
            return self._in_lines(room)
        wide = room if columns == 1 else widest + 2
        rows = max(1, -(-len(self.listed) // columns))
        self.cells = [(number % rows, number // rows * wide, wide) for number in range(len(self.listed))]

    def _in_lines(self, room: int) -> None:
        """One below the other; what is too long goes on in the next row."""
        row = 0
        for number, place in enumerate(self.listed):
            self.cells.append((row, 0, room))
            _, *more = wrapped(self._line(place), room, "", "     ")
            for text in more:
                row += 1
                self.more[row] = number, text
            row += 1

    def _in_groups(self, room: int) -> None:
        """A line for each group, or several; what belongs to none has a line of its own."""
        choices, row, column, last = self.choices, -1, 0, None
        side = max(width_of(choice.group) for choice in choices) + 1
        for place in self.listed:
            group, wide = choices[place].group, width_of(self._line(place)) + 1
            if not group:
                row, column, wide = row + 1, 0, room
            elif group != last:
                row, column = row + 1, side
                self.heads[row] = group
            elif column + wide > room:
                row, column = row + 1, side
            self.cells.append((row, column, min(wide, room - column)))
            column, last = column + wide, group

    def _line(self, place: int) -> str:
        choice = self.choices[place]
        return f"▸{choice.typed.rjust(self.digits)} {self._box(place)}{choice.short or choice.label}"

    def _by_signs(self) -> bool:
        """Are pieces named by their signs on the board? If one of their names has no room."""
        cells = zip(self.listed, self.cells)
        return not self.more and any(
            self.choices[place].briefs and width_of(self._line(place)) > wide for place, (_, _, wide) in cells
        )

    def _box(self, place: int) -> str:
        """Where several are chosen: is this?"""
        if self.ticks is None:
            return ""
        count = self.ticks.get(place, 0)
        return "[ ] " if not count else "[✓] " if count == 1 else f"[{count}] "

    def rows(self) -> list[Row]:
        """As they stand there: what is pointed at, in reverse and with a sign."""
        count = max((*(cell[0] for cell in self.cells), *self.more), default=-1) + 1
        texts = [Text(no_wrap=True).append(self.heads.get(row, ""), "bold") for row in range(count)]
        for row, (number, line) in self.more.items():
            texts[row].append(padded(line, self.cells[number][2]), "reverse" if number == self.at else "")
        by_signs = self._by_signs()
        for number, (row, column, wide) in enumerate(self.cells):
            choice, line = self.choices[self.listed[number]], self._line(self.listed[number])
            if by_signs and choice.briefs and not choice.short:
                lead = line.removesuffix(choice.label)
                lines = [lead + brief for brief in choice.briefs]
                line = next((line for line in lines if width_of(line) <= wide), lines[-1])
            line = padded(wrapped(line, wide)[0] if row + 1 in self.more else _shortened(line, choice.tail, wide), wide)
            here, text = number == self.at, texts[row]
            text.append(" " * (column - width_of(text.plain)))
            text.append(line if here else " " + line[1:], "reverse" if here else "")
        return [[*text.render(_console)] for text in texts]

    def found(self, column: int, row: int) -> int | None:
        """Which choice stands there."""
        row = self.cells[self.more[row][0]][0] if row in self.more else row
        for number, (y, x, wide) in enumerate(self.cells):
            if y == row and x <= column < x + wide:
                return self.listed[number]
        return None


def _shortened(line: str, tail: str, width: int) -> str:
    """In so many columns, with what stands at its end: who is there, say. What moves is on the board anyway."""
    if width_of(line) <= width or not tail or not line.endswith(tail):
        return cut(line, width)
    first, *rest = line.removesuffix(tail).split(" · ")
    last = "".join(f" · {part}" for part in rest) + tail
    room = max(8, width - width_of(last))
    return cut(cut(first, room) + last, width)


@dataclass(slots=True)
class Pane:
    """Rows of which as many are seen as there is room for, from one of them on."""

    x: int
    y: int
    width: int
    height: int
    rows: Sequence[Row]
    top: int = 0
    indent: int = 0  # columns and rows that are left free before them
    sink: int = 0

    @property
    def most(self) -> int:
        return max(0, len(self.rows) - self.height)

    def row(self, y: int) -> Row:
        """What stands in a row of the pane, in exactly its columns."""
        here, bar, place = self.rows, self.most > 0, y - self.sink + self.top
        text = [Segment(" " * self.indent), *here[place]] if 0 <= place < len(here) else []
        width = self.width - bar
        filled = Segment.adjust_line_length(text, max(0, width), PLAIN)
        if bar and width >= 0:
            size = max(1, self.height * self.height // len(here))
            begin = self.top * (self.height - size) // self.most
            filled.append(Segment("█" if begin <= y < begin + size else " ", FAINT))
        return filled


class Panes:
    """What a screen of some size shows of a frame, and of what was said and scrolled since."""

    def __init__(self) -> None:
        self.size, self.frame, self.said = (1, 1), Frame(), ""
        self.choices = Choices()
        self.panes: dict[str, Pane] = {}
        self.tops: dict[str, int] = {}  # how far what was scrolled
        self.latest = True  # the end of the log is in sight
        self._kept: dict[str, tuple[object, Sequence[Row]]] = {}

    def show(self, frame: Frame, size: tuple[int, int]) -> None:
        self.frame, self.size, self.said, self.tops, self.latest = frame, size, "", {}, True
        self.choices.ticks = {} if frame.several else None
        self.list(range(len(frame.choices)))

    def freshen(self, frame: Frame, size: tuple[int, int]) -> bool:
        """The same question with more around it: what was pointed at, scrolled and said stays. Is it the same?"""
        before = self.frame
        same = bool(frame.serial) and (frame.serial, frame.choices) == (before.serial, before.choices)
        if same and size == self.size:
            self.frame = replace(frame, question=before.question)
            if frame.row != before.row:
                self.tops.pop("board", None)
        return same and size == self.size

    def tick(self, ticks: Mapping[int, int], question: str, said: str) -> None:
        """Of several things, these are chosen."""
        self.frame, self.said, self.choices.ticks = replace(self.frame, question=question), said, ticks

    def list(self, places: Sequence[int]) -> None:
        self.choices.list(self.frame.choices, places, max(1, side_of(self.size[0]) - 1))
        self.tops.pop("among", None)

    def point(self, number: int) -> None:
        if self.choices.listed:
            self.choices.at = number % len(self.choices.listed)
            self.tops["among"] = self.choices.cells[self.choices.at][0] - 2

    # --- rows ---------------------------------------------------------------------------------------------------------
    def drawn(self) -> list[Row]:
        """The whole screen."""
        width, height = self.size
        self._lay(width, height)
        grid: list[list[tuple[int, Row]]] = [[] for _ in range(height)]
        for pane in self.panes.values():
            for y in range(pane.height):
                if 0 <= pane.y + y < height:
                    grid[pane.y + y].append((pane.x, pane.row(y)))
        rows = []
        for parts in grid:
            row: Row = []
            for _, part in sorted(parts, key=lambda pair: pair[0]):
                row += part
            rows.append(Segment.adjust_line_length(row, width, PLAIN))
        return rows

    def _lay(self, width: int, height: int) -> None:
        frame, side = self.frame, min(side_of(width), width)
        left = max(0, width - side - 1)
        self.panes = {}
        status = self._wrapped("status", frame.status, max(1, width - 2))
        title = padded(cut(f" {frame.title}", width), width)
        self._put("title", (0, 0, width, 1), self._styled("title", title, f"bold reverse {frame.paint}".strip()))
        head = max(frame.head, len(status))
        self._put("status", (0, 1, width, head), status, indent=1)
        top = 1 + head
        self._put("rule", (0, top, width, 1), self._styled("rule", "─" * left + "┬" + "─" * side))
        rows = max(0, height - top - 2)
        self._put("keys", (0, height - 1, width, 1), self._lines("keys", self._keys()))
        self._lay_board(top + 1, left, rows)
        joints = self._lay_side(top + 1, left + 1, side, rows)
        joined = "\n".join("├" if top + 1 + row in joints else "│" for row in range(rows))
        self._put("divider", (left, top + 1, min(1, width - side), rows), self._styled("divider", joined))

    def _lay_board(self, top: int, width: int, rows: int) -> None:
        frame = self.frame
        key = self._lines("key", frame.key)[:3] if frame.key.plain else []
        rows = max(0, rows - len(key))
        lines = self._lines("board", frame.board or frame.table)
        indent = sink = 0
        if frame.board:
            widest = max((width_of(line) for line in frame.board.plain.split("\n")), default=0)
            indent, sink = max(0, (width - widest) // 2), max(0, (rows - len(lines)) // 2)
        elif frame.table:
            indent = 1
        if frame.row is not None:
            self.tops.setdefault("board", frame.row - rows // 2)
        self._put("board", (0, top, width, rows), lines, indent, sink)
        self._put("key", (0, top + rows, width, len(key)), key)

    def _lay_side(self, top: int, x: int, width: int, rows: int) -> set[int]:
        """The log, notes, question, choices, what was said; in which rows lines begin between them."""
        frame, wide = self.frame, max(1, width - 2)
        told, question, said = (
            self._wrapped(name, text, wide, style)
            for name, text, style in (
                ("told", frame.told, ""),
                ("question", frame.question, "bold"),
                ("said", self.said, "italic"),
            )
        )
        choices = self.choices.rows()
        least = NEWS if len(said) <= BRIEF else LAST_NEWS  # it can be read again when the long sentence is gone
        room = max(rows - least, min(rows, 8)) - 2  # a line above, one to type in
        # Where there is room, nothing of them is left out; else the choices can be scrolled, and these cannot.
        question = question[: max(ASKED, room - len(said) - min(len(choices), LEAST))]
        said = said[: max(SAID, room - len(question) - min(len(choices), LEAST))]
        room = max(0, room - len(said) - len(question))
        told = told[: min(TOLD, max(0, room - min(len(choices), LEAST)))]
        among = max(0, min(len(choices), AMONG, room - len(told)))
        y = top + rows - 1
        self._put("prompt", (x, y, width, min(1, rows)), self._styled("prompt", PROMPT))
        y -= len(said)
        self._put("said", (x, y, width, len(said)), said, 1)
        y -= among
        self._put("among", (x, y, width, among), choices)
        y -= len(question)
        self._put("question", (x, y, width, len(question)), question, 1)
        y -= len(told)
        self._put("told", (x, y, width, len(told)), told, 1)
        y -= 1
        line = self._styled("line", "─" * width)
        self._put("line", (x, y, width, 1), line)
        joints, high = {y}, max(0, min(rows // 2, y - top - 1 - max(NEWS, rows // 4 + 1)))
        fits = high - max(0, BRIEF - len(said))  # a sheet does not become another one when something is said
        some = next((text for text in frame.sheets if text.plain.count("\n") < fits), [Text(), *frame.sheets][-1])
        sheet = self._lines("sheet", some) if some.plain else []
        high = min(len(sheet), high)
        if high > 2:  # what there is no room for can be scrolled to
            y -= high
            self._put("sheet", (x, y, width, high), sheet, 1)
            y -= 1
            self._put("over", (x, y, width, 1), line)
            joints.add(y)
        news, high = self._lines("log", frame.log), max(0, y - top)
        if self.latest:  # whatever makes room or takes it
            self.tops["log"] = len(news)
        self._put("log", (x, top, width, high), news, 1)
        return joints

    def _put(self, name: str, where: tuple[int, int, int, int], rows: Sequence[Row], indent: int = 0, sink: int = 0):
        pane = Pane(*where, rows, 0, indent, sink)
        pane.top = self.tops[name] = max(0, min(self.tops.get(name, 0), pane.most))
        self.panes[name] = pane

    def _keys(self) -> Text:
        text = Text(no_wrap=True)
        for key, word, _ in self.frame.keys:
            text.append(" ").append(key, "reverse").append(f" {word} ")
        return text

    def _lines(self, name: str, text: Text) -> Sequence[Row]:
        """The lines of a text that is as wide as it should be."""
        kept = self._kept.get(name)
        if kept is None or kept[0] != text:
            kept = self._kept[name] = text, rows_of(text)
        return kept[1]

    def _wrapped(self, name: str, text: str, width: int, style: str = "") -> Sequence[Row]:
        """The lines of a text, broken where the language allows it."""
        lines = [part for line in text.splitlines() for part in wrapped(line, width)]
        return self._styled(name, "\n".join(lines), style) if lines else []

    def _styled(self, name: str, text: str, style: str = "") -> Sequence[Row]:
        return self._lines(name, Text(no_wrap=True).append(text, style))

    # --- pointing -----------------------------------------------------------------------------------------------------
    def at(self, x: int, y: int) -> tuple[str, int, int]:
        """In which pane that is, and where in what stands there."""
        for name, pane in self.panes.items():
            if pane.y <= y < pane.y + pane.height and pane.x <= x < pane.x + pane.width:
                return name, x - pane.x - pane.indent, y - pane.y - pane.sink + pane.top
        return "", 0, 0

    def choices_at(self, x: int, y: int) -> tuple[int, ...]:
        """The choice that is there: in the list, or on the board, where there may be several."""
        name, column, row = self.at(x, y)
        if name == "among":
            found = self.choices.found(column, row)
            return () if found is None else (found,)
        for (begin, line, wide), places in self.frame.spots.items() if name == "board" else ():
            if line == row and begin <= column < begin + wide:
                return places
        return ()

    def name_at(self, x: int, y: int) -> str:
        """What the place on the map is called, if there is one."""
        name, column, row = self.at(x, y)
        for (begin, line, wide), said in self.frame.names.items() if name == "board" else ():
            if line == row and begin <= column < begin + wide:
                return said
        return ""

    def command_at(self, x: int, y: int) -> str | None:
        """What the key there does."""
        if self.at(x, y)[0] != "keys":
            return None
        end = 0
        for key, word, command in self.frame.keys:
            end += width_of(f" {key} {word} ")
            if x < end:
                return command
        return None

    def scroll(self, name: str, step: int) -> None:
        if name in self.panes:
            self.tops[name] = self.panes[name].top + step
            self.latest = self.latest if name != "log" else self.tops[name] >= self.panes[name].most

    def page(self, name: str) -> int:
        """By how much one goes on in it."""
        return max(1, self.panes[name].height - 2) if name in self.panes else 1


def paged(rows: Sequence[Row], top: int, size: tuple[int, int]) -> tuple[list[Row], int]:
    """What is looked up, in a frame of its own, from one of its rows on; and from which."""
    width, height = size[0], min(size[1], len(rows) + 2)
    pane = Pane(0, 0, max(0, width - 4), max(0, height - 2), rows)
    pane.top = max(0, min(top, pane.most))
    inner = [[Segment("┃ "), *pane.row(y), Segment(" ┃")] for y in range(pane.height)]
    first, last = ([Segment(f"{a}{side:━>{max(0, width - 2)}}{b}")] for a, side, b in ("┏━┓", ("┗", " Esc ━━", "┛")))
    return [Segment.adjust_line_length(row, width, PLAIN) for row in (first, *inner, last)][:height], pane.top


def rows_of(text: Text) -> list[Row]:
    """Its lines; nothing is broken here."""
    return [*Segment.split_lines(text.render(_console))] if text.plain else []
