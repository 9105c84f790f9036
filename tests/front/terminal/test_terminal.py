"""Whole games at a real pseudo-terminal, in every language and of every family, and what stands on the screen then."""

from __future__ import annotations

import io
import re
import signal
import statistics
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hotseat import Frames
from leftovers import english_in, latin_in
from tabarro.cli import main
from tabarro.interpreter.save import load
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.narrator import Narrator
from terminal import Person, calm, piped, saved, transcript, transcripts
from wcwidth import wcswidth

COLOURS = ("red", "blue", "green", "yellow")


@dataclass
class Evening:
    """A game to be played: where, by whom, and after how many choices somebody declares."""

    game: str
    people: tuple[str, ...]  # seats; all others are for bots
    players: int = 0
    lasts: int = 12
    options: tuple[str, ...] = ()
    looks: tuple[str, ...] = ("?", "map", "notes", "mission", "log", "save", "undo", "hint")
    languages: dict[str, str] = field(default_factory=dict)  # of people who have one of their own

    def arguments(self, language: str) -> list[str]:
        said = ["play", self.game, "--lang", language, "--seed", "3"]
        said += ["--players", str(self.players)] if self.players else []
        for seat in self.people:
            said += ["--seat", f"{seat}=me:{self.languages.get(seat, language)}"]
        for option in self.options:
            said += ["--option", option]
        return said


# Each language plays a board, a card game and a small game; the editions, numbers of players and of people go round.
# Where bots think most of the time, it takes long.
EVENINGS = [
    pytest.param("ca", Evening("venice-2013", ("blue",), players=3), marks=pytest.mark.long),
    ("ca", Evening("cards-phone", COLOURS, players=4, options=("points_to_win=1",), lasts=40)),
    ("ca", Evening("kuhn-poker", ("first",))),
    ("de", Evening("venice-classic", ("red", "blue", "green"), players=3, lasts=30)),
    pytest.param("de", Evening("cards-safe", ("red",), players=5), marks=pytest.mark.long),
    ("de", Evening("tic-tac-toe", ("cross", "nought"))),
    pytest.param("en", Evening("venice-japan", ("yellow",), players=4), marks=pytest.mark.long),
    ("en", Evening("cards-phone", ("red", "green"), players=3)),
    ("en", Evening("little-mystery", ("ada", "ben", "cleo"), lasts=9)),
    ("ja", Evening("venice-japan", ("red", "green"), players=4, lasts=24)),
    ("ja", Evening("cards-safe", ("blue",), players=3)),
    ("ja", Evening("little-mystery", ("ben",), lasts=3)),
    pytest.param("nl", Evening("venice-2013", ("red", "ambassador"), players=5, lasts=24), marks=pytest.mark.long),
    pytest.param(
        "nl",
        Evening("cards-safe", ("red",), players=4, options=("black_cards_given=true", "points_to_win=2")),
        marks=pytest.mark.long,
    ),
    ("nl", Evening("tic-tac-toe", ("nought",))),
    pytest.param("no", Evening("venice-classic", ("green",), players=4), marks=pytest.mark.long),
    ("no", Evening("cards-phone", (*COLOURS, "ambassador"), players=5, lasts=40)),
    ("no", Evening("kuhn-poker", ("first", "second"))),
    ("en", Evening("venice-2013", ("red", "blue"), languages={"red": "ja", "blue": "de"}, lasts=24)),
]


def called(one) -> str:
    return one if isinstance(one, str) else f"{one.game}-{one.players or ''}{'-'.join(map(str, one.people))}"


def test_every_language_plays_a_board_a_card_game_and_a_small_one_and_every_game_is_played():
    played = [getattr(evening, "values", evening) for evening in EVENINGS]
    families = {(language, evening.game.split("-")[0]) for language, evening in played}
    assert {language for language, family in families if family == "venice"} == set(LANGUAGES)
    assert {language for language, family in families if family == "cards"} == set(LANGUAGES)
    assert {language for language, family in families if family not in ("venice", "cards")} == set(LANGUAGES)
    assert {evening.game for _, evening in played} == {
        "venice-2013",
        "venice-classic",
        "venice-japan",
        "cards-safe",
        "cards-phone",
        "little-mystery",
        "kuhn-poker",
        "tic-tac-toe",
    }


def first_looking(looks, languages, choose):
    """First type each of these words, in the language of whoever reads them; then choose."""
    waiting = [Language(languages[0]).pgettext("command", word) or word for word in looks]
    return lambda shown: waiting.pop(0) if waiting else choose(shown)


