"""A save replays the game; whatever happens to the file, it never replays another one."""

import json
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from loading import NAMES
from soak_saves import kills
from tabarro.interpreter import RulesError, Save, load_game, resume, show
from tabarro.interpreter.save import VERSION, load

SEED = 7
loaded = cache(load_game)


@pytest.fixture
def loaded_once(monkeypatch):
    """Rules that do not change need not be compiled again for every save that is read."""
    known = {}

    def load_once(name, players, options, folders):
        key = (name, players, str(options), folders)
        if key not in known:
            known[key] = load_game(name, players, options, folders)
        return known[key]

    monkeypatch.setattr("tabarro.interpreter.save.load_game", load_once)


def played(path, name="little-mystery", seed=SEED, choices=6):
    """A saved game; all its states, from the first to the last, by their logs."""
    game = loaded(name)
    state, rng = game.new(seed), random.Random(seed)
    save = Save.create(path, game, seed)
    histories = [history(state)]
    for _ in range(choices):
        if state.over:
            break
        choice = state.sample(rng)
        state.apply(choice)
        save.append(game.words(choice))
        histories.append(history(state))
    return state, histories


def history(state):
    return [state.log(seat) for seat in state.game.seats], state.actor


def codes(action, *args, **kwargs):
    with pytest.raises(RulesError) as caught:
        action(*args, **kwargs)
    for problem in caught.value.problems:
        assert show(problem)
    return {p.code for p in caught.value.problems}


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_saved_game_is_played_again_to_the_same_state(name, tmp_path):
    path = tmp_path / "game.save"
    state, _ = played(path, name, choices=40)
    for again in (load, resume):
        game, found, save = again(path)
        assert found == state and history(found) == history(state)
        assert game.id == name and save.path == path


def test_a_loaded_save_goes_on_where_it_was(tmp_path):
    path, whole = tmp_path / "game.save", tmp_path / "whole.save"
    state, histories = played(whole, choices=8)
    played(path, choices=3)
    lines = whole.read_bytes().splitlines()
    for line in lines[4:]:
        game, found, save = resume(path)
        save.append(json.loads(line)["choice"])
        assert save.choices == len(path.read_bytes().splitlines()) - 1
    assert path.read_bytes() == whole.read_bytes()
    assert load(path)[1] == state


def test_only_what_players_decide_is_saved(tmp_path):
    path = tmp_path / "game.save"
    played(path, "kuhn-poker", choices=3)
    header, *choices = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert header["seed"] == SEED and header["game"] == "kuhn-poker" and header["players"] == 2
    assert {tuple(c["choice"]) for c in choices} <= {("check",), ("bet",), ("fold",), ("call",)}


def test_a_save_cut_at_any_byte_resumes_as_far_as_it_goes_or_says_that_it_is_incomplete(tmp_path, loaded_once):
    path, cut = tmp_path / "game.save", tmp_path / "cut.save"
    _, histories = played(path)
    data = path.read_bytes()
    header = data.index(b"\n") + 1
    for length in range(len(data)):
        cut.write_bytes(data[:length])
        whole = data[:length].count(b"\n")
        if length < header:
            assert codes(resume, cut) == codes(load, cut) == {"save_incomplete"}
            continue
        if data[length - 1 : length] == b"\n":
            assert history(load(cut)[1]) == histories[whole - 1]
        else:
            assert codes(load, cut) == {"save_incomplete"}
            assert cut.read_bytes() == data[:length], "a strict reader changes nothing"
            assert history(load(cut, strict=False)[1]) == histories[whole - 1]
        _, state, save = resume(cut)
        assert history(state) == histories[whole - 1] and save.choices == whole - 1
        assert cut.read_bytes() == data[: data[:length].rindex(b"\n") + 1]


