"""Conditions over the words of a game, made at random: every operation, every word, to a given depth."""

from __future__ import annotations

import random

from tabarro.interpreter.check import Scope
from tabarro.interpreter.errors import Place, RulesError, Source
from tabarro.interpreter.forms import Typing
from tabarro.interpreter.model import (
    NOTHING,
    NUMBER,
    TRUTH,
    Expr,
    Type,
    Var,
    const,
    fits,
    list_of,
    may_equal,
    set_of,
)
from tabarro.interpreter.parse import Syntax


class Impossible(Exception):
    """Nothing of this type can be made here."""


class Conditions:
    """`next` is a condition; `free` are the names that it may use beside those it binds itself."""

    def __init__(self, game, seed: int, depth: int = 4):
        self.words, self.random, self.depth = game.vocabulary, random.Random(seed), depth
        self.typing = Typing(self.words.checker, Place(Source("", "x"), 1, 1), Scope({}))
        self.node = Syntax("name", ("x", "x"), 0, 1)
        self.kinds = [s for s in self.words.sets.values() if s.atoms]
        self.functions = [f for same in self.words.functions.values() for f in same]
        self.free = {
            v.name: v
            for f in self.functions
            if f.kind == "formula" and f.result.kind == "truth"
            for v in f.variables[f.keys :]
        }

    def next(self) -> Expr:
        while True:
            try:
                return self.truth(self.random.randint(1, self.depth), [])
            except (Impossible, RulesError, RecursionError):
                continue

    def pick(self, ways, *args):
        """The first of these ways, in random order, that leads somewhere."""
        ways = list(ways)
        self.random.shuffle(ways)
        for way in ways:
            try:
                return way(*args)
            except (Impossible, RulesError):
                continue
        raise Impossible

    def call(self, wanted, depth, bound):
        """A function of the game whose result is as wanted."""
        functions = [f for f in self.functions if wanted(f.result)]
        if not functions:
            raise Impossible
        function = self.random.choice(functions)
        args = [self.value(p.type, depth - 1, bound) for p in function.params]
        found = self.typing.resolve(self.words.functions[function.shape], args)
        if found is None:
            raise Impossible
        return found

    def value(self, kind: Type, depth, bound) -> Expr:
        if kind.kind == "thing":
            return self.thing(kind, depth, bound)
        if kind.kind == "number":
            return self.number(depth, bound)
        if kind.many and kind.of is not None and kind.of.kind == "thing":
            return self.many(kind.of, depth, bound, kind.kind)
        if kind.many and kind.of is not None and kind.of.kind == "number":
            return self.numbers(depth, bound)
        if kind.many:
            return self.call(lambda t: t == kind, depth, bound)
        raise Impossible

    # --- values -------------------------------------------------------------------------------------------------------
    def thing(self, kind: Type, depth, bound) -> Expr:
        known = [v for v in bound if fits(v.type, kind)]
        if known and self.random.random() < 0.6:
            return _var(self.random.choice(known))
        if depth <= 1 or self.random.random() < 0.5:
            return self.words.atom_const(self.random.choice(sorted(kind.atoms)))
        return self.pick([self._called, self._only, self._end, self._chosen], kind, depth, bound)

    def _called(self, kind, depth, bound):
        return self.call(lambda t: t.kind == "thing" and t.atoms and fits(t, kind), depth, bound)

    def _only(self, kind, depth, bound):
        source = self.many(kind, depth - 1, bound)
        return Expr("only", (source,), source.type.of.or_nothing())

    def _end(self, kind, depth, bound):
        source = self.many(kind, depth - 1, bound, "list")
        return Expr(self.random.choice(["first", "last"]), (source,), source.type.of.or_nothing())

    def _chosen(self, kind, depth, bound):
        return self._choice(lambda: self.thing(kind, depth - 1, bound), depth, bound)

    def _choice(self, make, depth, bound):
        one, other = make(), make()
        kind = self.words.join_types(one.type, other.type)
        if kind is None:
            raise Impossible
        return Expr("cond", (self.truth(depth - 1, bound), one, other), kind)

    def number(self, depth, bound) -> Expr:
        known = [v for v in bound if v.type.kind == "number"]
        if known and self.random.random() < 0.6:
            return _var(self.random.choice(known))
        if depth <= 1 or self.random.random() < 0.3:
            return const(self.random.randint(0, 6), NUMBER)
        ways = [self._count, self._tally, self._sum, self._numbered, self._either, self._divided, self._of_numbers]
        return self.pick(ways, depth, bound)

    def _count(self, depth, bound):
        return Expr("count", (self.many(self.random.choice(self.kinds).type, depth - 1, bound),), NUMBER)

    def _tally(self, depth, bound):
        return Expr("tally", self._binding(depth, bound), NUMBER)

    def _sum(self, depth, bound):
        pair = (self.number(depth - 1, bound), self.number(depth - 1, bound))
        return Expr(self.random.choice(["add", "sub", "mul"]), pair, NUMBER)

    def _divided(self, depth, bound):
        pair = (self.number(depth - 1, bound), self.number(depth - 1, bound))
        return Expr(self.random.choice(["div", "rem"]), pair, NUMBER)

    def _of_numbers(self, depth, bound):
        op = self.random.choice(["total", "largest", "smallest"])
        return Expr(op, (self.numbers(depth - 1, bound),), NUMBER if op == "total" else NUMBER.or_nothing())

    def numbers(self, depth, bound) -> Expr:
        """Several numbers: in a row, or one of each of several things."""
        if self.random.random() < 0.3:
            return Expr("range", (self.number(depth - 1, bound), self.number(depth - 1, bound)), set_of(NUMBER))
        function = self._measure(lambda t: t.kind == "number")
        source = self.many(function.params[0].type, depth - 1, bound)
        found = self.typing.lifted(self.words.functions[function.shape], [source])
        if found is None:
            raise Impossible
        return found

    def _measure(self, wanted):
        """A function of one thing, with such a result."""
        found = [f for f in self.functions if len(f.params) == 1 and f.shape.endswith(" of _") and f.kind != "formula"]
        found = [f for f in found if f.params[0].type.kind == "thing" and wanted(f.result)]
        if not found:
            raise Impossible
        return self.random.choice(found)

    def _numbered(self, depth, bound):
        return self.call(lambda t: t.kind == "number", depth, bound)

    def _either(self, depth, bound):
        return self._choice(lambda: self.number(depth - 1, bound), depth, bound)

    def many(self, of: Type, depth, bound, kind="set") -> Expr:
        if kind == "list":
            ways = [self._listed, self._turned, self._often]
            return self.pick([*ways, self._longer, self._removed] if depth > 2 else ways, of, depth, bound)
        if kind == "pile":
            return self.pick([self._piled, self._heaped] if depth > 2 else [self._piled], of, depth, bound)
        ways = [self._all, self._set]
        if depth > 1:
            ways += [self._set, self._where, self._joined, self._less, self._enumerated, self._image]
            ways += [self._extreme, self._spread, self._piled]
        return self.pick(ways, of, depth, bound)

    def _extreme(self, of, depth, bound):
        source = self.many(of, depth - 1, bound)
        var = Var("it", source.type.of)
        if self.random.random() < 0.5:
            measure = self._measure(lambda t: t.kind == "number")
            body = self.typing.resolve(self.words.functions[measure.shape], [_var(var)])
        else:
            body = self.number(depth - 1, [*bound, var, var, var])
        if body is None or not _uses(body, var) or body.type.kind != "number":
            raise Impossible
        return Expr(self.random.choice(["highest", "lowest"]), (var, source, body), source.type)

    def _spread(self, of, depth, bound):
        """What can be reached by steps from a thing to those of its kind."""
        links = [f for f in self.functions if f.params and f.params[0].type.kind == "thing" and f.kind != "formula"]
        links = [f for f in links if f.result.kind in ("thing", "set") and fits(f.params[0].type, of)]
        links = [
            f for f in links if fits((f.result.of or f.result).definite(), f.params[0].type) and not f.result.maybe
        ]
        links = [f for f in links if f.result.kind == "set" or f.result.atoms]
        if not links:
            raise Impossible
        link = self.random.choice(links)
        kind = link.params[0].type
        found = self.many(kind, depth - 1, bound)
        if self.random.random() < 0.6:
            one = self.thing(kind, depth - 1, bound)
            found = Expr("gather", ((one,),), set_of(one.type))
        others = [self.value(p.type, 1, bound) for p in link.params[1:]]
        for _ in range(self.random.choice([1, 2, 3])):
            var = Var("each", kind)
            body = self.typing.resolve(self.words.functions[link.shape], [_var(var), *others])
            if body is None:
                raise Impossible
            op = self.random.choice(["stride", "stride", "reach"]) if found.op in ("gather",) else "stride"
            found = Expr(op, (var, found, body), set_of(kind))
        return found

    def _piled(self, of, depth, bound):
        return self.call(
            lambda t: t.kind == "pile" and t.of is not None and t.of.kind == "thing" and fits(t.of, of), depth, bound
        )

    def _heaped(self, of, depth, bound):
        one, other = self._piled(of, depth - 1, bound), self.many(of, depth - 1, bound)
        if self.random.random() < 0.5:
            return self.typing.heap(self.node, one, other)
        return Expr("remove", (one, other), one.type)

    def _longer(self, of, depth, bound):
        row = self.many(of, depth - 1, bound, "list")
        more = self.thing(of, depth - 1, bound) if self.random.random() < 0.5 else self.many(of, depth - 1, bound)
        return self.typing.lengthened(self.node, row, more)

    def _removed(self, of, depth, bound):
        row = self.many(of, depth - 1, bound, "list")
        gone = self.many(row.type.of, depth - 1, bound)
        if not may_equal(row.type, gone.type):
            raise Impossible
        return Expr("remove", (row, gone), row.type)

    def _all(self, of, depth, bound):
        kinds = [s for s in self.kinds if fits(s.type, of)]
        if not kinds:
            raise Impossible
        things = self.random.choice(kinds)
        return const(tuple(sorted(things.atoms)), set_of(things.type))

    def _set(self, of, depth, bound):
        return self.call(
            lambda t: t.kind == "set" and t.of is not None and t.of.kind == "thing" and fits(t.of, of), depth, bound
        )

    def _where(self, of, depth, bound):
        source = self.many(of, depth - 1, bound)
        it = Var("it", source.type.of)
        return Expr("filter", (it, source, self.truth(depth - 1, [*bound, it])), source.type)

    def _joined(self, of, depth, bound):
        one, other = self.many(of, depth - 1, bound), self.many(of, depth - 1, bound)
        if "pile" in (one.type.kind, other.type.kind):
            return self.typing.heap(self.node, one, other)
        kind = self.words.join_types(one.type, other.type)
        if kind is None:
            raise Impossible
        return Expr("join", (one, other), kind)

    def _less(self, of, depth, bound):
        one = self.many(of, depth - 1, bound)
        other = self.many(one.type.of, depth - 1, bound)
        if not may_equal(one.type, other.type):
            raise Impossible
        return Expr("without" if one.type.kind == "set" else "remove", (one, other), one.type)

    def _enumerated(self, of, depth, bound):
        atoms = self.random.sample(sorted(of.atoms), min(len(of.atoms), self.random.randint(1, 3)))
        found = None
        for atom in atoms:
            one = self.words.atom_const(atom)
            one = Expr("gather", ((one,),), set_of(one.type))
            kind = one.type if found is None else self.words.join_types(found.type, one.type)
            if kind is None:
                raise Impossible
            found = one if found is None else Expr("join", (found, one), kind)
        return found

    def _image(self, of, depth, bound):
        function = self.random.choice(self.functions)
        one = function.result.of if function.result.many else function.result
        if len(function.params) != 1 or function.params[0].type.kind != "thing" or function.kind == "formula":
            raise Impossible
        if one is None or one.kind != "thing" or function.result.kind == "list" or not fits(one, of):
            raise Impossible
        source = self.many(function.params[0].type, depth - 1, bound)
        found = self.typing.lifted(self.words.functions[function.shape], [source])
        if found is None:
            raise Impossible
        return found

    def _listed(self, of, depth, bound):
        return self.call(
            lambda t: t.kind == "list" and t.of is not None and t.of.kind == "thing" and fits(t.of, of), depth, bound
        )

    def _turned(self, of, depth, bound):
        source = self.many(of, depth - 1, bound) if depth > 1 else self._all(of, depth, bound)
        op = self.random.choice(["reversed", "rotated", "after"])
        if op == "reversed":
            return Expr(op, (source,), list_of(source.type.of))
        return Expr(op, (source, self.thing(source.type.of, depth - 1, bound)), list_of(source.type.of))

    def _often(self, of, depth, bound):
        tables = [f for f in self.functions if f.kind == "table" and f.result.kind == "number" and len(f.params) == 1]
        tables = [f for f in tables if fits(f.params[0].type, of) and None not in f.values.values()]
        if not tables:
            raise Impossible
        table = self.random.choice(tables)
        source = self._all(table.params[0].type, depth, bound)
        each = Var("each", source.type.of)
        return Expr(
            "often", (each, source, self.typing.call(table.shape, [_var(each)], self.node)), list_of(source.type.of)
        )

    # --- conditions ---------------------------------------------------------------------------------------------------
    def truth(self, depth, bound) -> Expr:
        if depth <= 1:
            return self.pick([self._claimed, self._claimed, self._same, self._member, self._compared], 1, bound)
        ways = [self._claimed, self._same, self._member, self._compared, self._within, self._distinct]
        ways += [self._quantified, self._quantified, self._counted, self._not, self._and, self._or, self._if]
        return self.pick(ways, depth, bound)

    def _claimed(self, depth, bound):
        return self.call(lambda t: t.kind == "truth", depth, bound)

    def _same(self, depth, bound):
        kind = self.random.choice(self.kinds).type
        if self.random.random() < 0.15:
            one = self.call(lambda t: t.kind == "thing" and t.maybe, depth, bound)
            return Expr("eq", (one, const(None, NOTHING)), TRUTH)
        if self.random.random() < 0.15:
            one, other = self.many(kind, depth - 1, bound), self.many(kind, depth - 1, bound)
            if not may_equal(one.type, other.type):
                raise Impossible
            return Expr("eq", (one, other), TRUTH)
        one, other = self.thing(kind, depth, bound), self.thing(kind, depth - 1, bound)
        if not may_equal(one.type, other.type):
            raise Impossible
        return Expr("eq", (one, other), TRUTH)

    def _member(self, depth, bound):
        if depth > 1 and self.random.random() < 0.15:
            return Expr("member", (self.number(depth - 1, bound), self.numbers(depth, bound)), TRUTH)
        kind = self.random.choice(self.kinds).type
        one, group = self.thing(kind, depth - 1, bound), self.many(kind, depth, bound)
        if not may_equal(one.type, group.type.of):
            raise Impossible
        return Expr("member", (one, group), TRUTH)

    def _within(self, depth, bound):
        kind = self.random.choice(self.kinds).type
        one, other = self.many(kind, depth - 1, bound), self.many(kind, depth - 1, bound)
        if not may_equal(one.type, other.type):
            raise Impossible
        return Expr("within", (one, other), TRUTH)

    def _distinct(self, depth, bound):
        functions = [f for f in self.functions if len(f.params) == 1 and f.shape.endswith(" of _")]
        functions = [f for f in functions if f.params[0].type.kind == "thing" and f.result.kind in ("thing", "number")]
        if not functions:
            raise Impossible
        function = self.random.choice(functions)
        source = self.many(function.params[0].type, depth - 1, bound)
        each = Var("x", source.type.of)
        return Expr("distinct", (each, source, self.typing.call(function.shape, [_var(each)], self.node)), TRUTH)

    def _compared(self, depth, bound):
        return self._compare(self.number(max(depth, 2), bound), self.number(depth - 1, bound))

    def _compare(self, one, other):
        how = self.random.choice(["less", "more", "least", "most", "eq"])
        if how == "eq":
            return Expr("eq", (one, other), TRUTH)
        test = Expr("less", (one, other) if how in ("less", "least") else (other, one), TRUTH)
        return Expr("not", (test,), TRUTH) if how in ("least", "most") else test

    def _binding(self, depth, bound):
        if self.random.random() < 0.1:
            source = self.numbers(depth - 1, bound)
        else:
            source = self.many(self.random.choice(self.kinds).type, depth - 1, bound)
        var = Var("x", source.type.of)
        return (var, source, self.truth(depth - 1, [*bound, var]))

    def _quantified(self, depth, bound):
        found = Expr(self.random.choice(["exists", "every"]), self._binding(depth, bound), TRUTH)
        return Expr("not", (found,), TRUTH) if self.random.random() < 0.3 else found

    def _counted(self, depth, bound):
        tally = Expr("tally", self._binding(depth, bound), NUMBER)
        return self._compare(tally, const(self.random.randint(0, 4), NUMBER))

    def _not(self, depth, bound):
        return Expr("not", (self.truth(depth - 1, bound),), TRUTH)

    def _and(self, depth, bound):
        return Expr("and", (self.truth(depth - 1, bound), self.truth(depth - 1, bound)), TRUTH)

    def _or(self, depth, bound):
        return Expr("or", (self.truth(depth - 1, bound), self.truth(depth - 1, bound)), TRUTH)

    def _if(self, depth, bound):
        return Expr("cond", tuple(self.truth(depth - 1, bound) for _ in range(3)), TRUTH)


def _uses(expr, of: Var) -> bool:
    if isinstance(expr, Expr):
        return expr.op == "var" and expr.args[0] is of or any(_uses(arg, of) for arg in expr.args)
    return isinstance(expr, tuple) and any(_uses(x, of) for x in expr)


def _var(of: Var) -> Expr:
    return Expr("var", (of,), of.type)
