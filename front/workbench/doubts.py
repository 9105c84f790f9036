"""What is no mistake in a rule file but may not be meant: the warnings of `tabarro check`.

Some are certain (a word that nothing uses), others are guesses from positions and games that were tried; those say so.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ...interpreter import RulesError, load_game
from ...interpreter.blame import blamed
from ...interpreter.cells import cells_of
from ...interpreter.compiling import compile_game
from ...interpreter.coverage import Coverage
from ...interpreter.declarations import Declarations
from ...interpreter.errors import Keyword, Place, Problem, did_you_mean
from ...interpreter.evaluate import evaluate
from ...interpreter.keywords import BODIES
from ...interpreter.load import Map, Seq
from ...interpreter.mentions import read_mentions
from ...interpreter.model import Expr, Function, Type, Var
from ...interpreter.patching import news, telling_news
from ...interpreter.resolve import Library, player_counts
from ...interpreter.steps import Rules
from ...speech.language import LANGUAGES, N_
from .described import condition_cells, declared_again, described, links, neighbours, place_key
from .sentences import suspects
from .texts import missing, own_texts
from .yaml_text import block

__all__ = ["Batch", "Doubt", "Warnings"]

GUESS = N_("This is a guess from what was tried.")
MESSAGES: dict[str, tuple[str, str]] = {
    "unused_things": (N_("The set of things “{name}” is used nowhere."), N_("Use “{name}” somewhere, or take it out.")),
    "unused_state": (N_("The state “{name}” is neither read nor set."), N_("Use “{name}” somewhere, or take it out.")),
    "unused_words": (N_("The word “{name}” is used nowhere."), N_("Use “{name}” somewhere, or take it out.")),
    "unused_tables": (N_("The table “{name}” is used nowhere."), N_("Use “{name}” somewhere, or take it out.")),
    "unused_links": (N_("The links “{name}” are used nowhere."), N_("Use them, or take them out.")),
    "unused_rules": (N_("The rule “{name}” is never called."), N_("Call it, or take it out.")),
    "presents_nothing": (
        N_("The rulebook speaks of “{name}” here, but nothing is called that."),
        N_("These are possible: {known}."),
    ),
    "presents_nearly": (
        N_("The rulebook speaks of “{name}” here, but nothing is called that."),
        N_("Did you mean “{meant}”?"),
    ),
    "idle_option": (
        N_("The option “{name}” changes nothing: the game is the same with each of its values."),
        N_("Use it in a condition, or take it out."),
    ),
    "never_holds": (
        N_("This condition never held. Numbers of players: {players}."),
        N_("Check whether anything can bring it about."),
    ),
    "always_holds": (
        N_("This condition always held. Numbers of players: {players}."),
        N_("Check whether anything can prevent it."),
    ),
    "out_of_reach": (N_("No link leads to “{name}” from where the game begins."), N_("Link it with a neighbour.")),
    "new_plainly": (
        N_("This is new, and the file does not say so: {several}. A misspelt name would look the same."),
        N_("Put it under “add”. Instead of what stands there now, write:"),
    ),
    "cut_short": (
        N_("After a space, “#” begins a comment: of this line only “{value}” is read."),
        N_("If the rest belongs to it, write it in quotes: {whole}. If it is a comment, put a space after the “#”."),
    ),
    "outdated_sentence": (
        N_("This changes the step “{name}”, but not what the rulebook says of it."),
        N_("Write a new “rule” for the step; until then the rulebook says what the step does in words of its own."),
    ),
    "no_sentence": (
        N_("Players notice “{name}”, and the rulebook has no sentence for it."),
        N_("Write one under “rule”; until then the rulebook says what happens in words of its own."),
    ),
    "option_sentence": (
        N_("With this value what the rulebook says of the step “{name}” may not be true any more."),
        N_("Read the sentence of the step, and write a new “rule” for it if need be."),
    ),
    "word_sentence": (
        N_("The step “{name}” uses this word, and what the rulebook says of it may not be true any more."),
        N_("Read the sentence of the step, and write a new “rule” for it if need be."),
    ),
    "lost_mention": (
        N_(
            "The rulebook leaves out this sentence: what it mentions is not there, or not known before the game begins."
        ),
        N_("Write in braces an expression of what is fixed, or the path of a number in the rules."),
    ),
    "untranslated": (
        N_("Texts of this file that are not translated into all languages: {number}. Missing: {languages}."),
        N_("“tabarro texts {file} --lang {language}” collects them for a translator."),
    ),
    "never_ends": (
        N_("None of the random games ended within {number} decisions."),
        N_("Check whether the rules can go on for ever; a limit of rounds helps."),
    ),
    "nobody_wins": (
        N_("Nobody won any of the random games that ended: {number}."),
        N_("Look at what follows “end” in the rules."),
    ),
    "not_reached": (
        N_("The step “{name}” was never reached in random games."),
        N_("Check whether the conditions above it can hold."),
    ),
}
GUESSES = ("never_holds", "always_holds", "out_of_reach", "never_ends", "nobody_wins", "not_reached")
CUT = re.compile(r"[ \t]+#(?=[^\s#]).*")  # where a value ends though the line goes on; a comment begins with a blank
SECTIONS = ("state", "words", "tables", "links")
SAMPLES = 300  # positions that are tried before a condition is doubted
AGAIN = 50  # games that are played once more to see which change makes them fail
SECONDS = 2.0  # of random games
GAMES = 1_000  # of them, shared among the numbers of players
MOST = 4_000  # decisions of one of them


@dataclass(frozen=True, slots=True)
class Doubt(Problem):
    """A warning; it is shown as a problem is."""

    @property
    def guess(self) -> bool:
        return self.code in GUESSES

    def message(self, translate=None) -> str:
        return self._say(MESSAGES[self.code][0], translate)

    def remedy(self, translate=None) -> str:
        said = [self._say(MESSAGES[self.code][1], translate)]
        if "lines" in self.args:  # what to write, as it is to stand in the file
            return f"{said[0]}\n{self.args['lines']}"
        return " ".join(said + [self._say(GUESS, translate)] * self.guess)


@dataclass(slots=True)
class Batch:
    """What random players did."""

    begun: int = 0
    ended: int = 0
    won: int = 0
    decisions: int = 0
    steps: int = 0
    reached: int = 0
    conditions: int = 0
    held: int = 0


class Warnings:
    """Looks at one rule file that has no mistakes."""

    def __init__(self, path: Path, folders: tuple[Path, ...] = ()):
        self.path, self.folders = path, folders
        self.library = Library(folders)
        self.file = self.library.load(path).at.source.name
        self.whole = self.library.merged(path)
        self.counts = player_counts(self.whole)
        self.games = {players: load_game(path, players, folders=folders) for players in self.counts}
        self.problems: list[Problem] = []  # mistakes that only showed in play
        self.batch = Batch()

    def find(self, quick: bool = False) -> list[Doubt]:
        try:
            return self._find(quick)
        except RulesError as error:  # it cannot even begin
            self.problems += blamed(error.problems, self.library, self.path, self.cannot_begin)
            return []

    def _find(self, quick: bool) -> list[Doubt]:
        found = [
            *self.new_plainly(),
            *self.cut_short(),
            *self.unused(),
            *self.idle_options(),
            *self.out_of_reach(),
            *self.untranslated(),
            *self.sentences(),
        ]
        tried = {players: Positions(game) for players, game in self.games.items()}
        found += self.conditions(tried)
        if not quick:
            found += self.play(tried)
        return sorted(found, key=lambda d: (not _own(d, self.file), *_order(d)))

    def here(self, place: Place | None) -> bool:
        return place is not None and place.source.name == self.file

    # --- what is new --------------------------------------------------------------------------------------------------
    def new_plainly(self) -> Iterator[Doubt]:
        own, base = self.library.load(self.path), self.library.below(self.path)
        if all(self.library.load(file).get("abstract") for file in self.library.files_of(self.path)[:-1]):
            return  # what is made of parts of games is all new
        places, names, lines = [], [], {}
        for around, path, place, value in news(base, own):
            home = lines
            for key in (*around, "add"):
                home = home.setdefault(key, {})
            if len(path) == 2:
                home.setdefault(path[0], {})[path[1]] = value
            else:
                home[telling_news(base, path)] = value
            places.append(place)
            names.append(Keyword(path[-1]))
        if places:
            shown = "\n".join(f"  {line}" for line in block(lines))
            yield Doubt("new_plainly", places[0], {"several": tuple(names), "lines": shown}, len(names[0]))

    # --- how it is written --------------------------------------------------------------------------------------------
    def cut_short(self) -> Iterator[Doubt]:
        """Values that end where somebody may have meant a sign and not a comment: Carnival #2."""
        stack: list[Any] = [self.library.load(self.path)]
        while stack:
            home = stack.pop()
            places = home.value_at if isinstance(home, Map) else dict(enumerate(home.value_at))
            for key, place in places.items():
                value = home[key]
                if isinstance(value, Map | Seq):
                    stack.append(value)
                elif isinstance(value, str | int):
                    line = place.source.line(place.line)[place.column - 1 :]
                    found = CUT.match(line[len(str(value)) :]) if line.startswith(str(value)) else None
                    if found:
                        whole = json.dumps(str(value) + found[0].rstrip(), ensure_ascii=False)
                        yield Doubt("cut_short", place, {"value": str(value), "whole": whole}, len(line.rstrip()))

    # --- what is declared and not used --------------------------------------------------------------------------------
    def unused(self) -> Iterator[Doubt]:
        unused: dict[Place, Doubt] | None = None
        for players in self.counts:
            resolved = self.library.resolve(self.path, players)
            words = Declarations(resolved.description, resolved.options)
            found = {
                doubt.place: doubt
                for doubt in _unused(resolved.description, words, Rules(words))
                if self.here(doubt.place)
            }
            unused = found if unused is None else {place: unused[place] for place in unused if place in found}
        yield from (unused or {}).values()

    # --- options ------------------------------------------------------------------------------------------------------
    def idle_options(self) -> Iterator[Doubt]:
        seen = set()
        for game in self.games.values():
            entries = described(game).get("options") or {}
            for name in game.options:
                if name not in seen and self.here(entries.key_at[name]):
                    seen.add(name)
                    if not any(self.differs(n, name) for n in self.games):
                        yield Doubt("idle_option", entries.key_at[name], {"name": name}, len(name))

    def differs(self, players: int, name: str) -> bool:
        game = self.games[players]
        if name not in game.options:
            return False
        for value in _other_values(game.options[name]):
            try:
                other = load_game(self.path, players, {name: value}, self.folders)
            except RulesError:
                return True  # other options forbid it: so it means something
            if _signature(other) != _signature(game):
                return True
        return False

    # --- the board ----------------------------------------------------------------------------------------------------
    def out_of_reach(self) -> Iterator[Doubt]:
        lost: dict[int, set[str]] = {}
        places: dict[str, Place] = {}
        for players, game in self.games.items():
            words = game.vocabulary
            for near in links(game):
                begun = set().union(*(starts(game, f) for f in located(game, near)))
                if not begun:
                    continue
                ends = near.params[0].type.atoms
                for atom in ends - reachable(near, begun & ends):
                    thing = words.atoms[atom]
                    lost.setdefault(players, set()).add(thing.name)
                    places[thing.name] = _member_place(game, thing) or words.sets[thing.set].place
        for name in places:
            if all(name in lost.get(players, ()) for players in self.counts):
                yield Doubt("out_of_reach", places[name], {"name": name}, len(name))

    # --- texts --------------------------------------------------------------------------------------------------------
    def untranslated(self) -> Iterator[Doubt]:
        own = own_texts(self.path)
        lacking, texts, first = [], set(), None
        for language in LANGUAGES:
            if language != "en":
                found = missing(own, language)
                texts |= set(found)
                lacking += [language] if found else []
                first = min(filter(None, [first, *found.values()]), default=None)
        if texts:
            yield Doubt(
                "untranslated",
                Place(self.library.load(self.path).at.source, first or 1, 1),
                {"number": len(texts), "languages": ", ".join(lacking), "file": self.file, "language": lacking[0]},
            )

    # --- the rulebook -------------------------------------------------------------------------------------------------
    def sentences(self) -> Iterator[Doubt]:
        found: dict[Any, Doubt] = {}
        for game in self.games.values():
            lost = [("lost_mention", place, "") for place in read_mentions(declared_again(game))[1]]
            for code, place, name in (*suspects(game, self.library.load(self.path).at), *lost):
                found.setdefault((code, place_key(place), name), Doubt(code, place, {"name": name}))
        yield from found.values()

    # --- tables of conditions -----------------------------------------------------------------------------------------
    def conditions(self, tried: dict[int, Positions]) -> Iterator[Doubt]:
        doubts: dict[tuple[str, Place], list[int]] = {}
        for players, positions in tried.items():
            for condition in positions.conditions:
                seen = positions.values_of(condition)
                if len(seen) == 1:
                    code = "always_holds" if seen == {True} else "never_holds"
                    doubts.setdefault((code, condition.place), []).append(players)
        for (code, place), counts in doubts.items():
            text = place.source.line(place.line)[place.column - 1 :]
            yield Doubt(code, place, {"players": ", ".join(map(str, counts))}, max(1, len(text.rstrip())))

    # --- random games -------------------------------------------------------------------------------------------------
    def play(self, tried: dict[int, Positions]) -> Iterator[Doubt]:
        executed: set[str] = set()
        steps: dict[str, Place] = {}
        unended = 0
        batch = self.batch
        for players, game in self.games.items():
            coverage = Coverage(game, executed)
            steps.update(_step_places(described(game)))
            until = time.monotonic() + SECONDS / len(self.games)
            conditions = tried[players].conditions
            enough = batch.begun + GAMES // len(self.games)
            while time.monotonic() < until and batch.begun < enough:
                outcome = self.one_game(coverage.game, batch.begun, until, conditions)
                if outcome is None:
                    break
                batch.begun += 1
                batch.ended += outcome != "unended"
                batch.won += outcome == "won"
                unended += outcome == "unended"
            batch.conditions += len(conditions)
            batch.held += sum(condition.held for condition in conditions)
        missing = [
            name for name in steps if name not in executed and not any(done.startswith(name + "/") for done in executed)
        ]
        batch.steps, batch.reached = len(steps), len(steps) - len(missing)
        if unended and not batch.ended:
            yield Doubt("never_ends", self.whole.at, {"number": MOST})
        if batch.ended >= 3 and not batch.won:
            yield Doubt("nobody_wins", self.whole.at, {"number": batch.ended})
        if batch.ended >= 3:
            for name in missing:
                if self.here(steps[name]) and not any(name.startswith(other + "/") for other in missing):
                    yield Doubt("not_reached", steps[name], {"name": name}, len(name.rsplit("/", 1)[-1]))

    def one_game(self, game, seed: int, until: float, conditions: list[Condition]) -> str | None:
        """won, drawn or unended; None if time was over first, or the rules failed."""
        rng = random.Random(seed)
        try:
            state = game.new(seed)
            for number in range(MOST):
                if state.over:
                    return "won" if state.result.winners else "drawn"
                if number % 16 == 0:
                    if time.monotonic() > until + SECONDS:
                        return None
                    cells = state.umpire().cells()
                    for condition in conditions:
                        condition.held = condition.held or condition.holds(cells, rng)
                state.apply(state.sample(rng, habits=True), trusted=True)
                self.batch.decisions += 1
        except RulesError as error:
            found = blamed(error.problems, self.library, self.path, partial(self.fails, game.players, seed))
            self.problems += [p for p in found if p not in self.problems]
            return None
        return "unended"

    def cannot_begin(self, library: Library) -> None:
        for players in self.counts:
            self.fails(players, 0, library)

    def fails(self, players: int, last: int, library: Library) -> None:
        """Plays the games up to this one again, with other files; raises RulesError where the rules fail."""
        game, until = compile_game(library, self.path, players, None), time.monotonic() + SECONDS / 2
        for seed in range(max(0, last - AGAIN), last + 1):
            rng, state = random.Random(seed), game.new(seed)
            while not state.over and time.monotonic() < until:
                state.apply(state.sample(rng, habits=True), trusted=True)


