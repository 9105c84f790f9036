"""A flat program as data: what the rules of a game do, before it is written as Python (program.py) or as C (csteps.py).

A *block* is a row of operations that ends with a jump, or rests at a *node* until somebody, or chance, decides; what
then follows from the choice is a row of operations too. Rows inside others are only those that decide nothing. Values
are typed expressions, those of operations.py and a few more that only a program has (VALUES). A position is a row of
slots, and which type each of them has is said here, so that either emitter can keep it in its own way; NOTHING is a
value like others, and what must not be nothing is looked at where it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .blocks import Event, Node
from .model import Alternative, Expr, Function, Part, Rule, Step, Type, Var

# What expressions of a program can be besides those of the rules.
VALUES = {
    "look": "the cell of a table (values, types of the arguments, arguments)",
    "call": "a function of its own (body, arguments)",
    "cases": "of several functions, the one for some keys (cases, keys, arguments)",
    "if_there": "an expression in which variables have these values; nothing, or no, if one of them is nothing",
    "slot": "what lies in a slot (its number)",
    "cell": "what lies in a cell of the state (function, arguments); there must be one",
    "chosen": "what was chosen (which part of the choice; whether numbers were chosen)",
    "drawn": "what chance has given (whether it is a number)",
    "counted": "a row of numbers to choose from",
    "offered": "whether anything can be chosen at a node (its number)",
    "some": "whether there is anything in a row",
    "nth": "of a row, the element at a place; there must be one",
    "needed": "a value that must be there",
    "alone": "a row of one element",
    "lacking": "a row without one of its elements",
    "ordered": "a row, sorted",
    "bounded": "a row, which must not be too long",
    "taken": "a row without others (row, others, from below); they must be there",
    "in_turn": "seats in the order in which they are asked, each once",
    "with": "an expression in which variables have these values (expression, variables, values)",
    "seat": "the mask of one seat",
    "seats": "the mask of several seats",
    "both": "a mask: those in one and in the other",
    "either": "a mask: those in one or in the other",
    "but": "a mask: those in one and not in the other",
}


# --- operations -------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Let:
    """A value has a name here."""

    var: Var
    value: Expr


@dataclass(slots=True)
class Put:
    slot: int
    value: Expr


@dataclass(slots=True)
class PutCell:
    function: Function
    args: list[Expr]
    value: Expr


@dataclass(slots=True)
class Need:
    """Here this must be there."""

    value: Expr


@dataclass(slots=True)
class Fill:
    """All cells of a function of the state are as they were in the beginning."""

    function: Function


@dataclass(slots=True)
class If:
    test: Expr
    yes: Row
    no: Row = field(default_factory=list)


@dataclass(slots=True)
class Took:
    """What follows if this alternative was chosen."""

    atom: int
    body: Row


@dataclass(slots=True)
class Each:
    var: Var
    source: Expr
    body: Row


@dataclass(slots=True)
class EachPair:
    """Two rows of the same length, side by side."""

    variables: tuple[Var, Var]
    sources: tuple[Expr, Expr]
    body: Row


@dataclass(slots=True)
class Jump:
    block: int


@dataclass(slots=True)
class Back:
    """On with the block whose number lies in a slot."""

    slot: int


@dataclass(slots=True)
class Rest:
    node: int


@dataclass(slots=True)
class Stay:
    """Rest at the same node again."""


@dataclass(slots=True)
class Tell:
    """An event, for those of a mask; while somebody plans it is held back from the others."""

    event: int
    mask: Expr
    values: list[Expr]
    held: bool


@dataclass(slots=True)
class Flush:
    """A plan is done: the others are told."""


@dataclass(slots=True)
class Finish:
    """The game is over."""

    won: Expr
    scores: list[Expr] | None  # of each seat


Operation = (
    Let | Put | PutCell | Need | Fill | If | Took | Each | EachPair | Jump | Back | Rest | Stay | Tell | Flush | Finish
)
Row = list[tuple[Operation, Step | None]]  # each with the step it belongs to


# --- the whole --------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Way:
    """One of the ways to answer a question: what is chosen, and what must hold."""

    parts: list[Part]
    given: Expr | None
    where: list[Expr]
    alternative: Alternative | None


@dataclass(slots=True)
class Question:
    actor: Expr
    ways: list[Way]
    step: Step


@dataclass(slots=True)
class Flat:
    blocks: list[Row]
    nodes: list[Node]
    events: list[Event]
    questions: dict[int, Question]  # by node
    choices: dict[int, Row]  # what follows from a choice, by node
    entries: dict[str, int]  # rule -> its first block
    final: int  # the block behind the rule that is carried out first
    backs: set[int]  # where games inside come back to
    returns: dict[int, tuple[Rule, tuple[int, ...]]]
    return_slot: dict[str, int]
    types: dict[int, Type]  # of what lies in a slot
    counted: set[int]  # the slots of rows of numbers to choose from
    slots: int  # of a whole position
    gone: set[int] = field(default_factory=set)  # blocks that were put where they are jumped to

    @property
    def reached(self) -> set[int]:
        """The blocks that are reached by number."""
        return {*self.returns, *self.entries.values(), self.final, *self.backs}


# --- joining ----------------------------------------------------------------------------------------------------------
SHORT = 6  # operations of a block that is put wherever it is jumped to
LEAVES = (Jump, Back, Rest, Stay, Finish)


def inner_rows(operation: Operation) -> list[Row]:
    if isinstance(operation, If):
        return [operation.yes, operation.no]
    return [operation.body] if isinstance(operation, (Took, Each, EachPair)) else []


def rows_in(row: Row) -> Iterator[Row]:
    yield row
    for operation, _ in row:
        for inner in inner_rows(operation):
            yield from rows_in(inner)


def _jumps(row: Row) -> list[int]:
    return [operation.block for inner in rows_in(row) for operation, _ in inner if isinstance(operation, Jump)]


def join_blocks(flat: Flat) -> None:
    """Put a block where it is jumped to, if that is at one place only, or if it is short."""
    starts = [*flat.choices.values(), *flat.blocks]
    for row in (inner for start in starts for inner in rows_in(start)):  # nothing after a jump is ever reached
        end = next((i for i, (operation, _) in enumerate(row) if isinstance(operation, LEAVES)), len(row))
        del row[end + 1 :]
    counts: dict[int, int] = {}
    for target in (target for start in starts for target in _jumps(start)):
        counts[target] = counts.get(target, 0) + 1
    single = {block for block, count in counts.items() if count == 1} - flat.reached
    short = {n for n, row in enumerate(flat.blocks) if sum(map(len, rows_in(row))) <= SHORT and not _jumps(row)}

    def join(row: Row, home: int | None) -> None:
        for operation, _ in row[:-1]:
            for inner in inner_rows(operation):
                join(inner, home)
        while row:
            last = row[-1][0]
            for inner in inner_rows(last):
                join(inner, home)
            if not isinstance(last, Jump) or last.block == home:
                return
            if last.block in single:
                single.discard(last.block)
                flat.gone.add(last.block)
            elif last.block not in short:
                return
            row[-1:] = flat.blocks[last.block]
            for operation, _ in row[:-1]:
                for inner in inner_rows(operation):
                    join(inner, home)

    for row in flat.choices.values():
        join(row, None)
    for number, row in enumerate(flat.blocks):
        if number not in flat.gone:
            join(row, number)
