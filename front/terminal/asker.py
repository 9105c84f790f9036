"""The prompt: what is offered, what can be typed at it, what a person looks up before he chooses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...interpreter.runtime import Number
from ...mind.models import EVENLY, MODELS
from ...speech.language import N_, Language
from ...speech.reasons import explain
from ..common.layout import clean, columns, width_of, wrapped
from ..paper.book import Rulebook, rulebook
from ..workbench.conclusions import hint
from .prompt import STOP, Walk, meant, normal, question, several
from .screen import Screen
from .view import View

__all__ = ["BACK", "Asker", "Quit", "wants_to_quit"]

BACK = object()  # one step back, please


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
    """Asks one person about one decision."""

    def __init__(self, view: View, screen: Screen):
        self.view, self.screen, self.language = view, screen, view.language
        self.question = view.player.question()

    def walk(self) -> Walk:
        """His choice, of which nothing is made yet."""
        return Walk(self.question.step, tuple(self.view.player.legal()))

    def say_forced(self, taken: list) -> None:
        said = self.language.row(self._label(value) for value in taken)
        self.screen.text(self.language.say(N_("Only one choice is possible: {choice}."), choice=said), "  ")

    # --- the prompt ---------------------------------------------------------------------------------------------------
    def prompt(self, walk: Walk, refused: Callable[[], str]) -> Any:
        """Values to take, in order; or BACK, if nothing refuses that."""
        screen, language = self.screen, self.language
        offers = walk.offers()
        labels = [self._labels(value) for value in offers]
        shown = [of_one[0] + self._where(value) for of_one, value in zip(labels, offers, strict=True)]
        self._show_offers(walk, shown)
        typed_ahead = ""  # a command that somebody typed where he was asked whether to read on
        while True:
            typed, typed_ahead = typed_ahead or screen.read("> "), ""
            if not typed:
                screen.text(language.say(N_("Type a number, or the beginning of a name.")), "  ")
                continue
            command = self._command(typed, labels)
            if command == "undo":
                if not refused():
                    return BACK
                screen.text(language.say(refused()), "  ")
            elif command is not None:
                stopped = self._look_up(command, walk)
                if self._command(stopped, labels) is not None:
                    typed_ahead = stopped
                elif command != "save":
                    self._show_offers(walk, shown)
            else:
                found = self._read(typed, walk, offers, labels)
                if found is not None:
                    return found

    def _show_offers(self, walk: Walk, labels: list[str]) -> None:
        screen, language = self.screen, self.language
        screen.line()
        asked = question(self.question, walk, self.view.narrator, language)
        if asked:
            screen.text(asked, style="bold")
        says_all = walk.is_fresh and walk.step.prompt and walk.shape in ("alternative", "one")
        if not says_all:
            screen.text(self._heading(walk), style="" if asked else "bold")
        digits = len(str(len(labels)))
        numbered = [f"{number:>{digits}} {label}" for number, label in enumerate(labels, 1)]
        if any(isinstance(value, Number) for value in walk.offers()):
            numbered = labels  # a number stands for itself
        screen.lines(columns(numbered, screen.width))
        if not self.view.hinted:
            self.view.hinted = True
            screen.text(
                language.say(
                    N_("Type a number or the beginning of a name. Also: {commands}."),
                    commands=language.row(self._known_commands()),
                ),
                style="dim",
            )

    def _heading(self, walk: Walk) -> str:
        language, shape = self.language, walk.shape
        if shape == "alternative":
            return language.say(N_("What do you do?"))
        kind = self.view.narrator.kind(walk.part.var.type if shape != "match" else walk.part.var.type.of)
        if shape == "match":
            name = self.view.narrator.name(walk.receiver)("list")
            return language.say(N_("Choose, for {name}: {kind}"), kind=kind, name=name)
        if shape == "some":
            here = len(walk.settled)
            sizes = sorted({len(choice[here]) for choice in walk.left})
            if len(sizes) == 1:
                left = sizes[0] - len(walk.partial)
                if left == 1:  # not by a plural form: a language without one would speak of several numbers
                    return language.say(N_("Choose 1 more:") if walk.partial else N_("Choose 1:"))
                if walk.partial:
                    return language.ngettext(
                        "Choose {number} more:", "Choose {number} more, or several numbers at once:", left
                    )
                return language.ngettext(
                    "Choose {number}:", "Choose {number}, one after the other or several numbers at once:", left
                )
            return language.say(N_("Choose one after the other, or several numbers at once:"))
        return language.say(N_("Choose: {kind}"), kind=kind)

    def _labels(self, value: Any) -> list[str]:
        """What an offer is called: as it is shown, and as the rules call it."""
        label = self._label(value)
        if value is STOP:
            return [label, "done"]
        if isinstance(value, Number):
            return [label, str(int(value))]
        return [label, self.view.game.vocabulary.atoms[value].name]

    def _label(self, value: Any) -> str:
        if value is STOP:
            return self.language.say(N_("that is enough"))
        if isinstance(value, Number):
            return self.language.number(int(value))
        label = self.view.narrator.name(value)("list")
        return label[:1].upper() + label[1:] if self._is_alternative(value) else label

    def _is_alternative(self, value: int) -> bool:
        return (
            not isinstance(value, Number)
            and self.view.game.vocabulary.atoms[value].set not in self.view.game.vocabulary.sets
        )

    def _where(self, value: Any) -> str:
        """Behind the name of a piece, where it stands; behind that of a space, its number and who stands there."""
        board, words = self.view.board, self.view.game.vocabulary
        if value is STOP or board is None or isinstance(value, Number):
            return ""
        name, places = self.view.narrator.name, self.view.known().get(board.pieces, {})
        if value in board.movable:
            place = places.get((words.atoms[value].name,))
            said = [name(space.atom)("list") for space in board.spaces if space.id == place]
        else:
            said = []
            for space in board.spaces if not board.grid else ():  # a board of squares is always before his eyes
                if space.atom == value:
                    said += [] if space.number is None else [self.language.number(space.number)]
                    said += [name(a)("list") for a in board.movable if places.get((words.atoms[a].name,)) == space.id]
        return f" ({self.language.row(said)})" if said else ""

    def _read(self, typed: str, walk: Walk, offers: list, labels: list[list[str]]) -> list | None:
        screen, say = self.screen, self.language.say
        plain = any(isinstance(value, Number) for value in offers)
        if plain and (named := _by_value(typed, offers)):
            return self._pick(walk, named) if walk.shape == "some" else named if len(named) == 1 else None
        if walk.shape == "some" and not plain:
            numbers = several(typed, len(offers))
            if numbers is not None:
                picked = self._pick(walk, [offers[n] for n in numbers])
                if picked is None:
                    screen.text(say(N_("These cannot be chosen together. “?” tells the rule.")), "  ")
                return picked
        found = [] if plain and typed.strip().isdecimal() else meant(typed, labels)
        if len(found) == 1:
            return [offers[found[0]]]
        shown = clean(typed, 30)
        if found:
            names = [labels[i][0] for i in found[:6]] + (["…"] if len(found) > 6 else [])
            screen.text(
                say(
                    N_("“{text}” can mean: {names}. Type more of it, or a number."),
                    text=shown,
                    names=self.language.row(names),
                ),
                "  ",
            )
        else:
            screen.text(
                say(
                    N_(
                        "“{text}” is not among the choices. Type a number from 1 to {most}, or the beginning of a name."
                    ),
                    text=shown,
                    most=len(offers),
                ),
                "  ",
            )
        return None

    def _pick(self, walk: Walk, values: list) -> list | None:
        """Several things at once, if they can be chosen together."""
        part = len(walk.settled)
        for value in values:
            if len(walk.settled) != part or value not in walk.offers():
                return None
            walk = walk.take(value)
        return values

    # --- commands -----------------------------------------------------------------------------------------------------
    def _known_commands(self) -> list[str]:
        screens = self.view.notebook.screens
        hidden = {"mission"} if screens.table is None else set()
        hidden |= {"map"} if self.view.board is None else set()
        hidden |= set() if self.view.hints else {"hint"}
        return [self._word(name) for name in COMMANDS if name not in hidden]

    def _word(self, name: str) -> str:
        return self.language.pgettext("command", name) or name

    def _command(self, typed: str, labels: list[list[str]]) -> str | None:
        entry = normal(typed)
        if any(normal(label) == entry for of_one in labels for label in of_one):
            return None  # a choice of that very name
        first, _, model = entry.partition(" ")
        if model in MODELS and first in ("hint", normal(self._word("hint"))):
            return f"hint {model}"
        return next((name for name in COMMANDS if entry in (name, normal(self._word(name)))), None)

    def _look_up(self, command: str, walk: Walk) -> str:
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
            name = walk.alternative.name if walk.alternative else ""
            for text in explain(self.view.game, walk.step, language, name):
                lines += wrapped(text, width, "  ")
            lines = lines or wrapped(language.say(N_("No rule text stands beside this choice.")), width, "  ")
            lines += self._facts(walk)
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
            lines = notebook.table(known, width)
            heading = N_("As far as you know, it can be:") if lines else N_("There is nothing to look up.")
            lines = [language.say(heading), *lines]
        elif command.startswith("hint"):
            lines = self._hint(width, command.partition(" ")[2] or EVENLY)
        elif command == "rules":
            for text in rulebook(self.view.game, language, "text", width).splitlines():
                lines += [text] if width_of(text) <= width else wrapped(text, width)
        elif command == "log":
            for text in self.view.history:
                lines += wrapped(text, width, "  ", "    ")
        screen.line()
        return screen.pages(lines, language.say(N_("Press Enter for more, or type anything to stop.")) + " ")

    def _facts(self, walk: Walk) -> list[str]:
        """What the rules say of each thing that can be chosen."""
        book, lines = Rulebook(self.view.game, self.language), []
        for value in walk.offers():
            plain = value is STOP or isinstance(value, Number) or self._is_alternative(value)
            facts = [] if plain else book.facts(value)
            if facts:
                said = " · ".join(self.language.labelled(title, cell) for title, cell in facts)
                lines += wrapped(f"{self._label(value)} – {said}", self.screen.width, "  ", "    ")
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


def _by_value(typed: str, offers: list) -> list:
    """Numbers that stand for themselves, not for places in the list of what is offered."""
    entries = normal(typed).replace(",", " ").split()
    found = [value for entry in entries for value in offers if isinstance(value, Number) and str(int(value)) == entry]
    return found if len(found) == len(entries) else []
