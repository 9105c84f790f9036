"""The lab: many games among bots, what is counted, and that it comes out the same however it is played."""

import contextlib
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from itertools import pairwise
from math import sqrt
from xml.etree import ElementTree

import pytest
from surroundings import PLAIN
from tabarro.cli import main
from tabarro.front.common.layout import width_of
from tabarro.front.common.streams import Terminal
from tabarro.front.paper.plot import plot
from tabarro.interpreter.files import check_place
from tabarro.lab import workers
from tabarro.lab.comparison import compare
from tabarro.lab.statistics import (
    bootstrap,
    design_effect,
    holm,
    report,
    share,
    share_of_games,
    sign_test,
    spread,
    student,
    wilson,
)
from tabarro.speech.language import Language

SURROUNDINGS = {**PLAIN, "LANG": "C"}


def here(*arguments):
    out, err = io.StringIO(), io.StringIO()
    code = main([*map(str, arguments)], out, err)
    return code, out.getvalue(), err.getvalue()


def data_of(tmp_path, *arguments, name="data.json"):
    """What the command writes as JSON."""
    file = tmp_path / name
    code, _, err = here("simulate", *arguments, "--json", file)
    assert code == 0, err
    return json.loads(file.read_text(encoding="utf-8"))


pytestmark = pytest.mark.usefixtures("in_english")


# --- statistics, by hand ----------------------------------------------------------------------------------------------
def test_the_interval_of_a_share_is_wilsons():
    # 8 of 10, z = 1.96: centre (0.8 + 0.19208) / 1.38416, half 1.96 / 1.38416 * sqrt(0.016 + 0.009604)
    low, high = wilson(8, 10)
    assert low == pytest.approx(0.4901625, abs=1e-5)
    assert high == pytest.approx(0.9433178, abs=1e-5)
    # the ends solve (p - share)^2 = z^2 p (1 - p) / n
    for end in wilson(30, 200):
        assert (end - 0.15) ** 2 == pytest.approx(1.959964**2 * end * (1 - end) / 200, rel=1e-5)


def test_an_interval_never_leaves_what_is_possible():
    assert wilson(0, 20)[0] == 0 and 0 < wilson(0, 20)[1] < 0.2
    assert wilson(20, 20)[1] == 1 and 0.8 < wilson(20, 20)[0] < 1
    assert wilson(0, 0) == (0, 1)
    assert share(0, 0)["share"] is None


def test_the_sign_test_counts_the_ways():
    assert sign_test(0, 0) == 1
    assert sign_test(5, 5) == 1
    assert sign_test(0, 5) == pytest.approx(2 / 32)
    assert sign_test(9, 1) == sign_test(1, 9) == pytest.approx(2 * (1 + 10) / 1024)
    assert sign_test(3_100, 2_900) == pytest.approx(0.0101, abs=5e-4)  # beyond the exact sum: the normal curve


def test_holm_asks_more_of_the_smallest():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_the_bootstrap_finds_the_interval_of_a_mean():
    rng = random.Random(4)
    differences = [rng.gauss(1, 2) for _ in range(400)]
    low, high = bootstrap(differences)
    mean = sum(differences) / 400
    assert low < mean < high
    assert high - low == pytest.approx(2 * 1.96 * 2 / sqrt(400), rel=0.2)
    assert bootstrap([3] * 10) == (3, 3)


def test_a_spread_tells_the_middle_and_the_tails():
    found = spread([x] for x in range(1, 101))
    assert found["mean"] == 50.5 and found["median"] == 50.5
    assert (found["least"], found["tenth"], found["ninetieth"], found["most"]) == (1, 11, 90, 100)
    error = sqrt(sum((x - 50.5) ** 2 for x in range(1, 101)) / 99 / 100)
    assert found["low"] == pytest.approx(50.5 - 1.9842 * error, abs=1e-3)
    assert spread([]) == {}


