"""In which language the command speaks, and how: catalogues, plurals, lists, numbers, sentences filled in.

A catalogue is `locales/<language>/LC_MESSAGES/tabarro.po`, read as it is. English texts are their own translation; the
English catalogue only gives things their names. The name of a thing may carry forms for the sentences that need them:
`die Kerze | dat: der Kerze` is said by `{clue}` and `{clue:dat}`.
"""

from __future__ import annotations

import gettext
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, reduce
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..interpreter.errors import Problem, RulesError
from .catalogue import Message, read_own

if TYPE_CHECKING:
    from ..interpreter.model import Text
    from .formats import ListStyle

__all__ = [
    "LANGUAGES",
    "N_",
    "Language",
    "Said",
    "chosen",
    "complaints",
    "exists",
    "fill",
    "grammar_folders",
    "known",
    "person",
    "person_forms",
    "spoken",
    "translated",
    "use_catalogues",
    "wanted",
]

LANGUAGES = ("ca", "de", "en", "ja", "nl", "no")
LOCALES = Path(__file__).resolve().parent.parent / "locales"
SURE = 1 - 1e-9  # a share that is called certain
ALIASES = {"nb": "no", "nn": "no"}  # written Norwegian; there is one catalogue for both

_more: tuple[Path, ...] = ()  # folders with the catalogues of house rules
_broken: list[Problem] = []  # what was found in them that cannot be used, and not told yet

Said = Callable[[str], str]  # the form that a sentence asks for, often "" -> words


def N_(text: str) -> str:
    """Mark a text for extraction; it is translated where it is shown."""
    return text


def use_catalogues(folders: tuple[Path, ...]) -> None:
    """From now on the catalogues in these folders are asked where ours say nothing; they may add languages."""
    global _more
    if folders or _more:  # they may have changed since
        _found.cache_clear()
        _chained.cache_clear()
    _more = folders


def grammar_folders() -> tuple[Path, ...]:
    """Where grammars are looked for."""
    return (LOCALES, *_more)


# --- which language --------------------------------------------------------------------------------------------------
def known(tag: str) -> str | None:
    """The language of a tag such as de, de-AT or nb_NO.UTF-8, if there is a catalogue for it."""
    base = re.split(r"[-_.@]", tag.strip().lower(), maxsplit=1)[0]
    base = ALIASES.get(base, base)
    return base if base in LANGUAGES or any(_files(base)) else None


def spoken() -> tuple[str, ...]:
    """All languages that can be spoken: ours, and those that house rules bring along."""
    brought = {
        path.name for folder in _more for path in folder.iterdir() if path.is_dir() and known(path.name) == path.name
    }
    return tuple(sorted({*LANGUAGES, *brought}))


def _files(code: str) -> tuple[Path, ...]:
    return _found(code, _more) if _more else ()


@cache
def _found(code: str, folders: tuple[Path, ...]) -> tuple[Path, ...]:
    """The catalogues of house rules in this language, if it is one."""
    if not re.fullmatch(r"[a-z]{2,3}", code):
        return ()
    found = [path for folder in folders for path in sorted((folder / code / "LC_MESSAGES").glob("*.po"))]
    return tuple(found) if code in LANGUAGES or found and exists(code) else ()


def exists(code: str) -> bool:
    """Is this a language whose plurals, lists and numbers are known?"""
    return bool(_formats().exists(code))


