"""JSON Schema: is a file built of the right pieces? Names and types inside expressions are checked later."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from .errors import Place, Problem, RulesError, did_you_mean, problem
from .load import Map, Seq
from .messages import N_

__all__ = ["SCHEMA", "schema", "validate"]

SCHEMA = Path(__file__).with_name("schema.json")


@lru_cache(maxsize=1)
def schema() -> dict[str, Any]:
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _validator():
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema())


def validate(data: Map) -> None:
    problems = [_in_words(error, data) for error in _validator().iter_errors(data)]
    if problems:
        raise RulesError(problems)


def _in_words(error, data: Map) -> Problem:
    """Our own words for a validation error, at the place of the value (or of the key, if the key is wrong)."""
    path = list(error.absolute_path)
    place, key_place = _place(data, path)
    keyword, wanted, found = error.validator, error.validator_value, error.instance
    if keyword in ("additionalProperties", "propertyNames") or "propertyNames" in error.absolute_schema_path:
        return _unknown_key(error, found, data)
    if keyword == "type":
        names = wanted if isinstance(wanted, list) else [wanted]
        return problem("wrong_type", place, _length(found), wanted=tuple(KINDS[n] for n in names), found=(_kind(found),))
    if keyword == "enum":
        meant = did_you_mean(str(found), [str(x) for x in wanted]) or ""
        return problem("wrong_value", place, _length(found), value=str(found), allowed=", ".join(map(str, wanted)), meant=meant)
    if keyword == "pattern":
        return problem("wrong_form", place, _length(found), value=str(found), wanted=error.schema.get("description", ""))
    if keyword in ("minLength", "minItems", "minProperties"):
        return problem("too_few", place)
    if keyword in ("oneOf", "anyOf"):
        kinds = dict.fromkeys(KINDS[t] for option in wanted for t in _types(option))
        return problem("wrong_type", place, _length(found), wanted=tuple(kinds), found=(_kind(found),))
    if keyword == "dependentRequired":
        return problem("key_missing", key_place or place, key=", ".join(
            k for needs in wanted.values() for k in needs if k not in found))
    if keyword == "required":
        return problem("key_missing", key_place or place, key=", ".join(k for k in wanted if k not in found))
    if keyword in ("maxProperties", "not"):
        return problem("two_verbs", key_place or place)
    return problem("wrong_form", place, value=str(found)[:40], wanted=str(wanted)[:40])


def _unknown_key(error, found: Any, data: Map) -> Problem:
    if error.validator == "propertyNames":  # the path leads to the map, the instance is the key
        home, key = _at(data, list(error.absolute_path)), str(found)
        allowed = error.validator_value.get("enum")
        if allowed is None:
            return problem("wrong_form", home.key_at[key], len(key), value=key,
                           wanted=error.validator_value.get("description", ""))
    else:
        home, allowed = found, error.schema.get("properties", {})
        key = next(k for k in found if k not in allowed)
    return problem("unknown_key", home.key_at[key], len(key), key=key, meant=did_you_mean(key, allowed) or "",
                   allowed=", ".join(sorted(allowed)))


KINDS = {"object": N_("A map"), "array": N_("A list"), "string": N_("A text"), "integer": N_("A whole number"),
         "number": N_("A number"), "boolean": N_("True or false"), "null": N_("Nothing")}


def _types(option: dict) -> list[str]:
    if "$ref" in option:
        option = schema()["$defs"][option["$ref"].rsplit("/", 1)[-1]]
    kinds = option.get("type", [])
    if not kinds:
        return [t for inner in option.get("anyOf", option.get("oneOf", [])) for t in _types(inner)]
    return kinds if isinstance(kinds, list) else [kinds]


def _kind(value: Any) -> str:
    for python, name in ((bool, "boolean"), (dict, "object"), (list, "array"), (str, "string"), (int, "integer"),
                         (float, "number"), (type(None), "null")):
        if isinstance(value, python):
            return KINDS[name]
    return "?"


def _length(value: Any) -> int:
    return max(1, len(str(value))) if isinstance(value, (str, int)) else 1


def _at(data: Any, path: list) -> Any:
    for step in path:
        data = data[step]
    return data


def _place(data: Any, path: list) -> tuple[Place, Place | None]:
    place, key_place = data.at, None
    for step in path:
        if isinstance(data, Map):
            place, key_place = data.value_at.get(step, place), data.key_at.get(step)
        elif isinstance(data, Seq):
            place = data.value_at[step]
        data = data[step]
    return place, key_place
