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


# --- names that are not there -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "line", "meant"),
    [
        ("extends: base\nname: X\nrules:\n  game:\n    pcik: {say: Hello.}\n", 5, "pick"),
        ("extends: base\nname: X\nrules:\n  gmae:\n    pick: {say: Hello.}\n", 4, "game"),
        ("extends: base\nname: X\nstate:\n  scor of player: {is: number, seen by: all}\n", 4, "score of player"),
        ("extends: base\nname: X\nwords:\n  player is rihc: true\n", 4, "player is rich"),
        ("extends: base\nname: X\nthings:\n  card:\n    members:\n      higth: {rank: 9}\n", 6, "high"),
        ("extends: base\nname: X\nrules: {game: {pick: {for: {chosem: cards}}}}\n", 3, "chosen"),
        ("extends: base\nname: X\nchange:\n  game/pcik/ask: bob\n", 4, "pick"),
        ("extends: base\nname: X\nchange:\n  crad/low/rank: 4\n", 4, "card"),
        ("extends: base\nname: X\nremove: [card/hihg]\n", 3, "high"),
        ("extends: base\nname: X\nremove:\n- player/bbo\n", 4, "bob"),
    ],
)  # fmt: skip
def test_a_misspelt_name_is_not_taken_for_something_new(house, text, line, meant):
    first = find_problems(house(text))[0]
    assert (first.place.source.name.rsplit("/", 1)[-1], first.place.line) == ("house.yaml", line)
    assert f"“{meant}”" in first.message() + first.remedy()


@pytest.mark.parametrize(
    ("said", "short"),
    [
        ("rules: {game: {pay: {set: {score of chosen: 2}}}}", "change: {game/pay/set/score of chosen: 2}"),
        ("things: {card: {members: {low: {rank: 7}}}}", "change: {low/rank: 7}"),
        ("words: {player is rich: score of player is 1}", "change: {player is rich: score of player is 1}"),
        ("rules: {game: {pick: {remove: true}, pay: {remove: true}}}", "remove: [pick, game/pay]"),
        ("state: {mood of player: {is: number, seen by: all}}", "add: {state: {mood of player: {is: number, seen by: all}}}"),
        ("rules: {game: {hello: {before: deal, say: Hello.}}}", "add: {rules: {game: {hello: {before: deal, say: Hello.}}}}"),
        ("things: {player: [ann, bob, dora]}", "add: {things: {player: [dora]}}"),
        ("things: {player: [ann, bob, dora]}", "add: {things/player: [dora]}"),
        ("things: {card: {members: {best: {rank: 9}}}}", "add: {card/best: {rank: 9}}"),
        ("rules: {game: {hello: {before: deal, say: Hello.}}}", "add: {game/hello: {before: deal, say: Hello.}}"),
        ("rules: {game: {pick: {for: {more: cards}}}}", "add: {pick/more: cards}"),
        ("things: {player: [ann, bob, dora]}", "language: ca\nafegeix: {things/player: [dora]}"),
        ("words: {player is rich: score of player is 1}", "language: ca\ncanvia: {player is rich: score de player és 1}"),
        ("rules: {game: {hello: {before: deal, say: {ca: Hola.}}}}", "language: ca\nafegeix: {game/hello: {abans de: deal, digues: Hola.}}"),
    ],
)  # fmt: skip
def test_what_is_said_by_a_path_is_what_is_said_in_sections(house, said, short):
    from tabarro.interpreter.resolve import Library

    one = house(f"extends: base\nname: X\n{said}\n", "one")
    begin = "language: ca\namplia: base\nnom: X" if short.startswith("language") else "extends: base\nname: X"
    other = house(f"{begin}\n{short.removeprefix('language: ca').strip()}\n", "other")
    assert Library(()).resolve(one, 2).digest == Library(()).resolve(other, 2).digest


def test_members_of_a_list_and_numbers_of_players_can_be_taken_out(house):
    path = house("extends: base\nname: X\nremove: [card/low, players/3]\n")
    game = load_game(path)
    assert [a.name for a in game.vocabulary.atoms if a.name in ("low", "high", "top")] == ["high", "top"]
    with pytest.raises(RulesError):
        load_game(path, 3)
    three = house(
        "extends: base\nname: Y\nremove: [players/3]\nadd: {players: {4: {things: {player: [ann, bob, cleo, dora]}}}}\n"
    )
    assert load_game(three, 4).players == 4


