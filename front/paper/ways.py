"""How routes look in a terminal: each kind of way, and each set of kinds that two spaces share, with signs of its own.

Kinds can be told apart without colours: solid ones are light or heavy, dashed ones have dashes of several sorts, and
where several lead along one route, it is double.
"""

from __future__ import annotations

from collections.abc import Iterator

from .board import Board
from .routing import EAST, NORTH, SOUTH, WEST

__all__ = ["Kinds", "Ways"]

Kinds = tuple[int | None, ...]  # atoms: those who lead along one route, in their order
WATER = "36"
CORNERS = (NORTH | EAST, NORTH | WEST, SOUTH | EAST, SOUTH | WEST)
LIGHT, HEAVY, DOUBLE = range(3)
# A level stroke, an upright one, corners (N-E, N-W, S-E, S-W), and how strong it is.
Sort = tuple[str, str, str, int]
SOLID: tuple[Sort, ...] = (("─", "│", "└┘┌┐", LIGHT), ("━", "┃", "┗┛┏┓", HEAVY))
DASHES: tuple[Sort, ...] = (
    ("╌", "╎", "╰╯╭╮", LIGHT),
    ("┅", "┇", "┕┙┍┑", HEAVY),
    ("┈", "┊", "╘╛╒╕", LIGHT),
    ("╍", "╏", "┖┚┎┒", HEAVY),
    ("┄", "┆", "╙╜╓╖", LIGHT),
)
DOUBLES: tuple[Sort, ...] = (("═", "║", "╚╝╔╗", DOUBLE),)
PLAIN_SOLID: tuple[Sort, ...] = (("-", "|", "`',.", LIGHT), ("*", "*", "****", LIGHT))
PLAIN_DASHES: tuple[Sort, ...] = (
    ("~", "!", "`',.", LIGHT),
    ('"', '"', '""""', LIGHT),
    ("%", "%", "%%%%", LIGHT),
    ("&", "&", "&&&&", LIGHT),
    ("@", "@", "@@@@", LIGHT),
)
PLAIN_DOUBLES: tuple[Sort, ...] = (("=", "#", "`',.", LIGHT),)
CROSSINGS = {  # by how strong the upright stroke is, and the level one
    (LIGHT, LIGHT): "┼",
    (HEAVY, LIGHT): "╂",
    (LIGHT, HEAVY): "┿",
    (DOUBLE, LIGHT): "╫",
    (LIGHT, DOUBLE): "╪",
    (DOUBLE, DOUBLE): "╬",
}  # ╋ where there is no sign for both


class Ways:
    """The signs for the routes of a board."""

    def __init__(self, board: Board, unicode: bool):
        self.unicode = unicode
        self.kinds: dict[tuple[int, int], Kinds] = {}  # by the ends of a route
        dashed: dict[int | None, bool] = {}
        for route in board.routes:
            self.kinds[route.ends] = tuple(sorted((*self.kinds.get(route.ends, ()), route.kind), key=_order))
            dashed[route.kind] = route.dashed
        self.dashed: dict[Kinds, bool] = {(kind,): dashed[kind] for kind in sorted(dashed, key=_order)}
        several = sorted({kinds for kinds in self.kinds.values() if len(kinds) > 1}, key=lambda k: [*map(_order, k)])
        left = [*_sorts(unicode)]
        self.sorts: dict[Kinds, Sort] = {}
        for kinds in (*self.dashed, *several):
            fitting = DOUBLES + PLAIN_DOUBLES if len(kinds) > 1 else _of(self.dashed[kinds])
            sort = next((sort for sort in left if sort in fitting), None) or (left or [*_sorts(unicode)])[-1]
            self.sorts[kinds] = sort
            left = [other for other in left if other is not sort]

    def several(self) -> list[Kinds]:
        """The kinds that lead along one route together."""
        return [kinds for kinds in self.sorts if len(kinds) > 1]

    def level(self, kinds: Kinds) -> str:
        return self.sorts[kinds][0]

    def sign(self, kinds: Kinds, directions: int) -> str:
        level, upright, corners, _ = self.sorts[kinds]
        if directions in CORNERS:
            return corners[CORNERS.index(directions)]
        return level if directions == EAST | WEST else upright

    def crossing(self, upright: Kinds, level: Kinds) -> str:
        return CROSSINGS.get((self.sorts[upright][3], self.sorts[level][3]), "╋") if self.unicode else "+"

    def style(self, kinds: Kinds) -> str:
        return WATER if self.dashed.get(kinds) else ""


def _order(kind: int | None) -> int:
    return -1 if kind is None else kind


def _of(dashed: bool) -> tuple[Sort, ...]:
    return DASHES + PLAIN_DASHES if dashed else SOLID + PLAIN_SOLID


def _sorts(unicode: bool) -> Iterator[Sort]:
    yield from DOUBLES + SOLID + DASHES if unicode else PLAIN_DOUBLES + PLAIN_SOLID + PLAIN_DASHES
