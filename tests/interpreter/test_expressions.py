"""The expression language, form by form: what each says about one small table, worked out by hand.

Every expression is valued twice: as its plain meaning (evaluate.py) and as compiled Python (source.py).
"""

from itertools import combinations, permutations, product

import pytest
from tabarro.interpreter import RulesError, load_game
from tabarro.interpreter.check import Scope
from tabarro.interpreter.errors import Place
from tabarro.interpreter.errors import Source as Text
from tabarro.interpreter.evaluate import evaluate
from tabarro.interpreter.model import Var
from tabarro.interpreter.parse import parse
from tabarro.interpreter.runtime import RUNTIME
from tabarro.interpreter.slots import HEADER
from tabarro.interpreter.source import SourceBuilder

GAME = """
name: A small table
players: {3: {}}
options:
  strict: {is: yes or no, default: true}
  limit: {is: number, default: 4, from: 0, to: 9}
  mood: {is: [calm, wild], default: wild}
things:
  player: [ann, bob, cem]
  build: [tall, short]
  colour: [red, blue, green]
  figure: {each: [player, build]}
  guest: [duke]
  piece: {any of: [figure, guest]}
  way: [land, water]
  space:
    numbered by: mark
    columns: {mark: number, shelter: yes or no, exits: set of way, twin: space or nothing}
    members:
      harbour: {mark: 1, exits: [land, water], twin: tower}
      bridge:  {mark: 2, exits: [land, water]}
      market:  {mark: 5, exits: [land], shelter: true}
      tower:   {mark: 8, twin: harbour}
  ball:
    columns: {copies: number, moves for player: set of piece}
    members:
      orange: {copies: 2, moves: figures of player}
      black:  {copies: 1, moves: duke}
      white:  {copies: 0, moves: figures of rivals of player}
seats: players
links:
  roads of space: [[harbour, bridge], [bridge, market]]
  neighbours of space along way:
    land: [[harbour, bridge], [bridge, market]]
    water: [[bridge, tower]]
tables:
  partner of player: {is: player or nothing, rows: {ann: bob, bob: ann, cem: nothing}}
  price of space by way:
    is: number
    rows:
      harbour: {land: 1, water: 2}
      bridge: {land: 3, water: 4}
      market: {land: 5, water: 6}
      tower: {land: 7, water: 8}
  prize of player for colour:
    is: number
    rows:
      {ann-red: 10, ann-blue: 20, ann-green: 30, bob-red: 0, bob-blue: 0, bob-green: 0, cem-red: 1, cem-blue: 2,
       cem-green: 3}
  wish of player for build about piece:
    is: yes or no
    rows:
      ann-tall: piece is on harbour
      ann-short: piece is with duke
      bob-tall: piece is lost
      bob-short: no figure is lost
      cem-tall: piece is a guest
      cem-short: piece is not duke
state:
  bag: {is: pile of ball, start: [black, orange, orange], seen by: nobody}
  place of piece:   {is: space or nothing, seen by: all}
  purse of player:  {is: number, seen by: all}
  hand of player:   {is: set of colour, seen by: all}
  row:              {is: list of colour, seen by: all}
  leader:           {is: player or nothing, seen by: all}
  absent:           {is: player or nothing, seen by: all}
  player is asleep: {is: yes or no, seen by: all}
words:
  rivals of player: {means: players where it is not player, one: rival}
  figure is on space: place of figure is space
  guest is on space:  place of guest is space and strict
  piece is with piece called other: place of piece is place of other and not (place of piece is nothing)
  piece is lost: place of piece is nothing
  strength of figure: purse of player of figure plus 1
  strength of guest: 7
  pieces at space: pieces where place of it is space
  both of player with player called other: purse of player plus purse of other
rules:
  game:
    places:
      set:
        place of ann_tall: harbour
        place of ann_short: market
        place of bob_tall: harbour
        place of bob_short: tower
        place of cem_tall: market
        place of duke: market
    rest:
      set:
        purse of ann: 3
        purse of cem: 5
        hand of ann: red or blue
        hand of bob: red
        row: row plus red
        leader: bob
        bob is asleep: true
    second: {set: {row: row plus blue}}
    third: {set: {row: row plus red}}
    wait: {ask: ann, for: {thought: colours}}
    over: {end: nobody}
"""
FIGURES = {"ann_tall", "ann_short", "bob_tall", "bob_short", "cem_tall", "cem_short"}
PIECES = FIGURES | {"duke"}

