"""The prompt: what is offered, what can be typed at it, what a person looks up before he chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...mind.models import EVENLY, MODELS
from ...speech.language import N_, Language
from ...speech.reasons import explain
from ..common.layout import clean, columns, width_of, wrapped
from ..paper.book import Rulebook, rulebook
from ..workbench.conclusions import hint
from .menu import Menu, Unclear
from .prompt import Walk, normal
from .refusing import why_not
from .screen import Screen
from .sight import Answer, Back, Gesture, GoOn, Sight, TakeUp
from .view import View

__all__ = ["Asker", "Quit", "wants_to_quit"]


class Quit(Exception):
    """Somebody has had enough for now."""


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


class Asker:
    """The plain face: draws what one person sees, line by line, and tells what he has typed."""

    def __init__(self, view: View, screen: Screen):
        self.view, self.screen, self.language = view, screen, view.language

    def say_forced(self, taken: list) -> None:
        said = self.language.row(self.view.label(value) for value in taken)
        self.screen.text(self.language.say(N_("Only one choice is possible: {choice}."), choice=said), "  ")

    # --- the prompt ---------------------------------------------------------------------------------------------------
    def ask(self, sight: Sight, refused: Callable[[], str]) -> Gesture:
        """What this person wants to do; `refused` tells why nothing can be taken back, if that is so."""
        screen, language = self.screen, self.language
        self._show(sight)
        typed_ahead = ""  # a command that somebody typed where he was asked whether to read on
        among: tuple[int, ...] = ()  # offers that what was typed last can mean
        while True:
            typed, typed_ahead = typed_ahead or screen.read("> ", words=self._completions(sight)), ""
            if not typed and sight.menu is None:
                return GoOn()
            if not typed:
                screen.text(language.say(N_("Type a number, or the beginning of a name.")), "  ")
                continue
            command = self._command(typed, sight)
            if command == "undo":
                if not refused():
                    return Back()
                screen.text(language.say(refused()), "  ")
            elif command is not None:
                stopped = self._look_up(command, sight)
                if self._command(stopped, sight) is not None:
                    typed_ahead = stopped
                elif command != "save":
                    self._show(sight)
            else:
                found = self._read(typed, sight, among)
                if isinstance(found, tuple):
                    among = found
                else:
                    return found

    def confirm(self, why: str, what: str) -> bool:
        """Does he really want to do what is not easily made good?"""
        screen, language = self.screen, self.language
        screen.line()
        if what:
            screen.text(what, "  ", hanging="    ")
        yes = language.translate(N_("yes"))
        screen.text(
            f"{why} " + language.say(N_("Type “{yes}” if you want it; anything else goes back."), yes=yes), style="bold"
        )
        typed = screen.read("> ")
        if wants_to_quit(typed, language):
            raise Quit
        return normal(typed) in (normal(yes), "yes")

    def _show(self, sight: Sight) -> None:
        screen, language = self.screen, self.language
        screen.line()
        if sight.question:
            screen.text(sight.question, style="bold")
        if sight.heading:
            screen.text(sight.heading, style="" if sight.question else "bold")
        if sight.menu is not None:
            self._list(sight.menu, range(len(sight.offers)))
        standing = language.row(sight.words)
        if sight.menu is None:
            screen.text(
                language.say(
                    N_("Press Enter: {what}. Or type one of these: {standing}."), what=sight.goes_by, standing=standing
                ),
                style="bold",
            )
        elif standing:
            screen.text(language.say(N_("Or type one of these: {standing}."), standing=standing))
        if not self.view.hinted:
            self.view.hinted = True
            screen.text(
                language.say(
                    N_("Type a number or the beginning of a name. Also: {commands}."),
                    commands=language.row(self._known_commands()),
                ),
                style="dim",
            )

    def _list(self, menu: Menu, numbers: Iterable[int]) -> None:
        digits = len(str(len(menu.offers)))
        shown = [
            menu.offers[i].shown if menu.is_numbers else f"{i + 1:>{digits}} {menu.offers[i].shown}" for i in numbers
        ]
        self.screen.lines(columns(shown, self.screen.width))

    def _completions(self, sight: Sight) -> list[str]:
        names = [name for offer in sight.offers for name in offer.names]
        return [*names, *sight.words, *self._known_commands()]

    def _read(self, typed: str, sight: Sight, among: tuple[int, ...]) -> Gesture | tuple[int, ...]:
        """What was meant; or the offers that it can mean, after they were listed."""
        menu, screen, say = sight.menu, self.screen, self.language.say
        found = menu.read(typed, among) if menu is not None else Unclear()
        if isinstance(found, Walk):
            return Answer(found)
        if not found.found and not found.picked:
            for index, standing in enumerate(sight.standing):
                meant = [] if typed.strip().isdecimal() else standing.meant(normal(typed))
                if len(meant) == 1:
                    return TakeUp(index, standing.offers[meant[0]].walk)
        shown = clean(typed, 30)
        if found.picked:
            for text in why_not(self.view, menu.walk, found.picked):
                screen.text(text, "  ")
            return among
        if found.found or found.nearly:
            text = N_("“{text}” can mean:") if found.found else N_("“{text}” is not among the choices. Do you mean:")
            screen.text(say(text, text=shown), "  ")
            self._list(menu, found.found or found.nearly)
            return found.found or found.nearly
        if menu is None:
            text = N_("“{text}” cannot be done now. Press Enter to go on, or type one of these: {standing}.")
            screen.text(say(text, text=shown, standing=self.language.row(sight.words)), "  ")
        else:
            screen.text(
                say(
                    N_(
                        "“{text}” is not among the choices. Type a number from 1 to {most}, or the beginning of a name."
                    ),
                    text=shown,
                    most=len(menu.offers),
                ),
                "  ",
            )
        return among

    # --- commands -----------------------------------------------------------------------------------------------------
    def _known_commands(self) -> list[str]:
        screens = self.view.notebook.screens
        hidden = {"mission"} if screens.table is None else set()
        hidden |= {"map"} if self.view.board is None else set()
        hidden |= set() if self.view.hints else {"hint"}
        return [self._word(name) for name in COMMANDS if name not in hidden]

    def _word(self, name: str) -> str:
        return self.language.pgettext("command", name) or name

    def _command(self, typed: str, sight: Sight) -> str | None:
        entry = normal(typed)
        if any(normal(name) == entry for offer in sight.offers for name in offer.names):
            return None  # a choice of that very name
        first, _, model = entry.partition(" ")
        if model in MODELS and first in ("hint", normal(self._word("hint"))):
            return f"hint {model}"
        return next((name for name in COMMANDS if entry in (name, normal(self._word(name)))), None)

    def _look_up(self, command: str, sight: Sight) -> str:
        """Tells what was asked for; what was typed instead of reading on, if anything."""
        screen, language, notebook = self.screen, self.language, self.view.notebook
        known, width = self.view.known(), screen.width
        if command == "quit":
            raise Quit
        if command == "save":
            screen.text(
                language.say(N_("Everything is saved already, after each decision: {file}"), file=str(self.view.saved)),
                "  ",
            )
            return ""
        lines: list[str] = []
        if command == "?":
            for walk in [menu.walk for menu in (sight.menu, *sight.standing) if menu is not None]:
                name = walk.alternative.name if walk.alternative else ""
                for text in explain(self.view.game, walk.step, language, name):
                    lines += wrapped(text, width, "  ")
            lines = lines or wrapped(language.say(N_("No rule text stands beside this choice.")), width, "  ")
            lines += self._facts(sight)
            lines += wrapped(
                language.say(
                    N_("Type a number or the beginning of a name. Also: {commands}."),
                    commands=language.row(self._known_commands()),
                ),
                width,
                "  ",
            )
        elif command == "map":
            nothing = wrapped(language.say(N_("This game has no board.")), width, "  ")
            lines = self.view.picture(screen) or nothing
        elif command == "notes":
            lines, also = notebook.notes(known, width), self.view.also_shown()
            lines += [""] if lines and also else []
            lines += [part for text in also for part in wrapped(text, width, "  ", "    ")]
            lines = lines or wrapped(language.say(N_("Your notes are still empty.")), width, "  ")
        elif command == "mission":
            certain, lines = self.view.certain(), notebook.table(known, width)
            heading = N_("As far as you know, it can be:") if lines else N_("There is nothing to look up.")
            lines = [*(part for text in certain for part in wrapped(text, width)), language.say(heading), *lines]
        elif command.startswith("hint"):
            lines = self._hint(width, command.partition(" ")[2] or EVENLY)
        elif command == "rules":
            for text in rulebook(self.view.game, language, "text", width).splitlines():
                lines += [text] if width_of(text) <= width else wrapped(text, width)
        elif command == "log":
            for turn in self.view.history:
                lines += [part for text in turn.lines for part in wrapped(text, width, "  ", "    ")] + [""]
        screen.line()
        return screen.pages(lines, language.say(N_("Press Enter for more, or type anything to stop.")) + " ")

    def _facts(self, sight: Sight) -> list[str]:
        """What the rules say of each thing that can be chosen."""
        book, lines = Rulebook(self.view.game, self.language), []
        atoms = [atom for offer in sight.offers for atom in offer.atoms if not self.view.is_alternative(atom)]
        for value in dict.fromkeys(atoms):
            facts = book.facts(value)
            if facts:
                said = " · ".join(self.language.labelled(title, cell) for title, cell in facts)
                lines += wrapped(f"{self.view.label(value)} – {said}", self.screen.width, "  ", "    ")
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
