"""For every row of a language's data a condition that uses it, a position where it holds and one where it does not.

A round trip cannot tell whether the words are right: a language in which “at least” and “at most” are exchanged reads
back all it says. So a reader of each language was shown each sentence with the two positions, and said in which of them
it is true. `python tests/speech_rows.py de` prints the sheet for such a reading; what readers said is kept in `readings`.

In a position stand the four figures of red (Rt Rs Rf Rn: tall, short, fat, thin, always in this order), those of blue (B…),
the ambassador (A), the scores of red and blue, and how many balls are drawn. Rialto has no number. Where steps are counted,
it is the night runner's town: where he hides, and which places are neighbours on foot.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from pathlib import Path

from loading import loaded
from tabarro.interpreter.check import Scope
from tabarro.interpreter.errors import Place, Source
from tabarro.interpreter.evaluate import evaluate
from tabarro.interpreter.model import Var
from tabarro.speech.conditions import Speaker
from tabarro.speech.language import Language
from tabarro.speech.rewriting import replaced

READINGS = Path(__file__).parent / "speech" / "readings"
ROWS = {
    "det any": "any figure of red is on rialto",
    "det anyneg": "any figure of red is not on rialto",
    "det every": "every figure of red is on rialto",
    "det no": "no figure of red is on rialto",
    "det notevery": "not (every figure of red is on rialto)",
    "det npi": "no figure of red is with any figure of blue",
    "det npo": "the ambassador is with no figure of blue",
    "det every object": "the ambassador is with every figure of blue",
    "det other": "red_tall is with another figure of red",
    "det noother": "not (red_tall is with another figure of red)",
    "det only": "(the only figures of red where it is on rialto) is red_tall",
    "det isa": "(the only figures where it is on rialto) is in figures of red",
    "clauses distinct": "no two figures of red share a place",
    "clauses alike": "not (no two figures of red share a place)",
    "count ge": "at least 2 figures of red are on rialto",
    "count le": "at most 2 figures of red are on rialto",
    "count eq": "exactly 2 figures of red are on rialto",
    "count gt": "more than 2 figures of red are on rialto",
    "count lt": "less than 2 figures of red are on rialto",
    "count eq one": "exactly 1 figure of red is on rialto",
    "say there": "count of drawn is more than 2",
    "say there none": "count of drawn is 0",
    "clauses eq": "(the only figures of red where it is on gesuiti) is red_tall",
    "clauses eq not": "(the only figures of red where it is on gesuiti) is not red_tall",
    "clauses eqn": "points of red is points of blue",
    "clauses lt": "points of red is less than points of blue",
    "clauses gt": "points of red is more than 1",
    "clauses le": "points of red is at most 1",
    "clauses ged": "points of red is at least 2",
    "clauses ge": "points of red is at least points of blue",
    "clauses in": "(the only figures where it is on rialto) is in (red_tall or blue_tall)",
    "say vp_or places": "place of red_tall is in (rialto or gesuiti)",
    "clauses within": "((figures where it is on rialto) plus red_tall) are within figures of red",
    "clauses within not": "not (((figures where it is on rialto) plus red_tall) are within figures of red)",
    "clauses within each": "(figures where it is on rialto) are within figures of red",
    "clauses eqs": "figures of red are (figures where it is on rialto)",
    "clauses nil": "(the only figures where it is on rialto) is nothing",
    "clauses lacks": "number of place of red_tall is nothing",
    "clauses has": "number of place of red_tall is not nothing",
    "say top_and": "red_tall is on rialto and blue_tall is with the ambassador",
    "say together": "red_tall is on rialto and blue_tall is on rialto",
    "say top_or": "red_tall is on rialto or blue_tall is on rialto",
    "say either": "the ambassador is on rialto and (red_tall is on rialto or blue_tall is on rialto)",
    "say both": "the ambassador is on rialto or (red_tall is on rialto and blue_tall is with red_thin)",
    "say all": "(red_tall is on rialto or the ambassador is on rialto) and (blue_tall is on rialto or red_thin is on rialto)",
    "say some": "(red_tall is on rialto and red_fat is with the ambassador) or (blue_tall is on rialto and red_thin is with red_fat)",
    "say if": "if the ambassador is on rialto then red_tall is on rialto else blue_tall is on rialto",
    "say if_long": "if (red_tall is on rialto or red_thin is on rialto) then blue_tall is on rialto else blue_thin is on rialto",
    "say iff": "(red_tall is on rialto) is (blue_tall is on rialto)",
    "say vp_or any": "any figure called mine of red such that mine is on rialto or mine is on gesuiti",
    "say vp_and": "red_tall is on rialto and red_tall is not with the ambassador",
    "say such_any": "any figure called mine of red such that mine is on rialto or mine is with the ambassador",
    "say such_every": "every figure called mine of red such that mine is on rialto or mine is with the ambassador",
    "say such_no": "no figure called mine of red such that mine is on rialto or mine is with the ambassador",
    "say such_notevery": "not (every figure called mine of red such that mine is on rialto or mine is with the ambassador)",
    "say such_cnt": "at least 2 figures called mine of red such that mine is on rialto or mine is with the ambassador",
    "relative": "red_tall is with any figure in (figures of blue where it is on rialto)",
    "relative_and": "any figure in (figures of blue where it is on rialto and it is not with the ambassador) is with red_tall",
    "say number": "count of (figures of red where it is on rialto) is points of red",
    "say add": "points of red plus 1 is points of blue",
    "say sub": "points of red minus 1 is points of blue",
    "say mul": "points of red times 2 is points of blue",
    "say if_value": "sum of points of (if the ambassador is on rialto then (red or blue) else (players where it is blue)) is 3",
    "say if of values": "(if the ambassador is on rialto then points of red else points of blue) is 1",
    "say without": "every figure in (figures of red without red_tall) is on rialto",
    "say join": "every figure in (figures of red plus blue_tall) is on rialto",
    "say first": "(first of (figures of red starting with (the only figures of red where it is on rialto))) is red_fat",
    "say alone": "figures of red without red_tall is (figures of red where it is on rialto)",
    "say total": "sum of points of (red or blue) is more than 3",
    "clauses ltn": "sum of points of (red or blue) is less than 3",
    "clauses gtn": "points of red plus points of blue is more than 3",
    "counted_from first": "(first of (figures of red after (the only figures of red where it is on rialto))) is red_fat",
    "say total least": "sum of points of (red or blue) is at most 3",
    "det highest": "largest of points of (red or blue) is 2",
    "det lowest": "smallest of points of (red or blue) is 1",
    "say having": "red_tall is in figures of red with the highest number of place",
    "say having lowest": "red_tall is in figures of red with the lowest number of place",
    "say by_highest": "every figure in (figures of red with the highest (number of place of it times 2)) is on gesuiti",
    "say by_lowest": "every figure in (figures of red with the lowest (number of place of it times 2)) is on gesuiti",
    "say div": "points of red divided by 2 is 1",
    "say rem": "(remainder of points of red divided by 2) is 1",
    "say range": "points of red is in 1 to 2",
    "say range not": "points of red is not in 1 to 2",
    "det first": "(first of (figures of red where it is on rialto)) is red_short",
    "det last": "(last of (figures of red where it is on rialto)) is red_fat",
    "say reversed": "first of ((reversed figures of red) where it is on rialto) is red_fat",
    "quantified numbers": "every number called n in (1 to points of red) such that n is less than points of blue",
}
# What must hold in both positions, because a sentence of whoever is not there is neither true nor false to its reader.
THERE = {"clauses eq not": "(the only figures of red where it is on gesuiti) is not nothing"}

STEPS = {  # in the night runner's town
    "say near": "hideout is in neighbours within 2 steps of market along foot",
    "say near_one": "hideout is in neighbours within 1 step of market along foot",
    "say near not": "hideout is not in neighbours within 2 steps of market along foot",
    "say reach": "hideout is in neighbours within any number of steps of market along tram",
}
SHORT = {
    f"{colour}_{build}": colour[0].upper() + sign
    for colour in ("red", "blue")
    for build, sign in (("tall", "t"), ("short", "s"), ("fat", "f"), ("thin", "n"))
}
PLACES = {"rialto": "Rialto", "old_arsenal": "space 1", "gesuiti": "space 2", "scalzi": "space 3"}


def typed(game, text: str):
    """A figure has the name of a card too: here it is always the figure."""
    words = game.vocabulary
    figures = words.sets["figure"].type
    names = {words.atoms[atom].name: atom for atom in figures.atoms}
    scope = {name: Var(name, figures) for name in names}
    expr = words.checker.expression(text, Place(Source("", text), 1, 1), Scope(scope))
    for name, atom in names.items():
        expr = replaced(expr, scope[name], words.atom_const(atom))
    return expr


class Position:
    """What a reader is shown, and the cells that it stands for."""

    def __init__(self, game, chance: random.Random):
        words = game.vocabulary
        state = {shape: words.functions[shape][0] for shape in ("place of _", "points of _", "drawn")}
        self.cells = [None] * words.slots
        spaces = {name: words.member(name, words.sets["space"].type) for name in PLACES}
        common = chance.choice(list(PLACES))
        self.at: dict[str, list[str]] = {name: [] for name in PLACES}
        for index, atom in enumerate(sorted(words.sets["piece"].type.atoms)):
            name = words.atoms[atom].name
            where = common if chance.random() < 0.5 else chance.choice(list(PLACES))
            if name not in (*SHORT, "ambassador"):
                where = "old_arsenal"
            else:
                self.at[where].append("A" if name == "ambassador" else SHORT[name])
            self.cells[state["place of _"].base + index] = spaces[where]
        self.points = (chance.randint(0, 3), chance.randint(0, 3))
        guests = sorted(words.sets["guest"].type.atoms)
        for name, points in zip(("red", "blue"), self.points):
            atom = words.member(name, words.sets["player"].type)
            self.cells[state["points of _"].base + guests.index(atom)] = points
        self.drawn = chance.choice([0, 0, 1, 2, 3, 4])
        balls = sorted(words.sets["ball"].type.atoms)
        self.cells[state["drawn"].base] = tuple(balls[i % len(balls)] for i in range(self.drawn))

    def shown(self) -> str:
        places = "; ".join(f"{PLACES[name]}: {' '.join(sorted(who)) or '-'}" for name, who in self.at.items())
        return f"{places}; scores: red {self.points[0]}, blue {self.points[1]}; balls drawn: {self.drawn}"


class Town:
    """Where the night runner hides, and which places are neighbours; its map is shown with it."""

    def __init__(self, game, chance: random.Random, way: str):
        self.words = game.vocabulary
        self.near = self.words.functions["neighbours of _ along _"][0]
        self.way = self.words.member(way, self.words.sets["way"].type)
        self.cells = [None] * self.words.slots
        self.hideout = chance.choice(sorted(self.words.sets["spot"].type.atoms))
        self.cells[self.words.functions["hideout"][0].base] = self.hideout

    def shown(self) -> str:
        names, pairs = self.words.atoms, []
        for atom in sorted(self.words.sets["spot"].type.atoms):
            for other in self.near.values.get((atom, self.way), ()):
                if atom < other:
                    pairs.append(f"{names[atom].name}-{names[other].name}")
        return f"neighbours by {names[self.way].name}: {', '.join(pairs)}; hideout: {names[self.hideout].name}"


def hash_of(speaker: Speaker, row: str, sentence: str) -> str:
    """Of the data of the row and of the sentence: when one of them changes, the row must be read again."""
    data: object = speaker.grammar.data
    for key in row.split()[:2]:
        data = data.get(key, "") if isinstance(data, dict) else data
    told = json.dumps(data, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256((told + sentence).encode()).hexdigest()[:12]


def sheet(language: str) -> dict[str, dict[str, str]]:
    """By row: the sentence, the positions A and B, the hash, and in which of the two it holds."""
    venice, runner = loaded("venice-2013"), loaded("night-runner")
    return {
        **{row: _entry(venice, language, row, text, Position) for row, text in ROWS.items()},
        **{row: _entry(runner, language, row, text, _town(text)) for row, text in STEPS.items()},
    }


def _town(text: str):
    return lambda game, chance: Town(game, chance, text.split()[-1])


def _entry(game, language: str, row: str, text: str, place) -> dict[str, str]:
    speaker = Speaker(game, Language(language))
    expr = typed(game, text) if "figure" in game.vocabulary.sets else _plain(game, text)
    there = typed(game, THERE[row]) if row in THERE else None
    chance = random.Random(f"{row} {language}")
    true = false = None
    for _ in range(20_000):
        position = place(game, chance)
        if there is not None and not evaluate(there, position.cells, {}):
            continue
        try:
            holds = evaluate(expr, position.cells, {})
        except TypeError:  # a number that is not there
            continue
        true, false = (true or position, false) if holds else (true, false or position)
        if true and false:
            break
    assert true and false, row
    first = chance.random() < 0.5
    sentence = speaker.sentence(expr)
    return {
        "sentence": sentence,
        "A": (true if first else false).shown(),
        "B": (false if first else true).shown(),
        "holds in": "A" if first else "B",
        "hash": hash_of(speaker, row, sentence),
    }


def _plain(game, text: str):
    return game.vocabulary.checker.expression(text, Place(Source("", text), 1, 1), Scope({}))


if __name__ == "__main__":
    print(__doc__.split("\n\n")[-1])
    for row, entry in sheet(sys.argv[1]).items():
        print(f"{row}\n  {entry['sentence']}\n  A  {entry['A']}\n  B  {entry['B']}")
