"""A rule file as it stands in an editor: its problems, its words, and the names that can be used at each place of it.

`analyse` is quick: syntax, names and types, with the usual number of players. `thorough` does all that `check` does to
find mistakes, with every number of players, and takes longer; it gives up as soon as it is told to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ...interpreter.blocks import Program
from ...interpreter.check import Checker, Scope
from ...interpreter.compiling import compile_blamed, compile_game, problems_in
from ...interpreter.declarations import Declarations
from ...interpreter.errors import Place, Problem, RulesError, Source, problem
from ...interpreter.game import Game
from ...interpreter.idiom import CODE, Idiom, idiom, idioms
from ...interpreter.load import Map, load_text, text_in
from ...interpreter.model import Expr, Type
from ...interpreter.resolve import Resolved
from ...interpreter.screens import read_screens
from ...interpreter.shelves import shown
from ...interpreter.steps import Rules
from ...interpreter.texts import read_habits, read_phrases, read_rulebook, read_texts
from ...interpreter.vocabulary import MAX_NESTED
from ...speech.conditions import Speaker
from ...speech.language import N_, Language
from ..workbench.worksheet import sentences
from .desk import Desk, OpenLibrary
from .outline import Node, outline
from .positions import offset_of
from .spots import Reading

__all__ = ["Analysis", "Mistake", "Seen", "analyse", "mistakes", "thorough"]

ELSEWHERE = N_("Something connected with this is wrong ({where}): {message}")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A problem as an editor shows it: in words, with its place in the text, and what its remedy needs."""

    code: str
    start: int
    end: int
    message: str
    remedy: str
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)  # the arguments of its message
    severity: int = 1  # error, warning, information
    file: str = ""  # where it really is, if that is another file
    line: int = 0
    column: int = 0


@dataclass(slots=True)
class Seen:
    """An expression of the rules, with the names that it may use."""

    text: Any
    place: Place
    scope: Scope
    wanted: Type | None
    start: str  # which way into the grammar
    expr: Expr | None = None


class _Recorder(Checker):
    """Types expressions, and remembers what could be used where."""

    words: Known

    def expression(self, text: Any, place: Place, scope: Scope, wanted: Type | None = None, **more: Any) -> Expr:
        seen = self.words.note(text, place, scope, wanted, "expression")
        seen.expr = super().expression(text, place, scope, wanted, **more)
        return seen.expr

    def case(self, text: Any, place: Place, scope: Scope, value: Type) -> Expr:
        self.words.note(text, place, scope, value, "expression")
        return super().case(text, place, scope, value)

    def binding(self, text: str, place: Place, scope: Scope) -> tuple[str, Expr]:
        self.words.note(text, place, scope, None, "binding")
        return super().binding(text, place, scope)

    def amount(self, text: Any, place: Place, scope: Scope) -> Expr:
        self.words.note(text, place, scope, None, "amount")
        return super().amount(text, place, scope)


class Known(Declarations):
    """What a description declares, as far as it can be understood."""

    checking = _Recorder

    def __init__(self, resolved: Resolved):
        self.seen: list[Seen] = []
        self.failed: RulesError | None = None
        try:
            super().__init__(resolved.description, resolved.options, resolved.players)
        except RulesError as error:
            self.failed = error

    def note(self, text: Any, place: Place, scope: Scope, wanted: Type | None, start: str) -> Seen:
        self.seen.append(Seen(text, place, scope, wanted, start))
        return self.seen[-1]


class KnownRules(Rules):
    """The steps of all rules, as far as they can be understood."""

    def __init__(self, words: Known):
        self.failed: RulesError | None = None
        try:
            super().__init__(words)
        except RulesError as error:
            self.failed = error


