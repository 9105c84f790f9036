"""The gate through which files are opened: regular files only, never more of them than a limit, never waiting.

What is written is written as a whole or not at all, and takes the place only of what carries our mark, unless that is
said to be wanted. Whatever the system says to that is a RulesError in words, and nothing else.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from .errors import MAX_ARGUMENT, Place, RulesError, Source, problem
from .messages import N_

__all__ = [
    "begin",
    "check_place",
    "claim",
    "in_words",
    "is_marked",
    "make_folder",
    "nowhere",
    "open_again",
    "read_bytes",
    "read_ours",
    "real",
    "reason",
    "release",
    "walk",
    "write_all",
    "write_new",
    "write_whole",
]

AnyPath = str | os.PathLike[str]
Refused = Callable[[bytes], str | None]  # from how a file begins: why it is not replaced, as the code of a problem

MAX_ENTRIES = 20_000  # of a folder and all that is in it
GLANCE = 300_000  # bytes of a file that tell whether it is ours
ATTEMPTS = 50  # to be alone with a file whose place others take again and again
_NOW = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a pipe that nobody writes to must not hold us up

# How files begin that our commands write; a text, which has no place for remarks, ends so. Saves have their own mark.
_BEGINS = re.compile(
    rb'<!-- tabarro [a-z]+|content="tabarro [a-z]+|\A\{\s*"made by": "tabarro [a-z]+"|\A# tabarro [a-z]+\n'
)
_PICTURE = re.compile(rb"\A\x89PNG.{0,200}?Software\0tabarro [a-z]+", re.DOTALL)
_ENDS = re.compile(rb"\n(?:<!-- )?tabarro [a-z]+ [^\n]*\n\Z")

_FORBIDDEN = N_("you are not allowed to")
_TOO_LONG = N_("the name is too long")
_REASONS = {
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EROFS: N_("nothing can be changed on this disk"),
    errno.ENOSPC: N_("the disk is full"),
    getattr(errno, "EDQUOT", errno.ENOSPC): N_("the disk is full"),
    errno.EFBIG: N_("it would be too large"),
    errno.ENOENT: N_("there is no such folder"),
    errno.ENOTDIR: N_("there is no such folder"),
    errno.EISDIR: N_("it is a folder"),
    errno.ELOOP: N_("the links to it lead in a circle"),
    errno.ENAMETOOLONG: _TOO_LONG,
    errno.ENXIO: N_("nobody reads from it"),
    errno.EPIPE: N_("nobody reads from it"),
}
_OTHERWISE = N_("the system does not allow it")


def _shown(path: AnyPath) -> str:
    """What messages call a file that somebody named: of a long path, the end says most."""
    name = str(path)
    return name if len(name) <= MAX_ARGUMENT else "…" + name[1 - MAX_ARGUMENT :]


def real(path: AnyPath) -> Path:
    """Where a path leads, links followed; one that leads nowhere, or in a circle, as far as it can be followed."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return Path(path)


def nowhere() -> TextIO:
    """A stream that holds nothing and keeps nothing."""
    return open(os.devnull, "r+", encoding="utf-8")


# --- reading ----------------------------------------------------------------------------------------------------------
def read_bytes(path: AnyPath, limit: int, name: str | None = None) -> bytes:
    """All of a file that somebody named; `name` is what messages call it. Raises RulesError, and nothing else."""
    name = os.path.basename(path) if name is None else name
    file = _opened(path, name)
    try:
        with os.fdopen(file, "rb") as stream:
            data = stream.read(limit + 1)
    except OSError:
        raise RulesError(problem("file_unreadable", None, file=name)) from None
    if len(data) > limit:
        raise RulesError(problem("file_too_big", Place(Source(name, ""), 1, 1), limit=limit))
    return data


def _opened(path: AnyPath, name: str) -> int:
    try:
        _refuse_special(os.stat(path).st_mode, name)  # to open a device can already have consequences
        file = os.open(path, os.O_RDONLY | _NOW)
    except (FileNotFoundError, NotADirectoryError):
        raise RulesError(problem("file_missing", None, file=name)) from None
    except PermissionError:
        raise RulesError(problem("file_forbidden", None, file=name)) from None
    except (OSError, ValueError) as error:
        circle = isinstance(error, OSError) and error.errno == errno.ELOOP
        raise RulesError(problem("file_circle" if circle else "file_unreadable", None, file=name)) from None
    try:
        _refuse_special(os.fstat(file).st_mode, name)  # it may have been exchanged just now
    except RulesError:
        os.close(file)
        raise
    return file


