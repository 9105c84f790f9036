"""How readers of expressions read those that they do not take apart; tests/interpreter/test_operations.py compares them all."""

from __future__ import annotations

import pytest
from tabarro.interpreter import load_game
from tabarro.interpreter.model import NUMBER, Expr, Function, Var, const
from tabarro.speech.conditions import STRUNG, Speaker
from tabarro.speech.language import Language
from tabarro.speech.reasons import UNDECIDED, truth

ONE, TWO = const(1, NUMBER), const(2, NUMBER)


@pytest.mark.parametrize("op", sorted(STRUNG))
def test_an_operation_without_a_saying_is_its_parts_one_after_the_other(op):
    speaker = Speaker(load_game("kuhn-poker"), Language("en"))
    args = (Var("x", NUMBER), ONE, TWO) if op in ("matched", "distinct", "often") else (ONE, TWO)
    assert speaker.value(Expr(op, args, NUMBER), {})("") == "1 2"


def test_what_hangs_on_the_state_is_never_settled_beforehand():
    function = Function("_ is so", "state", [], NUMBER, None)
    for op in UNDECIDED:
        args = (Var("x", NUMBER), ONE) if op == "matched" else (function, ())
        assert truth(Expr(op, args, NUMBER)) is None
        assert truth(Expr("or", (const(True, NUMBER), Expr(op, args, NUMBER)), NUMBER)) is True