def _own(doubt: Doubt, file: str) -> bool:
    return doubt.place is not None and doubt.place.source.name == file


def _order(doubt: Doubt) -> tuple:
    return (doubt.place.source.name, doubt.place.line, doubt.place.column) if doubt.place else ("", 0, 0)


# --- use --------------------------------------------------------------------------------------------------------------
def _unused(description: Map, words: Declarations, rules: Rules) -> Iterator[Doubt]:
    functions, called = _used(words, rules)
    screens = " ".join(_strings(description.get("screens")))
    for section in SECTIONS:
        entries = description.get(section) or {}
        for head in entries:
            place = entries.key_at[head]
            mine = [f for same in words.functions.values() for f in same if f.place == place]
            if mine and not any(id(f) in functions for f in mine) and head not in screens:
                said = getattr(place, "said", None)  # as its author writes it
                yield Doubt(f"unused_{section}", place, {"name": head if said is None else Keyword(said)}, len(head))
    for rule in rules.rules.values():
        if rule is not rules.start and id(rule) not in called:
            yield Doubt("unused_rules", rule.place, {"name": rule.name}, len(rule.name))
    things = description.get("things") or {}
    used = _names_used(description)
    for name, spec in words.sets.items():
        if name in things and not {name, spec.plural, *(words.atoms[a].name for a in spec.atoms)} & used[name]:
            yield Doubt("unused_things", things.key_at[name], {"name": name}, len(name))
    yield from _presents_nothing(description, words, rules)


