"""What a person reads at a prompt, and what he can type where only Enter is waited for: seen from outside."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from tabarro.front.terminal.screen import Screen, begun
from tabarro.interpreter import describe, games
from tabarro.speech.language import LANGUAGES, Language
from terminal import GOLDEN, Person, offers, piped, saved
from wcwidth import wcswidth

BOTS = ("--seat", "red=me", "--seat", "blue=bot:random", "--seat", "green=bot:random", "--seat", "yellow=bot:random")
QUIET = ("--option", "signals=never")  # so that nobody is asked for signs between the moves
BALLS = ("orange", "blue", "white", "purple", "black")
NUMBERS = {
    "Old Arsenal": "1",
    "Gesuiti": "2",
    "Scalzi": "3",
    "San Basilio": "4",
    "San Giorgio Maggiore": "5",
    "Riva dei Sette Martiri": "6",
    "Santa Maria del Giglio": "7",
    "Giudecca": "8",
}


def test_games_are_offered_before_their_variants(tmp_path):
    shown = re.findall(r"^ +\d+ (.*)$", piped(tmp_path, "play").stdout, re.MULTILINE)
    every = {name: describe(name) for name in games()}
    assert sorted(shown) == sorted(about.name for about in every.values())
    variants = [shown.index(about.name) for about in every.values() if set(about.extends) & set(every)]
    others = [shown.index(about.name) for about in every.values() if not set(about.extends) & set(every)]
    assert variants and max(others) < min(variants)


# --- the rule behind a choice ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("meetings", ["after_movement", "between_moves"])
def test_a_question_mark_tells_no_rule_that_this_game_does_not_have(tmp_path, meetings):
    run = piped(
        tmp_path,
        "play",
        "venice-2013",
        "--seed",
        "5",
        *BOTS,
        *QUIET,
        "--option",
        f"meetings={meetings}",
        answers="\n?\n",
    )
    said = " ".join(run.stdout.rsplit("> ?", 1)[-1].split())
    assert "With each ball you may move one piece, a figure or the ambassador, to a neighbouring space." in said
    assert ("and then use the balls that are left" in said) == (meetings == "between_moves")


WARES = """
name: Wares
players: {2: {}}
things:
  player: [ann, bob]
  ware: {columns: {price: number}, members: {salt: {price: 3}, silk: {price: 40}}}
seats: players
rules:
  game: {buy: {ask: ann, for: {bought: wares}, seen by: all}}
