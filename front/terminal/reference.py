"""What a person looks up before he decides: rules, notes, goals, hints. It takes much that no question needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from ...interpreter import Game
from ...mind.kinds import EVENLY
from ...speech.conditions import chart_for
from ...speech.language import N_, Language
from ...speech.reasons import before, explain, outcomes
from ..common.layout import width_of, wrapped
from ..paper.book import Rulebook, rulebook
from ..paper.map import draw
from ..workbench.conclusions import hint
from .aims import aims
from .ruin import is_ruin
from .sight import Sight
from .view import View

if TYPE_CHECKING:
    from .lookup import Lookup

__all__ = ["Reference", "get_ready", "is_ruin"]


@lru_cache(maxsize=4)
def _rules(game: Game, code: str, width: int) -> tuple[str, ...]:
    """The rulebook in lines of this width: it stays as it is."""
    written = rulebook(game, Language(code), "text", width).splitlines()
    return tuple(part for text in written for part in ([text] if width_of(text) <= width else wrapped(text, width)))


def get_ready(game: Game, language: Language, width: int) -> None:
    """Make what takes long to make when it is first looked up: rules, the grammar of goals, the map as a page."""
    if game.screens.table is not None:
        chart_for(game, language)
    _rules(game, language.code, width)
    draw(game, {}, width, lang=language)


class Reference:
    def __init__(self, view: View, looks: Lookup):
        self.view, self.looks, self.language = view, looks, view.language

    def lines(self, command: str, sight: Sight, width: int, picture: Callable[[], list[str]]) -> list[str]:
        """What was asked for, in lines of at most this width."""
        language, notebook, known = self.language, self.view.notebook, self.view.known()
        lines: list[str] = []
        if command == "?":
            for walk in [menu.walk for menu in (sight.menu, *sight.standing) if menu is not None]:
                name = walk.alternative.name if walk.alternative else ""
                told = explain(self.view.game, walk.step, language, name)
                for text in told or before(self.view.game, walk.step, language):
                    lines += wrapped(text, width, "  ")
            lines += self._facts(sight, width)
            lines = lines or wrapped(language.say(N_("No rule text stands beside this choice.")), width, "  ")
            lines += wrapped(
                language.say(
                    N_("Type a number, or how your choice begins. Also: {commands}."),
                    commands=language.row(self.looks.words()),
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
            lines, nothing = notebook.table(known, width, possible), [language.say(N_("There is nothing to look up."))]
            sought = [language.labelled(title, name) for title, name in notebook.looked_for(known)]
            decided = aims(self.view.game, self.view.language)
            told = [part for text in (*sought, *decided, *certain) for part in wrapped(text, width)]
            if lines and (not certain or possible is None or len(possible) > 1):  # else it is told already
                told += [*wrapped(language.say(N_("As far as you know, these are possible:")), width), *lines]
            lines = told or nothing
        elif command.startswith("hint"):
            lines = self._hint(width, command.partition(" ")[2] or EVENLY)
        elif command == "rules":
            lines = [*_rules(self.view.game, language.code, width)]
        elif command == "log":
            for turn in self.view.history:
                lines += [part for text in turn.lines for part in wrapped(text, width, "  ", "    ")] + [""]
        return lines

    def _notes(self, written: str, width: int) -> list[str]:
        """The notebook: what was shown, then what he has noted himself; or what he writes into it now."""
        marks, word = self.view.marks, self.looks.word("notes")
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
        step = sight.menu.walk.step if sight.menu is not None else None
        follows = outcomes(self.view.game, step, self.language) if step is not None else {}
        for value in dict.fromkeys(atoms):
            facts = book.facts(value)
            if facts or value in follows:
                said = " · ".join(self.language.labelled(title, cell) for title, cell in facts)
                named = f"{self.view.label(value)} – {said}" if said else self.view.label(value)
                lines += wrapped(named, width, "  ", "    ")
                lines += wrapped(follows[value], width, "    ") if value in follows else []
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
