"""A language as data: `grammar.yaml` beside its catalogue. Nouns and sentences of phrases are taken apart here.

A text may carry forms behind bars. A noun is `Figur | class: f | pl: Figuren`; what a language forms by rule (plurals,
cases, definite forms) stands under `defaults`. A sentence is `{0} steht auf Feld 5 | not: {0} steht nicht auf Feld 5`:
its verb, its negation and the rest are found by comparing the two, so that other orders of words can be made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ..interpreter.files import read_ours

__all__ = ["Clause", "Noun", "Tongue", "fields_of", "tongue"]

GRAMMAR = "grammar.yaml"
PAUSE = "\u2063"  # behind a subject: a comma, if what stands before it is long


def fields_of(text: str) -> tuple[str, dict[str, str]]:
    """The plain text, and its forms by name."""
    plain, *others = text.split(" | ")
    return plain, dict(other.split(": ", 1) for other in others if ": " in other)


@dataclass(frozen=True)
class Noun:
    cls: str
    forms: Mapping[str, str]  # by number (sg, pl, def, defpl), or number and case

    def __call__(self, number: str, case: str) -> str | None:
        return self.forms.get(f"{number} {case}") or self.forms.get(number)


@dataclass(frozen=True)
class Clause:
    """A sentence with places for its arguments, so that it can stand in any order: templates with {number:case}."""

    orders: Mapping[str, str]
    space: str
    subject: str
    finite: Mapping[tuple[str, str], str]  # by polarity (pos, neg, part) and number (sg, pl)
    negation: str = ""
    rest: str = ""
    denied: str = ""  # the rest, with the negation where it belongs
    contrary: str = ""  # the rest behind a verb that only denies: does not match
    of_many: str = ""  # the rest, said of several, where it is another
    whole: Mapping[str, str] = field(default_factory=dict)  # by polarity: a sentence that cannot be taken apart
    opposite: str = ""  # a sentence that denies it in a way of its own
    pause: str = ""  # behind the subject of a main clause
    tail: str = ""  # what stands behind a verb at the end: … weniger gesetzt hat als der Gegner
    cluster: Mapping[str, str] = field(default_factory=dict)  # what stands behind such a verb: gekozen kan worden

    def template(self, order: str, polarity: str = "pos", number: str = "sg") -> str | None:
        if self.whole:
            return self.whole.get(polarity) if order == "main" and number == "sg" else None
        finite = self.finite.get((polarity, number))
        if finite is None:
            return self.opposite or None if (polarity, order, number) == ("neg", "main", "sg") else None
        negative = polarity != "pos"
        parts = {
            "S": "" if order == "rel" else self.subject + self.pause * (order == "main"),
            "F": finite,
            "N": self.negation if negative else "",
            "C": self.contrary or self.rest if negative else self.rest,
            "R": self.denied if negative else self.rest,
        }
        if number == "pl" and self.of_many:
            if negative and "R" in self.orders[order].split():
                return None
            parts["C"] = parts["R"] = self.of_many
        order_of = self.orders[order].split()
        if order_of[-2:] == ["R", "F"] and (ends := re.search(self.cluster.get(finite, "(?!)"), parts["R"])):
            parts["F"] = f"{finite}{self.space}{ends[0]}"
            parts["R"] = parts["R"][: ends.start()].strip()
        words = [*(parts.get(part, part) for part in order_of), self.tail]
        return self.space.join(word for word in words if word)

    @property
    def leads(self) -> bool:
        """Does its first argument come first, as the subject?"""
        return not self.whole and bool(re.fullmatch(r"\{0(:(nom|b|ga|wa|niwa))?\}", self.subject))


class Tongue:
    def __init__(self, code: str, data: Mapping[str, Any]):
        self.code, self.data = code, data
        self.normal: dict[str, str] = {}  # texts of its rules, as they are compared
        self.space: str = data["space"]
        self.cases: list[str] = data["cases"]
        self.derive: dict[str, str] = data.get("derive") or {}
        self.classes: list[str] = [*data["classes"], *(data.get("subclasses") or {}), "x"]
        self.plain = self.cases[0]
        self.numbers: list[str] = data.get("numbers") or ["sg", "pl", "def", "defpl"]  # the forms of nouns

    # --- nouns --------------------------------------------------------------------------------------------------------
    def noun(self, text: str, plural: str = "") -> Noun:
        word, fields = fields_of(text)
        forms = {"sg": word}
        if plural:
            forms["pl"] = plural
        for name, form in fields.items():
            key = {"def pl": "defpl"}.get(name, name)
            if key in self.cases:
                key = f"sg {key}"
            if key.split(" ")[0] in ("sg", "pl", "def", "defpl", "dem"):
                forms[key] = form
        cls = fields.get("class") or self._class_of(word, fields.get("any", ""))
        for rule in self.data.get("defaults") or ():
            known = forms.get(rule["from"])
            if rule["form"] not in forms and known and cls in rule["class"] and re.search(rule["match"], known):
                forms[rule["form"]] = re.sub(rule["match"], rule["by"], known, count=1)
        for number, like in (("pl", "sg"), ("def", "sg"), ("defpl", "pl"), ("dem", "def")):
            forms.setdefault(number, forms[like])
        for name, sub in (self.data.get("subclasses") or {}).items():
            if cls == sub["of"] and re.search(sub["match"], word, re.IGNORECASE):
                cls = name
        return Noun(cls, forms)

    def _class_of(self, word: str, some: str) -> str:
        """By the article, if one is given; otherwise the class that nouns have by themselves."""
        for cls in self.data["classes"] if some else ():
            row = self.data["det"]["any"].get(cls) or self.data["det"]["any"].get("*") or {}
            article = row.get(self.plain) or row.get("*")
            if article and article.replace("{sg}", word) == some:
                return str(cls)
        return str(self.data.get("usual", "x"))

    def foreign(self, word: str, plural: str) -> Noun:
        """A noun that the language does not know: as its author wrote it, in quotation marks."""
        quoted = self.data["quoted"]
        one, many = quoted.replace("{x}", word), quoted.replace("{x}", plural)
        return Noun("x", {"sg": one, "pl": many, "def": one, "defpl": many, "dem": one})

    # --- sentences ----------------------------------------------------------------------------------------------------
    def clause(self, text: str) -> Clause:
        """Of a text whose places are numbered already."""
        said, fields = fields_of(text)
        denied, part = fields.get("not"), fields.get("part")
        orders = self.data["order"]
        if self.data["verb"] == "last":
            return self._ends_with_verb(said, denied, part, orders)
        found = self._verb(said, fields.get("verb", ""))
        if found is None:
            whole = {"pos": said} | ({"neg": denied} if denied else {})
            return Clause(orders, self.space, "", {}, whole=whole)
        subject, one, many, rest = found
        tail = fields.get("after", "")
        if tail and rest.endswith(tail):
            rest, denied = rest.removesuffix(tail).strip(), denied and denied.removesuffix(tail).strip()
        else:
            tail = ""
        finite = {("pos", "sg"): one}
        if many:
            finite["pos", "pl"] = many
        negation = str(self.data["neg"])
        inside = self._denied(subject, one, rest, denied, negation) if denied else None
        contrary = ""
        if denied and inside is None and (helped := self._helped(subject, denied, negation)) is not None:
            finite["neg", "sg"], finite["neg", "pl"], contrary = helped
        if denied and inside is None and not contrary:
            contrary = self._contrary(subject, one, rest, denied, negation)
        if inside is not None or (contrary and ("neg", "sg") not in finite):
            finite |= {("neg", number): verb for (_, number), verb in list(finite.items())}
        of_many = fields.get("pl", "").removeprefix(f"{subject} {many} ") if many and "pl" in fields else ""
        clustered = self.data.get("cluster") or {}
        opposite = f"{denied} {tail}".strip() if denied and inside is None and not contrary else ""
        return Clause(
            *(orders, self.space, subject, finite, negation, rest, inside or rest, contrary, of_many),
            opposite=opposite,
            tail=tail,
            cluster=dict.fromkeys(clustered.get("verbs", ()), str(clustered.get("match", ""))),
        )

    def _helped(self, subject: str, denied: str, negation: str) -> tuple[str, str, str] | None:
        """Where another verb denies (does not match): that verb, of one and of several, and the rest."""
        verbs = self.data.get("verbs") or {}
        found = re.fullmatch(rf"{re.escape(subject)} (\S+) {re.escape(negation)} (.+)", denied)
        if found is None or found[1] not in verbs or "F N C" not in self.data["order"]["main"]:
            return None
        return found[1], str(verbs[found[1]]), found[2]

    def _contrary(self, subject: str, verb: str, rest: str, denied: str, negation: str) -> str:
        """The rest behind a verb that is denied, where it is another: no té cap parella, not: no té una parella."""
        *before, last = self.data["order"]["main"].split()
        parts = {"S": subject, "F": verb, "N": negation}
        begun = self.space.join(parts.get(letter, "") for letter in before) + self.space
        if last != "C" or not denied.startswith(begun):
            return ""
        other = denied.removeprefix(begun)
        return other if _places(other) == _places(rest) else ""

    def _verb(self, said: str, verb: str) -> tuple[str, str, str, str] | None:
        """Subject, verb (of one, of several) and the rest; the verb is the word behind the first place, or named."""
        if verb:
            one, _, many = verb.partition("/")
            found = re.search(rf"(?<!\w){re.escape(one)}(?!\w)", said)  # not the end of another word: this is
            return (said[: found.start()].strip(), one, many, said[found.end() :].strip()) if found else None
        begins = re.match(r"(\{0(?::\w+)?\}) (\S+)(?: (.*))?$", said)
        if begins is None or "{" in begins[2]:
            return None
        subject, one, rest = begins[1], begins[2], begins[3] or ""
        verbs = self.data.get("verbs") or {}
        return (subject, one, str(verbs.get(one, "")), rest) if one in verbs else None

    def _denied(self, subject: str, verb: str, rest: str, denied: str, negation: str) -> str | None:
        """The rest as it is denied; None if the text denies it in a way of its own."""
        words = self.space.join
        for letters in self.data["order"]["main"].split(), ["S", "F", "R"]:
            if "R" in letters:
                start = words(filter(None, [subject, verb])) + self.space
                if denied.startswith(start) or denied == start.strip():
                    inside = denied[len(start) :].strip()
                    moves = "R" in self.data["order"]["main"]  # schon befragt, noch nicht befragt
                    if _without(inside, negation) == rest or (moves and _places(inside) == _places(rest)):
                        return inside
            else:
                parts = {"S": subject, "F": verb, "N": negation, "C": rest}
                if words(filter(None, (parts[letter] for letter in letters))) == denied:
                    return rest
        return None

    def _ends_with_verb(self, said: str, denied: str | None, part: str | None, orders: Mapping[str, str]) -> Clause:
        begins = re.match(r"(\{0(?::\w+)?\}|\{\d+:wa\})(.*)$", said)
        subject, tail = (begins[1], begins[2]) if begins else ("", said)
        if denied is None or not denied.startswith(subject):
            return Clause(orders, self.space, "", {}, whole={"pos": said})
        other = denied[len(subject) :]
        same = 0
        while same < min(len(tail), len(other)) and tail[same] == other[same] and tail[same] != "}":
            same += 1
        same = max(same, tail.rfind("}", 0, same) + 1, tail.rfind("}") + 1)
        rest, yes, no = tail[:same], tail[same:], other[same:]
        if not other.startswith(rest):
            return Clause(orders, self.space, "", {}, whole={"pos": said, "neg": denied})
        partly = part[len(subject) + same :] if part and part.startswith(subject + rest) else ""
        forms = {"pos": yes, "neg": no, "part": partly or str(self.data["partly"]).replace("{x}", yes)}
        finite = {(polarity, number): form for polarity, form in forms.items() for number in ("sg", "pl")}
        pause = PAUSE if "pause" in self.data and re.search(r":(ga|wa|niwa)\}$", subject) else ""
        return Clause(orders, self.space, subject, finite, "", rest, rest, pause=pause)

    # --- noun phrases -------------------------------------------------------------------------------------------------
    def articles(self, status: str, cls: str) -> Iterator[tuple[str, str]]:
        """By case: the template of a noun phrase of this status."""
        table = self.data["det"].get(status) or {}
        row = table.get(cls) or table.get("*") or (table.get(self.data["x_as"]) if cls == "x" else None)
        within = (self.data.get("subclasses") or {}).get(cls)
        row = row or (table.get(within["of"]) if within else None) or {}
        for case in [*self.cases, *(self.derive if "*" not in row else ())]:
            text = row.get(case) or row.get("*")
            if text:
                yield case, text

    def of_class(self, entry: Any, cls: str) -> Any:
        """An entry that may differ by the class of a noun."""
        return entry[self.row_of_class(entry, cls)] if isinstance(entry, Mapping) else entry

    def row_of_class(self, entry: Mapping[str, Any], cls: str) -> str:
        parent = ((self.data.get("subclasses") or {}).get(cls) or {}).get("of")
        return next((row for row in (cls, parent) if row is not None and entry.get(row)), "*")

    def by_case(self, entry: str | Mapping[str, str]) -> Iterator[tuple[str, str]]:
        row = {"*": entry} if isinstance(entry, str) else entry
        for case in self.cases:
            text = row.get(case) or row.get("*")
            if text:
                yield case, text


def _places(text: str) -> list[str]:
    return sorted(re.findall(r"\{.*?\}", text))


def _without(text: str, word: str) -> str:
    return re.sub(rf"(^| ){re.escape(word)}(?= |$)", "", text, count=1).strip()


@cache
def tongue(code: str, folders: tuple[Path, ...]) -> Tongue | None:
    """The grammar of a language, from the first of the folders that has one."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for folder in folders:
        path = folder / code / GRAMMAR
        if path.is_file():
            try:
                return Tongue(code, yaml.load(read_ours(path), Loader=loader))  # noqa: S506
            except (yaml.YAMLError, OSError, ValueError, KeyError, TypeError):
                return None  # a grammar from outside; `tabarro texts --check` tells
    return None
