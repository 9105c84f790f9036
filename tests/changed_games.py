"""Games that come along, with one step more, or with a step, a view or a word otherwise: that is where authors write."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulemaker import Data, Maker, Scope
from tabarro.interpreter.model import TRUTH, walk

__all__ = ["Base", "base", "changed_game"]

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
    kind = rng.choices(["added", "changed", "view", "word"], [6, 3, 1, 0.5])[0]
    if kind == "word" and (changed := _word(maker, found)):
        return {**data, "words": changed}
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
    return {**data, **_patch((*path, maker.name(maker.prefix)), {**new, where: near})}


def _word(maker: Maker, found: Base) -> Data:
    """Another meaning for a word."""
    words = [f for f in maker.functions if f.kind == "word" and f.result.kind in ("truth", "number", "thing", "set")]
    heads = {f.place: f for f in words}
    places = getattr(found.description.get("words"), "key_at", {})
    known = [(head, heads[at]) for head, at in places.items() if at in heads]
    if not known:
        return {}
    head, function = maker.rng.choice(known)
    scope = {v.name: v.type.definite() for v in function.variables}
    return {head: {"means": maker.expr(function.result.definite(), scope, 2)}}


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
    for key in ("until", "while"):
        if key in entry:
            ways += [lambda key=key: {key: f"({entry[key]}) or ({maker.expr(TRUTH, scope, 1)})"}]
    if step.verb == "ask":
        bound = {v.name: v.type.definite() for v in step.vars.values() if v.type.kind != "match"}
        ways += [lambda: {"where": maker.expr(TRUTH, {**scope, **bound}, 1), "if none": maker.none(scope, 0)}]
    if step.verb == "set":
        head = maker.rng.choice(list(entry["set"]))
        function = step.targets[list(entry["set"]).index(head)][0]
        ways += [lambda: {"set": {head: maker.expr(function.result.definite(), scope, 2)}}]
    return maker.rng.choice(ways)()
