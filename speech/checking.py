"""What a translation of a game lacks, and what is wrong with it: its grammar, its texts, the words of the game.

English is the measure of what a grammar has; the words are judged by what can be said with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .conditions import chart_for
from .language import N_, Language, grammar_folders
from .tongue import Tongue, tongue

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.idiom import Idiom

__all__ = ["SAID_BY", "defects", "key_defects", "unsaid"]

# By operation, the rows of a grammar with which it is said. An operation of which one is missing cannot be said.
_CALLED = "generic: of, generic: it, generic: holds, det: the, det: all"
SAID_BY: dict[str, str] = {
    "const": "say: nothing, say: none, clauses: always, clauses: never",
    "var": "det: that, det: lab, called, introduce",
    "state": _CALLED,
    "table": _CALLED,
    "formula": _CALLED,
    "word": _CALLED,
    "matched": "say: matched",
    "cond": "say: if, say: if_long, say: if_value",
    "and": "say: top_and, say: both, say: all, relative_and",
    "or": "say: top_or, say: either, say: some, relative_or",
    "not": "say: not, say: not_long",
    "eq": "clauses: eq, clauses: eqn, clauses: eqd, clauses: eqs, clauses: nil, clauses: lacks, clauses: has, say: iff",
    "less": "clauses: lt, clauses: gt, clauses: le, clauses: ge, count: ge, count: le",
    "member": "clauses: in, clauses: oneof, clauses: isa, det: isa, say: enum_or",
    "within": "clauses: within",
    "exists": "det: any, det: no, det: npi, det: other, say: such_any, say: such_no",
    "every": "det: every, det: notevery, say: such_every, say: such_notevery",
    "tally": "say: number, say: such_cnt, count: eq, counted, det: one",
    "filter": "relative, such, among",
    "image": "det: all",
    "images": "det: all",
    "highest": "det: highest, say: having, say: by_highest",
    "lowest": "det: lowest, say: having, say: by_lowest",
    "stride": "say: near, say: near_one",
    "reach": "say: reach",
    "distinct": "clauses: distinct, clauses: alike, det: same, generic: same",
    "often": "say: often",
    "only": "det: only",
    "count": "say: number, say: number_of, say: there",
    "first": "say: first",
    "last": "say: last",
    "reversed": "say: reversed",
    "rotated": "say: rotated",
    "after": "say: after",
    "gather": "say: enum, say: alone",
    "join": "say: join, say: enum",
    "append": "say: append, say: join",
    "extend": "say: append, say: join",
    "heap": "say: join",
    "without": "say: without",
    "remove": "say: without",
    "add": "say: add",
    "sub": "say: sub",
    "mul": "say: mul",
    "div": "say: div",
    "rem": "say: rem",
    "range": "say: range, numeral",
    "total": "say: total",
    "largest": "say: largest, det: highest",
    "smallest": "say: smallest, det: lowest",
    "amount": "say: amount",
}

TOP = (
    *("space", "end", "classes", "cases", "quoted", "verb", "order", "letters", "labels", "element", "numeral"),
    *("counted", "such", "among", "called", "introduce", "relative_and", "relative_or"),
)
TABLES = ("det", "count", "relative", "generic", "clauses", "say")
NEEDED = (
    "any",
    "every",
    "no",
    "notevery",
    "other",
    "noother",
    "npi",
    "the",
    "all",
    "only",
    "that",
    "lab",
    "isa",
    "one",
    "highest",
    "lowest",
)
OPTIONAL = (  # where a language has no other words for it
    *("in_group", "same", "ged", "ltn", "gtn", "apart", "vp_and", "vp_or", "together"),
    *("having_of", "append", "distinct_long", "alike_long", "distinct_sharing_long", "alike_sharing_long"),
    *("distinct_own", "alike_own", "distinct_sharing", "alike_sharing", "distinct_sharing_own", "alike_sharing_own"),
)
Found = Iterator[tuple[str, dict[str, str]]]  # a sentence about a defect, and what is named in it


def defects(game: Game, code: str) -> Found:
    """One sentence for each, with what it names."""
    folders = grammar_folders()
    english, own = tongue("en", folders), tongue(code, folders)
    assert english is not None  # it comes along
    if own is None:
        yield (
            N_("There is no grammar for this language: {file} is missing or cannot be read."),
            {"file": f"locales/{code}/grammar.yaml"},
        )
        return
    wrong = list(_grammar(own, english))
    yield from wrong
    if not wrong:
        yield from _words(game, Language(code))


def key_defects(words: Idiom) -> Found:
    """The same of the words in which rule files are written."""
    for key in words.missing():
        yield N_("Rule files have no word for “{key}” in this language."), {"key": key}
    for word, one, other in words.collisions():
        yield (
            N_("“{word}” would mean two things in rule files: “{one}” and “{other}”."),
            {"word": word, "one": one, "other": other},
        )


def unsaid(code: str) -> dict[str, str]:
    """The operations that a language cannot say, each with the first row that its grammar lacks for it."""
    own = tongue(code, grammar_folders())
    if own is None:
        return {}  # it has none: conditions are said in English, and `texts --check` tells
    found = {}
    for operation, rows in SAID_BY.items():
        lacking = [row for row in rows.split(", ") if not _has(own.data, row)]
        if lacking:
            found[operation] = lacking[0]
    return found


def _has(data: Any, row: str) -> bool:
    for key in row.split(": "):
        if not isinstance(data, Mapping) or key not in data:
            return False
        data = data[key]
    return bool(data)


# --- the grammar ------------------------------------------------------------------------------------------------------
def _grammar(own: Tongue, english: Tongue) -> Found:
    missing = [key for key in (*TOP, *TABLES) if key not in own.data]
    for key in missing:
        yield N_("The grammar has no “{row}”."), {"row": key}
    if missing:
        return
    for table in TABLES:
        for key, text in english.data[table].items():
            if table == "det" and key not in NEEDED:
                continue
            if key not in own.data[table]:
                if key in OPTIONAL:
                    continue
                yield N_("The grammar has no “{row}”."), {"row": f"{table}: {key}"}
            elif table in ("clauses", "say") and _places(own.data[table][key]) != _places(text):
                yield (
                    N_("The places of “{row}” are not those of English: {places}."),
                    {"row": f"{table}: {key}", "places": " ".join(sorted(_places(text))) or "-"},
                )
    for status in NEEDED:
        for cls in own.data["classes"]:
            if status in own.data["det"] and not dict(own.articles(status, cls)):
                yield N_("The grammar has no “{row}”."), {"row": f"det: {status}: {cls}"}


def _places(text: Any) -> set[str]:
    """The numbered places of a row, however it is divided by class, case or number."""
    if isinstance(text, Mapping):
        return set().union(*map(_places, text.values())) if text else set()
    if isinstance(text, list):
        return set().union(*map(_places, text)) if text else set()
    return set(re.findall(r"\{(\d+)(?::\w+)?\}", str(text)))


# --- the words of the game --------------------------------------------------------------------------------------------
def _words(game: Game, language: Language) -> Found:
    grammar = chart_for(game, language).grammar
    lexicon = grammar.lexicon
    for kind, noun in lexicon.nouns.items():
        if noun.cls == "x" and lexicon.words.sets[kind].atoms:
            yield (
                N_("“{word}” has no noun with a class, such as “{example}”."),
                {"word": kind, "example": "… | class: …"},
            )
    for shape, word in lexicon.functions.items():
        head = shape.replace("_", "…")
        if shape not in lexicon.phrases:
            if any(f.result.kind != "amount" for f in lexicon.words.functions[shape]):
                yield N_("“{word}” has no phrase."), {"word": head}
        elif word.clause is not None and word.clause.whole:
            yield N_("The verb of the phrase of “{word}” is not known; name it: “verb: …”."), {"word": head}
        elif word.clause is not None and word.clause.template("main", "neg") is None:
            yield N_("The phrase of “{word}” has no “not”."), {"word": head}
        elif word.noun is not None and word.noun.cls not in grammar.tongue.classes:
            yield (
                N_("“{word}” has no noun with a class, such as “{example}”."),
                {"word": head, "example": "… | class: …"},
            )
    said: dict[str, str] = {}
    for shape, word in lexicon.functions.items():
        if word.noun is not None and word.takes:
            places = re.sub(r"\{(\d)[^}]*\}", r"{\1}", word.complement)
            key = grammar.normal(f"{word.noun.forms['sg']} {places}")
            if key in said:
                yield (
                    N_("“{one}” and “{other}” are said alike."),
                    {"one": said[key].replace("_", "…"), "other": shape.replace("_", "…")},
                )
            said.setdefault(key, shape)