@pytest.mark.long
@pytest.mark.parametrize(("language", "evening"), EVENINGS, ids=called)
def test_a_game_is_played_to_its_end_at_a_terminal(tmp_path, language, evening):
    spoken = [*dict.fromkeys([evening.languages.get(seat, language) for seat in evening.people] + [language])]
    person = Person(tmp_path, *evening.arguments(language), languages=spoken)
    frames = Frames(person, {seat: evening.languages.get(seat, language) for seat in evening.people})
    person.play(first_looking(evening.looks, spoken, calm(1, spoken, evening.lasts)), frames.look)
    game, state, _ = load(saved(tmp_path))
    assert state.over and person.text
    assert bool(frames.passed) == (len(evening.people) > 1 and evening.game != "tic-tac-toe")
    assert not frames.passed or frames.given_away(saved(tmp_path)) == []
    if frames.passed:  # of what was private nothing is left when all have gone
        assert person.text.lstrip().startswith("─" * 80)
    own = [*dict.fromkeys(evening.languages.get(seat, language) for seat in game.seats if seat in evening.people)]
    ends = person.text.split("─" * 80)[-len(own) :]  # one for each language
    for code, won in zip(own, ends, strict=True):
        for winner in state.result.winners:
            assert Narrator(game, Language(code)).seat(winner)("list").casefold() in won.casefold()
    last, language = "\n".join(person.screen), own[-1]
    if state.result.winners:
        assert any(
            Narrator(game, Language(language)).seat(w)("list").casefold() in last.casefold()
            for w in state.result.winners
        )
    else:
        assert Language(language).translate("Nobody has won.") in last
    assert "Traceback" not in person.said and not re.search(r"\{\w+(:\w+)?\}", person.said)
    assert [line for line in person.said.splitlines() if wcswidth(line) > 80] == []
    if not evening.languages:
        path = r"\s*".join(map(re.escape, str(saved(tmp_path))))  # a long one is broken at the end of a line
        said = re.sub(path, "", person.said)
        assert english_in(said, language) == []
        assert language != "ja" or latin_in(said) == []


# --- secrets --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ended", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT], ids=lambda s: s.name)
def test_whoever_ends_the_game_leaves_nothing_private_on_the_screen(tmp_path, ended):
    person = Person(tmp_path, "play", "kuhn-poker", "--seat", "first=me", "--seat", "second=me", "--seed", "1")
    assert person.wait() == "pass"
    person.type(person.name)
    assert person.wait() == "prompt" and "is dealt" in person.text
    person.child.kill(ended)
    assert person.wait() == "end"
    assert person.text.split() == [
        "The",
        "game",
        "is",
        "saved.",
        "Go",
        "on",
        "with:",
        "tabarro",
        "resume",
        *person.text.split()[9:],
    ]


def test_an_error_of_our_own_tells_its_place_and_never_what_was_in_it(monkeypatch, tmp_path):
    from tabarro.front.terminal.table import Table

    def play(self):
        raise KeyError("lord_fiddlebottom")

    monkeypatch.setattr(Table, "play", play)
    out, err = io.StringIO(), io.StringIO()
    assert main(["play", "kuhn-poker", "--save", str(tmp_path / "x.tabarro"), "--lang", "en"], out, err) == 1
    assert "KeyError (test_terminal.py:" in err.getvalue()
    assert "fiddlebottom" not in out.getvalue() + err.getvalue() and "Traceback" not in err.getvalue()


# --- transcripts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "language"), transcripts(), ids=str)
def test_a_game_reads_as_it_is_kept(tmp_path, game, language):
    """After a change of wording, look at it: `python tests/terminal.py` writes the transcripts anew."""
    said, kept = transcript(game, language, tmp_path)
    assert said == kept.read_text(encoding="utf-8")
    assert load(saved(tmp_path))[1].over


# --- every message translated ---------------------------------------------------------------------------------------


BOARD_ANSWERS = (
    "?",
    "map",
    "notes",
    "mission",
    "rules",
    "log",
    "hint",
    "save",
    "undo",
    "#",
    "99",
    "",
    "1",
    "2",
    "1",
    "1",
    "1",
    "undo",
    "notes",
    "1",
    "1 2",
    "1 2 3",
    *"1111111111",
    "notes",
    "mission",
    "hint",
)
WRONG = (
    "play nowhere",
    "play venice-2013 --players 9",
    "play venice-2013 --option colour=1",
    "replay nowhere.tabarro",
    "play venice-2013 --seat purple=me",
    "play venice-2013 --seat red",
    "play venice-2013 --seat red=bot:9",
    "resume nowhere.tabarro",
    "deduce",
    "deduce venice-2013",
    "simulate cards-safe --bots 9",
    "play --players x",
    "watch venice-2013 --as purple",
    "play venice-2013 --option round_limit=-1",
)
SHEET = """
me: red
secrets: {identity: lord_fiddlebottom, build: fat, letter: A}
seen:
  - blue showed me short, tall, colonel_bubble when asked about build
"""


