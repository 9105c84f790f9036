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
from collections.abc import Iterable
from typing import Any

from ..interpreter.evaluate import evaluate, slot_of
from ..interpreter.model import Alternative, Expr, Function, Part, Step, Var, walk
from ..interpreter.observe import seen_rows
from ..interpreter.slots import HEADER
from .dealing import Dealing
from .origins import Origins

__all__ = ["Belief"]

BUDGET = 50_000  # worlds that are gone through one by one
SAMPLES = 500  # worlds that are drawn where there are more
REFILLS = 2  # times that as many are drawn again when few are left
KEPT = 400  # deals that are remembered
_DEALS: dict[tuple, tuple] = {}
_LAYOUTS: dict[tuple, int] = {}  # which secrets stand where in a world, numbered
JUDGED = 20_000  # rows of which it is remembered in which worlds they can be
_JUDGED: dict[tuple, list] = {}


class Unknown(Exception):
    """A value that the player cannot know, and that no world tells."""


class _Slots:
    """The state as it would be in one world; notes which secrets were looked at."""

    def __init__(self, belief: Belief):
        self.belief = belief
        self.world: tuple = ()
        self.asked: list[int] = []  # secrets, in the order in which they were looked at
        self.changing = False  # was anything looked at that is not a secret of others?

    def __getitem__(self, slot: int) -> Any:
        belief = self.belief
        place = belief.place.get(slot)
        if place is not None:
            self.asked.append(place)
            return self.world[place]
        self.changing = True
        if slot in belief.seen_slots:
            return belief.known[slot]
        raise Unknown


