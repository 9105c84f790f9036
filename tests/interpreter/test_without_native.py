"""Where nothing is compiled, all is there, in Python: no extension, no compiler, or one that fails."""

from __future__ import annotations

import io
import os
import random
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from oracles.steps import play_beside
from tabarro.cli import main
from tabarro.interpreter import Save, State, building, load_game, resume

ROOT = Path(__file__).parent.parent.parent
FAMILIES = ["venice-2013", "cards-safe", "last-guest", "liars-dice", "tic-tac-toe", "kuhn-poker", "night-runner"]
FAMILIES += ["expedition"]
MISSING = {"extension": "_extension", "compiler": "compiler"}  # what is not there, and who is asked for it


@pytest.fixture(params=MISSING)
def without(request, monkeypatch):
    monkeypatch.setattr(building, MISSING[request.param], lambda: None)
    assert building.missing() == request.param
    return request.param


@pytest.mark.parametrize("command", ["no-such-compiler", "false", ""])
def test_without_a_compiler_all_is_played_in_python(monkeypatch, tmp_path, command):
    monkeypatch.setenv("TABARRO_CC", command)
    monkeypatch.setenv("TABARRO_CACHE", str(tmp_path / "cache"))
    game = load_game("kuhn-poker")
    assert game.workshop.library(wait=True) is None
    assert isinstance(game.native(seed=1), State)
    assert game.playouts(20, native=True) == game.playouts(20, native=False)


def test_no_compiler_is_found_where_there_is_none(monkeypatch, tmp_path):
    monkeypatch.delenv("TABARRO_CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert building.compiler() is None and building.missing() in ("compiler", "extension")


@pytest.mark.parametrize("name", FAMILIES)
def test_a_game_of_each_family_is_played_saved_and_resumed_where_nothing_is_compiled(monkeypatch, tmp_path, name):
    monkeypatch.setattr(building, "_extension", lambda: None)
    game, rng = load_game(name), random.Random(6)
    assert game.workshop.library(wait=True) is None
    state, native = game.new(seed=6), game.native(seed=6)
    with Save.create(tmp_path / "game.tabarro", game, 6) as save:
        for _ in range(15):
            if state.over:
                break
            choice = state.sample(rng, True)
            assert native.is_legal(choice)
            state.apply(choice)
            native.apply(choice)
            save.append(game.words(choice), wait=False)
    assert native == state
    _, again, _ = resume(tmp_path / "game.tabarro")
    assert again == state


@pytest.mark.parametrize("name", FAMILIES)
def test_so_it_goes_in_step_with_the_plain_meaning_of_the_rules(monkeypatch, name):
    monkeypatch.setattr(building, "compiler", lambda: None)
    assert play_beside(load_game(name), random.Random(7), 12, compiled=True) > 1


def test_every_command_that_wants_many_games_works(without):
    for words in (
        ["--version"],
        ["simulate", "venice-2013", "--games", "2", "--seed", "1", "--bots", "careful"],
        ["simulate", "kuhn-poker", "--games", "2", "--seed", "1", "--bots", "thinker"],
        ["perft", "tic-tac-toe", "--depth", "4"],
        ["solve", "kuhn-poker", "--iterations", "20"],
        ["watch", "liars-dice", "--seed", "3"],
    ):
        with redirect_stdout(io.StringIO()) as out:
            assert main(["--lang", "en", *words]) == 0, words
        assert words != ["--version"] or "Python" in out.getvalue().splitlines()[1]


@pytest.mark.long
def test_it_can_be_installed_and_played_where_nothing_can_be_compiled(tmp_path):
    source = tmp_path / "source"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".*", "build", "tests", "docs", "*.so", "*.egg-info", "__pycache__")
    )
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", tmp_path, source]
    done = subprocess.run(build, env={**os.environ, "CC": "no-such-compiler"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    (wheel,) = tmp_path.glob("tabarro-*.whl")
    shutil.unpack_archive(wheel, tmp_path / "site", "zip")
    assert not list((tmp_path / "site").rglob("*.so"))
    script = "import sys; sys.path.insert(0, '.'); from tabarro.cli import main; sys.exit(main(sys.argv[1:]))"
    surroundings = {**os.environ, "LANG": "C", "LANGUAGE": "en", "TABARRO_CACHE": str(tmp_path / "cache")}
    told = {}
    for words in (
        "--version",
        "simulate cards-safe --games 2 --bots careful",
        "solve kuhn-poker --iterations 10",
        "watch tic-tac-toe",
    ):
        run = [sys.executable, "-c", script, *words.split()]
        found = subprocess.run(run, cwd=tmp_path / "site", env=surroundings, capture_output=True, text=True)
        assert found.returncode == 0, found
        told[words] = found.stdout
    assert "Python" in told["--version"].splitlines()[1], told


@pytest.mark.parametrize("command", ["/bin/false", "cc -no-such-flag-at-all"])
def test_a_compiler_that_compiles_nothing_is_told_with_the_version(monkeypatch, command):
    monkeypatch.setenv("TABARRO_CC", command)
    if building.missing():
        pytest.skip("something else is missing here")
    assert building.hindrance() == "working compiler"
    out = io.StringIO()
    main(["--version", "--lang", "en"], out, out)
    assert "compiles nothing" in out.getvalue()
