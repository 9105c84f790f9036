"""Conditions on all things of a mask at once, in C: as far as they hang on no more than which thing it is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from .csource import CFunctions
from .cwriting import C, Code, Env, K, c_number, walk_expression
from .model import Expr, Type, Var

__all__ = ["CMasks"]

LIGHT = {"var", "const", "slot", "cell", "look", "eq", "less", "member", "not", "and", "or"}


def hangs_on(expr: Expr, var: Var) -> bool:
    return any(found.op == "var" and found.args[0] is var for found in walk_expression(expr))


def is_apart(expr: Expr, var: Var) -> bool:
    """Does it not hang on the variable, and is it quickly valued?"""
    return not hangs_on(expr, var) and all(found.op in LIGHT for found in walk_expression(expr))


def is_var(expr: Expr, var: Var) -> bool:
    return expr.op == "var" and expr.args[0] is var


class CMasks(CFunctions):
    def sifted(self, expr: Expr, env: Env) -> tuple[C, list[Expr]] | None:
        """What a quantifier goes over, as a mask of those things that come into question, and what is left to be looked
        at thing by thing; None where nothing can be said of all at once. For `every`, those that could be against it.

        Conditions are valued from left to right, until one decides; so only the first ones can be taken together. What
        is valued besides could at most go wrong, which Python puts right."""
        var, source, body = expr.args
        if self.rep(source.type) != "m" or not self.universe(source.type.of):
            return None
        against = expr.op == "every"
        sides: Sequence[Expr] = body.args if body.op == ("or" if against else "and") else (body,)
        count = 0
        while count < len(sides) and self._at_once(sides[count], var):
            count += 1
        if not count:
            return None
        whole = self.of(source, env)
        if whole.rep != "m" if isinstance(whole, C) else whole.value is None:
            return None
        universe = self.universe(source.type.of)
        masks = [self._group(whole, source.type)]
        masks += [("~" if against else "") + self._those(side, var, universe, env) for side in sides[:count]]
        return self.let(" & ".join(masks), source.type, "m", True), list(sides[count:])

    def _at_once(self, test: Expr, var: Var) -> bool:
        if not hangs_on(test, var):
            return is_apart(test, var)
        if test.op in ("and", "or", "not"):
            return all(self._at_once(side, var) for side in test.args)
        if test.op == "member":
            what, group = test.args
            same = self.universe(what.type) == self.universe(group.type.of)
            return is_var(what, var) and is_apart(group, var) and self.rep(group.type) == "m" and same
        if test.op == "eq":
            one, two = test.args if hangs_on(test.args[0], var) else reversed(test.args)
            same = two.type.kind == "thing" and self.universe(two.type) == self.universe(one.type)
            return is_var(one, var) and is_apart(two, var) and same
        if test.op == "look":
            args = test.args[2]
            return sum(is_var(a, var) for a in args) == 1 and all(is_var(a, var) or is_apart(a, var) for a in args)
        return False

    def _those(self, test: Expr, var: Var, universe: int, env: Env) -> str:
        """The mask of those things for which it holds; what it says of others does not matter."""
        if not hangs_on(test, var):
            return f"-(i64){self.test(test, env)}"
        if test.op == "not":
            return f"~{self._those(test.args[0], var, universe, env)}"
        if test.op in ("and", "or"):
            sides = [self._those(side, var, universe, env) for side in test.args]
            return f"({(' & ' if test.op == 'and' else ' | ').join(sides)})"
        if test.op == "member":
            group = test.args[1]
            return self.let(self._group(self.of(group, env), group.type), group.type, "m", True).text
        if test.op == "eq":
            _, other = test.args if is_var(test.args[0], var) else reversed(test.args)
            return self._one(self.of(other, env), other.type)
        return self._looked(test, var, universe, env)

    def _group(self, code: Code, kind: Type) -> str:
        text = self.text(code, kind, "m")
        return self.needed(code, text) if isinstance(code, C) or code.value is None else text

    def _one(self, code: Code, kind: Type) -> str:
        if isinstance(code, K):
            return "0" if code.value is None else self.bit(code, kind)
        bit = self.bit(code.there(), kind)
        return self.let(bit if code.sure else f"{code.text} == NOTHING ? 0 : {bit}", kind, "m", True).text

    def _looked(self, test: Expr, var: Var, universe: int, env: Env) -> str:
        """A table of masks, for all that the other arguments may be."""
        values, params, args = test.args
        place = next(i for i, arg in enumerate(args) if is_var(arg, var))
        others = [*params[:place], *params[place + 1 :]]
        known = [(self.universes[universe].index(a), a) for a in params[place].atoms if self.universe_of[a] == universe]
        masks = [
            sum(1 << bit for bit, atom in known if values.get((*row[:place], atom, *row[place:])))
            for row in product(*(sorted(param.atoms) for param in others))
        ]
        if not others:
            return c_number(masks[0])
        self._kept.append(values)
        table = self.table(("masks", id(values), place), masks)
        codes = [self.of(arg, env) for i, arg in enumerate(args) if i != place]
        return self.let(f"{table}[{self.offset(others, codes)}]", test.type, "m", True).text
