"""`tabarro show`: every part of every game has a name of its own, and what is offered for pasting means what is there."""

import io
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from loading import LIBRARY, NAMES
from tabarro.cli import main
from tabarro.front.workbench.doubts import Warnings
from tabarro.front.workbench.index import Index
from tabarro.front.workbench.yaml_text import scalar
from tabarro.interpreter import find_problems
from tabarro.interpreter.laying import holds_steps, put
from tabarro.interpreter.load import Map, Seq
from tabarro.interpreter.patching import patched
from tabarro.interpreter.paths import SECTIONS, at_path, find, parts, shortest
from tabarro.interpreter.resolve import Library
from tabarro.speech.language import LANGUAGES, Language


def told(*arguments):
    out, err = io.StringIO(), io.StringIO()
    code = main([*map(str, arguments)], out, err)
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("game", NAMES)
def test_every_part_has_a_name_of_its_own(game):
    library = Library(())
    whole = library.merged(library.find(game))
    for path, _ in parts(whole):
        assert find(whole, shortest(whole, path)) == [path]


@pytest.mark.parametrize("game", NAMES)
def test_what_is_pasted_unchanged_changes_nothing(game, tmp_path):
    index = Index(game, None, Language("en"))
    library = Library(())
    before = library.resolve(library.find(game)).digest
    changeable = [path for path, _ in parts(index.whole) if path[0] not in ("extends", "players", "abstract")]
    file = tmp_path / "house.yaml"
    for path in random.Random(game).sample(changeable, 4):
        lines = index.lines(path)
        file.write_text("\n".join([f"extends: {game}", *lines, ""]), encoding="utf-8")
        assert Library((tmp_path,)).resolve(file).digest == before, lines


def test_a_part_tells_where_it_comes_from_and_why_it_is_so():
    _, out, _ = told("show", "venice-2013", "turn/shake", "--lang", "ca")
    assert "Fonts: " in out and "2013" in out.partition("Fonts: ")[2].partition("\n\n")[0]
    _, out, _ = told("show", "cards-safe", "look/which", "--players", "3", "--lang", "de")
    assert "Die Karten liegen" in out


def test_no_sentence_is_told_with_its_braces():
    """What an option leaves unsaid is not shown as its author wrote it."""
    for path in ("answer/due", "repeats"):
        _, out, _ = told("show", "venice-2013", path)
        assert "{repeats" not in out.partition("Path")[0]


def test_a_changed_number_is_found_and_pasted(tmp_path, monkeypatch):
    """The way of somebody who wants four balls: look for it, paste it, change it, look again."""
    monkeypatch.chdir(tmp_path)
    code, out, _ = told("show", "venice-2013", "shake/draw")
    assert code == 0
    pasted = out.split(":\n\n", 1)[1]
    house = "\n".join(line[2:] for line in pasted.splitlines())
    Path("variants").mkdir()
    Path("variants/four.yaml").write_text(f"extends: venice-2013\n{house.replace('3', '4')}\n", encoding="utf-8")
    code, out, _ = told("show", "four", "shake/draw", "--where")
    assert "four.yaml:" in out and "draw: 4" in out


@pytest.mark.parametrize(
    ("asked", "name"),
    [("movement", "movement of player"), ("repeats", "repeats"), ("mission/lords/A-C", "mission/lords/A-C")],
)
def test_short_names_find_what_is_meant(asked, name):
    assert told("show", "venice-2013", asked)[1].startswith(name + "\n")


def test_a_name_that_fits_several_parts_lists_them():
    out = told("show", "venice-2013", "choose")[1]
    assert "signal of player/choose" in out and "set_up/figures" in out


def test_a_misspelt_name_is_met_with_the_right_one():
    code, _, err = told("show", "venice-2013", "shaek")
    assert code == 2 and "“shake”" in err


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_mission_means_is_said_in_the_language_of_the_reader(language):
    expected = {
        "ca": "Agent",
        "de": "Agent",
        "en": "Agent X",
        "ja": "X",
        "nl": "Agent",
        "no": "Agent",
    }[language]
    out = told("show", "venice-2013", "mission/lords/A-B", "--lang", language)[1]
    sentence = out.splitlines()[1]
    assert expected in sentence
    assert language == "en" or "figure" not in sentence.split()


# --- what can be taken out, and put in --------------------------------------------------------------------------------
LARGE = ("board", "cards")  # of these files the large games are made
SMALL = [name for name in NAMES if not any(file.stem in LARGE for file in LIBRARY.files_of(LIBRARY.find(name)))]
GAMES = {name: LIBRARY.merged(LIBRARY.find(name)) for name in NAMES}


def removable(whole):
    """By kinds: the names under which `remove` takes out members, rows, alternatives, parts, steps, links, numbers."""
    found = {"number": [f"players/{number}" for number in whole["players"] if len(whole["players"]) > 1]}
    for path, value in parts(whole):
        home, section = path[-2] if len(path) > 1 else "", path[0]
        kind = {"members": "member", "rows": "row", "between": "alternative", "for": "part"}.get(home, "")
        if section in ("players", "screens", "rulebook", "phrases", "habits") or kind == "" and section == "things":
            kind = ""
        elif kind == "" and section == "rules" and len(path) > 2 and isinstance(value, dict) and holds_steps(path[:-1]):
            kind = "step"
        if kind:
            found.setdefault(kind, []).append(shortest(whole, path))
        if section in ("things", "links") and isinstance(value, list) and value and path[-1] not in ("each", "any of"):
            pairs = value if section == "things" else ["-".join(reversed(list(map(str, pair)))) for pair in value]
            if section == "links" or path[-1] == "members" or len(path) == 2:
                named = "member" if section == "things" else "link"
                found.setdefault(named, []).extend(f"{shortest(whole, path)}/{entry}" for entry in pairs)
    return found


