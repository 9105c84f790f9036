"""Kuhn poker by hand: three cards, one each, an ante of one, and a single bet of one.

A bet is also a call, a pass also a fold. `new(seed)` deals from the seed; `new()` leaves the two cards to chance.
"""

from fractions import Fraction
from random import Random

from tabarro.tests.oracles import Result

SEATS = ("first", "second")
CARDS = ("jack", "queen", "king")
RANK = {card: rank for rank, card in enumerate(CARDS)}
DEALS = [(one, other) for one in CARDS for other in CARDS if one != other]
PASS, BET = ("pass",), ("bet",)
# What the first seat wins by each finished row of bets: of the pot when somebody folds, else of the higher card.
FOLDED = {(PASS, BET, PASS): -1, (BET, PASS): 1}
SHOWN = {(PASS, PASS): 1, (PASS, BET, BET): 2, (BET, BET): 2}
FINISHED = FOLDED.keys() | SHOWN.keys()


class Kuhn:
    __slots__ = ("cards", "bets", "over")

    def __init__(self, cards: tuple[str, ...] = ()):
        self.cards = cards
        self.bets = ()
        self.over = False

    @classmethod
    def new(cls, seed: int | None = None) -> "Kuhn":
        return cls() if seed is None else cls.dealt(Random(seed))

    @classmethod
    def dealt(cls, rng: Random) -> "Kuhn":
        return cls(DEALS[int(rng.random() * len(DEALS))])

    @property
    def actor(self) -> str | None:
        if self.over:
            return None
        return SEATS[len(self.bets) % 2] if len(self.cards) == 2 else "chance"

    @property
    def result(self) -> Result | None:
        if not self.over:
            return None
        first, second = SEATS
        won = FOLDED.get(self.bets)
        if won is None:
            one, other = self.cards
            won = SHOWN[self.bets] if RANK[one] > RANK[other] else -SHOWN[self.bets]
        return Result((first if won > 0 else second,), {first: won, second: -won})

    def chances(self) -> list[tuple[tuple, Fraction]]:
        left = [card for card in CARDS if card not in self.cards]
        return [((card,), Fraction(1, len(left))) for card in left]

    def legal(self) -> list[tuple]:
        if self.over:
            return []
        if len(self.cards) < 2:
            return [(card,) for card in CARDS if card not in self.cards]
        return [PASS, BET]

    def sample(self, rng: Random) -> tuple:
        return rng.choice(self.legal())

    def apply(self, choice: tuple) -> None:
        if len(self.cards) < 2:
            if choice[0] not in RANK or choice[0] in self.cards:
                raise ValueError(f"{choice} cannot be dealt")
            self.cards += choice
            return
        if self.over or choice not in (PASS, BET):
            raise ValueError(f"{choice} is not legal")
        self.bets += (choice,)
        self.over = self.bets in FINISHED

    def clone(self) -> "Kuhn":
        copy = Kuhn.__new__(Kuhn)
        copy.cards = self.cards
        copy.bets = self.bets
        copy.over = self.over
        return copy

    def log(self, seat: str) -> list:
        """What the seat has seen: its own card, and all bets."""
        place = SEATS.index(seat)
        return [*self.cards[place : place + 1], *self.bets]
