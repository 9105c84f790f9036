"""How a file that extends others is laid over them: section by section, and by `change`, `remove` and `add`.

What a file says in its sections is laid over what is there, key by key. `change` says it by paths, `remove` takes parts
out by their paths, and what is under `add` must be new. In the sections of a file that changes a game, what is new but
called almost like something that is there is taken for a misspelling.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .errors import Keyword, Place, Problem, Problems, RulesError, did_you_mean, problem, slip
from .laying import holds_steps, lay, leave_out, put
from .load import Map, Seq
from .paths import SECTIONS, SHAPE, Steps, at_path, find, parts, shortest, written

__all__ = ["expanded", "patched"]

WAYS = ("change", "remove", "add")
PLACED = ("before", "after")  # a step that says where it goes says that it is new


def patched(base: Map, over: Map, strict: bool = False) -> Map:
    """What a file, or what it says for a number of players or an option, makes of all that it extends."""
    problems = Problems()
    said = leave_out(over, *WAYS)
    if strict:
        problems.extend(_slips(base, said))
    result = lay(base, said)
    for asked in over.get("change") or ():
        change = over["change"]
        found = _changed(result, asked, change[asked], change.key_at[asked], change.value_at[asked])
        if isinstance(found, Problem):
            problems.append(found)
        else:
            result = lay(result, found)
    removed = over.get("remove")
    for index, asked in enumerate(removed or ()):
        at = removed.value_at[index] if isinstance(removed, Seq) else over.value_at["remove"]
        less = _without_entry(result, str(asked)) or _without_part(result, str(asked), at)
        if isinstance(less, Problem):
            problems.append(less)
        else:
            result = less
    if over.get("add"):
        problems.extend(_there_already(result, over["add"]))
        result = lay(result, _longer(result, over["add"])) if not problems else result
    if problems:
        raise RulesError(problems)
    return result


def expanded(whole: Map, over: Map) -> Map:
    """The same file with what it says by paths said in sections, as far as the paths name something."""
    result = leave_out(over, *WAYS)
    for asked in over.get("change") or ():
        change = over["change"]
        found = _changed(whole, asked, change[asked], change.key_at[asked], change.value_at[asked])
        result = lay(result, found) if isinstance(found, Map) else result
    for index, asked in enumerate(over.get("remove") or ()):
        at, gone = over["remove"].value_at[index], Map(over.at)
        put(gone, "remove", True, at, at)
        found = _changed(whole, str(asked), gone, at, at)
        result = _lay_plainly(result, found) if isinstance(found, Map) else result
    return lay(result, over["add"]) if over.get("add") else result


def _lay_plainly(base: Any, over: Any) -> Any:
    if not (isinstance(base, Map) and isinstance(over, Map)):
        return over
    result = leave_out(base)
    for key in over:
        put(result, key, _lay_plainly(base.get(key), over[key]), over.key_at[key], over.value_at[key])
    return result


# --- paths ------------------------------------------------------------------------------------------------------------
def _meant(whole: Map, asked: str, at: Place) -> Steps | Problem:
    found = find(whole, asked)
    if len(found) == 1:
        return found[0]
    if found:
        several = tuple(Keyword(shortest(whole, path)) for path in found)
        return problem("path_unclear", at, len(asked), name=asked, several=several)
    names, known = asked.split("/"), {path[-1] for path, _ in parts(whole)}
    for size in range(1, len(names)):  # how far it can be followed
        above = find(whole, "/".join(names[:size]))
        inner = _inner(at_path(whole, above[0])) if len(above) == 1 else set()
        if not above or names[size] not in inner:
            names, known = names[size - (not above) :], inner if above else known
            break
    return problem("path_unknown", at, len(asked), name=asked, meant=did_you_mean(names[0], known) or "")


def _inner(value: Any) -> set[str]:
    """What can follow in a path."""
    if isinstance(value, Seq):
        return {str(entry) for entry in value if isinstance(entry, str | int)}
    if not isinstance(value, Map):
        return set()
    return {name for key in value for name in (_inner(value[key]) | {key} if key in SHAPE else {key})}


def _changed(whole: Map, asked: str, value: Any, key_at: Place, value_at: Place) -> Map | Problem:
    """A path with its new value as sections of a file. Its last name may be a key that is not there yet."""
    where = _meant(whole, asked, key_at)
    *home, last = asked.split("/")
    if isinstance(where, Problem) and where.code == "path_unknown" and home and not where.args["meant"]:
        above = _meant(whole, "/".join(home), key_at)
        if isinstance(above, tuple) and isinstance(at_path(whole, above), Map):
            where = (*above, last)
    if isinstance(where, Problem):
        return where
    return _nested(where, value, key_at, value_at)


def _nested(path: Steps, value: Any, key_at: Place, value_at: Place) -> Map:
    """A part as the sections of a file that says nothing else."""
    first, *rest = path
    around = Map(key_at)
    put(around, first, _nested(tuple(rest), value, key_at, value_at) if rest else value, key_at, value_at)
    return around


def _without_part(whole: Map, asked: str, at: Place) -> Map | Problem:
    where = _meant(whole, asked, at)
    return where if isinstance(where, Problem) else _without(whole, where)


def _without(whole: Map, path: Steps) -> Map:
    """The same without one part."""
    first, *rest = path
    if not rest:
        return leave_out(whole, first)
    result = leave_out(whole)
    result[first] = _without(whole[first], tuple(rest))
    return result


def _without_entry(whole: Map, asked: str) -> Map | None:
    """The same with a list that lacks one entry, if that is what the path names."""
    home, _, last = asked.rpartition("/")
    found = find(whole, home) if home and not find(whole, asked) else []
    above = found[0] if len(found) == 1 else ()
    value = at_path(whole, above) if above else None
    if isinstance(value, Map) and isinstance(value.get("members"), Seq):
        above, value = (*above, "members"), value["members"]
    if not isinstance(value, Seq) or last not in map(str, value):
        return None
    kept = Seq(value.at)
    for entry, at in zip(value, value.value_at):
        if str(entry) != last:
            kept.append(entry)
            kept.value_at.append(at)
    return lay(whole, _nested(above, kept, value.at, value.at))


def _longer(base: Any, new: Any) -> Any:
    """What is added, with lists as they are with what they get."""
    if isinstance(base, Map) and isinstance(new, Map):
        result = leave_out(new)
        for key in new:
            result[key] = _longer(base.get(key), new[key])
        return result
    if isinstance(base, Seq) and isinstance(new, Seq):
        longer = Seq(new.at)
        longer += [*base, *new]
        longer.value_at += [*base.value_at, *new.value_at]
        return longer
    return new


# --- names ------------------------------------------------------------------------------------------------------------
def _names(base: Any, over: Any, where: Steps = ()) -> Iterator[tuple[Steps, Map, Map | None]]:
    """The maps of a file whose keys are names, each with what is there already."""
    if not isinstance(over, Map):
        return
    in_rules = where[:1] == ("rules",)
    named = len(where) == 1 and where[0] in SECTIONS
    named = named or where[:1] == ("things",) and where[2:] == ("members",)
    if named or in_rules and (holds_steps(where) or where[-1] in ("between", "for")):
        yield where, over, base if isinstance(base, Map) else None
    for key in over:
        if where or key in SECTIONS:
            yield from _names(base.get(key) if isinstance(base, Map) else None, over[key], (*where, key))


def _slips(base: Map, over: Map) -> Iterator[Problem]:
    for where, names, there in _names(base, over):
        for name in names if there else ():
            spec = names[name]
            placed = isinstance(spec, Map) and any(key in spec for key in PLACED)
            if there and name not in there and not placed:
                meant = slip(name, there)
                if meant:
                    yield problem(
                        "near_name", names.key_at[name], len(name), name=name, near=meant, part=written(where)
                    )


def _there_already(base: Map, new: Map) -> Iterator[Problem]:
    for _, names, there in _names(base, new):
        for name in names if there else ():
            spec, old = names[name], there[name] if there and name in there else None
            if isinstance(spec, Seq) and isinstance(old, Seq):
                for entry, at in zip(spec, spec.value_at):
                    if entry in old:
                        yield problem("add_exists", at, len(str(entry)), name=str(entry))
            elif old is not None and not (isinstance(spec, Map) and isinstance(old, Map)):
                yield problem("add_exists", names.key_at[name], len(name), name=name)
