"""What the generated source calls while a game is played: small functions on numbers and tuples of numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import permutations
from typing import Any, NoReturn

from .model import Value
from .operations import LARGEST, MAX_RANGE, bounded

Many = tuple[Any, ...]  # a set or a list
Amount = tuple[int, int]  # at least, at most
Groups = Sequence[tuple[Collection[int], Amount]]  # groups, and how many of each

KEPT, KEPT_LONG = 2_000, 200  # rows of selections that are kept, and how long they may be
MANY = 8  # elements of a row in which it is quicker to look by their hashes
MAX_FOUND, MAX_TRIED = 100_000, 1_000_000  # subsets that one choice may offer, and that may be tried for it


# --- sets and lists ---------------------------------------------------------------------------------------------------
def within(part: Iterable[Value], whole: Collection[Value]) -> bool:
    if len(whole) > MANY:
        return set(whole).issuperset(part)
    for x in part:
        if x not in whole:
            return False
    return True


def as_often(part: Iterable[Value], whole: Iterable[Value]) -> bool:
    return Counter(part) <= Counter(whole)


def gather(found: Iterable[Value]) -> Many:
    return tuple(sorted({x for x in found if x is not None}))


def gather_all(found: Iterable[Many | None]) -> Many:
    return tuple(sorted({y for x in found if x is not None for y in x}))


def given(found: Iterable[Value]) -> Many:
    return tuple([x for x in found if x is not None])


def each_in_turn(found: Iterable[Many | None]) -> Many:
    return tuple([y for x in found if x is not None for y in x if y is not None])


def in_order(row: Iterable[Value]) -> Many:
    return tuple(sorted(row))


def needed(value: Value) -> Value:
    """Where there is nothing, that is a mistake."""
    if value is None:
        raise TypeError
    return value


def append(row: Many, element: Value) -> Many:
    return row + () if element is None else (*row, element)


def distinct(found: Collection[Value]) -> bool:
    return len(set(found)) == len(found)


def only(found: Many) -> Value:
    return found[0] if len(found) == 1 else None


def first(row: Many) -> Value:
    return row[0] if row else None


def last(row: Many) -> Value:
    return row[-1] if row else None


def turned(row: Many, element: Value, by: int) -> Many:
    if element not in row:
        return row
    start = row.index(element) + by
    return row[start:] + row[:start]


def without(group: Many, gone: Many) -> Many:
    less = set(gone) if len(gone) > MANY else gone
    return tuple([x for x in group if x not in less])


def times(a: int, b: int) -> int:
    """Multiplied again and again, numbers would soon fill the memory."""
    found = a * b
    if -LARGEST < found < LARGEST:
        return found
    raise OverflowError


def quotient(a: int, b: int) -> int:
    return a // b if b else a * 0


def left_over(a: int, b: int) -> int:
    return a % b if b else a + 0


class Number(int):
    """A number that was chosen: beside names, so that it is not taken for a thing."""

    __slots__ = ()


def numbers(least: int, most: int) -> Many:
    if most - least >= MAX_RANGE:
        raise OverflowError
    return tuple(range(least, most + 1))


def _next_ones(found: Value) -> Many:
    return found if type(found) is tuple else () if found is None else (found,)


def stride(start: Many, after: Callable[[Value], Value]) -> Many:
    return tuple(sorted({*start, *[y for x in start for y in _next_ones(after(x)) if y is not None]}))


def reach(start: Many, after: Callable[[Value], Value]) -> Many:
    reached = set(start)
    waiting = list(reached)
    while waiting:
        for x in _next_ones(after(waiting.pop())):
            if x is not None and x not in reached:
                reached.add(x)
                waiting.append(x)
    return tuple(sorted(reached))


def best(found: Iterable[tuple[Value, Value]], pick: Callable[..., Value]) -> Many:
    pairs = [pair for pair in found if pair[1] is not None]
    most = pick([y for _, y in pairs], default=None)
    return tuple([x for x, y in pairs if y == most])


def remove(row: Many, gone: Many) -> Many:
    rest = list(row)
    for x in gone:
        if x in rest:
            rest.remove(x)
    return tuple(rest)


def lacking(row: Many, one: Value) -> Many:
    try:
        place = row.index(one)
    except ValueError:
        return row
    return row[:place] + row[place + 1 :]


def heap(a: Many, b: Many) -> Many:
    return tuple(sorted(a + b))


def in_turn(seats: Many, chance: Many) -> Many:
    """Those who are asked at once, each once: chance first, so that people never wait for it."""
    row = tuple(dict.fromkeys(seats))
    return tuple(sorted(row, key=lambda seat: seat not in chance)) if chance else row


class NotThere(Exception):
    """What should be moved is not where it should be moved from."""


def taken(row: Many, gone: Many, below: bool) -> Many:
    """The row without these, from the top or from below. Nothing is taken that is not there."""
    rest = list(row)
    for x in gone:
        if below and rest and rest[-1] == x:
            rest.pop()
        elif x in rest:
            rest.remove(x)
        else:
            raise NotThere
    return tuple(rest)


def no(*_: Value) -> bool:
    """What stands in a gap of a table of conditions."""
    return False


def missing(*_: Value) -> None:
    """What stands in a gap of a table of expressions."""


class IllegalChoice(ValueError):
    """The choice is not one of those the rules offer now."""


class GameOver(IllegalChoice):
    """The game is over: nothing can be chosen any more."""

    def __init__(self) -> None:
        super().__init__("the game is over: nothing can be chosen any more")


def over(*_: object) -> NoReturn:
    """What is offered at the end of a game, and what follows from a choice there."""
    raise GameOver


# --- choices and the log ----------------------------------------------------------------------------------------------
def emit(v: list[Value], event: Many) -> None:
    """Write an event to the log; while a player plans, the others see it only when the plan is done."""
    if v[8]:  # a plan that is only being tried: nobody sees it
        return
    planner = v[4]
    if planner is None:
        v[1] = (v[1], event)
        return
    v[5] += (event,)
    if event[1] & planner:
        v[1] = (v[1], (event[0], event[1] & planner, *event[2:]))


class TooMany(Exception):
    """More ways to choose than anybody could look at."""


_SELECTIONS: dict[tuple[Value, ...], list[tuple[int, ...]]] = {}


def subsets(pool: Iterable[int], amount: Amount, counts: Groups) -> list[tuple[int, ...]]:
    """The different selections from a pool with so many elements, of which so many in each counted group. The same ones
    are asked for again and again, so the short rows of them are kept; nobody changes them."""
    pool = tuple(pool)
    key = (type(pool[0]) if pool else None, pool, amount, *[(frozenset(group), limits) for group, limits in counts])
    found = _SELECTIONS.get(key)
    if found is None:
        found = _subsets(pool, amount, counts)
        if len(found) <= KEPT_LONG:
            if len(_SELECTIONS) >= KEPT:
                _SELECTIONS.clear()
            _SELECTIONS[key] = found
    return found


def _subsets(pool: Iterable[int], amount: Amount, counts: Groups) -> list[tuple[int, ...]]:
    least, most = amount
    pool = tuple(sorted(pool))
    size = len(pool)
    found: list[tuple[int, ...]] = []
    tried = 0

    def extend(start: int, chosen: tuple[int, ...], tally: list[int]) -> None:
        nonlocal tried
        tried += 1
        if tried > MAX_TRIED or len(found) > MAX_FOUND:
            raise TooMany
        if least <= len(chosen) <= most and all(lo <= n <= hi for n, (_, (lo, hi)) in zip(tally, counts)):
            found.append(chosen)
        if len(chosen) >= most:
            return
        for i in range(start, size):
            x = pool[i]
            if i > start and x == pool[i - 1]:  # equal things: one of them has been tried here
                continue
            grown = [n + (x in group) for n, (group, _) in zip(tally, counts)]
            if all(n <= hi for n, (_, (lo, hi)) in zip(grown, counts)):
                extend(i + 1, chosen + (x,), grown)

    extend(0, (), [0] * len(counts))
    return found


def is_subset(chosen: Value, pool: Collection[int], amount: Amount, counts: Groups) -> bool:
    if type(chosen) is not tuple or not amount[0] <= len(chosen) <= amount[1]:
        return False
    if any(x not in pool for x in chosen) or tuple(sorted(chosen)) != chosen:
        return False
    if len(set(chosen)) < len(chosen) and Counter(chosen) - Counter(pool):
        return False
    return all(lo <= sum(x in group for x in chosen) <= hi for group, (lo, hi) in counts)


RUNTIME: dict[str, Any] = {"nothing": None} | {
    f.__name__: f
    for f in (
        within,
        as_often,
        bounded,
        gather,
        gather_all,
        given,
        each_in_turn,
        append,
        needed,
        in_order,
        quotient,
        left_over,
        numbers,
        best,
        stride,
        reach,
        Number,
        no,
        missing,
        distinct,
        only,
        first,
        last,
        turned,
        without,
        remove,
        lacking,
        heap,
        in_turn,
        taken,
        times,
        emit,
        subsets,
        is_subset,
        permutations,
    )
}