@dataclass(eq=False)
class Analysis:
    """What is known of one state of a text."""

    path: Path
    text: str
    desk: Desk
    library: OpenLibrary
    problems: list[Problem] = field(default_factory=list)
    resolved: Resolved | None = None
    words: Known | None = None
    rules: KnownRules | None = None
    files: list[Path] = field(default_factory=list)  # that it was made of
    _speakers: dict[str, Speaker] = field(default_factory=dict)

    @property
    def is_good(self) -> bool:
        """Are all names in it understood?"""
        return self.words is not None and self.rules is not None and self.rules.failed is None

    @cached_property
    def root(self) -> Node:
        return outline(self.text)

    @cached_property
    def reading(self) -> Reading:
        return Reading(written_in(self.root, self.text, self.desk.folders))

    @cached_property
    def below(self) -> Map:
        """All that the file extends; empty, where that cannot be read."""
        try:
            return self.library.below(self.path)
        except RulesError:
            pass
        stub = _stub(self)
        try:
            return self.library.with_other(self.path, stub).below(self.path) if stub is not None else _nothing(self)
        except RulesError:
            return _nothing(self)

    @cached_property
    def scopes(self) -> dict[int, Seen]:
        """The expressions of this file, by where they begin in its text."""
        own = self.library._loaded.get(self.path)
        if self.words is None or own is None:
            return {}
        source = own.at.source
        return {offset_of(one.place, self.text): one for one in self.words.seen if one.place.source is source}

    @cached_property
    def by_path(self) -> dict[tuple[str, ...], Seen]:
        """The same by the keys that lead to them, which stay while one types."""
        found: dict[tuple[str, ...], Seen] = {}
        for node in self.root.walk():
            for at in (node.start, node.key_start):
                if at in self.scopes and node.parent is not None:
                    found.setdefault(keys_of(node), self.scopes[at])
        return found

    @cached_property
    def game(self) -> Game | None:
        """The game, to say its conditions; nobody can play it."""
        if self.words is None or self.resolved is None or self.words.failed:
            return None
        try:
            words = self.words
            name = text_in(self.resolved.description, "name")
            nothing = Program([], [], [], [], 0, 0, {}, {}, "", {}, {})
            return Game(
                self.resolved.id, self.resolved.players, self.resolved.options, words, nothing, "", name, "",
                read_screens(words), read_phrases(words), read_texts(words), read_rulebook(words), {}, ("", 0, (), ()),
            )  # fmt: skip
        except (RulesError, RecursionError):
            return None

    def speaker(self, language: Language) -> Speaker:
        """Who says its conditions; to make his grammar takes a moment."""
        assert self.game is not None
        if language.code not in self._speakers:
            made = Speaker(self.game, language)
            assert made.grammar
            self._speakers[language.code] = made
        return self._speakers[language.code]

    def path_of(self, source: Source) -> Path | None:
        return self.library.paths.get(source)


def keys_of(node: Node) -> tuple[str, ...]:
    return tuple(each.key if each.key is not None else "-" for each in node.path())


def written_in(root: Node, text: str, folders: tuple[Path, ...]) -> Idiom | None:
    """The language that the first line of a text says it is written in."""
    first = root.kids[0] if root.kids else None
    code = text[first.start : first.end] if first is not None and first.start >= 0 else ""
    if first is None or first.key is None or not CODE.match(code):
        return None
    found = idiom(code, folders)
    own = found.header["language"] if found is not None else ""
    return found if first.key.casefold() in ("language", own.casefold()) else None


def _stub(known: Analysis) -> Map | None:
    """A file that only extends what this one seems to."""
    for node in known.root.kids:
        if node.key is not None and known.reading.meaning("file", node.key) == "extends":
            names = [known.text[one.start : one.end] for one in (node.kids or [node]) if one.start >= 0]
            names = [name.strip("\"' ") for name in names]
            if names and all(name and not set(name) & set("[]{},:#\n") for name in names):
                try:
                    return load_text(f"extends: [{', '.join(names)}]", shown(known.path))
                except RulesError:
                    return None
    return None


def _nothing(known: Analysis) -> Map:
    return Map(Place(Source(shown(known.path), known.text), 1, 1))


# --- other files ------------------------------------------------------------------------------------------------------
OURS = frozenset(
    "extends change remove add players seats things abstract screens phrases rulebook habits".split()
    + ["played by chance"]
)  # keys that tell a rule file from other YAML


def is_other(path: Path, root: Node, reading: Reading, folders: tuple[Path, ...]) -> bool:
    """Is this evidently no rule file? Editors send whatever is YAML."""
    if "scenarios" in path.parts:
        return True
    keys = [node.key for node in root.kids if node.key is not None and node.colon >= 0]
    begins = {
        word.casefold() for code in idioms(folders) if (found := idiom(code, folders)) for word in found.header.values()
    }
    if any(key.casefold() in begins or reading.header(key) for key in keys[:2]):
        return False
    meant = [reading.meaning("file", key) for key in keys]
    return None in meant and not OURS.intersection(filter(None, meant))


# --- quickly ----------------------------------------------------------------------------------------------------------
def analyse(desk: Desk, path: Path) -> Analysis:
    """Syntax, names and types of a file that is open."""
    found = Analysis(path, desk.open[path], desk, desk.library())
    if is_other(path, found.root, found.reading, desk.folders):
        return found
    try:
        own = found.library.load(path)
        found.files = found.library.files_of(path)
        game = desk.game_with(path) if own.get("abstract") else path
        if game is None:
            found.library.merged(path)
        else:
            found.files = found.library.files_of(game)
            _understand(found, game)
    except RulesError as error:
        found.problems = error.problems
    if found.words is None:
        _understand_parents(found)
    return found


def _understand(found: Analysis, game: Path) -> None:
    resolved = found.library.resolve(game)
    try:
        found.resolved = resolved
        found.words = words = Known(resolved)
        if words.failed is not None:
            raise words.failed
        found.rules = KnownRules(words)
        if found.rules.failed is not None:
            raise found.rules.failed
        for read in (read_screens, read_phrases, read_texts, read_rulebook, read_habits):
            read(words)
    except RecursionError:
        raise RulesError(problem("too_nested", resolved.description.at, name=resolved.id, limit=MAX_NESTED)) from None


