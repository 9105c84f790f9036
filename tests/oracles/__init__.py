"""Games written by hand in plain Python, and a solver: what the interpreter is compared with.

Nothing here imports the interpreter. A class such as `Kuhn` stands for both the game (`Kuhn.new(seed)`) and its state.
"""

from typing import NamedTuple


class Result(NamedTuple):
    winners: tuple[str, ...]
    scores: dict[str, int]
