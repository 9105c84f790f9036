"""Typed expressions -> abstract trees: how a thing is put. There are several ways, `STYLES`; the speaker tries them.

What is said is the condition after the simplifications of `simplifying`, which keep its truth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from ..interpreter.model import NUMBER, TRUTH, Expr, Var, const
from .building import uses
from .clause_rules import COMBINED, DENIED
from .effort import spend
from .grammar import ITEMS
from .phrasing import STYLES, Env, Phrases, Style, Unsayable, occurrences
from .restating import restated
from .rewriting import MAX_SHARED, each_in, flat
from .rules import EXTREMES, Tree
from .simplifying import opposite, same_call, same_form

__all__ = ["STYLES", "Planner", "Style", "Unsayable"]

AMOUNTS = ("count", "tally", "total", "add", "sub", "mul", "div", "rem")  # numbers that are no value of a thing
_STATUS = {
    ("exists", False): "any",
    ("exists", True): "no",
    ("every", False): "every",
    ("every", True): "notevery",
}


def _turned(expr: Expr, of: Var) -> Expr | None:
    """What is quantified comes first: every card is the king, not: the king is every card."""
    if expr.op == "not":
        inner = _turned(expr.args[0], of)
        return None if inner is None else Expr("not", (inner,), TRUTH)
    if expr.op != "eq" or expr.args[0].type.kind == "truth":
        return None
    one, other = expr.args
    if other.op == "var" and other.args[0].origin is of.origin and not uses(one, of):
        return Expr("eq", (other, one), TRUTH)
    return None


def _said_of(part: Expr) -> str | None:
    """The word that is said of something with a name, with what else is in it; None if there is no name."""
    call = same_call(part)
    if call is None or not call[1] or call[1][0].op != "const" or call[1][0].type.kind != "thing":
        return None
    return repr((call[0], call[1][1:]))


def _all(parts: list[Expr]) -> Expr:
    found = parts[0]
    for part in parts[1:]:
        found = Expr("and", (found, part), TRUTH)
    return found


def _only_about(expr: Expr, of: Var) -> bool:
    """Does the condition speak of this variable, and of no other that is bound outside of it?"""
    return uses(expr, of) == 1 and not (_free(expr) - {of.origin})


def _free(expr: Any, bound: Iterable[Var] = ()) -> set[Var]:
    if isinstance(expr, Expr):
        if expr.op == "var":
            return {expr.args[0].origin} - set(bound)
        inner = [*bound, *(arg.origin for arg in expr.args if isinstance(arg, Var))]
        return set().union(*(_free(arg, inner) for arg in expr.args if not isinstance(arg, Var)), set())
    return set().union(*(_free(x, bound) for x in expr), set()) if isinstance(expr, tuple) else set()


def _another(status: str, of: Var, body: Expr) -> tuple[str, Expr] | None:
    """… is with another: with one that is not itself."""
    if status not in ("any", "no") or body.op != "and" or body.args[0].op != "not":
        return None
    unequal, claim = body.args[0].args[0], body.args[1]
    if unequal.op != "eq" or unequal.args[0].op != "var" or unequal.args[0].args[0].origin is not of.origin:
        return None
    subject, call = unequal.args[1], same_call(claim)
    if call is None or len(call[1]) != 2 or uses(subject, of):
        return None
    names: dict[Var, int] = {}
    if same_form(call[1][0], names) != same_form(subject, names):
        return None
    return ("other" if status == "any" else "noother"), claim


def _status(tree: Tree) -> str:
    if tree[0] == "gap":
        return "gap"
    if not str(tree[0]).startswith("q:"):
        return "NP"
    status = tree[0][2:]
    if status in ("any", "every", "no", "notevery", "other", "noother"):
        return str(status)
    return "cnt1" if status.endswith("1") else "cnt2"


def _goes_on(tree: Any) -> bool:
    """Is there something in it that what follows could belong to: all players except Red or …?"""
    if not isinstance(tree, tuple) or tree[0] == "paren":
        return False
    return tree[0] in ("without", "mod:without", "join", "append") or any(_goes_on(kid) for kid in tree[1:])


def _allowed(clause: Tree) -> bool:
    subject, other = _status(clause[1]), _status(clause[2]) if len(clause) > 2 else "NP"
    if clause[0].split(":")[1] in ("eq", "same", "in", "oneof", "isa", "eqn", "eqd", "has", "lacks") and other != "NP":
        return False
    if str(clause[0]).endswith(":neg"):
        return subject in DENIED and other == "NP"
    return other in COMBINED[subject] or (subject == "no" and other == "any")


class Planner(Phrases):
    def clause(self, expr: Expr, env: Env) -> Tree:
        op, args = expr.op, expr.args
        if op in ("and", "or"):
            return self.shared(expr, env) or self.junction(expr, env)
        found = self.atom(expr, env, {})
        if found is not None:
            return found
        if op == "cond" and expr.type.kind == "truth":
            return ("if", *(self.part(x, env) for x in args))
        denied, inner = op == "not", args[0] if op == "not" else expr
        if inner.op in ("exists", "every"):
            status = _STATUS[inner.op, denied]
            return self.such(status, inner.args, env)
        counted = self.counted(inner, denied)
        if counted is not None:
            return self.such(counted[0], counted[1].args, env, counted[2])
        if inner.op in ("less", "eq") and inner.args[0].type.kind == "number":
            return self.compared(inner, denied, env)
        if denied:
            return ("not", self.part(inner, env))
        if op == "eq" and args[0].type.kind == "truth":
            return ("iff", *(self.part(x, env) for x in args))
        raise Unsayable(op)

    def part(self, expr: Expr, env: Env) -> Tree:
        found = self.clause(expr, env)
        if self.style.bracketed and found[0] in ("and", "or", "vp:and", "vp:or", "if", "such", "iff", "not"):
            return ("bracket", found)
        return found

    def shared(self, expr: Expr, env: Env) -> Tree | None:
        """What is said of one thing, with its name once: Agent X is at Rialto or has moved."""
        if self.style.bracketed or "vp_and" not in self.grammar.data["say"]:
            return None
        parts = flat(expr, expr.op)
        if len(parts) > MAX_SHARED:
            return None
        try:
            said = [self.atom(part, env, {}) for part in parts]
        except Unsayable:
            return None
        subjects = {tree[1] if tree is not None and len(tree) > 1 else None for tree in said}
        subject = next(iter(subjects))
        if len(subjects) > 1 or subject is None or str(subject[0]).startswith(("q:", "cn:", "kind:", "rel", "such")):
            return None
        claims = [tree for tree in said if tree is not None and str(tree[0]).startswith("p:")]
        if len(claims) < len(said) or any(tree[0].startswith(("p:distinct", "p:alike")) for tree in claims):
            return None
        if any(_goes_on(tree) for tree in claims):
            return None
        if expr.op == "or" and any(tree[0].endswith(":neg") for tree in claims):
            return None  # is not A or has not B: as if it were neither
        return (f"vp:{expr.op}", subject, *((tree[0], ("gap",), *tree[2:]) for tree in claims))

    def together(self, expr: Expr, env: Env) -> list[Tree]:
        """The parts of a condition; those that follow one another and differ in their subject alone are one."""
        parts = flat(expr, expr.op)
        said: list[Tree] = []
        if not self.style.together or expr.op != "and" or "together" not in self.grammar.data["say"]:
            return [self.part(x, env) for x in parts]
        for rest, same in groupby(parts, _said_of):
            group = list(same)
            if rest is None or not 1 < len(group) <= max(self.grammar.data["say"]["together"]):
                said += [self.part(x, env) for x in group]
                continue
            claims = [self.part(x, env) for x in group]
            names = [claim[1] for claim in claims]
            if len(set(names)) < len(names) or len({(claim[0], *claim[2:]) for claim in claims}) > 1:
                said += claims
            else:
                said.append((claims[0][0], ("q:together", *names), *claims[0][2:]))
        return said

    def junction(self, expr: Expr, env: Env) -> Tree:
        parts = self.together(expr, env)
        if len(parts) == 1:
            return parts[0]
        if self.style.walled:
            parts = [p if p[0] == "bracket" else ("bracket", p) for p in parts]
        if (
            self.style.grouped and expr.op == "or"
        ):  # either Rialto is free or movement is paused, not: either movement …
            parts = [p for p in parts if len(p) > 1] + [p for p in parts if len(p) == 1]
        if self.style.grouped:
            groups = [p for p in parts if p[0] in ("and", "or", "vp:and", "vp:or", "such", "if")]
            parts = [p for p in parts if p not in groups] + groups
        while len(parts) > ITEMS:
            parts = [*parts[: ITEMS - 1], (expr.op, *parts[ITEMS - 1 :][:ITEMS])] + parts[ITEMS - 1 + ITEMS :]
        return (expr.op, *parts)

    def counted(self, expr: Expr, denied: bool) -> tuple[str, Expr, int] | None:
        """How many satisfy something, compared with a number that is known."""
        if expr.op not in ("less", "eq"):
            return None
        one, other = expr.args
        if expr.op == "eq":
            how, tally, number = "eq", one, other
        elif one.op == "tally":
            how, tally, number = ("ge" if denied else "lt"), one, other
        else:
            how, tally, number = ("le" if denied else "gt"), other, one
        if tally.op != "tally" or number.op != "const" or (denied and expr.op == "eq"):
            return None
        size = number.args[0]
        if how not in self.grammar.data["count"]:  # where a language says “3 or more” for more than 2
            how, size = ("ge", size + 1) if how == "gt" else ("le", size - 1)
        return (how, tally, size) if size >= 1 else None

    def compared(self, expr: Expr, denied: bool, env: Env) -> Tree:
        one, other = expr.args
        if expr.op == "eq":
            tail = ":neg" if denied else ""
            if one.op == "const" and other.op != "const":
                one, other = other, one
            name = "p:eqd" if other.op == "const" and one.op != "const" else "p:eqn"
            return (name + tail, self.number(one, env), self.number(other, env))
        name = "ge" if denied else "lt"
        if one.op == "const" and other.op != "const":
            name, one, other = "le" if denied else "gt", other, one
        if other.op == "const" and f"{name}d" in self.grammar.data["clauses"]:
            name += "d"  # at least 2; at least as high as the score of Red
        if f"{name}b" in self.grammar.data["clauses"] and one.op in ("largest", "smallest"):
            name += "b"  # the highest score is over 2, not: is higher than 2
        elif f"{name}n" in self.grammar.data["clauses"] and self.is_amount(one):
            name += "n"  # the score is lower than 3; the number of figures is less than 3
        return (f"p:{name}", self.number(one, env), self.number(other, env))

    def is_amount(self, number: Expr) -> bool:
        """Is it how many there are of something, and no value of a thing?"""
        call = same_call(number)
        word = self.grammar.lexicon.functions.get(call[0]) if call else None
        if word is None or word.noun is None:
            return number.op in AMOUNTS or ("best_of" in self.grammar.data and number.op in EXTREMES.values())
        return bool(re.match(str(self.grammar.data.get("counted_nouns", "(?!)")), word.noun.forms["sg"]))

    def there(self, expr: Expr, denied: bool, env: Env) -> Tree | None:
        """There are more than three of them: the size of a set, compared with a number that is known."""
        one, other = expr.args
        count, number = (one, other) if one.op == "count" else (other, one)
        if count.op != "count" or number.op != "const" or self._plain_set(count.args[0]):
            return None
        if expr.op == "eq" and denied and number.args[0] == 0:  # not none: at least one
            return self.there(Expr("less", (count, const(1, NUMBER)), TRUTH), True, env)
        if expr.op == "eq" and denied:
            return None
        how = "eq" if expr.op == "eq" else ("ge" if denied else "lt") if count is one else ("le" if denied else "gt")
        size, known = number.args[0], self.grammar.data.get("there_count") or self.grammar.data["count"]
        if how == "gt" and how not in known:
            how, size = "ge", size + 1
        if how not in known:
            return None
        if size == 0 and how == "eq":
            return ("there", ("q:no", self.noun(count.args[0], env)))
        if size < 1:
            return None
        noun = self.noun(count.args[0], env)
        return ("there", (f"q:{how}1", noun) if size == 1 else (f"q:{how}", noun, (f"num:{size}",)))

    def atom(self, expr: Expr, env: Env, slots: Env) -> Tree | None:
        """A clause of one predicate; slots: variables that are quantified noun phrases in it."""
        spend()
        denied = expr.op == "not"
        inner = expr.args[0] if denied else expr
        op, args = inner.op, inner.args
        within = {**env, **slots}
        tail = ":neg" if denied else ""
        if op in ("exists", "every"):
            if denied and op == "every" and slots:
                return None
            return self.in_place(_STATUS[op, denied], args, env, slots)
        counted = self.counted(inner, denied)
        if counted is not None:
            return self.in_place(counted[0], counted[1].args, env, slots, counted[2])
        if op == "eq" and args[1].op == "const" and args[1].args[0] is None:
            return self.equal(args, tail, within)
        if op in ("eq", "less") and args[0].type.kind == "number":
            return (None if slots else self.there(inner, denied, env)) or self.compared(inner, denied, within)
        if op == "eq":
            return self.equal(args, tail, within)
        if op == "member":
            return self.member(args, tail, within)
        if op == "within":
            each = each_in(inner) if self.has_noun(args[0]) and not self.style.bracketed and not slots else None
            if (
                each is not None
                and (said := self.in_place(_STATUS["every", denied], each.args, env, slots)) is not None
            ):
                return said
            return ("p:within" + tail, self.several(args[0], within), self.several(args[1], within))
        if op == "distinct":
            call = same_call(args[2])
            word = self.grammar.lexicon.functions.get(call[0]) if call else None
            if call is None or word is None or len(call[1]) != 1 or call[1][0].op != "var":
                raise Unsayable("distinct")
            same = "p:alike" if denied else "p:distinct"
            if word.share and not self.style.bracketed and f"{same[2:]}_sharing" in self.grammar.data["clauses"]:
                return (f"{same}:{call[0]}", self.noun(args[1], within))
            how = "noun" if word.noun is not None and not self.style.bracketed else "head"
            return (same, self.noun(args[1], within), (f"{how}:{call[0]}",))
        if op == "const" and inner.type.kind == "truth":
            return ("p:never" if bool(args[0]) == denied else "p:always",)
        if op == "var" and inner.type.kind == "truth":
            return (f"p:free:{args[0].name}{tail}",)
        call = same_call(inner)
        if call is not None and inner.type.kind == "truth":
            return (f"p:{call[0]}{tail}", *(self._argument(x, within) for x in call[1]))
        return None

    def equal(self, args: tuple[Expr, ...], tail: str, env: Env) -> Tree | None:
        one, other = args
        if "truth" in (one.type.kind, other.type.kind) or "amount" in (one.type.kind, other.type.kind):
            return None
        if other.op == "const" and other.args[0] is None:
            call = same_call(one)
            word = self.grammar.lexicon.functions.get(call[0]) if call else None
            if call and word is not None and word.none is not None and not self.style.bracketed:
                return (f"p:none:{call[0]}{tail}", *(self._argument(x, env) for x in call[1]))
            if call and word is not None and word.noun is not None and self.grammar.belongs(word):
                return ("p:has" if tail else "p:lacks", self._argument(call[1][0], env), (f"noun:{call[0]}",))
            if (
                call
                and word is not None
                and word.noun is not None
                and not call[1]
                and "absent" in self.grammar.data["clauses"]
            ):
                return ("p:present" if tail else "p:absent", (f"noun:{call[0]}",))
            if call and word is not None and word.noun is not None and not one.type.many and not self.style.bracketed:
                thing = (f"one:{call[0]}", *(self._argument(x, env) for x in call[1]))
                return ("there", ("q:any" if tail else "q:no", thing))
            return ("p:nil" + tail, self.value(one, env))
        if one.op == "const" and other.op not in ("const", "var"):
            one, other = other, one
        if one.type.many or other.type.many:
            return ("p:eqs" + tail, self.several(one, env), self.several(other, env))
        both = same_call(one), same_call(other)
        if both[0] and both[1] and both[0][0] == both[1][0] and "same" in self.grammar.data["clauses"]:
            name = self.sameness(both[0][0], one)  # the card of Ada is the same as that of Ben
            return (name + tail, self.one(one, env), self.one(other, env))
        return ("p:eq" + tail, self.one(one, env), self.one(other, env))

    def sameness(self, shape: str, value: Expr) -> str:
        """How it is said of two values of one word that they are the same, which may hang on the class of its noun."""
        row, lexicon = self.grammar.data["clauses"]["same"], self.grammar.lexicon
        word = lexicon.functions.get(shape)
        noun = (word.noun if word is not None else None) or lexicon.nouns.get(value.type.name)
        if not isinstance(row, dict):
            return "p:same"
        return f"p:same:{self.grammar.tongue.row_of_class(row, noun.cls if noun is not None else 'x')}"

    def member(self, args: tuple[Expr, ...], tail: str, env: Env) -> Tree:
        one, group = args
        if group.op in ("range", "stride", "reach"):
            return ("p:isa" + tail, self.value(one, env), self.noun(group, env))
        if (does := self.does(one, group, tail, env)) is not None:
            return does
        lifted = group.op in ("image", "images") and not self._lifted_plain(group)
        if one.type.kind != "thing":
            if lifted and one.type.kind == "number" and not self.style.bracketed:  # one of the stakes is 2
                status = "q:no" if tail else "q:any"
                return (
                    "p:eqd" if one.op == "const" else "p:eqn",
                    (status, self.noun(group, env)),
                    self.number(one, env),
                )
            if lifted:
                return ("p:isa" + tail, self.value(one, env), self.noun(group, env))
            return ("p:in" + tail, self.value(one, env), self.several(group, env))
        named = self.whole(group) or same_call(group) is not None
        if lifted or (named and not self._plain_set(group)):
            return ("p:isa" + tail, self.one(one, env), self.noun(group, env))
        several = self.several(group, env)
        if several[0] == "enum" and not tail and not self.style.bracketed:
            return ("p:oneof", self.one(one, env), several)
        return ("p:in" + tail, self.one(one, env), several)

    def does(self, one: Expr, group: Expr, tail: str, env: Env) -> Tree | None:
        """Red wins, not: Red is a player who wins; where the game has words for it."""
        call = same_call(group)
        word = self.grammar.lexicon.functions.get(call[0]) if call else None
        if call is None or word is None or word.member is None or self.style.bracketed:
            return None
        return (f"p:is:{call[0]}{tail}", self.one(one, env), *(self._argument(x, env) for x in call[1]))

    def quantified(self, status: str, noun: Tree, number: int | None) -> Tree:
        if number is None:
            return (f"q:{status}", noun)
        return (f"q:{status}1", noun) if number == 1 else (f"q:{status}", noun, (f"num:{number}",))

    def split(self, status: str, of: Var, source: Expr, body: Expr) -> tuple[Expr, Expr]:
        """The conditions of the one thing alone moved into its noun: a figure that is real is …"""
        if not self.style.moved or body.op != "and" or status not in ("any", "no"):
            return source, body
        parts = flat(body, "and")
        others = [p for p in parts if _only_about(p, of)]
        rest = [p for p in parts if p not in others]
        if not others:
            return source, body
        if not rest:
            rest, others = others[-1:], others[:-1]
        return Expr("filter", (of, source, _all(others)), source.type), _all(rest)

    def in_place(
        self, status: str, args: tuple[Any, ...], env: Env, slots: Env, number: int | None = None
    ) -> Tree | None:
        """A quantified noun where its name would stand, if the order of words then says the scope; else None."""
        of, source, body = args
        if not self.style.in_place or any(uses(source, slot) for slot in slots):
            return None
        other = _another(status, of, body)
        if other is not None:
            status, body = other
        else:
            source, body = self.split(status, of, source, body)
        if (slots and number is not None) or len(slots) > 1:
            return None
        if body.op in ("eq", "not") and (turned := _turned(body, of)) is not None:
            body = turned
        noun = self.quantified(status, self.noun(source, env), number)
        try:
            found = self.atom(body, env, {**slots, of.origin: noun})
        except Unsayable:
            return None
        if found is None or len(found) < 2 or occurrences(found, noun) != 1:
            return None
        if slots:
            outer = next(iter(slots.values()))
            if found[1] != outer or len(found) < 3 or found[2] != noun:
                return None
        elif other is not None and (len(found) < 3 or found[2] != noun):
            return None
        elif noun not in found[1:3] or (found[1] != noun and str(found[1][0]).startswith("q:")):
            return None
        return found if _allowed(found) else None

    def such(self, status: str, args: tuple[Any, ...], env: Env, number: int | None = None) -> Tree:
        of, source, body = args
        noun = self.noun(source, env)
        label, inner = self.bind(of, noun, env)
        if label:
            noun = (f"intro:{label}", self.inside(self.noun, source, env))
        claim = self.part(body, inner)
        said = self.quantified(status, noun, number)
        if not label and str(claim[0]).startswith("vp:") and claim[1] == inner[of.origin]:
            if occurrences(claim, claim[1]) == 1 and self.style.in_place and status not in self.grammar.unshared:
                return (claim[0], said, *claim[2:])  # every figure is … or is …
        if status == "notevery" and not self.style.bracketed:  # there is one that is not so
            return self.such("any", (of, source, restated(opposite(body), self.grammar)), env)
        return ("such", said, claim)