def test_a_save_with_one_changed_byte_never_resumes_wrongly(tmp_path, loaded_once):
    path, changed = tmp_path / "game.save", tmp_path / "changed.save"
    _, histories = played(path)
    data = path.read_bytes()
    header, last = data.index(b"\n") + 1, data.rindex(b"\n", 0, -1) + 1
    rng = random.Random(3)
    for place, old in enumerate(data):
        for new in {old ^ 1, old ^ 0x20, old ^ 0x80, 10, 0, rng.randrange(256)} - {old}:
            changed.write_bytes(data[:place] + bytes([new]) + data[place + 1 :])
            if place < header:
                assert codes(resume, changed) & {"save_broken", "save_incomplete"}
            elif place < last - 1:
                before = changed.read_bytes()
                assert codes(resume, changed) == {"save_broken"}
                assert changed.read_bytes() == before, "what may still be repaired is left alone"
            else:
                assert codes(load, changed) <= {"save_broken", "save_incomplete"}
                try:
                    found = history(resume(changed)[1])
                except RulesError as error:
                    assert {p.code for p in error.problems} == {"save_broken"}
                else:
                    assert found in histories[-3:-1]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_lines_taken_out_doubled_or_exchanged_are_noticed(data, tmp_path, loaded_once):
    path = tmp_path / "game.save"
    path.unlink(missing_ok=True)  # what an earlier example has left there is no save
    _, histories = played(path)
    lines = path.read_bytes().splitlines(keepends=True)
    order = data.draw(st.lists(st.sampled_from(range(len(lines))), max_size=len(lines) + 1))
    path.write_bytes(b"".join(lines[i] for i in order))
    fits = 0
    while fits < len(order) and order[fits] == fits:
        fits += 1
    if fits == len(order) and fits:
        assert history(load(path)[1]) == histories[fits - 1]
    elif fits and fits == len(order) - 1:
        assert codes(load, path) == {"save_incomplete"}
        assert history(resume(path)[1]) == histories[fits - 1]
    else:
        assert codes(resume, path) <= {"save_broken", "save_incomplete"}


def forged(path, header=None, *choices):
    """A save with correct checks, whatever it says."""
    from tabarro.interpreter.save import _sealed

    hash, whole = b"", b""
    for content in (header, *choices):
        hash, line = _sealed(hash, content)
        whole += line
    path.write_bytes(whole)
    return path


def digest_of(name):
    game = loaded(name)
    return game.players, game.digest


def header_of(name, **changed):
    players, digest = digest_of(name)
    return {"tabarro": VERSION, "game": name, "players": players, "options": {}, "seed": 1, "digest": digest, **changed}


@pytest.mark.parametrize(
    "changed",
    [
        {"digest": "0" * 64},
        {"players": 4},
        {"players": -1},
        {"options": {"no_such_option": True}},
    ],
)
def test_a_save_of_other_rules_is_refused(changed, tmp_path):
    path = forged(tmp_path / "game.save", header_of("tic-tac-toe", **changed))
    assert codes(resume, path) == {"save_other_rules"}


def test_a_save_belongs_to_the_rules_as_they_were(tmp_path):
    rules = tmp_path / "own.yaml"
    text = (Path(__file__).parents[2] / "rules" / "lines" / "tic-tac-toe.yaml").read_text(encoding="utf-8")
    rules.write_text(text, encoding="utf-8")
    game, path = load_game(rules), tmp_path / "game.save"
    save = Save.create(path, game, 1, file=rules)
    save.append(game.words(game.new(1).legal()[0]))
    assert load(path)[0].digest == game.digest
    rules.write_text(text.replace("[a1, b2, c3]", "[a1, b2, c2]"), encoding="utf-8")
    assert codes(resume, path) == {"save_other_rules"}
    rules.unlink()
    assert codes(resume, path) == {"file_missing"}


@pytest.mark.parametrize(
    "choice",
    [
        ["a9"],
        [],
        ["a1", "a1"],
        ["cross"],
        [["a1"]],
        [None],
        [True],
        [0],
        [""],
        ["a1\0"],
        ["ａ１"],
    ],
)
def test_a_choice_that_the_rules_do_not_offer_is_refused(choice, tmp_path):
    path = forged(tmp_path / "game.save", header_of("tic-tac-toe"), {"choice": ["b2"]}, {"choice": choice})
    with pytest.raises(RulesError) as caught:
        resume(path)
    (problem,) = caught.value.problems
    assert problem.code == "save_illegal" and problem.place.line == 3


