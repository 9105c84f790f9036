"""Which game is meant, when nobody has said it: one to begin, or one to go on with."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from ...interpreter import Description, RulesError, describe
from ...interpreter.describing import described
from ...interpreter.errors import did_you_mean, problem
from ...speech.language import N_, Language
from ..common.folders import folders
from ..common.layout import clean, columns
from ..common.streams import Refusal, Terminal
from .lookup import wants_to_quit
from .prompt import called, meant, nearly, normal
from .saves import Kept, kept
from .screen import EndOfInput, Screen

__all__ = ["chosen_save", "game_to_begin", "name_meant", "one_of_these"]

MOST = 20  # games that are offered


# --- by the name that was typed ---------------------------------------------------------------------------------------
def name_meant(typed: str, terminal: Terminal) -> str:
    """The game whose name somebody has begun to type, or words of it, as where one is asked for a game."""
    games = [game for game in described(folders())[0].values() if game is not None]
    found = [
        games[place].id for place in called(normal(typed), [[terminal.language.text(g.name), g.id] for g in games])
    ]
    if len(found) == 1:
        return found[0]
    if found:
        said = terminal.language.say(N_("“{text}” can mean:"), text=clean(typed, 30))
        raise Refusal("\n".join([said, *(f"  {name}" for name in found)]))
    near = did_you_mean(typed, [game.id for game in games]) or ""
    raise RulesError(problem("unknown_game", None, name=typed, meant=near))


# --- to begin ---------------------------------------------------------------------------------------------------------
def game_to_begin(
    players: int | None, all_seated: bool, screen: Screen, terminal: Terminal, only: bool = False
) -> tuple[str, int | None, int | None]:
    """Which game, how many play, how many of them are people: with Enter three times one plays. `only`: which game."""
    say = terminal.language.say
    found = [game for game in described(folders())[0].values() if game is not None]  # `list` tells of the others
    playable = {d.id for d in found}  # a variant of one of these comes after all that are none
    found.sort(key=lambda d: (not playable.isdisjoint(d.extends), -len(d.players), -len(d.options), d.id))
    last = next((one.game for one in kept()), "")
    found.sort(key=lambda d: d.id != last)  # the one that was played last comes first
    game = one_of_these(found, screen, terminal)
    if only:
        return game.id, players, None
    counts = list(game.players)
    if players is None and len(counts) > 1:
        asked = say(N_("How many play? {numbers}"), numbers=", ".join(map(str, counts)))
        players = _number(screen, terminal, asked, counts, game.usual or counts[0])
    people = None
    if not all_seated:
        most = players or counts[0]
        people = _number(
            screen, terminal, say(N_("How many of them are people at this keyboard?")), list(range(most + 1)), 1
        )
    return game.id, players, people


def one_of_these(games: Sequence[Description], screen: Screen, terminal: Terminal) -> Description:
    """Which of these games somebody wants."""
    names = [terminal.language.text(game.name) for game in games]
    screen.text(terminal.language.say(N_("Which game?")), style="bold")
    screen.lines(columns([f"{n:>2} {name}" for n, name in enumerate(names, 1)], screen.width))
    return games[_one_of(screen, terminal, [[name, game.id] for name, game in zip(names, games, strict=True)])]


def _one_of(screen: Screen, terminal: Terminal, labels: list[list[str]]) -> int:
    say, among = terminal.language.say, list[int]()  # those that what was typed last can mean
    while True:
        typed = screen.read("[1] > ")
        if wants_to_quit(typed, terminal.language):
            raise EndOfInput
        found = meant(typed, labels) if typed else [0]
        found = [place for place in found if place in among] or found
        if len(found) == 1:
            return found[0]
        among, shown = found or [*nearly(normal(typed), labels)], clean(typed, 30)
        if among:
            text = N_("“{text}” can mean:") if found else N_("“{text}” is not among the choices. Do you mean:")
            screen.text(say(text, text=shown), "  ")
            screen.lines(columns([f"{place + 1:>2} {labels[place][0]}" for place in among], screen.width))
            continue
        text = N_("“{text}” is not among the choices. Type a number from 1 to {most}, or how your choice begins.")
        screen.text(say(text, text=shown, most=len(labels)), "  ")


def _number(screen: Screen, terminal: Terminal, asked: str, allowed: list[int], usual: int) -> int:
    screen.text(asked, style="bold")
    while True:
        typed = screen.read(f"[{usual}] > ")
        if not typed:
            return usual
        if typed.isdecimal() and len(typed) < 4 and int(typed) in allowed:
            return int(typed)
        screen.text(
            terminal.language.say(N_("These are possible: {values}."), values=", ".join(map(str, allowed))), "  "
        )


# --- to go on with ----------------------------------------------------------------------------------------------------
def chosen_save(screen: Screen, terminal: Terminal) -> Path | None:
    """One of the saved games that are not finished; None if there is none, or nobody wants one."""
    language = terminal.language
    games = [one for one in kept() if not one.finished][:MOST]
    if not games:
        terminal.say(N_("There is no unfinished game. Begin one with: tabarro play"))
        return None
    screen.text(language.say(N_("Which game do you want to go on with?")), style="bold")
    digits = len(str(len(games)))
    labels = [f"{number:>{digits}} {_described(one, language)}" for number, one in enumerate(games, 1)]
    screen.lines(columns(labels, screen.width))
    while True:
        try:
            typed = screen.read(language.say(N_("Number [1]:")) + " ")
        except (EndOfInput, KeyboardInterrupt):
            return None
        if not typed:
            return games[0].path
        if typed.isdecimal() and len(typed) < 6 and 1 <= int(typed) <= len(games):
            return games[int(typed) - 1].path
        screen.text(language.say(N_("Type a number from 1 to {most}."), most=len(games)), "  ")


def _described(one: Kept, language: Language) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.when))
    said = language.ngettext(
        "{game}, {number} player, {when}",
        "{game}, {number} players, {when}",
        one.players,
        game=_title(one.game, language),
        when=when,
    )
    said = language.labelled(language.translate(N_("Lesson")), said) if one.lesson else said
    return f"{said} ({', '.join(one.people)})" if one.people else said


def _title(game: str, language: Language) -> str:
    """What a game is called; as the save calls it, if that is not to be found here."""
    try:
        return language.text(describe(game, folders()).name)
    except RulesError:
        return game
