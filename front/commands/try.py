"""`tabarro try`: looks at a rule file each time it is saved, and tells what has changed."""

from __future__ import annotations

import time
from pathlib import Path

from ...interpreter.resolve import Library
from ...speech.language import N_
from ..common.arguments import whole_number
from ..common.folders import folders
from ..common.layout import wrapped
from ..common.loading import rule_file
from ..common.streams import Terminal
from ..paper.book import Rulebook
from ..paper.figures import LENGTHS
from ..workbench.trying import Games, Version, parent_of, stamp

PAUSE = 0.25  # seconds between two looks at the file
MOST = 12  # lines of one kind that are shown
GAMES = 100


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("file", metavar="FILE", help=_("the path of a rule file, or the name of a game"))
    parser.add_argument(
        "--games",
        type=whole_number(language, 0, 10_000),
        default=GAMES,
        metavar="N",
        help=_("how many games are played in the background"),
    )
    parser.add_argument("--once", action="store_true", help=_("look at it once, and do not wait for changes"))


def run(args, terminal: Terminal) -> int:
    path = rule_file(args.file, Library(folders()))
    try:
        Trial(path, args.games, terminal).go_on(args.once)
    except KeyboardInterrupt:
        terminal.line()
    return 0


class Trial:
    def __init__(self, path: Path, games: int, terminal: Terminal):
        self.path, self.number, self.terminal, self.language = path, games, terminal, terminal.language
        self.before = parent_of(path, self.language)  # the last version without mistakes
        self.games: Games | None = None
        self.last: Games | None = None  # those of the version before
        self.shown = ""  # the line that is written over

    def go_on(self, once: bool) -> None:
        try:
            while True:
                seen = stamp(self.path)
                self._round()
                if once:
                    if self.games is not None:
                        self.games.wait()
                    self._report(over=True)
                    return
                self._report()
                self._status(self.language.say(N_("Waiting for the next change; Ctrl-C ends.")))
                while stamp(self.path) == seen:
                    time.sleep(PAUSE)
                    self._report()
                self._status("")
        finally:
            if self.games is not None:
                self.games.stop()
            self._status("")

    # --- one version --------------------------------------------------------------------------------------------------
    def _round(self) -> None:
        say, line = self.terminal.say, self.terminal.line
        if self.games is not None:
            self.games.stop()
            self.last = self.games if self.games.records else self.last
            self.games = None
        self._status(self.language.say(N_("Looking at {file} …"), file=self.path.name))
        version = Version.of(self.path, self.language)
        self._status("")
        self.terminal.heading(f"── {self.path.name} · {time.strftime('%H:%M:%S')} ".ljust(self.terminal.width - 2, "─"))
        if version.problems:
            self.terminal.complain(version.problems)
            count = len(version.problems)
            line(self.language.ngettext("{number} mistake was found.", "{number} mistakes were found.", count))
            return
        say(N_("{file} has no mistakes."), file=self.path.name)
        self.terminal.complain(version.doubts)
        self._list(N_("What has changed:"), version.changes(self.before, self.language))
        book = [f"{sign} {sentence}" for sign, sentence in version.rewritten(self.before)]
        self._list(N_("In the rulebook:"), book)
        self.before = version
        if version.game is not None and self.number:
            self.games = Games(self.path, version.game, self.number)

    def _list(self, heading: str, lines: list[str]) -> None:
        if not lines:
            return
        self.terminal.say(heading)
        for text in lines[:MOST]:
            first, *rest = wrapped(text, self.terminal.width - 6)
            self.terminal.line(f"  {first}")
            for more in rest:
                self.terminal.line(f"    {more}")
        if len(lines) > MOST:
            self.terminal.say(N_("  … and {number} more"), number=len(lines) - MOST)

    # --- games --------------------------------------------------------------------------------------------------------
    def _report(self, over: bool = False) -> None:
        """How the games go: on a terminal in a line that changes, at the end in lines that stay."""
        games = self.games
        if games is None:
            return
        if games.running and not over:
            if games.records:
                self._status(self._counted(games))
            return
        self.games, self.last = None, games if games.records else self.last
        self._status("")
        if games.failed:
            self.terminal.line(games.failed)
        elif games.records:
            self.terminal.line(self._counted(games))
            self._wins(games)
        if not over:
            self._status(self.language.say(N_("Waiting for the next change; Ctrl-C ends.")))

    def _counted(self, games: Games) -> str:
        lengths = games.lengths
        said = self.language.say(
            N_("Games: {done} of {all}; {length}: {least} to {most}, {middle} in the middle."),
            length=self.language.translate(LENGTHS[games.measure]),
            done=self.language.number(len(lengths)),
            all=self.language.number(games.number),
            least=self.language.number(lengths[0]),
            most=self.language.number(lengths[-1]),
            middle=self.language.number(lengths[len(lengths) // 2]),
        )
        if games.unfinished:
            said += " " + self.language.say(N_("Cut off: {number}."), number=self.language.number(games.unfinished))
        return said

    def _wins(self, games: Games) -> None:
        """Who has won how often, and how it was before."""
        game, wins = self.before.game, games.wins
        if game is None:
            return
        book = Rulebook(game, self.language)
        older = self.last_wins
        rows = []
        for seat, atom in zip(game.seats, game.vocabulary.seats, strict=True):
            row = [book.called(atom), self.language.percent(wins[seat] / len(games.records))]
            if older is not None:
                row.append(self.language.percent(older.get(seat, 0)))
            rows.append(row)
        headings = [N_("Seat"), N_("Wins"), *([N_("Before")] if older is not None else [])]
        self.terminal.table([self.language.translate(h) for h in headings], rows, (1, 2))
        self.last_wins = {seat: wins[seat] / len(games.records) for seat in game.seats}

    last_wins: dict[str, float] | None = None

    def _status(self, text: str) -> None:
        """A line that is written over; nothing where nobody looks."""
        if not self.terminal.out.isatty() or text == self.shown:
            return
        self.shown = text
        self.terminal.out.write("\r\x1b[K" + text[: self.terminal.width - 1])
        self.terminal.out.flush()
