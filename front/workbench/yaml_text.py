"""Values as they are written in YAML, for files that people will go on with."""

from __future__ import annotations

import json
import re
from typing import Any

from ...interpreter.keywords import TRUTH_WORDS

__all__ = ["flow", "scalar"]

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
