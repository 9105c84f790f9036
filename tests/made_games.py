"""Whole rule files out of made-up steps: small games, and the games that come along with one step added or changed. And
how such a file is made as short as it can be."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from rulemaker import Data, Maker, Scope
from tabarro.interpreter.model import TRUTH, walk

__all__ = ["base", "changed_game", "shrunk", "small_game", "written"]


def written(data: Data) -> str:
    """As a rule file: JSON is YAML, and a line for each step makes it readable."""
    return "\n".join(_lines(data, 0)) + "\n"


def _lines(data: Data, depth: int) -> list[str]:
    found = []
    for key, value in data.items():
        head = "  " * depth + _key(key) + ":"
        if isinstance(value, dict) and value and (depth < 2 or len(json.dumps(value)) > 90):
            found += [head, *_lines(value, depth + 1)]
        else:
            found.append(f"{head} {_flow(value)}")
    return found


def _key(key: Any) -> str:
    return str(key) if not isinstance(key, str) or key.replace(" ", "").replace("_", "").isalnum() else json.dumps(key)


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str) and value.replace(" ", "").replace("_", "").replace("(", "").replace(")", "").isalnum():
        return value
    return json.dumps(value)


# --- whole small games ------------------------------------------------------------------------------------------------
CARDS = ("rope", "lantern", "coin", "map")
OWN = ("player", "player", "player", "player", "all", "nobody")


@dataclass
class Sketch:
    """What a small game is about, before it has any rules."""

    data: Data
    opening: Data = field(default_factory=dict)


def sketch(rng: random.Random) -> Sketch:
    """Things, state with views of every kind, and how the secrets come about."""
    players = ["ann", "bob", "cleo"][: rng.choice([2, 3, 3])]
    cards = list(CARDS[: rng.choice([2, 3, 3, 3])])
    if len(cards) < len(players):
        cards = list(CARDS[: len(players)])
    rng.shuffle(cards)
    things: Data = {
        "player": players,
        "card": {"columns": {"worth": "number"}, "members": {c: {"worth": i % 3} for i, c in enumerate(cards)}},
    }
    data: Data = {"name": "Made", "players": {len(players): {}}, "things": things, "seats": "players"}
    if len(players) == 3 and rng.random() < 0.1:
        data["played by chance"] = "cleo"
        data["players"] = {2: {}}
    state: Data = {}
    opening: Data = {}

    def view(owner: str = "") -> str:
        some = [*OWN] if owner else ["all", "all", "nobody", "ann", "ann and bob"]
        if owner == "player":
            some += ["players where it is not player", "if player is ann then all else player"]
            if "lit" in state:
                some += ["if lit then all else player", "if lit then all else nobody"]
            if "role of player" in state:
                some += [
                    "if role of player is spy then all else player",
                    "players where role of it is spy",
                    "players where role of it is role of player",
                ]
        if owner == "token":
            some = ["player of token", "player of token", "all", "nobody"]
        if "holder" in state:
            some += ["holder", "players where it is holder"]
        if "role of player" in state:
            some += ["players where role of it is spy"]
        return rng.choice(some)

    if rng.random() < 0.4:
        state["lit"] = {"is": "yes or no", "start": rng.random() < 0.5, "seen by": rng.choice(["all", "all", "nobody"])}
    if rng.random() < 0.4:
        state["holder"] = {
            "is": "player",
            "start": rng.choice(players),
            "seen by": rng.choice(["all", "all", "nobody", "holder"]),
        }
    if rng.random() < 0.35:
        things["kind"] = ["spy", "guard"]
        state["role of player"] = {
            "is": "kind",
            "start": "guard",
            "seen by": rng.choice(["player", "player", "all", "nobody"]),
        }
        opening["roles"] = rng.choice(
            [
                {
                    "for each": "someone in players",
                    "do": {
                        "flip": {"draw": 1, "from": "kinds", "as": "fate"},
                        "be": {"set": {"role of someone": "fate"}},
                    },
                },
                {"set": {"role of ann": "spy"}},
            ]
        )
    if rng.random() < 0.75:
        state["mission of player"] = {"is": "card", "seen by": view("player")}
        opening["missions"] = {"deal": "cards", "to": "players", "as": "mission"}
    if rng.random() < 0.35 or len(opening) == 0:
        state["hand of player"] = {"is": "set of card", "seen by": view("player")}
        if rng.random() < 0.7:
            opening["hands"] = {"deal": "cards", "to": "players", "each": 1, "as": "hand"}
    if rng.random() < 0.3:
        state["purse of player"] = {"is": "number", "start": rng.randrange(3), "seen by": view("player")}
    if rng.random() < 0.25:
        state["pot"] = {"is": "number", "seen by": view()}
    if rng.random() < 0.3:
        state["hidden"] = {"is": "card", "start": cards[0], "seen by": rng.choice(["nobody", "nobody", "ann"])}
        opening["hide"] = {"draw": 1, "from": "cards", "as": "covered"}
        opening["lay"] = {"set": {"hidden": "covered"}}
    if rng.random() < 0.25:
        state["heap"] = {"is": "set of card", "seen by": view()}
    if rng.random() < 0.2:
        state["card is marked"] = {"is": "yes or no", "seen by": view()}
    if rng.random() < 0.2:
        things["size"] = ["big", "small"]
        things["token"] = {"each": ["player", "size"]}
        state["rank of token"] = {"is": "card or nothing", "seen by": view("token")}
        opening["ranks"] = rng.choice(
            [
                {"deal": "cards", "to": "tokens", "as": "rank"},
                {
                    "for each": "bit in tokens of ann",
                    "do": {"lot": {"draw": 1, "from": "cards", "as": "got"}, "put": {"set": {"rank of bit": "got"}}},
                },
            ]
        )
    if rng.random() < 0.25:
        state["vow"] = {"is": "card or nothing", "seen by": view(), "lasts": rng.choice(["turn", "inner"])}
    if rng.random() < 0.35:
        state["deck"] = {
            "is": rng.choice(["pile of card", "pile of card", "list of card"]),
            "start": "cards",
            "seen by": view(),
        }
        if state["deck"]["is"] == "list of card":
            state["deck"]["start"] = list(cards)
            opening["mix"] = {"shuffle": "deck"}
        if rng.random() < 0.5:
            state["deck"][rng.choice(["count seen by", "count seen by", "contents seen by"])] = rng.choice(
                ["all", "ann"]
            )
        if rng.random() < 0.7:
            state["hold of player"] = {"is": "pile of card", "seen by": view("player")}
            if rng.random() < 0.4:
                state["hold of player"]["count seen by"] = "all"
            if state["deck"]["is"] == "pile of card":
                opening["holds"] = {
                    "deal": "deck",
                    "to": rng.choice(["players", "ann", "ann and bob"]),
                    "each": 1,
                    "as": "hold",
                }
        if rng.random() < 0.5:
            state["row"] = {"is": "list of card", "seen by": view()}
            if rng.random() < 0.3:
                state["row"]["top seen by"] = rng.choice(["all", "ann"])
    if rng.random() < 0.2:
        state["vote of player"] = {"is": rng.choice(["player", "card"]), "seen by": view("player")}
        if rng.random() < 0.6:
            what = "players" if state["vote of player"]["is"] == "player" else "cards"
            opening["ballot"] = {"ask": "someone in players", "for": {"vow_of": what}, "as": "vote", "if none": "never"}
    if rng.random() < 0.2:
        state["pick of player"] = {"is": "card", "start": cards[0], "seen by": view("player")}
        chooser = {"ask": "someone", "for": {"taken": "cards"}}
        opening["picks"] = {
            "for each": "someone in players",
            "do": {"take": chooser, "keep": {"set": {"pick of someone": "taken"}}},
        }
    data["state"] = state
    words: Data = {}
    if "mission of player" in state:
        words["player is lucky"] = f"mission of player is {cards[0]}"
    words["rivals of player"] = "players where it is not player"
    data["words"] = words
    return Sketch(data, opening)


def small_game(rng: random.Random, vocabulary: Any) -> Data:
    """A whole game of a few steps; `vocabulary` reads the declarations of a file."""
    drawn = sketch(rng)
    data = deepcopy(drawn.data)
    data["rules"] = {"game": {"nothing_yet": {"say": "Well."}}, "turn of player": {}, "inner": {}}
    words = vocabulary(data)
    maker = Maker(words, rng)
    player = maker.seat_type()
    card = words.sets["card"].type
    rules: Data = {}
    returns = {"inner": rng.choice([None, TRUTH, card]), "turn of _": rng.choice([None, None, TRUTH, player])}
    # what is called stands below who calls it: a rule cannot call itself
    rules["inner"] = maker.steps({}, rng.choice([1, 2, 2, 3]), 2, inside="inner")
    maker.returns = {k: v for k, v in returns.items() if v is not None}
    if returns["inner"] is not None:
        rules["inner"][maker.name()] = {"return": maker.expr(returns["inner"], {}, 1)}
    maker.rules = {"inner": []}
    rules["turn of player"] = maker.steps({"player": player}, rng.choice([1, 2, 2, 3]), 2, inside="turn of _")
    if returns["turn of _"] is not None:
        rules["turn of player"][maker.name()] = {"return": maker.expr(returns["turn of _"], {"player": player}, 1)}
    maker.rules = {"inner": [], "turn of _": [player]}
    game = {**deepcopy(drawn.opening), **maker.steps({}, rng.choice([1, 2, 3]), 2, inside="game")}
    if rng.random() < 0.5:
        who = rng.choice(["ann", "bob"])
        game["finish"] = rng.choice(
            [{"say": "That was it."}, {"ask": who, "for": {"last_word": "cards"}, "seen by": "all"}]
        )
    data["rules"] = {"game": game, "turn of player": rules["turn of player"], "inner": rules["inner"]}
    used = json.dumps(data["rules"])
    for head, call in (("turn of player", "turn of "), ("inner", "inner")):
        if f'"call": "{call}' not in used and f'"play": "{call}' not in used:
            if head == "inner" or not any(s.get("lasts") == "turn" for s in data["state"].values()):
                if not any(s.get("lasts") == head.split(" ")[0] for s in data["state"].values()):
                    del data["rules"][head]
    return data


# --- games that come along, with one step more or one step otherwise --------------------------------------------------
ROWS = ("then", "else", "do", "repeat", "if none", "between")  # keys of a step under which steps stand, or alternatives


@dataclass
class Base:
    """A game that comes along, and where something can be changed in it."""

    game: Any
    rows: list[tuple[tuple[str, ...], str]]  # the way to a row of steps, in the file; what its steps are called by
    steps: dict[str, Any]  # typed, by name
    description: Data


def base(game: Any, description: Data) -> Base:
    typed = {s.name: s for rule in game.program.rules.values() for s in walk(rule.steps)}
    rows = []
    for head, body in description["rules"].items():
        rule = next((r for r in game.program.rules.values() if r.name == head), None)
        if rule is not None:
            rows += list(_rows(body, ("rules", head), rule.shape.split(" ")[0]))
    return Base(
        game, [r for r in rows if any(f"{r[1]}/{name}" in typed for name in _at(description, r[0]))], typed, description
    )


def _rows(body: Data, path: tuple[str, ...], name: str) -> Iterator[tuple[tuple[str, ...], str]]:
    yield path, name
    for step, entry in body.items():
        if not isinstance(entry, dict):
            continue
        for key in ROWS:
            inner = entry.get(key)
            if not isinstance(inner, dict):
                continue
            if key == "between":
                for option, what in inner.items():
                    if isinstance(what, dict) and isinstance(what.get("then"), dict):
                        yield from _rows(what["then"], (*path, step, key, option, "then"), f"{name}/{step}/{option}")
            else:
                tail = f"/{key}" if key in ("else", "if none") else ""
                yield from _rows(inner, (*path, step, key), f"{name}/{step}{tail}")


def _at(data: Data, path: tuple[str, ...]) -> Data:
    for key in path:
        data = data[key]
    return data


def _patch(path: tuple[str, ...], value: Any) -> Data:
    for key in reversed(path):
        value = {key: value}
    return value


def changed_game(rng: random.Random, name: str, found: Base) -> Data:
    """A variant of a game with one step more, or with one step or one view otherwise."""
    maker = Maker(found.game.vocabulary, rng, prefix="new")
    path, row = rng.choice(found.rows)
    names = [n for n in _at(found.description, path) if f"{row}/{n}" in found.steps]
    near = rng.choice(names)
    step = found.steps[f"{row}/{near}"]
    scope = {v.name: v.type.definite() for v in step.visible if v.name.isidentifier() and v.type.kind != "match"}
    data: Data = {"extends": name, "name": "Changed"}
    kind = rng.choices(["added", "changed", "view"], [6, 3, 1])[0]
    if kind == "view":
        heads = [h for h in found.description.get("state", {})]
        return {
            **data,
            **_patch(("state", rng.choice(heads), "seen by"), rng.choice(["all", "nobody", maker.audience({})])),
        }
    if kind == "changed" and (change := _change(maker, step, scope, _at(found.description, (*path, near)))):
        return {**data, **_patch((*path, near), change)}
    where = rng.choice(["before", "after"])
    if where == "after":
        bound = {v.name: v.type.definite() for v in step.vars.values() if v.type.kind != "match"}
        scope = {**scope, **bound}
    new, _ = maker.step(scope, 1)
    return {**data, **_patch((*path, maker.name()), {**new, where: near})}


def _change(maker: Maker, step: Any, scope: Scope, entry: Data) -> Data:
    """Another value for one of its keys."""
    ways: list[Any] = [lambda: {"remove": True}]
    for key in ("seen by", "to"):
        if key in entry and step.verb in ("ask", "draw", "show", "say"):
            ways += [lambda key=key: {key: maker.audience(scope)}] * 3
    if step.verb in ("ask", "draw") and "seen by" not in entry:
        ways += [lambda: {"seen by": maker.audience(scope)}]
    if step.verb == "if":
        ways += [lambda: {"if": maker.expr(TRUTH, scope, 2)}]
    if step.verb == "draw" and step.at["from"].type.kind == "set":
        ways += [lambda: {"from": maker.expr(step.at["from"].type, scope, 2), "if none": maker.none(scope, 0)}]
    if step.verb == "ask":
        bound = {v.name: v.type.definite() for v in step.vars.values() if v.type.kind != "match"}
        ways += [lambda: {"where": maker.expr(TRUTH, {**scope, **bound}, 1), "if none": maker.none(scope, 0)}]
    if step.verb == "set":
        head = maker.rng.choice(list(entry["set"]))
        function = step.targets[list(entry["set"]).index(head)][0]
        ways += [lambda: {"set": {head: maker.expr(function.result.definite(), scope, 2)}}]
    return maker.rng.choice(ways)()


# --- as short as can be -----------------------------------------------------------------------------------------------
def shrunk(data: Data, still: Any, tries: int = 150) -> Data:
    """The same, with all left out that is not needed for `still` to hold."""
    best = deepcopy(data)
    going = True
    while going:
        going = False
        for path in sorted(_paths(best), key=len):
            if tries <= 0:
                return best
            smaller = _without(best, path)
            if smaller is None:
                continue
            tries -= 1
            if still(smaller):
                best, going = smaller, True
                break
    return best


OPTIONAL = ("else", "seen by", "to", "as", "where", "while", "scores", "prompt", "with", "of which", "if", "if none")


def _paths(data: Data, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found = []
    for key, value in data.items():
        here = (*path, key)
        if path[:1] == ("rules",) or path[:1] in (("state",), ("words",)) and len(path) == 1:
            found.append(here)
        if isinstance(value, dict) and (path or key in ("rules", "state", "words")):
            found += _paths(value, here)
    return found


def _without(data: Data, path: tuple[str, ...]) -> Data | None:
    """Without an entry; if it is a step with others inside, with these in its place."""
    smaller = deepcopy(data)
    around = smaller
    for key in path[:-1]:
        if not isinstance(around.get(key), dict):
            return None
        around = around[key]
    if path[-1] not in around:
        return None
    del around[path[-1]]
    return smaller
