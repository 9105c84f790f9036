"""Scenarios: tests of a game's rules that a rules expert can read and write (see docs/scenarios.md).

A scenario is a YAML file: a position, what is done, what must follow, what each player sees. `run(path)` plays it and
returns everything that is wrong, in the file or in the rules, as problems with file, line and column.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..interpreter import CHANCE, Game, Problem, RulesError, State, load_game
from ..interpreter.check import Scope
from ..interpreter.errors import Place, did_you_mean, problem
from ..interpreter.evaluate import evaluate, slot_of
from ..interpreter.load import Map, Seq, load_file
from ..interpreter.model import TRUTH
from ..interpreter.schema import mistakes
from ..interpreter.shelves import shown
from ..interpreter.slots import HEADER
from ..speech.lines import NOISE, ChoiceReading, LogLine, Word, each, ends, length_of, said, words_of

__all__ = ["SCHEMA", "run"]

SCHEMA = Path(__file__).with_name("scenario.schema.json")
SHOWN = 8  # choices or lines that a remedy lists
WORLDS = 200_000  # outcomes of chance that are tried to find out what somebody knows
_MISTAKES = (TypeError, IndexError, KeyError, AttributeError)


class Wrong(Exception):
    """The rest of the scenario cannot be played."""


def run(path: Path, folders: tuple[Path, ...] = ()) -> list[Problem]:
    """Play one scenario, with the house rules in these folders; everything that is wrong, nothing if all is as it
    should be."""
    try:
        data = load_file(path, shown(path.resolve()))
        found = mistakes(_validator(), data)
        if found:
            return RulesError(found).problems
        player = Performance(data, path, folders)
        player.play()
    except RulesError as error:
        return error.problems
    return RulesError(player.problems).problems


@lru_cache(maxsize=1)
def _validator():
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


class Performance:
    def __init__(self, data: Map, path: Path, folders: tuple[Path, ...] = ()):
        self.data = data
        self.problems: list[Problem] = []
        name = data["game"]
        game = path.parent / name if name.endswith((".yaml", ".yml")) else name
        try:
            self.game: Game = load_game(
                game, data.get("players"), dict(data.get("options") or {}), (path.parent, *folders)
            )
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
            SetUp(self).take()
            items = self.data["play"]
            for index, item in enumerate(items):
                if len(item) != 1:
                    self.complain("scenario_keys", items.value_at[index])
                    raise Wrong
                ((key, value),) = item.items()
                self.take(key, value, item.key_at[key], item.value_at[key])
        except Wrong:
            pass

    # --- one entry ----------------------------------------------------------------------------------------------------
    def take(self, key: str, value: Any, key_at: Place, at: Place) -> None:
        if key == "chance":
            self.chance(value, at)
            return
        self.let_fall()
        if key == "now":
            _Now(self, value).check()
            return
        if key not in self.game.seats:
            self.complain(
                "scenario_seat",
                key_at,
                len(key),
                name=key,
                seats=", ".join(self.seats),
                meant=did_you_mean(key, [*self.seats, "chance", "now"]) or "",
            )
            raise Wrong
        if self.state.over:
            self.complain("scenario_over", key_at, len(key))
            raise Wrong
        if self.state.actor != key:
            self.complain("scenario_turn", key_at, len(key), name=key, actor=self.state.actor)
            raise Wrong
        choice = self.read(value, at)
        if choice is None:
            raise Wrong
        if not self.state.is_legal(choice):
            self.complain("scenario_not_offered", at, length_of(value), offered=self.some_of(self.state.legal()))
            raise Wrong
        self.choices.append((choice, self.node.step.audience == "all" or self.node.planned))
        self.state.apply(choice, trusted=True)

    def read(self, value: Any, at: Place) -> tuple | None:
        """The choice that is written here, legal or not; None if it cannot be read."""
        reading = ChoiceReading(self.game, self.node.step)
        choice = reading.choice(value, at)
        self.problems += reading.problems
        return choice

    @property
    def node(self):
        return self.game.program.nodes[self.state.v[0]]

    def some_of(self, choices: list[tuple]) -> tuple[str, ...]:
        return (*(said(self.game.words(c)) for c in choices[:SHOWN]), *(["…"] if len(choices) > SHOWN else []))

    # --- chance -------------------------------------------------------------------------------------------------------
    def let_fall(self) -> None:
        """Chance that the scenario does not state is decided by its seed."""
        while self.state.actor == CHANCE:
            self.state.apply(self.state.sample(self.rng), trusted=True)

    def chance(self, value: Any, at: Place) -> None:
        if self.state.actor != CHANCE:
            self.complain("scenario_no_chance", at, length_of(value), actor=self.state.actor or "-")
            raise Wrong
        step = self.node.step
        if self.node.kind == "ask":  # a seat that chance plays
            choice = self.read(value, at)
            if choice is None or not self.state.is_legal(choice):
                self.complain("scenario_not_offered", at, length_of(value), offered=self.some_of(self.state.legal()))
                raise Wrong
            self.state.apply(choice)
            return
        given = [w for w in words_of(value, at) if w.text not in NOISE and w.text != step.name.rsplit("/", 1)[-1]]
        for index, word in enumerate(given):
            if self.state.actor != CHANCE or self.node.step is not step:
                self.complain("scenario_chance_count", at, length_of(value), wanted=index, found=len(given))
                raise Wrong
            self.fall(word)
        if (
            self.state.actor == CHANCE
            and self.node.step is step
            and step.verb == "draw"
            and self.state.v[HEADER + step.at["hand"].args[0].slot]
        ):
            self.complain("scenario_chance_count", at, length_of(value), wanted="…", found=len(given))
            raise Wrong

    def fall(self, word: Word) -> None:
        for choice in self.state.legal():
            if self.game.words(choice)[0] == word.text:
                self.state.apply(choice, trusted=True)
                return
        names = [self.game.words(c)[0] for c in self.state.legal()]
        self.complain(
            "scenario_chance",
            word.at,
            len(word.text),
            value=word.text,
            allowed=", ".join(names),
            meant=did_you_mean(word.text, names) or "",
        )
        raise Wrong

    # --- conditions ---------------------------------------------------------------------------------------------------
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

    # --- what somebody knows ------------------------------------------------------------------------------------------
    def worlds(self, seat: str) -> list[State] | None:
        """All ways in which the game can have gone so that this seat has seen what it has seen; None if too many.

        Chance may have fallen otherwise, and others may have chosen otherwise what this seat did not see; what it saw
        them choose they chose. Whatever then looks otherwise to this seat is struck out.
        """
        mask = 1 << self.game.seat(seat)
        seen = _news(self.state.v[1], None, mask)
        found: list[State] = []
        first = self.game.new()
        stack = [(first, None, 0, 0, False)]  # state, log so far, lines seen in it, choices made, is the position set
        tried = 0
        while stack:
            state, before, known, made, placed = stack.pop()
            news = _news(state.v[1], before, mask)
            if seen[known : known + len(news)] != news:
                continue
            tried += 1
            if tried > WORLDS:
                return None
            known += len(news)
            by_chance = state.actor == CHANCE
            if not by_chance and not placed:
                for slot, value in self.writes:
                    state.v[slot] = value
            if not by_chance and made == len(self.choices):
                if known == len(seen):
                    found.append(state)
                continue
            choices = [self.choices[made][0]] if not by_chance else []
            if by_chance or not (self.choices[made][1] or state.actor == seat):
                choices = state.legal()
            for choice in choices:
                if by_chance or state.is_legal(choice):
                    after = state.clone()
                    after.apply(choice, trusted=True)
                    stack.append((after, state.v[1], known, made + (not by_chance), placed or not by_chance))
        return found


def _news(chain: tuple | None, before: tuple | None, mask: int) -> list[tuple]:
    """The lines of a log since then that these seats have seen."""
    rows = []
    while chain is not before:
        if chain[1][1] & mask:
            rows.append((chain[1][0], *chain[1][2:]))
        chain = chain[0]
    rows.reverse()
    return rows


# --- the position -----------------------------------------------------------------------------------------------------
class SetUp:
    """Brings a new game to its first choice, with chance and state as the scenario says."""

    def __init__(self, player: Performance):
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
                player.complain("scenario_dealt", at, length_of(self.entries[head]))
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


# --- what must be true ------------------------------------------------------------------------------------------------
class _Now:
    def __init__(self, player: Performance, wanted: Map):
        self.player, self.game, self.state, self.wanted = player, player.game, player.state, wanted
        self.worlds: dict[str, list[State] | None] = {}

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
        if step is None or not ends(step.name, value):
            self.complain("scenario_step", at, len(value), found=step.name if step else "-")

    def _holds(self, value: Any, at: Place) -> None:
        for text, place in each(value, at):
            if not self.player.holds(self.player.condition(text, place)):
                self.complain("scenario_fails", place, len(text))

    def _fails(self, value: Any, at: Place) -> None:
        for text, place in each(value, at):
            if self.player.holds(self.player.condition(text, place)):
                self.complain("scenario_holds", place, len(text))

    def _offered(self, value: Any, at: Place) -> None:
        for choice, written, place in self.choices(value, at):
            if not self.state.is_legal(choice):
                self.complain(
                    "scenario_not_offered", place, length_of(written), offered=self.player.some_of(self.state.legal())
                )

    def _refused(self, value: Any, at: Place) -> None:
        for choice, written, place in self.choices(value, at):
            if self.state.is_legal(choice):
                self.complain("scenario_offered", place, length_of(written))

    def choices(self, value: Any, at: Place) -> Iterator[tuple[tuple, Any, Place]]:
        if self.state.over:
            self.complain("scenario_over", at)
            return
        for written, place in each(value, at):
            choice = self.player.read(written, place)
            if choice is not None:
                yield choice, written, place

    def _choices(self, value: Any, at: Place) -> None:
        if self.state.over:
            self.complain("scenario_over", at)
            return
        legal = self.state.legal()
        if not isinstance(value, Seq):
            if len(legal) != value:
                self.complain("scenario_count", at, length_of(value), found=len(legal), wanted=value)
            return
        for index, kind in enumerate(value):
            found = len(self.of_kind(legal, kind))
            if found != kind["are"]:
                self.complain(
                    "scenario_count", kind.value_at["are"], length_of(kind["are"]), found=found, wanted=kind["are"]
                )

    def of_kind(self, legal: list[tuple], kind: Map) -> list[tuple]:
        step = self.player.node.step
        parts, first, alternative = list(step.parts), 0, None
        if "of" in kind:
            alternative = ChoiceReading(self.game, step).alternative(Word(kind["of"], kind.value_at["of"]))
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
                told = [said([v for _, v in entry.told]) for entry in seen]
                self.complain(
                    "scenario_not_seen", place, length_of(written), seat=seat, seen=(*(told[-SHOWN:] or ["-"]),)
                )

    def _hidden_from(self, value: Map, at: Place) -> None:
        for seat, line, place, written in self.lines(value):
            if any(line.is_about(entry) and line.tells(entry) for entry in self.state.log(seat)):
                self.complain("scenario_seen", place, length_of(written), seat=seat)

    def lines(self, value: Map) -> Iterator[tuple[str, LogLine, Place, Any]]:
        for seat in self.seats(value):
            for written, place in each(value[seat], value.value_at[seat]):
                yield seat, LogLine(self.game, written, place), place, written

    def seats(self, value: Map) -> Iterator[str]:
        for seat in value:
            if seat in self.game.seats:
                yield seat
            else:
                self.complain(
                    "scenario_seat",
                    value.key_at[seat],
                    len(seat),
                    name=seat,
                    seats=", ".join(self.game.seats),
                    meant=did_you_mean(seat, self.game.seats) or "",
                )

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
            if seat not in self.worlds:
                self.worlds[seat] = self.player.worlds(seat)
            worlds = self.worlds[seat]
            if not worlds:
                self.complain("scenario_cannot_tell", value.key_at[seat], len(seat), seat=seat)
                continue
            for text, place in each(value[seat], value.value_at[seat]):
                test = self.player.condition(text, place)
                yield seat, text, place, sum(self.player.holds(test, world) for world in worlds), len(worlds)

    def _winners(self, value: Any, at: Place) -> None:
        names = [w.text for w in words_of(value, at)]
        for word in words_of(value, at):
            if word.text not in self.game.seats:
                self.complain(
                    "scenario_seat",
                    word.at,
                    len(word.text),
                    name=word.text,
                    seats=", ".join(self.game.seats),
                    meant=did_you_mean(word.text, self.game.seats) or "",
                )
        if not self.state.over:
            self.complain("scenario_not_over", at, length_of(value))
        elif set(self.state.result.winners) != set(names):
            self.complain("scenario_winners", at, length_of(value), found=", ".join(self.state.result.winners) or "-")


def _placed(found: Problem, data: Map) -> Problem:
    """A problem without a place, such as a game that does not exist, belongs to the line that names the game."""
    return (
        found if found.place is not None else Problem(found.code, data.value_at["game"], found.args, len(data["game"]))
    )
