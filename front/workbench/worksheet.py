"""Worksheets: what a person at a real table has noted, read into the rows of a log (see docs/deduce.md).

Which sentences can stand in a worksheet is data of the game (see interpreter/sentences.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...interpreter import CHANCE, Game, RulesError
from ...interpreter.blocks import Event
from ...interpreter.errors import Place, Problem, Whole, did_you_mean, problem
from ...interpreter.evaluate import evaluate
from ...interpreter.files import read_ours
from ...interpreter.load import Map, load_file
from ...interpreter.model import Expr, Function, Step, Type, Var
from ...interpreter.observe import Row
from ...interpreter.presentation import SentenceForm
from ...interpreter.retelling import retold
from ...interpreter.schema import mistakes, new_validator
from ...interpreter.sentences import ME
from ...mind.belief import MISSING, judge
from ...mind.kinds import EVENLY
from ...mind.origins import origins_of
from ...speech.language import Language, Said, form_names, person, person_forms
from ...speech.narrator import Narrator
from .templates import PLACE, named_so, plain, splits
from .yaml_text import scalar

__all__ = ["LOOKED_AT", "SCHEMA", "VALUED", "Noted", "Sentence", "Worksheet", "opening", "read_file", "sentences"]

SCHEMA = Path(__file__).with_name("worksheet.schema.json")
_BETWEEN = re.compile(r"\s*(?:[,;+]|\band\b|\bi\b|\bund\b|\ben\b|\bog\b|、|と)\s*")
MOST_NAMES = 24  # names that a message lists

# Of an expression it matters here whether it is just a name, that of whoever writes or of whoever was asked…
LOOKED_AT = frozenset({"var"})
VALUED = frozenset(  # … all others are only valued
    """const state table formula word matched cond and or not eq less member within exists every tally filter image
    images highest lowest stride reach distinct only count first last reversed rotated after often gather join
    append extend heap without remove add sub mul div rem range total largest smallest amount""".split()
)


@dataclass(slots=True, eq=False)
class Sentence(SentenceForm):
    """One kind of entry, as it is written and read."""

    owner: str = ""  # the name of the one whose cards are shown, if the rules tell

    def texts(self, language: Language) -> list[str]:
        """How it can be written: in the reader's language, and in English."""
        found = [language.text(self.says), Language("en").text(self.says)]
        return list(dict.fromkeys(found))

    def places(self, language: Language) -> list[str]:
        """The names of its gaps, in the order of the text."""
        return [
            n for n in dict.fromkeys(found[1] for found in PLACE.finditer(self.texts(language)[0])) if n in self.vars
        ]

    def shown(self, narrator: Narrator) -> str:
        """How it is shown to people: instead of the names of its gaps, what belongs into them. [player] showed me …"""

        def gap(found: re.Match) -> str:
            kind = self.vars[found[1]].type if found[1] in self.vars else None
            if kind is None or " or " in kind.name:
                return "…"
            text = f"[{narrator.kind(kind)}]"
            return person(narrator.language, text)(found[2] or "") if self.me.type.atoms <= kind.atoms else text

        return PLACE.sub(gap, self.texts(narrator.language)[0])

    @property
    def answer(self) -> str:
        """The name of what is shown."""
        step = self.event.origin
        if self.event.kind == "show":
            return next(iter(step.vars), "shown")
        return step.parts[0].var.name if step.parts else ""


def sentences(game: Game) -> list[Sentence]:
    """The sentences that the rules of this game declare; RulesError where they name what there is not."""
    found = game.screens.worksheet
    if found.problems:
        raise RulesError(found.problems)
    return [
        Sentence(f.name, f.says, f.asks, f.event, f.vars, f.means, f.among, f.me, _owner(game, f.event))
        for f in found.forms
    ]


