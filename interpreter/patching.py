"""How a file that extends others is laid over them: section by section, and by `change`, `remove` and `add`.

What a file says in its sections is laid over what is there, key by key. `change` says it by paths, `remove` takes parts
out by their paths, and what is under `add`, in sections or by paths, must be new. In the sections of a file that
changes a game, what is new but called almost like something that is there is taken for a misspelling; `news` lists what
is new without saying so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .errors import Keyword, Place, Problem, Problems, RulesError, did_you_mean, problem, slip
from .keywords import BODIES
from .laying import holds_steps, joined, lay, leave_out, put
from .load import Map, Seq, TextPlace
from .paths import SECTIONS, SHAPE, Steps, at_path, begin, find, meanings, parts, shortest, written
from .schema import fits, mistakes, the_validator
from .shapes import SHAPES, shape_at

__all__ = ["WAYS", "added_at", "changed_at", "expanded", "news", "patched", "telling_news"]

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
        found = _changed(result, asked, change)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            result = lay(result, found)
    removed = over.get("remove")
    for index, asked in enumerate(removed or ()):
        at = removed.value_at[index] if isinstance(removed, Seq) else over.value_at["remove"]
        less = _without_entry(result, asked, at) or _without_part(result, asked, at)
        if isinstance(less, Problem):
            problems.append(less)
        else:
            result = less
    if over.get("add") and not problems:
        new = _in_sections(result, over["add"], problems)
        problems.extend(_there_already(result, new))
        result = lay(result, _longer(result, new)) if not problems else result
    if strict and not problems:
        for _, below, more in _layers(base, over, result):
            problems.extend(_slips(below, more))
    if not problems and any(over.get(way) for way in ("change", "add")):
        problems.extend(_misshapen(result))
    if problems:
        raise RulesError(problems)
    return result


def _misshapen(result: Map) -> Iterator[Problem]:
    """What was put at a path is not of the pieces that can stand there."""
    if not fits(result):
        yield from (found for found in mistakes(the_validator(), result) if found.code != "key_missing")


def _layers(base: Map, over: Map, result: Map) -> Iterator[tuple[Steps, Map, Map]]:
    """What a file says for a number of players or for a value of an option, and what that is laid over."""
    for number, more in (over.get("players") or {}).items():
        below = (base.get("players") or {}).get(number)
        if isinstance(more, Map):
            try:
                yield ("players", number), patched(result, below) if below else result, more
            except RulesError:
                continue  # told when it is played with so many
    for name, option in (over.get("options") or {}).items():
        for value, more in (option.get("changes") or {}).items() if isinstance(option, Map) else ():
            if isinstance(more, Map):
                yield ("options", name, "changes", value), result, more


def expanded(whole: Map, over: Map) -> Map:
    """The same file with what it says by paths said in sections, as far as the paths name something."""
    result = leave_out(over, *WAYS)
    for asked in over.get("change") or ():
        change = over["change"]
        found = _changed(whole, asked, change)
        result = _lay_plainly(result, found) if isinstance(found, Map) else result
    for index, asked in enumerate(over.get("remove") or ()):
        at, gone, removed = over["remove"].value_at[index], Map(over.at), Map(over.at)
        put(gone, "remove", True, at, at)
        put(removed, asked, gone, at, at)
        found = _changed(whole, asked, removed)
        result = _lay_plainly(result, found) if isinstance(found, Map) else result
    return _lay_plainly(result, _in_sections(whole, over["add"], [])) if over.get("add") else result


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
    for sign in (".", "\\", ">", ":"):
        slashed = "/".join(name.strip() for name in asked.split(sign))
        if sign in asked and find(whole, slashed):
            return problem("path_unknown", at, len(asked), name=asked, meant=slashed)
    names, known, wrong = asked.split("/"), {path[-1] for path, _ in parts(whole)}, 0
    for size in range(1, len(names)):  # how far it can be followed
        above = find(whole, begin(asked, size))
        inner = _inner(at_path(whole, above[0])) if len(above) == 1 else set()
        if not above or not inner & set(meanings(asked)[size]):
            wrong, known = size - (not above), inner if above else known
            break
    return _unknown(asked, at, sum(len(name) + 1 for name in names[:wrong]), names[wrong], known)


def _unknown(asked: str, at: Place, offset: int, name: str, known: Iterable[str]) -> Problem:
    """Of a path, the name that leads nowhere."""
    place = TextPlace(at, asked).shifted(offset)
    return problem("path_unknown", place, len(name), name=asked, meant=did_you_mean(name, known) or "")


def _inner(value: Any) -> set[str]:
    """What can follow in a path."""
    if isinstance(value, Seq):
        return {str(entry) for entry in value if isinstance(entry, str | int)}
    if not isinstance(value, Map):
        return set()
    return {name for key in value for name in (_inner(value[key]) | {key} if key in SHAPE else {key})}


def _changed(whole: Map, asked: str, change: Map) -> Map | Problem:
    """A path with its new value as sections of a file."""
    where = changed_at(whole, asked, change.key_at[asked])
    return where if isinstance(where, Problem) else _nested(where, *_told(change, asked, where))


def changed_at(whole: Map, asked: str, key_at: Place) -> Steps | Problem:
    """What a path under `change` means. Its last name may be a key that is not there yet."""
    where = _meant(whole, asked, key_at)
    *home, last = meanings(asked)
    if isinstance(where, Problem) and where.code == "path_unknown" and home and not where.args["meant"]:
        above = _meant(whole, begin(asked, -1), key_at)
        if isinstance(above, tuple) and isinstance(at_path(whole, above), Map):
            where = (*above, next((key for key in last if shape_at((*above, key)) != "plain"), last[-1]))
        elif isinstance(above, Problem) and above.code == "path_unclear":
            where = above
    return where


def _told(home: Map, asked: str, where: Steps) -> tuple[Any, Place, Place]:
    """What a file says at a path, with its places; in a file of another language, as the rules language says it."""
    value, at, last = home[asked], home.value_at[asked], asked.rpartition("/")[2]
    if home.late is not None:
        value, at = home.late(value, shape_at(where), at)
    return value, TextPlace(home.key_at[asked], asked).shifted(len(asked) - len(last)), at


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


def _without_entry(whole: Map, asked: str, at: Place) -> Map | Problem | None:
    """The same with a list that lacks one entry, if that is what the path names. A pair of neighbours is written with a
    `-`, in either direction."""
    home, last = begin(asked, -1), meanings(asked)[-1]
    found = find(whole, home) if home and not find(whole, asked) else []
    above = found[0] if len(found) == 1 else ()
    value = at_path(whole, above) if above else None
    if isinstance(value, Map) and isinstance(value.get("members"), Seq):
        above, value = (*above, "members"), value["members"]
    if not isinstance(value, Seq):
        return None
    kept = Seq(value.at)
    for entry, place in zip(value, value.value_at):
        if not set(last) & set(_spellings(entry)):
            kept.append(entry)
            kept.value_at.append(place)
    if len(kept) == len(value):
        known = [_spellings(entry)[0] for entry in value]
        name = asked.rpartition("/")[2]
        return _unknown(asked, at, len(asked) - len(name), name, known)
    return lay(whole, _nested(above, kept, value.at, value.at))


def _spellings(entry: Any) -> tuple[str, ...]:
    """How an entry of a list is called in a path."""
    if not isinstance(entry, list):
        return (str(entry),)
    names = list(map(str, entry))
    return "-".join(names), "-".join(reversed(names))


# --- what is new ------------------------------------------------------------------------------------------------------
def _in_sections(whole: Map, new: Map, problems: list[Problem]) -> Map:
    """What is under `add` in sections, also what it says by paths; a path leads to where the new name belongs."""
    result = leave_out(new, *(key for key in new if not _is_section(key)))
    for asked in new:
        if not _is_section(asked):
            found = _placed(whole, asked, new)
            if isinstance(found, Problem):
                problems.append(found)
            else:
                result = _lay_plainly(result, found)
    return result


def _is_section(key: str) -> bool:
    return key in SHAPES["added"]


def _placed(whole: Map, asked: str, new: Map) -> Map | Problem:
    home = added_at(whole, asked, new)
    return home if isinstance(home, Problem) else _nested(home, *_told(new, asked, home))


def added_at(whole: Map, asked: str, new: Map) -> Steps | Problem:
    """Where that goes which stands under `add` at a path."""
    there, key_at = find(whole, asked), new.key_at[asked]
    if len(there) == 1 and isinstance(new[asked], Seq):
        home, old = there[0], at_path(whole, there[0])
        return (*home, "members") if isinstance(old, Map) and isinstance(old.get("members"), Seq) else home
    if len(there) == 1 and isinstance(new[asked], Map) and _holds_names(there[0]):
        return _room(whole, there[0])
    above, name = begin(asked, -1), meanings(asked)[-1][-1]
    if there or not above:
        code, sections = "add_exists" if there else "add_where", () if there else SHAPES["added"]
        return problem(code, key_at, len(asked), name=asked, meant=did_you_mean(asked, sections) or "")
    where = _meant(whole, above, key_at)
    return where if isinstance(where, Problem) else (*_room(whole, where), name)


def _holds_names(path: Steps) -> bool:
    """Is it a set, a table, or a row of steps, alternatives or parts, to which several can be added at once?"""
    return holds_steps(path) or path[-1] in SHAPE or (len(path) == 2 and path[0] in ("things", "tables"))


def _room(whole: Map, path: Steps) -> Steps:
    """Where a new part of this one goes: among its members, its rows, its alternatives, its steps."""
    value = at_path(whole, path)
    if not isinstance(value, Map) or holds_steps(path) or path[-1] in SHAPE:
        return path
    shape = next((key for key in ("members", "rows", "between", "for", "cases", *BODIES) if key in value), None)
    return path if shape is None else (*path, shape)


def telling_news(base: Map, path: Steps) -> str:
    """The path by which something new is added: that of what it belongs to, and its name."""
    home = path[:-1]
    while home and home[-1] in SHAPE and _room(base, home[:-1]) == home:
        home = home[:-1]
    return f"{shortest(base, home)}/{path[-1]}"


def news(base: Map, over: Map) -> Iterator[tuple[Steps, Steps, Place, Any]]:
    """What a file says for the first time without saying that it is new: for which number of players or value of an
    option, its path, its place, and the whole of it."""
    for around, below, more in (((), base, over), *_layers(base, over, patched(base, over))):
        for where, names, there in _names(below, leave_out(more, *WAYS)):
            if there is None and len(where) > 1:
                continue  # inside something that is itself new
            for name in names:
                spec = names[name]
                placed = isinstance(spec, Map) and any(key in spec for key in (*PLACED, "replace", "remove"))
                if name not in (there or ()) and not placed:
                    yield around, (*where, name), names.key_at[name], spec


def _longer(base: Any, new: Any) -> Any:
    """What is added, with lists as they are with what they get."""
    if isinstance(base, Map) and isinstance(new, Map):
        result = leave_out(new)
        for key in new:
            result[key] = _longer(base.get(key), new[key])
        return result
    return joined(base, new) if isinstance(base, Seq) and isinstance(new, Seq) else new


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
