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


STOPS = {
    "an empty pool that all know": ("never", "ask: ann, for: {taken: heap}, if none: never"),
    "an offer that never holds": (
        "never",
        "ask: ann, for: {taken: cards}, where: taken is not in cards, if none: never",
    ),
    "nothing to draw": ("never", "draw: 1, from: heap, as: taken, if none: never"),
    "what is moved is not there": ("there", "move: rope, from: heap, to: heap"),
    "nothing on top": ("there", "move: first of heap, from: heap, to: heap"),
    "somebody who is nobody": ("unset", "set: {coins of chief: 1}"),
    "a sum with nothing in it": ("unset", "set: {total: (largest of worth of heap) plus 1}"),
    "what is asked of nothing": ("unset", "call: look of mark"),
    "too large a product": ("bounds", "set: {total: (total plus 999999999) times 999999999}"),
    "too many numbers": ("bounds", "set: {total: count of (0 to (5000 plus total))}"),
    "a plan that cannot be made": (
        "plan",
        "plan: ann, do: {p: {ask: ann, for: {x: cards}}}, must: {m: x is not in cards}",
    ),
}
STOPPING = """
name: A game that stops
players: {{2: {{}}}}
things:
  player: [ann, bob]
  card: {{columns: {{worth: number}}, members: {{rope: {{worth: 1}}, coin: {{worth: 2}}}}}}
seats: players
state:
  heap:            {{is: list of card, seen by: all}}
  mark:            {{is: card, seen by: all}}
  chief:           {{is: player, seen by: all}}
  coins of player: {{is: number, seen by: nobody}}
  total:           {{is: number, seen by: nobody}}
rules:
  game:
    first: {{ask: ann, for: {{wish: cards}}}}
    then:
      if: wish is rope
      then: {{step: {{{}}}}}
    last: {{ask: ann, for: {{other: cards}}}}
  look of card:
    up: {{set: {{total: worth of card}}}}
"""


@pytest.mark.parametrize("what", STOPS)
def test_what_stops_the_game_after_a_choice_that_others_do_not_see_is_listed(what, tmp_path):
    reason, step = STOPS[what]
    text = STOPPING.format(step)
    if "call: look" not in step:
        text = text[: text.index("  look of card")]
    path = tmp_path / "stops.yaml"
    path.write_text(text, encoding="utf-8")
    assert reason in {a.reason for a in load_game(path).assumed}


