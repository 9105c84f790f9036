"""A quick look whether a value satisfies the schema: each part of the schema becomes one small function.

It knows just the keywords that schema.json uses. When it says yes, the value is valid; when it says no, jsonschema is
asked, which finds out what is wrong. Loading a game so needs neither its import nor its time. (Tests compare the two.)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Check = Callable[[Any], bool]

TYPES: dict[str, Check] = {
    "object": lambda x: isinstance(x, dict),
    "array": lambda x: isinstance(x, list),
    "string": lambda x: isinstance(x, str),
    "boolean": lambda x: isinstance(x, bool),
    "integer": lambda x: isinstance(x, int) and not isinstance(x, bool),
    "number": lambda x: isinstance(x, (int, float)) and not isinstance(x, bool),
    "null": lambda x: x is None,
}
SILENT = {"$schema", "$defs", "title", "description", "then"}


class UnknownKeyword(Exception):
    """The schema uses a keyword that is not known here."""


def quick_check(schema: dict[str, Any]) -> Check:
    return QuickMaker(schema).of(schema)


class QuickMaker:
    def __init__(self, root: dict[str, Any]):
        self.root = root
        self.made: dict[int, Check] = {}

    def of(self, schema: Any) -> Check:
        if id(schema) not in self.made:
            made: list[Check] = []
            self.made[id(schema)] = lambda value: all([check(value) for check in made])  # parts may refer to the whole
            made += [
                getattr(self, "_" + k.strip("$"), self._unknown)(v, schema)
                for k, v in schema.items()
                if k not in SILENT
            ]
            if len(made) == 1:
                self.made[id(schema)] = made[0]
        return self.made[id(schema)]

    def _unknown(self, value: Any, schema: Any) -> Check:
        raise UnknownKeyword

    def _ref(self, value: Any, schema: Any) -> Check:
        target = self.root
        for step in value.lstrip("#/").split("/"):
            target = target[step] if step else target
        known = self.of
        return lambda x: known(target)(x)

    def _type(self, value: Any, schema: Any) -> Check:
        checks = [TYPES[name] for name in (value if isinstance(value, list) else [value])]
        return checks[0] if len(checks) == 1 else lambda x: any([check(x) for check in checks])

    def _enum(self, value: Any, schema: Any) -> Check:
        return lambda x: any([x == v and isinstance(x, bool) == isinstance(v, bool) for v in value])

    def _const(self, value: Any, schema: Any) -> Check:
        return self._enum([value], schema)

    def _pattern(self, value: Any, schema: Any) -> Check:
        found = re.compile(value).search
        return lambda x: not isinstance(x, str) or found(x) is not None

    def _minimum(self, value: Any, schema: Any) -> Check:
        return lambda x: not TYPES["number"](x) or x >= value

    def _minItems(self, value: Any, schema: Any) -> Check:
        return lambda x: not isinstance(x, list) or len(x) >= value

    def _maxItems(self, value: Any, schema: Any) -> Check:
        return lambda x: not isinstance(x, list) or len(x) <= value

    def _minProperties(self, value: Any, schema: Any) -> Check:
        return lambda x: not isinstance(x, dict) or len(x) >= value

    def _required(self, value: Any, schema: Any) -> Check:
        return lambda x: not isinstance(x, dict) or all([k in x for k in value])

    def _items(self, value: Any, schema: Any) -> Check:
        check = self.of(value)
        return lambda x: not isinstance(x, list) or _every(check, x)

    def _anyOf(self, value: Any, schema: Any) -> Check:
        checks = [self.of(s) for s in value]
        return lambda x: any(check(x) for check in checks)

    def _allOf(self, value: Any, schema: Any) -> Check:
        if all(set(case) == {"if", "then"} and _by_key(case) is not None for case in value):
            return _allowed_beside(dict(_by_key(case) or ("", frozenset()) for case in value))
        checks = [self.of(s) for s in value]
        return lambda x: all(check(x) for check in checks)

    def _if(self, value: Any, schema: Any) -> Check:
        test, then = self.of(value), self.of(schema["then"])
        return lambda x: not test(x) or then(x)

    def _propertyNames(self, value: Any, schema: Any) -> Check:
        check = frozenset(value["enum"]).__contains__ if set(value) - SILENT == {"enum"} else self.of(value)
        return lambda x: not isinstance(x, dict) or all([check(k) for k in x])

    def _properties(self, value: Any, schema: Any) -> Check:
        checks = {name: self.of(s) for name, s in value.items()}
        return lambda x: not isinstance(x, dict) or all([checks[k](v) for k, v in x.items() if k in checks])

    def _additionalProperties(self, value: Any, schema: Any) -> Check:
        known = frozenset(schema.get("properties", ()))
        if value is False:
            return lambda x: not isinstance(x, dict) or all([k in known for k in x])
        check = self.of(value)
        return lambda x: not isinstance(x, dict) or _every(check, [v for k, v in x.items() if k not in known])


def _every(check: Check, values: list[Any]) -> bool:
    """Of thousands that are wrong one is enough."""
    for value in values:  # noqa: SIM110 (faster than a generator)
        if not check(value):
            return False
    return True


def _by_key(case: dict[str, Any]) -> tuple[str, frozenset[str]] | None:
    """Where a key stands only certain others can: that key, and which."""
    test, then = case["if"], case["then"]
    if set(test) == {"required"} and len(test["required"]) == 1 and set(then) == {"propertyNames"}:
        names = then["propertyNames"]
        return (test["required"][0], frozenset(names["enum"])) if set(names) == {"enum"} else None
    return None


def _allowed_beside(table: dict[str, frozenset[str]]) -> Check:
    return lambda x: not isinstance(x, dict) or all([x.keys() <= table[k] for k in x if k in table])
