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
import string
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import Any

from .lexicon import Lexicon, Word
from .lexicon import family as family_of
from .tongue import PAUSE, Clause, Noun, Tongue, fields_of

__all__ = ["COMBINED", "EXTREMES", "FORMS_OF_COUNT", "Grammar", "Rule", "Tree", "normal"]

Tree = tuple[Any, ...]  # (function, kids…)
Part = str | tuple[int, str]
Rule = tuple[str, tuple[Part, ...], int]  # function, right side, how many kids

SAME = "="  # a rule that adds nothing to the tree
ELEMENT = "#"  # the noun for what is no kind of thing: a set in a list
NUMERAL = "#number"  # the noun for numbers
EXTREMES = {"highest": "largest", "lowest": "smallest"}  # of things by a number, and of numbers
MINUS = "−"
LEVELS, ITEMS = 5, 8
SHORT = 5  # letters between two commas
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
}
DENIED = ("NP", "any", "gap", "cnt1", "cnt2")  # subjects of a clause that is denied
FORMS_OF_COUNT = ("ge", "le", "eq", "gt", "lt")
# The operations that are clauses, with the families of their arguments; those that have an opposite are not denied.
CLAUSES: dict[str, tuple[str, ...]] = {
    "eq": ("NP", "NP"),
    "eqn": ("NUM", "NUM"),
    "eqd": ("NUM", "DIGITS"),
    "lt": ("NUM", "NUM"),
    "gt": ("NUM", "NUM"),
    "le": ("NUM", "NUM"),
    "ge": ("NUM", "NUM"),
    "ged": ("NUM", "NUM"),
    "ltn": ("NUM", "NUM"),
    "gtn": ("NUM", "NUM"),
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
OPPOSED = ("oneof", "lt", "gt", "ltn", "gtn", "le", "ge", "ged", "always", "never", "lacks", "has", "absent", "present")
UNDER_NOT = {"no": "npo", "noother": "npother"}  # how they are said where the verb is denied
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
GAPPED = {"rel": "REL", "vp": "VP"}  # clauses without their subject, and their symbols
STATUSES = ("any", "anyneg", "other", "noother", "npother", "npi", "every", "no", "notevery")


def _counted_noun(symbol: str, plain: str, key: str, case: str) -> Part:
    return (int(key), f"{symbol}.{case or plain}")


def places(default: str, first: str, others: str = "") -> Callable[[str, str], Part]:
    """Noun phrases of one family, or of two: that of the first place, and that of the others."""

    def place(key: str, case: str) -> Part:
        index = int(key) if key.isdigit() else 0
        return (index, f"{others if index and others else first}.{case or default}")

    return place


def _alike(noun: str, plain: str, key: str, case: str) -> Part:
    return (1, f"SAME.{case or plain}") if key == "1" else (0, noun)


def _claim(symbol: str, key: str, case: str) -> Part:
    return (int(key) + 1, symbol)


def _in_case(family: str, key: str, case: str) -> Part:
    return (0, f"{family}.{key}")


def _joined(end: str, last: str, key: str, kind: str) -> Part:
    return (int(key), end if key == last and not kind else f"L.{kind or 'main'}")


def _numbered(symbol: str, key: str, case: str) -> Part:
    return (int(key), symbol)


def _in_number(symbol: str, key: str, number: str) -> Part:
    return (int(key), symbol.replace(".pl.", f".{number}.") if number else symbol)


def normal(text: str) -> str:
    """As texts are compared: small letters, single spaces, without commas and quotation marks."""
    return re.sub(r"\s+", " ", re.sub(rf"[,、“”„«»\"「」『』{PAUSE}]", "", text.casefold()))


class Grammar:
    def __init__(self, lexicon: Lexicon):
        self.lexicon = lexicon
        self.tongue: Tongue = lexicon.tongue
        self.data = self.tongue.data
        self.space = self.tongue.space
        contracted = (self.data.get("contract") or {}).items()
        begin, end = (r"(?<!\w)", r"(?!\w)") if self.space else ("", "")
        self.shortened = [(re.compile(begin + re.escape(normal(b)) + end), normal(a)) for a, b in contracted]
        self.contracted = [(re.compile(begin + re.escape(a) + end), b) for a, b in contracted]
        for rule in self.data.get("elided") or ():  # before a vowel: de alguna, d'alguna
            before = f"(?={rule['before']})"
            self.contracted.append((re.compile(rf"(?<!\w){re.escape(rule['from'])}{before}"), rule["to"]))
            self.shortened.append((re.compile(rf"(?<!\w){re.escape(rule['to'])}", re.IGNORECASE), rule["from"]))
        self.gapped = tuple(order for order in GAPPED if order in self.data["order"])
        self.rules: dict[str, list[Rule]] = defaultdict(list)  # for reading
        self.sayings: dict[tuple[str, str], list[tuple[tuple[Part, ...], int]]] = defaultdict(list)
        self.words: dict[str, dict[str, list[Tree]]] = defaultdict(dict)  # symbol -> form -> trees
        self.said: dict[tuple[str, Tree], str] = {}
        self.heads: dict[str, Noun] = {}  # what “that …” can take up again
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

    # --- adding -------------------------------------------------------------------------------------------------------
    def add(self, symbol: str, function: str, parts: Iterable[Part], kids: int | None = None) -> None:
        side: list[Part] = []
        for part in parts:
            if part == "":
                continue
            if isinstance(part, str) and side and isinstance(side[-1], str):
                side[-1] += part
            else:
                side.append(part)
        if not side:
            return
        if kids is None:
            kids = 1 + max((part[0] for part in side if not isinstance(part, str)), default=-1)
        self.sayings[symbol, function].append((tuple(side), kids))
        read = tuple(self.normal(part) if isinstance(part, str) else part for part in side)
        self.rules[symbol].append((function, tuple(part for part in read if part != ""), kids))

    def word(self, symbol: str, form: str, tree: Tree) -> None:
        self.said.setdefault((symbol, tree), form)
        if symbol in (f"NPc.{self.tongue.plain}", f"PSc.{self.tongue.plain}") and not tree[0].startswith("no"):
            if owner := self.lexicon.owner(form):
                self.word("OWN", owner, tree)
        known = self.words[symbol].setdefault(self.normal(form), [])
        if tree not in known:
            known.append(tree)

    def normal(self, text: str) -> str:
        """As texts are compared, with words taken apart that the language draws together."""
        said = normal(text)
        for short, whole in self.shortened:
            said = short.sub(whole, said)
        return said

    @staticmethod
    def filled(text: str, place: Callable[[str, str], Part | list[Part]]) -> list[Part]:
        """`von {0:dat}` -> ["von ", (0, "NPc.dat")], with what `place` makes of a key and a case."""
        found: list[Part] = []
        for literal, key, case, _ in string.Formatter().parse(text):
            found.append(literal)
            if key is not None:
                got = place(key, case or "")
                found += got if isinstance(got, list) else [got]
        return found

    def _numbers(self, noun: Noun) -> Iterator[tuple[str, str, str]]:
        """Number, case and form of a noun, once each."""
        for number in self.tongue.numbers:
            for case in self.tongue.cases:
                form = noun(number, case)
                if form is not None:
                    yield number, case, form

    def _fixed(self, text: str, noun: Noun, case: str, label: str = "") -> str | None:
        """A template of a noun phrase around this noun."""
        forms = {key: noun(key, case) for key in ("sg", "pl", "def", "defpl", "dem")}
        wanted = [key for _, key, _, _ in string.Formatter().parse(text) if key]
        if any(forms.get(key) is None and key != "lab" for key in wanted):
            return None
        return text.format(**forms, lab=label)

    # --- names and nouns ----------------------------------------------------------------------------------------------
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
                if all(c in self.tongue.cases for c in re.findall(r"\{pl:(\w+)\}", text)):
                    self.add(f"CNr.{tail}", f"among:{kind}", self.filled(text, open_among))
        for word in lexicon.functions.values():
            if word.noun is not None:
                self.heads[word.shape] = word.noun
        for key, noun in self.heads.items():
            families = self._families(key)
            for case, text in self.tongue.articles("that", noun.cls):
                said = self._fixed(text, noun, case)
                for family in families if said is not None else ():
                    self.word(f"{family}.{case}", str(said), (f"that:{key}",))
            for label in self.data["letters"]:
                for case, text in self.tongue.articles("lab", noun.cls):
                    said = self._fixed(text, noun, case, label)
                    for family in families if said is not None else ():
                        self.word(f"{family}.{case}", str(said), (f"lab:{key}:{label}",))

    def _families(self, head: str) -> tuple[str, ...]:
        """What can be taken up again by this noun."""
        if head in (ELEMENT, NUMERAL):
            return ("NPc", "PSc") if head == ELEMENT else ("NUMc",)
        same = self.lexicon.words.functions.get(head, ())
        kinds = {family_of((f.result.of if f.result.many else None) or f.result) for f in same} or {"NP"}
        return tuple(sorted({"PL": "PSc"}.get(kind, f"{kind}c") for kind in kinds))

    def around(self, noun: Part, complement: list[Part]) -> list[Part]:
        if not any(complement):
            return [noun]
        return [*complement, noun] if self.data.get("complement") == "first" else [noun, self.space, *complement]

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
                        self.add(f"NUMc.{case}", f"{best}:{word.shape}", self.around(said, rest), count)
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
            self.add(f"NUM.{plain}", "number", self.filled(own["number"], lambda *_: (0, f"OWNR.{cls}.pl")))
        for how, text in self.data["count"].items() if "counted" in own else ():
            one = self.filled(text, lambda *_: self.filled(own["one"], several))
            more = self.filled(text, lambda *_: self.filled(own["counted"], several))
            self.add(f"Qcnt1.{plain}", f"q:{how}1", one)
            self.add(f"Qcnt2.{plain}", f"q:{how}", more)

    def _related(self, noun: str, number: str) -> Callable[[str, str], Part]:
        return lambda key, _: (0, noun) if key == "cn" else (1, f"RELS.{number}")

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
            for status in ("the", *EXTREMES) if "NUM" in word.gives else ("the",):
                having = f"with_{status}"
                for case, text in tongue.articles(having if having in self.data["det"] else status, noun.cls):
                    said = self._fixed(text, noun, case)
                    if said is not None:
                        symbol = "MIN" if status == "the" else f"TOP{status}"
                        self.add(f"{symbol}.{case}", f"m:{word.shape}", [said], 0)
                        self.add(f"{symbol}.{case}", f"m:{word.shape}", self.around(said, rest), 1)

    # --- quantified nouns ---------------------------------------------------------------------------------------------
    def _quantified(self) -> None:
        data, tongue = self.data, self.tongue
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
                        for noun in nouns:
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

    def _noun_case(self, case: str) -> str:
        return case if case in self.tongue.cases else self.tongue.data.get("prepositional", self.tongue.plain)

    def _one_noun(self, noun: str, cls: str, case: str) -> Callable[[str, str], Part]:
        return lambda key, own: (0, f"{noun}.{cls}.{key}.{self._noun_case(own or case)}")

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
        if "number_relative" in data["say"]:  # het aantal figuren dat op Rialto staat
            counted = self.filled(data["say"]["number_relative"], self._related(f"CNc.{tail}", "sg"))
            self.add(f"CNq.{tail}", "rel", counted)
        for label in ("", *data["letters"]):
            called = str(data["called"]).replace("{lab}", label) if label else ""

            def place(key: str, _: str, called: str = called) -> Part:
                return (0, f"CNc.{tail}") if key == "cn" else called if key == "lab" else (1, "X.1")

            such = data["such"] if isinstance(data["such"], str) else data["such"][many]
            self.add(f"CNc.{tail}", f"such:{label}", self.filled(such, place))
            if label:
                said = str(data["introduce"]).replace("{lab}", label)
                self.add(f"CNi.{tail}", f"intro:{label}", self.filled(said, lambda *_: (0, f"CNc.{tail}")))

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

    # --- values -------------------------------------------------------------------------------------------------------
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
            self.add(f"PPc.{case}", SAME, self.filled(say["bracket"], lambda *_, c=case: (0, f"PLo.{c}")))
            self.add(f"NUMc.{case}", SAME, self.filled(say["bracket"], lambda *_, c=case: (0, f"NUMo.{c}")))
            for symbol, inner in (("PPc", "PL"), ("NPc", "NP"), ("NUMc", "NUM")):
                place = partial(_numbered, f"{inner}.{case}")
                self.add(f"{symbol}.{case}", "paren", self.filled(say["bracket"], place))
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
                for noun, symbol in (("CNc", "NUMc"), ("CNq" if "number_relative" in say else "CNr", "NUM")):

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
        for key in ("join", "without", "reversed", "rotated", "after"):
            for case, text in tongue.by_case(say[key]):
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

    def _extremes(self, say: dict[str, Any]) -> None:
        """What follows a noun: with the highest stake; within two steps of the harbour."""
        plain = self.tongue.plain
        for status in EXTREMES:
            self.add("BEST", f"top:{status}", self.filled(say["having"], places(plain, f"TOP{status}")))
        for label in ("", *self.data["letters"]):
            called = str(self.data["called"]).replace("{lab}", label) if label else ""
            for status in EXTREMES:
                text = say[f"by_{status}"].replace("{lab}", called)
                self.add("BEST", f"by:{status}:{label}", self.filled(text, places(plain, "NUM")))
            for key, function in (("near", "near"), ("near_one", "near1"), ("reach", "reach")):
                text = say[key].replace("{lab}", called)
                for start, end in product(("NPc", "PLc"), ("NP", "PL")):

                    def place(name: str, case: str, start: str = start, end: str = end) -> Part:
                        if name == "n":
                            return (2, "DIGITS")
                        return (int(name), f"{end if name == '1' else start}.{case or plain}")

                    self.add("WALK", f"{function}:{label}", self.filled(text, place))

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

    # --- clauses ------------------------------------------------------------------------------------------------------
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
            if text:
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
        nouns = {"_own": [f"OWNS.{cls}.pl"], "": [f"CNr.{cls}.pl.{plain}", f"CNc.{cls}.pl.{plain}"]}
        for (ending, symbols), order in product(nouns.items(), ("main", "sub", "inv")):
            if text := rows.get(f"{polarity}_sharing{ending}"):
                text = self.tongue.of_class(text, cls)
                for word in self.lexicon.functions.values():
                    template = self._shares(text, word).template(order) if word.share else ""
                    for symbol in symbols if template else ():
                        parts = self.filled(str(template), partial(_in_number, symbol))
                        self.add(f"L.{order}", f"p:{polarity}:{word.shape}", parts, 1)
            if ending and (text := rows.get(f"{polarity}{ending}")):
                template = self.tongue.clause(text).template(order)
                self.add(
                    f"L.{order}", f"p:{polarity}", self.filled(str(template), partial(_alike, symbols[0], plain)), 2
                )

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
            second = len(families) > 1 and families[1] == "NP" and function != "p:eq" and quantified
            if not opposed and clause.template("main", "neg") is None:
                self._not_so(function, clause, families)
            for positive in (True, False) if not opposed else (True,):
                for subject in subjects:
                    if not positive and quantified and subject not in (*DENIED, "NUM"):
                        continue
                    if subject in ("all", "notall") and subject not in (self.data.get("own") or ()):
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
        no_object = bool(data.get("no_object")) and other in ("no", "noother") and subject in ("NP", "any", "gap")
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
            numbers = ["pl" if subject in ("cnt2", "all", "notall") or subject in (data.get("plural") or ()) else "sg"]
        for number in numbers:
            for order in self.gapped if subject == "gap" else ("main", "sub", "inv"):
                template = clause.template(order, polarity, number)
                if template is None:
                    continue

                def place(key: str, case: str, number: str = number, order: str = order) -> Part:
                    index = int(key)
                    case = case or plain
                    if index == 0 and subject not in ("", "NP", "PL", "NUM", "LACK0", "HAVE0"):
                        denied = polarity == "neg" or no_such or other == "every" or families[0] == "NUM"
                        status = "anyneg" if subject == "any" and denied and not concord else subject
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
                self.add(symbol, name, self.filled(template, place), count)

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

    # --- sentences ----------------------------------------------------------------------------------------------------
    def _sentences(self) -> None:
        data, say = self.data, self.data["say"]
        for number in ("sg", "pl"):
            self.add(f"RELS.{number}", SAME, [(0, f"REL.{number}")])
            for function, key in (("and", "relative_and"), ("or", "relative_or")):
                text = data[key]
                text = text[number] if isinstance(text, dict) else text
                self.add(f"RELS.{number}", function, self.filled(text, partial(_numbered, f"REL.{number}")))

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
        for function in ("and", "or"):
            for count, text in say["top_" + function].items():
                last = str(count - 1)
                self.add("T", function, self.filled(text, partial(_joined, "L.main", last)))
                grouped = re.sub(rf"\{{{last}:\w+\}}", f"{{{last}}}", text)
                self.add("T", function, self.filled(grouped, partial(_joined, "B.main", last)))
                if count == 2:
                    self.add("TG", function, self.filled(grouped, partial(_joined, "B.main", last)))
            if text := say.get(f"sentence_{function}"):  # … is at Rialto. Besides, …
                self.add(
                    "W", function, self.filled(text, lambda key, _: (int(key), "B.colon" if key == "1" else "L.main"))
                )
        self.add("T", SAME, [(0, "X.1")])
        self.add("W", SAME, [(0, "S")])
        for symbol in ("T", *(f"{f}.{self.tongue.plain}" for f in ("NP", "PL", "NUM")), "AMOUNT"):
            self.add("S" if symbol == "T" else "V", SAME, [(0, symbol)])

    def _shared(self, say: dict[str, Any]) -> None:
        """Several things said of one subject: Agent X is at Rialto or has moved."""
        plural = self.data.get("plural") or ()
        subjects = [("NP", "sg"), ("PP", "pl"), ("NUM", "sg"), ("Qcnt1", "sg"), ("Qcnt2", "pl"), ("Qeach", "sg")]
        subjects += [("Qnotall", "pl")]
        several = [s for s in ("any", "every", "no", "notevery") if s not in self.unshared]
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

    # --- saying -------------------------------------------------------------------------------------------------------
    def say(self, tree: Tree, symbol: str = "W", own: dict[tuple[str, Tree], str] | None = None) -> str | None:
        """The words of a tree; `own` are forms that hold only here. None if the rules have no words for it."""
        known: dict[tuple[str, Tree], str | None] = dict(own or {})

        def words(tree: Tree, symbol: str) -> str | None:
            key = (symbol, tree)
            if key in known:
                return known[key]
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
        said = re.sub(r"\s+,", ",", re.sub(r",(\s*,)+", ",", said))
        return re.sub(r",+(?=\s*[.;:)\]”“»]|$)", "", said)

    def _pause(self, before: str, after: str) -> str:
        """A comma, where much stands before it or much follows, and none stands there already."""
        least, begun = self.data["pause"], re.split("[、。：（）]", before)[-1]
        if before[: len(before) - len(begun)].endswith("、") and len(begun) < SHORT:
            return ""
        follows = len(re.split("[、。：]", after)[0])
        long = follows >= least["after"] or (len(begun) >= least["before"] and follows > SHORT)
        return "、" if long else ""
