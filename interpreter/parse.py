"""Text of an expression -> syntax tree. No meanings here: names are looked up in check.py.

Trees are `Syntax` nodes: a kind (the alias in grammar.lark), children (nodes, names, numbers, None) and where the
text begins and ends. They are built while Lark parses, so nothing recurses on the depth of the input.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from . import cache
from .errors import Keyword, Place, Problem, RulesError, did_you_mean, problem
from .files import read_ours
from .keywords import NAME
from .load import Sentence
from .messages import N_

if TYPE_CHECKING:
    from lark import Lark

    from .phrasing import Phrasing

STARTS = ["expression", "binding", "head", "type", "amount"]
MAX_LENGTH = 2_000
MAX_DEPTH = 40
GRAMMAR = Path(__file__).with_name("grammar.lark")
PLAIN_NAME = re.compile(NAME + r"\Z")


class Syntax:
    __slots__ = ("kind", "kids", "start", "end", "depth")

    def __init__(self, kind: str, kids: tuple[Any, ...], start: int, end: int):
        self.kind, self.kids, self.start, self.end = kind, kids, start, end
        self.depth: int = 1 + max([k.depth for k in kids if isinstance(k, Syntax)], default=0)
        if self.depth > MAX_DEPTH:
            raise TooDeep

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join(map(repr, self.kids))})"


class TooDeep(Exception):
    pass


class _SyntaxBuilder:
    """Makes a Syntax node for every alias of the grammar; tokens become plain names and numbers."""

    def __getattr__(self, kind: str) -> Callable[[list[Any]], Syntax]:
        if kind.startswith("_") or kind.isupper():
            raise AttributeError(kind)

        def build(children: list[Any]) -> Syntax:
            kids: list[Any] = []
            kid: Any
            start, end = None, 0
            for child in children:
                if child is None:
                    kids.append(None)
                    continue
                if isinstance(child, Syntax):
                    first, end, kid = child.start, child.end, child
                else:
                    first, end = child.start_pos, child.end_pos
                    kid = int(child) if child.type == "NUMBER" else " ".join(child.split())
                start = first if start is None else start
                kids.append(kid)
            return Syntax(kind, tuple(kids), start or 0, end)

        return build


@lru_cache(maxsize=1)
def expression_parser() -> Lark:
    """The parser of all expressions. To make its tables takes a while, so they are kept in the cache."""
    return _made(read_ours(GRAMMAR), "grammar", {"maybe_placeholders": True}, transformer=_SyntaxBuilder())


@lru_cache(maxsize=16)
def made_parser(grammar: str) -> Lark:
    """A parser that keeps every word of what it reads: for expressions in other languages."""
    return _made(grammar, "words", {"keep_all_tokens": True, "maybe_placeholders": False})


def _made(grammar: str, kind: str, options: dict[str, Any], **more: Any) -> Lark:
    import lark

    key = cache.key_of(kind, lark.__version__, grammar)
    saved = cache.load(key)
    if saved is None:
        try:
            made = lark.Lark(grammar, parser="lalr", start=STARTS, **options)
            saved = made.memo_serialize([lark.lexer.TerminalDef, lark.grammar.Rule])
        except lark.exceptions.GrammarError:  # the order of its words asks for more than the next word
            saved = ()
        cache.store(key, saved)
    if not saved:
        grammar = re.sub(r"\bFURTHER\.4:.*", "", grammar).replace("FURTHER", "(_OR | _AND)")
        return lark.Lark(grammar, parser="earley", lexer="basic", ambiguity="explicit", start=STARTS, **options)
    parser: Lark = lark.Lark._load_from_dict(*saved, **more)  # type: ignore[no-untyped-call]
    return parser


@lru_cache(maxsize=1)
def keywords() -> frozenset[str]:
    """The words that cannot be names, read from the pattern of NAME in the grammar."""
    found = re.search(r"NAME: /\(\?!\(\?:(.*?)\)\\b", read_ours(GRAMMAR))
    assert found is not None  # the grammar comes along
    return frozenset(found[1].replace("an?", "a|an").replace("its?", "it|its").split("|"))


def parse(text: str, start: str, place: Place) -> Syntax:
    """Parse one text; `place` is where it stands in its file, for the message if it cannot be read."""
    if isinstance(text, Sentence) and text.mistake is not None:  # nobody has understood it
        raise RulesError(text.mistake)
    if len(text) > MAX_LENGTH:
        raise RulesError(problem("expression_too_long", place, limit=MAX_LENGTH))
    try:
        return _parse(text, start)
    except TooDeep:
        raise RulesError(problem("expression_too_deep", place, limit=MAX_DEPTH)) from None
    except _Unreadable as mistake:
        raise RulesError(explain(text, start, place, mistake.args[0])) from None


class _Unreadable(Exception):
    pass


@lru_cache(maxsize=4096)
def _parse(text: str, start: str) -> Syntax:
    from lark.exceptions import UnexpectedInput, VisitError

    if start in ("expression", "head", "type") and PLAIN_NAME.match(text) and text not in keywords():
        kind = {"expression": "name", "head": "head_plain", "type": "type_name"}[start]
        return Syntax(kind, (text,), 0, len(text))
    try:
        return cast(Syntax, expression_parser().parse(text, start=start))
    except VisitError as wrapped:
        raise (wrapped.orig_exc if isinstance(wrapped.orig_exc, TooDeep) else wrapped) from None
    except UnexpectedInput as mistake:
        raise _Unreadable(mistake) from None


# --- what went wrong, in words ---------------------------------------------------------------------------------------
INSTEAD = {
    "=": "is",
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    ">": "is more than",
    "<=": "is at most",
    ">=": "is at least",
    "&": "and",
    "&&": "and",
    "|": "or",
    "||": "or",
    "!": "not",
    "+": "plus",
    "-": "minus",
    "*": "times",
    "[": "(",
    "{": "(",
    "]": ")",
    "}": ")",
}
OPPOSITE = {"less than": "at least", "more than": "at most"}
_NOT_COMPARED = re.compile(r"\b(is|are)\s+not\s+(less\s+than|more\s+than)\b")
SHOWN = {
    "NAME": N_("a name"),
    "NUMBER": N_("a number"),
    "PREPOSITION": "with, on, at, by, to, …",
    "TO": "with, on, at, by, to, …",
    "EXTREME": "with the highest, with the lowest",
    "LPAR": "(",
    "RPAR": ")",
    "QUANTIFIER": "any, every, no",
    "COMPARED": "at least, at most, exactly",
}
THE_END = N_("the end")


def explain(text: str, start: str, place: Place, mistake: Any, words: Phrasing | None = None) -> Problem:
    """One helpful problem for Lark's exception: signs of other languages, brackets, a keyword as a name, the end.

    `words` are those of the language in which it is written, if that is another."""
    at = getattr(mistake, "pos_in_stream", None)
    at = len(text) if at is None or at < 0 or at > len(text) else at
    token = getattr(mistake, "token", None)
    if token is not None and token.type == "$END":
        at = len(text)
    here = place.shifted(at)
    opened = []
    for index, letter in enumerate(text):
        if letter == "(":
            opened.append(index)
        elif letter == ")" and (not opened or opened.pop() is None):
            return problem("bracket_not_opened", place.shifted(index))
    if opened:
        return problem("bracket_not_closed", place.shifted(opened[-1]))
    rest = text[at:]
    if pair := re.search(r"\bboth\s+\Z", text[:at]):
        return problem("say_every", place.shifted(pair.start()), len("both"))
    for denied in _NOT_COMPARED.finditer(text) if words is None else ():
        if denied.start() <= at <= denied.end():
            word = f"{denied[1]} {OPPOSITE[' '.join(denied[2].split())]}"
            return problem("sign_not_word", place.shifted(denied.start()), len(denied[0]), sign=denied[0], word=word)
    for sign in sorted(INSTEAD, key=len, reverse=True):
        if rest.startswith(sign):
            word = INSTEAD[sign] if words is None else words.cited(INSTEAD[sign])
            return problem("sign_not_word", here, len(sign), sign=sign, word=word)
    if digits := re.match(r"[0-9]{10,}", rest):
        number = digits[0]
        return problem("number_too_long", here, len(number), number=number, limit=9)
    found_word = re.match(NAME + "|.", rest)
    expected = _expected(mistake, words)
    if at >= len(text):
        return problem("expression_ends_early", here, expected=expected)
    found = found_word.group(0) if found_word else rest[:1]
    if words is not None:
        found = Keyword(found)  # the author's own, whatever it means in the rules language
    if found in (keywords() if words is None else words.reserved):
        return problem("keyword_here", here, len(found), word=found, expected=expected)
    return problem(
        "unexpected_word",
        here,
        len(found),
        word=found,
        expected=expected,
        meant=did_you_mean(found, [e for e in expected if e.isalpha()]) or "",
    )


def _expected(mistake: Any, words: Phrasing | None = None) -> tuple[str, ...]:
    state = getattr(mistake, "interactive_parser", None)
    try:
        names = sorted(state.accepts()) if state is not None else sorted(mistake.expected)
    except Exception:  # the interactive parser is a help, never a cause of failure
        names = sorted(getattr(mistake, "expected", ()) or ())
    names.sort(key=lambda n: n not in SHOWN)  # what is meant most often first
    if words is not None:
        shown = [said for n in names if n != "$END" for said in words.shown(n)]
    else:
        shown = [SHOWN.get(n) or Keyword(n.strip("_").lower().replace("_", " ")) for n in names if n != "$END"]
    if "$END" in names:
        shown.append(THE_END)
    return tuple(dict.fromkeys(shown))
