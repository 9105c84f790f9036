"""Conditions of a rule file that a language cannot say: each is told with the row that its grammar lacks."""

from __future__ import annotations

from collections.abc import Iterator

from ...interpreter import Game
from ...interpreter.errors import Problem, problem
from ...interpreter.model import Expr
from ...speech.checking import unsaid
from ...speech.language import spoken
from .described import condition_cells

__all__ = ["unsaid_conditions"]


def unsaid_conditions(game: Game) -> Iterator[Problem]:
    """Of all languages that are spoken here, those that house rules bring along among them."""
    lacking = {code: rows for code in spoken() if (rows := unsaid(code))}
    for function, keys, place in condition_cells(game) if lacking else ():
        used = set(_operations(function.values[keys]))
        for code, rows in lacking.items():
            for operation in sorted(used & set(rows)):
                yield problem("sentence_unsaid", place, 1, operation=operation, language=code, row=rows[operation])


def _operations(expr: Expr) -> Iterator[str]:
    yield expr.op
    for kid in expr.kids():
        yield from _operations(kid)
