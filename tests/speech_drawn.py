"""Sentences for readers who see nothing else: `python tests/speech_drawn.py --seed 7 --into FOLDER` writes 50 of each language.

Half of them are conditions that the design was tried on, as far as they can hold at all, the others are drawn at random
over all games; what nobody would write, because it or a part of it holds in all positions or in none, says the same twice, or
says of a thing what does not concern it (any score such that Red has a card and that score is 0: the card is no matter of the
score), is drawn again. A reader says of each whether it is natural, understandable or bad. `key.txt` has the conditions.
"""

from __future__ import annotations

import argparse
import random
from functools import cache
from itertools import chain
from pathlib import Path

from generating import Conditions
from loading import loaded
from positions import cells, value, worth
from tabarro.interpreter import games
from tabarro.interpreter.check import Scope
from tabarro.interpreter.errors import Place, Source
from tabarro.interpreter.model import Expr, Function, Var
from tabarro.interpreter.trees import free_variables
from tabarro.speech.conditions import Speaker
from tabarro.speech.language import LANGUAGES, Language
from tabarro.speech.simplifying import canonical, simple

TRIED = [
    "no figure of red is with any figure of blue",
    "not (every figure of the team is not on rialto)",
    "no figure of red is not on rialto",
    "not (every figure of the team is on space 5)",
    "(the ambassador is on rialto or agent_x is on space 5) and lord_fiddlebottom is on space 2",
    "the ambassador is on rialto or (agent_x is on space 5 and lord_fiddlebottom is on space 2)",
    "no two figures of the team share a place",
    "count of players is more than 3",
    "at least 2 figures of red are on rialto",
    "exactly 1 figure of team is with another figure",
    "the ambassador is with no figure of blue",
    "place of red_tall is in neighbours of rialto along land",
    "if the ambassador is on rialto then lord_fiddlebottom is on space 5 else agent_x is on space 2",
    "any figure of red is with every figure of blue",
    "every figure called mine of red such that mine is on rialto or mine is with the ambassador",
    "any figure called mine of red such that any figure called yours of blue such that mine is with yours "
    "and yours is not real",
    "count of (figures of team where it is on rialto) is at least points of red plus 1",
    "(the only players where it is home) is in team",
    "figures of red are within (figures where it is moved)",
    "identity of blue is not colonel_bubble",
    "colour of rialto is nothing",
    "first of (players starting with blue) is red",
    "not (paused and rialto is free)",
    "every space in (neighbours of rialto along land) is free",
    "(any figure of team is on rialto and (paused or agent_x is on space 5)) or "
    "not (every player is home and rialto is free)",
]

POSITIONS = 1500  # in which a condition is looked at


def tried(game) -> list[Expr]:
    words = game.vocabulary
    formulas = [f for same in words.functions.values() for f in same if f.kind == "formula"]
    names = {v.name: v for f in formulas if f.result.kind == "truth" for v in f.variables[f.keys :]}
    return [words.checker.expression(text, Place(Source("", text), 1, 1), Scope(names)) for text in TRIED]


def shown(expr: object, game) -> str:
    """An expression for the key: operations and names."""
    if isinstance(expr, Expr):
        if expr.op == "const":
            return _value(expr.args[0], game, expr.type.kind in ("thing", "set", "list", "pile"))
        if expr.op == "var":
            return expr.args[0].name
        return f"{expr.op}({', '.join(shown(arg, game) for arg in expr.args)})"
    if isinstance(expr, tuple):
        return "[" + ", ".join(shown(x, game) for x in expr) + "]"
    return expr.shape if isinstance(expr, Function) else expr.name if isinstance(expr, Var) else str(expr)


def _value(value: object, game, things: bool) -> str:
    if isinstance(value, tuple):
        whole = [s.plural for s in game.vocabulary.sets.values() if tuple(sorted(s.atoms)) == value]
        return whole[0] if whole else "{" + ", ".join(_value(x, game, things) for x in value) + "}"
    return game.vocabulary.atoms[value].name if things and isinstance(value, int) else str(value)


@cache
def positions(name: str) -> list[list]:
    return [cells(loaded(name), seed, alike=seed % 10 / 10) for seed in range(POSITIONS)]


def can_be(expr: Expr, name: str) -> set[object]:
    """What a condition comes to in positions at random, with values at random for what is bound outside of it."""
    chance, found = random.Random(name), set[object]()
    names = [var.origin for var in free_variables(expr)]
    for position in positions(name):
        found.add(worth(expr, position, {var: value(var.type, chance) for var in names}))
        if found >= {True, False}:
            break
    return found