# Names in the scope, whose values are not known when the expression is compiled.
GIVEN = {
    "me": ("player", "ann"),
    "you": ("player", "cem"),
    "mine": ("piece", "ann_short"),
    "here": ("space", "market"),
    "tint": ("colour", "red"),
    "token": ("ball", "white"),
    "path": ("way", "water"),
    "someone": ("player", None),
}

MEANINGS = {
    # names, numbers, nothing
    "ann": "ann",
    "me": "ann",
    "7": 7,
    "nothing": None,
    "none": set(),
    "nobody": set(),
    "the ann": "ann",
    "players": {"ann", "bob", "cem"},
    "all": {"ann", "bob", "cem"},
    "someone": None,
    "strict": True,
    "limit": 4,
    "mood": "wild",
    "mood is wild": True,
    "mood is calm": False,
    "leader": "bob",
    "absent": None,
    "row": ["red", "blue", "red"],
    "space 5": "market",
    "space 1": "harbour",
    "place of duke is space 5": True,
    "mark of space 8": 8,
    # functions: state, columns, tables, links, products
    "purse of ann": 3,
    "purse of me": 3,
    "purse of bob": 0,
    "purse of leader": 0,
    "purse of partner of bob": 3,
    "place of cem_short": None,
    "mark of place of duke": 5,
    "mark of place of cem_short": None,
    "purse of someone": None,
    "purse of absent": None,
    "purse of partner of cem": None,
    "twin of harbour": "tower",
    "twin of bridge": None,
    "twin of twin of here": None,
    "mark of twin of tower": 1,
    "shelter of market": True,
    "shelter of tower": False,
    "exits of bridge": {"land", "water"},
    "exits of tower": set(),
    "price of bridge by water": 4,
    "price of here by path": 6,
    "price of place of duke by land": 5,
    "price of place of cem_short by land": None,
    "prize of ann for blue": 20,
    "prize of me for tint": 10,
    "prize of you for green": 3,
    "prize of leader for red": 0,
    "roads of bridge": {"harbour", "market"},
    "roads of tower": set(),
    "roads of here": {"bridge"},
    "neighbours of bridge along water": {"tower"},
    "neighbours of bridge along path": {"tower"},
    "neighbours of bridge along ways": {"harbour", "market", "tower"},
    "neighbours of tower along (land or water)": {"bridge"},
    "player of ann_tall": "ann",
    "build of ann_short": "short",
    "any piece is a figure and strict": True,
    "figures of ann": {"ann_tall", "ann_short"},
    "figures of tall": {"ann_tall", "bob_tall", "cem_tall"},
    "figures of rivals of me": {"bob_tall", "bob_short", "cem_tall", "cem_short"},
    "figures of (ann or cem)": {"ann_tall", "ann_short", "cem_tall", "cem_short"},
    "player of figures": {"ann", "bob", "cem"},
    "player of figures of tall": {"ann", "bob", "cem"},
    "hand of players": {"red", "blue"},
    # conditions
    "strict and limit is 4": True,
    "strict and limit is 5": False,
    "limit is 5 or strict": True,
    "not strict": False,
    "not (limit is 5 or not strict)": True,
    "not limit is 5 and strict": True,
    "limit is not 4": False,
    "me is ann": True,
    "me is you": False,
    "me is not you": True,
    "someone is nothing": True,
    "leader is nothing": False,
    "leader is someone": False,
    "absent is someone": True,
    "place of cem_short is nothing": True,
    "place of cem_short is not nothing": False,
    "place of mine is here": True,
    "if strict then red else blue": "red",
    "if me is you then 1 else 2": 2,
    "if leader is bob then nothing else me": None,
    "if leader is ann then red else (if leader is bob then blue else green)": "blue",
    # comparing numbers
    "purse of ann is at least 3": True,
    "purse of ann is at least 4": False,
    "purse of ann is at most 3": True,
    "purse of ann is at most 2": False,
    "purse of ann is more than 2": True,
    "purse of ann is more than 3": False,
    "purse of ann is less than 4": True,
    "purse of ann is less than 3": False,
    "purse of ann is exactly 3": True,
    "purse of ann is exactly purse of bob": False,
    # sums
    "purse of ann plus 2": 5,
    "purse of ann minus purse of cem": -2,
    "purse of ann times purse of cem": 15,
    "10 minus 3 minus 2": 5,
    "10 minus (3 minus 2)": 9,
    "2 plus 3 times 4": 20,
    "both of me with you": 8,
    # sets
    "red or blue": {"red", "blue"},
    "red or blue or red": {"red", "blue"},
    "ann or leader": {"ann", "bob"},
    "me or absent": {"ann"},
    "hand of ann plus green": {"red", "blue", "green"},
    "hand of you plus hand of bob": {"red"},
    "colours without red": {"blue", "green"},
    "colours without hand of me": {"green"},
    "hand of cem without red": set(),
    "players without leader": {"ann", "cem"},
    "players without absent": {"ann", "bob", "cem"},
    "figures without figures of you": FIGURES - {"cem_tall", "cem_short"},
    "pieces without figures": {"duke"},
    "red is in hand of ann": True,
    "tint is in hand of you": False,
    "green is not in hand of ann": True,
    "leader is in (ann or bob)": True,
    "absent is in players": False,
    "me is in none": False,
    "hand of bob is within hand of ann": True,
    "hand of ann is within hand of bob": False,
    "hand of ann is not within hand of bob": True,
    "hand of cem is within hand of bob": True,
    "red is within hand of bob": True,
    "hand of ann is (blue or red)": True,
    "hand of cem is none": True,
    "mine is a figure": True,
    "duke is a guest": True,
    "mine is a guest": False,
    "mine is not a guest": True,
    "count of hand of ann": 2,
    "count of players": 3,
    "count of hand of cem": 0,
    "count of (red or blue)": 2,
    # where, its
    "players where it is not me": {"bob", "cem"},
    "players where its purse is more than 2": {"ann", "cem"},
    "pieces where it is on market": {"ann_short", "cem_tall", "duke"},
    "players where it is asleep": {"bob"},
    "spaces where its mark is at least 5 and not its shelter": {"tower"},
    "spaces where land is in its exits": {"harbour", "bridge", "market"},
    "figures where player of it is leader": {"bob_tall", "bob_short"},
    "figures of me where it is on harbour": {"ann_tall"},
    "pieces at harbour": {"ann_tall", "bob_tall"},
    "the only players where it is asleep": "bob",
    "the only players where it is not asleep": None,
    "only players where its purse is 9": None,
    "the only hand of bob": "red",
    "only (hand of ann without red)": "blue",
    # quantifiers
    "any player is asleep": True,
    "every player is asleep": False,
    "no player is asleep": False,
    "any figure is on market": True,
    "every figure is on market": False,
    "no figure is on bridge": True,
    "any figure of me is on market": True,
    "every figure of me is on market": False,
    "no figure of bob is lost": True,
    "any colour in hand of cem is red": False,
    "every colour in hand of cem is red": True,
    "no colour in hand of bob is blue": True,
    "at least 2 figures of me is lost": False,
    "at least 2 pieces are on market": True,
    "at least 4 pieces are on market": False,
    "exactly 3 pieces are on market": True,
    "at most 2 pieces are on market": False,
    "more than 2 pieces are on market": True,
    "less than 3 pieces are on market": False,
    "exactly 0 figures are on bridge": True,
    "at least (purse of bob) figures are on bridge": True,
    "any rival of me is asleep": True,
    "any rival of bob is asleep": False,
    "every rival of bob is not asleep": True,
    "any player called other such that purse of other is 5": True,
    "every space such that mark of space is at least 2": False,
    "no figure such that figure is with duke and player of figure is bob": True,
    "exactly 1 player called x such that red is in hand of x and not (x is asleep)": True,
    "any space called s such that every figure of me is on s": False,
    "any space called s such that any figure of me is on s and any figure of cem is on s": True,
    "duke is with any figure": True,
    "duke is with every figure": False,
    "duke is with no figure": False,
    "duke is not with any figure": False,
    "bob_short is with any figure of me": False,
    "bob_short is with no figure of me": True,
    "mine is with any figure of cem": True,
    "ann_tall is with another figure": True,
    "bob_short is with another figure": False,
    "bob_short is with any figure": True,
    "ann_tall is with another figure of me": False,
    "leader is any player": True,
    "leader is another player": False,
    # no two share
    "no two figures share a place": False,
    "no two figures of me share a place": True,
    "no two figures of bob share a build": True,
    "no two figures of rivals of me share a build": False,
    "no two players share a purse": True,
    # words with a meaning per type
    "ann_tall is on harbour": True,
    "duke is on market": True,
    "mine is on here": True,
    "mine is on harbour": False,
    "strength of ann_tall": 4,
    "strength of duke": 7,
    "strength of mine": 4,
    "any piece is on tower": True,
    "every piece in (ann_short or duke) is on market": True,
    "pieces where its strength is 7": {"duke"},
    "pieces where its strength is more than 5": {"duke", "cem_tall", "cem_short"},
    "mine is with duke": True,
    "cem_short is with cem_short": False,
    # columns and tables that are formulas
    "moves of orange for me": {"ann_tall", "ann_short"},
    "moves of black for me": {"duke"},
    "moves of white for ann": {"bob_tall", "bob_short", "cem_tall", "cem_short"},
    "moves of token for you": {"ann_tall", "ann_short", "bob_tall", "bob_short"},
    "moves of token for someone": None,
    "moves of balls for me": PIECES,
    "wish of ann for tall about ann_tall": True,
    "wish of me for tall about mine": False,
    "wish of me for build of ann_short about mine": True,
    "wish of bob for tall about cem_short": True,
    "wish of bob for short about duke": False,
    "wish of you for tall about duke": True,
    "wish of you for short about duke": False,
    "wish of leader for tall about mine": False,
    "wish of someone for tall about mine": False,
    # lists
    "first of row": "red",
    "last of row": "red",
    "count of row": 3,
    "reversed row": ["red", "blue", "red"],
    "row plus green": ["red", "blue", "red", "green"],
    "row without red": ["blue", "red"],
    "red is in row": True,
    "green is in row": False,
    "row where it is not blue": ["red", "red"],
    "first of (row where it is green)": None,
    "first of players": "ann",
    "last of players": "cem",
    "reversed players": ["cem", "bob", "ann"],
    "players starting with bob": ["bob", "cem", "ann"],
    "players after bob": ["cem", "ann", "bob"],
    "players starting with me": ["ann", "bob", "cem"],
    "players after you": ["ann", "bob", "cem"],
    "players starting with leader": ["bob", "cem", "ann"],
    "players after leader without leader": ["cem", "ann"],
    "players starting with absent": ["ann", "bob", "cem"],
    "rivals of me after bob": ["cem", "bob"],
    "first of (players after you)": "ann",
    "reversed (players after bob)": ["bob", "ann", "cem"],
    "balls as often as copies": ["orange", "orange", "black"],
    "count of (balls as often as copies)": 3,
    "balls as often as copies without orange": ["orange", "black"],
    "bag": ("orange", "orange", "black"),
    "bag plus white": ("orange", "orange", "black", "white"),
    "bag plus orange": ("orange", "orange", "orange", "black"),
    "bag plus bag": ("orange", "orange", "orange", "orange", "black", "black"),
    "orange plus bag": ("orange", "orange", "orange", "black"),
    "bag plus balls": ("orange", "orange", "orange", "black", "black", "white"),
    "bag without orange": ("orange", "black"),
    "bag without (orange and black)": ("orange",),
    "bag without bag": (),
    "bag without white": ("orange", "orange", "black"),
    "bag where it is orange": ("orange", "orange"),
    "count of bag": 3,
    "orange is in bag": True,
    "any ball in bag is white": False,
    "bag is none": False,
    "bag is (black plus bag without black)": True,
    "first of bag": "orange",
    "last of bag": "black",
    "if strict then bag else balls": ("orange", "orange", "black"),
}
REFUSED = {
    "players of figures": "unknown_function",
    "purse of red": "no_such_argument",
    "build of mine": "no_such_argument",
    "hand of bob is red": "never_equal",
    "duke is a figure": "never_equal",
    "red is ann": "never_equal",
    "red is 3": "never_equal",
    "red is in players": "never_in",
    "players without red": "never_in",
    "purse of ann and strict": "condition_wanted",
    "purse of ann is 2 or 3": "condition_again",
    "ann is bob": "never_same",
    "at least 2 players such that purse of player is 3": "noun_not_called",
    "any banana in players is ann": "other_noun_in",
    "not purse of ann": "condition_wanted",
    "any player is 3": "never_equal",
    "any purse is 3": "unknown_noun",
    "players where purse of it": "condition_wanted",
    "purse of ann is at least red": "number_wanted",
    "red is at least 3": "number_wanted",
    "it is red": "it_without_where",
    "its purse": "it_without_where",
    "count of ann": "set_wanted",
    "first of 3": "set_wanted",
    "ann where it is asleep": "set_wanted",
    "if strict then 1 else red": "branches_differ",
    "red plus 1": "branches_differ",
    "players starting with red": "type_mismatch",
    "space 3": "unknown_number",
    "player 1": "unknown_number",
    "player": "noun_not_value",
    "an": "keyword_here",
    "amn": "unknown_name",
    "purse of": "expression_ends_early",
    "(purse of ann": "bracket_not_closed",
    "purse of ann)": "bracket_not_opened",
    "purse of ann + 1": "sign_not_word",
    "no two players share a red": "unknown_function",
    "any player called me such that strict": "shadowed_name",
    "balls as often as moves": "unknown_function",
    "players as often as purse": "must_be_fixed",
    "1 and 2": "condition_wanted",
    "ann is with duke": "no_such_argument",
    "moves of orange": "unknown_function",
    "": "expression_ends_early",
}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("rules") / "table.yaml"
    path.write_text(GAME, encoding="utf-8")
    game = load_game(path)
    return game, game.new(1)


