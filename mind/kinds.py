"""What bots are called, for whoever has none of them yet: to make one takes all that they think with."""

from __future__ import annotations

__all__ = ["EVENLY", "KINDS", "MODELS", "SEATED", "USUAL"]

KINDS = ("random", "careful", "gambler", "deducer", "thinker-easy", "thinker", "thinker-hard")  # as in `bots.BOTS`
USUAL = "random"  # where many games are played
SEATED = "deducer"  # where people play

EVENLY = "evenly"
MODELS = (EVENLY, "random", "careful", "gambler", "deducer")  # how others can be taken to choose
