"""Rule files in all states of being typed, as a language server meets them: everything an editor may ask of each.

    .venv/bin/python tests/soak_editors.py --states 20000 --state build/editors.json

It goes on where it was interrupted, and stops at the first state that is too much, which it prints.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from tabarro.front.lsp.desk import Desk  # noqa: E402
from tabarro.speech.language import LANGUAGES, Language  # noqa: E402
from typing_states import HOUSES, looked_at, slips  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def texts() -> list[tuple[Path, str]]:
    """House rules in three languages, all rules that come along, and files that are refused."""
    files = sorted([*ROOT.glob("rules/**/*.yaml"), *ROOT.glob("tests/interpreter/bad/**/*.yaml")])
    found = [(ROOT / "tests" / f"house-{language}.yaml", text) for language, text in HOUSES.items()]
    return found + [(path, path.read_text(encoding="utf-8", errors="replace")) for path in files]


def state_of(seed: int, known: list[tuple[Path, str]]) -> tuple[Path, str, str, int]:
    """A file, one state of it, the language of the author, and where the cursor is: the same for the same number."""
    rng = random.Random(seed)
    path, text = rng.choice(known[: len(HOUSES)] if rng.random() < 0.3 else known)
    state = text[: rng.randrange(len(text) + 1)] if rng.random() < 0.5 else text
    for _ in range(rng.randrange(3)):
        state = next(slips(state, 1, rng)) if state else state
    return path, state, rng.choice(LANGUAGES), rng.randrange(len(state) + 1)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--states", type=int, default=2000)
    parser.add_argument("--state", type=Path)
    arguments = parser.parse_args()
    begun = json.loads(arguments.state.read_text())["done"] if arguments.state and arguments.state.exists() else 0
    known, desk = texts(), Desk()
    for number in range(begun, arguments.states):
        path, text, language, at = state_of(number, known)
        try:
            looked_at(desk, path, text, None, Language(language), at)
        except Exception:
            traceback.print_exc()
            print(
                f"state {number}: {path}, {language}, cursor at {at}\n{text[max(0, at - 300) : at]}|{text[at : at + 100]}"
            )
            return 1
        if number % 100 == 99:
            print(f"{number + 1} states", flush=True)
            if arguments.state:
                arguments.state.parent.mkdir(parents=True, exist_ok=True)
                arguments.state.write_text(json.dumps({"done": number + 1}))
    print(f"{arguments.states} states: an answer to each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
