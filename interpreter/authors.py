"""Who wrote the sentences of the rulebook, and what has been changed since.

A sentence speaks for its step, for what the step does, and for the steps after it up to the next that has a sentence,
as its author knew them: as they are in the file of the sentence with all that it extends. Whoever changes such a step
afterwards and leaves the sentence as it is makes it untrue, if it does not mention what was changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import Place
from .keywords import BODIES
from .load import Map
from .mentions import mentioned
from .patching import patched
from .paths import find
from .presentation import Authors
from .resolve import Library

__all__ = ["entries", "read_authors", "step_name"]

Way = tuple[str, ...]
# Keys of a step that change nothing in what it does.
ASIDE = ("rule", "source", "decision", "text", "prompt", "with", "as", "rarely", "pass", "before", "after")
NAMED_APART = ("else", "if none")  # bodies that are part of the name of the steps in them


def read_authors(library: Library, path: Path, players: int, description: Map) -> Authors:
    files = {library.load(file).at.source.name: file for file in library.files_of(path)}
    known: dict[tuple[str, bool], int] = {}
    bases: list[Map] = []
    sentences: dict[str, int] = {}
    now = dict(entries(description))
    for way, step in now.items():
        if step.get("rule"):
            author = _author(library, files, players, way, step.value_at["rule"])
            if author is not None:
                if author not in known:
                    known[author] = len(bases)
                    bases.append(_base(library, files[author[0]], players if author[1] else None))
                sentences[step_name(way)] = known[author]
    then = [dict(entries(base)) for base in bases]
    changed = tuple(
        frozenset(step_name(way) for way, step in now.items() if way not in old or _differ(old[way], step))
        for old in then
    )
    outdated = frozenset(
        step_name(way)
        for way, step in now.items()
        if (author_at := sentences.get(step_name(way))) is not None
        and way in then[author_at]
        and (
            _has_changed(description, way, then[author_at][way], step, step["rule"])
            or _following_changed(description, way, bases[author_at], step["rule"])
        )
    )
    return Authors(sentences, changed, outdated)


def _author(library: Library, files: dict[str, Path], players: int, way: Way, at: Place) -> tuple[str, bool] | None:
    """The file of a sentence, and whether it stands in what the file says for this number of players."""
    if at.source.name not in files:
        return None
    plain = _at(_base(library, files[at.source.name], None), way)
    return at.source.name, not (isinstance(plain, Map) and plain.value_at.get("rule") == at)


def _base(library: Library, file: Path, players: int | None) -> Map:
    whole = library.merged(file)
    overlay = (whole.get("players") or {}).get(str(players)) if players is not None else None
    return patched(whole, overlay) if overlay else whole


def _at(data: Any, way: Way) -> Any:
    for key in ("rules", *way):
        data = data.get(key) if isinstance(data, Map) else None
    return data


# --- the steps of a description ---------------------------------------------------------------------------------------
def entries(description: Map) -> Iterator[tuple[Way, Map]]:
    """All steps and alternatives, by the keys that lead to them."""
    rules = description.get("rules") or {}
    for head, steps in rules.items():
        yield from _steps(steps, (head,))


def _steps(steps: Any, way: Way) -> Iterator[tuple[Way, Map]]:
    for name in steps if isinstance(steps, Map) else ():
        step = steps[name]
        if isinstance(step, Map):
            yield (*way, name), step
            for inner, body in _inside(step):
                yield from _steps(body, (*way, name, *inner))


def _inside(step: Map) -> Iterator[tuple[Way, Map]]:
    """What holds steps or alternatives in a step."""
    for key in (*BODIES, "between"):
        if isinstance(step.get(key), Map):
            yield (key,), step[key]
    for case, body in (step.get("cases") or {}).items():
        if isinstance(body, Map):
            yield ("cases", case), body


def step_name(way: Way) -> str:
    """The name of a step in the program."""
    head, *keys = way
    kept, expected = [head.split(" ")[0]], "step"
    for key in keys:
        if expected == "body" and key in (*BODIES, "between", "cases"):
            kept += [key] if key in NAMED_APART else []
            expected = "case" if key == "cases" else "step"
        else:
            kept.append(key)
            expected = "step" if expected == "case" else "body"
    return "/".join(kept)


# --- what has changed -------------------------------------------------------------------------------------------------
def _own(step: Map) -> dict[str, Any]:
    """What a step does by itself."""
    return {key: step[key] for key in step if key not in (*ASIDE, *BODIES, "between", "cases") or step[key] == "never"}


def _differ(then: Map, now: Map) -> bool:
    return _own(then) != _own(now)


def _has_changed(description: Map, way: Way, then: Map, now: Map, sentence: Any) -> bool:
    """Has a step, or what it does, become another? What the sentence mentions by its path may change, what has a
    sentence of its own speaks for itself, and what is new is told by itself."""
    before, after = _own(then), _own(now)
    for key in {*before, *after}:
        if before.get(key) != after.get(key) and not _mentions(description, sentence, ("rules", *way, key)):
            return True
    there = dict(_inside(now))
    for inner, body in _inside(then):
        for name, step in body.items():
            if name not in there.get(inner, ()):
                return True
            here = there[inner][name]
            if isinstance(step, Map) and isinstance(here, Map) and not here.get("rule"):
                if _has_changed(description, (*way, *inner, name), step, here, sentence):
                    return True
    return False


def _following_changed(description: Map, way: Way, base: Map, sentence: Any) -> bool:
    """Has one of the steps become another that come after this one, up to the next with a sentence?"""
    if way[-2] == "between":
        return False
    then, now = _at(base, way[:-1]), _at(description, way[:-1])
    names = list(then)
    for name in names[names.index(way[-1]) + 1 :]:
        if not isinstance(then[name], Map) or then[name].get("rule"):
            break
        here = now.get(name)
        if not isinstance(here, Map):
            return True
        if not here.get("rule") and _has_changed(description, (*way[:-1], name), then[name], here, sentence):
            return True
    return False


def _mentions(description: Map, sentence: Any, path: Way) -> bool:
    texts = sentence.values() if isinstance(sentence, Map) else [sentence]
    for text in texts:
        try:
            paths = [name for name in mentioned(str(text)) if "/" in name]
        except ValueError:
            return False
        if not any(path in (found[: len(path)] for found in find(description, name)) for name in paths):
            return False
    return True
