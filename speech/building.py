"""Abstract trees -> typed expressions, with the type checker of the rules: what makes no sense there is no reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..interpreter.check import Scope
from ..interpreter.errors import Place, RulesError, Source
from ..interpreter.forms import MAX_STRIDES, Typing
from ..interpreter.model import (
    AMOUNT,
    EMPTY,
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
from ..interpreter.parse import Syntax
from ..interpreter.vocabulary import Vocabulary
from .effort import spend
from .rules import ELEMENT, EXTREMES, NUMERAL, Tree

__all__ = ["Builder", "of_one_kind", "uses"]

Env = Mapping[str, Var]


class Nonsense(Exception):
    """A reading that no expression can have."""


class Builder:
    def __init__(self, words: Vocabulary, free: Mapping[str, Var], called: Mapping[str, str]):
        self.words, self.free, self.called = words, free, called
        self.typing = Typing(words.checker, Place(Source("", "x"), 1, 1), Scope({}))
        self.node = Syntax("name", ("x",), 0, 1)

        self.mixed = False  # whether things of several kinds were put together
        self.step: Tree | None = None  # what a step is, where the end of the sentence tells it
        self.walked = False

    def conditions(self, trees: list[Tree]) -> list[Expr]:
        """The expressions of the readings that make sense."""
        return self._tried(self.clause, trees)

    def values(self, trees: list[Tree]) -> list[Expr]:
        return self._tried(self.value, trees)

    def _tried(self, method: Callable[[Tree, Env], Expr], trees: list[Tree]) -> list[Expr]:
        """Cards and players are put together only where nothing else can be meant: … is a player, and the cards …"""
        found: dict[bool, list[Expr]] = {False: [], True: []}
        for tree in trees:
            self.mixed = False
            try:
                expr = method(tree, {})
            except (Nonsense, RulesError, KeyError, AttributeError, TypeError, IndexError):
                continue
            found[self.mixed].append(expr)
        return found[False] or found[True]

    def call(self, shape: str, args: list[Expr]) -> Expr:
        return self.typing.call(shape, list(args), self.node)

    # --- values -------------------------------------------------------------------------------------------------------
    def value(self, tree: Tree, env: Env) -> Expr:
        spend()
        kind, _, rest = tree[0].partition(":")
        kids = tree[1:]
        if kind in ("that", "lab", "gap"):
            return _var(env[tree[0]])
        if kind == "free":
            return _var(self.free[rest])
        method = getattr(self, f"_{kind}", None)
        if method is None:
            raise Nonsense(tree[0])
        found: Expr = method(rest, kids, env)
        return found

    def _name(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self.words.atom_const(int(rest))

    def _nothing(self, rest: str, kids: Tree, env: Env) -> Expr:
        return const(None, NOTHING)

    def _none(self, rest: str, kids: Tree, env: Env) -> Expr:
        return const((), EMPTY)

    def _num(self, rest: str, kids: Tree, env: Env) -> Expr:
        return const(int(rest), NUMBER)

    def _fn(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self.call(rest, [self.value(kid, env) for kid in kids])

    def _matched(self, rest: str, kids: Tree, env: Env) -> Expr:
        match, element = (self.value(kid, env) for kid in kids)
        if match.op != "var" or match.type.kind != "match" or match.type.of is None:
            raise Nonsense
        return Expr("matched", (match.args[0], element), match.type.of)

    def _only(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._element("only", self.source(kids[0], env))

    def _first(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._element("first", self._turned(rest, kids, env) if rest else self.group(kids[0], env))

    def _last(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._element("last", self._turned(rest, kids, env) if rest else self.group(kids[0], env))

    def group(self, tree: Tree, env: Env) -> Expr:
        return self.source(tree, env) if _is_noun(tree) else self.value(tree, env)

    @staticmethod
    def _element(op: str, source: Expr) -> Expr:
        return Expr(op, (source,), _of(source).or_nothing())

    def _choice(self, rest: str, kids: Tree, env: Env) -> Expr:
        one, other = self.value(kids[1], env), self.value(kids[2], env)
        kind = self.words.join_types(one.type, other.type)
        if kind is None:
            raise Nonsense
        return Expr("cond", (self.clause(kids[0], env), one, other), kind)

    def _number(self, rest: str, kids: Tree, env: Env) -> Expr:
        if kids[0][0] == "rel" or kids[0][0].startswith("such"):
            return Expr("tally", self.source(kids[0], env).args, NUMBER)
        source = self.group(kids[0], env)
        _of(source)
        return Expr("count", (source,), NUMBER)

    def _add(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._sum("add", kids, env)

    def _sub(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._sum("sub", kids, env)

    def _mul(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._sum("mul", kids, env)

    def _div(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._sum("div", kids, env)

    def _rem(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._sum("rem", kids, env)

    def _total(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._of_numbers("total", self.value(kids[0], env))

    def _largest(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._best("largest", rest, kids, env)

    def _smallest(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._best("smallest", rest, kids, env)

    def _best(self, op: str, shape: str, kids: Tree, env: Env) -> Expr:
        values = [self.value(kid, env) for kid in kids]
        return self._of_numbers(op, self.call(shape, values) if shape else values[0])

    @staticmethod
    def _of_numbers(op: str, source: Expr) -> Expr:
        if _of(source).kind != "number":
            raise Nonsense
        return Expr(op, (source,), NUMBER if op == "total" else NUMBER.or_nothing())

    def _sum(self, op: str, kids: Tree, env: Env) -> Expr:
        return Expr(op, self.numbers(kids, env), NUMBER)

    def numbers(self, kids: Tree, env: Env) -> tuple[Expr, ...]:
        found = tuple(self.value(kid, env) for kid in kids)
        if any(x.type.kind != "number" for x in found):
            raise Nonsense
        return found

    def _amount(self, rest: str, kids: Tree, env: Env) -> Expr:
        found = self.numbers(kids, env)
        zero, all_of_them = const(0, NUMBER), const(1_000_000, NUMBER)
        low = zero if rest in ("any", "most") else found[0]
        high = {"any": all_of_them, "least": all_of_them}.get(rest) or found[-1]
        return Expr("amount", (low, high), AMOUNT)

    def _def(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self.source(kids[0], env)

    def _enum(self, rest: str, kids: Tree, env: Env) -> Expr:
        items = [self.value(kid, env) for kid in _listed(kids)]
        if not of_one_kind(self.words, items):
            raise Nonsense
        found = self.gathered(items[0])
        for item in items[1:]:
            found = self.joined(found, self.gathered(item))
        return found

    def _alone(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self.gathered(self.value(kids[0], env))

    @staticmethod
    def gathered(one: Expr) -> Expr:
        if one.type.many:
            return one
        return Expr("gather", ((one,),), set_of(one.type))

    def joined(self, one: Expr, other: Expr) -> Expr:
        kind = self.words.join_types(one.type, other.type)
        if kind is None:
            raise Nonsense
        return Expr("join", (one, other), kind)

    def _join(self, rest: str, kids: Tree, env: Env) -> Expr:
        one, other = (self.value(kid, env) for kid in kids)
        if not one.type.many:
            raise Nonsense
        self.mixed |= not of_one_kind(self.words, [one, other])
        if one.type.kind == "list":
            return self.typing.lengthened(self.node, one, other)
        if "pile" in (one.type.kind, other.type.kind):
            return self.typing.heap(self.node, one, other)
        return self.joined(one, self.gathered(other))

    def _append(self, rest: str, kids: Tree, env: Env) -> Expr:
        one, other = (self.value(kid, env) for kid in kids)
        if one.type.kind != "list":
            raise Nonsense
        return self.typing.lengthened(self.node, one, other)

    def _without(self, rest: str, kids: Tree, env: Env) -> Expr:
        one, other = self.group(kids[0], env), self.gathered(self.value(kids[1], env))
        if not one.type.many or not may_equal(one.type, other.type):
            raise Nonsense
        return Expr("without" if one.type.kind == "set" else "remove", (one, other), one.type)

    def _reversed(self, rest: str, kids: Tree, env: Env) -> Expr:
        source = self.group(kids[0], env)
        return Expr("reversed", (source,), list_of(_of(source)))

    def _rotated(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._turned("rotated", kids, env)

    def _after(self, rest: str, kids: Tree, env: Env) -> Expr:
        return self._turned("after", kids, env)

    def _turned(self, op: str, kids: Tree, env: Env) -> Expr:
        source, element = self.group(kids[0], env), self.value(kids[1], env)
        if not fits(element.type, _of(source)):
            raise Nonsense
        return Expr(op, (source, element), list_of(_of(source)))

    def _often(self, rest: str, kids: Tree, env: Env) -> Expr:
        source = self.value(kids[0], env)
        each = Var("each", _of(source))
        often = self.call(rest, [_var(each)])
        if often.op != "table" or often.type.kind != "number":
            raise Nonsense
        return Expr("often", (each, source, often), list_of(_of(source)))

    # --- nouns --------------------------------------------------------------------------------------------------------
    def source(self, tree: Tree, env: Env) -> Expr:
        kind, _, rest = tree[0].partition(":")
        kids = tree[1:]
        if kind == "kind":
            things = self.words.sets[rest]
            return const(tuple(sorted(things.atoms)), set_of(things.type))
        if kind == "cn":
            found = self.call(rest, [self.value(kid, env) for kid in kids])
        elif kind == "among":
            found = self.value(kids[0], env)
            if rest == NUMERAL and _of(found).kind != "number":
                raise Nonsense
            if rest not in (ELEMENT, NUMERAL) and not may_equal(self.words.sets[rest].type, _of(found)):
                raise Nonsense
        elif kind == "mod":
            found = self.value((rest, *kids), env)
        elif kind == "span":
            return Expr("range", self.numbers(kids[1:], env), set_of(NUMBER))
        elif kind == "best":
            return self.extreme(kids[0], kids[1], env)
        elif kind == "walk":
            return self.spread(kids[0][0].removeprefix("kind:"), kids[1], env)
        elif kind == "intro":
            found = self.source(kids[0], env)
        elif kind in ("rel", "such"):
            base = self.source(kids[0], env)
            it = Var("it", _of(base))
            key = "gap" if kind == "rel" else self._taken_up(kids[0], rest)
            body = self.relative(kids[1], {**env, key: it}) if kind == "rel" else self.clause(kids[1], {**env, key: it})
            return Expr("filter", (it, base, body), base.type)
        else:
            raise Nonsense(kind)
        _of(found)
        return found

    def extreme(self, noun: Tree, by: Tree, env: Env) -> Expr:
        """Those with the highest or lowest of something."""
        source = self.source(noun, env)
        how, status, *label = by[0].split(":")
        if status not in EXTREMES:
            raise Nonsense
        it = Var("it", _of(source))
        if how == "top":
            body = self.measured(by[1], _var(it))
        else:
            body = self.value(by[1], {**env, self._taken_up(noun, label[0]): it})
        if body.type.kind != "number" or not uses(body, it):
            raise Nonsense
        return Expr(status, (it, source, body), source.type)

    def measured(self, tree: Tree, it: Expr) -> Expr:
        return self.call(_shape(tree), [self.measured(tree[1], it) if len(tree) > 1 else it])

    def spread(self, kind: str, way: Tree, env: Env) -> Expr:
        """What can be reached from something: in so many steps, or in as many as it takes."""
        how, label = way[0].split(":")
        at_end = label == "end"
        if at_end:
            if self.step is None:
                raise Nonsense
            self.walked, label, way = True, "", (how, way[1], *self.step[1:], *way[2:])
        found, things = self.gathered(self.value(way[1], env)), self.words.sets[kind].type
        steps = {"reach": 1, "near1": 1}.get(how) or int(way[4][0][4:])
        if way[3] != (f"from:{kind}",):
            raise Nonsense
        if _of(found).kind != "thing" or not fits(_of(found), things) or not 0 < steps <= MAX_STRIDES:
            raise Nonsense
        for _ in range(steps):
            each = Var("each", things)
            known = {} if at_end else env
            body = self.value(way[2], {**known, self._taken_up((f"kind:{kind}",), label): each})
            further = _of(body) if body.type.many else body.type
            if further.kind != "thing" or not fits(further.definite(), things) or not uses(body, each):
                raise Nonsense
            found = Expr("reach" if how == "reach" else "stride", (each, found, body), set_of(things))
        return found

    def _taken_up(self, noun: Tree, label: str) -> str:
        while noun[0].partition(":")[0] not in ("kind", "among", "cn"):
            noun = noun[1]
        head = noun[0].partition(":")[2]
        head = self.called.get(head, head)
        return f"lab:{head}:{label}" if label else f"that:{head}"

    def relative(self, tree: Tree, env: Env) -> Expr:
        if tree[0] in ("and", "or"):
            return Expr(tree[0], tuple(self.relative(kid, env) for kid in tree[1:]), TRUTH)
        return self.clause(tree, env)

    # --- clauses ------------------------------------------------------------------------------------------------------
    def clause(self, tree: Tree, env: Env) -> Expr:
        spend()
        function, kids = tree[0], tree[1:]
        if function in ("and", "or"):
            found = self.clause(kids[0], env)
            for kid in kids[1:]:
                found = Expr(function, (found, self.clause(kid, env)), TRUTH)
            return found
        if function == "bracket":
            return self.clause(kids[0], env)
        if function in ("not", "if", "iff"):
            op = {"not": "not", "if": "cond", "iff": "eq"}[function]
            return Expr(op, tuple(self.clause(kid, env) for kid in kids), TRUTH)
        if function == "such":
            noun = kids[0][1]
            label = noun[0].removeprefix("intro:") if noun[0].startswith("intro:") else ""
            return self.quantified(kids[0], env, self._taken_up(noun, label), partial(self.clause, kids[1]))
        if function == "there":
            return self.counted(kids[0], env)
        if function == "stepped":
            return self.stepped(*kids)
        if function in ("vp:and", "vp:or"):
            return self.shared(function[3:], kids[0], kids[1:], env)
        return self.predicate(tree, env)

    def stepped(self, tree: Tree, step: Tree) -> Expr:
        """A sentence at whose end is told what a step in it is."""
        self.step, self.walked = step, False
        try:
            found = self.clause(tree, {})
        finally:
            self.step = None
        if not self.walked:
            raise Nonsense
        return found

    def shared(self, function: str, subject: Tree, claims: Tree, env: Env) -> Expr:
        """Several claims of one subject, which is said once."""
        if not subject[0].startswith("q:"):
            return self.clause((function, *((claim[0], subject, *claim[2:]) for claim in claims)), env)
        mark = f"that:#{len(env)}"
        whole = (function, *((claim[0], (mark,), *claim[2:]) for claim in claims))
        return self.quantified(subject, env, mark, partial(self.clause, whole))

    def counted(self, tree: Tree, env: Env) -> Expr:
        if tree[1][0].startswith("one:"):
            thing = self.call(_shape(tree[1]), [self.value(x, env) for x in tree[1][1:]])
            if thing.type.many:
                raise Nonsense
            none = self.same(thing, const(None, NOTHING))
            return Expr("not", (none,), TRUTH) if tree[0] == "q:any" else none
        source = self.source(tree[1], env)
        count = (
            Expr("tally", source.args, NUMBER)
            if tree[1][0] == "rel" or tree[1][0].startswith("such")
            else Expr("count", (source,), NUMBER)
        )
        if tree[0] == "q:no":
            return Expr("eq", (count, const(0, NUMBER)), TRUTH)
        return compare(*_how_many(tree, count))

    def quantified(self, tree: Tree, env: Env, key: str, body: Callable[[Env], Expr]) -> Expr:
        source = self.source(tree[1], env)
        of = Var("x", _of(source))
        inner = body({**env, key: of})
        status = tree[0][2:]
        if status in ("any", "every", "no", "notevery"):
            found = Expr("exists" if status in ("any", "no") else "every", (of, source, inner), TRUTH)
            return Expr("not", (found,), TRUTH) if status.startswith("no") else found
        return compare(*_how_many(tree, Expr("tally", (of, source, inner), NUMBER)))

    def predicate(self, tree: Tree, env: Env) -> Expr:
        function, kids = tree[0], tree[1:]
        for index, kid in enumerate(kids):
            if kid[0] == "q:together":
                if index:
                    raise Nonsense
                return self.clause(("and", *((function, one, *kids[1:]) for one in kid[1:])), env)
            if kid[0].startswith("q:"):
                mark = f"that:#{len(env)}"

                def body(inner: Env, index: int = index, mark: str = mark) -> Expr:
                    return self.clause((function, *kids[:index], (mark,), *kids[index + 1 :]), inner)

                if kid[0] not in ("q:other", "q:noother"):
                    return self.quantified(kid, env, mark, body)
                if index != 1:
                    raise Nonsense

                def both(inner: Env, mark: str = mark) -> Expr:
                    same = Expr("eq", (_var(inner[mark]), self.value(kids[0], inner)), TRUTH)
                    return Expr("and", (Expr("not", (same,), TRUTH), body(inner)), TRUTH)

                return self.quantified(("q:any" if kid[0] == "q:other" else "q:no", kid[1]), env, mark, both)
        name = function.removeprefix("p:")
        denied = name.endswith(":neg")
        found = self.claim(name.removesuffix(":neg"), kids, env)
        return Expr("not", (found,), TRUTH) if denied else found

    def claim(self, name: str, kids: Tree, env: Env) -> Expr:
        how, _, shape = name.partition(":")
        if how in ("distinct", "alike"):
            source = self.source(kids[0], env)
            each = Var("x", _of(source))
            found = Expr("distinct", (each, source, self.call(shape or _shape(kids[1]), [_var(each)])), TRUTH)
            return Expr("not", (found,), TRUTH) if how == "alike" else found
        if how == "none":
            return self.same(self.call(shape, [self.value(kid, env) for kid in kids]), const(None, NOTHING))
        if how == "is":
            one, *values = (self.value(kid, env) for kid in kids)
            return self.inside(one, self.call(shape, values))
        if name in ("always", "never"):
            return const(name == "always", TRUTH)
        if name in ("lacks", "has"):
            value = self.call(_shape(kids[1]), [self.value(kids[0], env)])
            found = self.same(value, const(None, NOTHING))
            return Expr("not", (found,), TRUTH) if name == "has" else found
        if name in ("absent", "present"):
            found = self.same(self.call(_shape(kids[0]), []), const(None, NOTHING))
            return Expr("not", (found,), TRUTH) if name == "present" else found
        if name == "isa":
            return self.inside(self.value(kids[0], env), self.source(kids[1], env))
        if name.startswith("free:"):
            return _var(self.free[name[5:]])
        values = [self.value(kid, env) for kid in kids]
        if name == "nil":
            return self.same(values[0], const(None, NOTHING))
        if how in ("eq", "same", "eqn", "eqd", "eqs"):
            return self.same(*values)
        if name in ("lt", "gt", "le", "ge", "ged", "ltd", "ltn", "gtn", "ltb", "gtb"):
            if any(x.type.kind != "number" for x in values):
                raise Nonsense
            return compare(name[:2], *values)
        if name in ("in", "oneof"):
            return self.inside(*values)
        if name == "within":
            if not may_equal(values[0].type, values[1].type):
                raise Nonsense
            return Expr("within", tuple(values), TRUTH)
        found = self.call(name, values)
        if found.type.kind != "truth":
            raise Nonsense
        return found

    def kind(self, expr: Expr) -> Type:
        """What it could have been: a thing that is called by its name may be compared with any of its kind."""
        home = self.words.sets.get(expr.type.name) if expr.op == "const" and expr.type.kind == "thing" else None
        return home.type if home is not None else expr.type

    def same(self, one: Expr, other: Expr) -> Expr:
        if not may_equal(self.kind(one), self.kind(other)):
            raise Nonsense
        if one.type.many != other.type.many and NOTHING not in (one.type, other.type):
            raise Nonsense
        return Expr("eq", (one, other), TRUTH)

    def inside(self, one: Expr, group: Expr) -> Expr:
        if not group.type.many:
            raise Nonsense
        if group.type.of is not None and not may_equal(self.kind(one), group.type.of):
            raise Nonsense
        return Expr("member", (one, group), TRUTH)


def of_one_kind(words: Vocabulary, items: list[Expr]) -> bool:
    """Are there things of one set in a list, or numbers? Names that happen to follow one another are no list."""
    kinds = [item.type.of if item.type.many and item.type.of is not None else item.type for item in items]
    if any(kind.kind != "thing" for kind in kinds):
        return True
    atoms = {atom for kind in kinds for atom in kind.atoms}
    return any(atoms <= things.type.atoms for things in words.sets.values())


def _var(of: Var) -> Expr:
    return Expr("var", (of,), of.type)


def uses(expr: Any, of: Var) -> int:
    """How often a name stands in an expression."""
    if isinstance(expr, Expr):
        if expr.op == "var":
            return int(expr.args[0].origin is of.origin)
        return sum(uses(arg, of) for arg in expr.args)
    return sum(uses(x, of) for x in expr) if isinstance(expr, tuple) else 0


def _of(source: Expr) -> Type:
    if not source.type.many or source.type.of is None:
        raise Nonsense
    return source.type.of


def _is_noun(tree: Tree) -> bool:
    return tree[0].partition(":")[0] in ("kind", "cn", "among", "intro", "rel", "such", "best", "walk", "span", "mod")


def _listed(kids: Tree) -> list[Tree]:
    one, other = kids
    return [one, *_listed(other[1:])] if other[0] == "enum" else [one, other]


def _shape(tree: Tree) -> str:
    return str(tree[0]).partition(":")[2]


def _how_many(tree: Tree, count: Expr) -> tuple[str, Expr, Expr]:
    status = tree[0][2:]
    number = 1 if status.endswith("1") else int(tree[2][0][4:])
    return status.rstrip("1"), count, const(number, NUMBER)


def compare(how: str, one: Expr, other: Expr) -> Expr:
    if how == "eq":
        return Expr("eq", (one, other), TRUTH)
    test = Expr("less", (other, one) if how in ("gt", "le") else (one, other), TRUTH)
    return Expr("not", (test,), TRUTH) if how in ("le", "ge") else test
