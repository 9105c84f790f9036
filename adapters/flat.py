"""Choices in small pieces: what is chosen one after the other in a rule is chosen one after the other here.

A choice of the interpreter may have several parts, some of them sets; counted as wholes there can be tens of thousands,
and another position has others. In pieces there are as many as the game has things that can be chosen, and the number
of a piece follows from the rules: it is the same in every position, on every machine, as long as the rules are the
same.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..interpreter import CHANCE, Choice, Game, State
from ..interpreter.model import Expr, Part, Step, Type, walk

__all__ = ["ENOUGH", "Actions", "Flat"]

ENOUGH = 0  # the number of the piece that says: this is all of the set
EVEN = Fraction(1)
Piece = tuple[str, int]  # a thing by its number, or a number


class Actions:
    """The pieces of which the choices of a game are made, each with its number; `ENOUGH` is the first."""

    def __init__(self, game: Game):
        self.game = game
        if any(node.planned for node in game.program.nodes):
            game.workshop.library()  # compiled beside: only what a plan leaves open takes long to list
        things: set[int] = set()
        numbers: set[int] = set()
        for rule in game.program.rules.values():
            for step in walk(rule.steps):
                for kind, source in _offered(step):
                    things |= kind.atoms
                    if kind.kind == "number":
                        numbers |= _numbers(source)
                things |= {alternative.atom for alternative in step.alternatives}
        pieces = [("thing", atom) for atom in sorted(things)] + [("number", n) for n in sorted(numbers)]
        self.pieces: list[Piece] = [("enough", 0), *pieces]
        self.ids = {piece: number for number, piece in enumerate(self.pieces)}
        self._things = {value: number for (kind, value), number in self.ids.items() if kind == "thing"}

    def __len__(self) -> int:
        return len(self.pieces)

    def name(self, action: int) -> str:
        """What a piece is called."""
        kind, value = self.pieces[action]
        return self.game.vocabulary.atoms[value].name if kind == "thing" else str(value) if kind == "number" else "."

    def of(self, choice: Choice) -> tuple[int, ...]:
        """The pieces of a choice, in order; a set ends with `ENOUGH`."""
        found: list[int] = []
        for part in choice:
            if type(part) is int:
                found.append(self._things[part])
            elif not isinstance(part, tuple):
                found.append(self._number(part))
            elif not part or type(part[0]) is int:
                found += map(self._things.__getitem__, part)
                found.append(ENOUGH)
            else:
                found += map(self._number, part)
                found.append(ENOUGH)
        return tuple(found)

    def _number(self, value: int) -> int:
        try:
            return self.ids["number", int(value)]
        except KeyError:
            raise ValueError(f"{value} can be chosen here, but has no number as an action: it is too large") from None


def _offered(step: Step) -> Iterator[tuple[Type, Expr]]:
    """What can be chosen, drawn or dealt in a step: the kind of its elements, and the expression for all of them."""
    parts: list[Part] = [*step.parts, *(part for a in step.alternatives for part in a.parts)]
    sources = [e for part in parts for e in (part.source, part.onto) if e is not None]
    sources += [step.at[key] for key in ("from", "deal", "shuffle") if key in step.at and step.verb in DRAWN]
    for source in sources:
        if source.type.of is not None:
            yield source.type.of, source


DRAWN = ("draw", "deal", "shuffle")


def _numbers(source: Expr) -> set[int]:
    """The numbers that may be chosen from this expression: those between fixed bounds; otherwise the usual ones."""
    if source.op == "range" and all(bound.op == "const" for bound in source.args):
        least, most = (bound.args[0] for bound in source.args)
        return set(range(least, most + 1))
    return set(range(-MOST_NUMBER, MOST_NUMBER + 1))


MOST_NUMBER = 100  # where the rules do not say how large the numbers are that can be chosen


class Flat:
    """A state in which choices are made piece by piece. Chance is a player like any other: see `chances`."""

    __slots__ = ("actions", "done", "state", "_open")

    def __init__(self, state: State, actions: Actions):
        self.state, self.actions = state, actions
        self.done: tuple[int, ...] = ()  # the pieces of the choice that is being made
        self._open: list[tuple[tuple[int, ...], Choice, Fraction]] | None = None

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def actor(self) -> str | None:
        """The seat that decides now, CHANCE, or None when the game is over."""
        return self.state.actor

    def _choices(self) -> list[tuple[tuple[int, ...], Choice, Fraction]]:
        """What can still be chosen, after the pieces that are done."""
        if self._open is None:
            state = self.state
            pieces = self.actions.of
            if state.actor == CHANCE:
                self._open = [(pieces(choice), choice, weight) for choice, weight in state.chances()]
            else:
                self._open = [(pieces(choice), choice, EVEN) for choice in state.legal()]
        return self._open

    def legal(self) -> list[int]:
        """The pieces that may come next, in the order of their numbers."""
        at = len(self.done)
        return sorted({pieces[at] for pieces, _, _ in self._choices()})

    def chances(self) -> list[tuple[int, float]]:
        """Where chance decides: the pieces that may come next, and how likely they are."""
        at, found = len(self.done), dict[int, Fraction]()
        for pieces, _, weight in self._choices():
            found[pieces[at]] = found.get(pieces[at], Fraction(0)) + weight
        whole = sum(found.values(), Fraction(0))
        return [(piece, float(weight / whole)) for piece, weight in sorted(found.items())]

    def apply(self, action: int) -> Choice | None:
        """Take the next piece; when it was the last one, the choice that is made by it."""
        at = len(self.done)
        left = [one for one in self._choices() if one[0][at] == action]
        if not left:
            raise ValueError(f"{action} cannot be chosen now; these can: {self.legal()}")
        self.done += (action,)
        while len(left[0][0]) > len(self.done) and all(one[0][len(self.done)] == ENOUGH for one in left):
            self.done += (ENOUGH,)  # there is nothing to decide
        self._open = left
        if len(left[0][0]) > len(self.done):
            return None
        choice = left[0][1]
        self.state.apply(choice, trusted=True)
        self.done, self._open = (), None
        return choice

    def __deepcopy__(self, memo: object) -> Flat:
        return self.clone()

    def clone(self) -> Flat:
        copy = Flat(self.state.clone(), self.actions)
        copy.done, copy._open = self.done, self._open
        return copy
