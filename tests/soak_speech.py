"""Many conditions, each said in every language and read back: python tests/soak_speech.py --count 100000 --state build/speech.json

Can be interrupted; with --state the same command goes on. What was not read back as the same is printed and kept, and
the exit code is 1 if there is any. No two conditions can share a sentence unnoticed: it is read as one meaning, which is
then not that of the other.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import product
from pathlib import Path

from generating import Conditions
from soaking import Progress
from tabarro.interpreter import games, load_game
from tabarro.speech.conditions import Speaker
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.reading import TooHard, Unread
from tabarro.speech.simplifying import canonical

CHUNK = 100  # conditions after which the file is written
ROUND = 8  # chunks of a game before the next one has its turn: to make six grammars takes as long as 50 conditions


def said_wrongly(speaker: Speaker, conditions: Conditions, expr) -> str | None:
    """The sentence, if it is not read back as this condition alone."""
    wanted = canonical(speaker.by_meaning(expr))
    sentence = speaker.sentence(expr)
    try:
        found = [canonical(speaker.by_meaning(x)) for x in speaker.read(sentence, conditions.free)]
    except (TooHard, Unread):
        return sentence
    return None if found == [wanted] else sentence


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000, help="conditions in all, over all games")
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--game", action="append", choices=games())
    parser.add_argument("--lang", action="append", choices=LANGUAGES)
    parser.add_argument("--state", type=Path, help="the file that keeps what was said: the same command goes on")
    args = parser.parse_args()
    progress, names, codes = Progress(args.state), args.game or games(), args.lang or LANGUAGES
    chunks = -(-args.count // (CHUNK * len(names)))
    for first, name in product(range(0, chunks, ROUND), names):
        due = [i for i in range(first, min(first + ROUND, chunks)) if not progress.done(name, i)]
        game = load_game(name) if due else None
        speakers = {code: Speaker(game, Language(code)) for code in codes} if due else {}
        for chunk in due:
            begun, slowest, wrong = time.process_time(), 0.0, []
            conditions = Conditions(game, args.seed + chunk, args.depth)
            for number in range(CHUNK):
                expr = conditions.next()
                for code, speaker in speakers.items():
                    start = time.process_time()
                    if (sentence := said_wrongly(speaker, conditions, expr)) is not None:
                        wrong.append([code, args.seed + chunk, number, sentence])
                        print(f"{name} {code} seed {args.seed + chunk}, condition {number}: {sentence}", flush=True)
                    slowest = max(slowest, time.process_time() - start)
            counted = {"sentences": CHUNK * len(speakers)}
            progress.add(name, chunk, CHUNK, time.process_time() - begun, counted, wrong)
            row = progress.of(name)
            row["slowest"] = max(row.get("slowest", 0.0), slowest)
    rows = [progress.of(name) for name in names]
    total, seconds = sum(row["counted"].get("sentences", 0) for row in rows), sum(row["seconds"] for row in rows)
    failed = sum(len(row["wrong"]) for row in rows)
    print(
        f"{sum(row['games'] for row in rows)} conditions, {total} sentences in {seconds:.0f} s of processor time "
        f"({total / max(seconds, 1):.0f} a second), {failed} failed, "
        f"the slowest {max(row.get('slowest', 0.0) for row in rows):.2f} s"
    )
    return int(failed > 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
