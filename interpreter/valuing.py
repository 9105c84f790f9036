"""What expressions are worth in two worlds that one observer cannot tell apart: each operation on twins.

Where it hangs on a name or a state with several low values whether the observer sees something, a `Split` is raised:
whoever carries out the step then does so for each group of values that makes a difference. So seats are never compared
as they are written, but as what they are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from itertools import product

from .evaluate import evaluate
from .looks import Info, Looks
from .model import Expr, Function, Type, Value, Var
from .operations import LARGEST, MAX_RANGE, OPERATIONS
from .stock import Stock, bare, least, mentions, term
from .twins import (
    ANYTHING,
    BOTH,
    BOUNDS,
    LOW,
    MAX_SECRETS,
    NO,
    RISK,
    THERE,
    YES,
    Domain,
    Env,
    High,
    Secret,
    Seen,
    Split,
    Twin,
    both,
    cell,
    few,
    is_small,
    joined,
    under,
)
from .vocabulary import Vocabulary

__all__ = ["ALL_PARTS", "OWN_RULE", "Valuing"]

MAX_COMBINED = 3_000  # combinations of values that are looked up
MAX_EACH = 200  # elements that are looked at one by one
MAX_NUMBERS = 64  # different numbers that are followed

# What flows through an operation: a rule of its own in `Worlds`, or simply all that flows into its parts.
OWN_RULE = frozenset({"const", "var", "matched", "state", "table", "word", "formula", "and", "or", "not", "cond"}) | {
    name for name, operation in OPERATIONS.items() if operation.cost == "each"
}
OWN_RULE |= {"eq", "less", "member", "count", "only", "first", "last", "reversed", "rotated", "after"}
OWN_RULE |= {"gather", "join", "append", "extend", "heap", "without", "remove", "add", "sub", "mul", "range"}
OWN_RULE |= {"largest", "smallest"}
ALL_PARTS = frozenset({"within", "amount", "div", "rem", "total"})

IN_ORDER = frozenset({"filter", "images", "highest", "lowest", "often"})  # what they give has the order of a list
COUNTING = frozenset({"div", "rem", "amount"})  # need numbers
ARITHMETIC: dict[str, Callable[[int, int], int]] = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}


class Valuing:
    """Values expressions as one observer could."""

    def __init__(self, observer: int, words: Vocabulary, stock: Stock, looks: Looks):
        self.observer, self.seats, self.stock = observer, frozenset(words.seats), stock
        self.names = [atom.name for atom in words.atoms]
        self.looks, self.info = looks, looks.info
        self.people = set(words.seats)  # and all that is made of them
        for atom in words.atoms:
            if not self.people.isdisjoint(atom.parts):
                self.people.add(atom.number)
        self.hot: set[Function] = set()  # state that may differ between two worlds
        self.uneven: frozenset[Function] = frozenset()  # state of which it is a secret how much is there
        self.picked: frozenset[Function] = frozenset()  # piles from which was taken what a secret says
        self.lacking: frozenset[Function] = frozenset()  # state that was set to what may be nothing
        self.measured: set[Function] = set()  # state of which it was asked whether it is uneven or picked
        self.read: set[Function] = set()  # state that was looked at
        self.sharp = False  # are secrets tried out that may make no difference?
        self.careful = False  # must it be known whether an expression can be valued at all?
        self.viewing: frozenset[Function] = frozenset()  # state whose view is being looked at
        self.hopeless: frozenset[int] = frozenset()  # expressions that cannot be split
        self.known: dict[tuple[object, ...], Twin | Split] = {}
        # what was looked up: whoever finds the same there need not be looked at on his own
        self.tables: set[Function] = set()
        self.constants: set[Value] = set()
        self.domains: set[frozenset[int]] = set()
        self.ordered = False

    # --- values ------------------------------------------------------------------------------------------------------
    def ev(self, expr: Expr, env: Env, rely: bool = False) -> Twin:
        """`rely`: whatever is in the state that is not seen by the observer in any case may have been otherwise when it
        mattered, so nothing is known of it."""
        if expr.op == "var":
            return self._var(expr, env)
        info = self.info(expr)
        facts = () if rely else frozenset([(f, env.facts[f]) for f in info.states if f in env.facts])
        key = (
            id(expr),
            rely and self.viewing,
            self.careful,
            self.hopeless,
            tuple([env.vars.get(v) for v in info.vars]),
            facts,
        )
        found = self.known.get(key)
        if found is None:
            try:
                found = self._tidy(expr, self._valued(expr, env, rely, info))
            except Split as split:
                found = split
            self.known[key] = found
        if isinstance(found, Split):
            raise Split(found.expr, found.origin)
        return found

    def ev_under(self, high: High, expr: Expr, env: Env, rely: bool) -> Twin:
        """The same where secrets decide whether it is valued: then it counts whether it can be."""
        if not high or self.careful:
            return self.ev(expr, env, rely)
        self.careful = True
        try:
            return self.ev(expr, env, rely)
        finally:
            self.careful = False

    def _tidy(self, expr: Expr, twin: Twin) -> Twin:
        if twin.high and twin.dom is not None:
            many = expr.type.many
            if not many and len(twin.dom) == 1 or many and (not twin.dom or twin.exact and expr.type.kind == "set"):
                return Twin(twin.dom, LOW, twin.exact, None, twin.stops)  # there is only one way it can be
            if len(twin.high) > MAX_SECRETS:
                return twin._replace(high=few(twin.high))
        return twin

    def top(self, kind: Type, high: High = LOW) -> Twin:
        """Anything of this type."""
        if kind.kind == "truth":
            return Twin(BOTH, high)
        atoms = kind.atoms if kind.kind == "thing" else kind.of.atoms if kind.many and kind.of is not None else None
        if not atoms:
            return Twin(None, high, gap=kind.maybe and not kind.many)
        self.domains.add(atoms)
        return Twin(atoms | {None} if kind.maybe and not kind.many else atoms, high)

    def lift(self, value: Value) -> Twin:
        if isinstance(value, tuple):
            if any(isinstance(x, tuple) for x in value):
                return Twin(None)
            return Twin(frozenset(value), LOW, True)
        return Twin(frozenset({value}))

    def met(self, value: Value) -> None:
        """Something that the rules name was looked up. (Yes and no are not the things 1 and 0.)"""
        if not isinstance(value, bool):
            self.constants.add(value)

    def may_be_high(self, expr: Expr, env: Env) -> bool:
        info = self.info(expr)
        self.read |= info.states
        return not info.states.isdisjoint(self.hot) or any(
            (twin := env.vars.get(v)) is not None and bool(twin.high) for v in info.vars
        )

    def roughly(self, expr: Expr, env: Env) -> Twin:
        """The same, but if neither secrets nor seats are in it, nobody needs to know which value it is."""
        kind = expr.type.of if expr.type.many else expr.type
        if (
            expr.op in ("const", "var")
            or kind is None
            or kind.kind != "thing"
            or not self.people.isdisjoint(kind.atoms)
        ):
            return self.ev(expr, env)
        info = self.info(expr)
        if self.may_be_high(expr, env) or info.fixed and not info.vars:
            return self.ev(expr, env)
        if len(info.states) == 1 and expr.op == "state":
            return self.ev(expr, env)
        return self.top(expr.type.or_nothing(not expr.type.many and self._may_lack(info, env)))

    def _may_lack(self, info: Info, env: Env) -> bool:
        """Is there anything in it that may be nothing?"""
        return (
            info.gaps
            or any(f in self.lacking or f.start is None and not env.is_filled(f) for f in info.states)
            or any((twin := env.vars.get(v)) is None or twin.lacks for v in info.vars)
        )

    def secrets(self, expr: Expr, env: Env) -> Twin:
        """The same where only the secrets count."""
        return self.ev(expr, env) if self.may_be_high(expr, env) else ANYTHING

    def _valued(self, expr: Expr, env: Env, rely: bool, info: Info) -> Twin:
        ordered = not self.people.isdisjoint(info.ordered)  # where that counts, no two seats are alike
        if info.fixed and (self.sharp or not ordered):
            given = self._given(info.vars, env)
            if given is not None:
                try:
                    value = evaluate(expr, (), given)
                except (KeyError, TypeError, IndexError, ValueError, OverflowError):
                    pass
                else:
                    self.tables |= info.tables
                    self.constants |= info.constants
                    self.ordered |= ordered
                    return self.lift(value)
        rule = getattr(self, "_" + expr.op, None)
        if rule is not None:
            twin: Twin = rule(expr, env, rely)
            return twin
        if OPERATIONS[expr.op].cost == "each":
            return self._each(expr, env, rely)
        parts = [self.ev(kid, env, rely) for kid in expr.kids()]
        return self.top(expr.type, both(parts))._replace(stops=self._stop(expr.kids(), parts, expr.op in COUNTING))

    @staticmethod
    def _given(names: tuple[Var, ...], env: Env) -> dict[Var, Value] | None:
        given = {}
        for var in names:
            twin = env.vars.get(var)
            if twin is None or not twin.one or var.type.many or var.type.kind == "match" or twin.dom is None:
                return None
            (given[var],) = twin.dom
            if given[var] is None and not var.type.maybe:  # there the game may stop
                return None
        return given

    def _stop(self, kids: Iterable[Expr], twins: list[Twin], always: bool = False) -> High:
        """On which secrets does it hang whether there is nothing where a value is needed? Where the rules say that
        there may be nothing, a function of it is nothing; sums need a number `always`."""
        found = LOW
        for kid, twin in zip(kids, twins):
            found |= twin.stops
            if (always or not kid.type.maybe) and not kid.type.many and twin.lacks:
                found |= twin.amount or RISK
        return found

    # --- leaves and functions ----------------------------------------------------------------------------------------
    def _const(self, expr: Expr, env: Env, rely: bool) -> Twin:
        self.met(expr.args[0])
        return self.lift(expr.args[0])

    def _var(self, expr: Expr, env: Env) -> Twin:
        var = expr.args[0]
        twin = env.vars.get(var.origin)
        if twin is None:
            return self.top(expr.type, frozenset({Secret(var.name)}))
        if var.narrowed is not None and twin.dom is not None and var.type.atoms:
            self.domains.add(var.type.atoms)
            return self._tidy(expr, twin._replace(dom=(twin.dom & var.type.atoms) or twin.dom))
        return twin

    def _matched(self, expr: Expr, env: Env, rely: bool) -> Twin:
        row = env.vars.get(expr.args[0].origin) or Twin(None, frozenset({Secret(expr.args[0].name)}))
        of = self.ev(expr.args[1], env, rely)
        return self.top(expr.type, row.high | of.high)

    def _state(self, expr: Expr, env: Env, rely: bool) -> Twin:
        function, inputs = expr.args
        twins = [self.ev(a, env, rely) for a in inputs]
        high, stops = both(twins), self._stop(inputs, twins)
        self.read.add(function)
        if function not in self.stock.writers:  # it is as it was at the start
            self.met(function.start)
            return self.lift(function.start)._replace(stops=stops)
        if not rely:
            fact = env.fact(function, cell(twins)) or self._same_in_all(function, twins, env)
            if fact is not None:
                return fact._replace(high=high | fact.high, stops=stops)
        size = LOW.union(*(t.amount for t in twins)) if function in self.stock.full else high
        if function in self.hot and function.view != "all":
            seen = self._always_sees(function, twins)
            if not seen.must and not self._is_the_last(function, twins):
                if seen.may and not rely and isinstance(function.view, Expr):
                    self.demand(self.looks.replaced(function.view, function.variables, inputs), env)
                mine = frozenset({Secret(self.said(function, twins))})
                high |= mine
                self.measured.add(function)
                if function in self.uneven and not self._sees_aspect(function, twins, "count", "contents"):
                    size |= mine
        unset = function.start is None and (rely or not env.is_filled(function)) or function in self.lacking
        top = self.top(expr.type.or_nothing(unset and not expr.type.many), high)
        return top._replace(size=size if size != high else None, stops=stops)

    @staticmethod
    def _same_in_all(function: Function, twins: list[Twin], env: Env) -> Twin | None:
        """What is known of all the cells that are possible, if there are several."""
        if function not in env.facts or len(twins) != 1 or twins[0].dom is None:
            return None
        found: Twin | None = None
        for x in twins[0].dom:
            fact = env.fact(function, (x,))
            if fact is None:
                return None
            found = fact if found is None else joined(found, fact)
        return found

    def _is_the_last(self, function: Function, twins: list[Twin]) -> bool:
        """Does the observer see all of it but this one, and is this one all that is left?"""
        if function not in self.stock.dealt_out or not twins[0].one or twins[0].high:
            return False
        others = function.params[0].type.atoms - (twins[0].dom or frozenset())
        return all(self._always_sees(function, [Twin(frozenset({x}))]).must for x in others)

    def _always_sees(self, function: Function, twins: list[Twin]) -> Seen:
        """Does the observer see this state, whatever is in the state that its view mentions? A view that mentions the
        very state that it is the view of cannot be relied on."""
        if function in self.viewing:
            return Seen(True, False)
        outer, self.viewing = self.viewing, self.viewing | {function}
        try:
            return self.sees(function.view, Env(dict(zip(function.variables, twins)), {}), True)
        finally:
            self.viewing = outer

    def _sees_aspect(self, function: Function, twins: list[Twin], *aspects: str) -> bool:
        """Does the observer always see this much of it?"""
        inner = Env(dict(zip(function.variables, twins)), {})
        return any(self.sees(function.aspects.get(aspect, "nobody"), inner, True).must for aspect in aspects)

    def _table(self, expr: Expr, env: Env, rely: bool) -> Twin:
        function, inputs = expr.args
        twins = [self.ev(a, env, rely) for a in inputs]
        high, stops = both(twins), self._stop(inputs, twins)
        doms, combined = [], 1
        for twin in twins:
            if twin.dom is None:
                return self.top(expr.type.or_nothing(), high)._replace(stops=stops)
            doms.append(twin.dom)
            combined *= len(twin.dom)
        if combined > MAX_COMBINED:
            return self.top(expr.type.or_nothing(), high)._replace(stops=stops)
        self.tables.add(function)
        found: set[Value] = set()
        gaps = False  # is there nothing in some of the cells?
        for row in product(*doms):
            value = None if None in row else function.values.get(row)
            gaps = gaps or value is None and None not in row
            if expr.type.many:
                if any(isinstance(x, tuple) for x in value or ()):
                    return Twin(None, high, stops=stops)
                found.update(value or ())
            else:
                found.add(False if value is None and expr.type.kind == "truth" else value)
        if any(isinstance(x, tuple) for x in found):
            return Twin(None, high, stops=stops)
        size = LOW.union(*(t.amount for t in twins)) if not gaps and not expr.type.many else None
        return Twin(frozenset(found), high, combined == 1, size, stops)

    def _word(self, expr: Expr, env: Env, rely: bool) -> Twin:
        function, inputs = expr.args
        return self._defined(expr, [function.body], function.variables, env, rely)

    def _formula(self, expr: Expr, env: Env, rely: bool) -> Twin:
        function, inputs = expr.args
        keys = [self.ev(a, env, rely).dom for a in inputs[: function.keys]]
        cells = [b for row, b in function.values.items() if all(d is None or x in d for x, d in zip(row, keys))]
        for param in function.params[: function.keys]:
            self.domains.add(param.type.atoms)
            self.ordered |= not self.people.isdisjoint(param.type.atoms)  # each has a row of its own
        return self._defined(expr, cells, function.variables, env, rely)

    def _defined(self, expr: Expr, bodies: list[Expr], variables: list[Var], env: Env, rely: bool) -> Twin:
        inputs = expr.args[1]
        twins = [self.ev(a, env, rely) for a in inputs]
        there = [  # of nothing it is nothing: the body is not looked at
            t._replace(dom=t.dom - {None} or t.dom) if a.type.maybe and t.dom is not None and None in t.dom else t
            for a, t in zip(inputs, twins)
        ]
        inner, found = Env(dict(zip(variables, there)), env.facts), None
        high, stops = both(twins), LOW.union(*(t.stops for t in twins))
        doubt = high if len(bodies) > 1 or any(t.lacks for t in twins) else LOW
        try:
            for body in bodies:
                twin = self.ev_under(doubt, body, inner, rely)
                found = twin if found is None else joined(found, twin)
        except Split as split:
            raise Split(self.looks.replaced(split.expr, variables, inputs), split.origin) from None
        if found is None:
            return self.top(expr.type.or_nothing(), high)._replace(stops=stops)
        stops |= under(found.stops, doubt)
        dom, gap = found.dom, found.gap
        if not expr.type.many and any(t.lacks for t in twins):
            gap = True
            if dom is not None:
                dom |= {False} if expr.type.kind == "truth" else {None}
        if len(bodies) > 1 or dom != found.dom or gap != found.gap:  # which of them it is hangs on the arguments
            return Twin(dom, found.high | high, found.exact and not high, None, stops, gap)
        return Twin(dom, found.high, found.exact, found.size, stops, gap)

    def said(self, function: Function, twins: list[Twin]) -> str:
        """A state as the rules call it, with the things that it is asked of."""
        given = []
        for param, twin in zip(function.params, twins):
            (only,) = twin.dom if twin.dom is not None and len(twin.dom) == 1 else (None,)
            given.append(param.name if only is None else self.names[only])
        rest = iter(given)
        return " ".join(next(rest) if piece == "_" else piece for piece in function.shape.split(" "))

    # --- conditions --------------------------------------------------------------------------------------------------
    def _cond(self, expr: Expr, env: Env, rely: bool) -> Twin:
        test = self.ev(expr.args[0], env, rely)
        if test.one:
            return self.ev(expr.args[1 if test.dom == YES else 2], env, rely)
        yes = self.ev_under(test.high, expr.args[1], self.narrow(expr.args[0], env, True, rely), rely)
        no = self.ev_under(test.high, expr.args[2], self.narrow(expr.args[0], env, False, rely), rely)
        found = joined(yes, no)
        stops = under(found.stops, test.high) | test.stops
        return found._replace(high=found.high | test.high, size=found.amount | test.high, stops=stops)

    def _and(self, expr: Expr, env: Env, rely: bool) -> Twin:
        return self._sides(expr, env, rely, NO)

    def _or(self, expr: Expr, env: Env, rely: bool) -> Twin:
        return self._sides(expr, env, rely, YES)

    def _sides(self, expr: Expr, env: Env, rely: bool, stop: frozenset[Value]) -> Twin:
        one = self.ev(expr.args[0], env, rely)
        if one.dom == stop:
            return one
        other = self.ev_under(one.high, expr.args[1], self.narrow(expr.args[0], env, stop == NO, rely), rely)
        stops = one.stops | under(other.stops, one.high)
        if other.dom == stop:
            return other._replace(stops=stops)
        if one.one:
            return other._replace(stops=stops)
        return Twin(BOTH if not other.one else one.dom, one.high | other.high, stops=stops)

    def _not(self, expr: Expr, env: Env, rely: bool) -> Twin:
        twin = self.ev(expr.args[0], env, rely)
        return twin._replace(dom=frozenset(not x for x in twin.dom or BOTH))

    def _eq(self, expr: Expr, env: Env, rely: bool) -> Twin:
        a, b = expr.args
        if a.op in ("state", "var") and term(a) == term(b):
            return Twin(YES)
        if a.op == b.op == "state" and a.args[0] is b.args[0] and a.args[0] in self.stock.apart:
            asked = [self.ev(x, env, rely) for x in (*a.args[1], *b.args[1])]  # no two are the same
            return Twin(BOTH, both(asked), stops=LOW.union(*(t.stops for t in asked)))
        one, other = self.ev(a, env, rely), self.ev(b, env, rely)
        stops = one.stops | other.stops
        if one.dom is not None and other.dom is not None:
            if a.type.many or b.type.many:
                for x, y in ((one, other), (other, one)):  # whether it is empty: all that counts is its size
                    if x.dom == frozenset():
                        empty = YES if not y.dom else NO if y.exact else BOTH
                        return Twin(empty, y.amount if empty == BOTH else LOW, stops=stops)
            elif not one.dom & other.dom:
                return Twin(NO, stops=stops)
            elif one.one and other.one:
                return Twin(YES, stops=stops)
            elif one.dom == {None} or other.dom == {None}:
                return Twin(BOTH, one.amount | other.amount, stops=stops)
        return Twin(BOTH, one.high | other.high, stops=stops)

    def _less(self, expr: Expr, env: Env, rely: bool) -> Twin:
        kids = [self.ev(a, env, rely) for a in expr.args]
        one, other = kids
        stops = self._stop(expr.args, kids, True)
        if _numbers(one) and _numbers(other):
            found = frozenset(x < y for x in one.dom or () for y in other.dom or ())
            return Twin(found, one.high | other.high, stops=stops)
        return Twin(BOTH, one.high | other.high, stops=stops)

    def _member(self, expr: Expr, env: Env, rely: bool) -> Twin:
        one, group = self.ev(expr.args[0], env, rely), self.unordered(expr.args[1], env, rely)
        stops = one.stops | group.stops
        if one.dom is not None and group.dom is not None and not expr.args[0].type.many:
            if not one.dom & group.dom:
                return Twin(NO, stops=stops)
            if group.exact and one.dom <= group.dom:
                return Twin(YES, stops=stops)
            if expr.args[1].type.kind in ("set", "list") and one.one and group.high:
                return Twin(BOTH, self._contains(expr.args[1], one, group, env, rely), stops=stops)
        return Twin(BOTH, one.high | group.high, stops=stops)

    def _contains(self, expr: Expr, one: Twin, group: Twin, env: Env, rely: bool) -> High:
        """On which secrets does it hang whether this one is among them?"""
        if expr.op == "filter" and one.dom is not None:
            (only,) = one.dom
            outer = self.ev(expr.args[1], env, rely)
            if not outer.high and only is not None:
                inner = Env({**env.vars, expr.args[0]: one}, env.facts)
                return self.ev(expr.args[2], inner, rely).high
        return one.high | group.high

    def narrow(self, test: Expr, env: Env, holds: bool, rely: bool = False) -> Env:
        """What is known where a condition holds, or does not."""
        op, args = test.op, test.args
        if op == "not":
            return self.narrow(args[0], env, not holds, rely)
        if op in ("and", "or"):
            if holds == (op == "and"):
                for side in args:
                    env = self.narrow(side, env, holds, rely)
            return env
        if op not in ("eq", "member"):
            return env
        if op == "member" and holds and args[1].op == "state" and not rely:
            env = env.copy()
            self.lies(args[0], args[1], env)
        for one, other in ((args[0], args[1]), (args[1], args[0])):
            if one.op in ("var", "state") and not one.type.many and (op == "member" or not other.type.many):
                mine, its = self.ev(one, env, rely), self.ev(other, env, rely)
                if mine.dom is not None and its.dom is not None:
                    gone = its.dom if its.one and op == "eq" or its.exact and op == "member" else frozenset()
                    dom = mine.dom & its.dom if holds else mine.dom - gone
                    if dom and dom != mine.dom and not (rely and one.op == "state"):
                        env = self.supposing(one, mine._replace(dom=dom, exact=False), env)
            if op == "member":
                break
        return env

    def lies(self, what: Expr, where: Expr, env: Env) -> None:
        """It is known to be there, until one of the two is set."""
        for function in (*self.info(what).states, *self.info(where).states):
            env.learn(function, (THERE, term(what), term(where)), ANYTHING)

    def is_known_to_lie(self, what: Expr, where: Expr, env: Env) -> bool:
        there = (THERE, term(what), term(where))
        states = (*self.info(what).states, *self.info(where).states)
        return all(env.fact(function, there) is not None for function in states)

    def supposing(self, expr: Expr, twin: Twin, env: Env) -> Env:
        """The same, where this name or state has one of these values."""
        env = env.copy()
        if expr.op == "var":
            env.vars[expr.args[0].origin] = twin
        elif expr.op == "state" and is_small(expr.args[0]):
            at = cell([self.ev(a, env) for a in expr.args[1]])
            if at is not None:
                env.learn(expr.args[0], at, twin)
        return env

    def unordered(self, expr: Expr, env: Env, rely: bool = False) -> Twin:
        """The same where it does not count in which order things lie: some see the contents only."""
        if expr.op == "state" and "contents" in expr.args[0].aspects:
            twin = self.ev(expr, env, rely)
            twins = [self.ev(a, env, rely) for a in expr.args[1]]
            if twin.high and self._sees_aspect(expr.args[0], twins, "contents"):
                return twin._replace(high=both(twins), size=None)
            return twin
        if expr.op == "filter" and expr.args[1].op in ("state", "filter") and expr.type.kind != "set":
            found = self._each(expr, env, rely, self.unordered(expr.args[1], env, rely))
            return self._tidy(expr, found)
        return self.ev(expr, env, rely)

    # --- quantifiers -------------------------------------------------------------------------------------------------
    def _each(self, expr: Expr, env: Env, rely: bool, given: Twin | None = None) -> Twin:
        op, (var, source, body), kind = expr.op, expr.args, expr.type
        group = given or (self.ev if op in IN_ORDER else self.unordered)(source, env, rely)
        loose = Env({**env.vars, var: Twin(group.dom, group.high)}, env.facts)
        if group.dom is None or op == "reach":  # one thing leads to another, wherever it begins
            loose.vars[var] = self.top(var.type, group.high)
        high = self.may_be_high(body, loose)
        doubt = self.careful or bool(group.high)  # does it count whether the body can be valued?
        if (
            not high
            and not doubt
            and not self.sharp
            and (op not in ("filter", "image", "images") or self.info(body).states)
        ):
            if op in ("filter", "often"):  # a low condition: some of them
                return Twin(group.dom, group.high, False, None, group.stops)
            return self.top(kind, group.high)._replace(stops=group.stops)
        if group.dom is None or len(group.dom) > MAX_EACH or op == "reach":
            twin = self.ev_under(group.high, body, loose, rely)
            found = Twin(group.dom) if op in ("filter", "often") else self.top(kind)
            return found._replace(high=group.high | twin.high, stops=group.stops | under(twin.stops, group.high))
        return self._each_one(expr, env, rely, group)

    def _each_one(self, expr: Expr, env: Env, rely: bool, group: Twin) -> Twin:
        op, (var, _, body), kind = expr.op, expr.args, expr.type
        found: set[Value] | None = set()
        hidden, stops, exact = group.high, group.stops, group.exact
        some, every = False, True
        doubt = LOW if group.exact else group.high
        for x in group.dom or ():
            twin = self.ev_under(doubt, body, Env({**env.vars, var: Twin(frozenset({x}))}, env.facts), rely)
            hidden, stops = hidden | twin.high, stops | under(twin.stops, doubt)
            sure = twin.one and not body.type.many or twin.exact
            exact = exact and sure
            if op == "filter":
                if twin.dom is None or True in twin.dom:
                    found = None if found is None else found | {x}
            elif op in ("image", "images"):
                found = None if found is None or twin.dom is None else found | (twin.dom - {None})
            elif op == "often":
                found = None if found is None else found | {x}
            some = some or twin.dom == YES and group.exact
            every = every and twin.dom == YES
        dom = None if found is None else frozenset(found)
        if op == "filter" and dom is not None:
            return Twin(dom, hidden, exact, self._all_but_one(expr, env, rely, group), stops)
        if op in ("image", "images", "often"):
            return Twin(dom, hidden, exact and op == "image", None, stops)
        if op == "exists" and some or op == "every" and every:
            return Twin(YES, stops=stops)
        if op == "exists" and group.dom is not None and not group.dom:
            return Twin(NO, stops=stops)
        return self.top(kind, few(hidden))._replace(stops=stops)

    def _all_but_one(self, expr: Expr, env: Env, rely: bool, group: Twin) -> High | None:
        """The secrets of the size of `all where it is not X`: which one may be a secret, how many are left is not."""
        var, _, body = expr.args
        if not group.exact or body.op != "not" or body.args[0].op != "eq":
            return None
        one, other = body.args[0].args
        if other.op == "var" and other.args[0] is var:
            one, other = other, one
        if one.op != "var" or one.args[0] is not var or mentions(other, var):
            return None
        return self._missing(other, env, rely, group)

    def _missing(self, gone: Expr, env: Env, rely: bool, group: Twin) -> High | None:
        twin = self.ev(gone, env, rely)
        if twin.dom is None or group.dom is None or gone.type.many:
            return None
        return group.amount | twin.amount if twin.dom - {None} <= group.dom else None

    # --- sets, lists and numbers -------------------------------------------------------------------------------------
    def _count(self, expr: Expr, env: Env, rely: bool) -> Twin:
        (inner,) = expr.args
        group = self.unordered(inner, env, rely)
        if inner.op == "state" and inner.args[0] in self.stock.piles:
            self.measured.add(inner.args[0])
            if inner.args[0] not in self.uneven:
                return Twin(None, LOW, stops=group.stops)
        if group.exact and group.dom is not None and (inner.type.kind == "set" or not group.dom):
            return Twin(frozenset({len(group.dom)}), LOW, stops=group.stops)
        dom = None
        if group.dom is not None and inner.type.kind == "set" and len(group.dom) < MAX_NUMBERS:
            dom = frozenset(range(len(group.dom) + 1))
        return Twin(dom, group.amount, stops=group.stops)

    def _only(self, expr: Expr, env: Env, rely: bool) -> Twin:
        group = self.ev(expr.args[0], env, rely)
        if group.dom is None:
            return self.top(expr.type.or_nothing(), group.high)._replace(size=group.amount, stops=group.stops)
        if expr.op == "only" and group.exact and len(group.dom) != 1:
            return Twin(frozenset({None}), stops=group.stops)
        sure = group.exact and (len(group.dom) == 1 or bool(group.dom))
        return Twin(group.dom if sure else group.dom | {None}, group.high, False, group.amount, group.stops)

    def _first(self, expr: Expr, env: Env, rely: bool) -> Twin:
        row = self._only(expr, env, rely)
        (source,) = expr.args
        if row.high and source.op == "state" and source.args[0].aspects:
            twins = [self.ev(a, env, rely) for a in source.args[1]]
            if self._sees_aspect(source.args[0], twins, "top"):
                return row._replace(high=both(twins), size=both(twins))
        return row

    _last = _only

    def _reversed(self, expr: Expr, env: Env, rely: bool) -> Twin:
        group, *rest = [self.ev(a, env, rely) for a in expr.args]
        stops = group.stops | self._stop(expr.args[1:], rest)
        return group._replace(high=group.high | both(rest), size=group.amount, stops=stops)

    _rotated = _after = _reversed

    def _without(self, expr: Expr, env: Env, rely: bool) -> Twin:
        group, gone = (self.ev(a, env, rely) for a in expr.args)
        high, stops = group.high | gone.high, group.stops | gone.stops
        if group.dom is None:
            return Twin(None, high, stops=stops)
        if gone.exact and expr.op == "without":
            return Twin(group.dom - (gone.dom or frozenset()), high, group.exact, None, stops)
        one = bare(expr.args[1])
        size = None if one.type.many or not group.exact else self._missing(one, env, rely, group)
        return Twin(group.dom, high, False, size, stops)

    _remove = _without

    def _gather(self, expr: Expr, env: Env, rely: bool) -> Twin:
        kids = list(expr.kids())
        twins = [self.ev(kid, env, rely) for kid in kids]
        high, stops = both(twins), self._stop(kids, twins)
        if any(t.dom is None for t in twins):
            return Twin(None, high, stops=stops)
        dom = frozenset[Value]().union(*(t.dom or () for t in twins)) - {None}
        exact = all(t.exact or not k.type.many and t.one and None not in (t.dom or ()) for k, t in zip(kids, twins))
        if any(t.exact and t.dom == dom for t in twins):  # all of them are there in any case
            exact = True
        size = twins[0].amount if len(twins) == 1 else None
        return Twin(dom, high, exact, size, stops)

    _join = _gather

    def _heap(self, expr: Expr, env: Env, rely: bool) -> Twin:
        kids = [self.ev(kid, env, rely) for kid in expr.args]
        sizes = [
            LOW if not kid.type.many and not kid.type.maybe else twin.amount
            for kid, twin in zip(map(bare, expr.args), kids)
        ]
        return self._gather(expr, env, rely)._replace(size=LOW.union(*sizes))

    _append = _extend = _heap

    def _add(self, expr: Expr, env: Env, rely: bool) -> Twin:
        kids = [self.ev(a, env, rely) for a in expr.args]
        one, other = kids
        dom: Domain = None
        if _numbers(one) and _numbers(other):
            work = ARITHMETIC[expr.op]
            dom = frozenset(work(x, y) for x in one.dom or () for y in other.dom or ())
            dom = dom if len(dom) <= MAX_NUMBERS else None
        high, stops = one.high | other.high, self._stop(expr.args, kids, True)
        if expr.op == "mul" and (dom is None or any(not -LARGEST < x < LARGEST for x in dom)):
            stops |= {s._replace(by=BOUNDS) for s in high or RISK}  # multiplied again and again, they leave all bounds
        return Twin(dom, high, stops=stops)

    _sub = _mul = _add

    def _range(self, expr: Expr, env: Env, rely: bool) -> Twin:
        kids = [self.ev(a, env, rely) for a in expr.args]
        high, stops = both(kids), self._stop(expr.args, kids, True)
        first, last = kids
        if _numbers(first) and _numbers(last):
            start, end = min(first.dom or (0,)), max(last.dom or (0,))
            if end - start < MAX_NUMBERS:
                return Twin(frozenset(range(start, end + 1)), high, first.one and last.one, None, stops)
            if end - start < MAX_RANGE:
                return Twin(None, high, stops=stops)
        stops |= {s._replace(by=BOUNDS) for s in high or RISK}  # numbers may lie too far apart
        return Twin(None, high, stops=stops)

    def _largest(self, expr: Expr, env: Env, rely: bool) -> Twin:
        group = self.ev(expr.args[0], env, rely)
        sure = least(expr.args[0]) > 0 or group.exact and bool(group.dom)
        dom = None if group.dom is None else group.dom if sure else group.dom | {None}
        return Twin(dom, group.high, False, LOW if sure else group.amount, group.stops, not sure)

    _smallest = _largest

    # --- who sees what: in audience.py --------------------------------------------------------------------------------
    def sees(self, seen: Expr | str, env: Env, rely: bool = False) -> Seen:
        raise NotImplementedError

    def demand(self, expr: Expr, env: Env) -> None:
        raise NotImplementedError


def _numbers(twin: Twin) -> bool:
    """Are these a few numbers?"""
    return twin.dom is not None and len(twin.dom) <= MAX_NUMBERS and None not in twin.dom
