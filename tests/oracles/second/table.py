"""A table at which a game is told: who is asked what, what falls by chance, and what each seat gets to know.

A game is a generator. It yields a `Question` (someone chooses) or a `Fall` (chance decides), is sent what was chosen or what
fell, and tells the seats what they see of it. It ends by raising `Ended`.
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Choice = tuple[Any, ...]
Course = Generator[Any, Any, Any]

IDENTITIES = ("lord_fiddlebottom", "colonel_bubble", "madame_zsa_zsa", "agent_x")
TEAMS = (frozenset(IDENTITIES[:2]), frozenset(IDENTITIES[2:]))  # 000-2, 001-9, 002-48, 003-6, 004-3
COLOURS = ("red", "blue", "green", "yellow")  # clockwise round the table


@dataclass(frozen=True)
class Question:
    """It is for `seat` to choose one of `choices`, and these are all."""

    seat: str
    about: str
    choices: frozenset[Choice]


@dataclass(frozen=True)
class Fall:
    """Chance decides: everything that can fall, and how likely it is."""

    chances: dict[str, Fraction]


class Ended(Exception):
    """A game is over; `winners` is empty for a draw."""

    def __init__(self, why: str, winners: Iterable[str], penalised: str = "") -> None:
        self.why, self.winners, self.penalised = why, frozenset(winners), penalised


def partner(identity: str) -> str:
    """Who belongs to an identity (000-2, 001-9, 003-6)."""
    (team,) = (team for team in TEAMS if identity in team)
    (other,) = team - {identity}
    return other


def evenly(outcomes: Iterable[str]) -> Fall:
    """Each of these is as likely as the others."""
    possible = list(outcomes)
    return Fall({outcome: Fraction(1, len(possible)) for outcome in possible})


class Table:
    """Seats, options and news; the games of the family stand on it."""

    def __init__(self, spies: tuple[str, ...], others: tuple[str, ...], options: dict[str, Any]) -> None:
        self.spies, self.seats = spies, spies + others
        self.option = options
        self.news: dict[str, list[Choice]] = {seat: [] for seat in self.seats}
        self.points: dict[str, int] = {seat: 0 for seat in self.seats}
        self.winners: frozenset[str] | None = None
        self.ends: list[str] = []  # why each game was won

    def tell(self, seats: Iterable[str], *event: Any) -> None:
        """These seats see something, once each."""
        for seat in dict.fromkeys(seats):
            if seat in self.news:
                self.news[seat].append(event)

    def tell_all(self, *event: Any) -> None:
        self.tell(self.seats, *event)

    def ask(self, seat: str, about: str, choices: Iterable[Choice]) -> Course:
        return (yield Question(seat, about, frozenset(choices)))

    def deal(self, kind: str, cards: Iterable[str], hands: Iterable[str]) -> Course:
        """One card for each hand, face down: only who gets it sees it (000-26, 000-28, 001-15, 002-11, 003-9, 004-1)."""
        left, dealt = list(cards), {}
        for hand in hands:
            card = yield evenly(left)
            left.remove(card)
            dealt[hand] = card
            self.tell([hand], "is dealt", hand, kind, card)
        return dealt

    def one_game(self) -> Course:
        raise NotImplementedError

    def play(self) -> Course:
        """One game, or as many as it takes to reach the points that win (001-52, 003-20, 003-28)."""
        while self.winners is None:
            try:
                yield from self.one_game()
            except Ended as end:
                self.ends.append(end.why)
                self.tell_all("game won", end.winners)
                for seat in self.seats:
                    gain = (seat in end.winners) - (seat == end.penalised) * self.option.get("penalty", 0)
                    if gain:
                        self.points[seat] += gain
                        self.tell_all("points", seat, self.points[seat])
                target = self.option["points_to_win"]
                leaders = frozenset(seat for seat in self.seats if self.points[seat] >= target)
                if target == 1 or leaders:
                    self.winners = end.winners if target == 1 else leaders
                    self.tell_all("won", self.winners)
