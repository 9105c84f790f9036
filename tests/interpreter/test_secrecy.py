"""What the check accepts cannot leak, and what is honest it accepts: see docs/secrecy.md.

The files under `leaks` are named after what gives the secret away; each says on top who could tell what. Those under
`honest` give nothing away, although one has to look twice.
"""

import re
from pathlib import Path

import pytest
from tabarro.interpreter import RulesError, load_game
from tabarro.interpreter.messages import MESSAGES

HERE = Path(__file__).parent
LEAKS = sorted((HERE / "leaks").glob("*.yaml"))
HONEST = sorted((HERE / "honest").glob("*.yaml"))
TELLS = re.compile(r"# tells: (\w+) of (.+)")


@pytest.mark.parametrize("path", LEAKS, ids=lambda path: path.stem)
def test_a_leak_is_refused_and_the_message_says_who_could_tell_what(path):
    who, secret = TELLS.match(path.read_text(encoding="utf-8")).groups()
    with pytest.raises(RulesError) as caught:
        load_game(path)
    assert all(p.code.startswith("tells_") for p in caught.value.problems)
    assert (who, secret) in {(p.args["who"], p.args["secret"]) for p in caught.value.problems}
    for problem in caught.value.problems:
        said = problem.message()
        assert problem.args["who"] in said and problem.args["secret"] in said
        assert problem.remedy()
        assert problem.place.source.name.endswith(path.name) and problem.place.line > 1


@pytest.mark.parametrize("path", HONEST, ids=lambda path: path.stem)
def test_what_is_honest_is_accepted_without_annotation(path):
    assert load_game(path).assumed == ()


RUMOUR = """
extends: venice-2013
name: Rumours
rules:
  turn of player:
    rumour: {after: begin, %s}
"""
RUMOURS = {
    "a draw from what one is": "draw: 1, from: identities where it is identity of red, as: rumour, seen by: all, if none: never",
    "a text about a letter": 'say: "{what}", with: {what: letter of blue}',
    "a text to those of a side": "say: Beware., to: players where side of it is lords and side of red is lords",
    "a question to the tall one": "if: build of green is tall, then: {nap: {ask: green, between: {a_nap: , no_nap: }}}",
}


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("rumour", RUMOURS)
def test_one_step_more_in_a_game_of_ours_is_refused_if_it_leaks(rumour, players, tmp_path):
    path = tmp_path / "rumours.yaml"
    path.write_text(RUMOUR % RUMOURS[rumour], encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_game(path, players)
    assert {p.place.source.name.rsplit("/", 1)[-1] for p in caught.value.problems} == {"rumours.yaml"}


ASSUMED = """
name: A game of secrets
players: {{2: {{}}}}
things:
  player: [ann, bob]
  card: {{columns: {{worth: number}}, members: {{rope: {{worth: 1}}, coin: {{worth: 2}}, lamp: {{worth: 3}}}}}}
seats: players
state:
  mission of player: {{is: card, seen by: player}}
  mark: {{is: card, seen by: nobody}}
  sum:  {{is: number, start: 1, seen by: nobody}}
rules:
  game:
    deal: {{deal: cards, to: players, as: mission}}
    step: {{{}}}
    next: {{ask: ann, for: {{wish: cards}}, if none: never}}
"""
ASSUMPTIONS = {
    "never": "draw: 1, from: cards where it is mission of ann and it is not rope, as: found, if none: never",
    "ends": "repeat: {roll: {draw: 1, from: cards, as: found}}, until: found is mission of ann",
    "bounds": "repeat: {roll: {draw: 1, from: cards, as: found}, grow: {set: {sum: sum times worth of found}}}, "
    "until: found is rope",
    "unset": "if: mission of ann is rope, then: {put: {set: {mark: rope}}}, else: {count: {set: {sum: worth of mark}}}",
}


@pytest.mark.parametrize("reason", ASSUMPTIONS)
def test_what_cannot_be_proved_is_listed(reason, tmp_path):
    path = tmp_path / "assumed.yaml"
    path.write_text(ASSUMED.format(ASSUMPTIONS[reason]), encoding="utf-8")
    game = load_game(path)
    assert reason in {a.reason for a in game.assumed}
    assert all(a.step.startswith("game/step") and a.place.line == 15 for a in game.assumed)
    assert {f"assumed_{a.reason}" for a in game.assumed} <= set(MESSAGES)


def test_a_game_from_the_cache_knows_what_was_assumed():
    first, again = (load_game("venice-2013") for _ in range(2))
    told = [[(a.step, a.reason, a.secret, str(a.place)) for a in game.assumed] for game in (first, again)]
    assert told[0] == told[1]
    assert [a.step for a in first.assumed] == ["giving/cards"]
