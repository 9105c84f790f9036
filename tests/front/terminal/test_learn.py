"""A first game that is explained: every lesson leads through its game, in every language, and refuses kindly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from loading import LIBRARY, NAMES
from tabarro.front.workbench.lessons import beside, followed, problems_in, read
from tabarro.speech.language import LANGUAGES, Language
from terminal import piped

LESSONS = {name: path for name in NAMES if (path := beside(LIBRARY.find(name))) is not None}


def flat(words) -> list[str]:
    return [one for word in words for one in (flat(word) if isinstance(word, list) else [str(word)])]


def answers(path: Path) -> list[str]:
    """What somebody types who does what each step says, in words of the rules; Enter where one may only go on."""
    return [" ".join(step.choose) for step, _ in followed(read(path))]


def test_the_games_that_are_promised_have_one():
    assert {"venice-2013", "cards-safe", "tic-tac-toe"} <= set(LESSONS)


@pytest.mark.parametrize("name", LESSONS)
def test_whoever_follows_a_lesson_comes_to_its_end(name):
    lesson = read(LESSONS[name])
    reached = [step.name for step, _ in followed(lesson)]
    assert reached == [step.name for step in lesson.steps] and not problems_in(LESSONS[name])


@pytest.mark.parametrize("name", LESSONS)
def test_every_text_of_a_lesson_is_there_in_every_language(name):
    lesson = read(LESSONS[name])
    texts = [lesson.about, lesson.end, *(text for step in lesson.steps for text in (step.say, *step.before, step.why))]
    for language in LANGUAGES:
        said = [Language(language).text(text) for text in texts if text]
        assert all(said) and (language == "en" or not set(said) & {text for text in texts if text})


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_smallest_lesson_is_played_to_its_end_at_the_prompt(tmp_path, language):
    lesson = read(LESSONS["tic-tac-toe"])
    wrong = [line for answer in answers(LESSONS["tic-tac-toe"]) for line in (answer,)]
    wrong.insert(0, "a1")  # something else is refused, with the reason
    ran = piped(tmp_path, "learn", "tic-tac-toe", "--lang", language, "--plain", answers="\n".join(wrong) + "\n")
    said, squeezed = Language(language), "".join(ran.stdout.replace("|", "").split())
    for text in (lesson.about, lesson.steps[0].why, *(step.say for step in lesson.steps)):
        assert "".join(said.text(text).split()) in squeezed
    assert ran.returncode == 0 and ran.stderr == ""
    assert "".join(said.text(lesson.steps[0].say).split()) in squeezed


def test_a_board_game_is_learnt_at_the_prompt(tmp_path):
    """The words of the rules can be typed at the prompt, one gesture after the other; Enter goes on."""
    lesson = read(LESSONS["venice-2013"])
    typed = ["accomplished", ""]  # what stands open is refused, and goes by
    for step in lesson.steps[:5]:
        words = [word for word in step.choose if word not in ("move", "question")]
        typed += [" ".join(words).replace("_", " ")]
    ran = piped(tmp_path, "learn", "venice-2013", "--lang", "en", "--plain", answers="\n".join(typed) + "\n")
    squeezed = "".join(ran.stdout.replace("|", "").split())
    assert "letitgoby" in squeezed.lower()
    for text in (lesson.about, *lesson.steps[0].before, *(step.say for step in lesson.steps[:5])):
        assert "".join(text.split()) in squeezed, ran.stdout[-3000:]


def test_what_is_said_has_its_moment_and_does_not_outlive_it(tmp_path):
    """Where one may only go on, each text is said once; and what a later text builds on cannot be chosen otherwise."""
    lesson = read(LESSONS["venice-2013"])
    typed = [""]
    for step in lesson.steps[:6]:
        typed += [
            " ".join(word for word in step.choose if word not in ("move", "question", "orange")).replace("_", " ")
        ]
    typed[6:6] = ["", ""]
    typed += ["white", "orange", "quit"]  # the lesson goes on with the white one
    ran = piped(tmp_path, "learn", "venice-2013", "--lang", "en", "--plain", answers="\n".join(typed) + "\n")
    squeezed, fourth, fifth = "".join(ran.stdout.replace("|", "").split()), *lesson.steps[5:7]
    assert len(fourth.before) == 2
    for text in (*fourth.before, fourth.why, fifth.say):
        assert squeezed.count("".join(text.split())) == 1, text


def test_a_card_game_is_learnt_at_the_prompt(tmp_path):
    """Cards are chosen one by one; before each exchange one could declare, and lets that go by."""
    lesson, typed = read(LESSONS["cards-safe"]), []
    for step in lesson.steps:
        typed += ["", *step.choose] if len(step.choose) > 1 else step.choose
    typed = [word.replace("_", " ") for word in typed]
    ran = piped(tmp_path, "learn", "cards-safe", "--lang", "en", "--plain", answers="\n".join(typed) + "\n")
    squeezed = "".join(ran.stdout.replace("|", "").split())
    for text in (lesson.about, *lesson.steps[2].before, *(step.say for step in lesson.steps), lesson.end):
        assert "".join(text.split()) in squeezed, ran.stdout[-3000:]


def test_a_game_without_a_lesson_says_which_have_one(tmp_path):
    ran = piped(tmp_path, "learn", "kuhn-poker", "--lang", "en")
    assert ran.returncode == 2 and "venice-2013" in ran.stderr


def test_without_a_game_those_are_offered_that_have_a_lesson(tmp_path):
    offered = piped(tmp_path, "learn", "--lang", "en")
    names = {name: number for number, name in re.findall(r"(\d) (\S+(?: \S+)*)", offered.stdout)}
    assert offered.returncode == 0
    assert names == {"Tic-tac-toe": "1", "Inkognito: the safe": "2", "Inkognito: Venice, 2013": "3"}
    first = piped(tmp_path, "learn", "--lang", "en", "--plain", answers="\nquit\n")
    assert "You play the crosses" in " ".join(first.stdout.replace("|", "").split())


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("choose: [b2]", "choose: [x9]"), "x9"),
        (("seat: cross", "seat: crosss"), "crosss"),
        (("lesson: tic-tac-toe", "lesson: tic-tac-to"), "tic-tac-toe"),
        ((" say:", " sya:"), "sya"),
        (("choose: [a3]", "choose: [a3]\n    before: You wait."), "say"),
        (("at once, with b3.", "at once, with b3.\n  more: {say: And on., choose: [a1]}"), "over"),
    ],
)
def test_mistakes_in_a_lesson_are_told_with_their_place(tmp_path, change, expected):
    text = LESSONS["tic-tac-toe"].read_text(encoding="utf-8")
    assert change[0] in text
    (tmp_path / "mine.lesson.yml").write_text(text.replace(*change), encoding="utf-8")
    ran = piped(tmp_path, "check", "mine.lesson.yml", "--lang", "en")
    assert ran.returncode == 2 and "mine.lesson.yml:" in ran.stderr and expected in ran.stderr


def test_a_house_rule_has_a_lesson_beside_it(tmp_path):
    (tmp_path / "mine.yaml").write_text("extends: tic-tac-toe\nname: {en: Mine}\n", encoding="utf-8")
    text = LESSONS["tic-tac-toe"].read_text(encoding="utf-8").replace("lesson: tic-tac-toe", "lesson: mine")
    (tmp_path / "mine.lesson.yml").write_text(text, encoding="utf-8")
    assert piped(tmp_path, "check", "mine.yaml", "--quick", "--lang", "en").returncode == 0
    ran = piped(tmp_path, "learn", "mine.yaml", "--plain", "--lang", "en", answers="b2\na3\nc3\nb3\n")
    assert ran.returncode == 0 and "Cross has won" in ran.stdout


def test_a_lesson_that_was_left_is_called_so_and_goes_on_as_one(tmp_path):
    piped(tmp_path, "play", "tic-tac-toe", "--seed", "1", answers="quit\n")
    first = piped(tmp_path, "learn", "tic-tac-toe", "--plain", answers="quit\n").stdout
    said = piped(tmp_path, "resume", "--plain", answers="\nquit\n").stdout
    assert re.search(r"1 Lesson: Tic-tac-toe", said) and re.search(r"2 Tic-tac-toe", said)
    explained = re.findall(r"^\| .*", first, re.M)
    assert explained and explained[-1] in said
