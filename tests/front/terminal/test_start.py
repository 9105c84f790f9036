"""Before and after a game, at a terminal: who plays, in which language, against whom; and then once more."""

from __future__ import annotations

import re
from itertools import count

import pexpect
import pytest
from tabarro.front.terminal.seats import read_beside
from tabarro.interpreter.save import glance
from tabarro.speech.language import LANGUAGES, Language
from terminal import Person, piped, saved


def begun(folder):
    beside = read_beside(saved(folder))
    return {seat.seat: (seat.bot, seat.name, seat.language) for seat in beside.seats}, beside.hints


def answered(folder, *answers: str, arguments=("play", "kuhn-poker"), **more: str) -> Person:
    person = Person(folder, *arguments, **more)
    for answer in answers:
        person.child.expect(r"> $")
        person.screens.append(person.child.before)
        person.child.sendline(answer)
    person.child.expect([r"> $", r"[:：] $", pexpect.EOF])
    person.screens.append(person.child.before)
    person.child.close(force=True)
    return person


def test_everything_is_offered_before_the_game_and_enter_begins_it(tmp_path):
    person = answered(tmp_path, "", arguments=("play", "venice-2013"))
    for line in ("Players: 4", "Red: a person at this keyboard (English)", "Yellow: bot", "Hints: no"):
        assert line in person.said
    seats, hints = begun(tmp_path)
    assert [who[0] for who in seats.values()] == ["", "deducer", "deducer", "deducer"] and not hints


def test_players_names_languages_hints_and_bots_are_changed_in_few_keys(tmp_path):
    answers = ("1", "3", "blue Anna ja", "green me deutsch", "red bot", "how", "random", "hints", "")
    answered(tmp_path, *answers, arguments=("play", "venice-2013"), languages=("ja", "en"))
    seats, hints = begun(tmp_path)
    assert seats == {"red": ("random", "", ""), "blue": ("", "Anna", "ja"), "green": ("", "", "de")}
    assert hints and glance(saved(tmp_path))[0]["players"] == 3


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_asks_in_its_own_words(tmp_path, language):
    speaks = Language(language)
    bot = speaks.translate("bot")
    answers = ("2", bot, "3", "Zoë no", speaks.translate("Hints"), "")
    person = answered(
        tmp_path, *answers, arguments=("play", "kuhn-poker", "--lang", language), languages=(language, "no")
    )
    seats, hints = begun(tmp_path)
    assert seats == {"first": ("deducer", "", ""), "second": ("", "Zoë", "no")} and hints
    before = person.said.split("Zoë (norsk")[0]
    assert language == "en" or not re.search(r"Press Enter|keyboard|How the", before)


@pytest.mark.long
def test_what_cannot_be_understood_is_explained_and_quit_begins_nothing(tmp_path):
    person = answered(tmp_path, "77", "purple Anna", "", "quit", arguments=("play", "kuhn-poker"))
    assert "“77” is not among the choices" in person.said and "“purple Anna” is not among" in person.said
    assert len(list(tmp_path.glob("*.tabarro"))) == 1  # Enter began one; quit left it
    answered(tmp_path / "none", "quit", arguments=("play", "kuhn-poker"))
    answered(tmp_path / "none", "2", "quit", arguments=("play", "kuhn-poker"))  # that is nobody's name
    assert not list((tmp_path / "none").glob("*.tabarro"))


def test_options_and_pipes_are_not_asked(tmp_path):
    assert "Press Enter to begin" not in piped(tmp_path, "play", "kuhn-poker", answers="").stdout
    for wish in (("--seat", "second=me"), ("--hints",), ("--seed", "3")):
        person = Person(tmp_path, "play", "kuhn-poker", *wish)
        assert person.wait() == "prompt" and "Press Enter to begin" not in person.said
        person.child.close(force=True)


