"""Two settings beside each other: what is one question, how sure one can be, and how many games it takes."""

import json
import random
from io import StringIO
from math import sqrt

import pytest
from tabarro.cli import main
from tabarro.lab.comparison import compare, needed, paired_interval
from tabarro.lab.statistics import sign_test

TEAMS = {"lord": "bubble", "bubble": "lord", "zsa_zsa": "x", "x": "zsa_zsa"}


def record(number, winners, secrets=None, seats="abcd", scores=None, length=1):
    return {
        "number": number,
        "over": True,
        "winners": winners,
        "bots": dict.fromkeys(seats, "random"),
        "secrets": {"identity": secrets} if secrets else {},
        "lengths": {"decisions": length},
        "scores": scores,
    }


def team_game(rng, share):
    """Two teams of two, dealt at random; the first wins so often."""
    names = rng.sample(list(TEAMS), 4)
    secrets = dict(zip("abcd", names))
    side = {"lord", "bubble"} if rng.random() < share else {"zsa_zsa", "x"}
    return [seat for seat in "abcd" if secrets[seat] in side], secrets


def simulate(*arguments):
    out, err = StringIO(), StringIO()
    code = main(["simulate", *map(str, arguments), "--lang", "en"], out, err)
    return code, out.getvalue(), err.getvalue()


def test_two_teams_are_one_question_and_seats_none():
    rng = random.Random(1)
    one = [record(n, *team_game(rng, 0.5)) for n in range(80)]
    other = [record(n, *team_game(rng, 0.5)) for n in range(80)]
    found = compare(one, other)
    assert found["questions"] == 1
    sides = {frozenset(t["name"].split(" + ")) for t in found["wins"]}
    assert sides == {frozenset({"lord", "bubble"}), frozenset({"x", "zsa_zsa"})}
    first, second = found["wins"]
    assert first["difference"] == pytest.approx(-second["difference"]) and first["corrected"] == first["chance"]


def test_where_everybody_plays_for_himself_each_seat_is_asked_about_and_two_seats_are_one_question():
    rng = random.Random(2)
    three = [[record(n, [rng.choice("abc")], seats="abc") for n in range(60)] for _ in range(2)]
    assert [t["name"] for t in compare(*three)["wins"]] == ["a", "b", "c"] and compare(*three)["questions"] == 3
    two = [[record(n, [rng.choice("ab")], seats="ab") for n in range(60)] for _ in range(2)]
    assert compare(*two)["questions"] == 1
    drawn = [[record(n, rng.choice((["a"], ["b"], [])), seats="ab") for n in range(60)] for _ in range(2)]
    assert [t["what"] for t in compare(*drawn)["wins"]] == ["drawn", "seat", "seat"]
    assert compare(*drawn)["questions"] == 3


def test_the_interval_of_a_difference_holds_the_truth_in_about_19_of_20_series():
    rng, held, series = random.Random(3), 0, 600
    for _ in range(series):
        ups = downs = 0
        for _ in range(120):
            chance = rng.random()
            ups, downs = ups + (chance < 0.2), downs + (0.2 <= chance < 0.3)
        low, high = paired_interval(ups, downs, 120)
        held += low <= 0.1 <= high
    assert abs(held / series - 0.95) < 4 * sqrt(0.95 * 0.05 / series)


@pytest.mark.parametrize(("difference", "discordance"), [(0.05, 0.3), (0.1, 0.5), (0.05, 0.06)])
def test_a_difference_is_found_in_four_of_five_series_of_the_length_that_is_advised(difference, discordance):
    rng, found, series = random.Random(4), 0, 250
    up, count = (discordance + difference) / 2, needed(difference, discordance)
    for _ in range(series):
        draws = [rng.random() for _ in range(count)]
        ups, going = sum(d < up for d in draws), sum(d < discordance for d in draws)
        found += sign_test(ups, going - ups) < 0.05
    assert 0.74 < found / series < 0.93


def test_more_questions_need_more_games():
    assert needed(0.05, 0.4, 3) > needed(0.05, 0.4, 1) > needed(0.1, 0.4, 1)


def test_scores_are_compared_by_their_means_and_ties_are_ties():
    one = [record(n, ["a"], seats="ab", scores={"a": n % 3, "b": -(n % 3)}) for n in range(50)]
    other = [record(n, ["a"], seats="ab", scores={"a": n % 3 + 1, "b": -(n % 3) - 1}) for n in range(50)]
    first, second = compare(one, other)["scores"]
    assert (first["name"], first["difference"], first["real"]) == ("a", 1, True) and second["difference"] == -1
    code, out, _ = simulate("kuhn-poker", "--games", 60, "--seed", 1, "--json", "-")
    data = json.loads(out)
    assert code == 0 and data["tied"]["hits"] == 0
    assert data["scores"]["first"]["mean"] == pytest.approx(-data["scores"]["second"]["mean"])


HOUSE = "extends: kuhn-poker\nname: More cards\nthings: {card: {members: {ace: {rank: 4}}}}\n"


@pytest.fixture
def house(tmp_path):
    file = tmp_path / "more-cards.yaml"
    file.write_text(HOUSE, encoding="utf-8")
    return file


def test_two_games_are_compared_with_the_same_seeds(house, tmp_path):
    code, out, err = simulate("kuhn-poker", "--against", house, "--games", 50, "--seed", 3)
    assert code == 0, err
    assert "kuhn-poker against more-cards: 50 pairs of games with the same seeds" in out
    assert "To see a difference of 5 points in four of five series" in out
    file = tmp_path / "both.json"
    assert simulate("kuhn-poker", "--against", house, "--games", 50, "--seed", 3, "--json", file)[0] == 0
    one, other = json.loads(file.read_text(encoding="utf-8"))["settings"]
    alone = json.loads(simulate("kuhn-poker", "--games", 50, "--seed", 3, "--json", "-")[1])
    assert one["wins"] == alone["wins"] and other["game"] == "more-cards"


def test_it_plays_on_until_the_difference_would_be_seen(house):
    words = ("kuhn-poker", "--against", house, "--games", 20, "--seed", 3, "--until", 20, "--json", "-")
    code, out, err = simulate(*words)
    found = json.loads(out)["comparison"]
    assert code == 0, err
    assert found["points"] == 20 and found["pairs"] >= found["needed"] > 20


def test_options_of_the_first_game_hold_for_the_second_where_it_has_them():
    words = ("cards-safe", "--players", 4, "--option", "round_limit=2", "--against", "cards-phone", "--games", 2)
    code, out, err = simulate(*words, "--seed", 1, "--json", "-")
    assert code == 0, err
    one, other = json.loads(out)["settings"]
    assert one["options"]["round_limit"] == other["options"]["round_limit"] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["kuhn-poker", "--until", "5"], "go with a comparison"),
        (["kuhn-poker", "--against", "kuhn-poker"], "nothing to compare"),
        (["cards-safe", "--against", "cards-phone", "--compare", "round_limit=1,2"], "either --compare or --against"),
        (["kuhn-poker", "--against", "no-such-game"], "no-such-game"),
        (["kuhn-poker", "--against", "tic-tac-toe"], "only games with the same seats"),
        (["kuhn-poker", "--against", "cards-safe"], "cannot be played by 2"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_a_reason(words, said):
    code, out, err = simulate(*words)
    assert code == 2 and said in err and "Traceback" not in err
