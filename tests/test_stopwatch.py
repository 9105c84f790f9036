"""Limits of time hold on slow machines, and still find what is too slow."""

import pytest
import stopwatch
from stopwatch import FAR, USUAL, in_time, slowness, within


def count(seconds):
    """What takes a usual machine so many seconds, and a slower one more."""
    total = 0
    for number in range(int(FAR * seconds / USUAL)):
        total += number


def test_what_takes_too_long_does_so_on_every_machine():
    with pytest.raises(AssertionError, match="allowed"), within(0.02):
        count(0.2)
    with within(0.2):
        count(0.02)


@pytest.mark.parametrize(("slower", "allowed"), [(5, 5), (1, 1), (1 / 5, 1), (0, 1)])
def test_a_slower_machine_has_more_time_and_a_quicker_one_not_less(monkeypatch, slower, allowed):
    monkeypatch.setattr(stopwatch, "counted", lambda clock: USUAL * slower)
    assert slowness() == pytest.approx(allowed)
    assert in_time(1.9 * allowed, 2) and not in_time(2.1 * allowed, 2)
