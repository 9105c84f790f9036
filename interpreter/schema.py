"""JSON Schema: is a file built of the right pieces? Names and types inside expressions are checked later."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import MAX_PROBLEMS, Place, Problem, RulesError, did_you_mean, problem
from .files import read_ours
from .keywords import NAME, STEP_VERBS, TRUTH_WORDS
from .load import Map, Seq
from .messages import N_
from .quick import Check, QuickMaker, quick_check

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

__all__ = ["SCHEMA", "fits", "is_other", "mistakes", "new_validator", "schema", "the_validator", "validate"]

_COMMENTED = re.compile(r"\s*(#[^\s#].*)")  # where a value could have been meant
SCHEMA = Path(__file__).with_name("schema.json")
Mistake = Any  # a ValidationError of jsonschema as validators give it: nothing in it is left unset


def is_other(data: bytes) -> str | None:
    """Does this begin otherwise than our schema, which begins alike in all versions? Then it is not replaced by it."""
    begins = read_ours(SCHEMA).partition('"description"')[0].encode()
    return None if data.startswith(begins[: len(data)]) else "file_foreign"


@lru_cache(maxsize=1)
def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(read_ours(SCHEMA))
    return found


@lru_cache(maxsize=1)
def the_validator() -> Validator:
    return new_validator(schema())


def new_validator(schema: dict[str, Any]) -> Validator:
    """What finds out what is wrong with data. It looks only where something is wrong: a file may have 200,000 entries,
    and to look at each of them as thoroughly would take minutes."""
    from jsonschema import Draft202012Validator, ValidationError
    from jsonschema.validators import extend

    quick = QuickMaker(schema)

    def properties(validator: Any, known: Any, data: Any, _: Any) -> Iterator[ValidationError]:
        for key, wanted in known.items() if isinstance(data, dict) else ():
            if key in data and not quick.of(wanted)(data[key]):
                yield from validator.descend(data[key], wanted, path=key, schema_path=key)

    def further(validator: Any, wanted: Any, data: Any, schema: Any) -> Iterator[ValidationError]:
        known = schema.get("properties", {})
        for key in data if isinstance(data, dict) else ():
            if key in known:
                continue
            if wanted is False:
                yield ValidationError("")
                return
            if not quick.of(wanted)(data[key]):
                yield from validator.descend(data[key], wanted, path=key)

    def items(validator: Any, wanted: Any, data: Any, _: Any) -> Iterator[ValidationError]:
        for index, item in enumerate(data) if isinstance(data, list) else ():
            if not quick.of(wanted)(item):
                yield from validator.descend(item, wanted, path=index)

    def all_of(validator: Validator, cases: Any, step: Any, _: Any) -> Iterator[ValidationError]:
        """What `allOf` says of a step, verb by verb: the same as by the book, in a tenth of the time."""
        for case in cases if isinstance(step, Map) else ():
            if case["if"]["required"][0] in step:
                keys = case["then"]["propertyNames"]["enum"]
                for key in step:
                    if key not in keys:
                        yield ValidationError(
                            "",
                            validator="enum",
                            validator_value=keys,
                            instance=key,
                            schema_path=["then", "propertyNames", "enum"],
                        )

    def names(validator: Any, wanted: Any, data: Any, _: Any) -> Iterator[ValidationError]:
        for key in data if isinstance(data, dict) else ():
            if not quick.of(wanted)(key):
                yield from validator.descend(key, wanted)

    def few(check: Any) -> Any:
        """Of thousands of mistakes in one place the first will do: see `mistakes`."""
        return lambda *args: islice(check(*args), MAX_PROBLEMS)

    ours = {"properties": properties, "additionalProperties": further, "items": items, "allOf": all_of}
    ours["propertyNames"] = names
    checks = {keyword: few(check) for keyword, check in ours.items()}
    made: Validator = extend(Draft202012Validator, checks)(schema)  # type: ignore[no-untyped-call]
    return made


@lru_cache(maxsize=1)
def _quick() -> Check:
    return quick_check(schema())


def fits(data: Map) -> bool:
    """Is it built of the right pieces, and is nothing missing?"""
    return _quick()(data)


def validate(data: Map) -> bool:
    """Refuses a file that is not built of the right pieces. A file that changes others may leave out what they say:
    is all there that the schema asks for, without them?"""
    if fits(data):
        return True
    problems = mistakes(the_validator(), data)
    if "extends" in data and all(found.code == "key_missing" for found in problems):
        return not problems
    if problems:
        raise RulesError(problems)
    return True


def mistakes(validator: Validator, data: Map) -> list[Problem]:
    """What a validator, of this schema or of another one, finds wrong with a file."""
    found = (p for error in validator.iter_errors(data) for p in _in_words(error, data))
    return _without_echoes(list(islice(found, MAX_PROBLEMS)))


def _in_words(error: Mistake, data: Map) -> list[Problem]:
    """Our own words for a validation error, at the place of the value (or of the key, if the key is wrong)."""
    path = list(error.absolute_path)
    keyword, wanted, found = error.validator, error.validator_value, error.instance
    if "propertyNames" in error.absolute_schema_path:
        return [_wrong_key(error, _at(data, path), str(found), path)]
    if keyword == "additionalProperties":
        known = error.schema.get("properties", {})
        unknown = (key for key in found if key not in known)
        return [_unknown_key(found, key, known) for key in islice(unknown, MAX_PROBLEMS)]
    place, key_place = _place(data, path)
    if keyword in ("oneOf", "anyOf"):
        return _nearest(error, data) or [_wrong_kind([t for option in wanted for t in _types(option)], found, place)]
    if keyword == "type":
        return [_wrong_kind(wanted if isinstance(wanted, list) else [wanted], found, place)]
    if keyword in ("enum", "const"):
        values = [_shown(x) for x in (wanted if keyword == "enum" else [wanted])]
        return [
            problem(
                "wrong_value",
                place,
                _length(found),
                value=_shown(found),
                allowed=tuple(values),
                meant=did_you_mean(_shown(found), values) or "",
            )
        ]
    if keyword == "pattern":
        return [problem("wrong_form", place, _length(found), value=str(found), wanted=(FORMS[wanted],))]
    if "maxItems" in error.schema and keyword in ("minItems", "maxItems"):
        return [problem("link_pair", place)]
    if keyword in ("minItems", "minProperties"):
        return [problem("too_few", place)]
    if keyword == "required":
        return [
            problem("key_missing", key_place or place, len(str(path[-1])) if path else 1, key=key)
            for key in wanted
            if key not in found
        ]
    return [problem("wrong_form", place, value=str(found), wanted=(str(wanted),))]


def _nearest(error: Mistake, data: Map) -> list[Problem]:
    """Of several ways to write something, the one that was most likely meant: what is wrong with it as that?"""
    ways: dict[int, list[Mistake]] = {}
    for inner in error.context:
        ways.setdefault(inner.schema_path[0], []).append(inner)
    tried = [
        errors
        for errors in ways.values()
        if not any(
            e.instance is error.instance
            and (e.validator == "type" or e.validator in ("enum", "const") and isinstance(e.instance, (Map, Seq)))
            for e in errors
        )
    ]
    if not tried:
        return []
    return [p for inner in min(tried, key=len) for p in _in_words(inner, data)]


def _wrong_key(error: Mistake, home: Map, key: str, path: list[Any]) -> Problem:
    if error.validator == "pattern" and re.fullmatch(r"[^:]+:[^: ]+", key) and home[key] is None:
        right = ": ".join(key.split(":"))
        return problem("colon_space", home.key_at[key], len(key), value=key, right=right)
    if error.validator == "pattern":
        return problem("wrong_form", home.key_at[key], len(key), value=key, wanted=(FORMS[error.validator_value],))
    verbs = [k for k in home if k in STEP_VERBS]
    if len(verbs) > 1:
        return two_verbs(str(path[-1]), home, verbs)
    return _unknown_key(home, key, error.validator_value)


def two_verbs(name: str, step: Map, verbs: list[str]) -> Problem:
    return problem("two_verbs", step.key_at[verbs[1]], len(verbs[1]), name=name, one=verbs[0], other=verbs[1])


def _unknown_key(home: Map, key: str, allowed: Iterable[str]) -> Problem:
    if "/" in key and "extends" in allowed:
        return problem("path_beside", home.key_at[key], len(key), name=key)
    return problem(
        "unknown_key",
        home.key_at[key],
        len(key),
        key=key,
        meant="" if home.at.source.cited else did_you_mean(key, allowed) or "",  # there it is a key, but not here
        allowed=tuple(k for k in allowed if k not in home),
    )


def _wrong_kind(kinds: list[str], found: Any, place: Place) -> Problem:
    if "boolean" in kinds and isinstance(found, str) and found in TRUTH_WORDS:
        return problem("word_not_truth", place, len(found), word=found, instead=TRUTH_WORDS[found])
    if isinstance(found, Seq) and "array" not in kinds and "object" in kinds:
        return problem("list_not_map", place)
    comment = _COMMENTED.match(place.source.line(place.line)[place.column - 1 :]) if found is None else None
    if comment:
        return problem("value_commented", place, whole=json.dumps(comment[1].strip(), ensure_ascii=False))
    needed = [k for k in kinds if k != "null"] or kinds  # that it may be left empty is no advice
    return problem(
        "wrong_type",
        place,
        _length(found),
        found=(_kind(found),),
        wanted=tuple(dict.fromkeys(KINDS[k] for k in needed)),
    )


def _without_echoes(problems: list[Problem]) -> list[Problem]:
    """One mistake, one problem: a key that no step has and this one neither is told once, in the narrower way."""
    kept: dict[tuple[object, ...], Problem] = {}
    for p in problems:
        which = (p.place, p.code, p.args.get("key"))
        old = kept.get(which)
        if old is None or _allowed(p) < _allowed(old):
            kept[which] = p
    return list(kept.values())


def _allowed(problem: Problem) -> int:
    words = problem.args.get("allowed", ())
    return len(words) if isinstance(words, tuple) else 0


KINDS = {
    "object": N_("a map"),
    "array": N_("a list"),
    "string": N_("a text"),
    "integer": N_("a whole number"),
    "number": N_("a number"),
    "boolean": N_("true or false"),
    "null": N_("nothing"),
}
FORMS = {
    f"^{NAME}$": N_("a name of letters, digits and _"),
    "^[1-9][0-9]?$": N_("a number of players"),
    "^[a-z]{2,3}(_[A-Za-z]+)*$": N_("a language, such as ca or no"),
    "^#[0-9a-f]{6}$": N_("a colour, such as #b5312c"),
}


def _types(option: dict[str, Any]) -> list[str]:
    if "$ref" in option:
        name = option["$ref"].rsplit("/", 1)[-1]
        option = schema() if name == "#" else schema()["$defs"][name]
    kinds = option.get("type", [])
    if not kinds:
        return [t for inner in option.get("anyOf", option.get("oneOf", [])) for t in _types(inner)]
    return kinds if isinstance(kinds, list) else [kinds]


def _kind(value: Any) -> str:
    for python, name in (
        (bool, "boolean"),
        (dict, "object"),
        (list, "array"),
        (str, "string"),
        (int, "integer"),
        (float, "number"),
        (type(None), "null"),
    ):
        if isinstance(value, python):
            return KINDS[name]
    return "?"


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else "" if isinstance(value, (Map, Seq)) else str(value)


def _length(value: Any) -> int:
    return max(1, len(str(value))) if isinstance(value, (str, int)) else 1


def _at(data: Any, path: list[Any]) -> Any:
    for step in path:
        data = data[step]
    return data


def _place(data: Any, path: list[Any]) -> tuple[Place, Place | None]:
    place, key_place = data.at, None
    for step in path:
        if isinstance(data, Map):
            place, key_place = data.value_at.get(step, place), data.key_at.get(step)
        elif isinstance(data, Seq):
            place = data.value_at[step]
        data = data[step]
    return place, key_place
