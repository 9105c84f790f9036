"""From rule files to a Game: the whole pipeline, step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from . import doors, kept
from .authors import read_authors
from .blame import blamed
from .declarations import Declarations
from .digest import digest_of_version_1, renewed
from .doors import Reader
from .errors import Problem, RulesError, problem
from .files import real
from .flow import check_flow
from .game import Game
from .idiom import LOCALES
from .load import Map, text_in
from .model import Assumption, OptionValue
from .program import make_program
from .remembering import chosen, remember
from .renewal import means_anew
from .resolve import Library, player_counts
from .schema import validate
from .screens import read_screens, unknown_things
from .sentences import read_sentences
from .shelves import shown
from .steps import Rules
from .texts import read_habits, read_phrases, read_rulebook, read_texts
from .vocabulary import MAX_NESTED

__all__ = [
    "compile_blamed",
    "compile_for_people",
    "compile_game",
    "compile_to_keep",
    "earlier_digests",
    "find_problems",
    "problems_in",
]


def compile_game(
    library: Library,
    path: Path,
    players: int | None,
    options: Mapping[str, OptionValue] | None,
    leaks: list[Problem] | None = None,
    reader: Reader | None = None,
) -> Game:
    """The game of a file. With `leaks`, one that would give a secret away is compiled all the same, and what the check
    says of it is put there: for the lab, which plays such games to see whether the check is right.

    Where conditions are sentences of a language, it is made twice: to know its words, and then with what they mean."""
    resolved = library.resolve(path, players, options)
    try:
        vocabulary = Declarations(resolved.description, resolved.options, resolved.players, reader)
        rules = Rules(vocabulary)
        assumed: tuple[Assumption, ...] = ()
        try:
            assumed = () if vocabulary.unread else check_flow(rules)
        except RulesError as error:
            if leaks is None:
                raise
            leaks += error.problems
        screens, rulebook = read_screens(vocabulary), read_rulebook(vocabulary)
        rulebook.authors = read_authors(library, path, resolved.players, resolved.description)
        program = make_program(rules)
        screens.worksheet = read_sentences(vocabulary, program.events)
    except RecursionError:  # every nesting has its limit, but all of them together can still be too much
        raise RulesError(problem("too_nested", resolved.description.at, name=resolved.id, limit=MAX_NESTED)) from None
    chosen = tuple(sorted((name, option.value) for name, option in resolved.options.items()))
    origin = (str(real(path)), resolved.players, chosen, tuple(map(str, library.folders[:-1])))
    game = Game(
        resolved.id,
        resolved.players,
        resolved.options,
        vocabulary.plain(),
        program,
        renewed(resolved.digest) if means_anew(rules) else resolved.digest,
        text_in(resolved.description, "name") if "name" in resolved.description else resolved.id,
        text_in(resolved.description, "about"),
        screens,
        read_phrases(vocabulary),
        read_texts(vocabulary),
        rulebook,
        read_habits(vocabulary),
        origin,
        assumed,
    )
    if not vocabulary.unread:
        return game
    library.also |= {file for code in vocabulary.unread for file in _language_files(code, library)}
    return compile_game(library, path, players, options, leaks, doors.readers[-1](game))


def _language_files(code: str, library: Library) -> list[Path]:
    """What the meaning of sentences in a language hangs on."""
    folders = [LOCALES, *(folder / "locales" for folder in library.folders[:-1])]
    files = [folder / code / "grammar.yaml" for folder in folders]
    files += [file for folder in folders for file in (folder / code / "LC_MESSAGES").glob("*.po")]
    return [file for file in files if file.is_file()]


def compile_blamed(
    library: Library, path: Path, players: int | None, options: Mapping[str, OptionValue] | None = None
) -> Game:
    """The game of a file; a mistake is told where the file itself can do something about it."""
    try:
        return compile_game(library, path, players, options)
    except RulesError as error:
        raise RulesError(blamed(error.problems, library, path, partial(_tried, path, players, options))) from None


def compile_to_keep(
    library: Library, path: Path, players: int | None, options: Mapping[str, OptionValue] | None
) -> Game:
    """The same, which the cache then knows."""
    game = compile_blamed(library, path, players, options)
    kept.keep(game, players, options, library, _files(library, path))
    return game


def compile_for_people(library: Library, path: Path, players: int | None, options: Mapping[str, OptionValue]) -> Game:
    """The same with what people usually play with, where nothing else is chosen."""
    wanted = dict(options)
    with suppress(RulesError):  # what was chosen may exclude it; whatever else is wrong is told below
        known = library.resolve(path, players, options).options.values()
        usual = {option.name: option.with_people for option in known if option.with_people is not None} | wanted
        library.resolve(path, players, usual)
        wanted = usual
    game = found_or_compiled(library, path, players, wanted)
    remember("usual", path, library, _files(library, path), wanted, players, chosen(options))
    return game


def found_or_compiled(
    library: Library, path: Path, players: int | None, options: Mapping[str, OptionValue] | None
) -> Game:
    return kept.find(path, players, options, library) or compile_to_keep(library, path, players, options)


def _files(library: Library, path: Path) -> list[Path]:
    """All that was read for a game."""
    return [*library.files_of(path), *sorted(library.also)]


def earlier_digests(game: Game) -> tuple[str, str]:
    """The digests of a game as saves of the first version have it, and those of the second if all means what it did."""
    path, players, options, folders = game.origin
    resolved = Library(tuple(map(Path, folders))).resolve(Path(path), players, dict(options))
    return digest_of_version_1(resolved.description, resolved.options, resolved.players), resolved.digest


def find_problems(game: str | Path, folders: tuple[Path, ...] = ()) -> list[Problem]:
    """All problems of a rule file, for every number of players; of an abstract file, those of its shape."""
    library = Library(folders)

    return problems_in(library, game, lambda path, players: found_or_compiled(library, path, players, None))


def problems_in(library: Library, game: str | Path, compiled: Callable[[Path, int | None], Game]) -> list[Problem]:
    """The same of files that a library has, whoever compiles them."""
    found: list[Problem] = []
    path = Path()
    try:
        path = library.path_of(game)
        if library.load(path).get("abstract"):
            return []
        whole, things = library.merged(path), set()
        counts: list[int] | list[None] = player_counts(whole) or [None]
        wrong: dict[object, list[tuple[Problem, int | None]]] = {}
        for players in counts:
            try:
                things |= set(compiled(path, players).vocabulary.by_name)
            except RulesError as error:
                for each in error.problems:
                    wrong.setdefault((each.code, each.place, str(each.args)), []).append((each, players))
        for same in wrong.values():  # said once, with the numbers of players if it is not so with all
            only = tuple(players for _, players in same if players is not None) if len(same) < len(counts) else ()
            found.append(replace(same[0][0], only=only))
        if not found:
            found += unknown_things(whole, things)
    except RulesError as error:
        found += error.problems
        if error.mended is not None and error.mended.at.source.name == shown(path):
            found += _further(library, path, error.mended)
    return RulesError(found).problems


def _further(library: Library, path: Path, data: Map) -> list[Problem]:
    """What else is wrong in a file, once its words are those that seem to be meant. Nothing of it is kept."""
    try:
        validate(data)
    except RulesError as error:
        return error.problems
    other = library.with_other(path, data)
    return problems_in(other, path, lambda file, players: compile_game(other, file, players, None))


def _tried(path: Path, players: int | None, options: Mapping[str, OptionValue] | None, library: Library) -> None:
    compile_game(library, path, players, options)