def _owner(game: Game, event: Event) -> str:
    """Who chose what is shown: the one who was asked, here or where the choice was made."""
    step = event.origin
    asked = [(step, {})] if event.kind == "ask" else [(o.step, o.terms) for o in origins_of(game, step)]
    for ask, terms in asked:
        actor = ask.at["ask"]
        actor = terms.get(actor.args[0].origin, actor) if actor.op == "var" else actor
        if actor.op == "var":
            return actor.args[0].origin.name
    return ""


# --- the file ---------------------------------------------------------------------------------------------------------
@lru_cache(maxsize=1)
def _validator():
    return new_validator(json.loads(read_ours(SCHEMA)))


def read_file(path: str) -> Map:
    """The worksheet as data, built as it should be; what it says is looked at later."""
    try:
        data = retold(load_file(path), shape="noted")
    except RulesError as error:  # those two speak of rule files
        ours = {"file_empty": "worksheet_empty", "root_not_map": "worksheet_not_map"}
        raise RulesError([replace(p, code=ours.get(p.code, p.code)) for p in error.problems]) from None
    found = mistakes(_validator(), data)
    if found:
        raise RulesError(found)
    return data


@dataclass(slots=True)
class Noted:
    sentence: Sentence
    values: dict[str, Any]
    place: Place
    text: str