def _presents_nothing(description: Map, words: Declarations, rules: Rules) -> Iterator[Doubt]:
    """What section `rulebook` tells of things, tables and chapters that there are not."""
    book = description.get("rulebook") or {}
    named = {
        "components": list(words.sets),
        "tables": [str(head).split(" ")[0] for head in description.get("tables") or ()],
        "chapters": [rule.name.split(" ")[0] for rule in rules.rules.values()],
    }
    for part, known in named.items():
        entries = book.get(part) or {}
        for name in entries:
            told = entries[name]
            text = part != "tables" and isinstance(told, Map) and "about" in told  # it stands there by itself
            if name not in known and not (text and did_you_mean(name, known) is None):
                yield _not_there(name, known, entries.key_at[name])
            holders = told.get("printed for") if isinstance(told, Map) else None
            if holders is not None and holders not in words.sets:
                yield _not_there(str(holders), list(words.sets), told.value_at["printed for"])


def _not_there(name: str, known: list[str], place: Place) -> Doubt:
    meant = did_you_mean(name, known)
    if meant:
        return Doubt("presents_nearly", place, {"name": name, "meant": meant}, len(name))
    return Doubt("presents_nothing", place, {"name": name, "known": ", ".join(dict.fromkeys(known))}, len(name))


def _used(words: Declarations, rules: Rules) -> tuple[set[int], set[int]]:
    """The functions and rules to which something refers."""
    functions: set[int] = set()
    called: set[int] = set()
    seen: set[int] = set()
    stack: list[Any] = [step for rule in rules.rules.values() for step in rule.steps]
    for same in words.functions.values():
        for function in same:
            stack += [function.body, function.view, *function.values.values()]
    while stack:
        value = stack.pop()
        if id(value) in seen or value is None or isinstance(value, (str, int, Place, Type, Var)):
            continue
        seen.add(id(value))
        if isinstance(value, Function):
            functions.add(id(value))
        elif isinstance(value, Expr):
            stack += value.args
        elif isinstance(value, dict):
            stack += value.values()
        elif isinstance(value, (list, tuple)):
            stack += value
        elif is_dataclass(value):
            if hasattr(value, "callee") and value.callee is not None:
                called.add(id(value.callee))
            stack += [getattr(value, f.name) for f in fields(value) if f.name not in ("callee", "visible")]
    return functions, called


