"""Several things that are chosen from one list: its numbers stay, what is chosen is ticked, and can be given back."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...speech.language import N_
from .menu import Menu
from .prompt import STOP, Walk
from .refusing import why_not

__all__ = ["Picks", "has_end", "picks_of"]


def picks_of(menu: Menu | None) -> Picks | None:
    """Where several things are to be chosen."""
    return Picks(menu) if menu is not None and menu.walk.shape == "some" else None


def has_end(menu: Menu | None) -> bool:
    """Does one have to say when it is enough, since several numbers of things are possible, and could not yet?"""
    if menu is None or menu.walk.shape != "some":
        return False
    return len(_sizes(menu.walk)) > 1 and all(offer.value is not STOP for offer in menu.offers)


def _sizes(walk: Walk) -> set[int]:
    return {len(choice[walk.place]) for choice in walk.left}


class Picks:
    """What is ticked so far."""

    def __init__(self, menu: Menu):
        self.menu, self.values, self.enough = menu, list[Any](), False
        self.numbered = False  # was the last of them typed or clicked at, and not pointed at?
        self.refused = ""  # why the last one could not be ticked

    @property
    def walk(self) -> Walk:
        """The choice as it is with these."""
        return self._after(self.values, self.enough)

    @property
    def complete(self) -> bool:
        return self._is_whole(self.walk)

    @property
    def ticks(self) -> dict[int, int]:
        """How often each place is ticked."""
        counts = Counter(self.values)
        found = {place: counts[offer.value] for place, offer in enumerate(self.menu.offers) if counts[offer.value]}
        return found | ({self.end: 1} if self.enough else {})

    @property
    def end(self) -> int:
        """The place at which it is enough."""
        values = [offer.value for offer in self.menu.offers]
        return values.index(STOP) if STOP in values else len(values)

    def pick(self, place: int) -> str:
        """Ticks what stands there, or takes that back; why not, if it cannot be."""
        self.refused = self._pick(place)
        return self.refused

    def lacking(self) -> str:
        """Why these are not all: what was said last, or how many there have to be."""
        view, walk = self.menu.view, self.menu.walk
        return self.refused or " ".join(why_not(view, walk, tuple(self.values)))

    def _pick(self, place: int) -> str:
        if place == self.end:
            return self._stop()
        value, before = self.menu.offers[place].value, self.values
        if not self.enough and self._can_add(value):
            self.values = [*before, value]
        elif value in before:
            self.values = [other for other in before if other != value]
        elif max(_sizes(self.menu.walk)) == 1:
            self.values = [value]
        else:
            return self._why(*before, value)
        self.enough = False
        return ""

    def put(self, values: list[Any]) -> None:
        """All of these instead, which can be chosen together."""
        self.values, self.enough, self.refused = [*values], False, ""

    def back(self) -> bool:
        """One tick less, if there is one."""
        self.refused = ""
        if self.enough:
            self.enough = False
        elif self.values:
            self.values.pop()
        else:
            return False
        return True

    def _stop(self) -> str:
        walk = self._after(self.values)
        if self._is_whole(walk):
            return ""
        if STOP not in walk.offers():
            return " ".join(why_not(self.menu.view, self.menu.walk, tuple(self.values)))
        self.enough = not self.enough
        return ""

    def _after(self, values: list[Any], enough: bool = False) -> Walk:
        walk = self.menu.walk
        for value in values:
            walk = walk.take(value)
        return walk.take(STOP) if enough else walk

    def _is_whole(self, walk: Walk) -> bool:
        return len(walk.settled) > len(self.menu.walk.settled)

    def _can_add(self, value: Any) -> bool:
        walk = self._after(self.values)
        return not self._is_whole(walk) and value in walk.offers()

    def _why(self, *values: Any) -> str:
        view, walk = self.menu.view, self.menu.walk
        if len(values) in _sizes(walk) or len(values) > max(_sizes(walk)):
            return " ".join(why_not(view, walk, values))
        return view.language.say(N_("These cannot be chosen together. “?” tells the rule."))
