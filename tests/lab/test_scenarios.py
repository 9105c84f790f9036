"""Scenarios: those that come along are fulfilled, and the runner says clearly where one is not, or is not one."""

import json
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import jsonschema
import pytest
import yaml
from tabarro.cli import main
from tabarro.interpreter import show
from tabarro.interpreter.messages import MESSAGES
from tabarro.lab.scenario import SCHEMA, run
from tabarro.mind.courses import Contradiction, Courses

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "tests" / "scenarios").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_scenario_comes_out_as_it_says(path):
    assert [show(problem) for problem in run(path)] == []


def test_the_scenarios_have_titles_of_their_own_and_check_something():
    titles = []
    for path in FILES:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        titles.append(data["title"])
        assert any("now" in item for item in data["play"]), path.name
    assert len(set(titles)) == len(titles)


def test_the_schema_is_one_and_describes_every_key():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    stack = [schema]
    while stack:
        part = stack.pop()
        for key, inner in part.get("properties", {}).items():
            assert inner.get("description"), key
            stack.append(inner)
        stack += [part[key] for key in ("items", "additionalProperties") if isinstance(part.get(key), dict)]


def test_the_scenario_in_the_documentation_comes_out_too(tmp_path):
    page = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```yml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert examples
    for text in examples:
        path = tmp_path / "example.yaml"
        path.write_text(text, encoding="utf-8")
        assert [show(problem) for problem in run(path)] == []


def test_the_documentation_lists_every_key():
    page, schema = (
        (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8"),
        json.loads(SCHEMA.read_text(encoding="utf-8")),
    )
    now = schema["properties"]["play"]["items"]["properties"]["now"]
    listed = set(
        re.findall(r"`([^`]+)`", "".join(line.split("|")[1] for line in page.split("\n") if line.startswith("| `")))
    )
    assert listed >= {*schema["properties"], *now["properties"], "chance", "now"}


# --- what does not come out -------------------------------------------------------------------------------------------
HEAD = "title: A try\ngame: {game}\nplay:\n"
TOE = HEAD.format(game="tic-tac-toe")
MYSTERY = """title: A try
game: little-mystery
position: {first: ada, who: baker, what: rope, "hand of ben": [captain, candle]}
play:
  - ada: captain with candle
"""
SHAKEN = HEAD.format(game="venice-classic").replace("play:", "position: {first: red}\nplay:") + "  - red: go_on\n"
POKER = HEAD.format(game="kuhn-poker")

# Each is wrong in one way, at the place where ⟦ stands; with the code of the problem.
WON = "".join(f"  - {p}: {s}\n" for p, s in zip(["cross", "nought"] * 3, "a1 a2 b1 b2 c1".split()))
WRONG = {
    "no such game": (TOE.replace("tic-tac-toe", "⟦tic-tac-too") + "  - cross: a1\n", "unknown_game"),
    "an unknown key": ("⟦tytle: A try\n" + TOE + "  - cross: a1\n", "unknown_key"),
    "two keys in one entry": (TOE + "  - ⟦{cross: a1, nought: a2}\n", "scenario_keys"),
    "an unknown seat": (TOE + "  - ⟦crss: a1\n", "scenario_seat"),
    "not his turn": (TOE + "  - ⟦nought: a1\n", "scenario_turn"),
    "an unknown word": (TOE + "  - cross: ⟦a9\n", "scenario_word"),
    "too many words": (TOE + "  - cross: a1 ⟦a2\n", "scenario_word"),
    "not offered": (TOE + "  - cross: a1\n  - nought: ⟦a1\n", "scenario_not_offered"),
    "wrongly refused": (TOE + "  - now: {refused: [⟦a1]}\n", "scenario_offered"),
    "wrongly offered": (TOE + "  - cross: a1\n  - now: {offered: ⟦a1}\n", "scenario_not_offered"),
    "another number of choices": (TOE + "  - now: {choices: ⟦8}\n", "scenario_count"),
    "does not hold": (TOE + "  - now: {holds: ⟦top is held by cross}\n", "scenario_fails"),
    "holds": (TOE + "  - now: {fails: [a1 is marked by cross, ⟦a1 is empty]}\n", "scenario_holds"),
    "a condition with a slip": (TOE + "  - now: {holds: a1 is ⟦emty}\n", "unknown_name"),
    "somebody else is asked": (TOE + "  - now: {asked: ⟦nought}\n", "scenario_asked"),
    "another step asks": (TOE + "  - now: {step: ⟦nowhere}\n", "scenario_step"),
    "the game goes on": (TOE + "  - now: {winners: ⟦cross}\n", "scenario_not_over"),
    "another winner": (TOE + WON + "  - now: {winners: ⟦nought}\n", "scenario_winners"),
    "after the end": (TOE + WON + "  - ⟦nought: c2\n", "scenario_over"),
    "a position of nothing": (
        TOE.replace("play:", "position: {⟦a1 is empty: true}\nplay:") + "  - cross: b1\n",
        "scenario_position",
    ),
    "a position of the wrong kind": (
        TOE.replace("play:", "position: {mark of a1: ⟦b1}\nplay:") + "  - cross: b1\n",
        "type_mismatch",
    ),
    "chance where there is none": (TOE + "  - chance: ⟦a1\n", "scenario_no_chance"),
    "dealt twice": (
        POKER.replace("play:", "position: {hand of first: jack, hand of second: ⟦jack}\nplay:") + "  - first: bet\n",
        "scenario_dealt",
    ),
    "a part is missing": (MYSTERY.replace("captain with candle", "⟦captain"), "scenario_part"),
    "no such ball": (SHAKEN + "  - chance: red, ⟦purple, red\n", "scenario_chance"),
    "too few balls": (SHAKEN + "  - chance: ⟦red, red\n", "scenario_chance_count"),
    "too many balls": (SHAKEN + "  - chance: ⟦red, red, blue, blue\n", "scenario_chance_count"),
    "he has not seen it": (MYSTERY + "  - ben: captain\n  - now: {sees: {cleo: ⟦choose}}\n", "scenario_not_seen"),
    "he has seen it": (MYSTERY + "  - ben: captain\n  - now: {hidden from: {ada: ⟦choose captain}}\n", "scenario_seen"),
    "no such line": (MYSTERY + "  - now: {hidden from: {ada: ⟦chose}}\n", "scenario_line"),
    "no such thing in a line": (MYSTERY + "  - now: {hidden from: {ada: choose ⟦captein}}\n", "unknown_name"),
    "he cannot know": (MYSTERY + "  - now: {knows: {ada: ⟦culprit is baker}}\n", "scenario_not_known"),
    "he does know": (
        MYSTERY + "  - ben: captain\n  - now: {unsure of: {ada: ⟦culprit is captain}}\n",
        "scenario_known",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_with_its_place(case, tmp_path):
    text, code = WRONG[case]
    before = text[: text.index("⟦")].split("\n")
    path = tmp_path / "wrong.yaml"
    path.write_text(text.replace("⟦", ""), encoding="utf-8")
    problems = run(path)
    assert [p.code for p in problems] == [code], [show(p) for p in problems]
    assert (problems[0].place.line, problems[0].place.column) == (len(before), len(before[-1]) + 1), show(problems[0])


def test_every_message_about_scenarios_is_tried():
    told = {code for code in MESSAGES if code.startswith("scenario_")}
    assert told - {code for _, code in WRONG.values()} == {
        "scenario_cannot_tell",
        "scenario_contradiction",
    }


def test_what_would_take_too_long_to_find_out_is_not_claimed(tmp_path, monkeypatch):
    monkeypatch.setattr("tabarro.lab.scenario.WORK", 5)
    path = tmp_path / "deep.yaml"
    path.write_text(MYSTERY + "  - now: {knows: {ada: culprit is baker}}\n", encoding="utf-8")
    assert [p.code for p in run(path)] == ["scenario_cannot_tell"]


def test_what_contradicts_itself_is_not_claimed(tmp_path, monkeypatch):
    """It would be a mistake of ours, and must not look like knowledge."""

    def fails(*_):
        raise Contradiction

    monkeypatch.setattr(Courses, "read", fails)
    path = tmp_path / "odd.yaml"
    path.write_text(MYSTERY + "  - now: {unsure of: {ada: culprit is baker}}\n", encoding="utf-8")
    assert [p.code for p in run(path)] == ["scenario_contradiction"]


LAIR = f"""
title: The thief is near
game: {Path(__file__).parents[1] / "mind" / "games" / "chase.yaml"}
position: {{den: mill}}
play:
"""


@pytest.mark.parametrize(
    ("then", "code"),
    [
        ("  - now: {knows: {left: lair is mill or lair is barn or lair is hill}}", None),
        ("  - now: {knows: {left: lair is mill}}", "scenario_not_known"),
        ("  - thief: well\n  - now: {unsure of: {left: lair is well}}", None),
        # he is asked, so the thief has moved: from the three dens every spot can be reached in one step
        (
            "  - thief: well\n  - now: {knows: {left: lair is mill or lair is barn or lair is hill}}",
            "scenario_not_known",
        ),
        ("  - thief: well\n  - left: hill\n  - now: {knows: {right: lair is not hill}}", None),
        ("  - thief: well\n  - left: hill\n  - now: {unsure of: {right: lair is gate}}", None),
        # the other guard is not asked: he was told as much
        ("  - thief: well\n  - left: hill\n  - now: {knows: {left: lair is not hill}}", None),
        # that the thief moves he would be told, but not where to
        ("  - thief: well\n  - left: hill\n  - right: hill\n  - now: {knows: {left: lair is not hill}}", None),
    ],
)
def test_what_is_known_is_known_of_now(then, code, tmp_path):
    path = tmp_path / "chase.yaml"
    path.write_text(f"{LAIR}{then}\n", encoding="utf-8")
    assert [p.code for p in run(path)] == ([code] if code else [])


def test_what_may_have_been_done_unseen_is_not_known(tmp_path):
    path = tmp_path / "swap.yaml"
    game = Path(__file__).parents[1] / "mind" / "games" / "swap.yaml"
    path.write_text(
        f"title: In the dark\ngame: {game}\n"
        "position: {stone of ann: black, stone of bob: white, stone of cleo: white}\n"
        "play:\n"
        "  - now: {knows: {ann: stone of ann is black}}\n"
        "  - ann: leave\n"
        "  - now: {knows: {ann: stone of ann is black}}\n"
        "  - ann: bob\n"
        "  - now: {unsure of: {ann: stone of ann is black}}  # bob may have swapped the cups already\n",
        encoding="utf-8",
    )
    assert [show(p) for p in run(path)] == []


@pytest.mark.parametrize("path", FILES[:6], ids=lambda path: path.stem)
def test_a_scenario_of_which_one_expectation_is_turned_round_fails(path, tmp_path):
    text = path.read_text(encoding="utf-8")
    turned = next(
        (
            text.replace(a, b, 1)
            for a, b in (
                ("winners: [red, blue]", "winners: [green, yellow]"),
                ("are: 15", "are: 16"),
                ("holds:", "fails:"),
                ("offered:", "refused:"),
                ("knows:", "unsure of:"),
                ("choices: ", "choices: 1"),
                ("refused:", "offered:"),
            )
            if a in text
        ),
        text,
    )
    assert turned != text
    other = tmp_path / path.name
    other.write_text(turned, encoding="utf-8")
    assert run(other)


# --- the command ------------------------------------------------------------------------------------------------------
def command(*arguments):
    out, err = StringIO(), StringIO()
    return main(["--lang", "en", "test", *arguments], out, err), out.getvalue(), err.getvalue()


def test_the_command_plays_a_file_or_a_folder(tmp_path):
    (tmp_path / "good.yaml").write_text(TOE + "  - cross: a1\n  - now: {choices: 8}\n", encoding="utf-8")
    assert command(str(tmp_path)) == (0, f"{tmp_path / 'good.yaml'} is as it should be.\n1 scenario was played.\n", "")
    (tmp_path / "wrong.yaml").write_text(TOE + "  - cross: a1\n  - now: {choices: 9}\n", encoding="utf-8")
    code, out, err = command(str(tmp_path))
    assert code == 2 and "2 scenarios were played." in out
    assert "wrong.yaml:5:20: The number of such choices here is 8, not 9." in err and "^" in err


def test_the_command_writes_json_and_refuses_what_is_not_there(tmp_path):
    (tmp_path / "wrong.yaml").write_text(TOE + "  - now: {choices: 8}\n", encoding="utf-8")
    code, out, err = command("--json", str(tmp_path))
    assert code == 2 and yaml.safe_load(out)[0]["code"] == "scenario_count" and err == ""
    for path in (tmp_path / "missing.yaml", tmp_path / "empty"):
        path.name == "empty" and path.mkdir()
        code, out, err = command(str(path))
        assert code == 2 and err and "Traceback" not in err


def test_a_scenario_that_is_no_scenario_gets_a_message_not_a_traceback(tmp_path):
    for number, text in enumerate(
        [
            "",
            "[",
            "title: x",
            "play: 3",
            "- a",
            TOE + "  - cross: {a: {b: c}}",
            TOE + "  - cross: []",
            TOE + "  - now: {}",
            TOE + "  - now: {sees: {cross: {}}}",
            TOE + "  - chance: []",
            "\x00",
            TOE + "  - now: {choices: [{are: 1, of: x}]}",
            TOE + "  - now: {choices: [{are: 1, where: it}]}",
        ]
    ):
        path = tmp_path / f"{number}.yaml"
        path.write_text(text, encoding="utf-8")
        assert run(path), text


def test_the_command_runs_in_a_process_of_its_own():
    done = subprocess.run(
        [sys.executable, "-m", "tabarro.cli", "--lang", "en", "test", str(FILES[-1])],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
