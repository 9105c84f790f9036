"""Whole small games out of made-up steps: things, state with views of every kind, secrets that come about in every way,
and a few steps of which nobody knows what they tell."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from typing import Any

from rulemaker import Data, Maker
from tabarro.interpreter.model import NUMBER, TRUTH, set_of

__all__ = ["small_game"]

CARDS = ("rope", "lantern", "coin", "map")
OWN = ("player", "player", "player", "player", "all", "nobody")


class Sketch:
    """What a small game is about, before it has any rules: its declarations, and how its secrets come about."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.players = ["ann", "bob", "cleo"][: rng.choice([2, 3, 3])]
        self.cards = list(CARDS[: max(len(self.players), rng.choice([2, 3, 3, 3]))])
        rng.shuffle(self.cards)
        columns = {"columns": {"worth": "number", "copies": "number"}}
        members = {c: {"worth": i % 3, "copies": 1 + i % 2} for i, c in enumerate(self.cards)}
        self.things: Data = {"player": self.players, "card": {**columns, "members": members}}
        self.links: Data = {}
        self.state: Data = {}
        self.opening: Data = {}
        self.words: Data = {"rivals of player": "players where it is not player"}
        self._signals()
        self._roles()
        self._cards()
        self._numbers()
        self._tokens()
        self._places()
        self._rows()
        self._chosen()
        if "mission of player" in self.state:
            self.words["player is lucky"] = f"mission of player is {self.cards[0]}"

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    @property
    def data(self) -> Data:
        data: Data = {"name": "Made", "players": {len(self.players): {}}, "things": self.things, "seats": "players"}
        if len(self.players) == 3 and self.chance(0.1):
            data |= {"played by chance": "cleo", "players": {2: {}}}
        if self.links:
            data["links"] = self.links
        return {**data, "state": self.state, "words": self.words}

    def view(self, owner: str = "") -> str:
        """Who sees some state: everybody, its owner, or whoever other state says, which may change."""
        some = [*OWN] if owner else ["all", "all", "nobody", "ann", "ann and bob"]
        if owner == "player":
            some += ["players where it is not player", "if player is ann then all else player"]
            if "role of player" in self.state:
                some += ["if role of player is spy then all else player"]
                some += ["players where role of it is role of player"]
        if owner == "token":
            some = ["player of token", "player of token", "all", "nobody"]
        if "lit" in self.state:
            some += [f"if lit then all else {owner if owner == 'player' else 'ann'}", "if lit then all else nobody"]
        if "holder" in self.state:
            some += ["holder", "players where it is holder", "players without holder"]
        if "role of player" in self.state:
            some += ["players where role of it is spy"]
        return self.rng.choice(some)

    def _signals(self) -> None:
        if self.chance(0.4):
            seen = self.rng.choice(["all", "all", "nobody"])
            self.state["lit"] = {"is": "yes or no", "start": self.chance(0.5), "seen by": seen}
        if self.chance(0.4):
            seen = self.rng.choice(["all", "all", "nobody", "holder", "all"])
            self.state["holder"] = {"is": "player", "start": self.rng.choice(self.players), "seen by": seen}

    def _roles(self) -> None:
        if not self.chance(0.35):
            return
        self.things["kind"] = ["spy", "guard"]
        seen = self.rng.choice(["player", "player", "all", "nobody"])
        self.state["role of player"] = {"is": "kind", "start": "guard", "seen by": seen}
        lots = {
            "flip": {"draw": 1, "from": "kinds", "as": "fate"},
            "be": {"set": {"role of someone": "fate"}},
        }
        self.opening["roles"] = self.rng.choice(
            [{"for each": "someone in players", "do": lots}, {"set": {"role of ann": "spy"}}]
        )

    def _cards(self) -> None:
        state, opening = self.state, self.opening
        if self.chance(0.75):
            state["mission of player"] = {"is": "card", "seen by": self.view("player")}
            opening["missions"] = {"deal": "cards", "to": "players", "as": "mission"}
        if self.chance(0.35) or not opening:
            state["hand of player"] = {"is": "set of card", "seen by": self.view("player")}
            if self.chance(0.7):
                opening["hands"] = {"deal": "cards", "to": "players", "each": 1, "as": "hand"}
            if self.chance(0.3):
                state["hand of player"]["count seen by"] = "all"
        if self.chance(0.3):
            seen = self.rng.choice(["nobody", "nobody", "ann"])
            state["hidden"] = {"is": "card", "start": self.cards[0], "seen by": seen}
            opening["hide"] = {"draw": 1, "from": "cards", "as": "covered"}
            opening["lay"] = {"set": {"hidden": "covered"}}
        if self.chance(0.25):
            state["heap"] = {"is": "set of card", "seen by": self.view()}
        if self.chance(0.2):
            state["card is marked"] = {"is": "yes or no", "seen by": self.view()}
        if self.chance(0.25):
            lasts = self.rng.choice(["turn", "inner"])
            state["vow"] = {"is": "card or nothing", "seen by": self.view(), "lasts": lasts}

    def _numbers(self) -> None:
        if self.chance(0.3):
            start = self.rng.randrange(3)
            self.state["purse of player"] = {"is": "number", "start": start, "seen by": self.view("player")}
        if self.chance(0.25):
            self.state["pot"] = {"is": "number", "seen by": self.view()}
        if self.chance(0.15):
            kind = self.rng.choice(["list of number", "set of number", "number"])
            self.state["dice of player"] = {"is": kind, "seen by": self.view("player")}
            each = {} if kind == "number" else {"each": 1}
            if kind != "list of number":
                self.opening["roll"] = {"deal": "1 to 3", "to": "players", **each, "as": "dice"}

    def _tokens(self) -> None:
        if not self.chance(0.2):
            return
        self.things["size"] = ["big", "small"]
        self.things["token"] = {"each": ["player", "size"]}
        self.state["rank of token"] = {"is": "card or nothing", "seen by": self.view("token")}
        lots = {"lot": {"draw": 1, "from": "cards", "as": "got"}, "put": {"set": {"rank of bit": "got"}}}
        self.opening["ranks"] = self.rng.choice(
            [{"deal": "cards", "to": "tokens", "as": "rank"}, {"for each": "bit in tokens of ann", "do": lots}]
        )

    def _places(self) -> None:
        """A small board, and who is where on it."""
        if not self.chance(0.25):
            return
        start, kind = "a1", "spot"
        if self.chance(0.5):
            self.things["spot"] = {"grid": {"file": 2, "rank": 2}}
            one_way = {"one way": True} if self.chance(0.3) else {}
            self.links["paths of spot"] = {"steps": [[1, 0], [0, 1]], **one_way}
        else:
            self.things["spot"] = ["mill", "tower", "gate"]
            self.things["way"] = ["land", "water"]
            self.links["paths of spot along way"] = {"land": [["mill", "tower"]], "water": [["tower", "gate"]]}
            start = "mill"
        owner = "player"
        if self.chance(0.3):
            self.things["ghost"] = ["shade"]
            self.things["being"] = {"any of": ["player", "ghost"]}
            owner = "being"
        seen = self.view("player" if owner == "player" else "")
        self.state[f"place of {owner}"] = {"is": kind, "start": start, "seen by": seen}
        if self.chance(0.6):
            drawn = {"lot": {"draw": 1, "from": "spots", "as": "there"}, "go": {"set": {"place of someone": "there"}}}
            self.opening["places"] = {"for each": "someone in players", "do": drawn}

    def _rows(self) -> None:
        if not self.chance(0.35):
            return
        rng, state = self.rng, self.state
        kind = rng.choice(["pile", "pile", "list"])
        deck = state["deck"] = {"is": f"{kind} of card", "start": "cards", "seen by": self.view()}
        if kind == "list":
            deck["start"] = list(self.cards)
            self.opening["mix"] = {"shuffle": "deck"}
        if self.chance(0.5):
            deck[rng.choice(["count seen by", "count seen by", "contents seen by"])] = rng.choice(["all", "ann"])
        if self.chance(0.7):
            hold = state["hold of player"] = {"is": "pile of card", "seen by": self.view("player")}
            if self.chance(0.4):
                hold["count seen by"] = "all"
            if kind == "pile":
                to = rng.choice(["players", "ann", "ann and bob"])
                self.opening["holds"] = {"deal": "deck", "to": to, "each": 1, "as": "hold"}
        if self.chance(0.5):
            row = state["row"] = {"is": "list of card", "seen by": self.view()}
            if self.chance(0.3):
                row["top seen by"] = rng.choice(["all", "ann"])

    def _chosen(self) -> None:
        """Secrets that players choose themselves."""
        if self.chance(0.2):
            kind = self.rng.choice(["player", "card"])
            self.state["vote of player"] = {"is": kind, "seen by": self.view("player")}
            if self.chance(0.6):
                asked = {"ask": "someone in players", "for": {"vow_of": f"{kind}s"}, "as": "vote", "if none": "never"}
                self.opening["ballot"] = asked
        if self.chance(0.2):
            self.state["pick of player"] = {"is": "card", "start": self.cards[0], "seen by": self.view("player")}
            taken = {
                "take": {"ask": "someone", "for": {"taken": "cards"}},
                "keep": {"set": {"pick of someone": "taken"}},
            }
            self.opening["picks"] = {"for each": "someone in players", "do": taken}


