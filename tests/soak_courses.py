"""Many random games of every shape: what each seat holds possible beside a filter of all histories.

python tests/soak_courses.py [--games 500] [--jobs 2] [--seed 1000] [--state FILE] [NAME …]     so many games of each

A belief for which there are more histories than anybody wants to go through is counted apart: of it only that the truth
is not struck out was looked at.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent / "mind"))

from shapes import BUNDLED, SHAPES, STRANGE
from soaking import options, soak
from test_courses import compare, drawn_beside_exact

MOST = 20_000  # histories that are gone through for one belief


def played(name, seed):
    counted = compare(name, seed, 6 if name == "little-mystery" else 30, MOST)
    drawn = list(drawn_beside_exact(name, seed))
    near = sum(off <= said for off, said in drawn)
    return {**counted, "drawn": len(drawn), "near": near, "off": sum(off for off, _ in drawn)}


def say(counted):
    drawn = counted.get("drawn", 0)
    near = (
        f"{counted['near'] / drawn:.1%} as near as they say, {counted['off'] / drawn:.3f} off on average"
        if drawn
        else "-"
    )
    return (
        f"{counted.get('equal', 0)} beliefs equal to all histories, {counted.get('truth', 0)} with too many of them; "
        f"{drawn} drawn ones ({near})"
    )


def main(arguments=None):
    parser = options(__doc__)
    parser.add_argument("names", nargs="*", default=[*SHAPES, *STRANGE, *BUNDLED])
    args = parser.parse_args(arguments)
    return soak(args, args.names, played, say)


if __name__ == "__main__":
    sys.exit(main())
