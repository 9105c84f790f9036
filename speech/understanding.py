"""Conditions that a rule file says as sentences, understood where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..interpreter.doors import Reader
from ..interpreter.errors import Place, RulesError
from ..interpreter.load import Sentence, TextPlace
from ..interpreter.model import Expr, Var
from ..interpreter.vocabulary import Vocabulary
from .conditions import Speaker
from .language import Language
from .tongue import fields_of

if TYPE_CHECKING:
    from ..interpreter.game import Game

__all__ = ["called", "reader_of"]


def reader_of(game: Game) -> Reader:
    """Reads the sentences of a game. Its words, as they were without its sentences, make the grammar; what is read is
    built of the words of the game that is being made."""
    speakers: dict[str, Speaker] = {}

    def read(words: Vocabulary, sentence: Sentence, place: Place, names: Mapping[str, Var]) -> Expr:
        speaker = speakers.get(sentence.code)
        if speaker is None:
            speaker = speakers[sentence.code] = Speaker(game, Language(sentence.code))
        speaker.words = words
        at = TextPlace(place, str(sentence))
        try:
            return speaker.understood(str(sentence), at, names)
        except RulesError as error:
            raise _farther(error, sentence) from None

    return read


def _farther(error: RulesError, sentence: Sentence) -> RulesError:
    """Of two mistakes, that of the sentence and that of the expression, the one that comes later."""
    found, other = error.problems[0], sentence.mistake
    if other is None or found.code != "sentence_unread" or found.place is None or other.place is None:
        return error
    later = (other.place.line, other.place.column) > (found.place.line, found.place.column)
    return RulesError(other) if later else error


def called(code: str, kind: str, name: str) -> list[str]:
    """What players of a language call a thing, in all forms of the catalogue."""
    found = Language(code).pgettext(kind, name)
    if found is None:
        return []
    plain, forms = fields_of(found)
    return [plain, *forms.values()]
