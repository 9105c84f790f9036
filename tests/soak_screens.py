"""Whole games at the full screen, through a pseudo-terminal, in every game and language; and the lessons.

`python tests/soak_screens.py --games 1 --state build/screens.json` plays them with keys that somebody presses who points at
anything; it can be interrupted, and goes on. What is looked at: the program ends well, the game in the save is over, every
picture on the way fits the terminal and has whole lines between its parts. `--keep FOLDER` writes the pictures as text.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pexpect  # noqa: E402
from glass import DOWN, ENTER, Glass  # noqa: E402
from loading import LIBRARY, NAMES  # noqa: E402
from soaking import Progress  # noqa: E402
from tabarro.front.workbench.lessons import beside, read  # noqa: E402
from tabarro.interpreter import State, load_game  # noqa: E402
from tabarro.interpreter.save import load  # noqa: E402
from tabarro.speech.language import LANGUAGES, Language  # noqa: E402
from terminal import saved  # noqa: E402

MOST = 1500  # keys in one game; then it is left
SIZES = ((100, 30), (120, 40), (160, 50))


def evening(folder: Path, game: str, language: str, seed: int, keep: Path | None = None) -> State:
    """One game, one person among bots: the state in which it ends, or is left after many keys."""
    luck, rules = random.Random(f"{game}/{language}/{seed}"), load_game(game)
    me, *others = [seat for seat in rules.seats if seat not in rules.chance_seats]
    seats = ["--seat", f"{me}=me", *(word for seat in others for word in ("--seat", f"{seat}=bot:random"))]
    columns, rows = SIZES[seed % len(SIZES)]
    glass = Glass(folder, "play", game, "--seed", str(seed), "--lang", language, *seats, columns=columns, rows=rows)
    glass.until("▸")
    for _ in range(MOST):
        if glass.is_over:
            break
        glass.type(DOWN * luck.choice([0, 0, 1, 1, 2, 3]) + ENTER)
        glass.settle(0.06)
        if not glass.is_over:
            looked_at(glass)
    if not glass.is_over:
        glass.leave()
    else:
        glass.child.expect(pexpect.EOF)
        glass.child.close()
        assert glass.child.exitstatus == 0, glass.text
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{game}-{language}-{seed}.txt").write_text("\n\f".join(glass.frames), encoding="utf-8")
    return load(saved(folder))[1]


def looked_at(glass: Glass) -> None:
    """A picture that is whole: the rule above has one joint, and the line below it goes on to the keys."""
    text = glass.text
    lines = text.splitlines()
    assert "Traceback" not in text, text
    rule = next((n for n, line in enumerate(lines) if re.fullmatch(r"─+┬─+", line)), None)
    if rule is None or "━" in text:
        return  # something is looked up, or the keyboard is passed on
    joint = lines[rule].index("┬")
    cells = [glass.screen.buffer[row][joint].data for row in range(rule + 1, glass.rows - 1)]
    assert set(cells) <= {"│", "├"}, text


def lesson(folder: Path, game: str, language: str) -> str:
    """A lesson, taken step by step as it says; which step did not come, if one did not."""
    path = beside(LIBRARY.find(game))
    assert path is not None
    told, say = read(path), Language(language).text
    glass = Glass(folder, "learn", game, "--lang", language, columns=160, rows=50)
    glass.until("▸")
    for step in told.steps:
        for _ in range(8):
            if _squeezed(say(step.say)) in _squeezed(glass.beside):
                break
            glass.type(ENTER)  # what stands open goes by
            glass.settle(0.3)
        else:
            return f"{step.name}: {glass.text}"
        words = [word for word in step.choose if word not in ("move", "question")]
        glass.type(" ".join(words).replace("_", " ") + ENTER)
        glass.settle(0.4)
    glass.child.close(force=True)
    return ""


def _squeezed(text: str) -> str:
    return "".join(text.split())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1, help="of each game in each language")
    parser.add_argument("--only", default="", help="these games, with commas between them")
    parser.add_argument("--state", type=Path, help="the file that keeps what was played: the same command goes on")
    parser.add_argument("--keep", type=Path, help="a folder for the pictures")
    asked = parser.parse_args()
    progress = Progress(asked.state)
    for seed in range(asked.games):
        for game in asked.only.split(",") if asked.only else NAMES:
            for language in sorted(LANGUAGES):
                table = f"{game}, {language}"
                if progress.done(table, seed):
                    continue
                begun, wrong, over = time.perf_counter(), [], False
                with tempfile.TemporaryDirectory() as folder:
                    try:
                        over = evening(Path(folder), game, language, seed, asked.keep).over
                        if seed == 0 and beside(LIBRARY.find(game)) is not None:
                            wrong += [told for told in [lesson(Path(folder) / "lesson", game, language)] if told]
                    except (AssertionError, pexpect.ExceptionPexpect) as error:
                        wrong.append(str(error)[:4000])
                progress.add(table, seed, 1, time.perf_counter() - begun, {"over": int(over)}, wrong)
                print(f"{table}, {seed}: {'over' if over else 'left'} {'; '.join(wrong)}", flush=True)
    sys.exit(any(row["wrong"] for row in progress.tables.values()))


if __name__ == "__main__":
    main()
