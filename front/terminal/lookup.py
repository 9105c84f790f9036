"""What a person can look up before he decides: as lines, whichever face shows them."""

from __future__ import annotations

from collections.abc import Callable

from ...mind.models import EVENLY, MODELS
from ...speech.language import N_, Language
from ...speech.reasons import explain
from ..common.layout import width_of, wrapped
from ..paper.book import Rulebook, rulebook
from ..workbench.conclusions import hint
from .prompt import normal
from .sight import Sight
from .view import View

__all__ = ["COMMANDS", "Lookup", "wants_to_quit"]


def pgettext(context: str, text: str) -> str:
    """Mark a word for extraction in a context; it is translated where it is shown."""
    return text


# What can be typed at every prompt, in English and in the language of the person.
COMMANDS = (
    "?",
    pgettext("command", "map"),
    pgettext("command", "notes"),
    pgettext("command", "mission"),
    pgettext("command", "hint"),
    pgettext("command", "rules"),
    pgettext("command", "log"),
    pgettext("command", "undo"),
    pgettext("command", "save"),
    pgettext("command", "quit"),
)


def wants_to_quit(typed: str, language: Language) -> bool:
    """Is this the word that leaves the game? It counts also where only Enter is waited for."""
    return normal(typed) in ("quit", normal(language.pgettext("command", "quit") or "quit"))


class Lookup:
    def __init__(self, view: View):
        self.view, self.language = view, view.language

    def words(self) -> list[str]:
        """What can be typed in this game."""
        screens = self.view.notebook.screens
        hidden = {"mission"} if screens.table is None else set()
        hidden |= {"map"} if self.view.board is None else set()
        hidden |= set() if self.view.hints else {"hint"}
        return [self._word(name) for name in COMMANDS if name not in hidden]

    def _word(self, name: str) -> str:
        return self.language.pgettext("command", name) or name

    def command(self, typed: str, sight: Sight) -> str | None:
        """Which of the commands was typed; None, if that is a choice, or none of them."""
        entry = normal(typed)
        if any(normal(name) == entry for offer in sight.offers for name in offer.names):
            return None  # a choice of that very name
        first, _, model = entry.partition(" ")
        if model in MODELS and first in ("hint", normal(self._word("hint"))):
            return f"hint {model}"
        if model and first in ("notes", normal(self._word("notes"))):
            return "notes " + typed.replace("\u3000", " ").split(None, 1)[1]
        return next((name for name in COMMANDS if entry in (name, normal(self._word(name)))), None)

    def saved(self) -> str:
        """Where the game is saved."""
        return self.language.say(
            N_("Everything is saved already, after each decision: {file}"), file=str(self.view.saved)
        )

    def lines(self, command: str, sight: Sight, width: int, picture: Callable[[], list[str]]) -> list[str]:
        """What was asked for, in lines of at most this width."""
        language, notebook, known = self.language, self.view.notebook, self.view.known()
        lines: list[str] = []
        if command == "?":
            for walk in [menu.walk for menu in (sight.menu, *sight.standing) if menu is not None]:
                name = walk.alternative.name if walk.alternative else ""
                for text in explain(self.view.game, walk.step, language, name):
                    lines += wrapped(text, width, "  ")
            lines = lines or wrapped(language.say(N_("No rule text stands beside this choice.")), width, "  ")
            lines += self._facts(sight, width)
            lines += wrapped(
                language.say(
                    N_("Type a number or the beginning of a name. Also: {commands}."),
                    commands=language.row(self.words()),
                ),
                width,
                "  ",
            )
        elif command == "map":
            nothing = wrapped(language.say(N_("This game has no board.")), width, "  ")
            lines = picture() or nothing
        elif command.partition(" ")[0] == "notes":
            lines = self._notes(command.partition(" ")[2], width)
        elif command == "mission":
            certain, possible = self.view.certain(), self.view.possible_rows()
            lines = notebook.table(known, width, possible)
            heading = N_("As far as you know, it can be:") if lines else N_("There is nothing to look up.")
            told = [part for text in certain for part in wrapped(text, width)]
            if not told or lines and (possible is None or len(possible) > 1):  # else it is told already
                told += [language.say(heading), *lines]
            lines = told
        elif command.startswith("hint"):
            lines = self._hint(width, command.partition(" ")[2] or EVENLY)
        elif command == "rules":
            for text in rulebook(self.view.game, language, "text", width).splitlines():
                lines += [text] if width_of(text) <= width else wrapped(text, width)
        elif command == "log":
            for turn in self.view.history:
                lines += [part for text in turn.lines for part in wrapped(text, width, "  ", "    ")] + [""]
        return lines

    def _notes(self, written: str, width: int) -> list[str]:
        """The notebook: what was shown, then what he has noted himself; or what he writes into it now."""
        marks, word = self.view.marks, self._word("notes")
        if written:
            refused = marks.write(written)
            return [*wrapped(refused, width, "  "), *marks.how(width, word)] if refused else marks.changed(width)
        lines, also = self.view.notebook.notes(self.view.known(), width), self.view.also_shown()
        lines += [""] if lines and also else []
        lines += [part for text in also for part in wrapped(text, width, "  ", "    ")]
        lines = lines or wrapped(self.language.say(N_("Nothing was shown to you yet.")), width, "  ")
        return [*lines, *marks.told(width, word)]

    def _facts(self, sight: Sight, width: int) -> list[str]:
        """What the rules say of each thing that can be chosen."""
        book, lines = Rulebook(self.view.game, self.language), []
        atoms = [atom for offer in sight.offers for atom in offer.atoms if not self.view.is_alternative(atom)]
        for value in dict.fromkeys(atoms):
            facts = book.facts(value)
            if facts:
                said = " · ".join(self.language.labelled(title, cell) for title, cell in facts)
                lines += wrapped(f"{self.view.label(value)} – {said}", width, "  ", "    ")
        return lines

    def _hint(self, width: int, model: str) -> list[str]:
        """What follows from his own log, if the game is played with hints, and if the others choose so."""
        if not self.view.hints:
            said = self.language.say(N_("This game was begun without hints. A game with hints is begun with --hints."))
            return wrapped(said, width, "  ")
        lines = []
        for text in hint(self.view.player, self.language, model):
            lines += wrapped(text.strip(), width, "  " if text.startswith(" ") else "", "    ") if text else [""]
        return lines
