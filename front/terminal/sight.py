"""What a person sees when it is for him to decide, as data: faces draw it and report gestures.

It is made of his `View`, and so of his `Player` alone. A face needs nothing else of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...interpreter import Question
from ...speech.language import N_
from .menu import Menu, Offer
from .prompt import Walk
from .prompt import question as put
from .turns import Turn
from .view import MOVES, ON_THE_BOARD, View

__all__ = ["Answer", "Back", "GoOn", "Gesture", "Sight", "TakeUp", "asked_of", "sight_of"]


# --- gestures ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Answer:
    """Further parts of the choice, or all of it."""

    walk: Walk


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Something that stands open: the question, and the answer to it as far as it is given."""

    standing: int  # the place in `Sight.standing`
    walk: Walk


@dataclass(frozen=True, slots=True)
class Back:
    """One step back."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """What stands open goes by."""


Gesture = Answer | TakeUp | Back | GoOn


# --- what is seen -----------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Sight:
    view: View
    facts: list[tuple[str, str]]  # secrets, then what lies open: what it is, and what it is now
    certain: list[str]  # what follows from all that he has seen
    question: str  # nothing, if only what stands open can be decided
    heading: str  # what is to be chosen
    menu: Menu | None
    standing: list[Menu]  # questions that pass by themselves, if nobody takes them up: the earliest first
    goes_by: str = ""  # what it means to let them go by, where that is all there is to decide
    asks: Sequence[str] = ()  # what stands open, as questions
    told: Sequence[str] = ()  # what somebody who explains the game says to it
    stays: Callable[[Walk], bool] = lambda walk: False  # can this choice not be taken back, once it is made?

    @property
    def offers(self) -> list[Offer]:
        return self.menu.offers if self.menu is not None else []

    @property
    def words(self) -> list[str]:
        """What can be done besides answering."""
        return [offer.label for menu in self.standing for offer in menu.offers]

    @property
    def touched(self) -> dict[int, int]:
        """By things on the board, the number of the first offer that is about them."""
        found: dict[int, int] = {}
        for number, offer in enumerate(self.offers, 1):
            for atom in offer.atoms:
                found.setdefault(atom, number)
        return found

    def turns(self, since: int = 0) -> Sequence[Turn]:
        return self.view.history[since:]


def sight_of(view: View, asked: Question, walk: Walk | None, standing: Sequence[tuple[Question, Walk]]) -> Sight:
    """What somebody sees who has come so far with his choice; without one, only what stands open is to be decided."""
    known = view.known()
    menus = [
        _without_passing(Menu(view, open_walk, flat=False), open_question) for open_question, open_walk in standing
    ]
    facts = [*view.notebook.secrets(known), *view.notebook.public(known)]
    if walk is None:
        way = next(a for a in asked.step.alternatives if a.passes)
        asks = [put(question, begun, view.narrator, view.language) for question, begun in standing]
        return Sight(view, facts, view.certain(), "", "", None, menus, view.label(way.atom), asks)
    return Sight(view, facts, view.certain(), *asked_of(view, asked, walk), Menu(view, walk), menus)


def asked_of(view: View, asked: Question, walk: Walk) -> tuple[str, str]:
    """The question to somebody who has come so far with his choice, and what is to be chosen next."""
    said = put(asked, walk, view.narrator, view.language)
    says_all = walk.done or walk.is_fresh and walk.step.prompt and walk.shape in ("alternative", "one")
    return said, "" if says_all else _heading(view, walk)


def _without_passing(menu: Menu, asked: Question) -> Menu:
    passing = asked.passing
    menu.offers = [offer for offer in menu.offers if passing is None or offer.atoms[:1] != passing[:1]]
    return menu


def _heading(view: View, walk: Walk) -> str:
    language, shape = view.language, walk.shape
    if shape == "alternative":
        return language.say(N_("What do you do?"))
    kind = view.narrator.kind(walk.part.var.type if shape != "match" else walk.part.var.type.of)
    if shape == "match":
        name = view.narrator.name(_receiver(walk))("list")
        return language.say(N_("Choose, for {name}: {kind}"), kind=kind, name=name)
    if shape == "some":
        sizes = sorted({len(choice[walk.place]) for choice in walk.left})
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
    rank = view.rank(walk.part)
    if rank == MOVES:
        return language.say(N_("Which piece?"))
    if rank == ON_THE_BOARD:
        moves = any(part is not None and view.rank(part) == MOVES for part in walk.parts)
        return language.say(N_("Where to?") if moves else N_("Where?"))
    if walk.part.var.type.atoms and walk.part.var.type.atoms <= set(view.game.vocabulary.seats):
        return language.say(N_("Which player?"))
    return language.say(N_("Choose: {kind}"), kind=kind)


def _receiver(walk: Walk) -> Any:
    return walk.receiver
