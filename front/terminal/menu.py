"""What can be chosen at one prompt, as data: offers with their names, what they lead to and what they touch.

A choice of several parts is folded into few questions: where that stays short, alternatives and their parts stand in
one list; what moves on the board is asked for before where it goes, and what follows from both is not asked at all. A
face draws the offers and tells what was typed or pointed at; what that means is decided here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...interpreter import Game
from ...interpreter.model import Alternative, Expr, Step, walk
from ...interpreter.runtime import Number
from ...speech.language import N_
from .prompt import STOP, Walk, called, nearly, normal
from .view import MOVES, ON_THE_BOARD, View

__all__ = ["Menu", "Offer", "Unclear", "risk_of", "walk_of"]

FLAT = 20  # offers, where alternatives stand in one list with what they are about
SHORT = 16  # offers, where places do so
MANY = 10  # offers, from which on pieces are shown in groups
LOOPS = ("repeat", "for each")


@dataclass(frozen=True, slots=True)
class Offer:
    label: str  # as it is shown
    names: tuple[str, ...]  # as it can be called
    walk: Walk  # the choice after it
    atoms: tuple[int, ...]  # the things that it is about: what it touches on the board
    value: Any  # the last thing that was chosen
    where: str = ""  # behind the label: where a piece stands, who stands on a space
    details: tuple[str, ...] = ()  # the same, one by one

    @property
    def shown(self) -> str:
        return self.label + self.where


@dataclass(frozen=True, slots=True)
class Unclear:
    """What was typed can mean several offers, or none; nearly: those that are spelt like it."""

    found: tuple[int, ...] = ()
    nearly: tuple[int, ...] = ()
    together: Walk | None = None  # things that cannot be chosen together, and what was to be chosen
    picked: tuple = ()


def walk_of(view: View) -> Walk:
    """The choice that this person has to make, of which nothing is made yet."""
    return Walk(view.player.question().step, tuple(view.legal()), rank=view.rank)


class Menu:
    """All that can be chosen next on the way to a choice."""

    def __init__(self, view: View, walk: Walk, flat: bool = True):
        self.view, self.walk, self.flat = view, walk, flat
        self.offers = self._offers()
        self.is_numbers = any(isinstance(offer.value, Number) for offer in self.offers)

    @property
    def numbers(self) -> list[int]:
        """What is typed for each of them, where that is a number: squares keep theirs."""
        squares = self._squares
        return [squares.get(offer.value, n) for n, offer in enumerate(self.offers, 1)]

    @property
    def most(self) -> int:
        """The greatest number that there can be."""
        return max(self._squares.values(), default=len(self.offers))

    @property
    def _squares(self) -> Mapping[int, int]:
        squares = self.view.squares(self.walk.step) if self.walk.shape == "one" else {}
        of_one_kind = all(len(offer.atoms) == 1 and offer.atoms[0] in squares for offer in self.offers)
        return squares if of_one_kind else {}

    # --- offers -------------------------------------------------------------------------------------------------------
    def _offers(self) -> list[Offer]:
        ways: list[tuple[tuple, Walk]] = [((value,), self.walk.take(value)) for value in self.walk.offers()]
        part = self.walk.part
        if self.flat and part is None:  # what to do, and with what
            ways = _divided(_divided(ways, FLAT), SHORT)
        elif self.flat and self.view.rank(part) == MOVES:  # there was only one thing to do
            ways = _divided(ways, SHORT)
        elif self.flat and self.view.rank(part) == ON_THE_BOARD:  # where to, and whatever decides between several ways
            ways = _divided(ways, SHORT, quiet=True)
            squares = self.view.squares(self.walk.step)
            ways.sort(key=lambda way: squares.get(way[0][0], 0))
        about = {values[0] for values, _ in ways if len(values) > 1}
        if self.walk.shape == "alternative":  # what ends something comes after what goes on with it
            ways.sort(key=lambda way: way[0][0] not in about)
        # Where no question of the rules says what is done with them, each is called by it.
        named = len(about) > 1 or bool(about) and len(ways) > len(about) and not self.walk.step.prompt
        return [self._offer(values, after, named) for values, after in ways]

    def _offer(self, values: tuple, after: Walk, named: bool) -> Offer:
        """One way: by the alternative, if several of them are about something, and what it is about."""
        labels = [self.view.label(value) for value in values]
        if self.walk.shape == "alternative" and len(values) > 1:
            first, *rest = labels
            said = " · ".join(rest)
            label = self.view.language.labelled(first, said) if named else said
        else:
            label = " · ".join(labels)
        ids = [name for value in values for name in self.view.ids(value)]
        atoms = tuple(v for v in values if v is not STOP and not isinstance(v, Number))
        moves = self.walk_moves if self.walk_moves is not None else self._moving(values)
        details = self.view.where(values[-1], moves)
        ahead = after if moves in (None, values[-1]) else _forced(after)
        follows = ahead.settled[len(self.walk.settled) + len(values) :]  # what is taken with it, and not asked for
        details += [self.view.label(value) for value in follows if not isinstance(value, tuple)]
        return Offer(
            label, (label, *labels[1:], *ids), after, atoms, values[-1], self.view.aside(details), tuple(details)
        )

    @property
    def walk_moves(self) -> int | None:
        """What moves on the board, as far as that is settled."""
        return self._moving(self.walk.settled)

    def _moving(self, values: Sequence[Any]) -> int | None:
        board = self.view.board
        return next((v for v in values if board is not None and v in board.movable), None)

    def groups(self) -> list[tuple[str, list[int]]]:
        """Many pieces, by whose they are: what those of a group have in common, and the places of their offers. What is
        no such piece stands alone; nothing, if there are few offers."""
        if len(self.offers) < MANY:
            return []
        words, found = self.view.game.vocabulary, dict[int, list[int]]()
        for place, offer in enumerate(self.offers):
            whole = _piece(offer) if self.view.board is not None and _piece(offer) in self.view.board.movable else None
            parts = words.atoms[whole].parts if whole is not None else ()
            found.setdefault(parts[0] if len(parts) > 1 else -1 - place, []).append(place)
        if len(found) > len(self.offers) // 2:
            return []
        return [(self.view.label(key) if key >= 0 else "", places) for key, places in found.items()]

    def short(self, offer: Offer) -> str:
        """What a piece is called among those of one group."""
        parts = self.view.game.vocabulary.atoms[offer.atoms[-1]].parts if offer.atoms else ()
        return " ".join(self.view.narrator.name(part)("list") for part in parts[1:]) or offer.label

    # --- what was typed -----------------------------------------------------------------------------------------------
    def read(self, typed: str, among: Sequence[int] = ()) -> Walk | Unclear:
        """The choice as it is after what was typed: a number, a name, the beginnings of words, or several of them. What
        can mean several offers is looked for `among` those that were left of the last try first."""
        tokens = [token for token in re.split(r"[\s,、+]+", normal(typed)) if token]
        if not tokens:
            return Unclear()
        if self.walk.shape == "some" and (len(tokens) > 1 or self.is_numbers):
            picked = self._several(tokens)
            if picked is not None:
                return picked
        found = self.meant(" ".join(tokens))
        found = [index for index in found if index in among] or found
        if len(found) == 1:
            return self.offers[found[0]].walk
        for split in range(len(tokens) - 1, 0, -1):  # one thing after the other: a figure, then where it goes
            head = self.meant(" ".join(tokens[:split]))
            if len(head) != 1 or (after := self.offers[head[0]].walk).done:
                continue
            after = _forced(after)
            if after.done:
                continue  # nothing is left that the rest could mean
            further = Menu(self.view, after).read(" ".join(tokens[split:]))
            if isinstance(further, Walk):
                return further
            if further.found and not found:
                return self.offers[head[0]].walk  # as far as it is clear
        return Unclear(tuple(found), () if found else tuple(nearly(" ".join(tokens), (o.names for o in self.offers))))

    def meant(self, entry: str) -> list[int]:
        """Which offers are called so: by number, name, beginning of a name, beginnings of words in it."""
        if re.fullmatch(r"[0-9]{1,6}", entry):
            number = int(entry)
            if self.is_numbers:
                return [i for i, o in enumerate(self.offers) if isinstance(o.value, Number) and o.value == number]
            if 1 <= number <= self.most:  # that of something else, or of a square that is taken
                return [place for place, typed in enumerate(self.numbers) if typed == number]
        return called(entry, [offer.names for offer in self.offers])

    def _several(self, tokens: list[str]) -> Walk | Unclear | None:
        """Several things of one part, by their numbers or names; None if they do not all name one."""
        values = []
        for token in tokens:
            found = self.meant(token)
            if len(found) != 1:
                return None if not token.isdecimal() else Unclear()
            values.append(self.offers[found[0]].value)
        after, place = self.walk, len(self.walk.settled)
        for value in values:
            if len(after.settled) != place or value not in after.offers():
                return Unclear(together=self.walk, picked=tuple(values))
            after = after.take(value)
        return after


def _piece(offer: Offer) -> int | None:
    return offer.atoms[-1] if offer.atoms else None


def _divided(ways: list[tuple[tuple, Walk]], most: int, quiet: bool = False) -> list[tuple[tuple, Walk]]:
    """Each way with the next part of the choice, if there are not too many then."""
    more = []
    for values, after in ways:
        if after.done or after.shape != "one":
            more.append((values, after))
        elif quiet and len(after.offers()) == 1:  # it follows, and need not be said
            more.append((values, after.take(after.offers()[0])))
        else:
            more += [((*values, value), after.take(value)) for value in after.offers()]
    return more if len(more) <= most else ways


def _forced(walk: Walk) -> Walk:
    return walk.forced()[0]


# --- what is not easily made good -------------------------------------------------------------------------------------
def risk_of(view: View, made: Walk) -> str:
    """Why somebody is asked once more before he does this, in his language; nothing, if he is not.

    What may end a game that would go on otherwise is asked about, what the rules call rare, and what throws away
    something that lies open."""
    way: Alternative | None = made.alternative
    if way is None:
        return ""
    offered = {choice[0] for choice in view.legal()}
    others = [a for a in made.step.alternatives if a is not way and a.atom in offered]
    if not others:
        return ""
    if _may_end(way) and not all(map(_may_end, others)) and _comes_again(view.game, made.step):
        return view.language.say(N_("This ends the game.") if _must_end(way.then) else N_("This may end the game."))
    for function, _, value in (target for step in walk(way.then) for target in step.targets):
        if function in view.game.screens.public and not function.params and _is_nothing(value):
            label = view.notebook.label(function)
            lost = dict(view.notebook.public(view.known())).get(label)
            if lost:
                return view.language.say(N_("You give up: {what}."), what=lost)
    return view.language.say(N_("This cannot be taken back.")) if way.rarely > 1 else ""


def _is_nothing(value: Expr) -> bool:
    return value.op == "const" and value.args and value.args[0] in (None, (), frozenset())


def _may_end(way: Alternative) -> bool:
    """Do its own steps lead to an end of the game? What somebody may decide later on is his to answer for, unless each
    of his answers ends it."""
    seen: set[str] = set()

    def ends(steps: Sequence[Step]) -> bool:
        for step in steps:
            if step.verb == "end" or any(map(ends, step.bodies.values())):
                return True
            if step.alternatives and all(ends(other.then) for other in step.alternatives):
                return True
            if step.callee is not None and step.callee.shape not in seen:
                seen.add(step.callee.shape)
                if ends(step.callee.steps):
                    return True
        return False

    return ends(way.then)


def _must_end(steps: Sequence[Step], inside: tuple[str, ...] = ()) -> bool:
    """Is the game over when they are done, whatever is decided meanwhile?"""
    for step in steps:
        ways = [way.then for way in step.alternatives]
        if step.verb in ("ask", "plan") and ways or step.verb == "if" and "else" in step.bodies:
            ways += step.bodies.values()
        if step.verb == "call" and step.callee is not None and step.callee.shape not in inside:
            ways, inside = [step.callee.steps], (*inside, step.callee.shape)
        if step.verb == "end" or ways and all(_must_end(way, inside) for way in ways):
            return True
    return False


def _comes_again(game: Game, asked: Step) -> bool:
    """Is this asked more than once in a game: in a loop, or in a rule that is called from several places?"""
    todo, calls = [(game.program.rules[game.rulebook.start].steps, False)], Counter[str]()
    while todo:
        steps, again = todo.pop()
        for step in steps:
            if step is asked:
                if again:
                    return True
                continue
            inside = again or step.verb in LOOPS
            todo += [(body, inside) for body in step.bodies.values()]
            todo += [(way.then, inside) for way in step.alternatives]
            if step.callee is not None:
                calls[step.callee.shape] += 1
                if calls[step.callee.shape] <= 2:  # the second time it comes again
                    todo.append((step.callee.steps, inside or calls[step.callee.shape] == 2))
    return False