def sitting(folder: Path, language: str, whole: bool = True) -> dict[str, str]:
    """What is said in an evening in which nearly everything is tried, by command; or in a shorter one."""
    said: dict[str, str] = {}

    def run(*arguments: str, answers: tuple[str, ...] = (), code: int = 0, **more: str) -> None:
        ran = piped(folder, *arguments, answers="".join(f"{line}\n" for line in answers), LANGUAGE=language, **more)
        assert ran.returncode == code, (arguments, ran.stdout, ran.stderr)
        said[" ".join(arguments)] = (ran.stdout + ran.stderr).replace(str(folder), "")

    def own(*words: str) -> tuple[str, ...]:
        return tuple(Language(language).pgettext("command", word) or word for word in words)

    run("play", "venice-2013", "--seed", "4", "--hints", "--save", "b.tabarro", answers=own(*BOARD_ANSWERS))
    run(
        "play",
        "cards-phone",
        "--players",
        "5",
        "--seed",
        "4",
        "--save",
        "c.tabarro",
        "--hints",
        answers=own("?", "rules", "notes", "mission", "map", "hint", *"1111211111", "notes", "hint"),
    )
    run(
        "play",
        "venice-classic",
        "--save",
        "d.tabarro",
        "--seed",
        "1",
        answers=(*"1111111", "accomplished", "2", "yes"),
    )
    run("replay", "d.tabarro")
    run("list")
    if not whole:
        return said
    run("resume", "b.tabarro", answers=own("log", "1", "quit"))
    run("replay", "b.tabarro", "--as", "red")
    run("play", answers=("9", "1", "7", "", "", "8", "", ""))
    run("resume", answers=("77", "1"))
    run("watch", "venice-japan", "--seed", "3", "--max-decisions", "400", "--option", "signals=once_a_turn")
    run("watch", "cards-safe", "--players", "3", "--seed", "3")
    run("rulebook", "venice-2013", "--players", "5")
    run("rulebook", "cards-safe", "--format", "md")
    run("board", "venice-2013")
    run(
        "simulate",
        "cards-safe",
        "--games",
        "3",
        "--seed",
        "1",
        "--bots",
        "careful",
        "--knowledge",
        "--max-decisions",
        "100",
    )
    (folder / "sheet.yaml").write_text(SHEET, encoding="utf-8")
    run("deduce", "venice-2013", "--notes", "sheet.yaml")
    run("deduce", "cards-safe", "--interactive", answers=("purple", "red", "agent_x", "x", "47", "?", "x", ""))
    for wrong in WRONG:
        out, err = io.StringIO(), io.StringIO()
        assert main([*wrong.split(), "--lang", language], out, err) == 2
        said[wrong] = f"> {wrong}\n" + "".join(f"> {word}\n" for word in re.split("[ =:]", wrong))
        said[wrong] += out.getvalue() + err.getvalue()
    return said


@pytest.mark.long
def test_no_english_is_left_in_a_japanese_session(tmp_path):
    said = sitting(tmp_path, "ja")
    assert {command: found for command, text in said.items() if (found := latin_in(text))} == {}
    assert {command: found for command, text in said.items() if (found := english_in(text, "ja"))} == {}


@pytest.mark.long
@pytest.mark.parametrize("language", ["ca", "de", "nl", "no"])
def test_no_english_is_left_in_a_session_in_another_language(tmp_path, language):
    said = sitting(tmp_path, language, whole=False)
    assert {command: found for command, text in said.items() if (found := english_in(text, language))} == {}


def test_english_would_be_noticed():
    """The two scans find a whole text, a text with something filled in, and a sentence that no catalogue knows."""
    for said in ("What do you do?", "Rot is dealt eine Karte.", "Rot waits for the letter."):
        assert english_in(said, "de")
        assert latin_in(said.replace("Rot", "赤"))
    assert english_in("Rot bekommt eine Karte.\n> move\n  tabarro resume some.tabarro", "de") == []
    assert latin_in("赤はXとAを持っています。\n> move\n  tabarro resume some.tabarro") == []


# --- tables ---------------------------------------------------------------------------------------------------------


def tables(text: str, gap: int) -> list[list[str]]:
    """The blocks of at least two lines with at least two cells, which are so many spaces apart."""
    blocks, rows = [], []
    for line in [*text.splitlines(), ""]:
        if re.search(rf"\S {{{gap},}}\S", line):
            rows.append(line)
        else:
            blocks += [rows] if len(rows) > 1 else []
            rows = []
    return blocks