def test_nothing_can_follow_the_end_of_a_game(tmp_path):
    moves = ["a1", "b1", "a2", "b2", "a3", "b3"]
    path = forged(tmp_path / "game.save", header_of("tic-tac-toe"), *({"choice": [m]} for m in moves[:5]))
    assert load(path)[1].result.winners == ("cross",)
    forged(path, header_of("tic-tac-toe"), *({"choice": [m]} for m in moves))
    assert codes(load, path) == {"save_illegal"}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"\0" * 1000,
        b"{",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"[" * 100_000,
        b"[" * 100_000 + b"\n",
        b'{"tabarro":' + b"[" * 100_000 + b"\n",
        b'{"tabarro":1,"check":' + b"9" * 6000 + b"}\n",
        b"\xff\xfe\n",
        b'{"tabarro":1,"check":"\\ud800"}\n',
        b"name: Kuhn poker\n",
        b'{"tabarro":NaN}\n',
        b"x" * 200_000 + b"\n",
    ],
    ids=range(16),
)
def test_what_is_not_a_save_is_refused(content, tmp_path):
    path = tmp_path / "game.save"
    path.write_bytes(content)
    assert codes(resume, path) <= {"save_broken", "save_incomplete"}
    path.write_bytes((b"" if not content else _valid_start(tmp_path)) + content + b"\n")
    assert codes(load, path) <= {"save_broken", "save_incomplete"}


def _valid_start(folder):
    return forged(folder / "start.save", header_of("tic-tac-toe")).read_bytes()


@pytest.mark.parametrize(
    "changed",
    [
        {"game": "../rules/kuhn-poker"},
        {"game": "x" * 5000},
        {"game": "no-such-game"},
        {"game": ""},
        {"game": "\0"},
        {"game": "tic-tac-toe.yaml"},
        {"game": "/etc/passwd"},
        {"file": "/etc/passwd"},
        {"file": "../.."},
        {"file": "a\0.yaml"},
        {"file": "x" * 5000 + ".yaml"},
        {"file": "none.yaml"},
        {"players": True},
        {"players": "2"},
        {"seed": None},
        {"seed": 1.5},
        {"seed": "1"},
        {"options": []},
        {"options": {"a": {}}},
        {"options": {"a": [[]]}},
        {"tabarro": 0},
        {"tabarro": True},
        {"digest": 1},
        {"more": 1},
    ],
    ids=str,
)
def test_a_header_that_says_nonsense_is_refused(changed, tmp_path):
    assert codes(resume, forged(tmp_path / "game.save", header_of("tic-tac-toe", **changed)))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=["Cs"])),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["choice", "game", "seed"]), inner),
        max_leaves=8,
    )
)
def test_a_line_that_says_nonsense_is_refused_even_with_a_correct_check(content, tmp_path, loaded_once):
    path = forged(tmp_path / "game.save", header_of("tic-tac-toe"), {"choice": content})
    assert codes(resume, path) <= {"save_broken", "save_illegal"}


def test_a_save_that_cannot_be_read_or_written_is_a_problem_in_words(tmp_path):
    assert codes(resume, tmp_path / "none.save") == {"file_missing"}
    assert codes(resume, tmp_path) == {"file_is_folder"}
    game = load_game("tic-tac-toe")
    assert codes(Save.create, tmp_path / "no" / "such.save", game, 1) == {"save_unwritable"}
    save = Save.create(tmp_path / "game.save", game, 1)
    (tmp_path / "game.save").unlink()
    assert codes(save.append, ["a1"]) == {"save_unwritable"}