def typed(game, text, wanted=None):
    words = game.vocabulary
    names = {}
    for name, (noun, _) in GIVEN.items():
        kind = words.noun_type(noun)
        names[name] = Var(name, kind.or_nothing() if name == "someone" else kind)
    return words.checker.expression(text, Place(Text("expression", text), 1, 1), Scope(names), wanted), names


def in_names(game, value, kind):
    """Things by their names, sets as sets, lists as lists."""
    if value is None or isinstance(value, bool) or kind.kind in ("number", "truth", "amount"):
        return value
    if isinstance(value, tuple):
        names = [in_names(game, x, kind.of) for x in value]
        if kind.kind == "list":
            return names
        if kind.kind == "pile":
            assert list(value) == sorted(value), "a pile is in the order of its things"
            return tuple(names)
        assert len(set(names)) == len(names), "a set holds nothing twice"
        return set(names)
    return game.vocabulary.atoms[value].name


def plain_value(game, state, expr, names):
    given = {var: value_of(game, name) for name, var in names.items()}
    return evaluate(expr, state.v[HEADER:], given)


def value_of(game, name):
    noun, member = GIVEN[name]
    return None if member is None else game.vocabulary.member(member, game.vocabulary.noun_type(noun))


def compiled_value(game, state, expr, names):
    source = SourceBuilder(len(game.vocabulary.atoms))
    env = {var: f"given_{name}" for name, var in names.items()}
    source.define("whole", [f"def whole({', '.join(['v', *env.values()])}):", f"    return {source.code(expr, env)}"])
    scope = dict(RUNTIME)
    cells = {n: t for n, t in source.tables.items() if isinstance(t, tuple) and t and t[0] == "cells"}
    scope |= {n: t for n, t in source.tables.items() if n not in cells}
    exec("\n".join(line for lines, _ in source.functions for line in lines), scope)
    for name, (_, functions, keys) in cells.items():
        scope[name] = {(k if keys > 1 else k[0]): scope[f] for k, f in functions.items()}
    return scope["whole"](state.v, *(value_of(game, name) for name in names))