def test_a_game_is_found_by_beginnings_of_words_and_what_is_unclear_is_narrowed(tmp_path):
    person = answered(tmp_path, "venice in", "cl", "ven cl", arguments=("play",))
    told = person.said.replace("\r", "")
    assert "Inkognito: Venice in the fog" in told.split("“venice in” can mean:")[1].split("[1] >")[0]
    assert "Players: 4" in told and "Inkognito: Venice, classic" in told.rpartition("[1] >")[2]
    near = answered(tmp_path, "kuhm", "quit", arguments=("play",)).said
    assert "Kuhn poker" in near.split("Do you mean:")[1] and not list(tmp_path.glob("*.tabarro"))


def test_after_a_game_the_same_people_play_again_or_choose_another(tmp_path):
    """Two games of tic-tac-toe, then another one."""
    person = Person(tmp_path, "play", "tic-tac-toe", "--seat", "cross=Ada", "--seat", "nought=Bob")
    squares, games = count(1), 0  # each keeps its number
    while games < 2:
        if person.child.expect([r"> $", r"another game: $"]) == 0:
            person.child.sendline(str(next(squares)))
        else:
            squares, games = count(1), games + 1
            person.child.sendline("a3")  # one key too many leaves nothing
            person.child.expect(r"another game: $")
            person.child.sendline("ag" if games == 1 else "other")
    person.child.expect(r"Which game\?")
    person.child.close(force=True)
    paths = sorted(tmp_path.glob("tic-tac-toe*.tabarro"))
    assert len(paths) == 2
    assert [[seat.name for seat in read_beside(path).seats] for path in paths] == [["Ada", "Bob"]] * 2


def test_after_a_game_that_was_gone_on_with_another_is_offered_too(tmp_path):
    first = Person(
        tmp_path, "play", "tic-tac-toe", "--seat", "cross=Ada", "--seat", "nought=Bob", "--save", "one.tabarro"
    )
    for answer in ("1", "quit"):
        first.child.expect(r"> $")
        first.child.sendline(answer)
    first.child.expect(pexpect.EOF)
    person = Person(tmp_path, "resume", "one.tabarro")
    squares = count(2)
    while person.child.expect([r"> $", r"another game: $"]) == 0:
        person.child.sendline(str(next(squares)))
    person.child.sendline("again")
    person.child.expect(r"> $")
    person.child.close(force=True)
    (other,) = tmp_path.glob("tic-tac-toe*.tabarro")
    assert [seat.name for seat in read_beside(other).seats] == ["Ada", "Bob"]


@pytest.mark.parametrize(
    "answers", [("hints yes", ""), ("5 yes", ""), ("hin y", ""), ("hints", "hints yes", ""), ("hints maybe", "5", "")]
)
def test_a_line_is_changed_with_what_is_to_stand_there(tmp_path, answers):
    answered(tmp_path, *answers)
    assert begun(tmp_path)[1]


def test_a_line_that_is_named_by_its_number_takes_what_is_typed_behind_it(tmp_path):
    answered(tmp_path, "3 Anna ja", "how random", "hints no", "")
    seats, hints = begun(tmp_path)
    assert seats["second"] == ("", "Anna", "ja") and not hints


def test_nobody_is_forgotten_and_nobody_is_called_like_another(tmp_path):
    def tried(*wishes: str) -> str:
        return piped(tmp_path, "play", "kuhn-poker", "--lang", "en", *(w for s in wishes for w in ("--seat", s))).stderr

    assert "given twice for “first”" in tried("first=Jo", "first=Al")
    assert "given twice" in tried("first=me", "FIRST=bot")
    assert "“JO” already" in tried("first=Jo", "second=JO")
    assert not tried("first=me", "second=me:de") and not tried("first=bot", "second=bot")
    person = answered(tmp_path, "first Jo", "second jo", "")
    assert "“jo” already" in person.said and [name for _, name, _ in begun(tmp_path)[0].values()] == ["Jo", ""]
