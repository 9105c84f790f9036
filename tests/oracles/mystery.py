"""The little mystery by hand, in names: a solution aside, two cards for each of three players.

`chances()` gives the cards one by one: the culprit, the evidence, two cards for each player in order, who begins.
"""

from fractions import Fraction

from tabarro.tests.oracles import Result

SEATS = ("ada", "ben", "cleo")
SUSPECTS = ("baker", "gardener", "painter", "captain")
CLUES = ("candle", "rope", "vase", "letter")
PAIRS = [(suspect, clue) for suspect in SUSPECTS for clue in CLUES]


class Mystery:
    def __init__(self):
        self.drawn = []  # culprit, evidence, then six cards
        self.hands = {seat: set() for seat in SEATS}
        self.first = None
        self.turn = None  # whose turn it is
        self.asked = None  # the suspect and the clue named in this turn
        self.answers = None  # who has to show a card
        self.out = set()
        self.winner = None
        self.over = False

    @property
    def actor(self) -> str | None:
        if self.over:
            return None
        if self.turn is None:
            return "chance"
        return self.answers or self.turn

    @property
    def result(self) -> Result | None:
        if not self.over:
            return None
        return Result((self.winner,) if self.winner else (), {seat: int(seat == self.winner) for seat in SEATS})

    @property
    def solution(self) -> tuple[str, str]:
        return self.drawn[0], self.drawn[1]

    def chances(self) -> list[tuple[tuple, Fraction]]:
        pools = [SUSPECTS, CLUES] + [SUSPECTS + CLUES] * 6 + [SEATS]
        left = [x for x in pools[len(self.drawn)] if x not in self.drawn]
        return [((x,), Fraction(1, len(left))) for x in left]

    def legal(self) -> list[tuple]:
        if self.over:
            return []
        if self.turn is None:
            return [choice for choice, _ in self.chances()]
        if self.asked is None:
            return list(PAIRS)
        if self.answers is not None:
            return [(card,) for card in self.hands[self.answers] & set(self.asked)]
        return [("wait",)] + [("accuse", *pair) for pair in PAIRS]

    def apply(self, choice: tuple) -> None:
        if choice not in self.legal():
            raise ValueError(choice)
        if self.turn is None:
            self._chance(choice[0])
        elif self.asked is None:
            self.asked = choice
            self.answers = next((s for s in self._after(self.turn) if self.hands[s] & set(choice)), None)
        elif self.answers is not None:
            self.answers = None
        else:
            if choice[0] == "accuse":
                if choice[1:] == self.solution:
                    self.winner, self.over = self.turn, True
                    return
                self.out.add(self.turn)
            self.asked = None
            self.turn = next((s for s in (*self._after(self.turn), self.turn) if s not in self.out), None)
            self.over = self.turn is None

    def _chance(self, name: str) -> None:
        if len(self.drawn) == 8:
            self.first = self.turn = name
            return
        if len(self.drawn) >= 2:
            self.hands[SEATS[(len(self.drawn) - 2) // 2]].add(name)
        self.drawn.append(name)

    @staticmethod
    def _after(seat: str) -> tuple[str, str]:
        place = SEATS.index(seat)
        return SEATS[(place + 1) % 3], SEATS[(place + 2) % 3]
