"""A type checker sees what a user's script does wrong: in the tree, and in what is installed from the wheel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest
import tabarro
from tabarro.interpreter import __all__ as public

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = ROOT / "pyproject.toml"
STRICT = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))["tool"]["mypy"]["packages"]
UNPACKED = ("__pycache__", ".*", "build", "dist", "*.egg-info", "tests", "docs")  # what no wheel is made of

# Whatever of this has no type of its own, or another one than it says here, is refused.
RIGHT = """\
# mypy: disallow-any-expr
import random
from fractions import Fraction
from typing import assert_type

import tabarro
from tabarro import Game, GameOver, IllegalChoice, Player, RulesError, State, games, load_game
from tabarro.interpreter import Choice, Entry, Log, Problem, Question, Result, Save, describe, known_state, resume


def pick(player: Player) -> Choice:
    question = player.question()
    assert_type(question, Question)
    assert_type(question.number, int)
    return player.sample(random.Random(1)) if player.log.rows() else player.legal()[0]


def play(game: Game, seed: int | None = None) -> State:
    state = game.new(seed=seed)
    while not state.over:
        actor = state.actor
        if actor is None or actor in game.chance_seats:
            break
        choice = pick(state.player(actor)) if state.player(actor).is_asked else state.legal()[0]
        assert_type(game.words(choice), list[str | list[str]])
        try:
            state.apply(choice)
        except GameOver:
            break
        except IllegalChoice:
            state.apply(state.legal()[0], trusted=True)
    assert_type(state.chances(), list[tuple[Choice, Fraction]])
    return state.clone()


def tell(state: State) -> None:
    result = state.result
    assert_type(result, Result | None)
    if result is not None:
        assert_type(result.winners, tuple[str, ...])
        assert_type(result.scores, dict[str, int])
    log = state.player(state.game.seats[0]).log
    assert_type(log, Log)
    assert_type(log.entries(), list[Entry])
    assert_type(log.entries()[0].step, str)
    print(log.entries()[0]["who"], known_state(state.game, state.log("first")), tabarro.__version__.upper())


def look(name: str) -> list[Problem]:
    chosen = {"watch": True}
    try:
        game = load_game(name, players=2, options=chosen)
    except RulesError as error:
        return error.problems
    assert_type(game.options["watch"].value, str | int | bool)
    assert_type(describe(name).name, str | dict[str, str])
    assert_type(describe(name).players, tuple[int, ...])
    save = Save.create("evening.save", game, seed=7)
    state = play(game, 7)
    words = ["check"]
    save.append(game.words(game.choice(words, state)))
    assert_type(resume("evening.save"), tuple[Game, State, Save])
    return []


assert_type(games(), list[str])
"""

# Each line that a checker must refuse, with the reason that it should give.
WRONG = """\
from tabarro import load_game, lode_game  # attr-defined
from tabarro.interpreter import State, Umpires  # attr-defined

game = load_game("kuhn-poker", players="two")  # arg-type
load_game("kuhn-poker", options={"nights": 1.5})  # dict-item
load_game("kuhn-poker", player=2)  # call-arg
state = game.new(seed="7")  # arg-type
state.apply("check")  # arg-type
state.apply(["check"])  # arg-type
state.player(1)  # arg-type
state.leagl()  # attr-defined
print(state.result.scores)  # union-attr
if state.result is not None:
    state.result.winners.append("first")  # attr-defined
    state.result.winners = ()  # misc
state.player("first").state  # attr-defined
game.words("check")  # arg-type
game.choice("check", state)  # arg-type
seat: int = state.actor  # assignment


def choose(state: State) -> str:
    return state.legal()[0]  # return-value
