"""Mistakes in rule files are met with help.

The files under `bad` are named after their defect, and each says on top what is expected:

    # expect: 7:15 unknown_name: plaier     line:column, code, and the words under the carets
    # in play: 7:5 budget                   the same for what only shows in play
"""

import importlib.util
import random
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest
from stopwatch import in_time, within
from tabarro.interpreter import RulesError, State, building, describe, load_game, show
from tabarro.interpreter.coverage import Coverage
from tabarro.interpreter.errors import MESSAGES, TAB_WIDTH
from tabarro.interpreter.resolve import Library

BAD = Path(__file__).with_name("bad")
FILES = sorted(BAD.glob("*.yaml"))
EXPECTED = re.compile(r"^# (expect|in play): (?:([\w.-]+):)?(\d+):(\d+) (\w+)(?:: (.+))?$", re.MULTILINE)
DECISIONS = 50


class Mistake(NamedTuple):
    file: str
    line: int
    column: int
    code: str


def expected(path):
    """The mistakes a file announces, and the words that the carets should mark."""
    found = EXPECTED.findall(path.read_text(encoding="utf-8"))
    assert found, f"{path.name} does not say what is expected"
    return {
        Mistake(file or path.name, int(line), int(column), code): words for _, file, line, column, code, words in found
    }


def is_in_play(path):
    return path.read_text(encoding="utf-8").startswith("# in play:")


def problems(path):
    """What is wrong with a file, for any number of players. Any other exception is a failure of the test."""
    try:
        counts = describe(path).players or (None,)
    except RulesError as error:
        counts = (None,)
        assert error.problems
    found = []
    for players in counts:
        try:
            load_game(path, players)
        except RulesError as error:
            found += error.problems
    return found


def problems_in_play(path, new=lambda game: game.new(seed=1)):
    rng = random.Random(1)
    with pytest.raises(RulesError) as caught:
        state = new(load_game(path))
        for _ in range(DECISIONS):
            assert state.actor is not None
            state.apply(state.sample(rng))
    return caught.value.problems


def places(found):
    return {Mistake(Path(p.place.source.name).name, p.place.line, p.place.column, p.code) for p in found}


