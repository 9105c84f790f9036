"""How readers of expressions read those that they do not take apart; tests/interpreter/test_operations.py compares them all."""

from __future__ import annotations

from tabarro.interpreter.model import NUMBER, Expr, Function, Var, const
from tabarro.speech.reasons import UNDECIDED, truth

ONE, TWO = const(1, NUMBER), const(2, NUMBER)


def test_what_hangs_on_the_state_is_never_settled_beforehand():
    function = Function("_ is so", "state", [], NUMBER, None)
    for op in UNDECIDED:
        args = (Var("x", NUMBER), ONE) if op == "matched" else (function, ())
        assert truth(Expr(op, args, NUMBER)) is None
        assert truth(Expr("or", (const(True, NUMBER), Expr(op, args, NUMBER)), NUMBER)) is True