"""


def scripts(folder: Path) -> Path:
    """The scripts of users, and one that imports every public name."""
    folder.mkdir()
    (folder / "right.py").write_text(RIGHT, encoding="utf-8")
    (folder / "wrong.py").write_text(WRONG, encoding="utf-8")
    lines = [f"from tabarro import {name}" for name in tabarro.__all__]
    lines += [f"from tabarro.interpreter import {name}" for name in public]
    (folder / "names.py").write_text("\n".join(lines), encoding="utf-8")
    return folder


def checked(folder: Path, *arguments: str) -> dict[str, list[tuple[int, str]]]:
    """What mypy refuses: the lines of each file, with the reasons."""
    command = [sys.executable, "-m", "mypy", "--config-file", SETTINGS, "--cache-dir", folder / ".cache"]
    command += ["--no-error-summary", "--no-pretty", "--show-error-codes", *arguments]
    around = {**os.environ, "MYPYPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=around, capture_output=True, text=True)
    found: dict[str, list[tuple[int, str]]] = {}
    for line in done.stdout.splitlines():
        error = re.fullmatch(r"(.*?):(\d+): error: .*  \[([\w-]+)\]", line)
        assert error or ": note: " in line, done.stdout
        if error:
            found.setdefault(error[1], []).append((int(error[2]), error[3]))
    assert done.returncode == bool(found), done.stderr
    return found


def expected(script: str) -> list[tuple[int, str]]:
    lines = enumerate(script.splitlines(), start=1)
    return [(number, line.rsplit("  # ", 1)[1]) for number, line in lines if "  # " in line]


WHERE = ["tree", pytest.param("installed", marks=pytest.mark.long)]


@pytest.fixture(scope="session")
def tree(tmp_path_factory) -> dict[str, list[tuple[int, str]]]:
    """The strict packages and the scripts, checked in one go; an editable install would hide its types."""
    folder = scripts(tmp_path_factory.mktemp("types") / "tree")
    (folder / "tabarro").symlink_to(ROOT)
    packages = [word for package in STRICT for word in ("-p", package)]
    return checked(folder, *packages, "-m", "right", "-m", "wrong", "-m", "names")


@pytest.fixture(scope="session")
def installed(tmp_path_factory) -> dict[str, list[tuple[int, str]]]:
    """The scripts, checked where the wheel is installed and the tree is not to be seen."""
    folder = tmp_path_factory.mktemp("types")
    shutil.copytree(ROOT, folder / "copy", ignore=shutil.ignore_patterns(*UNPACKED))
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, folder / "copy"]
    subprocess.run([sys.executable, "-m", "pip", *build], check=True, capture_output=True)
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    where = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip()
    shutil.unpack_archive(next(folder.glob("tabarro-*.whl")), site, "zip")
    shutil.rmtree(folder / "copy")
    names = ["-m", "right", "-m", "wrong", "-m", "names"]
    return checked(scripts(folder / "scripts"), "--python-executable", str(python), *names)


def test_the_packages_have_no_gap_in_their_types(tree):
    assert {file: lines for file, lines in tree.items() if file.startswith("tabarro/")} == {}


@pytest.mark.parametrize("where", WHERE)
def test_a_script_that_is_right_is_accepted_and_all_that_it_uses_has_a_type(where, request):
    refused = request.getfixturevalue(where)
    assert refused.get("right.py", []) == []
    assert refused.get("names.py", []) == []


@pytest.mark.parametrize("where", WHERE)
def test_each_mistake_in_a_script_is_refused_at_its_line(where, request):
    assert request.getfixturevalue(where).get("wrong.py") == expected(WRONG)


def test_the_package_imports_nothing_heavy_and_knows_its_version():
    heavy = ("yaml", "lark", "babel", "jsonschema", "rich")
    script = f"import sys, tabarro; print(tabarro.__version__, *(m for m in {heavy} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.split() == [tabarro.__version__]


def test_what_the_package_exports_is_what_the_interpreter_has():
    for name in tabarro.__all__:
        if name != "__version__":
            assert getattr(tabarro, name) is getattr(tabarro.interpreter, name)
    with pytest.raises(AttributeError, match="lode_game"):
        _ = tabarro.lode_game
