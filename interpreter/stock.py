"""What is left of a stock: piles and rests, from which a draw tells nothing but itself; how large sets are at least.

Cards that are dealt or drawn from one stock, and not put back, come in any order: it makes no difference whether those
in the hands or those on the table were taken first. So whoever sees a card that is drawn from *all* that is left learns
that nobody holds it, and nothing else. That holds for two kinds of pools, found here by looking at all steps:

- a *rest*: a fixed set without everything that was ever dealt or drawn from it (`cards without hand of players`);
- a *pile*: state of that type; or a set that nobody sees, filled with fixed things, from which only what was drawn from
  it is taken, and to which only what the same step takes out of other state is added.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from .evaluate import is_fixed, settled_value
from .looks import has_gaps
from .model import Expr, Function, Step, Var

__all__ = ["Stock", "bare", "least", "mentions", "term"]


CHANGES = ("append", "join", "remove", "without")  # of a pile that is kept in a set or list


class Stock:
    """Which state of these rules is a pile, which has no two equal values, and which pools are rests."""

    def __init__(self, steps: list[Step]):
        self.steps = steps
        self.drawn = _drawn_from(steps, asked=False)
        self.chosen = _drawn_from(steps, asked=True)  # what was chosen by somebody, too
        self.writers: dict[Function, list[Step]] = {}
        for step in steps:
            for function, _, _ in step.targets:
                self.writers.setdefault(function, []).append(step)
            if step.pile is not None:
                self.writers.setdefault(step.pile[0], []).append(step)
        self.piles = self._piles()
        self.apart = {f for f, steps in self.writers.items() if self._is_apart(f, steps)}
        self.dealt_out = {f for f in self.apart if self._leaves_none(f, self.writers[f][0])}
        self.full = {f for f, steps in self.writers.items() if all(self.fills(f, s) for s in steps)}

    def _piles(self) -> frozenset[Function]:
        pools = [s.at[k] for s in self.steps for k in ("from", "deal") if s.verb in ("draw", "deal") and k in s.at]
        found = {p.args[0] for p in pools if p.op == "state"}
        return frozenset(
            f
            for f in found
            if f.view == "nobody"
            and f.result.many
            and not f.params
            and all(self._keeps(f, s) for s in self.writers.get(f, ()))
        )

    def is_there(self, what: Expr, home: Expr) -> bool:
        """Is this surely in its place: was it chosen or drawn from there, is it what lies on top, or all of it?"""
        what = bare(what)
        if what.op == "filter" or what.op == "state":
            while what.op == "filter":
                what = what.args[1]
            return term(what) == term(home)
        if what.op in ("first", "last"):
            return term(what.args[0]) == term(home)
        source = self.chosen.get(what.args[0].origin) if what.op == "var" else None
        while source is not None and source.op == "filter":
            source = source.args[1]
        return source is not None and term(source) == term(home)

    def is_fair(self, what: Expr) -> bool:
        """Did chance or a player take it, not a secret?"""
        what = bare(what)
        return what.op in ("first", "last") or what.op == "var" and what.args[0].origin in self.chosen

    def _keeps(self, pile: Function, step: Step) -> bool:
        """Does this step leave a pile a pile?"""
        if step.verb != "set":
            return False
        for function, _, value in step.targets:
            if function is not pile or is_fixed(value):
                continue
            if value.op not in CHANGES or not _is_cell(value.args[0], pile):
                return False
            what = bare(value.args[1])
            if value.op in ("remove", "without"):
                pool = self.drawn.get(what.args[0].origin) if what.op == "var" else None
                if pool is None or not _is_cell(pool, pile):
                    return False
            elif value.op not in ("append", "join") or not any(
                f is not pile
                and v.op in ("remove", "without")
                and _is_cell(v.args[0], f)
                and term(bare(v.args[1])) == term(what)
                for f, _, v in step.targets
            ):
                return False
        return True

    def _is_apart(self, function: Function, steps: list[Step]) -> bool:
        """Is it filled by one deal of different things, and by nothing else? Then no two of its values are the same."""
        if len(steps) != 1 or steps[0].verb != "deal" or function.result.many or function.start is not None:
            return False
        values = _things(steps[0].at["deal"])
        return values is not None and steps[0].name.count("/") == 1 and len(set(values)) == len(values)

    def _leaves_none(self, function: Function, step: Step) -> bool:
        """Is all of it dealt, one to each? Then whoever sees all but one knows the last one too."""
        pool, to = _things(step.at["deal"]), _things(step.at["to"])
        return pool is not None and to is not None and len(pool) == len(to) and set(to) == function.params[0].type.atoms

    def fills(self, function: Function, step: Step, sure: int = 0) -> bool:
        """Does this step give all of it a value at once? `sure`: so many there are to be dealt at least."""
        if step.verb != "deal" or len(function.params) != 1:
            return False
        to, each = _things(step.at["to"]), settled_value(step.at["each"])
        if to is None or each is None or each[0] is None:
            return False
        pool = max(len(_things(step.at["deal"]) or ()), sure)
        return pool >= len(to) * int(each[0]) and set(to) == function.params[0].type.atoms

    def is_rest(self, pool: Expr, uneven: frozenset[Function], picked: frozenset[Function]) -> bool:
        """A pile, or a fixed stock less all that was dealt or drawn from it; how much that is must be no secret, and
        nothing must have been picked out of it because of a secret."""
        if pool.op == "state":
            function = pool.args[0]
            is_pile = function.result.kind == "pile" and function not in uneven | picked
            return is_pile or function in self.piles - uneven
        gone: list[Expr] = []
        while pool.op in ("without", "remove"):
            gone.append(bare(pool.args[1]))
            pool = pool.args[0]
        base = _things(pool)
        if not gone or base is None:
            return False
        held: set[Function] = set()
        for what in gone:
            if what.op == "var":
                source = self.drawn.get(what.args[0].origin)
                drawn = None if source is None else _things(source)
                if drawn is None or not set(drawn) <= set(base):
                    return False
            elif what.op in ("image", "images") and what.args[2].op == "state":
                function, holders = what.args[2].args[0], _things(what.args[1])
                if function in uneven or holders is None or not self._all_dealt(function, base, set(holders)):
                    return False
                held.add(function)
            else:
                return False
        return self._nothing_else_taken(base, held)

    def _all_dealt(self, function: Function, base: tuple[int, ...], receivers: set[int]) -> bool:
        for step in self.writers.get(function, ()):
            to = _things(step.at["to"]) if step.verb == "deal" else None
            if to is None or not set(to) <= receivers or _things(step.at["deal"]) != base:
                return False
        return True

    def _nothing_else_taken(self, base: tuple[int, ...], held: set[Function]) -> bool:
        """Is whatever is dealt from this stock, into other state too, among what is left out?"""
        for step in self.steps:
            if step.verb == "deal" and step.targets[0][0] not in held:
                if set(_things(step.at["deal"]) or ()) & set(base):
                    return False
        return True


def _drawn_from(steps: list[Step], asked: bool) -> dict[Var, Expr]:
    """Variables bound by draw (and ask), and by loops over them: what they were drawn from."""
    found: dict[Var, Expr] = {}
    for step in steps:
        if asked:
            for part in (*step.parts, *(p for a in step.alternatives for p in a.parts)):
                found[part.var] = part.source
        if step.verb == "draw":
            for var in step.vars.values():
                found[var] = step.at["from"]
    for step in steps:
        if step.verb == "for each" and step.at["for each"].op == "var":
            source = found.get(step.at["for each"].args[0].origin)
            if source is not None:
                found[step.at["loop"].args[0]] = source
    return found


def _things(expr: Expr) -> tuple[int, ...] | None:
    """A fixed set or list."""
    known = settled_value(expr)
    return known[0] if known is not None and isinstance(known[0], tuple) else None


def _is_cell(expr: Expr, function: Function) -> bool:
    return expr.op == "state" and expr.args[0] is function


def bare(expr: Expr) -> Expr:
    """One thing that stands where a set is wanted, as itself."""
    while expr.op == "gather" and len(expr.args[0]) == 1:
        expr = expr.args[0][0]
    return expr


def term(expr: Expr) -> Hashable:
    """An expression in a form that can be compared."""
    if expr.op == "var":
        return ("var", id(expr.args[0].origin))
    if expr.op == "const":
        return ("const", expr.args[0])
    parts: list[Hashable] = [expr.op]
    for arg in expr.args:
        if isinstance(arg, Expr):
            parts.append(term(arg))
        elif isinstance(arg, tuple):
            parts.append(tuple(term(a) for a in arg if isinstance(a, Expr)))
        else:
            parts.append(id(arg))
    return tuple(parts)


def mentions(expr: Expr, var: Var) -> bool:
    return (
        expr.op in ("var", "matched") and expr.args[0].origin is var or any(mentions(kid, var) for kid in expr.kids())
    )


def least(expr: Expr) -> int:
    """How many elements a set has at least, whatever is in the state."""
    op, args = expr.op, expr.args
    if op == "const":
        return len(args[0]) if isinstance(args[0], tuple) else 0
    if op == "without":
        return max(0, least(args[0]) - _most(args[1]))
    if op == "filter" and args[2].op == "not" and args[2].args[0].op == "eq":
        for one, other in _both_ways(args[2].args[0].args):
            if one.op == "var" and one.args[0] is args[0] and not mentions(other, args[0]):
                return max(0, least(args[1]) - 1)
    if op == "images" and args[2].op == "table" and not has_gaps(args[2].args[0]):
        return least(args[1])
    if op == "gather":
        return int(any(not kid.type.maybe for kid in args[0] if kid.op in ("const", "table")))
    if op == "join":
        return max(least(kid) for kid in args)
    if op == "cond":
        return min(least(args[1]), least(args[2]))
    return 0


def _both_ways(pair: tuple[Expr, ...]) -> Iterator[tuple[Expr, Expr]]:
    yield pair[0], pair[1]
    yield pair[1], pair[0]


def _most(expr: Expr) -> int:
    """How many elements a set has at most."""
    if not expr.type.many:
        return 1
    if expr.op == "const":
        return len(expr.args[0])
    if expr.op == "gather":
        return len(expr.args[0])
    if expr.op == "image" and not expr.args[2].type.many:
        return _most(expr.args[1])
    if expr.op == "filter":
        return _most(expr.args[1])
    return len(expr.type.of.atoms) if expr.type.of is not None and expr.type.kind == "set" else 10**9
