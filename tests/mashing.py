"""Keys, clicks and sizes of all kinds at the full screen, inside this process: thousands of them take seconds.

`python tests/mashing.py --events 10000 --state build/mashing.json` does that with every game, in all languages in turn, and
reports what broke; it can be interrupted, and goes on. The screen gets what a terminal would send, through Textual's own
reader. What is looked at: nothing raises, in no thread; everything that was decided is in the save, and legal; nothing that is
drawn, said or looked up tells what only somebody else was told who does not sit there.
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
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tabarro.front.common.streams import Terminal
from tabarro.front.terminal.full import Full
from tabarro.front.terminal.notebook import Notebook
from tabarro.front.terminal.screen import Screen
from tabarro.front.terminal.seats import Seat
from tabarro.front.terminal.table import Table
from tabarro.interpreter import Reader, Save, known_state, load_game
from tabarro.interpreter.save import load
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.narrator import Narrator
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
CHUNK = 500  # events in one language
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


def _plain(text: str) -> str:
    return "".join(text.replace("▶", "").split()).casefold()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class Sitting:
    """A game at the full screen, without a terminal."""

    def __init__(self, game: str, seed: int, folder: Path, language: str = "en", people: int = 1):
        self.game, self.hints = load_game(game), seed % 3 == 0
        free = [seat for seat in self.game.seats if seat not in self.game.chance_seats]
        seats = {s: Seat(s, language=language) if n < people else Seat(s, "random") for n, s in enumerate(free)}
        out = io.StringIO()
        terminal = Terminal(out, io.StringIO(), Language(language))
        self.save = Save.create(folder / f"{game}-{seed}.tabarro", self.game, seed, None, replace=True, alone=True)
        state = self.game.new(seed)
        self.table = Table(terminal, Screen(out), self.game, state, self.save, seats, seed, self.hints)
        self.app = Full(self.table)
        self.language, self.free = Language(language), free
        self.shown: dict[tuple[str, str], None] = {}  # who sat there, if anybody; all that stood there
        self.frames = 0
        self.here = ""
        self.facts: dict[str, set[str]] = {seat: set() for seat in free}
        self._note_secrets()
        narrator = Narrator(self.game, self.language)
        yous = {s: self.language.say("You are {name}.", name=narrator.seat(s)) for s in free}
        yous_too = {s: self.language.say("You are {name}.", name=_capital(narrator.seat(s)("list"))) for s in free}
        show, say, read = self.app._show, self.app._say, self.app._read

        def watched(frame) -> None:
            self.frames += 1
            sits = [s for s in free if yous[s] in frame.title or yous_too[s] in frame.title]
            self.here = max(sits, key=lambda s: len(yous[s])) if sits else ""
            parts = (frame.board, frame.key, frame.table, frame.sheet, frame.log)
            said = (frame.title, frame.status, frame.told, frame.question, frame.sure)
            labels = (choice.label for choice in frame.choices)
            self._keep("\n".join((*said, *(part.plain for part in parts), *labels)))
            show(frame)

        def heard(text, places=()) -> None:
            self._keep(text)
            say(text, places)

        def looked(page) -> None:
            self._keep(page.plain)
            read(page)

        self.app._show, self.app._say, self.app._read = watched, heard, looked

    def _keep(self, text: str) -> None:
        self.shown[self.here, _plain(text)] = None

    def _note_secrets(self) -> None:
        """What each of them is told by now: sentences, and what he has."""
        for seat in self.free:
            player, narrator = self.table.state.player(seat), Narrator(self.game, self.language)
            book = Notebook(self.game, seat, narrator, self.language)
            secrets = book.secrets(known_state(self.game, player.log.entries()))
            if not self.hints:  # which rightly tell what follows, and what may be
                self.facts[seat] |= {_plain(self.language.labelled(*fact)) for fact in secrets}
            self.facts[seat] |= {*map(_plain, narrator.tell(Reader(self.game, seat).news(player)))}

    @property
    def told(self) -> list[str]:
        """What stood on a screen, or was looked up, and was told only to others than who sat there."""
        self._note_secrets()
        for_all, found = set.intersection(*self.facts.values()), set[str]()
        for here, text in self.shown:
            own = self.facts[here] if here else for_all
            others = set().union(*self.facts.values()) - own
            found |= {fact for fact in others if fact in text and not any(fact in mine for mine in own)}
        return sorted(found)

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
    from soaking import Progress

    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=10_000, help="in each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="these games, with commas between them")
    parser.add_argument("--state", type=Path, help="the file that keeps what was done: the same command goes on")
    asked = parser.parse_args()
    progress, wrong = Progress(asked.state), 0
    for game in asked.only.split(",") if asked.only else NAMES:
        while (done := progress.of(game)["counted"].get("events", 0)) < asked.events:
            turn = len(progress.of(game)["firsts"])
            language, people = sorted(LANGUAGES)[turn % len(LANGUAGES)], (1, 2, 1)[turn % 3]
            begun = time.perf_counter()
            found = mashed(game, asked.seed + 1000 * turn, min(CHUNK, asked.events - done), language, people)
            counted = {"events": found.events, "frames": found.frames}
            troubles = [f"{language}, {people}, {asked.seed + 1000 * turn}: {trouble}" for trouble in found.troubles]
            progress.add(game, turn, found.games, time.perf_counter() - begun, counted, troubles)
            for trouble in troubles:
                print(f"{game}, {trouble}", flush=True)
        row = progress.of(game)
        wrong += len(row["wrong"])
        print(f"{game}: {row['counted']} in {row['games']} games, {len(row['wrong'])} wrong", flush=True)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
