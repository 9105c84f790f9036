"""What was compiled once is not compiled again: a folder of the user's own, in which entries are kept by keys.

An entry is plain data and code objects, as `marshal` writes them; so whoever could write into the folder could run code
here. It is trusted only if it belongs to the user, nobody else can look into it, and no link leads there. Whatever is
wrong with the folder or an entry, it is as if there were none: nothing is ever refused because of the cache.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any

__all__ = ["beside", "file_digest", "folder", "key_of", "load", "put", "store", "switched_off", "workplace"]

MAGIC = b"tabarro cache 1\n"
MAX_SIZE = 50_000_000  # bytes of an entry
MOST = 500  # entries that are kept; those that nobody has asked for longest go first
_ENDING = ".bin"


@contextmanager
def switched_off() -> Iterator[None]:
    """While this lasts nothing is looked up, and nothing kept: here, and in processes that are started meanwhile."""
    before = os.environ.get("TABARRO_CACHE")
    os.environ["TABARRO_CACHE"] = ""
    try:
        yield
    finally:
        del os.environ["TABARRO_CACHE"]
        if before is not None:
            os.environ["TABARRO_CACHE"] = before


def folder() -> Path | None:
    """Where entries are kept: TABARRO_CACHE, else the user's folder for caches; nowhere, if that says nothing."""
    named = os.environ.get("TABARRO_CACHE")
    if named is not None:
        return Path(named) if os.path.isabs(named) else None
    home = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(home):
        home = os.path.expanduser("~/.cache")
    return Path(home) / "tabarro" if os.path.isabs(home) else None


def key_of(*parts: object) -> str:
    """The key of what follows from these parts, for this Python and this Tabarro: to others it is of no use."""
    whole = repr((sys.implementation.cache_tag, MAGIC_NUMBER, _program(), *parts))
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def load(key: str) -> Any:
    """What is kept by a key; None if there is nothing that can be trusted."""
    data = _trusted(key + _ENDING)
    return None if data is None else _read(key, data)


def _trusted(name: str) -> bytes | None:
    """What is in a file of the folder; None if there is none, or none that can be trusted."""
    with _opened(make=False) as place:
        if place is None:
            return None
        try:
            file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place)
        except OSError:
            return None
        try:
            known = os.fstat(file)
            if not stat.S_ISREG(known.st_mode) or not _is_ours(known) or known.st_size > MAX_SIZE:
                return None
            with os.fdopen(os.dup(file), "rb") as stream:
                data = stream.read(MAX_SIZE + 1)
            os.utime(file)  # it was of use
            return data
        except OSError:
            return None
        finally:
            os.close(file)


def store(key: str, content: Any) -> None:
    """Keep something by a key, as a whole or not at all."""
    try:
        data = _written(key, content)
    except ValueError:  # not for marshal
        return
    if len(data) > MAX_SIZE:
        return
    with _opened(make=True) as place:
        if place is None:
            return
        beside = f".{key[:16]}.{os.getpid()}.{os.urandom(4).hex()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        try:
            file = os.open(beside, flags, 0o600, dir_fd=place)
        except OSError:
            return
        try:
            with os.fdopen(file, "wb") as stream:
                stream.write(data)
            os.replace(beside, key + _ENDING, src_dir_fd=place, dst_dir_fd=place)
        except OSError:
            _remove(beside, place)
            return
        except BaseException:
            _remove(beside, place)
            raise
        _tidy(place)


# --- files beside the entries: what the system itself must open, such as libraries ------------------------------------
def beside(key: str, ending: str) -> str | None:
    """The path of a file that belongs to an entry, if it is there and can be trusted."""
    path = folder()
    return None if path is None or file_digest(key, ending) is None else str(path / (key + ending))


def has_any(ending: str) -> bool:
    """Is there any such file? Whoever looks for one of them need not look else."""
    path = folder()
    try:
        return path is not None and any(name.endswith(ending) for name in os.listdir(path))
    except OSError:
        return False


def file_digest(key: str, ending: str) -> bytes | None:
    """A hash of such a file; None if there is none that can be trusted."""
    data = _trusted(key + ending)
    return None if data is None else hashlib.sha256(data).digest()


def workplace(key: str) -> str | None:
    """Where such a file can be made before it is put in its place; nobody else makes the same."""
    with _opened(make=True) as place:
        path = folder()
        return None if place is None or path is None else str(path / f".{key[:16]}.{os.getpid()}.{os.urandom(4).hex()}")


def put(key: str, ending: str, made: str) -> str | None:
    """Put a file that was made there in its place, as a whole or not at all."""
    with _opened(make=True) as place:
        path = folder()
        if place is None or path is None:
            return None
        try:
            os.chmod(os.path.basename(made), 0o700, dir_fd=place)
            os.replace(os.path.basename(made), key + ending, src_dir_fd=place, dst_dir_fd=place)
        except (OSError, NotImplementedError):
            return None
        _tidy(place)
        return str(path / (key + ending))


@lru_cache(maxsize=1)
def _program() -> tuple[tuple[str, int, int], ...]:
    """What this program is: by its version alone a checkout that is worked on would not be known from yesterday's."""
    with os.scandir(Path(__file__).parent) as found:
        files = [(entry.name, entry.stat()) for entry in found if entry.is_file()]
    return tuple(sorted((name, known.st_size, known.st_mtime_ns) for name, known in files))


# --- entries ----------------------------------------------------------------------------------------------------------
def _written(key: str, content: Any) -> bytes:
    body = marshal.dumps(content)
    return MAGIC + hashlib.sha256(key.encode() + body).digest() + body


def _read(key: str, data: bytes) -> Any:
    start = len(MAGIC) + 32
    if not data.startswith(MAGIC) or hashlib.sha256(key.encode() + data[start:]).digest() != data[len(MAGIC) : start]:
        return None  # damaged, or of another version
    try:
        return marshal.loads(data[start:])
    except (ValueError, EOFError, TypeError):
        return None


# --- the folder -------------------------------------------------------------------------------------------------------
@contextmanager
def _opened(make: bool) -> Iterator[int | None]:
    """A handle of the folder, if it can be trusted."""
    place = None if not hasattr(os, "geteuid") or os.open not in os.supports_dir_fd else _handle(make)
    try:
        yield place
    finally:
        if place is not None:
            os.close(place)


def _handle(make: bool) -> int | None:
    path = folder()
    if path is None:
        return None
    try:
        if make:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.mkdir(path, 0o700)
            except FileExistsError:
                pass
        place = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except (OSError, ValueError):
        return None
    known = os.fstat(place)
    if _is_ours(known) and not known.st_mode & 0o077:
        return place
    os.close(place)
    return None


def _is_ours(known: os.stat_result) -> bool:
    return known.st_uid == os.geteuid() and not known.st_mode & 0o022


def _remove(name: str, place: int) -> None:
    try:
        os.unlink(name, dir_fd=place)
    except OSError:
        pass


def _tidy(place: int) -> None:
    try:
        with os.scandir(place) as found:
            entries = [(entry.stat(follow_symlinks=False).st_mtime_ns, entry.name) for entry in found]
    except OSError:
        return
    for _, name in sorted(entries)[: max(0, len(entries) - MOST)]:
        _remove(name, place)