class Belief:
    """The worlds that one seat holds possible. `observe` takes the rows of its log as they come."""

    def __init__(self, game, seat: str, budget: int | None = None, samples: int | None = None):
        self.game, self.seat = game, seat
        self.budget, self.samples = budget or BUDGET, samples or SAMPLES
        self.exact = True  # are these all worlds, or only some of them?
        self.me = game.vocabulary.seats[game.seat(seat)]
        self.mask = 1 << game.seat(seat)
        self.functions = [f for fs in game.vocabulary.functions.values() for f in fs if f.kind == "state"]
        self.worlds: list[tuple] = []
        self.place: dict[int, int] = {}  # slot of a secret -> where it stands in a world
        self.known: list[Any] = []  # the state as far as it is seen
        self.seen_slots: frozenset[int] = frozenset()
        self._before: list[tuple] = []  # rows of the dealing, until it is certain that all is dealt
        self._origins: dict[int, list] = {}
        self._layout = -1
        self.dealt = False  # are there worlds that agree with all rows so far?
        self._complete = False  # no row can be of the dealing any more
        self._ended = False  # the game is over; if it was one of a match, another may be dealt
        self._midway = False  # is it known that chance goes on dealing?
        self._longest = 0  # rows that dealing writes at most
        self._games = 0  # games of the match before this one
        self._lasting: list[Any] = []  # the state as it was known at the end of the game before
        self._opening: tuple = ()  # if not exact: the dealing that worlds are drawn from, and what was known after it
        self._since: list[tuple] = []  # if not exact: the rows since then
        self._enough = 0  # if not exact: with so many worlds no new ones are drawn
        played = {
            step.callee.shape.split(" ")[0]
            for rule in game.program.rules.values()
            for step in walk(rule.steps)
            if step.verb == "play"
        }
        self._is_match = bool(played)
        self._openings = frozenset(
            e.number
            for e in game.program.events
            if e.kind == "reset" and e.functions and e.functions[0].lasts in played
        )  # rows with which a game of a match begins

    # --- from a log ---------------------------------------------------------------------------------------------------
    @classmethod
    def of(cls, state, seat: str, budget: int | None = None, samples: int | None = None) -> Belief:
        """Straight from a state, reading nothing of it but this seat's log."""
        belief = cls(state.game, seat, budget, samples)
        belief._midway = state.actor == "chance"
        belief.observe(seen_rows(state.v[1], belief.mask))
        return belief

    def observe(self, rows: Iterable[tuple]) -> None:
        events = self.game.program.events
        for row in rows:
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

    def _begins_anew(self, event) -> bool:
        """After the end of a game: is this row of another one, with secrets of its own? Then all is forgotten but what
        outlasts a game."""
        begins = event.number in self._openings if self._openings else self._is_match and event.kind in ("draw", "ask")
        if begins:
            self._ended = self._complete = self.dealt = False
            self._games, self._before, self._lasting = self._games + 1, [], self.known
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
                    for slot in self._slots(function):
                        if slot in self.seen_slots:
                            self.known[slot] = self._lasting[slot]
        self.dealt, self._complete = True, decided or self._longest < len(self._before)
        if not self.exact:
            self._opening, self._since = (*self._opening, self.known.copy()), []
            self._enough = len(self.worlds) // 4
        for row in self._before:
            self._take(row)
        if self._complete:
            self._before = []

    @property
    def deal_id(self) -> tuple:
        """The same as long as worlds mean the same."""
        return self._games, self._layout

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
        key = (self.game.digest, self.seat, self._games > 0, dealing.midway, dealt_at, tuple(expected[:told]))
        found = _DEALS.get(key)
        if found is None:
            rng, leaves = random.Random(repr((self.seat, expected[:told]))), None
            if dealing.estimate(dealt_at, rng) <= self.budget * 10:
                leaves = dealing.all(dealt_at)
            exact = leaves is not None
            found = (
                *self._settled(leaves if exact else dealing.some(dealt_at, self.samples, rng), exact),
                dealing.longest,
                exact,
            )
            if not dealing.too_long:
                while len(_DEALS) >= KEPT:
                    del _DEALS[next(iter(_DEALS))]
                _DEALS[key] = found
        self.place, self.seen_slots, self.worlds, self._longest, self.exact = found
        if self.exact and len(self.worlds) > self.budget:  # found by somebody with more patience
            self.worlds, self.exact = random.Random(1).sample(self.worlds, self.samples), False
        if not self.exact:
            self._opening = (dealing, dealt_at)
        self._layout = _LAYOUTS.setdefault(tuple(self.place), len(_LAYOUTS))
        size = self.game.program.state_slots
        self.known = (first if first is not None else self.game.program.start)[HEADER : HEADER + size]

    def _settled(self, leaves: list[list], exact: bool) -> tuple[dict[int, int], frozenset[int], list[tuple]]:
        size = self.game.program.state_slots
        states = [v[HEADER : HEADER + size] for v in leaves]
        seen, fixed = set(), set()
        changing = {id(function) for step in self._steps() if step.verb == "set" for function, _, _ in step.targets}
        for function in self.functions:
            visible = [slot for slot in self._slots(function) if self._sees(function, slot)]
            seen.update(visible)
            if id(function) not in changing or function.view == "nobody":
                fixed.update(set(self._slots(function)) - set(visible))
        secrets = [slot for slot in sorted(fixed) if not exact or len({s[slot] for s in states}) > 1]
        worlds = list(dict.fromkeys(tuple(s[slot] for slot in secrets) for s in states))
        return {slot: index for index, slot in enumerate(secrets)}, frozenset(seen) | (fixed - set(secrets)), worlds

    def _steps(self) -> list[Step]:
        return [e.origin for e in self.game.program.events if e.origin is not None] + [
            n.step for n in self.game.program.nodes if n.step is not None
        ]

    def _slots(self, function: Function) -> range:
        size = 1
        for param in function.params:
            size *= len(param.type.atoms)
        return range(function.base, function.base + size)

    def _sees(self, function: Function, slot: int) -> bool:
        if function.view in ("all", "nobody"):
            return function.view == "all"
        names = dict(zip(function.variables, self._args(function, slot)))
        try:
            return self.me in evaluate(function.view, (), names)
        except (IndexError, TypeError):  # it depends on the state who sees it: as far as belief goes, not seen
            return False

    def _refill(self) -> None:
        """Draw new worlds, and keep those that agree with all that was seen since the dealing."""
        dealing, dealt_at, known = self._opening
        rng = random.Random(repr((self.seat, self._since)))
        for _ in range(REFILLS):
            again = copy.copy(self)
            leaves = dealing.some(dealt_at, self.samples, rng)
            again.worlds = list(dict.fromkeys(tuple(v[HEADER + slot] for slot in self.place) for v in leaves))
            again.known = known.copy()
            for row in self._since:
                again._look_at(row)
            self.worlds = list(dict.fromkeys([*self.worlds, *again.worlds]))
            if len(self.worlds) >= self.samples // 2:
                break
        self._enough = len(self.worlds) // 2  # not before half of these are struck out again

    # --- what is seen -------------------------------------------------------------------------------------------------
    def _take(self, row: tuple) -> None:
        self._look_at(row)
        if not self.exact:
            self._since.append(row)
            if len(self.worlds) < self._enough:
                self._refill()

    def _look_at(self, row: tuple) -> None:
        event = self.game.program.events[row[0]]
        values = row[1:]
        if event.kind == "set":
            *args, value = values
            slot = slot_of(event.function, args)
            if slot not in self.place:
                self.known[slot] = value
            else:
                self._keep(lambda slots, index=self.place[slot]: slots.world[index] == value)
        elif event.kind == "reset":
            for function in event.functions:
                for slot in self._slots(function):
                    self.known[slot] = function.start
        elif event.kind == "ask" and event.origin is not None and event.context:
            self._chosen(event, values)
        elif event.kind == "show" and event.origin is not None:
            self._shown(event, values)

    def _chosen(self, event, values: tuple) -> None:
        told = dict(zip(event.names, values))
        if told.get("who") == self.me:
            return
        names, step = names_of(event, values), event.origin
        alternative = next((a for a in step.alternatives if a.name == event.alternative), None)
        chosen = {part.var: told[part.var.name] for part in _parts(step, alternative) if part.var.name in told}
        self._keep(lambda slots: self.allows(step, alternative, chosen, names, slots), (event.number, *values))

    def _shown(self, event, values: tuple) -> None:
        step = event.origin
        value = values[event.names.index(next(iter(step.vars), "shown"))]
        names = names_of(event, values)

        def fits(slots: _Slots) -> bool:
            try:
                if step.at["show"].type.kind == "truth":
                    return judge(step.at["show"], slots, names) == bool(value)
                return evaluate(step.at["show"], slots, names) == value
            except (Unknown, KeyError):
                return True

        self._keep(fits, (event.number, "fits", *values))
        ways = []
        for origin, alternative, part, terms in self.origins(step):
            try:
                ways.append(
                    (
                        origin,
                        alternative,
                        {part.var: value},
                        {var: evaluate(expr, (), names) for var, expr in terms.items()},
                    )
                )
            except (KeyError, Unknown, IndexError):
                return  # it may have come about in a way that cannot be judged
        if ways:
            self._keep(lambda slots: any(self.allows(*way, slots) for way in ways), (event.number, "ways", *values))

    def _keep(self, fits, row: tuple | None = None) -> None:
        """Strike out the worlds in which it does not fit. Worlds that agree on what was looked at are judged once; what
        was found for a row that hangs on nothing else is kept for the next time it is seen."""
        slots = _Slots(self)
        key = (self.game.digest, self.seat, self._layout, row)
        tree: list = _JUDGED.get(key, []) if row is not None else []  # [secret, {value: branch}] or [answer]
        kept = []
        for world in self.worlds:
            branch = tree
            while len(branch) == 2:
                below = branch[1].get(world[branch[0]])
                if below is None:
                    below = branch[1][world[branch[0]]] = []
                branch = below
            if not branch:
                slots.world, slots.asked = world, []
                answer = fits(slots)
                branch = tree
                for place in dict.fromkeys(slots.asked):
                    if not branch:
                        branch += [place, {}]
                    branch = branch[1].setdefault(world[place], [])
                branch[:] = [answer]
            if branch[0]:
                kept.append(world)
        self.worlds = kept
        if slots.changing:
            _JUDGED.pop(key, None)
        elif row is not None and key not in _JUDGED:
            while len(_JUDGED) >= JUDGED:
                del _JUDGED[next(iter(_JUDGED))]
            _JUDGED[key] = tree

    def allows(
        self, step: Step, alternative: Alternative | None, chosen: dict[Var, Any], names: dict[Var, Any], slots: _Slots
    ) -> bool:
        """Could this have been chosen? Yes, unless something that can be known forbids it."""
        names = dict(names)

        def holds(expr: Expr | None) -> bool:
            try:
                return expr is None or judge(expr, slots, names)
            except (Unknown, KeyError):
                return True

        if alternative is not None and not holds(alternative.given):
            return False
        for part in _parts(step, alternative):
            if part.var not in chosen:
                return True
            value = names[part.var] = chosen[part.var]
            try:
                if not self._offered(part, value, names, slots):
                    return False
            except (Unknown, KeyError):
                continue
        return holds(step.at.get("where")) and (alternative is None or holds(alternative.where))

    def _offered(self, part: Part, value: Any, names: dict[Var, Any], slots: _Slots) -> bool:
        if part.shape == "match":
            return True
        if part.shape == "one":
            if part.source.op == "filter":
                var, source, test = part.source.args
                return value in evaluate(source, slots, names) and judge(test, slots, {**names, var: value})
            return value in evaluate(part.source, slots, names)
        pool = evaluate(part.source, slots, names)
        least, most = evaluate(part.amount, slots, names)
        if not least <= len(value) <= most or any(x not in pool for x in value):
            return False
        for var, test, amount in part.which:
            low, high = evaluate(amount, slots, names)
            sure = maybe = 0
            for x in value:
                try:
                    sure += judge(test, slots, {**names, var: x})
                except Unknown:
                    maybe += 1
            if sure > high or sure + maybe < low:
                return False
        return True

    # --- where a revealed value was chosen ----------------------------------------------------------------------------
    def origins(self, step: Step) -> list[tuple[Step, Alternative | None, Part, dict[Var, Expr]]]:
        """The questions whose answer a `show` may reveal: sealed choices, opened later, perhaps in another rule."""
        if id(step) not in self._origins:
            self._origins[id(step)] = Origins(self.game).of(step)
        return self._origins[id(step)]

    # --- what follows -------------------------------------------------------------------------------------------------
    def marginal(self, shape: str) -> dict[tuple, dict[Any, float]]:
        """How likely each value of a secret is, if all worlds are as likely: arguments -> value -> probability."""
        self.ready()
        found: dict[tuple, dict[Any, float]] = {}
        for function in self.game.vocabulary.functions.get(shape, ()):
            if function.kind != "state":
                continue
            for slot in self._slots(function):
                args = self._args(function, slot)
                if slot in self.place:
                    counts: dict[Any, float] = {}
                    for world in self.worlds:
                        value = world[self.place[slot]]
                        counts[value] = counts.get(value, 0) + 1
                    found[args] = {v: n / len(self.worlds) for v, n in counts.items()}
                elif slot in self.seen_slots:
                    found[args] = {self.known[slot]: 1.0}
        return found

    def _args(self, function: Function, slot: int) -> tuple:
        index, args = slot - function.base, []
        for param in reversed(function.params):
            atoms = sorted(param.type.atoms)
            index, place = divmod(index, len(atoms))
            args.append(atoms[place])
        return tuple(reversed(args))

    def chance_of(self, expr: Expr, names: dict[Var, Any]) -> float | None:
        """How likely a condition is; None if it hangs on something that no world tells."""
        self.ready()
        slots, hits = _Slots(self), 0
        for world in self.worlds:
            slots.world = world
            try:
                hits += judge(expr, slots, names)
            except (Unknown, KeyError):
                return None
        return hits / len(self.worlds) if self.worlds else None

    def contains(self, state) -> bool:
        """For tests: is the true deal among the worlds?"""
        self.ready()
        true = tuple(state.v[HEADER + slot] for slot in self.place)
        return true in self.worlds


