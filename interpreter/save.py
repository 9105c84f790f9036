"""Save files: the rules' digest, the options, the seed and the players' choices, from which a game is played again.

One line of JSON each: a header, then the choices of the players in their order (what chance does follows from the
seed). Every line carries the beginning of a hash of all that stands above it and in it, so that a line that was
changed, moved or cut is noticed. A line counts once it is whole, with its line break: whoever is killed in the middle
of writing one loses that line and no other.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import Place, RulesError, Source, problem
from .files import begin, claim, in_words, open_again, read_bytes, real, release, write_all
from .game import Game
from .model import Words
from .pipeline import load_game
from .state import Choice, IllegalChoice, State

__all__ = ["Save", "glance", "load", "resume"]

VERSION = 2
READABLE = (1, 2)  # versions of saves that are understood: see docs/playing.md for what resumes
MAX_SIZE = 16_000_000  # bytes of a file
MAX_LINE = 100_000
DIGITS = 8  # of the running hash, in each line
MAGIC = b'{"tabarro":'
_SCALARS = (str, int, bool, type(None))
_RULES_CHANGED = {"unknown_option", "option_value", "option_unknown_here", "players_unknown", "no_players"}


class Save:
    """A save file to which choices can be added. Whoever plays `alone` keeps others away until it is closed."""

    def __init__(self, path: Path, size: int, hash: bytes, lines: int, seen: int | None = None):
        self.path = path
        self.choices = lines - 1  # how many stand in it
        self._size, self._hash = size, hash
        self._seen = size if seen is None else seen  # how long the file is, with a torn end
        self._earlier: list[tuple[int, bytes]] = []  # before each choice
        self._waiting = False  # is there something that may not be on the disk yet?
        self._held: int | None = None

    @classmethod
    def create(
        cls,
        path: str | Path,
        game: Game,
        seed: int,
        file: str | Path | None = None,
        *,
        replace: bool = True,
        force: bool = False,
        alone: bool = False,
    ) -> Save:
        """Begin a save; a save that was there before is replaced, as a whole or not at all.

        `file` is the rule file the game was loaded from, for games that cannot be found by their name. Without
        `replace`, a save in which something was decided stays; with `force`, nothing does.
        """
        path = Path(path)
        header: dict[str, Any] = {"tabarro": VERSION, "game": game.id}
        if file is not None:  # as seen from the save, so that a folder with both can be moved
            header["file"] = Path(
                os.path.relpath(os.path.realpath(file), os.path.dirname(os.path.realpath(path)))
            ).as_posix()
        header |= {
            "players": game.players,
            "options": {n: o.value for n, o in sorted(game.options.items())},
            "seed": seed,
            "digest": game.digest,
        }
        hash, line = _sealed(b"", header)
        save = cls(path, len(line), hash, 1)
        save._held = begin(path, line, force, _replaced if replace else _replaced_if_new)
        if not alone:
            save.close()
        return save

    def close(self) -> None:
        """Let others go on with it."""
        held, self._held = self._held, None
        release(held)

    def __enter__(self) -> Save:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, words: Words, wait: bool = True) -> None:
        """Add one choice, as `Game.words` says it. When this returns the choice is on the disk, or, without waiting for
        that, on its way there: it survives the end of the program, and what `settle` is for is the end of the
        machine."""
        hash, line = _sealed(self._hash, {"choice": words})
        with self._opened() as file:
            self._cut(file)
            self._write(file, line)
            if wait:
                os.fsync(file)
            self._waiting = not wait
        self._earlier.append((self._size, self._hash))
        self._size, self._hash, self.choices = self._size + len(line), hash, self.choices + 1

    def take_back(self) -> None:
        """Take out the last choice. When this returns it is gone from the disk."""
        with self._opened() as file:
            now = self._size, self._hash
            self._size, self._hash = self._earlier.pop()
            try:
                self._cut(file)
            except OSError:
                self._earlier.append((self._size, self._hash))
                self._size, self._hash = now
                raise
        self.choices -= 1

    def settle(self) -> None:
        """When this returns, all that was added is on the disk."""
        if self._waiting:
            with self._opened() as file:
                os.fsync(file)
            self._waiting = False

    def mend(self) -> None:
        """Take away a torn end."""
        if self._seen != self._size:
            with self._opened() as file:
                self._cut(file)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """The file, for us alone, just as we have left it."""
        with in_words(self.path, "save_unwritable"):
            file = open_again(self.path, self._held)
            try:
                if os.fstat(file).st_size != self._seen:
                    raise RulesError(problem("save_changed", None, file=self.path.name))
                yield file
            finally:
                os.close(file)

    def _write(self, file: int, line: bytes) -> None:
        try:
            write_all(file, line)
        finally:
            self._seen = os.fstat(file).st_size  # so that the next line does not follow half a line

    def _cut(self, file: int) -> None:
        if self._seen != self._size:
            os.ftruncate(file, self._size)
            self._seen = self._size
            os.fsync(file)


def _replaced(data: bytes) -> str | None:
    """What speaks against replacing a file that begins so: it is none of ours."""
    return None if data[: len(MAGIC)] == MAGIC[: len(data)] else "file_foreign"


def _replaced_if_new(data: bytes) -> str | None:
    """… or something was decided in it."""
    return _replaced(data) or ("save_there" if data.partition(b"\n")[2] else None)


def load(
    path: str | Path,
    folders: tuple[Path, ...] = (),
    strict: bool = True,
    before: Callable[[State, Choice], object] | None = None,
) -> tuple[Game, State, Save]:
    """Play a save again: the game, the state it leads to, and the save to go on with.

    `before` is called with each choice, and the state before it is made.

    If the end is torn, a strict reader is told so; otherwise everything that is whole counts. Whatever is wrong with
    the file, RulesError says it.
    """
    path = Path(path)
    header, choices, save = _read(path, strict)
    game = _game(path, header, folders)
    state = game.new(header["seed"])
    for number, words in enumerate(choices):
        try:
            choice = game.choice(words, state)
            if before is not None:
                before(state, choice)
            state.apply(choice)
        except IllegalChoice:
            raise _wrong("save_illegal", path, number + 2) from None
    return game, state, save


def resume(
    path: str | Path,
    folders: tuple[Path, ...] = (),
    before: Callable[[State, Choice], object] | None = None,
    alone: bool = False,
) -> tuple[Game, State, Save]:
    """As `load`, to go on with everything that is whole; a torn end is taken out of the file."""
    held = claim(path) if alone else None  # before it is read: what another one adds would be lost
    try:
        game, state, save = load(path, folders, strict=False, before=before)
        save._held = held
        save.mend()
    except BaseException:
        release(held)
        raise
    return game, state, save


def glance(path: Path) -> tuple[dict[str, Any], int]:
    """The header of a save, and how many choices stand in it, without playing it. Raises RulesError."""
    first, *rest = read_bytes(path, MAX_SIZE).split(b"\n")
    opened = _opened(b"", first + b"\n")
    if opened is None or not _is_header(opened[1]):
        raise _wrong("save_broken", path, 1)
    return opened[1], sum(1 for line in rest if line)


# --- lines -----------------------------------------------------------------------------------------------------------
def _sealed(above: bytes, content: dict[str, Any]) -> tuple[bytes, bytes]:
    """The running hash with this line in it, and the line."""
    hash = hashlib.sha256(above + _compact(content)).digest()
    return hash, _compact({**content, "check": hash.hex()[:DIGITS]}) + b"\n"


def _compact(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _opened(above: bytes, line: bytes) -> tuple[bytes, dict[str, Any]] | None:
    """The running hash and the content of a line, if it is exactly what was written."""
    if len(line) > MAX_LINE:
        return None
    try:
        content = json.loads(line)
        if not isinstance(content, dict) or "check" not in content:
            return None
        del content["check"]
        hash, again = _sealed(above, content)
    except (ValueError, RecursionError):
        return None
    return (hash, content) if again == line else None


def _read(path: Path, strict: bool) -> tuple[dict[str, Any], list[Words], Save]:
    data = read_bytes(path, MAX_SIZE)
    *lines, rest = data.split(b"\n")
    if not lines:
        torn = len(rest) <= MAX_LINE and rest[: len(MAGIC)] == MAGIC[: len(rest)]
        raise _wrong("save_incomplete" if torn else "save_broken", path, 0 if torn else 1)
    opened = _opened(b"", lines[0] + b"\n")
    if opened is not None and type(opened[1].get("tabarro")) is int and opened[1]["tabarro"] > VERSION:
        raise _wrong("save_newer", path, 1)
    if opened is None or not _is_header(opened[1]):
        raise _wrong("save_broken", path, 1)
    (hash, header), size, choices, torn = opened, len(lines[0]) + 1, [], bool(rest)
    earlier: list[tuple[int, bytes]] = []
    for number, line in enumerate(lines[1:], start=2):
        opened = _opened(hash, line + b"\n")
        if opened is None and number == len(lines) and not rest:
            torn = True  # some file systems leave the length of a line without its bytes
            break
        if opened is None or not _is_choice(opened[1]):
            raise _wrong("save_broken", path, number)
        earlier.append((size, hash))
        hash, size = opened[0], size + len(line) + 1
        choices.append(opened[1]["choice"])
    if torn and strict:
        raise _wrong("save_incomplete", path, len(choices) + 1)
    save = Save(path, size, hash, len(choices) + 1, len(data))
    save._earlier = earlier
    return header, choices, save


def _is_header(content: dict[str, Any]) -> bool:
    kinds = {"tabarro": int, "game": str, "file": str, "players": int, "options": dict, "seed": int, "digest": str}
    return (
        set(content) | {"file"} == set(kinds)
        and all(type(v) is kinds[k] for k, v in content.items())
        and content["tabarro"] in READABLE
        and all(isinstance(v, _SCALARS) for v in content["options"].values())
    )


def _is_choice(content: dict[str, Any]) -> bool:
    words = content.get("choice")
    return (
        set(content) == {"choice"}
        and isinstance(words, list)
        and all(
            isinstance(w, _SCALARS) or isinstance(w, list) and all(isinstance(x, _SCALARS) for x in w) for w in words
        )
    )


def _game(path: Path, header: dict[str, Any], folders: tuple[Path, ...]) -> Game:
    name = header["game"]
    if "file" in header:
        wanted: str | Path = real(path).parent / header["file"]
        fine = Path(wanted).suffix in (".yaml", ".yml") and "\0" not in header["file"]
    else:
        wanted, fine = name, Path(name).suffix not in (".yaml", ".yml")  # a name, never a way to some file
    if not fine:
        raise _wrong("save_broken", path, 1)
    try:
        game = load_game(wanted, header["players"], header["options"], folders)
    except RulesError as error:
        if any(p.code in _RULES_CHANGED for p in error.problems):
            raise _wrong("save_other_rules", path, 1, name=name) from None
        raise
    except (OSError, ValueError):  # a name or a path that no system takes
        raise _wrong("save_broken", path, 1) from None
    if header["digest"] != game.digest or game.id != name:
        first, second = _earlier_digests(game)
        if game.id != name or header["digest"] != (first if header["tabarro"] == 1 else second):
            raise _wrong("save_other_rules", path, 1, name=name)
        if second != game.digest:
            raise _wrong("save_renewed", path, 1, name=name)
    return game


def _earlier_digests(game: Game) -> tuple[str, str]:
    """The digests of a game as saves from before have them: of its files, which are read only for that."""
    from .compiling import earlier_digests

    return earlier_digests(game)


def _wrong(code: str, path: Path, line: int, **more: str) -> RulesError:
    # The source is given without its text: the choices in it may be secrets of whoever made them.
    return RulesError(problem(code, Place(Source(path.name, ""), max(line, 1), 1), 1, line=line, **more))
