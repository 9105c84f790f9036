"""One file with all that a house rule needs: the rule files that it extends and that do not come along, and its texts.

A pack is JSON: texts by the names of files. Nothing in it is a program, and none of its names leads out of the folder
into which it is put. Whoever plays it has its files in a folder of the user's data, named by what is in them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...interpreter import RulesError
from ...interpreter.errors import INVISIBLE, Place, Source, problem
from ...interpreter.files import make_folder, read_bytes, real, write_whole
from ...interpreter.load import MAX_BYTES, Seq
from ...interpreter.resolve import RULES, Library
from ...interpreter.shelves import Shelves
from ...speech.catalogue_files import messages
from ..common.folders import data_home, folders
from .texts import texts_of

__all__ = ["ENDING", "Pack", "is_pack", "opened", "packed", "read_pack", "write_files"]

ENDING = ".tabarro"
FORMAT = "tabarro pack 1"
MOST_FILES = 100
MOST_BYTES = 4_000_000
_LETTERS = r"[A-Za-z0-9_][A-Za-z0-9_.\-]*"
_RULES = re.compile(rf"(?:{_LETTERS}/){{0,4}}{_LETTERS}\.yaml")
_TEXTS = re.compile(r"locales/[a-z]{2,3}(?:_[A-Za-z]+)*/(?:LC_MESSAGES/house\.po|grammar\.yaml|keys\.yaml)")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)  # what some systems cannot write


class Pack(dict[str, str]):
    """The texts of files by their names; the first is the game."""

    @property
    def game(self) -> str:
        return next(iter(self))


# --- making one -------------------------------------------------------------------------------------------------------
def packed(path: Path) -> bytes:
    """The pack of a rule file. Raises RulesError."""
    library = Library(folders())
    library.merged(path)  # what cannot be read need not be sent
    pack = Pack()
    _take(library, real(path), f"{path.stem}.yaml", pack)
    own = [file for file in library.files_of(path) if not file.is_relative_to(RULES)]
    pack |= _texts(own)
    data = json.dumps({"format": FORMAT, "files": pack}, ensure_ascii=False, indent=1).encode()
    _checked(path.name, pack, len(data))
    return data


def _take(library: Library, file: Path, name: str, pack: Pack) -> None:
    """A file under this name, and those that it extends beside it, each as it is asked for."""
    text = read_bytes(file, MAX_BYTES, file.name).decode("utf-8-sig")
    if pack.get(name, text) != text:
        raise RulesError(problem("pack_twice", library.load(file).at, name=name))
    if name in pack:
        return
    pack[name] = text
    parents = library.load(file).get("extends", [])
    home = name.rpartition("/")[0]
    for parent in parents if isinstance(parents, Seq) else [parents]:
        found = real(library.find(parent, file.parent))
        if not found.is_relative_to(RULES):
            _take(library, found, f"{home}/{parent}.yaml".lstrip("/"), pack)


def _texts(files: list[Path]) -> dict[str, str]:
    """What catalogues beside these files say of them, in one for each language; and the languages that they bring."""
    wanted = {key for file in files for key in texts_of(file)}
    around = [real(folder) for folder in folders()]
    homes = dict.fromkeys(home for file in files for home in (file.parent, *around) if file.is_relative_to(home))
    said: dict[str, dict[Any, str]] = {}
    found: dict[str, str] = {}
    for home in homes:
        for file in sorted(home.glob("locales/*/LC_MESSAGES/*.po")):
            for key, text in messages(file, file.parts[-3]).items():
                if key in wanted and isinstance(key[1], str) and isinstance(text, str) and text:
                    said.setdefault(file.parts[-3], {}).setdefault(key, text)
        for file in sorted([*home.glob("locales/*/grammar.yaml"), *home.glob("locales/*/keys.yaml")]):
            found.setdefault(file.relative_to(home).as_posix(), read_bytes(file, MAX_BYTES, file.name).decode("utf-8"))
    for code, entries in said.items():
        found[f"locales/{code}/LC_MESSAGES/house.po"] = _catalogue(entries)
    return found


def _catalogue(entries: dict[Any, str]) -> str:
    lines = ['msgid ""', 'msgstr "Content-Type: text/plain; charset=utf-8\\n"', ""]
    for (context, text), string in sorted(entries.items(), key=str):
        lines += [f"msgctxt {_quoted(context)}"] if context else []
        lines += [f"msgid {_quoted(text)}", f"msgstr {_quoted(string)}", ""]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return json.dumps(INVISIBLE.sub("", text), ensure_ascii=False)


def is_pack(data: bytes) -> str | None:
    """Is this no pack? Then none is written in its place."""
    begins = json.dumps({"format": FORMAT}, indent=1).encode()[:-2]
    return None if data.startswith(begins[: len(data)]) else "file_foreign"


# --- taking one -------------------------------------------------------------------------------------------------------
def read_pack(path: Path) -> Pack:
    """What is in a pack, if it is one. Raises RulesError, whatever the file is."""
    data = read_bytes(path, MOST_BYTES, path.name)
    at = Place(Source(path.name, ""), 1, 1)
    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise RulesError(problem("pack_broken", at)) from None
    files = found.get("files") if isinstance(found, dict) and found.get("format") == FORMAT else None
    if not isinstance(files, dict) or not files or not all(isinstance(text, str) for text in files.values()):
        raise RulesError(problem("pack_broken", at))
    pack = Pack(files)
    _checked(path.name, pack, len(data))
    return pack


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A name that stands there twice could mean one thing to who looks at it and another to who plays it."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _checked(name: str, pack: Pack, size: int) -> None:
    """Refuses names that lead elsewhere, that are ours, or that only some systems can keep apart; and what is large."""
    at = Place(Source(name, ""), 1, 1)
    if len(pack) > MOST_FILES or size > MOST_BYTES:
        raise RulesError(problem("pack_large", at, files=MOST_FILES, bytes=MOST_BYTES))
    seen: set[str] = set()
    for index, part in enumerate(pack):
        is_text = bool(_TEXTS.fullmatch(part))
        plain = is_text or (_RULES.fullmatch(part) and not part.startswith("locales/") and ".." not in part)
        kept = not any(_RESERVED.fullmatch(piece) for piece in part.split("/"))
        if not plain or not kept or part.casefold() in seen or (index == 0 and (is_text or "/" in part)):
            raise RulesError(problem("pack_part", at, name=part[:80]))
        if not is_text and Shelves.inside(RULES, Path(part).stem) is not None:
            raise RulesError(problem("pack_ours", at, name=Path(part).stem))
        if len(pack[part].encode("utf-8", "replace")) > MAX_BYTES:
            raise RulesError(problem("pack_large", at, files=MOST_FILES, bytes=MOST_BYTES))
        seen.add(part.casefold())


def write_files(pack: Pack, folder: Path, force: bool = False) -> None:
    for name, text in pack.items():
        make_folder((folder / name).parent)
        write_whole(folder / name, text.encode("utf-8", "replace"), force)


def opened(argv: Sequence[str]) -> list[str]:
    """The arguments of a command with the rule file of each pack instead of the pack. Raises RulesError. Saves end
    alike: behind --save there is one."""
    return [
        str(_kept(Path(name))) if name.endswith(ENDING) and Path(name).is_file() and before != "--save" else name
        for before, name in zip(["", *argv], argv)
    ]


def _kept(path: Path) -> Path:
    """The game of a pack in the user's own folder, where saves find it again. Who changes it there has another."""
    pack = read_pack(path)
    name = sha256(json.dumps(pack, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()[:20]
    folder = data_home() / "packs" / name
    write_files(pack, folder, force=True)
    return folder / pack.game
