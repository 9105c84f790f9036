"""Values as they are written in YAML, for files that people will go on with."""

from __future__ import annotations

import json
import re
from typing import Any

from ...interpreter.keywords import TRUTH_WORDS

__all__ = ["block", "flow", "scalar"]

WIDEST = 100  # columns of a map that stays in one line
_PLAIN = re.compile(r"[^\W\d][\w .'/()-]*\Z")


def scalar(value: Any) -> str:
    """A value as YAML has it: plain where that cannot be taken for anything else."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    text = str(value)
    other = text in TRUTH_WORDS or text in ("true", "false", "null")
    return text if _PLAIN.match(text) and text == text.strip() and not other else json.dumps(text, ensure_ascii=False)


def flow(value: Any) -> str:
    """Maps and lists in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return "" if value is None else scalar(value)


def block(value: Any, indent: int = 0) -> list[str]:
    """A map in lines of its own, one for each key; what is short stays in one line."""
    lines = []
    for key, entry in value.items():
        begin = f"{'  ' * indent}{scalar(key)}:"
        if isinstance(entry, dict) and entry and (len(begin) + len(flow(entry)) > WIDEST or _deep(entry)):
            lines += [begin, *block(entry, indent + 1)]
        else:
            lines.append(f"{begin} {flow(entry)}".rstrip())
    return lines


def _deep(value: dict[str, Any]) -> bool:
    return any(isinstance(entry, dict) for entry in value.values())
