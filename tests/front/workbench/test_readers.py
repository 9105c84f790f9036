"""A worksheet reads expressions too: see tests/speech/test_readers.py."""

from tabarro.front.workbench.worksheet import LOOKED_AT, VALUED
from tabarro.interpreter.check import OPS


def test_a_worksheet_knows_every_operation_once():
    assert LOOKED_AT | VALUED == set(OPS) and not LOOKED_AT & VALUED
