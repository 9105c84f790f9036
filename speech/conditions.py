"""Conditions in words: what the rules decide by, said as a person would say it, and read as he may write it.

A condition is planned in several ways (`planning`), each is said by the grammar of the language (`grammar`) and read
again (`reading`, `building`): the shortest sentence that can only mean this condition is taken. The text of a mission
is made here from the condition that decides the game, so that the two cannot drift apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..interpreter.errors import Keyword, Place, RulesError, problem
from ..interpreter.model import TRUTH, Expr, Function, Var
from ..interpreter.trees import free_variables
from .building import Builder
from .effort import TooHard, at_most
from .grammar import Grammar
from .language import LANGUAGES, Language, Said, fill, forms, grammar_folders
from .lexicon import Lexicon, Names, family
from .phrasing import step_at_end
from .planning import STYLES, Planner, Style, Unsayable
from .reading import Chart, Own, Unread
from .restating import restated
from .rewriting import replaced
from .rules import Tree
from .simplifying import canonical, simple
from .tongue import tongue

if TYPE_CHECKING:
    from ..interpreter.game import Game

__all__ = ["CLAUSES", "VALUES", "Speaker"]

# Operations that are clauses of their own or part of one, and those that are noun phrases.
CLAUSES = frozenset("and or not eq less member within exists every distinct".split())
VALUES = frozenset(
    """const var state table formula word matched cond tally filter image images highest lowest stride reach often
    only count first last reversed rotated after gather join append extend heap without remove add sub mul div
    rem range total largest smallest amount""".split()
)
MAX_MEANING = 400  # parts of a condition whose words are said by what they mean
DEFINED = "word"
CONDITIONS = ("S", "W")  # inside a sentence, and as one

MAX_CHARTS = 12  # grammars that are kept

_charts: dict[Any, tuple[Any, Chart]] = {}  # with the words they were made for, so that their place stays theirs


def chart_for(game: Game, language: Language) -> Chart:
    """The grammar of a game in a language, made once; in English, where a language has none or a broken one."""
    folders = grammar_folders()
    key = (id(game.vocabulary), language.code, folders)
    if key not in _charts:
        while len(_charts) >= MAX_CHARTS:
            del _charts[next(iter(_charts))]
        _charts[key] = (game.vocabulary, _made(game, language, folders))
    return _charts[key][1]


def _made(game: Game, language: Language, folders: tuple[Path, ...]) -> Chart:
    found = tongue(language.code, folders)
    if found is not None:
        try:
            return Chart(Grammar(Lexicon(game, language, found)))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, re.error):
            if language.code in LANGUAGES:
                raise
    english = tongue("en", folders)
    assert english is not None  # it comes along
    return Chart(Grammar(Lexicon(game, Language("en"), english)))


class Speaker:
    """Says conditions of one game in one language."""

    def __init__(self, game: Game, language: Language):
        self.game, self.language = game, language
        self.words = game.vocabulary
        self.names = Names(game, language)
        self.narrator, self.phrases = self.names.narrator, self.names.phrases
        self._cells: dict[Any, str] = {}  # what was said already
        self._own: Own = {}  # how things are called in the cell that is being said

    @cached_property
    def chart(self) -> Chart:
        return chart_for(self.game, self.language)

    @property
    def grammar(self) -> Grammar:
        return self.chart.grammar

    # --- ways in ------------------------------------------------------------------------------------------------------
    def sentence(self, expr: Expr) -> str:
        """The condition as a sentence of its own."""
        try:
            return self.told(expr)
        except TooHard:
            return self.finished(self._unsaid)

    def told(self, expr: Expr) -> str:
        """The same. Raises TooHard where there is too much in it to be said."""
        with at_most():
            return self.finished(self._worded(expr, {}, "W"))

    def finished(self, clause: str) -> str:
        begun = clause[:1].upper() + clause[1:]
        for usual, said in (self.grammar.data.get("begins") or {}).items():
            if begun.startswith(usual):
                begun = said + begun.removeprefix(usual)
        return begun + str(self.grammar.data["end"])

    def cell(self, function: Function, keys: tuple[Any, ...]) -> str:
        """A cell of a table of conditions; `said as` of the table tells how some things are called in it."""
        known = self._cells.get((function.shape, keys))
        if known is None:
            known = self._cells[function.shape, keys] = self._cell(function, keys)
        return known

    def _cell(self, function: Function, keys: tuple[Any, ...]) -> str:
        said_as = self.game.texts.said_as(function)
        if said_as is not None:
            text = self.language.text(said_as.text)
            for atom in said_as.atoms:
                if not (said_as.unless and self.names.column(said_as.unless, atom) in keys):
                    said = partial(_wrapped, text, self.names.named(atom))
                    for case, form in self.grammar.lexicon.in_cases(said).items():
                        for symbol in ("NPc", "NM"):
                            self._own[f"{symbol}.{case}", (f"name:{atom}",)] = form
                        if case == self.grammar.tongue.plain and (owner := self.grammar.lexicon.owner(form)):
                            self._own["OWN", (f"name:{atom}",)] = owner
        try:
            return self.sentence(function.values[keys])
        finally:
            self._own = {}

    def thing(self, atom: int, form: str = "") -> str:
        return self.named(atom)(form)

    def named(self, atom: int) -> Said:
        return self.names.named(atom)

    def clause(self, expr: Expr, env: Mapping[Var, Said], form: str = "") -> str:
        """A condition inside a sentence; `form` is empty, or `not` for its opposite."""
        if form == "not":
            expr = Expr("not", (expr,), TRUTH)
        return self._said(expr, env, "S")

    def value(self, expr: Expr, env: Mapping[Var, Said]) -> Said:
        """A value inside a sentence, in the case that is asked for."""
        if expr.op == "var" and expr.args[0].origin in env:
            return env[expr.args[0].origin]
        if expr.type.kind == "truth":
            return lambda form: self._said(expr, env, "S")
        lexicon, tongue = self.grammar.lexicon, self.grammar.tongue
        symbol = "AMOUNT" if expr.type.kind == "amount" else family(expr.type)

        def said(form: str) -> str:
            case = form if form in lexicon.cases or form in tongue.cases else tongue.plain
            return self._said(expr, env, symbol if symbol == "AMOUNT" else f"{symbol}.{case}")

        return said

    # --- reading ------------------------------------------------------------------------------------------------------
    def read(self, text: str, names: Mapping[str, Var] | None = None) -> list[Expr]:
        """The conditions that a sentence can mean, those that are the same once; none, if it makes no sense.

        `names` are the names of the rules that it may use. Raises TooHard, or Unread where it is no sentence."""
        names = names or {}
        own: Own = {}
        for var in names.values():
            own |= self._forms(var, {})
        end = str(self.grammar.data["end"])
        builder = Builder(self.words, names, self.grammar.called)
        found: dict[str, Expr] = {}
        with at_most():
            for expr in builder.conditions(self._trees(text.strip().removesuffix(end), own)):
                found.setdefault(repr(canonical(self.by_meaning(expr))), expr)
        return list(found.values())

    def _trees(self, text: str, own: Own) -> list[Tree]:
        """The readings of a sentence; if it has none, of the same with the words that its language has for it here."""
        try:
            return self.chart.read(text, "W", own)
        except Unread as mistake:
            usual = self.grammar.usual(text)
            if usual is None:
                raise
            try:
                return self.chart.read(usual, "W", own)
            except Unread:
                raise mistake from None

    def understood(self, text: str, place: Place, names: Mapping[str, Var] | None = None) -> Expr:
        """The one condition that a sentence means. Raises RulesError: nothing, two things, or too much."""
        try:
            found = self.read(text, names)
        except TooHard:
            raise RulesError(problem("sentence_too_hard", place, len(text))) from None
        except Unread as mistake:
            at = next((k for k in range(len(text)) if len(self.grammar.normal(text[: k + 1])) > mistake.at), len(text))
            wanted = tuple(map(Keyword, mistake.wanted))
            raise RulesError(problem("sentence_unread", place.shifted(at), 1, expected=wanted)) from None
        if not found:
            raise RulesError(problem("sentence_makes_no_sense", place, len(text)))
        if len(found) > 1:
            one, other = (self.sentence(expr) for expr in found[:2])
            raise RulesError(problem("sentence_two_ways", place, len(text), one=one, other=other))
        if self.words.bounds is not None:
            self.words.bounds.check(found[0], place, len(text))
        return found[0]

    # --- saying -------------------------------------------------------------------------------------------------------
    @property
    def _unsaid(self) -> str:
        return str(self.grammar.data["say"]["unsaid"])

    def _said(self, expr: Expr, env: Mapping[Var, Said], start: str) -> str:
        try:
            with at_most():
                return self._worded(expr, env, start)
        except TooHard:
            return self._unsaid

    def _worded(self, expr: Expr, env: Mapping[Var, Said], start: str) -> str:
        meant = simple(self.by_meaning(expr))
        own, free = self._free(meant, env)
        wanted = canonical(meant)
        candidates = sorted(self._candidates(meant, start, own), key=lambda pair: (pair[0].bracketed, len(pair[1])))
        for _, words in candidates:
            if self._is_read(words, start, own, free, wanted):
                return words
        if candidates:  # too long to be read again: the brackets of the last style leave no doubt
            return candidates[-1][1]
        return self._unsaid

    def _candidates(self, expr: Expr, start: str, own: Own) -> Iterator[tuple[Style, str]]:
        seen: set[Tree] = set()
        expr = restated(expr, self.grammar)
        for style in STYLES:
            planner = Planner(self.words, self.grammar, style)
            try:
                tree = planner.clause(expr, {}) if start in CONDITIONS else planner.value(expr, {})
            except Unsayable:
                continue
            if tree in seen:
                continue
            seen.add(tree)
            moved = step_at_end(tree) if start == "W" and not style.bracketed else tree
            words = self.grammar.say(moved, start, own) or self.grammar.say(tree, start, own)
            if words is not None:
                yield style, words

    def _is_read(self, words: str, start: str, own: Own, free: dict[str, Var], wanted: Any) -> bool:
        try:
            trees = self.chart.read(words, start, own)
        except (TooHard, Unread):
            return False
        builder = Builder(self.words, free, self.grammar.called)
        try:
            found = builder.conditions(trees) if start in CONDITIONS else builder.values(trees)
            return {repr(canonical(self.by_meaning(x))) for x in found} == {repr(wanted)}
        except TooHard:
            return False

    def _free(self, expr: Expr, env: Mapping[Var, Said]) -> tuple[Own, dict[str, Var]]:
        """The names that nothing in the condition binds, and their forms."""
        own, free = dict(self._own), {}
        for var in free_variables(expr):
            free[var.name] = var
            own |= self._forms(var, env)
        return own, free

    def _forms(self, var: Var, env: Mapping[Var, Said]) -> Own:
        own: Own = {}
        if var.type.kind == "truth":
            holds = self.grammar.tongue.clause(self._holds(var.name))
            for order in ("main", "sub", "inv"):
                for polarity, tail in (("pos", ""), ("neg", ":neg")):
                    template = holds.template(order, polarity)
                    if template:
                        own[f"L.{order}", (f"p:free:{var.name}{tail}",)] = template
            return own
        several = "FREES" if var.origin in env or var.name in self.phrases else "FREEP"
        symbol = {"NUM": "FREEN", "PL": several}.get(family(var.type), "FREE")
        found = env.get(var.origin)
        cases = self.grammar.lexicon.in_cases(found) if found is not None else self._variable(var)
        for case, form in cases.items():
            own[f"{symbol}.{case}", (f"free:{var.name}",)] = form
        if symbol != "FREEN" and (owner := self.grammar.lexicon.owner(cases[self.grammar.tongue.plain])):
            own["OWN", (f"free:{var.name}",)] = owner
        return own

    def _holds(self, name: str) -> str:
        lexicon = self.grammar.lexicon
        text = str(lexicon.tongue.data["generic"]["holds"][0])
        return text.replace("{name}", lexicon.quoted(name.replace("_", " ")))

    def _variable(self, var: Var) -> dict[str, str]:
        """A name of the rules: by its phrase, as the thing of its kind, or as its author wrote it."""
        lexicon, grammar = self.grammar.lexicon, self.grammar
        if var.name in self.phrases and "{" not in self.phrases[var.name][1]:  # else it is that of a kind of thing
            return lexicon.in_cases(forms(self.phrases[var.name][1]))
        kind = var.type.of.name if var.type.many and var.type.of is not None else var.type.name
        noun = lexicon.nouns.get(kind)
        usual = self.words.sets[kind].plural if var.type.many and kind in self.words.sets else kind
        word = lexicon.quoted(var.name.replace("_", " "))
        if noun is None or noun.cls == "x":
            text = str(grammar.data["generic"]["it"]).replace("{name}", word)
            return lexicon.in_cases(lambda form: text)
        status = "all" if var.type.many else "the"
        found = {}
        for case, text in grammar.tongue.articles(status, noun.cls):
            form = grammar._fixed(text, noun, case)
            if form is not None:
                found[case] = form if var.name == usual else f"{form}{grammar.space}{word}"
        plain = found.get(grammar.tongue.plain, word)
        return lexicon.in_cases(lambda form: found.get(form, plain))

    def by_meaning(self, expr: Any) -> Any:
        """Words that have no phrase replaced by what they mean, where that is as true and not too long."""
        found = _meant(expr, self.phrases)
        return found if _size(found) <= MAX_MEANING else expr


def _wrapped(text: str, said: Said, form: str) -> str:
    return fill(text, {"x": said(form)}, whole=False)


def _meant(expr: Any, phrases: Mapping[str, Any]) -> Any:
    if isinstance(expr, tuple):
        return tuple(_meant(x, phrases) for x in expr)
    if not isinstance(expr, Expr):
        return expr
    if expr.op in ("distinct", "often", "image", "images"):  # the function is what is spoken of
        return Expr(expr.op, (expr.args[0], _meant(expr.args[1], phrases), expr.args[2]), expr.type)
    args = tuple(_meant(x, phrases) for x in expr.args)
    if expr.op != DEFINED or expr.args[0].shape in phrases or expr.args[0].body is None:
        return Expr(expr.op, args, expr.type)
    function, inputs = args
    if any(x.type.maybe for x in inputs) or _size(function.body) > MAX_MEANING:
        return Expr(expr.op, args, expr.type)
    body = _fresh(_meant(function.body, phrases), {})
    for var, value in zip(function.variables, inputs):
        body = replaced(body, var, value)
    return Expr(body.op, body.args, body.type)


def _fresh(expr: Any, renamed: dict[Var, Var]) -> Any:
    """With variables of its own: the same word may stand in it twice."""
    if isinstance(expr, Var):
        return renamed.get(expr.origin, expr)
    if isinstance(expr, tuple):
        return tuple(_fresh(x, renamed) for x in expr)
    if not isinstance(expr, Expr):
        return expr
    inner = dict(renamed)
    for arg in expr.args:
        if isinstance(arg, Var) and expr.op not in ("var", "matched"):
            inner[arg.origin] = Var(arg.name, arg.type)
    return Expr(expr.op, tuple(_fresh(x, inner) for x in expr.args), expr.type)


def _size(expr: Any) -> int:
    if isinstance(expr, Expr):
        return 1 + sum(_size(x) for x in expr.args)
    return sum(_size(x) for x in expr) if isinstance(expr, tuple) and len(expr) < 50 else 0