def taken_out(game, name, tmp_path):
    """What is wrong with a house rule that takes one part out."""
    file = tmp_path / "house.yaml"
    file.write_text(f"extends: {game}\nremove:\n  - {scalar(name)}\n", encoding="utf-8")
    return file, find_problems(file)


def refused_or_gone(game, name, tmp_path):
    file, problems = taken_out(game, name, tmp_path)
    for problem in problems:
        assert problem.place.source.name.endswith("house.yaml") and problem.place.line == 3, (name, problem)
        assert problem.message() and problem.remedy()
    if not problems:
        kinds = removable(Library(()).merged(file))
        assert name not in [one for kind in kinds.values() for one in kind], name
    return problems


@pytest.mark.parametrize("game", SMALL)
def test_what_is_taken_out_is_gone_or_the_line_that_does_it_is_told(game, tmp_path):
    kinds, rng = removable(GAMES[game]), random.Random(game)
    for name in (rng.choice(names) for names in kinds.values() if names):
        refused_or_gone(game, name, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("game", ["venice-2013", "cards-phone"])
def test_the_same_of_the_large_games(game, tmp_path):
    kinds, rng = removable(GAMES[game]), random.Random(game)
    for name in (rng.choice(names) for names in kinds.values() if names):
        refused_or_gone(game, name, tmp_path)


@pytest.mark.parametrize("game", NAMES)
def test_every_name_that_can_be_taken_out_leads_to_that_part_alone(game):
    whole = GAMES[game]
    before = {path for path, _ in parts(whole)}
    for kind, names in removable(whole).items():
        for name in random.Random(game).sample(names, min(len(names), 12)):
            over = Map(whole.at)
            removed = Seq(whole.at)
            removed.append(name)
            removed.value_at.append(whole.at)
            put(over, "remove", removed, whole.at, whole.at)
            less = patched(whole, over)
            gone = before - {path for path, _ in parts(less)}
            if kind in ("link", "member") and not gone:
                assert sum(_size(less[s]) for s in ("things", "links") if s in less) < sum(
                    _size(whole[s]) for s in ("things", "links") if s in whole
                )
            else:
                assert {path[: min(map(len, gone))] for path in gone} == {min(gone, key=len)}, name
                assert min(gone, key=len)[-1] == name.split("/")[-1]


def _size(value):
    if isinstance(value, dict):
        return sum(1 + _size(inner) for inner in value.values())
    return 1 + sum(map(_size, value)) if isinstance(value, list) else 1


@pytest.mark.parametrize("game", NAMES)
def test_what_is_changed_by_the_name_that_is_shown_is_what_is_changed_in_its_section(game, tmp_path):
    """The name, with a value beside it, says the same as the lines that are offered."""
    index = Index(game, None, Language("en"))
    whole = index.whole
    changeable = [path for path, value in parts(whole) if path[0] in SECTIONS and not isinstance(value, dict)]
    for path in random.Random(game).sample(changeable, min(len(changeable), 12)):
        change, over = Map(whole.at), Map(whole.at)
        put(change, shortest(whole, path), at_path(whole, path), whole.at, whole.at)
        put(over, "change", change, whole.at, whole.at)
        assert patched(whole, over) == whole


def test_what_is_new_without_a_word_is_a_warning_with_the_lines_to_write(tmp_path):
    file = tmp_path / "merry.yaml"
    file.write_text(
        "extends: tic-tac-toe\nwords: {player is merry: true}\nthings: {mood: [glad, sad]}\n", encoding="utf-8"
    )
    (doubt,) = Warnings(file).new_plainly()
    assert doubt.place.line == 2 and "player is merry, mood" in doubt.message()
    offered = "\n".join(line[2:] for line in doubt.remedy().split("\n")[1:])
    before = Library(()).resolve(file).digest
    file.write_text(f"extends: tic-tac-toe\n{offered}\n", encoding="utf-8")
    assert list(Warnings(file).new_plainly()) == []
    assert Library(()).resolve(file).digest == before


@pytest.mark.parametrize("game", NAMES)
def test_no_file_that_comes_along_is_new_without_saying_so(game):
    warnings = Warnings.__new__(Warnings)
    warnings.library = Library(())
    warnings.path = warnings.library.find(game)
    assert list(warnings.new_plainly()) == []


def test_the_rules_are_shown_in_c_as_a_whole_and_only_so(tmp_path):
    code, source, err = told("show", "kuhn-poker", "--c", "--lang", "en")
    assert code == 0 and not err and source.startswith("#define") and "/* game/" in source
    compiler = shutil.which("cc")
    if compiler is not None:
        (tmp_path / "rules.c").write_text(source, encoding="ascii")
        flags = ["-O0", "-w", "-std=gnu11", "-fsyntax-only"]
        subprocess.run([compiler, *flags, tmp_path / "rules.c"], check=True)
    for more in (["game"], ["--where"]):
        code, out, err = told("show", "kuhn-poker", *more, "--c", "--lang", "en")
        assert code != 0 and not out and "whole game" in err
