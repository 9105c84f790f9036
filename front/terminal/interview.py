"""`tabarro deduce --interactive`: the worksheet typed line by line, with what follows after each line."""

from __future__ import annotations

import shlex
from functools import partial
from typing import Any

from ...interpreter import RulesError, show
from ...interpreter.errors import Place, Source
from ...interpreter.files import write_new
from ...speech.language import N_
from ...speech.narrator import question_name
from ..common.layout import LONGEST_ENTRY
from ..common.streams import Terminal
from ..workbench.account import MY_TURN, Account
from ..workbench.conclusions import conclusions, take, told, understood
from ..workbench.examples import examples
from ..workbench.worksheet import ME
from .asker import Quit
from .lookup import wants_to_quit
from .prompt import normal
from .screen import EndOfInput, Screen

__all__ = ["interview"]

BACK = object()  # the last answer was wrong


def interview(sheet, terminal: Terminal, settings: dict[str, Any]) -> int:
    """`settings` tells which game it is, as a worksheet does."""
    return Interview(sheet, terminal, settings).run()


class Interview:
    def __init__(self, sheet, terminal: Terminal, settings: dict[str, Any]):
        self.sheet, self.terminal, self.language, self.settings = sheet, terminal, terminal.language, settings
        self.screen = Screen(terminal.out)
        self.introduced = bool(sheet.seat)  # by a file, in which one can look for mistakes oneself
        self.odds, self.examples = None, []

    def run(self) -> int:
        try:
            self._begin()
            while True:
                typed = self._read()
                if not typed:
                    return 0
                self._take(typed)
        except (EndOfInput, KeyboardInterrupt, Quit):
            self.screen.line()
            return 0
        finally:
            self.screen.text(self.language.say(N_("See you next time.")))

    def _begin(self) -> None:
        while True:
            self._introduce()
            try:
                self.odds = understood(self.sheet)
                break
            except RulesError as error:
                if self.introduced:
                    raise
                self._complain(error)
                self.sheet.secrets.clear()
        self.examples = [] if isinstance(self.sheet, Account) else examples(self.sheet)
        self._help()
        self._conclude()

    def _read(self) -> str:
        typed = self.screen.read("> ", LONGEST_ENTRY).strip()
        if wants_to_quit(typed, self.language):
            raise Quit
        return typed

    # --- who one is ---------------------------------------------------------------------------------------------------
    def _introduce(self) -> None:
        """Asks for what is missing: the seat, then its secrets, one after the other."""
        sheet = self.sheet
        while True:
            missing = [f for f in sheet.own if f.shape not in sheet.secrets] if sheet.seat else [None]
            if not missing:
                return
            answer = self._ask_secret(missing[0]) if missing[0] is not None else self._ask_seat()
            if answer is BACK:
                self._step_back()
            elif missing[0] is None:
                sheet.seat = answer
            else:
                sheet.secrets[missing[0].shape] = answer

    def _step_back(self) -> None:
        """Forgets the last thing that was told of oneself."""
        sheet = self.sheet
        if self.introduced or not sheet.seat:
            self.screen.text(self.language.say(N_("There is nothing to take back.")), "  ")
        elif sheet.secrets:
            sheet.secrets.popitem()
        else:
            sheet.seat = ""

    def _ask_seat(self):
        sheet, game = self.sheet, self.sheet.game
        seats = [sheet.narrator.seat(s)("list") for s in game.seats if s not in game.chance_seats]
        self._question(self.language.say(N_("Who are you? {seats}"), seats=self.language.row(seats)))
        return self._answered(sheet._seat, seats)

    def _ask_secret(self, function):
        sheet, language = self.sheet, self.language
        name = question_name(sheet.game, language, function.shape.split(" ")[0])
        many = function.result.many
        kind = function.result.of if many else function.result
        values = [sheet.narrator.name(a)("list") for a in sorted(kind.atoms)]
        if many:
            held = len(sheet.some_deal()[function.shape] or ())
            self._question(
                language.ngettext(
                    "{kind}, {number} of these: {values}",
                    "{kind}, {number} of these with commas between them: {values}",
                    held,
                    kind=name[:1].upper() + name[1:],
                    values=language.row(values),
                )
            )
        else:
            self._question(language.labelled(name, language.row(values)))
        return self._answered(partial(_value, sheet, function.result), [] if many else values)

    def _question(self, text: str) -> None:
        self.screen.text(text, style="bold")

    def _answered(self, understand, names: list[str]):
        """What was answered, or BACK; of one of these names also its beginning is understood."""
        while True:
            typed = self._read()
            if self._is(typed, "undo"):
                return BACK
            begun = [name for name in names if normal(name).startswith(normal(typed))]
            typed = begun[0] if typed and len(begun) == 1 else typed
            try:
                if typed:
                    return understand(typed, _place(typed))
            except RulesError as error:
                self._complain(error)

    # --- what one has seen --------------------------------------------------------------------------------------------
    def _take(self, typed: str) -> None:
        """A sentence, or a word that does something else."""
        first, _, rest = typed.replace("\u3000", " ").partition(" ")
        if typed in ("?", "？"):
            self._help()
        elif self._is(typed, "undo"):
            self._undo()
        elif self._is(first, "save"):
            self._save(rest.strip())
        else:
            try:
                entry = self.sheet.read(typed, _place(typed))
                take(self.sheet, self.odds, entry)
                self.sheet.entries.append(entry)
                self._conclude()
            except RulesError as error:
                self._complain(error)
                if error.problems[0].code == "worksheet_sentence":
                    self._help()

    def _word(self, command: str) -> str:
        return self.language.pgettext("command", command) or command

    def _is(self, typed: str, command: str) -> bool:
        return normal(typed) in (command, normal(self._word(command)))

    def _undo(self) -> None:
        if self.sheet.entries:
            gone = self.sheet.entries.pop()
            self.odds = understood(self.sheet)
            self.screen.text(self.language.say(N_("Taken back: {sentence}"), sentence=gone.text), "  ")
            self._conclude()
            return
        self._step_back()
        if not self.introduced:
            self._begin()

    def _save(self, name: str) -> None:
        """Everything so far as a worksheet. What another file holds is not lost for it."""
        say = self.language.say
        if not name:
            text = say(
                N_("Type the name of a file after it, such as “{example}”."), example=f"{self._word('save')} mine.yaml"
            )
        else:
            try:
                write_new(name, self.sheet.as_file(self.settings).encode())
                self.screen.text(say(N_("It is saved. This reads it again:")), "  ")
                self.screen.line(f"  tabarro deduce --notes {shlex.quote(name)}")
                return
            except FileExistsError:
                text = say(N_("There is already a file called “{name}”. Choose another name."), name=name)
            except RulesError as error:
                text = error.problems[0].message(self.language.translate)
        self.screen.text(text, "  ")

    # --- what is said to that -----------------------------------------------------------------------------------------
    def _complain(self, error: RulesError) -> None:
        for problem in error.problems:
            said = show(problem, self.language.translate).removeprefix(f"{problem.place}: ").splitlines()
            for line in said[:3] if problem.code == "worksheet_sentence" else said:  # examples say more than a list
                self.screen.line(line)

    def _help(self) -> None:
        screen, say = self.screen, self.language.say
        screen.line()
        screen.text(
            say(
                N_("Type what you have seen, one sentence a line; “?” shows what may come next, an empty line ends it:")
                if isinstance(self.sheet, Account)
                else N_("Type what you have seen, one sentence a line; “?” shows this again, an empty line ends it:")
            )
        )
        for text in examples(self.sheet) if isinstance(self.sheet, Account) else self.examples:
            screen.text(text, "  ", hanging="    ")
        if isinstance(self.sheet, Account):
            turn = self.language.translate(MY_TURN)
            screen.text(say(N_("“{turn}” says that it is for you to decide now."), turn=turn))
        screen.text(
            say(
                N_(
                    "“{undo}” takes back the last sentence, “{save}” with the name of a file keeps them all for "
                    "--notes."
                ),
                undo=self._word("undo"),
                save=self._word("save"),
            )
        )

    def _conclude(self) -> None:
        self.screen.line()
        found = conclusions(self.odds, self.sheet.seat, self.sheet, self.sheet.model)
        for line in told(self.sheet.game, self.language, found, self.sheet):
            self.screen.text(line.strip(), "  " if line.startswith(" ") else "", hanging="    ")


def _value(sheet, kind, text: str, at: Place):
    return sheet.value(text, kind, at)


def _place(typed: str) -> Place:
    return Place(Source(ME, typed), 1, 1)
