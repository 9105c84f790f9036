"""What everybody is after, as the rules tell it: apart, since a first question at the prompt does without."""

from __future__ import annotations

from functools import lru_cache

from ...interpreter import Game
from ...speech.language import Language
from ...speech.reasons import endings


@lru_cache(maxsize=8)
def aims(game: Game, language: Language) -> list[str]:
    """How the game is decided, where no table says what each is after; what it is about, if no rule tells that."""
    if game.screens.table is not None:
        return []
    about = language.text(game.about)
    return endings(game, language) or ([about] if about else [])
