"""Several people at one keyboard: what stands on the screen while it is passed on, what opens it, how often it goes round."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import pytest
import terminal
from hotseat import Frames, seats_of
from tabarro.front.common.layout import clean
from tabarro.front.terminal.passing import Passing
from tabarro.front.terminal.seats import Seat
from tabarro.front.terminal.view import View
from tabarro.interpreter import load_game
from tabarro.interpreter.save import load
from tabarro.speech.language import Language
from tabarro.speech.narrator import Narrator
from terminal import Person, calm, quoted, saved


def test_the_screen_between_two_people_speaks_both_languages(tmp_path):
    wishes = seats_of({"first": "Anna:de", "second": "me:ja"})
    person = Person(tmp_path, "play", "kuhn-poker", "--seed", "3", *wishes, languages=("de", "ja"))
    assert person.wait() == "pass" and person.name == "Anna"
    person.type("anna")
    assert person.wait() == "prompt"
    person.type(1)
    assert person.wait() == "pass"
    said = "Pass the keyboard to {name}. Everybody else looks away."
    for code in ("de", "ja"):
        told = Language(code).say(said, name=Narrator(load(saved(tmp_path))[0], Language(code)).seat("second"))
        assert "".join(told.split()) in "".join(person.text.split())
    told = Narrator(load(saved(tmp_path))[0], Language("ja")).tell(
        load(saved(tmp_path))[1].player("second").log.public()
    )
    assert told and all("".join(line.split()) in "".join(person.text.split()) for line in told)
    person.type("second")  # a keyboard without Japanese letters
    assert person.wait() == "prompt"
    person.child.close(force=True)


@pytest.mark.long
@pytest.mark.parametrize("keys", [["", " ", "1"], ["second", "fir", "y"]])
def test_what_is_typed_by_accident_opens_nothing(tmp_path, keys):
    person = Person(tmp_path, "play", "kuhn-poker", "--seed", "3", *seats_of({"first": "me", "second": "me"}))
    assert person.wait() == "pass"
    for typed in keys:
        person.type(typed)
        assert person.wait() == "pass"
    assert "is dealt" not in person.said
    person.child.close(force=True)


def test_keys_pressed_too_early_open_nothing_and_answer_nothing(tmp_path):
    person = Person(tmp_path, "play", "kuhn-poker", "--seed", "3", *seats_of({"first": "me", "second": "me"}))
    assert person.wait() == "pass"
    person.type(person.name)
    assert person.wait() == "prompt"
    person.child.send("1\rsecond player\r2\r2\r")  # what is behind the first answer was typed before it could be read
    assert person.wait() == "pass"
    assert [line for line in saved(tmp_path).read_text(encoding="utf-8").splitlines() if '"choice"' in line][1:] == []
    person.child.close(force=True)


@pytest.mark.long
def test_a_name_that_could_be_typed_by_accident_is_not_asked_for(tmp_path):
    wishes = seats_of({"first": "1", "second": "A"})
    person = Person(tmp_path, "play", "kuhn-poker", "--seed", "3", *wishes)
    assert person.wait() == "pass"
    person.type("1")
    assert person.wait() == "pass" and person.name == "first player"
    person.child.close(force=True)


@pytest.mark.parametrize(
    ("name", "asked_for", "opening", "not_opening"),
    [
        (
            "Maximilian Alexander Bartholomew Featherstonehaugh",
            "Maximilian Alexander",
            [
                "Maximilian Alexander",
                "maximilian alexander bartholomew featherstonehaugh",
                "Maximilian Alexander Ba…",
                "maximilian",
                "maxi",
                "first",
            ],
            ["", "1", "m", "max", "alexander", "y"],
        ),
        (
            "ふじわらのさきのだいじょうだいじんただひら",
            "",
            ["ふじわらの", "ふじわらのさきのだいじょうだいじんただひら"],
            ["", "ふじ", "ひら"],
        ),
        ("Ada", "Ada", ["ada", "first"], ["ad", "adam", "…"]),
    ],
)
def test_a_long_name_opens_its_screen_as_it_is_given_and_as_it_begins(tmp_path, name, asked_for, opening, not_opening):
    game, seat = load_game("kuhn-poker"), Seat("first", name=clean(name), language="en")
    view = View(game.new(3).player("first"), seat, Language("en"), tmp_path / "x")
    passing = Passing(view)
    assert "…" not in quoted(passing.prompt) and passing.opens(quoted(passing.prompt))
    assert not asked_for or quoted(passing.prompt) == asked_for
    assert [typed for typed in opening if not passing.opens(typed)] == []
    assert [typed for typed in not_opening if passing.opens(typed)] == []


def test_an_exchange_of_cards_takes_two_passes_and_each_is_asked_once(tmp_path):
    people = ("red", "blue", "green", "yellow")
    person = Person(tmp_path, "play", "cards-safe", "--seed", "3", *seats_of(dict.fromkeys(people, "me")))
    went = {"red": 2, "blue": 5, "green": 5, "yellow": 2}  # red meets yellow, blue meets green
    passed, asked_for = [], []
    while (asked := person.wait()) in ("pass", "prompt"):
        if asked == "pass":
            passed.append(person.name)
            person.type(person.name)
        elif "Where do you go?" in person.text:
            if len(passed) > 4:
                break
            person.type(went[passed[-1]])
        else:
            if whom := re.search(r"cards do you show (\w+)\?[^>]*>\Z", person.text):
                asked_for.append((passed[-1], whom[1]))
                assert person.offers().open == ["Declare"]  # what comes before it can still be done
            person.type(max(person.offers()))
    assert passed[:8] == ["red", "blue", "green", "yellow", "red", "yellow", "blue", "green"]
    assert asked_for == [("red", "Yellow"), ("yellow", "Red"), ("blue", "Green"), ("green", "Blue")]
    played = [json.loads(line)["choice"] for line in saved(tmp_path).read_text(encoding="utf-8").splitlines()[1:]]
    shown = [words[0] for words in played[4:] if words != ["not_yet"]]
    assert [{name.split("_")[0] for name in cards} for cards in shown] == [{"red"}, {"yellow"}, {"blue"}, {"green"}]
    person.child.close(force=True)


@pytest.mark.long
def test_whoever_takes_up_what_stands_open_first_undoes_what_was_decided_ahead(tmp_path):
    """Red has already chosen cards for yellow, then yellow declares: the cards are not shown."""
    people = ("red", "blue", "green", "yellow")
    person = Person(tmp_path, "play", "cards-safe", "--seed", "3", *seats_of(dict.fromkeys(people, "me")))
    went, passed = {"red": 2, "blue": 4, "green": 5, "yellow": 2}, []
    while (asked := person.wait()) in ("pass", "prompt"):
        if asked == "pass":
            passed.append(person.name)
        if passed[-2:] == ["red", "yellow"] and asked == "prompt":
            break
        going = "Where do you go?" in person.text
        person.type(person.name if asked == "pass" else went[passed[-1]] if going else max(person.offers()))
    person.type("Declare")
    while person.wait() == "prompt":
        person.type(person.offers().yes or max(person.offers()))
    played = saved(tmp_path).read_text(encoding="utf-8")
    assert '"declare"' in played and '"red_' not in played.split('"declare"')[0]
    person.child.close(force=True)


FAMILIES = {
    "cards-safe": ("red", "blue", "green", "yellow"),
    "little-mystery": ("ada", "ben", "cleo"),
    "twins": ("red", "blue", "green", "yellow"),
}
EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
LEAKING = """
from tabarro.front.terminal.plain import Plain
shown = Plain._show_open
def leaks(self, passing):
    shown(self, passing)
    view = passing.leaves
    if view is not None:
        self.screen.text(view.language.labelled(*view.notebook.secrets(view.known())[0]))
