"""`tabarro texts`: what a game still needs translated, as a catalogue for a translator.

For a language that is spoken here these are the texts of the game that have no translation. For another one they are
all texts of the program and of the game: the catalogue, put beside house rules, adds the language to everything.
"""

from __future__ import annotations

import os
import string
from pathlib import Path
from typing import Any

from ...interpreter import RulesError, load_game
from ...interpreter.files import make_folder
from ...interpreter.idiom import idiom
from ...interpreter.resolve import Library
from ...interpreter.shelves import shown
from ...speech.catalogue_files import Key, messages, notes, written
from ...speech.checking import defects, key_defects
from ...speech.language import LANGUAGES, LOCALES, N_, exists, known, translated
from ..common.arguments import add_force, add_game_name
from ..common.folders import folders
from ..common.loading import rule_file
from ..common.streams import Terminal
from ..workbench.texts import files_of, texts_of


def arguments(parser, language) -> None:
    _ = language.translate
    add_game_name(parser, language)
    parser.add_argument("-o", "--output", metavar="FILE", help=_("the catalogue to write; what it has is kept"))
    add_force(parser, language)
    parser.add_argument("--check", action="store_true", help=_("tell what is missing or wrong instead"))


def run(args, terminal: Terminal) -> int:
    asked = getattr(args, "lang", terminal.language.code)
    code = known(asked) or asked.lower()
    if not exists(code):
        raise terminal.refusal(
            N_("No language is known by the name “{name}”. Write its code, such as it or pt."), name=asked[:40]
        )
    if args.check:
        return _check(args, code, terminal)
    keys = _texts(rule_file(args.game, Library(folders())), code)
    kept = _kept(args.output, code, args.force, terminal) if args.output else {}
    wanted_keys = {key: place for key, place in keys.items() if code != "en" and not translated(code, *key, ours=True)}
    done = sum(1 for key in keys if code == "en" or kept.get(key) or translated(code, *key))
    catalogue = _written(wanted_keys, kept, code, args.game)
    out = terminal.out
    if args.output:
        make_folder(os.path.dirname(args.output) or ".")
        terminal.write_file(args.output, catalogue, args.force)
    else:
        print(catalogue.decode("utf-8"), file=terminal.out)
        terminal.out.flush()
        out = terminal.err
    print(
        terminal.language.say(
            N_("{done} of {all} texts are said in this language: {language}."),
            done=done,
            all=len(keys),
            language=terminal.language.called(code),
        ),
        file=out,
    )
    return 0


def _check(args, code: str, terminal: Terminal) -> int:
    """What a translator has still to do: texts with other places, the grammar, the words of the game."""
    language, found = terminal.language, []
    keys = _texts(rule_file(args.game, Library(folders())), code)
    for key in keys if code != "en" else ():
        said = translated(code, *key)
        text = key[1] if isinstance(key[1], str) else key[1][0]
        if said is not None and _places(said) != _places(text):
            found.append(language.say(N_("The places in braces are not those of the text: {text}"), text=text))
    for sentence, values in defects(load_game(rule_file(args.game, Library(folders()))), code):
        found.append(language.say(sentence, **values))
    words = idiom(code, folders(), whole=False)
    for sentence, values in key_defects(words) if words is not None else ():
        found.append(language.say(sentence, **values))
    for line in found:
        terminal.line(line)
    if not found:
        terminal.say(N_("Nothing is missing or wrong in this language: {language}."), language=language.called(code))
    return 2 if found else 0


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def _texts(path: Path, code: str) -> dict[Key, tuple[str, int]]:
    """Everything that has to be said, with its place; for a new language, what the program says as well."""
    found: dict[Key, tuple[str, int]] = {}
    for file in files_of(path):
        for key, (line, inline) in texts_of(file).items():
            if code not in inline:
                found.setdefault(key, (shown(file), line))
    if code not in LANGUAGES:
        for key in messages(LOCALES / "en" / "LC_MESSAGES" / "tabarro.po", "en"):
            found.setdefault(key, ("tabarro", 0))
    return found


def _kept(output: str, code: str, force: bool, terminal: Terminal) -> dict[Key, Any]:
    """What the catalogue already has."""
    if not os.path.exists(output):
        return {}
    try:
        found = messages(Path(output), code)
    except RulesError as error:
        if force and os.path.isfile(output):
            return {}
        terminal.complain(error.problems)
        text = N_("The file “{file}” is no catalogue. Give another name after -o.")
        raise terminal.refusal(text, file=output[:80]) from None
    return {key: said for key, said in found.items() if (any(said) if isinstance(said, (list, tuple)) else said)}


def _written(keys: dict[Key, tuple[str, int]], kept: dict[Key, Any], code: str, game: str) -> bytes:
    entries, known_notes = [], notes(LOCALES / "en" / "LC_MESSAGES" / "tabarro.po", "en")
    for key, (file, line) in keys.items():
        said = kept.get(key) or (translated(code, *key) if isinstance(key[1], str) else None)
        entries.append((key, said, file, line, known_notes.get(key, [])))
    return written(Path(game).stem, code, entries)
