"""The rules for clauses: of the operations, and of the words of a game, in every order and with every quantity."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import product

from .lexicon import Word
from .noun_rules import STATUSES, WHOLE
from .rules import GAPPED, SAME, Part, Tree
from .tongue import Clause, fields_of
from .value_rules import ValueRules

__all__ = ["COMBINED", "DENIED", "ClauseRules"]

# Which quantified nouns may stand together, subject over object: only where the order of words is the scope.
COMBINED = {
    "all": ("NP", "any", "every", "no", "other", "noother"),  # every and notevery, said in the plural
    "notall": ("NP",),
    "NP": ("NP", "any", "every", "no", "other", "noother"),
    "any": ("NP", "any", "every", "no", "other", "noother"),
    "every": ("NP", "any", "every", "no", "other", "noother"),
    "no": ("NP", "npi"),
    "notevery": ("NP",),
    "cnt1": ("NP", "any", "other"),
    "cnt2": ("NP", "any", "other"),
    "gap": ("NP", "any", "every", "no", "other", "noother"),
    "together": ("NP",),
}
DENIED = ("NP", "any", "gap", "cnt1", "cnt2")  # subjects of a clause that is denied
# The operations that are clauses, with the families of their arguments; those that have an opposite are not denied.
CLAUSES: dict[str, tuple[str, ...]] = {
    "eq": ("NP", "NP"),
    "same": ("NP", "NP"),
    "eqn": ("NUM", "NUM"),
    "eqd": ("NUM", "DIGITS"),
    "lt": ("NUM", "NUM"),
    "gt": ("NUM", "NUM"),
    "le": ("NUM", "NUM"),
    "ge": ("NUM", "NUM"),
    "ged": ("NUM", "NUM"),
    "ltd": ("NUM", "NUM"),
    "ltn": ("NUM", "NUM"),
    "gtn": ("NUM", "NUM"),
    "ltb": ("NUM", "NUM"),
    "gtb": ("NUM", "NUM"),
    "in": ("NP PL NUM", "PL"),
    "oneof": ("NP", "OR"),
    "isa": ("NP NUM", "ISA"),
    "within": ("PL", "PL"),
    "eqs": ("PL", "PL"),
    "nil": ("NP PL NUM",),
    "lacks": ("NP PL", "LACK"),
    "has": ("NP PL", "HAVE"),
    "absent": ("LACK0",),
    "present": ("HAVE0",),
    "always": (),
    "never": (),
}
IDENTIFYING = ("p:isa", "p:eq", "p:oneof", "p:in")  # a member is Blue: that could be said of any member
OPPOSED = (
    *("oneof", "lt", "ltd", "gt", "ltn", "gtn", "ltb", "gtb", "le", "ge", "ged"),
    *("always", "never", "lacks", "has", "absent", "present"),
)
UNDER_NOT = {"no": "npo", "noother": "npother"}  # how they are said where the verb is denied


def _counted_noun(symbol: str, plain: str, key: str, case: str) -> Part:
    return (int(key), f"{symbol}.{case or plain}")


def _alike(noun: str, plain: str, key: str, case: str) -> Part:
    return (1, f"SAME.{case or plain}") if key == "1" else (0, noun)


def _in_case(family: str, key: str, _: str) -> Part:
    return (0, f"{family}.{key}")


def _in_number(symbol: str, key: str, number: str) -> Part:
    return (int(key), symbol.replace(".pl.", f".{number}.") if number else symbol)


class ClauseRules(ValueRules):
    def _clauses(self) -> None:
        numbered = self.lexicon.numbered
        for key, families in CLAUSES.items():
            text = self.data["clauses"].get(key)
            if key == "in" and (
                group := self.data["clauses"].get("in_group")
            ):  # belongs to the team; is one of the players
                one = [set(families[0].split()), {"PSc"}]
                self._clause("p:in", self.tongue.clause(numbered(group, {})), one, False)
                families = (families[0], "PP")
            if isinstance(text, dict):  # derselbe, dieselbe: by the class of the noun
                for row, said in text.items():
                    clause = self.tongue.clause(numbered(said, {}))
                    self._clause(f"p:{key}:{row}", clause, [set(f.split()) for f in families], key in OPPOSED)
            elif text:
                clause = self.tongue.clause(numbered(text, {}))
                self._clause(f"p:{key}", clause, [set(family.split()) for family in families], key in OPPOSED)
        for word in self.lexicon.functions.values():
            if word.clause is not None:
                takes = []
                for index in range(len(word.takes)):
                    kinds = {f.params[index].type.kind for f in self.lexicon.words.functions[word.shape]}
                    many = kinds & {"set", "pile", "list"}
                    takes.append({"NUM"} if "number" in kinds else ({"PL"} if many else set()) | {"NP"})
                self._clause(f"p:{word.shape}", word.clause, takes, False)
            if word.none is not None:
                self._clause(f"p:none:{word.shape}", word.none, word.takes, False)
            if word.member is not None:
                self._clause(f"p:is:{word.shape}", word.member, [{"NP"}, *word.takes], False)
        for polarity, cls in product(("distinct", "alike"), self.tongue.classes):
            self._of_these(polarity, cls)
        for polarity, key in (("distinct", "distinct"), ("alike", "alike")):
            for cls in self.tongue.classes:
                self._sharing(polarity, cls)
                text = self.data["clauses"][key]
                text = self.tongue.of_class(text, cls)
                clause = self.tongue.clause(text)
                for order in ("main", "sub", "inv"):
                    template = clause.template(order, "pos", "pl") or clause.template(order, "pos", "sg")
                    for noun in ("CNr", "CNc") if template else ():

                        def place(k: str, c: str, noun: str = noun, cls: str = cls) -> Part:
                            if k == "1":
                                return (1, f"SAME.{c or self.tongue.plain}")
                            return (0, f"{noun}.{cls}.{c or 'pl'}.{self.data.get('two_case', self.tongue.plain)}")

                        self.add(f"L.{order}", f"p:{polarity}", self.filled(str(template), place), 2)
        for cls in self.tongue.classes:
            self._there(cls)

    def _sharing(self, polarity: str, cls: str) -> None:
        """No two of them are on the same space, where the game has words for it; no two of Red's figures have …"""
        rows, plain = self.data["clauses"], self.tongue.plain
        for kind in (kind for kind, noun in self.lexicon.nouns.items() if noun.cls == cls):
            self.add(f"SEVERAL.{cls}", f"among:{kind}", [(0, f"PLo.{plain}")])
        nouns = {
            "_several": [f"SEVERAL.{cls}"],
            "_own": [f"OWNS.{cls}.pl"],
            "_long": [f"CNl.{cls}.pl.{plain}"],
            "": [f"CNr.{cls}.pl.{plain}", f"CNc.{cls}.pl.{plain}"],
        }
        if polarity == "distinct":
            self.add(f"CNl.{cls}.pl.{plain}", SAME, [(0, f"CNr.{cls}.pl.{plain}")])
        for (ending, symbols), order in product(nouns.items(), ("main", "sub", "inv")):
            if text := rows.get(f"{polarity}_sharing{ending}"):
                text = self.tongue.of_class(text, cls)
                for word in self.lexicon.functions.values():
                    template = self._shares(text, word).template(order) if word.share else ""
                    for symbol in symbols if template else ():
                        parts = self.filled(str(template), partial(_in_number, symbol))
                        self.add(f"L.{order}", f"p:{polarity}:{word.shape}", parts, 1)
            if ending and (text := rows.get(f"{polarity}{ending}")):
                template = self.tongue.clause(self.tongue.of_class(text, cls)).template(order)
                self.add(
                    f"L.{order}", f"p:{polarity}", self.filled(str(template), partial(_alike, symbols[0], plain)), 2
                )

    def _of_these(self, polarity: str, cls: str) -> None:
        """No two of Red, Blue and Green have …, where they are only named."""
        if not (text := self.data["clauses"].get(f"{polarity}_among")):
            return
        clause = self.tongue.clause(self.lexicon.numbered(self.tongue.of_class(text, cls), {}))
        for case in self.tongue.cases:
            for kind in (kind for kind, noun in self.lexicon.nouns.items() if noun.cls == cls):
                self.add(f"THESE.{cls}.{case}", f"among:{kind}", [(0, f"ENNM.{case}")])
        for case, said in self.lexicon.cases.items():
            for symbol in (f"THESE.{cls}", "SAME"):
                if case not in self.tongue.cases and not self.rules.get(f"{symbol}.{case}"):
                    parts = self.filled(said, partial(_in_case, symbol))
                    self.add(f"{symbol}.{case}", SAME, parts)
        for order in ("main", "sub", "inv"):
            template = clause.template(order)

            def place(key: str, case: str) -> Part:
                case = case or self.tongue.plain
                if key == "differing":
                    return (1, f"DIFFERING.{case}")
                return (1, f"SAME.{case}") if key == "1" else (0, f"THESE.{cls}.{case}")

            if template:
                self.add(f"L.{order}", f"p:{polarity}", self.filled(template, place), 2)

    def _shares(self, text: str, word: Word) -> Clause:
        """Where the row has no place for what they do, it stands behind them, and its first word is the verb."""
        if "{share}" in text or "{apart}" in text:
            return self.tongue.clause(text.replace("{share}", word.share).replace("{apart}", word.apart or word.share))
        return self.tongue.clause(f"{text} {word.share} | verb: {word.share.partition(' ')[0]}")

    def _there(self, cls: str) -> None:
        """There are more than three of them; there is none."""
        text = self.data["say"]["there"]
        text = self.tongue.of_class(text, cls)
        one, many = text if isinstance(text, list) else (text, text)
        none = "neg" if self.data.get("concord") or self.data["verb"] == "last" else "pos"
        for said, symbol, polarity in (
            (one, "cnt1", "pos"),
            (many, "cnt2", "pos"),
            (one, "no", none),
            (one, "any", "pos"),
        ):
            clause = self.tongue.clause(said)
            for order in ("main", "sub", "inv"):
                template = clause.template(order, polarity)
                if template:
                    place = partial(_counted_noun, f"QT{cls}{symbol}", self.tongue.plain)
                    self.add(f"L.{order}", "there", self.filled(template, place))

    def _clause(self, function: str, clause: Clause, takes: list[set[str]], opposed: bool) -> None:
        count = len(takes)
        for families in product(*(sorted(families) for families in takes)):
            quantified = clause.leads and bool(families) and (families[0] == "NP" or takes[0] == {"NUM"})
            subjects = [families[0] if s == "NP" else s for s in COMBINED] if quantified else list(families[:1]) or [""]
            alike = function.split(":")[1] in ("eq", "same")
            second = len(families) > 1 and families[1] == "NP" and not alike and quantified
            if not opposed and clause.template("main", "neg") is None:
                self._not_so(function, clause, families)
            for positive in (True, False) if not opposed else (True,):
                for subject in subjects:
                    if not positive and quantified and subject not in (*DENIED, "NUM"):
                        continue
                    if subject in ("all", "notall") and subject not in (self.data.get("own") or ()):
                        continue
                    if subject == "together" and function.removeprefix("p:") not in self.lexicon.functions:
                        continue
                    objects = COMBINED[subject] if second and positive else ("NP",)
                    for other in objects:
                        self._ordered(function, clause, families, subject, other, positive, count)

    def _not_so(self, function: str, clause: Clause, families: tuple[str, ...]) -> None:
        """A sentence without an opposite of its own: it is not true that …"""
        inner = clause.template("sub") or clause.template("main")
        if inner is not None:
            text = str(self.data["say"]["not"]).replace("{0}", inner)
            place = self._plain_place(families)
            self.add("L.main", f"{function}:neg", self.filled(text, place), len(families))

    def _plain_place(self, families: tuple[str, ...]) -> Callable[[str, str], Part]:
        def place(key: str, case: str) -> Part:
            kind = families[int(key)]
            return (int(key), kind if kind in ("ISA", "DIGITS") else f"{kind}.{case or self.tongue.plain}")

        return place

    def _ordered(
        self,
        function: str,
        clause: Clause,
        families: tuple[str, ...],
        subject: str,
        other: str,
        positive: bool,
        count: int,
    ) -> None:
        data, plain = self.data, self.tongue.plain
        so_denied = bool(clause.tail) if data.get("no_object") == "after" else bool(data.get("no_object"))
        no_object = so_denied and other in ("no", "noother") and subject in ("NP", "any", "gap")
        concord = bool(data.get("concord")) and (subject == "no" or other in ("no", "noother"))
        polarity = "part" if subject == "notevery" and data["verb"] == "last" else "pos"
        no_such = not positive and function == "p:isa" and "isa_no" in data["det"]  # is no spot, not: is not a spot
        if (not positive and not no_such) or no_object or concord:
            polarity = "neg"
        if subject == "gap":
            numbers = ["sg", "pl"]
        elif subject == "PL":
            numbers = ["pl", "sg"]
        else:
            several = ("cnt2", "all", "notall", "together", *(data.get("plural") or ()))
            numbers = ["pl" if subject in several else "sg"]
        denied = polarity == "neg" or no_such or other == "every" or families[:1] == ("NUM",)
        for number in numbers:
            for order in self.gapped if subject == "gap" else ("main", "sub", "inv"):
                some = f"{order}_some" if not clause.whole and self._is_there(clause, subject, denied, number) else ""
                template = clause.template(some if some in data["order"] else order, polarity, number)
                if template is None or concord and data["neg"] and not re.search(rf"\b{data['neg']}\b", template):
                    continue  # cap jugador no …: what is denied by another verb says the opposite here

                # “A spot is free” could be said of all of them: at least one is
                law = subject == "any" and not some and (self.at_least or count == 1 or function in IDENTIFYING)

                def place(key: str, case: str, number: str = number, order: str = order, law: bool = law) -> Part:
                    index = int(key)
                    case = case or plain
                    if index == 0 and subject not in ("", "NP", "PL", "NUM", "LACK0", "HAVE0"):
                        status = "anyneg" if subject == "any" and (denied or law) and not concord else subject
                        return (0, f"Q{status}.{case if case != 'wa' else data.get('focus', case)}")
                    leads = clause.subject.startswith(f"{{{key}")
                    if leads and case in ("wa", "niwa") and order != "main":
                        case = str(data.get("focus", case)) if case == "wa" else "ni"
                    elif leads and case == data.get("focus") and order == "main" and polarity == "neg":
                        case = "wa"
                    if index == 0 and subject == "PL":
                        return (0, f"{'PP' if number == 'pl' else 'PSc'}.{case}")
                    if index == 1 and other != "NP":
                        return (1, f"Q{UNDER_NOT[other] if no_object else WHOLE.get(other, other)}.{case}")
                    kind = families[index]
                    if kind == "ISA" and number == "pl" and "isa_pl" in data["det"]:
                        return (index, "ISAP" if not no_such else "NISA")
                    if no_such and kind == "ISA":
                        return (index, "NISA")
                    return (index, kind if kind in ("ISA", "DIGITS") else f"{kind}.{case}")

                symbol = f"{GAPPED[order]}.{number}" if order in GAPPED else f"L.{order}"
                name = function + ("" if positive else ":neg")
                verb, _, rest = template.partition(" ")
                if order == "vp" and rest and verb in (data.get("elide") or ()):
                    self.add(f"VR.{verb}.{number}", name, self.filled(rest, place), count)
                    if positive and polarity == "pos" and other == "NP" and self._is_place(rest):
                        self.add(f"PLACED.{number}", name, self.filled(rest, place), count)
                self.add(symbol, name, self.filled(template, place), count)
                if law and not denied:  # people write it, though
                    written = self.side(self.filled(template, partial(place, law=False)))
                    self.reads(symbol, name, written, count)

    def _is_place(self, rest: str) -> bool:
        """Can it stand behind a noun without its verb: the figures at Rialto?"""
        return bool(re.match(str(self.data.get("placed", "(?!)")), rest))

    @property
    def at_least(self) -> bool:
        """Is “one of them” as a subject taken for exactly one?"""
        return bool(self.data.get("at_least"))

    def _is_there(self, clause: Clause, subject: str, denied: bool, number: str) -> bool:
        """Is it said of something new that it is somewhere? Er staat een figuur op Rialto."""
        verbs = self.data.get("existing") or ()
        return subject == "any" and not denied and clause.finite.get(("pos", number)) in verbs

    def _own_phrases(self) -> None:
        """Sets that the rules have phrases for as they stand: figures of team."""
        for key, (_, text) in self.lexicon.phrases.items():
            head, found, rest = key.partition(" of ")
            if not found or f"{head} of _" not in self.lexicon.functions or rest in self.lexicon.words.sets:
                continue
            if " " in rest or "_" in key.split():
                continue
            some, fields = fields_of(text)
            tree: Tree = (f"cn:{head} of _", (f"free:{rest}",))
            for how, form in {"any": some, **fields}.items():
                status = {"not every": "notevery", "another": "other", "no other": "noother"}.get(how, how)
                if status in STATUSES and f"{how} verb" not in fields:
                    case = "ga" if status == "no" and self.data["verb"] == "last" else self.tongue.plain
                    self.word(f"Q{status}.{case}", form, (f"q:{status}", tree))
