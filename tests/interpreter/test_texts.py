"""What a game says to people is data: read once, plain, and all that front ends need."""

from __future__ import annotations

import pickle
from dataclasses import fields, is_dataclass

import pytest
from loading import NAMES
from tabarro.interpreter import load_game
from tabarro.interpreter.load import Map, Seq
from tabarro.interpreter.model import Expr

PARTS = ("name", "about", "screens", "phrases", "texts", "rulebook", "habits")


def inside(value, seen):
    """A value and all that it is made of."""
    if id(value) in seen:
        return
    seen[id(value)] = value
    yield value
    if is_dataclass(value):
        inner = [getattr(value, f.name) for f in fields(value)]
    elif isinstance(value, Expr):
        inner = [*value.args, value.type]
    elif isinstance(value, dict):
        inner = [*value.keys(), *value.values()]
    else:
        inner = value if isinstance(value, (tuple, list, set, frozenset)) else ()
    for part in inner:
        yield from inside(part, seen)


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_plain_data_that_can_be_kept(name):
    game = load_game(name)
    seen = {}
    parts = [part for key in PARTS for part in inside(getattr(game, key), seen)]
    assert not [part for part in parts if isinstance(part, (Map, Seq)) or callable(part)]
    pickle.dumps([getattr(game, key) for key in PARTS])


def test_a_text_is_in_english_or_one_per_language(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text(
        """
name: {en: Two ways, ca: Dues maneres}
about: Somebody wins.
players: {2: {}}
seats: players
things:
  player: {members: {anna: {name: {en: Anna, ca: Anneta}}, berta: {name: Big Berta}}}
  way: [left, right]
  walk: {each: [player, way], called: "{player} goes {way}"}
phrases:
  way is good: "{way} is a good way | not: {way} is not"
words:
  way is good: way is left
habits: {curiosity: 2}
rulebook:
  sources: {manual: {en: The manual}}
rules:
  game:
    go:
      ask: anna
      between:
        stay: {rule: One may stay., source: "manual, hearsay"}
        run:
      rule: {en: One goes.}
      decision: Somebody must.
    over: {end: anna}
""",
        encoding="utf-8",
    )
    game = load_game(path)
    assert game.name == {"en": "Two ways", "ca": "Dues maneres"} and game.about == "Somebody wins."
    assert game.texts.things["player"].names == {"anna": {"en": "Anna", "ca": "Anneta"}, "berta": "Big Berta"}
    walk = game.texts.things["walk"]
    assert (walk.called, walk.parts, walk.is_union) == ("{player} goes {way}", ("player", "way"), False)
    assert game.phrases["way is good"].names == ("way",) and game.habits == {"curiosity": 2}
    go = game.program.rules["game"].steps[0]
    assert (go.told.rule, go.told.sources, go.told.decision) == ({"en": "One goes."}, (), "Somebody must.")
    assert go.alternatives[0].told.sources == ("manual", "hearsay") and not go.alternatives[1].told.rule
    assert game.rulebook.sources == {"manual": {"en": "The manual"}} and game.rulebook.players == (2,)


def test_values_and_names_lead_back_to_each_other():
    game = load_game("kuhn-poker")
    for functions in game.vocabulary.functions.values():
        for function in functions:
            if function.kind == "state" and function.result.kind == "thing":
                for atom in function.result.atoms:
                    assert game.valued(game.named(atom, function.result), function.result) == atom
