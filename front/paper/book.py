"""The rules of a game as a person wants to read them, made from the rules that are played.

The same data that decide the game are told here: things and their columns, tables, the sentence beside each step in
the order in which steps are carried out, conditions in words, options with their reasons. What is switched off by an
option or belongs to another number of players is left out. Section `rulebook` of the rules adds headings and texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...interpreter.declarations import Declarations
from ...interpreter.evaluate import evaluate, is_fixed
from ...interpreter.steps import Rules
from ...speech.conditions import Speaker
from ...speech.language import N_, Language
from .map import board_of
from .pages import FORMATS, WIDTH, Block, BookLine
from .sheet import svg

LONG = 20  # members of a set; more are listed after the rules
UNBOUNDED = 1_000  # an amount beyond this has no upper limit


def rulebook(game, language: Language | str = "en", form: str = "md", width: int = WIDTH) -> str:
    """The rulebook of this very game: its players, its options; plain text in so many columns."""
    language = Language(language) if isinstance(language, str) else language
    return FORMATS[form](Rulebook(game, language).blocks(), language, width)


class Rulebook:
    def __init__(self, game, language: Language):
        self.game, self.language, self.words = game, language, game.vocabulary
        self.speaker = Speaker(game, language)
        self.narrator = self.speaker.narrator
        self.about = game.description.get("rulebook") or {}
        self.sources: list[str] = []  # in the order in which they are first referred to

    def blocks(self) -> list[Block]:
        long: list[Block] = []  # what would keep a reader too long from the rules
        return [
            *self._opening(),
            *self._components(long),
            *self._rules(),
            *self._tables(),
            *self._options(),
            *long,
            *self._sources(),
        ]

    # --- texts ------------------------------------------------------------------------------------------------------
    def text(self, value: Any) -> str:
        return self.language.text(value).strip()

    def _(self, text: str) -> str:
        return self.language.translate(text)

    def line(self, entry: Mapping, key: str = "rule") -> BookLine | None:
        """A text of the rules with its sources and reasons, None if there is neither."""
        told, why = self.text(entry.get(key)), self.text(entry.get("decision"))
        if not told and not why:
            return None
        return BookLine(told or why, self.refer(entry), why if told else "")

    def refer(self, entry: Mapping) -> tuple[int, ...]:
        found = []
        for source in re.split(r",\s*", str(entry.get("source") or "")) if entry.get("source") else ():
            if source not in self.sources:
                self.sources.append(source)
            found.append(self.sources.index(source) + 1)
        return tuple(found)

    def called(self, atom: int) -> str:
        return self.narrator.name(atom)("list")

    def kind_name(self, name: str, spec: Mapping) -> str:
        own = self.text(spec.get("name"))
        return own or _capital((self.language.pgettext("things", name) or name.replace("_", " ")).split(" | ")[0])

    def named_list(self, names: Sequence[str]) -> str:
        return self.language.list(names) if names else "–"

    # --- title, players ---------------------------------------------------------------------------------------------
    def _opening(self) -> Iterator[Block]:
        description, language = self.game.description, self.language
        yield Block("title", self.text(description.get("name")) or self.game.id)
        lines = [BookLine(self.text(description.get("about")))] if description.get("about") else []
        counts = sorted(int(count) for count in description.get("players") or ())
        if len(counts) > 1:
            every = language.list([language.number(n) for n in counts], "or")
            lines.append(
                BookLine(
                    language.say(
                        N_("For {counts} players. These are the rules for {players}."),
                        counts=every,
                        players=language.number(self.game.players),
                    )
                )
            )
        else:
            lines.append(
                BookLine(language.ngettext("For {number} player.", "For {number} players.", self.game.players))
            )
        if "story" in self.about:
            lines += [BookLine(part) for part in re.split(r"\n+", self.text(self.about["story"])) if part]
        yield Block("lines", lines=lines)

    # --- things -----------------------------------------------------------------------------------------------------
    def _components(self, long: list[Block]) -> Iterator[Block]:
        shown = self.about.get("components") or {}
        things = self.game.description.get("things") or {}
        names = [n for n in shown if n in things] + [n for n in things if n not in shown and not _is_union(things[n])]
        blocks = []
        for name in names:
            atoms = self.words.sets[name].atoms
            if not atoms or (shown.get(name) or {}).get("hidden"):
                continue
            later = len(atoms) > LONG and not self.words.atoms[atoms[0]].parts
            (long if later else blocks).extend(self._set(name, things[name], shown.get(name) or {}, 1 if later else 2))
        picture = list(self._board())
        if blocks or picture:
            yield Block("heading", self._(N_("What there is")), 1)
            yield from picture
            yield from blocks

    def _board(self) -> Iterator[Block]:
        if board_of(self.game) is not None:
            yield Block("picture", draw=lambda: svg(self.game, self.language, paper=""))

    def _set(self, name: str, spec: Any, told: Mapping, level: int) -> Iterator[Block]:
        atoms = self.words.sets[name].atoms
        spec = spec if isinstance(spec, Mapping) else {}
        yield Block("heading", self.kind_name(name, told), level)
        lines = [BookLine(part) for part in [self.text(told.get("about"))] if part]
        columns = self._columns(name, spec, told)
        if columns:
            rows = [[_capital(self.called(atom)), *(cell(atom) for _, cell in columns)] for atom in atoms]
            keep = [k for k in range(len(columns) + 1) if k == 0 or any(row[k] != "–" for row in rows)]
            table = Block(
                "table",
                head=[["", *(title for title, _ in columns)][k] for k in keep],
                rows=[[row[k] for k in keep] for row in rows],
            )
        else:
            table = None
            lines.append(BookLine(self._members(atoms)))
        more = self.line(spec)
        if more:
            lines.append(more)
        elif lines and spec.get("source"):
            lines[0].sources = self.refer(spec)
        yield from [Block("lines", lines=lines)] if lines else []
        yield from [table] if table else []

    def _members(self, atoms: Sequence[int]) -> str:
        """All of a set, or of the sets whose product it is."""
        parts = [self.words.atoms[atom].parts for atom in atoms]
        if not all(parts):
            return self.language.say(N_("{clause}."), clause=_capital(self.named_list([self.called(a) for a in atoms])))
        factors = [list(dict.fromkeys(column)) for column in zip(*parts)]
        product = " × ".join(f"({self.named_list([self.called(a) for a in factor])})" for factor in factors)
        number = self.language.number(len(atoms))
        return self.language.say(N_("{number} in all: {parts}."), number=number, parts=product)

    def _columns(self, name: str, spec: Mapping, told: Mapping) -> list[tuple[str, Any]]:
        """The columns of a set that a reader is shown: their titles, and how a member's cell is said."""
        found, titles = [], told.get("titles")
        things = self.words.sets[name]
        for head in spec.get("columns") or {}:
            column = head.split(" ")[0]
            if titles is not None and column not in titles:
                continue
            title = self.text(titles[column]) if titles else _capital(column.replace("_", " "))
            function = next(
                (
                    f
                    for shape, fs in self.words.functions.items()
                    for f in fs
                    if shape.split(" ")[:2] == [column, "of"]
                    and f.params
                    and f.params[0].type == things.type
                    and f.kind in ("table", "formula")
                ),
                None,
            )
            if function is not None:
                found.append((title, self._cell(function, spec, column)))
        links = self.game.description.get("links") or {}
        for head in links:
            if head.split(" ")[0] in (titles or {}):
                found += self._links(head, things)
        return found

    def facts(self, atom: int) -> list[tuple[str, str]]:
        """What the rulebook's table tells of one thing, column by column; nothing of sets that are listed at its
        end."""
        name = self.words.atoms[atom].set
        spec = (self.game.description.get("things") or {}).get(name)
        told = (self.about.get("components") or {}).get(name) or {}
        if not isinstance(spec, Mapping) or told.get("hidden") or len(self.words.sets[name].atoms) > LONG:
            return []
        return [(title, said) for title, cell in self._columns(name, spec, told) if (said := cell(atom)) != "–"]

    def _cell(self, function, spec: Mapping, column: str):
        def say(atom: int) -> str:
            row = (spec.get("members") or {}).get(self.words.atoms[atom].name)
            written = row.get(column) if isinstance(row, Mapping) else None
            own = (self.about.get("said") or {}).get(written) if isinstance(written, str) else None
            if own is not None:
                return self.text(own)
            value = function.values.get((atom,))
            if function.kind == "formula":
                return self.speaker.value(value, {})("") if value is not None else "–"
            return self.value(value, function.result)

        return say

    def value(self, value: Any, kind) -> str:
        """A value of a table for a reader."""
        if value is None or value is False or value == ():
            return "–"
        if value is True:
            return "✓"
        if kind.kind == "amount":
            return self._amount(*value)
        if isinstance(value, tuple):
            return self.named_list([self.value(item, kind.of) for item in value])
        if kind.kind == "number":
            return self.language.number(value)
        thing = self.words.atoms[value]
        home = self.words.sets.get(thing.set)
        return self.speaker.thing(value) if home is not None and home.numbered_by else self.called(value)

    def _amount(self, least: int, most: int) -> str:
        say, number = self.language.say, self.language.number
        if least == most:
            return say(N_("exactly {number}"), number=number(least)) if least else self._(N_("none"))
        if most >= UNBOUNDED:
            return say(N_("at least {number}"), number=number(least)) if least else self._(N_("any number"))
        if least == 0:
            return say(N_("at most {number}"), number=number(most))
        return say(N_("{least} to {most}"), least=number(least), most=number(most))

    def _links(self, head: str, things) -> list[tuple[str, Any]]:
        shape, params = self.words.checker.head(head, self.game.description["links"].key_at[head])
        function = next(f for f in self.words.functions[shape] if f.kind == "table")

        def say(kind: int | None):
            tail = () if kind is None else (kind,)
            return lambda atom: self.named_list([self.called(a) for a in function.values.get((atom, *tail), ())])

        kinds = sorted(params[1].type.atoms) if len(params) == 2 else [None]
        return [(_capital(self.called(kind)) if kind is not None else "→", say(kind)) for kind in kinds]

    # --- tables -----------------------------------------------------------------------------------------------------
    def _tables(self) -> Iterator[Block]:
        tables, told = self.game.description.get("tables") or {}, self.about.get("tables") or {}
        for head in tables:
            name = head.split(" ")[0]
            here = told.get(name) or {}
            if here.get("hidden"):
                continue
            shape, _ = self.words.checker.head(head, tables.key_at[head])
            function = next(f for f in self.words.functions[shape] if f.kind in ("table", "formula"))
            yield Block("heading", self.text(here.get("name")) or _capital(name.replace("_", " ")), 1)
            lines = [BookLine(self.text(here["about"]), self.refer(tables[head]))] if here.get("about") else []
            more = self.line(tables[head])
            yield Block("lines", lines=lines + ([more] if more else []))
            yield from self._table(function)

    def _table(self, function) -> Iterator[Block]:
        groups: dict[tuple, list[list[str]]] = {}
        for keys, cell in function.values.items():
            if isinstance(cell, (int, str, tuple, type(None))):
                said = self.value(cell, function.result)
            elif function.result.kind == "truth":
                said = self.speaker.cell(function, keys)
            else:
                said = self.speaker.value(cell, {})("")
            group, rest = (keys[:1], keys[1:]) if len(keys) > 1 else ((), keys)
            groups.setdefault(group, []).append([" – ".join(self.called(k) for k in rest), said])
        for group, rows in groups.items():
            if group:
                yield Block("heading", _capital(self.called(group[0])), 2)
            yield Block("table", head=[], rows=rows)

    # --- the rules --------------------------------------------------------------------------------------------------
    def _rules(self) -> Iterator[Block]:
        chapters = _Walk(self).chapters()
        told = self.about.get("chapters") or {}
        for name, lines in chapters.items():
            here = told.get(name) or {}
            heading = self.text(here.get("name")) or (
                self._(N_("How it is played")) if not told else _capital(name.replace("_", " "))
            )
            if here.get("about"):
                lines = [BookLine(self.text(here["about"])), *lines]
            if lines and not here.get("hidden"):
                yield Block("heading", heading, 1)
                yield Block("list" if len(lines) > 1 else "lines", lines=lines)

    # --- options ----------------------------------------------------------------------------------------------------
    def _options(self) -> Iterator[Block]:
        specs = self.game.description.get("options") or {}
        if not self.game.options:
            return
        yield Block("heading", self._(N_("What a group may decide")), 1)
        for name, option in self.game.options.items():
            spec = specs[name]
            yield Block("heading", _capital(self.option_name(name)), 2)
            lines = [
                BookLine(
                    self.text(spec.get("about")) or _capital(self.option_name(name)),
                    self.refer(spec),
                    self.text(spec.get("decision")),
                )
            ]
            if option.kind == "one of":
                values = self.language.list([self.option_value(v) for v in option.values], "or")
            elif option.kind == "number":
                values = f"{'' if option.least is None else option.least}–{'' if option.most is None else option.most}"
            else:
                values = self.language.list([self._(N_("yes")), self._(N_("no"))], "or")
            lines.append(
                BookLine(
                    self.language.say(
                        N_("Possible: {values}. Here: {value}."), values=values, value=self.option_value(option.value)
                    )
                )
            )
            yield Block("lines", lines=lines)

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
            known = self.about.get("sources") or {}
            yield Block("heading", self._(N_("Sources")), 1)
            yield Block("sources", lines=[BookLine(self.text(known.get(source)) or source) for source in self.sources])


