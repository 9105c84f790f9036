"""The gate through which files are opened: regular files only, never more of them than a limit, never waiting.

What is written is written as a whole or not at all.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from .errors import Place, RulesError, Source, problem

__all__ = ["is_writable", "read_bytes", "read_ours", "write_new", "write_over", "write_whole"]

_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a pipe that nobody writes to must not hold us up


def read_bytes(path: str | os.PathLike[str], limit: int, name: str | None = None) -> bytes:
    """All of a file that somebody named; `name` is what messages call it. Raises RulesError, and nothing else."""
    name = os.path.basename(path) if name is None else name
    try:
        file = os.open(path, os.O_RDONLY | _WAITING)
    except FileNotFoundError:
        raise RulesError(problem("file_missing", None, file=name)) from None
    except IsADirectoryError:
        raise RulesError(problem("file_is_folder", None, file=name)) from None
    except PermissionError:
        code = "file_is_folder" if os.path.isdir(path) else "file_forbidden"
        raise RulesError(problem(code, None, file=name)) from None
    except (OSError, ValueError):
        raise RulesError(problem("file_unreadable", None, file=name)) from None
    try:
        kind = os.fstat(file).st_mode
        if stat.S_ISDIR(kind):
            raise RulesError(problem("file_is_folder", None, file=name))
        if not stat.S_ISREG(kind):
            raise RulesError(problem("file_unreadable", None, file=name))
        with os.fdopen(os.dup(file), "rb") as stream:
            data = stream.read(limit + 1)
    except OSError:
        raise RulesError(problem("file_unreadable", None, file=name)) from None
    finally:
        os.close(file)
    if len(data) > limit:
        raise RulesError(problem("file_too_big", Place(Source(name, ""), 1, 1), limit=limit))
    return data


def read_ours(path: Path) -> str:
    """A file that comes along with the program."""
    return path.read_text(encoding="utf-8")


def write_new(path: str | os.PathLike[str], text: str) -> None:
    """A file that was not there before. Raises FileExistsError, if it was, or another OSError."""
    with open(path, "x", encoding="utf-8") as file:
        file.write(text)


def write_over(path: str | os.PathLike[str], data: bytes) -> None:
    """Into a file, whatever it held: also into a device or a pipe that somebody named. Raises OSError."""
    with open(path, "wb") as file:
        file.write(data)


def is_writable(path: Path) -> bool:
    """It is tried; a file that is there stays as it is, and one that is not there is not there afterwards."""
    try:
        new = not path.exists()
        if not new and not path.is_file():  # a pipe is not opened twice
            return not path.is_dir() and os.access(path, os.W_OK)
        with path.open("ab"):
            pass
        if new:
            path.resolve().unlink()  # not the link that may lead to it
    except (OSError, ValueError):
        return False
    return True


def write_whole(path: Path, data: bytes) -> None:
    """A new file, or the old one untouched: written beside it, then put in its place. Raises OSError."""
    folder = path.resolve().parent
    file, beside = tempfile.mkstemp(dir=folder, prefix=f".{path.name}.")
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
    if hasattr(os, "O_DIRECTORY"):  # the name, too, must survive
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
