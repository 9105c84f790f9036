"""What somebody writes into his own notes: marks on a sheet of what is hidden in the game, and lines of his own.

The sheet follows from the rules: whatever is hidden and is one of some things, for each of those who have it. It is
kept beside the save, in a file of its own, so that a save can be given away without it; each seat reads its own part.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...interpreter import RulesError
from ...interpreter.files import read_bytes, write_whole
from ...interpreter.model import Function
from ...speech.language import N_
from ..common.layout import clean, cut, padded, width_of, wrapped
from .notebook import Notebook
from .prompt import meant, normal

__all__ = ["Marks"]

SIGNS = ("+", "-", "?")  # yes, no, maybe
AWAY = "="  # takes a mark away
LIKE = {"−": "-", "–": "-", "×": "-", "○": "+"}  # what looks like one of them
WORDS = {N_("yes"): "+", N_("no"): "-", N_("maybe"): "?"}
MANY = 16  # things that are listed, whether they are marked or not
LINES, LONG = 200, 300  # lines, and columns of one
LARGEST = 400_000  # bytes of the file
NARROW = 10  # columns of a name in a table, at least
FIRST = b'{"tabarro": "notes"'

Cell = tuple[str, str, str]  # a kind of secret, whose, and which thing


@dataclass(frozen=True, slots=True)
class Block:
    """One kind of secret: who can have it, and which things it can be."""

    function: Function
    owners: tuple[tuple[str, str], ...]  # what the rules call each of them, and what people do
    things: tuple[tuple[str, str], ...]


class Marks:
    """One seat's."""

    def __init__(self, notebook: Notebook, save: Path):
        self.notebook, self.language, self.seat = notebook, notebook.language, notebook.seat or ""
        self._path = save.with_name(save.name + ".notes")
        self.marks: dict[Cell, str] = {}
        self.lines: list[str] = []
        self._touched: set[str] = set()  # the kinds of secrets that were marked last
        self._read()

    # --- the sheet ----------------------------------------------------------------------------------------------------
    def blocks(self) -> list[Block]:
        """Everything hidden that is one of some things; what the rules call secret comes first."""
        book = self.notebook
        notes = book.screens.notes
        first = list(book.screens.secrets)
        states = [f for same in book.words.functions.values() for f in same if f.kind == "state" and f.view != "all"]
        found = []
        for function in sorted(states, key=lambda f: first.index(f) if f in first else len(first)):
            secret = function in first
            if len(function.params) > 1 or notes is not None and function is notes.record:
                continue
            if not secret and (function.view == "nobody" or not function.params and function.result.many):
                continue  # what a rule keeps for itself, such as a deck
            owners = [(book.words.atoms[a].name, a) for p in function.params for a in sorted(p.type.atoms)]
            own = book.sees(function)
            named = tuple((n, book.narrator.name(a)("list")) for n, a in owners if n != self.seat or not own)
            if own and not function.params or function.params and not named:
                continue  # he knows it
            things = self._things(function)
            if things:
                found.append(Block(function, named or (("", ""),), things))
        return found

    def _things(self, function: Function) -> tuple[tuple[str, str], ...]:
        book, kind = self.notebook, function.result
        if kind.kind == "truth":
            return (("", book.label(function)),)
        atoms = sorted((kind.of or kind).atoms) if kind.kind in ("thing", "set", "pile", "list") else []
        return tuple((book.words.atoms[a].name, book.narrator.name(a)("list")) for a in atoms)

    def told(self, width: int, word: str) -> list[str]:
        """The sheet, the lines, and how both are written with this word."""
        parts = [*self.tables(width), self.written(width), self.how(width, word)]
        return [line for part in parts if part for line in ["", *part]]

    def tables(self, width: int, heads: Mapping[str, str] = {}) -> list[list[str]]:
        """The sheet: a table of each kind of secrets, with these words above those who have them. One that has no room
        for its columns, or too many rows, begins with the first mark in it."""
        return [table for block in self.blocks() if len(table := self._table(block, width, heads)) > 1]

    def changed(self, width: int) -> list[str]:
        """What was written into last."""
        tables = [self._table(block, width) for block in self.blocks() if block.function.shape in self._touched]
        return [line for table in tables for line in [*table, ""]][:-1] or self.written(width)

    def written(self, width: int) -> list[str]:
        """The lines of his own."""
        return [part for n, text in enumerate(self.lines, 1) for part in wrapped(text, width, f"  {n} ", "    ")]

    def _table(self, block: Block, width: int, short: Mapping[str, str] = {}) -> list[str]:
        shape = block.function.shape
        things = [
            (name, said)
            for name, said in block.things
            if len(block.things) <= MANY or any((shape, owner, name) in self.marks for owner, _ in block.owners)
        ]
        label = self.notebook.label(block.function)
        label = label[:1].upper() + label[1:]
        side = max(width_of(said) for _, said in (("", label), *things))
        heads = [short.get(owner, said) for owner, said in block.owners]
        gap = " " if heads and max(map(width_of, heads)) == 1 else "  "
        room = width - 2 - sum(width_of(head) + 2 for head in heads)
        if room < min(side, NARROW):  # for a table
            marked = [
                self.language.labelled(said, self.language.row(f"{thing} {sign}" for thing, sign in signs))
                for owner, said in block.owners
                if (signs := [(t, self.marks[shape, owner, n]) for n, t in things if (shape, owner, n) in self.marks])
            ]
            return wrapped(label, width, "  ") + [p for line in marked for p in wrapped(line, width, "    ", "      ")]
        side = min(side, room)
        rows = [f"  {padded(cut(label, side), side)}  {gap.join(heads)}".rstrip()]
        for name, said in things:
            signs = [self.marks.get((shape, owner, name), "·") for owner, _ in block.owners]
            cells = [padded(sign, max(1, width_of(head))) for sign, head in zip(signs, heads, strict=True)]
            rows.append(f"  {padded(cut(said, side), side)}  {gap.join(cells)}".rstrip())
        return rows

    def how(self, width: int, word: str) -> list[str]:
        say, blocks = self.language.say, self.blocks()
        if not blocks:
            text = N_("“{notes} …” keeps what you write after it as a line; “{notes} 1 =” takes it away.")
            return wrapped(say(text, notes=word), width)
        owner, thing = blocks[0].owners[0][1], blocks[0].things[-1][1]
        example = " ".join(part for part in (word, owner, thing, "+") if part)
        text = N_(
            "Your own marks: “{example}” means yes; with “-” instead of “+” it means no, with “?” maybe, "
            "and “=” takes the mark away. “{notes} …” keeps anything else as a line; “{notes} 1 =” takes the first "
            "line away."
        )
        return wrapped(say(text, example=example, notes=word), width)

    # --- writing ------------------------------------------------------------------------------------------------------
    def write(self, typed: str) -> str:
        """Marks or a line, as somebody typed them; why not, if it cannot be done."""
        tokens = [LIKE.get(token, token) for token in typed.replace("\u3000", " ").split()]
        tokens = [part for token in tokens for part in _parted(token)]
        signed = tokens[-1:] and tokens[-1] in (*SIGNS, AWAY)
        found = self._understood(tokens)
        if found is None and signed:
            return self.language.say(
                N_("“{text}” does not name one player and one thing of the sheet."), text=clean(typed, 40)
            )
        if found is None:
            if len(self.lines) >= LINES:
                return self.language.say(N_("There is no room for more lines."))
            self.lines.append(clean(typed, LONG))
        self._touched = {cell[0] for cell in found or {}}
        for cell, sign in (found or {}).items():
            if sign == AWAY:
                self.marks.pop(cell, None)
            else:
                self.marks[cell] = sign
        return self._keep()

    def _understood(self, tokens: Sequence[str]) -> dict[Cell, str] | None:
        """The marks that were meant; None, if these are none. Taking a line away is no mark, and done at once."""
        if len(tokens) == 2 and tokens[1] == AWAY and tokens[0].isdecimal() and 0 < int(tokens[0]) <= len(self.lines):
            del self.lines[int(tokens[0]) - 1]
            return {}
        if list(tokens) == [AWAY]:
            return dict.fromkeys(self.marks, AWAY)
        words = {normal(self.language.translate(word)): sign for word, sign in WORDS.items()} | WORDS
        found: dict[Cell, str] = {}
        group: list[str] = []
        owner = ""
        for place, token in enumerate(tokens):
            sign = token if token in (*SIGNS, AWAY) else words.get(normal(token)) if place == len(tokens) - 1 else None
            if sign is None:
                group.append(token)
                continue
            cell = self._cell(group, owner)
            if cell is None:
                return None
            found[cell], group, owner = sign, [], cell[1]
        return found if found and not group else None

    def _cell(self, tokens: Sequence[str], owner: str) -> Cell | None:
        """The one place on the sheet that these words name, in any order; without an owner, of the one before."""
        found: dict[Cell, bool] = {}
        blocks = self.blocks()
        for split in range(len(tokens) + 1):
            head, tail = " ".join(tokens[:split]), " ".join(tokens[split:])
            for whose, what in ((head, tail), (tail, head)):
                for block in blocks:
                    owners = [o for o in block.owners if o[0] == owner] if not whose and owner else block.owners
                    rows = [0] if len(owners) == 1 and not whose else _meant(whose, owners)
                    for row in rows:
                        for thing in _meant(what, block.things) if what else ():
                            exact = normal(what) in map(normal, block.things[thing])
                            found[block.function.shape, owners[row][0], block.things[thing][0]] = exact
        certain = [cell for cell, exact in found.items() if exact] or list(found)
        return certain[0] if len(certain) == 1 else None

    # --- beside the save ----------------------------------------------------------------------------------------------
    def _read(self) -> None:
        """What cannot be read was not written by us, and is as good as nothing."""
        try:
            own = json.loads(read_bytes(self._path, LARGEST))["seats"].get(self.seat, {})
            self.marks = {(str(f), str(o), str(t)): sign for f, o, t, sign in own["marks"] if sign in SIGNS}
            self.lines = [clean(str(text), LONG) for text in own["lines"]][:LINES]
        except (RulesError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return

    def _keep(self) -> str:
        """With what the others have written; why not, if it cannot be kept."""
        seats: Any = {}
        try:
            seats = json.loads(read_bytes(self._path, LARGEST))["seats"]
            assert isinstance(seats, dict)
        except (RulesError, ValueError, KeyError, TypeError, AssertionError, RecursionError):
            seats = {}
        seats[self.seat] = {"marks": [[*cell, sign] for cell, sign in self.marks.items()], "lines": self.lines}
        try:
            data = json.dumps({"tabarro": "notes", "seats": seats}, ensure_ascii=False).encode()
            write_whole(self._path, data, refused=_foreign)
        except RulesError as error:
            return error.problems[0].message(self.language.translate)
        return ""


def _foreign(data: bytes) -> str | None:
    return None if data.startswith(FIRST[: len(data)]) else "file_foreign"


def _parted(token: str) -> list[str]:
    """A sign may stand right behind a word: bubble+. A question stays one: who?"""
    if len(token) > 1 and token[-1] in "+=" and token[:-1].isalnum():
        return [token[:-1], token[-1]]
    return [token]


def _meant(entry: str, labels: Sequence[tuple[str, str]]) -> list[int]:
    return meant(entry, [(said, name) for name, said in labels]) if entry else []
