"""The rules of a game as a library, made by the system's C compiler: for whoever wants many games of it.

Nothing hangs on it but time. Where there is no compiler, no extension or no cache, where the rules cannot be said in C
or a library does not load, all is played in Python. Nobody waits for the compiler: it works beside, and its library is
kept in the cache, by what it was made of. Only there: the folder is the user's own, and nobody else can write into it.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache as cache_once
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import cache
from .blocks import Limits
from .clibrary import NotNative, c_source
from .errors import RulesError
from .files import read_bytes
from .model import Value
from .native import Library, NativePosition
from .runtime import Number

if TYPE_CHECKING:
    from .game import Game
    from .state import State

__all__ = ["Workshop", "compiler", "hindrance", "missing", "source_of"]

# What has just been written slot by slot would be read several slots at once, for which a processor has to wait.
FLAGS = ("-O2", "-fno-tree-vectorize", "-std=gnu11", "-w", "-shared", "-fPIC", "-fvisibility=hidden")
SMALL = 100_000  # bytes of source
EXTENSION = 5  # as in _native.h
PATIENCE = 120  # seconds that a compiler may take
PROCESSOR = Path("/proc/cpuinfo")


@cache_once
def _processor() -> tuple[str, ...]:
    """What this very processor can do; nothing, where that is not told."""
    try:
        lines = read_bytes(PROCESSOR, 10_000_000).decode("ascii", "replace").split("\n")
    except RulesError:
        return ()
    return tuple(sorted({line for line in lines if line.startswith(("model name", "flags", "Features"))}))


def _flags(source: bytes) -> tuple[str, ...]:
    """A library is for this processor only if it can be told from others: the cache may be on several machines. Where
    there is little to compile, that may be done with more care."""
    with_care = ("-O3",) if len(source) < SMALL else ()
    return (*FLAGS, *with_care, *(("-march=native",) if _processor() else ()))


def compiler() -> list[str] | None:
    """How the C compiler is called: by TABARRO_CC, which switches it off if it says nothing, else as usual."""
    named = os.environ.get("TABARRO_CC")
    words = shlex.split(named) if named is not None else ["cc"]
    found = shutil.which(words[0]) if words else None
    if found is None and named is None:
        found = shutil.which("gcc") or shutil.which("clang")
    return None if found is None else [found, *words[1:]]


def _extension() -> Any:
    """What plays libraries, if it was built, and from the files that are here."""
    try:
        found = import_module("._native", __package__)
    except ImportError:
        return None
    return found if getattr(found, "extension", 0) == EXTENSION else None


def missing() -> str:
    """What is not there of all that native play needs: extension, compiler, cache; nothing, if all is."""
    if _extension() is None:
        return "extension"
    if compiler() is None:
        return "compiler"
    return "cache" if cache.folder() is None else ""


def hindrance() -> str:
    """What stands in the way of native play, tried out: what is missing, or that the compiler compiles nothing."""
    found, command = missing(), compiler()
    if found or command is None:
        return found
    made = cache.workplace(cache.key_of("tried"))
    if made is None:
        return "cache"
    data = b"int nothing;\n"
    try:
        work = subprocess.run(
            [command[0], *_flags(data), *command[1:], "-x", "c", "-", "-o", made],
            input=data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
        return "" if work.returncode == 0 and os.path.exists(made) else "working compiler"
    except (OSError, subprocess.TimeoutExpired):
        return "working compiler"
    finally:
        with suppress(OSError):
            os.unlink(made)


class Workshop:
    """Where the library of one game is made, once: asked for it, it gives it as soon as it is there."""

    def __init__(self, game: Game, limits: Limits, make: Callable[[list[Value]], State]):
        self._game, self._limits, self._make = game, limits, make
        self.made: Library | None = None  # if it is there
        self._looked = self._begun = self._given_up = False
        self._work: subprocess.Popen[bytes] | None = None
        self._key = self._out = ""
        self._command: list[str] = []
        self._source = b""

    def library(self, wait: bool = False, make: bool = True) -> Library | None:
        """The library, if it can be had now; with `wait`, if it can be had at all; without `make`, if it is there."""
        if self.made is None and not self._given_up:
            if not self._looked:
                if not make and not cache.has_any(".so"):
                    return None
                self._looked = True
                self._given_up = not self._look()
            if make and not self._begun and not self._given_up and self.made is None:
                self._begun = True
                self._given_up = not self._begin()
            if self._work is not None and (wait or self._work.poll() is not None):
                self._finish()
        return self.made

    def _look(self) -> bool:
        """Take it if it was made before, and is kept. No: it can never be had."""
        command = compiler()
        if command is None or missing():
            return False
        source = source_of(self._game, self._limits)
        if source is None:
            return False
        data = source.encode("ascii")
        known = os.stat(command[0])
        made_by = (command, known.st_size, known.st_mtime_ns, _flags(data), _processor(), sys.platform, sys.maxsize)
        self._key = cache.key_of("native", hashlib.sha256(data).hexdigest(), made_by)
        path = cache.beside(self._key, ".so")
        digest = cache.load(self._key)
        if path is not None and digest is not None and cache.file_digest(self._key, ".so") == digest:
            return self._open(path)
        self._command, self._source = command, data
        return True

    def _begin(self) -> bool:
        command, data = self._command, self._source
        self._out = cache.workplace(self._key) or ""
        if not self._out:
            return False
        try:
            self._work = subprocess.Popen(
                [command[0], *_flags(data), *command[1:], "-x", "c", "-", "-o", self._out],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the one who waits
            )
            assert self._work.stdin is not None
            with self._work.stdin as stream:
                stream.write(data)
        except OSError:
            self.close()
            return False
        self._closing = weakref.finalize(self, _stop, self._work, self._out)
        return True

    def _finish(self) -> None:
        work, self._work = self._work, None
        assert work is not None
        try:
            done = work.wait(PATIENCE) == 0
        except subprocess.TimeoutExpired:
            done = False
        path = cache.put(self._key, ".so", self._out) if done else None
        self._closing()
        digest = cache.file_digest(self._key, ".so") if path is not None else None
        if path is not None and digest is not None:
            cache.store(self._key, digest)
            self._open(path)
        self._given_up = self.made is None

    def _open(self, path: str) -> bool:
        game, make = self._game, self._make

        def fallback(slots: list[Value], what: str, args: Sequence[Any]) -> tuple[Any, list[Value]]:
            """What the library cannot do, done by Python: a result, or the error that the rules make there."""
            state = make(slots)
            found = getattr(state, "_legal_in_python" if what == "legal" else what)  # legal itself may ask the library
            return (found(*args) if callable(found) else found), state.v

        seats = game._chance
        names = tuple("chance" if a.number in seats else a.name for a in game.vocabulary.atoms)
        try:
            begun = game.new().v[1]
        except RulesError:
            begun = None  # it does not even begin
        try:
            self.made = _extension().open(path, Number, fallback, make, revived, (*names, "chance"), begun)
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Let go of a compiler that is still at work."""
        work, self._work = self._work, None
        if work is not None:
            _stop(work, self._out)


def _stop(work: subprocess.Popen[bytes], out: str) -> None:
    if work.poll() is None:
        work.kill()
        work.wait()
    try:
        os.unlink(out)
    except OSError:
        pass


def revived(state: State) -> NativePosition | State:
    """A position of a library that was pickled: as it was, if that can be had at once, else as a State."""
    found = state.game.workshop.library()
    position = None if found is None else found.at(state.v)
    return state if position is None else position


def source_of(game: Game, limits: Limits, comments: bool = False) -> str | None:
    """The C source of a game; None if its rules cannot be said in C. With comments that name its steps."""
    try:
        return c_source(game.program, game.vocabulary, limits, comments)
    except (NotNative, RecursionError):
        return None
