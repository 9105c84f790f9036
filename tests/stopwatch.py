"""How long something takes by itself: a process of tests holds hundreds of games, and to search all of them for garbage
takes longer than what is measured.

Limits are those of a usual machine. A slower one, or one that is slowed down by what else it does, has so much more time
as it takes longer to count; none has less.
"""

import gc
import time
from contextlib import contextmanager

USUAL = 0.0065  # seconds in which a usual machine counts as far as that
FAR = 100_000
TIMES = 3  # the quickest of them, so that what else the machine does at that moment is not meant


def counted(clock=time.process_time):
    """How long it takes to count so far."""

    def once():
        begun, total = clock(), 0
        for number in range(FAR):
            total += number
        return clock() - begun

    return min(once() for _ in range(TIMES))


def slowness(clock=time.process_time):
    """How many times as long as usual everything takes here and now; on a quick machine it counts as usual."""
    return max(1.0, counted(clock) / USUAL)


def in_time(spent, seconds):
    """Is what was spent just now, in processor time, less than that?"""
    return spent < seconds or spent < seconds * slowness()


@contextmanager
def within(seconds):
    """What is done here takes less processor time than that, garbage of other tests left alone."""
    gc.disable()
    begun = time.process_time()
    try:
        yield
        spent = time.process_time() - begun
    finally:
        gc.enable()
    assert in_time(spent, seconds), f"{spent:.2f} s, and no more than {seconds} s are allowed on a usual machine"
