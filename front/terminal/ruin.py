"""Whether a choice surely ends a game that would go on otherwise, and is lost by that: by all that a player has seen.

It takes what thinks; only whoever is about to do such a thing waits for it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ...interpreter import Player
from ...interpreter.model import Choice
from ...mind.imagination import Imagination
from ...mind.odds import Odds

__all__ = ["is_ruin"]

WORLDS, OTHERS = 2_000, 50  # more of them are not looked through


def is_ruin(player: Player, choice: Choice, choices: Sequence[Choice]) -> bool:
    """Is the game over with it, and not won, whatever he has not seen; and not with all of the others?"""
    belief = Odds.of(player).belief.ready()
    worlds = [*islice(belief.worlds, WORLDS + 1)]
    if not belief.exact or not 0 < len(worlds) <= WORLDS:
        return False
    mind = Imagination(belief, player.question())

    def ends(chosen: Choice, lost: bool) -> bool:
        for world in worlds:
            after = mind.after(mind.state(world), chosen)
            if after is None or not after.over or lost and mind.me in after.winners:
                return False
        return True

    return ends(choice, True) and not all(ends(other, False) for other in choices[:OTHERS] if other != choice)
