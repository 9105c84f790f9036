"""Many random games at every table of the card games, beside the plain account of their rules.

python tests/soak_cards.py [GAMES [SEED]]      2000 games at each table, if nothing is said
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent / "rules"))

from test_cards import LONG, TABLES, left_out, play_beside


def main(games=2000, seed=0):
    for edition, players in TABLES:
        begun = time.perf_counter()
        missing = left_out(*play_beside(edition, players, int(games), seed, longest=LONG))
        print(
            f"{edition} for {players}: {games} games in {time.perf_counter() - begun:.0f} s; "
            f"{'every step was executed' if not missing else 'never executed: ' + ', '.join(missing)}",
            flush=True,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