def test_what_is_added_must_be_new_and_what_is_new_may_look_like_something_else(house):
    (problem,) = find_problems(house("extends: base\nname: X\nadd: {words: {player is rich: true}}\n"))
    assert problem.code == "add_exists"
    (problem,) = find_problems(house("extends: base\nname: X\nadd: {things: {player: [bob]}}\n"))
    assert problem.code == "add_exists"
    assert find_problems(house("extends: base\nname: X\nadd: {words: {player is ricf: true}}\n")) == []


def test_parents_quarrel_however_they_say_it(house):
    house("extends: base\nname: One\nchange: {low/rank: 5}\n", "one")
    house("extends: base\nname: Two\nthings: {card: {members: {low: {rank: 6}}}}\n", "two")
    house("extends: base\nname: Three\nremove: [card/low]\n", "three")
    for parents in ("one, two", "two, three", "one, three"):
        problems = find_problems(house(f"extends: [{parents}]\nname: Both\n"))
        assert [p.code for p in problems] == ["quarrel"], parents
    assert find_problems(house("extends: [one, two]\nname: Both\nchange: {low/rank: 8}\n")) == []


# --- what is said for one number of players, and links ----------------------------------------------------------------
BRIDGES = BASE.replace(
    "seats: players",
    """seats: players
links:
  roads of card: [[low, high], [high, top]]""",
)


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("add: {roads: [[low, top]]}", 3),
        ("add: {links: {roads of card: [[low, top]]}}", 3),
        ("remove: [roads/low-high]", 1),
        ("remove: [roads/high-low]", 1),
    ],
)
def test_neighbours_are_added_and_taken_out_pair_by_pair(house, text, pairs):
    house(BRIDGES, "base")
    path = house(f"extends: base\nname: X\n{text}\n")
    assert find_problems(path) == []
    near = load_game(path).vocabulary.functions["roads of _"][0].values
    assert sum(map(len, near.values())) == 2 * pairs


def test_a_pair_that_is_not_there_is_met_with_one_that_is(house):
    house(BRIDGES, "base")
    (problem,) = find_problems(house("extends: base\nname: X\nremove: [roads/low-hihg]\n"))
    assert problem.place.line == 3 and "“low-high”" in problem.remedy()


def test_a_misspelt_name_is_found_for_a_number_of_players_too(house):
    path = house("extends: base\nname: X\nplayers: {3: {rules: {gmae: {hi: {say: Hello.}}}}}\n")
    (problem,) = find_problems(path)
    assert (problem.code, problem.place.line) == ("near_name", 3) and "“game”" in problem.remedy()


def test_what_two_files_take_out_for_one_number_of_players_is_taken_out(house):
    house(
        "extends: base\nname: One\nplayers: {3: {remove: [card/low], add: {things/card/members: {a1: {rank: 4}}}}}\n",
        "one",
    )
    path = house("extends: one\nname: X\nplayers: {3: {remove: [card/top], add: {card/b1: {rank: 5}}}}\n")
    assert [a.name for a in load_game(path, 3).vocabulary.atoms if a.set == "card"] == ["high", "a1", "b1"]


def test_of_several_lines_the_one_is_blamed_that_does_it(house):
    text = "extends: base\nname: X\nchange:\n  low/rank: 4\n  hand/is: number\nremove:\n  - card/low\n  - game/pick\n"
    assert {line for _, _, line, _ in found(house(text))} == {5, 8}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("change:\n  game/pick/seen by: [[1]]\n", 4),
        ("change:\n  game/pick/sean by: all\n", 4),
        ("add:\n  game/hello: {sya: Hello.}\n", 4),
        ("add:\n  game/pick: {say: Hello.}\n", 4),
        ("add:\n  wrods: {player is poor: true}\n", 4),
        ("add:\n  gaem/hello: {say: Hello.}\n", 4),
    ],
)
def test_what_stands_at_a_path_is_looked_at_like_what_stands_in_a_section(house, text, line):
    problems = find_problems(house(f"extends: base\nname: X\n{text}"))
    assert problems and {(p.place.source.name.rsplit("/", 1)[-1], p.place.line) for p in problems} == {
        ("house.yaml", line)
    }
    assert all(p.remedy() for p in problems)
