"""Expressions in the words of another language, and back: word for word the same expression, in the same brackets.

The rules of grammar.lark hold for all languages. A language has other words for its terminals and, where it puts them
in another order, forms for some of the rules. What is read becomes the text of the rules language again, which knows of
each of its words where it was written; so a mistake that is found later points at the author's own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from .errors import Keyword, Place
from .files import read_ours
from .keywords import NAME, as_one
from .load import TextPlace, place_in
from .parse import GRAMMAR, MAX_LENGTH, SHOWN, keywords, made_parser

if TYPE_CHECKING:
    from lark import Lark

__all__ = [
    *("ENGLISH", "TERMINALS", "THE", "Ambiguous", "Phrasing", "Piece", "SaidPlace", "TooHard", "Unphrased", "Unread"),
    "joined",
]

# terminal -> how it is written in the rules language, the usual way first
TERMINALS: dict[str, tuple[str, ...]] = {
    "_IF": ("if",),
    "_THEN": ("then",),
    "_ELSE": ("else",),
    "_WHERE": ("where",),
    "_OR": ("or",),
    "_AND": ("and",),
    "_NOT": ("not",),
    "_SUCH_THAT": ("such that",),
    "_NO_TWO": ("no two",),
    "_SHARE": ("share a",),
    "_IS": ("is", "are"),
    "_IN": ("in",),
    "_WITHIN": ("within",),
    "_A": ("a",),
    "_ANOTHER": ("another",),
    "_CALLED": ("called",),
    "_OF": ("of",),
    "_PLUS": ("plus",),
    "_MINUS": ("minus",),
    "_TIMES": ("times",),
    "_WITHOUT": ("without",),
    "_DIVIDED_BY": ("divided by",),
    "_STARTING_WITH": ("starting with",),
    "_AFTER": ("after",),
    "_AS_OFTEN_AS": ("as often as",),
    "_ITS": ("its",),
    "IT": ("it",),
    "_COUNT_OF": ("count of",),
    "_FIRST_OF": ("first of",),
    "_LAST_OF": ("last of",),
    "_SUM_OF": ("sum of",),
    "_LARGEST_OF": ("largest of",),
    "_SMALLEST_OF": ("smallest of",),
    "_REMAINDER_OF": ("remainder of",),
    "_REVERSED": ("reversed",),
    "_ONLY": ("the only", "only"),
    "NOTHING": ("nothing",),
    "NONE": ("none", "nobody"),
    "_SET_OF": ("set of",),
    "_LIST_OF": ("list of",),
    "_PILE_OF": ("pile of",),
    "_STEPS_OF": ("steps of",),
    "_ANY_NUMBER_OF": ("any number of",),
    "_ANY_NUMBER": ("any number",),
    "QUANTIFIER": ("any", "every", "no"),
    "COMPARED": ("at least", "at most", "exactly", "more than", "less than"),
    "EXTREME": ("with the highest", "with the lowest"),
    "TO": ("to",),
    "PREPOSITION": tuple(
        "with on at near under behind against along by from for about through over beside inside between as".split()
    ),
}
ENGLISH = frozenset(word for words in TERMINALS.values() for word in words)
THE = "the"
_FURTHER = ("or", "and")  # before a preposition
_QUOTES = "‹›"  # around a name that would be taken for a word of the language
_ATOMS = frozenset({"number", "name", "numbered", "nothing", "none", "it", "atom", "shadow"})
_APOSTROPHES = "'’"
_WORD = re.compile(r"\w+|[^\w\s]")
MAX_WORDS = 90  # of an expression that is read with all that could follow: about half a second
_ONE_NAME = re.compile(NAME + r"\Z")
_ALONE = r"(?=\s*(?:\)|\Z))"
_VOWELS = tuple("aeiou")


class Unphrased(Exception):
    """It cannot be said in the language."""


class Ambiguous(Exception):
    """It can be read in two ways."""


class TooHard(Exception):
    """It is too long, or too entangled."""


class Unread(Exception):
    """It cannot be read; with what Lark says of it."""


class Piece(NamedTuple):
    """A word, and where it stands in the text that was read."""

    word: str
    start: int
    end: int


class SaidPlace(TextPlace):
    """The place of something that was written in another language: it knows what is written there, and which words of
    it stand for which words of what was read."""

    foreign = True
    said: str  # what is written
    pieces: Sequence[tuple[int, int, int, int]]  # from, to in what was read; from, to in what is written
    offset: int

    @classmethod
    def of(cls, place: Place, said: str, text: str, pieces: Sequence[tuple[int, int, int, int]]) -> SaidPlace:
        self = cast(SaidPlace, super().__new__(cls, Place(*place), text))
        self.said, self.pieces, self.offset = said, pieces, 0
        return self

    @classmethod
    def whole(cls, place: Place, said: str, text: str) -> SaidPlace:
        return cls.of(place, said, text, [(0, len(text), 0, len(said))])

    def shifted(self, offset: int) -> Place:
        offset += self.offset
        start = next(
            (a if offset == x else min(a + offset - x, b - 1) for x, y, a, b in self.pieces if offset < y),
            len(self.said),
        )
        moved = SaidPlace.of(
            place_in(Place(*self), self.said, start) if start else Place(*self), self.said, self.text, self.pieces
        )
        moved.offset = offset
        return moved

    def reach(self, length: int) -> int:
        end = self.offset + max(1, length)
        touched = [(a, b) for x, y, a, b in self.pieces if x < end and y > self.offset]
        if not touched:
            return 1
        return max(1, max(b for _, b in touched) - min(a for a, _ in touched))


class _Rule(NamedTuple):
    symbol: str
    inlined: bool
    items: tuple[str, ...]
    alias: str

    @property
    def name(self) -> str:
        return self.alias or self.symbol


@lru_cache(maxsize=1)
def _by_name() -> dict[str, list[_Rule]]:
    found: dict[str, list[_Rule]] = {}
    for rule in _rules():
        found.setdefault(rule.name, []).append(rule)
    return found


@lru_cache(maxsize=1)
def _rules() -> list[_Rule]:
    """The rules of the grammar, in its order."""
    found: list[_Rule] = []
    symbol, inlined = "", False
    for line in read_ours(GRAMMAR).partition("// --- words of the language")[0].splitlines():
        line = line.partition("//")[0].strip()
        if not line:
            continue
        if head := re.match(r"(\??)(\w+):", line):
            inlined, symbol, line = bool(head[1]), head[2], line[head.end() :]
        for side in re.split(r"(?<!\S)\|", line.lstrip("| ")):
            body, _, alias = side.partition("->")
            items = tuple(re.findall(r'\[[^]]*\]|"[^"]*"|[\w]+[*+?]?', body))
            if items:
                found.append(_Rule(symbol, inlined, items, alias.strip()))
    return found


class Phrasing:
    """Reads and writes the expressions of one language.

    `words` has for each word of the rules language those of this one, the usual first; `forms` the order of words of
    some rules; `brackets` two signs that may stand around any part and are not there in the rules language."""

    def __init__(
        self,
        words: Mapping[str, Sequence[str]],
        forms: Mapping[str, str],
        brackets: str = "",
        names: Mapping[str, str] | None = None,
        concord: bool = False,
    ):
        self.concord = concord  # two negations in a clause deny once: people would read it otherwise than the rules
        self.words, self.forms, self.brackets = words, forms, brackets
        self.reserved = {word for said in words.values() for word in said if " " not in word}
        self.names = dict(names or {})  # of the rules language -> of this one
        self.meant = {said: name for name, said in self.names.items()}
        self.literals: dict[str, str] = {}
        self._read: dict[tuple[str, str], tuple[str, list[tuple[int, int, int, int]]]] = {}
        self.orders: dict[str, list[Any]] = {}
        self.terms = {
            said: term for term, english in TERMINALS.items() for word in english for said in words.get(word, ())
        }
        self.english = {
            (term, " ".join(said.split()).casefold()): word
            for term, english in TERMINALS.items()
            for word in english
            for said in words.get(word, ())
        }

    # --- the grammar --------------------------------------------------------------------------------------------------
    @cached_property
    def grammar(self) -> str:
        lines: dict[str, list[str]] = {}
        for rule in _rules():
            side = " ".join(rule.items)
            form = self.form(rule)
            if form is not None:
                side = " ".join(self._item(rule, part) for part in form)
            head = ("?" if rule.inlined else "") + rule.symbol
            lines.setdefault(head, []).append(f"{side} -> {rule.alias}" if rule.alias else side)
        if self.brackets:
            lines["?atom"].append('"{}" expression "{}" -> shadow'.format(*self.brackets))
        text = "\n".join(f"{head}: " + "\n  | ".join(sides) for head, sides in lines.items())
        return text + "\n" + "\n".join(self._terminals())

    def form(self, rule: _Rule) -> list[Any] | None:
        names = (f"{rule.symbol}.{rule.name}", f"{rule.name}/{len(rule.items)}", rule.name)
        key = next((name for name in names if name in self.forms), None)
        if key is None:
            return None
        if key not in self.orders:
            self.orders[key] = [
                (int(found[1]), found[2])
                if (found := re.fullmatch(r"\{(\d+)(?::(\w+))?\}", part))
                else part.replace("~", " ")
                for part in self.forms[key].split()
            ]
        return self.orders[key]

    def _item(self, rule: _Rule, part: Any) -> str:
        return self._literal(part) if isinstance(part, str) else part[1] or rule.items[part[0]]

    def _literal(self, word: str) -> str:
        """The terminal of a word in a form: that of the word, if expressions have it anyway."""
        return self.terms.get(word) or self.literals.setdefault(word, f"L{len(self.literals)}")

    def _terminals(self) -> Iterator[str]:
        everything = [w for said in self.words.values() for w in said] + list(self.literals)
        longer: dict[str, list[str]] = {}
        for word in everything:
            parts = word.split()
            for size in range(1, len(parts)):
                longer.setdefault(" ".join(parts[:size]), []).append(" ".join(parts[size:]))

        def pattern(words: Sequence[str]) -> str:
            return _pattern(words, longer)

        prepositions = pattern([w for e in (*TERMINALS["PREPOSITION"], "to") for w in self.words.get(e, ())])
        taken = {w for e in TERMINALS["QUANTIFIER"] for w in self.words.get(e, ())}
        for term, english in TERMINALS.items():
            said = [w for word in english for w in self.words.get(word, ())]
            clash = taken & set(said) if term == "NONE" else ()  # alone it is nobody, before a noun it is no
            alone = f"{pattern(list(clash))}{_ALONE}|" if clash else ""
            yield f"{term}.{3 if clash else 2}: /{alone}{pattern([w for w in said if w not in clash])}/"
        further = pattern([w for e in _FURTHER for w in self.words[e]])
        yield f"FURTHER.4: /{further}(?=\\s+{prepositions})/"
        for word, name in self.literals.items():
            yield f"{name}.2: /{pattern([word])}/"
        yield r"NUMBER: /[0-9]{1,9}(?!\w)/"
        single = {w for w in (*self.reserved, *self.literals) if " " not in w and w[-1] not in _APOSTROPHES}
        kept = "|".join(re.escape(w) for w in sorted(single, key=len, reverse=True))
        yield f"NAME: /{_QUOTES[0]}[^{_QUOTES[1]}]+{_QUOTES[1]}|(?!(?:{kept})(?!\\w)){NAME}/"
        yield r"%ignore /\s+/"
        if self.words.get(THE):
            yield f"_THE.3: /{pattern(self.words[THE])}/\n%ignore _THE"

    @cached_property
    def taken(self) -> frozenset[str]:
        """Words that are no names."""
        assert self.grammar  # it finds the words of forms
        return frozenset({*self.reserved, *self.literals})

    @cached_property
    def is_free(self) -> bool:
        """Does the order of its words ask for more than the next word? Then it takes longer, the more there are."""
        return bool(self.parser.options.parser == "earley")

    @property
    def parser(self) -> Lark:
        return made_parser(self.grammar)

    # --- for messages -------------------------------------------------------------------------------------------------
    def cited(self, text: str) -> str:
        """A few words of the rules language, one after the other or as one."""
        if text in self.words:
            return self.words[text][0]
        if text.partition(" ")[2] in self.words:  # is at least
            return f"{self.cited(text.partition(' ')[0])} {self.cited(text.partition(' ')[2])}"
        return " ".join(self.words[word][0] if word in self.words else word for word in text.split())

    def shown(self, terminal: str) -> list[str]:
        """What may stand where a terminal is expected."""
        if terminal in SHOWN and terminal not in TERMINALS:
            return [SHOWN[terminal]]
        if terminal in TERMINALS:
            known = [Keyword(self.words[word][0]) for word in TERMINALS[terminal] if self.words.get(word)]
            return list(known[:4]) if terminal == "PREPOSITION" else list(known)
        return [Keyword(word) for word, name in self.literals.items() if name == terminal]

    # --- reading ------------------------------------------------------------------------------------------------------
    def read(self, text: str, start: str) -> tuple[str, list[tuple[int, int, int, int]]]:
        """The expression in the rules language, and which of its words was written where. Raises Unread, TooHard."""
        if start != "binding" and _ONE_NAME.match(text) and text not in self.taken:
            name = self.name(text)
            return name, [(0, len(name), 0, len(text))]
        known = self._read.get((text, start))
        if known is None:
            from lark.exceptions import UnexpectedInput

            if len(text) > MAX_LENGTH or (self.is_free and len(_WORD.findall(text)) > MAX_WORDS):
                raise TooHard
            try:
                tree = self.parser.parse(text, start=start)
            except UnexpectedInput as mistake:
                raise Unread(mistake) from None
            if any(node.data == "_ambig" for node in tree.iter_subtrees()):
                raise Ambiguous
            if self.concord and any(map(self._denies_twice, tree.iter_subtrees())):
                raise Ambiguous
            try:
                known = joined(list(self._pieces(tree, _Gaps(self, text, tree))))
            except RecursionError:
                raise TooHard from None
            self._read[text, start] = known
        return known

    def _denies_twice(self, node: Any) -> bool:
        """Is its verb denied, and its subject or object, too?"""
        predicates = [node] if node.data != "quantified" else list(node.children)
        if not any(str(getattr(part, "data", "")).startswith("is_not") for part in predicates):
            return False
        nouns = node.children if node.data == "quantified" else _objects(node)
        tokens = [kid for part in nouns for kid in getattr(part, "children", [part])]
        denying = {("QUANTIFIER", word.casefold()) for word in self.words["no"]}
        denying |= {("NONE", word.casefold()) for word in self.words["nobody"]}
        return any((getattr(t, "type", ""), str(t).casefold()) in denying for t in tokens)

    def _pieces(self, node: Any, gaps: _Gaps) -> Iterator[Piece]:
        if not hasattr(node, "data"):
            yield from gaps.before(node)
            word = self._word(node)
            if word:
                yield Piece(word, node.start_pos, node.end_pos)
            return
        rule, kids = self._rule(node, list(node.children), local=True)
        if rule is None:
            for kid in node.children:
                yield from self._pieces(kid, gaps)
            return
        form = self.form(rule)
        assert form is not None
        where = next((k for kid in kids.values() for k in kid), None)
        for index, item in enumerate(rule.items):
            for kid in kids.get(index, ()):
                yield from self._pieces(kid, gaps)
            if index not in kids and item in TERMINALS:
                at = _span(node) if where is not None else (0, 0)
                yield Piece(TERMINALS[item][0], *at)

    def _word(self, token: Any) -> str:
        kind, said = token.type, " ".join(token.split())
        if kind == "NAME":
            return self.name(said)
        if kind == "FURTHER":
            kind = next(k for k in ("_OR", "_AND") if (k, said.casefold()) in self.english)
        if kind in TERMINALS:
            return self.english[kind, said.casefold()]
        if kind in self.literals.values() or said in self.brackets:
            return ""
        return said  # numbers and brackets

    def name(self, said: str) -> str:
        """The name in the rules language: a word that cannot be a name there has a _ behind it."""
        if said[:1] == _QUOTES[0]:
            said = said.strip(_QUOTES)
            return said if _ONE_NAME.match(said) else as_one(said)  # as players call it, in several words
        if said in self.meant:
            return self.meant[said]
        return said + "_" if said in keywords() else said

    # --- writing ------------------------------------------------------------------------------------------------------
    def write(self, text: str, start: str) -> str:
        """An expression of the rules language in this one. Raises Unphrased if it would not be read as the same."""
        from lark.exceptions import LarkError

        try:
            tree = _english().parse(text, start=start)
        except LarkError:
            raise Unphrased from None
        for bracketed in (False, True) if self.brackets else (False,):
            said = " ".join(self._said(tree, _Gaps(None, text, tree), bracketed))
            said = re.sub(r"(?<=['’]) | (?=[)〕])|(?<=[(〔]) ", "", said)
            try:
                if len(said) <= MAX_LENGTH and self.read(said, start)[0] == text:
                    return said
            except (Unread, Ambiguous, TooHard):
                continue
        raise Unphrased

    def _said(self, node: Any, gaps: _Gaps, bracketed: bool) -> Iterator[str]:
        if not hasattr(node, "data"):
            yield from (self.words[THE][0] for _ in gaps.before(node))
            yield self._told(node)
            return
        rule, kids = self._rule(node, list(node.children), local=False)
        if rule is None:
            for index, kid in enumerate(node.children):
                if self.brackets and index and getattr(kid, "data", "") == "negation":
                    yield self.brackets[0]  # its negation comes last, and could reach over what is before it
                    yield from self._said(kid, gaps, bracketed)
                    yield self.brackets[1]
                else:
                    yield from self._said(kid, gaps, bracketed)
            return
        form = self.form(rule)
        assert form is not None
        for part in form:
            if isinstance(part, str):
                yield part
                continue
            for kid in kids.get(part[0], ()):
                plain = not hasattr(kid, "data") or kid.data in _ATOMS
                if self.brackets and not plain and (part[1] == "atom" or (bracketed and _is_value(kid))):
                    yield self.brackets[0]
                    yield from self._said(kid, gaps, bracketed)
                    yield self.brackets[1]
                else:
                    yield from self._said(kid, gaps, bracketed)

    def _told(self, token: Any) -> str:
        word = " ".join(token.split())
        if token.type == "NAME":
            return self.called(word)
        word = {"an": "a", "share an": "share a", "step of": "steps of"}.get(word, word)
        if token.type == "EXTREME" and " the " not in word:
            raise Unphrased
        said = self.words.get(word)
        if said is None and word not in "()" and not word.isdigit():
            raise Unphrased
        return said[0] if said else word

    def called(self, name: str) -> str:
        """A name of the rules language in this one."""
        if name in self.names:
            return self.names[name]
        taken = name in self.reserved or name in self.literals or name in self.meant or name in keywords()
        if name.endswith("_") and name[:-1] in keywords():
            name = name[:-1]
            taken = name in self.reserved or name in self.literals
        return f"{_QUOTES[0]}{name}{_QUOTES[1]}" if taken else name

    # --- rules with an order of their own -----------------------------------------------------------------------------
    def _rule(self, node: Any, children: list[Any], local: bool) -> tuple[_Rule | None, dict[int, list[Any]]]:
        """The rule by which a node was made, if it has a form here, and which children are which of its items."""
        for rule in _by_name().get(str(node.data), ()):
            if self.form(rule) is None:
                continue
            items: list[Any] = list(enumerate(rule.items))
            if local:
                items = [(p, None) if isinstance(p, str) else (p[0], rule.items[p[0]]) for p in self.form(rule) or ()]
            found = self._matched(items, children)
            if found is not None:
                return rule, found
        return None, {}

    def _matched(self, items: list[Any], children: list[Any]) -> dict[int, list[Any]] | None:
        found: dict[int, list[Any]] = {}
        rest = [kid for kid in children if kid is not None]
        for key, item in items:
            if item is None:
                if not rest or getattr(rest[0], "type", "") != self._literal(key):
                    return None
                rest.pop(0)
                continue
            found[key] = []
            if item.startswith("["):
                wanted = item.strip("[]").split()
                while rest and wanted and _is(rest[0], wanted[0]):
                    found[key].append(rest.pop(0))
                    wanted.pop(0)
            elif item[-1] in "*+":
                while rest and _is(rest[0], item[:-1]):
                    found[key].append(rest.pop(0))
            elif rest and _is(rest[0], item.strip('"')):
                found[key].append(rest.pop(0))
            else:
                return None
        return None if rest else found


def _objects(predicate: Any) -> list[Any]:
    """What a predicate says something of, and what that is made of at once."""
    found = list(predicate.children)
    return found + [kid for part in found for kid in getattr(part, "children", ())]


def _pattern(words: Sequence[str], longer: Mapping[str, Sequence[str]] | None = None) -> str:
    """Any of these words, unless it begins a longer one; an apostrophe stands before another word without a space."""
    found = []
    for word in sorted(dict.fromkeys(words), key=len, reverse=True):
        end = "" if word[-1] in _APOSTROPHES else r"(?!\w)"
        rest = [_spaced(other) for other in (longer or {}).get(word, ())]
        more = rf"(?!\s+(?:{'|'.join(rest)})(?!\w))" if rest else ""
        found.append(_spaced(word) + end + more)
    return f"(?:{'|'.join(found)})"


def _spaced(words: str) -> str:
    return r"\s+".join(re.escape(word).replace("/", r"\/") for word in words.split())


def _is(node: Any, item: str) -> bool:
    """Can this stand where the rule has such an item?"""
    if item in ("linked", "relation", "head_relation", "further", "parameter"):
        return hasattr(node, "data") and str(node.data).startswith(item)
    if hasattr(node, "data"):
        return item.islower()
    if item == "FURTHER":
        return node.type in ("FURTHER", "_OR", "_AND")
    if item == "preposition":
        return node.type in ("PREPOSITION", "TO")
    return bool(node.type == item) if not item.islower() else node.type in ("NAME", "NUMBER", "IT", "NONE", "NOTHING")


def _is_value(node: Any) -> bool:
    return str(node.data) not in (
        "relation",
        "further",
        "head_relation",
        "parameter",
        "noun",
        "described",
        "quantifier",
    ) and not str(node.data).startswith(("is_", "linked", "head", "type", "measure", "compared", "shadow"))


def _tokens(node: Any) -> Iterator[Any]:
    if node is None:
        return
    if not hasattr(node, "data"):
        yield node
        return
    for kid in node.children:
        yield from _tokens(kid)


def _span(node: Any) -> tuple[int, int]:
    tokens = list(_tokens(node))
    return (tokens[0].start_pos, tokens[-1].end_pos) if tokens else (0, 0)


class _Gaps:
    """Articles, which no rule of the grammar sees: they belong to the word behind them."""

    def __init__(self, phrasing: Phrasing | None, text: str, tree: Any):
        words = [THE] if phrasing is None else list(phrasing.words.get(THE, ()))
        self.found: dict[int, list[Piece]] = {}
        if not words:
            return
        article, last = re.compile(_pattern(words), re.IGNORECASE), 0
        for token in sorted(_tokens(tree), key=lambda t: t.start_pos):
            gap = [Piece(THE, m.start(), m.end()) for m in article.finditer(text, last, token.start_pos)]
            if gap:
                self.found[token.start_pos] = gap
            last = token.end_pos

    def before(self, token: Any) -> list[Piece]:
        return self.found.get(token.start_pos, [])


@lru_cache(maxsize=1)
def _english() -> Lark:
    return made_parser(read_ours(GRAMMAR))


def joined(pieces: Sequence[Piece]) -> tuple[str, list[tuple[int, int, int, int]]]:
    """The words as one text, and where each of them stands in it and stood in the other."""
    text, marks = "", []
    for index, piece in enumerate(pieces):
        word = piece.word
        follows = pieces[index + 1].word if index + 1 < len(pieces) else ""
        if word in ("a", "share a") and follows.startswith(_VOWELS):
            word += "n"
        if word == "steps of" and index and pieces[index - 1].word == "1":
            word = "step of"
        if text and word != ")" and not text.endswith("("):
            text += " "
        marks.append((len(text), len(text) + len(word), piece.start, piece.end))
        text += word
    return text, marks