@dataclass(slots=True)
class Worksheet:
    """Who I am and what I have seen, understood."""

    game: Game
    language: Language
    seat: str = ""
    secrets: dict[str, Any] = field(default_factory=dict)  # by shape of the state
    called: dict[str, str] = field(default_factory=dict)  # all that a seat's player may be called, plainly -> the seat
    said_names: dict[str, str] = field(default_factory=dict)  # what he is called, as it was written -> the seat
    entries: list[Noted] = field(default_factory=list)
    known: list[Sentence] = field(default_factory=list)
    model: str = EVENLY  # how others are taken to choose

    def __post_init__(self) -> None:
        self.known = self._sentences()
        self.words, self.narrator = self.game.vocabulary, Narrator(self.game, self.language)
        self.english = Narrator(self.game, Language("en"))

    def _sentences(self) -> list[Sentence]:
        return sentences(self.game)

    _indexes: dict[tuple, dict[str, list[int]]] = field(default_factory=dict)
    words: Any = None
    narrator: Any = None
    english: Any = None

    @property
    def me(self) -> int:
        return self.words.seats[self.game.seat(self.seat)]

    @property
    def own(self) -> list[Function]:
        """The secrets that this seat holds."""
        return [f for f in self.game.screens.secrets if len(f.params) == 1 and self.me in f.params[0].type.atoms]

    # --- from a file --------------------------------------------------------------------------------------------------
    def take(self, data: Map) -> Worksheet:
        problems = self.take_names(data.get("names") or Map(data.at))
        try:
            self.seat = self._seat(data[ME], data.value_at[ME])
            problems += self._clashes(data.get("names") or Map(data.at))
            self.take_secrets(data)
        except RulesError as error:
            raise RulesError([*problems, *error.problems]) from None
        rows = data.get("seen") or []
        for index, text in enumerate(rows):
            try:
                self.entries.append(self.read(str(text), rows.value_at[index]))
            except RulesError as error:
                problems += error.problems
        if problems:
            raise RulesError(problems)
        return self

    def take_names(self, names: Map) -> list[Problem]:
        """What the players are called; what is wrong with that."""
        problems, seats = [], {}
        for key, name in names.items():
            try:
                seat = self._seat(key, names.key_at[key], own_names=False)
            except RulesError as error:
                problems += error.problems
                continue
            if seat in seats:
                problems.append(
                    problem("key_twice", names.key_at[key], len(key), key=key, line=names.key_at[seats[seat]].line)
                )
            elif plain(name) in self.called or not plain(name):
                code = "worksheet_name_twice" if plain(name) else "worksheet_name_empty"
                problems.append(problem(code, names.value_at[key], len(name), name=name))
            else:
                seats[seat] = key
                self.call(seat, name.strip())
        return problems

    def call(self, seat: str, name: str) -> None:
        """From now on the player on this seat is called so, in every form that the language has for it."""
        self.said_names[name] = seat
        self.called[plain(name)] = seat
        for said in person_forms(self.language, name):
            self.called.setdefault(plain(said), seat)

    def _clashes(self, names: Map) -> list[Problem]:
        """Names that the sentences already use for something else."""
        problems = []
        for key, name in names.items():
            if self.said_names.get(name.strip()) is None:
                continue
            atom = self.words.seats[self.game.seat(self.said_names[name.strip()])]
            other = self._means_otherwise(plain(name), atom)
            if other == self.me and plain(name) in self._oneself():
                problems.append(problem("worksheet_name_own", names.value_at[key], len(name), name=name))
            elif other is not None:
                problems.append(
                    problem(
                        "worksheet_name_taken",
                        names.value_at[key],
                        len(name),
                        name=name,
                        other=self.narrator.name(other)("list").strip("“”„«»「」"),
                    )
                )
        return problems

    def _means_otherwise(self, wanted: str, atom: int) -> int | None:
        """What a sentence would take this name for, if not for this player."""
        if wanted in self._names(atom, set()):
            return None
        if wanted in self._oneself():
            return self.me if atom != self.me else None
        everyone = frozenset(self.words.seats)
        kinds = [s.vars[n].type for s in self.known for n in s.places(self.language)]
        for kind in sorted((k.of if k.many else k for k in kinds), key=lambda k: len(k.atoms)):
            found = [a for a in named_so(wanted, self._index(kind, everyone)) if a != atom]
            if found:
                return found[0]
        return None

    def _oneself(self) -> set[str]:
        """The words for whoever writes."""
        theirs = self.language.pgettext("oneself", "I, me") or ""
        return {plain(word) for word in re.split("[,、]", f"{theirs}, I, {ME}")}

    def take_secrets(self, data: Map) -> None:
        given, problems = data.get("secrets") or Map(data.at), []
        own = {f.shape.split(" ")[0]: f for f in self.own}
        for name, value in given.items():
            if name not in own:
                problems.append(
                    problem(
                        "unknown_key",
                        given.key_at[name],
                        len(name),
                        key=name,
                        allowed=tuple(own),
                        meant=did_you_mean(name, own) or "",
                    )
                )
                continue
            try:
                text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
                self.secrets[own[name].shape] = self.value(text, own[name].result, given.value_at[name])
            except RulesError as error:
                problems += error.problems
        missing = {name: f for name, f in own.items() if name not in given}
        if missing and not any(p.code == "unknown_key" for p in problems):  # it may be misspelt
            written = {name: self._written_secret(f, self.some_deal()[f.shape]) for name, f in missing.items()}
            if "secrets" not in data:
                example = f"secrets: {{{', '.join(written.values())}}}"
                problems.append(problem("worksheet_secrets", data.at, 1, example=Whole(example)))
            else:
                problems += [
                    problem(
                        "worksheet_secret", data.key_at["secrets"], len("secrets"), key=name, example=Whole(example)
                    )
                    for name, example in written.items()
                ]
        if problems:
            raise RulesError(problems)

    def some_deal(self) -> dict[str, Any]:
        """The secrets that this seat has in one of the deals, by shape: how many there are, and what they look like."""
        state = self.game.new()
        while state.actor == CHANCE and not state.over:
            state.apply(state.chances()[0][0], trusted=True)
        return {f.shape: state.umpire().value(f, self.me) for f in self.own}

    def _written_secret(self, function: Function, value: Any) -> str:
        """A secret as it stands in a file."""

        def said(value: Any) -> str:
            if isinstance(value, tuple):
                return f"[{', '.join(map(said, value))}]"
            return scalar(value) if isinstance(value, str) else str(value).lower()

        return f"{function.shape.split(' ')[0]}: {said(self.game.named(value, function.result))}"

    def _seat(self, text: str, place: Place, own_names: bool = True) -> str:
        seats = [s for s in self.game.seats if s not in self.game.chance_seats]
        names = {**(self.called if own_names else {}), **{plain(s): s for s in seats}}
        for seat in seats:
            names.setdefault(plain(self.narrator.seat(seat)("")), seat)
            names.setdefault(plain(self.narrator.seat(seat)("list")), seat)
        if plain(text) in names:
            return names[plain(text)]
        shown = [self.called_here(self.words.seats[self.game.seat(seat)]) for seat in seats]
        near = did_you_mean(text, shown) or did_you_mean(plain(text), names) or ""
        meant = self.called_here(self.words.seats[self.game.seat(names[near])]) if near in names else near
        raise RulesError(
            problem("worksheet_seat", place, len(text), name=text, seats=Whole(self.language.row(shown)), meant=meant)
        )

    # --- one sentence -------------------------------------------------------------------------------------------------
    def read(self, text: str, place: Place) -> Noted:
        """The entry that this sentence means."""
        best: tuple[tuple, list] | None = None
        shift = len(text) - len(text.lstrip()) + self.quoted(place)
        for sentence in self.known:
            for template in sentence.texts(self.language):
                for parts in splits(template, text.strip().rstrip(".。")):
                    values, problems = self._filled(sentence, parts, place.shifted(shift))
                    if not problems:
                        return Noted(sentence, self.complete(sentence, values), place, text)
                    rank = (len(values), len(PLACE.sub("", template)))
                    if best is None or rank > best[0]:
                        best = (rank, problems)
        if best is not None:
            raise RulesError(best[1])
        ways = self.language.row(self.language.quoted(sentence.shown(self.narrator)) for sentence in self.known)
        raise RulesError(problem("worksheet_sentence", place, len(text), ways=Whole(ways)))

    @staticmethod
    def quoted(place: Place) -> bool:
        """Does a quotation mark stand there, before the text itself?"""
        return place.source.line(place.line)[place.column - 1 : place.column] in ("'", '"')

    def _filled(self, sentence: Sentence, parts: dict[str, tuple[int, str]], place: Place) -> tuple[dict, list]:
        """What stands in each place, as far as it is understood, and what is wrong with the rest."""
        values: dict[str, Any] = {}
        problems: list = []
        names = [n for n in parts if n in sentence.vars]
        seats = set(self.words.seats)
        names.sort(key=lambda n: not sentence.vars[n].type.atoms & seats)  # who showed it helps to understand what
        for name in names:
            start, said = parts[name]
            kind, at = sentence.vars[name].type, place.shifted(start)
            allowed = self.allowed(sentence, name, values)
            try:
                value = self.value(said, kind, at, self._holders(sentence, values), allowed)
            except RulesError as error:
                problems += error.problems
                continue
            if allowed is not None and value not in allowed:
                problems.append(
                    problem(
                        "worksheet_value",
                        at,
                        len(said),
                        value=said,
                        meant="",
                        allowed=Whole(self.language.row(self.called_here(a) for a in allowed)),
                    )
                )
            else:
                values[name] = value
        return values, problems

    def allowed(self, sentence: Sentence, name: str, values: dict[str, Any]) -> list[int] | None:
        """What can stand in a place, if the rules say it; whoever writes is not the other one of his own sentence."""
        if name in sentence.among:
            found = self.worth(sentence.among[name], sentence, values)
            return None if found is None else list(found)
        mine = any(expr.op == "var" and expr.args[0] is sentence.me for expr in sentence.means.values())
        kind = sentence.vars[name].type
        if mine and not kind.many and self.me in kind.atoms:
            return [a for a in sorted(kind.atoms) if a != self.me]
        return None

    def _called(self, value: Any) -> Said:
        if isinstance(value, tuple):
            items = [self._called(a) for a in value]
            return lambda form: self.language.list([item(form) for item in items])
        own = self.own_names.get(value)
        return person(self.language, own) if own else self.narrator.name(value)

    @property
    def own_names(self) -> dict[int, str]:
        """What the people at the table are called, by seat."""
        return {self.words.seats[self.game.seat(seat)]: name for name, seat in self.said_names.items()}

    def called_here(self, atom: int, holders: set[int] = frozenset()) -> str:
        """A thing as a reader would write it: a card of somebody who is mentioned by what stands on it."""
        if atom in self.own_names:
            return self.own_names[atom]
        thing = self.words.atoms[atom]
        rest = [p for p in thing.parts if p not in self.words.seats]
        if rest and self._own(atom, holders) and self.game.texts.things[thing.set].called is None:
            return " ".join(self.narrator.name(p)("list") for p in rest)
        return self.narrator.name(atom)("list").strip("“”„«»「」")

    def _holders(self, sentence: Sentence, values: dict[str, Any]) -> set[int]:
        """Whose cards may be meant: those of the one who shows them, else of anybody who is mentioned."""
        so_far = self.complete(sentence, dict(values))
        if so_far.get(sentence.owner) is not None:
            return {so_far[sentence.owner]}
        return {v for v in values.values() if v in self.words.seats} or {self.me}

    def complete(self, sentence: Sentence, values: dict[str, Any]) -> dict[str, Any]:
        for name, expr in sentence.means.items():
            values[name] = self.worth(expr, sentence, values)
        return values

    def worth(self, expr: Expr, sentence: Sentence, values: dict[str, Any]) -> Any:
        names = {sentence.vars[n]: v for n, v in values.items()} | {sentence.me: self.me}
        try:
            return evaluate(expr, (), names)
        except MISSING:
            return None

    # --- things by their names ----------------------------------------------------------------------------------------
    def value(
        self, text: str, kind: Type, place: Place, holders: set[int] = frozenset(), allowed: list[int] | None = None
    ) -> Any:
        if kind.kind == "match":
            return self._matched(text, kind, place)
        if (kind.many or kind.maybe) and plain(text) in self._words("nothing"):
            return () if kind.many else None
        if kind.many:
            found, start = [], 0
            for piece in _BETWEEN.finditer(text + ","):
                word = text[start : piece.start()]
                if word.strip():
                    at = place.shifted(start + len(word) - len(word.lstrip()))
                    found.append(self._one_of_several(word.strip(), kind.of, at, holders))
                start = piece.end()
            return tuple(sorted(found)) if kind.kind == "set" else tuple(found)
        if kind.kind == "number":
            if re.fullmatch(r"-?\d{1,9}", text.strip()):
                return int(text)
        elif kind.kind == "truth":
            for value, word in ((True, "yes"), (False, "no")):
                if plain(text) in self._words(word, str(value)):
                    return value
        else:
            return self.thing(text.strip(), kind, place, holders, allowed)
        raise RulesError(problem("worksheet_value", place, len(text), value=text, allowed=kind.name, meant=""))

    def _words(self, word: str, *more: str) -> set[str]:
        """A word of ours in either language."""
        return {plain(w) for w in (word, self.language.translate(word), *more)}

    def _matched(self, text: str, kind: Type, place: Place) -> tuple[int, ...]:
        """Pairs, as “red – king, blue – queen”."""
        given = Type("thing", kind.name, kind.atoms)
        found: dict[int, int] = {}
        for pair in filter(None, _BETWEEN.split(text)):
            one, _, other = pair.partition("–" if "–" in pair else "-")
            found[self.value(one.strip(), given, place)] = self.value(other.strip(), kind.of, place)
        if found.keys() != kind.atoms:
            raise RulesError(problem("worksheet_value", place, len(text), value=text, allowed=kind.name, meant=""))
        return tuple(found[atom] for atom in sorted(kind.atoms))

    def _one_of_several(self, text: str, kind: Type, place: Place, holders: set[int]) -> Any:
        """One entry of a list. If it is several with nothing between them, that is what was meant."""
        try:
            return self.value(text, kind, place, holders)
        except RulesError:
            words = text.split()
            for cut in range(len(words) - 1, 0, -1):
                try:
                    several = [self.value(" ".join(part), kind, place, holders) for part in (words[:cut], words[cut:])]
                except RulesError:
                    continue
                meant = self.language.row(self.called_here(x, holders) for x in several)
                raise RulesError(
                    problem("worksheet_value", place, len(text), value=text, allowed=meant, meant=meant)
                ) from None
            raise

    def thing(self, text: str, kind: Type, place: Place, holders: set[int], allowed: list[int] | None = None) -> int:
        """A thing by its id, its name in either language, or what is written on it: the cards of who shows them."""
        wanted = plain(text)
        seat = self.called.get(wanted) or (self.seat if wanted in self._oneself() else "")
        atom = self.words.seats[self.game.seat(seat)] if seat else None
        if atom in kind.atoms:
            return atom
        found = named_so(wanted, self._index(kind, frozenset(holders)))
        if len(found) > 1:  # a card that says so itself before one that only has it in its name
            exact = [a for a in found if self._own(a, holders)]
            found = exact if len(exact) == 1 else found
        if len(found) == 1:
            return found[0]
        fitting = found or allowed or [a for a in sorted(kind.atoms) if self._held(a, holders)]
        shown = list(dict.fromkeys(self.called_here(a, holders) for a in fitting))
        raise RulesError(
            problem(
                "worksheet_value",
                place,
                len(text),
                value=text,
                allowed=Whole(_cut(self.language, shown)),
                meant="" if found else self._meant(text, kind, holders, shown),
            )
        )

    def _meant(self, text: str, kind: Type, holders: set[int], shown: list[str]) -> str:
        """The name that was probably meant, as the reader would write it."""
        near = did_you_mean(text, shown)
        if near is None:
            names = self._index(kind, frozenset(holders))
            words = {word: atoms for name, atoms in names.items() for word in name.split() if len(word) > 2} | names
            found = did_you_mean(plain(text), words)
            near = self.called_here(words[found][0], holders) if found else ""
        return near

    def _index(self, kind: Type, holders: frozenset) -> dict[str, list[int]]:
        """Everything that a thing of this kind can be called."""
        key = (kind.atoms, holders)
        if key not in self._indexes:
            names: dict[str, list[int]] = {}
            for atom in sorted(kind.atoms):
                for name in self._names(atom, holders):
                    names.setdefault(name, []).append(atom)
            self._indexes[key] = names
        return self._indexes[key]

    def _held(self, atom: int, holders: set) -> bool:
        """Does it belong to none of the others?"""
        owners = [p for p in self.words.atoms[atom].parts if p in self.words.seats]
        return not owners or any(p in holders for p in owners)

    def _own(self, atom: int, holders: set) -> bool:
        return any(p in holders for p in self.words.atoms[atom].parts)

    def _names(self, atom: int, holders: set) -> set[str]:
        if not self._held(atom, holders):
            return {plain(self.words.atoms[atom].name)}
        thing = self.words.atoms[atom]
        found = {thing.name}
        rest = [p for p in thing.parts if p not in self.words.seats]
        partly = rest and len(rest) < len(thing.parts)
        said = {" ".join(self.words.atoms[p].name for p in rest)} if partly else set()
        for narrator in (self.narrator, self.english):
            whole, parts = narrator.name(atom), [narrator.name(p) for p in rest] if partly else []
            for form in form_names(narrator.language.code):
                found.add(whole(form))
                if partly:
                    said.add(" ".join(part(form) for part in parts))
        if partly:
            found |= {*said, *(f"{thing.set.split('_')[0]} {name}" for name in said)}  # “grey mission”
        return {plain(name) for name in found}

    # --- rows of a log ------------------------------------------------------------------------------------------------
    def row(self, entry: Noted, known: Sequence[Any]) -> Row:
        """The line that the log of the game would have; `known` is the state as far as it is seen."""
        event, values = entry.sentence.event, dict(entry.values)
        if event.kind == "ask":
            names = {v: values.get(n) for n, v in entry.sentence.vars.items()}
            try:
                values["who"] = evaluate(event.origin.at["ask"], known, names)
            except MISSING:
                values["who"] = None
        return (event.number, *(values.get(n) for n in event.names), *(values.get(v.name) for v in event.context))

    def notes(self, entry: Noted, known: Sequence[Any]) -> list[Row]:
        """What the rules write down after it, as far as this player sees it."""
        step = entry.sentence.event.origin
        names = {v.origin: entry.values.get(n) for n, v in entry.sentence.vars.items()}
        names |= {v.origin: entry.values[v.name] for v in step.visible if v.name in entry.values}
        names |= {v: entry.values[v.name] for v in step.vars.values() if v.name in entry.values}
        for rule in self.game.program.rules.values():
            if step in rule.steps:
                return self._written(rule.steps[rule.steps.index(step) + 1 :], names, known)
        return []

    def _written(self, steps: list[Step], names: dict[Var, Any], known: Sequence[Any]) -> list[Row]:
        found = []
        for step in steps:
            try:
                if step.verb == "if":
                    body = "then" if judge(step.at["if"], known, names) else "else"
                    found += self._written(step.bodies.get(body) or [], names, known)
                elif step.verb == "set":
                    for function, args, value in step.targets:
                        atoms = [evaluate(a, known, names) for a in args]
                        number = next(
                            e.number
                            for e in self.game.program.events
                            if e.kind == "set" and e.step == step.name and e.function is function
                        )
                        if None not in atoms:
                            found.append((number, *atoms, evaluate(value, known, names)))
            except (*MISSING, StopIteration):
                continue
        return found

    # --- written down -------------------------------------------------------------------------------------------------
    def as_file(self, settings: dict[str, Any]) -> str:
        """All of it as a file that can be read again; `settings` tells which game it is."""
        lines = [f"{key}: {scalar(settings[key])}" for key in ("game", "players") if settings.get(key)]
        options = [f"{name}: {scalar(value)}" for name, value in (settings.get("options") or {}).items()]
        lines += [f"options: {{{', '.join(options)}}}"] if options else []
        lines.append(f"{ME}: {scalar(self.seat)}")
        names = [f"{seat}: {scalar(name)}" for name, seat in self.said_names.items()]
        lines += [f"names: {{{', '.join(names)}}}"] if names else []
        secrets = [self._written_secret(f, self.secrets[f.shape]) for f in self.own]
        lines += [f"secrets: {{{', '.join(secrets)}}}"] if secrets else []
        lines += ["seen:", *(f"  - {scalar(' '.join(entry.text.split()))}" for entry in self.entries)]
        return "\n".join(lines) + "\n"