def test_after_a_line_that_could_not_be_written_the_save_goes_on_without_it(tmp_path, monkeypatch):
    game, path = load_game("tic-tac-toe"), tmp_path / "game.save"
    save = Save.create(path, game, 1)
    save.append(["a1"])
    before = path.read_bytes()
    write = os.write

    def full(file, data):
        write(file, data[:9])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        assert codes(save.append, ["b2"]) == {"save_unwritable"}
    assert path.read_bytes() == before + path.read_bytes()[len(before) :] != before
    save.append(["c3"])
    assert [json.loads(line)["choice"] for line in path.read_bytes().splitlines()[1:]] == [["a1"], ["c3"]]
    assert load(path)[1].actor == "cross"


def test_a_new_save_replaces_an_old_one_as_a_whole(tmp_path, monkeypatch):
    path = tmp_path / "game.save"
    played(path)
    old = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(5, "Input/output error")))
        assert codes(Save.create, path, load_game("tic-tac-toe"), 1) == {"save_unwritable"}
    assert path.read_bytes() == old and os.listdir(tmp_path) == ["game.save"]
    Save.create(path, load_game("tic-tac-toe"), 1)
    assert load(path)[0].id == "tic-tac-toe" and os.listdir(tmp_path) == ["game.save"]


ENDLESS = """
import random, sys
from tabarro.interpreter import Save, load_game
game = load_game("little-mystery")
state, rng = game.new(5), random.Random(5)
save = Save.create(sys.argv[1], game, 5)
while True:
    choice = rng.choice([c for c in state.legal() if "accuse" not in game.words(c)])
    state.apply(choice)
    save.append(game.words(choice))
    sys.stdout.write("\\n")
    sys.stdout.flush()
"""


@pytest.mark.parametrize("kills_after", [1, 2, 7, 40, 150])
def test_a_process_killed_while_it_saves_loses_nothing_that_was_complete(kills_after, tmp_path):
    path = tmp_path / "game.save"
    child = subprocess.Popen([sys.executable, "-c", ENDLESS, str(path)], stdout=subprocess.PIPE)
    try:
        for _ in range(kills_after):
            assert child.stdout.readline() == b"\n"
    finally:
        child.kill()
        done = kills_after + len(child.stdout.read())
        child.stdout.close()
        child.wait()
    game, state, save = resume(path)
    assert done <= save.choices <= done + 1
    expected, rng = game.new(5), random.Random(5)
    for _ in range(save.choices):
        expected.apply(rng.choice([c for c in expected.legal() if "accuse" not in game.words(c)]))
    assert state == expected
    save.append(game.words(state.legal()[0]))
    assert load(path)[2].choices == save.choices


def test_whenever_a_process_is_killed_everything_that_it_acknowledged_is_there(tmp_path):
    """The short form of tests/soak_saves.py."""
    found = kills(20, tmp_path)
    assert found["killed"] == 20 and found["found"] >= found["acknowledged"] - 20 and found["acknowledged"] > 20


def test_choices_that_were_not_waited_for_are_in_the_save_too(tmp_path):
    game, path = load_game("tic-tac-toe"), tmp_path / "game.save"
    save = Save.create(path, game, 1)
    for square in ("a1", "b2", "c3"):
        save.append([square], wait=False)
    assert load(path)[2].choices == 3
    before = path.read_bytes()
    save.settle()
    assert path.read_bytes() == before
    save.take_back()
    assert load(path)[2].choices == 2


def test_a_choice_that_is_taken_back_is_gone_from_the_save(tmp_path):
    game, path = load_game("tic-tac-toe"), tmp_path / "game.save"
    save = Save.create(path, game, 1)
    save.append(["a1"])
    before = path.read_bytes()
    save.append(["b2"])
    save.append(["c3"])
    save.take_back()
    save.take_back()
    assert path.read_bytes() == before and save.choices == 1
    save.append(["c1"])
    _, state, again = load(path)
    assert [e["square"] for e in state.log("cross") if e.kind == "ask"] == ["a1", "c1"] and again.choices == 2
    again.take_back()
    assert path.read_bytes() == before and load(path)[2].choices == 1
