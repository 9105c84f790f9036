"""What came of many games: tables on the screen, everything as JSON, a plot; all from the same figures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...interpreter import Game
from ...interpreter.files import check_place
from ...lab.comparison import POINTS, compare
from ...lab.statistics import report
from ...speech.language import N_
from ..common.streams import Terminal
from .figures import Bench
from .plot import NoPainter, as_png, plot

__all__ = ["Played", "Report", "check_files"]

SCREEN = "-"  # instead of the name of a file


@dataclass(slots=True)
class Played:
    """The games of one setting."""

    name: str  # of the setting, where two are compared
    game: Game
    records: list[dict]

    def figures(self, about: dict[str, Any], bots: str) -> dict[str, Any]:
        """All figures, with how it was played."""
        game, options = self.game, {name: option.value for name, option in self.game.options.items()}
        head = {"game": game.id, "players": game.players, **about, "options": options, "bots": bots}
        return head | report(self.records)


class Report:
    def __init__(
        self,
        bench: Bench,
        terminal: Terminal,
        played: list[Played],
        about: dict[str, Any],
        bots: str,
        points: float = POINTS,
    ):
        self.bench, self.terminal, self.played = bench, terminal, played
        self.data = [one.figures(about, bots) for one in played]
        self.comparison = compare(played[0].records, played[1].records, points) if len(played) == 2 else None

    @property
    def games(self) -> int:
        return sum(one["games"] for one in self.data)

    def show(self, seconds: float | None) -> None:
        """On the screen; with how fast it went, if that is of interest."""
        bench = self.bench
        bench.heading(bench.title(self.data[0]))
        for one, figures in zip(self.played, self.data):
            bench.show(figures, one.name)
        if self.comparison is not None:
            bench.show_comparison(self.comparison, self.played[0].name, self.played[1].name)
        if seconds is not None:
            bench.show_speed(self.games, seconds)

    def write_json(self, file: str, compared: bool, force: bool) -> None:
        whole: Any = {"settings": self.data, "comparison": self.comparison} if compared else self.data[0]
        whole = {"made by": "tabarro simulate"} | whole
        self._write(file, json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n", force)

    def draw(self, file: str, force: bool) -> None:
        if not any(one["finished"] for one in self.data):
            raise self.terminal.refusal(N_("No game was finished, so there is nothing to draw."))
        nothing = [(self.terminal.language.translate(N_("No game was finished.")), [])]
        panels = [
            (one.name, self.bench.groups(figures) or nothing, self.bench.histogram(figures, one.records))
            for one, figures in zip(self.played, self.data)
        ]
        bench, both = self.bench, self.comparison
        differences = None if both is None else bench.differences(both, self.played[0].name, self.played[1].name)
        svg = plot(bench.title(self.data[0]), panels, bench.percent, differences)
        self._write(file, as_png(svg) if _is_png(file) else svg, force)

    def _write(self, file: str, content: str | bytes, force: bool) -> None:
        if file == SCREEN:
            self.terminal.out.write(content)
        else:
            self.terminal.write_file(file, content, force)


def check_files(figures: str | None, picture: str | None, force: bool, terminal: Terminal) -> None:
    """Can they be written? Better now than after an hour of games."""
    for name in (figures, picture):
        if name is not None and name != SCREEN:
            check_place(name, force)
    if picture is not None and Path(picture).suffix.lower() not in (".svg", ".png"):
        raise terminal.refusal(N_("A plot is written as .svg or as .png."))
    if picture is not None and _is_png(picture):
        try:
            as_png('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
        except NoPainter:
            raise terminal.refusal(
                N_("For .png install Tabarro with the extra “plot”; without it, write .svg.")
            ) from None


def _is_png(file: str) -> bool:
    return file.lower().endswith(".png")