@pytest.mark.parametrize("text", MEANINGS)
def test_an_expression_means_what_it_says(text, table):
    game, state = table
    expr, names = typed(game, text)
    plain = plain_value(game, state, expr, names)
    assert in_names(game, plain, expr.type) == MEANINGS[text]
    compiled = compiled_value(game, state, expr, names)
    assert compiled == plain and (type(compiled) is type(plain) or expr.type.kind == "truth")


@pytest.mark.parametrize("text", REFUSED)
def test_an_expression_that_makes_no_sense_is_refused(text, table):
    with pytest.raises(RulesError) as caught:
        typed(table[0], text)
    assert [p.code for p in caught.value.problems] == [REFUSED[text]]


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        (3, 3, 3),
        ("3", 3, 3),
        ("purse of ann", 3, 3),
        ("at least 2", 2, None),
        ("at most purse of you", 0, 5),
        ("exactly 1", 1, 1),
        ("more than 1", 2, None),
        ("less than limit", 0, 3),
        ("any number", 0, None),
        ("at most (limit plus 2)", 0, 6),
    ],
)
def test_an_amount_says_how_few_and_how_many(text, least, most, table):
    game, state = table
    _, names = typed(game, "me")
    expr = game.vocabulary.checker.amount(text, Place(Text("amount", str(text)), 1, 1), Scope(names))
    found = plain_value(game, state, expr, names)
    assert found == compiled_value(game, state, expr, names)
    assert found[0] == least and (found[1] == most if most is not None else found[1] > 1_000)


