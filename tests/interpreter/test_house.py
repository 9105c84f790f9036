"""Mistakes in a variant are shown where its author can mend them: in the author's own file, once, with what they touch."""

import pytest
from tabarro.interpreter import RulesError, find_problems, load_game

BASE = """
name: Base
players: {2: {}, 3: {things: {player: [ann, bob, cleo]}}}
things:
  player: [ann, bob]
  card: {columns: {rank: number}, members: {low: {rank: 1}, high: {rank: 2}, top: {rank: 3}}}
seats: players
state:
  hand of player: {is: card, seen by: player}
  score of player: {is: number, seen by: all}
words:
  player is rich: score of player is at least 2
rules:
  game:
    deal: {deal: cards, to: players, as: hand}
    pick: {ask: ann, for: {chosen: players}, seen by: all}
    pay:  {set: {score of chosen: 1}}
    over: {end: players where it is rich}
"""


@pytest.fixture
def house(tmp_path):
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")

    def write(text, name="house"):
        path = tmp_path / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def found(path):
    return [(p.code, p.place.source.name.rsplit("/", 1)[-1], p.place.line, p.only) for p in find_problems(path)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("extends: base\nname: X\nrules:\n  game:\n    pick: {remove: true}\n", 5),
        ("extends: base\nname: X\nstate:\n  score of player: {is: card}\n", 4),
        ("extends: base\nname: X\nwords:\n  player is poor: true\n  player is rich: hand of player\n", 5),
        ("extends: base\nname: X\nstate:\n  mood of player: {is: number, seen by: all}\n  hand of player: {is: number}\n", 5),
    ],
)  # fmt: skip
def test_a_change_that_breaks_something_else_is_blamed_itself(house, text, line):
    problems = found(house(text))
    assert problems and {(name, at) for _, name, at, _ in problems} == {("house.yaml", line)}


def test_what_is_broken_and_where_is_told(house):
    (only,) = find_problems(house("extends: base\nname: X\nrules:\n  game:\n    pick: {remove: true}\n"))
    assert only.code == "through_change"
    assert "chosen" in only.message() and "base.yaml:17" in only.message()
    assert "rules/game/pay/set/score of chosen" in only.remedy()


def test_whoever_only_wants_to_play_is_told_the_same(house):
    with pytest.raises(RulesError) as caught:
        load_game(house("extends: base\nname: X\nrules:\n  game:\n    pick: {remove: true}\n"))
    assert [p.place.source.name.rsplit("/", 1)[-1] for p in caught.value.problems] == ["house.yaml"]


def test_a_mistake_of_the_parent_stays_there(house):
    house(BASE.replace("is rich}", "is ritch}"), "base")
    (problem,) = find_problems(house("extends: base\nname: X\nwords: {player is poor: false}\n"))
    assert problem.place.source.name.endswith("base.yaml")


def test_a_mistake_is_told_once_and_for_which_number_of_players(house):
    everywhere = found(house("extends: base\nname: X\nwords:\n  player is poor: hand of playr is low\n"))
    assert [(line, only) for _, _, line, only in everywhere] == [(4, ())]
    some = "extends: base\nname: X\nplayers:\n  3:\n    words:\n      player is poor: hand of playr is low\n"
    assert [(line, only) for _, _, line, only in found(house(some))] == [(6, (3,))]
    (problem,) = find_problems(house(some))
    assert problem.message().startswith("With 3 players: ")


# --- two parents ------------------------------------------------------------------------------------------------------
ONE = "extends: base\nname: One\nthings: {card: {members: {low: {rank: 5}}}}\n"


@pytest.mark.parametrize(
    ("other", "quarrel"),
    [
        ("things: {card: {members: {low: {rank: 6}}}}", True),
        ("things: {card: {members: {low: {rank: 5}}}}", False),
        ("things: {card: {members: {high: {rank: 6}}}}", False),
        ("things: {card: {replace: {columns: {rank: number}, members: {a1: {rank: 1}, b1: {rank: 2}, c1: {rank: 3}}}}}", True),
        ("rules: {game: {hello: {before: deal, say: Hello.}}}", False),
    ],
)  # fmt: skip
def test_two_parents_that_say_different_things_of_one_part_are_shown(house, other, quarrel):
    house(ONE, "one")
    house(f"extends: base\nname: Other\n{other}\n", "other")
    problems = find_problems(house("extends: [one, other]\nname: Both\n"))
    assert [p.code for p in problems] == ["quarrel"] * quarrel
    for problem in problems:
        assert "one.yaml" in problem.message() and "other.yaml" in problem.message()


def test_the_child_settles_what_its_parents_quarrel_about(house):
    house(ONE, "one")
    house(ONE.replace("rank: 5", "rank: 6").replace("One", "Other"), "other")
    path = house("extends: [one, other]\nname: Both\nthings: {card: {members: {low: {rank: 7}}}}\n")
    assert find_problems(path) == []


def test_what_both_parents_extend_is_no_quarrel(house):
    house("extends: base\nname: One\nthings: {card: {members: {low: {rank: 5}}}}\n", "one")
    house("extends: one\nname: Two\nrules: {game: {hello: {before: deal, say: Hello.}}}\n", "two")
    house("extends: one\nname: Three\nthings: {card: {members: {low: {rank: 9}}}}\n", "three")
    assert find_problems(house("extends: [two, three]\nname: Both\n")) == []