def cells(line: str, gap: int) -> list[tuple[int, int]]:
    """Where each cell of a row begins and ends on the screen."""
    return [
        (wcswidth(line[: found.start()]), wcswidth(line[: found.end()]))
        for found in re.finditer(rf"[^ ]+(?: {{1,{gap - 1}}}[^ ]+)*", line)  # a space that does not break is in a cell
    ]


def is_aligned(rows: list[str], gap: int) -> bool:
    """Does each column begin, or end, at one place? Rows may lack cells."""
    found = [cells(row, gap) for row in rows]
    widest = max(found, key=len)
    begins, ends = {begin for begin, _ in widest}, {end for _, end in widest}
    columns = [[cell for row in found if len(row) == len(widest) for cell in [row[n]]] for n in range(len(widest))]
    straight = all(len({b for b, _ in column}) == 1 or len({e for _, e in column}) == 1 for column in columns)
    return straight and all(b in begins or e in ends for row in found for b, e in row)


def notes(folder: Path, language: str) -> str:
    """The notes of somebody who has been shown cards a few times."""
    bots = [word for seat in ("blue", "green", "yellow") for word in ("--seat", f"{seat}=bot:random")]
    person = Person(
        *(folder, "play", "cards-safe", "--seed", "3", "--lang", language, "--seat", "red=me", *bots),
        languages=[language],
        rows=60,  # all of them on one screen
    )
    choose = calm(1, [language], lasts=1_000)
    for _ in range(16):
        assert person.wait() == "prompt"
        person.type(choose(person.offers()))
    person.wait()
    person.type("notes")
    person.wait()
    person.child.close(force=True)
    return re.split(r"\n\n(?=\S+[？?]\n|\S.*\n  1 )", person.text[person.text.rindex("> notes") :])[0]


@pytest.mark.parametrize("language", ["ja", "ca"])
def test_the_columns_of_every_table_stand_below_each_other(tmp_path, language):
    def said(*arguments: str, **more) -> str:
        ran = piped(tmp_path, *arguments, LANGUAGE=language, **more)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    looked_at = {
        "list": (said("list"), 3),
        "simulate": (said("simulate", "cards-safe", "--games", "3", "--seed", "1", "--max-decisions", "60"), 3),
        "rulebook": (said("rulebook", "venice-2013"), 2),
        "names on the board": (said("board", "venice-2013").rpartition("═ ")[2], 3),
    }
    for name, (text, gap) in looked_at.items():
        found = tables(text, gap)
        assert found, name
        assert [rows for rows in found if not is_aligned(rows, gap)] == [], name


@pytest.mark.parametrize("language", ["ja", "ca"])
def test_the_marks_in_the_notes_stand_below_each_other(tmp_path, language):
    parts = re.split(r"\n\n", notes(tmp_path, language))[1:]
    pages = [part for part in parts if re.match(r"\S.*[:：]\n  \S", part)]  # somebody, and below him what was shown
    assert len(pages) > 1
    for page in pages:
        rows = [re.fullmatch(r"  (\S+(?: \S+)*)  +([XO](?: +[XO])*)", row) for row in page.splitlines()[1:]]
        assert len(rows) > 1 and all(rows)
        marks = [
            wcswidth(row.string[: row.start(2) + found.start()])
            for row in rows
            for found in re.finditer("[XO]", row[2])
        ]
        assert len({mark % 2 for mark in marks}) == 1  # each mark with the space after it takes two columns
        assert min(marks) == 4 + max(wcswidth(row[1]) for row in rows)


def test_a_crooked_table_would_be_noticed():
    assert is_aligned(["  赤い    12", "  青       3"], 2) and is_aligned(["赤い  ○ ×", "青    ○"], 2)
    assert not is_aligned(["  赤い  12", "  青  3"], 2)


# --- time -----------------------------------------------------------------------------------------------------------


def test_one_does_not_wait_for_a_prompt(tmp_path):
    """Ten times what a quiet machine of today needs; `python tests/bench/prompts.py` measures what it is."""
    seats = [word for seat in COLOURS for word in ("--seat", f"{seat}=me")]
    person = Person(tmp_path, "play", "venice-2013", "--seed", "3", *seats)
    choose = calm(1, lasts=1_000)
    for _ in range(40):
        asked = person.wait()
        person.type(choose(person.offers()) if asked == "prompt" else person.name if asked == "pass" else "")
    person.child.close(force=True)
    first, further = person.waited[0], person.waited[1:]
    assert first < 5
    assert statistics.median(further) < 0.5 and statistics.median(further) < first / 3
