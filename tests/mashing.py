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
from itertools import product
from pathlib import Path

from tabarro.front.common.streams import Terminal
from tabarro.front.terminal.frames import Frame
from tabarro.front.terminal.full import LONGEST, Full
from tabarro.front.terminal.hands import ENTER, PICK, TYPED
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
from terminal import quoted  # noqa: E402

F = ["\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS", "\x1b[15~", "\x1b[17~", "\x1b[18~", "\x1b[19~"]
MOVES = [f"\x1b[{letter}" for letter in "ABCDHFZ"] + ["\x1b[5~", "\x1b[6~", "\x1b[3~", "\x7f", "\t", "\x1b", "\x1a"]
LINES = "\x01 \x05 \x0b \x15 \x17 \x04 \x06".split()
WORDS = ["undo\r", "log\r", "map\r", "mission\r", "notes\r", "notes x +\r", "hint\r", "99\r", "漢字\r", "²\r", "٣\r"]
PASTED = "\x1b[200~two\nlines\x1b[201~"
HELD = (
    "9" * (LONGEST + 200) + "\r"
)  # a key that somebody leans on; seldom, since it takes as long as hundreds of others
KEYS = [*F, *MOVES, *LINES, *WORDS, PASTED, *["\r"] * 14, *"0123456789" * 3, *"abcdez ?/[](漢é"]
CHUNK = 500  # events in one language
SIZES = [(100, 30), (160, 50), (80, 24), (40, 12), (1, 1)]


@dataclass
class Mashed:
    """What came of it."""

    events: int = 0
    mouse: int = 0  # of them
    seats: set[str] = field(default_factory=set)  # whose screens were seen
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
    if chance < 0.156:
        return luck.choice(SIZES) if chance < 0.155 else HELD
    return luck.choice(KEYS)


def wanted(frame: Frame) -> str:
    """The name that opens the next one's screen, if the keyboard is passed on."""
    return "" if frame.title or frame.choices or not frame.question else quoted(frame.question)


def _plain(text: str) -> str:
    return "".join(text.replace("▶", "").split()).casefold()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class Sitting:
    """A game at the full screen, without a terminal."""

    def __init__(self, game: str, seed: int, folder: Path, *languages: str, people: int = 1, watch: bool = True):
        """Several languages go round among those who sit there. What is shown is kept, unless nobody looks at it."""
        self.game, self.hints = load_game(game), seed % 3 == 0
        free = [seat for seat in self.game.seats if seat not in self.game.chance_seats]
        spoken = {seat: (languages or ("en",))[n % max(1, len(languages))] for n, seat in enumerate(free)}
        seats = {s: Seat(s, language=spoken[s]) if n < people else Seat(s, "random") for n, s in enumerate(free)}
        out, file = io.StringIO(), game if Path(game).suffix else None
        self.languages = {code: Language(code) for code in {*spoken.values()}}
        terminal = Terminal(out, io.StringIO(), self.languages[spoken[free[0]]])
        self.save = Save.create(
            folder / f"{Path(game).stem}-{seed}.tabarro", self.game, seed, file, replace=True, alone=True
        )
        state = self.game.new(seed)
        self.table = Table(terminal, Screen(out), self.game, state, self.save, seats, seed, self.hints)
        self.app = Full(self.table)
        self.free = free
        self.shown: dict[tuple[str, str], None] = {}  # who sat there, if anybody; all that stood there
        self.frames = 0
        self.here = ""
        self.facts: dict[str, set[str]] = {seat: set() for seat in free}
        self.alone: dict[str, set[str]] = {seat: set() for seat in free}  # said to each at the table: no log has it
        self.overheard: set[str] = set()  # of that, what somebody else has read
        if watch:
            self._watch(spoken)

    def _watch(self, spoken: dict[str, str]) -> None:
        self._note_secrets()
        yous, yous_too = {}, {}
        for s in self.free:
            language = self.languages[spoken[s]]
            name = Narrator(self.game, language).seat(s)
            yous[s] = language.say("You are {name}.", name=name)
            yous_too[s] = language.say("You are {name}.", name=_capital(name("list")))
        show, say, tick, read = self.app._show, self.app._say, self.app._tick, self.app._read

        def watched(frame) -> None:
            self.frames += 1
            sits = [s for s in self.free if yous[s] in frame.title or yous_too[s] in frame.title]
            self.here = max(sits, key=lambda s: len(yous[s])) if sits else ""
            self._note_secrets(*[self.here] if self.here else ())  # what he has now, and perhaps not at the end
            parts = (frame.board, frame.key, frame.table, *frame.sheets, frame.log)
            said = (frame.title, frame.status, frame.told, frame.question)
            labels = (choice.label for choice in frame.choices)
            self._keep("\n".join((*said, *(part.plain for part in parts), *labels)))
            show(frame)

        def heard(text, *more) -> None:
            self._keep(text)
            say(text, *more)

        def ticked(ticks, question, text, on) -> None:
            self._keep(f"{question}\n{text}")
            tick(ticks, question, text, on)

        def looked(page, *more) -> None:
            self._keep(page.plain)
            read(page, *more)

        self.app._show, self.app._say, self.app._tick, self.app._read = watched, heard, ticked, looked
        say_forced = self.app.hands.say_forced

        def forced(view, taken) -> None:
            """That there was one choice only, and which, tells what he has."""
            said = view.language.row(view.label(value) for value in taken)
            sentence = view.language.say("Only one choice is possible: {choice}.", choice=said)
            self.alone[view.seat.seat].add(_plain(sentence))
            say_forced(view, taken)

        self.app.hands.say_forced = forced

    def _keep(self, text: str) -> None:
        if not self.table.state.over:  # nothing is secret any more
            text = _plain(text)
            self.shown[self.here, text] = None
            own = self.alone.get(self.here, set())  # by now: what is said to him later does not count yet
            others = set().union(*self.alone.values()) - own
            self.overheard |= {said for said in others if said in text}

    def _note_secrets(self, *seats: str) -> None:
        """What each of them is told by now: sentences, and what he has."""
        for seat, language in product(seats or self.free, self.languages.values()):
            player, narrator = self.table.state.player(seat), Narrator(self.game, language)
            book = Notebook(self.game, seat, narrator, language)
            secrets = book.secrets(known_state(self.game, player.log.entries()))
            if not self.hints:  # which rightly tell what follows, and what may be
                self.facts[seat] |= {_plain(language.labelled(*fact)) for fact in secrets}
            self.facts[seat] |= {*map(_plain, narrator.tell(Reader(self.game, seat).news(player)))}

    @property
    def told(self) -> list[str]:
        """What stood on a screen, or was looked up, and was told only to others than who sat there."""
        self._note_secrets()
        for_all, found = set.intersection(*self.facts.values()), {*self.overheard}
        for here, text in self.shown:
            own = self.facts[here] if here else for_all
            others = set().union(*self.facts.values()) - own
            found |= {fact for fact in others if fact in text and not any(fact in mine for mine in own)}
        return sorted(found)

    @contextmanager
    def playing(self) -> Iterator[None]:
        with self.save, self.app.playing():
            yield


