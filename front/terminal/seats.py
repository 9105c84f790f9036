"""Who sits where: people with their names and languages, and bots. It is kept beside the save of the game."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...interpreter import RulesError
from ...interpreter.files import read_bytes, write_whole
from ...mind.kinds import KINDS, SEATED
from ...speech.language import N_, known, spoken
from ..common.arguments import check_seat
from ..common.layout import clean
from ..common.streams import Terminal
from .prompt import normal

__all__ = ["NAMED_ALIKE", "Seat", "is_taken", "read_beside", "seated", "write"]

ME = "me"
NAMED_ALIKE = N_(
    "Somebody at the table is called “{name}” already. Choose another name, so that you can be told apart."
)
MARKS = (b'{"tabarro": "seats"', b'{"finished": ')


@dataclass(slots=True)
class Seat:
    seat: str
    bot: str = ""  # which; a person if empty
    name: str = ""  # of the person, if it was told
    language: str = ""  # of the person

    @property
    def is_person(self) -> bool:
        return not self.bot


def seated(game, wishes: list[str], terminal: Terminal, people: int | None = None) -> dict[str, Seat]:
    """The seats of a game as the command line wishes them: red=me, red=Anna:ja, blue=bot, blue=bot:careful.

    Seats that no wish names are for bots; if nobody is a person, the first of them is for one (or for so many).
    """
    free = [seat for seat in game.seats if seat not in game.chance_seats]
    taken: dict[str, Seat] = {}
    for wish in wishes:
        seat, equals, who = wish.partition("=")
        if not equals or not who:
            raise terminal.refusal(
                N_("“{text}” does not say who sits where: write for instance --seat {seat}=me."),
                text=clean(wish, 40),
                seat=free[0] if free else "",
            )
        seat = check_seat(seat, free, terminal)
        if seat in taken:
            raise terminal.refusal(N_("--seat was given twice for “{seat}”: one only can sit there."), seat=seat)
        sits = _who(seat, who, terminal)
        if is_taken(sits.name, taken.values()):
            raise terminal.refusal(NAMED_ALIKE, name=sits.name)
        taken[seat] = sits
    people = (0 if any(s.is_person for s in taken.values()) else 1) if people is None else people
    for seat in free:
        if seat not in taken:
            taken[seat] = Seat(seat, language=terminal.language.code) if people > 0 else Seat(seat, SEATED)
            people -= 1
    return {seat: taken[seat] for seat in free}


def is_taken(name: str, seats: Iterable[Seat]) -> bool:
    """Is somebody there called so? Then their screens would open by the same word."""
    return bool(name) and normal(name) in {normal(seat.name) for seat in seats if seat.is_person}


def _who(seat: str, who: str, terminal: Terminal) -> Seat:
    name, colon, more = who.rpartition(":")
    if not colon:
        name, more = who, ""
    if name == "bot" or who == "bot":
        kind = more or SEATED
        if kind not in KINDS:
            raise terminal.refusal(
                N_("There is no bot “{name}”. These are possible: {bots}."), name=clean(kind), bots=", ".join(KINDS)
            )
        return Seat(seat, kind)
    language = known(more) if more else terminal.language.code
    if language is None and name == ME:
        raise terminal.refusal(
            N_("The language “{name}” is not spoken here. These are: {languages}."),
            name=clean(more),
            languages=", ".join(spoken()),
        )
    if language is None:  # a name with a colon in it
        name, language = who, terminal.language.code
    return Seat(seat, name="" if name == ME else clean(name), language=language)


# --- beside the save --------------------------------------------------------------------------------------------------
def _path(save: Path) -> Path:
    return save.with_name(save.name + ".seats")


@dataclass(slots=True)
class Beside:
    """What is kept beside a save: who sits where, whether the game is finished, whether people may ask for hints, and
    whether it is explained."""

    seats: list[Seat]
    finished: bool = False
    hints: bool = False
    lesson: bool = False


def write(
    save: Path, seats: dict[str, Seat], finished: bool = False, hints: bool = False, lesson: bool = False
) -> None:
    """Replaced as a whole or not at all; the game can go on without it, so trouble here is no trouble."""
    path = _path(Path(save))
    content = {
        "tabarro": "seats",
        "finished": finished,
        "hints": hints,
        "lesson": lesson,
        "seats": [asdict(seat) for seat in seats.values()],
    }
    try:
        write_whole(path, json.dumps(content, ensure_ascii=False).encode(), refused=_foreign)
    except RulesError:
        pass


def _foreign(data: bytes) -> str | None:
    """Seats had no mark at first, but always began in the same way."""
    return None if any(data.startswith(mark[: len(data)]) for mark in MARKS) else "file_foreign"


def read_beside(save: Path) -> Beside:
    """What was kept with a save; nobody, if it cannot be read."""
    try:
        content: Any = json.loads(read_bytes(_path(Path(save)), 100_000))
        seats = [Seat(*(str(entry[key]) for key in ("seat", "bot", "name", "language"))) for entry in content["seats"]]
        kept = Beside(seats, content["finished"] is True, content.get("hints") is True, content.get("lesson") is True)
    except (RulesError, ValueError, KeyError, TypeError, RecursionError):
        return Beside([])
    for seat in seats:
        seat.name, seat.language = clean(seat.name), known(seat.language) or ""
    return kept