def test_the_mean_of_few_games_has_the_interval_of_student_and_is_never_below_nothing():
    for freedom, expected in ((1, 12.706), (3, 3.182), (10, 2.228), (11, 2.201), (30, 2.042), (1_000, 1.962)):
        assert student(freedom) == pytest.approx(expected, abs=3e-3)
    found = spread([[4], [6], [8]])  # mean 6, standard error 2 / sqrt(3)
    assert found["high"] == pytest.approx(6 + 4.302653 * 2 / sqrt(3), abs=1e-3)
    assert found["low"] == pytest.approx(6 - 4.302653 * 2 / sqrt(3), abs=1e-3)
    assert spread([[1], [9]])["low"] == 0
    assert (spread([[7]])["low"], spread([[7]])["high"]) == (None, None)


def test_a_mean_of_several_players_of_each_game_is_as_sure_as_one_of_each():
    alone, doubled = spread([[x] for x in (3, 9, 4, 8)]), spread([[x, x] for x in (3, 9, 4, 8)])
    assert (alone["low"], alone["high"]) == (doubled["low"], doubled["high"])


def test_partners_who_win_together_count_as_one_case():
    together = share_of_games([(2, 2)] * 6)
    assert (together["hits"], together["cases"]) == (12, 12)
    assert (together["low"], together["high"]) == (share(6, 6)["low"], share(6, 6)["high"])
    mixed = share_of_games([(2, 2)] * 30 + [(0, 2)] * 20)
    assert (mixed["low"], mixed["high"]) == (share(30, 50)["low"], share(30, 50)["high"])


def test_seats_that_win_independently_count_each_for_itself():
    rng = random.Random(8)
    games = [(sum(rng.random() < 0.4 for _ in range(3)), 3) for _ in range(4_000)]
    assert design_effect(games) == pytest.approx(1, abs=0.06)
    assert design_effect([(1, 2)] * 50) == 1  # one of the two wins each time: never narrower than if independent
    assert design_effect([(1, 1), (0, 1), (0, 1)]) == 1


def test_the_interval_of_dependent_seats_holds_the_true_share_as_often_as_it_says():
    rng, held, plain = random.Random(3), 0, 0
    for _ in range(1_000):
        games = []
        for _ in range(30):  # in a third of the games the three of them win or lose together, else each alone
            one = rng.random() < 0.5
            games.append((3 * one, 3) if rng.random() < 1 / 3 else (sum(rng.random() < 0.5 for _ in range(3)), 3))
        found, simple = share_of_games(games), share(sum(h for h, _ in games), 90)
        held += found["low"] <= 0.5 <= found["high"]
        plain += simple["low"] <= 0.5 <= simple["high"]
    assert 930 <= held <= 975 and plain < 910


def game(number, winners, length=5, secrets=None, start="a"):
    return {
        "number": number,
        "over": True,
        "winners": winners,
        "start": start,
        "lengths": {"decisions": length},
        "secrets": {"role": secrets or {"a": "spy", "b": "cook"}},
        "cells": [],
        "claims": [],
        "bots": {"a": "random", "b": "random"},
    }


def test_wins_are_counted_by_seat_role_and_beginning():
    found = report(
        [game(2, ["a"]), game(1, ["b"], start="b"), game(3, []), game(4, ["a"], secrets={"a": "cook", "b": "spy"})]
    )
    wins = found["wins"]
    assert (wins["seat"]["a"]["hits"], wins["seat"]["a"]["cases"]) == (2, 4)
    assert (wins["role"]["spy"]["hits"], wins["role"]["cook"]["hits"]) == (1, 2)
    assert (wins["start"]["first"]["hits"], wins["start"]["later"]["hits"]) == (3, 0)
    assert found["drawn"]["hits"] == 1


