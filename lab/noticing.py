"""What a player notices of a game, taken apart: what must be the same in all worlds that he cannot tell apart, and what
a step declares and so may differ. See worlds.py."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from ..interpreter.model import Step, walk

if TYPE_CHECKING:
    from ..interpreter.blocks import Event
    from ..interpreter.game import Game
    from ..interpreter.observe import Row
    from ..interpreter.position import Position

__all__ = ["Chance", "Lines", "Notice", "Pool", "question_notices"]

GIVING = ("ask", "deal", "draw", "shuffle")  # verbs that tell what they put somewhere to whoever sees it there
MATTERS = ("log", "question", "choices", "keyboard", "pool", "over", "stopped", "undo")


class Notice(NamedTuple):
    """What an observer notices: `must` is the same in all worlds that he holds possible, `may` is declared."""

    matter: str  # one of MATTERS
    step: Step | None
    must: tuple[Any, ...]
    may: tuple[Any, ...] = ()
    declared: bool = False  # also whether it happens at all


class Chance(NamedTuple):
    """A draw or a deal under way: what there was at its beginning, what chance had given before, and how many are still
    to come."""

    step: Step
    pool: tuple[Any, ...]
    given: dict[str, tuple[Any, ...]]
    left: int


class Pool:
    """What can be drawn at a step, in all worlds that an observer holds possible.

    It is honest if it is the same in all of them, or a rest: the same together with all that some steps have given
    before. Then a card that is drawn says only that it has not been given, as with any pack of cards."""

    __slots__ = ("first", "rests")

    def __init__(self, chance: Chance, way: Any):
        self.first = (chance.pool, way)
        steps = sorted(chance.given)[:6]
        subsets = [frozenset(s) for n in range(len(steps) + 1) for s in combinations(steps, n)]
        self.rests = {subset: _whole(chance, subset) for subset in subsets}

    def agrees(self, chance: Chance) -> bool:
        self.rests = {subset: whole for subset, whole in self.rests.items() if _whole(chance, subset) == whole}
        return bool(self.rests)


def _whole(chance: Chance, steps: frozenset[str]) -> tuple[Any, ...]:
    return tuple(sorted([*chance.pool, *(x for step in steps for x in chance.given.get(step, ()))]))


class Lines:
    """Takes the lines of logs apart, each once."""

    def __init__(self, game: Game, end_declared: bool):
        self.game, self.end_declared = game, end_declared
        self.steps = {step.name: step for rule in game.program.rules.values() for step in walk(rule.steps)}
        self._known: dict[Row, list[Notice]] = {}

    def notices(self, row: Row) -> list[Notice]:
        found = self._known.get(row)
        if found is None:
            found = self._known[row] = list(self._line(row))
        return found

    def _line(self, row: Row) -> Iterator[Notice]:
        """A line of a log: that it is there, what it declares, and what else it tells."""
        event: Event = self.game.program.events[row[0]]
        step, told = self.steps.get(event.step), dict(zip(event.names, row[1:]))
        context = row[1 + len(event.names) :]
        own = self._declared(event, step)
        declared = tuple(value for name, value in told.items() if name in own)
        rest = tuple((name, value) for name, value in told.items() if name not in own)
        if event.kind == "show":
            yield Notice("log", step, ("show", event.step), declared, True)
        elif event.kind == "end":
            yield Notice("log", step, ("end", event.step), declared, self.end_declared)
        elif event.kind == "ask":
            yield Notice("log", step, ("ask", event.step, self._asked(step, told)), (event.alternative,))
            names = tuple(name for name in told if name in own)  # some see only some parts of an answer
            yield Notice("log", step, ("answer", *names), declared)
        elif event.kind == "draw" and step is not None:
            number = tuple(len(value) for value in declared if isinstance(value, tuple))
            yield Notice("log", step, ("draw", event.step, *number), ())
            if own:
                yield Notice("pool", step, ())
            yield Notice("log", step, (), declared)
        elif event.kind in ("set", "top", "contents") and step is not None and step.verb in GIVING:
            where = tuple(value for name, value in told.items() if name != "value")
            counted = event.function is not None and event.function.result.kind in ("pile", "list")
            number = (len(told["value"]),) if counted and isinstance(told["value"], tuple) else ()
            yield Notice("log", step, (event.number, *where, *number), ())
            if step.verb == "deal":
                yield Notice("pool", step, ())
            yield Notice("log", step, (), (told["value"],))
            rest = ()
        else:
            yield Notice("log", step, row)
            return
        if rest or context:
            yield Notice("log", step, ("told", *rest, context))

    def _asked(self, step: Step | None, told: dict[str, Any]) -> Any:
        """Who was asked, as far as the line tells it: a part of the answer may have the same name."""
        parts = [p for a in step.alternatives for p in a.parts] + step.parts if step is not None else []
        return None if any(p.var.name == "who" for p in parts) else told.get("who")

    def _declared(self, event: Event, step: Step | None) -> set[str]:
        """The names in a line whose values the step makes known on purpose."""
        if step is None:
            return set()
        names = set(step.vars)
        if event.kind == "ask":
            names |= {p.var.name for p in step.parts}
            names |= {p.var.name for a in step.alternatives if a.name == event.alternative for p in a.parts}
        elif event.kind in ("end", "show"):
            names = {"winners"} if event.kind == "end" else names or {"shown"}
        return names


def question_notices(position: Position, seat: str) -> list[Notice]:
    """A question as the one notices who is asked: which one, what it stands among and names, what can be chosen."""
    question = position.player(seat).question()
    step = question.step
    around = (tuple(sorted(question.told.items())), tuple(sorted(question.back.items())), question.planning)
    prompts = tuple(question.prompts().items())
    return [
        Notice("question", step, ("asked", question.number)),
        Notice("question", step, ("around", around, prompts)),
        Notice("choices", step, tuple(position.legal())),
    ]
