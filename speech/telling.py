"""The texts of a rulebook, with what they mention in braces said in the language of the reader.

`{count of builds}` is a number in words, `{identities}` a list of names, `{embassy:dat}` a name in a form of the
language, `{size of answer:most}` the number to which an amount goes. With a bar, what stands in braces decides between
words: `{shake/draw:ball|balls}` by its number, `{shout:Ho!|Psst.}` by whether it holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ..interpreter.mentions import mentioned
from ..interpreter.model import Text, Told, Type
from .language import N_, Language, Said, fill, forms, grammar_folders
from .lexicon import Names
from .tongue import tongue

if TYPE_CHECKING:
    from ..interpreter.game import Game

__all__ = ["UNBOUNDED", "Telling"]

UNBOUNDED = 1_000  # an amount beyond this has no upper limit
_SPACES = re.compile(r" {2,}")


class Telling:
    """What the rules of one game say to a reader beside what they do."""

    def __init__(self, game: Game, language: Language):
        self.game, self.language = game, language
        self.names = Names(game, language)
        found = tongue(language.code, grammar_folders())
        data = {} if found is None else found.data
        self.numbers, self.amounts = list(data.get("counting", ())), dict(data.get("amounts", {}))

    def text(self, text: Text) -> str:
        """The text; nothing, if it mentions what cannot be known."""
        words = self.language.text(text).strip()
        if "{" not in words:
            return words
        try:
            wanted = set(mentioned(words))
        except ValueError:
            return ""
        return _SPACES.sub(" ", self._filled(words)).strip() if wanted <= set(self.game.rulebook.mentions) else ""

    def told(self, entry: Told) -> tuple[str, str]:
        """The sentence of the rules and, beside it, why it is so; the reason alone, if there is no other sentence."""
        rule, why = self.text(entry.rule), self.text(entry.decision)
        return (rule, why) if rule else (why, "")

    def _filled(self, words: str, whole: bool = True) -> str:
        """What decides between words may have others in them."""
        known = self.game.rulebook.mentions
        values = {name: partial(self._said, *known[name]) for name in known}
        return fill(words, {name: _then(said, self._inner) for name, said in values.items()}, whole)

    def _inner(self, words: str) -> str:
        return self._filled(words, whole=False) if "{" in words else words

    # --- values -------------------------------------------------------------------------------------------------------
    def _said(self, value: Any, kind: Type, form: str) -> str:
        if "|" in form:
            words = _divided(form)
            return words[min(self._place(value, kind), len(words) - 1)]
        if kind.kind == "amount":
            least, most = value
            bound, _, rest = form.partition(" ")
            return self.number(most, rest) if bound == "most" and most < UNBOUNDED else self.amount(least, most, form)
        if isinstance(value, bool):
            return self.language.translate(N_("yes") if value else N_("no"))
        if kind.kind == "number":
            return self.number(value, form)
        if isinstance(value, tuple):
            items = [self._said(item, kind.of or kind, "list" if form in ("", "or") else form) for item in value]
            return self.language.list(items, "or" if form == "or" else "standard")
        return self._name(value, form)

    def _place(self, value: Any, kind: Type) -> int:
        """Which of the words is the one for this value: of one or of several, of what holds or of what does not."""
        if isinstance(value, bool):
            return 0 if value else 1
        if kind.kind == "amount":
            least, most = value
            value = most if least == 0 and most < UNBOUNDED else least
        elif isinstance(value, tuple):
            value = len(value)
        return 0 if value == 1 and self.language.code != "ja" else 1

    def _name(self, atom: int, form: str) -> str:
        thing = self.game.vocabulary.atoms[atom]
        if thing.set in self.game.options:
            return forms(self.language.pgettext("value", thing.name) or thing.name.replace("_", " "))(form)
        home = self.game.vocabulary.sets.get(thing.set)
        named = self.names.named if home is not None and home.numbered_by else self.names.narrator.name
        return named(atom)(form)

    def number(self, number: int, form: str = "") -> str:
        """In words, as far as the language has them at hand."""
        if 0 <= number < len(self.numbers):
            return forms(str(self.numbers[number]))(form)
        return self.language.number(number)

    def amount(self, least: int, most: int, form: str = "") -> str:
        """How many at least and at most, in a sentence; in figures, where the language has no words at hand."""
        kind = "between" if most < UNBOUNDED else "at_least" if least else "any"
        if least == most:
            kind = "exactly" if least else "none"
        elif least == 0 and kind == "between":
            kind = "at_most"
        if kind not in self.amounts:
            return self.figures(least, most)
        low, high = self.number(least, form), self.number(most, form)
        number = high if kind == "at_most" else low
        return fill(str(self.amounts[kind]), {"number": number, "least": low, "most": high, "form": form}, whole=False)

    def figures(self, least: int, most: int) -> str:
        """The same as in tables."""
        say, number = self.language.say, self.language.number
        if least == most:
            return say(N_("exactly {number}"), number=number(least)) if least else self.language.translate(N_("none"))
        if most >= UNBOUNDED:
            if not least:
                return self.language.translate(N_("any number"))
            return say(N_("at least {number}"), number=number(least))
        if least == 0:
            return say(N_("at most {number}"), number=number(most))
        return say(N_("{least} to {most}"), least=number(least), most=number(most))


def _then(said: Said, further: Callable[[str], str]) -> Said:
    return lambda form: further(said(form))


def _divided(form: str) -> list[str]:
    """Words apart at the bars that are not inside braces."""
    found, depth = [""], 0
    for letter in form:
        depth += (letter == "{") - (letter == "}")
        if letter == "|" and not depth:
            found.append("")
        else:
            found[-1] += letter
    return found