# --- the sentences beside the steps, in order ----------------------------------------------------------------------
class _Walk:
    """Goes through the rules as they are carried out, each once, and collects their sentences by chapter."""

    def __init__(self, book: Rulebook):
        self.book = book
        game = book.game
        self.rules = Rules(Declarations(game.description, game.options))
        self.entries: dict[Any, Mapping] = {}  # the YAML of each step, by its place
        self._index(game.description.get("rules") or {})
        self.told = book.about.get("chapters") or {}
        self.found: dict[str, list[BookLine]] = {}
        self.seen: set[str] = set()
        self.texts: set[str] = set()
        self.later: list = []  # rules that only a choice leads to: they are told after the rule that calls them
        self.chosen = 0  # inside how many choices we are

    def _index(self, rules: Mapping) -> None:
        stack = [rules]
        while stack:
            data = stack.pop()
            for key, value in data.items():
                if isinstance(value, Mapping):
                    self.entries[data.key_at[key]] = value
                    stack.append(value)

    def chapters(self) -> dict[str, list[BookLine]]:
        start = self.rules.start
        self.rule(start, start.name.split(" ")[0])
        order = [name for name in self.told if name in self.found] + [n for n in self.found if n not in self.told]
        return {name: self.found[name] for name in order}

    def rule(self, rule, chapter: str) -> None:
        name = rule.name.split(" ")[0]
        if rule.name in self.seen:
            return
        self.seen.add(rule.name)
        chapter = name if name in self.told else chapter
        self.found.setdefault(chapter, [])
        before, self.later, depth, self.chosen = self.later, [], self.chosen, 0
        self.steps(rule.steps, chapter)
        waiting, self.later, self.chosen = self.later, before, depth
        for callee in waiting:
            self.rule(callee, chapter)

    def steps(self, steps, chapter: str) -> None:
        for step in steps:
            self.step(step, chapter)

    def step(self, step, chapter: str) -> None:
        entry = self.entries.get(step.place, {})
        holds = truth(step.at["if"]) if step.verb == "if" else None
        if not (step.verb == "if" and holds is False and not step.bodies.get("else")) and not _idle(step):
            self.tell(entry, chapter)
        if step.callee is not None and self.chosen:
            self.later.append(step.callee)
        elif step.callee is not None:
            self.rule(step.callee, chapter)
        for key, body in step.bodies.items():
            if step.verb == "if" and holds is not None and holds != (key == "then"):
                continue
            self.steps(body, chapter)
        between = entry.get("between") or {}
        for alternative in step.alternatives:
            if alternative.given is not None and truth(alternative.given) is False:
                continue
            self.tell(between.get(alternative.name) or {}, chapter)
            self.chosen += 1
            self.steps(alternative.then, chapter)
            self.chosen -= 1

    def tell(self, entry: Mapping, chapter: str) -> None:
        line = self.book.line(entry)
        if line is not None and line.text not in self.texts:
            self.texts.add(line.text)
            self.found[chapter].append(line)


def _idle(step) -> bool:
    """A name for a value that the options leave no choice about."""
    return (
        step.verb == "let"
        and bool(step.vars)
        and all(step.at[name].op == "cond" and truth(step.at[name].args[0]) is False for name in step.vars)
    )


def truth(expr) -> bool | None:
    """What a condition comes to whatever happens in the game, as far as options and tables settle it; else None."""
    if expr.op == "not":
        inner = truth(expr.args[0])
        return None if inner is None else not inner
    if expr.op in ("and", "or"):
        sides = [truth(side) for side in expr.args]
        decisive = expr.op == "or"
        if decisive in sides:
            return decisive
        return None if None in sides else not decisive
    return bool(evaluate(expr, (), {})) if is_fixed(expr) else None


def _is_union(spec: Any) -> bool:
    return isinstance(spec, Mapping) and "any of" in spec


def _capital(text: str) -> str:
    """As at the beginning of a sentence; what is not a word, such as a3, stays as it is."""
    return text[:1].upper() + text[1:] if text[:2].isalpha() else text