def _refuse_special(mode: int, name: str) -> None:
    if not stat.S_ISREG(mode):
        raise RulesError(problem("file_is_folder" if stat.S_ISDIR(mode) else "file_special", None, file=name))


def read_ours(path: Path) -> str:
    """A file that comes along with the program."""
    return path.read_text(encoding="utf-8")


def walk(folder: Path, ending: str) -> Iterator[Path]:
    """All files below a folder that end so, in a fixed order; links to folders are not followed, and folders that
    cannot be read count as empty."""
    room, found = MAX_ENTRIES, []
    for home, folders, files in os.walk(folder):
        room -= len(folders) + len(files)
        if room < 0:
            raise RulesError(problem("folder_too_big", None, folder=folder.name or str(folder), limit=MAX_ENTRIES))
        found += [Path(home, name) for name in files if name.endswith(ending)]
    yield from sorted(found)


# --- writing ----------------------------------------------------------------------------------------------------------
def make_folder(path: AnyPath) -> None:
    """A folder, with those that it stands in, if there is none."""
    with in_words(path) as target:
        try:
            os.makedirs(target, exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(errno.ENOTDIR, "") from None


def write_new(path: AnyPath, data: bytes) -> None:
    """A file that was not there before. Raises FileExistsError, if it was."""
    with in_words(path) as target:
        beside = _beside(target, data, 0o666)
        try:
            _put_first(beside, target, data)
        finally:
            _remove(beside)


def write_whole(path: AnyPath, data: bytes, force: bool = False, refused: Refused | None = None) -> None:
    """A new file, or the old one untouched: written beside it, then put in its place.

    With `force` that may be any file; what is no regular file is then written into, and never replaced."""
    with in_words(path) as target:
        mode = _replaceable(target, force, refused or is_marked, _shown(path))
        if mode is not None and not stat.S_ISREG(mode):
            _write_into(target, data)
            return
        beside = _beside(target, data, 0o666 if mode is None else stat.S_IMODE(mode))
        try:
            os.replace(beside, target)
        finally:
            _remove(beside)
        _settle_name(target)


def check_place(path: AnyPath, force: bool = False) -> None:
    """Could `write_whole` write here? It is tried, and leaves no trace."""
    with in_words(path) as target:
        mode = _replaceable(target, force, is_marked, _shown(path))
        if mode is None or stat.S_ISREG(mode):
            _remove(_beside(target, b"", 0o600))


def is_marked(data: bytes) -> str | None:
    """Of what one of our commands has written, nothing speaks against replacing it."""
    ours = not data or _BEGINS.search(data[:4000]) or _PICTURE.search(data[:400]) or _ENDS.search(data[-4000:])
    return None if ours else "file_foreign"


def _replaceable(target: str, force: bool, refused: Refused, name: str) -> int | None:
    """The kind of what is there, if anything; RulesError, if it must stay there."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "")
    if not stat.S_ISREG(mode) and (not force or stat.S_ISBLK(mode)):
        raise RulesError(problem("file_special", None, file=name))
    if not force and (code := refused(_glance(target))):
        raise RulesError(problem(code, None, file=name))
    return mode


def _glance(target: str) -> bytes:
    """How a regular file begins, and how it ends."""
    try:
        file = os.open(target, os.O_RDONLY | _NOW)
    except PermissionError:
        return b"?"  # whatever it is, it is not ours
    with os.fdopen(file, "rb") as stream:
        data = stream.read(GLANCE)
        rest = os.fstat(file).st_size - len(data)
        if rest > 0:
            stream.seek(-min(rest, GLANCE), os.SEEK_END)
            data += stream.read(GLANCE)
    return data


def _beside(target: str, data: bytes, mode: int) -> str:
    """The name of a new file in the same folder, with this in it, on the disk."""
    beside = os.path.join(os.path.dirname(target), f".tabarro-{os.getpid()}-{os.urandom(4).hex()}")
    _fill(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOW, mode), beside, data)
    return beside


def _fill(file: int, name: str, data: bytes) -> None:
    """Write a new file whole and close it, or leave nothing of it behind."""
    try:
        try:
            write_all(file, data)
            os.fsync(file)
        finally:
            os.close(file)
    except BaseException:
        _remove(name)
        raise


def _put_first(beside: str, target: str, data: bytes) -> None:
    """Give a file its name, if nobody has that name."""
    try:
        os.link(beside, target)
    except FileExistsError:
        raise
    except OSError:  # not every disk knows second names
        mode = stat.S_IMODE(os.stat(beside).st_mode)
        _fill(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), target, data)
    _settle_name(target)


def _write_into(target: str, data: bytes) -> None:
    file = os.open(target, os.O_WRONLY | _NOW)
    try:
        os.set_blocking(file, True)
        write_all(file, data)
    finally:
        os.close(file)


def write_all(file: int, data: bytes) -> None:
    """The system may take a part of it only; it then says why when it is given the rest."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _settle_name(target: str) -> None:
    """The name, too, must survive the end of the machine."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(os.path.dirname(target), os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        except OSError:  # not every disk can be told to
            pass
        finally:
            os.close(handle)


def _remove(name: str) -> None:
    try:
        os.unlink(name)
    except OSError:
        pass


def reason(error: Exception) -> str:
    """What the system has against it, in words to be translated."""
    return _REASONS.get(error.errno or 0, _OTHERWISE) if isinstance(error, OSError) else _OTHERWISE


class in_words:
    """Where a path leads, links followed; what the system has against it, in words."""

    def __init__(self, path: AnyPath, code: str = "file_unwritable"):
        self.path, self.code = path, code

    def __enter__(self) -> str:
        try:
            return os.path.realpath(self.path)
        except (OSError, ValueError):
            raise self._wrong(_OTHERWISE) from None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, FileExistsError) or not isinstance(error, (OSError, ValueError)):
            return
        raise self._wrong(reason(error)) from None

    def _wrong(self, reason: str) -> RulesError:
        return RulesError(problem(self.code, None, file=_shown(self.path), reason=(reason,)))


# --- files that are played on -----------------------------------------------------------------------------------------
def begin(path: AnyPath, data: bytes, force: bool, refused: Refused) -> int:
    """A new file with this in it, instead of what was there. Nobody else may change it until it is released."""
    with in_words(path, "save_unwritable") as target:
        for _ in range(ATTEMPTS):
            old = _claimed(target, _shown(path))
            beside = ""
            try:
                if not _is_at(old, target):
                    continue  # somebody has put another one there
                if (mode := _replaceable(target, force, refused, _shown(path))) is not None:
                    _refuse_special(mode, _shown(path))
                beside = _beside(target, data, 0o600)
                new = os.open(beside, os.O_RDONLY | _NOW)
                try:
                    _lock(new)  # before anybody can know of it
                    if old is not None:
                        os.replace(beside, target)
                        _settle_name(target)
                    else:
                        _put_first(beside, target, data)
                        if not _is_at(new, target):  # it had to be written once more
                            release(new)
                            new = claim(target)
                    return new
                except FileExistsError:
                    release(new)  # somebody was quicker
                except BaseException:
                    release(new)
                    raise
            finally:
                if beside:
                    _remove(beside)
                release(old)
    raise RulesError(problem("save_in_use", None, file=_shown(path)))


def claim(path: AnyPath) -> int:
    """A file that is there, for us alone until it is released. Raises RulesError."""
    name = _shown(path)
    for _ in range(ATTEMPTS):
        file = _opened(path, name)
        try:
            _lock(file, name)
        except RulesError:
            os.close(file)
            raise
        if _is_at(file, os.path.realpath(path)):
            return file
        os.close(file)  # somebody has put another one there
    raise RulesError(problem("save_in_use", None, file=name))


def release(file: int | None) -> None:
    if file is not None:
        os.close(file)


def open_again(path: AnyPath, held: int | None) -> int:
    """A file to write to. It is the one that we hold, or ours for as long as it is open. Raises OSError."""
    file = os.open(path, os.O_RDWR | os.O_APPEND | _NOW)
    try:
        if held is None:
            _lock(file, _shown(path))
        elif not os.path.samestat(os.fstat(held), os.fstat(file)):
            raise FileNotFoundError(errno.ENOENT, "")
    except BaseException:
        os.close(file)
        raise
    return file


def _claimed(target: str, name: str) -> int | None:
    """A regular file, if there is one, locked; RulesError if somebody else has done that."""
    try:
        if not stat.S_ISREG(os.stat(target).st_mode):
            return None
        file = os.open(target, os.O_RDONLY | _NOW)
    except FileNotFoundError:
        return None
    try:
        _lock(file, name)
    except BaseException:
        os.close(file)
        raise
    return file


def _lock(file: int, name: str = "") -> None:
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RulesError(problem("save_in_use", None, file=name)) from None
    except (ImportError, OSError):  # not every system, and not every disk, has locks
        pass


def _is_at(file: int | None, target: str) -> bool:
    """Is this (or nothing) what stands there now?"""
    try:
        there = os.stat(target)
    except FileNotFoundError:
        return file is None
    return (file is None and not stat.S_ISREG(there.st_mode)) or (
        file is not None and os.path.samestat(os.fstat(file), there)
    )
