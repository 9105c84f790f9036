"""Before a game: who plays, in which language, against whom. Enter takes what is proposed, and begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...interpreter import Game
from ...mind.kinds import KINDS, SEATED
from ...speech.language import N_, Language, known, spoken
from ...speech.narrator import Narrator
from ..common.layout import clean, columns, wrapped
from ..common.streams import Terminal
from .lookup import wants_to_quit
from .prompt import meant, normal
from .screen import EndOfInput, Screen
from .seats import NAMED_ALIKE, Seat, is_taken

__all__ = ["Start", "wants_another", "wish_meant", "wishes_of"]

# How well bots play, from the weakest; others that there may be are called as they are.
STRENGTHS = {
    "random": N_("at random"),
    "careful": N_("careful"),
    "gambler": N_("bold"),
    "deducer": N_("good"),
    "thinker-easy": N_("thinking ahead a little"),
    "thinker": N_("thinking ahead"),
    "thinker-hard": N_("thinking far ahead, slowly"),
}


class Start:
    """The table before the game: each line can be changed, until somebody presses Enter."""

    def __init__(self, load: Callable[[int | None], Game], terminal: Terminal, screen: Screen, counts: tuple[int, ...]):
        self.load, self.terminal, self.screen, self.language = load, terminal, screen, terminal.language
        self.counts, self.hints, self.bot = counts, False, SEATED
        self.people: dict[str, Seat] = {}  # by their seats
        self._given = ""  # what is to stand in a line that is being changed, if that was typed with it
        self._sit(None)
        first = self._free()[0]
        self.people[first] = Seat(first, language=self.language.code)

    def _sit(self, players: int | None) -> None:
        self.game = self.load(players)
        self.narrator = Narrator(self.game, self.language)
        self.people = {seat: who for seat, who in self.people.items() if seat in self._free()}

    def _free(self) -> list[str]:
        return [seat for seat in self.game.seats if seat not in self.game.chance_seats]

    @property
    def seats(self) -> dict[str, Seat]:
        return {seat: self.people.get(seat) or Seat(seat, self.bot) for seat in self._free()}

    # --- what is asked ------------------------------------------------------------------------------------------------
    def ask(self) -> None:
        """Until somebody begins. EndOfInput, if nobody wants to."""
        screen, say = self.screen, self.language.say
        while True:
            lines = self._lines()
            screen.line()
            screen.text(self.language.text(self.game.name), style="bold")
            for number, (label, value, _) in enumerate(lines, 1):
                text = self.language.labelled(label, value)
                screen.lines(wrapped(text, screen.width, f"  {number:>2} ", "       "))
            names = self._names()
            example = f"{names[min(1, len(names) - 1)]} {self._example}"
            text = N_("Press Enter to begin. A number changes a line, and so does for instance “{example}”.")
            screen.text(say(text, example=example))
            typed = self._read("> ", names)
            if not typed:
                return
            self._change(typed, lines)

    @property
    def _example(self) -> str:
        """A person who reads another language, called as its speakers call it: codes may be words of one's own."""
        return "Anna " + own_name(next(code for code in spoken() if code != self.language.code))

    def _read(self, prompt: str, words: Sequence[str] = ()) -> str:
        if self._given:  # with the line that it changes
            return self._given
        typed = self.screen.read(prompt, words=words)
        if wants_to_quit(typed, self.language):
            raise EndOfInput
        return typed

    def _names(self) -> list[str]:
        return [self.narrator.seat(seat)("list") for seat in self._free()]

    def _lines(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """What stands in each line, and what changes it."""
        language, found = self.language, []
        _ = language.translate
        if len(self.counts) > 1:
            found.append((_(N_("Players")), language.number(self.game.players), self._players))
        for seat, name in zip(self._free(), self._names(), strict=True):
            who = self.people.get(seat)
            said = self._said(who) if who is not None else _(N_("bot"))
            found.append((name, said, lambda seat=seat: self._seat(seat, self._read_seat(seat))))
        if len(self.people) < len(self._free()):
            found.append((_(N_("How the bots play")), _(STRENGTHS.get(self.bot, self.bot)), self._strength))
        found.append((_(N_("Hints")), _(N_("yes")) if self.hints else _(N_("no")), self._toggle))
        return found

    def _said(self, who: Seat) -> str:
        name = who.name or self.language.translate(N_("a person at this keyboard"))
        return f"{name} ({own_name(who.language)})"

    def _change(self, typed: str, lines: list[tuple[str, str, Callable[[], Any]]]) -> None:
        if typed.isdecimal() and len(typed) < 3 and 1 <= int(typed) <= len(lines):
            lines[int(typed) - 1][2]()
            return
        words = typed.replace("\u3000", " ").split()
        for split in range(len(words) - 1, 0, -1):
            found = meant(" ".join(words[:split]), list(zip(self._names(), self._free(), strict=True)))
            if len(found) == 1 and not words[0].isdecimal():
                self._seat(self._free()[found[0]], " ".join(words[split:]))
                return
        labels = [(label,) for label, _, _ in lines]
        for split in range(len(words) - 1, 0, -1):  # a line, and what is to stand there
            found = meant(" ".join(words[:split]), labels)
            if len(found) == 1:
                given, self._given = self._given, " ".join(words[split:])
                try:
                    lines[found[0]][2]()
                finally:
                    self._given = given
                return
        found = meant(typed, labels)
        if len(found) == 1:
            lines[found[0]][2]()
            return
        self._refuse(typed, len(lines))

    def _refuse(self, typed: str, most: int) -> None:
        text = N_("“{text}” is not among the choices. Type a number from 1 to {most}, or how your choice begins.")
        self.screen.text(self.language.say(text, text=clean(typed, 30), most=most), "  ")

    # --- changes ------------------------------------------------------------------------------------------------------
    def _players(self) -> None:
        numbers = ", ".join(map(str, self.counts))
        self._ask(self.language.say(N_("How many play? {numbers}"), numbers=numbers))
        typed = self._read(f"[{self.game.players}] > ")
        if typed.isdecimal() and len(typed) < 4 and int(typed) in self.counts:
            self._sit(int(typed))
        elif typed:
            self.screen.text(self.language.say(N_("These are possible: {values}."), values=numbers), "  ")

    def _read_seat(self, seat: str) -> str:
        text = N_("Who sits there? A name, with a language after it if you like ({example}), “me”, or “bot”.")
        self._ask(self.language.say(text, example=self._example))
        return self._read("> ")

    def _ask(self, text: str) -> None:
        if not self._given:
            self.screen.text(text)

    def _seat(self, seat: str, typed: str) -> None:
        """A person with a name and a language, both of which can be left out; or a bot."""
        *words, last = typed.split() or [""]
        if not last:
            return
        bots = {"bot", normal(self.language.translate(N_("bot")))}
        if normal(typed) in bots:
            self.people.pop(seat, None)
            return
        code = language_of(last)
        if code is None:
            words, code = [*words, last], self.people[seat].language if seat in self.people else self.language.code
        name = " ".join(words)
        me = {"me", normal(self.language.translate(N_("me")))}
        name = "" if normal(name) in me else clean(name)
        if is_taken(name, (who for other, who in self.people.items() if other != seat)):
            self.screen.text(self.language.say(NAMED_ALIKE, name=name), "  ")
            return
        self.people[seat] = Seat(seat, name=name, language=code)

    def _strength(self) -> None:
        kinds = list(KINDS)
        labels = [(self.language.translate(STRENGTHS.get(kind, kind)), kind) for kind in kinds]
        if not self._given:
            self.screen.lines(columns([f"{n} {label}" for n, (label, _) in enumerate(labels, 1)], self.screen.width))
        typed = self._read(f"[{kinds.index(self.bot) + 1}] > ")
        found = meant(typed, labels) if typed else [kinds.index(self.bot)]
        if len(found) == 1:
            self.bot = kinds[found[0]]
        else:
            self._refuse(typed, len(kinds))

    def _toggle(self) -> None:
        if not self._given:
            self.hints = not self.hints
            return
        found = meant(
            self._given, [(self.language.translate(N_("no")), "no"), (self.language.translate(N_("yes")), "yes")]
        )
        if len(found) == 1 and not self._given.isdecimal():
            self.hints = bool(found[0])
        else:
            self._refuse(self._given, len(self._lines()))


def own_name(code: str) -> str:
    """What speakers of a language call it."""
    return Language(code).called(code)


def language_of(typed: str) -> str | None:
    """The language that is called so: by its code, or by its own name."""
    if len(typed) <= 5 and known(typed) in spoken():
        return known(typed)
    return next((code for code in spoken() if normal(own_name(code)) == normal(typed)), None)


def wishes_of(language: Language) -> tuple[str, dict[str, str]]:
    """What is asked after a game, and what one can wish for, as it is called."""
    wishes = {"again": language.translate(N_("again")), "other": language.translate(N_("other"))}
    text = N_("Enter leaves the table; “{again}” plays once more with the same people, “{other}” another game:")
    return language.say(text, **wishes), wishes


def wish_meant(typed: str, language: Language) -> str | None:
    """`again` with the same people, `other`, or nothing; None, if that is not clear."""
    if not typed or wants_to_quit(typed, language):
        return ""
    wishes = wishes_of(language)[1]
    found = meant(typed, [*wishes.items()])
    return [*wishes][found[0]] if len(found) == 1 and not typed.isdecimal() else None


def wants_another(screen: Screen, language: Language) -> str:
    """What is wished for after a game."""
    screen.line()
    wish = None
    while wish is None:
        try:
            wish = wish_meant(screen.pause(wishes_of(language)[0] + " "), language)
        except (EndOfInput, KeyboardInterrupt):
            return ""
    return wish
