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

from ..interpreter.cells import Cells, arguments_of, cell_of, cells_of
from ..interpreter.evaluate import evaluate
from ..interpreter.model import Alternative, Expr, Function, Part, Step, Var, walk
from ..interpreter.operations import WHOLE
from ..interpreter.trees import expression_at, walk_expressions
from .dealing import Dealing
from .origins import Origin, Origins

if TYPE_CHECKING:
    from ..interpreter.blocks import Event
    from ..interpreter.game import Game
    from ..interpreter.observe import Row
    from ..interpreter.player import Player
    from ..interpreter.position import Position

__all__ = ["MISSING", "Belief", "Names", "Unknown", "World", "WorldCells", "judge", "names_of", "parts_of", "per_world"]

BUDGET = 50_000  # worlds that are gone through one by one
SAMPLES = 500  # worlds that are drawn where there are more
REFILLS = 2  # times that as many are drawn again when few are left
KEPT = 400  # deals that are remembered
JUDGED = 20_000  # rows of which it is remembered in which worlds they can be

World = tuple[Any, ...]  # the values of all secrets, in the order of `Belief.place`
Names = dict[Var, Any]
Found = TypeVar("Found")
Tree = list[Any]  # what was found in worlds: [place of a secret, {its value: tree}], [what was found], or nothing yet

_DEALS: dict[tuple[Any, ...], tuple[dict[int, int], frozenset[int], list[World], int, bool]] = {}
_LAYOUTS: dict[tuple[int, ...], int] = {}  # which secrets stand where in a world, numbered
_JUDGED: dict[tuple[Any, ...], Tree] = {}
_SILENT: dict[str, frozenset[int]] = {}  # by game

# What `judge` does with each operation: decide it as far as its parts are known, or have it valued as a whole.
THREE_VALUED = frozenset({"and", "or", "not", "cond", "exists", "every", "word", "formula"})
VALUED = WHOLE | {"var", "state", "eq", "member"}


class Unknown(Exception):
    """A value that the player cannot know, and that no world tells."""


MISSING = (Unknown, KeyError, IndexError, TypeError)  # what cannot be looked up in a world raises one of these


