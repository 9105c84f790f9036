"""Why a condition does not hold, as far as somebody can know."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from ...interpreter.evaluate import evaluate
from ...mind.belief import WorldCells
from ...speech.conditions import Speaker
from ...speech.language import N_, Language, Said, fill, forms
from .doubts import links, neighbours

MOST = 3  # reasons of one kind that are given
WORLDS = 2_000  # cases in which a value is looked up, one by one
MISTAKES = (TypeError, IndexError, KeyError, AttributeError)


def _holds(expr, slots, names: dict) -> bool:
    try:
        return bool(evaluate(expr, slots, names))
    except MISTAKES:
        return False  # something in it is nothing


class KnownSlots:
    """The state as far as one seat knows it: what it sees, and what is the same in all its worlds."""

    def __init__(self, belief, unknown: type[Exception]):
        self.belief, self.unknown = belief, unknown

    def __getitem__(self, slot: int) -> Any:
        place = self.belief.place.get(slot)
        if place is not None:
            values = {world[place] for world in self.belief.worlds}
            if len(values) == 1:
                return next(iter(values))
        elif slot in self.belief.seen_cells:
            return self.belief.known[slot]
        raise self.unknown

    def value(self, expr, names: dict) -> Any:
        """What it must be, whatever the truth is."""
        try:
            return evaluate(expr, self, names)
        except self.unknown:
            if len(self.belief.worlds) > WORLDS:
                raise
        slots, found = WorldCells(self.belief), set()
        for slots.world in self.belief.worlds:
            found.add(evaluate(expr, slots, names))
            if len(found) > 1:
                raise self.unknown
        return next(iter(found))


class Why:
    """Why a condition does not hold: its smallest parts that fail, and how far things are from where they should be."""

    def __init__(self, game, slots, language: Language, unknown: type[Exception] = KeyError):
        self.game, self.slots, self.language, self.unknown = game, slots, language, unknown
        self.speaker = Speaker(game, language)
        self.links = links(game)

    def said(self, names: dict) -> dict[Any, Said]:
        return {var: self._name(value) for var, value in names.items()}

    def _name(self, value: Any) -> Said:
        if isinstance(value, tuple):
            items = [self.speaker.named(x) for x in value]
            return lambda form: self.language.list([item(form) for item in items])
        return (
            self.speaker.named(value) if isinstance(value, int) and not isinstance(value, bool) else forms(str(value))
        )

    def value(self, expr, names: dict) -> Any:
        return (
            self.slots.value(expr, names) if isinstance(self.slots, KnownSlots) else evaluate(expr, self.slots, names)
        )

    def reasons(self, expr, names: dict, env: dict) -> Iterator[str]:
        """Sentences; none where the reason cannot be known."""
        try:
            yield from self._reasons(expr, names, env)
        except self.unknown:
            yield self.language.say(N_("Why, cannot be known: {clause}."), clause=self.speaker.clause(expr, env))
        except MISTAKES:
            yield self._not(expr, env)

    def _reasons(self, expr, names: dict, env: dict) -> Iterator[str]:
        op, args = expr.op, expr.args
        if op in ("and", "or"):
            for part in args:
                if not self._true(part, names):
                    yield from self.reasons(part, names, env)
        elif op in ("exists", "every"):
            yield from self._quantified(expr, names, env)
        elif op in ("word", "formula") and expr.type.kind == "truth":
            yield from self._defined(expr, names, env)
        elif op == "eq":
            yield from self._equal(expr, names, env)
        elif op == "not":
            yield self._sentence(self.speaker.clause(args[0], env))
        else:
            yield self._not(expr, env)

    def _true(self, expr, names: dict) -> bool:
        try:
            return bool(self.value(expr, names))
        except self.unknown:
            return False
        except MISTAKES:
            return False

    def _not(self, expr, env: dict) -> str:
        return self._sentence(self.speaker.clause(expr, env, "not"))

    def _sentence(self, clause: str) -> str:
        return self.language.say(N_("{clause}."), clause=lambda form: clause)

    def _quantified(self, expr, names: dict, env: dict) -> Iterator[str]:
        var, source, body = expr.args
        elements = self.value(source, names)
        if not elements:
            yield self.language.say(N_("There is none of these: {things}."), things=self.speaker.key(source))
            return
        failing = [x for x in elements if not self._true(body, {**names, var: x})]
        if expr.op == "exists":  # the one that is nearest to it
            failing.sort(key=lambda x: self._how_far(body, {**names, var: x}))
        for element in failing[: 1 if expr.op == "exists" else MOST]:
            yield from self.reasons(body, {**names, var: element}, {**env, var.origin: self._name(element)})

    def _defined(self, expr, names: dict, env: dict) -> Iterator[str]:
        function, inputs = expr.args
        values = [self.value(a, names) for a in inputs]
        if None in values:
            lacking = inputs[values.index(None)]
            yield self._sentence(self.language.say(N_("{x} is nobody and nothing"), x=self.speaker.value(lacking, env)))
            return
        inner = dict(zip(function.variables, values, strict=True))
        said = {v: self._called(a, value, env) for v, a, value in zip(function.variables, inputs, values, strict=True)}
        body = function.body if expr.op == "word" else function.values[tuple(values[: function.keys])]
        placed = self._placed(function, body, inner, said)
        if placed is not None:
            yield placed
        else:
            yield from self.reasons(body, inner, said)

    def _called(self, expr, value: Any, env: dict) -> Said:
        """A thing by its name and, where the condition calls it otherwise, by that too."""
        if expr.op in ("const", "var") or isinstance(value, tuple):
            return self.speaker.value(expr, env)
        name, other = self._name(value), self.speaker.value(expr, env)("")
        return lambda form: f"{name(form)} ({other})"

    def _placed(self, function, body, names: dict, said: dict) -> str | None:
        """`x is on y`, where x is elsewhere: where it is, and how far that is."""
        if body.op != "eq" or function.shape not in self.speaker.phrases:
            return None
        for here, wanted in (body.args, body.args[::-1]):
            if here.op == "state" and wanted.op == "var":
                place, target = self.value(here, names), self.value(wanted, names)
                if place is None or self._linked(place) is None:
                    return None
                params, text = self.speaker.phrases[function.shape]
                actual = {**said, wanted.args[0].origin: self.speaker.named(place)}
                clause = fill(forms(text)(""), dict(zip(params, (actual[v] for v in function.variables), strict=True)))
                return self._far(clause, place, target)
        return None

    def _equal(self, expr, names: dict, env: dict) -> Iterator[str]:
        one, other = expr.args
        here, there = self.value(one, names), self.value(other, names)
        language = self.language
        if isinstance(here, int) and isinstance(there, int) and self._linked(here) is not None:
            if one.op == other.op == "state" and one.args[1] and other.args[1]:
                a, b = (self._called(x.args[1][0], self.value(x.args[1][0], names), env) for x in (one, other))
                steps = self._distance(here, there)
                values = {"one": a, "other": b, "here": self._name(here), "there": self._name(there)}
                if steps is None:
                    yield language.say(N_("No way leads from {one} to {other}: {here}, {there}."), **values)
                else:
                    yield language.ngettext(
                        "{one} and {other} are {number} step apart: {here}, {there}.",
                        "{one} and {other} are {number} steps apart: {here}, {there}.",
                        steps,
                        **values,
                    )
                return
            clause = language.say(N_("{one} is {other}"), one=self.speaker.value(one, env), other=self._name(here))
            yield self._far(clause, here, there)
            return
        actual = language.translate(N_("nothing")) if here is None else self._plain(here, one.type)
        yield self._sentence(language.say(N_("{one} is {other}"), one=self.speaker.value(one, env), other=actual))

    def _plain(self, value: Any, kind) -> str:
        if kind.kind == "number":
            return self.language.number(value)
        if isinstance(value, bool):
            return self.language.translate(N_("yes") if value else N_("no"))
        return self._name(value)("")

    def _far(self, clause: str, here: int, there: int) -> str:
        steps, target = self._distance(here, there), self.speaker.named(there)
        said = {"clause": lambda form: clause, "target": target}
        if steps is None:
            return self.language.say(N_("{clause}, from where no way leads to {target}."), **said)
        return self.language.ngettext(
            "{clause}, {number} step from {target}.", "{clause}, {number} steps from {target}.", steps, **said
        )

    # --- distances ----------------------------------------------------------------------------------------------------
    def _linked(self, atom: int):
        return next((near for near in self.links if atom in near.params[0].type.atoms), None)

    def _distance(self, here: int, there: int) -> int | None:
        near = self._linked(here)
        around, seen, queue = neighbours(near) if near else {}, {here: 0}, deque([here])
        while queue:
            at = queue.popleft()
            if at == there:
                return seen[at]
            for other in around.get(at, ()):
                if other not in seen:
                    seen[other] = seen[at] + 1
                    queue.append(other)
        return None

    def _how_far(self, expr, names: dict) -> int:
        """The steps that are missing; many if that cannot be said."""
        far = 1_000
        try:
            if expr.op in ("word", "formula") and expr.type.kind == "truth":
                function, inputs = expr.args
                inner = dict(zip(function.variables, (self.value(a, names) for a in inputs), strict=True))
                return self._how_far(function.body if expr.op == "word" else expr, inner) if expr.op == "word" else far
            if expr.op == "eq":
                here, there = (self.value(side, names) for side in expr.args)
                steps = self._distance(here, there) if isinstance(here, int) and isinstance(there, int) else None
                return far if steps is None else steps
        except (self.unknown, *MISTAKES):
            return far
        return far
