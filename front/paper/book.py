"""The rules of a game as a person wants to read them, made from the rules that are played.

The same data that decide the game are told here: things and their columns, tables, the sentence beside each step in
the order in which steps are carried out, conditions in words, options with their reasons. What is switched off by an
option or belongs to another number of players is left out. Section `rulebook` of the rules adds headings and texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...interpreter import Game
from ...interpreter.model import Function, Option, Text, Told, Type
from ...interpreter.presentation import Presented, SetTexts
from ...interpreter.shelves import RULES
from ...speech.conditions import Speaker
from ...speech.language import N_, Language
from ...speech.reasons import source_title
from ...speech.stating import Stating
from ...speech.telling import Telling
from .chapters import Chapters
from .map import board_of
from .pages import FORMATS, WIDTH, Block, BookLine
from .sheet import svg

LONG = 20  # members of a set; more are listed after the rules
FEW = 10  # numbers from which one may choose; of more, a reader is not told which

Column = tuple[str, Callable[[int], str]]  # its title, and how the cell of a thing is said


def rulebook(game: Game, language: Language | str = "en", form: str = "md", width: int = WIDTH) -> str:
    """The rulebook of this very game: its players, its options; plain text in so many columns."""
    language = Language(language) if isinstance(language, str) else language
    book = Rulebook(game, language)
    return FORMATS[form]([*book.blocks(), *(book.getting() if form == "html" else ())], language, width)


class Rulebook:
    def __init__(self, game: Game, language: Language):
        self.game, self.language, self.words = game, language, game.vocabulary
        self.speaker = Speaker(game, language)
        self.narrator, self.telling = self.speaker.narrator, Telling(game, language)
        self.sources: list[str] = []  # in the order in which they are first referred to

    def blocks(self) -> list[Block]:
        long: list[Block] = []  # what would keep a reader too long from the rules
        blocks = [
            *self._opening(),
            *self._components(long),
            *self._rules(),
            *self._tables(),
            *self._options(),
            *long,
        ]
        self._renumber(blocks)
        return [*blocks, *self._sources()]

    def _renumber(self, blocks: list[Block]) -> None:
        """Sources get their numbers in the order in which a reader meets them."""
        lines = [line for block in blocks for line in block.lines]
        order = list(dict.fromkeys(number for line in lines for number in line.sources))
        for line in lines:
            line.sources = tuple(sorted(order.index(number) + 1 for number in line.sources))
        self.sources = [self.sources[number - 1] for number in order]

    # --- texts ------------------------------------------------------------------------------------------------------
    def text(self, text: Text) -> str:
        return self.telling.text(text)

    def _(self, text: str) -> str:
        return self.language.translate(text)

    def line(self, entry: Told) -> BookLine | None:
        """A text of the rules with its sources and reasons, None if there is neither."""
        text, why = self.telling.told(entry)
        return BookLine(text, self.refer(entry), why) if text else None

    def refer(self, entry: Told) -> tuple[int, ...]:
        found = []
        for source in entry.sources:
            if source not in self.sources:
                self.sources.append(source)
            found.append(self.sources.index(source) + 1)
        return tuple(found)

    def called(self, atom: int) -> str:
        return self.narrator.name(atom)("list")

    def kind_name(self, name: str, shown: Presented) -> str:
        own = self.text(shown.name)
        return own or capital((self.language.pgettext("things", name) or name.replace("_", " ")).split(" | ")[0])

    def named_list(self, names: Sequence[str]) -> str:
        return self.language.list(names) if names else "–"

    # --- title, players ---------------------------------------------------------------------------------------------
    def _opening(self) -> Iterator[Block]:
        game, language, counts = self.game, self.language, self.game.rulebook.players
        yield Block("title", self.text(game.name) or game.id)
        lines = [BookLine(self.text(game.about))] if game.about else []
        if len(counts) > 1:
            others = language.list([language.number(n) for n in counts if n != game.players], "or")
            lines.append(
                BookLine(
                    language.say(
                        N_(
                            "For {players} players. It can also be played with {others}; "
                            "“--players” prints the rules for that."
                        ),
                        players=language.number(game.players),
                        others=others,
                    )
                )
            )
        else:
            lines.append(BookLine(language.ngettext("For {number} player.", "For {number} players.", game.players)))
        lines += self._paragraphs(game.rulebook.story)
        yield Block("lines", lines=lines)

    # --- things -----------------------------------------------------------------------------------------------------
    def _components(self, long: list[Block]) -> Iterator[Block]:
        shown, things = self.game.rulebook.components, self.game.texts.things
        names = [*shown, *(n for n in things if n not in shown and not things[n].is_union)]
        blocks: list[Block] = []
        for name in names:
            if name not in things:  # a text by itself
                blocks += self._text(shown[name], 2)
                continue
            atoms, here = self.words.sets[name].atoms, shown.get(name) or Presented()
            if not atoms or here.hidden:
                continue
            later = len(atoms) > LONG and not self.words.atoms[atoms[0]].parts
            (long if later else blocks).extend(self._set(name, things[name], here, 1 if later else 2))
        picture = list(self._board())
        if blocks or picture:
            yield Block("heading", self._(N_("What is in the game")), 1)
            yield from picture
            yield from blocks

    def _text(self, shown: Presented, level: int) -> list[Block]:
        """A heading and what stands under it; nothing, if there is nothing to say."""
        lines = self._paragraphs(shown.about)
        if shown.hidden or not lines:
            return []
        return [Block("heading", self.text(shown.name), level), Block("lines", lines=lines)]

    def _paragraphs(self, text: Text) -> list[BookLine]:
        return [BookLine(part) for part in re.split(r"\n+", self.text(text)) if part]

    def _board(self) -> Iterator[Block]:
        if board_of(self.game) is not None:
            yield Block("picture", draw=lambda: svg(self.game, self.language, paper=""))

    def _set(self, name: str, texts: SetTexts, shown: Presented, level: int) -> Iterator[Block]:
        atoms = self.words.sets[name].atoms
        yield Block("heading", self.kind_name(name, shown), level)
        lines = [BookLine(part) for part in [self.text(shown.about)] if part]
        columns = self._columns(texts, shown)
        if columns:
            rows = [[capital(self.called(atom)), *(cell(atom) for _, cell in columns)] for atom in atoms]
            keep = [k for k in range(len(columns) + 1) if k == 0 or any(row[k] != "–" for row in rows)]
            table = Block(
                "table",
                head=[["", *(title for title, _ in columns)][k] for k in keep],
                rows=[[row[k] for k in keep] for row in rows],
            )
        else:
            table = None
            lines.append(BookLine(self._members(atoms)))
        more = self.line(texts.told)
        if more:
            lines.append(more)
        elif lines:
            lines[0].sources = self.refer(texts.told)
        yield from [Block("lines", lines=lines)] if lines else []
        yield from [table] if table else []

    def _members(self, atoms: Sequence[int]) -> str:
        """All of a set, or of the sets whose product it is."""
        parts = [self.words.atoms[atom].parts for atom in atoms]
        if not all(parts):
            return self.language.say(N_("{clause}."), clause=capital(self.named_list([self.called(a) for a in atoms])))
        factors = [list(dict.fromkeys(column)) for column in zip(*parts)]
        several = [factor for factor in factors if len(factor) > 1] or factors[:1]
        lists = [self.named_list([self.called(a) for a in factor]) for factor in several]
        product = lists[0]
        for names in lists[1:]:
            product = self.language.say(N_("{some}; for each of them {others}"), some=product, others=names)
        number = self.language.number(len(atoms))
        return self.language.say(N_("{number} in all: {parts}."), number=number, parts=product)

    def _columns(self, texts: SetTexts, shown: Presented) -> list[Column]:
        """The columns of a set that a reader is shown: their titles, and how a member's cell is said."""
        found, titles = [], shown.titles
        for column, function in texts.columns:
            if titles is None or column in titles:
                title = self.text(titles[column]) if titles else capital(column.replace("_", " "))
                found.append((title, self._cell(function, texts, column)))
        for name, function in self.game.texts.links:
            if name in (titles or {}):
                found += self._links(function)
        return found

    def facts(self, atom: int) -> list[tuple[str, str]]:
        """What the rulebook's table tells of one thing, column by column; nothing of sets that are listed at its
        end."""
        name = self.words.atoms[atom].set
        shown = self.game.rulebook.components.get(name) or Presented()
        if name not in self.words.sets or shown.hidden or len(self.words.sets[name].atoms) > LONG:
            return []
        columns = self._columns(self.game.texts.things[name], shown)
        return [(title, said) for title, cell in columns if (said := cell(atom)) != "–"]

    def _cell(self, function: Function, texts: SetTexts, column: str) -> Callable[[int], str]:
        def say(atom: int) -> str:
            own = texts.said.get((self.words.atoms[atom].name, column))
            if own is not None:
                return self.text(own)
            value = function.values.get((atom,))
            if function.kind == "formula":
                return self.speaker.value(value, {})("") if value is not None else "–"
            return self.value(value, function.result)

        return say

    def value(self, value: Any, kind: Type) -> str:
        """A value of a table for a reader."""
        if value is None or value is False or value == ():
            return "–"
        if value is True:
            return "✓"
        if kind.kind == "amount":
            return self.telling.figures(*value)
        if isinstance(value, tuple):
            return self.language.row([self.value(item, kind.of or kind) for item in value])  # any of them, or all
        if kind.kind == "number":
            return self.language.number(value)
        thing = self.words.atoms[value]
        home = self.words.sets.get(thing.set)
        return self.speaker.thing(value) if home is not None and home.numbered_by else self.called(value)

    def _links(self, function: Function) -> list[Column]:
        def say(*kind: int) -> Callable[[int], str]:
            return lambda atom: self.language.row(map(self.called, function.values.get((atom, *kind), ()))) or "–"

        if len(function.params) < 2:
            return [("→", say())]
        return [(capital(self.called(kind)), say(kind)) for kind in sorted(function.params[1].type.atoms)]

    # --- tables -----------------------------------------------------------------------------------------------------
    def _tables(self) -> Iterator[Block]:
        for table in self.game.texts.tables:
            here = self.game.rulebook.tables.get(table.name) or Presented()
            if here.hidden:
                continue
            yield Block("heading", self.text(here.name) or capital(table.name.replace("_", " ")), 1)
            lines = [BookLine(self.text(here.about), self.refer(table.told))] if here.about else []
            more = self.line(table.told)
            yield Block("lines", lines=lines + ([more] if more else []))
            yield from self.table(table.function, table.said)

    def how_to_read(self, function: Function) -> str:
        """What stands above a table, if anything does."""
        name = next((table.name for table in self.game.texts.tables if table.function is function), "")
        return self.text(about) if (about := (self.game.rulebook.tables.get(name) or Presented()).about) else ""

    def table(self, function: Function, told: Mapping[tuple[int, ...], Text] = {}) -> Iterator[Block]:
        groups: dict[tuple[int, ...], list[list[str]]] = {}
        for keys, cell in function.values.items():
            if isinstance(cell, (int, str, tuple, type(None))):
                said = self.value(cell, function.result)
            elif function.result.kind == "truth":
                said = " ".join(filter(None, [self.speaker.cell(function, keys), self.text(told.get(keys, ""))]))
            else:
                said = self.speaker.value(cell, {})("")
            group, rest = (keys[:1], keys[1:]) if len(keys) > 1 else ((), keys)
            groups.setdefault(group, []).append([" – ".join(self.called(k) for k in rest), said])
        for group, rows in groups.items():
            if group:
                yield Block("heading", capital(self.called(group[0])), 2)
            yield Block("table", head=[], rows=rows)

    # --- the rules --------------------------------------------------------------------------------------------------
    def _rules(self) -> Iterator[Block]:
        shown = self.game.rulebook.chapters
        found = Chapters(self.game, self.line, Stating(self.speaker, self.telling)).all()
        for name in [*shown, *(name for name in found if name not in shown)]:
            here, lines = shown.get(name) or Presented(), found.get(name, [])
            if not lines:
                yield from self._text(here, 1)
            elif not here.hidden:
                plain = capital(name.replace("_", " ")) if shown else self._(N_("How it is played"))
                yield Block("heading", self.text(here.name) or plain, 1)
                yield from [Block("lines", lines=self._paragraphs(here.about))] if here.about else []
                yield Block("list" if len(lines) > 1 else "lines", lines=lines)

    # --- options ----------------------------------------------------------------------------------------------------
    def _options(self) -> Iterator[Block]:
        if not self.game.options:
            return
        yield Block("heading", self._(N_("What a group may decide")), 1)
        for name, option in self.game.options.items():
            entry, heading = self.game.texts.options[name], capital(self.option_name(name))
            yield Block("heading", heading, 2)
            lines = [BookLine(self.text(entry.rule) or heading, self.refer(entry), self.text(entry.decision))]
            lines.append(BookLine(self._choices(option)))
            yield Block("lines", lines=lines)

    def _choices(self, option: Option) -> str:
        """What an option can be and is; of many numbers, that another one will do as well."""
        here = self._chosen(option.value)
        if option.kind == "number" and (
            option.least is None or option.most is None or option.most - option.least > FEW
        ):
            return self.language.say(N_("Here: {value}. You may agree on another number."), value=here)
        if option.kind == "one of":
            values = self.language.list([*map(self._chosen, option.values)], "or")
        elif option.kind == "number":
            numbers = [self.option_value(number) for number in range(option.least, option.most + 1)]
            ends = {"least": numbers[0], "most": numbers[-1]}
            values = (
                self.language.list(numbers, "or")
                if len(numbers) < 4
                else self.language.say(N_("{least} to {most}"), **ends)
            )
        else:
            values = self.language.list([*map(self._chosen, (True, False))], "or")
        return self.language.say(N_("Possible: {values}. Here: {value}."), values=values, value=here)

    def _chosen(self, value: Any) -> str:
        """A value as one names it; numbers need no marks."""
        said = self.option_value(value)
        return said if type(value) is int else self.language.quoted(said)

    def option_name(self, name: str) -> str:
        return self.language.pgettext("option", name) or name.replace("_", " ")

    def option_value(self, value: Any) -> str:
        if isinstance(value, bool):
            return self._(N_("yes") if value else N_("no"))
        if isinstance(value, int):
            return self.language.number(value)
        return self.language.pgettext("value", str(value)) or str(value).replace("_", " ")

    # --- sources ----------------------------------------------------------------------------------------------------
    def _sources(self) -> Iterator[Block]:
        if self.sources:
            titles = [source_title(self.game, self.language, source) for source in self.sources]
            yield Block("heading", self._(N_("Sources")), 1)
            yield Block("sources", lines=[BookLine(title) for title in titles])

    def getting(self) -> Iterator[Block]:
        """Of a house rule, how somebody who reads this page elsewhere gets to play it."""
        file = Path(self.game.origin[0])
        if not file.is_relative_to(RULES):
            yield Block("heading", self._(N_("How to get it")), 1)
            text = N_(
                "This is a house rule for Tabarro. “tabarro pack {file}” puts all that it needs into {pack}; ask for "
                "that file whoever gave you this page, and play it with “tabarro play {pack}”."
            )
            yield Block("lines", lines=[BookLine(self.language.say(text, file=file.name, pack=f"{file.stem}.tabarro"))])


def capital(text: str) -> str:
    """As at the beginning of a sentence; what is not a word, such as a3, stays as it is."""
    return text[:1].upper() + text[1:] if text[:2].isalpha() else text
