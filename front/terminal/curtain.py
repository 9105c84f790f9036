"""The last picture at the full screen, when the game is over: the board, the last round, all that was secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from ...speech.language import N_
from ...speech.narrator import Narrator
from ..common.layout import wrapped
from ..paper.map import board_of as map_of
from ..paper.map import drawn
from .frames import STATUS, Choice, Frame, board_of, inked, log_of, side_of, without_colours
from .tabletop import lying
from .view import View

if TYPE_CHECKING:
    from .ending import Ending

__all__ = ["all_of", "curtain_of"]


def curtain_of(
    ending: Ending, views: Sequence[View], size: tuple[int, int], asked: str, labels: Sequence[str]
) -> Frame:
    """The picture, with what is asked below it; of one person who has played it is said who he was."""
    game, language = ending.umpire.game, ending.language
    title, mine = language.text(game.name), views[0] if len(views) == 1 else None
    if mine is not None:
        title += f" · {language.say(N_('You are {name}.'), name=mine.called)}"
    word = language.pgettext("command", "log") or "log"
    frame = Frame(
        title=title,
        log=log_of(Narrator(game, language), ending.last, mine.seat.seat if mine is not None else "", size[0]),
        told=ending.told,
        question=" ".join((*ending.result, asked)),
        choices=[Choice(str(number), label) for number, label in enumerate(labels, 1)],
        keys=[("F6", word, "log")],
    )
    board = map_of(game)
    if board is not None and not board.grid:  # a map stays where it is: it would take long to lay it out anew
        frame.status, frame.head, frame.question = "\n".join(ending.result), STATUS, asked
    columns, rows = board_of(size, frame.head)
    picture = drawn(game, ending.known, (columns, rows), language)
    frame.board, frame.key = (without_colours(inked(part)) for part in (picture.text, picture.key))
    if frame.board:
        frame.sheets = [_revealed(ending, side_of(size[0]) - 2)]
    else:
        lies = lying(views[0], columns - 2, {})[0] if views else Text(no_wrap=True)
        frame.table = without_colours(lies.append_text(_revealed(ending, columns - 2)))
    return frame


def _revealed(ending: Ending, width: int) -> Text:
    text = Text(no_wrap=True)
    for number, block in enumerate(ending.blocks):
        text.append("\n" if number else "")
        for line in wrapped(block.title, width) if block.title else ():
            text.append(line + "\n", "bold")
        for line in (part for said in block.lines for part in wrapped(said, width, "", "  ")):
            text.append(line + "\n")
    text.right_crop(1 if ending.blocks else 0)
    return text


def all_of(ending: Ending, width: int) -> Text:
    """The same as a page to read, from which nothing is left out."""
    text = Text(no_wrap=True)
    for line in (part for turn in ending.last for said in turn.lines for part in wrapped(said, width, "  ", "    ")):
        text.append(line + "\n")
    text.append("\n")
    for line in (part for said in ending.result for part in wrapped(said, width)):
        text.append(line + "\n", "bold")
    return text.append("\n").append_text(_revealed(ending, width))
