"""The rules for names, nouns, what is said of somebody's things, and quantified nouns."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from functools import cached_property, partial
from itertools import product

from .lexicon import Word
from .lexicon import family as family_of
from .rules import ELEMENT, EXTREMES, NUMERAL, SAME, Part, Rules, places
from .tongue import Noun

__all__ = ["STATUSES", "WHOLE", "NounRules"]

FORMS_OF_COUNT = ("ge", "le", "eq", "gt", "lt")
# What is said of somebody's things, by symbol: the row of `own`, and what it means.
OWNED = {
    "Qany": ("any", "q:any"),
    "Qanyneg": ("anyneg", "q:any"),
    "Qnpi": ("npi", "q:any"),
    "Qnpo": ("npi", "q:no"),
    "Qno": ("no", "q:no"),
    "Qevery": ("every", "q:every"),
    "Qall": ("all", "q:every"),
    "Qeveryone": ("everyone", "q:every"),
    "Qnotevery": ("notevery", "q:notevery"),
    "Qnotall": ("notall", "q:notevery"),
    "Qeach": ("each", "q:every"),
    "Qother": ("other", "q:other"),
}
WHOLE = {"every": "everyone"}  # how it is said where it is no subject
STATUSES = ("any", "anyneg", "other", "noother", "npother", "npi", "every", "no", "notevery")
OTHERS = ("other", "noother", "npother")


def _in_its_place(noun: Part, place: Callable[[str, str], Part], key: str, case: str) -> Part:
    return noun if key == "cn" else place(key, case)


class NounRules(Rules):
    def _names(self) -> None:
        lexicon = self.lexicon
        for atom, thing in enumerate(lexicon.words.atoms):
            if thing.set in lexicon.words.sets or thing.set in lexicon.words.option_types:
                for case, form in lexicon.name_forms(atom).items():
                    for symbol in ("NPc", "NM"):
                        self.word(f"{symbol}.{case}", form, (f"name:{atom}",))
        for key, symbol in (("nothing", "NPc"), ("none", "PPc")):
            for case, form in self.tongue.by_case(self.data["say"][key]):
                self.word(f"{symbol}.{case}", form, (key,))
        for case in self.tongue.cases:
            self.add(f"NPc.{case}", SAME, [(0, f"FREE.{case}")])
            self.add(f"PSc.{case}", SAME, [(0, f"FREES.{case}")])
            self.add(f"NUMc.{case}", SAME, [(0, f"FREEN.{case}")])
            self.add(f"PPc.{case}", SAME, [(0, f"FREEP.{case}")])

    def _nouns(self) -> None:
        lexicon = self.lexicon
        others = {ELEMENT: self.tongue.noun(self.data["element"]), NUMERAL: self.tongue.noun(self.data["numeral"])}
        among, open_among = (places(self.tongue.plain, family) for family in ("PLc", "PLo"))
        for kind, noun in {**lexicon.nouns, **others}.items():
            self.heads[kind] = noun
            for number, case, form in self._numbers(noun):
                tail = f"{noun.cls}.{number}.{case}"
                if kind == NUMERAL:
                    self.word(f"KNN.{tail}", form, (f"kind:{kind}",))
                else:
                    self.word(f"KN.{tail}", form, (f"kind:{kind}",))
                text = str(self.data["among"]).replace("{n}", form)
                self.add(f"CNc.{tail}", f"among:{kind}", self.filled(text, among))
                for family, before in self._before_nouns.items() if number == "sg" else ():
                    text = str(self.data["among"]).replace("{n}", before + form)
                    self.add(f"{family}.{tail}", f"among:{kind}", self.filled(text, among))
                if all(c in self.tongue.cases for c in re.findall(r"\{pl:(\w+)\}", text)):
                    text = str(self.data.get("among_open", self.data["among"])).replace("{n}", form)
                    self.add(f"CNr.{tail}", f"among:{kind}", self.filled(text, open_among))
        for word in lexicon.functions.values():
            if word.noun is not None:
                self.heads[word.shape] = word.noun
        first: dict[tuple[str, str], str] = {}
        for key, noun in self.heads.items():
            head = self.called[key] = first.setdefault((noun.forms["sg"], noun.cls), key)
            families = self._families(key)
            for case, text in self.tongue.articles("that", noun.cls):
                said = self._fixed(text, noun, case)
                for family in families if said is not None else ():
                    self.word(f"{family}.{case}", str(said), (f"that:{head}",))
            if key in lexicon.nouns:
                self._indefinite(key, noun)
            for label in self.data["letters"]:
                for case, text in self.tongue.articles("lab", noun.cls):
                    said = self._fixed(text, noun, case, label)
                    for family in families if said is not None else ():
                        self.word(f"{family}.{case}", str(said), (f"lab:{head}:{label}",))

    def _indefinite(self, kind: str, noun: Noun) -> None:
        """From where a step leads: from a place; from place P, where it is called so."""
        for case, text in self.tongue.articles("from" if "from" in self.data["det"] else "any", noun.cls):
            if (said := self._fixed(text, noun, case)) is not None:
                self.word(f"FROM.{case}", said, (f"from:{kind}",))
        for label, (case, text) in product(self.data["letters"], self.tongue.articles("lab", noun.cls)):
            if (said := self._fixed(text, noun, case, label)) is not None:
                self.word(f"FROM{label}.{case}", said, (f"from:{kind}",))

    def _families(self, head: str) -> tuple[str, ...]:
        """What can be taken up again by this noun."""
        if head in (ELEMENT, NUMERAL):
            return ("NPc", "PSc") if head == ELEMENT else ("NUMc",)
        same = self.lexicon.words.functions.get(head, ())
        kinds = {family_of((f.result.of if f.result.many else None) or f.result) for f in same} or {"NP"}
        return tuple(sorted({"PL": "PSc"}.get(kind, f"{kind}c") for kind in kinds))

    def _functions(self) -> None:
        for word in self.lexicon.functions.values():
            if word.clause is None:
                for families in product(*(sorted(families) for families in word.takes)):
                    self._function(word, families)

    def _function(self, word: Word, families: tuple[str, ...]) -> None:
        tongue, function, count = self.tongue, f"fn:{word.shape}", len(families)

        def place(key: str, case: str) -> Part:
            return (int(key), f"{families[int(key)]}c.{case or tongue.plain}")

        if count == 1:
            name = self.lexicon.quoted(word.shape.removesuffix(" of _").replace("_", " "))
            for case, text in tongue.by_case(self.data["generic"]["same"]):
                self.word(f"SAME.{case}", text.replace("{name}", name), (f"head:{word.shape}",))
        many = "PL" in word.gives or "PL" in families
        single = word.gives & {"NP", "NUM"}
        if word.noun is None:
            for case, text in word.phrases.items():
                parts = self.filled(text, place)
                for symbol in [*(f"{f}c" for f in sorted(single)), *(["PSc"] if many else [])]:
                    self.add(f"{symbol}.{case}", function, parts, count)
            return
        rest = self.filled(word.complement, place)
        noun = word.noun
        if word.own and self.data.get("own"):
            self._owned(word, families, single)
        if many:
            of_several = self.filled(word.complement_pl, place)
            for number, case, form in self._numbers(noun):
                around = self.around(form, of_several if number.endswith("pl") else rest)
                self.add(f"CNc.{noun.cls}.{number}.{case}", f"cn:{word.shape}", around, count)
                for family, before in self._before_nouns.items() if number == "sg" else ():
                    around = self.around(before + form, rest)
                    self.add(f"{family}.{noun.cls}.{number}.{case}", f"cn:{word.shape}", around, count)
                if number == "pl" and self._is_clause(word.complement_pl):
                    self.add(f"CNl.{noun.cls}.{number}.{case}", f"cn:{word.shape}", around, count)
        if single and not self.belongs(word):  # there is no true card of Red for the mission
            for number, case, form in self._numbers(noun):
                self.add(f"CNn.{noun.cls}.{number}.{case}", f"one:{word.shape}", self.around(form, rest), count)
        for family in sorted(single):
            for case, text in tongue.articles("the", noun.cls):
                forms = {key: noun(key, case) for key in ("sg", "def")}
                if any(forms.get(k) is None for _, k, _, _ in string.Formatter().parse(text) if k):
                    continue
                phrase: list[Part] = []
                for literal, key, _, _ in string.Formatter().parse(text):
                    phrase += [literal, *(self.around(str(forms[key]), rest) if key else [])]
                self.add(f"{family}c.{case}", function, phrase, count)
        if "NUM" in single and "PL" in families:
            for status, best in EXTREMES.items():  # the highest stake of the players
                for case, text in tongue.articles(status, noun.cls):
                    said = self._fixed(text, noun, case)
                    if said is not None:
                        among = self._among(said) if count == 1 and self.belongs(word) else []
                        if among:  # the highest score of Red and Blue
                            named = self.filled(word.complement, places(tongue.plain, "ENNM"))
                            self.add(f"NUMc.{case}", f"{best}:{word.shape}", self.around(said, named), count)
                        self.add(f"NUMc.{case}", f"{best}:{word.shape}", among or self.around(said, rest), count)
        if single and count < 2:
            for status, symbol in (("no", "LACK"), ("isa", "HAVE")) if not count or self.belongs(word) else ():
                own = (self.data.get("owned") or {}).get(symbol)
                own = tongue.of_class(own, noun.cls) if own else None
                for case, text in tongue.by_case(own) if own else tongue.articles(status, noun.cls):
                    said = self._fixed(text, noun, case)
                    if said is not None:
                        self.word(f"{symbol}{'' if count else 0}.{case}", said, (f"noun:{word.shape}",))
            for case, text in tongue.articles("same", noun.cls):
                said = self._fixed(text, noun, case)
                if said is not None:
                    self.word(f"SAME.{case}", said, (f"noun:{word.shape}",))
            for case, text in tongue.articles("differing", noun.cls) if "differing" in self.data["det"] else ():
                if (said := self._fixed(text, noun, case)) is not None:
                    self.word(f"DIFFERING.{case}", said, (f"noun:{word.shape}",))

    def _among(self, said: str) -> list[Part]:
        """The highest score among the players."""
        text = str(self.data.get("best_of", ""))
        return self.filled(text, lambda key, case: said if key == "best" else (0, f"PLc.{case or self.tongue.plain}"))

    def _is_clause(self, complement: str) -> bool:
        """Players who win if Red is wrong: what belongs to the noun is a relative clause."""
        text = self.data["relative"]["pl"]
        text = next(iter(text.values())) if isinstance(text, dict) else text
        begun = str(text).partition("{rel}")[0].partition("{cn}")[2].strip()
        known = (begun, *(self.data.get("relative_also") or ()))
        return bool(begun) and complement.strip().startswith(tuple(word + self.space for word in known))

    def belongs(self, word: Word) -> bool:
        """Has a thing what the word gives of it? Rialto has no colour, but there is no disc on a square."""
        return len(word.takes) == 1 and bool(re.fullmatch(str(self.data.get("belongs", ".*")), word.complement))

    def _owned(self, word: Word, families: tuple[str, ...], single: set[str]) -> None:
        """Red's figures, Red's score: said with whose it is before the noun, where the owner is called by his name."""
        noun, own, plain = word.noun, self.data["own"], self.tongue.plain
        assert noun is not None
        before, _, behind = word.own.partition("~")
        owner = int(re.search(r"\d+", word.own)[0])  # type: ignore[index]

        def place(key: str, case: str) -> Part:
            return (int(key), "OWN" if int(key) == owner else f"{families[int(key)]}c.{case or plain}")

        if families[owner] not in ("NP", "PL"):
            return
        for number in ("sg", "pl"):
            form = noun(number, plain)
            parts = [*self.filled(before, place), str(form), *self.filled(behind, place)]
            if number == "pl":
                self.add(f"ON.{noun.cls}", f"cn:{word.shape}", parts, len(families))
            elif "the" in own and families[owner] == "NP":
                for family in sorted(single):
                    self.add(f"{family}c.{plain}", f"fn:{word.shape}", parts, len(families))

    def _owned_several(self, cls: str) -> None:
        """One of Red's figures, all of them, none of them, at least two of them; those that are real, too."""
        own, plain = self.data.get("own"), self.tongue.plain
        if not own:
            return
        own = {key: self.tongue.of_class(text, cls) for key, text in own.items()}
        for number in ("sg", "pl"):
            self.add(f"OWNS.{cls}.{number}", SAME, [(0, f"ON.{cls}")])
            text = self.data["relative"][number]
            text = (text.get(cls) or text.get("*") or text[self.data["x_as"]]) if isinstance(text, dict) else text
            place = self._related(f"ON.{cls}", number)
            self.add(f"OWNR.{cls}.{number}", "rel", self.filled(text, place))
            self.add(f"OWNS.{cls}.{number}", SAME, [(0, f"OWNR.{cls}.{number}")])
        self.add(f"OWNP.{cls}", "rel", [(0, f"ON.{cls}"), self.space, (1, "PLACED.pl")])

        def several(key: str, _: str) -> Part:
            return (1, "DIGITS") if key == "n" else (0, f"OWNS.{cls}.{key}")

        for symbol, (key, function) in OWNED.items():
            if key in own:
                self.add(f"{symbol}.{plain}", function, self.filled(own[key], several))
        if "isa" in own:
            self.add("ISA", SAME, self.filled(own["isa"], several))
        if "several" in own:
            self.add(f"PPc.{plain}", "def", self.filled(own["several"], lambda *_: (0, f"ON.{cls}")))
            self.add(f"PP.{plain}", "def", self.filled(own["several"], lambda *_: (0, f"OWNR.{cls}.pl")))
        if "number" in own:
            self.add(f"NUMc.{plain}", "number", self.filled(own["number"], lambda *_: (0, f"ON.{cls}")))
            for symbol in (f"OWNP.{cls}", f"OWNR.{cls}.pl"):
                self.add(f"NUM.{plain}", "number", self.filled(own["number"], lambda *_, s=symbol: (0, s)))
        for how, text in self.data["count"].items() if "counted" in own else ():
            one = self.filled(text, lambda *_: self.filled(own["one"], several))
            more = self.filled(text, lambda *_: self.filled(own["counted"], several))
            self.add(f"Qcnt1.{plain}", f"q:{how}1", one)
            self.add(f"Qcnt2.{plain}", f"q:{how}", more)

    def _measures(self) -> None:
        """What things are compared by, said without them: the highest rank (of the card), in each case."""
        tongue, of_it = self.tongue, self.data["generic"]["of"]
        for word in self.lexicon.functions.values():
            if len(word.takes) != 1 or word.clause is not None or not word.gives & {"NP", "NUM"}:
                continue
            name = self.lexicon.quoted(word.shape.removesuffix(" of _").replace("_", " "))
            noun = word.noun or Noun("x", {form: name for form in ("sg", "pl", "def", "defpl", "dem")})
            complement = (
                word.complement if word.noun is not None else self.lexicon.numbered(of_it.replace("{name}", ""), {})
            )
            rest = self.filled(complement.strip(), places(tongue.plain, "MIN"))
            if word.noun is not None and (bare := noun("sg", tongue.plain)) is not None:
                self.word("MB", bare, (f"m:{word.shape}",))
            for status in ("the", *EXTREMES) if "NUM" in word.gives else ("the",):
                having = f"with_{status}"
                for case, text in tongue.articles(having if having in self.data["det"] else status, noun.cls):
                    said = self._fixed(text, noun, case)
                    if said is not None:
                        symbol = "MIN" if status == "the" else f"TOP{status}"
                        self.add(f"{symbol}.{case}", f"m:{word.shape}", [said], 0)
                        self.add(f"{symbol}.{case}", f"m:{word.shape}", self.around(said, rest), 1)
                        if status != "the" and case == tongue.plain:
                            self._measured(status, said, f"m:{word.shape}")

    def _measured(self, status: str, said: str, function: str) -> None:
        """Whose place has the highest number, instead of: with the highest number of the place."""
        if text := self.data["say"].get("having_of"):

            def place(key: str, _: str) -> Part:
                return said if key == "top" else (0, "MB") if key == "bare" else (0, f"MIN.{self.tongue.plain}")

            self.add(f"OF{status}", function, self.filled(text, place), 1)

    def _quantified(self) -> None:
        data, tongue = self.data, self.tongue
        for count, text in (data["say"].get("together") or {}).items():  # square d2 and square g2 are free
            parts = self.filled(text, places(tongue.plain, "NM"))
            self.add(f"Qtogether.{data.get('focus', tongue.plain)}", "q:together", parts, count)
        for cls in tongue.classes:
            self._owned_several(cls)
            for number in tongue.numbers:
                for case in tongue.cases:
                    self._noun_phrases(cls, number, case)
            for status in STATUSES:
                symbols: list[tuple[str, tuple[str, ...], str]] = [(f"Q{status}", ("CN",), status)]
                if status == "every" and "each" in data["det"]:
                    symbols.append(("Qeach", ("CN",), "each"))
                if status in WHOLE:
                    symbols.append(
                        (f"Q{WHOLE[status]}", ("CN",), WHOLE[status] if WHOLE[status] in data["det"] else status)
                    )
                if status == "npi" and data.get("no_object"):
                    symbols.append(("Qnpo", ("CN",), "npo" if "npo" in data["det"] else status))
                introduced = f"{status}_st" if f"{status}_st" in data["det"] else status
                symbols.append((f"QL{status}", ("CNc", "CNr", "CNi"), introduced))
                for symbol, nouns, table in symbols:
                    function = {
                        "npi": "q:no" if symbol == "Qnpo" else "q:any",
                        "anyneg": "q:any",
                        "npother": "q:noother",
                    }.get(status)
                    for case, text in tongue.articles(table, cls):
                        own = self._before(text) if status in OTHERS else ""
                        if own:
                            text = text.removeprefix(self._before_nouns[own])
                        for noun in (own,) if own else nouns:
                            parts = self.filled(text, self._one_noun(noun, cls, case))
                            self.add(f"{symbol}.{case}", function or f"q:{status}", parts)
            for case, text in tongue.articles("all", cls):
                for noun, symbol in (("CNc", "PPc"), ("CNr", "PP")):
                    place = self._one_noun(noun, cls, case)
                    self.add(f"{symbol}.{case}", "def", self.filled(text, place))
            for case, text in tongue.articles("only", cls):
                for noun, symbol in (("CNc", "NPc"), ("CNr", "NP"), ("CNc", "NUMc"), ("CNc", "PSc")):
                    self.add(f"{symbol}.{case}", "only", self.filled(text, self._one_noun(noun, cls, case)))
            for status in ("first", "last"):
                for case, text in tongue.articles(status, cls):
                    for noun, symbol in (("CNc", "NPc"), ("CNr", "NP"), ("CNc", "NUMc"), ("CNc", "PSc")):
                        self.add(f"{symbol}.{case}", status, self.filled(text, self._one_noun(noun, cls, case)))
            self._counted_from(cls)
            for status, symbol in (("isa", "ISA"), ("isa_no", "NISA"), ("isa_pl", "ISAP")):
                for case, text in tongue.articles(status, cls):
                    if case == tongue.plain:
                        self.add(symbol, SAME, self.filled(text, self._one_noun("CN", cls, case)))
            for case, text in tongue.articles("none" if "none" in data["det"] else "no", cls):
                text = text.replace("{ctr}", (data.get("counters") or {}).get(cls, ""))
                for noun in ("CN", "CNn"):
                    self.add(f"QT{cls}no.{case}", "q:no", self.filled(text, self._one_noun(noun, cls, case)))
            for case, text in tongue.articles("some" if "some" in data["det"] else "any", cls):
                self.add(f"QT{cls}any.{case}", "q:any", self.filled(text, self._one_noun("CNn", cls, case)))
            self._counted(cls)

    def _counted_from(self, cls: str) -> None:
        """The first player after blue."""
        for status, ways in (self.data.get("counted_from") or {}).items():
            own = f"{status}_from"
            for case, article in self.tongue.articles(own if own in self.data["det"] else status, cls):
                for way, text in ways.items():

                    def place(key: str, c: str, case: str = case) -> Part:
                        if key == "1":
                            return (1, f"NPc.{c or self.tongue.plain}")
                        return (0, f"CNc.{cls}.{key}.{self._noun_case(c or case)}")

                    parts = self.filled(text.replace("{cn}", article), place)
                    for symbol in ("NPc", "NUMc", "PSc"):
                        self.add(f"{symbol}.{case}", f"{status}:{way}", parts)

    def _noun_phrases(self, cls: str, number: str, case: str) -> None:
        data, tail = self.data, f"{cls}.{number}.{case}"
        many = "pl" if number.endswith("pl") else "sg"
        for family in ("CNr", "CNc"):
            self.add(f"CN.{tail}", SAME, [(0, f"{family}.{tail}")])
        self.add(f"CNc.{tail}", SAME, [(0, f"KN.{tail}")])
        self.add(f"CNc.{tail}", "best", self.around((0, f"CNc.{tail}"), [(1, "BEST")]))
        self.add(f"CNc.{tail}", "walk", self.around((0, f"KN.{tail}"), [(1, "WALK")]))
        numbers = self.filled(data["say"]["range"], lambda key, c: (int(key) + 1, f"NUMc.{c or self.tongue.plain}"))
        self.add(f"CNc.{tail}", "span", self.around((0, f"KNN.{tail}"), numbers))
        for key, said in (data.get("modified") or {}).items():  # the players, beginning with blue
            for other in ("NPc", "PLc", "NUMc") if key == "without" else ("NPc",):
                self.add(f"CNc.{tail}", f"mod:{key}", self.filled(said, self._modified(tail, other)))
        text = data["relative"][many]
        text = (text.get(cls) or text.get("*") or text[data.get("x_as", "")]) if isinstance(text, dict) else text
        self.add(f"CNr.{tail}", "rel", self.filled(text, self._related(f"CNc.{tail}", many)))
        if number == "sg":
            self._other_nouns(tail, many, text)
        reached: dict[str, Part] = {"cn": (0, f"KN.{tail}"), "rel": (1, f"WALKS.{many}")}
        self.add(f"CNc.{tail}", "walk", self.filled(text, lambda key, _: reached[key]))
        self.add(f"CNp.{tail}", "rel", [(0, f"CNc.{tail}"), self.space, (1, f"PLACED.{many}")])
        for label in ("", *data["letters"]):
            called = str(data["called"]).replace("{lab}", label) if label else ""

            def place(key: str, _: str, called: str = called) -> Part:
                return (0, f"CNc.{tail}") if key == "cn" else called if key == "lab" else (1, "X.1")

            such = data["such"] if isinstance(data["such"], str) else data["such"][many]
            self.add(f"CNc.{tail}", f"such:{label}", self.filled(such, place))
            for family in self._before_nouns if number == "sg" else ():
                own = partial(_in_its_place, (0, f"{family}.{tail}"), place)
                self.add(f"{family}.{tail}", f"such:{label}", self.filled(such, own))
            if label:
                said = str(data["introduce"]).replace("{lab}", label)
                self.add(f"CNi.{tail}", f"intro:{label}", self.filled(said, lambda *_: (0, f"CNc.{tail}")))

    @cached_property
    def _before_nouns(self) -> dict[str, str]:
        """Families of nouns with “other” at the noun itself, where what belongs to the noun comes first: the team's
        other figure. Before all of that it would be said of the first noun: the figure of the other team."""
        if self.data.get("complement") != "first":
            return {}
        texts = [
            text
            for s in OTHERS
            for cls in self.tongue.classes
            for _, text in self.tongue.articles(s, cls)
            if s in self.data["det"]
        ]
        words = dict.fromkeys(text.partition("{")[0] for text in texts)
        return {f"CN{before}": before for before in words if before}

    def _before(self, text: str) -> str:
        """The family of nouns with the word with which an article begins."""
        return next((family for family, word in self._before_nouns.items() if text.startswith(word)), "")

    def _other_nouns(self, tail: str, many: str, relative: str) -> None:
        for family, before in self._before_nouns.items():
            own = f"{family}.{tail}"
            self.add(own, SAME, [before, (0, f"KN.{tail}")])
            self.add(own, "best", self.around((0, own), [(1, "BEST")]))
            self.add(own, "walk", self.around((0, own), [(1, "WALK")]))
            self.add(own, "rel", self.filled(relative, self._related(own, many)))
            for key, said in (self.data.get("modified") or {}).items():
                for other in ("NPc", "PLc", "NUMc") if key == "without" else ("NPc",):
                    place = partial(_in_its_place, (0, own), self._modified(tail, other))
                    self.add(own, f"mod:{key}", self.filled(said, place))

    def _modified(self, tail: str, other: str) -> Callable[[str, str], Part]:
        return lambda key, case: (0, f"CNc.{tail}") if key == "cn" else (1, f"{other}.{case or self.tongue.plain}")

    def _counted(self, cls: str) -> None:
        data, tongue = self.data, self.tongue
        one = dict(tongue.articles("one", cls))
        counter = (data.get("counters") or {}).get(cls, "")
        for how in FORMS_OF_COUNT:
            for case in one:
                noun_case = self._noun_case(case)
                for symbol, nouns in (("Q", ("CN",)), ("QL", ("CNc", "CNr", "CNi")), (f"QT{cls}", ("CN",))):
                    text = data.get("there_count" if symbol.startswith("QT") else "count", data["count"]).get(how)
                    if text is None:
                        continue
                    for noun in nouns:

                        def place(key: str, _: str, noun: str = noun, nc: str = noun_case) -> Part:
                            if key == "n":
                                return (1, "DIGITS")
                            return counter if key == "ctr" else (0, f"{noun}.{cls}.{key}.{nc}")

                        if isinstance(text, dict):
                            first, more = self.filled(text["one"], place), self.filled(text["more"], place)
                        else:
                            first = self.filled(text, lambda *_, c=case, p=place: self.filled(one[c], p))
                            more = self.filled(text, lambda *_, p=place: self.filled(data["counted"], p))
                        number = (data.get("numbered") or {}).get(how, "sg")
                        self.add(f"{symbol}cnt{1 if number == 'sg' else 2}.{case}", f"q:{how}1", first)
                        self.add(f"{symbol}cnt2.{case}", f"q:{how}", more)
