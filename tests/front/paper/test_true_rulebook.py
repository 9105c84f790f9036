"""A rulebook says what the rules do, whoever has changed them."""

from __future__ import annotations

import re

import pytest
import yaml
from loading import NAMES, TABLES, is_house_rule, loaded
from tabarro.front.paper.book import rulebook
from tabarro.front.workbench.described import declared_again, described
from tabarro.front.workbench.doubts import Warnings
from tabarro.front.workbench.sentences import suspects
from tabarro.interpreter import RulesError, load_game
from tabarro.interpreter.mentions import read_mentions
from tabarro.interpreter.resolve import Library
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.telling import Telling

GAME = """\
name: Draws
players: {2: {}, 3: {things: {player: [ann, bob, cy]}}}
options:
  lie: {is: yes or no, default: false, about: Whether one may lie.}
  order: {is: [upwards, downwards], default: upwards, about: In which order.}
things:
  player: [ann, bob]
  ball: [red, blue, green, white, black]
seats: players
state:
  bag of player: {is: set of ball, seen by: player}
  points of player: {is: number, seen by: all}
rules:
  game:
    deal:
      rule: "{game/deal/each} {game/deal/each:ball is|balls are} dealt to each of the {count of players}: {players}."
      deal: balls
      to: players
      each: 2
      as: bag
    turns:
      for each: player in players
      do:
        turn: {call: turn of player}
    over: {rule: The one with more points wins., end: players where points of it is more than 0}
  turn of player:
    pick:
      rule: "One takes three balls. {lie:One may lie.|One must not lie.} The order is {order}."
      draw: 3
      from: balls
      as: taken
      seen by: all
    score: {set: {points of player: points of player plus 1}}
    again:
      rule: Then one may pass, or take a point more.
      ask: player
      seen by: all
      between:
        pass: {}
        take: {then: {more: {set: {points of player: points of player plus 1}}}}
"""


@pytest.fixture
def house(tmp_path):
    (tmp_path / "draws.yaml").write_text(GAME, encoding="utf-8")

    def change(text: str = "", name: str = "house", players: int = 2):
        (tmp_path / f"{name}.yaml").write_text(f"extends: draws\nname: House\n{text}", encoding="utf-8")
        return load_game(tmp_path / f"{name}.yaml", players, folders=(tmp_path,))

    return change


def told(game, language="en") -> str:
    return re.sub(r"\s+", " ", rulebook(game, language, "text", 4_000))


# --- what stands in braces --------------------------------------------------------------------------------------------
def test_numbers_names_and_lists_come_from_the_rules(house):
    assert "Two balls are dealt to each of the two: ann and bob." in told(house())
    assert "Two balls are dealt to each of the three: ann, bob, and cy." in told(
        house("change: {game/deal/each: 1}", "three", 3)
    ).replace("One ball is", "Two balls are")


def test_a_number_that_is_changed_is_said_with_what_agrees(house):
    assert "One ball is dealt to each of the two" in told(house("change: {game/deal/each: 1}"))


def test_an_option_decides_between_words(house):
    assert "One must not lie. The order is upwards." in told(house())
    text = told(house("options: {lie: true, order: downwards}"))
    assert "One may lie. The order is downwards." in text and "must not" not in text


@pytest.mark.parametrize(
    "sentence", ["{turn/pick/as}", "{count of nonsense}", "{points of ann}", "{no/such/path}", "{"]
)
def test_a_sentence_that_cannot_be_filled_is_left_out_and_the_author_is_told(house, tmp_path, sentence):
    game = house(f'rules: {{game: {{over: {{rule: "Here {sentence} is told."}}}}}}')
    assert "is told" not in told(game) and not re.search(r"[{}]", told(game))
    found = [d.code for d in Warnings(tmp_path / "house.yaml", (tmp_path,)).sentences()]
    assert "lost_mention" in found


