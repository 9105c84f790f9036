"""The rules for values: numbers, sets, lists, what is chosen and what is reached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

from .noun_rules import NounRules
from .rules import EXTREMES, SAME, Part, numbered, places

__all__ = ["ValueRules"]


class ValueRules(NounRules):
    def _values(self) -> None:
        data, tongue, plain = self.data, self.tongue, self.tongue.plain
        say = data["say"]
        cases = [*tongue.cases, *self.lexicon.cases]
        for case in cases:
            for symbol, kinds in {
                "PLc": ("PPc", "PSc"),
                "PP": ("PLo", "PPc"),
                "PL": ("PP", "PSc"),
                "NP": ("NPc",),
                "NUM": ("NUMo", "NUMc"),
            }.items():
                for kind in kinds:
                    if not (kind.endswith("o") and case not in tongue.cases):
                        self.add(f"{symbol}.{case}", SAME, [(0, f"{kind}.{case}")])
        for case in tongue.cases:
            for symbol, inner, needing in (("PPc", "PL", "PLo"), ("NPc", "NP", ""), ("NUMc", "NUM", "NUMo")):
                self._bracketed(f"{symbol}.{case}", f"{inner}.{case}", f"{needing}.{case}" if needing else "")
            number = (data.get("digits") or {}).get(case)
            self.add(f"NUMc.{case}", SAME, self.filled(number, lambda *_: (0, "DIGITS")) if number else [(0, "DIGITS")])
        for family, symbol in (("NP", "NPc"), ("PL", "PPc"), ("NUM", "NUMc")):
            for case, text in tongue.by_case(say["if_value"]):
                parts = self.filled(text, places(case, family))
                parts = [(0, "XS") if part[:1] == (0,) else part for part in parts]
                self.add(f"{symbol}.{case}", "choice", parts)
        for key in ("first", "last"):
            for case, text in tongue.by_case(say[key]):
                if all(c in tongue.cases for c in re.findall(r":(\w+)\}", text)):
                    self.add(f"NP.{case}", key, self.filled(text, places(plain, "PLo")))
                for symbol in ("NPc", "NUMc", "PSc"):
                    self.add(f"{symbol}.{case}", key, self.filled(text, places(plain, "PLc")))
        for case, text in tongue.by_case(say["matched"]):
            for symbol in ("NPc", "NUMc", "PSc"):
                self.add(f"{symbol}.{case}", "matched", self.filled(text, places(plain, "FREE", "NPc")))
        for case, text in tongue.by_case(say["number"]):
            for cls in tongue.classes:
                for noun, symbol in (("CNc", "NUMc"), ("CNp", "NUM"), ("CNr", "NUM")):

                    def these(key: str, c: str, noun: str = noun, cls: str = cls) -> Part | list[Part]:
                        if key == "all":
                            article = dict(tongue.articles("all", cls)).get(c)
                            return self.filled(article, self._one_noun(noun, cls, c)) if article else ""
                        return (0, f"{noun}.{cls}.{key}.{c or plain}")

                    self.add(f"{symbol}.{case}", "number", self.filled(text, these))
        for case, text in tongue.by_case(say["number_of"]):
            self.add(f"NUMc.{case}", "number", self.filled(text, places(plain, "PSc")))
        for key in ("add", "sub", "mul", "div"):
            for case, text in tongue.by_case(say[key]):
                text = text.replace("{1}", "{1:" + plain + "}")
                symbol = (
                    "NUMo" if text.startswith("{0}") else "NUMc"
                )  # what begins with a noun of its own needs no brackets
                self.add(f"{symbol}.{case}", key, self.filled(text, places(case, "NUMc")))
        for key, family in (("rem", "NUMc"), ("total", "PLc"), ("largest", "PLc"), ("smallest", "PLc")):
            for case, text in tongue.by_case(say[key]):
                self.add(f"NUMc.{case}", key, self.filled(text, places(plain, family)))
        self._extremes(say)
        for key in ("join", "append", "without", "reversed", "rotated", "after"):
            for case, text in tongue.by_case(say[key]) if key in say else ():
                for second in ("NPc",) if key in ("reversed", "rotated", "after") else ("NPc", "PLc", "NUMc"):
                    self.add(f"PLo.{case}", key, self.filled(text, places(case, "PLc", second)))
        for case, text in tongue.by_case(say["often"]):
            for word in self.lexicon.functions.values():
                if word.gives == {"NUM"} and len(word.takes) == 1:
                    head = word.shape.removesuffix(" of _").replace("_", " ")
                    name = (word.noun("sg", plain) if word.noun else None) or self.lexicon.quoted(head)
                    parts = self.filled(text.replace("{fn}", name), places(case, "PLc"))
                    self.add(f"PLo.{case}", f"often:{word.shape}", parts)
        for case, text in tongue.by_case(say["alone"]):
            for family in ("NPc", "NUMc"):
                self.add(f"PPc.{case}", "alone", self.filled(text, places(case, family)))
        self._lists(say)
        for key, text in say["amount"].items():
            self.add("AMOUNT", f"amount:{key}", self.filled(text, lambda k, c: (int(k), f"NUM.{c or plain}")))

    def _bracketed(self, symbol: str, inner: str, needing: str) -> None:
        """Said around what needs them and around what was planned in them; read, they are nothing of their own."""

        def around(inner: str) -> tuple[Part, ...]:
            return self.side(self.filled(self.data["say"]["bracket"], partial(numbered, inner)))

        self.reads(symbol, SAME, around(inner), 1)
        self.says(symbol, "paren", around(inner), 1)
        if needing:
            self.says(symbol, SAME, around(needing), 1)

    def _extremes(self, say: dict[str, Any]) -> None:
        """What follows a noun: with the highest stake; within two steps of the harbour."""
        plain = self.tongue.plain
        for status in EXTREMES:
            self.add("BEST", f"top:{status}", [(0, f"OF{status}")])
            self.add("BEST", f"top:{status}", self.filled(say["having"], places(plain, f"TOP{status}")))
        for label in ("", *self.data["letters"]):
            called = str(self.data["called"]).replace("{lab}", label) if label else ""
            for status in EXTREMES:
                text = say[f"by_{status}"].replace("{lab}", called)
                self.add("BEST", f"by:{status}:{label}", self.filled(text, places(plain, "NUM")))
            for key, function in (("near", "near"), ("near_one", "near1"), ("reach", "reach")):
                for symbol, text in self._ways(say[key]):
                    if not label:
                        self._ends_with_step(symbol, text, function)
                    for start, end in product(("NPc", "PLc"), ("NP", "PL")):

                        def place(name: str, case: str, start: str = start, end: str = end, label: str = label) -> Part:
                            if name == "n":
                                return (3, "DIGITS")
                            if name == "from":
                                return (2, f"FROM{label}.{case or plain}")
                            return (int(name), f"{end if name == '1' else start}.{case or plain}")

                        self.add(symbol, f"{function}:{label}", self.filled(text, place))

    @staticmethod
    def _ways(row: Any) -> Iterator[tuple[str, str]]:
        """What follows the noun, within two steps of …, or what is said of it: it, or they, can be reached from …"""
        if not isinstance(row, dict):
            yield "WALK", str(row)
            return
        for number in ("sg", "pl"):
            yield f"WALKS.{number}", str(row.get(number, row["sg"]))

    def _ends_with_step(self, symbol: str, text: str, function: str) -> None:
        """What a step is, said in brackets: they may stand at the end of the sentence instead."""
        if not (found := re.fullmatch(r"(.*?)\s*([(（][^(（]*\{from.*[)）])(,?)", text)):
            return

        def place(family: str, name: str, case: str) -> Part:
            case = case or self.tongue.plain
            if name == "from":
                return (1, f"FROM.{case}")
            return (1, "DIGITS") if name == "n" else (0, f"{family}.{case}")

        for start in ("NPc", "PLc"):
            self.add(symbol, f"{function}:end", self.filled(found[1] + found[3], partial(place, start)))
        for end in ("NP", "PL"):
            step = self.side(self.filled(found[2], partial(place, end)))
            if (step, 2) not in self.sayings["STEP", "step"]:  # the same in all rows
                self.add("STEP", "step", step)

    def _lists(self, say: dict[str, Any]) -> None:
        comma, last = say["enum"]
        either = say["enum_or"]
        for case in self.tongue.cases:
            for item in ("NM", "NUMc"):
                self.add(f"PPc.{case}", SAME, [(0, f"EN{item}.{case}")])
                self.add(f"EN{item}.{case}", "enum", [(0, f"{item}.{case}"), last, (1, f"{item}.{case}")])
                self.add(f"EN{item}.{case}", "enum", [(0, f"{item}.{case}"), comma, (1, f"EN{item}.{case}")])
            self.add(f"OR.{case}", "enum", [(0, f"NM.{case}"), either, (1, f"NM.{case}")])
            self.add(f"OR.{case}", "enum", [(0, f"NM.{case}"), comma, (1, f"OR.{case}")])
