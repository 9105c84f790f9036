"""The prompt: what is offered, what can be typed at it, what a person looks up before he chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...speech.language import N_
from ..common.layout import clean, columns, padded, width_of
from .lookup import Lookup, wants_to_quit
from .menu import Menu, Unclear
from .prompt import Walk, normal
from .refusing import why_not
from .screen import Screen
from .sight import Answer, Back, Gesture, GoOn, Sight, TakeUp
from .view import View

__all__ = ["Asker", "Quit", "wants_to_quit"]


class Quit(Exception):
    """Somebody has had enough for now."""


class Asker:
    """The plain face: draws what one person sees, line by line, and tells what he has typed."""

    def __init__(self, view: View, screen: Screen):
        self.view, self.screen, self.language = view, screen, view.language
        self.looks = Lookup(view)

    # --- the prompt ---------------------------------------------------------------------------------------------------
    def ask(self, sight: Sight, refused: Callable[[], str]) -> Gesture:
        """What this person wants to do; `refused` tells why nothing can be taken back, if that is so."""
        screen, language = self.screen, self.language
        self._show(sight)
        typed_ahead = ""  # a command that somebody typed where he was asked whether to read on
        among: tuple[int, ...] = ()  # offers that what was typed last can mean
        while True:
            typed, typed_ahead = typed_ahead or screen.read("> ", words=self._completions(sight)), ""
            if not typed and sight.menu is None:
                return GoOn()
            if not typed:
                screen.text(language.say(N_("Type a number, or how your choice begins.")), "  ")
                self._tell_the_way_back(sight)
                continue
            command = self.looks.command(typed, sight)
            if command is None:
                found = self._read(typed, sight, among)
                if isinstance(found, tuple):
                    among = found
                elif isinstance(found, str):
                    command = found
                else:
                    return found
            if command == "undo":
                if not refused():
                    return Back()
                screen.text(language.say(refused()), "  ")
            elif command is not None:
                stopped = self._look_up(command, sight)
                if self.looks.command(stopped, sight) is not None:
                    typed_ahead = stopped
                elif command != "save":
                    self._show(sight)

    def confirm(self, why: str, what: str) -> bool:
        """Does he really want to do what is not easily made good?"""
        screen, language = self.screen, self.language
        screen.line()
        if what:
            screen.text(what, "  ", hanging="    ")
        yes = language.translate(N_("yes"))
        text = N_("Type “{yes}” to confirm; anything else takes you back.")
        screen.text(f"{why} {language.say(text, yes=yes)}", style="bold")
        typed = screen.read("> ")
        if wants_to_quit(typed, language):
            raise Quit
        return normal(typed) in (normal(yes), "yes")

    def _show(self, sight: Sight) -> None:
        screen, language = self.screen, self.language
        screen.line()
        for text in sight.told:
            screen.text(text, "| ", hanging="| ")
            screen.line()
        if sight.question:
            screen.text(sight.question, style="bold")
        if sight.heading:
            screen.text(sight.heading, style="" if sight.question else "bold")
        if sight.menu is not None:
            self._list(sight.menu, range(len(sight.offers)))
        standing = language.row(sight.words)
        if sight.menu is None:
            screen.text(
                language.say(
                    N_("Press Enter for “{what}”. Or type: {standing}."), what=sight.goes_by, standing=standing
                ),
                style="bold",
            )
        elif standing:
            screen.text(language.say(N_("Or type: {standing}."), standing=standing))
        if not self.view.hinted:
            self.view.hinted = True
            screen.text(
                language.say(
                    N_("Type a number, or how your choice begins. Also: {commands}."),
                    commands=language.row(self.looks.words()),
                ),
                style="dim",
            )

    def _list(self, menu: Menu, numbers: Iterable[int]) -> None:
        digits, numbers = len(str(max(menu.numbers, default=1))), [*numbers]
        groups = menu.groups() if len(numbers) == len(menu.offers) and not menu.is_numbers else []
        if groups:
            return self._grouped(menu, groups, digits)
        shown = [
            menu.offers[i].shown if menu.is_numbers else f"{menu.numbers[i]:>{digits}} {menu.offers[i].shown}"
            for i in numbers
        ]
        self.screen.lines(columns(shown, self.screen.width))

    def _grouped(self, menu: Menu, groups: list[tuple[str, list[int]]], digits: int) -> None:
        """By whose they are: the name of each group before its first line."""
        side = max(width_of(title) for title, _ in groups) + 2
        for title, places in groups:
            if not title:
                self.screen.lines(
                    columns([f"{n + 1:>{digits}} {menu.offers[n].shown}" for n in places], self.screen.width)
                )
                continue
            shown = [f"{n + 1:>{digits}} {menu.short(menu.offers[n])}{menu.offers[n].where}" for n in places]
            first, *more = columns(shown, self.screen.width, " " * (side + 2))
            self.screen.lines([f"  {padded(title, side)}{first[side + 2 :]}", *more])

    def _completions(self, sight: Sight) -> list[str]:
        names = [name for offer in sight.offers for name in offer.names]
        return [*names, *sight.words, *self.looks.words()]

    def _read(self, typed: str, sight: Sight, among: tuple[int, ...]) -> Gesture | tuple[int, ...] | str:
        """What was meant, if nothing else the command that begins so; or the offers that it can mean, after they were
        listed."""
        menu, screen, say = sight.menu, self.screen, self.language.say
        found = menu.read(typed, among) if menu is not None else Unclear()
        if isinstance(found, Walk):
            return Answer(found)
        if not found.found and not found.picked:
            for index, standing in enumerate(sight.standing):
                meant = [] if typed.strip().isdecimal() else standing.meant(normal(typed))
                if len(meant) == 1:
                    return TakeUp(index, standing.offers[meant[0]].walk)
        shown = clean(typed, 30)
        if found.picked:
            for text in why_not(self.view, menu.walk, found.picked):
                screen.text(text, "  ")
            return among
        if not found.found and (command := self.looks.begun(typed)) is not None:
            return command
        if found.found or found.nearly:
            text = N_("“{text}” can mean:") if found.found else N_("“{text}” is not among the choices. Do you mean:")
            screen.text(say(text, text=shown), "  ")
            self._list(menu, found.found or found.nearly)
            return found.found or found.nearly
        if menu is None:
            text = N_("“{text}” cannot be done now. Press Enter to go on, or type: {standing}.")
            screen.text(say(text, text=shown, standing=self.language.row(sight.words)), "  ")
        else:
            screen.text(
                say(
                    N_("“{text}” is not among the choices. Type a number from 1 to {most}, or how your choice begins."),
                    text=shown,
                    most=menu.most,
                ),
                "  ",
            )
            self._tell_the_way_back(sight)
        return among

    def _tell_the_way_back(self, sight: Sight) -> None:
        """To somebody who has begun something that he may not have meant."""
        if sight.menu is not None and not sight.menu.walk.is_fresh:
            self.screen.text(
                self.language.say(N_("To do something else, type “{undo}”."), undo=self.looks.word("undo")), "  "
            )

    # --- commands -----------------------------------------------------------------------------------------------------
    def _look_up(self, command: str, sight: Sight) -> str:
        """Tells what was asked for; what was typed instead of reading on, if anything."""
        screen, language = self.screen, self.language
        if command == "quit":
            raise Quit
        if command == "save":
            screen.text(self.looks.saved(), "  ")
            return ""
        lines = self.looks.lines(command, sight, screen.width, lambda: self.view.picture(screen))
        screen.line()
        return screen.pages(lines, language.say(N_("Press Enter for more, or type anything to stop.")) + " ")