def names_of(event, values: tuple) -> dict[Var, Any]:
    """The variables that a row of the log tells."""
    names = dict(zip(event.context, values[len(event.names) :]))
    if event.kind == "show":
        told = dict(zip(event.names, values))
        for var in event.origin.visible:
            if var.name in told:
                names.setdefault(var.origin, told[var.name])
    return names


def _parts(step: Step, alternative: Alternative | None) -> list[Part]:
    return [*step.parts, *(alternative.parts if alternative is not None else ())]


def judge(expr: Expr, slots, names: dict[Var, Any]) -> bool:
    """A condition of which some parts may be unknown: raises Unknown only if the rest does not decide it."""
    op, args = expr.op, expr.args
    if op in ("and", "or"):
        stop, unknown = op == "or", False
        for side in args:
            try:
                if judge(side, slots, names) == stop:
                    return stop
            except Unknown:
                unknown = True
        if unknown:
            raise Unknown
        return not stop
    if op == "not":
        return not judge(args[0], slots, names)
    if op == "cond":
        return judge(args[1] if judge(args[0], slots, names) else args[2], slots, names)
    if op in ("exists", "every"):
        stop, unknown = op == "exists", False
        for element in evaluate(args[1], slots, names):
            try:
                if judge(args[2], slots, {**names, args[0]: element}) == stop:
                    return stop
            except Unknown:
                unknown = True
        if unknown:
            raise Unknown
        return not stop
    if op in ("word", "formula") and expr.type.kind == "truth":
        function, inputs = args[0], tuple(evaluate(a, slots, names) for a in args[1])
        if None in inputs:
            return False
        body = function.body if op == "word" else function.values[inputs[: function.keys]]
        return judge(body, slots, dict(zip(function.variables, inputs)))
    return bool(evaluate(expr, slots, names))