def small_game(rng: random.Random, vocabulary: Any) -> Data:
    """A whole game of a few steps; `vocabulary` reads the declarations of a file."""
    sketch = Sketch(rng)
    data = deepcopy(sketch.data)
    data["rules"] = {"game": {"nothing_yet": {"say": "Well."}}, "turn of player": {}, "inner": {}}
    words = vocabulary(data)
    if rng.random() < 0.4:
        _own_words(data, Maker(words, rng))
        words = vocabulary(data)
    maker = Maker(words, rng)
    player, card = maker.seat_type(), words.sets["card"].type
    rules: Data = {}
    returns = {"inner": rng.choice([None, TRUTH, card]), "turn of _": rng.choice([None, None, TRUTH, player])}
    # what is called stands below who calls it: a rule cannot call itself
    rules["inner"] = maker.steps({}, rng.choice([1, 2, 2, 3]), 2, inside="inner")
    maker.returns = {k: v for k, v in returns.items() if v is not None}
    if returns["inner"] is not None:
        rules["inner"][maker.name("s")] = {"return": maker.expr(returns["inner"], {}, 1)}
    maker.rules = {"inner": []}
    rules["turn of player"] = maker.steps({"player": player}, rng.choice([1, 2, 2, 3]), 2, inside="turn of _")
    if returns["turn of _"] is not None:
        rules["turn of player"][maker.name("s")] = {"return": maker.expr(returns["turn of _"], {"player": player}, 1)}
    maker.rules = {"inner": [], "turn of _": [player]}
    game = {**deepcopy(sketch.opening), **maker.steps({}, rng.choice([1, 2, 3]), 2, inside="game")}
    if rng.random() < 0.5:
        last = {"ask": rng.choice(["ann", "bob"]), "for": {"last_word": "cards"}, "seen by": "all"}
        game["finish"] = rng.choice([{"say": "That was it."}, last])
    data["rules"] = {"game": game, "turn of player": rules["turn of player"], "inner": rules["inner"]}
    used = json.dumps(data["rules"])
    for head in ("turn of player", "inner"):  # nobody calls it, and nothing lasts it
        call = head.removesuffix("player")
        if f'"call": "{call}' not in used and f'"play": "{call}' not in used:
            if not any(s.get("lasts") == head.split(" ")[0] for s in data["state"].values()):
                del data["rules"][head]
    return data


def _own_words(data: Data, maker: Maker) -> None:
    """Words and tables of conditions that are made up too."""
    player = maker.seat_type()
    scope = {"player": player}
    if maker.chance(0.6):
        kind = maker.rng.choice([TRUTH, NUMBER, maker.some_type(), set_of(maker.some_type())])
        head = "player is odd" if kind is TRUTH else "omen of player"
        data["words"][head] = maker.expr(kind, scope, 2)
    if maker.chance(0.6):
        cards = data["things"]["card"]["members"]
        rows = {card: maker.expr(TRUTH, scope, 2) for card in cards}
        data["tables"] = {"goal of card for player": {"is": "yes or no", "rows": rows}}
