"""What rooms to the right put in. The interpreter knows no language of people; where a rule file says a condition as a
sentence, somebody who does is asked here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

__all__ = ["Reader", "callers", "readers", "sources"]

# of the words of a game, a sentence, its place and the names that it may use: what it means
Reader = Callable[[Any, Any, Any, Mapping[str, Any]], Any]
readers: list[Callable[[Any], Reader]] = []  # of a game, as far as it is known without its sentences
# of a language, a set and the name of a thing in it: what players of that language call it, in all forms
callers: list[Callable[[str, str, str], Iterable[str]]] = []
sources: list[Callable[[], Iterable[Path]]] = []  # the files from which they know it
