"""A compiled game as plain data, and back: what the cache keeps.

Values that are shared are kept once, and rows of numbers refer to them. Objects of a few known classes are kept by the
names of their fields. Nothing but these classes can come out of it, and no word of theirs is run on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

__all__ = ["Unpackable", "pack", "unpack"]

_PLAIN = frozenset({str, int, float, bool, bytes, type(None)})
_TUPLE, _LIST, _SET, _FROZEN, _DICT, _FIRST_CLASS = range(6)
_KINDS: dict[type, int] = {tuple: _TUPLE, list: _LIST, set: _SET, frozenset: _FROZEN, dict: _DICT}
MAX_ROWS = 500_000

Packed = tuple[list[Any], list[int], list[tuple[int, tuple[int, ...]]], list[tuple[int, ...]], int]


class Unpackable(Exception):
    """It holds something that is not plain data."""


def field_names(kind: type) -> tuple[str, ...]:
    """What an object of this class is made of."""
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    return tuple(getattr(kind, "_fields", getattr(kind, "__slots__", ())))


def _is_value(kind: type) -> bool:
    """Is it made at once, from values that are there? Other objects may refer to each other, and are filled later."""
    return issubclass(kind, tuple) or bool(is_dataclass(kind) and kind.__dataclass_params__.frozen)  # type: ignore[attr-defined]


def pack(root: Any, classes: Sequence[type]) -> Packed:
    """Everything that can be reached from an object, as data that `marshal` takes."""
    try:
        return _Packer(classes).pack(root)
    except RecursionError:
        raise Unpackable("values that are nested too deeply, or in a circle") from None


class _Packer:
    def __init__(self, classes: Sequence[type]):
        self.kinds = {**_KINDS, **{kind: _FIRST_CLASS + number for number, kind in enumerate(classes)}}
        self.names = {kind: field_names(kind) for kind in classes}
        self.values = {kind for kind in classes if _is_value(kind)}
        self.plain: dict[tuple[type, Any], int] = {}
        self.objects: list[Any] = []
        self.rows: list[tuple[int, tuple[int, ...]]] = []
        self.found: dict[int, int] = {}  # by id; `kept` holds what it belongs to, so that no other gets the same
        self.kept: list[Any] = []

    def pack(self, root: Any) -> Packed:
        first = self.at(root)
        filled = []
        for value in self.objects:  # there will be more of them on the way
            filled.append(tuple([self.at(part) for part in self.parts(value)]))
            if len(self.rows) + len(filled) > MAX_ROWS:
                raise Unpackable("too much")
        base = (0, len(self.plain), len(self.plain) + len(self.objects))

        def placed(content: tuple[int, ...]) -> tuple[int, ...]:
            return tuple([base[i % 3] + i // 3 for i in content])

        rows = [(kind, placed(content)) for kind, content in self.rows]
        kinds = [self.kinds[self.known(type(value))] for value in self.objects]
        return (
            [value for _, value in self.plain],
            kinds,
            rows,
            [placed(content) for content in filled],
            placed((first,))[0],
        )

    def at(self, value: Any) -> int:
        """The number of a value: one of plain values, of objects, or of rows."""
        kind = type(value)
        if kind in _PLAIN:
            return 3 * self.plain.setdefault((kind, value), len(self.plain))
        known = self.found.get(id(value))
        if known is not None:
            return known
        kind = self.known(kind)
        self.kept.append(value)
        if kind in self.names and kind not in self.values:
            self.objects.append(value)
            number = 3 * (len(self.objects) - 1) + 1
        else:
            content = tuple([self.at(part) for part in self.parts(value)])
            self.rows.append((self.kinds[kind], content))
            number = 3 * (len(self.rows) - 1) + 2
        self.found[id(value)] = number
        return number

    def known(self, kind: type) -> type:
        """The class as which an object is kept: its own, or one that it derives from."""
        if kind in self.kinds:
            return kind
        for other in kind.__mro__:
            if other in self.names:
                return other
        raise Unpackable(f"{kind.__module__}.{kind.__qualname__}")

    def parts(self, value: Any) -> Sequence[Any]:
        kind = self.known(type(value))
        if kind in self.names:
            return [getattr(value, name) for name in self.names[kind]]
        if kind is dict:
            return [x for pair in value.items() for x in pair]
        return sorted(value, key=repr) if kind in (set, frozenset) else value


def unpack(packed: Packed, classes: Sequence[type]) -> Any:
    """What was packed. Fields are set as they were, whatever a class would do with them."""
    plain, kinds, rows, filled, root = packed
    made = dict(enumerate(classes, _FIRST_CLASS))
    memo: list[Any] = [*plain, *[object.__new__(made[kind]) for kind in kinds]]
    add = memo.append
    for kind, content in rows:
        values = [memo[i] for i in content]
        if kind == _TUPLE:
            add(tuple(values))
        elif kind == _LIST:
            add(values)
        elif kind == _DICT:
            add(dict(zip(values[::2], values[1::2])))
        elif kind == _SET:
            add(set(values))
        elif kind == _FROZEN:
            add(frozenset(values))
        else:
            add(made[kind](*values))
    names = {kind: field_names(kind) for kind in classes}
    for value, content in zip(memo[len(plain) :], filled):
        for name, i in zip(names[type(value)], content):
            setattr(value, name, memo[i])
    return memo[root]
