"""The board of a game as data: its spaces, the routes between them, what moves on them; from the section `screens`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...interpreter import Game
from ...interpreter.presentation import Chart

__all__ = ["OWN", "Board", "Route", "Space", "board_of"]

OWN = "*"  # beside what is known: by their names, the places that one keeps to oneself; and their sign on the board


@dataclass(slots=True)
class Space:
    atom: int
    id: str
    name: str  # as the rules write it, the same in every language
    x: float
    y: float
    number: int | None = None
    colour: int | None = None
    home: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    ends: tuple[int, int]  # places in the list of spaces
    kind: int | None  # the atom that says by which way
    dashed: bool


@dataclass(slots=True)
class Board:
    spaces: list[Space]
    routes: list[Route]
    pieces: str  # shape of the state that says where a piece is
    holds: str  # shape of the state that says what is on a space
    movable: tuple[int, ...]  # the pieces
    colours: dict[int, str]  # paint, by atom
    signs: dict[int, str]  # by atom, where the rules say one
    grid: list[list[int]] = field(default_factory=list)  # a board of squares: places in the list of spaces

    def standing(self, known: Mapping[str, Mapping[tuple, Any]]) -> dict[str, list[str]]:
        """Who stands where, by names: of a space, those on it."""
        found: dict[str, list[str]] = {}
        for (piece, *_), space in known.get(self.pieces, {}).items():
            if space is not None:
                found.setdefault(space, []).append(piece)
        for (space, *_), held in known.get(self.holds, {}).items():
            if held is not None:
                found.setdefault(space, []).append(held)
        return found


def board_of(game: Game) -> Board | None:
    """The board of a game, or None if its rules tell of none."""
    chart, words = game.screens.chart, game.vocabulary
    if chart is None:
        return None
    names, spaces = game.texts.things[chart.spaces.name].names, []
    at, number, colour, home = (
        chart.columns[key].values if key in chart.columns else {} for key in ("at", "number", "colour", "home")
    )
    for index, atom in enumerate(chart.spaces.atoms):
        thing = words.atoms[atom]
        own = names.get(thing.name)
        own = own if isinstance(own, str) else thing.name.replace("_", " ")
        x, y = (*at.get((atom,), ()), index, index)[:2] if at.get((atom,)) else (index, index)
        spaces.append(
            Space(atom, thing.name, own, x, y, number.get((atom,)), colour.get((atom,)), bool(home.get((atom,))))
        )
    places = {atom: index for index, atom in enumerate(chart.spaces.atoms)}
    grid = [[places[atom] for atom in row] for row in chart.rows]
    for y, row in enumerate(grid):
        for x, index in enumerate(row):
            spaces[index].x, spaces[index].y = x * 100, y * 100
    pieces, holds = chart.pieces, chart.holds
    return Board(
        spaces,
        _routes(chart, places),
        pieces.shape if pieces else "",
        holds.shape if holds else "",
        tuple(sorted(pieces.params[0].type.atoms)) if pieces else (),
        game.screens.colours,
        game.screens.signs,
        grid,
    )


def _routes(chart: Chart, places: Mapping[int, int]) -> list[Route]:
    if chart.links is None:
        return []
    found = {}
    for (start, *kind), ends in sorted(chart.links.values.items()):
        way = kind[0] if kind else None
        for end in ends:
            pair = tuple(sorted((places[start], places[end])))
            found[pair, way] = Route(pair, way, way in chart.dashed)
    return [found[key] for key in sorted(found, key=str)]
