"""From generated source to functions. This is the only place where source is run, and no word of a rule file is in it.

Tables are what the source refers to by name: plain data, and *cells*, which lead from keys to functions of the
source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any

from .blocks import Program
from .model import Expr, Value, Var
from .runtime import RUNTIME, over
from .slots import HEADER
from .source import SourceBuilder

if TYPE_CHECKING:
    from .state import State

__all__ = ["cell_code", "compile_expression", "compile_reading", "link", "masker", "run_program"]

RULES = "<rules>"  # what tracebacks call it


def link(source: str | CodeType, tables: Mapping[str, Any], more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All names of the source, ready to be called."""
    scope: dict[str, Any] = {**RUNTIME, **(more or {})}
    cells = {}
    for name, value in tables.items():
        if isinstance(value, tuple) and value and value[0] == "cells":
            cells[name] = value
        else:
            scope[name] = value
    exec(compile(source, RULES, "exec") if isinstance(source, str) else source, scope)
    for name, (_, functions, keys) in cells.items():
        scope[name] = {(k if keys > 1 else k[0]): scope[f] for k, f in functions.items()}
    return scope


def masker(seats: Sequence[int]) -> Callable[[Iterable[int]], int]:
    """From groups of seats to masks; who does not sit at the table has none."""
    masks = {seat: 1 << number for number, seat in enumerate(seats)}

    def mask_of(group: Iterable[int]) -> int:
        mask = 0
        for seat in group:
            mask |= masks.get(seat, 0)
        return mask

    return mask_of


def run_program(
    program: Program,
    seats: Sequence[int],
    source: str | CodeType | None = None,
    more: Mapping[str, Any] | None = None,
) -> None:
    """Give a program its functions: from its own source, from the same already compiled, or from another like it."""
    scope = link(
        program.source if source is None else source, program.tables, {"mask_of": masker(seats), **(more or {})}
    )
    blocks: list[Any] = [scope.get(f"b{number}") for number in range(len(program.blocks))]
    program.blocks = blocks  # nothing leads to those that are gone
    for node in program.nodes:
        if node.kind == "over":
            node.legal = node.apply = over
    for (number, role), name in program.roles.items():
        setattr(program.nodes[number], role, scope[name])


def compile_expression(atoms: int, expr: Expr, free: Sequence[Var]) -> Callable[..., Value]:
    """A function of a position, and of values for these variables, that values an expression quickly."""
    builder = SourceBuilder(atoms)
    names = [f"n{i}" for i in range(len(free))]
    body = builder.code(expr, dict(zip(free, names)))
    lines = [line for function, _ in builder.functions for line in function]
    lines += [f"def whole({', '.join(['position', *names])}):", "    v = position.v", f"    return {body}"]
    whole: Callable[..., Value] = link("\n".join(lines), builder.tables)["whole"]
    return whole


def cell_code(cell: int) -> str:
    """What stands for a cell in the source that `compile_reading` takes."""
    return f"v[{HEADER + cell}]"


def compile_reading(code: str, tables: Mapping[str, Any], first: Mapping[str, str]) -> Callable[[State], Value]:
    """A function of a position: source made of `cell_code`, numbers, operators, the names of these tables and of what
    is looked up `first`."""
    lines = ["v = position.v", *(f"{name} = {source}" for name, source in first.items()), f"return {code}"]
    whole: Callable[[State], Value] = link("\n    ".join(["def whole(position):", *lines]), tables)["whole"]
    return whole
