"""English where another language is spoken: looked for in what a session has written."""

from __future__ import annotations

import re
from functools import cache

from babel.messages.pofile import read_po
from tabarro.front.common.folders import folders
from tabarro.interpreter import describe, games
from tabarro.speech.language import LOCALES

WORD = r"\w+"
HOLE = re.compile(r"\{[^{}]*\}")


def _words(text: str) -> str:
    """The words of a text with one space around each, so that a row of words can be looked for in it."""
    return f" {' '.join(re.findall(WORD, text))} "


@cache
def _messages(language: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """All texts of a catalogue: in English, and in its language."""

    def all_of(text) -> tuple[str, ...]:
        return tuple(text) if isinstance(text, tuple | list) else (text,)

    with (LOCALES / language / "LC_MESSAGES" / "tabarro.po").open("rb") as file:
        return tuple((all_of(m.id), all_of(m.string)) for m in read_po(file, locale=language) if m.id)


@cache
def _foreign(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """What the texts say in English and never in this language: in whole, between their holes, and word by word.

    The single words also find an English sentence that the catalogue does not know at all.
    """
    spoken = _words(" ".join(HOLE.sub(" ", text) for _, strings in _messages(language) for text in strings)).casefold()
    pieces = {
        _words(piece)
        for ids, strings in _messages(language)
        for text in set(ids) - set(strings)
        for piece in HOLE.split(text)
    }
    words = {f" {word} " for piece in pieces for word in piece.split() if len(word) > 2}
    return (
        frozenset(piece for piece in pieces if len(piece) > 4 and piece.casefold() not in spoken),
        frozenset(word.casefold() for word in words if word.casefold() not in spoken),
    )


@cache
def typed() -> frozenset[str]:
    """What is typed in every language alike: the names of games, of their options and of the values of those."""
    described = [describe(name, folders()) for name in games(folders())]
    names = [game.id for game in described]
    for option in (option for game in described for option in game.options):
        names += [option.name, *map(str, option.values)]
    return frozenset([*names, "true", "false"])


SEATS = {"red", "blue", "green", "yellow", "ambassador", "cross", "nought", "first", "second", "ada", "ben", "cleo"}
BOTS = {"random", "careful", "gambler", "deducer", "thinker", "thinker-easy", "thinker-hard"}


def shown(said: str) -> str:
    """What the program itself has said: without what was typed, what can be typed, files, and abbreviations on maps.

    A line of a file is shown as it stands there, with a caret below it. The abbreviations are those that are explained
    below a map.
    """
    said = re.sub(r"(?m)^( +)\S.*\n\1[ ]*\^+$", " ", said)
    entries = {entry.strip() for entry in re.findall(r"(?m)^(?:\[\d+\] )?> (.+)$", said)} - {""}
    said = re.sub(r"(?m)^(\[\d+\] )?> .*$", " ", said)
    for entry in entries:  # a wrong one is repeated in the answer
        said = re.sub(rf"[“„«「]{re.escape(entry)}[”“»」]", " ", said)
    said = re.sub(r"\S+\.(yaml|tabarro)\b\S*", " ", said)
    said = re.sub(r"tabarro [a-z]+|\[-[^]]*\]|\[[A-Z]+\]|--[a-z-]+( \w+=\w+)?|(?<=, )\w+…", " ", said)
    codes = re.findall(r"(?m)(?:^|  )([A-Z][a-z]{2}) (?=\S)", said[said.rfind("═ ") :]) if "═ " in said else []
    for name in sorted({*typed(), *SEATS, *BOTS, *codes}, key=len, reverse=True):
        said = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", " ", said)
    return said


def english_in(said: str, language: str) -> list[str]:
    """English texts of the catalogue, and their words, that a session in another language has shown all the same."""
    if language == "en":
        return []
    rows, (pieces, words) = _words(shown(said)), _foreign(language)
    found = {piece.strip() for piece in pieces if piece in rows}
    return sorted(found | {word.strip() for word in words if word in rows.casefold()})


def latin_in(said: str) -> list[str]:
    """Words in Latin letters in a Japanese session that do not belong there: the letters of missions, Agent X, what
    is drawn for a nought, and the key that is called so on every keyboard."""
    found = set(re.findall(r"[A-Za-z][A-Za-z0-9_-]*", shown(said)))
    return sorted(found - {"A", "B", "C", "D", "O", "X", "Enter"})