def chosen(environ: Mapping[str, str]) -> str:
    """What the environment asks for: the first variable that says something decides."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(variable):
            return next(filter(None, map(known, environ[variable].split(":"))), "en")
    return "en"


def wanted(arguments: Sequence[str]) -> str | None:
    """The value of --lang, wherever it stands: the parser itself already has to speak that language."""
    found = None
    for index, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument == "--lang" and index + 1 < len(arguments):
            found = arguments[index + 1]
        elif argument.startswith("--lang="):
            found = argument.removeprefix("--lang=")
    return found


# --- speaking it -----------------------------------------------------------------------------------------------------
def _catalogue(code: str) -> gettext.NullTranslations:
    return _chained(code, _files(code))


@cache
def _chained(code: str, others: tuple[Path, ...]) -> gettext.NullTranslations:
    """Our catalogue and, for what it does not know, those of house rules."""
    whole: gettext.NullTranslations
    try:
        whole = read_own(LOCALES / code / "LC_MESSAGES" / "tabarro.po")
    except (OSError, ValueError):  # better in English than not at all
        whole = gettext.NullTranslations()
    for other in others:
        from .catalogue_files import translations

        try:
            whole.add_fallback(translations(other, code))
        except RulesError as error:
            _broken.extend(error.problems)
    return whole


def complaints(code: str) -> list[Problem]:
    """What is wrong with catalogues, of this language and of those that were spoken: each time only what is new."""
    if _more:
        _catalogue(code)
    found = _broken[:]
    _broken.clear()
    return found


def translated(code: str, context: str | None, text: str | tuple[str, ...], ours: bool = False) -> str | None:
    """What the catalogues have for a text, even if it is the same; None if they have nothing. `ours`: only our own."""
    single = text if isinstance(text, str) else text[0]
    key = f"{context}\x04{single}" if context else single
    link: gettext.NullTranslations | None = _chained(code, () if ours else _files(code))
    while link is not None:
        known: Mapping[Message, str] = getattr(link, "_catalog", {})
        found = known.get(key) or known.get((key, 0)) or known.get((key, 1))
        if found:
            return found
        link = getattr(link, "_fallback", None)
    return None


class Language:
    def __init__(self, code: str = "en"):
        self.code = code

    def translate(self, text: str) -> str:
        if self.code == "en" or not text:  # gettext answers the empty text with the catalogue's header
            return text
        return _catalogue(self.code).gettext(text)

    def ngettext(self, one: str, many: str, number: int, /, **values: Any) -> str:
        """The sentence for so many, with {number} and the values filled in."""
        if self.code == "en":
            text = one if number == 1 else many
        else:
            text = _catalogue(self.code).ngettext(one, many, number)
        return fill(text, {"number": lambda form: self.number(number), **values})

    def pgettext(self, context: str, text: str) -> str | None:
        """The translation in this context; None if there is none."""
        found = _catalogue(self.code).pgettext(context, text)
        return None if found == text else found

    def text(self, text: Text | None) -> str:
        """A text of a rule file."""
        if isinstance(text, Mapping):
            plain = text.get("en") or next(iter(text.values()), "")
            return str(text.get(self.code) or self.translate(str(plain)))
        return self.translate(str(text or ""))

    def say(self, text: str, /, **values: Any) -> str:
        return fill(self.translate(text), values)

    def number(self, number: int) -> str:
        return str(_formats().decimal(number, self.code))

    def decimal(self, number: float, pattern: str = "0.##") -> str:
        return str(_formats().decimal(number, self.code, pattern))

    def percent(self, share: float) -> str:
        fine = share < 0.01 or 0.99 < share < SURE
        return str(_formats().percent(share, self.code, "0.0" if fine else "0"))

    def tenth_of_percent(self, share: float) -> str:
        """A share to one place after the point, as in tables."""
        return str(_formats().percent(share, self.code, "0.0"))

    def list(self, items: Sequence[str], style: ListStyle = "standard") -> str:
        """Things named together; of two, as the catalogue joins them where that is not as in longer lists."""
        if style == "standard" and len(items) == 2 and (pair := self.pgettext("list", "{one} and {other}")):
            return fill(pair, {"one": items[0], "other": items[1]})
        return str(_formats().listed(items, self.code, style))

    def row(self, items: Iterable[str]) -> str:
        """One after the other, as behind a colon: a list without a word for “and”."""
        return str(_formats().separator(self.code)).join(items)

    def apart(self, items: Iterable[str]) -> str:
        """The same, of parts in which there are commas."""
        first, *rest = items
        return reduce(lambda said, one: self.say(N_("{said}; {one}"), said=said, one=one), rest, first)

    def called(self, code: str) -> str:
        """What a language is called in this one."""
        return str(_formats().name_of(code, self.code))

    def quoted(self, text: str) -> str:
        return self.say(N_("“{text}”"), text=text)

    def labelled(self, label: str, value: str) -> str:
        return self.say(N_("{label}: {value}"), label=label[:1].upper() + label[1:], value=value)


def _formats() -> ModuleType:
    """Babel takes its time to load, and `tabarro --help` needs none of it."""
    from . import formats

    return formats


@cache
def form_names(code: str) -> tuple[str, ...]:
    """The forms in which the names of a language can stand in a sentence; the plain one first."""
    texts = (text for text in getattr(_catalogue(code), "_catalog", {}).values() if isinstance(text, str))
    return ("", *sorted({form for text in texts for form in re.findall(r" \| (\w+): ", text)} | {"list"}))


class Forms:
    """A name of the catalogue as sentences use it: `die Kerze | dat: der Kerze`."""

    def __init__(self, name: str):
        self.plain, *others = name.split(" | ")
        self.own = dict(other.split(": ", 1) for other in others if ": " in other)

    def __call__(self, form: str) -> str:
        return self.own.get(form, self.plain)


def forms(name: str) -> Said:
    return Forms(name)


def person(language: Language, name: str) -> Said:
    """Somebody's own name as sentences use it: with what a language puts before it, perhaps shortened before a vowel.

    The catalogue says how: `{name} | de: de {name} | de_vowel: d'{name}`."""
    pattern = _person(language)
    said, vowel = forms(pattern), "_vowel: " in pattern and _begins_with_vowel(language, name)

    def form(wanted: str) -> str:
        text = said(f"{wanted}_vowel") if vowel else said("")
        return (said(wanted) if text == said("") else text).replace("{name}", name)

    return form


def person_forms(language: Language, name: str) -> list[str]:
    """Everything that may be written for somebody of this name."""
    return [part.split(": ", 1)[-1].replace("{name}", name) for part in _person(language).split(" | ")]


def _person(language: Language) -> str:
    return language.pgettext("person", "{name}") or "{name}"


def _begins_with_vowel(language: Language, name: str) -> bool:
    """As the grammar of the language says; asked only where the catalogue has such a form."""
    from .tongue import tongue

    found = tongue(language.code, grammar_folders())
    letters = "".join(c for c in unicodedata.normalize("NFKD", name).casefold() if c.isalpha())
    return bool(found is not None and "vowel" in found.data and re.search(found.data["vowel"], letters))


_STARTS_SENTENCE = re.compile(r"(?:^|[.!?。]\s*)[“„«‘「]?\Z")


def fill(text: str, values: Mapping[str, Any], whole: bool = True) -> str:
    """A text with its {names} filled in, or {names:form}; a whole sentence that begins with a thing gets its capital.

    Attributes and indices are refused, that is left as they are written: `{player.role}` would tell a secret.
    """
    said = ""
    try:
        for literal, name, form, conversion in string.Formatter().parse(text):
            said += literal
            if name is None:
                continue
            if name not in values or conversion:
                said += "{" + name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "") + "}"
                continue
            value = values[name]
            if not callable(value):
                said += str(value)
                continue
            value = value(form or "")
            said += value[:1].upper() + value[1:] if whole and _STARTS_SENTENCE.search(said) else value
    except ValueError:  # a stray brace
        return text
    return said