"""


def test_a_question_mark_tells_what_the_rules_say_of_each_thing_that_can_be_chosen(tmp_path):
    wares = tmp_path / "wares.yaml"
    wares.write_text(WARES, encoding="utf-8")
    run = piped(tmp_path, "play", str(wares), "--seed", "5", "--seat", "ann=me", answers="?\n")
    told = [line.strip() for line in run.stdout.splitlines() if " – " in line]
    assert [line.split(" – ")[0] for line in told] == list(offers(run.stdout).values()) == ["salt", "silk"]
    assert ["3" in line for line in told] == [True, False] and ["40" in line for line in told] == [False, True]


# --- where one can go -----------------------------------------------------------------------------------------------


def told_places(said: str) -> dict[str, str]:
    """Where everybody stands, by the sentences that told it: the last one counts."""
    text, places = said.replace("\n    ", " "), {"the ambassador": "the embassy"}
    piece, place = r"([Tt]he \w+ \w+ figure|the ambassador)", r"([^.(…\n]+?)(?: \(\w+\))?\.\n"
    for who, where in re.findall(rf"{piece} (?:begins at|to) {place}", text):
        places[who.lower()] = where
    return places


def test_where_a_figure_can_go_one_reads_the_number_of_the_space_and_who_stands_there(tmp_path):
    person, numbers, met = Person(tmp_path, "play", "venice-2013", "--seed", "8", *BOTS, *QUIET, rows=90), set(), set()
    for _ in range(120):
        assert person.wait() == "prompt"
        shown = person.offers()
        if "\nWhere to?\n" in person.text.rsplit("\n> ", 1)[-1]:
            places = told_places(person.said)
            for label in shown.values():
                name, _, behind = label.rstrip(")").partition(" (")
                here = [piece.replace("the ambassador", "Ambassador") for piece, at in places.items() if at == name]
                number = [f"number {NUMBERS[name]}"] if name in NUMBERS else []
                said = behind.split(", ") if behind else []
                assert said[: len(number) + len(here)] == number + sorted(here, key=behind.find)
                assert set(said[len(number) + len(here) :]) <= {"land", "water", *BALLS}  # the way, and what it costs
                numbers, met = numbers | set(number), met | set(here)
        going = [number for number, label in shown.items() if " red figure" in label]
        if len(shown) >= 10:  # by whose they are, his own first
            going = [number for number, label in shown.items() if label.startswith(("tall", "short", "fat", "thin"))][
                :4
            ]
        person.type(shown.yes or ("" if "" in shown else (going or [max(shown)])[len(met) % max(len(going), 1)]))
    person.child.close(force=True)
    assert numbers and met


# --- where only Enter is waited for ---------------------------------------------------------------------------------


def test_a_command_can_be_typed_where_one_is_asked_whether_to_read_on(tmp_path):
    person = Person(tmp_path, "play", "venice-2013", "--seed", "5", *BOTS)
    for answer, asked in (("rules", "prompt"), ("mission", "more"), ("q", "prompt")):
        assert person.wait() == asked
        person.type(answer)
    assert "As far as you know, these are possible:" in person.said
    person.wait()
    person.child.close(force=True)


@pytest.mark.parametrize(("code", "word"), [("en", "quit"), ("de", "ende"), ("ja", "quit")])
def test_whoever_is_given_the_keyboard_can_leave_the_game_and_nothing_private_is_shown(tmp_path, code, word):
    people = [word for seat in ("ada", "ben", "cleo") for word in ("--seat", f"{seat}=me")]
    person = Person(tmp_path, "play", "little-mystery", "--seed", "1", "--lang", code, *people, languages=[code])
    assert person.wait() == "pass"
    person.type(word)
    assert person.wait() == "end"
    assert "tabarro resume" in person.said and not offers(person.said)


# --- notes ----------------------------------------------------------------------------------------------------------


def test_what_a_grey_card_said_stands_in_the_notes(tmp_path):
    command, *answers = (GOLDEN / "venice-2013.answers").read_text(encoding="utf-8").splitlines()
    said = piped(tmp_path, *command.split(), answers="\n".join([*answers, ""])).stdout
    told = "Green's grey card says: A."
    assert told in said.split("> notes")[0] and told in said.split("> notes")[1].split("\n> ")[0]


# --- what stands open -----------------------------------------------------------------------------------------------
START = ("play", "venice-2013", "--seed", "4", *BOTS)


def choices(folder: Path) -> list:
    return [json.loads(line)["choice"] for line in saved(folder).read_text(encoding="utf-8").splitlines()[1:]]


def mine(folder: Path, *answers: str) -> list:
    """What red has chosen with these answers, after what the bots chose before him."""
    before = choices_before(folder)
    ran = piped(folder, *START, answers="".join(f"{line}\n" for line in answers))
    assert ran.returncode == 0 and ran.stderr == ""
    return choices(folder)[before:]


def choices_before(folder: Path) -> int:
    piped(folder / "before", *START)
    *before, last = choices(folder / "before")
    assert last == ["no_signal"]  # it has gone by, and can still be taken up
    return len(before)


def test_what_stands_open_passes_with_one_enter_and_is_in_the_save_as_ever(tmp_path):
    assert mine(tmp_path, "") == [["no_signal"], ["go_on"]]


def test_what_stands_open_is_taken_up_by_its_name_and_the_other_passes(tmp_path):
    assert mine(tmp_path, "to_one", "1", "1", "yes")[:1] == [["to_one", "lord_fiddlebottom", "blue"]]
    assert mine(tmp_path / "b", "mission acc", "2", "yes")[:2] == [["no_signal"], ["accomplished", "green"]]


def test_no_number_means_what_stands_open(tmp_path):
    ran = piped(tmp_path, *START, answers="1\n2\n3\n")
    assert len(choices(tmp_path)) == choices_before(tmp_path) + 1
    assert ran.stdout.count("cannot be done now") == 3


def test_what_may_end_the_game_or_is_rare_is_done_only_by_the_word_for_yes(tmp_path):
    for answers in (
        ("accomplished", "2"),
        ("accomplished", "2", "1"),
        ("accomplished", "2", ""),
        ("to_all", "1", "no"),
    ):
        assert mine(tmp_path / "-".join(answers), *answers) in ([], [["no_signal"]])


def test_balls_are_not_thrown_away_without_a_question(tmp_path):
    assert mine(tmp_path, "", "stop", "no", "2 1", "stop", "yes")[2:] == [
        ["move", "blue", "red_short", "arsenal_gate"],
        ["stop"],
    ]
    ran = piped(tmp_path / "said", *START, answers="\nstop\n")
    assert "You give up: orange, blue, and purple." in ran.stdout


def test_the_last_ball_and_the_end_of_the_movement_can_be_taken_back(tmp_path):
    moved = mine(tmp_path, "", "Rs 1", "stop", "yes", "undo", "undo", "Rs 1", "tall red 1", "By 1", "6 1")
    assert [words[0] for words in moved[2:]][:2] == ["move", "move"] and ["stop"] not in moved


def test_a_step_is_one_line_however_it_is_typed(tmp_path):
    for number, typed in enumerate(("2 1", "Rs 1", "short red arsenal gate", "red short gat", "RS Gat")):
        assert mine(tmp_path / str(number), "", typed)[2:] == [["move", "blue", "red_short", "arsenal_gate"]], typed


def test_letters_of_a_figure_and_a_name_are_read_where_steps_stand_in_one_list(tmp_path):
    command = ("play", "venice-2013", "--seed", "9", *BOTS)
    for number, typed in enumerate(("Rh mur", "mur Rh", "red_thin mur", "thin murano")):
        said = piped(tmp_path / str(number), *command, answers=f"\n{typed}\n").stdout
        assert "the thin red figure · Murano" in said  # one list of figures and where they go
        assert choices(tmp_path / str(number))[-1] == ["move", "white", "red_thin", "murano"], typed


def test_tab_completes_names_in_quotes_with_accents_and_by_a_word_inside_them():
    names = ["„Lord Fiddlebottom”", "„Agent X”", "the tall red figure", "the tall blue figure", "Són dues", "log"]
    for typed, found in {
        "lord": ["„Lord Fiddlebottom”"],
        "fidd": ["„Lord Fiddlebottom”"],
        "the t": names[2:4],
        "tall": [],  # of two it would take away what was typed
        "SON": ["Són dues"],
        "lo": ["„Lord Fiddlebottom”", "log"],
        "": [],
    }.items():
        assert begun(typed, names) == found, typed


def test_the_beginning_of_a_command_is_enough_where_no_choice_begins_so(tmp_path):
    said = piped(tmp_path, *START, answers="\nmis\nqui\nno\n").stdout
    told = said.split("> mis")[1]
    assert "As far as you know, these are possible:" in told.split("> qui")[0]
    assert "“qui” is not among the choices" in told and "“no” is not among the choices" in told


def test_squares_of_which_no_two_are_in_one_column_stand_from_left_to_right_and_the_end_shows_the_board(tmp_path):
    bots = ("--seat", "red=me", "--seat", "yellow=me")
    said = piped(tmp_path, "play", "four-in-a-row", *bots, answers="d\nd\n" + "c\nd\n" * 2 + "c\na\nc\n").stdout
    asked = re.findall(r"drop your disc\?\n(.*)", said)
    assert [re.findall(r"\d ([a-g])\d", line) for line in asked] == [[*"abcdefg"]] * len(asked)
    assert asked[2].split()[6:8] == ["4", "d3"]
    end = said.rpartition("─" * 80)[2]
    assert re.search(r"│ a4 │ b4 │  R │", end) and "Red has won" in end


def test_the_number_of_a_column_or_a_square_stays_when_others_are_taken(tmp_path):
    both = ("--seat", "red=me", "--seat", "yellow=me")
    said = piped(tmp_path / "columns", "play", "four-in-a-row", *both, answers="2\n" * 7 + "3\n").stdout
    asked = re.findall(r"drop your disc\?\n(.*)", said)
    assert re.findall(r"\d [a-g]\d", asked[6]) == ["1 a1", "3 c1", "4 d1", "5 e1", "6 f1", "7 g1"]  # the second is full
    assert "“2” is not among the choices. Type a number from 1 to 7" in said
    assert choices(tmp_path / "columns")[-1] == ["c1"]
    both = ("--seat", "cross=me", "--seat", "nought=me")
    said = piped(tmp_path / "squares", "play", "tic-tac-toe", *both, answers="1\n4\n2\n8\n6\n3\n").stdout
    asked = re.findall(r"Where\?\n(.*)", said)
    assert re.findall(r"\d [a-c]\d", asked[5]) == ["3 c3", "5 b2", "7 a1", "9 c1"]
    assert re.findall(r"\d [a-c]\d", asked[6]) == ["5 b2", "7 a1", "9 c1"]  # one in each column, and yet the same
    assert choices(tmp_path / "squares")[-1] == ["c3"]


def test_what_is_misspelt_is_asked_back_and_not_done(tmp_path):
    ran = piped(tmp_path, *START, answers="\nshrot red\n")
    assert "Do you mean:" in ran.stdout and "the short red figure" in ran.stdout.split("Do you mean:")[1]
    assert choices(tmp_path)[-1] == ["go_on"]


def test_a_refusal_says_which_count_is_not_kept(tmp_path):
    """Three cards, at most two of the kind asked for, one of them true: thin, or Madame Zsa Zsa."""
    sheet = Sheet(tmp_path)
    assert sheet.identity and sheet.build
    said = sheet.answered(" ".join(sheet.numbers("“Tall”", "“Short”", "“Lord Fiddlebottom”")))
    told = re.search(r"At least 1 must be among these: (.+?)\.\n", said, re.S)
    names = [" ".join(name.split()) for name in told[1].split(",")]
    assert names == [
        f"“{sheet.identity}”",
        f"“{sheet.build.capitalize()}”",
        "the grey identity card",
        "the grey build card",
    ]
    of_one_kind = ("“Tall”", "“Short”", "“Fat”") if "about your build" in sheet.asked else tuple(IDENTITIES)
    assert "At most 2 may be among these:" in sheet.answered(" ".join(sheet.numbers(*of_one_kind)))
    assert "You can choose this many: 3." in sheet.answered("1 2")


IDENTITIES = ("“Lord Fiddlebottom”", "“Colonel Bubble”", "“Madame Zsa Zsa”")


class Sheet:
    """Red, who is asked by a bot and has to show three cards."""

    def __init__(self, folder: Path):
        self.folder, self.answers = folder, []
        while True:
            self.asked = self._said()
            if "What do you show?" in self.asked:
                break
            shown = offers(self.asked)
            self.answers.append(str(shown.yes or ("" if "" in shown else max(shown))))
            assert len(self.answers) < 80
        self.identity, self.build = re.search(r"Identity: ([^·]+) · Build: (\w+)", self.asked).groups()

    def _said(self, *more: str) -> str:
        answers = "".join(f"{line}\n" for line in [*self.answers, *more])
        return piped(self.folder, "play", "venice-2013", "--seed", "5", *BOTS, *QUIET, answers=answers).stdout

    def numbers(self, *cards: str) -> list[str]:
        return [str(number) for card in cards for number, label in offers(self.asked).items() if label == card]

    def answered(self, typed: str) -> str:
        return self._said(typed).rsplit(f"> {typed}", 1)[1]


def test_keys_typed_while_others_decide_answer_nothing(tmp_path):
    person = Person(tmp_path, "play", "venice-2013", "--seed", "1", *BOTS)
    person.child.sendline("quit")  # long before anything is asked: a bot begins
    assert person.wait() == "prompt"
    person.type("quit")
    assert person.wait() == "end"


# --- more than there is to choose -----------------------------------------------------------------------------------
PAIR = """
name: Pair
players: {2: {}}
things: {player: [ann, bob], card: [rope, coin]}
seats: players
rules:
  game:
    turn: {ask: ann, for: {one: cards, other: cards without one}, seen by: all, if none: never}
    over: {end: ann, text: "{winners} wins."}
