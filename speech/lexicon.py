"""The words of a game in a language: names, nouns, functions and predicates, from phrases and catalogues.

What has no phrase is said by the words of its head in English, and elsewhere by a construction of the language around
the head as its author wrote it.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..interpreter.model import Function, Type
from .language import Forms, Language, Said, fill, forms
from .narrator import Narrator
from .tongue import Clause, Noun, Tongue, fields_of

if TYPE_CHECKING:
    from ..interpreter.game import Game

__all__ = ["Lexicon", "Names", "Word", "family", "kinds_in", "no_value", "same_values"]

NOUN_FIELDS = ("of", "pl", "class", "def")


def family(kind: Type) -> str:
    """NP: one thing; PL: several; NUM; L: a condition."""
    return {"number": "NUM", "truth": "L", "set": "PL", "pile": "PL", "list": "PL"}.get(kind.kind, "NP")


def same_values(function: Function) -> list[tuple[str, int]] | None:
    """Of a word that means that two values are the same: for each of them its argument, and what function of it."""
    body = function.body
    if body is None or body.op != "eq" or len(function.variables) != 2:
        return None
    found = []
    for side in body.args:
        shape, inner = "", side
        if side.op in ("state", "table") and len(side.args[1]) == 1:
            shape, inner = side.args[0].shape, side.args[1][0]
        places = [i for i, v in enumerate(function.variables) if inner.op == "var" and inner.args[0].origin is v.origin]
        if not places:
            return None
        found.append((shape, places[0]))
    return found if {place for _, place in found} == {0, 1} and any(shape for shape, _ in found) else None


def no_value(function: Function) -> str | None:
    """Of a word that means that its one thing has none of something (`square is empty`): the function that gives it."""
    body = function.body
    if body is None or body.op != "eq" or len(function.variables) != 1 or body.args[1].args[:1] != (None,):
        return None
    side = body.args[0]
    if side.op not in ("state", "table") or len(side.args[1]) != 1 or side.args[1][0].op != "var":
        return None
    return side.args[0].shape if side.args[1][0].args[0].origin is function.variables[0].origin else None


def kinds_in(text: str) -> list[str]:
    """The places of a template, in their order."""
    return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]


@dataclass
class Word:
    """A function of the game: a noun with what follows it, or noun phrases by case, or a clause."""

    shape: str
    gives: set[str]  # families
    takes: list[set[str]]  # families of each argument
    noun: Noun | None = None
    complement: str = ""  # template with {number:case}
    complement_pl: str = ""  # the same behind a plural
    own: str = ""  # the noun with whose it is before it: {0} ~
    share: str = ""  # what those do that have the same of it: are on the same space
    apart: str = ""  # and what those do that have each another one, where that is said otherwise
    phrases: dict[str, str] = field(default_factory=dict)  # by case
    clause: Clause | None = None
    none: Clause | None = None  # what holds where there is none: nobody has bid yet
    member: Clause | None = None  # of a set: what its members do, {0} being one of them: {0} wins together with {1}


class Names:
    """What things are called in conditions."""

    def __init__(self, game: Game, language: Language):
        self.game, self.words, self.language = game, game.vocabulary, language
        self.narrator = Narrator(game, language)
        self.phrases = {key: (phrase.names, language.text(phrase.text)) for key, phrase in game.phrases.items()}

    def named(self, atom: int) -> Said:
        thing = self.words.atoms[atom]
        home = self.words.sets.get(thing.set)
        plain = self.narrator.name(atom)
        if home is not None and home.numbered_by:
            column = self.column(home.numbered_by, atom)
            if column is not None and f"numbered {home.name}" in self.phrases:
                return forms(fill(self.phrases[f"numbered {home.name}"][1], {"number": str(column)}))
        if home is not None and home.name in self.phrases:
            return self.by_kind(atom, home.name, plain)
        return plain

    def by_kind(self, atom: int, kind: str, plain: Said) -> Said:
        """As the phrase of its kind says: with its name, and those of the parts that it is made of."""
        text, parts = self.phrases[kind][1], self.words.atoms[atom].parts
        made_of = zip(self.game.texts.things[kind].parts, map(self.narrator.name, parts)) if parts else ()
        said = forms(fill(text, {"name": plain, **dict(made_of)}, whole=False))
        return said if parts else lambda form: plain(form) if plain(form) != plain("") else said(form)

    def column(self, name: str, atom: int) -> Any:
        for function in self.words.functions.get(f"{name} of _", ()):
            if function.kind == "table" and (atom,) in function.values:
                return function.values[atom,]
        return None


class Lexicon(Names):
    def __init__(self, game: Game, language: Language, tongue: Tongue):
        super().__init__(game, language)
        self.tongue = tongue
        self.particles = sorted(
            ((text.removeprefix("{" + tongue.plain + "}"), case) for case, text in tongue.derive.items()),
            key=lambda pair: -len(pair[0]),
        )
        self.cases = self._cases()
        self.nouns = {name: self._noun(name) for name in self.words.sets}
        self.told_apart = self._told_apart()
        self.functions = {shape: self._word(shape, same) for shape, same in self.words.functions.items()}
        words = [f for shape, same in self.words.functions.items() if shape in self.phrases for f in same]
        alike = [(f, sides) for f in words if (sides := same_values(f)) is not None]
        self.emptiness = {shape: f for f in words if (shape := no_value(f)) is not None}
        self.sameness = sorted(alike, key=lambda pair: -sum(bool(shape) for shape, _ in pair[1]))

    def _cases(self) -> dict[str, str]:
        """How the cases that no noun has by itself are made, those that phrases of the game bring along too."""
        found: dict[str, str] = {}
        for kind in self.words.sets:
            for case, text in fields_of(self.phrases[kind][1])[1].items() if kind in self.phrases else ():
                if case not in self.tongue.cases and "{name}" in text:
                    found[case] = text.replace("{name}", "{" + self.tongue.plain + "}")
        return {**found, **self.tongue.derive}

    # --- names --------------------------------------------------------------------------------------------------------
    def _told_apart(self) -> dict[int, str]:
        """What is said behind names that several things share: the parts they are made of, or what kind they are."""
        shared: dict[str, list[int]] = {}
        for atom, thing in enumerate(self.words.atoms):
            if thing.set in self.words.sets or thing.set in self.words.option_types:
                shared.setdefault(re.sub(r"\W", "", self.named(atom)("").casefold()), []).append(atom)
        found: dict[int, str] = {}
        nouns = {re.sub(r"\W", "", self._kind(kind).casefold()): kind for kind in self.words.sets}
        for said, atoms in shared.items():
            for atom in atoms:
                if said.isdigit():
                    found[atom] = self._kind(self.words.atoms[atom].set)
                if said in nouns and self.words.atoms[atom].set not in (nouns[said], ""):
                    found[atom] = self._kind(self.words.atoms[atom].set)
        for atoms in shared.values():
            plain = [atom for atom in atoms if not self.words.atoms[atom].parts]
            for atom in atoms if len(atoms) > 1 else ():
                thing = self.words.atoms[atom]
                if thing.parts:
                    found[atom] = self._parts_apart(atom, atoms)
                elif len(plain) > 1:
                    found[atom] = self._kind(thing.set)
        return found

    def _parts_apart(self, atom: int, others: list[int]) -> str:
        """Its parts that are not the same for all that are called so; and its kind, where there are several."""
        thing, things = self.words.atoms[atom], [self.words.atoms[other] for other in others]
        several = len({other.set for other in things}) > 1
        differing = [
            part
            for place, part in enumerate(thing.parts)
            if several or any(other.parts[place] != part for other in things)
        ]
        parts = ", ".join(self.narrator.name(part)("list") for part in differing)
        return f"{self._kind(thing.set)}: {parts}" if several else parts

    def _kind(self, name: str) -> str:
        return (self.language.pgettext("things", name) or name.replace("_", " ")).split(" | ")[0]

    def name_forms(self, atom: int) -> dict[str, str]:
        apart = self.told_apart.get(atom)
        said = self.named(atom)
        if apart is None:
            return self.in_cases(said)
        if "apart" in self.tongue.data["say"] and (told := self._set_apart(atom, said)) is not None:
            return told
        behind = str(self.tongue.data["say"]["bracket"]).replace("{0}", apart)
        return self.in_cases(lambda form: said(form) + self.tongue.space + behind)

    def _set_apart(self, atom: int, said: Said) -> dict[str, str] | None:
        """A shared name, as people say it: the code 36, the card “Fat” of green. None if that is not enough."""
        thing, plain, noun = self.words.atoms[atom], said(""), self.nouns.get(self.words.atoms[atom].set)
        same = [a for a in self.told_apart if self.words.atoms[a].set == thing.set and self.named(a)("") == plain]
        differ = [part for i, part in enumerate(thing.parts) if len({self.words.atoms[a].parts[i] for a in same}) > 1]
        if noun is None or noun.cls == "x" or len(differ) > 1 or (len(same) > 1 and not differ):
            return None
        if plain.isdigit() or re.match(r"\W", plain) or not thing.parts:
            label = plain if plain.isdigit() or re.match(r"\W", plain) else self.quoted(said("list"))
            forms_by_case = {
                case: text.format(sg=noun("sg", case), lab=label, **{"def": noun("def", case)})
                for case, text in self.tongue.articles("lab", noun.cls)
            }
            first = forms_by_case[self.tongue.plain]
            named: Said = lambda form: forms_by_case.get(form, first)  # noqa: E731
        else:
            named = said
            nouns = [word.noun.forms["sg"] for word in self.functions.values() if word.noun is not None]
            if any(plain == one or plain.endswith(f" {one}") for one in nouns):
                return None  # it could be the one card that somebody has
        if not differ:
            return self.in_cases(named)
        owner = self.in_cases(self.named(differ[0]))
        text = str(self.tongue.data["say"]["apart"])

        def with_owner(form: str) -> str:
            return re.sub(r"\{part:(\w+)\}", lambda m: owner[m[1]], text).replace("{name}", named(form))

        return self.in_cases(with_owner)

    def in_cases(self, said: Said) -> dict[str, str]:
        """A name in every case of the language: its own form, or one that is made by rule."""
        tongue = self.tongue
        found: dict[str, str] = {}
        rules = tongue.data["names"]
        patterns = {**(rules.get("*") or {})}
        plain = said("")
        for case in [*tongue.cases, *self.cases]:
            own = said(case)
            pattern = patterns.get(case)
            declined = next((r for r in tongue.data.get("declined") or () if _declines(r, case, plain)), None)
            if isinstance(said, Forms) and case in said.own:
                pass  # as the catalogue says, even if it is the plain form
            elif own == plain and declined is not None:
                own = re.sub(declined["match"], declined["by"], plain, count=1)
            elif own == plain and pattern and case != tongue.plain:
                for match, other in (rules.get("before") or {}).items():
                    if re.search(match, plain, re.IGNORECASE):
                        pattern = other.get(case, pattern)
                own = pattern.format(**{tongue.plain: plain, **found})
            elif own == plain and case in self.cases:
                own = self.cases[case].format(**{tongue.plain: plain, **found})
            found[case] = own
        return found

    def owner(self, name: str) -> str:
        """Whose something is: Red's."""
        for rule in self.tongue.data.get("possessive") or ():
            if re.search(rule["match"], name):
                return re.sub(rule["match"], rule["by"], name, count=1)
        return ""

    def quoted(self, text: str) -> str:
        return str(self.tongue.data["quoted"]).replace("{x}", text)

    # --- nouns --------------------------------------------------------------------------------------------------------
    def _noun(self, kind: str) -> Noun:
        home = self.words.sets[kind]
        word, plural = kind.replace("_", " "), home.plural.replace("_", " ")
        found = self.language.pgettext("things", kind)
        if found is not None:
            return self.tongue.noun(found)
        if self.tongue.code == "en":
            return self.tongue.noun(word, plural)
        return self.tongue.foreign(word, plural)

    # --- functions ----------------------------------------------------------------------------------------------------
    def _word(self, shape: str, same: list[Function]) -> Word:
        takes: list[set[str]] = [set() for _ in same[0].params]
        for function in same:
            for families, param in zip(takes, function.params):
                found = family(param.type)
                families |= {"NP", "PL"} if found in ("NP", "PL") else {found}
        word = Word(shape, {family(f.result) for f in same}, takes)
        if shape in self.phrases:
            self._phrased(word, *self.phrases[shape])
        if word.noun is None and not word.phrases and word.clause is None:
            self._unphrased(word)
        return word

    def _phrased(self, word: Word, names: tuple[str, ...], text: str) -> None:
        said, fields = fields_of(text)
        numbers = {name: index for index, name in enumerate(names)}
        if word.gives == {"L"}:
            word.clause = self.tongue.clause(self.numbered(text, numbers))
        elif any(name in fields for name in NOUN_FIELDS):
            word.noun = self.tongue.noun(text)
            word.complement = self.numbered(fields.get("of", ""), numbers)
            word.complement_pl = self.numbered(fields.get("of pl", ""), numbers) or word.complement
            word.own = self.numbered(fields.get("own", ""), numbers)
            word.share, word.apart = fields.get("share", ""), fields.get("apart", "")
            if "is" in fields:
                of_one = {"x": 0} | {name: index + 1 for name, index in numbers.items()}
                word.member = self._claimed(fields, "is", "is not", of_one)
            if "none" in fields:
                word.none = self._claimed(fields, "none", "not none", numbers)
        elif kinds_in(said) or not numbers:
            plain = self.numbered(said, numbers)
            own = {case: self.numbered(form, numbers) for case, form in fields.items()}
            word.phrases = self.in_cases(lambda form: own.get(form, plain) if form else plain)

    def _claimed(self, fields: dict[str, str], key: str, opposite: str, numbers: dict[str, int]) -> Clause:
        text = fields[key] + (f" | not: {fields[opposite]}" if opposite in fields else "")
        return self.tongue.clause(self.numbered(text, numbers))

    def numbered(self, text: str, names: dict[str, int]) -> str:
        """`{piece}が` -> `{0:ga}`: places by number, particles as cases."""
        parts, known = [], {*self.tongue.cases, *self.cases}
        for literal, name, form, _ in string.Formatter().parse(text):
            parts.append(literal)
            if name is not None:  # a case that the language does not have is the plain one
                parts.append("{" + str(names.get(name, name)) + (f":{form}" if form in known else "") + "}")
        said = "".join(parts)
        for particle, case in self.particles if self.tongue.space == "" else ():
            said = re.sub(r"\{(\d+)\}" + re.escape(particle), r"{\1:" + case + "}", said)
        return said

    def _unphrased(self, word: Word) -> None:
        generic = self.tongue.data["generic"]
        shape, count = word.shape, len(word.takes)
        plain = re.sub(r"\s+", " ", shape.replace("_ is ", "").replace(" of _", "").replace("_", "…")).strip(" …")
        label = self.quoted(re.sub(r"(\w)…(\w)", r"\1 \2", plain))
        places = [f"{{{i}}}" for i in range(count)]
        if word.gives == {"L"}:
            if self.tongue.code == "en" and shape.startswith("_ is "):
                filled = _filled(shape.removeprefix("_ is "), places[1:])
                text = f"{{0}} is {filled} | not: {{0}} is not {filled}"
            else:
                text = str(generic["holds"][min(count, 2)]).replace("{name}", label)
                text = self._listed(text, 1, count)
            word.clause = self.tongue.clause(self.numbered(text, {}))
            return
        if self.tongue.code == "en" and self._english(word, places):
            return
        if self.tongue.code == "en":
            said = "the " + _filled(shape, places)
        elif count:
            said = self._listed(str(generic["of"]).replace("{name}", label), 0, count)
        else:
            said = str(generic["it"]).replace("{name}", label)
        said = self.numbered(said, {})
        word.phrases = self.in_cases(lambda form: said)

    def _english(self, word: Word, places: list[str]) -> bool:
        """The head of a function is an English noun, if the rules tell what one of many is called."""
        head, _, rest = word.shape.partition(" ")
        if head == "_":
            return False
        one = head
        if "PL" in word.gives:
            singulars = {many: one for one, many in self.words.singulars.items()}
            singulars |= {things.plural: name for name, things in self.words.sets.items()}
            if head not in singulars:
                return False
            one = singulars[head]
        plural = head.replace("_", " ") if "PL" in word.gives else ""
        word.noun = self.tongue.noun(one.replace("_", " "), plural)
        word.complement = word.complement_pl = self.numbered(_filled(rest, places), {})
        return True

    def _listed(self, text: str, start: int, count: int) -> str:
        """The place with this number followed by all others, in the same case."""
        between = str(self.tongue.data["generic"]["between"])

        def listed(found: re.Match[str]) -> str:
            return between.join(f"{{{i}{found[1] or ''}}}" for i in range(start, count))

        return re.sub(rf"\{{{start}(:\w+)?\}}", listed, text)


def _declines(rule: Mapping[str, str], case: str, name: str) -> bool:
    return case in rule["case"].split() and re.search(rule["match"], name) is not None


def _filled(shape: str, places: list[str]) -> str:
    """A head with its places filled; what joins two words inside a name becomes a space."""
    rest = iter(places)
    words = [next(rest) if word == "_" else word.replace("_", " ") for word in shape.split(" ")]
    return " ".join(words)
