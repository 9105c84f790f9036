"""Games that nobody would write: random words, and random steps in random order, over a small table of things.

Whatever the check lets pass must compile, run, and go as the reference of the language says (`oracles/steps.py`). Much of
what is made here is refused, and that is fine as long as enough is not; `games` tells how much passed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

TABLE = """
name: Generated
players: {2: {}}
options:
  brisk: {is: yes or no, default: true}
  most:  {is: number, from: 0, to: 9, default: 3}
things:
  piece:  {any of: [warden, figure]}
  player: [ann, bob]
  size:   [tall, short]
  figure: {each: [player, size]}
  warden: [guard, clerk]
  ghost:  []
  cell:   {grid: {file: 3, rank: 2}}
  spot:
    numbered by: sign
    columns: {sign: number, twin: spot or nothing, kinds: set of size}
    members:
      harbour: {sign: 1, kinds: [short, tall]}
      market:  {sign: 2, twin: harbour}
      mill:    {sign: 3, twin: mill, kinds: [tall]}
  card:
    columns: {worth: number, copies: number}
    members: {rope: {worth: 1, copies: 2}, coin: {worth: 3, copies: 1}, dust: {}}
seats: [bob, ann]
tables:
  toll of spot for size: {is: number, rows: {harbour-tall: 2, harbour-short: 0, market: {tall: 1, short: 1}, mill: {short: 5}}}
  goal of card for player:
    is: yes or no
    rows: {rope: any figure of player is on harbour, coin: purse of player is more than 1}
links:
  touching of cell: {steps: [[1, 0], [0, 1]]}
  ahead of cell along size: {tall: {steps: [[1, 1]], one way: true}, short: {steps: [[-1, 0], [2, 1]]}}
  neighbours of spot along size: {tall: [[harbour, market]], short: [[market, mill], [harbour, mill]]}
state:
  place of piece:   {is: spot, start: market, seen by: all}
  fear of ghost:    {is: number, start: 1, seen by: all}
  keeper of spot:   {is: piece or nothing, seen by: all}
  hand of player:   {is: set of card, start: [coin, rope], seen by: all}
  stock of player:  {is: list of card, seen by: all}
  heap:             {is: list of card, start: [rope, rope, coin, rope], seen by: all}
  trail of player:  {is: list of spot, seen by: all}
  marks:            {is: set of piece, start: [guard, ann_tall], seen by: all, lasts: round}
  digits:           {is: list of number, start: [2, 2, 5], seen by: all}
  purse of player:  {is: number, start: 2, seen by: all}
  spot is closed:   {is: yes or no, seen by: all}
  pebble of cell:   {is: player or nothing, seen by: all}
  night:            {is: number, start: 1, seen by: all}
  mood of player:   {is: size, start: tall, seen by: player}
  guest:            {is: player or nothing, seen by: all}
  held:             {is: card or nothing, seen by: all}
  lost:             {is: spot, seen by: all}
  herald:           {is: player, seen by: all}