def _understand_parents(found: Analysis) -> None:
    """Where the file itself cannot be read: the words of what it extends."""
    stub = _stub(found)
    if stub is None:
        return
    library = found.library.with_other(found.path, stub)
    try:
        found.files = found.files or library.files_of(found.path)
        resolved = library.resolve(found.path)
        found.resolved, found.words = resolved, Known(resolved)
        found.rules = None if found.words.failed else KnownRules(found.words)
    except (RulesError, RecursionError):
        pass
    found.library.paths |= library.paths


# --- thoroughly -------------------------------------------------------------------------------------------------------
class GivenUp(Exception):
    """Nobody wants to know any more."""


Found = Callable[[list[Problem], OpenLibrary], None]


def thorough(desk: Desk, path: Path, given_up: Callable[[], bool], tell: Found) -> None:
    """Tells all mistakes that `check` finds without playing: those with the first number of players as soon as they are
    found, then all; then, if some show in other files because of this one, each at the line that brings it about."""
    library = desk.library()
    games: list[Game] = []
    root = outline(desk.open[path])
    if is_other(path, root, Reading(written_in(root, desk.open[path], desk.folders)), desk.folders):
        tell([], library)
        return

    def compiled(make: Callable[[OpenLibrary, Path, int | None], Game], file: Path, players: int | None) -> Game:
        if given_up():
            raise GivenUp
        try:
            games.append(make(library, file, players))
        except RulesError as error:
            if make is _plainly:
                tell(error.problems, library)
            raise
        return games[-1]

    game: Path | None = path
    try:
        if library.load(path).get("abstract"):
            game = desk.game_with(path)
            if game is None:
                library.merged(path)
    except RulesError as error:
        tell(error.problems, library)
        return
    found = problems_in(library, game, partial(compiled, _plainly)) if game is not None else []
    for each in games if not found else ():
        try:
            sentences(each)
        except RulesError as error:
            found = RulesError([*found, *error.problems]).problems
    tell(found, library)
    if game == path and any(each.place is None or library.paths.get(each.place.source) != path for each in found):
        tell(problems_in(library, path, partial(compiled, compile_blamed)), library)


def _plainly(library: OpenLibrary, path: Path, players: int | None) -> Game:
    return compile_game(library, path, players, None)


# --- in words ---------------------------------------------------------------------------------------------------------
def mistakes(
    problems: list[Problem], path: Path, text: str, library: OpenLibrary, language: Language, all_of_them: bool = True
) -> list[Mistake]:
    """Problems as an editor shows them. What is wrong in another file is told at the top, or where that is named."""
    return list(_told(problems, path, text, library, language, all_of_them))


def _told(
    problems: list[Problem], path: Path, text: str, library: OpenLibrary, language: Language, all_of_them: bool
) -> Iterator[Mistake]:
    name, others = shown(path), []
    for each in problems:
        place = each.place
        if place is not None and place.source.name == name and library.paths.get(place.source, path) == path:
            yield _here(each, place, text, language)
        else:
            others.append(each)
    for each in others[:1] if all_of_them else ():
        yield _elsewhere(each, text, library, language)


def _here(each: Problem, place: Place, text: str, language: Language, severity: int = 1) -> Mistake:
    start = offset_of(place, text)
    end = start + max(1, place.reach(each.length))
    broken = next((at for at in range(start, min(end, len(text))) if text[at] in "\r\n"), min(end, len(text)))
    if broken == start and start > 0 and text[start - 1] not in "\r\n":
        start -= 1  # behind the last character: that one is marked
    return Mistake(
        each.code,
        start,
        max(broken, start),
        each.message(language.translate),
        each.remedy(language.translate),
        {name: each.words(name) for name in each.args},
        severity,
    )


def _elsewhere(each: Problem, text: str, library: OpenLibrary, language: Language) -> Mistake:
    start, end = _naming(text, library.folders[:-1])
    message, where, place = each.message(language.translate), "", each.place
    if place is None:
        return Mistake(each.code, start, end, message, each.remedy(language.translate))
    where = f"{place.source.name}:{place.line}"
    said = language.say(ELSEWHERE, where=where, message=message)
    file = library.paths.get(place.source)
    return Mistake(
        each.code, start, end, said, each.remedy(language.translate), {}, 1, str(file or ""), place.line, place.column
    )


def _naming(text: str, folders: tuple[Path, ...]) -> tuple[int, int]:
    """Where a file says what it extends; else its first key."""
    root = outline(text)
    reading = Reading(written_in(root, text, folders))
    for node in root.kids:
        if node.key is not None and reading.meaning("file", node.key) == "extends" and node.start >= 0:
            return node.start, max(node.start, node.end)
    first = root.kids[0] if root.kids else None
    return (first.key_start, max(first.key_end, first.key_start)) if first is not None else (0, 0)


def warned(problems: list[Problem], path: Path, text: str, language: Language, severity: int) -> list[Mistake]:
    """What is no mistake, as far as it stands in this file."""
    name = shown(path)
    return [
        _here(each, each.place, text, language, severity)
        for each in problems
        if each.place is not None and each.place.source.name == name
    ]
