"""The rules by which a language says the conditions of a game, made from its data: one list for saying and for reading.

A rule is (symbol, function, right side); the right side is words and (kid, symbol) pairs. Between typed expressions and
words stand abstract trees, the same for all languages: tuples of a function and its kids. `planning` makes them from
expressions, `building` expressions from them; saying walks the rules from a tree, `reading` is a chart over the rules.

Symbols carry their features behind points: NP.dat, CN.f.pl.nom, L.sub. The families: NP one thing, PL several (PP said
in the plural, PS in the singular), NUM numbers, CN nouns (c closed, r with a relative clause), Q… quantified nouns by
how much of them is meant, QL… the same before “such that”, L clauses, REL clauses without their subject, X, I, J, H, B
ways to put clauses together, S what is said inside a sentence, W a sentence of its own. What ends in c can stand inside
another noun phrase, o needs brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from typing import Any

from .clause_rules import ClauseRules
from .effort import spend
from .lexicon import Lexicon
from .rules import SAME, Part, Tree, numbered
from .tongue import PAUSE

__all__ = ["ITEMS", "MINUS", "Grammar"]

MINUS = "−"
LEVELS, ITEMS = 5, 8
SHORT = 5  # letters between two commas


def _claim(symbol: str, key: str, case: str) -> Part:
    return (int(key) + 1, symbol)


def _in_case(family: str, key: str, case: str) -> Part:
    return (0, f"{family}.{key}")


def _joined(end: str, last: str, key: str, kind: str) -> Part:
    return (int(key), end if key == last and not kind else f"L.{kind or 'main'}")


class Grammar(ClauseRules):
    def __init__(self, lexicon: Lexicon):
        super().__init__(lexicon)
        self._names()
        self._nouns()
        self._functions()
        self._measures()
        self._quantified()
        self._values()
        self._clauses()
        self._sentences()
        self._own_phrases()
        for family in (
            *("MIN", "NPc", "NP", "PLc", "PL", "PSc", "PPc", "NUMc", "NUM", "FREE", "FREES", "FREEN", "FREEP"),
            *(
                "Qeveryone",
                "Qany",
                "Qanyneg",
                "Qevery",
                "Qother",
                "Qcnt1",
                "Qcnt2",
                "QLany",
                "QLevery",
                "QLcnt1",
                "QLcnt2",
            ),
            *(
                ()
                if self.data["verb"] == "last"
                else ("Qno", "Qnpo", "Qnpother", "Qnoother", "Qnpi", "QLno", "QLnotevery")
            ),
        ):
            for case, text in lexicon.cases.items():
                self.add(f"{family}.{case}", SAME, self.filled(text, partial(_in_case, family)))

    def _sentences(self) -> None:
        data, say = self.data, self.data["say"]
        for number in ("sg", "pl"):
            self.add(f"RELS.{number}", SAME, [(0, f"REL.{number}")])
            for function, key in (("and", "relative_and"), ("or", "relative_or")):
                text = data[key]
                text = text[number] if isinstance(text, dict) else text
                self.add(f"RELS.{number}", function, self.filled(text, partial(numbered, f"REL.{number}")))

        if "vp" in self.gapped:
            self._shared(say)

        def clause_in(order: str, other: str = "L.main") -> Callable[[str, str], Part]:
            return lambda key, kind: (int(key), f"L.{kind}" if kind else other)

        for order in ("main", "sub", "colon"):
            for function, key in (("and", "both"), ("or", "either")):
                text = say[key]
                text = (text[order] if order in text else text["main"]) if isinstance(text, dict) else text
                self.add(f"B.{order}", function, self.filled(text, clause_in(order)))
        for level in range(1, LEVELS + 1):
            self._level(level, say)
        for level in range(2, LEVELS + 2):
            inner = min(level, LEVELS)
            lists = [f"J.{level}"] if level <= LEVELS else []
            for symbol in ("L.main", "B.colon", f"H.{inner}", "TG", *lists, "BR"):
                self.add(f"I.{level}", SAME, [(0, symbol)])
        self.add("BR", "bracket", self.filled(say["aside"], lambda *_: (0, "X.1")))
        for symbol in ("L.sub", "B.sub"):
            self.add("LS", SAME, [(0, symbol)])
        for symbol in ("LS", f"H.{LEVELS}", f"J.{LEVELS}", "BR"):
            self.add("XS", SAME, [(0, symbol)])
        self.says("XS", SAME, self.side(self.filled(say["aside"], lambda *_: (0, "X.1"))), 1)  # it is read as BR
        for function in ("and", "or"):
            for count, text in say["top_" + function].items():
                last = str(count - 1)
                self.add("T", function, self.filled(text, partial(_joined, "L.main", last)))
                own = say.get(f"top_{function}_grouped", text) if count == 2 else text
                grouped = re.sub(rf"\{{{last}:\w+\}}", f"{{{last}}}", own)
                self.add("T", function, self.filled(grouped, partial(_joined, "B.main", last)))
                if count == 2:
                    self.add("TG", function, self.filled(grouped, partial(_joined, "B.main", last)))
            if text := say.get(f"sentence_{function}"):  # … is at Rialto. Besides, …
                self.add(
                    "W", function, self.filled(text, lambda key, _: (int(key), "B.colon" if key == "1" else "L.main"))
                )
        self.add("T", SAME, [(0, "X.1")])
        self.add("W", "stepped", [(0, "S"), self.space, (1, "STEP")])
        self.add("W", SAME, [(0, "S")])
        for symbol in ("T", *(f"{f}.{self.tongue.plain}" for f in ("NP", "PL", "NUM")), "AMOUNT"):
            self.add("S" if symbol == "T" else "V", SAME, [(0, symbol)])

    def _shared(self, say: dict[str, Any]) -> None:
        """Several things said of one subject: Agent X is at Rialto or has moved."""
        plural = self.data.get("plural") or ()
        subjects = [("NP", "sg"), ("PP", "pl"), ("NUM", "sg"), ("Qcnt1", "sg"), ("Qcnt2", "pl"), ("Qeach", "sg")]
        subjects += [("Qnotall", "pl")]
        several = [s for s in ("any", "every", "no", "notevery") if s not in self.unshared]
        several = ["anyneg", *several] if self.at_least else several
        subjects += [(f"Q{s}", "pl" if s in plural else "sg") for s in several]
        for function in ("and", "or"):
            for text in say[f"vp_{function}"].values():
                for (subject, number), (symbol, gap) in product(
                    subjects, (("B.main", "VP"), ("B.colon", "VP"), ("B.sub", "REL"))
                ):
                    case = self._topic(subject, symbol)
                    pause = PAUSE if "pause" in self.data and symbol != "B.sub" else ""
                    before: list[Part] = [(0, f"{subject}.{case}"), pause, self.space]
                    for verb in self.data.get("elide") or () if gap == "VP" else ():  # is at Rialto or on space 5
                        claims = self.filled(text, partial(_claim, f"VR.{verb}.{number}"))
                        self.add(symbol, f"vp:{function}", [*before, verb, self.space, *claims])
                    claims = self.filled(text, partial(_claim, f"{gap}.{number}"))
                    self.add(symbol, f"vp:{function}", [*before, *claims])

    def _topic(self, subject: str, symbol: str) -> str:
        """The case of a subject of which several things are said."""
        if "focus" not in self.data:
            return str(self.tongue.plain)
        return str(self.data["focus"]) if subject[0] == "Q" or symbol == "B.sub" else "wa"

    @property
    def unshared(self) -> tuple[str, ...]:
        """How much a subject cannot mean, if several things are said of it: where *no* wants each of them denied."""
        return ("no", "notevery") if self.data["verb"] == "last" else ("no",) if self.data.get("concord") else ()

    def _level(self, level: int, say: dict[str, Any]) -> None:
        for symbol in ("L.main", "B.colon", f"H.{level}", f"J.{level}", "BR"):
            self.add(f"X.{level}", SAME, [(0, symbol)])
        for symbol in ("L.main", "B.colon", f"H.{level}", f"JC.{level}", "BR"):
            self.add(f"XC.{level}", SAME, [(0, symbol)])
        for function, key in (("and", "all"), ("or", "some")):
            for count in range(2, ITEMS + 1):
                parts: list[Part] = []
                for index in range(count):
                    parts += [say["item"] if index else "", self._label(level, index) + self.space]
                    parts.append((index, f"I.{level + 1}"))
                self.add(f"J.{level}", function, [say[key], *parts])
                self.add(f"JC.{level}", function, [say.get(f"{key}_colon", say[key]), *parts])
        for status in ("any", "every", "no", "notevery", "cnt1", "cnt2"):
            text = say.get(f"such_{status}") or say["such_cnt"]

            def such(key: str, case: str, status: str = status) -> Part:
                inner = "X" if status in ("any", "no") else "XC"  # this holds: …
                return (0, f"QL{status}.{case or self.tongue.plain}") if key == "0" else (1, f"{inner}.{level}")

            self.add(f"H.{level}", "such", self.filled(text, such))

        def branch(key: str, kind: str) -> Part:
            return (0, "LS") if key == "0" else (int(key), f"L.{kind or 'main'}")

        self.add(f"H.{level}", "if", self.filled(say["if"], branch))
        self.add(f"H.{level}", "if", self.filled(say["if_long"], lambda key, _: (int(key), f"X.{level}")))
        self.add(f"H.{level}", "iff", self.filled(say["iff"], lambda key, _: (int(key), f"X.{level}")))
        self.add(f"H.{level}", "not", self.filled(say["not"], lambda *_: (0, "LS")))
        self.add(f"H.{level}", "not", self.filled(say["not_long"], lambda *_: (0, f"X.{level}")))

    def _label(self, level: int, index: int) -> str:
        labels = self.data["labels"]
        if level <= len(labels):
            return str(labels[level - 1][index])
        depth = level - len(labels)
        return "[" * depth + str(index + 1) + "]" * depth

    def say(self, tree: Tree, symbol: str = "W", own: dict[tuple[str, Tree], str] | None = None) -> str | None:
        """The words of a tree; `own` are forms that hold only here. None if the rules have no words for it."""
        known: dict[tuple[str, Tree], str | None] = dict(own or {})

        def words(tree: Tree, symbol: str) -> str | None:
            key = (symbol, tree)
            if key in known:
                return known[key]
            spend()
            known[key] = None
            found = self.said.get(key)
            if found is None and symbol == "DIGITS" and tree[0].startswith("num:"):
                found = tree[0][4:].replace("-", MINUS)
            if found is None:
                found = best(self.sayings.get((symbol, tree[0]), ()), tree[1:], len(tree) - 1)
            if found is None:
                found = best(self.sayings.get((symbol, SAME), ()), (tree,), 1)
            known[key] = found
            return found

        def best(sides: Iterable[tuple[tuple[Part, ...], int]], kids: Tree, count: int) -> str | None:
            for side, wanted in sides:
                if wanted == count and (said := row(side, kids)) is not None:
                    return said
            return None

        def row(side: tuple[Part, ...], kids: Tree) -> str | None:
            said = []
            for part in side:
                if isinstance(part, str):
                    said.append(part)
                else:
                    inner = words(kids[part[0]], part[1])
                    if inner is None:
                        return None
                    said.append(inner)
            return "".join(said)

        said = words(tree, symbol)
        return None if said is None else self.polished(said)

    def polished(self, said: str) -> str:
        begun, *others = said.split(PAUSE)
        for other in others:
            begun = begun + self._pause(begun, other) + other
        said = begun
        for whole, short in self.contracted:
            said = whole.sub(short, said)
        said = re.sub(r"\s+,", ",", re.sub(r",(\s*,)+|,(?=\s*\()", lambda found: "," if found[1] else "", said))
        return re.sub(r",+(?=\s*[.;:)\]”“»]|$)", "", said)

    def _pause(self, before: str, after: str) -> str:
        """A comma, where much stands before it or much follows, and none stands there already."""
        least, begun = self.data["pause"], re.split("[、。：（）]", before)[-1]
        if "never" in least and re.search(least["never"], before):
            return ""
        if before[: len(before) - len(begun)].endswith("、") and len(begun) < SHORT:
            return ""
        follows = len(re.split("[、。：]", after)[0])
        long = follows >= least["after"] or (len(begun) >= least["before"] and follows > SHORT)
        return "、" if long else ""
