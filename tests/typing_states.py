"""States of a text that is being typed: what an author's file is between two that can be understood. And what a language
server must make of each: something, about this text and no other, and never a failure."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from tabarro.front.lsp.analysis import Analysis, Mistake, analyse, mistakes
from tabarro.front.lsp.completion import complete
from tabarro.front.lsp.desk import Desk
from tabarro.front.lsp.meaning import hover, origins
from tabarro.front.lsp.remedies import changed, remedies
from tabarro.front.lsp.renaming import can_rename
from tabarro.speech.language import Language

ENGLISH = """extends: venice-2013
name: {en: Merry evening}
options: {repeats: forbidden}
change: {turn of player/shake/draw: 4}
things:
  mood: [merry, sad]
state:
  mood of player: {is: mood, start: merry, seen by: all}
words:
  player is lucky: any figure of player is on rialto
  player is glad: mood of player is merry and player is lucky
rules:
  turn of player:
    greet: {before: shake, let: {guest: players where it is lucky}}
    wave: {after: greet, say: "{player} greets {guest}."}
"""
CATALAN = """llengua: ca
amplia: venice-2013
nom: Vespre alegre
opcions: {repeats: forbidden}
coses: {ball: {membres: {purple: {count: 0}, white: {count: 4}}}}
mots:
  player és afortunat: algun figure de player és a rialto
regles:
  turn de player:
    saluda: {abans de: shake, sigui: {convidat: players on ell és afortunat}}
    crida: {després de: saluda, digues: "{player} saluda {convidat}."}
"""
JAPANESE = """言語: ja
土台: venice-2013
名前: 楽しい夕べ
選択ルール: {repeats: forbidden}
状態:
  player の mood: {種類: number, 開始: 1, 見る人: 全員}
言葉:
  player は lucky: player に属する figure のどれか は rialto の上に ある
規則:
  player の turn:
    greet: {前: shake, 名付ける: {guest: players のうち それ は lucky である もの}}
    wave: {後: greet, 言う: "{player} は {guest} に挨拶する。"}
"""
HOUSES = {"en": ENGLISH, "ca": CATALAN, "ja": JAPANESE}


def prefixes(text: str, every: int) -> Iterator[str]:
    """Letter by letter, or in larger steps."""
    yield from (text[:end] for end in range(0, len(text), every))
    yield text


def slips(text: str, count: int, rng: random.Random) -> Iterator[str]:
    """The text with a slip of the hand, each time another: letters, signs, lines."""
    for _ in range(count):
        at = rng.randrange(len(text))
        lines = text.split("\n")
        line = rng.randrange(len(lines))
        kind = rng.randrange(7)
        if kind == 0:
            yield text[:at] + text[at + rng.randrange(1, 8) :]
        elif kind == 1:
            yield text[:at] + rng.choice("{}[]:,'\"#&*!|>%@- \t\n()") + text[at:]
        elif kind == 2:
            yield text[:at] + rng.choice("aeixñ語🎭\u2028\x85\r") + text[at + 1 :]
        elif kind == 3:
            yield "\n".join(lines[:line] + lines[line + 1 :])
        elif kind == 4:
            yield "\n".join([*lines[:line], " " * rng.randrange(9) + lines[line].lstrip(), *lines[line + 1 :]])
        elif kind == 5:
            yield "\n".join([*lines[:line], lines[line], *lines[line:]])
        else:
            yield text[:at] + "\n" + text[at:]


def looked_at(desk: Desk, path: Path, text: str, good: Analysis | None, language: Language, at: int) -> Analysis:
    """Everything that an editor may ask of one state of a text. Raises only where the server would have failed."""
    desk.open = {path: text}
    known = analyse(desk, path)
    told = mistakes(known.problems, path, text, known.library, language)
    if known.problems:
        assert told
    for one in told:
        assert 0 <= one.start <= one.end <= len(text), one
        assert one.message and "Traceback" not in one.message
        for remedy in remedies(one, known):
            changed(text, remedy.edits)
            assert language.say(remedy.title, **remedy.values)
    best = good or known
    for item in complete(known, best, at, language):
        assert item.label and 0 <= item.start <= at
    for found in origins(known, best, at):
        assert found.line >= 1 and found.column >= 1
    hover(known, best, best, at, language)
    can_rename(known, best, at)
    return known


def told_of(desk: Desk, path: Path, text: str, language: Language) -> list[Mistake]:
    """What is told at once of a state: the mistakes in the file itself."""
    desk.open = {path: text}
    known = analyse(desk, path)
    return mistakes(known.problems, path, text, known.library, language, all_of_them=False)