def is_open(expr: object, name: str) -> bool:
    """Can the condition hold or not, and so each condition in it?"""
    if isinstance(expr, tuple):
        return all(is_open(x, name) for x in expr)
    if not isinstance(expr, Expr):
        return True
    return all(is_open(x, name) for x in expr.args) and (
        expr.type.kind != "truth" or expr.op == "var" or can_be(expr, name) >= {True, False}
    )


def size(expr: object) -> int:
    if isinstance(expr, Expr):
        return 1 + sum(map(size, expr.args))
    return sum(map(size, expr)) if isinstance(expr, tuple) else 0


def drawn(seed: int, count: int = 50, depth: int = 3) -> list[tuple[str, Expr]]:
    """Each with the name of its game; no two of the same operation and game one after the other."""
    known = tried(loaded("venice-2013"))
    found = [("venice-2013", expr) for expr in known if True in can_be(expr, "venice-2013")]
    names = [name for name in games() if not name.startswith("venice") or name == "venice-2013"]
    for number in range(count - len(found)):
        name = names[(seed + number) % len(names)]
        conditions = Conditions(loaded(name), seed * 1000 + number, depth)
        worthy = filter(worth_saying, iter(conditions.next, None))
        least = size(first := next(worthy))  # leaving out what is settled must not make the sentences shorter
        found.append((name, next(e for e in chain([first], worthy) if size(e) >= least and is_open(e, name))))
    return found


def worth_saying(expr: object) -> bool:
    """Does every part hang on the position, does it concern what is bound around it, and is nothing in it twice?"""
    if isinstance(expr, tuple):
        return all(map(worth_saying, expr))
    if not isinstance(expr, Expr):
        return True
    args = [arg for arg in expr.args if isinstance(arg, Expr)]
    inputs = [arg for x in expr.args if isinstance(x, tuple) for arg in x if isinstance(arg, Expr)]  # of a word
    if len({repr(canonical(arg)) for arg in inputs}) < len(inputs):
        return False
    if len({repr(canonical(arg)) for arg in args}) < len(args):
        return False
    if expr.type.kind == "truth" and (not _hangs_on_state(expr) or simple(expr).op == "const"):
        return False
    if expr.op == "only" and not _hangs_on_state(expr):  # the only player, of four
        return False
    if args and isinstance(expr.args[0], Var) and not _concerns(args[-1], expr.args[0]):
        return False
    return all(map(worth_saying, expr.args))


def _concerns(expr: Expr, name: Var) -> bool:
    """Does each part of what is said of a thing speak of it? The test of a choice is such a part, too."""
    if expr.op in ("and", "or", "cond", "not"):
        return all(_concerns(arg, name) for arg in (expr.args[:1] if expr.op == "cond" else expr.args))
    return _uses(expr, name) and all(_concerns(x, name) for x in _choices(expr))


def _choices(expr: object) -> list[Expr]:
    if isinstance(expr, tuple):
        return [found for x in expr for found in _choices(x)]
    if not isinstance(expr, Expr) or any(isinstance(arg, Var) for arg in expr.args):
        return []
    return [expr] if expr.op == "cond" else _choices(expr.args)


def _hangs_on_state(expr: object, bound: tuple[Var, ...] = ()) -> bool:
    """Or on what is bound outside of it: that is for the condition around it to say."""
    if isinstance(expr, tuple):
        return any(_hangs_on_state(x, bound) for x in expr)
    if not isinstance(expr, Expr):
        return False
    if expr.op == "var":
        return expr.args[0].origin not in bound
    bound = (*bound, *(arg.origin for arg in expr.args if isinstance(arg, Var)))
    if expr.op in ("word", "formula"):
        function = expr.args[0]
        inner = (*bound, *(var.origin for var in function.variables[: len(function.params)]))
        if function.body is None or _hangs_on_state(function.body, inner):
            return True
    return expr.op == "state" or any(_hangs_on_state(x, bound) for x in expr.args)


def _uses(expr: object, name: Var) -> bool:
    if isinstance(expr, tuple):
        return any(_uses(x, name) for x in expr)
    if not isinstance(expr, Expr):
        return False
    return (expr.op == "var" and expr.args[0] == name) or any(_uses(arg, name) for arg in expr.args)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--into", type=Path, required=True)
    args = parser.parse_args()
    args.into.mkdir(parents=True, exist_ok=True)
    conditions = drawn(args.seed, depth=args.depth)
    for code in LANGUAGES:
        speakers = {name: Speaker(loaded(name), Language(code)) for name, _ in conditions}
        lines = [f"{i}. {speakers[name].sentence(expr)}" for i, (name, expr) in enumerate(conditions, 1)]
        (args.into / f"{code}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    key = [f"{i}. {name}: {shown(expr, loaded(name))}" for i, (name, expr) in enumerate(conditions, 1)]
    (args.into / "key.txt").write_text("\n".join(key) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
