"""Sentences that people type: read as they were said, with help where they cannot be, and never for long."""

from __future__ import annotations

import io
import os
import re
from contextlib import suppress
from random import Random

import pytest
from hostile import hostile
from loading import loaded
from stopwatch import within
from tabarro.cli import main
from tabarro.interpreter import RulesError
from tabarro.interpreter.errors import Place, Source
from tabarro.interpreter.idiom import idiom
from tabarro.interpreter.parse import parse
from tabarro.speech.conditions import Speaker
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.reading import MAX_LETTERS, TooHard, Unread


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch):
    for variable in [name for name in os.environ if name.startswith(("LC_", "LANG", "TABARRO"))]:
        monkeypatch.delenv(variable)


def speaker(language: str) -> Speaker:
    return Speaker(loaded("venice-2013"), Language(language))


def say(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = main(["say", *arguments], out, err)
    return code, out.getvalue(), err.getvalue()


SENTENCES = {
    "ca": "Cap figura del vermell no és a Rialto.",
    "de": "Keine Figur von Rot steht auf dem Feld Rialto.",
    "en": "None of Red's figures is at Rialto.",
    "ja": "赤の駒はどれもリアルトにいない。",
    "nl": "Geen enkele figuur van Rood staat op Rialto.",
    "no": "Ingen av Røds figurer står ved Rialto.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_can_be_typed_instead_of_an_expression(language):
    assert say("venice-2013", SENTENCES[language], "--lang", language) == (0, SENTENCES[language] + "\n", "")
    code, out, _ = say("venice-2013", "no figure of red is on rialto", "--lang", language)
    assert (code, out) == (0, SENTENCES[language] + "\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_capitals_commas_and_the_end_may_be_left_out(language):
    end = speaker(language).grammar.data["end"]
    (one,) = speaker(language).read(SENTENCES[language])
    (other,) = speaker(language).read(SENTENCES[language].lower().removesuffix(end))
    assert speaker(language).sentence(one) == speaker(language).sentence(other) == SENTENCES[language]


VARIED = {
    "ca": "Cap figura del vermell no es troba a Rialto.",
    "de": "Keine Figur von Rot befindet sich auf Rialto.",
    "en": "None of Red's figures is on Rialto.",
    "ja": "赤の駒はどれもリアルトにいません。",
    "nl": "Geen figuur van Rood bevindt zich op Rialto.",
    "no": "Ingen av Røds figurer er på Rialto.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_small_words_may_vary(language):
    (found,) = speaker(language).read(VARIED[language])
    assert speaker(language).sentence(found) == SENTENCES[language]
    assert say("venice-2013", VARIED[language], "--lang", language)[1] == SENTENCES[language] + "\n"


def test_what_cannot_be_read_is_shown_with_a_caret_and_with_what_could_follow():
    code, out, err = say("venice-2013", "Cap figura del vermell no és a Riallto.", "--lang", "ca")
    assert (code, out) == (2, "")
    line, caret = err.splitlines()[1:3]
    assert line.index("Riallto") == caret.index("^")
    assert "rialto" in err.splitlines()[3]


def test_a_sentence_without_spaces_is_no_name():
    assert say("venice-2013", SENTENCES["ja"].removesuffix("。"), "--lang", "ja")[:2] == (0, SENTENCES["ja"] + "\n")
    code, _, err = say("venice-2013", "赤の駒はどれもリアルトにいなく", "--lang", "ja")
    assert code == 2 and "いない" in err.splitlines()[3]


def test_a_mistake_in_an_expression_is_told_as_before():
    code, _, err = say("venice-2013", "no figure of red is on rialtoo", "--lang", "en")
    assert code == 2 and "“rialtoo”" in err and "“rialto”" in err


def test_a_sentence_that_makes_no_sense_is_refused():
    with pytest.raises(RulesError) as caught:
        text = "Red is Rialto"
        speaker("en").understood(text, Place(Source("", text), 1, 1))
    assert [found.code for found in caught.value.problems] == ["sentence_makes_no_sense"]


HOSTILE = {
    "en": ["the owner of " * 140 + "red is red", "(" * 300 + "red" + ")" * 300, "either " * 200],
    "ja": ["（" * 900, "赤の駒の" * 400 + "赤", "駒" * 1900],
    "de": ["die Figur der Figur " * 90, "keine Figur von Rot, die " * 70],
    "ca": ["la figura de la figura " * 80, "no hi ha " * 200],
}


@pytest.mark.parametrize("language", HOSTILE)
def test_hostile_sentences_are_refused_soon(language):
    this = speaker(language)
    for text in [*HOSTILE[language], "a" * (MAX_LETTERS + 1)]:
        with within(1), suppress(TooHard, Unread):
            assert this.read(text) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_a_grammar_can_say_again_and_again_is_bounded(language):
    """To read it, to make an expression of it and to say that again are one work, with one bound."""
    this = speaker(language)
    this.read(SENTENCES[language])
    for text in hostile(this.grammar, Random(language), 16):
        with within(1), suppress(RulesError, TooHard):
            this.told(this.understood(text, Place(Source("", text), 1, 1)))


@pytest.mark.parametrize("again", [3, 5, 8, 17, 40])
def test_a_sentence_with_much_inside_each_other_is_said_or_refused(again):
    text = "A figure that is " + "on the same space as a figure that is " * again + "at Rialto is at Rialto."
    with within(2):
        code, out, err = say("venice-2013", text, "--lang", "en")
    assert "only the rules" not in out
    assert (code == 0) == bool(out) and (code == 2) == bool(err)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_read_quickly(language):
    this = speaker(language)
    this.read(SENTENCES[language])
    with within(10 * 0.05):
        for _ in range(10):
            this.read(SENTENCES[language])


def test_words_of_the_language_stay_as_they_are_in_translated_errors():
    """“it”, “no” and “nothing” are words of the sentences of the command too, and have translations there."""
    with pytest.raises(RulesError) as caught:
        parse("count of", "expression", Place(Source("", "count of"), 1, 1))
    (found,) = caught.value.problems
    german = found.remedy(Language("de").translate)
    assert "ein Name" in german and "it" in re.findall(r"\w+", german)
    assert not {"es", "nichts", "keine"} & set(re.findall(r"\w+", german))


NOTHING_THERE = """
name: Nobody is champion
players: {2: {}}
things: {player: [mia, leo]}
seats: players
state:
  honey of player: {is: number, start: 3, seen by: all}
  champion: {is: player or nothing, seen by: all}
rules: {game: {over: {end: mia}}}
"""


def test_what_would_be_a_mistake_in_play_is_no_condition_that_does_not_hold(tmp_path):
    (tmp_path / "gap.yaml").write_text(NOTHING_THERE, encoding="utf-8")
    (tmp_path / "at.yaml").write_text("{}\n", encoding="utf-8")

    def told(condition: str) -> str:
        at = str(tmp_path / "at.yaml")
        code, out, err = say(str(tmp_path / "gap.yaml"), condition, "--position", at, "--lang", "en")
        assert (code, err) == (0, "")
        return out.split("\n", 1)[1]

    assert told("honey of mia is 3").startswith("This holds now.")  # a file that says nothing is the beginning
    assert told("champion is mia").startswith("This does not hold now.")
    assert told("champion is nothing").startswith("This holds now.")
    for compared in ("is less than 3", "is at least 3"):
        assert "is at least" not in told(f"honey of champion {compared}")
        assert "there is nothing where a value is needed" in told(f"honey of champion {compared}")


def test_mistakes_are_told_in_the_language_of_the_file(tmp_path):
    """Unless another one is asked for."""
    (tmp_path / "joc.yaml").write_text(
        "llengua: ca\nnom: Joc\njugadors: {2: {}}\nestat: {or: {és: xifra}}\n", encoding="utf-8"
    )
    for asked, told in (([], "Aquí falta la clau"), (["--lang", "en"], "is missing here")):
        out, err = io.StringIO(), io.StringIO()
        assert main(["check", "--quick", str(tmp_path / "joc.yaml"), *asked], out, err) == 2
        assert told in err.getvalue()


def test_numbers_are_compared_in_expressions_as_in_sentences():
    """What is written is read again, and so are the other words that people have for it."""
    for code in LANGUAGES:
        if (words := idiom(code)) is not None:
            for how in ("at least", "at most", "exactly", "more than", "less than"):
                plain = f"purse of ann is {how} 2"
                assert words.phrasing.read(words.phrasing.write(plain, "expression"), "expression")[0] == plain
    catalan = idiom("ca").phrasing
    assert catalan.read("purse de ann és com a mínim 2", "expression")[0] == "purse of ann is at least 2"
    assert catalan.read("purse de ann és com a molt 2", "expression")[0] == "purse of ann is at most 2"