"""


def test_what_is_typed_beyond_the_last_choice_is_refused(tmp_path):
    (tmp_path / "pair.yaml").write_text(PAIR, encoding="utf-8")
    ran = piped(tmp_path, "play", "pair.yaml", answers="1 2\n1\n")
    assert ran.returncode == 0 and "“1 2” is not among the choices" in ran.stdout and "wins" in ran.stdout


# --- what may end the game --------------------------------------------------------------------------------------------
ENDS = """
name: Ends
players: {2: {}}
things: {player: [ann, bob], card: [rope, coin]}
seats: players
state: {calm: {is: yes or no, seen by: all}}
rules:
  game:
    rounds:
      repeat:
        turn:
          ask: ann
          seen by: all
          between:
            wait: {then: {rest: {set: {calm: true}}}}
            stop: {then: {now: {ask: bob, seen by: all, between: {well: {then: {over: {end: ann}}}, ill: {then: {out: {call: finish}}}}}}}
            risk: {then: {now: {ask: bob, seen by: all, between: {well: {then: {over: {end: ann}}}, ill: {then: {out: {if: calm, then: {over: {end: bob}}}}}}}}}
      until: calm is not calm
    over: {end: nobody}
  finish:
    over: {end: bob}
"""


@pytest.mark.parametrize(("choice", "told"), [("stop", "This ends the game."), ("risk", "This may end the game.")])
def test_what_is_sure_to_end_the_game_is_called_so(tmp_path, choice, told):
    (tmp_path / "ends.yaml").write_text(ENDS, encoding="utf-8")
    assert told in piped(tmp_path, "play", "ends.yaml", answers=f"{choice}\n").stdout


# --- prompts that are longer than a line ------------------------------------------------------------------------------
PROMPTS = (
    "{name}, type {words} to see your screen:",
    "Enter leaves the table; “{again}” plays once more with the same people, “{other}” another game:",
    "Press Enter for more, or type anything to stop.",
)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_behind_a_prompt_of_any_length_there_is_room_to_type(monkeypatch, code, prompt):
    language = Language(code)
    long = dict.fromkeys(("name", "words", "again", "other"), "Annemarie van der Zee (player of the old town)")
    text = language.say(prompt, **long)
    assert code == "en" or language.translate(prompt) != prompt
    for width in (20, 30, 40, 60, 80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        *above, last = Screen(io.StringIO(), io.StringIO()).asked(text + " ")
        assert all(wcswidth(line) <= width for line in above)
        assert width - wcswidth(last) >= min(12, width // 3) and last.endswith(" ")
        assert "".join([*above, last]).replace(" ", "") == text.replace(" ", "")


def test_whoever_has_begun_what_he_did_not_mean_is_told_the_way_out(tmp_path):
    ran = piped(tmp_path, "play", "venice-2013", "--seed", "1", "--lang", "en", answers="accomplished\n\nno\nundo\n\n")
    assert ran.stdout.count("To do something else, type “undo”.") == 2
    assert "Press Enter for “Go on”" in ran.stdout.rpartition("To do something else")[2]