def test_intervals_by_bot_and_by_beginning_know_that_seats_of_a_game_hang_together():
    bots = {"a": "deducer", "b": "deducer", "c": "careful", "d": "careful"}
    games = [{**game(n, ["a", "b"], secrets={}), "bots": bots, "start": "d"} for n in range(6)]
    for row in games:
        row["known"] = {seat: {"partner": 5} for seat in bots}
        row["claims"] = [{"seat": "a", "what": "say", "right": True, "refused": False}] * 2
    found = report(games)
    assert found["wins"]["bot"]["deducer"] == {**share(6, 6), "hits": 12, "cases": 12}
    assert found["wins"]["bot"]["careful"] == {**share(0, 6), "cases": 12}
    later = found["wins"]["start"]["later"]
    assert (later["hits"], later["cases"]) == (12, 18) and later["low"] <= share(12, 18)["low"]
    assert found["knowledge"]["partner"]["known"] == {**share(6, 6), "hits": 24, "cases": 24}
    assert found["declarations"]["wrong"] == {**share(0, 6), "cases": 12}


def test_a_report_does_not_hang_on_the_order_of_the_games():
    games = [game(n, ["a"] if n % 3 else ["b"], length=n) for n in range(20)]
    shuffled = random.Random(1).sample(games, 20)
    assert report(games) == report(shuffled)


def test_a_real_difference_is_told_from_chance():
    before = [game(n, ["a"] if n % 2 else ["b"], length=10 + n % 7) for n in range(200)]
    swapped = {1: ["b"], 2: ["a"]}  # as many games go one way as the other
    same = compare(
        before, [game(n, swapped.get(n % 4, r["winners"]), r["lengths"]["decisions"]) for n, r in enumerate(before)]
    )
    assert not any(test["real"] for test in (*same["wins"], *same["lengths"]))
    other = compare(
        before,
        [game(n, ["a"] if n % 4 == 0 else r["winners"], r["lengths"]["decisions"] + 1) for n, r in enumerate(before)],
    )
    by_seat = {t["name"]: t for t in other["wins"] if t["what"] == "seat"}
    assert by_seat["a"]["real"] and by_seat["a"]["ups"] == 50 and by_seat["a"]["downs"] == 0
    assert other["lengths"][0]["real"] and (other["lengths"][0]["low"], other["lengths"][0]["high"]) == (1, 1)


# --- whole series -----------------------------------------------------------------------------------------------------
def test_random_tic_tac_toe_comes_out_as_calculated(tmp_path):
    games = 6_000
    found = data_of(tmp_path, "tic-tac-toe", "--games", games, "--seed", 5)
    # 8/63 drawn; of all games weighted by their chance, crosses win 737/1260 and noughts 121/420
    for counted, expected in (
        (found["drawn"], 8 / 63),
        (found["wins"]["seat"]["cross"], 737 / 1260),
        (found["wins"]["seat"]["nought"], 121 / 420),
    ):
        assert abs(counted["share"] - expected) < 4 * sqrt(expected * (1 - expected) / games)
    assert found["lengths"]["decisions"]["mean"] == pytest.approx(3203 / 420, abs=0.1)
    assert found["wins"]["start"]["first"] == found["wins"]["seat"]["cross"]


