"""Many conditions, said in every language and read back: python tests/soak_speech.py --count 100000 [--game …] [--lang …]

Prints how many were said, what was not read back as the same, and how long the slowest took; exit code 1 if any failed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from generating import Conditions
from tabarro.interpreter import games, load_game
from tabarro.speech.conditions import Speaker
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.planning import canonical
from tabarro.speech.reading import TooHard, Unread


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000, help="conditions in all, over all games and languages")
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--game", action="append", choices=games())
    parser.add_argument("--lang", action="append", choices=LANGUAGES)
    args = parser.parse_args()
    tables = [(name, code) for name in args.game or games() for code in args.lang or LANGUAGES]
    failed, slowest, begun, said = 0, 0.0, time.time(), 0
    meanings: dict[tuple[str, str, str], object] = {}
    for number, (name, code) in enumerate(tables):
        game = load_game(name)
        speaker, conditions = Speaker(game, Language(code)), Conditions(game, args.seed + number, args.depth)
        _ = speaker.grammar
        for _ in range(-(-args.count // len(tables))):
            expr = conditions.next()
            wanted = canonical(speaker.by_meaning(expr))
            start = time.process_time()
            sentence = speaker.sentence(expr)
            slowest = max(slowest, time.process_time() - start)
            said += 1
            try:
                found = [canonical(speaker.by_meaning(x)) for x in speaker.read(sentence, conditions.free)]
            except (TooHard, Unread) as mistake:
                found = [type(mistake).__name__]
            if found != [wanted] or meanings.setdefault((name, code, sentence), wanted) != wanted:
                failed += 1
                print(f"{name} {code}: {sentence}")
    print(f"seed {args.seed}: {said} said in {time.time() - begun:.0f} s, {failed} failed, the slowest {slowest:.2f} s")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
