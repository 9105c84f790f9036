"""Rule files that nobody has written: whatever the secrecy check accepts, no player can tell apart in play. And they are
made of every piece of the language, and leak in every way that is known: otherwise that would say little."""

import json
from collections import Counter
from pathlib import Path

import pytest
from judging import KINDS, Bench, kinds, pieces, taken_back_by_what_happened
from soak_worlds import Account, looked_at, made
from tabarro.interpreter import RulesError, compiling, schema
from tabarro.interpreter.cache import switched_off
from tabarro.interpreter.operations import OPERATIONS

QUICK = 80
LONG, CHUNK = 500, 100  # files, and how many of them at a time
CHANGED = 20, 4  # small and large games that come along, with one step more or otherwise
SMALL = (1, 0)  # the share of small games, and of changes to games that are small
# what does not change how a game is played, or only says how a variant is laid over another file
BESIDE = {
    "rule",
    "source",
    "decision",
    "label",
    "plural",
    "called",
    "numbered by",
    "before",
    "after",
    "remove",
    "replace",
}


def nobody_can_tell(seeds, **more):
    result = looked_at(seeds, **more)
    bad = result["broken"] + result["leaks"]
    assert [f"seed {seed}: {found[0]}\n{text}" for seed, text, found, _ in bad] == []
    return result["tally"]


# --- what is made up --------------------------------------------------------------------------------------------------
def unchecked(monkeypatch, files):
    """Made-up games, without a word about secrets."""
    monkeypatch.setattr(compiling, "check_flow", lambda rules: ())
    bench = Bench()
    with switched_off():
        for seed in range(files):
            try:
                data, players, _ = made(bench, seed, SMALL)
                yield data, bench.compiled(data, players)[0]
            except RulesError:
                pass


@pytest.mark.long
def test_most_files_are_games_and_they_have_every_piece_of_the_language(monkeypatch):
    used, games = Counter(), 0
    for data, game in unchecked(monkeypatch, 200):
        used += pieces(data, game)
        games += 1
    assert games > 160
    parts = json.loads((Path(schema.__file__).parent / "schema.json").read_text(encoding="utf-8"))["$defs"]
    wanted = {f"operation {name}" for name in OPERATIONS} | {"ask at once", "file played by chance", "file tables"}
    for part in ("step", "alternative", "some", "match", "part", "state", "things", "strides"):
        wanted |= {f"{part} {key}" for key in parts[part]["properties"] if key not in BESIDE}
    wanted |= {f"state is {kind}" for kind in ("number", "yes or no", "card", "set", "list", "pile")}
    assert sorted(wanted - set(used)) == []


def test_what_is_made_up_is_the_same_for_the_same_seed():
    bench = Bench()
    one, other = (made(bench, 7, SMALL) for _ in range(2))
    assert one == other != made(bench, 8, SMALL)


# --- what the referee finds -------------------------------------------------------------------------------------------
@pytest.mark.long
def test_among_some_files_there_are_leaks_of_every_kind():
    """Where nothing is checked, and what can be taken back hangs on what has happened."""
    bench, found = Bench(checked=False), {}
    with switched_off(), taken_back_by_what_happened():
        for seed in range(200):
            try:
                data, _, _ = made(bench, seed, SMALL)
            except RulesError:
                continue
            for kind in kinds(bench, data, set(KINDS) - set(found)):
                found.setdefault(kind, seed)
            if len(found) == len(KINDS):
                break
    assert sorted(found) == sorted(KINDS)


# --- what the check accepts -------------------------------------------------------------------------------------------
def test_whatever_is_accepted_no_player_can_tell_apart():
    tally = nobody_can_tell(range(QUICK), share=SMALL)
    assert tally["made up: accepted, harmless"] > QUICK / 10
    assert tally["made up: refused, leaks"] > QUICK / 10


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, LONG, CHUNK))
def test_nor_can_he_in_many_more_of_them(first):
    nobody_can_tell(range(first, first + CHUNK), share=SMALL)


@pytest.mark.long
@pytest.mark.parametrize(("share", "files"), [((0, 1), CHANGED[0]), ((0, 0), CHANGED[1])], ids=["small", "large"])
def test_nor_if_one_step_of_a_game_that_comes_along_is_changed(share, files):
    nobody_can_tell(range(files), share=share)


# --- the soak ---------------------------------------------------------------------------------------------------------
def test_what_was_looked_at_is_kept_even_if_the_last_line_was_cut_off(tmp_path):
    path, head = tmp_path / "state", {"seed": 0}
    result = {"tally": Counter({"made up: accepted, harmless": 2}), "used": {}, "spared": {}, "leaks": [], "broken": []}
    Account(path, head).keep(0, 1.0, result)
    path.write_text(path.read_text(encoding="utf-8") + '{"begins": 50, "sec', encoding="utf-8")
    again = Account(path, head)
    again.keep(50, 1.0, result)
    assert again.done == Account(path, head).done == {0, 50}
    assert "4 harmless" in Account(path, head).told()
    with pytest.raises(SystemExit):
        Account(path, {"seed": 1})
