"""Tic-tac-toe by hand. A choice is `(square,)`, the squares numbered 0 to 8 in reading order."""

from random import Random

from tabarro.tests.oracles import Result

SEATS = ("cross", "nought")
CHOICES = [(square,) for square in range(9)]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
# For each square the two other squares of every line through it: only these can be completed by a mark there.
PAIRS = [[tuple(other for other in line if other != square) for line in LINES if square in line] for square in range(9)]


class TicTacToe:
    __slots__ = ("board", "marks", "winner", "over")

    def __init__(self):
        self.board = [None] * 9
        self.marks = 0
        self.winner = None
        self.over = False

    @classmethod
    def new(cls, seed=None):
        return cls()

    @property
    def actor(self) -> str | None:
        return None if self.over else SEATS[self.marks % 2]

    @property
    def position(self) -> tuple:
        return tuple(self.board)

    @property
    def result(self) -> Result | None:
        if not self.over:
            return None
        if self.winner is None:
            return Result((), dict.fromkeys(SEATS, 0))
        return Result((self.winner,), {seat: 1 if seat == self.winner else -1 for seat in SEATS})

    def legal(self) -> list[tuple]:
        if self.over:
            return []
        return [choice for choice, mark in zip(CHOICES, self.board) if mark is None]

    def sample(self, rng: Random) -> tuple:
        return rng.choice(self.legal())

    def apply(self, choice: tuple) -> None:
        (square,) = choice
        board = self.board
        if self.over or board[square] is not None:
            raise ValueError(f"square {square} is not free")
        mover = SEATS[self.marks % 2]
        board[square] = mover
        self.marks += 1
        for one, other in PAIRS[square]:
            if board[one] == mover and board[other] == mover:
                self.winner = mover
                self.over = True
                return
        self.over = self.marks == 9

    def clone(self) -> "TicTacToe":
        copy = TicTacToe.__new__(TicTacToe)
        copy.board = self.board.copy()
        copy.marks = self.marks
        copy.winner = self.winner
        copy.over = self.over
        return copy
