"""Whole games through a pseudo-terminal, in every game and language: at the full screen, with the lessons, and line by line.

`python tests/soak_screens.py --games 1 --state build/screens.json` plays them with keys that somebody presses who points at
anything, and, with `--plain` at 80 × 24, with answers by chance; it can be interrupted, and goes on. What is looked at: the
program ends well, the game in the save is over; every picture on the way fits the terminal and has whole lines between its
parts; no line is too long, has an empty place for a name, or a word of another language. `--keep FOLDER` writes the pictures
as text.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pexpect  # noqa: E402
from glass import DOWN, ENTER, Glass, beside_of  # noqa: E402
from leftovers import english_in, latin_in  # noqa: E402
from loading import LIBRARY, NAMES  # noqa: E402
from soaking import Progress  # noqa: E402
from tabarro.front.paper.map import board_of  # noqa: E402
from tabarro.front.workbench.lessons import Lesson, Step, beside, followed, read  # noqa: E402
from tabarro.interpreter import State, load_game  # noqa: E402
from tabarro.interpreter.save import load  # noqa: E402
from tabarro.speech.language import LANGUAGES, Language  # noqa: E402
from tabarro.speech.narrator import Narrator  # noqa: E402
from terminal import Person, calm, saved  # noqa: E402
from wcwidth import wcswidth  # noqa: E402

MOST = 1500  # keys in one game; then it is left
LASTS = 60  # choices at the prompt, after which one declares
SIZES = ((100, 30), (120, 40), (160, 50))


def evening(folder: Path, game: str, language: str, seed: int, keep: Path | None = None) -> State:
    """One game, one person among bots: the state in which it ends, or is left after many keys."""
    luck, rules = random.Random(f"{game}/{language}/{seed}"), load_game(game)
    me, *others = [seat for seat in rules.seats if seat not in rules.chance_seats]
    seats = ["--seat", f"{me}=me", *(word for seat in others for word in ("--seat", f"{seat}=bot:random"))]
    columns, rows = SIZES[seed % len(SIZES)]
    glass = Glass(folder, "play", game, "--seed", str(seed), "--lang", language, *seats, columns=columns, rows=rows)
    glass.until("▸")
    last = f"{_squeezed(Language(language).say('Press Enter to go on.'))}▸1{_quits(language)}>"
    for _ in range(MOST):
        if glass.is_over:
            break
        before = len(glass.raw)
        glass.type(DOWN * luck.choice([0, 0, 1, 1, 2, 3]) + ENTER)
        glass.settle(0.06)
        if len(glass.raw) == before:
            glass.settle(1)  # it thinks, or this machine is busy: nobody presses Enter twice at the same picture
        if not glass.is_over and not looks_whole(glass):
            glass.settle(1)  # it was not yet drawn whole
            assert glass.is_over or looks_whole(glass), glass.text
    if not glass.is_over:
        glass.leave()
    else:
        glass.child.expect(pexpect.EOF)
        glass.child.close()
        assert glass.child.exitstatus == 0, glass.text
        assert any(_squeezed(beside_of(text)).endswith(last) for text in glass.frames), glass.text
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{game}-{language}-{seed}.txt").write_text("\n\f".join(glass.frames), encoding="utf-8")
    return load(saved(folder))[1]


def at_the_prompt(folder: Path, game: str, language: str, seed: int, keep: Path | None = None) -> State:
    """The same line by line: all that was ever written is read at the end."""
    rules = load_game(game)
    me, *others = [seat for seat in rules.seats if seat not in rules.chance_seats]
    seats = ["--seat", f"{me}=me", *(word for seat in others for word in ("--seat", f"{seat}=bot:random"))]
    arguments = ("play", game, "--seed", str(seed), "--lang", language, "--plain", *seats)
    person = Person(folder, *arguments, languages=[language])
    person.play(calm(seed, [language], LASTS), most=MOST)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{game}-{language}-{seed}-plain.txt").write_text(person.said, encoding="utf-8")
    said = re.sub(r"\s*".join(map(re.escape, str(saved(folder)))), "", person.said)
    assert "Traceback" not in said and not re.search(r"\{\w+(:\w+)?\}", said), said
    assert not (wide := [line for line in said.splitlines() if wcswidth(line) > person.columns]), wide
    assert not (found := english_in(said, language)), found
    narrator = Narrator(rules, Language(language))
    names = " ".join(narrator.name(atom)("list") for atom in range(len(rules.vocabulary.atoms)))  # of squares, say
    assert language != "ja" or not (found := {*latin_in(said)} - {*re.findall(r"\w+", names)}), found
    return load(saved(folder))[1]


def looks_whole(glass: Glass) -> bool:
    """Is it a picture that is whole: the rule above has one joint, and the line below it goes on to the keys?"""
    text = glass.text
    lines = text.splitlines()
    assert "Traceback" not in text, text
    rule = next((n for n, line in enumerate(lines) if re.fullmatch(r"─+┬─+", line)), None)
    if rule is None or "━" in text:
        return True  # something is looked up, or the keyboard is passed on
    joint = lines[rule].index("┬")
    cells = [glass.screen.buffer[row][joint].data for row in range(rule + 1, glass.rows - 1)]
    return set(cells) <= {"│", "├"}


def lesson(folder: Path, game: str, language: str) -> str:
    """A lesson, taken step by step as it says; which step did not come, if one did not."""
    path = beside(LIBRARY.find(game))
    assert path is not None
    told, say = read(path), Language(language).text
    typed = [[*words(told, step, state, language)] for step, state in followed(told)]
    glass = Glass(folder, "learn", game, "--lang", language, columns=160, rows=50)
    glass.until("▸")
    for step, entries in zip(told.steps, typed, strict=True):
        for _ in range(8):
            if _squeezed(say(step.say)) in _squeezed(glass.beside):
                break
            glass.type(ENTER)  # what stands open goes by
            glass.settle(0.3)
        else:
            return f"{step.name}: {glass.text}"
        then = told.steps[told.steps.index(step) + 1 :]
        for entry in entries:
            glass.type(entry + ENTER)
            glass.settle(0.4)
            if then and _squeezed(say(then[0].say)) in _squeezed(glass.beside):
                break  # the rest of it followed
    glass.child.close(force=True)
    return ""


def words(told: Lesson, step: Step, state: State, language: str) -> Iterator[str]:
    """What is typed for a step, by the names that stand on the screen: of several cards one after the other."""
    vocabulary, narrator = told.game.vocabulary, Narrator(told.game, Language(language))
    choice = next(choice for choice in state.player(told.seat).legal() if step.wants(told.game, choice))
    atoms = [atom for part in choice for atom in (part if isinstance(part, tuple) else (part,))]
    board = board_of(told.game)
    there = {*board.movable, *(space.atom for space in board.spaces)} if board is not None else set(atoms)
    things = [atom for atom in atoms if vocabulary.atoms[atom].set in vocabulary.sets]
    names = {a: narrator.name(a)("list") for a in things if vocabulary.atoms[a].name in step.choose}
    if any(isinstance(part, tuple) for part in choice):
        yield from names.values()
        return
    yield from filter(None, [" ".join(name for atom, name in names.items() if atom in there)])
    yield from (name for atom, name in names.items() if atom not in there)  # which ball, if it is asked for


def _quits(language: str) -> str:
    return _squeezed(Language(language).pgettext("command", "quit") or "quit")


def _squeezed(text: str) -> str:
    return "".join(text.split())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1, help="of each game in each language")
    parser.add_argument("--only", default="", help="these games, with commas between them")
    parser.add_argument("--state", type=Path, help="the file that keeps what was played: the same command goes on")
    parser.add_argument("--plain", action="store_true", help="line by line, at 80 × 24")
    parser.add_argument("--keep", type=Path, help="a folder for the pictures")
    asked = parser.parse_args()
    progress, play = Progress(asked.state), at_the_prompt if asked.plain else evening
    for seed in range(asked.games):
        for game in asked.only.split(",") if asked.only else NAMES:
            for language in sorted(LANGUAGES):
                table = f"{game}, {language}{', plain' if asked.plain else ''}"
                if progress.done(table, seed):
                    continue
                begun, wrong, over = time.perf_counter(), [], False
                with tempfile.TemporaryDirectory() as folder:
                    try:
                        over = play(Path(folder), game, language, seed, asked.keep).over
                        if seed == 0 and not asked.plain and beside(LIBRARY.find(game)) is not None:
                            wrong += [told for told in [lesson(Path(folder) / "lesson", game, language)] if told]
                    except (AssertionError, pexpect.ExceptionPexpect) as error:
                        wrong.append(str(error)[:4000])
                progress.add(table, seed, 1, time.perf_counter() - begun, {"over": int(over)}, wrong)
                print(f"{table}, {seed}: {'over' if over else 'left'} {'; '.join(wrong)}", flush=True)
    sys.exit(any(row["wrong"] for row in progress.tables.values()))


if __name__ == "__main__":
    main()
