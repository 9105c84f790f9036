"""What goes wrong in an author's folder, and what `tabarro check` and `tabarro test` say of it."""

import io
from pathlib import Path

import pytest
import yaml
from tabarro.cli import main
from tabarro.interpreter import find_problems
from tabarro.interpreter.errors import did_you_mean

GAME = "extends: tic-tac-toe\nname: {name}\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, text):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def told(*arguments):
    out, err = io.StringIO(), io.StringIO()
    code = main([*map(str, arguments), "--lang", "en"], out, err)
    return code, out.getvalue() + err.getvalue()


@pytest.mark.parametrize("home", ["variants/swap.yaml", "swap.yaml"])
def test_a_scenario_may_be_called_like_its_game(here, home):
    write(home, GAME.format(name="Swap"))
    write("scenarios/swap.yaml", "title: It begins\ngame: swap\nplay: [{cross: a1}]\n")
    code, said = told("test", "scenarios")
    assert "swap.yaml" in said
    assert code == 0, said


def test_a_translation_that_names_what_the_text_does_not_is_a_mistake(here):
    hello = 'game/hello: {before: rounds, say: "{n} hello.", with: {n: 3}, to: all}'
    write("variants/ferry.yaml", GAME.format(name="Ferry") + f"add:\n  {hello}\n")
    catalogue = (
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "{n} hello."\nmsgstr "{m} hola."\n'
    )
    write("variants/locales/ca/LC_MESSAGES/house.po", catalogue)
    code, said = told("check", "--quick", "ferry")
    assert code == 2 and "house.po:5:10" in said and "“m”" in said
    write("variants/locales/ca/LC_MESSAGES/house.po", catalogue.replace("{m}", "{n}"))
    assert told("check", "--quick", "ferry")[0] == 0


@pytest.mark.parametrize(
    ("line", "whole"),
    [("name: Carnival #2", '"Carnival #2"'), ("name: {en: Carnival, ca: Carnaval #2\n  }", '"Carnaval #2"'), ("name: Carnival # the second", ""), ("name: Carnival   ## 2", "")],
)  # fmt: skip
def test_a_value_that_a_comment_cuts_short_is_told(here, line, whole):
    write("cut.yaml", f"extends: tic-tac-toe\n{line}\n")
    said = told("check", "--quick", "cut.yaml")[1]
    assert ("in quotes: " + whole in said) if whole else "in quotes" not in said


@pytest.mark.parametrize(
    ("word", "others", "meant"),
    [("three", ["green", "blue"], None), ("green", ["three", "grene"], "grene"), ("ahed", ["ahead"], "ahead"), ("bubble", ["colonel_bubble"], "colonel_bubble"),
     ("cat", ["hat", "coat"], "coat"), ("red", ["bread"], None), ("neighbors", ["neighbours"], "neighbours"), ("north", ["south"], None)],
)  # fmt: skip
def test_only_what_is_near_is_offered(word, others, meant):
    assert did_you_mean(word, others) in ({meant} if word != "cat" else {"hat", "coat"})


# --- sixty mistakes ---------------------------------------------------------------------------------------------------
MISTAKES = yaml.safe_load((Path(__file__).parent / "mistakes.yml").read_text(encoding="utf-8"))
PARENTS = {
    "wet-night": """\
extends: night-runner
name: Wet night
change: {lamp: 4}
add:
  things: {weather: [rain, fog]}
  state: {sky: {is: weather or nothing, seen by: all}}
  words: {spot is wet: spot is harbour or spot is lighthouse}
  game/clouds: {before: hide, draw: 1, from: weathers, as: cloud, seen by: all, text: "Tonight: {cloud}."}
  game/sky: {after: clouds, set: {sky: cloud}}
""",
    "dark-night": "extends: night-runner\nname: Dark night\nchange: {lamp: 6}\n",
}
SOME = list(MISTAKES)[::7]  # the others take longer than they teach


def mended(text, problem, mistake):
    """The file of an author who does what the message says."""
    offered = problem.args.get("meant") or problem.args.get("near")
    if offered:  # what is underlined is replaced by the word that is offered
        lines, (_, line, column) = text.split("\n"), problem.place
        old = lines[line - 1]
        lines[line - 1] = old[: column - 1] + offered + old[column - 1 + problem.length :]
        return "\n".join(lines)
    assert mistake["cue"] in problem.remedy()
    for old, new in mistake["mend"]:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def test_there_are_sixty_mistakes():
    assert len(MISTAKES) >= 60


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in SOME else pytest.mark.long) for name in MISTAKES]
)
def test_a_mistake_in_a_variant_of_a_variant_is_told_at_its_line_and_the_remedy_mends_it(here, name):
    mistake = MISTAKES[name]
    for parent, text in PARENTS.items():
        write(f"{parent}.yaml", text)
    text = mistake.get("whole") or "extends: wet-night\nname: Mine\n" + mistake["text"]
    write("mine.yaml", text)
    first = find_problems(Path("mine.yaml"))[0]
    assert (first.place.source.name, first.place.line) == ("mine.yaml", mistake["line"])
    assert mistake.get("says", "") in first.message()
    write("mine.yaml", mended(text, first, mistake))
    assert find_problems(Path("mine.yaml")) == []
