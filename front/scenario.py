"""Scenarios: tests of a game's rules that a rules expert can read and write (see docs/scenarios.md).

A scenario is a YAML file: a position, what is done, what must follow, what each player sees. `run(path)` plays it and
returns everything that is wrong, in the file or in the rules, as problems with file, line and column.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ..interpreter import CHANCE, Entry, Game, Problem, RulesError, State, load_game
from ..interpreter.check import Scope
from ..interpreter.errors import Place, did_you_mean, problem
from ..interpreter.evaluate import evaluate, slot_of
from ..interpreter.load import Map, Seq, TextPlace, load_file
from ..interpreter.model import TRUTH, Alternative, Part, Step, Type
from ..interpreter.resolve import Library
from ..interpreter.schema import mistakes
from ..interpreter.source import HEADER
from .folders import folders

__all__ = ["SCHEMA", "run"]

SCHEMA = Path(__file__).with_name("scenario.schema.json")
SHOWN = 8  # choices or lines that a remedy lists
WORLDS = 200_000  # outcomes of chance that are tried to find out what somebody knows
_WORD = re.compile(r"[^\s,;]+")
# Words that make a choice readable and mean nothing: `move orange red_tall to rialto`.
_NOISE = frozenset("a an and about around as at beside between by for from in of on or over the through to with →".split())
_MISTAKES = (TypeError, IndexError, KeyError, AttributeError)


class Wrong(Exception):
    """The rest of the scenario cannot be played."""


class Word(NamedTuple):
    text: str
    at: Place


def run(path: Path) -> list[Problem]:
    """Play one scenario; everything that is wrong, nothing if all is as it should be."""
    try:
        data = load_file(path, Library.shown(path.resolve()))
        found = mistakes(_validator(), data)
        if found:
            return RulesError(found).problems
        player = _Player(data, path)
        player.play()
    except RulesError as error:
        return error.problems
    return RulesError(player.problems).problems


@lru_cache(maxsize=1)
def _validator():
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


class _Player:
    def __init__(self, data: Map, path: Path):
        self.data = data
        self.problems: list[Problem] = []
        name = data["game"]
        game = path.parent / name if name.endswith((".yaml", ".yml")) else name
        try:
            self.game: Game = load_game(game, data.get("players"), dict(data.get("options") or {}),
                                         (path.parent, *folders()))
        except RulesError as error:
            raise RulesError([_placed(p, data) for p in error.problems]) from None
        self.words = self.game.vocabulary
        self.rng = random.Random(data.get("seed", 1))
        self.state: State = self.game.new()
        self.choices: list[tuple[tuple, bool]] = []  # what was chosen, and whether all saw that it was
        self.writes: list[tuple[int, Any]] = []  # slots set by the position
        self.seats = [s for s in self.game.seats if s not in self.game.chance_seats]

    def complain(self, code: str, at: Place, length: int = 1, **args) -> None:
        self.problems.append(problem(code, at, max(1, length), **args))

    def play(self) -> None:
        try:
            _Position(self).take()
            items = self.data["play"]
            for index, item in enumerate(items):
                if len(item) != 1:
                    self.complain("scenario_keys", items.value_at[index])
                    raise Wrong
                (key, value), = item.items()
                self.take(key, value, item.key_at[key], item.value_at[key])
        except Wrong:
            pass

    # --- one entry ------------------------------------------------------------------------------------------------------
    def take(self, key: str, value: Any, key_at: Place, at: Place) -> None:
        if key == "chance":
            self.chance(value, at)
            return
        self.let_fall()
        if key == "now":
            _Now(self, value).check()
            return
        if key not in self.game.seats:
            self.complain("scenario_seat", key_at, len(key), name=key, seats=", ".join(self.seats),
                          meant=did_you_mean(key, [*self.seats, "chance", "now"]) or "")
            raise Wrong
        if self.state.over:
            self.complain("scenario_over", key_at, len(key))
            raise Wrong
        if self.state.actor != key:
            self.complain("scenario_turn", key_at, len(key), name=key, actor=self.state.actor)
            raise Wrong
        choice = Reading(self, self.node.step).choice(value, at)
        if choice is None:
            raise Wrong
        if not self.state.is_legal(choice):
            self.complain("scenario_not_offered", at, _length(value), offered=self.some_of(self.state.legal()))
            raise Wrong
        self.choices.append((choice, self.node.step.audience == "all" or self.node.planned))
        self.state.apply(choice, trusted=True)

    @property
    def node(self):
        return self.game.program.nodes[self.state.v[0]]

    def some_of(self, choices: list[tuple]) -> tuple[str, ...]:
        return (*(_said(self.game.words(c)) for c in choices[:SHOWN]), *(["…"] if len(choices) > SHOWN else []))

    # --- chance ---------------------------------------------------------------------------------------------------------
    def let_fall(self) -> None:
        """Chance that the scenario does not state is decided by its seed."""
        while self.state.actor == CHANCE:
            self.state.apply(self.state.sample(self.rng), trusted=True)

    def chance(self, value: Any, at: Place) -> None:
        if self.state.actor != CHANCE:
            self.complain("scenario_no_chance", at, _length(value), actor=self.state.actor or "-")
            raise Wrong
        step = self.node.step
        if self.node.kind == "ask":  # a seat that chance plays
            choice = Reading(self, step).choice(value, at)
            if choice is None or not self.state.is_legal(choice):
                self.complain("scenario_not_offered", at, _length(value), offered=self.some_of(self.state.legal()))
                raise Wrong
            self.state.apply(choice)
            return
        given = [w for w in _words(value, at) if w.text not in _NOISE and w.text != step.name.rsplit("/", 1)[-1]]
        for index, word in enumerate(given):
            if self.state.actor != CHANCE or self.node.step is not step:
                self.complain("scenario_chance_count", at, _length(value), wanted=index, found=len(given))
                raise Wrong
            self.fall(word)
        if self.state.actor == CHANCE and self.node.step is step and step.verb == "draw" and \
                self.state.v[HEADER + step.at["hand"].args[0].slot]:
            self.complain("scenario_chance_count", at, _length(value), wanted="…", found=len(given))
            raise Wrong

    def fall(self, word: Word) -> None:
        for choice in self.state.legal():
            if str(self.game.named(choice[0])) == word.text:
                self.state.apply(choice, trusted=True)
                return
        names = [str(self.game.named(c[0])) for c in self.state.legal()]
        self.complain("scenario_chance", word.at, len(word.text), value=word.text, allowed=", ".join(names),
                      meant=did_you_mean(word.text, names) or "")
        raise Wrong

    # --- conditions -------------------------------------------------------------------------------------------------------
    def condition(self, text: str, at: Place, more: tuple = ()):
        """A typed condition over the state, the names that the rules have bound here, and those in `more`."""
        step = self.node.step
        bound = {v.name: v for v in (*(step.visible if step else ()), *more)}
        return self.words.checker.expression(text, at, Scope(bound), TRUTH)

    def holds(self, expr, state: State | None = None, more: dict | None = None) -> bool:
        state = state or self.state
        step = self.game.program.nodes[state.v[0]].step
        names = {v.origin: state.v[HEADER + v.slot] for v in (step.visible if step else ())}
        try:
            return bool(evaluate(expr, state.v[HEADER:], {**names, **(more or {})}))
        except _MISTAKES:
            return False  # something in it is nothing

    # --- what somebody knows ------------------------------------------------------------------------------------------------
    def worlds(self, seat: str) -> list[State] | None:
        """All ways in which chance can have fallen so that, with the same choices, this seat saw what it has seen.

        None if that would not be the whole truth: somebody has chosen what the seat did not see, or there are too many.
        """
        mask = 1 << self.game.seat(seat)
        seen = _seen(self.state, mask)
        found: list[State] = []
        first = self.game.new()
        stack = [(first, 0, False)]
        tried = 0
        while stack:
            state, done, placed = stack.pop()
            if _seen(state, mask) != seen[: len(_seen(state, mask))]:
                continue
            tried += 1
            if tried > WORLDS:
                return None
            if state.actor == CHANCE:
                for choice in state.legal():
                    next_state = state.clone()
                    next_state.apply(choice, trusted=True)
                    stack.append((next_state, done, placed))
                continue
            if not placed:
                for slot, value in self.writes:
                    state.v[slot] = value
            if done == len(self.choices):
                if len(_seen(state, mask)) == len(seen):
                    found.append(state)
                continue
            choice, public = self.choices[done]
            if not public and state.actor != seat and len(_asked(state, choice, mask)) == 0:
                return None
            if state.is_legal(choice):
                state.apply(choice, trusted=True)
                stack.append((state, done + 1, True))
        return found


def _seen(state: State, mask: int) -> list[tuple]:
    rows, chain = [], state.v[1]
    while chain is not None:
        if chain[1][1] & mask:
            rows.append((chain[1][0], *chain[1][2:]))
        chain = chain[0]
    rows.reverse()
    return rows


def _asked(state: State, choice: tuple, mask: int) -> list[tuple]:
    """What the seat sees of a choice itself."""
    node = state.game.program.nodes[state.v[0]]
    if not state.is_legal(choice):
        return [()]  # then this world is not possible, and there is nothing to see
    after = state.clone()
    after.apply(choice, trusted=True)
    events = state.game.program.events
    return [row for row in _seen(after, mask)[len(_seen(state, mask)):]
            if events[row[0]].kind == "ask" and events[row[0]].step == node.step.name]


# --- the position ----------------------------------------------------------------------------------------------------------
class _Position:
    """Brings a new game to its first choice, with chance and state as the scenario says."""

    def __init__(self, player: _Player):
        self.player, self.game, self.words = player, player.game, player.words
        self.entries: Map = player.data.get("position") or Map(player.data.at)
        self.cells: dict[int, tuple[str, Any, Place]] = {}  # slot -> head, value, place
        self.named: dict[str, tuple[Any, Place]] = {}

    def take(self) -> None:
        drawn = {name for node in self.game.program.nodes if node.kind == "chance" for name in node.step.vars}
        for head in self.entries:
            value, at, key_at = self.entries[head], self.entries.value_at[head], self.entries.key_at[head]
            if head in drawn:
                self.named[head] = (value, at)
                continue
            try:
                self.cell(head, value, key_at, at)
            except RulesError as error:
                self.player.problems += error.problems
        if self.player.problems:
            raise Wrong
        self.set_up()
        state = self.player.state
        for slot, (head, value, at) in self.cells.items():
            if state.v[slot] != value:
                state.v[slot] = value
                self.player.writes.append((slot, value))

    def cell(self, head: str, value: Any, key_at: Place, at: Place) -> None:
        target = self.words.checker.expression(head, key_at, Scope())
        if target.op != "state":
            raise RulesError(problem("scenario_position", key_at, len(head), name=head))
        function, args = target.args
        slot = HEADER + slot_of(function, [evaluate(a, (), {}) for a in args])
        result = function.result
        if value is None or value in ("nothing", "none"):
            self.cells[slot] = (head, () if result.many else None, at)
        else:
            self.cells[slot] = (head, self.words.literal(value, result, at), at)

    def set_up(self) -> None:
        player, used = self.player, set()
        dealt: set[int] = set()
        while player.state.actor == CHANCE:
            node, state = player.node, player.state
            if node.kind == "chance" and node.step.verb == "deal":
                self.deal(node, dealt)
                continue
            name = next((n for n in (node.step.vars if node.kind == "chance" else ()) if n in self.named), None)
            if name is None:
                state.apply(state.sample(player.rng), trusted=True)
                continue
            used.add(name)
            player.chance(*self.named[name])
        for name in self.named.keys() - used:
            player.complain("scenario_position", self.entries.key_at[name], len(name), name=name)
        for slot in dealt & self.cells.keys():
            head, value, at = self.cells[slot]
            if player.state.v[slot] != value:
                player.complain("scenario_dealt", at, _length(self.entries[head]))
        if player.problems:
            raise Wrong

    def deal(self, node, dealt: set[int]) -> None:
        """One card: to its receiver what the scenario says, else what it leaves free."""
        state, step = self.player.state, node.step
        function = step.targets[0][0]
        names = {v.origin: state.v[HEADER + v.slot] for v in step.visible}
        row = evaluate(step.at["to"], state.v[HEADER:], names)
        each = evaluate(step.at["each"], state.v[HEADER:], names)
        done = state.v[HEADER + step.at["hand"].args[1].slot]
        receiver = row[done // max(1, each)]
        slot = HEADER + slot_of(function, [receiver])
        dealt.add(slot)
        pool = [c for c in state.legal()]
        if slot in self.cells:
            value = self.cells[slot][1]
            wanted = [c for c in pool if c[0] in (value if isinstance(value, tuple) else (value,))]
        else:
            taken = [self.cells[s][1] for r in row if (s := HEADER + slot_of(function, [r])) in self.cells]
            held = {x for value in taken for x in (value if isinstance(value, tuple) else (value,))}
            wanted = [c for c in pool if c[0] not in held]
        wanted = wanted or pool
        state.apply(wanted[int(self.player.rng.random() * len(wanted))], trusted=True)


# --- choices in words ------------------------------------------------------------------------------------------------------
class Reading:
    """Reads a choice that a person has written: `move orange red_tall to rialto`, or part by part, by name."""

    def __init__(self, player: _Player, step: Step):
        self.player, self.words, self.step = player, player.words, step

    def choice(self, value: Any, at: Place) -> tuple | None:
        """The choice that is meant, legal or not; None if it cannot be read, which is then told."""
        try:
            return self._by_name(value, at) if isinstance(value, Map) else self._in_order(_words(value, at), at, value)
        except RulesError as error:
            self.player.problems += error.problems
            return None

    def wrong(self, word: Word, names) -> RulesError:
        names = sorted(set(map(str, names)))
        return RulesError(problem("scenario_word", word.at, len(word.text), word=word.text, allowed=tuple(names),
                                  meant=did_you_mean(word.text, names) or ""))

    def alternative(self, word: Word) -> Alternative:
        found = next((a for a in self.step.alternatives if a.name == word.text), None)
        if found is None:
            raise self.wrong(word, [a.name for a in self.step.alternatives])
        return found

    def _in_order(self, given: list[Word], at: Place, value: Any) -> tuple:
        chosen, parts = [], list(self.step.parts)
        if self.step.alternatives:
            if not given:
                raise RulesError(problem("scenario_part", at, part=self.step.name.rsplit("/", 1)[-1],
                                         allowed=tuple(a.name for a in self.step.alternatives)))
            alternative = self.alternative(given.pop(0))
            chosen, parts = [alternative.atom], [*parts, *alternative.parts]
        labels = {p.var.name for p in parts}
        for part in parts:
            given = self._skipped(given, part, labels)
            if part.shape == "match":
                chosen.append(self._pairs(part, given, at))
            elif part.shape == "some":
                some = []
                while given and (atom := self._value(given[0].text, part.var.type.of)) is not None:
                    some.append(atom)
                    given = self._skipped(given[1:], part, labels)
                chosen.append(tuple(sorted(set(some))))
            else:
                if not given:
                    raise self._missing(part, at, _length(value))
                chosen.append(self._one(given.pop(0), part.var.type))
        for word in given:
            if word.text not in _NOISE:
                raise self.wrong(word, [a.name for a in self.step.alternatives] or
                                 [n for p in parts for n in self._names(p.var.type)])
        return tuple(chosen)

    def _skipped(self, given: list[Word], part: Part, labels: set[str]) -> list[Word]:
        """Without the words in front that mean nothing here."""
        kind = part.var.type.of if part.shape == "some" else part.var.type
        while given and (given[0].text in _NOISE or given[0].text in labels) and \
                (part.shape == "match" or self._value(given[0].text, kind) is None):
            given = given[1:]
        return given

    def _by_name(self, value: Map, at: Place) -> tuple:
        chosen, parts = [], list(self.step.parts)
        if self.step.alternatives:
            (key, inner), *others = value.items()
            if others:
                raise self.wrong(Word(others[0][0], value.key_at[others[0][0]]), [a.name for a in self.step.alternatives])
            alternative = self.alternative(Word(key, value.key_at[key]))
            chosen, parts = [alternative.atom], [*parts, *alternative.parts]
            at = value.value_at[key]
            value = inner if isinstance(inner, Map) else Map(at)
        for name in value:
            if name not in [p.var.name for p in parts]:
                raise self.wrong(Word(name, value.key_at[name]), [p.var.name for p in parts])
        for part in parts:
            if part.var.name not in value:
                raise self._missing(part, at, 1)
            chosen.append(self._part(part, value[part.var.name], value.value_at[part.var.name]))
        return tuple(chosen)

    def _part(self, part: Part, value: Any, at: Place) -> Any:
        if part.shape == "match":
            if isinstance(value, Map):
                words = [w for key in value for w in (Word(key, value.key_at[key]), Word(str(value[key]), value.value_at[key]))]
                return self._pairs(part, words, at)
            return self._pairs(part, _words(value, at), at)
        words = [w for w in _words(value, at) if w.text not in _NOISE]
        if part.shape == "some":
            return tuple(sorted({self._one(w, part.var.type.of) for w in words}))
        if len(words) != 1:
            raise self._missing(part, at, 1)
        return self._one(words[0], part.var.type)

    def _pairs(self, part: Part, given: list[Word], at: Place) -> tuple:
        """An assignment: `red agent_x, blue …`; what is read is taken off `given`."""
        keys, found = list(part.source.args[0]), {}
        while given and len(found) < len(keys):
            word = given.pop(0)
            if word.text in _NOISE:
                continue
            key = self._one(word, part.source.type.of)
            if not given:
                break
            found[key] = self._one(given.pop(0), part.onto.type.of)
        if set(found) != set(keys):
            raise self._missing(part, at, 1)
        return tuple(found[k] for k in keys)

    def _missing(self, part: Part, at: Place, length: int) -> RulesError:
        kind = part.var.type if part.shape == "one" else part.source.type.of
        return RulesError(problem("scenario_part", at, length, part=part.var.name, allowed=tuple(self._names(kind))))

    def _one(self, word: Word, kind: Type) -> Any:
        found = self._value(word.text, kind)
        if found is None:
            raise self.wrong(word, self._names(kind))
        return found

    def _value(self, text: str, kind: Type) -> Any:
        if kind.kind == "number":
            return int(text) if text.isdigit() else None
        return self.words.member(text, kind) if kind.kind == "thing" else None

    def _names(self, kind: Type) -> list[str]:
        return self.words.names_of(kind) if kind.kind == "thing" else []


# --- what must be true -----------------------------------------------------------------------------------------------------
class _Now:
    def __init__(self, player: _Player, wanted: Map):
        self.player, self.game, self.state, self.wanted = player, player.game, player.state, wanted

    def check(self) -> None:
        for key in self.wanted:
            try:
                getattr(self, "_" + key.replace(" ", "_"))(self.wanted[key], self.wanted.value_at[key])
            except RulesError as error:
                self.player.problems += error.problems

    def complain(self, code: str, at: Place, length: int = 1, **args) -> None:
        self.player.complain(code, at, length, **args)

    def _asked(self, value: str, at: Place) -> None:
        if self.state.actor != value:
            self.complain("scenario_asked", at, len(value), actor=self.state.actor or "-")

    def _step(self, value: str, at: Place) -> None:
        step = self.player.node.step
        if step is None or not _ends(step.name, value):
            self.complain("scenario_step", at, len(value), found=step.name if step else "-")

    def _holds(self, value: Any, at: Place) -> None:
        for text, place in _each(value, at):
            if not self.player.holds(self.player.condition(text, place)):
                self.complain("scenario_fails", place, len(text))

    def _fails(self, value: Any, at: Place) -> None:
        for text, place in _each(value, at):
            if self.player.holds(self.player.condition(text, place)):
                self.complain("scenario_holds", place, len(text))

    def _offered(self, value: Any, at: Place) -> None:
        for choice, written, place in self.choices(value, at):
            if not self.state.is_legal(choice):
                self.complain("scenario_not_offered", place, _length(written),
                              offered=self.player.some_of(self.state.legal()))

    def _refused(self, value: Any, at: Place) -> None:
        for choice, written, place in self.choices(value, at):
            if self.state.is_legal(choice):
                self.complain("scenario_offered", place, _length(written))

    def choices(self, value: Any, at: Place) -> Iterator[tuple[tuple, Any, Place]]:
        if self.state.over:
            self.complain("scenario_over", at)
            return
        for written, place in _each(value, at):
            choice = Reading(self.player, self.player.node.step).choice(written, place)
            if choice is not None:
                yield choice, written, place

    def _choices(self, value: Any, at: Place) -> None:
        if self.state.over:
            self.complain("scenario_over", at)
            return
        legal = self.state.legal()
        if not isinstance(value, Seq):
            if len(legal) != value:
                self.complain("scenario_count", at, _length(value), found=len(legal), wanted=value)
            return
        for index, kind in enumerate(value):
            found = len(self.of_kind(legal, kind))
            if found != kind["are"]:
                self.complain("scenario_count", kind.value_at["are"], _length(kind["are"]), found=found, wanted=kind["are"])

    def of_kind(self, legal: list[tuple], kind: Map) -> list[tuple]:
        step = self.player.node.step
        parts, first, alternative = list(step.parts), 0, None
        if "of" in kind:
            alternative = Reading(self.player, step).alternative(Word(kind["of"], kind.value_at["of"]))
            parts, first = [*parts, *alternative.parts], 1
            legal = [c for c in legal if c[0] == alternative.atom]
        if "where" not in kind:
            return legal
        variables = [p.var for p in parts]
        test = self.player.condition(kind["where"], kind.value_at["where"], tuple(variables))
        return [c for c in legal if self.player.holds(test, more=dict(zip(variables, c[first:])))]

    # what somebody has seen
    def _sees(self, value: Map, at: Place) -> None:
        for seat, line, place, written in self.lines(value):
            seen = [entry for entry in self.state.log(seat) if line.is_about(entry)]
            if not any(line.tells(entry) for entry in seen):
                told = [_said([v for _, v in entry.told]) for entry in seen]
                self.complain("scenario_not_seen", place, _length(written), seat=seat,
                              seen=(*(told[-SHOWN:] or ["-"]),))

    def _hidden_from(self, value: Map, at: Place) -> None:
        for seat, line, place, written in self.lines(value):
            if any(line.is_about(entry) and line.tells(entry) for entry in self.state.log(seat)):
                self.complain("scenario_seen", place, _length(written), seat=seat)

    def lines(self, value: Map) -> Iterator[tuple[str, Line, Place, Any]]:
        for seat in self.seats(value):
            for written, place in _each(value[seat], value.value_at[seat]):
                yield seat, Line(self.game, written, place), place, written

    def seats(self, value: Map) -> Iterator[str]:
        for seat in value:
            if seat in self.game.seats:
                yield seat
            else:
                self.complain("scenario_seat", value.key_at[seat], len(seat), name=seat, seats=", ".join(self.game.seats),
                              meant=did_you_mean(seat, self.game.seats) or "")

    # what somebody knows
    def _knows(self, value: Map, at: Place) -> None:
        for seat, text, place, true, all_ in self.cases(value):
            if true < all_:
                self.complain("scenario_not_known", place, len(text), seat=seat, found=true, all=all_)

    def _unsure_of(self, value: Map, at: Place) -> None:
        for seat, text, place, true, all_ in self.cases(value):
            if true in (0, all_):
                self.complain("scenario_known", place, len(text), seat=seat, found=true, all=all_)

    def cases(self, value: Map) -> Iterator[tuple[str, str, Place, int, int]]:
        for seat in self.seats(value):
            worlds = self.player.worlds(seat)
            if not worlds:
                self.complain("scenario_cannot_tell", value.key_at[seat], len(seat), seat=seat)
                continue
            for text, place in _each(value[seat], value.value_at[seat]):
                test = self.player.condition(text, place)
                yield seat, text, place, sum(self.player.holds(test, world) for world in worlds), len(worlds)

    def _winners(self, value: Any, at: Place) -> None:
        names = [w.text for w in _words(value, at)]
        for word in _words(value, at):
            if word.text not in self.game.seats:
                self.complain("scenario_seat", word.at, len(word.text), name=word.text, seats=", ".join(self.game.seats),
                              meant=did_you_mean(word.text, self.game.seats) or "")
        if not self.state.over:
            self.complain("scenario_not_over", at, _length(value))
        elif set(self.state.result.winners) != set(names):
            self.complain("scenario_winners", at, _length(value), found=", ".join(self.state.result.winners) or "-")


class Line:
    """A line of a log, as a scenario describes it: the step, and what it tells."""

    def __init__(self, game: Game, written: Any, at: Place):
        self.values: list[str] = []
        self.named: dict[str, Any] = {}
        if isinstance(written, Map):
            name = next(iter(written))
            first = Word(name, written.key_at[name])
            told = written[name] if isinstance(written[name], Map) else {}
            self.named = {key: told[key] for key in told}
        else:
            first, *others = _words(written, at) or [Word("", at)]
            others = [w for w in others if w.text not in _NOISE]
            for word in others:
                if not word.text.isdigit() and word.text not in ("true", "false") and word.text not in game.vocabulary.by_name:
                    raise RulesError(problem("unknown_name", word.at, len(word.text), name=word.text,
                                             meant=did_you_mean(word.text, game.vocabulary.by_name) or ""))
            self.values = [w.text for w in others]
        self.name = first.text
        names = {_line_name(event) for event in game.program.events}
        if not any(_ends(name, self.name) for name in names):
            short = {name.rsplit("/", 1)[-1].split(" ")[0] for name in names}
            raise RulesError(problem("scenario_line", first.at, len(first.text), name=first.text,
                                     meant=did_you_mean(first.text, short) or ""))

    def is_about(self, entry: Entry) -> bool:
        return _ends(entry.step, self.name)

    def tells(self, entry: Entry) -> bool:
        told = dict(entry.told)
        known = [str(v).lower() if isinstance(v, bool) else str(v) for value in told.values() for v in _flat(value)]
        return all(v in known for v in self.values) and all(
            key in told and _same(told[key], value) for key, value in self.named.items())


def _line_name(event) -> str:
    name = event.function.shape if event.function is not None else event.step
    return f"{name}/{event.alternative}" if event.alternative else name


def _ends(name: str, end: str) -> bool:
    """Is this the name of the step, the end of it, or the first word of a state?"""
    return name == end or name.endswith("/" + end) or " " in name and name.split(" ")[0] == end


def _flat(value: Any) -> Iterator[Any]:
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, (tuple, list)):
            stack += value
        else:
            yield value


def _same(told: Any, written: Any) -> bool:
    if isinstance(written, list) or isinstance(told, tuple):
        wanted = written if isinstance(written, list) else [w.text for w in _words(written, None)]
        return sorted(map(str, _flat(told))) == sorted(map(str, wanted))
    return str(told).lower() == str(written).lower()


# --- texts and places --------------------------------------------------------------------------------------------------------
def _words(value: Any, at: Place | None) -> list[Word]:
    if isinstance(value, Seq):
        return [w for i, v in enumerate(value) for w in _words(v, value.value_at[i])]
    text = str(value)
    place = TextPlace(at, text) if at is not None and isinstance(value, str) else None
    return [Word(m[0], place.shifted(m.start()) if place is not None else at) for m in _WORD.finditer(text)]


def _each(value: Any, at: Place) -> Iterator[tuple[Any, Place]]:
    """One thing, or each of a list."""
    if isinstance(value, Seq):
        yield from zip(value, value.value_at)
    else:
        yield value, at


def _said(words: list[Any]) -> str:
    return " ".join(_said(w) if isinstance(w, (list, tuple)) else str(w) for w in words)


def _length(value: Any) -> int:
    return len(str(value)) if isinstance(value, (str, int)) else 1


def _placed(found: Problem, data: Map) -> Problem:
    """A problem without a place, such as a game that does not exist, belongs to the line that names the game."""
    return found if found.place is not None else Problem(found.code, data.value_at["game"], found.args, len(data["game"]))
