"""The full screen as data: what stands on it, in texts of the size that there is, and where one can point at something.

It is made of a `Sight`, and so of one person's `Player` alone; `full.py` only draws it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from rich.style import Style
from rich.text import Span, Text

from ...interpreter.runtime import Number
from ...lab.turns import have_owners, is_last
from ...speech.language import N_, Language
from ...speech.narrator import Narrator
from ..common.layout import cut, width_of, wrapped
from ..paper.map import Spot, draw, drawn, paint_of
from .aims import aims
from .lookup import KEYS, Lookup, key_of
from .menu import Offer
from .picking import has_end, picks_of
from .prompt import STOP
from .sight import Sight
from .tabletop import sheets, table
from .turns import Turn
from .view import View

__all__ = [
    "KEYS",
    "LATEST",
    "STATUS",
    "Choice",
    "Frame",
    "being_drawn",
    "board_of",
    "frame_of",
    "inked",
    "log_of",
    "looked_up",
    "side_of",
    "sure_of",
    "without_colours",
]

LATEST = 200  # lines of the log that are kept on the screen; `log` tells all
UNDO, LEAVE = ("^Z", "undo"), ("^Q", "quit")
STATUS = 3  # lines at most
Spots = dict[Spot, tuple[int, ...]]
STYLED = re.compile(r"\x1b\[([0-9;]*)m")
HIGH = 40  # rows of a screen on which the notes stay open beside a board


@dataclass(frozen=True, slots=True)
class Choice:
    typed: str  # what is typed for it
    label: str
    group: str = ""  # what it has in common with those beside it, where there are many
    short: str = ""  # what it is called among these
    tail: str = ""  # how the label ends: with where something stands, or who is there
    briefs: Sequence[str] = ()  # the same with the signs of the board for pieces, and ever fewer details behind it


@dataclass(slots=True)
class Frame:
    """All that stands on the screen at a moment."""

    title: str = ""
    paint: str = ""  # the colour of the one who sits here
    status: str = ""
    head: int = 0  # lines that are kept for it
    board: Text = field(default_factory=Text)
    key: Text = field(default_factory=Text)  # what the signs on the board mean
    table: Text = field(default_factory=Text)  # what lies on the table, where there is no board
    sheets: Sequence[Text] = ()  # notes, where there is room for them beside a board: all of them, then ever less
    spots: Spots = field(default_factory=dict)  # where on the board which choices lie
    names: dict[Spot, str] = field(default_factory=dict)  # where on a map which place lies, and who is there
    log: Text = field(default_factory=Text)
    told: str = ""  # by somebody who explains the game
    question: str = ""
    choices: Sequence[Choice] = ()
    keys: Sequence[tuple[str, str, str]] = ()  # a key, what it does in words, and the command
    row: int | None = None  # of the board, that should be in sight
    several: bool = False  # of these one chooses several, which are ticked
    inside: bool = False  # a choice is begun, and can be given up
    goes_on: bool = False  # with a choice of which a part was made just now
    how: str = ""  # in which ways one can choose
    lost: str = ""  # what is said to somebody who has typed something before the question was there
    serial: int = 0  # of the question: what was typed for an earlier one does not count

    def asking(self, question: str, labels: Sequence[str]) -> Frame:
        """The same, but that something else is asked."""
        return replace(
            self,
            told="",
            several=False,
            inside=True,
            goes_on=False,
            question=question,
            choices=[Choice(str(n), label) for n, label in enumerate(labels, 1)],
            spots={},
        )


def side_of(width: int) -> int:
    """The columns beside the board: for the log and the choices."""
    return max(34, min(58, width * 34 // 100 + (width - 100) // 20))


def board_of(size: tuple[int, int], status: int) -> tuple[int, int]:
    """The columns and rows for the board, beside so many lines of status."""
    return max(20, size[0] - side_of(size[0]) - 1), max(6, size[1] - 3 - status)


def frame_of(
    sight: Sight, size: tuple[int, int], said: str = "", meanwhile: Callable[[Frame], None] = lambda _: None
) -> Frame:
    """What one person sees, on a screen of so many columns and rows; and meanwhile, if it takes long to draw a map."""
    view, language = sight.view, sight.view.language
    choices, status = _choices(sight), _status(sight, size[0])
    head = STATUS if status and (view.board is None or not view.board.grid) else len(status)
    space = board_of(size, head)  # what is below it stays where it is when more is known
    lies, spots = _table(sight, choices, space) if view.board is None else (Text(), {})
    side = side_of(size[0]) - 2
    asked = [part for part in (said, *_asked(sight)) if part]
    frame = Frame(
        title=f"{language.text(view.game.name)} · {language.say(N_('You are {name}.'), name=view.called)}",
        paint="" if os.environ.get("NO_COLOR") else paint_of(view.game, view.seat.seat),
        status="\n".join(status),
        head=head,
        table=lies,
        sheets=() if view.board is None or size[1] < HIGH else _sheets(view, side),
        spots=spots,
        log=log_of(view.narrator, view.history, view.seat.seat, size[0]),
        told="\n".join(sight.told),
        question=" ".join(asked),
        choices=choices,
        keys=_keys(view),
        several=picks_of(sight.menu) is not None,
        inside=sight.menu is not None and not sight.menu.walk.is_fresh,
        goes_on=sight.menu is not None and not sight.menu.walk.is_fresh,
        how=language.say(N_("number, name, ↑↓ Enter, click")),
        lost=language.say(N_("Type a number, or how your choice begins.")),
    )
    if view.board is None:
        return frame
    board, key, spots, names, rows = _board(
        sight, choices, space, lambda: meanwhile(replace(frame, board=Text(being_drawn(language))))
    )
    return replace(frame, board=board, key=key, spots=spots, names=names, row=rows[len(rows) // 2] if rows else None)


def being_drawn(language: Language) -> str:
    return language.say(N_("The map is being drawn …"))


def sure_of(sight: Sight) -> str:
    """What is said where something has to be confirmed since it cannot be taken back."""
    say, menu = sight.view.language.say, sight.menu
    if menu is not None and menu.walk.shape != "some" and is_last(sight.view.game, menu.walk.step):
        return say(N_("This ends your turn. Choose it again to confirm."))
    return f"{say(N_('This cannot be taken back.'))} {say(N_('Press Enter to go on.'))}"


def _keys(view: View) -> list[tuple[str, str, str]]:
    """The keys that are of use in this game."""
    language, words = view.language, Lookup(view).words()
    found = []
    for key, command in (*((key.upper(), name) for key, name in KEYS), UNDO, LEAVE):
        word = language.pgettext("command", command) or command
        if word not in words or command == "notes" and not keeps_notes(view):
            continue
        if command == "?":
            word = language.say(N_("help"))
        elif command == "map" and view.board is not None and view.board.grid:
            word = language.say(N_("board"))
        found.append((key, word, command))
    return found


def keeps_notes(view: View) -> bool:
    """Is there anything to note in this game?"""
    return view.notebook.screens.notes is not None or bool(view.marks.blocks())


def _asked(sight: Sight) -> Sequence[str]:
    """Whole questions: what stands open; what was chosen so far, and what is to be chosen now."""
    view, walk = sight.view, sight.menu.walk if sight.menu is not None else None
    if walk is None:
        return sight.asks
    if walk.is_fresh or walk.shape != "one":
        return sight.question, sight.heading
    chosen = [view.label(v) for v in walk.settled if not isinstance(v, tuple) and not view.is_alternative(v)]
    chosen = chosen or [view.label(v) for v in walk.settled if not isinstance(v, tuple)]
    said = " · ".join(chosen)
    return (f"{said[:1].upper()}{said[1:]} –" if said else "", sight.heading)


def _status(sight: Sight, width: int) -> list[str]:
    """Who he is, what he is after, and what he can be certain of."""
    view, language = sight.view, sight.view.language
    open_anyway = view.board is None or view.board.grid  # what lies open is before his eyes
    facts = view.notebook.secrets(view.known()) if open_anyway else sight.facts
    facts = [*facts, *view.notebook.looked_for(view.known())]
    parts = [language.labelled(label, value) for label, value in facts]
    rows = view.possible_rows() or ()
    if len(rows) > 1:
        parts.append(
            language.ngettext(
                "Your goal is still open: there is {number} possibility.",
                "Your goal is still open: there are {number} possibilities.",
                len(rows),
            )
        )
    lines = [*_in_rows(parts, width - 2), *(line for said in sight.certain for line in wrapped(said, width - 2))]
    room = STATUS - len(lines) if view.board is None or not view.board.grid else 1
    whole = " ".join(aims(view.game, view.language))
    lines += _whole_sentences(whole, width - 2, room, key_of("rules")) if whole and room > 0 else []
    kept = STATUS - 1
    if len(lines) > STATUS:
        lines[kept:] = [_cut(" ".join(lines[kept:]), width - 2, key_of("mission"))]
    return lines


def _in_rows(parts: Sequence[str], width: int) -> list[str]:
    """One behind the other, with dots between them; what fits into a row is not broken."""
    lines: list[str] = []
    for part in parts:
        joined = f"{lines[-1]} · {part}" if lines else part
        if lines and width_of(joined) <= width:
            lines[-1] = joined
        else:
            lines += wrapped(part, width)
    return lines


def _whole_sentences(text: str, width: int, rows: int, more: str) -> list[str]:
    """As many of its sentences as fit into so many rows; of the first, as much as does. Where some are left out, it
    ends with `more`."""
    ends = [found.end() for found in re.finditer(r"[.!?](?=\s|$)|[。！？]", text)]
    for end in reversed(ends):
        rest = f" {more}" if text[end:].strip() else ""
        if len(lines := wrapped(text[:end] + rest.replace(" ", "\xa0"), width)) <= rows:
            return [line.replace("\xa0", " ") for line in lines]
    lines = wrapped(text, width)
    return [*lines[: rows - 1], _cut(" ".join(lines[rows - 1 :]), width, more)] if lines else []


def _cut(text: str, width: int, more: str) -> str:
    """In so many columns; where something is left out, it ends with `more`."""
    if width_of(text) <= width:
        return text
    return cut(text, max(1, width - width_of(more) + 1)).removesuffix("…").rstrip(" .。") + more


def _briefs(view: View, offer: Offer) -> list[str]:
    """With the signs that stand on the board instead of the names of pieces; at first with all details behind it."""
    if not view.signs:
        return []
    found = [offer.label + view.aside(offer.details[:count]) for count in range(len(offer.details), -1, -1)]
    for name, sign in view.signs.items():
        found = [text.replace(name, sign) for text in found]
    return found


def _choices(sight: Sight) -> list[Choice]:
    """By numbers; what is a number itself, by that."""
    menu = sight.menu
    numbers = menu is not None and menu.is_numbers
    groups = {place: name for name, places in (menu.groups() if menu is not None else ()) for place in places if name}
    found = [
        Choice(
            ("" if not isinstance(offer.value, Number) else str(int(offer.value))) if numbers else str(typed),
            offer.shown,
            groups.get(place, ""),
            menu.short(offer) if menu is not None and place in groups else "",
            offer.where,
            _briefs(sight.view, offer),
        )
        for place, (offer, typed) in enumerate(zip(sight.offers, menu.numbers if menu is not None else (), strict=True))
    ]
    end = [sight.view.label(STOP)] if has_end(menu) else []
    beside = [*end, *([sight.goes_by] if menu is None else []), *sight.words]
    most = menu.most if menu is not None else 0
    return found + [Choice("" if numbers else str(n), label) for n, label in enumerate(beside, most + 1)]


def _board(
    sight: Sight, choices: Sequence[Choice], size: tuple[int, int], waits: Callable[[], None]
) -> tuple[Text, Text, Spots, dict[Spot, str], list[int]]:
    """The board, with what can be chosen lit and numbered, the key to it, where that lies, what places are called, and
    in which rows there is something to choose."""
    view = sight.view
    assert view.board is not None
    places, names = view.known().get(view.board.pieces, {}), view.game.vocabulary.atoms
    spaces = {space.atom: space.id for space in view.board.spaces}
    lit: dict[str, list[int]] = {}  # where something is chosen: the places of these choices
    begun: dict[str, list[int]] = {}  # from where what is chosen goes somewhere else
    for number, offer in enumerate(sight.offers):
        goals = [spaces[atom] for atom in offer.atoms if atom in spaces]
        starts = [places.get((names[atom].name,)) for atom in offer.atoms if atom in view.board.movable]
        for where, at in ((lit, goals or starts), (begun, starts if goals else ())):
            for space in at:
                if space is not None and number not in where.setdefault(space, []):
                    where[space].append(number)
    shown = {space: choices[found[0]].typed + "+" * (len(found) > 1) for space, found in lit.items()}
    seat = view.game.vocabulary.seats[view.game.seat(view.seat.seat)]
    moves = sight.menu.walk_moves if sight.menu is not None else None
    moving = places.get((names[moves].name,)) if moves is not None else None
    whole = view.language.say(N_("names: {key}"), key=key_of("map").removeprefix("… "))
    picture = drawn(view.game, view.on_board(), size, view.language, shown, seat, moving, waits, whole, view.last)
    touch = picture.reach or picture.spots
    several = {space: chosen for space, chosen in begun.items() if len(chosen) > 1}  # a click there only narrows
    found = {touch[space]: tuple(chosen) for space, chosen in {**several, **lit}.items() if space in touch}
    rows = sorted(touch[space][1] for space in lit if space in touch)
    for (x, y, wide), chosen in [*found.items()] if picture.tall > 1 else ():
        found.update({(x, row, wide): chosen for row in range(y - picture.tall // 2, y + picture.tall // 2 + 1)})
    board, key = (without_colours(inked(part)) for part in (picture.text, picture.key))
    return board, key, found, _names(view, picture.reach), rows


def _names(view: View, reach: Mapping[str, Spot]) -> dict[Spot, str]:
    """What the places on a map are called, and who stands there."""
    if view.board is None or not reach:
        return {}
    places, here = view.known().get(view.board.pieces, {}), dict[str, list[str]]()
    for atom in view.board.movable:
        here.setdefault(places.get((view.game.vocabulary.atoms[atom].name,), ""), []).append(view.label(atom))
    found = {}
    for space in view.board.spaces:
        name, also = view.label(space.atom), [f"#{space.number}"] if space.number is not None else []
        also += here.get(space.id, [])
        if space.id in reach:
            found[reach[space.id]] = f"{name[:1].upper()}{name[1:]}{f' ({view.language.row(also)})' if also else ''}"
    return found


def _table(sight: Sight, choices: Sequence[Choice], size: tuple[int, int]) -> tuple[Text, Spots]:
    """What lies on the table, with what can be chosen numbered, and where that lies."""
    lit = {atom: choices[number - 1].typed for atom, number in sight.touched.items() if choices[number - 1].typed}
    lies, spots = table(sight.view, size[0] - 2, size[1], lit)
    return without_colours(lies), {spot: (sight.touched[atom] - 1,) for spot, atom in spots.items()}


def _sheets(view: View, width: int) -> list[Text]:
    return [Text("\n".join(lines), no_wrap=True) for lines in sheets(view, width)]


def log_of(narrator: Narrator, history: Sequence[Turn], own: str, width: int) -> Text:
    """The latest turns, below headings where they have several lines, each line in the colour of the one who acts,
    one's own with a sign before them."""
    game, room = narrator.game, side_of(width) - 3
    headed = any(len(turn.lines) > 1 for turn in history if turn.number)
    lines: list[tuple[str, str]] = []
    last, number = "", 0
    for turn in history:
        who = turn.who or next((actor for actor in turn.actors if actor), last)
        if headed and turn.number > number:
            owner = who if have_owners(game) else ""
            lines.append((_heading(narrator, turn.number, owner, room), f"bold {paint_of(game, owner)}".strip()))
        elif headed and lines and who != last and have_owners(game):
            lines.append(("", ""))
        last, number = who, turn.number
        for text, actor in zip(turn.lines, turn.actors or [turn.who] * len(turn.lines), strict=True):
            sign = "▶ " if actor == own else "  "
            first, *more = wrapped(text, room, sign, "    ")
            lines += [(line, paint_of(game, actor)) for line in (first, *more)]
    text = Text(no_wrap=True)
    for line, paint in lines[-LATEST:]:
        text.append(line + "\n", paint)
    text.right_crop(1 if lines else 0)
    return without_colours(text)