async def mash(sitting: Sitting, luck: random.Random, most: int) -> tuple[int, int]:
    """Events until the game is over, or there were enough of them: how many, and how many of the mouse."""
    app, parser, (columns, rows), count, mouse = sitting.app, XTermParser(), (110, 32), 0, 0
    async with app.run_test(size=(columns, rows)) as pilot:
        while count < most and app.is_running and not app._exit:
            count += 1
            sent = gesture(luck, columns, rows)
            if luck.random() < 0.2 and (name := wanted(app.frame)):
                sent = name + "\r"
            if isinstance(sent, tuple):
                columns, rows = sent
                app.post_message(events.Resize(Size(*sent), Size(*sent)))
            else:
                mouse += sent.startswith("\x1b[<")
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
    return count, mouse


async def share(sitting: Sitting, luck: random.Random, most: int) -> int:
    """All sit at one keyboard, choose by chance, look things up and pass it on: so often, or until the game is over.
    How often somebody sat down."""
    app, passed = sitting.app, 0
    async with app.run_test(size=(110, 32)):
        for _ in range(most):
            while not app._exit and not app.frame.question:
                await asyncio.sleep(0.001)
            if app._exit:
                break
            serial = app.frame.serial
            if name := wanted(app.frame):
                passed += 1
                app.hands.given.put((serial, TYPED, (name, None)))
            else:
                for word in luck.sample(["notes", "log", "mission", "map", "?"], luck.choice([0, 0, 2])):
                    app.hands.given.put((serial, TYPED, (word, None)))
                place = luck.randrange(len(app.frame.choices))
                app.hands.given.put((serial, luck.choice([PICK, PICK, ENTER]), (place, True)))
            for _ in range(400):  # of several things each is ticked, and the question stays
                if app._exit or app.frame.serial != serial or app.frame.several and luck.random() < 0.02:
                    break
                await asyncio.sleep(0.005)
        app.action_leave()
        while not app._exit:
            await asyncio.sleep(0.001)
    return passed


def mashed(game: str, seed: int, most: int, language: str = "en", people: int = 1) -> Mashed:
    """So many events, in as many games as they last for."""
    found, broken, hook = Mashed(), [], threading.excepthook
    threading.excepthook = lambda told: broken.append(told.exc_value)
    before, os.environ["TABARRO_PACE"] = os.environ.get("TABARRO_PACE"), "0"
    try:
        with tempfile.TemporaryDirectory() as folder:
            while found.events < most and not found.troubles:
                luck = random.Random(f"{game}/{seed}/{found.games}")
                sitting = Sitting(game, seed + found.games, Path(folder), language, people=people)
                with sitting.playing():
                    count, mouse = asyncio.run(mash(sitting, luck, most - found.events))
                found.events, found.mouse, found.games = found.events + count, found.mouse + mouse, found.games + 1
                found.seats |= {here for here, _ in sitting.shown if here}
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
            counted = {"events": found.events, "mouse": found.mouse, "frames": found.frames}
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