def marked(problem):
    """The words above the carets, in what is shown."""
    rows = show(problem).split("\n")
    carets = next(i for i, row in enumerate(rows) if row.strip() and set(row.strip()) == {"^"})
    start = rows[carets].index("^")
    return rows[carets - 1][start : rows[carets].rindex("^") + 1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_mistake_is_found_where_it_stands(path):
    with within(3 if is_in_play(path) else 1):
        found = problems_in_play(path) if is_in_play(path) else problems(path)
    assert places(found) == set(expected(path)), "\n".join(map(show, found))


@pytest.mark.parametrize("path", [path for path in FILES if is_in_play(path)], ids=lambda path: path.stem)
def test_what_shows_in_play_shows_where_steps_are_counted_and_by_compiled_rules_too(monkeypatch, path):
    monkeypatch.setenv("TABARRO_CC", "cc -O0")
    wanted = set(expected(path))
    assert places(problems_in_play(path, lambda game: Coverage(game).game.new(seed=1))) == wanted
    if not building.missing():
        assert places(problems_natively(path)) == wanted


def problems_natively(path):
    game, rng = load_game(path), random.Random(1)
    with pytest.raises(RulesError) as caught:
        position = game.native(seed=1)  # it waits for the library
        assert not isinstance(position, State)
        for _ in range(DECISIONS):
            position.apply(rng.choice(position.legal()))
    return caught.value.problems


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_line_is_shown_with_carets_under_the_mistake(path):
    wanted = expected(path)
    for problem in problems_in_play(path) if is_in_play(path) else problems(path):
        place = problem.place
        first, *rest = show(problem).split("\n")
        assert first.startswith(f"{place.source.name}:{place.line}:{place.column}: ")
        line = place.source.line(place.line)
        words = wanted[Mistake(Path(place.source.name).name, place.line, place.column, problem.code)]
        if line.strip() and not line.startswith("\t"):
            before = sum(TAB_WIDTH if c == "\t" else 1 for c in line[: place.column - 1])
            assert before > 90 or rest[1].index("^") == 4 + before
        if words:
            seen = marked(problem)
            assert seen == words or len(seen) > 30 and words.startswith(seen)  # a long line is cut
        remedy = rest[-1].strip()
        assert remedy and set(remedy) != {"^"}, "what to do about it is missing"
        assert "{" not in problem.message().replace("“{", "").replace("{lead", ""), "an argument is missing"


# --- mistakes that are too large, or too strange, to be kept as files -------------------------------------------------
HEAD = "name: x\nplayers: {2: {}}\nthings: {player: [ann, bob]}\nseats: players\n"
RULES = "rules: {game: {over: {end: nobody}}}\n"


def bomb(levels, width):
    rows = ["a0: &a0 [x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * width)}]" for i in range(1, levels)]
    return "\n".join(rows)


def words_in_a_row(number, twice):
    body = "w{0} and w{0}" if twice else "w{0}"
    rows = ["  w0: count of players is 2"] + [f"  w{i}: {body.format(i - 1)}" for i in range(1, number)]
    return "words:\n" + "\n".join(rows) + "\n"


LARGE = {
    "a hundred thousand nested brackets": ("[" * 100_000, "too_deep"),
    "a hundred thousand nested maps": ("{a: " * 100_000, "too_deep"),
    "a hundred thousand nested lists": ("- " * 100_000, "too_deep"),
    "a bomb of aliases": (bomb(10, 10), "too_many_nodes"),
    "a deep bomb of aliases": (bomb(500, 1), "too_deep"),
    "a number with five thousand digits": ("name: " + "9" * 5_000, "number_too_long"),
    "five thousand digits in an expression": (
        HEAD + RULES + "words: {w: count of players is " + "9" * 1_900 + "}",
        "number_too_long",
    ),
    "an expression with five thousand digits": (
        HEAD + RULES + "words: {w: count of players is " + "9" * 5_000 + "}",
        "expression_too_long",
    ),
    "a text without end": ("about: " + "x" * 50_000, "text_too_long"),
    "a file of two million bytes": ("# " + "x" * 2_000_000, "file_too_big"),
    "an endless expression": (HEAD + RULES + "words: {w: " + "not " * 4_000 + "true}", "expression_too_long"),
    "brackets in an expression": (
        HEAD + RULES + "words: {w: " + "(" * 900 + "1" + ")" * 900 + " is 1 and nope}",
        "unknown_name",
    ),
    "an invisible character": ("name: a\u0007b", "character_forbidden"),
    "writing that is turned round": ("name: a\u202eb", "character_forbidden"),
    "writing that is turned round in a comment": ("name: a # \u2066b", "character_forbidden"),
    "writing that is turned round by an escape": ('name: "a\\u202Eb"', "text_control"),
    "a letter that is not seen": ('name: "a\\u200Bb"', "text_control"),
    "sixty thousand unknown keys": (HEAD + "".join(f"key{i}: 1\n" for i in range(60_000)), "too_many_nodes"),
    "twenty thousand unknown keys": (HEAD + "".join(f"key{i}: 1\n" for i in range(20_000)), "unknown_key"),
    "eight thousand unknown steps": (
        HEAD + "rules:\n  game:\n" + "".join(f"    s{i}: {{frob: 1}}\n" for i in range(8_000)),
        "unknown_key",
    ),
    "unknown keys in an overlay": (
        HEAD.replace("{}", "{" + ", ".join(f"key{i}: 1" for i in range(20_000)) + "}") + RULES,
        "unknown_key",
    ),
    "the same parent two hundred times": (f"extends: [{', '.join(['venice-2013'] * 200)}]\n", "extends_too_deep"),
    "two hundred parents": (f"extends: [{', '.join(f'g{i}' for i in range(200))}]\n", "extends_too_deep"),
    "things multiplied": (
        HEAD.replace(
            "}\nseats", f", big: [{', '.join(f'm{i}' for i in range(9_000))}], pair: {{each: [big, big]}}}}\nseats"
        )
        + RULES,
        "too_many_things",
    ),
    "unknown names beside thousands of things": (
        HEAD.replace("}\nseats", f", big: [{', '.join(f'mm{i}' for i in range(9_000))}]}}\nseats")
        + RULES
        + "words:\n"
        + "".join(f"  w{i}: mmm{i} is 1\n" for i in range(3_000)),
        "unknown_name",
    ),
    "eight thousand patches": (
        "extends: tic-tac-toe\nrules:\n  game:\n"
        + "".join(f"    s{i}: {{after: none{i}, say: x}}\n" for i in range(8_000)),
        "patch_target",
    ),
    "bytes that are not UTF-8": (b"name: caf\xe9\n", "file_not_utf8"),
    "an image": (bytes(range(256)) * 40, "file_not_utf8"),
    "nothing at all": ("", "file_empty"),
    "blanks": (" \n\n  \n", "file_empty"),
    "too many steps": (
        HEAD + "rules:\n  game:\n" + "".join(f"    s{i}: {{say: x}}\n" for i in range(5_100)),
        "too_many_steps",
    ),
    "too large when all aliases are written out": (
        HEAD
        + RULES
        + "tables:\n  price of player:\n    is: number\n    rows:\n      ann: &a ["
        + ", ".join(["1"] * 300)
        + "]\n      bob: ["
        + ", ".join(["*a"] * 140)
        + "]\n",
        "too_large",
    ),
}
FINE_OR_REFUSED = {
    "a long row of words that need each other": HEAD + RULES + words_in_a_row(2_000, False),
    "a long row of sets": HEAD.replace(
        "{player: [ann, bob]}",
        "\n  player: [ann, bob]\n  s0: [x]\n" + "".join(f"  s{i}: {{any of: [s{i - 1}]}}\n" for i in range(1, 1_500)),
    )
    + RULES,
    "sets that need the next": HEAD.replace(
        "{player: [ann, bob]}",
        "\n  player: [ann, bob]\n"
        + "".join(f"  s{i}: {{any of: [s{i + 1}]}}\n" for i in range(1_500))
        + "  s1500: [x]\n",
    )
    + RULES,
    "words that need the next": HEAD
    + RULES
    + "words:\n"
    + "".join(f"  w{i}: w{i + 1}\n" for i in range(1_500))
    + "  w1500: count of players is 2\n",
    "rules that call the next": HEAD
    + "rules:\n  game: {c: {call: r0}}\n"
    + "".join(f"  r{i}: {{c: {{call: r{i + 1}}}}}\n" for i in range(1_500))
    + "  r1500: {over: {end: nobody}}\n",
    "steps in steps": HEAD + "rules:\n  game: " + "{a: {if: true, then: " * 27 + "{}" + "}}" * 27 + "\n",
    "words that grow twofold": HEAD + words_in_a_row(200, True) + "rules: {game: {test: {if: w199, then: {}}}}\n",
    "many problems": HEAD + "rules:\n  game:\n" + "".join(f"    s{i}: {{call: nowhere}}\n" for i in range(3_000)),
}
LIMITED = """
import re, resource, sys, time
from pathlib import Path
from tabarro.interpreter import load_game, RulesError, show
started, codes, line = time.process_time(), [], ""
try:
    load_game(sys.argv[1])
except RulesError as error:
    codes = [p.code for p in error.problems]
    line = show(error.problems[0]).split("\\n")[0]
seconds, status = time.process_time() - started, Path("/proc/self/status")
# On Linux getrusage also counts the process that started this one; the system's own account does not.
peak = re.search(r"VmHWM:\\s+(\\d+)", status.read_text()) if status.exists() else None
memory = int(peak[1]) if peak else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(seconds, memory / 1024, ",".join(codes[:5]) or "-")
print(line)
"""


def limited(tmp_path, content):
    """Load in a process of its own: seconds, megabytes, codes, the first line that is shown."""
    path = tmp_path / "large.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))
    command = [sys.executable, "-c", LIMITED, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    numbers, line = done.stdout.split("\n", 1)
    seconds, megabytes, codes = numbers.split()
    return float(seconds), float(megabytes), codes.split(","), line.strip()


@pytest.mark.parametrize("name", LARGE)
def test_a_hostile_file_is_refused_soon_and_in_little_memory(name, tmp_path):
    content, code = LARGE[name]
    seconds, megabytes, codes, line = limited(tmp_path, content)
    assert set(codes) == {code}
    assert re.match(r"large\.yaml:\d+:\d+: \w+", line)
    assert in_time(seconds, 1) and megabytes < 200


@pytest.mark.parametrize("name", FINE_OR_REFUSED)
def test_a_file_that_needs_a_lot_is_a_game_or_is_refused_soon(name, tmp_path):
    seconds, megabytes, _, _ = limited(tmp_path, FINE_OR_REFUSED[name])
    assert in_time(seconds, 3) and megabytes < 200


def test_files_extend_each_other_only_so_far(tmp_path):
    for i in range(50):
        (tmp_path / f"g{i}.yaml").write_text(f"extends: g{i + 1}\n")
    (tmp_path / "g50.yaml").write_text("name: x\n")
    with pytest.raises(RulesError) as caught:
        load_game(tmp_path / "g0.yaml")
    assert [p.code for p in caught.value.problems] == ["extends_too_deep"]


def test_files_that_are_too_large_together_are_refused(tmp_path):
    for i in range(4):
        (tmp_path / f"g{i}.yaml").write_text(f"# {'x' * 900_000}\nextends: g{i + 1}\n")
    (tmp_path / "g4.yaml").write_text("name: x\n")
    with pytest.raises(RulesError) as caught:
        load_game(tmp_path / "g0.yaml")
    assert [p.code for p in caught.value.problems] == ["extends_too_large"]


def test_steps_that_follow_one_another_through_thousands_of_patches_come_in_that_order(tmp_path):
    path = tmp_path / "long.yaml"
    lines = [f"    s{i}: {{say: x, after: {f's{i - 1}' if i else 'rounds'}}}\n" for i in range(4_000)]
    path.write_text("extends: tic-tac-toe\nrules:\n  game:\n" + "".join(lines))
    with within(2):
        steps = list(Library().resolve(path).description["rules"]["game"])
    at = steps.index("rounds")
    assert steps[at : at + 4_001] == ["rounds", *(f"s{i}" for i in range(4_000))]


def test_a_house_rule_does_not_take_the_place_of_a_game_that_comes_along(tmp_path):
    (tmp_path / "kuhn-poker.yaml").write_text("extends: tic-tac-toe\n")
    with pytest.raises(RulesError) as caught:
        load_game(tmp_path / "kuhn-poker.yaml", folders=(tmp_path,))
    assert [p.code for p in caught.value.problems] == ["name_of_ours"]


# --- the trap of yes and no -------------------------------------------------------------------------------------------
def test_no_is_a_language_like_any_other(tmp_path):
    path = tmp_path / "norsk.yaml"
    path.write_text(
        textwrap.dedent("""\
        name: {en: A game, no: Et spill}
        players: {2: {}}
        things:
          player: [ann, bob]
          language: [ca, de, nl, no, ja, en]
        seats: players
        state:
          spoken: {is: set of language, start: [no, ja], seen by: all}
        rules:
          game:
            over: {end: nobody, text: {en: Over., no: Slutt.}}
        """),
        encoding="utf-8",
    )
    game = load_game(path)
    assert describe(path).name == {"en": "A game", "no": "Et spill"}
    assert game.vocabulary.sets["language"].type.name == "language"
    assert "no" in [atom.name for atom in game.vocabulary.atoms]
    assert game.new(seed=1).over


# --- everything that can go wrong is tried ----------------------------------------------------------------------------
NOT_BY_A_FILE = {
    "file_missing",
    "file_is_folder",
    "file_forbidden",
    "file_unreadable",  # there is no file, or none that can be read
    "file_special",
    "file_circle",
    "file_unwritable",
    "file_foreign",
    "folder_too_big",
    "catalogue_charset",
    "catalogue_name",
    "catalogue_syntax",
    "catalogue_broken",  # see tests/interpreter/test_files.py and tests/front/commands/test_files.py for these
    "players_unknown",  # whoever starts a game asks for it
    "only_a_part",
    "yaml",  # said only where the parser gives no reason
    "type_wanted",  # the schema lets only texts through; kept for other callers
}


# messages about files that are no rule files, and about what is no mistake (see test_secrecy.py)
OTHER_FILES = ("lesson_", "pack_", "sentence_", "save_", "scenario_", "worksheet_", "assumed_", "translation_")


def test_every_message_has_a_file_that_causes_it():
    tried = {mistake.code for path in FILES for mistake in expected(path)}
    tried |= {code for _, code in LARGE.values()} | {
        "extends_too_deep",
        "extends_too_large",
        "name_of_ours",
        "expression_two_ways",  # in test_idioms
        "add_exists",
        "add_where",
        "colon_space",
        "list_not_map",
        "path_beside",
        "value_commented",
        "near_name",
        "path_unclear",
        "path_unknown",
        "quarrel",
        "through_change",
    }  # see the tests
    assert tried | NOT_BY_A_FILE == {code for code in MESSAGES if not code.startswith(OTHER_FILES)}
    assert not tried & NOT_BY_A_FILE


def test_a_caller_who_asks_for_the_impossible_is_told_what_is_possible(tmp_path):
    for arguments, code in (({"players": 7}, "players_unknown"), ({"options": {"stakes": 3}}, "unknown_option")):
        with pytest.raises(RulesError) as caught:
            load_game("kuhn-poker", **arguments)
        assert [p.code for p in caught.value.problems] == [code]
    with pytest.raises(RulesError, match=r"no option “stakes”\.\n +This game has no options\."):
        load_game("tic-tac-toe", options={"stakes": 3})
    missing = tmp_path / "none.yaml"
    for path, code in ((missing, "file_missing"), ("nonsense", "unknown_game"), ("../x", "path_outside")):
        with pytest.raises(RulesError) as caught:
            load_game(path)
        assert [p.code for p in caught.value.problems] == [code]


# --- the command ------------------------------------------------------------------------------------------------------
def test_the_command_refuses_a_bad_file_with_exit_code_2():
    assert importlib.util.find_spec("tabarro.cli")
    bad = [str(path) for path in FILES if not is_in_play(path)]
    command = [sys.executable, "-m", "tabarro.cli", "check", *bad]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    for path in FILES:
        if not is_in_play(path):
            assert re.search(rf"{re.escape(path.name)}:\d+:\d+: ", said), path.name