class WorldCells:
    """The cells of the state as they would be in one world; notes which secrets were looked at."""

    def __init__(self, belief: Belief):
        self.belief = belief
        self.world: World = ()
        self.asked: list[int] = []  # secrets, in the order in which they were looked at
        self.changing = False  # was anything looked at that is not a secret of others?

    def __getitem__(self, cell: int) -> Any:
        belief = self.belief
        place = belief.place.get(cell)
        if place is not None:
            self.asked.append(place)
            return self.world[place]
        self.changing = True
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
        self.worlds: list[World] = []
        self.weights: dict[World, float] = {}  # of worlds that are not as likely as all others, where that is known
        self.asked: int | None = None  # the question that the seat is asked now, by its number
        self.place: dict[int, int] = {}  # cell of a secret -> where it stands in a world
        self.known: list[Any] = []  # the cells as far as they are seen
        self.seen_cells: frozenset[int] = frozenset()
        self.steady = True  # for whoever sets it: has all that was looked at since hung on the worlds alone?
        self.dealt = False  # are there worlds that agree with all rows so far?
        self.games = 0  # games of the match before this one
        self._before: list[Row] = []  # rows of the dealing, until it is certain that all is dealt
        self._origins: dict[int, list[Origin]] = {}
        self._told: dict[Row, int] = {}  # rows without what they tell -> the cell of which they tell it
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
        self.openings = frozenset(
            e.number
            for e in game.program.events
            if e.kind == "reset" and e.functions and e.functions[0].lasts in played
        )  # rows with which a game of a match begins

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
        for row in rows:
            if self._complete and self.exact and not self._ended:  # most rows tell nothing, or what is in a cell
                if row[0] in silent:
                    continue
                cell = told.get(row[:-1])
                if cell is not None and cell not in place:
                    self.known[cell] = row[-1]
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
        return frozenset(c for f in self.functions for c in cells_of(f) if is_seen_by(self.me, f, c))

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
            found = (*self._settled(leaves, exact), dealing.longest, exact)
            if not dealing.too_long:
                while len(_DEALS) >= KEPT:
                    del _DEALS[next(iter(_DEALS))]
                _DEALS[key] = found
        self.place, self.seen_cells, self.worlds, self._longest, self.exact = found
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
        changing = {id(function) for step in self._steps() for function in step.changes}
        for function in self.functions:
            visible = [cell for cell in cells_of(function) if is_seen_by(self.me, function, cell)]
            seen.update(visible)
            if id(function) not in changing or function.view == "nobody":
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
            for function in event.functions:
                for cell in cells_of(function):
                    self.known[cell] = function.start
        elif event.kind == "ask" and event.origin is not None and event.context:
            self._chosen(event, event.origin, values)
        elif event.kind == "show" and event.origin is not None:
            self._shown(event, event.origin, values)

    def _is_told(self, cell: int, value: Any) -> None:
        place = self.place.get(cell)
        if place is None:
            self.known[cell] = value
        else:
            self._keep(lambda cells: cells.world[place] == value)

    def _chosen(self, event: Event, step: Step, values: tuple[Any, ...]) -> None:
        told = dict(zip(event.names, values))
        if told.get("who") == self.me:
            return
        names = names_of(event, values)
        alternative = next((a for a in step.alternatives if a.name == event.alternative), None)
        chosen = {part.var: told[part.var.name] for part in parts_of(step, alternative) if part.var.name in told}
        self._keep(lambda cells: self.allows(step, alternative, chosen, names, cells), (event.number, *values))

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
        for origin, alternative, part, terms in self.origins(step):
            try:
                inside = {var: evaluate(expr, (), names) for var, expr in terms.items()}
            except (KeyError, Unknown, IndexError):
                return  # it may have come about in a way that cannot be judged
            ways.append((origin, alternative, {part.var: value}, inside))
        if ways:
            self._keep(lambda cells: any(self.allows(*way, cells) for way in ways), (event.number, "ways", *values))

    def _keep(self, fits: Callable[[WorldCells], bool], row: Row | None = None) -> None:
        """Strike out the worlds in which it does not fit."""
        found = self.judged(fits, row)
        self.worlds = [world for world, fit in zip(self.worlds, found, strict=True) if fit]

    def judged(self, look: Callable[[WorldCells], Found], row: Row | None) -> list[Found]:
        """What is found in each world, in order. It is kept under this row, if it hangs on nothing but the world."""
        cells, key = WorldCells(self), (self.game.digest, self.seat, self._layout, row)
        tree: Tree = _JUDGED.get(key, []) if row is not None else []
        found = list(per_world(self, look, tree, cells))
        if cells.changing:
            _JUDGED.pop(key, None)
        elif row is not None and key not in _JUDGED:
            while len(_JUDGED) >= JUDGED:
                del _JUDGED[next(iter(_JUDGED))]
            _JUDGED[key] = tree
        self.steady = self.steady and not cells.changing
        return found

    def allows(
        self, step: Step, alternative: Alternative | None, chosen: Names, names: Names, cells: WorldCells
    ) -> bool:
        """Could this have been chosen? Yes, unless something that can be known forbids it."""
        names = dict(names)

        def holds(expr: Expr | None) -> bool:
            try:
                return expr is None or judge(expr, cells, names)
            except (Unknown, KeyError):
                return True

        if alternative is not None and not holds(alternative.given):
            return False
        for part in parts_of(step, alternative):
            if part.var not in chosen:
                return True
            value = names[part.var] = chosen[part.var]
            try:
                if not self._offered(part, value, names, cells):
                    return False
            except (Unknown, KeyError):
                continue
        return holds(step.at.get("where")) and (alternative is None or holds(alternative.where))

    def _offered(self, part: Part, value: Any, names: Names, cells: WorldCells) -> bool:
        if part.shape == "match":
            return True
        if part.shape == "one":
            if part.source.op == "filter":
                var, source, test = part.source.args
                return value in evaluate(source, cells, names) and judge(test, cells, {**names, var: value})
            return value in evaluate(part.source, cells, names)
        assert part.amount is not None
        pool = evaluate(part.source, cells, names)
        least, most = evaluate(part.amount, cells, names)
        if not least <= len(value) <= most or any(x not in pool for x in value):
            return False
        for var, test, amount in part.which:
            low, high = evaluate(amount, cells, names)
            sure = maybe = 0
            for x in value:
                try:
                    sure += judge(test, cells, {**names, var: x})
                except Unknown:
                    maybe += 1
            if sure > high or sure + maybe < low:
                return False
        return True

    # --- where a revealed value was chosen ----------------------------------------------------------------------------
    def origins(self, step: Step) -> list[Origin]:
        """The questions whose answer a `show` may reveal: sealed choices, opened later, perhaps in another rule."""
        if id(step) not in self._origins:
            self._origins[id(step)] = Origins(self.game).of(step)
        return self._origins[id(step)]

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


