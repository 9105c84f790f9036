"""How long something takes by itself: a process of tests holds hundreds of games, and to search all of them for garbage
takes longer than what is measured."""

import gc
import time
from contextlib import contextmanager


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
    assert spent < seconds, f"{spent:.2f} s, and no more than {seconds} s are allowed"
