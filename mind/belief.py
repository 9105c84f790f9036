"""What a player can know: the deals of the secrets that agree with his log.

A world is one way in which chance may have dealt what the player has not seen. Worlds are found by dealing, once, in
all ways that fit what he saw of it; then each thing he sees strikes out the worlds in which it could not have happened:
a choice that would not have been allowed, a reveal that would have shown something else. What others chose unseen is
left open, so the truth is never struck out. Nothing but the player's own log is read.

Where there are more deals than can be gone through, some are drawn at random instead, and new ones when few of them are
left. Then `exact` is no: what holds in all of them is likely, but not certain.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ..interpreter.cells import arguments_of, cell_of, cells_of
from ..interpreter.evaluate import evaluate
from ..interpreter.model import Expr, Function, Step, walk
from ..interpreter.trees import expression_at, walk_expressions
from .answers import (
    MISSING,
    THREE_VALUED,
    VALUED,
    Names,
    Tracked,
    Tree,
    Unknown,
    Way,
    allows,
    below,
    judge,
    names_of,
    parts_of,
    terms_of,
    was_asked,
)
from .dealing import Dealing
from .deals import Deals, World
from .hurry import Hurry
from .origins import Origin, origins_of
from .secrets import changing

if TYPE_CHECKING:
    from ..interpreter.blocks import Event
    from ..interpreter.game import Game
    from ..interpreter.observe import Row
    from ..interpreter.player import Player
    from ..interpreter.position import Position

__all__ = [
    "MISSING",
    "THREE_VALUED",
    "VALUED",
    "Belief",
    "Names",
    "Unknown",
    "World",
    "WorldCells",
    "is_seen_by",
    "judge",
    "names_of",
    "parts_of",
    "per_world",
]

BUDGET = 50_000  # worlds that are gone through one by one
SAMPLES = 500  # worlds that are drawn where there are more
REFILLS = 2  # times that as many are drawn again when few are left
KEPT = 400  # deals that are remembered
JUDGED = 20_000  # rows of which it is remembered in which worlds they can be

Found = TypeVar("Found")

_DEALS: dict[tuple[Any, ...], tuple[dict[int, int], frozenset[int], Deals, int, bool]] = {}
_LAYOUTS: dict[tuple[int, ...], int] = {}  # which secrets stand where in a world, numbered
_JUDGED: dict[tuple[Any, ...], Tree] = {}
_SILENT: dict[str, frozenset[int]] = {}  # by game
_CHANGING: dict[str, frozenset[int]] = {}  # by game
_OBSERVED: dict[tuple[str, int], frozenset[int]] = {}
_LOUD: dict[tuple[str, int, int], bytes] = {}
_RESETS: dict[str, dict[int, list[tuple[slice, list[Any]]]]] = {}  # by game
_TOLD: dict[str, dict[Row, int]] = {}  # by game: rows without what they tell -> the cell of which they tell it


class WorldCells(Tracked):
    """The cells of the state as they would be in one world."""

    def __init__(self, belief: Belief):
        super().__init__()
        self.belief = belief
        self.world: World = ()

    def __getitem__(self, cell: int) -> Any:
        belief = self.belief
        self.asked.append(cell)
        place = belief.place.get(cell)
        if place is not None:
            return self.world[place]
        if cell in belief.seen_cells:
            return belief.known[cell]
        raise Unknown


class Belief:
    """The worlds that one seat holds possible. `observe` takes the rows of its log as they come."""

    def __init__(self, game: Game, seat: str, budget: int | None = None, samples: int | None = None):
        self.game, self.seat = game, seat
        self.budget, self.samples = budget or BUDGET, samples or SAMPLES
        self.exact = True  # are these all worlds, or only some of them?
        self.me = game.vocabulary.seats[game.seat(seat)]
        self.mask = 1 << game.seat(seat)
        self.functions = [f for fs in game.vocabulary.functions.values() for f in fs if f.kind == "state"]
        self.deals, self.possible = Deals([]), 0  # all that were dealt, and those that agree with what was seen
        self._listed: list[World] | None = None
        self.weights: dict[World, float] = {}  # of worlds that are not as likely as all others, where that is known
        self.hurry = Hurry()
        self.asked: int | None = None  # the question that the seat is asked now, by its number
        self.place: dict[int, int] = {}  # cell of a secret -> where it stands in a world
        self.known: list[Any] = []  # the cells as far as they are seen
        self.seen_cells: frozenset[int] = frozenset()
        self.steady = True  # for whoever sets it: has all that was looked at since hung on the worlds alone?
        self._restless = False  # has something been looked at since that changes in the course of a game?
        self.dealt = False  # are there worlds that agree with all rows so far?
        self.games = 0  # games of the match before this one
        self._before: list[Row] = []  # rows of the dealing, until it is certain that all is dealt
        self._layout = -1
        self._complete = False  # no row can be of the dealing any more
        self._ended = False  # the game is over; if it was one of a match, another may be dealt
        self._midway = False  # is it known that chance goes on dealing?
        self._longest = 0  # rows that dealing writes at most
        self._lasting: list[Any] = []  # the cells as they were known at the end of the game before
        self._opening: tuple[Dealing, int] | None = None  # if not exact: the dealing that worlds are drawn from
        self._dealt_known: list[Any] = []  # if not exact: what was known after it
        self._since: list[Row] = []  # if not exact: the rows since then
        self._enough = 0  # if not exact: with so many worlds no new ones are drawn
        played = {
            step.callee.shape.split(" ")[0]
            for rule in game.program.rules.values()
            for step in walk(rule.steps)
            if step.verb == "play" and step.callee is not None
        }
        self._is_match = bool(played)
        self.silent = _silent(game)  # rows that tell nothing of any world
        self._changing = _changing(game)
        self._told = _TOLD.setdefault(game.digest, {})
        self._resets = _resets(game)
        self.openings = frozenset(
            e.number
            for e in game.program.events
            if e.kind == "reset" and e.functions and e.functions[0].lasts in played
        )  # rows with which a game of a match begins

    @property
    def worlds(self) -> list[World]:
        """Those that are possible, in order."""
        if self._listed is None:
            self._listed = self.deals.listed(self.possible)
        return self._listed

    @worlds.setter
    def worlds(self, worlds: list[World]) -> None:
        self.deals, self._listed = Deals(worlds), worlds
        self.possible = self.deals.all

    def keep(self, possible: int) -> None:
        """Only these are possible."""
        if possible != self.possible:
            self.possible, self._listed = possible, None

    def holds(self, world: World) -> bool:
        """Is it possible?"""
        return self.deals.is_in(world, self.possible)

    # --- from a log ---------------------------------------------------------------------------------------------------
    @classmethod
    def of(cls, player: Player, budget: int | None = None, samples: int | None = None) -> Belief:
        """What a player can know now, by all of his log."""
        belief = cls(player.game, player.seat, budget, samples)
        belief._midway = player.sees_dealing
        belief.observe(player.log.rows())
        return belief

    def observe(self, rows: Iterable[Row]) -> None:
        events, told, place, silent = self.game.program.events, self._told, self.place, self.silent
        resets = self._resets
        for row in rows:
            if self._complete and self.exact and not self._ended:  # most rows tell nothing, or what is in a cell
                if row[0] in silent:
                    continue
                cell = told.get(row[:-1])
                if cell is not None and cell not in place:
                    self.known[cell] = row[-1]
                    continue
                if row[0] in resets:
                    for cells, values in resets[row[0]]:
                        self.known[cells] = values
                    continue
            event = events[row[0]]
            if self._ended and not self._begins_anew(event):
                self._take(row)  # points, perhaps, or a last reveal
                continue
            if event.kind == "end":
                self.ready()
                self._ended = True
                continue
            if self._complete:
                self._take(row)
                continue
            self._before.append(row)
            self.dealt = False
            if event.kind in ("ask", "show"):
                self._deal_out(event.kind == "ask")
                place = self.place

    def hear(self, rows: list[Row]) -> bool:
        """Take in rows that may tell of worlds, without those between them. No, with nothing taken in, if what they
        tell hangs on what the others told."""
        before, self._restless = self.possible, False
        for row in rows:
            event = self.game.program.events[row[0]]
            f = event.function
            secret = event.kind == "set" and f is not None and cell_of(f, row[1:-1]) in self.place
            if secret or event.kind in ("ask", "show"):
                self.look_at(row)
            else:
                self._restless = True
            if self._restless:
                self.keep(before)
                return False
        return True

    def _begins_anew(self, event: Event) -> bool:
        """After the end of a game: is this row of another one, with secrets of its own? Then all is forgotten but what
        outlasts a game."""
        begins = event.number in self.openings if self.openings else self._is_match and event.kind in ("draw", "ask")
        if begins:
            self._ended = self._complete = self.dealt = False
            self.games, self._before, self._lasting = self.games + 1, [], self.known
        return begins

    def ready(self) -> Belief:
        """Deal now, if that has not been done. When all is over nothing is dealt any more: what was known stays so."""
        if not self.dealt:
            self._deal_out(False)
        return self

    def _deal_out(self, decided: bool) -> None:
        """Deal in all ways that agree with the rows so far. Once somebody has decided something all is dealt; before
        that, more may come, and then it is dealt again."""
        self.deal()
        if self._lasting:  # what outlasts a game, such as points, is in no log of the new one
            for function in self.functions:
                if not function.lasts:
                    for cell in cells_of(function):
                        if cell in self.seen_cells:
                            self.known[cell] = self._lasting[cell]
        self.dealt, self._complete = True, decided or self._longest < len(self._before)
        if not self.exact:
            self._dealt_known, self._since = self.known.copy(), []
            self._enough = len(self.worlds) // 4
        for row in self._before:
            self._take(row)
        if self._complete:
            self._before = []

    @property
    def observed_cells(self) -> frozenset[int]:
        """The cells that this seat always sees."""
        found = _OBSERVED.get((self.game.digest, self.me))
        if found is None:
            found = frozenset(c for f in self.functions for c in cells_of(f) if is_seen_by(self.me, f, c))
            while len(_OBSERVED) >= KEPT:
                del _OBSERVED[next(iter(_OBSERVED))]
            _OBSERVED[self.game.digest, self.me] = found
        return found

    @property
    def loud(self) -> bytes | None:
        """Of each event: 0 if it tells nothing but what stands in cells that this seat always sees, 1 if it may tell of
        worlds, and more if it may unless the seat itself stands in the row, at this place less two. None while any
        may."""
        if not self._complete or not self.dealt or self._ended or not self.possible:
            return None
        key = (self.game.digest, self.me, self._layout)
        found = _LOUD.get(key)
        if found is None:
            found = bytes(map(self._loudness, self.game.program.events))
            while len(_LOUD) >= KEPT:
                del _LOUD[next(iter(_LOUD))]
            _LOUD[key] = found
        return found

    def _loudness(self, event: Event) -> int:
        if event.number in self.silent:
            return 0
        if event.kind == "set" and event.function is not None:
            cells = cells_of(event.function)
            return 0 if _is_plainly_seen(event.function) and not any(c in self.place for c in cells) else 1
        if event.kind == "reset":
            return 0 if {c for f in event.functions for c in cells_of(f)} <= self.observed_cells else 1
        if event.kind == "ask" and event.context and "who" in event.names[:200]:  # as _chosen has it
            return 2 + event.names.index("who")
        return 1

    def imagined(self, world: World) -> Position | None:
        """A whole position of this world, where one is known."""
        return None

    @property
    def deal_id(self) -> tuple[int, int]:
        """The same as long as worlds mean the same."""
        return self.games, self._layout

    def supposing(self, worlds: list[World], known: list[Any] | None = None) -> Belief:
        """The same as if only these worlds were possible: what it takes in changes nothing here."""
        other = copy.copy(self)
        other.worlds, other.known = worlds, (self.known if known is None else known).copy()
        return other

    # --- dealing ------------------------------------------------------------------------------------------------------
    def deal(self) -> None:
        """All ways in which chance may have gone so far, as far as this seat did not see it.

        Which they are hangs only on what this seat was dealt, so they are kept for the games to come."""
        expected = self._before
        dealing = Dealing(self, expected, midway=self._midway)
        first, dealt_at, told = dealing.first()
        if first is None and not self._midway:  # the log breaks off in the middle of the dealing
            dealing = Dealing(self, expected, midway=True)
            first, dealt_at, told = dealing.first()
        key = (self.game.digest, self.seat, self.games > 0, dealing.midway, dealt_at, tuple(expected[:told]))
        found = _DEALS.get(key)
        if found is None:
            rng, leaves = random.Random(repr((self.seat, expected[:told]))), dealing.few(dealt_at)
            if leaves is None and dealing.estimate(dealt_at, rng) <= self.budget * 10:
                leaves = dealing.all(dealt_at)
            exact = leaves is not None
            if leaves is None:
                leaves = dealing.some(dealt_at, self.samples, rng)
            place, seen, worlds = self._settled(leaves, exact)
            found = (place, seen, Deals(worlds), dealing.longest, exact)
            if not dealing.too_long and not dealing.hurried:
                while len(_DEALS) >= KEPT:
                    del _DEALS[next(iter(_DEALS))]
                _DEALS[key] = found
        self.place, self.seen_cells, self.deals, self._longest, self.exact = found
        self.possible, self._listed = self.deals.all, None
        if self.exact and len(self.worlds) > self.budget:  # found by somebody with more patience
            self.worlds, self.exact = random.Random(1).sample(self.worlds, self.samples), False
        if not self.exact:
            self._opening = (dealing, dealt_at)
        self._layout = _LAYOUTS.setdefault(tuple(self.place), len(_LAYOUTS))
        self.known = first.cells() if first is not None else self._before_all()

    def _before_all(self) -> list[Any]:
        """The cells before anything has happened."""
        started = {cell: function.start for function in self.functions for cell in cells_of(function)}
        return [started[cell] for cell in range(len(started))]

    def _settled(self, leaves: list[Position], exact: bool) -> tuple[dict[int, int], frozenset[int], list[World]]:
        states = [position.cells() for position in leaves]
        seen: set[int] = set()
        fixed: set[int] = set()
        written = {id(function) for step in self._steps() for function in step.changes}
        for function in self.functions:
            visible = [cell for cell in cells_of(function) if is_seen_by(self.me, function, cell)]
            seen.update(visible)
            if id(function) not in written or function.view == "nobody":
                fixed.update(set(cells_of(function)) - set(visible))
        secrets = [cell for cell in sorted(fixed) if not exact or len({s[cell] for s in states}) > 1]
        worlds = list(dict.fromkeys(tuple(s[cell] for cell in secrets) for s in states))
        return {cell: index for index, cell in enumerate(secrets)}, frozenset(seen) | (fixed - set(secrets)), worlds

    def _steps(self) -> list[Step]:
        return [e.origin for e in self.game.program.events if e.origin is not None] + [
            n.step for n in self.game.program.nodes if n.step is not None
        ]

    def _refill(self) -> None:
        """Draw new worlds, and keep those that agree with all that was seen since the dealing."""
        assert self._opening is not None
        dealing, dealt_at = self._opening
        rng = random.Random(repr((self.seat, self._since)))
        for _ in range(REFILLS):
            drawn = [position.cells() for position in dealing.some(dealt_at, self.samples, rng)]
            worlds = list(dict.fromkeys(tuple(cells[cell] for cell in self.place) for cells in drawn))
            again = self.supposing(worlds, self._dealt_known)
            for row in self._since:
                again.look_at(row)
            self.worlds = list(dict.fromkeys([*self.worlds, *again.worlds]))
            if len(self.worlds) >= self.samples // 2:
                break
        self._enough = len(self.worlds) // 2  # not before half of these are struck out again

    # --- what is seen -------------------------------------------------------------------------------------------------
    def _take(self, row: Row) -> None:
        self.look_at(row)
        if not self.exact:
            self._since.append(row)
            if len(self.worlds) < self._enough:
                self._refill()

    def look_at(self, row: Row) -> None:
        """Strike out what this row tells cannot be; nothing else happens, even if few worlds are left."""
        if row[0] in self.silent:
            return
        cell = self._told.get(row[:-1])
        if cell is not None:  # most others tell what stands in a cell, and most cells are told again and again
            self._is_told(cell, row[-1])
            return
        event = self.game.program.events[row[0]]
        values = row[1:]
        if event.kind == "set" and event.function is not None:
            *args, value = values
            cell = self._told[row[:-1]] = cell_of(event.function, args)
            self._is_told(cell, value)
        elif event.kind == "reset":
            for cells, starts in self._resets[event.number]:
                self.known[cells] = starts
        elif event.kind == "ask" and event.origin is not None and event.context:
            self._chosen(event, event.origin, values)
        elif event.kind == "show" and event.origin is not None:
            self._shown(event, event.origin, values)

    def _is_told(self, cell: int, value: Any) -> None:
        place = self.place.get(cell)
        if place is None:
            self.known[cell] = value
        else:
            self.keep(self.possible & self.deals.holding(place).get(value, 0))

    def _chosen(self, event: Event, step: Step, values: tuple[Any, ...]) -> None:
        told = dict(zip(event.names, values))
        if told.get("who") == self.me:
            return
        names = names_of(event, values)
        alternative = next((a for a in step.alternatives if a.name == event.alternative), None)
        parts = parts_of(step, alternative)
        chosen = {part.var: told[part.var.name] for part in parts if part.var.name in told}
        self._keep(
            lambda cells: allows(step, alternative, chosen, names, cells),
            ("chosen", *terms_of(self.game, [Way(step, alternative, names)]), *map(chosen.get, [p.var for p in parts])),
        )

    def _shown(self, event: Event, step: Step, values: tuple[Any, ...]) -> None:
        shown, value = expression_at(step, "show"), values[event.names.index(next(iter(step.vars), "shown"))]
        names = names_of(event, values)

        def fits(cells: WorldCells) -> bool:
            try:
                if shown.type.kind == "truth":
                    return judge(shown, cells, names) == bool(value)
                return bool(evaluate(shown, cells, names) == value)
            except (Unknown, KeyError):
                return True

        self._keep(fits, (event.number, "fits", *values))
        ways = []
        for origin in self.origins(step):
            try:
                inside = {var: evaluate(expr, (), names) for var, expr in origin.terms.items()}
            except (KeyError, Unknown, IndexError):
                return  # it may have come about in a way that cannot be judged
            ways.append((Way(origin.step, origin.alternative, inside, origin.guards), {origin.part.var: value}))

        def came_about(cells: WorldCells) -> bool:
            return any(
                allows(way.step, way.alternative, chosen, way.names, cells) and was_asked(way, cells) is not False
                for way, chosen in ways
            )

        ways.sort(key=lambda pair: len(pair[0].guards))  # what is asked only if there is no other answer seldom is
        if ways:
            self._keep(came_about, ("shown", *terms_of(self.game, [way for way, _ in ways]), value))

    def _keep(self, fits: Callable[[WorldCells], bool], row: Row | None = None) -> None:
        """Strike out the worlds in which it does not fit."""
        self.keep(self.sorted_by(fits, row).get(True, 0))

    def sorted_by(self, look: Callable[[WorldCells], Found], row: Row | None) -> dict[Found, int]:
        """In which of the possible worlds what is found. It is kept under this row, which has to tell all that it hangs
        on besides the cells."""
        key = (self.game.digest, row)
        tree = _JUDGED.get(key) if row is not None else []
        if tree is None:
            while len(_JUDGED) >= JUDGED:
                del _JUDGED[next(iter(_JUDGED))]
            tree = _JUDGED[key] = []
        deals, where, cells = self.deals, self.place, WorldCells(self)
        found: dict[Found, int] = {}
        left = [(tree, self.possible)] if self.possible else []
        while left:
            branch, bits = left.pop()
            if len(branch) == 2:
                cell = branch[0]
                place = where.get(cell)
                if place is None:
                    self.steady = False
                    self._restless = self._restless or cell in self._changing
                    left.append((below(branch, cells.told(cell)), bits))
                    continue
                for value, those in deals.holding(place).items():
                    some = bits & those
                    if some:
                        left.append((below(branch, value), some))
            elif branch:
                found[branch[0]] = found.get(branch[0], 0) | bits
            else:
                cells.world, cells.asked = deals.first(bits), []
                cells.found_in(tree, lambda: look(cells))
                left.append((branch, bits))
        return found

    # --- where a revealed value was chosen ----------------------------------------------------------------------------
    def origins(self, step: Step) -> list[Origin]:
        """The questions whose answer a `show` may reveal: sealed choices, opened later, perhaps in another rule."""
        return origins_of(self.game, step)

    # --- what follows -------------------------------------------------------------------------------------------------
    def marginal(self, shape: str) -> dict[tuple[int, ...], dict[Any, float]]:
        """How likely each value of a secret is, if all worlds are as likely: arguments -> value -> probability."""
        self.ready()
        found: dict[tuple[int, ...], dict[Any, float]] = {}
        for function in self.game.vocabulary.functions.get(shape, ()):
            if function.kind != "state":
                continue
            for cell in cells_of(function):
                args = arguments_of(function, cell)
                if cell in self.place:
                    counts: dict[Any, float] = {}
                    for world in self.worlds:
                        value = world[self.place[cell]]
                        counts[value] = counts.get(value, 0) + 1
                    found[args] = {v: n / len(self.worlds) for v, n in counts.items()}
                elif cell in self.seen_cells:
                    found[args] = {self.known[cell]: 1.0}
        return found

    def chance_of(self, expr: Expr, names: Names) -> float | None:
        """How likely a condition is; None if it hangs on something that no world tells."""
        self.ready()
        try:
            hits = sum(per_world(self, lambda cells: judge(expr, cells, names)))
        except (Unknown, KeyError):
            return None
        return hits / len(self.worlds) if self.worlds else None


def _silent(game: Game) -> frozenset[int]:
    """The events of which nothing can be told but that they happened: choices, too, that anybody could make, whatever
    he holds, such as where to go on a board that all see."""
    found = _SILENT.get(game.digest)
    if found is None:
        told = ("set", "reset", "show", "end")
        found = frozenset(e.number for e in game.program.events if e.kind not in told and not _is_bound(e))
        while len(_SILENT) >= KEPT:
            del _SILENT[next(iter(_SILENT))]
        _SILENT[game.digest] = found
    return found


def _changing(game: Game) -> frozenset[int]:
    """The cells that may still change when somebody has decided something."""
    found = _CHANGING.get(game.digest)
    if found is None:
        while len(_CHANGING) >= KEPT:
            del _CHANGING[next(iter(_CHANGING))]
        again = {f for event in game.program.events if event.kind == "reset" for f in event.functions}
        found = _CHANGING[game.digest] = frozenset(c for f in changing(game) | again for c in cells_of(f))
    return found


def _resets(game: Game) -> dict[int, list[tuple[slice, list[Any]]]]:
    """By event: which cells begin again, and with what."""
    found = _RESETS.get(game.digest)
    if found is None:
        found = _RESETS[game.digest] = {
            event.number: [
                (slice(cells.start, cells.stop), [function.start] * len(cells))
                for function in event.functions
                for cells in (cells_of(function),)
            ]
            for event in game.program.events
            if event.kind == "reset"
        }
    return found


def _is_bound(event: Event) -> bool:
    """Does what can be chosen here hang on anything that not all see?"""
    step = event.origin
    if event.kind != "ask" or step is None or not event.context:
        return False
    alternative = next((a for a in step.alternatives if a.name == event.alternative), None)
    exprs: list[Expr | None] = [step.at.get("where")]
    if alternative is not None:
        exprs += [alternative.given, alternative.where]
    for part in parts_of(step, alternative):
        exprs += [part.source, part.amount, part.onto, *(e for _, *pair in part.which for e in pair)]
    inside = walk_expressions((e for e in exprs if e is not None), defined=True)
    return any(e.op == "state" and e.args[0].view != "all" for e in inside)


def _is_plainly_seen(function: Function) -> bool:
    """Who sees a cell of it, does that hang on nothing that may change?"""
    if not isinstance(function.view, Expr):
        return True
    return not any(e.op == "state" for e in walk_expressions([function.view], defined=True))


def per_world(belief: Belief, look: Callable[[WorldCells], Found], tree: Tree | None = None) -> Iterator[Found]:
    """What is found in each world, in order. Worlds that agree on all that was looked at are looked into once: at any
    time, if the tree of what was found is kept for this look."""
    tree = [] if tree is None else tree
    cells = WorldCells(belief)
    for world in belief.worlds:
        cells.world = world
        yield cells.found_in(tree, lambda: look(cells))
        cells.asked.clear()


def is_seen_by(seat: int, function: Function, cell: int) -> bool:
    """Does a seat always see this cell? If that hangs on the state: as far as belief goes, no."""
    if not isinstance(function.view, Expr):
        return function.view == "all"
    try:
        return seat in evaluate(function.view, (), dict(zip(function.variables, arguments_of(function, cell))))
    except (IndexError, TypeError):
        return False
