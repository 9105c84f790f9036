"""What a person reads at a prompt, and what he can type where only Enter is waited for: seen from outside."""

from __future__ import annotations

import re

import pytest
from tabarro.interpreter import describe, games
from terminal import GOLDEN, Person, offers, piped

BOTS = ("--seat", "red=me", "--seat", "blue=bot:random", "--seat", "green=bot:random", "--seat", "yellow=bot:random")
QUIET = ("--option", "signals=never")  # so that nobody is asked for signs between the moves
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
        answers="go on\n?\n",
    )
    said = " ".join(run.stdout.rsplit("> ?", 1)[-1].split())
    assert "Each ball allows the step that its colour stands for." in said
    assert ("before he uses the balls that are left" in said) == (meetings == "between_moves")


def test_a_question_mark_tells_what_the_rules_say_of_each_thing_that_can_be_chosen(tmp_path):
    run = piped(tmp_path, "play", "venice-2013", "--seed", "5", *BOTS, *QUIET, answers="go on\nmove\n?\n")
    balls = list(offers(run.stdout).values())
    told = [line.strip() for line in run.stdout.splitlines() if " – " in line]
    assert len(balls) > 1 and [line.split(" – ")[0] for line in told] == balls
    assert [("ambassador" in line) for line in told] == [ball == "black" for ball in balls]


# --- where one can go -----------------------------------------------------------------------------------------------


def told_places(said: str) -> dict[str, str]:
    """Where everybody stands, by the sentences that told it: the last one counts."""
    text, places = said.replace("\n    ", " "), {"the ambassador": "the embassy"}
    piece, place = r"([Tt]he \w+ \w+ figure|the ambassador)", r"([^.(…\n]+?)(?: \(\w+\))?\.\n"
    for who, where in re.findall(rf"{piece} (?:begins on|to) {place}", text):
        places[who.lower()] = where
    return places


def test_where_a_figure_can_go_one_reads_the_number_of_the_space_and_who_stands_there(tmp_path):
    person, numbers, met = Person(tmp_path, "play", "venice-2013", "--seed", "8", *BOTS, *QUIET, rows=90), set(), set()
    for _ in range(120):
        assert person.wait() == "prompt"
        shown = person.offers()
        if "\nChoose: space\n" in person.text.rsplit("\n> ", 1)[-1]:
            places = told_places(person.said)
            for label in shown.values():
                name, _, behind = label.rstrip(")").partition(" (")
                here = [piece for piece, place in places.items() if place == name]
                number = [NUMBERS[name]] if name in NUMBERS else []
                assert (behind.split(", ") if behind else []) == number + sorted(here, key=behind.find)
                numbers, met = numbers | set(number), met | set(here)
        going = [number for number, label in shown.items() if label in ("Move", "Go on")]
        person.type(going[0] if going else max(shown))
    person.child.close(force=True)
    assert numbers and met


# --- where only Enter is waited for ---------------------------------------------------------------------------------


def test_a_command_can_be_typed_where_one_is_asked_whether_to_read_on(tmp_path):
    person = Person(tmp_path, "play", "venice-2013", "--seed", "5", *BOTS)
    for answer, asked in (("rules", "prompt"), ("mission", "more"), ("q", "prompt")):
        assert person.wait() == asked
        person.type(answer)
    assert "As far as you know, it can be:" in person.said
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
    told = "The grey card of Green says: Lord Fiddlebottom."
    assert told in said.split("> notes")[0] and told in said.split("> notes")[1].split("\n> ")[0]
