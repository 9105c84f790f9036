"""Several people at one keyboard, watched: each frame that was on the screen, and who sat there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tabarro.front.terminal.notebook import Notebook
from tabarro.front.terminal.prompt import Walk
from tabarro.interpreter import Reader, known_state
from tabarro.interpreter.runtime import Number
from tabarro.interpreter.save import load
from tabarro.speech.language import Language
from tabarro.speech.narrator import Narrator
from terminal import Person


def seats_of(wishes: Mapping[str, str]) -> list[str]:
    return [word for seat, who in wishes.items() for word in ("--seat", f"{seat}={who}")]


class Frames:
    """All that could be seen at each moment when something was asked, and whose screen it was: nobody's, while the
    keyboard is passed on."""

    def __init__(self, person: Person, languages: Mapping[str, str]):
        self.person, self.languages = person, languages
        self.kept: list[tuple[str, str]] = []
        self.passed, self._next, self._here = 0, "", ""

    def look(self, asked: str) -> None:
        if asked == "pass":
            self.passed, self._here, self._next = self.passed + 1, "", self.person.name
        elif self._next:
            self._here, self._next = self._next, ""
        if asked != "end":
            self.kept.append((self._here, _plain(self.person.text)))

    def given_away(self, save: Path) -> list[tuple[str, str, str]]:
        """In which frames, by who sat there, stood what only others were told: a sentence, or a secret of theirs."""
        forced: dict[str, list[tuple]] = {}  # what each had no choice about: no log says so
        game, state, _ = load(save, before=lambda at, choice: _note_forced(forced, at))
        told: dict[str, set[str]] = {}
        for seat in game.seats:
            told[seat] = set()
            for code in {*self.languages.values()}:
                language = Language(code)
                narrator, player = Narrator(game, language), state.player(seat)
                told[seat] |= {*map(_plain, narrator.tell(Reader(game, seat).news(player)))}
                known = known_state(game, player.log.entries())
                facts = Notebook(game, seat, narrator, language).secrets(known)
                told[seat] |= {_plain(language.labelled(*fact)) for fact in facts}
                for taken in forced.get(seat, ()):
                    named = language.row(_named(narrator, language, value) for value in taken)
                    told[seat].add(_plain(language.say("Only one choice is possible: {choice}.", choice=named)))
        names = {
            _plain(name): seat
            for seat, code in self.languages.items()
            for name in (seat, Narrator(game, Language(code)).seat(seat)("list"))
        }
        for_all = set.intersection(*told.values())
        found = []
        for name, frame in self.kept:
            own = told[names[_plain(name)]] if name else for_all
            others = set().union(*told.values()) - own
            found += [(name, line, frame) for line in others if line in frame]
        return found


def _note_forced(forced: dict[str, list[tuple]], state) -> None:
    player = state.player(state.actor)
    _, taken = Walk(player.question().step, tuple(player.legal())).forced()
    if taken:
        forced.setdefault(state.actor, []).append(tuple(taken))


def _named(narrator: Narrator, language: Language, value) -> str:
    return language.number(int(value)) if isinstance(value, Number) else narrator.name(value)("list")


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()
