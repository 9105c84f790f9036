"""The luck of those who choose at random, the same whether a game was interrupted or not, on every machine."""

from __future__ import annotations

import random

__all__ = ["luck_of"]


def luck_of(seed: int, seat: str, decisions: int) -> random.Random:
    """A bot's own, after so many decisions."""
    return random.Random(f"{seed}/{seat}/{decisions}")
