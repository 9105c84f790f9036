"""Pictures of the full screen at fixed moments, kept as text in tests/golden/screens: what stands there, and how it is painted.

`python tests/snapshots.py` writes them anew: look at the difference, and put them into the same commit. They are taken where
the screen is laid out, from `panes.py`, in rows of letters, and so do not hang on what draws these on a terminal.
"""

from __future__ import annotations

import io
import os
import queue
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import ascii_letters
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from rich.segment import Segment  # noqa: E402
from rich.text import Text  # noqa: E402
from tabarro.front.common.streams import Terminal  # noqa: E402
from tabarro.front.terminal.frames import Frame  # noqa: E402
from tabarro.front.terminal.hands import PICK, QUIT, TYPED, Hands  # noqa: E402
from tabarro.front.terminal.panes import Panes, paged, rows_of  # noqa: E402
from tabarro.front.terminal.screen import Screen  # noqa: E402
from tabarro.front.terminal.seats import Seat  # noqa: E402
from tabarro.front.terminal.table import Table  # noqa: E402
from tabarro.interpreter import Save, load_game  # noqa: E402
from tabarro.speech.language import Language  # noqa: E402
from terminal import GOLDEN  # noqa: E402

FOLDER = GOLDEN / "screens"
SMALL, LARGE = (100, 30), (160, 50)
# What is done after each picture, the same in every language: the number of a choice, from 0, or a word.
DONE: dict[str, tuple[int, tuple[int | str, ...]]] = {
    "venice-2013": (9, (0, 9, "notes")),  # it goes on; the thin figure goes to Murano; something is looked up
    "cards-safe": (3, (1, 0, "?")),
    "four-in-a-row": (1, (3, 3)),
}
PICTURES = [
    ("venice-2013", "en", SMALL),
    ("venice-2013", "ja", SMALL),
    ("venice-2013", "de", LARGE),
    ("cards-safe", "de", SMALL),
    ("cards-safe", "no", SMALL),
    ("cards-safe", "ja", LARGE),
    ("four-in-a-row", "nl", SMALL),
    ("four-in-a-row", "ja", SMALL),
    ("four-in-a-row", "ca", LARGE),
]


class Paper:
    """A glass that keeps what was drawn last."""

    def __init__(self, room: tuple[int, int]):
        self.room, self.panes, self.looked_up = room, Panes(), list[list[Segment]]()

    def show(self, frame: Frame) -> None:
        self.looked_up = []
        self.panes.show(frame, self.room)

    def say(self, text: str, *_: Any, **__: Any) -> None:
        self.panes.said = text

    def tick(self, ticks: Mapping[int, int], question: str, text: str, on: bool) -> None:
        self.panes.tick(ticks, question, text)

    def read(self, page: Text, *_: Any) -> None:
        self.looked_up = rows_of(page)

    def close(self) -> None:
        pass

    @property
    def rows(self) -> Sequence[Sequence[Segment]]:
        page = paged(self.looked_up, 0, self.room)[0] if self.looked_up else []
        return [*page, *self.panes.drawn()[len(page) :]]


class Visitor(Hands):
    """Somebody who does what is given, and takes a picture each time before; then he goes."""

    def __init__(self, paper: Paper, table: Table, done: Sequence[int | str]):
        super().__init__(paper, table)
        self.paper, self.left, self.taken, self.given = paper, [*done], list[str](), self
        self.stopped.wait = lambda *_: True  # nobody waits for the glass

    def get(self, timeout: float | None = None) -> tuple[int, str, Any]:
        self.taken.append(picture(self.paper.rows))
        if not self.left:
            return 0, QUIT, None
        what = self.left.pop(0)
        return (self.serial, TYPED, (what, None)) if isinstance(what, str) else (self.serial, PICK, (what, True))

    def get_nowait(self) -> tuple[int, str, Any]:
        raise queue.Empty


def picture(rows: Sequence[Sequence[Segment]]) -> str:
    """The letters, and below them how each is painted, by a letter; what the letters mean stands at the end."""
    painted = [[(part.text, str(part.style or "none")) for part in row] for row in rows]
    names = sorted({style for row in painted for text, style in row if style != "none" and _seen(text, style)})
    code = dict(zip(names, ascii_letters, strict=False))
    text = ["".join(text for text, _ in row).rstrip() for row in painted]
    layer = ["".join(_layer(text, style, code) for text, style in row).rstrip() for row in painted]
    told = [f"{number:>2} {line}" for number, line in enumerate(layer) if line]
    return "\n".join([*text, "-- painted", *told, *(f"{letter} {name}" for name, letter in code.items())])


def _seen(text: str, style: str) -> bool:
    return bool(text.strip()) or any(word in style for word in ("reverse", "underline", " on "))


def _layer(text: str, style: str, code: Mapping[str, str]) -> str:
    letter = code.get(style, " ") if _seen(text, style) else " "
    return letter * Segment(text).cell_length


def pictures(game: str, language: str, room: tuple[int, int], folder: Path) -> str:
    """The pictures of a game, one below the other."""
    rules, (seed, done), out = load_game(game), DONE[game], io.StringIO()
    me, *others = [seat for seat in rules.seats if seat not in rules.chance_seats]
    seats = {me: Seat(me, language=language)} | {seat: Seat(seat, "random") for seat in others}
    save = Save.create(folder / "one.tabarro", rules, seed, None, replace=True, alone=True)
    with save:
        table = Table(
            Terminal(out, io.StringIO(), Language(language)), Screen(out), rules, rules.new(seed), save, seats, seed
        )
        visitor = Visitor(Paper(room), table, done)
        table.face = visitor
        table.play()
    before = ("", *(f", then {what!r}" for what in done))
    return "\n".join(
        f"== {game}, {language}, {room[0]} × {room[1]}, seed {seed}{''.join(before[: number + 1])}\n{taken}\n"
        for number, taken in enumerate(visitor.taken)
    )


def file_of(game: str, language: str, room: tuple[int, int]) -> Path:
    return FOLDER / f"{game}.{language}.{room[0]}x{room[1]}.txt"


def taken() -> Iterator[tuple[Path, str]]:
    os.environ["TABARRO_PACE"] = "0"
    for one in PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            yield file_of(*one), pictures(*one, Path(folder))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in taken():
        path.write_text(text, encoding="utf-8")
