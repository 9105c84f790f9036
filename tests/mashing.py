"""Keys, clicks and sizes of all kinds at the full screen, inside this process: thousands of them take seconds.

`python tests/mashing.py --events 10000 --seed 1 --jobs 2` does that with every game, and reports what broke.
The screen gets what a terminal would send, through Textual's own reader. What is looked at: nothing raises, in no thread;
everything that was decided is in the save, and legal; no frame tells a secret of somebody who does not sit there.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import random
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tabarro.front.common.streams import Terminal
from tabarro.front.terminal.full import Full
from tabarro.front.terminal.screen import Screen
from tabarro.front.terminal.seats import Seat
from tabarro.front.terminal.table import Table
from tabarro.front.terminal.view import View
from tabarro.interpreter import Save, load_game
from tabarro.interpreter.save import load
from tabarro.speech.language import LANGUAGES, Language
from textual import events
from textual._xterm_parser import XTermParser
from textual.geometry import Size

sys.path.insert(0, str(Path(__file__).parent))

F = ["\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS", "\x1b[15~", "\x1b[17~", "\x1b[18~", "\x1b[19~"]
MOVES = [f"\x1b[{letter}" for letter in "ABCDHFZ"] + ["\x1b[5~", "\x1b[6~", "\x1b[3~", "\x7f", "\t", "\x1b", "\x1a"]
LINES = "\x01 \x05 \x0b \x15 \x17 \x04 \x06".split()
WORDS = ["undo\r", "log\r", "map\r", "mission\r", "notes\r", "notes x +\r", "hint\r", "99\r", "漢字\r", "²\r", "٣\r"]
PASTED = ["\x1b[200~two\nlines\x1b[201~", "9" * 5000 + "\r"]
KEYS = [*F, *MOVES, *LINES, *WORDS, *PASTED, *["\r"] * 14, *"0123456789" * 3, *"abcdez ?/[](漢é"]
SIZES = [(100, 30), (160, 50), (80, 24), (40, 12), (1, 1)]


@dataclass
class Mashed:
    """What came of it."""

    events: int = 0
    games: int = 0
    frames: int = 0
    troubles: list[str] = field(default_factory=list)


def gesture(luck: random.Random, columns: int, rows: int) -> str | tuple[int, int]:
    """What a terminal sends for something that a hand does; or another size."""
    chance = luck.random()
    x, y = luck.randrange(columns) + 1, luck.randrange(rows) + 1
    if chance < 0.12:
        button = luck.choice([0, 0, 0, 1, 2])
        return f"\x1b[<{button};{x};{y}M\x1b[<{button};{x};{y}m"
    if chance < 0.15:
        return f"\x1b[<{luck.choice([64, 65, 35, 32])};{x};{y}M"
    return luck.choice(SIZES) if chance < 0.155 else luck.choice(KEYS)


class Sitting:
    """A game at the full screen, without a terminal."""

    def __init__(self, game: str, seed: int, folder: Path, language: str = "en", people: int = 1):
        self.game = load_game(game)
        free = [seat for seat in self.game.seats if seat not in self.game.chance_seats]
        seats = {s: Seat(s, language=language) if n < people else Seat(s, "random") for n, s in enumerate(free)}
        out = io.StringIO()
        terminal = Terminal(out, io.StringIO(), Language(language))
        self.save = Save.create(folder / f"{game}-{seed}.tabarro", self.game, seed, None, replace=True, alone=True)
        state = self.game.new(seed)
        self.table = Table(terminal, Screen(out), self.game, state, self.save, seats, seed, True)
        self.app = Full(self.table)
        self.secrets = {
            view.called: [f"{label}: {value}" for label, value in view.notebook.secrets(view.known())]
            for view in (View(state.player(s), Seat(s, language="en"), Language("en"), self.save.path) for s in free)
        }
        self.told: set[str] = set()  # what stood on a frame and was not for those who sat there
        self.frames = 0
        show = self.app._show

        def watched(frame) -> None:
            self.frames += 1
            text = "\n".join((frame.title, frame.status, frame.table.plain, frame.question))
            for name, facts in self.secrets.items():
                if language == "en" and f"You are {name}." not in frame.title:
                    own = {fact for n, fs in self.secrets.items() if f"You are {n}." in frame.title for fact in fs}
                    self.told |= {fact for fact in facts if fact in text and fact not in own}
            show(frame)

        self.app._show = watched

    @contextmanager
    def playing(self) -> Iterator[None]:
        with self.save, self.app.playing():
            yield


async def mash(sitting: Sitting, luck: random.Random, most: int) -> int:
    """Events until the game is over, or there were enough of them."""
    app, parser, (columns, rows), count = sitting.app, XTermParser(), (110, 32), 0
    async with app.run_test(size=(columns, rows)) as pilot:
        while count < most and app.is_running and not app._exit:
            count += 1
            sent = gesture(luck, columns, rows)
            if isinstance(sent, tuple):
                columns, rows = sent
                app.post_message(events.Resize(Size(*sent), Size(*sent)))
            else:
                for event in [events.Key("escape", None)] if sent == "\x1b" else [*parser.feed(sent)]:
                    app._driver.process_message(event)
            if (pause := luck.random()) > 0.9:
                await pilot.pause()
            else:
                await asyncio.sleep(0 if pause < 0.4 else 0.002)
        if app.is_running:
            app.action_leave()
            while not app._exit:
                await asyncio.sleep(0.005)
    return count


def mashed(game: str, seed: int, most: int, language: str = "en", people: int = 1) -> Mashed:
    """So many events, in as many games as they last for."""
    found, broken, hook = Mashed(), [], threading.excepthook
    threading.excepthook = lambda told: broken.append(told.exc_value)
    before, os.environ["TABARRO_PACE"] = os.environ.get("TABARRO_PACE"), "0"
    try:
        with tempfile.TemporaryDirectory() as folder:
            while found.events < most and not found.troubles:
                luck = random.Random(f"{game}/{seed}/{found.games}")
                sitting = Sitting(game, seed + found.games, Path(folder), language, people)
                with sitting.playing():
                    found.events += asyncio.run(mash(sitting, luck, most - found.events))
                found.games += 1
                found.frames += sitting.frames
                for error in (sitting.app.trouble, *broken):
                    if error is not None:
                        at = error.__traceback__
                        while at.tb_next is not None:
                            at = at.tb_next
                        found.troubles.append(f"{error!r:.200} at {at.tb_frame.f_code.co_filename}:{at.tb_lineno}")
                found.troubles += [f"told: {fact}" for fact in sitting.told]
                load(sitting.save.path)  # all that was decided is there, and legal
    finally:
        threading.excepthook = hook
        if before is None:
            del os.environ["TABARRO_PACE"]
        else:
            os.environ["TABARRO_PACE"] = before
    return found


def main() -> None:
    from loading import NAMES  # all that come along

    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    luck = random.Random(asked.seed)
    for game in asked.only.split(",") if asked.only else NAMES:
        language, people = luck.choice(sorted(LANGUAGES)), luck.choice([1, 1, 2])
        found = mashed(game, asked.seed, asked.events, language, people)
        print(
            f"{game}, {language}, {people}: {found.events} events, {found.games} games, {found.frames} frames",
            flush=True,
        )
        for trouble in found.troubles:
            print(f"  {trouble}")


if __name__ == "__main__":
    main()
