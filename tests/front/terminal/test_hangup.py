"""What becomes of a game whose terminal goes away."""

from __future__ import annotations

import os
import subprocess
import sys
import termios
import time

import pytest
from pexpect.fdpexpect import fdspawn
from tabarro.interpreter.save import glance, load
from terminal import START, environment, saved

BEGUN, ASKED = "\x1b[?1049h", "\n> "  # the full screen takes the terminal; the prompt
SLOW = f"from tabarro.front.terminal import table; table.PACE = 3600; {START}"  # an hour until the next question


@pytest.mark.parametrize(
    ("face", "sign", "typed"),
    [((), BEGUN, ""), (("--plain",), ASKED, ""), (("--plain",), ASKED, "1\n")],
    ids=["while the full screen begins", "at the prompt", "while nothing is asked"],
)
def test_a_game_ends_with_its_terminal_though_no_signal_tells_it(tmp_path, face, sign, typed):
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (32, 110))
    child = subprocess.Popen(
        [sys.executable, "-c", SLOW, "play", "tic-tac-toe", "--seed", "1", *face],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment(tmp_path, TABARRO_PACE="1"),
        start_new_session=True,  # a terminal that is not its own tells it of no hangup
    )
    try:
        os.close(theirs)
        fdspawn(ours, timeout=60).expect_exact(sign.encode())
        os.write(ours, typed.encode())
        decided = 2 if typed else 0  # by the person, and by the bot that follows
        end = time.monotonic() + 60
        while glance(saved(tmp_path))[1] < decided and time.monotonic() < end:
            time.sleep(0.1)
        os.close(ours)
        child.wait(60)
    finally:
        child.kill()
        child.wait()
    assert load(saved(tmp_path))[2].choices == decided
