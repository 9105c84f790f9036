"""The same games for other people's tools: PettingZoo (`tabarro.adapters.pettingzoo`) and OpenSpiel
(`tabarro.adapters.openspiel`). Each needs the extra of its name.

Both see a game through `Flat`: choices made in small pieces, with numbers that follow from the rules alone, and what a
player knows as texts and rows of numbers, made from that player's log.
"""

from .flat import ENOUGH, Actions, Flat
from .seeing import Seeing

__all__ = ["ENOUGH", "Actions", "Flat", "Seeing"]
