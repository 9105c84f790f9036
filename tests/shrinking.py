"""Rule files as text, and how one is made as short as it can be."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

__all__ = ["shrunk", "written"]

Data = dict[str, Any]


def written(data: Data) -> str:
    """As a rule file: JSON is YAML, and a line for each step makes it readable."""
    return "\n".join(_lines(data, 0)) + "\n"


def _lines(data: Data, depth: int) -> list[str]:
    found = []
    for key, value in data.items():
        head = "  " * depth + _key(key) + ":"
        if isinstance(value, dict) and value and (depth < 2 or len(json.dumps(value)) > 90):
            found += [head, *_lines(value, depth + 1)]
        else:
            found.append(f"{head} {_flow(value)}")
    return found


def _key(key: Any) -> str:
    return str(key) if not isinstance(key, str) or key.replace(" ", "").replace("_", "").isalnum() else json.dumps(key)


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str) and value.replace(" ", "").replace("_", "").replace("(", "").replace(")", "").isalnum():
        return value
    return json.dumps(value)


# --- as short as can be -----------------------------------------------------------------------------------------------
BODIES = ("then", "else", "do", "repeat", "if none")  # keys of a step under which other steps stand
SECTIONS = ("rules", "state", "words", "tables", "links")
Path = tuple[str, ...]


def shrunk(data: Data, still: Callable[[Data], bool], tries: int = 200) -> Data:
    """The same, with all left out, and all views plain, that is not needed for `still` to hold."""
    best, going = deepcopy(data), True
    while going and tries > 0:
        going = False
        for change, path in _changes(best):
            smaller = change(best, path)
            if smaller is None:
                continue
            tries -= 1
            if still(smaller):
                best, going = smaller, True
            if tries <= 0:
                break
    return best


def _changes(data: Data) -> list[tuple[Callable[[Data, Path], Data | None], Path]]:
    """What can be tried: large pieces first."""
    paths = sorted(_paths(data), key=len)
    views = [("state", head, key) for head in data.get("state", {}) for key in data["state"][head] if "seen by" in key]
    found: list[tuple[Callable[[Data, Path], Data | None], Path]] = [(_without, path) for path in paths]
    found += [(_unwrapped, path) for path in paths if path[0] == "rules"]
    return found + [(partial(_seen_by, view), path) for path in views for view in ("nobody", "all")]


def _paths(data: Data, path: Path = ()) -> list[Path]:
    found = []
    for key, value in data.items():
        here = (*path, key)
        if path[:1] == ("rules",) or path and path[0] in SECTIONS and len(path) == 1:
            found.append(here)
        if isinstance(value, dict) and (path or key in SECTIONS):
            found += _paths(value, here)
    return found


def _around(data: Data, path: Path) -> tuple[Data, Data] | None:
    """A copy, and what stands in it around the place; nothing, if there is no such place any more."""
    copy = deepcopy(data)
    around: Any = copy
    for key in path[:-1]:
        around = around.get(key)
        if not isinstance(around, dict):
            return None
    return (copy, around) if path[-1] in around else None


def _without(data: Data, path: Path) -> Data | None:
    found = _around(data, path)
    if found is not None:
        del found[1][path[-1]]
    return found and found[0]


def _unwrapped(data: Data, path: Path) -> Data | None:
    """With the steps that stand in a step in its place."""
    found = _around(data, path)
    step = found[1][path[-1]] if found is not None else None
    if found is None or not isinstance(step, dict):
        return None
    inner: Data = {}
    for body in [step.get(key) for key in BODIES] + [*(step.get("cases") or {}).values()]:
        inner |= body if isinstance(body, dict) else {}
    for option in (step.get("between") or {}).values():
        inner |= option.get("then", {}) if isinstance(option, dict) else {}
    if not inner:
        return None
    row = list(found[1].items())
    found[1].clear()
    for key, value in row:
        found[1].update(inner if key == path[-1] else {key: value})
    return found[0]


def _seen_by(view: str, data: Data, path: Path) -> Data | None:
    found = _around(data, path)
    if found is None or found[1][path[-1]] in ("all", "nobody"):
        return None
    found[1][path[-1]] = view
    return found[0]