# --- what was changed since ---------------------------------------------------------------------------------------------
CHANGES = {
    "a number of the step": ("change: {turn/pick/draw: 4}", "three balls", "4 of these"),
    "a step after it": (
        "rules: {turn of player: {score: {set: {points of player: points of player plus 5}}}}",
        "three balls",
        "plus 5",
    ),
    "an alternative less": ("remove: [turn of player/again/take]", "take a point more", ""),
    "what an alternative does": (
        "rules: {turn of player: {again: {between: {take: {then: {more: {set: {points of player: 7}}}}}}}}",
        "take a point more",
        "is: 7",
    ),
    "who wins": ("change: {game/over/end: ann}", "more points wins", "Who wins: ann"),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_sentence_from_before_a_change_is_replaced_by_what_the_step_does(house, tmp_path, kind):
    change, old, new = CHANGES[kind]
    text = told(house(change))
    assert old not in text and new in text
    assert old in told(house("", "same"))
    assert "outdated_sentence" in [d.code for d in Warnings(tmp_path / "house.yaml", (tmp_path,)).sentences()]


def test_a_new_sentence_makes_the_change_told(house, tmp_path):
    text = told(house("rules: {turn of player: {pick: {draw: 4, rule: One takes four.}}}"))
    assert "One takes four." in text and "three balls" not in text and "Drawn at random" not in text
    assert not list(Warnings(tmp_path / "house.yaml", (tmp_path,)).sentences())


def test_another_text_or_prompt_leaves_the_sentence_true(house):
    assert "three balls" in told(house('rules: {turn of player: {pick: {text: "{taken}!"}}}'))


NEW = """\
rules:
  turn of player:
    tax:
      after: pick
      if: points of player is at least 3
      then:
        pay: {set: {points of player: points of player minus 2}}
"""


def test_a_new_step_without_a_sentence_is_said_and_the_author_is_asked_for_one(house, tmp_path):
    text = told(house(NEW))
    assert "three balls" in text
    assert re.search(r"If this holds: .* at least 3, then: From then on .* minus 2", text)
    assert "no_sentence" in [d.code for d in Warnings(tmp_path / "house.yaml", (tmp_path,)).sentences()]


def test_a_game_without_sentences_has_a_rulebook_all_the_same(tmp_path):
    (tmp_path / "bare.yaml").write_text(re.sub(r"\n *rule: .*|rule: [^{},]*, ", "", GAME), encoding="utf-8")
    text = told(load_game(tmp_path / "bare.yaml", folders=(tmp_path,)))
    for part in (
        "Dealt at random: the balls.",
        "3 of these: the balls",
        "may choose: pass or take",
        "The game is over",
    ):
        assert part in text, text


def test_an_option_or_a_word_that_a_step_uses_is_asked_about(house, tmp_path):
    (tmp_path / "draws.yaml").write_text(
        GAME.replace("draw: 3", "draw: if lie then 3 else 3").replace("points of player plus 1", "gain of player")
        + "words:\n  gain of player: points of player plus 1\n",
        encoding="utf-8",
    )
    house("options: {lie: true, order: downwards}\nwords: {gain of player: points of player plus 2}")
    found = [(d.code, d.args["name"]) for d in Warnings(tmp_path / "house.yaml", (tmp_path,)).sentences()]
    assert ("word_sentence", "turn/again") in found
    assert ("option_sentence", "turn/pick") not in found  # its sentence names the option


@pytest.mark.parametrize(
    "language", [pytest.param(code, marks=[pytest.mark.long] * (code not in ("en", "ja"))) for code in LANGUAGES]
)
def test_what_a_step_does_is_said_in_every_language(house, language):
    for change, _, _ in CHANGES.values():
        text = told(house(change), language)
        assert not re.search(r"[{}]", text)
        if language != "en":
            assert not re.search(r"Drawn|From then|Who wins|may choose", text)


# --- the games that come along ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_sentence_of_a_game_that_comes_along_is_up_to_date_and_can_be_filled(name, players):
    game = loaded(name, players)
    assert game.rulebook.authors.outdated == frozenset()
    assert read_mentions(declared_again(game))[1] == []


# --- changed ------------------------------------------------------------------------------------------------------------
def numbers(steps, way=()):
    """Every whole number that a step has, by the keys that lead to it."""
    for key, value in steps.items():
        if isinstance(value, dict):
            yield from numbers(value, (*way, key))
        elif isinstance(value, int) and not isinstance(value, bool) and key != "rarely":
            yield (*way, key), value


def nested(way, value):
    for key in reversed(way):
        value = {key: value}
    return value


def speaking_for(description, way):
    """The sentence that speaks for a part of a step: its own, or that of the step around it, or of the one before."""
    found, here = None, description["rules"]
    for key in way[:-1]:
        for name in here if isinstance(here, dict) else ():
            if name == key:
                break
            if isinstance(here[name], dict) and here[name].get("rule"):
                found = here[name]["rule"]
        here = here[key]
        found = here.get("rule") or found
    return found


PLAIN = [name for name in NAMES if not is_house_rule(name)]


@pytest.mark.long
@pytest.mark.parametrize("name", PLAIN)
def test_a_changed_number_leaves_no_sentence_with_the_old_one(tmp_path, name):
    game = loaded(name)
    description = described(game)
    for place, (way, value) in enumerate(list(numbers(description["rules"]))[:4]):
        sentence = speaking_for(description, way)
        text = yaml.safe_dump({"extends": name, "name": "House", "rules": nested(way, value + 1)}, allow_unicode=True)
        (tmp_path / "house.yaml").write_text(text, encoding="utf-8")
        try:
            house = load_game(tmp_path / "house.yaml", game.players, folders=(tmp_path,))
        except RulesError:  # too many, or too few
            continue
        language = LANGUAGES[place % len(LANGUAGES)]
        before = Telling(game, Language(language)).text(sentence or "")
        assert not before or before not in told(house, language), (way, before)


ASIDE = {"giving/cards", "choice/choose/if none/any_pair"}  # their sentences leave to others what the option decides


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), [("venice-2013", 4), ("cards-safe", 4), ("cards-phone", 5)])
def test_every_sentence_of_a_step_that_uses_an_option_speaks_of_it(tmp_path, name, players):
    file = tmp_path / "house.yaml"
    for option in loaded(name, players).options.values():
        others = option.values or ([True, False] if option.kind == "yes or no" else [option.value + 1])
        value = next(v for v in others if v != option.value or len(others) == 1)
        file.write_text(
            f"extends: {name}\nname: House\noptions: {{{option.name}: {str(value).lower()}}}\n", encoding="utf-8"
        )
        try:
            game = load_game(file, players, folders=(tmp_path,))
        except RulesError:  # some exclude each other
            continue
        found = {(code, step) for code, _, step in suspects(game, Library((tmp_path,)).load(file).at)}
        assert {step for code, step in found if code == "option_sentence"} <= ASIDE, option.name
        assert not {step for code, step in found if code == "outdated_sentence"}, option.name
