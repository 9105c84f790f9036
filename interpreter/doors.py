"""What rooms to the right put in. The interpreter knows no language of people; where a rule file says a condition as a
sentence, somebody who does is asked here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["Reader", "readers"]

# of the words of a game, a sentence, its place and the names that it may use: what it means
Reader = Callable[[Any, Any, Any, Mapping[str, Any]], Any]
readers: list[Callable[[Any], Reader]] = []  # of a game, as far as it is known without its sentences