def test_the_calculation_of_tic_tac_toe_is_right():
    """The shares above, from the rules of tic-tac-toe alone, written once more."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    memory = {}

    def shares(cross, nought):
        if (cross, nought) not in memory:
            mover, other = (cross, nought) if len(cross) == len(nought) else (nought, cross)
            if any(set(line) <= other for line in lines):
                memory[cross, nought] = (1, 0, 0) if other is cross else (0, 1, 0)
            elif len(cross) + len(nought) == 9:
                memory[cross, nought] = (0, 0, 1)
            else:
                free = [s for s in range(9) if s not in cross | nought]
                after = [shares(cross | {s}, nought) if mover is cross else shares(cross, nought | {s}) for s in free]
                memory[cross, nought] = tuple(sum(x) / len(free) for x in zip(*after))
        return memory[cross, nought]

    assert shares(frozenset(), frozenset()) == pytest.approx((737 / 1260, 121 / 420, 8 / 63))


@pytest.mark.parametrize("game, players", [("venice-2013", 4), ("cards-safe", 3)])
def test_the_number_of_processes_makes_no_difference(tmp_path, game, players):
    words = (game, "--players", players, "--games", 9, "--seed", 3, "--max-decisions", 300)
    one = data_of(tmp_path, *words, name="one.json")
    assert one == data_of(tmp_path, *words, "--jobs", 2, name="two.json")
    assert one["games"] == 9


def test_a_longer_series_begins_with_the_shorter_one():
    from tabarro.interpreter import load_game
    from tabarro.lab.playout import Series, play_some

    series = Series("kuhn-poker", 2, (), (), load_game("kuhn-poker").digest, 7, (("", "random"),))
    assert play_some(series, range(5)) == play_some(series, range(20))[:5]
    assert play_some(series, [13]) == play_some(series, range(20))[13:14]


def test_a_worker_that_is_killed_changes_nothing(monkeypatch):
    from tabarro.interpreter import load_game
    from tabarro.lab.playout import Series, play_some

    series = Series("cards-safe", 4, (), (), load_game("cards-safe", 4).digest, 7, (("", "random"),))
    found, killed = [], []

    def done(records):
        import multiprocessing

        found.extend(records)
        if not killed and len(found) >= 5:
            worker = multiprocessing.active_children()[0]
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    monkeypatch.setattr(workers, "CHUNK_SECONDS", 0.05)
    workers.play_all(series, list(range(60)), 2, workers.Stop(), done)
    assert killed
    assert sorted(found, key=lambda r: r["number"]) == play_some(series, range(60))


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_is_done(tmp_path, jobs):
    file = tmp_path / "data.json"
    words = [
        "simulate",
        "cards-safe",
        "--players",
        "4",
        "--games",
        "100000",
        "--seed",
        "1",
        "--jobs",
        str(jobs),
        "--json",
        str(file),
    ]
    for patience in (2, 4, 12, 40):  # seconds; a busy machine needs longer to finish the first game
        process = subprocess.Popen(
            [sys.executable, "-m", "tabarro.cli", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=SURROUNDINGS,
            start_new_session=True,
        )
        time.sleep(patience)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all of them
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130
        if file.exists():
            break
    assert "Traceback" not in err.decode() and "You stopped it" in err.decode()
    found = json.loads(file.read_text(encoding="utf-8"))
    assert found["interrupted"] and 0 < found["games"] < 100_000
    assert "95% interval" in out.decode() and f"{found['games']:,} games" in out.decode()


def test_games_that_take_too_long_are_cut_off_and_told(tmp_path):
    found = data_of(tmp_path, "venice-2013", "--players", 4, "--games", 4, "--seed", 1, "--max-decisions", 3)
    assert found["cut_off"] + found["finished"] == 4 and found["cut_off"] > 0
    code, out, _ = here("simulate", "venice-2013", "--players", 4, "--games", 4, "--seed", 1, "--max-decisions", 3)
    assert code == 0 and "cut off" in out


def test_missions_and_declarations_are_counted(tmp_path):
    found = data_of(tmp_path, "venice-2013", "--players", 4, "--games", 12, "--seed", 2)
    assert sum(row["cases"] for row in found["table"]) == 24  # two sides a game, each with a mission
    assert sum(row["hits"] for row in found["table"]) == 12
    assert all(row["keys"][1] != row["keys"][2] for row in found["table"])
    assert found["declarations"]["made"] == 12
    sides = found["wins"]["side"]
    assert set(sides) <= {"agent_x + madame_zsa_zsa", "colonel_bubble + lord_fiddlebottom"}
    assert sum(s["hits"] for s in sides.values()) == 12
    wins = {name: of_one["hits"] for name, of_one in found["wins"]["identity"].items()}
    assert wins["agent_x"] == wins["madame_zsa_zsa"] == sides["agent_x + madame_zsa_zsa"]["hits"]


def test_careful_bots_declare_nothing_wrong_and_their_knowledge_comes_before_the_end(tmp_path):
    found = data_of(
        tmp_path, "cards-safe", "--players", 4, "--games", 6, "--seed", 2, "--bots", "careful", "--knowledge"
    )
    assert found["declarations"]["made"] > 0 and found["declarations"]["wrong"]["hits"] == 0
    known = found["knowledge"]
    assert {"identity", "code", "everything", "partner"} == set(known)
    assert known["everything"]["known"]["hits"] >= found["declarations"]["made"]  # whoever declared could know it
    assert known["everything"]["after"]["most"] <= found["lengths"]["decisions"]["most"]
    assert known["partner"]["known"]["hits"] >= known["everything"]["known"]["hits"]


def test_a_declaration_that_is_right_but_refused_by_a_partner_is_not_wrong(tmp_path):
    words = ("venice-2013", "--players", 4, "--games", 8, "--seed", 2, "--bots", "careful,red=random")
    code, out, _ = here("simulate", *words, "--json", tmp_path / "data.json")
    found = json.loads((tmp_path / "data.json").read_text(encoding="utf-8"))["declarations"]
    assert (found["made"], found["wrong"]["hits"], found["refused"]["hits"]) == (8, 3, 1)
    assert found["wrong_by_bot"]["careful"]["hits"] == 0 and found["wrong_by_bot"]["random"]["hits"] == 3
    assert code == 0 and "Right, but refused by the other player: 12.5%" in out


def test_bots_sit_by_seat_or_by_secret(tmp_path):
    found = data_of(
        tmp_path,
        "cards-safe",
        "--players",
        4,
        "--games",
        4,
        "--seed",
        2,
        "--bots",
        "random,agent_x=careful,madame_zsa_zsa=careful",
        "--max-decisions",
        400,
    )
    assert found["wins"]["bot"]["careful"]["cases"] == found["wins"]["bot"]["random"]["cases"] == 2 * found["finished"]


def test_two_settings_are_compared_on_the_same_seeds(tmp_path):
    words = ("venice-2013", "--players", 4, "--games", 6, "--seed", 2, "--compare", "round_limit=1,2")
    found = data_of(tmp_path, *words)
    one, other = found["settings"]
    assert (one["options"]["round_limit"], other["options"]["round_limit"]) == (1, 2)
    rounds = next(t for t in found["comparison"]["lengths"] if t["name"] == "rounds")
    assert found["comparison"]["pairs"] == 6 and rounds["one"] <= 1 and rounds["other"] <= 2
    code, out, _ = here("simulate", *words)
    assert code == 0 and "round_limit=1 against round_limit=2" in out
    lines = out.splitlines()
    assert lines[0] == "Inkognito: Venice, 2013, 4 players: 6 games among bots (random), seed 2"
    assert [line for line in lines if line.startswith("round_limit")][:2] == ["round_limit=1", "round_limit=2"]


def test_where_all_games_were_cut_off_there_is_nothing_to_compare():
    found = compare([], [])
    assert found["pairs"] == 0 and not any(test["real"] for test in (*found["wins"], *found["lengths"]))
    code, out, err = here(
        "simulate",
        "cards-safe",
        "--players",
        4,
        "--games",
        1,
        "--seed",
        1,
        "--max-decisions",
        2,
        "--compare",
        "round_limit=1,2",
    )
    assert code == 0 and "0 pairs" in out, err


def test_blanks_between_what_is_compared_do_not_matter(tmp_path):
    words = ("cards-safe", "--players", 4, "--games", 1, "--seed", 2, "--max-decisions", 40, "--compare")
    plain = data_of(tmp_path, *words, "declare_to=partner,anyone")
    assert data_of(tmp_path, *words, " declare_to = partner, anyone ") == plain


def test_one_pair_of_games_has_no_interval_and_is_valid_json():
    code, out, err = here(
        "simulate",
        "cards-safe",
        "--players",
        4,
        "--games",
        1,
        "--seed",
        1,
        "--compare",
        "round_limit=1,2",
        "--json",
        "-",
    )
    assert code == 0, err
    found = json.loads(out, parse_constant=pytest.fail)
    assert (found["comparison"]["lengths"][0]["low"], found["comparison"]["lengths"][0]["high"]) == (None, None)


def test_a_file_that_cannot_be_written_is_refused_before_the_first_game(tmp_path, monkeypatch):
    monkeypatch.setattr("tabarro.front.commands.simulate._played", lambda *_: pytest.fail("it played"))
    (tmp_path / "folder").mkdir()
    for name in ("/proc/x.json", tmp_path / "folder", tmp_path / "missing" / "x.json", ""):
        code, out, err = here("simulate", "kuhn-poker", "--json", name)
        assert code == 2 and not out and "cannot be written" in err


def test_whether_a_file_can_be_written_is_tried_without_a_trace(tmp_path):
    kept, new, link = tmp_path / "kept.json", tmp_path / "new.json", tmp_path / "link.json"
    kept.write_text("as it was")
    link.symlink_to(new)
    for file in (kept, new, link):
        check_place(file, force=True)
    for file in (new, link):
        check_place(file)
    assert kept.read_text() == "as it was" and link.is_symlink() and not new.exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no disk that is always full")
def test_a_full_disk_takes_nothing_away_that_was_counted():
    code, out, err = here("simulate", "kuhn-poker", "--games", 5, "--seed", 1, "--json", "/dev/full", "--force")
    assert code == 2 and "95% interval" in out and "cannot be written" in err


def test_the_plot_is_a_picture_of_the_shares(tmp_path):
    file = tmp_path / "shares.svg"
    code, _, err = here("simulate", "kuhn-poker", "--games", 50, "--seed", 1, "--plot", file)
    assert code == 0, err
    root = ElementTree.parse(file).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    spots = root.findall("{http://www.w3.org/2000/svg}circle")
    assert len(spots) >= 5  # two seats, whoever begins and the others, three cards
    width = float(root.get("width"))
    assert all(0 < float(c.get("cx")) < width for c in spots)


def test_the_plot_of_a_comparison_shows_both_settings_on_the_same_scale(tmp_path):
    file = tmp_path / "both.svg"
    code, _, err = here(
        "simulate",
        "cards-safe",
        "--players",
        4,
        "--games",
        6,
        "--seed",
        2,
        "--max-decisions",
        5_000,
        "--compare",
        "round_limit=2,5",
        "--plot",
        file,
    )
    assert code == 0, err
    texts = [t.text for t in ElementTree.parse(file).getroot().iter("{http://www.w3.org/2000/svg}text")]
    assert texts.index("round_limit=2") < texts.index("round_limit=5")
    assert texts.count("Seat") == 2 and texts.count("rounds") == 2
    first, second = (texts[i + 1 : i + 4] for i, text in enumerate(texts) if text == "rounds")
    assert first[1:] == second[1:]  # after how many games the highest column has: the least and the most


def test_a_plot_of_games_that_were_all_cut_off_is_not_drawn(tmp_path):
    file = tmp_path / "empty.svg"
    code, out, err = here(
        "simulate", "cards-safe", "--players", 4, "--games", 2, "--seed", 1, "--max-decisions", 2, "--plot", file
    )
    assert code == 2 and "2 games were cut off" in out and "nothing to draw" in err
    assert not file.exists()


def test_in_a_plot_of_a_comparison_a_setting_without_a_finished_game_says_so():
    root = ElementTree.fromstring(
        plot(
            "both",
            [
                ("x=1", [("No game was finished.", [])], None),
                ("x=2", [("a", [("b", share(1, 2))])], ("rounds", [1, 2])),
            ],
        )
    )
    texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "No game was finished." in texts and texts.count("100") == 1  # one scale


def test_a_plot_is_painted_as_png_where_there_is_a_painter(tmp_path, monkeypatch):
    painted = []

    class Painter:
        @staticmethod
        def svg2png(bytestring):
            painted.append(ElementTree.fromstring(bytestring))
            return b"\x89PNG as it were"

    monkeypatch.setitem(sys.modules, "cairosvg", Painter)
    code, _, err = here("simulate", "kuhn-poker", "--games", 20, "--seed", 1, "--plot", tmp_path / "shares.png")
    assert code == 0, err
    assert (tmp_path / "shares.png").read_bytes() == b"\x89PNG as it were"
    assert len(painted[-1].findall("{http://www.w3.org/2000/svg}circle")) >= 5


def test_without_a_painter_it_is_said_before_the_games_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cairosvg", None)  # as if it were not installed
    code, out, err = here("simulate", "kuhn-poker", "--games", 20, "--seed", 1, "--plot", tmp_path / "shares.png")
    assert code == 2 and not out and "“plot”" in err and ".svg" in err
    assert not (tmp_path / "shares.png").exists()


def test_long_names_and_titles_stay_inside_the_plot():
    names = ["Colonel Bubble and Lord Fiddlebottom", "フィルボトム卿とバブル大佐とマダム・ザザと怪しい影", "x" * 90]
    root = ElementTree.fromstring(
        plot(
            "A title of many words " * 9,
            [("A setting of many words " * 9, [("a", [(n, share(1, 2)) for n in names])], None)],
        )
    )
    width = float(root.get("width"))
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        long = width_of(text.text) * 6.5 * float(text.get("font-size")) / 13
        begin = float(text.get("x")) - {"start": 0, "middle": long / 2, "end": long}[text.get("text-anchor")]
        assert begin >= 0 and begin + long <= width, text.text


@pytest.mark.parametrize("columns", [30, 45, 60, 80, 100])
@pytest.mark.parametrize("language", ["de", "ja"])
def test_a_table_has_all_its_columns_however_narrow_the_terminal(columns, language, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = io.StringIO()
    headings = ["Länge der Spiele", "Entscheidungen", "95-%-Intervall", "二度目の答え", "90 % darunter"]
    rows = [
        ["begonnene Runden", "1.308,25", "230,4 – 385,6", "質問された種類", "29,5"],
        ["対局", "7", "1 – 2", "三度目", "4,25"],
    ]
    Terminal(out, out, Language(language)).table(headings, rows, (1, 2, 4))
    said = re.sub(r"\s", "", out.getvalue())
    assert max(map(width_of, out.getvalue().splitlines())) <= columns
    assert "…" not in said
    for number in ("1.308,25", "230,4–385,6", "29,5", "4,25"):
        assert number in said
    assert all(letter in said for letter in re.sub(r"\s", "", "".join(headings + rows[0] + rows[1])))


def test_names_in_a_plot_are_no_markup():
    svg = plot("<&>", [("c & d", [("a & b", [("<script>", share(1, 2))])], ("x", [1, 2, 2, 9]))])
    root = ElementTree.fromstring(svg)
    assert "<script>" in [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize(
    "game, told", [("venice-2013", ["rounds", "turns", "decisions"]), ("cards-safe", ["rounds", "decisions"])]
)
def test_lengths_are_told_only_in_words_that_readers_know_and_rounds_once(game, told, tmp_path):
    words = ("--players", 4, "--games", 3, "--seed", 4, "--markdown")

    def lengths(out):
        tables = [table for table in out.split("\n\n") if table.startswith("| Length")]
        return [re.findall(r"^\| (\w[\w ]*?) \|", table, re.M)[1:] for table in tables]

    file = tmp_path / "data.json"
    assert lengths(here("simulate", game, *words, "--json", file)[1]) == [told]
    assert lengths(here("simulate", game, *words, "--compare", "round_limit=0,900")[1]) == [told] * 3
    assert "game" in json.loads(file.read_text(encoding="utf-8"))["lengths"]  # in the data is everything


def test_markdown_tables_have_as_many_cells_as_headings():
    code, out, _ = here("simulate", "kuhn-poker", "--games", 20, "--seed", 1, "--markdown")
    tables = [line for line in out.splitlines() if line.startswith("|")]
    assert code == 0 and tables and out.startswith("## Kuhn poker")
    for heading, below in pairwise(tables):
        if below.startswith("|---"):
            assert heading.count("|") == below.count("|")


@pytest.mark.parametrize(
    "words, said",
    [
        (["kuhn-poker", "--bots", "clever"], "There is no bot “clever”"),
        (["kuhn-poker", "--bots", "frist=random"], "“frist” is neither a seat nor a secret"),
        (["kuhn-poker", "--bots", ","], "There is no bot “”"),
        (["kuhn-poker", "--bots", ""], "There is no bot “”"),
        (["kuhn-poker", "--bots", "random,careful"], "two bots for the same players"),
        (["kuhn-poker", "--bots", "first=random,first=careful"], "two bots for the same players"),
        (["kuhn-poker", "--compare", "x"], "does not name two values"),
        (["kuhn-poker", "--compare", ""], "does not name two values"),
        (["cards-safe", "--compare", "false_cards=1,"], "does not name two values"),
        (["cards-safe", "--compare", "false_cards=1,1"], "names the same value twice"),
        (["kuhn-poker", "--plot", "shares.gif"], ".svg"),
        (["kuhn-poker", "--json", "no/such/folder/x.json"], "cannot be written"),
        (["kuhn-poker", "--games", "0"], "at least 1"),
        (["kuhn-poker", "--cluster", "tcp://127.0.0.1:9", "--games", "2"], "No cluster answers"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_reason(monkeypatch, words, said):
    monkeypatch.setattr("tabarro.lab.cluster.PATIENCE", 1)
    code, _, err = here("simulate", *words)
    assert code == 2 and said in err and "Traceback" not in err


@pytest.mark.parametrize(
    "address",
    [
        "nonsense",
        "",
        "127.0.0.1:9",
        *(pytest.param(address, marks=pytest.mark.long) for address in ("foo://bar:1", "127.0.0.1", " ")),
    ],
)
def test_where_no_cluster_can_be_it_is_said_soon_and_once(address):
    start = time.monotonic()
    words = ["simulate", "kuhn-poker", "--games", "2", "--cluster", address]
    done = subprocess.run(
        [sys.executable, "-m", "tabarro.cli", *words], capture_output=True, text=True, env=SURROUNDINGS, timeout=60
    )
    assert done.returncode == 2 and not done.stdout
    assert done.stderr == f"No cluster answers at “{address}”.\n"
    assert time.monotonic() - start < 30  # most of it is for starting on a busy machine


# --- more than one machine --------------------------------------------------------------------------------------------
@pytest.mark.long
def test_a_cluster_that_loses_a_worker_gives_the_same_result(tmp_path):
    from distributed import Client, LocalCluster

    words = ("cards-safe", "--players", 4, "--games", 40, "--seed", 11)
    alone = data_of(tmp_path, *words, name="alone.json")
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        processes = client.run(os.getpid)
        busy = next(iter(processes))

        def kill_one():
            while not client.processing().get(busy):
                time.sleep(0.02)
            os.kill(processes[busy], signal.SIGKILL)  # with work in hand

        killer = threading.Thread(target=kill_one)
        killer.start()
        spread_out = data_of(tmp_path, *words, "--cluster", cluster.scheduler_address, name="cluster.json")
        killer.join()
        client.wait_for_workers(2, timeout=120)
        assert processes[busy] not in client.run(os.getpid).values()
    assert spread_out == alone


def test_files_are_written_also_if_nobody_reads_the_tables(tmp_path):
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    path = tmp_path / "a.json"
    with contextlib.suppress(BrokenPipeError, SystemExit):  # it ends as soon as nobody reads
        main(["simulate", "tic-tac-toe", "--games", "2", "--seed", "1", "--json", str(path)], Closed(), io.StringIO())
    assert json.loads(path.read_text(encoding="utf-8"))["games"] == 2