def _heading(narrator: Narrator, number: int, owner: str, width: int) -> str:
    """Of a turn: which one it is, and whose."""
    said = narrator.language.say(N_("Turn {number}"), number=narrator.language.number(number))
    said = cut(f"── {said} · {narrator.seat(owner)('list')} " if owner else f"── {said} ", width)
    return said + "─" * (width - width_of(said))


def looked_up(looks: Lookup, command: str, sight: Sight, width: int) -> Text:
    """What somebody has asked for, for a page of its own."""
    view, colour = sight.view, not os.environ.get("NO_COLOR")

    def picture() -> list[str]:
        return draw(view.game, view.on_board(), width, True, colour, view.language).splitlines()

    lines = looks.lines(command, sight, width, picture)
    if command.startswith("notes "):  # what he has written, on the whole sheet
        whole = looks.lines("notes", sight, width, picture)
        lines = whole if {*lines} <= {*whole} else [*lines, "", *whole]
    text = "\n".join(lines)
    return inked(text) if command == "map" else Text(text)


def inked(text: str) -> Text:
    """A drawing with its colours: what `Text.from_ansi` makes of it, in a quarter of the time."""
    plain, spans, style, begin, end = [], list[Span](), "", 0, 0
    for part, code in zip(*[iter((*STYLED.split(text), ""))] * 2, strict=True):
        end += len(part)
        plain.append(part)
        if style:
            spans.append(Span(begin, end, _ink(style)))
        style, begin = "" if code in ("", "0") else f"{style};{code}".strip(";"), end
    return Text("".join(plain), no_wrap=True, spans=[span for span in spans if span])


@lru_cache(maxsize=256)
def _ink(code: str) -> Style:
    return Style.combine(span.style for span in Text.from_ansi(f"\x1b[{code}m.").spans if isinstance(span.style, Style))


def without_colours(text: Text) -> Text:
    """Without colours, where somebody wishes that: what is bold, underlined or in reverse stays so."""
    if not os.environ.get("NO_COLOR"):
        return text
    plain = Text(text.plain, no_wrap=True)
    for begin, end, style in text.spans:
        plain.stylize((Style.parse(style) if isinstance(style, str) else style).without_color, begin, end)
    return plain
