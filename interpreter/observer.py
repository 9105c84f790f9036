"""The door for those who reckon with what they cannot see: one seat, and positions that it imagines.

It tells which positions are the same for the seat, now and ever after; what the seat is told; and what may come next,
given what the seat was told next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from .blocks import Event, Node
from .evaluate import evaluate
from .model import Choice, Expr, Function, Rule, Step, Value, Var
from .observe import Row
from .position import Position
from .reach import Reach, offered_by, unordered
from .slots import HEADER
from .trees import walk_expressions

if TYPE_CHECKING:
    from .game import Game

__all__ = ["Branches", "Model", "Observer", "Seen", "Shares"]

Branches = list[tuple[Choice, float]]  # what may come next, and how likely it is
Shares = dict[Choice, float]
Model = Callable[["Position", "Counter[Choice]"], Shares]  # how others choose among what is offered, as often as it is
Seen = list[tuple[Event, dict[str, Value]]] | None  # how something may have been told; None: it need not have been
REMEMBERED = 20_000  # lists of choices
_UNSEEN = (KeyError, IndexError, TypeError)


class Observer:
    def __init__(self, game: Game, seat: str, whole: bool = False, model: Model | None = None, logs: bool = False):
        """`whole`: positions are the same for the seat only if they are the same, with all that can be named there.
        `model`: how others choose, if not evenly; `logs`: by all that they have seen."""
        self.game, self.seat, self._program = game, seat, game.program
        self.me = game.vocabulary.seats[game.seat(seat)]
        self.mask = 1 << game.seat(seat)
        screens = game.screens
        wanted: list[Expr | Function] = [*screens.secrets, *(expr for _, expr in screens.knowledge.values())]
        wanted += screens.table.keys if screens.table is not None else ()
        self.reach = Reach(game, seat, None if whole else wanted)
        self.whole, self._model, self._logs = whole, model or evenly, logs
        loose = {HEADER + cell for cell in unordered(game)}
        kept = [HEADER + cell for cell in sorted(self.reach.cells)]
        self._plain, self._loose = [s for s in kept if s not in loose], [s for s in kept if s in loose]
        rules = self._program.rules.values()
        self._persons = {
            rule.shape: [HEADER + p.slot if self.reach.is_person(p) else None for p in rule.params] for rule in rules
        }
        self._look: dict[tuple[int, ...], Callable[[list[Value]], Any]] = {}
        self._legal: dict[Hashable, Shares] = {}
        nodes = [n for n in self._program.nodes if n.kind == "ask" and n.step is not None]
        self._public = {n.number: not _reads_secrets(n.step) for n in nodes if n.step is not None}

    # --- which positions are the same ---------------------------------------------------------------------------------
    def key(self, position: Position) -> Hashable:
        """Equal for positions that can never be told apart by this seat, whatever it is told later. Rows that have been
        told are no part of it."""
        v, program = position.v, self._program
        node = program.nodes[v[0]]
        if node.kind == "over":
            return (v[0], v[3], *[v[s] for s in self._plain])
        place, rule = [v[0]], node.rule
        while rule is not None:
            back = v[program.return_slot[rule.shape]]
            place.append(back)
            rule = program.returns[back][0] if back in program.returns else None
        where = tuple(place)
        look = self._look.get(where)
        if look is None:
            look = self._look[where] = self._looked_at(node, where)
        held = tuple(self.held(position)) if v[5] else ()
        if self._logs:
            held = (held, tuple(position.rows()))
        won = v[7] if v[6] >= 0 else None
        loose = tuple([tuple(sorted(v[s])) if v[s] else v[s] for s in self._loose])
        return where, v[4], v[6], won, held, look(v), loose

    def _looked_at(self, node: Node, where: tuple[int, ...]) -> Callable[[list[Value]], Any]:
        """Which slots can still reach the seat hangs only on where in the rules the program rests."""
        slots = [*self._plain, *(s for s in node.slots if self._reaches(node.rule, s))]
        if self.whole and node.step is not None:
            slots += [HEADER + var.slot for var in node.step.visible]
        for back in where[1:]:
            if back in self._program.returns:
                rule, alive = self._program.returns[back]
                slots += [s for s in alive if self._reaches(rule, s)]
        if not slots:
            return lambda v: ()
        return itemgetter(*slots)

    def _reaches(self, rule: Rule | None, slot: int) -> bool:
        names, var = self.reach.names, self.game.frames.variables.get(slot)
        return names is None or var is None or rule is None or (rule.shape, var) in names

    def matters(self, position: Position) -> bool:
        """Can what is decided here ever reach the seat?"""
        v = position.v
        node = self._program.nodes[v[0]]
        if node.rule is None or self.reach.all:
            return True
        persons = tuple(None if s is None else v[s] for s in self._persons[node.rule.shape])
        for filling, reaches in self.reach.choices.get(
            ((node.rule.shape, persons), id(node.step)), [(frozenset(), True)]
        ):
            if reaches and all(v[HEADER + var.slot] == value for var, value in filling):
                return True
        return False

    def knows_cell(self, cell: int) -> bool:
        """Is this cell followed? Of the others nothing is known."""
        return cell in self.reach.cells

    # --- what is told -------------------------------------------------------------------------------------------------
    def take_rows(self, position: Position, before: Position | None = None) -> list[Row]:
        """What this seat was told since then. What anybody was told is then forgotten, unless others choose by it."""
        rows, chain, mask = [], position.v[1], self.mask
        last = None if before is None else before.v[1]
        while chain is not None and chain is not last:
            row = chain[1]
            if row[1] & mask:
                rows.append((row[0], *row[2:]))
            chain = chain[0]
        if not self._logs:
            position.v[1] = None
        rows.reverse()
        return rows

    def held(self, position: Position) -> list[Row]:
        """Rows that a plan of somebody else holds back from this seat until it is done."""
        v = position.v
        if not v[5] or v[4] is not None and v[4] & self.mask:
            return []
        return [(e[0], *e[2:]) for e in v[5] if e[1] & self.mask]

    # --- what may come next -------------------------------------------------------------------------------------------
    def branches(self, position: Position, moment: Hashable, told: Callable[[Step], Seen]) -> Branches:
        """What may be decided here. If the seat sees it, it must be what was told next: one of these ways to tell it.
        `moment` is the same for positions in which the seat has seen the same; None: nobody can tell."""
        v = position.v
        node = self._program.nodes[v[0]]
        step = node.step
        assert step is not None
        mine = node.kind == "ask" and node.actor(v) == self.me
        seen = told(step) if mine or self._is_seen(step, v) else None
        if seen is not None:
            found: Branches = []
            for event, names in seen:
                if node.kind == "chance":
                    found += self._drawn(position, node, names)
                else:
                    found += self._chosen(position, node, moment, event.alternative, names, mine)
            return found if len(seen) < 2 else list(dict(found).items())
        if node.kind == "chance":
            drawn = position.pool()
            return [((x,), n / len(drawn)) for x, n in Counter(drawn).items()]
        return self._any(position, node, moment, mine)

    def _any(self, position: Position, node: Node, moment: Hashable, mine: bool) -> Branches:
        if mine:
            return [(choice, 1.0) for choice in dict.fromkeys(position.legal())]
        return list(self._choices(position, node, moment).items())

    def _drawn(self, position: Position, node: Node, told: dict[str, Value]) -> Branches:
        assert node.step is not None
        pool, name = Counter(position.pool()), next(iter(node.step.vars), None)
        total = pool.total()
        if name in told:
            value = told[name]
            wanted = Counter(value if isinstance(value, tuple) else (value,))
            wanted -= Counter(position.v[HEADER + node.step.at["hand"].args[1].slot] or ())
            return [((x,), n / total) for x, n in pool.items() if wanted[x] > 0]
        return [((x,), n / total) for x, n in pool.items()]

    def _chosen(
        self, position: Position, node: Node, moment: Hashable, named: str, told: dict[str, Value], mine: bool
    ) -> Branches:
        step = node.step
        assert step is not None
        alternative = next((a for a in step.alternatives if a.name == named), None)
        parts = [*step.parts, *(alternative.parts if alternative is not None else ())]
        if all(part.var.name in told for part in parts):
            chosen: Choice = tuple(told[part.var.name] for part in parts)
            choice: Choice = chosen if alternative is None else (alternative.atom, *chosen)
            if mine:
                return [(choice, 1.0)] if position.is_legal(choice) else []
            choices = self._choices(position, node, moment)
            return [(choice, choices[choice])] if choice in choices else []
        return self._any(position, node, moment, mine)

    def _choices(self, position: Position, node: Node, moment: Hashable) -> Shares:
        """All legal choices, and how likely each is. What is offered twice counts twice: of two equal cards either can
        be meant."""
        v = position.v
        if moment is None or self._logs or not self._public[node.number] or node.planned and v[4] is not None:
            return self._model(position, Counter(position.legal()))
        key = (moment, node.number, *[v[s] for s in node.slots])
        found = self._legal.get(key)
        if found is None:
            if len(self._legal) > REMEMBERED:
                self._legal.clear()
            found = self._legal[key] = self._model(position, Counter(position.legal()))
        return found

    def _is_seen(self, step: Step, v: list[Value]) -> bool:
        if not isinstance(step.audience, Expr) or step.verb not in ("ask", "draw"):
            return step.audience == "all" and step.verb in ("ask", "draw")
        if step.at.get("at once") is not None:
            return False
        names = {x.origin: v[HEADER + x.slot] for x in step.visible}
        try:
            found = evaluate(step.audience, v[HEADER:], names)
        except _UNSEEN:
            return False  # it hangs on what is chosen: all choices are tried
        return self.me in (found if isinstance(found, tuple) else (found,))


def evenly(position: Position, choices: Counter[Choice]) -> Shares:
    whole = choices.total()
    return {choice: often / whole for choice, often in choices.items()}


def _reads_secrets(step: Step) -> bool:
    """May what is offered here hang on something that not all may know?"""
    for expr in walk_expressions([step.at["ask"], *offered_by(step)], defined=True):
        if expr.op == "state" and expr.args[0].view != "all":
            return True
        if expr.op in ("var", "matched") and (expr.args[0].secret or expr.args[0].origin.secret):
            return True
        if expr.op not in ("state", "table", "word", "formula", "var", "matched"):
            if any(not isinstance(a, (Expr, tuple, Var, int, str, bool, type(None))) for a in expr.args):
                return True
    return False