def _cut(language: Language, names: list[str]) -> str:
    more = len(names) > MOST_NAMES
    return language.row([*names[:MOST_NAMES], *(["…"] if more else [])])


# --- the beginning ----------------------------------------------------------------------------------------------------
def opening(game: Game, seat: str, secrets: dict[str, Any]) -> list[Row] | None:
    """What this seat has seen at its first decision, with these secrets; None if they cannot be dealt so.

    Public chance, such as where pieces stand, is not in a worksheet and falls anyhow: it tells nothing of secrets.
    """
    me = game.vocabulary.seats[game.seat(seat)]
    wanted = {f: secrets[f.shape] for f in game.screens.secrets if f.shape in secrets}
    stack, tried = [game.new()], 0
    while stack and tried < 100_000:
        state = stack.pop()
        tried += 1
        now = {f: state.umpire().value(f, me) for f in wanted}
        if not all(_may_become(now[f], value, f) for f, value in wanted.items()):
            continue
        if state.actor != CHANCE:
            if now == wanted:
                return state.player(seat).log.rows()
            continue
        for choice, _ in reversed(state.chances()):
            after = state.clone()
            after.apply(choice, trusted=True)
            stack.append(after)
    return None


def _may_become(now: Any, wanted: Any, function: Function) -> bool:
    if now == function.start or now is None:
        return True
    if isinstance(now, tuple) and isinstance(wanted, tuple):
        return set(now) <= set(wanted)
    return now == wanted
