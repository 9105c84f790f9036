"""What has to be printed and cut out to play a game at a table: derived from its rules, so that any game has a kit.

What is dealt is a card; what moves on the board is a marker that stands; what is drawn, or laid on squares, is a chip;
what each player has of his own, a product with the players, is a card in his colour. Section `rulebook` can say
otherwise (`printed`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ...interpreter import Game
from ...interpreter.evaluate import settled_value
from ...interpreter.model import Expr, Step, walk
from ...interpreter.presentation import Presented
from ...speech.language import Language
from .book import Rulebook, capital
from .map import board_of

__all__ = ["FORMS", "Heap", "Kit", "Piece"]

FORMS = ("cards", "tiles", "markers", "chips")
PALETTE = ("#a8342a", "#2464b4", "#2e8b4a", "#b8860b", "#6a3d9a", "#c05a1c", "#1f7a7a", "#8b3a62", "#4d4d4d", "#6b8e23")
MOST = 60  # copies of one thing: beyond this nobody cuts them out


@dataclass(slots=True)
class Piece:
    """One thing to cut out, as often as it is there."""

    title: str
    name: str = ""  # in the rules, without its owner's
    facts: list[tuple[str, str]] = field(default_factory=list)
    owner: str = ""
    paint: str = ""
    sign: str = ""
    copies: int = 1


@dataclass(slots=True)
class Heap:
    """Things of one kind, printed in one form."""

    form: str
    name: str
    pieces: list[Piece]
    noun: str = ""  # one of them
    drawn: tuple[str, ...] = ()  # chips: how many are drawn at a time, as numbers are said

    @property
    def number(self) -> int:
        return sum(piece.copies for piece in self.pieces)


class Kit:
    def __init__(self, game: Game, language: Language):
        self.game, self.language, self.words = game, language, game.vocabulary
        self.book = Rulebook(game, language)
        self.board = board_of(game)
        self.seats = list(self.words.seats)
        self.paints = self._paints()
        self.dealt, self.drawn, self.amounts = Counter[int](), Counter[int](), dict[int, set[int]]()
        for rule in game.program.rules.values():
            for step in walk(rule.steps):
                self._pool(step)

    def heaps(self) -> list[Heap]:
        found = [heap for name in self.game.texts.things for heap in self._heaps(name)]
        return sorted(found, key=lambda heap: FORMS.index(heap.form))

    def secrets(self) -> Iterator[tuple[str, list[str], list[str]]]:
        """For the note sheets: what is secret, of whom, and what it may be."""
        for function in self.game.screens.secrets:
            if len(function.params) != 1 or function.result.kind != "thing":
                continue
            holders, values = sorted(function.params[0].type.atoms), sorted(function.result.atoms)
            heading = self.book.kind_name(self.words.atoms[values[0]].set, Presented())
            yield heading, [self.called(a) for a in holders], [self.called(a) for a in values]

    def called(self, atom: int) -> str:
        return capital(self.book.called(atom))

    # --- what is what -----------------------------------------------------------------------------------------------
    def _pool(self, step: Step) -> None:
        """Remembers what a step deals out or draws, and as often as it lies there."""
        if step.verb not in ("deal", "draw"):
            return
        pool = step.at["deal" if step.verb == "deal" else "from"]
        if pool.type.of is None or pool.type.of.kind != "thing":
            return
        lying = _lying(pool)
        lying = Counter(sorted(pool.type.of.atoms)) if lying is None else lying
        counts = self.dealt if step.verb == "deal" else self.drawn
        for atom, times in lying.items():
            counts[atom] = max(counts[atom], times)
        number = settled_value(step.at["draw"]) if step.verb == "draw" else None
        if number is not None:
            for atom in lying:
                self.amounts.setdefault(atom, set()).add(number[0])

    def _form(self, name: str, atoms: tuple[int, ...], shown: Presented) -> str:
        chart = self.game.screens.chart
        if shown.printed:
            return shown.printed
        if chart is not None and chart.spaces.name == name:
            return "nothing"
        if chart is not None and chart.pieces is not None and set(atoms) <= chart.pieces.params[0].type.atoms:
            return "markers"
        if chart is not None and chart.holds is not None and set(atoms) & chart.holds.result.atoms:
            return "chips"
        if set(atoms) & set(self.seats):
            return "nothing"
        if any(atom in self.dealt for atom in atoms):
            return "cards"
        if any(self._owner(atom) is not None for atom in atoms):
            return "cards"
        return "chips" if any(atom in self.drawn for atom in atoms) else "nothing"

    def _heaps(self, name: str) -> Iterator[Heap]:
        texts, shown = self.game.texts.things[name], self.game.rulebook.components.get(name) or Presented()
        atoms = self.words.sets[name].atoms
        form = "nothing" if texts.is_union or not atoms else self._form(name, atoms, shown)
        if form == "nothing":
            return
        counts = self.drawn if form == "chips" else self.dealt
        if any(atom in counts for atom in atoms):
            atoms = tuple(atom for atom in atoms if counts[atom])
        # a set of one is called as the one is
        heading = self.called(atoms[0]) if len(atoms) == 1 and not shown.name else self.book.kind_name(name, shown)
        pieces = [self._piece(atom, form, counts[atom] or self._copies(atom)) for atom in atoms]
        if shown.printed_for in self.words.sets:
            holders = self.words.sets[shown.printed_for].atoms
            pieces = [self._of(holder, replace(piece)) for holder in holders for piece in pieces]
        if form == "chips" and not all(piece.paint for piece in pieces):  # all of them or none
            pieces = [replace(piece, paint="") for piece in pieces]
        amounts = sorted({n for atom in atoms if atom in self.drawn for n in self.amounts.get(atom, ())})
        amounts = amounts if form == "chips" else []
        noun = self.book.kind_name(name, Presented())
        yield Heap(form, heading, pieces, noun, tuple(self.language.number(n) for n in amounts))

    def _copies(self, atom: int) -> int:
        """Of what is put on the spaces of a board, one for each that it may take; otherwise one."""
        chart = self.game.screens.chart
        held = chart.holds.result.atoms if chart is not None and chart.holds is not None else frozenset[int]()
        return -(-len(chart.spaces.atoms) // len(held)) if chart is not None and atom in held else 1

    def _piece(self, atom: int, form: str, copies: int) -> Piece:
        owner = self._owner(atom)
        whole, sets = self.words.atoms, self.words.sets
        parts = [part for part in whole[atom].parts if part != owner and len(sets[whole[part].set].atoms) > 1]
        title = " · ".join(map(self.called, parts)) or self.called(atom)
        facts = [fact for part in (parts or [atom]) for fact in self.book.facts(part)] if form == "cards" else []
        paint = self.paints.get(atom, "")
        name = " ".join(whole[part].name for part in parts) or whole[atom].name
        piece = Piece(title, name, facts, "", paint, self.game.screens.signs.get(atom, ""), min(copies, MOST))
        return piece if owner is None else self._of(owner, piece)

    def _of(self, owner: int, piece: Piece) -> Piece:
        piece.owner, piece.paint = self.called(owner), self.paints.get(owner, "")
        return piece

    def _owner(self, atom: int) -> int | None:
        """Of a product with the players, or with what is painted like them: whose it is."""
        parts = self.words.atoms[atom].parts
        return next((part for part in parts if part in self.seats or part in self.game.screens.colours), None)

    def _paints(self) -> dict[int, str]:
        found = dict(self.game.screens.colours)
        free = [paint for paint in PALETTE if paint not in found.values()]
        for number, seat in enumerate(seat for seat in self.seats if seat not in found):
            found[seat] = free[number % len(free)]
        return found


def _lying(pool: Expr) -> Counter[int] | None:
    """What there is to draw from, as far as it does not depend on how the game has gone."""
    if pool.op == "state":
        start = pool.args[0].start
        return Counter(start) if start else None
    value = settled_value(pool)
    return None if value is None or not isinstance(value[0], tuple) else Counter(value[0])