"""

THINGS = {"player": "ann bob", "size": "tall short", "figure": "ann_tall bob_short", "warden": "guard clerk"} | {
    "piece": "guard ann_short", "spot": "harbour market mill", "cell": "a1 b1 c2", "card": "rope coin dust"
}  # fmt: skip
WIDER = {"piece": ("figure", "warden")}  # what is said of pieces can be said of these
KINDS = [*THINGS]
PARTS = {("player", "figure"): ["player of"], ("size", "figure"): ["size of"], ("spot", "figure"): ["place of"]}
PARTS |= {("spot", "piece"): ["place of"], ("number", "spot"): ["sign of"], ("number", "player"): ["purse of"]}
# what there is once the table is read: (type, shape with the types it takes)
FUNCTIONS = [
    ("spot", "place of {piece}"), ("piece?", "keeper of {spot}"), ("set card", "hand of {player}"), ("list card", "heap"), ("list card", "stock of {player}"),
    ("list spot", "trail of {player}"), ("set piece", "marks"), ("list number", "digits"), ("number", "purse of {player}"),
    ("player?", "guest"), ("card?", "held"),
    ("number", "night"), ("number", "sign of {spot}"), ("spot?", "twin of {spot}"), ("set size", "kinds of {spot}"),
    ("number", "worth of {card}"), ("number", "toll of {spot} for {size}"), ("player", "player of {figure}"),
    ("size", "size of {figure}"), ("set figure", "figures of {player}"), ("set figure", "figures of {size}"),
    ("set spot", "neighbours of {spot} along {size}"), ("truth", "goal of {card} for {player}"),
    ("truth", "{spot} is closed"), ("truth", "brisk"), ("number", "most"), ("number", "file of {cell}"), ("player?", "pebble of {cell}"),
    ("set cell", "touching of {cell}"), ("set cell", "ahead of {cell} along {size}"),
    ("set cell", "touching within 2 steps of {cell}"), ("set cell", "ahead within any number of steps of {cell} along {size}"),
    ("set spot", "neighbours within any number of steps of {spot} along {size}"),
]  # fmt: skip
CELLS = [
    f
    for f in FUNCTIONS
    if f[1].split(" ")[0]
    in "place keeper hand stock heap trail marks digits purse night guest held lost herald".split()
]
GAPS = {
    "number": ["(worth of held)", "(sign of lost)", "(purse of guest)", "(purse of herald)"],
    "player": ["guest", "herald"],
}
GAPS |= {"card": ["held"], "spot": ["lost"], "set card": ["(hand of guest)", "(hand of herald)"]}  # often nothing
CELLS.append(("truth", "{spot} is closed"))


@dataclass
class Writer:
    rng: random.Random
    words: list[tuple[str, str]] = field(default_factory=list)  # defined so far
    rules: list[tuple[str, str]] = field(default_factory=list)  # (what it returns or "", shape), defined so far
    count: int = 0
    gaps: float = 0.01  # how often something stands where a value is needed that may well be nothing

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def some_type(self) -> str:
        one = self.rng.choice([*KINDS, "number"])
        return self.rng.choice([one, one, "truth", "truth", "number", f"set {self.rng.choice(KINDS)}", f"list {one}"])

    # --- expressions --------------------------------------------------------------------------------------------------
    def expression(self, kind: str, scope: dict[str, str], depth: int) -> str:
        """A text of this type (a word for one thing, truth, number, set X, list X; `?`: or nothing), in brackets if it is
        more than a name."""
        kind, doubtful = kind.removesuffix("?"), kind.endswith("?")
        if kind in GAPS and self.rng.random() < self.gaps:
            return self.rng.choice(GAPS[kind])
        if doubtful and self.rng.random() < 0.2:
            return "nothing"
        ways = self.leaves(kind, scope)
        near = [f"({shape} {n})" for n, k in scope.items() for shape in PARTS.get((kind, k), ())]
        if near and self.rng.random() < 0.3:
            return self.rng.choice(near)
        if depth > 0 and self.rng.random() < 0.85:
            ways = [*ways[:1], *self.branches(kind, scope, depth - 1)] or ways
        return self.rng.choice(ways)()

    def leaves(self, kind: str, scope: dict[str, str]) -> list:
        named = [n for n, k in scope.items() if k == kind or kind in WIDER and k in WIDER[kind]]
        ways = [lambda: self.rng.choice(named)] * 3 if named else []
        many, _, of = kind.partition(" ")
        if kind == "truth":
            return [
                *ways,
                lambda: self.rng.choice(
                    ["brisk", "(spot 2 is closed)", "(night is 1)", "(any ghost such that fear of ghost is 1)"]
                ),
            ]
        if kind == "number":
            return [*ways, lambda: self.rng.choice(["0", "1", "2", "3", "7", "most", "night"])]
        if many in ("set", "list"):
            plain = {"set card": "hand of ann", "set piece": "marks", "list card": "heap", "list number": "digits"}
            ways = [*ways, lambda: "none"] if not of else ways
            ways += [lambda: f"({plain[kind]})"] if kind in plain else []
            ways += [lambda: f"{of}s"] if many == "set" and of in THINGS else []
            ways += [lambda: f"(reversed {of}s)"] if many == "list" and of in THINGS else []
            ways += [lambda: "(1 to most)", lambda: "(0 to 3)"] if kind == "set number" else []
            return ways or [lambda: "none"]
        return [*ways, lambda: self.rng.choice(THINGS[kind].split())]

    def filled(self, shape: str, scope: dict[str, str], depth: int) -> str:
        """A shape with arguments in its places."""
        text = shape
        while "{" in text:
            before, _, rest = text.partition("{")
            noun, _, after = rest.partition("}")
            text = before + self.expression(noun, scope, depth) + after
        return f"({text})" if " " in text else text

    def noun(self, scope: dict[str, str], depth: int) -> tuple[str, str, str]:
        """A quantified noun: as it is written with a name of its own, that name, what it is."""
        name = self.fresh("n")
        kind = self.rng.choice(KINDS)
        if self.rng.random() < 0.3:
            kind = self.rng.choice(KINDS) if self.rng.random() < 0.7 else "number"
            many = f"list {kind}" if kind == "number" or self.rng.random() < 0.4 else f"set {kind}"
            return f"{kind} called {name} in {self.atom(self.expression(many, scope, depth))}", name, kind
        if self.rng.random() < 0.4:
            return f"figure called {name} of {self.expression('player', scope, depth)}", name, "figure"
        return f"{kind} called {name}", name, kind

    def moving(self, kind: str, scope: dict[str, str], depth: int) -> str:
        """Something that is not always the same thing."""
        found = {
            "card": "(first of heap)",
            "warden": "(the only wardens where it is in marks)",
            "piece": "(keeper of mill)",
        }
        found |= {
            "figure": "(first of (figures where place of it is mill))",
            "cell": "(last of (cells where file of it is 2))",
        }
        shapes = [s for k, s in FUNCTIONS if k.removesuffix("?") == kind and "{" in s]
        return self.filled(self.rng.choice(shapes), scope, depth) if shapes else found[kind]

    @staticmethod
    def atom(text: str) -> str:
        return text if text.startswith("(") or " " not in text else f"({text})"

    def branches(self, kind: str, scope: dict[str, str], depth: int) -> list:
        def e(k: str, more: dict[str, str] | None = None) -> str:
            return self.expression(k, {**scope, **(more or {})}, depth)

        many, _, of = kind.partition(" ")
        pick, rng = self.rng.choice, self.rng
        fitting = [s for k, s in (*FUNCTIONS, *self.words * 3) if k.removesuffix("?") in (kind, *WIDER.get(kind, ()))]
        ways = [lambda: self.filled(pick(fitting), scope, depth)] * 4 if fitting else []
        ways += [lambda: f"(if {e('truth')} then {e(kind)} else {e(kind)})"]
        thing = pick(KINDS)
        if kind == "truth":
            ways += [
                lambda: f"({e('truth')} {pick(['and', 'or'])} {e('truth')})",
                lambda: f"(not {e('truth')})",
                lambda: f"({self.moving(thing, scope, depth)} is {pick(['', 'not '])}{e(thing)})",
                lambda: f"({e('set ' + thing)} is {e('set ' + thing)})",
                lambda: f"({e('list ' + thing)} is {e('list ' + thing)})",
                lambda: (
                    f"({e('number')} is {pick(['at least', 'at most', 'exactly', 'more than', 'less than'])} {e('number')})"
                ),
                lambda: f"({e(thing)} is in {e(pick(['set ', 'list ']) + thing)})",
                lambda: f"({e(pick(['set ', 'list ']) + thing)} are within {e(pick(['set ', 'list ']) + thing)})",
                lambda: f"({self.moving('piece', scope, depth)} is a {pick(['figure', 'warden'])})",
                lambda: f"(no two figures share a {pick(['place', 'size'])})",
                lambda: f"({e('number')} is in {e('list number')})",
                lambda: (
                    f"({e('piece')} is on {pick(['any spot', 'every spot', 'no spot', 'a closed spot', e('spot')])})"
                ),
                lambda: f"({e('piece')} is on {e('spot')} or on {e('spot')})",
                lambda: f"({pick(['any', 'every', 'no'])} closed spot is {e('spot')})",
                self.quantified(scope, depth),
                self.quantified(scope, depth),
                self.quantified(scope, depth),
            ]
        elif kind == "number":
            ways += [
                lambda: f"({e('number')} {pick(['plus', 'minus', 'times', 'divided by'])} {e('number')})",
                lambda: f"(remainder of {e('number')} divided by {e('number')})",
                lambda: (
                    f"({pick(['sum of', 'sum of', 'largest of', 'smallest of'])} {e(pick(['list number', 'set number']))})"
                ),
                lambda: f"(count of {e(pick(['set ', 'list ']) + thing)})",
                lambda: f"(first of {e('list number')})",
            ]
        elif kind == "set number":
            ways += [lambda: f"({e('number')} to {e('number')})", lambda: f"({e(kind)} without {e('number')})"]
        elif many == "set":
            ways += [
                lambda: f"({e(kind)} with the {pick(['highest', 'lowest'])} ({self.measure(of, scope, depth)}))",
                lambda: f"({e(kind)} where {self.inside(of, scope, depth)})",
                lambda: f"({e(kind)} plus {e(pick([kind, of, 'list ' + of]))})",
                lambda: f"({e(kind)} without {e(pick([kind, of, 'list ' + of]))})",
                lambda: f"({e(of)} or {e(of)})",
            ]
            lifts = [
                ("spot", "place of {}"),
                ("player", "player of {}"),
                ("spot", "neighbours of {} along tall"),
                ("card", "hand of {}"),
            ]
            for found, shape in lifts:
                if found == of:
                    wanted = {"place": "piece", "player": "figure", "neighbours": "spot", "hand": "player"}[
                        shape.split(" ")[0]
                    ]
                    ways.append(lambda shape=shape, wanted=wanted: f"({shape.format(e('set ' + wanted))})")
        elif many == "list":
            ways += [
                lambda: f"({e(kind)} plus {e(pick([kind, of, of]))})",
                lambda: f"({e(kind)} without {e(pick([kind, of]))})",
                lambda: f"(reversed {e(kind)})",
            ]
            if of != "number":
                ways += [
                    lambda: f"({e(kind)} where {self.inside(of, scope, depth)})",
                    lambda: f"({e('set ' + of)} {pick(['starting with', 'after'])} {e(of)})",
                    lambda: f"({e(kind)} plus {e('set ' + of)})",
                ]
            if of == "card":
                ways += [lambda: f"({e('set card')} as often as copies)"]
            if of == "spot":
                ways += [lambda: f"(place of {e('list piece')})"]
            if of == "number":
                ways += [
                    lambda: f"(worth of {e(pick(['set card', 'list card']))})",
                    lambda: f"(purse of {e('set player')})",
                ]
        else:
            ways += [
                lambda: f"({pick(['first of', 'last of', 'the only'])} {e(pick(['set ', 'list ']) + kind)})",
                lambda: f"(the only {self.atom(e('set ' + kind))} where {self.inside(kind, scope, depth)})",
            ]
        return [lambda way=way: way() for way in ways if rng.random() < 0.9] or ways

    def measure(self, of: str, scope: dict[str, str], depth: int) -> str:
        return self.expression("number", {**{n: k for n, k in scope.items() if n != "it"}, "it": of}, depth)

    def inside(self, of: str, scope: dict[str, str], depth: int) -> str:
        """A condition in which `it` is one of these; a name inside another `where` would mean that one's."""
        return self.expression("truth", {**{n: k for n, k in scope.items() if n != "it"}, "it": of}, depth)

    def quantified(self, scope: dict[str, str], depth: int):
        def write() -> str:
            noun, name, kind = self.noun(scope, depth)
            how = self.rng.choice(["any", "every", "no", f"at least {self.rng.randrange(3)}", "exactly 1"])
            return f"({how} {noun} such that {self.expression('truth', {**scope, name: kind}, depth)})"

        return write

    # --- words --------------------------------------------------------------------------------------------------------
    def word(self) -> str:
        """A definition; what is defined can be used from then on."""
        kind, name = self.some_type(), self.fresh("w")
        nouns = self.rng.sample(["player", "spot", "piece", "card", "figure", "size"], self.rng.randrange(3))
        called = {noun: self.fresh("a") for noun in nouns}
        written, shape = [], []
        for noun, preposition in zip(nouns, ("of", "for")):
            written.append(f" {preposition} {noun} called {called[noun]}")
            shape.append(f" {preposition} {{{noun}}}")
        body = self.expression(kind, {called[n]: n for n in nouns}, 3)
        self.words.append((kind, name + "".join(shape)))
        return f"  {name}{''.join(written)}: {body}"

    def words_in_words(self) -> list[str]:
        """A word that looks at all that hangs on its argument, used on a part of each element of a set."""
        part, whole = self.rng.choice([*PARTS])
        if part == "number":
            part, whole = "player", "figure"
        name, inner, outer = self.fresh("a"), self.fresh("w"), self.fresh("w")
        dynamic = {"player": "(hand of {})", "size": "(figures of {})", "spot": "(neighbours of {} along short)"}[part]
        of = {"player": "card", "size": "figure", "spot": "spot"}[part]
        element = self.fresh("n")
        such = self.expression("truth", {name: part, element: of}, 1)
        how = self.rng.choice(["any", "every", "no", "at least 2"])
        body = f"{how} {of} called {element} in {dynamic.format(name)} such that {such}"
        self.words.append(("truth", f"{inner} of {{{part}}}"))
        each = self.fresh("n")
        use = self.rng.choice(
            [f"{whole}s where {inner} of {PARTS[part, whole][0]} it"]
            + [f"count of ({whole}s where not {inner} of ({PARTS[part, whole][0]} it))"]
            + [f"{how} {whole} called {each} such that {inner} of {PARTS[part, whole][0]} {each}"]
        )
        kind = "number" if use.startswith("count") else f"set {whole}" if " where " in use else "truth"
        self.words.append((kind, outer))
        return [f"  {inner} of {part} called {name}: {body}", f"  {outer}: {use}"]

    # --- steps --------------------------------------------------------------------------------------------------------
    def steps(self, scope: dict[str, str], depth: int, indent: str, tells: bool = True) -> list[str]:
        lines, scope = [], dict(scope)
        for _ in range(self.rng.randrange(1, 4)):
            lines += self.step(scope, depth, indent)
        return lines

    def step(self, scope: dict[str, str], depth: int, indent: str) -> list[str]:
        name, pick, rng = self.fresh("s"), self.rng.choice, self.rng
        verbs = ["set", "set", "let", "let", "show", "say", "draw", "ask", "ask", "deal", "call"]
        verbs += ["cases", "if", "if", "for each", "repeat", "some", "between"] if depth > 0 else []
        verb = pick(verbs)
        start, more = f"{indent}{name}:", indent + "  "

        def e(kind: str, deep: int = 2) -> str:
            return self.expression(kind, scope, deep)

        if verb == "set":
            kind, shape = pick(CELLS)
            head = self.filled(shape, scope, 1)
            head = head[1:-1] if head.startswith("(") else head
            return [start, f"{more}set: {{{head}: {e(kind.removesuffix('?'))}}}"]
        if verb == "let":
            kind, var = self.some_type(), self.fresh("v")
            line = f"{more}let: {{{var}: {e(kind)}}}"
            scope[var] = kind
            return [start, line]
        if verb == "show":
            to = pick(["all", "nobody", "ann", "bob", "all"])
            kind, var = self.some_type(), self.fresh("v")
            line = [start, f"{more}show: {e(kind)}", f"{more}to: {to}"]
            if rng.random() < 0.5:
                line.append(f"{more}as: {var}")
                scope.update({var: kind} if to == "all" else {})
            return line
        if verb == "say":
            to = pick(["all", "nobody", "ann", e("player", 1)])
            return [
                start,
                f"{more}say: Hm {{it_is}}.",
                f"{more}with: {{it_is: {e(self.some_type())}}}",
                f"{more}to: {to}",
            ]
        if verb == "draw":
            kind, var, number = (
                pick(["card", "spot", "piece"]),
                self.fresh("v"),
                pick(["1", "1", "2", "night", "(purse of ann)", e("number", 1)]),
            )
            line = [
                start,
                f"{more}draw: {number}",
                f"{more}from: {e(pick(['set ', 'list ']) + kind)}",
                f"{more}as: {var}",
            ]
            line += [f"{more}seen by: all", f"{more}if none: {{}}"]
            return line
        if verb == "deal":
            hand = pick(["hand", "stock"])
            many = pick(["cards", e("set card")] if hand == "hand" else ["cards as often as copies", e("list card")])
            each = [f"{more}each: {pick(['1', '2', 'night', '(purse of bob)', e('number', 1)])}"]
            return [
                start,
                f"{more}deal: {many}",
                f"{more}to: {pick(['players', 'ann', 'reversed players', e('player', 1)])}",
                *each,
                f"{more}as: {hand}",
            ]
        if verb == "ask":
            kind, var = pick([*KINDS, "number"]), self.fresh("v")
            line = [
                start,
                f"{more}ask: {e('player', 1)}",
                f"{more}for:",
                f"{more}  {var}: {e(pick(['set ', 'list ']) + kind)}",
            ]
            inner = {**scope, var: kind}
            if rng.random() < 0.4:
                other = self.fresh("v")
                line.append(f"{more}  {other}: {self.expression(pick(['set ', 'list ']) + kind, inner, 2)}")
                inner[other] = kind
            if rng.random() < 0.4:
                line.append(f"{more}where: {self.expression('truth', inner, 2)}")
            line += [f"{more}seen by: {pick(['all', 'nobody', 'all'])}", f"{more}if none: {{}}"]
            return line
        if verb == "some":
            kind, var = pick(["card", "spot", "size"]), self.fresh("v")
            some = f"{pick(['', 'at most ', 'at least ', 'less than '])}{e('number', 1)}"
            line = [start, f"{more}ask: {e('player', 1)}", f"{more}for:", f"{more}  {var}:"]
            line += [f"{more}    some of: {e(pick(['set ', 'list ']) + kind, 1)}"]
            line += [f"{more}    how many: {pick(['2', 'at most 2', 'at least 1', 'any number', 'less than 3', some])}"]
            if rng.random() < 0.5:
                few = pick(["1", "at most 1", "at least 1", some])
                line += [f"{more}    of which: {{{self.inside(kind, scope, 1)}: {few}}}"]
            return [*line, f"{more}seen by: all", f"{more}if none: {{}}"]
        if verb == "between":
            line = [start, f"{more}ask: {pick(['ann', 'bob', e('player', 1)])}", f"{more}between:"]
            for _ in range(rng.randrange(1, 4)):
                line.append(f"{more}  {self.fresh('o')}:")
                line += [f"{more}    if: {e('truth')}"] if rng.random() < 0.4 else []
                inner = dict(scope)
                if rng.random() < 0.4:
                    var, kind = self.fresh("v"), pick(KINDS)
                    line.append(f"{more}    for: {{{var}: {e(pick(['set ', 'list ']) + kind)}}}")
                    inner[var] = kind
                line += (
                    [f"{more}    then:", *self.steps(inner, depth - 1, more + "      ")] if rng.random() < 0.7 else []
                )
                line += [f"{more}    rarely: 3"]
            return [*line, f"{more}seen by: all", f"{more}if none: {{}}"]
        if verb == "if":
            idle = [f"{more}  {self.fresh('s')}: {{{pick(['say: Psst.', 'show: night'])}, to: nobody}}"]
            line = [start, f"{more}if: {e('truth')}", f"{more}then:"]
            line += self.steps(scope, depth - 1, more + "  ") if rng.random() < 0.8 else idle
            line += [f"{more}else:", *self.steps(scope, depth - 1, more + "  ")] if rng.random() < 0.5 else []
            return line
        if verb == "cases":
            kind = pick(["", "card", "spot", "number", "size"])
            line = [
                start,
                *([f"{more}by: {self.moving(kind, scope, 1) if kind != 'number' else e('number')}"] if kind else []),
            ]
            line += [f"{more}cases:"]
            named = ["1", "(2 to 4)", "night"] if kind == "number" else [*THINGS.get(kind, "").split()]
            texts = rng.sample(named, 2) if kind else [e("truth"), e("truth")]
            for text in dict.fromkeys(texts):
                line += [f"{more}  {text}:", *self.steps(scope, depth - 1, more + "    ")]
            return [
                *line,
                *([f"{more}else:", *self.steps(scope, depth - 1, more + "  ")] if rng.random() < 0.5 else []),
            ]
        if verb == "for each":
            kind, var = pick([*KINDS, "number"]), self.fresh("v")
            many = f"list {kind}" if kind == "number" or rng.random() < 0.4 else f"set {kind}"
            line = [start, f"{more}for each: {var} in {e(many)}", f"{more}do:"]
            return [*line, *self.steps({**scope, var: kind}, depth - 1, more + "  ")]
        if verb == "repeat":
            line = [start, f"{more}repeat:", *self.steps(scope, depth - 1, more + "  ")]
            line += [f"{more}  {self.fresh('s')}: {{draw: 1, from: sizes, as: {self.fresh('v')}, seen by: all}}"]
            return [*line, f"{more}{pick(['while', 'until'])}: {e('truth')}"]
        if not self.rules:
            return [start, f"{more}say: Nothing."]
        kind, shape = pick(self.rules)
        text = self.filled(shape, scope, 1)
        line = [start, f"{more}call: {text[1:-1] if text.startswith('(') else text}"]
        if kind and rng.random() < 0.7:
            var = self.fresh("v")
            line.append(f"{more}as: {var}")
            scope[var] = kind
        return line

    def rule(self) -> list[str]:
        name, kind = self.fresh("r"), self.rng.choice(["", self.some_type()])
        noun = self.rng.choice(["", "player", "spot"])
        called = self.fresh("a")
        head = f"{name} of {noun} called {called}" if noun else name
        scope = {called: noun} if noun else {}
        lines = [f"  {head}:", *self.steps(scope, 2, "    ")]
        if kind:
            value = self.expression(kind, scope, 2)
            if self.rng.random() < 0.3:
                lines += [
                    f"    {self.fresh('s')}: {{if: {self.expression('truth', scope, 2)}, then: {{out: {{return: {value}}}}}}}"
                ]
            lines += [f"    {self.fresh('s')}: {{return: {value}}}"]
        self.rules.append((kind, f"{name} of {{{noun}}}" if noun else name))
        return lines

    def game(self) -> str:
        words = [
            "words:",
            "  piece is on spot: place of piece is spot",
            *(self.word() for _ in range(self.rng.randrange(2, 6))),
        ]
        words += self.words_in_words()
        seen = f"    seen: {{show: {self.words[-1][1]}}}"
        rules = ["rules:"]
        for _ in range(self.rng.randrange(3)):
            rules += self.rule()
        rules += ["  round:", *self.steps({}, 2, "    ")]
        rules += ["  game:", seen, *self.steps({}, 2, "    "), "    turn: {call: round}", *self.steps({}, 2, "    ")]
        ends = [self.expression("set player", {}, 1), self.expression("player", {}, 1)]
        rules += [
            f"    over: {{end: {self.rng.choice(ends)}, scores: {self.expression('number', {'it': 'player'}, 1)}}}"
        ]
        return "\n".join([TABLE, *words, *rules]) + "\n"

    def shown(self, count: int) -> str:
        """A game in which expressions are shown, one at a time, and put into the state, in whatever order is chosen: each
        in a line of its own."""
        lines = []
        for number in range(count):
            head, kind = "", self.some_type()
            if number % 3 == 0:
                kind, shape = self.rng.choice(CELLS)
                head = self.filled(shape, {}, 1)
                head = head[1:-1] if head.startswith("(") else head
            value = self.expression(kind.removesuffix("?"), {}, 4)
            step = f"{{set: {{{head}: {value}}}}}" if head else f"{{show: {value}, to: all}}"
            lines.append(f"            {self.fresh('o')}: {{then: {{{self.fresh('s')}: {step}}}}}")
        words = ["words:", "  piece is on spot: place of piece is spot"]
        rules = [
            *words,
            "rules:",
            "  round:",
            "    idle: {say: Hm., to: nobody}",
            "  game:",
            "    rounds:",
            "      repeat:",
        ]
        rules += ["        next:", "          ask: ann", "          between:", *lines, "          seen by: all"]
        return "\n".join([TABLE, *rules, "      until: night is 1000", "    over: {end: nobody}"]) + "\n"


def games(seed: int, count: int) -> Iterator[tuple[int, str]]:
    """So many files, and the numbers that make each of them again."""
    for number in range(count):
        yield number, Writer(random.Random(f"{seed} {number}")).game()
