"""What a scenario states: the position with which it begins, and what must be true `now`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..interpreter import CHANCE, Position, RulesError
from ..interpreter.cells import cell_of
from ..interpreter.check import Scope
from ..interpreter.errors import Place, did_you_mean, problem
from ..interpreter.evaluate import evaluate
from ..interpreter.load import Map, Seq
from ..interpreter.model import Step
from ..speech.lines import ChoiceReading, LogLine, Word, each, ends, length_of, said, words_of

if TYPE_CHECKING:
    from .scenario import Performance

__all__ = ["SHOWN", "Now", "SetUp", "Wrong"]

SHOWN = 8  # choices or lines that a remedy lists


class Wrong(Exception):
    """The rest of the scenario cannot be played."""


# --- the position -----------------------------------------------------------------------------------------------------
class SetUp:
    """Brings a new game to its first choice, with chance and state as the scenario says."""

    def __init__(self, player: Performance):
        self.player, self.game, self.words = player, player.game, player.words
        self.entries: Map = player.data.get("position") or Map(player.data.at)
        self.cells: dict[int, tuple[str, Any, Place]] = {}  # cell -> head, value, place
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
        position = self.player.position
        for cell, (_, value, _) in self.cells.items():
            if position.cell(cell) != value:
                position.put(cell, value)
                self.player.writes.append((cell, value))

    def cell(self, head: str, value: Any, key_at: Place, at: Place) -> None:
        target = self.words.checker.expression(head, key_at, Scope())
        if target.op != "state":
            raise RulesError(problem("scenario_position", key_at, len(head), name=head))
        function, args = target.args
        cell = cell_of(function, [evaluate(a, (), {}) for a in args])
        result = function.result
        if value is None or value in ("nothing", "none"):
            self.cells[cell] = (head, () if result.many else None, at)
        else:
            self.cells[cell] = (head, self.words.checker.literal(value, result, at), at)

    def set_up(self) -> None:
        player, position, used = self.player, self.player.position, set()
        dealt: set[int] = set()
        while position.actor == CHANCE:
            step = position.step
            if position.is_chance and step.verb == "deal":
                self.deal(step, dealt)
                continue
            name = next((n for n in (step.vars if position.is_chance else ()) if n in self.named), None)
            if name is None:
                position.apply(position.sample(player.rng), trusted=True)
                continue
            used.add(name)
            player.chance(*self.named[name])
        for name in self.named.keys() - used:
            player.complain("scenario_position", self.entries.key_at[name], len(name), name=name)
        for cell in dealt & self.cells.keys():
            head, value, at = self.cells[cell]
            if position.cell(cell) != value:
                player.complain("scenario_dealt", at, length_of(self.entries[head]))
        if player.problems:
            raise Wrong

    def deal(self, step: Step, dealt: set[int]) -> None:
        """One card: to its receiver what the scenario says, else what it leaves free."""
        position, function = self.player.position, step.targets[0][0]
        cells, names = position.cells(), position.names()
        if "dealing" in step.at:
            row, each = map(position.variable, step.at["dealing"].args)
        else:
            row, each = (evaluate(step.at[key], cells, names) for key in ("to", "each"))
        done = position.variable(step.at["hand"].args[1])
        receiver = row[done // max(1, each)]
        cell = cell_of(function, [receiver])
        dealt.add(cell)
        pool = position.legal()
        if cell in self.cells:
            value, held = self.cells[cell][1], position.cell(cell)
            missing = Counter(value) - Counter(held) if isinstance(value, tuple) else Counter([value])
            wanted = [c for c in pool if missing[c[0]]]
        else:
            taken = [self.cells[c][1] for r in row if (c := cell_of(function, [r])) in self.cells]
            spoken_for = {x for value in taken for x in (value if isinstance(value, tuple) else (value,))}
            wanted = [c for c in pool if c[0] not in spoken_for]
        wanted = wanted or pool
        position.apply(wanted[int(self.player.rng.random() * len(wanted))], trusted=True)


# --- what must be true ------------------------------------------------------------------------------------------------
class Now:
    """One entry `now`: each key of it has a method of its name."""

    def __init__(self, player: Performance, wanted: Map):
        self.player, self.game, self.position, self.wanted = player, player.game, player.position, wanted
        self.worlds: dict[str, list[Position] | None] = {}

    def check(self) -> None:
        for key in self.wanted:
            try:
                getattr(self, "_" + key.replace(" ", "_"))(self.wanted[key], self.wanted.value_at[key])
            except RulesError as error:
                self.player.problems += error.problems

    def complain(self, code: str, at: Place, length: int = 1, **args) -> None:
        self.player.complain(code, at, length, **args)

    def _asked(self, value: str, at: Place) -> None:
        if self.position.actor != value:
            self.complain("scenario_asked", at, len(value), actor=self.position.actor or "-")

    def _step(self, value: str, at: Place) -> None:
        step = self.position.step
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
            if not self.position.is_legal(choice):
                self.complain(
                    "scenario_not_offered",
                    place,
                    length_of(written),
                    offered=self.player.some_of(self.position.legal()),
                )

    def _refused(self, value: Any, at: Place) -> None:
        for choice, written, place in self.choices(value, at):
            if self.position.is_legal(choice):
                self.complain("scenario_offered", place, length_of(written))

    def choices(self, value: Any, at: Place) -> Iterator[tuple[tuple, Any, Place]]:
        if self.position.over:
            self.complain("scenario_over", at)
            return
        for written, place in each(value, at):
            choice = self.player.read(written, place)
            if choice is not None:
                yield choice, written, place

    def _choices(self, value: Any, at: Place) -> None:
        if self.position.over:
            self.complain("scenario_over", at)
            return
        legal = self.position.legal()
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
        step = self.position.step
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
            seen = [entry for entry in self.position.log(seat) if line.is_about(entry)]
            if not any(line.tells(entry) for entry in seen):
                told = [said([v for _, v in entry.told]) for entry in seen]
                self.complain(
                    "scenario_not_seen", place, length_of(written), seat=seat, seen=(*(told[-SHOWN:] or ["-"]),)
                )

    def _hidden_from(self, value: Map, at: Place) -> None:
        for seat, line, place, written in self.lines(value):
            if any(line.is_about(entry) and line.tells(entry) for entry in self.position.log(seat)):
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
                code = "scenario_cannot_tell" if worlds is None else "scenario_contradiction"
                self.complain(code, value.key_at[seat], len(seat), seat=seat)
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
        if not self.position.over:
            self.complain("scenario_not_over", at, length_of(value))
        elif set(self.position.result.winners) != set(names):
            self.complain(
                "scenario_winners", at, length_of(value), found=", ".join(self.position.result.winners) or "-"
            )
