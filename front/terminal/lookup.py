"""What can be typed beside a choice, to look something up, whichever face hears it."""

from __future__ import annotations

from collections.abc import Callable

from ...interpreter.model import Choice
from ...mind.kinds import MODELS
from ...speech.language import N_, Language
from .prompt import normal
from .sight import Sight
from .view import View

__all__ = ["COMMANDS", "KEYS", "Lookup", "key_of", "wants_to_quit"]


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
# At the full screen they have keys.
KEYS = (("f1", "?"), ("f2", "notes"), ("f3", "mission"), ("f4", "hint"), ("f5", "rules"), ("f6", "log"), ("f7", "map"))


def key_of(command: str) -> str:
    """What is said where something is left out: with which key all of it is looked up."""
    return next(f"… {key.upper()}" for key, name in KEYS if name == command)


def wants_to_quit(typed: str, language: Language) -> bool:
    """Is this the word that leaves the game? It counts also where only Enter is waited for."""
    return normal(typed) in ("quit", normal(language.pgettext("command", "quit") or "quit"))


class Lookup:
    def __init__(self, view: View):
        self.view, self.language = view, view.language

    def words(self) -> list[str]:
        """What can be typed in this game."""
        hidden = {"map"} if self.view.board is None else set()
        hidden |= set() if self.view.hints else {"hint"}
        return [self.word(name) for name in COMMANDS if name not in hidden]

    def word(self, name: str) -> str:
        return self.language.pgettext("command", name) or name

    def command(self, typed: str, sight: Sight) -> str | None:
        """Which of the commands was typed; None, if that is a choice, or none of them."""
        entry = normal(typed)
        if any(normal(name) == entry for offer in sight.offers for name in offer.names):
            return None  # a choice of that very name
        first, _, model = entry.partition(" ")
        if model in MODELS and first in ("hint", normal(self.word("hint"))):
            return f"hint {model}"
        if model and first in ("notes", normal(self.word("notes"))):
            return "notes " + typed.replace("\u3000", " ").split(None, 1)[1]
        return next((name for name in COMMANDS if entry in (name, normal(self.word(name)))), None)

    def begun(self, typed: str) -> str | None:
        """The command that begins so, where nothing else does and only one; what leaves the game is typed whole."""
        entry = normal(typed)
        names = [name for name in COMMANDS if name not in ("?", "quit") and self.word(name) in self.words()]
        found = [n for n in names if n.startswith(entry) or normal(self.word(n)).startswith(entry)]
        return found[0] if len(entry) > 2 and len(found) == 1 else None

    def saved(self) -> str:
        """Where the game is saved."""
        return self.language.say(
            N_("Everything is saved already, after each decision: {file}"), file=str(self.view.saved)
        )

    def get_ready(self, width: int) -> None:
        """While nobody waits for it: then what is looked up is there at once."""
        from .reference import get_ready

        get_ready(self.view.game, self.language, width)

    def lines(self, command: str, sight: Sight, width: int, picture: Callable[[], list[str]]) -> list[str]:
        """What was asked for, in lines of at most this width."""
        from .reference import Reference

        return Reference(self.view, self).lines(command, sight, width, picture)

    def is_ruin(self, choice: Choice) -> bool:
        """Does it surely lose a game that would go on otherwise, by all that he has seen?"""
        from .reference import is_ruin

        return is_ruin(self.view.player, choice, self.view.legal())
