"""Tests are imported by their paths (see pyproject.toml); this lets them share the oracles beside them."""

import gc
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from stopwatch import slowness  # noqa: E402

# What is compiled is kept for the other tests, and for the commands that they start, but not among the user's things.
MADE_HERE = "TABARRO_TESTS" not in os.environ  # others are told: by the process that starts them, or by `.ci/run`
if MADE_HERE:
    os.environ["TABARRO_TESTS"] = tempfile.mkdtemp(prefix="tabarro-tests-")
SHARED = Path(os.environ["TABARRO_TESTS"])
os.environ["TABARRO_CACHE"] = str(SHARED / "cache")
if (compiler := next(filter(shutil.which, ("cc", "gcc", "clang")), None)) is not None:
    # To compile well takes longer than the few games of a test do; `usually_compiled` is for those that ask for it.
    os.environ.setdefault("TABARRO_CC", f"{compiler} -O0")
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):  # where that is wished, nothing is written beside the sources
    os.environ["PYTHONPYCACHEPREFIX"] = str(SHARED / "bytecode")


LONGEST = 240  # seconds of one test, on a machine that is busy, too; more on one that is slow, or very busy

MOST = 20  # times slower than usual

# A process of tests holds hundreds of compiled games. To search them for garbage again and again takes up to a third
# of its time, and there is hardly any.
gc.set_threshold(100_000, 50, 100)


def pytest_collection_modifyitems(config, items):
    """What is marked `soak` is run by nobody who does not ask for it, whatever else it is marked with."""
    if "soak" not in config.option.markexpr:
        left_out = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]


def pytest_collection_finish(session):
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """A test that waits for something that never comes says so, and does not keep all others waiting."""

    begun = time.monotonic()

    def late(*_):
        spent, allowed = time.monotonic() - begun, LONGEST * min(MOST, slowness(time.perf_counter))
        if spent < allowed:
            signal.alarm(int(allowed - spent) + 1)
        else:
            pytest.fail(f"it is not done after {spent:.0f} seconds", pytrace=True)

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(0 if item.get_closest_marker("soak") else LONGEST)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def pytest_unconfigure(config):
    if MADE_HERE:
        shutil.rmtree(SHARED, ignore_errors=True)


# A shell starts its background jobs with Ctrl-C ignored, and whatever they start inherits that; some tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def usually_compiled(monkeypatch):
    """By the compiler of the user, as well as usual."""
    monkeypatch.delenv("TABARRO_CC", raising=False)


@pytest.fixture
def in_english(monkeypatch):
    """Whatever the environment says."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", "C")
