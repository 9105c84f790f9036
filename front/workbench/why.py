"""Whether a condition holds, and why it does not, as far as somebody can know."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from ...interpreter import Game, Player, Position, Umpire
from ...interpreter.evaluate import evaluate
from ...interpreter.model import Expr, Type, Var
from ...interpreter.operations import WHOLE
from ...mind.belief import Belief, Unknown, per_world
from ...mind.now import belief_of
from ...mind.secrets import dealt_once
from ...speech.conditions import Speaker
from ...speech.language import N_, Language, Said, fill, forms
from ..common.streams import Terminal
from .described import links, neighbours

__all__ = ["EXPLAINED", "STATED", "tell_what_is_known", "tell_whether"]

MOST = 3  # reasons of one kind that are given
WORLDS = 2_000  # cases in which a value is looked up, one by one
MISTAKES = (TypeError, IndexError, KeyError, AttributeError)

# Conditions whose parts tell why they do not hold, each with what looks at them; of all others (and of values, which
# are no conditions) it is only stated that they do not hold.
EXPLAINED = {
    "and": "_joined",
    "or": "_joined",
    "not": "_opposite",
    "exists": "_quantified",
    "every": "_quantified",
    "word": "_defined",
    "formula": "_defined",
    "eq": "_equal",
}
STATED = WHOLE | {"var", "state", "cond", "member"}


# --- whether it holds -------------------------------------------------------------------------------------------------
def tell_whether(expr: Expr, names: dict[Var, Any], umpire: Umpire, terminal: Terminal) -> None:
    """Whether a condition holds now, and why not; of anything else, what it is now."""
    why = Why(umpire.game, umpire.cells(), terminal.language)
    try:
        value = why.value(expr, names)
    except MISTAKES:  # as it would be in play
        terminal.say(
            N_("This cannot be told now: there is nothing where a value is needed. In play that is a mistake.")
        )
        for line in why.lacking(expr, names):
            terminal.line("  " + line)
        return
    if expr.type.kind == "truth":
        _verdict(bool(value), why, expr, names, terminal)
    else:
        _tell_value(why, expr, names, terminal)


def tell_what_is_known(
    expr: Expr, names: dict[Var, Any], player: Player, terminal: Terminal, set_up: Position | None = None
) -> None:
    """The same, as far as this player can know. What he sees of a position that was set up is in no log."""
    language = terminal.language
    belief = Belief.of(player) if set_up is not None and dealt_once(player.game) else belief_of(player)
    if not belief.ready().exact or set_up is not None and not dealt_once(player.game):
        terminal.say(N_("What {seat} can know cannot be counted: there are too many cases."), seat=player.seat)
        return
    for cell in belief.seen_cells if set_up is not None else ():
        belief.known[cell] = set_up.cell(cell)
    why = Why(player.game, KnownCells(belief), language)
    name = why.speaker.narrator.seat(player.seat)
    if expr.type.kind != "truth":
        try:
            _tell_value(why, expr, names, terminal)
        except Unknown:
            terminal.say(N_("{seat} cannot know what it is."), seat=name)
        return
    likely = belief.chance_of(expr, names)
    if likely in (0.0, 1.0):
        terminal.say(N_("{seat} can know this:"), seat=name)
        _verdict(likely == 1.0, why, expr, names, terminal)
        return
    terminal.say(N_("{seat} cannot know whether this holds."), seat=name)
    if likely is not None:
        terminal.say(
            N_("It holds in {number} of the {all} cases that {seat} must reckon with."),
            seat=name,
            number=round(likely * len(belief.worlds)),
            all=len(belief.worlds),
        )
    for part in _parts(expr) if len(_parts(expr)) > 1 else ():
        status = {0.0: N_("known not to hold: {clause}"), 1.0: N_("known to hold: {clause}")}.get(
            belief.chance_of(part, names), N_("unknown: {clause}")
        )
        terminal.line("  " + language.say(status, clause=why.speaker.clause(part, why.said(names))))


def _verdict(holds: bool, why: Why, expr: Expr, names: dict[Var, Any], terminal: Terminal) -> None:
    terminal.say(N_("This holds now.") if holds else N_("This does not hold now."))
    if not holds:
        for line in dict.fromkeys(why.reasons(expr, names, why.said(names))):
            terminal.line("  " + line)


def _tell_value(why: Why, expr: Expr, names: dict[Var, Any], terminal: Terminal) -> None:
    try:
        value = why.value(expr, names)
    except MISTAKES:
        value = None  # something in it is nothing
    terminal.say(N_("Now it is this: {value}."), value=why.called(value, expr.type))


def _parts(expr: Expr) -> list[Expr]:
    """What is joined by `and` and `or`, one by one."""
    if expr.op in ("and", "or"):
        return [part for side in expr.args for part in _parts(side)]
    return [expr]


# --- why it does not --------------------------------------------------------------------------------------------------
class KnownCells:
    """The state as far as one seat knows it: what it sees, and what is the same in all its worlds."""

    def __init__(self, belief: Belief):
        self.belief = belief

    def __getitem__(self, cell: int) -> Any:
        place = self.belief.place.get(cell)
        if place is not None:
            values = {world[place] for world in self.belief.worlds}
            if len(values) == 1:
                return next(iter(values))
        elif cell in self.belief.seen_cells:
            return self.belief.known[cell]
        raise Unknown

    def value(self, expr: Expr, names: dict[Var, Any]) -> Any:
        """What it must be, whatever the truth is."""
        try:
            return evaluate(expr, self, names)
        except Unknown:
            if len(self.belief.worlds) > WORLDS:
                raise
        found = set()
        for value in per_world(self.belief, lambda cells: evaluate(expr, cells, names)):
            found.add(value)
            if len(found) > 1:
                raise Unknown
        return next(iter(found))


class Why:
    """Why a condition does not hold: its smallest parts that fail, and how far things are from where they should be."""

    def __init__(self, game: Game, cells: Sequence[Any] | KnownCells, language: Language):
        self.game, self.cells, self.language = game, cells, language
        self.speaker = Speaker(game, language)
        self.links = links(game)

    def said(self, names: dict[Var, Any]) -> dict[Var, Said]:
        return {var: self._name(value, var.type) for var, value in names.items()}

    def called(self, value: Any, kind: Type) -> Said:
        """A value in words, as the narrator says it."""
        return self.speaker.narrator.said(self.game.named(value, kind), kind)

    def _name(self, value: Any, kind: Type) -> Said:
        """A value in words, as conditions say it: a space by its number, perhaps."""
        if isinstance(value, tuple) and value:
            items = [self._name(one, kind.of or kind) for one in value]
            return lambda form: self.language.list([item(form) for item in items])
        return self.speaker.named(value) if _is_thing(value, kind) else self.called(value, kind)

    def value(self, expr: Expr, names: dict[Var, Any]) -> Any:
        known = self.cells
        return known.value(expr, names) if isinstance(known, KnownCells) else evaluate(expr, known, names)

    def holds(self, expr: Expr, names: dict[Var, Any]) -> bool:
        try:
            return bool(self.value(expr, names))
        except (Unknown, *MISTAKES):
            return False  # something in it is nothing, or not known

    def lacking(self, expr: Expr, names: dict[Var, Any]) -> Iterator[str]:
        """The first value in it that is nothing, where one can be named."""
        for kid in expr.kids():
            for line in self.lacking(kid, names):
                yield line
                return
        if expr.op == "const" or expr.type.kind == "truth":
            return
        with suppress(*MISTAKES):
            if self.value(expr, names) is None:
                said = self.speaker.value(expr, self.said(names))
                yield self._sentence(self.language.say(N_("{x} is nobody and nothing"), x=said))

    def reasons(self, expr: Expr, names: dict, env: dict) -> Iterator[str]:
        """Sentences; none where the reason cannot be known."""
        try:
            if expr.op in EXPLAINED:
                yield from getattr(self, EXPLAINED[expr.op])(expr, names, env)
            else:
                yield self._not(expr, env)
        except Unknown:
            yield self.language.say(N_("The reason cannot be known: {clause}."), clause=self.speaker.clause(expr, env))
        except MISTAKES:
            yield self._not(expr, env)

    def _joined(self, expr: Expr, names: dict, env: dict) -> Iterator[str]:
        for part in expr.args:
            if not self.holds(part, names):
                yield from self.reasons(part, names, env)

    def _opposite(self, expr: Expr, names: dict, env: dict) -> Iterator[str]:
        yield self._sentence(self.speaker.clause(expr.args[0], env))

    def _not(self, expr, env: dict) -> str:
        return self._sentence(self.speaker.clause(expr, env, "not"))

    def _sentence(self, clause: str) -> str:
        return self.language.say(N_("{clause}."), clause=lambda form: clause)

    def _quantified(self, expr, names: dict, env: dict) -> Iterator[str]:
        var, source, body = expr.args
        elements = self.value(source, names)
        if not elements:
            yield self.language.say(N_("There is none of these: {things}."), things=self.speaker.value(source, env))
            return
        failing = [x for x in elements if not self.holds(body, {**names, var: x})]
        if expr.op == "exists":  # the one that is nearest to it
            failing.sort(key=lambda x: self._how_far(body, {**names, var: x}))
        for element in failing[: 1 if expr.op == "exists" else MOST]:
            yield from self.reasons(body, {**names, var: element}, {**env, var.origin: self._name(element, var.type)})

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
        name, other = self._name(value, expr.type), self.speaker.value(expr, env)("")
        return lambda form: f"{name(form)} ({other})"

    def _placed(self, function, body, names: dict, said: dict) -> str | None:
        """`x is on y`, where x is elsewhere: where it is, and how far that is."""
        if body.op != "eq" or function.shape not in self.speaker.phrases:
            return None
        for here, wanted in (body.args, body.args[::-1]):
            if here.op == "state" and wanted.op == "var":
                place, target = self.value(here, names), self.value(wanted, names)
                if not _is_thing(place, here.type) or self._linked(place) is None:
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
        if _is_thing(here, one.type) and _is_thing(there, other.type) and self._linked(here) is not None:
            if one.op == other.op == "state" and one.args[1] and other.args[1]:
                a, b = (self._called(x.args[1][0], self.value(x.args[1][0], names), env) for x in (one, other))
                steps = self._distance(here, there)
                values = {"one": a, "other": b}
                values |= {"here": self._name(here, one.type), "there": self._name(there, other.type)}
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
            clause = language.say(
                N_("{one} is {other}"), one=self.speaker.value(one, env), other=self._name(here, one.type)
            )
            yield self._far(clause, here, there)
            return
        if one.type.kind == "truth":
            yield self._sentence(self.speaker.clause(one, env, "" if here else "not"))
            return
        actual = self._name(here, one.type)("")
        yield self._sentence(language.say(N_("{one} is {other}"), one=self.speaker.value(one, env), other=actual))

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
                sides = [(self.value(side, names), side.type) for side in expr.args]
                steps = self._distance(sides[0][0], sides[1][0]) if all(_is_thing(*side) for side in sides) else None
                return far if steps is None else steps
        except (Unknown, *MISTAKES):
            return far
        return far


def _is_thing(value: Any, kind: Type) -> bool:
    return kind.kind == "thing" and value is not None
