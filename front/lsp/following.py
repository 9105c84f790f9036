"""What may follow in an expression: what the grammar accepts there, and of the names those that make sense."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

from lark import Lark
from lark.exceptions import UnexpectedEOF, UnexpectedInput

from ...interpreter.check import Checker, Scope
from ...interpreter.errors import Place, RulesError, Source
from ...interpreter.idiom import Idiom
from ...interpreter.model import Function, Param
from ...interpreter.parse import expression_parser
from ...interpreter.phrasing import TERMINALS, Ambiguous, TooHard, Unread
from ...interpreter.vocabulary import Vocabulary

__all__ = ["Follower", "PARTIAL", "followers"]

PARTIAL = re.compile(r"[^\W\d]\w*\Z")
PATIENCE = 0.08  # seconds to try names; those that are left are offered untried
NOUN_FOLLOWS = ("QUANTIFIER", "_ANOTHER", "_A")
NOT_YET = ("expression_ends_early", "bracket_not_closed")  # it goes on


class Follower(tuple):  # (text, kind, rank)
    """A word that may follow: its text, what it is, and how likely it is, 0 first."""

    __slots__ = ()


def followers(
    before: str, start: str, vocabulary: Vocabulary | None, scope: Scope, words: Idiom | None, rules: list[str]
) -> tuple[int, list[Follower]]:
    """The words that may stand at the end of a text, and how many characters of them are there already."""
    found = PARTIAL.search(before)
    partial = found[0] if found else ""
    prefix = before[: len(before) - len(partial)]
    accepted = _accepted(prefix, start, words)
    if accepted is None:
        return len(partial), []
    begun = partial.casefold()
    result = {
        word: Follower((word, "keyword", 1))
        for terminal in accepted
        for word in _said(terminal, words)
        if word.casefold().startswith(begun)
    }
    if "NAME" in accepted and vocabulary is not None:
        trial = _Trial(prefix, start, vocabulary, scope, words)
        one = _last_word(prefix, words) in NOUN_FOLLOWS
        alike = _alike(vocabulary)
        for name, kind, sample in _names(vocabulary, scope, rules):
            if one and kind not in ("kind", "word"):
                continue
            if name.casefold().startswith(begun) and name not in result:
                rank = trial.rank(name, sample, alike.get(name, name))
                if rank is not None:
                    result[name] = Follower((name, kind, rank))
    return len(partial), list(result.values())


def _last_word(prefix: str, words: Idiom | None) -> str:
    """Which terminal the last word before the cursor is."""
    last = prefix.split()[-1:] or [""]
    if words is not None:
        return words.phrasing.terms.get(last[0], "")
    return next((terminal for terminal, said in TERMINALS.items() if last[0] in (*said, "an")), "") if last[0] else ""


def _said(terminal: str, words: Idiom | None) -> list[str]:
    if terminal not in TERMINALS:
        return []
    if words is None:
        return list(TERMINALS[terminal])
    return [said for word in TERMINALS[terminal] for said in words.phrasing.words.get(word, ())]


def _accepted(prefix: str, start: str, words: Idiom | None) -> set[str] | None:
    """The terminals that may come next; None, where what stands there cannot be read."""
    parser = expression_parser() if words is None else words.phrasing.parser
    try:
        if parser.options.parser == "earley":
            return _accepted_somewhere(prefix, start, parser)
        state = parser.parse_interactive(prefix, start=start)
        state.exhaust_lexer()
        return set(state.accepts())
    except Exception:  # a help, never a cause of failure
        return None


def _accepted_somewhere(prefix: str, start: str, parser: Lark) -> set[str] | None:
    """The same where the order of words is free: then only what is unfinished tells what it waits for."""
    try:
        parser.parse(prefix, start=start)
    except UnexpectedEOF as end:
        return set(map(str, end.expected)) or {*TERMINALS, "NAME"}
    except UnexpectedInput:
        return None
    return {*TERMINALS, "NAME"}


def _names(words: Vocabulary, scope: Scope, rules: list[str]) -> Iterator[tuple[str, str, str]]:
    """Names, what they are, and how an expression with them could go on."""
    for name in scope.names:
        if name.isidentifier():
            yield name, "variable", ""
    for head in rules:
        yield head, "rule", ""
    for name in words.options:
        yield name, "option", ""
    for name in words.plurals:
        yield name, "set", ""
    for name in (*words.sets, *words.singulars):
        yield name, "kind", ""
    for name in words.by_name:
        yield name, "thing", ""
    for shape, functions in words.functions.items():
        yield from _of_function(shape, functions[0], words)


def _alike(words: Vocabulary) -> dict[str, str]:
    """For things that nothing tells apart but their names, the set that they are of: one of them is tried for all."""
    found = {name: " " + words.atoms[atoms[0]].set for name, atoms in words.by_name.items() if len(atoms) == 1}
    for shape, (function, *_) in words.functions.items():
        if not shape.startswith("_"):
            kinds = [str(param.type) for param in function.params]
            found.setdefault(shape.partition(" ")[0], f" {function.result} {kinds}")
    return found


def _of_function(shape: str, function: Function, words: Vocabulary) -> Iterator[tuple[str, str, str]]:
    """place of _ -> place of; _ is ahead -> ahead; night -> night."""
    values = iter([_sample(param, words) for param in function.params])
    if shape.startswith("_ is "):
        next(values, "")
        name, blank, rest = shape.removeprefix("_ is ").partition(" ")
        if name != "_" and name not in TERMINALS["PREPOSITION"]:
            yield (
                name,
                "word",
                blank + "".join(next(values, "") if part == "_" else part for part in re.split("(_)", rest)),
            )
        return
    name, of, rest = shape.partition(" ")
    if name and name != "_":
        going_on = " ".join(next(values, "") if part == "_" else part for part in rest.split())
        yield name, "function" if of else "value", " " + going_on if going_on else ""


def _sample(param: Param, words: Vocabulary) -> str:
    kind = param.type.of or param.type
    if kind.kind == "thing" and kind.atoms:
        return words.atoms[min(kind.atoms)].name
    return "1"


class _Trial:
    """Tries a name at the end of an expression: would it make sense?"""

    def __init__(self, prefix: str, start: str, words: Vocabulary, scope: Scope, idiom: Idiom | None):
        self.prefix, self.start, self.scope, self.idiom = prefix, start, scope, idiom
        self.checker = Checker(words)
        self.until = time.monotonic() + PATIENCE
        self.tried: dict[str, int | None] = {}

    def rank(self, name: str, sample: str, like: str) -> int | None:
        if like not in self.tried:
            self.tried[like] = self._rank(name, sample)
        return self.tried[like]

    def _rank(self, name: str, sample: str) -> int | None:
        if time.monotonic() > self.until or self.start != "expression":
            return 2
        said = self.prefix + name
        if self.idiom is not None:
            try:
                said = self.idiom.phrasing.read(said, self.start)[0]
            except Unread:
                return 2
            except (Ambiguous, TooHard):
                return 2
        said += sample
        place = Place(Source("", said), 1, 1)
        try:
            self.checker.expression(said, place, self.scope)
        except RulesError as error:
            return 2 if error.problems[0].code in NOT_YET else None
        except RecursionError:
            return 2
        return 0
