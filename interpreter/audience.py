"""Who sees it: whether the observer belongs to an audience, and what to split where that is not clear."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from .model import Expr, Value
from .stock import bare, term
from .twins import LOW, NOT_SEEN, SURELY, YES, Domain, Env, Seen, Split, Twin, cell, is_small
from .valuing import Valuing

__all__ = ["Audience"]

MAX_SPLIT = 64  # values of a name or state that are told apart


class Audience(Valuing):
    """Knows whether the observer is among those who see something."""

    def sees(self, seen: Expr | str, env: Env, rely: bool = False) -> Seen:
        """Is the observer among these? Only that is asked, not who else is."""
        if isinstance(seen, str):
            return SURELY if seen == "all" else NOT_SEEN
        op, args = seen.op, seen.args
        if op == "join":
            return _either(*(self.sees(side, env, rely) for side in args))
        if op == "cond":
            return self._sees_cond(seen, env, rely)
        if op == "filter":
            outer = self.sees(args[1], env, rely)
            if not outer.may:
                return NOT_SEEN
            inner = Env({**env.vars, args[0]: Twin(frozenset({self.observer}))}, env.facts)
            test = self.ev(args[2], inner, rely)
            if test.one:
                return outer if test.dom == YES else NOT_SEEN
            if not test.high and not rely:
                self.demand(seen, env)
            return Seen(True, False, outer.high | test.high)
        if op in ("without", "remove"):
            one, gone = (self.sees(side, env, rely) for side in args)
            if not one.may or gone.must:
                return NOT_SEEN
            return one if not gone.may else Seen(True, False, one.high | gone.high)
        if op == "word":
            function, inputs = args
            inner = Env(dict(zip(function.variables, (self.ev(a, env, rely) for a in inputs))), env.facts)
            try:
                return self.sees(function.body, inner, rely)
            except Split as split:
                raise Split(self.looks.replaced(split.expr, function.variables, inputs), split.origin) from None
        if op == "gather" and len(args[0]) > 1:
            found = NOT_SEEN
            for part in args[0]:
                found = _either(found, self._is_one_of(part, env, rely))
            return found
        return self._is_one_of(bare(seen), env, rely)

    def _is_one_of(self, expr: Expr, env: Env, rely: bool) -> Seen:
        twin = self.ev(expr, env, rely)
        if twin.dom is not None and self.observer not in twin.dom:
            return NOT_SEEN
        if twin.exact if expr.type.many else twin.one:
            return SURELY
        if not twin.high and not rely:
            self.demand(expr, env)
        return Seen(True, False, twin.high)

    def _sees_cond(self, seen: Expr, env: Env, rely: bool) -> Seen:
        test = self.ev(seen.args[0], env, rely)
        if test.one:
            return self.sees(seen.args[1 if test.dom == YES else 2], env, rely)
        if not test.high and not rely:
            self.demand(seen.args[0], env)
        yes = self.sees(seen.args[1], self.narrow(seen.args[0], env, True, rely), rely)
        no = self.sees(seen.args[2], self.narrow(seen.args[0], env, False, rely), rely)
        if yes.must and no.must or not yes.may and not no.may:
            return yes
        return Seen(True, False, test.high | yes.high | no.high)

    # --- what is the same in all worlds ------------------------------------------------------------------------------
    def sharpened(self, expr: Expr, env: Env, twin: Twin) -> Twin:
        """A value that is made of secrets, but the same whatever they are, is none: tried out, where they are few."""
        if expr.type.many or expr.op in ("var", "state"):
            return twin
        leaves: list[Expr] = []
        ways = 1
        for leaf in self._leaves(expr, env, hidden=True):
            leaves.append(leaf)
            ways *= len(self.ev(leaf, env).dom or ())
            if ways > MAX_SPLIT:
                return twin
        if not leaves:
            return twin
        found: Domain = None
        for values in product(*(sorted(self.ev(leaf, env).dom or (), key=str) for leaf in leaves)):
            case = env
            for leaf, x in zip(leaves, values):
                case = self.supposing(leaf, Twin(frozenset({x})), case)
            try:
                one = self.ev(expr, case)
            except Split:
                return twin
            if not one.one or found is not None and one.dom != found:
                return twin
            found = one.dom
        return Twin(found, LOW, stops=twin.stops)

    # --- splitting ---------------------------------------------------------------------------------------------------
    def demand(self, expr: Expr, env: Env) -> None:
        """It would help to know which value this has: ask for it, unless that was in vain before."""
        if id(expr) not in self.hopeless and expr.op != "const":
            self.info(expr)
            raise Split(expr, expr)

    def groups(self, expr: Expr, env: Env) -> tuple[Expr, list[frozenset[Value]]] | None:
        """A name or a state in this expression, and its values in groups between which the expression tells."""
        for leaf in self._leaves(expr, env):
            values = self.ev(leaf, env).dom or frozenset()
            found: dict[object, set[Value]] = {}
            for x in values:
                found.setdefault(self._told(expr, self.supposing(leaf, Twin(frozenset({x})), env), x), set()).add(x)
            if len(found) > 1:
                return leaf, sorted(map(frozenset, found.values()), key=lambda group: sorted(map(str, group)))
        return None

    def _leaves(self, expr: Expr, env: Env, hidden: bool = False) -> Iterable[Expr]:
        done: set[object] = set()
        stack = [expr]
        while stack:
            one = stack.pop()
            if one.op in ("var", "state") and (key := term(one)) not in done:
                done.add(key)
                if one.op == "var" and one.args[0].origin not in env.vars or one.type.many:
                    continue
                if one.op == "state" and not is_small(one.args[0]):
                    stack += one.kids()
                    continue
                try:
                    twin = self.ev(one, env)
                    usable = one.op == "var" or cell([self.ev(a, env) for a in one.args[1]]) is not None
                except Split:
                    continue
                if usable and (hidden or not twin.high) and twin.dom is not None and 1 < len(twin.dom) <= MAX_SPLIT:
                    yield one
            stack += one.kids()

    def _told(self, expr: Expr, env: Env, x: Value) -> object:
        try:
            if expr.type.kind == "truth" or expr.type.kind == "number":
                return self.ev(expr, env).dom
            seen = self.sees(expr, env, False)
            return seen.may, seen.must
        except Split:
            return "split", x


def _either(one: Seen, other: Seen) -> Seen:
    if one.must or other.must:
        return SURELY
    return Seen(one.may or other.may, False, (one.high if one.may else LOW) | (other.high if other.may else LOW))
