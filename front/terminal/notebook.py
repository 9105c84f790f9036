"""What a player can look up: his secrets, what lies open, his notes, the table of goals.

Everything comes from his own log, and which of it to show from the section `screens` of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...interpreter import Game
from ...interpreter.cells import cell_of, cells_of
from ...interpreter.evaluate import evaluate
from ...interpreter.model import Atom, Function, Type
from ...interpreter.presentation import Notes
from ...speech.goals import Goals
from ...speech.language import N_, Language
from ...speech.narrator import Narrator, question_name
from ..common.layout import padded, width_of, wrapped

__all__ = ["Notebook"]

Known = Mapping[str, Mapping[tuple[Any, ...], Any]]  # the state as far as a log tells it: see known_state


class Notebook:
    """One player's; or the umpire's, who has seen everything, if no seat is given."""

    def __init__(self, game: Game, seat: str | None, narrator: Narrator, language: Language):
        self.game, self.seat, self.narrator, self.language = game, seat, narrator, language
        self.words, self.screens = game.vocabulary, game.screens
        self.goals = Goals(game, narrator, language)

    # --- state --------------------------------------------------------------------------------------------------------
    def secrets(self, known: Known) -> list[tuple[str, str]]:
        """The player's own secret cards: what they are, and which."""
        return [(self.label(function), self.said(value, function.result)) for function, value in self._own(known)]

    def looked_for(self, known: Known) -> list[tuple[str, str]]:
        """Whom one is after, as the rulebook's table says it of one's secret cards: the partner of an identity."""
        return [fact for function, value in self._own(known) for fact in self._kin(value, function.result)]

    def places(self, known: Known) -> dict[tuple, Any]:
        """Where on the board one's secrets lie, by what they are called."""
        spaces = set() if self.screens.chart is None else set(self.screens.chart.spaces.atoms)
        values = {function.shape: value for function, value in self._own(known)}
        return {
            (self.label(function),): values.get(function.shape)
            for function in self.screens.secrets
            if len(function.params) < 2 and function.view != "all" and self.sees(function)
            if function.result.atoms and function.result.atoms <= spaces
        }

    def _own(self, known: Known) -> list[tuple[Function, Any]]:
        found: list[tuple[Function, Any]] = []
        for function in self.screens.secrets:
            key = (self.seat,) if function.params else ()
            values = known.get(function.shape, {})
            if key in values or len(function.params) < 2 and self.sees(function):
                value = values.get(key, self.game.named(function.start, function.result))
                if value is not None or function.result.maybe:
                    found.append((function, value))
        return found

    def _kin(self, value: Any, kind: Type) -> list[tuple[str, str]]:
        """Others of its kind that the rulebook's table names beside a card."""
        atom = self.words.member(value, kind) if isinstance(value, str) and kind.atoms else None
        thing = self.words.atoms[atom].set if atom is not None else ""
        shown, texts = self.game.rulebook.components.get(thing), self.game.texts.things.get(thing)
        if shown is None or texts is None or shown.hidden or not shown.titles:
            return []
        found = []
        for column, function in texts.columns:
            other = function.values.get((atom,)) if column in shown.titles and function.kind == "table" else None
            if other is not None and function.result.atoms and function.result.atoms <= kind.atoms:
                found.append((self.language.text(shown.titles[column]), self.narrator.name(other)("list")))
        return found

    def sees(self, function: Function) -> bool:
        """Does the player see his own value of it, whatever it is? Then it is that of the start, until he is told
        otherwise."""
        me = None if self.seat is None else self.words.seats[self.game.seat(self.seat)]
        if me is None or function.params and me not in function.params[0].type.atoms:
            return False
        if isinstance(function.view, str):
            return function.view == "all"
        try:
            return me in evaluate(function.view, (), dict.fromkeys(function.variables, me))
        except (TypeError, KeyError, IndexError):  # it hangs on the state
            return False

    def label(self, function: Function) -> str:
        """What it is called: by its label, or its own word: `hand of _`, `_ is armed`."""
        if function.label:
            return self.language.text(function.label)
        word = next(word for word in function.shape.split(" ") if word not in ("_", "is"))
        return question_name(self.game, self.language, word)

    def all_secrets(self, cells: Sequence[Any]) -> dict[int | None, list[tuple[str, str]]]:
        """Everybody's secret cards, by their owners, once the game is over; and those that were nobody's."""
        found: dict[int | None, list[tuple[str, str]]] = {}
        for function in self.screens.secrets:
            owners = sorted(function.params[0].type.atoms) if function.params else [None]
            for owner in owners if len(function.params) < 2 else ():
                value = cells[cell_of(function, [] if owner is None else [owner])]
                if value not in (None, ()):
                    said = self.said(self.game.named(value, function.result), function.result)
                    found.setdefault(owner, []).append((self.label(function), said))
        return found

    def all_places(self, cells: Sequence[Any]) -> dict[tuple[str], Any]:
        """Where on the board all secrets lay, by what they are called, once the game is over."""
        spaces = set() if self.screens.chart is None else set(self.screens.chart.spaces.atoms)
        found: dict[tuple[str], Any] = {}
        for function in self.screens.secrets:
            hidden = len(function.params) < 2 and function.view != "all"
            if not (hidden and function.result.atoms and function.result.atoms <= spaces):
                continue
            for owner in sorted(function.params[0].type.atoms) if function.params else [None]:
                value = cells[cell_of(function, [] if owner is None else [owner])]
                label = self.label(function)
                if owner is not None:
                    label = f"{label} ({self.narrator.name(owner)('list')})"
                found[(label,)] = self.game.named(value, function.result)
        return found

    def public(self, known: Known) -> list[tuple[str, str]]:
        """What lies open: what it is, and what it is now."""
        found = []
        for function in self.screens.public:
            values, label = known.get(function.shape, {}), self.label(function)
            start = self.game.named(function.start, function.result)
            if not function.params:
                value = values.get((), start)
                if value not in (None, ()):
                    found.append((label, self.said(value, function.result)))
                continue
            atoms = sorted(function.params[0].type.atoms) if len(function.params) == 1 else []
            pairs = [(a, values.get((self.words.atoms[a].name,), start)) for a in atoms]
            said = [
                self.language.labelled(self.narrator.name(a)("list"), self.said(v, function.result))
                for a, v in pairs
                if v is not None
            ]
            if said:
                found.append((label, self.language.row(said)))
        return found

    def said(self, value: Any, kind: Type) -> str:
        return self.narrator.said(value, kind)("list")

    # --- notes --------------------------------------------------------------------------------------------------------
    def notes(self, known: Known, width: int) -> list[str]:
        """For each other player, which cards he has shown and which he was shown: one column each time."""
        pages = self.pages(known, width)
        lines = [line for page in (*pages, self.signs(width)) for line in ("", *page)][1:] if pages else []
        line = self._line(known, width) if self.screens.notes is not None and self.seat is not None else []
        return [*line, *([""] if line and lines else []), *lines]

    def pages(self, known: Known, width: int) -> list[list[str]]:
        """The same, one by one, for those with whom cards were shown."""
        notes = self.screens.notes
        if notes is None or self.seat is None:
            return []
        record, found = known.get(notes.record.shape, {}), []
        for other in self.game.seats:
            seen = record.get((other, self.seat), ()) if other != self.seat else ()
            given = record.get((self.seat, other), ()) if other != self.seat else ()
            if seen or given:
                found.append(self._page(other, seen, given, notes, width))
        return found

    def signs(self, width: int) -> list[str]:
        """What the signs in these columns mean."""
        notes = self.screens.notes
        text = N_("{seen}: you were shown it; {given}: you have shown it. What was shown together is in one column.")
        return wrapped(self.language.say(text, seen=notes.seen, given=notes.given), width) if notes is not None else []

    def boxes(self, known: Known) -> list[tuple[str, str]]:
        """A box for each of some things, filled as far as he knows."""
        line = self.screens.notes.line if self.screens.notes is not None else None
        me = self.words.seats[self.game.seat(self.seat)] if self.seat is not None else None
        if line is None or me is None or me not in line.player.type.atoms:
            return []
        cells, found = self.cells(known, begun=True), []
        for atom in sorted(line.thing.type.atoms):
            value = evaluate(line.value, cells, {line.player: me, line.thing: atom})
            said = "?" if value is None else self.said(self.game.named(value, line.value.type), line.value.type)
            found.append((self.narrator.name(atom)("list"), said))
        return found

    @property
    def line_name(self) -> str:
        """What these boxes are called."""
        line = self.screens.notes.line if self.screens.notes is not None else None
        return self.language.text(line.name) if line is not None else ""

    def _line(self, known: Known, width: int) -> list[str]:
        boxes = [self.language.labelled(name, said) for name, said in self.boxes(known)]
        return (
            wrapped(self.language.labelled(self.line_name, self.language.row(boxes)), width, "", "  ") if boxes else []
        )

    def _page(self, other: str, seen: Sequence[Any], given: Sequence[Any], notes: Notes, width: int) -> list[str]:
        kind = notes.record.result.of.of
        rows: dict[str, list[str]] = {}
        order: dict[str, tuple[int, ...]] = {}
        shows = [(cards, notes.seen) for cards in seen] + [(cards, notes.given) for cards in given]
        for index, (cards, sign) in enumerate(shows):
            for card in cards:
                label, rank = self._card(card, kind)
                order[label] = rank
                rows.setdefault(label, [" " * width_of(sign)] * len(shows))[index] = sign
        room = max(8, width - 4 - 2 * len(shows))
        side = max(map(width_of, rows))
        lines = [self.language.labelled(self.narrator.seat(other)("list"), "").rstrip()]
        if side <= room:
            return lines + [
                f"  {padded(label, side)}  {' '.join(rows[label])}".rstrip() for label in sorted(rows, key=order.get)
            ]
        for cards, sign in shows:  # too narrow for a table
            said = self.language.row(self._card(card, kind)[0] for card in cards)
            lines += wrapped(f"{sign} {said}", width, "  ", "    ")
        return lines

    def _card(self, name: str, kind: Type) -> tuple[str, tuple[int, ...]]:
        """A card without its owner, whose page this is; and its place among the cards of its owner."""
        atom = self.words.member(name, kind)
        thing = self.words.atoms[atom]
        others = [part for part in thing.parts if part not in self.words.seats]
        said = " ".join(self.narrator.name(part)("list") for part in others) or self.narrator.name(atom)("list")
        if len(others) == 1 and thing.set in self.words.sets and self._is_ambiguous(others[0], thing, kind):
            said = self.narrator.name(atom)("list")
        return said, (list(self.words.sets).index(thing.set), *(others or [atom]))

    def _is_ambiguous(self, part: int, thing: Atom, kind: Type) -> bool:
        """Is there another card of the same owner with this on it, of another set?"""
        rest = [p for p in thing.parts if p != part]
        return any(
            part in other.parts and set(rest) <= set(other.parts) and other.set != thing.set
            for other in (self.words.atoms[a] for a in kind.atoms)
        )

    # --- the table of goals -------------------------------------------------------------------------------------------
    def cells(self, known: Known, begun: bool = False) -> list[Any]:
        """The state as far as it is known, as expressions read it; what has not been told may be as it began."""
        cells: list[Any] = [None] * self.game.program.state_slots
        for functions in self.words.functions.values():
            for function in functions:
                if function.kind != "state":
                    continue
                for cell in cells_of(function) if begun else ():
                    cells[cell] = function.start
                for args, value in known.get(function.shape, {}).items():
                    atoms = [self.words.member(a, p.type) for a, p in zip(args, function.params, strict=False)]
                    if len(atoms) == len(function.params) and None not in atoms:
                        cells[cell_of(function, atoms)] = self.game.valued(value, function.result)
        return cells

    def table(self, known: Known, width: int, possible: set[tuple[Any, ...]] | None = None) -> list[str]:
        """The rows of the table that may be this player's, said in words; only those that are possible, if that is
        known."""
        cells = self.cells(known)
        keys = self.goals.keys(cells, self.seat) if self.seat else None
        if keys is None:
            return []
        rows = [
            row
            for row in self.screens.table.function.values
            if all(k is None or k == r for k, r in zip(keys, row, strict=False))
            and (possible is None or row in possible)
        ]
        first = 0  # keys that are the same in all rows say nothing, but two of them belong together
        while first < len(keys) - 2 and len({row[first] for row in rows}) == 1:
            first += 1
        lines = []
        for row in rows:
            label = "–".join(self.narrator.name(key)("list") for key in row[first:])
            said = self.goals.row(row)
            lines += wrapped(self.language.labelled(label, said), width, "  ", "      ")
        unsure = None in keys if possible is None else any(None in row for row in possible)
        if unsure and self.screens.table.otherwise is not None:
            lines += wrapped(self.goals.otherwise(cells, self.seat), width, "  ", "      ")
        return lines
