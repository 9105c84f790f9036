"""What tells the positions apart that are met while it is looked how a plan may end: little of a state."""

from __future__ import annotations

from .cells import cells_of
from .flat import Back, Fill, Flat, Flush, Jump, Put, PutCell, Row, inner_rows, rows_in
from .flatwriting import MATCH
from .slots import HEADER

__all__ = ["changed_by_plans"]


def changed_by_plans(flat: Flat, cells: int) -> list[int]:
    """The slots in which they may differ: in which something may change, from the choices that are made in a plan up to
    where it ends, and of variables only those that are alive where somebody decides. The first is that of the node."""
    found: set[int] = set()
    todo = [flat.choices[node.number] for node in flat.nodes if node.planned and node.number in flat.choices]
    goals, done = _goals(flat), set[int]()

    def follow(blocks: set[int]) -> None:
        todo.extend(flat.blocks[block] for block in blocks - done)
        done.update(blocks)

    def walk(row: Row) -> None:
        for operation, _ in row:
            match operation:
                case Put(slot):
                    found.add(slot)
                case PutCell(function) | Fill(function):
                    found.update(HEADER + cell for cell in cells_of(function))
                case Jump(block):
                    follow({block})
                case Back(slot):
                    follow(goals.get(slot, set()))
                case Flush():
                    return  # one that is only looked at has ended before
            for inner in inner_rows(operation):
                walk(inner)

    while todo:
        walk(todo.pop())
    alive = {*range(HEADER + cells), *flat.return_slot.values()}
    alive.update(slot for node in flat.nodes if node.planned for slot in node.slots)
    alive.update(slot for _, slots in flat.returns.values() for slot in slots)
    return [0, *sorted(found & alive - {0})]


def _goals(flat: Flat) -> dict[int, set[int]]:
    """Where it may go on from a slot."""
    found: dict[int, set[int]] = {slot: set() for slot in (*flat.return_slot.values(), MATCH)}
    for start in (*flat.choices.values(), *flat.blocks):
        for operation, _ in (pair for row in rows_in(start) for pair in row):
            if isinstance(operation, Put) and operation.slot in found:
                value = operation.value
                found[operation.slot] |= {value.args[0]} if value.op == "const" else flat.reached
    return found