# What an ask offers

SHELF = """
name: A shelf
players: {1: {}}
things:
  player: [ann]
  kind: [fruit, nut]
  food:
    columns: {kind: kind, weight: number}
    members:
      apple:  {kind: fruit, weight: 3}
      pear:   {kind: fruit, weight: 2}
      hazel:  {kind: nut, weight: 1}
      walnut: {kind: nut, weight: 2}
  guest: [tim, uma]
seats: players
state:
  basket of player: {is: set of food, seen by: player}
rules:
  game:
    fill: {set: {basket of ann: foods}}
    pick: %s
    over: {end: nobody}
"""
OFFERS = {
    "{ask: ann, for: {taken: foods}}": [["apple"], ["pear"], ["hazel"], ["walnut"]],
    "{ask: ann, for: {taken: apple or hazel}}": [["apple"], ["hazel"]],
    "{ask: ann, for: {sort: kinds, taken: foods where its kind is sort}, if none: never}": [
        ["fruit", "apple"],
        ["fruit", "pear"],
        ["nut", "hazel"],
        ["nut", "walnut"],
    ],
    "{ask: ann, for: {taken: foods, other: foods}, where: weight of taken is less than weight of other"
    ", if none: never}": [
        ["pear", "apple"],
        ["hazel", "apple"],
        ["hazel", "pear"],
        ["hazel", "walnut"],
        ["walnut", "apple"],
    ],
    "{ask: ann, for: {taken: foods}"
    ", where: every food in basket of ann such that weight of food is at least weight of taken"
    ", if none: never}": [["hazel"]],
    "{ask: ann, for: {taken: foods where every food in basket of ann such that weight of food is at most weight of it}"
    ", if none: never}": [["apple"]],
    "{ask: ann, for: {taken: {some of: basket of ann, how many: 3}}, if none: never}": [
        [["apple", "pear", "hazel"]],
        [["apple", "pear", "walnut"]],
        [["apple", "hazel", "walnut"]],
        [["pear", "hazel", "walnut"]],
    ],
    "{ask: ann, for: {taken: {some of: foods, how many: at least 3, of which: {its kind is nut: at most 1}}}"
    ", if none: never}": [[["apple", "pear", "hazel"]], [["apple", "pear", "walnut"]]],
    "{ask: ann, for: {taken: {some of: foods, how many: at most 2, of which: {its kind is nut: 1"
    ", its weight is 2: at least 1}}}"
    ", if none: never}": [[["pear", "hazel"]], [["pear", "walnut"]], [["walnut"]], [["apple", "walnut"]]],
    "{ask: ann, for: {taken: {some of: foods, how many: less than 1}}, if none: never}": [[[]]],
    "{ask: ann, for: {served: {match: guests, with: kinds}}}": [[["fruit", "nut"]], [["nut", "fruit"]]],
    "{ask: ann, for: {served: {match: guests, with: foods}}"
    ", where: kind of served of tim is fruit and served of uma is hazel"
    ", if none: never}": [[["apple", "hazel"]], [["pear", "hazel"]]],
    "{ask: ann, between: {wait: {}, eat: {for: {taken: foods}, where: weight of taken is 3}}}": [
        ["wait"],
        ["eat", "apple"],
    ],
    "{ask: ann, between: {wait: {if: apple is in basket of ann}, go: {if: basket of ann is none}}, if none: never}": [
        ["wait"]
    ],
    "{ask: ann, for: {guest: guests}, between: {call: {}, feed: {for: {taken: pear or hazel}}}}": [
        ["call", "tim"],
        ["call", "uma"],
        ["feed", "tim", "pear"],
        ["feed", "tim", "hazel"],
        ["feed", "uma", "pear"],
        ["feed", "uma", "hazel"],
    ],
}


