"""Values and nouns -> abstract trees: how things, numbers and sets are called in a condition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..interpreter.model import NUMBER, Expr, Var, const
from ..interpreter.vocabulary import Vocabulary
from .building import of_one_kind, uses
from .effort import spend
from .grammar import Grammar
from .rewriting import joined_parts
from .rules import ELEMENT, EXTREMES, NUMERAL, Tree
from .simplifying import canonical, same_call

__all__ = ["STYLES", "Env", "Phrases", "Style", "Unsayable", "occurrences", "step_at_end"]

MODIFIERS = {"rotated": "rotated", "after": "after", "reversed": "reversed", "without": "without", "remove": "without"}


class Unsayable(Exception):
    """There is no tree for this expression in this style."""


@dataclass(frozen=True)
class Style:
    in_place: bool = True  # quantified nouns where their names would stand
    moved: bool = True  # conditions of one thing moved into its noun
    grouped: bool = True  # of a nested and/or the group said last
    together: bool = False  # what holds of several, with all their names before it
    bracketed: bool = False
    walled: bool = False  # brackets around every part that has parts


STYLES = (
    Style(together=True),
    Style(moved=False, grouped=False, together=True),
    Style(),
    Style(moved=False),
    Style(grouped=False),
    Style(moved=False, grouped=False),
    Style(in_place=False, moved=False, grouped=False),
    Style(moved=False, grouped=False, bracketed=True),
    Style(in_place=False, moved=False, grouped=False, bracketed=True),
    Style(moved=False, grouped=False, bracketed=True, walled=True),
    Style(in_place=False, moved=False, grouped=False, bracketed=True, walled=True),
)

Env = dict[Var, Tree]


def occurrences(tree: Any, wanted: Tree) -> int:
    if tree == wanted:
        return 1
    return sum(occurrences(kid, wanted) for kid in tree) if isinstance(tree, tuple) else 0


def step_at_end(tree: Tree) -> Tree:
    """What a step is told at the end of the sentence, where there is one kind of step that needs nothing else of it."""
    ways = set(_ways(tree))
    steps = {way[2:4] for way in ways}
    if len(steps) != 1 or any(not way[0].endswith(":") for way in ways):
        return tree
    ((leads, start),) = steps
    if set(_ways(leads)) or len(set(_taken_up(leads))) != 1:
        return tree
    return ("stepped", _without_step(tree), ("step", leads, start))


def _ways(tree: Any) -> Iterator[Tree]:
    if isinstance(tree, tuple):
        if tree[0] == "walk":
            yield tree[2]
        for kid in tree[1:]:
            yield from _ways(kid)


def _taken_up(tree: Any) -> Iterator[str]:
    if isinstance(tree, tuple):
        if str(tree[0]).startswith(("that:", "lab:", "gap")):
            yield tree[0]
        for kid in tree[1:]:
            yield from _taken_up(kid)


def _without_step(tree: Any) -> Any:
    if not isinstance(tree, tuple):
        return tree
    if tree[0] == "walk":
        how, start, _, _, *rest = tree[2]
        return ("walk", tree[1], (f"{how}end", _without_step(start), *rest))
    return tuple(map(_without_step, tree))


def _has_condition(tree: Any) -> bool:
    """Is there a list or a “for which” in it that could belong to something else?"""
    if not isinstance(tree, tuple) or tree[0] == "paren":
        return False
    here = tree[0] in ("enum", "best") or str(tree[0]).startswith("such:")
    return here or any(_has_condition(kid) for kid in tree[1:])


def _has_parts(tree: Tree) -> bool:
    """Is it more than one name or the noun of a kind? A noun of the game may have a clause of its own in it."""
    if tree[0] == "def":
        return len(tree[1]) > 1 or not str(tree[1][0]).startswith("kind:")
    return len(tree) > 1


class Phrases:
    def __init__(self, words: Vocabulary, grammar: Grammar, style: Style):
        self.words, self.grammar, self.style = words, grammar, style
        self.letters: list[str] = grammar.data["letters"]
        self.closed = False
        self.free: dict[Var, Tree] = {}

    def inside(self, method: Callable[[Any, Env], Tree], expr: Any, env: Env, closed: bool = True) -> Tree:
        """Inside another noun phrase a relative clause could belong to either noun: there it is said in brackets."""
        before, self.closed = self.closed, closed
        try:
            return method(expr, env)
        finally:
            self.closed = before

    def kind_of(self, expr: Expr) -> str:
        of = expr.type.of
        if of is not None and of.kind == "thing":
            if of.name in self.words.sets:
                return of.name
            fitting = [s for s in self.words.sets.values() if of.atoms and of.atoms <= s.type.atoms]
            if fitting:
                return min(fitting, key=lambda s: len(s.atoms)).name
        return NUMERAL if of is not None and of.kind == "number" else ELEMENT

    def value(self, expr: Expr, env: Env) -> Tree:
        if expr.type.kind == "number":
            return self.number(expr, env)
        if expr.type.kind == "amount":
            return self.amount(expr, env)
        return self.several(expr, env) if expr.type.many else self.one(expr, env)

    def variable(self, of: Var, env: Env) -> Tree:
        found = env.get(of.origin) or self.free.get(of.origin)
        if found is None:
            found = self.free[of.origin] = (f"free:{of.name}",)
        return found

    def choice(self, expr: Expr, env: Env, method: Callable[[Any, Env], Tree]) -> Tree:
        test, *branches = expr.args
        return (
            "choice",
            self.inside(self.part, test, env, False),
            *(self.inside(method, branch, env, False) for branch in branches),
        )

    def one(self, expr: Expr, env: Env) -> Tree:
        op, args = expr.op, expr.args
        if op == "const":
            return ("nothing",) if args[0] is None else (f"name:{args[0]}",)
        if op == "var":
            return self.variable(args[0], env)
        call = same_call(expr)
        if call is not None:
            return (f"fn:{call[0]}", *(self.argument(x, env) for x in call[1]))
        if op == "matched":
            return ("matched", self.variable(args[0], env), self.argument(args[1], env))
        if op == "only":
            return ("only", self.noun(args[0], env))
        if op in ("first", "last"):
            if self.counts_from(op, args[0]):
                around, start = args[0].args
                return (f"{op}:{args[0].op}", self.inside(self.noun, around, env), self.argument(start, env))
            if op in self.grammar.data["det"] and not self.style.bracketed and self.has_noun(args[0]):
                return (op, self.noun(args[0], env))
            return (op, self.operand(args[0], env))
        if op == "cond":
            return self.choice(expr, env, self.one)
        raise Unsayable(op)

    def argument(self, expr: Expr, env: Env) -> Tree:
        return self.apart(self.inside(self._argument, expr, env))

    def apart(self, found: Tree) -> Tree:
        """In brackets, where the style wants them around it."""
        if self.style.walled:
            return ("paren", found) if _has_parts(found) and found[0] != "paren" else found
        return ("paren", found) if self.style.bracketed and _has_condition(found) else found

    def _argument(self, expr: Expr, env: Env) -> Tree:
        if expr.op == "gather" and len(expr.args[0]) == 1:
            return self.value(expr.args[0][0], env)
        if expr.op == "const" and expr.type.many and len(expr.args[0]) == 1 and expr.type.of is not None:
            if expr.type.of.kind == "thing" and not self.whole(expr):
                return (f"name:{expr.args[0][0]}",)
        if expr.type.kind == "truth":
            raise Unsayable("truth")
        return self.value(expr, env)

    def number(self, expr: Expr, env: Env) -> Tree:
        op, args = expr.op, expr.args
        if op == "const":
            if args[0] is None:
                raise Unsayable("number")
            return (f"num:{args[0]}",)
        if op == "count":
            if self._plain_set(args[0]):
                return ("number", self.inside(self.several, args[0], env))
            return ("number", self.noun(args[0], env))
        if op == "tally":
            return ("number", self.noun(Expr("filter", args, args[1].type), env))
        if op in ("add", "sub", "mul", "div", "rem"):
            return (op, *(self.bound(x, env) for x in args))
        if op in ("total", "largest", "smallest"):
            return self.of_numbers(op, args[0], env)
        if op == "cond" and same_call(expr) is None:
            return self.choice(expr, env, self.number)
        return self.one(expr, env)

    def of_numbers(self, op: str, source: Expr, env: Env) -> Tree:
        """The highest stake of the players, where the numbers have a noun; the highest of them, where not."""
        if op != "total" and source.op == "images" and not self.style.bracketed and not self._lifted_plain(source):
            noun = self.inside(self.lifted, source, env)
            return (f"{op}:{noun[0].removeprefix('cn:')}", *noun[1:])
        return (op, self.operand(source, env))

    def amount(self, expr: Expr, env: Env) -> Tree:
        if expr.op == "const":
            least, most = (const(x, NUMBER) for x in expr.args[0])
        elif expr.op == "amount":
            least, most = expr.args
        else:
            raise Unsayable("amount")
        low, high = self.number(least, env), self.number(most, env)
        if low == high:
            return ("amount:exact", low)
        if most.op == "const" and most.args[0] >= 1_000_000:
            return ("amount:any",) if low == ("num:0",) else ("amount:least", low)
        return ("amount:most", high) if low == ("num:0",) else ("amount:between", low, high)

    def whole(self, expr: Expr) -> str | None:
        """The kind of which this is every thing."""
        if expr.op != "const" or not isinstance(expr.args[0], tuple) or not expr.args[0] or expr.type.of is None:
            return None
        here = set(expr.args[0])
        names = [expr.type.of.name, *self.words.sets]
        return next((n for n in names if n in self.words.sets and set(self.words.sets[n].atoms) == here), None)

    def _plain_set(self, expr: Expr) -> bool:
        """A set that is said by a phrase of its own, not by a noun."""
        if expr.op == "var":
            return True
        call = same_call(expr)
        if call is None:
            return False
        word = self.grammar.lexicon.functions.get(call[0])
        return word is not None and word.noun is None

    def several(self, expr: Expr, env: Env) -> Tree:
        op, args = expr.op, expr.args
        if op == "const":
            return self.constant(expr)
        if op == "var":
            return self.variable(args[0], env)
        if op == "gather":
            return self.enumerated([self.value(x, env) for x in args[0]])
        if op == "join":
            items = [y for x in joined_parts(expr) for y in self.single(x)]
            listed = len(items) == len(joined_parts(expr)) and all(x.op == "const" for x in items)
            if listed and of_one_kind(self.words, items):
                return self.enumerated([self.value(x, env) for x in items])
        if self.modifies(expr):
            return ("def", self.noun(expr, env))
        if op in ("join", "append", "extend", "heap", "without", "remove"):
            name = "without" if op in ("without", "remove") else "join"
            if op in ("append", "extend") and "append" in self.grammar.data["say"]:
                name = "append"
            return (name, self.operand(args[0], env), self.argument(args[1], env))
        if op == "reversed":
            return ("reversed", self.operand(args[0], env))
        if op in ("rotated", "after"):
            return (op, self.operand(args[0], env), self.inside(self.value, args[1], env))
        if op == "often":
            return (f"often:{args[2].args[0].shape}", self.operand(args[1], env))
        if op in ("first", "last", "only"):
            return self.one(expr, env)
        if op == "cond" and same_call(expr) is None:
            return self.choice(expr, env, self.several)
        if self._plain_set(expr):
            call = same_call(expr)
            assert call is not None
            return (f"fn:{call[0]}", *(self.argument(x, env) for x in call[1]))
        if op in ("image", "images") and self._lifted_plain(expr):
            return self.lifted(expr, env)
        return ("def", self.noun(expr, env, named=True))

    def operand(self, expr: Expr, env: Env) -> Tree:
        return self.apart(self.inside(self.several, expr, env))

    @staticmethod
    def single(expr: Expr) -> list[Expr]:
        if expr.op == "gather" and len(expr.args[0]) == 1:
            return [expr.args[0][0]]
        if expr.op == "const" and len(expr.args[0]) == 1 and expr.type.of is not None:
            return [const(expr.args[0][0], expr.type.of)]
        return []

    def constant(self, expr: Expr) -> Tree:
        value = expr.args[0]
        if not value:
            return ("none",)
        kind = self.whole(expr)
        if kind and expr.type.kind == "set":
            return ("def", (f"kind:{kind}",))
        of = expr.type.of
        if of is not None and of.kind == "number":
            return self.enumerated([(f"num:{x}",) for x in value])
        if of is not None and of.kind != "thing":
            raise Unsayable("set of sets")
        return self.enumerated([(f"name:{x}",) for x in value])

    @staticmethod
    def enumerated(items: list[Tree]) -> Tree:
        if len(items) == 1:
            return ("alone", items[0])
        first, *rest = items
        return ("enum", first, rest[0] if len(rest) == 1 else Phrases.enumerated(rest))

    def lifted(self, expr: Expr, env: Env) -> Tree:
        of, source, body = expr.args
        call = same_call(body)
        if call is None or sum(uses(x, of) for x in call[1]) != 1:
            raise Unsayable("image")
        places = [x.op == "var" and x.args[0].origin is of.origin for x in call[1]]
        if True not in places:
            raise Unsayable("image")
        word = self.grammar.lexicon.functions.get(call[0])
        function = "cn" if word is not None and word.noun is not None else "fn"
        return (
            f"{function}:{call[0]}",
            *(self.operand(source, env) if here else self.argument(x, env) for x, here in zip(call[1], places)),
        )

    def _lifted_plain(self, expr: Expr) -> bool:
        call = same_call(expr.args[2])
        word = self.grammar.lexicon.functions.get(call[0]) if call else None
        return word is not None and word.noun is None

    def noun(self, expr: Expr, env: Env, named: bool = False) -> Tree:
        """`named`: it must have a noun of its own; there is no other way to say several of them."""
        spend()
        op, args = expr.op, expr.args
        kind = self.whole(expr)
        if kind:
            return (f"kind:{kind}",)
        call = same_call(expr)
        if call is not None and not self._plain_set(expr):
            return (f"cn:{call[0]}", *(self.argument(x, env) for x in call[1]))
        if op in ("image", "images") and not self._lifted_plain(expr):
            return self.lifted(expr, env)
        if self.modifies(expr):
            rest = [self.argument(x, env) for x in args[1:]]
            return (f"mod:{MODIFIERS[op]}", self.inside(self.noun, args[0], env), *rest)
        if op == "filter":
            of, source, test = args
            base = self.base(source, env)
            relative = None if self.closed or self.style.bracketed else self.relative(test, of, env)
            if relative is not None:
                return ("rel", base, relative)
            label, inner = self.bind(of, base, env)
            return (f"such:{label}", base, self.inside(self.clause, test, inner, False))
        if op in EXTREMES:
            return self.extreme(expr, env)
        if op in ("stride", "reach"):
            return self.spread(expr, env)
        if op == "range":
            return ("span", (f"kind:{NUMERAL}",), *(self.bound(x, env) for x in args))
        if named:
            raise Unsayable
        among = self.operand(expr, env) if self.style.walled else self.inside(self.several, expr, env)
        return (f"among:{self.kind_of(expr)}", among)

    def modifies(self, expr: Expr) -> bool:
        """Is it said by a noun and what is added to it: the players, beginning with blue?"""
        known = self.grammar.data.get("modified") or {}
        if self.style.bracketed or MODIFIERS.get(expr.op) not in known:
            return False
        return self.has_noun(expr.args[0])

    def counts_from(self, op: str, row: Expr) -> bool:
        """Is there a way to say: the first player after blue?"""
        known = (self.grammar.data.get("counted_from") or {}).get(op) or {}
        return row.op in known and not self.style.bracketed and self.has_noun(row.args[0])

    def bound(self, expr: Expr, env: Env) -> Tree:
        return self.apart(self.inside(self.number, expr, env))

    def has_noun(self, expr: Expr) -> bool:
        """Is there a noun for what is in it?"""
        if expr.op == "filter" or self.modifies(expr):
            return self.has_noun(expr.args[0 if expr.op in MODIFIERS else 1])
        if expr.op in ("image", "images"):
            return not self._lifted_plain(expr)
        return bool(self.whole(expr)) or (same_call(expr) is not None and not self._plain_set(expr))

    def base(self, source: Expr, env: Env) -> Tree:
        """The noun to which something is added; in brackets, if something is added to it already."""
        found = self.inside(self.noun, source, env)
        if self.style.bracketed and not str(found[0]).startswith("kind:"):
            return (f"among:{self.kind_of(source)}", ("paren", self.inside(self.several, source, env)))
        return found

    def extreme(self, expr: Expr, env: Env) -> Tree:
        """The players with the highest stake; with the highest value of …, where it is not said so shortly."""
        of, source, body = expr.args
        base = self.base(source, env)
        by = None if self.style.bracketed else self.measure(body, of)
        if by is not None:
            return ("best", base, (f"top:{expr.op}", by))
        label, inner = self.bind(of, base, env)
        return ("best", base, (f"by:{expr.op}:{label}", self.inside(self.number, body, inner, False)))

    def measure(self, expr: Expr, of: Var) -> Tree | None:
        """What is compared, through functions of one thing down to the thing itself."""
        call = same_call(expr)
        if call is None or len(call[1]) != 1 or expr.type.many:
            return None
        if call[1][0].op == "var" and call[1][0].args[0].origin is of.origin:
            return (f"m:{call[0]}",)
        inner = self.measure(call[1][0], of)
        return None if inner is None else (f"m:{call[0]}", inner)

    def spread(self, expr: Expr, env: Env) -> Tree:
        """What can be reached in so many steps, each of them the same."""
        kind, (of, source, body), steps = self.kind_of(expr), expr.args, 1
        step = canonical(body, {of.origin: 0})
        while expr.op == source.op == "stride" and canonical(source.args[2], {source.args[0].origin: 0}) == step:
            (of, source, body), steps = source.args, steps + 1
        label, inner = self.bind(of, (f"kind:{kind}",), env)
        name = "reach" if expr.op == "reach" else "near1" if steps == 1 else "near"
        rest = [(f"num:{steps}",)] if name == "near" else []
        leads = self.inside(self.value, body, inner, False)
        way = (f"{name}:{label}", self.argument(source, env), leads, (f"from:{kind}",), *rest)
        return ("walk", (f"kind:{kind}",), way)

    def head(self, noun: Tree) -> str:
        kind, _, rest = str(noun[0]).partition(":")
        return rest if kind in ("kind", "among", "cn") else self.head(noun[1])

    def bind(self, of: Var, noun: Tree, env: Env) -> tuple[str, Env]:
        """How the variable is taken up again: that figure; figure P, if there is another one already."""
        head = self.grammar.called[self.head(noun)]
        said = self.grammar.heads[head].forms["sg"]
        same = {self.grammar.called[key] for key, other in self.grammar.heads.items() if other.forms["sg"] == said}
        taken = {tree[0] for tree in env.values()}
        if not any(f"that:{key}" in taken or any(t.startswith(f"lab:{key}:") for t in taken) for key in same):
            return "", {**env, of.origin: (f"that:{head}",)}
        for letter in self.letters:
            if not any(t.endswith(f":{letter}") and t.startswith("lab:") for t in taken):
                return letter, {**env, of.origin: (f"lab:{head}:{letter}",)}
        raise Unsayable("too many names")

    def relative(self, test: Expr, of: Var, env: Env) -> Tree | None:
        """Clauses whose subject is the variable, which stands nowhere else; None if it is not so."""
        if test.op in ("and", "or") and len(test.args) == 2:
            parts = [self.relative(part, of, env) for part in test.args]
            if parts[0] is not None and parts[1] is not None and parts[0][0] not in ("and", "or"):
                return (test.op, parts[0], parts[1]) if parts[1][0] not in ("and", "or") else None
            return None
        try:
            found = self.atom(test, env, {of.origin: ("gap",)})
        except Unsayable:
            return None
        if found is None or len(found) < 2 or found[1] != ("gap",) or occurrences(found, ("gap",)) != 1:
            return None
        return found

    # --- what stands around them: see `planning` ----------------------------------------------------------------------
    def clause(self, expr: Expr, env: Env) -> Tree:
        raise NotImplementedError

    def part(self, expr: Expr, env: Env) -> Tree:
        raise NotImplementedError

    def atom(self, expr: Expr, env: Env, slots: Env) -> Tree | None:
        raise NotImplementedError