def _names_used(description: Map) -> dict[str, set[str]]:
    """For each set of things, the words that stand anywhere in the rules but in its own declaration."""
    things = description.get("things") or {}
    word = re.compile(r"\w+")
    sections = ("seats", "played by chance", "tables", "links", "state", "words", "rules", "screens", "options")
    common = {w for section in sections for text in _strings(description.get(section)) for w in word.findall(text)}
    own = {name: {w for text in _strings(things[name]) for w in word.findall(text)} for name in things}
    return {name: common.union(*(own[other] for other in own if other != name)) for name in things}


def _strings(data: Any) -> Iterator[str]:
    stack = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            stack += value
        elif value is not None:
            yield str(value)


def _other_values(option) -> list[Any]:
    if option.kind == "yes or no":
        return [not option.value]
    if option.kind == "number":
        near = {option.least, option.most, option.value - 1, option.value + 1} - {None, option.value}
        return sorted(
            n for n in near if (option.least is None or n >= option.least) and (option.most is None or n <= option.most)
        )
    return [value for value in option.values if value != option.value]


def _signature(game) -> tuple:
    tables = [
        (f.shape, repr(f.values)) for same in game.vocabulary.functions.values() for f in same if f.kind == "table"
    ]
    return game.program.source, repr(game.program.start), tuple(tables), game.seats


