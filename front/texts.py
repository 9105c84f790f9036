"""`tabarro texts`: what a game still needs translated, as a catalogue for a translator.

For a language that is spoken here these are the texts of the game that have no translation. For another one they are
all texts of the program and of the game: the catalogue, put beside house rules, adds the language to everything.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .language import LANGUAGES, LOCALES, N_, exists, known, translated
from .terminal import Terminal

__all__ = ["files_of", "missing", "own_texts", "texts_of"]

SUMMARY = N_("collect the texts of a game that are not translated")
Key = tuple[str | None, Any]  # context, text or texts by number


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("game", metavar="GAME", help=_("the name of a game, or the path of a rule file"))
    parser.add_argument("-o", "--output", metavar="FILE", help=_("the catalogue to write; what it has is kept"))


def run(args, terminal: Terminal) -> int:
    from .check import _meant

    asked = getattr(args, "lang", terminal.language.code)
    code = known(asked) or asked.lower()
    if not exists(code):
        raise terminal.refusal(N_("No language is known by the name “{name}”. Write its code, such as it or pt."),
                               name=asked[:40])
    keys = _texts(_path(_meant(args.game)), code)
    kept = _kept(args.output, code, terminal) if args.output else {}
    wanted_keys = {key: place for key, place in keys.items() if code != "en" and not translated(code, *key, ours=True)}
    done = sum(1 for key in keys if code == "en" or kept.get(key) or translated(code, *key))
    catalogue = _written(wanted_keys, kept, code, args.game)
    out = terminal.out
    if args.output:
        path = Path(args.output)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(catalogue)
        except OSError:
            raise terminal.refusal(N_("The file “{file}” cannot be written."), file=str(path)[:80]) from None
    else:
        print(catalogue.decode("utf-8"), file=terminal.out)
        terminal.out.flush()
        out = terminal.err
    print(terminal.language.say(N_("{done} of {all} texts are said in this language: {language}."), done=done,
                                all=len(keys), language=_name(code, terminal)), file=out)
    return 0


def _path(game: str | Path) -> Path:
    from ..interpreter.resolve import Library
    from .folders import folders

    return game if isinstance(game, Path) else Library(folders()).find(game)


def _name(code: str, terminal: Terminal) -> str:
    from babel import Locale

    return Locale.parse(code).get_display_name(terminal.language.code) or code


# --- collecting -------------------------------------------------------------------------------------------------------
def texts_of(path: Path) -> dict[Key, tuple[int, frozenset[str]]]:
    """The texts of one rule file: where each stands, and the languages in which the file itself says it."""
    from ..interpreter.load import Map, load_file
    from .extract import TEXTS, _texts

    data = load_file(path)
    found: dict[Key, tuple[int, frozenset[str]]] = {}
    for line, function, message, _ in _texts(data):
        context, text = message if function == "pgettext" else (None, message)
        found.setdefault((context, text), (line, frozenset()))
    stack: list[Any] = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += value
        if not isinstance(value, Map):
            continue
        for key, inner in value.items():
            is_text = (
                key in TEXTS and isinstance(inner, Map) and inner and all(isinstance(v, str) for v in inner.values())
            )
            if is_text and all(len(code) in (2, 3) for code in inner):
                plain = inner.get("en") or next(iter(inner.values()))
                found.setdefault((None, plain), (value.value_at[key].line, frozenset(inner)))
            else:
                stack.append(inner)
    return found


def own_texts(path: Path) -> dict[Key, tuple[int, frozenset[str]]]:
    """The texts of a rule file that none of those it extends has; proper names need no saying."""
    inherited = {key for file in files_of(path)[:-1] for key in texts_of(file)}
    return {key: found for key, found in texts_of(path).items()
            if key not in inherited and not (key[0] and key[1][:1].isupper())}


def missing(texts: dict[Key, tuple[int, frozenset[str]]], code: str) -> dict[Key, int]:
    """Those that are not said in this language, with their lines."""
    return {key: line for key, (line, inline) in texts.items() if code not in inline and not translated(code, *key)}


def files_of(path: Path) -> list[Path]:
    """A rule file and all that it extends, what lies deepest first."""
    from ..interpreter.resolve import Library
    from .folders import folders

    order: list[Path] = []
    Library(folders())._collect(path.resolve(), [], order)
    return order


def _texts(path: Path, code: str) -> dict[Key, tuple[str, int]]:
    """Everything that has to be said, with its place; for a new language, what the program says as well."""
    from ..interpreter.resolve import Library

    found: dict[Key, tuple[str, int]] = {}
    for file in files_of(path):
        for key, (line, inline) in texts_of(file).items():
            if code not in inline:
                found.setdefault(key, (Library.shown(file), line))
    if code not in LANGUAGES:
        from babel.messages.pofile import read_po

        with (LOCALES / "en" / "LC_MESSAGES" / "tabarro.po").open("rb") as ours:
            for message in read_po(ours, locale="en"):
                if message.id:
                    found.setdefault((message.context, message.id), ("tabarro", 0))
    return found


def _kept(output: str, code: str, terminal: Terminal) -> dict[Key, Any]:
    """What the catalogue already has."""
    from babel.messages.pofile import PoFileError, read_po

    if not os.path.exists(output):
        return {}
    try:
        with open(output, "rb") as file:
            found = read_po(file, locale=code, abort_invalid=True)
    except (PoFileError, ValueError):
        raise terminal.refusal(N_("The file “{file}” is no catalogue. Give another name after -o."),
                               file=output[:80]) from None
    return {(m.context, m.id): m.string for m in found
            if m.id and not m.fuzzy and (any(m.string) if isinstance(m.string, (list, tuple)) else m.string)}


def _written(keys: dict[Key, tuple[str, int]], kept: dict[Key, Any], code: str, game: str) -> bytes:
    from io import BytesIO

    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    catalogue = Catalog(locale=code, project=Path(game).stem, version="1", charset="utf-8", fuzzy=False,
                        header_comment=f"# {Path(game).stem}")
    for (context, text), (file, line) in keys.items():
        string = kept.get((context, text)) or (translated(code, context, text) if isinstance(text, str) else None)
        catalogue.add(text, string, context=context, locations=[(file, line)] if line else [(file, None)])
    written = BytesIO()
    write_po(written, catalogue, width=120)
    return written.getvalue()
