"""While the keyboard goes from one to another: who is meant, in the languages of both, and what lies open to all.

Nothing private is in it. It opens by a name, which nobody types by accident, and which keys that were pressed too early
do not make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...speech.language import N_, Language, Said
from ...speech.narrator import Narrator
from .lookup import wants_to_quit
from .prompt import normal
from .view import View

__all__ = ["Passing"]

READY = N_("ready")
SHORT = 2  # letters of an alphabet: such a word may be typed by accident
LEFT_OUT = "…"  # at the end of a name that is longer than its line
ENOUGH = 4  # letters with which a long name may begin, where the rest of it has no room anyway


@dataclass(slots=True)
class Passing:
    view: View  # of the one who comes
    leaves: View | None = None
    reads: bool = False  # has the one who leaves only read, so that he has to be waited for?

    @property
    def languages(self) -> list[Language]:
        """Of the one who leaves, then of the one who comes."""
        found = {view.language.code: view.language for view in (self.leaves, self.view) if view is not None}
        return list(found.values())

    @property
    def asked(self) -> list[str]:
        return [
            language.say(N_("Pass the keyboard to {name}. Everybody else looks away."), name=self._called(language))
            for language in self.languages
        ]

    def _called(self, language: Language) -> Said:
        name, own = Narrator(self.view.game, language).seat(self.view.seat.seat), self.view.seat.name
        return (lambda form: f"{own} ({name('list')})") if own else name

    # --- what opens it ------------------------------------------------------------------------------------------------
    @property
    def words(self) -> list[str]:
        """Any of these: the name of the person, that of the seat, what the rules call it."""
        seat = self.view.seat
        names = [_whole_words(seat.name), self.view.narrator.seat(seat.seat)("list"), seat.seat.replace("_", " ")]
        found = {normal(name): name for name in names if _is_deliberate(name)}
        return list(found.values()) or [self.view.language.translate(READY)]

    @property
    def prompt(self) -> str:
        """What is to be typed: the first name, and another one if that takes a keyboard of its own."""
        language, (first, *rest) = self.view.language, self.words
        shown = [first, *(name for name in rest[-1:] if not normal(first).isascii() and name.isascii())]
        words = language.list([language.quoted(name) for name in shown], "or")
        name = self._called(language)("list")
        name = name[:1].upper() + name[1:]
        return language.say(N_("{name}, type {words} to see your screen:"), name=name, words=words)

    def opens(self, typed: str) -> bool:
        """One of the words; of a name that was too long for its line also all of it, or how it begins."""
        said, name = normal(typed), self.view.seat.name
        if said in map(normal, self.words):
            return True
        kept = normal(name.removesuffix(LEFT_OUT))
        long = name.endswith(LEFT_OUT) and len(said) >= min(ENOUGH, len(kept)) and _is_deliberate(said)
        return long and (kept.startswith(said) or said.startswith(kept))

    def leaves_game(self, typed: str) -> bool:
        return any(wants_to_quit(typed, language) for language in self.languages)

    def is_map(self, typed: str) -> bool:
        return normal(typed) in {"map", *(normal(lang.pgettext("command", "map") or "map") for lang in self.languages)}

    # --- what lies open -----------------------------------------------------------------------------------------------
    def news(self) -> list[str]:
        """What everybody has seen since the one who comes sat here."""
        view = self.view
        entries = view.player.log.public(view.left, planning=view.player.question().planned)
        return Narrator(view.game, view.language).tell(entries)

    def facts(self) -> list[str]:
        view = self.view
        return [view.language.labelled(*fact) for fact in view.notebook.public(view.known_to_all())]

    def picture(self, draw: Callable[[View, dict], list[str]]) -> list[str]:
        """The board, if all see what stands on it."""
        view = self.view
        return draw(view, view.known_to_all()) if view.board is not None and view.shows_all else []


def _whole_words(name: str) -> str:
    """What is to be typed of a name that was shortened: nobody types the sign for what is left out, or half a word."""
    if not name.endswith(LEFT_OUT):
        return name
    kept = name.removesuffix(LEFT_OUT)
    return kept.rpartition(" ")[0] or kept


def _is_deliberate(name: str) -> bool:
    plain = normal(name)
    return bool(plain) and not plain.isdecimal() and (len(plain) >= SHORT or not plain.isascii())
