"""One method for each form of the grammar: what it means in terms of the typed operations (operations.py).

A syntax tree is typed from the top; what is wanted at a place helps to find names there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .errors import Place, RulesError, did_you_mean, problem
from .model import (
    EMPTY,
    NOTHING,
    NUMBER,
    TRUTH,
    Expr,
    Function,
    Type,
    Var,
    const,
    fits,
    list_of,
    may_equal,
    pile_of,
    set_of,
)
from .operations import MAX_RANGE
from .parse import Syntax

if TYPE_CHECKING:
    from .check import Checker, Scope

UNBOUNDED = 1_000_000
MAX_OFTEN = 1_000
MAX_STRIDES = 20  # steps from one thing to the next, one after the other


class Typing:
    """Types one syntax tree: one method per kind of node."""

    def __init__(self, checker: Checker, place: Place, scope: Scope):
        self.checker, self.words, self.place, self.scope = checker, checker.words, place, scope

    def type(self, node: Syntax, wanted: Type | None) -> Expr:
        form: Callable[[Syntax, Type | None], Expr] = getattr(self, "_" + node.kind)
        return form(node, wanted)

    def inside(self, scope: Scope) -> Typing:
        return Typing(self.checker, self.place, scope)

    def wrong(self, code: str, node: Syntax, **args: str | int) -> RulesError:
        return RulesError(problem(code, self.place.shifted(node.start), max(1, node.end - node.start), **args))

    def wanting(self, node: Syntax, wanted: Type, *, maybe: bool = False) -> Expr:
        return self.checker.demand(
            self.type(node, wanted), wanted, self.place, maybe=maybe, offset=node.start, length=node.end - node.start
        )

    def truth(self, node: Syntax) -> Expr:
        expr = self.type(node, TRUTH)
        if expr.type.kind != "truth":
            raise self.wrong("condition_wanted", node, found=str(expr.type))
        return expr

    def many(self, node: Syntax, wanted: Type | None = None) -> Expr:
        expr = self.type(node, wanted)
        if not expr.type.many:
            raise self.wrong("set_wanted", node, found=str(expr.type))
        return expr

    # --- names --------------------------------------------------------------------------------------------------------
    def _name(self, node: Syntax, wanted: Type | None) -> Expr:
        name = node.kids[0]
        found = self.lookup(name, wanted)
        if found is not None:
            return found
        if self.words.noun_type(name) is not None:
            plural = self.words.plural_of(name)
            code = "noun_not_called" if plural in self.scope.names else "noun_not_value"  # … players such that …
            raise self.wrong(code, node, name=name, plural=plural)
        homes = self.words.homes(name)
        if len(homes) > 1:
            raise self.wrong("ambiguous_name", node, name=name, sets=", ".join(homes))
        raise self.wrong("unknown_name", node, name=name, meant=self.suggest(name))

    def lookup(self, name: str, wanted: Type | None) -> Expr | None:
        if name in self.scope.names:
            var = self.scope.names[name]
            return Expr("var", (var,), var.type)
        option = self.words.options.get(name)
        if option is not None:
            return self.words.option_value(option)
        element = wanted.of if wanted is not None and wanted.many else wanted
        if element is not None and element.kind == "thing":
            atom = self.words.member(name, element)
            if atom is not None:
                return self.words.atom_const(atom)
        if name in self.words.plurals:
            kind = self.words.plurals[name]
            return const(kind.atoms, set_of(kind.type))
        if name == "all":
            return const(tuple(sorted(self.words.seats)), set_of(self.words.seat_type))
        atom = self.words.only_atom(name)
        if atom is not None:
            return self.words.atom_const(atom)
        if name in self.words.functions:
            return self.resolve(self.words.functions[name], [])
        return None

    def suggest(self, name: str) -> str:
        return did_you_mean(name, [*self.scope.names, *self.words.all_names()]) or ""

    def _numbered(self, node: Syntax, wanted: Type | None) -> Expr:
        noun, number = node.kids
        atom = self.words.numbered(noun, number)
        if atom is None:
            raise self.wrong("unknown_number", node, noun=noun, number=number)
        return self.words.atom_const(atom)

    def _number(self, node: Syntax, wanted: Type | None) -> Expr:
        return const(node.kids[0], NUMBER)

    def _nothing(self, node: Syntax, wanted: Type | None) -> Expr:
        return const(None, NOTHING)

    def _none(self, node: Syntax, wanted: Type | None) -> Expr:
        return const((), wanted if wanted is not None and wanted.many else EMPTY)

    def _it(self, node: Syntax, wanted: Type | None) -> Expr:
        if self.scope.it is None:
            raise self.wrong("it_without_where", node)
        return Expr("var", (self.scope.it,), self.scope.it.type)

    # --- functions ----------------------------------------------------------------------------------------------------
    def _apply_of(self, node: Syntax, wanted: Type | None) -> Expr:
        name, first, *relations = node.kids
        return self.applied(node, f"{name} of _", [first], relations)

    def _apply(self, node: Syntax, wanted: Type | None) -> Expr:
        name, *relations = node.kids
        return self.applied(node, name, [], relations)

    def _its(self, node: Syntax, wanted: Type | None) -> Expr:
        if self.scope.it is None:
            raise self.wrong("it_without_where", node)
        name, *relations = node.kids
        it = Expr("var", (self.scope.it,), self.scope.it.type)
        return self.applied(node, f"{name} of _", [it], relations)

    def applied(self, node: Syntax, shape: str, first: list[Syntax | Expr], relations: list[Syntax]) -> Expr:
        shape += "".join(f" {r.kids[0]} _" for r in relations)
        return self.call(shape, [*first, *(r.kids[1] for r in relations)], node)

    def call(self, shape: str, args: list[Syntax | Expr], node: Syntax) -> Expr:
        """Find the function of that shape that takes these arguments (syntax or typed) and apply it."""
        chosen = self.scope.names.get(shape[:-5]) if shape.endswith(" of _") else None
        if chosen is not None and chosen.type.kind == "match" and chosen.type.of is not None:
            source = Type("thing", "match", chosen.type.atoms)
            arg = args[0] if isinstance(args[0], Expr) else self.wanting(args[0], source)
            return Expr("matched", (chosen, arg), chosen.type.of)
        candidates = self.words.functions.get(shape)
        if not candidates and shape.endswith(" to _"):  # no such form: then it is a row of numbers
            found = self.row_of_numbers(shape.removesuffix(" to _"), args, node)
            if found is not None:
                return found
            least = self.lookup(shape.removesuffix(" to _"), NUMBER)
            if least is not None:
                raise self.wrong("number_wanted", node, found=str(least.type))
        if not candidates and shape.split(" ")[0] in ("count", "first", "last"):
            raise self.wrong("needs_brackets", node, name=shape.split(" ")[0])
        if not candidates:
            raise self.wrong(
                "unknown_function",
                node,
                name=shape.replace("_", "…"),
                meant=(did_you_mean(shape, self.words.functions) or "").replace("_", "…"),
            )
        typed = [a if isinstance(a, Expr) else self.argument(a, i, candidates) for i, a in enumerate(args)]
        result = self.resolve(candidates, typed)
        if result is None:
            result = self.lifted(candidates, typed)
        if result is None:
            raise self.wrong(
                "no_such_argument",
                node,
                name=shape.replace("_", "…"),
                found=", ".join(str(a.type) for a in typed),
                wanted=" / ".join(", ".join(str(p.type) for p in c.params) for c in candidates),
            )
        return result

    def row_of_numbers(self, shape: str, args: list[Syntax | Expr], node: Syntax) -> Expr | None:
        """`most to 9`, `purse of ann to 9`: what stands before `to` could also be the beginning of a longer form."""
        if shape not in self.words.functions and shape not in self.scope.names and shape not in self.words.options:
            return None
        least = self.call(shape, args[:-1], node) if args[:-1] else self.lookup(shape, NUMBER)
        last = args[-1]
        most = last if isinstance(last, Expr) else self.type(last, NUMBER)
        if least is None or least.type.kind != "number" or most.type.kind != "number":
            return None
        return self.ranging(node, least, most)

    def _near(self, node: Syntax, wanted: Type | None) -> Expr:
        name, number, start, *relations = node.kids
        steps = self.words.fixed(self.wanting(number, NUMBER), self.place.shifted(number.start))
        if not 0 <= steps <= MAX_STRIDES:
            raise self.wrong("steps_too_far", number, limit=MAX_STRIDES)
        return self.spread(node, name, start, relations, ["stride"] * steps)

    def _reached(self, node: Syntax, wanted: Type | None) -> Expr:
        name, start, *relations = node.kids
        return self.spread(node, name, start, relations, ["reach"])

    def spread(self, node: Syntax, name: str, start: Syntax, relations: list[Syntax], ops: list[str]) -> Expr:
        """From something on, by steps from each to those that `name of it` gives."""
        found = self.type(start, None)
        if not found.type.many:
            found = Expr("gather", ((found,),), set_of(found.type))
        kind = found.type.of
        for _ in range(2):  # what is reached may be of a wider kind than where it begins
            if kind is None or kind.kind != "thing":
                raise self.wrong("set_wanted", start, found=str(found.type))
            var = Var("each", kind)
            body = self.applied(node, f"{name} of _", [Expr("var", (var,), kind)], relations)
            further = body.type.of if body.type.many else body.type
            joined = None if further is None else self.words.join_types(kind, further.definite())
            if joined is None or joined.kind != "thing":
                raise self.wrong("type_mismatch", node, wanted=str(kind), found=str(body.type))
            kind = joined
        assert kind is not None  # or it would have been refused
        for op in ops:
            var = Var("each", kind)
            body = self.applied(node, f"{name} of _", [Expr("var", (var,), kind)], relations)
            found = Expr(op, (var, found, body), set_of(kind))
        return found

    def lifted(self, candidates: list[Function], args: list[Expr]) -> Expr | None:
        """`figures of the team`, `neighbours of place along ways`: of each of them, together."""
        for index, arg in enumerate(args):
            if arg.type.many and arg.type.of is not None:
                var = Var("each", arg.type.of)
                one = self.resolve(candidates, [*args[:index], Expr("var", (var,), var.type), *args[index + 1 :]])
                if one is not None and one.type.kind in ("thing", "set", "list", "number"):
                    element = one.type.of if one.type.many else one.type
                    if element is not None and (arg.type.kind == "list" or one.type.kind in ("list", "number")):
                        return Expr("images", (var, arg, one), list_of(element))  # one for each, equal ones too
                    return Expr("image", (var, arg, one), set_of(element) if element else EMPTY)
        return None

    def argument(self, node: Syntax, index: int, candidates: list[Function]) -> Expr:
        kinds = [c.params[index].type for c in candidates]
        wanted = kinds[0] if len(kinds) == 1 else self.words.union(kinds)
        return self.type(node, wanted)

    def resolve(self, candidates: list[Function], args: list[Expr]) -> Expr | None:
        fitted = [self.fit(args, c) for c in candidates]
        exact = [(c, f) for c, f in zip(candidates, fitted) if f is not None]
        if exact:
            function, args = min(exact, key=lambda pair: sum(len(p.type.atoms) for p in pair[0].params))
            self.words.finish(function)
            maybe = any(a.type.maybe for a in args)
            result = function.result.or_nothing(maybe) if function.result.kind != "truth" else function.result
            return Expr(function.kind, (function, tuple(args)), result)
        return self.dispatch(candidates, args)

    def fit(self, args: list[Expr], function: Function) -> list[Expr] | None:
        fitted = []
        for arg, param in zip(args, function.params):
            if param.type.kind == "set" and arg.type.kind == "thing" and arg.type.name != "nothing":
                arg = Expr("gather", ((arg,),), set_of(arg.type))
            if not fits(arg.type, param.type):
                return None
            fitted.append(arg)
        return fitted

    def dispatch(self, candidates: list[Function], args: list[Expr]) -> Expr | None:
        """A word with a meaning per type, used on a union of these types: decide by what the first argument is."""
        if not args or args[0].type.kind != "thing":
            return None
        left, branches = args[0].type.atoms, []
        for function in candidates:
            atoms = function.params[0].type.atoms & left if function.params[0].type.kind == "thing" else frozenset()
            if not atoms:
                continue
            narrow = Type("thing", function.params[0].type.name, atoms, maybe=args[0].type.maybe)
            fitted = self.fit([Expr(args[0].op, args[0].args, narrow), *args[1:]], function)
            if fitted is None:
                return None
            self.words.finish(function)
            branches.append((atoms, Expr(function.kind, (function, tuple(fitted)), function.result)))
            left -= atoms
        if left or not branches:
            return None
        result = branches[-1][1]
        for atoms, branch in reversed(branches[:-1]):
            kind = self.words.join_types(branch.type, result.type)
            if kind is None:
                return None
            test = Expr("member", (args[0], const(tuple(sorted(atoms)), set_of(args[0].type))), TRUTH)
            result = Expr("cond", (test, branch, result), kind)
        return result

    # --- conditions ---------------------------------------------------------------------------------------------------
    def _choice(self, node: Syntax, wanted: Type | None) -> Expr:
        test, yes, no = node.kids
        a, b = self.type(yes, wanted), self.type(no, wanted)
        kind = self.words.join_types(a.type, b.type)
        if kind is None:
            raise self.wrong("branches_differ", no, one=str(a.type), other=str(b.type))
        if kind.kind == "set":
            a, b = (self.checker.demand(x, kind, self.place) for x in (a, b))
        return Expr("cond", (self.truth(test), a, b), kind)

    def _either(self, node: Syntax, wanted: Type | None) -> Expr:
        return self.junction("or", node, wanted)

    def _both(self, node: Syntax, wanted: Type | None) -> Expr:
        return self.junction("and", node, wanted)

    def junction(self, op: str, node: Syntax, wanted: Type | None) -> Expr:
        """`and`/`or` join conditions; between things they make the set of them (red or blue)."""
        a, b = (self.type(kid, wanted) for kid in node.kids)
        if a.type.kind == b.type.kind == "truth":
            return Expr(op, (a, b), TRUTH)
        for kid, side, other in zip(node.kids, (a, b), (b, a)):
            strange = (
                side.type.kind not in ("thing", "set") or side.type.name == "nothing" or other.type.kind == "truth"
            )
            if strange and side.type.kind != "truth":
                again = self.claimed_again(op, node, side.type) if other.type.kind == "truth" else ""
                code = "condition_again" if again else "condition_wanted"
                raise self.wrong(code, kid, found=str(side.type), **({"again": again} if again else {}))
        return self.union(node, a, b)

    def claimed_again(self, op: str, node: Syntax, found: Type) -> str:
        """`champion is ann or bob` with the claim on both sides; empty where it was written in other words, or where
        nobody can claim that of what was found."""
        claim, other = node.kids
        if claim.kind != "claim" or getattr(self.place, "foreign", True):
            return ""
        predicate = claim.kids[-1]
        text = getattr(self.place, "text", "")
        target = predicate.kids[-1]
        if not isinstance(target, Syntax) or self.words.join_types(self.type(target, None).type, found) is None:
            return ""
        said = text[claim.start : target.start]
        return f"{text[claim.start : claim.end]} {op} {said}{text[other.start : other.end]}"

    def union(self, node: Syntax, a: Expr, b: Expr) -> Expr:
        sides = [x if x.type.many else Expr("gather", ((x,),), set_of(x.type)) for x in (a, b)]
        kind = self.words.join_types(*(set_of(x.type.of) if x.type.of is not None else EMPTY for x in sides))
        if kind is None:
            raise self.wrong("branches_differ", node.kids[1], one=str(a.type), other=str(b.type))
        return Expr("join", tuple(sides), kind)

    def _negation(self, node: Syntax, wanted: Type | None) -> Expr:
        return Expr("not", (self.truth(node.kids[0]),), TRUTH)

    def _claim(self, node: Syntax, wanted: Type | None) -> Expr:
        subject, predicate = node.kids
        return self.predicate(subject, predicate)

    def predicate(self, subject: Syntax | Expr, node: Syntax) -> Expr:
        """What `is …` says of the subject. The object may be quantified: is with any, every, no, another …"""
        kind, negative = node.kind.replace("is_not_", "is_"), node.kind.startswith("is_not_")
        target = node.kids[-1]
        if isinstance(target, Syntax) and target.kind in ("object_quantified", "another", "indefinite"):
            expr = self.about_some(subject, kind, node, target)
        else:
            expr = getattr(self, "say_" + kind)(subject, node)
        return Expr("not", (expr,), TRUTH) if negative else expr

    def say_is_related_or(self, subject: Syntax | Expr, node: Syntax) -> Expr:
        """One subject, and what is said of it one after the other: is on here or on there."""
        first, target, *further = node.kids
        expr = self.predicate(subject, Syntax("is_related", (first, target), node.start, target.end))
        for one in further:
            word, preposition, other = one.kids
            more = self.predicate(subject, Syntax("is_related", (preposition, other), one.start, one.end))
            expr = Expr(word, (expr, more), TRUTH)
        return expr

    def say_is_a_such(self, subject: Syntax | Expr, node: Syntax) -> Expr:
        adjective, noun = node.kids
        typed = self.subject(subject)
        first = self.say_is_a(typed, Syntax("is_a", (noun,), node.start, node.end))
        return Expr("and", (first, self.property(adjective, noun, typed, node)), TRUTH)

    def property(self, adjective: str, noun: str, subject: Expr, node: Syntax) -> Expr:
        if f"_ is {adjective}" not in self.words.functions:
            raise self.wrong("unknown_adjective", node, name=adjective, noun=noun)
        return self.call(f"_ is {adjective}", [subject], node)

    def about_some(self, subject: Syntax | Expr, kind: str, node: Syntax, target: Syntax) -> Expr:
        quantifier = str(target.kids[0]) if target.kind == "object_quantified" else "any"
        var, source = self.noun(target.kids[-1])
        other = Expr("var", (var,), var.type)
        typed = subject if isinstance(subject, Expr) else self.type(subject, None)
        if kind == "is_related":
            body = self.related(typed, node.kids[0], other, node)
        elif kind == "is_in":
            body = self.membership(typed, other, node)
        else:
            body = self.equal(typed, other, node)
        if target.kind == "another":
            body = Expr("and", (Expr("not", (Expr("eq", (other, typed), TRUTH),), TRUTH), body), TRUTH)
        return self.quantify(quantifier, None, var, source, body)

    def subject(self, subject: Syntax | Expr, wanted: Type | None = None) -> Expr:
        return subject if isinstance(subject, Expr) else self.type(subject, wanted)

    def open_subject(self, subject: Syntax | Expr) -> Syntax | Expr:
        """A name that may be several things is left open here: what is said of it decides which of them is meant."""
        if (
            isinstance(subject, Syntax)
            and subject.kind == "name"
            and self.lookup(subject.kids[0], None) is None
            and len(self.words.homes(subject.kids[0])) > 1
        ):
            return subject
        return self.subject(subject)

    def say_is_value(self, subject: Syntax | Expr, node: Syntax) -> Expr:
        target = node.kids[0]
        if target.kind == "name" and f"_ is {target.kids[0]}" in self.words.functions:
            return self.call(f"_ is {target.kids[0]}", [self.open_subject(subject)], node)
        if target.kind == "apply":
            shape = f"_ is {target.kids[0]}" + "".join(f" {r.kids[0]} _" for r in target.kids[1:])
            if shape in self.words.functions:
                return self.call(shape, [self.open_subject(subject), *(r.kids[1] for r in target.kids[1:])], node)
        typed = self.subject(subject)
        other = self.type(target, typed.type)
        if typed.op == "const" and typed.type.kind == "thing" and not may_equal(typed.type, other.type):
            typed = self.subject(subject, other.type)
        return self.equal(typed, other, node)

    def equal(self, a: Expr, b: Expr, node: Syntax) -> Expr:
        if not may_equal(a.type, b.type):
            if a.op == b.op == "const" and a.type.kind == b.type.kind == "thing" and str(a.type) == str(b.type):
                one, other = (self.words.names_of(side.type)[0] for side in (a, b))
                raise self.wrong("never_same", node, one=one, other=other)
            raise self.wrong("never_equal", node, one=str(a.type), other=str(b.type))
        return Expr("eq", (a, b), TRUTH)

    def say_is_related(self, subject: Syntax | Expr, node: Syntax) -> Expr:
        preposition, target = node.kids
        return self.related(self.open_subject(subject), preposition, target, node)

    def related(self, subject: Syntax | Expr, preposition: str, target: Syntax | Expr, node: Syntax) -> Expr:
        return self.call(f"_ is {preposition} _", [subject, target], node)

    def say_is_in(self, subject: Syntax | Expr, node: Syntax) -> Expr:
        typed = self.subject(subject)
        wanted = None if typed.type.kind != "thing" else set_of(typed.type)
        group = self.many(node.kids[0], wanted)
        if isinstance(subject, Syntax) and typed.type == EMPTY and group.type.many:
            if group.type.of is not None and not may_equal(typed.type, group.type.of):
                text = getattr(self.place, "text", str(typed.type))
                written = text[subject.start : subject.end]  # nobody, or none
                raise self.wrong("never_in", node, one=written, other=str(group.type))
        return self.membership(typed, group, node)

    def membership(self, element: Expr, group: Expr, node: Syntax) -> Expr:
        if not group.type.many:
            raise self.wrong("set_wanted", node, found=str(group.type))
        if group.type.of is not None and not may_equal(element.type, group.type.of):
            raise self.wrong("never_in", node, one=str(element.type), other=str(group.type))
        return Expr("member", (element, group), TRUTH)

    def say_is_within(self, subject: Syntax | Expr, node: Syntax) -> Expr:
        part = self.subject(subject)
        if part.type.kind == "thing":
            part = Expr("gather", ((part,),), set_of(part.type))
        whole = self.many(node.kids[0])
        if not part.type.many or not may_equal(part.type, whole.type):
            raise self.wrong("never_in", node, one=str(part.type), other=str(whole.type))
        return Expr("within", (part, whole), TRUTH)

    def say_is_a(self, subject: Syntax | Expr, node: Syntax) -> Expr:
        noun = node.kids[0]
        kind = self.words.noun_type(noun)
        typed = self.subject(subject)
        if kind is None or kind.kind != "thing":
            raise self.wrong("unknown_noun", node, name=noun, meant=self.words.suggest_noun(noun))
        if not may_equal(typed.type, kind):
            raise self.wrong("never_equal", node, one=str(typed.type), other=str(kind))
        return Expr("member", (typed, const(tuple(sorted(kind.atoms)), set_of(kind))), TRUTH)

    def say_compared(self, subject: Syntax | Expr, node: Syntax) -> Expr:
        how, other = node.kids
        left = self.subject(subject)
        if left.type.kind != "number":
            raise self.wrong("number_wanted", subject if isinstance(subject, Syntax) else node, found=str(left.type))
        right = self.type(other, NUMBER)
        if right.type.kind != "number":
            raise self.wrong("number_wanted", other, found=str(right.type))
        return self.compare(how, left, right)

    @staticmethod
    def compare(how: str, a: Expr, b: Expr) -> Expr:
        if how == "exactly":
            return Expr("eq", (a, b), TRUTH)
        if how in ("more than", "at most"):
            test = Expr("less", (b, a), TRUTH)
        else:
            test = Expr("less", (a, b), TRUTH)
        return Expr("not", (test,), TRUTH) if how in ("at most", "at least") else test

    @staticmethod
    def bounds(how: str, number: Expr) -> tuple[Expr, Expr]:
        one, zero, many = const(1, NUMBER), const(0, NUMBER), const(UNBOUNDED, NUMBER)
        return {
            "at least": (number, many),
            "at most": (zero, number),
            "exactly": (number, number),
            "more than": (Expr("add", (number, one), NUMBER), many),
            "less than": (zero, Expr("sub", (number, one), NUMBER)),
        }[how]

    # --- quantifiers --------------------------------------------------------------------------------------------------
    def noun(self, node: Syntax) -> tuple[Var, Expr]:
        """`figure called mine of spy` -> a variable and the set it runs over."""
        if node.kind == "described":
            adjective, *plain = node.kids
            var, source = self.noun(Syntax("noun", tuple(plain), node.start, node.end))
            it = Var("it", var.type)
            such = self.property(adjective, plain[0], Expr("var", (it,), it.type), node)
            return var, Expr("filter", (it, source, such), source.type)
        noun, called, link = node.kids
        kind = self.words.noun_type(noun)
        if link is not None and link.kind == "linked_in":
            source = self.many(link.kids[0], kind if kind is None or kind.many else set_of(kind))
            if kind is not None and not may_equal(kind if kind.many else set_of(kind), source.type):
                raise self.wrong("never_in", node, one=str(kind), other=str(source.type))
            self.right_noun(noun, kind, source, node)
        elif link is not None:
            plural = self.words.plural_of(noun)
            source = self.call(f"{plural} of _", [link.kids[0]], node)
            if not source.type.many:
                raise self.wrong("set_wanted", node, found=str(source.type))
        elif kind is None or kind.many:
            shape = self.words.plural_of(noun)
            found = self.lookup(shape, None) if noun not in self.words.plurals else None
            if found is None or not found.type.many:
                if kind is not None and kind.of is not None:
                    return Var(called or noun, kind.of), const(self.words.plurals[noun].atoms, kind)
                raise self.wrong("unknown_noun", node, name=noun, meant=self.words.suggest_noun(noun))
            source = found
        else:
            source = const(tuple(sorted(kind.atoms)), set_of(kind))
        if source.type.of is None:
            raise self.wrong("set_wanted", node, found=str(source.type))
        return Var(called or noun, source.type.of), source

    def right_noun(self, noun: str, kind: Type | None, source: Expr, node: Syntax) -> None:
        """Is everything in there of this kind? Else the noun would promise something that is not looked at."""
        of, one = source.type.of, kind.of if kind is not None and kind.many else kind
        if of is None or (of.kind == "number" and noun in ("number", "numbers")):
            return
        if of.kind in ("thing", "number") and (one is None or not fits(of.definite(), one)):
            raise self.wrong("other_noun_in", node, name=noun, found=str(of.definite()))

    def quantify(self, how: str, amount: Expr | None, var: Var, source: Expr, body: Expr) -> Expr:
        if how == "any":
            return Expr("exists", (var, source, body), TRUTH)
        if how == "every":
            return Expr("every", (var, source, body), TRUTH)
        if how == "no":
            return Expr("not", (Expr("exists", (var, source, body), TRUTH),), TRUTH)
        assert amount is not None  # all other quantifiers have a number
        return self.compare(how, Expr("tally", (var, source, body), NUMBER), amount)

    def quantifier(self, node: Syntax) -> tuple[str, Expr | None]:
        if len(node.kids) == 1:
            return node.kids[0], None
        return node.kids[0], self.wanting(node.kids[1], NUMBER)

    def _quantified(self, node: Syntax, wanted: Type | None) -> Expr:
        quantifier, noun, predicate = node.kids
        how, amount = self.quantifier(quantifier)
        var, source = self.noun(noun)
        subject = Expr("var", (var,), var.type)
        return self.quantify(how, amount, var, source, self.predicate(subject, predicate))

    def _such_that(self, node: Syntax, wanted: Type | None) -> Expr:
        quantifier, noun, body = node.kids
        how, amount = self.quantifier(quantifier)
        var, source = self.noun(noun)
        if var.name in self.scope.names:
            raise self.wrong("shadowed_name", noun, name=var.name)
        return self.quantify(how, amount, var, source, self.inside(self.scope.with_name(var)).truth(body))

    def _no_two(self, node: Syntax, wanted: Type | None) -> Expr:
        noun, name = node.kids
        var, source = self.noun(noun)
        value = self.call(f"{name} of _", [Expr("var", (var,), var.type)], node)
        return Expr("distinct", (var, source, value), TRUTH)

    def _where(self, node: Syntax, wanted: Type | None) -> Expr:
        group, body = node.kids
        source = self.many(group, wanted)
        return self.filtered(node, source, body)

    def filtered(self, node: Syntax, source: Expr, body: Syntax) -> Expr:
        if self.scope.it is not None:
            raise self.wrong("nested_it", node)
        if source.type.of is None:
            raise self.wrong("set_wanted", node, found=str(source.type))
        var = Var("it", source.type.of)
        return Expr("filter", (var, source, self.inside(self.scope.with_it(var)).truth(body)), source.type)

    # --- values -------------------------------------------------------------------------------------------------------
    def _only(self, node: Syntax, wanted: Type | None) -> Expr:
        return self.single("only", node, self.many(node.kids[0]))

    def _only_where(self, node: Syntax, wanted: Type | None) -> Expr:
        return self.single("only", node, self.filtered(node, self.many(node.kids[0]), node.kids[1]))

    def single(self, op: str, node: Syntax, source: Expr) -> Expr:
        if source.type.of is None:
            raise self.wrong("set_wanted", node, found=str(source.type))
        return Expr(op, (source,), source.type.of.or_nothing())

    def _first_of(self, node: Syntax, wanted: Type | None) -> Expr:
        return self.single("first", node, self.many(node.kids[0]))

    def _last_of(self, node: Syntax, wanted: Type | None) -> Expr:
        return self.single("last", node, self.many(node.kids[0]))

    def _count_of(self, node: Syntax, wanted: Type | None) -> Expr:
        return Expr("count", (self.many(node.kids[0]),), NUMBER)

    def _sum_of(self, node: Syntax, wanted: Type | None) -> Expr:
        return Expr("total", (self.numbers(node.kids[0]),), NUMBER)

    def _largest_of(self, node: Syntax, wanted: Type | None) -> Expr:
        return Expr("largest", (self.numbers(node.kids[0]),), NUMBER.or_nothing())

    def _smallest_of(self, node: Syntax, wanted: Type | None) -> Expr:
        return Expr("smallest", (self.numbers(node.kids[0]),), NUMBER.or_nothing())

    def numbers(self, node: Syntax) -> Expr:
        """Several numbers: a set, a list, or what is asked of several things."""
        expr = self.many(node)
        if expr.type.of is not None and expr.type.of.kind != "number":
            raise self.wrong("numbers_wanted", node, found=str(expr.type))
        return expr

    def _divided(self, node: Syntax, wanted: Type | None) -> Expr:
        return Expr("div", tuple(self.wanting(kid, NUMBER) for kid in node.kids), NUMBER)

    def _remainder(self, node: Syntax, wanted: Type | None) -> Expr:
        return Expr("rem", tuple(self.wanting(kid, NUMBER) for kid in node.kids), NUMBER)

    def _range(self, node: Syntax, wanted: Type | None) -> Expr:
        least, _, most = node.kids
        return self.ranging(node, self.wanting(least, NUMBER), self.wanting(most, NUMBER))

    def ranging(self, node: Syntax, least: Expr, most: Expr) -> Expr:
        if least.op == most.op == "const" and most.args[0] - least.args[0] >= MAX_RANGE:
            raise self.wrong("too_many_numbers", node, limit=MAX_RANGE)
        return Expr("range", (least, most), set_of(NUMBER))

    def _extreme(self, node: Syntax, wanted: Type | None) -> Expr:
        group, how, measure = node.kids
        if group.kind == "only":  # the only players with the highest stake: of those, the only one
            inner = Syntax("extreme", (group.kids[0], how, measure), group.start, node.end)
            return self.single("only", node, self._extreme(inner, wanted))
        source = self.many(group)
        if source.type.of is None:
            raise self.wrong("set_wanted", group, found=str(source.type))
        var = Var("it", source.type.of)
        body = self.measured(measure, Expr("var", (var,), var.type))
        if body.type.kind != "number":
            raise self.wrong("number_wanted", measure, found=str(body.type))
        return Expr("highest" if how.endswith("highest") else "lowest", (var, source, body), source.type)

    def measured(self, node: Syntax, it: Expr) -> Expr:
        """What is compared in each element, which is not said again: rank of hand, for rank of hand of it."""
        if node.kind == "measure_by":
            if self.scope.it is not None:
                raise self.wrong("nested_it", node)
            return self.inside(self.scope.with_it(it.args[0])).type(node.kids[0], NUMBER)
        name, *rest = node.kids
        if node.kind == "measure_of":
            return self.call(f"{name} of _", [self.measured(rest[0], it)], node)
        return self.applied(node, f"{name} of _", [it], rest)

    def _reversed(self, node: Syntax, wanted: Type | None) -> Expr:
        source = self.many(node.kids[0])
        return Expr("reversed", (source,), list_of(source.type.of) if source.type.of else EMPTY)

    def _starting_with(self, node: Syntax, wanted: Type | None) -> Expr:
        return self.turned("rotated", node)

    def _after(self, node: Syntax, wanted: Type | None) -> Expr:
        return self.turned("after", node)

    def turned(self, op: str, node: Syntax) -> Expr:
        group, element = node.kids
        source = self.many(group)
        if source.type.of is None:
            raise self.wrong("set_wanted", group, found=str(source.type))
        return Expr(op, (source, self.wanting(element, source.type.of, maybe=True)), list_of(source.type.of))

    def _as_often_as(self, node: Syntax, wanted: Type | None) -> Expr:
        group, name = node.kids
        source = self.many(group)
        if source.type.of is None:
            raise self.wrong("set_wanted", group, found=str(source.type))
        var = Var("each", source.type.of)
        often = self.call(f"{name} of _", [Expr("var", (var,), var.type)], node)
        if often.type.kind != "number":
            raise self.wrong("number_wanted", node, found=str(often.type))
        if often.op != "table":
            raise self.wrong("must_be_fixed", node)
        for (atom, *_), times in often.args[0].values.items():
            if times is not None and times > MAX_OFTEN:
                raise self.wrong("too_many_things", node, limit=MAX_OFTEN)
            if times is not None and times < 0:
                place = self.words.place_of_cell(name, atom)
                found = problem("too_small", place, len(str(times)), number=times, least=0)
                raise RulesError(found) if place else self.wrong("too_small", node, number=times, least=0)
        return Expr("often", (var, source, often), list_of(source.type.of))

    def _plus(self, node: Syntax, wanted: Type | None) -> Expr:
        a, b = (self.type(kid, wanted) for kid in node.kids)
        if a.type.kind == b.type.kind == "number":
            return Expr("add", (a, b), NUMBER)
        if a.type.kind == "list" or b.type.kind == "list" and a.type.many and a.type.of is None:
            return self.lengthened(node, a, b)
        if "truth" in (a.type.kind, b.type.kind) or not a.type.many and "number" in (a.type.kind, b.type.kind):
            raise self.wrong("branches_differ", node, one=str(a.type), other=str(b.type))
        if "pile" in (a.type.kind, b.type.kind):
            return self.heap(node, a, b)
        return self.union(node, a, b)

    def heap(self, node: Syntax, a: Expr, b: Expr) -> Expr:
        """All of both, as often as they are there: nothing is lost."""
        sides = [x if x.type.many else Expr("gather", ((x,),), set_of(x.type)) for x in (a, b)]
        kinds = [x.type.of for x in sides if x.type.of is not None]
        element = self.words.union(kinds) if kinds else None
        if kinds and element is None:
            raise self.wrong("branches_differ", node.kids[1], one=str(a.type), other=str(b.type))
        return Expr("heap", tuple(sides), pile_of(element) if element is not None else EMPTY)

    def lengthened(self, node: Syntax, a: Expr, b: Expr) -> Expr:
        """A list and one more, or all of another set or list."""
        of = a.type.of
        if of is not None and fits(b.type, of):
            return Expr("append", (a, b), a.type.definite())
        element = b.type.of if b.type.many else b.type
        joined = of if element is None else element if of is None else self.words.join_types(of, element)
        if joined is None:
            raise self.wrong("branches_differ", node, one=str(a.type), other=str(b.type))
        return Expr("extend" if b.type.many else "append", (a, b), list_of(joined))

    def _minus(self, node: Syntax, wanted: Type | None) -> Expr:
        return Expr("sub", tuple(self.wanting(kid, NUMBER) for kid in node.kids), NUMBER)

    def _times(self, node: Syntax, wanted: Type | None) -> Expr:
        return Expr("mul", tuple(self.wanting(kid, NUMBER) for kid in node.kids), NUMBER)

    def _without(self, node: Syntax, wanted: Type | None) -> Expr:
        a = self.many(node.kids[0], wanted)
        b = self.type(node.kids[1], a.type)
        if not b.type.many:
            b = Expr("gather", ((b,),), set_of(b.type))
        if not may_equal(a.type, b.type):
            raise self.wrong("never_in", node, one=str(b.type), other=str(a.type))
        return Expr("without" if a.type.kind == "set" else "remove", (a, b), a.type)