def per_world(
    belief: Belief, look: Callable[[WorldCells], Found], tree: Tree | None = None, cells: WorldCells | None = None
) -> Iterator[Found]:
    """What is found in each world, in order. Worlds that agree on all that was looked at are looked into once: what was
    found in them stands in the tree."""
    tree, cells = [] if tree is None else tree, cells or WorldCells(belief)
    for world in belief.worlds:
        branch = tree
        while len(branch) == 2:
            place, below = branch
            branch = below.get(world[place])
            if branch is None:
                branch = below[world[place]] = []
        if not branch:
            cells.world, cells.asked = world, []
            found = look(cells)
            branch = tree
            for place in dict.fromkeys(cells.asked):
                if not branch:
                    branch += [place, {}]
                branch = branch[1].setdefault(world[place], [])
            branch[:] = [found]
        yield branch[0]


def is_seen_by(seat: int, function: Function, cell: int) -> bool:
    """Does a seat always see this cell? If that hangs on the state: as far as belief goes, no."""
    if not isinstance(function.view, Expr):
        return function.view == "all"
    try:
        return seat in evaluate(function.view, (), dict(zip(function.variables, arguments_of(function, cell))))
    except (IndexError, TypeError):
        return False


def names_of(event: Event, values: tuple[Any, ...]) -> Names:
    """The variables that a row of the log tells."""
    names = dict(zip(event.context, values[len(event.names) :]))
    if event.kind == "show" and event.origin is not None:
        told = dict(zip(event.names, values))
        for var in event.origin.visible:
            if var.name in told:
                names.setdefault(var.origin, told[var.name])
    return names


def parts_of(step: Step, alternative: Alternative | None) -> list[Part]:
    """What is chosen when this alternative is taken."""
    return [*step.parts, *(alternative.parts if alternative is not None else ())]


def judge(expr: Expr, cells: Cells, names: Names) -> bool:
    """A condition of which some parts may be unknown: raises Unknown only if the rest does not decide it."""
    op, args = expr.op, expr.args
    if op in ("and", "or"):
        return _decided(op == "or", [(side, names) for side in args], cells)
    if op == "not":
        return not judge(args[0], cells, names)
    if op == "cond":
        return judge(args[1] if judge(args[0], cells, names) else args[2], cells, names)
    if op in ("exists", "every"):
        inside = ((args[2], {**names, args[0]: element}) for element in evaluate(args[1], cells, names))
        return _decided(op == "exists", inside, cells)
    if op in ("word", "formula") and expr.type.kind == "truth":
        function, inputs = args[0], tuple(evaluate(a, cells, names) for a in args[1])
        if None in inputs:
            return False
        body = function.body if op == "word" else function.values[inputs[: function.keys]]
        return judge(body, cells, dict(zip(function.variables, inputs)))
    return bool(evaluate(expr, cells, names))


def _decided(stop: bool, tests: Iterable[tuple[Expr, Names]], cells: Cells) -> bool:
    """What the first of these conditions decides that comes out so; the opposite, if none does and all are known."""
    unknown = False
    for test, names in tests:
        try:
            if judge(test, cells, names) == stop:
                return stop
        except Unknown:
            unknown = True
    if unknown:
        raise Unknown
    return not stop
