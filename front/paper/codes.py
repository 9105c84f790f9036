"""What is written on a board where there is no room for names: letters for pieces, short labels for spaces.

A label is the name of a space as far as it fits: all of it, else the word of it that tells most, else the beginning of
that word, so that no two are alike. In Japanese the narrow form of the letters takes half the room.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, product

from ...interpreter import Game
from ...speech.language import Language
from ...speech.narrator import Narrator
from ..common.layout import width_of
from .board import Board, board_of

__all__ = ["CODE", "Codes", "Lettering", "beginnings", "codes_of", "lettering_of", "narrow"]

CODE = 3  # columns of the shortest label of a space
Said = Callable[[int], Callable[[str], str]]


@dataclass(slots=True)
class Codes:
    spaces: dict[str, str]  # by the name of the space
    pieces: dict[str, str]  # by the name of the piece
    letters: dict[int, str]  # by atom: a colour, a kind of figure


def codes_of(game: Game, language: Language, board: Board | None = None) -> Codes:
    """Letters for what is drawn: a figure by those of its parts, a space by three of its name."""
    board = board or board_of(game)
    assert board is not None
    said, words = Narrator(game, language).name, game.vocabulary
    letters: dict[int, str] = dict(board.signs)
    shown = list(dict.fromkeys([s.colour for s in board.spaces if s.colour is not None]))
    whole = [a for a in board.movable if not words.atoms[a].parts]
    firsts = sorted({words.atoms[a].parts[0] for a in board.movable if words.atoms[a].parts} | set(shown))
    _letters(firsts, said, letters, str.upper)
    _letters(whole, said, letters, str.upper, taken={letters[a] for a in firsts})
    others: dict[str, list[int]] = {}
    for atom in board.movable:
        for part in words.atoms[atom].parts[1:]:
            others.setdefault(words.atoms[part].set, []).append(part)
    for parts in others.values():
        _letters(list(dict.fromkeys(parts)), said, letters, str.lower)
    pieces = {
        words.atoms[a].name: "".join(letters[p] for p in words.atoms[a].parts) or letters[a] for a in board.movable
    }
    if board.holds:
        held = [f for f in words.functions[board.holds] if f.kind == "state"][0].result
        atoms = sorted(held.atoms)
        _letters(atoms, said, letters, str.upper)
        pieces.update({words.atoms[a].name: letters[a] for a in atoms})
    pieces = _apart(pieces)
    return Codes(labels_of(board, said, CODE, letters, signs=pieces.values()), pieces, letters)


class Lettering:
    """What is written on a board in a language, whoever stands there: worked out once, for as long as it is played."""

    def __init__(self, game: Game, language: Language, board: Board):
        self.board, self.said, self._called = board, Narrator(game, language).name, dict[int, str]()
        self.codes = codes_of(game, language, board)
        self._labels: dict[tuple[int, bool], dict[str, str]] = {}

    def called(self, atom: int) -> str:
        if atom not in self._called:
            self._called[atom] = self.said(atom)("list")
        return self._called[atom]

    def labels(self, limit: int, dots: bool = True) -> dict[str, str]:
        """Of spaces, in at most so many columns; where a word is cut, a dot may say so."""
        key = limit, dots and limit > CODE
        if key not in self._labels:
            if limit < CODE:
                found = labels_of(self.board, self.said, limit, self.codes.letters, dots, self.codes.pieces.values())
            else:
                found = {
                    id_: next(label for label in _dotted(steps, key[1]) if width_of(label) <= limit)
                    for id_, steps in self.ladders.items()
                }
            self._labels[key] = found
        return self._labels[key]

    def shorter(self, space: str, label: str) -> list[str]:
        """What a space can be called in fewer columns, the longest first; at the end its first letter."""
        code = self.codes.spaces[space]
        steps = [step for step, _ in self.ladders[space]] + [self.labels(CODE - 1)[space], code[:1]]
        return [step for step in dict.fromkeys(steps) if width_of(step) < width_of(label) and step not in self.signs]

    @cached_property
    def ladders(self) -> dict[str, list[tuple[str, bool]]]:
        """Of each space its name, a word of it, beginnings of that word, and its letters: ever shorter, and whether a
        word is cut. What one space is called no other is, however short."""
        return _ladders(self.board, self.said, self.codes)

    @cached_property
    def signs(self) -> frozenset[str]:
        """What stands for pieces, and what they are made of: a place that is called so, however short, is none."""
        signs = {*self.codes.letters.values(), *self.codes.pieces.values()}
        return frozenset(form for sign in signs for form in (sign, narrow(sign)))

    @cached_property
    def narrowed(self) -> dict[str, str]:
        """By letters, how each is written where there is least room: in Japanese without the signs beside it, if all
        others can do without."""
        letters = set(self.codes.letters.values())
        plain = {letter: narrow(letter).rstrip("\uff9e\uff9f") for letter in letters}
        return plain if len(set(plain.values())) == len(letters) else {letter: narrow(letter) for letter in letters}


@lru_cache(maxsize=8)
def lettering_of(game: Game, language: Language) -> Lettering | None:
    board = board_of(game)
    return None if board is None else Lettering(game, language, board)


def _apart(codes: dict[str, str]) -> dict[str, str]:
    """Each piece with a sign of its own: where two have the same, the second gets a number beside it."""
    found: dict[str, str] = {}
    for name, code in codes.items():
        taken = set(found.values())
        found[name] = next(c for c in (code, *(f"{code}{n}" for n in range(2, len(codes) + 2))) if c not in taken)
    return found


def _letters(
    atoms: Sequence[int], said: Said, letters: dict[int, str], case: Callable[[str], str], taken: Iterable[str] = ()
) -> None:
    """One letter for each: the first of the word that tells it from the others if it is free, else the next."""
    used = {*taken, *(letters[atom] for atom in atoms if atom in letters)}
    words = {atom: re.findall(r"[^\W\d_]+", said(atom)("list")) or ["?"] for atom in atoms}
    common = Counter(word for found in words.values() for word in set(found))
    for atom in atoms:
        if atom in letters:
            continue
        name = _telling(words[atom], common)
        free = [case(c) for c in name if case(c) not in used and len(case(c)) == 1]
        looks = {_look(letter) for letter in used}
        free = [letter for letter in free if _look(letter) not in looks] or free
        spare = [case(c) for c in "abcdefghijklmnopqrstuvwxyz" if case(c) not in used]
        letters[atom] = (free or spare or ["?"])[0]
        used.add(letters[atom])


ALIKE = "チテ シツッミ ソンリ ノメナ クタケ スヌ ウワフラヲ コユロ アマ ルレ セヤ ヒモ".split()
_LOOKS = {letter: letters[0] for letters in ALIKE for letter in letters}


def _look(letter: str) -> str:
    """What a letter looks like from afar: in katakana a stroke or the sign beside it makes another one."""
    plain = unicodedata.normalize("NFD", letter)[:1]
    return _LOOKS.get(plain, plain) if letter in _KATAKANA or plain in _KATAKANA else letter


# --- labels of spaces -------------------------------------------------------------------------------------------------
def labels_of(
    board: Board,
    said: Said,
    limit: int,
    letters: Mapping[int, str] = {},
    dots: bool = True,
    signs: Iterable[str] = (),
) -> dict[str, str]:
    """For each space a label of at most so many columns, each another one, and none that is the name of a colour, or
    the sign of anything else."""
    names = {space.id: said(space.atom)("list") for space in board.spaces}
    words, common = _words(names)
    labels = {id_: name for id_, name in names.items() if width_of(name) <= limit}
    used = {_plain(label).casefold() for label in labels.values()}
    used |= {_plain(said(atom)("list")).casefold()[:limit] for atom in letters}  # `Red` is no place
    used |= {_plain(form).casefold() for sign in (*letters.values(), *signs) for form in (sign, narrow(sign))}
    for space in board.spaces:
        if space.id in labels:
            continue
        word = _telling(words[space.id], common)
        tries = (one for one in _tries(word, words[space.id], limit, dots) if width_of(one) <= limit)
        label = next(one for one in tries if _plain(one).casefold() not in used)
        labels[space.id] = label
        used.add(_plain(label).casefold())
    return labels


def _ladders(board: Board, said: Said, codes: Codes) -> dict[str, list[tuple[str, bool]]]:
    names = {space.id: said(space.atom)("list") for space in board.spaces}
    words, common = _words(names)
    found: dict[str, list[tuple[str, bool]]] = {}
    for id_, name in names.items():
        word, code = _telling(words[id_], common), codes.spaces[id_]
        short = narrow(word)
        begin = _capital if name[:1].isupper() else str  # `park` is a word, and so is what is left of it
        cuts = [(begin(one), True) for one in beginnings(short)]
        steps = [(name, False), (begin(word), False), (begin(short), False), *cuts]
        steps = [step for step in steps if width_of(step[0]) > width_of(code)]
        found[id_] = [*dict.fromkeys([*steps, (code, False)])]
    used = Counter(plain for steps in found.values() for plain in {_plain(step).casefold() for step, _ in steps})
    colours = [_plain(said(atom)("list")).casefold() for atom in codes.letters]
    signs = {*codes.letters.values(), *codes.pieces.values()}
    signs = {_plain(form).casefold() for sign in signs for form in (sign, narrow(sign))}

    def is_clear(id_: str, step: str) -> bool:
        plain = _plain(step).casefold()
        if plain in signs:
            return False
        if step in (names[id_], codes.spaces[id_]):
            return True
        return used[plain] == 1 and not any(colour.startswith(plain) for colour in colours)

    return {id_: [step for step in steps if is_clear(id_, step[0])] for id_, steps in found.items()}


def _dotted(steps: Sequence[tuple[str, bool]], dots: bool) -> Iterable[str]:
    return (f"{step}." if cut and dots and step.isascii() else step for step, cut in steps)


def _words(names: Mapping[str, str]) -> tuple[dict[str, list[str]], Counter[str]]:
    """The words of each name, and in how many names each of them is."""
    words = {id_: re.findall(r"[^\W\d_]+|\d+", _plain(name)) or [id_] for id_, name in names.items()}
    return words, Counter(word for found in words.values() for word in set(found))


def _telling(words: Sequence[str], common: Mapping[str, int]) -> str:
    """The word that tells most: one that no other name has, and a long one."""
    return min(words, key=lambda word: (common[word], -len(word)))


def _tries(word: str, words: Sequence[str], limit: int, dots: bool) -> Iterable[str]:
    """A word, its beginning, its first letter with others of the name, in the end with any letters."""
    if width_of(word) <= limit:
        yield _capital(word)
    word, rest = narrow(word), narrow(word + "".join(w for w in words if w is not word))
    dot = "." if dots and limit > CODE and word.isascii() else ""
    if width_of(word) <= limit:
        yield _capital(word)
    sounds, full = _sounds(rest), min(limit, CODE)
    begins = _capital(_cut(word, limit - len(dot))) + dot
    if limit > CODE or width_of(begins) == limit or width_of(rest[0]) == 2:
        yield begins
    if width_of(rest[0]) == 1:
        for one, second in enumerate(sounds[1:], 1):
            for two, third in enumerate(("", *sounds[one + 1 :]), one):
                torn = one > 1 and second[0] in _SMALL or two > one + 1 and third[0] in _SMALL
                if not torn and width_of(some := sounds[0] + second + third) == full:
                    yield _capital(some)
    if width_of(sounds[0]) == full and not word.isascii():  # nothing has room behind the first sound
        parts = [_cut("".join(sounds[place:]), full) for place in range(1, len(sounds))]
        later = [sound for sound in sounds[1:] if sound[0] not in _SMALL]
        parts += map("".join, combinations(later, 2))
        yield from (part for part in parts if width_of(part) == full and part[0] not in _SMALL)
    if width_of(rest[0]) == 2 and limit == CODE:
        yield from (rest[0] + second for second in sounds[1:])
        yield from reversed(sounds[1:])  # one that tells of what kind it is, as the last one does in most names
    yield begins
    yield from (sound for sound in sounds[1:] if sound[0] not in _SMALL and not word.isascii())
    for length in (1, 2, 3):  # letters behind it: a digit would look like the number of a space
        for letters in product("abcdefghijklmnopqrstuvwxyz", repeat=length):
            yield _capital(_cut(rest, min(limit, CODE) - length)) + "".join(letters)


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _cut(word: str, width: int) -> str:
    """As much of it as so many columns hold."""
    kept = ""
    for sound in _sounds(word):
        if width_of(kept + sound) > width:
            break
        kept += sound
    return kept


def _sounds(word: str) -> list[str]:
    """Its letters, each with the signs that make another sound of it."""
    return [*word] if word.isascii() else re.findall("[^\uff9e\uff9f][\uff9e\uff9f]*", word)


def beginnings(word: str) -> list[str]:
    """How it begins, ever shorter, without breaking a sound."""
    sounds = _sounds(word)
    return ["".join(sounds[:count]) for count in range(len(sounds) - 1, 0, -1)]


def _plain(text: str) -> str:
    """Without accents: a code can be typed on every keyboard. Signs of Japanese letters belong to them."""
    parted = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in parted if not unicodedata.combining(c) or c in _SIGNS))


_SIGNS = {"\u3099": "\uff9e", "\u309a": "\uff9f"}  # of katakana, and their narrow forms
_NARROW = {unicodedata.normalize("NFKC", chr(n)): chr(n) for n in range(0xFF66, 0xFF9E)} | _SIGNS


_KATAKANA = frozenset(_NARROW)
_SMALL = frozenset("ｧｨｩｪｫｬｭｮｯｰ")  # with which no word begins


def narrow(text: str) -> str:
    """With katakana of half the width; all other letters as they are."""
    if text.isascii():
        return text
    return unicodedata.normalize(
        "NFC", "".join(_NARROW.get(letter, letter) for letter in unicodedata.normalize("NFD", text))
    )