Plain._show_open = leaks
"""


@pytest.mark.long
@pytest.mark.parametrize("game", FAMILIES)
def test_no_frame_shows_a_secret_of_somebody_who_does_not_sit_there(tmp_path, game):
    """Here in four languages at once; in one language, and for all families, in the evenings of `test_terminal.py`."""
    codes = dict(zip(FAMILIES[game], ("de", "ca", "ja", "nl")))
    wishes = seats_of({seat: f"me:{code}" for seat, code in codes.items()})
    file = EXAMPLES / f"{game}.yaml"  # a house rule
    named = str(file) if file.exists() else game
    person = Person(tmp_path, "play", named, "--seed", "5", *wishes, languages=list(codes.values()))
    frames = Frames(person, codes)
    person.play(calm(2, codes.values(), 12), frames.look)
    assert frames.passed > 2 and re.search(r"\S", person.text)
    assert frames.given_away(saved(tmp_path)) == []


def test_a_secret_that_is_left_on_the_screen_for_the_next_one_would_be_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(terminal, "START", LEAKING + terminal.START)
    codes = {"first": "de", "second": "ja"}
    wishes = seats_of({seat: f"me:{code}" for seat, code in codes.items()})
    person = Person(tmp_path, "play", "kuhn-poker", "--seed", "5", *wishes, languages=list(codes.values()))
    frames = Frames(person, codes)
    person.play(calm(2, codes.values(), 12), frames.look)
    assert frames.passed and {name for name, _, _ in frames.given_away(saved(tmp_path))} == {""}


ENTRIES = [
    "",
    " ",
    "1",
    "2",
    "3",
    "0",
    "-1",
    "99999999",
    "1 2",
    "1 1 1",
    "?",
    "map",
    "notes",
    "notes 1 =",
    "notes a +",
    "log",
]
ENTRIES += [
    "mission",
    "hint",
    "save",
    "undo",
    "rules",
    "yes",
    "no",
    "red",
    "ada",
    "\x1b[A",
    "\t\t",
    "ｂｅｔ",
    "青",
    "'\"%{}",
    "x" * 300,
]


@pytest.mark.soak
@pytest.mark.parametrize("game", ["kuhn-poker", "cards-safe", "little-mystery", "venice-2013"])
def test_whatever_is_typed_the_game_goes_on_and_no_frame_gives_anything_away(tmp_path, game):
    """`TABARRO_SOAK=10000 pytest -m soak -k whatever_is_typed` types so often."""
    seats = {
        "kuhn-poker": ("first", "second"),
        "cards-safe": ("red", "blue", "green", "yellow"),
        "little-mystery": ("ada", "ben", "cleo"),
        "venice-2013": ("red", "blue", "green", "yellow"),
    }[game]
    luck, entries = random.Random(game), int(os.environ.get("TABARRO_SOAK", "300"))
    while entries > 0:
        folder = tmp_path / str(entries)
        person = Person(folder, "play", game, "--seed", "5", *seats_of(dict.fromkeys(seats, "me")))
        frames, choose = Frames(person, dict.fromkeys(seats, "en")), calm(2, ("en",), 40)
        for _ in range(400):
            asked = person.wait()
            frames.look(asked)
            if asked == "end" or entries <= 0:
                break
            entries -= 1
            if luck.random() < 0.4:
                person.type(luck.choice(ENTRIES))
            else:
                shown = person.offers()  # nothing, if only a remark stands below what was asked: "?" asks it again
                answer = choose(shown) if shown or shown.yes else "?"
                person.type(answer if asked == "prompt" else person.name if asked == "pass" else "")
        person.child.close(force=True)
        assert "Traceback" not in person.said and "went wrong" not in person.said
        assert frames.given_away(saved(folder)) == []