# --- the board --------------------------------------------------------------------------------------------------------
def located(game, near: Function) -> list[Function]:
    """The state functions that say where something is."""
    ends = near.params[0].type.atoms
    return [
        f
        for same in game.vocabulary.functions.values()
        for f in same
        if f.kind == "state" and f.result.kind == "thing" and f.result.atoms and f.result.atoms <= ends
    ]


def starts(game, function: Function) -> set[int]:
    """Values that it has when the first decision is taken, in some games."""
    found = set()
    for seed in range(8):
        cells = game.new(seed).umpire().cells()
        found |= {cells[cell] for cell in cells_of(function)}
    return found - {None}


def reachable(near: Function, begun: set[int]) -> set[int]:
    around, found, stack = neighbours(near), set(begun), list(begun)
    while stack:
        for other in around.get(stack.pop(), ()):
            if other not in found:
                found.add(other)
                stack.append(other)
    return found


def _member_place(game, thing) -> Place | None:
    spec = (described(game).get("things") or {}).get(thing.set)
    members = spec.get("members") if isinstance(spec, Map) else spec
    if isinstance(members, Map):
        return members.key_at.get(thing.name)
    names = list(map(str, members or ()))
    return members.value_at[names.index(thing.name)] if thing.name in names else None


# --- conditions -------------------------------------------------------------------------------------------------------
class Condition:
    """One cell of a table of conditions."""

    def __init__(self, game, function: Function, keys: tuple, place: Place):
        self.function, self.keys, self.place = function, keys, place
        self.expr: Expr = function.values[keys]
        self.variables = function.variables[function.keys :]
        self.state, self.constants = _reads(self.expr)
        self.held = False

    def holds(self, cells: list, rng: random.Random) -> bool:
        names = {variable: _any_value(variable.type, rng) for variable in self.variables}
        try:
            return bool(evaluate(self.expr, cells, names))
        except (TypeError, IndexError, KeyError, AttributeError):
            return False  # something in it is nothing


