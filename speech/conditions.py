"""Conditions in words: what the rules decide by, said as a person would say it.

Each predicate has a phrase (`phrases` in the rule files), each quantified noun too; names come from the narrator. What
has no phrase of its own is said by what it means. The text of a mission is made here from the condition that decides
the game, so that the two cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..interpreter.model import Expr, Function, Var
from ..interpreter.presentation import SaidAs
from .language import N_, Language, Said, fill, forms
from .narrator import Narrator

if TYPE_CHECKING:
    from ..interpreter.game import Game

__all__ = ["SAID", "STRUNG", "Speaker"]

# Operations that have a saying of their own: as a value, as a clause, or as a noun of which some or all are meant; a
# tally where there are fewer or not fewer, a gathering of one thing…
SAID = frozenset(
    "const var state table formula word cond and or not eq less member within "
    "exists every tally filter image gather".split()
)
# … and those of which only the parts are said, one after the other.
STRUNG = frozenset(
    "matched distinct only count first last reversed rotated after often "
    "join append heap without remove add sub mul amount".split()
)

# How much of a set is meant, for sets that have no phrase of their own. A language may add what the predicate is to be.
SOME = N_(
    "any {noun} | every: every {noun} | not every: not every {noun} | no: no {noun} | another: another {noun} | "
    "no other: no other {noun}"
)
HOW = ("any", "every", "not every", "no", "another", "no other")
OPPOSITE = {"any": "no", "no": "any", "every": "not every", "not every": "every"}


class Speaker:
    """Says conditions of one game in one language."""

    def __init__(self, game: Game, language: Language):
        self.game, self.language = game, language
        self.words = game.vocabulary
        self.narrator = Narrator(game, language)
        self.phrases = {key: (phrase.names, language.text(phrase.text)) for key, phrase in game.phrases.items()}
        self._wrap: tuple[SaidAs, str, tuple[Any, ...]] | None = None  # how things are called in the cell with this key

    def _say(self, text: str, /, **values: Any) -> str:
        """A part of a sentence: only the whole begins with a capital."""
        return fill(self.language.translate(text), values, whole=False)

    # --- ways in ------------------------------------------------------------------------------------------------------
    def sentence(self, expr: Expr) -> str:
        """The condition as a sentence of its own."""
        clause = self.clause(expr, {})
        return self.language.say(N_("{clause}."), clause=lambda form: clause)

    def cell(self, function: Function, keys: tuple[Any, ...]) -> str:
        """A cell of a table of conditions; `said as` of the table tells how some things are called in it."""
        said_as = self.game.texts.said_as(function)
        if said_as is not None:
            self._wrap = (said_as, self.language.text(said_as.text), keys)
        try:
            return self.sentence(function.values[keys])
        finally:
            self._wrap = None

    def thing(self, atom: int, form: str = "") -> str:
        return self.named(atom)(form)

    # --- names --------------------------------------------------------------------------------------------------------
    def named(self, atom: int) -> Said:
        thing = self.words.atoms[atom]
        home = self.words.sets.get(thing.set)
        plain = self.narrator.name(atom)
        if home is not None and home.numbered_by:
            column = self._column(home.numbered_by, atom)
            if column is not None and f"numbered {home.name}" in self.phrases:
                return forms(fill(self.phrases[f"numbered {home.name}"][1], {"number": str(column)}))
        if home is not None and home.name in self.phrases:
            text = self.phrases[home.name][1]
            default = forms(fill(text, {"name": plain("")}))
            plain = _or_else(plain, default)
        if self._wrap is not None:
            said_as, text, keys = self._wrap
            if atom in said_as.atoms and not (said_as.unless and self._column(said_as.unless, atom) in keys):
                return lambda form: fill(text, {"x": plain(form)})
        return plain

    def _column(self, name: str, atom: int) -> Any:
        for function in self.words.functions.get(f"{name} of _", ()):
            if function.kind == "table" and (atom,) in function.values:
                return function.values[atom,]
        return None

    def value(self, expr: Expr, env: dict[Var, Said]) -> Said:
        """A value inside a sentence: a name, a bound noun, a set of names, a function of another value."""
        if expr.op == "var":
            return env.get(expr.args[0].origin) or forms(expr.args[0].name.replace("_", " "))
        if expr.op == "const":
            value = expr.args[0]
            if isinstance(value, tuple):
                items = [self.named(a) for a in value]
                return lambda form: self.language.list([item(form) for item in items], "or")
            if expr.type.kind == "thing" and value is not None:
                return self.named(value)
            return self.narrator.said(value, expr.type)
        if expr.op == "gather" and len(expr.args[0]) == 1:
            return self.value(expr.args[0][0], env)
        if expr.op in ("state", "table", "word", "formula"):
            function, args = expr.args
            said = self._phrase(function.shape, args, env)
            if said is not None:
                return said
            inner = [self.value(a, env) for a in args]
            name = function.shape.split(" ")[0]
            name = forms(self.language.pgettext("things", name) or name.replace("_", " "))("")
            if not inner:
                return forms(name)
            return lambda form: self._say(N_("the {function} of {x}"), function=name, x=inner[0])
        return forms(self.written(expr, env))

    def written(self, expr: Expr, env: dict[Var, Said]) -> str:
        parts = [self.value(kid, env)("") for kid in expr.kids()]
        return " ".join(parts) or expr.op

    # --- clauses ------------------------------------------------------------------------------------------------------
    def clause(self, expr: Expr, env: dict[Var, Said], form: str = "") -> str:
        """`form` is that of the predicate: plain, `not`, or what the subject demands."""
        op, args = expr.op, expr.args
        negative = form == "not"
        if op == "not":
            return self.clause(args[0], env, "" if negative else "not")
        if op in ("and", "or"):
            both = (op == "and") != negative
            a, b = (self.clause(x, env, form) for x in args)
            template = N_("{one}, and {other}") if both else N_("{one}, or {other}")
            return self._say(template, one=a, other=b)
        if op in ("exists", "every"):
            return self.quantified("any" if op == "exists" else "every", args, env, negative)
        if op == "less" and args[0].op == "tally":
            return self.counted(args[0], args[1], env, negative)
        if op in ("word", "state", "formula", "table"):
            said = self._phrase(args[0].shape, args[1], env)
            if said is not None:
                return self._predicate(args[0].shape, said, form)
            if op == "word":
                inner = {v: self.value(a, env) for v, a in zip(args[0].variables, args[1])}
                return self.clause(args[0].body, inner, form)
        if op == "cond":
            return self._say(
                N_("if {test}, {one}; otherwise {other}"),
                test=self.clause(args[0], env),
                one=self.clause(args[1], env, form),
                other=self.clause(args[2], env, form),
            )
        return self.compared(expr, env, form)

    def _predicate(self, shape: str, said: Said, form: str) -> str:
        """A phrase in the form that its subject demands; one that lacks it must not say the opposite."""
        known = [how for how, _ in _pairs(self.phrases[shape][1].split(" | ")[1:])]
        if form and form not in known and "not" not in known:
            return self._say(N_("it does not hold that {clause}"), clause=said(""))
        return said(form if not form or form in known else "not")

    def compared(self, expr: Expr, env: dict[Var, Said], form: str) -> str:
        """Every form but the plain one is a negation; a language may say it otherwise of none, and of not all."""
        negative = bool(form)
        templates = {
            "eq": (N_("{one} is {other}"), N_("{one} is not {other}")),
            "member": (N_("{one} is among these: {other}"), N_("{one} is not among these: {other}")),
            "within": (N_("{one} is part of {other}"), N_("{one} is not part of {other}")),
            "less": (N_("{one} is less than {other}"), N_("{one} is not less than {other}")),
        }
        if expr.op not in templates:
            said = self.value(expr, env)("")
            return self._say(N_("it does not hold that {clause}"), clause=said) if negative else said
        one, other = (self.value(a, env) for a in expr.args)
        text = forms(self.language.translate(templates[expr.op][negative]))(form)
        return fill(text, {"one": one, "other": other}, whole=False)

    def quantified(self, how: str, args: tuple[Any, ...], env: dict[Var, Said], negative: bool) -> str:
        var, source, body = args
        how = OPPOSITE[how] if negative else how
        if body.op == "and" and body.args[0].op == "not" and body.args[0].args[0].op == "eq":
            how, body = {"any": "another", "no": "no other"}.get(how, how), body.args[1]
        noun = self.noun(source, env)
        subject = noun(how)
        verb = noun(f"{how} verb")
        return self.clause(body, {**env, var.origin: lambda form: subject}, verb)

    def counted(self, tally: Expr, number: Expr, env: dict[Var, Said], negative: bool) -> str:
        """at least n: not fewer than n."""
        var, source, body = tally.args
        template = N_("at least {number} × {noun}") if negative else N_("fewer than {number} × {noun}")
        noun = self.noun(source, env)("bare")
        subject = self._say(template, number=self.value(number, env), noun=noun)
        return self.clause(body, {**env, var.origin: lambda form: subject})

    def noun(self, source: Expr, env: dict[Var, Said]) -> Callable[[str], str]:
        """A quantified noun: how (any, every, no, …) -> words; `<how> verb` -> the form of the predicate it demands."""
        conditions = []
        while source.op == "filter":
            var, source, test = source.args
            conditions.append(self.clause(test, {**env, var.origin: forms(self.language.translate(N_("it")))}))
        key = self.key(source)
        if key in self.phrases:
            plain, *others = self.phrases[key][1].split(" | ")
            by_form = {"any": plain, **dict(_pairs(others))}
        else:
            by_form = self._generic(source, env)
        for clause in conditions:
            for how in [how for how in by_form if not how.endswith(" verb")]:
                by_form[how] = self._say(N_("{noun} (where {clause})"), noun=by_form[how], clause=clause)

        def said(how: str) -> str:
            if how.endswith(" verb"):
                return by_form.get(how, "not" if how == "not every verb" and "not every" not in by_form else "")
            plain_how = {"bare": "any", "another": "any", "no other": "no", "not every": "every"}.get(how, how)
            return by_form.get(how) or by_form.get(plain_how) or by_form["any"]

        return said

    def _generic(self, source: Expr, env: dict[Var, Said]) -> dict[str, str]:
        """A set that has no phrase: by what kind of things it has, and whose they are."""
        while source.op == "gather" and len(source.args[0]) == 1:
            source = source.args[0][0]
        inner = source.args[2] if source.op == "image" else source
        owners = [self.value(source.args[1], env)] if source.op == "image" else []
        kind, which = (source.type.of or source.type).name, ""
        if inner.op in ("table", "word", "state"):
            which = inner.args[0].shape.split(" ")[0]
            owners += [self.value(arg, env) for arg in inner.args[1]] if source.op != "image" else []
        home = self.words.sets.get(kind)
        if home is not None and which == home.plural:
            which = ""  # the figures of somebody are figures: that is said already
        name = self.language.pgettext("things", kind) or kind.replace("_", " ")
        plain, *own = name.split(" | ")
        first, *others = self.language.translate(SOME).split(" | ")
        by_form = {how: fill(text, {"noun": plain}) for how, text in _pairs([f"any: {first}", *others])}
        by_form |= {how: text for how, text in _pairs(own) if how in HOW} | {"bare": plain}
        for how in [how for how in by_form if not how.endswith(" verb")]:
            said = by_form[how]
            if which:
                said = self._say(N_("{noun} ({which})"), noun=said, which=which.replace("_", " "))
            for owner in owners:
                said = self._say(N_("{noun} of {whose}"), noun=said, whose=owner)
            by_form[how] = said
        return by_form

    def key(self, source: Expr) -> str:
        """A set as its author would write it: figures, figures of team."""
        if source.op == "const" and not isinstance(source.args[0], tuple):
            return self.named(source.args[0])("") if source.args[0] is not None else "?"
        if source.op == "gather" and len(source.args[0]) == 1:
            return self.key(source.args[0][0])
        if source.op == "const":
            found = [s.plural for s in self.words.sets.values() if s.atoms and tuple(sorted(s.atoms)) == source.args[0]]
            return found[0] if found else "?"
        if source.op == "image":
            _, outer, inner = source.args
            return self.key(inner).replace("each", self.key(outer))
        if source.op == "var":
            return str(source.args[0].name)
        if source.op in ("table", "word", "state"):
            args = iter(source.args[1])
            return " ".join(self.key(next(args)) if word == "_" else word for word in source.args[0].shape.split(" "))
        return self.key(source.args[1]) if source.op == "filter" else source.op

    def _phrase(self, shape: str, args: Iterable[Expr], env: dict[Var, Said]) -> Said | None:
        if shape not in self.phrases:
            return None
        names, text = self.phrases[shape]
        values = dict(zip(names, (self.value(a, env) for a in args)))
        return lambda form: fill(forms(text)(form), values, whole=False)


def _or_else(own: Said, default: Said) -> Said:
    """A name in forms of its own; where it has none, in those of the other."""
    return lambda form: own(form) if own(form) != own("") else default(form)


def _pairs(texts: list[str]) -> list[tuple[str, str]]:
    return [(how, said) for how, colon, said in (text.partition(": ") for text in texts) if colon]
