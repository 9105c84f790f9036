"""A second referee for the family: all twelve games told once more, from the five texts and the statements alone.

It was written by somebody who had not read the rules of the program nor its first referee, and shares no code with either.
Each rule names the statements (rules/inkognito/statements.yml) that it plays. `decided` marks what no text settles.
"""

from typing import Any

from oracles.second.table import Table
from oracles.second.venice import Venice


def referee(game: str, players: int, options: dict[str, Any]) -> Table:
    """A referee for one table of the family."""
    if game.startswith("venice"):
        return Venice(game, players, options)
    from oracles.second.cards import CardTable

    return CardTable(game, players, options)