def _any_value(kind: Type, rng: random.Random) -> Any:
    if kind.kind == "thing":
        return rng.choice(sorted(kind.atoms)) if kind.atoms else None
    if kind.many and kind.of is not None and kind.of.kind == "thing":
        atoms = sorted(kind.of.atoms)
        return tuple(
            sorted(rng.sample(atoms, rng.randint(min(1, len(atoms)), max(1, len(atoms) // 2)) if atoms else 0))
        )
    return {"number": rng.randint(0, 5), "truth": rng.random() < 0.5}.get(kind.kind, ())


def _reads(expr: Expr) -> tuple[list[Function], set[int]]:
    """The state functions that decide it, and the things that it names."""
    state: dict[int, Function] = {}
    constants: set[int] = set()
    seen: set[int] = set()
    stack: list[Any] = [expr]
    while stack:
        value = stack.pop()
        if isinstance(value, Function):
            if value.kind == "state":
                state[id(value)] = value
            if id(value) not in seen:
                seen.add(id(value))
                stack += [value.body, *(value.values.values() if value.kind == "formula" else ())]
        elif isinstance(value, Expr):
            if value.op == "const" and value.type.kind in ("thing", "number") and isinstance(value.args[0], int):
                constants.add(value.args[0])
            else:
                stack += value.args
        elif isinstance(value, tuple):
            stack += value
    return list(state.values()), constants


class Positions:
    """Positions of a game, some played, most of them made up: pieces put anywhere they could get to. Each is a row of
    cells."""

    def __init__(self, game):
        self.game, self.rng = game, random.Random(1)
        self.dealt = {
            id(node.step.targets[0][0])
            for node in game.program.nodes
            if node.step is not None and node.step.verb == "deal" and node.step.targets
        }
        self.conditions = [Condition(game, f, keys, place) for f, keys, place in condition_cells(game)]
        self._played: list[list] = []
        self._domains: dict[int, list] = {}

    def values_of(self, condition: Condition) -> set[bool]:
        seen: set[bool] = set()
        for number in range(SAMPLES):
            cells = self.some(condition) if number else self.played[0]
            seen.add(condition.holds(cells, self.rng))
            if len(seen) == 2:
                break
        return seen

    @property
    def played(self) -> list[list]:
        if not self._played:
            try:
                for seed in range(4):
                    state = self.game.new(seed)
                    for _ in range(seed * 20):
                        if not state.over:
                            self._played.append(state.umpire().cells())
                            state.apply(state.sample(self.rng, habits=True), trusted=True)
                    self._played.append(state.umpire().cells())
            except RulesError:
                self._played.append(self.game.new(0).umpire().cells())
        return self._played

    def some(self, condition: Condition) -> list:
        cells = self.rng.choice(self.played).copy()
        for function in condition.state:
            own = cells_of(function)
            if id(function) in self.dealt:
                values = [cells[cell] for cell in own]
                self.rng.shuffle(values)
                for cell, value in zip(own, values, strict=True):
                    cells[cell] = value
            elif self.domain(function):
                values = self.palette(self.domain(function), condition.constants)
                for cell in own:
                    cells[cell] = self.rng.choice(values)
        return cells

    def palette(self, domain: list, constants: set[int]) -> list:
        """Few values, often those that the condition names: most of what can hold then holds soon."""
        named = [value for value in domain if value in constants and not isinstance(value, bool)]
        values = [
            self.rng.choice(named if named and self.rng.random() < 0.6 else domain)
            for _ in range(self.rng.choice((1, 2, 4)))
        ]
        return values if self.rng.random() < 0.8 else domain

    def domain(self, function: Function) -> list:
        if id(function) not in self._domains:
            kind = function.result
            found: list = []
            if kind.kind == "thing":
                atoms = set(kind.atoms)
                for near in links(self.game):
                    if function in located(self.game, near):
                        atoms = atoms & reachable(near, starts(self.game, function))
                found = sorted(atoms) + ([None] if kind.maybe else [])
            elif kind.kind == "number":
                found = list(range(13))
            elif kind.kind == "truth":
                found = [False, True]
            self._domains[id(function)] = found
        return self._domains[id(function)]


def _step_places(description: Map) -> dict[str, Place]:
    """Every step and alternative under the name that the program gives it, with where it stands."""
    rules = description.get("rules") or {}
    found: dict[str, Place] = {}
    stack = [(head.split(" ")[0], rules[head]) for head in reversed(rules)]
    while stack:
        path, steps = stack.pop()
        for name, step in steps.items():
            found[f"{path}/{name}"] = steps.key_at[name]
            inside = []
            between = (step or {}).get("between")
            if isinstance(between, Map):
                inside.append((f"{path}/{name}", between))
            for case, body in ((step or {}).get("cases") or {}).items():
                if isinstance(body, Map):
                    inside.append((f"{path}/{name}/{case}", body))
            for key in BODIES:
                if isinstance((step or {}).get(key), Map):
                    inside.append(
                        (f"{path}/{name}/{key}" if key in ("else", "if none") else f"{path}/{name}", step[key])
                    )
            stack += reversed(inside)
    return found
