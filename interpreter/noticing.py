"""Whether a decision can be taken back, from what its player knows.

Who is told that he cannot, exactly when somebody noticed something, learns that somebody did. So nobody looks here at
what has happened: all ways are followed in which the program can go from the decision to the next question, as far as
they would have written the same into this player's log. If on one of them anybody else is told something, or decides,
or chance falls, the decision stands, whichever of them it was.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from . import cache
from .blocks import FAILS, FITS, OVER, Program

__all__ = ["could_be_noticed"]

MOST = 100_000  # places that are looked at; beyond them it could be

# What there is at a place of the program: who is told what, and where it goes on.
TELL, FLUSH, BRANCH, JUMP, RETURN, NODE, LOST = "tell", "flush", "branch", "jump", "return", "node", "lost"
SAME = -1  # as a node: the one that was asked just now

Mask = int | str | None  # who sees it: these, or one of the masks of a table; None if anything else decides it
Place = tuple[str, Any, tuple[int, ...]]  # what, with what, and the places that follow


def could_be_noticed(
    program: Program, own: int, start: int, rows: Sequence[int], end: int, planning: bool, unread: bool = False
) -> bool:
    """Between the question at node `start` and the one at node `end`, both of the player with the mask `own`, whose log
    tells of the events `rows` meanwhile: can anybody else have noticed anything, or chance have fallen? What was only
    told to others does not count if it is still `unread`."""
    map = _map(program.source)
    applied = {node.number: program.roles.get((node.number, "apply"), "") for node in program.nodes}
    first = map.begins.get(applied[start])
    if first is None:
        return True
    todo: list[tuple[int, int, bool, int]] = [(first, 0, False, start)]  # place, rows told, noticed, node before
    seen = set(todo)

    def go(at: int | None, told: int, noticed: bool, node: int) -> bool:
        """Is that a place from which we can go on?"""
        if at is None:
            return False
        if (step := (at, told, noticed, node)) not in seen:
            seen.add(step)
            todo.append(step)
        return True

    while todo:
        if len(seen) > MOST:
            return True
        at, told, noticed, node = todo.pop()
        kind, what, following = map.places[at]
        if kind == TELL:
            event, mask, held = what
            for mine, others in _seen(mask, own, program.tables):
                others = others and not (held and planning) and not unread
                if not mine or told < len(rows) and rows[told] == event:
                    go(following[0], told + mine, noticed or others, node)
        elif kind == FLUSH:
            go(following[0], told, noticed or not unread, node)
        elif kind == BRANCH:
            for other in following:
                go(other, told, noticed, node)
        elif kind == JUMP:
            if not go(map.begins.get(f"b{what}"), told, noticed, node):
                return True
        elif kind == RETURN:
            for block in map.returns.get(what, ()):
                if not go(map.begins.get(f"b{block}"), told, noticed, node):
                    return True
        elif kind == NODE:
            reached = node if what == SAME else what
            if reached in (OVER, FITS, FAILS):
                continue
            if reached == end and told == len(rows) and noticed:
                return True
            go(map.begins.get(applied[reached]), told, True, reached)
        else:
            return True
    return False


def _seen(mask: Mask, own: int, tables: dict[str, Any]) -> Iterator[tuple[int, bool]]:
    """Who may be told: for all that is possible, whether this player is, and whether others are."""
    if isinstance(mask, int):
        yield int(bool(mask & own)), bool(mask & ~own)
        return
    table = None if mask is None else tables.get(mask)
    masks = table.values() if isinstance(table, dict) else table
    if masks is not None and all(isinstance(m, int) and m.bit_count() == 1 for m in masks):  # one player alone
        yield 1, False
        yield 0, True
        return
    yield 1, True
    yield 0, True


class _Map(NamedTuple):
    """A program as places: one for each line at which something is told or the way divides."""

    places: list[Place]
    begins: dict[str, int]  # where each function of the program begins
    returns: dict[int, set[int]]  # slot -> the blocks that it may lead back to


@lru_cache(maxsize=4)
def _map(source: str) -> _Map:
    key = cache.key_of("noticing", source)
    found = cache.load(key)
    if found is None:
        drawn = _Drawing(source)
        found = drawn.places, drawn.begins, drawn.returns
        cache.store(key, found)
    return _Map(*found)


class _Drawing:
    """Reads a program and makes a map of it."""

    def __init__(self, source: str) -> None:
        self.places: list[Place] = []
        self.begins: dict[str, int] = {}
        self.returns: dict[int, set[int]] = {}
        never = self._place(BRANCH, None)  # no function comes to its end without going on elsewhere
        for function in ast.parse(source).body:
            if isinstance(function, ast.FunctionDef) and function.name[0] in "ab":
                self.begins[function.name] = self._body(function.body, never, None, None)
                for line in ast.walk(function):
                    if isinstance(line, ast.Assign) and isinstance(line.value, ast.Constant):
                        for target in line.targets:
                            if (slot := _slot(target)) is not None and type(line.value.value) is int:
                                self.returns.setdefault(slot, set()).add(line.value.value)

    def _place(self, kind: str, what: Any, *following: int) -> int:
        self.places.append((kind, what, following))
        return len(self.places) - 1

    def _body(self, lines: list[ast.stmt], after: int, head: int | None, out: int | None) -> int:
        """Where a row of lines begins; behind them it goes on at `after`, from a loop with `continue` at its head."""
        for index in range(len(lines) - 1, -1, -1):
            after = self._line(lines[index], lines[:index], after, head, out)
        return after

    def _line(self, line: ast.stmt, above: list[ast.stmt], after: int, head: int | None, out: int | None) -> int:
        if isinstance(line, ast.If):
            if _slot(line.test) == 8:  # a plan that is only tried
                return after
            return self._place(
                BRANCH, None, self._body(line.body, after, head, out), self._body(line.orelse, after, head, out)
            )
        if isinstance(line, (ast.For, ast.While)):
            loop = self._place(BRANCH, None)
            if any(_is_flush(inner) for inner in ast.walk(line)):
                return self._place(FLUSH, None, after)
            inside = self._body(line.body, loop, loop, after)
            self.places[loop] = (BRANCH, None, (inside, after))
            return loop
        if isinstance(line, ast.Continue) and head is not None:
            return head
        if isinstance(line, ast.Break) and out is not None:
            return out
        if isinstance(line, ast.Return):
            return self._return(line, above)
        told = _told(line)
        if told is not None:
            return self._place(TELL, told, after)
        return after

    def _return(self, line: ast.Return, above: list[ast.stmt]) -> int:
        value = line.value
        if isinstance(value, ast.UnaryOp):  # -1: somebody decides
            for before in reversed(above):
                if isinstance(before, ast.Assign) and _slot(before.targets[0]) == 0:
                    node = before.value.value if isinstance(before.value, ast.Constant) else None
                    return self._place(NODE, node) if isinstance(node, int) else self._place(LOST, None)
            return self._place(NODE, SAME)
        if isinstance(value, ast.Constant) and type(value.value) is int:
            return self._place(JUMP, value.value)
        slot = _slot(value)
        return self._place(LOST, None) if slot is None else self._place(RETURN, slot)


def _slot(line: ast.AST | None) -> int | None:
    """v[n]"""
    if isinstance(line, ast.Subscript) and isinstance(line.value, ast.Name) and line.value.id == "v":
        if isinstance(line.slice, ast.Constant) and isinstance(line.slice.value, int):
            return line.slice.value
    return None


def _told(line: ast.stmt) -> tuple[int, Mask, bool] | None:
    """The event, who sees it, and whether a plan holds it back from the others: of a line that tells something."""
    event: ast.expr | None = None
    held = False
    if isinstance(line, ast.Assign) and _slot(line.targets[0]) == 1 and isinstance(line.value, ast.Tuple):
        event = line.value.elts[1]
    elif isinstance(line, ast.Expr) and isinstance(line.value, ast.Call):
        if isinstance(line.value.func, ast.Name) and line.value.func.id == "emit":
            event, held = line.value.args[1], True
    if isinstance(event, ast.Tuple) and isinstance(event.elts[0], ast.Constant) and type(event.elts[0].value) is int:
        return event.elts[0].value, _mask(event.elts[1]), held
    return None


def _mask(who: ast.expr) -> Mask:
    if isinstance(who, ast.Constant) and isinstance(who.value, int):
        return who.value
    return who.value.id if isinstance(who, ast.Subscript) and isinstance(who.value, ast.Name) else None


def _is_flush(line: ast.AST) -> bool:
    return isinstance(line, ast.Assign) and _slot(line.targets[0]) == 1 and _told(line) is None
