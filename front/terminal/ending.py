"""The end of a game: how it was decided, who has won, and everything that was secret, as data; and as lines."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...interpreter import Reader, Result, Umpire, known_state
from ...speech.language import N_, Language
from ...speech.narrator import Narrator
from ..common.streams import Terminal
from ..paper.map import OWN, board_of, draw
from .notebook import Notebook
from .screen import Screen
from .seats import Seat
from .turns import Turn, last_told

__all__ = ["Block", "Ending", "ending_of", "reveal", "tell_result"]


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together, below a title if there is one."""

    title: str
    lines: Sequence[str]


@dataclass(slots=True)
class Ending:
    """What there is to see when a game is over, for readers of one language: nothing is secret any more."""

    umpire: Umpire
    language: Language
    last: Sequence[Turn]  # the whole last round, with the move that decided it
    known: Mapping[str, Any]  # the whole state, and all places that were secret
    result: Sequence[str]
    blocks: Sequence[Block]  # what is revealed; in the end, when it could have been known, too
    find_out: Callable[[], Sequence[Block]]  # that
    told: str = ""  # by somebody who has explained the game
    complete: bool = False
    _finding: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def completed(self) -> Ending:
        """With that which takes long to find out. Whoever asks for it, it is looked for once."""
        with self._finding:
            if not self.complete:
                self.blocks, self.complete = [*self.blocks, *self.find_out()], True
        return self

    def write(self, terminal: Terminal, screen: Screen) -> None:
        """The whole last round, with the move that decided it, the board, and what came of it."""
        game = self.umpire.game
        screen.line()
        screen.rule()
        for line in (line for turn in self.last for line in turn.lines):
            screen.text(line, "  ", hanging="    ")
        if board_of(game) is not None:
            signs, style = screen.has_signs, screen.has_style
            screen.line()
            screen.lines(draw(game, self.known, screen.width, signs, style, self.language).splitlines())
        screen.line()
        for line in self.result:
            terminal.line(line)
        _write(self.completed().blocks, screen)
        if self.told:
            screen.line()
            screen.text(self.told, "| ", hanging="| ")


def ending_of(umpire: Umpire, language: Language, seats: Mapping[str, Seat]) -> Ending:
    game, narrator = umpire.game, Narrator(umpire.game, language, sees_all=True)
    entries = Reader(game).news(umpire)
    places = Notebook(game, None, narrator, language).all_places(umpire.cells())
    known = {**known_state(game, entries), OWN: places}
    blocks, last = revealed(umpire, narrator, language, seats), last_told(game, entries, narrator)

    def when_known() -> list[Block]:
        from ..workbench.conclusions import Moments  # what thinks takes long to load, too

        moments = Moments(umpire, language, {seat.seat: seat.name for seat in seats.values() if seat.name})
        could = moments.told()
        return [Block(moments.title(), could)] if could else []

    return Ending(umpire, language, last, known, result_of(umpire.result, narrator, language), blocks, when_known)


def _write(blocks: Sequence[Block], screen: Screen) -> None:
    for block in blocks:
        screen.line()
        if block.title:
            screen.text(block.title, style="bold")
        for line in block.lines:
            screen.text(line, "  ", hanging="    ")


def reveal(umpire: Umpire, narrator: Narrator, terminal: Terminal, screen: Screen, seats: dict[str, Seat]) -> None:
    """All secrets of all seats, and the goals that they had."""
    _write(revealed(umpire, narrator, terminal.language, seats), screen)


def revealed(umpire: Umpire, narrator: Narrator, language: Language, seats: Mapping[str, Seat]) -> list[Block]:
    game, cells = umpire.game, umpire.cells()
    notebook = Notebook(game, None, narrator, language)
    blocks, said = list[Block](), list[str]()
    for owner, facts in notebook.all_secrets(cells).items():
        if owner is None:
            said.append(" · ".join(language.labelled(kind, value) for kind, value in facts))
            continue
        name, seat = narrator.name(owner)("list"), seats.get(game.vocabulary.atoms[owner].name)
        name += f" ({seat.name})" if seat and seat.name else ""
        said.append(language.labelled(name, language.row(value for _, value in facts)))
    if said:
        blocks.append(Block(language.say(N_("Everything is revealed now:")), said))
    goals: dict[tuple, list[str]] = {}
    for seat in game.seats:
        keys = notebook.goals.keys(cells, seat)
        if not keys:
            continue
        text = notebook.goals.row(keys) or notebook.goals.otherwise(cells, seat)
        if text:
            goals.setdefault((text, notebook.goals.fulfilled(cells, seat)), []).append(narrator.seat(seat)("list"))
    said = []
    for (text, fulfilled), names in goals.items():
        if fulfilled is not None:
            text = language.say(N_("{goal} (fulfilled)") if fulfilled else N_("{goal} (not fulfilled)"), goal=text)
        said.append(language.labelled(language.list(names), text))
    return [*blocks, Block("", said)] if said else blocks


def tell_result(result: Result, narrator: Narrator, terminal: Terminal) -> None:
    for line in result_of(result, narrator, terminal.language):
        terminal.line(line)


def result_of(result: Result, narrator: Narrator, language: Language) -> list[str]:
    """Who has won, and how many points there were."""
    lines = [language.say(N_("Nobody has won."))]
    if result.winners:
        winners = [narrator.seat(seat) for seat in result.winners]
        lines = [
            language.ngettext(
                "{winners} has won.",
                "{winners} have won.",
                len(winners),
                winners=lambda form: language.list([seat(form) for seat in winners]),
            )
        ]
    if result.scores != {seat: int(seat in result.winners) for seat in result.scores}:  # the rules count points
        lines += [
            language.ngettext(
                "{seat} scores {number} point.", "{seat} scores {number} points.", score, seat=narrator.seat(seat)
            )
            for seat, score in result.scores.items()
        ]
    return lines
