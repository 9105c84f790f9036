"""Many random games of every edition: each player's belief beside a filter of all deals that is written by hand.

python tests/soak_belief.py [--games 500] [--jobs 2] [--seed 1000] [--state FILE]      so many games at each table
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent / "mind"))

from soaking import options, soak
from test_belief import BOARDS, CARDS, compare


def played(table, seed):
    edition, players = table.rsplit(" for ", 1)
    return {"beliefs": compare(edition, int(players), 1, seed, longest=600, looks=6)}


def main(arguments=None):
    tables = [f"{edition} for {players}" for edition, players in BOARDS + CARDS]
    return soak(options(__doc__).parse_args(arguments), tables, played, lambda n: f"{n.get('beliefs', 0)} beliefs")


if __name__ == "__main__":
    sys.exit(main())
