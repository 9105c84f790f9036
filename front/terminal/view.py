"""One person's place at the table: how he reads, what he has read, and what he can look up.

It is made of a `Player`, so nothing on a screen can come from anywhere but that player's own log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ...interpreter import Game, Player, Reader
from ...interpreter.model import Choice, Expr, Part, Step, walk
from ...interpreter.observe import Entry, Mark, known_state
from ...interpreter.runtime import Number
from ...speech.language import N_, Language, Said, spoken
from ...speech.narrator import Narrator
from ..paper.map import OWN, Board, Codes, board_of, codes_of, draw
from .certainty import Certainty
from .marks import Marks
from .notebook import Notebook
from .prompt import STOP
from .screen import Screen
from .seats import Seat
from .turns import Count, Turn, turns

__all__ = ["View"]

MOVES, ON_THE_BOARD, OTHER = range(3)  # what a part of a choice is about
MANY = 100  # squares, from which on they are numbered as they can be chosen


class View:
    def __init__(self, player: Player, seat: Seat, usual: Language, saved: Path):
        self.game, self.seat, self.saved = player.game, seat, saved
        self.language = Language(seat.language) if seat.language in spoken() else usual
        self.narrator = Narrator(self.game, self.language)
        self.notebook = Notebook(self.game, seat.seat, self.narrator, self.language)
        self.marks = Marks(self.notebook, saved)
        self.board: Board | None = board_of(self.game)
        self.history: list[Turn] = []  # all that was told to him
        self.hints = False  # may he ask what follows from what he has seen?
        self.hinted = False  # does he know what can be typed?
        self.looked = False
        self.left: Mark | None = None  # as far as the log was when somebody else sat down here
        self._squares: dict[int, Mapping[int, int]] = {}
        self._ahead: tuple | None = None
        self._offered: tuple[Player, int, Mark, list[Choice]] | None = None
        self.sit_down(player)

    def sit_down(self, player: Player) -> None:
        """At the beginning, or after a decision was taken back: nothing is read yet."""
        self.player = player
        self.reader = Reader(self.game, self.seat.seat)
        self._log = Reader(self.game, self.seat.seat)
        self._known: dict = {}
        self.last: str | None = None  # on a board of squares: where something was put last
        self._begun = False
        self.count = Count()  # of the turns that were told to him
        self._shown = _Shown(self.game, self.seat.seat)
        self._certainty = Certainty(self.game, self.seat.seat)

    @property
    def called(self) -> Said:
        """His seat, with the name of the person in it."""
        name = self.narrator.seat(self.seat.seat)
        return (lambda form: f"{self.seat.name} ({name('list')})") if self.seat.name else name

    def news(self) -> list[Entry]:
        """What was told to him since he last looked."""
        return self.reader.news(self.player)

    def tell(self, entries: list[Entry]) -> list[Turn]:
        """These entries in words, by turns; they are part of his history now."""
        told = turns(self.game, entries, self.narrator, self.count)
        self.history += told
        return told

    # --- what may come ------------------------------------------------------------------------------------------------
    @property
    def is_ahead(self) -> bool:
        return self._ahead is not None

    def look_ahead(self, player: Player) -> None:
        """He is asked now what would be asked later, if nobody takes up what stands open: for the time being."""
        self._ahead = self.player, self._log, self._known, self._shown, self.last, self._begun, self.certain()
        self.player, self._log, self._known = player, Reader(self.game, self.seat.seat), {}
        self.last, self._begun = None, False
        self._shown = _Shown(self.game, self.seat.seat)

    def look_back(self) -> None:
        if self._ahead is not None:
            self.player, self._log, self._known, self._shown, self.last, self._begun, _ = self._ahead
            self._ahead = None

    def certain(self) -> list[str]:
        """Of what the rules call worth knowing, that which follows from his log by now."""
        if self._ahead is not None:
            return self._ahead[-1]
        return self._certainty.told(self.player, self.notebook, self.language)

    def possible_rows(self) -> set[tuple] | None:
        """The rows of the table of goals that can be his by all that he has seen; None, if that cannot be told."""
        self.certain()  # it reads on
        return self._certainty.rows(self.notebook)

    def known(self) -> dict:
        """The state as far as his log tells it."""
        news = self._log.news(self.player)
        self._known = known_state(self.game, news, self._known)
        if self.board is not None and self.board.grid:
            for entry in news:
                self._follow(entry, self.board)
        return self._known

    def _follow(self, entry: Entry, board: Board) -> None:
        """Keep on which square something was put last, once anybody has decided something."""
        if entry.kind == "reset":
            self.last = None
        self._begun = self._begun or entry.kind == "ask"
        if self._begun and entry.kind == "set" and entry.step in (board.holds, board.pieces):
            *at, put = (value for _, value in entry.told)
            if put is not None:
                self.last = at[0] if entry.step == board.holds else put

    def on_board(self) -> dict:
        """The same, with the places that he keeps to himself."""
        return {**self.known(), OWN: self.notebook.places(self.known())}

    def known_to_all(self) -> dict:
        """That of it which the rules show to everybody."""
        open_ones = {f.shape for same in self.game.vocabulary.functions.values() for f in same if f.view == "all"}
        return {shape: values for shape, values in self.known().items() if shape in open_ones}

    @property
    def shows_all(self) -> bool:
        """Does everybody see what stands on the board?"""
        functions = [f for same in self.game.vocabulary.functions.values() for f in same]
        on_board = {self.board.pieces, self.board.holds} if self.board is not None else set()
        return all(f.view == "all" for f in functions if f.kind == "state" and f.shape in on_board)

    # --- what can be chosen -------------------------------------------------------------------------------------------
    def legal(self) -> list[Choice]:
        """All that he can choose now, listed once for each question."""
        player, kept = self.player, self._offered
        if kept is None or kept[:2] != (player, player.number) or player.log.since(kept[2]) != []:
            kept = self._offered = player, player.number, player.log.mark, player.legal()
        return kept[3]

    def go_on(self) -> None:
        """Somebody has decided something: what can be chosen may be something else, even if he has not seen it."""
        self._offered = None

    @cached_property
    def codes(self) -> Codes | None:
        """The letters that stand on the map."""
        return None if self.board is None else codes_of(self.game, self.language, self.board)

    @cached_property
    def signs(self) -> dict[str, str]:
        """By the names of pieces, the longest first, their signs on a map."""
        if self.codes is None or self.board is None or self.board.grid:
            return {}
        atoms = self.game.vocabulary.atoms
        found = {self.narrator.name(a)("list"): self.codes.pieces[atoms[a].name] for a in self.board.movable}
        return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))

    @cached_property
    def _spaces(self) -> dict[int, str]:
        return {} if self.board is None else {space.atom: space.id for space in self.board.spaces}

    @cached_property
    def columns(self) -> dict[int, int]:
        """On a board of squares, in which column each of them lies."""
        board = self.board
        return {} if board is None else {board.spaces[i].atom: x for row in board.grid for x, i in enumerate(row)}

    def squares(self, step: Step) -> Mapping[int, int]:
        """The numbers that squares keep, whichever of them can be chosen: that of the column, where one in each can be
        chosen at the beginning of a game, else their own. Nothing, where there are too many."""
        kept = self._squares.get(id(step))
        if kept is None:
            kept = self._squares[id(step)] = self._numbered(step)
        return kept

    def _numbered(self, step: Step) -> Mapping[int, int]:
        columns, begun = self.columns, self.game.new(0) if self.columns else None
        first = begun.player(begun.actor) if begun is not None and begun.actor else None
        if first is not None and first.question().step is step:
            free = [columns[value] for choice in first.legal() for value in choice if value in columns]
            if len(free) < len(columns) and sorted(free) == sorted({*columns.values()}):
                return {atom: column + 1 for atom, column in columns.items()}
        return {atom: n for n, atom in enumerate(sorted(columns), 1)} if len(columns) < MANY else {}

    def rank(self, part: Part) -> int:
        """What is asked for first: what moves on the board, then where to, then the rest."""
        if self.board is None or part.shape != "one" or not part.var.type.atoms:
            return OTHER
        if part.var.type.atoms <= set(self.board.movable):
            return MOVES
        return ON_THE_BOARD if part.var.type.atoms <= self._spaces.keys() else OTHER

    def label(self, value: Any) -> str:
        if value is STOP:
            return self.language.say(N_("that is enough"))
        if isinstance(value, Number):
            return self.language.number(int(value))
        label = self.narrator.name(value)("list")
        return label[:1].upper() + label[1:] if self.is_alternative(value) else label

    def is_alternative(self, value: int) -> bool:
        words = self.game.vocabulary
        return not isinstance(value, Number) and words.atoms[value].set not in words.sets

    def ids(self, value: Any) -> Iterable[str]:
        """How else it can be called: by the word of the rules, and by its letters on the map."""
        if value is STOP:
            return ("done",)
        if isinstance(value, Number):
            return (str(int(value)),)
        name = self.game.vocabulary.atoms[value].name
        codes = () if self.codes is None else (self.codes.pieces.get(name), self.codes.spaces.get(name))
        return (name, *filter(None, codes))

    def where(self, value: Any, moving: int | None = None) -> list[str]:
        """Of a piece, where it stands; of a space, its number, who stands there, and by which way what is moving comes
        there, if there is one way only."""
        board, words = self.board, self.game.vocabulary
        if value is STOP or board is None or isinstance(value, Number):
            return []
        name, places = self.narrator.name, self.known().get(board.pieces, {})
        if value in board.movable:
            place = places.get((words.atoms[value].name,))
            return [name(space.atom)("list") for space in board.spaces if space.id == place]
        said = []
        for number, space in enumerate(board.spaces if not board.grid else ()):  # squares are always before his eyes
            if space.atom == value:
                if space.number is not None:
                    said.append(self.language.say(N_("number {number}"), number=self.language.number(space.number)))
                said += [name(a)("list") for a in board.movable if places.get((words.atoms[a].name,)) == space.id]
                here = places.get((words.atoms[moving].name,)) if moving is not None else None
                kinds = {
                    route.kind
                    for route in board.routes
                    if number in route.ends and here in (board.spaces[end].id for end in route.ends)
                }
                said += [name(kind)("list") for kind in kinds if kind is not None and len(kinds) == 1]
        return said

    def aside(self, details: Sequence[str]) -> str:
        """As it stands behind a label."""
        return f" ({self.language.row(details)})" if details else ""

    def also_shown(self) -> list[str]:
        """What he was shown, or has shown, beside that which his notes record: the sentences that told it."""
        return self._shown.told(self.player, self.language)

    def picture(self, screen: Screen) -> list[str]:
        """The board as he sees it; nothing, if the game has none."""
        if self.board is None:
            return []
        return draw(
            self.game, self.on_board(), screen.width, screen.has_signs, screen.has_style, self.language
        ).splitlines()


class _Shown:
    """What was shown to one seat, or by it, and stands nowhere in its notes; it reads on where it was."""

    def __init__(self, game: Game, seat: str):
        self.game, self.notes, self.reader = game, game.screens.notes, Reader(game, seat)
        self.kept: list[Entry] = []
        self.sentences: list[str] = []

    @cached_property
    def recorded(self) -> set[str]:
        """The rules whose steps write into the notes."""
        return {
            step.name.split("/")[0]
            for rule in self.game.program.rules.values()
            for step in walk(rule.steps)
            if self.notes is not None and any(function is self.notes.record for function, *_ in step.targets)
        }

    def told(self, player: Player, language: Language) -> list[str]:
        notes, before = self.notes, len(self.kept)
        cards = frozenset() if notes is None else notes.record.result.of.of.atoms
        for entry in self.reader.news(player):
            event = self.game.program.events[entry.number]
            if entry.kind == "reset" and notes is not None and notes.record in event.functions:
                self.kept.clear()  # a new game, with new secrets
                before = -1
            told = [kind for kind in event.types if kind.kind != "truth"]
            is_card = any(kind.atoms and kind.atoms <= cards for kind in (k.of or k for k in told))
            private = event.origin is not None and isinstance(event.origin.audience, Expr)
            shown = entry.kind == "show" and (len(told) > 1 or notes is None)
            given = entry.kind == "ask" and private and (is_card or notes is None)
            drawn = entry.kind == "draw" and private and notes is None
            if (shown or given or drawn) and not (is_card and event.step.split("/")[0] in self.recorded):
                self.kept.append(entry)
        if len(self.kept) != before:
            self.sentences = list(dict.fromkeys(Narrator(self.game, language).tell(self.kept)))
        return [*self.sentences]
