"""One description laid over another, key by key: maps are merged, everything else is replaced. Steps keep their order;
`before` and `after` put a new one in its place, `remove` takes one out, `replace` changes it as a whole, as it does a
set of things or a table."""

from __future__ import annotations

from typing import Any

from .errors import Place, Problem, Problems, RulesError, did_you_mean, problem
from .keywords import BODIES, STEP_VERBS
from .load import Map, Seq
from .shapes import SHAPES

__all__ = ["holds_steps", "joined", "lay", "leave_out", "put"]


STEP_KEYS = SHAPES["step"]


def leave_out(data: Map, *keys: str) -> Map:
    result = Map(data.at)
    for key in data:
        if key not in keys:
            put(result, key, data[key], data.key_at[key], data.value_at[key])
    return result


def put(target: Map, key: str, value: Any, key_at: Place, value_at: Place) -> None:
    target[key] = value
    target.key_at[key], target.value_at[key] = key_at, value_at


def lay(base: Map, over: Map, where: tuple[str, ...] = ()) -> Map:
    """`over` laid on `base`; neither is changed."""
    problems = Problems()
    result = _lay(base, over, where, problems)
    if problems:
        raise RulesError(problems)
    return result


def _lay(base: Map, over: Map, where: tuple[str, ...], problems: list[Problem]) -> Map:
    result = Map(over.at)
    for key in base:
        put(result, key, base[key], base.key_at[key], base.value_at[key])
    steps = _Steps(result, where, problems) if holds_steps(where) else None
    for key in over:
        value, key_at, value_at = over[key], over.key_at[key], over.value_at[key]
        old = result.get(key)
        if where in (("things",), ("tables",)) and isinstance(value, Map) and isinstance(value.get("replace"), Map):
            put(result, key, value["replace"], key_at, value.value_at["replace"])
        elif steps is not None and isinstance(value, Map):
            steps.patch(key, value, key_at, value_at)
        elif where[:1] == ("links",) and isinstance(old, Seq) and isinstance(value, Map) and "steps" not in value:
            put(result, key, _relinked(old, value, problems), key_at, value_at)
        elif isinstance(old, Seq) and isinstance(value, Seq) and _is_told_later((*where, key)):
            put(result, key, joined(old, value), key_at, value_at)
        elif isinstance(old, Map) and isinstance(value, Map):
            put(result, key, _lay(old, value, (*where, key), problems), result.key_at[key], value_at)
        elif where == ("options",) and isinstance(old, Map):
            setting = Map(old.at)
            for default in ("default", "with people"):  # said plainly, it holds for everybody
                if default == "default" or default in old:
                    put(setting, default, value, key_at, value_at)
            put(result, key, _lay(old, setting, (*where, key), problems), result.key_at[key], value_at)
        else:
            put(result, key, value, key_at, value_at)
    return result if steps is None else steps.in_order()


def joined(one: Seq, other: Seq) -> Seq:
    result = Seq(other.at)
    result += [*one, *other]
    result.value_at += [*one.value_at, *other.value_at]
    return result


def _is_told_later(where: tuple[str, ...]) -> bool:
    """What two files take out and add for one number of players, or one value of an option, is taken out and added."""
    later = where[2:] if where[:1] == ("players",) else where[4:] if where[2:3] == ("changes",) else ()
    return later[:1] in (("remove",), ("add",))


def _relinked(pairs: Seq, change: Map, problems: list[Problem]) -> Seq:
    """Links with some pairs more and some less; a pair is the same in both directions."""
    result = Seq(pairs.at)
    gone = [tuple(sorted(map(str, pair))) for pair in change.get("remove") or ()]
    for index, pair in enumerate(pairs):
        if tuple(sorted(map(str, pair))) not in gone:
            result.append(pair)
            result.value_at.append(pairs.value_at[index])
    there = {tuple(sorted(map(str, pair))) for pair in pairs}
    for index, pair in enumerate(gone):
        if pair not in there:
            problems.append(problem("unknown_link", change["remove"].value_at[index], one=pair[0], other=pair[1]))
    for index, pair in enumerate(change.get("add") or ()):
        result.append(pair)
        result.value_at.append(change["add"].value_at[index])
    return result


def holds_steps(where: tuple[str, ...]) -> bool:
    """Is the map at this path one of steps: a rule, or what a step does? (A step may itself be called `then`.)"""
    kind = "rules" if where[:1] == ("rules",) else ""
    for key in where[1:]:
        if kind == "rules":
            kind = "steps"
        elif kind == "steps":
            kind = "step"
        elif kind == "step":
            kind = "steps" if key in BODIES else {"between": "alternatives", "cases": "rules"}.get(key, "")
        elif kind == "alternatives":
            kind = "step"
        else:
            return False
    return kind == "steps"


class _Steps:
    """Steps that are patched: what each does, and in which order they come."""

    def __init__(self, steps: Map, where: tuple[str, ...], problems: list[Problem]) -> None:
        self.steps, self.where, self.problems = steps, where, problems
        self.order = list(steps)

    def in_order(self) -> Map:
        if len(self.order) < len(self.steps):  # what is no map is no step, which is told later
            self.order += self.steps.keys() - set(self.order)
        if self.order == list(self.steps):
            return self.steps
        result = Map(self.steps.at)
        for key in self.order:
            put(result, key, self.steps[key], self.steps.key_at[key], self.steps.value_at[key])
        return result

    def patch(self, name: str, value: Map, key_at: Place, value_at: Place) -> None:
        old = self.steps.get(name)
        new = any(verb in value for verb in (*STEP_VERBS, "replace"))
        placed = "before" in value or "after" in value
        if old is None and not new and "remove" not in value and (placed or not did_you_mean(name, self.steps)):
            self._verbless(name, value, key_at)
            return
        if old is None and ("remove" in value or "replace" in value or not new):
            self._missing(name, key_at)
            if "remove" in value or not new:
                return
        if "remove" in value:
            del self.steps[name], self.steps.key_at[name], self.steps.value_at[name]
            self.order.remove(name)
            return
        content = value["replace"] if "replace" in value else leave_out(value, "before", "after")
        if "replace" not in value:
            below = old if isinstance(old, Map) else Map(content.at)
            content = _lay(below, content, (*self.where, name), self.problems)
        put(self.steps, name, content, key_at, value_at)
        position = next((k for k in ("before", "after") if k in value), None)
        if position is not None and value[position] in self.steps and value[position] != name:
            if old is not None:
                self.order.remove(name)
            self.order.insert(self.order.index(value[position]) + (position == "after"), name)
            return
        if old is None:
            self.order.append(name)
        if position is not None:
            self._missing(str(value[position]), value.value_at[position])

    def _verbless(self, name: str, value: Map, at: Place) -> None:
        """A new step that does not say what is done, perhaps because the word for it is misspelt."""
        for key in value:
            meant = did_you_mean(key, STEP_VERBS) if key not in STEP_KEYS else None
            if meant:
                at = value.key_at[key]
                self.problems.append(problem("unknown_key", at, len(key), key=key, meant=meant, allowed=STEP_VERBS))
                return
        self.problems.append(problem("no_verb", at, len(name), name=name, verbs=STEP_VERBS))

    def _missing(self, name: str, at: Place) -> None:
        meant = did_you_mean(name, self.steps) or ""
        self.problems.append(problem("patch_target", at, len(name), name=name, meant=meant))