@pytest.mark.parametrize("step", OFFERS)
def test_an_ask_offers_exactly_what_it_says(step, tmp_path):
    path = tmp_path / "shelf.yaml"
    path.write_text(SHELF % step, encoding="utf-8")
    game = load_game(path)
    state = game.new(1)
    offered = [game.words(c) for c in state.legal()]
    assert sorted(map(str, offered)) == sorted(map(str, OFFERS[step]))
    atoms = range(len(game.vocabulary.atoms))
    parts = (
        [*atoms, *(c for n in range(5) for c in combinations(atoms, n)), *permutations(atoms, 2)]
        if any(isinstance(x, tuple) for c in state.legal() for x in c)
        else list(atoms)
    )
    tuples = [(x,) for x in parts] if len(parts) > 100 else [c for n in range(4) for c in product(parts, repeat=n)]
    assert {c for c in tuples if state.is_legal(c)} == set(state.legal()), "every other choice is refused"


def test_an_assignment_needs_sets_that_never_change(tmp_path):
    path = tmp_path / "shelf.yaml"
    path.write_text(SHELF % "{ask: ann, for: {served: {match: guests, with: basket of ann}}}", encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_game(path)
    assert [p.code for p in caught.value.problems] == ["match_of_fixed_sets"]


NO_FRIENDS = """
players: {2: {}}
things: {player: [ann, bob]}
seats: players
words: {friends of player: none}
rules:
  game:
    nobody: {let: {found: friends of players}}
    silence: {for each: friend in none, do: {greet: {if: friend is ann, then: {hello: {say: "Hello {friend}"}}}}}
    last: {end: found}
"""


def test_where_there_is_surely_nothing_one_may_still_look(tmp_path):
    path = tmp_path / "no-friends.yaml"
    path.write_text(NO_FRIENDS, encoding="utf-8")
    state = load_game(path).new(1)
    assert state.over and state.result.winners == () and [entry.kind for entry in state.log("ann")] == ["end"]


@pytest.mark.parametrize(("written", "meant"), [("less than", "at least"), ("more than", "at most")])
def test_what_is_not_less_is_told_to_be_at_least(written, meant):
    text = f"points of bob is not {written} 3"
    with pytest.raises(RulesError) as wrong:
        parse(text, "expression", Place(Text("x", text), 1, 1))
    assert f"is {meant}" in str(wrong.value)