DRAWN = """
name: Cards and coins
players: {3: {}}
things:
  player: [ann, bob, cleo]
  card:
    columns: {worth: number, copies: number}
    members: {rope: {worth: 1, copies: 2}, coin: {worth: 2, copies: 1}, lamp: {worth: 3, copies: 1}, map: {worth: 3, copies: 1}}
  spot: {grid: {file: 3, rank: 2}}
seats: players
links:
  close of spot: {steps: [[1, 0], [0, 1]]}
state:
  mission of player: {is: card, seen by: player}
  purse of player:   {is: number, start: 3, seen by: player}
  gold of player:    {is: number, start: 3, seen by: all}
  deck:              {is: pile of card, start: cards as often as copies, seen by: nobody, count seen by: all}
  hand of player:    {is: pile of card, seen by: player, count seen by: all}
  row:               {is: list of card, start: [rope, coin, lamp], seen by: nobody, count seen by: all, top seen by: ann}
  well:              {is: list of card, start: [rope, coin, lamp], seen by: nobody, contents seen by: all}
  table:             {is: list of card, seen by: all}
  place of player:   {is: spot, start: a1, seen by: player}
  book:              {is: number, seen by: nobody}
  vote of player:    {is: card, seen by: all}
rules:
  game:
    missions: {deal: cards, to: players, as: mission}
    hands: {deal: deck, to: players, each: 1, as: hand}
    mix: {shuffle: row}
    stir: {shuffle: well}
    bet: {ask: bob, for: {coins: 0 to 2}}
    pay: {set: {purse of bob: purse of bob minus coins}}
    walk: {ask: bob, for: {target: close of place of bob}, if none: never}
    go: {set: {place of bob: target}}
    count: {for each: someone in players, do: {one: {set: {book: book plus 1}}}}
    open: {ask: cleo, for: {said: cards}, seen by: all}
"""
LEAKING = [
    "step: {ask: bob, for: {theory: {match: players, with: cards}}, where: theory of ann is mission of ann, if none: {}}",
    'step: {say: "{n} in all.", with: {n: sum of purse of players}}',
    'step: {say: "{best}", with: {best: players with the highest purse}}',
    "step: {by: mission of ann, cases: {rope: {a: {set: {gold of ann: 1}}}}, else: {c: {set: {gold of ann: 3}}}}",
    'step: {for each: one_card in well, do: {t: {say: "{one_card}"}}}',
    'step: {say: "{t}", with: {t: first of well}}',
    'step: {say: "{t}", with: {t: first of row}, to: bob}',
    "step: {ask: bob, between: {wait: {pass: true}, claim: {if: mission of ann is rope}}, seen by: all}",
    "step: {ask: bob, for: {x: {some of: cards, how many: worth of mission of ann}}, if none: {}}",
    "step: {ask: p in players, for: {x: cards without mission of ann}, as: vote, if none: never}",
    "step: {ask: ann, for: {x: close within 2 steps of place of bob}, seen by: all, if none: never}",
    "step: {set: {gold of bob: coins divided by 2}}",
    "step: {ask: bob, for: {x: {from: cards, seen by: all}, y: hand of bob}, where: worth of y is worth of x, if none: {}}",
    "step: {draw: worth of mission of ann, from: deck, as: got, if none: {}}",
    "step: {move: mission of ann, from: deck, to: table}",
    "step: {plan: bob, do: {a: {ask: bob, for: {x: bob and ann}, seen by: all}, b: {ask: x, for: {y: cards}}}, must: {}}",
]
OPEN = [
    'step: {say: "{best}", with: {best: players with the highest gold}}',
    "step: {by: said, cases: {rope: {a: {set: {gold of ann: 1}}}}, else: {b: {set: {gold of ann: 2}}}}",
    'step: {say: "{n}", with: {n: count of (well where it is rope)}}',
    "step: {if: rope is in well, then: {g: {set: {gold of ann: 1}}}}",
    "step: {draw: 1, from: well, as: found, seen by: all, if none: never}",
    'step: {say: "{t}", with: {t: first of row}, to: ann}',
    "step: {ask: bob, between: {wait: {pass: true}, claim: {if: mission of bob is rope}}}",
    "step: {if: count of hand of ann is 1, then: {g: {set: {gold of ann: 1}}}}",
    "step: {ask: bob, for: {x: {some of: hand of bob, how many: at most 1}}, seen by: all, if none: {}}",
    "step: {ask: p in players, for: {x: cards without mission of p}, as: vote, if none: never}",
    "step: {set: {gold of ann: book}}",
    "step: {ask: bob, for: {fish: hand of bob}, seen by: all, if none: never}\n"
    "    lay: {move: fish, from: hand of bob, to: table}",
    "step: {draw: 1, from: deck, as: up, seen by: all, if none: never}",
    "step: {if: mission of ann is rope and mission of ann is coin, then: {g: {say: Never.}}}",
]


@pytest.mark.parametrize("step", LEAKING)
def test_what_a_step_more_would_tell_is_found(step, tmp_path):
    path = tmp_path / "leaking.yaml"
    path.write_text(f"{DRAWN}    {step}\n", encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_game(path)
    assert {p.code[:6] for p in caught.value.problems} == {"tells_"}


@pytest.mark.parametrize("step", OPEN)
def test_what_all_may_know_is_accepted_and_nothing_assumed(step, tmp_path):
    path = tmp_path / "open.yaml"
    path.write_text(f"{DRAWN}    {step}\n", encoding="utf-8")
    assert [a for a in load_game(path).assumed if a.step.startswith("game/step")] == []


def test_a_game_from_the_cache_knows_what_was_assumed():
    first, again = (load_game("venice-2013") for _ in range(2))
    told = [[(a.step, a.reason, a.secret, str(a.place)) for a in game.assumed] for game in (first, again)]
    assert told[0] == told[1]
    assert [a.step for a in first.assumed] == ["giving/cards"]


def test_what_is_wrong_with_the_options_of_people_is_told_and_not_passed_over(tmp_path):
    path = tmp_path / "told.yaml"
    path.write_text(
        """
name: Told
players: {3: {}}
things: {player: [ann, bob, cleo], card: [rope, coin, lamp]}
seats: players
options: {talk: {is: yes or no, default: false, with people: true}}
state: {hand of player: {is: card, seen by: player}}
rules:
  game:
    cards: {deal: cards, to: players, as: hand}
    talk:
      if: talk
      then:
        wink:
          ask: ann
          for: {whom: players without ann}
          if none: never
        see: {show: hand of ann, to: whom, as: seen, text: "{whom} is shown {seen}."}
    over: {end: nobody}
""",
        encoding="utf-8",
    )
    assert load_game(path).options["talk"].value is False
    with pytest.raises(RulesError):
        load_game(path, people=True)
